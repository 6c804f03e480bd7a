/*
 * compare.c - `tacit compare`: several policies for the same data, and of each what it loses and
 * who can be told from its release.
 *
 * Each policy's release is made as `anonymize` makes it, judged and measured, and none appears.
 * What is worth choosing from is the frontier: the policies that no other beats in both, which is
 * what Figure 1 of Sweeney's thesis draws, and the page, too. With a target the same is asked of a
 * task: predicting that column from what is released. The table goes to -o as CSV.
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
    {"target", TACIT_SETTING_TEXT, "COLUMN",
     "also compare how well the column can be predicted from the others by what is learned from "
     "each "
     "release, and draw the frontier of that",
     false, false},
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
    bool best;     /* no other policy loses and exposes less */
    bool weighted; /* estimates by sampling weights; NAN: no numbers, nothing to read */
    double mean_change, total_change, frequency_change;
    tacit_loss_prediction prediction;
    bool best_task; /* no other policy predicts better and exposes less */
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
    compared->weighted = loss->weighted;
    compared->mean_change = loss->weighted_mean_change;
    compared->total_change = loss->weighted_total_change;
    compared->frequency_change = loss->frequency_change;
    compared->prediction = loss->prediction;
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

/* Whether one point is in both no worse, and not the same. */
static bool beats(double cost, double relinked, double other_cost, double other_relinked)
{
    return cost <= other_cost && relinked <= other_relinked &&
           (cost < other_cost || relinked < other_relinked);
}

/* What learning from the release costs in accuracy or R^2; a release that has nothing to learn from
 * costs everything. */
static double task_cost(const compared_policy *compared)
{
    const tacit_loss_prediction *p = &compared->prediction;
    return p->before - (isnan(p->after) ? p->baseline : p->after);
}

static void find_frontier(comparison *all)
{
    for (int i = 0; i < all->count; i++) {
        compared_policy *compared = &all->list[i];
        compared->best = compared->best_task = !compared->refused[0];
        for (int j = 0; j < all->count; j++) {
            const compared_policy *other = &all->list[j];
            if (other->refused[0])
                continue;
            compared->best &=
                !beats(other->lost, other->relinked, compared->lost, compared->relinked);
            compared->best_task &=
                !beats(task_cost(other), other->relinked, task_cost(compared), compared->relinked);
        }
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

/* Whether there is a target that a model of the data says anything about. */
static bool predicts(const comparison *all)
{
    for (int i = 0; i < all->count; i++)
        if (!all->list[i].refused[0])
            return all->list[i].prediction.target >= 0 && isfinite(all->list[i].prediction.before);
    return false;
}

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

static void add_task(tacit_report *report, const compared_policy *compared)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_loss_prediction, before, "before", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, after, "after", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, baseline, "baseline", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, kept, "kept", NULL, 0),
        TACIT_FIELD(tacit_loss_prediction, tested, "tested", NULL, 0),
    };
    tacit_report_enter(report, "prediction");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &compared->prediction);
    tacit_report_bool(report, "frontier", compared->best_task);
    tacit_report_leave(report);
}

static void add_policy(tacit_report *report, const comparison *all, const compared_policy *compared)
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
    static const tacit_field ESTIMATES[] = {
        TACIT_FIELD(compared_policy, mean_change, "estimates.mean_change", NULL, 0),
        TACIT_FIELD(compared_policy, total_change, "estimates.total_change", NULL, 0),
        TACIT_FIELD(compared_policy, frequency_change, "estimates.frequency_change", NULL, 0),
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
        if (compared->weighted)
            tacit_report_fields(report, ESTIMATES, TACIT_COUNT_OF(ESTIMATES), compared);
        if (predicts(all))
            add_task(report, compared);
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

static bool any_weighted(const comparison *all)
{
    bool any = false;
    for (int i = 0; i < all->count; i++)
        any |= all->list[i].weighted;
    return any;
}

/* How far a survey's estimates move, where policies name its weights. */
static void add_estimates_table(tacit_report *report, const comparison *all)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "policy"},
        {.heading = "means, %", .scale = 100, .decimals = 2},
        {.heading = "totals, %", .scale = 100, .decimals = 2},
        {.heading = "a frequency, points", .scale = 100, .decimals = 2},
    };
    tacit_report_gap(report);
    tacit_report_note(report, "  estimates by sampling weights move");
    tacit_report_begin(
        report, TACIT_TABLE(NULL, "How far estimates by sampling weights move", true, COLUMNS));
    for (int i = 0; i < all->count; i++) {
        const compared_policy *compared = &all->list[i];
        if (!compared->weighted)
            continue;
        tacit_report_cell(report, "%s", compared->name);
        tacit_report_cell_real(report, compared->mean_change);
        tacit_report_cell_real(report, compared->total_change);
        tacit_report_cell_real(report, compared->frequency_change);
    }
}

/* What each release teaches about the target, beside what it exposes. */
static void add_task_table(tacit_report *report, const comparison *all)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "policy"},   {.heading = "from the data"}, {.heading = "from the release"},
        {.heading = "guessed"},  {.heading = "kept"},          {.heading = "re-linked"},
        {.heading = "frontier"},
    };
    char text[32];
    tacit_report_begin(report,
                       TACIT_TABLE(NULL, "How well the target is predicted", true, COLUMNS));
    for (int i = 0; i < all->count; i++) {
        const compared_policy *compared = &all->list[i];
        const tacit_loss_prediction *p = &compared->prediction;
        if (compared->refused[0])
            continue;
        tacit_report_cell(report, "%s", compared->name);
        tacit_report_cell(report, "%s", engine_prediction_score(text, sizeof text, p, p->before));
        tacit_report_cell(report, "%s", engine_prediction_score(text, sizeof text, p, p->after));
        tacit_report_cell(report, "%s", engine_prediction_score(text, sizeof text, p, p->baseline));
        tacit_report_cell(report, isfinite(p->kept) ? "%.2f" : "-", p->kept);
        tacit_report_cell(report, "%.3f", compared->relinked);
        tacit_report_cell(report, "%s", compared->best_task ? "yes" : "");
    }
}

/* Policies as points: what they cost, and whom they expose. */
typedef struct frontier {
    const char *title, *x_label;
    double (*cost)(const compared_policy *compared);
    size_t best; /* where a policy says that it is on it */
} frontier;

static double lost_of(const compared_policy *compared)
{
    return compared->lost;
}

/* The data as it is costs nothing; what it exposes was measured beside each release. */
static void draw_frontier(tacit_page *page, const comparison *all, const frontier *f)
{
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
        x[count] = f->cost(compared);
        y[count] = compared->relinked;
        best[count++] = *(const bool *)((const char *)compared + f->best);
    }
    const tacit_scatter scatter = {
        .title = f->title,
        .x_label = f->x_label,
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

static void draw_loss(tacit_page *page, const void *subject)
{
    draw_frontier(page, subject,
                  &(frontier){"Risk against loss", "share of the information that is lost", lost_of,
                              offsetof(compared_policy, best)});
}

/* Chance can make a release teach more than the data: that is no cost below nothing. */
static double drawn_cost(const compared_policy *compared)
{
    return fmax(task_cost(compared), 0);
}

static void draw_task(tacit_page *page, const void *subject)
{
    const comparison *all = subject;
    char title[160];
    snprintf(title, sizeof title, "Risk against what is lost in predicting %.100s",
             engine_value(all->session->settings, "target"));
    draw_frontier(page, all,
                  &(frontier){title,
                              all->list[0].prediction.classes
                                  ? "accuracy that is lost, as a share of the records"
                                  : "R\xC2\xB2 that is lost",
                              drawn_cost, offsetof(compared_policy, best_task)});
}

static void add_task_facts(tacit_report *report, const comparison *all)
{
    const tacit_loss_prediction *p = &all->list[0].prediction;
    const char *target = engine_value(all->session->settings, "target");
    tacit_report_gap(report);
    tacit_report_text(report, "target", target);
    tacit_report_note(report, "  %s predicted from the other columns: %s on %s records held out",
                      engine_show(target).text, p->classes ? "accuracy" : "R\xC2\xB2",
                      engine_count(p->tested).text);
    tacit_report_gap(report);
    tacit_report_section(report, "A task: predicting a column");
    tacit_report_paragraph(report,
                           "%s is predicted from the other columns by %s, learned from each "
                           "release and tried on %s records of the data that were held out: %s.",
                           engine_show(target).text, p->classes ? "naive Bayes" : "least squares",
                           engine_count(p->tested).text,
                           p->classes ? "the share that is right" : "R\xC2\xB2");
    tacit_report_drawing(report, draw_task, all);
    add_task_table(report, all);
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
    tacit_report_drawing(report, draw_loss, all);
    tacit_report_list(report, "policies");
    for (int i = 0; i < all->count; i++)
        add_policy(report, all, &all->list[i]);
    add_table(report, all);
    if (any_weighted(all))
        add_estimates_table(report, all);
    if (predicts(all))
        add_task_facts(report, all);
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

static void print_row(FILE *out, const comparison *all, const compared_policy *compared)
{
    bool made = !compared->refused[0];
    const double values[] = {compared->lost,     compared->il1s, compared->pmse,
                             compared->relinked, compared->low,  compared->high};
    fprintf(out, "\"%s\",%s,%lld,%s", compared->name, compared->method, (long long)compared->k,
            made ? "true" : "false");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        print_measure(out, made ? values[i] : NAN);
    fprintf(out, ",%s", compared->best ? "true" : "false");
    if (predicts(all)) {
        const tacit_loss_prediction *p = &compared->prediction;
        print_measure(out, made ? p->before : NAN);
        print_measure(out, made ? p->after : NAN);
        print_measure(out, made ? p->baseline : NAN);
        fprintf(out, ",%s", compared->best_task ? "true" : "false");
    }
    if (any_weighted(all)) {
        print_measure(out, made ? compared->mean_change : NAN);
        print_measure(out, made ? compared->total_change : NAN);
        print_measure(out, made ? compared->frequency_change : NAN);
    }
    fputc('\n', out);
}

static void print_policies(FILE *out, const void *subject)
{
    const comparison *all = subject;
    fprintf(out,
            "policy,method,k,released,lost,il1s,pmse,relinked,relinked_low,relinked_high,frontier"
            "%s%s\n",
            predicts(all) ? ",predicted_before,predicted_after,guessed,frontier_predicted" : "",
            any_weighted(all) ? ",weighted_means,weighted_totals,weighted_frequency" : "");
    for (int i = 0; i < all->count; i++)
        print_row(out, all, &all->list[i]);
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
