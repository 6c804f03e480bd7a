/*
 * box.c - how the lattice is cut into boxes, and what the nodes of a box are counted from.
 *
 * A box is cut through one attribute: the lower part has it on its lowest level, where the highest
 * node is likely to have too many outliers, which does away with all of it; the upper part has it
 * higher, which raises its bound. The attribute is the one for which the product of the two is
 * largest: how much the bound rises, and the logarithm of how many values become one.
 *
 * Every node of a box can be rolled up from its lowest node. That one is counted, and its list
 * kept for the boxes cut from this one, when it promises to be several times shorter than the list
 * at hand. So lists shrink as boxes do, and no box goes back to the rows: these are counted only
 * while lists would be as long as the table. Lists together stay within a budget; beyond it boxes
 * do with the longer list they have.
 *
 * Nodes are counted in batches that the search puts together. Short lists are rolled up one on
 * each core; long ones, and rows, one after the other on all cores. Which way is taken depends on
 * the list alone, and results go to the job that asked, so they are the same for any number of
 * threads. What has been learned of a node is kept, a few hundred bytes, until there are very many
 * and nobody needs it; its list only on request.
 */
#include "records/mingen/mingen.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* What bounds memory: a few hundred bytes for each node and box. */
enum { LEAST_KEPT = 1 << 17, MAX_BOXES = 1 << 17 };

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
                                .max_boxes = MAX_BOXES};
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

static size_t counter_width(const tacit__counter *counter)
{
    return (size_t)counter->g->frame->attribute_count;
}

/* The node's slot, or the empty one where it goes. */
static size_t slot_of(const tacit__counter *counter, const uint8_t *levels)
{
    size_t width = counter_width(counter), mask = counter->slot_count - 1;
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
static tacit_status reserve_nodes(tacit__counter *counter, int64_t more, tacit_error *err)
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
    size_t width = counter_width(counter);
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
    if (g->frame->elsewhere)
        return tacit__node_ask(t->node, g, run, err);
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
 * at a time; what is asked elsewhere; and cuts of classes with keys too wide to be viewed, which go
 * back to the rows. */
static bool is_long(const tacit__counter *counter, const tacit__job *job)
{
    const tacit__mingen *g = counter->g;
    int64_t entries = job->source ? job->source->count : g->rows;
    return entries > TACIT__LONG_LIST || g->beyond.models || (!g->plain && g->wide) ||
           g->frame->elsewhere;
}

/* Lists what has to be counted: a node that is known, only if its list is wanted. */
static tacit_status list_tasks(batch *b, tacit__job *jobs, int64_t count, tacit_error *err)
{
    tacit_status status = reserve_nodes(b->counter, count, err);
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

/* How many times shorter a list must promise to be, and rows to find out by. */
enum { SHORTER = 8, SHORTER_THAN_ROWS = 4, SAMPLE = 1 << 15 };

static const size_t LIST_BYTES = (size_t)64 << 20;

static tacit__box *box_new(tacit__yard *yard)
{
    tacit__box *box = tacit__alloc_zeroed(1, sizeof *box + 2 * counter_width(yard->counter));
    if (!box)
        return NULL;
    box->high = box->low + counter_width(yard->counter);
    box->age = yard->made++;
    return box;
}

tacit_status tacit__box_first(tacit__box **out, tacit__yard *yard, tacit__list *root,
                              const tacit__mingen_node *top, tacit_error *err)
{
    const tacit__mingen *g = yard->counter->g;
    tacit__box *box = box_new(yard);
    if (!box)
        return tacit__nomem(err);
    box->bound = -INFINITY;
    box->known = -INFINITY;
    box->ceiling = top;
    box->source = tacit__list_hold(root);
    memcpy(box->low, g->low, counter_width(yard->counter));
    memcpy(box->high, g->high, counter_width(yard->counter));
    tacit__box_rate(yard, box, NULL);
    *out = box;
    return TACIT_OK;
}

static void let_go(tacit__yard *yard, tacit__list *list)
{
    if (list && list->holders == 1)
        yard->bytes -= tacit__list_bytes(list);
    tacit__list_release(list);
}

void tacit__box_free(tacit__yard *yard, tacit__box *box)
{
    if (!box)
        return;
    let_go(yard, box->source);
    tacit__free(box);
}

bool tacit__box_is_single(const tacit__yard *yard, const tacit__box *box)
{
    return memcmp(box->low, box->high, counter_width(yard->counter)) == 0;
}

void tacit__box_rate(const tacit__yard *yard, tacit__box *box, const tacit__mingen_node *low)
{
    const tacit__mingen *g = yard->counter->g;
    double terms = 0, known = tacit__bound_known(&g->prices, &g->ladders, box->low, low);
    for (int32_t a = 0; a < g->prices.attributes; a++)
        terms += tacit__bound_term(&g->prices, box->ceiling, a, box->low[a]);
    box->known = fmax(box->known, known);
    box->bound = fmax(box->bound, tacit__bound(&g->prices, terms, box->known, box->ceiling));
}

/* The attribute to cut through; -1 if the box is a single node. */
static int32_t choose(const tacit__yard *yard, const tacit__box *box)
{
    const tacit__mingen *g = yard->counter->g;
    int32_t best = -1;
    double most = -1;
    for (int32_t a = 0; a < g->prices.attributes; a++) {
        int low = box->low[a], high = box->high[a];
        if (low == high)
            continue;
        double rise = tacit__bound_term(&g->prices, box->ceiling, a, low + 1) -
                      tacit__bound_term(&g->prices, box->ceiling, a, low);
        double joined = log((double)g->ladders.values[a][low] / g->ladders.values[a][high]);
        if (rise * joined > most) {
            most = rise * joined;
            best = a;
        }
    }
    return best;
}

tacit_status tacit__box_split(tacit__box **lower, tacit__yard *yard, tacit__box *box,
                              tacit_error *err)
{
    int32_t a = choose(yard, box);
    tacit__box *part = box_new(yard);
    if (!part)
        return tacit__nomem(err);
    part->bound = box->bound;
    part->known = box->known;
    part->ceiling = box->ceiling;
    part->source = tacit__list_hold(box->source);
    memcpy(part->low, box->low, 2 * counter_width(yard->counter));
    part->high[a] = box->low[a];
    box->low[a]++;
    box->age = yard->made++;
    tacit__box_rate(yard, box, NULL);
    *lower = part;
    return TACIT_OK;
}

tacit_status tacit__is_worth_listing(bool *worth, const tacit__mingen *g, const uint8_t *levels,
                                     tacit_error *err)
{
    tacit__list sample = {0};
    *worth = g->rows <= TACIT__LONG_LIST ||
             tacit__combinations(&g->ladders, levels) * SHORTER_THAN_ROWS <= (double)g->rows;
    if (g->frame->elsewhere)
        *worth = false;
    if (*worth || g->frame->elsewhere)
        return TACIT_OK;
    tacit_status status = tacit__list_rows(&sample, &g->ladders, levels, SAMPLE, g->run, err);
    *worth = status == TACIT_OK && sample.count * SHORTER_THAN_ROWS <= SAMPLE;
    tacit__list_clear(&sample);
    return status;
}

static tacit_status wants_list(bool *wants, const tacit__yard *yard, const tacit__box *box,
                               tacit_error *err)
{
    const tacit__mingen *g = yard->counter->g;
    *wants = false;
    if (tacit__box_is_single(yard, box))
        return TACIT_OK;
    if (!box->source)
        return tacit__is_worth_listing(wants, g, box->low, err);
    double here = tacit__combinations(&g->ladders, box->low);
    double there = tacit__combinations(&g->ladders, box->source->layout.levels);
    bool room = yard->bytes < LIST_BYTES + 4 * (size_t)g->rows;
    *wants = room && here * (tacit__bound_needs_low(&g->prices) ? 1 : SHORTER) <= there &&
             memcmp(box->low, box->source->layout.levels, counter_width(yard->counter)) != 0;
    return TACIT_OK;
}

static void take_list(tacit__yard *yard, tacit__box *box, tacit__list *list)
{
    let_go(yard, box->source);
    box->source = list;
    yard->bytes += tacit__list_bytes(list);
}

tacit_status tacit__box_source(tacit__yard *yard, tacit__box **boxes,
                               const tacit__mingen_node **nodes, int count, tacit_error *err)
{
    tacit__job jobs[TACIT__BATCH];
    int at[TACIT__BATCH], wanted = 0;
    for (int i = 0; i < count; i++) {
        bool list = false;
        tacit_status status = wants_list(&list, yard, boxes[i], err);
        if (status != TACIT_OK)
            return status;
        nodes[i] = tacit__node_find(yard->counter, boxes[i]->low);
        if (!list)
            continue;
        at[wanted] = i;
        jobs[wanted++] =
            (tacit__job){.levels = boxes[i]->low, .source = boxes[i]->source, .keep = true};
    }
    tacit_status status = tacit__count_nodes(yard->counter, jobs, wanted, err);
    for (int i = 0; status == TACIT_OK && i < wanted; i++) {
        nodes[at[i]] = jobs[i].node;
        take_list(yard, boxes[at[i]], jobs[i].list);
    }
    return status;
}

tacit_status tacit__box_count(tacit__yard *yard, tacit__box **boxes,
                              const tacit__mingen_node **nodes, int count, tacit_error *err)
{
    tacit__job jobs[TACIT__BATCH];
    for (int i = 0; i < count; i++)
        jobs[i] = (tacit__job){.levels = boxes[i]->high, .source = boxes[i]->source};
    tacit_status status = tacit__count_nodes(yard->counter, jobs, count, err);
    for (int i = 0; status == TACIT_OK && i < count; i++)
        nodes[i] = jobs[i].node;
    return status;
}
