/*
 * cmd_compare.c - `tacit compare`: risk against loss for several policies in one run.
 *
 * Each policy's release is made as `anonymize` makes it, judged and measured, and none appears.
 * What is worth choosing from is the frontier: the policies that no other beats in both, which is
 * what Figure 1 of Sweeney's thesis draws.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "files.h"
#include "measured.h"
#include "release.h"

static const cli_option OPTIONS[] = {
    {"policies", 0, CLI_TEXT, "A.yaml,...", "the policies to compare", false},
    {"output", 'o', CLI_FILE, "OUT.csv", "where to write the table as CSV", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

/* ---- which policies ---- */

/* The file's name without folder and ending. */
static void name_of(char *name, size_t size, const char *file)
{
    const char *slash = strrchr(file, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : file);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
}

static tacit_status list_policies(cli_comparison *comparison, tacit_error *err)
{
    const char *given = cli_value(comparison->session->arguments, "policies");
    if (!given)
        return cli_error(err, TACIT_INVALID, "no policies are given: --policies A.yaml,B.yaml");
    comparison->files = strdup(given);
    if (!comparison->files)
        return cli_error(err, TACIT_NOMEM, "out of memory");
    char *rest = comparison->files;
    for (char *file; (file = strsep(&rest, ","));) {
        if (!*file)
            return cli_error(err, TACIT_INVALID, "--policies: a name is empty in \"%.200s\"",
                             given);
        if (comparison->count == CLI_MAX_COMPARED)
            return cli_error(err, TACIT_INVALID, "--policies: at most %d can be compared",
                             (int)CLI_MAX_COMPARED);
        cli_compared *compared = &comparison->list[comparison->count++];
        compared->file = file;
        name_of(compared->name, sizeof compared->name, file);
    }
    return TACIT_OK;
}

static tacit_status prepare(cli_comparison *comparison)
{
    tacit_error *err = &comparison->session->error;
    comparison->data = comparison->session->arguments->operands[0];
    if (!cli_is_file(comparison->data))
        return cli_error(err, TACIT_INVALID,
                         "%.200s: the data is read several times and must be a file",
                         comparison->data);
    enum { READ = 1, FILES = READ + CLI_WRITTEN };
    cli_file files[FILES] = {{comparison->data, "DATA.csv", false}};
    cli_files_written(files + READ, comparison->session->arguments);
    tacit_status status = cli_files_check(files, FILES, err);
    return status == TACIT_OK ? list_policies(comparison, err) : status;
}

/* ---- one of them ---- */

static void note(cli_compared *compared, const cli_release *release)
{
    const tacit_relink *relinked = release->measured.relinked;
    const tacit_relink_attack *attack = &relinked->attacks[relinked->best];
    const tacit_loss *loss = release->measured.loss;
    compared->rows = release->application->row_count;
    compared->lost = loss->lost;
    compared->il1s = loss->il1s;
    compared->pmse = loss->pmse_share;
    compared->precision = release->metrics.precision;
    compared->relinked = attack->share;
    compared->low = attack->low;
    compared->high = attack->high;
    compared->unprotected = relinked->unprotected;
    compared->attack = tacit_relink_kind_name(relinked->best);
    compared->null_map = relinked->maps.null_map == TACIT_LINK_HOLDS;
    compared->wrong_map = relinked->maps.wrong_map == TACIT_LINK_HOLDS;
    compared->k_map = relinked->maps.k_map == TACIT_LINK_HOLDS;
}

/* A policy that no release can keep is part of the answer. */
static tacit_status make(cli_compared *compared, cli_session *session)
{
    cli_ledger ledger = {0};
    cli_release release = {.session = session,
                           .ledger = &ledger,
                           .target = "-",
                           .unseen = true,
                           .measured.wanted = true};
    double start = cli_now();
    tacit_status status = tacit_policy_read(&release.policy, compared->file, &session->error);
    if (status == TACIT_OK && (release.policy->ledger || release.policy->previous_count))
        status = cli_error(&session->error, TACIT_INVALID,
                           "%.200s: policies with a ledger or earlier releases are not compared",
                           compared->file);
    if (status == TACIT_OK) {
        tacit_policy_leave_unlinked(release.policy);
        status = cli_release_prepare(&release);
    }
    if (status == TACIT_OK)
        status = cli_release_make(&release, CLI_UNSEEN_STEPS);
    if (status == TACIT_OK)
        note(compared, &release);
    if (release.method)
        snprintf(compared->method, sizeof compared->method, "%s", cli_release_method(&release));
    compared->k = release.wanted.k;
    if (status == TACIT_INFEASIBLE) {
        snprintf(compared->refused, sizeof compared->refused, "%.255s", session->error.message);
        cli_session_clear_error(session);
        status = TACIT_OK;
    }
    compared->seconds = cli_now() - start;
    cli_release_clear(&release);
    return status;
}

/* ---- all of them ---- */

static bool beats(const cli_compared *a, const cli_compared *b)
{
    return !a->refused[0] && a->lost <= b->lost && a->relinked <= b->relinked &&
           (a->lost < b->lost || a->relinked < b->relinked);
}

static void find_frontier(cli_comparison *comparison)
{
    for (int i = 0; i < comparison->count; i++) {
        cli_compared *compared = &comparison->list[i];
        compared->best = !compared->refused[0];
        for (int j = 0; j < comparison->count; j++)
            compared->best = compared->best && !beats(&comparison->list[j], compared);
    }
}

/* By what they lose, as Figure 24 orders techniques; those without a release last. */
static int by_loss(const void *a, const void *b)
{
    const cli_compared *x = a, *y = b;
    bool x_made = !x->refused[0], y_made = !y->refused[0];
    if (x_made != y_made)
        return x_made ? -1 : 1;
    if (x_made && x->lost != y->lost)
        return x->lost < y->lost ? -1 : 1;
    return strcmp(x->file, y->file);
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    cli_comparison comparison = {.session = &session};
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = prepare(&comparison);
    for (int i = 0; status == TACIT_OK && i < comparison.count; i++)
        status = make(&comparison.list[i], &session);
    if (status == TACIT_OK) {
        find_frontier(&comparison);
        qsort(comparison.list, (size_t)comparison.count, sizeof *comparison.list, by_loss);
        status = cli_compare_tell(&comparison);
    }
    int result = cli_session_end(&session, status);
    free(comparison.files);
    return result;
}

const cli_command cli_compare = {
    .name = "compare",
    .summary = "risk against loss for several policies",
    .usage = "DATA.csv --policies A.yaml,B.yaml,... [options]",
    .about = "Makes the release of each policy as tacit anonymize does, has it judged, and "
             "measures what "
             "it has lost of the data and how many of its records can be told from it. Nothing is "
             "released. Policies that no other beats in both are the frontier to choose from.",
    .operand = "DATA.csv",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .takes_data = true,
    .example = "tacit compare patients.csv --policies noise.yaml,swap.yaml,local.yaml --html "
               "frontier.html",
    .run = run,
};
