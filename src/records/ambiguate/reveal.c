/*
 * reveal.c - the attack on minimal suppression (reveal.h; 4 of the paper).
 *
 * Filling a blank with v loses the rows that the row agrees with and that have another value
 * there. So all that counts are the rows it agrees with: how many of them have which value,
 * and which values those have that can lose nobody. If these have two values, no value is
 * excluded; if one, no other is; and if there are none, those are that leave the row itself k.
 * One look at those that agree for each item.
 */
#include "records/ambiguate/reveal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

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

tacit_status tacit__reveal_init(tacit__reveal *reveal, tacit__state *state, tacit_error *err)
{
    const tacit__tableau *t = tacit__state_tableau(state);
    size_t classes = (size_t)t->classes;
    *reveal = (tacit__reveal){.state = state, .tableau = t};
    uint32_t *sorted = tacit__alloc_array(classes, sizeof *sorted);
    reveal->numbers = tacit__alloc_array(classes, (size_t)t->columns * sizeof *reveal->numbers);
    reveal->tally = tacit__alloc_zeroed(classes, sizeof *reveal->tally);
    if (!sorted || !reveal->numbers || !reveal->tally) {
        tacit__free(sorted);
        tacit__reveal_clear(reveal);
        return tacit__nomem(err);
    }
    for (int32_t c = 0; c < t->columns && classes > 0; c++)
        number_column(reveal, sorted, c);
    tacit__free(sorted);
    return TACIT_OK;
}

void tacit__reveal_clear(tacit__reveal *reveal)
{
    tacit__free(reveal->numbers);
    tacit__free(reveal->tally);
    *reveal = (tacit__reveal){0};
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
        uint32_t value = tacit__reveal_value(reveal, other->class_index, column);
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
        reveal->tally[tacit__reveal_value(reveal, other->class_index, column)] = 0;
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

tacit_status tacit__reveal_item(uint64_t *columns, tacit__reveal *reveal, uint32_t item,
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
