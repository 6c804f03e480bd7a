/*
 * domains.c - the values that an attribute can have, as an adversary would guess them.
 *
 * Those of the release, "*" aside and missing among them. Where the original is at hand
 * and the column stands on one level of its hierarchy, as it does where it was not
 * generalized at all, all values of the original belong to it as they are on that level:
 * an adversary may know them from elsewhere. The lowest level that has every released
 * value is taken for it, and, where rows correspond, that has each in its own row.
 *
 * Cost: a look-up for every value of every level (rows/ladder.c).
 */
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "audit/rows/ladder.h"
#include "base/alloc.h"
#include "base/error.h"

/* Different values of a column, "*" aside. */
static int64_t value_count(const tacit_table *table, int32_t column)
{
    return (int64_t)tacit_table_distinct(table, column) + tacit_table_has_missing(table, column) -
           (tacit__suppressed_code(table, column) != UINT32_MAX);
}

/* What looking for the level needs. */
typedef struct level_search {
    const tacit__judge *judge;
    int32_t attribute;
    tacit__ladder ladder;
    uint32_t codes;  /* of the original: missing is the last, if there is any */
    uint32_t star;   /* in the release */
    uint8_t *marked; /* number on a level -> met before */
    size_t numbers;  /* that any level has, missing among them */
} level_search;

/* The original's values on a level, "*" aside; *released counts those that the release has. */
static int64_t values_on(int64_t *released, const level_search *s, int level)
{
    const uint32_t *numbers = tacit_hierarchy_map(s->ladder.hierarchy, level);
    int64_t values = 0;
    *released = 0;
    memset(s->marked, 0, s->numbers);
    for (uint32_t value = 0; value < s->codes; value++) {
        uint32_t number = numbers[value], code = s->ladder.codes[level][number];
        if (s->marked[number] || code == s->star)
            continue;
        s->marked[number] = 1;
        values++;
        *released += code != TACIT__NOWHERE;
    }
    return values;
}

static tacit_status take_level(tacit__domain *domain, const level_search *s, int level,
                               int64_t values, tacit_error *err)
{
    domain->released = tacit__alloc_array((size_t)s->codes, sizeof *domain->released);
    if (!domain->released)
        return tacit__nomem(err);
    for (uint32_t value = 0; value < s->codes; value++)
        domain->released[value] = tacit__image(&s->ladder, level, value);
    domain->values = values;
    return TACIT_OK;
}

/* Whether rows that correspond have their own values of a level, or "*". */
static bool rows_say(const level_search *s, int level)
{
    const tacit__judge *judge = s->judge;
    int64_t rows = judge->corresponds ? tacit_table_rows(judge->release) : 0;
    tacit_codes_view released = tacit_table_codes(judge->release, judge->attribute[s->attribute]);
    tacit_codes_view ground = tacit_table_codes(judge->original, judge->ground[s->attribute]);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t code = tacit_codes_at(released, row);
        uint32_t own = tacit_codes_at(ground, tacit__behind(judge, row));
        if (code != s->star && code != tacit__image(&s->ladder, level, own))
            return false;
    }
    return true;
}

static tacit_status search_level(tacit__domain *domain, level_search *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    tacit__rows_place ground = {judge->original, judge->ground[s->attribute]};
    tacit__rows_place release = {judge->release, judge->attribute[s->attribute]};
    tacit_status status = tacit__ladder_init(
        &s->ladder, judge->promise->attributes[s->attribute].hierarchy, ground, release, err);
    if (status != TACIT_OK)
        return status;
    s->codes = s->ladder.ground + tacit_table_has_missing(ground.table, ground.column);
    s->star = tacit__suppressed_code(release.table, release.column);
    for (int level = 0; level <= s->ladder.height; level++) {
        size_t numbers = (size_t)tacit_hierarchy_count(s->ladder.hierarchy, level) + 1;
        s->numbers = numbers > s->numbers ? numbers : s->numbers;
    }
    s->marked = tacit__alloc_array(s->numbers, sizeof *s->marked);
    if (!s->marked)
        return tacit__nomem(err);
    for (int level = 0; level <= s->ladder.height; level++) {
        int64_t released, values = values_on(&released, s, level);
        if (released == domain->values && rows_say(s, level))
            return take_level(domain, s, level, values, err);
    }
    return TACIT_OK;
}

tacit_status tacit__domain_init(tacit__domain *domain, const tacit__judge *judge, int32_t attribute,
                                tacit_error *err)
{
    tacit__domain made = {.values = value_count(judge->release, judge->attribute[attribute])};
    level_search s = {.judge = judge, .attribute = attribute};
    tacit_status status = TACIT_OK;
    if (judge->original && judge->ground[attribute] >= 0)
        status = search_level(&made, &s, err);
    tacit__ladder_clear(&s.ladder);
    tacit__free(s.marked);
    if (status == TACIT_OK)
        *domain = made;
    return status;
}

void tacit__domain_clear(tacit__domain *domain)
{
    tacit__free(domain->released);
    *domain = (tacit__domain){0};
}
