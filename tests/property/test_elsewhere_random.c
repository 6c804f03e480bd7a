/*
 * test_elsewhere_random.c - methods that ask for numbers of classes that are counted elsewhere,
 * against the same methods on the classes themselves: levels, suppressed rows and what the search
 * has proven must be the same, on random tables, by every metric.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_cases.h"
#include "records.h"

enum { CASES = 600, ROWS = 60, WIDTH = 4 };

typedef struct world {
    fixture f;
    tacit_frame here; /* with its rows */
    uint32_t *ground[WIDTH];
    tacit_elsewhere there;
    tacit_records_options options;
    int asked;
    uint64_t seed;
} world;

static uint32_t draw(world *w, uint32_t bound)
{
    return next_number(&w->seed, bound);
}

/* ---- who counts ---- */

static tacit_classes *classes_on(const world *w, const int *levels)
{
    tacit_run run;
    tacit_classes *classes = NULL;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_new(&classes, &w->here, levels, &run, NULL), TACIT_OK);
    return classes;
}

static tacit_status tally(void *context, tacit_tally *out, const int *levels, int64_t k,
                          tacit_error *err)
{
    world *w = context;
    tacit_classes *classes = classes_on(w, levels);
    (void)err;
    w->asked++;
    *out = (tacit_tally){.classes = tacit_classes_count(classes)};
    for (int64_t c = 0; c < out->classes; c++) {
        int64_t rows = tacit_classes_size(classes, c);
        bool under = rows < k;
        out->squares += (double)(rows * rows);
        out->below += under;
        out->below_rows += under ? rows : 0;
        out->below_squares += under ? (double)(rows * rows) : 0;
        out->widest = under && rows > out->widest ? rows : out->widest;
    }
    tacit_classes_free(classes);
    return TACIT_OK;
}

static tacit_status below(void *context, const int *levels, int64_t k, tacit_below_fn take,
                          void *payload, tacit_error *err)
{
    world *w = context;
    tacit_classes *classes = classes_on(w, levels);
    (void)err;
    for (int64_t c = 0; c < tacit_classes_count(classes); c++)
        for (int32_t a = 0; a < w->here.attribute_count && tacit_classes_size(classes, c) < k; a++)
            take(payload, a, tacit_classes_code(classes, c, a), tacit_classes_size(classes, c));
    tacit_classes_free(classes);
    return TACIT_OK;
}

/* Whether class a comes before class b, by size and then by its numbers. */
static bool before(const tacit_classes *classes, int64_t a, int64_t b, bool largest, int32_t width)
{
    int64_t x = tacit_classes_size(classes, a), y = tacit_classes_size(classes, b);
    if (x != y)
        return (x < y) != largest;
    for (int32_t i = 0; i < width; i++)
        if (tacit_classes_code(classes, a, i) != tacit_classes_code(classes, b, i))
            return tacit_classes_code(classes, a, i) < tacit_classes_code(classes, b, i);
    return false;
}

static tacit_status next(void *context, int64_t *rows, uint32_t *numbers, const int *levels,
                         int64_t k, bool largest, tacit_error *err)
{
    world *w = context;
    tacit_classes *classes = classes_on(w, levels);
    int64_t best = -1;
    (void)err;
    for (int64_t c = 0; c < tacit_classes_count(classes); c++)
        if (tacit_classes_size(classes, c) >= k &&
            (best < 0 || before(classes, c, best, largest, w->here.attribute_count)))
            best = c;
    assert_true(best >= 0);
    *rows = tacit_classes_size(classes, best);
    for (int32_t a = 0; a < w->here.attribute_count; a++)
        numbers[a] = tacit_classes_code(classes, best, a);
    tacit_classes_free(classes);
    return TACIT_OK;
}

/* ---- a world ---- */

static void draw_table(world *w)
{
    char text[1 << 12], *at = text + sprintf(text, "a,b,c,d\n");
    uint32_t values[WIDTH], missing = draw(w, 3);
    int rows = 1 + (int)draw(w, ROWS);
    for (int c = 0; c < WIDTH; c++)
        values[c] = 1 + draw(w, draw(w, 2) ? 4 : 30);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < WIDTH; c++) {
            if (r == 0 || draw(w, 10) >= missing)
                at += sprintf(at, "%02u", draw(w, values[c]));
            at += sprintf(at, c + 1 < WIDTH ? "," : "\n");
        }
    fixture_open(&w->f, text);
}

static void count_ground(world *w, int32_t a)
{
    int32_t column = w->f.attributes[a].column;
    w->ground[a] = calloc((size_t)tacit_table_distinct(w->f.table, column) + 1, sizeof(uint32_t));
    assert_non_null(w->ground[a]);
    for (int64_t r = 0; r < tacit_table_rows(w->f.table); r++)
        w->ground[a][tacit_codes_at(tacit_table_codes(w->f.table, column), r)]++;
}

static void world_open(world *w, uint64_t seed)
{
    static const char *const NAMES[WIDTH] = {"a", "b", "c", "d"};
    *w = (world){.seed = seed * UINT64_C(0x9E3779B97F4A7C15)};
    draw_table(w);
    int attributes = 1 + (int)draw(w, WIDTH);
    for (int a = 0; a < attributes; a++) {
        (draw(w, 3) ? fixture_mask : fixture_none)(&w->f, NAMES[a]);
        w->f.attributes[a].weight = draw(w, 3);
        w->f.attributes[a].link = draw(w, 3) / 2.0;
        count_ground(w, a);
    }
    w->here = w->f.frame;
    w->there = (tacit_elsewhere){.context = w,
                                 .ground = (const uint32_t *const *)w->ground,
                                 .tally = tally,
                                 .below = below,
                                 .next = next};
    w->f.frame.elsewhere = &w->there;
    w->f.frame.repeated = tacit_table_rows(w->f.table);
    w->options = (tacit_records_options){
        .k = 1 + draw(w, 6),
        .max_suppressed = draw(w, 3) ? draw(w, (uint32_t)w->f.frame.repeated + 2) : 0,
        .complement_largest = draw(w, 2),
        .drop_suppressed = draw(w, 3) == 0,
        .prefer = (tacit_preference)draw(w, 3),
    };
}

static void world_close(world *w)
{
    for (int a = 0; a < WIDTH; a++)
        free(w->ground[a]);
    fixture_close(&w->f);
}

/* ---- both ways ---- */

static void check_same(const tacit_solution *here, const tacit_solution *there)
{
    assert_null(there->classes);
    assert_int_equal(here->attribute_count, there->attribute_count);
    for (int32_t a = 0; a < here->attribute_count; a++)
        assert_int_equal(here->levels[a], there->levels[a]);
    assert_int_equal(here->suppressed_rows, there->suppressed_rows);
    assert_int_equal(here->complementary, there->complementary);
    assert_int_equal(here->step_count, there->step_count);
    assert_int_equal(here->search.proven, there->search.proven);
}

static void check_method(world *w, const char *name)
{
    tacit_run run;
    tacit_solution *here = NULL, *there = NULL;
    const tacit_method *method = tacit_method_find(name);
    tacit_run_init(&run);
    assert_true(method->features & TACIT_METHOD_ELSEWHERE);
    tacit_status a = method->solve(&here, &w->here, &w->options, &run, NULL);
    tacit_status b = method->solve(&there, &w->f.frame, &w->options, &run, NULL);
    assert_int_equal(a, b);
    if (a == TACIT_OK)
        check_same(here, there);
    tacit_solution_free(here);
    tacit_solution_free(there);
}

static void test_same(void **state)
{
    uint64_t *seed = *state;
    int asked = 0;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w;
        world_open(&w, *seed);
        w.options.metric = (tacit_metric)(*seed % tacit_metric_count());
        check_method(&w, "mingen");
        check_method(&w, "datafly");
        asked += w.asked;
        world_close(&w);
    }
    *seed = 0;
    assert_true(asked > 0);
}

/* What cannot be asked is refused. */
static void test_refused(void **state)
{
    world w;
    tacit_run run;
    tacit_solution *solution = NULL;
    (void)state;
    world_open(&w, 7);
    tacit_run_init(&run);
    w.options.k = 1;
    w.f.frame.person = w.f.attributes[0].column;
    assert_int_equal(
        tacit_method_find("mingen")->solve(&solution, &w.f.frame, &w.options, &run, NULL),
        TACIT_INVALID);
    assert_int_equal(
        tacit_method_find("datafly")->solve(&solution, &w.f.frame, &w.options, &run, NULL),
        TACIT_INVALID);
    world_close(&w);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_same, &seed),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
