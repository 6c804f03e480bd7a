/*
 * view.c - places and stretches as a distance wants them.
 *
 * Standard: numbers as they are; a gap costs its square over the variance. Two people taken by
 * chance are then 2 apart in the mean. Names that differ cost 2, the square of the distance between
 * two unit vectors, as if each name were an axis of its own. A value against a missing one costs
 * what two people cost in the mean: 2, or 2 times the share of pairs whose names differ.
 *
 * Ranks: a number's place is the share of people below it, half of those who have it counted, times
 * the root of 12, so that its variance is 1. A released number's place is its own among the
 * released ones, unless the column has stretches, suppressed or unreadable labels: then it is
 * looked up among the original's.
 *
 * Mahalanobis: numbers are centred and multiplied by the inverse of a root (Cholesky's) of the
 * original's covariance matrix; what is missing is taken as the mean, a stretch as its middle. A
 * column that follows from those before it adds nothing.
 *
 * Cost: a pass over the classes of people for covariances, a sort of distinct values for ranks.
 */
#include <math.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"

static const double APART = 2; /* mean square of the distance of two standardized values */

/* ---- ranks ---- */

/* Different numbers in order, and the rank of each. */
typedef struct ladder {
    double *numbers, *ranks;
    int64_t count;
    double total;
} ladder;

static void ladder_clear(ladder *l)
{
    tacit__free(l->numbers);
    tacit__free(l->ranks);
}

/* A double as a whole number of the same order. */
static uint64_t sortable(double number)
{
    uint64_t bits;
    double plain = number + 0.0; /* -0 as 0 */
    memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void ladder_climb(ladder *l, const tacit__sorter *sorter, const double *numbers,
                         const double *counts)
{
    double below = 0;
    for (int64_t i = 0, end; i < sorter->count; i = end) {
        uint64_t key = tacit__sorter_key(sorter, i);
        double here = 0;
        for (end = i; end < sorter->count && tacit__sorter_key(sorter, end) == key; end++)
            here += counts[sorter->values[end]];
        l->numbers[l->count] = numbers[sorter->values[i]];
        l->ranks[l->count++] = below + here / 2;
        below += here;
    }
    l->total = below;
    for (int64_t i = 0; i < l->count; i++)
        l->ranks[i] *= sqrt(12) / (below > 0 ? below : 1);
}

/* Of numbers by code; NAN: none. */
static tacit_status ladder_init(ladder *l, const double *numbers, const double *counts,
                                uint32_t codes, tacit_error *err)
{
    tacit__sorter sorter = {0};
    tacit_status status = tacit__sorter_init(&sorter, codes, 64, true, err);
    l->numbers = tacit__alloc_array(codes, sizeof *l->numbers);
    l->ranks = tacit__alloc_array(codes, sizeof *l->ranks);
    if (status == TACIT_OK && (!l->numbers || !l->ranks))
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        int64_t count = 0;
        for (uint32_t code = 0; code < codes; code++) {
            if (isnan(numbers[code]))
                continue;
            tacit__sorter_put(&sorter, count, sortable(numbers[code]));
            sorter.values[count++] = code;
        }
        sorter.count = count;
        status = tacit__sorter_sort(&sorter, NULL, err);
    }
    if (status == TACIT_OK)
        ladder_climb(l, &sorter, numbers, counts);
    tacit__sorter_clear(&sorter);
    return status;
}

/* The rank of a number that need not be there: between its neighbours. */
static double ladder_rank(const ladder *l, double number)
{
    int64_t low = 0, high = l->count;
    TACIT__BISECT(low, high, middle, l->numbers[middle] < number);
    if (low < l->count && l->numbers[low] == number)
        return l->ranks[low];
    double before = low > 0 ? l->ranks[low - 1] : 0;
    double after = low < l->count ? l->ranks[low] : sqrt(12);
    return (before + after) / 2;
}

static bool all_exact(const tacit__relink_axis *axis, const double *counts)
{
    for (uint32_t code = 0; code < axis->label_count; code++) {
        const tacit__relink_stretch *label = &axis->labels[code];
        if (counts[code] > 0 && (label->kind != TACIT__READ_STRETCH || label->low != label->high))
            return false;
    }
    return true;
}

/* Labels by the ladder of their own file, or of the original. */
static tacit_status rank_labels(tacit__relink_stretch *out, const tacit__relink_view *view,
                                const tacit__relink_axis *axis, const ladder *original,
                                tacit_error *err)
{
    ladder own = {0};
    double *counts = NULL, *numbers = tacit__alloc_array(axis->label_count, sizeof *numbers);
    tacit_status status =
        numbers ? tacit__relink_frequencies(&counts, view->scene->c->release, axis->release, err)
                : tacit__nomem(err);
    bool exact = status == TACIT_OK && all_exact(axis, counts);
    for (uint32_t code = 0; exact && code < axis->label_count; code++)
        numbers[code] = axis->labels[code].low;
    if (exact)
        status = ladder_init(&own, numbers, counts, axis->label_count, err);
    for (uint32_t code = 0; status == TACIT_OK && code < axis->label_count; code++) {
        const ladder *by = exact ? &own : original;
        out[code] = axis->labels[code];
        if (out[code].kind == TACIT__READ_STRETCH) {
            out[code].low = ladder_rank(by, out[code].low);
            out[code].high = ladder_rank(by, out[code].high);
        }
    }
    ladder_clear(&own);
    tacit__free(counts);
    tacit__free(numbers);
    return status;
}

static tacit_status rank_column(tacit__relink_view *view, int32_t column, tacit_error *err)
{
    const tacit__relink_axis *axis = &view->scene->axes[column];
    ladder original = {0};
    double *counts = NULL;
    double *places = view->places[column] =
        tacit__alloc_array(axis->place_count, sizeof *view->places[column]);
    view->labels[column] = tacit__alloc_array(axis->label_count, sizeof *view->labels[column]);
    if (!places || !view->labels[column])
        return tacit__nomem(err);
    tacit_status status =
        tacit__relink_frequencies(&counts, view->scene->c->original, axis->original, err);
    if (status == TACIT_OK)
        status = ladder_init(&original, axis->places, counts, axis->place_count, err);
    for (uint32_t code = 0; status == TACIT_OK && code < axis->place_count; code++)
        places[code] = isnan(axis->places[code]) ? NAN : ladder_rank(&original, axis->places[code]);
    if (status == TACIT_OK)
        status = rank_labels(view->labels[column], view, axis, &original, err);
    ladder_clear(&original);
    tacit__free(counts);
    return status;
}

/* ---- Mahalanobis ---- */

/* Numbers of a row of the original less their means; what is missing is the mean. */
static void centred(double *out, const tacit__relink_view *view, int64_t row)
{
    for (int32_t i = 0; i < view->numeric_count; i++) {
        const tacit__relink_axis *axis = &view->scene->axes[view->numeric[i]];
        double place = axis->places[tacit_codes_at(
            tacit_table_codes(view->scene->c->original, axis->original), row)];
        out[i] = isnan(place) ? 0 : place - axis->mean;
    }
}

static void covariances(double *matrix, const tacit__relink_view *view)
{
    const tacit__partition *people = &view->scene->people;
    int32_t n = view->numeric_count;
    double off[TACIT_MAX_RELINK_COLUMNS];
    double rows = (double)tacit_table_rows(view->scene->c->original);
    for (int64_t class = 0; class < people->count; class ++) {
        centred(off, view, people->first[class]);
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j <= i; j++)
                matrix[i * n + j] += (double)people->sizes[class] * off[i] * off[j];
    }
    for (int32_t i = 0; i < n * n; i++)
        matrix[i] /= rows > 1 ? rows - 1 : 1;
}

/* Cholesky's root in place; the diagonal is 0 where a column follows from those before it. */
static void take_root(double *matrix, int32_t n)
{
    for (int32_t j = 0; j < n; j++) {
        double variance = matrix[j * n + j], left = variance;
        for (int32_t k = 0; k < j; k++)
            left -= matrix[j * n + k] * matrix[j * n + k];
        double root = matrix[j * n + j] = left > 1e-9 * variance ? sqrt(left) : 0;
        for (int32_t i = j + 1; i < n; i++) {
            double sum = matrix[i * n + j];
            for (int32_t k = 0; k < j; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] = root > 0 ? sum / root : 0;
        }
    }
}

static tacit_status find_root(tacit__relink_view *view, tacit_error *err)
{
    size_t n = (size_t)view->numeric_count;
    view->whitening = tacit__alloc_zeroed(n * n, sizeof *view->whitening);
    if (!view->whitening)
        return tacit__nomem(err);
    covariances(view->whitening, view);
    take_root(view->whitening, view->numeric_count);
    return TACIT_OK;
}

/* Solves root * x = off, in place. */
static void whiten(double *off, const tacit__relink_view *view)
{
    int32_t n = view->numeric_count;
    for (int32_t i = 0; i < n; i++) {
        double sum = off[i], root = view->whitening[i * n + i];
        for (int32_t k = 0; k < i; k++)
            sum -= view->whitening[i * n + k] * off[k];
        off[i] = root > 0 ? sum / root : 0;
    }
}

/* ---- views ---- */

tacit_status tacit__relink_view_init(tacit__relink_view *view, const tacit__relink_scene *scene,
                                     tacit_relink_kind kind, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *view = (tacit__relink_view){.scene = scene};
    for (int32_t i = 0; i < scene->columns; i++)
        if (scene->axes[i].numeric)
            view->numeric[view->numeric_count++] = i;
    if (kind == TACIT_RELINK_MAHALANOBIS)
        status = find_root(view, err);
    for (int32_t i = 0; kind == TACIT_RELINK_RANKS && i < view->numeric_count; i++)
        if (status == TACIT_OK)
            status = rank_column(view, view->numeric[i], err);
    return status;
}

void tacit__relink_view_clear(tacit__relink_view *view)
{
    for (int32_t i = 0; i < TACIT_MAX_RELINK_COLUMNS; i++) {
        tacit__free(view->places[i]);
        tacit__free(view->labels[i]);
    }
    tacit__free(view->whitening);
}

void tacit__relink_point(double *out, const tacit__relink_view *view, int64_t row)
{
    const tacit__relink_scene *scene = view->scene;
    for (int32_t i = 0; i < scene->columns; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        const double *places = view->places[i] ? view->places[i] : axis->places;
        out[i] = places[tacit_codes_at(tacit_table_codes(scene->c->original, axis->original), row)];
    }
    if (view->whitening) {
        double off[TACIT_MAX_RELINK_COLUMNS];
        centred(off, view, row);
        whiten(off, view);
        for (int32_t i = 0; i < view->numeric_count; i++)
            out[view->numeric[i]] = off[i];
    }
}

void tacit__relink_query(tacit__relink_stretch *out, const tacit__relink_view *view, int64_t row)
{
    const tacit__relink_scene *scene = view->scene;
    for (int32_t i = 0; i < scene->columns; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        const tacit__relink_stretch *labels = view->labels[i] ? view->labels[i] : axis->labels;
        out[i] = labels[tacit_codes_at(tacit_table_codes(scene->c->release, axis->release), row)];
    }
    if (!view->whitening)
        return;
    double off[TACIT_MAX_RELINK_COLUMNS];
    for (int32_t i = 0; i < view->numeric_count; i++) {
        const tacit__relink_stretch *said = &out[view->numeric[i]];
        off[i] = said->kind == TACIT__READ_STRETCH
                     ? said->low + (said->high - said->low) / 2 - scene->axes[view->numeric[i]].mean
                     : 0;
    }
    whiten(off, view);
    for (int32_t i = 0; i < view->numeric_count; i++)
        out[view->numeric[i]] = (tacit__relink_stretch){off[i], off[i], TACIT__READ_STRETCH};
}

/* ---- what gaps cost ---- */

void tacit__relink_distances(tacit__relink_cost *costs, const tacit__relink_view *view,
                             tacit_relink_kind kind)
{
    for (int32_t i = 0; i < view->scene->columns; i++) {
        const tacit__relink_axis *axis = &view->scene->axes[i];
        double deviation = kind == TACIT_RELINK_STANDARD ? axis->deviation : 1;
        if (axis->numeric && deviation > 0)
            costs[i] = (tacit__relink_cost){
                .scale = 1 / deviation, .known_missing = APART, .said_missing = APART};
        else
            costs[i] = (tacit__relink_cost){.half = APART,
                                            .full = APART,
                                            .known_missing = APART * axis->apart,
                                            .said_missing = APART * axis->apart};
    }
}

void tacit__relink_compatible(tacit__relink_cost *costs, const tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++)
        costs[i] = (tacit__relink_cost){
            .half = 1, .full = 1, .known_missing = 1, .said_missing = 1, .foreign = 1};
}
