/*
 * trial.c - blanks on trial (trial.h). A step costs a change of the state; to
 * settle costs a look for each step, for each row that is no longer tight, and for each item with
 * blanks that they agree with.
 */
#include "records/ambiguate/trial.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

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

static tacit_status push(uint32_t **list, size_t *count, size_t *room, uint32_t item,
                         tacit_error *err)
{
    if (!tacit__reserve((void **)list, room, *count + 1, sizeof **list))
        return tacit__nomem(err);
    (*list)[(*count)++] = item;
    return TACIT_OK;
}

/* Says that an item is to be looked at again. */
static tacit_status touch(tacit__trial *trial, uint32_t item, tacit_error *err)
{
    if (trial->seen[item].stamp == trial->stamp)
        return TACIT_OK;
    trial->seen[item].stamp = trial->stamp;
    return push(&trial->touched, &trial->touched_count, &trial->touched_room, item, err);
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
        status = tacit__reveal_item(&revealed, &trial->reveal, index, err);
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
    tacit_status status = tacit__reveal_init(&trial->reveal, state, err);
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
    tacit__reveal_clear(&trial->reveal);
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
        if (status == TACIT_OK && gained && other->alpha - rows <= t->k && other->alpha > t->k)
            status = push(&trial->loose, &trial->loose_count, &trial->loose_room, found[i], err);
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
