/*
 * test_presence_random.c - presence with a share that classes must not fall below, on
 * random tables with registers: what mingen and local release keeps it by its
 * definition, which compares every released row with everybody in the register.
 *
 * A class must hold between two shares of the people whom its values cover, and everybody
 * must be covered, else he is known to be absent. What boxes cover beyond their own
 * classes is therefore not a method's to leave out.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "cells.h"
#include "random_cases.h"

#include "models.h"

enum { CASES = 300, MAX_ROWS = 30 };

typedef struct instance {
    fixture data, people;
    tacit_model model;
    uint64_t sets[2];
    tacit_records_options options;
} instance;

static void add_row(char *text, uint64_t *random)
{
    sprintf(text + strlen(text), "%u%u,%c,%u\n", next_number(random, 2), next_number(random, 3),
            'v' + (char)next_number(random, 5), next_number(random, 9));
}

static void open_text(fixture *f, const char *text)
{
    static const tacit_hierarchy_spec AGES = {
        .kind = TACIT_HIERARCHY_INTERVAL, .widths = {3}, .width_count = 1};
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_file(f, "b", "v;low;all\nw;low;all\nx;high;all\ny;high;all\nz;high;all\n");
    fixture_add(f, "c", &AGES);
}

/* A register, and a table of some of its people. */
static void draw_instance(instance *x, uint64_t *random)
{
    char data[1024] = "a,b,c\n", people[4096] = "a,b,c\n", row[32];
    uint32_t rows = 1 + next_number(random, MAX_ROWS);
    for (uint32_t i = 0; i < rows; i++) {
        *row = 0;
        add_row(row, random);
        strcat(data, row);
        strcat(people, row);
    }
    for (uint32_t others = next_number(random, 2 * MAX_ROWS); others > 0; others--)
        add_row(people, random);
    *x = (instance){0};
    open_text(&x->data, data);
    open_text(&x->people, people);
    double most = (8 + next_number(random, 13)) / 20.0;
    x->model = (tacit_model){
        .bound = {TACIT_MODEL_PRESENCE, most, most * (1 + next_number(random, 15)) / 20},
        .column = -1};
    x->options = (tacit_records_options){.k = 1 + next_number(random, rows < 4 ? rows : 4),
                                         .max_suppressed = next_number(random, 8)};
    x->sets[0] = 1 + next_number(random, 7);
    x->sets[1] = 7 & ~x->sets[0];
    x->data.frame.models = &x->model;
    x->data.frame.model_count = 1;
    add_population(&x->data, &x->people);
}

static void instance_close(instance *x)
{
    tacit_population_free(x->data.frame.population);
    fixture_close(&x->people);
    fixture_close(&x->data);
}

/* Whether a released cell covers somebody's value: it is what that value is called on some
 * level. */
static bool covers(const instance *x, tacit_strview cell, int32_t attribute, int64_t person)
{
    int height = tacit_hierarchy_height(x->people.hierarchies[attribute]);
    for (int level = 0; level <= height; level++)
        if (tacit_strview_equal(cell, name_on(&x->people, person, attribute, level)))
            return true;
    return tacit_strview_equal(cell, tacit_strview_of("*"));
}

typedef struct released_rows {
    tacit_strview cell[MAX_ROWS][3];
    int64_t rows;
} released_rows;

static void list_released(released_rows *r, const outcome *o, const instance *x)
{
    r->rows = tacit_table_rows(x->data.table);
    for (int64_t row = 0; row < r->rows; row++)
        for (int32_t a = 0; a < 3; a++)
            r->cell[row][a] = o->application->suppressed[row / 64] >> row % 64 & 1
                                  ? tacit_strview_of("*")
                                  : released_cell(o, &x->data, row, a);
}

static bool row_covers(const released_rows *r, const instance *x, int64_t row, int64_t person,
                       uint64_t set)
{
    for (int32_t a = 0; a < 3; a++)
        if ((set >> a & 1) && !covers(x, r->cell[row][a], a, person))
            return false;
    return true;
}

static int64_t class_size(const released_rows *r, int64_t row, uint64_t set)
{
    int64_t size = 0;
    for (int64_t other = 0; other < r->rows; other++) {
        bool same = true;
        for (int32_t a = 0; a < 3; a++)
            same &= !(set >> a & 1) || tacit_strview_equal(r->cell[row][a], r->cell[other][a]);
        size += same;
    }
    return size;
}

static bool keeps_presence(const released_rows *r, const instance *x, uint64_t set)
{
    int64_t people = tacit_table_rows(x->people.table);
    bool *covered = calloc((size_t)people, sizeof *covered), keeps = true;
    for (int64_t row = 0; row < r->rows; row++) {
        int64_t under = 0;
        for (int64_t p = 0; p < people; p++)
            if (row_covers(r, x, row, p, set)) {
                covered[p] = true;
                under++;
            }
        double share = (double)class_size(r, row, set) / (double)under;
        keeps &= share >= x->model.bound.second - 1e-9 && share <= x->model.bound.bound + 1e-9;
    }
    for (int64_t p = 0; p < people; p++)
        keeps &= covered[p];
    free(covered);
    return keeps;
}

/* Returns whether there was a release. */
static bool check_method(const instance *x, const char *method)
{
    static const tacit_apply_options apply = {.keep_order = true};
    static const uint64_t all = 7;
    outcome o;
    tacit_error err = {0};
    const tacit_frame *frame = &x->data.frame;
    tacit_status status = solve_by(&o, &x->data, method, &x->options, &apply, 1, 1, &err);
    bool released = status == TACIT_OK;
    if (released) {
        released_rows r;
        list_released(&r, &o, x);
        for (int32_t s = 0; s < (frame->set_count ? frame->set_count : 1); s++)
            if (!keeps_presence(&r, x, frame->set_count ? frame->sets[s] : all))
                fail_msg("%s breaks presence", method);
    } else {
        assert_int_equal(status, TACIT_INFEASIBLE);
    }
    outcome_clear(&o);
    return released;
}

static void test_presence(void **state)
{
    uint64_t *seed = *state, released[2] = {0}, cases = many_cases(CASES);
    for (uint64_t i = 1; i <= cases; i++) {
        uint64_t random = *seed = i;
        instance x;
        draw_instance(&x, &random);
        released[0] += check_method(&x, "mingen");
        released[1] += check_method(&x, "local");
        instance_close(&x);
    }
    assert_true(released[0] > cases / 10 && released[1] > cases / 10);
    *seed = 0;
}

/* Boxes that lie apart may overlap in a part of their attributes. */
static void check_refuses(const instance *x, const char *method)
{
    tacit_error err;
    assert_int_equal(try_cells(&x->data, method, &x->options, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "use mingen"));
}

/* Two sets that share the attributes among them. */
static void test_two_sets(void **state)
{
    uint64_t *seed = *state, released = 0, cases = many_cases(CASES);
    for (uint64_t i = 1; i <= cases; i++) {
        uint64_t random = *seed = i;
        instance x;
        draw_instance(&x, &random);
        x.data.frame.sets = x.sets;
        x.data.frame.set_count = x.sets[1] ? 2 : 1;
        released += check_method(&x, "mingen");
        if (x.sets[1])
            check_refuses(&x, "local");
        instance_close(&x);
    }
    assert_true(released > cases / 10);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_presence, &seed),
                                       random_test(test_two_sets, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
