/*
 * combinations_of.c - how many records each small set of columns singles out
 * (Figure 16 of Sweeney, Computational Disclosure Control), from their prime
 * implicants: a set singles a record out exactly if it holds one of them.
 *
 * Each combination of values goes through the sets that hold its prime implicants
 * and are not too large. A stamp on every set keeps it from being counted twice
 * for the same combination. Sets have numbers, which follow from their columns:
 * of all sets of s of m columns c_0 < c_1 < ..., those behind it in the order are
 * the sum of (m - 1 - c_i) over (s - i).
 *
 * Time: prime implicants times the sets that hold each, without another look at
 * the records; memory 28 bytes a set.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "uniques/uniques.h"

enum { BATCH = 1 << 20 }; /* sets and combinations between two looks at whether to go on */

typedef struct counter {
    tacit_combinations *to;
    int columns, max_size;
    int64_t choose[TACIT_UNIQUES_COLUMNS + 1][TACIT_UNIQUES_COLUMNS + 1]; /* cut off at 2^32 */
    int64_t ends[TACIT_UNIQUES_COLUMNS + 1]; /* by size: the number of its last set */
    uint32_t *stamps;                        /* a set each: the last combination that counted */
    uint32_t stamp;                          /* of the one at hand */
    int64_t rows;                            /* that it has */
    int64_t work;                            /* since the caller was last asked */
} counter;

static void fill_choose(counter *c)
{
    for (int n = 0; n <= c->columns; n++)
        for (int k = 0; k <= c->columns; k++) {
            int64_t ways = k == 0 ? 1 : n == 0 ? 0 : c->choose[n - 1][k] + c->choose[n - 1][k - 1];
            c->choose[n][k] = ways < UINT32_MAX ? ways : UINT32_MAX;
        }
}

static int64_t number_of(const counter *c, uint64_t set, int size)
{
    int64_t number = c->ends[size];
    for (int left = size; set; set &= set - 1, left--)
        number -= c->choose[c->columns - 1 - __builtin_ctzll(set)][left];
    return number;
}

static void count(counter *c, uint64_t set, int size)
{
    int64_t number = number_of(c, set, size);
    c->work++;
    if (c->stamps[number] == c->stamp)
        return;
    c->stamps[number] = c->stamp;
    c->to->sets[number].columns = set;
    c->to->sets[number].within += c->rows;
}

/* A set, and those that hold it and further columns from `from` on. */
static void count_above(counter *c, uint64_t set, int size, int from)
{
    if (size > 0)
        count(c, set, size);
    for (int i = from; size < c->max_size && i < c->columns; i++)
        if (!(set >> i & 1))
            count_above(c, set | UINT64_C(1) << i, size + 1, i + 1);
}

static tacit_status count_all(counter *c, const tacit_uniques *uniques, const tacit_run *run,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t combinations = uniques->distinct->count;
    c->stamp = 1; /* names every set, and counts nothing */
    count_above(c, 0, 0, 0);
    for (uint32_t i = 0; i < combinations && status == TACIT_OK; i++) {
        tacit_unique_sets_view view = tacit__uniques_sets(uniques, i);
        c->stamp = i + 2;
        c->rows = tacit__distinct_size(uniques->distinct, i);
        for (int64_t j = 0; j < view.count; j++) {
            int size = __builtin_popcountll(view.sets[j].columns);
            if (size > c->max_size)
                break;
            count_above(c, view.sets[j].columns, size, 0);
        }
        if (i == 0 || ++c->work >= BATCH) {
            c->work = 0;
            status = tacit__progress(run, "combinations", i, combinations, err);
        }
    }
    return status;
}

static tacit_status fill(counter *c, const tacit_uniques *uniques, const tacit_run *run,
                         tacit_error *err)
{
    size_t sets = (size_t)c->to->count;
    c->to->sets = tacit__alloc_zeroed(sets, sizeof *c->to->sets);
    c->stamps = tacit__alloc_zeroed(sets, sizeof *c->stamps);
    tacit_status status =
        c->to->sets && c->stamps ? count_all(c, uniques, run, err) : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < sets; i++)
        c->to->sets[i].alone = c->to->k == 1 ? c->to->sets[i].within : -1;
    tacit__free(c->stamps);
    return status;
}

tacit_status tacit_combinations_of(tacit_combinations **out, const tacit_uniques *uniques,
                                   int32_t max_size, const tacit_run *run, tacit_error *err)
{
    counter c = {.columns = uniques->distinct->column_count, .max_size = max_size};
    int64_t sets = 0;
    if (max_size < 1)
        return tacit__error(err, TACIT_INVALID, "sets of up to %d columns; at least 1", max_size);
    if (c.max_size > uniques->summary.complete)
        c.max_size = uniques->summary.complete;
    fill_choose(&c);
    for (int size = 1; size <= c.max_size; size++) {
        sets += c.choose[c.columns][size];
        c.ends[size] = sets - 1;
    }
    if (sets > TACIT_MAX_COMBINATIONS)
        return tacit__error(err, TACIT_LIMIT, "more than %d sets of up to %d of %d columns",
                            TACIT_MAX_COMBINATIONS, c.max_size, c.columns);
    c.to = tacit__alloc_zeroed(1, sizeof *c.to);
    if (!c.to)
        return tacit__nomem(err);
    *c.to =
        (tacit_combinations){.rows = uniques->summary.rows, .k = uniques->summary.k, .count = sets};
    tacit_status status = fill(&c, uniques, run, err);
    if (status == TACIT_OK)
        *out = c.to;
    else
        tacit_combinations_free(c.to);
    return status;
}
