/*
 * disguised.c - carried columns that tell people apart without being called so.
 *
 * Where the promise says whose the rows are, a column that is released as it is may say so too: an
 * account number beside the patient's number that was dropped. Of its values that stand in several
 * rows, nearly all belong to one person each, so it links rows as a pseudonym would, and is judged
 * so (trails.c), whatever its role. Nearly all are nine in ten: a couple that shares an account
 * does not hide everybody else's. The rows of a value that two people have are linked to nothing.
 *
 * A row without a person is somebody of its own. Where households are promised, all of their rows
 * are known together, and nothing is asked here. Values are compared by 64-bit hashes: two that
 * meet by chance can only make a value look shared, one time in millions of millions.
 *
 * Cost: rows are read until many values are plainly people's in common; of a column that passes,
 * all, and 24 bytes a value.
 */
#include "audit/judge/disguised.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vector.h"

enum { NEARLY_ALL = 10, LOOKED_AT = 1024, MANY_SHARED = 64 };

/* Where a value has been met. */
typedef enum meeting { MET_ONCE = 0, MET_AGAIN, MET_SHARED } meeting;

typedef struct met_value {
    uint32_t owner; /* the person who had it first */
    meeting meeting;
} met_value;

typedef struct asking {
    const tacit__judge *judge;
    tacit_strview *cells; /* of a row */
    tacit__cell_buffer buffer;
    tacit__numbering values;
    met_value *met; /* a value each */
    size_t capacity;
    int64_t repeated, shared; /* values in several rows, and those of them that two people have */
} asking;

static void meet_again(asking *a, met_value *value, uint32_t person)
{
    bool shared = value->owner != person || person == a->judge->people_missing;
    a->repeated += value->meeting == MET_ONCE;
    a->shared += shared && value->meeting != MET_SHARED;
    value->meeting = shared ? MET_SHARED : value->meeting == MET_ONCE ? MET_AGAIN : value->meeting;
}

/* The number of a value that a person has, TACIT__NONE when memory ran out. */
static uint32_t ask_value(asking *a, tacit_strview value, uint32_t person)
{
    uint32_t before = a->values.count;
    uint32_t number = tacit__numbering_add(&a->values, tacit__hash_bytes(value.bytes, value.len));
    if (number == TACIT__NONE || !TACIT__RESERVE_ONE(a->met, a->capacity, number))
        return TACIT__NONE;
    if (number == before)
        a->met[number] = (met_value){.owner = person};
    else
        meet_again(a, &a->met[number], person);
    return number;
}

/* Whether most values are so plainly shared that no more rows are read. */
static bool is_shared(const asking *a, int64_t row)
{
    int64_t of = a->shared >= MANY_SHARED ? a->repeated : (int64_t)a->values.count;
    return row >= LOOKED_AT && a->shared * 2 > of;
}

static bool links(const asking *a)
{
    return a->repeated > a->shared && a->shared * NEARLY_ALL <= a->repeated;
}

/* Rows without a value keep the code TACIT__NONE. */
static tacit_status ask_rows(asking *a, uint32_t *codes, int32_t column, tacit_error *err)
{
    const tacit_table *release = a->judge->release;
    int64_t rows = tacit_table_rows(release);
    for (int64_t row = 0; row < rows && !is_shared(a, row); row++) {
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

/* Rows of values that two people have, and those without a value, are linked to nothing. */
static void take(tacit__disguised *out, uint32_t *codes, const asking *a, int64_t rows)
{
    for (int64_t row = 0; row < rows; row++)
        if (codes[row] == TACIT__NONE || a->met[codes[row]].meeting == MET_SHARED)
            codes[row] = a->values.count;
    *out = (tacit__disguised){.codes = codes, .values = a->values.count};
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
    if (status == TACIT_OK && links(&a) && !is_shared(&a, rows))
        take(out, codes, &a, rows);
    else
        tacit__free(codes);
    tacit__numbering_clear(&a.values);
    tacit__free(a.met);
    tacit__free(a.cells);
    tacit__free(a.buffer.bytes);
    return status;
}
