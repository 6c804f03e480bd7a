/*
 * scene.c - a release and tables of frequencies as trees and numbers: each column that
 * tables speak of becomes a lineage of the release's values and the tables'; see summary.h.
 */
#include <stdio.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* Files of frequencies, in the two forms of audit_summary.h.
 *
 * The CSV reader has coded the columns already, so a count is read once for each way it is
 * written. */

enum { MAX_DIGITS = 15 }; /* of a count: what sums and programs take without rounding */

/* ---- the form ---- */

typedef struct form {
    int32_t attribute, value, count; /* columns; attribute -1: of combinations */
} form;

static tacit_status read_form(form *out, const tacit_table *file, tacit_error *err)
{
    form f = {tacit_table_find(file, tacit_strview_of("attribute")),
              tacit_table_find(file, tacit_strview_of("value")),
              tacit_table_find(file, tacit_strview_of("count"))};
    int32_t columns = tacit_table_columns(file);
    if (f.count < 0 || columns < 2)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 1, 0,
                               "frequencies are columns attribute,value,count, or columns of "
                               "the release and count");
    if (columns != 3 || f.attribute < 0 || f.value < 0)
        f.attribute = f.value = -1;
    if (columns - 1 > TACIT_SUMMARY_COLUMNS)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 1, 0,
                               "frequencies of more than %d columns are not read",
                               TACIT_SUMMARY_COLUMNS);
    *out = f;
    return TACIT_OK;
}

/* ---- counts ---- */

/* A count, or -1. */
static int64_t count_of(tacit_strview text)
{
    int64_t count = 0;
    if (text.len == 0 || text.len > MAX_DIGITS)
        return -1;
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return -1;
        count = 10 * count + (text.bytes[i] - '0');
    }
    return count;
}

/* The count of every row. */
static tacit_status read_counts(int64_t *counts, const tacit_table *file, int32_t column,
                                tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(file, column);
    tacit_codes_view codes = tacit_table_codes(file, column);
    int64_t *of = tacit__alloc_array((size_t)distinct + 1, sizeof *of);
    tacit_status status = of ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; code <= distinct && of; code++)
        of[code] = code < distinct ? count_of(tacit_table_value(file, column, code)) : -1;
    for (int64_t row = 0; row < tacit_table_rows(file) && status == TACIT_OK; row++) {
        counts[row] = of[tacit_codes_at(codes, row)];
        if (counts[row] < 0)
            status = tacit__error_at(
                err, TACIT_PARSE, tacit_table_file(file), tacit_table_line(file, row), column + 1,
                "a count is a whole number from 0, of at most %d digits", MAX_DIGITS);
    }
    tacit__free(of);
    return status;
}

/* ---- tables ---- */

/* A table with room for so many columns and entries. */
static tacit_status add_table(tacit__frequency_table **out, tacit__frequency_tables *tables,
                              const tacit_table *file, int32_t columns, int64_t entries,
                              tacit_error *err)
{
    if (tables->count == TACIT_SUMMARY_TABLES)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "more than %d tables of frequencies are not read",
                               TACIT_SUMMARY_TABLES);
    if (!TACIT__RESERVE_ONE(tables->list, tables->room, tables->count))
        return tacit__nomem(err);
    tacit__frequency_table *t = &tables->list[tables->count++];
    *t = (tacit__frequency_table){.file = file, .column_count = columns};
    t->columns = tacit__alloc_array((size_t)columns, sizeof *t->columns);
    t->places = tacit__alloc_array((size_t)columns, sizeof *t->places);
    t->rows = tacit__alloc_array((size_t)entries, sizeof *t->rows);
    t->counts = tacit__alloc_array((size_t)entries, sizeof *t->counts);
    *out = t;
    return t->columns && t->places && t->rows && t->counts ? TACIT_OK : tacit__nomem(err);
}

static tacit_status name_table(tacit__frequency_table *t, const char *attribute, tacit_error *err)
{
    char name[512];
    const char *file = tacit_table_file(t->file);
    if (attribute)
        snprintf(name, sizeof name, "%s in %s", attribute, file);
    else
        snprintf(name, sizeof name, "%s", file);
    t->name = tacit__copy_bytes(name, strlen(name));
    return t->name ? TACIT_OK : tacit__nomem(err);
}

/* One table of all rows and columns but the counts. */
static tacit_status read_combinations(tacit__frequency_tables *tables, const tacit_table *file,
                                      const form *f, const int64_t *counts, tacit_error *err)
{
    tacit__frequency_table *t;
    int32_t columns = tacit_table_columns(file), at = 0;
    int64_t rows = tacit_table_rows(file);
    tacit_status status = add_table(&t, tables, file, columns - 1, rows, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t c = 0; c < columns; c++) {
        if (c == f->count)
            continue;
        t->columns[at] = tacit_table_name(file, c);
        t->places[at++] = c;
    }
    for (int64_t row = 0; row < rows; row++) {
        t->rows[row] = row;
        t->counts[row] = counts[row];
    }
    t->entry_count = rows;
    return name_table(t, NULL, err);
}

tacit_strview tacit__cell_value(const tacit_table *file, int32_t column, int64_t row)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(file, column), row);
    if (code == tacit_table_distinct(file, column))
        return (tacit_strview){"", 0};
    return tacit_table_value(file, column, code);
}

/* The rows of one attribute. */
static tacit_status read_attribute(tacit__frequency_tables *tables, const tacit_table *file,
                                   const form *f, const int64_t *counts, uint32_t attribute,
                                   tacit_error *err)
{
    tacit__frequency_table *t;
    tacit_codes_view codes = tacit_table_codes(file, f->attribute);
    int64_t entries = 0;
    for (int64_t row = 0; row < tacit_table_rows(file); row++)
        entries += tacit_codes_at(codes, row) == attribute;
    tacit_status status = add_table(&t, tables, file, 1, entries, err);
    if (status != TACIT_OK)
        return status;
    t->labels = tacit__alloc_array((size_t)entries, sizeof *t->labels);
    if (!t->labels)
        return tacit__nomem(err);
    t->columns[0] = tacit_table_value(file, f->attribute, attribute);
    t->places[0] = f->value;
    for (int64_t row = 0; row < tacit_table_rows(file); row++) {
        if (tacit_codes_at(codes, row) != attribute)
            continue;
        t->labels[t->entry_count] = tacit__cell_value(file, f->value, row);
        t->counts[t->entry_count] = counts[row];
        t->rows[t->entry_count++] = row;
    }
    return name_table(t, tacit__show(t->columns[0]).text, err);
}

static tacit_status read_attributes(tacit__frequency_tables *tables, const tacit_table *file,
                                    const form *f, const int64_t *counts, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (tacit_table_has_missing(file, f->attribute))
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "a row names no attribute");
    for (uint32_t a = 0; a < tacit_table_distinct(file, f->attribute) && status == TACIT_OK; a++)
        status = read_attribute(tables, file, f, counts, a, err);
    return status;
}

tacit_status tacit__frequencies_read(tacit__frequency_tables *tables, const tacit_table *file,
                                     tacit_error *err)
{
    form f;
    tacit_status status = read_form(&f, file, err);
    if (status != TACIT_OK)
        return status;
    int64_t *counts = tacit__alloc_array((size_t)tacit_table_rows(file), sizeof *counts);
    status = counts ? read_counts(counts, file, f.count, err) : tacit__nomem(err);
    if (status == TACIT_OK && f.attribute >= 0)
        status = read_attributes(tables, file, &f, counts, err);
    else if (status == TACIT_OK)
        status = read_combinations(tables, file, &f, counts, err);
    tacit__free(counts);
    return status;
}

void tacit__frequencies_clear(tacit__frequency_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        tacit__free(tables->list[i].name);
        tacit__free(tables->list[i].columns);
        tacit__free(tables->list[i].places);
        tacit__free(tables->list[i].rows);
        tacit__free(tables->list[i].counts);
        tacit__free(tables->list[i].labels);
    }
    tacit__free(tables->list);
    *tables = (tacit__frequency_tables){0};
}

tacit_status tacit_summary_names(tacit_strview *names, int32_t *count, const tacit_table *file,
                                 tacit_error *err)
{
    form f;
    int32_t at = 0;
    tacit_status status = read_form(&f, file, err);
    if (status != TACIT_OK)
        return status;
    if (f.attribute >= 0 && tacit_table_distinct(file, f.attribute) > TACIT_SUMMARY_COLUMNS)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "frequencies of more than %d columns are not read",
                               TACIT_SUMMARY_COLUMNS);
    if (f.attribute >= 0)
        for (uint32_t a = 0; a < tacit_table_distinct(file, f.attribute); a++)
            names[at++] = tacit_table_value(file, f.attribute, a);
    for (int32_t c = 0; c < tacit_table_columns(file) && f.attribute < 0; c++)
        if (c != f.count)
            names[at++] = tacit_table_name(file, c);
    *count = at;
    return TACIT_OK;
}

/* Tables of frequencies by themselves: sorted, without values that hold each other or combinations
 * that stand twice, and of one total; see summary.h.
 *
 * Entries are sorted by their nodes, the first column's first, so that those which agree with a
 * node in the first column stand together: either all under it or, since no value of a table holds
 * another, those of the one value that holds it.
 *
 * Cost: a stable sort a column. */

uint64_t tacit__table_bits(const tacit__summary_table *table)
{
    uint64_t bits = 0;
    for (int32_t i = 0; i < table->column_count; i++)
        bits |= UINT64_C(1) << table->columns[i];
    return bits;
}

int32_t tacit__table_place(const tacit__summary_table *table, int32_t column)
{
    for (int32_t j = 0; j < table->column_count; j++)
        if (table->columns[j] == column)
            return j;
    return -1;
}

/* Sorts places of entries by the nodes of a column, stably. */
static tacit_status sort_by(int64_t *order, const tacit__scene *scene,
                            const tacit__summary_table *table, int32_t column, tacit_error *err)
{
    tacit__sorter sorter = {0};
    uint32_t nodes = scene->columns[table->columns[column]].node_count;
    tacit_status status =
        tacit__sorter_init(&sorter, table->entry_count, tacit__bits_for(nodes), true, err);
    if (status == TACIT_OK) {
        for (int64_t i = 0; i < table->entry_count; i++) {
            tacit__sorter_put(&sorter, i, tacit__table_entry(table, order[i])[column]);
            sorter.values[i] = (uint64_t)order[i];
        }
        status = tacit__sorter_sort(&sorter, scene->run, err);
    }
    for (int64_t i = 0; i < table->entry_count && status == TACIT_OK; i++)
        order[i] = (int64_t)sorter.values[i];
    tacit__sorter_clear(&sorter);
    return status;
}

/* Puts the entries in an order. */
static tacit_status reorder(tacit__summary_table *table, const int64_t *order, tacit_error *err)
{
    size_t width = (size_t)table->column_count, count = (size_t)table->entry_count;
    uint32_t *nodes = tacit__alloc_array(count * width, sizeof *nodes);
    int64_t *counts = tacit__alloc_array(count, sizeof *counts);
    tacit_status status = nodes && counts ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        memcpy(nodes + i * width, tacit__table_entry(table, order[i]), width * sizeof *nodes);
        counts[i] = table->counts[order[i]];
    }
    if (status == TACIT_OK && count) {
        memcpy(table->nodes, nodes, count * width * sizeof *nodes);
        memcpy(table->counts, counts, count * sizeof *counts);
    }
    tacit__free(nodes);
    tacit__free(counts);
    return status;
}

static tacit_status sort_entries(const tacit__scene *scene, tacit__summary_table *table,
                                 tacit_error *err)
{
    int64_t *order = tacit__alloc_array((size_t)table->entry_count, sizeof *order);
    tacit_status status = order ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; i < table->entry_count && order; i++)
        order[i] = i;
    for (int32_t j = table->column_count; j-- > 0 && status == TACIT_OK;)
        status = sort_by(order, scene, table, j, err);
    if (status == TACIT_OK)
        status = reorder(table, order, err);
    tacit__free(order);
    return status;
}

static tacit_status check_twice(const tacit__summary_table *table, tacit_error *err)
{
    size_t width = (size_t)table->column_count * sizeof *table->nodes;
    for (int64_t i = 1; i < table->entry_count; i++)
        if (memcmp(tacit__table_entry(table, i - 1), tacit__table_entry(table, i), width) == 0)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s have a %s twice, however it is written",
                                table->name, table->column_count == 1 ? "value" : "combination");
    return TACIT_OK;
}

/* No value of a column of the table lies within another. */
static tacit_status check_apart(const tacit__scene *scene, const tacit__summary_table *table,
                                int32_t column, tacit_error *err)
{
    const tacit__summary_column *c = &scene->columns[table->columns[column]];
    uint8_t *marks = tacit__alloc_zeroed(c->node_count, 1);
    uint32_t end = 0;
    tacit_status status = marks ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; i < table->entry_count && marks; i++)
        marks[tacit__table_entry(table, i)[column]] = 1;
    for (uint32_t node = 0; node < c->node_count && status == TACIT_OK; node++) {
        if (marks[node] && node < end)
            status = tacit__error(err, TACIT_PARSE,
                                  "the frequencies of %s have two values of %s of which one holds "
                                  "the other; values of a table must exclude each other",
                                  table->name, c->name);
        if (marks[node] && c->ends[node] > end)
            end = c->ends[node];
    }
    tacit__free(marks);
    return status;
}

static tacit_status check_table(int64_t *total, const tacit__scene *scene,
                                tacit__summary_table *table, tacit_error *err)
{
    tacit_status status = sort_entries(scene, table, err);
    if (status == TACIT_OK)
        status = check_twice(table, err);
    for (int32_t j = 0; j < table->column_count && status == TACIT_OK; j++)
        status = check_apart(scene, table, j, err);
    *total = 0;
    for (int64_t i = 0; i < table->entry_count && status == TACIT_OK; i++)
        if (__builtin_add_overflow(*total, table->counts[i], total))
            status = tacit__error(err, TACIT_PARSE, "the frequencies of %s are too large to sum up",
                                  table->name);
    return status;
}

tacit_status tacit__scene_check(tacit__scene *scene, tacit_error *err)
{
    for (int32_t t = 0; t < scene->table_count; t++) {
        int64_t total;
        tacit_status status = check_table(&total, scene, &scene->tables[t], err);
        if (status != TACIT_OK)
            return status;
        if (t > 0 && total != scene->subjects)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s sum to %lld and those of %s to %lld; "
                                "all must be of the same subjects",
                                scene->tables[0].name, (long long)scene->subjects,
                                scene->tables[t].name, (long long)total);
        if (total < scene->rows)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s sum to %lld, fewer than the %lld rows of "
                                "the release",
                                scene->tables[t].name, (long long)total, (long long)scene->rows);
        scene->subjects = total;
    }
    return TACIT_OK;
}

/* Compares the first nodes of an entry with a prefix. */
static int compare(const uint32_t *entry, const uint32_t *prefix, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        if (entry[j] != prefix[j])
            return entry[j] < prefix[j] ? -1 : 1;
    return 0;
}

/* The first entry whose nodes are not before a prefix. */
static int64_t first_from(const tacit__summary_table *table, const uint32_t *prefix, int32_t count)
{
    int64_t low = 0, high = table->entry_count;
    TACIT__BISECT(low, high, middle, compare(tacit__table_entry(table, middle), prefix, count) < 0);
    return low;
}

int64_t tacit__entry_holding(const tacit__scene *scene, const tacit__summary_table *table,
                             const uint32_t *nodes)
{
    uint32_t prefix[TACIT_SUMMARY_COLUMNS];
    /* Values of a table exclude each other: column by column, at most one holds the node. */
    for (int32_t j = 0; j < table->column_count; j++) {
        const uint32_t *ends = scene->columns[table->columns[j]].ends;
        prefix[j] = nodes[table->columns[j]];
        int64_t at = first_from(table, prefix, j + 1);
        bool exact =
            at < table->entry_count && compare(tacit__table_entry(table, at), prefix, j + 1) == 0;
        if (exact)
            continue;
        if (at == 0 || compare(tacit__table_entry(table, at - 1), prefix, j) != 0)
            return -1;
        prefix[j] = tacit__table_entry(table, at - 1)[j];
        if (!tacit__node_holds(ends, prefix[j], nodes[table->columns[j]]))
            return -1;
    }
    return first_from(table, prefix, table->column_count);
}

void tacit__entries_near(int64_t *from, int64_t *to, const tacit__scene *scene,
                         const tacit__summary_table *table, uint32_t node)
{
    const uint32_t *ends = scene->columns[table->columns[0]].ends;
    uint32_t first = node, end = ends[node];
    int64_t at = first_from(table, &first, 1);
    bool exact = at < table->entry_count && tacit__table_entry(table, at)[0] == node;
    if (!exact && at > 0 && tacit__node_holds(ends, tacit__table_entry(table, at - 1)[0], node)) {
        first = tacit__table_entry(table, at - 1)[0];
        *from = first_from(table, &first, 1);
        *to = at;
        return;
    }
    *from = at;
    *to = first_from(table, &end, 1);
}

/* ---- columns ---- */

static int32_t find_stage_column(const tacit__summary_stage *stage, tacit_strview name)
{
    for (int32_t c = 0; c < stage->scene.column_count; c++)
        if (tacit_strview_equal(tacit_strview_of(stage->names[c]), name))
            return c;
    return -1;
}

static tacit_status add_column(tacit__summary_stage *stage, const tacit__frequency_table *table,
                               tacit_strview name, const tacit_table *release, tacit_error *err)
{
    tacit__scene *scene = &stage->scene;
    int32_t place = tacit_table_find(release, name), at = scene->column_count;
    const char *file = tacit_table_file(table->file);
    if (place < 0)
        return tacit__error_at(err, TACIT_PARSE, file, 0, 0,
                               "there are frequencies of \"%s\", a column that the release does "
                               "not have",
                               tacit__show(name).text);
    if (!tacit_table_is_coded(release, place))
        return tacit__error(err, TACIT_INVALID, "the column \"%s\" of the release is not coded",
                            tacit__show(name).text);
    if (at == TACIT_SUMMARY_COLUMNS)
        return tacit__error_at(err, TACIT_PARSE, file, 0, 0,
                               "frequencies of more than %d columns are not read",
                               TACIT_SUMMARY_COLUMNS);
    stage->names[at] = tacit__copy_bytes(name.bytes, name.len);
    stage->places[at] = place;
    scene->column_count++;
    return stage->names[at] ? TACIT_OK : tacit__nomem(err);
}

static tacit_status find_columns(tacit__summary_stage *stage, const tacit__frequency_tables *tables,
                                 const tacit_table *release, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t t = 0; t < tables->count; t++)
        for (int32_t i = 0; i < tables->list[t].column_count && status == TACIT_OK; i++)
            if (find_stage_column(stage, tables->list[t].columns[i]) < 0)
                status =
                    add_column(stage, &tables->list[t], tables->list[t].columns[i], release, err);
    return status;
}

/* ---- tables ---- */

static tacit_status make_table(tacit__summary_table *out, const tacit__summary_stage *stage,
                               const tacit__frequency_table *from, tacit_error *err)
{
    size_t width = (size_t)from->column_count, entries = (size_t)from->entry_count;
    *out = (tacit__summary_table){
        .name = from->name, .column_count = from->column_count, .entry_count = from->entry_count};
    out->columns = tacit__alloc_array(width, sizeof *out->columns);
    out->nodes = tacit__alloc_array(width * entries, sizeof *out->nodes);
    out->counts = tacit__alloc_array(entries, sizeof *out->counts);
    if (!out->columns || !out->nodes || !out->counts)
        return tacit__nomem(err);
    for (size_t i = 0; i < width; i++)
        out->columns[i] = find_stage_column(stage, from->columns[i]);
    if (entries)
        memcpy(out->counts, from->counts, entries * sizeof *out->counts);
    return TACIT_OK;
}

static tacit_status make_tables(tacit__summary_stage *stage, const tacit__frequency_tables *tables,
                                tacit_error *err)
{
    tacit__scene *scene = &stage->scene;
    tacit_status status = TACIT_OK;
    scene->tables = tacit__alloc_zeroed(tables->count, sizeof *scene->tables);
    scene->columns = tacit__alloc_zeroed((size_t)scene->column_count, sizeof *scene->columns);
    if (!scene->tables || !scene->columns)
        return tacit__nomem(err);
    for (size_t t = 0; t < tables->count && status == TACIT_OK; t++) {
        scene->table_count++;
        status = make_table(&scene->tables[t], stage, &tables->list[t], err);
    }
    return status;
}

/* ---- trees ---- */

/* One column of a table. */
typedef struct values {
    size_t table;
    int32_t place; /* among the table's columns */
} values;

typedef struct planting {
    tacit__summary_stage *stage;
    const tacit__frequency_tables *tables;
    int32_t column;
    tacit_lineage_source sources[TACIT_SUMMARY_TABLES + 1];
    values of[TACIT_SUMMARY_TABLES + 1]; /* a source each; the first is the release's */
    int32_t count;
} planting;

static void add_source(planting *p, size_t t, int32_t place)
{
    const tacit__frequency_table *table = &p->tables->list[t];
    tacit_lineage_source *source = &p->sources[p->count];
    if (table->labels)
        *source = (tacit_lineage_source){.labels = table->labels,
                                         .label_count = (uint32_t)table->entry_count,
                                         .name = table->name};
    else
        *source = (tacit_lineage_source){.table = table->file, .column = table->places[place]};
    p->of[p->count++] = (values){.table = t, .place = place};
}

/* Writes the nodes of a source into its table. */
static void fill_nodes(const planting *p, int32_t source)
{
    const values *of = &p->of[source];
    const tacit__frequency_table *from = &p->tables->list[of->table];
    tacit__summary_table *to = &p->stage->scene.tables[of->table];
    const uint32_t *nodes = tacit_lineage_nodes(p->stage->lineages[p->column], source);
    tacit_codes_view codes = tacit_table_codes(from->file, from->places[of->place]);
    for (int64_t e = 0; e < to->entry_count; e++)
        to->nodes[e * to->column_count + of->place] =
            from->labels ? nodes[e] : nodes[tacit_codes_at(codes, from->rows[e])];
}

static void place_column(const planting *p, const tacit_table *release)
{
    const tacit_lineage *lineage = p->stage->lineages[p->column];
    int32_t place = p->stage->places[p->column];
    p->stage->scene.columns[p->column] =
        (tacit__summary_column){.name = p->stage->names[p->column],
                                .ends = tacit_lineage_ends(lineage),
                                .node_count = tacit_lineage_count(lineage),
                                .codes = tacit_table_codes(release, place),
                                .node_of = tacit_lineage_nodes(lineage, 0),
                                .code_count = tacit_table_distinct(release, place) + 1};
}

static const tacit_hierarchy_spec *hierarchy_of(const tacit_summary_case *c, const char *name)
{
    static const tacit_hierarchy_spec NONE = {.kind = TACIT_HIERARCHY_NONE};
    for (int32_t i = 0; i < c->column_count; i++)
        if (strcmp(c->columns[i].name, name) == 0 && c->columns[i].hierarchy)
            return c->columns[i].hierarchy;
    return &NONE;
}

static tacit_status plant(planting *p, const tacit_summary_case *c, tacit_error *err)
{
    tacit__summary_stage *stage = p->stage;
    p->sources[p->count++] =
        (tacit_lineage_source){.table = c->release, .column = stage->places[p->column]};
    for (size_t t = 0; t < p->tables->count; t++) {
        int32_t place = tacit__table_place(&stage->scene.tables[t], p->column);
        if (place >= 0)
            add_source(p, t, place);
    }
    tacit_status status =
        tacit_lineage_new(&stage->lineages[p->column], hierarchy_of(c, stage->names[p->column]),
                          p->sources, p->count, err);
    for (int32_t i = 1; i < p->count && status == TACIT_OK; i++)
        fill_nodes(p, i);
    if (status == TACIT_OK)
        place_column(p, c->release);
    return status;
}

static tacit_status plant_column(tacit__summary_stage *stage, const tacit__frequency_tables *tables,
                                 int32_t column, const tacit_summary_case *c, tacit_error *err)
{
    planting *p = tacit__alloc_zeroed(1, sizeof *p);
    if (!p)
        return tacit__nomem(err);
    *p = (planting){.stage = stage, .tables = tables, .column = column};
    tacit_status status = plant(p, c, err);
    tacit__free(p);
    return status;
}

tacit_status tacit__summary_stage_init(tacit__summary_stage *stage,
                                       const tacit__frequency_tables *tables,
                                       const tacit_summary_case *c, const tacit_run *run,
                                       tacit_error *err)
{
    *stage = (tacit__summary_stage){.scene = {.rows = tacit_table_rows(c->release),
                                              .only = -1,
                                              .limits = tacit__summary_usual,
                                              .run = run}};
    tacit_status status = find_columns(stage, tables, c->release, err);
    if (status == TACIT_OK)
        status = make_tables(stage, tables, err);
    for (int32_t i = 0; i < stage->scene.column_count && status == TACIT_OK; i++)
        status = plant_column(stage, tables, i, c, err);
    if (status == TACIT_OK)
        status = tacit__scene_check(&stage->scene, err);
    return status;
}

void tacit__summary_stage_clear(tacit__summary_stage *stage)
{
    tacit__scene *scene = &stage->scene;
    for (int32_t t = 0; t < scene->table_count; t++) {
        tacit__free(scene->tables[t].columns);
        tacit__free(scene->tables[t].nodes);
        tacit__free(scene->tables[t].counts);
    }
    tacit__free(scene->tables);
    tacit__free(scene->columns);
    for (int32_t i = 0; i < TACIT_SUMMARY_COLUMNS; i++) {
        tacit_lineage_free(stage->lineages[i]);
        tacit__free(stage->names[i]);
    }
    *stage = (tacit__summary_stage){0};
}
