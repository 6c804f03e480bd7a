/*
 * facts.c - what `tacit scrub` has to say: what was found and how it was replaced, and what
 * scrubbing leaves: the facts that are rare within the batch and the documents that hold many of
 * them (Sweeney, section 9.5 and Figure 115). Text without names can still tell of one person whom
 * somebody knows, which is said wherever anything is.
 *
 * No word that was replaced is shown, but on a page that was asked for with --words. Facts that are
 * left stand in the scrubbed text anyway.
 */
#include <stdio.h>
#include <string.h>

#include "engine/text/scrub.h"
#include "engine/text/work.h"

enum { MAX_LISTED = 50, MAX_DOCUMENTS = 20, RARE_BELOW = 2, NAME = 160, MAX_LEFT = 512 };

static const char CAUTION[] =
    "scrubbed text is de-identified, not anonymous: its content can still single out a person";

/* ---- how things were replaced ---- */

static const char *strategy_words(tacit_text_strategy strategy)
{
    static const char *const WORDS[TACIT_TEXT_STRATEGIES] = {
        [TACIT_TEXT_MAKE_UP] = "made-up values",
        [TACIT_TEXT_TAG] = "tags such as [DATE]",
        [TACIT_TEXT_SUPPRESS] = "nothing in its place",
        [TACIT_TEXT_KEEP] = "kept unchanged",
        [TACIT_TEXT_LUMP] = "lumped",
        [TACIT_TEXT_SHIFT] = "shifted",
    };
    return WORDS[strategy];
}

const char *engine_scrub_became(tacit_text_strategy strategy)
{
    static const char *const WORDS[TACIT_TEXT_STRATEGIES] = {
        [TACIT_TEXT_MAKE_UP] = "made up",  [TACIT_TEXT_TAG] = "a tag",
        [TACIT_TEXT_SUPPRESS] = "nothing", [TACIT_TEXT_KEEP] = "kept as it was",
        [TACIT_TEXT_LUMP] = "lumped",      [TACIT_TEXT_SHIFT] = "shifted",
    };
    return strategy < TACIT_TEXT_STRATEGIES ? WORDS[strategy] : "";
}

/* The strategy that most kinds have. */
static tacit_text_strategy usual_strategy(const tacit_scrub_options *options)
{
    int counts[TACIT_TEXT_STRATEGIES] = {0};
    tacit_text_strategy usual = options->strategy[TACIT_TEXT_FULL_NAME];
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++)
        if (++counts[options->strategy[kind]] > counts[usual])
            usual = options->strategy[kind];
    return usual;
}

/* Titles are kept unless somebody says otherwise, which is not worth a word. */
static bool differs(const tacit_scrub_options *options, int kind, tacit_text_strategy usual)
{
    tacit_text_strategy strategy = options->strategy[kind];
    return strategy != usual && (kind != TACIT_TEXT_TITLE || strategy != TACIT_TEXT_KEEP);
}

static void add_strategy(tacit_report *report, const tacit_scrub_options *options)
{
    static const char *const SCOPES[] = {"the same within a document",
                                         "the same in all documents of this run",
                                         "the same wherever this key is used"};
    tacit_text_strategy usual = usual_strategy(options);
    char text[900];
    int len = snprintf(text, sizeof text, "by %s", strategy_words(usual));
    if (usual == TACIT_TEXT_MAKE_UP)
        len += snprintf(text + len, sizeof text - (size_t)len, ", %s", SCOPES[options->scope]);
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++)
        if (differs(options, kind, usual) && len < (int)sizeof text - 80)
            len += snprintf(text + len, sizeof text - (size_t)len, "; %s %s",
                            tacit_text_kind_name((tacit_text_kind)kind),
                            strategy_words(options->strategy[kind]));
    tacit_report_line(report, "replaced", "%s", text);
}

static void add_options(tacit_report *report, const engine_scrub_story *story)
{
    const tacit_scrub_options *options = story->options;
    tacit_report_real(report, "threshold", options->threshold / 100.0);
    tacit_report_bool(report, "special", options->special);
    tacit_report_text(report, "consistent", engine_scrub_scopes[options->scope]);
    tacit_report_integer(report, "known", (int64_t)options->known_count);
    tacit_report_enter(report, "replace");
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++)
        tacit_report_text(report, tacit_text_kind_name((tacit_text_kind)kind),
                          engine_scrub_strategies[options->strategy[kind]]);
    tacit_report_leave(report);
    if (story->shift_by)
        tacit_report_text(report, "shift_by", story->shift_by);
}

/* ---- what was found ---- */

int engine_scrub_kinds(tacit_text_kind *kinds, const engine_scrub_totals *totals)
{
    int count = 0;
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KINDS; kind++) {
        if (totals->by_kind[kind] == 0)
            continue;
        int at = count++;
        for (; at > 0 && totals->by_kind[kinds[at - 1]] < totals->by_kind[kind]; at--)
            kinds[at] = kinds[at - 1];
        kinds[at] = (tacit_text_kind)kind;
    }
    return count;
}

static void add_totals(tacit_report *report, const engine_scrub_totals *totals)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(engine_scrub_totals, files, "files", NULL, 0),
        TACIT_FIELD(engine_scrub_totals, documents, "documents", NULL, 0),
        TACIT_FIELD(engine_scrub_totals, touched, "touched", NULL, 0),
        TACIT_FIELD(engine_scrub_totals, bytes, "bytes", NULL, 0),
        TACIT_FIELD(engine_scrub_totals, bytes_out, "bytes_out", NULL, 0),
        TACIT_FIELD(engine_scrub_totals, spans, "spans", NULL, 0),
    };
    tacit_report_enter(report, "totals");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), totals);
    tacit_report_enter(report, "formats");
    for (int format = 0; format < TACIT_TEXT_FORMATS; format++)
        tacit_report_integer(report, tacit_text_format_name((tacit_text_format)format),
                             (int64_t)totals->by_format[format]);
    tacit_report_leave(report);
    tacit_report_enter(report, "unread");
    for (int reason = 0; reason < TACIT_UNREAD_REASONS; reason++)
        tacit_report_integer(report, tacit_text_unread_name((tacit_text_unread)reason),
                             (int64_t)totals->unread[reason]);
    tacit_report_leave(report);
    tacit_report_enter(report, "kinds");
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KINDS; kind++)
        if (totals->by_kind[kind] > 0)
            tacit_report_integer(report, tacit_text_kind_name((tacit_text_kind)kind),
                                 (int64_t)totals->by_kind[kind]);
    tacit_report_leave(report);
    tacit_report_leave(report);
}

static void add_kinds(tacit_report *report, const engine_scrub_story *story)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "kind"}, {.heading = "places"}, {.heading = "what stands there now"}};
    tacit_text_kind kinds[TACIT_TEXT_KINDS];
    int count = engine_scrub_kinds(kinds, &story->totals);
    if (count == 0)
        return;
    tacit_report_drawing(report, engine_scrub_draw_kinds, story);
    tacit_report_begin(report,
                       &(tacit_report_table){.title = "What became of it", TACIT_COLUMNS(COLUMNS)});
    for (int i = 0; i < count; i++) {
        tacit_report_cell(report, "%s", tacit_text_kind_name(kinds[i]));
        tacit_report_cell_integer(report, (int64_t)story->totals.by_kind[kinds[i]]);
        tacit_report_cell(report, "%s", engine_scrub_became(story->options->strategy[kinds[i]]));
    }
    if (story->gathering)
        tacit_report_drawing(report, engine_scrub_draw_likelihoods, story);
}

static void add_found(tacit_report *report, const engine_scrub_story *story)
{
    tacit_text_kind kinds[TACIT_TEXT_KINDS];
    int count = engine_scrub_kinds(kinds, &story->totals);
    char text[2048] = "";
    size_t len = 0;
    for (int i = 0; i < count && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s", i ? ", " : "",
                                engine_count((int64_t)story->totals.by_kind[kinds[i]]).text,
                                tacit_text_kind_name(kinds[i]));
    if (count > 0)
        tacit_report_section(report, "What was found");
    tacit_report_line(report, "found", "%s", count ? text : "nothing");
}

static void add_documents(tacit_report *report, const engine_scrub_gathering *gathering)
{
    static const tacit_report_column LIKELIHOODS[] = {{.key = "from"}, {.key = "spans"}};
    static const tacit_report_column DOCUMENTS[] = {{.key = "document"}, {.key = "spans"}};
    char name[NAME];
    tacit_report_begin(report,
                       &(tacit_report_table){.name = "likelihoods", TACIT_COLUMNS(LIKELIHOODS)});
    for (int i = 0; i < ENGINE_LIKELIHOODS; i++) {
        tacit_report_cell_real(report, i / 10.0);
        tacit_report_cell_integer(report, (int64_t)gathering->likelihoods[i]);
    }
    tacit_report_begin(report,
                       &(tacit_report_table){.name = "first_documents", TACIT_COLUMNS(DOCUMENTS)});
    for (size_t i = 0; i < gathering->shown_count; i++) {
        const engine_shown *shown = &gathering->shown[i];
        tacit_report_cell(report, "%s",
                          engine_shown_name_of(name, sizeof name, gathering, shown->number));
        tacit_report_cell_integer(report, (int64_t)shown->spans);
    }
}

/* ---- what is left ---- */

/* The rare facts, or NULL where nothing was gathered or memory ran out; to be freed. */
static tacit_rare_report *list_left(tacit_report *report, const engine_scrub_story *story)
{
    static const tacit_rare_options options = {
        .below = RARE_BELOW, .facts = MAX_LISTED, .documents = MAX_DOCUMENTS};
    tacit_rare_report *left = NULL;
    if (story->gathering &&
        tacit_rare_list(&left, story->gathering->rare, &options, NULL) != TACIT_OK)
        tacit_report_fail(report);
    return left;
}

/* What is left, in a sentence; cut to size, returns buffer. */
static const char *print_left(char *buffer, size_t size, const tacit_rare_report *left)
{
    engine_counted rare = engine_count((int64_t)left->rare),
                   alone = engine_count((int64_t)left->alone),
                   all = engine_count((int64_t)left->documents),
                   several = engine_count((int64_t)left->several);
    if (left->rare == 0)
        snprintf(buffer, size,
                 "no fact was found that only one document has, but somebody who knows more may "
                 "still recognize a person");
    else if (left->documents <= 1)
        snprintf(buffer, size, "%s facts are left that may reveal whose text it is", rare.text);
    else
        snprintf(
            buffer, size,
            "%s%s facts are left that only one document has, in %s of %s documents; %s of them "
            "have three or more",
            left->complete ? "" : "at least ", rare.text, alone.text, all.text, several.text);
    return buffer;
}

static void add_rare_facts(tacit_report *report, const engine_scrub_story *story,
                           const tacit_rare_report *left)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "words", .heading = "a fact that is left"},
        {.key = "kind", .heading = "kind"},
        {.key = "holders"},
        {.key = "bits",
         .heading = "bits",
         .where = TACIT_SHOW_JSON | TACIT_SHOW_PAGE,
         .decimals = 1},
        {.key = "score"},
        {.key = "document", .heading = "document"},
    };
    static const tacit_report_table TABLE = {.name = "facts",
                                             .title = "The facts that tell most",
                                             .printed = true,
                                             TACIT_COLUMNS(COLUMNS),
                                             .printed_rows = 8};
    char name[NAME];
    tacit_report_begin(report, &TABLE);
    for (size_t i = 0; i < left->fact_count; i++) {
        const tacit_rare_fact *fact = &left->facts[i];
        tacit_report_cell_view(report, tacit_strview_of(fact->words));
        tacit_report_cell(report, "%s", tacit_rare_kind_name(fact->kind));
        tacit_report_cell_integer(report, (int64_t)fact->holders);
        tacit_report_cell_real(report, fact->bits);
        tacit_report_cell_real(report, fact->score);
        tacit_report_cell(
            report, "%s",
            engine_shown_name_of(name, sizeof name, story->gathering, fact->document));
    }
    if (left->fact_count > (size_t)TABLE.printed_rows)
        tacit_report_note(report, "  and more in the report");
}

static void add_rare_documents(tacit_report *report, const engine_scrub_story *story,
                               const tacit_rare_report *left)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "document", .heading = "document"},
        {.key = "facts", .heading = "facts that no other one has"},
        {.key = "score"},
    };
    const char *title = left->documents > 1 ? "The documents that hold most of them" : NULL;
    char name[NAME];
    tacit_report_begin(
        report, &(tacit_report_table){.name = "documents", .title = title, TACIT_COLUMNS(COLUMNS)});
    for (size_t i = 0; i < left->max_count; i++) {
        const tacit_rare_document *most = &left->most[i];
        tacit_report_cell(
            report, "%s",
            engine_shown_name_of(name, sizeof name, story->gathering, most->document));
        tacit_report_cell_integer(report, (int64_t)most->facts);
        tacit_report_cell_real(report, most->score);
    }
}

static void add_rare_counts(tacit_report *report, const tacit_rare_report *left)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_rare_report, documents, "of_documents", NULL, 0),
        TACIT_FIELD(tacit_rare_report, distinct, "counted", NULL, 0),
        TACIT_FIELD(tacit_rare_report, complete, "all_counted", NULL, 0),
        TACIT_FIELD(tacit_rare_report, rare, "rare", NULL, 0),
        TACIT_FIELD(tacit_rare_report, alone, "documents_with_one", NULL, 0),
        TACIT_FIELD(tacit_rare_report, several, "documents_with_three", NULL, 0),
    };
    char text[MAX_LEFT];
    tacit_report_text(report, "says", print_left(text, sizeof text, left));
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), left);
    tacit_report_integer(report, "held_by_fewer_than", RARE_BELOW);
}

static void add_left(tacit_report *report, const engine_scrub_story *story,
                     const tacit_rare_report *left)
{
    char text[MAX_LEFT];
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    tacit_report_line(report, "left", "%s", print_left(text, sizeof text, left));
    tacit_report_show(report, left->fact_count > 0 ? TACIT_SHOW_ALL : TACIT_SHOW_JSON);
    tacit_report_section(report, "What is left");
    tacit_report_paragraph(
        report,
        "Nothing below had to be replaced, and a sequence of such facts can identify a person all "
        "the same. Anyone who knows one of them about a person finds the document.");
    if (!left->complete)
        tacit_report_paragraph(
            report, "There are more facts than are counted: these are of the %s most telling ones.",
            engine_count((int64_t)left->distinct).text);
    tacit_report_enter(report, "rare");
    add_rare_counts(report, left);
    add_rare_facts(report, story, left);
    add_rare_documents(report, story, left);
    tacit_report_leave(report);
    tacit_report_show(report, everywhere);
}

/* ---- all of it ---- */

static void add_tiles(tacit_report *report, const engine_scrub_totals *totals,
                      const tacit_rare_report *left)
{
    tacit_report_tile(report, "documents", "%s", engine_count((int64_t)totals->documents).text);
    tacit_report_tile(report, "touched", "%s", engine_count((int64_t)totals->touched).text);
    tacit_report_tile(report, "replaced", "%s", engine_count((int64_t)totals->spans).text);
    tacit_report_tile(report, "bytes read", "%s", engine_count((int64_t)totals->bytes).text);
    if (left)
        tacit_report_tile(report, "facts that only one document has", "%s",
                          engine_count((int64_t)left->rare).text);
}

static void add_page_head(tacit_report *report, const engine_scrub_story *story,
                          const tacit_rare_report *left)
{
    static const char *const SCOPES[] = {"within a document", "within this run",
                                         "in every run with the same key"};
    char text[MAX_LEFT];
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_paragraph(
        report, "Scrubbed by tacit %s, threshold %.2f. The same value has the same replacement %s.",
        tacit_version(), story->options->threshold / 100.0, SCOPES[story->options->scope]);
    if (story->words)
        tacit_report_verdict(report, false, "",
                             "This page holds the words that were replaced. It is as personal as "
                             "the documents were: do not pass it on with them.");
    if (left)
        tacit_report_verdict(report, false, "De-identified, not anonymous", "%s.",
                             print_left(text, sizeof text, left));
    add_tiles(report, &story->totals, left);
    tacit_report_show(report, everywhere);
}

static void add_scrub_end(tacit_report *report, const engine_scrub_story *story)
{
    double speed = story->seconds > 0 ? (double)story->totals.bytes / 1e6 / story->seconds : 0;
    char rate[32];
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_JSON | TACIT_SHOW_TEXT);
    tacit_report_text(report, "caution", CAUTION);
    tacit_report_line(report, "caution", "%s", CAUTION);
    tacit_report_real(report, "seconds.total", story->seconds);
    tacit_report_real(report, "megabytes_per_second", speed);
    tacit_report_line(report, "time", "%.2f s (%s MB/s)", story->seconds,
                      tacit_number_text(rate, sizeof rate, speed, 1));
    tacit_report_show(report, everywhere);
}

static void fill_scrub(tacit_report *report, const void *subject)
{
    const engine_scrub_story *story = subject;
    const engine_scrub_totals *totals = &story->totals;
    tacit_rare_report *left = list_left(report, story);
    tacit_report_title(report, "%s: %s, of which %s held something personal",
                       strcmp(story->target, "-") ? story->target : "standard output",
                       engine_many((int64_t)totals->documents, "document").text,
                       engine_count((int64_t)totals->touched).text);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "scrub");
    add_page_head(report, story, left);
    add_totals(report, totals);
    add_options(report, story);
    tacit_report_bool(report, "anonymous", false);
    tacit_report_integer(report, "lexicon.words", (int64_t)tacit_text_lexicon_words());
    if (tacit_report_shows(report, TACIT_SHOW_JSON)) /* it goes through all of the tables */
        tacit_report_real(report, "lexicon.false_positive_rate", tacit_text_lexicon_rate());
    add_found(report, story);
    add_strategy(report, story->options);
    add_kinds(report, story);
    if (left) {
        add_documents(report, story->gathering);
        add_left(report, story, left);
    }
    add_scrub_end(report, story);
    if (story->gathering && story->gathering->shown_count > 0)
        tacit_report_drawing(report, engine_scrub_draw_documents, story);
    tacit_rare_report_free(left);
}

const engine_reports engine_scrub_reports = {.title = "Text without personal information",
                                             .fill = fill_scrub};
