/*
 * substitute.c - substitution of a value by one of its equivalence class (Figure 17).
 *
 * Classes are those of a file, or the values that stand together in the rows that agree in other
 * columns. What is drawn from are the entries of a class: its values, each with the weight one, or
 * with the number of rows that have it, so that values are about as frequent afterwards as before.
 * A value may draw itself, unless another one is asked for.
 *
 * A pass over the rows for each column, a draw by bisection.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/map.h"
#include "techniques/categories/classes.h"
#include "techniques/categories/urns.h"
#include "techniques/swap/exchange.h"

enum { COLUMNS, CLASSES, WITHIN, DRAW, ANOTHER };

enum { FREQUENCY, UNIFORM };

static const char *const DRAWS[] = {"frequency", "uniform", NULL};

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns whose values are substituted",
                 .required = true},
    [CLASSES] = {.name = "classes",
                 .sort = TACIT_TECHNIQUE_FILE,
                 .help = "a file with a value and its class in each line"},
    [WITHIN] = {.name = "within",
                .sort = TACIT_TECHNIQUE_COLUMNS,
                .help = "a class are the values of rows that agree in these columns"},
    [DRAW] = {.name = "draw",
              .sort = TACIT_TECHNIQUE_CHOICE,
              .help = "how likely each value of a class is: as it is frequent, or as any other",
              .choices = DRAWS},
    [ANOTHER] = {.name = "another",
                 .sort = TACIT_TECHNIQUE_SWITCH,
                 .help = "never the value itself, where its class has another one"},
    {.name = NULL},
};

typedef struct substituting {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__sheet_column *column;
    uint32_t place; /* of the column among those of the step */
    tacit__urns urns;
    atomic_int_fast64_t changed;
} substituting;

static tacit_status check(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[CLASSES].given == values[WITHIN].given)
        return tacit__call_error(call, NULL, err,
                                 "classes are given by a file, `classes`, or by columns, `within`");
    return tacit__call_apart(call, COLUMNS, WITHIN, err);
}

/* ---- classes by other columns ---- */

/* Entries are the pairs of a group and a value that occur, numbered by their first rows. Empty
 * cells make entries of no weight, which nobody draws. */
static void fill_by_columns(substituting *s, const tacit__categories *categories,
                            const tacit__row_groups *groups, const uint32_t *numbers)
{
    bool uniform = s->call->values[DRAW].choice == UNIFORM;
    for (int64_t row = 0; row < s->sheet->rows; row++) {
        tacit__urn_entry *entry = &s->urns.entries[numbers[row]];
        bool empty = categories->codes[row] == categories->count;
        entry->class = groups->group[row];
        entry->cell = tacit__cell_get(s->column, row);
        entry->weight = empty ? 0 : uniform ? 1 : entry->weight + 1;
        s->urns.entry_of[row] = empty ? TACIT__NO_ENTRY : numbers[row];
    }
}

static tacit_status urns_by_columns(substituting *s, const tacit__categories *categories,
                                    const tacit__row_groups *groups, tacit_error *err)
{
    int64_t rows = s->sheet->rows;
    uint32_t distinct = 0;
    uint32_t *numbers = tacit__alloc_array((size_t)rows, sizeof *numbers);
    for (int64_t row = 0; numbers && row < rows; row++)
        numbers[row] = groups->group[row];
    tacit_status status =
        numbers && tacit__numbering_pairs(numbers, &distinct, categories->codes, rows)
            ? TACIT_OK
            : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__urns_init(&s->urns, rows, distinct, groups->count, err);
    if (status == TACIT_OK)
        fill_by_columns(s, categories, groups, numbers);
    tacit__free(numbers);
    return status;
}

/* ---- classes of a file ---- */

static tacit_status not_classed(const substituting *s, tacit_strview text, tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(s->call, &s->call->values[CLASSES], err,
                             "column %.64s has %s which has no class; leave such "
                             "values as they are with `others: keep`",
                             s->column->name, shown.text);
}

/* Entries are the file's values, those that the column has with its cell. */
static tacit_status name_entries(substituting *s, const tacit__value_classes *classes,
                                 tacit_error *err)
{
    bool uniform = s->call->values[DRAW].choice == UNIFORM;
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < classes->count; i++) {
        tacit__urn_entry *entry = &s->urns.entries[i];
        *entry = (tacit__urn_entry){.class = classes->list[i].class, .weight = uniform};
        entry->cell.number = tacit__decimal_read(classes->list[i].value);
        if (uniform) /* may be drawn though no row has it */
            status = tacit__sheet_text(&entry->cell.mark, s->sheet, s->column,
                                       classes->list[i].value, err);
    }
    return status;
}

/* The entry of each code. */
static tacit_status find_entries(uint32_t *entries, substituting *s,
                                 const tacit__categories *categories,
                                 const tacit__value_classes *classes, tacit_error *err)
{
    size_t size = tacit__sheet_longest(s->sheet, s->column);
    char *buffer = tacit__alloc(size);
    tacit_status status = buffer ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(s->sheet, s->column, categories->firsts[code], buffer, size);
        entries[code] = tacit__value_classes_find(classes, text);
        if (entries[code] != UINT32_MAX)
            s->urns.entries[entries[code]].cell = categories->cells[code];
        else if (!s->call->keep_others)
            status = not_classed(s, text, err);
    }
    tacit__free(buffer);
    return status;
}

static tacit_status urns_by_file(substituting *s, const tacit__categories *categories,
                                 const tacit__value_classes *classes, tacit_error *err)
{
    bool uniform = s->call->values[DRAW].choice == UNIFORM;
    tacit_status status =
        tacit__urns_init(&s->urns, s->sheet->rows, classes->count, classes->class_count, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *entries = tacit__alloc_array((size_t)categories->count + 1, sizeof *entries);
    status = entries ? name_entries(s, classes, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_entries(entries, s, categories, classes, err);
    if (status == TACIT_OK)
        entries[categories->count] = TACIT__NO_ENTRY;
    for (int64_t row = 0; status == TACIT_OK && row < s->sheet->rows; row++) {
        uint32_t entry = entries[categories->codes[row]];
        s->urns.entry_of[row] = entry;
        if (entry != TACIT__NO_ENTRY && !uniform)
            s->urns.entries[entry].weight++;
    }
    tacit__free(entries);
    return status;
}

/* ---- drawing ---- */

static tacit_status draw_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    substituting *s = context;
    bool another = s->call->values[ANOTHER].number != 0;
    int64_t changed = 0;
    tacit__random random;
    (void)worker, (void)err;
    tacit__call_random(&random, s->call, (uint8_t)(s->place % 256),
                       s->place / 256 << 20 | (uint32_t)stretch);
    for (int64_t row = from; row < to; row++) {
        uint32_t entry = s->urns.entry_of[row];
        if (entry == TACIT__NO_ENTRY)
            continue;
        uint32_t drawn = tacit__urns_draw(&s->urns, entry, another, &random);
        if (drawn == entry)
            continue;
        tacit__cell_put(s->column, row, s->urns.entries[drawn].cell);
        changed++;
    }
    atomic_fetch_add(&s->changed, changed);
    return TACIT_OK;
}

static tacit_status substitute_column(substituting *s, int32_t column,
                                      const tacit__row_groups *groups,
                                      const tacit__value_classes *classes, tacit_error *err)
{
    tacit__categories categories;
    tacit_status status = tacit__categories_init(&categories, s->sheet, column, err);
    if (status != TACIT_OK)
        return status;
    status = s->call->values[WITHIN].given ? urns_by_columns(s, &categories, groups, err)
                                           : urns_by_file(s, &categories, classes, err);
    if (status == TACIT_OK)
        status = tacit__urns_finish(&s->urns, s->sheet->rows, err);
    if (status == TACIT_OK)
        status = tacit__stretches(s->sheet, "substituting", draw_stretch, s, err);
    if (status == TACIT_OK)
        status = tacit__note(s->call, "cells_changed", (double)s->changed, err);
    tacit__urns_clear(&s->urns);
    tacit__categories_clear(&categories);
    return status;
}

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[COLUMNS], *within = &call->values[WITHIN];
    tacit__row_groups groups = {0};
    tacit__value_classes classes = {0};
    tacit_status status = tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK && within->given)
        status = tacit__row_groups_init(&groups, sheet, within->columns, within->text_count, err);
    if (status == TACIT_OK && !within->given)
        status = tacit__value_classes_read(&classes, call, &call->values[CLASSES], err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        substituting s = {.call = call, .sheet = sheet, .place = (uint32_t)i};
        s.column = &sheet->columns[columns->columns[i]];
        status = substitute_column(&s, columns->columns[i], &groups, &classes, err);
    }
    tacit__row_groups_clear(&groups);
    tacit__value_classes_clear(&classes);
    return status;
}

const tacit_technique tacit__substitute = {
    .name = "substitute",
    .summary = "values substituted by others of their equivalence class",
    .options = OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply, .check = check},
};
