/*
 * test_least.c - the fewest rows of a group that keeps a model: by hand, and against all groups
 * that there could be.
 */
#include "models.h"

#include "records/models/keep.h"

enum { VALUES = 3, MOST = 24 };

/* Shares of values that occur so often. */
static tacit__models_shares shares_of(uint32_t *totals, uint32_t count)
{
    tacit__models_shares shares;
    const tacit__values values = {.grid = -1, .codes = count, .totals = totals};
    assert_int_equal(tacit__shares_init(&shares, &values, NULL, NULL), TACIT_OK);
    return shares;
}

/* Ten values, each in a tenth of the rows. Of n rows that differ n tenths are in common with the
 * table; a value may have two tenths of them under a likeness of 1; and twenty rows under an alpha
 * of a twentieth. */
static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        tacit_model_bound bound;
        int64_t least;
    } CASES[] = {
        {{.kind = TACIT_MODEL_CLOSENESS, .bound = 0.3}, 7},
        {{.kind = TACIT_MODEL_CLOSENESS, .bound = 0}, 10},
        {{.kind = TACIT_MODEL_CLOSENESS, .bound = 0.95}, 1},
        {{.kind = TACIT_MODEL_LIKENESS, .bound = 1}, 5},
        {{.kind = TACIT_MODEL_DISCLOSURE, .bound = 1}, 10},
        {{.kind = TACIT_MODEL_DISTINCT, .bound = 4}, 4},
        {{.kind = TACIT_MODEL_ENTROPY, .bound = 3.5}, 4},
        {{.kind = TACIT_MODEL_RECURSIVE, .bound = 3, .second = 2}, 3},
        {{.kind = TACIT_MODEL_ALPHA, .bound = 0.05}, 20},
        {{.kind = TACIT_MODEL_RANGE, .bound = 5}, 2},
        {{.kind = TACIT_MODEL_CLOSENESS_ORDER, .bound = 0.1}, 1},
        {{.kind = TACIT_MODEL_MAP, .bound = 9}, 1},
    };
    uint32_t totals[10] = {6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    tacit__models_shares shares = shares_of(totals, 10);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(tacit__least_rows(&CASES[i].bound, &shares), CASES[i].least);
    tacit__shares_clear(&shares);
}

/* Whether some group of so many rows keeps the model. */
static bool can_keep(const tacit_model_bound *bound, const tacit__models_shares *shares,
                     uint32_t rows)
{
    const tacit__values values = {.grid = -1, .codes = VALUES};
    bool keeps = false;
    for (uint32_t x = 0; x <= rows; x++)
        for (uint32_t y = 0; x + y <= rows && !keeps; y++) {
            const uint32_t counts[VALUES] = {x, y, rows - x - y};
            tacit__occurrence entries[VALUES];
            tacit__histogram_view view = {.entries = entries, .rows = rows};
            for (uint32_t v = 0; v < VALUES; v++)
                if (counts[v] > 0)
                    entries[view.distinct++] = (tacit__occurrence){v, counts[v]};
            keeps = tacit__keeps(bound, &view, &values, shares, NULL);
        }
    return keeps;
}

/* No group below the number keeps the model; of closeness and likeness one with that number does,
 * but for the width of a bin. */
static void test_all_groups(void **state)
{
    (void)state;
    uint32_t tables[][VALUES] = {{1, 1, 1}, {7, 2, 1}, {90, 9, 1}, {5, 5, 1}, {13, 11, 7}};
    const tacit_model_bound bounds[] = {
        {.kind = TACIT_MODEL_CLOSENESS, .bound = 0.02},
        {.kind = TACIT_MODEL_CLOSENESS, .bound = 0.1},
        {.kind = TACIT_MODEL_CLOSENESS, .bound = 0.25},
        {.kind = TACIT_MODEL_LIKENESS, .bound = 0.1},
        {.kind = TACIT_MODEL_LIKENESS, .bound = 1},
        {.kind = TACIT_MODEL_LIKENESS_ENHANCED, .bound = 1},
        {.kind = TACIT_MODEL_DISCLOSURE, .bound = 0.5},
        {.kind = TACIT_MODEL_ENTROPY, .bound = 2.2},
        {.kind = TACIT_MODEL_RECURSIVE, .bound = 2, .second = 1.5},
        {.kind = TACIT_MODEL_ALPHA, .bound = 0.4},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        tacit__models_shares shares = shares_of(tables[t], VALUES);
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            int64_t least = tacit__least_rows(&bounds[b], &shares);
            for (uint32_t rows = 1; rows < least && rows < MOST; rows++)
                assert_false(can_keep(&bounds[b], &shares, rows));
            if (bounds[b].kind == TACIT_MODEL_LIKENESS && least < MOST)
                assert_true(can_keep(&bounds[b], &shares, (uint32_t)least));
        }
        tacit__shares_clear(&shares);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_all_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
