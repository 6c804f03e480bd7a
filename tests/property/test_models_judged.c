/*
 * test_models_judged.c - the judge's models against their definitions, on
 * thousands of random small releases that mix levels in one column.
 *
 * The other side works on text alone: classes are found by comparing every row
 * with every other, people by comparing each with every class along ladders of
 * naive_ladder.h, and the distance in a tree by the formula of Li, Li and
 * Venkatasubramanian (t-Closeness, section 4.2), from the bottom up, node by node. Distances in
 * order are the cheapest of all ways to move the difference, found by improving cycles.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include <tacit/experimental/audit.h>

#include "naive_ladder.h"
#include "random_cases.h"

enum { CASES = 3000, PEOPLE = 30, ROWS = 24, ATTRIBUTES = 3, MODELS = 6 };

static char folder[] = "/tmp/tacit-audit-models-XXXXXX";

/* Two are equal, two are no numbers, one is missing. */
static const char *const NUMBERS[] = {"1", "2", "2.0", "5", "9", "9.5", "x", "07", ""};
enum { COUNT_OF_NUMBERS = sizeof NUMBERS / sizeof *NUMBERS };

typedef struct row {
    char cell[ATTRIBUTES][NAIVE_TEXT];
    char sensitive[NAIVE_TEXT];
    const char *number; /* another sensitive value */
    const char *weight; /* people that it stands for */
    bool dropped;
} row;

typedef struct world {
    uint64_t random;
    int attributes, people, rows;
    row person[PEOPLE]; /* the register, as it is */
    row original[ROWS]; /* people of it, or nearly */
    row release[ROWS];  /* the same, generalized cell by cell; some are dropped */
    ladder ladders[ATTRIBUTES], tree;
    uint64_t sets[2];
    int set_count;
    bool drops, knows_original;
    tacit_promise_attribute promised[ATTRIBUTES];
    tacit_promise_model models[MODELS];
    tacit_promise promise;
} world;

static const char *const WEIGHTS[] = {"0.5", "1", "1.25", "2", "+2.0", "1e1"};
enum { COUNT_OF_WEIGHTS = sizeof WEIGHTS / sizeof *WEIGHTS };

/* ---- drawing ---- */

static void draw_attribute(world *w, int a)
{
    ladder *l = &w->ladders[a], pool;
    ladder_begin(l, &pool, folder, a, &w->random);
    for (int i = 0; i < w->people; i++)
        ladder_fill(l, &pool, w->person[i].cell[a], 1, &w->random);
    ladder_end(l, &w->random);
}

/* Rows at few combinations of levels, some cells at levels of their own, some
 * rows suppressed. */
static void draw_release(world *w)
{
    int levels[2][ATTRIBUTES];
    for (int p = 0; p < 2; p++)
        for (int a = 0; a < w->attributes; a++)
            levels[p][a] = (int)draw(&w->random, (uint32_t)w->ladders[a].height + 1);
    for (int i = 0; i < w->rows; i++) {
        row *r = &w->release[i], *o = &w->original[i];
        *o = w->person[draw(&w->random, (uint32_t)w->people)];
        o->number = NUMBERS[draw(&w->random, COUNT_OF_NUMBERS)];
        o->weight = WEIGHTS[draw(&w->random, COUNT_OF_WEIGHTS)];
        strcpy(o->sensitive, w->tree.value[draw(&w->random, (uint32_t)w->tree.count)]);
        *r = *o;
        const int *pattern = levels[draw(&w->random, 2)];
        bool suppressed = draw(&w->random, 6) == 0;
        r->dropped = w->drops && suppressed;
        for (int a = 0; a < w->attributes; a++) {
            const ladder *l = &w->ladders[a];
            int level =
                draw(&w->random, 8) ? pattern[a] : (int)draw(&w->random, (uint32_t)l->height + 1);
            strcpy(r->cell[a], suppressed ? "*" : ladder_label(l, o->cell[a], level));
        }
    }
}

static bool by_number(tacit_model_kind kind)
{
    return kind == TACIT_MODEL_CLOSENESS_ORDER || kind == TACIT_MODEL_RANGE;
}

static tacit_model_bound draw_bound(world *w)
{
    tacit_model_bound m = {.kind = (tacit_model_kind)draw(&w->random, TACIT_MODELS)};
    m.bound = 1 + draw(&w->random, 3);
    if (m.kind == TACIT_MODEL_ENTROPY)
        m.bound = 1 + draw(&w->random, 5) / 2.0;
    if (m.kind == TACIT_MODEL_RECURSIVE) {
        m.bound++;
        m.second = (1 + draw(&w->random, 8)) / 4.0;
    }
    if (m.kind == TACIT_MODEL_ALPHA)
        m.bound = (1 + draw(&w->random, 4)) / 4.0;
    if (m.kind == TACIT_MODEL_RANGE)
        m.bound = 1 + draw(&w->random, 8) / 2.0;
    if (m.kind == TACIT_MODEL_CLOSENESS || m.kind == TACIT_MODEL_CLOSENESS_ORDER ||
        m.kind == TACIT_MODEL_CLOSENESS_TREE)
        m.bound = draw(&w->random, 9) / 8.0;
    if (m.kind == TACIT_MODEL_MAP_ESTIMATED)
        m.bound = 1 + draw(&w->random, 12);
    if (m.kind == TACIT_MODEL_PRESENCE) {
        m.bound = (1 + draw(&w->random, 4)) / 4.0;
        m.second = draw(&w->random, 3) * m.bound / 4;
    }
    return m;
}

static void draw_promise(world *w)
{
    static const char *const NAMES[] = {"a", "b", "c"};
    for (int a = 0; a < w->attributes; a++)
        w->promised[a] = (tacit_promise_attribute){NAMES[a], &w->ladders[a].spec};
    w->set_count = (int)draw(&w->random, 3);
    for (int i = 0; i < w->set_count; i++)
        w->sets[i] = 1 + draw(&w->random, (1u << w->attributes) - 1);
    int count = 1 + (int)draw(&w->random, MODELS);
    for (int i = 0; i < count; i++) {
        tacit_promise_model *m = &w->models[i];
        m->bound = draw_bound(w);
        m->column = m->bound.kind == TACIT_MODEL_MAP_ESTIMATED ? "w"
                    : m->bound.kind >= TACIT_MODEL_PRESENCE    ? NULL
                    : by_number(m->bound.kind)                 ? "n"
                                                               : "d";
        m->hierarchy = m->bound.kind == TACIT_MODEL_CLOSENESS_TREE ? &w->tree.spec : NULL;
    }
    w->promise = (tacit_promise){.k = 1,
                                 .attributes = w->promised,
                                 .attribute_count = w->attributes,
                                 .sets = w->set_count ? w->sets : NULL,
                                 .set_count = w->set_count,
                                 .suppressed_dropped = w->drops,
                                 .models = w->models,
                                 .model_count = count};
}

static void draw_world(world *w, uint64_t seed)
{
    *w = (world){.random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
    w->attributes = 1 + (int)draw(&w->random, ATTRIBUTES);
    w->people = 1 + (int)draw(&w->random, PEOPLE);
    w->rows = (int)draw(&w->random, ROWS + 1);
    w->drops = draw(&w->random, 3) == 0;
    w->knows_original = w->drops && draw(&w->random, 4);
    for (int a = 0; a < w->attributes; a++)
        draw_attribute(w, a);
    ladder_file(&w->tree, folder, ATTRIBUTES, &w->random);
    draw_release(w);
    draw_promise(w);
}

/* ---- the definitions ---- */

typedef struct outcome {
    int classes, failing, rows_failing;
    double worst, least;
    bool absent; /* somebody of the register lies in no class */
} outcome;

/* A class: the rows marked in it. */
typedef bool class_rows[ROWS];

/* The share of marked rows whose sensitive value is that on a level of the tree. */
static double share_of(const world *w, const bool *marked, const char *value, int level)
{
    int rows = 0, those = 0;
    for (int i = 0; i < w->rows; i++) {
        rows += marked[i];
        those +=
            marked[i] && strcmp(ladder_label(&w->tree, w->release[i].sensitive, level), value) == 0;
    }
    return (double)those / rows;
}

/* The row is the first with its value on a level. */
static bool is_first(const world *w, int index, int level)
{
    const char *value = ladder_label(&w->tree, w->release[index].sensitive, level);
    for (int i = 0; i < index; i++)
        if (strcmp(ladder_label(&w->tree, w->release[i].sensitive, level), value) == 0)
            return false;
    return true;
}

static double equal_distance(const world *w, const bool *class, const bool *whole)
{
    double sum = 0;
    for (int i = 0; i < w->rows; i++)
        if (is_first(w, i, 0))
            sum += fabs(share_of(w, class, w->release[i].sensitive, 0) -
                        share_of(w, whole, w->release[i].sensitive, 0));
    return sum / 2;
}

/* What has to cross a node: the smaller of what its children have too much and
 * too little of, over the node's height. */
static double node_cost(const world *w, const bool *class, const bool *whole, int index, int level)
{
    const char *node = ladder_label(&w->tree, w->release[index].sensitive, level);
    double more = 0, less = 0;
    for (int i = 0; i < w->rows; i++) {
        const char *child = ladder_label(&w->tree, w->release[i].sensitive, level - 1);
        if (strcmp(ladder_label(&w->tree, w->release[i].sensitive, level), node) != 0 ||
            !is_first(w, i, level - 1))
            continue;
        double extra = share_of(w, class, child, level - 1) - share_of(w, whole, child, level - 1);
        *(extra > 0 ? &more : &less) += fabs(extra);
    }
    return (more < less ? more : less) * level / w->tree.height;
}

static double tree_distance(const world *w, const bool *class, const bool *whole)
{
    double sum = 0;
    for (int level = 1; level <= w->tree.height; level++)
        for (int i = 0; i < w->rows; i++)
            if (is_first(w, i, level))
                sum += node_cost(w, class, whole, i, level);
    return sum;
}

/* The number that NUMBERS[i] is; NAN: none. */
static double number_at(int i)
{
    const char *text = NUMBERS[i];
    return *text && *text != 'x' && !(text[0] == '0' && text[1]) ? atof(text) : NAN;
}

/* Its place among the distinct numbers of the whole table, and how many these are. */
static int place_at(int i, const int *whole, int *count)
{
    int place = 0;
    *count = 0;
    for (int j = 0; j < COUNT_OF_NUMBERS; j++) {
        bool again = false;
        for (int before = 0; before < j; before++)
            again |= whole[before] && number_at(before) == number_at(j);
        if (!whole[j] || isnan(number_at(j)) || again)
            continue;
        ++*count;
        place += number_at(j) < number_at(i);
    }
    return place;
}

/* How far apart two values are: 1/2 from a word to the middle of the line, and along it. */
static double apart(int i, int j, const int *whole)
{
    int count, x = place_at(i, whole, &count), y = place_at(j, whole, &count);
    bool word_i = isnan(number_at(i)), word_j = isnan(number_at(j));
    if (i == j)
        return 0;
    if (count < 2)
        return word_i || word_j; /* equal numbers are one value */
    double middle = (count - 1) / 2.0;
    if (word_i && word_j)
        return 1;
    if (word_i || word_j)
        return 0.5 + fabs((word_i ? y : x) - middle) / (count - 1);
    return fabs((double)x - y) / (count - 1);
}

/* The cheapest way to turn one distribution into the other, in rows of both multiplied: paths
 * that cost least, one after another, by Bellman and Ford. */
static double cheapest_moves(const int *class, const int *whole, int rows, int total)
{
    int have[COUNT_OF_NUMBERS], flow[COUNT_OF_NUMBERS][COUNT_OF_NUMBERS] = {{0}};
    double cost = 0, way[COUNT_OF_NUMBERS][COUNT_OF_NUMBERS];
    for (int i = 0; i < COUNT_OF_NUMBERS; i++) {
        have[i] = class[i] * total - whole[i] * rows;
        for (int j = 0; j < COUNT_OF_NUMBERS; j++)
            way[i][j] = apart(i, j, whole);
    }
    for (;;) {
        double far[COUNT_OF_NUMBERS];
        int from[COUNT_OF_NUMBERS], end = -1;
        for (int i = 0; i < COUNT_OF_NUMBERS; i++) {
            far[i] = have[i] > 0 ? 0 : INFINITY;
            from[i] = -1;
        }
        for (int round = 0; round < COUNT_OF_NUMBERS; round++)
            for (int i = 0; i < COUNT_OF_NUMBERS; i++)
                for (int j = 0; j < COUNT_OF_NUMBERS; j++) {
                    double step = flow[j][i] > 0 ? -way[j][i] : way[i][j];
                    if (far[i] + step < far[j] - 1e-12) {
                        far[j] = far[i] + step;
                        from[j] = i;
                    }
                }
        for (int i = 0; i < COUNT_OF_NUMBERS; i++)
            if (have[i] < 0 && (end < 0 || far[i] < far[end]))
                end = i;
        if (end < 0)
            return cost / rows / total;
        int start = end, amount = -have[end];
        for (; from[start] >= 0; start = from[start])
            if (flow[start][from[start]] > 0 && flow[start][from[start]] < amount)
                amount = flow[start][from[start]];
        amount = have[start] < amount ? have[start] : amount;
        have[start] -= amount;
        have[end] += amount;
        for (int at = end; from[at] >= 0; at = from[at]) {
            int back = from[at];
            cost += amount * (flow[at][back] > 0 ? -way[at][back] : way[back][at]);
            if (flow[at][back] > 0)
                flow[at][back] -= amount;
            else
                flow[back][at] += amount;
        }
    }
}

/* What is measured of models about the second column. */
static double measure_numbers(const world *w, const tacit_model_bound *m, const bool *class,
                              const bool *whole)
{
    int here[COUNT_OF_NUMBERS] = {0}, there[COUNT_OF_NUMBERS] = {0}, rows = 0, total = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < COUNT_OF_NUMBERS; i++) {
        for (int r = 0; r < w->rows; r++) {
            here[i] += class[r] && w->release[r].number == NUMBERS[i];
            there[i] += whole[r] && w->release[r].number == NUMBERS[i];
        }
        rows += here[i];
        total += there[i];
        if (here[i] && !isnan(number_at(i))) {
            low = fmin(low, number_at(i));
            high = fmax(high, number_at(i));
        }
    }
    if (m->kind == TACIT_MODEL_RANGE)
        return high > low ? high - low : 0;
    return cheapest_moves(here, there, rows, total);
}

/* The largest gain of a value or difference of logarithms. */
static double measure_compared(const world *w, const tacit_model_bound *m, const bool *class,
                               const bool *whole)
{
    double most = 0;
    for (int i = 0; i < w->rows; i++) {
        double p = share_of(w, class, w->release[i].sensitive, 0);
        double q = share_of(w, whole, w->release[i].sensitive, 0);
        if (!whole[i])
            continue;
        double allowed = m->kind == TACIT_MODEL_LIKENESS ? m->bound : fmin(m->bound, -log(q));
        if (m->kind == TACIT_MODEL_DISCLOSURE)
            most = fmax(most, fabs(log2(p / q)));
        else if (p > q)
            most = fmax(most, (p - q) / q * m->bound / allowed);
    }
    return most;
}

/* Shares of the class's values, the largest first. */
static int sorted_shares(const world *w, const bool *class, double *shares)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++) {
        double share = is_first(w, i, 0) ? share_of(w, class, w->release[i].sensitive, 0) : 0;
        if (share == 0)
            continue;
        int at = count++;
        for (; at > 0 && shares[at - 1] < share; at--)
            shares[at] = shares[at - 1];
        shares[at] = share;
    }
    return count;
}

static double measure(const world *w, const tacit_model_bound *m, const bool *class,
                      const bool *whole, int covered)
{
    double shares[ROWS], sum = 0;
    int count = sorted_shares(w, class, shares), rows = 0;
    double people = 0;
    for (int i = 0; i < w->rows; i++) {
        rows += class[i];
        people += class[i] ? atof(w->release[i].weight) : 0;
    }
    switch (m->kind) {
    case TACIT_MODEL_DISTINCT: return count;
    case TACIT_MODEL_ENTROPY:
        for (int i = 0; i < count; i++)
            sum += shares[i] * log(1 / shares[i]);
        return exp(sum);
    case TACIT_MODEL_RECURSIVE:
        for (int i = (int)m->bound - 1; i < count; i++)
            sum += shares[i];
        return sum > 0 ? shares[0] / sum : INFINITY;
    case TACIT_MODEL_ALPHA: return shares[0];
    case TACIT_MODEL_CLOSENESS: return equal_distance(w, class, whole);
    case TACIT_MODEL_CLOSENESS_TREE: return tree_distance(w, class, whole);
    case TACIT_MODEL_CLOSENESS_ORDER:
    case TACIT_MODEL_RANGE: return measure_numbers(w, m, class, whole);
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED:
    case TACIT_MODEL_DISCLOSURE: return measure_compared(w, m, class, whole);
    case TACIT_MODEL_PRESENCE: return covered ? (double)rows / covered : INFINITY;
    case TACIT_MODEL_MAP: return covered;
    case TACIT_MODEL_MAP_ESTIMATED: return people;
    }
    return NAN;
}

static bool wants_more(tacit_model_kind kind)
{
    return kind == TACIT_MODEL_DISTINCT || kind == TACIT_MODEL_ENTROPY ||
           kind == TACIT_MODEL_RANGE || kind == TACIT_MODEL_MAP ||
           kind == TACIT_MODEL_MAP_ESTIMATED;
}

static bool holds(const tacit_model_bound *m, double value)
{
    const double bit = 1e-7; /* bounds and values are far apart or equal */
    if (wants_more(m->kind))
        return value > m->bound - bit;
    if (m->kind == TACIT_MODEL_RECURSIVE)
        return value < m->second - bit;
    if (m->kind == TACIT_MODEL_DISCLOSURE)
        return value < m->bound - bit;
    return value < m->bound + bit && (m->kind != TACIT_MODEL_PRESENCE || value > m->second - bit);
}

static void add_class(outcome *o, const world *w, const tacit_model_bound *m, const bool *class,
                      const bool *whole, int covered)
{
    double value = measure(w, m, class, whole, covered);
    bool worse = wants_more(m->kind) ? value < o->worst : value > o->worst;
    if (o->classes == 0 || worse)
        o->worst = value;
    if (o->classes == 0 || value < o->least)
        o->least = value;
    o->classes++;
    if (holds(m, value))
        return;
    o->failing++;
    for (int i = 0; i < w->rows; i++)
        o->rows_failing += class[i];
}

static bool covers(const world *w, const row *released, const row *person, uint64_t set)
{
    for (int a = 0; a < w->attributes; a++)
        if ((set >> a & 1) && strcmp(released->cell[a], "*") != 0 &&
            !ladder_allows(&w->ladders[a], person->cell[a], released->cell[a]))
            return false;
    return true;
}

static bool alike(const world *w, const row *x, const row *y, uint64_t set)
{
    for (int a = 0; a < w->attributes; a++)
        if ((set >> a & 1) && strcmp(x->cell[a], y->cell[a]) != 0)
            return false;
    return true;
}

static void add_set(outcome *o, const world *w, const tacit_model_bound *m, uint64_t set,
                    const bool *whole)
{
    for (int i = 0; i < w->rows; i++) {
        class_rows class = {false};
        bool first = !w->release[i].dropped;
        int covered = 0;
        for (int j = 0; j < w->rows; j++) {
            class[j] = !w->release[j].dropped && alike(w, &w->release[i], &w->release[j], set);
            first = first && !(class[j] && j < i);
        }
        for (int p = 0; p < w->people; p++)
            covered += covers(w, &w->release[i], &w->person[p], set);
        if (first)
            add_class(o, w, m, class, whole, covered);
    }
}

static bool is_absent(const world *w, const row *person, uint64_t set)
{
    for (int i = 0; i < w->rows; i++)
        if (!w->release[i].dropped && covers(w, &w->release[i], person, set))
            return false;
    return true;
}

static outcome expect(const world *w, const tacit_model_bound *m)
{
    outcome o = {0};
    class_rows whole, suppressed, dropped;
    bool has_suppressed = false, has_dropped = false;
    uint64_t all = (1u << w->attributes) - 1;
    row stars = {0};
    for (int a = 0; a < w->attributes; a++)
        strcpy(stars.cell[a], "*");
    for (int i = 0; i < w->rows; i++) {
        dropped[i] = w->release[i].dropped;
        suppressed[i] = !dropped[i] && alike(w, &w->release[i], &stars, all);
        has_suppressed |= suppressed[i];
        has_dropped |= dropped[i];
        whole[i] = !dropped[i] || w->knows_original;
    }
    for (int s = 0; s < (w->set_count ? w->set_count : 1); s++) {
        uint64_t set = w->set_count ? w->sets[s] : all;
        add_set(&o, w, m, set, whole);
        for (int p = 0; p < w->people && m->kind == TACIT_MODEL_PRESENCE; p++)
            o.absent |= is_absent(w, &w->person[p], set);
    }
    if (has_suppressed && w->set_count > 1)
        add_class(&o, w, m, suppressed, whole, w->people);
    if (has_dropped && w->knows_original) {
        add_class(&o, w, m, dropped, whole, w->people);
        o.absent = false;
    }
    if (o.absent)
        o.least = 0;
    return o;
}

/* ---- the comparison ---- */

static tacit_table *table_of(const world *w, const row *rows, int count, bool sensitive,
                             naive_text *csv)
{
    static const char *const HEADERS[] = {"a", "a,b", "a,b,c"};
    naive_puts(csv, HEADERS[w->attributes - 1]);
    naive_puts(csv, sensitive ? ",d,n,w\n" : ",e,f,g\n");
    for (int i = 0; i < count; i++) {
        for (int a = 0; !rows[i].dropped && a < w->attributes; a++) {
            naive_put_cell(csv, rows[i].cell[a], false);
            naive_put(csv, ',');
        }
        if (!rows[i].dropped) {
            naive_put_cell(csv, sensitive ? rows[i].sensitive : "", false);
            naive_put(csv, ',');
            naive_put_cell(csv, sensitive ? rows[i].number : "", false);
            naive_put(csv, ',');
            naive_puts(csv, sensitive ? rows[i].weight : "");
            naive_put(csv, '\n');
        }
    }
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, (tacit_strview){csv->bytes, csv->len}, "t", &options, NULL,
                                &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static bool same(double a, double b)
{
    return a == b || fabs(a - b) < 1e-9 * (1 + fabs(a));
}

static void compare(const world *w, const tacit_verdict *v, uint64_t seed)
{
    bool failing = false, found = false;
    for (int i = 0; i < w->promise.model_count; i++) {
        const tacit_model_verdict *got = &v->models[i];
        outcome o = expect(w, &w->models[i].bound);
        failing |= o.failing > 0 || (o.absent && w->models[i].bound.second > 0);
        bool numbers = o.classes == 0 || (same(got->worst, o.worst) && same(got->least, o.least));
        if (!got->checked || got->classes != o.classes || got->classes_failing != o.failing ||
            got->rows_failing != o.rows_failing || !numbers)
            fail_msg("seed %llu, %s: %d of %d classes and %d rows fail, worst %.17g, least %.17g; "
                     "by definition %d of %d, %d, %.17g, %.17g",
                     (unsigned long long)seed, tacit_model_name(w->models[i].bound.kind),
                     (int)got->classes_failing, (int)got->classes, (int)got->rows_failing,
                     got->worst, got->least, o.failing, o.classes, o.rows_failing, o.worst,
                     o.least);
    }
    for (int32_t i = 0; i < v->finding_count; i++)
        found |= v->findings[i].kind == TACIT_FINDING_MODEL;
    assert_int_equal(found, failing);
}

static void judge_world(uint64_t seed)
{
    static world w;
    draw_world(&w, seed);
    naive_text texts[3] = {{0}};
    tacit_table *release = table_of(&w, w.release, w.rows, true, &texts[0]);
    tacit_table *people = table_of(&w, w.person, w.people, false, &texts[1]);
    tacit_table *original =
        w.knows_original ? table_of(&w, w.original, w.rows, true, &texts[2]) : NULL;
    const tacit_evidence evidence = {
        .release = release, .original = original, .population = people};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1 + (int)(seed % 3);
    tacit_verdict *v = NULL;
    tacit_error err = {0};
    if (tacit_audit_release(&v, &w.promise, &evidence, &run, &err) != TACIT_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.message);
    compare(&w, v, seed);
    tacit_verdict_free(v);
    tacit_table_free(release);
    tacit_table_free(people);
    tacit_table_free(original);
    for (int i = 0; i < 3; i++)
        free(texts[i].bytes);
    for (int a = 0; a < w.attributes; a++)
        if (w.ladders[a].file[0])
            unlink(w.ladders[a].file);
    unlink(w.tree.file);
}

static void test_against_definitions(void **state)
{
    (void)state;
    uint64_t cases = many_cases(CASES);
    assert_non_null(mkdtemp(folder));
    for (uint64_t seed = 1; seed <= cases; seed++)
        judge_world(seed);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_definitions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
