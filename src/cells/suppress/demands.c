/*
 * demands.c - what is to be hidden beyond single cells from everybody; see demands.h.
 *
 * Each demand's terms and facts are blocks of their own, so that the list may grow while others
 * look at what is in it. Linear in terms and facts.
 */
#include "cells/suppress/demands.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

static void free_one(tacit__demand *demand)
{
    tacit__free(demand->terms);
    tacit__free(demand->facts);
}

tacit_status tacit__demands_add(tacit__demands *demands, const tacit__demand *demand,
                                tacit_error *err)
{
    size_t terms = (size_t)demand->term_count, facts = (size_t)demand->fact_count;
    tacit__demand_term *term = tacit__alloc_array(terms, sizeof *term);
    tacit__fact *fact = tacit__alloc_array(facts, sizeof *fact);
    if (!term || !fact || !TACIT__RESERVE_ONE(demands->list, demands->room, demands->count)) {
        tacit__free(term);
        tacit__free(fact);
        return tacit__nomem(err);
    }
    memcpy(term, demand->terms, terms * sizeof *term);
    if (facts > 0)
        memcpy(fact, demand->facts, facts * sizeof *fact);
    tacit__demand *to = &demands->list[demands->count++];
    *to = *demand;
    to->terms = term;
    to->facts = fact;
    return TACIT_OK;
}

tacit_status tacit__demands_add_numbered(tacit__demands *demands, const tacit__demand *demand,
                                         const int32_t *number, tacit_error *err)
{
    tacit_status status = tacit__demands_add(demands, demand, err);
    if (status != TACIT_OK)
        return status;
    tacit__demand *own = &demands->list[demands->count - 1];
    own->term_count = own->fact_count = 0;
    for (int32_t t = 0; t < demand->term_count; t++)
        if (number[demand->terms[t].cell] >= 0) {
            own->terms[own->term_count] = demand->terms[t];
            own->terms[own->term_count].cell = number[demand->terms[t].cell];
            own->term_count++;
        }
    for (int32_t f = 0; f < demand->fact_count; f++)
        if (number[demand->facts[f].cell] >= 0) {
            own->facts[own->fact_count] = demand->facts[f];
            own->facts[own->fact_count].cell = number[demand->facts[f].cell];
            own->fact_count++;
        }
    if (own->term_count == 0)
        free_one(&demands->list[--demands->count]);
    return TACIT_OK;
}

void tacit__demands_empty(tacit__demands *demands)
{
    while (demands->count > 0)
        free_one(&demands->list[--demands->count]);
}

void tacit__demands_clear(tacit__demands *demands)
{
    tacit__demands_empty(demands);
    tacit__free(demands->list);
    *demands = (tacit__demands){0};
}

tacit__moved tacit__demand_moved(const tacit__demand *demand, const double *values, double unit,
                                 double noise, double back, const double *pattern)
{
    double sum = 0, there = 1;
    for (int32_t t = 0; t < demand->term_count; t++)
        sum += demand->terms[t].weight * values[demand->terms[t].cell] * unit;
    for (int32_t f = 0; f < demand->fact_count; f++) {
        const tacit__fact *fact = &demand->facts[f];
        double moved = values[fact->cell], share = pattern ? pattern[fact->cell] : 1;
        if (fabs(moved) <= noise)
            continue;
        there = fmin(there, share * (moved > 0 ? fact->up : fact->down) / (fabs(moved) * unit));
        back = fmin(back, share * (moved > 0 ? fact->down : fact->up) / (fabs(moved) * unit));
    }
    return (tacit__moved){.high = fmax(sum * there, -sum * back),
                          .low = fmax(-sum * there, sum * back)};
}
