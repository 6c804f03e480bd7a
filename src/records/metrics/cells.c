/*
 * cells.c - metrics that look at cells: Prec (5.4 of Sweeney,
 * Computational Disclosure Control), granularity and loss, non-uniform entropy,
 * suppressed cells.
 *
 * All of them follow from how many rows are released as which value, an
 * attribute at a time: a histogram over the values of all levels. Where
 * attributes are on one level each, it comes from the frequencies of the ground
 * values; otherwise from the boxes. So there is one counting a column, and no
 * other pass over the rows.
 *
 * A cell of a suppressed row counts as the most general value, whatever the
 * hierarchy's top is called.
 */
#include "records/metrics/cells.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"

/* One attribute's cells: rows that are released as each value of each level, the
 * suppressed ones not among them, and rows of the table under each value. */
typedef struct histogram {
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

static tacit_status allocate(histogram *h, const tacit__metrics_measured *r, tacit_error *err)
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
    *h = (histogram){.hierarchy = about->hierarchy,
                     .attribute = attribute,
                     .height = tacit_hierarchy_height(about->hierarchy),
                     .codes = tacit_table_distinct(r->frame->table, about->column) + 1};
    tacit_status status = tacit__ground_counts(&h->ground, r->frame, attribute, r->run, err);
    if (status == TACIT_OK)
        status = allocate(h, r, err);
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
}

static double height_of(const losses *all, const tacit__metrics_measured *r)
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
    m->height = height_of(all, r);
    m->suppressed_cells = all->stars + (r->solution->boxes ? 0 : r->suppressed * count);
}

tacit_status tacit__measure_cells(tacit_metrics *m, const tacit__metrics_measured *r,
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
