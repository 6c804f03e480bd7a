/*
 * release_items.c - columns whose cells are sets of items, once it is known which class each row of
 * the release is in: each class keeps km (tacit/experimental/itemsets.h).
 *
 * Rows are of one class if their cells say the same, as a recipient will group them.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"
#include "engine/records/release.h"

/* Rows by class, in the making. */
typedef struct grouping {
    const engine_release *release;
    uint32_t *class_of, *codes;
    uint32_t count;
} grouping;

/* What an attribute's cells say, each text under one number. */
typedef struct group_labels {
    tacit_strview *texts; /* by number */
    size_t capacity;
    tacit__map map;
    uint32_t *of_label;  /* a label each: its text's number */
    uint32_t *of_ground; /* a code each, missing too: that of the value as it is */
} group_labels;

static bool number_text(uint32_t *out, group_labels *all, tacit_strview text)
{
    uint64_t hash = tacit__hash_bytes(text.bytes, text.len);
    size_t probe = 0;
    while ((*out = tacit__map_next(&all->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(all->texts[*out], text))
            return true;
    *out = (uint32_t)all->map.count;
    size_t count = all->map.count;
    return TACIT__PUSH(all->texts, all->capacity, count, text) && tacit__map_add(&all->map, hash);
}

static bool number_labels(group_labels *all, const engine_release *release, int32_t attribute,
                          bool same)
{
    const tacit_application *application = release->application;
    int32_t source = release->attributes[attribute].column;
    uint32_t labels = same ? 0 : application->label_counts[attribute];
    uint32_t values = tacit_table_distinct(release->table, source);
    all->of_label = tacit__alloc_array((size_t)labels + 1, sizeof *all->of_label);
    all->of_ground = tacit__alloc_array((size_t)values + 1, sizeof *all->of_ground);
    bool done = all->of_label && all->of_ground;
    for (uint32_t i = 0; i < labels && done; i++) {
        tacit_strview label = application->labels[attribute][i];
        all->of_label[i] = TACIT__NONE;
        if (label.bytes)
            done = number_text(&all->of_label[i], all, label);
    }
    for (uint32_t i = 0; i < values && done; i++)
        done = number_text(&all->of_ground[i], all, tacit_table_value(release->table, source, i));
    return done && number_text(&all->of_ground[values], all, tacit_strview_of(""));
}

static void number_rows(grouping *g, const group_labels *all, int32_t attribute, bool same,
                        uint32_t suppressed)
{
    const tacit_application *application = g->release->application;
    tacit_codes_view ground =
        tacit_table_codes(g->release->table, g->release->attributes[attribute].column);
    for (int64_t row = 0; row < tacit_table_rows(g->release->table); row++) {
        uint32_t number = TACIT__NONE;
        if (tacit__bit_get(application->suppressed, row))
            number = suppressed;
        else if (!same)
            number = all->of_label[tacit_codes_at(application->codes[attribute], row)];
        g->codes[row] =
            number == TACIT__NONE ? all->of_ground[tacit_codes_at(ground, row)] : number;
    }
}

static tacit_status group_by(grouping *g, int32_t attribute, tacit_error *err)
{
    const engine_release *release = g->release;
    bool same = !release->solution->boxes && release->solution->levels[attribute] == 0;
    group_labels all = {0};
    uint32_t suppressed = 0;
    bool done = number_labels(&all, release, attribute, same) &&
                number_text(&suppressed, &all, tacit_hierarchy_suppressed());
    if (done)
        number_rows(g, &all, attribute, same, suppressed);
    done = done && tacit__numbering_pairs(g->class_of, &g->count, g->codes,
                                          tacit_table_rows(release->table));
    tacit__map_clear(&all.map);
    tacit__free(all.texts);
    tacit__free(all.of_label);
    tacit__free(all.of_ground);
    return done ? TACIT_OK : tacit__nomem(err);
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
