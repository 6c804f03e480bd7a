/*
 * setup.c - what is searched: the lattice, without the levels that no node can
 * have, the rows that may be suppressed, and the tables that nodes are priced by.
 *
 * An attribute that has too many outliers on a level by itself has them beside others,
 * too; so the lowest node is raised from the counts of single values, before any
 * combination is counted.
 *
 * One counting a column; otherwise linear in the hierarchies.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/mingen/mingen.h"

tacit_status tacit__rows_on(int64_t **out, const tacit__mingen *g, int32_t attribute, int level,
                            const uint32_t *ground, tacit_error *err)
{
    const tacit_attribute *about = &g->frame->attributes[attribute];
    const uint32_t *map = tacit_hierarchy_map(about->hierarchy, level);
    uint32_t codes = tacit_table_distinct(g->frame->table, about->column) + 1;
    int64_t *rows = tacit__alloc_zeroed(g->ladders.values[attribute][level], sizeof *rows);
    if (!rows)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < codes; code++)
        if (ground[code])
            rows[map[code]] += ground[code];
    *out = rows;
    return TACIT_OK;
}

/* Rows with values that fewer than k rows have. */
static tacit_status count_outliers(int64_t *outliers, const tacit__mingen *g, int32_t attribute,
                                   const uint32_t *ground, tacit_error *err)
{
    int level = g->low[attribute];
    int64_t *rows = NULL;
    tacit_status status = tacit__rows_on(&rows, g, attribute, level, ground, err);
    if (status != TACIT_OK)
        return status;
    *outliers = 0;
    for (uint32_t i = 0; i < g->ladders.values[attribute][level]; i++)
        *outliers += rows[i] < g->options->k ? rows[i] : 0;
    tacit__free(rows);
    return TACIT_OK;
}

static tacit_status raise_floor(tacit__mingen *g, int32_t attribute, const uint32_t *ground,
                                tacit_error *err)
{
    for (; g->low[attribute] < g->high[attribute]; g->low[attribute]++) {
        int64_t outliers;
        tacit_status status = count_outliers(&outliers, g, attribute, ground, err);
        if (status != TACIT_OK || outliers <= g->limit)
            return status;
    }
    return TACIT_OK;
}

static bool is_in_a_set(const tacit_frame *frame, int32_t attribute)
{
    uint64_t in = 0;
    if (tacit__frame_is_single(frame))
        return true;
    for (int32_t s = 0; s < frame->set_count; s++)
        in |= frame->sets[s];
    return in >> attribute & 1;
}

static tacit_status make_floors(tacit__mingen *g, uint32_t *const *ground, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; status == TACIT_OK && a < g->frame->attribute_count; a++)
        if (is_in_a_set(g->frame, a))
            status = raise_floor(g, a, ground[a], err);
    return status;
}

static void lay_out(tacit__mingen *g)
{
    int above[TACIT_MAX_ATTRIBUTES];
    for (int32_t a = 0; a < g->frame->attribute_count; a++) {
        int least = g->frame->attributes[a].least_level, height = g->ladders.heights[a];
        g->high[a] = (uint8_t)height;
        g->low[a] = (uint8_t)(least < height && !g->options->most_general ? least : height);
        above[a] = height - (least < height ? least : height);
    }
    g->nodes = tacit_lattice_size(above, g->frame->attribute_count);
}

static tacit_status prepare(tacit__mingen *g, tacit_error *err)
{
    uint32_t *ground[TACIT_MAX_ATTRIBUTES] = {0};
    tacit__mingen_layout layout;
    tacit_status status = tacit__ladders_init(&g->ladders, g->frame, err);
    if (status == TACIT_OK)
        lay_out(g);
    for (int32_t a = 0; status == TACIT_OK && a < g->frame->attribute_count; a++)
        status = tacit__ground_counts(&ground[a], g->frame, a, g->run, err);
    if (status == TACIT_OK)
        status = make_floors(g, ground, err);
    if (status == TACIT_OK)
        status = tacit__prices_init(&g->prices, g, ground, err);
    if (status == TACIT_OK)
        status = tacit__beyond_init(&g->beyond, g, err);
    if (status == TACIT_OK)
        tacit__layout_init(&layout, &g->ladders, g->low, g->frame->person >= 0);
    g->wide = status == TACIT_OK && layout.words > 1;
    for (int32_t a = 0; a < g->frame->attribute_count; a++)
        tacit__free(ground[a]);
    return status;
}

/* Suppressed rows cover everybody, also those whom other classes cover. Seen through one
 * of several quasi-identifiers they may be one class with others, and then hold too large
 * a share of the register though both kept to it; and with a least share, people whose
 * class is left out are known to be absent. */
static bool forbids_suppression(const tacit_frame *frame, const tacit_records_options *options)
{
    bool several = frame->sets && frame->set_count > 1, forbids = false;
    for (int32_t i = 0; i < frame->model_count; i++) {
        const tacit_model_bound *bound = &frame->models[i].bound;
        bool least = options->drop_suppressed && bound->second > TACIT_MODEL_TOLERANCE;
        forbids |= bound->kind == TACIT_MODEL_PRESENCE && (several || least);
    }
    return forbids;
}

/* Suppressed rows are none or belong to k people, so below k there are none. */
static int64_t limit_of(const tacit_frame *frame, const tacit_records_options *options)
{
    if (options->most_suppressed < options->k || forbids_suppression(frame, options))
        return 0;
    return options->most_suppressed;
}

tacit_status tacit__mingen_new(tacit__mingen **out, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err)
{
    tacit__mingen *g = tacit__alloc_zeroed(1, sizeof *g);
    if (!g)
        return tacit__nomem(err);
    g->frame = frame;
    g->options = options;
    g->run = run;
    g->rows = tacit_table_rows(frame->table);
    g->limit = limit_of(frame, options);
    g->plain = frame->person < 0 && frame->model_count == 0 && tacit__frame_is_single(frame);
    tacit_status status = prepare(g, err);
    if (status == TACIT_OK)
        *out = g;
    else
        tacit__mingen_free(g);
    return status;
}

void tacit__mingen_free(tacit__mingen *g)
{
    if (!g)
        return;
    tacit__beyond_clear(&g->beyond);
    tacit__prices_clear(&g->prices);
    tacit__ladders_clear(&g->ladders);
    tacit__free(g);
}
