/*
 * test_open_tables.c - releases as outsiders have them: what counts as left out, what follows
 * for cells that nobody wrote, releases that contradict themselves, and who refuses unknown
 * values.
 */
#include "audit_tables.h"

#include "base/alloc.h"
#include "cells/cells/inside.h"
#include "fake_solver.h"

#include <tacit/experimental/suppress.h>
#include <tacit/experimental/total.h>

static tacit_cells_spec *open_spec(const char *dimensions)
{
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    spec->value = "v";
    spec->release = true;
    return spec;
}

static tacit_cells *read_open(const char *csv, const tacit_cells_spec *spec)
{
    return cells_of(csv, spec, tacit_cells_from_table);
}

/* What the audit says: a line a suppressed cell, "codes letter low high" and ! if disclosed. */
static const char *told(const tacit_cells *cells)
{
    static char text[2048];
    char *at = text;
    tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
    *at = '\0';
    for (int32_t k = 0; k < audit->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k];
        char name[64];
        at += sprintf(at, "%s%s %c %g %g%s", k ? "; " : "",
                      tacit_cells_describe(cells, f->cell, name, sizeof name),
                      cells->status[f->cell], f->low, f->high, f->disclosed ? "!" : "");
    }
    tacit_cells_audit_free(audit);
    return text;
}

static void test_intervals(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *told;
    } LIST[] = {
        /* empty with a letter; without letters; every mark */
        {"a,v,status\nTotal,10,s\nx,,u\ny,,x\nz,3,s\n", "x u 0 7; y x 0 7"},
        {"a,v\nTotal,10\nx,\ny,\nz,3\n", "x x 0 7; y x 0 7"},
        {"a,v\nTotal,100\nx,x\ny,X\nz,c\nw,C\n", "x x 0 100; y x 0 100; z x 0 100; w x 0 100"},
        {"a,v\nTotal,100\nx,.\ny,..\nz,...\nw,:\n", "x x 0 100; y x 0 100; z x 0 100; w x 0 100"},
        {"a,v\nTotal,100\nx,-\ny,*\n", "x x 0 100; y x 0 100"},
        /* alone in its relation */
        {"a,v,status\nTotal,10,s\nx,,u\ny,7,z\n", "x u 3 3!"},
        {"a,v\nTotal,0.6\nx,\ny,0.1\nz,0.2\n", "x x 0.3 0.3!"},
        /* a published total of 0 leaves no room */
        {"a,v\nTotal,0\nx,\ny,\n", "x x 0 0!; y x 0 0!"},
        /* without a published total nothing bounds it */
        {"a,v\nTotal,\nx,\ny,4\n", "Total x 4 inf; x x 0 inf"},
        /* the total is not listed: no secret of anybody's, and no bound */
        {"a,v,status\nx,,u\ny,4,s\n", "x u 0 inf"},
        /* bounds that are known */
        {"a,v,lower,upper\nTotal,10,,\nx,,2,9\ny,,0,6\nz,1,,\n", "x x 3 9; y x 0 6"},
        {"a,v,lower,upper\nTotal,10,,\nx,,4,4\ny,,,\nz,1,,\n", "x x 4 4!; y x 5 5!"},
        /* a value that is given is no secret to us, and its interval is the same */
        {"a,v,status\nTotal,10,s\nx,,u\ny,3,x\nz,3,s\n", "x u 0 7; y x 0 7"},
    };
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        tacit_cells *cells = read_open(LIST[i].csv, open_spec("a"));
        assert_string_equal(told(cells), LIST[i].told);
        tacit_cells_free(cells);
    }
    tacit_cells_spec *spec = open_spec("a");
    spec->negative = true;
    tacit_cells *cells = read_open("a,v\nTotal,10\nx,\ny,\nz,-3\n", spec);
    assert_string_equal(told(cells), "x x -inf inf; y x -inf inf");
    tacit_cells_free(cells);
}

/* Files without gaps are read as ever, contributors and all. */
static void test_closed(void **state)
{
    (void)state;
    static const char CSV[] = "a,v,freq,status,max1\nx,10,3,u,4\ny,2,1,s,2\n";
    tacit_cells_spec *spec = open_spec("a");
    tacit_cells *open = read_open(CSV, spec);
    spec->release = false;
    tacit_cells *closed = read_open(CSV, spec);
    assert_null(open->unknown);
    assert_same_cells(open, closed);
    assert_true(open->freq[1] == 3 && open->top_count == 1 && open->upper[1] == 12);
    tacit_cells_free(open);
    tacit_cells_free(closed);
}

/* Subtotals that are not listed are known where single relations say so. */
static void test_unlisted(void **state)
{
    (void)state;
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "a=%s",
             file_of("a.hrc", "T\n@A\n@@x\n@@y\n@B\n@@z\n@@w\n@C\n@@k\n@@l\n"));
    tacit_cells *cells = read_open("a,v\nT,20\nx,1\ny,2\nz,\nw,\nk,\nl,\n", open_spec(dimensions));
    int32_t first = cell_named(cells, "A"), second = cell_named(cells, "B");
    assert_true(!cells->unknown[first] && cells->value[first] == 3 && cells->status[first] == 's');
    assert_true(cells->unknown[second] && cells->status[second] == 'x' && !cells->line[second]);
    assert_string_equal(told(cells), "z x 0 17; w x 0 17; k x 0 17; l x 0 17");
    tacit_cells_free(cells);
    /* B follows from the total and the others, and is not suppressed by anybody */
    cells = read_open("a,v\nT,20\nx,1\ny,2\nz,\nw,\nC,5\nk,\nl,\n", open_spec(dimensions));
    assert_true(!cells->unknown[second] && cells->value[second] == 12);
    assert_string_equal(told(cells), "z x 0 12; w x 0 12; k x 0 5; l x 0 5");
    tacit_cells_free(cells);
    /* ground cells that are not listed are zeros */
    cells = read_open("a,v\nT,20\nx,1\nz,\nw,\n", open_spec(dimensions));
    assert_true(value_named(cells, "y") == 0 && value_named(cells, "B") == 19);
    tacit_cells_free(cells);
}

/* Two names of one cell: both leave the value out, or one of them tells it. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *told;
    } LIST[] = {
        {"a,v,status\nT,10,s\nA,,u\nx,,u\ny,,x\nz,3,s\n", "A u 0 7; y x 0 7"},
        {"a,v,status\nT,10,s\nA,,u\nx,4,s\ny,,x\nz,3,s\n", "A u 4 4!; y x 3 3!"},
        {"a,v,status\nT,10,s\nx,4,s\nA,,u\ny,,x\nz,3,s\n", "A u 4 4!; y x 3 3!"},
    };
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "a=%s", file_of("a.hrc", "T\n@A\n@@x\n@y\n@z\n"));
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        tacit_cells *cells = read_open(LIST[i].csv, open_spec(dimensions));
        assert_string_equal(told(cells), LIST[i].told);
        tacit_cells_free(cells);
    }
    refused("a,v\nT,10\nA,4\nx,5\ny,\nz,\n", open_spec(dimensions), tacit_cells_from_table,
            "t.csv:4: subtotals do not add up (1), worst first: line 4 by 1; correct them or allow "
            "a tolerance");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *message;
    } LIST[] = {
        {"a,v,status\nTotal,10,s\nx,,s\ny,,x\n",
         "t.csv:3: the value is left out, but the status says that it is published; write a "
         "number, or status u or x"},
        {"a,v,status\nTotal,10,s\nx,*,z\ny,,x\n",
         "t.csv:3: the value is left out, but the status says that it is published; write a "
         "number, or status u or x"},
        {"a,v\nTotal,10\nx,n/a\ny,x\n",
         "t.csv:3:2: \"v\" is not a number; write digits with a point, a sign and an exponent"},
        {"a,v\nTotal,10\nx,-3\ny,x\n", "t.csv:3:2: \"v\" must not be negative"},
        {"a,v\nTotal,10\nx,\ny,11\n",
         "t.csv:2: Total: no values of the suppressed cells add up to it and keep their bounds; "
         "the release contradicts itself"},
        {"a,v\nTotal,10\nx,\ny,\nz,11\n",
         "t.csv:2: Total: no values of the suppressed cells add up to it and keep their bounds; "
         "the release contradicts itself"},
        {"a,v,lower,upper\nTotal,10,,\nx,,1,2\ny,,3,4\n",
         "t.csv:2: Total: no values of the suppressed cells add up to it and keep their bounds; "
         "the release contradicts itself"},
        {"a,v,lower,upper\nTotal,10,,\nx,,4,2\ny,,3,4\n",
         "t.csv:3: x: its lower bound is above its upper one; correct them"},
        {"a,v\nTotal,1e308\nx,1e308\ny,1e308\nz,\nw,\n",
         "t.csv:5: z: no values that fit were found, nor that there are none; its numbers are too "
         "large, or too far apart"},
    };
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
        refused(LIST[i].csv, open_spec("a"), tacit_cells_from_table, LIST[i].message);
    refused("a,b,v\nTotal,Total,10\nx,Total,4\ny,Total,6\nTotal,p,5\nTotal,q,7\nx,p,\nx,q,\ny,p,\n"
            "y,q,\n",
            open_spec("a b"), tacit_cells_from_table,
            "t.csv:2: subtotals do not add up (1), worst first: line 2 by 2; correct them or allow "
            "a tolerance");
    /* the relations of totals are not listed, and only together they contradict */
    refused("a,b,v\nx,Total,4\ny,Total,6\nTotal,p,5\nTotal,q,7\nx,p,\nx,q,\ny,p,\ny,q,\n",
            open_spec("a b"), tacit_cells_from_table,
            "t.csv: Total, Total: no values of the suppressed cells add up to it and keep their "
            "bounds; "
            "the release contradicts itself");
    tacit_cells_spec *spec = open_spec("a");
    spec->release = false;
    refused("a,v,status\nTotal,10,s\nx,,u\ny,,x\n", spec, tacit_cells_from_table,
            "t.csv:3:2: \"v\" is missing; write a number");
}

/* Whatever needs values names the first that is not known. */
static void test_users(void **state)
{
    (void)state;
    tacit_cells *cells = read_open("a,v,status\nTotal,10,s\nx,,u\ny,,x\nz,3,s\n", open_spec("a"));
    const tacit_cells *parts[] = {cells};
    tacit_rules_options rules;
    tacit_margin margin = {.margin = 10};
    tacit_cells *linked = NULL;
    tacit_pattern pattern = {0};
    tacit_flat_table *flat = NULL;
    tacit_rules_options_init(&rules);
    for (int i = 0; i < 10; i++) {
        tacit_error err = {0};
        tacit_status status = TACIT_OK;
        char text[400];
        switch (i) {
        case 0: status = tacit_cells_apply_rules(cells, NULL, 0, &rules, &err); break;
        case 1: status = tacit_cells_set_costs(cells, TACIT_COST_COUNT, 1, &err); break;
        case 2: status = tacit_cells_check(cells, &err); break;
        case 3: status = tacit_cells_link(&linked, parts, 1, 0, &err); break;
        case 4: status = tacit_cells_write_jj(-1, "o", cells, NULL, &err); break;
        case 5:
            status = tacit_cells_write_csv(-1, "o", cells, NULL,
                                           &(tacit_cells_csv_options){.release = true}, &err);
            break;
        case 6:
            status = tacit_cells_write_pivot(-1, "o", cells, NULL, &(tacit_pivot_options){0}, &err);
            break;
        case 7:
            status =
                tacit_cells_parse_apriori(cells, tacit_strview_of("x,s\n"), "o", &margin, &err);
            break;
        case 8: status = tacit_flat_from_cells(&flat, cells, NULL, false, &err); break;
        case 9:
            status = tacit_suppress(&pattern, cells, tacit_suppress_methods(),
                                    &(tacit_suppress_options){0}, tacit_audit_cells_judge, NULL,
                                    NULL, &err);
            break;
        }
        assert_int_equal(status, TACIT_INVALID);
        assert_string_equal(tacit_error_format(&err, text, sizeof text),
                            "t.csv:3: x: its value is not known; a release as outsiders have it "
                            "can be audited and nothing else");
    }
    double lower = cells->lower[1];
    tacit_cells_set_bounds(cells, 50);
    assert_true(cells->lower[1] == lower && cells->upper[1] == INFINITY && cells->upper[3] == 4.5);
    tacit_cells_free(cells);
}

/* Levels are judged where the value is known, and only there. */
static void test_levels(void **state)
{
    (void)state;
    tacit_cells *cells = read_open(
        "a,v,status,lpl,upl\nTotal,10,s,,\nx,,u,9,9\ny,3,u,1,9\nz,3,s,,\n", open_spec("a"));
    tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
    assert_int_equal(audit->cell_count, 2);
    assert_true(isnan(audit->cells[0].required_low) && isnan(audit->cells[0].required_high));
    assert_true(audit->cells[1].required_low == 2 && audit->cells[1].required_high == 12);
    assert_false(audit->cells[0].underprotected);
    assert_true(audit->cells[1].underprotected);
    tacit_cells_audit_free(audit);
    for (int i = 0; i < 2; i++) {
        tacit_cells_audit_options options = {.singletons = i, .sums = !i};
        tacit_error err = {0};
        assert_int_equal(tacit_audit_cells(&audit, cells, NULL, &options, NULL, &err),
                         TACIT_INVALID);
        assert_int_equal(err.line, 3);
        assert_string_equal(err.message, "singletons and sums need the values of all cells, and "
                                         "this one is not known");
    }
    tacit_cells_free(cells);
}

/* Rounding of published values, as far as it is allowed. */
static void test_tolerance(void **state)
{
    (void)state;
    static const char CSV[] = "a,v\nTotal,10\nx,\ny,7\nz,3.4\n";
    tacit_cells_spec *spec = open_spec("a");
    refused(CSV, spec, tacit_cells_from_table,
            "t.csv:2: Total: no values of the suppressed cells add up to it and keep their bounds; "
            "the release contradicts itself");
    spec->tolerance = 0.5;
    tacit_cells *cells = read_open(CSV, spec);
    assert_true(value_named(cells, "x") == 0);
    tacit_cells_free(cells);
    cells = read_open("a,v\nTotal,10\nx,\ny,\nz,10.4\n", spec);
    assert_true(value_named(cells, "x") == 0 && value_named(cells, "y") == 0);
    tacit_cells_free(cells);
}

/* Numbers far apart, and fractions that no unit of the published values has. */
static void test_numbers(void **state)
{
    (void)state;
    tacit_cells *cells =
        read_open("a,v,lower,upper\nTotal,100000000.25,,\nx,,0,3\ny,,,\nz,0.5,,\n", open_spec("a"));
    assert_string_equal(told(cells), "x x 0 3; y x 1e+08 1e+08");
    assert_true(value_named(cells, "x") + value_named(cells, "y") == 99999999.75);
    tacit_cells_free(cells);
    /* each of three cells with each of the others: halves */
    cells = read_open("a,b,c,v\n"
                      "p,p,p,\np,q,q,\nq,p,q,\nq,q,p,\np,p,q,\np,q,p,\nq,p,p,\nq,q,q,\n"
                      "p,p,Total,1\np,q,Total,1\nq,p,Total,1\nq,q,Total,1\n"
                      "p,Total,p,1\np,Total,q,1\nq,Total,p,1\nq,Total,q,1\n"
                      "Total,p,p,1\nTotal,p,q,1\nTotal,q,p,1\nTotal,q,q,1\n",
                      open_spec("a b c"));
    assert_string_equal(told(cells), "p, p, p x 0 1; p, p, q x 0 1; p, q, p x 0 1; p, q, q x 0 1; "
                                     "q, p, p x 0 1; q, p, q x 0 1; q, q, p x 0 1; q, q, q x 0 1");
    tacit_cells_free(cells);
}

/* ---- a solver that goes wrong ---- */

/* Three by three, all inner cells left out; one row's total is 0 in every column of it. */
static tacit_cells *open_square(bool contradicts)
{
    tacit_cells *cells = cells_of("a,b,freq\nx,p,1\nx,q,2\nx,r,3\ny,p,4\ny,q,5\ny,r,6\nz,p,0\n",
                                  &spec_of("a b")->spec, tacit_cells_from_table);
    cells->unknown = tacit__alloc_zeroed((size_t)cells->count, sizeof *cells->unknown);
    for (int32_t i = 0; i < cells->count; i++) {
        cells->upper[i] = INFINITY;
        if (i / 4 == 0 || i % 4 == 0)
            continue;
        cells->unknown[i] = true;
        cells->status[i] = 'x';
        cells->value[i] = NAN;
        if (contradicts)
            cells->upper[i] = 2;
    }
    return cells;
}

/* Values that fit, or an error that does not claim to know more than the solver proved. */
static void check_faulty(bool contradicts, const tacit__solver_backend *backend)
{
    tacit_error err = {0};
    tacit_cells *cells = open_square(contradicts);
    tacit_status status = tacit__cells_complete(cells, 0, backend, NULL, &err);
    if (contradicts) {
        assert_true(status == TACIT_INVALID || status == TACIT_LIMIT);
    } else {
        assert_true(status == TACIT_OK || status == TACIT_LIMIT);
        for (int32_t r = 0; status == TACIT_OK && r < cells->relations.count; r++) {
            double sum = 0;
            for (int64_t j = cells->relations.starts[r]; j < cells->relations.starts[r + 1]; j++)
                sum += cells->relations.coefs[j] * cells->value[cells->relations.items[j]];
            assert_true(fabs(sum) < 1e-9);
        }
    }
    tacit_cells_free(cells);
}

static void test_faults(void **state)
{
    (void)state;
    tacit__solver_backend backend = fake_backend();
    for (fault which = NO_FAULT; which < FAULTS; which++)
        for (int from = 0; from < 3; from++)
            for (int times = 0; times < 3; times++)
                for (int contradicts = 0; contradicts < 2; contradicts++) {
                    fake_set(which, from, times);
                    check_faulty(contradicts, &backend);
                }
    fake_set(POINT_OUTSIDE, 0, 0);
    tacit_cells *cells = open_square(false);
    tacit_error err = {0};
    assert_int_equal(tacit__cells_complete(cells, 0, &backend, NULL, &err), TACIT_LIMIT);
    assert_string_equal(err.message,
                        "x, p: no values that fit were found, nor that there are none; "
                        "its numbers are too large, or too far apart");
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_closed),
        cmocka_unit_test_teardown(test_unlisted, tables_end),
        cmocka_unit_test_teardown(test_names, tables_end),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_users),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
