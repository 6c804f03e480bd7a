/*
 * join.c - registers joined to one: E of the definition of an anonymous data system.
 *
 * A further register is joined on the columns, by name, that are there already. Its rows are sorted
 * by a hash of their keys, whose codes have been translated to those that are there; every
 * row so far looks its key up, and compares. A first pass counts the rows that come of it, so that
 * nothing grows beyond what was allowed, the second writes them. What a row is made of is kept
 * as a row number for each register; codes are gathered at the end for the columns that are wanted.
 *
 * Cost: a sort and 32 bytes a row of the register that is joined, a bisection for each row so far;
 * 4 bytes a row of the result and register, and as many for each column that is wanted.
 */
#include <string.h>

#include "audit/link/link.h"
#include "audit/rows/words.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

#define NO_ROW UINT32_MAX

enum { MOST_TABLES = 16, ROWS_A_PERSON = 4 };
static const int64_t ROWS_ALLOWED = INT64_C(16) << 20;

struct tacit_registers {
    const tacit_table *const *tables;
    int64_t rows;
    uint32_t *row_of[MOST_TABLES]; /* a table each: a row each: the table's row, or NO_ROW. NULL of
                                      the first: as they are */
    bool plain;                    /* one row a person */
    tacit_register_column *columns;
    uint32_t **gathered; /* a wanted column each: codes; NULL: the table's own */
    int32_t wanted;
};

/* ---- keys ---- */

/* A column that the new register shares with one before it. */
typedef struct key_column {
    int32_t table, column; /* before */
    int32_t added;         /* in the new one */
    uint32_t *translated;  /* code of the new one -> code before, or TACIT__NOWHERE */
} key_column;

typedef struct joining {
    tacit_registers *made;
    int32_t table; /* the new one */
    key_column *keys;
    int32_t key_count;
    tacit__sorter sorted; /* hash of the key, row of the new one */
    int64_t *starts;      /* a block of rows each, and one more: where its rows go */
    uint32_t *row_of[MOST_TABLES];
    const tacit_run *run;
    int64_t most_rows;
} joining;

static tacit_status translate(key_column *key, const tacit_table *before, const tacit_table *added,
                              tacit_error *err)
{
    tacit__words words = {0};
    uint32_t distinct = tacit_table_distinct(added, key->added);
    tacit_status status = tacit__words_init(&words, before, key->column, err);
    if (status != TACIT_OK)
        return status;
    key->translated = tacit__alloc_array((size_t)distinct + 1, sizeof *key->translated);
    for (uint32_t code = 0; key->translated && code < distinct; code++)
        key->translated[code] =
            tacit__words_find(&words, tacit_table_value(added, key->added, code));
    tacit__words_clear(&words);
    if (!key->translated)
        return tacit__nomem(err);
    key->translated[distinct] = TACIT__NOWHERE; /* missing is nobody's */
    return TACIT_OK;
}

/* The first table before the new one that has a column, or -1. */
static int32_t table_with(const joining *j, tacit_strview name)
{
    for (int32_t t = 0; t < j->table; t++)
        if (tacit_table_find(j->made->tables[t], name) >= 0)
            return t;
    return -1;
}

static tacit_status find_keys(joining *j, tacit_error *err)
{
    const tacit_table *added = j->made->tables[j->table];
    int32_t columns = tacit_table_columns(added);
    j->keys = tacit__alloc_zeroed((size_t)columns, sizeof *j->keys);
    tacit_status status = j->keys ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < columns && status == TACIT_OK; i++) {
        tacit_strview name = tacit_table_name(added, i);
        int32_t t = table_with(j, name);
        if (t < 0)
            continue;
        key_column *key = &j->keys[j->key_count++];
        *key = (key_column){t, tacit_table_find(j->made->tables[t], name), i, NULL};
        status = translate(key, j->made->tables[t], added, err);
    }
    if (status == TACIT_OK && j->key_count == 0)
        status = tacit__error_at(err, TACIT_INVALID, tacit_table_file(added), 0, 0,
                                 "shares no column with the registers before it");
    return status;
}

static bool is_missing(const tacit_table *table, int32_t column, uint32_t code)
{
    return code >= tacit_table_distinct(table, column);
}

/* The code that a row so far has in a key column; TACIT__NOWHERE: none to join by. */
static uint32_t code_before(const joining *j, const key_column *key, int64_t row)
{
    const uint32_t *row_of = j->made->row_of[key->table];
    int64_t at = row_of ? row_of[row] : row;
    if (at == NO_ROW)
        return TACIT__NOWHERE;
    const tacit_table *table = j->made->tables[key->table];
    uint32_t code = tacit_codes_at(tacit_table_codes(table, key->column), at);
    return is_missing(table, key->column, code) ? TACIT__NOWHERE : code;
}

static uint32_t code_added(const joining *j, const key_column *key, int64_t row)
{
    const tacit_table *table = j->made->tables[j->table];
    return key->translated[tacit_codes_at(tacit_table_codes(table, key->added), row)];
}

typedef uint32_t (*code_fn)(const joining *j, const key_column *key, int64_t row);

/* Never UINT64_MAX but where a row has no key. */
static uint64_t hash_key(const joining *j, code_fn code_of, int64_t row)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < j->key_count; i++) {
        uint32_t code = code_of(j, &j->keys[i], row);
        if (code == TACIT__NOWHERE)
            return UINT64_MAX;
        hash = tacit__mix(hash ^ code) + (uint64_t)i;
    }
    return hash == UINT64_MAX ? 0 : hash;
}

static bool same_key(const joining *j, int64_t row, int64_t added)
{
    for (int32_t i = 0; i < j->key_count; i++)
        if (code_before(j, &j->keys[i], row) != code_added(j, &j->keys[i], added))
            return false;
    return true;
}

/* ---- rows ---- */

static tacit_status hash_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    joining *j = context;
    int64_t end = tacit__block_end(block, j->sorted.count);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        tacit__sorter_put(&j->sorted, row, hash_key(j, code_added, row));
        j->sorted.values[row] = (uint64_t)row;
    }
    return TACIT_OK;
}

static tacit_status sort_added(joining *j, tacit_error *err)
{
    int64_t rows = tacit_table_rows(j->made->tables[j->table]);
    tacit_status status = tacit__sorter_init(&j->sorted, rows, 64, true, err);
    if (status == TACIT_OK)
        status = tacit__parallel(j->run, "joining", tacit__blocks(rows), hash_block, j, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&j->sorted, j->run, err);
    tacit__sorter_trim(&j->sorted);
    return status;
}

/* The next row of the new register with the key of a row so far, from a place among the
 * sorted ones on (-1: the first); NO_ROW at the end. */
static uint32_t next_match(const joining *j, int64_t row, uint64_t hash, int64_t *place)
{
    const tacit__sorter *sorted = &j->sorted;
    *place = *place < 0 ? tacit__sorter_place(sorted, hash) : *place + 1;
    for (; hash != UINT64_MAX && *place < sorted->count && sorted->keys[*place] == hash; ++*place)
        if (same_key(j, row, (int64_t)sorted->values[*place]))
            return (uint32_t)sorted->values[*place];
    return NO_ROW;
}

static tacit_status too_many(const joining *j, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, tacit_table_file(j->made->tables[j->table]), 0, 0,
                           "joined to the registers before it, this one makes more than %lld rows: "
                           "the columns that they share say too little about who is who",
                           (long long)j->most_rows);
}

static tacit_status count_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker;
    joining *j = context;
    int64_t end = tacit__block_end(block, j->made->rows), count = 0;
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        uint64_t hash = hash_key(j, code_before, row);
        int64_t place = -1, before = count;
        while (next_match(j, row, hash, &place) != NO_ROW)
            count++;
        count += count == before;
        if (count > j->most_rows)
            return too_many(j, err);
    }
    j->starts[block + 1] = count;
    return TACIT_OK;
}

static tacit_status count_rows(joining *j, tacit_error *err)
{
    int64_t blocks = tacit__blocks(j->made->rows);
    j->starts = tacit__alloc_zeroed((size_t)blocks + 1, sizeof *j->starts);
    if (!j->starts)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(j->run, "joining", blocks, count_block, j, err);
    for (int64_t block = 0; block < blocks && status == TACIT_OK; block++) {
        j->starts[block + 1] += j->starts[block];
        if (j->starts[block + 1] > j->most_rows)
            status = too_many(j, err);
    }
    return status;
}

static void put_row(const joining *j, int64_t to, int64_t row, uint32_t match)
{
    for (int32_t t = 0; t < j->table; t++)
        j->row_of[t][to] = j->made->row_of[t] ? j->made->row_of[t][row] : (uint32_t)row;
    j->row_of[j->table][to] = match;
}

static tacit_status write_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const joining *j = context;
    int64_t end = tacit__block_end(block, j->made->rows), to = j->starts[block];
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        uint64_t hash = hash_key(j, code_before, row);
        int64_t place = -1;
        uint32_t match = next_match(j, row, hash, &place);
        do
            put_row(j, to++, row, match);
        while (match != NO_ROW && (match = next_match(j, row, hash, &place)) != NO_ROW);
    }
    return TACIT_OK;
}

static tacit_status write_rows(joining *j, tacit_error *err)
{
    int64_t blocks = tacit__blocks(j->made->rows), rows = j->starts[blocks];
    for (int32_t t = 0; t <= j->table; t++) {
        j->row_of[t] = tacit__alloc_array((size_t)rows, sizeof *j->row_of[t]);
        if (!j->row_of[t])
            return tacit__nomem(err);
    }
    tacit_status status = tacit__parallel(j->run, "joining", blocks, write_block, j, err);
    if (status != TACIT_OK)
        return status;
    j->made->plain &= rows == j->made->rows;
    j->made->rows = rows;
    for (int32_t t = 0; t <= j->table; t++) {
        tacit__free(j->made->row_of[t]);
        j->made->row_of[t] = j->row_of[t];
        j->row_of[t] = NULL;
    }
    return TACIT_OK;
}

static tacit_status join_table(tacit_registers *made, int32_t table, int64_t most_rows,
                               const tacit_run *run, tacit_error *err)
{
    joining j = {.made = made, .table = table, .run = run, .most_rows = most_rows};
    tacit_status status = find_keys(&j, err);
    if (status == TACIT_OK)
        status = sort_added(&j, err);
    if (status == TACIT_OK)
        status = count_rows(&j, err);
    if (status == TACIT_OK)
        status = write_rows(&j, err);
    for (int32_t i = 0; i < j.key_count; i++)
        tacit__free(j.keys[i].translated);
    for (int32_t t = 0; t <= table; t++)
        tacit__free(j.row_of[t]);
    tacit__free(j.keys);
    tacit__free(j.starts);
    tacit__sorter_clear(&j.sorted);
    return status;
}

/* ---- columns ---- */

static void find_column(tacit_register_column *found, const tacit_registers *made, int32_t tables,
                        const char *name)
{
    found->table = -1;
    for (int32_t t = 0; t < tables && found->table < 0; t++) {
        found->column = tacit_table_find(made->tables[t], tacit_strview_of(name));
        if (found->column >= 0)
            found->table = t;
    }
    if (found->table >= 0)
        found->unknown = tacit_table_distinct(made->tables[found->table], found->column) + 1;
}

static tacit_status gather(tacit_registers *made, int32_t wanted, tacit_error *err)
{
    tacit_register_column *column = &made->columns[wanted];
    if (column->table < 0)
        return TACIT_OK;
    const uint32_t *row_of = made->row_of[column->table];
    column->codes = tacit_table_codes(made->tables[column->table], column->column);
    if (!row_of || (column->table == 0 && made->plain))
        return TACIT_OK;
    uint32_t *codes = made->gathered[wanted] =
        tacit__alloc_array((size_t)made->rows, sizeof *codes);
    if (!codes)
        return tacit__nomem(err);
    for (int64_t row = 0; row < made->rows; row++)
        codes[row] =
            row_of[row] == NO_ROW ? column->unknown : tacit_codes_at(column->codes, row_of[row]);
    column->codes = (tacit_codes_view){codes, 4};
    return TACIT_OK;
}

/* The codes of what is wanted. Which row of a further register it came from is not needed then. */
static tacit_status gather_columns(tacit_registers *made, int32_t tables, const char *const *wanted,
                                   tacit_error *err)
{
    size_t count = (size_t)made->wanted;
    made->columns = tacit__alloc_zeroed(count, sizeof *made->columns);
    made->gathered = tacit__alloc_zeroed(count, sizeof *made->gathered);
    tacit_status status = made->columns && made->gathered ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < made->wanted && status == TACIT_OK; i++) {
        find_column(&made->columns[i], made, tables, wanted[i]);
        status = gather(made, i, err);
    }
    for (int32_t t = made->plain ? 0 : 1; t < tables; t++) {
        tacit__free(made->row_of[t]);
        made->row_of[t] = NULL;
    }
    return status;
}

tacit_status tacit_registers_join(tacit_registers **out, const tacit_table *const *tables,
                                  int32_t count, const char *const *wanted, int32_t wanted_count,
                                  int64_t most_rows, const tacit_run *run, tacit_error *err)
{
    if (count < 1 || count > MOST_TABLES)
        return tacit__error(err, TACIT_LIMIT, "at most %d registers can be joined", MOST_TABLES);
    tacit_registers *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!made)
        return tacit__nomem(err);
    made->tables = tables;
    made->rows = tacit_table_rows(tables[0]);
    made->plain = true;
    made->wanted = wanted_count;
    if (most_rows == 0 && made->rows > ROWS_ALLOWED / ROWS_A_PERSON)
        most_rows = made->rows * ROWS_A_PERSON;
    else if (most_rows == 0)
        most_rows = ROWS_ALLOWED;
    if (most_rows > TACIT_MAX_ROWS)
        most_rows = TACIT_MAX_ROWS;
    tacit_status status = TACIT_OK;
    for (int32_t t = 1; t < count && status == TACIT_OK; t++)
        status = join_table(made, t, most_rows, run, err);
    if (status == TACIT_OK)
        status = gather_columns(made, count, wanted, err);
    if (status == TACIT_OK)
        *out = made;
    else
        tacit_registers_free(made);
    return status;
}

void tacit_registers_free(tacit_registers *registers)
{
    if (!registers)
        return;
    for (int32_t t = 0; t < MOST_TABLES; t++)
        tacit__free(registers->row_of[t]);
    for (int32_t i = 0; registers->gathered && i < registers->wanted; i++)
        tacit__free(registers->gathered[i]);
    tacit__free(registers->gathered);
    tacit__free(registers->columns);
    tacit__free(registers);
}

int64_t tacit_registers_rows(const tacit_registers *registers)
{
    return registers->rows;
}

const uint32_t *tacit_registers_person(const tacit_registers *registers)
{
    return registers->plain ? NULL : registers->row_of[0];
}

const tacit_register_column *tacit_registers_columns(const tacit_registers *registers)
{
    return registers->columns;
}
