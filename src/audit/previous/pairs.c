/*
 * pairs.c - which kinds of rows of an earlier release a kind of rows can be.
 *
 * Kinds are sorted by their nodes, so those that begin with the same values are a stretch. From a
 * stretch the walk goes on to the parts of it whose next value agrees: values under the
 * kind's own are again a stretch, and those above it are found one by one, by bisection.
 * Stretches without rows of the earlier release are passed over, and short ones are looked
 * at kind by kind. The columns that tell most come first, so a walk seldom ends in nothing.
 *
 * Cost: a bisection for each stretch that is visited; of all pairs, 4 bytes each and 4 a kind.
 */
#include <stdatomic.h>

#include "audit/previous/previous.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* Rows of two releases with the same values, as one kind.
 *
 * Every column becomes nodes of its tree, a row each, those of the release before those of the
 * earlier one, in as few bytes as the tree needs. Columns outside the quasi-identifier in which no
 * used value lies under another can only agree by being equal: they are sorted into one number, so
 * that a dozen carried columns cost as much as one. The others follow in the order in which they
 * tell most, measured by the share of all pairs of rows that agree in them; then all are sorted
 * together (rows/rows.h).
 *
 * Cost: a sort of the rows of both, 1 to 4 bytes a row and column and 24 a row while it lasts;
 * then 4 bytes a row, 12 a kind, and 4 a kind and column. */

/* So many flat columns are not worth a sort of their own. */
enum { FEW_FLAT = 2 };

/* A column while kinds are made. */
typedef struct draft {
    const tacit_joint_column *column;
    int32_t source;
    tacit__previous_nodes nodes; /* a row each */
    uint32_t *parents;
    bool flat;
    double agreeing; /* pairs of rows */
} draft;

typedef struct drafting {
    const tacit_two_releases *two;
    draft *drafts;
} drafting;

bool tacit__nodes_init(tacit__previous_nodes *nodes, size_t count, uint32_t most)
{
    nodes->width = most <= 1u << 8 ? 1 : most <= 1u << 16 ? 2 : 4;
    nodes->data = tacit__alloc_array(count, (size_t)nodes->width);
    return nodes->data != NULL;
}

static uint32_t node_at(const tacit_node_column *column, int64_t row)
{
    if (column->codes.width == 0)
        return 0;
    uint32_t code = tacit_codes_at(column->codes, row);
    return column->nodes ? column->nodes[code] : code;
}

/* Fills the nodes and counts them: counts[0] of the release, counts[1] of the earlier one. */
static void fill_nodes(draft *d, const tacit_two_releases *two, uint32_t *const counts[2])
{
    const tacit_node_column *sides[] = {&d->column->now, &d->column->before};
    const int64_t rows[] = {two->now_rows, two->before_rows};
    bool unknown = !d->column->ends && d->column->before.codes.width == 0; /* says nothing */
    size_t at = 0;
    for (int side = 0; side < 2; side++)
        for (int64_t row = 0; row < rows[side]; row++) {
            uint32_t node = unknown ? 0 : node_at(sides[side], row);
            counts[side][node]++;
            tacit__node_put(d->nodes, at++, node);
        }
}

void tacit__fill_parents(uint32_t *parents, const uint32_t *ends, uint32_t count)
{
    for (uint32_t node = 0; node < count; node++) {
        uint32_t parent = node ? node - 1 : 0;
        while (node && ends[parent] <= node)
            parent = parents[parent];
        parents[node] = parent;
    }
}

/* Pairs of rows that agree where only equal nodes do. */
static double agree_flat(const draft *d, uint32_t *const counts[3])
{
    double sum = 0;
    for (uint32_t node = 0; node < d->column->node_count; node++)
        sum += (double)counts[0][node] * counts[1][node];
    return sum;
}

/* Pairs of rows that agree, by what is above and below each node; and whether any used value lies
 * under another. counts[2] is room for what is above. */
static double agree_nested(draft *d, uint32_t *const counts[3])
{
    uint32_t *now = counts[0], *before = counts[1], *above = counts[2];
    double sum = 0;
    for (uint32_t node = 0; node < d->column->node_count; node++) {
        uint32_t parent = d->parents[node];
        above[node] = node ? above[parent] + now[parent] + before[parent] : 0;
        d->flat &= !(now[node] + before[node]) || above[node] == 0;
    }
    for (uint32_t node = 0; node < d->column->node_count; node++)
        above[node] = node ? above[d->parents[node]] + before[d->parents[node]] : 0;
    for (uint32_t node = d->column->node_count; node-- > 1;) {
        sum += (double)now[node] * ((double)above[node] + before[node]);
        before[d->parents[node]] += before[node]; /* from here on with what is below */
    }
    return sum + (double)now[0] * before[0];
}

/* Counts of at most two releases of 2^31 rows. */
static bool make_draft(draft *d, const tacit_two_releases *two, uint32_t *const counts[3])
{
    bool whole = tacit__nodes_init(&d->nodes, (size_t)(two->now_rows + two->before_rows),
                                   d->column->node_count);
    if (d->column->ends)
        d->parents = tacit__alloc_array(d->column->node_count, sizeof *d->parents);
    if (!whole || (d->column->ends && !d->parents))
        return false;
    d->flat = true;
    fill_nodes(d, two, counts);
    if (d->column->ends)
        tacit__fill_parents(d->parents, d->column->ends, d->column->node_count);
    d->agreeing = d->column->ends ? agree_nested(d, counts) : agree_flat(d, counts);
    return true;
}

static tacit_status draft_column(void *context, int64_t at, int worker, tacit_error *err)
{
    (void)worker;
    const drafting *all = context;
    uint32_t *counts[3];
    bool whole = true;
    for (int i = 0; i < 3; i++) {
        counts[i] = tacit__alloc_zeroed(all->drafts[at].column->node_count, sizeof **counts);
        whole = whole && counts[i];
    }
    whole = whole && make_draft(&all->drafts[at], all->two, counts);
    for (int i = 0; i < 3; i++)
        tacit__free(counts[i]);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status add_draft(tacit__keys *keys, const draft *d, tacit_error *err)
{
    return d->column->node_count < 2 /* no bits, and keys have room for so many parts */
               ? TACIT_OK
               : tacit__keys_add(keys, (tacit_codes_view){d->nodes.data, d->nodes.width},
                                 d->column->node_count - 1, err);
}

/* Puts the flat columns from `from` on into the first of them. */
static tacit_status fold_flat(drafting *all, int32_t from, int32_t *count, const tacit_run *run,
                              tacit_joint_column *folded, tacit_error *err)
{
    tacit__keys keys = {.rows = all->two->now_rows + all->two->before_rows, .run = run};
    tacit__partition partition = {0};
    draft *drafts = all->drafts, *into = &drafts[from];
    tacit_status status = TACIT_OK;
    for (int32_t i = from; i < *count && status == TACIT_OK; i++)
        status = add_draft(&keys, &drafts[i], err);
    if (status == TACIT_OK)
        status = tacit__partition_of(&partition, &keys, err);
    tacit__keys_clear(&keys);
    if (status != TACIT_OK)
        return status;
    for (; *count > from; (*count)--) {
        tacit__free(drafts[*count - 1].nodes.data);
        tacit__free(drafts[*count - 1].parents);
    }
    *folded = (tacit_joint_column){.node_count = (uint32_t)partition.count};
    *into = (draft){.column = folded, .source = -1, .flat = true, .nodes = {partition.class_of, 4}};
    *count = from + 1;
    partition.class_of = NULL;
    tacit__partition_clear(&partition);
    return TACIT_OK;
}

/* Flat carried columns to the end; returns where they start. */
static int32_t part_flat(draft *drafts, int32_t count, int32_t quasi)
{
    int32_t kept = quasi;
    for (int32_t i = quasi; i < count; i++)
        if (!drafts[i].flat) {
            draft d = drafts[i];
            drafts[i] = drafts[kept];
            drafts[kept++] = d;
        }
    return kept;
}

/* What tells most comes first; what is folded tells most of all. */
static void order_drafts(draft *drafts, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        draft d = drafts[i];
        int32_t at = i;
        for (; at > 0 && d.agreeing < drafts[at - 1].agreeing; at--)
            drafts[at] = drafts[at - 1];
        drafts[at] = d;
    }
}

static void count_rows(tacit__row_kinds *kinds, const tacit_two_releases *two)
{
    for (int64_t row = 0; row < two->now_rows; row++)
        kinds->now[kinds->kind_of[row]]++;
    for (int64_t row = 0; row < two->before_rows; row++)
        kinds->before[kinds->kind_of[two->now_rows + row]]++;
    kinds->olds[0] = 0;
    for (uint32_t i = 0; i < kinds->count; i++)
        kinds->olds[i + 1] = kinds->olds[i] + (kinds->before[i] > 0);
}

/* Nodes of every kind, read off its first row; the draft's parents change hands. */
static bool take_column(tacit__row_kinds *kinds, draft *d, const int64_t *first)
{
    tacit__kind_column *column = &kinds->columns[kinds->column_count++];
    *column = (tacit__kind_column){.source = d->source, .flat = d->flat};
    if (d->source >= 0) {
        column->ends = d->column->ends;
        column->parents = d->parents;
        d->parents = NULL;
    }
    column->most = d->column->node_count;
    bool whole = tacit__nodes_init(&column->nodes, kinds->count, column->most);
    for (uint32_t i = 0; whole && i < kinds->count; i++)
        tacit__node_put(column->nodes, i, tacit__node_at(d->nodes, (size_t)first[i]));
    tacit__free(d->nodes.data);
    d->nodes = (tacit__previous_nodes){0};
    return whole;
}

static tacit_status take_kinds(tacit__row_kinds *kinds, tacit__partition *partition, draft *drafts,
                               int32_t count, const tacit_two_releases *two, tacit_error *err)
{
    size_t n = (size_t)partition->count;
    kinds->kind_of = partition->class_of;
    partition->class_of = NULL;
    kinds->count = (uint32_t)n;
    kinds->now = tacit__alloc_zeroed(n, sizeof *kinds->now);
    kinds->before = tacit__alloc_zeroed(n, sizeof *kinds->before);
    kinds->olds = tacit__alloc_array(n + 1, sizeof *kinds->olds);
    kinds->columns = tacit__alloc_zeroed((size_t)count, sizeof *kinds->columns);
    bool whole = kinds->now && kinds->before && kinds->olds && kinds->columns;
    for (int32_t i = 0; i < count && whole; i++)
        whole = take_column(kinds, &drafts[i], partition->first);
    if (!whole)
        return tacit__nomem(err);
    count_rows(kinds, two);
    return TACIT_OK;
}

/* Drafts of all columns, sorted into kinds. */
static tacit_status sort_kinds(tacit__row_kinds *kinds, drafting *all, int32_t *count,
                               const tacit_run *run, tacit_joint_column *folded, tacit_error *err)
{
    const tacit_two_releases *two = all->two;
    tacit__keys keys = {.rows = two->now_rows + two->before_rows, .run = run};
    tacit__partition partition = {0};
    int32_t kept = part_flat(all->drafts, *count, two->quasi_count);
    tacit_status status = TACIT_OK;
    if (*count - kept > FEW_FLAT)
        status = fold_flat(all, kept, count, run, folded, err);
    order_drafts(all->drafts, *count);
    for (int32_t i = 0; i < *count && status == TACIT_OK; i++)
        status = add_draft(&keys, &all->drafts[i], err);
    if (status == TACIT_OK)
        status = tacit__partition_of(&partition, &keys, err);
    tacit__keys_clear(&keys);
    if (status == TACIT_OK)
        status = take_kinds(kinds, &partition, all->drafts, *count, two, err);
    tacit__partition_clear(&partition);
    return status;
}

tacit_status tacit__row_kinds_init(tacit__row_kinds *kinds, const tacit_two_releases *two,
                                   const tacit_run *run, tacit_error *err)
{
    tacit__row_kinds made = {0};
    tacit_joint_column folded;
    int32_t count = two->column_count;
    drafting all = {two, tacit__alloc_zeroed((size_t)count, sizeof *all.drafts)};
    if (!all.drafts)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        all.drafts[i] = (draft){.column = &two->columns[i], .source = i};
    tacit_status status = tacit__parallel(run, "joining", count, draft_column, &all, err);
    if (status == TACIT_OK)
        status = sort_kinds(&made, &all, &count, run, &folded, err);
    for (int32_t i = 0; i < count; i++) {
        tacit__free(all.drafts[i].nodes.data);
        tacit__free(all.drafts[i].parents);
    }
    tacit__free(all.drafts);
    if (status == TACIT_OK)
        *kinds = made;
    else
        tacit__row_kinds_clear(&made);
    return status;
}

void tacit__row_kinds_clear(tacit__row_kinds *kinds)
{
    for (int32_t i = 0; i < kinds->column_count; i++) {
        tacit__free(kinds->columns[i].parents);
        tacit__free(kinds->columns[i].nodes.data);
    }
    tacit__free(kinds->columns);
    tacit__free(kinds->now);
    tacit__free(kinds->before);
    tacit__free(kinds->olds);
    tacit__free(kinds->kind_of);
    *kinds = (tacit__row_kinds){0};
}

bool tacit__row_kinds_agree(const tacit__row_kinds *kinds, uint32_t a, uint32_t b, int32_t from)
{
    for (int32_t i = from; i < kinds->column_count && a != b; i++) {
        const tacit__kind_column *column = &kinds->columns[i];
        uint32_t x = tacit__node_at(column->nodes, a), y = tacit__node_at(column->nodes, b);
        uint32_t low = x < y ? x : y, high = x < y ? y : x;
        if (low != high && (column->flat || high >= column->ends[low]))
            return false;
    }
    return true;
}

/* Kinds from..end begin with values that agree, as far as columns before `column` go. */
struct tacit__kind_stretch {
    uint32_t from, end;
    int32_t column;
};

enum { SHORT = 8 };

void tacit__partner_walk_clear(tacit__partner_walk *walk)
{
    tacit__free(walk->stretches);
    tacit__free(walk->roots);
    *walk = (tacit__partner_walk){0};
}

/* The first of nodes[from..end) that is not below a node. Nearly always close to `from`, so steps
 * grow from there. */
static uint32_t place_in(tacit__previous_nodes nodes, uint32_t from, uint32_t end, uint32_t node)
{
    uint32_t step = 1, low = from;
    while (low < end && tacit__node_at(nodes, low) < node) {
        from = low + 1;
        low = end - low > step ? low + step : end;
        step *= 2;
    }
    uint32_t high = low;
    TACIT__BISECT(from, high, middle, tacit__node_at(nodes, middle) < node);
    return from;
}

static bool push(tacit__partner_walk *walk, tacit__sought_kinds sought, uint32_t from, uint32_t end,
                 int32_t column)
{
    if (sought.before[from] == sought.before[end])
        return true;
    if (!TACIT__PUSH(walk->stretches, walk->room, walk->count,
                     (struct tacit__kind_stretch){from, end, column}))
        return false;
    return true;
}

/* The parts of a stretch, one for each value from `low` on and before `high`. */
static bool push_parts(tacit__partner_walk *walk, tacit__previous_nodes nodes,
                       tacit__sought_kinds sought, struct tacit__kind_stretch s, uint32_t low,
                       uint32_t high)
{
    uint32_t at = place_in(nodes, s.from, s.end, low);
    while (at < s.end && tacit__node_at(nodes, at) < high) {
        uint32_t end = place_in(nodes, at, s.end, tacit__node_at(nodes, at) + 1);
        if (!push(walk, sought, at, end, s.column + 1))
            return false;
        at = end;
    }
    return true;
}

static bool push_agreeing(tacit__partner_walk *walk, const tacit__kind_column *column,
                          tacit__sought_kinds sought, struct tacit__kind_stretch s, uint32_t kind)
{
    uint32_t node = tacit__node_at(column->nodes, kind);
    if (!push_parts(walk, column->nodes, sought, s, node,
                    column->flat ? node + 1 : column->ends[node]))
        return false;
    while (!column->flat && node > 0 && tacit__node_at(column->nodes, s.from) < node) {
        node = column->parents[node];
        if (!push_parts(walk, column->nodes, sought, s, node, node + 1))
            return false;
    }
    return true;
}

static bool find_roots(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                       tacit__sought_kinds sought, uint32_t kind)
{
    walk->has_roots = false;
    if (!push_agreeing(walk, &kinds->columns[0], sought,
                       (struct tacit__kind_stretch){0, kinds->count, 0}, kind))
        return false;
    walk->root_count = 0;
    for (size_t i = 0; i < walk->count; i++)
        if (!TACIT__PUSH(walk->roots, walk->root_room, walk->root_count, walk->stretches[i]))
            return false;
    walk->root = tacit__node_at(kinds->columns[0].nodes, kind);
    walk->has_roots = true;
    return true;
}

/* The stretches that a kind's walk starts with. */
static bool start_walk(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                       tacit__sought_kinds sought, uint32_t kind)
{
    walk->count = 0;
    if (kinds->count <= SHORT || kinds->column_count == 0)
        return kinds->count == 0 || push(walk, sought, 0, kinds->count, 0);
    if (!walk->has_roots || walk->root != tacit__node_at(kinds->columns[0].nodes, kind))
        return find_roots(walk, kinds, sought, kind);
    for (size_t i = 0; i < walk->root_count; i++)
        if (!TACIT__PUSH(walk->stretches, walk->room, walk->count, walk->roots[i]))
            return false;
    return true;
}

bool tacit__each_partner(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                         tacit__sought_kinds sought, uint32_t kind,
                         bool (*found)(void *context, uint32_t partner), void *context)
{
    if (!start_walk(walk, kinds, sought, kind))
        return false;
    while (walk->count > 0) {
        struct tacit__kind_stretch s = walk->stretches[--walk->count];
        if (s.end - s.from > SHORT && s.column < kinds->column_count) {
            if (!push_agreeing(walk, &kinds->columns[s.column], sought, s, kind))
                return false;
            continue;
        }
        for (uint32_t i = s.from; i < s.end; i++)
            if (sought.rows[i] && tacit__row_kinds_agree(kinds, kind, i, s.column) &&
                !found(context, i))
                return true;
    }
    return true;
}

/* Partners of the kinds of a block. */
typedef struct list {
    uint32_t *partners;
    size_t count, room;
    bool failed;
} list;

typedef struct pairing {
    const tacit__row_kinds *kinds;
    tacit__row_pairs *pairs;
    tacit__partner_walk *walks; /* a worker each */
    int64_t most;
    atomic_llong count;
} pairing;

static bool note(void *context, uint32_t partner)
{
    list *l = context;
    l->failed = !TACIT__RESERVE_ONE(l->partners, l->room, l->count);
    if (!l->failed)
        l->partners[l->count++] = partner;
    return !l->failed;
}

static tacit_status pair_block(void *context, int64_t block, int worker, tacit_error *err)
{
    pairing *p = context;
    const tacit__row_kinds *kinds = p->kinds;
    uint32_t first = (uint32_t)block * TACIT__PAIR_BLOCK;
    list l = {0};
    for (uint32_t i = 0; i < TACIT__PAIR_BLOCK && i < kinds->count - first; i++) {
        size_t before = l.count;
        if (l.failed || atomic_load(&p->count) > p->most)
            break; /* too many already */
        if (kinds->now[first + i] &&
            !tacit__each_partner(&p->walks[worker], kinds, tacit__sought_olds(kinds), first + i,
                                 note, &l))
            l.failed = true;
        p->pairs->starts[first + i + 1] = (uint32_t)(l.count - before);
        atomic_fetch_add(&p->count, (long long)(l.count - before));
    }
    void *fitting = l.failed ? NULL : tacit__resize_array(l.partners, l.count, sizeof *l.partners);
    p->pairs->blocks[block] = fitting ? fitting : l.partners;
    return fitting ? TACIT_OK : tacit__nomem(err);
}

static void number_pairs(tacit__row_pairs *pairs, uint32_t kinds)
{
    pairs->starts[0] = 0;
    for (uint32_t i = 0; i < kinds; i++)
        pairs->starts[i + 1] += pairs->starts[i];
    pairs->count = pairs->starts[kinds];
}

tacit_status tacit__row_pairs_init(tacit__row_pairs *pairs, bool *too_many,
                                   const tacit__row_kinds *kinds, int64_t most,
                                   const tacit_run *run, tacit_error *err)
{
    int workers = tacit__threads(run);
    size_t blocks = ((size_t)kinds->count + TACIT__PAIR_BLOCK - 1) / TACIT__PAIR_BLOCK;
    tacit__row_pairs made = {.block_count = (int64_t)blocks};
    pairing p = {.kinds = kinds, .pairs = &made, .most = most};
    made.starts = tacit__alloc_zeroed((size_t)kinds->count + 1, sizeof *made.starts);
    made.blocks = tacit__alloc_zeroed(blocks, sizeof *made.blocks);
    p.walks = tacit__alloc_zeroed((size_t)workers, sizeof *p.walks);
    tacit_status status = TACIT_OK;
    if (made.starts && made.blocks && p.walks)
        status = tacit__parallel(run, "joining", (int64_t)blocks, pair_block, &p, err);
    else
        status = tacit__nomem(err);
    for (int i = 0; p.walks && i < workers; i++)
        tacit__partner_walk_clear(&p.walks[i]);
    tacit__free(p.walks);
    *too_many = status == TACIT_OK && atomic_load(&p.count) > most;
    if (status == TACIT_OK && !*too_many) {
        number_pairs(&made, kinds->count);
        *pairs = made;
    } else {
        tacit__row_pairs_clear(&made);
    }
    return status;
}

void tacit__row_pairs_clear(tacit__row_pairs *pairs)
{
    for (int64_t i = 0; pairs->blocks && i < pairs->block_count; i++)
        tacit__free(pairs->blocks[i]);
    tacit__free(pairs->blocks);
    tacit__free(pairs->starts);
    *pairs = (tacit__row_pairs){0};
}
