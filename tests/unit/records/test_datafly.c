/*
 * test_datafly.c - the golden cases of Sweeney, Computational Disclosure
 * Control (Figures 27, 34 and 43), the parts of the system one by one, and
 * random tables against what k-anonymity and the algorithm's steps mean.
 */
#include "figures.h"

#include "base/bitset.h"

static void check_levels(const outcome *o, const int *levels)
{
    assert_memory_equal(o->solution->levels, levels,
                        (size_t)o->solution->attribute_count * sizeof *levels);
    assert_memory_equal(tacit_classes_levels(o->solution->classes), levels,
                        (size_t)o->solution->attribute_count * sizeof *levels);
}

static void test_methods(void **state)
{
    (void)state;
    assert_string_equal(tacit_method_find("datafly")->name, "datafly");
    assert_null(tacit_method_find("data"));
}

/* Core Datafly with k = 3 gives GT[1,1], more than was needed (6.3.4). */
static void test_figure_27(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_27(&f);
    for (int loss = 0; loss <= 3; loss += 3) {
        solve_figure(&o, &f, &(tacit_records_options){.k = 3, .max_suppressed = loss});
        check_levels(&o, (int[]){1, 1});
        assert_int_equal(o.solution->suppressed_rows, 0);
        assert_int_equal(o.metrics.smallest_class, 6);
        outcome_clear(&o);
    }
    solve_figure(&o, &f, &(tacit_records_options){.k = 2});
    check_levels(&o, (int[]){0, 1});
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_figure_43(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    solve_figure(&o, &f, &(tacit_records_options){.k = 2, .max_suppressed = 2});
    check_levels(&o, (int[]){0, 2, 0, 0});
    assert_int_equal(o.solution->suppressed_rows, 2);
    assert_int_equal(o.solution->complementary, 0);
    assert_int_equal(o.application->suppressed_rows, 2);
    assert_int_equal(o.application->suppressed[0], 1 << 6 | 1 << 7); /* t7 and t8 */
    assert_int_equal(o.solution->step_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(o.solution->steps[i].attribute, 1);
        assert_int_equal(o.solution->steps[i].distinct, 12);
    }
    assert_float_equal(o.metrics.precision, 0.750, 1e-12);
    assert_int_equal(o.metrics.suppressed_cells, 8);
    tacit_strview year = o.application->labels[1][0];
    assert_true(tacit_strview_equal(year, tacit_strview_of("1965")));
    assert_null(o.application->labels[0][0].bytes);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Where nothing may be suppressed (a loss below k is none): BirthDate to five
 * years (a tie with ZIP goes to the first), ZIP to four digits, Race to person. */
static void test_loss_below_k(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    for (int loss = 0; loss < 2; loss++) {
        solve_figure(&o, &f, &(tacit_records_options){.k = 2, .max_suppressed = loss});
        check_levels(&o, (int[]){1, 3, 0, 1});
        assert_int_equal(o.solution->suppressed_rows, 0);
        outcome_clear(&o);
    }
    solve_figure(&o, &f, &(tacit_records_options){.k = 2, .max_suppressed = 12});
    check_levels(&o, (int[]){0, 0, 0, 0});
    assert_int_equal(o.application->suppressed_rows, 12);
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_lattice(void **state)
{
    (void)state;
    const int figure_30[] = {1, 2}, with_suppression[] = {2, 3};
    int high[TACIT_MAX_ATTRIBUTES];
    assert_float_equal(tacit_lattice_size(figure_30, 2), 6, 0);
    assert_float_equal(tacit_lattice_strategies(figure_30, 2), 3, 0);
    assert_float_equal(tacit_lattice_size(with_suppression, 2), 12, 0);
    assert_float_equal(tacit_lattice_strategies(with_suppression, 2), 10, 0);
    assert_float_equal(tacit_lattice_strategies((int[]){2, 5, 2, 3}, 4), 166320, 0);
    assert_float_equal(tacit_lattice_size(NULL, 0), 1, 0);
    assert_float_equal(tacit_lattice_strategies(NULL, 0), 1, 0);
    /* 20! / 10!^2 */
    assert_float_equal(tacit_lattice_strategies((int[]){10, 10}, 2), 184756, 0);
    for (int i = 0; i < TACIT_MAX_ATTRIBUTES; i++)
        high[i] = TACIT_MAX_LEVELS;
    assert_true(tacit_lattice_strategies(high, TACIT_MAX_ATTRIBUTES) > 1e308);
}

/* One attribute without a hierarchy; values x, y, z as often as given. */
static void counts_fixture(fixture *f, int x, int y, int z)
{
    char text[256] = "a,b\n";
    for (int i = 0; i < x; i++)
        strcat(text, "x,1\n");
    for (int i = 0; i < y; i++)
        strcat(text, "y,1\n");
    for (int i = 0; i < z; i++)
        strcat(text, "z,1\n");
    fixture_open(f, text);
    fixture_none(f, "a");
}

typedef struct complement_case {
    int x, y, z;
    bool largest;
    int64_t most;
    int level;
    int64_t suppressed[3]; /* of x, y, z */
} complement_case;

static void test_complementary(void **state)
{
    (void)state;
    const complement_case cases[] = {
        {1, 4, 6, false, 5, 0, {1, 4, 0}}, /* y has not k + 2: all of it */
        {1, 4, 6, true, 5, 0, {1, 0, 2}},
        {1, 5, 6, false, 3, 0, {1, 2, 0}}, /* y keeps k without two */
        {1, 4, 6, false, 4, 1, {0, 0, 0}}, /* five rows are too many: generalize */
        {1, 4, 6, true, 3, 0, {1, 0, 2}},
        {1, 4, 6, true, 2, 1, {0, 0, 0}},  /* fewer than k may go: none */
        {2, 5, 5, false, 9, 0, {2, 1, 0}}, /* of equals the first */
        {2, 5, 5, true, 9, 0, {2, 1, 0}},
        {2, 1, 7, false, 3, 0, {2, 1, 0}}, /* three are gone: enough */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const complement_case *c = &cases[i];
        fixture f;
        outcome o;
        int64_t total = c->suppressed[0] + c->suppressed[1] + c->suppressed[2];
        counts_fixture(&f, c->x, c->y, c->z);
        solve_figure(&o, &f,
                     &(tacit_records_options){
                         .k = 3, .max_suppressed = c->most, .complement_largest = c->largest});
        assert_int_equal(o.solution->levels[0], c->level);
        for (int64_t v = 0; v < tacit_classes_count(o.solution->classes); v++)
            assert_int_equal(
                o.solution->suppressed[v],
                c->level ? 0 : c->suppressed[tacit_classes_code(o.solution->classes, v, 0)]);
        assert_int_equal(o.solution->suppressed_rows, total);
        assert_int_equal(o.application->suppressed_rows, total);
        assert_int_equal(tacit__bitset_count(o.application->suppressed, c->x + c->y + c->z), total);
        outcome_clear(&o);
        fixture_close(&f);
    }
}

/* Which rows of a class go is drawn: over many seeds each of six rows goes
 * equally often (a third of the time; 200 is more than seven deviations). */
static void test_part_is_drawn_evenly(void **state)
{
    (void)state;
    enum { SEEDS = 3000 };
    fixture f;
    int64_t gone[11] = {0};
    tacit_records_options options = {.k = 3, .max_suppressed = 5, .complement_largest = true};
    counts_fixture(&f, 1, 4, 6);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        outcome o;
        tacit_error err = {0};
        tacit_apply_options apply = {.keep_order = true};
        assert_int_equal(solve_with(&o, &f, &options, &apply, seed, 1, &err), TACIT_OK);
        for (int64_t r = 0; r < 11; r++)
            gone[r] += tacit__bit_get(o.application->suppressed, r);
        outcome_clear(&o);
    }
    assert_int_equal(gone[0], SEEDS);
    for (int r = 1; r < 5; r++)
        assert_int_equal(gone[r], 0);
    for (int r = 5; r < 11; r++)
        assert_in_range(gone[r], SEEDS / 3 - 200, SEEDS / 3 + 200);
    fixture_close(&f);
}

/* a has 3 values, b 4; which goes first depends on the links. */
static void test_links(void **state)
{
    (void)state;
    const struct {
        double a, b;
        int32_t first;
    } cases[] = {
        {1, 1, 1},       {1, 0.5, 0}, {0.5, 0, 0},
        {0, 0.1, 1},     {0, 0, 1},   {1, 0.75, 0}, /* 3 each: the larger link */
        {0.5, 0.375, 0},
    };
    fixture f;
    fixture_open(&f, "a,b\n1,1\n2,2\n3,3\n1,4\n2,1\n3,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome o;
        f.attributes[0].link = cases[i].a;
        f.attributes[1].link = cases[i].b;
        solve_figure(&o, &f, &(tacit_records_options){.k = 6});
        assert_int_equal(o.solution->step_count, 2);
        assert_int_equal(o.solution->steps[0].attribute, cases[i].first);
        assert_int_equal(o.solution->steps[0].distinct, cases[i].first ? 4 : 3);
        assert_int_equal(o.solution->steps[1].attribute, 1 - cases[i].first);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* Link 0 keeps an attribute as it is while others can still be generalized. */
static void test_link_zero_waits(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_27(&f);
    f.attributes[1].link = 0;
    solve_figure(&o, &f, &(tacit_records_options){.k = 3});
    check_levels(&o, (int[]){1, 0});
    outcome_clear(&o);
    solve_figure(&o, &f, &(tacit_records_options){.k = 6});
    check_levels(&o, (int[]){1, 1}); /* Person is one value: no use going on */
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_most_general(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    solve_figure(&o, &f, &(tacit_records_options){.k = 2, .most_general = true});
    check_levels(&o, (int[]){2, 5, 2, 3});
    assert_int_equal(o.solution->step_count, 12);
    assert_int_equal(tacit_classes_count(o.solution->classes), 1);
    assert_float_equal(o.metrics.precision, 0, 1e-12);
    assert_int_equal(o.metrics.suppressed_cells, 48);
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_k_one(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_34(&f);
    solve_figure(&o, &f, &(tacit_records_options){.k = 1});
    check_levels(&o, (int[]){0, 0, 0, 0});
    assert_int_equal(o.solution->step_count, 0);
    assert_int_equal(o.metrics.classes, 12);
    assert_float_equal(o.metrics.precision, 1, 0);
    outcome_clear(&o);
    fixture_close(&f);
}

static void refuse(const fixture *f, int64_t k, tacit_status status, const char *part)
{
    outcome o;
    tacit_error err = {0};
    tacit_records_options options = {.k = k, .max_suppressed = 100};
    assert_int_equal(solve_with(&o, f, &options, &(tacit_apply_options){0}, 1, 2, &err), status);
    assert_null(o.solution);
    assert_non_null(strstr(err.message, part));
}

static void test_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "a,p\n");
    fixture_none(&f, "a");
    refuse(&f, 2, TACIT_INFEASIBLE, "holds 0 people");
    fixture_close(&f);
    fixture_open(&f, "a,p\nx,1\nx,1\nx,1\n");
    fixture_none(&f, "a");
    refuse(&f, 4, TACIT_INFEASIBLE, "holds 3 people, fewer than k = 4");
    refuse(&f, 0, TACIT_INVALID, "at least 1");
    f.frame.person = 1;
    refuse(&f, 2, TACIT_INFEASIBLE, "holds 1 person,");
    f.frame.attribute_count = 0;
    refuse(&f, 1, TACIT_INVALID, "not 0");
    f.frame.attribute_count = 1;
    fixture_close(&f);
}

/* x has three rows of one person, y three people, z six. With k = 3 x goes, and
 * two people of z (the largest) with it; person 1 is gone already and does not
 * count again. */
static void test_people(void **state)
{
    (void)state;
    const int64_t expected[] = {1, 0, 2};
    fixture f;
    outcome o;
    fixture_open(&f, "a,p\nx,1\nx,1\nx,1\ny,2\ny,3\ny,4\n"
                     "z,1\nz,5\nz,6\nz,7\nz,8\nz,8\nz,9\n");
    fixture_none(&f, "a");
    f.frame.person = 1;
    solve_figure(&o, &f,
                 &(tacit_records_options){.k = 3, .max_suppressed = 6, .complement_largest = true});
    check_levels(&o, (int[]){0});
    for (int64_t c = 0; c < 3; c++)
        assert_int_equal(o.solution->suppressed[c],
                         expected[tacit_classes_code(o.solution->classes, c, 0)]);
    assert_int_equal(o.application->suppressed[0] & 0x7f, 7); /* x; not person 1 in z */
    assert_int_equal(o.metrics.smallest_class, 3);
    assert_int_equal(o.metrics.largest_class, 4);
    outcome_clear(&o);
    /* the two could be person 8 and another: three rows more */
    solve_figure(&o, &f,
                 &(tacit_records_options){.k = 3, .max_suppressed = 5, .complement_largest = true});
    check_levels(&o, (int[]){1});
    outcome_clear(&o);
    fixture_close(&f);
}

/* ---- random tables ---- */

/* People among the rows that agree with a row on a set and are not gone. */
static int64_t people_like(const fixture *f, int64_t row, uint64_t set, const int *levels,
                           const bool *gone)
{
    int64_t rows = tacit_table_rows(f->table), people = 0;
    for (int64_t i = 0; i < rows; i++) {
        bool counts = !gone[i] && same_on(f, row, i, set, levels);
        for (int64_t j = 0; counts && j < i; j++)
            counts =
                gone[j] || person_of(f, i) != person_of(f, j) || !same_on(f, row, j, set, levels);
        people += counts;
    }
    return people;
}

static uint64_t set_of(const fixture *f, int32_t s)
{
    return f->frame.sets ? f->frame.sets[s] : UINT64_MAX;
}

static int32_t set_count(const fixture *f)
{
    return f->frame.sets ? f->frame.set_count : 1;
}

/* Marks rows below k until nothing changes; returns their number. */
static int64_t mark_below(const fixture *f, const int *levels, int64_t k, bool *gone)
{
    int64_t rows = tacit_table_rows(f->table), total = 0;
    memset(gone, 0, (size_t)rows * sizeof *gone);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t s = 0; s < set_count(f); s++)
            for (int64_t r = 0; r < rows; r++)
                if (!gone[r] && people_like(f, r, set_of(f, s), levels, gone) < k) {
                    for (int64_t i = rows - 1; i >= 0; i--) /* the whole class */
                        if (!gone[i] && same_on(f, r, i, UINT64_MAX, levels)) {
                            gone[i] = true;
                            total++;
                        }
                    changed = true;
                }
    }
    return total;
}

static int64_t people_gone(const fixture *f, const bool *gone)
{
    int64_t rows = tacit_table_rows(f->table), people = 0;
    for (int64_t i = 0; i < rows; i++) {
        bool counts = gone[i];
        for (int64_t j = 0; counts && j < i; j++)
            counts = !gone[j] || person_of(f, i) != person_of(f, j);
        people += counts;
    }
    return people;
}

static uint32_t distinct_on(const fixture *f, int32_t attribute, int level)
{
    int64_t rows = tacit_table_rows(f->table);
    uint32_t distinct = 0;
    for (int64_t i = 0; i < rows; i++) {
        bool is_new = true;
        for (int64_t j = 0; j < i; j++)
            is_new &= value_on(f, i, attribute, level) != value_on(f, j, attribute, level);
        distinct += is_new;
    }
    return distinct;
}

/* Each step takes the attribute with the most distinct values, and no node
 * passed on the way would have done. */
static void check_steps(const fixture *f, const outcome *o, int64_t k, int64_t limit, bool *gone)
{
    int levels[TACIT_MAX_ATTRIBUTES] = {0};
    for (int32_t i = 0; i < o->solution->step_count; i++) {
        const tacit_step *step = &o->solution->steps[i];
        int64_t below = mark_below(f, levels, k, gone), people = people_gone(f, gone);
        assert_true(below > limit || (people > 0 && people < k));
        for (int32_t a = 0; a < f->frame.attribute_count; a++) {
            uint32_t distinct = distinct_on(f, a, levels[a]);
            if (a == step->attribute)
                assert_int_equal(distinct, step->distinct);
            else
                assert_true(distinct < step->distinct ||
                            (distinct == step->distinct && a > step->attribute));
        }
        levels[step->attribute]++;
    }
    assert_memory_equal(levels, o->solution->levels,
                        (size_t)f->frame.attribute_count * sizeof *levels);
}

/* Every group keeps k, so do the suppressed rows; nothing is suppressed that
 * need not be, but for complements. */
static void check_release(const fixture *f, const outcome *o, int64_t k, int64_t limit, bool *gone)
{
    int64_t rows = tacit_table_rows(f->table), smallest = 0, below, people;
    below = mark_below(f, o->solution->levels, k, gone);
    people = people_gone(f, gone);
    for (int64_t r = 0; r < rows; r++)
        assert_true(!gone[r] || tacit__bit_get(o->application->suppressed, r));
    assert_true(people == 0 || people < k || o->application->suppressed_rows == below);
    assert_true(people > 0 || o->application->suppressed_rows == 0);
    for (int64_t r = 0; r < rows; r++)
        gone[r] = tacit__bit_get(o->application->suppressed, r);
    people = people_gone(f, gone);
    assert_true(people == 0 || people >= k);
    assert_true(o->application->suppressed_rows <= limit);
    bool left_out = o->application->row_count < rows; /* then they are no class */
    for (int32_t s = 0; s < set_count(f); s++)
        for (int64_t r = 0; r < rows; r++) {
            int64_t like =
                gone[r] ? people : people_like(f, r, set_of(f, s), o->solution->levels, gone);
            assert_true(like >= k);
            if (!(gone[r] && left_out) && (smallest == 0 || like < smallest))
                smallest = like;
        }
    assert_int_equal(o->metrics.smallest_class, smallest);
}

static void random_case(uint64_t *seed, int round)
{
    enum { ROWS = 24 };
    fixture f;
    char text[4096] = "a,b,c,p\n";
    bool gone[ROWS];
    uint64_t sets[3];
    int rows = 1 + (int)next_number(seed, ROWS);
    uint32_t values = 1 + next_number(seed, 60);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 3; c++)
            if (next_number(seed, 10) == 0)
                strcat(text, ",");
            else
                sprintf(text + strlen(text), "%02u,", next_number(seed, values));
        sprintf(text + strlen(text), "%u\n", next_number(seed, 12));
    }
    fixture_open(&f, text);
    fixture_mask(&f, "a");
    fixture_mask(&f, "b");
    fixture_none(&f, "c");
    f.frame.person = round % 2 ? 3 : -1;
    f.frame.set_count = (int32_t)next_number(seed, 4);
    f.frame.sets = f.frame.set_count ? sets : NULL;
    for (int s = 0; s < 3; s++)
        sets[s] = 1 + next_number(seed, 7);
    tacit_records_options options = {.k = 1 + next_number(seed, 5),
                                     .max_suppressed = next_number(seed, (uint32_t)rows + 1),
                                     .complement_largest = next_number(seed, 2)};
    outcome o, again;
    tacit_error err = {0};
    memset(gone, 1, sizeof gone);
    bool enough = people_gone(&f, gone) >= options.k;
    int64_t limit = options.max_suppressed < options.k ? 0 : options.max_suppressed;
    tacit_apply_options apply = {.drop_suppressed = next_number(seed, 2)};
    tacit_status status = solve_with(&o, &f, &options, &apply, *seed, 1, &err);
    assert_int_equal(status, enough ? TACIT_OK : TACIT_INFEASIBLE);
    if (enough) {
        check_steps(&f, &o, options.k, limit, gone);
        check_release(&f, &o, options.k, limit, gone);
        assert_int_equal(solve_with(&again, &f, &options, &apply, *seed, 7, &err), TACIT_OK);
        assert_memory_equal(o.application->suppressed, again.application->suppressed, 8);
        assert_int_equal(o.application->row_count, again.application->row_count);
        assert_memory_equal(o.application->order, again.application->order,
                            (size_t)o.application->row_count * 4);
        assert_memory_equal(&o.metrics, &again.metrics, sizeof o.metrics);
        outcome_clear(&again);
    }
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (int round = 0; round < 2000; round++)
        random_case(&seed, round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_figure_27),
        cmocka_unit_test(test_figure_43),
        cmocka_unit_test(test_loss_below_k),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_complementary),
        cmocka_unit_test(test_part_is_drawn_evenly),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_link_zero_waits),
        cmocka_unit_test(test_most_general),
        cmocka_unit_test(test_k_one),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
