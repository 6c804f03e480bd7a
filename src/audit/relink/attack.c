/*
 * attack.c - an attack on released records, and how often it is right.
 *
 * Records are attacked in random order until all that may be are, or steps run out; what was
 * attacked by then is a random sample. The truth is looked at only to count.
 *
 * The interval for the share is Wilson's (1927) at 95 %. It takes the records for a sample, which
 * they are where not all were attacked, though without repetition, so that the interval is rather
 * too wide; where all were, it is about other releases of such data made in the same way.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

static inline int64_t tacit__relink_row(const tacit__relink_asker *asker, int64_t at)
{
    return asker->rows ? asker->rows[at] : at;
}

enum { TACIT__RELINK_ROUND = 1024 }; /* rows that are asked about at once */

/* Questions to the tree of people, asked in rounds.
 *
 * A question is what a released record says: who costs least, how many cost that, and is anybody
 * else close? Two searches answer it, the first for the cost, the second for the counts, so that
 * answers do not depend on the order in which points are seen. Costs that differ by less than what
 * rounding can do are one cost. Questions of a round are answered in parallel, each into a place
 * of its own; steps are added up by chunks, so that where work ends does not depend on threads. */

enum { CHUNK = 32, CHUNKS = TACIT__RELINK_ROUND / CHUNK };

static const double ROUNDING = 1e-9; /* relative */

typedef struct batch {
    tacit__relink_asker *asker;
    uint32_t questions[TACIT__RELINK_ROUND]; /* of the scene's records */
    int64_t count;
    int64_t steps[CHUNKS];
} batch;

static double limit_of(const tacit__relink_asker *asker, double least)
{
    return asker->compatible ? 0 : least * (1 + ROUNDING);
}

static int64_t answer(tacit__relink_answer *out, const tacit__relink_asker *asker, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_search search = {
        .tree = asker->tree, .costs = asker->costs, .query = query, .least = 0};
    tacit__relink_query(query, asker->view, row);
    if (!asker->compatible)
        tacit__relink_nearest(&search);
    search.limit = limit_of(asker, search.least);
    search.reach = fmax(search.limit, search.least * asker->reach);
    tacit__relink_count(&search);
    *out = (tacit__relink_answer){search.least, (uint32_t)search.people, (uint32_t)search.subjects,
                                  search.others, true};
    return search.steps;
}

static tacit_status answer_chunk(void *context, int64_t chunk, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    batch *r = context;
    tacit__relink_asker *asker = r->asker;
    int64_t end = (chunk + 1) * CHUNK < r->count ? (chunk + 1) * CHUNK : r->count;
    r->steps[chunk] = 0;
    for (int64_t i = chunk * CHUNK; i < end; i++) {
        uint32_t question = r->questions[i];
        r->steps[chunk] +=
            answer(&asker->answers[question], asker, asker->view->scene->records.first[question]);
    }
    return TACIT_OK;
}

static tacit_status asker_init(tacit__relink_asker *asker, tacit_error *err)
{
    asker->steps = 0;
    asker->answers =
        tacit__alloc_zeroed((size_t)asker->view->scene->records.count, sizeof *asker->answers);
    return asker->answers ? TACIT_OK : tacit__nomem(err);
}

static void asker_clear(tacit__relink_asker *asker)
{
    tacit__free(asker->answers);
}

/* Asks about at most a round of rows. */
static tacit_status ask(tacit__relink_asker *asker, int64_t from, int64_t to, tacit_error *err)
{
    const tacit__relink_scene *scene = asker->view->scene;
    batch r = {.asker = asker};
    for (int64_t at = from; at < to; at++) {
        uint32_t question = scene->records.class_of[tacit__relink_row(asker, at)];
        if (asker->answers[question].asked)
            continue;
        asker->answers[question].asked = true;
        r.questions[r.count++] = question;
    }
    int64_t chunks = (r.count + CHUNK - 1) / CHUNK;
    tacit_status status = tacit__parallel(scene->run, NULL, chunks, answer_chunk, &r, err);
    for (int64_t chunk = 0; chunk < chunks && status == TACIT_OK; chunk++)
        asker->steps += r.steps[chunk];
    if (status == TACIT_OK)
        status = tacit__progress(scene->run, "re-linking", to, asker->total, err);
    return status;
}

/* A row's answer, and whether its own person is among those it counts; false of made-up ones.
 * query is what the row says, for who wants to know more; it has room for a column each. */
static const tacit__relink_answer *answer_of(bool *own, tacit__relink_stretch *query,
                                             const tacit__relink_asker *asker, int64_t row)
{
    const tacit__relink_scene *scene = asker->view->scene;
    const tacit__relink_answer *a = &asker->answers[scene->records.class_of[row]];
    uint32_t origin = tacit__relink_origin(scene, row);
    tacit__relink_search search = {.tree = asker->tree, .costs = asker->costs, .query = query};
    tacit__relink_query(query, asker->view, row);
    *own =
        origin != TACIT_RELINK_MADE_UP &&
        tacit__relink_cost_of(&search, scene->people.class_of[origin]) <= limit_of(asker, a->least);
    return a;
}

static const double QUANTILE = 1.959963984540054; /* of the normal distribution, at 97.5 % */

static void find_interval(tacit_relink_attack *a)
{
    double n = (double)a->attacked, z = QUANTILE;
    if (a->attacked == 0) {
        a->low = 0;
        a->high = 1;
        return;
    }
    a->share = a->right / n;
    double middle = a->share + z * z / (2 * n);
    double half = z * sqrt(a->share * (1 - a->share) / n + z * z / (4 * n * n));
    a->low = fmax(0, (middle - half) / (1 + z * z / n));
    a->high = fmin(1, (middle + half) / (1 + z * z / n));
}

static bool declares(const tacit__relink_answer *answer, const tacit__relink_stretch *query,
                     const tacit__relink_rule *rule, int32_t columns)
{
    if (answer->people != 1)
        return false;
    if (!rule->weights)
        return !answer->others;
    double weight = -answer->least;
    for (int32_t i = 0; i < columns; i++)
        weight += query[i].kind == TACIT__READ_STRETCH ? rule->weights[i] : 0;
    return weight >= rule->threshold;
}

static void count_row(tacit_relink_attack *a, const tacit__relink_asker *asker,
                      const tacit__relink_rule *rule, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    bool own;
    const tacit__relink_answer *answer = answer_of(&own, query, asker, row);
    bool declared = declares(answer, query, rule, asker->view->scene->columns);
    a->attacked++;
    a->right += own ? 1 / (double)answer->people : 0;
    a->alone += answer->people == 1;
    a->declared += declared;
    a->declared_right += declared && own;
}

tacit_status tacit__relink_attack(tacit_relink_attack *out, tacit__relink_asker *asker,
                                  const tacit__relink_rule *rule, tacit_error *err)
{
    const tacit__relink_scene *scene = asker->view->scene;
    asker->rows = scene->order;
    asker->total = scene->attacked;
    tacit_relink_attack a = {.tried = true};
    tacit_status status = asker_init(asker, err);
    while (status == TACIT_OK && a.attacked < scene->attacked &&
           asker->steps < scene->options->max_steps) {
        int64_t from = a.attacked, to = from + TACIT__RELINK_ROUND;
        if (to > scene->attacked)
            to = scene->attacked;
        status = ask(asker, from, to, err);
        for (int64_t at = from; at < to && status == TACIT_OK; at++)
            count_row(&a, asker, rule, tacit__relink_row(asker, at));
    }
    asker_clear(asker);
    if (status != TACIT_OK)
        return status;
    find_interval(&a);
    *out = a;
    return TACIT_OK;
}

/* The counts behind the verdicts on protection models by the linking engine (link/link.c), for
 * releases that say too little for the tree of people: with many values suppressed or generalized
 * cell by cell, each search looks at much of the tree, while linking goes down two trees at once
 * and meets what is alike only once.
 *
 * The engine wants values as nodes of a tree of what holds what. Stretches of an axis make one
 * where any two are nested or apart, as labels of rules and hierarchies are; others cannot be told
 * this way. Node 0 is "*"; missing, and labels that nobody has, are nodes under it alone.
 *
 * Cost: a sort of each axis' values and labels, then link/link.c. */

/* A stretch of an axis, and where its node number is to go. */
typedef struct piece {
    double low, high;
    uint32_t *node;
} piece;

typedef struct nest {
    piece *pieces;
    size_t count;
    uint32_t *known, *said; /* by code of the original and of the release: the node */
    uint32_t *ends, *parents;
    uint32_t nodes;
} nest;

static int outer_first(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high > y->high ? -1 : x->high < y->high;
}

static void list_pieces(nest *n, const tacit__relink_axis *axis)
{
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (!isnan(axis->places[code]))
            n->pieces[n->count++] =
                (piece){axis->places[code], axis->places[code], &n->known[code]};
    for (uint32_t code = 0; code < axis->label_count; code++)
        if (axis->labels[code].kind == TACIT__READ_STRETCH)
            n->pieces[n->count++] =
                (piece){axis->labels[code].low, axis->labels[code].high, &n->said[code]};
    qsort(n->pieces, n->count, sizeof *n->pieces, outer_first);
}

static uint32_t add_node(nest *n, uint32_t parent)
{
    n->parents[n->nodes] = parent;
    n->ends[n->nodes] = n->nodes + 1;
    return n->nodes++;
}

/* Numbers the nodes from the top down; false where two stretches overlap. highs has the upper end
 * of each node. */
static bool number_nodes(nest *n, double *highs)
{
    uint32_t open = 0; /* the innermost node that may hold what comes next */
    highs[add_node(n, 0)] = INFINITY;
    for (size_t i = 0; i < n->count; i++) {
        const piece *at = &n->pieces[i];
        if (i > 0 && outer_first(at, at - 1) == 0) {
            *at->node = *(at - 1)->node;
            continue;
        }
        while (highs[open] < at->low)
            open = n->parents[open];
        if (highs[open] < at->high)
            return false;
        open = *at->node = add_node(n, open);
        highs[open] = at->high;
    }
    return true;
}

/* Values that have no place, and labels that say nothing. */
static void number_rest(nest *n, const tacit__relink_axis *axis)
{
    uint32_t missing = add_node(n, 0), foreign = add_node(n, 0);
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (isnan(axis->places[code]))
            n->known[code] = missing;
    for (uint32_t code = 0; code < axis->label_count; code++) {
        tacit__reading kind = axis->labels[code].kind;
        if (kind != TACIT__READ_STRETCH)
            n->said[code] = kind == TACIT__READ_ANY       ? 0
                            : kind == TACIT__READ_MISSING ? missing
                                                          : foreign;
    }
    for (uint32_t node = n->nodes - 1; node > 0; node--)
        if (n->ends[n->parents[node]] < n->ends[node])
            n->ends[n->parents[node]] = n->ends[node];
}

static tacit_status nest_init(nest *n, bool *nested, const tacit__relink_axis *axis,
                              tacit_error *err)
{
    size_t most = (size_t)axis->place_count + axis->label_count + 3;
    double *highs = tacit__alloc_array(most, sizeof *highs);
    n->pieces = tacit__alloc_array(most, sizeof *n->pieces);
    n->known = tacit__alloc_array(axis->place_count, sizeof *n->known);
    n->said = tacit__alloc_array(axis->label_count, sizeof *n->said);
    n->ends = tacit__alloc_array(most, sizeof *n->ends);
    n->parents = tacit__alloc_array(most, sizeof *n->parents);
    bool made = highs && n->pieces && n->known && n->said && n->ends && n->parents;
    if (made) {
        list_pieces(n, axis);
        *nested = number_nodes(n, highs);
        if (*nested)
            number_rest(n, axis);
    }
    tacit__free(highs);
    return made ? TACIT_OK : tacit__nomem(err);
}

static void nest_clear(nest *n)
{
    tacit__free(n->pieces);
    tacit__free(n->known);
    tacit__free(n->said);
    tacit__free(n->ends);
    tacit__free(n->parents);
}

static tacit_link_column column_of(const nest *n, const tacit__relink_scene *scene, int32_t i)
{
    const tacit__relink_axis *axis = &scene->axes[i];
    return (tacit_link_column){.nodes = n->nodes,
                               .ends = n->ends,
                               .parents = n->parents,
                               .released = tacit_table_codes(scene->c->release, axis->release),
                               .released_nodes = n->said,
                               .released_codes = axis->label_count,
                               .known = tacit_table_codes(scene->c->original, axis->original),
                               .known_nodes = n->known,
                               .known_codes = axis->place_count};
}

static void keep_counts(tacit_relink_maps *maps, const tacit_link *link)
{
    maps->records = link->records;
    maps->smallest = link->smallest;
    maps->to_nobody = link->records_by_people[0];
    maps->to_subject = link->truth.to_subject;
    maps->to_one = link->truth.to_one_subject;
    maps->to_wrong = link->truth.to_wrong_subject;
    maps->to_own = link->truth.to_own;
}

static tacit_status link_columns(tacit_relink_maps *maps, const nest *nests,
                                 const tacit__relink_scene *scene, tacit_error *err)
{
    tacit_link_column columns[TACIT_MAX_RELINK_COLUMNS];
    int64_t rows = tacit_table_rows(scene->c->release);
    tacit_link *link = NULL;
    uint32_t *truth = tacit__alloc_array((size_t)rows, sizeof *truth);
    if (!truth)
        return tacit__nomem(err);
    for (int32_t i = 0; i < scene->columns; i++)
        columns[i] = column_of(&nests[i], scene, i);
    for (int64_t row = 0; row < rows; row++)
        truth[row] = tacit__relink_origin(scene, row);
    tacit_link_case c = {.columns = columns,
                         .column_count = scene->columns,
                         .records = rows,
                         .rows = tacit_table_rows(scene->c->original),
                         .people = tacit_table_rows(scene->c->original),
                         .truth = truth,
                         .k = scene->options->k};
    tacit_status status = tacit_link_new(&link, &c, scene->run, err);
    if (status == TACIT_OK)
        keep_counts(maps, link);
    tacit_link_free(link);
    tacit__free(truth);
    return status;
}

tacit_status tacit__relink_map_nested(tacit_relink_maps *maps, bool *done,
                                      const tacit__relink_scene *scene, tacit_error *err)
{
    nest nests[TACIT_MAX_RELINK_COLUMNS];
    bool nested = true;
    tacit_status status = TACIT_OK;
    memset(nests, 0, sizeof nests);
    for (int32_t i = 0; i < scene->columns && nested && status == TACIT_OK; i++)
        status = nest_init(&nests[i], &nested, &scene->axes[i], err);
    if (status == TACIT_OK && nested)
        status = link_columns(maps, nests, scene, err);
    for (int32_t i = 0; i < scene->columns; i++)
        nest_clear(&nests[i]);
    if (status == TACIT_OK)
        *done = nested;
    return status;
}

/* Null-map, wrong-map and k-map of a release against its original (Sweeney, Computational
 * Disclosure Control, 4.3).
 *
 * The people are the original's rows, the subjects those behind released records. A record maps to
 * a person where every label is, or stands for, his value; a missing value is one of its own, and
 * a label that nobody has maps to nobody. How the definitions are read is said in audit_link.h:
 * the words are followed where formula and words differ. Since the truth is known, so is every
 * verdict, unless steps run out before all records are looked at: then those are counted otherwise
 *, or what was not refuted is unknown. It is unknown, too, whether null-map holds where
 * labels could not be read though there was a hierarchy, for they may stand for values. */

static void count_mapped(tacit_relink_maps *maps, const tacit__relink_asker *asker, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    bool own;
    const tacit__relink_answer *answer = answer_of(&own, query, asker, row);
    bool somebodys = tacit__relink_origin(asker->view->scene, row) != TACIT_RELINK_MADE_UP;
    if (maps->records++ == 0 || answer->people < maps->smallest)
        maps->smallest = answer->people;
    maps->to_nobody += answer->people == 0;
    maps->to_subject += answer->subjects > 0;
    maps->to_one += answer->subjects == 1;
    maps->to_wrong += answer->subjects == 1 && somebodys && !own;
    maps->to_own += own;
}

static bool is_unreadable(const tacit__relink_scene *scene, int64_t row)
{
    for (int32_t i = 0; i < scene->columns; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        tacit_codes_view codes = tacit_table_codes(scene->c->release, axis->release);
        if (axis->labels[tacit_codes_at(codes, row)].kind == TACIT__READ_FOREIGN)
            return true;
    }
    return false;
}

/* Some column has a hierarchy that could not be used, and labels that nobody has. */
static bool is_unsure(const tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++)
        for (uint32_t code = 0; scene->axes[i].unsure && code < scene->axes[i].label_count; code++)
            if (scene->axes[i].labels[code].kind == TACIT__READ_FOREIGN)
                return true;
    return false;
}

static tacit_link_verdict verdict(bool broken, bool known)
{
    if (broken)
        return TACIT_LINK_BROKEN;
    return known ? TACIT_LINK_HOLDS : TACIT_LINK_UNKNOWN;
}

/* Where it is not sure what labels stand for, more people may be mapped to than were found. */
static void judge(tacit_relink_maps *maps, const tacit__relink_scene *scene)
{
    int64_t rows = tacit_table_rows(scene->c->release);
    bool known = maps->records == rows, unsure = is_unsure(scene);
    bool below = maps->records > 0 && maps->smallest < scene->options->k;
    maps->null_map = verdict(maps->to_subject > 0, known && !unsure);
    bool others = maps->to_one < maps->records || maps->to_own > 0;
    maps->wrong_map = verdict(rows <= 2 || (others && !unsure), known && !unsure);
    maps->k_map = verdict(below && !unsure, known && !below);
}

/* By the tree of people, as far as steps go. */
static tacit_status search_all(tacit_relink_maps *maps, const tacit__relink_view *view,
                               const tacit__relink_tree *tree, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    int64_t rows = tacit_table_rows(scene->c->release);
    tacit__relink_asker asker = {
        .view = view, .tree = tree, .costs = costs, .reach = 1, .compatible = true, .total = rows};
    tacit__relink_compatible(costs, scene);
    tacit_status status = asker_init(&asker, err);
    while (status == TACIT_OK && maps->records < rows && asker.steps < scene->options->max_steps) {
        int64_t from = maps->records, to = from + TACIT__RELINK_ROUND;
        if (to > rows)
            to = rows;
        status = ask(&asker, from, to, err);
        for (int64_t row = from; row < to && status == TACIT_OK; row++)
            count_mapped(maps, &asker, row);
    }
    asker_clear(&asker);
    return status;
}

static bool is_undecided(const tacit_relink_maps *maps)
{
    return maps->null_map == TACIT_LINK_UNKNOWN || maps->wrong_map == TACIT_LINK_UNKNOWN ||
           maps->k_map == TACIT_LINK_UNKNOWN;
}

tacit_status tacit__relink_map(tacit_relink_maps *out, const tacit__relink_view *view,
                               const tacit__relink_tree *tree, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    int64_t rows = tacit_table_rows(scene->c->release);
    tacit_relink_maps maps = {.k = scene->options->k};
    bool done;
    tacit_status status = search_all(&maps, view, tree, err);
    judge(&maps, scene);
    if (status == TACIT_OK && maps.records < rows && is_undecided(&maps))
        status = tacit__relink_map_nested(&maps, &done, scene, err);
    if (status != TACIT_OK)
        return status;
    judge(&maps, scene);
    for (int64_t row = 0; row < rows; row++)
        maps.unreadable += is_unreadable(scene, row);
    *out = maps;
    return TACIT_OK;
}
