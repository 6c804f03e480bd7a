/*
 * interval.c - interval disclosure: how often a number's original lies close to what was
 * released (Pagliuca and Seri 1999; Mateo-Sanz, Sebe and Domingo-Ferrer 2004).
 *
 * Close is counted in two ways: within p % of the original's standard deviation, and within p % of
 * all ranks above or below the released value's place among the original's. The second is not
 * misled by a few very large values. A stretch counts as its middle. A value that is suppressed,
 * missing or unreadable discloses nothing. Beside it stands how often two people's values are so
 * close by chance, without which a share says little.
 *
 * Cost: a sort of distinct values and a pass over the rows for each column; 2 bytes a row.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"

/* A number, and how many people are below and up to it. */
typedef struct step {
    double number;
    int64_t below, upto;
} step;

typedef struct column {
    const tacit__relink_scene *scene;
    const tacit__relink_axis *axis;
    step *steps; /* of the original, by rank */
    uint32_t count;
    step *labels;  /* by code of the release */
    int64_t known; /* people with a number */
} column;

/* A released number among the original's. */
static step step_of(const column *c, double number)
{
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->steps[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < c->count && c->steps[low].number == number)
        return c->steps[low];
    int64_t below = low > 0 ? c->steps[low - 1].upto : 0;
    return (step){number, below, below};
}

static void climb(column *c)
{
    const tacit__relink_axis *axis = c->axis;
    tacit_codes_view codes = tacit_table_codes(c->scene->c->original, axis->original);
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (!isnan(axis->places[code]))
            c->steps[axis->ranks[code]].number = axis->places[code];
    for (int64_t row = 0; row < tacit_table_rows(c->scene->c->original); row++)
        c->steps[axis->ranks[tacit_codes_at(codes, row)]].upto++;
    for (uint32_t i = 0; i < c->count; i++) {
        c->steps[i].below = c->known;
        c->steps[i].upto = c->known += c->steps[i].upto;
    }
    for (uint32_t code = 0; code < axis->label_count; code++) {
        const tacit__relink_stretch *label = &axis->labels[code];
        if (label->kind == TACIT__READ_STRETCH)
            c->labels[code] = step_of(c, label->low + (label->high - label->low) / 2);
    }
}

/* The share of pairs of people whose numbers are at most so far apart. */
static double chance(const column *c, double apart)
{
    double pairs = 0;
    for (uint32_t i = 0, from = 0, to = 0; i < c->count; i++) {
        double number = c->steps[i].number, people = (double)(c->steps[i].upto - c->steps[i].below);
        while (c->steps[from].number < number - apart)
            from++;
        while (to < c->count && c->steps[to].number <= number + apart)
            to++;
        pairs += people * (double)(c->steps[to - 1].upto - c->steps[from].below - 1);
    }
    return c->known > 1 ? pairs / ((double)c->known * (double)(c->known - 1)) : 0;
}

/* A bit for each window that holds the original value: of deviations, then of ranks. */
static uint16_t windows_around(const column *c, const step *around, const step *own)
{
    const tacit_relink_options *options = c->scene->options;
    uint16_t bits = 0;
    for (int32_t i = 0; i < options->window_count; i++) {
        double share = options->windows[i] / 100;
        int64_t ranks = (int64_t)(share * (double)c->known);
        if (fabs(around->number - own->number) <= share * c->axis->deviation)
            bits |= (uint16_t)(1u << i);
        if (own->upto > around->below - ranks && own->below < around->upto + ranks)
            bits |= (uint16_t)(1u << (i + TACIT_MAX_RELINK_WINDOWS));
    }
    return bits;
}

static void add_bits(int64_t *counts, uint16_t bits)
{
    for (; bits; bits = (uint16_t)(bits & (bits - 1)))
        counts[__builtin_ctz(bits)]++;
}

/* Shares of the records that are somebody's. */
static void set_shares(double *deviations, double *ranks, const int64_t *counts, int64_t records,
                       int32_t windows)
{
    for (int32_t i = 0; i < windows; i++) {
        double all = records > 0 ? (double)records : 1;
        deviations[i] = (double)counts[i] / all;
        ranks[i] = (double)counts[i + TACIT_MAX_RELINK_WINDOWS] / all;
    }
}

static int64_t measure_rows(const column *c, int64_t *counts, uint16_t *joint)
{
    const tacit_relink_case *files = c->scene->c;
    tacit_codes_view said = tacit_table_codes(files->release, c->axis->release);
    tacit_codes_view known = tacit_table_codes(files->original, c->axis->original);
    int64_t records = 0;
    for (int64_t row = 0; row < tacit_table_rows(files->release); row++) {
        uint32_t origin = tacit__relink_origin(c->scene, row);
        if (origin == TACIT_RELINK_MADE_UP) {
            joint[row] = 0;
            continue;
        }
        records++;
        uint32_t label = tacit_codes_at(said, row);
        uint32_t rank = c->axis->ranks[tacit_codes_at(known, origin)];
        uint16_t bits = 0;
        if (c->axis->labels[label].kind == TACIT__READ_STRETCH && rank < c->count)
            bits = windows_around(c, &c->labels[label], &c->steps[rank]);
        add_bits(counts, bits);
        joint[row] &= bits;
    }
    return records;
}

static tacit_status measure_column(tacit_relink *out, int32_t index, uint16_t *joint,
                                   int64_t *records, const tacit__relink_scene *scene,
                                   tacit_error *err)
{
    const tacit__relink_axis *axis = &scene->axes[index];
    column c = {.scene = scene, .axis = axis, .count = axis->rank_count - 1};
    tacit_relink_column *to = &out->columns[index];
    int64_t counts[2 * TACIT_MAX_RELINK_WINDOWS] = {0};
    /* One more, for people without a number. */
    c.steps = tacit__alloc_zeroed(axis->rank_count, sizeof *c.steps);
    c.labels = tacit__alloc_array(axis->label_count, sizeof *c.labels);
    if (!c.steps || !c.labels) {
        tacit__free(c.steps);
        tacit__free(c.labels);
        return tacit__nomem(err);
    }
    climb(&c);
    *records = measure_rows(&c, counts, joint);
    set_shares(to->within_deviations, to->within_ranks, counts, *records, out->window_count);
    for (int32_t i = 0; i < out->window_count; i++)
        to->by_chance[i] = chance(&c, out->windows[i] / 100 * axis->deviation);
    tacit__free(c.steps);
    tacit__free(c.labels);
    return TACIT_OK;
}

tacit_status tacit__relink_intervals(tacit_relink *out, const tacit__relink_scene *scene,
                                     tacit_error *err)
{
    int64_t rows = tacit_table_rows(scene->c->release), records = 0;
    int64_t counts[2 * TACIT_MAX_RELINK_WINDOWS] = {0};
    uint16_t *joint = tacit__alloc_array((size_t)rows, sizeof *joint);
    tacit_status status = joint ? TACIT_OK : tacit__nomem(err);
    if (joint)
        memset(joint, 0xff, (size_t)rows * sizeof *joint);
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++)
        if (scene->axes[i].numeric)
            status = measure_column(out, i, joint, &records, scene, err);
    for (int64_t row = 0; row < rows && out->numeric_count > 0 && status == TACIT_OK; row++)
        add_bits(counts, joint[row]);
    if (status == TACIT_OK)
        set_shares(out->joint_deviations, out->joint_ranks, counts, records, out->window_count);
    tacit__free(joint);
    return status;
}
