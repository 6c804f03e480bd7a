/*
 * information.c - how many bits of an attribute the release still tells, and the entropy of whole
 * rows.
 *
 * X is the original's category of a released row ("none" for a row that was made up), Y the
 * category it was released with. The mutual information I(X; Y) is over the released rows, and is
 * scaled by the share of the original's rows that was released: what is not there tells nothing.
 * Sweeney (section 4.3, Figure 24) orders techniques by such a measure without giving its formula.
 *
 * Pairs are counted, which overstates I where pairs are many and records few: a term for each pair
 * of categories beyond those that independence would need is taken off (Miller and Madow), and
 * numbers have no more bins than the rows bear. Attributes with more values than that (names, codes
 * of places) would still seem to lose nothing when they are swapped, since every value goes with
 * one other. Of these a released value of the original's domain is read as what it is for a
 * recipient, a claim: it is true with the share p of such claims that are, else the original is any
 * other value, by the frequencies of the originals of false claims. I is then the bits that this
 * saves, which are never more than those that counting would find. Labels outside the domain are
 * counted in either case: what a range or a star stands for is known. It costs a pass over the
 * released rows, two for claims.
 *
 * A whole row is known by a hash of its categories; two different rows have the same one once in
 * 2^64. Only attributes that a recipient can read count. It takes a pass over each table, side by
 * side; long tables are gone through once for every four million rows, so that the counts of
 * different rows need a few hundred megabytes at most.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "loss/loss.h"

/* The rows of an attribute, counted. Categories of X: the domain, missing, none. */
typedef struct counts {
    const tacit__loss_frame *frame;
    const tacit__loss_column *column;
    uint32_t x_count;
    double *x;               /* rows by X */
    double *y;               /* by Y */
    tacit__loss_tally joint; /* by X and Y; of claims, only those outside the domain */
    double *false_x;         /* of false claims: rows by X */
    double claims, true_claims;
    double rows;
} counts;

static double entropy_of(const double *amounts, uint32_t count)
{
    double total = 0, bits = 0;
    for (uint32_t i = 0; i < count; i++)
        total += amounts[i];
    for (uint32_t i = 0; i < count; i++)
        if (amounts[i] > 0)
            bits -= amounts[i] / total * log2(amounts[i] / total);
    return fmax(bits, 0);
}

static void add_side(double *by_category, const tacit__loss_side *side)
{
    for (uint32_t code = 0; code <= side->missing; code++)
        by_category[side->categories[code]] += side->amounts[code];
}

/* Half the sum of the differences of shares. */
static double variation_of(const double *a, const double *b, uint32_t count, const double *totals)
{
    double sum = 0;
    if (totals[0] <= 0 || totals[1] <= 0)
        return NAN;
    for (uint32_t i = 0; i < count; i++)
        sum += fabs(a[i] / totals[0] - b[i] / totals[1]);
    return fmin(sum / 2, 1);
}

static tacit_status find_entropies(const tacit__loss_frame *frame, const tacit__loss_column *column,
                                   tacit_error *err)
{
    tacit_loss_attribute *out = column->out;
    double *before = tacit__alloc_zeroed(column->categories, sizeof *before);
    double *after = tacit__alloc_zeroed(column->categories, sizeof *after);
    tacit_status status = before && after ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        add_side(before, &column->sides[TACIT__ORIGINAL]);
        out->entropy_original = entropy_of(before, column->categories);
        if (!out->dropped) {
            add_side(after, &column->sides[TACIT__RELEASE]);
            out->entropy_release = entropy_of(after, column->categories);
            out->margin_change = variation_of(before, after, column->categories, frame->totals);
        }
    }
    tacit__free(before);
    tacit__free(after);
    return status;
}

static uint32_t x_of(const counts *c, int64_t row)
{
    uint32_t origin = tacit__loss_origin(c->frame, row);
    return origin == TACIT_LOSS_MADE_UP
               ? c->x_count - 1
               : tacit__loss_category(&c->column->sides[TACIT__ORIGINAL], origin);
}

static bool is_claim(const counts *c, uint32_t y)
{
    return c->column->out->read_as_claims && y < c->column->domain;
}

static tacit_status counts_init(counts *c, const tacit__loss_frame *frame,
                                const tacit__loss_column *column, tacit_error *err)
{
    *c = (counts){.frame = frame, .column = column, .x_count = column->domain + 2};
    c->x = tacit__alloc_zeroed(c->x_count, sizeof *c->x);
    c->false_x = tacit__alloc_zeroed(c->x_count, sizeof *c->false_x);
    c->y = tacit__alloc_zeroed(column->categories, sizeof *c->y);
    bool tallied = tacit__tally_init(&c->joint, (uint64_t)c->x_count * column->categories);
    return c->x && c->false_x && c->y && tallied ? TACIT_OK : tacit__nomem(err);
}

static void counts_clear(counts *c)
{
    tacit__free(c->x);
    tacit__free(c->false_x);
    tacit__free(c->y);
    tacit__tally_clear(&c->joint);
}

static tacit_status count_pairs(counts *c, tacit_error *err)
{
    const tacit__loss_side *release = &c->column->sides[TACIT__RELEASE];
    for (int64_t row = 0; row < c->frame->rows[TACIT__RELEASE]; row++) {
        uint32_t x = x_of(c, row), y = tacit__loss_category(release, row);
        c->x[x]++;
        c->y[y]++;
        if (is_claim(c, y)) {
            c->claims++;
            c->true_claims += x == y;
            c->false_x[x] += x != y;
        } else if (!tacit__tally_add(&c->joint, (uint64_t)x * c->column->categories + y, 0, 1)) {
            return tacit__nomem(err);
        }
    }
    c->rows = (double)c->frame->rows[TACIT__RELEASE];
    return TACIT_OK;
}

static double count_used(const double *amounts, uint32_t count)
{
    double used = 0;
    for (uint32_t i = 0; i < count; i++)
        used += amounts[i] > 0;
    return used;
}

/* I(X; Y) with every pair counted, times the rows. */
static double counted_bits(const counts *c)
{
    double bits = 0, pairs = 0;
    for (size_t i = 0; i < c->joint.capacity; i++) {
        double n = c->joint.amounts[i][0];
        if (n <= 0)
            continue;
        uint64_t key = tacit__tally_key(&c->joint, i);
        double x = c->x[key / c->column->categories], y = c->y[key % c->column->categories];
        bits += n * log2(n * c->rows / (x * y));
        pairs++;
    }
    double beyond =
        pairs - count_used(c->x, c->x_count) - count_used(c->y, c->column->categories) + 1;
    return bits - fmax(beyond, 0) / (2 * log(2));
}

/* Bits that are left to say of the X of labels outside the domain. */
static double labels_left(const counts *c)
{
    double bits = 0;
    for (size_t i = 0; i < c->joint.capacity; i++) {
        double n = c->joint.amounts[i][0];
        if (n > 0)
            bits -= n * log2(n / c->y[tacit__tally_key(&c->joint, i) % c->column->categories]);
    }
    return bits;
}

/* And of the X of claims. */
static double claims_left(const counts *c)
{
    const tacit__loss_side *release = &c->column->sides[TACIT__RELEASE];
    double falses = c->claims - c->true_claims, bits = 0;
    if (c->claims <= 0)
        return 0;
    double p = c->true_claims / c->claims;
    if (c->true_claims > 0)
        bits -= c->true_claims * log2(p);
    for (int64_t row = 0; falses > 0 && row < c->frame->rows[TACIT__RELEASE]; row++) {
        uint32_t x = x_of(c, row), y = tacit__loss_category(release, row);
        if (is_claim(c, y) && x != y)
            bits -= log2((1 - p) * c->false_x[x] / (falses - c->false_x[y]));
    }
    return bits;
}

static double information_of(const counts *c)
{
    if (c->rows <= 0)
        return 0;
    if (!c->column->out->read_as_claims)
        return counted_bits(c) / c->rows;
    return entropy_of(c->x, c->x_count) - (labels_left(c) + claims_left(c)) / c->rows;
}

static double share_released(const tacit__loss_frame *frame)
{
    return frame->out->rows > 0 ? fmin((double)frame->out->released / (double)frame->out->rows, 1)
                                : 0;
}

tacit_status tacit__loss_information(tacit__loss_frame *frame, int32_t index, tacit_error *err)
{
    tacit__loss_column *column = &frame->columns[index];
    tacit_loss_attribute *out = column->out;
    counts c = {0};
    tacit_status status = find_entropies(frame, column, err);
    out->read_as_claims = !out->numeric && column->domain > frame->bins;
    if (status == TACIT_OK && tacit__loss_readable(column)) {
        status = counts_init(&c, frame, column, err);
        if (status == TACIT_OK)
            status = count_pairs(&c, err);
        if (status == TACIT_OK)
            out->information =
                fmin(fmax(information_of(&c) * share_released(frame), 0), out->entropy_original);
        counts_clear(&c);
    }
    out->lost = out->entropy_original > 0 ? 1 - out->information / out->entropy_original : 0;
    return status;
}

/* ---- whole rows ---- */

enum { PART_ROWS = 1 << 22 };

static uint64_t row_key(const tacit__loss_frame *frame, int which, int64_t row)
{
    uint64_t key = 0;
    for (int32_t i = 0; i < frame->count; i++)
        if (tacit__loss_readable(&frame->columns[i]))
            key = tacit__mix(key + tacit__loss_category(&frame->columns[i].sides[which], row) + 1);
    return key >> 1; /* no key is UINT64_MAX */
}

/* Its part of the entropy of all. */
static double entropy_of_rows(const tacit__loss_tally *tally, double total)
{
    double bits = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        double share = tally->amounts[i][0] / total;
        if (share > 0)
            bits -= share * log2(share);
    }
    return bits;
}

static bool is_intact(const tacit__loss_frame *frame, int64_t row)
{
    uint32_t origin = tacit__loss_origin(frame, row);
    bool intact = origin != TACIT_LOSS_MADE_UP;
    for (int32_t i = 0; i < frame->count && intact; i++) {
        const tacit__loss_column *column = &frame->columns[i];
        if (tacit__loss_readable(column))
            intact = tacit__loss_category(&column->sides[0], origin) ==
                     tacit__loss_category(&column->sides[1], row);
    }
    return intact;
}

/* Adds the bits of the rows whose keys fall into one of so many parts. */
static tacit_status add_part(double *bits, const tacit__loss_frame *frame, int which, uint64_t part,
                             uint64_t parts, tacit_error *err)
{
    tacit__loss_tally tally;
    bool kept = tacit__tally_init(&tally, UINT64_MAX);
    for (int64_t row = 0; row < frame->rows[which] && kept; row++) {
        uint64_t key = row_key(frame, which, row);
        if (parts == 1 || key % parts == part)
            kept = tacit__tally_add(&tally, key, 0, tacit__loss_weight(frame, which, row));
    }
    if (kept && frame->totals[which] > 0)
        *bits += entropy_of_rows(&tally, frame->totals[which]);
    tacit__tally_clear(&tally);
    return kept ? TACIT_OK : tacit__nomem(err);
}

static void count_intact(tacit__loss_frame *frame)
{
    int64_t intact = 0;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE]; row++)
        intact += is_intact(frame, row);
    if (frame->out->rows > 0)
        frame->out->intact = (double)intact / (double)frame->out->rows;
}

/* The entropy of each table, and what is intact, side by side. */
static tacit_status measure_part(void *context, int64_t task, int worker, tacit_error *err)
{
    tacit__loss_frame *frame = context;
    tacit_status status = TACIT_OK;
    int which = (int)task;
    double bits = 0;
    (void)worker;
    if (task == 2) {
        count_intact(frame);
        return TACIT_OK;
    }
    uint64_t parts = 1 + (uint64_t)frame->rows[which] / PART_ROWS;
    for (uint64_t part = 0; part < parts && status == TACIT_OK; part++)
        status = add_part(&bits, frame, which, part, parts, err);
    *(which == TACIT__ORIGINAL ? &frame->out->joint_original : &frame->out->joint_release) =
        fmax(bits, 0);
    return status;
}

tacit_status tacit__loss_rows(tacit__loss_frame *frame, tacit_error *err)
{
    bool any = false;
    for (int32_t i = 0; i < frame->count; i++)
        any |= tacit__loss_readable(&frame->columns[i]);
    return any ? tacit__parallel(frame->run, NULL, 3, measure_part, frame, err) : TACIT_OK;
}
