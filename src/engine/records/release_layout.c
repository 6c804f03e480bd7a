/*
 * release_layout.c - what goes into a release, and what it is worth.
 *
 * Columns keep the order of the input. A quasi-identifying column is relabelled
 * (unless it stays on the ground, where its cells go out byte for byte) and
 * blanked in suppressed rows; an identifier is left out or rewritten to
 * pseudonyms, of its values or of its rows; text is scrubbed; everything else passes as it is.
 */
#include <stdlib.h>

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

static tacit_status add_column(engine_release *release, int32_t source)
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
    if (attribute < 0 && fate == TACIT_REPLACE_ROW_PSEUDONYM)
        status = engine_release_rows(next, release);
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
        status = add_column(release, i);
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
    tacit_solution_level_rows(release->level_rows, solution);
    tacit_classes_free(solution->classes);
    solution->classes = NULL;
    return status;
}
