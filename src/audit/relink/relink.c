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
 * options.most_records times, and evidence.c.
 */
#include "audit/relink/relink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Interval disclosure: how often a number's original lies close to what was released (Pagliuca and
 * Seri 1999; Mateo-Sanz, Sebe and Domingo-Ferrer 2004).
 *
 * Close is counted in two ways: within p % of the original's standard deviation, and within p % of
 * all ranks above or below the released value's place among the original's. The second is not
 * misled by a few very large values. A stretch counts as its middle. A value that is suppressed,
 * missing or unreadable discloses nothing. Beside it stands how often two people's values are so
 * close by chance, without which a share says little.
 *
 * Cost: a sort of distinct values and a pass over the rows for each column; 2 bytes a row. */

/* A number, and how many people are below and up to it. */
typedef struct interval_step {
    double number;
    int64_t below, upto;
} interval_step;

typedef struct column {
    const tacit__relink_scene *scene;
    const tacit__relink_axis *axis;
    interval_step *steps; /* of the original, by rank */
    uint32_t count;
    interval_step *labels; /* by code of the release */
    int64_t known;         /* people with a number */
} column;

/* A released number among the original's. */
static interval_step step_of(const column *c, double number)
{
    uint32_t low = 0, high = c->count;
    TACIT__BISECT(low, high, middle, c->steps[middle].number < number);
    if (low < c->count && c->steps[low].number == number)
        return c->steps[low];
    int64_t below = low > 0 ? c->steps[low - 1].upto : 0;
    return (interval_step){number, below, below};
}

static void climb(column *c)
{
    const tacit__relink_axis *axis = c->axis;
    tacit_codes_view codes = tacit_table_codes(c->scene->c->original, axis->original);
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (!isnan(axis->places[code]))
            c->steps[axis->ranks[code]].number = axis->places[code];
    for (int64_t row = 0; row < tacit_table_rows(c->scene->c->original); row++)
        c->steps[axis->ranks[tacit_codes_at(codes, row)]].upto++;
    for (uint32_t i = 0; i < c->count; i++) {
        c->steps[i].below = c->known;
        c->steps[i].upto = c->known += c->steps[i].upto;
    }
    for (uint32_t code = 0; code < axis->label_count; code++) {
        const tacit__relink_stretch *label = &axis->labels[code];
        if (label->kind == TACIT__READ_STRETCH)
            c->labels[code] = step_of(c, label->low + (label->high - label->low) / 2);
    }
}

/* The share of pairs of people whose numbers are at most so far apart. */
static double chance(const column *c, double apart)
{
    double pairs = 0;
    for (uint32_t i = 0, from = 0, to = 0; i < c->count; i++) {
        double number = c->steps[i].number, people = (double)(c->steps[i].upto - c->steps[i].below);
        while (c->steps[from].number < number - apart)
            from++;
        while (to < c->count && c->steps[to].number <= number + apart)
            to++;
        pairs += people * (double)(c->steps[to - 1].upto - c->steps[from].below - 1);
    }
    return c->known > 1 ? pairs / ((double)c->known * (double)(c->known - 1)) : 0;
}

/* A bit for each window that holds the original value: of deviations, then of ranks. */
static uint16_t windows_around(const column *c, const interval_step *around,
                               const interval_step *own)
{
    const tacit_relink_options *options = c->scene->options;
    uint16_t bits = 0;
    for (int32_t i = 0; i < options->window_count; i++) {
        double share = options->windows[i] / 100;
        int64_t ranks = (int64_t)(share * (double)c->known);
        if (fabs(around->number - own->number) <= share * c->axis->deviation)
            bits |= (uint16_t)(1u << i);
        if (own->upto > around->below - ranks && own->below < around->upto + ranks)
            bits |= (uint16_t)(1u << (i + TACIT_MAX_RELINK_WINDOWS));
    }
    return bits;
}

static void add_bits(int64_t *counts, uint16_t bits)
{
    for (; bits; bits = (uint16_t)(bits & (bits - 1)))
        counts[__builtin_ctz(bits)]++;
}

/* Shares of the records that are somebody's. */
static void set_interval_shares(double *deviations, double *ranks, const int64_t *counts,
                                int64_t records, int32_t windows)
{
    for (int32_t i = 0; i < windows; i++) {
        double all = records > 0 ? (double)records : 1;
        deviations[i] = (double)counts[i] / all;
        ranks[i] = (double)counts[i + TACIT_MAX_RELINK_WINDOWS] / all;
    }
}

static int64_t measure_rows(const column *c, int64_t *counts, uint16_t *joint)
{
    const tacit_relink_case *files = c->scene->c;
    tacit_codes_view said = tacit_table_codes(files->release, c->axis->release);
    tacit_codes_view known = tacit_table_codes(files->original, c->axis->original);
    int64_t records = 0;
    for (int64_t row = 0; row < tacit_table_rows(files->release); row++) {
        uint32_t origin = tacit__relink_origin(c->scene, row);
        if (origin == TACIT_RELINK_MADE_UP) {
            joint[row] = 0;
            continue;
        }
        records++;
        uint32_t label = tacit_codes_at(said, row);
        uint32_t rank = c->axis->ranks[tacit_codes_at(known, origin)];
        uint16_t bits = 0;
        if (c->axis->labels[label].kind == TACIT__READ_STRETCH && rank < c->count)
            bits = windows_around(c, &c->labels[label], &c->steps[rank]);
        add_bits(counts, bits);
        joint[row] &= bits;
    }
    return records;
}

static tacit_status measure_column(tacit_relink *out, int32_t index, uint16_t *joint,
                                   int64_t *records, const tacit__relink_scene *scene,
                                   tacit_error *err)
{
    const tacit__relink_axis *axis = &scene->axes[index];
    column c = {.scene = scene, .axis = axis, .count = axis->rank_count - 1};
    tacit_relink_column *to = &out->columns[index];
    int64_t counts[2 * TACIT_MAX_RELINK_WINDOWS] = {0};
    /* One more, for people without a number. */
    c.steps = tacit__alloc_zeroed(axis->rank_count, sizeof *c.steps);
    c.labels = tacit__alloc_array(axis->label_count, sizeof *c.labels);
    if (!c.steps || !c.labels) {
        tacit__free(c.steps);
        tacit__free(c.labels);
        return tacit__nomem(err);
    }
    climb(&c);
    *records = measure_rows(&c, counts, joint);
    set_interval_shares(to->within_deviations, to->within_ranks, counts, *records,
                        out->window_count);
    for (int32_t i = 0; i < out->window_count; i++)
        to->by_chance[i] = chance(&c, out->windows[i] / 100 * axis->deviation);
    tacit__free(c.steps);
    tacit__free(c.labels);
    return TACIT_OK;
}

/* Interval disclosure. */
static tacit_status intervals(tacit_relink *out, const tacit__relink_scene *scene, tacit_error *err)
{
    int64_t rows = tacit_table_rows(scene->c->release), records = 0;
    int64_t counts[2 * TACIT_MAX_RELINK_WINDOWS] = {0};
    uint16_t *joint = tacit__alloc_array((size_t)rows, sizeof *joint);
    tacit_status status = joint ? TACIT_OK : tacit__nomem(err);
    if (joint)
        memset(joint, 0xff, (size_t)rows * sizeof *joint);
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++)
        if (scene->axes[i].numeric)
            status = measure_column(out, i, joint, &records, scene, err);
    for (int64_t row = 0; row < rows && out->numeric_count > 0 && status == TACIT_OK; row++)
        add_bits(counts, joint[row]);
    if (status == TACIT_OK)
        set_interval_shares(out->joint_deviations, out->joint_ranks, counts, records,
                            out->window_count);
    tacit__free(joint);
    return status;
}

void tacit_relink_options_init(tacit_relink_options *options)
{
    *options = (tacit_relink_options){.k = 2,
                                      .max_records = 20000,
                                      .max_steps = 100000000,
                                      .max_pairs = 20000000,
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
    if (o->k < 1 || o->max_records < 1 || o->max_steps < 1 || o->max_pairs < 1)
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
        status = intervals(out, scene, err);
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
