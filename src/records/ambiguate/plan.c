/*
 * plan.c - plans of blanks: which rows of which classes lose which cells.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/ambiguate/ambiguate.h"

tacit_status tacit__blanking_add(tacit__blanking *plan, tacit__blank blank, tacit_error *err)
{
    return TACIT__PUSH(plan->blanks, plan->room, plan->count, blank) ? TACIT_OK : tacit__nomem(err);
}

void tacit__blanking_clear(tacit__blanking *plan)
{
    tacit__free(plan->blanks);
    *plan = (tacit__blanking){0};
}

static int by_class(const void *a, const void *b)
{
    const tacit__blank *x = a, *y = b;
    if (x->class_index != y->class_index)
        return x->class_index < y->class_index ? -1 : 1;
    if (x->mask != y->mask)
        return x->mask < y->mask ? -1 : 1;
    return x->fixed < y->fixed ? -1 : x->fixed > y->fixed;
}

void tacit__blanking_tidy(tacit__blanking *plan)
{
    int64_t kept = 0;
    if (plan->count > 0)
        qsort(plan->blanks, (size_t)plan->count, sizeof *plan->blanks, by_class);
    for (int64_t i = 0; i < plan->count; i++) {
        tacit__blank blank = plan->blanks[i], *last = kept > 0 ? &plan->blanks[kept - 1] : NULL;
        if (!blank.mask || blank.rows == 0)
            continue;
        if (last && by_class(last, &blank) == 0)
            last->rows += blank.rows;
        else
            plan->blanks[kept++] = blank;
    }
    plan->count = kept;
}

double tacit__blanking_cost(const tacit__blanking *plan, const tacit__tableau *tableau)
{
    double cost = 0;
    for (int64_t i = 0; i < plan->count; i++)
        cost += (double)plan->blanks[i].rows *
                tacit__tableau_cost(tableau, plan->blanks[i].class_index, plan->blanks[i].mask);
    return cost;
}
