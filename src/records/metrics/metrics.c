/*
 * metrics.c - what a release is worth and how it looks: metrics by name, their values, the sizes
 * of classes and the size of the lattice.
 *
 * The metrics are the precision metrics of section 5.4 of Sweeney, Computational Disclosure
 * Control, and those in common use today. Everything about classes is one pass over them. In a
 * cell-level release a class is a box.
 *
 * Which people of a class that is suppressed in part are drawn is known only once a solution has
 * been applied. It matters where they have several rows each; a solution that has not been applied
 * is measured with the average of the class.
 *
 * Metrics that look at cells: Prec (5.4 of Sweeney, Computational Disclosure Control), granularity
 * and loss, non-uniform entropy, suppressed cells. All of them follow from how many rows are
 * released as which value, an attribute at a time: a histogram over the values of all levels.
 * Where attributes are on one level each, it comes from the frequencies of the ground values;
 * otherwise from the boxes. So there is one counting a column, and no other pass over the rows.
 *
 * A cell of a suppressed row counts as the most general value, whatever the hierarchy's top is
 * called. How a release looks: the sizes of its classes, the levels its cells are on, and its
 * largest class as an example. For reports of what was done. Linear in the classes of the
 * solution.
 *
 * How large the lattice of generalizations is: Equation 1 and Theorem 4 of Sweeney, Computational
 * Disclosure Control, section 5.3. The metrics by name, and which way each of them is better.
 */
#include <math.h>
#include <string.h>

#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/apply/boxes.h"
#include "records/apply/cut.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"

/* A metric that is a mean over cells is a file that defines tacit__cell_metric_NAME, and its name
 * here. */
#define FOR_EACH_CELL_METRIC(X) X(suppression)

#define DECLARE_CELL_METRIC(name)    extern const tacit__cell_metric tacit__cell_metric_##name;
#define ADDRESS_OF_CELL_METRIC(name) &tacit__cell_metric_##name,

FOR_EACH_CELL_METRIC(DECLARE_CELL_METRIC)

static const tacit__cell_metric *const LISTED[] = {FOR_EACH_CELL_METRIC(ADDRESS_OF_CELL_METRIC)};
enum { LISTED_COUNT = sizeof LISTED / sizeof LISTED[0] };
_Static_assert(LISTED_COUNT <= (int)TACIT_MAX_LISTED_METRICS, "tacit_metrics has a place for each");

const tacit__cell_metric *tacit__cell_metric_of(tacit_metric metric)
{
    return metric < TACIT_METRIC_LISTED ? NULL : LISTED[metric - TACIT_METRIC_LISTED];
}

tacit_metric tacit_metric_count(void)
{
    return TACIT_METRIC_LISTED + LISTED_COUNT;
}

static const struct {
    const char *name;
    const char *summary;
} METRICS[TACIT_METRIC_LISTED] = {
    [TACIT_METRIC_PREC] = {"prec", "Prec: one minus the mean of level over height"},
    [TACIT_METRIC_WEIGHTED] = {"weighted", "the same with the columns' weights"},
    [TACIT_METRIC_GRANULARITY] = {"granularity",
                                  "one minus the mean share of a hierarchy's leaves that a cell "
                                  "hides"},
    [TACIT_METRIC_LOSS] = {"loss", "geometric mean over columns of that share"},
    [TACIT_METRIC_DISCERNIBILITY] = {"discernibility", "sum of squared class sizes"},
    [TACIT_METRIC_AVERAGE] = {"average", "average class size over k"},
    [TACIT_METRIC_ENTROPY] = {"entropy", "non-uniform entropy: share of the information lost"},
    [TACIT_METRIC_HEIGHT] = {"height", "sum of levels"},
};

const char *tacit_metric_name(tacit_metric metric)
{
    const tacit__cell_metric *listed = tacit__cell_metric_of(metric);
    return listed ? listed->name : METRICS[metric].name;
}

const char *tacit_metric_summary(tacit_metric metric)
{
    const tacit__cell_metric *listed = tacit__cell_metric_of(metric);
    return listed ? listed->summary : METRICS[metric].summary;
}

tacit_metric tacit_metric_find(const char *name)
{
    tacit_metric metric = 0;
    while (metric < tacit_metric_count() && strcmp(tacit_metric_name(metric), name) != 0)
        metric++;
    return metric;
}

double tacit_metrics_value(const tacit_metrics *metrics, tacit_metric metric)
{
    const double values[TACIT_METRIC_LISTED] = {
        [TACIT_METRIC_PREC] = metrics->precision,
        [TACIT_METRIC_WEIGHTED] = metrics->precision_weighted,
        [TACIT_METRIC_GRANULARITY] = metrics->granularity,
        [TACIT_METRIC_LOSS] = metrics->loss,
        [TACIT_METRIC_DISCERNIBILITY] = metrics->discernibility,
        [TACIT_METRIC_AVERAGE] = metrics->average_class_ratio,
        [TACIT_METRIC_ENTROPY] = metrics->entropy,
        [TACIT_METRIC_HEIGHT] = metrics->height,
    };
    return metric < TACIT_METRIC_LISTED ? values[metric]
                                        : metrics->listed[metric - TACIT_METRIC_LISTED];
}

double tacit_metric_of_cost(tacit_metric metric, double cost)
{
    bool more_is_better = metric <= TACIT_METRIC_GRANULARITY;
    return more_is_better ? 1 - cost : cost;
}

double tacit_metrics_cost(const tacit_metrics *metrics, tacit_metric metric)
{
    return tacit_metric_of_cost(metric, tacit_metrics_value(metrics, metric)); /* its own inverse */
}

double tacit_lattice_size(const int *heights, int32_t count)
{
    double size = 1;
    for (int32_t i = 0; i < count; i++)
        size *= heights[i] + 1;
    return size;
}

/* (p1 + p2 + ...)! / (p1! p2! ...) as a product of quotients. Multiplying
 * before dividing keeps every intermediate result a whole number, so the answer
 * is exact as long as a double holds it; beyond that only the size matters, and
 * dividing first puts off the overflow. */
double tacit_lattice_strategies(const int *heights, int32_t count)
{
    const double exact = 0x1p40;
    double strategies = 1, steps = 0;
    for (int32_t i = 0; i < count; i++)
        for (int j = 1; j <= heights[i]; j++) {
            steps++;
            strategies = strategies < exact ? strategies * steps / j : strategies * (steps / j);
        }
    return strategies;
}

/* One attribute's cells: rows that are released as each value of each level, the
 * suppressed ones not among them, and rows of the table under each value. */
typedef struct histogram {
    const tacit_attribute *about;
    const tacit_hierarchy *hierarchy;
    int32_t attribute;
    int height;
    uint32_t codes;   /* of the column, missing among them */
    uint32_t *ground; /* rows of each code */
    int64_t suppressed;
    uint64_t *memory;
    uint64_t *released[TACIT_MAX_LEVELS];
    uint64_t *under[TACIT_MAX_LEVELS];
    uint32_t values[TACIT_MAX_LEVELS];
} histogram;

static void histogram_clear(histogram *h)
{
    tacit__free(h->ground);
    tacit__free(h->memory);
}

static tacit_status allocate_histogram(histogram *h, const tacit__metrics_measured *r,
                                       tacit_error *err)
{
    size_t all = 0, at = 0;
    for (int level = 0; level <= h->height; level++) {
        h->values[level] = tacit__distinct_on(r->frame, h->attribute, level);
        all += h->values[level];
    }
    h->memory = tacit__alloc_zeroed(2 * all, sizeof *h->memory);
    if (!h->memory)
        return tacit__nomem(err);
    for (int level = 0; level <= h->height; level++) {
        h->released[level] = h->memory + at;
        h->under[level] = h->memory + all + at;
        at += h->values[level];
    }
    return TACIT_OK;
}

static void count_under(histogram *h)
{
    for (int level = 0; level <= h->height; level++) {
        const uint32_t *map = tacit_hierarchy_map(h->hierarchy, level);
        for (uint32_t code = 0; code < h->codes; code++)
            if (h->ground[code])
                h->under[level][map[code]] += h->ground[code];
    }
}

/* Everything on one level, without what the suppressed rows had. */
static void release_level(histogram *h, const tacit__metrics_measured *r)
{
    const tacit_classes *classes = r->solution->classes;
    int level = r->solution->levels[h->attribute];
    for (uint32_t i = 0; i < h->values[level]; i++)
        h->released[level][i] = h->under[level][i];
    for (int64_t c = 0; c < classes->groups.count; c++)
        if (r->left[c] < classes->groups.rows[c])
            h->released[level][tacit_classes_code(classes, c, h->attribute)] -=
                classes->groups.rows[c] - r->left[c];
    h->suppressed = r->suppressed;
}

static void release_boxes(histogram *h, const tacit__metrics_measured *r)
{
    const tacit_boxes *boxes = r->solution->boxes;
    for (int64_t b = 0; b < boxes->count; b++) {
        int64_t at = b * r->frame->attribute_count + h->attribute;
        h->released[boxes->levels[at]][boxes->numbers[at]] += r->boxes.rows[b];
    }
}

static tacit_status histogram_init(histogram *h, const tacit__metrics_measured *r,
                                   int32_t attribute, tacit_error *err)
{
    const tacit_attribute *about = &r->frame->attributes[attribute];
    *h = (histogram){.about = about,
                     .hierarchy = about->hierarchy,
                     .attribute = attribute,
                     .height = tacit_hierarchy_height(about->hierarchy),
                     .codes = tacit_table_distinct(r->frame->table, about->column) + 1};
    tacit_status status = tacit__ground_counts(&h->ground, r->frame, attribute, r->run, err);
    if (status == TACIT_OK)
        status = allocate_histogram(h, r, err);
    if (status != TACIT_OK) {
        histogram_clear(h);
        return status;
    }
    count_under(h);
    if (r->solution->boxes)
        release_boxes(h, r);
    else
        release_level(h, r);
    return TACIT_OK;
}

/* Sums over one attribute's cells. */
typedef struct sums {
    double levels;    /* of cells that are not suppressed */
    double distorted; /* level over height */
    double hidden;    /* share of the leaves */
    double bits_lost;
    double bits_at_most;
    double listed[LISTED_COUNT];
    int64_t stars;
} sums;

bool tacit__is_star(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    return level > 0 && number < tacit_hierarchy_count(hierarchy, level) &&
           tacit_strview_equal(tacit_hierarchy_label(hierarchy, level, number),
                               tacit_hierarchy_suppressed());
}

static void add_level(sums *s, const histogram *h, int level)
{
    double rows = 0;
    for (uint32_t i = 0; i < h->values[level]; i++) {
        double released = (double)h->released[level][i];
        if (released == 0)
            continue;
        rows += released;
        s->hidden += released * tacit__hidden_leaves(h->hierarchy, level, i);
        s->bits_lost += released * log2((double)h->under[level][i]);
        for (int m = 0; m < LISTED_COUNT; m++)
            s->listed[m] += released * LISTED[m]->cost(h->about, level, i);
        if (tacit__is_star(h->hierarchy, level, i))
            s->stars += (int64_t)h->released[level][i];
    }
    s->levels += level * rows;
    s->distorted += h->height > 0 ? (double)level / h->height * rows : 0;
}

static sums add_up(const histogram *h, const tacit__metrics_measured *r)
{
    sums s = {0};
    for (int level = 0; level <= h->height; level++)
        add_level(&s, h, level);
    double suppressed = (double)h->suppressed;
    s.distorted += suppressed;
    s.hidden += suppressed * tacit__hidden_leaves(h->hierarchy, h->height, 0);
    s.bits_lost += suppressed * log2((double)r->rows);
    for (int m = 0; m < LISTED_COUNT; m++)
        s.listed[m] += suppressed;
    double own = 0;
    for (uint32_t code = 0; code < h->codes; code++)
        if (h->ground[code]) {
            own += h->ground[code] * log2((double)h->ground[code]);
            s.bits_at_most += h->ground[code] * log2((double)r->rows / h->ground[code]);
        }
    s.bits_lost -= own;
    return s;
}

/* Losses of the whole release, attribute by attribute. */
typedef struct losses {
    double distorted, weighted, hidden, factors, bits_lost, bits_at_most, levels;
    double listed[LISTED_COUNT];
    int64_t stars;
} losses;

static void add_attribute(losses *all, const sums *s, double weight, double rows)
{
    all->distorted += s->distorted;
    all->weighted += s->distorted * weight;
    all->hidden += s->hidden;
    all->factors += rows > 0 ? log1p(s->hidden / rows) : 0;
    all->bits_lost += s->bits_lost;
    all->bits_at_most += s->bits_at_most;
    all->levels += s->levels;
    all->stars += s->stars;
    for (int m = 0; m < LISTED_COUNT; m++)
        all->listed[m] += s->listed[m];
}

static double mean_height(const losses *all, const tacit__metrics_measured *r)
{
    double sum = 0;
    for (int32_t a = 0; a < r->frame->attribute_count; a++)
        sum += r->solution->levels[a];
    return r->solution->boxes && r->rows > 0 ? all->levels / (double)r->rows : sum;
}

static void conclude(tacit_metrics *m, const losses *all, const tacit__metrics_measured *r)
{
    int32_t count = r->frame->attribute_count;
    double cells = (double)r->rows * count;
    m->precision = cells > 0 ? 1 - all->distorted / cells : 1;
    m->precision_weighted = cells > 0 ? 1 - all->weighted / cells : 1;
    m->granularity = cells > 0 ? 1 - all->hidden / cells : 1;
    m->loss = expm1(all->factors / count);
    m->entropy = all->bits_at_most > 0 ? all->bits_lost / all->bits_at_most : 0;
    m->height = mean_height(all, r);
    for (int i = 0; i < LISTED_COUNT; i++)
        m->listed[i] = cells > 0 ? all->listed[i] / cells : 0;
    m->suppressed_cells = all->stars + (r->solution->boxes ? 0 : r->suppressed * count);
}

/* Fills in the metrics that are about cells. */
static tacit_status measure_cells(tacit_metrics *m, const tacit__metrics_measured *r,
                                  tacit_error *err)
{
    double weights[TACIT_MAX_ATTRIBUTES];
    losses all = {0};
    tacit__weights(weights, r->frame);
    for (int32_t a = 0; a < r->frame->attribute_count; a++) {
        histogram h;
        tacit_status status = histogram_init(&h, r, a, err);
        if (status != TACIT_OK)
            return status;
        sums s = add_up(&h, r);
        add_attribute(&all, &s, weights[a], (double)r->rows);
        histogram_clear(&h);
    }
    conclude(m, &all, r);
    return TACIT_OK;
}

static uint32_t people_in(const tacit__box_counts *counts, int64_t box)
{
    return counts->people ? counts->people[box] : counts->rows[box];
}

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
        people += is_starred(r, b) ? people_in(&r->boxes, b) : 0;
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
static bool is_starred_on(const tacit__metrics_measured *r, const uint64_t *set, int64_t class)
{
    const tacit_solution *solution = r->solution;
    bool starred = true;
    for (int32_t a = 0; a < r->frame->attribute_count && starred; a++)
        if (tacit__in_set(set, a))
            starred = tacit__is_star(r->frame->attributes[a].hierarchy, solution->levels[a],
                                     tacit_classes_code(solution->classes, class, a));
    return starred;
}

/* The groups of one of several quasi-identifiers. Suppressed rows are one of them, with the rows
 * that are "*" on all its attributes anyway. */
static void measure_set(tacit_metrics *m, const tacit__metrics_measured *r,
                        const tacit__cut_set *set, const uint64_t *attributes)
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
    tacit_status status = tacit__cut_begin(&cut, r->frame, classes, 1, r->run, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t c = 0; c < classes->groups.count; c++)
        if (suppressed[c] == tacit_classes_people(classes, c))
            tacit__cut_take(&cut, c);
    for (int32_t s = 0; status == TACIT_OK && s < r->frame->set_count; s++) {
        tacit__cut_set set;
        status = tacit__cut_set_open(&set, &cut, s, err);
        if (status != TACIT_OK)
            break;
        for (int64_t c = 0; c < classes->groups.count; c++)
            if (!tacit__bit_get(cut.gone, c))
                set.people[set.group_of[c]] -= (uint32_t)suppressed[c];
        measure_set(m, r, &set, tacit__frame_set(r->frame, s));
        tacit__cut_set_close(&set);
    }
    m->sets = r->frame->set_count;
    tacit__cut_clear(&cut);
    return status;
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
            note_size(m, people_in(&r->boxes, b));
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
                                 .rows = tacit__frame_rows(frame)};
    tacit_status status = measured_init(&r, options, err);
    tacit_metrics m = {.rows = r.rows, .suppressed_rows = r.suppressed};
    if (!solution->boxes) /* outliers are whole classes: their rows are known from the solution */
        m.complementary_rows = r.suppressed - (solution->suppressed_rows - solution->complementary);
    if (status == TACIT_OK)
        status = measure_cells(&m, &r, err);
    if (status == TACIT_OK)
        status = measure_classes(&m, &r, options->k, err);
    tacit__box_counts_clear(&r.boxes);
    tacit__free(r.left);
    if (status == TACIT_OK)
        *out = m;
    return status;
}

/* What is left of each class. Where only some people of a class are suppressed,
 * their rows are taken as average. */
static void add_left(tacit_size_bins *bins, const tacit_solution *solution)
{
    for (int64_t i = 0; i < solution->classes->groups.count; i++) {
        int64_t people = tacit_classes_people(solution->classes, i);
        int64_t left = people - solution->suppressed[i];
        double share = people > 0 ? (double)left / (double)people : 0;
        double rows = (double)tacit_classes_size(solution->classes, i) * share;
        if (left > 0)
            tacit_size_bins_add(bins, left, (int64_t)(rows + 0.5));
    }
}

static tacit_status add_boxes(tacit_size_bins *bins, const tacit_solution *solution,
                              bool drop_suppressed, const tacit_frame *frame, const tacit_run *run,
                              tacit_error *err)
{
    tacit__box_counts counts;
    tacit_status status = tacit__box_counts_init(&counts, solution, frame, run, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t b = 0; b < solution->boxes->count; b++)
        if (counts.rows[b] > 0 &&
            !(drop_suppressed && tacit__box_is_starred(solution->boxes, frame, b)))
            tacit_size_bins_add(bins, people_in(&counts, b), counts.rows[b]);
    tacit__box_counts_clear(&counts);
    return TACIT_OK;
}

tacit_status tacit_size_bins_add_release(tacit_size_bins *bins, const tacit_solution *solution,
                                         const tacit_metrics *metrics, bool drop_suppressed,
                                         const tacit_frame *frame, const tacit_run *run,
                                         tacit_error *err)
{
    if (solution->boxes)
        return add_boxes(bins, solution, drop_suppressed, frame, run, err);
    add_left(bins, solution);
    if (metrics->suppressed_rows > 0 && !drop_suppressed)
        tacit_size_bins_add(bins, metrics->suppressed_people, metrics->suppressed_rows);
    return TACIT_OK;
}

/* Rows of a class that leave in its own box. */
static void class_levels(int64_t *rows, const tacit_boxes *boxes, int64_t box, int64_t count,
                         int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        rows[a * TACIT_MAX_LEVELS + boxes->levels[box * attributes + a]] += count;
}

void tacit_solution_level_rows(int64_t *rows, const tacit_solution *solution)
{
    const tacit_boxes *boxes = solution->boxes;
    int32_t attributes = solution->attribute_count;
    for (int32_t i = 0; i < attributes * TACIT_MAX_LEVELS; i++)
        rows[i] = 0;
    for (int32_t a = 0; !boxes && a < attributes; a++)
        rows[a * TACIT_MAX_LEVELS + solution->levels[a]] = tacit_classes_rows(solution->classes);
    if (!boxes)
        return;
    for (int64_t c = 0; c < solution->classes->groups.count; c++)
        class_levels(rows, boxes, boxes->box_of[c], solution->classes->groups.rows[c], attributes);
    for (int64_t i = 0; i < boxes->part_count; i++) {
        const tacit_part *part = &boxes->parts[i];
        class_levels(rows, boxes, part->box, part->people, attributes);
        class_levels(rows, boxes, boxes->box_of[part->class_index], -part->people, attributes);
    }
}

static int64_t largest_class(const tacit_solution *solution)
{
    int64_t chosen = -1, most = 0;
    for (int64_t i = 0; i < solution->classes->groups.count; i++) {
        int64_t left = tacit_classes_people(solution->classes, i) - solution->suppressed[i];
        if (left > most) {
            most = left;
            chosen = i;
        }
    }
    return chosen;
}

/* Suppressed rows are no example where there is another. */
static tacit_status largest_box(int64_t *chosen, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err)
{
    tacit__box_counts counts;
    tacit_status status = tacit__box_counts_init(&counts, solution, frame, run, err);
    if (status != TACIT_OK)
        return status;
    uint32_t most = 0;
    for (int64_t b = 0; b < solution->boxes->count; b++) {
        bool starred = tacit__box_is_starred(solution->boxes, frame, b);
        uint32_t people = starred ? 0 : people_in(&counts, b);
        if (people > most || *chosen < 0) {
            most = people;
            *chosen = b;
        }
    }
    tacit__box_counts_clear(&counts);
    return TACIT_OK;
}

/* A value's label, where it is not left as it is. */
static tacit_strview label_at(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level))
        return (tacit_strview){0};
    return tacit_hierarchy_label(hierarchy, level, number);
}

tacit_status tacit_solution_example(tacit_strview *labels, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err)
{
    const tacit_boxes *boxes = solution->boxes;
    int64_t chosen = -1;
    tacit_status status = TACIT_OK;
    if (boxes)
        status = largest_box(&chosen, solution, frame, run, err);
    else
        chosen = largest_class(solution);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        int64_t at = chosen * frame->attribute_count + a;
        if (chosen < 0)
            labels[a] = (tacit_strview){0};
        else if (boxes)
            labels[a] = label_at(hierarchy, boxes->levels[at], boxes->numbers[at]);
        else
            labels[a] = label_at(hierarchy, solution->levels[a],
                                 tacit_classes_code(solution->classes, chosen, a));
    }
    return status;
}
