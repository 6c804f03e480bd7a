/*
 * json.c - a report for machines: its facts as a tree that jansson keeps, in the order in which
 * names came.
 *
 * A path is walked from the root, and objects on the way are made; a fact that is there already is
 * replaced. Each fact costs its depth. The first failure ends it: a report is whole or refused.
 */
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report/facts.h"
#include "report/markup.h"

/* A place in the tree: what holds the fact, and the name of the fact in it. */
typedef struct json_place {
    json_t *holder;
    tacit_strview name;
} json_place;

/* The member of that name, made by `make` where there is none; NULL: out of memory. */
static json_t *member(json_place at, json_t *(*make)(void))
{
    json_t *found = json_object_getn(at.holder, at.name.bytes, at.name.len);
    if (found)
        return found;
    json_t *made = make();
    return made && json_object_setn_new(at.holder, at.name.bytes, at.name.len, made) == 0 ? made
                                                                                          : NULL;
}

/* Where a path leads, in a list to its last item; the holder is NULL when memory ran out. */
static json_place walk(json_t *root, const char *path)
{
    json_place at = {.holder = root};
    for (const char *dot; at.holder && (dot = strchr(path, '.')); path = dot + 1) {
        at.name = (tacit_strview){path, (size_t)(dot - path)};
        at.holder = member(at, json_object);
        if (json_is_array(at.holder))
            at.holder = json_array_get(at.holder, json_array_size(at.holder) - 1);
    }
    at.name = tacit_strview_of(path);
    assert(!at.holder || json_is_object(at.holder));
    return at;
}

static json_t *text_value(tacit_strview text)
{
    tacit__strbuf clean = {0};
    tacit__utf8_add(&clean, text);
    json_t *value = clean.failed ? NULL : json_stringn(clean.len ? clean.bytes : "", clean.len);
    tacit__strbuf_clear(&clean);
    return value;
}

static json_t *real_value(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *list_value(const report_cell *cell)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < cell->count; i++)
        if (json_array_append_new(list, cell->type == REPORT_CELL_INTEGERS
                                            ? json_integer(cell->of.integers[i])
                                            : text_value(cell->of.texts[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *cell_value(const report_cell *cell)
{
    switch (cell->type) {
    case REPORT_CELL_TEXT: return text_value(cell->of.text);
    case REPORT_CELL_INTEGER: return json_integer(cell->of.integer);
    case REPORT_CELL_REAL: return real_value(cell->of.real);
    case REPORT_CELL_BOOL: return json_boolean(cell->of.integer);
    case REPORT_CELL_INTEGERS:
    case REPORT_CELL_TEXTS: return list_value(cell);
    case REPORT_CELL_NONE: break;
    }
    return NULL;
}

/* Objects, one for each row; false when out of memory. */
static bool add_json_row(json_t *list, const report_grid *grid, const report_cell *cells)
{
    json_t *object = json_object();
    if (!object || json_array_append_new(list, object) != 0)
        return false;
    for (int i = 0; i < grid->table.column_count; i++) {
        const tacit_report_column *column = &grid->table.columns[i];
        if (!report_column_shown(column, TACIT_SHOW_JSON) || cells[i].type == REPORT_CELL_NONE)
            continue;
        json_place at = walk(object, column->key);
        if (!at.holder ||
            json_object_setn_new(at.holder, at.name.bytes, at.name.len, cell_value(&cells[i])) != 0)
            return false;
    }
    return true;
}

static bool add_rows(json_place at, const report_grid *grid)
{
    json_t *list = member(at, json_array);
    size_t rows = report_grid_rows(grid, 0), columns = (size_t)grid->table.column_count;
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < rows; i++)
        ok = add_json_row(list, grid, grid->cells + i * columns);
    return ok;
}

static json_t *fact_value(const report_fact *fact)
{
    switch (fact->type) {
    case REPORT_INTEGER: return json_integer(fact->integer);
    case REPORT_REAL: return real_value(fact->real);
    case REPORT_BOOL: return json_boolean(fact->integer);
    default: return text_value(fact->text);
    }
}

static bool add_below(json_place at, const report_fact *fact)
{
    json_t *object = member(at, json_object);
    tacit__strbuf clean = {0};
    tacit__utf8_add(&clean, fact->key);
    bool ok = object && !clean.failed &&
              json_object_setn_new(object, clean.len ? clean.bytes : "", clean.len,
                                   fact_value(fact)) == 0;
    tacit__strbuf_clear(&clean);
    return ok;
}

static bool add_json_fact(json_t *root, const report_fact *fact)
{
    json_place at = walk(root, fact->name);
    if (!at.holder)
        return false;
    if (fact->type == REPORT_TABLE)
        return add_rows(at, fact->grid);
    if (fact->type == REPORT_LIST)
        return member(at, json_array) != NULL;
    if (fact->type == REPORT_ITEM) {
        json_t *list = member(at, json_array);
        return list && json_array_append_new(list, json_object()) == 0;
    }
    if (fact->key.bytes)
        return add_below(at, fact);
    if (fact->pushed) {
        json_t *list = member(at, json_array);
        return list && json_array_append_new(list, fact_value(fact)) == 0;
    }
    return json_object_setn_new(at.holder, at.name.bytes, at.name.len, fact_value(fact)) == 0;
}

static int append(const char *bytes, size_t len, void *buffer)
{
    tacit__strbuf *text = buffer;
    tacit__strbuf_add(text, bytes, len);
    return text->failed ? -1 : 0;
}

static tacit_status render_json(char **out, const tacit_report *report, unsigned where,
                                tacit_error *err)
{
    json_t *root = json_object();
    bool ok = root && !report->failed;
    for (size_t i = 0; ok && i < report->count; i++)
        if (report->facts[i].name && report->facts[i].where & where)
            ok = add_json_fact(root, &report->facts[i]);
    tacit__strbuf text = {0};
    if (!ok || json_dump_callback(root, append, &text, JSON_INDENT(2) | JSON_REAL_PRECISION(12)))
        text.failed = true;
    tacit__strbuf_text(&text, "\n");
    json_decref(root);
    return report_give(out, &text, err);
}

tacit_status tacit_report_json(char **out, const tacit_report *report, tacit_error *err)
{
    return render_json(out, report, TACIT_SHOW_JSON, err);
}

tacit_status tacit_report_statement_json(char **out, const tacit_report *report, tacit_error *err)
{
    return render_json(out, report, TACIT_SHOW_STATEMENT, err);
}
