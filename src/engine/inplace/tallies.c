/*
 * tallies.c - classes in place: combinations are counted in the engine and stay there.
 *
 *   level A       value, l0, l1, ...: the number of each value of an attribute on each level
 *   combination   a number for each attribute and level, and n: the rows of each combination
 *
 * The data are counted once. A node of the lattice is then one GROUP BY over the combinations, of
 * which a few numbers come back: classes, those below k, and rows in them (tacit_elsewhere). The
 * search is the method's own, so levels, suppression and proof are those of a file. What leaves are
 * the values of each attribute by themselves with their numbers of rows, these numbers of nodes,
 * and, where a class has to be suppressed along, which one of k rows or more that is.
 *
 * Costs a statement or two for each node that is looked at, each as long as there are combinations.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/inplace/inplace.h"
#include "engine/job/csv.h"

#define ADD(in, sql, ...) tacit_sql_add(sql, (in)->engine, __VA_ARGS__)

static const tacit_dialect *dialect_of(const engine_inplace *in)
{
    return tacit_engine_dialect(in->engine);
}

static int32_t width_of(const engine_inplace *in)
{
    return in->release.promise.promise.attribute_count;
}

static tacit_place_name combinations_of(const engine_inplace *in)
{
    return tacit_engine_own(in->engine, "tacit combination");
}

static tacit_status ask(const engine_inplace *in, tacit_sql *sql, tacit_engine_row_fn row,
                        void *context, tacit_error *err)
{
    return tacit_engine_query(in->engine, sql, row, context, &in->session->run, err);
}

/* ---- whether ---- */

static const char *why_not(const engine_inplace *in)
{
    if (!(in->release.method->features & TACIT_METHOD_ELSEWHERE))
        return "the method mingen or datafly";
    if (in->release.policy->person)
        return "rows that are people each (no person column)";
    if (in->release.promise.promise.sets && in->release.promise.promise.set_count > 1)
        return "one set of quasi-identifiers (no key quasi-identifiers with several)";
    if (width_of(in) > ENGINE_TALLIED)
        return "at most 64 quasi-identifying columns";
    if (!dialect_of(in)->windows)
        return "an engine with window functions";
    return in->shards.count ? "a table in one piece" : NULL;
}

/* How many combinations there are: at most as many as rows. */
static tacit_status count_combined(int64_t *out, const engine_inplace *in)
{
    tacit_sql sql = {0};
    tacit_error *err = &in->session->error;
    ADD(in, &sql, "SELECT COUNT(*) FROM %p", in->sites[0].data);
    tacit_status status = tacit_engine_number(out, in->engine, &sql, &in->session->run, err);
    if (status == TACIT_OK && *out > ENGINE_FETCHED_UP_TO) {
        ADD(in, &sql, "SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM %p GROUP BY ",
            in->sites[0].data);
        for (int32_t i = 0; i < width_of(in); i++)
            ADD(in, &sql, i ? ", NULLIF(%x, '')" : "NULLIF(%x, '')", engine_quasi_name(in, i));
        ADD(in, &sql, ") x");
        status = tacit_engine_number(out, in->engine, &sql, &in->session->run, err);
    }
    tacit_sql_clear(&sql);
    return status;
}

tacit_status engine_tallies_choose(engine_inplace *in)
{
    static const char *const WAYS[] = {"auto", "fetched", "place"};
    enum { FETCHED = 1, PLACE };
    tacit_error *err = &in->session->error;
    const char *not = why_not(in);
    int way = -1;
    int64_t combined = 0;
    tacit_status status = engine_choice(&way, in->session->settings, "classes", WAYS, 3, err);
    if (status == TACIT_OK && way == PLACE && not )
        return tacit__error(err, TACIT_INVALID,
                            "--classes place takes %s; leave it out, and combinations are fetched",
                            not );
    if (status != TACIT_OK || way == FETCHED || not )
        return status;
    if (way != PLACE)
        status = count_combined(&combined, in);
    in->stays = way == PLACE || combined > ENGINE_FETCHED_UP_TO;
    return status;
}

/* ---- values ---- */

typedef struct counted_value {
    tacit_strview value; /* bytes NULL: missing */
    int64_t rows;
} counted_value;

typedef struct value_counts {
    tacit__arena arena;
    counted_value *list; /* missing last */
    size_t count, capacity;
    bool missing;
} value_counts;

static tacit_status take_counted(void *context, const tacit_strview *cells, int32_t count,
                                 tacit_error *err)
{
    value_counts *values = context;
    counted_value value = {.rows = count == 2 ? engine_cell_number(cells[1]) : -1};
    if (value.rows < 0 || value.rows > TACIT_MAX_ROWS)
        return tacit__error(err, TACIT_LIMIT, "at most %lld rows can be counted",
                            (long long)TACIT_MAX_ROWS);
    if (cells[0].bytes && !(value.value = tacit__arena_copy(&values->arena, cells[0])).bytes)
        return tacit__nomem(err);
    values->missing |= !cells[0].bytes;
    return TACIT__PUSH(values->list, values->capacity, values->count, value) ? TACIT_OK
                                                                             : tacit__nomem(err);
}

static int by_value(const void *left, const void *right)
{
    const counted_value *a = left, *b = right;
    if (!a->value.bytes || !b->value.bytes)
        return (a->value.bytes == NULL) - (b->value.bytes == NULL);
    size_t common = a->value.len < b->value.len ? a->value.len : b->value.len;
    int order = memcmp(a->value.bytes, b->value.bytes, common);
    return order ? order : (a->value.len > b->value.len) - (a->value.len < b->value.len);
}

static tacit_status count_values(value_counts *values, engine_inplace *in, int32_t i)
{
    tacit_sql sql = {0};
    tacit_error *err = &in->session->error;
    ADD(in, &sql, "SELECT NULLIF(%x, ''), COUNT(*) FROM %p GROUP BY NULLIF(%x, '')",
        engine_quasi_name(in, i), in->sites[0].data, engine_quasi_name(in, i));
    tacit_status status = ask(in, &sql, take_counted, values, err);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK && values->count == 0)
        return tacit__error(err, TACIT_INVALID, "the table has no rows");
    if (status != TACIT_OK)
        return status;
    qsort(values->list, values->count, sizeof *values->list, by_value);
    size_t distinct = values->count - values->missing;
    uint32_t *ground = tacit__alloc_zeroed(distinct + 1, sizeof *ground);
    if (!ground)
        return tacit__nomem(err);
    in->tallies.ground[i] = ground;
    int64_t rows = 0;
    for (size_t v = 0; v < values->count; v++) {
        ground[v] = (uint32_t)values->list[v].rows;
        rows += values->list[v].rows;
    }
    in->rows = rows;
    return TACIT_OK;
}

/* A table of the values of each attribute by itself: as many rows as the longest has. A shorter one
 * says its last value again, or that it is missing. */
static tacit_status write_values(engine_inplace *in, const value_counts *values)
{
    size_t rows = 0;
    for (int32_t i = 0; i < width_of(in); i++) {
        engine_inplace_cell(&in->text, engine_quasi_name(in, i), i == 0);
        rows = values[i].count > rows ? values[i].count : rows;
    }
    tacit__strbuf_add(&in->text, "\n", 1);
    for (size_t r = 0; r < rows; r++) {
        for (int32_t i = 0; i < width_of(in); i++) {
            size_t at = r < values[i].count ? r : values[i].count - 1;
            engine_inplace_cell(&in->text, values[i].list[at].value, i == 0);
        }
        tacit__strbuf_add(&in->text, "\n", 1);
    }
    return engine_inplace_text(&in->release.table, &in->text, false, in);
}

tacit_status engine_tallies_read(engine_inplace *in)
{
    value_counts *values = tacit__alloc_zeroed((size_t)width_of(in), sizeof *values);
    tacit_status status = values ? TACIT_OK : tacit__nomem(&in->session->error);
    for (int32_t i = 0; i < width_of(in) && status == TACIT_OK; i++)
        status = count_values(&values[i], in, i);
    if (status == TACIT_OK)
        status = write_values(in, values);
    for (int32_t i = 0; values && i < width_of(in); i++) {
        tacit__free(values[i].list);
        tacit__arena_clear(&values[i].arena);
    }
    tacit__free(values);
    return status;
}

/* ---- combinations ---- */

static const tacit_hierarchy *ladder_of(const engine_inplace *in, int32_t i)
{
    return in->release.attributes[i].hierarchy;
}

static tacit_status fill_levels(engine_loading *l, int attribute)
{
    const engine_inplace *in = l->site->in;
    const tacit_hierarchy *ladder = ladder_of(in, attribute);
    int32_t column = in->release.attributes[attribute].column;
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0;
         code < tacit_table_distinct(in->release.table, column) && status == TACIT_OK; code++) {
        l->cells[0] = tacit_table_value(in->release.table, column, code);
        for (int level = 0; level <= tacit_hierarchy_height(ladder); level++)
            engine_loading_number(l, 1 + level, tacit_hierarchy_map(ladder, level)[code]);
        status = engine_loading_row(l, tacit_hierarchy_height(ladder) + 2);
    }
    return status;
}

static tacit_status load_levels(const engine_inplace *in)
{
    const tacit_dialect *words = dialect_of(in);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < width_of(in) && status == TACIT_OK; i++) {
        tacit_sql columns = {0};
        char name[32];
        snprintf(name, sizeof name, "tacit level %d", (int)i);
        ADD(in, &columns, "value %s%s", words->text_type, words->unique);
        for (int level = 0; level <= tacit_hierarchy_height(ladder_of(in, i)); level++)
            ADD(in, &columns, ", l%d %s%s", (int64_t)level, words->number_type, words->present);
        status = engine_site_load(&in->sites[0], name, &columns, "value", fill_levels, i,
                                  tacit_hierarchy_height(ladder_of(in, i)) + 2);
    }
    return status;
}

/* The numbers of attribute i on its levels; a missing value has its own. */
static void add_numbers(const engine_inplace *in, tacit_sql *sql, int32_t i)
{
    const tacit_hierarchy *ladder = ladder_of(in, i);
    uint32_t missing = tacit_table_distinct(in->release.table, in->release.attributes[i].column);
    for (int level = 0; level <= tacit_hierarchy_height(ladder); level++)
        ADD(in, sql, ", COALESCE(j.l%d, %d) AS c%d_%d", (int64_t)level,
            (int64_t)tacit_hierarchy_map(ladder, level)[missing], (int64_t)i, (int64_t)level);
}

static tacit_status make_combinations(engine_inplace *in)
{
    const tacit_dialect *words = dialect_of(in);
    tacit_place_name table = combinations_of(in);
    tacit_sql sql = {0};
    ADD(in, &sql, "%s %p%s AS SELECT t.n AS n", words->create_own, table, words->storage);
    for (int32_t i = 0; i < width_of(in); i++)
        for (int level = 0; level <= tacit_hierarchy_height(ladder_of(in, i)); level++)
            ADD(in, &sql, ", t.c%d_%d AS c%d_%d", (int64_t)i, (int64_t)level, (int64_t)i,
                (int64_t)level);
    ADD(in, &sql, " FROM ");
    for (int32_t i = width_of(in) - 1; i >= 0; i--) {
        ADD(in, &sql, "(SELECT t.*");
        add_numbers(in, &sql, i);
        ADD(in, &sql, " FROM ");
    }
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, i ? ", NULLIF(%x, '') AS a%d" : "(SELECT NULLIF(%x, '') AS a%d",
            engine_quasi_name(in, i), (int64_t)i);
    ADD(in, &sql, ", COUNT(*) AS n FROM %p GROUP BY ", in->sites[0].data);
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, i ? ", NULLIF(%x, '')" : "NULLIF(%x, '')", engine_quasi_name(in, i));
    ADD(in, &sql, ") t");
    for (int32_t i = 0; i < width_of(in); i++) {
        char name[32];
        snprintf(name, sizeof name, "tacit level %d", (int)i);
        ADD(in, &sql, " LEFT JOIN %p j ON j.value = t.a%d) t", tacit_engine_own(in->engine, name),
            (int64_t)i);
    }
    tacit_status status = ask(in, &sql, NULL, NULL, &in->session->error);
    if (status == TACIT_OK && words->analyze) {
        ADD(in, &sql, words->analyze, table);
        status = ask(in, &sql, NULL, NULL, &in->session->error);
    }
    ADD(in, &sql, "SELECT COUNT(*) FROM %p", table);
    if (status == TACIT_OK)
        status = tacit_engine_number(&in->combinations, in->engine, &sql, &in->session->run,
                                     &in->session->error);
    tacit_sql_clear(&sql);
    return status;
}

/* ---- nodes ---- */

/* SELECT the classes of a node: b0, b1, ... and n. */
static void add_classes(const engine_inplace *in, tacit_sql *sql, const int *levels)
{
    ADD(in, sql, "SELECT SUM(t.n) AS n");
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, sql, ", t.c%d_%d AS b%d", (int64_t)i, (int64_t)levels[i], (int64_t)i);
    ADD(in, sql, " FROM %p t GROUP BY ", combinations_of(in));
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, sql, i ? ", t.c%d_%d" : "t.c%d_%d", (int64_t)i, (int64_t)levels[i]);
}

static double real_of(tacit_strview cell)
{
    char text[48] = "";
    memcpy(text, cell.bytes ? cell.bytes : "", cell.len < sizeof text ? cell.len : 0);
    return strtod(text, NULL);
}

static tacit_status take_tally(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    if (count != 6)
        return tacit__error(err, TACIT_IO, "the engine's answer is no tally");
    *(tacit_tally *)context = (tacit_tally){.classes = engine_cell_number(cells[0]),
                                            .below = engine_cell_number(cells[1]),
                                            .below_rows = engine_cell_number(cells[2]),
                                            .widest = engine_cell_number(cells[3]),
                                            .squares = real_of(cells[4]),
                                            .below_squares = real_of(cells[5])};
    return TACIT_OK;
}

static tacit_status tally(void *context, tacit_tally *out, const int *levels, int64_t k,
                          tacit_error *err)
{
    const engine_inplace *in = context;
    tacit_sql sql = {0};
    out->classes = -1;
    ADD(in, &sql,
        "SELECT COUNT(*), SUM(CASE WHEN g.n < %d THEN 1 ELSE 0 END), SUM(CASE WHEN g.n < %d THEN "
        "g.n ELSE 0 END), MAX(CASE WHEN g.n < %d THEN g.n ELSE 0 END), SUM(g.n * g.n), SUM(CASE "
        "WHEN g.n < %d THEN g.n * g.n ELSE 0 END) FROM (",
        k, k, k, k);
    add_classes(in, &sql, levels);
    ADD(in, &sql, ") g");
    tacit_status status = ask(in, &sql, take_tally, out, err);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK && (out->classes < 1 || out->below < 0 || out->below_rows < out->below))
        status = tacit__error(err, TACIT_IO, "the engine's answer is no tally");
    return status;
}

typedef struct below_taker {
    tacit_below_fn take;
    void *payload;
    int32_t width;
} below_taker;

static tacit_status take_below(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    const below_taker *to = context;
    int64_t attribute = count == 3 ? engine_cell_number(cells[0]) : -1;
    if (attribute < 0 || attribute >= to->width)
        return tacit__error(err, TACIT_IO, "the engine's answer is no tally");
    to->take(to->payload, (int32_t)attribute, (uint32_t)engine_cell_number(cells[1]),
             engine_cell_number(cells[2]));
    return TACIT_OK;
}

static tacit_status below(void *context, const int *levels, int64_t k, tacit_below_fn take,
                          void *payload, tacit_error *err)
{
    const engine_inplace *in = context;
    below_taker to = {take, payload, width_of(in)};
    tacit_sql sql = {0};
    ADD(in, &sql, "WITH g AS (");
    add_classes(in, &sql, levels);
    ADD(in, &sql, " HAVING SUM(t.n) < %d) ", k);
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, "%sSELECT %d AS a, g.b%d AS b, SUM(g.n) AS n FROM g GROUP BY g.b%d",
            i ? " UNION ALL " : "", (int64_t)i, (int64_t)i, (int64_t)i);
    ADD(in, &sql, " ORDER BY 1, 2");
    tacit_status status = ask(in, &sql, take_below, &to, err);
    tacit_sql_clear(&sql);
    return status;
}

typedef struct next_class {
    int64_t *rows;
    uint32_t *numbers;
} next_class;

static tacit_status take_next(void *context, const tacit_strview *cells, int32_t count,
                              tacit_error *err)
{
    const next_class *to = context;
    (void)err;
    *to->rows = engine_cell_number(cells[0]);
    for (int32_t i = 1; i < count; i++)
        to->numbers[i - 1] = (uint32_t)engine_cell_number(cells[i]);
    return TACIT_OK;
}

static tacit_status next(void *context, int64_t *rows, uint32_t *numbers, const int *levels,
                         int64_t k, bool largest, tacit_error *err)
{
    const engine_inplace *in = context;
    next_class to = {rows, numbers};
    tacit_sql sql = {0};
    *rows = 0;
    ADD(in, &sql, "SELECT g.n");
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, ", g.b%d", (int64_t)i);
    ADD(in, &sql, " FROM (");
    add_classes(in, &sql, levels);
    ADD(in, &sql, ") g WHERE g.n >= %d ORDER BY g.n%s", k, largest ? " DESC" : "");
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, ", g.b%d", (int64_t)i);
    ADD(in, &sql, " LIMIT 1");
    tacit_status status = ask(in, &sql, take_next, &to, err);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK && *rows < k)
        status = tacit__error(err, TACIT_IO, "the engine gave no answer");
    return status;
}

tacit_status engine_tallies_count(engine_inplace *in)
{
    tacit_status status = load_levels(in);
    in->tallies.there = (tacit_elsewhere){.context = in,
                                          .ground = (const uint32_t *const *)in->tallies.ground,
                                          .tally = tally,
                                          .below = below,
                                          .next = next};
    in->release.frame.elsewhere = &in->tallies.there;
    return status == TACIT_OK ? make_combinations(in) : status;
}

/* ---- what is suppressed ---- */

/* The class that is suppressed along, all of it or some of its rows. */
static tacit_status add_complement(engine_inplace *in, tacit_place_name table)
{
    const tacit_solution *solution = in->release.solution;
    tacit_error *err = &in->session->error;
    uint32_t numbers[ENGINE_TALLIED];
    int64_t rows = 0;
    size_t capacity = 0;
    tacit_sql sql = {0};
    if (solution->complementary == 0)
        return TACIT_OK;
    tacit_status status = next(in, &rows, numbers, solution->levels, in->release.wanted.k,
                               in->release.wanted.complement_largest, err);
    bool part = solution->complementary < rows;
    const engine_part what = {.class = 0, .outcome = 0, .rows = solution->complementary};
    if (status == TACIT_OK && part && !TACIT__PUSH(in->parts, capacity, in->part_count, what))
        status = tacit__nomem(err);
    ADD(in, &sql, "INSERT INTO %p SELECT 0, %s", table, part ? "NULL" : "0");
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, ", %d", (int64_t)numbers[i]);
    if (status == TACIT_OK)
        status = ask(in, &sql, NULL, NULL, err);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status engine_tallies_classes(engine_inplace *in)
{
    const tacit_dialect *words = dialect_of(in);
    tacit_place_name table = tacit_engine_own(in->engine, "tacit class");
    tacit_error *err = &in->session->error;
    tacit_sql sql = {0};
    if (in->release.solution->suppressed_rows == 0)
        return TACIT_OK;
    ADD(in, &sql, "%s %p%s AS SELECT ROW_NUMBER() OVER () AS class, 0 AS id", words->create_own,
        table, words->storage);
    for (int32_t i = 0; i < width_of(in); i++)
        ADD(in, &sql, ", g.b%d AS c%d", (int64_t)i, (int64_t)i);
    ADD(in, &sql, " FROM (");
    add_classes(in, &sql, in->release.solution->levels);
    ADD(in, &sql, " HAVING SUM(t.n) < %d) g", in->release.wanted.k);
    tacit_status status = ask(in, &sql, NULL, NULL, err);
    if (status == TACIT_OK)
        status = add_complement(in, table);
    if (status == TACIT_OK && words->analyze) {
        ADD(in, &sql, words->analyze, table);
        status = ask(in, &sql, NULL, NULL, err);
    }
    tacit_sql_clear(&sql);
    return status;
}

/* ---- what it is worth ---- */

tacit_status engine_tallies_measure(engine_inplace *in)
{
    const tacit_solution *solution = in->release.solution;
    tacit_metrics *metrics = &in->release.metrics;
    double lost = 0, rows = (double)in->rows, gone = (double)solution->suppressed_rows;
    for (int32_t i = 0; i < width_of(in); i++) {
        int height = tacit_hierarchy_height(ladder_of(in, i));
        double share = height ? (double)solution->levels[i] / height : 0;
        lost += (rows - gone) * share + (height ? gone : 0);
    }
    metrics->rows = in->rows;
    metrics->suppressed_rows = solution->suppressed_rows;
    metrics->complementary_rows = solution->complementary;
    metrics->precision = 1 - lost / (rows * width_of(in));
    return TACIT_OK;
}

void engine_tallies_clear(engine_inplace *in)
{
    for (int32_t i = 0; i < ENGINE_TALLIED; i++)
        tacit__free(in->tallies.ground[i]);
}
