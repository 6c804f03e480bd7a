/*
 * both.c - blanks by which k people fit every row and everybody fits k rows.
 *
 * What Vinterbo and Ohno-Machado ask for (2001) holds one way: a row with blanks agrees with
 * rows that do not agree with it. Of five rows a1,b1 and one a1,b2 it releases the last as a1,*,
 * which the people of all six fit; but of all six rows (a1,b2) fits this one alone. The promise
 * that is kept here is stated in both.h. Whatever keeps the stricter reading, in which
 * rows look the same, keeps it too, at more cost.
 *
 * Boxes are listed as for the stricter reading. Covering fills them (both_cover.c), and
 * an integer program proves the least cost where tables are small (box_program.c). What
 * each row costs at least in a box that k people fit is a bound for tables of any size. Where there
 * are more masks than can be listed, what `local` finds for the stricter reading, its blanks filled
 * again where that can be, is the other plan, and the cheaper one is taken.
 *
 * Stopped, it gives the best so far if there is any.
 */
#include "records/blanks/both.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/ambiguate/state.h"

enum { SMALL = 256 }; /* entries of boxes up to which the program is always asked */

/* ---- whether it is kept ---- */

/* Rows that everybody of each class fits. */
static void count_fits(int64_t *fits, const tacit__strict *s)
{
    for (int64_t i = 0; i < s->tableau->classes; i++) {
        fits[i] = 0;
        for (int64_t m = 0; m < s->mask_count; m++)
            fits[i] += s->used[s->box_of[tacit__strict_at(s, m, i)]];
    }
}

tacit_status tacit__both_keeps(bool *keeps, const tacit__strict *s, tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    int64_t *fits = tacit__alloc_array((size_t)t->classes, sizeof *fits);
    if (!fits)
        return tacit__nomem(err);
    *keeps = true;
    count_fits(fits, s);
    for (int32_t c = 0; c < t->columns; c++)
        *keeps &= s->column[c] <= t->most_column;
    for (int64_t b = 0; b < s->box_count; b++)
        *keeps &= s->used[b] == 0 || s->total[b] >= t->k;
    for (int64_t i = 0; i < t->classes; i++)
        *keeps &= fits[i] >= t->k;
    tacit__free(fits);
    return TACIT_OK;
}

static tacit_status none_fits(const tacit__strict *s, tacit_error *err)
{
    if (s->bound == INFINITY)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "no blanks within the limits make k people fit every row and everybody "
                            "fit k rows; allow more in a row or column, or ask for a smaller k");
    return tacit__error(err, TACIT_LIMIT,
                        "no blanks within the limits were found that make k people fit every row "
                        "and everybody fit k rows, and it is not proven that there are none; allow "
                        "more in a row or column, or ask for a smaller k");
}

/* ---- by boxes ---- */

static tacit_status fill_both(tacit__blanking *plan, tacit__strict *s, bool exact, tacit_error *err)
{
    bool keeps = false;
    tacit_status status = s->bound < INFINITY ? tacit__both_cover(s, err) : TACIT_OK;
    plan->stopped = status == TACIT_CANCELLED;
    if (status == TACIT_OK || plan->stopped) {
        tacit_status checked = tacit__both_keeps(&keeps, s, err);
        status = checked == TACIT_OK ? status : checked;
    }
    exact |= s->mask_count * s->tableau->classes <= SMALL;
    if (status == TACIT_OK && s->bound < INFINITY && (exact || !keeps)) {
        status = tacit__box_program(&plan->nodes, keeps, true, s, err);
        plan->stopped = status == TACIT_CANCELLED;
        if (status == TACIT_OK)
            status = tacit__both_keeps(&keeps, s, err);
    }
    if (status != TACIT_OK && !(plan->stopped && keeps))
        return status;
    return keeps ? tacit__strict_write(plan, s, err) : none_fits(s, err);
}

static tacit_status solve_both_boxes(tacit__blanking *plan, bool *every, const tacit__tableau *t,
                                     bool exact, const tacit_run *run, tacit_error *err)
{
    tacit__strict s;
    tacit_status status = tacit__strict_init(&s, t, run, err);
    if (status != TACIT_OK)
        return status;
    *every = s.every;
    status = fill_both(plan, &s, exact, err);
    tacit__strict_clear(&s);
    return status;
}

/* ---- by way of the stricter reading ---- */

/* Blanks of the stricter reading, those filled that are not needed. */
static tacit_status loosen(tacit__blanking *plan, const tacit__tableau *t, const tacit_run *run,
                           tacit_error *err)
{
    tacit__state *state = NULL;
    int64_t removed = 0;
    tacit_status status = tacit__state_new(&state, t, plan, run, err);
    if (status == TACIT_OK)
        status = tacit__state_minimize(&removed, state, false, run, err);
    if (status == TACIT_OK)
        status = tacit__state_plan(plan, state, err);
    tacit__state_free(state);
    return status;
}

/* Takes the plan of the stricter reading where there is none, or it is the cheaper one. What is
 * known of the first stays known of it. */
static tacit_status try_stricter(tacit__blanking *plan, bool found, const tacit__tableau *t,
                                 const tacit_frame *frame, const tacit_records_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_ambiguate how = {.way = TACIT_AMBIGUATE_COVER, .strict = true};
    tacit_records_options asked = *options;
    tacit__blanking other = {0};
    asked.ambiguate = &how;
    tacit_status status = tacit__ambiguate_strict(&other, t, frame, &asked, run, err);
    if (status == TACIT_OK)
        status = loosen(&other, t, run, err);
    if (status == TACIT_OK &&
        (!found || tacit__blanking_cost(&other, t) < tacit__blanking_cost(plan, t))) {
        tacit__blanking swap = *plan;
        other.bound = plan->bound;
        other.nodes = plan->nodes;
        other.stopped |= plan->stopped;
        other.proven = false;
        *plan = other;
        other = swap;
    }
    tacit__blanking_clear(&other);
    return status;
}

tacit_status tacit__ambiguate_both(tacit__blanking *plan, const tacit__tableau *t,
                                   const tacit_frame *frame, const tacit_records_options *options,
                                   const tacit_run *run, tacit_error *err)
{
    tacit__blanking found = {0};
    tacit_error stop = {0};
    bool every = true,
         exact = options->ambiguate && options->ambiguate->way == TACIT_AMBIGUATE_EXACT;
    tacit_status status = tacit__tableau_check(t, err);
    if (status != TACIT_OK)
        return status;
    status = solve_both_boxes(&found, &every, t, exact, run, &stop);
    bool good = status == TACIT_OK;
    if (!every && !found.stopped && (good || status == TACIT_LIMIT)) {
        tacit_error other = {0};
        tacit_status tried = try_stricter(&found, good, t, frame, options, run, &other);
        if (tried == TACIT_OK || tried == TACIT_NOMEM)
            status = tried;
        found.stopped |= tried == TACIT_CANCELLED;
        stop = tried == TACIT_NOMEM ? other : stop;
    }
    if (status == TACIT_OK) {
        *plan = found;
        return TACIT_OK;
    }
    tacit__blanking_clear(&found);
    if (err)
        *err = stop;
    return status;
}
