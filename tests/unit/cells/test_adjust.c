/*
 * test_adjust.c - controlled adjustment on tables small enough to reckon by hand, what it says
 * where there is no table, and what it leaves when it is stopped.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>

static tacit_cells *table_of(const char *rows)
{
    char text[1024];
    snprintf(text, sizeof text, "r,c,freq,status,lpl,upl\n%s", rows);
    return cells_of(text, &spec_of("r c")->spec, tacit_cells_from_table);
}

static tacit_status adjusted(tacit_altered *out, const tacit_cells *cells,
                             const tacit_alter_options *options, const tacit_run *run,
                             tacit_error *err)
{
    return tacit_alter(out, cells, tacit_alter_method_find("adjust"), options, run, err);
}

static tacit_altered must_adjust(const tacit_cells *cells, const tacit_alter_options *options)
{
    tacit_altered altered = {0};
    tacit_error err = {0};
    if (adjusted(&altered, cells, options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return altered;
}

static double change_of(const tacit_altered *altered, const tacit_cells *cells, const char *name)
{
    int32_t cell = cell_named(cells, name);
    return altered->value[cell] - cells->value[cell];
}

/* 8 by 4, and one that makes up for it in its row, column and their crossing. */
static void test_square(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,x,20,u,4,4\na,y,30,s,0,0\nb,x,40,s,0,0\nb,y,50,s,0,0\n");
    tacit_alter_options options;
    tacit_alter_options_init(&options);
    tacit_altered altered = must_adjust(cells, &options);
    assert_true(altered.proven);
    assert_true(altered.distance == 16 && altered.lower_bound == 16);
    assert_true(fabs(change_of(&altered, cells, "a|x")) == 4);
    assert_int_equal(altered.changed, 4);
    assert_int_equal(altered.broken, 0);
    assert_true(isinf(altered.reach));
    tacit_altered_clear(&altered);
    options.distance = TACIT_DISTANCE_TWO; /* spread over all nine */
    altered = must_adjust(cells, &options);
    assert_true(altered.proven);
    assert_true(altered.distance < 64);
    assert_int_equal(altered.changed, 9);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

/* 3 by 2 both ways: down to 1 it could not have been what is 2 below that. */
static void test_way(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,x,3,u,2,2\na,y,30,s,0,0\nb,x,40,s,0,0\nb,y,50,s,0,0\n");
    tacit_alter_options options;
    unsigned char barred[9] = {0};
    tacit_error err = {0};
    tacit_alter_options_init(&options);
    tacit_altered altered = must_adjust(cells, &options);
    assert_true(change_of(&altered, cells, "a|x") == 2);
    tacit_altered_clear(&altered);
    barred[cell_named(cells, "a|x")] = TACIT_BAR_UP;
    options.barred = barred;
    assert_int_equal(adjusted(&altered, cells, &options, NULL, &err), TACIT_INFEASIBLE);
    assert_non_null(strstr(err.message, "cell a, x"));
    tacit_cells_free(cells);
}

/* Rows and columns that must be published leave nothing to a table of one row. */
static void test_stuck(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,x,20,u,4,4\na,y,30,z,0,0\nb,x,40,s,0,0\nb,y,50,s,0,0\n");
    tacit_alter_options options;
    tacit_altered altered = {0};
    tacit_error err = {0};
    tacit_alter_options_init(&options);
    cells->status[cell_named(cells, "a|Total")] = 'z';
    assert_int_equal(adjusted(&altered, cells, &options, NULL, &err), TACIT_INFEASIBLE);
    assert_non_null(strstr(err.message, "cell a, x"));
    assert_non_null(strstr(err.message, "make up for it"));
    assert_null(altered.value);
    tacit_cells_free(cells);
}

/* Three cells that go 4 either way each, in a row that must stay: any two can, not all. */
static void test_conflict(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,x,20,u,4,4\na,y,20,u,4,4\na,z,20,u,4,4\n"
                                  "b,x,40,s,0,0\nb,y,50,s,0,0\nb,z,60,s,0,0\n");
    tacit_alter_options options;
    tacit_altered altered = {0};
    tacit_error err = {0};
    tacit_alter_options_init(&options);
    cells->status[cell_named(cells, "a|Total")] = 'z';
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u') {
            cells->lower[i] = 12;
            cells->upper[i] = 28;
        }
    assert_int_equal(adjusted(&altered, cells, &options, NULL, &err), TACIT_INFEASIBLE);
    assert_non_null(strstr(err.message, "there is no table"));
    tacit_cells_free(cells);
}

/* Nothing to hide, nothing to change. */
static void test_nothing(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,x,2,s,0,0\na,y,3,s,0,0\nb,x,0,s,0,0\nb,y,5,s,0,0\n");
    tacit_alter_options options;
    tacit_alter_options_init(&options);
    tacit_altered altered = must_adjust(cells, &options);
    assert_true(altered.proven && altered.distance == 0 && altered.changed == 0);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

/* ---- stopped ---- */

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase;
    (void)done;
    (void)total;
    return (*left)-- > 0;
}

static tacit_cells *large(void)
{
    static char text[65536];
    int at = sprintf(text, "r,c,freq,status\n");
    random_start(5);
    for (int k = 0; k < 900; k++) {
        int value = 1 + random_below(12);
        at += sprintf(text + at, "r%d,c%d,%d,%s\n", k / 30, k % 30, value, value < 3 ? "u" : "s");
    }
    return cells_of(text, &spec_of("r c")->spec, tacit_cells_from_table);
}

/* However soon it is stopped: a table, or none. */
static void test_stopped(void **state)
{
    (void)state;
    tacit_cells *cells = large();
    int found = 0, none = 0;
    for (int asked = 0; asked < 60; asked += 3) {
        int left = asked;
        tacit_alter_options options;
        tacit_altered altered = {0};
        tacit_error err = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.progress = stop_after;
        run.payload = &left;
        tacit_alter_options_init(&options);
        tacit_status status = adjusted(&altered, cells, &options, &run, &err);
        if (status == TACIT_OK) {
            assert_true(altered.stopped && !altered.proven);
            assert_int_equal(err.status, TACIT_OK);
            assert_true(altered.distance >= altered.lower_bound);
            for (int32_t i = 0; i < cells->count; i++)
                assert_true(cells->status[i] != 'u' || altered.value[i] != cells->value[i]);
            found++;
        } else {
            assert_int_equal(status, TACIT_CANCELLED);
            none++;
        }
        tacit_altered_clear(&altered);
    }
    assert_true(found > 0 && none > 0);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square),  cmocka_unit_test(test_way),
        cmocka_unit_test(test_stuck),   cmocka_unit_test(test_conflict),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
