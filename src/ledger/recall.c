/*
 * recall.c - an earlier release as CSV once more, from its entry and what the data holder has.
 *
 * The labels behind a column's hashes are found by hashing what they can be. A label of an earlier
 * release was a value of the data, or what the column's rule makes of a value on some level, or
 * stands in its hierarchy file; or it is "*". All of these are hashed under the ledger's key until
 * every hash is found; and the pseudonyms that the data's values get now, for the same key gave the
 * same. Values of a later release are tried as well, for what neither tells.
 *
 * A rule is bound to a table of the column's values, as when the release was made. Of a mask only
 * values of as many places as it had then take part, of whole intervals only whole numbers: anybody
 * who was in the earlier release has such a value. The cost is a hash for each distinct value and
 * level; nothing is kept but what was found.
 *
 * The hierarchy file that a column was made with is found again by its keyed digest, which an entry
 * has. A file with the same labels under other parents would recall the same release, but its
 * labels would stand for other values, and what follows from it would be found under a tree that
 * nobody has seen. So the bytes must be the same. Who needs more values keeps the old file under
 * its name and uses another: then both are read, and every value of the old one must have the
 * ancestors there that it had. The cost is reading either file once.
 *
 * Labels that are not found belonged to people who have left the data. They become values that
 * nobody has and that lie under nothing but "*", each label its own: the row still counts, and
 * matches a later row only where both columns' other values say so or the later one is suppressed.
 * Their form follows the column's rule, so that whoever puts the values into a lineage can read
 * them: a number far outside, a day of a late year, a text of the most places a mask can have. Of
 * such days there are 2.6 million; should more be needed, the last ones are one.
 *
 * The CSV is about as long as the release was; it is held once.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/standard.h"
#include "hierarchy/written.h"
#include "ledger/ledger.h"

/* The labels of a column, as far as they have been found: bytes NULL where not. */
typedef struct column_labels {
    const tacit_ledger *ledger;
    const tacit_ledger_column *column;
    const unsigned char *hashes;
    tacit_strview *found;
    uint32_t missing; /* not found yet */
    tacit__label_hasher hasher;
    tacit__arena arena;
} column_labels;

static bool is_same(const tacit__tree_file *tree, const tacit_ledger_column *column,
                    const unsigned char *key)
{
    char digest[TACIT_LEDGER_HASH + 1];
    tacit__ledger_digest(digest, key, TACIT__LEDGER_HIERARCHY,
                         (tacit_strview){tree->input.bytes, tree->input.len});
    return strcmp(digest, column->file_hash) == 0;
}

/* Whether a ground value of one tree has the same ancestors in another. */
static bool stands_as(const tacit__tree *then, uint32_t value, const tacit__tree *now)
{
    uint32_t at = tacit__names_find(&now->levels[0].names, then->levels[0].names.labels[value]);
    for (int level = 0; level + 1 < then->level_count && at != TACIT__NONE; level++) {
        value = then->levels[level].branches[value].parent;
        at = now->levels[level].branches[at].parent;
        if (!tacit_strview_equal(then->levels[level + 1].names.labels[value],
                                 now->levels[level + 1].names.labels[at]))
            at = TACIT__NONE;
    }
    return at != TACIT__NONE;
}

/* The line of the first value of a tree that stands elsewhere in another; 0: there is none. */
static uint32_t moved_line(const tacit__tree *then, const tacit__tree *now)
{
    if (now->level_count != then->level_count)
        return 1;
    for (uint32_t i = 0; i < then->levels[0].names.count; i++)
        if (!stands_as(then, i, now))
            return then->levels[0].branches[i].line;
    return 0;
}

/* Compares the file of then with the one of now, which has other bytes. */
static tacit_status check_moved(const tacit__tree_file *then, const tacit__tree_file *now,
                                const tacit_ledger_column *column, int64_t number, tacit_error *err)
{
    uint32_t line = moved_line(&then->tree, &now->tree);
    if (!line)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, now->tree.file, 0, 0,
                           "this hierarchy of column \"%s\" puts values elsewhere than %s (its "
                           "line %u is the first), which release %lld of the ledger was made with; "
                           "use one that differs by values added only",
                           tacit__show(tacit_strview_of(column->name)).text, then->tree.file, line,
                           (long long)number);
}

static tacit_status changed(const tacit_ledger_column *column, int64_t number, tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "the hierarchy of column \"%s\" is not the one that release %lld of the "
                        "ledger was made with: %s is gone or was changed since; put it back as it "
                        "was, and where values have to be added, add them in a file of another "
                        "name and use that",
                        tacit__show(tacit_strview_of(column->name)).text, (long long)number,
                        column->hierarchy);
}

/* The file that a column of release `number` was made with: the one that is used now (NULL: none),
 * or the one of the name that it had then. TACIT_INVALID where neither is it byte by byte, and
 * where the one that is used now puts a value elsewhere; it may have more values. */
static tacit_status open_tree(tacit__tree_file *out, const tacit_ledger_column *column,
                              const char *now, int64_t number, const unsigned char *key,
                              tacit_error *err)
{
    tacit__tree_file used = {0}, then = {0};
    tacit_error ignored = {0}; /* whatever is wrong with it, it is not what it was */
    tacit_status status = now ? tacit__tree_open(&used, now, err) : TACIT_OK;
    if (status == TACIT_OK && now && is_same(&used, column, key)) {
        *out = used;
        return TACIT_OK;
    }
    if (status == TACIT_OK) {
        status = tacit__tree_open(&then, column->hierarchy, &ignored);
        if (status == TACIT_NOMEM)
            tacit__nomem(err);
        else if (status != TACIT_OK || !is_same(&then, column, key))
            status = changed(column, number, err);
        else if (now)
            status = check_moved(&then, &used, column, number, err);
    }
    tacit__tree_close(&used);
    if (status == TACIT_OK)
        *out = then;
    else
        tacit__tree_close(&then);
    return status;
}

enum { ASK_EVERY_LABELS = 1 << 14 };

/* ---- one label ---- */

static int64_t place_of(const column_labels *labels, const unsigned char *hash)
{
    uint32_t from = 0, to = labels->column->labels;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const unsigned char *at = labels->hashes + (size_t)middle * TACIT__LABEL_HASH;
        int order = memcmp(hash, at, TACIT__LABEL_HASH);
        if (order == 0)
            return middle;
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return -1;
}

static tacit_status offer(column_labels *labels, tacit_strview label, tacit_error *err)
{
    unsigned char hash[TACIT__LABEL_HASH];
    if (!labels->missing || !label.len)
        return TACIT_OK;
    tacit__label_hash(hash, &labels->hasher, label);
    int64_t place = place_of(labels, hash);
    if (place < 0 || labels->found[place].bytes)
        return TACIT_OK;
    labels->found[place] = tacit__arena_copy(&labels->arena, label);
    if (!labels->found[place].bytes)
        return tacit__nomem(err);
    labels->missing--;
    return TACIT_OK;
}

/* ---- values as they are ---- */

/* A cell of CSV, quoted always: an empty line would be no row (recall.c). */
static void add_cell(tacit__strbuf *csv, tacit_strview value)
{
    const char *at = value.bytes, *end = at + value.len;
    tacit__strbuf_text(csv, "\"");
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *stop = quote ? quote + 1 : end;
        tacit__strbuf_add(csv, at, (size_t)(stop - at));
        if (quote)
            tacit__strbuf_text(csv, "\"");
        at = stop;
    }
    tacit__strbuf_text(csv, "\"");
}

/* The coded column of that name, or -1. */
static int32_t column_of(const tacit_table *table, const tacit_ledger_column *column)
{
    int32_t index = table ? tacit_table_find(table, tacit_strview_of(column->name)) : -1;
    return index >= 0 && tacit_table_is_coded(table, index) ? index : -1;
}

static tacit_status offer_values(column_labels *labels, const tacit_table *table,
                                 const tacit_run *run, tacit_error *err)
{
    int32_t column = column_of(table, labels->column);
    uint32_t count = column < 0 ? 0 : tacit_table_distinct(table, column);
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < count && labels->missing && status == TACIT_OK; i++) {
        status = offer(labels, tacit_table_value(table, column, i), err);
        if (status == TACIT_OK && i % ASK_EVERY_LABELS == 0)
            status = tacit__progress(run, "recalling", i, count, err);
    }
    return status;
}

static const tacit_ledger_fact *find_fact(const tacit_ledger_fact *facts, int32_t count,
                                          const char *name)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(facts[i].name, name) == 0)
            return &facts[i];
    return NULL;
}

/* What the data's values are written as in other releases, by pseudonyms of the same key. */
static tacit_status offer_rewritten(column_labels *labels, const tacit_ledger_sight *sight,
                                    const tacit_run *run, tacit_error *err)
{
    const tacit_ledger_fact *fact =
        find_fact(sight->columns, sight->column_count, labels->column->name);
    int32_t column = fact && fact->rewrite ? column_of(sight->data, labels->column) : -1;
    uint32_t count = column < 0 ? 0 : tacit_table_distinct(sight->data, column);
    char text[TACIT_MAX_REWRITE];
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < count && labels->missing && status == TACIT_OK; i++) {
        tacit_strview value = tacit_table_value(sight->data, column, i);
        size_t len = fact->rewrite(value, text, sizeof text, fact->payload);
        status = offer(labels, (tacit_strview){text, len}, err);
        if (status == TACIT_OK && i % ASK_EVERY_LABELS == 0)
            status = tacit__progress(run, "recalling", i, count, err);
    }
    return status;
}

/* ---- rules ---- */

static size_t characters(tacit_strview text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.bytes[i] & 0xC0) != 0x80;
    return count;
}

/* Whether a value can have been among those that the rule's labels were made of. */
static bool fits(const tacit_hierarchy_spec *spec, const tacit__interval *interval, int64_t form,
                 tacit_strview value)
{
    int64_t number;
    bool exact = false;
    tacit__hierarchy_date date;
    switch (spec->kind) {
    case TACIT_HIERARCHY_MASK: return characters(value) <= (size_t)form;
    case TACIT_HIERARCHY_DATE:
        return tacit__date_parse(&date, value, spec->order) == TACIT__DATE_OK;
    case TACIT_HIERARCHY_INTERVAL:
        return tacit__number_floor(&number, &exact, value, interval->scale,
                                   spec->decimal == TACIT_DECIMAL_COMMA ? ',' : '.') ==
                   TACIT__NUMBER_OK &&
               (form || exact);
    case TACIT_HIERARCHY_STANDARD: return tacit__standard_knows(spec, value);
    case TACIT_HIERARCHY_NONE:
    case TACIT_HIERARCHY_FILE: break;
    }
    return false;
}

static void add_row(tacit__strbuf *csv, tacit_strview value)
{
    add_cell(csv, value);
    tacit__strbuf_text(csv, "\n");
}

/* A value that makes the rule's labels take the form that they had. */
static void add_form(tacit__strbuf *csv, const tacit_hierarchy_spec *spec, int64_t form)
{
    static const char places[TACIT_MAX_LEVELS + 1] =
        "0000000000000000000000000000000000000000000000000000000000000000";
    if (spec->kind == TACIT_HIERARCHY_MASK)
        add_row(csv, (tacit_strview){places, (size_t)form});
    else if (spec->kind == TACIT_HIERARCHY_INTERVAL && form)
        add_row(csv, tacit_strview_of(spec->decimal == TACIT_DECIMAL_COMMA ? "0,5" : "0.5"));
}

static tacit_status write_ground(tacit__strbuf *csv, const tacit_hierarchy_spec *spec,
                                 const tacit_ledger_column *column, const tacit_table *data,
                                 tacit_error *err)
{
    tacit__interval interval = {0};
    int32_t index = column_of(data, column);
    uint32_t count = index < 0 ? 0 : tacit_table_distinct(data, index);
    tacit_status status = TACIT_OK;
    if (spec->kind == TACIT_HIERARCHY_INTERVAL)
        status = tacit__interval_check(&interval, spec, err);
    for (uint32_t i = 0; i < count && status == TACIT_OK; i++) {
        tacit_strview value = tacit_table_value(data, index, i);
        if (fits(spec, &interval, column->form, value))
            add_row(csv, value);
    }
    add_form(csv, spec, column->form);
    if (status == TACIT_OK && csv->failed)
        status = tacit__nomem(err);
    return status;
}

static tacit_status offer_levels(column_labels *labels, const tacit_hierarchy *hierarchy,
                                 const tacit_run *run, tacit_error *err)
{
    int height = tacit_hierarchy_height(hierarchy);
    tacit_status status = TACIT_OK;
    for (int level = 1; level <= height && status == TACIT_OK; level++) {
        uint32_t count = tacit_hierarchy_count(hierarchy, level);
        for (uint32_t i = 0; i < count && status == TACIT_OK; i++)
            status = offer(labels, tacit_hierarchy_label(hierarchy, level, i), err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "recalling", level, height, err);
    }
    return status;
}

static tacit_status offer_rule(column_labels *labels, const tacit_hierarchy_spec *spec,
                               const tacit_table *data, const tacit_run *run, tacit_error *err)
{
    tacit__strbuf csv = {0};
    tacit_table *ground = NULL;
    tacit_hierarchy *hierarchy = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.no_header = true;
    options.delimiter = ',';
    tacit_status status = write_ground(&csv, spec, labels->column, data, err);
    if (status == TACIT_OK && csv.len > 0)
        status = tacit_table_read_memory(&ground, (tacit_strview){csv.bytes, csv.len},
                                         "the values of a column", &options, run, err);
    if (status == TACIT_OK && ground)
        status = tacit_hierarchy_new(&hierarchy, spec, ground, 0, err);
    if (status == TACIT_OK && hierarchy)
        status = offer_levels(labels, hierarchy, run, err);
    tacit_hierarchy_free(hierarchy);
    tacit_table_free(ground);
    tacit__strbuf_clear(&csv);
    return status;
}

/* ---- files ---- */

static tacit_status offer_tree(column_labels *labels, const tacit__tree *tree, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int level = 0; level < tree->level_count; level++) {
        const tacit__names *names = &tree->levels[level].names;
        for (uint32_t i = 0; i < names->count && status == TACIT_OK; i++)
            status = offer(labels, names->labels[i], err);
    }
    return status;
}

/* The labels of the file that the release was made with; labels mean now what they meant then, or
 * the release would be compared under a tree that it was not made with. */
static tacit_status find_in_files(column_labels *labels, int64_t number,
                                  const tacit_ledger_sight *sight, tacit_error *err)
{
    const tacit_ledger_column *column = labels->column;
    const tacit_ledger_fact *fact = find_fact(sight->columns, sight->column_count, column->name);
    bool has_file = fact && fact->spec && fact->spec->kind == TACIT_HIERARCHY_FILE;
    tacit__tree_file tree = {0};
    if (!has_file && !labels->missing)
        return TACIT_OK;
    tacit_status status = open_tree(&tree, column, has_file ? fact->spec->path : NULL, number,
                                    labels->ledger->key, err);
    if (status == TACIT_OK)
        status = offer_tree(labels, &tree.tree, err);
    tacit__tree_close(&tree);
    if (status != TACIT_OK || !labels->missing)
        return status;
    return tacit__error(err, TACIT_INVALID,
                        "release %lld of the ledger has %u value%s of column \"%s\" that neither "
                        "the data nor its hierarchy %s has, so that nobody can tell what they "
                        "stand for; bring back the data that it was made from",
                        (long long)number, labels->missing, labels->missing == 1 ? "" : "s",
                        tacit__show(tacit_strview_of(column->name)).text, column->hierarchy);
}

/* ---- all of it ---- */

static tacit_status find_by_hierarchy(column_labels *labels, int64_t number,
                                      const tacit_ledger_sight *sight, const tacit_run *run,
                                      tacit_error *err)
{
    tacit_hierarchy_spec spec = {0};
    if (labels->column->file_hash[0])
        return find_in_files(labels, number, sight, err);
    if (!labels->missing)
        return TACIT_OK;
    tacit_status status = tacit_hierarchy_spec_parse(&spec, labels->column->hierarchy, NULL, err);
    if (spec.order == TACIT_DATES_TELL)
        spec.order = TACIT_MONTH_FIRST; /* of dates whose order was not written down */
    if (spec.decimal == TACIT_MARKS_TELL)
        spec.decimal = TACIT_DECIMAL_POINT; /* a comma is */
    if (status == TACIT_OK && spec.kind != TACIT_HIERARCHY_NONE &&
        spec.kind != TACIT_HIERARCHY_FILE)
        status = offer_rule(labels, &spec, sight->data, run, err);
    tacit_hierarchy_spec_clear(&spec);
    return status;
}

/* Zero-initialized, then looked for; cleared in any case. number is the release's, for messages. */
static tacit_status find_labels(column_labels *labels, const tacit_ledger *ledger, int64_t number,
                                const tacit_ledger_column *column, const unsigned char *hashes,
                                const tacit_ledger_sight *sight, const tacit_run *run,
                                tacit_error *err)
{
    labels->ledger = ledger;
    labels->column = column;
    labels->hashes = hashes;
    labels->missing = column->labels;
    labels->found = tacit__alloc_zeroed(column->labels, sizeof *labels->found);
    if (!labels->found)
        return tacit__nomem(err);
    tacit__label_hasher_init(&labels->hasher, ledger->key, tacit_strview_of(column->name));
    tacit_status status = offer(labels, tacit_hierarchy_suppressed(), err);
    if (status == TACIT_OK)
        status = offer_values(labels, sight->data, run, err);
    if (status == TACIT_OK)
        status = offer_rewritten(labels, sight, run, err);
    if (status == TACIT_OK)
        status = offer_values(labels, sight->release, run, err);
    if (status == TACIT_OK)
        status = find_by_hierarchy(labels, number, sight, run, err);
    sodium_memzero(&labels->hasher, sizeof labels->hasher);
    return status;
}

static void clear_labels(column_labels *labels)
{
    tacit__free(labels->found);
    tacit__arena_clear(&labels->arena);
    *labels = (column_labels){0};
}

enum { ASK_EVERY_CLASSES = 1 << 12 };

typedef struct recalled {
    const tacit_ledger_entry *entry;
    tacit__summary *summary;
    column_labels *columns;
    tacit__strbuf csv;
    tacit__strbuf row;
    uint32_t *indices;
} recalled;

/* ---- values that nobody has ---- */

enum { STAND_IN = 96 };

/* Days of the years down from 9999, 28 a month. */
static void late_day(char *text, uint32_t number)
{
    enum { DAYS = 28, MONTHS = 12, LATEST = 9999, EARLIEST = 2200 };
    uint32_t year = number / (DAYS * MONTHS);
    year = year > LATEST - EARLIEST ? EARLIEST : LATEST - year;
    snprintf(text, STAND_IN, "%04u-%02u-%02u", year, number / DAYS % MONTHS + 1, number % DAYS + 1);
}

/* A number near the largest that the decimals of the rule leave room for. */
static void far_number(char *text, const tacit_ledger_column *column, uint32_t number)
{
    tacit_hierarchy_spec spec = {0};
    tacit__interval interval = {0};
    int64_t base = 9 * (TACIT__MAX_NUMBER / 10);
    if (tacit_hierarchy_spec_parse(&spec, column->hierarchy, NULL, NULL) == TACIT_OK)
        tacit__interval_check(&interval, &spec, NULL);
    for (int i = 0; i < interval.scale; i++)
        base /= 10;
    tacit_hierarchy_spec_clear(&spec);
    snprintf(text, STAND_IN, "%lld", (long long)base + number);
}

static void stand_in(char *text, const tacit_ledger_column *column, uint32_t number)
{
    if (strncmp(column->hierarchy, "interval:", 9) == 0)
        far_number(text, column, number);
    else if (strncmp(column->hierarchy, "date", 4) == 0)
        late_day(text, number);
    else if (strncmp(column->hierarchy, "mask:", 5) == 0)
        snprintf(text, STAND_IN, "?%0*u?", TACIT_MAX_LEVELS - 3, number);
    else
        snprintf(text, STAND_IN, "?%u", number);
}

static tacit_status fill_in(column_labels *labels, tacit_error *err)
{
    char text[STAND_IN];
    uint32_t number = 0;
    for (uint32_t i = 0; i < labels->column->labels; i++) {
        if (labels->found[i].bytes)
            continue;
        stand_in(text, labels->column, number++);
        labels->found[i] = tacit__arena_copy(&labels->arena, tacit_strview_of(text));
        if (!labels->found[i].bytes)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

/* ---- CSV ---- */

static void add_header(recalled *r)
{
    for (int32_t c = 0; c < r->entry->column_count; c++) {
        tacit__strbuf_text(&r->csv, c ? "," : "");
        add_cell(&r->csv, tacit_strview_of(r->entry->columns[c].name));
    }
    tacit__strbuf_text(&r->csv, "\n");
}

/* Writes the row of a class; returns whether a label of it was not found. known has, a column each,
 * the labels that were. */
static bool write_row(recalled *r, const unsigned char *const *unknown)
{
    bool strange = false;
    r->row.len = 0;
    for (int32_t c = 0; c < r->entry->column_count; c++) {
        uint32_t index = r->indices[c];
        tacit_strview value = {"", 0};
        if (index > 0) {
            value = r->columns[c].found[index - 1];
            strange |= unknown[c] && unknown[c][index - 1];
        }
        tacit__strbuf_text(&r->row, c ? "," : "");
        add_cell(&r->row, value);
    }
    tacit__strbuf_text(&r->row, "\n");
    return strange;
}

static tacit_status write_rows(tacit_ledger_recalled *out, recalled *r,
                               const unsigned char *const *unknown, const tacit_run *run,
                               tacit_error *err)
{
    tacit__class_reader reader = {r->summary, 0};
    int64_t rows = 0, classes = 0;
    bool broken = false;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && tacit__class_next(&reader, r->indices, &rows, &broken)) {
        if (write_row(r, unknown))
            out->unknown_rows += rows;
        for (int64_t i = 0; i < rows && !r->csv.failed && !r->row.failed; i++)
            tacit__strbuf_add(&r->csv, r->row.bytes, r->row.len);
        out->rows += rows;
        if (r->csv.failed || r->row.failed)
            status = tacit__nomem(err);
        else if (++classes % ASK_EVERY_CLASSES == 0)
            status = tacit__progress(run, "recalling", classes, r->summary->classes, err);
    }
    return status;
}

/* ---- all of it ---- */

/* A byte a label of a column: it was not found. NULL in *out where all were. */
static tacit_status mark_unknown(unsigned char **out, const column_labels *labels, tacit_error *err)
{
    if (!labels->missing)
        return TACIT_OK;
    *out = tacit__alloc_zeroed(labels->column->labels, 1);
    if (!*out)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < labels->column->labels; i++)
        (*out)[i] = !labels->found[i].bytes;
    return TACIT_OK;
}

static tacit_status find_column(tacit_ledger_recalled *out, recalled *r, unsigned char **unknown,
                                int32_t c, const tacit_ledger *ledger,
                                const tacit_ledger_sight *sight, const tacit_run *run,
                                tacit_error *err)
{
    column_labels *labels = &r->columns[c];
    tacit_status status = find_labels(labels, ledger, r->entry->number, &r->entry->columns[c],
                                      r->summary->labels[c], sight, run, err);
    if (status == TACIT_OK)
        status = mark_unknown(unknown, labels, err);
    if (status == TACIT_OK)
        status = fill_in(labels, err);
    out->unknown_labels += labels->missing;
    return status;
}

static tacit_status recall(tacit_ledger_recalled *out, recalled *r, const tacit_ledger *ledger,
                           const tacit_ledger_sight *sight, const tacit_run *run, tacit_error *err)
{
    int32_t count = r->entry->column_count;
    unsigned char **unknown = tacit__alloc_zeroed((size_t)count, sizeof *unknown);
    r->columns = tacit__alloc_zeroed((size_t)count, sizeof *r->columns);
    r->indices = tacit__alloc_array((size_t)count, sizeof *r->indices);
    tacit_status status = unknown && r->columns && r->indices ? TACIT_OK : tacit__nomem(err);
    for (int32_t c = 0; c < count && status == TACIT_OK; c++)
        status = find_column(out, r, &unknown[c], c, ledger, sight, run, err);
    if (status == TACIT_OK) {
        add_header(r);
        status = write_rows(out, r, (const unsigned char *const *)unknown, run, err);
    }
    if (status == TACIT_OK && r->csv.failed)
        status = tacit__nomem(err);
    for (int32_t c = 0; unknown && c < count; c++)
        tacit__free(unknown[c]);
    tacit__free(unknown);
    return status;
}

static void clear_columns(recalled *r)
{
    for (int32_t c = 0; r->columns && c < r->entry->column_count; c++)
        clear_labels(&r->columns[c]);
    tacit__free(r->columns);
    tacit__free(r->indices);
    tacit__strbuf_clear(&r->row);
}

tacit_status tacit_ledger_recall(tacit_ledger_recalled *out, const tacit_ledger *ledger,
                                 int64_t number, const tacit_ledger_sight *sight,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_ledger_entry entry = {0};
    tacit__summary summary = {0};
    tacit_ledger_recalled made = {0};
    recalled r = {.entry = &entry, .summary = &summary};
    tacit_status status = tacit__entry_load(&entry, &summary, ledger, number, err);
    if (status == TACIT_OK)
        status = recall(&made, &r, ledger, sight, run, err);
    clear_columns(&r);
    if (status == TACIT_OK) {
        made.csv = r.csv.bytes;
        made.len = r.csv.len;
        *out = made;
    } else
        tacit__strbuf_clear(&r.csv);
    tacit__summary_clear(&summary);
    tacit__entry_clear(&entry);
    return status;
}
