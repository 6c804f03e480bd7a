/*
 * substitute.c - substitution of a value by one of its equivalence class (Figure 17).
 *
 * Classes are those of a file, a value and its class in each line, or the values that stand
 * together in the rows that agree in other columns. What is drawn from are the entries of a class:
 * its values, each with the weight one, or with the number of rows that have it, so that values are
 * about as frequent afterwards as before. Entries stand class by class with running sums of their
 * weights, so that a draw is a number below the sum of the class, looked up by bisection. A value
 * may draw itself, unless another one is asked for.
 *
 * A pass over the rows for each column.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/map.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/swap/exchange.h"

typedef struct classed_value {
    tacit_strview value; /* borrowed from the file */
    uint32_t class;
} classed_value;

typedef struct value_classes {
    tacit_table *table;  /* the file */
    classed_value *list; /* in the order of their bytes, each value once */
    uint32_t count;
    uint32_t class_count;
} value_classes;

/* A row that keeps its value. */
#define NO_ENTRY UINT32_MAX

typedef struct urn_entry {
    tacit__cell cell;
    uint32_t class;
    int64_t weight;
} urn_entry;

typedef struct urn_set {
    uint32_t *entry_of; /* of each row, or NO_ENTRY */
    urn_entry *entries;
    uint32_t count, class_count;
    int64_t *before;  /* weights of the entries before each; one more */
    uint32_t *starts; /* of each class among the entries; one more */
} urn_set;

static int compare_classed(const void *a, const void *b)
{
    return tacit__compare_texts(((const classed_value *)a)->value,
                                ((const classed_value *)b)->value);
}

/* Sorts the list and drops what is said twice. */
static tacit_status sort_list(value_classes *classes, tacit_error *err)
{
    uint32_t left = 0;
    qsort(classes->list, classes->count, sizeof *classes->list, compare_classed);
    for (uint32_t i = 0; i < classes->count; i++) {
        const classed_value *each = &classes->list[i];
        if (left == 0 || compare_classed(&classes->list[left - 1], each) != 0) {
            classes->list[left++] = *each;
        } else if (classes->list[left - 1].class != each->class) {
            tacit__shown shown = tacit__show(each->value);
            return tacit__error(err, TACIT_INVALID, "%s: the value \"%s\" is in two classes",
                                tacit_table_file(classes->table), shown.text);
        }
    }
    classes->count = left;
    return TACIT_OK;
}

static tacit_status list_classes(value_classes *classes, tacit_error *err)
{
    const tacit_table *table = classes->table;
    int64_t rows = tacit_table_rows(table);
    if (tacit_table_columns(table) != 2)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table), 1, 0,
                               "classes are a value and its class in each line, not %d cells",
                               (int)tacit_table_columns(table));
    classes->list = tacit__alloc_array((size_t)rows, sizeof *classes->list);
    if (!classes->list)
        return tacit__nomem(err);
    classes->class_count = tacit_table_distinct(table, 1);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t value = tacit_codes_at(tacit_table_codes(table, 0), row);
        uint32_t class = tacit_codes_at(tacit_table_codes(table, 1), row);
        if (value == tacit_table_distinct(table, 0) || class == classes->class_count)
            return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table),
                                   tacit_table_line(table, row), 0,
                                   "classes are a value and its class in each line");
        classes->list[classes->count++] =
            (classed_value){tacit_table_value(table, 0, value), class};
    }
    return sort_list(classes, err);
}

static void clear_classes(value_classes *classes)
{
    tacit_table_free(classes->table);
    tacit__free(classes->list);
    *classes = (value_classes){0};
}

/* Reads "value;class" lines, without a header; the delimiter may be another. */
static tacit_status read_classes(value_classes *classes, const tacit__runner_call *call,
                                 const tacit__runner_value *file, tacit_error *err)
{
    tacit_csv_options options;
    *classes = (value_classes){0};
    tacit_csv_options_init(&options);
    options.no_header = true;
    tacit_status status =
        tacit_table_read(&classes->table, file->texts[0], &options, call->run, err);
    if (status == TACIT_OK)
        status = list_classes(classes, err);
    if (status != TACIT_OK)
        clear_classes(classes);
    return status;
}

/* The value's place in the list, or UINT32_MAX. */
static uint32_t find_class(const value_classes *classes, tacit_strview value)
{
    classed_value wanted = {value, 0};
    const classed_value *found = classes->count ? bsearch(&wanted, classes->list, classes->count,
                                                          sizeof wanted, compare_classed)
                                                : NULL;
    return found ? (uint32_t)(found - classes->list) : UINT32_MAX;
}

static void clear_urns(urn_set *urns)
{
    tacit__free(urns->entry_of);
    tacit__free(urns->entries);
    tacit__free(urns->before);
    tacit__free(urns->starts);
    *urns = (urn_set){0};
}

/* Room for so many entries, of weight 0. */
static tacit_status init_urns(urn_set *urns, int64_t rows, uint32_t entries, uint32_t classes,
                              tacit_error *err)
{
    urn_set u = {.count = entries, .class_count = classes};
    u.entry_of = tacit__alloc_array((size_t)rows, sizeof *u.entry_of);
    u.entries = tacit__alloc_zeroed(entries, sizeof *u.entries);
    u.before = tacit__alloc_array((size_t)entries + 1, sizeof *u.before);
    u.starts = tacit__alloc_zeroed((size_t)classes + 2, sizeof *u.starts);
    if (!u.entry_of || !u.entries || !u.before || !u.starts) {
        clear_urns(&u);
        return tacit__nomem(err);
    }
    *urns = u;
    return TACIT_OK;
}

/* Where each entry goes, by counting. */
static void find_entry_places(uint32_t *places, urn_set *urns)
{
    uint32_t *next = urns->starts + 1; /* where the class's next entry goes, once summed up */
    for (uint32_t i = 0; i < urns->count; i++)
        next[urns->entries[i].class + 1]++;
    for (uint32_t class = 0; class < urns->class_count; class ++)
        next[class + 1] += next[class];
    for (uint32_t i = 0; i < urns->count; i++)
        places[i] = next[urns->entries[i].class]++;
}

/* To be called when entries and entry_of are filled in, before any draw. Puts entries class by
 * class, and entry_of after them. */
static tacit_status finish_urns(urn_set *urns, int64_t rows, tacit_error *err)
{
    uint32_t *places = tacit__alloc_array(urns->count, sizeof *places);
    urn_entry *entries = tacit__alloc_array(urns->count, sizeof *entries);
    if (!places || !entries) {
        tacit__free(places);
        tacit__free(entries);
        return tacit__nomem(err);
    }
    find_entry_places(places, urns);
    for (uint32_t i = 0; i < urns->count; i++)
        entries[places[i]] = urns->entries[i];
    for (int64_t row = 0; row < rows; row++)
        if (urns->entry_of[row] != NO_ENTRY)
            urns->entry_of[row] = places[urns->entry_of[row]];
    urns->before[0] = 0;
    for (uint32_t i = 0; i < urns->count; i++)
        urns->before[i + 1] = urns->before[i] + entries[i].weight;
    tacit__free(places);
    tacit__free(urns->entries);
    urns->entries = entries;
    return TACIT_OK;
}

/* Another entry of the entry's class, or itself: as likely as it weighs. With another, itself only
 * where no other one weighs anything. */
static uint32_t draw_entry(const urn_set *urns, uint32_t entry, bool another, tacit__random *random)
{
    const int64_t *before = urns->before;
    uint32_t class = urns->entries[entry].class;
    uint32_t low = urns->starts[class], high = urns->starts[class + 1];
    int64_t own = another ? urns->entries[entry].weight : 0;
    int64_t weight = before[high] - before[low] - own;
    if (weight <= 0)
        return entry;
    int64_t drawn = before[low] + (int64_t)tacit__random_below64(random, (uint64_t)weight);
    if (another && drawn >= before[entry])
        drawn += own;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (before[middle] <= drawn)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum {
    SUBSTITUTE_COLUMNS,
    SUBSTITUTE_CLASSES,
    SUBSTITUTE_WITHIN,
    SUBSTITUTE_DRAW,
    SUBSTITUTE_ANOTHER
};

enum { FREQUENCY, UNIFORM };

static const char *const DRAWS[] = {"frequency", "uniform", NULL};

static const tacit_technique_option SUBSTITUTE_OPTIONS[] = {
    [SUBSTITUTE_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                            .help = "columns whose values are substituted", .required = true},
    [SUBSTITUTE_CLASSES] = {"classes", TACIT_TECHNIQUE_FILE,
                            .help = "a file with a value and its class in each line"},
    [SUBSTITUTE_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                           .help = "a class are the values of rows that agree in these columns"},
    [SUBSTITUTE_DRAW] =
        {"draw", TACIT_TECHNIQUE_CHOICE,
         .help = "how likely each value of a class is: as it is frequent, or as any other",
         .choices = DRAWS},
    [SUBSTITUTE_ANOTHER] = {"another", TACIT_TECHNIQUE_SWITCH,
                            .help = "never the value itself, where its class has another one"},
    {.name = NULL},
};

typedef struct substituting {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__sheet_column *column;
    uint32_t place; /* of the column among those of the step */
    urn_set urns;
    atomic_int_fast64_t changed;
} substituting;

static tacit_status check_substitute(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[SUBSTITUTE_CLASSES].given == values[SUBSTITUTE_WITHIN].given)
        return tacit__call_error(call, NULL, err,
                                 "classes are given by a file, `classes`, or by columns, `within`");
    return tacit__call_apart(call, SUBSTITUTE_COLUMNS, SUBSTITUTE_WITHIN, err);
}

/* ---- classes by other columns ---- */

/* Entries are the pairs of a group and a value that occur, numbered by their first rows. Empty
 * cells make entries of no weight, which nobody draws. */
static void fill_by_columns(substituting *s, const tacit__categories *categories,
                            const tacit__row_groups *groups, const uint32_t *numbers)
{
    bool uniform = s->call->values[SUBSTITUTE_DRAW].choice == UNIFORM;
    for (int64_t row = 0; row < s->sheet->rows; row++) {
        urn_entry *entry = &s->urns.entries[numbers[row]];
        bool empty = categories->codes[row] == categories->count;
        entry->class = groups->group[row];
        entry->cell = tacit__cell_get(s->column, row);
        entry->weight = empty ? 0 : uniform ? 1 : entry->weight + 1;
        s->urns.entry_of[row] = empty ? NO_ENTRY : numbers[row];
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
        status = init_urns(&s->urns, rows, distinct, groups->count, err);
    if (status == TACIT_OK)
        fill_by_columns(s, categories, groups, numbers);
    tacit__free(numbers);
    return status;
}

/* ---- classes of a file ---- */

static tacit_status not_classed(const substituting *s, tacit_strview text, tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(
        s->call, &s->call->values[SUBSTITUTE_CLASSES], err,
        "column %.64s has %s which has no class; leave such values unchanged with `others: keep`",
        s->column->name, shown.text);
}

/* Entries are the file's values, those that the column has with its cell. */
static tacit_status name_entries(substituting *s, const value_classes *classes, tacit_error *err)
{
    bool uniform = s->call->values[SUBSTITUTE_DRAW].choice == UNIFORM;
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < classes->count; i++) {
        urn_entry *entry = &s->urns.entries[i];
        *entry = (urn_entry){.class = classes->list[i].class, .weight = uniform};
        entry->cell.number = tacit__decimal_read(classes->list[i].value);
        if (uniform) /* may be drawn though no row has it */
            status = tacit__sheet_text(&entry->cell.mark, s->sheet, s->column,
                                       classes->list[i].value, err);
    }
    return status;
}

/* The entry of each code. */
static tacit_status find_entries(uint32_t *entries, substituting *s,
                                 const tacit__categories *categories, const value_classes *classes,
                                 tacit_error *err)
{
    size_t size = tacit__sheet_longest(s->sheet, s->column);
    char *buffer = tacit__alloc(size);
    tacit_status status = buffer ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(s->sheet, s->column, categories->firsts[code], buffer, size);
        entries[code] = find_class(classes, text);
        if (entries[code] != UINT32_MAX)
            s->urns.entries[entries[code]].cell = categories->cells[code];
        else if (!s->call->keep_others)
            status = not_classed(s, text, err);
    }
    tacit__free(buffer);
    return status;
}

static tacit_status urns_by_file(substituting *s, const tacit__categories *categories,
                                 const value_classes *classes, tacit_error *err)
{
    bool uniform = s->call->values[SUBSTITUTE_DRAW].choice == UNIFORM;
    tacit_status status =
        init_urns(&s->urns, s->sheet->rows, classes->count, classes->class_count, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *entries = tacit__alloc_array((size_t)categories->count + 1, sizeof *entries);
    status = entries ? name_entries(s, classes, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_entries(entries, s, categories, classes, err);
    if (status == TACIT_OK)
        entries[categories->count] = NO_ENTRY;
    for (int64_t row = 0; status == TACIT_OK && row < s->sheet->rows; row++) {
        uint32_t entry = entries[categories->codes[row]];
        s->urns.entry_of[row] = entry;
        if (entry != NO_ENTRY && !uniform)
            s->urns.entries[entry].weight++;
    }
    tacit__free(entries);
    return status;
}

/* ---- drawing ---- */

static tacit_status substitute_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                       int worker, tacit_error *err)
{
    substituting *s = context;
    bool another = s->call->values[SUBSTITUTE_ANOTHER].number != 0;
    int64_t changed = 0;
    tacit__random random;
    (void)worker, (void)err;
    tacit__call_random(&random, s->call, (uint8_t)(s->place % 256),
                       s->place / 256 << 20 | (uint32_t)stretch);
    for (int64_t row = from; row < to; row++) {
        uint32_t entry = s->urns.entry_of[row];
        if (entry == NO_ENTRY)
            continue;
        uint32_t drawn = draw_entry(&s->urns, entry, another, &random);
        if (drawn == entry)
            continue;
        tacit__cell_put(s->column, row, s->urns.entries[drawn].cell);
        changed++;
    }
    atomic_fetch_add(&s->changed, changed);
    return TACIT_OK;
}

static tacit_status substitute_column(substituting *s, int32_t column,
                                      const tacit__row_groups *groups, const value_classes *classes,
                                      tacit_error *err)
{
    tacit__categories categories;
    tacit_status status = tacit__categories_init(&categories, s->sheet, column, err);
    if (status != TACIT_OK)
        return status;
    status = s->call->values[SUBSTITUTE_WITHIN].given ? urns_by_columns(s, &categories, groups, err)
                                                      : urns_by_file(s, &categories, classes, err);
    if (status == TACIT_OK)
        status = finish_urns(&s->urns, s->sheet->rows, err);
    if (status == TACIT_OK)
        status = tacit__stretches(s->sheet, "substituting", substitute_stretch, s, err);
    if (status == TACIT_OK)
        status = tacit__note(s->call, "cells_changed", (double)s->changed, err);
    clear_urns(&s->urns);
    tacit__categories_clear(&categories);
    return status;
}

static tacit_status apply_substitute(tacit__sheet *sheet, const tacit__runner_call *call,
                                     tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[SUBSTITUTE_COLUMNS],
                              *within = &call->values[SUBSTITUTE_WITHIN];
    tacit__row_groups groups = {0};
    value_classes classes = {0};
    tacit_status status = tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK && within->given)
        status = tacit__row_groups_init(&groups, sheet, within->columns, within->text_count, err);
    if (status == TACIT_OK && !within->given)
        status = read_classes(&classes, call, &call->values[SUBSTITUTE_CLASSES], err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        substituting s = {.call = call, .sheet = sheet, .place = (uint32_t)i};
        s.column = &sheet->columns[columns->columns[i]];
        status = substitute_column(&s, columns->columns[i], &groups, &classes, err);
    }
    tacit__row_groups_clear(&groups);
    clear_classes(&classes);
    return status;
}

const tacit_technique tacit__technique_substitute = {
    .name = "substitute",
    .summary = "values substituted by others of their equivalence class",
    .effect = "single values need not be those of their row; associations with other columns may "
              "be weaker",
    .options = SUBSTITUTE_OPTIONS,
    .code =
        &(const struct tacit__technique_code){.apply = apply_substitute, .check = check_substitute},
};
