/*
 * view.c - looking at classes through combinations of attributes.
 *
 * Every value of every attribute has a random term of 64 bits, the hash of a
 * combination is the sum of the terms of its values, and each class keeps the sum
 * over all attributes: so the hash under a combination costs an addition for each
 * attribute that counts, or a subtraction for each that does not, whichever are
 * fewer. Groups of equal hash are compared by their values.
 *
 * A look at n classes costs n look-ups, each a miss for the slot and one for the
 * values; classes are looked up in blocks, so that the misses overlap. 4 bytes for
 * each class and attribute, 32 for a group.
 */
#include "records/argus/argus.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "records/classes/classes.h"
#include "records/classes/homes.h"

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
