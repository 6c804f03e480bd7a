/*
 * release_previous_account.c - what is said of earlier releases: by which way the release
 * withstands being joined with them, what either way costs, and how many rows are new.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/release.h"
#include "engine/records/verdict.h"

static const char *const NAMES[ENGINE_WAYS] = {"columns", "generalize"};

static void add_cost(char *text, size_t size, const engine_previous *previous, int way,
                     tacit_metric metric)
{
    const engine_way *came = &previous->ways[way];
    size_t used = strlen(text);
    if (came->found)
        snprintf(text + used, size - used, "; %s %.6g by %s", tacit_metric_name(metric),
                 tacit_metric_of_cost(metric, came->cost), NAMES[way]);
    else if (came->why[0])
        snprintf(text + used, size - used, "; none by %s (%s)", NAMES[way], came->why);
}

static const char *sentence(char *text, size_t size, const engine_release *release)
{
    const engine_previous *previous = release->previous;
    const char *said =
        previous->chosen == ENGINE_WAY_GENERALIZE ? "the release generalizes earlier ones"
        : previous->hidden ? "columns that earlier releases show are suppressed altogether"
                           : "columns that earlier releases show join the quasi-identifier";
    snprintf(text, size, "%s", said);
    add_cost(text, size, previous, previous->chosen, release->wanted.metric);
    add_cost(text, size, previous, 1 - previous->chosen, release->wanted.metric);
    return text;
}

static const char *counts(char *text, size_t size, const engine_release *release, size_t index)
{
    const tacit_previous *matched = release->previous->matched[index];
    snprintf(text, size, "%.128s: %s of its %s rows are in the data; %s rows of the data are new",
             release->earlier.releases[index].name, engine_count(matched->matched).text,
             engine_count(matched->rows).text, engine_count(matched->added).text);
    return text;
}

void engine_previous_tell(FILE *out, const engine_release *release)
{
    char text[768];
    if (!release->previous)
        return;
    for (size_t i = 0; i < release->previous->count; i++)
        engine_line(out, "earlier", "%s", counts(text, sizeof text, release, i));
    engine_line(out, "withstands", "%s", sentence(text, sizeof text, release));
}

static void account_ways(tacit_account *account, const engine_release *release)
{
    const engine_previous *previous = release->previous;
    for (int i = 0; i < ENGINE_WAYS; i++) {
        char path[64];
        const engine_way *way = &previous->ways[i];
        snprintf(path, sizeof path, "previous.cost.%s", NAMES[i]);
        tacit_account_real(account, path, way->found ? way->cost : NAN);
        if (!way->why[0])
            continue;
        snprintf(path, sizeof path, "previous.why_not.%s", NAMES[i]);
        tacit_account_text(account, path, tacit_strview_of(way->why));
    }
}

void engine_previous_account(tacit_account *account, const engine_release *release)
{
    const engine_previous *previous = release->previous;
    if (!previous)
        return;
    tacit_account_text(account, "previous.way", tacit_strview_of(NAMES[previous->chosen]));
    tacit_account_bool(account, "previous.columns_suppressed",
                       previous->chosen == ENGINE_WAY_COLUMNS && previous->hidden);
    tacit_account_integer(account, "previous.new_rows", previous->added);
    account_ways(account, release);
    for (size_t i = 0; i < previous->count; i++) {
        tacit_account_push_object(account, "previous.releases");
        tacit_account_text(account, "@.name", tacit_strview_of(release->earlier.releases[i].name));
        tacit_account_integer(account, "@.rows", previous->matched[i]->rows);
        tacit_account_integer(account, "@.matched", previous->matched[i]->matched);
        tacit_account_integer(account, "@.new", previous->matched[i]->added);
        tacit_account_integer(account, "@.gone", previous->matched[i]->removed);
    }
}

void engine_previous_page(tacit_page *page, const engine_release *release)
{
    char text[768];
    if (!release->previous)
        return;
    tacit_page_heading(page, "Earlier releases");
    for (size_t i = 0; i < release->previous->count; i++)
        tacit_page_paragraph(page, counts(text, sizeof text, release, i));
    text[0] = '\0';
    sentence(text, sizeof text, release);
    text[0] = (char)(text[0] - 'a' + 'A');
    tacit_page_paragraph(page, text);
}
