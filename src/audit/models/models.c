/*
 * models.c - what a release promises beyond k, class by class.
 *
 * For each quasi-identifier the released rows are put into classes once
 * (rows/rows.c); suppressed rows are a class among them. Models about a sensitive
 * column look at the values in each class (sensitive.c), models about the
 * population at the people that each class covers (link/cover.c), or at those that
 * its rows stand for (estimate.c). Where there are
 * several quasi-identifiers, suppressed rows are also judged by themselves, for
 * everybody sees which they are; and rows left out of the release are a class
 * where the original is at hand.
 *
 * Nothing here comes from the methods, which keep models with code of their own.
 * Whatever cannot be checked is a finding: a column that is not there or not
 * coded, a register that is not at hand, a value that a hierarchy does not know.
 *
 * Cost: for each quasi-identifier a sort of the rows and one more for each
 * sensitive column, 4 bytes a row and 16 a class beside the sort's.
 */
#include "audit/models/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/model.h"

/* ---- standings ---- */

/* Whether a class is worse the less is measured. */
static bool wants_more(tacit_model_kind kind)
{
    return kind == TACIT_MODEL_DISTINCT || kind == TACIT_MODEL_ENTROPY ||
           kind == TACIT_MODEL_RANGE || kind == TACIT_MODEL_MAP ||
           kind == TACIT_MODEL_MAP_ESTIMATED;
}

void tacit__standing_join(tacit__standing *standing, const tacit_model_bound *model,
                          const tacit__standing *other)
{
    if (other->measured == 0)
        return;
    bool fresh = standing->measured == 0;
    bool worse =
        wants_more(model->kind) ? other->worst < standing->worst : other->worst > standing->worst;
    if (fresh || worse)
        standing->worst = other->worst;
    if (fresh || other->least < standing->least)
        standing->least = other->least;
    if (other->classes && (!standing->classes || other->first < standing->first))
        standing->first = other->first;
    standing->measured += other->measured;
    standing->classes += other->classes;
    standing->rows += other->rows;
}

void tacit__standing_add(tacit__standing *standing, const tacit_model_bound *model,
                         tacit__models_measured found, int64_t rows, int64_t first)
{
    const tacit__standing one = {
        .measured = 1,
        .worst = found.value,
        .least = found.value,
        .classes = !found.holds,
        .rows = found.holds ? 0 : rows,
        .first = first,
    };
    tacit__standing_join(standing, model, &one);
}

/* What was found on two grids of numbers that are near: a class has to keep a model on both. At
 * least as many classes break it as on the worse one. */
static void join_grids(tacit__standing *standing, const tacit_model_bound *model,
                       const tacit__standing *other)
{
    tacit__standing both = *standing;
    tacit__standing_join(&both, model, other);
    both.measured = standing->measured;
    both.classes = standing->classes > other->classes ? standing->classes : other->classes;
    both.rows = standing->rows > other->rows ? standing->rows : other->rows;
    both.near = true;
    *standing = both;
}

/* ---- findings ---- */

/* What a model is about, for a message: `column "NAME"` or the population. */
typedef struct subject {
    char text[96];
} subject;

static subject subject_of(const char *column)
{
    subject s;
    if (column)
        snprintf(s.text, sizeof s.text, "column \"%s\"",
                 tacit__show(tacit_strview_of(column)).text);
    else
        snprintf(s.text, sizeof s.text, "the population");
    return s;
}

void tacit__cannot_judge(tacit__judge *judge, const char *column, const char *reason)
{
    tacit__find(judge, TACIT_FINDING_MODEL, 0, tacit_table_rows(judge->release),
                "what is promised about %s cannot be judged: %s", subject_of(column).text, reason);
}

tacit_status tacit__unbound(tacit__judge *judge, const char *column, tacit_status status,
                            const tacit_error *reason, tacit_error *err)
{
    if (status != TACIT_PARSE && status != TACIT_INVALID && status != TACIT_LIMIT)
        return tacit__error_at(err, status, reason->file, reason->line, reason->column, "%s",
                               reason->message);
    char text[64] = "a hierarchy does not fit the values"; /* which are not shown */
    size_t used = strlen(text);
    if (reason->line > 0)
        snprintf(text + used, sizeof text - used, " (line %lld)", (long long)reason->line);
    tacit__cannot_judge(judge, column, text);
    return TACIT_OK;
}

/* The classes in question, for a message. */
typedef struct whereabouts {
    char text[200];
    bool has_row; /* a row of the release belongs to them */
} whereabouts;

/* What was measured of the worst class, for a message. */
static const char *worst_text(char *buffer, size_t size, const tacit_model_bound *model,
                              const tacit__standing *standing)
{
    bool too_few = model->kind == TACIT_MODEL_PRESENCE &&
                   standing->worst <= model->bound + TACIT_MODEL_TOLERANCE;
    if (model->kind == TACIT_MODEL_DISCLOSURE && isinf(standing->worst))
        snprintf(buffer, size, "a value missing");
    else
        snprintf(buffer, size, "%.4g", too_few ? standing->least : standing->worst);
    return buffer;
}

static void report(tacit__judge *judge, const tacit_promise_model *model,
                   const tacit__standing *standing, const whereabouts *where)
{
    char bound[48], worst[32], first[64] = "";
    if (!standing->classes)
        return;
    if (where->has_row)
        snprintf(first, sizeof first, "; the first is that of row %lld (line %lld)",
                 (long long)(standing->first + 1),
                 (long long)tacit_table_line(judge->release, standing->first));
    tacit__find(judge, TACIT_FINDING_MODEL, where->has_row ? standing->first + 1 : 0,
                standing->rows, "%lld %s of %lld rows%s %s %s of %s, with %s at worst%s%s",
                (long long)standing->classes, standing->classes == 1 ? "class" : "classes",
                (long long)standing->rows, where->text, standing->classes == 1 ? "breaks" : "break",
                tacit_model_text(bound, sizeof bound, &model->bound),
                subject_of(model->column).text,
                worst_text(worst, sizeof worst, &model->bound, standing),
                standing->near ? ", numbers that are near counted as one" : "", first);
}

/* ---- the trial of all models ---- */

typedef struct models_trial {
    tacit__judge *judge;
    tacit__sensitive *columns; /* models that are judged together */
    int32_t column_count;
    tacit__cover *cover;        /* NULL: no model needs a population */
    tacit__estimate *estimates; /* models that go by weights */
    int32_t estimate_count;
} models_trial;

/* Takes standings over into the verdict, and finds what they break. */
static void settle(tacit__judge *judge, int32_t index, const tacit__standing *standing,
                   const whereabouts *where)
{
    const tacit_promise_model *model = &judge->promise->models[index];
    tacit_model_verdict *verdict = &judge->verdict->models[index];
    tacit__standing all = {verdict->classes,
                           verdict->worst,
                           verdict->least,
                           verdict->classes_failing,
                           verdict->rows_failing,
                           0,
                           false};
    tacit__standing_join(&all, &model->bound, standing);
    verdict->classes = all.measured;
    if (all.measured) {
        verdict->worst = all.worst;
        verdict->least = all.least;
    }
    verdict->classes_failing = all.classes;
    verdict->rows_failing = all.rows;
    report(judge, model, standing, where);
}

/* Measures one of the trial's columns; of two grids the second settles what was found on both,
 * the first leaves it in `standings`. */
typedef tacit_status (*measure_fn)(tacit__standing *standings, const tacit__sensitive *s,
                                   const void *what, tacit_error *err);

static tacit_status settle_column(tacit__standing *standings, const tacit__sensitive *s,
                                  measure_fn measure, const void *what, const whereabouts *where,
                                  tacit_error *err)
{
    tacit__standing found[TACIT__MAX_TOGETHER] = {{0}};
    if (!s->judgeable)
        return TACIT_OK;
    tacit_status status = measure(found, s, what, err);
    for (int i = 0; i < s->count && status == TACIT_OK; i++) {
        if (s->grid > 0)
            join_grids(&standings[i], &s->judge->promise->models[s->models[i]].bound, &found[i]);
        else
            standings[i] = found[i];
        if (s->grid != 0)
            settle(s->judge, s->models[i], &standings[i], where);
    }
    return status;
}

static tacit_status settle_columns(const models_trial *trial, measure_fn measure, const void *what,
                                   const whereabouts *where, tacit_error *err)
{
    tacit__standing standings[TACIT__MAX_TOGETHER];
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < trial->column_count && status == TACIT_OK; i++)
        status = settle_column(standings, &trial->columns[i], measure, what, where, err);
    return status;
}

/* A class of so many rows that covers so many people. */
static tacit__models_measured measure_cover(const tacit_model_bound *model, int64_t rows,
                                            int64_t covered)
{
    if (model->kind == TACIT_MODEL_MAP)
        return (tacit__models_measured){(double)covered, (double)covered >= model->bound};
    double share = covered > 0 ? (double)rows / (double)covered : INFINITY;
    return (tacit__models_measured){share, share <= model->bound + TACIT_MODEL_TOLERANCE &&
                                               share >= model->second - TACIT_MODEL_TOLERANCE};
}

/* Some classes, their rows and whom they cover, by every model that asks. */
static void settle_cover(tacit__judge *judge, const tacit__partition *classes,
                         const int64_t *covered, const whereabouts *where)
{
    for (int32_t i = 0; i < judge->promise->model_count; i++) {
        const tacit_model_bound *model = &judge->promise->models[i].bound;
        tacit__standing standing = {0};
        if (!tacit__model_of_population(model->kind))
            continue;
        for (int64_t c = 0; c < classes->count; c++)
            tacit__standing_add(&standing, model,
                                measure_cover(model, classes->sizes[c], covered[c]),
                                classes->sizes[c], classes->first[c]);
        settle(judge, i, &standing, where);
    }
}

/* Whoever lies in no class is known to be absent, unless he may be among rows that
 * were left out: a share of 0, which is below any least share. */
static void settle_absent(tacit__judge *judge, int64_t absent, const whereabouts *where)
{
    for (int32_t i = 0; i < judge->promise->model_count && absent > 0; i++) {
        const tacit_model_bound *model = &judge->promise->models[i].bound;
        char text[48];
        if (model->kind != TACIT_MODEL_PRESENCE || tacit__rows_dropped(judge))
            continue;
        judge->verdict->models[i].least = 0;
        if (model->second > TACIT_MODEL_TOLERANCE)
            tacit__find(judge, TACIT_FINDING_MODEL, 0, absent,
                        "%lld of the population %s in no class%s and %s known to be absent, "
                        "against %s",
                        (long long)absent, absent == 1 ? "lies" : "lie", where->text,
                        absent == 1 ? "is" : "are", tacit_model_text(text, sizeof text, model));
    }
}

/* Rows of the release by some attributes. */
typedef struct grouped {
    int32_t attributes[TACIT__MAX_PROMISED];
    int32_t count;
    const tacit__partition *classes;
    whereabouts where;
} grouped;

static tacit_status measure_classes(tacit__standing *standings, const tacit__sensitive *s,
                                    const void *what, tacit_error *err)
{
    return tacit__sensitive_classes(standings, s, what, err);
}

static tacit_status settle_estimates(const models_trial *trial, const tacit__partition *classes,
                                     const whereabouts *where, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < trial->estimate_count && status == TACIT_OK; i++) {
        tacit__standing standing = {0};
        if (!trial->estimates[i].judgeable)
            continue;
        status = tacit__estimate_classes(&standing, &trial->estimates[i], classes, err);
        settle(trial->judge, trial->estimates[i].model, &standing, where);
    }
    return status;
}

static tacit_status judge_classes(models_trial *trial, const grouped *g, tacit_error *err)
{
    const tacit__partition *classes = g->classes;
    tacit_status status = settle_columns(trial, measure_classes, classes, &g->where, err);
    if (status == TACIT_OK)
        status = settle_estimates(trial, classes, &g->where, err);
    if (status != TACIT_OK || !trial->cover || !trial->cover->judgeable)
        return status;
    int64_t *covered = NULL, absent = 0;
    status =
        tacit__cover_count(&covered, &absent, trial->cover, g->attributes, g->count, classes, err);
    if (status == TACIT_OK) {
        settle_cover(trial->judge, classes, covered, &g->where);
        settle_absent(trial->judge, absent, &g->where);
    }
    tacit__free(covered);
    return status;
}

/* The attributes of a set, in any order unless people are to be counted. */
static void choose_attributes(grouped *g, const models_trial *trial, const uint64_t *set)
{
    if (trial->cover && trial->cover->judgeable) {
        g->count = tacit__cover_order(g->attributes, trial->cover, set);
        return;
    }
    for (int32_t a = 0; a < trial->judge->promise->attribute_count; a++)
        if (tacit__set_has(set, a))
            g->attributes[g->count++] = a;
}

static tacit_status judge_set(models_trial *trial, const uint64_t *set, tacit_error *err)
{
    tacit__judge *judge = trial->judge;
    grouped g = {.where = {.text = " on ", .has_row = true}};
    int32_t columns[TACIT__MAX_PROMISED];
    size_t used = strlen(g.where.text);
    tacit__name_set(g.where.text + used, sizeof g.where.text - used, judge, set);
    choose_attributes(&g, trial, set);
    for (int32_t i = 0; i < g.count; i++)
        columns[i] = judge->attribute[g.attributes[i]];
    tacit_status status = tacit__groups_get(&g.classes, judge->groups, judge->release, columns,
                                            g.count, judge->run, err);
    return status == TACIT_OK ? judge_classes(trial, &g, err) : status;
}

static tacit_status measure_suppressed(tacit__standing *standings, const tacit__sensitive *s,
                                       const void *what, tacit_error *err)
{
    (void)what;
    return tacit__sensitive_suppressed(standings, s, err);
}

static tacit_status measure_dropped(tacit__standing *standings, const tacit__sensitive *s,
                                    const void *what, tacit_error *err)
{
    (void)what;
    return tacit__sensitive_dropped(standings, s, err);
}

/* Rows that are one class for another reason than their values; they cover
 * everybody. */
static tacit_status judge_crowd(models_trial *trial, measure_fn measure, int64_t rows,
                                int64_t first, const whereabouts *where, tacit_error *err)
{
    tacit_status status = settle_columns(trial, measure, NULL, where, err);
    if (status == TACIT_OK && trial->cover && trial->cover->judgeable) {
        int64_t covered = tacit_table_rows(trial->cover->people);
        const tacit__partition alone = {.count = 1, .sizes = &rows, .first = &first};
        settle_cover(trial->judge, &alone, &covered, where);
    }
    return status;
}

static void settle_crowd(const models_trial *trial,
                         void (*measure)(tacit__standing *, const tacit__estimate *),
                         const whereabouts *where)
{
    for (int32_t i = 0; i < trial->estimate_count; i++) {
        tacit__standing standing = {0};
        if (!trial->estimates[i].judgeable)
            continue;
        measure(&standing, &trial->estimates[i]);
        settle(trial->judge, trial->estimates[i].model, &standing, where);
    }
}

static tacit_status judge_crowds(models_trial *trial, tacit_error *err)
{
    static const whereabouts SUPPRESSED = {", suppressed rows together,", true};
    static const whereabouts DROPPED = {", those left out of the release,", false};
    const tacit__judge *judge = trial->judge;
    const tacit_verdict *verdict = judge->verdict;
    tacit_status status = TACIT_OK;
    if (judge->suppressed_rows > 0 && verdict->set_count > 1) {
        settle_crowd(trial, tacit__estimate_suppressed, &SUPPRESSED);
        status = judge_crowd(trial, measure_suppressed, judge->suppressed_rows,
                             tacit__first_suppressed(judge), &SUPPRESSED, err);
    }
    if (status == TACIT_OK && tacit__rows_dropped(judge)) {
        settle_crowd(trial, tacit__estimate_dropped, &DROPPED);
        status = judge_crowd(trial, measure_dropped, verdict->unreleased_rows, 0, &DROPPED, err);
    }
    return status;
}

/* ---- which models go together ---- */

static bool together(const tacit_promise_model *a, const tacit_promise_model *b)
{
    return a->hierarchy == b->hierarchy && a->spread.amount == b->spread.amount &&
           a->spread.share == b->spread.share &&
           tacit_strview_equal(tacit_strview_of(a->column), tacit_strview_of(b->column));
}

/* Whether numbers that are near count as one to a model: it counts values, and the release or
 * the original has numbers. */
static bool is_near(const tacit__judge *judge, const tacit_promise_model *model)
{
    const tacit_table *tables[] = {judge->release, judge->original};
    bool numbers = false;
    if (!tacit_model_counts_values(model->bound.kind) || model->spread.amount <= 0)
        return false;
    for (int i = 0; i < 2 && tables[i] && !numbers; i++) {
        int32_t column = tacit_table_find(tables[i], tacit_strview_of(model->column));
        numbers = column >= 0 && tacit_table_is_coded(tables[i], column) &&
                  tacit__near_applies(tables[i], column);
    }
    return numbers;
}

/* Columns of two grids lie next to each other, the first one first. */
static void add_model(models_trial *trial, int32_t index)
{
    const tacit_promise_model *models = trial->judge->promise->models;
    bool near = is_near(trial->judge, &models[index]);
    int32_t at = 0, grids = near ? 2 : 1;
    while (at < trial->column_count &&
           (trial->columns[at].count == TACIT__MAX_TOGETHER ||
            (trial->columns[at].grid >= 0) != near ||
            !together(&models[trial->columns[at].models[0]], &models[index])))
        at++;
    if (at == trial->column_count)
        for (int32_t i = 0; i < grids; i++)
            trial->columns[trial->column_count++].grid = near ? i : -1;
    for (int32_t i = at; i < at + grids; i++)
        trial->columns[i].models[trial->columns[i].count++] = index;
}

static tacit_status add_estimate(models_trial *trial, int32_t index, tacit_error *err)
{
    if (!trial->estimates)
        trial->estimates = tacit__alloc_zeroed((size_t)trial->judge->promise->model_count,
                                               sizeof *trial->estimates);
    if (!trial->estimates)
        return tacit__nomem(err);
    return tacit__estimate_init(&trial->estimates[trial->estimate_count++], trial->judge, index,
                                err);
}

static tacit_status prepare(models_trial *trial, tacit_error *err)
{
    const tacit_promise *promise = trial->judge->promise;
    bool population = false;
    trial->columns = tacit__alloc_zeroed((size_t)promise->model_count * 2, sizeof *trial->columns);
    if (!trial->columns)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < promise->model_count && status == TACIT_OK; i++) {
        if (promise->models[i].bound.kind == TACIT_MODEL_MAP_ESTIMATED)
            status = add_estimate(trial, i, err);
        else if (tacit__model_of_population(promise->models[i].bound.kind))
            population = true;
        else
            add_model(trial, i);
    }
    for (int32_t i = 0; i < trial->column_count && status == TACIT_OK; i++)
        status = tacit__sensitive_init(&trial->columns[i], trial->judge, err);
    if (status != TACIT_OK || !population)
        return status;
    trial->cover = tacit__alloc_zeroed(1, sizeof *trial->cover);
    return trial->cover ? tacit__cover_init(trial->cover, trial->judge,
                                            trial->judge->evidence->population, err)
                        : tacit__nomem(err);
}

static void clear(models_trial *trial)
{
    for (int32_t i = 0; i < trial->column_count; i++)
        tacit__sensitive_clear(&trial->columns[i]);
    tacit__free(trial->columns);
    for (int32_t i = 0; i < trial->estimate_count; i++)
        tacit__estimate_clear(&trial->estimates[i]);
    tacit__free(trial->estimates);
    if (trial->cover)
        tacit__cover_clear(trial->cover);
    tacit__free(trial->cover);
}

static void mark_checked(const models_trial *trial)
{
    tacit_verdict *verdict = trial->judge->verdict;
    bool covered = trial->cover && trial->cover->judgeable;
    for (int32_t i = 0; i < verdict->model_count; i++)
        if (tacit__model_of_population(verdict->models[i].bound.kind))
            verdict->models[i].checked = covered;
    for (int32_t i = 0; i < trial->estimate_count; i++)
        verdict->models[trial->estimates[i].model].checked = trial->estimates[i].judgeable;
    for (int32_t i = 0; i < trial->column_count; i++)
        for (int j = 0; j < trial->columns[i].count; j++)
            verdict->models[trial->columns[i].models[j]].checked = trial->columns[i].judgeable;
}

tacit_status tacit__judge_models(tacit__judge *judge, tacit_error *err)
{
    models_trial trial = {.judge = judge};
    if (judge->promise->model_count == 0)
        return TACIT_OK;
    tacit_status status = prepare(&trial, err);
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_set(&trial, tacit__set_of(judge, i), err);
    if (status == TACIT_OK)
        status = judge_crowds(&trial, err);
    if (status == TACIT_OK)
        mark_checked(&trial);
    clear(&trial);
    return status;
}
