/*
 * release_ledger.c - the release's own entry in the ledger, which is there before the release
 * appears.
 *
 * For its summary the release is read back once more, every column coded, when the judge's
 * table is gone. Whatever moment the run is killed at: either nothing has appeared, or the entry
 * is on the disk.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/release.h"

static tacit_status read_whole(tacit_table **out, engine_release *release)
{
    engine_session *session = release->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.delimiter = tacit_table_delimiter(release->table);
    options.let_go = true;
    tacit_strview *columns = engine_released_columns(release);
    if (!columns)
        return tacit__nomem(&session->error);
    options.names = columns;
    options.name_count = (size_t)release->layout.column_count;
    tacit_status status = tacit_table_read_fd(out, tacit_output_fd(release->output), "the release",
                                              &options, &session->run, &session->error);
    tacit__free(columns);
    return status;
}

/* The hierarchies that the labels were made by. */
static tacit_status bind_facts(engine_release *release)
{
    engine_ledger *ledger = release->ledger;
    tacit_status status = engine_ledger_columns(ledger, release->policy, &release->session->error);
    for (int32_t i = 0; i < release->promise.promise.attribute_count && status == TACIT_OK; i++)
        ledger->facts[release->promise.columns[i]].hierarchy = release->hierarchies[i];
    return status;
}

static tacit_status announce(engine_release *release)
{
    engine_session *session = release->session;
    engine_ledger *ledger = release->ledger;
    tacit_table *written = NULL;
    tacit_status status = bind_facts(release);
    const tacit_ledger_facts facts = {
        .source = ledger->source,
        .path = release->target,
        .policy_file = engine_value(session->settings, "policy"),
        .k = release->wanted.k,
        .method = release->method->name,
        .metric = release->policy->metric,
        .columns = ledger->facts,
        .column_count = ledger->fact_count,
        .data = release->table,
    };
    if (status == TACIT_OK)
        status = read_whole(&written, release);
    if (status == TACIT_OK)
        status =
            tacit_ledger_announce(&ledger->number, ledger->ledger, &facts, written,
                                  tacit_output_fd(release->output), &session->run, &session->error);
    tacit_table_free(written);
    return status;
}

/* Says, with what went wrong, what the ledger makes of it. */
static tacit_status explain(engine_release *release, tacit_status status, const char *what)
{
    tacit_error *err = &release->session->error;
    size_t used = strlen(err->message);
    if (status != TACIT_OK)
        snprintf(err->message + used, sizeof err->message - used, "; %s %lld", what,
                 (long long)release->ledger->number);
    return status;
}

tacit_status engine_release_commit(engine_release *release)
{
    engine_session *session = release->session;
    engine_ledger *ledger = release->ledger;
    bool remembers = ledger && ledger->ledger;
    assert(remembers || !release->policy->ledger); /* nothing leaves unseen */
    tacit_status status =
        tacit_table_check_unchanged(release->table, &session->run, &session->error);
    if (status == TACIT_OK && !remembers)
        return tacit_output_commit(release->output, &session->error);
    if (status == TACIT_OK)
        status = announce(release);
    if (status == TACIT_OK)
        status = explain(release, tacit_output_commit(release->output, &session->error),
                         "the ledger counts it as released all the same, as entry");
    if (status == TACIT_OK)
        status =
            explain(release, tacit_ledger_confirm(ledger->ledger, ledger->number, &session->error),
                    "the release was written, and the ledger counts it, as entry");
    return status;
}
