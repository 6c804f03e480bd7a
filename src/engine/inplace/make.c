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
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/inplace/inplace.h"

#define ADD(in, sql, ...) tacit_sql_add(sql, (in)->engine, __VA_ARGS__)

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

static tacit_place_name own(const engine_inplace *in, const char *name)
{
    return tacit_engine_own(in->engine, name);
}

static tacit_status run_sql(engine_inplace *in, tacit_sql *sql)
{
    return tacit_engine_query(in->engine, sql, NULL, NULL, &in->session->run, &in->session->error);
}

static const char *create_own(const engine_inplace *in)
{
    return tacit_engine_dialect(in->engine)->create_own;
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

/* The level that the solution's classes have of an attribute. */
static int level_of(const engine_inplace *in, int32_t i)
{
    return tacit_classes_levels(in->release.solution->classes)[i];
}

static uint32_t missing_code(const engine_inplace *in, int32_t i)
{
    const tacit_attribute *a = attribute_of(in, i);
    uint32_t missing = tacit_table_distinct(in->release.table, a->column);
    return tacit_hierarchy_map(a->hierarchy, level_of(in, i))[missing];
}

/* Whether the codes of an attribute are joined. */
static bool is_joined(const engine_inplace *in, int32_t i)
{
    return in->needs_codes || level_of(in, i) > 0;
}

/* ---- rows into tables of the run ---- */

typedef struct loading {
    engine_inplace *in;
    tacit_strview *cells;
    char (*digits)[24]; /* a cell each */
} loading;

static tacit_strview *put_number(loading *l, int32_t at, int64_t number)
{
    int len = snprintf(l->digits[at], sizeof *l->digits, "%lld", (long long)number);
    l->cells[at] = (tacit_strview){l->digits[at], (size_t)len};
    return &l->cells[at];
}

static tacit_status loading_init(loading *l, engine_inplace *in, int32_t cells)
{
    *l = (loading){.in = in};
    l->cells = tacit__alloc_zeroed((size_t)cells, sizeof *l->cells);
    l->digits = tacit__alloc_zeroed((size_t)cells, sizeof *l->digits);
    return l->cells && l->digits ? TACIT_OK : tacit__nomem(&in->session->error);
}

static void loading_clear(loading *l)
{
    tacit__free(l->cells);
    tacit__free(l->digits);
}

static tacit_status load_row(loading *l, int32_t count)
{
    return tacit_engine_load_row(l->in->engine, l->cells, count, &l->in->session->error);
}

/* Makes a table and loads its rows, which `fill` puts out. */
static tacit_status make_table(engine_inplace *in, const char *name, tacit_sql *columns,
                               tacit_status (*fill)(loading *l, int which), int which,
                               int32_t cells)
{
    loading l = {0};
    tacit_sql sql = {0};
    tacit_place_name table = own(in, name);
    const tacit_run *run = &in->session->run;
    tacit_error *err = &in->session->error;
    sql.failed = columns->failed || !columns->text;
    if (!sql.failed)
        ADD(in, &sql, "%s %p (%s)", create_own(in), table, columns->text);
    tacit_status status = loading_init(&l, in, cells);
    if (status == TACIT_OK)
        status = run_sql(in, &sql);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(in->engine, table, run, err);
    if (status == TACIT_OK) {
        status = fill(&l, which);
        tacit_status end = tacit_engine_load_end(in->engine, run, err);
        status = status == TACIT_OK ? end : status;
    }
    ADD(in, &sql, "ANALYZE %p", table);
    if (status == TACIT_OK)
        status = run_sql(in, &sql);
    loading_clear(&l);
    tacit_sql_clear(&sql);
    tacit_sql_clear(columns);
    return status;
}

/* ---- codes ---- */

static tacit_status fill_codes(loading *l, int attribute)
{
    const engine_inplace *in = l->in;
    const tacit_attribute *a = attribute_of(in, attribute);
    int level = level_of(in, attribute);
    uint32_t count = tacit_table_distinct(in->release.table, a->column);
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0; code < count && status == TACIT_OK; code++) {
        uint32_t number = tacit_hierarchy_map(a->hierarchy, level)[code];
        l->cells[0] = tacit_table_value(in->release.table, a->column, code);
        put_number(l, 1, number);
        l->cells[2] = tacit_hierarchy_label(a->hierarchy, level, number);
        status = load_row(l, 3);
    }
    return status;
}

static tacit_status make_codes(engine_inplace *in)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < attributes_of(in) && status == TACIT_OK; i++) {
        tacit_sql columns = {0};
        if (!is_joined(in, i))
            continue;
        ADD(in, &columns, "value %s PRIMARY KEY, code integer NOT NULL, label %s NOT NULL",
            tacit_engine_dialect(in->engine)->text_type,
            tacit_engine_dialect(in->engine)->text_type);
        status = make_table(in, numbered("code", i).text, &columns, fill_codes, i, 3);
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
static tacit_status load_names(engine_inplace *in, int number, const value_list *list)
{
    loading l = {0};
    tacit_error *err = &in->session->error;
    tacit_place_name table = own(in, numbered("name", number).text);
    char pseudonym[TACIT_PSEUDONYM_LENGTH];
    tacit_status status = loading_init(&l, in, 2);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(in->engine, table, &in->session->run, err);
    if (status == TACIT_OK) {
        for (size_t i = 0; i < list->count && status == TACIT_OK; i++) {
            l.cells[0] = list->values[i];
            l.cells[1] = (tacit_strview){pseudonym,
                                         tacit_pseudonym(list->values[i], pseudonym,
                                                         sizeof pseudonym, in->release.pseudonyms)};
            status = load_row(&l, 2);
        }
        tacit_status end = tacit_engine_load_end(in->engine, &in->session->run, err);
        status = status == TACIT_OK ? end : status;
    }
    loading_clear(&l);
    return status;
}

static tacit_status make_names(engine_inplace *in)
{
    tacit_status status = in->changed_count ? engine_release_pseudonyms(&in->release) : TACIT_OK;
    for (size_t j = 0; j < in->changed_count && status == TACIT_OK; j++) {
        value_list list = {0};
        tacit_sql sql = {0};
        own_name name = numbered("name", (int)j);
        const char *text = tacit_engine_dialect(in->engine)->text_type;
        ADD(in, &sql, "%s %p (value %s PRIMARY KEY, pseudonym %s NOT NULL)", create_own(in),
            own(in, name.text), text, text);
        status = run_sql(in, &sql);
        ADD(in, &sql, "SELECT DISTINCT %x FROM %p WHERE %x <> ''", in->changed[j],
            tacit_engine_table(in->engine), in->changed[j]);
        if (status == TACIT_OK)
            status = tacit_engine_query(in->engine, &sql, take_value, &list, &in->session->run,
                                        &in->session->error);
        if (status == TACIT_OK)
            status = load_names(in, (int)j, &list);
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

static tacit_status fill_outcomes(loading *l, int which)
{
    const engine_inplace *in = l->in;
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
        put_number(l, 0, o);
        put_number(l, 1, gone);
        status = load_row(l, attributes + 2);
    }
    return status;
}

static tacit_status make_outcomes(engine_inplace *in)
{
    tacit_sql columns = {0};
    ADD(in, &columns, "id integer PRIMARY KEY, gone integer NOT NULL");
    for (int32_t i = 0; i < attributes_of(in); i++)
        ADD(in, &columns, ", l%d %s", (int64_t)i, tacit_engine_dialect(in->engine)->text_type);
    return make_table(in, "tacit outcome", &columns, fill_outcomes, 0, attributes_of(in) + 2);
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

/* Goes through the classes; each has one outcome, in the table of classes, or parts. */
static tacit_status fill_classes_or_parts(loading *l, int parts_wanted)
{
    engine_inplace *in = l->in;
    const tacit_classes *classes = in->release.solution->classes;
    int32_t attributes = attributes_of(in);
    class_parts parts = {.in = in};
    tacit_status status = TACIT_OK;
    for (; parts.class < tacit_classes_count(classes) && status == TACIT_OK; parts.class ++) {
        int64_t left = tacit_classes_size(classes, parts.class), outcome = -1, rows = 0, at = 1;
        bool first = next_part(&outcome, &rows, &parts, &left), split = left > 0;
        if (outcome < 0)
            continue;
        put_number(l, 0, parts.class);
        if (!parts_wanted) {
            for (int32_t i = 0; i < attributes; i++)
                put_number(l, 2 + i, tacit_classes_code(classes, parts.class, i));
            put_number(l, 1, outcome);
            if (split)
                l->cells[1] = (tacit_strview){NULL, 0};
            in->drawn |= split;
            status = load_row(l, attributes + 2);
        }
        while (first && status == TACIT_OK) {
            put_number(l, 1, at);
            put_number(l, 2, at + rows - 1);
            put_number(l, 3, outcome);
            if (parts_wanted && split && outcome >= 0)
                status = load_row(l, 4);
            at += rows;
            first = next_part(&outcome, &rows, &parts, &left);
        }
    }
    return status;
}

static tacit_status make_classes(engine_inplace *in)
{
    tacit_sql columns = {0};
    ADD(in, &columns, "class integer PRIMARY KEY, id integer");
    for (int32_t i = 0; i < attributes_of(in); i++)
        ADD(in, &columns, ", c%d integer NOT NULL", (int64_t)i);
    tacit_status status =
        make_table(in, "tacit class", &columns, fill_classes_or_parts, 0, attributes_of(in) + 4);
    if (status != TACIT_OK || !in->drawn)
        return status;
    ADD(in, &columns, "class integer, first integer, last integer, id integer");
    return make_table(in, "tacit part", &columns, fill_classes_or_parts, 1, 4);
}

/* ---- statements over the data ---- */

/* FROM the data, with the codes of each row. */
static void add_from(engine_inplace *in, tacit_sql *sql)
{
    ADD(in, sql, " FROM %p t", tacit_engine_table(in->engine));
    for (int32_t i = 0; i < attributes_of(in); i++)
        if (is_joined(in, i))
            ADD(in, sql, " LEFT JOIN %p v%d ON v%d.value = %t", own(in, numbered("code", i).text),
                (int64_t)i, (int64_t)i, name_of(in, i));
}

/* Whether a row is of the class k. */
static void add_class_match(engine_inplace *in, tacit_sql *sql)
{
    for (int32_t i = 0; i < attributes_of(in); i++)
        ADD(in, sql, "%s k.c%d = COALESCE(v%d.code, %d)", i ? " AND" : " ON", (int64_t)i,
            (int64_t)i, (int64_t)missing_code(in, i));
}

static tacit_status draw_rows(engine_inplace *in)
{
    const tacit_dialect *dialect = tacit_engine_dialect(in->engine);
    tacit_sql sql = {0};
    ADD(in, &sql,
        "%s %p AS SELECT x.row_key, p.id FROM (SELECT t.%s AS row_key, k.class, "
        "ROW_NUMBER() OVER (PARTITION BY k.class ORDER BY %s) AS n",
        dialect->create_own, own(in, "tacit drawn"), dialect->row_key, dialect->random_order);
    add_from(in, &sql);
    ADD(in, &sql, " JOIN %p k", own(in, "tacit class"));
    add_class_match(in, &sql);
    ADD(in, &sql,
        " WHERE k.id IS NULL) x JOIN %p p ON p.class = x.class AND x.n BETWEEN p.first AND p.last",
        own(in, "tacit part"));
    tacit_status status = run_sql(in, &sql);
    ADD(in, &sql, "ANALYZE %p", own(in, "tacit drawn"));
    if (status == TACIT_OK)
        status = run_sql(in, &sql);
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

/* The released value of an attribute: a label of the row's outcome, or of its value, or the value
 * itself, which keeps its type where no row has a label. */
static void add_attribute(engine_inplace *in, tacit_sql *sql, int32_t i)
{
    tacit_strview name = name_of(in, i);
    bool labelled = !boxes_of(in) && level_of(in, i) > 0, outcome = has_outcome_label(in, i);
    uint32_t missing = missing_code(in, i);
    const tacit_hierarchy *hierarchy = attribute_of(in, i)->hierarchy;
    if (!labelled && !outcome) {
        ADD(in, sql, ", t.%n", name);
        return;
    }
    ADD(in, sql, ", COALESCE(");
    if (outcome)
        ADD(in, sql, "o.l%d, ", (int64_t)i);
    if (labelled)
        ADD(in, sql, "v%d.label, ", (int64_t)i);
    if (labelled && missing < tacit_hierarchy_count(hierarchy, level_of(in, i)))
        ADD(in, sql, "%v", tacit_hierarchy_label(hierarchy, level_of(in, i), missing));
    else if (labelled) /* of a missing value only: any other has a label */
        ADD(in, sql, "CASE WHEN %t = '' THEN '' END", name);
    else
        ADD(in, sql, "%t", name);
    ADD(in, sql, ") AS %n", name);
}

static int32_t attribute_named(const engine_inplace *in, tacit_strview name)
{
    return engine_attribute_of(&in->release.promise, in->release.policy,
                               tacit_policy_find(in->release.policy, name));
}

/* The released columns, in the order of the data. */
static void add_columns(engine_inplace *in, tacit_sql *sql)
{
    int64_t changed = 0;
    for (int32_t c = 0; c < in->columns.count; c++) {
        tacit_strview name = in->columns.list[c].name;
        int32_t attribute = attribute_named(in, name);
        tacit_replace fate = engine_inplace_fate(in, name);
        if (attribute >= 0)
            add_attribute(in, sql, attribute);
        else if (fate == TACIT_REPLACE_PSEUDONYM) {
            ADD(in, sql, ", CASE WHEN %t = '' THEN '' ELSE n%d.pseudonym END AS %n", name, changed,
                name);
            changed++;
        } else if (fate != TACIT_REPLACE_DROP)
            ADD(in, sql, ", t.%n", name);
    }
}

static tacit_status stage(engine_inplace *in)
{
    tacit_sql sql = {0};
    ADD(in, &sql, "%s %p AS SELECT t.%s AS %n", create_own(in), own(in, ENGINE_STAGED),
        tacit_engine_dialect(in->engine)->row_key, tacit_strview_of(ENGINE_STAGED_KEY));
    add_columns(in, &sql);
    add_from(in, &sql);
    for (size_t j = 0; j < in->changed_count; j++)
        ADD(in, &sql, " LEFT JOIN %p n%d ON n%d.value = %t", own(in, numbered("name", (int)j).text),
            (int64_t)j, (int64_t)j, in->changed[j]);
    if (in->needs_codes) {
        ADD(in, &sql, " LEFT JOIN %p k", own(in, "tacit class"));
        add_class_match(in, &sql);
        if (in->drawn)
            ADD(in, &sql, " LEFT JOIN %p d ON d.row_key = t.%s", own(in, "tacit drawn"),
                tacit_engine_dialect(in->engine)->row_key);
        ADD(in, &sql, " LEFT JOIN %p o ON o.id = %s", own(in, "tacit outcome"),
            in->drawn ? "COALESCE(k.id, d.id)" : "k.id");
        if (in->release.policy->drop_suppressed)
            ADD(in, &sql, " WHERE COALESCE(o.gone, 0) = 0");
    }
    tacit_status status = run_sql(in, &sql);
    ADD(in, &sql, "ANALYZE %p", own(in, ENGINE_STAGED));
    if (status == TACIT_OK)
        status = run_sql(in, &sql);
    tacit_sql_clear(&sql);
    return status;
}

/* Without the key, in random order. */
static tacit_status copy_staged(engine_inplace *in)
{
    tacit_place_name made = {in->target.schema, tacit_strview_of(in->made)};
    tacit_sql sql = {0};
    int count = 0;
    ADD(in, &sql, "SELECT ");
    for (int32_t c = 0; c < in->columns.count; c++) {
        tacit_strview name = in->columns.list[c].name;
        if (attribute_named(in, name) >= 0 || engine_inplace_fate(in, name) != TACIT_REPLACE_DROP)
            ADD(in, &sql, count++ ? ", %n" : "%n", name);
    }
    ADD(in, &sql, " FROM %p ORDER BY %s", own(in, ENGINE_STAGED),
        tacit_engine_dialect(in->engine)->random_order);
    tacit_status status =
        tacit_engine_make(in->engine, made, &sql, &in->session->run, &in->session->error);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status engine_inplace_make(engine_inplace *in)
{
    const tacit_solution *solution = in->release.solution;
    in->needs_codes = solution->boxes || solution->suppressed_rows > 0;
    snprintf(in->made, sizeof in->made, "tacit release %016llx",
             (unsigned long long)(engine_now() * 1e9) ^ (unsigned long long)getpid() << 40);
    tacit_status status = make_codes(in);
    if (status == TACIT_OK)
        status = make_names(in);
    if (status == TACIT_OK && in->needs_codes)
        status = make_outcomes(in);
    if (status == TACIT_OK && in->needs_codes)
        status = make_classes(in);
    if (status == TACIT_OK && in->drawn)
        status = draw_rows(in);
    if (status == TACIT_OK)
        status = stage(in);
    return status == TACIT_OK ? copy_staged(in) : status;
}
