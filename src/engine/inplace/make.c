/*
 * make.c - the release of a solution, made by a few statements.
 *
 *   code A       value, code, label: what each value of an attribute is on the solution's level
 *   name J       value, pseudonym
 *   class        the codes of a class, and what its rows are released as: an outcome, or several
 *   part         of a class with several outcomes: which of its rows, counted at random, have which
 *   drawn        the key of each such row, and its outcome
 *   outcome      a label for each attribute, or none where the value stays as it is
 *   staged       the released columns of each row, and its key, for the judge
 *
 * The last is copied without the key, in random order. Where levels are the same for all rows, only
 * suppressed classes have an outcome; where cells have levels of their own, each class has. Codes
 * are whole numbers, so that engines can join by hashing them; missing is a code, too, so no join
 * loses it.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/inplace/inplace.h"

#define ADD(s, sql, ...) tacit_sql_add(sql, (s)->engine, __VA_ARGS__)

/* A table of the run: "tacit code 3". */
typedef struct own_name {
    char text[32];
} own_name;

static own_name numbered(const char *what, int number)
{
    own_name name;
    snprintf(name.text, sizeof name.text, "tacit %s %d", what, number);
    return name;
}

static tacit_place_name own(const engine_site *s, const char *name)
{
    return tacit_engine_own(s->engine, name);
}

static tacit_status run_sql(const engine_site *s, tacit_sql *sql)
{
    return tacit_engine_query(s->engine, sql, NULL, NULL, s->run, s->err);
}

static const tacit_dialect *words(const engine_site *s)
{
    return tacit_engine_dialect(s->engine);
}

static tacit_status analyze(const engine_site *s, tacit_sql *sql, tacit_place_name table)
{
    if (!words(s)->analyze)
        return TACIT_OK;
    ADD(s, sql, words(s)->analyze, table);
    return run_sql(s, sql);
}

static int32_t attributes_of(const engine_inplace *in)
{
    return in->release.frame.attribute_count;
}

static const tacit_attribute *attribute_of(const engine_inplace *in, int32_t i)
{
    return &in->release.attributes[i];
}

static tacit_strview name_of(const engine_inplace *in, int32_t i)
{
    return tacit_strview_of(in->release.promise.attributes[i].name);
}

int engine_quasi_level(const engine_inplace *in, int32_t i)
{
    const tacit_solution *solution = in->release.solution;
    return solution->boxes ? tacit_classes_levels(solution->classes)[i] : solution->levels[i];
}

static uint32_t missing_code(const engine_inplace *in, int32_t i)
{
    const tacit_attribute *a = attribute_of(in, i);
    uint32_t missing = tacit_table_distinct(in->release.table, a->column);
    return tacit_hierarchy_map(a->hierarchy, engine_quasi_level(in, i))[missing];
}

/* Whether the codes of an attribute are joined. */
static bool is_joined(const engine_inplace *in, int32_t i)
{
    return in->needs_codes || engine_quasi_level(in, i) > 0;
}

/* ---- rows into tables of the run ---- */

void engine_loading_number(engine_loading *l, int32_t at, int64_t number)
{
    int len = snprintf(l->digits[at], sizeof *l->digits, "%lld", (long long)number);
    l->cells[at] = (tacit_strview){l->digits[at], (size_t)len};
}

static tacit_status loading_init(engine_loading *l, const engine_site *s, int32_t cells)
{
    *l = (engine_loading){.site = s};
    l->cells = tacit__alloc_zeroed((size_t)cells, sizeof *l->cells);
    l->digits = tacit__alloc_zeroed((size_t)cells, sizeof *l->digits);
    return l->cells && l->digits ? TACIT_OK : tacit__nomem(s->err);
}

static void loading_clear(engine_loading *l)
{
    tacit__free(l->cells);
    tacit__free(l->digits);
}

tacit_status engine_loading_row(engine_loading *l, int32_t count)
{
    return tacit_engine_load_row(l->site->engine, l->cells, count, l->site->err);
}

/* A key that stood twice would multiply rows; where the engine has no keys, they are counted. */
static tacit_status check_keys(const engine_site *s, tacit_place_name table, const char *key)
{
    tacit_sql sql = {0};
    int64_t twice = 0;
    if (*words(s)->unique)
        return TACIT_OK;
    ADD(s, &sql, "SELECT COUNT(*) - COUNT(DISTINCT %s) FROM %p", key, table);
    tacit_status status = tacit_engine_number(&twice, s->engine, &sql, s->run, s->err);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK && twice)
        status = tacit__error(s->err, TACIT_IO, "a table of the run has a key twice: %s",
                              tacit__show(table.name).text);
    return status;
}

tacit_status engine_site_load(const engine_site *s, const char *name, tacit_sql *columns,
                              const char *key, tacit_status (*fill)(engine_loading *l, int which),
                              int which, int32_t cells)
{
    engine_loading l = {0};
    tacit_sql sql = {0};
    tacit_place_name table = own(s, name);
    const tacit_run *run = s->run;
    tacit_error *err = s->err;
    sql.failed = columns->failed || !columns->text;
    if (!sql.failed)
        ADD(s, &sql, "%s %p (%s)%s", words(s)->create_own, table, columns->text, words(s)->storage);
    tacit_status status = loading_init(&l, s, cells);
    if (status == TACIT_OK)
        status = run_sql(s, &sql);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(s->engine, table, run, err);
    if (status == TACIT_OK) {
        status = fill(&l, which);
        tacit_status end = tacit_engine_load_end(s->engine, run, err);
        status = status == TACIT_OK ? end : status;
    }
    if (status == TACIT_OK && key)
        status = check_keys(s, table, key);
    if (status == TACIT_OK)
        status = analyze(s, &sql, table);
    loading_clear(&l);
    tacit_sql_clear(&sql);
    tacit_sql_clear(columns);
    return status;
}

/* ---- codes ---- */

static tacit_status fill_codes(engine_loading *l, int attribute)
{
    const engine_inplace *in = l->site->in;
    const tacit_attribute *a = attribute_of(in, attribute);
    int level = engine_quasi_level(in, attribute);
    uint32_t count = tacit_table_distinct(in->release.table, a->column);
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0; code < count && status == TACIT_OK; code++) {
        uint32_t number = tacit_hierarchy_map(a->hierarchy, level)[code];
        l->cells[0] = tacit_table_value(in->release.table, a->column, code);
        engine_loading_number(l, 1, number);
        l->cells[2] = tacit_hierarchy_label(a->hierarchy, level, number);
        status = engine_loading_row(l, 3);
    }
    return status;
}

static tacit_status make_codes(const engine_site *s)
{
    const engine_inplace *in = s->in;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < attributes_of(in) && status == TACIT_OK; i++) {
        tacit_sql columns = {0};
        if (!is_joined(in, i))
            continue;
        ADD(s, &columns, "value %s%s, code %s%s, label %s%s", words(s)->text_type, words(s)->unique,
            words(s)->number_type, words(s)->present, words(s)->text_type, words(s)->present);
        status = engine_site_load(s, numbered("code", i).text, &columns, "value", fill_codes, i, 3);
    }
    return status;
}

/* ---- pseudonyms ---- */

typedef struct value_list {
    tacit__arena arena;
    tacit_strview *values;
    size_t count, capacity;
} value_list;

static tacit_status take_value(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    value_list *list = context;
    (void)count;
    tacit_strview copy = tacit__arena_copy(&list->arena, cells[0]);
    return copy.bytes && TACIT__PUSH(list->values, list->capacity, list->count, copy)
               ? TACIT_OK
               : tacit__nomem(err);
}

/* The values of an identifier are asked for before their pseudonyms are loaded. */
static tacit_status load_names(const engine_site *s, int number, const value_list *list)
{
    const engine_inplace *in = s->in;
    engine_loading l = {0};
    tacit_error *err = s->err;
    tacit_place_name table = own(s, numbered("name", number).text);
    char pseudonym[TACIT_PSEUDONYM_LENGTH];
    tacit_status status = loading_init(&l, s, 2);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(s->engine, table, s->run, err);
    if (status == TACIT_OK) {
        for (size_t i = 0; i < list->count && status == TACIT_OK; i++) {
            l.cells[0] = list->values[i];
            l.cells[1] = (tacit_strview){pseudonym,
                                         tacit_pseudonym(list->values[i], pseudonym,
                                                         sizeof pseudonym, in->release.pseudonyms)};
            status = engine_loading_row(&l, 2);
        }
        tacit_status end = tacit_engine_load_end(s->engine, s->run, err);
        status = status == TACIT_OK ? end : status;
    }
    loading_clear(&l);
    return status;
}

static tacit_status make_names(const engine_site *s)
{
    const engine_inplace *in = s->in;
    tacit_status status = TACIT_OK;
    for (size_t j = 0; j < in->changed_count && status == TACIT_OK; j++) {
        value_list list = {0};
        tacit_sql sql = {0};
        own_name name = numbered("name", (int)j);
        ADD(s, &sql, "%s %p (value %s%s, pseudonym %s%s)%s", words(s)->create_own,
            own(s, name.text), words(s)->text_type, words(s)->unique, words(s)->text_type,
            words(s)->present, words(s)->storage);
        status = run_sql(s, &sql);
        ADD(s, &sql, "SELECT DISTINCT %x FROM %p WHERE %x <> ''", in->changed[j], s->data,
            in->changed[j]);
        if (status == TACIT_OK)
            status = tacit_engine_query(s->engine, &sql, take_value, &list, s->run, s->err);
        if (status == TACIT_OK)
            status = load_names(s, (int)j, &list);
        if (status == TACIT_OK)
            status = check_keys(s, own(s, name.text), "value");
        tacit__free(list.values);
        tacit__arena_clear(&list.arena);
        tacit_sql_clear(&sql);
    }
    return status;
}

/* ---- outcomes ---- */

static const tacit_boxes *boxes_of(const engine_inplace *in)
{
    return in->release.solution->boxes;
}

/* The label of a box's attribute; bytes NULL: the value stays as it is. */
static tacit_strview box_label(const engine_inplace *in, int64_t box, int32_t attribute)
{
    const tacit_boxes *boxes = boxes_of(in);
    const tacit_hierarchy *hierarchy = attribute_of(in, attribute)->hierarchy;
    int64_t at = box * attributes_of(in) + attribute;
    int level = boxes->levels[at];
    uint32_t number = boxes->numbers[at];
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level))
        return (tacit_strview){NULL, 0};
    return tacit_hierarchy_label(hierarchy, level, number);
}

static tacit_status fill_outcomes(engine_loading *l, int which)
{
    const engine_inplace *in = l->site->in;
    int32_t attributes = attributes_of(in);
    int64_t count = boxes_of(in) ? boxes_of(in)->count : 1;
    tacit_status status = TACIT_OK;
    (void)which;
    for (int64_t o = 0; o < count && status == TACIT_OK; o++) {
        bool gone = true;
        for (int32_t i = 0; i < attributes; i++) {
            tacit_strview label = boxes_of(in) ? box_label(in, o, i) : tacit_hierarchy_suppressed();
            gone = gone && label.bytes && tacit_strview_equal(label, tacit_hierarchy_suppressed());
            l->cells[2 + i] = label;
        }
        engine_loading_number(l, 0, o);
        engine_loading_number(l, 1, gone);
        status = engine_loading_row(l, attributes + 2);
    }
    return status;
}

static tacit_status make_outcomes(const engine_site *s)
{
    const engine_inplace *in = s->in;
    tacit_sql columns = {0};
    ADD(s, &columns, "id %s%s, gone %s%s", words(s)->number_type, words(s)->unique,
        words(s)->number_type, words(s)->present);
    for (int32_t i = 0; i < attributes_of(in); i++)
        ADD(s, &columns, ", l%d %s", (int64_t)i, words(s)->text_type);
    return engine_site_load(s, "tacit outcome", &columns, "id", fill_outcomes, 0,
                            attributes_of(in) + 2);
}

/* ---- classes and their parts ---- */

/* What the rows of a class are released as: the first part with its people, the next one, and the
 * rest. */
typedef struct class_parts {
    const engine_inplace *in;
    int64_t class;
    int64_t part; /* of the boxes: the next one of this class or of one behind it */
} class_parts;

/* How many rows have which outcome; -1: as the levels say. Returns false when all rows are told. */
static bool next_part(int64_t *outcome, int64_t *rows, class_parts *parts, int64_t *left)
{
    const tacit_solution *solution = parts->in->release.solution;
    const tacit_boxes *boxes = solution->boxes;
    if (*left == 0)
        return false;
    *rows = *left;
    if (boxes && parts->part < boxes->part_count &&
        boxes->parts[parts->part].class_index == parts->class) {
        *outcome = boxes->parts[parts->part].box;
        *rows = boxes->parts[parts->part++].people;
    } else if (boxes) {
        *outcome = boxes->box_of[parts->class];
    } else {
        int64_t suppressed = solution->suppressed[parts->class];
        int64_t people = tacit_classes_people(solution->classes, parts->class);
        bool told = *left < tacit_classes_size(solution->classes, parts->class);
        *outcome = suppressed > 0 && !told ? 0 : -1;
        /* of people with several rows, all of a class go where some have to */
        if (*outcome == 0 && suppressed < people && parts->in->release.frame.person < 0)
            *rows = suppressed;
    }
    *rows = *rows < *left ? *rows : *left;
    *left -= *rows;
    return true;
}

/* Puts down the parts of classes that have several. */
static tacit_status list_parts(engine_inplace *in)
{
    const tacit_classes *classes = in->release.solution->classes;
    class_parts parts = {.in = in};
    size_t capacity = 0;
    for (; parts.class < tacit_classes_count(classes); parts.class ++) {
        int64_t left = tacit_classes_size(classes, parts.class);
        engine_part part = {.class = parts.class};
        bool more = next_part(&part.outcome, &part.rows, &parts, &left);
        if (left == 0)
            continue;
        for (; more; more = next_part(&part.outcome, &part.rows, &parts, &left))
            if (!TACIT__PUSH(in->parts, capacity, in->part_count, part))
                return tacit__nomem(&in->session->error);
    }
    return TACIT_OK;
}

/* Each class with its outcome; that of one in parts is told row by row. */
static tacit_status fill_classes(engine_loading *l, int which)
{
    const engine_inplace *in = l->site->in;
    const tacit_classes *classes = in->release.solution->classes;
    int32_t attributes = attributes_of(in);
    class_parts parts = {.in = in};
    tacit_status status = TACIT_OK;
    (void)which;
    for (; parts.class < tacit_classes_count(classes) && status == TACIT_OK; parts.class ++) {
        int64_t left = tacit_classes_size(classes, parts.class), outcome = -1, rows = 0, other;
        bool more = next_part(&outcome, &rows, &parts, &left), split = left > 0;
        while (more)
            more = next_part(&other, &rows, &parts, &left);
        if (outcome < 0 && !split)
            continue;
        engine_loading_number(l, 0, parts.class);
        engine_loading_number(l, 1, outcome);
        if (split)
            l->cells[1] = (tacit_strview){NULL, 0};
        for (int32_t i = 0; i < attributes; i++)
            engine_loading_number(l, 2 + i, tacit_classes_code(classes, parts.class, i));
        status = engine_loading_row(l, attributes + 2);
    }
    return status;
}

/* Which of the rows at the site have which outcome, counted at random within a class and on through
 * the classes. */
static tacit_status fill_parts(engine_loading *l, int which)
{
    const engine_inplace *in = l->site->in;
    int64_t at = 1;
    tacit_status status = TACIT_OK;
    (void)which;
    for (size_t i = 0; i < in->part_count && status == TACIT_OK; i++) {
        int64_t rows = l->site->shares ? l->site->shares[i] : in->parts[i].rows;
        engine_loading_number(l, 0, in->parts[i].class);
        engine_loading_number(l, 1, at);
        engine_loading_number(l, 2, at + rows - 1);
        engine_loading_number(l, 3, in->parts[i].outcome);
        if (rows > 0 && in->parts[i].outcome >= 0)
            status = engine_loading_row(l, 4);
        at += rows;
    }
    return status;
}

static tacit_status make_classes(const engine_site *s)
{
    tacit_sql columns = {0};
    ADD(s, &columns, "class %s%s, id %s", words(s)->number_type, words(s)->unique,
        words(s)->number_type);
    for (int32_t i = 0; i < attributes_of(s->in); i++)
        ADD(s, &columns, ", c%d %s%s", (int64_t)i, words(s)->number_type, words(s)->present);
    return engine_site_load(s, "tacit class", &columns, "class", fill_classes, 0,
                            attributes_of(s->in) + 2);
}

static tacit_status make_parts(const engine_site *s)
{
    tacit_sql columns = {0};
    const char *number = words(s)->number_type;
    ADD(s, &columns, "class %s, low %s, high %s, id %s", number, number, number, number);
    return engine_site_load(s, "tacit part", &columns, NULL, fill_parts, 0, 4);
}

/* ---- statements over the data ---- */

/* A table that is joined to the rows of the data. */
typedef enum joined { CODES, CLASS, DRAWN, OUTCOME, NAMES, JOINED } joined;

static int joins_of(const engine_inplace *in, joined what)
{
    switch (what) {
    case CODES: return attributes_of(in);
    case DRAWN: return in->part_count > 0;
    case NAMES: return (int)in->changed_count;
    default: return in->needs_codes;
    }
}

/* What a join adds to a row. */
static void add_joined_columns(const engine_site *s, tacit_sql *sql, joined what, int which)
{
    static const char *const ADDED[] = {[CODES] =
                                            "j.code AS tacit_code_%d, j.label AS tacit_label_%d",
                                        [CLASS] = "j.class AS tacit_class, j.id AS tacit_id",
                                        [DRAWN] = "j.id AS tacit_drawn",
                                        [OUTCOME] = "j.gone AS tacit_gone",
                                        [NAMES] = "j.pseudonym AS tacit_name_%d"};
    ADD(s, sql, ADDED[what], (int64_t)which, (int64_t)which);
    for (int32_t i = 0; what == OUTCOME && i < attributes_of(s->in); i++)
        ADD(s, sql, ", j.l%d AS tacit_outcome_%d", (int64_t)i, (int64_t)i);
}

static void add_joined_table(const engine_site *s, tacit_sql *sql, joined what, int which)
{
    static const char *const TABLES[] = {[CODES] = "code",
                                         [CLASS] = "tacit class",
                                         [DRAWN] = "tacit drawn",
                                         [OUTCOME] = "tacit outcome",
                                         [NAMES] = "name"};
    bool several = what == CODES || what == NAMES;
    ADD(s, sql, "%p", own(s, several ? numbered(TABLES[what], which).text : TABLES[what]));
}

static void add_joined_condition(const engine_site *s, tacit_sql *sql, joined what, int which)
{
    switch (what) {
    case CODES: ADD(s, sql, "j.value = %t", name_of(s->in, which)); break;
    case NAMES: ADD(s, sql, "j.value = %t", s->in->changed[which]); break;
    case DRAWN: ADD(s, sql, "j.row_key = t.tacit_row"); break;
    case OUTCOME:
        ADD(s, sql, "j.id = %s",
            s->in->part_count ? "COALESCE(t.tacit_id, t.tacit_drawn)" : "t.tacit_id");
        break;
    default:
        for (int32_t i = 0; i < attributes_of(s->in); i++)
            ADD(s, sql, "%sj.c%d = COALESCE(t.tacit_code_%d, %d)", i ? " AND " : "", (int64_t)i,
                (int64_t)i, (int64_t)missing_code(s->in, i));
    }
}

/* FROM the rows of the data, called t, with their keys, and with what tables up to the last one say
 * of them. One join a SELECT: some engines have no more, and the others can tell. */
static void add_from(const engine_site *s, tacit_sql *sql, joined last)
{
    for (int what = (int)last - 1; what >= 0; what--)
        for (int i = joins_of(s->in, what) - 1; i >= 0; i--)
            if (what != CODES || is_joined(s->in, i)) {
                ADD(s, sql, " FROM (SELECT t.*, ");
                add_joined_columns(s, sql, what, i);
            }
    ADD(s, sql, " FROM (SELECT t.%s AS tacit_row, t.* FROM %p t) t", words(s)->row_key, s->data);
    for (int what = 0; what < (int)last; what++)
        for (int i = 0; i < joins_of(s->in, what); i++)
            if (what != CODES || is_joined(s->in, i)) {
                ADD(s, sql, " LEFT JOIN ");
                add_joined_table(s, sql, what, i);
                ADD(s, sql, " j ON ");
                add_joined_condition(s, sql, what, i);
                ADD(s, sql, ") t");
            }
}

/* How many rows of each class in parts are at the site. */
static tacit_status count_parted(engine_site *s)
{
    tacit_sql sql = {0};
    ADD(s, &sql, "SELECT t.tacit_class, COUNT(*)");
    add_from(s, &sql, DRAWN);
    ADD(s, &sql, " WHERE t.tacit_class IS NOT NULL AND t.tacit_id IS NULL GROUP BY t.tacit_class");
    tacit_status status =
        tacit_engine_query(s->engine, &sql, engine_site_take_count, s, s->run, s->err);
    tacit_sql_clear(&sql);
    return status;
}

static tacit_status draw_rows(const engine_site *s)
{
    tacit_sql sql = {0};
    tacit_place_name drawn = own(s, "tacit drawn");
    ADD(s, &sql,
        "%s %p%s AS SELECT x.row_key AS row_key, p.id AS id FROM (SELECT y.row_key AS "
        "row_key, y.class AS class, %s AS n FROM (SELECT t.tacit_row AS row_key, t.tacit_class AS "
        "class, %r AS chance",
        words(s)->create_own, drawn, words(s)->storage, words(s)->draw);
    add_from(s, &sql, DRAWN);
    ADD(s, &sql,
        " WHERE t.tacit_class IS NOT NULL AND t.tacit_id IS NULL ORDER BY class, chance) y) x JOIN "
        "%p p ON p.class = x.class WHERE x.n BETWEEN p.low AND p.high",
        own(s, "tacit part"));
    tacit_status status = run_sql(s, &sql);
    if (status == TACIT_OK)
        status = analyze(s, &sql, drawn);
    tacit_sql_clear(&sql);
    return status;
}

/* Whether some row is released with a label of an outcome in that attribute. */
static bool has_outcome_label(const engine_inplace *in, int32_t attribute)
{
    const tacit_boxes *boxes = boxes_of(in);
    if (!boxes)
        return in->needs_codes && !in->release.policy->drop_suppressed;
    for (int64_t b = 0; b < boxes->count; b++)
        if (box_label(in, b, attribute).bytes)
            return true;
    return false;
}

/* Whether every row is, with that of its value. */
static bool has_level_label(const engine_inplace *in, int32_t attribute)
{
    return !boxes_of(in) && engine_quasi_level(in, attribute) > 0;
}

static bool has_label(const engine_inplace *in, int32_t attribute)
{
    return has_level_label(in, attribute) || has_outcome_label(in, attribute);
}

/* The released value of an attribute: a label of the row's outcome, or of its value, or the value
 * itself, which keeps its type where no row has a label. An empty text is missing, as it was
 * counted: two forms of missing would tell people apart. */
static void add_attribute(const engine_site *s, tacit_sql *sql, int32_t i)
{
    const engine_inplace *in = s->in;
    tacit_strview name = name_of(in, i);
    bool labelled = has_level_label(in, i), outcome = has_outcome_label(in, i);
    uint32_t missing = missing_code(in, i);
    const tacit_hierarchy *hierarchy = attribute_of(in, i)->hierarchy;
    if (!labelled && !outcome) {
        ADD(s, sql, ", CASE WHEN %t = '' THEN NULL ELSE t.%n END AS %n", name, name, name);
        return;
    }
    ADD(s, sql, ", COALESCE(");
    if (outcome)
        ADD(s, sql, "t.tacit_outcome_%d, ", (int64_t)i);
    if (labelled)
        ADD(s, sql, "t.tacit_label_%d, ", (int64_t)i);
    if (labelled && missing < tacit_hierarchy_count(hierarchy, engine_quasi_level(in, i)))
        ADD(s, sql, "%v", tacit_hierarchy_label(hierarchy, engine_quasi_level(in, i), missing));
    else if (labelled) /* of a missing value only: any other has a label */
        ADD(s, sql, "NULL");
    else
        ADD(s, sql, "NULLIF(%t, '')", name);
    ADD(s, sql, ") AS %n", name);
}

static int32_t attribute_named(const engine_inplace *in, tacit_strview name)
{
    return engine_attribute_of(&in->release.promise, in->release.policy,
                               tacit_policy_find(in->release.policy, name));
}

/* The released columns, in the order of the data. */
static void add_columns(const engine_site *s, tacit_sql *sql)
{
    const engine_inplace *in = s->in;
    int64_t changed = 0;
    for (int32_t c = 0; c < in->columns.count; c++) {
        tacit_strview name = in->columns.list[c].name;
        int32_t attribute = attribute_named(in, name);
        tacit_replace fate = engine_inplace_fate(in, name);
        if (attribute >= 0)
            add_attribute(s, sql, attribute);
        else if (fate == TACIT_REPLACE_PSEUDONYM) {
            ADD(s, sql, ", CASE WHEN %t = '' THEN '' ELSE t.tacit_name_%d END AS %n", name, changed,
                name);
            changed++;
        } else if (fate != TACIT_REPLACE_DROP)
            ADD(s, sql, ", t.%n", name);
    }
}

static tacit_status stage(const engine_site *s)
{
    tacit_sql sql = {0};
    tacit_place_name staged = own(s, ENGINE_STAGED);
    ADD(s, &sql, "%s %p%s AS SELECT t.tacit_row AS %n", words(s)->create_own, staged,
        words(s)->storage, tacit_strview_of(ENGINE_STAGED_KEY));
    add_columns(s, &sql);
    add_from(s, &sql, JOINED);
    if (s->in->needs_codes && s->in->release.policy->drop_suppressed)
        ADD(s, &sql, " WHERE COALESCE(t.tacit_gone, 0) = 0");
    tacit_status status = run_sql(s, &sql);
    if (status == TACIT_OK)
        status = analyze(s, &sql, staged);
    tacit_sql_clear(&sql);
    return status;
}

static bool is_released(const engine_inplace *in, tacit_strview name)
{
    return attribute_named(in, name) >= 0 || engine_inplace_fate(in, name) != TACIT_REPLACE_DROP;
}

/* The released columns of a table without rows, each of its type. */
static void add_shape(engine_inplace *in)
{
    tacit_sql *sql = &in->shape;
    const char *comma = "SELECT ";
    for (int32_t c = 0; c < in->columns.count; c++) {
        tacit_strview name = in->columns.list[c].name;
        int32_t attribute = attribute_named(in, name);
        if (!is_released(in, name))
            continue;
        bool labelled = attribute >= 0 ? has_label(in, attribute)
                                       : engine_inplace_fate(in, name) == TACIT_REPLACE_PSEUDONYM;
        tacit_sql_add(sql, in->engine, labelled ? "%s%x AS %n" : "%s%n", comma, name, name);
        comma = ", ";
    }
}

/* Without the key, in random order. */
static tacit_status copy_staged(const engine_site *s)
{
    const engine_inplace *in = s->in;
    tacit_sql sql = {0};
    int count = 0;
    ADD(s, &sql, "SELECT ");
    for (int32_t c = 0; c < in->columns.count; c++)
        if (is_released(in, in->columns.list[c].name))
            ADD(s, &sql, count++ ? ", %n" : "%n", in->columns.list[c].name);
    ADD(s, &sql, " FROM %p ORDER BY %r", own(s, ENGINE_STAGED));
    tacit_status status = tacit_engine_make(s->engine, s->made, &sql, s->run, s->err);
    tacit_sql_clear(&sql);
    return status;
}

static tacit_status load_tables(engine_site *s)
{
    tacit_status status = make_codes(s);
    if (status == TACIT_OK)
        status = make_names(s);
    if (status == TACIT_OK && s->in->needs_codes)
        status = make_outcomes(s);
    return status == TACIT_OK && s->in->needs_codes && !s->in->stays ? make_classes(s) : status;
}

static tacit_status make_release(engine_site *s)
{
    bool drawn = s->in->part_count > 0;
    tacit_status status = drawn ? make_parts(s) : TACIT_OK;
    if (status == TACIT_OK && drawn)
        status = draw_rows(s);
    if (status == TACIT_OK)
        status = stage(s);
    return status == TACIT_OK ? copy_staged(s) : status;
}

static tacit_status share_parts(engine_inplace *in)
{
    tacit_status status = engine_sites_shares(in);
    if (status == TACIT_OK)
        status = engine_sites_each(in, count_parted);
    return status == TACIT_OK ? engine_sites_divide(in) : status;
}

tacit_status engine_inplace_make(engine_inplace *in)
{
    const tacit_solution *solution = in->release.solution;
    in->needs_codes = solution->boxes || solution->suppressed_rows > 0;
    add_shape(in);
    tacit_status status = in->stays ? engine_tallies_classes(in) : list_parts(in);
    if (status == TACIT_OK && in->changed_count)
        status = engine_release_pseudonyms(&in->release);
    if (status == TACIT_OK)
        status = engine_sites_each(in, load_tables);
    if (status == TACIT_OK && in->part_count && in->site_count > 1)
        status = share_parts(in);
    return status == TACIT_OK ? engine_sites_each(in, make_release) : status;
}
