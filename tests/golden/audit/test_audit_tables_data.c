/*
 * test_audit_tables_data.c - the table audit on the tables of the shared data: a pattern on
 * flat10x10x10 that looks safe, relation by relation, and gives away all 68 primary cells, as
 * sdcTable's SIMPLEHEURISTIC_OLD does; and patterns on the other tables against two plain
 * programs a cell. Skipped where the data is not at hand.
 */
#include "audit_tables.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/cells/"

static tacit_cells *read_jj(const char *name)
{
    char path[512];
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    if (access(DATA "README.md", R_OK)) {
        print_message("skipped: no shared data\n");
        skip();
    }
    snprintf(path, sizeof path, DATA "%s.jj", name);
    if (tacit_cells_read_jj(&cells, path, 0, NULL, &err) != TACIT_OK)
        fail_msg("%s:%lld: %s", err.file, (long long)err.line, err.message);
    return cells;
}

/* ---- patterns ---- */

static int suppressed_in(const tacit_cells *cells, const char *status, int32_t r)
{
    int many = 0;
    for (int64_t j = cells->relations.starts[r]; j < cells->relations.starts[r + 1]; j++)
        many += tacit__suppressed(status[cells->relations.items[j]]);
    return many;
}

/* A second cell, of few that are small, in a relation that has a single one. */
static bool mend(char *status, const tacit_cells *cells, int32_t r)
{
    int32_t best = -1;
    if (suppressed_in(cells, status, r) != 1)
        return false;
    for (int64_t j = cells->relations.starts[r]; j < cells->relations.starts[r + 1]; j++) {
        int32_t cell = cells->relations.items[j];
        if (status[cell] == 's' && cells->value[cell] > 0 &&
            (best < 0 || cells->value[cell] < cells->value[best] + random_below(3)))
            best = cell;
    }
    if (best >= 0)
        status[best] = 'x';
    return best >= 0;
}

/* No relation has a single suppressed cell in the end, if that can be. */
static char *naive_pattern(const tacit_cells *cells)
{
    char *status = malloc((size_t)cells->count);
    memcpy(status, cells->status, (size_t)cells->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t r = 0; r < cells->relations.count; r++)
            changed |= mend(status, cells, r);
    }
    return status;
}

/* ---- linear algebra modulo a prime ---- */

#define PRIME UINT64_C(2147483647)

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % PRIME)
        if (exponent & 1)
            result = result * base % PRIME;
    return result;
}

/* Rows to reduced echelon form; returns their rank. pivots gets a column a row. */
static int reduce(uint64_t *matrix, int rows, int columns, int *pivots)
{
    int rank = 0;
    for (int c = 0; c < columns && rank < rows; c++) {
        int pivot = rank;
        while (pivot < rows && !matrix[pivot * columns + c])
            pivot++;
        if (pivot == rows)
            continue;
        uint64_t inverse = power(matrix[pivot * columns + c], PRIME - 2);
        for (int j = 0; j < columns; j++) {
            uint64_t other = matrix[rank * columns + j];
            matrix[rank * columns + j] = matrix[pivot * columns + j] * inverse % PRIME;
            if (pivot != rank)
                matrix[pivot * columns + j] = other;
        }
        for (int i = 0; i < rows; i++) {
            uint64_t factor = matrix[i * columns + c];
            for (int j = c; j < columns && factor && i != rank; j++)
                matrix[i * columns + j] =
                    (matrix[i * columns + j] + (PRIME - factor) * matrix[rank * columns + j]) %
                    PRIME;
        }
        pivots[rank++] = c;
    }
    return rank;
}

/* Which suppressed cells the relations determine, by rank alone; returns how many. */
static int determined(bool *known, const tacit_cells *cells, const char *status)
{
    const tacit_relations *all = &cells->relations;
    int columns = 0, rows = all->count, count = 0;
    int *column = malloc((size_t)cells->count * sizeof *column);
    int *cell_of = malloc((size_t)cells->count * sizeof *cell_of);
    int *pivots = malloc((size_t)rows * sizeof *pivots);
    for (int32_t i = 0; i < cells->count; i++) {
        known[i] = false;
        if (tacit__suppressed(status[i])) {
            cell_of[columns] = i;
            column[i] = columns++;
        }
    }
    uint64_t *matrix = calloc((size_t)rows * (size_t)columns, sizeof *matrix);
    for (int r = 0; r < rows; r++)
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            if (tacit__suppressed(status[all->items[j]]))
                matrix[r * columns + column[all->items[j]]] = all->coefs[j] > 0 ? 1 : PRIME - 1;
    int rank = reduce(matrix, rows, columns, pivots);
    for (int i = 0; i < rank; i++) {
        int entries = 0;
        for (int j = 0; j < columns; j++)
            entries += matrix[i * columns + j] != 0;
        known[cell_of[pivots[i]]] = entries == 1;
        count += entries == 1;
    }
    free(matrix);
    free(pivots);
    free(cell_of);
    free(column);
    return count;
}

/* Patterns by chance until one looks safe and gives all primary cells away. */
static char *treacherous_pattern(const tacit_cells *cells, bool *known)
{
    for (uint64_t seed = 1; seed < 1000; seed++) {
        random_start(seed);
        char *status = naive_pattern(cells);
        int single = 0, open = 0;
        determined(known, cells, status);
        for (int32_t r = 0; r < cells->relations.count; r++)
            single += suppressed_in(cells, status, r) == 1;
        for (int32_t i = 0; i < cells->count; i++)
            open += status[i] == 'u' && !known[i];
        if (single == 0 && open == 0)
            return status;
        free(status);
    }
    fail_msg("no such pattern");
    return NULL;
}

static void test_sixty_eight(void **state)
{
    (void)state;
    tacit_cells *cells = read_jj("flat10x10x10");
    bool *known = malloc((size_t)cells->count);
    char *status = treacherous_pattern(cells, known);
    for (int quick = 0; quick < 2; quick++) {
        tacit_cells_audit_options options = {.primaries = quick};
        tacit_cells_audit *audit = audit_of(cells, status, &options, 1);
        int primaries = 0;
        for (int32_t k = 0; k < audit->cell_count; k++) {
            const tacit_cell_finding *f = &audit->cells[k];
            assert_int_equal(f->disclosed, known[f->cell]);
            if (status[f->cell] == 'u') {
                assert_true(f->disclosed && f->underprotected);
                assert_true(f->low == cells->value[f->cell] && f->high == f->low);
                primaries++;
            }
        }
        assert_int_equal(primaries, 68);
        assert_int_equal(audit->underprotected, 68);
        tacit_cells_audit_free(audit);
    }
    free(status);
    free(known);
    tacit_cells_free(cells);
}

/* Every seventh suppressed cell, both sides. */
static void compare_plain(const tacit_cells *cells, const char *status)
{
    tacit_cells_audit *audit = audit_of(cells, status, NULL, 2);
    tacit__solver *solver = plain_program(cells, status);
    int hidden = 0;
    assert_int_equal(audit->unknown, 0);
    for (int32_t k = 0; k < audit->cell_count; k += 7) {
        const tacit_cell_finding *f = &audit->cells[k];
        double low = plain_bound(solver, f->cell, 1), high = plain_bound(solver, f->cell, -1);
        assert_true(near(f->low, low));
        assert_true(near(f->high, high));
        assert_int_equal(f->disclosed, high - low < 1e-4);
        hidden += !f->disclosed;
    }
    print_message("%d of %d cells compared, %d of them hidden\n", (audit->cell_count + 6) / 7,
                  audit->cell_count, hidden);
    tacit__solver_free(solver);
    tacit_cells_audit_free(audit);
}

static void test_patterns(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"flat40x30", "flat10x10x10", "hier100x100", "TARGUS",
                                        "TABLE1",    "TABLE7",       "HIE1372D"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        tacit_cells *cells = read_jj(NAMES[i]);
        random_start(i + 1);
        char *status = naive_pattern(cells);
        compare_plain(cells, status);
        free(status);
        tacit_cells_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sixty_eight),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
