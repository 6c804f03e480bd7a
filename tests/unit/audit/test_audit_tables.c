/*
 * test_audit_tables.c - the table audit on small tables whose answer is plain: what is
 * disclosed by one relation or by bounds; contributors who know their own; sums; the
 * judge; solvers that fail in every way; cancelling; threads.
 */
#include "audit_tables.h"

#include "fake_solver.h"

/* Where an output was before. */
#define UNTOUCHED ((tacit_cells_audit *)(void *)&frequencies)

static int64_t frequencies[16];

/* Rows 20 50 10, 8 19 22 and 17 32 12 with their totals, the totals first. */
static const int EXAMPLE[16] = {190, 45, 101, 44, 80, 20, 50, 10, 49, 8, 19, 22, 61, 17, 32, 12};
static const shape FOUR = {.dimensions = 2, .codes = {4, 4}};

static tacit_cells *example(const char *letters)
{
    made_cell list[16];
    for (int i = 0; i < 16; i++)
        list[i] = (made_cell){.value = EXAMPLE[i],
                              .status = letters[i],
                              .upper = 1000,
                              .lpl = letters[i] == 'u' ? 2 : 0,
                              .upl = letters[i] == 'u' ? 3 : 0};
    return cells_made(&FOUR, list);
}

static const tacit_cell_finding *finding(const tacit_cells_audit *audit, int32_t cell)
{
    for (int32_t k = 0; k < audit->cell_count; k++)
        if (audit->cells[k].cell == cell)
            return &audit->cells[k];
    fail_msg("cell %d is not in the audit", cell);
    return NULL;
}

/* Letters by row: the totals, then the three rows, each with its total first. */
#define RECTANGLE \
    "ssss"        \
    "ssss"        \
    "sxsu"        \
    "sxsx"
#define TWO_ROWS \
    "ssss"       \
    "ssss"       \
    "sxxu"       \
    "sxxx"

static void test_plain_cases(void **state)
{
    (void)state;
    static const struct {
        const char *letters;
        int count, disclosed, under;
        double low, high; /* of cell 11, which is 22 */
    } CASES[] = {
        {"ssss"
         "ssss"
         "ssss"
         "ssss",
         0, 0, 0, 0, 0},
        {"ssss"
         "ssss"
         "sssu"
         "ssss",
         1, 1, 1, 22, 22}, /* alone in its row */
        {"ssss"
         "ssss"
         "ssxu"
         "ssss",
         2, 2, 1, 22, 22}, /* alone in its column */
        {RECTANGLE, 4, 0, 0, 22 - 17, 22 + 8},
        {"ssss"
         "sxss"
         "sxsu"
         "sxsx",
         5, 1, 0, 22 - 17, 22 + 8}, /* 5 is for nothing */
        {TWO_ROWS, 6, 0, 0, 0, 22 + 12},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = example(CASES[i].letters);
        tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
        assert_int_equal(audit->cell_count, CASES[i].count);
        assert_int_equal(audit->disclosed, CASES[i].disclosed);
        assert_int_equal(audit->underprotected, CASES[i].under);
        if (CASES[i].count > 0) {
            const tacit_cell_finding *f = finding(audit, 11);
            assert_true(near(f->low, CASES[i].low) && near(f->high, CASES[i].high));
            assert_true(f->required_low == 20 && f->required_high == 25);
        }
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* Bounds that everybody knows make the interval as narrow, or disclose what no relation does. */
static void test_bounds(void **state)
{
    (void)state;
    static const struct {
        double lower, upper; /* of cell 9, which is 8 and moves against cell 11 */
        double low, high;    /* of cell 11 */
        bool disclosed, under;
    } CASES[] = {
        {6, 11, 19, 24, false, true},
        {5, 10, 20, 25, false, false},
        {8, 100, 5, 22, false, true},
        {8, 8, 22, 22, true, true},
        {8 - 1e-12, 8 + 1e-12, 22, 22, true, true}, /* rounding is no room */
        {-INFINITY, INFINITY, 5, 34, false, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = example(RECTANGLE);
        cells->lower[9] = CASES[i].lower;
        cells->upper[9] = CASES[i].upper;
        tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
        const tacit_cell_finding *f = finding(audit, 11);
        assert_true(near(f->low, CASES[i].low) && near(f->high, CASES[i].high));
        assert_int_equal(f->disclosed, CASES[i].disclosed);
        assert_int_equal(f->underprotected, CASES[i].under);
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* Cells of no relation are known by their bounds alone. */
static void test_no_relations(void **state)
{
    (void)state;
    tacit_cells *cells =
        jj_of("0\n3\n0 5 1 u 0 9 1 1 0\n1 5 1 u 5 5 0 0 0\n2 5 1 s 0 9 0 0 0\n0\n");
    tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
    assert_int_equal(audit->cell_count, 2);
    assert_true(audit->cells[0].low == 0 && audit->cells[0].high == 9);
    assert_false(audit->cells[0].disclosed);
    assert_true(audit->cells[1].disclosed && audit->cells[1].underprotected);
    assert_int_equal(audit->programs, 0);
    tacit_cells_audit_free(audit);
    tacit_cells_free(cells);
}

/* Values of 10^10 and of 10^-3: the same pattern, the same verdict. */
static void test_sizes(void **state)
{
    (void)state;
    static const double FACTORS[] = {1, 1e9, 1e-4, 12345678.9, 1e-6};
    for (size_t i = 0; i < sizeof FACTORS / sizeof *FACTORS; i++) {
        tacit_cells *cells = example(TWO_ROWS);
        for (int c = 0; c < 16; c++) {
            cells->value[c] *= FACTORS[i];
            cells->upper[c] *= FACTORS[i];
            cells->lpl[c] *= FACTORS[i];
            cells->upl[c] *= FACTORS[i];
        }
        tacit_cells_audit *audit = audit_of(cells, NULL, NULL, 1);
        assert_true(fabs(finding(audit, 11)->high / FACTORS[i] - 34) < 1e-6);
        assert_int_equal(audit->disclosed + audit->underprotected, 0);
        tacit_cells_audit_free(audit);
        cells->upl[11] = 12.01 * FACTORS[i]; /* 12 is what the others allow */
        audit = audit_of(cells, NULL, NULL, 1);
        assert_true(finding(audit, 11)->underprotected);
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* A cell that hardly moves makes others hardly move with it, but not without it: in whichever
 * column it is. */
static void test_hardly_moving(void **state)
{
    (void)state;
    for (int column = 1; column < 4; column++)
        for (int primaries = 0; primaries < 2; primaries++) {
            int values[16] = {0};
            made_cell list[16];
            for (int i = 5; i < 16; i++)
                values[i] = i % 4 == column ? 8 : 30 + i;
            add_up(&FOUR, values);
            for (int i = 0; i < 16; i++)
                list[i] = (made_cell){.value = values[i],
                                      .status = i > 8 && (i % 4 || i == 12) ? 'x' : 's',
                                      .upper = 1000};
            list[8 + column].lower = 8 - 8.5e-9;
            list[8 + column].upper = 8 + 8.5e-9;
            tacit_cells *cells = cells_made(&FOUR, list);
            tacit_cells_audit_options options = {.primaries = primaries};
            tacit_cells_audit *audit = audit_of(cells, NULL, &options, 1);
            assert_int_equal(audit->cell_count, 7);
            assert_int_equal(audit->disclosed, 1); /* the total of the last row */
            assert_true(finding(audit, 12)->disclosed);
            assert_true(finding(audit, 8 + column)->high < 8.001);
            tacit_cells_audit_free(audit);
            tacit_cells_free(cells);
        }
}

/* ---- contributors ---- */

static double tops[32];
static int32_t owners[32];

/* The example with contributors: 5 to every cell, of which the caller changes some. */
static tacit_cells *with_contributors(const char *letters)
{
    tacit_cells *cells = example(letters);
    for (int i = 0; i < 16; i++) {
        frequencies[i] = 5;
        tops[2 * i] = tops[2 * i + 1] = cells->value[i] / 5;
        owners[2 * i] = owners[2 * i + 1] = -1;
    }
    cells->freq = frequencies;
    cells->top_count = 2;
    cells->top = tops;
    cells->top_owner = owners;
    return cells;
}

static void free_contributors(tacit_cells *cells)
{
    cells->freq = NULL;
    cells->top = NULL;
    cells->top_owner = NULL;
    tacit_cells_free(cells);
}

static void sole(int cell, int owner)
{
    frequencies[cell] = 1;
    tops[2 * cell] = EXAMPLE[cell];
    tops[2 * cell + 1] = 0;
    owners[2 * cell] = owner;
}

static const tacit_cells_audit_options SINGLETONS = {.singletons = true}, SUMS = {.sums = true};

/* Who knows one corner of a rectangle knows all. */
static void test_one_contributor(void **state)
{
    (void)state;
    tacit_cells *cells = with_contributors("ssss"
                                           "ssss"
                                           "susu"
                                           "sxsx");
    tacit_cells_audit *audit = audit_of(cells, NULL, &SINGLETONS, 1);
    assert_int_equal(audit->singleton_count, 0);
    tacit_cells_audit_free(audit);
    sole(9, -1);
    audit = audit_of(cells, NULL, &SINGLETONS, 1);
    assert_int_equal(audit->singleton_count, 1);
    assert_int_equal(audit->singletons[0].insider, 9);
    assert_int_equal(audit->singletons[0].cell, 11);
    assert_true(audit->singletons[0].disclosed && audit->singletons[0].low == 22);
    tacit_cells_audit_free(audit);
    free_contributors(cells);
}

/* One who gave 7 of the 8 in cell 9 knows that cell 11 is at most 23. */
static void test_two_contributors(void **state)
{
    (void)state;
    tacit_cells *cells = with_contributors(RECTANGLE);
    frequencies[9] = 2;
    tops[18] = 7;
    tops[19] = 1;
    tacit_cells_audit *audit = audit_of(cells, NULL, &SINGLETONS, 1);
    assert_int_equal(audit->singleton_count, 1);
    assert_int_equal(audit->singletons[0].cell, 11);
    assert_true(near(audit->singletons[0].high, 23) && !audit->singletons[0].disclosed);
    tacit_cells_audit_free(audit);
    free_contributors(cells);
}

/* Either of two cells tells little; both tell the third. */
static void test_owner_of_two(void **state)
{
    (void)state;
    tacit_cells *cells = with_contributors(TWO_ROWS);
    sole(9, 1);
    sole(10, 2);
    tacit_cells_audit *audit = audit_of(cells, NULL, &SINGLETONS, 1);
    assert_int_equal(audit->singleton_count, 0);
    tacit_cells_audit_free(audit);
    sole(10, 1);
    audit = audit_of(cells, NULL, &SINGLETONS, 1);
    assert_int_equal(audit->singleton_count, 1);
    assert_true(audit->singletons[0].cell == 11 && audit->singletons[0].disclosed);
    tacit_cells_audit_free(audit);
    free_contributors(cells);
}

static void test_singletons_need_freq(void **state)
{
    (void)state;
    tacit_cells *cells = example(RECTANGLE);
    tacit_cells_audit *audit = UNTOUCHED;
    tacit_error err = {0};
    assert_int_equal(tacit_audit_cells(&audit, cells, NULL, &SINGLETONS, NULL, &err),
                     TACIT_INVALID);
    assert_ptr_equal(audit, UNTOUCHED);
    assert_non_null(strstr(err.message, "freq"));
    tacit_cells_free(cells);
}

/* ---- sums ---- */

static void test_sums(void **state)
{
    (void)state;
    static const struct {
        const char *letters;
        int found;
        int relation_cell; /* of the sum's relation, its total */
        double low, high;
    } CASES[] = {
        {"ssss"
         "ssss"
         "susu"
         "sxsx",
         1, 8, 30, 30}, /* two primary cells, and nothing else */
        {"ssss"
         "ssss"
         "suxu"
         "sxxx",
         0, 0, 0, 0}, /* with a third to hide their sum */
        {"ssss"
         "ssss"
         "suuu"
         "sxxx",
         0, 0, 0, 0}, /* three: the least hides the others */
        {RECTANGLE, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = example(CASES[i].letters);
        tacit_cells_audit *audit = audit_of(cells, NULL, &SUMS, 1);
        assert_int_equal(audit->sum_count, CASES[i].found);
        if (CASES[i].found) {
            const tacit_sum_finding *f = &audit->sums[0];
            const tacit_relations *all = &cells->relations;
            assert_int_equal(all->items[all->starts[f->relation]], CASES[i].relation_cell);
            assert_true(f->value == 30 && f->primaries == 2 && f->disclosed);
            assert_true(f->low == CASES[i].low && f->high == CASES[i].high);
        }
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* A sum that can move a little only, because its complement is bounded. */
static void test_bounded_sum(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        tacit_cells *cells = example("ssss"
                                     "ssss"
                                     "suxu"
                                     "sxxx");
        cells->lower[10] = 19 - (wide ? 3 : 1);
        cells->upper[10] = 19 + (wide ? 2 : 1);
        tacit_cells_audit *audit = audit_of(cells, NULL, &SUMS, 1);
        assert_int_equal(audit->sum_count, !wide);
        if (!wide) {
            assert_true(near(audit->sums[0].low, 29) && near(audit->sums[0].high, 31));
            assert_false(audit->sums[0].disclosed);
        }
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* Cells 1 and 2 move with cells 3 and 4, not with each other, and their sum by both. */
static void test_sum_of_blocks(void **state)
{
    (void)state;
    for (int level = 1; level < 4; level++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "0\n5\n0 9 1 s 0 9 0 0 0\n1 5 1 u 4 6 %d %d 0\n2 5 1 u 4 6 %d %d 0\n"
                 "3 5 1 x 0 9 0 0 0\n4 5 1 x 0 9 0 0 0\n3\n"
                 "0 4 : 1 (1) 2 (1) 3 (-1) 4 (-1)\n0 2 : 1 (1) 3 (-1)\n0 2 : 2 (1) 4 (-1)\n",
                 level, level, level, level);
        tacit_cells *cells = jj_of(text);
        tacit_cells_audit *audit = audit_of(cells, NULL, &SUMS, 1);
        assert_int_equal(audit->blocks, 2);
        assert_int_equal(audit->sum_count, level > 2);
        if (level > 2)
            assert_true(near(audit->sums[0].low, 8) && near(audit->sums[0].high, 12));
        tacit_cells_audit_free(audit);
        tacit_cells_free(cells);
    }
}

/* Contributors of several cells are one: 11 from two of them leaves the rest too small. */
static void test_sum_of_owners(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        tacit_cells *cells = with_contributors("ssss"
                                               "ssss"
                                               "suuu"
                                               "sxxx");
        for (int i = 9; i < 12; i++)
            sole(i, i == 10 && same ? 9 : i);
        tacit_cells_audit *audit = audit_of(cells, NULL, &SUMS, 1);
        assert_int_equal(audit->sum_count, same);
        tacit_cells_audit_free(audit);
        free_contributors(cells);
    }
}

/* ---- the judge, and what goes wrong ---- */

static void test_judge(void **state)
{
    (void)state;
    tacit_cells *cells = example("ssss"
                                 "suss"
                                 "sxsu"
                                 "sxsx");
    int32_t exposed[16], count = -1;
    assert_int_equal(tacit_audit_cells_judge(exposed, &count, cells, NULL, NULL, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(exposed[0], 5);
    char letters[16];
    memcpy(letters, RECTANGLE, 16);
    assert_int_equal(tacit_audit_cells_judge(exposed, &count, cells, letters, NULL, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(count, 0);
    tacit_cells_free(cells);
}

/* Whatever the solver does, nothing is called safe that is not, and no interval wider. */
static void check_faulty(const tacit_cells *cells, const tacit_cells_audit *truth, bool primaries)
{
    tacit__solver_backend backend = fake_backend();
    tacit_cells_audit_options options = {.primaries = primaries};
    tacit__audit_settings settings = {.backend = &backend, .window = 1};
    tacit_cells_audit *audit = NULL;
    assert_int_equal(tacit__audit_cells_with(&audit, cells, NULL, &options, &settings, NULL, NULL),
                     TACIT_OK);
    for (int32_t k = 0; k < truth->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k], *t = &truth->cells[k];
        assert_true(f->low >= t->low - 1e-5 && f->high <= t->high + 1e-5);
        assert_true(f->disclosed || !t->disclosed);
        assert_true(f->underprotected || !t->underprotected);
        assert_true(!f->unknown || f->disclosed);
        if (!primaries && !f->unknown)
            assert_true(near(f->low, t->low) && near(f->high, t->high));
    }
    /* Other faults leave a point that is checked, and may prove enough. */
    bool no_point = fake.fault == POINT_OUTSIDE || fake.fault == POINT_NO_NUMBER;
    if (no_point && fake.from == 0 && !fake.times)
        assert_true(audit->unknown > 0);
    tacit_cells_audit_free(audit);
}

static void test_faults(void **state)
{
    (void)state;
    tacit_cells *cells = example("ssss"
                                 "sxux"
                                 "sxxu"
                                 "sxxx");
    cells->upl[11] = 20;
    tacit_cells_audit *truth = audit_of(cells, NULL, NULL, 1);
    assert_true(truth->programs > 4);
    for (int which = NO_FAULT; which < FAULTS; which++)
        for (int from = 0; from < 16; from++)
            for (int times = 0; times < 3; times++)
                for (int primaries = 0; primaries < 2; primaries++) {
                    fake_set(which, from, times);
                    check_faulty(cells, truth, primaries);
                }
    tacit_cells_audit_free(truth);
    tacit_cells_free(cells);
}

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase;
    (void)done;
    (void)total;
    return (*left)-- > 0;
}

static void test_cancel(void **state)
{
    (void)state;
    tacit_cells *cells = with_contributors("ssss"
                                           "sxux"
                                           "sxxu"
                                           "sxxx");
    sole(9, -1);
    tacit_cells_audit_options options = {.singletons = true, .sums = true};
    int cancelled = 0;
    for (int calls = 0, left = -1; left < 0; calls++) {
        tacit_cells_audit *audit = UNTOUCHED;
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        run.progress = stop_after;
        run.payload = &left;
        left = calls;
        tacit_status status = tacit_audit_cells(&audit, cells, NULL, &options, &run, NULL);
        cancelled += status == TACIT_CANCELLED;
        if (status == TACIT_OK)
            tacit_cells_audit_free(audit);
        else
            assert_ptr_equal(audit, UNTOUCHED);
        assert_int_equal(status, left < 0 ? TACIT_CANCELLED : TACIT_OK);
    }
    assert_true(cancelled > 5);
    free_contributors(cells);
}

/* More targets than one task takes, and several blocks. */
static tacit_cells *large_table(void)
{
    enum { SIDE = 34 };
    static made_cell list[SIDE * SIDE];
    static int values[SIDE * SIDE];
    shape s = {.dimensions = 2, .codes = {SIDE, SIDE}};
    random_start(7);
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = random_below(9);
    add_up(&s, values);
    for (int i = 0; i < SIDE * SIDE; i++) {
        bool ground = i % SIDE && i / SIDE;
        bool hidden = ground && ((i % SIDE < 29) == (i / SIDE < 29)) && random_below(20);
        list[i] = (made_cell){.value = values[i],
                              .status = !hidden           ? 's'
                                        : random_below(3) ? 'x'
                                                          : 'u',
                              .upper = 100000,
                              .lpl = random_below(values[i] + 1),
                              .upl = random_below(120)};
    }
    return cells_made(&s, list);
}

/* Verdicts alone are those that follow from the intervals. */
static void test_verdicts(void **state)
{
    (void)state;
    tacit_cells *cells = large_table();
    tacit_cells_audit *full = audit_of(cells, NULL, NULL, 2);
    tacit_cells_audit *quick =
        audit_of(cells, NULL, &(tacit_cells_audit_options){.primaries = true}, 2);
    assert_true(full->underprotected > 20 && quick->programs < full->programs);
    for (int32_t k = 0; k < full->cell_count; k++) {
        assert_int_equal(full->cells[k].disclosed, quick->cells[k].disclosed);
        assert_int_equal(full->cells[k].underprotected, quick->cells[k].underprotected);
    }
    tacit_cells_audit_free(full);
    tacit_cells_audit_free(quick);
    tacit_cells_free(cells);
}

static void test_threads(void **state)
{
    (void)state;
    tacit_cells *cells = large_table();
    for (int primaries = 0; primaries < 2; primaries++) {
        tacit_cells_audit_options options = {.primaries = primaries, .sums = true};
        tacit_cells_audit *one = audit_of(cells, NULL, &options, 1);
        assert_int_equal(one->blocks, 2);
        assert_true(one->cell_count > 700);
        for (int threads = 2; threads < 6; threads += 3) {
            tacit_cells_audit *many = audit_of(cells, NULL, &options, threads);
            assert_int_equal(many->cell_count, one->cell_count);
            assert_int_equal(many->programs, one->programs);
            assert_int_equal(many->sum_count, one->sum_count);
            for (int32_t k = 0; k < one->cell_count; k++) {
                const tacit_cell_finding *a = &one->cells[k], *b = &many->cells[k];
                assert_true(a->low == b->low && a->high == b->high);
                assert_int_equal(a->disclosed, b->disclosed);
                assert_int_equal(a->underprotected, b->underprotected);
            }
            tacit_cells_audit_free(many);
        }
        tacit_cells_audit_free(one);
    }
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_cases),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_no_relations),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_one_contributor),
        cmocka_unit_test(test_two_contributors),
        cmocka_unit_test(test_owner_of_two),
        cmocka_unit_test(test_singletons_need_freq),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_bounded_sum),
        cmocka_unit_test(test_sum_of_owners),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_hardly_moving),
        cmocka_unit_test(test_sum_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
