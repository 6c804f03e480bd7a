/*
 * release_layout.c - what goes into a release, and what it is worth.
 *
 * Columns keep the order of the input. A quasi-identifying column is relabelled
 * (unless it stays on the ground, where its cells go out byte for byte) and
 * blanked in suppressed rows; an identifier is left out or rewritten to
 * pseudonyms, of its values or of its rows; text is scrubbed, items of sets generalized; everything
 * else passes as it is.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/release.h"

tacit_status engine_release_pseudonyms(engine_release *release)
{
    engine_session *session = release->session;
    if (release->pseudonyms)
        return TACIT_OK;
    const char *file = release->policy->key_file;
    bool created = false;
    tacit_status status =
        tacit_pseudonyms_new(&release->pseudonyms, file, &created, &session->error);
    if (status == TACIT_OK && created)
        engine_say(session,
                   "A new key was made in %s. Keep it secret, and keep it: the same key gives "
                   "the same pseudonyms.",
                   file);
    return status;
}

static tacit_status reserve_labels(engine_row_pseudonyms *made, int64_t rows, tacit_error *err)
{
    engine_row_labels *columns =
        tacit__resize_array(made->columns, ((size_t)made->count + 1), sizeof *made->columns);
    if (columns) {
        made->columns = columns;
        columns[made->count++] =
            (engine_row_labels){.texts = tacit__alloc((size_t)rows * TACIT_PSEUDONYM_LENGTH + 1),
                                .labels = tacit__alloc(((size_t)rows + 1) * sizeof(tacit_strview))};
    }
    if (!made->rows)
        made->rows = tacit__alloc(((size_t)rows + 1) * sizeof *made->rows);
    bool all =
        columns && made->rows && columns[made->count - 1].texts && columns[made->count - 1].labels;
    return all ? TACIT_OK : tacit__nomem(err);
}

static void write_labels(engine_row_pseudonyms *made, int32_t source, int64_t rows)
{
    engine_row_labels *column = &made->columns[made->count - 1];
    for (int64_t row = 0; row < rows; row++) {
        char place[48], *text = column->texts + row * TACIT_PSEUDONYM_LENGTH;
        snprintf(place, sizeof place, "%d/%lld", (int)source, (long long)row);
        size_t len =
            tacit_pseudonym(tacit_strview_of(place), text, TACIT_PSEUDONYM_LENGTH, made->key);
        column->labels[row] = (tacit_strview){text, len};
        made->rows[row] = (uint32_t)row;
    }
}

/* Fills in a column of the layout, whose source is set: what a row's place in the data becomes
 * under a key that is drawn for this release from its seed and kept nowhere. So they are the same
 * for the same seed, other ones in the next release, and nobody finds the place from them without
 * the seed. 40 bytes a row and column, and a keyed hash each. */
static tacit_status add_row_pseudonyms(tacit_csv_column *column, engine_release *release)
{
    engine_row_pseudonyms *made = &release->row_pseudonyms;
    engine_session *session = release->session;
    int64_t rows = tacit_table_rows(release->table);
    tacit_status status = reserve_labels(made, rows, &session->error);
    if (status == TACIT_OK && !made->key)
        status = tacit_pseudonyms_draw(&made->key, &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    write_labels(made, column->source, rows);
    column->relabelled = true;
    column->codes = (tacit_codes_view){made->rows, sizeof *made->rows};
    column->labels = made->columns[made->count - 1].labels;
    column->label_count = (uint32_t)rows;
    return TACIT_OK;
}

void engine_row_pseudonyms_clear(engine_row_pseudonyms *made)
{
    for (int32_t i = 0; i < made->count; i++) {
        tacit__free(made->columns[i].texts);
        tacit__free(made->columns[i].labels);
    }
    tacit__free(made->columns);
    tacit__free(made->rows);
    tacit_pseudonyms_free(made->key);
    *made = (engine_row_pseudonyms){0};
}

static tacit_csv_column attribute_column(const engine_release *release, int32_t source,
                                         int32_t attribute)
{
    const tacit_application *application = release->application;
    return (tacit_csv_column){
        .source = source,
        .relabelled = release->solution->boxes || release->solution->levels[attribute] > 0,
        .codes = application->codes[attribute],
        .labels = application->labels[attribute],
        .label_count = application->label_counts[attribute],
        .blanked = true,
    };
}

static tacit_status add_released_column(engine_release *release, int32_t source)
{
    tacit_csv_column *next = &release->columns[release->layout.column_count];
    tacit_strview name = tacit_table_name(release->table, source);
    const tacit_policy_column *column = tacit_policy_find(release->policy, name);
    int32_t attribute = engine_attribute_of(&release->promise, release->policy, column);
    tacit_replace fate = engine_fate(column);
    tacit_status status = TACIT_OK;
    if (attribute >= 0)
        *next = attribute_column(release, source, attribute);
    else if (fate == TACIT_REPLACE_DROP)
        return TACIT_OK;
    else
        *next = (tacit_csv_column){.source = source};
    if (attribute < 0 && fate == TACIT_REPLACE_PSEUDONYM) {
        status = engine_release_pseudonyms(release);
        next->rewrite = tacit_pseudonym;
        next->payload = release->pseudonyms;
    }
    if (attribute < 0 && fate == TACIT_REPLACE_SCRUB)
        status = engine_release_scrub(next, release);
    if (column && column->items)
        engine_items_column(next, release, column);
    if (attribute < 0 && fate == TACIT_REPLACE_ROW_PSEUDONYM)
        status = add_row_pseudonyms(next, release);
    release->layout.column_count++;
    return status;
}

tacit_status engine_release_layout(engine_release *release)
{
    const tacit_application *application = release->application;
    int32_t columns = tacit_table_columns(release->table);
    release->columns = tacit__alloc_zeroed((size_t)columns + 1, sizeof *release->columns);
    if (!release->columns)
        return tacit__nomem(&release->session->error);
    release->layout = (tacit_csv_layout){
        .columns = release->columns,
        .suppressed = application->suppressed,
        .suppressed_label = tacit_hierarchy_suppressed(),
        .order = application->order,
        .row_count = application->row_count,
    };
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < columns; i++)
        status = add_released_column(release, i);
    return status;
}

static tacit_status sizes_before(engine_release *release)
{
    static const int GROUND[TACIT_MAX_QUASI];
    tacit_classes *classes = NULL;
    tacit_size_bins_init(&release->before, release->wanted.k);
    tacit_status status = tacit_classes_new(&classes, &release->frame, GROUND,
                                            &release->session->run, &release->session->error);
    if (status == TACIT_OK)
        tacit_size_bins_add_classes(&release->before, classes);
    tacit_classes_free(classes);
    return status;
}

static tacit_status sizes_after(engine_release *release)
{
    tacit_size_bins_init(&release->after, release->wanted.k);
    return tacit_size_bins_add_release(&release->after, release->solution, &release->metrics,
                                       release->policy->drop_suppressed, &release->frame,
                                       &release->session->run, &release->session->error);
}

tacit_status engine_release_measure(engine_release *release)
{
    tacit_solution *solution = release->solution;
    const tacit_run *run = &release->session->run;
    tacit_error *err = &release->session->error;
    tacit_status status = tacit_metrics_of(&release->metrics, solution, release->application,
                                           &release->frame, &release->wanted, run, err);
    if (status == TACIT_OK && release->has_sizes)
        status = sizes_after(release);
    if (status == TACIT_OK && release->has_sizes)
        status = sizes_before(release);
    if (status == TACIT_OK)
        status = tacit_solution_example(release->examples, solution, &release->frame, run, err);
    tacit__free(release->level_rows);
    release->level_rows = tacit__alloc_zeroed((size_t)release->frame.attribute_count,
                                              TACIT_MAX_LEVELS * sizeof *release->level_rows);
    if (release->level_rows)
        tacit_solution_level_rows(release->level_rows, solution);
    else if (status == TACIT_OK)
        status = tacit__nomem(err);
    tacit_classes_free(solution->classes);
    solution->classes = NULL;
    return status == TACIT_OK ? engine_advice_find(release) : status;
}
