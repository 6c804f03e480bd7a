/*
 * distinct.c - rows that have the same values in all columns, put together.
 *
 * Rows are dealt by their code in the column with the most values into parts of
 * some PART rows, in the order of codes, and each part is sorted by itself, one
 * stable counting sort a column, the last column first. So equal rows stand
 * together in the order of the table, and parts, which are cut by the data, go
 * to all cores.
 *
 * Time linear in rows times columns; memory 12 bytes a row while sorting and
 * after it.
 */
#include "uniques/uniques.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { PART = 1 << 16, DIGITS = 1 << 16 };

/* The sorting of a table's rows. */
typedef struct sorting {
    tacit_distinct *to;
    tacit_codes_view codes[TACIT_UNIQUES_COLUMNS];
    int32_t first;    /* the column that rows are dealt by */
    uint32_t *places; /* by code of it: where the next row goes */
    uint32_t *parts;  /* where parts start; part_count + 1 of them */
    uint32_t part_count;
    uint32_t *spare;   /* rows, while they change places */
    uint32_t **digits; /* a worker each: DIGITS counts */
    uint32_t *found;   /* a part each: combinations that start in it */
} sorting;

void tacit_distinct_free(tacit_distinct *distinct)
{
    if (!distinct)
        return;
    tacit__free(distinct->order);
    tacit__free(distinct->starts);
    tacit__free(distinct->of);
    tacit__free(distinct);
}

static int32_t widest_column(const tacit_distinct *distinct)
{
    int32_t widest = 0;
    for (int32_t i = 1; i < distinct->column_count; i++)
        if (tacit__distinct_codes(distinct, i) > tacit__distinct_codes(distinct, widest))
            widest = i;
    return widest;
}

/* Where rows of each code go, and where parts start: at the first code after at
 * least PART rows. */
static void lay_out_parts(sorting *s)
{
    uint32_t codes = tacit__distinct_codes(s->to, s->first), rows = s->to->rows, at = 0;
    for (uint32_t row = 0; row < rows; row++)
        s->places[tacit_codes_at(s->codes[s->first], row)]++;
    s->parts[0] = 0;
    for (uint32_t code = 0; code < codes; code++) {
        uint32_t size = s->places[code];
        s->places[code] = at;
        at += size;
        if (at - s->parts[s->part_count] >= PART)
            s->parts[++s->part_count] = at;
    }
    if (at > s->parts[s->part_count])
        s->parts[++s->part_count] = at;
}

static void deal_by_code(sorting *s)
{
    for (uint32_t row = 0; row < s->to->rows; row++)
        s->to->order[s->places[tacit_codes_at(s->codes[s->first], row)]++] = row;
}

/* Sorts rows by 16 bits of their code in a column. Stable. */
static void sort_digit(uint32_t *to, const uint32_t *from, uint32_t count, tacit_codes_view codes,
                       int shift, uint32_t *digits, uint32_t digit_count)
{
    memset(digits, 0, digit_count * sizeof *digits);
    for (uint32_t i = 0; i < count; i++)
        digits[tacit_codes_at(codes, from[i]) >> shift & (DIGITS - 1)]++;
    for (uint32_t i = 0, at = 0; i < digit_count; i++) {
        uint32_t size = digits[i];
        digits[i] = at;
        at += size;
    }
    for (uint32_t i = 0; i < count; i++)
        to[digits[tacit_codes_at(codes, from[i]) >> shift & (DIGITS - 1)]++] = from[i];
}

static bool same_combination(const sorting *s, uint32_t a, uint32_t b)
{
    for (int32_t i = 0; i < s->to->column_count; i++)
        if (tacit_codes_at(s->codes[i], a) != tacit_codes_at(s->codes[i], b))
            return false;
    return true;
}

static void exchange(uint32_t **a, uint32_t **b)
{
    uint32_t *kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_part(const sorting *s, uint32_t part, uint32_t *digits)
{
    uint32_t start = s->parts[part], count = s->parts[part + 1] - start;
    uint32_t *from = s->to->order + start, *to = s->spare + start;
    for (int32_t i = s->to->column_count; i >= 0; i--) {
        /* the column that rows were dealt by decides first, so it is sorted by last */
        int32_t column = i > 0 ? i - 1 : s->first;
        if (i > 0 && column == s->first)
            continue;
        uint32_t codes = tacit__distinct_codes(s->to, column);
        for (int shift = 0; shift < 32 && (codes - 1) >> shift; shift += 16) {
            uint32_t high = (codes - 1) >> shift;
            sort_digit(to, from, count, s->codes[column], shift, digits,
                       high < DIGITS ? high + 1 : DIGITS);
            exchange(&from, &to);
        }
    }
    if (from != s->to->order + start)
        memcpy(s->to->order + start, from, count * sizeof *from);
}

static tacit_status part_task(void *context, int64_t part, int worker, tacit_error *err)
{
    sorting *s = context;
    if (!s->digits[worker])
        s->digits[worker] = tacit__alloc_array(DIGITS, sizeof **s->digits);
    if (!s->digits[worker])
        return tacit__nomem(err);
    sort_part(s, (uint32_t)part, s->digits[worker]);
    const uint32_t *order = s->to->order;
    uint32_t found = 0;
    for (uint32_t i = s->parts[part]; i < s->parts[part + 1]; i++)
        found += i == s->parts[part] || !same_combination(s, order[i], order[i - 1]);
    s->found[part] = found;
    return TACIT_OK;
}

/* Numbers the combinations of a part; found holds the number of its first one. */
static tacit_status number_task(void *context, int64_t part, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    sorting *s = context;
    const uint32_t *order = s->to->order;
    uint32_t next = s->found[part];
    for (uint32_t i = s->parts[part]; i < s->parts[part + 1]; i++) {
        if (i == s->parts[part] || !same_combination(s, order[i], order[i - 1]))
            s->to->starts[next++] = i;
        s->to->of[order[i]] = next - 1;
    }
    return TACIT_OK;
}

static tacit_status number(sorting *s, const tacit_run *run, tacit_error *err)
{
    uint32_t total = 0;
    for (uint32_t part = 0; part < s->part_count; part++) {
        uint32_t found = s->found[part];
        s->found[part] = total;
        total += found;
    }
    tacit_distinct *to = s->to;
    to->count = total;
    to->starts = tacit__alloc_array((size_t)total + 1, sizeof *to->starts);
    if (!to->starts)
        return tacit__nomem(err);
    to->starts[total] = to->rows;
    return tacit__parallel(run, "distinct rows", s->part_count, number_task, s, err);
}

static tacit_status allocate(sorting *s, const tacit_run *run, tacit_error *err)
{
    size_t rows = s->to->rows, codes = tacit__distinct_codes(s->to, s->first);
    s->to->order = tacit__alloc_array(rows, sizeof *s->to->order);
    s->to->of = tacit__alloc_array(rows, sizeof *s->to->of);
    s->spare = tacit__alloc_array(rows, sizeof *s->spare);
    s->places = tacit__alloc_zeroed(codes, sizeof *s->places);
    s->parts = tacit__alloc_array(rows / PART + 2, sizeof *s->parts);
    s->found = tacit__alloc_array(rows / PART + 2, sizeof *s->found);
    s->digits = tacit__alloc_zeroed((size_t)tacit__threads(run), sizeof *s->digits);
    if (!s->to->order || !s->to->of || !s->spare || !s->places || !s->parts || !s->found ||
        !s->digits)
        return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status sort_rows(tacit_distinct *to, const tacit_run *run, tacit_error *err)
{
    sorting s = {.to = to, .first = widest_column(to)};
    for (int32_t i = 0; i < to->column_count; i++)
        s.codes[i] = tacit_table_codes(to->table, to->columns[i]);
    tacit_status status = allocate(&s, run, err);
    if (status == TACIT_OK) {
        lay_out_parts(&s);
        deal_by_code(&s);
        status = tacit__parallel(run, "distinct rows", s.part_count, part_task, &s, err);
    }
    if (status == TACIT_OK)
        status = number(&s, run, err);
    for (int i = 0; s.digits && i < tacit__threads(run); i++)
        tacit__free(s.digits[i]);
    tacit__free(s.digits);
    tacit__free(s.spare);
    tacit__free(s.places);
    tacit__free(s.parts);
    tacit__free(s.found);
    return status;
}

static tacit_status check_columns(const tacit_table *table, const int32_t *columns, int32_t count,
                                  tacit_error *err)
{
    uint64_t given = 0;
    if (count < 1 || count > TACIT_UNIQUES_COLUMNS)
        return tacit__error(err, TACIT_INVALID, "%d columns; from 1 to %d can be looked at", count,
                            TACIT_UNIQUES_COLUMNS);
    for (int32_t i = 0; i < count; i++) {
        assert(columns[i] >= 0 && columns[i] < tacit_table_columns(table));
        assert(tacit_table_is_coded(table, columns[i]));
        for (int32_t j = 0; j < i; j++)
            given |= (uint64_t)(columns[i] == columns[j]) << i;
    }
    if (given) {
        tacit_strview name = tacit_table_name(table, columns[__builtin_ctzll(given)]);
        return tacit__error(err, TACIT_INVALID, "column %s is named twice", tacit__show(name).text);
    }
    return TACIT_OK;
}

tacit_status tacit_distinct_new(tacit_distinct **out, const tacit_table *table,
                                const int32_t *columns, int32_t count, tacit_missing missing,
                                const tacit_run *run, tacit_error *err)
{
    tacit_status status = check_columns(table, columns, count, err);
    if (status != TACIT_OK)
        return status;
    tacit_distinct *distinct = tacit__alloc_zeroed(1, sizeof *distinct);
    if (!distinct)
        return tacit__nomem(err);
    distinct->table = table;
    distinct->column_count = count;
    memcpy(distinct->columns, columns, (size_t)count * sizeof *columns);
    distinct->missing = missing;
    distinct->rows = (uint32_t)tacit_table_rows(table);
    status = sort_rows(distinct, run, err);
    if (status == TACIT_OK)
        *out = distinct;
    else
        tacit_distinct_free(distinct);
    return status;
}

const tacit_table *tacit_distinct_table(const tacit_distinct *distinct)
{
    return distinct->table;
}

int32_t tacit_distinct_columns(const tacit_distinct *distinct)
{
    return distinct->column_count;
}

int32_t tacit_distinct_column(const tacit_distinct *distinct, int32_t index)
{
    assert(index >= 0 && index < distinct->column_count);
    return distinct->columns[index];
}

int64_t tacit_distinct_count(const tacit_distinct *distinct)
{
    return distinct->count;
}

int64_t tacit_distinct_of(const tacit_distinct *distinct, int64_t row)
{
    assert(row >= 0 && row < distinct->rows);
    return distinct->of[row];
}

tacit_rows_view tacit_distinct_rows(const tacit_distinct *distinct, int64_t combination)
{
    assert(combination >= 0 && combination < distinct->count);
    return (tacit_rows_view){.rows = distinct->order + distinct->starts[combination],
                             .count = tacit__distinct_size(distinct, (uint32_t)combination)};
}
