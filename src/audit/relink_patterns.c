/*
 * relink_patterns.c - patterns of agreement between records and people, counted.
 *
 * A pair of a record and a person agrees in a column, nearly does (numbers only), does not, or
 * nothing can be said, because one of the two values is missing, suppressed or unreadable. A
 * stretch agrees with all that lies in it. No pairs are blocked: some records, the first of those
 * that are attacked, are compared with all people, so that one pair in as many as there are people
 * is a match, and which share of all that is need not be estimated.
 *
 * Cost: records times people; the number of records is chosen so that this is most_pairs, but at
 * least 100 records. 16 bytes a pattern for each thread; there are far fewer than pairs.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/relink.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

enum { FEWEST_RECORDS = 100, FIRST_ROOM = 256 };

/* Patterns by their hash; no pairs: free. */
typedef struct pattern_set {
    tacit__relink_pattern *slots;
    size_t room, count; /* room is a power of two */
} pattern_set;

typedef struct counting {
    const tacit__relink_view *view;
    const tacit__relink_tree *tree;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    pattern_set *sets; /* one a worker */
} counting;

void tacit__relink_steps(tacit__relink_cost *costs, const tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        double deviation = axis->numeric ? axis->deviation : 0;
        costs[i] = (tacit__relink_cost){.near = scene->options->near * deviation,
                                        .far = scene->options->far * deviation};
    }
}

static uint64_t level_of(const tacit__relink_cost *cost, const tacit__stretch *said, double place)
{
    if (said->kind != TACIT__READ_STRETCH || isnan(place))
        return TACIT_RELINK_LEVELS;
    double gap = fmax(fmax(said->low - place, place - said->high), 0);
    return gap <= cost->near ? 0 : gap <= cost->far ? 1 : 2;
}

static tacit__relink_pattern *slot_of(const pattern_set *set, uint64_t levels)
{
    size_t at = tacit__mix(levels) & (set->room - 1);
    while (set->slots[at].pairs > 0 && set->slots[at].levels != levels)
        at = (at + 1) & (set->room - 1);
    return &set->slots[at];
}

static bool grow(pattern_set *set)
{
    pattern_set wider = {.room = set->room ? 2 * set->room : FIRST_ROOM, .count = set->count};
    wider.slots = tacit__alloc_zeroed(wider.room, sizeof *wider.slots);
    if (!wider.slots)
        return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->slots[i].pairs > 0)
            *slot_of(&wider, set->slots[i].levels) = set->slots[i];
    tacit__free(set->slots);
    *set = wider;
    return true;
}

static bool add(pattern_set *set, uint64_t levels, int64_t pairs)
{
    if (2 * set->count >= set->room && !grow(set))
        return false;
    tacit__relink_pattern *slot = slot_of(set, levels);
    set->count += slot->pairs == 0;
    slot->levels = levels;
    slot->pairs += pairs;
    return true;
}

/* One record with everybody. */
static tacit_status count_record(void *context, int64_t at, int worker, tacit_error *err)
{
    counting *c = context;
    const tacit__relink_tree *tree = c->tree;
    tacit__stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_query(query, c->view, c->view->scene->order[at]);
    for (int64_t point = 0; point < tree->count; point++) {
        const double *places = tree->points + point * tree->columns;
        uint64_t levels = 0;
        for (int32_t i = 0; i < tree->columns; i++)
            levels |= level_of(&c->costs[i], &query[i], places[i]) << (2 * i);
        if (!add(&c->sets[worker], levels, tree->people[point]))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static int by_levels(const void *a, const void *b)
{
    uint64_t x = ((const tacit__relink_pattern *)a)->levels,
             y = ((const tacit__relink_pattern *)b)->levels;
    return x < y ? -1 : x > y;
}

/* All workers' patterns, in an order that does not depend on who counted what. */
static tacit_status merge(tacit__relink_pattern **out, int64_t *count, pattern_set *sets,
                          int workers, tacit_error *err)
{
    bool made = true;
    for (int worker = 1; worker < workers && made; worker++)
        for (size_t i = 0; i < sets[worker].room && made; i++)
            if (sets[worker].slots[i].pairs > 0)
                made = add(&sets[0], sets[worker].slots[i].levels, sets[worker].slots[i].pairs);
    tacit__relink_pattern *patterns =
        made ? tacit__alloc_array(sets[0].count, sizeof *patterns) : NULL;
    if (!patterns)
        return tacit__nomem(err);
    size_t kept = 0;
    for (size_t i = 0; i < sets[0].room; i++)
        if (sets[0].slots[i].pairs > 0)
            patterns[kept++] = sets[0].slots[i];
    qsort(patterns, kept, sizeof *patterns, by_levels);
    *out = patterns;
    *count = (int64_t)kept;
    return TACIT_OK;
}

static int64_t records_compared(const tacit__relink_scene *scene)
{
    int64_t most = scene->options->most_pairs / (scene->people.count ? scene->people.count : 1);
    if (most < FEWEST_RECORDS)
        most = FEWEST_RECORDS;
    return most < scene->attacked ? most : scene->attacked;
}

tacit_status tacit__relink_patterns(tacit__relink_pattern **out, int64_t *count,
                                    const tacit__relink_view *view, const tacit__relink_tree *tree,
                                    tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    int workers = tacit__threads(scene->run);
    counting c = {.view = view, .tree = tree};
    tacit__relink_steps(c.costs, scene);
    c.sets = tacit__alloc_zeroed((size_t)workers, sizeof *c.sets);
    tacit_status status = c.sets ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(scene->run, "re-linking", records_compared(scene), count_record,
                                 &c, err);
    if (status == TACIT_OK)
        status = merge(out, count, c.sets, workers, err);
    for (int worker = 0; c.sets && worker < workers; worker++)
        tacit__free(c.sets[worker].slots);
    tacit__free(c.sets);
    return status;
}
