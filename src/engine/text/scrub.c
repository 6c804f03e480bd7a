/*
 * scrub.c - `tacit scrub`: text without personal information (chapter 9 of Sweeney's
 * Computational Disclosure Control).
 *
 * Finding and replacing is the library's. Here files become jobs, jobs go through a pipeline on
 * all processors, and what comes out is written in their order: the same bytes whatever the
 * number of threads, and in memory that does not grow with the length of the text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/text/work.h"

static const engine_setting SETTINGS[] = {
    ENGINE_SETTING("output", FILE, "OUT",
                   "where to write the text: a file, or a folder for several files and for "
                   "folders; standard output unless given"),
    ENGINE_SETTING(
        "jsonl", TEXT, "FIELD",
        "files are JSON lines with the text in this field; all else of a line stays byte for byte"),
    ENGINE_SETTING("column", TEXT, "NAME",
                   "files are CSV, and this column holds text; can be given several times"),
    ENGINE_SETTING(
        "spans", FILE, "OUT.jsonl",
        "write what was found, a line for each document: offsets in bytes, label and likelihood"),
    ENGINE_SETTING("words", SWITCH, NULL,
                   "show the words themselves in --spans, --explain and --html; these files then "
                   "hold personal data"),
    ENGINE_SETTING(
        "known", FILE, "PEOPLE.csv",
        "names, addresses and numbers that must be found in every form; the header says what is "
        "what (name, first, last, street, city, phone, email, mrn, ssn, dob and so on)"),
    ENGINE_SETTING("known-columns", TEXT, "NAME=KIND,...",
                   "what columns of --known hold, where their names do not say it; skip for "
                   "columns to ignore"),
    ENGINE_SETTING("threshold", REAL, "L",
                   "replace what is personal with this likelihood or more, from 0 to 1; as "
                   "--weights says, or 0.55, unless given"),
    ENGINE_SETTING(
        "replace", TEXT, "KIND=STRATEGY,...",
        "made-up, tag, suppress, keep, lump (dates to the month, ages to the decade, zips to three "
        "digits) or shift (dates); \"all\" is every kind but title; can be given several times"),
    ENGINE_SETTING("consistent", TEXT, "document|batch|key",
                   "where the same value gets the same made-up value: within a document (the "
                   "default), in this run, or wherever --key is used"),
    ENGINE_SETTING("shift-by", TEXT, "NAME",
                   "the field of --jsonl or column of a CSV that says whom a text is about: dates "
                   "of one person move by the same number of days; unless given, those of each "
                   "document by a number of its own"),
    ENGINE_SETTING("key", FILE, "FILE",
                   "the key of made-up values: 32 bytes, or 64 hexadecimal digits; without it "
                   "nobody can find out who was who"),
    ENGINE_SETTING("new-key", FILE, "FILE",
                   "make such a key, which only its owner can read, and stop"),
    ENGINE_SETTING("accept-unread", SWITCH, NULL,
                   "scrub what is not plain text in English (other languages and scripts, mark-up, "
                   "encoded mail, invisible characters and so on) all the same, with a warning; "
                   "unless given it is refused, because names in it would not be found"),
    ENGINE_SETTING("templates", FILE, "FILE",
                   "further templates of what is personal (docs/methods/templates.md)"),
    ENGINE_SETTING(
        "weights", FILE, "FILE",
        "likelihoods, weights of words and threshold that --learn wrote, instead of those shipped"),
    ENGINE_SETTING(
        "learn", FILE, "GOLD.jsonl",
        "learn from documents in which people have marked what is personal, measure on a part that "
        "is held out, write what was learned to -o, and stop (docs/methods/scrub-learning.md)"),
    ENGINE_SETTING("offsets", TEXT, "characters|bytes",
                   "what the marks of --learn count; characters unless given, bytes as in --spans"),
    ENGINE_SETTING("precision", REAL, "P",
                   "--learn maximizes recall at this precision; 0.9 unless given"),
    ENGINE_SETTING("no-special", SWITCH, NULL,
                   "ignore detectors of what is not personal, such as doses, diseases and eponyms"),
    ENGINE_SETTING("explain", FILE, "OUT",
                   "write every proposal, its likelihood and why it won or lost: for people, or as "
                   "JSON lines where OUT ends in .jsonl"),
    ENGINE_SETTING(NULL, SWITCH, NULL, NULL),
};

/* ---- the work ---- */

/* Spans with their words, and explanations, are for the data holder only. */
static tacit_status open_side(engine_scrub_side *side, tacit_error *err)
{
    return side->path ? tacit_output_new_private(&side->output, side->path, err) : TACIT_OK;
}

/* Before the work, so that what cannot be written is known at once. */
static tacit_status prepare(engine_scrub *scrub)
{
    tacit_error *err = &scrub->session->error;
    tacit_status status = open_side(&scrub->spans, err);
    if (status == TACIT_OK)
        status = open_side(&scrub->explain, err);
    if (status == TACIT_OK)
        status = tacit_scrubber_new(&scrub->scrubber, &scrub->options, err);
    engine_scrub_name_file(scrub->session);
    if (status != TACIT_OK)
        return status;
    scrub->options.threshold = tacit_scrubber_threshold(scrub->scrubber);
    scrub->hand_count = engine_pipeline_workers(&scrub->session->run);
    if (scrub->form == ENGINE_FORM_PLAIN && (size_t)scrub->hand_count > scrub->files.count)
        scrub->hand_count = (int)scrub->files.count;
    scrub->hands = tacit__alloc_zeroed((size_t)scrub->hand_count, sizeof *scrub->hands);
    return scrub->hands ? TACIT_OK : tacit__nomem(err);
}

static tacit_status scrub_all(engine_scrub *scrub)
{
    engine_stages stages = engine_scrub_stages;
    stages.total = scrub->files.bytes;
    return engine_pipeline_run(&stages, scrub, &scrub->session->run, scrub->hand_count,
                               &scrub->session->error);
}

static void sum_totals(engine_scrub_totals *to, const engine_scrub_totals *from)
{
    to->files += from->files;
    to->documents += from->documents;
    to->touched += from->touched;
    to->bytes += from->bytes;
    to->bytes_out += from->bytes_out;
    to->spans += from->spans;
    for (int reason = 0; reason < TACIT_UNREAD_REASONS; reason++)
        to->unread[reason] += from->unread[reason];
    for (int format = 0; format < TACIT_TEXT_FORMATS; format++)
        to->by_format[format] += from->by_format[format];
    for (int kind = 0; kind < TACIT_TEXT_KINDS; kind++)
        to->by_kind[kind] += from->by_kind[kind];
}

/* What the hands know, together. */
static tacit_status put_together(engine_scrub *scrub)
{
    engine_scrub_story *story = &scrub->story;
    tacit_status status = TACIT_OK;
    if (scrub->files.count > 0)
        story->target = scrub->files.folder ? scrub->files.folder : scrub->files.items[0].target;
    story->shift_by = scrub->shift_by;
    story->options = &scrub->options;
    story->words = scrub->how & ENGINE_SCRUB_WORDS;
    for (int i = 0; scrub->hands && i < scrub->hand_count; i++) {
        engine_scrub_hand *hand = &scrub->hands[i];
        sum_totals(&story->totals, &hand->totals);
        if (!hand->gathering || status != TACIT_OK)
            continue;
        if (story->gathering)
            status = engine_scrub_gathering_merge(story->gathering, hand->gathering,
                                                  &scrub->session->error);
        else {
            story->gathering = hand->gathering;
            hand->gathering = NULL;
        }
    }
    story->seconds = engine_now() - scrub->session->start;
    scrub->session->written = story->totals.files;
    return status;
}

static tacit_status end_side(engine_scrub_side *side, engine_session *session)
{
    tacit_output *output = side->output;
    side->output = NULL;
    return output ? engine_files_add(session, output) : TACIT_OK;
}

static tacit_status run_scrub(void *state)
{
    engine_scrub *scrub = state;
    tacit_status status = engine_scrub_plan(scrub);
    if (status == TACIT_OK)
        status = prepare(scrub);
    if (status == TACIT_OK)
        status = scrub_all(scrub);
    tacit_status together = put_together(scrub);
    return status == TACIT_OK ? together : status;
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
        engine_warn(scrub->session, "anyone who knows or guesses --seed can test who is behind a "
                                    "made-up value; --key keeps values the same without that risk");
    for (int i = 0; i < TACIT_UNREAD_REASONS; i++)
        if (totals->unread[i] > 0)
            engine_warn(scrub->session,
                        "%s %s: personal information in it was not found and is still there",
                        documents(totals->unread[i], who, sizeof who),
                        tacit_text_unread_why((tacit_text_unread)i));
    if (scrub->files.passed_over > 0)
        engine_warn(scrub->session, "links and devices in folders were skipped: %s",
                    engine_count((int64_t)scrub->files.passed_over).text);
}

static tacit_status commit_scrub(void *state)
{
    engine_scrub *scrub = state;
    engine_session *session = scrub->session;
    tacit_status status = end_side(&scrub->spans, session);
    if (status == TACIT_OK)
        status = end_side(&scrub->explain, session);
    if (status == TACIT_OK)
        status = engine_report(session, &engine_scrub_reports, &scrub->story);
    if (status == TACIT_OK)
        status = engine_report_print(session, &engine_scrub_reports, &scrub->story);
    if (status == TACIT_OK)
        warn(scrub);
    return engine_report_failed(session, status);
}

static const engine_reports *scrub_reports(const void *state, const void **subject)
{
    const engine_scrub *scrub = state;
    *subject = &scrub->story;
    return &engine_scrub_reports;
}

/* ---- from beginning to end ---- */

static void clear_hand(engine_scrub_hand *hand)
{
    tacit_scrub_reader_free(hand->reader);
    engine_scrub_gathering_free(hand->gathering);
    engine_text_clear(&hand->in);
    engine_text_clear(&hand->out);
    engine_text_clear(&hand->spans);
    engine_text_clear(&hand->explained);
    engine_text_clear(&hand->text);
    engine_text_clear(&hand->cell);
    engine_text_clear(&hand->id);
    engine_text_clear(&hand->subject);
    for (size_t i = 0; i < ENGINE_SCRUB_AHEAD; i++)
        engine_text_clear(&hand->texts[i]);
}

static void clear_scrub(void *state)
{
    engine_scrub *scrub = state;
    for (int i = 0; scrub->hands && i < scrub->hand_count; i++)
        clear_hand(&scrub->hands[i]);
    tacit__free(scrub->hands);
    engine_feed_close(&scrub->feed);
    engine_scrub_gathering_free(scrub->story.gathering);
    tacit_scrubber_free(scrub->scrubber);
    tacit_output_free(scrub->spans.output);
    tacit_output_free(scrub->explain.output);
    engine_scrub_plan_clear(scrub);
}

static const engine_kind *scrub_variant(const engine_settings *settings)
{
    if (engine_has(settings, "new-key"))
        return &engine_scrub_new_key;
    return engine_has(settings, "learn") ? &engine_scrub_learn : NULL;
}

const engine_kind engine_scrub_kind = {
    .name = "scrub",
    .input = "FILE",
    .inputs_taken = SIZE_MAX,
    .settings = SETTINGS,
    .takes_data = true,
    .variant = scrub_variant,
    .size = sizeof(engine_scrub),
    .run = run_scrub,
    .commit = commit_scrub,
    .reports = scrub_reports,
    .clear = clear_scrub,
};
