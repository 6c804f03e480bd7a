/*
 * relink_account.c - re-linking in words: a few lines on the terminal and the JSON of --report.
 *
 * The best attack is what counts; a share of it means little without what guessing and what
 * unchanged values would give, so these stand beside it.
 */
#include "engine/masking/relink_account.h"
#include "engine/job/print.h"

#include <stdio.h>

#include "engine/records/verdict.h"

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

/* ---- the protection models ---- */

static const char *verdict_name(tacit_link_verdict verdict)
{
    static const char *const NAMES[] = {"unknown", "holds", "broken"};
    return NAMES[verdict];
}

void engine_relink_models(engine_relink_model models[ENGINE_RELINK_MODELS],
                          const tacit_relink_maps *maps)
{
    models[0] = (engine_relink_model){.name = "null-map", .verdict = verdict_name(maps->null_map)};
    models[1] =
        (engine_relink_model){.name = "wrong-map", .verdict = verdict_name(maps->wrong_map)};
    models[2] = (engine_relink_model){.name = "k-map", .verdict = verdict_name(maps->k_map)};
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

/* ---- the terminal ---- */

static void tell_attacks(FILE *out, const tacit_relink *found)
{
    const tacit_relink_attack *best = &found->attacks[found->best];
    char text[256];
    engine_line(out, "re-linked",
                "%s by %s, the best of the attacks; %s if nothing were changed, %s by "
                "guessing",
                engine_relink_share(text, sizeof text, found, best),
                tacit_relink_kind_name(found->best), percent_of(found->unprotected).text,
                percent_of(found->guess).text);
    if (best->declared > 0)
        engine_line(
            out, "",
            "%s links are made with confidence, since nobody else is nearly as close; %s of "
            "them are right",
            engine_count(best->declared).text, engine_count(best->declared_right).text);
    else
        engine_line(out, "",
                    "no link is made with confidence: somebody else is always nearly as close");
}

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

static void tell_windows(FILE *out, const tacit_relink *found)
{
    int32_t window = found->window_count - 1;
    if (found->numeric_count == 0 || window < 0)
        return;
    const tacit_relink_column *worst = &found->columns[worst_column(found)];
    char name[64];
    engine_line(
        out, "numbers",
        "%s of the originals of \"%s\" lie within %g%% of its standard deviation around the "
        "released one, by chance %s%s%s",
        percent_of(worst->within_deviations[window]).text,
        engine_printable(name, sizeof name, tacit_strview_of(worst->name)), found->windows[window],
        percent_of(worst->by_chance[window]).text,
        found->numeric_count > 1 ? "; of records in all columns of numbers " : "",
        found->numeric_count > 1 ? percent_of(found->joint_deviations[window]).text : "");
}

static void tell_models(FILE *out, const tacit_relink *found)
{
    engine_relink_model models[ENGINE_RELINK_MODELS];
    engine_relink_models(models, &found->maps);
    for (int i = 0; i < ENGINE_RELINK_MODELS; i++)
        engine_line(out, models[i].name, "%s: %s", models[i].verdict, models[i].why);
}

void engine_relink_tell(FILE *out, const tacit_relink *found)
{
    if (found->records == 0)
        return;
    tell_attacks(out, found);
    tell_windows(out, found);
    tell_models(out, found);
}

/* ---- the account ---- */

static void add_attacks(tacit_account *account, const tacit_relink *found)
{
    for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++) {
        const tacit_relink_attack *attack = &found->attacks[kind];
        if (!attack->tried)
            continue;
        tacit_account_push_object(account, "relinked.attacks");
        tacit_account_text(account, "@.by",
                           tacit_strview_of(tacit_relink_kind_name((tacit_relink_kind)kind)));
        tacit_account_integer(account, "@.attacked", attack->attacked);
        tacit_account_real(account, "@.right", attack->right);
        tacit_account_real(account, "@.share", attack->share);
        tacit_account_real(account, "@.low", attack->low);
        tacit_account_real(account, "@.high", attack->high);
        tacit_account_integer(account, "@.one_nearest", attack->alone);
        tacit_account_integer(account, "@.confident", attack->declared);
        tacit_account_integer(account, "@.confident_right", attack->declared_right);
    }
}

static void add_agreement(tacit_account *account, const tacit_relink *found)
{
    for (int32_t i = 0; i < found->column_count; i++) {
        const tacit_relink_column *column = &found->columns[i];
        tacit_account_push_object(account, "relinked.agreement");
        tacit_account_text(account, "@.column", tacit_strview_of(column->name));
        tacit_account_bool(account, "@.numeric", column->numeric);
        tacit_account_real(account, "@.match_agrees", column->m[0]);
        if (column->numeric)
            tacit_account_real(account, "@.match_nearly", column->m[1]);
        tacit_account_real(account, "@.other_agrees", column->u[0]);
        if (column->numeric)
            tacit_account_real(account, "@.other_nearly", column->u[1]);
    }
}

static void add_windows(tacit_account *account, const tacit_relink *found)
{
    for (int32_t i = 0; i < found->column_count; i++)
        for (int32_t j = 0; found->columns[i].numeric && j < found->window_count; j++) {
            tacit_account_push_object(account, "relinked.intervals");
            tacit_account_text(account, "@.column", tacit_strview_of(found->columns[i].name));
            tacit_account_real(account, "@.percent", found->windows[j]);
            tacit_account_real(account, "@.within_deviations",
                               found->columns[i].within_deviations[j]);
            tacit_account_real(account, "@.within_ranks", found->columns[i].within_ranks[j]);
            tacit_account_real(account, "@.by_chance", found->columns[i].by_chance[j]);
        }
    for (int32_t j = 0; found->numeric_count > 1 && j < found->window_count; j++) {
        tacit_account_push_object(account, "relinked.joint_intervals");
        tacit_account_real(account, "@.percent", found->windows[j]);
        tacit_account_real(account, "@.within_deviations", found->joint_deviations[j]);
        tacit_account_real(account, "@.within_ranks", found->joint_ranks[j]);
    }
}

static void add_maps(tacit_account *account, const tacit_relink_maps *maps)
{
    engine_relink_model models[ENGINE_RELINK_MODELS];
    engine_relink_models(models, maps);
    for (int i = 0; i < ENGINE_RELINK_MODELS; i++) {
        tacit_account_push_object(account, "relinked.protection");
        tacit_account_text(account, "@.model", tacit_strview_of(models[i].name));
        tacit_account_text(account, "@.verdict", tacit_strview_of(models[i].verdict));
        tacit_account_text(account, "@.why", tacit_strview_of(models[i].why));
    }
    tacit_account_integer(account, "relinked.maps.records", maps->records);
    tacit_account_integer(account, "relinked.maps.fewest_people", maps->smallest);
    tacit_account_integer(account, "relinked.maps.to_nobody", maps->to_nobody);
    tacit_account_integer(account, "relinked.maps.to_a_subject", maps->to_subject);
    tacit_account_integer(account, "relinked.maps.to_one_subject", maps->to_one);
    tacit_account_integer(account, "relinked.maps.to_wrong_subject", maps->to_wrong);
    tacit_account_integer(account, "relinked.maps.to_own_subject", maps->to_own);
    tacit_account_integer(account, "relinked.maps.unreadable", maps->unreadable);
}

void engine_relink_account(tacit_account *account, const tacit_relink *found)
{
    tacit_account_integer(account, "relinked.records", found->records);
    tacit_account_integer(account, "relinked.people", found->people);
    tacit_account_integer(account, "relinked.made_up", found->made_up);
    tacit_account_bool(account, "relinked.sampled", found->sampled);
    tacit_account_text(account, "relinked.best",
                       tacit_strview_of(tacit_relink_kind_name(found->best)));
    tacit_account_real(account, "relinked.share", found->attacks[found->best].share);
    tacit_account_real(account, "relinked.unprotected", found->unprotected);
    tacit_account_real(account, "relinked.guessing", found->guess);
    add_attacks(account, found);
    add_agreement(account, found);
    add_windows(account, found);
    add_maps(account, &found->maps);
}
