/*
 * node.c - what is to be known of a node once its classes are counted: how many rows k cuts off,
 * whether suppressing them stays within the limit, and what the release then costs.
 *
 * With one quasi-identifier whose rows are people each, and nothing promised beyond k, this is one
 * pass over the classes. What is suppressed is then what apply/cut.c suppresses: the classes below
 * k and, while these hold fewer than k people, some of the smallest (or largest) class that is
 * left. Otherwise apply/cut.c itself says so.
 *
 * Where people have several rows, those that are drawn from a class may have more or fewer. The
 * cost of a node is the most that this can come to, `least` the least.
 *
 * Promises beyond k at a node of the lattice. Models are asked of the classes on all attributes
 * together. Groups of one quasi-identifier among several are made of such classes, and what these
 * keep, they keep when they are joined. A class that breaks a model is suppressed whole. The
 * suppressed rows are a class as well: while they break a model, or are fewer than k people, the
 * smallest (or largest) class that is left follows, whole, too. All rows together are the last
 * resort.
 *
 * Sensitive values are counted once, for the classes of the lowest node; a node costs one look-up
 * for each of these, and what the models make of their values.
 *
 * What a node costs, and what a stretch of the lattice costs at least, for each metric. A bound is
 * about all nodes between a lowest one, `low`, and a highest one, `ceiling`, which has been
 * counted. Going up, (1) no cell gets cheaper, and (2) no row becomes an outlier that was none. By
 * (1) every node between costs what `low` costs without suppression, at least; by (2) it
 * suppresses the ceiling's outliers, at least. Both hold for every metric here:
 *
 *   prec, weighted,   Sums over cells. The mean cost of an attribute on a level follows
 *   granularity,      from its own value counts, so low needs no counting. The
 *   entropy, listed   ceiling's outliers cost the top instead: each adds at least what
 *                     it adds at the ceiling itself, and at least the distance from the
 *                     dearest value of low's level to the top.
 *   loss              The same for each attribute, put together by a product that
 *                     never falls in any of them.
 *   height            The sum of levels. Suppression costs nothing.
 *   discernibility    Joining classes never makes the sum of squares smaller: low's, if
 *                     it has been counted, or what one attribute's value counts leave
 *                     possible. Each of the ceiling's outliers costs all rows instead of
 *                     its class, which was no larger than at the ceiling. Only rows drawn
 *                     from a class of more than half of all rows make the sum smaller;
 *                     such a class alone costs a quarter of all that there can be.
 *   average           A class that is released holds a class of low that k keeps, or k
 *                     people of low's outliers; so low's count limits their number. Of
 *                     suppressed rows at most `limit` are left out.
 *
 * Costs are rounded to 2^-40, so that ties are ties whichever way they were added up;
 * discernibility is whole anyway.
 */
#include "records/mingen/mingen.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/classes.h"
#include "records/classes/elsewhere.h"

static bool is_cells(const tacit__prices *p)
{
    return (TACIT__CELL_METRICS >> p->metric & 1) != 0;
}

/* Means, dearest values and squares of one attribute, level by level, from how many
 * rows have each ground value. */
static void price_level(tacit__prices *p, const tacit__ladders *ladders, int32_t a, int level,
                        const int64_t *rows)
{
    double mean = 0, most = 0, squares = 0;
    for (uint32_t i = 0; i < ladders->values[a][level]; i++) {
        if (rows[i] == 0)
            continue;
        double cost = is_cells(p) ? p->costs.of[a][level][i] : level;
        mean += (double)rows[i] * cost;
        most = cost > most ? cost : most;
        squares += (double)rows[i] * (double)rows[i];
    }
    p->mean[a][level] = mean / p->rows;
    p->most[a][level] = most;
    p->squares[a][level] = squares;
}

static tacit_status price_attribute(tacit__prices *p, const tacit__mingen *g, int32_t a,
                                    const uint32_t *ground, tacit_error *err)
{
    int height = g->ladders.heights[a];
    for (int level = 0; level <= height; level++) {
        int64_t *rows = NULL;
        tacit_status status = tacit__rows_on(&rows, g, a, level, ground, err);
        if (status != TACIT_OK)
            return status;
        price_level(p, &g->ladders, a, level, rows);
        tacit__free(rows);
    }
    p->top[a] = is_cells(p) ? p->costs.suppressed[a] : 0;
    return TACIT_OK;
}

tacit_status tacit__prices_init(tacit__prices *prices, const tacit__mingen *g,
                                uint32_t *const *ground, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t attributes = (size_t)g->frame->attribute_count;
    prices->mean = tacit__alloc_zeroed(attributes, sizeof *prices->mean);
    prices->most = tacit__alloc_zeroed(attributes, sizeof *prices->most);
    prices->squares = tacit__alloc_zeroed(attributes, sizeof *prices->squares);
    prices->top = tacit__alloc_zeroed(attributes, sizeof *prices->top);
    if (!prices->mean || !prices->most || !prices->squares || !prices->top)
        return tacit__nomem(err);
    prices->metric = g->options->metric;
    prices->attributes = g->frame->attribute_count;
    prices->rows = (double)g->rows;
    prices->k = (double)g->options->k;
    prices->limit = (double)g->limit;
    prices->freed = g->limit == 0 ? 0 : g->plain ? prices->k - 1 : prices->limit;
    prices->dropped = g->options->drop_suppressed;
    prices->single = tacit__frame_is_single(g->frame);
    if (is_cells(prices))
        status = tacit__costs_init(&prices->costs, g->frame, prices->metric, g->run, err);
    for (int32_t a = 0; status == TACIT_OK && a < prices->attributes; a++)
        status = price_attribute(prices, g, a, ground[a], err);
    return status;
}

void tacit__prices_clear(tacit__prices *prices)
{
    tacit__costs_clear(&prices->costs);
    tacit__free(prices->mean);
    tacit__free(prices->most);
    tacit__free(prices->squares);
    tacit__free(prices->top);
}

/* An attribute's mean cost as a term of a sum, and the sum as a cost. */
static double term_of(const tacit__prices *p, double mean)
{
    return p->metric == TACIT_METRIC_LOSS ? log1p(mean * p->attributes) : mean;
}

static double together(const tacit__prices *p, double terms)
{
    return p->metric == TACIT_METRIC_LOSS ? expm1(terms / p->attributes) : terms - p->costs.offset;
}

static double rounded(const tacit__prices *p, double cost)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return cost;
    return ldexp(nearbyint(ldexp(cost, 40)), -40);
}

/* A bound a hair lower: the sums of bound and cost are not added up alike. */
static double safely(const tacit__prices *p, double bound)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return bound * (1 - 0x1p-40);
    return rounded(p, bound - 0x1p-44);
}

static double average_cost(const tacit__prices *p, double released, double classes)
{
    return classes > 0 ? released / classes / p->k : 0;
}

static double node_cost(const tacit__prices *p, const uint8_t *levels,
                        const tacit__outcome *outcome)
{
    double suppressed = (double)outcome->suppressed, terms = 0;
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return outcome->squares + suppressed * p->rows;
    if (p->metric == TACIT_METRIC_AVERAGE)
        return rounded(p, average_cost(p, p->dropped ? p->rows - suppressed : p->rows,
                                       (double)outcome->distinct));
    for (int32_t a = 0; a < p->attributes; a++)
        terms += term_of(p, p->mean[a][levels[a]] + outcome->cells[a]);
    return rounded(p, together(p, terms));
}

static double squares_at_least(const tacit__prices *p, const tacit__ladders *ladders,
                               const uint8_t *low)
{
    double combinations = tacit__combinations(ladders, low), best = 0;
    for (int32_t a = 0; a < p->attributes; a++) {
        double squares = p->squares[a][low[a]] * ladders->values[a][low[a]] / combinations;
        best = squares > best ? squares : best;
    }
    return best;
}

/* The most classes that a release of low or a node above can have. */
static double classes_at_most(const tacit__prices *p, const tacit__ladders *ladders,
                              const uint8_t *low, const tacit__mingen_node *node)
{
    double classes = node ? (double)node->classes : tacit__combinations(ladders, low);
    if (classes > p->rows)
        classes = p->rows;
    if (!p->single)
        return classes;
    double kept =
        node ? (double)node->kept + floor((double)node->outliers / p->k) : floor(p->rows / p->k);
    kept += p->dropped ? 0 : 1; /* the suppressed rows */
    return kept < classes ? kept : classes;
}

bool tacit__bound_needs_low(const tacit__prices *p)
{
    return p->metric == TACIT_METRIC_DISCERNIBILITY || p->metric == TACIT_METRIC_AVERAGE;
}

double tacit__bound_known(const tacit__prices *p, const tacit__ladders *ladders, const uint8_t *low,
                          const tacit__mingen_node *node)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return node ? node->squares : squares_at_least(p, ladders, low);
    if (p->metric != TACIT_METRIC_AVERAGE)
        return 0;
    return average_cost(p, p->dropped ? p->rows - p->limit : p->rows,
                        classes_at_most(p, ladders, low, node));
}

double tacit__bound_term(const tacit__prices *p, const tacit__mingen_node *ceiling,
                         int32_t attribute, int level)
{
    double share = p->metric == TACIT_METRIC_HEIGHT ? 0 : (double)ceiling->outliers / p->rows;
    double added = share * (p->top[attribute] - p->most[attribute][level]);
    if (ceiling->lost[attribute] > added)
        added = ceiling->lost[attribute];
    return term_of(p, p->mean[attribute][level] + added);
}

static double squares_bound(const tacit__prices *p, double known, const tacit__mingen_node *ceiling)
{
    double suppressed = (double)ceiling->outliers * (p->rows - (double)ceiling->widest);
    double half = fmax(0, p->rows / 2 - p->freed);
    double bound = safely(p, known) + suppressed;
    return p->freed > 0 ? fmin(bound, half * half) : bound;
}

double tacit__bound(const tacit__prices *p, double terms, double known,
                    const tacit__mingen_node *ceiling)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return squares_bound(p, known, ceiling);
    return safely(p, p->metric == TACIT_METRIC_AVERAGE ? known : together(p, terms));
}

/* Models that are asked of a single class know the table as well as any. */
tacit_status tacit__beyond_least(int64_t *least, const tacit__mingen *g, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_classes *top = NULL;
    tacit__models *models = NULL;
    *least = 1;
    if (g->frame->model_count == 0)
        return TACIT_OK;
    tacit__levels_widen(levels, g->high, g->frame->attribute_count);
    tacit_status status = tacit_classes_new(&top, g->frame, levels, g->run, err);
    if (status == TACIT_OK)
        status = tacit__models_new(&models, g->frame, top, g->run, err);
    if (status == TACIT_OK)
        *least = tacit__models_least(models);
    tacit__models_free(models);
    tacit_classes_free(top);
    return status;
}

tacit_status tacit__beyond_init(tacit__beyond *beyond, const tacit__mingen *g, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    if (g->frame->model_count == 0)
        return TACIT_OK;
    beyond->like_k = true;
    for (int32_t i = 0; i < g->frame->model_count; i++)
        beyond->like_k &= g->frame->models[i].bound.kind == TACIT_MODEL_DISTINCT ||
                          g->frame->models[i].bound.kind == TACIT_MODEL_RANGE ||
                          g->frame->models[i].bound.kind == TACIT_MODEL_MAP ||
                          g->frame->models[i].bound.kind == TACIT_MODEL_MAP_ESTIMATED;
    tacit__levels_widen(levels, g->low, g->frame->attribute_count);
    tacit_status status = tacit_classes_new(&beyond->base, g->frame, levels, g->run, err);
    if (status == TACIT_OK)
        status = tacit__models_new(&beyond->models, g->frame, beyond->base, g->run, err);
    return status;
}

void tacit__beyond_clear(tacit__beyond *beyond)
{
    tacit__models_free(beyond->models);
    tacit_classes_free(beyond->base);
    *beyond = (tacit__beyond){0};
}

/* Base class -> class of the node. The caller frees it. */
static tacit_status find_classes(uint32_t **out, const tacit__mingen *g,
                                 const tacit_classes *classes, const tacit_run *run,
                                 tacit_error *err)
{
    const tacit_classes *base = g->beyond.base;
    tacit__feed feed;
    uint32_t *class_of = tacit__alloc_array((size_t)base->groups.count, sizeof *class_of);
    tacit_status status = class_of ? tacit__feed_raised(&feed, &base->groups, g->frame,
                                                        base->levels, classes->levels, err)
                                   : tacit__nomem(err);
    if (status == TACIT_OK) {
        status = tacit__grouping_assign(&classes->groups, &feed, class_of, run, err);
        tacit__feed_clear(&feed);
    }
    if (status == TACIT_OK)
        *out = class_of;
    else
        tacit__free(class_of);
    return status;
}

static tacit_status cut_failing(tacit__cut *cut, const tacit__mingen *g, const uint32_t *class_of,
                                const tacit_run *run, tacit_error *err)
{
    int64_t classes = cut->classes->groups.count;
    uint64_t *fails = tacit__alloc_zeroed(tacit__bitset_words(classes), sizeof *fails);
    if (!fails)
        return tacit__nomem(err);
    const tacit__models_question left = {.group_of = class_of,
                                         .groups = classes,
                                         .levels = cut->classes->levels,
                                         .gone = cut->gone,
                                         .most =
                                             g->beyond.like_k ? INT64_MAX : g->limit - cut->rows};
    tacit_status status = tacit__models_failing(fails, g->beyond.models, &left, run, err);
    for (int64_t c = 0; status == TACIT_OK && c < classes; c++)
        if (tacit__bit_get(fails, c) && !tacit__bit_get(cut->gone, c))
            tacit__cut_take(cut, c);
    if (status == TACIT_OK)
        status = tacit__cut_settle(cut, err);
    tacit__free(fails);
    return status;
}

tacit_status tacit__beyond_cut(tacit__cut *cut, const tacit__mingen *g, const tacit_run *run,
                               tacit_error *err)
{
    uint32_t *class_of = NULL;
    if (!g->beyond.models)
        return TACIT_OK;
    tacit_status status = find_classes(&class_of, g, cut->classes, run, err);
    if (status == TACIT_OK)
        status = cut_failing(cut, g, class_of, run, err);
    tacit__free(class_of);
    return status;
}

/* Whether the rows gone keep the models, as the class of suppressed rows. */
static tacit_status gone_hold(bool *hold, uint32_t *members, const tacit__cut *cut,
                              const tacit__mingen *g, const uint32_t *class_of, tacit_error *err)
{
    static const uint32_t numbers[TACIT_MAX_ATTRIBUTES] = {0};
    int64_t count = 0;
    for (int64_t b = 0; b < g->beyond.base->groups.count; b++)
        if (tacit__bit_get(cut->gone, class_of[b]))
            members[count++] = (uint32_t)b;
    return tacit__models_hold(hold, g->beyond.models, members, count, g->high, numbers, err);
}

/* Classes follow until the rows gone keep k and the models. */
static tacit_status complement_beyond(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                                      const uint32_t *class_of, tacit_error *err)
{
    uint32_t *members = tacit__alloc_array((size_t)g->beyond.base->groups.count, sizeof *members);
    tacit_status status = members ? TACIT_OK : tacit__nomem(err);
    for (bool more = true; status == TACIT_OK && more && !*kept;) {
        if (cut->people >= g->options->k)
            status = gone_hold(kept, members, cut, g, class_of, err);
        if (status != TACIT_OK || *kept || cut->rows > g->limit)
            break;
        status = tacit__cut_more(&more, cut, g->options->complement_largest, err);
    }
    tacit__free(members);
    return status;
}

tacit_status tacit__beyond_complement(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                                      const tacit_run *run, tacit_error *err)
{
    uint32_t *class_of = NULL;
    if (!g->beyond.models) {
        *kept = true;
        return tacit__cut_complement(cut, g->options->complement_largest, err);
    }
    *kept = cut->rows == 0;
    if (*kept)
        return TACIT_OK;
    tacit_status status = find_classes(&class_of, g, cut->classes, run, err);
    if (status == TACIT_OK)
        status = complement_beyond(kept, cut, g, class_of, err);
    tacit__free(class_of);
    return status;
}

/* What suppression does to a node. */
typedef struct toll {
    const tacit__mingen *g;
    const uint8_t *levels;
    int64_t rows;
    int64_t whole;   /* classes that leave altogether */
    uint64_t spared; /* squares that need no longer be counted */
    double cells[TACIT_MAX_ATTRIBUTES];
} toll;

/* Suppresses some rows of a class. */
static void pay(toll *t, const uint32_t *numbers, int64_t class_rows, int64_t rows)
{
    const tacit__prices *p = &t->g->prices;
    uint64_t all = (uint64_t)class_rows, left = (uint64_t)(class_rows - rows);
    t->rows += rows;
    t->whole += left == 0;
    t->spared += all * all - left * left;
    if (!p->costs.memory)
        return;
    for (int32_t a = 0; a < p->attributes; a++)
        t->cells[a] += (double)rows * (p->top[a] - p->costs.of[a][t->levels[a]][numbers[a]]);
}

static void open_toll(toll *t, const tacit__mingen *g, const uint8_t *levels)
{
    t->g = g;
    t->levels = levels;
    t->rows = t->whole = 0;
    t->spared = 0;
    memset(t->cells, 0, (size_t)g->prices.attributes * sizeof *t->cells);
}

/* What the node costs after this toll. */
static double cost_after(const toll *t, const tacit__mingen_node *node)
{
    double cells[TACIT_MAX_ATTRIBUTES];
    const tacit__prices *p = &t->g->prices;
    for (int32_t a = 0; a < p->attributes; a++)
        cells[a] = t->cells[a] / p->rows;
    bool one_more = t->rows > 0 && !p->dropped;
    return node_cost(p, node->levels,
                     &(tacit__outcome){.suppressed = t->rows,
                                       .distinct = node->classes - t->whole + one_more,
                                       .squares = node->squares - (double)t->spared,
                                       .cells = cells});
}

static void note_lost(tacit__mingen_node *node, const toll *t)
{
    for (int32_t a = 0; a < t->g->prices.attributes; a++)
        node->lost[a] = t->cells[a] / t->g->prices.rows;
}

static void conclude(tacit__mingen_node *node, const toll *t)
{
    node->feasible = true;
    node->suppressed = t->rows;
    node->distinct = node->classes - t->whole + (t->rows > 0 && !t->g->prices.dropped);
    node->cost = node->least = cost_after(t, node);
}

/* ---- one quasi-identifier, every row a person ---- */

static void unpack(uint32_t *numbers, const tacit__list *list, int64_t class)
{
    for (int32_t a = 0; a < list->layout.fields; a++)
        numbers[a] = tacit__field(&list->layout, list->keys + class * list->layout.words, a);
}

static void survey(tacit__mingen_node *node, const tacit__list *classes, int64_t k)
{
    uint64_t squares = 0;
    int64_t outliers = 0, widest = 0, kept = 0;
    for (int64_t c = 0; c < classes->count; c++) {
        int64_t rows = classes->rows[c];
        squares += (uint64_t)rows * (uint64_t)rows;
        kept += rows >= k;
        outliers += rows < k ? rows : 0;
        widest = rows < k && rows > widest ? rows : widest;
    }
    node->classes = classes->count;
    node->squares = (double)squares;
    node->outliers = outliers;
    node->widest = widest;
    node->kept = kept;
}

static bool comes_before(const tacit__list *classes, int64_t a, int64_t b, bool largest)
{
    if (classes->rows[a] != classes->rows[b])
        return (classes->rows[a] < classes->rows[b]) != largest;
    int32_t words = classes->layout.words;
    for (int32_t w = 0; w < words; w++) {
        uint64_t x = classes->keys[a * words + w], y = classes->keys[b * words + w];
        if (x != y)
            return x < y;
    }
    return false;
}

/* The class from which complementary rows are taken. */
static int64_t choose_class(const tacit__list *classes, int64_t k, bool largest)
{
    int64_t best = -1;
    for (int64_t c = 0; c < classes->count; c++)
        if (classes->rows[c] >= k && (best < 0 || comes_before(classes, c, best, largest)))
            best = c;
    return best;
}

static void complement(toll *t, const tacit__list *classes)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    int64_t k = t->g->options->k, wanted = k - t->rows;
    int64_t class = choose_class(classes, k, t->g->options->complement_largest);
    int64_t rows = classes->rows[class];
    unpack(numbers, classes, class);
    pay(t, numbers, rows, rows - wanted >= k ? wanted : rows);
}

static void look_at_plain(tacit__mingen_node *node, const tacit__mingen *g,
                          const tacit__list *classes)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    int64_t k = g->options->k;
    toll t;
    open_toll(&t, g, node->levels);
    survey(node, classes, k);
    if (node->outliers > g->limit)
        return;
    for (int64_t c = 0; c < classes->count && t.rows < node->outliers; c++)
        if (classes->rows[c] < k) {
            unpack(numbers, classes, c);
            pay(&t, numbers, classes->rows[c], classes->rows[c]);
        }
    note_lost(node, &t);
    if (t.rows > 0 && t.rows < k)
        complement(&t, classes);
    if (t.rows <= g->limit)
        conclude(node, &t);
}

/* ---- the same, counted elsewhere ---- */

/* Rows below k that have a value are suppressed. */
static void pay_value(void *payload, int32_t attribute, uint32_t number, int64_t rows)
{
    toll *t = payload;
    const tacit__prices *p = &t->g->prices;
    t->cells[attribute] +=
        (double)rows * (p->top[attribute] - p->costs.of[attribute][t->levels[attribute]][number]);
}

/* What classes below k cost. */
static tacit_status pay_below(toll *t, const tacit_tally *tally, const int *levels,
                              tacit_error *err)
{
    const tacit_elsewhere *there = t->g->frame->elsewhere;
    t->rows = tally->below_rows;
    t->whole = tally->below;
    t->spared = (uint64_t)tally->below_squares;
    if (!t->g->prices.costs.memory || tally->below_rows == 0)
        return TACIT_OK;
    return there->below(there->context, levels, t->g->options->k, pay_value, t, err);
}

tacit_status tacit__node_ask(tacit__mingen_node *node, const tacit__mingen *g, const tacit_run *run,
                             tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_tally tally = {0};
    tacit__complement more = {0};
    toll t;
    tacit_status status = tacit__progress(run, "searching", 0, 0, err);
    tacit__levels_widen(levels, node->levels, g->frame->attribute_count);
    if (status == TACIT_OK)
        status = g->frame->elsewhere->tally(g->frame->elsewhere->context, &tally, levels,
                                            g->options->k, err);
    if (status != TACIT_OK)
        return status;
    open_toll(&t, g, node->levels);
    node->classes = tally.classes;
    node->squares = tally.squares;
    node->outliers = tally.below_rows;
    node->widest = tally.widest;
    node->kept = tally.classes - tally.below;
    if (node->outliers > g->limit)
        return TACIT_OK;
    status = pay_below(&t, &tally, levels, err);
    note_lost(node, &t);
    if (status == TACIT_OK)
        status = tacit__elsewhere_complement(&more, g->frame, g->options, levels, t.rows, err);
    if (status == TACIT_OK && more.rows > 0)
        pay(&t, more.numbers, more.of, more.rows);
    if (status == TACIT_OK && t.rows <= g->limit)
        conclude(node, &t);
    tacit__free(more.numbers);
    return status;
}

/* ---- whatever apply/cut.c can cut ---- */

/* A one-word list as a grouping that borrows its arrays, but for the coder. */
static tacit_status view_list(tacit__grouping *view, const tacit__list *list, tacit_error *err)
{
    tacit_status status = tacit__layout_coder(&view->coder, &list->layout, err);
    if (status != TACIT_OK)
        return status;
    view->count = list->count;
    view->keys = list->keys;
    view->rows = list->rows;
    view->members = list->tallies;
    return TACIT_OK;
}

static void pay_class(toll *t, const tacit_classes *classes, int64_t class, int64_t rows)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    tacit__classes_codes(numbers, classes, class);
    pay(t, numbers, tacit_classes_size(classes, class), rows);
}

static void pay_gone(toll *t, const tacit__cut *cut)
{
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        if (tacit__bit_get(cut->gone, c))
            pay_class(t, cut->classes, c, tacit_classes_size(cut->classes, c));
}

static void survey_cut(tacit__mingen_node *node, const tacit__cut *cut)
{
    uint64_t squares = 0;
    node->classes = node->kept = cut->classes->groups.count;
    node->outliers = cut->rows;
    for (int64_t c = 0; c < node->classes; c++) {
        int64_t rows = tacit_classes_size(cut->classes, c);
        squares += (uint64_t)rows * (uint64_t)rows;
        if (!tacit__bit_get(cut->gone, c))
            continue;
        node->kept--;
        node->widest = rows > node->widest ? rows : node->widest;
    }
    node->squares = (double)squares;
}

/* What the node costs if so many rows of the class that loses some are drawn. */
static double cost_of_part(const toll *gone, const tacit__mingen_node *node, const tacit__cut *cut,
                           int64_t rows)
{
    toll t;
    open_toll(&t, gone->g, gone->levels);
    t.rows = gone->rows;
    t.whole = gone->whole;
    t.spared = gone->spared;
    memcpy(t.cells, gone->cells, (size_t)gone->g->prices.attributes * sizeof *t.cells);
    pay_class(&t, cut->classes, cut->part_of, rows);
    return cost_after(&t, node);
}

/* Between as many rows as people and the most they can have. Costs are monotone in that
 * number, but for discernibility, which is a parabola: a row that leaves a class of more
 * than half of all makes more than it costs. */
static void conclude_part(tacit__mingen_node *node, toll *t, const tacit__cut *cut)
{
    int64_t half = tacit_classes_size(cut->classes, cut->part_of) - t->g->rows / 2;
    int64_t few = cut->part_people, many = cut->part_rows;
    int64_t best = half < few ? few : half > many ? many : half;
    double low = cost_of_part(t, node, cut, few), high = cost_of_part(t, node, cut, many);
    double bend = cost_of_part(t, node, cut, best);
    pay_class(t, cut->classes, cut->part_of, many);
    conclude(node, t);
    node->cost = low > high ? low : high;
    node->least = low < high ? low : high;
    node->least = bend < node->least ? bend : node->least;
}

static void conclude_cut(tacit__mingen_node *node, const tacit__mingen *g, const tacit__cut *cut)
{
    toll t;
    open_toll(&t, g, node->levels);
    pay_gone(&t, cut);
    if (cut->part_of >= 0)
        conclude_part(node, &t, cut);
    else
        conclude(node, &t);
}

/* Takes out the classes that have too few rows to keep any model. */
static tacit_status cut_small(tacit__cut *cut, const tacit__mingen *g, tacit_error *err)
{
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        if (tacit_classes_size(cut->classes, c) < g->beyond.least && !tacit__bit_get(cut->gone, c))
            tacit__cut_take(cut, c);
    return tacit__cut_settle(cut, err);
}

/* Takes out what breaks a model, and notes the outliers: after k and what acts like it, which are
 * classes too small for the models and, of some models, all that break them. */
static tacit_status cut_outliers(tacit__mingen_node *node, tacit__cut *cut, const tacit__mingen *g,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (cut->rows <= g->limit && g->beyond.models)
        status = cut_small(cut, g, err);
    bool bearable = cut->rows <= g->limit;
    if (bearable && status == TACIT_OK && g->beyond.like_k)
        status = tacit__beyond_cut(cut, g, run, err);
    survey_cut(node, cut);
    if (!bearable || status != TACIT_OK)
        return status;
    toll t;
    open_toll(&t, g, node->levels);
    pay_gone(&t, cut);
    note_lost(node, &t);
    return g->beyond.like_k ? TACIT_OK : tacit__beyond_cut(cut, g, run, err);
}

/* Takes out what breaks the bounds on the whole release. What models have taken before says
 * nothing of nodes below, unless they act like k. */
static tacit_status cut_risks(bool *within, tacit__mingen_node *node, tacit__cut *cut,
                              const tacit__mingen *g, tacit_error *err)
{
    bool doomed = false;
    tacit_status status =
        tacit__risks_cut(within, &doomed, cut, g->limit, g->options->drop_suppressed, err);
    node->doomed = doomed && (!g->beyond.models || g->beyond.like_k);
    return status;
}

static tacit_status look_at_cut(tacit__mingen_node *node, const tacit__mingen *g,
                                const tacit_classes *classes, const tacit_run *run,
                                tacit_error *err)
{
    tacit__cut cut;
    bool kept = false;
    tacit_status status = tacit__cut_init(&cut, g->frame, classes, g->options->k, run, err);
    if (status != TACIT_OK)
        return status;
    status = cut_outliers(node, &cut, g, run, err);
    bool within = cut.rows <= g->limit;
    if (status == TACIT_OK && within)
        status = cut_risks(&within, node, &cut, g, err);
    if (status == TACIT_OK && within)
        status = tacit__beyond_complement(&kept, &cut, g, run, err);
    if (status == TACIT_OK && kept)
        status = tacit__risks_hold(&kept, &cut, g->options->drop_suppressed, err);
    if (status == TACIT_OK && kept && cut.rows + cut.part_rows <= g->limit)
        conclude_cut(node, g, &cut);
    tacit__cut_clear(&cut);
    return status;
}

static tacit_status look_at_view(tacit__mingen_node *node, const tacit__mingen *g,
                                 const tacit__list *entries, tacit__desk *room,
                                 const tacit_run *run, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_classes view = {.rows = g->rows, .levels = levels};
    tacit__list classes = {0};
    tacit_status status = TACIT_OK;
    const tacit__list *groups = entries;
    tacit__raise how = {
        .ladders = &g->ladders, .from = entries, .levels = node->levels, .tally = true, .run = run};
    tacit__levels_widen(levels, node->levels, g->frame->attribute_count);
    if (g->frame->person >= 0) {
        groups = &classes;
        status = tacit__list_raise(&classes, room, &how, err);
        if (status == TACIT_OK)
            status = view_list(&view.pairs, entries, err);
    }
    if (status == TACIT_OK)
        status = view_list(&view.groups, groups, err);
    if (status == TACIT_OK)
        status = look_at_cut(node, g, &view, run, err);
    tacit__coder_clear(&view.groups.coder);
    tacit__coder_clear(&view.pairs.coder);
    tacit__list_clear(&classes);
    return status;
}

tacit_status tacit__node_look(tacit__mingen_node *node, const tacit__mingen *g,
                              const tacit__list *entries, tacit__desk *room, const tacit_run *run,
                              tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    tacit_classes *classes = NULL;
    if (g->plain) {
        look_at_plain(node, g, entries);
        return TACIT_OK;
    }
    if (entries->layout.words == 1)
        return look_at_view(node, g, entries, room, run, err);
    tacit__levels_widen(levels, node->levels, g->frame->attribute_count);
    tacit_status status = tacit_classes_new(&classes, g->frame, levels, run, err);
    if (status == TACIT_OK)
        status = look_at_cut(node, g, classes, run, err);
    tacit_classes_free(classes);
    return status;
}
