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

/* ---- columns ---- */

static int32_t find_column(const tacit__summary_stage *stage, tacit_strview name)
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
            if (find_column(stage, tables->list[t].columns[i]) < 0)
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
        out->columns[i] = find_column(stage, from->columns[i]);
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

static void fill_column(const planting *p, const tacit_table *release)
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
        fill_column(p, c->release);
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
