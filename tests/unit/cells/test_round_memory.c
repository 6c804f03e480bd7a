/*
 * test_round_memory.c - every allocation of the methods that change values failed in turn.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>

#include "starve.h"
#include "suppress.h"
#include "twins.h"

typedef struct work {
    const tacit_cells *cells;
    const tacit_alter_method *method;
} work;

static tacit_status alter(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_altered altered = {.changed = -7};
    tacit_alter_options options;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_alter_options_init(&options);
    tacit_status status = tacit_alter(&altered, w->cells, w->method, &options, &run, err);
    if (status == TACIT_OK)
        tacit_altered_clear(&altered);
    else
        assert_int_equal(altered.changed, -7);
    return status;
}

static void starve_all(const tacit_cells *cells)
{
    for (const tacit_alter_method *m = tacit_alter_methods(); m->name; m++)
        if (m->rounds)
            starve(alter, &(work){cells, m});
}

static void test_tables(void **state)
{
    (void)state;
    random_start(3);
    table_shape shape = {2, true, 9, 20, 0};
    tacit_cells *cells = random_cells(&shape), twin = without_dimensions(cells);
    starve_all(cells);
    starve_all(&twin);
    tacit_cells_free(cells);
}

/* Not a sum of ground cells. */
static void test_relations(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n3\n0 8 8 s 0 20 0 0 0\n1 4 4 s 0 20 0 0 0\n2 2 2 s 0 20 0 0 0\n"
                               "2\n0 2 : 0 (1) 1 (-2)\n10 2 : 0 (1) 2 (1)\n");
    starve_all(cells);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_relations),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
