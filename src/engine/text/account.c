/*
 * account.c - what was done, on the terminal and as JSON. No word of the text is shown:
 * kinds and counts only. Both say what scrubbing does not promise (chapter 9's end): text
 * without names can still tell of one person whom somebody knows.
 */
#include <stdio.h>
#include <string.h>

#include "engine/job/files.h"
#include "engine/records/verdict.h"
#include "engine/text/work.h"

static const char CAUTION[] =
    "scrubbed text is de-identified, not anonymous: what it tells can still single out a person";

/* ---- how things were replaced ---- */

static const char *strategy_words(tacit_text_strategy strategy)
{
    static const char *const WORDS[TACIT_TEXT_STRATEGIES] = {
        [TACIT_TEXT_MAKE_UP] = "made-up values",
        [TACIT_TEXT_TAG] = "tags such as [DATE]",
        [TACIT_TEXT_SUPPRESS] = "nothing in its place",
        [TACIT_TEXT_KEEP] = "kept as it is",
        [TACIT_TEXT_LUMP] = "lumped",
        [TACIT_TEXT_SHIFT] = "shifted",
    };
    return WORDS[strategy];
}

static const char *scope_words(const engine_scrub *scrub)
{
    switch (scrub->options.scope) {
    case TACIT_TEXT_DOCUMENT: return "the same within a document";
    case TACIT_TEXT_BATCH: return "the same in all documents of this run";
    case TACIT_TEXT_FOREVER: return "the same wherever this key is used";
    }
    return "";
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

static void tell_strategy(FILE *out, const engine_scrub *scrub)
{
    const tacit_scrub_options *options = &scrub->options;
    tacit_text_strategy usual = usual_strategy(options);
    char text[900];
    int len = snprintf(text, sizeof text, "by %s", strategy_words(usual));
    if (usual == TACIT_TEXT_MAKE_UP)
        len += snprintf(text + len, sizeof text - (size_t)len, ", %s", scope_words(scrub));
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++)
        if (differs(options, kind, usual) && len < (int)sizeof text - 80)
            len += snprintf(text + len, sizeof text - (size_t)len, "; %s %s",
                            tacit_text_kind_name((tacit_text_kind)kind),
                            strategy_words(options->strategy[kind]));
    engine_line(out, "replaced", "%s", text);
}

/* ---- the terminal ---- */

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

static void tell_kinds(FILE *out, const engine_scrub_totals *totals)
{
    tacit_text_kind kinds[TACIT_TEXT_KINDS];
    int count = engine_scrub_kinds(kinds, totals);
    char text[2048] = "";
    size_t len = 0;
    for (int i = 0; i < count && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s", i ? ", " : "",
                                engine_count((int64_t)totals->by_kind[kinds[i]]).text,
                                tacit_text_kind_name(kinds[i]));
    engine_line(out, "found", "%s", count ? text : "nothing");
}

static const char *documents(uint64_t count, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s %s", engine_count((int64_t)count).text,
             count == 1 ? "document has" : "documents have");
    return buffer;
}

static void warn(const engine_scrub *scrub)
{
    const engine_scrub_totals *totals = &scrub->story.totals;
    char who[64];
    if (engine_has(scrub->session->settings, "seed"))
        engine_warn(scrub->session,
                    "whoever knows or guesses --seed can try who is behind a made-up "
                    "value; --key keeps values the same without that");
    for (int i = 0; i < TACIT_UNREAD_REASONS; i++)
        if (totals->unread[i] > 0)
            engine_warn(scrub->session, "%s %s: who is written so was not found and is still there",
                        documents(totals->unread[i], who, sizeof who),
                        tacit_text_unread_why((tacit_text_unread)i));
    if (scrub->files.passed_over > 0)
        engine_warn(scrub->session, "links and devices in folders were passed over: %s",
                    engine_count((int64_t)scrub->files.passed_over).text);
}

static double speed(const engine_scrub_story *story)
{
    return story->seconds > 0 ? (double)story->totals.bytes / 1e6 / story->seconds : 0;
}

void engine_scrub_tell(FILE *out, const engine_scrub *scrub)
{
    const engine_scrub_totals *totals = &scrub->story.totals;
    const char *target = scrub->files.folder ? scrub->files.folder : scrub->files.items[0].target;
    char rate[32];
    engine_print_title(out, "%s: %s %s, of which %s held something personal",
                       strcmp(target, "-") ? target : "standard output",
                       engine_count((int64_t)totals->documents).text,
                       totals->documents == 1 ? "document" : "documents",
                       engine_count((int64_t)totals->touched).text);
    tell_kinds(out, totals);
    tell_strategy(out, scrub);
    if (scrub->story.gathering)
        engine_scrub_print_rare(&scrub->story, out);
    engine_line(out, "caution", "%s", CAUTION);
    engine_line(out, "time", "%.2f s (%s MB/s)", scrub->story.seconds,
                tacit_number_text(rate, sizeof rate, speed(&scrub->story), 1));
    warn(scrub);
}

/* ---- JSON ---- */

static void add_options(tacit_account *account, const tacit_scrub_options *options)
{
    char path[64];
    tacit_account_real(account, "threshold", options->threshold / 100.0);
    tacit_account_bool(account, "special", options->special);
    tacit_account_text(account, "consistent",
                       tacit_strview_of(engine_scrub_scopes[options->scope]));
    tacit_account_integer(account, "known", (int64_t)options->known_count);
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KEPT; kind++) {
        snprintf(path, sizeof path, "replace.%s", tacit_text_kind_name((tacit_text_kind)kind));
        tacit_account_text(account, path,
                           tacit_strview_of(engine_scrub_strategies[options->strategy[kind]]));
    }
}

static void add_totals(tacit_account *account, const engine_scrub_totals *totals)
{
    char path[64];
    tacit_account_integer(account, "totals.files", (int64_t)totals->files);
    tacit_account_integer(account, "totals.documents", (int64_t)totals->documents);
    tacit_account_integer(account, "totals.touched", (int64_t)totals->touched);
    for (int format = 0; format < TACIT_TEXT_FORMATS; format++) {
        snprintf(path, sizeof path, "totals.formats.%s",
                 tacit_text_format_name((tacit_text_format)format));
        tacit_account_integer(account, path, (int64_t)totals->by_format[format]);
    }
    tacit_account_integer(account, "totals.bytes", (int64_t)totals->bytes);
    tacit_account_integer(account, "totals.bytes_out", (int64_t)totals->bytes_out);
    for (int reason = 0; reason < TACIT_UNREAD_REASONS; reason++) {
        snprintf(path, sizeof path, "totals.unread.%s",
                 tacit_text_unread_name((tacit_text_unread)reason));
        tacit_account_integer(account, path, (int64_t)totals->unread[reason]);
    }
    tacit_account_integer(account, "totals.spans", (int64_t)totals->spans);
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KINDS; kind++)
        if (totals->by_kind[kind] > 0) {
            snprintf(path, sizeof path, "totals.kinds.%s",
                     tacit_text_kind_name((tacit_text_kind)kind));
            tacit_account_integer(account, path, (int64_t)totals->by_kind[kind]);
        }
}

static void fill_account(tacit_account *account, const void *subject)
{
    const engine_scrub_story *story = subject;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("scrub"));
    add_totals(account, &story->totals);
    add_options(account, story->options);
    if (engine_has(story->session->settings, "shift-by"))
        tacit_account_text(account, "shift_by",
                           tacit_strview_of(engine_value(story->session->settings, "shift-by")));
    engine_scrub_account_rare(account, story);
    tacit_account_text(account, "caution", tacit_strview_of(CAUTION));
    tacit_account_real(account, "seconds.total", story->seconds);
    tacit_account_real(account, "megabytes_per_second", speed(story));
}

const engine_reports engine_scrub_reports = {"Text without personal information", fill_account,
                                             engine_scrub_page, NULL};

tacit_status engine_scrub_report(engine_scrub *scrub)
{
    return engine_report(scrub->session, &engine_scrub_reports, &scrub->story);
}
