/*
 * cmd_ledger.c - `tacit ledger DIR`: what a ledger remembers, and whether it is whole.
 *
 * Opening reads every entry and compares its checksum; --check also reads the summaries, and the
 * releases where they are still where they went. There is no way to take an entry out: what was
 * released is known to others, whatever a ledger says.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "grid.h"
#include "ledger.h"

static const cli_option OPTIONS[] = {
    {"check", 0, CLI_SWITCH, NULL,
     "also read what each entry remembers of its release, and compare the releases that are still "
     "where they went",
     false},
    {"source", 0, CLI_TEXT, "NAME", "list only what was released from this source", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

typedef struct listing {
    cli_session *session;
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
    cli_ledger_file file = cli_ledger_file_of(entry, list->session);
    list->changed += file == CLI_LEDGER_OTHER;
    return WORDS[file];
}

static void add_entry(cli_grid *grid, listing *list, const tacit_ledger_entry *entry)
{
    const char *slash = strrchr(entry->path, '/');
    bool pending = entry->state == TACIT_LEDGER_PENDING;
    cli_grid_add(grid, "%lld", (long long)entry->number);
    cli_grid_add(grid, "%.10s %.5s", entry->date, strlen(entry->date) > 16 ? entry->date + 11 : "");
    cli_grid_add(grid, "%s", entry->source);
    cli_grid_add(grid, "%s", slash ? slash + 1 : entry->path);
    cli_grid_add(grid, "%lld", (long long)entry->k);
    cli_grid_add(grid, "%lld", (long long)entry->rows);
    cli_grid_add(grid, "%lld", (long long)entry->classes);
    cli_grid_add(grid, "%s", entry->method);
    cli_grid_add(grid, "%s", pending ? "pending" : "released");
    if (list->check)
        cli_grid_add(grid, "%s", file_of(list, entry));
    list->shown++;
    list->pending += pending;
}

static void print(listing *list)
{
    static const char *const HEADER[] = {"entry", "date (UTC)", "source", "release", "k",
                                         "rows",  "distinct",   "method", "state",   "file"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, list->check ? 10 : 9);
    for (int64_t i = 0; i < tacit_ledger_count(list->ledger); i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(list->ledger, i);
        if (!list->source || strcmp(list->source, entry->source) == 0)
            add_entry(&grid, list, entry);
    }
    cli_terminal_erase(&list->session->terminal);
    if (list->shown > 0)
        cli_grid_print(&grid, stdout);
    cli_grid_clear(&grid);
}

static void sum_up(const listing *list)
{
    printf("%s%lld of %lld entries", list->shown ? "\n" : "", (long long)list->shown,
           (long long)tacit_ledger_count(list->ledger));
    if (list->pending > 0)
        printf("; %lld pending: announced by a run that did not end, and counted as released",
               (long long)list->pending);
    if (list->changed > 0)
        printf("; of %lld the file is now another, which changes nothing: what was released counts",
               (long long)list->changed);
    printf("%s\n", list->check ? "; checksums and summaries are right" : "");
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    listing list = {.session = &session,
                    .source = cli_value(arguments, "source"),
                    .check = cli_has(arguments, "check")};
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = cli_ledger_wait(&list.ledger, arguments->operands[0], TACIT_LEDGER_READ, &session);
    if (status == TACIT_OK && list.check)
        status = tacit_ledger_check(list.ledger, &session.run, &session.error);
    if (status == TACIT_OK) {
        print(&list);
        sum_up(&list);
    }
    int result = cli_session_end(&session, status);
    tacit_ledger_free(list.ledger);
    return result;
}

const cli_command cli_ledger_command = {
    .name = "ledger",
    .summary = "what was released before, as a ledger remembers it",
    .usage = "DIR [--check] [--source NAME]",
    .about =
        "Lists the releases that tacit anonymize --ledger DIR has written down: when, from which "
        "source, with which k and method. A ledger holds hashes under a key of its own and never a "
        "value of the data; every later release from the same data, whatever it is called, has "
        "to withstand all of them.\n"
        "An entry is pending from before its release appears until it has. One that stays so "
        "belongs to a run that was killed or could not write, and counts as released. Entries "
        "cannot be taken out: what is out is out.",
    .operand = "DIR",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .example = "tacit ledger patients.ledger --check",
    .run = run,
};
