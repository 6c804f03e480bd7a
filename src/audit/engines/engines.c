/*
 * engines.c - a release inside an engine, judged by statements that share nothing with those that
 * made it but the quoting of names.
 *
 *   rows      each released row is one row of the data, none twice; none is lost unless it may be
 *   columns   the release has the columns that it should have and no other
 *   kept      what is released as it is says what the data says, row by row
 *   values    each pair of a value and what it was released as: the value itself, one above it in
 *             its hierarchy, or suppressed
 *   pseudonyms  one for each value and one value for each
 *   classes   k people share each combination of released values, on every quasi-identifier; where
 *             nobody said whose rows are whose, k values of each identifier that was left out, too
 *   the same  the release is what was staged, without the key: as many rows, and the same sum of
 *             hashes of rows
 *   the data  where a copy of the data was worked on, it is in the same way what the data are now
 *
 * What cannot be found out is a failure, not a pass. Costs a handful of joins by the row's key and
 * groupings; what comes back is a number, or the pairs of values.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/engines/case.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/map.h"
#include "base/vector.h"

void tacit__engine_problem(engine_case *c, const char *format, ...)
{
    tacit_engine_verdict *verdict = c->verdict;
    va_list arguments;
    verdict->holds = false;
    if (verdict->problem_count == TACIT_ENGINE_PROBLEMS)
        return;
    va_start(arguments, format);
    vsnprintf(verdict->problems[verdict->problem_count++], sizeof verdict->problems[0], format,
              arguments);
    va_end(arguments);
}

typedef struct number_row {
    int64_t *out;
    int32_t count;
    bool taken;
} number_row;

static tacit_status take_numbers(void *context, const tacit_strview *cells, int32_t count,
                                 tacit_error *err)
{
    number_row *row = context;
    for (int32_t i = 0; i < row->count; i++) {
        char text[32] = "", *end = text;
        if (count == row->count && cells[i].bytes && cells[i].len < sizeof text)
            memcpy(text, cells[i].bytes, cells[i].len);
        row->out[i] = strtoll(text, &end, 10);
        if (end == text || *end)
            return tacit__error(err, TACIT_IO, "the engine's answer is no number");
    }
    row->taken = true;
    return TACIT_OK;
}

tacit_status tacit__engine_numbers(int64_t *out, int32_t count, engine_case *c)
{
    number_row row = {out, count, false};
    tacit_status status =
        tacit_engine_query(c->engine, &c->sql, take_numbers, &row, c->run, c->err);
    if (status == TACIT_OK && !row.taken)
        status = tacit__error(c->err, TACIT_IO, "the engine gave no answer");
    return status;
}

tacit_status tacit__engine_number(int64_t *out, engine_case *c)
{
    return tacit__engine_numbers(out, 1, c);
}

/* A text of a cell, with which it is something else than null. */
static void add_cell(engine_case *c, const char *format, tacit_strview name)
{
    const tacit_dialect *dialect = tacit_engine_dialect(c->engine);
    ADD(c, "%s", dialect->cell);
    ADD(c, format, name);
    ADD(c, "%s", dialect->cell_end);
}

void tacit__engine_joined(engine_case *c)
{
    ADD(c, " FROM %p t JOIN %p s ON s.%n = t.%s", c->promise->original, c->promise->staged,
        c->promise->key, tacit_engine_dialect(c->engine)->row_key);
}

static tacit_status count_table(int64_t *out, engine_case *c, tacit_place_name table)
{
    ADD(c, "SELECT COUNT(*) FROM %p", table);
    return tacit__engine_number(out, c);
}

/* ---- rows ---- */

static tacit_status check_rows(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    int64_t staged = 0, keys = 0, joined = 0;
    tacit_status status = count_table(&c->verdict->rows, c, p->original);
    if (status == TACIT_OK)
        status = count_table(&staged, c, p->staged);
    if (status == TACIT_OK)
        status = count_table(&c->verdict->released, c, p->release);
    ADD(c, "SELECT COUNT(DISTINCT s.%n)", p->key);
    tacit__engine_joined(c);
    if (status == TACIT_OK)
        status = tacit__engine_number(&keys, c);
    ADD(c, "SELECT COUNT(*)");
    tacit__engine_joined(c);
    if (status == TACIT_OK)
        status = tacit__engine_number(&joined, c);
    if (status != TACIT_OK)
        return status;
    if (joined != staged || keys != staged)
        tacit__engine_problem(c, "released rows that are no row of the data, or one of them twice");
    if (staged != c->verdict->released)
        tacit__engine_problem(c, "the release has not as many rows as were made");
    return TACIT_OK;
}

/* Of all shards together. */
static tacit_status check_gone(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    int64_t gone = c->verdict->rows - c->verdict->released;
    if (gone < 0 || (gone > 0 && (!p->rows_may_go || gone > p->max_gone)))
        tacit__engine_problem(c, "%lld rows of the data are not in the release", (long long)gone);
    return TACIT_OK;
}

/* ---- columns ---- */

static bool is_named(tacit_strview name, const tacit_strview *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tacit_strview_equal(names[i], name))
            return true;
    return false;
}

static bool may_be_released(const tacit_engine_promise *p, tacit_strview name)
{
    for (int32_t i = 0; i < p->attribute_count; i++)
        if (tacit_strview_equal(p->attributes[i].name, name))
            return true;
    return is_named(name, p->kept, p->kept_count) || is_named(name, p->changed, p->changed_count);
}

static tacit_status check_columns(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    tacit_engine_columns columns = {0};
    tacit_status status = tacit_engine_columns_of(&columns, c->engine, p->release, c->run, c->err);
    size_t wanted = (size_t)p->attribute_count + p->kept_count + p->changed_count;
    for (int32_t i = 0; i < columns.count; i++)
        if (!may_be_released(p, columns.list[i].name))
            tacit__engine_problem(c, "a column is released that should not be there: %s",
                                  tacit__show(columns.list[i].name).text);
    if (status == TACIT_OK && (size_t)columns.count != wanted)
        tacit__engine_problem(c, "the release has %d columns, not %zu", (int)columns.count, wanted);
    tacit_engine_columns_clear(&columns);
    return status;
}

/* Cells of a column that say something else than in the data. As text: some types cannot be
 * compared. */
static tacit_status check_kept(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    for (size_t i = 0; i < p->kept_count; i++) {
        int64_t differing = 0;
        ADD(c, "SELECT COUNT(*)");
        tacit__engine_joined(c);
        ADD(c, " WHERE ");
        add_cell(c, "%t", p->kept[i]);
        ADD(c, " %s ", tacit_engine_dialect(c->engine)->differ);
        add_cell(c, "%u", p->kept[i]);
        tacit_status status = tacit__engine_number(&differing, c);
        if (status != TACIT_OK)
            return status;
        if (differing)
            tacit__engine_problem(c, "%lld cells of %s, which stays as it is, say something else",
                                  (long long)differing, tacit__show(p->kept[i]).text);
    }
    return TACIT_OK;
}

static tacit_status check_pseudonyms(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    for (size_t i = 0; i < p->changed_count; i++) {
        tacit_strview name = p->changed[i];
        int64_t broken = 0;
        ADD(c, "SELECT COUNT(*) FROM (SELECT 1 AS one");
        tacit__engine_joined(c);
        ADD(c,
            " GROUP BY %t HAVING COUNT(DISTINCT %u) > 1 UNION ALL "
            "SELECT 1 AS one",
            name, name);
        tacit__engine_joined(c);
        ADD(c,
            " WHERE %u <> '' GROUP BY %u HAVING "
            "COUNT(DISTINCT %t) > 1 UNION ALL SELECT 1 AS one",
            name, name, name);
        tacit__engine_joined(c);
        ADD(c, " WHERE %t = %u AND %u <> '') x", name, name, name);
        tacit_status status = tacit__engine_number(&broken, c);
        if (status != TACIT_OK)
            return status;
        if (broken)
            tacit__engine_problem(c, "pseudonyms of %s are not one for each value",
                                  tacit__show(name).text);
    }
    return TACIT_OK;
}

/* ---- values ---- */

/* The codes of a column's values, found by what they say. */
typedef struct value_index {
    engine_case *c;
    const tacit_engine_attribute *attribute;
    tacit__map map;
    int64_t wrong;
} value_index;

static bool index_values(value_index *index)
{
    const tacit_engine_attribute *a = index->attribute;
    uint32_t count = tacit_table_distinct(a->values, a->column);
    for (uint32_t code = 0; code < count; code++) {
        tacit_strview value = tacit_table_value(a->values, a->column, code);
        if (!tacit__map_add(&index->map, tacit__hash_bytes(value.bytes, value.len)))
            return false;
    }
    return true;
}

/* The code of a value, that of missing for an empty one, or TACIT__NONE. */
static uint32_t code_of(const value_index *index, tacit_strview value)
{
    const tacit_engine_attribute *a = index->attribute;
    size_t probe = 0;
    uint32_t code;
    if (value.len == 0)
        return tacit_table_distinct(a->values, a->column);
    uint64_t hash = tacit__hash_bytes(value.bytes, value.len);
    while ((code = tacit__map_next(&index->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(tacit_table_value(a->values, a->column, code), value))
            break;
    return code;
}

static bool is_above(const value_index *index, uint32_t code, tacit_strview released)
{
    const tacit_hierarchy *hierarchy = index->attribute->hierarchy;
    for (int level = 1; level <= tacit_hierarchy_height(hierarchy); level++) {
        uint32_t at = tacit_hierarchy_map(hierarchy, level)[code];
        if (at < tacit_hierarchy_count(hierarchy, level) &&
            tacit_strview_equal(tacit_hierarchy_label(hierarchy, level, at), released))
            return true;
    }
    return false;
}

/* A pair: what the data says, and what was released for it. */
static tacit_status check_pair(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    value_index *index = context;
    tacit_strview value = cells[0], released = cells[1];
    (void)err;
    index->c->verdict->values++;
    /* an empty text is missing, and released so */
    bool same = count == 2 && (released.bytes ? value.bytes && tacit_strview_equal(value, released)
                                              : value.len == 0);
    if (same)
        return TACIT_OK;
    uint32_t code = code_of(index, value);
    if (code == TACIT__NONE || !released.bytes ||
        !(tacit_strview_equal(released, tacit_hierarchy_suppressed()) ||
          is_above(index, code, released)))
        index->wrong++;
    return TACIT_OK;
}

static tacit_status check_values(engine_case *c)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < c->promise->attribute_count && status == TACIT_OK; i++) {
        const tacit_engine_attribute *a = &c->promise->attributes[i];
        value_index index = {.c = c, .attribute = a};
        if (!index_values(&index))
            status = tacit__nomem(c->err);
        ADD(c, "SELECT DISTINCT %t, %u", a->name, a->name);
        tacit__engine_joined(c);
        if (status == TACIT_OK)
            status = tacit_engine_query(c->engine, &c->sql, check_pair, &index, c->run, c->err);
        if (index.wrong)
            tacit__engine_problem(
                c, "%lld values of %s were released as something that is not above them",
                (long long)index.wrong, tacit__show(a->name).text);
        tacit__map_clear(&index.map);
    }
    return status;
}

/* ---- classes ---- */

int32_t tacit__engine_next(const tacit_engine_promise *p, int32_t set, int32_t at)
{
    const uint64_t *bits =
        p->sets ? p->sets + (size_t)set * tacit__bitset_words(p->attribute_count) : NULL;
    while (at < p->attribute_count && bits && !tacit__bit_get(bits, at))
        at++;
    return at < p->attribute_count ? at : -1;
}

int32_t tacit__engine_sets(const tacit_engine_promise *promise)
{
    return promise->sets ? promise->set_count : 1;
}

/* The released columns of a set, of the table called s. */
static void add_group(engine_case *c, int32_t set)
{
    const tacit_engine_promise *p = c->promise;
    int count = 0;
    for (int32_t i = 0; (i = tacit__engine_next(p, set, i)) >= 0; i++)
        ADD(c, count++ ? ", %u" : " GROUP BY %u", p->attributes[i].name);
}

/* Distinct values of a column of the data in a class; all that are missing, null or empty, count as
 * one. Some engines say null where there is nothing to count, which MIN would leave out. */
static void add_distinct(engine_case *c, tacit_strview column)
{
    ADD(c,
        "COALESCE(COUNT(DISTINCT CASE WHEN %t <> '' THEN t.%n END), 0) + "
        "MAX(CASE WHEN %t <> '' THEN 0 ELSE 1 END)",
        column, column, column);
}

/* What makes classes large: rows, or different values of a column. */
static void add_size(engine_case *c, tacit_strview by)
{
    if (by.len) {
        add_distinct(c, by);
        ADD(c, " AS n");
        tacit__engine_joined(c);
    } else {
        ADD(c, "COUNT(*) AS n FROM %p s", c->promise->release);
    }
}

/* Classes of a set, and the fewest of what makes them large. */
static tacit_status smallest_class(int64_t *classes, int64_t *smallest, engine_case *c, int32_t set,
                                   tacit_strview by)
{
    int64_t found[2] = {0, 0};
    if (c->shards)
        return tacit__engine_smallest(classes, smallest, c, set, by);
    ADD(c, "SELECT COUNT(*), COALESCE(MIN(n), 0) FROM (SELECT ");
    add_size(c, by);
    add_group(c, set);
    ADD(c, ") x");
    tacit_status status = tacit__engine_numbers(found, 2, c);
    *classes = found[0];
    *smallest = found[1];
    return status;
}

static tacit_status check_set(engine_case *c, int32_t set)
{
    const tacit_engine_promise *p = c->promise;
    int64_t classes = 0, smallest = 0;
    tacit_status status = smallest_class(&classes, &smallest, c, set, p->person);
    if (status != TACIT_OK)
        return status;
    if (set == 0 || smallest < c->verdict->smallest)
        c->verdict->smallest = smallest;
    if (set == 0)
        c->verdict->classes = classes;
    if (classes > 0 && smallest < p->k)
        tacit__engine_problem(
            c, "a combination of released values has %lld %s, fewer than k = %lld",
            (long long)smallest, p->person.len ? "people" : "rows", (long long)p->k);
    for (size_t i = 0; i < p->gone_count && !p->person.len && !p->rows_are_people; i++) {
        status = smallest_class(&classes, &smallest, c, set, p->gone[i]);
        if (status != TACIT_OK)
            return status;
        if (classes > 0 && smallest < p->k)
            tacit__engine_problem(
                c,
                "a combination of released values has %lld different values of %s, "
                "fewer than k = %lld: say with person whose the rows are",
                (long long)smallest, tacit__show(p->gone[i]).text, (long long)p->k);
    }
    return TACIT_OK;
}

static tacit_status check_classes(engine_case *c)
{
    int32_t sets = tacit__engine_sets(c->promise);
    tacit_status status = TACIT_OK;
    for (int32_t set = 0; set < sets && status == TACIT_OK; set++)
        status = check_set(c, set);
    return status;
}

/* ---- the same ---- */

/* What a table says whatever the order of its rows: their number, and a sum of their hashes. */
typedef struct table_sum {
    char text[2][64];
} table_sum;

static tacit_status take_sum(void *context, const tacit_strview *cells, int32_t count,
                             tacit_error *err)
{
    table_sum *sum = context;
    for (int32_t i = 0; i < count && i < 2; i++) {
        if (cells[i].len >= sizeof sum->text[i])
            return tacit__error(err, TACIT_IO, "the engine's answer is no number");
        if (cells[i].len)
            memcpy(sum->text[i], cells[i].bytes, cells[i].len);
        sum->text[i][cells[i].len] = '\0';
    }
    return TACIT_OK;
}

static tacit_status sum_of(table_sum *out, engine_case *c, tacit_place_name table,
                           const tacit_strview *names, size_t count)
{
    const tacit_dialect *dialect = tacit_engine_dialect(c->engine);
    *out = (table_sum){.text = {{0}}};
    ADD(c, "SELECT COUNT(*), %s", dialect->hash);
    for (size_t i = 0; i < count; i++) {
        ADD(c, i ? ", " : "");
        add_cell(c, "%x", names[i]);
    }
    ADD(c, "%s FROM %p", dialect->hash_end, table);
    tacit_status status = tacit_engine_query(c->engine, &c->sql, take_sum, out, c->run, c->err);
    if (status == TACIT_OK && !out->text[0][0])
        status = tacit__error(c->err, TACIT_IO, "the engine gave no answer");
    bool has_rows = strcmp(out->text[0], "0") != 0;
    if (status == TACIT_OK && has_rows && !out->text[1][0])
        status = tacit__error(c->err, TACIT_IO, "the engine gave no sum of the rows");
    return status;
}

/* Whether two tables have the same rows in these columns. */
static tacit_status compare_tables(bool *same, engine_case *c, tacit_place_name left,
                                   tacit_place_name right, const tacit_strview *names, size_t count)
{
    table_sum a, b;
    tacit_status status = sum_of(&a, c, left, names, count);
    if (status == TACIT_OK)
        status = sum_of(&b, c, right, names, count);
    if (status == TACIT_OK)
        *same = strcmp(a.text[0], b.text[0]) == 0 && strcmp(a.text[1], b.text[1]) == 0;
    return status;
}

static tacit_status check_same(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    size_t count = (size_t)p->attribute_count + p->kept_count + p->changed_count, at = 0;
    tacit_strview *names = tacit__alloc_array(count + 1, sizeof *names);
    bool same = false;
    if (!names)
        return tacit__nomem(c->err);
    for (int32_t i = 0; i < p->attribute_count; i++)
        names[at++] = p->attributes[i].name;
    for (size_t i = 0; i < p->kept_count; i++)
        names[at++] = p->kept[i];
    for (size_t i = 0; i < p->changed_count; i++)
        names[at++] = p->changed[i];
    tacit_status status = compare_tables(&same, c, p->staged, p->release, names, count);
    if (status == TACIT_OK && !same)
        tacit__engine_problem(c, "the release does not say what was made and judged");
    tacit__free(names);
    return status;
}

/* What was worked on is the data as it still is, where that is a copy. */
static tacit_status check_source(engine_case *c)
{
    const tacit_engine_promise *p = c->promise;
    tacit_engine_columns columns = {0};
    bool same = false;
    if (tacit_strview_equal(p->source.name, p->original.name) &&
        tacit_strview_equal(p->source.schema, p->original.schema))
        return TACIT_OK;
    tacit_status status = tacit_engine_columns_of(&columns, c->engine, p->source, c->run, c->err);
    tacit_strview *names = tacit__alloc_array((size_t)columns.count + 1, sizeof *names);
    if (status == TACIT_OK && !names)
        status = tacit__nomem(c->err);
    for (int32_t i = 0; i < columns.count && status == TACIT_OK; i++)
        names[i] = columns.list[i].name;
    if (status == TACIT_OK)
        status = compare_tables(&same, c, p->source, p->original, names, (size_t)columns.count);
    if (status == TACIT_OK && !same)
        tacit__engine_problem(c, "the data changed while the release was made: run it again");
    tacit__free(names);
    tacit_engine_columns_clear(&columns);
    return status;
}

/* ---- all of it ---- */

typedef tacit_status (*engine_check)(engine_case *c);

static tacit_status run_checks(engine_case *c, const engine_check *checks, size_t count)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = checks[i](c);
    tacit_sql_clear(&c->sql);
    return status;
}

tacit_status tacit__engine_check_rows(engine_case *c)
{
    static const engine_check CHECKS[] = {check_rows,       check_columns, check_kept,
                                          check_pseudonyms, check_values,  check_same,
                                          check_source};
    return run_checks(c, CHECKS, sizeof CHECKS / sizeof *CHECKS);
}

tacit_status tacit__engine_check_all(engine_case *c)
{
    static const engine_check CHECKS[] = {check_gone, check_classes};
    return run_checks(c, CHECKS, sizeof CHECKS / sizeof *CHECKS);
}

tacit_status tacit_audit_engine(tacit_engine_verdict *out, tacit_engine *engine,
                                const tacit_engine_promise *promise, const tacit_run *run,
                                tacit_error *err)
{
    engine_case c = {.engine = engine, .promise = promise, .verdict = out, .run = run, .err = err};
    *out = (tacit_engine_verdict){.holds = true};
    tacit_status status = tacit__engine_check_rows(&c);
    if (status == TACIT_OK)
        status = tacit__engine_check_all(&c);
    out->holds = out->holds && status == TACIT_OK;
    return status;
}
