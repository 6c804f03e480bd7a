/*
 * combinations.c - how many records each small set of columns singles out, as
 * Figure 16 of Sweeney, Computational Disclosure Control, has it for the voters
 * of Cambridge.
 *
 * Sets are gone through depth first, so that a set's groups come from those of
 * the set without its last column. Groups in which nothing can change any more
 * are counted once and for all: those of one row, and those whose rows will
 * always have company of their kind. First columns are tasks for all cores.
 *
 * Time: sets times the records that are still in company; memory 8 bytes a
 * record at each depth.
 */
#include "base/alloc.h"
#include "base/asking.h"
#include "base/error.h"
#include "base/parallel.h"
#include "uniques/parts.h"

static const char PHASE[] = "combinations";

/* Rows that are counted for a set. */
typedef struct tally {
    int64_t alone, within;
} tally;

/* One worker's way through the sets. */
typedef struct walker {
    tacit__refiner refiner;
    tacit__uniques_parts *levels; /* a number of columns each */
    tally settled;                /* by groups that were not kept, for the set at hand */
    tally open;                   /* by those that were */
    uint32_t k;
} walker;

typedef struct tour {
    const tacit_run *run;
    tacit__asking asking;
    const tacit_distinct *distinct;
    tacit__ground ground;
    walker *walkers;                      /* a worker each */
    int32_t place[TACIT_UNIQUES_COLUMNS]; /* of the caller's columns among the ground's */
    int max_size;
    tacit_combinations *to;
    int64_t offsets[TACIT_UNIQUES_COLUMNS + 1]; /* by size: where its sets start */
} tour;

/* n over k; cut off at 2^32. */
static int64_t choose(int n, int k)
{
    int64_t product = 1;
    for (int i = 1; i <= k; i++) {
        product = product * (n - k + i) / i;
        if (product > UINT32_MAX)
            return UINT32_MAX;
    }
    return product;
}

/* The place of a set among all in their order. */
static int64_t place_of(const tour *t, const int *set, int size)
{
    int columns = t->ground.columns;
    int64_t place = t->offsets[size];
    for (int i = 0; i < size; i++)
        for (int c = i ? set[i - 1] + 1 : 0; c < set[i]; c++)
            place += choose(columns - 1 - c, size - 1 - i);
    return place;
}

/* Counts a group's own rows; keeps it as long as some of them could still become
 * alone, or too few. */
static bool count_part(void *context, const tacit__uniques_part *part, const uint32_t *members)
{
    walker *w = context;
    tally rows = {0};
    bool keep = false;
    for (uint32_t i = 0; i < part->own; i++) {
        uint32_t weight = w->refiner.ground->weights[members[i]];
        rows.alone += part->weight == 1 ? 1 : 0;
        rows.within += part->weight <= w->k ? weight : 0;
        keep |= (weight == 1 && part->weight > 1) || (weight <= w->k && part->weight > w->k);
    }
    tally *to = keep ? &w->open : &w->settled;
    to->alone += rows.alone;
    to->within += rows.within;
    return keep;
}

/* A set whose last column is new, then those that continue it. settled is what
 * is known from the set without that column. */
static tacit_status visit(tour *t, walker *w, int *set, int size, tally settled, tacit_error *err)
{
    if (!tacit__ask(&t->asking, PHASE))
        return tacit__error(err, TACIT_CANCELLED, "stopped on request");
    w->settled = settled;
    w->open = (tally){0};
    tacit_status status = tacit__parts_refine(&w->levels[size], &w->levels[size - 1],
                                              t->place[set[size - 1]], &w->refiner, err);
    tacit_combination *to = &t->to->sets[place_of(t, set, size)];
    for (int i = 0; i < size; i++)
        to->columns |= UINT64_C(1) << set[i];
    to->alone = w->settled.alone + w->open.alone;
    to->within = w->settled.within + w->open.within;
    settled = w->settled;
    for (int next = set[size - 1] + 1;
         status == TACIT_OK && size < t->max_size && next < t->ground.columns; next++) {
        set[size] = next;
        status = visit(t, w, set, size + 1, settled, err);
    }
    return status;
}

static tacit_status open_walker(walker *w, const tour *t, tacit_error *err)
{
    if (w->levels)
        return TACIT_OK;
    w->k = t->to->k < UINT32_MAX ? (uint32_t)t->to->k : UINT32_MAX;
    w->levels = tacit__alloc_zeroed((size_t)t->max_size + 1, sizeof *w->levels);
    if (!w->levels)
        return tacit__nomem(err);
    tacit_status status = tacit__parts_init(&w->levels[0], &t->ground, err);
    if (status == TACIT_OK)
        status = tacit__refiner_init(&w->refiner, &t->ground, count_part, w, err);
    return status;
}

static tacit_status column_task(void *context, int64_t task, int worker, tacit_error *err)
{
    tour *t = context;
    int set[TACIT_UNIQUES_COLUMNS] = {(int)task};
    tacit_status status = open_walker(&t->walkers[worker], t, err);
    return status == TACIT_OK ? visit(t, &t->walkers[worker], set, 1, (tally){0}, err) : status;
}

static tacit_status go_round(tour *t, tacit_error *err)
{
    tacit_status status = tacit__ground_init(&t->ground, t->distinct, 0, t->run, err);
    if (status != TACIT_OK)
        return status;
    for (int i = 0; i < t->ground.columns; i++)
        t->place[t->ground.position[i]] = i;
    tacit__asking_init(&t->asking, t->run);
    tacit_run run = tacit__asking_run(&t->asking);
    t->walkers = tacit__alloc_zeroed((size_t)tacit__threads(t->run), sizeof *t->walkers);
    if (t->walkers)
        status = tacit__parallel(&run, PHASE, t->ground.columns, column_task, t, err);
    else
        status = tacit__nomem(err);
    for (int i = 0; t->walkers && i < tacit__threads(t->run); i++) {
        walker *w = &t->walkers[i];
        for (int level = 0; w->levels && level <= t->max_size; level++)
            tacit__parts_clear(&w->levels[level]);
        tacit__free(w->levels);
        tacit__refiner_clear(&w->refiner);
    }
    tacit__free(t->walkers);
    tacit__asking_clear(&t->asking);
    tacit__ground_clear(&t->ground);
    return status;
}

void tacit_combinations_free(tacit_combinations *combinations)
{
    if (!combinations)
        return;
    tacit__free(combinations->sets);
    tacit__free(combinations);
}

/* Where the sets of each size start; returns how many there are. */
static int64_t count_sets(tour *t)
{
    int64_t count = 0;
    for (int size = 1; size <= t->max_size; size++) {
        t->offsets[size] = count;
        count += choose(t->distinct->column_count, size);
    }
    return count;
}

tacit_status tacit_combinations_new(tacit_combinations **out, const tacit_distinct *distinct,
                                    int32_t max_size, int64_t k, const tacit_run *run,
                                    tacit_error *err)
{
    if (max_size < 1 || k < 1)
        return tacit__error(err, TACIT_INVALID,
                            "sets of up to %d columns and a k of %lld; both "
                            "must be at least 1",
                            max_size, (long long)k);
    tour t = {.run = run, .distinct = distinct};
    t.max_size = max_size < distinct->column_count ? max_size : distinct->column_count;
    int64_t count = count_sets(&t);
    if (count > TACIT_MAX_COMBINATIONS)
        return tacit__error(err, TACIT_LIMIT, "more than %d sets of up to %d of %d columns",
                            TACIT_MAX_COMBINATIONS, max_size, distinct->column_count);
    t.to = tacit__alloc_zeroed(1, sizeof *t.to);
    if (!t.to)
        return tacit__nomem(err);
    *t.to = (tacit_combinations){.rows = distinct->rows, .k = k, .count = count};
    t.to->sets = tacit__alloc_zeroed((size_t)count, sizeof *t.to->sets);
    tacit_status status = t.to->sets ? go_round(&t, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        *out = t.to;
    else
        tacit_combinations_free(t.to);
    return status;
}
