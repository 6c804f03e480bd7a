/*
 * test_mingen_random.c - mingen against the enumeration of the whole lattice, on
 * thousands of random tables: every metric, with and without suppression, with
 * people who have several rows, several quasi-identifiers, missing values, least levels
 * and promises beyond k. The best node, its cost, what is proven, and the k-minimal generalizations
 * must be those of every_node.h.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "every_node.h"
#include "random_cases.h"

enum { CASES = 1500, MODELS = 3 };

typedef struct world {
    fixture f, people;     /* the table and a register */
    tacit_hierarchy *tree; /* of the sensitive column s */
    tacit_model models[MODELS];
    uint64_t sets[3];
    tacit_records_options options;
    uint64_t seed;
} world;

static uint32_t draw(world *w, uint32_t bound)
{
    return next_number(&w->seed, bound);
}

/* A hierarchy file for values 00 to 29, with branches that differ. */
static void draw_file(world *w, char *text)
{
    uint32_t wide = 1 + draw(w, 7), wider = 1 + draw(w, 4), levels = 1 + draw(w, 3);
    for (uint32_t v = 0; v < 30; v++) {
        uint32_t first = v / wide * (v % 2 && wide > 3 ? 2 : 1);
        text += sprintf(text, "%02u", v);
        if (levels > 1)
            text += sprintf(text, ";a%u", first);
        if (levels > 2)
            text += sprintf(text, ";b%u", first / wider);
        text += sprintf(text, ";*\n");
    }
}

/* Rows with columns a to d, person p and sensitive s. The first has no gaps, so that
 * masks are as long in every table. */
static char *draw_rows(world *w, char *text, const uint32_t *values, int rows)
{
    uint32_t missing = draw(w, 3), people = 1 + draw(w, 30), secrets = 1 + draw(w, 5);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 4; c++)
            text += r > 0 && draw(w, 10) < missing ? sprintf(text, ",")
                                                   : sprintf(text, "%02u,", draw(w, values[c]));
        text += sprintf(text, "%u,", draw(w, people));
        text += sprintf(text, "%u%u\n", draw(w, secrets) % 3, draw(w, secrets));
    }
    return text;
}

static void draw_tables(world *w)
{
    char text[1 << 14], *end = text + sprintf(text, "a,b,c,d,p,s\n"), *rows = end;
    uint32_t values[4];
    for (int c = 0; c < 4; c++)
        values[c] = 1 + draw(w, draw(w, 2) ? 4 : 30);
    end = draw_rows(w, end, values, 1 + (int)draw(w, EVERY_ROWS - 4));
    fixture_open(&w->f, text);
    if (draw(w, 3) == 0) /* otherwise the register holds the table's people, too */
        end = rows;
    draw_rows(w, end, values, 1 + (int)draw(w, 60));
    fixture_open(&w->people, text);
}

/* ---- promises beyond k ---- */

static bool has_numbers(const world *w)
{
    double number;
    uint32_t code = 0, codes = tacit_table_distinct(w->f.table, 5);
    while (code < codes && !naive_number(&number, &w->f, 5, code))
        code++;
    return code < codes;
}

static void draw_model(world *w, tacit_model *m)
{
    double share = (1 + draw(w, 20)) / 20.0;
    *m = (tacit_model){.bound = {.kind = (tacit_model_kind)draw(w, TACIT_MODELS), .bound = share},
                       .column = 5};
    switch (m->bound.kind) {
    case TACIT_MODEL_DISTINCT: m->bound.bound = 1 + draw(w, 3); break;
    case TACIT_MODEL_ENTROPY: m->bound.bound = 1 + draw(w, 6) / 4.0; break;
    case TACIT_MODEL_RECURSIVE:
        m->bound.bound = 2 + draw(w, 2);
        m->bound.second = (2 + draw(w, 12)) / 4.0;
        break;
    case TACIT_MODEL_CLOSENESS_TREE: m->hierarchy = w->tree; break;
    case TACIT_MODEL_CLOSENESS_ORDER:
        if (!has_numbers(w))
            m->bound.kind = TACIT_MODEL_CLOSENESS;
        break;
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED:
    case TACIT_MODEL_DISCLOSURE: m->bound.bound = share * 4; break;
    case TACIT_MODEL_RANGE: m->bound.bound = 1 + draw(w, 12); break;
    case TACIT_MODEL_PRESENCE:
        m->column = -1;
        m->bound.second = draw(w, 2) ? 0 : share * draw(w, 11) / 10;
        break;
    case TACIT_MODEL_MAP:
        m->column = -1;
        m->bound.bound = 1 + draw(w, 12);
        break;
    case TACIT_MODEL_MAP_ESTIMATED: m->bound.bound = 1 + draw(w, 40); break;
    default: break;
    }
}

static void draw_models(world *w)
{
    static const tacit_hierarchy_spec MASK = {.kind = TACIT_HIERARCHY_MASK};
    assert_int_equal(tacit_hierarchy_new(&w->tree, &MASK, w->f.table, 5, NULL), TACIT_OK);
    if (draw(w, 2))
        return;
    add_population(&w->f, &w->people);
    w->f.frame.models = w->models;
    w->f.frame.model_count = 1 + (int32_t)draw(w, MODELS);
    for (int i = 0; i < MODELS; i++)
        draw_model(w, &w->models[i]);
}

/* ---- the frame ---- */

static void draw_frame(world *w)
{
    static const char *const NAMES[] = {"a", "b", "c", "d"};
    int attributes = 1 + (int)draw(w, 4);
    for (int a = 0; a < attributes; a++) {
        uint32_t kind = draw(w, 3);
        char text[2048];
        draw_file(w, text);
        for (int i = 0; i < 2; i++)
            (kind == 0   ? fixture_none(i ? &w->people : &w->f, NAMES[a])
             : kind == 1 ? fixture_mask(i ? &w->people : &w->f, NAMES[a])
                         : fixture_file(i ? &w->people : &w->f, NAMES[a], text));
        int height = tacit_hierarchy_height(w->f.hierarchies[a]);
        w->f.attributes[a].weight = draw(w, 3);
        if (draw(w, 6) == 0)
            w->f.attributes[a].least_level = (int)draw(w, (uint32_t)height + 1);
    }
    w->f.frame.person = draw(w, 3) ? -1 : 4;
    if (draw(w, 3) == 0) {
        w->f.frame.set_count = 1 + (int32_t)draw(w, 3);
        w->f.frame.sets = w->sets;
        for (int s = 0; s < 3; s++)
            w->sets[s] = 1 + draw(w, (1u << attributes) - 1);
    }
}

/* Bounds on the whole release: of the average, of unique people, or both. */
static void draw_risks(world *w)
{
    uint32_t kind = draw(w, 6);
    if (kind < 3)
        return;
    if (kind != 4)
        w->f.frame.risks.average = (1 + draw(w, 30)) / 40.0;
    if (kind == 3)
        return;
    w->f.frame.risks.model = (tacit_uniqueness_model)(1 + draw(w, TACIT_UNIQUENESS_MODELS - 1));
    w->f.frame.risks.unique = draw(w, 30) / 60.0;
    w->f.frame.risks.fraction = (1 + draw(w, 20)) / 20.0;
}

static void world_open(world *w, uint64_t seed)
{
    *w = (world){.seed = seed * UINT64_C(0x9E3779B97F4A7C15)};
    draw_tables(w);
    draw_frame(w);
    draw_models(w);
    draw_risks(w);
    int64_t rows = tacit_table_rows(w->f.table);
    w->options = (tacit_records_options){
        .k = 1 + draw(w, draw(w, 2) ? 3 : 7),
        .max_suppressed = draw(w, 3) ? draw(w, (uint32_t)rows + 2) : 0,
        .most_general = draw(w, 40) == 0,
        .complement_largest = draw(w, 2),
        .drop_suppressed = draw(w, 3) == 0,
    };
}

static void world_close(world *w)
{
    tacit_population_free(w->f.frame.population);
    tacit_hierarchy_free(w->tree);
    fixture_close(&w->people);
    fixture_close(&w->f);
}

/* ---- the answers ---- */

static bool has_parts(const tacit_solution *solution)
{
    bool parts = false;
    for (int64_t c = 0; c < tacit_classes_count(solution->classes); c++)
        parts |= solution->suppressed[c] > 0 &&
                 solution->suppressed[c] < tacit_classes_people(solution->classes, c);
    return parts;
}

/* A solution is worth the same before it is applied, but for what only the rows of the people drawn
 * tell. */
static void check_unapplied(const tacit_metrics *applied, const tacit_solution *solution,
                            const world *w, const tacit_records_options *options,
                            const tacit_run *run)
{
    tacit_metrics bare;
    assert_int_equal(tacit_metrics_of(&bare, solution, NULL, &w->f.frame, options, run, NULL),
                     TACIT_OK);
    if (w->f.frame.person < 0)
        assert_memory_equal(&bare, applied, sizeof bare);
    else if (!has_parts(solution))
        assert_true(bare.precision == applied->precision && bare.classes == applied->classes &&
                    bare.suppressed_rows == applied->suppressed_rows &&
                    bare.suppressed_people >= applied->suppressed_people);
    else
        assert_true(bare.suppressed_rows >= solution->suppressed_rows);
}

static double cost_of(const tacit_solution *solution, const world *w,
                      const tacit_records_options *options, const tacit_run *run)
{
    tacit_application *application = NULL;
    tacit_metrics metrics;
    tacit_apply_options apply = {.drop_suppressed = options->drop_suppressed};
    assert_int_equal(tacit_solution_apply(&application, solution, &w->f.frame, &apply, run, NULL),
                     TACIT_OK);
    assert_int_equal(
        tacit_metrics_of(&metrics, solution, application, &w->f.frame, options, run, NULL),
        TACIT_OK);
    check_unapplied(&metrics, solution, w, options, run);
    tacit_application_free(application);
    return tacit_metrics_cost(&metrics, options->metric);
}

/* Where rows are drawn, costs are only known to be no more than those of the node. */
static bool any_drawn(const every *e)
{
    bool drawn = false;
    for (int i = 0; i < e->count; i++)
        drawn |= e->nodes[i].feasible && e->nodes[i].drawn;
    return drawn;
}

static void check_best(const tacit_solution *solution, const every *e, const world *w,
                       const tacit_records_options *options, const tacit_run *run)
{
    const every_node *best = every_best(e, options->metric, options->prefer);
    double wanted = best->costs[options->metric], cost = cost_of(solution, w, options, run);
    double slack = 1e-9 * (1 + wanted);
    assert_memory_equal(solution->levels, best->levels,
                        (size_t)e->attributes * sizeof *solution->levels);
    assert_true(cost <= wanted + slack);
    assert_true(solution->search.lower_bound <= cost + slack);
    assert_false(solution->search.stopped);
    if (best->drawn)
        return;
    assert_float_equal(cost, wanted, slack);
    assert_int_equal(solution->suppressed_rows, best->suppressed);
    if (any_drawn(e))
        return;
    assert_true(solution->search.proven);
    assert_float_equal(solution->search.lower_bound, cost, slack);
}

static void check_minimal(const tacit_search *search, const every *e, tacit_metric metric)
{
    int64_t at = 0;
    for (int i = 0; i < e->count; i++) {
        const every_node *n = &e->nodes[i];
        if (!every_is_minimal(e, n))
            continue;
        assert_true(at < search->minimal_count);
        assert_memory_equal(search->minimal + at * e->attributes, n->levels,
                            (size_t)e->attributes * sizeof *n->levels);
        assert_float_equal(search->minimal_costs[at], n->costs[metric],
                           1e-9 * (1 + n->costs[metric]));
        at++;
    }
    assert_int_equal(search->minimal_count, at);
}

static void check_metric(const world *w, const every *e, tacit_metric metric, uint64_t seed)
{
    tacit_solution *solution = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_records_options options = w->options;
    options.metric = metric;
    options.prefer = (tacit_preference)(seed % 3);
    options.all_minimal = seed % 4 == 0;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = seed % 16 ? 1 : 3;
    tacit_status status =
        tacit_method_find("mingen")->solve(&solution, &w->f.frame, &options, &run, &err);
    if (!every_best(e, metric, options.prefer)) {
        assert_int_equal(status, TACIT_INFEASIBLE);
        return;
    }
    if (status != TACIT_OK)
        fail_msg("%s: %s", tacit_metric_name(metric), err.message);
    check_best(solution, e, w, &options, &run);
    if (options.all_minimal)
        check_minimal(&solution->search, e, metric);
    tacit_solution_free(solution);
}

static void check_case(uint64_t seed)
{
    world w;
    every *e = malloc(sizeof *e);
    world_open(&w, seed);
    every_begin(e, &w.f, &w.people, &w.options);
    if (every_size(every_people(e, (UINT64_C(1) << e->rows) - 1)) >= w.options.k) {
        every_walk(e);
        for (tacit_metric metric = 0; metric < tacit_metric_count(); metric++)
            check_metric(&w, e, metric, seed + metric);
    }
    world_close(&w);
    free(e);
}

static void test_every_node(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed)
        check_case(*seed);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_every_node, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
