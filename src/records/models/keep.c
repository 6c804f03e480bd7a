/*
 * keep.c - sensitive values in one group of classes: how often each occurs, and what the models
 * ask of them and of the population that the group covers.
 *
 * Rows are grouped once by class and value together (classes/encode.c); the pairs that occur, at
 * most one a row and usually far fewer, are then put in the order of their classes. A group of
 * classes is gathered by adding up its members' pairs in an array with a cell a number, of which
 * only those touched are cleaned afterwards: linear in the pairs, whatever the number of values. A
 * single class needs no gathering, its pairs are the histogram.
 *
 * Eight bytes a pair and four a class stay; twelve a row are needed on the way.
 *
 * Diversity in its three forms is of Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam
 * (l-diversity, TKDD 2007), alpha of Wong, Li, Fu and Wang ((alpha,k)-anonymity, KDD 2006),
 * closeness of Li, Li and Venkatasubramanian (t-closeness, ICDE 2007), presence of Nergiz, Atzori
 * and Clifton (SIGMOD 2007), k-map of Sweeney (Computational Disclosure Control, 4.3).
 *
 * Closeness is the earth mover's distance. Where all values are equally far apart it is half the
 * sum of the differences of shares, which is the sum of the positive ones. In a hierarchy of
 * height H, Li et al. charge a node of level h with h/H times the smaller of what its children
 * have too much and too little: (A(h-1) - A(h)) / 2 summed over the nodes of the level, where A(h)
 * is the sum of |difference of shares| over the nodes of level h. As A(H) = 0, the sum over h
 * telescopes to the mean of A(h)/2 over the levels below the top: the equal distance of what each
 * level shows, averaged. So both are one loop.
 *
 * In order, the distance of Li et al. between places of m is |i - j| / (m - 1), and what crosses
 * from a place to the next is the difference of the shares up to it: the sum of |P(i) - Q(i)| over
 * the places but the last, over m - 1. Between two numbers of the group P stands still and Q
 * grows, so that the sum is taken at once, with sums of Q and the place where Q passes P. Values
 * that are no numbers hang on the middle of the line by an edge of 1/2; what they have too much
 * crosses the right half of the line to get there. Where there is no second number all values
 * are such, and the distance is the equal one.
 *
 * Likeness is of Cao and Karras (Publishing microdata with a robust privacy guarantee, VLDB 2012),
 * disclosure of Brickell and Shmatikov (The cost of privacy, KDD 2008), range of Zhang, Koudas,
 * Srivastava and Yu ((k,e)-anonymity, ICDE 2007).
 *
 * Every model survives the joining of two groups A and B, whose shares mix with
 * weights that sum to 1:
 *   distinct    the union has every value of both.
 *   entropy     is concave, so that of the mixture is no less than the smaller.
 *   recursive   with r the most frequent count and T the sum from the l-th on:
 *               r(A+B) <= r(A) + r(B). T is the rows less the most that l-1
 *               values can have; these are at most the most in A plus the most
 *               in B, so T(A+B) >= T(A) + T(B). Hence r < cT is kept.
 *   alpha       the largest share is convex, so no more than the larger.
 *   closeness   is convex in the shares of the group, the same.
 *   likeness, disclosure   bound the share of each value by constants, from above, and from
 *               below; mixtures stay between. That disclosure asks for every value of the table
 *               is a part of this: without it classes that lack a value keep what their union
 *               with one that has it breaks.
 *   range       can only grow, whatever joins.
 *   presence    (a + b) / (p + q) lies between a/p and b/q.
 *   k-map       covers no fewer people; estimated, the sum of weights, which are above 0, grows.
 * Presence and k-map look at the box as well: see models.c.
 *
 * Linear in the distinct values of the group (entropy: a logarithm each; recursive: times log2 of
 * the largest count; tree: times the height at worst; in order: a sort, and log2 of the column's
 * values for each).
 */
#include "records/models/keep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"

/* Counts (class, value) over the rows; both are numbers, so any keys fit. */
static tacit_status group_rows(tacit__grouping *pairs, const tacit_frame *frame, int32_t column,
                               const uint32_t *class_of, int64_t classes, const tacit_run *run,
                               tacit_error *err)
{
    uint64_t codes = (uint64_t)tacit_table_distinct(frame->table, column) + 1;
    uint64_t domain = classes > 0 ? (uint64_t)classes : 1;
    tacit__feed_column both[] = {
        {.codes = {class_of, 4}, .entries = domain, .domain = domain},
        {.codes = tacit_table_codes(frame->table, column), .entries = codes, .domain = codes}};
    tacit__feed feed = {.count = tacit_table_rows(frame->table),
                        .repeats = frame->repeats,
                        .columns = 2,
                        .column = both};
    return tacit__grouping_init(pairs, &feed, false, run, err);
}

/* Takes keys apart: class in the upper half, value in the lower. Done before the
 * pairs are sorted, where memory is waited for and divisions would hold that up. */
static void split_keys(tacit__grouping *pairs)
{
    uint64_t codes = pairs->coder.domain[1];
    for (int64_t i = 0; i < pairs->count; i++) {
        uint64_t key = pairs->keys[i];
        pairs->keys[i] = key / codes << 32 | key % codes;
    }
}

/* Puts the pairs in the order of their classes. starts has two entries more than
 * classes: the second of a class is where its next pair goes, and in the end
 * where the next class begins. */
static void sort_pairs(tacit__values *values, const tacit__grouping *pairs, int64_t classes)
{
    uint32_t *next = values->starts + 1;
    for (int64_t i = 0; i < pairs->count; i++)
        next[(pairs->keys[i] >> 32) + 1]++;
    for (int64_t c = 0; c < classes; c++)
        next[c + 1] += next[c];
    for (int64_t i = 0; i < pairs->count; i++) {
        uint32_t code = (uint32_t)pairs->keys[i];
        values->entries[next[pairs->keys[i] >> 32]++] =
            (tacit__occurrence){.number = code, .count = pairs->rows[i]};
        values->totals[code] += pairs->rows[i];
    }
}

tacit_status tacit__values_init(tacit__values *values, const tacit_frame *frame, int32_t column,
                                const uint32_t *class_of, int64_t classes, const tacit_run *run,
                                tacit_error *err)
{
    tacit__grouping pairs = {0};
    tacit_status status = group_rows(&pairs, frame, column, class_of, classes, run, err);
    if (status != TACIT_OK)
        return status;
    tacit__values made = {
        .column = column, .grid = -1, .codes = tacit_table_distinct(frame->table, column) + 1};
    made.starts = tacit__alloc_zeroed((size_t)classes + 2, sizeof *made.starts);
    made.entries = tacit__alloc_array((size_t)pairs.count, sizeof *made.entries);
    made.totals = tacit__alloc_zeroed(made.codes, sizeof *made.totals);
    if (made.starts && made.entries && made.totals) {
        split_keys(&pairs);
        sort_pairs(&made, &pairs, classes);
        *values = made;
    } else {
        tacit__values_clear(&made);
        status = tacit__nomem(err);
    }
    tacit__grouping_clear(&pairs);
    return status;
}

void tacit__values_clear(tacit__values *values)
{
    tacit__free(values->starts);
    tacit__free(values->entries);
    tacit__free(values->totals);
    tacit__free(values->numbers);
    *values = (tacit__values){0};
}

tacit_status tacit__model_tally_init(tacit__model_tally *tally, size_t numbers, tacit_error *err)
{
    tacit__model_tally made = {.place = tacit__alloc_zeroed(numbers, sizeof *made.place),
                               .entries = tacit__alloc_array(numbers, sizeof *made.entries)};
    if (!made.place || !made.entries) {
        tacit__model_tally_clear(&made);
        return tacit__nomem(err);
    }
    *tally = made;
    return TACIT_OK;
}

void tacit__model_tally_clear(tacit__model_tally *tally)
{
    tacit__free(tally->place);
    tacit__free(tally->entries);
    *tally = (tacit__model_tally){0};
}

static inline void add(tacit__model_tally *tally, int64_t *distinct, tacit__occurrence more)
{
    uint32_t *place = &tally->place[more.number];
    if (*place) {
        tally->entries[*place - 1].count += more.count;
        return;
    }
    tally->entries[*distinct] = more;
    *place = (uint32_t)++ * distinct;
}

static tacit__histogram_view finish(tacit__model_tally *tally, int64_t distinct, int64_t rows)
{
    for (int64_t i = 0; i < distinct; i++)
        tally->place[tally->entries[i].number] = 0;
    return (tacit__histogram_view){tally->entries, distinct, rows};
}

static tacit__histogram_view view_class(const tacit__values *values, uint32_t class)
{
    uint32_t from = values->starts[class], end = values->starts[class + 1];
    tacit__histogram_view view = {values->entries + from, end - from, 0};
    for (int64_t i = 0; i < view.distinct; i++)
        view.rows += view.entries[i].count;
    return view;
}

tacit__histogram_view tacit__values_gather(const tacit__values *values, tacit__model_tally *tally,
                                           const uint32_t *members, int64_t count)
{
    int64_t distinct = 0, rows = 0;
    if (count == 1)
        return view_class(values, members[0]);
    for (int64_t m = 0; m < count; m++)
        for (uint32_t i = values->starts[members[m]]; i < values->starts[members[m] + 1]; i++) {
            add(tally, &distinct, values->entries[i]);
            rows += values->entries[i].count;
        }
    return finish(tally, distinct, rows);
}

/* In place: what is added never lies behind what is read. */
static tacit__histogram_view raise_histogram(const tacit__histogram_view *from, const uint32_t *up,
                                             tacit__model_tally *tally)
{
    int64_t distinct = 0;
    for (int64_t i = 0; i < from->distinct; i++) {
        tacit__occurrence next = from->entries[i];
        add(tally, &distinct, (tacit__occurrence){.number = up[next.number], .count = next.count});
    }
    return finish(tally, distinct, from->rows);
}

/* In place as well: a class gets no more entries than it had. */
tacit_status tacit__values_recode(tacit__values *values, const uint32_t *map, uint32_t count,
                                  int64_t classes, tacit_error *err)
{
    tacit__model_tally tally = {0};
    uint32_t *totals = tacit__alloc_zeroed(count, sizeof *totals), at = 0, from = 0;
    tacit_status status = totals ? tacit__model_tally_init(&tally, count, err) : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__free(totals);
        return status;
    }
    for (int64_t c = 0; c < classes; c++) {
        uint32_t end = values->starts[c + 1];
        tacit__histogram_view class = {values->entries + from, end - from, 0};
        class = raise_histogram(&class, map, &tally);
        memcpy(values->entries + at, class.entries,
               (size_t) class.distinct * sizeof *class.entries);
        values->starts[c] = at;
        at += (uint32_t) class.distinct;
        from = end;
    }
    values->starts[classes] = at;
    for (uint32_t code = 0; code < values->codes; code++)
        totals[map[code]] += values->totals[code];
    tacit__model_tally_clear(&tally);
    tacit__free(values->totals);
    values->totals = totals;
    values->codes = count;
    return TACIT_OK;
}

/* Entries of a level: its values, and missing where it stays missing. */
static size_t entries(const tacit__values *values, const tacit_hierarchy *hierarchy, int level)
{
    return hierarchy ? (size_t)tacit_hierarchy_count(hierarchy, level) + 1 : values->codes;
}

static tacit_status allocate_shares(tacit__models_shares *shares, const tacit__values *values,
                                    const tacit_hierarchy *hierarchy, tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int level = 0; level < shares->levels; level++)
        total += entries(values, hierarchy, level);
    shares->memory = tacit__alloc_zeroed(total, sizeof *shares->memory);
    shares->up_memory = tacit__alloc_zeroed(total, sizeof *shares->up_memory);
    if (!shares->memory || !shares->up_memory)
        return tacit__nomem(err);
    for (int level = 0; level < shares->levels; level++) {
        shares->of[level] = shares->memory + at;
        shares->up[level] = shares->up_memory + at;
        shares->counts[level] = entries(values, hierarchy, level);
        at += entries(values, hierarchy, level);
    }
    return TACIT_OK;
}

static double sum_of(const uint32_t *totals, uint32_t count)
{
    double sum = 0; /* whole numbers, so exact */
    for (uint32_t i = 0; i < count; i++)
        sum += totals[i];
    return sum;
}

static void fill_shares(tacit__models_shares *shares, const tacit__values *values,
                        const tacit_hierarchy *hierarchy)
{
    double rows = sum_of(values->totals, values->codes);
    for (uint32_t code = 0; code < values->codes; code++)
        shares->values += values->totals[code] > 0;
    for (int level = 0; level < shares->levels; level++) {
        const uint32_t *map = hierarchy ? tacit_hierarchy_map(hierarchy, level) : NULL;
        const uint32_t *next =
            level + 1 < shares->levels ? tacit_hierarchy_map(hierarchy, level + 1) : NULL;
        for (uint32_t code = 0; code < values->codes; code++) {
            uint32_t number = map ? map[code] : code;
            shares->of[level][number] += values->totals[code];
            if (next)
                shares->up[level][number] = next[code];
        }
        for (size_t i = 0; rows > 0 && i < entries(values, hierarchy, level); i++)
            shares->of[level][i] /= rows;
    }
}

static tacit_status sum_in_order(tacit__models_shares *shares, const tacit__values *values,
                                 tacit_error *err)
{
    shares->up_to = tacit__alloc_array(values->places, sizeof *shares->up_to);
    shares->sums = tacit__alloc_zeroed((size_t)values->places + 1, sizeof *shares->sums);
    if (!shares->up_to || !shares->sums)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < values->places; i++) {
        shares->up_to[i] = shares->of[0][i] + (i > 0 ? shares->up_to[i - 1] : 0);
        shares->sums[i + 1] = shares->sums[i] + shares->up_to[i];
    }
    return TACIT_OK;
}

tacit_status tacit__shares_init(tacit__models_shares *shares, const tacit__values *values,
                                const tacit_hierarchy *hierarchy, tacit_error *err)
{
    *shares = (tacit__models_shares){.levels = hierarchy ? tacit_hierarchy_height(hierarchy) : 1};
    tacit_status status = allocate_shares(shares, values, hierarchy, err);
    if (status == TACIT_OK)
        fill_shares(shares, values, hierarchy);
    if (status == TACIT_OK && values->numbers)
        status = sum_in_order(shares, values, err);
    if (status != TACIT_OK)
        tacit__shares_clear(shares);
    return status;
}

void tacit__shares_clear(tacit__models_shares *shares)
{
    tacit__free(shares->memory);
    tacit__free(shares->up_memory);
    tacit__free(shares->up_to);
    tacit__free(shares->sums);
    *shares = (tacit__models_shares){0};
}

static uint32_t largest(const tacit__histogram_view *h)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < h->distinct; i++)
        most = h->entries[i].count > most ? h->entries[i].count : most;
    return most;
}

/* log n - (sum of c log c) / n, in nats. */
static double entropy(const tacit__histogram_view *h)
{
    double sum = 0, rows = (double)h->rows;
    for (int64_t i = 0; i < h->distinct; i++)
        if (h->entries[i].count > 1)
            sum += h->entries[i].count * log(h->entries[i].count);
    return log(rows) - sum / rows;
}

static int64_t how_many(const tacit__histogram_view *h, uint32_t at_least)
{
    int64_t found = 0;
    for (int64_t i = 0; i < h->distinct; i++)
        found += h->entries[i].count >= at_least;
    return found;
}

/* Rows of the `count` most frequent values, of which there are more. The count
 * of the last of them is found by bisection. */
static int64_t rows_of_most(const tacit__histogram_view *h, int64_t count, uint32_t most)
{
    uint32_t low = 1, high = most;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (how_many(h, middle) >= count)
            low = middle;
        else
            high = middle - 1;
    }
    int64_t rows = 0, above = 0;
    for (int64_t i = 0; i < h->distinct; i++)
        if (h->entries[i].count > low) {
            rows += h->entries[i].count;
            above++;
        }
    return rows + (count - above) * low;
}

static bool keeps_recursive(const tacit__histogram_view *h, double l, double c)
{
    if ((double)h->distinct < l)
        return false; /* nothing is left from the l-th on */
    uint32_t most = largest(h);
    int64_t first = l > 1 ? rows_of_most(h, (int64_t)l - 1, most) : 0;
    return (c * (double)(h->rows - first) - most) / (double)h->rows > TACIT_MODEL_TOLERANCE;
}

/* What the group has too much of, in shares. */
static double excess(const tacit__histogram_view *h, const double *shares)
{
    double sum = 0, rows = (double)h->rows;
    for (int64_t i = 0; i < h->distinct; i++) {
        double more = h->entries[i].count / rows - shares[h->entries[i].number];
        sum += more > 0 ? more : 0;
    }
    return sum;
}

static bool keeps_closeness(const tacit__histogram_view *h, const tacit__models_shares *shares,
                            double t, tacit__model_tally *tally)
{
    tacit__histogram_view at = *h;
    double limit = (t + TACIT_MODEL_TOLERANCE) * shares->levels;
    double sum = excess(&at, shares->of[0]);
    for (int level = 1; level < shares->levels && sum <= limit; level++) {
        at = raise_histogram(&at, shares->up[level - 1], tally);
        sum += excess(&at, shares->of[level]);
    }
    return sum <= limit;
}

static int by_number(const void *a, const void *b)
{
    const tacit__occurrence *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* The sum of |level - shares of the table up to a place| over places from one to another. */
static double between(const tacit__models_shares *shares, uint32_t from, uint32_t to, double level)
{
    uint32_t low = from, high = to;
    if (from >= to)
        return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shares->up_to[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    double under = shares->sums[low] - shares->sums[from];
    double over = shares->sums[to] - shares->sums[low];
    return level * (double)(low - from) - under + over - level * (double)(to - low);
}

static uint32_t clamp(uint32_t place, uint32_t low, uint32_t high)
{
    return place < low ? low : place > high ? high : place;
}

/* What crosses the edges behind places from one to another, where the group has the share `level`
 * up to each of them. Right of the middle what comes in there, `more`, is on its way as well; an
 * edge that has the middle in it is half left, half right. */
static double crossing(const tacit__models_shares *shares, uint32_t places, uint32_t from,
                       uint32_t to, double level, double more)
{
    uint32_t left = (places - 1) / 2, right = places / 2;
    double sum = between(shares, from, clamp(to, from, left), level) +
                 between(shares, clamp(right, from, to), to, level - more);
    if (left < right && from <= left && left < to)
        sum += (fabs(level - shares->up_to[left]) + fabs(level - more - shares->up_to[left])) / 2;
    return sum;
}

/* What it costs to bring values that are no numbers to the middle, or from there; and by how much
 * the share of numbers is larger in the group than in the table. */
static double wordy(double *numbers, const tacit__histogram_view *h, const tacit__values *values,
                    const tacit__models_shares *shares)
{
    double rows = (double)h->rows, here = 0, sum = 0;
    double there = 1 - (values->places > 0 ? shares->up_to[values->places - 1] : 0);
    for (int64_t i = 0; i < h->distinct; i++) {
        if (h->entries[i].number < values->places)
            continue;
        double share = h->entries[i].count / rows, of = shares->of[0][h->entries[i].number];
        here += share;
        sum += fabs(share - of) - of;
    }
    *numbers = there - here;
    return (sum + there) / 2;
}

static double order_distance(const tacit__histogram_view *h, const tacit__values *values,
                             const tacit__models_shares *shares, tacit__model_tally *tally)
{
    double more, level = 0, rows = (double)h->rows, sum = 0;
    double words = wordy(&more, h, values, shares);
    uint32_t from = 0, last = values->places - 1;
    if (values->places == 0)
        return words;
    memcpy(tally->entries, h->entries, (size_t)h->distinct * sizeof *h->entries);
    qsort(tally->entries, (size_t)h->distinct, sizeof *tally->entries, by_number);
    for (int64_t i = 0; i < h->distinct && tally->entries[i].number <= last; i++) {
        uint32_t to = tally->entries[i].number;
        sum += crossing(shares, values->places, from, to, level, more);
        level += tally->entries[i].count / rows;
        from = to;
    }
    sum += crossing(shares, values->places, from, last, level, more);
    return words + sum / last;
}

double tacit__allowed_gain(const tacit_model_bound *bound, double share)
{
    return bound->kind == TACIT_MODEL_LIKENESS ? bound->bound : fmin(bound->bound, -log(share));
}

static bool keeps_likeness(const tacit__histogram_view *h, const tacit__models_shares *shares,
                           const tacit_model_bound *bound)
{
    for (int64_t i = 0; i < h->distinct; i++) {
        double of = shares->of[0][h->entries[i].number];
        double gain = (h->entries[i].count / (double)h->rows - of) / of;
        if (gain > tacit__allowed_gain(bound, of) + TACIT_MODEL_TOLERANCE)
            return false;
    }
    return true;
}

static bool keeps_disclosure(const tacit__histogram_view *h, const tacit__models_shares *shares,
                             double delta)
{
    if (h->distinct < shares->values)
        return false;
    for (int64_t i = 0; i < h->distinct; i++) {
        double of = shares->of[0][h->entries[i].number];
        double ratio = h->entries[i].count / (double)h->rows / of;
        if (fabs(log2(ratio)) >= delta - TACIT_MODEL_TOLERANCE)
            return false;
    }
    return true;
}

static bool keeps_range(const tacit__histogram_view *h, const tacit__values *values, double least)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (int64_t i = 0; i < h->distinct; i++) {
        uint32_t place = h->entries[i].number;
        if (place >= values->places)
            continue;
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    return low <= high &&
           values->numbers[high] - values->numbers[low] >= least * (1 - TACIT_MODEL_TOLERANCE);
}

/* People that the group's rows stand for: the sum of their weights. What is no number, or not above
 * 0, stands for nobody. */
static bool keeps_estimate(const tacit__histogram_view *h, const tacit__values *values,
                           double least)
{
    double people = 0;
    for (int64_t i = 0; i < h->distinct; i++)
        people += h->entries[i].count * fmax(values->numbers[h->entries[i].number], 0);
    return people >= least * (1 - TACIT_MODEL_TOLERANCE);
}

bool tacit__keeps(const tacit_model_bound *bound, const tacit__histogram_view *histogram,
                  const tacit__values *values, const tacit__models_shares *shares,
                  tacit__model_tally *tally)
{
    assert(histogram->rows > 0);
    switch (bound->kind) {
    case TACIT_MODEL_DISTINCT: return (double)histogram->distinct >= bound->bound;
    case TACIT_MODEL_ENTROPY:
        return entropy(histogram) >= log(bound->bound) - TACIT_MODEL_TOLERANCE;
    case TACIT_MODEL_RECURSIVE: return keeps_recursive(histogram, bound->bound, bound->second);
    case TACIT_MODEL_ALPHA:
        return largest(histogram) / (double)histogram->rows <= bound->bound + TACIT_MODEL_TOLERANCE;
    case TACIT_MODEL_CLOSENESS:
    case TACIT_MODEL_CLOSENESS_TREE: return keeps_closeness(histogram, shares, bound->bound, tally);
    case TACIT_MODEL_CLOSENESS_ORDER:
        return order_distance(histogram, values, shares, tally) <=
               bound->bound + TACIT_MODEL_TOLERANCE;
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED: return keeps_likeness(histogram, shares, bound);
    case TACIT_MODEL_DISCLOSURE: return keeps_disclosure(histogram, shares, bound->bound);
    case TACIT_MODEL_RANGE: return keeps_range(histogram, values, bound->bound);
    case TACIT_MODEL_MAP_ESTIMATED: return keeps_estimate(histogram, values, bound->bound);
    default: assert(!"a model of the population"); return false;
    }
}

bool tacit__keeps_population(const tacit_model_bound *bound, int64_t rows, int64_t people)
{
    if (bound->kind == TACIT_MODEL_MAP)
        return (double)people >= bound->bound;
    if (people == 0)
        return false; /* rows of nobody in the register */
    double share = (double)rows / (double)people;
    return share >= bound->second - TACIT_MODEL_TOLERANCE &&
           share <= bound->bound + TACIT_MODEL_TOLERANCE;
}
