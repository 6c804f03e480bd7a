/*
 * link.c - linking a release to a register: how many people each record maps to, and how many
 * records each person could be.
 *
 * Records that agree in all columns are a class, people whom the release cannot tell apart a
 * bundle (values.c). Both are trees, gone through together (trees.c); a bundle
 * that meets a stretch of classes is counted at the stretch's ends, and sums along the classes give
 * the counts. The same is done with the numbers of bundles: where a class maps to one
 * person, their sum is his.
 *
 * Cost: a sort of each file's rows and the way down; 16 bytes a row of the register while
 * it is sorted, then 16 a bundle and what its tree takes, 28 a class. Counts are whole
 * numbers, added in any order, so that they do not depend on threads.
 */
#include "audit/link/link.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

/* ---- columns ---- */

static bool stands_before(const tacit__link_marks *a, const tacit__link_marks *b)
{
    if (a->unknown != b->unknown)
        return b->unknown;
    return a->count < b->count;
}

static void order_columns(tacit__linking *l)
{
    for (int32_t column = 0; column < l->depth; column++) {
        int32_t at = column;
        for (; at > 0 && stands_before(&l->marks[column], &l->marks[l->order[at - 1]]); at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = column;
    }
    for (int32_t at = 0; at < l->depth; at++) {
        const tacit__link_marks *marks = &l->marks[l->order[at]];
        l->meets[at] = (tacit__meets){marks->start, marks->list, marks->from, marks->to};
    }
}

static tacit_status mark_columns(tacit__linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < l->depth && status == TACIT_OK; i++) {
        status = tacit__link_marks_init(&l->marks[i], &l->c->columns[i], err);
        l->link->agrees |= (uint64_t)l->marks[i].agrees << i;
        l->link->says |= (uint64_t)l->marks[i].says << i;
    }
    if (status == TACIT_OK)
        order_columns(l);
    return status;
}

/* ---- classes and bundles ---- */

static tacit_status bundle_classes(tacit__linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    l->classes.keys = (tacit__keys){.rows = l->c->records, .run = l->run, .keeps = true};
    for (int32_t at = 0; at < l->depth && status == TACIT_OK; at++) {
        const tacit_link_column *column = &l->c->columns[l->order[at]];
        status = tacit__keys_add_mapped(&l->classes.keys, column->released, column->released_nodes,
                                        column->nodes - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__bundles_count(&l->classes, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&l->class_tree, l->depth, l->classes.count,
                                       tacit__bundle_codes, &l->classes, l->run, err);
    return status;
}

static tacit_status bundle_people(tacit__linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    l->people.keys = (tacit__keys){.rows = l->c->rows, .run = l->run, .keeps = true};
    for (int32_t at = 0; at < l->depth && status == TACIT_OK; at++) {
        const tacit__link_marks *marks = &l->marks[l->order[at]];
        status = tacit__keys_add_mapped(&l->people.keys, l->c->columns[l->order[at]].known,
                                        marks->of_code, marks->count - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__bundles_count(&l->people, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&l->people_tree, l->depth, l->people.count,
                                       tacit__bundle_codes, &l->people, l->run, err);
    return status;
}

static tacit_status place_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    tacit__linking *l = context;
    int64_t end = tacit__block_end(block, l->c->records);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++)
        l->link->class_of[row] = (uint32_t)tacit__bundle_of(&l->classes, row);
    return TACIT_OK;
}

/* The class of each record, and the records before each class. */
static tacit_status place_records(tacit__linking *l, tacit_error *err)
{
    tacit_link *link = l->link;
    size_t classes = (size_t)l->classes.count;
    link->class_of = tacit__alloc_array((size_t)l->c->records, sizeof *link->class_of);
    link->maps_to = tacit__alloc_array(classes, sizeof *link->maps_to);
    l->before = tacit__alloc_array(classes + 1, sizeof *l->before);
    l->could_be = tacit__alloc_zeroed((size_t)l->people.count, sizeof *l->could_be);
    l->changes = tacit__alloc_zeroed(classes + 1, sizeof *l->changes);
    l->sums = tacit__alloc_zeroed(classes + 1, sizeof *l->sums);
    if (!link->class_of || !link->maps_to || !l->before || !l->could_be || !l->changes || !l->sums)
        return tacit__nomem(err);
    link->sizes = l->classes.sizes;
    link->classes = l->classes.count;
    l->classes.sizes = NULL;
    l->before[0] = 0;
    for (size_t class = 0; class < classes; class ++)
        l->before[class + 1] = l->before[class] + link->sizes[class];
    return tacit__parallel(l->run, "linking", tacit__blocks(l->c->records), place_block, l, err);
}

/* ---- counting ---- */

static void meet(void *context, int64_t bundle, int64_t from, int64_t to)
{
    tacit__linking *l = context;
    uint32_t people = l->people.sizes[bundle];
    uint64_t sum = (uint64_t)bundle * people;
    l->could_be[bundle] += l->before[to] - l->before[from];
    __atomic_fetch_add(&l->changes[from], people, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&l->changes[to], people, __ATOMIC_RELAXED);
    __atomic_fetch_add(&l->sums[from], sum, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&l->sums[to], sum, __ATOMIC_RELAXED);
}

static tacit_status count_people(tacit__linking *l, tacit_error *err)
{
    tacit__descent d = {&l->people_tree, &l->class_tree, .meet = meet, .context = l};
    for (int32_t at = 0; at < l->depth; at++)
        d.meets[at] = &l->meets[at];
    tacit_status status = tacit__descend(&d, "linking", l->run, err);
    if (status == TACIT_OK && l->c->person)
        status = tacit__link_repeats(l, err);
    uint32_t people = 0;
    uint64_t sum = 0;
    for (int64_t class = 0; class < l->classes.count && status == TACIT_OK; class ++) {
        l->link->maps_to[class] = people += l->changes[class];
        l->sums[class] = sum += l->sums[class];
    }
    if (status == TACIT_OK && (l->c->names || l->c->person))
        status = tacit__link_names(l, err);
    return status;
}

/* ---- the summary ---- */

static const int64_t BINS[TACIT_LINK_BINS] = {0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, 10000};

int64_t tacit_link_bin_start(int bin)
{
    return BINS[bin];
}

static int bin_of(int64_t count)
{
    int bin = TACIT_LINK_BINS - 1;
    while (BINS[bin] > count)
        bin--;
    return bin;
}

static void sum_up_records(tacit__linking *l)
{
    tacit_link *link = l->link;
    for (int64_t class = 0; class < link->classes; class ++) {
        int64_t people = link->maps_to[class], records = link->sizes[class];
        link->records_by_people[bin_of(people)] += records;
        link->records_below += people < l->c->k ? records : 0;
        link->records_one += people == 1 ? records : 0;
        if (class == 0 || people < link->smallest)
            link->smallest = people;
    }
}

/* So many people could be so many records. */
static void add_people(tacit__linking *l, int64_t people, int64_t records)
{
    tacit_link *link = l->link;
    link->people_by_records[bin_of(records)] += people;
    link->people_in_one += records == 1 ? people : 0;
    link->people_below += records > 0 && records < l->c->k ? people : 0;
}

static void sum_up_people(tacit__linking *l)
{
    for (int64_t person = 0; l->could_of && person < l->c->people; person++)
        add_people(l, 1, l->could_of[person]);
    for (int64_t bundle = 0; !l->could_of && bundle < l->people.count; bundle++)
        add_people(l, l->people.sizes[bundle], l->could_be[bundle]);
}

/* People who are somebody's only candidate: by their bundle, which is theirs alone, unless they
 * have several. */
static tacit_status sum_up_pairs(tacit__linking *l, tacit_error *err)
{
    tacit_link *link = l->link;
    int64_t numbers = l->could_of ? l->c->people : l->people.count;
    const uint32_t *could = l->could_of ? l->could_of : l->could_be;
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(numbers), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t class = 0; class < link->classes; class ++) {
        if (link->maps_to[class] != 1)
            continue;
        int64_t who = l->could_of ? link->only[class] : (int64_t)l->sums[class];
        link->people_one += !tacit__bit_get(seen, who);
        link->pairs += link->sizes[class] == 1 && could[who] == 1;
        tacit__bit_set(seen, who);
    }
    tacit__free(seen);
    return TACIT_OK;
}

/* What can be said without a truth; with one, truth.c says more. */
static void judge_models(tacit__linking *l)
{
    tacit_link *link = l->link;
    bool unmapped = link->records_by_people[0] > 0;
    link->k_map = link->records_below > 0 ? TACIT_LINK_BROKEN : TACIT_LINK_HOLDS;
    link->null_map =
        link->records_by_people[0] == link->records ? TACIT_LINK_HOLDS : TACIT_LINK_UNKNOWN;
    link->wrong_map = link->records <= 2 || unmapped ? TACIT_LINK_BROKEN : TACIT_LINK_UNKNOWN;
}

/* ---- all of it ---- */

static tacit_status link_all(tacit__linking *l, tacit_error *err)
{
    tacit_status status = mark_columns(l, err);
    if (status == TACIT_OK)
        status = bundle_classes(l, err);
    if (status == TACIT_OK)
        status = bundle_people(l, err);
    if (status == TACIT_OK)
        status = place_records(l, err);
    if (status == TACIT_OK)
        status = count_people(l, err);
    if (status != TACIT_OK)
        return status;
    sum_up_records(l);
    sum_up_people(l);
    status = sum_up_pairs(l, err);
    judge_models(l);
    if (status == TACIT_OK && l->c->truth)
        status = tacit__link_judge_truth(l, err);
    return status;
}

static void clear(tacit__linking *l)
{
    tacit__code_tree_clear(&l->class_tree);
    tacit__code_tree_clear(&l->people_tree);
    tacit__bundles_clear(&l->classes);
    tacit__bundles_clear(&l->people);
    for (int32_t i = 0; i < l->depth; i++)
        tacit__link_marks_clear(&l->marks[i]);
    tacit__free(l->before);
    tacit__free(l->could_be);
    tacit__free(l->could_of);
    tacit__free(l->changes);
    tacit__free(l->sums);
}

tacit_status tacit_link_new(tacit_link **out, const tacit_link_case *c, const tacit_run *run,
                            tacit_error *err)
{
    if (c->column_count < 1 || c->k < 1)
        return tacit__error(err, TACIT_INVALID, "linking needs a shared column and a k");
    if (c->column_count > TACIT_MAX_LINK_COLUMNS)
        return tacit__error(err, TACIT_LIMIT, "more than %d columns to link by",
                            TACIT_MAX_LINK_COLUMNS);
    tacit__linking l = {.c = c, .run = run, .depth = c->column_count};
    tacit_link *link = l.link = tacit__alloc_zeroed(1, sizeof *link);
    if (!link)
        return tacit__nomem(err);
    link->records = c->records;
    link->people = c->people;
    tacit_status status = link_all(&l, err);
    clear(&l);
    if (status == TACIT_OK)
        *out = link;
    else
        tacit_link_free(link);
    return status;
}

void tacit_link_free(tacit_link *link)
{
    if (!link)
        return;
    tacit__free(link->class_of);
    tacit__free(link->sizes);
    tacit__free(link->maps_to);
    tacit__free(link->only);
    tacit__free(link);
}
