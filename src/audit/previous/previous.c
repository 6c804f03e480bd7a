/*
 * previous.c - the join of a release with an earlier one: 5.5.2 and 5.5.3 of Sweeney, Computational
 * Disclosure Control. audit_previous.h says what is claimed.
 *
 * Rows become kinds, kinds that can be the same records pairs
 * (pairs.c); the pairs that lie in a largest matching are possible (worlds.c), and their joined
 * boxes are counted (boxes.c). What a row's possible values have in common, the finest node that
 * holds them all, is what is known of it for certain: the joined table.
 *
 * With more pairs than most_pairs nobody asks for worlds: each kind's partners are walked
 * through without being kept, only until what they have in common is the kind's own box.
 *
 * Cost: that of the parts; 4 bytes a kind and column for the joined table.
 */
#include "audit/previous/previous.h"

#include <string.h>

#include <tacit/experimental/audit_previous.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

/* The finest node that holds both. */
static inline uint32_t common_node(const tacit__kind_column *column, uint32_t a, uint32_t b)
{
    while (b < a || b >= column->ends[a])
        a = column->parents[a];
    return a;
}

/* Of what has to be k, that of the worst of a kind's boxes. */
static inline uint32_t row_fewest(const tacit__row_counts *counts, uint32_t kind)
{
    return counts->by_candidates ? counts->candidates[kind] : counts->sharing[kind];
}

/* Whether a kind is surely exposed, or traced. */
static inline bool row_exposed(const tacit__row_counts *counts, uint32_t kind, int64_t k)
{
    return counts->sure[kind] || counts->candidates[kind] < k;
}

/* The values of a column found in another file's.
 *
 * The other column's values are sorted by hashes (rows/rows.h), and each value is looked up.
 * Cost: a bisection for each distinct value; 32 bytes for each of the other column's while they
 * are sorted. */

tacit_status tacit_match_values(uint32_t **codes, const tacit_table *table, int32_t column,
                                const tacit_table *other, int32_t other_column, tacit_error *err)
{
    uint32_t count = tacit_table_distinct(table, column),
             missing = tacit_table_distinct(other, other_column);
    tacit__words words = {0};
    tacit_status status = tacit__words_init(&words, other, other_column, err);
    if (status != TACIT_OK)
        return status;
    tacit__sorter_trim(&words.sorted);
    uint32_t *made = tacit__alloc_array((size_t)count + 1, sizeof *made);
    for (uint32_t i = 0; made && i < count; i++) {
        uint32_t found = tacit__words_find(&words, tacit_table_value(table, column, i));
        made[i] = found == TACIT__NOWHERE ? missing + 1 : found;
    }
    tacit__words_clear(&words);
    if (!made)
        return tacit__nomem(err);
    made[count] = missing;
    *codes = made;
    return TACIT_OK;
}

void tacit_values_free(uint32_t *codes)
{
    tacit__free(codes);
}

typedef struct join {
    const tacit_two_releases *two;
    const tacit_run *run;
    tacit__row_kinds kinds;
    tacit__row_pairs pairs;
    tacit__row_worlds worlds;
    tacit__row_counts counts;
    tacit__kind_column *joined; /* the kinds' columns with joined nodes, borrowed but for those */
    tacit_joined *out;
} join;

tacit_status tacit__two_releases_check(const tacit_two_releases *two, tacit_error *err)
{
    if (two->k < 1 || two->quasi_count < 1 || two->quasi_count > 64 ||
        two->column_count < two->quasi_count || (two->sets && two->set_count < 1) ||
        two->max_pairs < 0 || two->max_pairs >= UINT32_MAX)
        return tacit__error(
            err, TACIT_INVALID,
            "two releases are joined on 1 to 64 quasi-identifying columns, with a k "
            "of 1 or more");
    for (int32_t i = 0; i < two->column_count; i++)
        if ((!two->columns[i].ends && i < two->quasi_count) || two->columns[i].node_count < 1 ||
            (two->now_rows > 0 && two->columns[i].now.codes.width == 0))
            return tacit__error(err, TACIT_INVALID,
                                "column %d has no tree, or is not in the release", (int)i + 1);
    if (two->now_rows > INT32_MAX || two->before_rows > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "releases of more than %d rows cannot be joined",
                            INT32_MAX);
    return TACIT_OK;
}

/* The common part of what a kind can be, so far. */
typedef struct common {
    const join *j;
    uint32_t kind;
    bool met;
} common;

/* Takes a further value of a kind into what is known of it; false when nothing is left to lose. */
static bool take_in(void *context, uint32_t partner)
{
    common *c = context;
    const join *j = c->j;
    bool finer = false;
    for (int32_t i = 0; i < j->kinds.column_count; i++) {
        tacit__kind_column *column = &j->joined[i];
        if (!column->ends)
            continue;
        uint32_t own = tacit__node_at(j->kinds.columns[i].nodes, c->kind),
                 other = tacit__node_at(j->kinds.columns[i].nodes, partner),
                 known = own > other ? own : other;
        if (c->met)
            known = common_node(column, tacit__node_at(column->nodes, c->kind), known);
        tacit__node_put(column->nodes, c->kind, known);
        finer |= known != own;
    }
    c->met = true;
    return finer;
}

/* By worlds: what the possible partners, and the kind itself where it may be new, have in
 * common. */
static tacit_status know_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    join *j = context;
    uint32_t from = (uint32_t)block * TACIT__PAIR_BLOCK;
    for (uint32_t i = from; i < j->kinds.count && i - from < TACIT__PAIR_BLOCK; i++) {
        common c = {j, i, false};
        bool more = j->kinds.now[i] > 0;
        for (uint32_t at = 0; more && at < tacit__partner_count(&j->pairs, i); at++)
            if (tacit__bit_get(j->worlds.possible, j->pairs.starts[i] + at))
                more = take_in(&c, tacit__partners(&j->pairs, i)[at]);
        if (more && (!c.met || tacit__bit_get(j->worlds.fresh, i)))
            take_in(&c, i);
    }
    return TACIT_OK;
}

typedef struct guessing {
    join *j;
    tacit__partner_walk *walks; /* a worker each */
} guessing;

/* Without worlds: what all partners have in common. */
static tacit_status guess_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const guessing *g = context;
    join *j = g->j;
    uint32_t from = (uint32_t)block * TACIT__PAIR_BLOCK;
    for (uint32_t i = from; i < j->kinds.count && i - from < TACIT__PAIR_BLOCK; i++) {
        common c = {j, i, false};
        if (j->kinds.now[i] && !tacit__each_partner(&g->walks[worker], &j->kinds,
                                                    tacit__sought_olds(&j->kinds), i, take_in, &c))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status guess_all(join *j, int64_t blocks, tacit_error *err)
{
    int workers = tacit__threads(j->run);
    guessing g = {j, tacit__alloc_zeroed((size_t)workers, sizeof *g.walks)};
    if (!g.walks)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(j->run, "joining", blocks, guess_block, &g, err);
    for (int i = 0; i < workers; i++)
        tacit__partner_walk_clear(&g.walks[i]);
    tacit__free(g.walks);
    return status;
}

/* Joined nodes start as the kinds' own. */
static bool copy_nodes(join *j)
{
    size_t kinds = j->kinds.count;
    j->joined = tacit__alloc_zeroed((size_t)j->kinds.column_count, sizeof *j->joined);
    for (int32_t i = 0; j->joined && i < j->kinds.column_count; i++) {
        tacit__kind_column *column = &j->joined[i];
        *column = j->kinds.columns[i];
        column->nodes = (tacit__previous_nodes){0};
        if (!column->ends)
            continue;
        if (!tacit__nodes_init(&column->nodes, kinds, column->most))
            return false;
        memcpy(column->nodes.data, j->kinds.columns[i].nodes.data,
               kinds * (size_t)column->nodes.width);
    }
    return j->joined != NULL;
}

static tacit_status find_common(join *j, tacit_error *err)
{
    int64_t blocks = ((int64_t)j->kinds.count + TACIT__PAIR_BLOCK - 1) / TACIT__PAIR_BLOCK;
    if (!copy_nodes(j))
        return tacit__nomem(err);
    return j->out->by_worlds ? tacit__parallel(j->run, "joining", blocks, know_block, j, err)
                             : guess_all(j, blocks, err);
}

/* The places among the kinds' columns of the quasi-identifying columns in a set; their number. */
static int32_t columns_of(int32_t out[64], const tacit__row_kinds *kinds,
                          const tacit_two_releases *two, const uint64_t *set)
{
    int32_t count = 0;
    for (int32_t i = 0; i < kinds->column_count; i++) {
        int32_t source = kinds->columns[i].source;
        if (source >= 0 && source < two->quasi_count && (!set || tacit__bit_get(set, source)))
            out[count++] = i;
    }
    return count;
}

tacit_status tacit__count_all_sets(tacit__row_counts *counts, const tacit__row_boxes *boxes,
                                   const tacit__row_kinds *kinds, const tacit_two_releases *two,
                                   const tacit_run *run, tacit_error *err)
{
    uint32_t k = two->k < UINT32_MAX ? (uint32_t)two->k : UINT32_MAX;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < (two->sets ? two->set_count : 1) && status == TACIT_OK; i++) {
        int32_t columns[64];
        int32_t count = columns_of(columns, kinds, two, two->sets ? two->sets + i : NULL);
        status = tacit__count_boxes(counts, boxes, columns, count, k, run, err);
    }
    return status;
}

static tacit_status count_all(join *j, tacit_error *err)
{
    bool worlds = j->out->by_worlds;
    tacit__row_boxes boxes = {.count = j->kinds.count,
                              .rows = j->kinds.now,
                              .columns = worlds ? j->kinds.columns : j->joined,
                              .pairs = worlds ? &j->pairs : NULL,
                              .worlds = worlds ? &j->worlds : NULL};
    return tacit__count_all_sets(&j->counts, &boxes, &j->kinds, j->two, j->run, err);
}

/* Rows in each class of kinds. */
static tacit_status count_classes(tacit_joined *out, const tacit__row_kinds *kinds,
                                  tacit__partition *classes, tacit_error *err)
{
    out->kind_count = kinds->count;
    out->alike = tacit__alloc_array(kinds->count, sizeof *out->alike);
    if (!out->alike)
        return tacit__nomem(err);
    memset(classes->sizes, 0, (size_t)classes->count * sizeof *classes->sizes);
    for (uint32_t i = 0; i < kinds->count; i++)
        classes->sizes[classes->class_of[i]] += kinds->now[i];
    for (uint32_t i = 0; i < kinds->count; i++)
        out->alike[i] = (uint32_t)classes->sizes[classes->class_of[i]];
    for (int64_t i = 0; i < classes->count; i++) {
        int64_t size = classes->sizes[i];
        out->joined_classes += size > 0;
        if (size > 0 && (out->smallest_class == 0 || size < out->smallest_class))
            out->smallest_class = size;
    }
    return TACIT_OK;
}

/* The classes of the joined table. */
static tacit_status group_joined(join *j, tacit_error *err)
{
    tacit__keys keys = {.rows = j->kinds.count, .run = j->run};
    tacit__partition classes = {0};
    tacit_joined *out = j->out;
    int32_t columns[64], count = columns_of(columns, &j->kinds, j->two, NULL);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        uint32_t nodes = j->two->columns[j->joined[columns[i]].source].node_count;
        if (nodes > 1)
            status = tacit__keys_add(&keys,
                                     (tacit_codes_view){j->joined[columns[i]].nodes.data,
                                                        j->joined[columns[i]].nodes.width},
                                     nodes - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(&classes, &keys, err);
    tacit__keys_clear(&keys);
    if (status != TACIT_OK)
        return status;
    status = count_classes(out, &j->kinds, &classes, err);
    tacit__partition_clear(&classes);
    return status;
}

static bool is_finer(const join *j, uint32_t kind)
{
    for (int32_t i = 0; i < j->kinds.column_count; i++)
        if (j->joined[i].source >= 0 && j->joined[i].source < j->two->quasi_count &&
            tacit__node_at(j->joined[i].nodes, kind) !=
                tacit__node_at(j->kinds.columns[i].nodes, kind))
            return true;
    return false;
}

/* Kinds of partners that a kind may have; with worlds only. */
static int64_t possible_partners(const join *j, uint32_t kind)
{
    int64_t count = 0;
    for (int64_t p = j->pairs.starts[kind]; p < j->pairs.starts[kind + 1]; p++)
        count += tacit__bit_get(j->worlds.possible, p);
    return count;
}

static void sum_up(join *j)
{
    tacit_joined *out = j->out;
    out->fewest_sharing = out->fewest_candidates = j->two->now_rows > 0 ? j->two->k : 0;
    out->same_rows = out->by_worlds ? j->worlds.same_rows : -1;
    for (uint32_t i = 0; i < j->kinds.count; i++) {
        int64_t rows = j->kinds.now[i];
        if (rows == 0)
            continue;
        bool fresh = out->by_worlds && tacit__bit_get(j->worlds.fresh, i);
        out->fresh_rows += fresh ? rows : 0;
        out->certain_rows += out->by_worlds && !fresh && possible_partners(j, i) == 1 ? rows : 0;
        out->finer_rows += is_finer(j, i) ? rows : 0;
        bool exposed = row_exposed(&j->counts, i, j->two->k);
        out->exposed_rows += exposed ? rows : 0;
        out->possible_rows += !exposed && row_fewest(&j->counts, i) < j->two->k ? rows : 0;
        out->sure_rows += j->counts.sure[i] ? rows : 0;
        out->traced_rows += j->counts.candidates[i] < j->two->k ? rows : 0;
        if (j->counts.sharing[i] < out->fewest_sharing)
            out->fewest_sharing = j->counts.sharing[i];
        if (j->counts.candidates[i] < out->fewest_candidates)
            out->fewest_candidates = j->counts.candidates[i];
    }
}

/* The joined table's columns, row by row. */
static tacit_status lay_out(join *j, tacit_error *err)
{
    tacit_joined *out = j->out;
    out->column_count = j->two->column_count;
    out->columns = tacit__alloc_zeroed((size_t)out->column_count, sizeof *out->columns);
    for (int32_t i = 0; out->columns && i < j->kinds.column_count; i++) {
        tacit__previous_nodes kinds = j->joined[i].nodes, rows = {0};
        if (!kinds.data)
            continue;
        if (!tacit__nodes_init(&rows, (size_t)j->two->now_rows, j->joined[i].most))
            return tacit__nomem(err);
        for (int64_t row = 0; row < j->two->now_rows; row++)
            tacit__node_put(rows, (size_t)row, tacit__node_at(kinds, j->kinds.kind_of[row]));
        out->columns[j->joined[i].source] = (tacit_codes_view){rows.data, rows.width};
    }
    return out->columns ? TACIT_OK : tacit__nomem(err);
}

/* What the caller gets changes hands. */
static void hand_over(join *j)
{
    tacit_joined *out = j->out;
    out->kind_of = j->kinds.kind_of;
    out->sharing = j->counts.sharing;
    out->candidates = j->counts.candidates;
    out->sure = j->counts.sure;
    j->kinds.kind_of = NULL;
    j->counts = (tacit__row_counts){0};
}

static tacit_status join_all(join *j, tacit_error *err)
{
    bool too_many = false;
    int64_t most = j->two->max_pairs ? j->two->max_pairs : TACIT_MAX_PAIRS;
    tacit_status status = tacit__row_kinds_init(&j->kinds, j->two, j->run, err);
    if (status == TACIT_OK)
        status = tacit__row_pairs_init(&j->pairs, &too_many, &j->kinds, most, j->run, err);
    j->out->by_worlds = !too_many;
    j->out->pairs = too_many ? -1 : j->pairs.count;
    if (status == TACIT_OK && !too_many)
        status = tacit__row_worlds_init(&j->worlds, &j->kinds, &j->pairs, j->run, err);
    if (status == TACIT_OK)
        status = tacit__row_counts_init(&j->counts, j->kinds.count, j->two, err);
    if (status == TACIT_OK && j->out->by_worlds) /* before there is more in memory */
        status = count_all(j, err);
    if (status == TACIT_OK)
        status = find_common(j, err);
    if (status == TACIT_OK && !j->out->by_worlds)
        status = count_all(j, err);
    if (status == TACIT_OK)
        status = group_joined(j, err);
    if (status == TACIT_OK)
        status = lay_out(j, err);
    if (status == TACIT_OK) {
        sum_up(j);
        hand_over(j);
    }
    return status;
}

tacit_status tacit_join_releases(tacit_joined **out, const tacit_two_releases *two,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__two_releases_check(two, err);
    if (status != TACIT_OK)
        return status;
    join j = {.two = two, .run = run, .out = tacit__alloc_zeroed(1, sizeof *j.out)};
    if (!j.out)
        return tacit__nomem(err);
    status = join_all(&j, err);
    tacit__row_counts_clear(&j.counts);
    tacit__row_worlds_clear(&j.worlds);
    tacit__row_pairs_clear(&j.pairs);
    for (int32_t i = 0; j.joined && i < j.kinds.column_count; i++)
        tacit__free(j.joined[i].nodes.data);
    tacit__free(j.joined);
    tacit__row_kinds_clear(&j.kinds);
    if (status == TACIT_OK)
        *out = j.out;
    else
        tacit_joined_free(j.out);
    return status;
}

void tacit_joined_free(tacit_joined *joined)
{
    if (!joined)
        return;
    for (int32_t i = 0; joined->columns && i < joined->column_count; i++)
        tacit__free((void *)joined->columns[i].data);
    tacit__free(joined->columns);
    tacit__free(joined->kind_of);
    tacit__free(joined->sharing);
    tacit__free(joined->candidates);
    tacit__free(joined->alike);
    tacit__free(joined->sure);
    tacit__free(joined);
}

tacit_node_column tacit_joined_column(const tacit_joined *joined, int32_t column)
{
    return (tacit_node_column){joined->columns[column], NULL};
}
