/*
 * partners.c - who trades with whom.
 *
 * Units of a class lie next to each other in a pool, those at risk first; whoever is taken changes
 * places with the last that is not. A partner is drawn by trying until one is in another area. How
 * many are is known, so trying ends; every success leaves one fewer, so for a class of N units it
 * takes N log N tries in all at most, on the mean, even where nearly all are in one area.
 */
#include "techniques/swap/partners.h"

#include "base/alloc.h"
#include "techniques/runner/technique.h"

static size_t part_of(const tacit__partners *p, uint32_t unit)
{
    return 2 * (size_t)p->classes[unit] + !p->at_risk[unit];
}

static size_t cell_of(const tacit__partners *p, int level, uint32_t unit)
{
    return 2 * (size_t)p->cells[level][unit] + !p->at_risk[unit];
}

static void fill_pool(tacit__partners *p, int64_t units)
{
    size_t parts = 2 * (size_t)p->class_count;
    int64_t start = 0;
    for (int64_t unit = 0; unit < units; unit++) {
        p->open[part_of(p, (uint32_t)unit)]++;
        for (int level = 0; level < p->levels; level++)
            p->left[level][cell_of(p, level, (uint32_t)unit)]++;
    }
    for (size_t part = 0; part < parts; part++) {
        p->starts[part] = start;
        start += p->open[part];
        p->open[part] = 0;
    }
    for (int64_t unit = 0; unit < units; unit++) {
        size_t part = part_of(p, (uint32_t)unit);
        int64_t at = p->starts[part] + p->open[part]++;
        p->pool[at] = (uint32_t)unit;
        p->where[unit] = (uint32_t)at;
    }
}

void tacit__partners_clear(tacit__partners *partners)
{
    tacit__free(partners->pool);
    tacit__free(partners->where);
    tacit__free(partners->starts);
    tacit__free(partners->open);
    for (int level = 0; level < TACIT__MOST_LEVELS; level++)
        tacit__free(partners->left[level]);
    *partners = (tacit__partners){0};
}

tacit_status tacit__partners_init(tacit__partners *p, const uint32_t *cell_counts, int64_t units,
                                  tacit_error *err)
{
    size_t parts = 2 * (size_t)p->class_count;
    bool whole = true;
    p->pool = tacit__alloc_array((size_t)units, sizeof *p->pool);
    p->where = tacit__alloc_array((size_t)units, sizeof *p->where);
    p->starts = tacit__alloc_array(parts, sizeof *p->starts);
    p->open = tacit__alloc_zeroed(parts, sizeof *p->open);
    for (int level = 0; level < p->levels; level++) {
        p->left[level] =
            tacit__alloc_zeroed(2 * (size_t)cell_counts[level], sizeof *p->left[level]);
        whole = whole && p->left[level];
    }
    if (!p->pool || !p->where || !p->starts || !p->open || !whole) {
        tacit__partners_clear(p);
        return tacit__nomem(err);
    }
    fill_pool(p, units);
    return TACIT_OK;
}

bool tacit__partners_taken(const tacit__partners *partners, uint32_t unit)
{
    return partners->where[unit] == UINT32_MAX;
}

void tacit__partners_take(tacit__partners *p, uint32_t unit)
{
    size_t part = part_of(p, unit);
    int64_t end = p->starts[part] + --p->open[part];
    uint32_t last = p->pool[end];
    p->pool[p->where[unit]] = last;
    p->where[last] = p->where[unit];
    p->where[unit] = UINT32_MAX;
    for (int level = 0; level < p->levels; level++)
        p->left[level][cell_of(p, level, unit)]--;
}

static uint32_t any_of(const tacit__partners *p, size_t part, tacit__random *random)
{
    uint64_t at = tacit__random_below64(random, (uint64_t)p->open[part]);
    return p->pool[p->starts[part] + (int64_t)at];
}

bool tacit__partners_draw(uint32_t *partner, const tacit__partners *p, uint32_t unit, int level,
                          tacit__random *random)
{
    for (size_t others = 0; others < 2; others++) {
        size_t part = 2 * (size_t)p->classes[unit] + others;
        if (p->open[part] == p->left[level][2 * (size_t)p->cells[level][unit] + others])
            continue;
        do
            *partner = any_of(p, part, random);
        while (p->cells[level][*partner] == p->cells[level][unit]);
        return true;
    }
    return false;
}

bool tacit__partners_any(uint32_t *unit, const tacit__partners *partners, uint32_t class,
                         tacit__random *random)
{
    size_t part = 2 * (size_t) class + 1;
    if (partners->open[part] == 0)
        return false;
    *unit = any_of(partners, part, random);
    return true;
}
