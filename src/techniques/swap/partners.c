/*
 * partners.c - pools of units to draw partners from.
 *
 * A partner is drawn by trying until one is in another place. How many are is known, so trying
 * ends; every success leaves one fewer, so for a class of N units it takes N log N tries in all at
 * most, on the mean, even where nearly all are in one place.
 */
#include "techniques/swap/partners.h"

#include "base/alloc.h"
#include "base/error.h"

static size_t part_of(const tacit__partners *p, uint32_t unit)
{
    return 2 * (size_t)p->classes[unit] + !p->at_risk[unit];
}

static size_t cell_of(const tacit__partners *p, uint32_t unit)
{
    return 2 * (size_t)p->cells[unit] + !p->at_risk[unit];
}

static void fill(tacit__partners *p, int64_t count)
{
    size_t parts = 2 * (size_t)p->class_count;
    int64_t start = 0;
    for (int64_t unit = 0; unit < count; unit++) {
        p->open[part_of(p, (uint32_t)unit)]++;
        p->left[cell_of(p, (uint32_t)unit)]++;
    }
    for (size_t part = 0; part < parts; part++) {
        p->starts[part] = start;
        start += p->open[part];
        p->open[part] = 0;
    }
    for (int64_t unit = 0; unit < count; unit++) {
        size_t part = part_of(p, (uint32_t)unit);
        int64_t at = p->starts[part] + p->open[part]++;
        p->pool[at] = (uint32_t)unit;
        p->where[unit] = (uint32_t)at;
    }
}

tacit_status tacit__partners_init(tacit__partners *partners, const uint32_t *classes,
                                  uint32_t class_count, const uint32_t *cells, uint32_t cell_count,
                                  const bool *at_risk, int64_t count, tacit_error *err)
{
    tacit__partners p = {classes, cells, at_risk, class_count, NULL, NULL, NULL, NULL, NULL};
    p.pool = tacit__alloc_array((size_t)count, sizeof *p.pool);
    p.where = tacit__alloc_array((size_t)count, sizeof *p.where);
    p.starts = tacit__alloc_array(2 * (size_t)class_count, sizeof *p.starts);
    p.open = tacit__alloc_zeroed(2 * (size_t)class_count, sizeof *p.open);
    p.left = tacit__alloc_zeroed(2 * (size_t)cell_count, sizeof *p.left);
    if (!p.pool || !p.where || !p.starts || !p.open || !p.left) {
        tacit__partners_clear(&p);
        return tacit__nomem(err);
    }
    fill(&p, count);
    *partners = p;
    return TACIT_OK;
}

void tacit__partners_clear(tacit__partners *partners)
{
    tacit__free(partners->pool);
    tacit__free(partners->where);
    tacit__free(partners->starts);
    tacit__free(partners->open);
    tacit__free(partners->left);
    *partners = (tacit__partners){0};
}

bool tacit__partners_taken(const tacit__partners *partners, uint32_t unit)
{
    return partners->where[unit] == UINT32_MAX;
}

static void take(tacit__partners *p, uint32_t unit)
{
    size_t part = part_of(p, unit);
    int64_t end = p->starts[part] + --p->open[part];
    uint32_t last = p->pool[end];
    p->pool[p->where[unit]] = last;
    p->where[last] = p->where[unit];
    p->where[unit] = UINT32_MAX;
    p->left[cell_of(p, unit)]--;
}

static uint32_t any_of(const tacit__partners *p, size_t part, tacit__random *random)
{
    return p
        ->pool[p->starts[part] + (int64_t)tacit__random_below64(random, (uint64_t)p->open[part])];
}

bool tacit__partners_draw(tacit__partners *partners, uint32_t *partner, uint32_t unit,
                          tacit__random *random)
{
    tacit__partners *p = partners;
    take(p, unit);
    for (size_t others = 0; others < 2; others++) {
        size_t part = 2 * (size_t)p->classes[unit] + others;
        if (p->open[part] == p->left[2 * (size_t)p->cells[unit] + others])
            continue;
        do
            *partner = any_of(p, part, random);
        while (p->cells[*partner] == p->cells[unit]);
        take(p, *partner);
        return true;
    }
    return false;
}

bool tacit__partners_any(const tacit__partners *partners, uint32_t *unit, uint32_t class,
                         tacit__random *random)
{
    size_t part = 2 * (size_t) class + 1;
    if (partners->open[part] == 0)
        return false;
    *unit = any_of(partners, part, random);
    return true;
}
