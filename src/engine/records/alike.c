/*
 * alike.c - values of a sensitive column that are one value written in two ways.
 *
 * "HIV", "hiv" and "HIV " are three texts, and one diagnosis to whoever reads the release. Promises
 * of different values would count three of them. Which ones are one only the data holder knows
 * ("d" and "D" may be two genes), so a release with such a promise is refused until they are
 * written alike, or declared to be different: spread: 0. Texts are compared without blanks and with
 * small letters from a to z.
 *
 * Cost: linear in the distinct values of the sensitive columns.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "engine/records/release.h"

/* What is left of values, one after the other. */
typedef struct plain_values {
    tacit__strbuf text;
    size_t *ends; /* a value each */
    tacit__map map;
} plain_values;

static tacit_strview plain_value(const plain_values *values, uint32_t number)
{
    size_t from = number ? values->ends[number - 1] : 0;
    return (tacit_strview){values->text.bytes + from, values->ends[number] - from};
}

/* Adds a value. *again becomes whether another one is the same; false: no memory. */
static bool add_plain(bool *again, plain_values *values, uint32_t number, tacit_strview value)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = tacit__to_lower(value.bytes[i]);
        if (!tacit__is_space(c))
            tacit__strbuf_add(&values->text, &c, 1);
    }
    if (values->text.failed)
        return false;
    values->ends[number] = values->text.len;
    tacit_strview plain = plain_value(values, number);
    uint64_t hash = tacit__hash_bytes(plain.bytes, plain.len);
    size_t probe = 0;
    uint32_t found;
    *again = false;
    while (!*again && (found = tacit__map_next(&values->map, hash, &probe)) != TACIT__NONE)
        *again = tacit_strview_equal(plain_value(values, found), plain);
    return tacit__map_add(&values->map, hash);
}

/* How many values of a column are another one written in another way. */
static tacit_status count_alike(uint32_t *count, const tacit_table *table, int32_t column,
                                tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    plain_values values = {.ends = tacit__alloc_array((size_t)distinct + 1, sizeof *values.ends)};
    bool enough = values.ends != NULL;
    *count = 0;
    for (uint32_t code = 0; code < distinct && enough; code++) {
        bool again = false;
        enough = add_plain(&again, &values, code, tacit_table_value(table, column, code));
        *count += again;
    }
    tacit__strbuf_clear(&values.text);
    tacit__map_clear(&values.map);
    tacit__free(values.ends);
    return enough ? TACIT_OK : tacit__nomem(err);
}

/* Distances between shares only shrink where values are taken together. */
static bool is_asked(const tacit_policy_column *column)
{
    bool counts = false;
    for (int32_t i = 0; i < column->model_count; i++)
        counts |= tacit_model_counts_values(column->models[i].kind);
    return counts && tacit_policy_spread(column).amount > 0;
}

tacit_status engine_release_check_alike(engine_release *release)
{
    tacit_error *err = &release->session->error;
    const tacit_table *table = release->table;
    for (int32_t i = 0; i < release->policy->column_count; i++) {
        const tacit_policy_column *column = &release->policy->columns[i];
        int32_t at = tacit_table_find(table, tacit_strview_of(column->name));
        uint32_t count = 0;
        if (!is_asked(column) || at < 0 || !tacit_table_is_coded(table, at))
            continue;
        tacit_status status = count_alike(&count, table, at, err);
        if (status != TACIT_OK)
            return status;
        if (count > 0)
            return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), 0, 0,
                                   "%u values of column \"%s\" differ from others in capitals or "
                                   "blanks only, and would count as different: write them alike, "
                                   "or declare that they are different (spread: 0)",
                                   (unsigned)count,
                                   tacit__show(tacit_strview_of(column->name)).text);
    }
    return TACIT_OK;
}
