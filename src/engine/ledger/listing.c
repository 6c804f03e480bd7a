/*
 * listing.c - `tacit ledger DIR`: what a ledger remembers, and whether it is whole.
 *
 * Opening reads every entry and compares its checksum; --check also reads the summaries, and the
 * releases where they are still where they went. There is no way to take an entry out: what was
 * released is known to others, whatever a ledger says.
 */
#include <stdio.h>
#include <string.h>

#include "engine/job/kinds.h"
#include "engine/ledger/ledger.h"

static const engine_setting SETTINGS[] = {
    {"check", TACIT_SETTING_SWITCH, NULL,
     "also read what each entry remembers of its release, and compare the releases that are still "
     "where they went",
     false, false},
    {"source", TACIT_SETTING_TEXT, "NAME", "list only what was released from this source", false,
     false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

typedef struct listing {
    engine_session *session;
    tacit_ledger *ledger;
    const char *source; /* NULL: all */
    bool check;
    bool budgets; /* an entry that is listed spends one */
} listing;

/* Of the entries that are listed. */
typedef struct listing_counts {
    int64_t shown, pending, changed;
} listing_counts;

/* What is known of the file that a release went to. */
static const char *file_of(const tacit_ledger_entry *entry, engine_ledger_file *file,
                           engine_session *session)
{
    static const char *const WORDS[] = {"not there", "no file", "another", "as released"};
    if (strcmp(entry->path, "-") == 0)
        return "standard output";
    *file = engine_ledger_file_of(entry, session);
    return WORDS[*file];
}

static void add_entry(tacit_report *report, listing_counts *counts, const listing *list,
                      const tacit_ledger_entry *entry)
{
    bool pending = entry->state == TACIT_LEDGER_PENDING;
    tacit_report_cell_integer(report, entry->number);
    tacit_report_cell(report, "%.10s %.5s", entry->date,
                      strlen(entry->date) > 16 ? entry->date + 11 : "");
    tacit_report_cell(report, "%s", entry->source);
    tacit_report_cell(report, "%s", engine_base_name(entry->path));
    tacit_report_cell_integer(report, entry->k);
    tacit_report_cell_integer(report, entry->rows);
    tacit_report_cell_integer(report, entry->classes);
    tacit_report_cell(report, "%s", entry->method);
    tacit_report_cell(report, "%s", pending ? "pending" : "released");
    if (list->budgets)
        tacit_report_cell(report, "%.6g", (double)entry->epsilon / TACIT_EPSILON_UNIT);
    if (list->check) {
        engine_ledger_file file = ENGINE_LEDGER_GONE;
        tacit_report_cell(report, "%s", file_of(entry, &file, list->session));
        counts->changed += file == ENGINE_LEDGER_OTHER;
    }
    counts->shown++;
    counts->pending += pending;
}

static listing_counts add_entries(tacit_report *report, const listing *list)
{
    const tacit_report_column columns[] = {
        {.heading = "entry", .format = "%.0f"},
        {.heading = "date (UTC)"},
        {.heading = "source"},
        {.heading = "release"},
        {.heading = "k", .format = "%.0f"},
        {.heading = "rows", .format = "%.0f"},
        {.heading = "distinct", .format = "%.0f"},
        {.heading = "method"},
        {.heading = "state"},
        {.heading = list->budgets ? "epsilon" : "file"},
        {.heading = "file"},
    };
    listing_counts counts = {0};
    for (int64_t i = 0; i < tacit_ledger_count(list->ledger); i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(list->ledger, i);
        if (list->source && strcmp(list->source, entry->source) != 0)
            continue;
        if (counts.shown == 0)
            tacit_report_begin(
                report, &(tacit_report_table){.printed = true,
                                              .columns = columns,
                                              .column_count = 9 + list->budgets + list->check});
        add_entry(report, &counts, list, entry);
    }
    return counts;
}

static void add_facts(tacit_report *report, const void *subject)
{
    const listing *list = subject;
    char pending[128] = "", changed[128] = "";
    listing_counts counts = add_entries(report, list);
    if (counts.shown > 0)
        tacit_report_gap(report);
    if (counts.pending > 0)
        snprintf(pending, sizeof pending,
                 "; %lld pending: announced by a run that did not end, and counted as released",
                 (long long)counts.pending);
    if (counts.changed > 0)
        snprintf(
            changed, sizeof changed,
            "; of %lld the file is now another, which changes nothing: what was released counts",
            (long long)counts.changed);
    tacit_report_note(report, "%lld of %lld entries%s%s%s", (long long)counts.shown,
                      (long long)tacit_ledger_count(list->ledger), pending, changed,
                      list->check ? "; checksums and summaries are right" : "");
}

static const engine_reports REPORTS = {.title = "Ledger", .fill = add_facts};

static bool any_budget(const listing *list)
{
    bool any = false;
    for (int64_t i = 0; i < tacit_ledger_count(list->ledger); i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(list->ledger, i);
        any |= entry->epsilon > 0 && (!list->source || strcmp(list->source, entry->source) == 0);
    }
    return any;
}

static tacit_status run(void *state)
{
    listing *list = state;
    engine_session *session = list->session;
    list->source = engine_value(session->settings, "source");
    list->check = engine_has(session->settings, "check");
    tacit_status status =
        engine_ledger_wait(&list->ledger, session->settings->inputs[0], TACIT_LEDGER_READ, session);
    if (status == TACIT_OK && list->check)
        status = tacit_ledger_check(list->ledger, &session->run, &session->error);
    if (status == TACIT_OK)
        list->budgets = any_budget(list);
    return status;
}

static tacit_status commit(void *state)
{
    listing *list = state;
    return engine_report_print(list->session, &REPORTS, list);
}

static void clear(void *state)
{
    listing *list = state;
    tacit_ledger_free(list->ledger);
}

const engine_kind engine_ledger_listing = {
    .name = "ledger",
    .input = "DIR",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = SETTINGS,
    .size = sizeof(listing),
    .run = run,
    .commit = commit,
    .clear = clear,
};
