/*
 * drawings.c - the charts of `tacit scrub --html`, what was found by kind and by likelihood, and
 * the first documents as they are now, with marks where something was replaced. What stood there is
 * on the page only where it was asked for (--words).
 */
#include "base/alloc.h"
#include "engine/text/scrub.h"

enum { TITLE = 160, NOTE = 512, HOVER = 160, PRINT = 64 };

/* ---- what was found ---- */

void engine_scrub_draw_kinds(tacit_page *page, const void *subject)
{
    const engine_scrub_story *story = subject;
    tacit_text_kind kinds[TACIT_TEXT_KINDS];
    const char *names[TACIT_MAX_BARS];
    double counts[TACIT_MAX_BARS];
    int count = engine_scrub_kinds(kinds, &story->totals);
    int bars = count < TACIT_MAX_BARS ? count : TACIT_MAX_BARS;
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
}

void engine_scrub_draw_likelihoods(tacit_page *page, const void *subject)
{
    const engine_scrub_story *story = subject;
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

/* ---- the documents ---- */

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
             part->likelihood / 100.0, engine_scrub_became(options->strategy[part->kind]));
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

static void draw_document(tacit_page *page, const engine_scrub_story *story,
                          const engine_shown *shown)
{
    char title[TITLE], note[NOTE];
    tacit_page_part *parts = tacit__alloc_zeroed(shown->count + 1, sizeof *parts);
    mark_words *words = tacit__alloc_zeroed(shown->count + 1, sizeof *words);
    if (!parts || !words) {
        tacit_page_fail(page);
    } else {
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

void engine_scrub_draw_documents(tacit_page *page, const void *subject)
{
    const engine_scrub_story *story = subject;
    const engine_scrub_gathering *gathering = story->gathering;
    uint64_t left_out = story->totals.documents - gathering->shown_count;
    char text[NOTE];
    tacit_page_heading(page, "The documents");
    tacit_page_marks(page, GROUPS, TACIT_PAGE_GROUPS, story->words);
    for (size_t i = 0; i < gathering->shown_count; i++)
        draw_document(page, story, &gathering->shown[i]);
    if (left_out == 0)
        return;
    snprintf(text, sizeof text, "The first %s documents; %s more are not shown.",
             engine_count((int64_t)gathering->shown_count).text,
             engine_count((int64_t)left_out).text);
    tacit_page_paragraph(page, text);
}
