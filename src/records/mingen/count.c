/*
 * count.c - nodes are counted in batches that the search puts together.
 *
 * Short lists are rolled up one on each core; long ones, and rows, one after the
 * other on all cores. Which way is taken depends on the list alone, and results go
 * to the job that asked, so they are the same for any number of threads. What has
 * been learned of a node is kept, a few hundred bytes, until there are very many and
 * nobody needs it; its list only on request.
 */
#include "records/mingen/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* What bounds memory: a few hundred bytes for each node and box. */
enum { LEAST_KEPT = 1 << 17, MOST_BOXES = 1 << 17 };

tacit_status tacit__counter_init(tacit__counter *counter, const tacit__mingen *g, tacit_error *err)
{
    int workers = tacit__threads(g->run);
    tacit__desk *desks = tacit__alloc_zeroed(2 * (size_t)workers, sizeof *desks);
    if (!desks)
        return tacit__nomem(err);
    *counter = (tacit__counter){.g = g,
                                .desks = desks,
                                .workers = workers,
                                .most = LEAST_KEPT,
                                .least_kept = LEAST_KEPT,
                                .most_boxes = MOST_BOXES};
    return TACIT_OK;
}

static void free_nodes(tacit__mingen_node *node)
{
    while (node) {
        tacit__mingen_node *next = node->next;
        tacit__free(node);
        node = next;
    }
}

void tacit__counter_clear(tacit__counter *counter)
{
    for (int i = 0; i < 2 * counter->workers; i++)
        tacit__desk_clear(&counter->desks[i]);
    tacit__free(counter->desks);
    tacit__free(counter->slots);
    free_nodes(counter->nodes);
    *counter = (tacit__counter){0};
}

/* ---- the nodes that are known ---- */

static size_t width_of(const tacit__counter *counter)
{
    return (size_t)counter->g->frame->attribute_count;
}

/* The node's slot, or the empty one where it goes. */
static size_t slot_of(const tacit__counter *counter, const uint8_t *levels)
{
    size_t width = width_of(counter), mask = counter->slot_count - 1;
    size_t slot = tacit__hash_bytes((const char *)levels, width) & mask;
    while (counter->slots[slot] && memcmp(counter->slots[slot]->levels, levels, width) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

const tacit__mingen_node *tacit__node_find(const tacit__counter *counter, const uint8_t *levels)
{
    return counter->slot_count ? counter->slots[slot_of(counter, levels)] : NULL;
}

/* Puts every node that is kept into so many slots. */
static tacit_status lay_out(tacit__counter *counter, size_t slot_count, tacit_error *err)
{
    tacit__mingen_node **slots = tacit__alloc_zeroed(slot_count, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    tacit__free(counter->slots);
    counter->slots = slots;
    counter->slot_count = slot_count;
    for (tacit__mingen_node *node = counter->nodes; node; node = node->next)
        slots[slot_of(counter, node->levels)] = node;
    return TACIT_OK;
}

/* Room for so many more nodes. */
static tacit_status make_room(tacit__counter *counter, int64_t more, tacit_error *err)
{
    size_t wanted = 64;
    while (wanted < 2 * (size_t)(counter->kept + more))
        wanted *= 2;
    return wanted <= counter->slot_count ? TACIT_OK : lay_out(counter, wanted, err);
}

bool tacit__counter_is_full(const tacit__counter *counter)
{
    return counter->kept >= counter->most;
}

/* The node is the counter's own. */
void tacit__node_mark(const tacit__counter *counter, const tacit__mingen_node *node)
{
    if (node)
        counter->slots[slot_of(counter, node->levels)]->needed = true;
}

void tacit__counter_forget(tacit__counter *counter)
{
    tacit__mingen_node *kept = NULL, *gone = NULL;
    memset(counter->slots, 0, counter->slot_count * sizeof *counter->slots);
    counter->kept = 0;
    for (tacit__mingen_node *node = counter->nodes, *next; node; node = next) {
        tacit__mingen_node **list = node->needed ? &kept : &gone;
        next = node->next;
        node->next = *list;
        *list = node;
        if (!node->needed)
            continue;
        node->needed = false;
        counter->slots[slot_of(counter, node->levels)] = node;
        counter->kept++;
    }
    free_nodes(gone);
    counter->nodes = kept;
    counter->most = counter->least_kept + 2 * counter->kept;
}

/* A node in one block with its arrays. */
static tacit__mingen_node *node_new(const tacit__counter *counter, const uint8_t *levels)
{
    size_t width = width_of(counter);
    tacit__mingen_node *node = tacit__alloc_zeroed(1, sizeof *node + width * (sizeof(double) + 1));
    if (!node)
        return NULL;
    node->lost = (double *)(node + 1);
    uint8_t *copy = (uint8_t *)(node->lost + width);
    memcpy(copy, levels, width);
    node->levels = copy;
    return node;
}

/* ---- a batch ---- */

typedef struct task {
    tacit__job *job;
    tacit__mingen_node *node;
    bool is_long;
} task;

typedef struct batch {
    tacit__counter *counter;
    task *tasks;
    int64_t count;
    tacit_run alone; /* for work inside a task */
} batch;

/* Counts one node and looks at it. */
static tacit_status count_node(const batch *b, const task *t, int worker, const tacit_run *run,
                               tacit_error *err)
{
    const tacit__mingen *g = b->counter->g;
    tacit__desk *desks = &b->counter->desks[2 * worker];
    tacit__list list = {0};
    tacit__raise how = {.ladders = &g->ladders,
                        .from = t->job->source,
                        .levels = t->node->levels,
                        .person = g->frame->person >= 0,
                        .run = run};
    tacit_status status =
        t->job->source ? tacit__list_raise(&list, &desks[0], &how, err)
                       : tacit__list_rows(&list, &g->ladders, t->node->levels, g->rows, run, err);
    if (status == TACIT_OK)
        status = tacit__node_look(t->node, g, &list, &desks[1], run, err);
    if (status == TACIT_OK && t->job->keep)
        status = tacit__list_keep(&t->job->list, &list, err);
    tacit__list_clear(&list);
    return status;
}

static tacit_status short_task(void *context, int64_t index, int worker, tacit_error *err)
{
    const batch *b = context;
    const task *t = &b->tasks[index];
    return t->is_long ? TACIT_OK : count_node(b, t, worker, &b->alone, err);
}

/* What works on all cores by itself: long lists; models, which are asked by one caller
 * at a time; and cuts of classes with keys too wide to be viewed, which go back to the
 * rows. */
static bool is_long(const tacit__counter *counter, const tacit__job *job)
{
    const tacit__mingen *g = counter->g;
    int64_t entries = job->source ? job->source->count : g->rows;
    return entries > TACIT__LONG_LIST || g->beyond.models || (!g->plain && g->wide);
}

/* Lists what has to be counted: a node that is known, only if its list is wanted. */
static tacit_status list_tasks(batch *b, tacit__job *jobs, int64_t count, tacit_error *err)
{
    tacit_status status = make_room(b->counter, count, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        jobs[i].list = NULL;
        jobs[i].node = tacit__node_find(b->counter, jobs[i].levels);
        if (jobs[i].node && !jobs[i].keep)
            continue;
        tacit__mingen_node *node = node_new(b->counter, jobs[i].levels);
        b->tasks[b->count++] = (task){&jobs[i], node, is_long(b->counter, &jobs[i])};
        status = node ? TACIT_OK : tacit__nomem(err);
    }
    return status;
}

static tacit_status run_tasks(batch *b, tacit_error *err)
{
    const tacit_run *run = b->counter->g->run;
    int64_t shorts = 0;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < b->count; i++) {
        shorts += !b->tasks[i].is_long;
        if (b->tasks[i].is_long)
            status = count_node(b, &b->tasks[i], 0, run, err);
    }
    if (status == TACIT_OK && shorts > 0)
        status = tacit__parallel(run, NULL, b->count, short_task, b, err);
    return status;
}

/* Keeps what was learned; a node that is known, or twice in the batch, is the same. */
static void keep_nodes(batch *b)
{
    for (int64_t i = 0; i < b->count; i++) {
        tacit__counter *counter = b->counter;
        tacit__mingen_node *node = b->tasks[i].node;
        size_t slot = slot_of(counter, node->levels);
        if (counter->slots[slot]) {
            tacit__free(node);
        } else {
            counter->slots[slot] = node;
            node->next = counter->nodes;
            counter->nodes = node;
            counter->kept++;
            counter->checked++;
        }
        b->tasks[i].job->node = counter->slots[slot];
    }
}

static void drop_tasks(batch *b)
{
    for (int64_t i = 0; i < b->count; i++) {
        tacit__free(b->tasks[i].node);
        tacit__list_release(b->tasks[i].job->list);
        b->tasks[i].job->list = NULL;
    }
}

tacit_status tacit__count_nodes(tacit__counter *counter, tacit__job *jobs, int64_t count,
                                tacit_error *err)
{
    batch b = {.counter = counter, .alone = *counter->g->run};
    b.alone.threads = 1;
    b.alone.progress = NULL;
    b.tasks = tacit__alloc_array((size_t)count, sizeof *b.tasks);
    tacit_status status = b.tasks ? list_tasks(&b, jobs, count, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = run_tasks(&b, err);
    if (status == TACIT_OK)
        keep_nodes(&b);
    else
        drop_tasks(&b);
    tacit__free(b.tasks);
    return status;
}
