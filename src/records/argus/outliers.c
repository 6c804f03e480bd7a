/*
 * outliers.c - combinations of values that fewer than k people have: phase B of mu-argus (Figures
 * 49 and 56 to 60 of Sweeney, Computational Disclosure Control), and the same for all
 * combinations.
 *
 * mu-argus tests some pairs and triples of attributes, depending on how the data holder rates
 * them. Figure 49 says which, and its listing, Figure 56, differs in two ways. Where the figure
 * wants more than one identifying attribute for three of the combinations, the listing is content
 * with one, and the example (Figure 74) has one and tests them. And where the listing tests pairs
 * of most and more only if there are two more, and nothing at all without a most, the figure says
 * yes to them. A combination is tested here if either says so.
 *
 * Of all combinations only minimal outliers are listed, the smallest first: an outlier's supersets
 * are outliers too. Classes that share a combination share its parts, so that classes with an
 * outlier in it can be left out of its counting.
 *
 * A combination costs a look at the classes; there are 2^m of all, and fewer than m^3 that
 * mu-argus tests. Looking at classes through combinations of attributes.
 *
 * Every value of every attribute has a random term of 64 bits, the hash of a combination is the
 * sum of the terms of its values, and each class keeps the sum over all attributes: so the hash
 * under a combination costs an addition for each attribute that counts, or a subtraction for each
 * that does not, whichever are fewer. Groups of equal hash are compared by their values.
 *
 * A look at n classes costs n look-ups, each a miss for the slot and one for the values; classes
 * are looked up in blocks, so that the misses overlap. 4 bytes for each class and attribute, 32
 * for a group.
 */
#include "records/argus/argus.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/classes/classes.h"

/* Classes that are looked up together. */
enum { BLOCK = 64 };

static tacit_status make_terms(tacit__argus_view *view, tacit_error *err)
{
    const int *levels = tacit_classes_levels(view->classes);
    size_t total = 0;
    for (int32_t a = 0; a < view->attributes; a++)
        total += tacit__distinct_on(view->frame, a, levels[a]);
    view->memory = tacit__alloc_array(total, sizeof *view->memory);
    if (!view->memory)
        return tacit__nomem(err);
    for (size_t i = 0; i < total; i++)
        view->memory[i] = tacit__mix(tacit__mix(i + 1) + i);
    total = 0;
    for (int32_t a = 0; a < view->attributes; a++) {
        view->terms[a] = view->memory + total;
        total += tacit__distinct_on(view->frame, a, levels[a]);
    }
    return TACIT_OK;
}

static void fill_codes(tacit__argus_view *view)
{
    for (int64_t c = 0; c < view->count; c++) {
        uint32_t *codes = view->codes + c * view->attributes;
        view->hashes[c] = 0;
        for (int32_t a = 0; a < view->attributes; a++) {
            codes[a] = tacit_classes_code(view->classes, c, a);
            view->hashes[c] += view->terms[a][codes[a]];
            if (codes[a] != view->codes[a])
                view->free |= UINT64_C(1) << a;
        }
    }
}

static void find_below(tacit__argus_view *view)
{
    for (int32_t a = 0; a < view->attributes; a++)
        if (tacit_classes_levels(view->classes)[a] <
            tacit_hierarchy_height(view->frame->attributes[a].hierarchy))
            view->below |= UINT64_C(1) << a;
    view->free &= view->below;
}

tacit_status tacit__argus_view_init(tacit__argus_view *view, const tacit_frame *frame,
                                    const tacit_classes *classes, int64_t k, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__argus_view made = {.frame = frame,
                              .classes = classes,
                              .k = k,
                              .count = tacit_classes_count(classes),
                              .attributes = frame->attribute_count,
                              .rows = classes->groups.rows};
    size_t cells = (size_t)made.count * (size_t)made.attributes;
    tacit_status status = make_terms(&made, err);
    if (status == TACIT_OK)
        status = tacit__home_people(&made.people, classes, frame, run, err);
    if (status == TACIT_OK) {
        made.codes = tacit__alloc_array(cells, sizeof *made.codes);
        made.hashes = tacit__alloc_array((size_t)made.count, sizeof *made.hashes);
        status = made.codes && made.hashes ? TACIT_OK : tacit__nomem(err);
    }
    if (status != TACIT_OK) {
        tacit__argus_view_clear(&made);
        return status;
    }
    fill_codes(&made);
    find_below(&made);
    *view = made;
    return TACIT_OK;
}

void tacit__argus_view_clear(tacit__argus_view *view)
{
    tacit__free(view->people);
    tacit__free(view->codes);
    tacit__free(view->hashes);
    tacit__free(view->memory);
    *view = (tacit__argus_view){0};
}

static uint64_t slots_for(int64_t groups)
{
    uint64_t slots = 8;
    while (slots < 2 * (uint64_t)groups)
        slots *= 2;
    return slots;
}

tacit_status tacit__argus_groups_init(tacit__argus_groups *groups, const tacit__argus_view *view,
                                      int64_t most, tacit_error *err)
{
    *groups = (tacit__argus_groups){.view = view};
    groups->slots = tacit__alloc_array(slots_for(most), sizeof *groups->slots);
    groups->first = tacit__alloc_array((size_t)most, sizeof *groups->first);
    if (groups->slots && groups->first)
        return TACIT_OK;
    tacit__argus_groups_clear(groups);
    return tacit__nomem(err);
}

void tacit__argus_groups_clear(tacit__argus_groups *groups)
{
    tacit__free(groups->slots);
    tacit__free(groups->first);
    *groups = (tacit__argus_groups){0};
}

void tacit__argus_groups_start(tacit__argus_groups *groups, uint64_t attributes, int64_t most)
{
    groups->count = 0;
    groups->mask = slots_for(most) - 1;
    groups->kept_count = groups->dropped_count = 0;
    for (int32_t a = 0; a < groups->view->attributes; a++)
        if (attributes >> a & 1)
            groups->kept[groups->kept_count++] = a;
        else
            groups->dropped[groups->dropped_count++] = a;
    memset(groups->slots, 0, (size_t)(groups->mask + 1) * sizeof *groups->slots);
}

static uint64_t key_of(const tacit__argus_groups *groups, uint32_t class_index)
{
    const tacit__argus_view *view = groups->view;
    const uint32_t *codes = view->codes + (int64_t)class_index * view->attributes;
    uint64_t key = 0;
    if (groups->kept_count <= groups->dropped_count) {
        for (int32_t i = 0; i < groups->kept_count; i++)
            key += view->terms[groups->kept[i]][codes[groups->kept[i]]];
        return key;
    }
    key = view->hashes[class_index];
    for (int32_t i = 0; i < groups->dropped_count; i++)
        key -= view->terms[groups->dropped[i]][codes[groups->dropped[i]]];
    return key;
}

static bool agree(const tacit__argus_groups *groups, uint32_t a, uint32_t b)
{
    const uint32_t *x = groups->view->codes + (int64_t)a * groups->view->attributes;
    const uint32_t *y = groups->view->codes + (int64_t)b * groups->view->attributes;
    for (int32_t i = 0; i < groups->kept_count; i++)
        if (x[groups->kept[i]] != y[groups->kept[i]])
            return false;
    return true;
}

/* The slot of a class's group, or the free one where it belongs. */
static tacit__argus_slot *slot_of(const tacit__argus_groups *groups, uint32_t class_index,
                                  uint64_t key)
{
    for (uint64_t at = key & groups->mask;; at = (at + 1) & groups->mask) {
        tacit__argus_slot *slot = &groups->slots[at];
        if (!slot->group ||
            (slot->key == key && agree(groups, class_index, groups->first[slot->group - 1])))
            return slot;
    }
}

/* Keys of a block of classes, whose slots are sent for. */
static void prepare(uint64_t *keys, const tacit__argus_groups *groups, const uint32_t *classes,
                    int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        keys[i] = tacit__mix(key_of(groups, classes[i]));
        __builtin_prefetch(&groups->slots[keys[i] & groups->mask]);
    }
}

static int64_t block_at(int64_t from, int64_t count)
{
    return count - from < BLOCK ? count - from : BLOCK;
}

void tacit__argus_groups_add(uint32_t *group_of, tacit__argus_groups *groups,
                             const uint32_t *classes, int64_t count)
{
    uint64_t keys[BLOCK];
    for (int64_t from = 0; from < count; from += BLOCK) {
        prepare(keys, groups, classes + from, block_at(from, count));
        for (int64_t i = 0; i < block_at(from, count); i++) {
            uint32_t class_index = classes[from + i];
            tacit__argus_slot *slot = slot_of(groups, class_index, keys[i]);
            if (!slot->group) {
                groups->first[groups->count] = class_index;
                *slot = (tacit__argus_slot){keys[i], (uint32_t)++groups->count};
            }
            group_of[from + i] = slot->group - 1;
        }
    }
}

void tacit__argus_groups_find(uint32_t *group_of, const tacit__argus_groups *groups,
                              const uint32_t *classes, int64_t count)
{
    uint64_t keys[BLOCK];
    for (int64_t from = 0; from < count; from += BLOCK) {
        prepare(keys, groups, classes + from, block_at(from, count));
        for (int64_t i = 0; i < block_at(from, count); i++) /* a free slot is no group */
            group_of[from + i] = slot_of(groups, classes[from + i], keys[i])->group - 1;
    }
}

bool tacit__argus_tests(int identifying, int more, int most, bool has_identifying)
{
    if (identifying + more + most == 2)
        return identifying < 2 && (more < 2 || has_identifying);
    if (identifying + more + most != 3 || most == 0 || identifying == 2)
        return false;
    return identifying == 1 || more == 0 || has_identifying;
}

/* Counting under one combination after the other. */
typedef struct tester {
    const tacit__argus_view *view;
    const tacit_run *run;
    tacit__argus_groups groups;
    tacit__argus_outliers found;
    uint32_t *rare; /* classes with fewer than k people; the others have no outliers */
    int64_t rare_count;
    uint32_t *common; /* the others */
    int64_t common_count;
    uint32_t *tested; /* classes under test: those without an outlier in the combination */
    int64_t tested_count;
    uint32_t *group_of;  /* a class under test each */
    uint32_t *common_in; /* a common class each */
    uint32_t *people;    /* a group each */
    int64_t *last;       /* a class each: its last outlier so far, or -1 */
    int64_t *before;     /* an outlier each: the one before it of the same class, or -1 */
    size_t before_capacity;
} tester;

static tacit_status tester_init(tester *t, const tacit__argus_view *view, const tacit_run *run,
                                tacit_error *err)
{
    size_t count = (size_t)view->count;
    *t = (tester){.view = view, .run = run};
    t->rare = tacit__alloc_array(count, sizeof *t->rare);
    t->common = tacit__alloc_array(count, sizeof *t->common);
    t->tested = tacit__alloc_array(count, sizeof *t->tested);
    t->group_of = tacit__alloc_array(count, sizeof *t->group_of);
    t->people = tacit__alloc_array(count, sizeof *t->people);
    t->last = tacit__alloc_array(count, sizeof *t->last);
    t->common_in = tacit__alloc_array(count, sizeof *t->common_in);
    if (!t->rare || !t->common || !t->tested || !t->group_of || !t->common_in || !t->people ||
        !t->last)
        return tacit__nomem(err);
    for (int64_t c = 0; c < view->count; c++) {
        t->last[c] = -1;
        if (view->people[c] < view->k)
            t->rare[t->rare_count++] = (uint32_t)c;
        else
            t->common[t->common_count++] = (uint32_t)c;
    }
    return tacit__argus_groups_init(&t->groups, view, t->rare_count, err);
}

static void tester_clear(tester *t)
{
    tacit__argus_groups_clear(&t->groups);
    tacit__free(t->rare);
    tacit__free(t->common);
    tacit__free(t->tested);
    tacit__free(t->common_in);
    tacit__free(t->group_of);
    tacit__free(t->people);
    tacit__free(t->last);
    tacit__free(t->before);
    tacit__argus_outliers_clear(&t->found);
}

/* Whether a smaller combination is an outlier of the class already. */
static bool has_part(const tester *t, uint32_t class_index, uint64_t attributes)
{
    for (int64_t i = t->last[class_index]; i >= 0; i = t->before[i])
        if (!(t->found.list[i].attributes & ~attributes))
            return true;
    return false;
}

/* Groups the rare classes under a combination and counts the people in each. */
static void count_people(tester *t, uint64_t attributes, bool minimal)
{
    t->tested_count = 0;
    for (int64_t i = 0; i < t->rare_count; i++)
        if (!minimal || !has_part(t, t->rare[i], attributes))
            t->tested[t->tested_count++] = t->rare[i];
    tacit__argus_groups_start(&t->groups, attributes, t->tested_count);
    tacit__argus_groups_add(t->group_of, &t->groups, t->tested, t->tested_count);
    memset(t->people, 0, (size_t)t->groups.count * sizeof *t->people);
    for (int64_t i = 0; i < t->tested_count; i++)
        t->people[t->group_of[i]] += t->view->people[t->tested[i]];
    tacit__argus_groups_find(t->common_in, &t->groups, t->common, t->common_count);
    for (int64_t i = 0; i < t->common_count; i++)
        if (t->common_in[i] != TACIT__NO_GROUP)
            t->people[t->common_in[i]] += t->view->people[t->common[i]];
}

static tacit_status keep(tester *t, uint32_t class_index, uint64_t attributes, uint32_t people,
                         tacit_error *err)
{
    tacit__argus_outliers *found = &t->found;
    size_t needed = (size_t)found->count + 1;
    if (!TACIT__RESERVE(found->list, found->capacity, needed) ||
        !TACIT__RESERVE(t->before, t->before_capacity, needed))
        return tacit__nomem(err);
    t->before[found->count] = t->last[class_index];
    t->last[class_index] = found->count;
    found->list[found->count++] = (tacit_argus_outlier){.class_index = class_index,
                                                        .rows = t->view->rows[class_index],
                                                        .attributes = attributes,
                                                        .people = people};
    return TACIT_OK;
}

static tacit_status test(tester *t, uint64_t attributes, bool minimal, tacit_error *err)
{
    tacit_status status = tacit__progress(t->run, "testing combinations", 0, 0, err);
    if (status == TACIT_OK)
        count_people(t, attributes, minimal);
    for (int64_t i = 0; status == TACIT_OK && i < t->tested_count; i++) {
        uint32_t people = t->people[t->group_of[i]];
        if (people < t->view->k)
            status = keep(t, t->tested[i], attributes, people, err);
    }
    return status;
}

static int by_class(const void *a, const void *b)
{
    const tacit_argus_outlier *x = a, *y = b;
    if (x->class_index != y->class_index)
        return x->class_index < y->class_index ? -1 : 1;
    int p = __builtin_popcountll(x->attributes), q = __builtin_popcountll(y->attributes);
    if (p != q)
        return p < q ? -1 : 1;
    return x->attributes < y->attributes ? -1 : x->attributes > y->attributes;
}

/* Gives the outliers to the caller if all went well. */
static tacit_status finish(tester *t, tacit__argus_outliers *outliers, tacit_status status)
{
    if (status == TACIT_OK) {
        if (t->found.count > 0)
            qsort(t->found.list, (size_t)t->found.count, sizeof *t->found.list, by_class);
        *outliers = t->found;
        t->found = (tacit__argus_outliers){0};
    }
    tester_clear(t);
    return status;
}

/* Attributes of a rating among some. */
static int rated(const tacit_frame *frame, uint64_t attributes, tacit_rating rating)
{
    int count = 0;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        count += (attributes >> a & 1) && frame->attributes[a].rating == rating;
    return count;
}

static bool is_tested(const tacit__argus_view *view, uint64_t attributes)
{
    const tacit_frame *frame = view->frame;
    return tacit__argus_tests(rated(frame, attributes, TACIT_RATING_IDENTIFYING),
                              rated(frame, attributes, TACIT_RATING_MORE),
                              rated(frame, attributes, TACIT_RATING_MAX),
                              rated(frame, view->below, TACIT_RATING_IDENTIFYING) > 0);
}

tacit_status tacit__argus_tested(tacit__argus_outliers *outliers, const tacit__argus_view *view,
                                 const tacit_run *run, tacit_error *err)
{
    tester t;
    tacit_status status = tester_init(&t, view, run, err);
    for (int32_t i = 0; i < view->attributes; i++)
        for (int32_t j = i + 1; j < view->attributes; j++)
            for (int32_t l = j; l < view->attributes; l++) { /* l = j: the pair alone */
                uint64_t set = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << l;
                if (status == TACIT_OK && !(set & ~view->below) && is_tested(view, set))
                    status = test(&t, set, false, err);
            }
    return finish(&t, outliers, status);
}

/* The attributes that the bits of a number stand for, of some attributes. */
static uint64_t spread(uint32_t bits, uint64_t attributes)
{
    uint64_t set = 0;
    for (; bits; bits >>= 1, attributes &= attributes - 1)
        if (bits & 1)
            set |= attributes & -attributes;
    return set;
}

tacit_status tacit__argus_minimal(tacit__argus_outliers *outliers, const tacit__argus_view *view,
                                  const tacit_run *run, tacit_error *err)
{
    tester t;
    int attributes = __builtin_popcountll(view->free);
    tacit_status status = tester_init(&t, view, run, err);
    for (int size = 1; size <= attributes && t.rare_count > 0; size++)
        for (uint32_t bits = 1; bits < UINT32_C(1) << attributes; bits++)
            if (status == TACIT_OK && __builtin_popcount(bits) == size)
                status = test(&t, spread(bits, view->free), true, err);
    return finish(&t, outliers, status);
}

void tacit__argus_outliers_clear(tacit__argus_outliers *outliers)
{
    tacit__free(outliers->list);
    *outliers = (tacit__argus_outliers){0};
}
