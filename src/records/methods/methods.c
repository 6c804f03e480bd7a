/*
 * methods.c - the table of methods, and what all of them give back.
 */
#include "records/methods/methods.h"

#include <string.h>

#include "base/alloc.h"
#include "records/metrics/costs.h"

static const tacit_method METHODS[] = {
    {"mingen", "the best level for every attribute, proven: search the whole lattice",
     tacit__mingen_solve, TACIT_METHOD_MODELS | TACIT_METHOD_SEARCHES | TACIT_METHOD_EXPLORED,
     (1u << TACIT_METRICS) - 1},
    {"local",
     "generalize cell by cell: more detail, but a column's values are on different levels, which "
     "is harder to analyse, and what is kept says something of what is not",
     tacit__local_solve,
     TACIT_METHOD_MODELS | TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES | TACIT_METHOD_EXPLORED |
         TACIT_METHOD_RESISTS,
     TACIT__CELL_METRICS},
    {"optimal",
     "the best cell-level release there is, proven, for small tables; otherwise the best found, "
     "and how far it may be from that",
     tacit__optimal_solve, TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES | TACIT_METHOD_RESISTS,
     TACIT__SUM_METRICS},
    {"datafly", "generalize the attribute with the most values, suppress the outliers",
     tacit__datafly_solve, TACIT_METHOD_EXPLORED | TACIT_METHOD_LINKS, 0},
    {"mu-argus", "generalize each attribute to k, suppress the cells that still stand out",
     tacit__argus_solve, TACIT_METHOD_CELLS, 0},
    {"k-similar", "clusters of k or more closest records, for small tables", tacit__ksimilar_solve,
     TACIT_METHOD_CELLS | TACIT_METHOD_RESISTS, 0},
    {"ambiguate",
     "suppress the fewest cells so that each row agrees with k - 1 others on what is left; a "
     "suppressed cell agrees with anything",
     tacit__ambiguate_solve,
     TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES | TACIT_METHOD_AMBIGUATES | TACIT_METHOD_RESISTS,
     0},
    {"none",
     "generalize nothing: what techniques have made of the quasi-identifier is released, if it "
     "keeps k, where one is given",
     tacit__none_solve, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};

const tacit_method *tacit_methods(void)
{
    return METHODS;
}

const tacit_method *tacit_method_find(const char *name)
{
    for (const tacit_method *method = METHODS; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

void tacit_boxes_free(tacit_boxes *boxes)
{
    if (!boxes)
        return;
    tacit__free(boxes->levels);
    tacit__free(boxes->numbers);
    tacit__free(boxes->box_of);
    tacit__free(boxes->parts);
    tacit__free(boxes->people);
    tacit__free(boxes);
}

void tacit_solution_free(tacit_solution *solution)
{
    if (!solution)
        return;
    tacit__free(solution->levels);
    tacit_classes_free(solution->classes);
    tacit__free(solution->suppressed);
    tacit_boxes_free(solution->boxes);
    tacit__free(solution->steps);
    tacit__free(solution->search.minimal);
    tacit__free(solution->search.minimal_costs);
    tacit__free(solution);
}
