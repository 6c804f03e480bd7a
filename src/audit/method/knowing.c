/*
 * knowing.c - what an adversary gains who knows the method: the release put into the form that
 * the counting needs, and what it finds into that of the report.
 *
 * Releases of boxes are counted class by class (knowing_boxes.c, knowing_rows.c). Blanks of
 * ambiguation are the judge's (ambiguity/minimality.c), who is asked again with a promise of
 * nothing else; each blank has its own values left, whatever the others are, so what is known of
 * all of them is the sum.
 */
#include <string.h>

#include "audit/method/knowing.h"
#include "audit/rows/group.h"
#include "base/alloc.h"
#include "base/error.h"

enum { MOST_BEST = 8192 /* classes of a release that can have been proven the best */ };

typedef struct inquiry {
    const tacit_promise *promise;
    const tacit_evidence *evidence;
    const tacit_known_method *method;
    const tacit_run *run;
    tacit_known *known;
    int32_t release[TACIT__MAX_PROMISED]; /* columns of the release */
    int32_t ground[TACIT__MAX_PROMISED];  /* and of the original, or -1 */
    tacit__known_column columns[TACIT__MAX_PROMISED];
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
        status = tacit__known_column_init(
            &q->columns[a], q->promise->attributes[a].hierarchy, ground, released,
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
        (q->method->cost == TACIT_KNOWN_COST_NONE || known->classes > MOST_BEST))
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

static void clear(inquiry *q)
{
    for (int32_t a = 0; a < q->promise->attribute_count; a++)
        tacit__known_column_clear(&q->columns[a]);
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
    clear(q);
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
