/*
 * every_node.h - the best release of a lattice by looking at every node of it, row by
 * row: what mingen is compared with. Counts, suppresses and measures by itself; of the
 * library it uses hierarchies and nothing else. Sets of rows, and of people, are bits
 * of a word.
 */
#ifndef TACIT_TESTS_SUPPORT_EVERY_NODE_H
#define TACIT_TESTS_SUPPORT_EVERY_NODE_H

#include <tacit/experimental/uniques.h>

#include "models.h"

enum { EVERY_ROWS = 40, EVERY_ATTRIBUTES = 4, EVERY_NODES = 1024 };

/* A node, and what becomes of the table there. */
typedef struct every_node {
    int levels[EVERY_ATTRIBUTES];
    bool feasible;
    bool drawn; /* people with several rows are drawn from a class: costs are at most these */
    int suppressed;
    int distinct;
    double costs[TACIT_MAX_METRICS];
} every_node;

typedef struct every {
    const fixture *f;
    const fixture *people; /* the register; NULL: none */
    tacit_records_options options;
    int rows, attributes, set_count;
    uint64_t sets[8];
    bool whole; /* one set has every attribute */
    int heights[EVERY_ATTRIBUTES];
    uint64_t person[EVERY_ROWS]; /* a bit: the first row of his */
    int count;
    every_node nodes[EVERY_NODES];
    /* the node at hand: */
    const int *levels;
    uint64_t class[EVERY_ROWS]; /* the rows that are like this one */
    uint64_t group[8][EVERY_ROWS];
    uint64_t gone;
    int part; /* a row of the class that loses some; -1: none */
    int part_people, part_rows;
} every;

static inline int every_size(uint64_t rows)
{
    return __builtin_popcountll(rows);
}

/* The people behind some rows. */
static inline uint64_t every_people(const every *e, uint64_t rows)
{
    uint64_t people = 0;
    for (; rows; rows &= rows - 1)
        people |= e->person[__builtin_ctzll(rows)];
    return people;
}

static inline uint64_t every_like(const every *e, int row, uint64_t set)
{
    uint64_t rows = 0;
    for (int i = 0; i < e->rows; i++)
        if (same_on(e->f, row, i, set, e->levels))
            rows |= UINT64_C(1) << i;
    return rows;
}

static inline void every_stand(every *e, const int *levels)
{
    e->levels = levels;
    for (int i = 0; i < e->rows; i++) {
        e->class[i] = every_like(e, i, UINT64_MAX);
        for (int s = 0; s < e->set_count; s++)
            e->group[s][i] = every_like(e, i, e->sets[s]);
    }
}

/* ---- suppression ---- */

/* Takes rows out until every group that is left has k people. */
static inline void every_cut(every *e)
{
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < e->rows; i++)
            for (int s = 0; s < e->set_count && !(e->gone >> i & 1); s++)
                if (every_size(every_people(e, e->group[s][i] & ~e->gone)) < e->options.k) {
                    e->gone |= UINT64_C(1) << i;
                    again = true;
                }
    }
}

static inline bool every_has_models(const every *e)
{
    return e->f->frame.model_count > 0;
}

/* Whether nobody of the register may be known to be absent. */
static inline bool every_wants_all(const every *e)
{
    bool all = false;
    for (int32_t i = 0; i < e->f->frame.model_count; i++)
        all |= e->f->frame.models[i].bound.kind == TACIT_MODEL_PRESENCE &&
               e->f->frame.models[i].bound.second > TACIT_MODEL_TOLERANCE;
    return all;
}

/* Whether nothing may be suppressed: where presence is promised, people under a class that
 * is left out would be known to be absent, and suppressed rows, who could be anybody, be
 * taken together with others in one of several quasi-identifiers. */
static inline bool every_keeps_rows(const every *e)
{
    bool presence = false;
    for (int32_t i = 0; i < e->f->frame.model_count; i++)
        presence |= e->f->frame.models[i].bound.kind == TACIT_MODEL_PRESENCE;
    return (presence && e->set_count > 1) || (every_wants_all(e) && e->options.drop_suppressed);
}

/* People of the register under the classes. */
static inline int64_t every_covered(const every *e)
{
    int64_t people = 0;
    for (int i = 0; i < e->rows; i++)
        if (__builtin_ctzll(e->class[i]) == i)
            people += naive_under(e->people, e->f, i, e->levels);
    return people;
}

/* Whether some rows, as a class on these levels, break a model. */
static inline bool every_breaks(const every *e, uint64_t rows, const int *levels)
{
    static rows_list list;
    list.count = 0;
    for (; rows; rows &= rows - 1)
        list.rows[list.count++] = __builtin_ctzll(rows);
    for (int32_t i = 0; i < e->f->frame.model_count; i++)
        if (!naive_keeps(e->f, e->people, &list, levels, &e->f->frame.models[i]))
            return true;
    return false;
}

/* Takes out the classes that break a model, and what falls with them. */
static inline void every_cut_models(every *e)
{
    if (!every_has_models(e))
        return;
    bool absent = every_wants_all(e) && every_covered(e) < tacit_table_rows(e->people->table);
    for (int i = 0; i < e->rows; i++)
        if (absent || every_breaks(e, e->class[i], e -> levels))
            e->gone |= UINT64_C(1) << i;
    every_cut(e);
}

/* Whether row a's values come before those of row b. */
static inline bool every_before(const every *e, int a, int b)
{
    for (int i = 0; i < e->attributes; i++) {
        uint32_t x = value_on(e->f, a, i, e->levels[i]), y = value_on(e->f, b, i, e->levels[i]);
        if (x != y)
            return x < y;
    }
    return false;
}

/* A row of the class that complementary suppression takes from: it has somebody who
 * is not gone yet. */
static inline int every_choose(const every *e)
{
    int best = -1, most = 0;
    uint64_t gone = every_people(e, e->gone);
    for (int i = 0; i < e->rows; i++) {
        uint64_t people = every_people(e, e->class[i]);
        int count = every_size(people);
        if (e->gone >> i & 1 || !(people & ~gone))
            continue;
        bool better = e->options.complement_largest ? count > most : count < most;
        if (best < 0 || better || (count == most && every_before(e, i, best))) {
            best = i;
            most = count;
        }
    }
    return best;
}

/* Whether the class can lose so many people and it, and its groups, keep k. */
static inline bool every_can_part(const every *e, int row, int people)
{
    int left = every_size(every_people(e, e->class[row])) - people;
    if (every_has_models(e))
        return false;
    if (e->whole)
        return left >= e->options.k;
    for (int s = 0; s < e->set_count; s++)
        if (e->f->frame.person >= 0 ||
            every_size(e->group[s][row] & ~e->gone) - people < e->options.k)
            return false;
    return left >= 1;
}

/* The most rows that so many people of the class can have. */
static inline int every_max_rows(const every *e, int row, int people)
{
    uint64_t taken = every_people(e, e->gone);
    int rows = 0;
    for (; people > 0; people--) {
        uint64_t best = 0;
        int most = 0;
        for (int i = 0; i < e->rows; i++) {
            int own = 0;
            for (int j = 0; j < e->rows; j++)
                own += (e->class[row] >> j & 1) && e->person[j] == e->person[i];
            if (!(taken & e->person[i]) && own > most) {
                best = e->person[i];
                most = own;
            }
        }
        taken |= best;
        rows += most;
    }
    return rows;
}

/* Whether suppressed rows then keep what is promised. */
static inline bool every_complement(every *e)
{
    e->part = -1;
    e->part_people = e->part_rows = 0;
    for (;;) {
        int people = every_size(every_people(e, e->gone)), wanted = (int)e->options.k - people;
        if (people == 0 || (wanted <= 0 && !every_breaks(e, e->gone, e->heights)))
            return true;
        int row = every_choose(e);
        if (row < 0)
            return false;
        if (every_can_part(e, row, wanted)) {
            e->part = row;
            e->part_people = wanted;
            e->part_rows = every_max_rows(e, row, wanted);
            return true;
        }
        e->gone |= e->class[row];
        every_cut(e);
    }
}

/* ---- bounds on the whole release ---- */

/* People of each group of a set that has rows left, into sizes; how many groups. */
static inline int every_sizes(uint32_t *sizes, const every *e, int set, uint64_t out)
{
    int count = 0;
    for (int i = 0; i < e->rows; i++) {
        uint64_t left = e->group[set][i] & ~out;
        if (left && __builtin_ctzll(left) == i) {
            int people = every_size(every_people(e, left));
            if (e->f->frame.person >= 0 && e->part >= 0 && (e->group[set][i] & e->class[e->part]))
                people = every_size(every_people(e, e->group[set][i] & ~e->gone)) - e->part_people;
            if (people > 0)
                sizes[count++] = (uint32_t)people;
        }
    }
    return count;
}

static inline bool every_keeps_average(const every *e, const uint32_t *sizes, int count, int gone)
{
    double most = e->f->frame.risks.average + 1e-9, people = 0;
    for (int i = 0; i < count; i++)
        people += sizes[i];
    if (count > 0 && count / people > most)
        return false;
    if (gone == 0 || e->options.drop_suppressed)
        return true;
    if (e->f->frame.person < 0 || count == 0)
        people += gone;
    return (count + 1) / people <= most;
}

static inline bool every_keeps_unique(const every *e, uint32_t *sizes, int count, int gone)
{
    const tacit_risk_bounds *bounds = &e->f->frame.risks;
    double share = 0;
    bool alone = false;
    for (int i = 0; i < count; i++)
        alone |= sizes[i] == 1;
    for (int i = 0; i < gone; i++)
        sizes[count++] = 1;
    assert_int_equal(
        tacit_uniqueness_of(&share, sizes, count, bounds->model, bounds->fraction, NULL), TACIT_OK);
    return !alone || share <= bounds->unique;
}

/* Whether what `out` leaves keeps the bounds in some sets. */
static inline bool every_keeps_risks(const every *e, uint64_t out, int gone, bool average,
                                     bool unique)
{
    const tacit_risk_bounds *bounds = &e->f->frame.risks;
    bool keeps = true;
    for (int s = 0; s < e->set_count; s++) {
        uint32_t sizes[2 * EVERY_ROWS];
        int count = every_sizes(sizes, e, s, out);
        if (average && bounds->average > 0)
            keeps &= every_keeps_average(e, sizes, count, gone);
        if (unique && bounds->model != TACIT_UNIQUENESS_NONE)
            keeps &= every_keeps_unique(e, sizes, count, gone);
    }
    return keeps;
}

/* Takes out the class of the fewest people. */
static inline bool every_take_smallest(every *e)
{
    int best = -1, fewest = 0;
    for (int i = 0; i < e->rows; i++) {
        int people = every_size(every_people(e, e->class[i]));
        if (e->gone >> i & 1)
            continue;
        if (best < 0 || people < fewest || (people == fewest && every_before(e, i, best))) {
            best = i;
            fewest = people;
        }
    }
    if (best >= 0)
        e->gone |= e->class[best];
    return best >= 0;
}

/* Everybody alone, if too many seem unique; then the smallest classes for the average. */
static inline void every_cut_risks(every *e)
{
    uint64_t before = e->gone, alone = 0;
    int gone = every_size(every_people(e, before));
    bool unique = every_keeps_risks(e, before, gone, false, true);
    if (e->set_count > 1 || !e->whole)
        return;
    for (int i = 0; i < e->rows; i++)
        if (!(before >> i & 1) && every_size(every_people(e, e->class[i])) == 1)
            alone |= UINT64_C(1) << i;
    while (!every_keeps_risks(e, e->gone, every_size(every_people(e, e->gone)), true, false) &&
           every_take_smallest(e))
        ;
    if (!unique)
        e->gone |= alone;
}

/* ---- what it costs ---- */

/* Rows with the same value on a level. */
static inline double every_under(const every *e, int row, int attribute, int level)
{
    int rows = 0;
    for (int i = 0; i < e->rows; i++)
        rows += value_on(e->f, i, attribute, level) == value_on(e->f, row, attribute, level);
    return rows;
}

static inline double every_hidden(const every *e, int row, int attribute, int level)
{
    const tacit_hierarchy *h = e->f->hierarchies[attribute];
    uint32_t number = value_on(e->f, row, attribute, level);
    double all = tacit_hierarchy_leaves(h);
    if (level == 0 || number >= tacit_hierarchy_count(h, level) || all <= 1)
        return 0;
    return (tacit_hierarchy_leaves_under(h, level, number) - 1) / (all - 1);
}

/* Whether a cell leaves as "*": all of a suppressed row do. */
static inline bool every_starred(const every *e, int row, int attribute, int level)
{
    const tacit_hierarchy *h = e->f->hierarchies[attribute];
    uint32_t number = value_on(e->f, row, attribute, level);
    if (level == 0 || number >= tacit_hierarchy_count(h, level))
        return false;
    return tacit_strview_equal(tacit_hierarchy_label(h, level, number), tacit_strview_of("*"));
}

/* The weight given, or that of Equation 3, where an average attribute has 1. */
static inline double every_weight(const every *e, int attribute)
{
    double given = e->f->attributes[attribute].weight, heights = 0;
    for (int a = 0; a < e->attributes; a++)
        heights += e->heights[a];
    return given > 0 ? given : e->heights[attribute] * e->attributes / heights;
}

static inline void every_cells(every_node *n, const every *e, uint64_t out)
{
    double prec = 0, weighted = 0, hidden = 0, product = 1, lost = 0, most = 0, weights = 0;
    double starred = 0;
    for (int a = 0; a < e->attributes; a++)
        weights += every_weight(e, a);
    for (int a = 0; a < e->attributes; a++) {
        double weight = every_weight(e, a) / weights * e->attributes, own = 0;
        for (int i = 0; i < e->rows; i++) {
            int level = out >> i & 1 ? e->heights[a] : e->levels[a];
            double ground = every_under(e, i, a, 0);
            prec += (double)level / e->heights[a];
            weighted += weight * level / e->heights[a];
            own += every_hidden(e, i, a, level);
            lost += log2(every_under(e, i, a, level) / ground);
            most += log2(e->rows / ground);
            starred += out >> i & 1 || every_starred(e, i, a, level);
        }
        hidden += own;
        product *= 1 + own / e->rows;
    }
    double cells = e->rows * e->attributes;
    n->costs[TACIT_METRIC_PREC] = prec / cells;
    n->costs[TACIT_METRIC_WEIGHTED] = weighted / cells;
    n->costs[TACIT_METRIC_GRANULARITY] = hidden / cells;
    n->costs[TACIT_METRIC_LOSS] = pow(product, 1.0 / e->attributes) - 1;
    n->costs[TACIT_METRIC_ENTROPY] = most > 0 ? lost / most : 0;
    n->costs[tacit_metric_find("suppression")] = starred / cells;
}

static inline void every_classes(every_node *n, const every *e, uint64_t out)
{
    double discernibility = 0, released = e->rows;
    n->distinct = out && !e->options.drop_suppressed;
    for (int i = 0; i < e->rows; i++) {
        uint64_t left = e->class[i] & ~out;
        discernibility += out >> i & 1 ? e->rows : every_size(left);
        n->distinct += left && __builtin_ctzll(left) == i;
    }
    if (e->options.drop_suppressed)
        released -= every_size(out);
    n->costs[TACIT_METRIC_DISCERNIBILITY] = discernibility;
    n->costs[TACIT_METRIC_AVERAGE] =
        n->distinct ? released / n->distinct / (double)e->options.k : 0;
}

/* Suppressed rows if so many of the class that loses some are drawn. */
static inline uint64_t every_out(const every *e, int drawn)
{
    uint64_t out = e->gone, part = e->part >= 0 ? e->class[e->part] : 0;
    for (; drawn > 0; drawn--, part &= part - 1)
        out |= part & ~(part - 1);
    return out;
}

/* Costs at most, whoever is drawn. */
static inline void every_cost(every_node *n, const every *e, int drawn)
{
    double before[TACIT_MAX_METRICS];
    memcpy(before, n->costs, sizeof before);
    every_cells(n, e, every_out(e, drawn));
    every_classes(n, e, every_out(e, drawn));
    for (int m = 0; m < TACIT_MAX_METRICS; m++)
        n->costs[m] = fmax(n->costs[m], before[m]);
}

/* Looks at the node whose levels are set. */
static inline void every_look(every_node *n, every *e)
{
    int64_t limit = e->options.max_suppressed;
    every_stand(e, n->levels);
    if (limit < e->options.k || every_keeps_rows(e))
        limit = 0;
    e->gone = 0;
    every_cut(e);
    every_cut_models(e);
    e->part = -1;
    every_cut_risks(e);
    n->feasible = every_complement(e);
    n->feasible &=
        every_keeps_risks(e, every_out(e, e->part_people),
                          every_size(every_people(e, e->gone)) + e->part_people, true, true);
    n->suppressed = every_size(every_out(e, e->part_rows));
    n->feasible &= n->suppressed <= limit;
    n->drawn = e->part >= 0 && e->f->frame.person >= 0;
    for (int m = 0; m < TACIT_MAX_METRICS; m++)
        n->costs[m] = -INFINITY;
    every_cost(n, e, e->part_people);
    every_cost(n, e, e->part_rows);
    n->costs[TACIT_METRIC_HEIGHT] = 0;
    for (int a = 0; a < e->attributes; a++)
        n->costs[TACIT_METRIC_HEIGHT] += n->levels[a];
}

/* ---- the lattice ---- */

static inline void every_begin(every *e, const fixture *f, const fixture *people,
                               const tacit_records_options *options)
{
    uint64_t all = (UINT64_C(1) << f->frame.attribute_count) - 1;
    *e = (every){
        .f = f, .people = people, .options = *options, .rows = (int)tacit_table_rows(f->table)};
    e->attributes = f->frame.attribute_count;
    for (int a = 0; a < e->attributes; a++)
        e->heights[a] = tacit_hierarchy_height(f->hierarchies[a]);
    for (int i = 0; i < e->rows; i++) {
        int first = 0;
        while (person_of(f, first) != person_of(f, i))
            first++;
        e->person[i] = UINT64_C(1) << first;
    }
    for (int s = 0; f->frame.sets && s < f->frame.set_count; s++)
        e->sets[e->set_count++] = f->frame.sets[s];
    if (e->set_count == 0)
        e->sets[e->set_count++] = all;
    for (int s = 0; s < e->set_count; s++)
        e->whole |= (e->sets[s] & all) == all;
}

/* Looks at every node of what every_begin has set up. Options other than the metric
 * and the preference are not to change afterwards. */
static inline void every_walk(every *e)
{
    int levels[EVERY_ATTRIBUTES] = {0}, least[EVERY_ATTRIBUTES] = {0};
    for (int a = 0; a < e->attributes; a++) {
        least[a] = e->options.most_general ? e->heights[a] : e->f->attributes[a].least_level;
        levels[a] = least[a];
    }
    for (int a = 0; a >= 0;) {
        assert_true(e->count < EVERY_NODES);
        memcpy(e->nodes[e->count].levels, levels, sizeof levels);
        every_look(&e->nodes[e->count++], e);
        for (a = e->attributes - 1; a >= 0 && levels[a] == e->heights[a]; a--)
            levels[a] = least[a];
        if (a >= 0)
            levels[a]++;
    }
}

static inline bool every_below(const every *e, const every_node *a, const every_node *b)
{
    for (int i = 0; i < e->attributes; i++)
        if (a->levels[i] > b->levels[i])
            return false;
    return a != b;
}

/* Whether it is feasible and no node below it is. */
static inline bool every_is_minimal(const every *e, const every_node *n)
{
    for (int i = 0; i < e->count; i++)
        if (e->nodes[i].feasible && every_below(e, &e->nodes[i], n))
            return false;
    return n->feasible;
}

static inline bool every_better(const every_node *a, const every_node *b, tacit_metric metric,
                                tacit_preference prefer)
{
    double x = a->costs[metric], y = b->costs[metric];
    double levels = a->costs[TACIT_METRIC_HEIGHT] - b->costs[TACIT_METRIC_HEIGHT];
    int distinct = b->distinct - a->distinct;
    if (fabs(x - y) > 1e-9)
        return x < y;
    if (prefer == TACIT_PREFER_DISTINCT && distinct != 0)
        return distinct < 0;
    if (prefer != TACIT_PREFER_ORDER && levels != 0)
        return levels < 0;
    return prefer == TACIT_PREFER_LEVELS && distinct < 0;
}

/* The best node, the first in the order of levels among equals; NULL: none is feasible. */
static inline const every_node *every_best(const every *e, tacit_metric metric,
                                           tacit_preference prefer)
{
    const every_node *best = NULL;
    for (int i = 0; i < e->count; i++)
        if (e->nodes[i].feasible && (!best || every_better(&e->nodes[i], best, metric, prefer)))
            best = &e->nodes[i];
    return best;
}

#endif
