/*
 * page.c - the page of `tacit scrub --html`: what was found, by kind and by likelihood,
 * what is left and rare within the batch, and the first documents as they are now, with marks
 * where something was replaced. What stood there is on the page only where it was asked for
 * (--html-words); then the page is as personal as the documents were, and says so.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/records/verdict.h"
#include "engine/text/shown.h"

enum { NAME = 160, LEFT = 400, TEXT = 512, HOVER = 160, PRINT = 64 };

/* ---- kinds ---- */

static const char *const GROUPS[TACIT_PAGE_GROUPS] = {"names", "places", "organizations",
                                                      "dates and ages", "numbers and contacts"};

static int group_of(tacit_text_kind kind)
{
    switch (kind) {
    case TACIT_TEXT_FULL_NAME:
    case TACIT_TEXT_FIRST_NAME:
    case TACIT_TEXT_MIDDLE_NAME:
    case TACIT_TEXT_LAST_NAME:
    case TACIT_TEXT_NICK_NAME:
    case TACIT_TEXT_TITLE:
    case TACIT_TEXT_INITIALS:
    case TACIT_TEXT_USER: return 1;
    case TACIT_TEXT_IDENTIFICATION_BLOCK:
    case TACIT_TEXT_MAILING_LABEL:
    case TACIT_TEXT_ADDRESS_BLOCK:
    case TACIT_TEXT_LOCATION:
    case TACIT_TEXT_STREET:
    case TACIT_TEXT_CITY:
    case TACIT_TEXT_STATE:
    case TACIT_TEXT_ZIP:
    case TACIT_TEXT_COUNTRY:
    case TACIT_TEXT_COORDINATES: return 2;
    case TACIT_TEXT_ORGANIZATION:
    case TACIT_TEXT_HOSPITAL: return 3;
    case TACIT_TEXT_AGE:
    case TACIT_TEXT_DATE: return 4;
    default: return 5;
    }
}

static const char *what_became(tacit_text_strategy strategy)
{
    static const char *const WORDS[TACIT_TEXT_STRATEGIES] = {
        [TACIT_TEXT_MAKE_UP] = "made up",  [TACIT_TEXT_TAG] = "a tag",
        [TACIT_TEXT_SUPPRESS] = "nothing", [TACIT_TEXT_KEEP] = "kept as it was",
        [TACIT_TEXT_LUMP] = "lumped",      [TACIT_TEXT_SHIFT] = "shifted",
    };
    return strategy < TACIT_TEXT_STRATEGIES ? WORDS[strategy] : "";
}

/* ---- what was found ---- */

static void add_tiles(tacit_page *page, const engine_scrub_story *story,
                      const tacit_rare_report *report)
{
    static const char *const NAMES[] = {"documents", "touched", "replaced", "bytes read",
                                        "facts that only one document has"};
    const engine_scrub_totals *totals = &story->totals;
    const engine_counted documents = engine_count((int64_t)totals->documents),
                         touched = engine_count((int64_t)totals->touched),
                         spans = engine_count((int64_t)totals->spans),
                         bytes = engine_count((int64_t)totals->bytes),
                         rare = engine_count(report ? (int64_t)report->rare : 0);
    const char *const values[] = {documents.text, touched.text, spans.text, bytes.text, rare.text};
    tacit_page_tiles(page, NAMES, values, report ? 5 : 4);
}

static void add_kinds(tacit_page *page, const engine_scrub_story *story)
{
    static const char *const HEADER[] = {"kind", "places", "what stands there now"};
    tacit_text_kind kinds[TACIT_TEXT_KINDS];
    const char *names[TACIT_MAX_BARS];
    double counts[TACIT_MAX_BARS];
    int count = engine_scrub_kinds(kinds, &story->totals);
    int bars = count < TACIT_MAX_BARS ? count : TACIT_MAX_BARS;
    tacit_grid grid;
    for (int i = 0; i < bars; i++) {
        names[i] = tacit_text_kind_name(kinds[i]);
        counts[i] = (double)story->totals.by_kind[kinds[i]];
    }
    tacit_page_bars(page, &(tacit_bars){.title = "What was found, by kind",
                                        .x_label = "kind",
                                        .y_label = "places",
                                        .names = names,
                                        .first = counts,
                                        .first_name = "places",
                                        .count = bars,
                                        .root_scale = true,
                                        .marker = -1});
    tacit_grid_init(&grid, HEADER, 3);
    for (int i = 0; i < count; i++) {
        tacit_grid_add(&grid, "%s", tacit_text_kind_name(kinds[i]));
        tacit_grid_add(&grid, "%s", engine_count((int64_t)story->totals.by_kind[kinds[i]]).text);
        tacit_grid_add(&grid, "%s", what_became(story->options->strategy[kinds[i]]));
    }
    tacit_grid_show(&grid, page, "What became of it");
    tacit_grid_clear(&grid);
}

static void add_likelihoods(tacit_page *page, const engine_scrub_story *story)
{
    static const char *const NAMES[ENGINE_LIKELIHOODS] = {"0.0", "0.1", "0.2", "0.3", "0.4", "0.5",
                                                          "0.6", "0.7", "0.8", "0.9", "1.0"};
    double counts[ENGINE_LIKELIHOODS];
    for (int i = 0; i < ENGINE_LIKELIHOODS; i++)
        counts[i] = (double)story->gathering->likelihoods[i];
    tacit_page_bars(page, &(tacit_bars){.title = "How likely it was",
                                        .x_label = "likelihood, from",
                                        .y_label = "places",
                                        .names = NAMES,
                                        .first = counts,
                                        .first_name = "places",
                                        .count = ENGINE_LIKELIHOODS,
                                        .root_scale = true,
                                        .marker = story->options->threshold / 10.0,
                                        .marker_name = "threshold"});
}

/* ---- what is left ---- */

static void add_facts(tacit_page *page, const engine_scrub_story *story,
                      const tacit_rare_report *report)
{
    static const char *const HEADER[] = {"fact", "kind", "bits", "document"};
    char name[NAME];
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, engine_scrub_is_batch(report) ? 4 : 2);
    for (size_t i = 0; i < report->fact_count; i++) {
        const tacit_rare_fact *fact = &report->facts[i];
        tacit_grid_add_view(&grid, tacit_strview_of(fact->words));
        tacit_grid_add(&grid, "%s", tacit_rare_kind_name(fact->kind));
        if (!engine_scrub_is_batch(report))
            continue;
        tacit_grid_add(&grid, "%.1f", fact->bits);
        tacit_grid_add(&grid, "%s",
                       engine_shown_name_of(name, sizeof name, story->gathering, fact->document));
    }
    tacit_grid_show(&grid, page, "The facts that tell most");
    tacit_grid_clear(&grid);
}

static void add_most(tacit_page *page, const engine_scrub_story *story,
                     const tacit_rare_report *report)
{
    static const char *const HEADER[] = {"document", "facts that no other one has"};
    char name[NAME];
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    for (size_t i = 0; i < report->most_count; i++) {
        tacit_grid_add(
            &grid, "%s",
            engine_shown_name_of(name, sizeof name, story->gathering, report->most[i].document));
        tacit_grid_add(&grid, "%s", engine_count((int64_t)report->most[i].facts).text);
    }
    tacit_grid_show(&grid, page, "The documents that hold most of them");
    tacit_grid_clear(&grid);
}

static void add_left(tacit_page *page, const engine_scrub_story *story,
                     const tacit_rare_report *report)
{
    char text[TEXT];
    tacit_page_heading(page, "What is left");
    tacit_page_paragraph(page, "Nothing below had to be replaced, and a sequence of such facts can "
                               "identify a person all the same. Whoever knows one of them of "
                               "somebody finds the document.");
    if (!report->complete) {
        snprintf(text, sizeof text,
                 "There are more facts than are counted: these are of the %s most telling ones.",
                 engine_count((int64_t)report->distinct).text);
        tacit_page_paragraph(page, text);
    }
    add_facts(page, story, report);
    if (engine_scrub_is_batch(report))
        add_most(page, story, report);
}

/* ---- the documents ---- */

/* Texts of a mark, which live as long as its document is drawn. */
typedef struct mark_words {
    char hover[HOVER], print[PRINT];
} mark_words;

static void write_mark(mark_words *words, const engine_shown_part *part,
                       const tacit_scrub_options *options)
{
    const char *kind = tacit_text_kind_name(part->kind);
    snprintf(words->print, sizeof words->print, "%s %.2f", kind, part->likelihood / 100.0);
    snprintf(words->hover, sizeof words->hover, "%s, likelihood %.2f: %s", kind,
             part->likelihood / 100.0, what_became(options->strategy[part->kind]));
}

static tacit_page_part part_of(const engine_shown *shown, const engine_shown_part *part,
                               const mark_words *words, bool before)
{
    tacit_page_part out = {.text = {shown->bytes.bytes + part->text, part->text_len}};
    if (part->kind == TACIT_TEXT_NONE)
        return out;
    if (before)
        out.before = (tacit_strview){shown->bytes.bytes + part->before, part->before_len};
    out.group = group_of(part->kind);
    out.hover = words->hover;
    out.print = words->print;
    return out;
}

static void add_document(tacit_page *page, const engine_scrub_story *story,
                         const engine_shown *shown)
{
    char title[NAME], note[TEXT];
    tacit_page_part *parts = tacit__alloc_zeroed(shown->count + 1, sizeof *parts);
    mark_words *words = tacit__alloc_zeroed(shown->count + 1, sizeof *words);
    if (parts && words) {
        for (size_t i = 0; i < shown->count; i++) {
            write_mark(&words[i], &shown->parts[i], story->options);
            parts[i] = part_of(shown, &shown->parts[i], &words[i], story->words);
        }
        snprintf(note, sizeof note, "and %s bytes that are not shown",
                 engine_count((int64_t)shown->left_out).text);
        tacit_page_text(
            page, &(tacit_page_marked){.title = engine_shown_name_of(
                                           title, sizeof title, story->gathering, shown->number),
                                       .parts = parts,
                                       .count = shown->count,
                                       .note = shown->left_out > 0 ? note : NULL});
    }
    tacit__free(parts);
    tacit__free(words);
}

static void add_documents(tacit_page *page, const engine_scrub_story *story)
{
    const engine_scrub_gathering *gathering = story->gathering;
    uint64_t left_out = story->totals.documents - gathering->shown_count;
    char text[TEXT];
    tacit_page_heading(page, "The documents");
    tacit_page_marks(page, GROUPS, TACIT_PAGE_GROUPS, story->words);
    for (size_t i = 0; i < gathering->shown_count; i++)
        add_document(page, story, &gathering->shown[i]);
    if (left_out == 0)
        return;
    snprintf(text, sizeof text, "The first %s documents; %s more are not shown.",
             engine_count((int64_t)gathering->shown_count).text,
             engine_count((int64_t)left_out).text);
    tacit_page_paragraph(page, text);
}

/* ---- all of it ---- */

static void add_banners(tacit_page *page, const engine_scrub_story *story,
                        const tacit_rare_report *report)
{
    char text[TEXT], left[LEFT];
    if (story->words)
        tacit_page_banner(page, false,
                          "This page holds the words that were replaced. It is as personal as the "
                          "documents were: do not pass it on with them.");
    if (!report)
        return;
    engine_scrub_left(left, sizeof left, report);
    snprintf(text, sizeof text, "De-identified, not anonymous: %s.", left);
    tacit_page_banner(page, false, text);
}

void engine_scrub_page(tacit_page *page, const void *subject)
{
    static const char *const SCOPES[] = {"within a document", "within this run",
                                         "in every run with the same key"};
    const engine_scrub_story *story = subject;
    tacit_rare_report *report = engine_scrub_rare(story);
    char text[TEXT];
    snprintf(text, sizeof text,
             "Scrubbed by tacit %s, threshold %.2f. The same value has the same replacement %s.",
             tacit_version(), story->options->threshold / 100.0, SCOPES[story->options->scope]);
    tacit_page_paragraph(page, text);
    add_banners(page, story, report);
    add_tiles(page, story, report);
    if (story->totals.spans > 0) {
        tacit_page_heading(page, "What was found");
        add_kinds(page, story);
        if (story->gathering)
            add_likelihoods(page, story);
    }
    if (report && report->fact_count > 0)
        add_left(page, story, report);
    if (story->gathering && story->gathering->shown_count > 0)
        add_documents(page, story);
    tacit_rare_report_free(report);
}
