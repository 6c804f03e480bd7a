/*
 * verdict.c - says what the judge has checked, and no more than that: a
 * sentence about values only where there was an original to compare with.
 */
#include "engine/records/verdict.h"
#include "engine/job/print.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

int64_t engine_verdict_smallest(const tacit_verdict *verdict)
{
    int64_t smallest = 0;
    for (int32_t i = 0; i < verdict->set_count; i++)
        if (verdict->sets[i].classes > 0 && (!smallest || verdict->sets[i].smallest < smallest))
            smallest = verdict->sets[i].smallest;
    return smallest;
}

static void append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *buffer, size_t size, const char *format, ...)
{
    size_t used = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
}

/* "distinct 3 of Diagnosis (4 at worst)". */
static void append_model(char *buffer, size_t size, const tacit_model_verdict *model)
{
    char text[48], name[48];
    append(buffer, size, "%s of %s", tacit_model_text(text, sizeof text, &model->bound),
           model->column ? engine_printable(name, sizeof name, tacit_strview_of(model->column))
                         : "the population");
    if (isfinite(model->worst))
        append(buffer, size, " (%.3g at worst)", model->worst);
}

static void append_models(char *buffer, size_t size, const tacit_verdict *verdict)
{
    enum { LISTED = 3 }; /* more would drown the sentence */
    int32_t count = verdict->model_count;
    if (count > LISTED)
        append(buffer, size, ", every class keeps the %d promises beyond k", (int)count);
    for (int32_t i = 0; i < count && count <= LISTED; i++) {
        const char *before = i + 1 < count ? ", " : " and ";
        append(buffer, size, "%s", i ? before : ", every class keeps ");
        append_model(buffer, size, &verdict->models[i]);
    }
}

/* That k holds both ways, or what can be told of it without the original. */
static void append_fits(char *buffer, size_t size, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    const tacit_fits_verdict *fits = &verdict->fits;
    long long k = promise->k, rows = verdict->rows;
    if (fits->exact)
        append(buffer, size,
               "the promise holds: at least %lld people fit every row, and everybody fits at least "
               "%lld rows, \"*\" as anything (k = %lld)",
               (long long)fits->least_people, (long long)fits->least_rows, k);
    else if (fits->rows_sure == rows && fits->people_sure == rows)
        append(buffer, size,
               "the promise holds: whatever \"*\" hides, at least %lld people fit every row, and "
               "everybody fits at least %lld rows",
               k, k);
    else
        append(buffer, size,
               "nothing shows that the promise is broken: every row agrees with at least %lld "
               "rows, itself counted and \"*\" as anything (k = %lld), but whether %lld people fit "
               "every row and everybody fits %lld rows takes the original: of %lld rows that is "
               "sure for %lld and for the people of %lld",
               (long long)verdict->alpha.least, k, k, k, rows, (long long)fits->rows_sure,
               (long long)fits->people_sure);
}

/* What the paper's condition leaves open: somebody who knows a person's values. */
static void append_one_way(char *buffer, size_t size, const tacit_verdict *verdict,
                           const tacit_promise *promise)
{
    const tacit_fits_verdict *fits = &verdict->fits;
    if (!fits->exact)
        append(
            buffer, size,
            "; it is not promised that a person whose values are known fits %lld rows: it may be "
            "one only",
            (long long)promise->k);
    else if (fits->people_below > 0)
        append(
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
        append(buffer, size, "the promise holds, for the release has no rows");
        return;
    }
    if (promise->k < 2) {
        append(buffer, size,
               "the promise holds, but no k is part of it: a row may stand alone on the "
               "quasi-identifiers");
        return;
    }
    if (promise->both_ways) {
        append_fits(buffer, size, verdict, promise);
        return;
    }
    append(buffer, size, "the promise holds: ");
    if (promise->mean_alpha)
        append(buffer, size, "a row agrees with %.4g rows in the mean", alpha->mean);
    else if (promise->ambiguous)
        append(buffer, size, "every row agrees with at least %lld rows", (long long)alpha->least);
    else
        append(buffer, size, "no combination of quasi-identifiers has fewer than %lld %s",
               (long long)engine_verdict_smallest(verdict),
               verdict->people_counted ? "people" : "rows");
    if (promise->ambiguous)
        append(buffer, size, ", itself counted and \"*\" as anything");
    append(buffer, size, " (k = %lld)", (long long)promise->k);
    if (verdict->trails.checked)
        append(buffer, size, ", rows that are linked are together those of at least %lld people",
               (long long)verdict->trails.smallest);
}

/* What is promised of blanks beyond k. */
static void append_blanks(char *buffer, size_t size, const tacit_promise *promise)
{
    if (promise->most_row_blanks)
        append(buffer, size, ", no row has more than %d %s", (int)promise->most_row_blanks,
               promise->most_row_blanks == 1 ? "blank" : "blanks");
    if (promise->most_column_blanks)
        append(buffer, size, ", no column has more than %lld %s",
               (long long)promise->most_column_blanks,
               promise->most_column_blanks == 1 ? "blank" : "blanks");
    if (promise->hidden_count == 1)
        append(buffer, size, ", the hidden dependency cannot be proven");
    else if (promise->hidden_count)
        append(buffer, size, ", none of the %d hidden dependencies can be proven",
               (int)promise->hidden_count);
}

/* What an adversary makes of blanks, whether or not anything is promised of it. */
static void append_minimality(char *buffer, size_t size, const tacit_minimality_verdict *v)
{
    if (!v->checked)
        append(buffer, size,
               "; what knowing that no blank could be left out reveals was not tried, for "
               "there are too many");
    else if (v->revealed)
        append(buffer, size, "; but knowing that no blank could be left out reveals %lld of %lld",
               (long long)v->revealed, (long long)v->blanks);
    else if (v->blanks)
        append(buffer, size, "; knowing that no blank could be left out reveals none");
}

static void append_good(char *buffer, size_t size, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    append_k(buffer, size, verdict, promise);
    append_blanks(buffer, size, promise);
    append_models(buffer, size, verdict);
    if (verdict->values_checked)
        append(buffer, size, ", every value generalizes %s",
               promise->masked ? "that of the masked data" : "the original's");
    if (verdict->rows_matched)
        append(buffer, size, ", row by row");
    if (promise->identifier_count > 0)
        append(buffer, size, ", and no identifier is left");
    if (!verdict->values_checked)
        append(buffer, size, "; values were not compared, for there was no original");
    if (promise->person && !verdict->people_counted)
        append(buffer, size,
               "; rows were counted, not people as promised, for nothing says whose the rows are");
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
        append(buffer, size, "the promise is broken: %lld %s", (long long)verdict->finding_count,
               verdict->finding_count == 1 ? "finding" : "findings");
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
    }
    return "other";
}

static void add_findings(tacit_account *account, const tacit_verdict *verdict)
{
    tacit_account_list(account, "judge.findings");
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        const tacit_finding *finding = &verdict->findings[i];
        tacit_account_push_object(account, "judge.findings");
        tacit_account_text(account, "@.kind", tacit_strview_of(engine_finding_name(finding->kind)));
        tacit_account_integer(account, "@.row", finding->row);
        tacit_account_integer(account, "@.count", finding->count);
        tacit_account_text(account, "@.message", tacit_strview_of(finding->message));
    }
}

static void add_models(tacit_account *account, const tacit_verdict *verdict)
{
    tacit_account_list(account, "judge.models");
    for (int32_t i = 0; i < verdict->model_count; i++) {
        const tacit_model_verdict *model = &verdict->models[i];
        const char *name = tacit_model_name(model->bound.kind);
        tacit_account_push_object(account, "judge.models");
        tacit_account_text(account, "@.model", tacit_strview_of(name));
        if (model->column)
            tacit_account_text(account, "@.column", tacit_strview_of(model->column));
        tacit_account_real(account, "@.bound", model->bound.bound);
        if (model->bound.kind == TACIT_MODEL_RECURSIVE)
            tacit_account_real(account, "@.c", model->bound.second);
        if (model->bound.kind == TACIT_MODEL_PRESENCE) {
            tacit_account_real(account, "@.least_bound", model->bound.second);
            tacit_account_real(account, "@.least", model->least);
        }
        tacit_account_bool(account, "@.checked", model->checked);
        tacit_account_integer(account, "@.classes", model->classes);
        tacit_account_real(account, "@.worst", model->worst);
        tacit_account_integer(account, "@.classes_failing", model->classes_failing);
        tacit_account_integer(account, "@.rows_failing", model->rows_failing);
    }
}

/* Rows and attributes count from 1. */
static void add_minimality(tacit_account *account, const tacit_minimality_verdict *v)
{
    enum { LISTED = 1000 }; /* cells that an account names; all are counted */
    tacit_account_bool(account, "judge.minimality.checked", v->checked);
    tacit_account_integer(account, "judge.minimality.blanks", v->blanks);
    tacit_account_integer(account, "judge.minimality.revealed", v->revealed);
    tacit_account_integer(account, "judge.minimality.narrowed", v->narrowed);
    tacit_account_integer(account, "judge.minimality.removable", v->removable);
    tacit_account_list(account, "judge.minimality.cells");
    for (int64_t i = 0; i < v->cell_count && i < LISTED; i++) {
        tacit_account_push_object(account, "judge.minimality.cells");
        tacit_account_integer(account, "@.row", v->cells[i].row);
        tacit_account_integer(account, "@.attribute", v->cells[i].attribute + 1);
    }
}

static void add_fits(tacit_account *account, const tacit_fits_verdict *fits)
{
    tacit_account_bool(account, "judge.fits.promised", fits->checked);
    tacit_account_bool(account, "judge.fits.exact", fits->exact);
    if (fits->exact) {
        tacit_account_integer(account, "judge.fits.least_people", fits->least_people);
        tacit_account_integer(account, "judge.fits.least_rows", fits->least_rows);
        tacit_account_integer(account, "judge.fits.rows_below", fits->rows_below);
        tacit_account_integer(account, "judge.fits.people_below", fits->people_below);
        tacit_account_integer(account, "judge.fits.people_with_one", fits->people_with_one);
    }
    if (fits->checked) {
        tacit_account_integer(account, "judge.fits.rows_sure", fits->rows_sure);
        tacit_account_integer(account, "judge.fits.people_sure", fits->people_sure);
    }
}

static void add_ambiguity(tacit_account *account, const tacit_verdict *verdict)
{
    const tacit_alpha_verdict *alpha = &verdict->alpha;
    if (!alpha->checked)
        return;
    tacit_account_integer(account, "judge.alpha.least", alpha->least);
    tacit_account_real(account, "judge.alpha.mean", alpha->mean);
    tacit_account_integer(account, "judge.alpha.rows_below", alpha->rows_below);
    tacit_account_integer(account, "judge.alpha.blanks", alpha->blanks);
    tacit_account_integer(account, "judge.alpha.rows_blanked", alpha->rows_blanked);
    add_fits(account, &verdict->fits);
    add_minimality(account, &verdict->minimality);
}

/* Shows ambiguity on a page, where it was judged. */
static void show_ambiguity(tacit_page *page, const tacit_verdict *verdict)
{
    static const char *const HEADER[] = {"least alpha", "mean alpha", "rows below k", "blanks",
                                         "revealed",    "narrowed",   "not needed"};
    const tacit_alpha_verdict *alpha = &verdict->alpha;
    const tacit_minimality_verdict *minimality = &verdict->minimality;
    const int64_t found[] = {minimality->revealed, minimality->narrowed, minimality->removable};
    tacit_grid grid;
    if (!alpha->checked)
        return;
    tacit_grid_init(&grid, HEADER, 7);
    tacit_grid_add(&grid, "%lld", (long long)alpha->least);
    tacit_grid_add(&grid, "%.4g", alpha->mean);
    tacit_grid_add(&grid, "%lld", (long long)alpha->rows_below);
    tacit_grid_add(&grid, "%lld", (long long)alpha->blanks);
    for (int i = 0; i < 3; i++) {
        if (minimality->checked)
            tacit_grid_add(&grid, "%lld", (long long)found[i]);
        else
            tacit_grid_add(&grid, "not tried");
    }
    tacit_grid_show(&grid, page,
                    "Ambiguity, and what knowing that no blank could be left out gives away");
    tacit_grid_clear(&grid);
}

void engine_verdict_models(tacit_page *page, const tacit_verdict *verdict)
{
    static const char *const HEADER[] = {"promise", "of", "classes", "worst", "rows failing"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 5);
    for (int32_t i = 0; i < verdict->model_count; i++) {
        const tacit_model_verdict *model = &verdict->models[i];
        char text[48];
        tacit_grid_add(&grid, "%s", tacit_model_text(text, sizeof text, &model->bound));
        tacit_grid_add(&grid, "%s", model->column ? model->column : "the population");
        tacit_grid_add(&grid, "%lld", (long long)model->classes);
        if (isfinite(model->worst))
            tacit_grid_add(&grid, "%.4g", model->worst);
        else
            tacit_grid_add(&grid, "none");
        tacit_grid_add(&grid, "%lld", (long long)model->rows_failing);
    }
    if (verdict->model_count > 0)
        tacit_grid_show(&grid, page, "Beyond k");
    tacit_grid_clear(&grid);
    show_ambiguity(page, verdict);
}

void engine_verdict_account(tacit_account *account, const tacit_verdict *verdict)
{
    tacit_account_bool(account, "judge.holds", verdict->holds);
    tacit_account_list(account, "judge.sets");
    for (int32_t i = 0; i < verdict->set_count; i++) {
        tacit_account_push_object(account, "judge.sets");
        tacit_account_integer(account, "@.classes", verdict->sets[i].classes);
        tacit_account_integer(account, "@.smallest", verdict->sets[i].smallest);
        tacit_account_integer(account, "@.rows_below", verdict->sets[i].rows_below);
    }
    add_models(account, verdict);
    add_ambiguity(account, verdict);
    if (verdict->trails.checked) {
        tacit_account_integer(account, "judge.trails.people", verdict->trails.people);
        tacit_account_integer(account, "judge.trails.smallest", verdict->trails.smallest);
        tacit_account_integer(account, "judge.trails.below_k", verdict->trails.below);
    }
    tacit_account_integer(account, "judge.suppressed_rows", verdict->suppressed_rows);
    tacit_account_integer(account, "judge.unreleased_rows", verdict->unreleased_rows);
    tacit_account_bool(account, "judge.rows_matched", verdict->rows_matched);
    tacit_account_bool(account, "judge.values_checked", verdict->values_checked);
    tacit_account_bool(account, "judge.people_counted", verdict->people_counted);
    add_findings(account, verdict);
}
