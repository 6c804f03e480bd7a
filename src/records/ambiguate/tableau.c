/*
 * tableau.c - what ambiguation works on: the rows of a frame, folded into classes with codes,
 * counts and the cost of a blank in plain arrays; and plans of blanks for them.
 *
 * Classes are renumbered in the order of their first rows, for the paper's heuristics look at rows
 * in the order of the file. Linear in the rows; a class costs 12 bytes a column.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/ambiguate/ambiguate.h"
#include "records/classes/classes.h"

/* Numbers classes by their first rows: tableau->index. */
static tacit_status order_classes(tacit__tableau *tableau, const tacit_frame *frame,
                                  const tacit_classes *classes, const tacit_run *run,
                                  tacit_error *err)
{
    int64_t rows = tacit_classes_rows(classes), found = 0;
    uint32_t *class_of = tacit__alloc_array((size_t)rows, sizeof *class_of);
    bool *seen = tacit__alloc_zeroed((size_t)tableau->classes, sizeof *seen);
    tacit_status status = TACIT_OK;
    if (!class_of || !seen)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit_classes_assign(classes, frame, class_of, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < rows; i++) {
        if (!seen[class_of[i]])
            tableau->index[found++] = class_of[i];
        seen[class_of[i]] = true;
    }
    tacit__free(class_of);
    tacit__free(seen);
    return status;
}

/* Cost of a blank for every value of a column on the level it is released on. */
static tacit_status price_column(double **out, const tacit__tableau *tableau,
                                 const tacit_frame *frame, const tacit_ambiguate *how,
                                 int32_t column, tacit_error *err)
{
    const tacit_attribute *attribute = &frame->attributes[column];
    const uint32_t *map = tacit_hierarchy_map(attribute->hierarchy, attribute->least_level);
    uint32_t values = tableau->domain[column];
    double *prices = tacit__alloc_array(values, sizeof *prices);
    if (!prices)
        return tacit__nomem(err);
    for (uint32_t v = 0; v < values; v++)
        prices[v] = attribute->weight > 0 ? attribute->weight : 1;
    for (int64_t i = 0; how && i < how->cost_count; i++) {
        const tacit_blank_cost *cost = &how->costs[i];
        bool all = cost->code == UINT32_MAX;
        if (cost->attribute != column)
            continue;
        for (uint32_t v = 0; all && v < values; v++)
            prices[v] = cost->cost;
        if (!all)
            prices[map[cost->code]] = cost->cost;
    }
    *out = prices;
    return TACIT_OK;
}

static tacit_status fill_column(tacit__tableau *tableau, const tacit_frame *frame,
                                const tacit_classes *classes, const tacit_ambiguate *how,
                                int32_t column, tacit_error *err)
{
    double *prices = NULL;
    const int *levels = tacit_classes_levels(classes);
    tableau->domain[column] =
        tacit_hierarchy_count(frame->attributes[column].hierarchy, levels[column]) + 1;
    tacit_status status = price_column(&prices, tableau, frame, how, column, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0; i < tableau->classes; i++) {
        int64_t cell = i * tableau->columns + column;
        tableau->codes[cell] = tacit_classes_code(classes, tableau->index[i], column);
        tableau->costs[cell] = prices[tableau->codes[cell]];
        tableau->unit &= tableau->costs[cell] == 1;
    }
    tacit__free(prices);
    return TACIT_OK;
}

static tacit_status allocate(tacit__tableau *tableau, tacit_error *err)
{
    size_t classes = (size_t)tableau->classes, columns = (size_t)tableau->columns;
    tableau->codes = tacit__alloc_array(classes, columns * sizeof *tableau->codes);
    tableau->costs = tacit__alloc_array(classes, columns * sizeof *tableau->costs);
    tableau->counts = tacit__alloc_array(classes, sizeof *tableau->counts);
    tableau->index = tacit__alloc_array(classes, sizeof *tableau->index);
    tableau->domain = tacit__alloc_array(columns, sizeof *tableau->domain);
    if (tableau->codes && tableau->costs && tableau->counts && tableau->index && tableau->domain)
        return TACIT_OK;
    return tacit__nomem(err);
}

tacit_status tacit__tableau_init(tacit__tableau *tableau, const tacit_frame *frame,
                                 const tacit_classes *classes, const tacit_records_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    const tacit_ambiguate *how = options->ambiguate;
    *tableau = (tacit__tableau){
        .columns = frame->attribute_count,
        .classes = tacit_classes_count(classes),
        .rows = tacit_classes_rows(classes),
        .unit = true,
        .k = options->k,
        .both = !how || (!how->as_published && !how->strict),
        .most_row = how && how->most_row ? how->most_row : frame->attribute_count,
        .most_column = how && how->most_column ? how->most_column : tacit_classes_rows(classes),
    };
    tacit_status status = allocate(tableau, err);
    if (status == TACIT_OK)
        status = order_classes(tableau, frame, classes, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < tableau->classes; i++)
        tableau->counts[i] = tacit_classes_size(classes, tableau->index[i]);
    for (int32_t c = 0; status == TACIT_OK && c < tableau->columns; c++)
        status = fill_column(tableau, frame, classes, how, c, err);
    if (status != TACIT_OK)
        tacit__tableau_clear(tableau);
    return status;
}

tacit_status tacit__tableau_check(const tacit__tableau *tableau, tacit_error *err)
{
    if (tableau->rows == 0 || tableau->rows >= tableau->k)
        return TACIT_OK;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "the table has %lld rows, fewer than k = %lld: no blanks make a row agree "
                        "with so many; lower k or add rows",
                        (long long)tableau->rows, (long long)tableau->k);
}

void tacit__tableau_clear(tacit__tableau *tableau)
{
    tacit__free(tableau->codes);
    tacit__free(tableau->costs);
    tacit__free(tableau->counts);
    tacit__free(tableau->index);
    tacit__free(tableau->domain);
    *tableau = (tacit__tableau){0};
}

uint32_t *tacit__tableau_places(const tacit__tableau *t)
{
    uint32_t *places = tacit__alloc_array((size_t)t->classes, sizeof *places);
    for (int64_t i = 0; places && i < t->classes; i++)
        places[t->index[i]] = (uint32_t)i;
    return places;
}

int32_t tacit__tableau_rank(int32_t *ranked, const tacit__tableau *t, uint64_t columns)
{
    int32_t count = 0;
    for (; columns; columns &= columns - 1) {
        int32_t column = __builtin_ctzll(columns), at = count++;
        for (; at > 0 && t->domain[ranked[at - 1]] < t->domain[column]; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = column;
    }
    return count;
}

/* ---- plans ---- */

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

tacit_status tacit__blanking_give(tacit__blanking *plan, tacit__blanking *found,
                                  tacit_status status, const tacit_error *why, tacit_error *err)
{
    if (status == TACIT_OK) {
        *plan = *found;
        return TACIT_OK;
    }
    tacit__blanking_clear(found);
    if (err)
        *err = *why;
    return status;
}

tacit_status tacit__blanking_none(bool proven, const char *asked, tacit_error *err)
{
    return tacit__error(err, proven ? TACIT_INFEASIBLE : TACIT_LIMIT,
                        "no blanks within the limits %s%s%s; allow more in a row or column, or ask "
                        "for a smaller k",
                        proven ? "" : "were found that ", asked,
                        proven ? "" : ", and it is not proven that there are none");
}

double tacit__blanking_cost(const tacit__blanking *plan, const tacit__tableau *tableau)
{
    double cost = 0;
    for (int64_t i = 0; i < plan->count; i++)
        cost += (double)plan->blanks[i].rows *
                tacit__tableau_cost(tableau, plan->blanks[i].class_index, plan->blanks[i].mask);
    return cost;
}
