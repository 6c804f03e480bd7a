/*
 * release_items.c - columns whose cells are sets of items, once it is known which class each row of
 * the release is in: each class keeps km (tacit/experimental/itemsets.h).
 *
 * Rows are of one class if they are released with the same labels; suppressed ones are of one, or
 * of that whose every label is `*`.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/map.h"
#include "engine/records/release.h"

/* Rows by class, in the making. */
typedef struct grouping {
    const engine_release *release;
    uint32_t *class_of, *codes;
    uint32_t count;
} grouping;

/* An attribute's labels, and behind their numbers those of values that stay as they are. */
typedef struct group_labels {
    tacit_codes_view codes, ground;
    const tacit_strview *labels; /* NULL: every value stays as it is */
    uint32_t count;
    uint32_t suppressed; /* the number of `*`, or one of suppressed rows alone */
} group_labels;

static group_labels labels_of(const engine_release *release, int32_t attribute)
{
    const tacit_application *application = release->application;
    int32_t source = release->attributes[attribute].column;
    bool same = !release->solution->boxes && release->solution->levels[attribute] == 0;
    group_labels all = {.codes = application->codes[attribute],
                        .ground = tacit_table_codes(release->table, source),
                        .labels = same ? NULL : application->labels[attribute],
                        .count = same ? 0 : application->label_counts[attribute],
                        .suppressed = UINT32_MAX};
    for (uint32_t i = 0; i < all.count; i++)
        if (all.labels[i].bytes && tacit_strview_equal(all.labels[i], tacit_hierarchy_suppressed()))
            all.suppressed = i;
    return all;
}

static uint32_t label_number(const group_labels *all, int64_t row)
{
    uint32_t code = all->labels ? tacit_codes_at(all->codes, row) : 0;
    bool same = !all->labels || !all->labels[code].bytes;
    return same ? all->count + tacit_codes_at(all->ground, row) : code;
}

static tacit_status group_by(grouping *g, int32_t attribute, tacit_error *err)
{
    const tacit_application *application = g->release->application;
    int64_t rows = tacit_table_rows(g->release->table);
    const group_labels all = labels_of(g->release, attribute);
    for (int64_t row = 0; row < rows; row++)
        g->codes[row] = tacit__bit_get(application->suppressed, row) ? all.suppressed
                                                                     : label_number(&all, row);
    bool grouped = tacit__numbering_pairs(g->class_of, &g->count, g->codes, rows);
    return grouped ? TACIT_OK : tacit__nomem(err);
}

static tacit_status group_rows(grouping *g, tacit_error *err)
{
    const tacit_application *application = g->release->application;
    int64_t rows = tacit_table_rows(g->release->table);
    g->class_of = tacit__alloc_zeroed((size_t)rows + 1, sizeof *g->class_of);
    g->codes = tacit__alloc_array((size_t)rows + 1, sizeof *g->codes);
    g->count = 1;
    tacit_status status = g->class_of && g->codes ? TACIT_OK : tacit__nomem(err);
    for (int32_t a = 0; a < application->attribute_count && status == TACIT_OK; a++)
        status = group_by(g, a, err);
    for (int64_t row = 0; row < rows && status == TACIT_OK; row++)
        if (g->release->policy->drop_suppressed && tacit__bit_get(application->suppressed, row))
            g->class_of[row] = TACIT_ITEMSETS_NO_CLASS;
    tacit__free(g->codes);
    return status;
}

static void describe_column(tacit_itemset_column *out, const engine_release *release,
                            const tacit_promise_items *items)
{
    const tacit_policy_column *column =
        tacit_policy_find(release->policy, tacit_strview_of(items->column));
    *out = (tacit_itemset_column){
        .column = tacit_table_find(release->table, tacit_strview_of(items->column)),
        .separator = items->separator,
        .hierarchy = items->hierarchy,
        .keeps_all = column->has_suppression && column->hierarchy.no_suppression,
    };
}

tacit_status engine_items_protect(engine_release *release)
{
    engine_session *session = release->session;
    const tacit_promise *promise = &release->promise.promise;
    grouping g = {.release = release};
    if (promise->items_count == 0)
        return TACIT_OK;
    tacit_itemset_column *columns =
        tacit__alloc_zeroed((size_t)promise->items_count, sizeof *columns);
    tacit_status status = columns ? group_rows(&g, &session->error) : tacit__nomem(&session->error);
    for (int32_t i = 0; i < promise->items_count && columns; i++)
        describe_column(&columns[i], release, &promise->items[i]);
    const tacit_itemsets asked = {
        .table = release->table,
        .columns = columns,
        .column_count = promise->items_count,
        .k = promise->k,
        .m = promise->km,
        .person = release->frame.person,
        .class_of = g.class_of,
        .class_count = g.count,
    };
    if (status == TACIT_OK)
        status = tacit_itemsets_protect(&release->itemsets, &asked, &session->run, &session->error);
    tacit__free(columns);
    tacit__free(g.class_of);
    return status;
}

static const tacit_itemset_cells *cells_of(const engine_release *release, const char *name)
{
    const tacit_promise *promise = &release->promise.promise;
    int32_t at = 0;
    while (strcmp(promise->items[at].column, name) != 0)
        at++;
    return &release->itemsets->columns[at];
}

void engine_items_column(tacit_csv_column *column, const engine_release *release,
                         const tacit_policy_column *policy)
{
    const tacit_itemset_cells *cells = cells_of(release, policy->name);
    column->relabelled = true;
    column->codes = (tacit_codes_view){cells->codes, sizeof *cells->codes};
    column->labels = cells->labels;
    column->label_count = cells->label_count;
}

static void add_column(tacit_report *report, const char *name, const tacit_itemset_loss *loss)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_itemset_loss, distinct, "distinct", NULL, 0),
        TACIT_FIELD(tacit_itemset_loss, items, "items", NULL, 0),
        TACIT_FIELD(tacit_itemset_loss, generalized, "generalized", NULL, 0),
        TACIT_FIELD(tacit_itemset_loss, left_out, "left_out", NULL, 0),
    };
    tacit_report_line(report, name, "%s items in sets: %s generalized, %s left out; loss %.4f",
                      engine_count(loss->items).text, engine_count(loss->generalized).text,
                      engine_count(loss->left_out).text, loss->loss);
    tacit_report_item(report, "itemsets");
    tacit_report_text(report, "column", name);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), loss);
    tacit_report_real(report, "loss", loss->loss);
    tacit_report_leave(report);
}

void engine_items_facts(tacit_report *report, const engine_release *release)
{
    const tacit_promise *promise = &release->promise.promise;
    if (!release->itemsets)
        return;
    tacit_report_section(report, "Sets of items");
    for (int32_t i = 0; i < promise->items_count; i++)
        add_column(report, promise->items[i].column, &release->itemsets->columns[i].loss);
}
