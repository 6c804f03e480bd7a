/*
 * attacks.c - the table of attacks, and what is done with all of them: columns asked for, run
 * in the order of the table, told in three forms.
 *
 * An attack that is not wanted leaves no trace but in the verdict on the definition (ads.c), which
 * says what was not tried.
 */
#define _GNU_SOURCE
#include "attack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "attacks.h"
#include "verdict.h"

const cli_attack *const cli_attacks[] = {
    &cli_attack_trails, &cli_attack_link,      &cli_attack_previous,
    &cli_attack_order,  &cli_attack_sensitive, &cli_attack_summary,
    &cli_attack_method, &cli_attack_finer,     NULL,
};

void cli_needs_add(cli_needs *needs, const char *name)
{
    for (size_t i = 0; i < needs->count; i++)
        if (strcmp(needs->names[i], name) == 0)
            return;
    if (needs->count == needs->room) {
        size_t room = needs->room ? 2 * needs->room : 16;
        const char **names = realloc(needs->names, room * sizeof *names);
        if (!names) {
            needs->out_of_memory = true;
            return;
        }
        needs->names = names;
        needs->room = room;
    }
    needs->names[needs->count++] = name;
}

void cli_needs_clear(cli_needs *needs)
{
    free(needs->names);
    *needs = (cli_needs){0};
}

/* Leaves out, from a place on, what the header does not have. */
static void keep_known(cli_needs *needs, size_t from, const tacit_table *header)
{
    size_t kept = from;
    for (size_t i = from; i < needs->count; i++)
        if (!header || tacit_table_find(header, tacit_strview_of(needs->names[i])) >= 0)
            needs->names[kept++] = needs->names[i];
    needs->count = kept;
}

tacit_status cli_needs_code(cli_needs *needs, tacit_csv_options *options, const char *const *names,
                            size_t count, const tacit_table *header, const cli_case *c,
                            tacit_error *err)
{
    for (size_t i = 0; i < count; i++)
        cli_needs_add(needs, names[i]);
    size_t named = needs->count;
    for (int i = 0; c && cli_attacks[i]; i++)
        if (cli_attacks[i]->needs && cli_attacks[i]->wanted(c))
            cli_attacks[i]->needs(needs, c);
    keep_known(needs, named, header);
    options->coded = needs->all ? NULL : needs->names;
    options->coded_count = needs->all ? 0 : needs->count;
    options->code_none = !needs->all && needs->count == 0;
    return needs->out_of_memory ? cli_error(err, TACIT_NOMEM, "out of memory") : TACIT_OK;
}

tacit_status cli_needs_release(cli_needs *needs, tacit_csv_options *options,
                               const tacit_table *header, const cli_case *c)
{
    const char **names = NULL;
    size_t count = 0;
    tacit_status status = cli_released_names(&names, &count, c->policy, &c->session->error);
    if (status == TACIT_OK)
        status = cli_needs_code(needs, options, names, count, header, c, &c->session->error);
    free(names);
    return status;
}

tacit_status cli_attacks_run(cli_found *found, const cli_case *c)
{
    for (int i = 0; cli_attacks[i]; i++) {
        const cli_attack *attack = cli_attacks[i];
        assert(i < CLI_MAX_ATTACKS);
        if (!attack->wanted(c) || (c->as_it_is && !attack->exposed))
            continue;
        double start = cli_now();
        tacit_status status = attack->run(&found->of[i], c, &c->session->error);
        if (status != TACIT_OK)
            return status;
        found->seconds[i] = cli_now() - start;
        found->ran[i] = true;
        found->discloses[i] = attack->discloses(found->of[i], c);
    }
    return TACIT_OK;
}

void cli_found_clear(cli_found *found)
{
    for (int i = 0; cli_attacks[i]; i++)
        if (found->of[i])
            cli_attacks[i]->free(found->of[i]);
    *found = (cli_found){0};
}

bool cli_found_discloses(const cli_found *found)
{
    bool any = false;
    for (int i = 0; cli_attacks[i]; i++)
        any |= found->discloses[i];
    return any;
}

int cli_found_broken(const cli_found *found, const cli_case *c)
{
    for (int i = 0; cli_attacks[i]; i++)
        if (found->discloses[i] && cli_attacks[i]->promised && cli_attacks[i]->promised(c))
            return i;
    return -1;
}

void cli_found_tell(FILE *to, const cli_found *found, const cli_case *c)
{
    for (int i = 0; cli_attacks[i]; i++) {
        const cli_attack *attack = cli_attacks[i];
        char sentence[512];
        if (!found->ran[i])
            continue;
        attack->sentence(sentence, sizeof sentence, found->of[i], c);
        fputs(found->discloses[i] ? cli_bad(to) : cli_good(to), to);
        cli_print_labelled(to, attack->name, sentence);
        fputs(cli_plain(to), to);
        if (attack->tell)
            attack->tell(to, found->of[i], c);
    }
}

void cli_found_account(tacit_account *account, const cli_found *found, const cli_case *c)
{
    for (int i = 0; cli_attacks[i]; i++) {
        const cli_attack *attack = cli_attacks[i];
        char path[64], sentence[512];
        if (!found->ran[i])
            continue;
        attack->sentence(sentence, sizeof sentence, found->of[i], c);
        snprintf(path, sizeof path, "attacks.%s.discloses", attack->name);
        tacit_account_bool(account, path, found->discloses[i]);
        snprintf(path, sizeof path, "attacks.%s.sentence", attack->name);
        tacit_account_text(account, path, tacit_strview_of(sentence));
        if (attack->account)
            attack->account(account, found->of[i], c);
        snprintf(path, sizeof path, "attacks.%s.seconds", attack->name);
        tacit_account_real(account, path, found->seconds[i]);
    }
}

void cli_found_page(tacit_page *page, const cli_found *found, const cli_case *c)
{
    for (int i = 0; cli_attacks[i]; i++) {
        const cli_attack *attack = cli_attacks[i];
        char sentence[512];
        if (!found->ran[i])
            continue;
        tacit_page_heading(page, attack->title);
        attack->sentence(sentence, sizeof sentence, found->of[i], c);
        tacit_page_banner(page, !found->discloses[i], sentence);
        if (attack->page)
            attack->page(page, found->of[i], c);
    }
}

void cli_found_exposure(tacit_page *page, const cli_found *before, const cli_found *after,
                        const double below_k[2], const cli_case *c)
{
    const char *names[CLI_MAX_ATTACKS + 1] = {"fewer than k alike"};
    double first[CLI_MAX_ATTACKS + 1] = {below_k[0]}, second[CLI_MAX_ATTACKS + 1] = {below_k[1]};
    int count = 1;
    for (int i = 0; cli_attacks[i]; i++) {
        if (!before->ran[i] || !after->ran[i] || !cli_attacks[i]->exposed)
            continue;
        names[count] = cli_attacks[i]->name;
        first[count] = (double)cli_attacks[i]->exposed(before->of[i], c);
        second[count++] = (double)cli_attacks[i]->exposed(after->of[i], c);
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
