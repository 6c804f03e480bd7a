/*
 * evidence.c - patterns of agreement between records and people, counted.
 *
 * A pair of a record and a person agrees in a column, nearly does (numbers only), does not, or
 * nothing can be said, because one of the two values is missing, suppressed or unreadable. A
 * stretch agrees with all that lies in it. Nothing is blocked: some records, the first of those
 * that are attacked, are compared with all people. That is done twice: first levels are counted
 * column by column, with each time only some of them where people are many, then, with weights
 * guessed from those, each record keeps the patterns most likely to hold its person, for EM to look
 * at again and again.
 *
 * Cost: records times people, twice; the number of records is chosen so that this is most_pairs,
 * but 100 to 500. 16 bytes for each of at most 256 patterns a record.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"

static inline int tacit__relink_level(uint64_t levels, int32_t column)
{
    return (int)(levels >> (2 * column) & 3);
}

enum { TACIT__RELINK_KEPT = 256 }; /* patterns of a record */

/* How likely agreement is of a record and its person, and of any two (Fellegi and Sunter 1969),
 * from patterns of agreement alone (by EM, as Jaro 1989 does).
 *
 * Columns agree, nearly do or do not with probabilities m where record and person belong together
 * and u where they do not, independently of each other. What a level weighs is log2(m / u). Every
 * record has one person, so the posterior of a pair is 2 to its weight over the sum of that of all
 * pairs of the record. (Taking all pairs for one mixture of two parts, as is done where matches
 * may be missing, finds groups of correlated columns instead of matches when people are many.) The
 * expectation step spreads each record over its patterns, the maximization step takes shares of
 * what was spread as m, of what all pairs have besides as u, until nothing moves. It starts from u
 * as all pairs show it and an m that mostly agrees. A quarter of a pair is added to each count, so
 * that nothing is impossible because it was not seen.
 *
 * Weights are kept from rising as agreement falls, and a column of which agreement would speak
 * against a match says nothing: no adversary would believe it.
 *
 * Cost: patterns times columns, for each of at most 100 steps. */

enum { LEVELS = TACIT_RELINK_LEVELS, MAX_STEPS = 100 };

static const double ADDED = 0.25, LEAST = 1e-6, STILL = 1e-4;

typedef double shares[TACIT_MAX_RELINK_COLUMNS][LEVELS];

/* Counts as shares; names have no level in the middle. Returns the largest change. */
static double set_shares(shares to, const tacit__relink_evidence *e, shares counts)
{
    double change = 0;
    for (int32_t i = 0; i < e->columns; i++) {
        double sum = 0;
        for (int level = 0; level < LEVELS; level++) {
            counts[i][level] += level == 1 && !e->numeric[i] ? 0 : ADDED;
            sum += counts[i][level];
        }
        for (int level = 0; level < LEVELS; level++) {
            double share = fmax(counts[i][level] / sum, LEAST);
            change = fmax(change, fabs(share - to[i][level]));
            to[i][level] = share;
        }
    }
    return change;
}

static void weigh(tacit__relink_weights *w, const tacit__relink_evidence *e)
{
    for (int32_t i = 0; i < e->columns; i++) {
        double *weight = w->weight[i];
        for (int level = 0; level < LEVELS; level++)
            weight[level] = log2(w->m[i][level] / w->u[i][level]);
        if (!e->numeric[i])
            weight[1] = weight[2];
        for (int level = 0; level < LEVELS; level++)
            if (weight[0] <= 0)
                weight[level] = 0;
            else if (level > 0)
                weight[level] = fmin(weight[level], weight[level - 1]);
    }
}

static void relink_guess(tacit__relink_weights *out, const tacit__relink_evidence *e)
{
    static const double NUMBERS[LEVELS] = {0.8, 0.15, 0.05}, NAMES[LEVELS] = {0.9, LEAST, 0.1};
    shares counts;
    memset(out, 0, sizeof *out);
    memcpy(counts, e->pairs, sizeof counts);
    set_shares(out->u, e, counts);
    for (int32_t i = 0; i < e->columns; i++)
        memcpy(out->m[i], e->numeric[i] ? NUMBERS : NAMES, sizeof out->m[i]);
    weigh(out, e);
}

static double weight_of(const tacit__relink_weights *w, const tacit__relink_evidence *e,
                        uint64_t levels)
{
    double sum = 0;
    for (int32_t i = 0; i < e->columns; i++) {
        int level = tacit__relink_level(levels, i);
        sum += level < LEVELS ? w->weight[i][level] : 0;
    }
    return sum;
}

/* Spreads a record over its patterns. Weights are taken from the largest, so that powers of two
 * stay within range. */
static void spread(shares to, const tacit__relink_weights *w, const tacit__relink_evidence *e,
                   int64_t record)
{
    const tacit__relink_pattern *patterns = e->patterns + record * e->stride;
    double mass[TACIT__RELINK_KEPT], most = -INFINITY, sum = 0;
    for (int32_t i = 0; i < e->counts[record]; i++)
        most = fmax(most, mass[i] = weight_of(w, e, patterns[i].levels));
    for (int32_t i = 0; i < e->counts[record]; i++)
        sum += mass[i] = exp2(mass[i] - most) * (double)patterns[i].people;
    for (int32_t i = 0; i < e->counts[record]; i++)
        for (int32_t column = 0; column < e->columns; column++) {
            int level = tacit__relink_level(patterns[i].levels, column);
            if (level < LEVELS)
                to[column][level] += mass[i] / sum;
        }
}

static double step(tacit__relink_weights *w, const tacit__relink_evidence *e)
{
    shares matches = {{0}}, others;
    for (int64_t record = 0; record < e->records; record++)
        spread(matches, w, e, record);
    for (int32_t i = 0; i < e->columns; i++)
        for (int level = 0; level < LEVELS; level++)
            others[i][level] = fmax(e->pairs[i][level] - matches[i][level], 0);
    double change = fmax(set_shares(w->m, e, matches), set_shares(w->u, e, others));
    weigh(w, e);
    return change;
}

void tacit__relink_em(tacit__relink_weights *out, const tacit__relink_evidence *evidence)
{
    relink_guess(out, evidence);
    for (int i = 0; i < MAX_STEPS; i++)
        if (step(out, evidence) < STILL)
            break;
}

enum { FEWEST_RECORDS = 100, MAX_RECORDS = 500, FIRST_ROOM = 256, ENOUGH = 50000 };

/* Patterns by their hash; no people: free. */
typedef struct pattern_set {
    tacit__relink_pattern *slots;
    size_t room, count; /* room is a power of two */
} pattern_set;

/* A pattern, and how much of the record's person it is thought to hold. */
typedef struct candidate {
    tacit__relink_pattern pattern;
    double mass;
} candidate;

typedef struct worker {
    pattern_set set;
    candidate *candidates;
    size_t room;
    int64_t pairs[TACIT_MAX_RELINK_COLUMNS][TACIT_RELINK_LEVELS];
} worker;

typedef struct comparison {
    const tacit__relink_view *view;
    const tacit__relink_tree *tree;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_weights weights;
    int64_t every; /* point is enough to count levels */
    tacit__relink_evidence *evidence;
    worker *workers;
} comparison;

void tacit__relink_steps(tacit__relink_cost *costs, const tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        double deviation = axis->numeric ? axis->deviation : 0;
        costs[i] = (tacit__relink_cost){.near = scene->options->near * deviation,
                                        .far = scene->options->far * deviation};
    }
}

static inline uint64_t level_of(const tacit__relink_cost *cost, const tacit__relink_stretch *said,
                                double place)
{
    if (said->kind != TACIT__READ_STRETCH || isnan(place))
        return TACIT_RELINK_LEVELS;
    double gap = place < said->low ? said->low - place : place - said->high;
    return gap <= cost->near ? 0 : gap <= cost->far ? 1 : 2;
}

static inline uint64_t levels_of(const comparison *c, const tacit__relink_stretch *query,
                                 int64_t point)
{
    const double *places = c->tree->points + point * c->tree->columns;
    uint64_t levels = 0;
    for (int32_t i = 0; i < c->tree->columns; i++)
        levels |= level_of(&c->costs[i], &query[i], places[i]) << (2 * i);
    return levels;
}

/* ---- first: levels, column by column ---- */

static tacit_status count_levels(void *context, int64_t at, int index, tacit_error *err)
{
    (void)err;
    comparison *c = context;
    worker *w = &c->workers[index];
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_query(query, c->view, c->view->scene->order[at]);
    for (int64_t point = at % c->every; point < c->tree->count; point += c->every) {
        uint64_t levels = levels_of(c, query, point);
        for (int32_t i = 0; i < c->tree->columns; i++)
            if (tacit__relink_level(levels, i) < TACIT_RELINK_LEVELS)
                w->pairs[i][tacit__relink_level(levels, i)] += c->tree->people[point];
    }
    return TACIT_OK;
}

static void add_up(comparison *c, int workers)
{
    for (int index = 0; index < workers; index++)
        for (int32_t i = 0; i < c->tree->columns; i++)
            for (int level = 0; level < TACIT_RELINK_LEVELS; level++)
                c->evidence->pairs[i][level] +=
                    (double)(c->every * c->workers[index].pairs[i][level]);
}

/* ---- then: patterns, record by record ---- */

static tacit__relink_pattern *slot_of(const pattern_set *set, uint64_t levels)
{
    size_t at = tacit__mix(levels) & (set->room - 1);
    while (set->slots[at].people > 0 && set->slots[at].levels != levels)
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
        if (set->slots[i].people > 0)
            *slot_of(&wider, set->slots[i].levels) = set->slots[i];
    tacit__free(set->slots);
    *set = wider;
    return true;
}

static bool add(pattern_set *set, uint64_t levels, int64_t people)
{
    if (2 * set->count >= set->room && !grow(set))
        return false;
    tacit__relink_pattern *slot = slot_of(set, levels);
    set->count += slot->people == 0;
    slot->levels = levels;
    slot->people += people;
    return true;
}

static bool gather(pattern_set *set, const comparison *c, const tacit__relink_stretch *query)
{
    for (size_t i = 0; i < set->room; i++)
        set->slots[i].people = 0;
    set->count = 0;
    for (int64_t point = 0; point < c->tree->count; point++)
        if (!add(set, levels_of(c, query, point), c->tree->people[point]))
            return false;
    return true;
}

static double mass_of(const comparison *c, const tacit__relink_pattern *pattern)
{
    double weight = 0;
    for (int32_t i = 0; i < c->tree->columns; i++) {
        int level = tacit__relink_level(pattern->levels, i);
        weight += level < TACIT_RELINK_LEVELS ? c->weights.weight[i][level] : 0;
    }
    return exp2(weight) * (double)pattern->people;
}

static int by_mass(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->mass != y->mass)
        return x->mass > y->mass ? -1 : 1;
    return x->pattern.levels < y->pattern.levels ? -1 : x->pattern.levels > y->pattern.levels;
}

static bool list_candidates(worker *w, const comparison *c)
{
    size_t count = 0;
    if (!TACIT__RESERVE(w->candidates, w->room, w->set.count))
        return false;
    for (size_t i = 0; i < w->set.room; i++)
        if (w->set.slots[i].people > 0)
            w->candidates[count++] = (candidate){w->set.slots[i], mass_of(c, &w->set.slots[i])};
    qsort(w->candidates, count, sizeof *w->candidates, by_mass);
    return true;
}

static tacit_status keep_patterns(void *context, int64_t at, int index, tacit_error *err)
{
    comparison *c = context;
    tacit__relink_evidence *e = c->evidence;
    worker *w = &c->workers[index];
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_query(query, c->view, c->view->scene->order[at]);
    if (!gather(&w->set, c, query) || !list_candidates(w, c))
        return tacit__nomem(err);
    int64_t kept = (int64_t)w->set.count < e->stride ? (int64_t)w->set.count : e->stride;
    for (int64_t i = 0; i < kept; i++)
        e->patterns[at * e->stride + i] = w->candidates[i].pattern;
    e->counts[at] = (int32_t)kept;
    return TACIT_OK;
}

/* ---- all of it ---- */

static int64_t records_compared(const tacit__relink_scene *scene)
{
    int64_t most = scene->options->max_pairs / (scene->people.count ? scene->people.count : 1);
    most = most < FEWEST_RECORDS ? FEWEST_RECORDS : most > MAX_RECORDS ? MAX_RECORDS : most;
    return most < scene->attacked ? most : scene->attacked;
}

static tacit_status compare(comparison *c, int workers, tacit_error *err)
{
    const tacit__relink_scene *scene = c->view->scene;
    tacit__relink_evidence *e = c->evidence;
    e->patterns = tacit__alloc_array((size_t)(e->records * e->stride), sizeof *e->patterns);
    e->counts = tacit__alloc_zeroed((size_t)e->records, sizeof *e->counts);
    c->workers = tacit__alloc_zeroed((size_t)workers, sizeof *c->workers);
    if (!e->patterns || !e->counts || !c->workers)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(scene->run, "re-linking", e->records, count_levels, c, err);
    if (status != TACIT_OK)
        return status;
    add_up(c, workers);
    relink_guess(&c->weights, e);
    return tacit__parallel(scene->run, "re-linking", e->records, keep_patterns, c, err);
}

tacit_status tacit__relink_evidence_init(tacit__relink_evidence *evidence,
                                         const tacit__relink_view *view,
                                         const tacit__relink_tree *tree, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    int workers = tacit__threads(scene->run);
    comparison c = {
        .view = view, .tree = tree, .every = 1 + tree->count / ENOUGH, .evidence = evidence};
    *evidence = (tacit__relink_evidence){
        .columns = scene->columns,
        .records = records_compared(scene),
        .stride = tree->count < TACIT__RELINK_KEPT ? tree->count : TACIT__RELINK_KEPT};
    for (int32_t i = 0; i < scene->columns; i++)
        evidence->numeric[i] = scene->axes[i].numeric;
    tacit__relink_steps(c.costs, scene);
    tacit_status status = compare(&c, workers, err);
    for (int index = 0; c.workers && index < workers; index++) {
        tacit__free(c.workers[index].set.slots);
        tacit__free(c.workers[index].candidates);
    }
    tacit__free(c.workers);
    return status;
}

void tacit__relink_evidence_clear(tacit__relink_evidence *evidence)
{
    tacit__free(evidence->patterns);
    tacit__free(evidence->counts);
}
