/*
 * learn_account.c - a training session told: recall and precision before and after, and
 * what it pinpoints (section 9.3): templates that match nothing in this collection or are mostly
 * wrong there, labels that are found least, names in capitals only. No word of a document is
 * shown; labels and templates are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/records/verdict.h"
#include "engine/text/learn.h"

enum { LISTED = 3, FEW_MATCHES = 3, PAGE_ROWS = 40 };

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

/* ---- what is worst first ---- */

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

/* ---- the terminal ---- */

static void tell_labels(FILE *out, const tacit_learned *learned)
{
    size_t count;
    const tacit_learn_label **labels = list_labels(&count, learned);
    char text[400] = "", name[48];
    int len = 0;
    for (size_t i = 0; labels && i < count && i < LISTED; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "%s%s %.3f to %.3f", i ? ", " : "",
                        engine_printable(name, sizeof name, tacit_strview_of(labels[i]->label)),
                        share(labels[i]->before, labels[i]->personal),
                        share(labels[i]->after, labels[i]->personal));
    if (labels && count > 0)
        engine_line(out, "labels", "found least: %s", text);
    tacit__free(labels);
}

static void tell_templates(FILE *out, const tacit_learned *learned)
{
    size_t count;
    const tacit_learn_template **wrong = list_wrong(&count, learned);
    engine_line(out, "templates", "%zu of %zu have another likelihood; %zu match nothing here",
                count_templates(learned, is_changed), learned->template_count,
                count_templates(learned, is_unused));
    for (size_t i = 0; wrong && i < count && i < LISTED; i++)
        engine_line(out, i ? "" : "wrong", "%s %.60s%s: right %llu times in %llu",
                    tacit_text_kind_name(wrong[i]->kind), wrong[i]->text,
                    strlen(wrong[i]->text) > 60 ? "..." : "", (unsigned long long)wrong[i]->right,
                    (unsigned long long)wrong[i]->decided);
    if (count > LISTED)
        engine_line(out, "", "and %zu more: see --report or --html", count - LISTED);
    tacit__free(wrong);
}

/* What the templates and words expect of capitals. */
static const char *casing_words(char *buffer, size_t size, const tacit_learn_casing *casing)
{
    uint64_t without = casing->capitals + casing->lower;
    if (casing->documents == 0 || without * 10 < casing->documents)
        return NULL;
    snprintf(buffer, size,
             "of the documents with names, %.0f %% write them all in capitals and %.0f %% all in "
             "lower case: there capitals do not tell a name",
             100 * share(casing->capitals, casing->documents),
             100 * share(casing->lower, casing->documents));
    return buffer;
}

static const char *words_words(const tacit_learned *learned)
{
    return learned->words ? "with weights learned here"
                          : "with the weights of before: those learned here do no better";
}

void engine_learning_tell(FILE *out, const engine_learning *learning)
{
    const tacit_learned *learned = learning->learned;
    char text[256];
    const char *casing = casing_words(text, sizeof text, &learned->casing);
    fprintf(out, "%s: learned from %zu documents, measured on %zu that were held out\n\n",
            engine_show(learning->gold).text, learned->learning, learned->held_out);
    engine_line(out, "recall", "%.4f before, %.4f after", tacit_learn_recall(&learned->before),
                tacit_learn_recall(&learned->after));
    engine_line(out, "precision", "%.4f before, %.4f after",
                tacit_learn_precision(&learned->before), tacit_learn_precision(&learned->after));
    if (learned->before.clean > 0)
        engine_line(out, "clean",
                    "of %llu documents with nothing personal %llu were touched before, %llu after",
                    (unsigned long long)learned->before.clean,
                    (unsigned long long)learned->before.touched,
                    (unsigned long long)learned->after.touched);
    engine_line(out, "threshold", "%.2f before, %.2f after", learned->threshold_before / 100.0,
                learned->threshold / 100.0);
    engine_line(out, "words", "%s", words_words(learned));
    tell_templates(out, learned);
    tell_labels(out, learned);
    if (casing)
        engine_line(out, "capitals", "%s", casing);
    if (!learned->worse &&
        tacit_learn_recall(&learned->after) < tacit_learn_recall(&learned->before))
        engine_line(out, "caution",
                    "less is found than before, for the sake of precision; a lower "
                    "--precision than %g keeps recall",
                    learning->precision);
    if (!learned->worse)
        engine_line(out, "written", "%s",
                    learning->target ? learning->target : "nothing: -o names a file for --weights");
    engine_line(out, "time", "%.2f s", learning->seconds);
}

/* ---- JSON ---- */

static void add_score(tacit_account *account, const char *when, const tacit_learn_score *score,
                      double precision)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"tokens", score->tokens}, {"personal", score->personal},
                  {"found", score->found},   {"both", score->both},
                  {"clean", score->clean},   {"touched", score->touched}};
    const struct {
        const char *name;
        double value;
    } rates[] = {{"recall", tacit_learn_recall(score)},
                 {"precision", tacit_learn_precision(score)},
                 {"value", tacit_learn_value(score, precision)}};
    char path[64];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        snprintf(path, sizeof path, "%s.%s", when, rates[i].name);
        tacit_account_real(account, path, rates[i].value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(path, sizeof path, "%s.%s", when, counts[i].name);
        tacit_account_integer(account, path, (int64_t)counts[i].value);
    }
}

static void add_labels(tacit_account *account, const tacit_learned *learned)
{
    for (size_t i = 0; i < learned->label_count; i++) {
        const tacit_learn_label *label = &learned->labels[i];
        tacit_account_push_object(account, "labels");
        tacit_account_text(account, "@.label", tacit_strview_of(label->label));
        tacit_account_integer(account, "@.marks", (int64_t)label->marks);
        tacit_account_integer(account, "@.personal", (int64_t)label->personal);
        tacit_account_integer(account, "@.before", (int64_t)label->before);
        tacit_account_integer(account, "@.after", (int64_t)label->after);
    }
}

static void add_templates(tacit_account *account, const tacit_learned *learned)
{
    for (size_t i = 0; i < learned->template_count; i++) {
        const tacit_learn_template *template = &learned->templates[i];
        tacit_account_push_object(account, "templates");
        tacit_account_text(account, "@.kind",
                           tacit_strview_of(tacit_text_kind_name(template->kind)));
        tacit_account_text(account, "@.template", tacit_strview_of(template->text));
        tacit_account_real(account, "@.before", template->before / 100.0);
        tacit_account_real(account, "@.after", template->after / 100.0);
        tacit_account_integer(account, "@.matches", (int64_t) template->matches);
        tacit_account_integer(account, "@.decided", (int64_t) template->decided);
        tacit_account_integer(account, "@.right", (int64_t) template->right);
    }
}

void engine_learning_account(tacit_account *account, const void *subject)
{
    const engine_learning *learning = subject;
    const tacit_learned *learned = learning->learned;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("scrub --learn"));
    tacit_account_integer(account, "documents.learning", (int64_t)learned->learning);
    tacit_account_integer(account, "documents.held_out", (int64_t)learned->held_out);
    tacit_account_real(account, "goal.precision", learning->precision);
    tacit_account_bool(account, "worse", learned->worse);
    add_score(account, "before", &learned->before, learning->precision);
    add_score(account, "after", &learned->after, learning->precision);
    tacit_account_real(account, "threshold.before", learned->threshold_before / 100.0);
    tacit_account_real(account, "threshold.after", learned->threshold / 100.0);
    tacit_account_bool(account, "words", learned->words);
    tacit_account_integer(account, "names.documents", (int64_t)learned->casing.documents);
    tacit_account_integer(account, "names.capitals", (int64_t)learned->casing.capitals);
    tacit_account_integer(account, "names.lower", (int64_t)learned->casing.lower);
    add_labels(account, learned);
    add_templates(account, learned);
    tacit_account_real(account, "seconds.total", learning->seconds);
}

/* ---- the page ---- */

static void page_labels(tacit_page *page, const tacit_learned *learned)
{
    static const char *const HEADER[] = {"label", "tokens held out", "recall before",
                                         "recall after"};
    const char *cells[PAGE_ROWS * 4];
    char text[PAGE_ROWS][3][24];
    size_t count;
    const tacit_learn_label **labels = list_labels(&count, learned);
    int rows = 0;
    for (; labels && rows < PAGE_ROWS && (size_t)rows < count; rows++) {
        const tacit_learn_label *label = labels[rows];
        snprintf(text[rows][0], 24, "%llu", (unsigned long long)label->personal);
        snprintf(text[rows][1], 24, "%.3f", share(label->before, label->personal));
        snprintf(text[rows][2], 24, "%.3f", share(label->after, label->personal));
        cells[4 * rows] = label->label;
        for (int i = 0; i < 3; i++)
            cells[4 * rows + 1 + i] = text[rows][i];
    }
    tacit_page_table(page, "Labels, those found least first", HEADER, 4, cells, rows);
    tacit__free(labels);
}

static void page_templates(tacit_page *page, const tacit_learned *learned)
{
    static const char *const HEADER[] = {"template", "kind", "decided", "right", "before", "after"};
    const char *cells[PAGE_ROWS * 6];
    char text[PAGE_ROWS][4][24];
    size_t count;
    const tacit_learn_template **wrong = list_wrong(&count, learned);
    int rows = 0;
    for (; wrong && rows < PAGE_ROWS && (size_t)rows < count; rows++) {
        const tacit_learn_template *template = wrong[rows];
        snprintf(text[rows][0], 24, "%llu", (unsigned long long)template->decided);
        snprintf(text[rows][1], 24, "%llu", (unsigned long long)template->right);
        snprintf(text[rows][2], 24, "%.2f", template->before / 100.0);
        snprintf(text[rows][3], 24, "%.2f", template->after / 100.0);
        cells[6 * rows] = template->text;
        cells[6 * rows + 1] = tacit_text_kind_name(template->kind);
        for (int i = 0; i < 4; i++)
            cells[6 * rows + 2 + i] = text[rows][i];
    }
    if (rows > 0)
        tacit_page_table(page, "Templates that are mostly wrong here", HEADER, 6, cells, rows);
    tacit__free(wrong);
}

void engine_learning_page(tacit_page *page, const void *subject)
{
    static const char *const NAMES[] = {"recall before", "recall after", "precision before",
                                        "precision after"};
    const tacit_learned *learned = ((const engine_learning *)subject)->learned;
    const double values[] = {
        tacit_learn_recall(&learned->before), tacit_learn_recall(&learned->after),
        tacit_learn_precision(&learned->before), tacit_learn_precision(&learned->after)};
    char shown[4][16], text[256];
    const char *tiles[4];
    for (int i = 0; i < 4; i++) {
        snprintf(shown[i], sizeof shown[i], "%.4f", values[i]);
        tiles[i] = shown[i];
    }
    snprintf(text, sizeof text, "Learned from %zu documents, measured on %zu that were held out.",
             learned->learning, learned->held_out);
    tacit_page_paragraph(page, text);
    tacit_page_banner(page, !learned->worse,
                      learned->worse ? "The documents that were held out are scrubbed worse with "
                                       "what was learned; it was not written."
                                     : "The documents that were held out are scrubbed no worse "
                                       "than before.");
    tacit_page_tiles(page, NAMES, tiles, 4);
    page_labels(page, learned);
    page_templates(page, learned);
    snprintf(text, sizeof text, "%zu of %zu templates match nothing in this collection.",
             count_templates(learned, is_unused), learned->template_count);
    tacit_page_paragraph(page, text);
    const char *casing = casing_words(text, sizeof text, &learned->casing);
    if (casing)
        tacit_page_paragraph(page, casing);
}
