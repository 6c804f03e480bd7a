/*
 * suda.c - SUDA and DIS-SUDA scores of special uniques.
 *
 * A record's score is the sum over its minimal sample uniques of a number that
 * is larger the fewer columns they have (Elliot, Manning, Mayes, Gurd and Bane,
 * SUDA: a program for detecting special uniques). DIS is the chance that a match
 * with a unique record is right, for the file as a whole:
 *
 *   DIS = U f / (U f + P (1 - f))
 *
 * where U records are unique, P stand in pairs, and a fraction f of the
 * population was sampled (Skinner and Elliot, A measure of disclosure risk for
 * microdata, 2002). DIS-SUDA spreads it over the records by their scores s:
 *
 *   1 / (1 + (U / DIS - U) / (s^Q A)),  Q = 1 + (8 - m) / 20,  A = sum of 1 / s^Q
 *
 * over records with a score, m columns in all. U / DIS - U is P (1 - f) / f, which
 * is also right where nobody stands in pairs.
 *
 * Linear in the prime implicants.
 */
#include "uniques/suda.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "uniques/uniques.h"

static double factorial(int32_t n)
{
    double product = 1;
    for (int32_t i = 2; i <= n; i++)
        product *= i;
    return product;
}

void tacit__suda_scores(double scores[TACIT_UNIQUES_COLUMNS + 1], tacit_suda_kind kind,
                        int32_t columns)
{
    for (int32_t size = 0; size <= columns; size++) {
        double rest = factorial(columns - size);
        scores[size] = kind == TACIT_SUDA_ELLIOT ? rest
                                                 : (exp2(columns - size) - 1) * factorial(size) *
                                                       (rest / factorial(columns));
    }
}

static double score_of(tacit_unique_sets_view view, const double *scores)
{
    double sum = 0;
    for (int64_t i = 0; i < view.count; i++)
        sum += scores[__builtin_popcountll(view.sets[i].columns)];
    return sum;
}

static void add_scores(tacit_suda *suda, const tacit_uniques *uniques, tacit_suda_kind kind)
{
    double scores[TACIT_UNIQUES_COLUMNS + 1];
    tacit__suda_scores(scores, kind, uniques->distinct->column_count);
    for (uint32_t i = 0; i < uniques->distinct->count; i++) {
        suda->scores[i] = score_of(tacit__uniques_sets(uniques, i), scores);
        suda->total += suda->scores[i] * tacit__distinct_size(uniques->distinct, i);
        suda->highest = fmax(suda->highest, suda->scores[i]);
    }
}

/* Combinations of a number of rows. */
static double combinations_of(const tacit_distinct *distinct, uint32_t rows)
{
    double count = 0;
    for (uint32_t i = 0; i < distinct->count; i++)
        count += tacit__distinct_size(distinct, i) == rows;
    return count;
}

static void add_dis(tacit_suda *suda, const tacit_distinct *distinct)
{
    double f = suda->fraction, power = 1 + (8 - distinct->column_count) / 20.0, sum = 0;
    double unique = combinations_of(distinct, 1), paired = 2 * combinations_of(distinct, 2);
    suda->file_dis = unique > 0 ? unique * f / (unique * f + paired * (1 - f)) : 0;
    for (uint32_t i = 0; i < distinct->count; i++)
        if (suda->scores[i] > 0)
            sum += tacit__distinct_size(distinct, i) / pow(suda->scores[i], power);
    for (uint32_t i = 0; i < distinct->count; i++) {
        if (suda->scores[i] > 0)
            suda->dis[i] = 1 / (1 + paired * (1 - f) / f / (pow(suda->scores[i], power) * sum));
        suda->highest_dis = fmax(suda->highest_dis, suda->dis[i]);
    }
}

void tacit_suda_free(tacit_suda *suda)
{
    if (!suda)
        return;
    tacit__free(suda->scores);
    tacit__free(suda->dis);
    tacit__free(suda);
}

tacit_status tacit_suda_new(tacit_suda **out, const tacit_uniques *uniques, tacit_suda_kind kind,
                            double fraction, tacit_error *err)
{
    if (!(fraction > 0 && fraction <= 1))
        return tacit__error(err, TACIT_INVALID,
                            "a sampling fraction of %g; it must be above 0 and at most 1",
                            fraction);
    size_t count = uniques->distinct->count;
    tacit_suda *suda = tacit__alloc_zeroed(1, sizeof *suda);
    if (suda) {
        suda->scores = tacit__alloc_zeroed(count, sizeof *suda->scores);
        suda->dis = tacit__alloc_zeroed(count, sizeof *suda->dis);
    }
    if (!suda || !suda->scores || !suda->dis) {
        tacit_suda_free(suda);
        return tacit__nomem(err);
    }
    suda->fraction = fraction;
    suda->count = (int64_t)count;
    add_scores(suda, uniques, kind);
    add_dis(suda, uniques->distinct);
    *out = suda;
    return TACIT_OK;
}

void tacit_suda_shares(double *shares, const tacit_uniques *uniques, tacit_suda_kind kind,
                       int64_t row)
{
    double scores[TACIT_UNIQUES_COLUMNS + 1];
    int32_t columns = uniques->distinct->column_count;
    tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
    tacit__suda_scores(scores, kind, columns);
    double score = score_of(view, scores);
    for (int32_t i = 0; i < columns; i++)
        shares[i] = 0;
    for (int64_t i = 0; i < view.count && score > 0; i++) {
        uint64_t set = view.sets[i].columns;
        for (; set; set &= set - 1)
            shares[__builtin_ctzll(set)] +=
                scores[__builtin_popcountll(view.sets[i].columns)] / score;
    }
}
