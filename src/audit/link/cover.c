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
 * read as trees with a depth for each attribute, which are gone through together
 * (link.h): a person's value meets its images on all levels. Attributes with few
 * values come first, where they split people least.
 *
 * Cost: that of trees.c, and a sort of the register. Counts are sums of whole
 * numbers, so they do not depend on threads.
 */
#include <stdio.h>

#include "audit/link/link.h"
#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"

/* ---- the register ---- */

static tacit_status bind_attribute(tacit__cover *cover, int32_t attribute, tacit_error *err)
{
    tacit__judge *judge = cover->judge;
    const tacit_promise_attribute *promised = &judge->promise->attributes[attribute];
    tacit__rows_place people = {cover->people, cover->column[attribute]};
    tacit__rows_place release = {judge->release, judge->attribute[attribute]};
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

int32_t tacit__cover_order(int32_t *attributes, const tacit__cover *cover, const uint64_t *set)
{
    int32_t count = 0;
    for (int32_t a = 0; a < cover->judge->promise->attribute_count; a++) {
        if (!tacit__set_has(set, a))
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

/* ---- counting ---- */

/* The classes of the release, as leaves of a tree. */
typedef struct class_list {
    const tacit_table *release;
    const tacit__partition *classes;
    int32_t columns[TACIT__MAX_PROMISED];
    int32_t count;
} class_list;

static void class_codes(uint32_t *codes, const void *of, int64_t class)
{
    const class_list *list = of;
    for (int32_t at = 0; at < list->count; at++)
        codes[at] = tacit_codes_at(tacit_table_codes(list->release, list->columns[at]),
                                   list->classes->first[class]);
}

typedef struct counting {
    class_list list;
    tacit__bundles kinds;
    tacit__code_tree classes, people;
    tacit__meets meets[TACIT__MAX_PROMISED]; /* a depth each */
    int64_t *covered;                        /* a class each */
    uint64_t *present; /* a bit for each kind of people: some class covers it */
} counting;

static void meet(void *context, int64_t kind, int64_t from, int64_t to)
{
    counting *c = context;
    for (int64_t class = from; class < to; class ++)
        __atomic_fetch_add(&c->covered[class], (int64_t)c->kinds.sizes[kind], __ATOMIC_RELAXED);
    tacit__bit_set(c->present, kind);
}

static int64_t count_absent(const counting *c)
{
    int64_t absent = 0;
    for (int64_t kind = 0; kind < c->kinds.count; kind++)
        if (!tacit__bit_get(c->present, kind))
            absent += c->kinds.sizes[kind];
    return absent;
}

static tacit_status count_kinds(counting *c, const tacit__cover *cover, const int32_t *attributes,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    c->kinds.keys = (tacit__keys){
        .rows = tacit_table_rows(cover->people), .run = cover->judge->run, .keeps = true};
    for (int32_t at = 0; at < c->list.count && status == TACIT_OK; at++) {
        int32_t column = cover->column[attributes[at]];
        status = tacit__keys_add(&c->kinds.keys, tacit_table_codes(cover->people, column),
                                 tacit__code_max(cover->people, column), err);
    }
    return status == TACIT_OK ? tacit__bundles_count(&c->kinds, err) : status;
}

/* Both trees, and where counts go. */
static tacit_status prepare(counting *c, const tacit__cover *cover, const int32_t *attributes,
                            tacit_error *err)
{
    const tacit_run *run = cover->judge->run;
    tacit_status status = count_kinds(c, cover, attributes, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&c->people, c->list.count, c->kinds.count,
                                       tacit__bundle_codes, &c->kinds, run, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&c->classes, c->list.count, c->list.classes->count,
                                       class_codes, &c->list, run, err);
    if (status != TACIT_OK)
        return status;
    c->covered = tacit__alloc_zeroed((size_t)c->list.classes->count, sizeof *c->covered);
    c->present = tacit__alloc_zeroed(tacit__bitset_words(c->kinds.count), sizeof *c->present);
    return c->covered && c->present ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__cover_count(int64_t **covered, int64_t *absent, const tacit__cover *cover,
                                const int32_t *attributes, int32_t count,
                                const tacit__partition *partition, tacit_error *err)
{
    counting c = {.list = {cover->judge->release, partition, .count = count}};
    tacit__descent d = {&c.people, &c.classes, .meet = meet, .context = &c};
    for (int32_t at = 0; at < count; at++) {
        const tacit__images *images = &cover->images[attributes[at]];
        c.meets[at] = (tacit__meets){.start = images->start, .list = images->list};
        d.meets[at] = &c.meets[at];
        c.list.columns[at] = cover->judge->attribute[attributes[at]];
    }
    tacit_status status = prepare(&c, cover, attributes, err);
    if (status == TACIT_OK)
        status = tacit__descend(&d, "judging models", cover->judge->run, err);
    if (status == TACIT_OK) {
        *absent = count_absent(&c);
        *covered = c.covered;
        c.covered = NULL;
    }
    tacit__code_tree_clear(&c.people);
    tacit__code_tree_clear(&c.classes);
    tacit__bundles_clear(&c.kinds);
    tacit__free(c.covered);
    tacit__free(c.present);
    return status;
}
