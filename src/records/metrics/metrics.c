/*
 * metrics.c - what a release is worth: the precision metrics of section 5.4 of
 * Sweeney, Computational Disclosure Control, and those in common use today.
 *
 * Metrics of cells are in cells.c; everything about classes is here, and
 * is one pass over them. In a cell-level release a class is a box.
 *
 * Which people of a class that is suppressed in part are drawn is known only once
 * a solution has been applied. It matters where they have several rows each; a
 * solution that has not been applied is measured with the average of the class.
 */
#include <tacit/experimental/records.h>

#include <math.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/apply/cut.h"
#include "records/classes/classes.h"
#include "records/metrics/cells.h"

static bool is_starred(const tacit__metrics_measured *r, int64_t box)
{
    return tacit__box_is_starred(r->solution->boxes, r->frame, box);
}

/* People among suppressed rows, as far as the solution itself says it: somebody
 * with rows in two suppressed classes is counted twice. */
static int64_t people_to_suppress(const tacit__metrics_measured *r)
{
    const tacit_solution *solution = r->solution;
    int64_t people = 0;
    for (int64_t b = 0; solution->boxes && b < solution->boxes->count; b++)
        people += is_starred(r, b) ? tacit__box_people(&r->boxes, b) : 0;
    for (int64_t c = 0; solution->suppressed && c < solution->classes->groups.count; c++)
        people += solution->suppressed[c];
    return people;
}

/* People among suppressed rows. */
static tacit_status suppressed_people(int64_t *people, const tacit__metrics_measured *r,
                                      tacit_error *err)
{
    *people = r->frame->person < 0 ? r->suppressed : people_to_suppress(r);
    if (r->frame->person < 0 || !r->application)
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

/* Whether the rows of a class are released as "*" on all attributes of a set. */
static bool is_starred_on(const tacit__metrics_measured *r, uint64_t set, int64_t class)
{
    const tacit_solution *solution = r->solution;
    bool starred = true;
    for (int32_t a = 0; a < r->frame->attribute_count && starred; a++)
        if (set >> a & 1)
            starred = tacit__is_star(r->frame->attributes[a].hierarchy, solution->levels[a],
                                     tacit_classes_code(solution->classes, class, a));
    return starred;
}

/* The groups of one of several quasi-identifiers. Suppressed rows are one of them, with the rows
 * that are "*" on all its attributes anyway. */
static void measure_set(tacit_metrics *m, const tacit__metrics_measured *r,
                        const tacit__cut_set *set, uint64_t attributes)
{
    int64_t suppressed = r->released == r->rows ? m->suppressed_people : 0;
    for (int64_t g = 0; g < set->group_count; g++) {
        int64_t people = set->people[g];
        if (people && suppressed &&
            is_starred_on(r, attributes, set->classes.list[set->classes.starts[g]])) {
            people += suppressed;
            suppressed = 0;
        }
        note_size(m, people);
        m->classes += people > 0;
    }
    note_size(m, suppressed);
    m->classes += suppressed > 0;
}

/* Sizes of the groups of each of several quasi-identifiers. */
static tacit_status measure_sets(tacit_metrics *m, const tacit__metrics_measured *r,
                                 tacit_error *err)
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
        measure_set(m, r, &cut.sets[s], r->frame->sets[s]);
    m->sets = cut.set_count;
    tacit__cut_clear(&cut);
    return TACIT_OK;
}

static bool is_part(const tacit_solution *solution, int64_t class)
{
    return solution->suppressed[class] > 0 &&
           solution->suppressed[class] < tacit_classes_people(solution->classes, class);
}

/* Rows of the people that a class loses, where which ones they are is not known. */
static uint32_t average_rows(const tacit__metrics_measured *r, int64_t class)
{
    const tacit_classes *classes = r->solution->classes;
    double share =
        (double)r->solution->suppressed[class] / (double)tacit_classes_people(classes, class);
    return (uint32_t)llround(share * classes->groups.rows[class]);
}

/* Takes the rows that were drawn from the classes that lose a part. */
static tacit_status subtract_drawn(uint32_t *left, const tacit__metrics_measured *r,
                                   tacit_error *err)
{
    uint32_t *class_of = tacit__alloc_array((size_t)r->rows, sizeof *class_of);
    tacit_status status =
        class_of ? tacit_classes_assign(r->solution->classes, r->frame, class_of, r->run, err)
                 : tacit__nomem(err);
    for (int64_t row = 0; status == TACIT_OK && row < r->rows; row++)
        if (tacit__bit_get(r->application->suppressed, row) && is_part(r->solution, class_of[row]))
            left[class_of[row]]--;
    tacit__free(class_of);
    return status;
}

/* Rows left in each class. Where people have several rows, how many rows those
 * drawn from a class had is known from the rows only. */
static tacit_status rows_left(uint32_t *left, const tacit__metrics_measured *r, tacit_error *err)
{
    const tacit_classes *classes = r->solution->classes;
    bool known = r->frame->person < 0 || !r->application, parts = false;
    for (int64_t c = 0; c < classes->groups.count; c++) {
        bool part = is_part(r->solution, c);
        left[c] = r->solution->suppressed[c] == 0 || part ? classes->groups.rows[c] : 0;
        if (part && known)
            left[c] -= average_rows(r, c);
        parts |= part;
    }
    return parts && !known ? subtract_drawn(left, r, err) : TACIT_OK;
}

/* Number, squares and (with one quasi-identifier) people of combinations that are left. */
static void measure_left(tacit_metrics *m, const tacit__metrics_measured *r, bool single)
{
    const tacit_classes *classes = r->solution->classes;
    for (int64_t c = 0; c < classes->groups.count; c++) {
        m->combinations += r->left[c] > 0;
        m->discernibility += (double)r->left[c] * r->left[c];
        if (single)
            note_size(m, tacit_classes_people(classes, c) - r->solution->suppressed[c]);
    }
}

/* A box of suppressed rows only costs what suppressed rows cost. */
static void measure_boxes(tacit_metrics *m, const tacit__metrics_measured *r)
{
    for (int64_t b = 0; b < r->solution->boxes->count; b++) {
        m->combinations += r->boxes.rows[b] > 0;
        m->discernibility += (double)r->boxes.rows[b] * r->boxes.rows[b];
        if (r->released == r->rows || !is_starred(r, b))
            note_size(m, tacit__box_people(&r->boxes, b));
    }
    m->discernibility -= (double)r->suppressed * (double)r->suppressed;
    if (r->suppressed > 0 && r->released < r->rows)
        m->combinations--;
    m->classes = m->combinations;
}

/* Classes that are released, the suppressed rows among them as one. */
static tacit_status measure_levels(tacit_metrics *m, const tacit__metrics_measured *r,
                                   tacit_error *err)
{
    bool single = tacit__frame_is_single(r->frame);
    measure_left(m, r, single);
    m->combinations += r->suppressed > 0 && r->released == r->rows;
    if (!single)
        return measure_sets(m, r, err);
    if (r->released == r->rows)
        note_size(m, m->suppressed_people);
    m->classes = m->combinations;
    return TACIT_OK;
}

static tacit_status measure_classes(tacit_metrics *m, const tacit__metrics_measured *r, int64_t k,
                                    tacit_error *err)
{
    tacit_status status = suppressed_people(&m->suppressed_people, r, err);
    m->sets = 1;
    if (status == TACIT_OK && r->solution->boxes)
        measure_boxes(m, r);
    else if (status == TACIT_OK)
        status = measure_levels(m, r, err);
    if (status != TACIT_OK)
        return status;
    m->discernibility += (double)r->suppressed * (double)r->rows;
    double released = (double)r->released;
    m->average_class = m->classes > 0 ? m->sets * released / (double)m->classes : 0;
    m->average_class_ratio =
        m->combinations > 0 ? released / (double)m->combinations / (double)k : 0;
    return TACIT_OK;
}

/* Which rows are suppressed, and how many are released. */
static tacit_status measured_init(tacit__metrics_measured *r, const tacit_records_options *options,
                                  tacit_error *err)
{
    const tacit_solution *solution = r->solution;
    int64_t classes = solution->classes->groups.count;
    tacit_status status = TACIT_OK;
    if (solution->boxes)
        status = tacit__box_counts_init(&r->boxes, solution, r->frame, r->run, err);
    else if (!(r->left = tacit__alloc_array((size_t)classes, sizeof *r->left)))
        status = tacit__nomem(err);
    else
        status = rows_left(r->left, r, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t b = 0; solution->boxes && b < solution->boxes->count; b++)
        r->suppressed += is_starred(r, b) ? r->boxes.rows[b] : 0;
    for (int64_t c = 0; r->left && c < classes; c++)
        r->suppressed += solution->classes->groups.rows[c] - r->left[c];
    bool dropped = r->application ? r->application->row_count < r->rows : options->drop_suppressed;
    r->released = dropped ? r->rows - r->suppressed : r->rows;
    return TACIT_OK;
}

tacit_status tacit_metrics_of(tacit_metrics *out, const tacit_solution *solution,
                              const tacit_application *application, const tacit_frame *frame,
                              const tacit_records_options *options, const tacit_run *run,
                              tacit_error *err)
{
    tacit__metrics_measured r = {.solution = solution,
                                 .application = application,
                                 .frame = frame,
                                 .run = run,
                                 .rows = tacit_table_rows(frame->table)};
    tacit_status status = measured_init(&r, options, err);
    tacit_metrics m = {.rows = r.rows, .suppressed_rows = r.suppressed};
    if (!solution->boxes) /* outliers are whole classes: their rows are known from the solution */
        m.complementary_rows = r.suppressed - (solution->suppressed_rows - solution->complementary);
    if (status == TACIT_OK)
        status = tacit__measure_cells(&m, &r, err);
    if (status == TACIT_OK)
        status = measure_classes(&m, &r, options->k, err);
    tacit__box_counts_clear(&r.boxes);
    tacit__free(r.left);
    if (status == TACIT_OK)
        *out = m;
    return status;
}
