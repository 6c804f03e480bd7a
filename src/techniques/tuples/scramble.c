/*
 * scramble.c - rows in random order (Figure 17, "scramble tuples"): for releases whose order would
 * say something, such as when a record came in, or which row of an earlier release it was.
 *
 * A uniformly random permutation of the rows. Linear.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "techniques/swap/exchange.h"

static const tacit_technique_option SCRAMBLE_OPTIONS[] = {{.name = NULL}};

static tacit_status apply_scramble(tacit__sheet *sheet, const tacit__runner_call *call,
                                   tacit_error *err)
{
    int64_t rows = sheet->rows;
    uint32_t *order = tacit__alloc_array((size_t)rows, sizeof *order);
    tacit__random random;
    if (!order)
        return tacit__nomem(err);
    tacit__call_random(&random, call, 0, 0);
    for (int64_t row = 0; row < rows; row++)
        order[row] = (uint32_t)row;
    tacit__shuffle_list(order, rows, &random);
    tacit_status status = tacit__sheet_take_rows(sheet, order, rows, err);
    tacit__free(order);
    return status;
}

const tacit_technique tacit__technique_scramble = {
    .name = "scramble",
    .summary = "rows in random order",
    .options = SCRAMBLE_OPTIONS,
    .features = TACIT_TECHNIQUE_REORDERS,
    .code = &(const struct tacit__technique_code){.apply = apply_scramble},
};
