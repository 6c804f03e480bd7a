/*
 * learn.c - `tacit scrub --learn`: a training session on documents that people have marked
 * (section 9.3 of Computational Disclosure Control). What was learned is written only if the
 * documents that were held out are not scrubbed worse with it.
 *
 * It tells recall and precision before and after, and what it pinpoints: templates that match
 * nothing in this collection or are mostly wrong there, labels that are found least, names in
 * capitals only. No word of a document is shown; labels and templates are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/text/gold.h"
#include "engine/text/work.h"

enum { LISTED = 3, FEW_MATCHES = 3, PAGE_ROWS = 40 };

typedef struct learning_job {
    engine_session *session;
    engine_scrub scrub;
    engine_gold gold;
    tacit_learned *learned;
    const char *target; /* NULL: nothing is written */
    double precision;   /* the goal */
    double seconds;
} learning_job;

/* ---- what is worst first ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 1;
}

static bool is_unused(const tacit_learn_template *template)
{
    return template->matches == 0;
}

/* Fewer than half of the matches on which it decided were right. */
static bool is_wrong(const tacit_learn_template *template)
{
    return template->decided >= FEW_MATCHES && 2 * template->right < template->decided;
}

static bool is_changed(const tacit_learn_template *template)
{
    return template->before != template->after;
}

static size_t count_templates(const tacit_learned *learned,
                              bool (*is_such)(const tacit_learn_template *))
{
    size_t count = 0;
    for (size_t i = 0; i < learned->template_count; i++)
        count += is_such(&learned->templates[i]);
    return count;
}

static int by_wrongs(const void *a, const void *b)
{
    const tacit_learn_template *one = *(const tacit_learn_template *const *)a;
    const tacit_learn_template *other = *(const tacit_learn_template *const *)b;
    uint64_t first = one->decided - one->right, second = other->decided - other->right;
    if (first != second)
        return first > second ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* Templates that are mostly wrong; to be freed. */
static const tacit_learn_template **list_wrong(size_t *count, const tacit_learned *learned)
{
    const tacit_learn_template **list =
        tacit__alloc_zeroed(learned->template_count + 1, sizeof(void *));
    *count = 0;
    for (size_t i = 0; list && i < learned->template_count; i++)
        if (is_wrong(&learned->templates[i]))
            list[(*count)++] = &learned->templates[i];
    if (list)
        qsort(list, *count, sizeof *list, by_wrongs);
    return list;
}

static int by_recall(const void *a, const void *b)
{
    const tacit_learn_label *one = *(const tacit_learn_label *const *)a;
    const tacit_learn_label *other = *(const tacit_learn_label *const *)b;
    double first = share(one->after, one->personal), second = share(other->after, other->personal);
    if (first != second)
        return first < second ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* Labels with tokens that were held out, those with the least recall first; to be freed. */
static const tacit_learn_label **list_labels(size_t *count, const tacit_learned *learned)
{
    const tacit_learn_label **list = tacit__alloc_zeroed(learned->label_count + 1, sizeof(void *));
    *count = 0;
    for (size_t i = 0; list && i < learned->label_count; i++)
        if (learned->labels[i].personal > 0)
            list[(*count)++] = &learned->labels[i];
    if (list)
        qsort(list, *count, sizeof *list, by_recall);
    return list;
}

/* ---- scores ---- */

static void add_score(tacit_report *report, const char *when, const tacit_learn_score *score,
                      double precision)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_learn_score, tokens, "tokens", NULL, 0),
        TACIT_FIELD(tacit_learn_score, personal, "personal", NULL, 0),
        TACIT_FIELD(tacit_learn_score, found, "found", NULL, 0),
        TACIT_FIELD(tacit_learn_score, both, "both", NULL, 0),
        TACIT_FIELD(tacit_learn_score, clean, "clean", NULL, 0),
        TACIT_FIELD(tacit_learn_score, touched, "touched", NULL, 0),
    };
    tacit_report_enter(report, when);
    tacit_report_real(report, "recall", tacit_learn_recall(score));
    tacit_report_real(report, "precision", tacit_learn_precision(score));
    tacit_report_real(report, "value", tacit_learn_value(score, precision));
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), score);
    tacit_report_leave(report);
}

static void add_scores(tacit_report *report, const learning_job *job)
{
    const tacit_learned *learned = job->learned;
    const tacit_learn_score *before = &learned->before, *after = &learned->after;
    add_score(report, "before", before, job->precision);
    add_score(report, "after", after, job->precision);
    tacit_report_tile(report, "recall before", "%.4f", tacit_learn_recall(before));
    tacit_report_tile(report, "recall after", "%.4f", tacit_learn_recall(after));
    tacit_report_tile(report, "precision before", "%.4f", tacit_learn_precision(before));
    tacit_report_tile(report, "precision after", "%.4f", tacit_learn_precision(after));
    tacit_report_line(report, "recall", "%.4f before, %.4f after", tacit_learn_recall(before),
                      tacit_learn_recall(after));
    tacit_report_line(report, "precision", "%.4f before, %.4f after", tacit_learn_precision(before),
                      tacit_learn_precision(after));
    if (before->clean > 0)
        tacit_report_line(
            report, "clean",
            "of %llu documents with nothing personal %llu were touched before, %llu after",
            (unsigned long long)before->clean, (unsigned long long)before->touched,
            (unsigned long long)after->touched);
    tacit_report_real(report, "threshold.before", learned->threshold_before / 100.0);
    tacit_report_real(report, "threshold.after", learned->threshold / 100.0);
    tacit_report_line(report, "threshold", "%.2f before, %.2f after",
                      learned->threshold_before / 100.0, learned->threshold / 100.0);
    tacit_report_bool(report, "words", learned->words);
    tacit_report_line(report, "words", "%s",
                      learned->words
                          ? "with weights learned here"
                          : "with the weights of before: those learned here do no better");
}

/* ---- templates ---- */

static const tacit_report_column TEMPLATE_COLUMNS[] = {
    {.key = "kind", .heading = "kind"},
    {.key = "template", .heading = "template"},
    {.key = "before", .heading = "before", .decimals = 2},
    {.key = "after", .heading = "after", .decimals = 2},
    {.key = "matches"},
    {.key = "decided", .heading = "decided"},
    {.key = "right", .heading = "right"},
};
static const tacit_report_table TEMPLATES = {.name = "templates",
                                             .title = "Templates that are mostly wrong here",
                                             TACIT_COLUMNS(TEMPLATE_COLUMNS),
                                             .page_rows = PAGE_ROWS};

static void add_template(tacit_report *report, const tacit_learn_template *template)
{
    tacit_report_cell(report, "%s", tacit_text_kind_name(template->kind));
    tacit_report_cell_view(report, tacit_strview_of(template->text));
    tacit_report_cell_real(report, template->before / 100.0);
    tacit_report_cell_real(report, template->after / 100.0);
    tacit_report_cell_integer(report, (int64_t) template->matches);
    tacit_report_cell_integer(report, (int64_t) template->decided);
    tacit_report_cell_integer(report, (int64_t) template->right);
}

/* In a line each on the terminal, and as a table on the page. */
static void add_wrong(tacit_report *report, const tacit_learned *learned)
{
    size_t count;
    const tacit_learn_template **wrong = list_wrong(&count, learned);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    for (size_t i = 0; wrong && i < count && i < LISTED; i++)
        tacit_report_line(report, i ? "" : "wrong", "%s %.60s%s: right %llu times in %llu",
                          tacit_text_kind_name(wrong[i]->kind), wrong[i]->text,
                          strlen(wrong[i]->text) > 60 ? "..." : "",
                          (unsigned long long)wrong[i]->right,
                          (unsigned long long)wrong[i]->decided);
    if (count > LISTED)
        tacit_report_line(report, "", "and %zu more: see --report or --html", count - LISTED);
    tacit_report_show(report, count > 0 ? TACIT_SHOW_PAGE : 0);
    tacit_report_begin(report, &TEMPLATES);
    for (size_t i = 0; wrong && i < count; i++)
        add_template(report, wrong[i]);
    tacit_report_show(report, everywhere);
    tacit__free(wrong);
}

static void add_templates(tacit_report *report, const tacit_learned *learned)
{
    tacit_report_line(report, "templates",
                      "%zu of %zu have another likelihood; %zu match nothing here",
                      count_templates(learned, is_changed), learned->template_count,
                      count_templates(learned, is_unused));
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_JSON);
    tacit_report_begin(report, &TEMPLATES);
    for (size_t i = 0; i < learned->template_count; i++)
        add_template(report, &learned->templates[i]);
    tacit_report_show(report, everywhere);
    add_wrong(report, learned);
}

/* ---- labels ---- */

static const tacit_report_column LABEL_COLUMNS[] = {
    {.key = "label", .heading = "label"},
    {.key = "marks"},
    {.key = "personal", .heading = "tokens held out"},
    {.key = "before"},
    {.key = "after"},
    {.heading = "recall before", .decimals = 3},
    {.heading = "recall after", .decimals = 3},
};
static const tacit_report_table LABELS = {.name = "labels",
                                          .title = "Labels, those found least first",
                                          TACIT_COLUMNS(LABEL_COLUMNS),
                                          .page_rows = PAGE_ROWS};

static void add_label(tacit_report *report, const tacit_learn_label *label)
{
    tacit_report_cell_view(report, tacit_strview_of(label->label));
    tacit_report_cell_integer(report, (int64_t)label->marks);
    tacit_report_cell_integer(report, (int64_t)label->personal);
    tacit_report_cell_integer(report, (int64_t)label->before);
    tacit_report_cell_integer(report, (int64_t)label->after);
    tacit_report_cell_real(report, share(label->before, label->personal));
    tacit_report_cell_real(report, share(label->after, label->personal));
}

/* In a line on the terminal, and as a table on the page. */
static void add_least_found(tacit_report *report, const tacit_learned *learned)
{
    size_t count;
    const tacit_learn_label **labels = list_labels(&count, learned);
    char text[400] = "", name[48];
    int len = 0;
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_begin(report, &LABELS);
    for (size_t i = 0; labels && i < count; i++)
        add_label(report, labels[i]);
    for (size_t i = 0; labels && i < count && i < LISTED; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "%s%s %.3f to %.3f", i ? ", " : "",
                        engine_printable(name, sizeof name, tacit_strview_of(labels[i]->label)),
                        share(labels[i]->before, labels[i]->personal),
                        share(labels[i]->after, labels[i]->personal));
    tacit_report_show(report, TACIT_SHOW_TEXT);
    if (labels && count > 0)
        tacit_report_line(report, "labels", "found least: %s", text);
    tacit_report_show(report, everywhere);
    tacit__free(labels);
}

static void add_labels(tacit_report *report, const tacit_learned *learned)
{
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_JSON);
    if (learned->label_count > 0)
        tacit_report_begin(report, &LABELS);
    for (size_t i = 0; i < learned->label_count; i++)
        add_label(report, &learned->labels[i]);
    tacit_report_show(report, everywhere);
    add_least_found(report, learned);
}

/* What the templates and words expect of capitals. */
static void add_casing(tacit_report *report, const tacit_learn_casing *casing)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_learn_casing, documents, "documents", NULL, 0),
        TACIT_FIELD(tacit_learn_casing, capitals, "capitals", NULL, 0),
        TACIT_FIELD(tacit_learn_casing, lower, "lower", NULL, 0),
    };
    tacit_report_object(report, "names", FIELDS, TACIT_COUNT_OF(FIELDS), casing);
    if (casing->documents > 0 && (casing->capitals + casing->lower) * 10 >= casing->documents)
        tacit_report_line(report, "capitals",
                          "of the documents with names, %.0f %% write them all in capitals and "
                          "%.0f %% all in lower case: there capitals do not tell a name",
                          100 * share(casing->capitals, casing->documents),
                          100 * share(casing->lower, casing->documents));
}

/* ---- all of it ---- */

static void add_learning_head(tacit_report *report, const learning_job *job)
{
    const tacit_learned *learned = job->learned;
    tacit_report_title(report, "%s: learned from %zu documents, measured on %zu that were held out",
                       engine_value(job->session->settings, "learn"), learned->learning,
                       learned->held_out);
    tacit_report_paragraph(report,
                           "Learned from %zu documents, measured on %zu that were held out.",
                           learned->learning, learned->held_out);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_verdict(report, !learned->worse, "", "%s",
                         learned->worse
                             ? "The documents that were held out are scrubbed worse with "
                               "what was learned; it was not written."
                             : "The documents that were held out are scrubbed no worse "
                               "than before.");
    tacit_report_show(report, everywhere);
    tacit_report_integer(report, "documents.learning", (int64_t)learned->learning);
    tacit_report_integer(report, "documents.held_out", (int64_t)learned->held_out);
    tacit_report_real(report, "goal.precision", job->precision);
    tacit_report_bool(report, "worse", learned->worse);
}

static void add_outcome(tacit_report *report, const learning_job *job)
{
    const tacit_learned *learned = job->learned;
    if (!learned->worse &&
        tacit_learn_recall(&learned->after) < tacit_learn_recall(&learned->before))
        tacit_report_line(report, "caution",
                          "less is found than before, for the sake of precision; a lower "
                          "--precision than %g keeps recall",
                          job->precision);
    if (!learned->worse)
        tacit_report_line(report, "written", "%s",
                          job->target ? job->target : "nothing: -o names a file for --weights");
    tacit_report_real(report, "seconds.total", job->seconds);
    tacit_report_line(report, "time", "%.2f s", job->seconds);
}

static void fill_learning(tacit_report *report, const void *subject)
{
    const learning_job *job = subject;
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "scrub --learn");
    add_learning_head(report, job);
    add_scores(report, job);
    add_templates(report, job->learned);
    add_labels(report, job->learned);
    add_casing(report, &job->learned->casing);
    add_outcome(report, job);
}

static const engine_reports LEARNING_REPORT = {.title = "What was learned from marked text",
                                               .fill = fill_learning};

/* ---- the job ---- */

static tacit_status check_arguments(const engine_session *session, tacit_error *err)
{
    static const char *const NOT_TAKEN[] = {"spans",   "explain",    "column", "words",
                                            "replace", "consistent", "key"};
    const engine_settings *settings = session->settings;
    if (settings->input_count > 0)
        return tacit__error(err, TACIT_INVALID,
                            "--learn scrubs no FILE; scrub with what it writes by --weights");
    for (size_t i = 0; i < sizeof NOT_TAKEN / sizeof *NOT_TAKEN; i++)
        if (engine_has(settings, NOT_TAKEN[i]))
            return tacit__error(err, TACIT_INVALID, "--%s cannot be used with --learn",
                                NOT_TAKEN[i]);
    if (engine_real(settings, "precision", 0) > 1)
        return tacit__error(err, TACIT_INVALID,
                            "--precision takes a number from 0 to 1, not \"%.40s\"",
                            engine_value(settings, "precision"));
    const engine_file files[] = {
        {engine_value(settings, "learn"), "--learn", false},
        {engine_value(settings, "known"), "--known", false},
        {engine_value(settings, "templates"), "--templates", false},
        {engine_value(settings, "weights"), "--weights", false},
        {engine_value(settings, "output"), "-o", true},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    return engine_files_check(files, sizeof files / sizeof *files, err);
}

static tacit_status read_gold(engine_gold *gold, engine_session *session)
{
    static const char *const UNITS[] = {"characters", "bytes"};
    const engine_settings *settings = session->settings;
    const char *field = engine_value(settings, "jsonl");
    int unit = -1;
    tacit_status status = engine_choice(&unit, settings, "offsets", UNITS, 2, &session->error);
    if (status != TACIT_OK)
        return status;
    return engine_gold_read(gold, engine_value(settings, "learn"), field ? field : "text",
                            unit == 1, &session->error);
}

static tacit_status learn(learning_job *job)
{
    engine_session *session = job->session;
    const engine_settings *settings = session->settings;
    tacit_learn_options options;
    tacit_learn_options_init(&options);
    options.scrub = job->scrub.options;
    options.precision = engine_real(settings, "precision", options.precision);
    tacit_status status = tacit_scrub_learn(&job->learned, job->gold.documents, job->gold.count,
                                            &options, &session->run, &session->error);
    engine_scrub_name_file(session);
    if (status != TACIT_OK)
        return status;
    job->target = engine_value(settings, "output");
    job->precision = options.precision;
    job->seconds = engine_now() - session->start;
    return TACIT_OK;
}

static tacit_status run_learning(void *state)
{
    learning_job *job = state;
    job->scrub.session = job->session;
    tacit_status status = check_arguments(job->session, &job->session->error);
    if (status == TACIT_OK)
        status = engine_scrub_learn_plan(&job->scrub);
    if (status == TACIT_OK)
        status = read_gold(&job->gold, job->session);
    return status == TACIT_OK ? learn(job) : status;
}

/* The reports are written in any case: they say why nothing else is. */
static tacit_status commit_learning(void *state)
{
    learning_job *job = state;
    engine_session *session = job->session;
    tacit_error *err = &session->error;
    tacit_status status = TACIT_OK;
    if (job->target && !job->learned->worse)
        status = engine_files_add_text(session, tacit_output_new, job->target, job->learned->text,
                                       job->learned->len);
    if (status == TACIT_OK)
        status = engine_report_all(session, &LEARNING_REPORT, job);
    if (status != TACIT_OK)
        return status;
    return job->learned->worse
               ? tacit__error(err, TACIT_INFEASIBLE,
                              "the documents that were held out are scrubbed worse with what was "
                              "learned; nothing is written: mark more documents, or stay with the "
                              "settings there are")
               : TACIT_OK;
}

static void clear_learning(void *state)
{
    learning_job *job = state;
    tacit_learned_free(job->learned);
    engine_gold_clear(&job->gold);
    engine_scrub_plan_clear(&job->scrub);
}

const engine_kind engine_scrub_learn = {
    .name = "scrub",
    .size = sizeof(learning_job),
    .run = run_learning,
    .commit = commit_learning,
    .report = &LEARNING_REPORT,
    .clear = clear_learning,
};
