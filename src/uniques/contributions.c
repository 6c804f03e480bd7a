/*
 * contributions.c - which columns and which of their values make records stand
 * out.
 *
 * Of each combination's prime implicants it is enough to know, for every column,
 * how many hold it and what score they have together; a combination then counts
 * for its rows. Linear in the prime implicants times their columns.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "uniques/suda.h"
#include "uniques/uniques.h"

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

static tacit_contributions *allocate(const tacit_distinct *distinct)
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
    tacit_contributions *c = allocate(distinct);
    if (!c)
        return tacit__nomem(err);
    tacit__suda_scores(scores, TACIT_SUDA_ELLIOT, distinct->column_count);
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
