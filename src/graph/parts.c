/*
 * parts.c - connected parts, what is left when they are contracted, and sorting by them.
 *
 * Parts by disjoint sets over the rows' side of the graph, which is read once from its start to its
 * end. Nothing is allocated for that but the answer.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "graph/graph.h"
#include "graph/sets.h"

void tacit__graph_parts(int32_t *part, int32_t *count, const tacit__graph *graph,
                        const tacit__edge_filter *filter)
{
    tacit__sets_init(part, graph->vertices);
    for (int32_t row = 0; row < graph->rows; row++)
        for (int32_t e = graph->starts[row]; e < graph->starts[row + 1]; e++)
            if (tacit__counts(filter, row, graph->near[e]))
                tacit__sets_join(part, row, tacit__near(graph->near[e]));
    *count = tacit__sets_number(part, graph->vertices);
}

/* Both ends of every edge that counts and joins two parts: their number, or, with near, where
 * each goes. */
static void visit_joints(tacit__graph *joined, const tacit__graph *graph,
                         const tacit__edge_filter *filter, const int32_t *part)
{
    for (int32_t row = 0; row < graph->rows; row++)
        for (int32_t e = graph->starts[row]; e < graph->starts[row + 1]; e++) {
            uint32_t word = graph->near[e];
            int32_t a = part[row], b = part[tacit__near(word)];
            if (a == b || !tacit__counts(filter, row, word))
                continue;
            if (joined->near) {
                joined->near[--joined->starts[a]] = (uint32_t)b | (word & ~TACIT__VERTEX);
                joined->near[--joined->starts[b]] = (uint32_t)a | tacit__turned(word);
            } else {
                joined->edges++;
                joined->starts[a]++;
                joined->starts[b]++;
            }
        }
}

tacit_status tacit__graph_contract(tacit__graph **out, const tacit__graph *graph,
                                   const tacit__edge_filter *filter, const int32_t *part,
                                   int32_t count, tacit_error *err)
{
    tacit__graph *joined = tacit__alloc_zeroed(1, sizeof *joined);
    if (joined) {
        joined->vertices = count;
        joined->starts = tacit__alloc_zeroed((size_t)count + 1, sizeof *joined->starts);
    }
    if (joined && joined->starts) {
        visit_joints(joined, graph, filter, part);
        for (int32_t v = 0; v < count; v++)
            joined->starts[v + 1] += joined->starts[v];
        joined->near = tacit__alloc_array(2 * (size_t)joined->edges, sizeof *joined->near);
    }
    if (!joined || !joined->near) {
        tacit__graph_free(joined);
        return tacit__nomem(err);
    }
    visit_joints(joined, graph, filter, part);
    *out = joined;
    return TACIT_OK;
}

tacit_status tacit__groups_init(tacit__groups *groups, const int32_t *part, int32_t places,
                                int32_t parts, tacit_error *err)
{
    int32_t *starts = tacit__alloc_zeroed((size_t)parts + 1, sizeof *starts);
    int32_t *members = tacit__alloc_array((size_t)places, sizeof *members);
    if (!starts || !members) {
        tacit__free(starts);
        tacit__free(members);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < places; i++)
        starts[part[i]]++;
    for (int32_t p = 0; p < parts; p++)
        starts[p + 1] += starts[p]; /* the end of each part for now */
    for (int32_t i = places - 1; i >= 0; i--)
        members[--starts[part[i]]] = i;
    *groups = (tacit__groups){starts, members};
    return TACIT_OK;
}

void tacit__groups_clear(tacit__groups *groups)
{
    tacit__free(groups->starts);
    tacit__free(groups->members);
    *groups = (tacit__groups){0};
}
