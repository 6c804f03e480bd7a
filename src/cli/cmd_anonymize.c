/*
 * cmd_anonymize.c - `tacit anonymize`: a release of records that keeps k.
 *
 * The release is made by the steps of release_make.c and appears only if the judge finds that the
 * promise holds. So a method's mistake costs a release, never a person.
 */
#define _GNU_SOURCE
#include "commands.h"
#include "explore.h"
#include "files.h"
#include "release.h"

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_FILE, "OUT.csv", "where the release goes; standard output unless given",
     false},
    {"unsafe", 0, CLI_SWITCH, NULL,
     "write what mu-argus makes as published or as described even if the judge refuses it", false},
    {"ask", 0, CLI_SWITCH, NULL,
     "with mu-argus: show what stands out after each round and ask which column to generalize",
     false},
    {"dependencies", 0, CLI_FILE, "OUT.csv",
     "with ambiguate: the functional dependencies of the data, and which of them anybody can still "
     "prove from the release",
     false},
    {"summary", 0, CLI_FILE, "MARGINALS.csv",
     "published frequencies, as for tacit audit: a release from which a withheld value follows is "
     "refused; as often as there are some",
     false},
    {"accept-unread", 0, CLI_SWITCH, NULL,
     "scrub columns of text (replace: scrub) that are not plain text in English all the same; "
     "unless given they are refused, as nobody who is written so would be found",
     false},
    {"evaluate", 0, CLI_SWITCH, NULL,
     "measure what the release has lost of the data, and how many records can be told from it; "
     "always done where there are techniques",
     false},
    {"no-evaluate", 0, CLI_SWITCH, NULL,
     "do not measure that, even with techniques: it takes longer than all the rest on large data",
     false},
    {"secrets", 0, CLI_SWITCH, NULL,
     "tell secret settings of techniques too, seeds and key files, on the terminal and in reports: "
     "for your own records, never for who gets the data",
     false},
    {"explore", 0, CLI_SWITCH, NULL,
     "show what each k and loss would cost with each method, and release nothing; -o is then for "
     "a table of it",
     false},
    {"explore-k", 0, CLI_TEXT, "K,...", "the k to explore; round numbers up to 100 unless given",
     false},
    {"explore-loss", 0, CLI_TEXT, "SHARE,...",
     "the losses to explore; round numbers up to 0.1 unless given", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

static tacit_status tell(cli_release *release)
{
    cli_release_tell(release);
    tacit_status status = cli_dependencies_write(&release->dependencies, release->session);
    if (status == TACIT_OK)
        status = cli_release_report(release);
    return cli_report_failed(release->session, status);
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    cli_ledger ledger = {0};
    const char *target = cli_value(arguments, "output");
    cli_release release = {.session = &session, .ledger = &ledger, .target = target ? target : "-"};
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = cli_release_prepare(&release);
    if (status == TACIT_OK) /* exploring needs the data and what its values generalize to */
        status =
            cli_release_make(&release, release.explore ? CLI_EXPLORED_STEPS : CLI_RELEASE_STEPS);
    if (status == TACIT_OK)
        status = release.explore ? cli_explore_run(&release) : tell(cli_previous_made(&release));
    int result = cli_session_end(&session, status);
    cli_release_clear(&release);
    return result;
}

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "a release of records in which nobody can be told from k - 1 others",
    .usage = "DATA.csv --policy P.yaml [-o OUT.csv] [options]",
    .about =
        "Generalizes and suppresses the quasi-identifying columns of DATA.csv (- is standard "
        "input) until every combination of their values is shared by at least k people, drops or "
        "replaces what names a person, and shuffles the rows. The release is then read back and "
        "judged by code of its own, and appears only if the promise holds.",
    .operand = "DATA.csv",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .takes_policy = true,
    .takes_data = true,
    .makes = CLI_RECORDS,
    .example = "tacit anonymize patients.csv --policy patients.yaml -o release.csv\n"
               "tacit anonymize patients.csv -o release.csv --k 5 --identifier patient,name \\\n"
               "      --quasi birth,sex,postcode --sensitive diagnosis \\\n"
               "      --hierarchy birth=date --hierarchy postcode=mask:right",
    .run = run,
};
