/*
 * test_repeats_random.c - classes that were counted elsewhere: a table in which each combination
 * stands once, with the number of its rows, has the same solutions, worth the same, as the table of
 * all rows, by every method that only looks at classes; with people who have several rows, and
 * promises beyond k.
 */
#include "records.h"

#include "random_cases.h"

enum { CASES = 600, MAX_ROWS = 60, COLUMNS = 5 };

typedef struct world {
    uint64_t seed;
    int rows, combinations;
    uint32_t cells[MAX_ROWS][COLUMNS]; /* a, b, c, person, sensitive */
    int of[MAX_ROWS];                  /* a row each: its combination */
    uint32_t repeats[MAX_ROWS];        /* a combination each */
    fixture whole, counted;
    bool person, sensitive; /* are part of the combination */
    tacit_model model;
    tacit_records_options options;
} world;

static uint32_t draw(world *w, uint32_t bound)
{
    return next_number(&w->seed, bound);
}

static bool agree(const world *w, int a, int b)
{
    for (int c = 0; c < COLUMNS; c++)
        if ((c < 3 || (c == 3 && w->person) || (c == 4 && w->sensitive)) &&
            w->cells[a][c] != w->cells[b][c])
            return false;
    return true;
}

static char *print_row(char *at, const uint32_t *cells)
{
    for (int c = 0; c < COLUMNS; c++)
        at += cells[c] ? sprintf(at, "%s%02u", c ? "," : "", cells[c])
                       : sprintf(at, "%s", c ? "," : "\"\""); /* 0 is missing */
    return at + sprintf(at, "\n");
}

/* The rows, and each of their combinations where it comes first. */
static void draw_tables(world *w)
{
    char whole[MAX_ROWS * 24 + 32], counted[MAX_ROWS * 24 + 32];
    char *all = whole + sprintf(whole, "a,b,c,p,s\n"),
         *once = counted + sprintf(counted, "a,b,c,p,s\n");
    uint32_t values[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        values[c] = 1 + draw(w, draw(w, 2) ? 3 : 12);
    w->rows = 2 + (int)draw(w, MAX_ROWS - 2);
    for (int r = 0; r < w->rows; r++) {
        int first = 0;
        for (int c = 0; c < COLUMNS; c++)
            w->cells[r][c] = r > 0 && draw(w, 15) == 0 ? 0 : 1 + draw(w, values[c]);
        while (first < r && !agree(w, first, r))
            first++;
        w->of[r] = first < r ? w->of[first] : w->combinations++;
        w->repeats[w->of[r]]++;
        all = print_row(all, w->cells[r]);
        if (first == r)
            once = print_row(once, w->cells[r]);
    }
    fixture_open(&w->whole, whole);
    fixture_open(&w->counted, counted);
    w->counted.frame.repeats = w->repeats;
    w->counted.frame.repeated = w->rows;
}

static void draw_frame(world *w)
{
    static const char *const NAMES[] = {"a", "b", "c"};
    int attributes = 1 + (int)draw(w, 3);
    fixture *both[] = {&w->whole, &w->counted};
    uint32_t kinds = draw(w, 8);
    for (int i = 0; i < 2; i++) {
        tacit_frame *frame = &both[i]->frame;
        for (int a = 0; a < attributes; a++)
            (kinds >> a & 1 ? fixture_mask : fixture_none)(both[i], NAMES[a]);
        frame->person = w->person ? 3 : -1;
        frame->models = &w->model;
        frame->model_count = w->sensitive;
    }
    w->model = (tacit_model){
        .bound = {.kind = draw(w, 2) ? TACIT_MODEL_DISTINCT : TACIT_MODEL_CLOSENESS}, .column = 4};
    w->model.bound.bound = w->model.bound.kind == TACIT_MODEL_DISTINCT ? 2 : 0.4;
}

static void world_open(world *w, uint64_t seed)
{
    *w = (world){.seed = seed * UINT64_C(0x9E3779B97F4A7C15)};
    w->person = draw(w, 3) == 0;
    w->sensitive = draw(w, 3) == 0;
    draw_tables(w);
    draw_frame(w);
    w->options = (tacit_records_options){.k = 1 + draw(w, 5),
                                         .max_suppressed = draw(w, 2) ? draw(w, 20) : 0,
                                         .complement_largest = draw(w, 2),
                                         .drop_suppressed = draw(w, 2),
                                         .metric = (tacit_metric)draw(w, 3)};
}

static tacit_status solve(tacit_solution **out, tacit_metrics *metrics, const fixture *f,
                          const tacit_method *method, const tacit_records_options *options)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_status status = method->solve(out, &f->frame, options, &run, NULL);
    if (status == TACIT_OK)
        assert_int_equal(tacit_metrics_of(metrics, *out, NULL, &f->frame, options, &run, NULL),
                         TACIT_OK);
    return status;
}

static void same_suppression(const tacit_solution *a, const tacit_solution *b)
{
    assert_int_equal(tacit_classes_count(a->classes), tacit_classes_count(b->classes));
    for (int64_t c = 0; c < tacit_classes_count(a->classes); c++) {
        assert_int_equal(tacit_classes_size(a->classes, c), tacit_classes_size(b->classes, c));
        assert_int_equal(tacit_classes_people(a->classes, c), tacit_classes_people(b->classes, c));
        if (a->suppressed)
            assert_int_equal(a->suppressed[c], b->suppressed[c]);
    }
}

static void check_method(const world *w, const tacit_method *method)
{
    tacit_solution *whole = NULL, *counted = NULL;
    tacit_metrics of_whole, of_counted;
    tacit_records_options options = w->options;
    if (w->sensitive && !(method->features & TACIT_METHOD_MODELS))
        return;
    if (method->metrics && !(method->metrics >> options.metric & 1))
        options.metric = TACIT_METRIC_PREC;
    tacit_status status = solve(&whole, &of_whole, &w->whole, method, &options);
    assert_int_equal(solve(&counted, &of_counted, &w->counted, method, &options), status);
    if (status == TACIT_OK) {
        assert_memory_equal(whole->levels, counted->levels,
                            (size_t)whole->attribute_count * sizeof(int));
        assert_int_equal(whole->suppressed_rows, counted->suppressed_rows);
        assert_memory_equal(&of_whole, &of_counted, sizeof of_whole);
        same_suppression(whole, counted);
    }
    tacit_solution_free(whole);
    tacit_solution_free(counted);
}

static void same_solutions(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w;
        world_open(&w, *seed);
        for (const tacit_method *const *m = tacit_methods(); *m; m++)
            if ((*m)->features & TACIT_METHOD_COUNTS)
                check_method(&w, *m);
        fixture_close(&w.whole);
        fixture_close(&w.counted);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(same_solutions, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
