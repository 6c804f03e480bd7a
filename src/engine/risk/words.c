/*
 * words.c - measures of risk in words, for the terminal and for the page:
 * what each number is of, and what it rests on, so that nobody has to know which
 * program calls it what.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/verdict.h"
#include "engine/risk/risk.h"

enum { LINE = 640, NUMBER = 40 };

/* Where lines go. */
typedef struct writer {
    engine_line_fn line;
    void *to;
} writer;

static void say(const writer *w, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void say(const writer *w, const char *label, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    w->line(w->to, label, text);
}

/* A number for a sentence. */
typedef struct figure {
    char text[NUMBER];
} figure;

static figure rounded(double value, int decimals)
{
    figure shown;
    tacit_number_text(shown.text, sizeof shown.text, value, decimals);
    return shown;
}

/* Whole numbers as they are; where they are too long, by their size. */
static figure large(double value)
{
    figure shown;
    if (fabs(value) < 1e15)
        return rounded(value, value == floor(value) ? 0 : 1);
    snprintf(shown.text, sizeof shown.text, "%.4g", value);
    return shown;
}

double engine_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

engine_columns_text engine_columns(int32_t count)
{
    engine_columns_text shown;
    snprintf(shown.text, sizeof shown.text, count == 1 ? "%d column" : "%d columns", (int)count);
    return shown;
}

const char *engine_risk_sentence(char *text, size_t size, const engine_risks *risk)
{
    const tacit_uniques_summary *found = risk->summary;
    char others[64] = "nobody else has", sets[32] = "columns";
    if (found->k == 2)
        snprintf(others, sizeof others, "at most one other has");
    else if (found->k > 2)
        snprintf(others, sizeof others, "at most %s others have", engine_count(found->k - 1).text);
    if (engine_risk_complete(risk) < risk->column_count)
        snprintf(sets, sizeof sets, "up to %s", engine_columns(engine_risk_complete(risk)).text);
    if (found->at_risk == 0)
        snprintf(text, size,
                 "none of %s records: there is no set of %s on which %s a record's values",
                 engine_count(found->rows).text, sets, others);
    else
        snprintf(text, size,
                 "%s of %s records (%.1f%%), through %s prime implicants: sets of %s, as "
                 "small as can be, on which %s the record's values",
                 engine_count(found->at_risk).text, engine_count(found->rows).text,
                 engine_percent(found->at_risk, found->rows), engine_count(found->sets).text, sets,
                 others);
    return text;
}

const char *engine_risk_choice(char *text, size_t size, const engine_risks *risk)
{
    snprintf(
        text, size,
        "all%s%s%s, for nobody said which others could know: --quasi NAME,... or a policy does",
        risk->left_out[0] ? " but " : "", risk->left_out,
        risk->left_out[0] ? " (which seem to name people)" : "");
    return text;
}

const char *engine_risk_stopped(char *text, size_t size, const engine_risks *risk)
{
    if (risk->summary->end == TACIT_OK)
        snprintf(text, size,
                 "the work was stopped %s before combinations of columns were counted; prime "
                 "implicants are all there",
                 risk->stopped);
    else
        snprintf(
            text, size,
            "the search was stopped %s: prime implicants of up to %s are all there, and none that "
            "are larger",
            risk->stopped, engine_columns(engine_risk_complete(risk)).text);
    return text;
}

static void say_columns(const writer *w, const engine_risks *risk)
{
    if (risk->missing == TACIT_MISSING_ANY)
        say(w, "missing", "a missing value matches every value (--missing any)");
    if (engine_risk_complete(risk) < risk->column_count)
        say(w, "size", "sets of more than %s are not known, %s%s",
            engine_columns(engine_risk_complete(risk)).text,
            risk->stopped ? "for the search was stopped " : "as --max-size wants it",
            risk->stopped ? risk->stopped : "");
}

static void say_scores(const writer *w, const engine_risks *risk)
{
    const tacit_suda *suda = risk->suda;
    say(w, "SUDA", "scores sum to %s, the highest is %s%s", large(suda->total).text,
        large(suda->highest).text, risk->summary->k > 1 ? "; SUDA itself is for k = 1" : "");
    say(w, "DIS",
        "%.5f at the highest and %.5f for the file, with a sampling fraction of %.4g (%s)",
        suda->highest_dis, suda->file_dis, risk->fraction, risk->fraction_from);
}

static void say_attackers(const writer *w, const engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    const struct {
        const char *name, *who;
        const tacit_attacker *is;
    } attackers[] = {
        {"prosecutor", "who knows that a person is in the data", &sampled->prosecutor},
        {"journalist", "who does not know it", &sampled->journalist},
    };
    for (size_t i = 0; i < sizeof attackers / sizeof attackers[0]; i++) {
        const tacit_attacker *is = attackers[i].is;
        say(w, attackers[i].name,
            "%s finds %.1f%% of the records on average; the highest chance to find one is %.4g, "
            "and %.1f%% of them have a chance above %g",
            attackers[i].who, 100 * is->success, is->highest, 100 * is->records_at_risk,
            risk->sample.threshold);
    }
    say(w, "marketer", "who tries to match everybody finds %.1f%% of the records",
        100 * sampled->marketer);
}

static void say_estimate(char *text, size_t size, const char *name, double people)
{
    size_t used = strlen(text);
    if (isfinite(people))
        snprintf(text + used, size - used, "%s%s by %s", used ? ", " : "", rounded(people, 0).text,
                 name);
    else
        snprintf(text + used, size - used, "%s%s's model does not fit", used ? ", " : "", name);
}

static void say_population(const writer *w, const engine_risks *risk)
{
    static const char *const MODELS[] = {"none", "Pitman's", "Zayatz's", "SNB's"};
    const tacit_risk *sampled = risk->sampled;
    char estimates[256] = "";
    if (sampled->population <= (double)sampled->rows) {
        say(w, "population",
            "the data are taken for the whole of it; --fraction or --weights say otherwise");
        return;
    }
    say(w, "population", "%s people, %.4g%% of them in the data (%s)",
        rounded(sampled->population, 0).text, 100 * (double)sampled->rows / sampled->population,
        risk->weights ? "--weights" : "--fraction");
    if (sampled->alone == 0) {
        say(w, "uniques",
            "every record matches another, so nothing is estimated of the population");
        return;
    }
    say_estimate(estimates, sizeof estimates, "Pitman", sampled->pitman);
    say_estimate(estimates, sizeof estimates, "Zayatz", sampled->zayatz);
    say_estimate(estimates, sizeof estimates, "SNB", sampled->snb);
    say(w, "uniques",
        "%s records match no other. People of whom that is true in the population are estimated: "
        "%s; the rule of Dankar and others takes %s",
        engine_count(sampled->alone).text, estimates, MODELS[sampled->dankar_model]);
    say(w, "match", "a unique match is right with a chance of %.4g (Skinner and Elliot)",
        sampled->skinner);
}

void engine_risk_lines(const engine_risks *risk, engine_line_fn line, void *to)
{
    const writer w = {line, to};
    const tacit_risk *sampled = risk->sampled;
    say_columns(&w, risk);
    say_scores(&w, risk);
    say_population(&w, risk);
    say(&w, "individual",
        "%s re-identifications are expected (%.1f%% of the records); the highest risk is %.4g, "
        "and %s records (%.1f%%) have one above %g",
        rounded(sampled->expected, 1).text,
        sampled->rows > 0 ? 100 * sampled->expected / (double)sampled->rows : 0, sampled->highest,
        engine_count(risk->above).text, engine_percent(risk->above, sampled->rows),
        risk->sample.threshold);
    say_attackers(&w, risk);
}
