/*
 * relink.c - how many records of a release can be told from its original: all attacks, and the
 * verdicts (audit_relink.h).
 *
 * One tree of standardized values serves the standard distance, the probabilities and the verdicts,
 * which differ in what a gap costs; ranks and Mahalanobis distances have other places and trees of
 * their own, one at a time.
 *
 * Sources: Domingo-Ferrer and Torra (2001, 2003) for linkage by distance and by probability as
 * measures of disclosure; Torra, Abowd and Domingo-Ferrer (2006) for Mahalanobis distances;
 * Nin, Herranz and Torra (2008) for linkage of swapped ranks. Cost: tree.c, at most
 * options.most_records times, and patterns.c.
 */
#include <math.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"

void tacit_relink_options_init(tacit_relink_options *options)
{
    *options = (tacit_relink_options){.k = 2,
                                      .most_records = 20000,
                                      .most_steps = 100000000,
                                      .most_pairs = 20000000,
                                      .margin = 0.5,
                                      .certainty = 0.9,
                                      .near = 0.05,
                                      .far = 0.25,
                                      .windows = {1, 5, 10},
                                      .window_count = 3,
                                      .seed = 1};
}

const char *tacit_relink_kind_name(tacit_relink_kind kind)
{
    static const char *const NAMES[TACIT_RELINK_KINDS] = {
        "standardized distance", "Mahalanobis distance", "distance of ranks", "probability"};
    return NAMES[kind];
}

/* ---- what was asked for ---- */

static tacit_status check_windows(const tacit_relink_options *o, tacit_error *err)
{
    if (o->window_count < 0 || o->window_count > TACIT_MAX_RELINK_WINDOWS)
        return tacit__error(err, TACIT_INVALID, "re-linking: at most %d windows",
                            TACIT_MAX_RELINK_WINDOWS);
    for (int32_t i = 0; i < o->window_count; i++)
        if (!(o->windows[i] >= 0 && o->windows[i] <= 100))
            return tacit__error(err, TACIT_INVALID, "re-linking: a window is 0 to 100 percent");
    return TACIT_OK;
}

static tacit_status check(const tacit_relink_case *c, const tacit_relink_options *o,
                          tacit_error *err)
{
    if (c->column_count < 1)
        return tacit__error(err, TACIT_INVALID, "re-linking needs a column");
    if (c->column_count > TACIT_MAX_RELINK_COLUMNS)
        return tacit__error(err, TACIT_LIMIT, "re-linking: more than %d columns",
                            TACIT_MAX_RELINK_COLUMNS);
    if (o->k < 1 || o->most_records < 1 || o->most_steps < 1 || o->most_pairs < 1)
        return tacit__error(err, TACIT_INVALID, "re-linking: k and the limits must be 1 or more");
    if (!(o->margin > 0 && o->margin < 1) || !(o->certainty >= 0.5 && o->certainty < 1))
        return tacit__error(err, TACIT_INVALID,
                            "re-linking: the margin is above 0 and below 1, the certainty at "
                            "least 0.5 and below 1");
    if (!(o->near >= 0 && o->near <= o->far && isfinite(o->far)))
        return tacit__error(err, TACIT_INVALID,
                            "re-linking: numbers that agree are at least as near as those that "
                            "nearly do");
    return check_windows(o, err);
}

/* ---- the attacks ---- */

/* The square of a distance is what costs. */
static double reach_of(const tacit__relink_scene *scene)
{
    return 1 / (scene->options->margin * scene->options->margin);
}

static tacit_status attack_distance(tacit_relink_attack *out, const tacit__relink_view *view,
                                    const tacit__relink_tree *tree, const tacit__relink_cost *costs,
                                    tacit_error *err)
{
    tacit__relink_rule rule = {0};
    tacit__relink_asker asker = {
        .view = view, .tree = tree, .costs = costs, .reach = reach_of(view->scene)};
    return tacit__relink_attack(out, &asker, &rule, err);
}

/* Ranks and Mahalanobis: a view and a tree of their own. */
static tacit_status attack_otherwise(tacit_relink *out, const tacit__relink_scene *scene,
                                     tacit_relink_kind kind, tacit_error *err)
{
    tacit__relink_view view;
    tacit__relink_tree tree = {0};
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    tacit_status status = tacit__relink_view_init(&view, scene, kind, err);
    if (status == TACIT_OK) {
        tacit__relink_distances(costs, &view, kind);
        status = tacit__relink_tree_init(&tree, &view, costs, err);
    }
    if (status == TACIT_OK)
        status = attack_distance(&out->attacks[kind], &view, &tree, costs, err);
    tacit__relink_tree_clear(&tree);
    tacit__relink_view_clear(&view);
    return status;
}

/* What is short of the most that a column can weigh is what it costs. */
static void weigh_costs(tacit__relink_cost *costs, double *agreement,
                        const tacit__relink_weights *weights, const tacit__relink_scene *scene)
{
    tacit__relink_steps(costs, scene);
    for (int32_t i = 0; i < scene->columns; i++) {
        const double *weight = weights->weight[i];
        agreement[i] = weight[0];
        costs[i].half = weight[0] - weight[1];
        costs[i].full = weight[0] - weight[2];
        costs[i].known_missing = weight[0];
    }
}

static void keep_shares(tacit_relink *out, const tacit__relink_weights *weights)
{
    for (int32_t i = 0; i < out->column_count; i++)
        for (int level = 0; level < TACIT_RELINK_LEVELS; level++) {
            out->columns[i].m[level] = weights->m[i][level];
            out->columns[i].u[level] = weights->u[i][level];
        }
}

static tacit_status attack_probability(tacit_relink *out, const tacit__relink_view *view,
                                       const tacit__relink_tree *tree, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    tacit__relink_evidence evidence = {0};
    tacit__relink_weights weights;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    double agreement[TACIT_MAX_RELINK_COLUMNS], certainty = scene->options->certainty;
    double people = fmax((double)out->people, 2);
    tacit_status status = tacit__relink_evidence_init(&evidence, view, tree, err);
    if (status == TACIT_OK)
        tacit__relink_em(&weights, &evidence);
    tacit__relink_evidence_clear(&evidence);
    if (status != TACIT_OK)
        return status;
    keep_shares(out, &weights);
    weigh_costs(costs, agreement, &weights, scene);
    tacit__relink_rule rule = {agreement, log2(certainty / (1 - certainty)) + log2(people - 1)};
    tacit__relink_asker asker = {.view = view, .tree = tree, .costs = costs, .reach = 1};
    return tacit__relink_attack(&out->attacks[TACIT_RELINK_PROBABILITY], &asker, &rule, err);
}

/* Everything that the tree of plain values serves. */
static tacit_status attack_plainly(tacit_relink *out, const tacit__relink_scene *scene,
                                   tacit_error *err)
{
    tacit__relink_view view;
    tacit__relink_tree tree = {0};
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    tacit_status status = tacit__relink_view_init(&view, scene, TACIT_RELINK_STANDARD, err);
    tacit__relink_distances(costs, &view, TACIT_RELINK_STANDARD);
    if (status == TACIT_OK)
        status = tacit__relink_tree_init(&tree, &view, costs, err);
    if (status == TACIT_OK)
        status = attack_distance(&out->attacks[TACIT_RELINK_STANDARD], &view, &tree, costs, err);
    if (status == TACIT_OK)
        status = attack_probability(out, &view, &tree, err);
    if (status == TACIT_OK)
        status = tacit__relink_map(&out->maps, &view, &tree, err);
    tacit__relink_tree_clear(&tree);
    tacit__relink_view_clear(&view);
    return status;
}

/* ---- all of it ---- */

static int32_t varying_numbers(const tacit__relink_scene *scene)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scene->columns; i++)
        count += scene->axes[i].numeric && scene->axes[i].deviation > 0;
    return count;
}

/* Who is released as he is, is re-linked as often as he is alike with others. */
static void find_baselines(tacit_relink *out, const tacit__relink_scene *scene)
{
    double right = 0;
    out->guess = out->people > 0 ? 1 / (double)out->people : 0;
    for (int64_t row = 0; row < out->records; row++) {
        uint32_t origin = tacit__relink_origin(scene, row);
        if (origin == TACIT_RELINK_MADE_UP)
            out->made_up++;
        else
            right += 1 / (double)scene->people.sizes[scene->people.class_of[origin]];
    }
    out->unprotected = out->records > 0 ? right / (double)out->records : 0;
}

static void sum_up(tacit_relink *out)
{
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
        const tacit_relink_attack *attack = &out->attacks[kind];
        if (!attack->tried)
            continue;
        out->sampled |= attack->attacked < out->records;
        if (attack->share > out->attacks[out->best].share)
            out->best = (tacit_relink_kind)kind;
    }
}

static tacit_status name_columns(tacit_relink *out, const tacit__relink_scene *scene,
                                 tacit_error *err)
{
    for (int32_t i = 0; i < scene->columns; i++) {
        const char *name = scene->c->columns[i];
        out->columns[i].name = tacit__copy_bytes(name, strlen(name));
        if (!out->columns[i].name)
            return tacit__nomem(err);
        out->columns[i].numeric = scene->axes[i].numeric;
        out->numeric_count += scene->axes[i].numeric;
    }
    return TACIT_OK;
}

static tacit_status measure(tacit_relink *out, const tacit__relink_scene *scene, tacit_error *err)
{
    tacit_status status = name_columns(out, scene, err);
    find_baselines(out, scene);
    if (status == TACIT_OK)
        status = attack_plainly(out, scene, err);
    if (status == TACIT_OK && varying_numbers(scene) > 1)
        status = attack_otherwise(out, scene, TACIT_RELINK_MAHALANOBIS, err);
    if (status == TACIT_OK && varying_numbers(scene) > 0)
        status = attack_otherwise(out, scene, TACIT_RELINK_RANKS, err);
    if (status == TACIT_OK)
        status = tacit__relink_intervals(out, scene, err);
    sum_up(out);
    return status;
}

tacit_status tacit_relink_measure(tacit_relink **out, const tacit_relink_case *c,
                                  const tacit_relink_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_status status = check(c, options, err);
    if (status != TACIT_OK)
        return status;
    tacit__relink_scene *scene = tacit__alloc_zeroed(1, sizeof *scene);
    tacit_relink *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!scene || !made) {
        tacit__free(scene);
        tacit__free(made);
        return tacit__nomem(err);
    }
    *scene = (tacit__relink_scene){.c = c, .options = options, .run = run};
    made->records = tacit_table_rows(c->release);
    made->people = tacit_table_rows(c->original);
    made->column_count = (int32_t)c->column_count;
    made->window_count = options->window_count;
    for (int32_t i = 0; i < options->window_count; i++)
        made->windows[i] = options->windows[i];
    status = tacit__relink_scene_init(scene, err);
    if (status == TACIT_OK)
        status = measure(made, scene, err);
    tacit__relink_scene_clear(scene);
    tacit__free(scene);
    if (status == TACIT_OK)
        *out = made;
    else
        tacit_relink_free(made);
    return status;
}

void tacit_relink_free(tacit_relink *relink)
{
    if (!relink)
        return;
    for (int32_t i = 0; i < relink->column_count; i++)
        tacit__free(relink->columns[i].name);
    tacit__free(relink);
}
