/*
 * relink_page.c - re-linking on a page: what each attack came to beside what it would have come
 * to with unchanged values, how closely numbers can be guessed, and the protection models.
 */
#include <stdio.h>

#include "engine/job/print.h"
#include "engine/masking/relink_account.h"
#include "engine/records/verdict.h"

static void show_tiles(tacit_page *page, const tacit_relink *found)
{
    static const char *const NAMES[] = {"re-linked at best", "if nothing were changed",
                                        "by guessing", "links made with confidence"};
    const tacit_relink_attack *best = &found->attacks[found->best];
    char share[32], unprotected[32], guess[32];
    engine_counted trusted = engine_count(best->declared);
    snprintf(share, sizeof share, "%.1f%%", 100 * best->share);
    snprintf(unprotected, sizeof unprotected, "%.1f%%", 100 * found->unprotected);
    snprintf(guess, sizeof guess, "%.2g%%", 100 * found->guess);
    const char *const values[] = {share, unprotected, guess, trusted.text};
    tacit_page_tiles(page, NAMES, values, 4);
}

static void draw_attacks(tacit_page *page, const tacit_relink *found)
{
    static const char *const NAMES[] = {"distance", "Mahalanobis", "ranks", "probability"};
    const char *names[TACIT_RELINK_KINDS];
    double before[TACIT_RELINK_KINDS], after[TACIT_RELINK_KINDS];
    int count = 0;
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
        if (!found->attacks[kind].tried)
            continue;
        names[count] = NAMES[kind];
        before[count] = 100 * found->unprotected;
        after[count++] = 100 * found->attacks[kind].share;
    }
    tacit_page_bars(page, &(tacit_bars){.title = "Records re-linked to their person",
                                        .x_label = "attack",
                                        .y_label = "% of records",
                                        .names = names,
                                        .first = before,
                                        .second = after,
                                        .first_name = "values unchanged",
                                        .second_name = "this release",
                                        .count = count,
                                        .marker = -1});
}

static void show_attacks(tacit_page *page, const tacit_relink *found)
{
    static const char *const HEADER[] = {"attack by",   "records",         "% re-linked",  "from",
                                         "to (at 95%)", "with confidence", "of them right"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 7);
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
        const tacit_relink_attack *attack = &found->attacks[kind];
        if (!attack->tried)
            continue;
        tacit_grid_add(&grid, "%s", tacit_relink_kind_name((tacit_relink_kind)kind));
        tacit_grid_add(&grid, "%lld", (long long)attack->attacked);
        tacit_grid_add(&grid, "%.2f", 100 * attack->share);
        tacit_grid_add(&grid, "%.2f", 100 * attack->low);
        tacit_grid_add(&grid, "%.2f", 100 * attack->high);
        tacit_grid_add(&grid, "%lld", (long long)attack->declared);
        tacit_grid_add(&grid, "%lld", (long long)attack->declared_right);
    }
    tacit_grid_show(&grid, page, "The attacks");
    tacit_grid_clear(&grid);
}

/* Shares of a column's windows, with what chance would give in brackets where it is known. */
static void add_windows(tacit_grid *grid, const char *name, const double *shares,
                        const double *chances, int32_t count)
{
    tacit_grid_add(grid, "%s", name);
    for (int32_t i = 0; i < count; i++)
        if (chances)
            tacit_grid_add(grid, "%.1f (%.1f)", 100 * shares[i], 100 * chances[i]);
        else
            tacit_grid_add(grid, "%.1f", 100 * shares[i]);
}

static void show_windows(tacit_page *page, const tacit_relink *found, bool ranks,
                         const char *caption)
{
    char texts[TACIT_MAX_RELINK_WINDOWS][32];
    const char *header[TACIT_MAX_RELINK_WINDOWS + 1] = {"column"};
    tacit_grid grid;
    if (found->numeric_count == 0 || found->window_count == 0)
        return;
    for (int32_t i = 0; i < found->window_count; i++) {
        snprintf(texts[i], sizeof texts[i], "within %g%%", found->windows[i]);
        header[i + 1] = texts[i];
    }
    tacit_grid_init(&grid, header, found->window_count + 1);
    for (int32_t i = 0; i < found->column_count; i++) {
        const tacit_relink_column *column = &found->columns[i];
        if (column->numeric)
            add_windows(&grid, column->name,
                        ranks ? column->within_ranks : column->within_deviations,
                        ranks ? NULL : column->by_chance, found->window_count);
    }
    if (found->numeric_count > 1)
        add_windows(&grid, "all of them", ranks ? found->joint_ranks : found->joint_deviations,
                    NULL, found->window_count);
    tacit_grid_show(&grid, page, caption);
    tacit_grid_clear(&grid);
}

static void show_models(tacit_page *page, const tacit_relink *found)
{
    static const char *const HEADER[] = {"model", "verdict", "why"};
    engine_relink_model models[ENGINE_RELINK_MODELS];
    tacit_grid grid;
    engine_relink_models(models, &found->maps);
    tacit_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < ENGINE_RELINK_MODELS; i++) {
        tacit_grid_add(&grid, "%s", models[i].name);
        tacit_grid_add(&grid, "%s", models[i].verdict);
        tacit_grid_add(&grid, "%s", models[i].why);
    }
    tacit_grid_show(&grid, page, "Protection models");
    tacit_grid_clear(&grid);
}

void engine_relink_page(tacit_page *page, const tacit_relink *found)
{
    char share[256], text[640];
    if (found->records == 0)
        return;
    tacit_page_heading(page, "Re-linked to the original");
    snprintf(text, sizeof text,
             "An adversary who has these columns of everybody takes the nearest person for each "
             "record. He is right about %s with the best attack, by %s.",
             engine_relink_share(share, sizeof share, found, &found->attacks[found->best]),
             tacit_relink_kind_name(found->best));
    tacit_page_paragraph(page, text);
    show_tiles(page, found);
    draw_attacks(page, found);
    show_attacks(page, found);
    show_windows(page, found, false,
                 "Records whose original number lies within so much of the standard deviation "
                 "around the released one, in % (two people taken by chance)");
    show_windows(page, found, true, "The same within so much of all ranks");
    show_models(page, found);
}
