/*
 * estimate.c - k-map where nobody has a register: how many people the rows of each class stand for.
 *
 * In a survey every row stands for some people of the population, as its sampling weight says. The
 * weights of a class add up to the estimate of how many people have its values (F_k of Benedetti
 * and Franconi 1998, sdcMicro's freqCalc). It is as good as the weights are, and no count.
 *
 * Weights are the original's where rows correspond, for the release may do without them; else those
 * that were released. Every weight must be a number above 0, or nothing is judged. Nor is it where
 * a person may have several rows: each would be counted as people of its own.
 *
 * Cost: a pass over the rows for each quasi-identifier, 8 bytes a distinct weight and a class.
 */
#include <math.h>

#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"

/* Where the weights are read: a coded column of the original by the row behind, or of the release.
 */
static bool find_weights(tacit__estimate *e, tacit__judge *judge, const char *name)
{
    tacit_strview wanted = tacit_strview_of(name);
    int32_t known = judge->original ? tacit_table_find(judge->original, wanted) : -1;
    int32_t released = tacit_table_find(judge->release, wanted);
    e->behind = judge->corresponds && known >= 0;
    e->table = e->behind ? judge->original : judge->release;
    e->column = e->behind ? known : released;
    if (e->column < 0)
        tacit__cannot_judge(judge, name,
                            "no column of the release has the weights, and it is not known which "
                            "row of the original is behind each row");
    else if (!e->behind && judge->columns[released].role != TACIT__CARRIED)
        tacit__cannot_judge(judge, name, "the weights of the release are not those of the data");
    else if (!tacit_table_is_coded(e->table, e->column))
        tacit__cannot_judge(judge, name, "the weights are not coded");
    else if (judge->promise->person)
        tacit__cannot_judge(judge, name, "a person with several rows would count several times");
    else
        return true;
    return false;
}

static tacit_status read_weights(tacit__estimate *e, tacit__judge *judge, const char *name,
                                 tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(e->table, e->column);
    e->weights = tacit__alloc_zeroed((size_t)distinct + 1, sizeof *e->weights);
    if (!e->weights)
        return tacit__nomem(err);
    e->judgeable = !tacit_table_has_missing(e->table, e->column);
    for (uint32_t code = 0; code < distinct; code++) {
        e->weights[code] = tacit__decimal_read(tacit_table_value(e->table, e->column, code));
        e->judgeable = e->judgeable && e->weights[code] > 0 && isfinite(e->weights[code]);
    }
    if (!e->judgeable)
        tacit__cannot_judge(judge, name, "a weight is missing, or no number above 0");
    return TACIT_OK;
}

tacit_status tacit__estimate_init(tacit__estimate *e, tacit__judge *judge, int32_t model,
                                  tacit_error *err)
{
    const char *name = judge->promise->models[model].column;
    *e = (tacit__estimate){.judge = judge, .model = model};
    return find_weights(e, judge, name) ? read_weights(e, judge, name, err) : TACIT_OK;
}

void tacit__estimate_clear(tacit__estimate *e)
{
    tacit__free(e->weights);
    *e = (tacit__estimate){0};
}

/* People that a row of the release stands for. */
static double weight_of(const tacit__estimate *e, int64_t row)
{
    int64_t at = e->behind ? tacit__behind(e->judge, row) : row;
    return e->weights[tacit_codes_at(tacit_table_codes(e->table, e->column), at)];
}

static void add_class(tacit__standing *standing, const tacit__estimate *e, double people,
                      int64_t rows, int64_t first)
{
    const tacit_model_bound *model = &e->judge->promise->models[e->model].bound;
    bool holds = people >= model->bound * (1 - TACIT_MODEL_TOLERANCE);
    tacit__standing_add(standing, model, (tacit__models_measured){people, holds}, rows, first);
}

tacit_status tacit__estimate_classes(tacit__standing *standing, const tacit__estimate *e,
                                     const tacit__partition *classes, tacit_error *err)
{
    double *people = tacit__alloc_zeroed((size_t)classes->count, sizeof *people);
    if (!people)
        return tacit__nomem(err);
    for (int64_t row = 0; row < tacit_table_rows(e->judge->release); row++)
        people[classes->class_of[row]] += weight_of(e, row);
    for (int64_t c = 0; c < classes->count; c++)
        add_class(standing, e, people[c], classes->sizes[c], classes->first[c]);
    tacit__free(people);
    return TACIT_OK;
}

void tacit__estimate_suppressed(tacit__standing *standing, const tacit__estimate *e)
{
    const tacit__judge *judge = e->judge;
    double people = 0;
    for (int64_t row = 0; row < tacit_table_rows(judge->release); row++)
        if (tacit__bit_get(judge->suppressed, row))
            people += weight_of(e, row);
    add_class(standing, e, people, judge->suppressed_rows, tacit__first_suppressed(judge));
}

/* People that the rows of a table stand for, all of them or those whose bit is not set; exact for
 * weights of few digits. NAN: the weights are not all there. */
static double sum_of(const tacit__estimate *e, const tacit_table *table, int32_t column,
                     const uint64_t *but)
{
    if (column < 0 || !tacit_table_is_coded(table, column))
        return NAN;
    tacit_codes_view codes = tacit_table_codes(table, column);
    uint32_t distinct = tacit_table_distinct(table, column);
    long double people = 0;
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        uint32_t code = tacit_codes_at(codes, row);
        if (but && tacit__bit_get(but, row))
            continue;
        if (table == e->table)
            people += e->weights[code];
        else
            people += code < distinct ? tacit__decimal_read(tacit_table_value(table, column, code))
                                      : (double)NAN;
    }
    return (double)people;
}

void tacit__estimate_dropped(tacit__standing *standing, const tacit__estimate *e)
{
    tacit__judge *judge = e->judge;
    const char *name = judge->promise->models[e->model].column;
    int32_t known = tacit_table_find(judge->original, tacit_strview_of(name));
    double people = sum_of(e, judge->original, known, e->behind ? judge->released : NULL);
    if (!e->behind)
        people -= sum_of(e, judge->release, e->column, NULL);
    if (isnan(people))
        tacit__cannot_judge(judge, name,
                            "the weights of the rows that were left out are not known");
    else
        add_class(standing, e, people, judge->verdict->unreleased_rows, 0);
}
