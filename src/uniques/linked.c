/*
 * linked.c - rows that go together: those of a person, and those of a household.
 *
 * Whoever finds one member of a household knows who the others are, so a household is found if any
 * of its members is. Where these are independent, its risk is 1 - prod (1 - r_i) over its rows,
 * and each of them has it (Franconi and Polettini, Individual risk estimation in mu-Argus, 2004;
 * sdcMicro's measure_risk). The product is taken as a sum of logarithms, so that many small risks
 * lose no digits, in the order of rows.
 *
 * A person who has the same values in several rows is one person who has them: all rows of a
 * person and a combination but the first repeat it, and do not count.
 *
 * Cost: linear in rows and units; 8 bytes a row, 12 a unit.
 */
#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "uniques/uniques.h"

tacit_status tacit_repeats_new(bool **out, const tacit_distinct *distinct, int32_t column,
                               tacit_error *err)
{
    assert(tacit_table_is_coded(distinct->table, column));
    tacit_codes_view codes = tacit_table_codes(distinct->table, column);
    uint32_t missing = tacit_table_distinct(distinct->table, column);
    bool *repeats = tacit__alloc_zeroed((size_t)distinct->rows + 1, sizeof *repeats);
    /* A person each: one more than the last combination in which the person was met. */
    uint32_t *met = tacit__alloc_zeroed((size_t)missing + 1, sizeof *met);
    if (!repeats || !met) {
        tacit__free(repeats);
        tacit__free(met);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < distinct->count; i++)
        for (uint32_t j = distinct->starts[i]; j < distinct->starts[i + 1]; j++) {
            uint32_t row = distinct->order[j], person = tacit_codes_at(codes, row);
            repeats[row] = person != missing && met[person] == i + 1;
            met[person] = i + 1;
        }
    tacit__free(met);
    *out = repeats;
    return TACIT_OK;
}

void tacit_repeats_free(bool *repeats)
{
    tacit__free(repeats);
}

void tacit_linked_risk_free(tacit_linked_risk *linked)
{
    if (!linked)
        return;
    tacit__free(linked->risk);
    tacit__free(linked);
}

/* Units in the making. */
typedef struct linking {
    const tacit_risk *risk;
    const tacit_distinct *distinct;
    const bool *repeats;
    tacit_codes_view codes;
    uint32_t missing; /* code of rows without a unit */
    double *logs;     /* a unit each: of the chance that none of its rows is found */
    uint32_t *sizes;  /* a unit each: rows that count */
} linking;

static bool is_counted(const linking *l, int64_t row)
{
    return !l->repeats || !l->repeats[row];
}

static double individual_of(const linking *l, int64_t row)
{
    return l->risk->individual[tacit_distinct_of(l->distinct, row)];
}

static void add_unit(tacit_linked_risk *linked, double risk, int64_t rows)
{
    linked->units++;
    linked->most = rows > linked->most ? rows : linked->most;
    linked->expected += risk * (double)rows;
    linked->expected_units += risk;
    linked->highest = fmax(linked->highest, risk);
}

static void link_rows(tacit_linked_risk *linked, linking *l)
{
    for (int64_t row = 0; row < linked->rows; row++) {
        uint32_t unit = tacit_codes_at(l->codes, row);
        if (unit == l->missing || !is_counted(l, row))
            continue;
        l->logs[unit] += log1p(-individual_of(l, row));
        l->sizes[unit]++;
    }
    for (uint32_t unit = 0; unit < l->missing; unit++)
        if (l->sizes[unit] > 0)
            add_unit(linked, -expm1(l->logs[unit]), l->sizes[unit]);
    for (int64_t row = 0; row < linked->rows; row++) {
        uint32_t unit = tacit_codes_at(l->codes, row);
        linked->risk[row] = unit == l->missing ? individual_of(l, row) : -expm1(l->logs[unit]);
        if (unit == l->missing && is_counted(l, row))
            add_unit(linked, linked->risk[row], 1);
    }
}

tacit_status tacit_linked_risk_new(tacit_linked_risk **out, const tacit_risk *risk,
                                   const tacit_distinct *distinct, const bool *repeats,
                                   int32_t column, tacit_error *err)
{
    assert(tacit_table_is_coded(distinct->table, column));
    linking l = {.risk = risk,
                 .distinct = distinct,
                 .repeats = repeats,
                 .codes = tacit_table_codes(distinct->table, column),
                 .missing = tacit_table_distinct(distinct->table, column)};
    tacit_status status = TACIT_OK;
    tacit_linked_risk *linked = tacit__alloc_zeroed(1, sizeof *linked);
    l.logs = tacit__alloc_zeroed((size_t)l.missing + 1, sizeof *l.logs);
    l.sizes = tacit__alloc_zeroed((size_t)l.missing + 1, sizeof *l.sizes);
    if (linked) {
        linked->rows = distinct->rows;
        linked->risk = tacit__alloc_array((size_t)linked->rows, sizeof *linked->risk);
    }
    if (!linked || !linked->risk || !l.logs || !l.sizes)
        status = tacit__nomem(err);
    else
        link_rows(linked, &l);
    tacit__free(l.logs);
    tacit__free(l.sizes);
    if (status == TACIT_OK)
        *out = linked;
    else
        tacit_linked_risk_free(linked);
    return status;
}
