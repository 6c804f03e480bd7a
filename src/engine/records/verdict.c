/*
 * verdict.c - says what the judge has checked, and no more than that: a
 * sentence about values only where there was an original to compare with.
 */
#include "engine/records/verdict.h"
#include "base/bitset.h"
#include "engine/job/print.h"

#include <math.h>

int64_t engine_verdict_smallest(const tacit_verdict *verdict)
{
    int64_t smallest = 0;
    for (int32_t i = 0; i < verdict->set_count; i++)
        if (verdict->sets[i].classes > 0 && (!smallest || verdict->sets[i].smallest < smallest))
            smallest = verdict->sets[i].smallest;
    return smallest;
}

/* "distinct 3 of Diagnosis (4 at worst)". */
static void append_model(char *buffer, size_t size, const tacit_model_verdict *model)
{
    char text[48], name[48];
    if (model->bound.kind == TACIT_MODEL_MAP_ESTIMATED) {
        engine_append(buffer, size, "an estimated k-map of %.10g people", model->bound.bound);
        if (isfinite(model->worst))
            engine_append(buffer, size, " (%.4g at worst, by the sampling weights)", model->worst);
        return;
    }
    engine_append(buffer, size, "%s of %s", tacit_model_text(text, sizeof text, &model->bound),
                  model->column
                      ? engine_printable(name, sizeof name, tacit_strview_of(model->column))
                      : "the population");
    if (isfinite(model->worst))
        engine_append(buffer, size, " (%.3g at worst)", model->worst);
}

static void append_models(char *buffer, size_t size, const tacit_verdict *verdict)
{
    enum { NAMED_MODELS = 3 }; /* more would drown the sentence */
    int32_t count = verdict->model_count;
    if (count > NAMED_MODELS)
        engine_append(buffer, size, ", every class keeps the %d promises beyond k", (int)count);
    for (int32_t i = 0; i < count && count <= NAMED_MODELS; i++) {
        const char *before = i + 1 < count ? ", " : " and ";
        engine_append(buffer, size, "%s", i ? before : ", every class keeps ");
        append_model(buffer, size, &verdict->models[i]);
    }
}

/* What is kept by the release as a whole. */
static void append_risks(char *buffer, size_t size, const tacit_verdict *verdict,
                         const tacit_promise *promise)
{
    const tacit_risk_bounds *bounds = &promise->risks;
    if (bounds->average > 0)
        engine_append(buffer, size, ", the average risk is %.4g, at most %.4g",
                      verdict->risks.average, bounds->average);
    if (bounds->model == TACIT_UNIQUENESS_NONE)
        return;
    engine_append(buffer, size, ", %.4g of the population %s unique, at most %.4g",
                  verdict->risks.unique, verdict->risks.unique > 0 ? "are estimated to be" : "is",
                  bounds->unique);
    if (verdict->risks.model != TACIT_UNIQUENESS_NONE)
        engine_append(buffer, size, " (%s, if %.4g of it were drawn at random)",
                      tacit_uniqueness_name(verdict->risks.model), bounds->fraction);
}

/* That k holds both ways, or what can be told of it without the original. */
static void append_fits(char *buffer, size_t size, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    const tacit_fits_verdict *fits = &verdict->fits;
    long long k = promise->k, rows = verdict->rows;
    if (fits->exact)
        engine_append(
            buffer, size,
            "the promise holds: at least %lld people fit every row, and everybody fits at least "
            "%lld rows, \"*\" as anything (k = %lld)",
            (long long)fits->least_people, (long long)fits->least_rows, k);
    else if (fits->rows_sure == rows && fits->people_sure == rows)
        engine_append(
            buffer, size,
            "the promise holds: whatever \"*\" hides, at least %lld people fit every row, and "
            "everybody fits at least %lld rows",
            k, k);
    else
        engine_append(
            buffer, size,
            "nothing shows that the promise is broken: every row agrees with at least %lld rows, "
            "itself counted and \"*\" as anything (k = %lld), but whether %lld people fit every "
            "row and everybody fits %lld rows can only be checked with the original: of %lld rows "
            "that is certain for %lld and for the people of %lld",
            (long long)verdict->alpha.least, k, k, k, rows, (long long)fits->rows_sure,
            (long long)fits->people_sure);
}

/* What the paper's condition leaves open: somebody who knows a person's values. */
static void append_one_way(char *buffer, size_t size, const tacit_verdict *verdict,
                           const tacit_promise *promise)
{
    const tacit_fits_verdict *fits = &verdict->fits;
    if (!fits->exact)
        engine_append(
            buffer, size,
            "; it is not promised that a person whose values are known fits %lld rows: it may be "
            "one only",
            (long long)promise->k);
    else if (fits->people_below > 0)
        engine_append(
            buffer, size,
            "; but %lld %s fewer than %lld rows by their values, %lld of them a single one, which "
            "this promise does not cover",
            (long long)fits->people_below, fits->people_below == 1 ? "person fits" : "people fit",
            (long long)promise->k, (long long)fits->people_with_one);
}

static void append_k(char *buffer, size_t size, const tacit_verdict *verdict,
                     const tacit_promise *promise)
{
    const tacit_alpha_verdict *alpha = &verdict->alpha;
    if (verdict->rows == 0) {
        engine_append(buffer, size, "the promise holds, because the release has no rows");
        return;
    }
    if (promise->k < 2) {
        engine_append(buffer, size,
                      "the promise holds, but it includes no k: a row may be unique on the "
                      "quasi-identifiers");
        return;
    }
    if (promise->both_ways) {
        append_fits(buffer, size, verdict, promise);
        return;
    }
    engine_append(buffer, size, "the promise holds: ");
    if (promise->mean_alpha)
        engine_append(buffer, size, "a row agrees with %.4g rows in the mean", alpha->mean);
    else if (promise->ambiguous)
        engine_append(buffer, size, "every row agrees with at least %lld rows",
                      (long long)alpha->least);
    else
        engine_append(buffer, size, "no combination of quasi-identifiers has fewer than %lld %s",
                      (long long)engine_verdict_smallest(verdict),
                      !verdict->people_counted ? "rows"
                      : promise->household     ? "households"
                                               : "people");
    if (promise->ambiguous)
        engine_append(buffer, size, ", itself counted and \"*\" as anything");
    engine_append(buffer, size, " (k = %lld)", (long long)promise->k);
    if (verdict->households.checked)
        engine_append(buffer, size,
                      ", the rows of all members of a household are those of at least %lld",
                      (long long)verdict->households.smallest);
    if (verdict->trails.checked)
        engine_append(buffer, size, ", rows that are linked are together those of at least %lld %s",
                      (long long)verdict->trails.smallest,
                      promise->household ? "households" : "people");
}

/* What is promised of sets of items. */
static void append_items(char *buffer, size_t size, const tacit_verdict *verdict,
                         const tacit_promise *promise)
{
    if (!verdict->items.checked)
        return;
    if (verdict->items.smallest == 0)
        engine_append(buffer, size, ", and sets have no items");
    else
        engine_append(
            buffer, size, ", who also knows %s%d %s of a person finds at least %lld %s with them",
            promise->km > 1 ? "up to " : "", promise->km, promise->km > 1 ? "items" : "item",
            (long long)verdict->items.smallest, verdict->people_counted ? "people" : "rows");
}

/* What is promised of blanks beyond k. */
static void append_blanks(char *buffer, size_t size, const tacit_promise *promise)
{
    if (promise->max_row_blanks)
        engine_append(buffer, size, ", no row has more than %d %s", (int)promise->max_row_blanks,
                      promise->max_row_blanks == 1 ? "blank" : "blanks");
    if (promise->most_column_blanks)
        engine_append(buffer, size, ", no column has more than %lld %s",
                      (long long)promise->most_column_blanks,
                      promise->most_column_blanks == 1 ? "blank" : "blanks");
    if (promise->hidden_count == 1)
        engine_append(buffer, size, ", the hidden dependency cannot be proven");
    else if (promise->hidden_count)
        engine_append(buffer, size, ", none of the %d hidden dependencies can be proven",
                      (int)promise->hidden_count);
}

/* What an adversary makes of blanks, whether or not anything is promised of it. */
static void append_minimality(char *buffer, size_t size, const tacit_minimality_verdict *v)
{
    if (!v->checked)
        engine_append(buffer, size,
                      "; what knowing that no blank could be left out reveals was not examined, "
                      "because there are too many");
    else if (v->revealed)
        engine_append(buffer, size,
                      "; but knowing that no blank could be left out reveals %lld of %lld",
                      (long long)v->revealed, (long long)v->blanks);
    else if (v->blanks)
        engine_append(buffer, size, "; knowing that no blank could be left out reveals none");
}

static void append_good(char *buffer, size_t size, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    append_k(buffer, size, verdict, promise);
    append_blanks(buffer, size, promise);
    append_models(buffer, size, verdict);
    append_risks(buffer, size, verdict, promise);
    append_items(buffer, size, verdict, promise);
    if (verdict->values_checked)
        engine_append(buffer, size, ", every value generalizes %s",
                      promise->masked ? "that of the masked data" : "the original's");
    if (verdict->rows_matched)
        engine_append(buffer, size, ", row by row");
    if (promise->identifier_count > 0)
        engine_append(buffer, size, ", and no identifier is left");
    if (!verdict->values_checked)
        engine_append(buffer, size, "; values were not compared, because there was no original");
    if ((promise->person || promise->household) && !verdict->people_counted)
        engine_append(buffer, size,
                      "; rows were counted, not %s as promised, because no column says whose they "
                      "are",
                      promise->household ? "households" : "people");
    if (promise->ambiguous && !promise->both_ways && promise->k > 1 && verdict->rows > 0)
        append_one_way(buffer, size, verdict, promise);
    if (promise->ambiguous)
        append_minimality(buffer, size, &verdict->minimality);
}

const char *engine_verdict_sentence(char *buffer, size_t size, const tacit_verdict *verdict,
                                    const tacit_promise *promise)
{
    buffer[0] = '\0';
    if (verdict->holds)
        append_good(buffer, size, verdict, promise);
    else
        engine_append(buffer, size, "the promise is broken: %s",
                      engine_many(verdict->finding_count, "finding").text);
    return buffer;
}

const char *engine_finding_name(tacit_finding_kind kind)
{
    switch (kind) {
    case TACIT_FINDING_K: return "k";
    case TACIT_FINDING_ALPHA: return "alpha";
    case TACIT_FINDING_SUPPRESSED: return "suppressed";
    case TACIT_FINDING_TRAIL: return "trail";
    case TACIT_FINDING_PERSON: return "person";
    case TACIT_FINDING_HOUSEHOLD: return "household";
    case TACIT_FINDING_VALUE: return "value";
    case TACIT_FINDING_ROWS: return "rows";
    case TACIT_FINDING_CHANGED: return "changed";
    case TACIT_FINDING_IDENTIFIER: return "identifier";
    case TACIT_FINDING_COLUMN: return "column";
    case TACIT_FINDING_MODEL: return "model";
    case TACIT_FINDING_REVEALED: return "revealed";
    case TACIT_FINDING_DEPENDENCY: return "dependency";
    case TACIT_FINDING_LIMIT: return "limit";
    case TACIT_FINDING_FITS: return "fits";
    case TACIT_FINDING_FORMULA: return "formula";
    case TACIT_FINDING_MISSING: return "missing";
    case TACIT_FINDING_ITEMS: return "items";
    }
    return "other";
}

/* ---- facts ---- */

/* Each quasi-identifier by its columns. */
static void add_set_verdicts(tacit_report *report, const tacit_verdict *verdict,
                             const tacit_promise *promise)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "quasi-identifier"},
        {.key = "classes", .heading = "classes"},
        {.key = "smallest", .heading = "smallest class"},
        {.key = "rows_below", .heading = "rows below k"},
    };
    size_t words = tacit__bitset_words(promise->attribute_count);
    tacit_report_begin(report, TACIT_TABLE("sets", "Quasi-identifiers", false, COLUMNS));
    for (int32_t i = 0; i < verdict->set_count; i++) {
        char names[256] = "";
        for (int32_t j = 0; j < promise->attribute_count; j++)
            if (!promise->sets || tacit__bit_get(promise->sets + (size_t)i * words, j))
                engine_append_name(names, sizeof names, promise->attributes[j].name);
        tacit_report_cell(report, "%s", names);
        tacit_report_cell_integer(report, verdict->sets[i].classes);
        tacit_report_cell_integer(report, verdict->sets[i].smallest);
        tacit_report_cell_integer(report, verdict->sets[i].rows_below);
    }
}

static void add_real_if(tacit_report *report, bool known, double value)
{
    if (known)
        tacit_report_cell_real(report, value);
    else
        tacit_report_cell_none(report);
}

static void add_model_verdict(tacit_report *report, const tacit_model_verdict *model)
{
    char text[48];
    bool presence = model->bound.kind == TACIT_MODEL_PRESENCE;
    tacit_report_cell(report, "%s", tacit_model_text(text, sizeof text, &model->bound));
    tacit_report_cell(report, "%s", tacit_model_name(model->bound.kind));
    if (model->column)
        tacit_report_cell(report, "%s", model->column);
    else
        tacit_report_cell_none(report);
    tacit_report_cell_real(report, model->bound.bound);
    add_real_if(report, model->bound.kind == TACIT_MODEL_RECURSIVE, model->bound.second);
    add_real_if(report, presence, model->bound.second);
    add_real_if(report, presence, model->least);
    tacit_report_cell_bool(report, model->checked);
    tacit_report_cell_integer(report, model->classes);
    tacit_report_cell_real(report, model->worst);
    if (isfinite(model->worst))
        tacit_report_cell(report, "%.4g", model->worst);
    else
        tacit_report_cell(report, "none");
    tacit_report_cell_integer(report, model->classes_failing);
    tacit_report_cell_integer(report, model->rows_failing);
}

static void add_model_verdicts(tacit_report *report, const tacit_verdict *verdict)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "promise"},
        {.key = "model"},
        {.key = "column", .heading = "of", .none = "the population"},
        {.key = "bound"},
        {.key = "c"},
        {.key = "least_bound"},
        {.key = "least"},
        {.key = "checked"},
        {.key = "classes", .heading = "classes"},
        {.key = "worst"},
        {.heading = "worst"},
        {.key = "classes_failing"},
        {.key = "rows_failing", .heading = "rows failing"},
    };
    tacit_report_begin(report, TACIT_TABLE("models", "Beyond k", false, COLUMNS));
    for (int32_t i = 0; i < verdict->model_count; i++)
        add_model_verdict(report, &verdict->models[i]);
}

/* Rows and attributes count from 1. */
static void add_minimality(tacit_report *report, const tacit_minimality_verdict *v)
{
    enum { LISTED_CELLS = 1000 }; /* cells that are named; all are counted */
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_minimality_verdict, revealed, "revealed",
                    "blanks revealed to an adversary who knows that none could be left out", 0),
        TACIT_FIELD(tacit_minimality_verdict, narrowed, "narrowed", "and narrowed", 0),
        TACIT_FIELD(tacit_minimality_verdict, removable, "removable", "and not needed", 0),
    };
    static const tacit_report_column COLUMNS[] = {{.key = "row"}, {.key = "attribute"}};
    tacit_report_enter(report, "minimality");
    tacit_report_bool(report, "checked", v->checked);
    tacit_report_integer(report, "blanks", v->blanks);
    unsigned before = tacit_report_show(report, v->checked ? TACIT_SHOW_ALL : TACIT_SHOW_JSON);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), v);
    tacit_report_show(report, before);
    if (!v->checked)
        tacit_report_paragraph(report, "What knowing that no blank could be left out gives away "
                                       "was not tried.");
    tacit_report_begin(report, TACIT_TABLE("cells", NULL, false, COLUMNS));
    for (int64_t i = 0; i < v->cell_count && i < LISTED_CELLS; i++) {
        tacit_report_cell_integer(report, v->cells[i].row);
        tacit_report_cell_integer(report, v->cells[i].attribute + 1);
    }
    tacit_report_leave(report);
}

static void add_fits(tacit_report *report, const tacit_fits_verdict *fits)
{
    static const tacit_field EXACT[] = {
        TACIT_FIELD(tacit_fits_verdict, least_people, "fits.least_people", NULL, 0),
        TACIT_FIELD(tacit_fits_verdict, least_rows, "fits.least_rows", NULL, 0),
        TACIT_FIELD(tacit_fits_verdict, rows_below, "fits.rows_below", NULL, 0),
        TACIT_FIELD(tacit_fits_verdict, people_below, "fits.people_below", NULL, 0),
        TACIT_FIELD(tacit_fits_verdict, people_with_one, "fits.people_with_one", NULL, 0),
    };
    tacit_report_bool(report, "fits.promised", fits->checked);
    tacit_report_bool(report, "fits.exact", fits->exact);
    if (fits->exact)
        tacit_report_fields(report, EXACT, TACIT_COUNT_OF(EXACT), fits);
    if (fits->checked) {
        tacit_report_integer(report, "fits.rows_sure", fits->rows_sure);
        tacit_report_integer(report, "fits.people_sure", fits->people_sure);
    }
}

static void add_alpha_verdict(tacit_report *report, const tacit_verdict *verdict)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_alpha_verdict, least, "alpha.least", "least alpha", 0),
        TACIT_FIELD(tacit_alpha_verdict, mean, "alpha.mean", "mean alpha", 2),
        TACIT_FIELD(tacit_alpha_verdict, rows_below, "alpha.rows_below", "rows below k", 0),
        TACIT_FIELD(tacit_alpha_verdict, blanks, "alpha.blanks", "blanks", 0),
        TACIT_FIELD(tacit_alpha_verdict, rows_blanked, "alpha.rows_blanked", NULL, 0),
    };
    if (!verdict->alpha.checked)
        return;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &verdict->alpha);
    add_fits(report, &verdict->fits);
    add_minimality(report, &verdict->minimality);
}

static void add_risks(tacit_report *report, const tacit_verdict *verdict,
                      const tacit_promise *promise)
{
    const tacit_risk_bounds *bounds = &promise->risks;
    if (!verdict->risks.checked)
        return;
    tacit_report_real(report, "risks.average", verdict->risks.average);
    if (bounds->average > 0)
        tacit_report_real(report, "risks.average_bound", bounds->average);
    if (bounds->model == TACIT_UNIQUENESS_NONE)
        return;
    tacit_report_real(report, "risks.unique", verdict->risks.unique);
    tacit_report_real(report, "risks.unique_bound", bounds->unique);
    tacit_report_real(report, "risks.sampling_fraction", bounds->fraction);
    tacit_report_text(report, "risks.model", tacit_uniqueness_name(verdict->risks.model));
}

static void add_item_verdict(tacit_report *report, const tacit_verdict *verdict,
                             const tacit_promise *promise)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_items_verdict, smallest, "items.smallest", NULL, 0),
        TACIT_FIELD(tacit_items_verdict, classes_failing, "items.classes_failing", NULL, 0),
        TACIT_FIELD(tacit_items_verdict, rows_failing, "items.rows_failing", NULL, 0),
    };
    if (promise->items_count == 0)
        return;
    tacit_report_integer(report, "items.km", promise->km);
    tacit_report_bool(report, "items.checked", verdict->items.checked);
    tacit_report_real(report, "items.combinations", verdict->items.combinations);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &verdict->items);
}

static void add_findings(tacit_report *report, const tacit_verdict *verdict)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "kind", .heading = "finding"},
        {.key = "row"},
        {.heading = "row"},
        {.key = "count", .heading = "rows or cells"},
        {.key = "message", .heading = "what"},
    };
    tacit_report_begin(report, TACIT_TABLE("findings", "Findings", false, COLUMNS));
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        const tacit_finding *finding = &verdict->findings[i];
        tacit_report_cell(report, "%s", engine_finding_name(finding->kind));
        tacit_report_cell_integer(report, finding->row);
        if (finding->row > 0)
            tacit_report_cell_integer(report, finding->row);
        else
            tacit_report_cell_none(report);
        tacit_report_cell_integer(report, finding->count);
        tacit_report_cell(report, "%s", finding->message);
    }
}

void engine_verdict_say(tacit_report *report, const char *label, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    char sentence[1024];
    engine_verdict_sentence(sentence, sizeof sentence, verdict, promise);
    tacit_report_verdict(report, verdict->holds, label, "%s", sentence);
}

void engine_verdict_facts(tacit_report *report, const tacit_verdict *verdict,
                          const tacit_promise *promise)
{
    static const tacit_field TRAILS[] = {
        TACIT_FIELD(tacit_trail_verdict, people, "trails.people", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, smallest, "trails.smallest", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, below, "trails.below_k", NULL, 0),
    };
    static const tacit_field HOUSEHOLDS[] = {
        TACIT_FIELD(tacit_trail_verdict, people, "households.households", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, smallest, "households.smallest", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, below, "households.below_k", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, most_rows, "households.most_rows", NULL, 0),
    };
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_verdict, suppressed_rows, "suppressed_rows", NULL, 0),
        TACIT_FIELD(tacit_verdict, unreleased_rows, "unreleased_rows", NULL, 0),
        TACIT_FIELD(tacit_verdict, rows_matched, "rows_matched", NULL, 0),
        TACIT_FIELD(tacit_verdict, values_checked, "values_checked", NULL, 0),
        TACIT_FIELD(tacit_verdict, people_counted, "people_counted", NULL, 0),
    };
    tacit_report_enter(report, "judge");
    tacit_report_bool(report, "holds", verdict->holds);
    add_set_verdicts(report, verdict, promise);
    add_model_verdicts(report, verdict);
    add_risks(report, verdict, promise);
    add_item_verdict(report, verdict, promise);
    add_alpha_verdict(report, verdict);
    if (verdict->trails.checked)
        tacit_report_fields(report, TRAILS, TACIT_COUNT_OF(TRAILS), &verdict->trails);
    if (verdict->households.checked)
        tacit_report_fields(report, HOUSEHOLDS, TACIT_COUNT_OF(HOUSEHOLDS), &verdict->households);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), verdict);
    add_findings(report, verdict);
    tacit_report_leave(report);
}
