/*
 * rule_mask.c - characters give way to `*`, one a level, from the right or the
 * left.
 *
 * With n characters in the column's longest value, level h keeps the first
 * (last) n - h places: 02138, 0213*, 021**, and so on to level n, where nothing
 * is kept and the one value is `*`, which also serves as the suppressed value.
 * A shorter value counts as filled up with blanks on the masked side: it stays
 * itself while only its blanks are masked, and joins the others where the mask
 * reaches it, so 02138 and 02138-1234 meet in 02138*****. What is kept on a
 * level determines what is kept on the next, which makes levels nest.
 *
 * Characters are those of UTF-8. A level costs a hash for each value of the
 * level below, and a label for each value of its own.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy.h"

/* What is kept of a value. */
typedef struct kept {
    tacit_strview text;
    uint32_t characters;
} kept;

typedef struct mask {
    bool left;
    uint32_t longest; /* in characters */
    kept *values;     /* for each value of the present level */
} mask;

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t count_characters(tacit_strview text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += i == 0 || !continues(text.bytes[i]);
    return count;
}

/* Without its last, or first, character. */
static kept drop_one(kept value, bool left)
{
    const char *from = value.text.bytes, *to = from + value.text.len;
    if (left) {
        do
            from++;
        while (from < to && continues(*from));
    } else {
        do
            to--;
        while (to > from && continues(*to));
    }
    return (kept){{from, (size_t)(to - from)}, value.characters - 1};
}

/* The value as it reads with this many places masked. */
static tacit_strview write_label(tacit__arena *arena, const mask *rule, kept value, uint32_t masked)
{
    if (masked == rule->longest)
        return tacit_hierarchy_suppressed();
    if (value.characters + masked < rule->longest)
        return value.text; /* only blanks are masked so far */
    char *text = tacit__arena_alloc(arena, value.text.len + masked);
    if (!text)
        return (tacit_strview){NULL, 0};
    memset(text, '*', value.text.len + masked);
    memcpy(text + (rule->left ? masked : 0), value.text.bytes, value.text.len);
    return (tacit_strview){text, value.text.len + masked};
}

static tacit_status measure(mask *rule, const tacit_hierarchy *hierarchy, tacit_error *err)
{
    rule->longest = 1;
    for (uint32_t code = 0; code < hierarchy->distinct; code++) {
        tacit_strview text = tacit__ground(hierarchy, code);
        size_t characters = count_characters(text);
        if (characters >= TACIT_MAX_LEVELS)
            return tacit__value_error(hierarchy, code, TACIT_LIMIT, err,
                                      "has %zu characters, and a mask at most %d; use a hierarchy "
                                      "file or no hierarchy",
                                      characters, TACIT_MAX_LEVELS - 1);
        rule->values[code] = (kept){text, (uint32_t)characters};
        if (characters > rule->longest)
            rule->longest = (uint32_t)characters;
    }
    return TACIT_OK;
}

/* Masks one more place of every value and numbers what is left of them. */
static bool number_level(tacit__rise *rise, mask *rule, tacit__names *names,
                         tacit_hierarchy *hierarchy)
{
    uint32_t masked = (uint32_t)hierarchy->level_count;
    uint32_t below = hierarchy->levels[hierarchy->level_count - 1].count;
    for (uint32_t i = 0; i < below; i++) {
        kept value = rule->values[i];
        if (value.characters + masked > rule->longest)
            value = drop_one(value, rule->left);
        bool added;
        rise->up[i] = tacit__names_add(names, value.text, &added);
        if (rise->up[i] == TACIT__NONE)
            return false;
        if (!added)
            continue;
        tacit_strview label = write_label(&hierarchy->arena, rule, value, masked);
        rule->values[rise->up[i]] = value;
        if (!label.bytes || !tacit__rise_label(rise, label))
            return false;
    }
    /* a column without values has a highest value all the same */
    return rise->count || tacit__rise_label(rise, tacit_hierarchy_suppressed());
}

static tacit_status mask_one(mask *rule, tacit_hierarchy *hierarchy, tacit_error *err)
{
    tacit__rise rise = {0};
    tacit__names names = {0};
    tacit_status status = tacit__rise_begin(&rise, hierarchy, err);
    if (status == TACIT_OK && !number_level(&rise, rule, &names, hierarchy))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__hierarchy_raise(hierarchy, &rise, err);
    tacit__names_clear(&names);
    tacit__rise_clear(&rise);
    return status;
}

static tacit_status grow_mask(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    mask rule = {.left = spec->mask_left};
    rule.values = tacit__alloc_array(hierarchy->distinct, sizeof *rule.values);
    if (!rule.values)
        return tacit__nomem(err);
    tacit_status status = measure(&rule, hierarchy, err);
    for (uint32_t i = 0; status == TACIT_OK && i < rule.longest; i++)
        status = mask_one(&rule, hierarchy, err);
    tacit__free(rule.values);
    return status;
}

const tacit__source tacit__source_mask = {TACIT_HIERARCHY_MASK, grow_mask};
