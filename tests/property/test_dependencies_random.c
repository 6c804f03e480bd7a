/*
 * test_dependencies_random.c - minimal functional dependencies of random tables against all
 * sets of columns, and what a search that is stopped gives.
 */
#include "dependencies.h"

#include "random_cases.h"

enum { MAX_FOUND = 4096 };

static numbers table;
static tacit_dependency expected[MAX_FOUND];

/* Columns of few values, some of them made from others. */
static void fill(uint64_t *seed, int rows, int columns)
{
    table.rows = rows;
    table.columns = columns;
    for (int c = 0; c < columns; c++) {
        uint32_t values = 1 + next_number(seed, 5), kind = next_number(seed, 4);
        int from = c ? (int)next_number(seed, (uint32_t)c) : 0;
        int with = c ? (int)next_number(seed, (uint32_t)c) : 0;
        for (int r = 0; r < rows; r++) {
            table.at[r][c] = (int)next_number(seed, values);
            if (c && kind == 0)
                table.at[r][c] = table.at[r][from] / 2;
            if (c && kind == 1)
                table.at[r][c] = (table.at[r][from] + 3 * table.at[r][with] + 4) % 7;
            if (next_number(seed, 20) == 0 && kind == 2)
                table.at[r][c] = -1;
        }
    }
}

static tacit_dependencies *find(const fixture *f, int32_t most, const tacit_run *run)
{
    int32_t columns[GRID_COLUMNS];
    tacit_dependencies *found = NULL;
    tacit_error err = {0};
    int32_t count = first_columns(columns, table.columns);
    if (tacit_dependencies_find(&found, f->table, columns, count, most, run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return found;
}

static void same_list(const tacit_dependencies *found, int64_t count)
{
    assert_int_equal(found->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(found->list[i].left, expected[i].left);
        assert_int_equal(found->list[i].right, expected[i].right);
    }
}

static void compare(const fixture *f, int most)
{
    int64_t count = numbers_dependencies(expected, &table, most ? most : table.columns);
    tacit_dependencies *found = find(f, most, NULL);
    same_list(found, count);
    assert_int_equal(found->end, TACIT_OK);
    assert_true(found->complete == table.columns || found->complete == most);
    tacit_dependencies_free(found);
}

static void small_tables(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(4000); (*seed)++) {
        uint64_t draw = *seed;
        fixture f;
        int rows = (int)next_number(&draw, 13), columns = 1 + (int)next_number(&draw, 6);
        fill(&draw, rows, columns);
        numbers_open(&f, &table, INT32_MAX);
        compare(&f, 0);
        compare(&f, 1 + (int)next_number(&draw, 3));
        fixture_close(&f);
    }
    *seed = 0;
}

/* Too many rows for all pairs to be looked at, and rows that seldom differ: some
 * dependencies fail when they are tested only. */
static void large_tables(void **state)
{
    uint64_t *seed = *state;
    int64_t tested = 0, count = 0;
    for (*seed = 1; *seed <= many_cases(12); (*seed)++) {
        uint64_t draw = *seed;
        fixture f;
        fill(&draw, 1600, 4);
        table.columns = 7;
        for (int r = 0; r < table.rows; r++) {
            table.at[r][4] = (int)next_number(&draw, 700);
            table.at[r][5] = (int)next_number(&draw, 700);
            table.at[r][6] = table.at[r][4] / 7 + (next_number(&draw, 400) == 0);
        }
        numbers_open(&f, &table, INT32_MAX);
        compare(&f, 0);
        tacit_dependencies *found = find(&f, 0, NULL);
        tested += found->tested;
        count += found->count;
        tacit_dependencies_free(found);
        fixture_close(&f);
    }
    assert_true(tested > 0 && count > 0);
    *seed = 0;
}

static bool count_down(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return (*(int64_t *)payload)-- > 0;
}

/* Whenever it is stopped, all dependencies of up to `complete` columns are there. */
static void stopped(void **state)
{
    uint64_t *seed = *state;
    int64_t given = 0, refused = 0;
    for (*seed = 1; *seed <= many_cases(300); (*seed)++) {
        uint64_t draw = *seed;
        fixture f;
        tacit_run run;
        int32_t columns[GRID_COLUMNS];
        tacit_dependencies *found = NULL;
        int64_t left = (int64_t)next_number(&draw, 24);
        tacit_run_init(&run);
        run.progress = count_down;
        run.payload = &left;
        fill(&draw, 200, 9);
        numbers_open(&f, &table, INT32_MAX);
        int32_t count = first_columns(columns, table.columns);
        tacit_status status =
            tacit_dependencies_find(&found, f.table, columns, count, 0, &run, NULL);
        if (status == TACIT_OK) {
            assert_true(found->end == TACIT_OK || found->complete < table.columns);
            same_list(found, numbers_dependencies(expected, &table, found->complete));
            given += found->end == TACIT_CANCELLED;
        } else {
            assert_int_equal(status, TACIT_CANCELLED);
            assert_null(found);
            refused++;
        }
        tacit_dependencies_free(found);
        fixture_close(&f);
    }
    assert_true(given > 0 && refused > 0);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(small_tables, &seed),
        random_test(large_tables, &seed),
        random_test(stopped, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
