/*
 * metrics.c - what a release is worth: the precision metrics of section 5.4 of
 * Sweeney, Computational Disclosure Control, and those in common use today.
 *
 * Generalization is by attribute and suppression by row, so sums over cells are
 * sums over attributes, values and classes: Prec needs no pass over the rows.
 * Non-uniform entropy needs the frequency of every ground value, which is one
 * counting a column; everything about classes is one pass over them.
 */
#include <tacit/records.h>

#include <math.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/classes.h"
#include "records/cut.h"

/* What the computation is about. */
typedef struct release {
    const tacit_solution *solution;
    const tacit_application *application;
    const tacit_frame *frame;
    const tacit_run *run;
    int64_t rows;
    int64_t suppressed;
} release;

/* A column's ground values: how often each occurs, in all and in suppressed
 * rows; missing is the last. */
typedef struct frequencies {
    uint64_t codes;
    uint32_t *all;
    uint32_t *suppressed;
} frequencies;

static void frequencies_clear(frequencies *f)
{
    tacit__free(f->all);
    tacit__free(f->suppressed);
    *f = (frequencies){0};
}

static void count_suppressed(frequencies *f, const release *r, tacit_codes_view codes)
{
    for (size_t w = 0; w < tacit__bitset_words(r->rows); w++)
        for (uint64_t word = r->application->suppressed[w]; word; word &= word - 1)
            f->suppressed[tacit_codes_at(codes, (int64_t)w * 64 + __builtin_ctzll(word))]++;
}

static tacit_status frequencies_init(frequencies *f, const release *r, int32_t attribute,
                                     tacit_error *err)
{
    int32_t column = r->frame->attributes[attribute].column;
    uint64_t codes = (uint64_t)tacit_table_distinct(r->frame->table, column) + 1;
    tacit_codes_view view = tacit_table_codes(r->frame->table, column);
    tacit__feed feed = {.count = r->rows, .columns = 1};
    tacit__grouping values = {0};
    feed.column[0] = (tacit__feed_column){.codes = view, .entries = codes, .domain = codes};
    tacit_status status = tacit__grouping_init(&values, &feed, false, r->run, err);
    if (status != TACIT_OK)
        return status;
    *f = (frequencies){.codes = codes};
    f->all = tacit__alloc_zeroed(codes, sizeof *f->all);
    f->suppressed = tacit__alloc_zeroed(codes, sizeof *f->suppressed);
    if (f->all && f->suppressed) {
        for (int64_t i = 0; i < values.count; i++)
            f->all[values.keys[i]] = values.rows[i];
        count_suppressed(f, r, view);
    } else {
        frequencies_clear(f);
        status = tacit__nomem(err);
    }
    tacit__grouping_clear(&values);
    return status;
}

/* What has become of one attribute's cells. */
typedef struct cells {
    int64_t stars;    /* released as suppressed though the row is not */
    double bits_lost; /* non-uniform entropy */
    double bits_at_most;
} cells;

static void add_cells(cells *c, const frequencies *f, const release *r, int32_t attribute,
                      const uint32_t *released)
{
    const tacit_hierarchy *hierarchy = r->frame->attributes[attribute].hierarchy;
    const uint32_t *map = tacit_hierarchy_map(hierarchy, r->solution->levels[attribute]);
    const tacit_strview *labels = r->application->labels[attribute];
    for (uint64_t code = 0; code < f->codes; code++) {
        if (f->all[code] == 0)
            continue;
        double suppressed = f->suppressed[code], kept = f->all[code] - suppressed;
        double most = log2((double)r->rows / f->all[code]);
        c->bits_lost += kept * log2((double)released[map[code]] / f->all[code]);
        c->bits_lost += suppressed * most;
        c->bits_at_most += f->all[code] * most;
        if (labels[code].bytes && tacit_strview_equal(labels[code], tacit_hierarchy_suppressed()))
            c->stars += f->all[code] - f->suppressed[code];
    }
}

static tacit_status look_at_cells(cells *c, const release *r, int32_t attribute, tacit_error *err)
{
    int level = r->solution->levels[attribute];
    const uint32_t *map = tacit_hierarchy_map(r->frame->attributes[attribute].hierarchy, level);
    size_t numbers = tacit__distinct_on(r->frame, attribute, level);
    frequencies f;
    tacit_status status = frequencies_init(&f, r, attribute, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *released = tacit__alloc_zeroed(numbers, sizeof *released);
    if (released) {
        for (uint64_t code = 0; code < f.codes; code++)
            if (f.all[code] > 0)
                released[map[code]] += f.all[code];
        add_cells(c, &f, r, attribute, released);
    } else {
        status = tacit__nomem(err);
    }
    tacit__free(released);
    frequencies_clear(&f);
    return status;
}

static int height_of(const release *r, int32_t attribute)
{
    return tacit_hierarchy_height(r->frame->attributes[attribute].hierarchy);
}

/* Weights that sum to the number of attributes. One that is not given is that of
 * Equation 3, where an average column has weight 1; so a column given weight 2
 * counts as much as two such columns. */
static void make_weights(double *weights, const release *r)
{
    double heights = 0, sum = 0;
    int32_t count = r->frame->attribute_count;
    for (int32_t a = 0; a < count; a++)
        heights += height_of(r, a);
    for (int32_t a = 0; a < count; a++) {
        double given = r->frame->attributes[a].weight;
        weights[a] = given > 0 ? given : height_of(r, a) * count / heights;
        sum += weights[a];
    }
    for (int32_t a = 0; a < count; a++)
        weights[a] *= count / sum;
}

/* Distortion of a column's cells together: level over height where kept, 1
 * where suppressed. */
static double distortion(const release *r, int32_t attribute)
{
    int height = height_of(r, attribute);
    double level = height > 0 ? (double)r->solution->levels[attribute] / height : 0;
    return level * (double)(r->rows - r->suppressed) + (double)r->suppressed;
}

static tacit_status measure_cells(tacit_metrics *m, const release *r, tacit_error *err)
{
    double weights[TACIT_MAX_ATTRIBUTES], lost = 0, lost_weighted = 0;
    int32_t count = r->frame->attribute_count;
    cells c = {0};
    make_weights(weights, r);
    for (int32_t a = 0; a < count; a++) {
        tacit_status status = look_at_cells(&c, r, a, err);
        if (status != TACIT_OK)
            return status;
        lost += distortion(r, a);
        lost_weighted += distortion(r, a) * weights[a];
    }
    double all = (double)r->rows * count;
    m->precision = all > 0 ? 1 - lost / all : 1;
    m->precision_weighted = all > 0 ? 1 - lost_weighted / all : 1;
    m->suppressed_cells = r->suppressed * count + c.stars;
    m->entropy = c.bits_at_most > 0 ? c.bits_lost / c.bits_at_most : 0;
    return TACIT_OK;
}

/* People among suppressed rows. */
static tacit_status suppressed_people(int64_t *people, const release *r, tacit_error *err)
{
    *people = r->suppressed;
    if (r->frame->person < 0)
        return TACIT_OK;
    tacit_codes_view codes = tacit_table_codes(r->frame->table, r->frame->person);
    int64_t all = (int64_t)tacit_table_distinct(r->frame->table, r->frame->person) + 1;
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(all), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t row = 0; row < r->rows; row++)
        if (tacit__bit_get(r->application->suppressed, row))
            tacit__bit_set(seen, tacit_codes_at(codes, row));
    *people = tacit__bitset_count(seen, all);
    tacit__free(seen);
    return TACIT_OK;
}

static void note_size(tacit_metrics *m, int64_t people)
{
    if (people == 0)
        return;
    if (m->smallest_class == 0 || people < m->smallest_class)
        m->smallest_class = people;
    if (people > m->largest_class)
        m->largest_class = people;
}

/* Sizes of the groups of each of several quasi-identifiers. */
static tacit_status measure_sets(tacit_metrics *m, const release *r, tacit_error *err)
{
    const int64_t *suppressed = r->solution->suppressed;
    const tacit_classes *classes = r->solution->classes;
    tacit__cut cut;
    tacit_status status = tacit__cut_init(&cut, r->frame, classes, 1, r->run, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t c = 0; c < classes->groups.count; c++) {
        if (suppressed[c] == tacit_classes_people(classes, c))
            tacit__cut_take(&cut, c);
        else
            for (int32_t s = 0; s < cut.set_count; s++)
                cut.sets[s].people[cut.sets[s].group_of[c]] -= (uint32_t)suppressed[c];
    }
    for (int32_t s = 0; s < cut.set_count; s++)
        for (int64_t g = 0; g < cut.sets[s].group_count; g++)
            note_size(m, cut.sets[s].people[g]);
    tacit__cut_clear(&cut);
    return TACIT_OK;
}

static bool is_part(const tacit_solution *solution, int64_t class)
{
    return solution->suppressed[class] > 0 &&
           solution->suppressed[class] < tacit_classes_people(solution->classes, class);
}

/* Rows left in each class. Where people have several rows, how many rows those
 * drawn from a class had is known from the rows only. */
static tacit_status rows_left(uint32_t *left, const release *r, tacit_error *err)
{
    const tacit_classes *classes = r->solution->classes;
    bool parts = false;
    for (int64_t c = 0; c < classes->groups.count; c++) {
        bool part = is_part(r->solution, c);
        left[c] = r->solution->suppressed[c] == 0 || part ? classes->groups.rows[c] : 0;
        if (part && r->frame->person < 0)
            left[c] -= (uint32_t)r->solution->suppressed[c];
        parts |= part;
    }
    if (!parts || r->frame->person < 0)
        return TACIT_OK;
    uint32_t *class_of = tacit__alloc_array((size_t)r->rows, sizeof *class_of);
    tacit_status status = class_of ? tacit_classes_assign(classes, r->frame, class_of, r->run, err)
                                   : tacit__nomem(err);
    for (int64_t row = 0; status == TACIT_OK && row < r->rows; row++)
        if (tacit__bit_get(r->application->suppressed, row) && is_part(r->solution, class_of[row]))
            left[class_of[row]]--;
    tacit__free(class_of);
    return status;
}

/* Number, squares and (with one quasi-identifier) people of classes that are left. */
static tacit_status measure_left(tacit_metrics *m, const release *r, bool single, tacit_error *err)
{
    const tacit_classes *classes = r->solution->classes;
    uint32_t *left = tacit__alloc_array((size_t)classes->groups.count, sizeof *left);
    tacit_status status = left ? rows_left(left, r, err) : tacit__nomem(err);
    for (int64_t c = 0; status == TACIT_OK && c < classes->groups.count; c++) {
        m->classes += left[c] > 0;
        m->discernibility += (double)left[c] * left[c];
        if (single)
            note_size(m, tacit_classes_people(classes, c) - r->solution->suppressed[c]);
    }
    tacit__free(left);
    return status;
}

static tacit_status measure_classes(tacit_metrics *m, const release *r, int64_t k, tacit_error *err)
{
    int64_t released = r->application->row_count;
    bool single = tacit__frame_is_single(r->frame);
    tacit_status status = measure_left(m, r, single, err);
    if (status == TACIT_OK && !single)
        status = measure_sets(m, r, err);
    if (status == TACIT_OK)
        status = suppressed_people(&m->suppressed_people, r, err);
    if (status != TACIT_OK)
        return status;
    if (released == r->rows) { /* suppressed rows are not left out */
        note_size(m, m->suppressed_people);
        m->classes += r->suppressed > 0;
    }
    m->discernibility += (double)r->suppressed * (double)r->rows;
    m->average_class = m->classes > 0 ? (double)released / (double)m->classes : 0;
    m->average_class_ratio = m->average_class / (double)k;
    return TACIT_OK;
}

tacit_status tacit_metrics_of(tacit_metrics *out, const tacit_solution *solution,
                              const tacit_application *application, const tacit_frame *frame,
                              const tacit_records_options *options, const tacit_run *run,
                              tacit_error *err)
{
    release r = {.solution = solution,
                 .application = application,
                 .frame = frame,
                 .run = run,
                 .rows = tacit_table_rows(frame->table),
                 .suppressed = application->suppressed_rows};
    tacit_metrics m = {.rows = r.rows, .suppressed_rows = r.suppressed};
    /* outliers are whole classes, so that their rows are known from the solution */
    m.complementary_rows = r.suppressed - (solution->suppressed_rows - solution->complementary);
    tacit_status status = measure_cells(&m, &r, err);
    if (status == TACIT_OK)
        status = measure_classes(&m, &r, options->k, err);
    if (status == TACIT_OK)
        *out = m;
    return status;
}
