/*
 * trees.c - the bundles of rows that a table has, trees of them, and the way down two trees.
 *
 * From a node of people and a node of classes that can be the same so far, the way leads on to
 * each pair of their children whose codes meet. So only combinations that occur and that
 * meet are visited, and people who agree in some columns share the way through them: one
 * path where each column of the release is on one level, one for each pattern of levels that
 * has a class there in releases that generalize cell by cell. A code whose stretch holds several
 * classes' codes (a person of whom little is known) meets them as one, where nothing else is
 * known of him further down.
 *
 * Cost: pairs of nodes visited, times the codes listed and a bisection for each; 4 bytes a leaf
 * and 8 a node above it. Kinds take a sort of the rows, 8 bytes for each key and 4 for each bundle.
 * The way down recurses once a column, at most 4096 deep.
 */
#include "audit/link/link.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { LEAF_BLOCK = 1 << 12, ASK_LEAVES = 1 << 20 };

/* ---- bundles ---- */

/* Gives back the memory of the keys that were there several times. */
static bool shrink(tacit__sorter *sorter)
{
    void *keys = sorter->narrow ? (void *)sorter->narrow : (void *)sorter->keys;
    void *kept =
        tacit__resize_array(keys, (size_t)sorter->count,
                            sorter->narrow ? sizeof *sorter->narrow : sizeof *sorter->keys);
    if (kept && sorter->narrow)
        sorter->narrow = kept;
    else if (kept)
        sorter->keys = kept;
    return kept;
}

tacit_status tacit__bundles_count(tacit__bundles *bundles, tacit_error *err)
{
    tacit__sorter *sorter = &bundles->keys.sorter;
    tacit_status status = tacit__keys_sort(&bundles->keys, err);
    if (status != TACIT_OK)
        return status;
    tacit__sorter_trim(sorter);
    bundles->count = tacit__sorter_distinct(sorter);
    bundles->sizes = tacit__alloc_array((size_t)bundles->count, sizeof *bundles->sizes);
    if (!bundles->sizes)
        return tacit__nomem(err);
    tacit__keys_compact(&bundles->keys, bundles->sizes);
    return shrink(sorter) ? TACIT_OK : tacit__nomem(err);
}

void tacit__bundles_clear(tacit__bundles *bundles)
{
    tacit__keys_clear(&bundles->keys);
    tacit__free(bundles->sizes);
    bundles->sizes = NULL;
}

void tacit__bundle_codes(uint32_t *codes, const void *bundles, int64_t bundle)
{
    const tacit__keys *keys = &((const tacit__bundles *)bundles)->keys;
    tacit__keys_read(codes, keys, tacit__sorter_key(&keys->sorter, bundle));
}

/* ---- trees ---- */

/* The leaves of a tree in the making, one after the other. */
typedef struct leaf_reader {
    const tacit__code_tree *tree;
    tacit__leaf_codes read;
    const void *of;
    const tacit_run *run;
    int64_t next;
    uint32_t codes[TACIT__MAX_PROMISED], before[TACIT__MAX_PROMISED];
} leaf_reader;

/* The next leaf's codes; *changed is the first depth in which it is not the leaf before. */
static bool next_leaf(leaf_reader *reader, int32_t *changed, tacit_status *status, tacit_error *err)
{
    const tacit__code_tree *tree = reader->tree;
    if (reader->next % ASK_LEAVES == 0)
        *status = tacit__progress(reader->run, "ordering", reader->next, tree->leaves, err);
    if (*status != TACIT_OK || reader->next == tree->leaves)
        return false;
    memcpy(reader->before, reader->codes, (size_t)tree->depth * sizeof *reader->codes);
    reader->read(reader->codes, reader->of, reader->next);
    *changed = 0;
    while (reader->next > 0 && *changed < tree->depth - 1 &&
           reader->codes[*changed] == reader->before[*changed])
        ++*changed;
    reader->next++;
    return true;
}

static tacit_status allocate_levels(tacit__code_tree *tree, tacit_error *err)
{
    for (int32_t at = 0; at < tree->depth; at++) {
        tacit__code_tree_level *level = &tree->levels[at];
        bool last = at + 1 == tree->depth;
        level->codes = tacit__alloc_array((size_t)level->count, sizeof *level->codes);
        if (!last)
            level->children = tacit__alloc_array((size_t)level->count + 1, sizeof *level->children);
        if (!level->codes || (!last && !level->children))
            return tacit__nomem(err);
        level->count = 0;
    }
    return TACIT_OK;
}

static void add_node(tacit__code_tree *tree, int32_t at, uint32_t code)
{
    tacit__code_tree_level *level = &tree->levels[at];
    if (level->children)
        level->children[level->count] = (uint32_t)tree->levels[at + 1].count;
    level->codes[level->count++] = code;
}

tacit_status tacit__code_tree_init(tacit__code_tree *tree, int32_t depth, int64_t leaves,
                                   tacit__leaf_codes codes, const void *of, const tacit_run *run,
                                   tacit_error *err)
{
    tree->depth = depth;
    tree->leaves = leaves;
    leaf_reader counting = {.tree = tree, .read = codes, .of = of, .run = run}, filling = counting;
    int32_t changed;
    tacit_status status = TACIT_OK;
    while (next_leaf(&counting, &changed, &status, err))
        for (int32_t at = changed; at < depth; at++)
            tree->levels[at].count++;
    if (status == TACIT_OK)
        status = allocate_levels(tree, err);
    while (status == TACIT_OK && next_leaf(&filling, &changed, &status, err))
        for (int32_t at = changed; at < depth; at++)
            add_node(tree, at, filling.codes[at]);
    for (int32_t at = 0; status == TACIT_OK && at + 1 < depth; at++)
        tree->levels[at].children[tree->levels[at].count] = (uint32_t)tree->levels[at + 1].count;
    return status;
}

void tacit__code_tree_clear(tacit__code_tree *tree)
{
    for (int32_t at = 0; at < tree->depth; at++) {
        tacit__free(tree->levels[at].codes);
        tacit__free(tree->levels[at].children);
    }
    *tree = (tacit__code_tree){0};
}

/* Nodes of a level, from the first up to but not the last. */
typedef struct span {
    int64_t from, to;
} span;

static span children_of(const tacit__code_tree *tree, int32_t at, int64_t node)
{
    const uint32_t *children = tree->levels[at].children;
    return (span){children[node], children[node + 1]};
}

/* The leaves under nodes of a level; there is one at least. */
static span leaves_under(const tacit__code_tree *tree, int32_t at, span nodes)
{
    for (; at + 1 < tree->depth; at++)
        nodes =
            (span){children_of(tree, at, nodes.from).from, children_of(tree, at, nodes.to - 1).to};
    return nodes;
}

/* The first node among some of a level whose code is not below one. */
static int64_t find_code(const tacit__code_tree_level *level, span nodes, uint32_t code)
{
    TACIT__BISECT(nodes.from, nodes.to, middle, level->codes[middle] < code);
    return nodes.from;
}

/* The node of a level that a node of the next one is a child of. */
static int64_t parent_of(const tacit__code_tree_level *level, int64_t child)
{
    int64_t from = 0, to = level->count;
    while (to - from > 1) {
        int64_t middle = from + (to - from) / 2;
        if ((int64_t)level->children[middle] <= child)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* ---- meetings ---- */

/* The stretches of class nodes that a code meets: one for each listed code, then its own. */
typedef struct meeting {
    const tacit__meets *meets;
    const tacit__code_tree_level *classes;
    span among;
    uint32_t code;
    size_t next, listed;
} meeting;

static meeting meeting_of(const tacit__descent *d, int32_t at, uint32_t code, span among)
{
    const tacit__meets *meets = d->meets[at];
    return (meeting){meets, &d->classes->levels[at], among,
                     code,  meets->start[code],      meets->start[code + 1]};
}

static bool next_stretch(meeting *m, span *found)
{
    while (m->next < m->listed) {
        uint32_t code = m->meets->list[m->next++];
        int64_t at = find_code(m->classes, m->among, code);
        *found = (span){at, at + 1};
        if (at < m->among.to && m->classes->codes[at] == code)
            return true;
    }
    if (m->next > m->listed || !m->meets->from)
        return false;
    m->next++;
    found->from = find_code(m->classes, m->among, m->meets->from[m->code]);
    found->to = find_code(m->classes, (span){found->from, m->among.to}, m->meets->to[m->code]);
    return found->from < found->to;
}

/* ---- down with all people ---- */

/* The nodes of a tree under which some of its leaves lie, on each level. */
typedef struct window {
    int64_t from[TACIT__MAX_PROMISED], to[TACIT__MAX_PROMISED];
} window;

static window window_of(const tacit__code_tree *tree, int64_t from, int64_t to)
{
    window w;
    w.from[tree->depth - 1] = from;
    w.to[tree->depth - 1] = to;
    for (int32_t at = tree->depth - 2; at >= 0; at--) {
        w.from[at] = parent_of(&tree->levels[at], w.from[at + 1]);
        w.to[at] = parent_of(&tree->levels[at], w.to[at + 1] - 1) + 1;
    }
    return w;
}

/* The only leaf under a node of people if nothing is known below it, or -1. */
static int64_t blank_leaf(const tacit__descent *d, int32_t at, int64_t node)
{
    for (; at + 1 < d->people->depth; at++) {
        span children = children_of(d->people, at, node);
        if (children.to - children.from > 1 || d->people->levels[at + 1].codes[children.from] ||
            !d->meets[at + 1]->from)
            return -1;
        node = children.from;
    }
    return node;
}

static void go_down(const tacit__descent *d, const window *w, int32_t at, span people, span classes)
{
    int64_t from = people.from > w->from[at] ? people.from : w->from[at];
    int64_t to = people.to < w->to[at] ? people.to : w->to[at];
    for (int64_t p = from; p < to; p++) {
        meeting m = meeting_of(d, at, d->people->levels[at].codes[p], classes);
        int64_t leaf = blank_leaf(d, at, p);
        for (span met; next_stretch(&m, &met);) {
            if (leaf >= 0) {
                span leaves = leaves_under(d->classes, at, met);
                d->meet(d->context, leaf, leaves.from, leaves.to);
                continue;
            }
            for (int64_t c = met.from; c < met.to; c++)
                go_down(d, w, at + 1, children_of(d->people, at, p),
                        children_of(d->classes, at, c));
        }
    }
}

static tacit_status send_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const tacit__descent *d = context;
    int64_t count = d->people->leaves, end = (block + 1) * LEAF_BLOCK;
    window w = window_of(d->people, block * LEAF_BLOCK, end < count ? end : count);
    go_down(d, &w, 0, (span){0, d->people->levels[0].count},
            (span){0, d->classes->levels[0].count});
    return TACIT_OK;
}

tacit_status tacit__descend(const tacit__descent *descent, const char *phase, const tacit_run *run,
                            tacit_error *err)
{
    tacit__descent d = *descent;
    int64_t blocks = (d.people->leaves + LEAF_BLOCK - 1) / LEAF_BLOCK;
    return tacit__parallel(run, phase, blocks, send_block, &d, err);
}

/* ---- down with one ---- */

typedef struct walker {
    const tacit__descent *descent;
    const uint32_t *codes;
    int32_t known; /* depth from which on nothing is known */
    int64_t leaf;
    void *context;
} walker;

static void walk(const walker *w, int32_t at, span classes)
{
    const tacit__descent *d = w->descent;
    meeting m = meeting_of(d, at, w->codes[at], classes);
    for (span met; next_stretch(&m, &met);) {
        if (at + 1 >= w->known) {
            span leaves = leaves_under(d->classes, at, met);
            d->meet(w->context, w->leaf, leaves.from, leaves.to);
            continue;
        }
        for (int64_t c = met.from; c < met.to; c++)
            walk(w, at + 1, children_of(d->classes, at, c));
    }
}

void tacit__descend_with(const tacit__descent *descent, const uint32_t *codes, int64_t leaf,
                         void *context)
{
    walker w = {descent, codes, descent->classes->depth, leaf, context};
    while (w.known > 1 && codes[w.known - 1] == 0 && descent->meets[w.known - 1]->from)
        w.known--;
    walk(&w, 0, (span){0, descent->classes->levels[0].count});
}
