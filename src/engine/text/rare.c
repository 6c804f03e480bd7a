/*
 * rare.c - what scrubbing leaves, in words: the facts that are rare within the batch and
 * the documents that hold many of them (Sweeney, section 9.5 and Figure 115), on the terminal
 * and in the report. Facts stand in the scrubbed text anyway; nothing else of it is told.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/records/verdict.h"
#include "engine/text/shown.h"

enum { FACTS = 50, DOCUMENTS = 20, PRINTED = 8, TEXT = 512, NAME = 160, RARE_BELOW = 2 };

tacit_rare_report *engine_scrub_rare(const engine_scrub_story *story)
{
    static const tacit_rare_options options = {
        .below = RARE_BELOW, .facts = FACTS, .documents = DOCUMENTS};
    tacit_rare_report *report = NULL;
    if (story->gathering)
        tacit_rare_list(&report, story->gathering->rare, &options, NULL);
    return report;
}

bool engine_scrub_is_batch(const tacit_rare_report *report)
{
    return report->documents > 1;
}

const char *engine_scrub_left(char *buffer, size_t size, const tacit_rare_report *report)
{
    engine_counted rare = engine_count((int64_t)report->rare),
                   alone = engine_count((int64_t)report->alone),
                   all = engine_count((int64_t)report->documents),
                   several = engine_count((int64_t)report->several);
    if (report->rare == 0)
        snprintf(buffer, size,
                 "no fact was found that only one document has, but who knows more "
                 "than words may still tell");
    else if (!engine_scrub_is_batch(report))
        snprintf(buffer, size, "%s facts are left that may tell whose text it is", rare.text);
    else
        snprintf(
            buffer, size,
            "%s%s facts are left that only one document has, in %s of %s documents; %s of them "
            "have three or more",
            report->complete ? "" : "at least ", rare.text, alone.text, all.text, several.text);
    return buffer;
}

/* ---- the report ---- */

static void add_facts(tacit_account *account, const engine_scrub_story *story,
                      const tacit_rare_report *report)
{
    char name[NAME];
    tacit_account_list(account, "rare.facts");
    for (size_t i = 0; i < report->fact_count; i++) {
        const tacit_rare_fact *fact = &report->facts[i];
        tacit_account_push_object(account, "rare.facts");
        tacit_account_text(account, "@.words", tacit_strview_of(fact->words));
        tacit_account_text(account, "@.kind", tacit_strview_of(tacit_rare_kind_name(fact->kind)));
        tacit_account_integer(account, "@.holders", (int64_t)fact->holders);
        tacit_account_real(account, "@.bits", fact->bits);
        tacit_account_real(account, "@.score", fact->score);
        tacit_account_text(account, "@.document",
                           tacit_strview_of(engine_shown_name_of(
                               name, sizeof name, story->gathering, fact->document)));
    }
}

static void add_documents(tacit_account *account, const engine_scrub_story *story,
                          const tacit_rare_report *report)
{
    char name[NAME];
    tacit_account_list(account, "rare.documents");
    for (size_t i = 0; i < report->most_count; i++) {
        const tacit_rare_document *most = &report->most[i];
        tacit_account_push_object(account, "rare.documents");
        tacit_account_text(account, "@.document",
                           tacit_strview_of(engine_shown_name_of(
                               name, sizeof name, story->gathering, most->document)));
        tacit_account_integer(account, "@.facts", (int64_t)most->facts);
        tacit_account_real(account, "@.score", most->score);
    }
}

static void add_first_documents(tacit_account *account, const engine_scrub_gathering *gathering)
{
    char name[NAME];
    tacit_account_list(account, "first_documents");
    for (size_t i = 0; i < gathering->shown_count; i++) {
        const engine_shown *shown = &gathering->shown[i];
        tacit_account_push_object(account, "first_documents");
        tacit_account_text(
            account, "@.document",
            tacit_strview_of(engine_shown_name_of(name, sizeof name, gathering, shown->number)));
        tacit_account_integer(account, "@.spans", (int64_t)shown->spans);
    }
}

static void add_likelihoods(tacit_account *account, const engine_scrub_gathering *gathering)
{
    tacit_account_list(account, "likelihoods");
    for (int i = 0; i < ENGINE_LIKELIHOODS; i++) {
        tacit_account_push_object(account, "likelihoods");
        tacit_account_real(account, "@.from", i / 10.0);
        tacit_account_integer(account, "@.spans", (int64_t)gathering->likelihoods[i]);
    }
}

void engine_scrub_account_rare(tacit_account *account, const engine_scrub_story *story)
{
    char text[TEXT];
    tacit_rare_report *report = engine_scrub_rare(story);
    tacit_account_bool(account, "anonymous", false);
    tacit_account_integer(account, "lexicon.words", (int64_t)tacit_text_lexicon_words());
    tacit_account_real(account, "lexicon.false_positive_rate", tacit_text_lexicon_rate());
    if (!report)
        return;
    add_likelihoods(account, story->gathering);
    add_first_documents(account, story->gathering);
    tacit_account_text(account, "rare.says",
                       tacit_strview_of(engine_scrub_left(text, sizeof text, report)));
    tacit_account_integer(account, "rare.of_documents", (int64_t)report->documents);
    tacit_account_integer(account, "rare.counted", (int64_t)report->distinct);
    tacit_account_bool(account, "rare.all_counted", report->complete);
    tacit_account_integer(account, "rare.rare", (int64_t)report->rare);
    tacit_account_integer(account, "rare.held_by_fewer_than", RARE_BELOW);
    tacit_account_integer(account, "rare.documents_with_one", (int64_t)report->alone);
    tacit_account_integer(account, "rare.documents_with_three", (int64_t)report->several);
    add_facts(account, story, report);
    add_documents(account, story, report);
    tacit_rare_report_free(report);
}

/* ---- the terminal ---- */

static void print_facts(const engine_scrub_story *story, const tacit_rare_report *report, FILE *out)
{
    static const char *const HEADER[] = {"a fact that is left", "kind", "document"};
    tacit_grid grid;
    char name[NAME];
    tacit_grid_init(&grid, HEADER, 3);
    for (size_t i = 0; i < report->fact_count && i < PRINTED; i++) {
        tacit_grid_add_view(&grid, tacit_strview_of(report->facts[i].words));
        tacit_grid_add(&grid, "%s", tacit_rare_kind_name(report->facts[i].kind));
        tacit_grid_add_view(
            &grid, tacit_strview_of(engine_shown_name_of(name, sizeof name, story->gathering,
                                                         report->facts[i].document)));
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    if (report->fact_count > PRINTED)
        fprintf(out, "  and more in the report\n");
}

void engine_scrub_print_rare(const engine_scrub_story *story, FILE *out)
{
    char left[TEXT];
    tacit_rare_report *report = engine_scrub_rare(story);
    if (!report)
        return;
    engine_print_labelled(out, "left", engine_scrub_left(left, sizeof left, report));
    if (report->fact_count > 0)
        print_facts(story, report, out);
    tacit_rare_report_free(report);
}
