/*
 * loss.c - measuring what a release has lost: which attributes there are, then
 * each of them by itself, then all together.
 *
 * Attributes are measured side by side, each by one thread and in the order of
 * its rows, so the numbers are the same whatever the number of threads. The cost
 * is linear in the rows, but for sorting distinct numbers, which is nearly so.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "loss/loss.h"

void tacit_loss_options_init(tacit_loss_options *options)
{
    *options = (tacit_loss_options){.bins = 32, .few = 5, .fit_rows = 200000};
}

/* ---- what is asked for ---- */

static bool is_named(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static tacit_status check_names(const char *const *names, size_t count, const tacit_table *table,
                                tacit_error *err)
{
    for (size_t i = 0; i < count; i++) {
        int32_t column = tacit_table_find(table, tacit_strview_of(names[i]));
        if (column < 0)
            return tacit__error(err, TACIT_INVALID, "the original has no column '%s'",
                                tacit__show(tacit_strview_of(names[i])).text);
        if (!tacit_table_is_coded(table, column))
            return tacit__error(err, TACIT_INVALID, "column '%s' is not coded in the original",
                                tacit__show(tacit_strview_of(names[i])).text);
    }
    return TACIT_OK;
}

static tacit_status check_origin(tacit_loss *out, const tacit_loss_case *c, tacit_error *err)
{
    int64_t rows = tacit_table_rows(c->original), released = tacit_table_rows(c->release);
    if (!c->origin && rows != released)
        return tacit__error(err, TACIT_INVALID,
                            "the release has %lld rows and the original %lld: which is which must "
                            "be said",
                            (long long)released, (long long)rows);
    for (int64_t row = 0; c->origin && row < released; row++) {
        if (c->origin[row] != TACIT_LOSS_MADE_UP && c->origin[row] >= rows)
            return tacit__error(err, TACIT_INVALID,
                                "row %lld of the release is said to come from a row that the "
                                "original does not have",
                                (long long)row + 1);
        out->made_up += c->origin[row] == TACIT_LOSS_MADE_UP;
    }
    out->rows = rows;
    out->released = released - out->made_up;
    return TACIT_OK;
}

static tacit_status add_weights(double *total, const tacit_loss_case *c, tacit_error *err)
{
    int64_t released = tacit_table_rows(c->release);
    *total = c->weights ? 0 : (double)released;
    for (int64_t row = 0; c->weights && row < released; row++) {
        if (!isfinite(c->weights[row]) || c->weights[row] < 0)
            return tacit__error(err, TACIT_INVALID, "row %lld of the release has no proper weight",
                                (long long)row + 1);
        *total += c->weights[row];
    }
    if (!isfinite(*total))
        return tacit__error(err, TACIT_INVALID, "the weights are too large to be added up");
    return TACIT_OK;
}

static tacit_status check(tacit__loss_frame *frame, tacit_error *err)
{
    const tacit_loss_options *o = frame->options;
    const tacit_table *original = frame->c->original;
    if (o->bins < 2 || o->bins > 256 || o->few < 1 || o->fit_rows < 2)
        return tacit__error(err, TACIT_INVALID,
                            "2 to 256 bins, 1 or more records, 2 or more rows to fit to");
    tacit_status status = check_names(o->columns, o->column_count, original, err);
    if (status == TACIT_OK)
        status = check_names(o->opaque, o->opaque_count, original, err);
    if (status == TACIT_OK)
        status = check_names(o->nominal, o->nominal_count, original, err);
    if (status == TACIT_OK)
        status = check_origin(frame->out, frame->c, err);
    if (status == TACIT_OK)
        status = add_weights(&frame->totals[TACIT__RELEASE], frame->c, err);
    frame->rows[0] = tacit_table_rows(original);
    frame->rows[1] = tacit_table_rows(frame->c->release);
    frame->totals[TACIT__ORIGINAL] = (double)frame->rows[0];
    return status == TACIT_OK ? tacit__loss_population(frame, err) : status;
}

/* Bins to the power of 2.5 are no more than the rows: pairs of bins then have rows enough to be
 * counted by. */
static uint32_t bins_for(double rows, uint32_t most)
{
    uint32_t bins = 2;
    while (bins < most && pow(bins + 1, 5) <= rows * rows)
        bins++;
    return bins;
}

/* ---- attributes ---- */

static bool is_wanted(const tacit__loss_frame *frame, int32_t column, const char *name)
{
    const tacit_table *original = frame->c->original, *release = frame->c->release;
    if (!tacit_table_is_coded(original, column))
        return false;
    if (frame->options->column_count)
        return is_named(frame->options->columns, frame->options->column_count, name);
    int32_t released = tacit_table_find(release, tacit_strview_of(name));
    return released >= 0 && tacit_table_is_coded(release, released);
}

static tacit_status add_attribute(tacit__loss_frame *frame, int32_t column, char *name,
                                  tacit_error *err)
{
    const tacit_loss_options *o = frame->options;
    int32_t released = tacit_table_find(frame->c->release, tacit_strview_of(name));
    tacit_loss_attribute *out = &frame->out->attributes[frame->count];
    tacit__loss_column *to = &frame->columns[frame->count++];
    frame->out->attribute_count = frame->count;
    *out = (tacit_loss_attribute){
        .name = name,
        .dropped = released < 0,
        .opaque = is_named(o->opaque, o->opaque_count, name),
        .numeric = !is_named(o->nominal, o->nominal_count, name), /* if its values are */
        .margin_change = NAN,
        .il1s = NAN,
        .mean_change = NAN,
        .mean_shift = NAN,
        .variance_change = NAN,
        .rank_change = NAN,
        .correlation_change = NAN,
    };
    to->out = out;
    to->sides[0].column = column;
    to->sides[1].column = released;
    if (released >= 0 && !tacit_table_is_coded(frame->c->release, released))
        return tacit__error(err, TACIT_INVALID, "column '%s' is not coded in the release",
                            tacit__show(tacit_strview_of(name)).text);
    return TACIT_OK;
}

static tacit_status find_attributes(tacit__loss_frame *frame, tacit_error *err)
{
    const tacit_table *original = frame->c->original;
    int32_t columns = tacit_table_columns(original);
    tacit_status status = TACIT_OK;
    frame->columns = tacit__alloc_zeroed((size_t)columns, sizeof *frame->columns);
    frame->out->attributes = tacit__alloc_zeroed((size_t)columns, sizeof(tacit_loss_attribute));
    if (!frame->columns || !frame->out->attributes)
        return tacit__nomem(err);
    for (int32_t i = 0; i < columns && status == TACIT_OK; i++) {
        tacit_strview name = tacit_table_name(original, i);
        char *copy = tacit__copy_bytes(name.bytes, name.len);
        if (!copy)
            return tacit__nomem(err);
        if (is_wanted(frame, i, copy))
            status = add_attribute(frame, i, copy, err);
        else
            tacit__free(copy);
    }
    return status;
}

/* ---- measures ---- */

static tacit_status measure_attribute(void *context, int64_t task, int worker, tacit_error *err)
{
    tacit__loss_frame *frame = context;
    int32_t column = (int32_t)task;
    (void)worker;
    tacit_status status = tacit__loss_prepare(frame, column, err);
    if (status == TACIT_OK)
        status = tacit__loss_information(frame, column, err);
    if (status == TACIT_OK)
        status = tacit__loss_distances(frame, column, err);
    if (status == TACIT_OK)
        status = tacit__loss_estimate(frame, column, err);
    if (status == TACIT_OK)
        status = tacit__loss_bars(frame, column, err);
    return status;
}

/* The mean of what is known; absolute values. */
static double mean_of(const tacit_loss *loss, size_t offset)
{
    double sum = 0, count = 0;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        double value;
        memcpy(&value, (const char *)&loss->attributes[i] + offset, sizeof value);
        if (!isnan(value)) {
            sum += fabs(value);
            count++;
        }
    }
    return count > 0 ? sum / count : NAN;
}

static void sum_up(tacit_loss *loss)
{
    double distances = 0;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        loss->entropy_original += a->entropy_original;
        loss->entropy_release += a->entropy_release;
        loss->information += a->information;
        loss->numeric_count += a->numeric;
        if (!isnan(a->il1s)) {
            loss->compared += a->compared;
            distances += a->il1s * (double)a->compared;
        }
    }
    loss->lost = loss->entropy_original > 0 ? 1 - loss->information / loss->entropy_original : 0;
    loss->il1s = loss->compared > 0 ? distances / (double)loss->compared : NAN;
    loss->mean_shift = mean_of(loss, offsetof(tacit_loss_attribute, mean_shift));
    loss->variance_change = mean_of(loss, offsetof(tacit_loss_attribute, variance_change));
    loss->rank_change = mean_of(loss, offsetof(tacit_loss_attribute, rank_change));
    tacit__loss_estimates_sum_up(loss);
}

static tacit_status measure(tacit__loss_frame *frame, tacit_error *err)
{
    tacit_status status = tacit__parallel(frame->run, "measuring the loss", frame->count,
                                          measure_attribute, frame, err);
    if (status == TACIT_OK)
        status = tacit__loss_rows(frame, err);
    if (status == TACIT_OK)
        status = tacit__loss_correlations(frame, err);
    if (status == TACIT_OK)
        status = tacit__loss_margins(frame, err);
    if (status == TACIT_OK)
        status = tacit__loss_discriminator(frame, err);
    if (status == TACIT_OK)
        status = tacit__loss_prediction(frame, err);
    if (status == TACIT_OK)
        sum_up(frame->out);
    return status;
}

static tacit_loss *new_loss(void)
{
    tacit_loss *loss = tacit__alloc(sizeof *loss);
    if (loss)
        *loss = (tacit_loss){
            .intact = NAN,
            .covariance_change = NAN,
            .correlation_change = NAN,
            .eigen_first = NAN,
            .eigen_all = NAN,
            .weighted_mean_change = NAN,
            .weighted_total_change = NAN,
            .frequency_change = NAN,
            .cell = {-1, -1, NAN},
            .variation = {-1, -1, NAN},
            .pmse = NAN,
            .pmse_share = NAN,
            .pmse_expected = NAN,
            .pmse_ratio = NAN,
            .prediction = {.target = -1,
                           .before = NAN,
                           .after = NAN,
                           .baseline = NAN,
                           .kept = NAN,
                           .error_before = NAN,
                           .error_after = NAN,
                           .error_baseline = NAN},
        };
    return loss;
}

tacit_status tacit_loss_measure(tacit_loss **out, const tacit_loss_case *c,
                                const tacit_loss_options *options, const tacit_run *run,
                                tacit_error *err)
{
    tacit__loss_frame frame = {.c = c, .options = options, .run = run, .out = new_loss()};
    if (!frame.out)
        return tacit__nomem(err);
    tacit_status status = check(&frame, err);
    frame.bins = bins_for((double)frame.rows[0], options->bins);
    if (status == TACIT_OK)
        status = find_attributes(&frame, err);
    if (status == TACIT_OK)
        status = measure(&frame, err);
    for (int32_t i = 0; i < frame.count; i++)
        tacit__loss_column_clear(&frame.columns[i]);
    tacit__free(frame.columns);
    if (status == TACIT_OK)
        *out = frame.out;
    else
        tacit_loss_free(frame.out);
    return status;
}

void tacit_loss_free(tacit_loss *loss)
{
    if (!loss)
        return;
    for (int32_t i = 0; i < loss->attribute_count; i++) {
        for (int bar = 0; bar < loss->attributes[i].bar_count; bar++)
            tacit__free(loss->attributes[i].bars[bar].name);
        tacit__free(loss->attributes[i].bars);
        tacit__free(loss->attributes[i].name);
    }
    tacit__free(loss->attributes);
    tacit__free(loss->two_way);
    tacit__free(loss);
}
