/*
 * order.c - does the order of a release follow that of another file? Unsorted matching: 5.5.1 of
 * Sweeney, Computational Disclosure Control.
 *
 * Were the rows of the release in random order, the number of them that agree with the row at their
 * place in the other file would be a sum over a random permutation of a matrix of zeros and ones.
 * Its mean and its variance (Hoeffding's: the sum of the squares of what is left of the matrix
 * without the means of its rows and columns, over n - 1) follow from how many rows each kind of row
 * agrees with, so no pair of rows is looked at. The second test correlates the places of rows with
 * the mean place of the rows they can be; over all permutations the product of both has the
 * variance of a correlation, 1 / (n - 1), whatever the values are.
 *
 * What is gained: rows at the same place that agree are taken for the same records, and the boxes
 * they make are counted as in boxes.c.
 *
 * Cost: kinds and pairs as in previous.c, 16 bytes a kind, and 24 a row where the order follows.
 */
#include <math.h>
#include <string.h>

#include "audit/previous/previous.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"

typedef struct ordering {
    const tacit_two_releases *two;
    const tacit_run *run;
    tacit__row_kinds kinds;
    tacit__row_pairs pairs;
    tacit_order_verdict verdict;
    uint32_t *placed;   /* rows of the other file at places that both have, a kind each */
    uint64_t *partners; /* such rows that rows of a kind agree with */
    uint64_t
        *partners_of; /* rows of the release that rows of a kind of the other file agree with */
    double *mean;     /* place of the rows that rows of a kind can be; -1: there is none */
} ordering;

static uint32_t kind_before(const ordering *o, int64_t row)
{
    return o->kinds.kind_of[o->two->now_rows + row];
}

static void count_places(ordering *o)
{
    int64_t places =
        o->two->now_rows < o->two->before_rows ? o->two->now_rows : o->two->before_rows;
    o->verdict.places = places;
    for (int64_t row = 0; row < places; row++) {
        o->placed[kind_before(o, row)]++;
        o->verdict.agreeing +=
            tacit__row_kinds_agree(&o->kinds, o->kinds.kind_of[row], kind_before(o, row), 0);
    }
}

static void count_partners(ordering *o)
{
    for (uint32_t i = 0; i < o->kinds.count; i++) {
        const uint32_t *partners = tacit__partners(&o->pairs, i);
        for (uint32_t j = 0; j < tacit__partner_count(&o->pairs, i); j++) {
            o->partners[i] += o->placed[partners[j]];
            o->partners_of[partners[j]] += o->kinds.now[i];
        }
    }
}

/* Agreement at the same place, against its mean and variance in random order. */
static void test_places(ordering *o)
{
    double n = (double)o->two->now_rows, sum = 0, rows = 0, columns = 0;
    for (uint32_t i = 0; i < o->kinds.count; i++) {
        double own = (double)o->partners[i], other = (double)o->partners_of[i];
        sum += o->kinds.now[i] * own;
        rows += o->kinds.now[i] * own * own;
        columns += o->placed[i] * other * other;
    }
    double squares = sum - rows / n - columns / n + sum / n * (sum / n);
    o->verdict.expected = sum / n;
    if (n > 1 && squares > 1e-9 * sum) { /* else it is rounding, and every order agrees as well */
        o->verdict.places_z =
            ((double)o->verdict.agreeing - o->verdict.expected) / sqrt(squares / (n - 1));
        o->verdict.tested = true;
    }
}

/* Mean places of all rows of the other file that rows of a kind can be. */
static bool find_means(ordering *o)
{
    uint64_t *sums = tacit__alloc_zeroed(o->kinds.count, sizeof *sums);
    for (int64_t row = 0; sums && row < o->two->before_rows; row++)
        sums[kind_before(o, row)] += (uint64_t)row;
    for (uint32_t i = 0; sums && i < o->kinds.count; i++) {
        const uint32_t *partners = tacit__partners(&o->pairs, i);
        uint64_t sum = 0, rows = 0;
        for (uint32_t j = 0; j < tacit__partner_count(&o->pairs, i); j++) {
            sum += sums[partners[j]];
            rows += o->kinds.before[partners[j]];
        }
        o->mean[i] = rows ? (double)sum / (double)rows : -1;
    }
    tacit__free(sums);
    return sums != NULL;
}

/* The correlation over the rows that can be any, by their places among themselves. */
static void test_ranks(ordering *o)
{
    double n = 0, sum = 0, products = 0, squares = 0;
    for (int64_t row = 0; row < o->two->now_rows; row++) {
        double mean = o->mean[o->kinds.kind_of[row]];
        if (mean >= 0) {
            sum += mean;
            n++;
        }
    }
    double middle = n > 0 ? sum / n : 0, at = (1 - n) / 2;
    for (int64_t row = 0; row < o->two->now_rows; row++) {
        double mean = o->mean[o->kinds.kind_of[row]];
        if (mean < 0)
            continue;
        products += at * (mean - middle);
        squares += (mean - middle) * (mean - middle);
        at++;
    }
    if (n < 2 || squares <= 1e-9 * n * (1 + middle * middle))
        return;
    o->verdict.correlation = products / sqrt(squares * (n * n - 1) * n / 12);
    o->verdict.ranks_z = o->verdict.correlation * sqrt(n - 1);
    o->verdict.tested = true;
}

static tacit_status test_order(ordering *o, tacit_error *err)
{
    size_t n = o->kinds.count;
    o->partners = tacit__alloc_zeroed(n, sizeof *o->partners);
    o->partners_of = tacit__alloc_zeroed(n, sizeof *o->partners_of);
    o->mean = tacit__alloc_array(n, sizeof *o->mean);
    if (!o->partners || !o->partners_of || !o->mean || !find_means(o))
        return tacit__nomem(err);
    count_partners(o);
    if (o->two->now_rows > 0)
        test_places(o);
    test_ranks(o);
    const tacit_order_verdict *v = &o->verdict;
    o->verdict.follows =
        (v->places_z > TACIT_ORDER_PLACES && v->agreeing >= v->places - v->places / 10) ||
        fabs(v->ranks_z) > TACIT_ORDER_RANKS;
    return TACIT_OK;
}

/* Kinds of pairs of rows at one place: kind of the release, then of the other file, or again of the
 * release where they do not agree or there is none. */
typedef struct placing {
    uint32_t count;
    uint32_t *rows;
    tacit__kind_column *columns; /* of the kinds; nodes of the quasi-identifying ones are owned */
    tacit__row_counts counts;
} placing;

static uint64_t key_of(const ordering *o, int64_t row)
{
    uint32_t now = o->kinds.kind_of[row], before = now;
    if (row < o->verdict.places && tacit__row_kinds_agree(&o->kinds, now, kind_before(o, row), 0))
        before = kind_before(o, row);
    return (uint64_t)now << 32 | before;
}

static bool place_capacity(placing *p, const ordering *o, size_t count)
{
    size_t columns = (size_t)o->kinds.column_count;
    p->rows = tacit__alloc_zeroed(count, sizeof *p->rows);
    p->columns = tacit__alloc_array(columns, sizeof *p->columns);
    bool whole = p->rows && p->columns;
    for (size_t i = 0; p->columns && i < columns; i++) {
        p->columns[i] = o->kinds.columns[i];
        p->columns[i].nodes = (tacit__previous_nodes){0};
        whole = whole && tacit__nodes_init(&p->columns[i].nodes, count, p->columns[i].most);
    }
    return whole;
}

/* Fills in the kinds of pairs from their sorted keys. */
static void place_pairs(placing *p, ordering *o, const tacit__sorter *sorted)
{
    for (int64_t i = 0; i < sorted->count; i++) {
        uint64_t key = sorted->keys[i];
        if (i == 0 || key != sorted->keys[i - 1])
            p->count++;
        p->rows[p->count - 1]++;
        bool finer = false;
        for (int32_t c = 0; c < o->kinds.column_count; c++) {
            const tacit__kind_column *column = &o->kinds.columns[c];
            uint32_t own = tacit__node_at(column->nodes, key >> 32),
                     other = tacit__node_at(column->nodes, (uint32_t)key);
            tacit__node_put(p->columns[c].nodes, p->count - 1, own > other ? own : other);
            finer |= other > own && column->source >= 0 && column->source < o->two->quasi_count;
        }
        o->verdict.finer_rows += finer;
    }
}

static tacit_status count_placed(placing *p, ordering *o, tacit_error *err)
{
    const tacit_two_releases *two = o->two;
    tacit__row_boxes boxes = {.count = p->count, .rows = p->rows, .columns = p->columns};
    tacit_status status = tacit__row_counts_init(&p->counts, p->count, two, err);
    if (status == TACIT_OK)
        status = tacit__count_all_sets(&p->counts, &boxes, &o->kinds, two, o->run, err);
    o->verdict.fewest = p->count > 0 ? two->k : 0;
    for (uint32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        const tacit__row_counts *counts = &p->counts;
        uint32_t few = counts->by_candidates ? counts->candidates[i] : counts->sharing[i];
        o->verdict.exposed_rows += few < two->k ? p->rows[i] : 0;
        if (few < o->verdict.fewest)
            o->verdict.fewest = few;
    }
    return status;
}

/* The join by place, and who is exposed by it. */
static tacit_status join_places(ordering *o, tacit_error *err)
{
    tacit__sorter sorter = {0};
    placing p = {0};
    tacit_status status = tacit__sorter_init(&sorter, o->two->now_rows, 64, false, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < o->two->now_rows; row++)
        sorter.keys[row] = key_of(o, row);
    status = tacit__sorter_sort(&sorter, o->run, err);
    if (status == TACIT_OK && !place_capacity(&p, o, (size_t)tacit__sorter_distinct(&sorter)))
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        place_pairs(&p, o, &sorter);
        status = count_placed(&p, o, err);
    }
    tacit__sorter_clear(&sorter);
    for (int32_t i = 0; p.columns && i < o->kinds.column_count; i++)
        tacit__free(p.columns[i].nodes.data);
    tacit__free(p.columns);
    tacit__free(p.rows);
    tacit__row_counts_clear(&p.counts);
    return status;
}

static tacit_status order_all(ordering *o, tacit_error *err)
{
    bool too_many = false;
    int64_t most = o->two->max_pairs ? o->two->max_pairs : TACIT_MAX_PAIRS;
    tacit_status status = tacit__row_kinds_init(&o->kinds, o->two, o->run, err);
    if (status == TACIT_OK)
        status = tacit__row_pairs_init(&o->pairs, &too_many, &o->kinds, most, o->run, err);
    if (status != TACIT_OK)
        return status;
    o->placed = tacit__alloc_zeroed(o->kinds.count, sizeof *o->placed);
    if (!o->placed)
        return tacit__nomem(err);
    count_places(o);
    o->verdict.too_many = too_many;
    if (!too_many)
        status = test_order(o, err);
    if (status == TACIT_OK && o->verdict.follows)
        status = join_places(o, err);
    return status;
}

tacit_status tacit_audit_order(tacit_order_verdict *out, const tacit_two_releases *two,
                               const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__two_releases_check(two, err);
    if (status != TACIT_OK)
        return status;
    ordering o = {.two = two, .run = run};
    status = order_all(&o, err);
    tacit__row_pairs_clear(&o.pairs);
    tacit__row_kinds_clear(&o.kinds);
    tacit__free(o.placed);
    tacit__free(o.partners);
    tacit__free(o.partners_of);
    tacit__free(o.mean);
    if (status == TACIT_OK)
        *out = o.verdict;
    return status;
}
