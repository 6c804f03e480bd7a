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

int64_t tacit__round_randomly(double mean, tacit__random *random)
{
    double down = floor(mean);
    return (int64_t)down + (tacit__random_unit(random) < mean - down);
}

void tacit__draw_front(uint32_t *list, int64_t size, int64_t count, tacit__random *random)
{
    for (int64_t i = 0; i < count; i++)
        tacit__trade(list, i, i + tacit__random_below(random, (uint32_t)(size - i)));
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
