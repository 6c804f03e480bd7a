/*
 * knowing.c - what an adversary gains who knows the method: the release put into the form that
 * the counting needs, and what it finds into that of the report.
 *
 * Releases of boxes are counted class by class (knowing_rows.c). Blanks of
 * ambiguation are the judge's (ambiguity/minimality.c), who is asked again with a promise of
 * nothing else; each blank has its own values left, whatever the others are, so what is known of
 * all of them is the sum.
 */
#include "audit/method/knowing.h"

#include <math.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"

/* Values of a release as nodes. */
typedef struct known_column {
    tacit__known_tree tree;
    uint32_t *node_of; /* code of the release, missing last -> node */
} known_column;

/* The values of a column as a tree in plain arrays, from what is at hand.
 *
 * With the original: the promise's hierarchy on its values (rows/ladder.c), level by level from
 * the level that values were on before the method began; so a value's children are those that the
 * method could have released instead. Without it: the values of the release in their lineage;
 * since the original may have had others, each that has any under it gets one more, unseen.
 *
 * Cost: linear in the values of all levels; the way down recurses once a level. */

static void column_clear(known_column *column)
{
    tacit__known_tree_clear(&column->tree);
    tacit__free(column->node_of);
    *column = (known_column){0};
}

/* Codes of the release, missing as the last of them, each nowhere. */
static tacit_status room_for_codes(known_column *column, tacit__rows_place released,
                                   tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(released.table, released.column) + 1;
    column->node_of = tacit__alloc_array(codes, sizeof *column->node_of);
    if (!column->node_of)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < codes; i++)
        column->node_of[i] = TACIT__NOWHERE;
    return TACIT_OK;
}

/* What no node is for is a ground value by itself, outside of the tree. */
static void place_strangers(known_column *column, tacit__rows_place released)
{
    uint32_t codes = tacit_table_distinct(released.table, released.column) + 1;
    uint32_t stranger = column->tree.count - 1;
    column->tree.ends[stranger] = stranger + 1;
    for (uint32_t i = 0; i < codes; i++)
        if (column->node_of[i] == TACIT__NOWHERE)
            column->node_of[i] = stranger;
}

/* ---- with the original ---- */

/* Growing a tree along a ladder. */
typedef struct growth {
    known_column *column;
    const tacit__ladder *ladder;
    tacit_known_cost cost;
    int floor;
    bool missing;                          /* the original has rows without a value */
    uint32_t *first[TACIT_MAX_LEVELS + 1]; /* number on a level -> first of those below it ... */
    uint32_t *next[TACIT_MAX_LEVELS + 1];  /* number on a level -> next one under the same */
    uint32_t nodes;
} growth;

/* Numbers that a level has, one for missing where that stays missing on it. */
static uint32_t numbers_on(const growth *g, int level)
{
    return tacit_hierarchy_count(g->ladder->hierarchy, level) + g->missing;
}

/* Links what lies under each value of a level, ascending. */
static tacit_status link_below(growth *g, int level, tacit_error *err)
{
    uint32_t count = numbers_on(g, level), below = numbers_on(g, level - 1);
    g->first[level] = tacit__alloc_array(count, sizeof **g->first);
    g->next[level - 1] = tacit__alloc_array(below, sizeof **g->next);
    if (!g->first[level] || !g->next[level - 1])
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++)
        g->first[level][i] = TACIT__NOWHERE;
    for (uint32_t i = below; i-- > 0;) {
        uint32_t parent = g->ladder->parents[level - 1][i];
        g->next[level - 1][i] = TACIT__NOWHERE;
        if (parent >= count)
            continue;
        g->next[level - 1][i] = g->first[level][parent];
        g->first[level][parent] = i;
    }
    return TACIT_OK;
}

static double cost_of(const growth *g, int level, uint32_t number)
{
    const tacit_hierarchy *h = g->ladder->hierarchy;
    double all = tacit_hierarchy_leaves(h);
    if (g->cost == TACIT_KNOWN_COST_LEVEL)
        return (double)level / g->ladder->height;
    if (g->cost == TACIT_KNOWN_COST_NONE)
        return NAN;
    if (level == 0 || number >= tacit_hierarchy_count(h, level) || all <= 1)
        return 0;
    return (tacit_hierarchy_leaves_under(h, level, number) - 1) / (all - 1);
}

/* Puts a value and all under it into the tree. The lowest of a name has its code. */
static void plant(growth *g, int level, uint32_t number)
{
    tacit__known_tree *tree = &g->column->tree;
    uint32_t node = g->nodes++, code = g->ladder->codes[level][number];
    tree->costs[node] = cost_of(g, level, number);
    if (code != TACIT__NOWHERE)
        g->column->node_of[code] = node;
    if (level > g->floor)
        for (uint32_t below = g->first[level][number]; below != TACIT__NOWHERE;
             below = g->next[level - 1][below])
            plant(g, level - 1, below);
    tree->ends[node] = g->nodes;
}

static tacit_status grow(growth *g, tacit__rows_place released, tacit_error *err)
{
    uint32_t nodes = 2; /* the top, and a stranger */
    tacit_status status = TACIT_OK;
    int height = g->ladder->height;
    g->floor = g->floor > height ? height : g->floor;
    for (int level = height; level > g->floor && status == TACIT_OK; level--) {
        status = link_below(g, level, err);
        nodes += numbers_on(g, level - 1);
    }
    if (status == TACIT_OK)
        status = tacit__known_tree_init(&g->column->tree, nodes, err);
    if (status == TACIT_OK) {
        plant(g, height, 0);
        g->column->tree.count = g->nodes + 1;
        place_strangers(g->column, released);
    }
    for (int level = 0; level <= TACIT_MAX_LEVELS; level++) {
        tacit__free(g->first[level]);
        tacit__free(g->next[level]);
    }
    return status;
}

static tacit_status grow_from_original(known_column *column, const tacit_hierarchy_spec *spec,
                                       tacit__rows_place ground, tacit__rows_place released,
                                       int floor, tacit_known_cost cost, tacit_error *err)
{
    tacit__ladder ladder = {0};
    growth g = {.column = column,
                .ladder = &ladder,
                .floor = floor,
                .cost = cost,
                .missing = tacit_table_has_missing(ground.table, ground.column)};
    tacit_status status = tacit__ladder_init(&ladder, spec, ground, released, err);
    if (status == TACIT_OK)
        status = grow(&g, released, err);
    tacit__ladder_clear(&ladder);
    return status;
}

/* ---- without it ---- */

/* Where each node of a lineage comes to stand, and the end of all: an unseen value follows each
 * that has any under it. Returns how many there are. */
static uint32_t spread_nodes(uint32_t *place, const uint32_t *ends, uint32_t count)
{
    uint32_t unseen = 0;
    for (uint32_t node = 0; node < count; node++) {
        place[node] = node + unseen;
        unseen += ends[node] > node + 1;
    }
    place[count] = count + unseen;
    return place[count];
}

static void copy_nodes(tacit__known_tree *tree, const uint32_t *place, const uint32_t *ends,
                       uint32_t count)
{
    for (uint32_t node = 0; node < count; node++) {
        tree->ends[place[node]] = place[ends[node]];
        if (ends[node] > node + 1)
            tree->ends[place[node] + 1] = place[node] + 2;
    }
}

static tacit_status copy_lineage(known_column *column, const tacit_lineage *lineage,
                                 tacit__rows_place released, tacit_error *err)
{
    uint32_t count = tacit_lineage_count(lineage);
    uint32_t codes = tacit_table_distinct(released.table, released.column) +
                     tacit_table_has_missing(released.table, released.column);
    const uint32_t *of = tacit_lineage_nodes(lineage, 0), *ends = tacit_lineage_ends(lineage);
    uint32_t *place = tacit__alloc_array((size_t)count + 1, sizeof *place);
    if (!place)
        return tacit__nomem(err);
    uint32_t nodes = spread_nodes(place, ends, count);
    tacit_status status = tacit__known_tree_init(&column->tree, nodes + 1, err);
    if (status == TACIT_OK) {
        copy_nodes(&column->tree, place, ends, count);
        for (uint32_t i = 0; i < codes; i++)
            column->node_of[i] = place[of[i]];
        place_strangers(column, released);
    }
    tacit__free(place);
    return status;
}

/* Values that the hierarchy does not know are the judge's business: then nothing is known. */
static tacit_status grow_from_release(known_column *column, const tacit_hierarchy_spec *spec,
                                      tacit__rows_place released, tacit_error *err)
{
    tacit_lineage *lineage = NULL;
    tacit_error reason = {0};
    tacit_lineage_source source = {.table = released.table, .column = released.column};
    tacit_status status = tacit_lineage_new(&lineage, spec, &source, 1, &reason);
    if (status == TACIT_OK) {
        status = copy_lineage(column, lineage, released, err);
    } else if (status == TACIT_PARSE) {
        status = tacit__known_tree_init(&column->tree, 1, err);
        if (status == TACIT_OK)
            place_strangers(column, released);
    } else if (err) {
        *err = reason;
    }
    tacit_lineage_free(lineage);
    return status;
}

/* From the hierarchy on the original's values, from a level up, where `ground` has a table; what a
 * release has beside these is a ground value that nobody else has. Otherwise from the released
 * values alone: whatever has finer ones among them has one more, which nobody has seen. */
static tacit_status column_init(known_column *column, const tacit_hierarchy_spec *spec,
                                tacit__rows_place ground, tacit__rows_place released, int floor,
                                tacit_known_cost cost, tacit_error *err)
{
    known_column made = {0};
    tacit_status status = room_for_codes(&made, released, err);
    if (status == TACIT_OK)
        status = ground.table ? grow_from_original(&made, spec, ground, released, floor, cost, err)
                              : grow_from_release(&made, spec, released, err);
    if (status != TACIT_OK) {
        column_clear(&made);
        return status;
    }
    tacit__known_tree_close(&made.tree);
    *column = made;
    return TACIT_OK;
}

enum { MAX_BEST = 8192 /* classes of a release that can have been proven the best */ };

typedef struct inquiry {
    const tacit_promise *promise;
    const tacit_evidence *evidence;
    const tacit_known_method *method;
    const tacit_run *run;
    tacit_known *known;
    int32_t release[TACIT__MAX_PROMISED]; /* columns of the release */
    int32_t ground[TACIT__MAX_PROMISED];  /* and of the original, or -1 */
    known_column columns[TACIT__MAX_PROMISED];
    tacit__known_tree trees[TACIT__MAX_PROMISED]; /* borrowed from these */
    tacit__partition classes;
    uint32_t *nodes;
    uint8_t *found;
} inquiry;

/* ---- boxes ---- */

static int32_t coded_column(const tacit_table *table, const char *name)
{
    int32_t column = table ? tacit_table_find(table, tacit_strview_of(name)) : -1;
    return column >= 0 && tacit_table_is_coded(table, column) ? column : -1;
}

static tacit_status find_columns(inquiry *q, tacit_error *err)
{
    for (int32_t a = 0; a < q->promise->attribute_count; a++) {
        const char *name = q->promise->attributes[a].name;
        q->release[a] = coded_column(q->evidence->release, name);
        q->ground[a] = coded_column(q->evidence->original, name);
        if (q->release[a] < 0)
            return tacit__error(err, TACIT_INVALID, "attribute \"%s\" is not coded in the release",
                                tacit__show(tacit_strview_of(name)).text);
        if (q->ground[a] < 0 && q->known->knows == TACIT_KNOWS_BEST)
            q->known->knows = TACIT_KNOWS_TIGHT;
    }
    return TACIT_OK;
}

static tacit_status make_trees(inquiry *q, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; a < q->promise->attribute_count && status == TACIT_OK; a++) {
        tacit__rows_place ground = {q->ground[a] < 0 ? NULL : q->evidence->original, q->ground[a]};
        tacit__rows_place released = {q->evidence->release, q->release[a]};
        status = column_init(&q->columns[a], q->promise->attributes[a].hierarchy, ground, released,
                             q->method->floors ? q->method->floors[a] : 0, q->method->cost, err);
        q->trees[a] = q->columns[a].tree;
    }
    return status;
}

/* Rows with the same values, and the nodes of these. */
static tacit_status make_classes(inquiry *q, tacit_error *err)
{
    int32_t columns = q->promise->attribute_count;
    tacit_status status =
        tacit__partition_init(&q->classes, q->evidence->release, q->release, columns, q->run, err);
    if (status != TACIT_OK)
        return status;
    size_t cells = (size_t)q->classes.count * (size_t)columns;
    q->nodes = tacit__alloc_array(cells, sizeof *q->nodes);
    q->found = tacit__alloc_zeroed(cells, 1);
    if (!q->nodes || !q->found)
        return tacit__nomem(err);
    for (int32_t a = 0; a < columns; a++) {
        tacit_codes_view codes = tacit_table_codes(q->evidence->release, q->release[a]);
        for (int64_t i = 0; i < q->classes.count; i++)
            q->nodes[i * columns + a] =
                q->columns[a].node_of[tacit_codes_at(codes, q->classes.first[i])];
    }
    return TACIT_OK;
}

/* Lists the cells that have one value left. */
static tacit_status list_certain(inquiry *q, tacit_error *err)
{
    tacit_known *known = q->known;
    int32_t columns = q->promise->attribute_count;
    known->certain_cells = tacit__alloc_array((size_t)known->certain, sizeof *known->certain_cells);
    if (!known->certain_cells)
        return tacit__nomem(err);
    for (int64_t row = 0; row < known->rows && known->certain_count < known->certain; row++)
        for (int32_t a = 0; a < columns; a++)
            if (q->found[q->classes.class_of[row] * (int64_t)columns + a] & TACIT__KNOWN_CERTAIN)
                known->certain_cells[known->certain_count++] = (tacit_revealed_cell){row + 1, a};
    return TACIT_OK;
}

static tacit_status judge_boxes(inquiry *q, tacit_error *err)
{
    tacit_known *known = q->known;
    tacit_status status = find_columns(q, err);
    if (status == TACIT_OK)
        status = make_trees(q, err);
    if (status == TACIT_OK)
        status = make_classes(q, err);
    if (status != TACIT_OK)
        return status;
    known->classes = q->classes.count;
    if (known->knows == TACIT_KNOWS_BEST &&
        (q->method->cost == TACIT_KNOWN_COST_NONE || known->classes > MAX_BEST))
        known->knows = TACIT_KNOWS_TIGHT;
    const tacit__known_boxes boxes = {.columns = q->promise->attribute_count,
                                      .trees = q->trees,
                                      .classes = q->classes.count,
                                      .nodes = q->nodes,
                                      .sizes = q->classes.sizes,
                                      .k = q->promise->k,
                                      .best = known->knows == TACIT_KNOWS_BEST,
                                      .told = known->knows != TACIT_KNOWS_NOTHING,
                                      .run = q->run};
    status = tacit__known_sum(known, q->found, &boxes, err);
    return status == TACIT_OK ? list_certain(q, err) : status;
}

/* ---- blanks ---- */

static tacit_status judge_blanks(inquiry *q, tacit_error *err)
{
    tacit_verdict *verdict = NULL;
    tacit_known *known = q->known;
    const tacit_promise bare = {.k = q->promise->k,
                                .attributes = q->promise->attributes,
                                .attribute_count = q->promise->attribute_count,
                                .ambiguous = true,
                                .both_ways = q->promise->both_ways,
                                .mean_alpha = q->promise->mean_alpha};
    tacit_status status = tacit_audit_release(&verdict, &bare, q->evidence, q->run, err);
    if (status != TACIT_OK)
        return status;
    tacit_minimality_verdict *m = &verdict->minimality;
    known->exact = m->checked;
    known->hidden = m->blanks;
    known->bits_hidden = m->bits_hidden;
    known->bits_gained = m->bits_gained;
    known->bits_worst = m->bits_worst;
    known->narrowed = m->narrowed;
    known->certain = m->revealed;
    known->certain_cells = m->cells;
    known->certain_count = m->cell_count;
    m->cells = NULL;
    tacit_verdict_free(verdict);
    return TACIT_OK;
}

static void inquiry_clear(inquiry *q)
{
    for (int32_t a = 0; a < q->promise->attribute_count; a++)
        column_clear(&q->columns[a]);
    tacit__partition_clear(&q->classes);
    tacit__free(q->nodes);
    tacit__free(q->found);
}

tacit_status tacit_audit_method(tacit_known **out, const tacit_promise *promise,
                                const tacit_evidence *evidence, const tacit_known_method *method,
                                const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__judge_promise(promise, err);
    if (status != TACIT_OK)
        return status;
    inquiry *q = tacit__alloc_zeroed(1, sizeof *q);
    tacit_known *known = tacit__alloc_zeroed(1, sizeof *known);
    if (!q || !known) {
        tacit__free(q);
        tacit__free(known);
        return tacit__nomem(err);
    }
    *q = (inquiry){
        .promise = promise, .evidence = evidence, .method = method, .run = run, .known = known};
    known->knows = method->knows;
    known->rows = tacit_table_rows(evidence->release);
    known->cells = known->rows * promise->attribute_count;
    status = method->knows == TACIT_KNOWS_NEEDED ? judge_blanks(q, err) : judge_boxes(q, err);
    inquiry_clear(q);
    tacit__free(q);
    if (status == TACIT_OK)
        *out = known;
    else
        tacit_known_free(known);
    return status;
}

void tacit_known_free(tacit_known *known)
{
    if (known)
        tacit__free(known->certain_cells);
    tacit__free(known);
}
