/*
 * registers.c - registers joined to one: E of the definition of an anonymous data system.
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

#include <tacit/experimental/lineage.h>

#include "audit/link/link.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

#define NO_ROW UINT32_MAX

enum { MAX_TABLES = 16, ROWS_A_PERSON = 4 };
static const int64_t ROWS_ALLOWED = INT64_C(16) << 20;

/* Where a column's values come from, and its codes: those of that table's column, missing one past
 * the last, and one further for what is not known. */
typedef struct register_column {
    int32_t table, column; /* table: -1 where no register has it */
    tacit_codes_view codes;
    uint32_t unknown; /* that code; whether it occurs or not */
} register_column;

/* The people are the rows of the first register, and each further one adds its columns where it
 * agrees in all columns, by name, that are there already (a natural left outer join). A person
 * without a row there has unknown values, a person with several has several rows. An empty key
 * agrees with nothing. */
typedef struct registers {
    const tacit_table *const *tables;
    int64_t rows;
    uint32_t *row_of[MAX_TABLES]; /* a table each: a row each: the table's row, or NO_ROW. NULL of
                                      the first: as they are */
    bool plain;                   /* one row a person */
    register_column *columns;     /* those that are wanted, in their order */
    uint32_t **gathered;          /* a wanted column each: codes; NULL: the table's own */
    int32_t wanted;
} registers;

/* ---- keys ---- */

/* A column that the new register shares with one before it. */
typedef struct key_column {
    int32_t table, column; /* before */
    int32_t added;         /* in the new one */
    uint32_t *translated;  /* code of the new one -> code before, or TACIT__NOWHERE */
} key_column;

typedef struct joining {
    registers *made;
    int32_t table; /* the new one */
    key_column *keys;
    int32_t key_count;
    tacit__sorter sorted; /* hash of the key, row of the new one */
    int64_t *starts;      /* a block of rows each, and one more: where its rows go */
    uint32_t *row_of[MAX_TABLES];
    const tacit_run *run;
    int64_t max_rows;
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
                           (long long)j->max_rows);
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
        if (count > j->max_rows)
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
        if (j->starts[block + 1] > j->max_rows)
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

static tacit_status join_table(registers *made, int32_t table, int64_t max_rows,
                               const tacit_run *run, tacit_error *err)
{
    joining j = {.made = made, .table = table, .run = run, .max_rows = max_rows};
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

static void find_column(register_column *found, const registers *made, int32_t tables,
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

static tacit_status gather(registers *made, int32_t wanted, tacit_error *err)
{
    register_column *column = &made->columns[wanted];
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
static tacit_status gather_columns(registers *made, int32_t tables, const char *const *wanted,
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

/* Joins tables, which must outlive the result. Columns named in `wanted` and all that two tables
 * share must be coded. A table that shares no column with those before it is TACIT_INVALID; more
 * than max_rows rows (0: 16 million, or 4 a person if that is more) are TACIT_LIMIT. Cleared in any
 * case. */
static tacit_status registers_join(registers *made, int32_t count, const char *const *wanted,
                                   int64_t max_rows, const tacit_run *run, tacit_error *err)
{
    if (count < 1 || count > MAX_TABLES)
        return tacit__error(err, TACIT_LIMIT, "at most %d registers can be joined", MAX_TABLES);
    made->rows = tacit_table_rows(made->tables[0]);
    made->plain = true;
    if (max_rows == 0 && made->rows > ROWS_ALLOWED / ROWS_A_PERSON)
        max_rows = made->rows * ROWS_A_PERSON;
    else if (max_rows == 0)
        max_rows = ROWS_ALLOWED;
    if (max_rows > TACIT_MAX_ROWS)
        max_rows = TACIT_MAX_ROWS;
    tacit_status status = TACIT_OK;
    for (int32_t t = 1; t < count && status == TACIT_OK; t++)
        status = join_table(made, t, max_rows, run, err);
    if (status == TACIT_OK)
        status = gather_columns(made, count, wanted, err);
    return status;
}

static void registers_clear(registers *joined)
{
    for (int32_t t = 0; t < MAX_TABLES; t++)
        tacit__free(joined->row_of[t]);
    for (int32_t i = 0; joined->gathered && i < joined->wanted; i++)
        tacit__free(joined->gathered[i]);
    tacit__free(joined->gathered);
    tacit__free(joined->columns);
}

/* A release beside registers, ready to be linked: registers are joined, and each column that both
 * have gets a lineage of the released values and the register's, which may have values that the
 * hierarchy does not know: it holds people from anywhere.
 *
 * Cost: that of the join and of the lineages; 4 bytes a value of the register. */

struct tacit_linkage {
    registers joined;
    int32_t index[TACIT_MAX_LINK_COLUMNS]; /* of the columns asked for */
    tacit_lineage *lineages[TACIT_MAX_LINK_COLUMNS];
    uint32_t *known_nodes[TACIT_MAX_LINK_COLUMNS];
    tacit_link_column columns[TACIT_MAX_LINK_COLUMNS];
    tacit_link_case c;
};

static bool some_have(const tacit_table *const *tables, int32_t count, tacit_strview name)
{
    for (int32_t t = 0; t < count; t++)
        if (tacit_table_find(tables[t], name) >= 0)
            return true;
    return false;
}

/* Which of the columns both sides have. */
static tacit_status find_shared(tacit_linkage *l, const tacit_linkage_files *files,
                                tacit_error *err)
{
    for (int32_t i = 0; i < files->column_count; i++) {
        tacit_strview name = tacit_strview_of(files->columns[i].name);
        if (tacit_table_find(files->release, name) < 0 ||
            !some_have(files->registers, files->register_count, name))
            continue;
        if (l->c.column_count == TACIT_MAX_LINK_COLUMNS)
            return tacit__error(err, TACIT_LIMIT, "more than %d columns to link by",
                                TACIT_MAX_LINK_COLUMNS);
        l->index[l->c.column_count++] = i;
    }
    if (l->c.column_count > 0)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(files->registers[0]), 0, 0,
                           "shares no quasi-identifying column with the release: linking needs one "
                           "of the same name in both");
}

static tacit_status join(tacit_linkage *l, const tacit_linkage_files *files, const tacit_run *run,
                         tacit_error *err)
{
    const char *names[TACIT_MAX_LINK_COLUMNS];
    for (int32_t i = 0; i < l->c.column_count; i++)
        names[i] = files->columns[l->index[i]].name;
    l->joined = (registers){.tables = files->registers, .wanted = l->c.column_count};
    return registers_join(&l->joined, files->register_count, names, files->most_rows, run, err);
}

static uint32_t codes_of(const tacit_table *table, int32_t column)
{
    return tacit_table_distinct(table, column) + (tacit_table_has_missing(table, column) ? 1 : 0);
}

/* The nodes of the register's codes, and "*" for what is not known. */
static tacit_status set_known(tacit_linkage *l, int32_t at, const tacit_linkage_files *files,
                              tacit_error *err)
{
    const register_column *known = &l->joined.columns[at];
    const uint32_t *nodes = tacit_lineage_nodes(l->lineages[at], 1);
    uint32_t *copy = l->known_nodes[at] =
        tacit__alloc_array((size_t)known->unknown + 1, sizeof *copy);
    if (!copy)
        return tacit__nomem(err);
    memcpy(copy, nodes, known->unknown * sizeof *nodes);
    copy[known->unknown] = 0;
    l->columns[at].known = known->codes;
    l->columns[at].known_nodes = copy;
    l->columns[at].known_codes =
        known->table == 0 ? codes_of(files->registers[0], known->column) : known->unknown + 1;
    return TACIT_OK;
}

static tacit_status set_column(tacit_linkage *l, int32_t at, const tacit_linkage_files *files,
                               tacit_error *err)
{
    const tacit_promise_attribute *wanted = &files->columns[l->index[at]];
    const register_column *known = &l->joined.columns[at];
    int32_t released = tacit_table_find(files->release, tacit_strview_of(wanted->name));
    const tacit_lineage_source sources[] = {
        {.table = files->release, .column = released},
        {.table = files->registers[known->table], .column = known->column, .open = true},
    };
    tacit_status status = tacit_lineage_new(&l->lineages[at], wanted->hierarchy, sources, 2, err);
    if (status != TACIT_OK)
        return status;
    l->columns[at] = (tacit_link_column){
        .nodes = tacit_lineage_count(l->lineages[at]),
        .ends = tacit_lineage_ends(l->lineages[at]),
        .parents = tacit_lineage_parents(l->lineages[at]),
        .released = tacit_table_codes(files->release, released),
        .released_nodes = tacit_lineage_nodes(l->lineages[at], 0),
        .released_codes = codes_of(files->release, released),
    };
    return set_known(l, at, files, err);
}

tacit_status tacit_linkage_new(tacit_linkage **out, const tacit_linkage_files *files,
                               const tacit_run *run, tacit_error *err)
{
    tacit_linkage *l = tacit__alloc_zeroed(1, sizeof *l);
    if (!l)
        return tacit__nomem(err);
    tacit_status status = find_shared(l, files, err);
    if (status == TACIT_OK)
        status = join(l, files, run, err);
    for (int32_t i = 0; i < l->c.column_count && status == TACIT_OK; i++)
        status = set_column(l, i, files, err);
    if (status != TACIT_OK) {
        tacit_linkage_free(l);
        return status;
    }
    l->c.columns = l->columns;
    l->c.records = tacit_table_rows(files->release);
    l->c.rows = l->joined.rows;
    l->c.person = l->joined.plain ? NULL : l->joined.row_of[0];
    l->c.people = tacit_table_rows(files->registers[0]);
    l->c.k = 2;
    *out = l;
    return TACIT_OK;
}

void tacit_linkage_free(tacit_linkage *linkage)
{
    if (!linkage)
        return;
    registers_clear(&linkage->joined);
    for (int32_t i = 0; i < linkage->c.column_count; i++) {
        tacit_lineage_free(linkage->lineages[i]);
        tacit__free(linkage->known_nodes[i]);
    }
    tacit__free(linkage);
}

tacit_link_case tacit_linkage_case(const tacit_linkage *linkage)
{
    return linkage->c;
}

const int32_t *tacit_linkage_columns(const tacit_linkage *linkage)
{
    return linkage->index;
}
