/*
 * counts.c - how many people are unique where only counts of groups are published, no records.
 *
 * L. Sweeney, Computational Disclosure Control, 2001, 1.2 and 2.4: from the census' counts by ZIP
 * and age group alone, 87 % of the people of the United States are likely unique by ZIP, sex and
 * date of birth. A group of n people in which whoever knows more can tell d values apart (the days
 * of the age group's years, times two sexes) is likely of unique people where n is at most d. That
 * is an upper bound on how many can be unique, and counts groups as wholes. How many are expected
 * to be, if every value is as likely as another, is beside it:
 *
 *   n P(at most k - 1 of n - 1 others have one's value), each with probability 1 / d
 *
 * and for k = 1 n (1 - 1/d)^(n - 1) (P. Golle, Revisiting the uniqueness of simple demographics in
 * the US population, 2006). Values that are not equally likely leave fewer people unique.
 *
 * One pass over the rows, and k terms for each of them.
 */
#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/decimal.h"
#include "base/error.h"
#include "uniques/uniques.h"

/* A cell that is a number; NAN where it is missing. */
static tacit_status read_number(double *out, const tacit_table *table, int32_t column, int64_t row,
                                double least, const char *expected, tacit_error *err)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(table, column), row);
    *out = NAN;
    if (code >= tacit_table_distinct(table, column))
        return TACIT_OK;
    double number = tacit__decimal_read(tacit_table_value(table, column, code));
    bool whole = least > 0 || floor(number) == number; /* people are counted */
    if (!(number >= least && number <= TACIT_COUNTED_MOST && whole))
        return tacit__error_at(err, TACIT_PARSE, NULL, tacit_table_line(table, row), 0,
                               "row %lld has no %s in column \"%.*s\"", (long long)row + 1,
                               expected, (int)tacit_table_name(table, column).len,
                               tacit_table_name(table, column).bytes);
    *out = number;
    return TACIT_OK;
}

double tacit_counted_alone(double people, double values, int64_t k)
{
    double others = people - 1, sum = 0;
    if (others <= (double)k - 1)
        return people;
    if (values <= 1)
        return 0;
    for (int64_t j = 0; j < k; j++)
        sum += exp(lgamma(others + 1) - lgamma((double)j + 1) - lgamma(others - (double)j + 1) -
                   (double)j * log(values) + (others - (double)j) * log1p(-1 / values));
    return people * (sum < 1 ? sum : 1);
}

static void add_group(tacit_counted *to, double people, double values, int64_t k)
{
    to->groups++;
    to->people += people;
    to->likely_groups += people <= values;
    to->likely += people <= values ? people : 0;
    to->unique += tacit_counted_alone(people, values, 1);
    to->below += tacit_counted_alone(people, values, k);
}

tacit_status tacit_counted_of(tacit_counted *out, const tacit_table *table,
                              const tacit_counted_case *c, tacit_error *err)
{
    tacit_counted counted = {0};
    assert(c->k >= 1 && c->times > 0);
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        double people = 0, values = 1;
        tacit_status status =
            read_number(&people, table, c->people, row, 0, "number of people", err);
        if (status == TACIT_OK && c->values >= 0)
            status = read_number(&values, table, c->values, row, DBL_MIN, "number above 0", err);
        if (status != TACIT_OK)
            return status;
        if (isnan(people) || isnan(values))
            counted.unknown++;
        else if (people > 0)
            add_group(&counted, people, values * c->times, c->k);
    }
    *out = counted;
    return TACIT_OK;
}
