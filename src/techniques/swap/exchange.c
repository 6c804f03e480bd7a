/*
 * exchange.c - pools of rows, permutations of them, cells moved along.
 *
 * A permutation is a list of rows beside the pool's own, four bytes a row, which is what random
 * access is paid on; the marks are gathered afterwards in the order of their new rows. Linear.
 */
#include "techniques/swap/exchange.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

void tacit__shuffle_list(uint32_t *list, int64_t count, tacit__random *random)
{
    for (int64_t i = count - 1; i > 0; i--)
        tacit__trade(list, i, tacit__random_below(random, (uint32_t)(i + 1)));
}

void tacit__cycle_list(uint32_t *list, int64_t count, tacit__random *random)
{
    for (int64_t i = count - 1; i > 0; i--)
        tacit__trade(list, i, tacit__random_below(random, (uint32_t)i));
}

int64_t tacit__round_randomly(double mean, tacit__random *random)
{
    double down = floor(mean);
    return (int64_t)down + (tacit__random_unit(random) < mean - down);
}

/* How many rows of a group: its share, rounded by chance; a single row cannot swap, so that one
 * becomes two or none, on the mean one. */
static int64_t portion(int64_t size, double share, tacit__random *random)
{
    if (size < 2)
        return 0;
    int64_t count = share < 1 ? tacit__round_randomly((double)size * share, random) : size;
    return count == 1 ? 2 * (int64_t)tacit__random_below(random, 2) : count;
}

void tacit__draw_front(uint32_t *list, int64_t size, int64_t count, tacit__random *random)
{
    for (int64_t i = 0; i < count; i++)
        tacit__trade(list, i, i + tacit__random_below(random, (uint32_t)(size - i)));
}

tacit_status tacit__movers_init(tacit__movers *pool, tacit__sheet *sheet,
                                const tacit__runner_value *within, double share,
                                tacit__random *random, tacit_error *err)
{
    tacit__row_groups groups;
    bool grouped = within && within->given;
    tacit_status status = tacit__row_groups_init(&groups, sheet, grouped ? within->columns : NULL,
                                                 grouped ? within->text_count : 0, err);
    if (status != TACIT_OK)
        return status;
    *pool = (tacit__movers){.rows = groups.rows};
    groups.rows = NULL;
    pool->starts = tacit__alloc_array((size_t)groups.count + 1, sizeof *pool->starts);
    if (!pool->starts) {
        tacit__row_groups_clear(&groups);
        tacit__movers_clear(pool);
        return tacit__nomem(err);
    }
    pool->starts[0] = 0;
    int64_t kept = 0;
    for (uint32_t g = 0; g < groups.count; g++) {
        uint32_t *rows = pool->rows + groups.starts[g];
        int64_t size = groups.starts[g + 1] - groups.starts[g];
        int64_t count = portion(size, share, random);
        if (count < size)
            tacit__draw_front(rows, size, count, random);
        memmove(pool->rows + kept, rows, (size_t)count * sizeof *rows);
        kept += count;
        pool->alone += size == 1;
        if (count > 0)
            pool->starts[++pool->segments] = kept;
    }
    tacit__row_groups_clear(&groups);
    return TACIT_OK;
}

void tacit__movers_clear(tacit__movers *pool)
{
    tacit__free(pool->rows);
    tacit__free(pool->starts);
    *pool = (tacit__movers){0};
}

static void move(uint64_t *words, const uint32_t *to, const uint32_t *from, int64_t count,
                 uint64_t *buffer)
{
    for (int64_t i = 0; i < count; i++)
        buffer[i] = words[from[i]];
    for (int64_t i = 0; i < count; i++)
        words[to[i]] = buffer[i];
}

void tacit__cells_move(tacit__sheet_column *column, const uint32_t *to, const uint32_t *from,
                       int64_t count, uint64_t *buffer)
{
    move(column->marks, to, from, count, buffer);
    if (!column->numbers)
        return;
    double *numbers = (double *)buffer;
    for (int64_t i = 0; i < count; i++)
        numbers[i] = column->numbers[from[i]];
    for (int64_t i = 0; i < count; i++)
        column->numbers[to[i]] = numbers[i];
}
