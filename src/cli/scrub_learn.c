/*
 * scrub_learn.c - `tacit scrub --learn`: a training session on documents that people have
 * marked (section 9.3 of Computational Disclosure Control). What was learned is written only if
 * the documents that were held out are not scrubbed worse with it.
 */
#define _GNU_SOURCE
#include "scrub_learn.h"

#include <string.h>

#include "files.h"
#include "scrub_gold.h"
#include "scrub_work.h"

static tacit_status check_arguments(const cli_session *session, tacit_error *err)
{
    static const char *const NOT_TAKEN[] = {"spans",   "explain",    "column", "words",
                                            "replace", "consistent", "key"};
    const cli_arguments *arguments = session->arguments;
    if (arguments->operand_count > 0)
        return cli_error(err, TACIT_INVALID,
                         "--learn scrubs no FILE; scrub with what it writes by --weights");
    for (size_t i = 0; i < sizeof NOT_TAKEN / sizeof *NOT_TAKEN; i++)
        if (cli_has(arguments, NOT_TAKEN[i]))
            return cli_error(err, TACIT_INVALID, "--%s says nothing to --learn", NOT_TAKEN[i]);
    if (cli_real(arguments, "precision", 0) > 1)
        return cli_error(err, TACIT_INVALID,
                         "--precision takes a number from 0 to 1, not \"%.40s\"",
                         cli_value(arguments, "precision"));
    const cli_file files[] = {
        {cli_value(arguments, "learn"), "--learn", false},
        {cli_value(arguments, "known"), "--known", false},
        {cli_value(arguments, "templates"), "--templates", false},
        {cli_value(arguments, "weights"), "--weights", false},
        {cli_value(arguments, "output"), "-o", true},
        {cli_value(arguments, "report"), "--report", true},
        {cli_value(arguments, "html"), "--html", true},
    };
    return cli_files_check(files, sizeof files / sizeof *files, err);
}

static tacit_status read_gold(cli_gold *gold, cli_session *session)
{
    static const char *const UNITS[] = {"characters", "bytes"};
    const cli_arguments *arguments = session->arguments;
    const char *field = cli_value(arguments, "jsonl");
    int unit = -1;
    tacit_status status = cli_choice(&unit, arguments, "offsets", UNITS, 2, &session->error);
    if (status != TACIT_OK)
        return status;
    return cli_gold_read(gold, cli_value(arguments, "learn"), field ? field : "text", unit == 1,
                         &session->error);
}

/* The reports are written in any case: they say why nothing else is. */
static tacit_status finish(cli_session *session, const cli_learning *learning)
{
    static const cli_reports REPORTS = {"What was learned from marked text", cli_learning_account,
                                        cli_learning_page};
    const tacit_learned *learned = learning->learned;
    tacit_error *err = &session->error;
    tacit_status status = TACIT_OK;
    if (learning->target && !learned->worse) {
        status = cli_write_text(learning->target, learned->text, learned->len, err);
        session->written += status == TACIT_OK;
    }
    if (status == TACIT_OK)
        status = cli_report_failed(session, cli_report(session, &REPORTS, learning));
    if (status != TACIT_OK)
        return status;
    if (!session->quiet) {
        cli_terminal_erase(&session->terminal);
        cli_learning_tell(learning);
    }
    return learned->worse
               ? cli_error(err, TACIT_INFEASIBLE,
                           "the documents that were held out are scrubbed worse with what was "
                           "learned; nothing is written: mark more documents, or stay with the "
                           "settings there are")
               : TACIT_OK;
}

static tacit_status learn(cli_scrub *scrub, const cli_gold *gold)
{
    cli_session *session = scrub->session;
    const cli_arguments *arguments = session->arguments;
    tacit_learned *learned = NULL;
    tacit_learn_options options;
    tacit_learn_options_init(&options);
    options.scrub = scrub->options;
    options.precision = cli_real(arguments, "precision", options.precision);
    tacit_status status = tacit_scrub_learn(&learned, gold->documents, gold->count, &options,
                                            &session->run, &session->error);
    cli_scrub_name_file(session);
    if (status != TACIT_OK)
        return status;
    const cli_learning learning = {.gold = cli_value(arguments, "learn"),
                                   .target = cli_value(arguments, "output"),
                                   .precision = options.precision,
                                   .learned = learned,
                                   .seconds = cli_now() - session->start};
    status = finish(session, &learning);
    tacit_learned_free(learned);
    return status;
}

tacit_status cli_scrub_learn(cli_scrub *scrub)
{
    cli_gold gold = {0};
    tacit_status status = check_arguments(scrub->session, &scrub->session->error);
    if (status == TACIT_OK)
        status = cli_scrub_learn_plan(scrub);
    if (status == TACIT_OK)
        status = read_gold(&gold, scrub->session);
    if (status == TACIT_OK)
        status = learn(scrub, &gold);
    cli_gold_clear(&gold);
    return status;
}
