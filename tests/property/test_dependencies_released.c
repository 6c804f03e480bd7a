/*
 * test_dependencies_released.c - what random releases with blanks prove: against every way to
 * fill the blanks in, and against the definitions pair by pair.
 */
#include "dependencies.h"

#include "random_cases.h"

enum { BLANK = 1000, MAX_BLANKS = 5, VALUES = 4 };

static numbers table, filled;

static void draw_table(uint64_t *seed, int rows, int columns, uint32_t values)
{
    table.rows = rows;
    table.columns = columns;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            table.at[r][c] = (int)next_number(seed, values);
}

static void draw_blanks(uint64_t *seed, uint32_t blanks)
{
    for (uint32_t i = 0; table.rows && i < blanks; i++)
        table.at[next_number(seed, (uint32_t)table.rows)]
                [next_number(seed, (uint32_t)table.columns)] = BLANK;
}

/* Whether a dependency holds in every completion; two values are ones that no cell has. */
static bool holds_always(uint64_t left, int right)
{
    int *open[MAX_BLANKS], count = 0;
    filled = table;
    for (int r = 0; r < table.rows; r++)
        for (int c = 0; c < table.columns; c++)
            if (table.at[r][c] == BLANK)
                open[count++] = &filled.at[r][c];
    for (int code = 0; code < 1 << 2 * count; code++) {
        for (int i = 0; i < count; i++)
            *open[i] = code >> 2 * i & (VALUES - 1);
        if (!numbers_hold(&filled, left, right))
            return false;
    }
    return true;
}

static bool agree(int a, int b, uint64_t columns)
{
    for (int c = 0; c < table.columns; c++)
        if ((columns >> c & 1) && table.at[a][c] != table.at[b][c] && table.at[a][c] != BLANK &&
            table.at[b][c] != BLANK)
            return false;
    return true;
}

/* The definition, without completions. */
static bool provable(uint64_t left, int right)
{
    for (int a = 0; a < table.rows; a++)
        for (int b = 0; b < a; b++)
            if (agree(a, b, left) &&
                (table.at[a][right] != table.at[b][right] || table.at[a][right] == BLANK))
                return false;
    return true;
}

static uint64_t unlike(uint64_t quasi)
{
    uint64_t found = 0;
    for (int a = 0; a < table.rows; a++)
        for (int b = 0; b < a; b++)
            for (int c = 0; c < table.columns && agree(a, b, quasi); c++)
                found |= (uint64_t)!agree(a, b, UINT64_C(1) << c) << c;
    return found;
}

/* All dependencies there could be. */
static int64_t list_all(tacit_dependency *list)
{
    int64_t count = 0;
    for (int right = 0; right < table.columns; right++)
        for (uint64_t left = 0; left < UINT64_C(1) << table.columns; left++)
            if (!(left >> right & 1))
                list[count++] = (tacit_dependency){left, right};
    return count;
}

/* Compares a random release; returns how many dependencies it proves. */
static int64_t compare(uint64_t quasi, bool completions)
{
    static tacit_dependency list[1024];
    int64_t count = list_all(list), proven = 0, family = 0;
    int32_t columns[GRID_COLUMNS];
    fixture f;
    tacit_error err = {0};
    tacit_released_dependencies *found = NULL;
    numbers_open(&f, &table, BLANK);
    first_columns(columns, table.columns);
    if (tacit_dependencies_released(&found, list, count, f.table, columns, table.columns, quasi,
                                    NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(found->count, count);
    assert_int_equal(found->unlike, unlike(quasi));
    for (int64_t i = 0; i < count; i++) {
        bool is = completions ? holds_always(list[i].left, list[i].right)
                              : provable(list[i].left, list[i].right);
        bool hidden = !(list[i].left & ~quasi) && (found->unlike >> list[i].right & 1);
        assert_int_equal(found->fates[i].provable, is);
        assert_int_equal(found->fates[i].family, hidden);
        assert_false(is && hidden); /* Theorem 4 */
        proven += is;
        family += hidden;
    }
    assert_int_equal(found->provable, proven);
    assert_int_equal(found->family, family);
    tacit_released_dependencies_free(found);
    fixture_close(&f);
    return proven;
}

static void completions(void **state)
{
    uint64_t *seed = *state;
    int64_t proven = 0;
    for (*seed = 1; *seed <= many_cases(1500); (*seed)++) {
        uint64_t draw = *seed;
        int rows = (int)next_number(&draw, 5), columns = 2 + (int)next_number(&draw, 2);
        draw_table(&draw, rows, columns, 2);
        draw_blanks(&draw, next_number(&draw, MAX_BLANKS + 1));
        proven += compare(next_number(&draw, 1u << columns), true);
    }
    assert_true(proven > 100);
    *seed = 0;
}

static void pairs(void **state)
{
    uint64_t *seed = *state;
    int64_t proven = 0;
    for (*seed = 1; *seed <= many_cases(1500); (*seed)++) {
        uint64_t draw = *seed;
        int rows = (int)next_number(&draw, 30), columns = 2 + (int)next_number(&draw, 4);
        draw_table(&draw, rows, columns, 2 + next_number(&draw, 12));
        draw_blanks(&draw, next_number(&draw, 20));
        proven += compare(next_number(&draw, 1u << columns), false);
    }
    assert_true(proven > 100);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(completions, &seed),
        random_test(pairs, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
