/*
 * test_local_bound.c - what neighbours make a class cost, where the nearest are known: tables of
 * more columns than a word has bits, in which rows share a known part of them.
 */
#include "records.h"
#include "records/local/local.h"

enum { COLUMNS = 80, ROWS = 24 };

/* Rows of a group of `alike` agree in the first `shared` columns, and nobody in any other. */
static void make_table(fixture *f, int alike, int shared)
{
    char *text = malloc((size_t)(ROWS + 1) * COLUMNS * 6), *at = text;
    for (int c = 0; c < COLUMNS; c++)
        at += sprintf(at, "%sc%d", c ? "," : "", c);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            at += sprintf(at, "%s%d", c ? "," : "\n", c < shared ? r / alike : r);
    fixture_open(f, text);
    for (int c = 0; c < COLUMNS; c++) {
        char name[16];
        sprintf(name, "c%d", c);
        fixture_none(f, name);
    }
    free(text);
}

/* The mean cost of a row by Prec, at least. */
static double bound_of(const fixture *f, int64_t k)
{
    const tacit_records_options options = {.k = k, .metric = TACIT_METRIC_PREC};
    tacit_run run;
    tacit__local local;
    double bound = -1;
    tacit_run_init(&run);
    assert_int_equal(tacit__local_init(&local, &f->frame, &options, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__bound_by_nodes(&bound, &local, NULL), TACIT_OK);
    tacit__local_clear(&local);
    return bound / ROWS;
}

static void known_neighbours(void **state)
{
    (void)state;
    static const int SHARED[] = {0, 1, 20, 60, 79};
    fixture *f = malloc(sizeof *f);
    for (size_t i = 0; i < sizeof SHARED / sizeof SHARED[0]; i++) {
        make_table(f, 3, SHARED[i]);
        for (int64_t k = 2; k <= 3; k++) /* within the group, which is then the best box */
            assert_float_equal(bound_of(f, k), 1 - SHARED[i] / (double)COLUMNS, 1e-9);
        assert_float_equal(bound_of(f, 4), 1, 1e-9); /* and beyond it, where nothing is shared */
        fixture_close(f);
    }
    free(f);
}

/* A class that has k people costs nothing, and one that lacks some counts its own. */
static void own_people(void **state)
{
    (void)state;
    fixture *f = malloc(sizeof *f);
    make_table(f, 2, COLUMNS);
    assert_float_equal(bound_of(f, 2), 0, 1e-9);
    assert_float_equal(bound_of(f, 3), 1, 1e-9);
    fixture_close(f);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_neighbours),
                                       cmocka_unit_test(own_people)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
