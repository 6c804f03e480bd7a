/*
 * ambiguate_redundant.c - blanks that are not needed for ambiguity, added so that knowing that
 * the suppression is minimal reveals nothing (4 of the paper, where such suppressions are called
 * redundant and left to be worked out).
 *
 * More blanks exclude more values (ambiguate_reveal.h), so a blank of which one value is left is
 * no longer revealed only when that value is excluded too: when the row could be released with
 * it, and everybody would keep k. There are three ways to that, which are all tried:
 *   - the row gets another blank and agrees with more rows;
 *   - those that it would lose get a blank in the same column, and agree whatever it has;
 *   - others get a blank elsewhere, so that they agree with the row, or with those that cannot
 *     lose it.
 * The trial that leaves the fewest cells revealed for its cost is kept. Each adds blanks, so there
 * is an end: a column that is blank in all rows reveals nothing. Limits may stand in the way.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/ambiguate_trial.h"

/* A blank of which one value is left. */
typedef struct target {
    uint32_t item;
    int32_t column;
    uint32_t value; /* that one, as it is numbered */
} target;

/* The best of the trials with one target. */
typedef struct choice {
    tacit__step *steps;
    size_t count, room;
    int64_t gain; /* cells that are no longer revealed */
    double cost;
    bool any;
} choice;

/* Some rows that could get a blank. */
typedef struct offer {
    uint32_t item;
    int32_t column;
    int64_t rows;
    double cost; /* of one */
    bool any;
} offer;

static void consider(offer *best, const tacit__trial *trial, uint32_t item, int32_t column,
                     int64_t rows)
{
    const tacit__item *at = tacit__state_item(trial->state, item);
    double cost =
        trial->tableau->costs[at->class_index * (int64_t)trial->tableau->columns + column];
    rows = rows < at->rows ? rows : at->rows;
    bool better = !best->any || cost < best->cost ||
                  (cost == best->cost && column == best->column && item < best->item);
    if (better && tacit__trial_allows(trial, item, rows, column))
        *best = (offer){item, column, rows, cost, true};
}

/* What a target's row would lose with the value that is left. */
typedef struct losses {
    int64_t rows;
    bool tight;         /* somebody can lose nobody: */
    uint32_t tight_one; /* the first of them */
    offer same_column;  /* the cheapest that could get a blank too, of the tight if there are any */
} losses;

static tacit_status find_losses(losses *out, tacit__trial *trial, const target *at,
                                tacit_error *err)
{
    const tacit__item *item = tacit__state_item(trial->state, at->item);
    const uint32_t *found;
    int64_t count, k = trial->tableau->k;
    offer tight = {0}, any = {0};
    *out = (losses){0};
    tacit_status status =
        tacit__state_look(&found, &count, trial->state, item->class_index, item->mask, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        if (other->mask >> at->column & 1 ||
            tacit__reveal_value(&trial->reveal, other->class_index, at->column) == at->value)
            continue;
        out->rows += other->rows;
        if (other->alpha <= k) {
            if (!out->tight || found[i] < out->tight_one)
                out->tight_one = found[i];
            out->tight = true;
            consider(&tight, trial, found[i], at->column, other->rows);
        } else
            consider(&any, trial, found[i], at->column, other->rows);
    }
    out->same_column = out->tight ? tight : any;
    return status;
}

/* The cheapest row that a blank makes agree with an item: for a target, one that would with
 * the value that is left. */
static tacit_status find_helper(offer *out, tacit__trial *trial, uint32_t index, const target *at,
                                int64_t rows, tacit_error *err)
{
    const tacit__tableau *t = trial->tableau;
    tacit__item item = *tacit__state_item(trial->state, index);
    tacit_status status = TACIT_OK;
    *out = (offer){0};
    for (int32_t c = 0; status == TACIT_OK && c < t->columns; c++) {
        const uint32_t *found;
        int64_t count = 0;
        if (item.mask >> c & 1)
            continue;
        uint32_t own = tacit__tableau_codes(t, item.class_index)[c];
        status = tacit__state_look(&found, &count, trial->state, item.class_index,
                                   item.mask | UINT64_C(1) << c, err);
        for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
            const tacit__item *other = tacit__state_item(trial->state, found[i]);
            bool agrees =
                other->mask >> c & 1 || tacit__tableau_codes(t, other->class_index)[c] == own;
            bool fits =
                !at || other->mask >> at->column & 1 ||
                tacit__reveal_value(&trial->reveal, other->class_index, at->column) == at->value;
            if (!agrees && fits)
                consider(out, trial, found[i], c, rows);
        }
    }
    return status;
}

/* One step towards a target's last value being excluded; *stuck where there is none. */
static tacit_status step_closer(bool *stuck, tacit__trial *trial, const target *at,
                                bool helpers_first, tacit_error *err)
{
    const tacit__tableau *t = trial->tableau;
    losses lost;
    offer helper = {0};
    uint32_t to;
    tacit_status status = find_losses(&lost, trial, at, err);
    if (status != TACIT_OK)
        return status;
    int64_t lacking = t->k - (tacit__state_item(trial->state, at->item)->alpha - lost.rows);
    if (!lost.tight && lost.same_column.rows > lacking)
        lost.same_column.rows = lacking;
    if (helpers_first || !lost.same_column.any)
        status = lost.tight ? find_helper(&helper, trial, lost.tight_one, NULL, 1, err)
                            : find_helper(&helper, trial, at->item, at, lacking, err);
    if (status != TACIT_OK)
        return status;
    const offer *taken = helper.any ? &helper : &lost.same_column;
    *stuck = !taken->any;
    if (taken->any)
        status = tacit__trial_blank(&to, trial, taken->item, taken->rows, taken->column, err);
    return status;
}

/* Whether a target, which may be another item by now, has one value left. */
static tacit_status still_revealed(bool *out, tacit__trial *trial, const target *at,
                                   tacit_error *err)
{
    tacit__left left;
    tacit_status status = tacit__reveal_cell(&left, &trial->reveal, at->item, at->column, err);
    *out = status == TACIT_OK && left.values == 1;
    return status;
}

/* Weighs a trial that does what it should, and takes it back. */
static tacit_status weigh(choice *best, tacit__trial *trial, tacit_error *err)
{
    int64_t before = trial->revealed;
    tacit_status status = tacit__trial_settle(trial, err);
    if (status != TACIT_OK)
        return status;
    int64_t gain = before - trial->revealed;
    double cost = trial->cost;
    bool better = !best->any;
    if (best->any && gain > 0 && best->gain > 0)
        better = cost * (double)best->gain < best->cost * (double)gain;
    else if (best->any)
        better = gain > best->gain || (gain == best->gain && cost < best->cost);
    if (better) {
        if (!tacit__reserve((void **)&best->steps, &best->room, trial->step_count,
                            sizeof *best->steps))
            return tacit__nomem(err);
        best->count = trial->step_count;
        for (size_t i = 0; i < best->count; i++)
            best->steps[i] = trial->steps[i];
        best->gain = gain;
        best->cost = cost;
        best->any = true;
    }
    return TACIT_OK;
}

/* Another blank for the rows of the target. */
static tacit_status try_own(choice *best, tacit__trial *trial, target at, int32_t column,
                            tacit_error *err)
{
    int64_t rows = tacit__state_item(trial->state, at.item)->rows;
    bool revealed;
    if (!tacit__trial_allows(trial, at.item, rows, column))
        return TACIT_OK;
    tacit_status status = tacit__trial_blank(&at.item, trial, at.item, rows, column, err);
    if (status == TACIT_OK)
        status = still_revealed(&revealed, trial, &at, err);
    if (status == TACIT_OK && !revealed)
        status = weigh(best, trial, err);
    if (status == TACIT_OK)
        status = tacit__trial_undo(trial, err);
    return status;
}

/* Blanks for other rows. */
static tacit_status try_others(choice *best, tacit__trial *trial, const target *at,
                               bool helpers_first, tacit_error *err)
{
    bool revealed = true, stuck = false;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && revealed && !stuck) {
        status = step_closer(&stuck, trial, at, helpers_first, err);
        if (status == TACIT_OK && !stuck)
            status = still_revealed(&revealed, trial, at, err);
    }
    if (status == TACIT_OK && !revealed)
        status = weigh(best, trial, err);
    if (status == TACIT_OK)
        status = tacit__trial_undo(trial, err);
    return status;
}

/* Does the best that was tried, for good. */
static tacit_status take(int64_t *added, tacit__trial *trial, const choice *best, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < best->count; i++) {
        const tacit__step *step = &best->steps[i];
        uint32_t to;
        status = tacit__trial_blank(&to, trial, step->from, step->rows, step->column, err);
        *added += step->rows;
    }
    if (status == TACIT_OK)
        status = tacit__trial_settle(trial, err);
    tacit__trial_keep(trial);
    return status;
}

static tacit_status refuse(const tacit__trial *trial, tacit_error *err)
{
    const tacit__tableau *t = trial->tableau;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "whoever knows that no blank could be left out works out %lld of them, and "
                        "the limits leave no room for blanks against that: allow more than %d in a "
                        "row or more than %lld in a column",
                        (long long)trial->revealed, (int)t->most_row, (long long)t->most_column);
}

/* Protects one cell that is revealed. */
static tacit_status protect(int64_t *added, choice *best, tacit__trial *trial, uint32_t item,
                            tacit_error *err)
{
    target at = {.item = item, .column = __builtin_ctzll(trial->seen[item].revealed)};
    tacit__left left;
    best->any = false;
    tacit_status status = tacit__reveal_cell(&left, &trial->reveal, item, at.column, err);
    at.value = left.only;
    for (int32_t c = 0; status == TACIT_OK && c < trial->tableau->columns; c++)
        status = try_own(best, trial, at, c, err);
    for (int helpers = 0; status == TACIT_OK && helpers < 2; helpers++)
        status = try_others(best, trial, &at, helpers, err);
    if (status != TACIT_OK)
        return status;
    return best->any ? take(added, trial, best, err) : refuse(trial, err);
}

static tacit_status protect_all(int64_t *added, tacit__trial *trial, const tacit_run *run,
                                tacit_error *err)
{
    choice best = {0};
    int64_t done = 0;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && trial->revealed > 0)
        for (size_t i = 0; status == TACIT_OK && i < trial->seen_count; i++)
            while (status == TACIT_OK && trial->seen[i].revealed) {
                status =
                    tacit__progress(run, "redundant blanks", done, done + trial->revealed, err);
                if (status == TACIT_OK)
                    status = protect(added, &best, trial, (uint32_t)i, err);
                done++;
            }
    tacit__free(best.steps);
    return status;
}

tacit_status tacit__state_redundant(int64_t *added, tacit__state *state, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__state_sums sums;
    tacit__trial trial;
    int64_t count = 0;
    tacit__state_sum(&sums, state);
    if (sums.below > 0) { /* no value is excluded while some row has not k */
        *added = 0;
        return TACIT_OK;
    }
    tacit_status status = tacit__trial_init(&trial, state, run, err);
    if (status != TACIT_OK)
        return status;
    status = protect_all(&count, &trial, run, err);
    if (status == TACIT_OK)
        *added = count;
    tacit__trial_clear(&trial);
    return status;
}
