/*
 * mixed.c - a hierarchy over values that are on several levels already: what a release
 * starts from that generalizes an earlier one (5.5.3 of Sweeney, Computational Disclosure
 * Control).
 *
 * Everything comes from a hierarchy that is bound to the ground values, so it works for files and
 * rules alike. A value of the present level is a value of base; the next level takes
 * each of them up, as far as it is below it, and numbers what comes out in the order it is
 * met. Going up needs one ground value under each value of base, found once: a pass over
 * base's maps, four bytes for each value of each level.
 */
#include "hierarchy/mixed.h"

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy.h"

typedef struct ascent {
    const tacit_hierarchy *base;
    uint32_t *below;                    /* a value of base each: a code under it, level by level */
    uint32_t offsets[TACIT_MAX_LEVELS]; /* where a level's values start in it */
    uint32_t *met;                      /* a value of base each: its number on the next level */
    tacit__mixed_value *present;        /* a value of the present level each */
    tacit__mixed_value *next;
    uint32_t present_count;
} ascent;

static void ascent_clear(ascent *a)
{
    tacit__free(a->below);
    tacit__free(a->met);
    tacit__free(a->present);
    tacit__free(a->next);
}

static uint32_t place_of(const ascent *a, tacit__mixed_value value)
{
    return a->offsets[value.level] + value.number;
}

static tacit_status ascent_init(ascent *a, const tacit_hierarchy *base, uint32_t distinct,
                                tacit_error *err)
{
    uint32_t all = 0;
    *a = (ascent){.base = base};
    for (int level = 0; level < base->level_count; level++) {
        a->offsets[level] = all;
        all += base->levels[level].count;
    }
    a->below = tacit__alloc_array(all, sizeof *a->below);
    a->met = tacit__alloc_array(all, sizeof *a->met);
    a->present = tacit__alloc_array((size_t)distinct + 2, sizeof *a->present);
    a->next = tacit__alloc_array((size_t)distinct + 2, sizeof *a->next);
    if (!a->below || !a->met || !a->present || !a->next)
        return tacit__nomem(err);
    for (int level = 0; level < base->level_count; level++)
        for (uint32_t code = base->distinct + 1; code-- > 0;) {
            uint32_t number = base->levels[level].map[code];
            if (number < base->levels[level].count)
                a->below[a->offsets[level] + number] = code;
        }
    return TACIT_OK;
}

/* What a value is on a level: itself where it is no finer. */
static tacit__mixed_value lift(const ascent *a, tacit__mixed_value value, int level)
{
    if (value.level >= level)
        return value;
    uint32_t code = a->below[place_of(a, value)];
    return (tacit__mixed_value){level, a->base->levels[level].map[code]};
}

/* The number of a value on the next level, a new one where it is new. */
static bool meet(uint32_t *number, ascent *a, tacit__rise *rise, tacit__mixed_value value)
{
    uint32_t *met = &a->met[place_of(a, value)];
    if (*met == TACIT__NONE) {
        *met = rise->count;
        a->next[rise->count] = value;
        tacit_strview label = tacit_hierarchy_label(a->base, value.level, value.number);
        if (!tacit__rise_label(rise, label))
            return false;
    }
    *number = *met;
    return true;
}

static void forget(ascent *a)
{
    int last = a->base->level_count - 1;
    uint32_t all = a->offsets[last] + a->base->levels[last].count;
    for (uint32_t i = 0; i < all; i++)
        a->met[i] = TACIT__NONE;
}

/* Ground values under each value, as base has them. */
static uint32_t *count_under_values(const ascent *a, const tacit__mixed_value *values,
                                    uint32_t count)
{
    uint32_t *under = tacit__alloc_array(count, sizeof *under);
    for (uint32_t i = 0; under && i < count; i++)
        under[i] = tacit_hierarchy_leaves_under(a->base, values[i].level, values[i].number);
    return under;
}

/* Missing follows base's, and comes after all codes. */
static bool number_mixed_level(tacit__rise *rise, ascent *a, int level)
{
    const tacit__level *base = &a->base->levels[level];
    uint32_t missing = base->map[a->base->distinct];
    forget(a);
    for (uint32_t i = 0; i < a->present_count; i++)
        if (!meet(&rise->up[i], a, rise, lift(a, a->present[i], level)))
            return false;
    bool top = level == a->base->level_count - 1;
    if (missing < base->count && (!top || rise->count == 0) &&
        !meet(&rise->missing, a, rise, (tacit__mixed_value){level, missing}))
        return false;
    if (top && missing < base->count)
        rise->missing = 0;
    rise->under = count_under_values(a, a->next, rise->count);
    return rise->under != NULL;
}

static tacit_status raise_one(tacit_hierarchy *hierarchy, ascent *a, tacit_error *err)
{
    tacit__rise rise = {0};
    tacit_status status = tacit__rise_begin(&rise, hierarchy, err);
    if (status == TACIT_OK && !number_mixed_level(&rise, a, hierarchy->level_count))
        status = tacit__nomem(err);
    uint32_t count = rise.count;
    if (status == TACIT_OK)
        status = tacit__hierarchy_raise(hierarchy, &rise, err);
    tacit__mixed_value *values = a->present;
    a->present = a->next;
    a->next = values;
    a->present_count = count;
    tacit__rise_clear(&rise);
    return status;
}

static tacit_status grow_mixed(tacit_hierarchy *hierarchy, const tacit_hierarchy *base,
                               const tacit__mixed_value *values, tacit_error *err)
{
    ascent a;
    tacit_status status = ascent_init(&a, base, hierarchy->distinct, err);
    if (status == TACIT_OK) {
        for (uint32_t i = 0; i < hierarchy->distinct; i++)
            a.present[i] = values[i];
        a.present_count = hierarchy->distinct;
        hierarchy->leaves = base->leaves;
        hierarchy->levels[0].under = count_under_values(&a, values, hierarchy->distinct);
        if (!hierarchy->levels[0].under)
            status = tacit__nomem(err);
    }
    while (status == TACIT_OK && hierarchy->level_count < base->level_count)
        status = raise_one(hierarchy, &a, err);
    ascent_clear(&a);
    return status;
}

tacit_status tacit__hierarchy_mixed(tacit_hierarchy **out, const tacit_hierarchy *base,
                                    const tacit__mixed_value *values, const tacit_table *table,
                                    int32_t column, tacit_error *err)
{
    tacit_hierarchy *hierarchy;
    tacit_status status = tacit__hierarchy_start(&hierarchy, table, column, err);
    if (status != TACIT_OK)
        return status;
    status = grow_mixed(hierarchy, base, values, err);
    if (status == TACIT_OK)
        *out = hierarchy;
    else
        tacit_hierarchy_free(hierarchy);
    return status;
}
