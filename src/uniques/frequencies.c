/*
 * frequencies.c - matches of each combination; see frequencies.h.
 *
 * Without missing values that match anything, a combination matches itself.
 * Otherwise records are put together column after column (parts.h); a group
 * with nobody left to tell apart is settled, the others are at the end.
 */
#include "uniques/frequencies.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "uniques/parts.h"

/* Where the groups' frequencies go. */
typedef struct settling {
    int64_t *rows;
    double *people;
    double *behind; /* an item each: people behind it */
    bool last;      /* no further column */
} settling;

static bool settle(void *context, const tacit__uniques_part *part, const uint32_t *members)
{
    settling *s = context;
    double people = 0;
    if (part->size > 1 && !s->last)
        return true;
    for (uint32_t i = 0; i < part->size; i++)
        people += s->behind[members[i]];
    for (uint32_t i = 0; i < part->own; i++) {
        s->rows[members[i]] = part->weight;
        s->people[members[i]] = people;
    }
    return false;
}

static tacit_status refine_all(settling *s, const tacit__ground *ground, tacit__refiner *refiner,
                               const tacit_run *run, tacit_error *err)
{
    tacit__uniques_parts from, to = {0};
    tacit_status status = tacit__parts_init(&from, ground, err);
    if (status != TACIT_OK)
        return status;
    for (int column = 0; status == TACIT_OK && column < ground->columns; column++) {
        s->last = column + 1 == ground->columns;
        status = tacit__progress(run, "frequencies", column, ground->columns, err);
        if (status == TACIT_OK)
            status = tacit__parts_refine(&to, &from, column, refiner, err);
        tacit__uniques_parts kept = from;
        from = to;
        to = kept;
    }
    tacit__parts_clear(&from);
    tacit__parts_clear(&to);
    return status;
}

/* Where missing matches anything. */
static tacit_status match_wild(settling *s, const tacit_distinct *distinct, const tacit_run *run,
                               tacit_error *err)
{
    tacit__ground ground;
    tacit__refiner refiner = {0};
    tacit_status status = tacit__ground_init(&ground, distinct, 0, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__refiner_init(&refiner, &ground, settle, s, err);
    if (status == TACIT_OK) {
        status = refine_all(s, &ground, &refiner, run, err);
        tacit__refiner_clear(&refiner);
    }
    tacit__ground_clear(&ground);
    return status;
}

tacit_status tacit__frequencies(int64_t *rows, double *people, const tacit_distinct *distinct,
                                const double *weights, double fraction, const tacit_run *run,
                                tacit_error *err)
{
    double *behind = tacit__alloc_zeroed(distinct->count, sizeof *behind);
    if (!behind)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < distinct->count; i++) {
        rows[i] = tacit__distinct_size(distinct, i);
        for (uint32_t j = distinct->starts[i]; weights && j < distinct->starts[i + 1]; j++)
            behind[i] += weights[distinct->order[j]];
        if (!weights)
            behind[i] = (double)rows[i] / fraction;
        people[i] = behind[i];
    }
    tacit_status status = TACIT_OK;
    if (distinct->missing == TACIT_MISSING_ANY)
        status = match_wild(&(settling){.rows = rows, .people = people, .behind = behind}, distinct,
                            run, err);
    tacit__free(behind);
    return status;
}
