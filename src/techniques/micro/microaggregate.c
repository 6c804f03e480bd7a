/*
 * microaggregate.c - microaggregation: rows are gathered into groups of at least k that are alike,
 * and the numbers of a group become its mean or median (Domingo-Ferrer and Mateo-Sanz 2002). What
 * is unusual about a row drowns in its group: "outliers to medians" of Figure 17 for all rows.
 *
 * Groups are made of several columns together, standardized so that each weighs the same, or of
 * each column by itself. They stay inside of the combinations of `within`, and rows that lack
 * values are gathered with those that lack the same ones, by the columns they have: so every
 * combination that is released is there k times. All cells of a group are written alike, a 7 among
 * 6.5 and 7.5 as 7.0.
 *
 * The parts that make groups are in micro_*.c; here is what they cost, and a pass over the rows.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/micro/micro.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

enum { MICRO_COLUMNS, MICRO_K, MICRO_WAY, MICRO_WITHIN, MICRO_AGGREGATE, MICRO_FEW };

enum { VARIABLE, MDAV, UNIVARIATE };
static const char *const MICRO_WAYS[] = {"variable", "mdav", "univariate", NULL};
static const char *const AGGREGATES[] = {"mean", "median", NULL};
static const char *const FEW_WORDS[] = {"refuse", "keep", NULL};

static const tacit_technique_option MICRO_OPTIONS[] = {
    [MICRO_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of numbers",
                       .required = true},
    [MICRO_K] = {"k", TACIT_TECHNIQUE_INTEGER, .help = "rows that a group has at least",
                 .required = true, .least = 2, .most = 1e6},
    [MICRO_WAY] =
        {"way", TACIT_TECHNIQUE_CHOICE,
         .help = "groups of several columns that are improved, as MDAV makes them, or the best "
                 "of each column by itself",
         .choices = MICRO_WAYS},
    [MICRO_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                      .help = "columns whose combinations no group goes beyond"},
    [MICRO_AGGREGATE] = {"aggregate", TACIT_TECHNIQUE_CHOICE,
                         .help = "what the numbers of a group become", .choices = AGGREGATES},
    [MICRO_FEW] = {"few", TACIT_TECHNIQUE_CHOICE,
                   .help = "fewer than k rows in a combination or with the same gaps: an error, or "
                           "left unchanged",
                   .choices = FEW_WORDS},
    {.name = NULL},
};

typedef struct aggregating {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    const int32_t *columns; /* that groups are made of together */
    uint32_t column_count;
    uint32_t k;
    int way;
    bool median;
    tacit__numeric_spread *spreads; /* of columns */
    tacit__random random;
    uint32_t *present; /* columns that rows of a stratum have, as places in columns */
    uint32_t present_count;
    double groups, changed, left, sse, sst;
} aggregating;

/* ---- columns ---- */

/* A difference in standard deviations; a column of equals has none. */
static double standardized(double off, const tacit__numeric_spread *spread)
{
    return spread->deviation > 0 ? off / spread->deviation : 0;
}

/* Of each row what stands in place of a number, 0 where it has one; NULL where all have. */
static tacit_status find_gaps(uint32_t **gaps, const tacit__sheet *sheet, int32_t index,
                              tacit_error *err)
{
    const tacit__sheet_column *column = &sheet->columns[index];
    tacit__categories categories;
    int64_t row = 0;
    *gaps = NULL;
    while (row < sheet->rows && !isnan(column->numbers[row]))
        row++;
    if (row == sheet->rows)
        return TACIT_OK;
    tacit_status status = tacit__categories_init(&categories, sheet, index, err);
    if (status != TACIT_OK)
        return status;
    *gaps = categories.codes;
    categories.codes = NULL;
    tacit__categories_clear(&categories);
    for (row = 0; row < sheet->rows; row++)
        (*gaps)[row] = isnan(column->numbers[row]) ? (*gaps)[row] + 1 : 0;
    return TACIT_OK;
}

/* Rows that groups may be made of: alike in `within`, and in what they lack. */
static tacit_status find_strata(tacit__row_groups *strata, const aggregating *w, tacit_error *err)
{
    const tacit__runner_value *within = &w->call->values[MICRO_WITHIN];
    tacit_status status =
        tacit__row_groups_init(strata, w->sheet, within->columns, within->text_count, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; status == TACIT_OK && i < w->column_count; i++) {
        uint32_t *gaps;
        status = find_gaps(&gaps, w->sheet, w->columns[i], err);
        if (status == TACIT_OK && gaps)
            status = tacit__row_groups_split(strata, gaps, w->sheet->rows, err);
        tacit__free(gaps);
    }
    if (status != TACIT_OK)
        tacit__row_groups_clear(strata);
    return status;
}

/* ---- a group ---- */

/* Changes the order of the numbers for a median. */
static double aggregate(double *numbers, uint32_t count, bool median)
{
    double sum = 0;
    if (median) {
        tacit__sort_numbers(numbers, count);
        return tacit__quantile(numbers, count, 0.5);
    }
    for (uint32_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum / count;
}

/* Whether all cells of some rows say the same already, and say this number. */
static bool are_alike(const tacit__sheet *sheet, const tacit__sheet_column *column,
                      const uint32_t *rows, uint32_t count, double number)
{
    char buffers[2][512];
    tacit_strview first = tacit__cell_text(sheet, column, rows[0], buffers[0], sizeof buffers[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (column->numbers[rows[i]] != number)
            return false;
        if (column->marks[rows[i]] != column->marks[rows[0]] &&
            !tacit_strview_equal(
                first, tacit__cell_text(sheet, column, rows[i], buffers[1], sizeof buffers[1])))
            return false;
    }
    return true;
}

static void write_group(aggregating *w, uint32_t place, const uint32_t *rows, uint32_t count,
                        double *numbers)
{
    tacit__sheet_column *column = &w->sheet->columns[w->columns[place]];
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = column->numbers[rows[i]];
    double middle = aggregate(numbers, count, w->median);
    for (uint32_t i = 0; i < count; i++) {
        double off = standardized(numbers[i] - middle, &w->spreads[place]);
        w->sse += off * off;
    }
    double written = tacit__sheet_round(column, middle);
    if (are_alike(w->sheet, column, rows, count, written))
        return;
    for (uint32_t i = 0; i < count; i++) {
        w->changed += column->numbers[rows[i]] != written;
        tacit__cell_put(column, rows[i],
                        (tacit__cell){tacit__mark_of(TACIT__MARK_NUMBER, 0), written});
    }
}

/* ---- a stratum ---- */

static tacit_status too_few(aggregating *w, int64_t count, tacit_error *err)
{
    const tacit__runner_call *call = w->call;
    w->left += (double)count;
    if (call->values[MICRO_FEW].choice == 1)
        return TACIT_OK;
    bool all = count == w->sheet->rows;
    return tacit__error_at(err, TACIT_INFEASIBLE, call->file, call->values[MICRO_K].line, 0,
                           "microaggregate: groups of %u cannot be made of %lld row%s%s", w->k,
                           (long long)count, count == 1 ? "" : "s",
                           all ? ""
                               : ", as many as agree in `within` and in what they lack; lower k, "
                                 "or leave such rows unchanged with `few: keep`");
}

static tacit_status group_points(aggregating *w, uint32_t *group, uint32_t *groups,
                                 const double *at, uint32_t count, tacit_error *err)
{
    const tacit_run *run = w->call->run;
    tacit__points points = {at, count, w->present_count};
    if (w->way == UNIVARIATE || (w->way == VARIABLE && w->present_count == 1))
        return tacit__micro_optimal(group, groups, at, count, w->k, run, err);
    tacit_status status = tacit__micro_mdav(group, groups, &points, w->k, run, err);
    if (status == TACIT_OK && w->way == VARIABLE)
        status = tacit__micro_improve(group, groups, &points, w->k, &w->random, run, err);
    return status;
}

static void standardize(const aggregating *w, double *at, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < w->present_count; j++) {
            uint32_t place = w->present[j];
            const tacit__numeric_spread *s = &w->spreads[place];
            double number = w->sheet->columns[w->columns[place]].numbers[rows[i]];
            *at++ = standardized(number - s->mean, s);
        }
}

/* The rows group by group, and each group written. */
static bool write_groups(aggregating *w, const uint32_t *rows, const uint32_t *group,
                         uint32_t count, uint32_t groups)
{
    uint32_t *sorted = tacit__alloc_array(count, sizeof *sorted);
    uint32_t *starts = tacit__alloc_zeroed((size_t)groups + 2, sizeof *starts);
    double *numbers = tacit__alloc_array(count, sizeof *numbers);
    bool whole = sorted && starts && numbers;
    for (uint32_t i = 0; whole && i < count; i++)
        starts[group[i] + 2]++;
    for (uint32_t i = 0; whole && i < groups; i++)
        starts[i + 2] += starts[i + 1];
    for (uint32_t i = 0; whole && i < count; i++)
        sorted[starts[group[i] + 1]++] = rows[i];
    for (uint32_t i = 0; whole && i < groups; i++)
        for (uint32_t j = 0; j < w->present_count; j++)
            write_group(w, w->present[j], sorted + starts[i], starts[i + 1] - starts[i], numbers);
    tacit__free(sorted);
    tacit__free(starts);
    tacit__free(numbers);
    w->groups += groups;
    return whole;
}

static tacit_status aggregate_stratum(aggregating *w, const uint32_t *rows, int64_t size,
                                      tacit_error *err)
{
    uint32_t count = (uint32_t)size, groups = 0;
    w->present_count = 0;
    for (uint32_t i = 0; i < w->column_count; i++)
        if (!isnan(w->sheet->columns[w->columns[i]].numbers[rows[0]]))
            w->present[w->present_count++] = i;
    if (count < w->k)
        return too_few(w, size, err);
    if (w->present_count == 0)
        return TACIT_OK;
    uint32_t *group = tacit__alloc_array(count, sizeof *group);
    double *at = tacit__alloc_array(count, w->present_count * sizeof *at);
    tacit_status status = group && at ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        standardize(w, at, rows, count);
        status = group_points(w, group, &groups, at, count, err);
    }
    if (status == TACIT_OK && !write_groups(w, rows, group, count, groups))
        status = tacit__nomem(err);
    tacit__free(group);
    tacit__free(at);
    return status;
}

/* ---- all ---- */

/* Columns whose groups are made together; true in *whole where no row was left out. */
static tacit_status aggregate_columns(aggregating *w, const int32_t *columns, uint32_t count,
                                      bool *whole, tacit_error *err)
{
    tacit__row_groups strata;
    double left = w->left;
    w->columns = columns;
    w->column_count = count;
    w->spreads = tacit__alloc_array(count, sizeof *w->spreads);
    w->present = tacit__alloc_array(count, sizeof *w->present);
    tacit_status status = w->spreads && w->present ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < count; i++) {
        w->spreads[i] = tacit__spread_of(&w->sheet->columns[columns[i]], w->sheet->rows);
        w->sst += w->spreads[i].deviation > 0 ? w->spreads[i].count - 1 : 0;
    }
    if (status == TACIT_OK)
        status = find_strata(&strata, w, err);
    if (status == TACIT_OK) {
        for (uint32_t i = 0; status == TACIT_OK && i < strata.count; i++)
            status = aggregate_stratum(w, strata.rows + strata.starts[i],
                                       strata.starts[i + 1] - strata.starts[i], err);
        tacit__row_groups_clear(&strata);
    }
    *whole = w->left == left;
    return status;
}

static tacit_status claim_groups(const aggregating *w, const tacit__runner_value *columns,
                                 tacit_error *err)
{
    return tacit__claim(w->call, (tacit_kept){.kind = TACIT_KEPT_GROUPS, .amount = w->k}, columns,
                        &w->call->values[MICRO_WITHIN], err);
}

/* Means keep a sum but for their rounding: half a unit of the last decimal for every row. */
static tacit_status claim_sums(const aggregating *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    const tacit__runner_value *all = &w->call->values[MICRO_COLUMNS];
    for (uint32_t i = 0; status == TACIT_OK && !w->median && i < w->column_count; i++) {
        const tacit__sheet_column *column = &w->sheet->columns[w->columns[i]];
        const tacit__numeric_spread *s = &w->spreads[i];
        double unit = pow(10, -column->decimals);
        size_t place = 0;
        while (all->columns[place] != w->columns[i])
            place++;
        tacit__runner_value one = {.texts = all->texts + place, .text_count = 1};
        tacit_kept kept = {.kind = TACIT_KEPT_SUM,
                           .amount = s->count * (unit / 2 + s->largest * 0x1p-48)};
        status = tacit__claim(w->call, kept, &one, &w->call->values[MICRO_WITHIN], err);
    }
    return status;
}

/* Aggregates some of the step's columns together and says what holds of them. */
static tacit_status aggregate_some(aggregating *w, size_t first, size_t count, tacit_error *err)
{
    const tacit__runner_value *all = &w->call->values[MICRO_COLUMNS];
    tacit__runner_value some = {.texts = all->texts + first, .text_count = count};
    bool whole;
    tacit_status status = aggregate_columns(w, all->columns + first, (uint32_t)count, &whole, err);
    if (status == TACIT_OK && whole)
        status = claim_groups(w, &some, err);
    if (status == TACIT_OK)
        status = claim_sums(w, err);
    tacit__free(w->spreads);
    tacit__free(w->present);
    w->spreads = NULL;
    w->present = NULL;
    return status;
}

static tacit_status note_all(const aggregating *w, tacit_error *err)
{
    const struct {
        const char *name;
        double number;
    } facts[] = {{"groups", w->groups},  {"cells_changed", w->changed},
                 {"rows_left", w->left}, {"sse", w->sse},
                 {"sst", w->sst},        {"loss", w->sst > 0 ? w->sse / w->sst : 0}};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < sizeof facts / sizeof *facts; i++)
        status = tacit__note(w->call, facts[i].name, facts[i].number, err);
    return status;
}

static tacit_status apply_microaggregate(tacit__sheet *sheet, const tacit__runner_call *call,
                                         tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[MICRO_COLUMNS];
    aggregating w = {.sheet = sheet,
                     .call = call,
                     .k = (uint32_t)call->values[MICRO_K].number,
                     .way = call->values[MICRO_WAY].choice,
                     .median = call->values[MICRO_AGGREGATE].choice == 1};
    tacit__call_random(&w.random, call, 0, 0);
    tacit_status status = tacit__call_numbers(sheet, call, columns, err);
    if (status == TACIT_OK && w.way != UNIVARIATE)
        status = aggregate_some(&w, 0, columns->text_count, err);
    for (size_t i = 0; w.way == UNIVARIATE && status == TACIT_OK && i < columns->text_count; i++)
        status = aggregate_some(&w, i, 1, err);
    return status == TACIT_OK ? note_all(&w, err) : status;
}

static tacit_status check_microaggregate(const tacit__runner_call *call, tacit_error *err)
{
    return tacit__call_apart(call, MICRO_COLUMNS, MICRO_WITHIN, err);
}

const tacit_technique tacit__technique_microaggregate = {
    .name = "microaggregate",
    .summary = "numbers of at least k rows that are alike become their mean or median",
    .effect = "numbers are those of groups: variances are too small, and correlations may differ",
    .options = MICRO_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_microaggregate,
                                                  .check = check_microaggregate},
};
