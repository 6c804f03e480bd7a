/*
 * profile_across.c - what columns say of each other.
 *
 * A date or year of birth beside an age says the same again, only more exactly: left in, it takes
 * nearly all that k allows and is released as next to nothing. So a draft leaves it out where the
 * two agree in nearly all rows, whatever year that makes the survey's; the person or that there is
 * none has to be known, because k is asked of left out identifiers otherwise.
 *
 * A column called "weight" may be what a body weighs or how much a row counts. It is taken for a
 * weight of the survey where all members of nearly every household have the same. One weight, a
 * person's rather than a household's, is what estimates go by. Weights that only a few share link
 * the rows of a household, and two releases: they are left out, and serve estimates all the same.
 *
 * Costs a pass over the rows for each pair of columns of these kinds.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "policy/profile_parts.h"

/* ---- births beside ages ---- */

enum { LEAST_ROWS = 20, NO_YEAR = INT32_MIN, YEARS = 400, FIRST_YEAR = 1800 };

static bool is_type(const tacit_profile_column *column, const char *type)
{
    return column->role == TACIT_ROLE_QUASI && strcmp(column->type, type) == 0;
}

static bool is_birth(const tacit_profile_column *column)
{
    return (is_type(column, "date") || is_type(column, "year")) &&
           tacit__profile_says(column->name, TACIT__PROFILE_BIRTHS);
}

/* A number or the year of a date; NO_YEAR where it is neither. */
static int32_t year_of(tacit_strview value)
{
    double number;
    bool whole;
    int year = tacit__profile_year(value);
    if (year)
        return year;
    bool reads = tacit__profile_number(&number, &whole, value) && number >= 0 && number < 3000;
    return reads ? (int32_t)number : NO_YEAR;
}

static tacit_status list_years(int32_t **out, const tacit_table *table, int32_t column,
                               tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    int32_t *years = tacit__alloc_array((size_t)distinct + 1, sizeof *years);
    if (!years)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < distinct; code++)
        years[code] = year_of(tacit_table_value(table, column, code));
    years[distinct] = NO_YEAR;
    *out = years;
    return TACIT_OK;
}

/* Whether birth and age add up to one year, or the one before, in 19 of 20 rows that have both, and
 * half of the rows do. */
static bool add_up(const int32_t *births, const int32_t *ages, const tacit_table *table,
                   int32_t birth, int32_t age)
{
    int64_t sums[YEARS + 1] = {0}, both = 0, most = 0, rows = tacit_table_rows(table);
    tacit_codes_view birth_codes = tacit_table_codes(table, birth);
    tacit_codes_view age_codes = tacit_table_codes(table, age);
    for (int64_t row = 0; row < rows; row++) {
        int32_t x = births[tacit_codes_at(birth_codes, row)];
        int32_t y = ages[tacit_codes_at(age_codes, row)];
        if (x == NO_YEAR || y == NO_YEAR)
            continue;
        int32_t year = x + y - FIRST_YEAR;
        both++;
        if (year >= 0 && year < YEARS)
            sums[year]++;
    }
    for (int year = 0; year < YEARS; year++)
        most = sums[year] + sums[year + 1] > most ? sums[year] + sums[year + 1] : most;
    return both >= LEAST_ROWS && 2 * both >= rows && 20 * most >= 19 * both;
}

static tacit_status agree(bool *out, const tacit_table *table, int32_t birth, int32_t age,
                          tacit_error *err)
{
    int32_t *births = NULL, *ages = NULL;
    tacit_status status = list_years(&births, table, birth, err);
    if (status == TACIT_OK)
        status = list_years(&ages, table, age, err);
    if (status == TACIT_OK)
        *out = add_up(births, ages, table, birth, age);
    tacit__free(births);
    tacit__free(ages);
    return status;
}

static void leave_out(tacit_profile_column *column, const char *why)
{
    column->role = TACIT_ROLE_IDENTIFIER;
    column->hierarchy = (tacit_hierarchy_spec){0};
    column->hierarchy_reason[0] = column->missing_words[0] = column->group[0] = '\0';
    tacit__profile_add_reason(column, why);
}

static tacit_status look_at_births(tacit_profile *profile, int32_t age, const tacit_table *table,
                                   tacit_error *err)
{
    for (int32_t birth = 0; birth < profile->column_count; birth++) {
        bool agrees = false;
        if (!is_birth(&profile->columns[birth]))
            continue;
        tacit_status status = agree(&agrees, table, birth, age, err);
        if (status != TACIT_OK)
            return status;
        if (agrees)
            leave_out(&profile->columns[birth],
                      "the age says the same, less exactly: left out so that more is kept of all "
                      "else; or leave the age out");
    }
    return TACIT_OK;
}

/* ---- weights of a survey ---- */

/* A number that is called just that. */
static bool may_weigh(const tacit_profile_column *column)
{
    bool number = strcmp(column->type, "decimal") == 0 || strcmp(column->type, "integer") == 0;
    return number && column->role != TACIT_ROLE_IDENTIFIER && column->distinct > 1 &&
           tacit__profile_says(column->name, "weight|gewicht|poids|peso");
}

static tacit_status find_weights(tacit_profile *profile, const tacit_table *table, tacit_error *err)
{
    enum { ONE_IN = 100 };
    for (int32_t i = 0; profile->households && i < profile->column_count; i++) {
        tacit_profile_column *column = &profile->columns[i];
        int64_t mixed = 0;
        if (!may_weigh(column))
            continue;
        tacit_status status = tacit__profile_mixed(&mixed, table, profile->person, i, err);
        if (status != TACIT_OK)
            return status;
        if (mixed * ONE_IN > profile->columns[profile->person].distinct)
            continue;
        column->type = "weight";
        column->role = TACIT_ROLE_INSENSITIVE;
        tacit__profile_add_reason(column, "the same for all of a household, so a weight of a "
                                          "survey; estimates need it as it is");
    }
    return TACIT_OK;
}

/* Leaves out weights that fewer than k people or households share on average. */
static void hide_rare_weights(tacit_profile *profile)
{
    int64_t units =
        profile->person < 0 ? profile->rows : profile->columns[profile->person].distinct;
    for (int32_t i = 0; i < profile->column_count; i++) {
        tacit_profile_column *column = &profile->columns[i];
        if (strcmp(column->type, "weight") == 0 &&
            units < (int64_t)TACIT_PROFILE_K * column->distinct)
            leave_out(column, "few share a weight, so it would link the rows of a household and "
                              "other releases: left out; for recipients who need it, round it, as "
                              "in treat: {round: {base: 10}}, and make it insensitive");
    }
}

/* Whether every row has a number above 0, with a point before decimals if there are any. */
static bool can_estimate(const tacit_profile *profile, const tacit_table *table, int32_t index)
{
    double number;
    bool whole, reads = profile->columns[index].missing == 0;
    for (uint32_t code = 0; reads && code < tacit_table_distinct(table, index); code++) {
        tacit_strview value = tacit_table_value(table, index, code);
        reads = tacit__profile_number(&number, &whole, value) && number > 0 &&
                !memchr(value.bytes, ',', value.len);
    }
    return reads;
}

static void choose_weight(tacit_profile *profile, const tacit_table *table)
{
    profile->weight = -1;
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        bool better = profile->weight < 0 ||
                      tacit__profile_says(profile->columns[profile->weight].name, "household*|hh");
        if (better && strcmp(column->type, "weight") == 0 && can_estimate(profile, table, i))
            profile->weight = i;
    }
}

tacit_status tacit__profile_across(tacit_profile *profile, const tacit_table *table,
                                   tacit_error *err)
{
    tacit_status status = find_weights(profile, table, err);
    bool whose = profile->person >= 0 || profile->every_row;
    for (int32_t i = 0; whose && status == TACIT_OK && i < profile->column_count; i++)
        if (is_type(&profile->columns[i], "age"))
            status = look_at_births(profile, i, table, err);
    if (status == TACIT_OK && whose)
        hide_rare_weights(profile);
    if (status == TACIT_OK)
        choose_weight(profile, table);
    return status;
}
