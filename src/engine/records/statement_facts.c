/*
 * statement_facts.c - what recipients are told of a release of records (--statement): how it is
 * protected, what was done to each column, and what that does to analyses. Sweeney, Computational
 * Disclosure Control, section 4.1: results are only interpreted rightly by those who know which
 * techniques were used.
 *
 * Everything here can be read off the release, or says nothing about the data. Left out is whatever
 * helps to undo the protection (docs/statement.md says why, one by one): seeds, keys and files,
 * what the data held before, rows that were left out, the loss, settings and figures of techniques,
 * promises beyond k, registers, earlier releases and what attacks found; and the method, unless
 * `minimality: resist` promises that nothing follows from knowing it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/job/statement.h"
#include "engine/records/release.h"

enum { NOTE = 512 };

/* ---- variables ---- */

/* What was done to a column: a word for it, as in a DDI note's subject, and a sentence. */
typedef struct variable_note {
    const char *subject;
    char text[NOTE];
} variable_note;

/* Suppressed rows are seen in the release, unless they were left out. */
static bool shows_suppressed(const engine_release *release)
{
    return !release->policy->drop_suppressed && release->metrics.suppressed_rows > 0;
}

/* How many cells are suppressed, where that can be counted in the release. */
static void note_cells(variable_note *note, const engine_release *release, int32_t attribute)
{
    const tacit_hierarchy *hierarchy = release->hierarchies[attribute];
    int height = tacit_hierarchy_height(hierarchy);
    int64_t all = release->metrics.rows;
    tacit_strview top = tacit_hierarchy_label(hierarchy, height, 0);
    bool blanks = engine_release_ambiguates(release);
    int len = snprintf(note->text, NOTE, "each cell is as in the data, or %s",
                       blanks ? "suppressed" : "a more general value");
    note->subject = blanks ? "local suppression" : "local recoding";
    if (!release->policy->drop_suppressed && all > 0 && top.len == 1 && *top.bytes == '*') {
        int64_t rows = release->level_rows[attribute * TACIT_MAX_LEVELS + height];
        snprintf(note->text + len, NOTE - (size_t)len,
                 "; about %ld %% of the cells are suppressed (*)",
                 lround(100.0 * (double)rows / (double)all));
    }
}

static void note_level(variable_note *note, const engine_release *release, int32_t attribute)
{
    int level = release->solution->levels[attribute];
    int height = tacit_hierarchy_height(release->hierarchies[attribute]);
    const char *but = shows_suppressed(release) ? ", but for suppressed rows" : "";
    note->subject = level ? "global recoding" : *but ? "suppression" : "unchanged";
    if (level == 0)
        snprintf(note->text, NOTE, "as in the data%s", but);
    else if (level == height)
        snprintf(note->text, NOTE, "every cell has the most general value, which says nothing");
    else
        snprintf(note->text, NOTE, "every cell is generalized to level %d of its hierarchy%s",
                 level, but);
}

static void note_kept(variable_note *note, const tacit_policy_column *column)
{
    static const variable_note FATES[] = {
        [TACIT_REPLACE_DROP] = {"unchanged", "as in the data"},
        [TACIT_REPLACE_PSEUDONYM] = {"pseudonyms", "equal values have equal pseudonyms, made with "
                                                   "a secret key"},
        [TACIT_REPLACE_KEEP] = {"unchanged", "as in the data"},
        [TACIT_REPLACE_SCRUB] = {"scrubbing", "names and other personal details in the text are "
                                              "replaced, as far as they were found"},
        [TACIT_REPLACE_ROW_PSEUDONYM] = {"pseudonyms", "another pseudonym in every row, which "
                                                       "links none"},
    };
    *note = FATES[engine_fate(column)];
    if (column && column->items)
        *note = (variable_note){
            "items generalized or left out",
            "a set may lack items that were left out because too few people have them together, "
            "and "
            "may have others as a more general item; that differs between groups of rows that "
            "agree in all columns that identify people, so compare counts of items only where "
            "items are the same"};
}

static void say_note(tacit_report *report, const char *name, const variable_note *note)
{
    tacit_report_item(report, "notes");
    tacit_report_text(report, "type", "disclosure control");
    tacit_report_text(report, "subject", note->subject);
    tacit_report_text(report, "text", note->text);
    tacit_report_leave(report);
    tacit_report_line(report, name, "%s: %s", note->subject, note->text);
}

static bool changes(const tacit_masking *masking, size_t step, tacit_strview column)
{
    const char *const *names;
    size_t count = tacit_masking_columns(masking, step, &names);
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == column.len && memcmp(names[i], column.bytes, column.len) == 0)
            return true;
    return false;
}

/* A note for each technique that was used on the column; returns whether any was. */
static bool say_techniques(tacit_report *report, const engine_masking *masking, const char *name,
                           tacit_strview column)
{
    bool any = false;
    for (size_t i = 0; masking->masking && i < masking->step_count; i++) {
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        variable_note note = {.subject = technique->name};
        if (!changes(masking->masking, i, column))
            continue;
        snprintf(note.text, NOTE, "%s", technique->summary);
        say_note(report, name, &note);
        any = true;
    }
    return any;
}

static void say_variable(tacit_report *report, const engine_release *release, int32_t source)
{
    tacit_strview column = tacit_table_name(release->table, source);
    const tacit_policy_column *role = tacit_policy_find(release->policy, column);
    int32_t attribute = role ? engine_attribute_of(&release->promise, release->policy, role) : -1;
    variable_note note = {0};
    char name[NOTE];
    engine_printable(name, sizeof name, column);
    tacit_report_item(report, "variables");
    tacit_report_view(report, "name", column);
    bool masked = say_techniques(report, &release->masking, name, column);
    if (attribute < 0 || !tacit_policy_generalizes(release->policy))
        note_kept(&note, role);
    else if (release->solution->boxes)
        note_cells(&note, release, attribute);
    else
        note_level(&note, release, attribute);
    if (!masked || strcmp(note.subject, "unchanged") != 0)
        say_note(report, name, &note);
    tacit_report_leave(report);
}

/* ---- the rest ---- */

/* k is that of the rows of the release, of its people, or of its households; not where a register
 * has them. */
static void say_k(tacit_report *report, const engine_release *release)
{
    bool households = release->policy->household != NULL;
    const char *who = households ? "households" : release->frame.person >= 0 ? "people" : "rows";
    if (release->policy->population || release->wanted.k < 2)
        return;
    tacit_report_integer(report, "k", release->wanted.k);
    if (engine_release_ambiguates(release))
        engine_statement_say(report, "protection",
                             "Cells are suppressed such that every row fits at least %lld %s in "
                             "the columns by which people could be found.",
                             (long long)release->wanted.k, who);
    else
        engine_statement_say(report, "protection",
                             "Values are generalized or suppressed such that every combination of "
                             "values by which people could be found is shared by at least %lld %s.",
                             (long long)release->wanted.k, who);
    if (households)
        engine_statement_say(report, "protection",
                             "So are the rows of all members of a household taken together.");
}

static void say_protection(tacit_report *report, const engine_release *release)
{
    bool generalizes = tacit_policy_generalizes(release->policy);
    tacit_report_section(report, "How the data is protected");
    engine_statement_say(report, "protection",
                         "Columns that name people are left out, or were changed as said below.");
    if (generalizes)
        say_k(report, release);
    if (release->masking.masking)
        engine_statement_say(report, "protection", "Values or rows were changed by techniques.");
    if (generalizes && release->policy->resist) {
        tacit_report_text(report, "method", engine_release_method(release));
        engine_statement_say(report, "protection",
                             "The method is %s; the release is made to withstand those who know "
                             "it.",
                             engine_release_method(release));
    }
    engine_statement_say(report, "protection",
                         "Seeds, keys, limits and figures that would help to undo the protection "
                         "are not stated.");
}

/* What each technique does to analyses, once. */
static void say_technique_effects(tacit_report *report, const engine_masking *masking)
{
    for (size_t i = 0; masking->masking && i < masking->step_count; i++) {
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        bool before = false;
        for (size_t j = 0; j < i; j++)
            before |= tacit_masking_technique(masking->masking, j) == technique;
        if (!before && technique->effect)
            engine_statement_say(report, "effects", "%s: %s.", technique->name, technique->effect);
    }
}

/* Whether estimates can be made at all; the name is told only where it is in the release. */
static void say_weights(tacit_report *report, const engine_release *release)
{
    const char *weight = release->policy->sampling_weight;
    bool released = false;
    char name[NOTE];
    for (int32_t i = 0; weight && i < release->layout.column_count; i++)
        released |= tacit_strview_equal(
            tacit_strview_of(weight),
            tacit_table_name(release->table, release->layout.columns[i].source));
    if (released)
        engine_statement_say(report, "effects",
                             "The rows are a sample of a population: %s says how many people each "
                             "row stands for, and belongs into every estimate of the population.",
                             engine_printable(name, sizeof name, tacit_strview_of(weight)));
    else if (weight)
        engine_statement_say(report, "effects",
                             "The rows are a sample of a population, and their sampling weights "
                             "are not released: what is computed from the rows holds for them, "
                             "and is no estimate of the population.");
}

static void say_effects(tacit_report *report, const engine_release *release)
{
    bool generalizes = tacit_policy_generalizes(release->policy);
    tacit_report_section(report, "What analyses have to mind");
    if (generalizes && !engine_release_ambiguates(release))
        engine_statement_say(report, "effects",
                             "Generalized values are groups: means, variances and correlations "
                             "computed from them are approximations. Models for grouped or "
                             "interval-censored data fit them.");
    if (generalizes && release->solution->boxes)
        engine_statement_say(report, "effects",
                             "Cells of one column differ in detail: before counting, bring them to "
                             "one level, or treat the general ones as partly observed.");
    if (generalizes)
        engine_statement_say(report, "effects",
                             "What is suppressed is not missing at random: it is rare "
                             "combinations, so small groups and extremes are counted too low.");
    if (generalizes && release->policy->drop_suppressed)
        engine_statement_say(report, "effects",
                             "Rows may have been left out: totals can be too low, and rates of "
                             "small groups biased.");
    if (tacit_policy_has_missing_codes(release->policy))
        engine_statement_say(report, "effects",
                             "A missing value is an empty cell, whatever code the data had for "
                             "it.");
    say_weights(report, release);
    say_technique_effects(report, &release->masking);
    if (!release->policy->keep_order)
        engine_statement_say(report, "effects", "The order of the rows has no meaning.");
}

static void state_release(tacit_report *report, const void *subject)
{
    const engine_release *release = subject;
    say_protection(report, release);
    tacit_report_section(report, "Variables");
    for (int32_t i = 0; i < release->layout.column_count; i++)
        say_variable(report, release, release->layout.columns[i].source);
    say_effects(report, release);
    engine_statement_terms(report);
}

const engine_reports engine_release_statement = {.title = "Statement for recipients of the data",
                                                 .fill = state_release};
