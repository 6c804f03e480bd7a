/*
 * facts.c - what there is to say of a release that was made inside an engine: as of any other, and
 * what has left the engine for it.
 */
#include "engine/inplace/inplace.h"

static void add_head(tacit_report *report, const engine_inplace *in)
{
    const engine_release *release = &in->release;
    const char *method = engine_release_method(release);
    tacit_report_title(report, "%s rows, k = %lld, by %s, inside %s",
                       engine_count(in->verdict.released).text, (long long)release->wanted.k,
                       method, tacit_engine_name(in->engine));
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "anonymize");
    tacit_report_text(report, "engine", tacit_engine_name(in->engine));
    tacit_report_text(report, "method", method);
    tacit_report_integer(report, "rows", in->rows);
    tacit_report_integer(report, "released", in->verdict.released);
    tacit_report_integer(report, "k", release->wanted.k);
    tacit_report_integer(report, "suppressed_rows", release->metrics.suppressed_rows);
    tacit_report_real(report, "precision", release->metrics.precision);
    tacit_report_line(
        report, "detail", "Prec %.3f; %s of %s rows suppressed", release->metrics.precision,
        engine_count(release->metrics.suppressed_rows).text, engine_count(in->rows).text);
}

static void add_levels(tacit_report *report, const engine_inplace *in)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"}, {.heading = "level"}, {.heading = "values"}};
    const engine_release *release = &in->release;
    if (release->solution->boxes)
        return;
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_report_integer_in(report, "levels",
                                tacit_strview_of(release->promise.attributes[i].name),
                                release->solution->levels[i]);
    tacit_report_begin(report,
                       TACIT_TABLE(NULL, "How far each attribute was generalized", true, COLUMNS));
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int level = release->solution->levels[i];
        tacit_report_cell(report, "%s", release->promise.attributes[i].name);
        tacit_report_cell(report, "%d of %d", level,
                          tacit_hierarchy_height(release->hierarchies[i]));
        tacit_report_cell_integer(report, tacit_hierarchy_count(release->hierarchies[i], level));
    }
}

static void add_shards(tacit_report *report, const engine_inplace *in)
{
    const engine_release *release = &in->release;
    bool by_value =
        release->policy->person || (in->gone_count > 0 && !release->policy->rows_are_people);
    if (in->shards.count == 0)
        return;
    tacit_report_integer(report, "shards", in->shards.count);
    tacit_report_line(report, "shards",
                      "%d, connected to one by one; to the judge, classes with their rows%s",
                      (int)in->shards.count,
                      by_value ? ", and of smaller ones than k the people or identifiers" : "");
}

/* Rows did not leave, and combinations only where they were fetched. */
static void add_left(tacit_report *report, const engine_inplace *in)
{
    const engine_release *release = &in->release;
    tacit_report_text(report, "counted", in->stays ? "place" : "fetched");
    tacit_report_integer(report, "combinations", in->combinations);
    tacit_report_integer(report, "statements", tacit_engine_statements(in->engine));
    if (in->stays)
        tacit_report_line(report, "left it",
                          "the values of each quasi-identifying column by itself, with their "
                          "numbers of rows, and numbers of classes; up to 10 000 rows of columns "
                          "without a role; none of %s combinations",
                          engine_count(in->combinations).text);
    else
        tacit_report_line(report, "left it",
                          "%s combinations of quasi-identifiers%s with their numbers of rows; up "
                          "to 10 000 rows of columns without a role; no other cell",
                          engine_count(in->combinations).text,
                          release->policy->person ? " and people" : "");
    if (in->changed_count)
        tacit_report_line(report, "", "the values of %zu identifiers, for their pseudonyms",
                          in->changed_count);
    tacit_report_line(report, "statements", "%s",
                      engine_count(tacit_engine_statements(in->engine)).text);
}

static void add_verdict(tacit_report *report, const engine_inplace *in)
{
    const tacit_engine_verdict *verdict = &in->verdict;
    tacit_report_integer(report, "classes", verdict->classes);
    tacit_report_integer(report, "smallest_class", verdict->smallest);
    tacit_report_enter(report, "judge");
    tacit_report_bool(report, "holds", verdict->holds);
    tacit_report_list(report, "findings"); /* there is no report of what is refused */
    tacit_report_leave(report);
    tacit_report_verdict(
        report, verdict->holds, "judge",
        "%s: %s classes, the smallest of %s; %s pairs of values; %s rows and their "
        "keys",
        verdict->holds ? "the promise holds" : "refused", engine_count(verdict->classes).text,
        engine_count(verdict->smallest).text, engine_count(verdict->values).text,
        engine_count(verdict->released).text);
}

static void fill(tacit_report *report, const void *subject)
{
    static const char *const STEPS[] = {"count", "search", "make", "measure", "judge"};
    const engine_inplace *in = subject;
    add_head(report, in);
    tacit_report_section(report, "Generalization");
    add_levels(report, in);
    tacit_report_section(report, "The engine");
    add_left(report, in);
    add_shards(report, in);
    tacit_report_section(report, "The judge");
    add_verdict(report, in);
    tacit_report_enter(report, "seconds");
    for (size_t i = 0; i < TACIT_COUNT_OF(STEPS); i++)
        tacit_report_real(report, STEPS[i], in->release.seconds[i]);
    tacit_report_leave(report);
}

const engine_reports engine_inplace_reports = {.title = "Release inside an engine", .fill = fill};
