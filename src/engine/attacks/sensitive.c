/*
 * sensitive.c - what classes say of the sensitive columns of a policy.
 *
 * It is reported of every release that has such columns. Under `strict`, classes of one value
 * refuse a release; otherwise they are warned of, and nothing but what a policy promises of such
 * columns (l-diversity and the like, which the judge checks) does, for k alone promises nothing
 * here. Classes are those of the quasi-identifiers that the data holder named, the worst of
 * several.
 */

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "engine/attacks/attack.h"

enum { MAX_COLUMNS = TACIT_MAX_COLUMNS };

typedef struct inferred {
    tacit_sensitive_verdict *verdicts;
    const char *names[MAX_COLUMNS];
    int32_t count;
    int64_t rows;
} inferred;

static const tacit_policy *policy_of(const engine_case *c)
{
    return c->asked_policy ? c->asked_policy : c->policy;
}

static const engine_promise *promise_of(const engine_case *c)
{
    return c->asked_promise ? c->asked_promise : c->promise;
}

/* The sensitive columns that leave as they are, as far as the release has them. A set of items is
 * no value: an empty one says nothing. */
static int32_t sensitive_columns(const char **names, int32_t *columns, tacit_spread *spreads,
                                 const engine_case *c)
{
    int32_t count = 0;
    for (int32_t i = 0; i < policy_of(c)->column_count && count < MAX_COLUMNS; i++) {
        const tacit_policy_column *column = &policy_of(c)->columns[i];
        if (column->role != TACIT_ROLE_SENSITIVE || engine_fate(column) != TACIT_REPLACE_KEEP ||
            column->items)
            continue;
        int32_t at = c->release ? tacit_table_find(c->release, tacit_strview_of(column->name)) : 0;
        if (at < 0)
            continue;
        names[count] = column->name;
        spreads[count] = tacit_policy_spread(column);
        columns[count++] = at;
    }
    return count;
}

static bool sensitive_wanted(const engine_case *c)
{
    const char *names[MAX_COLUMNS];
    int32_t columns[MAX_COLUMNS];
    tacit_spread spreads[MAX_COLUMNS];
    return !c->promise->promise.ambiguous && sensitive_columns(names, columns, spreads, c) > 0;
}

static void sensitive_needs(engine_needs *out, const engine_case *c)
{
    for (int32_t i = 0; i < policy_of(c)->column_count; i++)
        if (policy_of(c)->columns[i].role == TACIT_ROLE_SENSITIVE &&
            engine_fate(&policy_of(c)->columns[i]) == TACIT_REPLACE_KEEP)
            engine_needs_add(out, policy_of(c)->columns[i].name);
}

/* The columns of a quasi-identifier: all attributes where the policy names no sets. */
static int32_t quasi_columns(int32_t *columns, const engine_case *c, int32_t set)
{
    const tacit_promise *promise = &promise_of(c)->promise;
    size_t words = tacit__bitset_words(promise->attribute_count);
    int32_t count = 0;
    for (int32_t i = 0; i < promise->attribute_count; i++)
        if (!promise->sets || tacit__bit_get(promise->sets + (size_t)set * words, i))
            columns[count++] =
                tacit_table_find(c->release, tacit_strview_of(promise->attributes[i].name));
    return count;
}

/* Rows whose value their class says, exactly or as near as counts. */
static int64_t given_away(const tacit_sensitive_verdict *v)
{
    return v->homogeneous_rows + v->narrow_rows;
}

/* Keeps of each column what says most. */
static void keep_worse(tacit_sensitive_verdict *kept, const tacit_sensitive_verdict *other,
                       int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (given_away(&other[i]) > given_away(&kept[i]))
            kept[i] = other[i];
}

static tacit_status run_sets(inferred *made, const int32_t *columns, const tacit_spread *spreads,
                             const engine_case *c, tacit_error *err)
{
    const tacit_promise *promise = &promise_of(c)->promise;
    tacit_status status = TACIT_OK;
    for (int32_t set = 0; set < (promise->sets ? promise->set_count : 1); set++) {
        int32_t attributes[TACIT_MAX_QUASI];
        int32_t count = quasi_columns(attributes, c, set);
        tacit_sensitive_verdict *verdicts = NULL;
        status = tacit_audit_sensitive(&verdicts, c->release, attributes, count, columns, spreads,
                                       made->count, c->groups, &c->session->run, err);
        if (status != TACIT_OK)
            break;
        if (!made->verdicts) {
            made->verdicts = verdicts;
            continue;
        }
        keep_worse(made->verdicts, verdicts, made->count);
        tacit_sensitive_free(verdicts);
    }
    return status;
}

static void free_sensitive(void *found)
{
    inferred *in = found;
    tacit_sensitive_free(in->verdicts);
    tacit__free(in);
}

static tacit_status run_sensitive(void **found, const engine_case *c, tacit_error *err)
{
    int32_t columns[MAX_COLUMNS];
    tacit_spread spreads[MAX_COLUMNS];
    inferred *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!made)
        return tacit__nomem(err);
    made->count = sensitive_columns(made->names, columns, spreads, c);
    made->rows = tacit_table_rows(c->release);
    tacit_status status = run_sets(made, columns, spreads, c, err);
    if (status == TACIT_OK)
        *found = made;
    else
        free_sensitive(made);
    return status;
}

static bool sensitive_promised(const engine_case *c)
{
    return policy_of(c)->strict;
}

/* The column that says most. */
static int32_t worst_column(const inferred *found)
{
    int32_t at = 0;
    for (int32_t i = 1; i < found->count; i++)
        if (given_away(&found->verdicts[i]) > given_away(&found->verdicts[at]))
            at = i;
    return at;
}

static bool sensitive_discloses(const void *found, const engine_case *c)
{
    (void)c;
    const inferred *in = found;
    return given_away(&in->verdicts[worst_column(in)]) > 0;
}

static void sensitive_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const inferred *in = found;
    int32_t at = worst_column(in);
    const tacit_sensitive_verdict *v = &in->verdicts[at];
    char name[48];
    engine_printable(name, sizeof name, tacit_strview_of(in->names[at]));
    if (given_away(v))
        snprintf(out, size,
                 "%s is the same%s for everybody in %s of %s equivalence classes: it is disclosed "
                 "for %s of %s rows (homogeneity)",
                 name, v->narrow_rows ? ", or within its spread," : "",
                 engine_count(v->homogeneous_classes + v->narrow_classes).text,
                 engine_count(v->classes).text, engine_count(given_away(v)).text,
                 engine_count(in->rows).text);
    else if (v->classes == 0)
        snprintf(out, size, "there are no rows, so nothing is disclosed about %s", name);
    else if (v->facts_needed < 0)
        snprintf(out, size,
                 "no equivalence class discloses %s, whatever values an adversary can rule out",
                 name);
    else
        snprintf(out, size,
                 "no equivalence class discloses %s; an adversary has to rule out %lld %s for a "
                 "person to be certain of it",
                 name, (long long)v->facts_needed, v->facts_needed == 1 ? "value" : "values");
}

static void add_column(tacit_report *report, const char *name, const tacit_sensitive_verdict *v)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_sensitive_verdict, values, "values", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, classes, "classes", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, homogeneous_classes, "homogeneous_classes", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, homogeneous_rows, "homogeneous_rows", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, narrow_classes, "narrow_classes", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, narrow_rows, "narrow_rows", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, reach, "spread", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, facts_needed, "facts_needed", NULL, 0),
    };
    static const tacit_field GAINS[] = {
        TACIT_FIELD(tacit_sensitive_verdict, worst_confidence[0], "confidence_without_facts", NULL,
                    0),
        TACIT_FIELD(tacit_sensitive_verdict, worst_confidence[1], "confidence_with_one_fact", NULL,
                    0),
        TACIT_FIELD(tacit_sensitive_verdict, prior, "prior", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, posterior, "posterior", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, gain, "gain", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, distance, "distance", NULL, 0),
        TACIT_FIELD(tacit_sensitive_verdict, doubled_rows, "doubled_rows", NULL, 0),
    };
    tacit_report_item(report, "columns");
    tacit_report_text(report, "column", name);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), v);
    for (int i = 0; i <= TACIT_SENSITIVE_FACTS; i++)
        tacit_report_push_integer(report, "certain_rows", v->certain_rows[i]);
    tacit_report_integer(report, "first_homogeneous_row", v->homogeneous_first + 1);
    tacit_report_fields(report, GAINS, TACIT_COUNT_OF(GAINS), v);
    tacit_report_integer(report, "row_of_largest_gain", v->skewed_row + 1);
    tacit_report_leave(report);
}

static void add_certainty(tacit_report *report, const char *column,
                          const tacit_sensitive_verdict *v)
{
    char name[48];
    tacit_report_line(
        report, "",
        "%s is certain for %s rows, for %s if an adversary can rule out one value, for %s if two; "
        "the largest gain is from %.3g%% of all rows to %.3g%% of a class",
        engine_printable(name, sizeof name, tacit_strview_of(column)),
        engine_count(v->certain_rows[0]).text, engine_count(v->certain_rows[1]).text,
        engine_count(v->certain_rows[2]).text, 100 * v->prior, 100 * v->posterior);
}

static void add_sensitive_table(tacit_report *report, const inferred *in)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "column"},
                                                  {.heading = "values"},
                                                  {.heading = "classes of one value"},
                                                  {.heading = "rows in them"},
                                                  {.heading = "values to rule out"},
                                                  {.heading = "largest gain"},
                                                  {.heading = "largest distance", .decimals = 3}};
    tacit_report_begin(report,
                       TACIT_TABLE(NULL, "What classes say of their people", false, COLUMNS));
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_sensitive_verdict *v = &in->verdicts[i];
        tacit_report_cell(report, "%s", in->names[i]);
        tacit_report_cell_integer(report, v->values);
        tacit_report_cell(report, "%lld of %lld",
                          (long long)(v->homogeneous_classes + v->narrow_classes),
                          (long long)v->classes);
        tacit_report_cell_integer(report, given_away(v));
        tacit_report_cell_integer(report, v->facts_needed);
        tacit_report_cell(report, "%.3g%% to %.3g%%", 100 * v->prior, 100 * v->posterior);
        tacit_report_cell_real(report, v->distance);
    }
}

static void draw_curves(tacit_page *page, const void *subject)
{
    const inferred *in = subject;
    double facts[TACIT_SENSITIVE_FACTS], shares[TACIT_MAX_CURVES][TACIT_SENSITIVE_FACTS];
    tacit_curve curves[TACIT_MAX_CURVES];
    int32_t count = in->count < TACIT_MAX_CURVES ? in->count : TACIT_MAX_CURVES;
    for (int j = 0; j < TACIT_SENSITIVE_FACTS; j++)
        facts[j] = j + 1;
    for (int32_t i = 0; i < count; i++) {
        for (int j = 0; j < TACIT_SENSITIVE_FACTS; j++)
            shares[i][j] = 100 * (double)in->verdicts[i].certain_rows[j + 1] /
                           (in->rows ? (double)in->rows : 1);
        curves[i] = (tacit_curve){.name = in->names[i], .values = shares[i]};
    }
    const tacit_curves plot = {.title =
                                   "Rows whose value is certain if some values can be ruled out",
                               .x_label = "values that an adversary can rule out for the person",
                               .y_label = "% of rows",
                               .x = facts,
                               .x_count = TACIT_SENSITIVE_FACTS,
                               .curves = curves,
                               .curve_count = count,
                               .decimals = 1};
    tacit_page_curves(page, &plot);
}

static void sensitive_facts(tacit_report *report, const void *found, const engine_case *c)
{
    (void)c;
    const inferred *in = found;
    for (int32_t i = 0; i < in->count; i++) {
        if (in->verdicts[i].classes > 0)
            add_certainty(report, in->names[i], &in->verdicts[i]);
        add_column(report, in->names[i], &in->verdicts[i]);
    }
    add_sensitive_table(report, in);
    tacit_report_drawing(report, draw_curves, in);
}

/* The definition is about who a row is, not about what is known without that. */
static void sensitive_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT - 64];
    if (!sensitive_discloses(found, c))
        return;
    sensitive_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_CONTROL, ENGINE_ADS_UNKNOWN,
                   "outside the definition, but worth knowing: %s", text);
}

static int64_t sensitive_exposed(const void *found, const engine_case *c)
{
    (void)c;
    const inferred *in = found;
    return given_away(&in->verdicts[worst_column(in)]);
}

const engine_attack engine_attack_sensitive = {
    .name = "sensitive",
    .title = "What classes say of sensitive values",
    .wanted = sensitive_wanted,
    .needs = sensitive_needs,
    .run = run_sensitive,
    .discloses = sensitive_discloses,
    .promised = sensitive_promised,
    .remedy = "give that column a diversity of 2 or more",
    .sentence = sensitive_sentence,
    .facts = sensitive_facts,
    .shows = sensitive_shows,
    .exposed = sensitive_exposed,
    .free = free_sensitive,
};
