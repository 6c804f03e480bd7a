/*
 * sparse.c - reads a sparse table for the commands: no more of the file is coded than is needed,
 * and its pages are let go of, since there may be ten million cells.
 */
#include "engine/tables/sparse.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/tables/dims.h"

static tacit_status plan(engine_sparse *sparse, engine_session *session)
{
    static const char *const RESTS[] = {"free", "zero", "publish"};
    static const tacit_flat_rest KINDS[] = {TACIT_REST_INSIDE, TACIT_REST_LOWER, TACIT_REST_FIXED};
    const engine_settings *settings = session->settings;
    engine_dims dims;
    int rest = -1;
    tacit_status status = engine_dims_init(&dims, settings, &session->error);
    if (status != TACIT_OK)
        return status;
    if (dims.count != 2 || dims.list[0].hierarchy_count || dims.list[1].hierarchy_count)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--sparse is for two dimensions without hierarchies: give two --dim");
    snprintf(sparse->row, sizeof sparse->row, "%s", dims.names[0]);
    snprintf(sparse->column, sizeof sparse->column, "%s", dims.names[1]);
    status = engine_choice(&rest, settings, "rest", RESTS, 3, &session->error);
    sparse->spec = (tacit_flat_spec){.row = sparse->row,
                                     .column = sparse->column,
                                     .value = engine_value(settings, "value"),
                                     .negative = engine_has(settings, "negative"),
                                     .rest = rest >= 0 ? KINDS[rest] : TACIT_REST_INSIDE};
    return status;
}

/* Which columns the file has of those that matter. */
static tacit_status look_ahead(const char **names, size_t *count, const engine_sparse *sparse,
                               const char *file, const tacit_csv_options *options,
                               engine_session *session)
{
    const char *const WANTED[] = {
        sparse->row, sparse->column, sparse->spec.value, "status", "lower", "upper", "weight"};
    tacit_csv_options quick = *options;
    tacit_table *header = NULL;
    quick.header_only = true;
    tacit_status status = tacit_table_read(&header, file, &quick, &session->run, &session->error);
    for (size_t i = 0; status == TACIT_OK && i < sizeof WANTED / sizeof *WANTED; i++)
        if (WANTED[i] && tacit_table_find(header, tacit_strview_of(WANTED[i])) >= 0)
            names[(*count)++] = WANTED[i];
    tacit_table_free(header);
    return status;
}

tacit_status engine_sparse_read(engine_sparse *sparse, const char *file, engine_session *session)
{
    tacit_csv_options options;
    const char *names[8];
    tacit_error *err = &session->error;
    engine_csv_options(&options, session);
    tacit_status status = plan(sparse, session);
    if (status == TACIT_OK && engine_is_file(file)) { /* a pipe is read once, and all of it */
        status = look_ahead(names, &options.coded_count, sparse, file, &options, session);
        options.coded = names;
        options.let_go = true;
    }
    if (status == TACIT_OK)
        status = tacit_table_read(&sparse->table, file, &options, &session->run, err);
    if (status == TACIT_OK)
        status =
            tacit_flat_from_table(&sparse->flat, sparse->table, &sparse->spec, &session->run, err);
    return status;
}

void engine_sparse_facts(tacit_report *report, const engine_sparse *sparse)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_flat_view, rows, "rows", NULL, 0),
        TACIT_FIELD(tacit_flat_view, columns, "columns", NULL, 0),
        TACIT_FIELD(tacit_flat_view, count, "listed", NULL, 0),
    };
    tacit_report_enter(report, "table");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &sparse->flat->view);
    tacit_report_leave(report);
}

void engine_sparse_clear(engine_sparse *sparse)
{
    tacit_flat_table_free(sparse->flat);
    tacit_table_free(sparse->table);
}
