/*
 * cmd_audit.c - `tacit audit`: the judge alone, on any release. Statistical tables are
 * audit_table.c's; what follows is about records.
 *
 * The promise is made from the policy exactly as `tacit anonymize` makes it.
 * With --original the judge also compares values and looks for rows lost or
 * made up; nothing is known of which row became which, unless --same-order
 * says that the rows stand as they stood. The verdict is what was asked for, so
 * it goes to standard output.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "audit_table.h"
#include "blanks.h"
#include "commands.h"
#include "files.h"
#include "grid.h"
#include "ledger.h"
#include "population.h"
#include "promise.h"
#include "registers.h"
#include "session.h"
#include "sparse.h"
#include "summaries.h"
#include "verdict.h"

static const cli_option OPTIONS[] = {
    {"original", 0, CLI_FILE, "DATA.csv",
     "what the release was made from: values and rows are then compared", false},
    {"same-order", 0, CLI_SWITCH, NULL, "the release keeps the order of the original's rows",
     false},
    {"joined", 0, CLI_FILE, "OUT.csv",
     "with --previous: the release with the finer values that follow, the rows that are then alike "
     "and the candidates of each row",
     false},
    {"truth", 0, CLI_FILE, "TRUTH.csv",
     "with --population: who is who, by columns row (of the release) and one that names people "
     "of the register",
     false},
    {"uniqueness", 0, CLI_NUMBER, "M",
     "with --population: how many of its people are alone, by up to M columns (2; 0: not counted)",
     false},
    {"linked", 0, CLI_FILE, "OUT.csv",
     "with --population: to how many people each row of the release maps", false},
    {"summary", 0, CLI_FILE, "MARGINALS.csv",
     "of records: published frequencies, as attribute,value,count or as columns of the release and "
     "count: which withheld values follow; as often as there are some",
     false},
    {"proven", 0, CLI_SWITCH, NULL,
     "the account of local or optimal said that its release is the best there is", false},
    {"dim", 0, CLI_TEXT, "COLUMN[=FILE]",
     "of a table: a dimension, and its hierarchy; as often as there are dimensions", false},
    {"total", 0, CLI_TEXT, "CODE",
     "of a table: what the total of a dimension without hierarchy is called (Total)", false},
    {"value", 0, CLI_TEXT, "COLUMN", "of a table: the values (without it: freq)", false},
    {"negative", 0, CLI_SWITCH, NULL, "of a table: values may be below zero", false},
    {"tolerance", 0, CLI_REAL, "X", "of a table: what a total may be off by, beyond rounding",
     false},
    {"singletons", 0, CLI_SWITCH, NULL,
     "of a table: also what contributors find out who know what they gave", false},
    {"total-protection", 0, CLI_SWITCH, NULL,
     "of a table of two dimensions: also cells and sums of primary cells that are known exactly",
     false},
    {"lines", 0, CLI_NUMBER, "K",
     "with it: whether anything is known about any K rows, or K columns", false},
    {"sparse", 0, CLI_SWITCH, NULL,
     "of two dimensions: the file lists the suppressed cells of a large table, and what is known "
     "exactly about them is found",
     false},
    {"rest", 0, CLI_TEXT, "free|zero|publish",
     "with it: what the cells are that the file leaves out (free)", false},
    {"ads", 0, CLI_SWITCH, NULL,
     "of records: the nine parts of the definition of an anonymous data system, and of each what "
     "was assumed, checked, or could not be",
     false},
    {"sums", 0, CLI_SWITCH, NULL, "of a table: also sums of primary cells that are known too well",
     false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

typedef struct trial {
    cli_session *session;
    const char *file;
    tacit_policy *policy;
    cli_promise promise;
    tacit_table *release;
    tacit_table *original;
    cli_population population;
    cli_earlier earlier;
    cli_ledger ledger;
    tacit_verdict *verdict;
    cli_case c; /* for the attacks */
    cli_found found;
    cli_ads ads;
    double read_seconds, judge_seconds;
} trial;

/* Earlier releases are the command line's, the policy's or a ledger's; which of those are of this
 * data is known when it is read. */
static tacit_status check_joined(trial *audit)
{
    if (!cli_has(audit->session->arguments, "joined") || audit->earlier.count > 0)
        return TACIT_OK;
    return cli_error(&audit->session->error, TACIT_INVALID,
                     "--joined needs an earlier release to join with: name it with --previous, or "
                     "give a ledger that has one");
}

static tacit_status prepare(trial *audit)
{
    const cli_arguments *arguments = audit->session->arguments;
    audit->file = arguments->operands[0];
    enum { READ = 4, FILES = READ + CLI_WRITTEN };
    cli_file files[FILES] = {{audit->file, "RELEASE.csv", false},
                             {cli_value(arguments, "policy"), "--policy", false},
                             {cli_value(arguments, "original"), "--original", false},
                             {cli_value(arguments, "truth"), "--truth", false}};
    const size_t count = FILES;
    cli_files_written(files + READ, arguments);
    tacit_status status = cli_files_check(files, count, &audit->session->error);
    if (status == TACIT_OK && cli_has(arguments, "same-order") && !cli_has(arguments, "original"))
        status = cli_error(&audit->session->error, TACIT_INVALID,
                           "--same-order says nothing without --original");
    if (status == TACIT_OK)
        status = cli_summaries_check(audit->session, files, count, &audit->session->error);
    if (status == TACIT_OK)
        status = cli_policy(&audit->policy, audit->session);
    if (status == TACIT_OK)
        status = cli_session_guard(audit->session, audit->policy);
    if (status == TACIT_OK && tacit_policy_masks(audit->policy) && cli_has(arguments, "original"))
        status = cli_error(&audit->session->error, TACIT_INVALID,
                           "the policy has techniques, which change values by chance, so that the "
                           "release cannot be compared with the data they were applied to; leave "
                           "--original out");
    if (status == TACIT_OK)
        status = cli_registers_check(audit->policy, audit->session);
    if (status == TACIT_OK)
        status = cli_registers_quasi(audit->policy, audit->file, audit->session);
    if (status == TACIT_OK)
        status = cli_blanks_check(audit->policy, audit->session, &audit->session->error);
    if (status == TACIT_OK)
        status = cli_policy_files_check(audit->policy, files, count, &audit->session->error);
    if (status == TACIT_OK)
        status = cli_ledger_open_beside(&audit->ledger, audit->policy, audit->file, audit->session);
    if (status == TACIT_OK && !audit->policy->ledger && audit->policy->previous_count == 0)
        status = check_joined(audit);
    return status;
}

static tacit_status read_original(trial *audit)
{
    cli_session *session = audit->session;
    const char *file = cli_value(session->arguments, "original");
    if (!file)
        return TACIT_OK;
    tacit_csv_options options;
    cli_csv_options(&options, session);
    const char **names = NULL;
    tacit_status status =
        tacit_policy_coded(&names, &options.coded_count, audit->policy, &session->error);
    options.coded = names;
    options.code_none = options.coded_count == 0;
    cli_ledger_code(&options, &audit->ledger);
    if (status == TACIT_OK)
        status = tacit_table_read(&audit->original, file, &options, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_policy_check(audit->policy, audit->original, &session->error);
    tacit_policy_names_free(names);
    return status;
}

/* The names of the columns, and in a release without a header those that they had before some
 * were dropped, which their number tells. NULL where the file can be read only once. */
static tacit_status look_ahead(tacit_table **header, cli_names *names, tacit_csv_options *options,
                               trial *audit)
{
    cli_session *session = audit->session;
    if (!options->no_header && !cli_is_file(audit->file))
        return TACIT_OK;
    tacit_csv_options quick = *options;
    quick.header_only = true;
    tacit_status status =
        tacit_table_read(header, audit->file, &quick, &session->run, &session->error);
    if (status != TACIT_OK || !options->no_header)
        return status;
    int32_t count = tacit_table_columns(*header);
    tacit_table_free(*header);
    *header = NULL;
    if (!cli_names_by_place(names, count, audit->policy))
        return cli_error(&session->error, TACIT_NOMEM, "out of memory");
    options->names = names->views;
    options->name_count = (size_t)count;
    return TACIT_OK;
}

/* A quasi-identifying column that the release does not have is an error here. */
static tacit_status read_release(trial *audit)
{
    cli_session *session = audit->session;
    tacit_csv_options options;
    cli_release_csv_options(&options, session);
    cli_names columns = {0};
    cli_needs needs = {0};
    tacit_table *header = NULL;
    tacit_status status = look_ahead(&header, &columns, &options, audit);
    if (status == TACIT_OK)
        status = cli_needs_release(&needs, &options, header, &audit->c);
    if (status == TACIT_OK)
        status = tacit_table_read(&audit->release, audit->file, &options, &session->run,
                                  &session->error);
    tacit_table_free(header);
    cli_needs_clear(&needs);
    cli_names_clear(&columns);
    if (status == TACIT_OK && !audit->original)
        status = tacit_policy_check_release(audit->policy, audit->release, &session->error);
    return status;
}

static tacit_status make_promise(trial *audit)
{
    int64_t k = 0;
    bool most_general = false;
    tacit_error *err = &audit->session->error;
    tacit_status status = tacit_policy_k(audit->policy, &k, &most_general, err);
    if (status == TACIT_OK)
        status = cli_promise_init(&audit->promise, audit->policy, k, err);
    return status;
}

static tacit_status read_all(trial *audit)
{
    double start = cli_now();
    audit->c = (cli_case){.session = audit->session,
                          .policy = audit->policy,
                          .promise = &audit->promise,
                          .file = audit->file,
                          .same_order = cli_has(audit->session->arguments, "same-order"),
                          .proven = cli_has(audit->session->arguments, "proven"),
                          .earlier = &audit->earlier};
    tacit_status status = cli_earlier_read(&audit->earlier, audit->policy, audit->session);
    if (status == TACIT_OK)
        status = read_original(audit);
    if (status == TACIT_OK)
        status = cli_ledger_recall(&audit->earlier, &audit->ledger, audit->policy, audit->original,
                                   audit->session);
    if (status == TACIT_OK)
        status = check_joined(audit);
    if (status == TACIT_OK)
        status = read_release(audit);
    if (status == TACIT_OK)
        status = cli_ledger_recall_with(&audit->earlier, &audit->ledger, audit->original,
                                        audit->release, audit->session);
    if (status == TACIT_OK)
        status = make_promise(audit);
    audit->c.original = audit->original;
    audit->c.release = audit->release;
    if (status == TACIT_OK)
        status =
            cli_population_read(&audit->population, audit->policy, &audit->promise, audit->session);
    audit->read_seconds = cli_now() - start;
    return status;
}

static tacit_status judge(trial *audit)
{
    cli_session *session = audit->session;
    double start = cli_now();
    const tacit_evidence evidence = {
        .release = audit->release,
        .original = audit->original,
        .same_order = cli_has(session->arguments, "same-order"),
        .population = audit->population.people,
    };
    tacit_status status = tacit_audit_release(&audit->verdict, &audit->promise.promise, &evidence,
                                              &session->run, &session->error);
    audit->judge_seconds = cli_now() - start;
    audit->c.verdict = audit->verdict;
    if (status == TACIT_OK)
        status = cli_attacks_run(&audit->found, &audit->c);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(audit->release, &session->run, &session->error);
    if (status == TACIT_OK && audit->original)
        status = tacit_table_check_unchanged(audit->original, &session->run, &session->error);
    if (status == TACIT_OK)
        cli_ads_fill(&audit->ads, audit->verdict, &audit->found, &audit->c);
    return status;
}

static void tell(trial *audit)
{
    const tacit_verdict *verdict = audit->verdict;
    char sentence[1024], label[16];
    cli_terminal_erase(&audit->session->terminal);
    if (audit->session->quiet)
        return;
    cli_verdict_sentence(sentence, sizeof sentence, verdict, &audit->promise.promise);
    printf("%s: %s rows, %s of them suppressed\n\n", cli_show(audit->file).text,
           cli_count(verdict->rows).text, cli_count(verdict->suppressed_rows).text);
    fputs(verdict->holds ? cli_good(stdout) : cli_bad(stdout), stdout);
    cli_print_labelled(stdout, "verdict", sentence);
    fputs(cli_plain(stdout), stdout);
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        snprintf(label, sizeof label, "%s", cli_finding_name(verdict->findings[i].kind));
        cli_print_labelled(stdout, label, verdict->findings[i].message);
    }
    cli_found_tell(stdout, &audit->found, &audit->c);
    if (cli_has(audit->session->arguments, "ads")) {
        cli_ads_sentence(sentence, sizeof sentence, &audit->ads);
        cli_print_labelled(stdout, "definition", sentence);
        cli_ads_tell(stdout, &audit->ads);
    }
    cli_ledger_tell(stdout, &audit->ledger);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const trial *audit = subject;
    const tacit_verdict *verdict = audit->verdict;
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("audit"));
    tacit_account_integer(account, "rows", verdict->rows);
    tacit_account_integer(account, "k", audit->promise.promise.k);
    for (int32_t i = 0; i < audit->promise.promise.attribute_count; i++)
        tacit_account_push_text(account, "quasi",
                                tacit_strview_of(audit->promise.attributes[i].name));
    tacit_account_integer(account, "smallest_class", cli_verdict_smallest(verdict));
    cli_verdict_account(account, verdict);
    cli_found_account(account, &audit->found, &audit->c);
    cli_ads_account(account, &audit->ads);
    cli_ledger_account(account, &audit->ledger);
    tacit_account_real(account, "seconds.read", audit->read_seconds);
    tacit_account_real(account, "seconds.judge", audit->judge_seconds);
    tacit_account_real(account, "seconds.total", cli_now() - audit->session->start);
}

static void add_findings(tacit_page *page, const tacit_verdict *verdict)
{
    static const char *const HEADER[] = {"finding", "row", "rows or cells", "what"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 4);
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        const tacit_finding *finding = &verdict->findings[i];
        cli_grid_add(&grid, "%s", cli_finding_name(finding->kind));
        if (finding->row > 0)
            cli_grid_add(&grid, "%lld", (long long)finding->row);
        else
            cli_grid_add_view(&grid, tacit_strview_of(""));
        cli_grid_add(&grid, "%lld", (long long)finding->count);
        cli_grid_add(&grid, "%s", finding->message);
    }
    if (verdict->finding_count > 0)
        cli_grid_show(&grid, page, "Findings");
    cli_grid_clear(&grid);
}

static void add_sets(tacit_page *page, const trial *audit)
{
    static const char *const HEADER[] = {"quasi-identifier", "classes", "smallest class",
                                         "rows below k"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 4);
    for (int32_t i = 0; i < audit->verdict->set_count; i++) {
        const tacit_set_verdict *set = &audit->verdict->sets[i];
        char names[256] = "";
        for (int32_t j = 0; j < audit->promise.promise.attribute_count; j++) {
            size_t used = strlen(names);
            if (!audit->promise.sets || audit->promise.sets[i] >> j & 1)
                snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                         audit->promise.attributes[j].name);
        }
        cli_grid_add(&grid, "%s", names);
        cli_grid_add(&grid, "%lld", (long long)set->classes);
        cli_grid_add(&grid, "%lld", (long long)set->smallest);
        cli_grid_add(&grid, "%lld", (long long)set->rows_below);
    }
    cli_grid_show(&grid, page, "Quasi-identifiers");
    cli_grid_clear(&grid);
}

static void fill_page(tacit_page *page, const void *subject)
{
    const trial *audit = subject;
    char text[1024];
    snprintf(text, sizeof text, "Judged by tacit %s %s.", tacit_version(),
             audit->original ? "against the original" : "without the original");
    tacit_page_paragraph(page, text);
    cli_verdict_sentence(text, sizeof text, audit->verdict, &audit->promise.promise);
    tacit_page_banner(page, audit->verdict->holds, text);
    add_findings(page, audit->verdict);
    add_sets(page, audit);
    cli_verdict_models(page, audit->verdict);
    cli_found_page(page, &audit->found, &audit->c);
    cli_ads_page(page, &audit->ads);
}

static const cli_reports REPORTS = {"Audit of a release", fill_account, fill_page};

static void clear(trial *audit)
{
    cli_found_clear(&audit->found);
    cli_ledger_clear(&audit->ledger);
    tacit_verdict_free(audit->verdict);
    tacit_table_free(audit->original);
    tacit_table_free(audit->release);
    cli_population_clear(&audit->population);
    cli_earlier_clear(&audit->earlier);
    cli_promise_clear(&audit->promise);
    tacit_policy_free(audit->policy);
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    trial audit = {.session = &session};
    if (cli_has(arguments, "sparse"))
        return cli_audit_sparse(arguments);
    if (cli_is_audit_of_table(arguments))
        return cli_audit_table(arguments);
    tacit_status status = cli_session_init(&session, arguments);
    if (status == TACIT_OK)
        status = prepare(&audit);
    if (status == TACIT_OK)
        status = read_all(&audit);
    if (status == TACIT_OK)
        status = judge(&audit);
    if (status == TACIT_OK) {
        tell(&audit);
        status = cli_report(&session, &REPORTS, &audit);
    }
    int result = cli_session_end(&session, status);
    if (result == CLI_DONE && (!audit.verdict->holds || cli_found_discloses(&audit.found)))
        result = CLI_DISCLOSURE;
    clear(&audit);
    return result;
}

const cli_command cli_audit = {
    .name = "audit",
    .summary = "what an adversary can deduce from a release",
    .usage = "RELEASE.csv --policy P.yaml | TABLE [--dim "
             "D]... [options]",
    .about =
        "Judges a release by the promise of its policy: k on every quasi-identifier, "
        "suppressed rows included, what is promised beyond k of sensitive columns and of the "
        "population, and no identifier left; with --original also that every "
        "released value generalizes the original's and that rows are neither lost nor made "
        "up. The exit status is 5 if the promise is broken.\n"
        "With --population the release is linked to a register of people, or to several joined: "
        "how many of them each row could be, who is identified (exit status 5), and whether "
        "k-map, null-map and wrong-map protection hold. Without a quasi-identifier it is what "
        "both have, and a policy is not needed.\n"
        "A statistical table (.jj, or a long CSV of cells with a --dim for each dimension) needs "
        "no "
        "policy: linear programs say how low and how high every suppressed cell can be, which "
        "are known exactly and which closer than their protection levels allow. The file is the "
        "data holder's, with all values and a column status; or a release as outsiders have "
        "it, in which values of suppressed cells are empty or a mark such as x, c, * or '..': "
        "then levels are not known and not judged.",
    .operand = "RELEASE.csv",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .takes_policy = true,
    .takes_data = true,
    .example = "tacit audit release.csv --policy patients.yaml --original patients.csv\n"
               "tacit audit release.csv --population voters.csv --hierarchy zip=mask:right\n"
               "tacit audit table.csv --dim region=region.hrc --dim sex --report audit.json",
    .run = run,
};
