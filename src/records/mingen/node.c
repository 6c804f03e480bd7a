/*
 * node.c - what is to be known of a node once its classes are counted: how
 * many rows k cuts off, whether suppressing them stays within the limit, and what
 * the release then costs.
 *
 * With one quasi-identifier whose rows are people each, and nothing promised beyond
 * k, this is one pass over the classes. What is suppressed is then what apply/cut.c
 * suppresses: the classes below k and, while these hold fewer than k people, some
 * of the smallest (or largest) class that is left. Otherwise apply/cut.c itself says so.
 *
 * Where people have several rows, those that are drawn from a class may have more
 * or fewer. The cost of a node is the most that this can come to, `least` the least.
 */
#include <string.h>

#include "base/bitset.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/mingen/mingen.h"

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

static toll open_toll(const tacit__mingen *g, const uint8_t *levels)
{
    return (toll){.g = g, .levels = levels};
}

/* What the node costs after this toll. */
static double cost_after(const toll *t, const tacit__mingen_node *node)
{
    double cells[TACIT_MAX_ATTRIBUTES];
    const tacit__prices *p = &t->g->prices;
    for (int32_t a = 0; a < p->attributes; a++)
        cells[a] = t->cells[a] / p->rows;
    bool one_more = t->rows > 0 && !p->dropped;
    return tacit__node_cost(p, node->levels,
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
static int64_t choose(const tacit__list *classes, int64_t k, bool largest)
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
    int64_t class = choose(classes, k, t->g->options->complement_largest);
    int64_t rows = classes->rows[class];
    unpack(numbers, classes, class);
    pay(t, numbers, rows, rows - wanted >= k ? wanted : rows);
}

static void look_at_plain(tacit__mingen_node *node, const tacit__mingen *g,
                          const tacit__list *classes)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    int64_t k = g->options->k;
    toll t = open_toll(g, node->levels);
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

/* ---- whatever apply/cut.c can cut ---- */

/* A one-word list as a grouping that borrows its arrays. */
static void view_list(tacit__grouping *view, const tacit__list *list)
{
    tacit__layout_coder(&view->coder, &list->layout);
    view->count = list->count;
    view->keys = list->keys;
    view->rows = list->rows;
    view->members = list->tallies;
}

static void take_levels(int *to, const uint8_t *levels, int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        to[a] = levels[a];
}

static void pay_class(toll *t, const tacit_classes *classes, int64_t class, int64_t rows)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    for (int32_t a = 0; a < t->g->prices.attributes; a++)
        numbers[a] = tacit_classes_code(classes, class, a);
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
    toll t = *gone;
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
    toll t = open_toll(g, node->levels);
    pay_gone(&t, cut);
    if (cut->part_of >= 0)
        conclude_part(node, &t, cut);
    else
        conclude(node, &t);
}

/* Takes out what breaks a model, and notes the outliers: after k or, where models act
 * like it, after both. */
static tacit_status cut_outliers(tacit__mingen_node *node, tacit__cut *cut, const tacit__mingen *g,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool bearable = cut->rows <= g->limit;
    if (bearable && g->beyond.like_k)
        status = tacit__beyond_cut(cut, g, run, err);
    survey_cut(node, cut);
    if (!bearable || status != TACIT_OK)
        return status;
    toll t = open_toll(g, node->levels);
    pay_gone(&t, cut);
    note_lost(node, &t);
    return g->beyond.like_k ? TACIT_OK : tacit__beyond_cut(cut, g, run, err);
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
    if (status == TACIT_OK && cut.rows <= g->limit)
        status = tacit__beyond_complement(&kept, &cut, g, run, err);
    if (status == TACIT_OK && kept && cut.rows + cut.part_rows <= g->limit)
        conclude_cut(node, g, &cut);
    tacit__cut_clear(&cut);
    return status;
}

static tacit_status look_at_view(tacit__mingen_node *node, const tacit__mingen *g,
                                 const tacit__list *entries, tacit__desk *room,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_classes view = {.rows = g->rows};
    tacit__list classes = {0};
    take_levels(view.levels, node->levels, g->frame->attribute_count);
    if (g->frame->person < 0) {
        view_list(&view.groups, entries);
        return look_at_cut(node, g, &view, run, err);
    }
    tacit__raise how = {
        .ladders = &g->ladders, .from = entries, .levels = node->levels, .tally = true, .run = run};
    tacit_status status = tacit__list_raise(&classes, room, &how, err);
    if (status == TACIT_OK) {
        view_list(&view.pairs, entries);
        view_list(&view.groups, &classes);
        status = look_at_cut(node, g, &view, run, err);
    }
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
    take_levels(levels, node->levels, g->frame->attribute_count);
    tacit_status status = tacit_classes_new(&classes, g->frame, levels, run, err);
    if (status == TACIT_OK)
        status = look_at_cut(node, g, classes, run, err);
    tacit_classes_free(classes);
    return status;
}
