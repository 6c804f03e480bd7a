/*
 * test_models_random.c - random tables, registers and models: what the library
 * says of every group of every node is what the definitions say, groups that
 * keep models keep them joined and raised, and threads change nothing.
 */
#include "models_random.h"

#include "random_cases.h"

#include "base/parallel.h"
#include "records/population/population.h"

enum { INSTANCES = 400 };

static bool naive_all(const instance *x, const rows_list *list, const int *levels)
{
    for (int32_t i = 0; i < x->data.frame.model_count; i++)
        if (!naive_keeps(&x->data, &x->people, list, levels, &x->models[i]))
            return false;
    return true;
}

/* Whether somebody is known to be absent, where a model forbids that. */
static bool naive_absent(const instance *x, const rows_list *first_rows, const int *levels)
{
    int64_t covered = 0;
    bool forbidden = false;
    for (int32_t i = 0; i < x->data.frame.model_count; i++)
        forbidden |=
            x->models[i].bound.kind == TACIT_MODEL_PRESENCE && x->models[i].bound.second > 0;
    for (int64_t g = 0; g < first_rows->count; g++)
        covered += naive_under(&x->people, &x->data, first_rows->rows[g], levels);
    return forbidden && covered < tacit_table_rows(x->people.table);
}

/* Every group of the node against the definitions. */
static void check_node(const node *n, const instance *x)
{
    static rows_list lists[NAIVE_ROWS / 16];
    rows_list firsts = {0};
    assert_true(n->groups <= NAIVE_ROWS / 16);
    for (int64_t g = 0; g < n->groups; g++)
        lists[g].count = 0;
    for (int64_t i = 0; i < tacit_table_rows(x->data.table); i++)
        lists[n->of_row[i]].rows[lists[n->of_row[i]].count++] = i;
    for (int64_t g = 0; g < n->groups; g++)
        firsts.rows[firsts.count++] = lists[g].rows[0];
    bool absent = naive_absent(x, &firsts, n->levels);
    for (int64_t g = 0; g < n->groups; g++)
        assert_int_equal(fails(n, g), absent || !naive_all(x, &lists[g], n->levels));
}

/* A chain of nodes upward: each as defined, and once all groups keep the models
 * they go on keeping them. */
static void check_chain(instance *x)
{
    static node n;
    int base_levels[ATTRIBUTES] = {0};
    if (next_number(&x->random, 2))
        raise_levels(base_levels, x, &x->random);
    tacit_classes *base = classes_on(&x->data, base_levels);
    tacit__models *models = models_on(&x->data, base, 3);
    bool kept = false;
    memcpy(n.levels, base_levels, sizeof base_levels);
    for (int step = 0; step < 4; step++) {
        group_rows(&n, x, base);
        fail_node(&n, models, step % 2 ? 3 : 1);
        check_node(&n, x);
        ask_some(&n, models, next_number(&x->random, 256), next_number(&x->random, 20));
        if (kept)
            assert_false(any_fails(&n));
        kept = !any_fails(&n);
        raise_levels(n.levels, x, &x->random);
    }
    tacit__models_free(models);
    tacit_classes_free(base);
}

/* The lowest box over some rows. */
static void box_of(uint8_t *levels, uint32_t *numbers, int *wide, const fixture *f,
                   const rows_list *list)
{
    for (int32_t a = 0; a < ATTRIBUTES; a++)
        for (levels[a] = 0;; levels[a]++) {
            int64_t i = 0;
            numbers[a] = value_on(f, list->rows[0], a, levels[a]);
            while (i < list->count && value_on(f, list->rows[i], a, levels[a]) == numbers[a])
                i++;
            wide[a] = levels[a];
            if (i == list->count)
                break;
        }
}

static bool holds_in(const tacit__models *models, tacit__models_scratch *scratch, const instance *x,
                     const uint32_t *members, int64_t count, const uint32_t *class_of)
{
    rows_list list = {0};
    uint8_t levels[ATTRIBUTES];
    uint32_t numbers[ATTRIBUTES];
    int wide[ATTRIBUTES];
    bool holds;
    for (int64_t i = 0; i < tacit_table_rows(x->data.table); i++)
        for (int64_t m = 0; m < count; m++)
            if (class_of[i] == members[m])
                list.rows[list.count++] = i;
    box_of(levels, numbers, wide, &x->data, &list);
    assert_int_equal(
        tacit__models_hold_in(&holds, models, scratch, members, count, levels, numbers, NULL),
        TACIT_OK);
    assert_int_equal(holds, naive_all(x, &list, wide));
    return holds;
}

/* Random groups as boxes, and what happens when two are joined. */
static void check_boxes(instance *x)
{
    static const int ground[ATTRIBUTES] = {0};
    static uint32_t class_of[NAIVE_ROWS];
    tacit_classes *base = classes_on(&x->data, ground);
    tacit__models *models = models_on(&x->data, base, 1);
    tacit__models_scratch *scratch = NULL;
    assert_int_equal(tacit__models_scratch_new(&scratch, models, NULL), TACIT_OK);
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_assign(base, &x->data.frame, class_of, &run, NULL), TACIT_OK);
    bool sensitive = true; /* only */
    for (int32_t i = 0; i < x->data.frame.model_count; i++)
        sensitive &= x->models[i].column >= 0;
    for (int trial = 0; trial < 10; trial++) {
        uint32_t members[128], classes = (uint32_t)tacit_classes_count(base), first = 0, count = 0;
        for (uint32_t c = 0; c < classes; c++)
            if (next_number(&x->random, 4) == 0)
                members[count++] = c;
        first = count / 2;
        if (!first)
            continue;
        bool left = holds_in(models, scratch, x, members, first, class_of);
        bool right = holds_in(models, scratch, x, members + first, count - first, class_of);
        bool both = holds_in(models, scratch, x, members, count, class_of);
        if (sensitive && left && right)
            assert_true(both);
    }
    tacit__models_scratch_free(scratch);
    tacit__models_free(models);
    tacit_classes_free(base);
}

static void test_nodes(void **state)
{
    (void)state;
    for (int i = 0; i < (int)many_cases(INSTANCES); i++) {
        instance x;
        open_instance(&x, (uint64_t)i);
        check_chain(&x);
        close_instance(&x);
    }
}

static void test_boxes(void **state)
{
    (void)state;
    for (int i = 0; i < (int)many_cases(INSTANCES); i++) {
        instance x;
        open_instance(&x, 1000000 + (uint64_t)i);
        check_boxes(&x);
        close_instance(&x);
    }
}

/* People under a box, asked for by itself or among those on its levels. */
static int64_t count_under(tacit_population *population, const uint8_t *levels,
                           const uint32_t *numbers, bool together)
{
    const tacit__population_people *people;
    int64_t found = -1;
    tacit_run run;
    tacit_run_init(&run);
    if (!together) {
        assert_int_equal(tacit__population_under(&found, population, levels, numbers, &run, NULL),
                         TACIT_OK);
        return found;
    }
    assert_int_equal(tacit__population_open(&people, population, levels, &run, NULL), TACIT_OK);
    found = tacit__people_under(people, numbers);
    tacit__population_close(population);
    return found;
}

/* A register of some hundreds of classes, asked often enough on the same levels
 * that these are counted. */
static void test_hot(void **state)
{
    (void)state;
    fixture f, people;
    uint64_t random = 3;
    instance x;
    describe_hierarchies(&x, true);
    open_attributes(&f, write_rows(&random, 500, 60), &x);
    open_attributes(&people, write_rows(&random, 3000, 60), &x);
    unlink(x.group_file);
    unlink(x.tree_file);
    add_population(&f, &people);
    for (int trial = 0; trial < 1500; trial++) {
        uint8_t levels[ATTRIBUTES];
        int wide[ATTRIBUTES];
        uint32_t numbers[ATTRIBUTES];
        int64_t row = next_number(&random, 500);
        for (int32_t a = 0; a < ATTRIBUTES; a++) {
            wide[a] = (int)next_number(&random, 3);
            levels[a] = (uint8_t)wide[a];
            numbers[a] = value_on(&f, row, a, wide[a]);
        }
        assert_int_equal(count_under(f.frame.population, levels, numbers, false),
                         naive_under(&people, &f, row, wide));
    }
    tacit_population_free(f.frame.population);
    fixture_close(&people);
    fixture_close(&f);
}

/* Attributes by the dozen. */
enum { WIDE = 30, WIDE_ROWS = 40 };

/* Rows that differ in a few columns; the first half is the same for every seed. */
static void open_wide(fixture *f, uint64_t seed)
{
    char text[WIDE_ROWS * WIDE * 4 + 512] = "";
    size_t at = 0;
    uint64_t random = 0;
    for (int a = 0; a < WIDE; a++)
        at += (size_t)sprintf(text + at, "c%d%c", a, a + 1 < WIDE ? ',' : '\n');
    for (int i = 0; i < WIDE_ROWS; i++) {
        if (i == WIDE_ROWS / 2)
            random = seed;
        for (int a = 0; a < WIDE; a++) {
            unsigned value = next_number(&random, 5) ? 100 : 100 + next_number(&random, 20);
            at += (size_t)sprintf(text + at, "%u%c", value, a + 1 < WIDE ? ',' : '\n');
        }
    }
    fixture_open(f, text);
    for (int a = 0; a < WIDE; a++) {
        char name[16];
        sprintf(name, "c%d", a);
        fixture_mask(f, name);
    }
}

static int draw_wide_level(uint64_t *random, int trial)
{
    if (trial % 3 == 0)
        return next_number(random, 20) == 0; /* keys of several stages */
    return next_number(random, 4) ? 3 : (int)next_number(random, 4);
}

/* Keys of several stages, and more combinations of levels than are kept. */
static void test_wide(void **state)
{
    (void)state;
    fixture f, people;
    uint64_t random = 7;
    open_wide(&f, 1);
    open_wide(&people, 2);
    add_population(&f, &people);
    for (int trial = 0; trial < 6000; trial++) {
        uint8_t levels[WIDE];
        int wide[WIDE];
        uint32_t numbers[WIDE];
        int64_t row = next_number(&random, WIDE_ROWS), found;
        for (int32_t a = 0; a < WIDE; a++) {
            wide[a] = draw_wide_level(&random, trial);
            levels[a] = (uint8_t)wide[a];
            numbers[a] = value_on(&f, row, a, wide[a]);
        }
        found = count_under(f.frame.population, levels, numbers, trial % 2);
        assert_int_equal(found, naive_under(&people, &f, row, wide));
        if (row < WIDE_ROWS / 2)
            assert_true(found > 0);
    }
    tacit_population_free(f.frame.population);
    fixture_close(&people);
    fixture_close(&f);
}

/* Several threads asking one population and one set of models. */
typedef struct crowd {
    instance x;
    tacit__models *models;
    tacit__models_scratch *scratch[4];
    uint32_t class_of[NAIVE_ROWS];
    uint32_t classes;
} crowd;

static tacit_status ask(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    crowd *c = context;
    uint64_t random = (uint64_t)task;
    uint32_t members[128], count = 0;
    for (uint32_t i = 0; i < c->classes; i++)
        if (i == task % c->classes || next_number(&random, 5) == 0)
            members[count++] = i;
    holds_in(c->models, c->scratch[worker], &c->x, members, count, c->class_of);
    return TACIT_OK;
}

static void test_threads(void **state)
{
    (void)state;
    static const int ground[ATTRIBUTES] = {0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        static crowd c;
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 4;
        open_instance(&c.x, seed);
        tacit_classes *base = classes_on(&c.x.data, ground);
        c.models = models_on(&c.x.data, base, 4);
        c.classes = (uint32_t)tacit_classes_count(base);
        for (int i = 0; i < 4; i++)
            assert_int_equal(tacit__models_scratch_new(&c.scratch[i], c.models, NULL), TACIT_OK);
        assert_int_equal(tacit_classes_assign(base, &c.x.data.frame, c.class_of, &run, NULL),
                         TACIT_OK);
        assert_int_equal(tacit__parallel(&run, NULL, 200, ask, &c, NULL), TACIT_OK);
        for (int i = 0; i < 4; i++)
            tacit__models_scratch_free(c.scratch[i]);
        tacit__models_free(c.models);
        tacit_classes_free(base);
        close_instance(&c.x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_wide), cmocka_unit_test(test_hot),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
