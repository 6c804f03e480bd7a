/*
 * implicants.c - prime implicants of f_i, and columns that hit them (2.4 of Vinterbo
 * and Ohno-Machado, Table Ambiguation By Minimal Cell Suppression).
 *
 * F_i asks of every row j that differs from i for a column of m_ij. Of the m_ij only those
 * count that contain no other; the prime implicants are the minimal sets of columns that meet
 * all of these. They are listed depth first (Murakami and Uno, Efficient algorithms for dualizing
 * large-scale hypergraphs, 2014): a set grows by a column of the first conjunct that it does not
 * meet, as long as each column of it is the only one in some conjunct. Which conjuncts are met,
 * and which exactly once, are bits, so a step costs conjuncts x columns / 64. There may be
 * exponentially many; beyond a bound the search gives up.
 */
#include "records/ambiguate/implicants.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vector.h"

enum { COLUMNS = TACIT_MAX_ATTRIBUTES, STEPS_MOST = 1 << 18 };

void tacit__implicants_clear(tacit__implicants *p)
{
    tacit__free(p->primes);
    tacit__free(p->conjuncts);
    tacit__free(p->sorted);
    tacit__free(p->bits);
    *p = (tacit__implicants){0};
}

static tacit_status too_many(tacit_error *err)
{
    return tacit__error(err, TACIT_LIMIT,
                        "C and D list every prime implicant of a row, and of one there are too "
                        "many (more than %d, or as many as need %d steps); use short or short-d, "
                        "which need none",
                        TACIT__IMPLICANTS_MOST, STEPS_MOST);
}

/* ---- conjuncts ---- */

/* The sets of a line, most repetitions left out. */
static tacit_status collect(tacit__implicants *p, const uint64_t *line, int64_t count,
                            tacit_error *err)
{
    memset(p->seen, 0, sizeof p->seen);
    p->conjunct_count = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t *seen = &p->seen[tacit__mix(line[i]) % TACIT__IMPLICANTS_SEEN];
        if (line[i] == 0 || *seen == line[i])
            continue;
        *seen = line[i];
        if (!TACIT__RESERVE_ONE(p->conjuncts, p->conjunct_room, p->conjunct_count))
            return tacit__nomem(err);
        p->conjuncts[p->conjunct_count++] = line[i];
    }
    return TACIT_OK;
}

/* Sorts them by their size. */
static tacit_status sort(tacit__implicants *p, tacit_error *err)
{
    int64_t starts[COLUMNS + 2] = {0};
    if (!TACIT__RESERVE_ONE(p->sorted, p->sorted_room, p->conjunct_count))
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->conjunct_count; i++)
        starts[__builtin_popcountll(p->conjuncts[i]) + 1]++;
    for (int32_t size = 0; size <= COLUMNS; size++)
        starts[size + 1] += starts[size];
    for (int64_t i = 0; i < p->conjunct_count; i++)
        p->sorted[starts[__builtin_popcountll(p->conjuncts[i])]++] = p->conjuncts[i];
    return TACIT_OK;
}

static bool contains_one(const uint64_t *sets, int64_t count, uint64_t set)
{
    for (int64_t i = 0; i < count; i++)
        if (!(sets[i] & ~set))
            return true;
    return false;
}

/* Leaves out those that contain another, which is found before them. */
static tacit_status reduce(tacit__implicants *p, tacit_error *err)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < p->conjunct_count; i++) {
        if (contains_one(p->conjuncts, kept, p->sorted[i]))
            continue;
        if (kept == TACIT__IMPLICANTS_MOST)
            return too_many(err);
        p->conjuncts[kept++] = p->sorted[i];
    }
    p->conjunct_count = kept;
    return TACIT_OK;
}

/* ---- minimal sets that meet all ---- */

/* Conjuncts with a column. */
static uint64_t *with_column(const tacit__implicants *p, int32_t column)
{
    return p->bits + column * p->words;
}

/* Conjuncts that the columns chosen on the way to a level meet, and meet once. */
static uint64_t *met(const tacit__implicants *p, int32_t level)
{
    return p->bits + (COLUMNS + 2 * level) * p->words;
}

static uint64_t *met_once(const tacit__implicants *p, int32_t level)
{
    return met(p, level) + p->words;
}

static tacit_status prepare(tacit__implicants *p, tacit_error *err)
{
    p->words = (p->conjunct_count + 63) / 64;
    size_t needed = (size_t)(3 * COLUMNS + 2) * (size_t)p->words;
    if (!TACIT__RESERVE(p->bits, p->bits_room, needed))
        return tacit__nomem(err);
    memset(p->bits, 0, (COLUMNS + 2) * (size_t)p->words * sizeof *p->bits);
    for (int64_t i = 0; i < p->conjunct_count; i++)
        for (uint64_t left = p->conjuncts[i]; left; left &= left - 1)
            with_column(p, __builtin_ctzll(left))[i / 64] |= UINT64_C(1) << i % 64;
    p->count = p->steps = 0;
    return TACIT_OK;
}

/* The first conjunct that is not met, or the number of them. */
static int64_t first_unmet(const tacit__implicants *p, int32_t level)
{
    const uint64_t *bits = met(p, level);
    int64_t word = 0;
    while (word < p->words && bits[word] == UINT64_MAX)
        word++;
    int64_t found = word < p->words ? word * 64 + __builtin_ctzll(~bits[word]) : p->conjunct_count;
    return found < p->conjunct_count ? found : p->conjunct_count;
}

static bool meet(const uint64_t *a, const uint64_t *b, int64_t words)
{
    for (int64_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

/* Goes down a level with one more column; false where some column of the set is the only one
 * in no conjunct any more. */
static bool step_down(const tacit__implicants *p, int32_t level, uint64_t set, int32_t column)
{
    const uint64_t *with = with_column(p, column);
    uint64_t *before = met(p, level), *once = met_once(p, level);
    uint64_t *after = met(p, level + 1), *once_after = met_once(p, level + 1);
    for (int64_t i = 0; i < p->words; i++) {
        once_after[i] = (once[i] & ~with[i]) | (with[i] & ~before[i]);
        after[i] = before[i] | with[i];
    }
    for (uint64_t left = set; left; left &= left - 1)
        if (!meet(once_after, with_column(p, __builtin_ctzll(left)), p->words))
            return false;
    return true;
}

static tacit_status keep(tacit__implicants *p, uint64_t set, tacit_error *err)
{
    if (p->count == TACIT__IMPLICANTS_MOST)
        return too_many(err);
    return TACIT__PUSH(p->primes, p->room, p->count, set) ? TACIT_OK : tacit__nomem(err);
}

/* All that consist of a set, one column of which came in on each level, and columns of
 * `others`. No deeper than there are columns. */
static tacit_status grow(tacit__implicants *p, int32_t level, uint64_t set, uint64_t others,
                         tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t unmet = first_unmet(p, level);
    if (unmet == p->conjunct_count)
        return keep(p, set, err);
    if (p->steps++ == STEPS_MOST)
        return too_many(err);
    uint64_t choice = p->conjuncts[unmet] & others;
    others &= ~choice;
    for (; status == TACIT_OK && choice; choice &= choice - 1) {
        int32_t column = __builtin_ctzll(choice);
        uint64_t bit = UINT64_C(1) << column;
        if (!step_down(p, level, set, column))
            continue;
        status = grow(p, level + 1, set | bit, others, err);
        others |= bit;
    }
    return status;
}

tacit_status tacit__implicants_find(tacit__implicants *p, const uint64_t *line, int64_t count,
                                    tacit_error *err)
{
    tacit_status status = collect(p, line, count, err);
    if (status == TACIT_OK)
        status = sort(p, err);
    if (status == TACIT_OK)
        status = reduce(p, err);
    if (status == TACIT_OK)
        status = prepare(p, err);
    if (status == TACIT_OK && p->conjunct_count > 0)
        status = grow(p, 0, 0, UINT64_MAX, err);
    return status;
}

/* ---- columns that hit them ---- */

/* The column that is in the most implicants that a set does not hit, for its cost; -1: it
 * hits all. */
static int32_t best_column(const tacit__implicants *p, uint64_t set, const double *costs,
                           int32_t columns)
{
    int64_t counts[COLUMNS] = {0};
    int32_t best = -1;
    for (int64_t i = 0; i < p->count; i++)
        for (uint64_t left = p->primes[i] & set ? 0 : p->primes[i]; left; left &= left - 1)
            counts[__builtin_ctzll(left)]++;
    for (int32_t c = 0; c < columns; c++)
        if (counts[c] > 0 &&
            (best < 0 || (double)counts[c] * costs[best] > (double)counts[best] * costs[c]))
            best = c;
    return best;
}

uint64_t tacit__implicants_hit(const tacit__implicants *p, const double *costs, int32_t columns)
{
    uint64_t set = 0;
    for (;;) {
        int32_t column = best_column(p, set, costs, columns);
        if (column < 0)
            return set;
        set |= UINT64_C(1) << column;
    }
}
