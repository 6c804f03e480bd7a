/*
 * transport.c - a maximum flow between two sides: which rows of an earlier release can be which
 * rows of the data, all of them together (rows that are alike being one giver or taker).
 *
 * First each giver, those with the fewest edges first, gives along its edges in their order. What
 * is left is sent by phases, as Hopcroft and Karp do for matchings and Dinic for flows: a
 * breadth-first search from the givers that have something left gives every giver a distance, then
 * paths are followed along which distances grow, each edge looked at once a phase. At most as many
 * phases as there are different distances. Where each giver has one edge there is nothing left to
 * send.
 *
 * Memory: 16 bytes an edge, some 20 a giver or taker.
 */
#include "records/previous/transport.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

#define FAR     UINT32_MAX
#define NO_EDGE INT64_MAX

enum { ASK_EVERY = 1 << 12 }; /* steps within a phase */

typedef struct work {
    const tacit_run *run;
    tacit_error *err;
    int64_t phase;
    int64_t steps; /* givers looked at, of all phases */
    const tacit__transport *problem;
    uint32_t *flow;
    uint32_t *left;       /* a giver each: what it could still give */
    uint32_t *open;       /* a taker each: what it could still take */
    uint32_t *giver_of;   /* an edge each */
    int64_t *back_starts; /* a taker each: its edges in back */
    int64_t *back;
    uint32_t *distance; /* a giver each, in this phase */
    uint32_t *reached;  /* a taker each: the distance of the giver that reached it first */
    uint32_t *queue;
    int64_t *at;      /* a giver each: the next edge to follow */
    int64_t *back_at; /* a taker each: the next edge to go back along */
    int64_t *path;    /* edges, forward and backward by turns */
} work;

static void work_clear(work *w)
{
    tacit__free(w->left);
    tacit__free(w->open);
    tacit__free(w->giver_of);
    tacit__free(w->back_starts);
    tacit__free(w->back);
    tacit__free(w->distance);
    tacit__free(w->reached);
    tacit__free(w->queue);
    tacit__free(w->at);
    tacit__free(w->back_at);
    tacit__free(w->path);
}

static tacit_status work_init(work *w, tacit_error *err)
{
    const tacit__transport *p = w->problem;
    size_t givers = p->givers, takers = p->takers, edges = (size_t)p->starts[givers];
    w->left = tacit__alloc_array(givers, sizeof *w->left);
    w->open = tacit__alloc_array(takers, sizeof *w->open);
    w->giver_of = tacit__alloc_array(edges, sizeof *w->giver_of);
    w->back_starts = tacit__alloc_zeroed(takers + 2, sizeof *w->back_starts);
    w->back = tacit__alloc_array(edges, sizeof *w->back);
    w->distance = tacit__alloc_array(givers, sizeof *w->distance);
    w->reached = tacit__alloc_array(takers, sizeof *w->reached);
    w->queue = tacit__alloc_array(givers, sizeof *w->queue);
    w->at = tacit__alloc_array(givers, sizeof *w->at);
    w->back_at = tacit__alloc_array(takers, sizeof *w->back_at);
    w->path = tacit__alloc_array(2 * givers + 2, sizeof *w->path);
    if (!w->left || !w->open || !w->giver_of || !w->back_starts || !w->back || !w->distance ||
        !w->reached || !w->queue || !w->at || !w->back_at || !w->path)
        return tacit__nomem(err);
    for (uint32_t g = 0; g < p->givers; g++)
        w->left[g] = p->supply[g];
    for (uint32_t t = 0; t < p->takers; t++)
        w->open[t] = p->demand[t];
    for (size_t e = 0; e < edges; e++)
        w->flow[e] = 0;
    return TACIT_OK;
}

/* The edges of each taker. back_starts is filled two places behind and ends in place. */
static void turn_round(work *w)
{
    const tacit__transport *p = w->problem;
    for (int64_t e = 0; e < p->starts[p->givers]; e++)
        w->back_starts[p->edges[e] + 2]++;
    for (uint32_t t = 0; t < p->takers; t++)
        w->back_starts[t + 2] += w->back_starts[t + 1];
    for (uint32_t g = 0; g < p->givers; g++)
        for (int64_t e = p->starts[g]; e < p->starts[g + 1]; e++) {
            w->giver_of[e] = g;
            w->back[w->back_starts[p->edges[e] + 1]++] = e;
        }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void give(work *w, uint32_t giver)
{
    const tacit__transport *p = w->problem;
    for (int64_t e = p->starts[giver]; e < p->starts[giver + 1] && w->left[giver] > 0; e++) {
        uint32_t sent = least(w->left[giver], w->open[p->edges[e]]);
        w->flow[e] += sent;
        w->left[giver] -= sent;
        w->open[p->edges[e]] -= sent;
    }
}

/* Givers with few edges first: counting sort by their number, the queue as memory. */
static void give_greedily(work *w)
{
    enum { MAX = 64 };
    const tacit__transport *p = w->problem;
    uint32_t starts[MAX + 2] = {0};
    for (uint32_t g = 0; g < p->givers; g++) {
        int64_t edges = p->starts[g + 1] - p->starts[g];
        starts[(edges < MAX ? edges : MAX) + 1]++;
    }
    for (int i = 0; i <= MAX; i++)
        starts[i + 1] += starts[i];
    for (uint32_t g = 0; g < p->givers; g++) {
        int64_t edges = p->starts[g + 1] - p->starts[g];
        w->queue[starts[edges < MAX ? edges : MAX]++] = g;
    }
    for (uint32_t i = 0; i < p->givers; i++)
        give(w, w->queue[i]);
}

/* Asks now and then whether to go on. */
static tacit_status ask(work *w)
{
    return ++w->steps % ASK_EVERY ? TACIT_OK
                                  : tacit__progress(w->run, "matching", w->phase, 0, w->err);
}

/* Goes back from a taker that is reached for the first time. */
static void spread(work *w, uint32_t taker, uint32_t distance, uint32_t *tail)
{
    w->reached[taker] = distance;
    for (int64_t i = w->back_starts[taker]; i < w->back_starts[taker + 1]; i++) {
        uint32_t next = w->giver_of[w->back[i]];
        if (w->flow[w->back[i]] == 0 || w->distance[next] != FAR)
            continue;
        w->distance[next] = distance + 1;
        w->queue[(*tail)++] = next;
    }
}

/* Distances from the givers with something left; found: a taker that is open can be reached. */
static tacit_status measure(bool *found, work *w)
{
    const tacit__transport *p = w->problem;
    uint32_t head = 0, tail = 0;
    tacit_status status = TACIT_OK;
    *found = false;
    for (uint32_t g = 0; g < p->givers; g++) {
        w->distance[g] = w->left[g] > 0 ? 0 : FAR;
        if (w->left[g] > 0)
            w->queue[tail++] = g;
        w->at[g] = p->starts[g];
    }
    for (uint32_t t = 0; t < p->takers; t++) {
        w->reached[t] = FAR;
        w->back_at[t] = w->back_starts[t];
    }
    while (head < tail && status == TACIT_OK) {
        uint32_t g = w->queue[head++];
        for (int64_t e = p->starts[g]; e < p->starts[g + 1]; e++) {
            *found |= w->open[p->edges[e]] > 0;
            if (w->reached[p->edges[e]] == FAR)
                spread(w, p->edges[e], w->distance[g], &tail);
        }
        status = ask(w);
    }
    return status;
}

/* Sends along the path, which starts at a giver with something left: its edges are by turns
 * ones that carry more and ones that carry less. */
static void send(work *w, uint32_t from, int64_t length)
{
    const tacit__transport *p = w->problem;
    uint32_t taker = p->edges[w->path[length - 1]], sent = least(w->left[from], w->open[taker]);
    for (int64_t i = 1; i < length; i += 2)
        sent = least(sent, w->flow[w->path[i]]);
    for (int64_t i = 0; i < length; i++)
        w->flow[w->path[i]] += i % 2 ? -sent : sent;
    w->left[from] -= sent;
    w->open[taker] -= sent;
}

/* The edge from a taker, reached from that distance, back to a giver one step further away. */
static int64_t next_back(work *w, uint32_t taker, uint32_t distance)
{
    if (w->reached[taker] != distance)
        return NO_EDGE;
    for (; w->back_at[taker] < w->back_starts[taker + 1]; w->back_at[taker]++) {
        int64_t b = w->back[w->back_at[taker]];
        if (w->flow[b] > 0 && w->distance[w->giver_of[b]] == distance + 1)
            return b;
    }
    return NO_EDGE;
}

/* One step on from a giver: true where the path got longer, *done where it has arrived. */
static bool step(work *w, uint32_t giver, int64_t *length, bool *done)
{
    const tacit__transport *p = w->problem;
    for (; w->at[giver] < p->starts[giver + 1]; w->at[giver]++) {
        int64_t e = w->at[giver];
        uint32_t t = p->edges[e];
        *done = w->open[t] > 0;
        int64_t b = *done ? NO_EDGE : next_back(w, t, w->distance[giver]);
        if (!*done && b == NO_EDGE)
            continue;
        w->path[(*length)++] = e;
        if (!*done)
            w->path[(*length)++] = b;
        return true;
    }
    return false;
}

/* Follows paths from one giver until it has nothing left or none is left. */
static tacit_status follow(work *w, uint32_t from)
{
    int64_t length = 0;
    tacit_status status = TACIT_OK;
    while (w->left[from] > 0 && status == TACIT_OK) {
        uint32_t giver = length ? w->giver_of[w->path[length - 1]] : from;
        bool done = false;
        if (!step(w, giver, &length, &done)) {
            if (length == 0)
                break;
            length -= 2; /* a dead end: the edge that led here is done with */
            w->back_at[w->problem->edges[w->path[length]]]++;
        }
        if (done) {
            send(w, from, length);
            length = 0;
        }
        status = ask(w);
    }
    return status;
}

static tacit_status follow_all(work *w)
{
    tacit_status status = TACIT_OK;
    for (uint32_t g = 0; g < w->problem->givers && status == TACIT_OK; g++)
        if (w->left[g] > 0)
            status = follow(w, g);
    return status;
}

tacit_status tacit__transport_solve(uint32_t *flow, const tacit__transport *problem,
                                    const tacit_run *run, tacit_error *err)
{
    work w = {.problem = problem, .flow = flow, .run = run, .err = err};
    bool found = false;
    tacit_status status = work_init(&w, err);
    if (status == TACIT_OK) {
        turn_round(&w);
        give_greedily(&w);
        status = measure(&found, &w);
    }
    while (status == TACIT_OK && found) {
        status = follow_all(&w);
        if (status == TACIT_OK)
            status = tacit__progress(run, "matching", w.phase++, 0, err);
        if (status == TACIT_OK)
            status = measure(&found, &w);
    }
    work_clear(&w);
    return status;
}
