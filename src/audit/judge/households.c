/*
 * households.c - what is promised of households beside their numbers, which trails.c counts.
 *
 * What is said to be the household's must be the same in all rows of its members: where two of them
 * show different generalizations of one value, whoever knows both knows what they have in common.
 * A row of which everything is suppressed says nothing. And k households are k people only if
 * nobody is in two of them, which is looked up in the original.
 *
 * Both are one pass over the rows with the first value of each unit: linear, 4 bytes a unit.
 */
#include <string.h>

#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"

/* Rows and the values that those of a unit must agree in. */
typedef struct agreement {
    int64_t rows;
    tacit_codes_view units;
    uint32_t missing; /* the unit of rows that are to agree with none */
    tacit_codes_view values;
    const uint64_t *left_out; /* bit a row; NULL: none */
} agreement;

/* Rows that differ from the first of their unit. */
static tacit_status count_differing(tacit__judge_tally *out, const agreement *a, tacit_error *err)
{
    const uint32_t unknown = UINT32_MAX;
    uint32_t *first = tacit__alloc_array((size_t)a->missing + 1, sizeof *first);
    if (!first)
        return tacit__nomem(err);
    memset(first, 0xFF, ((size_t)a->missing + 1) * sizeof *first);
    *out = (tacit__judge_tally){0};
    for (int64_t row = 0; row < a->rows; row++) {
        uint32_t unit = tacit_codes_at(a->units, row), value = tacit_codes_at(a->values, row);
        if (unit == a->missing || (a->left_out && tacit__bit_get(a->left_out, row)))
            continue;
        if (first[unit] == unknown)
            first[unit] = value;
        else if (first[unit] != value)
            tacit__tally_add(out, row);
    }
    tacit__free(first);
    return TACIT_OK;
}

static tacit_status judge_attribute_of(tacit__judge *judge, int32_t attribute, tacit_error *err)
{
    const agreement a = {.rows = tacit_table_rows(judge->release),
                         .units = judge->people,
                         .missing = judge->people_missing,
                         .values = tacit_table_codes(judge->release, judge->attribute[attribute]),
                         .left_out = judge->suppressed};
    tacit__judge_tally differing;
    tacit_status status = count_differing(&differing, &a, err);
    if (status == TACIT_OK && differing.count > 0)
        tacit__find(judge, TACIT_FINDING_HOUSEHOLD, differing.first + 1, differing.count,
                    "\"%s\" is the same for all members of a household, and %lld rows say "
                    "something else than the first of theirs; the first is row %lld (line %lld)",
                    tacit__show(tacit_strview_of(judge->promise->attributes[attribute].name)).text,
                    (long long)differing.count, (long long)(differing.first + 1),
                    (long long)tacit_table_line(judge->release, differing.first));
    return status;
}

/* Nobody is in two households. */
static tacit_status judge_nesting(tacit__judge *judge, tacit_error *err)
{
    const tacit_table *original = judge->original;
    const char *name = judge->promise->person;
    int32_t person = name && original ? tacit_table_find(original, tacit_strview_of(name)) : -1;
    if (person < 0 || judge->person_known < 0)
        return TACIT_OK;
    if (!tacit_table_is_coded(original, person))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(original), 0, 0,
                               "column \"%s\" must be coded to be judged",
                               tacit__show(tacit_strview_of(name)).text);
    const agreement a = {.rows = tacit_table_rows(original),
                         .units = tacit_table_codes(original, person),
                         .missing = tacit_table_distinct(original, person),
                         .values = tacit_table_codes(original, judge->person_known)};
    tacit__judge_tally differing;
    tacit_status status = count_differing(&differing, &a, err);
    if (status == TACIT_OK && differing.count > 0)
        tacit__find(judge, TACIT_FINDING_PERSON, 0, differing.count,
                    "%lld rows of the original are of a person in another household, so that k "
                    "households need not be k people; the first is row %lld (line %lld)",
                    (long long)differing.count, (long long)(differing.first + 1),
                    (long long)tacit_table_line(original, differing.first));
    return status;
}

tacit_status tacit__judge_households(tacit__judge *judge, tacit_error *err)
{
    if (!judge->promise->household)
        return TACIT_OK;
    const uint64_t *of = judge->promise->of_household;
    tacit_status status = judge_nesting(judge, err);
    for (int32_t a = 0; a < judge->promise->attribute_count && status == TACIT_OK; a++)
        if (judge->by_person && of && tacit__bit_get(of, a))
            status = judge_attribute_of(judge, a, err);
    return status;
}
