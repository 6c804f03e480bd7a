/*
 * domains.c - the values that an attribute can have, as an adversary would guess them.
 *
 * Those of the release, "*" aside and missing among them. Where the original is at hand
 * and has all of these, the column was not generalized, and its other values belong
 * to it too: an adversary may know them from elsewhere. Of a generalized column the
 * values on the level of the release are those that are seen.
 *
 * Cost: a look-up for every value.
 */
#include "audit/ambiguity.h"
#include "audit/words.h"
#include "base/alloc.h"
#include "base/error.h"

/* Different values of a column, "*" aside. */
static int64_t value_count(const tacit_table *table, int32_t column)
{
    return (int64_t)tacit_table_distinct(table, column) + tacit_table_has_missing(table, column) -
           (tacit__suppressed_code(table, column) != UINT32_MAX);
}

/* Finds the original's values in the release; returns how many are there. */
static int64_t match_values(uint32_t *released, const tacit__words *words,
                            const tacit_table *original, int32_t column)
{
    uint32_t distinct = tacit_table_distinct(original, column);
    int64_t found = 0;
    for (uint32_t code = 0; code < distinct; code++) {
        tacit_strview value = tacit_table_value(original, column, code);
        released[code] = tacit__words_find(words, value);
        found += released[code] != TACIT__NOWHERE &&
                 !tacit_strview_equal(value, tacit_hierarchy_suppressed());
    }
    released[distinct] = words->missing;
    return found + (tacit_table_has_missing(original, column) && words->missing != TACIT__NOWHERE);
}

tacit_status tacit__domain_init(tacit__domain *domain, const tacit__judge *judge, int32_t attribute,
                                tacit_error *err)
{
    int32_t column = judge->attribute[attribute], ground = judge->ground[attribute];
    tacit__domain made = {.values = value_count(judge->release, column)};
    tacit__words words = {0};
    tacit_status status = TACIT_OK;
    if (!judge->original || ground < 0)
        goto done;
    status = tacit__words_init(&words, judge->release, column, err);
    if (status != TACIT_OK)
        return status;
    made.released = tacit__alloc_array((size_t)tacit_table_distinct(judge->original, ground) + 1,
                                       sizeof *made.released);
    if (!made.released) {
        tacit__words_clear(&words);
        return tacit__nomem(err);
    }
    made.ground = match_values(made.released, &words, judge->original, ground) == made.values;
    if (made.ground)
        made.values = value_count(judge->original, ground);
    tacit__words_clear(&words);
done:
    *domain = made;
    return status;
}

void tacit__domain_clear(tacit__domain *domain)
{
    tacit__free(domain->released);
    *domain = (tacit__domain){0};
}
