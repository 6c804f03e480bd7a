/*
 * profile_people.c - whose the rows are: the column that a draft has k count.
 *
 * Rows with the same identifier hide nobody from whoever knows whose they are. So where an
 * identifier repeats, its values are counted, not rows: a household's number first, because that of
 * its members would let them hide each other; then a number of people, then names, which namesakes
 * share. A number is taken for a household's by its name, or because rows of different sexes have
 * it. Only where every row has a number of its own that is a person's by its name are rows said to
 * be people. Costs one pass over the rows for each identifier that repeats.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "policy/profile_parts.h"

static int64_t rows_with_value(const tacit_profile *profile, int32_t index)
{
    return profile->rows - profile->columns[index].missing;
}

/* Whether some rows have a value that stood before. */
static bool repeats(const tacit_profile *profile, int32_t index)
{
    const tacit_profile_column *column = &profile->columns[index];
    return column->role == TACIT_ROLE_IDENTIFIER && column->distinct > 1 &&
           rows_with_value(profile, index) > (int64_t)column->distinct;
}

tacit_status tacit__profile_mixed(int64_t *mixed, const tacit_table *table, int32_t identifier,
                                  int32_t other, tacit_error *err)
{
    enum { NONE = UINT32_MAX, MIXED = UINT32_MAX - 1 };
    tacit_codes_view ids = tacit_table_codes(table, identifier);
    tacit_codes_view codes = tacit_table_codes(table, other);
    uint32_t distinct = tacit_table_distinct(table, identifier);
    uint32_t missing = tacit_table_distinct(table, other);
    uint32_t *first = tacit__alloc_array((size_t)distinct + 1, sizeof *first);
    if (!first)
        return tacit__nomem(err);
    memset(first, 0xff, ((size_t)distinct + 1) * sizeof *first);
    *mixed = 0;
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        uint32_t *seen = &first[tacit_codes_at(ids, row)], code = tacit_codes_at(codes, row);
        if (code == missing || *seen == MIXED || *seen == code)
            continue;
        *seen = *seen == NONE ? code : MIXED;
    }
    for (uint32_t id = 0; id < distinct; id++)
        *mixed += first[id] == MIXED;
    tacit__free(first);
    return TACIT_OK;
}

/* Whether a tenth of its values or more are those of people of different sexes. */
static tacit_status has_sexes(bool *out, const tacit_profile *profile, int32_t index,
                              const tacit_table *table, tacit_error *err)
{
    enum { ONE_IN = 10 };
    *out = false;
    for (int32_t i = 0; i < profile->column_count && !*out; i++) {
        int64_t mixed = 0;
        if (strcmp(profile->columns[i].type, "sex") != 0)
            continue;
        tacit_status status = tacit__profile_mixed(&mixed, table, index, i, err);
        if (status != TACIT_OK)
            return status;
        *out = mixed * ONE_IN >= profile->columns[index].distinct;
    }
    return TACIT_OK;
}

static tacit_status find_households(tacit_profile *profile, const tacit_table *table,
                                    tacit_error *err)
{
    for (int32_t i = 0; i < profile->column_count; i++) {
        tacit_profile_column *column = &profile->columns[i];
        bool sexes = false;
        if (!repeats(profile, i) || column->unit == TACIT_UNIT_HOUSEHOLD ||
            strcmp(column->type, "identifier") != 0)
            continue;
        tacit_status status = has_sexes(&sexes, profile, i, table, err);
        if (status != TACIT_OK)
            return status;
        if (sexes)
            column->unit = TACIT_UNIT_HOUSEHOLD;
    }
    return TACIT_OK;
}

/* The higher, the rather its values are counted. */
static int rank(const tacit_profile_column *column)
{
    if (column->unit == TACIT_UNIT_HOUSEHOLD)
        return 3;
    if (column->unit == TACIT_UNIT_PERSON)
        return 2;
    return strcmp(column->type, "name") != 0;
}

/* Of the same rank that with most values. */
static bool is_better(const tacit_profile_column *column, const tacit_profile_column *best)
{
    return !best || rank(column) > rank(best) ||
           (rank(column) == rank(best) && column->distinct > best->distinct);
}

/* A person's number that every row has for itself. */
static bool has_own_number(const tacit_profile *profile)
{
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        if (column->role == TACIT_ROLE_IDENTIFIER && column->unit == TACIT_UNIT_PERSON &&
            (int64_t)column->distinct == profile->rows && profile->rows > 1)
            return true;
    }
    return false;
}

static void give_reason(tacit_profile *profile)
{
    const tacit_profile_column *column = &profile->columns[profile->person];
    bool household = column->unit == TACIT_UNIT_HOUSEHOLD;
    profile->households = household;
    snprintf(profile->person_reason, sizeof profile->person_reason,
             household ? "an identifier of %lu values in %lld rows that looks like a household's: "
                         "k counts households, so that members of one do not hide each other"
                       : "an identifier of %lu values in %lld rows: rows with the same value are "
                         "taken to be one person's, so k counts people, not rows",
             (unsigned long)column->distinct, (long long)rows_with_value(profile, profile->person));
}

tacit_status tacit__profile_people(tacit_profile *profile, const tacit_table *table,
                                   tacit_error *err)
{
    tacit_status status = find_households(profile, table, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *best =
            profile->person < 0 ? NULL : &profile->columns[profile->person];
        if (repeats(profile, i) && is_better(&profile->columns[i], best))
            profile->person = i;
    }
    bool household =
        profile->person >= 0 && profile->columns[profile->person].unit == TACIT_UNIT_HOUSEHOLD;
    if (!household && has_own_number(profile)) {
        profile->person = -1;
        profile->every_row = true;
        snprintf(profile->person_reason, sizeof profile->person_reason,
                 "every row has a person's number of its own, so every row is another person");
    }
    if (profile->person >= 0)
        give_reason(profile);
    return TACIT_OK;
}
