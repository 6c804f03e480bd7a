/*
 * attacks.c - the table of attacks, and what is done with all of them: columns asked for, run
 * in the order of the table, and reported.
 *
 * An attack that is not wanted leaves no trace but in the verdict on the definition (ads.c), which
 * says what was not tried.
 */
#include "base/alloc.h"
#include "engine/attacks/attack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"

/* In the order in which they are tried. Adding one is a file and a line here. */
#define ATTACKS(X) \
    X(trails)      \
    X(link)        \
    X(probable)    \
    X(previous)    \
    X(order)       \
    X(sensitive)   \
    X(summary)     \
    X(method)      \
    X(finer)

#define DECLARE(name) extern const engine_attack engine_attack_##name;
ATTACKS(DECLARE)

#define LIST(name) &engine_attack_##name,
const engine_attack *const engine_attacks[] = {ATTACKS(LIST) NULL};

void engine_needs_add(engine_needs *needs, const char *name)
{
    for (size_t i = 0; i < needs->count; i++)
        if (strcmp(needs->names[i], name) == 0)
            return;
    if (!TACIT__PUSH(needs->names, needs->capacity, needs->count, name))
        needs->out_of_memory = true;
}

void engine_needs_clear(engine_needs *needs)
{
    tacit__free(needs->names);
    *needs = (engine_needs){0};
}

/* Leaves out, from a place on, what the header does not have. */
static void keep_known(engine_needs *needs, size_t from, const tacit_table *header)
{
    size_t kept = from;
    for (size_t i = from; i < needs->count; i++)
        if (!header || tacit_table_find(header, tacit_strview_of(needs->names[i])) >= 0)
            needs->names[kept++] = needs->names[i];
    needs->count = kept;
}

tacit_status engine_needs_code(engine_needs *needs, tacit_csv_options *options,
                               const char *const *names, size_t count, const tacit_table *header,
                               const engine_case *c, tacit_error *err)
{
    for (size_t i = 0; i < count; i++)
        engine_needs_add(needs, names[i]);
    size_t named = needs->count;
    for (int i = 0; c && engine_attacks[i]; i++)
        if (engine_attacks[i]->needs && engine_attacks[i]->wanted(c))
            engine_attacks[i]->needs(needs, c);
    keep_known(needs, named, header);
    options->coded = needs->all ? NULL : needs->names;
    options->coded_count = needs->all ? 0 : needs->count;
    options->code_none = !needs->all && needs->count == 0;
    return needs->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

tacit_status engine_needs_release(engine_needs *needs, tacit_csv_options *options,
                                  const tacit_table *header, const engine_case *c)
{
    const char **names = NULL;
    size_t count = 0;
    tacit_status status = engine_released_names(&names, &count, c->policy, &c->session->error);
    if (status == TACIT_OK)
        status = engine_needs_code(needs, options, names, count, header, c, &c->session->error);
    tacit__free(names);
    return status;
}

tacit_status engine_attacks_run(engine_found *found, const engine_case *c)
{
    for (int i = 0; engine_attacks[i]; i++) {
        const engine_attack *attack = engine_attacks[i];
        assert(i < ENGINE_MAX_ATTACKS);
        if (!attack->wanted(c) || (c->as_it_is && !attack->exposed))
            continue;
        double start = engine_now();
        tacit_status status = attack->run(&found->of[i], c, &c->session->error);
        if (status != TACIT_OK)
            return status;
        found->seconds[i] = engine_now() - start;
        found->ran[i] = true;
        found->discloses[i] = attack->discloses(found->of[i], c);
    }
    return TACIT_OK;
}

void engine_found_clear(engine_found *found)
{
    for (int i = 0; engine_attacks[i]; i++)
        if (found->of[i])
            engine_attacks[i]->free(found->of[i]);
    *found = (engine_found){0};
}

bool engine_found_discloses(const engine_found *found)
{
    bool any = false;
    for (int i = 0; engine_attacks[i]; i++)
        any |= found->discloses[i];
    return any;
}

int engine_found_broken(const engine_found *found, const engine_case *c)
{
    for (int i = 0; engine_attacks[i]; i++)
        if (found->discloses[i] && engine_attacks[i]->promised && engine_attacks[i]->promised(c))
            return i;
    return -1;
}

void engine_found_facts(tacit_report *report, const engine_found *found, const engine_case *c)
{
    tacit_report_enter(report, "attacks");
    for (int i = 0; engine_attacks[i]; i++) {
        const engine_attack *attack = engine_attacks[i];
        char sentence[512];
        if (!found->ran[i])
            continue;
        attack->sentence(sentence, sizeof sentence, found->of[i], c);
        tacit_report_section(report, attack->title);
        tacit_report_enter(report, attack->name);
        tacit_report_bool(report, "discloses", found->discloses[i]);
        tacit_report_text(report, "sentence", sentence);
        tacit_report_verdict(report, !found->discloses[i], attack->name, "%s", sentence);
        if (attack->facts)
            attack->facts(report, found->of[i], c);
        tacit_report_real(report, "seconds", found->seconds[i]);
        tacit_report_leave(report);
    }
    tacit_report_leave(report);
}

void engine_found_exposure(tacit_page *page, const engine_found *before, const engine_found *after,
                           const double below_k[2], const engine_case *c)
{
    const char *names[ENGINE_MAX_ATTACKS + 1] = {"fewer than k alike"};
    double first[ENGINE_MAX_ATTACKS + 1] = {below_k[0]},
                                      second[ENGINE_MAX_ATTACKS + 1] = {below_k[1]};
    int count = 1;
    for (int i = 0; engine_attacks[i]; i++) {
        if (!before->ran[i] || !after->ran[i] || !engine_attacks[i]->exposed)
            continue;
        names[count] = engine_attacks[i]->name;
        first[count] = (double)engine_attacks[i]->exposed(before->of[i], c);
        second[count++] = (double)engine_attacks[i]->exposed(after->of[i], c);
    }
    const tacit_bars bars = {.title = "Rows that are exposed, before and after",
                             .x_label = "attack",
                             .y_label = "rows",
                             .names = names,
                             .first = first,
                             .second = second,
                             .first_name = "data without identifiers",
                             .second_name = "release",
                             .count = count,
                             .root_scale = true,
                             .marker = -1};
    tacit_page_bars(page, &bars);
}
