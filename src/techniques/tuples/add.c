/*
 * add.c - additional tuples (Figure 17, "add tuples"): rows that are nobody's, among which the real
 * ones are hidden, with chosen proportions as they are.
 *
 * A new row starts from a real one, chosen such that the values of `columns`, and the combinations
 * of `joint`, stay in proportion; it takes these over. Every other cell comes from a donor drawn
 * from the rows that have the same of them, or from all where these are fewer than k, and no two
 * neighbouring cells from the same donor: nobody is copied whole. New rows stand at random among
 * the others, and have nothing of the columns of `blank`.
 *
 * Of n rows in the order of their combinations every n/m-th is chosen, from a random start, so that
 * each combination has its share but for less than one row. What this leaves of a column by itself
 * adds up over combinations; it is mended by exchanges of a chosen row for another one, drawn by
 * chance, wherever that lessens the sum of squares, until no value is off by a row or a number of
 * draws in proportion to the rows and values has been made.
 *
 * Linear in rows and cells.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/runner/technique.h"
#include "techniques/swap/exchange.h"

/* A column's values, or combinations of several, of which each is to have its share. */
typedef struct margin_counts {
    const uint32_t *codes; /* a row each */
    uint32_t count;        /* codes are below */
    double *excess;        /* of each code: how many rows more than its share are chosen */
} margin_counts;

enum { DRAWS_A_ROW = 16, DRAWS_A_VALUE = 256 };

typedef struct balancing {
    uint32_t *order;
    int64_t rows, count;
    margin_counts *margins;
    size_t margin_count;
    int64_t wide; /* values that are off by a row or more */
} balancing;

static bool is_wide(double excess)
{
    return fabs(excess) >= 1;
}

/* Chosen rows go to the front; which row is where behind them does not matter. */
static void choose_evenly(balancing *b, tacit__random *random)
{
    double step = (double)b->rows / (double)b->count, start = tacit__random_unit(random);
    for (int64_t i = 0; i < b->count; i++) {
        int64_t at = (int64_t)floor(((double)i + start) * step);
        at = at < b->rows ? at : b->rows - 1;
        tacit__trade(b->order, i, at < i ? i : at);
    }
}

static void count_excess(balancing *b)
{
    double share = (double)b->count / (double)b->rows;
    for (size_t m = 0; m < b->margin_count; m++) {
        margin_counts *margin = &b->margins[m];
        for (uint32_t code = 0; code < margin->count; code++)
            margin->excess[code] = 0;
        for (int64_t i = 0; i < b->rows; i++)
            margin->excess[margin->codes[b->order[i]]] += (i < b->count) - share;
        for (uint32_t code = 0; code < margin->count; code++)
            b->wide += is_wide(margin->excess[code]);
    }
}

/* By how much an exchange changes half the sum of squares. */
static double gain(const balancing *b, uint32_t out, uint32_t in)
{
    double change = 0;
    for (size_t m = 0; m < b->margin_count; m++) {
        const margin_counts *margin = &b->margins[m];
        uint32_t from = margin->codes[out], to = margin->codes[in];
        if (from != to)
            change += margin->excess[to] - margin->excess[from] + 1;
    }
    return -change;
}

static void add(balancing *b, double *excess, double change)
{
    b->wide -= is_wide(*excess);
    *excess += change;
    b->wide += is_wide(*excess);
}

static void exchange(balancing *b, int64_t out, int64_t in)
{
    for (size_t m = 0; m < b->margin_count; m++) {
        margin_counts *margin = &b->margins[m];
        add(b, &margin->excess[margin->codes[b->order[out]]], -1);
        add(b, &margin->excess[margin->codes[b->order[in]]], 1);
    }
    tacit__trade(b->order, out, in);
}

static void mend(balancing *b, tacit__random *random)
{
    int64_t draws = DRAWS_A_ROW * b->count, others = b->rows - b->count;
    for (size_t m = 0; m < b->margin_count; m++)
        draws += DRAWS_A_VALUE * (int64_t)b->margins[m].count;
    for (; draws > 0 && b->wide > 0 && others > 0; draws--) {
        int64_t out = tacit__random_below(random, (uint32_t)b->count);
        int64_t in = b->count + tacit__random_below(random, (uint32_t)others);
        if (gain(b, b->order[out], b->order[in]) > 1e-9)
            exchange(b, out, in);
    }
}

/* Chooses so many of all rows by chance. order has all rows, those that agree in every margin next
 * to each other; in the end the chosen ones are in front. excess is filled in. */
static void balance(uint32_t *order, int64_t rows, int64_t count, margin_counts *margins,
                    size_t margin_count, tacit__random *random)
{
    balancing b = {order, rows, count, margins, margin_count, 0};
    if (count > 0)
        choose_evenly(&b, random);
    if (rows > 0)
        count_excess(&b);
    if (count > 0)
        mend(&b, random);
}

/* The largest excess of a margin, or the largest lack. */
static double margin_error(const margin_counts *margin)
{
    double most = 0;
    for (uint32_t code = 0; code < margin->count; code++)
        most = fmax(most, fabs(margin->excess[code]));
    return most;
}

enum { ADD_COLUMNS, ADD_JOINT, ADD_SHARE, ADD_ROWS, ADD_BLANK, ADD_K };

enum { DRAW_BASES, DRAW_PLACES, DRAW_DONORS };

static const tacit_technique_option ADD_OPTIONS[] = {
    [ADD_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                     .help = "columns whose values stay in proportion, each by itself",
                     .required = true},
    [ADD_JOINT] = {"joint", TACIT_TECHNIQUE_COLUMNS,
                   .help = "columns whose combinations stay in proportion"},
    [ADD_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER,
                   .help = "how many rows are added, as a share of those there are", .least = 0,
                   .most = 100},
    [ADD_ROWS] = {"rows", TACIT_TECHNIQUE_INTEGER, .help = "how many rows are added", .least = 0,
                  .most = (double)TACIT_MAX_ROWS},
    [ADD_BLANK] = {"blank", TACIT_TECHNIQUE_COLUMNS,
                   .help = "columns that are empty in the new rows, such as identifiers"},
    [ADD_K] = {"k", TACIT_TECHNIQUE_INTEGER,
               .help = "donors are rows of the same combination where there are k, else any",
               .least = 2, .most = 1000000, .usual = 3},
    {.name = NULL},
};

typedef struct adding {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    int64_t rows, added;
    int32_t *copied; /* columns that are taken over from the base, then those from donors */
    size_t copied_count, given_count;
    tacit__row_groups alike; /* rows by what is taken over */
    tacit__row_groups joint;
    tacit__categories *categories; /* of each of `columns` */
    margin_counts *margins;
    size_t margin_count;
    uint32_t *bases;  /* of each new row, as rows were before */
    uint32_t *places; /* of each new row among all */
    uint32_t *now;    /* where each row from before is */
} adding;

static tacit_status check_add(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[ADD_SHARE].given == values[ADD_ROWS].given)
        return tacit__call_error(call, NULL, err, "how many rows is one of `share` and `rows`");
    tacit_status status = tacit__call_apart(call, ADD_COLUMNS, ADD_BLANK, err);
    return status == TACIT_OK ? tacit__call_apart(call, ADD_JOINT, ADD_BLANK, err) : status;
}

/* ---- columns ---- */

static bool names_column(const tacit__runner_value *value, int32_t column)
{
    for (size_t i = 0; i < value->text_count; i++)
        if (value->columns[i] == column)
            return true;
    return false;
}

static tacit_status sort_columns(adding *a, tacit_error *err)
{
    const tacit__runner_value *values = a->call->values;
    int32_t count = a->sheet->column_count;
    a->copied = tacit__alloc_array((size_t)count, sizeof *a->copied);
    if (!a->copied)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        if (names_column(&values[ADD_COLUMNS], i) || names_column(&values[ADD_JOINT], i))
            a->copied[a->copied_count++] = i;
    a->given_count = a->copied_count;
    for (int32_t i = 0; i < count; i++)
        if (!names_column(&values[ADD_COLUMNS], i) && !names_column(&values[ADD_JOINT], i) &&
            !names_column(&values[ADD_BLANK], i))
            a->copied[a->given_count++] = i;
    return tacit__sheet_load(a->sheet, a->copied, a->given_count, err);
}

/* ---- bases ---- */

static tacit_status find_margin(margin_counts *margin, const uint32_t *codes, uint32_t count,
                                tacit_error *err)
{
    *margin = (margin_counts){codes, count, tacit__alloc_zeroed(count, sizeof *margin->excess)};
    return margin->excess ? TACIT_OK : tacit__nomem(err);
}

static tacit_status find_margins(adding *a, tacit_error *err)
{
    const tacit__runner_value *columns = &a->call->values[ADD_COLUMNS],
                              *joint = &a->call->values[ADD_JOINT];
    a->categories = tacit__alloc_zeroed(columns->text_count, sizeof *a->categories);
    a->margins = tacit__alloc_zeroed(columns->text_count + 1, sizeof *a->margins);
    tacit_status status = a->categories && a->margins ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        tacit__categories *categories = &a->categories[i];
        status = tacit__categories_init(categories, a->sheet, columns->columns[i], err);
        if (status == TACIT_OK) /* empty is a value here */
            status = find_margin(&a->margins[a->margin_count++], categories->codes,
                                 categories->count + 1, err);
    }
    if (status == TACIT_OK && joint->given) {
        status =
            tacit__row_groups_init(&a->joint, a->sheet, joint->columns, joint->text_count, err);
        if (status == TACIT_OK)
            status =
                find_margin(&a->margins[a->margin_count++], a->joint.group, a->joint.count, err);
    }
    return status;
}

/* All rows as often as they go into the number, and a balanced choice for the rest. */
static tacit_status find_bases(adding *a, tacit_error *err)
{
    uint32_t *order = tacit__alloc_array((size_t)a->rows, sizeof *order);
    a->bases = tacit__alloc_array((size_t)a->added, sizeof *a->bases);
    if (!order || !a->bases) {
        tacit__free(order);
        return tacit__nomem(err);
    }
    tacit__random random;
    tacit__call_random(&random, a->call, DRAW_BASES, 0);
    memcpy(order, a->alike.rows, (size_t)a->rows * sizeof *order);
    for (uint32_t g = 0; g < a->alike.count; g++)
        tacit__shuffle_list(order + a->alike.starts[g], a->alike.starts[g + 1] - a->alike.starts[g],
                            &random);
    if (a->rows > 0)
        balance(order, a->rows, a->added % a->rows, a->margins, a->margin_count, &random);
    for (int64_t i = 0; i < a->added; i++)
        a->bases[i] = order[i % a->rows];
    tacit__shuffle_list(a->bases, a->added, &random);
    tacit__free(order);
    return TACIT_OK;
}

/* ---- places ---- */

/* Every place is as likely to be a new row's; the others keep their order. */
static tacit_status place(adding *a, tacit_error *err)
{
    int64_t all = a->rows + a->added, old = 0, new = 0;
    uint32_t *from = tacit__alloc_array((size_t)all, sizeof *from);
    a->places = tacit__alloc_array((size_t)a->added, sizeof *a->places);
    a->now = tacit__alloc_array((size_t)a->rows, sizeof *a->now);
    if (!from || !a->places || !a->now) {
        tacit__free(from);
        return tacit__nomem(err);
    }
    tacit__random random;
    tacit__call_random(&random, a->call, DRAW_PLACES, 0);
    for (int64_t i = 0; i < all; i++) {
        if (tacit__random_below(&random, (uint32_t)(all - i)) < (uint32_t)(a->added - new)) {
            a->places[new ++] = (uint32_t)i;
            from[i] = TACIT__NO_ORIGIN;
        } else {
            a->now[old] = (uint32_t)i;
            from[i] = (uint32_t)old++;
        }
    }
    tacit_status status = tacit__sheet_take_rows(a->sheet, from, all, err);
    tacit__free(from);
    return status;
}

/* ---- donors ---- */

/* A row like the base or any row, but not the last one again. */
static uint32_t draw_donor(const adding *a, uint32_t base, uint32_t last, tacit__random *random)
{
    const uint32_t *rows = a->alike.rows + a->alike.starts[a->alike.group[base]];
    int64_t count =
        a->alike.starts[a->alike.group[base] + 1] - a->alike.starts[a->alike.group[base]];
    if ((double)count < a->call->values[ADD_K].number) {
        rows = a->alike.rows;
        count = a->rows;
    }
    uint32_t donor;
    do
        donor = rows[tacit__random_below(random, (uint32_t)count)];
    while (donor == last && count > 1);
    return donor;
}

static void put_cell(const adding *a, int32_t index, uint32_t to, uint32_t from)
{
    tacit__sheet_column *column = &a->sheet->columns[index];
    tacit__cell_put(column, to, tacit__cell_get(column, a->now[from]));
}

static tacit_status fill_stretch(void *context, int64_t task, int worker, tacit_error *err)
{
    const adding *a = context;
    int64_t from = task * TACIT__STRETCH, to = from + TACIT__STRETCH;
    tacit__random random;
    (void)worker, (void)err;
    tacit__call_random(&random, a->call, DRAW_DONORS, (uint32_t)task);
    for (int64_t i = from; i < to && i < a->added; i++) {
        uint32_t base = a->bases[i], donor = base;
        for (size_t c = 0; c < a->copied_count; c++)
            put_cell(a, a->copied[c], a->places[i], base);
        for (size_t c = a->copied_count; c < a->given_count; c++) {
            donor = draw_donor(a, base, donor, &random);
            put_cell(a, a->copied[c], a->places[i], donor);
        }
    }
    return TACIT_OK;
}

/* ---- the step ---- */

static tacit_status report_added(const adding *a, tacit_error *err)
{
    const tacit__runner_call *call = a->call;
    double all = (double)(a->rows + a->added), off = 0, joint = 0;
    for (size_t m = 0; m < a->margin_count; m++) {
        double *most = m < call->values[ADD_COLUMNS].text_count ? &off : &joint;
        *most = fmax(*most, margin_error(&a->margins[m]));
    }
    tacit_status status = tacit__note(call, "rows_added", (double)a->added, err);
    if (status == TACIT_OK && call->values[ADD_JOINT].given)
        status = tacit__note(call, "joint_share_change", all > 0 ? joint / all : 0, err);
    if (status == TACIT_OK)
        status = tacit__claim(
            call,
            (tacit_kept){.kind = TACIT_KEPT_SHARES, .amount = all > 0 ? (off + 1e-6) / all : 0},
            &call->values[ADD_COLUMNS], NULL, err);
    return status;
}

static tacit_status count_added(adding *a, tacit_error *err)
{
    const tacit__runner_value *values = a->call->values;
    a->rows = a->sheet->rows;
    a->added = values[ADD_ROWS].given ? (int64_t)values[ADD_ROWS].number
                                      : (int64_t)round(values[ADD_SHARE].number * (double)a->rows);
    if (a->added > 0 && a->rows < 2)
        return tacit__call_error(a->call, NULL, err,
                                 "of one row or none no others can be made: they would be copies");
    if (a->added > TACIT_MAX_ROWS - a->rows)
        return tacit__call_error(a->call, NULL, err, "a table has at most %lld rows",
                                 (long long)TACIT_MAX_ROWS);
    return TACIT_OK;
}

static void clear(adding *a)
{
    for (size_t i = 0; a->categories && i < a->call->values[ADD_COLUMNS].text_count; i++)
        tacit__categories_clear(&a->categories[i]);
    for (size_t m = 0; m < a->margin_count; m++)
        tacit__free(a->margins[m].excess);
    tacit__row_groups_clear(&a->alike);
    tacit__row_groups_clear(&a->joint);
    tacit__free(a->copied);
    tacit__free(a->categories);
    tacit__free(a->margins);
    tacit__free(a->bases);
    tacit__free(a->places);
    tacit__free(a->now);
}

static tacit_status apply_add(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    adding a = {.call = call, .sheet = sheet};
    tacit_status status = count_added(&a, err);
    if (status == TACIT_OK)
        status = sort_columns(&a, err);
    if (status == TACIT_OK)
        status = tacit__row_groups_init(&a.alike, sheet, a.copied, a.copied_count, err);
    if (status == TACIT_OK)
        status = find_margins(&a, err);
    if (status == TACIT_OK)
        status = find_bases(&a, err);
    if (status == TACIT_OK)
        status = place(&a, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(sheet->run, "adding rows",
                            (a.added + TACIT__STRETCH - 1) / TACIT__STRETCH, fill_stretch, &a, err);
    if (status == TACIT_OK)
        status = report_added(&a, err);
    clear(&a);
    return status;
}

const tacit_technique tacit__technique_add = {
    .name = "add",
    .summary = "made-up rows that keep chosen proportions",
    .effect = "some rows are made up, so that counts and sums are not those of the data, and no "
              "single row can be relied on",
    .options = ADD_OPTIONS,
    .features = TACIT_TECHNIQUE_OF_TUPLES,
    .code = &(const struct tacit__technique_code){.apply = apply_add, .check = check_add},
};
