/*
 * relink_maps.c - null-map, wrong-map and k-map of a release against its original (Sweeney,
 * Computational Disclosure Control, 4.3).
 *
 * The people are the original's rows, the subjects those behind released records. A record maps to
 * a person where every label is, or stands for, his value; a missing value is one of its own, and a
 * label that nobody has maps to nobody. How the definitions are read is said in audit_link.h: the
 * words are followed where formula and words differ. Since the truth is known, so is every verdict,
 * unless steps run out before all records are looked at: then what was not refuted is unknown. It
 * is unknown, too, whether null-map holds where labels could not be read though there was a
 * hierarchy, for they may stand for values.
 */
#include "audit/relink.h"

static bool is_unreadable(const tacit__stretch *query, int32_t columns)
{
    for (int32_t i = 0; i < columns; i++)
        if (query[i].kind == TACIT__READ_FOREIGN)
            return true;
    return false;
}

static void count_row(tacit_relink_maps *maps, const tacit__relink_asker *asker, int64_t row)
{
    tacit__stretch query[TACIT_MAX_RELINK_COLUMNS];
    bool own;
    const tacit__relink_answer *answer = tacit__relink_answer_of(&own, query, asker, row);
    if (maps->records++ == 0 || answer->people < maps->smallest)
        maps->smallest = answer->people;
    maps->to_nobody += answer->people == 0;
    maps->to_subject += answer->subjects > 0;
    maps->to_one += answer->subjects == 1;
    maps->to_wrong += answer->subjects == 1 && !own;
    maps->to_own += own;
    maps->unreadable += is_unreadable(query, asker->view->scene->columns);
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
    maps->wrong_map =
        verdict(rows <= 2 || (maps->to_wrong < maps->records && !unsure), known && !unsure);
    maps->k_map = verdict(below && !unsure, known && !below);
}

tacit_status tacit__relink_map(tacit_relink_maps *out, const tacit__relink_view *view,
                               const tacit__relink_tree *tree, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_asker asker = {
        .view = view, .tree = tree, .costs = costs, .reach = 1, .compatible = true};
    tacit_relink_maps maps = {.k = scene->options->k};
    int64_t rows = tacit_table_rows(scene->c->release);
    tacit__relink_compatible(costs, scene);
    tacit_status status = tacit__relink_asker_init(&asker, err);
    while (status == TACIT_OK && maps.records < rows && asker.steps < scene->options->most_steps) {
        int64_t from = maps.records, to = from + TACIT__RELINK_ROUND;
        if (to > rows)
            to = rows;
        status = tacit__relink_ask(&asker, from, to, err);
        for (int64_t row = from; row < to && status == TACIT_OK; row++)
            count_row(&maps, &asker, row);
    }
    tacit__relink_asker_clear(&asker);
    if (status != TACIT_OK)
        return status;
    judge(&maps, scene);
    *out = maps;
    return TACIT_OK;
}
