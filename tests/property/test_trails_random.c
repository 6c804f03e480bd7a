/*
 * test_trails_random.c - trails kept on thousands of small random tables, against the definition:
 * what the rows of a person say together is what at least k people's say, by comparing every two
 * of them row by row; and nothing is suppressed where that was so before, nor refused where
 * suppressing everybody's rows would do.
 */
#include "records.h"

#include <tacit/experimental/trails.h>

#include "random_cases.h"

enum { MAX_ROWS = 16, MAX_PEOPLE = 6, CASES = 3000 };

typedef struct world {
    fixture f;
    tacit_rowwise *release;
    tacit_records_options options;
    int rows;
    uint32_t missing; /* the person of rows that have none */
} world;

static void open_world(world *w, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15);
    char csv[1024], *at = csv + sprintf(csv, "p,a,b\n");
    w->rows = 1 + (int)next_number(&state, MAX_ROWS);
    uint32_t people = 1 + next_number(&state, MAX_PEOPLE), values = 1 + next_number(&state, 3);
    for (int i = 0; i < w->rows; i++) {
        uint32_t person = next_number(&state, people);
        bool none = next_number(&state, 25) == 0;
        at += none ? sprintf(at, ",") : sprintf(at, "p%u,", person);
        at += sprintf(at, "%u%u,%c\n", next_number(&state, values), next_number(&state, 2),
                      "xy"[next_number(&state, 2)]);
    }
    fixture_open(&w->f, csv);
    fixture_mask(&w->f, "a");
    fixture_none(&w->f, "b");
    w->f.frame.person = tacit_table_find(w->f.table, tacit_strview_of("p"));
    w->missing = tacit_table_distinct(w->f.table, w->f.frame.person);
    w->options = (tacit_records_options){.k = 1 + next_number(&state, 4),
                                         .max_suppressed = w->rows,
                                         .drop_suppressed = next_number(&state, 2)};
    int levels[] = {(int)next_number(&state, 2), (int)next_number(&state, 2)};
    tacit_solution solution = {.attribute_count = 2, .levels = levels};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_new(&solution.classes, &w->f.frame, levels, &run, NULL),
                     TACIT_OK);
    int64_t *none = calloc((size_t)tacit_classes_count(solution.classes) + 1, sizeof *none);
    solution.suppressed = none;
    assert_int_equal(tacit_rowwise_of(&w->release, &solution, &w->f.frame, &run, NULL), TACIT_OK);
    tacit_classes_free(solution.classes);
    free(none);
}

static void close_world(world *w)
{
    tacit_rowwise_free(w->release);
    fixture_close(&w->f);
}

static bool suppressed(const world *w, int row)
{
    return w->release->suppressed[row / 64] >> (row % 64) & 1;
}

/* Whether a row is in the release at all. */
static bool shown(const world *w, int row)
{
    return !w->options.drop_suppressed || !suppressed(w, row);
}

static bool same_row(const world *w, int i, int j)
{
    if (suppressed(w, i) || suppressed(w, j))
        return suppressed(w, i) == suppressed(w, j);
    for (int32_t a = 0; a < 2; a++) {
        int one = w->release->levels[2 * i + a], other = w->release->levels[2 * j + a];
        if (one != other || value_on(&w->f, i, a, one) != value_on(&w->f, j, a, other))
            return false;
    }
    return true;
}

static bool linked(const world *w, int i, int j)
{
    uint32_t one = person_of(&w->f, i);
    return i == j || (one != w->missing && one == person_of(&w->f, j));
}

static int occurrences(const world *w, int of, int said)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++)
        count += shown(w, i) && linked(w, of, i) && same_row(w, i, said);
    return count;
}

static bool same_trail(const world *w, int i, int j)
{
    for (int r = 0; r < w->rows; r++)
        if (shown(w, r) && occurrences(w, i, r) != occurrences(w, j, r))
            return false;
    return true;
}

/* People, known ones, among marked rows. */
static int people(const world *w, const bool *marked)
{
    bool seen[MAX_PEOPLE + 1] = {false};
    int count = 0;
    for (int i = 0; i < w->rows; i++) {
        uint32_t person = person_of(&w->f, i);
        count += marked[i] && person != w->missing && !seen[person];
        seen[person] |= marked[i];
    }
    return count;
}

static bool keeps(const world *w)
{
    bool left_out[MAX_ROWS], any = false;
    for (int i = 0; i < w->rows; i++) {
        bool same[MAX_ROWS];
        left_out[i] = !shown(w, i);
        any |= left_out[i];
        for (int j = 0; j < w->rows; j++)
            same[j] = shown(w, j) && same_trail(w, i, j);
        if (shown(w, i) && people(w, same) < w->options.k)
            return false;
    }
    return !any || people(w, left_out) >= w->options.k;
}

/* Whether suppressing everything keeps k: by the number of rows, where that is seen. */
static bool possible(const world *w)
{
    bool all[MAX_ROWS];
    for (int i = 0; i < w->rows; i++) {
        int mine = 0;
        for (int j = 0; j < w->rows; j++)
            mine += linked(w, i, j);
        for (int j = 0; j < w->rows; j++) {
            int theirs = 0;
            for (int h = 0; h < w->rows; h++)
                theirs += linked(w, j, h);
            all[j] = w->options.drop_suppressed || mine == theirs;
        }
        if (people(w, all) < w->options.k)
            return false;
    }
    return true;
}

static int count_suppressed(const world *w)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++)
        count += suppressed(w, i);
    return count;
}

/* People of every box, counted from the rows. */
static void check_people(world *w)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_solution *solution = NULL;
    tacit_metrics metrics;
    const tacit_apply_options how = {.keep_order = true,
                                     .drop_suppressed = w->options.drop_suppressed};
    tacit_application *application = NULL;
    assert_int_equal(
        tacit_rowwise_release(&solution, &application, w->release, &w->f.frame, &how, &run, NULL),
        TACIT_OK);
    assert_int_equal(
        tacit_metrics_of(&metrics, solution, application, &w->f.frame, &w->options, &run, NULL),
        TACIT_OK);
    int64_t smallest = 0;
    for (int i = 0; i < w->rows; i++) {
        int64_t count = 0;
        for (int j = 0; j < w->rows; j++) {
            bool first = shown(w, j) && same_row(w, i, j);
            for (int h = 0; h < j; h++)
                first &= !(shown(w, h) && same_row(w, i, h) &&
                           person_of(&w->f, h) == person_of(&w->f, j));
            count += first;
        }
        if (shown(w, i) && (smallest == 0 || count < smallest))
            smallest = count;
    }
    assert_int_equal(metrics.suppressed_rows, count_suppressed(w));
    assert_int_equal(metrics.smallest_class, smallest);
    tacit_application_free(application);
    tacit_solution_free(solution);
}

static void check(world *w)
{
    int64_t rows = -1;
    bool kept = keeps(w);
    tacit_error err = {0};
    tacit_status status = tacit_trails_keep(w->release, &rows, &w->f.frame, &w->options, &err);
    if (status == TACIT_INFEASIBLE) {
        assert_false(possible(w));
        return;
    }
    assert_int_equal(status, TACIT_OK);
    assert_true(keeps(w));
    assert_int_equal(rows, count_suppressed(w));
    assert_true(!kept || rows == 0);
    check_people(w);
}

static void test_kept(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w = {0};
        open_world(&w, *seed);
        check(&w);
        close_world(&w);
    }
    *seed = 0;
}

/* More than may be suppressed is refused, with how many it would have been. */
static void test_too_many(void **state)
{
    (void)state;
    fixture f;
    tacit_run run;
    tacit_run_init(&run);
    fixture_open(&f, "p,a\n1,x\n1,y\n2,x\n2,z\n3,y\n3,z\n");
    fixture_none(&f, "a");
    f.frame.person = 0;
    for (int64_t most = 0; most <= 6; most++) {
        tacit_rowwise *release = NULL;
        tacit_solution *solution = NULL;
        tacit_error err = {0};
        int64_t rows = 0;
        const tacit_records_options options = {.k = 2, .max_suppressed = most};
        assert_int_equal(
            tacit_method_find("mingen")->solve(&solution, &f.frame, &options, &run, &err),
            TACIT_OK);
        assert_int_equal(tacit_rowwise_of(&release, solution, &f.frame, &run, &err), TACIT_OK);
        tacit_status status = tacit_trails_keep(release, &rows, &f.frame, &options, &err);
        assert_int_equal(status, rows > most ? TACIT_INFEASIBLE : TACIT_OK);
        assert_true(rows >= 3); /* x,y x,z y,z: at best two of them keep a row each */
        tacit_rowwise_free(release);
        tacit_solution_free(solution);
    }
    fixture_close(&f);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_kept, &seed),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
