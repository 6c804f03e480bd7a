/*
 * test_intervals.c - intervals in place of blanks: written, read back, tampered with; what anybody
 * can tell; and what a reader makes of them.
 */
#include "written.h"

/* The table of docs/methods/partial.md. */
static const char TABLE[] = "region,branch,value,status\n"
                            "North,farming,20,u\nNorth,mining,50,s\nNorth,trade,10,s\n"
                            "South,farming,8,s\nSouth,mining,19,s\nSouth,trade,22,s\n"
                            "West,farming,17,s\nWest,mining,32,s\nWest,trade,12,s\n";

static tacit_cells *small_table(void)
{
    tacit_cells_spec *spec = &spec_of("region branch")->spec;
    spec->value = "value";
    return cells_of(TABLE, spec, tacit_cells_from_table);
}

/* North and West, farming and trade. */
static char *small_pattern(const tacit_cells *cells)
{
    static const char *const SECONDARY[] = {"North|trade", "West|farming", "West|trade"};
    char *status = malloc((size_t)cells->count);
    memcpy(status, cells->status, (size_t)cells->count);
    for (int i = 0; i < 3; i++)
        status[cell_named(cells, SECONDARY[i])] = 'x';
    return status;
}

typedef struct release {
    tacit_cells *cells;
    char *status;
    tacit_intervals intervals;
    char *text;
} release;

static tacit_status write_intervals(int fd, const void *context, tacit_error *err)
{
    const release *r = context;
    const tacit_cells_csv_options options = {.release = true, .intervals = &r->intervals};
    return tacit_cells_write_csv(fd, "out.csv", r->cells, r->status, &options, err);
}

static release public_release(void)
{
    release r = {.cells = small_table()};
    tacit_run run;
    tacit_run_init(&run);
    r.status = small_pattern(r.cells);
    assert_int_equal(tacit_audit_public(&r.intervals, r.cells, r.status, &run, NULL), TACIT_OK);
    tacit_intervals_round(&r.intervals, r.cells, r.status);
    r.text = written(write_intervals, &r);
    return r;
}

static void release_end(release *r)
{
    free(r->text);
    free(r->status);
    tacit_intervals_clear(&r->intervals);
    tacit_cells_free(r->cells);
}

/* The second check of a text, with the comparison of what it says with what follows. */
static tacit_cells_written *looked_at(const release *r, const char *text)
{
    const tacit_cells_csv_options options = {.release = true, .intervals = &r->intervals};
    tacit_table *table = csv_of(text);
    tacit_cells_written *found = NULL;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(
        tacit_audit_cells_written(&found, r->cells, r->status, table, &options, &run, NULL),
        TACIT_OK);
    assert_int_equal(tacit_audit_intervals_public(found, r->cells, &run, NULL), TACIT_OK);
    tacit_table_free(table);
    return found;
}

static void test_public(void **state)
{
    (void)state;
    release r = public_release();
    assert_non_null(strstr(r.text, "North;farming;;u;8;30\n"));
    assert_non_null(strstr(r.text, "North;trade;;x;0;22\n"));
    assert_non_null(strstr(r.text, "West;farming;;x;7;29\n"));
    assert_non_null(strstr(r.text, "West;mining;32;s;;\n"));
    tacit_cells_written *found = looked_at(&r, r.text);
    assert_true(found->holds);
    assert_true(found->intervals.low[cell_named(r.cells, "West|farming")] == 7);
    tacit_cells_written_free(found);
    assert_true(fabs(tacit_intervals_loss(&r.intervals, r.cells) - 88) < 1e-9);
    release_end(&r);
}

/* Whatever is changed in what the file says of intervals is found. */
static void test_tampered(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } LIST[] = {
        {"u;8;30", "u;9;30", "North, farming: its interval is not the one to be published"},
        {"u;8;30", "u;8;29", "North, farming: its interval is not the one to be published"},
        {"u;8;30", "u;7;30", "North, farming: its interval is not the one to be published"},
        {"u;8;30", "u;21;30", "North, farming: its interval does not hold its value"},
        {"u;8;30", "u;8;19.5", "North, farming: its interval does not hold its value"},
        {"u;8;30", "u;;30", "North, farming: its interval is not the one to be published"},
        {"u;8;30", "u;8;", "North, farming: its interval is not the one to be published"},
        {"u;8;30", "u;8;y", "North, farming: an end of its interval is no number"},
        {"32;s;;", "32;s;30;", "West, mining: it is published and has an interval"},
        {"32;s;;", "32;s;;40", "West, mining: it is published and has an interval"},
        {"farming;;u;8", "farming;20;u;8", "North, farming: it is suppressed and has a value"},
        {";low;", ";lowest;", "column \"low\" is missing"},
    };
    release r = public_release();
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        char *changed = with_instead(r.text, LIST[i].old, LIST[i].new);
        const tacit_cells_csv_options options = {.release = true, .intervals = &r.intervals};
        tacit_table *table = csv_of(changed);
        tacit_cells_written *found = NULL;
        assert_int_equal(
            tacit_audit_cells_written(&found, r.cells, r.status, table, &options, NULL, NULL),
            TACIT_OK);
        assert_false(found->holds);
        assert_string_equal(found->problems[0].message, LIST[i].message);
        tacit_cells_written_free(found);
        tacit_table_free(table);
        free(changed);
    }
    release_end(&r);
}

/* A writer that is told to say more writes it; the comparison with what follows finds it. */
static void test_narrower(void **state)
{
    (void)state;
    release r = public_release();
    double *const ends[] = {r.intervals.low, r.intervals.high};
    for (int k = 0; k < 2; k++)
        for (int by = -1; by <= 1; by += 2) {
            int32_t cell = cell_named(r.cells, "West|farming");
            ends[k][cell] += by;
            char *text = written(write_intervals, &r);
            tacit_cells_written *found = looked_at(&r, text);
            assert_int_equal(found->holds, (k == 0) == (by < 0));
            if (!found->holds)
                assert_string_equal(
                    found->problems[0].message,
                    "West, farming: its interval says more than the rest of the release");
            tacit_cells_written_free(found);
            free(text);
            ends[k][cell] -= by;
        }
    release_end(&r);
}

static tacit_status write_across(int fd, const void *context, tacit_error *err)
{
    const release *r = context;
    const tacit_pivot_options options = {.across = -1, .intervals = &r->intervals};
    return tacit_cells_write_pivot(fd, "out.csv", r->cells, r->status, &options, err);
}

static void test_pivot(void **state)
{
    (void)state;
    release r = public_release();
    int32_t cell = cell_named(r.cells, "West|farming");
    r.intervals.high[cell] = INFINITY;
    r.intervals.low[cell_named(r.cells, "West|trade")] = -INFINITY;
    r.intervals.low[cell_named(r.cells, "North|trade")] = -INFINITY;
    r.intervals.high[cell_named(r.cells, "North|trade")] = INFINITY;
    char *text = written(write_across, &r);
    assert_string_equal(text, "region;Total;farming;mining;trade\nTotal;190;45;101;44\n"
                              "North;80;8..30;50;x\nSouth;49;8;19;22\nWest;61;7..;32;..22\n");
    free(text);
    release_end(&r);
}

/* Ends go outwards, to the decimals of what is published. */
static void test_round(void **state)
{
    (void)state;
    release r = public_release();
    int32_t cell = cell_named(r.cells, "West|farming");
    r.intervals.low[cell] = 7.2;
    r.intervals.high[cell] = 28.0000000001;
    tacit_intervals_round(&r.intervals, r.cells, r.status);
    assert_true(r.intervals.low[cell] == 7 && r.intervals.high[cell] == 28);
    r.cells->decimals = true;
    r.cells->value[cell_named(r.cells, "West|mining")] = 32.25;
    r.intervals.low[cell] = 7.238;
    r.intervals.high[cell] = 28.131;
    tacit_intervals_round(&r.intervals, r.cells, r.status);
    assert_true(fabs(r.intervals.low[cell] - 7.23) < 1e-12);
    assert_true(fabs(r.intervals.high[cell] - 28.14) < 1e-12);
    release_end(&r);
}

/* A reader of the release knows the intervals. */
static void test_read(void **state)
{
    (void)state;
    release r = public_release();
    char *text = with_instead(r.text, "u;8;30", "u;15;25");
    tacit_cells_spec *spec = &spec_of("region branch")->spec;
    spec->value = "value";
    spec->release = true;
    tacit_cells *cells = cells_of(text, spec, tacit_cells_from_table);
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_audit_cells(&audit, cells, NULL, NULL, &run, NULL), TACIT_OK);
    assert_int_equal(audit->cell_count, 4);
    assert_true(fabs(audit->cells[0].low - 15) < 1e-6 && fabs(audit->cells[0].high - 25) < 1e-6);
    assert_true(fabs(audit->cells[2].low - 12) < 1e-6 && fabs(audit->cells[2].high - 22) < 1e-6);
    tacit_cells_audit_free(audit);
    tacit_cells_free(cells);
    free(text);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_public),   cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_narrower), cmocka_unit_test(test_pivot),
        cmocka_unit_test(test_round),    cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
