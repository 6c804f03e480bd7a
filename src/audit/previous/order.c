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
 * Values are lifted first as high as the same rows agree (lift.c), which leaves few kinds of a
 * source beside its release. Only sums over pairs of kinds are needed, so none are kept. The walk
 * (pairs.c) starts at the kinds of the file that has more of them: its values are the finer ones,
 * each has few values above it, and those that the other file does not have are passed over.
 *
 * Cost: kinds as in previous.c, a walk for each of one file, 44 bytes a kind, and 24 a row where
 * the order follows.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "audit/previous/previous.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Sums over the kinds of the other file that rows of a kind can be; workers add to them in any
 * order. */
typedef struct reach {
    _Atomic uint64_t placed; /* rows at places that both files have */
    _Atomic uint64_t rows;   /* all of them */
    _Atomic uint64_t places; /* their places, summed */
} reach;

typedef struct ordering {
    const tacit_two_releases *two;
    const tacit_run *run;
    tacit__row_kinds kinds;
    tacit_order_verdict verdict;
    uint32_t *placed;          /* rows of the other file at places that both have, a kind each */
    uint64_t *places;          /* of all rows of the other file, summed, a kind each */
    reach *reaches;            /* a kind each */
    _Atomic uint64_t *reached; /* rows of the release that rows of a kind of the other file agree
                                  with */
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
    for (int64_t row = 0; row < o->two->before_rows; row++)
        o->places[kind_before(o, row)] += (uint64_t)row;
}

/* A walk from the kinds of one file to those of the other that they can be. */
typedef struct meeting {
    ordering *o;
    bool from_release;
    tacit__sought_kinds sought;
    tacit__partner_walk *walks; /* a worker each */
    int64_t most;
    atomic_llong count;
} meeting;

/* Where the walk stands. */
typedef struct met {
    const ordering *o;
    bool from_release;
    uint32_t kind;
    int64_t count;
} met;

static void add_to(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

static bool add_pair(void *context, uint32_t partner)
{
    met *m = context;
    const ordering *o = m->o;
    uint32_t now = m->from_release ? m->kind : partner,
             before = m->from_release ? partner : m->kind;
    add_to(&o->reaches[now].placed, o->placed[before]);
    add_to(&o->reaches[now].rows, o->kinds.before[before]);
    add_to(&o->reaches[now].places, o->places[before]);
    add_to(&o->reached[before], o->kinds.now[now]);
    m->count++;
    return true;
}

static tacit_status meet_block(void *context, int64_t block, int worker, tacit_error *err)
{
    meeting *all = context;
    const tacit__row_kinds *kinds = &all->o->kinds;
    const uint32_t *rows = all->from_release ? kinds->now : kinds->before;
    uint32_t first = (uint32_t)block * TACIT__PAIR_BLOCK;
    for (uint32_t i = first; i < kinds->count && i - first < TACIT__PAIR_BLOCK; i++) {
        met m = {all->o, all->from_release, i, 0};
        if (!rows[i] || atomic_load(&all->count) > all->most)
            continue;
        if (!tacit__each_partner(&all->walks[worker], kinds, all->sought, i, add_pair, &m))
            return tacit__nomem(err);
        atomic_fetch_add(&all->count, m.count);
    }
    return TACIT_OK;
}

/* Above each value only those stay that a sought kind has. Nodes come after their parents. */
static bool skip_unsought(tacit__kind_column *column, uint32_t kinds, tacit__sought_kinds sought)
{
    if (column->flat)
        return true;
    bool *has = tacit__alloc_zeroed(column->most, sizeof *has);
    for (uint32_t i = 0; has && i < kinds; i++)
        has[tacit__node_at(column->nodes, i)] |= sought.rows[i] > 0;
    for (uint32_t node = 1; has && node < column->most; node++)
        if (!has[column->parents[node]])
            column->parents[node] = column->parents[column->parents[node]];
    tacit__free(has);
    return has != NULL;
}

static tacit_status meet_all(meeting *all, tacit_error *err)
{
    ordering *o = all->o;
    int workers = tacit__threads(o->run);
    bool whole = true;
    for (int32_t i = 0; i < o->kinds.column_count && whole; i++)
        whole = skip_unsought(&o->kinds.columns[i], o->kinds.count, all->sought);
    all->walks = tacit__alloc_zeroed((size_t)workers, sizeof *all->walks);
    if (!whole || !all->walks)
        return tacit__nomem(err);
    int64_t blocks = ((int64_t)o->kinds.count + TACIT__PAIR_BLOCK - 1) / TACIT__PAIR_BLOCK;
    tacit_status status = tacit__parallel(o->run, "joining", blocks, meet_block, all, err);
    for (int i = 0; i < workers; i++)
        tacit__partner_walk_clear(&all->walks[i]);
    return status;
}

/* The sums over all pairs, from the file with more kinds. */
static tacit_status sum_pairs(ordering *o, tacit_error *err)
{
    const tacit__row_kinds *kinds = &o->kinds;
    uint32_t *news = tacit__alloc_array((size_t)kinds->count + 1, sizeof *news);
    if (!news)
        return tacit__nomem(err);
    news[0] = 0;
    for (uint32_t i = 0; i < kinds->count; i++)
        news[i + 1] = news[i] + (kinds->now[i] > 0);
    meeting all = {.o = o, .most = o->two->max_pairs ? o->two->max_pairs : TACIT_MAX_PAIRS};
    all.from_release = news[kinds->count] > kinds->olds[kinds->count];
    all.sought =
        all.from_release ? tacit__sought_olds(kinds) : (tacit__sought_kinds){kinds->now, news};
    tacit_status status = meet_all(&all, err);
    o->verdict.too_many = atomic_load(&all.count) > all.most;
    tacit__free(all.walks);
    tacit__free(news);
    return status;
}

/* Agreement at the same place, against its mean and variance in random order. */
static void test_places(ordering *o)
{
    double n = (double)o->two->now_rows, sum = 0, rows = 0, columns = 0;
    for (uint32_t i = 0; i < o->kinds.count; i++) {
        double own = (double)o->reaches[i].placed, other = (double)o->reached[i];
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

/* Mean place of the rows that a row can be; -1: there is none. */
static double mean_place(const ordering *o, int64_t row)
{
    const reach *all = &o->reaches[o->kinds.kind_of[row]];
    return all->rows ? (double)all->places / (double)all->rows : -1;
}

/* The correlation over the rows that can be any, by their places among themselves. */
static void test_ranks(ordering *o)
{
    double n = 0, sum = 0, products = 0, squares = 0;
    for (int64_t row = 0; row < o->two->now_rows; row++) {
        double mean = mean_place(o, row);
        if (mean >= 0) {
            sum += mean;
            n++;
        }
    }
    double middle = n > 0 ? sum / n : 0, at = (1 - n) / 2;
    for (int64_t row = 0; row < o->two->now_rows; row++) {
        double mean = mean_place(o, row);
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

static void test_order(ordering *o)
{
    if (o->two->now_rows > 0)
        test_places(o);
    test_ranks(o);
    const tacit_order_verdict *v = &o->verdict;
    o->verdict.follows =
        (v->places_z > TACIT_ORDER_PLACES && v->agreeing >= v->places - v->places / 10) ||
        fabs(v->ranks_z) > TACIT_ORDER_RANKS;
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

static bool order_capacity(ordering *o)
{
    size_t n = o->kinds.count;
    o->placed = tacit__alloc_zeroed(n, sizeof *o->placed);
    o->places = tacit__alloc_zeroed(n, sizeof *o->places);
    o->reaches = tacit__alloc_zeroed(n, sizeof *o->reaches);
    o->reached = tacit__alloc_zeroed(n, sizeof *o->reached);
    return o->placed && o->places && o->reaches && o->reached;
}

/* Both tests, which ask no more of values than which agree. */
static tacit_status test_all(ordering *o, const tacit_two_releases *lifted, tacit_error *err)
{
    tacit_status status = tacit__row_kinds_init(&o->kinds, lifted, o->run, err);
    if (status != TACIT_OK)
        return status;
    if (!order_capacity(o))
        return tacit__nomem(err);
    count_places(o);
    status = sum_pairs(o, err);
    if (status == TACIT_OK && !o->verdict.too_many)
        test_order(o);
    return status;
}

static tacit_status order_all(ordering *o, tacit_error *err)
{
    tacit__lifted lifted = {0};
    tacit_status status = tacit__lift(&lifted, o->two, o->run, err);
    if (status == TACIT_OK)
        status = test_all(o, &lifted.two, err);
    if (status == TACIT_OK && o->verdict.follows) {
        tacit__row_kinds_clear(&o->kinds); /* here values count */
        status = tacit__row_kinds_init(&o->kinds, o->two, o->run, err);
        if (status == TACIT_OK)
            status = join_places(o, err);
    }
    tacit__lifted_clear(&lifted, o->two);
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
    tacit__row_kinds_clear(&o.kinds);
    tacit__free(o.placed);
    tacit__free(o.places);
    tacit__free(o.reaches);
    tacit__free(o.reached);
    if (status == TACIT_OK)
        *out = o.verdict;
    return status;
}
