/*
 * read.c - columns as axes: places for the original's values, stretches for released labels.
 *
 * A column whose values are all numbers is numeric, unless it is said or seen that they are names.
 * Values of other columns are names. With a hierarchy their places are the nodes of a lineage
 * (lineage.h), where what lies under a label is a stretch of numbers. Without one, or where values
 * of the two files do not fit into it, names are ordered by length and then by bytes, so that what
 * a mask with stars at its end stands for is a stretch.
 *
 * Cost: a sort of the column's distinct values, a bisection for each distinct label, and a pass
 * over the original's rows for how often values occur.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/random.h"

/* What an adversary reads in a released label without being told: numbers, stretches of them, and
 * masks.
 *
 * Read are the forms that rules of hierarchies write (hierarchy.h): `20-24` and `-5 to -1`, both
 * ends held, `[20.5, 21)` or `[20,5; 21)`, the upper one not; and a number of whole digits with
 * stars in place of its last ones, 53*** for 53000 to below 54000. A label in several forms is read
 * as the first that fits: a number before a stretch, so that 1e-5 is one number. */

static const tacit__relink_stretch FOREIGN = {NAN, NAN, TACIT__READ_FOREIGN};

static tacit_strview part(tacit_strview text, size_t from, size_t to)
{
    while (from < to && text.bytes[from] == ' ')
        from++;
    while (to > from && text.bytes[to - 1] == ' ')
        to--;
    return (tacit_strview){text.bytes + from, to - from};
}

/* Both ends as written; FOREIGN unless they are numbers, the lower one first. */
static tacit__relink_stretch between(tacit_strview low, tacit_strview high, char point)
{
    tacit__relink_stretch stretch = {tacit__decimal_read_as(low, point),
                                     tacit__decimal_read_as(high, point), TACIT__READ_STRETCH};
    return stretch.low <= stretch.high ? stretch : FOREIGN;
}

/* `[a, b)` with points before decimals, `[a; b)` with commas. */
static tacit__relink_stretch half_open(tacit_strview label)
{
    if (label.len < 5 || label.bytes[0] != '[' || label.bytes[label.len - 1] != ')')
        return FOREIGN;
    const char *semicolon = memchr(label.bytes, ';', label.len);
    const char *middle = semicolon ? semicolon : memchr(label.bytes, ',', label.len);
    if (!middle)
        return FOREIGN;
    size_t at = (size_t)(middle - label.bytes);
    tacit__relink_stretch stretch =
        between(part(label, 1, at), part(label, at + 1, label.len - 1), semicolon ? ',' : '.');
    if (stretch.kind == TACIT__READ_STRETCH)
        stretch.high = nextafter(stretch.high, stretch.low);
    return stretch;
}

/* `a to b`, then `a-b` at any dash that is not the first byte, which would be a sign. */
static tacit__relink_stretch closed(tacit_strview label, char point)
{
    tacit__relink_stretch stretch = FOREIGN;
    const char *word = memmem(label.bytes, label.len, " to ", 4);
    if (word) {
        size_t at = (size_t)(word - label.bytes);
        stretch = between(part(label, 0, at), part(label, at + 4, label.len), point);
    }
    for (size_t i = 1; i + 1 < label.len && stretch.kind == TACIT__READ_FOREIGN; i++)
        if (label.bytes[i] == '-')
            stretch = between(part(label, 0, i), part(label, i + 1, label.len), point);
    return stretch;
}

static size_t mask(tacit_strview label)
{
    size_t kept = label.len;
    while (kept > 0 && label.bytes[kept - 1] == '*')
        kept--;
    return kept < label.len ? kept : 0;
}

/* 53*** */
static tacit__relink_stretch masked(tacit_strview label)
{
    size_t kept = mask(label);
    if (kept == 0)
        return FOREIGN;
    for (size_t i = 0; i < kept; i++)
        if (label.bytes[i] < '0' || label.bytes[i] > '9')
            return FOREIGN;
    double digits = tacit__decimal_read((tacit_strview){label.bytes, kept});
    double unit = pow(10, (double)(label.len - kept));
    return (tacit__relink_stretch){digits * unit, nextafter((digits + 1) * unit, 0),
                                   TACIT__READ_STRETCH};
}

/* A label among numbers, and a mask: the bytes before its stars, or 0. */
static tacit__relink_stretch relink_number(tacit_strview label, char point)
{
    double number = tacit__decimal_read_as(label, point);
    if (!isnan(number))
        return (tacit__relink_stretch){number, number, TACIT__READ_STRETCH};
    tacit__relink_stretch stretch = closed(label, point);
    if (stretch.kind == TACIT__READ_FOREIGN)
        stretch = half_open(label);
    if (stretch.kind == TACIT__READ_FOREIGN)
        stretch = masked(label);
    return stretch;
}

/* Beyond it squares would overflow; it is no quantity of anybody's. */
static const double LARGEST = 1e100;

/* A value of the original. */
typedef struct entry {
    tacit_strview text;
    double place;
    uint32_t code;
} entry;

typedef struct reader {
    tacit__relink_axis *axis;
    const tacit_relink_case *c;
    const tacit_hierarchy_spec *hierarchy; /* NULL: none */
    entry *entries;                        /* but for values that say nothing */
    size_t count;
    char point; /* before decimals */
} reader;

static bool is_star(tacit_strview text)
{
    return tacit_strview_equal(text, tacit_hierarchy_suppressed());
}

/* ---- which kind ---- */

static bool is_padded(tacit_strview text)
{
    return text.len > 1 && text.bytes[0] == '0' && text.bytes[1] >= '0' && text.bytes[1] <= '9';
}

static bool names_by_rule(const reader *r, int32_t column)
{
    tacit_hierarchy_kind kind = r->hierarchy ? r->hierarchy->kind : TACIT_HIERARCHY_NONE;
    return (r->c->categories && r->c->categories[column]) ||
           (kind != TACIT_HIERARCHY_NONE && kind != TACIT_HIERARCHY_INTERVAL);
}

static bool all_numbers(const reader *r)
{
    for (size_t i = 0; i < r->count; i++) {
        tacit_strview text = r->entries[i].text;
        if (is_padded(text) || !(fabs(tacit__decimal_read_as(text, r->point)) <= LARGEST))
            return false;
    }
    return r->count > 0;
}

/* ---- places ---- */

static int by_text(const void *a, const void *b)
{
    tacit_strview x = ((const entry *)a)->text, y = ((const entry *)b)->text;
    if (x.len != y.len)
        return x.len < y.len ? -1 : 1;
    return memcmp(x.bytes, y.bytes, x.len);
}

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->code < y->code ? -1 : x->code > y->code;
}

/* The first name that is not before a prefix among those of a length. */
static size_t first_from(const reader *r, tacit_strview prefix, size_t len, bool after)
{
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        tacit_strview text = r->entries[middle].text;
        int order = text.len != len ? (text.len < len ? -1 : 1)
                                    : memcmp(text.bytes, prefix.bytes, prefix.len);
        if (order < 0 || (after && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static tacit__relink_stretch read_name(const reader *r, tacit_strview label)
{
    size_t kept = label.len;
    size_t from = first_from(r, label, label.len, false),
           to = first_from(r, label, label.len, true);
    if (from == to && (kept = mask(label)) > 0) {
        tacit_strview prefix = {label.bytes, kept};
        from = first_from(r, prefix, label.len, false);
        to = first_from(r, prefix, label.len, true);
    }
    if (from == to)
        return (tacit__relink_stretch){NAN, NAN, TACIT__READ_FOREIGN};
    return (tacit__relink_stretch){(double)from, (double)(to - 1), TACIT__READ_STRETCH};
}

static void place_names(reader *r)
{
    qsort(r->entries, r->count, sizeof *r->entries, by_text);
    for (size_t i = 0; i < r->count; i++)
        r->entries[i].place = (double)i;
}

static void place_numbers(reader *r)
{
    for (size_t i = 0; i < r->count; i++)
        r->entries[i].place = tacit__decimal_read_as(r->entries[i].text, r->point);
}

/* ---- labels ---- */

static void read_labels(reader *r)
{
    tacit__relink_axis *axis = r->axis;
    for (uint32_t code = 0; code + 1 < axis->label_count; code++) {
        tacit_strview label = tacit_table_value(r->c->release, axis->release, code);
        if (is_star(label))
            axis->labels[code] = (tacit__relink_stretch){NAN, NAN, TACIT__READ_ANY};
        else if (axis->numeric)
            axis->labels[code] = relink_number(label, r->point);
        else
            axis->labels[code] = read_name(r, label);
    }
    axis->labels[axis->label_count - 1] = (tacit__relink_stretch){NAN, NAN, TACIT__READ_MISSING};
}

/* A stretch of nodes. A missing value has one where the hierarchy gives it a parent. */
static tacit__relink_stretch node_stretch(const tacit_lineage *lineage, uint32_t node, bool missing)
{
    if (node == 0)
        return (tacit__relink_stretch){NAN, NAN, TACIT__READ_ANY};
    if (missing && tacit_lineage_parents(lineage)[node] == 0)
        return (tacit__relink_stretch){NAN, NAN, TACIT__READ_MISSING};
    return (tacit__relink_stretch){(double)node, (double)(tacit_lineage_ends(lineage)[node] - 1),
                                   TACIT__READ_STRETCH};
}

static void place_nodes(reader *r, const tacit_lineage *lineage)
{
    tacit__relink_axis *axis = r->axis;
    const uint32_t *known = tacit_lineage_nodes(lineage, 0),
                   *said = tacit_lineage_nodes(lineage, 1);
    uint32_t last = axis->place_count - 1;
    for (size_t i = 0; i < r->count; i++)
        r->entries[i].place = (double)known[r->entries[i].code];
    tacit__relink_stretch missing = node_stretch(lineage, known[last], true);
    if (missing.kind == TACIT__READ_STRETCH)
        r->entries[r->count++] = (entry){{NULL, 0}, missing.low, last};
    for (uint32_t code = 0; code < axis->label_count; code++)
        axis->labels[code] = node_stretch(lineage, said[code], code + 1 == axis->label_count);
}

/* *done is false where the values do not fit into the hierarchy. Then labels that nobody has may
 * stand for some all the same. */
static tacit_status place_under(bool *done, reader *r, tacit_error *err)
{
    tacit_lineage_source sources[] = {
        {.table = r->c->original, .column = r->axis->original, .open = true},
        {.table = r->c->release, .column = r->axis->release, .open = true}};
    tacit_lineage *lineage = NULL;
    tacit_error own = {0};
    tacit_status status = tacit_lineage_new(&lineage, r->hierarchy, sources, 2, &own);
    if (status != TACIT_OK && status != TACIT_PARSE)
        return tacit__error(err, status, "%s", own.message);
    *done = status == TACIT_OK;
    if (*done)
        place_nodes(r, lineage);
    r->axis->unsure = !*done;
    tacit_lineage_free(lineage);
    return TACIT_OK;
}

/* ---- what the axis says of people ---- */

tacit_status tacit__relink_frequencies(double **out, const tacit_table *table, int32_t column,
                                       tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    double *counts = tacit__alloc_zeroed((size_t)distinct + 1, sizeof *counts);
    if (!counts)
        return tacit__nomem(err);
    tacit_codes_view codes = tacit_table_codes(table, column);
    for (int64_t row = 0; row < tacit_table_rows(table); row++)
        counts[tacit_codes_at(codes, row)]++;
    *out = counts;
    return TACIT_OK;
}

static void measure_spread(reader *r, const double *counts)
{
    double known = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < r->count; i++) {
        double weight = counts[r->entries[i].code];
        known += weight;
        sum += weight * r->entries[i].place;
    }
    double mean = known > 0 ? sum / known : 0;
    for (size_t i = 0; i < r->count; i++) {
        double off = r->entries[i].place - mean;
        squares += counts[r->entries[i].code] * off * off;
    }
    r->axis->mean = mean;
    r->axis->deviation = known > 1 ? sqrt(squares / (known - 1)) : 0;
}

/* Ranks, and the share of pairs of people whose places differ. */
static void rank_places(reader *r, const double *counts)
{
    tacit__relink_axis *axis = r->axis;
    double known = 0, same = 0, group = 0;
    qsort(r->entries, r->count, sizeof *r->entries, by_place);
    for (uint32_t code = 0; code < axis->place_count; code++)
        axis->places[code] = NAN;
    uint32_t rank = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (i > 0 && r->entries[i].place != r->entries[i - 1].place) {
            rank++;
            same += group * group;
            group = 0;
        }
        group += counts[r->entries[i].code];
        known += counts[r->entries[i].code];
        axis->places[r->entries[i].code] = r->entries[i].place;
        axis->ranks[r->entries[i].code] = rank;
    }
    same += group * group;
    axis->apart = known > 0 ? 1 - same / (known * known) : 0;
    axis->rank_count = rank + 2;
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (isnan(axis->places[code]))
            axis->ranks[code] = rank + 1;
}

/* Among names a stretch that holds none of the original's is a label that nobody has. */
static bool holds_nobody(const reader *r, const tacit__relink_stretch *label)
{
    size_t low = 0, high = r->count;
    TACIT__BISECT(low, high, middle, r->entries[middle].place < label->low);
    return low == r->count || r->entries[low].place > label->high;
}

static void key_labels(const reader *r)
{
    tacit__relink_axis *axis = r->axis;
    for (uint32_t code = 0; code < axis->label_count; code++) {
        tacit__relink_stretch *label = &axis->labels[code];
        if (!axis->numeric && label->kind == TACIT__READ_STRETCH && holds_nobody(r, label))
            label->kind = TACIT__READ_FOREIGN;
        axis->label_keys[code] = axis->labels[code].kind == TACIT__READ_STRETCH
                                     ? code + TACIT__READ_FOREIGN + 1
                                     : (uint32_t)axis->labels[code].kind;
    }
}

/* ---- all of it ---- */

static tacit_status find_columns(tacit__relink_axis *axis, const tacit_relink_case *c,
                                 const char *name, tacit_error *err)
{
    axis->original = tacit_table_find(c->original, tacit_strview_of(name));
    axis->release = tacit_table_find(c->release, tacit_strview_of(name));
    if (axis->original < 0 || axis->release < 0)
        return tacit__error(err, TACIT_INVALID, "re-linking: there is no column \"%s\" in the %s",
                            name, axis->original < 0 ? "original" : "release");
    if (!tacit_table_is_coded(c->original, axis->original) ||
        !tacit_table_is_coded(c->release, axis->release))
        return tacit__error(err, TACIT_INVALID, "re-linking: the column \"%s\" is not coded", name);
    axis->place_count = tacit_table_distinct(c->original, axis->original) + 1;
    axis->label_count = tacit_table_distinct(c->release, axis->release) + 1;
    axis->places = tacit__alloc_array(axis->place_count, sizeof *axis->places);
    axis->ranks = tacit__alloc_array(axis->place_count, sizeof *axis->ranks);
    axis->labels = tacit__alloc_array(axis->label_count, sizeof *axis->labels);
    axis->label_keys = tacit__alloc_array(axis->label_count, sizeof *axis->label_keys);
    if (!axis->places || !axis->ranks || !axis->labels || !axis->label_keys)
        return tacit__nomem(err);
    return TACIT_OK;
}

static void list_entries(reader *r)
{
    for (uint32_t code = 0; code + 1 < r->axis->place_count; code++) {
        tacit_strview text = tacit_table_value(r->c->original, r->axis->original, code);
        if (!is_star(text))
            r->entries[r->count++] = (entry){text, NAN, code};
    }
}

static tacit_status place_all(reader *r, int32_t column, tacit_error *err)
{
    bool done = false;
    tacit_status status = TACIT_OK;
    list_entries(r);
    r->point = tacit__rows_point(r->c->original, r->axis->original);
    if (r->hierarchy && r->hierarchy->decimal != TACIT_MARKS_TELL)
        r->point = r->hierarchy->decimal == TACIT_DECIMAL_COMMA ? ',' : '.';
    r->axis->numeric = !names_by_rule(r, column) && all_numbers(r);
    if (!r->axis->numeric && r->hierarchy && r->hierarchy->kind != TACIT_HIERARCHY_NONE)
        status = place_under(&done, r, err);
    if (status != TACIT_OK || done)
        return status;
    if (r->axis->numeric)
        place_numbers(r);
    else
        place_names(r);
    read_labels(r);
    return TACIT_OK;
}

static tacit_status axis_init(tacit__relink_axis *axis, const tacit_relink_case *c, int32_t column,
                              tacit_error *err)
{
    reader r = {axis, c, c->hierarchies ? c->hierarchies[column] : NULL, NULL, 0, '.'};
    double *counts = NULL;
    tacit_status status = find_columns(axis, c, c->columns[column], err);
    if (status == TACIT_OK) {
        r.entries = tacit__alloc_array(axis->place_count, sizeof *r.entries);
        status = r.entries ? place_all(&r, column, err) : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__relink_frequencies(&counts, c->original, axis->original, err);
    if (status == TACIT_OK) {
        measure_spread(&r, counts);
        rank_places(&r, counts);
        key_labels(&r);
    }
    tacit__free(counts);
    tacit__free(r.entries);
    return status;
}

static void axis_clear(tacit__relink_axis *axis)
{
    tacit__free(axis->places);
    tacit__free(axis->ranks);
    tacit__free(axis->labels);
    tacit__free(axis->label_keys);
}

/* The two files of a re-linking: people who are alike, records that say the same, and the order in
 * which records are attacked.
 *
 * People who agree on every axis are one point with a count, and records that say the same are one
 * question, so that the cost follows different ones. Where there are more records than may be
 * attacked, a random sample is, drawn without repetition; the sample's order is random too, so
 * that its start is a sample itself. */

/* Puts together the people of the original who agree on every axis, or the records of the release
 * that say the same. */
static tacit_status group_rows(tacit__partition *out, const tacit__relink_scene *scene, bool people,
                               tacit_error *err)
{
    const tacit_table *table = people ? scene->c->original : scene->c->release;
    tacit__keys keys = {.rows = tacit_table_rows(table), .run = scene->run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        tacit_codes_view codes = tacit_table_codes(table, people ? axis->original : axis->release);
        const uint32_t *map = people ? axis->ranks : axis->label_keys;
        uint32_t max = people ? axis->rank_count - 1 : axis->label_count + TACIT__READ_FOREIGN;
        status = tacit__keys_add_mapped(&keys, codes, map, max, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(out, &keys, err);
    tacit__keys_clear(&keys);
    return status;
}

static tacit_status check_origin(const tacit__relink_scene *scene, tacit_error *err)
{
    const tacit_relink_case *c = scene->c;
    int64_t people = tacit_table_rows(c->original), records = tacit_table_rows(c->release);
    if (!c->origin && people != records)
        return tacit__error(
            err, TACIT_INVALID,
            "re-linking: %lld records of %lld people, and nobody says whose they are",
            (long long)records, (long long)people);
    for (int64_t row = 0; c->origin && row < records; row++)
        if (c->origin[row] != TACIT_RELINK_MADE_UP && c->origin[row] >= people)
            return tacit__error(
                err, TACIT_INVALID, "re-linking: row %lld is said to be of row %lld of %lld",
                (long long)row + 1, (long long)c->origin[row] + 1, (long long)people);
    return TACIT_OK;
}

/* Who stands behind several records is one subject. */
static tacit_status count_subjects(tacit__relink_scene *scene, tacit_error *err)
{
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(tacit_table_rows(scene->c->original)),
                                         sizeof *seen);
    scene->subjects = tacit__alloc_zeroed((size_t)scene->people.count, sizeof *scene->subjects);
    bool made = seen && scene->subjects;
    for (int64_t row = 0; made && row < tacit_table_rows(scene->c->release); row++) {
        uint32_t origin = tacit__relink_origin(scene, row);
        if (origin == TACIT_RELINK_MADE_UP || tacit__bit_get(seen, origin))
            continue;
        tacit__bit_set(seen, origin);
        scene->subjects[scene->people.class_of[origin]]++;
    }
    tacit__free(seen);
    return made ? TACIT_OK : tacit__nomem(err);
}

static tacit_status order_records(tacit__relink_scene *scene, tacit_error *err)
{
    int64_t rows = tacit_table_rows(scene->c->release);
    scene->order = tacit__alloc_array((size_t)rows, sizeof *scene->order);
    if (!scene->order)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        scene->order[row] = (uint32_t)row;
    scene->attacked = rows < scene->options->max_records ? rows : scene->options->max_records;
    tacit_run seeded;
    tacit__random random;
    tacit_run_init(&seeded);
    tacit_run_seed_number(&seeded, scene->options->seed);
    tacit__random_init(&random, &seeded, "rlnk", 0);
    for (int64_t i = 0; i < scene->attacked; i++) {
        int64_t j = i + tacit__random_below(&random, (uint32_t)(rows - i));
        uint32_t row = scene->order[i];
        scene->order[i] = scene->order[j];
        scene->order[j] = row;
    }
    return TACIT_OK;
}

tacit_status tacit__relink_scene_init(tacit__relink_scene *scene, tacit_error *err)
{
    tacit_status status = check_origin(scene, err);
    scene->columns = (int32_t)scene->c->column_count;
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++)
        status = axis_init(&scene->axes[i], scene->c, i, err);
    if (status == TACIT_OK)
        status = group_rows(&scene->people, scene, true, err);
    if (status == TACIT_OK)
        status = group_rows(&scene->records, scene, false, err);
    if (status == TACIT_OK)
        status = count_subjects(scene, err);
    if (status == TACIT_OK)
        status = order_records(scene, err);
    return status;
}

void tacit__relink_scene_clear(tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++)
        axis_clear(&scene->axes[i]);
    tacit__partition_clear(&scene->people);
    tacit__partition_clear(&scene->records);
    tacit__free(scene->subjects);
    tacit__free(scene->order);
}
