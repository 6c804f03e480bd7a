/*
 * masking_facts.c - what techniques did, what they claim to have kept, and what the judge has
 * measured of that: the paper asks that whoever gets the data can be told what was done to it.
 * Names of columns and figures, never values; secret settings are not shown.
 */
#include "engine/masking/masking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { NAMED = 4, NAME_BYTES = 48, SENTENCE_BYTES = 512 };

typedef struct words {
    char *text;
    size_t size;
} words;

/* "a, b and c"; of many, the first ones and how many more. */
static void add_names(const words *w, const char *const *names, size_t count)
{
    char name[NAME_BYTES];
    size_t shown = count > NAMED + 1 ? NAMED : count;
    for (size_t i = 0; i < shown; i++) {
        const char *before = i + 1 < count ? ", " : " and ";
        engine_append(w->text, w->size, "%s%s", i ? before : "",
                      engine_printable(name, sizeof name, tacit_strview_of(names[i])));
    }
    if (shown < count)
        engine_append(w->text, w->size, " and %zu more", count - shown);
}

static void add_columns(const words *w, const tacit_kept *kept)
{
    add_names(w, kept->columns, kept->column_count);
}

/* ---- one claim ---- */

static void say_values(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "values of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " are those that were there, as often");
}

static void say_unit(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "combinations of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " are those that were there, as often");
}

static void say_sum(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, kept->column_count > 1 ? "sums of " : "the sum of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, kept->column_count > 1 ? " are " : " is ");
    if (kept->amount > 0)
        engine_append(w->text, w->size, "within %.6g of what %s", kept->amount,
                      kept->column_count > 1 ? "they were" : "it was");
    else
        engine_append(w->text, w->size, kept->column_count > 1 ? "as they were" : "as it was");
}

static void say_moments(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size,
                  kept->column_count > 1 ? "means and covariances of " : "mean and variance of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " are within %.6g standard deviations of what they were",
                  kept->amount);
}

static void say_shares(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "every value's share of rows in ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " is within %.6g of what it was", kept->amount);
}

static void say_near(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "no number of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " is further than %.6g from what it was", kept->amount);
}

static void say_groups(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "every %s of ",
                  kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    engine_append(w->text, w->size, " that is there is there at least %.6g times", kept->amount);
}

static void say_null_map(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "no row has a %s of ",
                  kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    engine_append(w->text, w->size, " that the original has");
}

static void say_wrong_map(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "no row has the %s of ",
                  kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    engine_append(w->text, w->size, " that it had, and every one is another row's");
}

static void say_range(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "every number of ");
    add_columns(w, kept);
    if (isinf(kept->low))
        engine_append(w->text, w->size, " is at most %.6g", kept->high);
    else if (isinf(kept->high))
        engine_append(w->text, w->size, " is at least %.6g", kept->low);
    else
        engine_append(w->text, w->size, " is from %.6g to %.6g", kept->low, kept->high);
}

static void say_common(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "no value of ");
    add_columns(w, kept);
    engine_append(w->text, w->size, " is one that fewer than %.6g rows of the original have",
                  kept->amount);
}

static void say_uncopied(const words *w, const tacit_kept *kept)
{
    engine_append(w->text, w->size, "no row has a %s of ",
                  kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    engine_append(w->text, w->size, " that exactly one row of the original has");
}

static void say_together(const words *w, const tacit_kept *kept)
{
    add_columns(w, kept);
    engine_append(w->text, w->size, " %s the same for all rows",
                  kept->column_count > 1 ? "are" : "is");
}

/* A kind's name in the report, what it says, and whether a figure says more than that. */
typedef struct kind_words {
    const char *name;
    void (*say)(const words *w, const tacit_kept *kept);
    bool measured;
} kind_words;

static const kind_words KINDS[] = {
    [TACIT_KEPT_VALUES] = {"values", say_values, false},
    [TACIT_KEPT_UNIT] = {"unit", say_unit, false},
    [TACIT_KEPT_SUM] = {"sum", say_sum, true},
    [TACIT_KEPT_MOMENTS] = {"moments", say_moments, true},
    [TACIT_KEPT_SHARES] = {"shares", say_shares, true},
    [TACIT_KEPT_NEAR] = {"near", say_near, true},
    [TACIT_KEPT_GROUPS] = {"groups", say_groups, true},
    [TACIT_KEPT_NULL_MAP] = {"null_map", say_null_map, false},
    [TACIT_KEPT_WRONG_MAP] = {"wrong_map", say_wrong_map, false},
    [TACIT_KEPT_RANGE] = {"range", say_range, false},
    [TACIT_KEPT_COMMON] = {"common", say_common, false},
    [TACIT_KEPT_UNCOPIED] = {"uncopied", say_uncopied, false},
    [TACIT_KEPT_TOGETHER] = {"together", say_together, false},
};

static const kind_words *kind_of(const tacit_kept *kept)
{
    size_t kind = (size_t)kept->kind;
    return kind < sizeof KINDS / sizeof *KINDS ? &KINDS[kind] : NULL;
}

static void say_claim(const words *w, const tacit_kept *kept)
{
    const kind_words *kind = kind_of(kept);
    if (!kind) {
        engine_append(w->text, w->size, "something unknown is kept");
        return;
    }
    kind->say(w, kept);
    if (kept->within_count) {
        engine_append(w->text, w->size,
                      kept->within_count > 1 ? " in each combination of " : " in each ");
        add_names(w, kept->within, kept->within_count);
    }
}

const char *engine_masked_sentence(char *buffer, size_t size, const tacit_masked_verdict *verdict,
                                   const tacit_masked_case *masked, size_t claim)
{
    words w = {buffer, size};
    const tacit_masked_claim *judged = &verdict->claims[claim];
    const tacit_kept *kept = &masked->kept[claim];
    buffer[0] = '\0';
    if (!judged->holds)
        engine_append(w.text, w.size,
                      judged->checked ? "it does not hold that " : "it could not be checked that ");
    say_claim(&w, kept);
    if (judged->holds && kind_of(kept)->measured && judged->allowed > 0 &&
        isfinite(judged->measured))
        engine_append(w.text, w.size, " (%.4g measured)", judged->measured);
    return buffer;
}

/* ---- refusal ---- */

static void say_finding(const words *w, const tacit_masked_finding *finding,
                        const tacit_masked_case *masked)
{
    char name[NAME_BYTES];
    bool of_claim = finding->claim != SIZE_MAX;
    if (of_claim) {
        engine_append(w->text, w->size, "step %zu claims that ",
                      masked->kept[finding->claim].step + 1);
        say_claim(w, &masked->kept[finding->claim]);
        engine_append(w->text, w->size, "; ");
    }
    if (finding->column)
        engine_append(w->text, w->size, "column %s: ",
                      engine_printable(name, sizeof name, tacit_strview_of(finding->column)));
    engine_append(w->text, w->size, "%s", finding->what);
    if (isfinite(finding->measured) && of_claim)
        engine_append(w->text, w->size, " (%.6g measured, %.6g allowed)", finding->measured,
                      finding->allowed);
    else if (isfinite(finding->measured) && finding->measured > 0)
        engine_append(w->text, w->size, " (%.0f)", finding->measured);
    if (finding->row > 0)
        engine_append(w->text, w->size, "; the first is row %lld", (long long)finding->row);
}

tacit_status engine_masked_refuse(tacit_error *err, const tacit_masked_verdict *verdict,
                                  const tacit_masked_case *masked)
{
    char text[SENTENCE_BYTES] = "", more[48] = "";
    if (verdict->holds)
        return TACIT_OK;
    say_finding(&(words){text, sizeof text}, &verdict->findings[0], masked);
    if (verdict->finding_count > 1)
        snprintf(more, sizeof more, "; and %zu more %s", verdict->finding_count - 1,
                 verdict->finding_count > 2 ? "findings" : "finding");
    return tacit__error(err, TACIT_INFEASIBLE,
                        "the judge refuses the masked table, and nothing is written: %s%s", text,
                        more);
}

/* ---- steps ---- */

/* A setting that recipients may be told: not a secret, nor the name of one of the holder's files,
 * unless these are asked for. */
static bool is_told(const engine_masking *masking, const tacit_technique *technique,
                    const char *name)
{
    const tacit_technique_option *option = engine_technique_option(technique, name);
    return masking->secrets || (option && !option->secret && option->sort != TACIT_TECHNIQUE_FILE);
}

static void add_values(char *text, size_t size, const tacit_technique_setting *setting)
{
    for (size_t i = 0; i < setting->value_count; i++)
        engine_append(text, size, "%s%s", i ? ", " : "", setting->values[i]);
}

/* "income, rent". */
static const char *columns_of(char *text, size_t size, const tacit_technique_step *step)
{
    text[0] = '\0';
    for (size_t i = 0; i < step->setting_count; i++)
        if (strcmp(step->settings[i].name, "columns") == 0)
            add_values(text, size, &step->settings[i]);
    return text;
}

/* "size 0.1; way correlated". */
static const char *settings_of(char *text, size_t size, const engine_masking *masking, size_t index)
{
    const tacit_technique *technique = tacit_masking_technique(masking->masking, index);
    const tacit_technique_step *step = &masking->steps[index];
    text[0] = '\0';
    for (size_t i = 0; i < step->setting_count; i++) {
        const tacit_technique_setting *setting = &step->settings[i];
        if (strcmp(setting->name, "columns") == 0 || !is_told(masking, technique, setting->name))
            continue;
        engine_append(text, size, "%s%s ", text[0] ? "; " : "", setting->name);
        add_values(text, size, setting);
    }
    return text;
}

/* "1 200 cells changed; 3 groups". */
static const char *facts_of(char *text, size_t size, const engine_masking *masking, size_t step)
{
    const tacit_masked_fact *facts;
    size_t count = tacit_masked_facts(masking->masked, step, &facts);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        char number[48], name[64];
        bool whole = facts[i].number == floor(facts[i].number);
        snprintf(name, sizeof name, "%s", facts[i].name);
        for (char *at = name; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        engine_append(text, size, "%s%s %s", text[0] ? "; " : "",
                      tacit_number_text(number, sizeof number, facts[i].number, whole ? 0 : 4),
                      name);
    }
    return text;
}

/* In lines on the terminal, in a table on the page. */
static void add_steps(tacit_report *report, const engine_masking *masking)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "technique"},
                                                  {.heading = "columns"},
                                                  {.heading = "settings"},
                                                  {.heading = "what it did"}};
    tacit_report_section(report, "Techniques");
    tacit_report_begin(
        report, TACIT_TABLE(NULL, "What was done to the data before anything was generalized",
                            false, COLUMNS));
    char text[300];
    for (size_t i = 0; i < masking->step_count; i++) {
        tacit_report_cell(report, "%s", tacit_masking_technique(masking->masking, i)->name);
        tacit_report_cell(report, "%s", columns_of(text, sizeof text, &masking->steps[i]));
        tacit_report_cell(report, "%s", settings_of(text, sizeof text, masking, i));
        tacit_report_cell(report, "%s", facts_of(text, sizeof text, masking, i));
    }
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    for (size_t i = 0; i < masking->step_count; i++) {
        char columns[200], settings[200], facts[200];
        columns_of(columns, sizeof columns, &masking->steps[i]);
        settings_of(settings, sizeof settings, masking, i);
        facts_of(facts, sizeof facts, masking, i);
        tacit_report_line(report, "technique", "%s%s%s%s%s%s%s%s",
                          tacit_masking_technique(masking->masking, i)->name,
                          columns[0] ? " of " : "", columns, settings[0] ? " (" : "", settings,
                          settings[0] ? ")" : "", facts[0] ? ": " : "", facts);
    }
    tacit_report_show(report, before);
}

static void add_setting(tacit_report *report, const tacit_technique_setting *setting)
{
    char path[96];
    bool columns = strcmp(setting->name, "columns") == 0;
    snprintf(path, sizeof path, columns ? "columns" : "settings.%.60s", setting->name);
    for (size_t i = 0; i < setting->value_count; i++)
        if (columns || setting->value_count > 1)
            tacit_report_push_text(report, path, tacit_strview_of(setting->values[i]));
        else
            tacit_report_text(report, path, setting->values[i]);
}

static void add_step(tacit_report *report, const engine_masking *masking, size_t index)
{
    const tacit_technique *technique = tacit_masking_technique(masking->masking, index);
    const tacit_technique_step *step = &masking->steps[index];
    const tacit_masked_fact *facts;
    size_t count = tacit_masked_facts(masking->masked, index, &facts);
    tacit_report_item(report, "techniques");
    tacit_report_text(report, "technique", technique->name);
    for (size_t i = 0; i < step->setting_count; i++)
        if (is_told(masking, technique, step->settings[i].name))
            add_setting(report, &step->settings[i]);
    for (size_t i = 0; i < count; i++)
        tacit_report_real(report, facts[i].name, facts[i].number);
    tacit_report_leave(report);
}

/* ---- what was kept ---- */

static void add_columns_of(tacit_report *report, const char *name, const char *const *names,
                           size_t count)
{
    tacit_report_list(report, name);
    for (size_t i = 0; i < count; i++)
        tacit_report_push_text(report, name, tacit_strview_of(names[i]));
}

static void add_claim(tacit_report *report, const tacit_masked_claim *claim, const tacit_kept *kept)
{
    const kind_words *kind = kind_of(kept);
    tacit_report_item(report, "claims");
    tacit_report_text(report, "kept", kind ? kind->name : "unknown");
    add_columns_of(report, "columns", kept->columns, kept->column_count);
    add_columns_of(report, "within", kept->within, kept->within_count);
    tacit_report_integer(report, "step", (int64_t)kept->step + 1);
    tacit_report_real(report, "allowed", claim->allowed);
    tacit_report_real(report, "measured", claim->measured);
    tacit_report_bool(report, "holds", claim->holds);
    tacit_report_leave(report);
}

static void add_finding(tacit_report *report, const tacit_masked_finding *finding)
{
    static const char *const NAMES[] = {[TACIT_MASKED_HEADER] = "header",
                                        [TACIT_MASKED_ROWS] = "rows",
                                        [TACIT_MASKED_BYTES] = "bytes",
                                        [TACIT_MASKED_CLAIM] = "claim",
                                        [TACIT_MASKED_UNCHECKED] = "unchecked"};
    tacit_report_item(report, "findings");
    tacit_report_text(report, "kind", NAMES[finding->kind]);
    if (finding->claim != SIZE_MAX)
        tacit_report_integer(report, "claim", (int64_t)finding->claim + 1);
    if (finding->column)
        tacit_report_text(report, "column", finding->column);
    if (finding->row > 0)
        tacit_report_integer(report, "row", finding->row);
    tacit_report_text(report, "what", finding->what);
    tacit_report_real(report, "measured", finding->measured);
    tacit_report_real(report, "allowed", finding->allowed);
    tacit_report_leave(report);
}

void engine_masked_facts(tacit_report *report, const tacit_masked_verdict *verdict,
                         const tacit_masked_case *masked)
{
    char sentence[SENTENCE_BYTES];
    tacit_report_list(report, "claims");
    for (size_t i = 0; i < verdict->claim_count; i++) {
        engine_masked_sentence(sentence, sizeof sentence, verdict, masked, i);
        tacit_report_line(report, "kept", "%s", sentence);
        add_claim(report, &verdict->claims[i], &masked->kept[i]);
    }
    tacit_report_enter(report, "masked_judge");
    tacit_report_bool(report, "holds", verdict->holds);
    tacit_report_integer(report, "cells_compared", verdict->cells_compared);
    tacit_report_integer(report, "cells_changed", verdict->cells_changed);
    tacit_report_list(report, "findings");
    for (size_t i = 0; i < verdict->finding_count; i++)
        add_finding(report, &verdict->findings[i]);
    tacit_report_leave(report);
}

void engine_masking_facts(tacit_report *report, const engine_masking *masking)
{
    if (masking->masked)
        add_steps(report, masking);
    for (size_t i = 0; masking->masked && i < masking->step_count; i++)
        add_step(report, masking, i);
    if (masking->verdict)
        engine_masked_facts(report, masking->verdict, &masking->c);
}
