/*
 * test_link_random.c - linking against an adversary who compares every record with every row of
 * the register, on small random lineages with values of all levels on both sides, people with
 * several rows, and truths that know all, some or none of the records' people.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <tacit/experimental.h>

#include "random_cases.h"

enum {
    CASES = 20000,
    FEW_COLUMNS = 5,
    MAX_COLUMNS = 24,
    MAX_NODES = 14,
    MAX_RECORDS = 14,
    MAX_ROWS = 24
};

static uint64_t seed;

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*random >> 33) % below);
}

typedef struct instance {
    tacit_link_column columns[MAX_COLUMNS];
    uint32_t ends[MAX_COLUMNS][MAX_NODES], parents[MAX_COLUMNS][MAX_NODES];
    uint32_t identity[MAX_NODES];
    uint8_t released[MAX_COLUMNS][MAX_RECORDS], known[MAX_COLUMNS][MAX_ROWS];
    uint32_t person[MAX_ROWS], truth[MAX_RECORDS];
    tacit_link_case c;
} instance;

/* A tree in preorder: each node is a child of the one before it or of one above that. */
static void draw_tree(instance *x, int32_t column, uint64_t *random)
{
    uint32_t *parents = x->parents[column], *ends = x->ends[column];
    uint32_t nodes = 1 + draw(random, MAX_NODES);
    parents[0] = 0;
    for (uint32_t node = 1; node < nodes; node++) {
        uint32_t up = node - 1;
        while (up > 0 && draw(random, 2))
            up = parents[up];
        parents[node] = up;
    }
    for (uint32_t node = nodes; node-- > 0;) {
        ends[node] = node + 1;
        while (ends[node] < nodes && parents[ends[node]] >= node)
            ends[node]++;
    }
    x->columns[column] = (tacit_link_column){
        .nodes = nodes,
        .ends = ends,
        .parents = parents,
        .released = {x->released[column], 1},
        .released_nodes = x->identity,
        .released_codes = nodes,
        .known = {x->known[column], 1},
        .known_nodes = x->identity,
        .known_codes = nodes,
    };
}

/* A node, of any level or mostly a leaf's. */
static uint8_t draw_node(const tacit_link_column *column, uint32_t way, uint64_t *random)
{
    uint32_t node = draw(random, column->nodes);
    while (way == 0 && column->ends[node] > node + 1)
        node += 1 + draw(random, column->ends[node] - node - 1);
    return (uint8_t)(way == 2 && draw(random, 3) == 0 ? 0 : node);
}

static void draw_people(instance *x, uint64_t *random)
{
    uint32_t several = draw(random, 3);
    x->c.person = several ? x->person : NULL;
    uint32_t person = 0;
    for (int64_t row = 0; row < x->c.rows; row++) {
        person += row > 0 && (!several || draw(random, several + 1) == 0);
        x->person[row] = person;
    }
    x->c.people = x->c.rows ? (int64_t)person + 1 : 0;
}

/* Sometimes so many that keys do not fit into 64 bits. */
static int32_t draw_columns(uint64_t *random)
{
    return 1 + (int32_t)(draw(random, 8) ? draw(random, FEW_COLUMNS) : draw(random, MAX_COLUMNS));
}

/* Makes somebody of the register look like a record, as far as he is known. */
static void copy_record(instance *x, int64_t row, uint64_t *random)
{
    uint32_t record = draw(random, (uint32_t)x->c.records), known = 1 + draw(random, 6);
    for (int32_t i = 0; i < x->c.column_count; i++)
        x->known[i][row] = draw(random, known) ? x->released[i][record] : 0;
}

/* A release of people as they are known. */
static void copy_people(instance *x)
{
    if (x->c.records > x->c.rows)
        x->c.records = x->c.rows;
    for (int32_t i = 0; i < x->c.column_count; i++)
        memcpy(x->released[i], x->known[i], (size_t)x->c.records);
}

static void draw_instance(instance *x, uint64_t *random)
{
    *x = (instance){0};
    uint32_t ways[2] = {draw(random, 3), draw(random, 3)};
    for (uint32_t node = 0; node < MAX_NODES; node++)
        x->identity[node] = node;
    x->c = (tacit_link_case){.columns = x->columns,
                             .column_count = draw_columns(random),
                             .records = draw(random, MAX_RECORDS + 1),
                             .rows = draw(random, MAX_ROWS + 1),
                             .k = 1 + draw(random, 4),
                             .names = draw(random, 2)};
    for (int32_t i = 0; i < x->c.column_count; i++) {
        draw_tree(x, i, random);
        for (int64_t row = 0; row < x->c.records; row++)
            x->released[i][row] = draw_node(&x->columns[i], ways[0], random);
        for (int64_t row = 0; row < x->c.rows; row++)
            x->known[i][row] = draw_node(&x->columns[i], ways[1], random);
    }
    for (int64_t row = 0; row < x->c.rows && x->c.records > 0; row++)
        if (draw(random, 3) == 0)
            copy_record(x, row, random);
    if (draw(random, 4) == 0)
        copy_people(x);
    draw_people(x, random);
    x->c.truth = draw(random, 4) && x->c.people ? x->truth : NULL;
}

/* ---- the exhaustive adversary ---- */

typedef struct answer {
    bool maps[MAX_RECORDS][MAX_ROWS + 1]; /* record, person */
    int64_t people[MAX_RECORDS], records[MAX_ROWS];
} answer;

static bool can_be(const instance *x, int64_t record, int64_t row)
{
    for (int32_t i = 0; i < x->c.column_count; i++)
        if (!tacit_lineage_agree(x->ends[i], x->released[i][record], x->known[i][row]))
            return false;
    return true;
}

static void find_answer(answer *a, const instance *x)
{
    *a = (answer){0};
    for (int64_t record = 0; record < x->c.records; record++)
        for (int64_t row = 0; row < x->c.rows; row++)
            a->maps[record][x->person[row]] |= can_be(x, record, row);
    for (int64_t record = 0; record < x->c.records; record++)
        for (int64_t person = 0; person < x->c.people; person++) {
            a->people[record] += a->maps[record][person];
            a->records[person] += a->maps[record][person];
        }
}

static int bin_of(int64_t count)
{
    int bin = 0;
    while (bin + 1 < TACIT_LINK_BINS && tacit_link_bin_start(bin + 1) <= count)
        bin++;
    return bin;
}

static int64_t only_of(const answer *a, const instance *x, int64_t record)
{
    for (int64_t person = 0; person < x->c.people && a->people[record] == 1; person++)
        if (a->maps[record][person])
            return person;
    return -1;
}

static void check_counts(const tacit_link *link, const answer *a, const instance *x)
{
    int64_t bins[2][TACIT_LINK_BINS] = {{0}}, one = 0, below = 0, pairs = 0, smallest = 0;
    int64_t people_one = 0;
    bool seen[MAX_ROWS] = {false};
    for (int64_t record = 0; record < x->c.records; record++) {
        int64_t only = only_of(a, x, record);
        bins[0][bin_of(a->people[record])]++;
        one += a->people[record] == 1;
        below += a->people[record] < x->c.k;
        pairs += only >= 0 && a->records[only] == 1;
        people_one += only >= 0 && !seen[only];
        if (only >= 0)
            seen[only] = true;
        if (record == 0 || a->people[record] < smallest)
            smallest = a->people[record];
        assert_int_equal(link->maps_to[link->class_of[record]], a->people[record]);
        if (link->only)
            assert_int_equal((int32_t)link->only[link->class_of[record]], only);
    }
    int64_t in_one = 0, few = 0;
    for (int64_t person = 0; person < x->c.people; person++) {
        bins[1][bin_of(a->records[person])]++;
        in_one += a->records[person] == 1;
        few += a->records[person] > 0 && a->records[person] < x->c.k;
    }
    assert_int_equal(link->people_in_one, in_one);
    assert_int_equal(link->people_below, few);
    assert_memory_equal(link->records_by_people, bins[0], sizeof bins[0]);
    assert_memory_equal(link->people_by_records, bins[1], sizeof bins[1]);
    assert_int_equal(link->records_one, one);
    assert_int_equal(link->records_below, below);
    assert_int_equal(link->pairs, pairs);
    assert_int_equal(link->people_one, people_one);
    assert_int_equal(link->smallest, smallest);
    assert_int_equal(link->k_map, below ? TACIT_LINK_BROKEN : TACIT_LINK_HOLDS);
    assert_true(!x->c.names || link->only);
}

/* Whoever is the only candidate of a record stands behind the next one: swapping as a unit. */
static void swap_truth(instance *x, const answer *a)
{
    for (int64_t record = 0; record < x->c.records && x->c.truth; record++) {
        int64_t only = only_of(a, x, record);
        if (only >= 0)
            x->truth[(record + 1) % x->c.records] = (uint32_t)only;
    }
}

/* People for the records: any, or such as swapping leaves, to whom their records do not map;
 * some records may be left out. */
static void draw_truth(instance *x, const answer *a, uint64_t *random)
{
    uint32_t unknown = draw(random, 3), swapped = draw(random, 2), few = draw(random, 2);
    uint32_t people = few && x->c.people > 3 ? 3 : (uint32_t)x->c.people;
    for (int64_t record = 0; record < x->c.records && x->c.truth; record++) {
        uint32_t person = draw(random, people);
        for (uint32_t tries = 0; tries < people && swapped && a->maps[record][person]; tries++)
            person = (person + 1) % people;
        x->truth[record] = unknown && draw(random, 3 * unknown) == 0 ? TACIT_LINK_NOBODY : person;
    }
}

/* ---- what could be true: every completion of the truth ---- */

/* Whether null-map, or wrong-map, holds for a truth that knows everybody. */
static bool model_holds(const answer *a, const instance *x, const uint32_t *truth, bool wrong)
{
    bool subject[MAX_ROWS + 1] = {false}, holds = !wrong || x->c.records > 2;
    for (int64_t record = 0; record < x->c.records; record++)
        subject[truth[record]] = true;
    for (int64_t record = 0; record < x->c.records; record++) {
        int64_t subjects = 0;
        for (int64_t person = 0; person < x->c.people; person++)
            subjects += subject[person] && a->maps[record][person];
        holds &= wrong ? subjects == 1 && !a->maps[record][truth[record]] : subjects == 0;
    }
    return holds;
}

static void check_truth(const tacit_link *link, const answer *a, const instance *x)
{
    tacit_link_truth want = {0};
    bool subject[MAX_ROWS] = {false};
    for (int64_t record = 0; record < x->c.records; record++)
        if (x->truth[record] != TACIT_LINK_NOBODY) {
            want.records++;
            want.subjects += !subject[x->truth[record]];
            subject[x->truth[record]] = true;
        }
    for (int64_t record = 0; record < x->c.records; record++) {
        int64_t subjects = 0;
        bool knows = x->truth[record] != TACIT_LINK_NOBODY;
        bool own = knows && a->maps[record][x->truth[record]];
        for (int64_t person = 0; person < x->c.people; person++)
            subjects += subject[person] && a->maps[record][person];
        want.to_own += own;
        want.to_subject += subjects > 0;
        want.to_one_subject += subjects == 1;
        want.to_wrong_subject += knows && subjects == 1 && !own;
        want.right += own && a->people[record] == 1;
        want.wrong += knows && !own && a->people[record] == 1;
        want.found += own && a->records[x->truth[record]] == 1;
    }
    assert_memory_equal(&link->truth, &want, sizeof want);
}

/* A verdict may only be firm where every way of completing the truth agrees: some random
 * ones do. And with a whole truth it is firm. */
static void check_verdicts(const tacit_link *link, const answer *a, const instance *x,
                           uint64_t *random)
{
    bool whole = x->c.truth || x->c.records == 0;
    for (int64_t record = 0; record < x->c.records && x->c.truth; record++)
        whole &= x->truth[record] != TACIT_LINK_NOBODY;
    for (int times = 0; times < 8; times++) {
        uint32_t truth[MAX_RECORDS];
        for (int64_t record = 0; record < x->c.records; record++)
            truth[record] = x->c.truth && x->truth[record] != TACIT_LINK_NOBODY
                                ? x->truth[record]
                                : draw(random, (uint32_t)x->c.people + 1); /* or nobody listed */
        bool null_map = model_holds(a, x, truth, false), wrong = model_holds(a, x, truth, true);
        if (whole || link->null_map != TACIT_LINK_UNKNOWN)
            assert_int_equal(link->null_map, null_map ? TACIT_LINK_HOLDS : TACIT_LINK_BROKEN);
        if (whole || link->wrong_map != TACIT_LINK_UNKNOWN)
            assert_int_equal(link->wrong_map, wrong ? TACIT_LINK_HOLDS : TACIT_LINK_BROKEN);
    }
}

/* ---- uniqueness ---- */

static bool alike(const instance *x, int64_t a, int64_t b, uint64_t columns)
{
    for (int32_t i = 0; i < x->c.column_count; i++)
        if ((columns >> i & 1) && x->known[i][a] != x->known[i][b])
            return false;
    return true;
}

static bool is_first(const instance *x, int64_t row)
{
    return row == 0 || x->person[row] != x->person[row - 1];
}

static void check_uniqueness(const instance *x, const tacit_run *run)
{
    tacit_link_unique *sets = NULL;
    tacit_error err = {0};
    int32_t count = 0;
    assert_int_equal(tacit_link_uniqueness(&sets, &count, &x->c, 3, run, &err), TACIT_OK);
    uint64_t seen = 0;
    for (int32_t s = 0; s < count; s++) {
        int64_t alone = 0, below = 0;
        for (int64_t row = 0; row < x->c.rows; row++) {
            int64_t same = 0;
            for (int64_t other = 0; other < x->c.rows; other++)
                same += is_first(x, other) && alike(x, row, other, sets[s].columns);
            alone += is_first(x, row) && same == 1;
            below += is_first(x, row) && same < x->c.k;
        }
        assert_int_equal(sets[s].alone, alone);
        assert_int_equal(sets[s].below, below);
        assert_false(seen >> sets[s].columns & 1);
        seen |= UINT64_C(1) << sets[s].columns;
        int size = __builtin_popcountll(sets[s].columns);
        assert_in_range(size, 1, 3);
        if (s > 0 && size == __builtin_popcountll(sets[s - 1].columns))
            assert_true(sets[s - 1].alone >= sets[s].alone);
    }
    int columns = x->c.column_count,
        want = columns + columns * (columns - 1) / 2 + columns * (columns - 1) * (columns - 2) / 6;
    assert_int_equal(count, want);
    tacit_link_uniqueness_free(sets);
}

/* Each verdict comes up on every side often enough to say something. */
static int verdicts[2][3];

static void test_links(void **state)
{
    (void)state;
    tacit_run run;
    tacit_run_init(&run);
    for (seed = 1; seed <= many_cases(CASES); seed++) {
        uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15);
        instance x;
        answer a;
        tacit_link *link = NULL;
        tacit_error err = {0};
        draw_instance(&x, &random);
        run.threads = 1 + (int)(seed % 3);
        find_answer(&a, &x);
        draw_truth(&x, &a, &random);
        if (seed % 2 == 0)
            swap_truth(&x, &a);
        assert_int_equal(tacit_link_new(&link, &x.c, &run, &err), TACIT_OK);
        check_counts(link, &a, &x);
        assert_int_equal(link->has_truth, x.c.truth != NULL);
        if (x.c.truth)
            check_truth(link, &a, &x);
        check_verdicts(link, &a, &x, &random);
        verdicts[0][link->null_map] += x.c.records > 2;
        verdicts[1][link->wrong_map] += x.c.records > 2;
        tacit_link_free(link);
        if (seed % 8 == 0 && x.c.column_count <= FEW_COLUMNS)
            check_uniqueness(&x, &run);
    }
    seed = 0;
    for (int i = 0; i < 6; i++)
        assert_true(verdicts[i / 3][i % 3] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {random_test(test_links, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
