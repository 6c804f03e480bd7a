/*
 * search.c - the whole search: its tasks, and what happens when it takes long.
 *
 * The table is the first task. A task that is a large part of the table is split
 * into the groups below it, which are tasks of the next round; any other is
 * searched. So all cores have work soon, and what a task is depends on the data
 * alone.
 *
 * A search that is short looks for sets of all sizes at once. When it has looked
 * at more cells than its budget, it starts over and goes through the table again
 * and again for larger and larger sizes, so that whenever it is stopped, all sets
 * up to a size are there. That costs about twice as much.
 *
 * Memory: lists of members of the tasks of two rounds, 4 bytes each, up to ROOM
 * for each cell of the table; what would go beyond is searched at once.
 */
#include "uniques/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/asking.h"
#include "base/error.h"
#include "base/parallel.h"
#include "uniques/seek.h"

static const char PHASE[] = "prime implicants";

enum { LARGE_PARTS = 16, ROOM = 2 };

/* A group, and the choices there, which those of a set share. */
typedef struct task {
    tacit__uniques_group group;
    const tacit__choice *choices;
    int count;
} task;

/* Tasks that a worker keeps for the next round. */
typedef struct task_list {
    task *tasks;
    size_t count, room;
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
    size_t task_count, task_room;
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
    return spent <= s->budget && tacit__ask(&s->asking, PHASE);
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
    void *tasks = list->tasks;
    bool fits = tacit__reserve(&tasks, &list->room, list->count + 1, sizeof *list->tasks);
    list->tasks = tasks;
    uint32_t *members = tacit__arena_alloc(&list->arena, group->size * sizeof *members);
    tacit__choice *copy = tacit__arena_alloc(&list->arena, (size_t)count * sizeof *copy);
    if (!fits || !members || !copy)
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
    size_t most = ROOM * (size_t)s->ground->items * (size_t)s->ground->columns;
    if (atomic_fetch_add(&s->members, group->size) > most)
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
    void *tasks = s->tasks;
    size_t count = 0;
    for (int i = 0; i < s->worker_count; i++)
        count += s->kept[i].count;
    bool fits = tacit__reserve(&tasks, &s->task_room, count, sizeof *s->tasks);
    s->tasks = tasks;
    if (!fits)
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
    bool large = t->group.own > s->ground->items / LARGE_PARTS && t->group.size > TACIT__MOST_BITS;
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
        status = tacit__parallel(&run, PHASE, (int64_t)s->task_count, run_task, s, err);
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
    tacit__found_settle(s->found);
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
    tacit__found_drop(found, complete);
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
        tacit__found_drop(s->found, 1);
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

/* Columns that are prime sets by themselves; see ground.h. */
static tacit_status find_singles(const tacit__ground *ground, tacit__uniques_found *found,
                                 tacit_error *err)
{
    for (uint32_t item = 0; item < ground->items; item++) {
        const uint32_t *cells = tacit__ground_cells(ground, item);
        for (int column = 0; column < ground->columns; column++) {
            tacit__find find = {.set = UINT64_C(1) << column, .item = item};
            if (cells[column] != ground->base[column])
                continue;
            find.records = tacit__ground_matches(ground, column, item);
            if (!tacit__found_add(found, 0, 1, find))
                return tacit__nomem(err);
        }
    }
    tacit__found_settle(found);
    if (atomic_load(&found->bound) < 1)
        return tacit__error(err, TACIT_LIMIT,
                            "the memory allowed is not enough for sets of one column");
    return TACIT_OK;
}

static tacit_status prepare(search *s, tacit_error *err)
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

static void clear(search *s)
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
    status = prepare(&s, err);
    if (status == TACIT_OK)
        status = run_all(&s, reach, wanted, budget, err);
    clear(&s);
    tacit__asking_clear(&s.asking);
    return status;
}
