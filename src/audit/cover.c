/*
 * cover.c - how many people of a register each class of a release covers.
 *
 * A person is covered by a class if each of his values generalizes to the
 * class's on some level of the promise's hierarchy, bound to the register by the
 * judge; "*" covers everybody. Classes may mix levels in one column, so a person
 * may lie under many of them, and comparing every person with every class is out
 * of the question.
 *
 * The classes, which are numbered in the order of their codes, are read as a tree
 * with a depth for each attribute: a node is a combination of the first
 * attributes' codes that occurs in the release, its children are sorted by code,
 * and the leaves are the classes. People with the same values go down together,
 * at each depth to the children whose code one of the value's images is. So only
 * combinations that occur and that cover them are visited: one path where each
 * attribute is on one level, one for each pattern of levels that has a class
 * there in releases that generalize cell by cell.
 *
 * Cost: for each combination of values in the register, the nodes visited times
 * the levels and a bisection; 8 bytes a node and at most as many nodes as classes
 * times attributes; 4 bytes a person, and a sort of the register. Descent recurses
 * once an attribute, at most 64 deep. Counts are sums of whole numbers, so
 * they do not depend on threads.
 */
#include <stdio.h>

#include "audit/models.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { PEOPLE_BLOCK = 1 << 10 };

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

/* ---- the tree of classes ---- */

typedef struct tree_level {
    uint32_t *codes;    /* a node each: the attribute's code */
    uint32_t *children; /* where a node's children start one level down; one more at the end */
    int64_t count;
} tree_level;

typedef struct descent {
    const tacit__cover *cover;
    const tacit__partition *classes;
    tacit__partition people;                 /* of the register, by all values of the set */
    int32_t attributes[TACIT__MAX_PROMISED]; /* of the set */
    int32_t depth;                           /* how many */
    tree_level levels[TACIT__MAX_PROMISED];
    int64_t *covered;
    int64_t absent; /* people who lie in no class */
} descent;

static uint32_t class_code(const descent *d, int64_t class, int32_t at)
{
    const tacit__judge *judge = d->cover->judge;
    int32_t column = judge->attribute[d->attributes[at]];
    return tacit_codes_at(tacit_table_codes(judge->release, column), d->classes->first[class]);
}

/* The first attribute in which a class differs from the one before it. */
static int32_t first_change(const descent *d, int64_t class)
{
    int32_t at = 0;
    while (class > 0 && at < d->depth - 1 &&
           class_code(d, class, at) == class_code(d, class - 1, at))
        at++;
    return at;
}

static tacit_status allocate_levels(descent *d, tacit_error *err)
{
    for (int64_t class = 0; class < d->classes->count; class ++)
        for (int32_t at = first_change(d, class); at < d->depth; at++)
            d->levels[at].count++;
    for (int32_t at = 0; at < d->depth; at++) {
        tree_level *level = &d->levels[at];
        level->codes = tacit__alloc_array((size_t)level->count, sizeof *level->codes);
        level->children = tacit__alloc_array((size_t)level->count + 1, sizeof *level->children);
        if (!level->codes || !level->children)
            return tacit__nomem(err);
        level->count = 0;
    }
    return TACIT_OK;
}

static tacit_status build_tree(descent *d, tacit_error *err)
{
    tacit_status status = allocate_levels(d, err);
    for (int64_t class = 0; class < d->classes->count && status == TACIT_OK; class ++)
        for (int32_t at = first_change(d, class); at < d->depth; at++) {
            tree_level *level = &d->levels[at];
            level->codes[level->count] = class_code(d, class, at);
            level->children[level->count++] = at + 1 < d->depth ? (uint32_t)level[1].count : 0;
        }
    for (int32_t at = 0; at < d->depth && status == TACIT_OK; at++)
        d->levels[at].children[d->levels[at].count] =
            at + 1 < d->depth ? (uint32_t)d->levels[at + 1].count : 0;
    return status;
}

/* ---- going down ---- */

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

/* People who have the values of a row of the register. */
typedef struct travellers {
    int64_t row;
    int64_t count;
} travellers;

/* Whether they arrive anywhere. */
static bool go_down(const descent *d, travellers who, int32_t at, int64_t from, int64_t to)
{
    bool arrived = false;
    const tacit__cover *cover = d->cover;
    const tree_level *level = &d->levels[at];
    int32_t attribute = d->attributes[at];
    const tacit__images *images = &cover->images[attribute];
    uint32_t value =
        tacit_codes_at(tacit_table_codes(cover->people, cover->column[attribute]), who.row);
    for (size_t i = images->start[value]; i < images->start[value + 1]; i++) {
        int64_t node = find_node(level, from, to, images->list[i]);
        if (node < 0)
            continue;
        if (at + 1 == d->depth) {
            __atomic_fetch_add(&d->covered[node], who.count, __ATOMIC_RELAXED);
            arrived = true;
        } else if (go_down(d, who, at + 1, level->children[node], level->children[node + 1])) {
            arrived = true;
        }
    }
    return arrived;
}

static tacit_status send_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    descent *d = context;
    int64_t end = (block + 1) * PEOPLE_BLOCK, absent = 0;
    for (int64_t i = block * PEOPLE_BLOCK; i < end && i < d->people.count; i++) {
        travellers who = {d->people.first[i], d->people.sizes[i]};
        absent += go_down(d, who, 0, 0, d->levels[0].count) ? 0 : who.count;
    }
    __atomic_fetch_add(&d->absent, absent, __ATOMIC_RELAXED);
    return TACIT_OK;
}

static tacit_status gather_people(descent *d, uint64_t set, tacit_error *err)
{
    const tacit__judge *judge = d->cover->judge;
    int32_t columns[TACIT__MAX_PROMISED];
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (set >> a & 1) {
            columns[d->depth] = d->cover->column[a];
            d->attributes[d->depth++] = a;
        }
    tacit_status status =
        tacit__partition_init(&d->people, d->cover->people, columns, d->depth, judge->run, err);
    tacit__free(d->people.class_of); /* only who is like whom matters */
    d->people.class_of = NULL;
    return status;
}

tacit_status tacit__cover_count(int64_t **covered, int64_t *absent, const tacit__cover *cover,
                                uint64_t set, const tacit__partition *partition, tacit_error *err)
{
    descent d = {.cover = cover, .classes = partition};
    tacit_status status = gather_people(&d, set, err);
    if (status == TACIT_OK)
        status = build_tree(&d, err);
    d.covered = tacit__alloc_zeroed((size_t)partition->count, sizeof *d.covered);
    if (status == TACIT_OK && !d.covered)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(cover->judge->run, "judging models",
                                 (d.people.count + PEOPLE_BLOCK - 1) / PEOPLE_BLOCK, send_block, &d,
                                 err);
    for (int32_t at = 0; at < d.depth; at++) {
        tacit__free(d.levels[at].codes);
        tacit__free(d.levels[at].children);
    }
    tacit__partition_clear(&d.people);
    if (status != TACIT_OK) {
        tacit__free(d.covered);
        return status;
    }
    *covered = d.covered;
    *absent = d.absent;
    return TACIT_OK;
}
