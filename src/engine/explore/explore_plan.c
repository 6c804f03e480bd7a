/*
 * explore_plan.c - which methods, k and losses are explored.
 *
 * Methods are those whose entry in the table says so, unless --method names one.
 * The k and losses are a few round numbers and the policy's own, unless the
 * command line lists others. Of the round k only those are taken for which a
 * table can have two classes, for beyond, every release is one class; and of
 * losses that allow as many rows only one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/explore/explore.h"
#include "engine/records/wanted.h"

static const int64_t ROUND_KS[] = {2, 3, 5, 10, 20, 50, 100};
static const double ROUND_LOSSES[] = {0, 0.01, 0.02, 0.05, 0.1};

/* Flags that are about a release. */
static const char *const REFUSED[] = {"unsafe",       "ask",         "as-published",
                                      "as-described", "all-minimal", "keep-order",
                                      "key-file",     "strict",      "spreadsheet-safe"};

static tacit_status refuse_flags(const engine_settings *settings, tacit_error *err)
{
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++)
        if (engine_has(settings, REFUSED[i]))
            return tacit__error(err, TACIT_INVALID,
                                "--%s is about a release, and --explore makes none; leave one of "
                                "them out",
                                REFUSED[i]);
    return TACIT_OK;
}

/* Puts a number into an ascending list, once; false where the list is full. */
static bool insert(double *list, int *count, int room, double value)
{
    int at = 0;
    while (at < *count && list[at] < value)
        at++;
    if (at < *count && list[at] == value)
        return true;
    if (*count == room)
        return false;
    memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
    list[at] = value;
    ++*count;
    return true;
}

/* What a list of numbers may hold. */
typedef struct list_rule {
    const char *option;
    const char *takes;
    double least, most;
    bool whole;
    int room;
} list_rule;

static const list_rule KS = {
    "explore-k", "whole numbers of 1 or more", 1, (double)TACIT_MAX_ROWS, true, ENGINE_EXPLORE_KS};
static const list_rule LOSSES = {"explore-loss", "shares from 0 to 1", 0, 1,
                                 false,          ENGINE_EXPLORE_LOSSES};

static bool fits(const list_rule *rule, double value)
{
    return value >= rule->least && value <= rule->most && (!rule->whole || value == floor(value));
}

/* Reads "2,5,10" into an ascending list. */
static tacit_status read_list(double *list, int *count, const list_rule *rule, const char *text,
                              tacit_error *err)
{
    for (const char *at = text; at; at = *at == ',' ? at + 1 : NULL) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !fits(rule, value))
            return tacit__error(err, TACIT_INVALID,
                                "--%s takes %s with commas between, not \"%.60s\"", rule->option,
                                rule->takes, text);
        if (!insert(list, count, rule->room, value))
            return tacit__error(err, TACIT_INVALID, "--%s takes at most %d numbers", rule->option,
                                rule->room);
        at = end;
    }
    return TACIT_OK;
}

static tacit_status plan_ks(engine_explore *explore, const engine_settings *settings,
                            tacit_error *err)
{
    double list[ENGINE_EXPLORE_KS];
    const char *text = engine_value(settings, KS.option);
    tacit_status status = TACIT_OK;
    explore->given_ks = text;
    if (text)
        status = read_list(list, &explore->k_count, &KS, text, err);
    for (size_t i = 0; !text && i < sizeof ROUND_KS / sizeof ROUND_KS[0]; i++)
        insert(list, &explore->k_count, ENGINE_EXPLORE_KS, (double)ROUND_KS[i]);
    for (int i = 0; i < explore->k_count; i++)
        explore->ks[i] = (int64_t)list[i];
    return status;
}

static tacit_status plan_losses(engine_explore *explore, const engine_settings *settings,
                                tacit_error *err)
{
    const char *text = engine_value(settings, LOSSES.option);
    const tacit_policy *policy = explore->release->policy;
    explore->own_loss = policy->has_loss ? policy->loss : NAN;
    explore->given_losses = text;
    if (text)
        return read_list(explore->losses, &explore->loss_count, &LOSSES, text, err);
    for (size_t i = 0; i < sizeof ROUND_LOSSES / sizeof ROUND_LOSSES[0]; i++)
        insert(explore->losses, &explore->loss_count, ENGINE_EXPLORE_LOSSES, ROUND_LOSSES[i]);
    if (policy->has_loss)
        insert(explore->losses, &explore->loss_count, ENGINE_EXPLORE_LOSSES, policy->loss);
    return TACIT_OK;
}

/* Whether a method can do what the policy wants. */
static bool is_able(const tacit_method *method, const tacit_policy *policy, tacit_metric metric)
{
    return (!engine_has_models(policy) || (method->features & TACIT_METHOD_MODELS)) &&
           (!method->metrics || (method->metrics & 1u << metric));
}

static tacit_status plan_methods(engine_explore *explore, const engine_settings *settings,
                                 tacit_error *err)
{
    const engine_release *release = explore->release;
    const tacit_method *named = NULL;
    if (engine_has(settings, "method")) {
        tacit_status status = engine_method_of(&named, release->policy, err);
        if (status == TACIT_OK && !tacit_policy_generalizes(release->policy))
            return tacit__error(
                err, TACIT_INVALID,
                "--explore compares what is generalized, which is nothing with %.40s",
                release->policy->method);
        if (status == TACIT_OK && (named->features & TACIT_METHOD_AMBIGUATES))
            return tacit__error(err, TACIT_INVALID,
                                "--explore compares classes of k, which %s does not make",
                                named->name);
        explore->methods[explore->method_count++] = named;
        return status;
    }
    for (const tacit_method *const *each = tacit_methods(); *each; each++)
        if (((*each)->features & TACIT_METHOD_EXPLORED) &&
            explore->method_count < ENGINE_EXPLORE_METHODS &&
            is_able(*each, release->policy, release->wanted.metric))
            explore->methods[explore->method_count++] = *each;
    if (explore->method_count == 0)
        return tacit__error(
            err, TACIT_INVALID,
            "no method that is explored by itself can do what the policy wants; name "
            "one with --method");
    return TACIT_OK;
}

/* A policy needs no k to be explored, but one to be checked. */
static tacit_status plan_own_k(engine_explore *explore, tacit_error *err)
{
    tacit_policy *policy = explore->release->policy;
    if (policy->has_anonymity && policy->anonymity >= 1)
        return tacit__error(
            err, TACIT_INVALID,
            "anonymity 1 asks for the most general release, whatever k is: there is "
            "nothing to explore");
    if (policy->as_published || policy->as_described)
        return tacit__error(err, TACIT_INVALID,
                            "as-published and as-described do not keep k, so there is nothing to "
                            "explore");
    if (policy->k == 0 && !policy->has_anonymity)
        policy->k = explore->ks[0];
    else
        explore->own_k = -1; /* known once the policy has been checked */
    return TACIT_OK;
}

tacit_status engine_explore_open(engine_release *release)
{
    const engine_settings *settings = release->session->settings;
    tacit_error *err = &release->session->error;
    const char *const lists[] = {KS.option, LOSSES.option};
    if (engine_has(settings, "explore")) {
        release->explore = tacit__alloc_zeroed(1, sizeof *release->explore);
        return release->explore ? refuse_flags(settings, err) : tacit__nomem(err);
    }
    for (int i = 0; i < 2; i++)
        if (engine_has(settings, lists[i]))
            return tacit__error(err, TACIT_INVALID, "--%s is for --explore", lists[i]);
    return TACIT_OK;
}

tacit_status engine_explore_plan(engine_release *release)
{
    engine_explore *explore = release->explore;
    const engine_settings *settings = release->session->settings;
    tacit_error *err = &release->session->error;
    explore->release = release;
    tacit_status status = engine_blanks_refuse(release->policy, "--explore", release->session, err);
    if (status == TACIT_OK)
        status = plan_methods(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_ks(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_losses(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_own_k(explore, err);
    return status;
}

static int64_t people_of(const tacit_frame *frame)
{
    if (frame->person < 0)
        return tacit_table_rows(frame->table);
    return (int64_t)tacit_table_distinct(frame->table, frame->person) +
           tacit_table_has_missing(frame->table, frame->person);
}

static void fit_ks(engine_explore *explore)
{
    double list[ENGINE_EXPLORE_KS + 1];
    int64_t most = people_of(&explore->release->frame) / 2;
    int count = 0;
    for (int i = 0; i < explore->k_count; i++)
        if (i == 0 || explore->ks[i] <= most)
            insert(list, &count, ENGINE_EXPLORE_KS, (double)explore->ks[i]);
    if (explore->own_k > 1)
        insert(list, &count, ENGINE_EXPLORE_KS, (double)explore->own_k);
    explore->k_count = count;
    for (int i = 0; i < count; i++)
        explore->ks[i] = (int64_t)list[i];
}

/* Of losses that are the same number of rows one is enough, the policy's own if it
 * is among them. */
static void fit_losses(engine_explore *explore)
{
    int64_t rows = tacit_table_rows(explore->release->table), last = -1;
    int count = 0;
    for (int i = 0; i < explore->loss_count; i++) {
        double loss = explore->losses[i];
        int64_t share = engine_share_of(loss, rows);
        if (share != last)
            explore->losses[count++] = loss;
        else if (loss == explore->own_loss)
            explore->losses[count - 1] = loss;
        last = share;
    }
    explore->loss_count = count;
}

void engine_explore_fit(engine_explore *explore)
{
    if (explore->own_k)
        explore->own_k = explore->release->wanted.k;
    if (!explore->given_ks)
        fit_ks(explore);
    if (!explore->given_losses)
        fit_losses(explore);
    for (int m = 0; m < explore->method_count; m++) {
        bool cells = explore->methods[m]->features & TACIT_METHOD_CELLS;
        for (int i = 0; i < (cells ? 1 : explore->loss_count); i++)
            explore->series[explore->series_count++] = (engine_series){
                .method = explore->methods[m], .loss = cells ? NAN : explore->losses[i]};
    }
    explore->all = explore->series_count * explore->k_count;
}
