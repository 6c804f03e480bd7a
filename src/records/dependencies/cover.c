/*
 * cover.c - the left sides that are still possible.
 *
 * X -> a holds if X meets every set of columns in which two rows differ that differ in a, the
 * column a itself left out. The minimal left sides are therefore the minimal sets that hit
 * all of these (Berge: one is taken after the other). A set D is missed by some left sides; each
 * of them is replaced by itself with one more column b of D, unless a left side that is kept lies
 * within that. Such a one meets D in b alone, or the one that it came from would not have been
 * minimal: so only those are compared, kept in a list for each b.
 *
 * A step costs the left sides of the column, and the missed times the compared. At most
 * TACIT_MOST_DEPENDENCIES of 8 bytes are kept: where there would be more, the largest go, and
 * what is larger from then on. A set that has another within it that was taken before changes
 * nothing; those that did change something are kept to see that.
 */
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/dependencies/dependencies.h"

static int size_of(uint64_t set)
{
    return __builtin_popcountll(set);
}

void tacit__candidates_clear(tacit__candidates *candidates)
{
    for (int32_t a = 0; a < candidates->columns; a++) {
        tacit__free(candidates->of[a].sets);
        tacit__free(candidates->of[a].effective);
    }
    tacit__free(candidates->spare);
    *candidates = (tacit__candidates){0};
}

/* Lowers the cap until half of the room is free again. */
static void lower_cap(tacit__candidates *all)
{
    while (all->total > all->most / 2 && all->cap > 0)
        all->total -= all->by_size[all->cap--];
    all->cut = all->full = true;
}

/* Adds a left side, if it is not too large. */
static tacit_status add(tacit__candidates *all, int32_t right, uint64_t left, tacit_error *err)
{
    tacit__lefts *of = &all->of[right];
    if (size_of(left) > all->cap) {
        all->cut = true;
        return TACIT_OK;
    }
    tacit_status status =
        TACIT__PUSH(of->sets, of->capacity, of->count, left) ? TACIT_OK : tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    all->by_size[size_of(left)]++;
    if (++all->total >= all->most)
        lower_cap(all);
    return TACIT_OK;
}

tacit_status tacit__candidates_init(tacit__candidates *candidates, int32_t columns, int32_t cap,
                                    tacit_error *err)
{
    *candidates =
        (tacit__candidates){.columns = columns, .cap = cap, .most = TACIT_MAX_DEPENDENCIES};
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; status == TACIT_OK && a < columns; a++)
        status = add(candidates, a, 0, err);
    if (status != TACIT_OK)
        tacit__candidates_clear(candidates);
    return status;
}

/* Whether a set that was taken lies within this one, so that nothing misses it. */
static bool is_hit(const tacit__lefts *of, uint64_t differ)
{
    for (size_t i = 0; i < of->effective_count; i++)
        if (!(of->effective[i] & ~differ))
            return true;
    return false;
}

static bool is_missed(const tacit__lefts *of, uint64_t differ)
{
    for (size_t i = 0; i < of->count; i++)
        if (!(of->sets[i] & differ))
            return true;
    return false;
}

/* Where the left sides that meet a set in one column alone stand in `sets`, by column. */
typedef struct singles {
    uint64_t *sets;
    size_t starts[65];
} singles;

/* Takes the left sides that miss `differ` out and puts them behind the singles. */
static size_t part(tacit__candidates *all, tacit__lefts *of, uint64_t differ, singles *single)
{
    size_t kept = 0, missed = 0, places[64] = {0};
    for (size_t i = 0; i < of->count; i++) {
        uint64_t met = of->sets[i] & differ;
        if (met && !(met & (met - 1)))
            places[__builtin_ctzll(met)]++;
    }
    single->starts[0] = 0;
    for (int b = 0; b < 64; b++) {
        single->starts[b + 1] = single->starts[b] + places[b];
        places[b] = single->starts[b];
    }
    for (size_t i = 0; i < of->count; i++) {
        uint64_t set = of->sets[i], met = set & differ;
        if (!met) {
            single->sets[single->starts[64] + missed++] = set;
            all->by_size[size_of(set)]--;
            all->total--;
            continue;
        }
        of->sets[kept++] = set;
        if (!(met & (met - 1)))
            single->sets[places[__builtin_ctzll(met)]++] = set;
    }
    of->count = kept;
    return missed;
}

static bool lies_within(const singles *single, int b, uint64_t set)
{
    for (size_t i = single->starts[b]; i < single->starts[b + 1]; i++)
        if (!(single->sets[i] & ~set))
            return true;
    return false;
}

/* Takes those that became too large out of all lists. */
static void compact(tacit__candidates *all)
{
    for (int32_t a = 0; a < all->columns; a++) {
        size_t kept = 0;
        for (size_t i = 0; i < all->of[a].count; i++)
            if (size_of(all->of[a].sets[i]) <= all->cap)
                all->of[a].sets[kept++] = all->of[a].sets[i];
        all->of[a].count = kept;
    }
    for (int size = all->cap + 1; size <= 64; size++)
        all->by_size[size] = 0;
}

/* The step for one column. */
static tacit_status replace(tacit__candidates *all, int32_t right, uint64_t differ,
                            tacit_error *err)
{
    tacit__lefts *of = &all->of[right];
    if (!TACIT__RESERVE(all->spare, all->spare_capacity, of->count))
        return tacit__nomem(err);
    singles single = {.sets = all->spare};
    int32_t cap = all->cap;
    size_t missed = part(all, of, differ, &single);
    const uint64_t *lost = single.sets + single.starts[64];
    tacit_status status =
        TACIT__PUSH(of->effective, of->effective_capacity, of->effective_count, differ)
            ? TACIT_OK
            : tacit__nomem(err);
    for (size_t i = 0; i < missed; i++)
        for (uint64_t left = differ; status == TACIT_OK && left; left &= left - 1) {
            int b = __builtin_ctzll(left);
            uint64_t set = lost[i] | UINT64_C(1) << b;
            if (!lies_within(&single, b, set))
                status = add(all, right, set, err);
        }
    if (all->cap < cap)
        compact(all);
    return status;
}

tacit_status tacit__candidates_apply(tacit__candidates *candidates, uint64_t differ,
                                     const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint64_t left = differ; status == TACIT_OK && left; left &= left - 1) {
        int32_t right = __builtin_ctzll(left);
        uint64_t others = differ & ~(UINT64_C(1) << right);
        const tacit__lefts *of = &candidates->of[right];
        if (is_hit(of, others) || !is_missed(of, others))
            continue;
        status = tacit__progress(run, "left sides", candidates->total, 0, err);
        if (status == TACIT_OK)
            status = replace(candidates, right, others, err);
    }
    return status;
}
