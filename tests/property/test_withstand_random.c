/*
 * test_withstand_random.c - random people, an earlier release of some of them by any method, and a
 * later one of others: what stands the check withstands an adversary who goes through every way in
 * which rows of both releases can correspond; releases that generalize the earlier one stand,
 * keep k and are true; and rows are matched as well as possible.
 *
 * The adversary has nothing but text: a label is a prefix and stars, and it knows for how many rows
 * of the earlier release people are still there.
 */
#include "records.h"

#include <tacit/experimental/previous.h>

#include "base/bitset.h"
#include "random_cases.h"

enum { INSTANCES = 2000, MAX = 8, COLUMNS = 3, QUASI = 2, SIZE = 4 };

typedef char label[SIZE];

/* Somebody: what is true, and in which releases. */
typedef struct person {
    label values[COLUMNS];
    bool before, now;
} person;

typedef struct world {
    uint64_t random;
    person people[MAX];
    int count;
    int64_t k;
    int shows;         /* of the quasi-identifier, the earlier release */
    fixture old, data; /* those before, those now */
    int old_person[MAX], data_person[MAX];
    int old_count, data_count;
    label shown[MAX][COLUMNS]; /* the earlier release, a row each */
    char text[MAX * COLUMNS * SIZE + 64];
    tacit_table *release;
    tacit_previous *previous;
    tacit_frame narrow;
} world;

static void make_people(world *w)
{
    w->count = 4 + (int)next_number(&w->random, MAX - 3);
    w->k = 2 + next_number(&w->random, 2);
    w->shows = next_number(&w->random, 4) ? QUASI : 1;
    uint32_t wide = 2 + next_number(&w->random, 2), gone = next_number(&w->random, 2);
    for (int i = 0; i < w->count; i++) {
        person *p = &w->people[i];
        for (int c = 0; c < COLUMNS; c++)
            for (int d = 0; d < QUASI; d++)
                p->values[c][d] = (char)('0' + next_number(&w->random, wide));
        memcpy(p->values[2], next_number(&w->random, 2) ? "xx" : "yy", 3);
        p->before = next_number(&w->random, 4) > 0;
        p->now = !p->before || !gone || next_number(&w->random, 5) > 0;
    }
}

static void open_fixture(fixture *f, world *w, bool before)
{
    char text[MAX * COLUMNS * SIZE + 64] = "A,B,P\n";
    for (int i = 0; i < w->count; i++)
        if (before ? w->people[i].before : w->people[i].now)
            for (int c = 0; c < COLUMNS; c++)
                sprintf(text + strlen(text), "%s%s", w->people[i].values[c], c < 2 ? "," : "\n");
    fixture_open(f, text);
    fixture_mask(f, "A");
    fixture_mask(f, "B");
    fixture_none(f, "P");
}

static const tacit_method *some_method(world *w)
{
    static const char *const NAMES[] = {"mingen", "local", "datafly", "k-similar", "optimal"};
    return tacit_method_find(NAMES[next_number(&w->random, 5)]);
}

static tacit_records_options some_options(world *w, int rows)
{
    return (tacit_records_options){.k = w->k,
                                   .max_suppressed = next_number(&w->random, 2) ? rows : 0,
                                   .drop_suppressed = next_number(&w->random, 2)};
}

static void write_label(label out, const fixture *f, const tacit_rowwise *r, int64_t row, int c)
{
    int level = r->levels[row * r->attributes + c];
    tacit_strview text =
        tacit_hierarchy_label(f->hierarchies[c], level, value_on(f, row, c, level));
    snprintf(out, SIZE, "%.*s", (int)text.len, text.bytes);
}

/* A release by any method over some of the columns; false where there is none. */
static bool make_release(tacit_rowwise **out, world *w, const fixture *f, const tacit_frame *frame,
                         tacit_records_options *options)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_solution *solution = NULL;
    tacit_run_init(&run);
    *options = some_options(w, (int)tacit_table_rows(f->table));
    tacit_status status = some_method(w)->solve(&solution, frame, options, &run, &err);
    assert_true(status == TACIT_OK || status == TACIT_INFEASIBLE);
    if (status == TACIT_OK)
        assert_int_equal(tacit_rowwise_of(out, solution, frame, &run, &err), TACIT_OK);
    tacit_solution_free(solution);
    return status == TACIT_OK;
}

static bool release_before(world *w)
{
    tacit_rowwise *rowwise = NULL;
    tacit_records_options options;
    tacit_frame frame = w->old.frame;
    frame.attribute_count = w->shows;
    if (!make_release(&rowwise, w, &w->old, &frame, &options))
        return false;
    strcpy(w->text, w->shows == QUASI ? "A,B,P\n" : "A,P\n");
    int rows = 0;
    for (int i = 0; i < w->old_count; i++) {
        if (options.drop_suppressed && tacit__bit_get(rowwise->suppressed, i))
            continue;
        for (int c = 0; c < QUASI; c++)
            if (c < w->shows)
                write_label(w->shown[rows][c], &w->old, rowwise, i, c);
            else
                strcpy(w->shown[rows][c], "*");
        memcpy(w->shown[rows][2], w->people[w->old_person[i]].values[2], SIZE);
        w->old_person[rows] = w->old_person[i];
        for (int c = 0; c < COLUMNS; c++)
            if (c < w->shows || c == QUASI)
                sprintf(w->text + strlen(w->text), "%s%s", w->shown[rows][c],
                        c < QUASI ? "," : "\n");
        rows++;
    }
    w->old_count = rows;
    tacit_rowwise_free(rowwise);
    return rows > 0;
}

/* ---- what text says ---- */

static bool holds(const char *text, const char *value)
{
    if (strcmp(text, "*") == 0)
        return true;
    for (int i = 0; text[i]; i++)
        if (text[i] != '*' && text[i] != value[i])
            return false;
    return true;
}

static bool can_be_one(label *a, label *b)
{
    for (int c = 0; c < COLUMNS; c++)
        if (!holds(a[c], b[c]) && !holds(b[c], a[c]))
            return false;
    return true;
}

static bool is_about(label *a, label *value, int columns)
{
    for (int c = 0; c < columns; c++)
        if (!holds(a[c], value[c]))
            return false;
    return true;
}

/* ---- matching ---- */

static bool augment(world *w, int old, bool *seen, int *taken)
{
    for (int r = 0; r < w->data_count; r++) {
        if (seen[r] || !is_about(w->shown[old], w->people[w->data_person[r]].values, COLUMNS))
            continue;
        seen[r] = true;
        if (taken[r] < 0 || augment(w, taken[r], seen, taken)) {
            taken[r] = old;
            return true;
        }
    }
    return false;
}

static void check_matching(world *w)
{
    int taken[MAX], most = 0;
    bool used[MAX] = {false};
    memset(taken, 0xff, sizeof taken);
    for (int o = 0; o < w->old_count; o++) {
        bool seen[MAX] = {false};
        most += augment(w, o, seen, taken);
    }
    assert_int_equal(w->previous->matched, most);
    for (int r = 0; r < w->data_count; r++) {
        uint32_t old = w->previous->old_of[r];
        if (old == TACIT_NO_ROW)
            continue;
        assert_false(used[old]);
        used[old] = true;
        assert_true(is_about(w->shown[old], w->people[w->data_person[r]].values, COLUMNS));
        for (int c = 0; c < COLUMNS; c++) {
            int level = w->previous->levels[r * COLUMNS + c];
            assert_int_equal(level == TACIT_NOT_SHOWN, c >= w->shows && c < QUASI);
            if (level == TACIT_NOT_SHOWN)
                continue;
            tacit_strview text = tacit_hierarchy_label(w->data.hierarchies[c], level,
                                                       value_on(&w->data, r, c, level));
            assert_int_equal(text.len, strlen(w->shown[old][c]));
            assert_memory_equal(text.bytes, w->shown[old][c], text.len);
        }
    }
}

static bool open_world(world *w, uint64_t seed)
{
    static const int32_t PLACES[][COLUMNS] = {{0, -1, 1}, {0, 1, 2}};
    tacit_run run;
    tacit_error err = {0};
    tacit_csv_options options;
    *w = (world){.random = seed};
    make_people(w);
    for (int i = 0; i < w->count; i++) {
        if (w->people[i].before)
            w->old_person[w->old_count++] = i;
        if (w->people[i].now)
            w->data_person[w->data_count++] = i;
    }
    open_fixture(&w->old, w, true);
    open_fixture(&w->data, w, false);
    w->narrow = w->data.frame;
    w->narrow.attribute_count = QUASI;
    if (!release_before(w))
        return false;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    assert_int_equal(tacit_table_read_memory(&w->release, tacit_strview_of(w->text), "old.csv",
                                             &options, &run, &err),
                     TACIT_OK);
    const tacit_previous_shown shown = {.table = w->release, .columns = PLACES[w->shows - 1]};
    tacit_status status = tacit_previous_new(&w->previous, &w->data.frame, 3, &shown, &run, &err);
    assert_true(status == TACIT_OK || status == TACIT_INVALID);
    return status == TACIT_OK;
}

static void close_world(world *w)
{
    tacit_previous_free(w->previous);
    tacit_table_free(w->release);
    fixture_close(&w->old);
    fixture_close(&w->data);
}

/* ---- the adversary ---- */

typedef struct adversary {
    world *w;
    label released[MAX][COLUMNS];
    bool there[MAX];     /* rows of the data that are in the release */
    int size;            /* rows that are in both releases */
    bool pair[MAX][MAX]; /* can be one in some way in which all correspond */
    bool old_alone[MAX], new_alone[MAX];
    int chosen[MAX];
    bool taken[MAX];
} adversary;

static void enumerate(adversary *a, int old, int matched)
{
    world *w = a->w;
    if (matched + (w->old_count - old) < a->size || matched > a->size)
        return;
    if (old == w->old_count) {
        for (int o = 0; o < w->old_count; o++)
            if (a->chosen[o] < 0)
                a->old_alone[o] = true;
            else
                a->pair[o][a->chosen[o]] = true;
        for (int r = 0; r < w->data_count; r++)
            a->new_alone[r] |= a->there[r] && !a->taken[r];
        return;
    }
    a->chosen[old] = -1;
    enumerate(a, old + 1, matched);
    for (int r = 0; r < w->data_count; r++) {
        if (!a->there[r] || a->taken[r] || !can_be_one(w->shown[old], a->released[r]))
            continue;
        a->chosen[old] = r;
        a->taken[r] = true;
        enumerate(a, old + 1, matched + 1);
        a->taken[r] = false;
    }
    a->chosen[old] = -1;
}

/* Rows of the later release that can be somebody's of those values, going by the
 * quasi-identifier. */
static int candidates_now(adversary *a, label *value)
{
    int count = 0;
    for (int r = 0; r < a->w->data_count; r++) {
        bool possible = a->new_alone[r];
        for (int o = 0; o < a->w->old_count; o++)
            possible |= a->pair[o][r] && is_about(a->w->shown[o], value, QUASI);
        count += a->there[r] && possible && is_about(a->released[r], value, QUASI);
    }
    for (int o = 0; o < a->w->old_count; o++) /* or somebody who is gone */
        count += a->old_alone[o] && is_about(a->w->shown[o], value, QUASI);
    return count;
}

static int candidates_before(adversary *a, label *value)
{
    int count = 0;
    for (int o = 0; o < a->w->old_count; o++) {
        bool possible = a->old_alone[o];
        for (int r = 0; r < a->w->data_count; r++)
            possible |= a->pair[o][r] && is_about(a->released[r], value, QUASI);
        count += possible && is_about(a->w->shown[o], value, QUASI);
    }
    return count;
}

/* Nobody of either release has fewer than k rows to hide among. */
static bool withstands(world *w, const tacit_rowwise *release, bool drop)
{
    static adversary a;
    a = (adversary){.w = w};
    for (int r = 0; r < w->data_count; r++) {
        a.there[r] = !drop || !tacit__bit_get(release->suppressed, r);
        a.size += a.there[r] && w->previous->old_of[r] != TACIT_NO_ROW;
        for (int c = 0; c < COLUMNS; c++)
            write_label(a.released[r][c], &w->data, release, r, c);
    }
    enumerate(&a, 0, 0);
    bool safe = true, matched[MAX] = {false};
    for (int r = 0; r < w->data_count; r++) {
        label *values = w->people[w->data_person[r]].values;
        bool before = w->previous->old_of[r] != TACIT_NO_ROW;
        safe &= !a.there[r] || candidates_now(&a, values) >= w->k;
        safe &= !before || candidates_before(&a, values) >= w->k;
        if (before)
            matched[w->previous->old_of[r]] = true;
    }
    for (int o = 0; o < w->old_count; o++)
        safe &= matched[o] || candidates_before(&a, w->people[w->old_person[o]].values) >= w->k;
    return safe;
}

static int64_t exposed(world *w, const tacit_rowwise *release, bool drop)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_previous_answer answer;
    uint64_t bits = 0;
    tacit_run_init(&run);
    const tacit_previous_question question = {.previous = w->previous,
                                              .frame = &w->data.frame,
                                              .release = release,
                                              .drop_suppressed = drop,
                                              .k = w->k};
    assert_int_equal(tacit_previous_check(&answer, &bits, &question, &run, &err), TACIT_OK);
    assert_int_equal(__builtin_popcountll(bits), answer.exposed);
    assert_int_equal(answer.weak, 0);
    return answer.exposed + answer.exposed_gone;
}

/* ---- what is tested ---- */

static void check_generalizes(world *w, const tacit_rowwise *r, bool drop)
{
    for (int i = 0; i < w->data_count; i++) {
        int alike = 0;
        if (drop && tacit__bit_get(r->suppressed, i))
            continue;
        for (int j = 0; j < w->data_count; j++) {
            bool same = !drop || !tacit__bit_get(r->suppressed, j);
            for (int c = 0; c < QUASI; c++) {
                label a, b;
                write_label(a, &w->data, r, i, c);
                write_label(b, &w->data, r, j, c);
                same &= strcmp(a, b) == 0;
            }
            alike += same;
        }
        assert_true(alike >= w->k);
        for (int c = 0; c < w->shows && w->previous->old_of[i] != TACIT_NO_ROW; c++)
            assert_true(r->levels[i * QUASI + c] >= w->previous->levels[i * COLUMNS + c]);
    }
}

static bool try_generalize(world *w)
{
    static const int32_t PLACES[] = {0, 1}, BACK[] = {0, 1, -1};
    const tacit_previous *list[] = {w->previous};
    tacit_records_options options = some_options(w, w->data_count);
    const tacit_previous_task task = {list,           1,       &w->data.frame, &w->narrow, PLACES,
                                      some_method(w), &options};
    tacit_run run;
    tacit_error err = {0};
    tacit_rowwise *rowwise = NULL, *wide = NULL;
    tacit_run_init(&run);
    tacit_status status = tacit_previous_generalize(&rowwise, &task, &run, &err);
    assert_true(status == TACIT_OK || status == TACIT_INFEASIBLE);
    if (status != TACIT_OK)
        return false;
    check_generalizes(w, rowwise, options.drop_suppressed);
    assert_int_equal(tacit_rowwise_with(&wide, rowwise, BACK, COLUMNS, &err), TACIT_OK);
    assert_int_equal(exposed(w, wide, options.drop_suppressed), 0);
    assert_true(withstands(w, wide, options.drop_suppressed));
    tacit_rowwise_free(rowwise);
    tacit_rowwise_free(wide);
    return true;
}

/* The quasi-identifier by a method, the other column suppressed: always enough. */
static bool try_hidden(world *w)
{
    static const int32_t BACK[] = {0, 1, -1};
    tacit_records_options options;
    tacit_error err = {0};
    tacit_rowwise *rowwise = NULL, *wide = NULL;
    if (!make_release(&rowwise, w, &w->data, &w->narrow, &options))
        return false;
    assert_int_equal(tacit_rowwise_with(&wide, rowwise, BACK, COLUMNS, &err), TACIT_OK);
    for (int r = 0; r < w->data_count; r++)
        wide->levels[r * COLUMNS + 2] = 1;
    assert_int_equal(exposed(w, wide, options.drop_suppressed), 0);
    assert_true(withstands(w, wide, options.drop_suppressed));
    tacit_rowwise_free(rowwise);
    tacit_rowwise_free(wide);
    return true;
}

/* Any release: all columns by a method, or levels as they fall. */
static void try_any(world *w, int *stood, int *broken)
{
    tacit_records_options options = {0};
    tacit_rowwise *rowwise = NULL;
    if (!make_release(&rowwise, w, &w->data, &w->data.frame, &options))
        return;
    if (next_number(&w->random, 2))
        for (int i = 0; i < w->data_count * COLUMNS; i++)
            rowwise->levels[i] = i % COLUMNS == 2 ? (uint8_t)next_number(&w->random, 2)
                                                  : (uint8_t)next_number(&w->random, 3);
    bool drop = options.drop_suppressed, safe = withstands(w, rowwise, drop);
    if (exposed(w, rowwise, drop) == 0) {
        assert_true(safe);
        ++*stood;
    }
    *broken += !safe;
    tacit_rowwise_free(rowwise);
}

static void test_against_every_way(void **state)
{
    static world w;
    uint64_t *seed = *state;
    int generalized = 0, hidden = 0, stood = 0, broken = 0;
    for (*seed = 1; *seed <= many_cases(INSTANCES); ++*seed) {
        if (open_world(&w, *seed)) {
            check_matching(&w);
            generalized += try_generalize(&w);
            hidden += try_hidden(&w);
            try_any(&w, &stood, &broken);
        }
        close_world(&w);
    }
    if (getenv("TACIT_LONG"))
        print_message("%d generalized, %d hidden, %d stood, %d broken\n", generalized, hidden,
                      stood, broken);
    assert_true(generalized > 100 && hidden > 100 && stood > 20 && broken > 20);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_against_every_way, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
