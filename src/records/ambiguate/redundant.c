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
#include "base/sort.h"
#include "base/vector.h"

enum { MAX_LOOKS = 2500 }; /* for rows that others could be made to agree with: sets of columns */

/* ---- what is revealed ---- */

static uint32_t value_in(const tacit__trial *trial, uint32_t class_index, int32_t column)
{
    return trial->numbers[(int64_t)class_index * trial->tableau->columns + column];
}

/* All items that agree with a class that had these blanks; none where memory ran out. */
static int64_t look_for(const uint32_t **found, tacit__trial *trial, uint32_t class_index,
                        uint64_t mask)
{
    int64_t count = 0;
    if (!trial->failed)
        trial->failed =
            tacit__state_look(found, &count, trial->state, class_index, mask, NULL) != TACIT_OK;
    return trial->failed ? 0 : count;
}

/* Numbers the values of a column; sorted is room for one of each class. */
static void number_column(tacit__trial *trial, uint32_t *sorted, int32_t column)
{
    const tacit__tableau *t = trial->tableau;
    size_t classes = (size_t)t->classes, distinct = 0;
    for (size_t i = 0; i < classes; i++)
        sorted[i] = tacit__tableau_codes(t, (int64_t)i)[column];
    qsort(sorted, classes, sizeof *sorted, tacit__by_uint32);
    for (size_t i = 0; i < classes; i++)
        if (i == 0 || sorted[i] != sorted[distinct - 1])
            sorted[distinct++] = sorted[i];
    for (size_t i = 0; i < classes; i++) {
        const uint32_t *code = &tacit__tableau_codes(t, (int64_t)i)[column];
        const uint32_t *at = bsearch(code, sorted, distinct, sizeof *sorted, tacit__by_uint32);
        trial->numbers[i * (size_t)t->columns + (size_t)column] = (uint32_t)(at - sorted);
    }
    trial->values[column] = (uint32_t)distinct;
}

static bool number_values(tacit__trial *trial)
{
    const tacit__tableau *t = trial->tableau;
    size_t classes = (size_t)t->classes;
    uint32_t *sorted = tacit__alloc_array(classes, sizeof *sorted);
    trial->numbers = tacit__alloc_array(classes, (size_t)t->columns * sizeof *trial->numbers);
    trial->tally = tacit__alloc_zeroed(classes, sizeof *trial->tally);
    bool fits = sorted && trial->numbers && trial->tally;
    for (int32_t c = 0; fits && c < t->columns && classes > 0; c++)
        number_column(trial, sorted, c);
    tacit__free(sorted);
    return fits;
}

/* The rows that an item agrees with, in one column. */
typedef struct held {
    int64_t rows;     /* with a value there */
    uint32_t tight;   /* a value of those that can lose nobody */
    int tight_values; /* how many such there are: 0, 1 or more */
} held;

static held tally_values(tacit__trial *trial, const uint32_t *found, int64_t count, int32_t column)
{
    held h = {0};
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        if (other->mask >> column & 1)
            continue;
        uint32_t value = value_in(trial, other->class_index, column);
        trial->tally[value] += other->rows;
        h.rows += other->rows;
        if (other->alpha > trial->tableau->k || (h.tight_values > 0 && h.tight == value))
            continue;
        h.tight = value;
        h.tight_values++;
    }
    return h;
}

static void forget_values(tacit__trial *trial, const uint32_t *found, int64_t count, int32_t column)
{
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        trial->tally[value_in(trial, other->class_index, column)] = 0;
    }
}

/* What is left of a column's values, among those that agree with an item. */
static tacit__left values_left(tacit__trial *trial, const tacit__item *item, const uint32_t *found,
                               int64_t count, int32_t column)
{
    tacit__left left = {.values = 0};
    held h = tally_values(trial, found, count, column);
    int64_t need = trial->tableau->k - (item->alpha - h.rows);
    for (uint32_t v = 0; v < trial->values[column]; v++) {
        bool nobody_needs = h.tight_values == 0 || (h.tight_values == 1 && h.tight == v);
        if (nobody_needs && trial->tally[v] >= need)
            continue;
        left.values++;
        left.only = v;
    }
    forget_values(trial, found, count, column);
    return left;
}

tacit__left tacit__trial_left(tacit__trial *trial, uint32_t item, int32_t column)
{
    const tacit__item *at = tacit__state_item(trial->state, item);
    const uint32_t *found;
    int64_t count = look_for(&found, trial, at->class_index, at->mask);
    return trial->failed ? (tacit__left){0} : values_left(trial, at, found, count, column);
}

/* The columns of an item that are revealed. */
static uint64_t revealed_columns(tacit__trial *trial, const tacit__item *at)
{
    const uint32_t *found;
    int64_t count = look_for(&found, trial, at->class_index, at->mask);
    uint64_t columns = 0;
    for (uint64_t left = trial->failed ? 0 : at->mask; left; left &= left - 1) {
        int32_t c = __builtin_ctzll(left);
        if (trial->values[c] > count + 1) /* values that nobody has are not excluded */
            continue;
        columns |= (uint64_t)(values_left(trial, at, found, count, c).values == 1) << c;
    }
    return columns;
}

/* ---- trials ---- */

/* One of `seen` for every item. */
static void reserve_seen(tacit__trial *trial)
{
    size_t items = (size_t)tacit__state_count(trial->state);
    trial->failed |= !TACIT__RESERVE(trial->seen, trial->seen_capacity, items);
    while (!trial->failed && trial->seen_count < items)
        trial->seen[trial->seen_count++] = (tacit__ambiguate_seen){0};
}

static void touch(tacit__trial *trial, uint32_t item)
{
    if (trial->seen[item].stamp == trial->stamp)
        return;
    trial->seen[item].stamp = trial->stamp;
    trial->failed |=
        !TACIT__PUSH(trial->touched, trial->touched_capacity, trial->touched_count, item);
}

/* Looks at an item again, remembering what was seen before. */
static void look_again(tacit__trial *trial, uint32_t index)
{
    const tacit__item *item = tacit__state_item(trial->state, index);
    tacit__ambiguate_seen *seen = &trial->seen[index];
    uint64_t revealed = item->rows > 0 && item->mask ? revealed_columns(trial, item) : 0;
    int64_t cells = item->rows * __builtin_popcountll(revealed);
    if (revealed == seen->revealed && cells == seen->cells)
        return;
    trial->failed |= !TACIT__PUSH(trial->before, trial->before_capacity, trial->before_count,
                                  (tacit__seen_before){index, *seen});
    trial->revealed += cells - seen->cells;
    seen->revealed = revealed;
    seen->cells = cells;
}

tacit_status tacit__trial_init(tacit__trial *trial, tacit__state *state, const tacit_run *run,
                               tacit_error *err)
{
    tacit__state_sums sums;
    tacit_status status = TACIT_OK;
    *trial = (tacit__trial){.state = state, .tableau = tacit__state_tableau(state)};
    tacit__state_sum(&sums, state);
    memcpy(trial->columns, sums.column, sizeof trial->columns);
    trial->failed = !number_values(trial);
    reserve_seen(trial);
    int64_t first = trial->tableau->classes, count = (int64_t)trial->seen_count - first;
    for (int64_t i = 0; status == TACIT_OK && !trial->failed && i < count; i++) {
        if (i % 256 == 0)
            status = tacit__progress(run, "what is revealed", i, count, err);
        if (status == TACIT_OK)
            look_again(trial, (uint32_t)(first + i));
    }
    tacit__trial_keep(trial);
    status = trial->failed ? tacit__nomem(err) : status;
    if (status != TACIT_OK)
        tacit__trial_clear(trial);
    return status;
}

void tacit__trial_clear(tacit__trial *trial)
{
    tacit__free(trial->numbers);
    tacit__free(trial->tally);
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

uint32_t tacit__trial_blank(tacit__trial *trial, uint32_t item, int64_t rows, int32_t column)
{
    const tacit__item *from = tacit__state_item(trial->state, item);
    uint64_t blank = UINT64_C(1) << column;
    double cost = tacit__tableau_cost(trial->tableau, from->class_index, blank);
    int64_t to = item;
    trial->failed = trial->failed ||
                    !TACIT__RESERVE_ONE(trial->steps, trial->step_capacity, trial->step_count) ||
                    tacit__state_change(&to, trial->state, item, rows, from->mask | blank,
                                        from->fixed, NULL) != TACIT_OK;
    if (trial->failed)
        return item;
    trial->steps[trial->step_count++] = (tacit__ambiguate_step){item, (uint32_t)to, rows, column};
    trial->columns[column] += rows;
    trial->cost += (double)rows * cost;
    reserve_seen(trial);
    return (uint32_t)to;
}

/* Touches those with blanks that agree with the rows of a step. Those that it made agree may
 * no longer be tight: `rows` is the most that any of them gained. */
static void touch_around(tacit__trial *trial, const tacit__ambiguate_step *step, int64_t rows)
{
    const tacit__tableau *t = trial->tableau;
    const tacit__item *item = tacit__state_item(trial->state, step->to);
    uint32_t own = tacit__tableau_codes(t, item->class_index)[step->column];
    const uint32_t *found;
    int64_t count = look_for(&found, trial, item->class_index, item->mask);
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        bool gained = !(other->mask >> step->column & 1) &&
                      tacit__tableau_codes(t, other->class_index)[step->column] != own;
        if (other->mask)
            touch(trial, found[i]);
        if (gained && other->alpha - rows <= t->k && other->alpha > t->k)
            trial->failed |=
                !TACIT__PUSH(trial->loose, trial->loose_capacity, trial->loose_count, found[i]);
    }
}

static void touch_agreeing(tacit__trial *trial, uint32_t index)
{
    const tacit__item *item = tacit__state_item(trial->state, index);
    const uint32_t *found;
    int64_t count = look_for(&found, trial, item->class_index, item->mask);
    for (int64_t i = 0; i < count; i++)
        if (tacit__state_item(trial->state, found[i])->mask)
            touch(trial, found[i]);
}

void tacit__trial_settle(tacit__trial *trial)
{
    int64_t rows = 0;
    trial->stamp++;
    trial->touched_count = trial->loose_count = 0;
    for (size_t i = 0; i < trial->step_count; i++)
        rows += trial->steps[i].rows;
    for (size_t i = 0; !trial->failed && i < trial->step_count; i++) {
        touch(trial, trial->steps[i].from); /* they may have no rows now */
        touch(trial, trial->steps[i].to);
        touch_around(trial, &trial->steps[i], rows);
    }
    for (size_t i = 0; i < trial->loose_count; i++)
        touch_agreeing(trial, trial->loose[i]);
    for (size_t i = 0; !trial->failed && i < trial->touched_count; i++)
        look_again(trial, trial->touched[i]);
}

void tacit__trial_keep(tacit__trial *trial)
{
    trial->step_count = trial->before_count = 0;
    trial->cost = 0;
}

void tacit__trial_undo(tacit__trial *trial)
{
    for (size_t i = trial->before_count; i-- > 0;) {
        tacit__ambiguate_seen *seen = &trial->seen[trial->before[i].item];
        trial->revealed += trial->before[i].seen.cells - seen->cells;
        seen->revealed = trial->before[i].seen.revealed;
        seen->cells = trial->before[i].seen.cells;
    }
    for (size_t i = trial->step_count; i-- > 0;) {
        const tacit__ambiguate_step *step = &trial->steps[i];
        const tacit__item *from = tacit__state_item(trial->state, step->from);
        int64_t back;
        trial->columns[step->column] -= step->rows;
        trial->failed =
            trial->failed || tacit__state_change(&back, trial->state, step->to, step->rows,
                                                 from->mask, from->fixed, NULL) != TACIT_OK;
    }
    tacit__trial_keep(trial);
}

/* ---- protection ---- */

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

/* Whether an item is blank in the column of a target, or has the value that is left. */
static bool may_have_value(const tacit__trial *trial, const tacit__item *item, const target *at)
{
    return item->mask >> at->column & 1 ||
           value_in(trial, item->class_index, at->column) == at->value;
}

static losses find_losses(tacit__trial *trial, const target *at)
{
    const tacit__item *item = tacit__state_item(trial->state, at->item);
    const uint32_t *found;
    losses lost = {0};
    offer tight = {0}, any = {0};
    int64_t count = look_for(&found, trial, item->class_index, item->mask);
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        bool is_tight = other->alpha <= trial->tableau->k;
        if (may_have_value(trial, other, at))
            continue;
        lost.rows += other->rows;
        if (is_tight && (!lost.tight || found[i] < lost.tight_one))
            lost.tight_one = found[i];
        lost.tight |= is_tight;
        consider(is_tight ? &tight : &any, trial, found[i], UINT64_C(1) << at->column, other->rows);
    }
    lost.same_column = lost.tight ? tight : any;
    return lost;
}

/* Rows that agree with an item when some more columns are blank in them: for a target, those
 * that would with the value that is left. */
static void offer_helpers(offer *best, tacit__trial *trial, const tacit__item *item,
                          uint64_t columns, const target *at, int64_t rows)
{
    const uint32_t *found;
    int64_t count = look_for(&found, trial, item->class_index, item->mask | columns);
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(trial->state, found[i]);
        uint64_t differ =
            tacit__tableau_differ(trial->tableau, item->class_index, other->class_index) &
            ~(item->mask | other->mask);
        if (differ && (!at || may_have_value(trial, other, at)))
            consider(best, trial, found[i], differ, rows);
    }
}

/* The cheapest that agrees after as few blanks as possible. */
static offer find_helper(tacit__trial *trial, uint32_t index, const target *at, int64_t rows)
{
    const tacit__item item = *tacit__state_item(trial->state, index);
    int32_t columns = trial->tableau->columns, most = trial->tableau->most_row;
    offer best = {0};
    for (int32_t size = 1; !best.any && size <= most && size < columns; size++) {
        int64_t looks = 0;
        for (uint64_t set = tacit__first_set(size); set; set = tacit__next_set(set, columns)) {
            if (set & item.mask)
                continue;
            if (++looks > MAX_LOOKS || trial->failed)
                return best;
            offer_helpers(&best, trial, &item, set, at, rows);
        }
    }
    return best;
}

/* One step towards a target's last value being excluded; false where there is none. */
static bool step_closer(tacit__trial *trial, const target *at, bool helpers_first)
{
    losses lost = find_losses(trial, at);
    offer taken = lost.same_column;
    int64_t lacking =
        trial->tableau->k - (tacit__state_item(trial->state, at->item)->alpha - lost.rows);
    if (!lost.tight && taken.rows > lacking)
        taken.rows = lacking;
    if (helpers_first || !taken.any) {
        offer helper = lost.tight ? find_helper(trial, lost.tight_one, NULL, 1)
                                  : find_helper(trial, at->item, at, lacking);
        taken = helper.any ? helper : taken;
    }
    uint32_t item = taken.item;
    for (uint64_t left = taken.any ? taken.columns : 0; left; left &= left - 1)
        item = tacit__trial_blank(trial, item, taken.rows, __builtin_ctzll(left));
    return taken.any;
}

/* Whether a target, which may be another item by now, has one value left. */
static bool still_revealed(tacit__trial *trial, const target *at)
{
    return tacit__trial_left(trial, at->item, at->column).values == 1;
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

static void weigh_trial(choice *best, tacit__trial *trial)
{
    int64_t before = trial->revealed;
    tacit__trial_settle(trial);
    int64_t gain = before - trial->revealed;
    if (trial->failed || !is_better(best, gain, trial->cost))
        return;
    trial->failed = !TACIT__RESERVE(best->steps, best->room, trial->step_count);
    best->count = trial->failed ? 0 : trial->step_count;
    for (size_t i = 0; i < best->count; i++)
        best->steps[i] = trial->steps[i];
    best->gain = gain;
    best->cost = trial->cost;
    best->any = true;
}

/* Blanks for other rows, until the target is no longer revealed or there are none; whether it still
 * is. */
static bool blank_others(tacit__trial *trial, const target *at, bool helpers_first)
{
    bool revealed = true;
    while (!trial->failed && revealed && step_closer(trial, at, helpers_first))
        revealed = still_revealed(trial, at);
    return revealed;
}

/* Weighs a trial that does what it should, and takes it back. */
static void end_trial(choice *best, tacit__trial *trial, bool revealed)
{
    if (!revealed)
        weigh_trial(best, trial);
    tacit__trial_undo(trial);
}

/* Another blank in any column for the rows of the target, with blanks for others where `onward`. */
static void try_own(choice *best, tacit__trial *trial, const target *at, bool onward)
{
    for (int32_t c = 0; !trial->failed && c < trial->tableau->columns; c++) {
        int64_t rows = tacit__state_item(trial->state, at->item)->rows;
        target moved = *at;
        if (!tacit__trial_allows(trial, at->item, rows, UINT64_C(1) << c))
            continue;
        moved.item = tacit__trial_blank(trial, at->item, rows, c);
        bool revealed = still_revealed(trial, &moved);
        if (revealed && onward)
            revealed = blank_others(trial, &moved, true);
        end_trial(best, trial, revealed);
    }
}

/* Does the best that was tried, for good. */
static void take(int64_t *added, tacit__trial *trial, const choice *best)
{
    for (size_t i = 0; i < best->count; i++) {
        const tacit__ambiguate_step *step = &best->steps[i];
        tacit__trial_blank(trial, step->from, step->rows, step->column);
        *added += step->rows;
    }
    tacit__trial_settle(trial);
    tacit__trial_keep(trial);
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
                        "anyone who knows that no blank could be left out works out %lld of them, "
                        "and the limits leave no room for blanks against that: allow%s%s%s",
                        (long long)trial->revealed, row, both ? " or" : "", column);
}

/* Protects one cell that is revealed; best->any says whether it could be. */
static void protect(int64_t *added, choice *best, tacit__trial *trial, uint32_t item)
{
    target at = {.item = item, .column = __builtin_ctzll(trial->seen[item].revealed)};
    at.value = tacit__trial_left(trial, item, at.column).only;
    best->any = false;
    try_own(best, trial, &at, false);
    for (int helpers = 0; helpers < 2; helpers++)
        end_trial(best, trial, blank_others(trial, &at, helpers));
    if (!best->any)
        try_own(best, trial, &at, true);
    if (best->any)
        take(added, trial, best);
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
                protect(added, best, trial, (uint32_t)i);
            if (trial->failed)
                status = tacit__nomem(err);
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
