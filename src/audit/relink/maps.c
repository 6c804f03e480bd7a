/*
 * maps.c - null-map, wrong-map and k-map of a release against its original (Sweeney,
 * Computational Disclosure Control, 4.3).
 *
 * The people are the original's rows, the subjects those behind released records. A record maps to
 * a person where every label is, or stands for, his value; a missing value is one of its own, and a
 * label that nobody has maps to nobody. How the definitions are read is said in audit_link.h: the
 * words are followed where formula and words differ. Since the truth is known, so is every verdict,
 * unless steps run out before all records are looked at: then those are counted otherwise
 * (nested.c), or what was not refuted is unknown. It is unknown, too, whether null-map holds
 * where labels could not be read though there was a hierarchy, for they may stand for values.
 */
#include "audit/relink/relink.h"

static void count_row(tacit_relink_maps *maps, const tacit__relink_asker *asker, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    bool own;
    const tacit__relink_answer *answer = tacit__relink_answer_of(&own, query, asker, row);
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
    tacit_status status = tacit__relink_asker_init(&asker, err);
    while (status == TACIT_OK && maps->records < rows && asker.steps < scene->options->most_steps) {
        int64_t from = maps->records, to = from + TACIT__RELINK_ROUND;
        if (to > rows)
            to = rows;
        status = tacit__relink_ask(&asker, from, to, err);
        for (int64_t row = from; row < to && status == TACIT_OK; row++)
            count_row(maps, &asker, row);
    }
    tacit__relink_asker_clear(&asker);
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
