/*
 * search.c - the whole search: what it comes upon, its tasks, what happens when it takes long, and
 * which of the sets found are minimal.
 *
 * The table is the first task. A task that is a large part of the table is split into the groups
 * below it, which are tasks of the next round; any other is searched (seek.h). So all cores have
 * work soon, and what a task is depends on the data alone.
 *
 * A search that is short looks for sets of all sizes at once. When it has looked at more cells than
 * its budget, it starts over and goes through the table again and again for larger and larger
 * sizes, so that whenever it is stopped, all sets up to a size are there. That costs about twice as
 * much. Memory: lists of members of the tasks of two rounds, 4 bytes each, up to TASK_MEMBERS for
 * each cell of the table; what would go beyond is searched at once.
 *
 * Finds lie in chunks by worker and size. While the search runs only full chunks are counted, so
 * the bound falls when there are too many beyond doubt; at its end all are counted. Whichever way
 * it falls, what is left is the largest size up to which everything fits.
 *
 * The search finds every prime set of an item, and some sets that hold one. So a find is prime if
 * and only if no smaller find of its item is part of it. Finds are dealt by item, size after size;
 * then each item is put in order and gone through by itself. Items with many finds keep, for each
 * column, the bits of the prime sets that hold it: a set has a part among 64 of them unless each
 * has a column outside of it, which is one OR a column. Time linear in the finds for items with few
 * of them; at worst finds squared over 64, times columns. Memory: a prime set each beside the finds
 * themselves.
 */
#include "uniques/uniques.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/asking.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "uniques/seek.h"

static void free_chunks(tacit__finds **chunks)
{
    while (*chunks) {
        tacit__finds *next = (*chunks)->next;
        tacit__free(*chunks);
        *chunks = next;
    }
}

tacit_status tacit__found_init(tacit__uniques_found *found, int workers, size_t most, int bound,
                               tacit_error *err)
{
    *found = (tacit__uniques_found){.bound = bound, .most = most, .worker_count = workers};
    found->workers = tacit__alloc_zeroed((size_t)workers, sizeof *found->workers);
    return found->workers ? TACIT_OK : tacit__nomem(err);
}

/* Drops sizes above size. Nobody searches meanwhile. */
static void drop_sizes(tacit__uniques_found *found, int size)
{
    for (int worker = 0; worker < found->worker_count; worker++)
        for (int s = size + 1; s < TACIT__SET_SIZES; s++)
            free_chunks(&found->workers[worker][s]);
    for (int s = size + 1; s < TACIT__SET_SIZES; s++)
        atomic_store(&found->full[s], 0);
}

void tacit__found_clear(tacit__uniques_found *found)
{
    if (found->workers)
        drop_sizes(found, -1);
    tacit__free(found->workers);
}

/* Finds of a size. Nobody searches meanwhile. */
static size_t finds_of_size(const tacit__uniques_found *found, int size)
{
    size_t count = 0;
    for (int worker = 0; worker < found->worker_count; worker++)
        for (const tacit__finds *chunk = found->workers[worker][size]; chunk; chunk = chunk->next)
            count += chunk->count;
    return count;
}

/* Gives up sizes until what is there fits. Nobody searches meanwhile. */
static void settle_sizes(tacit__uniques_found *found)
{
    size_t total = 0;
    int size = 0, bound = atomic_load(&found->bound);
    for (; size <= bound; size++) {
        total += finds_of_size(found, size);
        if (total > found->most)
            break;
    }
    atomic_store(&found->bound, size - 1);
    drop_sizes(found, size - 1);
}

/* Lets the bound fall to the largest size whose full chunks fit. */
static void lower_bound(tacit__uniques_found *found)
{
    int bound = atomic_load(&found->bound), size = 0;
    size_t total = 0;
    for (; size <= bound; size++) {
        total += atomic_load(&found->full[size]);
        if (total > found->most)
            break;
    }
    while (bound > size - 1 && !atomic_compare_exchange_weak(&found->bound, &bound, size - 1))
        continue;
}

bool tacit__found_grow(tacit__uniques_found *found, int worker, int size)
{
    tacit__finds **chunks = found->workers[worker];
    if (chunks[size])
        atomic_fetch_add(&found->full[size], TACIT__FIND_CHUNK);
    lower_bound(found);
    int bound = atomic_load(&found->bound);
    for (int s = bound + 1; s < TACIT__SET_SIZES; s++)
        free_chunks(&chunks[s]);
    if (size > bound)
        return true;
    tacit__finds *chunk = tacit__alloc(sizeof *chunk);
    if (!chunk)
        return false;
    chunk->next = chunks[size];
    chunk->count = 0;
    chunks[size] = chunk;
    return true;
}

static const char SEARCHING[] = "prime implicants";

enum { LARGE_PARTS = 16, TASK_MEMBERS = 2 };

/* A group, and the choices there, which those of a set share. */
typedef struct task {
    tacit__uniques_group group;
    const tacit__choice *choices;
    int count;
} task;

/* Tasks that a worker keeps for the next round. */
typedef struct task_list {
    task *tasks;
    size_t count, capacity;
    tacit__arena arena; /* their members and choices */
} task_list;

typedef struct search {
    const tacit__ground *ground;
    tacit__uniques_found *found;
    tacit__seeker *seekers; /* a worker each */
    task_list *kept;        /* a worker each: for the next round */
    tacit__arena *arenas;   /* a worker each: of this round's tasks */
    int worker_count;
    task *tasks; /* of this round, the largest first */
    size_t task_count, task_capacity;
    atomic_size_t members; /* that were kept for the next round */
    tacit__asking asking;
    int64_t budget; /* cells; INT64_MAX: as long as it takes */
    atomic_int_fast64_t spent;
} search;

static bool ask(tacit__seeker *seeker)
{
    search *s = seeker->search;
    int64_t spent = atomic_fetch_add(&s->spent, seeker->spent) + seeker->spent;
    seeker->spent = 0;
    return spent <= s->budget && tacit__ask(&s->asking, SEARCHING);
}

static int larger_first(const void *left, const void *right)
{
    const task *a = left, *b = right;
    return a->group.size < b->group.size ? 1 : a->group.size > b->group.size ? -1 : 0;
}

/* Adds a task to a list; false when out of memory. */
static bool add_task(task_list *list, const tacit__uniques_group *group,
                     const tacit__choice *choices, int count)
{
    uint32_t *members = tacit__arena_alloc(&list->arena, group->size * sizeof *members);
    tacit__choice *copy = tacit__arena_alloc(&list->arena, (size_t)count * sizeof *copy);
    if (!members || !copy || !TACIT__RESERVE_ONE(list->tasks, list->capacity, list->count))
        return false;
    memcpy(members, group->members, group->size * sizeof *members);
    memcpy(copy, choices, (size_t)count * sizeof *copy);
    list->tasks[list->count] = (task){.group = *group, .choices = copy, .count = count};
    list->tasks[list->count++].group.members = members;
    return true;
}

/* Keeps a group for the next round, if there is room. */
static void keep_task(tacit__seeker *seeker, const tacit__uniques_group *group,
                      const tacit__choice *choices, int count)
{
    search *s = seeker->search;
    size_t max_members = TASK_MEMBERS * (size_t)s->ground->items * (size_t)s->ground->columns;
    if (atomic_fetch_add(&s->members, group->size) > max_members)
        tacit__seek(seeker, group, choices, count);
    else if (!add_task(&s->kept[seeker->worker], group, choices, count))
        seeker->halt = TACIT_NOMEM;
}

/* The table as the only task. */
static tacit_status keep_table(search *s, tacit_error *err)
{
    const tacit__ground *ground = s->ground;
    tacit__choice choices[TACIT_UNIQUES_COLUMNS];
    uint32_t *all = tacit__alloc_array(ground->items, sizeof *all);
    if (!all)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < ground->items; i++)
        all[i] = i;
    for (int i = 0; i < ground->columns; i++)
        choices[i] = (tacit__choice){.column = i, .only = TACIT__ANY_VALUE};
    tacit__uniques_group table = {.members = all,
                                  .size = ground->items,
                                  .own = ground->items,
                                  .weight = ground->distinct->rows};
    bool fits = add_task(&s->kept[0], &table, choices, ground->columns);
    tacit__free(all);
    return fits ? TACIT_OK : tacit__nomem(err);
}

/* What the workers kept becomes the tasks of this round. */
static tacit_status open_round(search *s, tacit_error *err)
{
    size_t count = 0;
    for (int i = 0; i < s->worker_count; i++)
        count += s->kept[i].count;
    if (!TACIT__RESERVE(s->tasks, s->task_capacity, count))
        return tacit__nomem(err);
    s->task_count = 0;
    for (int i = 0; i < s->worker_count; i++) {
        for (size_t j = 0; j < s->kept[i].count; j++)
            s->tasks[s->task_count++] = s->kept[i].tasks[j];
        tacit__arena_clear(&s->arenas[i]);
        s->arenas[i] = s->kept[i].arena;
        s->kept[i].arena = (tacit__arena){0};
        s->kept[i].count = 0;
    }
    atomic_store(&s->members, 0);
    if (count)
        qsort(s->tasks, count, sizeof *s->tasks, larger_first);
    return TACIT_OK;
}

static tacit_status run_task(void *context, int64_t index, int worker, tacit_error *err)
{
    search *s = context;
    tacit__seeker *seeker = &s->seekers[worker];
    const task *t = &s->tasks[index];
    bool large = t->group.own > s->ground->items / LARGE_PARTS && t->group.size > TACIT__MAX_BITS;
    seeker->below = large ? keep_task : tacit__seek;
    if (large)
        tacit__seek_lists(seeker, &t->group, t->choices, t->count);
    else
        tacit__seek(seeker, &t->group, t->choices, t->count);
    if (seeker->halt == TACIT_NOMEM)
        return tacit__nomem(err);
    if (seeker->halt == TACIT_OK) /* so that short tasks are counted as well */
        seeker->halt = ask(seeker) ? TACIT_OK : TACIT_CANCELLED;
    return seeker->halt;
}

/* Round after round until nothing is left. */
static tacit_status run_rounds(search *s, tacit_error *err)
{
    tacit_run run = tacit__asking_run(&s->asking);
    tacit_status status = keep_table(s, err);
    while (status == TACIT_OK) {
        status = open_round(s, err);
        if (status != TACIT_OK || !s->task_count)
            break;
        status = tacit__parallel(&run, SEARCHING, (int64_t)s->task_count, run_task, s, err);
    }
    for (int i = 0; i < s->worker_count; i++) { /* what a search that was stopped has kept */
        tacit__arena_clear(&s->kept[i].arena);
        s->kept[i].count = 0;
    }
    return status;
}

/* Goes through the table for sets of the given sizes; cut says whether there may
 * be larger ones. */
static tacit_status run_stage(search *s, int first, int last, int64_t budget, bool *cut,
                              tacit_error *err)
{
    tacit_error local = {0};
    s->found->first = first;
    if (last < atomic_load(&s->found->bound))
        atomic_store(&s->found->bound, last);
    s->budget = budget;
    atomic_store(&s->spent, 0);
    for (int i = 0; i < s->worker_count; i++) {
        s->seekers[i].halt = TACIT_OK;
        s->seekers[i].spent = 0;
        s->seekers[i].cut = false;
    }
    tacit_status status = run_rounds(s, &local);
    settle_sizes(s->found);
    *cut = false;
    for (int i = 0; i < s->worker_count; i++)
        *cut |= s->seekers[i].cut;
    if (status == TACIT_NOMEM)
        tacit__nomem(err);
    return status;
}

/* Ends a search before its time: sizes above `complete` go. */
static tacit_status stop_at(tacit__uniques_reach *reach, tacit__uniques_found *found, int complete,
                            tacit_status end)
{
    drop_sizes(found, complete);
    *reach = (tacit__uniques_reach){.complete = complete, .end = end};
    return TACIT_OK;
}

/* The size that the next stage goes up to. Where a size costs twice the one before,
 * all stages together cost twice the last one; where it costs hardly more, the
 * rest is done in one go. */
static int next_bound(int done, int wanted, double growth)
{
    int next = growth >= 2 ? done + 1 : growth >= 1.5 ? done + 2 : wanted;
    return next < wanted ? next : wanted;
}

/* Larger and larger sizes. */
static tacit_status run_sizes(search *s, tacit__uniques_reach *reach, int wanted, tacit_error *err)
{
    bool cut = true;
    double spent = 0, growth = 2;
    while (cut && reach->complete < wanted) {
        int done = reach->complete, last = next_bound(done, wanted, growth);
        atomic_store(&s->found->bound, last);
        tacit_status status = run_stage(s, done + 1, last, INT64_MAX, &cut, err);
        if (status == TACIT_CANCELLED)
            return stop_at(reach, s->found, done, TACIT_CANCELLED);
        if (status != TACIT_OK)
            return status;
        reach->complete = atomic_load(&s->found->bound);
        if (reach->complete < last)
            return stop_at(reach, s->found, reach->complete, TACIT_LIMIT);
        double before = spent;
        spent = (double)atomic_load(&s->spent);
        growth = before > 0 ? pow(spent / before, 1.0 / (last - done)) : 2;
    }
    if (!cut)
        reach->complete = s->ground->columns;
    return TACIT_OK;
}

/* All sizes at once, if that does not take too long. */
static tacit_status run_all(search *s, tacit__uniques_reach *reach, int wanted, int64_t budget,
                            tacit_error *err)
{
    bool cut;
    tacit_status status = run_stage(s, 2, wanted, budget, &cut, err);
    if (status == TACIT_CANCELLED && !s->asking.cancelled) {
        drop_sizes(s->found, 1);
        return run_sizes(s, reach, wanted, err);
    }
    if (status == TACIT_CANCELLED)
        return stop_at(reach, s->found, 1, TACIT_CANCELLED);
    if (status != TACIT_OK)
        return status;
    int reached = atomic_load(&s->found->bound);
    if (reached < wanted)
        return stop_at(reach, s->found, reached, TACIT_LIMIT);
    reach->complete = cut ? wanted : s->ground->columns;
    return TACIT_OK;
}

/* Rows that match an item in a column. */
static uint32_t matches_in(const tacit__ground *ground, int column, uint32_t item)
{
    int32_t at = ground->position[column];
    uint32_t wild = tacit__distinct_wild(ground->distinct, at);
    const uint32_t *counts = ground->counts[column];
    return counts[tacit__distinct_code(ground->distinct, item, at)] +
           (wild == UINT32_MAX ? 0 : counts[wild]);
}

/* Columns that are prime sets by themselves; see uniques.h. */
static tacit_status find_singles(const tacit__ground *ground, tacit__uniques_found *found,
                                 tacit_error *err)
{
    for (uint32_t item = 0; item < ground->items; item++) {
        const uint32_t *cells = tacit__ground_cells(ground, item);
        for (int column = 0; column < ground->columns; column++) {
            tacit__find find = {.set = UINT64_C(1) << column, .item = item};
            if (cells[column] != ground->base[column])
                continue;
            find.records = matches_in(ground, column, item);
            if (!tacit__found_add(found, 0, 1, find))
                return tacit__nomem(err);
        }
    }
    settle_sizes(found);
    if (atomic_load(&found->bound) < 1)
        return tacit__error(err, TACIT_LIMIT,
                            "the memory allowed is not enough for sets of one column");
    return TACIT_OK;
}

static tacit_status prepare_seekers(search *s, tacit_error *err)
{
    size_t workers = (size_t)s->worker_count;
    s->seekers = tacit__alloc_zeroed(workers, sizeof *s->seekers);
    s->kept = tacit__alloc_zeroed(workers, sizeof *s->kept);
    s->arenas = tacit__alloc_zeroed(workers, sizeof *s->arenas);
    if (!s->seekers || !s->kept || !s->arenas)
        return tacit__nomem(err);
    for (int i = 0; i < s->worker_count; i++) {
        tacit_status status = tacit__seeker_init(&s->seekers[i], s->ground, s->found, i, err);
        if (status != TACIT_OK)
            return status;
        s->seekers[i].ask = ask;
        s->seekers[i].search = s;
    }
    return TACIT_OK;
}

static void clear_search(search *s)
{
    for (int i = 0; i < s->worker_count; i++) {
        if (s->seekers && s->seekers[i].ground)
            tacit__seeker_clear(&s->seekers[i]);
        if (s->kept)
            tacit__free(s->kept[i].tasks);
        if (s->arenas)
            tacit__arena_clear(&s->arenas[i]);
    }
    tacit__free(s->seekers);
    tacit__free(s->kept);
    tacit__free(s->arenas);
    tacit__free(s->tasks);
}

tacit_status tacit__search(tacit__uniques_reach *reach, const tacit__ground *ground,
                           tacit__uniques_found *found, int64_t budget, const tacit_run *run,
                           tacit_error *err)
{
    int wanted = atomic_load(&found->bound);
    search s = {.ground = ground, .found = found, .worker_count = tacit__threads(run)};
    *reach = (tacit__uniques_reach){.complete = 1, .end = TACIT_OK};
    tacit_status status = find_singles(ground, found, err);
    if (status != TACIT_OK || wanted == 1)
        return status;
    tacit__asking_init(&s.asking, run);
    status = prepare_seekers(&s, err);
    if (status == TACIT_OK)
        status = run_all(&s, reach, wanted, budget, err);
    clear_search(&s);
    tacit__asking_clear(&s.asking);
    return status;
}

enum { FEW = 24, TASK_FINDS = 1 << 16 };

/* Prime sets of an item, a bit each, by column. */
typedef struct slices {
    uint64_t *words; /* column by column */
    size_t capacity; /* words a column */
    size_t count;    /* sets */
} slices;

typedef struct sifting {
    tacit__primes *primes;
    const tacit__ground *ground;
    tacit__uniques_found *found;
    uint32_t *kept;  /* an item each: its prime sets */
    uint32_t *tasks; /* items where tasks start; one more at the end */
    size_t task_count;
    slices *slices; /* a worker each */
} sifting;

void tacit__primes_clear(tacit__primes *primes)
{
    tacit__free(primes->sets);
    tacit__free(primes->starts);
    *primes = (tacit__primes){0};
}

/* Sets of one size: that with the first column in which they differ comes first. */
static int by_columns(const void *left, const void *right)
{
    const tacit_unique_set *a = left, *b = right;
    uint64_t differ = a->columns ^ b->columns;
    return a->columns & differ & (~differ + 1) ? -1 : differ != 0;
}

/* Puts sets of one size into their order. */
static void sort_sets(tacit_unique_set *sets, size_t count)
{
    if (count > FEW) {
        qsort(sets, count, sizeof *sets, by_columns);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        tacit_unique_set set = sets[i];
        size_t at = i;
        for (; at > 0 && by_columns(&set, &sets[at - 1]) < 0; at--)
            sets[at] = sets[at - 1];
        sets[at] = set;
    }
}

static bool has_part(const tacit_unique_set *sets, size_t count, uint64_t columns)
{
    for (size_t i = 0; i < count; i++)
        if (!(sets[i].columns & ~columns))
            return true;
    return false;
}

static bool slices_reserve(slices *s, int columns, size_t sets)
{
    size_t words = (sets + 63) / 64;
    if (s->capacity < words) {
        tacit__free(s->words);
        s->capacity = words + words / 2;
        s->words = tacit__alloc_array(s->capacity * (size_t)columns, sizeof *s->words);
        if (!s->words) {
            s->capacity = 0;
            return false;
        }
    }
    s->count = 0;
    for (int column = 0; column < columns; column++)
        memset(s->words + s->capacity * (size_t)column, 0, words * sizeof *s->words);
    return true;
}

static void slices_add(slices *s, uint64_t columns)
{
    for (; columns; columns &= columns - 1)
        s->words[s->capacity * (size_t)__builtin_ctzll(columns) + s->count / 64] |=
            UINT64_C(1) << s->count % 64;
    s->count++;
}

/* The same as has_part for the first `count` sets. */
static bool slices_have_part(const slices *s, size_t count, int columns, uint64_t of)
{
    uint64_t all = columns == 64 ? UINT64_MAX : (UINT64_C(1) << columns) - 1;
    for (size_t word = 0; word * 64 < count; word++) {
        uint64_t outside = count - word * 64 >= 64 ? 0 : UINT64_MAX << (count - word * 64);
        for (uint64_t left = all & ~of; left; left &= left - 1)
            outside |= s->words[s->capacity * (size_t)__builtin_ctzll(left) + word];
        if (~outside)
            return true;
    }
    return false;
}

/* Moves the prime ones of an item's finds to their start; returns their number. */
__attribute__((always_inline)) static inline size_t sift_item(tacit_unique_set *sets, size_t count,
                                                              slices *s, int columns)
{
    size_t kept = 0;
    bool sliced = count > FEW;
    for (size_t i = 0; i < count;) {
        int size = __builtin_popcountll(sets[i].columns);
        size_t end = i + 1, smaller = kept;
        while (end < count && __builtin_popcountll(sets[end].columns) == size)
            end++;
        for (; i < end; i++) {
            if (sliced ? slices_have_part(s, smaller, columns, sets[i].columns)
                       : has_part(sets, smaller, sets[i].columns))
                continue;
            sets[kept++] = sets[i];
            if (sliced)
                slices_add(s, sets[kept - 1].columns);
        }
        sort_sets(sets + smaller, kept - smaller);
    }
    return kept;
}

TACIT__HOT
static tacit_status sift_task(void *context, int64_t index, int worker, tacit_error *err)
{
    sifting *s = context;
    tacit__primes *primes = s->primes;
    for (uint32_t item = s->tasks[index]; item < s->tasks[index + 1]; item++) {
        size_t count = primes->starts[item + 1] - primes->starts[item];
        if (count > FEW && !slices_reserve(&s->slices[worker], s->ground->columns, count))
            return tacit__nomem(err);
        s->kept[item] = (uint32_t)sift_item(primes->sets + primes->starts[item], count,
                                            &s->slices[worker], s->ground->columns);
    }
    return TACIT_OK;
}

/* Where each item's finds go. */
static void lay_out_finds(sifting *s)
{
    const tacit__uniques_found *found = s->found;
    size_t *starts = s->primes->starts, at = 0;
    for (int worker = 0; worker < found->worker_count; worker++)
        for (int size = 0; size < TACIT__SET_SIZES; size++)
            for (const tacit__finds *c = found->workers[worker][size]; c; c = c->next)
                for (uint32_t i = 0; i < c->count; i++)
                    starts[c->finds[i].item]++;
    for (uint32_t item = 0; item <= s->ground->items; item++) {
        size_t count = starts[item];
        starts[item] = at;
        at += count;
    }
}

/* A set in the caller's columns. */
static uint64_t columns_of(const tacit__ground *ground, uint64_t set)
{
    uint64_t columns = 0;
    for (; set; set &= set - 1)
        columns |= UINT64_C(1) << ground->position[__builtin_ctzll(set)];
    return columns;
}

/* Deals the finds, size after size, and gives back their memory. Each start
 * becomes the next one. */
static void deal_finds(sifting *s)
{
    tacit__primes *primes = s->primes;
    for (int size = 0; size < TACIT__SET_SIZES; size++) {
        for (int worker = 0; worker < s->found->worker_count; worker++)
            for (const tacit__finds *c = s->found->workers[worker][size]; c; c = c->next)
                for (uint32_t i = 0; i < c->count; i++)
                    primes->sets[primes->starts[c->finds[i].item]++] =
                        (tacit_unique_set){.columns = columns_of(s->ground, c->finds[i].set),
                                           .records = c->finds[i].records};
    }
    drop_sizes(s->found, -1);
    memmove(primes->starts + 1, primes->starts, s->ground->items * sizeof *primes->starts);
    primes->starts[0] = 0;
}

/* Items in tasks of about TASK_FINDS finds. */
static void cut_tasks(sifting *s)
{
    const size_t *starts = s->primes->starts;
    size_t begun = 0;
    s->tasks[0] = 0;
    for (uint32_t item = 0; item < s->ground->items; item++)
        if (starts[item + 1] - begun >= TASK_FINDS || item + 1 == s->ground->items) {
            begun = starts[item + 1];
            s->tasks[++s->task_count] = item + 1;
        }
}

static void close_up(sifting *s)
{
    tacit__primes *primes = s->primes;
    size_t at = 0;
    for (uint32_t item = 0; item < s->ground->items; item++) {
        size_t start = primes->starts[item];
        primes->starts[item] = at;
        memmove(primes->sets + at, primes->sets + start, s->kept[item] * sizeof *primes->sets);
        at += s->kept[item];
    }
    primes->starts[s->ground->items] = at;
    void *shrunk = at ? tacit__resize_array(primes->sets, at, sizeof *primes->sets) : NULL;
    if (shrunk)
        primes->sets = shrunk;
}

static tacit_status allocate_sifting(sifting *s, const tacit_run *run, tacit_error *err)
{
    size_t finds = 0, items = s->ground->items;
    for (int size = 0; size < TACIT__SET_SIZES; size++)
        finds += finds_of_size(s->found, size);
    s->primes->sets = tacit__alloc_array(finds, sizeof *s->primes->sets);
    s->primes->starts = tacit__alloc_zeroed(items + 1, sizeof *s->primes->starts);
    s->kept = tacit__alloc_array(items, sizeof *s->kept);
    s->tasks = tacit__alloc_array(finds / TASK_FINDS + 2, sizeof *s->tasks);
    s->slices = tacit__alloc_zeroed((size_t)tacit__threads(run), sizeof *s->slices);
    if (!s->primes->sets || !s->primes->starts || !s->kept || !s->tasks || !s->slices)
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__primes_init(tacit__primes *primes, tacit__uniques_found *found,
                                const tacit__ground *ground, const tacit_run *run, tacit_error *err)
{
    sifting s = {.primes = primes, .ground = ground, .found = found};
    /* what was found is given even if the search was stopped: nobody is asked */
    tacit_run silent = {.threads = tacit__threads(run)};
    *primes = (tacit__primes){0};
    tacit_status status = allocate_sifting(&s, run, err);
    if (status == TACIT_OK) {
        lay_out_finds(&s);
        deal_finds(&s);
        cut_tasks(&s);
        status = tacit__parallel(&silent, NULL, (int64_t)s.task_count, sift_task, &s, err);
    }
    if (status == TACIT_OK)
        close_up(&s);
    else
        tacit__primes_clear(primes);
    for (int i = 0; s.slices && i < tacit__threads(run); i++)
        tacit__free(s.slices[i].words);
    tacit__free(s.slices);
    tacit__free(s.tasks);
    tacit__free(s.kept);
    return status;
}
