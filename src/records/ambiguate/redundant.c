/*
 * redundant.c - blanks that are not needed for ambiguity, added so that knowing that the
 * suppression is minimal reveals nothing (4 of the paper, where such suppressions are called
 * redundant and left to be worked out).
 *
 * The attack: filling a blank with v loses the rows that the row agrees with and that have another
 * value there. So all that counts are the rows it agrees with: how many of them have which value,
 * and which values those have that can lose nobody. If these have two values, no value is excluded;
 * if one, no other is; and if there are none, those are that leave the row itself k. One look at
 * those that agree for each item.
 *
 * More blanks exclude more values, so a blank of which one value is left is no longer revealed only
 * when that value is excluded too: when the row could be released with it, and everybody would keep
 * k. There are three ways to that, which are all tried:
 *   - the row gets another blank and agrees with more rows;
 *   - those that it would lose get a blank in the same column, and agree whatever it has;
 *   - others get a blank elsewhere, so that they agree with the row, or with those that cannot
 *     lose it.
 * The trial that leaves the fewest cells revealed for its cost is kept. Each adds blanks, so there
 * is an end: a column that is blank in all rows reveals nothing. Limits may stand in the way.
 *
 * A step of a trial costs a change of the state; to settle costs a look for each step, for each row
 * that is no longer tight, and for each item with blanks that they agree with.
 */
#include "records/ambiguate/redundant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

static inline uint32_t reveal_value(const tacit__reveal *reveal, uint32_t class_index,
                                    int32_t column)
{
    return reveal->numbers[(int64_t)class_index * reveal->tableau->columns + column];
}

/* ---- what is revealed ---- */

static int ascending_codes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Numbers the values of a column; sorted is room for one of each class. */
static void number_column(tacit__reveal *reveal, uint32_t *sorted, int32_t column)
{
    const tacit__tableau *t = reveal->tableau;
    size_t classes = (size_t)t->classes, distinct = 0;
    for (size_t i = 0; i < classes; i++)
        sorted[i] = tacit__tableau_codes(t, (int64_t)i)[column];
    qsort(sorted, classes, sizeof *sorted, ascending_codes);
    for (size_t i = 0; i < classes; i++)
        if (i == 0 || sorted[i] != sorted[distinct - 1])
            sorted[distinct++] = sorted[i];
    for (size_t i = 0; i < classes; i++) {
        const uint32_t *code = &tacit__tableau_codes(t, (int64_t)i)[column];
        const uint32_t *at = bsearch(code, sorted, distinct, sizeof *sorted, ascending_codes);
        reveal->numbers[i * (size_t)t->columns + (size_t)column] = (uint32_t)(at - sorted);
    }
    reveal->values[column] = (uint32_t)distinct;
}

static void reveal_clear(tacit__reveal *reveal)
{
    tacit__free(reveal->numbers);
    tacit__free(reveal->tally);
    *reveal = (tacit__reveal){0};
}

/* All rows of the state must agree with k, as they do in what was minimized. */
static tacit_status reveal_init(tacit__reveal *reveal, tacit__state *state, tacit_error *err)
{
    const tacit__tableau *t = tacit__state_tableau(state);
    size_t classes = (size_t)t->classes;
    *reveal = (tacit__reveal){.state = state, .tableau = t};
    uint32_t *sorted = tacit__alloc_array(classes, sizeof *sorted);
    reveal->numbers = tacit__alloc_array(classes, (size_t)t->columns * sizeof *reveal->numbers);
    reveal->tally = tacit__alloc_zeroed(classes, sizeof *reveal->tally);
    if (!sorted || !reveal->numbers || !reveal->tally) {
        tacit__free(sorted);
        reveal_clear(reveal);
        return tacit__nomem(err);
    }
    for (int32_t c = 0; c < t->columns && classes > 0; c++)
        number_column(reveal, sorted, c);
    tacit__free(sorted);
    return TACIT_OK;
}

/* The rows that an item agrees with, in one column. */
typedef struct held {
    int64_t rows;     /* with a value there */
    uint32_t tight;   /* a value of those that can lose nobody */
    int tight_values; /* how many such there are: 0, 1 or more */
} held;

static held tally_values(tacit__reveal *reveal, const uint32_t *found, int64_t count,
                         int32_t column)
{
    held h = {0};
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(reveal->state, found[i]);
        if (other->mask >> column & 1)
            continue;
        uint32_t value = reveal_value(reveal, other->class_index, column);
        reveal->tally[value] += other->rows;
        h.rows += other->rows;
        if (other->alpha > reveal->tableau->k || (h.tight_values > 0 && h.tight == value))
            continue;
        h.tight = value;
        h.tight_values++;
    }
    return h;
}

static void forget_values(tacit__reveal *reveal, const uint32_t *found, int64_t count,
                          int32_t column)
{
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(reveal->state, found[i]);
        reveal->tally[reveal_value(reveal, other->class_index, column)] = 0;
    }
}

/* What the tally leaves of a blank of an item. */
static tacit__left weigh_values(const tacit__reveal *reveal, const tacit__item *item, held h,
                                int32_t column)
{
    tacit__left left = {.values = 0};
    int64_t need = reveal->tableau->k - (item->alpha - h.rows);
    for (uint32_t v = 0; v < reveal->values[column]; v++) {
        bool nobody_needs = h.tight_values == 0 || (h.tight_values == 1 && h.tight == v);
        if (nobody_needs && reveal->tally[v] >= need)
            continue;
        left.values++;
        left.only = v;
    }
    return left;
}

/* What is left of a column's values, among those that agree with an item. */
static tacit__left values_left(tacit__reveal *reveal, const tacit__item *at, const uint32_t *found,
                               int64_t count, int32_t column)
{
    tacit__left left = weigh_values(reveal, at, tally_values(reveal, found, count, column), column);
    forget_values(reveal, found, count, column);
    return left;
}

tacit_status tacit__reveal_cell(tacit__left *left, tacit__reveal *reveal, uint32_t item,
                                int32_t column, tacit_error *err)
{
    const tacit__item *at = tacit__state_item(reveal->state, item);
    const uint32_t *found;
    int64_t count;
    tacit_status status =
        tacit__state_look(&found, &count, reveal->state, at->class_index, at->mask, err);
    if (status == TACIT_OK)
        *left = values_left(reveal, at, found, count, column);
    return status;
}

static tacit_status reveal_item(uint64_t *columns, tacit__reveal *reveal, uint32_t item,
                                tacit_error *err)
{
    const tacit__item *at = tacit__state_item(reveal->state, item);
    const uint32_t *found;
    int64_t count;
    tacit_status status =
        tacit__state_look(&found, &count, reveal->state, at->class_index, at->mask, err);
    if (status != TACIT_OK)
        return status;
    *columns = 0;
    for (uint64_t left = at->mask; left; left &= left - 1) {
        int32_t c = __builtin_ctzll(left);
        if (reveal->values[c] > count + 1) /* values that nobody has are not excluded */
            continue;
        *columns |= (uint64_t)(values_left(reveal, at, found, count, c).values == 1) << c;
    }
    return TACIT_OK;
}

/* ---- trials ---- */

/* One of `seen` for every item. */
static tacit_status reserve_seen(tacit__trial *trial, tacit_error *err)
{
    size_t items = (size_t)tacit__state_count(trial->state);
    if (!TACIT__RESERVE(trial->seen, trial->seen_room, items))
        return tacit__nomem(err);
    while (trial->seen_count < items)
        trial->seen[trial->seen_count++] = (tacit__ambiguate_seen){0};
    return TACIT_OK;
}

static tacit_status touch(tacit__trial *trial, uint32_t item, tacit_error *err)
{
    if (trial->seen[item].stamp == trial->stamp)
        return TACIT_OK;
    trial->seen[item].stamp = trial->stamp;
    return TACIT__PUSH(trial->touched, trial->touched_room, trial->touched_count, item)
               ? TACIT_OK
               : tacit__nomem(err);
}

/* Looks at an item again, remembering what was seen before. */
static tacit_status look_again(tacit__trial *trial, uint32_t index, tacit_error *err)
{
    const tacit__item *item = tacit__state_item(trial->state, index);
    tacit__ambiguate_seen *seen = &trial->seen[index];
    uint64_t revealed = 0;
    tacit_status status = TACIT_OK;
    if (!TACIT__RESERVE_ONE(trial->before, trial->before_room, trial->before_count))
        return tacit__nomem(err);
    if (item->rows > 0 && item->mask)
        status = reveal_item(&revealed, &trial->reveal, index, err);
    if (status != TACIT_OK)
        return status;
    int64_t cells = item->rows * __builtin_popcountll(revealed);
    if (revealed == seen->revealed && cells == seen->cells)
        return TACIT_OK;
    trial->before[trial->before_count++] = (tacit__seen_before){index, *seen};
    trial->revealed += cells - seen->cells;
    seen->revealed = revealed;
    seen->cells = cells;
    return TACIT_OK;
}

tacit_status tacit__trial_init(tacit__trial *trial, tacit__state *state, const tacit_run *run,
                               tacit_error *err)
{
    tacit__state_sums sums;
    *trial = (tacit__trial){.state = state, .tableau = tacit__state_tableau(state)};
    tacit__state_sum(&sums, state);
    for (int32_t c = 0; c < trial->tableau->columns; c++)
        trial->columns[c] = sums.column[c];
    tacit_status status = reveal_init(&trial->reveal, state, err);
    if (status == TACIT_OK)
        status = reserve_seen(trial, err);
    int64_t first = trial->tableau->classes, count = (int64_t)trial->seen_count - first;
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        if (i % 256 == 0)
            status = tacit__progress(run, "what is revealed", i, count, err);
        if (status == TACIT_OK)
            status = look_again(trial, (uint32_t)(first + i), err);
    }
    tacit__trial_keep(trial);
    if (status != TACIT_OK)
        tacit__trial_clear(trial);
    return status;
}

void tacit__trial_clear(tacit__trial *trial)
{
    reveal_clear(&trial->reveal);
    tacit__free(trial->seen);
    tacit__free(trial->steps);
    tacit__free(trial->before);
    tacit__free(trial->touched);
    tacit__free(trial->loose);
    *trial = (tacit__trial){0};
}

bool tacit__trial_allows(const tacit__trial *trial, uint32_t item, int64_t rows, uint64_t columns)
{
    uint64_t mask = tacit__state_item(trial->state, item)->mask;
    bool allowed =
        !(mask & columns) && __builtin_popcountll(mask | columns) <= trial->tableau->most_row;
    for (; allowed && columns; columns &= columns - 1)
        allowed = trial->columns[__builtin_ctzll(columns)] + rows <= trial->tableau->most_column;
    return allowed;
}

tacit_status tacit__trial_blank(uint32_t *to, tacit__trial *trial, uint32_t item, int64_t rows,
                                int32_t column, tacit_error *err)
{
    const tacit__item *from = tacit__state_item(trial->state, item);
    uint64_t blank = UINT64_C(1) << column;
    double cost = tacit__tableau_cost(trial->tableau, from->class_index, blank);
    int64_t target;
    if (!TACIT__RESERVE_ONE(trial->steps, trial->step_room, trial->step_count))
        return tacit__nomem(err);
    tacit_status status = tacit__state_change(&target, trial->state, item, rows, from->mask | blank,
                                              from->fixed, err);
    if (status != TACIT_OK)
        return status;
    *to = (uint32_t)target;
    trial->steps[trial->step_count++] = (tacit__ambiguate_step){item, *to, rows, column};
    trial->columns[column] += rows;
    trial->cost += (double)rows * cost;
    return reserve_seen(trial, err);
}

/* Touches those with blanks that agree with the rows of a step. Those that it made agree may
 * no longer be tight: `rows` is the most that any of them gained. */
static tacit_status touch_around(tacit__trial *trial, const tacit__ambiguate_step *step,
                                 int64_t rows, tacit_error *err)
{
    const tacit__tableau *t = trial->tableau;
    const tacit__item *item = tacit__state_item(trial->state, step->to);
    uint32_t own = tacit__tableau_codes(t, item->class_index)[step->column];
    const uint32_t *found;
    int64_t count;
    tacit_status status =
        tacit__state_look(&found, &count, trial->state, item->class_index, item->mask, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        bool gained = !(other->mask >> step->column & 1) &&
                      tacit__tableau_codes(t, other->class_index)[step->column] != own;
        if (other->mask)
            status = touch(trial, found[i], err);
        if (status == TACIT_OK && gained && other->alpha - rows <= t->k && other->alpha > t->k &&
            !TACIT__PUSH(trial->loose, trial->loose_room, trial->loose_count, found[i]))
            status = tacit__nomem(err);
    }
    return status;
}

static tacit_status touch_agreeing(tacit__trial *trial, uint32_t index, tacit_error *err)
{
    const tacit__item *item = tacit__state_item(trial->state, index);
    const uint32_t *found;
    int64_t count;
    tacit_status status =
        tacit__state_look(&found, &count, trial->state, item->class_index, item->mask, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        if (tacit__state_item(trial->state, found[i])->mask)
            status = touch(trial, found[i], err);
    return status;
}

tacit_status tacit__trial_settle(tacit__trial *trial, tacit_error *err)
{
    int64_t rows = 0;
    tacit_status status = TACIT_OK;
    trial->stamp++;
    trial->touched_count = trial->loose_count = 0;
    for (size_t i = 0; i < trial->step_count; i++)
        rows += trial->steps[i].rows;
    for (size_t i = 0; status == TACIT_OK && i < trial->step_count; i++) {
        status = touch(trial, trial->steps[i].from, err); /* they may have no rows now */
        if (status == TACIT_OK)
            status = touch(trial, trial->steps[i].to, err);
        if (status == TACIT_OK)
            status = touch_around(trial, &trial->steps[i], rows, err);
    }
    for (size_t i = 0; status == TACIT_OK && i < trial->loose_count; i++)
        status = touch_agreeing(trial, trial->loose[i], err);
    for (size_t i = 0; status == TACIT_OK && i < trial->touched_count; i++)
        status = look_again(trial, trial->touched[i], err);
    return status;
}

void tacit__trial_keep(tacit__trial *trial)
{
    trial->step_count = trial->before_count = 0;
    trial->cost = 0;
}

tacit_status tacit__trial_undo(tacit__trial *trial, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = trial->before_count; i-- > 0;) {
        tacit__ambiguate_seen *seen = &trial->seen[trial->before[i].item];
        trial->revealed += trial->before[i].seen.cells - seen->cells;
        seen->revealed = trial->before[i].seen.revealed;
        seen->cells = trial->before[i].seen.cells;
    }
    for (size_t i = trial->step_count; status == TACIT_OK && i-- > 0;) {
        const tacit__ambiguate_step *step = &trial->steps[i];
        const tacit__item *from = tacit__state_item(trial->state, step->from);
        int64_t back;
        trial->columns[step->column] -= step->rows;
        status = tacit__state_change(&back, trial->state, step->to, step->rows, from->mask,
                                     from->fixed, err);
    }
    tacit__trial_keep(trial);
    return status;
}

/* ---- protection ---- */

enum { MOST_LOOKS = 2500 }; /* for rows that others could be made to agree with: sets of columns */

/* A blank of which one value is left. */
typedef struct target {
    uint32_t item;
    int32_t column;
    uint32_t value; /* that one, as it is numbered */
} target;

/* The best of the trials with one target. */
typedef struct choice {
    tacit__ambiguate_step *steps;
    size_t count, room;
    int64_t gain; /* cells that are no longer revealed */
    double cost;
    bool any;
} choice;

/* Some rows that could get blanks. */
typedef struct offer {
    uint32_t item;
    uint64_t columns;
    int64_t rows;
    double cost; /* of one row */
    bool any;
} offer;

/* Takes what is offered if it is allowed and cheaper than the best. */
static void consider(offer *best, const tacit__trial *trial, uint32_t item, uint64_t columns,
                     int64_t rows)
{
    const tacit__item *at = tacit__state_item(trial->state, item);
    double cost = tacit__tableau_cost(trial->tableau, at->class_index, columns);
    bool better = !best->any || cost < best->cost ||
                  (cost == best->cost && columns == best->columns && item < best->item);
    rows = rows < at->rows ? rows : at->rows;
    if (better && tacit__trial_allows(trial, item, rows, columns))
        *best = (offer){item, columns, rows, cost, true};
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
            reveal_value(&trial->reveal, other->class_index, at->column) == at->value)
            continue;
        out->rows += other->rows;
        if (other->alpha <= k) {
            if (!out->tight || found[i] < out->tight_one)
                out->tight_one = found[i];
            out->tight = true;
            consider(&tight, trial, found[i], UINT64_C(1) << at->column, other->rows);
        } else
            consider(&any, trial, found[i], UINT64_C(1) << at->column, other->rows);
    }
    out->same_column = out->tight ? tight : any;
    return status;
}

/* Rows that agree with an item when some more columns are blank in them: for a target, those
 * that would with the value that is left. */
static tacit_status offer_helpers(offer *best, tacit__trial *trial, const tacit__item *item,
                                  uint64_t columns, const target *at, int64_t rows,
                                  tacit_error *err)
{
    const uint32_t *found;
    int64_t count;
    tacit_status status = tacit__state_look(&found, &count, trial->state, item->class_index,
                                            item->mask | columns, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        uint64_t differ =
            tacit__tableau_differ(trial->tableau, item->class_index, other->class_index) &
            ~(item->mask | other->mask);
        bool fits = !at || other->mask >> at->column & 1 ||
                    reveal_value(&trial->reveal, other->class_index, at->column) == at->value;
        if (differ && fits)
            consider(best, trial, found[i], differ, rows);
    }
    return status;
}

/* The cheapest that agrees after as few blanks as possible. */
static tacit_status find_helper(offer *out, tacit__trial *trial, uint32_t index, const target *at,
                                int64_t rows, tacit_error *err)
{
    const tacit__item item = *tacit__state_item(trial->state, index);
    int32_t columns = trial->tableau->columns, most = trial->tableau->most_row;
    tacit_status status = TACIT_OK;
    *out = (offer){0};
    for (int32_t size = 1; status == TACIT_OK && !out->any && size <= most && size < columns;
         size++) {
        int64_t looks = 0;
        for (uint64_t set = tacit__first_set(size); status == TACIT_OK && set;
             set = tacit__next_set(set, columns)) {
            if (set & item.mask)
                continue;
            if (++looks > MOST_LOOKS)
                return TACIT_OK;
            status = offer_helpers(out, trial, &item, set, at, rows, err);
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
    uint32_t item = taken->item;
    for (uint64_t left = taken->columns; status == TACIT_OK && left; left &= left - 1)
        status = tacit__trial_blank(&item, trial, item, taken->rows, __builtin_ctzll(left), err);
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

/* Whether so much gain for a cost is better than the best. */
static bool is_better(const choice *best, int64_t gain, double cost)
{
    if (!best->any)
        return true;
    if (gain > 0 && best->gain > 0)
        return cost * (double)best->gain < best->cost * (double)gain;
    return gain > best->gain || (gain == best->gain && cost < best->cost);
}

static tacit_status weigh_trial(choice *best, tacit__trial *trial, tacit_error *err)
{
    int64_t before = trial->revealed;
    tacit_status status = tacit__trial_settle(trial, err);
    int64_t gain = before - trial->revealed;
    if (status != TACIT_OK || !is_better(best, gain, trial->cost))
        return status;
    if (!TACIT__RESERVE(best->steps, best->room, trial->step_count))
        return tacit__nomem(err);
    best->count = trial->step_count;
    for (size_t i = 0; i < best->count; i++)
        best->steps[i] = trial->steps[i];
    best->gain = gain;
    best->cost = trial->cost;
    best->any = true;
    return TACIT_OK;
}

/* Weighs a trial that does what it should, and takes it back. */
static tacit_status end_trial(choice *best, tacit__trial *trial, bool revealed, tacit_error *err)
{
    tacit_status status = revealed ? TACIT_OK : weigh_trial(best, trial, err);
    return status == TACIT_OK ? tacit__trial_undo(trial, err) : status;
}

/* Blanks for other rows, until the target is no longer revealed or there are none. */
static tacit_status blank_others(bool *revealed, tacit__trial *trial, const target *at,
                                 bool helpers_first, tacit_error *err)
{
    bool stuck = false;
    tacit_status status = TACIT_OK;
    *revealed = true;
    while (status == TACIT_OK && *revealed && !stuck) {
        status = step_closer(&stuck, trial, at, helpers_first, err);
        if (status == TACIT_OK && !stuck)
            status = still_revealed(revealed, trial, at, err);
    }
    return status;
}

/* Another blank for the rows of the target, with blanks for others where `onward`. */
static tacit_status try_own(choice *best, tacit__trial *trial, target at, int32_t column,
                            bool onward, tacit_error *err)
{
    int64_t rows = tacit__state_item(trial->state, at.item)->rows;
    bool revealed;
    if (!tacit__trial_allows(trial, at.item, rows, UINT64_C(1) << column))
        return TACIT_OK;
    tacit_status status = tacit__trial_blank(&at.item, trial, at.item, rows, column, err);
    if (status == TACIT_OK)
        status = still_revealed(&revealed, trial, &at, err);
    if (status == TACIT_OK && revealed && onward)
        status = blank_others(&revealed, trial, &at, true, err);
    return status == TACIT_OK ? end_trial(best, trial, revealed, err) : status;
}

static tacit_status try_all_own(choice *best, tacit__trial *trial, target at, bool onward,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t c = 0; status == TACIT_OK && c < trial->tableau->columns; c++)
        status = try_own(best, trial, at, c, onward, err);
    return status;
}

static tacit_status try_others(choice *best, tacit__trial *trial, const target *at,
                               bool helpers_first, tacit_error *err)
{
    bool revealed;
    tacit_status status = blank_others(&revealed, trial, at, helpers_first, err);
    return status == TACIT_OK ? end_trial(best, trial, revealed, err) : status;
}

static tacit_status take(int64_t *added, tacit__trial *trial, const choice *best, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < best->count; i++) {
        const tacit__ambiguate_step *step = &best->steps[i];
        uint32_t to;
        status = tacit__trial_blank(&to, trial, step->from, step->rows, step->column, err);
        *added += step->rows;
    }
    if (status == TACIT_OK)
        status = tacit__trial_settle(trial, err);
    tacit__trial_keep(trial);
    return status;
}

static tacit_status refuse_redundant(const tacit__trial *trial, tacit_error *err)
{
    const tacit__tableau *t = trial->tableau;
    char row[64] = "", column[64] = "";
    bool both = t->most_row < t->columns && t->most_column < t->rows;
    if (t->most_row < t->columns)
        snprintf(row, sizeof row, " more than %d in a row", (int)t->most_row);
    if (t->most_column < t->rows)
        snprintf(column, sizeof column, " more than %lld in a column", (long long)t->most_column);
    return tacit__error(err, TACIT_INFEASIBLE,
                        "whoever knows that no blank could be left out works out %lld of them, and "
                        "the limits leave no room for blanks against that: allow%s%s%s",
                        (long long)trial->revealed, row, both ? " or" : "", column);
}

/* Protects one cell that is revealed; best->any says whether it could be. */
static tacit_status protect(int64_t *added, choice *best, tacit__trial *trial, uint32_t item,
                            tacit_error *err)
{
    target at = {.item = item, .column = __builtin_ctzll(trial->seen[item].revealed)};
    tacit__left left;
    best->any = false;
    tacit_status status = tacit__reveal_cell(&left, &trial->reveal, item, at.column, err);
    if (status != TACIT_OK)
        return status;
    at.value = left.only;
    status = try_all_own(best, trial, at, false, err);
    for (int helpers = 0; status == TACIT_OK && helpers < 2; helpers++)
        status = try_others(best, trial, &at, helpers, err);
    if (status == TACIT_OK && !best->any)
        status = try_all_own(best, trial, at, true, err);
    return status == TACIT_OK && best->any ? take(added, trial, best, err) : status;
}

/* Goes through all items once; those that nothing can be done for are left for the next time,
 * when blanks for others may have changed that. */
static tacit_status protect_items(int64_t *added, choice *best, tacit__trial *trial,
                                  const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < trial->seen_count; i++) {
        best->any = true;
        while (status == TACIT_OK && best->any && trial->seen[i].revealed) {
            status = tacit__progress(run, "redundant blanks", (int64_t)i,
                                     (int64_t)trial->seen_count, err);
            if (status == TACIT_OK)
                status = protect(added, best, trial, (uint32_t)i, err);
        }
    }
    return status;
}

static tacit_status protect_all(int64_t *added, tacit__trial *trial, const tacit_run *run,
                                tacit_error *err)
{
    choice best = {0};
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && trial->revealed > 0) {
        int64_t before = *added;
        status = protect_items(added, &best, trial, run, err);
        if (status == TACIT_OK && trial->revealed > 0 && *added == before)
            status = refuse_redundant(trial, err);
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
