/*
 * compare.c - `tacit compare`: several policies for the same data, and of each what it loses and
 * who can be told from its release.
 *
 * Each policy's release is made as `anonymize` makes it, judged and measured, and none appears.
 * What is worth choosing from is the frontier: the policies that no other beats in both, which is
 * what Figure 1 of Sweeney's thesis draws, and the page, too. The table goes to -o as CSV.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/explore.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/masking/measured.h"

static const engine_setting SETTINGS[] = {
    {"policies", TACIT_SETTING_TEXT, "A.yaml,...", "the policies to compare", false, false},
    {"output", TACIT_SETTING_FILE, "OUT.csv", "where to write the table as CSV", false, false},
    {NULL, TACIT_SETTING_SWITCH, NULL, NULL, false, false},
};

enum { MAX_COMPARED = TACIT_MAX_SCATTER - 1 }; /* the data as it is takes a place */

/* What became of a policy. */
typedef struct compared_policy {
    const char *file;
    char name[64]; /* the file's, without folder and ending */
    char method[32];
    char refused[256]; /* why there is no release; empty: there is one */
    int64_t k;
    int64_t rows;
    double lost;      /* share of the information, 0 to 1 */
    double il1s;      /* NAN: no numbers */
    double pmse;      /* share of the largest that there can be */
    double precision; /* Prec, of what was generalized */
    double relinked;  /* share of the records, by the best attack */
    double low, high; /* its confidence */
    double unprotected;
    const char *attack;
    bool null_map, wrong_map, k_map;
    bool best; /* no other policy loses and exposes less */
    double seconds;
} compared_policy;

typedef struct comparison {
    engine_session *session;
    const char *data;
    compared_policy list[MAX_COMPARED];
    int count;
    char *files; /* the names as one text */
} comparison;

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

static tacit_status list_policies(comparison *all, tacit_error *err)
{
    const char *given = engine_value(all->session->settings, "policies");
    if (!given)
        return tacit__error(err, TACIT_INVALID, "no policies are given: --policies A.yaml,B.yaml");
    all->files = tacit__copy_text(given);
    if (!all->files)
        return tacit__nomem(err);
    char *rest = all->files;
    for (char *file; (file = strsep(&rest, ","));) {
        if (!*file)
            return tacit__error(err, TACIT_INVALID, "--policies: a name is empty in \"%.200s\"",
                                given);
        if (all->count == MAX_COMPARED)
            return tacit__error(err, TACIT_INVALID, "--policies: at most %d can be compared",
                                (int)MAX_COMPARED);
        compared_policy *compared = &all->list[all->count++];
        compared->file = file;
        name_of(compared->name, sizeof compared->name, file);
    }
    return TACIT_OK;
}

static tacit_status prepare(comparison *all)
{
    tacit_error *err = &all->session->error;
    all->data = all->session->settings->inputs[0];
    if (!engine_is_file(all->data))
        return tacit__error(err, TACIT_INVALID,
                            "%.200s: the data is read several times and must be a file", all->data);
    enum { READ = 1, FILES = READ + ENGINE_WRITTEN };
    engine_file files[FILES] = {{all->data, "DATA.csv", false}};
    engine_files_written(files + READ, all->session->settings);
    tacit_status status = engine_files_check(files, FILES, err);
    return status == TACIT_OK ? list_policies(all, err) : status;
}

/* ---- one of them ---- */

static void note(compared_policy *compared, const engine_release *release)
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
static tacit_status make(compared_policy *compared, engine_session *session)
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

static bool beats(const compared_policy *a, const compared_policy *b)
{
    return !a->refused[0] && a->lost <= b->lost && a->relinked <= b->relinked &&
           (a->lost < b->lost || a->relinked < b->relinked);
}

static void find_frontier(comparison *all)
{
    for (int i = 0; i < all->count; i++) {
        compared_policy *compared = &all->list[i];
        compared->best = !compared->refused[0];
        for (int j = 0; j < all->count; j++)
            compared->best = compared->best && !beats(&all->list[j], compared);
    }
}

/* By what they lose, as Figure 24 orders techniques; those without a release last. */
static int by_loss(const void *a, const void *b)
{
    const compared_policy *x = a, *y = b;
    bool x_made = !x->refused[0], y_made = !y->refused[0];
    if (x_made != y_made)
        return x_made ? -1 : 1;
    if (x_made && x->lost != y->lost)
        return x->lost < y->lost ? -1 : 1;
    return strcmp(x->file, y->file);
}

static tacit_status run(void *state)
{
    comparison *all = state;
    tacit_status status = prepare(all);
    for (int i = 0; status == TACIT_OK && i < all->count; i++)
        status = make(&all->list[i], all->session);
    if (status != TACIT_OK)
        return status;
    find_frontier(all);
    qsort(all->list, (size_t)all->count, sizeof *all->list, by_loss);
    return TACIT_OK;
}

/* ---- what is said of them ---- */

/* "null-map, k-map". */
static const char *maps_of(char *text, size_t size, const compared_policy *compared)
{
    const struct {
        bool holds;
        const char *name;
    } maps[] = {{compared->null_map, "null-map"},
                {compared->wrong_map, "wrong-map"},
                {compared->k_map, "k-map"}};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (maps[i].holds)
            engine_append_name(text, size, maps[i].name);
    return text;
}

static void add_policy(tacit_report *report, const compared_policy *compared)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(compared_policy, rows, "rows", NULL, 0),
        TACIT_FIELD(compared_policy, lost, "lost", NULL, 0),
        TACIT_FIELD(compared_policy, il1s, "il1s", NULL, 0),
        TACIT_FIELD(compared_policy, pmse, "pmse", NULL, 0),
        TACIT_FIELD(compared_policy, precision, "precision", NULL, 0),
        TACIT_FIELD(compared_policy, relinked, "relinked", NULL, 0),
        TACIT_FIELD(compared_policy, low, "relinked_low", NULL, 0),
        TACIT_FIELD(compared_policy, high, "relinked_high", NULL, 0),
        TACIT_FIELD(compared_policy, null_map, "null_map", NULL, 0),
        TACIT_FIELD(compared_policy, wrong_map, "wrong_map", NULL, 0),
        TACIT_FIELD(compared_policy, k_map, "k_map", NULL, 0),
    };
    bool made = !compared->refused[0];
    tacit_report_item(report, "policies");
    tacit_report_text(report, "policy", compared->name);
    tacit_report_text(report, "method", compared->method);
    tacit_report_integer(report, "k", compared->k);
    tacit_report_bool(report, "released", made);
    tacit_report_bool(report, "frontier", compared->best);
    tacit_report_real(report, "seconds", compared->seconds);
    if (made) {
        tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), compared);
        tacit_report_text(report, "attack", compared->attack);
    } else {
        tacit_report_text(report, "refused", compared->refused);
    }
    tacit_report_leave(report);
}

static void add_table(tacit_report *report, const comparison *all)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "policy"},      {.heading = "method"},   {.heading = "lost"},
        {.heading = "re-linked"},   {.heading = "at most"},  {.heading = "IL1s"},
        {.heading = "exact links"}, {.heading = "frontier"},
    };
    char text[64];
    tacit_report_begin(
        report, TACIT_TABLE(NULL, "What each policy loses and whom it exposes", true, COLUMNS));
    for (int i = 0; i < all->count; i++) {
        const compared_policy *compared = &all->list[i];
        bool made = !compared->refused[0];
        tacit_report_cell(report, "%s", compared->name);
        tacit_report_cell(report, "%s", compared->method);
        tacit_report_cell(report, made ? "%.3f" : "-", compared->lost);
        tacit_report_cell(report, made ? "%.3f" : "-", compared->relinked);
        tacit_report_cell(report, made ? "%.3f" : "-", compared->high);
        tacit_report_cell(report, made && isfinite(compared->il1s) ? "%.3f" : "-", compared->il1s);
        tacit_report_cell(report, "%s", made ? maps_of(text, sizeof text, compared) : "no release");
        tacit_report_cell(report, "%s", compared->best ? "yes" : "");
    }
}

/* The data as it is loses nothing; what it exposes was measured beside each release. */
static void draw_frontier(tacit_page *page, const void *subject)
{
    const comparison *all = subject;
    const char *names[TACIT_MAX_SCATTER];
    double x[TACIT_MAX_SCATTER], y[TACIT_MAX_SCATTER];
    bool best[TACIT_MAX_SCATTER];
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        const compared_policy *compared = &all->list[i];
        if (compared->refused[0])
            continue;
        if (count == 0) {
            names[count] = "the data unchanged";
            x[count] = 0;
            y[count] = compared->unprotected;
            best[count++] = false;
        }
        names[count] = compared->name;
        x[count] = compared->lost;
        y[count] = compared->relinked;
        best[count++] = compared->best;
    }
    const tacit_scatter scatter = {
        .title = "Risk against loss",
        .x_label = "share of the information that is lost",
        .y_label = "share of the records that can be re-linked",
        .names = names,
        .x = x,
        .y = y,
        .best = best,
        .count = count,
    };
    if (count > 0)
        tacit_page_scatter(page, &scatter);
}

static void add_comparison(tacit_report *report, const void *subject)
{
    const comparison *all = subject;
    tacit_report_title(report,
                       "%s: the information that each policy loses, and the share of records that "
                       "can be re-linked",
                       engine_show(all->data).text);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "compare");
    tacit_report_paragraph(report, "Each point is a policy. Further left the release has lost "
                                   "less, further down fewer records can be re-linked; the dashed "
                                   "line is the frontier of those that no other beats in both.");
    tacit_report_drawing(report, draw_frontier, all);
    tacit_report_list(report, "policies");
    for (int i = 0; i < all->count; i++)
        add_policy(report, &all->list[i]);
    add_table(report, all);
    for (int i = 0; i < all->count; i++) {
        const compared_policy *compared = &all->list[i];
        if (!compared->refused[0])
            continue;
        tacit_report_gap(report);
        tacit_report_note(report, "  %s: no release: %s", compared->name, compared->refused);
        tacit_report_paragraph(report, "%s: no release: %s", compared->name, compared->refused);
    }
    tacit_report_real(report, "seconds.total", engine_now() - all->session->start);
}

static const engine_reports REPORTS = {.title = "Policies compared", .fill = add_comparison};

/* ---- as CSV ---- */

static void print_measure(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6f", value);
    else
        fputc(',', out);
}

static void print_row(FILE *out, const compared_policy *compared)
{
    bool made = !compared->refused[0];
    const double values[] = {compared->lost,     compared->il1s, compared->pmse,
                             compared->relinked, compared->low,  compared->high};
    fprintf(out, "\"%s\",%s,%lld,%s", compared->name, compared->method, (long long)compared->k,
            made ? "true" : "false");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        print_measure(out, made ? values[i] : NAN);
    fprintf(out, ",%s\n", compared->best ? "true" : "false");
}

static void print_policies(FILE *out, const void *subject)
{
    const comparison *all = subject;
    fputs("policy,method,k,released,lost,il1s,pmse,relinked,relinked_low,relinked_high,frontier\n",
          out);
    for (int i = 0; i < all->count; i++)
        print_row(out, &all->list[i]);
}

/* ---- the kind ---- */

static tacit_status commit(void *state)
{
    comparison *all = state;
    tacit_status status = engine_report_print(all->session, &REPORTS, all);
    if (status == TACIT_OK)
        status = engine_explore_write(all->session, print_policies, all);
    return status == TACIT_OK ? engine_report(all->session, &REPORTS, all) : status;
}

static void clear(void *state)
{
    comparison *all = state;
    tacit__free(all->files);
}

const engine_kind engine_compare = {
    .name = "compare",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = SETTINGS,
    .takes_data = true,
    .size = sizeof(comparison),
    .run = run,
    .commit = commit,
    .report = &REPORTS,
    .clear = clear,
};
