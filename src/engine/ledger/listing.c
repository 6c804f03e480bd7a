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
    int64_t shown, pending, changed;
} listing;

/* What is known of the file that a release went to. */
static const char *file_of(listing *list, const tacit_ledger_entry *entry)
{
    static const char *const WORDS[] = {"not there", "no file", "another", "as released"};
    if (strcmp(entry->path, "-") == 0)
        return "standard output";
    engine_ledger_file file = engine_ledger_file_of(entry, list->session);
    list->changed += file == ENGINE_LEDGER_OTHER;
    return WORDS[file];
}

static void add_entry(tacit_grid *grid, listing *list, const tacit_ledger_entry *entry)
{
    const char *slash = strrchr(entry->path, '/');
    bool pending = entry->state == TACIT_LEDGER_PENDING;
    tacit_grid_add(grid, "%lld", (long long)entry->number);
    tacit_grid_add(grid, "%.10s %.5s", entry->date,
                   strlen(entry->date) > 16 ? entry->date + 11 : "");
    tacit_grid_add(grid, "%s", entry->source);
    tacit_grid_add(grid, "%s", slash ? slash + 1 : entry->path);
    tacit_grid_add(grid, "%lld", (long long)entry->k);
    tacit_grid_add(grid, "%lld", (long long)entry->rows);
    tacit_grid_add(grid, "%lld", (long long)entry->classes);
    tacit_grid_add(grid, "%s", entry->method);
    tacit_grid_add(grid, "%s", pending ? "pending" : "released");
    if (list->check)
        tacit_grid_add(grid, "%s", file_of(list, entry));
    list->shown++;
    list->pending += pending;
}

static void print(FILE *out, listing *list)
{
    static const char *const HEADER[] = {"entry", "date (UTC)", "source", "release", "k",
                                         "rows",  "distinct",   "method", "state",   "file"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, list->check ? 10 : 9);
    for (int64_t i = 0; i < tacit_ledger_count(list->ledger); i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(list->ledger, i);
        if (!list->source || strcmp(list->source, entry->source) == 0)
            add_entry(&grid, list, entry);
    }
    if (list->shown > 0)
        tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
}

static void sum_up(FILE *out, const listing *list)
{
    fprintf(out, "%s%lld of %lld entries", list->shown ? "\n" : "", (long long)list->shown,
            (long long)tacit_ledger_count(list->ledger));
    if (list->pending > 0)
        fprintf(out, "; %lld pending: announced by a run that did not end, and counted as released",
                (long long)list->pending);
    if (list->changed > 0)
        fprintf(
            out,
            "; of %lld the file is now another, which changes nothing: what was released counts",
            (long long)list->changed);
    fprintf(out, "%s\n", list->check ? "; checksums and summaries are right" : "");
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
    return status;
}

static tacit_status commit(void *state)
{
    listing *list = state;
    print(list->session->out, list);
    sum_up(list->session->out, list);
    return TACIT_OK;
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
