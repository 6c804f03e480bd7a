/*
 * link_page.c - linking in the account and on the page: distributions, models, what a truth
 * shows, and the table of uniqueness. Nothing of it is a value of the data.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/attacks/link.h"

enum { MOST_SETS = 200 }; /* on the page; the account has all of them */

/* ---- the account ---- */

static void add_bins(tacit_account *account, const char *path, const int64_t *bins)
{
    for (int bin = 0; bin < TACIT_LINK_BINS; bin++)
        tacit_account_integer_in(account, path, tacit_strview_of(engine_linked_bin_name(bin).text),
                                 bins[bin]);
}

static void add_truth(tacit_account *account, const tacit_link_truth *truth)
{
    tacit_account_integer(account, "attacks.linking.truth.records", truth->records);
    tacit_account_integer(account, "attacks.linking.truth.subjects", truth->subjects);
    tacit_account_integer(account, "attacks.linking.truth.to_own_subject", truth->to_own);
    tacit_account_integer(account, "attacks.linking.truth.to_a_subject", truth->to_subject);
    tacit_account_integer(account, "attacks.linking.truth.to_one_subject", truth->to_one_subject);
    tacit_account_integer(account, "attacks.linking.truth.to_wrong_subject",
                          truth->to_wrong_subject);
    tacit_account_integer(account, "attacks.linking.truth.identified_rightly", truth->right);
    tacit_account_integer(account, "attacks.linking.truth.identified_wrongly", truth->wrong);
    tacit_account_integer(account, "attacks.linking.truth.subjects_found", truth->found);
}

static void add_unique(tacit_account *account, const engine_linked *found)
{
    for (int32_t i = 0; i < found->unique_count; i++) {
        const tacit_link_unique *set = &found->unique[i];
        tacit_account_push_object(account, "attacks.linking.uniqueness");
        for (int32_t j = 0; j < found->registers.c.column_count; j++)
            if (set->columns >> j & 1)
                tacit_account_push_text(account, "@.columns",
                                        tacit_strview_of(found->registers.names[j]));
        tacit_account_integer(account, "@.groups", set->groups);
        tacit_account_integer(account, "@.alone", set->alone);
        tacit_account_integer(account, "@.below_k", set->below);
    }
}

void engine_linked_account(tacit_account *account, const void *found, const engine_case *c)
{
    (void)c;
    const engine_linked *linked = found;
    const tacit_link *link = linked->link;
    engine_linked_model models[ENGINE_LINKED_MODELS];
    for (int32_t i = 0; i < linked->registers.c.column_count; i++)
        tacit_account_push_text(account, "attacks.linking.columns",
                                tacit_strview_of(linked->registers.names[i]));
    tacit_account_integer(account, "attacks.linking.registers", linked->registers.count);
    tacit_account_integer(account, "attacks.linking.people", link->people);
    tacit_account_integer(account, "attacks.linking.records", link->records);
    tacit_account_integer(account, "attacks.linking.classes", link->classes);
    tacit_account_integer(account, "attacks.linking.fewest_people", link->smallest);
    tacit_account_integer(account, "attacks.linking.records_identified", link->records_one);
    tacit_account_integer(account, "attacks.linking.people_identified", link->people_one);
    tacit_account_integer(account, "attacks.linking.one_to_one", link->pairs);
    tacit_account_integer(account, "attacks.linking.people_in_one_record", link->people_in_one);
    tacit_account_integer(account, "attacks.linking.people_in_fewer_than_k", link->people_below);
    add_bins(account, "attacks.linking.records_by_people", link->records_by_people);
    add_bins(account, "attacks.linking.people_by_records", link->people_by_records);
    engine_linked_models(models, linked);
    for (int i = 0; i < ENGINE_LINKED_MODELS; i++) {
        tacit_account_push_object(account, "attacks.linking.protection");
        tacit_account_text(account, "@.model", tacit_strview_of(models[i].name));
        tacit_account_text(account, "@.verdict",
                           tacit_strview_of(engine_linked_verdict(models[i].verdict)));
        tacit_account_text(account, "@.why", tacit_strview_of(models[i].text));
    }
    if (link->has_truth)
        add_truth(account, &link->truth);
    add_unique(account, linked);
}

/* ---- the page ---- */

static void draw_distribution(tacit_page *page, const tacit_link *link)
{
    engine_linked_bin texts[TACIT_LINK_BINS];
    const char *names[TACIT_LINK_BINS];
    double records[TACIT_LINK_BINS], people[TACIT_LINK_BINS];
    for (int bin = 0; bin < TACIT_LINK_BINS; bin++) {
        texts[bin] = engine_linked_bin_name(bin);
        names[bin] = texts[bin].text;
        records[bin] = (double)link->records_by_people[bin];
        people[bin] = (double)link->people_by_records[bin];
    }
    tacit_bars bars = {.title = "Records by the number of people they map to",
                       .x_label = "people",
                       .y_label = "records",
                       .names = names,
                       .first = records,
                       .first_name = "records",
                       .count = TACIT_LINK_BINS,
                       .root_scale = true,
                       .marker = -1};
    tacit_page_bars(page, &bars);
    bars = (tacit_bars){.title = "People by the number of records they could be",
                        .x_label = "records",
                        .y_label = "people",
                        .names = names,
                        .first = people,
                        .first_name = "people",
                        .count = TACIT_LINK_BINS,
                        .root_scale = true,
                        .marker = -1};
    tacit_page_bars(page, &bars);
}

static void show_models(tacit_page *page, const engine_linked *found)
{
    static const char *const HEADER[] = {"model", "verdict", "why"};
    engine_linked_model models[ENGINE_LINKED_MODELS];
    tacit_grid grid;
    engine_linked_models(models, found);
    tacit_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < ENGINE_LINKED_MODELS; i++) {
        tacit_grid_add(&grid, "%s", models[i].name);
        tacit_grid_add(&grid, "%s", engine_linked_verdict(models[i].verdict));
        tacit_grid_add(&grid, "%s", models[i].text);
    }
    tacit_grid_show(&grid, page, "Protection models");
    tacit_grid_clear(&grid);
}

/* A row for each combination, as Figure 16 has it. */
static void show_unique(tacit_page *page, const engine_linked *found)
{
    static const char *const HEADER[] = {"columns", "groups", "people alone", "% alone",
                                         "% below k"};
    double people = found->link->people > 0 ? (double)found->link->people : 1;
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 5);
    for (int32_t i = 0; i < found->unique_count && i < MOST_SETS; i++) {
        const tacit_link_unique *set = &found->unique[i];
        char names[256];
        tacit_grid_add(&grid, "%s", engine_linked_names(names, sizeof names, found, set->columns));
        tacit_grid_add(&grid, "%lld", (long long)set->groups);
        tacit_grid_add(&grid, "%lld", (long long)set->alone);
        tacit_grid_add(&grid, "%.1f", 100 * (double)set->alone / people);
        tacit_grid_add(&grid, "%.1f", 100 * (double)set->below / people);
    }
    tacit_grid_show(&grid, page, "People of the register who are alone with their values");
    tacit_grid_clear(&grid);
}

/* Pairs of columns as a triangle of fields, single ones on the diagonal. */
static void draw_unique(tacit_page *page, const engine_linked *found)
{
    int count = found->registers.c.column_count;
    double people = found->link->people > 0 ? (double)found->link->people : 1;
    double *shares = tacit__alloc((size_t)(count * count) * sizeof *shares);
    if (!shares)
        return; /* the table says the same */
    for (int i = 0; i < count * count; i++)
        shares[i] = NAN;
    for (int32_t i = 0; i < found->unique_count; i++) {
        uint64_t columns = found->unique[i].columns;
        int first = __builtin_ctzll(columns), last = 63 - __builtin_clzll(columns);
        if (__builtin_popcountll(columns) <= 2)
            shares[last * count + first] = (double)found->unique[i].alone / people;
    }
    const tacit_heat heat = {.title = "People who are alone with one or two values",
                             .x_label = "column",
                             .y_label = "people who are alone",
                             .names = found->registers.names,
                             .count = count,
                             .shares = shares};
    tacit_page_heat(page, &heat);
    tacit__free(shares);
}

void engine_linked_page(tacit_page *page, const void *found, const engine_case *c)
{
    (void)c;
    const engine_linked *linked = found;
    show_models(page, linked);
    draw_distribution(page, linked->link);
    if (linked->unique_count > 0) {
        show_unique(page, linked);
        draw_unique(page, linked);
    }
}
