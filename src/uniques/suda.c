/*
 * suda.c - SUDA and DIS-SUDA scores of special uniques, and which columns and values contribute to
 * them.
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
 *
 * Of each combination's prime implicants it is enough to know, for every column, how many hold it
 * and what score they have together; a combination then counts for its rows.
 */
#include "uniques/uniques.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

static double factorial(int32_t n)
{
    double product = 1;
    for (int32_t i = 2; i <= n; i++)
        product *= i;
    return product;
}

/* The score of a set by its number of columns, for so many columns in all. */
static void scores_by_size(double scores[TACIT_UNIQUES_COLUMNS + 1], tacit_suda_kind kind,
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
    scores_by_size(scores, kind, uniques->distinct->column_count);
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
    scores_by_size(scores, kind, columns);
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

/* What one combination contributes, a column each. */
typedef struct shares {
    uint64_t any; /* columns in some of its prime implicants */
    uint64_t all; /* columns in each of them */
    int64_t sets[TACIT_UNIQUES_COLUMNS];
    double score[TACIT_UNIQUES_COLUMNS];
    double total;
} shares;

void tacit_contributions_free(tacit_contributions *contributions)
{
    if (!contributions)
        return;
    for (int32_t i = 0; contributions->values && i < contributions->column_count; i++)
        tacit__free(contributions->values[i]);
    tacit__free(contributions->values);
    tacit__free(contributions->columns);
    tacit__free(contributions);
}

static tacit_contributions *allocate_contributions(const tacit_distinct *distinct)
{
    tacit_contributions *c = tacit__alloc_zeroed(1, sizeof *c);
    if (!c)
        return NULL;
    c->column_count = distinct->column_count;
    c->columns = tacit__alloc_zeroed((size_t)c->column_count, sizeof *c->columns);
    c->values = tacit__alloc_zeroed((size_t)c->column_count, sizeof *c->values);
    bool fits = c->columns && c->values;
    for (int32_t i = 0; fits && i < c->column_count; i++) {
        c->values[i] = tacit__alloc_zeroed(tacit__distinct_codes(distinct, i), sizeof **c->values);
        fits = c->values[i] != NULL;
    }
    if (fits)
        return c;
    tacit_contributions_free(c);
    return NULL;
}

static void add_up(shares *s, tacit_unique_sets_view view, const double *scores)
{
    *s = (shares){.all = UINT64_MAX};
    for (int64_t i = 0; i < view.count; i++) {
        uint64_t set = view.sets[i].columns;
        double score = scores[__builtin_popcountll(set)];
        s->any |= set;
        s->all &= set;
        s->total += score;
        for (; set; set &= set - 1) {
            s->sets[__builtin_ctzll(set)]++;
            s->score[__builtin_ctzll(set)] += score;
        }
    }
}

static void contribute(tacit_contribution *to, const shares *s, int column, int64_t rows)
{
    to->rows += rows;
    to->only += s->all >> column & 1 ? rows : 0;
    to->sets += rows * s->sets[column];
    to->score += (double)rows * s->score[column];
}

tacit_status tacit_contributions_new(tacit_contributions **out, const tacit_uniques *uniques,
                                     tacit_error *err)
{
    const tacit_distinct *distinct = uniques->distinct;
    double scores[TACIT_UNIQUES_COLUMNS + 1];
    tacit_contributions *c = allocate_contributions(distinct);
    if (!c)
        return tacit__nomem(err);
    scores_by_size(scores, TACIT_SUDA_ELLIOT, distinct->column_count);
    for (uint32_t i = 0; i < distinct->count; i++) {
        tacit_unique_sets_view view = tacit__uniques_sets(uniques, i);
        int64_t rows = tacit__distinct_size(distinct, i);
        shares s;
        if (!view.count)
            continue;
        add_up(&s, view, scores);
        c->total += (double)rows * s.total;
        for (uint64_t left = s.any; left; left &= left - 1) {
            int column = __builtin_ctzll(left);
            contribute(&c->columns[column], &s, column, rows);
            contribute(&c->values[column][tacit__distinct_code(distinct, i, column)], &s, column,
                       rows);
        }
    }
    *out = c;
    return TACIT_OK;
}
