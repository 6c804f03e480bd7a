/*
 * inference.c - what classes say of the sensitive values of their people: homogeneity, negated
 * facts, skewness (audit_sensitive.h).
 *
 * The rows are sorted by class and value (sensitive.c). The values of a class, by
 * falling frequency, say everything: one alone is homogeneity, their number less one is the
 * number of negated facts that make a value certain, and the most frequent one is what any number
 * of facts makes most likely, since facts are best spent on the next ones. A suppressed cell can be
 * anything: it is no value, and a class that has some makes nothing certain.
 *
 * Cost: a sort of the rows for the classes and one for each column; a sort of each class's values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/audit_sensitive.h>

#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/error.h"

typedef struct value_count {
    uint32_t code;
    int64_t rows;
} value_count;

/* A column over the classes, in the making. */
typedef struct inference {
    const tacit_table *release;
    const tacit__partition *classes;
    int32_t column;
    int64_t *whole;  /* a code each: its rows in the release */
    uint32_t star;   /* the code of "*", which is no value and rules none out; UINT32_MAX: none */
    double *numbers; /* a code each; NAN: it is none */
    value_count *values;
    int64_t count;
    int64_t rows;  /* of the class in hand */
    int64_t blank; /* of them, with "*" */
    tacit_sensitive_verdict *verdict;
} inference;

static int most_frequent_first(const void *a, const void *b)
{
    const value_count *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows < y->rows ? 1 : -1;
    return (x->code > y->code) - (x->code < y->code);
}

/* ---- one class ---- */

static void judge_homogeneity(const inference *in, int64_t first)
{
    tacit_sensitive_verdict *v = in->verdict;
    if (in->count != 1 || in->blank > 0)
        return;
    v->homogeneous_classes++;
    v->homogeneous_rows += in->rows;
    if (v->homogeneous_first < 0 || first < v->homogeneous_first)
        v->homogeneous_first = first;
}

/* Numbers that lie within the spread are one value to who learns them. */
static void judge_narrowness(const inference *in)
{
    double low = INFINITY, high = -INFINITY;
    if (in->count < 2 || in->blank > 0 || in->verdict->reach <= 0)
        return;
    for (int64_t i = 0; i < in->count; i++) {
        double number = in->numbers[in->values[i].code];
        if (isnan(number))
            return;
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    if (high - low > in->verdict->reach)
        return;
    in->verdict->narrow_classes++;
    in->verdict->narrow_rows += in->rows;
}

/* Values are sorted: the first is the one to be made certain. */
static void judge_facts(const inference *in)
{
    tacit_sensitive_verdict *v = in->verdict;
    int64_t left = in->rows;
    bool sayable = in->count > 0 && in->blank == 0;
    if (sayable && (v->facts_needed < 0 || in->count - 1 < v->facts_needed))
        v->facts_needed = in->count - 1;
    for (int facts = 0; facts <= TACIT_SENSITIVE_FACTS; facts++) {
        if (facts > 0 && facts < in->count)
            left -= in->values[facts].rows;
        double confidence = in->count ? (double)in->values[0].rows / (double)left : 0;
        if (confidence > v->worst_confidence[facts])
            v->worst_confidence[facts] = confidence;
        if (sayable && in->count <= facts + 1)
            v->certain_rows[facts] += in->rows;
    }
}

static void judge_skewness(const inference *in, int64_t first)
{
    tacit_sensitive_verdict *v = in->verdict;
    double all = (double)tacit_table_rows(in->release), distance = 1;
    bool doubled = false;
    if (in->star != UINT32_MAX) {
        double prior = (double)in->whole[in->star] / all;
        double posterior = (double)in->blank / (double)in->rows;
        distance -= prior < posterior ? prior : posterior;
    }
    for (int64_t i = 0; i < in->count; i++) {
        double prior = (double)in->whole[in->values[i].code] / all;
        double posterior = (double)in->values[i].rows / (double)in->rows;
        distance -= prior < posterior ? prior : posterior;
        doubled |= posterior > 0.5 && posterior >= 2 * prior;
        if (posterior <= v->gain * prior)
            continue;
        v->gain = posterior / prior;
        v->prior = prior;
        v->posterior = posterior;
        v->skewed_row = first;
    }
    v->distance = distance > v->distance ? distance : v->distance;
    v->doubled_rows += doubled ? in->rows : 0;
}

static void judge_class(inference *in, int64_t first)
{
    qsort(in->values, (size_t)in->count, sizeof *in->values, most_frequent_first);
    judge_homogeneity(in, first);
    judge_narrowness(in);
    judge_facts(in);
    judge_skewness(in, first);
    in->verdict->classes++;
}

/* ---- a column ---- */

/* Reads the class that starts at a place of the sorted keys; returns its end. */
static int64_t gather_class(inference *in, const tacit__class_values *values, int64_t from)
{
    int64_t class = tacit__class_at(values, from), at = from;
    in->count = in->blank = 0;
    while (at < values->keys.rows && tacit__class_at(values, at) == class) {
        int64_t end = tacit__class_value_end(values, at);
        uint32_t code = tacit__class_code_at(values, at);
        if (code == in->star)
            in->blank = end - at;
        else
            in->values[in->count++] = (value_count){code, end - at};
        at = end;
    }
    in->rows = at - from;
    return at;
}

static void read_numbers(inference *in, size_t codes)
{
    uint32_t distinct = tacit_table_distinct(in->release, in->column);
    tacit__near_form form = tacit__near_form_of(in->release, in->column);
    for (uint32_t code = 0; code < codes; code++)
        in->numbers[code] =
            code < distinct
                ? tacit__near_read(&form, tacit_table_value(in->release, in->column, code))
                : NAN;
}

/* The rows of every value. */
static void count_table(inference *in)
{
    tacit_codes_view codes = tacit_table_codes(in->release, in->column);
    for (int64_t row = 0; row < tacit_table_rows(in->release); row++) {
        uint32_t code = tacit_codes_at(codes, row);
        in->verdict->values += in->whole[code]++ == 0 && code != in->star;
    }
}

static tacit_status judge_column(inference *in, const tacit_run *run, tacit_error *err)
{
    size_t codes = (size_t)tacit__code_max(in->release, in->column) + 1;
    tacit__class_values values = {0};
    tacit_status status =
        tacit__class_values_init(&values, in->release, in->column, in->classes, run, err);
    in->whole = tacit__alloc_zeroed(codes, sizeof *in->whole);
    in->values = tacit__alloc_array(codes, sizeof *in->values);
    in->numbers = tacit__alloc_array(codes, sizeof *in->numbers);
    if (status == TACIT_OK && !(in->whole && in->values && in->numbers))
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        count_table(in);
        read_numbers(in, codes);
    }
    for (int64_t at = 0; at < values.keys.rows && status == TACIT_OK;) {
        int64_t class = tacit__class_at(&values, at);
        at = gather_class(in, &values, at);
        judge_class(in, in->classes->first[class]);
    }
    tacit__class_values_clear(&values);
    tacit__free(in->whole);
    tacit__free(in->values);
    tacit__free(in->numbers);
    return status;
}

static tacit_status judge_columns(tacit_sensitive_verdict *verdicts, const tacit_table *release,
                                  const tacit__partition *classes, const int32_t *columns,
                                  const tacit_spread *spreads, int32_t column_count,
                                  const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < column_count && status == TACIT_OK; i++) {
        verdicts[i] = (tacit_sensitive_verdict){
            .column = columns[i], .homogeneous_first = -1, .skewed_row = -1, .facts_needed = -1};
        if (spreads)
            verdicts[i].reach = tacit__near_reach(release, columns[i], spreads[i]);
        inference in = {.release = release,
                        .classes = classes,
                        .column = columns[i],
                        .star = tacit__suppressed_code(release, columns[i]),
                        .verdict = &verdicts[i]};
        status = judge_column(&in, run, err);
    }
    return status;
}

tacit_status tacit_audit_sensitive(tacit_sensitive_verdict **out, const tacit_table *release,
                                   const int32_t *attributes, int32_t attribute_count,
                                   const int32_t *columns, const tacit_spread *spreads,
                                   int32_t column_count, tacit_audit_groups *groups,
                                   const tacit_run *run, tacit_error *err)
{
    const tacit__partition *classes = NULL;
    tacit_audit_groups *own = NULL;
    tacit_sensitive_verdict *verdicts = tacit__alloc_zeroed((size_t)column_count, sizeof *verdicts);
    tacit_status status = verdicts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && !groups)
        status = tacit_audit_groups_new(&own, err);
    if (status == TACIT_OK)
        status = tacit__groups_get(&classes, groups ? groups : own, release, attributes,
                                   attribute_count, run, err);
    if (status == TACIT_OK)
        status =
            judge_columns(verdicts, release, classes, columns, spreads, column_count, run, err);
    tacit_audit_groups_free(own);
    if (status == TACIT_OK)
        *out = verdicts;
    else
        tacit__free(verdicts);
    return status;
}

void tacit_sensitive_free(tacit_sensitive_verdict *verdicts)
{
    tacit__free(verdicts);
}
