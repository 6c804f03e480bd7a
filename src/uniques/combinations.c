/*
 * combinations.c - how many records each small set of columns singles out, as Figure 16 of Sweeney,
 * Computational Disclosure Control, has it for the voters of Cambridge.
 *
 * From the records: sets are gone through depth first, so that a set's groups come from those of
 * the set without its last column. Groups in which nothing can change any more are counted once and
 * for all: those of one row, and those whose rows will always have company of their kind. First
 * columns are tasks for all cores. Time: sets times the records that are still in company; memory 8
 * bytes a record at each depth.
 *
 * From prime implicants: a set singles a record out exactly if it holds one of them. Each
 * combination of values goes through the sets that hold its prime implicants and are not too large.
 * A stamp on every set keeps it from being counted twice for the same combination. Time: prime
 * implicants times the sets that hold each, without another look at the records; memory 28 bytes a
 * set.
 *
 * Sets have numbers, which follow from their columns: of all sets of s of m columns c_0 < c_1 <
 * ..., those behind it in the order are the sum of (m - 1 - c_i) over (s - i).
 */
#include "uniques/uniques.h"

#include "base/alloc.h"
#include "base/asking.h"
#include "base/error.h"
#include "base/parallel.h"

static const char COUNTING[] = "combinations";

void tacit_combinations_free(tacit_combinations *combinations)
{
    if (!combinations)
        return;
    tacit__free(combinations->sets);
    tacit__free(combinations);
}

/* Sets of up to max_size columns, by size and then in the order of their columns. */
typedef struct numbering {
    int columns, max_size;
    int64_t choose[TACIT_UNIQUES_COLUMNS + 1][TACIT_UNIQUES_COLUMNS + 1]; /* cut off at 2^32 */
    int64_t ends[TACIT_UNIQUES_COLUMNS + 1]; /* by size: the number of its last set */
} numbering;

static void fill_choose(numbering *sets)
{
    for (int n = 0; n <= sets->columns; n++)
        for (int k = 0; k <= sets->columns; k++) {
            int64_t ways = k == 0   ? 1
                           : n == 0 ? 0
                                    : sets->choose[n - 1][k] + sets->choose[n - 1][k - 1];
            sets->choose[n][k] = ways < UINT32_MAX ? ways : UINT32_MAX;
        }
}

/* Numbers the sets and makes place for the counts of each. */
static tacit_status number_sets(tacit_combinations **out, numbering *sets, tacit_error *err)
{
    int64_t count = 0;
    fill_choose(sets);
    for (int size = 1; size <= sets->max_size; size++) {
        count += sets->choose[sets->columns][size];
        sets->ends[size] = count - 1;
    }
    if (count > TACIT_MAX_COMBINATIONS)
        return tacit__error(err, TACIT_LIMIT, "more than %d sets of up to %d of %d columns",
                            TACIT_MAX_COMBINATIONS, sets->max_size, sets->columns);
    tacit_combinations *combinations = tacit__alloc_zeroed(1, sizeof *combinations);
    if (combinations)
        combinations->sets = tacit__alloc_zeroed((size_t)count, sizeof *combinations->sets);
    if (!combinations || !combinations->sets) {
        tacit_combinations_free(combinations);
        return tacit__nomem(err);
    }
    combinations->count = count;
    *out = combinations;
    return TACIT_OK;
}

static int64_t number_of(const numbering *sets, uint64_t set, int size)
{
    int64_t number = sets->ends[size];
    for (int left = size; set; set &= set - 1, left--)
        number -= sets->choose[sets->columns - 1 - __builtin_ctzll(set)][left];
    return number;
}

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
    numbering sets;
    tacit_combinations *to;
} tour;

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
    if (!tacit__ask(&t->asking, COUNTING))
        return tacit__error(err, TACIT_CANCELLED, "stopped on request");
    w->settled = settled;
    w->open = (tally){0};
    tacit_status status = tacit__parts_refine(&w->levels[size], &w->levels[size - 1],
                                              t->place[set[size - 1]], &w->refiner, err);
    uint64_t columns = 0;
    for (int i = 0; i < size; i++)
        columns |= UINT64_C(1) << set[i];
    tacit_combination *to = &t->to->sets[number_of(&t->sets, columns, size)];
    to->columns = columns;
    to->alone = w->settled.alone + w->open.alone;
    to->within = w->settled.within + w->open.within;
    settled = w->settled;
    for (int next = set[size - 1] + 1;
         status == TACIT_OK && size < t->sets.max_size && next < t->ground.columns; next++) {
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
    w->levels = tacit__alloc_zeroed((size_t)t->sets.max_size + 1, sizeof *w->levels);
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
        status = tacit__parallel(&run, COUNTING, t->ground.columns, column_task, t, err);
    else
        status = tacit__nomem(err);
    for (int i = 0; t->walkers && i < tacit__threads(t->run); i++) {
        walker *w = &t->walkers[i];
        for (int level = 0; w->levels && level <= t->sets.max_size; level++)
            tacit__parts_clear(&w->levels[level]);
        tacit__free(w->levels);
        tacit__refiner_clear(&w->refiner);
    }
    tacit__free(t->walkers);
    tacit__asking_clear(&t->asking);
    tacit__ground_clear(&t->ground);
    return status;
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
    int columns = distinct->column_count;
    tour t = {.run = run,
              .distinct = distinct,
              .sets = {.columns = columns, .max_size = max_size < columns ? max_size : columns}};
    tacit_status status = number_sets(&t.to, &t.sets, err);
    if (status != TACIT_OK)
        return status;
    t.to->rows = distinct->rows;
    t.to->k = k;
    status = go_round(&t, err);
    if (status == TACIT_OK)
        *out = t.to;
    else
        tacit_combinations_free(t.to);
    return status;
}

enum { BATCH = 1 << 20 }; /* sets and combinations between two looks at whether to go on */

typedef struct counter {
    tacit_combinations *to;
    numbering sets;
    uint32_t *stamps; /* a set each: the last combination that counted */
    uint32_t stamp;   /* of the one at hand */
    int64_t rows;     /* that it has */
    int64_t work;     /* since the caller was last asked */
} counter;

static void count_set(counter *c, uint64_t set, int size)
{
    int64_t number = number_of(&c->sets, set, size);
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
        count_set(c, set, size);
    for (int i = from; size < c->sets.max_size && i < c->sets.columns; i++)
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
            if (size > c->sets.max_size)
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

static tacit_status fill_sets(counter *c, const tacit_uniques *uniques, const tacit_run *run,
                              tacit_error *err)
{
    size_t sets = (size_t)c->to->count;
    c->stamps = tacit__alloc_zeroed(sets, sizeof *c->stamps);
    tacit_status status = c->stamps ? count_all(c, uniques, run, err) : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < sets; i++)
        c->to->sets[i].alone = c->to->k == 1 ? c->to->sets[i].within : -1;
    tacit__free(c->stamps);
    return status;
}

tacit_status tacit_combinations_of(tacit_combinations **out, const tacit_uniques *uniques,
                                   int32_t max_size, const tacit_run *run, tacit_error *err)
{
    int32_t complete = uniques->summary.complete;
    counter c = {.sets = {.columns = uniques->distinct->column_count,
                          .max_size = max_size < complete ? max_size : complete}};
    if (max_size < 1)
        return tacit__error(err, TACIT_INVALID, "sets of up to %d columns; at least 1", max_size);
    tacit_status status = number_sets(&c.to, &c.sets, err);
    if (status != TACIT_OK)
        return status;
    c.to->rows = uniques->summary.rows;
    c.to->k = uniques->summary.k;
    status = fill_sets(&c, uniques, run, err);
    if (status == TACIT_OK)
        *out = c.to;
    else
        tacit_combinations_free(c.to);
    return status;
}
