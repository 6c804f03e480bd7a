/*
 * pram.c - post-randomization (PRAM): categories become others by chance, with probabilities that
 * recipients may be told, so that they can reckon with them (Gouweleeuw, Kooiman, Willenborg and de
 * Wolf, Post randomisation for statistical disclosure control, 1998).
 *
 * Here cells become states and groups get the lists of theirs; pram_draw.c draws. Columns are coded
 * side by side, rows drawn in stretches. Empty cells stay empty.
 */
#include "techniques/categories/pram.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"

enum { COLUMNS, KEEP, MATRIX, WAY, WITHIN };

static const char *const WAYS[] = {"plain", "invariant", "exact", NULL};

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns of categories",
                 .required = true},
    [KEEP] = {.name = "keep",
              .sort = TACIT_TECHNIQUE_NUMBER,
              .help = "the probability that a value is not drawn anew",
              .most = 1,
              .usual = 0.8},
    [MATRIX] = {.name = "matrix",
                .sort = TACIT_TECHNIQUE_FILE,
                .help = "in place of keep: a CSV file of probabilities, a row and a column for "
                        "each category"},
    [WAY] = {.name = "way",
             .sort = TACIT_TECHNIQUE_CHOICE,
             .help = "as the probabilities say, such that the distribution is expected to stay, or "
                     "such that it does",
             .choices = WAYS},
    [WITHIN] = {.name = "within",
                .sort = TACIT_TECHNIQUE_COLUMNS,
                .help = "values are drawn from rows that agree in these columns"},
    {.name = NULL},
};

static tacit_status check(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[MATRIX].given && values[KEEP].given)
        return tacit__call_error(call, &values[MATRIX], err, "either keep or matrix, not both");
    if (values[MATRIX].given && values[WITHIN].given && values[WAY].choice == TACIT__PRAM_PLAIN)
        return tacit__call_error(
            call, &values[WITHIN], err,
            "a matrix by itself draws alike in all groups; take way: invariant "
            "or exact, or leave out within");
    for (size_t i = 0; i < values[WITHIN].text_count; i++)
        for (size_t j = 0; j < values[COLUMNS].text_count; j++)
            if (strcmp(values[WITHIN].texts[i], values[COLUMNS].texts[j]) == 0)
                return tacit__call_error(call, &values[WITHIN], err,
                                         "column %.64s cannot be drawn within itself",
                                         values[WITHIN].texts[i]);
    if (!values[MATRIX].given)
        return TACIT_OK;
    tacit__transition matrix = {0};
    tacit_status status = tacit__transition_read(&matrix, values[MATRIX].texts[0], err);
    tacit__transition_clear(&matrix);
    return status;
}

/* What the columns of a step share. */
typedef struct job {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    const tacit__runner_value *columns;
    tacit__transition matrix;
    double *sums; /* of its rows */
    tacit__row_groups groups;
    tacit__categories *categories; /* of each column */
    int64_t changed;
} job;

/* ---- states ---- */

static tacit_status code_column(void *context, int64_t task, int worker, tacit_error *err)
{
    const job *j = context;
    (void)worker;
    return tacit__categories_init(&j->categories[task], j->sheet, j->columns->columns[task], err);
}

static tacit_status unknown(const job *j, const tacit__pram *p, tacit_strview text,
                            tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(j->call, &j->call->values[MATRIX], err,
                             "column %.64s has %s which the matrix does not have", p->column->name,
                             shown.text);
}

/* The matrix's place of each code. */
static tacit_status find_places(uint32_t *places, const tacit__pram *p,
                                const tacit__categories *categories, const job *j, tacit_error *err)
{
    size_t size = tacit__sheet_longest(j->sheet, p->column);
    char *buffer = tacit__alloc(size);
    tacit_status status = buffer ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(j->sheet, p->column, categories->firsts[code], buffer, size);
        places[code] = tacit__transition_find(&j->matrix, text);
        if (places[code] == UINT32_MAX)
            status = unknown(j, p, text, err);
        else
            p->cells[places[code]] = categories->cells[code];
    }
    tacit__free(buffer);
    return status;
}

/* Cells for categories that the matrix has and the column does not. */
static tacit_status make_cells(tacit__pram *p, const job *j, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < p->state_count; i++)
        p->cells[i] = (tacit__cell){0, NAN};
    for (uint32_t i = 0; p->way == TACIT__PRAM_PLAIN && status == TACIT_OK && i < p->state_count;
         i++) {
        status =
            tacit__sheet_text(&p->cells[i].mark, j->sheet, p->column, j->matrix.labels[i], err);
        p->cells[i].number = tacit__decimal_read(j->matrix.labels[i]);
    }
    return status;
}

/* States become places of the matrix; the codes' own cells stay in use where there are such. */
static tacit_status place_states(tacit__pram *p, const tacit__categories *categories, const job *j,
                                 tacit_error *err)
{
    uint32_t *places = tacit__alloc_array((size_t)categories->count + 1, sizeof *places);
    p->cells = tacit__alloc_array(p->state_count, sizeof *p->cells);
    tacit_status status = places && p->cells ? make_cells(p, j, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_places(places, p, categories, j, err);
    for (int64_t row = 0; status == TACIT_OK && row < j->sheet->rows; row++)
        p->states[row] = categories->codes[row] == categories->count
                             ? TACIT__PRAM_EMPTY
                             : places[categories->codes[row]];
    tacit__free(places);
    return status;
}

static tacit_status make_states(tacit__pram *p, tacit__categories *categories, const job *j,
                                tacit_error *err)
{
    p->state_count = p->matrix ? p->matrix->count : categories->count;
    p->states = tacit__alloc_array((size_t)j->sheet->rows, sizeof *p->states);
    if (!p->states)
        return tacit__nomem(err);
    if (p->matrix)
        return place_states(p, categories, j, err);
    for (int64_t row = 0; row < j->sheet->rows; row++)
        p->states[row] = categories->codes[row] == categories->count ? TACIT__PRAM_EMPTY
                                                                     : categories->codes[row];
    p->cells = categories->cells;
    categories->cells = NULL;
    return TACIT_OK;
}

/* ---- lists of the groups' states ---- */

/* Fills the lists; last has, for each state, the last group that has it, plus 1, and at where. */
static void fill_list(tacit__pram *p, uint32_t *last, int64_t *at)
{
    tacit__pram_list *list = &p->list;
    int64_t used = 0;
    for (uint32_t group = 0; group < p->groups->count; group++) {
        int64_t first = used;
        list->starts[group] = used;
        for (int64_t i = p->groups->starts[group]; i < p->groups->starts[group + 1]; i++) {
            uint32_t state = p->states[p->groups->rows[i]];
            if (state == TACIT__PRAM_EMPTY)
                continue;
            if (last[state] != group + 1) {
                last[state] = group + 1;
                at[state] = used;
                list->states[used] = state;
                list->upto[used++] = 0;
            }
            list->upto[at[state]]++;
        }
        for (int64_t i = first + 1; i < used; i++)
            list->upto[i] += list->upto[i - 1];
    }
    list->starts[p->groups->count] = used;
}

/* A group has no more states than there are, or than it has rows. */
static size_t list_room(const tacit__pram *p)
{
    size_t room = 0;
    for (uint32_t group = 0; group < p->groups->count; group++) {
        size_t rows = (size_t)(p->groups->starts[group + 1] - p->groups->starts[group]);
        room += rows < p->state_count ? rows : p->state_count;
    }
    return room;
}

static tacit_status make_list(tacit__pram *p, tacit_error *err)
{
    size_t room = list_room(p);
    uint32_t *last = tacit__alloc_zeroed(p->state_count, sizeof *last);
    int64_t *at = tacit__alloc_array(p->state_count, sizeof *at);
    p->list.starts = tacit__alloc_array((size_t)p->groups->count + 1, sizeof *p->list.starts);
    p->list.states = tacit__alloc_array(room, sizeof *p->list.states);
    p->list.upto = tacit__alloc_array(room, sizeof *p->list.upto);
    bool whole = last && at && p->list.starts && p->list.states && p->list.upto;
    if (whole)
        fill_list(p, last, at);
    tacit__free(last);
    tacit__free(at);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* ---- the technique ---- */

static tacit_status draw_column(job *j, size_t i, tacit_error *err)
{
    tacit__pram p = {
        .call = j->call,
        .sheet = j->sheet,
        .column = &j->sheet->columns[j->columns->columns[i]],
        .place = (uint32_t)i,
        .way = (tacit__pram_way)j->call->values[WAY].choice,
        .keep = j->call->values[KEEP].number,
        .matrix = j->sums ? &j->matrix : NULL,
        .sums = j->sums,
        .groups = &j->groups,
    };
    tacit_status status = make_states(&p, &j->categories[i], j, err);
    tacit__categories_clear(&j->categories[i]);
    if (status == TACIT_OK && p.way != TACIT__PRAM_EXACT)
        status = make_list(&p, err);
    if (status == TACIT_OK)
        status = tacit__pram_draw(&p, err);
    j->changed += p.changed;
    tacit__free(p.states);
    tacit__free(p.cells);
    tacit__free(p.list.starts);
    tacit__free(p.list.states);
    tacit__free(p.list.upto);
    return status;
}

static tacit_status sum_matrix(job *j, tacit_error *err)
{
    size_t count = j->matrix.count;
    j->sums = tacit__alloc_array(count * count, sizeof *j->sums);
    if (!j->sums)
        return tacit__nomem(err);
    for (size_t i = 0; i < count * count; i++)
        j->sums[i] = j->matrix.shares[i] + (i % count ? j->sums[i - 1] : 0);
    return TACIT_OK;
}

static tacit_status prepare(job *j, tacit_error *err)
{
    const tacit__runner_value *within = &j->call->values[WITHIN];
    size_t count = j->columns->text_count;
    j->categories = tacit__alloc_zeroed(count, sizeof *j->categories);
    tacit_status status = j->categories ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && j->call->values[MATRIX].given) {
        status = tacit__transition_read(&j->matrix, j->call->values[MATRIX].texts[0], err);
        if (status == TACIT_OK)
            status = sum_matrix(j, err);
    }
    if (status == TACIT_OK)
        status =
            tacit__row_groups_init(&j->groups, j->sheet, within->columns, within->text_count, err);
    if (status == TACIT_OK)
        status = tacit__sheet_load(j->sheet, j->columns->columns, count, err);
    if (status == TACIT_OK)
        status = tacit__parallel(j->sheet->run, "finding categories", (int64_t)count, code_column,
                                 j, err);
    return status;
}

/* Counts of an invariant draw are sums of independent draws, expected to be what they were: by
 * Hoeffding's inequality one is further off than 3.5 roots of the rows once in 2e10 times. */
static tacit_status claim(const job *j, tacit_error *err)
{
    const tacit__runner_value *within = &j->call->values[WITHIN];
    tacit_kept kept = {.kind = TACIT_KEPT_VALUES};
    int way = j->call->values[WAY].choice;
    if (way == TACIT__PRAM_EXACT)
        return tacit__claim(j->call, kept, j->columns, within->given ? within : NULL, err);
    if (way != TACIT__PRAM_INVARIANT || j->sheet->rows == 0)
        return TACIT_OK;
    kept.kind = TACIT_KEPT_SHARES;
    kept.amount = fmin(1, 3.5 / sqrt((double)j->sheet->rows));
    return tacit__claim(j->call, kept, j->columns, NULL, err);
}

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    job j = {.call = call, .sheet = sheet, .columns = &call->values[COLUMNS]};
    tacit_status status = prepare(&j, err);
    for (size_t i = 0; status == TACIT_OK && i < j.columns->text_count; i++)
        status = draw_column(&j, i, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)j.changed, err);
    if (status == TACIT_OK)
        status = claim(&j, err);
    for (size_t i = 0; j.categories && i < j.columns->text_count; i++)
        tacit__categories_clear(&j.categories[i]);
    tacit__free(j.categories);
    tacit__free(j.sums);
    tacit__transition_clear(&j.matrix);
    tacit__row_groups_clear(&j.groups);
    return status;
}

const tacit_technique tacit__pram_technique = {
    .name = "pram",
    .summary = "categories that become others by chance",
    .options = OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply, .check = check},
};
