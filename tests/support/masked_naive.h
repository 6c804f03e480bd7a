/*
 * masked_naive.h - claims about masked tables checked the slow way: every row against every other,
 * numbers as whole thousandths. Of small tables, whose cells are a few characters.
 */
#ifndef TACIT_TESTS_MASKED_NAIVE_H
#define TACIT_TESTS_MASKED_NAIVE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/audit_masked.h>

enum { NAIVE_ROWS = 12, NAIVE_COLUMNS = 4, NAIVE_TEXT = 16 };

/* What cells say, without quotes. */
typedef struct naive_table {
    int rows;
    char cells[NAIVE_ROWS][NAIVE_COLUMNS][NAIVE_TEXT];
} naive_table;

/* Two tables, where rows came from, and a claim; names of columns are "a", "b", "c", "d". */
typedef struct naive_claim {
    const naive_table *before, *after;
    const uint32_t *origin;
    const tacit_kept *kept;
} naive_claim;

typedef struct naive_verdict {
    bool holds, close; /* too close to tell */
    double measured;   /* NAN: nothing */
} naive_verdict;

static inline int naive_column(const char *name)
{
    return name[0] - 'a';
}

static inline bool naive_number(double *number, const char *text)
{
    char *end;
    bool plain = text[0] && !strpbrk(text, "xnINpP ");
    *number = plain ? strtod(text, &end) : 0;
    return plain && *end == '\0';
}

static inline const char *naive_cell(const naive_table *t, int row, const char *name)
{
    return t->cells[row][naive_column(name)];
}

/* Whether two rows say the same in some columns. */
static inline bool naive_agree(const naive_table *s, int i, const naive_table *t, int j,
                               const char *const *names, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (strcmp(naive_cell(s, i, names[c]), naive_cell(t, j, names[c])) != 0)
            return false;
    return true;
}

static inline bool naive_in_group(const naive_claim *n, const naive_table *s, int i,
                                  const naive_table *t, int j)
{
    return naive_agree(s, i, t, j, n->kept->within, n->kept->within_count);
}

/* Rows of t that are in the group of s's row i and say what it says in some columns. */
static inline int naive_count(const naive_claim *n, const naive_table *s, int i,
                              const naive_table *t, const char *const *names, size_t count)
{
    int found = 0;
    for (int j = 0; j < t->rows; j++)
        found += naive_in_group(n, s, i, t, j) && naive_agree(s, i, t, j, names, count);
    return found;
}

static inline double naive_multiset(const naive_claim *n, const char *const *names, size_t count)
{
    const naive_table *tables[] = {n->before, n->after};
    double differing = 0;
    for (int t = 0; t < 2; t++) /* each combination is met as often as the table has it */
        for (int i = 0; i < tables[t]->rows; i++) {
            int own = naive_count(n, tables[t], i, tables[t], names, count);
            int others = naive_count(n, tables[t], i, tables[!t], names, count);
            differing += own > others ? (own - others) / (double)own : 0;
        }
    return round(differing);
}

static inline naive_verdict naive_of(double measured, double allowed)
{
    return (naive_verdict){.holds = isnan(measured) || measured <= allowed,
                           .close = isfinite(measured) && fabs(measured - allowed) < 1e-8 &&
                                    measured != allowed,
                           .measured = measured};
}

static inline double naive_share(const naive_claim *n, const char *const *name,
                                 const naive_table *s, int i, const naive_table *t)
{
    int size = naive_count(n, s, i, t, NULL, 0);
    return size ? naive_count(n, s, i, t, name, 1) / (double)size : 0;
}

static inline naive_verdict naive_shares(const naive_claim *n)
{
    const naive_table *tables[] = {n->before, n->after};
    double worst = NAN;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < tables[t]->rows; i++) {
                const char *const *name = &n->kept->columns[c];
                worst = fmax(worst, fabs(naive_share(n, name, tables[t], i, tables[0]) -
                                         naive_share(n, name, tables[t], i, tables[1])));
            }
    return naive_of(worst, n->kept->amount);
}

static inline naive_verdict naive_groups(const naive_claim *n)
{
    double least = NAN;
    for (int i = 0; i < n->after->rows; i++)
        least = fmin(
            least, naive_count(n, n->after, i, n->after, n->kept->columns, n->kept->column_count));
    return (naive_verdict){.holds = !(least < n->kept->amount), .measured = least};
}

/* Combinations of a group beyond its first. */
static inline naive_verdict naive_together(const naive_claim *n)
{
    const naive_table *t = n->after;
    const tacit_kept *k = n->kept;
    double torn = 0;
    for (int i = 0; i < t->rows; i++) {
        bool first = true, known = false;
        for (int j = 0; j < i; j++) {
            first = first && !naive_in_group(n, t, i, t, j);
            known |= naive_in_group(n, t, i, t, j) &&
                     naive_agree(t, i, t, j, k->columns, k->column_count);
        }
        torn += !first && !known;
    }
    return naive_of(torn, 0);
}

static inline naive_verdict naive_map(const naive_claim *n, bool wrong)
{
    double rows = 0;
    for (int i = 0; i < n->after->rows; i++) {
        const tacit_kept *k = n->kept;
        bool had = naive_count(n, n->after, i, n->before, k->columns, k->column_count) > 0;
        bool own =
            n->origin[i] < (uint32_t)n->before->rows &&
            naive_agree(n->after, i, n->before, (int)n->origin[i], k->columns, k->column_count);
        rows += wrong ? own || !had : had;
    }
    return naive_of(rows, 0);
}

/* Thousandths, of the group of a row; how many numbers there are. */
static inline int naive_sum(const naive_claim *n, const naive_table *s, int i, const naive_table *t,
                            const char *name, long long *sum)
{
    int count = 0;
    double number;
    *sum = 0;
    for (int j = 0; j < t->rows; j++)
        if (naive_in_group(n, s, i, t, j) && naive_number(&number, naive_cell(t, j, name))) {
            *sum += llround(number * 1000);
            count++;
        }
    return count;
}

static inline naive_verdict naive_sums(const naive_claim *n)
{
    const naive_table *tables[] = {n->before, n->after};
    double worst = 0;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < tables[t]->rows; i++) {
                long long sums[2];
                for (int u = 0; u < 2; u++)
                    naive_sum(n, tables[t], i, tables[u], n->kept->columns[c], &sums[u]);
                worst = fmax(worst, (double)llabs(sums[0] - sums[1]) / 1000);
            }
    return naive_of(worst, n->kept->amount);
}

/* Mean of the first and covariance of two columns over the rows of a group that have both; how
 * many these are. */
static inline int naive_moments_of(const naive_claim *n, const naive_table *s, int i,
                                   const naive_table *t, const char *a, const char *b, double *mean,
                                   double *covariance)
{
    double x[NAIVE_ROWS], y[NAIVE_ROWS], mx = 0, my = 0;
    int count = 0;
    for (int j = 0; j < t->rows; j++)
        if (naive_in_group(n, s, i, t, j) && naive_number(&x[count], naive_cell(t, j, a)) &&
            naive_number(&y[count], naive_cell(t, j, b)))
            count++;
    for (int j = 0; j < count; j++) {
        mx += x[j] / count;
        my += y[j] / count;
    }
    *mean = mx;
    *covariance = 0;
    for (int j = 0; j < count; j++)
        *covariance += (x[j] - mx) * (y[j] - my) / count;
    return count;
}

static inline double naive_units(double difference, double unit)
{
    if (fabs(difference) < 1e-12)
        return 0;
    return unit > 1e-12 ? fabs(difference) / unit : INFINITY;
}

static inline double naive_pair(const naive_claim *n, const naive_table *s, int i, const char *a,
                                const char *b)
{
    double mean[2], covariance[2], variance[2], ignored;
    int before = naive_moments_of(n, s, i, n->before, a, b, &mean[0], &covariance[0]);
    int after = naive_moments_of(n, s, i, n->after, a, b, &mean[1], &covariance[1]);
    naive_moments_of(n, s, i, n->before, a, a, &ignored, &variance[0]);
    naive_moments_of(n, s, i, n->before, b, b, &ignored, &variance[1]);
    if (!before || !after)
        return before || after ? INFINITY : NAN;
    double worst = naive_units(covariance[0] - covariance[1], sqrt(variance[0] * variance[1]));
    return a == b ? fmax(worst, naive_units(mean[0] - mean[1], sqrt(variance[0]))) : worst;
}

static inline naive_verdict naive_moments(const naive_claim *n)
{
    const naive_table *tables[] = {n->before, n->after};
    double worst = NAN;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (size_t d = 0; d <= c; d++)
            for (int t = 0; t < 2; t++)
                for (int i = 0; i < tables[t]->rows; i++)
                    worst = fmax(worst, naive_pair(n, tables[t], i, n->kept->columns[c],
                                                   n->kept->columns[d]));
    return naive_of(worst, n->kept->amount);
}

static inline naive_verdict naive_near(const naive_claim *n)
{
    double worst = NAN;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (int i = 0; i < n->after->rows; i++) {
            if (n->origin[i] >= (uint32_t)n->before->rows)
                continue;
            double x, y;
            const char *old = naive_cell(n->before, (int)n->origin[i], n->kept->columns[c]);
            const char *now = naive_cell(n->after, i, n->kept->columns[c]);
            if (naive_number(&x, old) && naive_number(&y, now))
                worst = fmax(worst, (double)llabs(llround(x * 1000) - llround(y * 1000)) / 1000);
            else
                worst = fmax(worst, strcmp(old, now) == 0 ? 0 : INFINITY);
        }
    return naive_of(worst, n->kept->amount);
}

static inline naive_verdict naive_range(const naive_claim *n)
{
    double worst = NAN, x;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (int i = 0; i < n->after->rows; i++)
            if (naive_number(&x, naive_cell(n->after, i, n->kept->columns[c])))
                worst = fmax(worst, fmax(0, fmax(n->kept->low - x, x - n->kept->high)));
    return naive_of(worst, 0);
}

/* Rows of the original with what a row says, 0 among them: nobody has it. */
static inline int naive_owners(const naive_claim *n, int row, const char *const *names,
                               size_t count)
{
    return naive_count(n, n->after, row, n->before, names, count);
}

static inline naive_verdict naive_common(const naive_claim *n)
{
    double least = NAN;
    for (size_t c = 0; c < n->kept->column_count; c++)
        for (int i = 0; i < n->after->rows; i++) {
            int owners = naive_owners(n, i, &n->kept->columns[c], 1);
            least = owners ? fmin(least, owners) : least;
        }
    return (naive_verdict){.holds = !(least < n->kept->amount), .measured = least};
}

static inline naive_verdict naive_uncopied(const naive_claim *n)
{
    double rows = 0;
    for (int i = 0; i < n->after->rows; i++)
        rows += naive_owners(n, i, n->kept->columns, n->kept->column_count) == 1;
    return naive_of(rows, 0);
}

static inline naive_verdict naive_hear(const naive_claim *n)
{
    const tacit_kept *k = n->kept;
    double worst = NAN;
    switch (k->kind) {
    case TACIT_KEPT_VALUES:
        for (size_t c = 0; c < k->column_count; c++)
            worst = fmax(worst, naive_multiset(n, &k->columns[c], 1));
        return naive_of(worst, 0);
    case TACIT_KEPT_UNIT: return naive_of(naive_multiset(n, k->columns, k->column_count), 0);
    case TACIT_KEPT_SUM: return naive_sums(n);
    case TACIT_KEPT_MOMENTS: return naive_moments(n);
    case TACIT_KEPT_SHARES: return naive_shares(n);
    case TACIT_KEPT_NEAR: return naive_near(n);
    case TACIT_KEPT_GROUPS: return naive_groups(n);
    case TACIT_KEPT_NULL_MAP: return naive_map(n, false);
    case TACIT_KEPT_WRONG_MAP: return naive_map(n, true);
    case TACIT_KEPT_RANGE: return naive_range(n);
    case TACIT_KEPT_COMMON: return naive_common(n);
    case TACIT_KEPT_UNCOPIED: return naive_uncopied(n);
    case TACIT_KEPT_TOGETHER: return naive_together(n);
    }
    return (naive_verdict){0};
}

#endif
