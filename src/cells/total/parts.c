/*
 * parts.c - how many cells any answer needs between the classes of a partition.
 *
 * All rows and columns of a home, a component of the suppressed graph, are connected without Q
 * in the end, whatever the directions. So if rows and columns are put into classes, such that
 * suppressed cells outside Q stay within them, and c classes have a row or column of one home,
 * then the offers between classes that are taken are c - 1 at least. With two classes that is a
 * cut; with more it is what a program of cuts alone misses by half: a ring of halves keeps all
 * cuts. The classes tried are those that the offers of some value and more connect.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/total/model.h"
#include "graph/graph.h"

/* Classes by suppressed cells outside Q, and offers of at least so much. */
static int32_t make_classes(tacit__parting *p, const tacit__model *m, const double *values,
                            double least)
{
    tacit__sets_init(p->class_of, m->graph->vertices);
    for (int32_t k = 0; k < p->free_count; k++)
        tacit__sets_join(p->class_of, m->row[p->free_edges[k]],
                         tacit__near(m->graph->near[p->free_edges[k]]));
    for (int32_t i = 0; i < m->offers; i++)
        if (values[i] >= least)
            tacit__sets_join(p->class_of, m->row[m->offer[i]],
                             tacit__near(m->graph->near[m->offer[i]]));
    return tacit__sets_number(p->class_of, m->graph->vertices);
}

/* The most classes that one home has a part of. */
static int32_t most_classes(tacit__parting *p, int32_t classes)
{
    int32_t most = 0;
    for (int32_t c = 0; c < classes; c++)
        p->seen[c] = -1;
    for (int32_t h = 0; h < p->home_count; h++) {
        int32_t many = 0;
        for (int32_t k = p->homes.starts[h]; k < p->homes.starts[h + 1]; k++) {
            int32_t class = p->class_of[p->homes.members[k]];
            many += p->seen[class] != h;
            p->seen[class] = h;
        }
        most = many > most ? many : most;
    }
    return most;
}

int32_t tacit__parting_cut(tacit__parting *p, int32_t *items, int32_t *count, const tacit__model *m,
                           const double *values, double least)
{
    int32_t needed = most_classes(p, make_classes(p, m, values, least)) - 1;
    *count = 0;
    for (int32_t i = 0; i < m->offers; i++)
        if (p->class_of[m->row[m->offer[i]]] !=
            p->class_of[tacit__near(m->graph->near[m->offer[i]])])
            items[(*count)++] = i;
    return needed;
}

tacit_status tacit__parting_init(tacit__parting *p, tacit__model *m, tacit_error *err)
{
    const tacit__graph *g = m->graph;
    size_t n = (size_t)g->vertices;
    *p = (tacit__parting){0};
    p->class_of = tacit__alloc_array(n, sizeof *p->class_of);
    p->seen = tacit__alloc_array(n, sizeof *p->seen);
    p->free_edges = tacit__alloc_array((size_t)g->edges, sizeof *p->free_edges);
    if (!p->class_of || !p->seen || !p->free_edges)
        return tacit__nomem(err);
    tacit__model_set_all(m, false);
    tacit__graph_parts(p->class_of, &p->home_count, g, &TACIT__ALL_HIDDEN);
    for (int32_t e = 0; e < g->edges; e++)
        if (tacit__counts(&TACIT__NOT_SECRET, m->row[e], g->near[e]))
            p->free_edges[p->free_count++] = e;
    return tacit__groups_init(&p->homes, p->class_of, g->vertices, p->home_count, err);
}

void tacit__parting_clear(tacit__parting *p)
{
    tacit__free(p->class_of);
    tacit__free(p->seen);
    tacit__free(p->free_edges);
    tacit__groups_clear(&p->homes);
}
