/*
 * rank_swap.c - rank swapping: values swapped with others that are close in rank.
 *
 * R. A. Moore, "Controlled data-swapping techniques for masking public use microdata sets", Bureau
 * of the Census (1996). A column's values are sorted, equal ones in random order; from the lowest
 * on, each that has not been swapped is swapped with one that has not been either, drawn from the
 * next p % of all ranks. What can be drawn is a list that the window moves over, so a draw costs
 * the same whatever p is; at most one value of a group is left over. Empty cells stay.
 *
 * Categories are ranked once each, then their rows by number. Linear, the sorting included
 * (base/sort.h), plus sorting the distinct values of a column that is ordered as text; a column a
 * task.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/numeric/numeric.h"
#include "techniques/swap/exchange.h"

enum { RANK_COLUMNS, RANK_PERCENT, RANK_AS, RANK_ORDER, RANK_WITHIN };

static const char *const KINDS[] = {"numbers", "text", NULL};

static const tacit_technique_option RANK_OPTIONS[] = {
    [RANK_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                      .help = "columns whose values are swapped, each by itself", .required = true},
    [RANK_PERCENT] = {"percent", TACIT_TECHNIQUE_NUMBER,
                      .help = "how far apart swapped values are in rank at most, in percent of all",
                      .required = true, .least = 1e-6, .most = 100},
    [RANK_AS] = {"as", TACIT_TECHNIQUE_CHOICE, .help = "what values are ordered as",
                 .choices = KINDS},
    [RANK_ORDER] = {"order", TACIT_TECHNIQUE_TEXT,
                    .help = "the values of the columns from the lowest to the highest"},
    [RANK_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                     .help = "only among rows that agree in these columns"},
    {.name = NULL},
};

/* ---- the order of values ---- */

/* How the values of a column are ordered. */
typedef struct value_order {
    const tacit__runner_value *order; /* given: the values, from the lowest to the highest */
    bool by_text;                     /* else by their bytes; else they are numbers, and loaded */
    bool keep_others; /* values that are not in `order` have no rank; else an error */
} value_order;

static int64_t number_keys(tacit__ranked *list, const tacit__sheet *sheet,
                           const tacit__sheet_column *column)
{
    int64_t count = 0;
    for (int64_t row = 0; row < sheet->rows; row++)
        if (!isnan(column->numbers[row]))
            list[count++] =
                (tacit__ranked){tacit__rank_of_number(column->numbers[row]), (uint32_t)row};
    return count;
}

/* What a code says, in memory of its own. */
typedef struct named {
    tacit_strview text;
    uint32_t code;
} named;

static int compare_named(const void *a, const void *b)
{
    return tacit__compare_texts(((const named *)a)->text, ((const named *)b)->text);
}

/* The texts of all codes, sorted. */
static bool name_codes(named *names, const tacit__categories *categories, const tacit__sheet *sheet,
                       const tacit__sheet_column *column, tacit__arena *arena)
{
    size_t size = tacit__sheet_longest(sheet, column);
    char *buffer = tacit__alloc(size);
    bool whole = buffer;
    for (uint32_t code = 0; whole && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(sheet, column, categories->firsts[code], buffer, size);
        names[code] = (named){tacit__arena_copy(arena, text), code};
        whole = names[code].text.bytes;
    }
    tacit__free(buffer);
    if (whole)
        qsort(names, categories->count, sizeof *names, compare_named);
    return whole;
}

static tacit_status not_in_order(const tacit__runner_call *call, const tacit__runner_value *order,
                                 const tacit__sheet_column *column, tacit_strview text,
                                 tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(call, order, err,
                             "column %.64s has %s which `order` does not name; leave "
                             "such values where they are with `others: keep`",
                             column->name, shown.text);
}

/* The rank of each code: its place in the order that is given, or among the sorted. */
static tacit_status rank_codes(uint32_t *ranks, const named *names, uint32_t count,
                               const value_order *ordering, const tacit__sheet_column *column,
                               const tacit__runner_call *call, tacit_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *rank = &ranks[names[i].code];
        *rank = i;
        if (!ordering->order->given)
            continue;
        *rank = UINT32_MAX;
        for (size_t j = 0; j < ordering->order->text_count && *rank == UINT32_MAX; j++)
            if (tacit_strview_equal(tacit_strview_of(ordering->order->texts[j]), names[i].text))
                *rank = (uint32_t)j;
        if (*rank == UINT32_MAX && !ordering->keep_others)
            return not_in_order(call, ordering->order, column, names[i].text, err);
    }
    return TACIT_OK;
}

static tacit_status category_keys(tacit__ranked *list, int64_t *count, const tacit__sheet *sheet,
                                  int32_t index, const value_order *ordering,
                                  const tacit__runner_call *call, tacit_error *err)
{
    tacit__categories categories;
    tacit__arena arena = {0};
    const tacit__sheet_column *column = &sheet->columns[index];
    tacit_status status = tacit__categories_init(&categories, sheet, index, err);
    if (status != TACIT_OK)
        return status;
    named *names = tacit__alloc_array(categories.count, sizeof *names);
    uint32_t *ranks = tacit__alloc_array((size_t)categories.count + 1, sizeof *ranks);
    if (!names || !ranks || !name_codes(names, &categories, sheet, column, &arena))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = rank_codes(ranks, names, categories.count, ordering, column, call, err);
    if (status == TACIT_OK) {
        ranks[categories.count] = UINT32_MAX; /* empty */
        *count = 0;
        for (int64_t row = 0; row < sheet->rows; row++)
            if (ranks[categories.codes[row]] != UINT32_MAX)
                list[(*count)++] = (tacit__ranked){ranks[categories.codes[row]], (uint32_t)row};
    }
    tacit__free(names);
    tacit__free(ranks);
    tacit__arena_clear(&arena);
    tacit__categories_clear(&categories);
    return status;
}

/* Rows of a column that has marks, with keys in its order, but for empty cells and those that have
 * no rank. list has room for all rows. */
static tacit_status rank_keys(tacit__ranked *list, int64_t *count, const tacit__sheet *sheet,
                              int32_t column, const value_order *ordering,
                              const tacit__runner_call *call, tacit_error *err)
{
    if (ordering->by_text || ordering->order->given)
        return category_keys(list, count, sheet, column, ordering, call, err);
    *count = number_keys(list, sheet, &sheet->columns[column]);
    return TACIT_OK;
}

/* ---- what a worker has ---- */

/* A worker's room: ranked rows, which of them can be drawn, and what goes where in the end, all at
 * once, since memory is slow to answer one by one. */
typedef struct rank_bench {
    tacit__ranked *list, *spare;
    uint32_t *open;      /* places that have not been swapped, within the window */
    uint32_t *where;     /* of each place in open; UINT32_MAX: swapped */
    uint32_t *to, *from; /* rows that get a cell, and whose */
    uint64_t *cells;
    int64_t swapped;
} rank_bench;

typedef struct ranking {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    value_order ordering;
    tacit__row_groups groups;
    rank_bench *benches;
    atomic_int_fast64_t swapped, kept;
} ranking;

static tacit_status check_rank_swap(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[RANK_ORDER].given && values[RANK_AS].given)
        return tacit__call_error(call, &values[RANK_AS], err,
                                 "`order` names all values, so it takes no `as`");
    return tacit__call_apart(call, RANK_COLUMNS, RANK_WITHIN, err);
}

/* ---- a group's values, ranked ---- */

/* Equal values in random order, so that the file's order does not decide who swaps with whom. */
static void shuffle_ties(tacit__ranked *list, int64_t count, tacit__random *random)
{
    for (int64_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && list[end].key == list[start].key;)
            end++;
        for (int64_t i = end - start - 1; i > 0; i--) {
            int64_t j = tacit__random_below(random, (uint32_t)(i + 1));
            tacit__ranked kept = list[start + i];
            list[start + i] = list[start + j];
            list[start + j] = kept;
        }
    }
}

static void take_out(rank_bench *b, uint32_t place, uint32_t *open_count)
{
    uint32_t last = b->open[--*open_count];
    b->open[b->where[place]] = last;
    b->where[last] = b->where[place];
    b->where[place] = UINT32_MAX;
}

static void note_swap(rank_bench *b, uint32_t one, uint32_t other)
{
    b->to[b->swapped] = b->from[b->swapped + 1] = one;
    b->from[b->swapped] = b->to[b->swapped + 1] = other;
    b->swapped += 2;
}

static void pair_up(rank_bench *b, const tacit__ranked *list, int64_t count, int64_t window,
                    tacit__random *random)
{
    int64_t edge = 0;
    uint32_t open_count = 0;
    for (int64_t i = 0; i < count; i++) {
        for (; edge < count && edge <= i + window; edge++) {
            b->where[edge] = open_count;
            b->open[open_count++] = (uint32_t)edge;
        }
        if (b->where[i] == UINT32_MAX)
            continue;
        take_out(b, (uint32_t)i, &open_count);
        if (open_count == 0)
            continue;
        uint32_t partner = b->open[tacit__random_below(random, open_count)];
        take_out(b, partner, &open_count);
        note_swap(b, list[i].row, list[partner].row);
    }
}

/* ---- a column ---- */

/* Sorted by key within each group; ends[g] is where the group's end. */
static void part_by_group(const ranking *r, rank_bench *b, int64_t count, int64_t *ends)
{
    const tacit__row_groups *groups = &r->groups;
    int64_t start = 0;
    memset(ends, 0, ((size_t)groups->count + 1) * sizeof *ends);
    for (int64_t i = 0; i < count; i++)
        ends[groups->group[b->list[i].row] + 1]++;
    for (uint32_t g = 0; g <= groups->count; g++)
        ends[g] = start += ends[g];
    for (int64_t i = 0; i < count; i++)
        b->spare[ends[groups->group[b->list[i].row]]++] = b->list[i];
    tacit__ranked *kept = b->list;
    b->list = b->spare;
    b->spare = kept;
}

static bool make_bench(rank_bench *b, size_t rows)
{
    if (b->where)
        return true;
    b->list = tacit__alloc_array(rows, sizeof *b->list);
    b->spare = tacit__alloc_array(rows, sizeof *b->spare);
    b->open = tacit__alloc_array(rows, sizeof *b->open);
    b->to = tacit__alloc_array(rows, sizeof *b->to);
    b->from = tacit__alloc_array(rows, sizeof *b->from);
    b->cells = tacit__alloc_array(rows, sizeof *b->cells);
    b->where = tacit__alloc_array(rows, sizeof *b->where);
    return b->list && b->spare && b->open && b->to && b->from && b->cells && b->where;
}

static tacit_status swap_column_by_rank(void *context, int64_t task, int worker, tacit_error *err)
{
    ranking *r = context;
    rank_bench *b = &r->benches[worker];
    int32_t index = r->call->values[RANK_COLUMNS].columns[task];
    int64_t count = 0, start = 0;
    int64_t *ends = tacit__alloc_array((size_t)r->groups.count + 1, sizeof *ends);
    tacit__random random;
    tacit__call_random(&random, r->call, 0, (uint32_t)task);
    b->swapped = 0;
    tacit_status status =
        ends && make_bench(b, (size_t)r->sheet->rows) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = rank_keys(b->list, &count, r->sheet, index, &r->ordering, r->call, err);
    if (status == TACIT_OK) {
        tacit__rank_sort(b->list, b->spare, count);
        part_by_group(r, b, count, ends);
    }
    for (uint32_t g = 0; status == TACIT_OK && g < r->groups.count; start = ends[g++]) {
        tacit__ranked *list = b->list + start;
        int64_t size = ends[g] - start;
        int64_t window = (int64_t)floor((double)size * r->call->values[RANK_PERCENT].number / 100);
        shuffle_ties(list, size, &random);
        pair_up(b, list, size, window, &random);
    }
    if (status == TACIT_OK)
        tacit__cells_move(&r->sheet->columns[index], b->to, b->from, b->swapped, b->cells);
    tacit__free(ends);
    atomic_fetch_add(&r->swapped, b->swapped);
    atomic_fetch_add(&r->kept, count - b->swapped);
    return status;
}

static tacit_status swap_columns_by_rank(ranking *r, tacit_error *err)
{
    int workers = tacit__threads(r->sheet->run);
    r->benches = tacit__alloc_zeroed((size_t)workers, sizeof *r->benches);
    if (!r->benches)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(r->sheet->run, "swapping by rank",
                                          (int64_t)r->call->values[RANK_COLUMNS].text_count,
                                          swap_column_by_rank, r, err);
    for (int i = 0; i < workers; i++) {
        tacit__free(r->benches[i].list);
        tacit__free(r->benches[i].spare);
        tacit__free(r->benches[i].open);
        tacit__free(r->benches[i].where);
        tacit__free(r->benches[i].to);
        tacit__free(r->benches[i].from);
        tacit__free(r->benches[i].cells);
    }
    tacit__free(r->benches);
    return status;
}

/* ---- the step ---- */

static tacit_status report_ranks(const ranking *r, tacit_error *err)
{
    const tacit__runner_call *call = r->call;
    if (r->swapped == 0 && r->kept > (int64_t)call->values[RANK_COLUMNS].text_count)
        return tacit__call_error(call, &call->values[RANK_PERCENT], err,
                                 "%g percent of the values%s are less than one rank, so that none "
                                 "would be swapped",
                                 call->values[RANK_PERCENT].number,
                                 call->values[RANK_WITHIN].given ? " of a group" : "");
    tacit_status status = tacit__note(call, "cells_swapped", (double)r->swapped, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_kept", (double)r->kept, err);
    if (status == TACIT_OK)
        status = tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_VALUES},
                              &call->values[RANK_COLUMNS], &call->values[RANK_WITHIN], err);
    return status;
}

static tacit_status apply_rank_swap(tacit__sheet *sheet, const tacit__runner_call *call,
                                    tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[RANK_COLUMNS],
                              *within = &call->values[RANK_WITHIN];
    ranking r = {.call = call, .sheet = sheet};
    r.ordering = (value_order){.order = &call->values[RANK_ORDER],
                               .by_text = call->values[RANK_AS].choice == 1,
                               .keep_others = call->keep_others};
    bool numbers = !r.ordering.by_text && !r.ordering.order->given;
    tacit_status status =
        numbers ? tacit__call_numbers(sheet, call, columns, err)
                : tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK)
        status = tacit__row_groups_init(&r.groups, sheet, within->columns, within->text_count, err);
    if (status == TACIT_OK)
        status = swap_columns_by_rank(&r, err);
    if (status == TACIT_OK)
        status = report_ranks(&r, err);
    tacit__row_groups_clear(&r.groups);
    return status;
}

const tacit_technique tacit__technique_rank_swap = {
    .name = "rank-swap",
    .summary = "values swapped with others that are close in rank",
    .effect = "values stand in other rows than their own: the step keeps the distribution of each "
              "column, and associations with other columns tend to be weaker",
    .options = RANK_OPTIONS,
    .code =
        &(const struct tacit__technique_code){.apply = apply_rank_swap, .check = check_rank_swap},
};
