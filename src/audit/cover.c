/*
 * cover.c - how many people of a register each class of a release covers.
 *
 * A person is covered by a class if each of his values generalizes to the
 * class's on some level of the promise's hierarchy, bound to the register by the
 * judge; "*" covers everybody. Classes may mix levels in one column, so a person
 * may lie under many of them, and comparing every person with every class is out
 * of the question.
 *
 * Both classes and people are numbered in the order of their codes, so both are
 * read as trees with a depth for each attribute: a node is a combination of the
 * first attributes' codes that occurs, its children are sorted by code, and the
 * leaves are the classes, or the people with the same values. The two trees are
 * gone through together: from a node of people and a node of classes that covers
 * them, on to each of their children whose value has the other's code among its
 * images. So only combinations that occur and that cover somebody are visited, and
 * people who agree in some attributes share the way through them: one path where
 * each attribute is on one level, one for each pattern of levels that has a class
 * there in releases that generalize cell by cell. Attributes with few values come
 * first, where they split people least.
 *
 * Cost: pairs of nodes visited, times the levels and a bisection; 8 bytes a node,
 * at most one for each class or kind of people and attribute; 4 bytes a person, and a
 * sort of the register. The way down recurses once an attribute, at most 64 deep.
 * Counts are sums of whole numbers, so they do not depend on threads.
 */
#include <stdio.h>

#include "audit/models.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { PEOPLE_BLOCK = 1 << 12 };

/* ---- the register ---- */

static tacit_status bind_attribute(tacit__cover *cover, int32_t attribute, tacit_error *err)
{
    tacit__judge *judge = cover->judge;
    const tacit_promise_attribute *promised = &judge->promise->attributes[attribute];
    tacit__place people = {cover->people, cover->column[attribute]};
    tacit__place release = {judge->release, judge->attribute[attribute]};
    tacit__ladder ladder = {0};
    tacit_error reason = {0};
    uint32_t star = tacit__suppressed_code(judge->release, judge->attribute[attribute]);
    tacit_status status =
        tacit__ladder_init(&ladder, promised->hierarchy, people, release, &reason);
    if (status == TACIT_OK) {
        status = tacit__images_init(&cover->images[attribute], &ladder, star, err);
    } else {
        cover->judgeable = false;
        status = tacit__unbound(judge, NULL, status, &reason, err);
    }
    tacit__ladder_clear(&ladder);
    return status;
}

/* Every attribute has a coded column of its name in the register. */
static void find_columns(tacit__cover *cover)
{
    tacit__judge *judge = cover->judge;
    for (int32_t a = 0; a < judge->promise->attribute_count && cover->judgeable; a++) {
        tacit_strview name = tacit_strview_of(judge->promise->attributes[a].name);
        int32_t column = cover->column[a] = tacit_table_find(cover->people, name);
        bool coded = column >= 0 && tacit_table_is_coded(cover->people, column);
        char reason[128];
        snprintf(reason, sizeof reason, "attribute \"%s\" is not %s", tacit__show(name).text,
                 column < 0 ? "in the register" : "coded in the register");
        if (!coded)
            tacit__cannot_judge(judge, NULL, reason);
        cover->judgeable = coded;
    }
}

tacit_status tacit__cover_init(tacit__cover *cover, tacit__judge *judge, const tacit_table *people,
                               tacit_error *err)
{
    cover->judge = judge;
    cover->people = people;
    cover->judgeable = people != NULL;
    if (!people)
        tacit__cannot_judge(judge, NULL, "no register of it is at hand");
    else
        find_columns(cover);
    tacit_status status = TACIT_OK;
    int32_t count = judge->promise->attribute_count;
    for (int32_t a = 0; a < count && cover->judgeable && status == TACIT_OK; a++)
        status = bind_attribute(cover, a, err);
    return status;
}

void tacit__cover_clear(tacit__cover *cover)
{
    for (int32_t a = 0; a < TACIT__MAX_PROMISED; a++)
        tacit__images_clear(&cover->images[a]);
}

int32_t tacit__cover_order(int32_t *attributes, const tacit__cover *cover, uint64_t set)
{
    int32_t count = 0;
    for (int32_t a = 0; a < cover->judge->promise->attribute_count; a++) {
        if (!(set >> a & 1))
            continue;
        uint32_t values = tacit_table_distinct(cover->people, cover->column[a]);
        int32_t at = count++;
        for (; at > 0 &&
               tacit_table_distinct(cover->people, cover->column[attributes[at - 1]]) > values;
             at--)
            attributes[at] = attributes[at - 1];
        attributes[at] = a;
    }
    return count;
}

/* ---- trees ---- */

typedef struct tree_level {
    uint32_t *codes;    /* a node each: the attribute's code */
    uint32_t *children; /* where a node's children start one level down; one more at the end */
    int64_t count;
} tree_level;

/* The classes of a partition by the codes of their columns. The leaves are the
 * classes, in their order. */
typedef struct tree {
    const tacit_table *table;
    const tacit__partition *classes;
    int32_t columns[TACIT__MAX_PROMISED];
    int32_t depth;
    tree_level levels[TACIT__MAX_PROMISED];
} tree;

static uint32_t class_code(const tree *t, int64_t class, int32_t at)
{
    return tacit_codes_at(tacit_table_codes(t->table, t->columns[at]), t->classes->first[class]);
}

/* The first column in which a class differs from the one before it. */
static int32_t first_change(const tree *t, int64_t class)
{
    int32_t at = 0;
    while (class > 0 && at < t->depth - 1 &&
           class_code(t, class, at) == class_code(t, class - 1, at))
        at++;
    return at;
}

static tacit_status allocate_levels(tree *t, tacit_error *err)
{
    for (int64_t class = 0; class < t->classes->count; class ++)
        for (int32_t at = first_change(t, class); at < t->depth; at++)
            t->levels[at].count++;
    for (int32_t at = 0; at < t->depth; at++) {
        tree_level *level = &t->levels[at];
        level->codes = tacit__alloc_array((size_t)level->count, sizeof *level->codes);
        level->children = tacit__alloc_array((size_t)level->count + 1, sizeof *level->children);
        if (!level->codes || !level->children)
            return tacit__nomem(err);
        level->count = 0;
    }
    return TACIT_OK;
}

/* Where the children of the next node of a level start. */
static uint32_t next_child(const tree *t, int32_t at)
{
    return at + 1 < t->depth ? (uint32_t)t->levels[at + 1].count : 0;
}

static tacit_status build_tree(tree *t, tacit_error *err)
{
    tacit_status status = allocate_levels(t, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t class = 0; class < t->classes->count; class ++)
        for (int32_t at = first_change(t, class); at < t->depth; at++) {
            tree_level *level = &t->levels[at];
            level->codes[level->count] = class_code(t, class, at);
            level->children[level->count++] = next_child(t, at);
        }
    for (int32_t at = 0; at < t->depth; at++)
        t->levels[at].children[t->levels[at].count] = next_child(t, at);
    return TACIT_OK;
}

static void clear_tree(tree *t)
{
    for (int32_t at = 0; at < t->depth; at++) {
        tacit__free(t->levels[at].codes);
        tacit__free(t->levels[at].children);
    }
}

/* The node with a code among some of a level, or -1. */
static int64_t find_node(const tree_level *level, int64_t from, int64_t to, uint32_t code)
{
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (level->codes[middle] == code)
            return middle;
        if (level->codes[middle] < code)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}

/* The node of a level that a node of the next one is a child of. */
static int64_t parent_of(const tree_level *level, int64_t child)
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

/* ---- going down ---- */

typedef struct descent {
    const tacit__images *images[TACIT__MAX_PROMISED]; /* a depth each */
    tree classes, people;
    int64_t *covered;  /* a class each */
    uint64_t *present; /* a bit for each leaf of people: covered by some class */
} descent;

/* The nodes of a tree under which some of its leaves lie, on each level. */
typedef struct window {
    int64_t from[TACIT__MAX_PROMISED], to[TACIT__MAX_PROMISED];
} window;

static window window_of(const tree *t, int64_t from, int64_t to)
{
    window w;
    w.from[t->depth - 1] = from;
    w.to[t->depth - 1] = to;
    for (int32_t at = t->depth - 2; at >= 0; at--) {
        w.from[at] = parent_of(&t->levels[at], w.from[at + 1]);
        w.to[at] = parent_of(&t->levels[at], w.to[at + 1] - 1) + 1;
    }
    return w;
}

/* Nodes of a level, from the first up to but not the last. */
typedef struct span {
    int64_t from, to;
} span;

static span children_of(const tree_level *level, int64_t node)
{
    return (span){level->children[node], level->children[node + 1]};
}

static void go_down(const descent *d, const window *w, int32_t at, span people, span classes)
{
    const tree_level *who = &d->people.levels[at], *where = &d->classes.levels[at];
    const tacit__images *images = d->images[at];
    int64_t from = people.from > w->from[at] ? people.from : w->from[at];
    int64_t to = people.to < w->to[at] ? people.to : w->to[at];
    for (int64_t p = from; p < to; p++) {
        uint32_t value = who->codes[p];
        for (size_t i = images->start[value]; i < images->start[value + 1]; i++) {
            int64_t class = find_node(where, classes.from, classes.to, images->list[i]);
            if (class < 0)
                continue;
            if (at + 1 < d->people.depth) {
                go_down(d, w, at + 1, children_of(who, p), children_of(where, class));
                continue;
            }
            __atomic_fetch_add(&d->covered[class], d->people.classes->sizes[p], __ATOMIC_RELAXED);
            tacit__bit_set(d->present, p);
        }
    }
}

/* Blocks of people fill whole words of `present`. */
static tacit_status send_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const descent *d = context;
    int64_t count = d->people.classes->count, end = (block + 1) * PEOPLE_BLOCK;
    window w = window_of(&d->people, block * PEOPLE_BLOCK, end < count ? end : count);
    go_down(d, &w, 0, (span){0, d->people.levels[0].count}, (span){0, d->classes.levels[0].count});
    return TACIT_OK;
}

static int64_t count_absent(const descent *d)
{
    int64_t absent = 0;
    for (int64_t p = 0; p < d->people.classes->count; p++)
        if (!tacit__bit_get(d->present, p))
            absent += d->people.classes->sizes[p];
    return absent;
}

/* Both trees, and where counts go. */
static tacit_status prepare(descent *d, tacit__partition *people, const tacit__cover *cover,
                            tacit_error *err)
{
    tacit_status status = tacit__partition_init(people, d->people.table, d->people.columns,
                                                d->people.depth, cover->judge->run, err);
    tacit__free(people->class_of); /* only who is like whom matters */
    people->class_of = NULL;
    if (status == TACIT_OK)
        status = build_tree(&d->people, err);
    if (status == TACIT_OK)
        status = build_tree(&d->classes, err);
    if (status != TACIT_OK)
        return status;
    d->covered = tacit__alloc_zeroed((size_t)d->classes.classes->count, sizeof *d->covered);
    d->present = tacit__alloc_zeroed(tacit__bitset_words(people->count), sizeof *d->present);
    return d->covered && d->present ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__cover_count(int64_t **covered, int64_t *absent, const tacit__cover *cover,
                                const int32_t *attributes, int32_t count,
                                const tacit__partition *partition, tacit_error *err)
{
    const tacit__judge *judge = cover->judge;
    tacit__partition people = {0};
    descent d = {.classes = {.table = judge->release, .classes = partition, .depth = count},
                 .people = {.table = cover->people, .classes = &people, .depth = count}};
    for (int32_t at = 0; at < count; at++) {
        d.images[at] = &cover->images[attributes[at]];
        d.classes.columns[at] = judge->attribute[attributes[at]];
        d.people.columns[at] = cover->column[attributes[at]];
    }
    tacit_status status = prepare(&d, &people, cover, err);
    int64_t blocks = (people.count + PEOPLE_BLOCK - 1) / PEOPLE_BLOCK;
    if (status == TACIT_OK)
        status = tacit__parallel(judge->run, "judging models", blocks, send_block, &d, err);
    if (status == TACIT_OK) {
        *absent = count_absent(&d);
        *covered = d.covered;
        d.covered = NULL;
    }
    clear_tree(&d.people);
    clear_tree(&d.classes);
    tacit__partition_clear(&people);
    tacit__free(d.covered);
    tacit__free(d.present);
    return status;
}
