/*
 * compare.c - `tacit compare`: risk against loss for several policies in one run.
 *
 * Each policy's release is made as `anonymize` makes it, judged and measured, and none appears.
 * What is worth choosing from is the frontier: the policies that no other beats in both, which is
 * what Figure 1 of Sweeney's thesis draws.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/compare.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/masking/measured.h"
#include "engine/records/release.h"

static const engine_setting SETTINGS[] = {
    {"policies", TACIT_SETTING_TEXT, "A.yaml,...", "the policies to compare", false, false},
    {"output", TACIT_SETTING_FILE, "OUT.csv", "where to write the table as CSV", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
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

static tacit_status list_policies(engine_comparison *comparison, tacit_error *err)
{
    const char *given = engine_value(comparison->session->settings, "policies");
    if (!given)
        return tacit__error(err, TACIT_INVALID, "no policies are given: --policies A.yaml,B.yaml");
    comparison->files = tacit__copy_text(given);
    if (!comparison->files)
        return tacit__nomem(err);
    char *rest = comparison->files;
    for (char *file; (file = strsep(&rest, ","));) {
        if (!*file)
            return tacit__error(err, TACIT_INVALID, "--policies: a name is empty in \"%.200s\"",
                                given);
        if (comparison->count == ENGINE_MAX_COMPARED)
            return tacit__error(err, TACIT_INVALID, "--policies: at most %d can be compared",
                                (int)ENGINE_MAX_COMPARED);
        engine_compared *compared = &comparison->list[comparison->count++];
        compared->file = file;
        name_of(compared->name, sizeof compared->name, file);
    }
    return TACIT_OK;
}

static tacit_status prepare(engine_comparison *comparison)
{
    tacit_error *err = &comparison->session->error;
    comparison->data = comparison->session->settings->inputs[0];
    if (!engine_is_file(comparison->data))
        return tacit__error(err, TACIT_INVALID,
                            "%.200s: the data is read several times and must be a file",
                            comparison->data);
    enum { READ = 1, FILES = READ + ENGINE_WRITTEN };
    engine_file files[FILES] = {{comparison->data, "DATA.csv", false}};
    engine_files_written(files + READ, comparison->session->settings);
    tacit_status status = engine_files_check(files, FILES, err);
    return status == TACIT_OK ? list_policies(comparison, err) : status;
}

/* ---- one of them ---- */

static void note(engine_compared *compared, const engine_release *release)
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
static tacit_status make(engine_compared *compared, engine_session *session)
{
    engine_ledger ledger = {0};
    engine_release release = {.session = session,
                              .ledger = &ledger,
                              .target = "-",
                              .unseen = true,
                              .measured.wanted = true};
    double start = engine_now();
    tacit_status status = tacit_policy_read(&release.policy, compared->file, &session->error);
    if (status == TACIT_OK && (release.policy->ledger || release.policy->previous_count))
        status = tacit__error(&session->error, TACIT_INVALID,
                              "%.200s: policies with a ledger or earlier releases are not compared",
                              compared->file);
    if (status == TACIT_OK) {
        tacit_policy_leave_unlinked(release.policy);
        status = engine_release_prepare(&release);
    }
    if (status == TACIT_OK)
        status = engine_release_make(&release, ENGINE_UNSEEN_STEPS);
    if (status == TACIT_OK)
        note(compared, &release);
    if (release.method)
        snprintf(compared->method, sizeof compared->method, "%s", engine_release_method(&release));
    compared->k = release.wanted.k;
    if (status == TACIT_INFEASIBLE) {
        snprintf(compared->refused, sizeof compared->refused, "%.255s", session->error.message);
        engine_session_clear_error(session);
        status = TACIT_OK;
    }
    compared->seconds = engine_now() - start;
    engine_release_clear(&release);
    return status;
}

/* ---- all of them ---- */

static bool beats(const engine_compared *a, const engine_compared *b)
{
    return !a->refused[0] && a->lost <= b->lost && a->relinked <= b->relinked &&
           (a->lost < b->lost || a->relinked < b->relinked);
}

static void find_frontier(engine_comparison *comparison)
{
    for (int i = 0; i < comparison->count; i++) {
        engine_compared *compared = &comparison->list[i];
        compared->best = !compared->refused[0];
        for (int j = 0; j < comparison->count; j++)
            compared->best = compared->best && !beats(&comparison->list[j], compared);
    }
}

/* By what they lose, as Figure 24 orders techniques; those without a release last. */
static int by_loss(const void *a, const void *b)
{
    const engine_compared *x = a, *y = b;
    bool x_made = !x->refused[0], y_made = !y->refused[0];
    if (x_made != y_made)
        return x_made ? -1 : 1;
    if (x_made && x->lost != y->lost)
        return x->lost < y->lost ? -1 : 1;
    return strcmp(x->file, y->file);
}

static tacit_status run(void *state)
{
    engine_comparison *comparison = state;
    tacit_status status = prepare(comparison);
    for (int i = 0; status == TACIT_OK && i < comparison->count; i++)
        status = make(&comparison->list[i], comparison->session);
    if (status != TACIT_OK)
        return status;
    find_frontier(comparison);
    qsort(comparison->list, (size_t)comparison->count, sizeof *comparison->list, by_loss);
    return TACIT_OK;
}

static tacit_status commit(void *state)
{
    engine_comparison *comparison = state;
    return engine_compare_tell(comparison->session->out, comparison);
}

static const engine_reports *reports(const void *state, const void **subject)
{
    *subject = state;
    return &engine_compare_reports;
}

static void clear(void *state)
{
    engine_comparison *comparison = state;
    tacit__free(comparison->files);
}

const engine_kind engine_compare = {
    .name = "compare",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = SETTINGS,
    .takes_data = true,
    .size = sizeof(engine_comparison),
    .run = run,
    .commit = commit,
    .reports = reports,
    .clear = clear,
};
