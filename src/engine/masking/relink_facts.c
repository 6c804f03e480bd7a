/*
 * relink_facts.c - how far a release can be re-linked to its original: what each attack came to
 * beside what it would have come to with unchanged values, how closely numbers can be guessed, and
 * the protection models. Shares and counts only; nothing of it is a value of a person.
 *
 * The best attack is what counts; a share of it means little without what guessing and what
 * unchanged values would give, so these stand beside it.
 */
#include "engine/masking/measured.h"

#include <stdio.h>

/* A share as people read it: "8.3%", and small ones that are not 0 as such. */
typedef struct percent {
    char text[16];
} percent;

static percent percent_of(double share)
{
    percent p;
    if (share > 0 && share < 0.0005)
        snprintf(p.text, sizeof p.text, "below 0.1%%");
    else
        snprintf(p.text, sizeof p.text, "%.1f%%", 100 * share);
    return p;
}

const char *engine_relink_share(char *buffer, size_t size, const tacit_relink *found,
                                const tacit_relink_attack *attack)
{
    char of[96];
    if (attack->attacked < found->records)
        snprintf(of, sizeof of, "a sample of %s of %s", engine_count(attack->attacked).text,
                 engine_count(found->records).text);
    else
        snprintf(of, sizeof of, "%s", engine_count(found->records).text);
    snprintf(buffer, size, "%s of %s records (95%%: %s to %s)", percent_of(attack->share).text, of,
             percent_of(attack->low).text, percent_of(attack->high).text);
    return buffer;
}

enum { MODELS = 3 };

static void judge_models(engine_map_model models[MODELS], const tacit_relink_maps *maps)
{
    models[0] = (engine_map_model){.name = "null-map", .verdict = maps->null_map};
    models[1] = (engine_map_model){.name = "wrong-map", .verdict = maps->wrong_map};
    models[2] = (engine_map_model){.name = "k-map", .verdict = maps->k_map};
    snprintf(models[0].why, sizeof models[0].why,
             "taken at their word, %s of %s records map to a subject",
             engine_count(maps->to_subject).text, engine_count(maps->records).text);
    snprintf(models[1].why, sizeof models[1].why,
             "taken at their word, %s of %s records map to exactly one subject, not their own",
             engine_count(maps->to_wrong).text, engine_count(maps->records).text);
    snprintf(models[2].why, sizeof models[2].why,
             "the fewest people that a record maps to: %s; k = %lld",
             engine_count(maps->smallest).text, (long long)maps->k);
}

/* ---- attacks ---- */

static void draw_attacks(tacit_page *page, const void *subject)
{
    const tacit_relink *found = subject;
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

static void say_attacks(tacit_report *report, const tacit_relink *found)
{
    const tacit_relink_attack *best = &found->attacks[found->best];
    char text[256];
    engine_relink_share(text, sizeof text, found, best);
    tacit_report_paragraph(report, "An adversary who has these columns for everybody links each "
                                   "record to the nearest person.");
    tacit_report_tile(report, "re-linked at best", "%.1f%%", 100 * best->share);
    tacit_report_tile(report, "if nothing were changed", "%.1f%%", 100 * found->unprotected);
    tacit_report_tile(report, "by guessing", "%.2g%%", 100 * found->guess);
    tacit_report_tile(report, "links made with confidence", "%s",
                      engine_count(best->declared).text);
    tacit_report_line(report, "re-linked",
                      "%s by %s, the best of the attacks; %s if nothing were changed, %s by "
                      "guessing",
                      text, tacit_relink_kind_name(found->best),
                      percent_of(found->unprotected).text, percent_of(found->guess).text);
    if (best->declared > 0)
        tacit_report_line(report, "",
                          "%s links are made with confidence, because nobody else is nearly as "
                          "close; %s of them are correct",
                          engine_count(best->declared).text,
                          engine_count(best->declared_right).text);
    else
        tacit_report_line(
            report, "",
            "no link is made with confidence: another person is always nearly as close");
}

static void add_attacks(tacit_report *report, const tacit_relink *found)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "by", .heading = "attack by"},
        {.key = "attacked", .heading = "records"},
        {.key = "right"},
        {.key = "share", .heading = "% re-linked", .scale = 100, .decimals = 2},
        {.key = "low", .heading = "from", .scale = 100, .decimals = 2},
        {.key = "high", .heading = "to (at 95%)", .scale = 100, .decimals = 2},
        {.key = "one_nearest"},
        {.key = "confident", .heading = "with confidence"},
        {.key = "confident_right", .heading = "of them right"},
    };
    tacit_report_begin(report, TACIT_TABLE("attacks", "The attacks", false, COLUMNS));
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
        const tacit_relink_attack *attack = &found->attacks[kind];
        if (!attack->tried)
            continue;
        tacit_report_cell(report, "%s", tacit_relink_kind_name((tacit_relink_kind)kind));
        tacit_report_cell_integer(report, attack->attacked);
        tacit_report_cell_real(report, attack->right);
        tacit_report_cell_real(report, attack->share);
        tacit_report_cell_real(report, attack->low);
        tacit_report_cell_real(report, attack->high);
        tacit_report_cell_integer(report, attack->alone);
        tacit_report_cell_integer(report, attack->declared);
        tacit_report_cell_integer(report, attack->declared_right);
    }
    tacit_report_drawing(report, draw_attacks, found);
}

/* How often columns agree, of a person's own record and of another's. */
static void add_agreement(tacit_report *report, const tacit_relink *found)
{
    for (int32_t i = 0; i < found->column_count; i++) {
        const tacit_relink_column *column = &found->columns[i];
        tacit_report_item(report, "agreement");
        tacit_report_text(report, "column", column->name);
        tacit_report_bool(report, "numeric", column->numeric);
        tacit_report_real(report, "match_agrees", column->m[0]);
        if (column->numeric)
            tacit_report_real(report, "match_nearly", column->m[1]);
        tacit_report_real(report, "other_agrees", column->u[0]);
        if (column->numeric)
            tacit_report_real(report, "other_nearly", column->u[1]);
        tacit_report_leave(report);
    }
}

/* ---- windows around numbers ---- */

/* The column whose numbers are guessed most often in the widest window. */
static int32_t worst_column(const tacit_relink *found)
{
    int32_t worst = -1, window = found->window_count - 1;
    for (int32_t i = 0; i < found->column_count; i++)
        if (found->columns[i].numeric &&
            (worst < 0 || found->columns[i].within_deviations[window] >
                              found->columns[worst].within_deviations[window]))
            worst = i;
    return worst;
}

static void say_windows(tacit_report *report, const tacit_relink *found)
{
    int32_t window = found->window_count - 1;
    if (found->numeric_count == 0 || window < 0)
        return;
    const tacit_relink_column *worst = &found->columns[worst_column(found)];
    char name[64];
    tacit_report_line(
        report, "numbers",
        "%s of the originals of \"%s\" lie within %g%% of its standard deviation around the "
        "released one, by chance %s%s%s",
        percent_of(worst->within_deviations[window]).text,
        engine_printable(name, sizeof name, tacit_strview_of(worst->name)), found->windows[window],
        percent_of(worst->by_chance[window]).text,
        found->numeric_count > 1 ? "; of records in all columns of numbers " : "",
        found->numeric_count > 1 ? percent_of(found->joint_deviations[window]).text : "");
}

static void add_windows(tacit_report *report, const tacit_relink *found)
{
    for (int32_t i = 0; i < found->column_count; i++)
        for (int32_t j = 0; found->columns[i].numeric && j < found->window_count; j++) {
            tacit_report_item(report, "intervals");
            tacit_report_text(report, "column", found->columns[i].name);
            tacit_report_real(report, "percent", found->windows[j]);
            tacit_report_real(report, "within_deviations", found->columns[i].within_deviations[j]);
            tacit_report_real(report, "within_ranks", found->columns[i].within_ranks[j]);
            tacit_report_real(report, "by_chance", found->columns[i].by_chance[j]);
            tacit_report_leave(report);
        }
    for (int32_t j = 0; found->numeric_count > 1 && j < found->window_count; j++) {
        tacit_report_item(report, "joint_intervals");
        tacit_report_real(report, "percent", found->windows[j]);
        tacit_report_real(report, "within_deviations", found->joint_deviations[j]);
        tacit_report_real(report, "within_ranks", found->joint_ranks[j]);
        tacit_report_leave(report);
    }
}

/* Shares of a column's windows, with what chance would give in brackets where it is known. */
static void show_shares(tacit_report *report, const char *name, const double *shares,
                        const double *chances, int32_t count)
{
    tacit_report_cell(report, "%s", name);
    for (int32_t i = 0; i < count; i++)
        if (chances)
            tacit_report_cell(report, "%.1f (%.1f)", 100 * shares[i], 100 * chances[i]);
        else
            tacit_report_cell(report, "%.1f", 100 * shares[i]);
}

static void show_windows(tacit_report *report, const tacit_relink *found, bool ranks,
                         const char *title)
{
    char texts[TACIT_MAX_RELINK_WINDOWS][32];
    tacit_report_column columns[TACIT_MAX_RELINK_WINDOWS + 1] = {{.heading = "column"}};
    if (found->numeric_count == 0 || found->window_count == 0)
        return;
    for (int32_t i = 0; i < found->window_count; i++) {
        snprintf(texts[i], sizeof texts[i], "within %g%%", found->windows[i]);
        columns[i + 1].heading = texts[i];
    }
    tacit_report_begin(report, &(tacit_report_table){.title = title,
                                                     .columns = columns,
                                                     .column_count = found->window_count + 1});
    for (int32_t i = 0; i < found->column_count; i++) {
        const tacit_relink_column *column = &found->columns[i];
        if (column->numeric)
            show_shares(report, column->name,
                        ranks ? column->within_ranks : column->within_deviations,
                        ranks ? NULL : column->by_chance, found->window_count);
    }
    if (found->numeric_count > 1)
        show_shares(report, "all of them", ranks ? found->joint_ranks : found->joint_deviations,
                    NULL, found->window_count);
}

/* ---- all ---- */

static const tacit_field MAPS[] = {
    TACIT_FIELD(tacit_relink_maps, records, "maps.records", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, smallest, "maps.fewest_people", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, to_nobody, "maps.to_nobody", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, to_subject, "maps.to_a_subject", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, to_one, "maps.to_one_subject", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, to_wrong, "maps.to_wrong_subject", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, to_own, "maps.to_own_subject", NULL, 0),
    TACIT_FIELD(tacit_relink_maps, unreadable, "maps.unreadable", NULL, 0),
};

static void add_numbers(tacit_report *report, const tacit_relink *found)
{
    tacit_report_integer(report, "records", found->records);
    tacit_report_integer(report, "people", found->people);
    tacit_report_integer(report, "made_up", found->made_up);
    tacit_report_bool(report, "sampled", found->sampled);
    tacit_report_text(report, "best", tacit_relink_kind_name(found->best));
    tacit_report_real(report, "share", found->attacks[found->best].share);
    tacit_report_real(report, "unprotected", found->unprotected);
    tacit_report_real(report, "guessing", found->guess);
}

/* Of no records there are numbers, and nothing to read. */
void engine_relink_facts(tacit_report *report, const tacit_relink *found)
{
    engine_map_model models[MODELS];
    unsigned before =
        tacit_report_narrow(report, found->records ? TACIT_SHOW_ALL : TACIT_SHOW_JSON);
    tacit_report_enter(report, "relinked");
    tacit_report_section(report, "Re-linked to the original");
    add_numbers(report, found);
    say_attacks(report, found);
    if (found->records > 0)
        add_attacks(report, found);
    add_agreement(report, found);
    say_windows(report, found);
    add_windows(report, found);
    show_windows(report, found, false,
                 "Records whose original number lies within so much of the standard deviation "
                 "around the released one, in % (two people taken by chance)");
    show_windows(report, found, true, "The same within so much of all ranks");
    judge_models(models, &found->maps);
    engine_map_models_facts(report, models, MODELS);
    tacit_report_fields(report, MAPS, TACIT_COUNT_OF(MAPS), &found->maps);
    tacit_report_leave(report);
    tacit_report_show(report, before);
}
