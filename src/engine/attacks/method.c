/*
 * method.c - what an adversary gains who knows that local, optimal, k-similar or ambiguate
 * made a release.
 *
 * What a method's releases keep by the way they are made is written down here, once for all four
 * (docs/methods/attack-method.md has the reasons), and the audit counts what follows. It is
 * reported in bits; somebody is exposed where a hidden cell has one value left.
 */
#include <string.h>

#include "engine/attacks/attack.h"

enum { MAX_LISTED = 1000 /* certain cells in the JSON */ };

static bool is_method(const engine_case *c, const char *name)
{
    return c->policy->method && strcmp(c->policy->method, name) == 0;
}

/* Whether ambiguate, blanks agreeing with blanks only, is asked for what local or optimal do. */
static bool is_plain(const tacit_policy *policy)
{
    const tacit_policy_blanks *asked = &policy->blanks;
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].least_level > 0)
            return false;
    return asked->max_row == 0 && asked->max_column == 0 && !asked->costs && asked->hide_count == 0;
}

/* Whether ambiguate fills again what is not needed: what cover and exact find, not the paper's
 * heuristics. */
static bool is_filled(const tacit_policy *policy)
{
    const char *way = policy->blanks.heuristic;
    return !way || strcmp(way, "cover") == 0 || strcmp(way, "exact") == 0;
}

static bool makes_boxes(const engine_case *c)
{
    return is_method(c, "local") || is_method(c, "optimal") || is_method(c, "k-similar");
}

/* Boxes that must withstand earlier releases need not be the smallest. */
bool engine_method_unasked(const engine_case *c)
{
    return makes_boxes(c) &&
           (engine_keeps_trails(c->policy) || (c->earlier && c->earlier->count > 0));
}

/* What releases of the policy's method keep by the way they are made; false where nothing is
 * known of that. */
static bool find_knowledge(tacit_known_method *out, const engine_case *c)
{
    const tacit_policy *policy = c->policy;
    const char *metric = policy->metric ? policy->metric : "prec";
    *out = (tacit_known_method){.knows = TACIT_KNOWS_TIGHT};
    if (is_method(c, "ambiguate")) {
        out->knows = policy->blanks.strict ? TACIT_KNOWS_TIGHT : TACIT_KNOWS_NEEDED;
        /* the paper's heuristics suppress in vain, and so does hiding a dependency */
        return policy->blanks.strict ? is_plain(policy)
                                     : is_filled(policy) && policy->blanks.hide_count == 0;
    }
    if (!makes_boxes(c) || engine_method_unasked(c))
        return false;
    if (policy->resist)
        out->knows = TACIT_KNOWS_NOTHING;
    else if (c->proven && !is_method(c, "k-similar"))
        out->knows = TACIT_KNOWS_BEST;
    if (strcmp(metric, "prec") == 0)
        out->cost = TACIT_KNOWN_COST_LEVEL;
    else if (strcmp(metric, "granularity") == 0)
        out->cost = TACIT_KNOWN_COST_LEAVES;
    /* boxes that a population must fill need not be the smallest */
    return policy->resist || policy->population_model_count == 0;
}

static bool method_wanted(const engine_case *c)
{
    tacit_known_method method;
    /* a bound on the whole release explains why a class is not finer, which is not gone into */
    return !c->as_it_is && !tacit_risk_bounds_any(&c->policy->risks) && find_knowledge(&method, c);
}

static tacit_status run_method(void **found, const engine_case *c, tacit_error *err)
{
    tacit_known *known = NULL;
    tacit_known_method method;
    int floors[TACIT_MAX_QUASI];
    const tacit_evidence evidence = {.release = c->release,
                                     .original = c->original,
                                     .order = c->order,
                                     .same_order = c->same_order};
    static const tacit_hierarchy_spec kept_or_not = {.kind = TACIT_HIERARCHY_NONE};
    tacit_promise_attribute attributes[TACIT_MAX_QUASI];
    tacit_promise promise = c->promise->promise;
    find_knowledge(&method, c);
    for (int32_t a = 0; a < promise.attribute_count; a++) {
        floors[a] = c->policy->columns[c->promise->columns[a]].least_level;
        attributes[a] = c->promise->attributes[a];
        if (is_method(c, "ambiguate") && c->policy->blanks.strict)
            attributes[a].hierarchy = &kept_or_not; /* which is all that it knows */
    }
    method.floors = floors;
    promise.attributes = attributes;
    tacit_status status =
        tacit_audit_method(&known, &promise, &evidence, &method, &c->session->run, err);
    if (status == TACIT_OK)
        *found = known;
    return status;
}

static bool method_discloses(const void *found, const engine_case *c)
{
    (void)c;
    return ((const tacit_known *)found)->certain > 0;
}

static bool method_promised(const engine_case *c)
{
    return c->policy->resist;
}

/* ---- in words ---- */

static const char *const KNOWN_WORDS[] = {
    [TACIT_KNOWS_NOTHING] = "how the release was made",
    [TACIT_KNOWS_TIGHT] = "that no class could have been released in finer detail",
    [TACIT_KNOWS_BEST] = "that no release costs less",
    [TACIT_KNOWS_NEEDED] = "that no cell is suppressed in vain",
};

static const char *const KNOWN_NAMES[] = {[TACIT_KNOWS_NOTHING] = "nothing",
                                          [TACIT_KNOWS_TIGHT] = "tight",
                                          [TACIT_KNOWS_BEST] = "best",
                                          [TACIT_KNOWS_NEEDED] = "needed"};

/* The share of the hidden bits that is gained. */
static const char *share_of(char *text, size_t size, const tacit_known *known)
{
    double percent = 100 * known->bits_gained / known->bits_hidden;
    snprintf(text, size, percent < 9.95 ? "%.2g%%" : "%.0f%%", percent);
    return text;
}

static const char *number_of(char *text, size_t size, int64_t cells, const char *what)
{
    if (cells)
        snprintf(text, size, "%s %s", engine_many(cells, "is|are").text, what);
    else
        snprintf(text, size, "none is %s", what);
    return text;
}

static void method_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    const tacit_known *known = found;
    char share[24], certain[128], narrowed[128];
    if (known->bits_hidden <= 0)
        snprintf(out, size, "no cell hides anything from an adversary who knows the method");
    else if (known->knows == TACIT_KNOWS_NOTHING)
        snprintf(out, size,
                 "%sknowing how the release was made says nothing about its %s: its "
                 "boxes %scome from rows that are not in it",
                 c->own ? "" : "if it was made as the policy says (minimality: resist), ",
                 engine_many(known->hidden, "hidden cell").text, c->own ? "" : "then ");
    else
        snprintf(out, size,
                 "an adversary who knows %s gains %s%.1f of the %.1f hidden bits (%s); of %s, "
                 "%s to him, and %s",
                 KNOWN_WORDS[known->knows], known->exact ? "" : "at least ", known->bits_gained,
                 known->bits_hidden, share_of(share, sizeof share, known),
                 engine_many(known->hidden, "hidden cell").text,
                 number_of(certain, sizeof certain, known->certain, "certain"),
                 number_of(narrowed, sizeof narrowed, known->narrowed, "narrowed"));
}

static void add_method_numbers(tacit_report *report, const tacit_known *known)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_known, cells, "cells", "cells", 0),
        TACIT_FIELD(tacit_known, hidden, "hidden", "hidden", 0),
        TACIT_FIELD(tacit_known, bits_hidden, "bits_hidden", "bits hidden", 0),
        TACIT_FIELD(tacit_known, bits_gained, "bits_gained", "bits gained", 1),
        TACIT_FIELD(tacit_known, exact, "exact", "no more can be gained", 0),
        TACIT_FIELD(tacit_known, bits_worst, "bits_of_a_row", NULL, 0),
        TACIT_FIELD(tacit_known, certain, "certain", "certain", 0),
        TACIT_FIELD(tacit_known, narrowed, "narrowed", "narrowed", 0),
        TACIT_FIELD(tacit_known, settled, "settled", "numbers certain", 0),
        TACIT_FIELD(tacit_known, impossible, "impossible", NULL, 0),
    };
    tacit_report_text(report, "knows", KNOWN_NAMES[known->knows]);
    tacit_report_paragraph(report, "What is known of the release: %s.", KNOWN_WORDS[known->knows]);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), known);
}

static void method_facts(tacit_report *report, const void *found, const engine_case *c)
{
    const tacit_known *known = found;
    if (known->settled)
        tacit_report_line(
            report, "", "in %s %s he knows how many rows have each finer value, but not which rows",
            engine_count(known->settled).text,
            known->settled == 1 ? "column of a class" : "columns of classes");
    if (known->impossible)
        tacit_report_line(report, "",
                          "%s %s cannot have been made this way: the method was another, or what "
                          "is claimed about it is wrong",
                          engine_count(known->impossible).text,
                          known->impossible == 1 ? "class" : "classes");
    add_method_numbers(report, known);
    for (int64_t i = 0; i < known->certain_count && i < MAX_LISTED; i++) {
        const tacit_revealed_cell *cell = &known->certain_cells[i];
        tacit_report_item(report, "certain_cells");
        tacit_report_integer(report, "row", cell->row);
        tacit_report_text(report, "column", c->promise->attributes[cell->attribute].name);
        tacit_report_leave(report);
    }
}

static void method_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    const tacit_known *known = found;
    char text[ENGINE_ADS_TEXT];
    method_sentence(text, sizeof text, found, c);
    if (known->certain)
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_BROKEN,
                       "an adversary who knows the method is certain of %s",
                       engine_many(known->certain, "hidden cell").text);
    else if (known->bits_hidden <= 0)
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_HOLDS, "%s", text);
    else if (known->knows == TACIT_KNOWS_NOTHING)
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, c->own ? ENGINE_ADS_HOLDS : ENGINE_ADS_ASSUMED,
                       "%s", text);
    else
        engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_UNKNOWN,
                       "no hidden cell was found of which an adversary who knows the method is "
                       "certain; he may know more than was found");
}

static void free_method(void *found)
{
    tacit_known_free(found);
}

const engine_attack engine_attack_method = {
    .name = "method",
    .title = "Knowing the method",
    .wanted = method_wanted,
    .run = run_method,
    .discloses = method_discloses,
    .promised = method_promised,
    .sentence = method_sentence,
    .facts = method_facts,
    .shows = method_shows,
    .free = free_method,
};
