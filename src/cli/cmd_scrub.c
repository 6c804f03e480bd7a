/*
 * cmd_scrub.c - `tacit scrub`: text without personal information (chapter 9 of Sweeney's
 * Computational Disclosure Control).
 *
 * Finding and replacing is the library's. Here files become jobs, jobs go through a pipeline on
 * all processors, and what comes out is written in their order: the same bytes whatever the
 * number of threads, and in memory that does not grow with the length of the text.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "scrub_work.h"

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_FILE, "OUT",
     "where the text goes: a file, or a folder for several files and for folders; standard output "
     "unless given",
     false},
    {"jsonl", 0, CLI_TEXT, "FIELD",
     "files are JSON lines with the text in this field; all else of a line stays byte for byte",
     false},
    {"column", 0, CLI_TEXT, "NAME",
     "files are CSV, and this column holds text; can be given several times", false},
    {"spans", 0, CLI_FILE, "OUT.jsonl",
     "write what was found, a line a document: offsets in bytes, label and likelihood", false},
    {"words", 0, CLI_SWITCH, NULL,
     "show the words themselves in --spans, --explain and --html; these files then hold people",
     false},
    {"known", 0, CLI_FILE, "PEOPLE.csv",
     "names, addresses and numbers that must be found in every form; the header says what is what "
     "(name, first, last, street, city, phone, email, mrn, ssn, dob and so on)",
     false},
    {"known-columns", 0, CLI_TEXT, "NAME=KIND,...",
     "what columns of --known hold, where their names do not say it; skip for nothing of use",
     false},
    {"threshold", 0, CLI_REAL, "L",
     "replace what is personal with this likelihood or more, from 0 to 1; as --weights says, or "
     "0.55, unless given",
     false},
    {"replace", 0, CLI_TEXT, "KIND=STRATEGY,...",
     "made-up, tag, suppress, keep, lump (dates to the month, ages to the decade, zips to three "
     "digits) or shift (dates); \"all\" is every kind but title; can be given several times",
     false},
    {"consistent", 0, CLI_TEXT, "document|batch|key",
     "how far the same value is made up the same: within a document unless given, in this run, or "
     "wherever --key is used",
     false},
    {"shift-by", 0, CLI_TEXT, "NAME",
     "the field of --jsonl or column of a CSV that says whom a text is about: dates of one person "
     "move by the same number of days; unless given those of each document by its own",
     false},
    {"key", 0, CLI_FILE, "FILE",
     "the key of made-up values: 32 bytes, or 64 hexadecimal digits; without it nobody can tell "
     "who was who",
     false},
    {"new-key", 0, CLI_FILE, "FILE", "make such a key, which only its owner can read, and end",
     false},
    {"accept-unread", 0, CLI_SWITCH, NULL,
     "scrub what is not plain text in English (other languages and scripts, mark-up, encoded mail, "
     "invisible characters and so on) all the same, with a warning; unless given it is refused, as "
     "nobody who is written so would be found",
     false},
    {"templates", 0, CLI_FILE, "FILE",
     "further templates of what is personal (docs/methods/templates.md)", false},
    {"weights", 0, CLI_FILE, "FILE",
     "likelihoods, weights of words and threshold that --learn wrote, instead of those shipped",
     false},
    {"learn", 0, CLI_FILE, "GOLD.jsonl",
     "learn from documents in which people have marked what is personal, measure on a part that is "
     "held out, write what was learned to -o, and end (docs/methods/scrub-learning.md)",
     false},
    {"offsets", 0, CLI_TEXT, "characters|bytes",
     "what the marks of --learn count; characters unless given, bytes as in --spans", false},
    {"precision", 0, CLI_REAL, "P",
     "--learn strives for the most recall with this precision; 0.9 unless given", false},
    {"no-special", 0, CLI_SWITCH, NULL,
     "do not heed detectors of what is kept, such as doses, diseases and eponyms", false},
    {"explain", 0, CLI_FILE, "OUT",
     "write every proposal, its likelihood and why it won or lost: for people, or as JSON lines "
     "where OUT ends in .jsonl",
     false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

/* ---- the work ---- */

/* Spans with their words, and explanations, are for the data holder only. */
static tacit_status open_side(cli_scrub_side *side, tacit_error *err)
{
    return side->path ? tacit_output_new_private(&side->output, side->path, err) : TACIT_OK;
}

/* Before the work, so that what cannot be written is known at once. */
static tacit_status prepare(cli_scrub *scrub)
{
    tacit_error *err = &scrub->session->error;
    tacit_status status = open_side(&scrub->spans, err);
    if (status == TACIT_OK)
        status = open_side(&scrub->explain, err);
    if (status == TACIT_OK)
        status = tacit_scrubber_new(&scrub->scrubber, &scrub->options, err);
    cli_scrub_name_file(scrub->session);
    if (status != TACIT_OK)
        return status;
    scrub->options.threshold = tacit_scrubber_threshold(scrub->scrubber);
    scrub->hand_count = cli_pipeline_workers(&scrub->session->run);
    if (scrub->form == CLI_FORM_PLAIN && (size_t)scrub->hand_count > scrub->files.count)
        scrub->hand_count = (int)scrub->files.count;
    scrub->hands = calloc((size_t)scrub->hand_count, sizeof *scrub->hands);
    return scrub->hands ? TACIT_OK : cli_error(err, TACIT_NOMEM, "out of memory");
}

static tacit_status scrub_all(cli_scrub *scrub)
{
    cli_stages stages = cli_scrub_stages;
    stages.total = scrub->files.bytes;
    return cli_pipeline_run(&stages, scrub, &scrub->session->run, scrub->hand_count,
                            &scrub->session->error);
}

static void add_totals(cli_scrub_totals *to, const cli_scrub_totals *from)
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
static tacit_status put_together(cli_scrub *scrub)
{
    cli_scrub_story *story = &scrub->story;
    tacit_status status = TACIT_OK;
    story->session = scrub->session;
    story->options = &scrub->options;
    story->words = scrub->how & CLI_SCRUB_WORDS;
    for (int i = 0; scrub->hands && i < scrub->hand_count; i++) {
        cli_scrub_hand *hand = &scrub->hands[i];
        add_totals(&story->totals, &hand->totals);
        if (!hand->gathering || status != TACIT_OK)
            continue;
        if (story->gathering)
            status = cli_scrub_gathering_merge(story->gathering, hand->gathering,
                                               &scrub->session->error);
        else {
            story->gathering = hand->gathering;
            hand->gathering = NULL;
        }
    }
    story->seconds = cli_now() - scrub->session->start;
    scrub->session->written = story->totals.files;
    return status;
}

static tacit_status commit_side(cli_scrub_side *side, tacit_error *err)
{
    return side->output ? tacit_output_commit(side->output, err) : TACIT_OK;
}

static tacit_status tell(cli_scrub *scrub)
{
    cli_session *session = scrub->session;
    tacit_status status = commit_side(&scrub->spans, &session->error);
    if (status == TACIT_OK)
        status = commit_side(&scrub->explain, &session->error);
    if (status == TACIT_OK)
        status = cli_scrub_report(scrub);
    if (status == TACIT_OK)
        cli_scrub_tell(scrub);
    return cli_report_failed(session, status);
}

static tacit_status work(cli_scrub *scrub)
{
    const char *new_key = cli_value(scrub->session->arguments, "new-key");
    if (new_key)
        return cli_scrub_key_new(new_key, scrub->session);
    if (cli_has(scrub->session->arguments, "learn"))
        return cli_scrub_learn(scrub);
    tacit_status status = cli_scrub_plan(scrub);
    if (status == TACIT_OK)
        status = prepare(scrub);
    if (status == TACIT_OK)
        status = scrub_all(scrub);
    tacit_status together = put_together(scrub);
    if (status == TACIT_OK)
        status = together;
    return status == TACIT_OK ? tell(scrub) : status;
}

/* ---- from beginning to end ---- */

static void clear_hand(cli_scrub_hand *hand)
{
    tacit_scrub_reader_free(hand->reader);
    cli_scrub_gathering_free(hand->gathering);
    cli_text_clear(&hand->in);
    cli_text_clear(&hand->out);
    cli_text_clear(&hand->spans);
    cli_text_clear(&hand->explained);
    cli_text_clear(&hand->text);
    cli_text_clear(&hand->cell);
    cli_text_clear(&hand->id);
    cli_text_clear(&hand->subject);
    for (size_t i = 0; i < CLI_SCRUB_AHEAD; i++)
        cli_text_clear(&hand->texts[i]);
}

static void clear(cli_scrub *scrub)
{
    for (int i = 0; scrub->hands && i < scrub->hand_count; i++)
        clear_hand(&scrub->hands[i]);
    free(scrub->hands);
    cli_feed_close(&scrub->feed);
    cli_scrub_gathering_free(scrub->story.gathering);
    tacit_scrubber_free(scrub->scrubber);
    tacit_output_free(scrub->spans.output);
    tacit_output_free(scrub->explain.output);
    cli_scrub_plan_clear(scrub);
    free(scrub);
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    cli_scrub *scrub = calloc(1, sizeof *scrub);
    tacit_status status = cli_session_init(&session, arguments);
    if (!scrub)
        status = cli_error(&session.error, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK) {
        scrub->session = &session;
        status = work(scrub);
    }
    int result = cli_session_end(&session, status);
    if (scrub)
        clear(scrub);
    return result;
}

const cli_command cli_scrub_command = {
    .name = "scrub",
    .summary = "text without personal information",
    .usage = "FILE... [-o OUT] [--jsonl FIELD | --column NAME] [options]",
    .about =
        "Finds what is personal in letters, notes and messages (names, addresses, numbers, dates "
        "and more) and puts made-up values in its place, so that the text stays useful; all other "
        "bytes stay as they are. FILE is plain text in English and UTF-8, a folder of such files, "
        "or - for standard "
        "input; a plain file is one document, and so is a line of JSON (--jsonl) or a cell of a "
        "CSV (--column). Several files and folders go to a folder, with the same tree. Files of "
        "any length are scrubbed in little memory.\n"
        "Scrubbed text is de-identified, not anonymous: what it tells can still single out a "
        "person whom somebody knows. Read some of it before it is given away.",
    .operand = "FILE",
    .operands_needed = 0,
    .operands_taken = SIZE_MAX,
    .options = OPTIONS,
    .takes_data = true,
    .example = "tacit scrub letter.txt -o clean.txt --spans found.jsonl\n"
               "tacit scrub letters/ -o clean/ --known patients.csv --consistent batch\n"
               "tacit scrub notes.jsonl --jsonl text --replace all=tag,date=shift",
    .run = run,
};
