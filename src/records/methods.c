/*
 * methods.c - the table of methods, and what all of them give back.
 */
#include "records/methods.h"

#include <string.h>

#include "base/alloc.h"

static const tacit_method METHODS[] = {
    {"datafly", "generalize the attribute with the most values, suppress the outliers",
     tacit__datafly_solve},
    {NULL, NULL, NULL},
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

void tacit_solution_free(tacit_solution *solution)
{
    if (!solution)
        return;
    tacit__free(solution->levels);
    tacit_classes_free(solution->classes);
    tacit__free(solution->suppressed);
    tacit__free(solution->steps);
    tacit__free(solution);
}
