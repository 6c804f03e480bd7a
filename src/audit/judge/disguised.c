/*
 * disguised.c - carried columns that tell people apart without being called so.
 *
 * Where the promise says whose the rows are, a column that is released as it is may say so too: an
 * account number beside the patient's number that was dropped. Each of its values belongs to one
 * person, and some stand in several rows, so it links rows as a pseudonym would, and is judged so
 * (trails.c), whatever its role. A value that two people have ends the question, mostly within the
 * first rows.
 *
 * A row without a person is somebody of its own. Where households are promised, all of their rows
 * are known together, and nothing is asked here. Values are compared by 64-bit hashes: two that
 * meet by chance can only make a column look shared, one time in millions of millions.
 *
 * Cost: rows are read until two people meet; of a column that passes, all, and 20 bytes a value.
 */
#include "audit/judge/disguised.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vector.h"

typedef struct asking {
    const tacit__judge *judge;
    tacit_strview *cells; /* of a row */
    tacit__cell_buffer buffer;
    tacit__numbering values;
    uint32_t *owners; /* a value each: the person who has it */
    size_t capacity;
    bool shared; /* two people have a value */
    bool repeats;
} asking;

/* The number of a value that a person has, TACIT__NONE when memory ran out. */
static uint32_t ask_value(asking *a, tacit_strview value, uint32_t person)
{
    uint32_t before = a->values.count;
    uint32_t number = tacit__numbering_add(&a->values, tacit__hash_bytes(value.bytes, value.len));
    if (number == TACIT__NONE || !TACIT__RESERVE_ONE(a->owners, a->capacity, number))
        return TACIT__NONE;
    if (number == before) {
        a->owners[number] = person;
        return number;
    }
    a->shared |= a->owners[number] != person || person == a->judge->people_missing;
    a->repeats = true;
    return number;
}

/* Rows without a value keep the code TACIT__NONE. */
static tacit_status ask_rows(asking *a, uint32_t *codes, int32_t column, tacit_error *err)
{
    const tacit_table *release = a->judge->release;
    int64_t rows = tacit_table_rows(release);
    for (int64_t row = 0; row < rows && !a->shared; row++) {
        tacit_table_row(release, row, a->cells);
        tacit_strview value = tacit__cell_says(a->cells[column], &a->buffer);
        if (!value.bytes)
            return tacit__nomem(err);
        codes[row] = TACIT__NONE;
        if (value.len == 0)
            continue;
        codes[row] = ask_value(a, value, tacit_codes_at(a->judge->people, row));
        if (codes[row] == TACIT__NONE)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static void take(tacit__disguised *out, uint32_t *codes, uint32_t values, int64_t rows)
{
    for (int64_t row = 0; row < rows; row++)
        codes[row] = codes[row] == TACIT__NONE ? values : codes[row];
    *out = (tacit__disguised){.codes = codes, .values = values};
}

static bool may_be_asked(const tacit__judge *judge)
{
    return judge->by_person && !judge->promise->household && judge->promise->k > 1;
}

tacit_status tacit__disguised_find(tacit__disguised *out, const tacit__judge *judge, int32_t column,
                                   tacit_error *err)
{
    int64_t rows = tacit_table_rows(judge->release);
    asking a = {.judge = judge};
    *out = (tacit__disguised){0};
    if (!may_be_asked(judge) || judge->columns[column].role != TACIT__CARRIED || rows == 0)
        return TACIT_OK;
    uint32_t *codes = tacit__alloc_array((size_t)rows, sizeof *codes);
    a.cells = tacit__alloc_array((size_t)tacit_table_columns(judge->release), sizeof *a.cells);
    tacit_status status = codes && a.cells ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = ask_rows(&a, codes, column, err);
    if (status == TACIT_OK && a.repeats && !a.shared)
        take(out, codes, a.values.count, rows);
    else
        tacit__free(codes);
    tacit__numbering_clear(&a.values);
    tacit__free(a.owners);
    tacit__free(a.cells);
    tacit__free(a.buffer.bytes);
    return status;
}
