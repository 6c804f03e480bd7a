/*
 * count.c - k, counted by sorting.
 *
 * For each quasi-identifier the released codes of a row become one key (rows/group.c),
 * the person's code in its lowest bits; the keys are sorted, and a class is a run
 * of equal upper bits, its people the different keys in the run. Missing is a
 * value of its own. Suppressed rows are one class like any other. Where ambiguity is
 * promised, classes may be smaller than k, and are counted for information.
 *
 * Cost: that of the keys. Section 5.1 of Sweeney.
 */
#include <stdio.h>
#include <string.h>

#include "audit/rows/group.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { SCAN_BLOCK = 1 << 18 };

/* What a stretch of sorted keys holds. */
typedef struct stretch {
    int64_t classes;
    int64_t smallest;
    int64_t rows_below;
    int64_t broken_classes; /* below k, suppressed rows by themselves not among them */
    int64_t broken_rows;
} stretch;

typedef struct grouping {
    tacit__judge *judge;
    tacit__keys keys;
    int person_bits;
    bool has_suppressed;
    uint64_t suppressed_class;
    stretch *stretches;
} grouping;

static tacit_status pack_set(grouping *g, uint64_t set, tacit_error *err)
{
    const tacit__judge *judge = g->judge;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        if (!(set >> a & 1))
            continue;
        int32_t column = judge->attribute[a];
        tacit_status status = tacit__keys_add(&g->keys, tacit_table_codes(judge->release, column),
                                              tacit__code_max(judge->release, column), err);
        if (status != TACIT_OK)
            return status;
    }
    if (!judge->by_person)
        return TACIT_OK;
    g->person_bits = tacit__bits_for(judge->people_max);
    return tacit__keys_add(&g->keys, judge->people, judge->people_max, err);
}

static uint64_t class_of(const grouping *g, uint64_t key)
{
    return key >> g->person_bits;
}

/* The class at a place of the sorted keys. */
static uint64_t class_at(const grouping *g, int64_t at)
{
    return class_of(g, tacit__sorter_key(&g->keys.sorter, at));
}

static uint64_t class_of_row(const grouping *g, int64_t row)
{
    return class_of(g, tacit__keys_of_row(&g->keys, row));
}

/* A class: a run of sorted keys. */
typedef struct run_of_keys {
    int64_t end;
    int64_t people;
} run_of_keys;

static run_of_keys read_class(const grouping *g, int64_t from)
{
    run_of_keys run = {.end = from + 1, .people = 1};
    uint64_t last = tacit__sorter_key(&g->keys.sorter, from), class = class_of(g, last);
    for (; run.end < g->keys.rows; run.end++) {
        uint64_t key = tacit__sorter_key(&g->keys.sorter, run.end);
        if (class_of(g, key) != class)
            break;
        run.people += key != last;
        last = key;
    }
    if (!g->judge->by_person)
        run.people = run.end - from;
    return run;
}

/* Suppressed rows that are a class by themselves are judged as such elsewhere. */
static bool only_suppressed(const grouping *g, int64_t from, int64_t end)
{
    return g->has_suppressed && class_at(g, from) == g->suppressed_class &&
           end - from == g->judge->suppressed_rows;
}

/* Reads the classes that start in a block of sorted keys. */
static tacit_status scan_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    grouping *g = context;
    stretch *s = &g->stretches[block];
    int64_t at = block * SCAN_BLOCK, end = at + SCAN_BLOCK;
    while (at > 0 && at < end && at < g->keys.rows && class_at(g, at) == class_at(g, at - 1))
        at++;
    while (at < end && at < g->keys.rows) {
        run_of_keys run = read_class(g, at);
        s->classes++;
        if (s->classes == 1 || run.people < s->smallest)
            s->smallest = run.people;
        if (run.people < g->judge->promise->k) {
            bool alone = only_suppressed(g, at, run.end);
            s->rows_below += run.end - at;
            s->broken_classes += !alone;
            s->broken_rows += alone ? 0 : run.end - at;
        }
        at = run.end;
    }
    return TACIT_OK;
}

static stretch sum_stretches(const grouping *g, int64_t blocks)
{
    stretch sum = {0};
    for (int64_t i = 0; i < blocks; i++) {
        const stretch *s = &g->stretches[i];
        if (s->classes && (!sum.classes || s->smallest < sum.smallest))
            sum.smallest = s->smallest;
        sum.classes += s->classes;
        sum.rows_below += s->rows_below;
        sum.broken_classes += s->broken_classes;
        sum.broken_rows += s->broken_rows;
    }
    return sum;
}

/* The first row in a class below k. The broken classes move to the front of the
 * keys, which are not needed any more. */
static int64_t first_broken(grouping *g)
{
    tacit__sorter *broken = &g->keys.sorter;
    int64_t count = 0;
    for (int64_t at = 0; at < g->keys.rows;) {
        run_of_keys run = read_class(g, at);
        if (run.people < g->judge->promise->k && !only_suppressed(g, at, run.end))
            tacit__sorter_put(broken, count++, class_at(g, at));
        at = run.end;
    }
    broken->count = count;
    for (int64_t row = 0; row < g->keys.rows; row++) {
        uint64_t class = class_of_row(g, row);
        int64_t place = tacit__sorter_place(broken, class);
        if (place < count && tacit__sorter_key(broken, place) == class)
            return row;
    }
    return 0;
}

void tacit__name_set(char *out, size_t size, const tacit__judge *judge, uint64_t set)
{
    size_t len = 0;
    out[0] = '\0';
    for (int32_t a = 0; a < judge->promise->attribute_count && len < size; a++) {
        if (!(set >> a & 1))
            continue;
        tacit__shown name = tacit__show(tacit_strview_of(judge->promise->attributes[a].name));
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", name.text);
    }
}

static void report_broken(grouping *g, uint64_t set, stretch sum)
{
    tacit__judge *judge = g->judge;
    char names[160];
    tacit__name_set(names, sizeof names, judge, set);
    int64_t row = first_broken(g);
    tacit__find(judge, TACIT_FINDING_K, row + 1, sum.broken_rows,
                "%lld %s on %s %s fewer than k = %lld %s; the first is that of row %lld "
                "(line %lld)",
                (long long)sum.broken_classes, sum.broken_classes == 1 ? "class" : "classes", names,
                sum.broken_classes == 1 ? "has" : "have", (long long)judge->promise->k,
                judge->by_person ? "people" : "rows", (long long)(row + 1),
                (long long)tacit_table_line(judge->release, row));
}

static void find_suppressed_class(grouping *g)
{
    g->has_suppressed = g->judge->suppressed_rows > 0;
    if (g->has_suppressed)
        g->suppressed_class = class_of_row(g, tacit__first_suppressed(g->judge));
}

static tacit_status judge_set(tacit__judge *judge, uint64_t set, tacit_set_verdict *verdict,
                              tacit_error *err)
{
    grouping g = {.judge = judge};
    g.keys = (tacit__keys){.rows = tacit_table_rows(judge->release), .run = judge->run};
    int64_t blocks = (g.keys.rows + SCAN_BLOCK - 1) / SCAN_BLOCK;
    tacit_status status = pack_set(&g, set, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&g.keys, err);
    if (status != TACIT_OK)
        goto cleanup;
    find_suppressed_class(&g);
    g.stretches = tacit__alloc_zeroed((size_t)blocks, sizeof *g.stretches);
    if (!g.stretches) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    status = tacit__parallel(judge->run, "judging", blocks, scan_block, &g, err);
    if (status != TACIT_OK)
        goto cleanup;
    stretch sum = sum_stretches(&g, blocks);
    *verdict = (tacit_set_verdict){sum.classes, sum.smallest, sum.rows_below};
    if (sum.broken_rows && !judge->promise->ambiguous)
        report_broken(&g, set, sum);
cleanup:
    tacit__keys_clear(&g.keys);
    tacit__free(g.stretches);
    return status;
}

uint64_t tacit__set_of(const tacit__judge *judge, int32_t index)
{
    int32_t count = judge->promise->attribute_count;
    uint64_t all = count == TACIT__MAX_PROMISED ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    return judge->promise->sets ? judge->promise->sets[index] : all;
}

tacit_status tacit__judge_classes(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_set(judge, tacit__set_of(judge, i), &judge->verdict->sets[i], err);
    return status;
}
