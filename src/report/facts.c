/*
 * facts.c - a report as it is filled: facts behind each other, texts in an arena.
 *
 * Where a fact is shown is settled when it comes: what its kind is for, less what
 * tacit_report_show() leaves out. Linear in what is added.
 */
#include "report/facts.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"

tacit_status tacit_report_new(tacit_report **out, const char *title, tacit_error *err)
{
    tacit_report *report = tacit__alloc_zeroed(1, sizeof *report);
    if (!report)
        return tacit__nomem(err);
    report->where = report->limit = TACIT_SHOW_ALL;
    report->title = tacit__arena_copy(&report->arena, tacit_strview_of(title)).bytes;
    if (!report->title) {
        tacit_report_free(report);
        return tacit__nomem(err);
    }
    *out = report;
    return TACIT_OK;
}

void tacit_report_free(tacit_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->count; i++)
        if (report->facts[i].grid)
            tacit__free(report->facts[i].grid->cells);
    tacit__free(report->facts);
    tacit__arena_clear(&report->arena);
    tacit__free(report);
}

unsigned tacit_report_show(tacit_report *report, unsigned where)
{
    unsigned before = report->where;
    report->where = where;
    return before;
}

unsigned tacit_report_narrow(tacit_report *report, unsigned where)
{
    return tacit_report_show(report, report->where & where);
}

void tacit_report_fail(tacit_report *report)
{
    report->failed = true;
}

void tacit_report_limit(tacit_report *report, unsigned where)
{
    report->limit = where;
}

bool tacit_report_shows(const tacit_report *report, unsigned where)
{
    return (report->where & report->limit & where) != 0;
}

void tacit_report_enter(tacit_report *report, const char *name)
{
    size_t len = strlen(report->prefix);
    assert(report->depth < REPORT_MAX_DEPTH && len + strlen(name) + 2 <= sizeof report->prefix);
    report->entered[report->depth++] = len;
    snprintf(report->prefix + len, sizeof report->prefix - len, "%s.", name);
}

void tacit_report_leave(tacit_report *report)
{
    assert(report->depth > 0);
    report->prefix[report->entered[--report->depth]] = '\0';
}

/* ---- adding ---- */

static tacit_strview keep(tacit_report *report, tacit_strview text)
{
    tacit_strview kept = tacit__arena_copy(&report->arena, text);
    report->failed |= !kept.bytes;
    return kept;
}

static const char *keep_path(tacit_report *report, const char *name)
{
    char path[2 * REPORT_MAX_PATH];
    int len = snprintf(path, sizeof path, "%s%s", report->prefix, name);
    assert(len > 0 && len < (int)sizeof path);
    return keep(report, (tacit_strview){path, (size_t)len}).bytes;
}

static void add(tacit_report *report, report_fact fact)
{
    fact.where &= report->where & report->limit;
    if (report->failed || (!fact.where && fact.type != REPORT_TABLE)) /* which takes its cells */
        return;
    if (!TACIT__PUSH(report->facts, report->capacity, report->count, fact))
        report->failed = true;
}

static void add_value(tacit_report *report, const char *name, report_fact fact)
{
    fact.where = TACIT_SHOW_JSON | TACIT_SHOW_STATEMENT;
    fact.name = keep_path(report, name);
    add(report, fact);
}

void tacit_report_integer(tacit_report *report, const char *name, int64_t value)
{
    add_value(report, name, (report_fact){.type = REPORT_INTEGER, .integer = value});
}

void tacit_report_real(tacit_report *report, const char *name, double value)
{
    add_value(report, name, (report_fact){.type = REPORT_REAL, .real = value});
}

void tacit_report_bool(tacit_report *report, const char *name, bool value)
{
    add_value(report, name, (report_fact){.type = REPORT_BOOL, .integer = value});
}

void tacit_report_view(tacit_report *report, const char *name, tacit_strview value)
{
    tacit_strview text = keep(report, value);
    add_value(report, name, (report_fact){.type = REPORT_TEXT, .text = text});
}

void tacit_report_text(tacit_report *report, const char *name, const char *value)
{
    tacit_report_view(report, name, tacit_strview_of(value));
}

void tacit_report_integer_in(tacit_report *report, const char *name, tacit_strview key,
                             int64_t value)
{
    report_fact fact = {.type = REPORT_INTEGER, .integer = value, .key = keep(report, key)};
    add_value(report, name, fact);
}

void tacit_report_list(tacit_report *report, const char *name)
{
    add_value(report, name, (report_fact){.type = REPORT_LIST});
}

void tacit_report_push_integer(tacit_report *report, const char *name, int64_t value)
{
    add_value(report, name,
              (report_fact){.type = REPORT_INTEGER, .integer = value, .pushed = true});
}

void tacit_report_push_text(tacit_report *report, const char *name, tacit_strview value)
{
    tacit_strview text = keep(report, value);
    add_value(report, name, (report_fact){.type = REPORT_TEXT, .text = text, .pushed = true});
}

void tacit_report_item(tacit_report *report, const char *name)
{
    add_value(report, name, (report_fact){.type = REPORT_ITEM});
    tacit_report_enter(report, name);
}

static report_fact read_field(const tacit_field *field, const void *subject)
{
    const char *at = (const char *)subject + field->offset;
    switch (field->type) {
    case TACIT_FIELD_BOOL: return (report_fact){.type = REPORT_BOOL, .integer = *(const bool *)at};
    case TACIT_FIELD_INT32:
        return (report_fact){.type = REPORT_INTEGER, .integer = *(const int32_t *)at};
    case TACIT_FIELD_INT64:
        return (report_fact){.type = REPORT_INTEGER, .integer = *(const int64_t *)at};
    case TACIT_FIELD_DOUBLE: break;
    }
    return (report_fact){.type = REPORT_REAL, .real = *(const double *)at};
}

void tacit_report_fields(tacit_report *report, const tacit_field *fields, size_t count,
                         const void *subject)
{
    for (size_t i = 0; i < count; i++) {
        report_fact fact = read_field(&fields[i], subject);
        fact.where = fields[i].label ? TACIT_SHOW_JSON | TACIT_SHOW_PAGE : TACIT_SHOW_JSON;
        fact.name = keep_path(report, fields[i].name);
        fact.label = fields[i].label;
        fact.decimals = fields[i].decimals;
        fact.percent = fields[i].percent;
        add(report, fact);
    }
}

void tacit_report_object(tacit_report *report, const char *name, const tacit_field *fields,
                         size_t count, const void *subject)
{
    tacit_report_enter(report, name);
    tacit_report_fields(report, fields, count, subject);
    tacit_report_leave(report);
}

/* ---- sentences ---- */

static void add_sentence(tacit_report *report, report_fact fact, const char *format,
                         va_list arguments)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    fact.text = keep(report, tacit_strview_of(text));
    if (fact.label)
        fact.label = keep(report, tacit_strview_of(fact.label)).bytes;
    add(report, fact);
}

/* A function that takes a format and adds a sentence of a kind that is shown in so many places. */
#define SENTENCE(...)                                                        \
    do {                                                                     \
        va_list arguments;                                                   \
        va_start(arguments, format);                                         \
        add_sentence(report, (report_fact){__VA_ARGS__}, format, arguments); \
        va_end(arguments);                                                   \
    } while (0)

void tacit_report_title(tacit_report *report, const char *format, ...)
{
    SENTENCE(.type = REPORT_TITLE, .where = TACIT_SHOW_TEXT | TACIT_SHOW_STATEMENT);
}

void tacit_report_line(tacit_report *report, const char *label, const char *format, ...)
{
    SENTENCE(.type = REPORT_LINE, .where = TACIT_SHOW_TEXT | TACIT_SHOW_PAGE | TACIT_SHOW_STATEMENT,
             .label = label);
}

void tacit_report_verdict(tacit_report *report, bool good, const char *label, const char *format,
                          ...)
{
    SENTENCE(.type = REPORT_VERDICT, .where = TACIT_SHOW_TEXT | TACIT_SHOW_PAGE, .label = label,
             .good = good);
}

void tacit_report_note(tacit_report *report, const char *format, ...)
{
    SENTENCE(.type = REPORT_NOTE, .where = TACIT_SHOW_TEXT);
}

void tacit_report_paragraph(tacit_report *report, const char *format, ...)
{
    SENTENCE(.type = REPORT_PARAGRAPH, .where = TACIT_SHOW_PAGE | TACIT_SHOW_STATEMENT);
}

void tacit_report_tile(tacit_report *report, const char *name, const char *format, ...)
{
    SENTENCE(.type = REPORT_TILE, .where = TACIT_SHOW_PAGE, .label = name);
}

void tacit_report_gap(tacit_report *report)
{
    add(report, (report_fact){.type = REPORT_GAP, .where = TACIT_SHOW_TEXT});
}

void tacit_report_section(tacit_report *report, const char *title)
{
    tacit_strview text = keep(report, tacit_strview_of(title));
    add(report, (report_fact){.type = REPORT_SECTION,
                              .where = TACIT_SHOW_PAGE | TACIT_SHOW_STATEMENT,
                              .text = text});
}

void tacit_report_drawing(tacit_report *report, tacit_draw_fn draw, const void *subject)
{
    add(report,
        (report_fact){
            .type = REPORT_DRAWING, .where = TACIT_SHOW_PAGE, .draw = draw, .subject = subject});
}

/* ---- tables ---- */

static const tacit_report_column *keep_columns(tacit_report *report,
                                               const tacit_report_table *table)
{
    size_t count = (size_t)table->column_count;
    tacit_report_column *kept = tacit__arena_alloc(&report->arena, count * sizeof *kept);
    report->failed |= !kept;
    for (size_t i = 0; kept && i < count; i++) {
        kept[i] = table->columns[i];
        if (kept[i].heading)
            kept[i].heading = keep(report, tacit_strview_of(kept[i].heading)).bytes;
    }
    return kept;
}

void tacit_report_begin(tacit_report *report, const tacit_report_table *table)
{
    report_grid *grid = tacit__arena_alloc(&report->arena, sizeof *grid);
    if (!grid) {
        report->failed = true;
        return;
    }
    *grid = (report_grid){.table = *table};
    grid->table.columns = keep_columns(report, table);
    report_fact fact = {.type = REPORT_TABLE, .grid = grid};
    if (table->name) {
        fact.where |= TACIT_SHOW_JSON;
        fact.name = keep_path(report, table->name);
    }
    fact.where |= (table->printed ? TACIT_SHOW_TEXT : 0U) | (table->title ? TACIT_SHOW_PAGE : 0U);
    if (table->title)
        grid->table.title = keep(report, tacit_strview_of(table->title)).bytes;
    add(report, fact);
}

/* The table that cells go to; NULL: it is shown nowhere. */
static report_grid *open_table(const tacit_report *report)
{
    if (report->failed)
        return NULL;
    const report_fact *last = &report->facts[report->count - 1];
    assert(report->count > 0 && last->type == REPORT_TABLE);
    return last->where ? last->grid : NULL;
}

static void add_facts_cell(tacit_report *report, report_cell cell)
{
    report_grid *grid = open_table(report);
    if (grid && !TACIT__PUSH(grid->cells, grid->capacity, grid->count, cell))
        report->failed = true;
}

void tacit_report_cell_view(tacit_report *report, tacit_strview text)
{
    if (!open_table(report))
        return;
    tacit_strview kept = keep(report, text);
    add_facts_cell(report, (report_cell){.type = REPORT_CELL_TEXT, .of.text = kept});
}

void tacit_report_cell(tacit_report *report, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tacit_report_cell_view(report, tacit_strview_of(text));
}

void tacit_report_cell_integer(tacit_report *report, int64_t value)
{
    add_facts_cell(report, (report_cell){.type = REPORT_CELL_INTEGER, .of.integer = value});
}

void tacit_report_cell_real(tacit_report *report, double value)
{
    add_facts_cell(report, (report_cell){.type = REPORT_CELL_REAL, .of.real = value});
}

void tacit_report_cell_bool(tacit_report *report, bool value)
{
    add_facts_cell(report, (report_cell){.type = REPORT_CELL_BOOL, .of.integer = value});
}

void tacit_report_cell_none(tacit_report *report)
{
    add_facts_cell(report, (report_cell){.type = REPORT_CELL_NONE});
}

void tacit_report_cell_integers(tacit_report *report, const int64_t *values, size_t count)
{
    if (!open_table(report))
        return;
    int64_t *kept = tacit__arena_alloc(&report->arena, count * sizeof *kept);
    report->failed |= !kept;
    if (kept && count)
        memcpy(kept, values, count * sizeof *kept);
    add_facts_cell(
        report, (report_cell){.type = REPORT_CELL_INTEGERS, .count = count, .of.integers = kept});
}

void tacit_report_cell_texts(tacit_report *report, const tacit_strview *values, size_t count)
{
    if (!open_table(report))
        return;
    tacit_strview *kept = tacit__arena_alloc(&report->arena, count * sizeof *kept);
    report->failed |= !kept;
    for (size_t i = 0; kept && i < count; i++)
        kept[i] = keep(report, values[i]);
    add_facts_cell(report,
                   (report_cell){.type = REPORT_CELL_TEXTS, .count = count, .of.texts = kept});
}

/* ---- for renderers ---- */

size_t report_grid_rows(const report_grid *grid, int max)
{
    size_t columns = (size_t)grid->table.column_count, rows = grid->count / columns;
    assert(grid->count % columns == 0);
    return max > 0 && rows > (size_t)max ? (size_t)max : rows;
}

bool report_column_shown(const tacit_report_column *column, unsigned where)
{
    if (column->where && !(column->where & where))
        return false;
    return where == TACIT_SHOW_JSON ? column->key : column->heading;
}

static const char *print_number(char buffer[REPORT_MAX_CELL], const tacit_report_column *column,
                                double value)
{
    double scaled = value * (column->scale != 0 ? column->scale : 1);
    if (!column->format || !isfinite(value))
        return tacit_number_text(buffer, REPORT_MAX_CELL, scaled, column->decimals);
        /* A format of the program's own, for one double: the header of the column says so. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(buffer, REPORT_MAX_CELL, column->format, scaled);
#pragma GCC diagnostic pop
    return buffer;
}

const char *report_cell_print(char buffer[REPORT_MAX_CELL], const tacit_report_column *column,
                              const report_cell *cell)
{
    switch (cell->type) {
    case REPORT_CELL_TEXT:
        return tacit_printable(buffer, REPORT_MAX_CELL, cell->of.text.bytes, cell->of.text.len);
    case REPORT_CELL_INTEGER: return print_number(buffer, column, (double)cell->of.integer);
    case REPORT_CELL_REAL: return print_number(buffer, column, cell->of.real);
    case REPORT_CELL_BOOL: return cell->of.integer ? "yes" : "no";
    case REPORT_CELL_NONE: return column->none ? column->none : "";
    case REPORT_CELL_INTEGERS:
    case REPORT_CELL_TEXTS: break;
    }
    return "";
}

tacit_status report_give(char **out, tacit__strbuf *text, tacit_error *err)
{
    if (text->failed) {
        tacit__strbuf_clear(text);
        return tacit__nomem(err);
    }
    *out = text->bytes;
    return TACIT_OK;
}

/* ---- for callers ---- */

size_t tacit_report_count(const tacit_report *report)
{
    return report->count;
}

const char *tacit_report_name(const tacit_report *report, size_t index)
{
    const char *name = report->facts[index].name;
    return name ? name : "";
}

const char *tacit_report_label(const tacit_report *report, size_t index)
{
    const char *label = report->facts[index].label;
    return label ? label : "";
}

const char *tacit_report_sentence(const tacit_report *report, size_t index)
{
    const char *text = report->facts[index].text.bytes;
    return text ? text : "";
}

bool tacit_report_number(double *out, const tacit_report *report, size_t index)
{
    const report_fact *fact = &report->facts[index];
    if (fact->type != REPORT_INTEGER && fact->type != REPORT_REAL)
        return false;
    *out = fact->type == REPORT_REAL ? fact->real : (double)fact->integer;
    return true;
}
