/*
 * test_audit_altered.c - the judge of altered tables on tables small enough to reckon by hand.
 */
#include "tables.h"

#include <tacit/experimental/audit_altered.h>

/* Two rows of two with their sums; cells in the order T, the columns' totals, then row by row. */
static tacit_cells *square(void)
{
    const char *csv = "r,c,freq,status,lpl,upl\n"
                      "a,x,3,u,2,2\na,y,7,s,0,0\nb,x,8,s,0,0\nb,y,12,s,0,0\n";
    return cells_of(csv, &spec_of("r c")->spec, tacit_cells_from_table);
}

static void publish(double *published, const tacit_cells *cells, const char *name, double value)
{
    published[cell_named(cells, name)] = value;
}

static tacit_altered_audit *audited(const tacit_cells *cells, const double *published,
                                    const tacit_altered_known *known)
{
    tacit_altered_audit *audit = NULL;
    tacit_error err = {0};
    if (tacit_audit_altered(&audit, cells, published, known, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

static const tacit_cell_finding *found(const tacit_altered_audit *audit, const tacit_cells *cells,
                                       const char *name)
{
    int32_t cell = cell_named(cells, name);
    for (int32_t k = 0; k < audit->cell_count; k++)
        if (audit->cells[k].cell == cell)
            return &audit->cells[k];
    fail_msg("%s is not among the findings", name);
    return NULL;
}

static void assert_interval(const tacit_altered_audit *audit, const tacit_cells *cells,
                            const char *name, double low, double high)
{
    const tacit_cell_finding *f = found(audit, cells, name);
    if (fabs(f->low - low) > 1e-6 || fabs(f->high - high) > 1e-6)
        fail_msg("%s: %g to %g", name, f->low, f->high);
}

static double *rounded(const tacit_cells *cells, double base)
{
    double *published = malloc((size_t)cells->count * sizeof *published);
    for (int32_t i = 0; i < cells->count; i++)
        published[i] = base * nearbyint(cells->value[i] / base);
    return published;
}

/* 3 7 / 8 12 with sums 10 20 11 19 30 are 5 5 / 10 10, 10 20 10 20 30: each within 4 of base 5.
 * Values that have their published ones exactly where nothing was changed do not know it. */
static void test_rounded(void **state)
{
    (void)state;
    tacit_cells *cells = square();
    double *published = rounded(cells, 5);
    tacit_altered_known known = {.base = 5, .reach = 5, .within = true};
    tacit_altered_audit *audit = audited(cells, published, &known);
    assert_int_equal(audit->broken, 0);
    assert_int_equal(audit->first_broken, -1);
    assert_interval(audit, cells, "a|x", 1, 8);  /* its column is 14 at most, the other cell 6 */
    assert_interval(audit, cells, "b|y", 7, 14); /* its column is 16 at least, the other cell 9 */
    assert_int_equal(audit->disclosed, 0);
    assert_int_equal(audit->underprotected, 0);
    assert_int_equal(audit->cell_count, 6); /* 10, 20 and 30 are as they were */
    tacit_altered_audit_free(audit);
    known = (tacit_altered_known){.base = 5, .reach = 2.5}; /* to the nearest: within 2 */
    audit = audited(cells, published, &known);
    assert_interval(audit, cells, "a|x", 3, 4);
    assert_int_equal(audit->underprotected, 1);
    assert_true(found(audit, cells, "a|x")->underprotected);
    tacit_altered_audit_free(audit);
    free(published);
    tacit_cells_free(cells);
}

/* Bounds and sums say more than the reach: 0 1 / 1 0 with all but the ground cells unchanged. */
static void test_pinned(void **state)
{
    (void)state;
    tacit_cells *cells = cells_of("r,c,freq,status\na,x,1,u\na,y,1,s\nb,x,1,s\nb,y,1,s\n",
                                  &spec_of("r c")->spec, tacit_cells_from_table);
    double *published = malloc((size_t)cells->count * sizeof *published);
    for (int32_t i = 0; i < cells->count; i++)
        published[i] = cells->value[i];
    for (int32_t i = 0; i < cells->count; i++)
        cells->status[i] = cells->value[i] > 1 ? 'z' : cells->status[i];
    publish(published, cells, "a|x", 0);
    publish(published, cells, "a|y", 2);
    publish(published, cells, "b|x", 2);
    publish(published, cells, "b|y", 0);
    tacit_altered_known known = {.reach = 1, .fixed_stays = true};
    tacit_altered_audit *audit = audited(cells, published, &known);
    assert_int_equal(audit->broken, 0);
    assert_interval(audit, cells, "a|x", 0, 1);
    assert_interval(audit, cells, "a|y", 1, 2);
    assert_int_equal(audit->underprotected, 1); /* 2 cannot be */
    tacit_altered_audit_free(audit);
    known.zero_stays = true; /* 2 was no zero anyway, and what is 0 now need not have been */
    audit = audited(cells, published, &known);
    assert_interval(audit, cells, "a|x", 0, 1);
    tacit_altered_audit_free(audit);
    known = (tacit_altered_known){.reach = INFINITY, .fixed_stays = true, .zero_stays = true};
    audit = audited(cells, published, &known); /* a published zero was one: untrue */
    assert_int_equal(audit->broken, 2);
    tacit_altered_audit_free(audit);
    free(published);
    tacit_cells_free(cells);
}

/* Each way in which what is said can be untrue. */
static void test_broken(void **state)
{
    (void)state;
    static const struct {
        const char *cell;
        double published;
        tacit_altered_known known;
        int broken;
        bool is_cell;
    } CASES[] = {
        {"a|x", 4, {.base = 5, .reach = 5}, 6, true}, /* 4, and what is no multiple by itself */
        {"a|x", 8, {.reach = 4}, 1, true},
        {"a|x", 8, {.reach = 5, .within = true}, 1, true},
        {"a|x", 7, {.reach = 4, .within = true}, 1, true},
        {"a|x", 8, {.reach = 5}, 0, false},
        {"a|x", 4, {.reach = 5, .additive = true}, 2, false},
        {"a|x", 4, {.reach = 5, .beyond = true}, 1, true},
        {"a|x", 5, {.reach = 5, .beyond = true}, 0, false},
        {"a|x", 1, {.reach = 5, .beyond = true}, 0, false},
        {"a|x", 5, {.reach = 5, .beyond = true, .fixed_stays = true}, 0, false},
        {"b|y", NAN, {.reach = INFINITY}, 1, true},
        {"b|y", INFINITY, {.reach = INFINITY}, 1, true},
    };
    tacit_cells *cells = square();
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        double published[9];
        for (int32_t i = 0; i < cells->count; i++)
            published[i] = cells->value[i];
        publish(published, cells, CASES[k].cell, CASES[k].published);
        tacit_altered_audit *audit = audited(cells, published, &CASES[k].known);
        if (audit->broken != CASES[k].broken || (audit->first_broken >= 0) != CASES[k].is_cell)
            fail_msg("case %zu: %d broken, first %d", k, audit->broken, audit->first_broken);
        assert_true(audit->broken == 0 || audit->cell_count == 0);
        tacit_altered_audit_free(audit);
    }
    tacit_cells_free(cells);
}

/* 3 with levels of 2, published as 5: it was 3 or less, or 7 or more; published as 1 it was 3 or
 * more, since nothing is below 0. */
static void test_beyond(void **state)
{
    (void)state;
    tacit_cells *cells = square();
    double published[9];
    tacit_altered_known known = {.reach = 6, .beyond = true};
    for (int32_t i = 0; i < cells->count; i++)
        published[i] = cells->value[i];
    publish(published, cells, "a|x", 5);
    tacit_altered_audit *audit = audited(cells, published, &known);
    assert_int_equal(audit->cell_count, 1);
    assert_int_equal(audit->one_sided, 0);
    assert_interval(audit, cells, "a|x", 0, 11);
    assert_int_equal(audit->underprotected, 0);
    tacit_altered_audit_free(audit);
    publish(published, cells, "a|x", 1);
    audit = audited(cells, published, &known);
    assert_int_equal(audit->one_sided, 1);
    assert_interval(audit, cells, "a|x", 3, 7);
    assert_int_equal(audit->underprotected, 1);
    tacit_altered_audit_free(audit);
    publish(published, cells, "a|x", 5);
    known.reach = 3; /* 7 can be, 1 cannot */
    audit = audited(cells, published, &known);
    assert_int_equal(audit->one_sided, 0);
    assert_interval(audit, cells, "a|x", 2, 8);
    assert_int_equal(audit->underprotected, 1);
    tacit_altered_audit_free(audit);
    tacit_cells_free(cells);
}

static void test_refused(void **state)
{
    (void)state;
    tacit_cells *cells = square();
    tacit_altered_audit *audit = NULL;
    tacit_error err = {0};
    double published[9] = {0};
    tacit_altered_known known = {.reach = INFINITY};
    cells->upper[0] = 1;
    assert_int_equal(tacit_audit_altered(&audit, cells, published, &known, NULL, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "not within its bounds"));
    assert_null(audit);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounded), cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_broken),  cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
