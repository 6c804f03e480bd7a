/*
 * peer_tables.h - random tables of two to four dimensions, with decimals, hierarchies, bounds and
 * levels of every kind, on which methods are compared with programs of another hand (peer.h).
 * Include tables.h and suppress.h first.
 */
#ifndef TACIT_TESTS_SUPPORT_PEER_TABLES_H
#define TACIT_TESTS_SUPPORT_PEER_TABLES_H

#include "peer.h"

/* How such a table looks. */
typedef struct peer_shape {
    int dimensions; /* at most 4 */
    int decimals;   /* at most 2 */
    int largest;    /* of ground values */
    int primaries;  /* percent of all cells */
    int zeros;      /* percent of ground cells */
    int most;       /* cells */
} peer_shape;

static inline int peer_between_ints(int least, int most)
{
    return least + random_below(most - least + 1);
}

static inline double peer_unit(const peer_shape *shape)
{
    return shape->decimals == 0 ? 1 : shape->decimals == 1 ? 0.1 : 0.01;
}

/* A number of units, as near as doubles have it. */
static inline double peer_units(const peer_shape *shape, double units)
{
    double scale = shape->decimals == 0 ? 1 : shape->decimals == 1 ? 10 : 100;
    return units / scale;
}

/* Codes of each kind of dimension in suppress.h, totals included. */
static inline int peer_codes(int kind)
{
    return (const int[]){3, 4, 7, 8}[kind];
}

static inline void peer_kinds(int *kinds, const peer_shape *shape)
{
    int cells = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        int others = 1;
        for (int left = d + 1; left < shape->dimensions; left++)
            others *= peer_codes(0);
        do
            kinds[d] = random_below(4);
        while (kinds[d] > 0 && cells * peer_codes(kinds[d]) * others > shape->most);
        cells *= peer_codes(kinds[d]);
    }
}

static inline void peer_leaves(char *text, size_t size, const int *kinds, const peer_shape *shape)
{
    char *at = text;
    int total = 1, scale = (int)(1 / peer_unit(shape) + 0.5);
    for (int d = 0; d < shape->dimensions; d++) {
        at += sprintf(at, "d%d,", d);
        total *= 2 + kinds[d];
    }
    at += sprintf(at, "v\n");
    for (int k = 0; k < total; k++) {
        for (int d = 0, rest = k; d < shape->dimensions; rest /= 2 + kinds[d++])
            at += sprintf(at, "%c,", AXIS_LEAVES[kinds[d]][2 * (rest % (2 + kinds[d]))]);
        int value = random_below(100) < shape->zeros ? 0 : 1 + random_below(shape->largest * scale);
        at += sprintf(at, "%.*f\n", shape->decimals, peer_units(shape, value));
    }
    assert_true((size_t)(at - text) < size);
}

/* Values alone; bounds are the default ones, costs the values. */
static inline tacit_cells *peer_values(const peer_shape *shape)
{
    static char text[1 << 16], names[512];
    int kinds[4], at = 0;
    tables_end(NULL);
    peer_kinds(kinds, shape);
    for (int d = 0; d < shape->dimensions; d++) {
        char name[8] = {(char)('0' + d), '\0'};
        at += sprintf(names + at, "d%d=%s ", d, file_of(name, AXIS_TREES[kinds[d]]));
    }
    peer_leaves(text, sizeof text, kinds, shape);
    table_spec *spec = spec_of(names);
    spec->spec.value = "v";
    return cells_of(text, &spec->spec, tacit_cells_from_table);
}

/* Levels: on both sides, on one, sliding, none, or finer than the unit. */
static inline void peer_levels(tacit_cells *cells, int32_t i, const peer_shape *shape)
{
    double value = cells->value[i], unit = peer_unit(shape);
    double units = ceil(value / unit * (const double[]){0.05, 0.1, 0.2, 0.4}[random_below(4)]);
    double level = peer_units(shape, fmax(1, units));
    switch (random_below(6)) {
    case 0: cells->upl[i] = level; break;
    case 1: cells->lpl[i] = fmin(level, value); break;
    case 2: cells->spl[i] = 2 * level; break;
    case 3: cells->upl[i] = cells->lpl[i] = fmin(level, value) - unit / 2; break;
    default: cells->upl[i] = cells->lpl[i] = fmin(level, value);
    }
}

/* Everybody knows each value from so far below to so far above. */
static inline void peer_bounds(tacit_cells *cells, const peer_shape *shape, double share)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double value = cells->value[i];
        double reach = peer_units(shape, random_below(4) + ceil(share * value / peer_unit(shape)));
        cells->lower[i] = fmax(0, value - reach);
        cells->upper[i] = value + reach;
    }
}

/* Bounds hold what levels ask for. */
static inline void peer_widen(tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++) {
        cells->lower[i] = fmin(cells->lower[i], cells->value[i] - cells->lpl[i]);
        cells->upper[i] = fmax(cells->upper[i], cells->value[i] + cells->upl[i]);
        cells->upper[i] = fmax(cells->upper[i], cells->lower[i] + cells->spl[i]);
    }
}

static inline void peer_costs(tacit_cells *cells)
{
    int kind = random_below(4);
    for (int32_t i = 0; i < cells->count && kind > 1; i++)
        cells->cost[i] = kind == 2 ? 1 : random_below(12);
}

/* Confidential cells, those that must stay, levels, bounds and costs by chance. */
static inline tacit_cells *peer_cells(const peer_shape *shape)
{
    tacit_cells *cells = peer_values(shape);
    int bounds = random_below(3);
    if (bounds > 0)
        peer_bounds(cells, shape, bounds == 1 ? 0.5 : 2);
    for (int32_t i = 0; i < cells->count; i++) {
        if (cells->value[i] > 0 && random_below(100) < shape->primaries) {
            cells->status[i] = 'u';
            peer_levels(cells, i, shape);
        } else if (random_below(25) == 0) {
            cells->status[i] = 'z';
        }
    }
    peer_widen(cells);
    peer_costs(cells);
    return cells;
}

/* As a program has it: every relation over columns of the cells' changes. */
static inline void peer_relations(peer *p, const tacit_cells *cells, const int *plus,
                                  const int *minus)
{
    const tacit_relations *all = &cells->relations;
    for (int32_t r = 0; r < all->count; r++) {
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            int32_t cell = all->items[j];
            if (plus[cell] >= 0)
                peer_term(p, plus[cell], all->coefs[j]);
            if (minus && minus[cell] >= 0)
                peer_term(p, minus[cell], -all->coefs[j]);
        }
        peer_row(p, 0, 0);
    }
}

/* Costs agree to a millionth. */
static inline bool peer_same(double left, double right)
{
    return fabs(left - right) <= 2e-6 * fmax(1, fabs(right));
}

#endif
