/*
 * add.c - additional tuples (Figure 17, "add tuples"): rows that are nobody's, among which the real
 * ones are hidden, with chosen proportions as they are.
 *
 * A new row starts from a real one, chosen such that the values of `columns`, and the combinations
 * of `joint`, stay in proportion (balance.c); it takes these over. Every other cell comes from a
 * donor drawn from the rows that have the same of them, or from all where these are fewer than k,
 * and no two neighbouring cells from the same donor: nobody is copied whole. New rows stand at
 * random among the others, and have nothing of the columns of `blank`.
 *
 * Linear in rows and cells.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/swap/exchange.h"
#include "techniques/tuples/balance.h"

enum { COLUMNS, JOINT, SHARE, ROWS, BLANK, K };

enum { DRAW_BASES, DRAW_PLACES, DRAW_DONORS };

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns whose values stay in proportion, each by itself",
                 .required = true},
    [JOINT] = {.name = "joint",
               .sort = TACIT_TECHNIQUE_COLUMNS,
               .help = "columns whose combinations stay in proportion"},
    [SHARE] = {.name = "share",
               .sort = TACIT_TECHNIQUE_NUMBER,
               .help = "how many rows are added, as a share of those there are",
               .least = 0,
               .most = 100},
    [ROWS] = {.name = "rows",
              .sort = TACIT_TECHNIQUE_INTEGER,
              .help = "how many rows are added",
              .least = 0,
              .most = (double)TACIT_MAX_ROWS},
    [BLANK] = {.name = "blank",
               .sort = TACIT_TECHNIQUE_COLUMNS,
               .help = "columns that are empty in the new rows, such as identifiers"},
    [K] = {.name = "k",
           .sort = TACIT_TECHNIQUE_INTEGER,
           .help = "donors are rows of the same combination where there are k, else any",
           .least = 2,
           .most = 1000000,
           .usual = 3},
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
    tacit__margin *margins;
    size_t margin_count;
    uint32_t *bases;  /* of each new row, as rows were before */
    uint32_t *places; /* of each new row among all */
    uint32_t *now;    /* where each row from before is */
} adding;

static tacit_status check(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[SHARE].given == values[ROWS].given)
        return tacit__call_error(call, NULL, err, "how many rows is one of `share` and `rows`");
    tacit_status status = tacit__call_apart(call, COLUMNS, BLANK, err);
    return status == TACIT_OK ? tacit__call_apart(call, JOINT, BLANK, err) : status;
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
        if (names_column(&values[COLUMNS], i) || names_column(&values[JOINT], i))
            a->copied[a->copied_count++] = i;
    a->given_count = a->copied_count;
    for (int32_t i = 0; i < count; i++)
        if (!names_column(&values[COLUMNS], i) && !names_column(&values[JOINT], i) &&
            !names_column(&values[BLANK], i))
            a->copied[a->given_count++] = i;
    return tacit__sheet_load(a->sheet, a->copied, a->given_count, err);
}

/* ---- bases ---- */

static tacit_status find_margin(tacit__margin *margin, const uint32_t *codes, uint32_t count,
                                tacit_error *err)
{
    *margin = (tacit__margin){codes, count, tacit__alloc_zeroed(count, sizeof *margin->excess)};
    return margin->excess ? TACIT_OK : tacit__nomem(err);
}

static tacit_status find_margins(adding *a, tacit_error *err)
{
    const tacit__runner_value *columns = &a->call->values[COLUMNS],
                              *joint = &a->call->values[JOINT];
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
        tacit__balance(order, a->rows, a->added % a->rows, a->margins, a->margin_count, &random);
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
    if ((double)count < a->call->values[K].number) {
        rows = a->alike.rows;
        count = a->rows;
    }
    uint32_t donor;
    do
        donor = rows[tacit__random_below(random, (uint32_t)count)];
    while (donor == last && count > 1);
    return donor;
}

static void put(const adding *a, int32_t index, uint32_t to, uint32_t from)
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
            put(a, a->copied[c], a->places[i], base);
        for (size_t c = a->copied_count; c < a->given_count; c++) {
            donor = draw_donor(a, base, donor, &random);
            put(a, a->copied[c], a->places[i], donor);
        }
    }
    return TACIT_OK;
}

/* ---- the step ---- */

static tacit_status report(const adding *a, tacit_error *err)
{
    const tacit__runner_call *call = a->call;
    double all = (double)(a->rows + a->added), off = 0, joint = 0;
    for (size_t m = 0; m < a->margin_count; m++) {
        double *most = m < call->values[COLUMNS].text_count ? &off : &joint;
        *most = fmax(*most, tacit__margin_error(&a->margins[m]));
    }
    tacit_status status = tacit__note(call, "rows_added", (double)a->added, err);
    if (status == TACIT_OK && call->values[JOINT].given)
        status = tacit__note(call, "joint_share_change", all > 0 ? joint / all : 0, err);
    if (status == TACIT_OK)
        status = tacit__claim(
            call,
            (tacit_kept){.kind = TACIT_KEPT_SHARES, .amount = all > 0 ? (off + 1e-6) / all : 0},
            &call->values[COLUMNS], NULL, err);
    return status;
}

static tacit_status count_added(adding *a, tacit_error *err)
{
    const tacit__runner_value *values = a->call->values;
    a->rows = a->sheet->rows;
    a->added = values[ROWS].given ? (int64_t)values[ROWS].number
                                  : (int64_t)round(values[SHARE].number * (double)a->rows);
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
    for (size_t i = 0; a->categories && i < a->call->values[COLUMNS].text_count; i++)
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

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
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
        status = report(&a, err);
    clear(&a);
    return status;
}

const tacit_technique tacit__add = {
    .name = "add",
    .summary = "made-up rows that keep chosen proportions",
    .options = OPTIONS,
    .features = TACIT_TECHNIQUE_OF_TUPLES,
    .code = &(const struct tacit__technique_code){.apply = apply, .check = check},
};
