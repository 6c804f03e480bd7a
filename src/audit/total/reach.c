/*
 * reach.c - connected parts and strong components, by searches that say what is reached.
 *
 * Parts: from each vertex that no search has met, everything that it reaches. Strong components
 * (Kosaraju): a first search leaves vertices in the order in which it was done with them. Taken
 * against that order, and against the directions, each vertex that is not met yet reaches exactly
 * its component: whom it reaches so can reach it, and was done with before it, so it reaches them
 * too. What undirected edges connect is a part of one component; such parts are made vertices
 * first, for few cells are on their bounds.
 *
 * The methods find the same by disjoint sets and by Tarjan's algorithm (src/graph); neither
 * shares code with the other. Two words a vertex besides the answer; each edge is looked at once
 * from either end in each search.
 */
#include <string.h>

#include "audit/total/total.h"
#include "base/alloc.h"
#include "base/error.h"

enum { NOT_MET = -1, NEXT = 2, AHEAD = 8 };

/* What will be looked at when those who wait in the queue have their turn, fetched while others
 * have it: one knows who is next, though not where in memory. */
static void fetch_ahead(const int32_t *part, const int32_t *queue, const tacit__net *net,
                        int32_t waiting)
{
    if (waiting > 2 * AHEAD)
        __builtin_prefetch(&net->starts[queue[2 * AHEAD]]);
    if (waiting > AHEAD)
        __builtin_prefetch(&net->near[net->starts[queue[AHEAD]]]);
    if (waiting > NEXT)
        for (int32_t e = net->starts[queue[NEXT]]; e < net->starts[queue[NEXT] + 1]; e++)
            __builtin_prefetch(&part[tacit__net_near(net->near[e])]);
}

/* Gives all that a vertex reaches over the edges that count the same number. */
static void spread(int32_t *part, int32_t *queue, const tacit__net *net,
                   const tacit__net_filter *filter, int32_t from, int32_t number)
{
    int32_t waiting = 1;
    part[from] = number;
    queue[0] = from;
    for (int32_t k = 0; k < waiting; k++) {
        int32_t vertex = queue[k];
        fetch_ahead(part, queue + k, net, waiting - k);
        for (int32_t e = net->starts[vertex]; e < net->starts[vertex + 1]; e++) {
            uint32_t word = net->near[e];
            int32_t there = tacit__net_near(word);
            if ((word & filter->mask) != filter->wanted || part[there] != NOT_MET ||
                !tacit__net_counts(filter, vertex, word))
                continue;
            part[there] = number;
            queue[waiting++] = there;
        }
    }
}

/* Spreads from every vertex that was not met, by the order given (NULL: their own). */
static int32_t spread_all(int32_t *part, int32_t *queue, const tacit__net *net,
                          const tacit__net_filter *filter, const int32_t *order)
{
    int32_t count = 0;
    for (int32_t v = 0; v < net->vertices; v++)
        part[v] = NOT_MET;
    for (int32_t k = 0; k < net->vertices; k++) {
        int32_t vertex = order ? order[k] : k;
        if (part[vertex] == NOT_MET)
            spread(part, queue, net, filter, vertex, count++);
    }
    return count;
}

tacit_status tacit__net_parts(int32_t *part, int32_t *count, const tacit__net *net,
                              const tacit__net_filter *filter, tacit_error *err)
{
    int32_t *queue = tacit__alloc_array((size_t)net->vertices, sizeof *queue);
    if (!queue)
        return tacit__nomem(err);
    *count = spread_all(part, queue, net, filter, NULL);
    tacit__free(queue);
    return TACIT_OK;
}

/* ---- strong components ---- */

/* The first search, along the directions. path has the way to where it is, from the right, and
 * becomes, from the left, the order: whom it was done with last comes first at the end. */
typedef struct search {
    const tacit__net *net;
    int32_t *at;   /* a vertex each: which edge is next; NOT_MET */
    int32_t *path; /* both lists together never have more than all vertices */
    int32_t top;   /* of the way: its last vertex */
    int32_t done;
} search;

static void enter(search *s, int32_t vertex)
{
    s->at[vertex] = s->net->starts[vertex];
    s->path[--s->top] = vertex;
    for (int32_t e = s->net->starts[vertex]; e < s->net->starts[vertex + 1]; e++)
        __builtin_prefetch(&s->at[tacit__net_near(s->net->near[e])]);
}

/* The next vertex that an edge leads to and nobody has met; NOT_MET: none. */
static int32_t next_met(search *s, int32_t vertex)
{
    const tacit__net *net = s->net;
    while (s->at[vertex] < net->starts[vertex + 1]) {
        uint32_t word = net->near[s->at[vertex]++];
        if (word & TACIT__NET_OUT && s->at[tacit__net_near(word)] == NOT_MET)
            return tacit__net_near(word);
    }
    return NOT_MET;
}

static void search_from(search *s, int32_t root)
{
    enter(s, root);
    while (s->top < s->net->vertices) {
        int32_t vertex = s->path[s->top], there = next_met(s, vertex);
        if (there != NOT_MET) {
            enter(s, there);
        } else {
            s->top++;
            s->path[s->done++] = vertex;
        }
    }
}

/* order: vertices, those that the search was done with last first. */
static void find_order(int32_t *order, int32_t *at, const tacit__net *net)
{
    search s = {.net = net, .at = at, .path = order, .top = net->vertices};
    for (int32_t v = 0; v < net->vertices; v++)
        at[v] = NOT_MET;
    for (int32_t v = 0; v < net->vertices; v++)
        if (at[v] == NOT_MET)
            search_from(&s, v);
    for (int32_t low = 0, high = net->vertices - 1; low < high; low++, high--) {
        int32_t first = order[low];
        order[low] = order[high];
        order[high] = first;
    }
}

/* Parts are numbered by their first vertices. names has room for as many. */
static void number_parts(int32_t *part, int32_t vertices, int32_t *names, int32_t parts)
{
    int32_t count = 0;
    for (int32_t p = 0; p < parts; p++)
        names[p] = -1;
    for (int32_t v = 0; v < vertices; v++) {
        if (names[part[v]] < 0)
            names[part[v]] = count++;
        part[v] = names[part[v]];
    }
}

static tacit_status find_strong(int32_t *part, int32_t *count, const tacit__net *net,
                                tacit_error *err)
{
    const tacit__net_filter backwards = {TACIT__NET_IN, TACIT__NET_IN, NULL};
    size_t n = (size_t)net->vertices;
    int32_t *order = tacit__alloc_array(n, sizeof *order);
    int32_t *scratch = tacit__alloc_array(n, sizeof *scratch);
    tacit_status status = order && scratch ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        find_order(order, scratch, net);
        *count = spread_all(part, scratch, net, &backwards, order);
        number_parts(part, net->vertices, scratch, *count);
    }
    tacit__free(order);
    tacit__free(scratch);
    return status;
}

/* What a net made of parts says of their vertices. */
static void hand_down(int32_t *out, const int32_t *part, int32_t vertices, const int32_t *of_part)
{
    for (int32_t v = 0; v < vertices; v++)
        out[v] = of_part[part[v]];
}

/* What directed edges make of the parts that the others connect. */
static tacit_status join_parts(int32_t *strong, tacit__net_numbers *count, int32_t *connected,
                               const tacit__net *net, tacit_error *err)
{
    const uint32_t both = TACIT__NET_OUT | TACIT__NET_IN;
    tacit__net *joined = NULL;
    int32_t parts = 0, *of_part = NULL;
    tacit_status status =
        tacit__net_parts(strong, &parts, net, &(tacit__net_filter){both, both, NULL}, err);
    if (status == TACIT_OK)
        status = tacit__net_contract(&joined, net, &(tacit__net_filter){0}, strong, parts, err);
    if (status == TACIT_OK) {
        of_part = tacit__alloc_array((size_t)parts, sizeof *of_part);
        status = of_part ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK && connected) {
        status = tacit__net_parts(of_part, &count->connected, joined, &(tacit__net_filter){0}, err);
        if (status == TACIT_OK)
            hand_down(connected, strong, net->vertices, of_part);
    }
    if (status == TACIT_OK)
        status = find_strong(of_part, &count->strong, joined, err);
    if (status == TACIT_OK)
        hand_down(strong, strong, net->vertices, of_part);
    tacit__net_free(joined);
    tacit__free(of_part);
    return status;
}

tacit_status tacit__net_strong(int32_t *strong, tacit__net_numbers *count, int32_t *connected,
                               const tacit__net *net, tacit_error *err)
{
    if (net->directed)
        return join_parts(strong, count, connected, net, err);
    tacit_status status =
        tacit__net_parts(strong, &count->strong, net, &(tacit__net_filter){0}, err);
    count->connected = count->strong;
    if (status == TACIT_OK && connected)
        memcpy(connected, strong, (size_t)net->vertices * sizeof *connected);
    return status;
}
