/*
 * descriptions.c - what the help says of the commands that run a job of the library. What such a
 * command can be told is the library's to know (tacit/job.h).
 */
#include "commands.h"

const cli_command cli_profile = {
    .name = "profile",
    .answers = true,
    .summary = "what is in a file, and which columns could identify people",
    .usage = "DATA.csv [--policy-out P.yaml] [options]",
    .about = "Lists the columns of DATA.csv (- is standard input) with a guess at what each holds, "
             "the role it should have in a release and why, and counts the rows that are unique "
             "on the likely quasi-identifiers together. --policy-out writes a policy that can be "
             "used as it is, with a reason on each line, and beside it the hierarchies of columns "
             "that no rule fits.",
    .example = "tacit profile patients.csv --policy-out draft.yaml",
};

const cli_command cli_hierarchy = {
    .name = "hierarchy",
    .answers = true,
    .summary = "makes, checks and completes the hierarchy file of a column",
    .usage = "DATA.csv --column NAME [--from RULE | --group HOW | --check H.csv] [-o OUT.csv] "
             "[options]",
    .about =
        "Lists the values of a column of DATA.csv (- is standard input) with their numbers of rows "
        "and writes a hierarchy file for them: of a rule or standard hierarchy, with groups by "
        "name or frequency, or a template in which the second field of a row is the value's "
        "group, to be edited. With --check it lists all gaps of a file at once: values of the data "
        "that it lacks, values that the data does not have, rows of another length, values with "
        "two parents; the exit status is then 1 if the file cannot be used, and -o writes it with "
        "the values it lacks, each in a group of its own. Report and files hold values of the "
        "data, the report their numbers of rows, too: they are the data holder's alone.",
    .example = "tacit hierarchy patients.csv --column ethnicity -o ethnicity.csv\n"
               "tacit hierarchy patients.csv --column job --group name -o jobs.csv\n"
               "tacit hierarchy patients.csv --column postcode --from mask:right -o areas.csv\n"
               "tacit hierarchy patients.csv --column ethnicity --check ethnicity.csv",
};

const cli_command cli_risk = {
    .name = "risk",
    .answers = true,
    .summary = "which records are at risk, through which columns, and how much",
    .usage = "DATA.csv --quasi NAME,... [--k K] [options]",
    .about =
        "Finds the records of DATA.csv (- is standard input) that share the values of some columns "
        "with no other record, or with few: every smallest set of columns that singles a record "
        "out (its prime implicants, or minimal sample uniques), which columns contribute most, "
        "SUDA and DIS scores, and the risk of re-identification where the records are a sample of "
        "a population. Records are identified by row number, from 1, and values are shown only in "
        "the file of --values. Columns are those of --quasi and those with the role quasi in the "
        "policy; if there are none, all but those that seem to name people. The exit status is 4 "
        "if a limit ended the search; what was found by then is shown and written.\n"
        "With --counts there are no records: from published counts of groups it estimates how many "
        "people are unique.",
    .example = "tacit risk patients.csv --policy patients.yaml --html risk.html\n"
               "tacit risk patients.csv --quasi birth,sex,postcode --records risk.csv",
};

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "a release in which nobody can be distinguished from k - 1 others",
    .usage = "DATA.csv --policy P.yaml [-o OUT.csv] [options]",
    .about = "Generalizes and suppresses the quasi-identifying columns of DATA.csv (- is standard "
             "input) until every combination of their values is shared by at least k people, drops "
             "or replaces what names a person, and shuffles the rows. The release is then read "
             "back and judged by independent code, and written only if the promise holds.",
    .example = "tacit anonymize patients.csv --policy patients.yaml -o release.csv\n"
               "tacit anonymize patients.csv -o release.csv --k 5 --identifier patient,name \\\n"
               "      --quasi birth,sex,postcode --sensitive diagnosis \\\n"
               "      --hierarchy birth=date --hierarchy postcode=mask:right",
};

const cli_command cli_compare = {
    .name = "compare",
    .answers = true,
    .summary = "risk against loss for several policies",
    .usage = "DATA.csv --policies A.yaml,B.yaml,... [options]",
    .about =
        "Makes the release of each policy as tacit anonymize does, judges it, and measures how "
        "much information it loses and how many of its records can be re-linked. Nothing is "
        "released. The policies that no other beats in both form the frontier to choose from.",
    .example = "tacit compare patients.csv --policies noise.yaml,swap.yaml,local.yaml --html "
               "frontier.html",
};

const cli_command cli_protect = {
    .name = "protect",
    .summary = "a release of a statistical table that hides its confidential cells",
    .usage = "TABLE.csv|.jj|DATA.csv|JOB.arb [--dim NAME[=FILE]]... [--rule R]... [-o OUT]",
    .about =
        "Makes a table from records, or reads one of cells, finds its primary (confidential) cells "
        "by rules, and suppresses as many others as it takes to protect them. Every primary cell "
        "keeps its protection interval over the whole table. The release is read back and judged "
        "before it is written: linear programs find the lowest and highest value that anybody can "
        "infer for each suppressed cell. The judge shares the reader and the solver with the "
        "methods, but nothing that chooses cells. Other methods publish every cell with its value "
        "changed: rounded to multiples of a base, adjusted, or, under a budget in a ledger, with "
        "random "
        "noise.\n"
        "Rows are records or cells; cells have the columns freq, status, lower, upper, lpl, upl, "
        "spl, weight and max1, max2 and so on, as far as known; missing totals are computed. "
        "Several files are linked tables, each over the dimensions that it has columns for. "
        "JOB.arb "
        "is a batch file of tau-Argus, which says all of this itself.",
    .example = "tacit protect firms.csv --dim district=hierarchies/districts.hrc \\\n"
               "      --dim branch=hierarchies/branches.csv --value turnover --holding owner \\\n"
               "      --rule p:10 --rule freq:2 -o release.csv --html release.html\n"
               "tacit protect table.jj --method hypercube -o protected.jj",
};

const cli_command cli_audit = {
    .name = "audit",
    .answers = true,
    .summary = "what an adversary can deduce from a release",
    .usage = "RELEASE.csv --policy P.yaml | TABLE [--dim "
             "D]... [options]",
    .about = "Judges a release by the promise of its policy: k on every quasi-identifier, "
             "suppressed rows included, what is promised beyond k for sensitive columns and the "
             "population, and no identifier left; with --original also that every released value "
             "generalizes the original value and that rows are neither lost nor made up. The exit "
             "status is 5 if the promise is broken.\n"
             "With --population the release is linked to a register of people, or to several "
             "joined: how many of them each row could be, who is identified (exit status 5), and "
             "whether k-map, null-map and wrong-map protection hold. Without a quasi-identifier, "
             "the columns that both have are used, and no policy is needed.\n"
             "A statistical table (.jj, or a long CSV of cells with a --dim for each dimension) "
             "needs no policy: linear programs find how low and how high every suppressed cell can "
             "be, and which cells are known exactly or more closely than their protection levels "
             "allow. The file is either the data holder's, with all values and a column status, or "
             "a release as outsiders see it, in which suppressed cells are empty or a mark such as "
             "x, c, * or '..'; then levels are unknown and not judged.",
    .example = "tacit audit release.csv --policy patients.yaml --original patients.csv\n"
               "tacit audit release.csv --population voters.csv --hierarchy zip=mask:right\n"
               "tacit audit table.csv --dim region=region.hrc --dim sex --report audit.json",
};

const cli_command cli_ledger_command = {
    .name = "ledger",
    .answers = true,
    .summary = "what was released before, as recorded in a ledger",
    .usage = "DIR [--check] [--source NAME]",
    .about = "Lists the releases that tacit anonymize --ledger DIR has recorded: when, from which "
             "source, with which k and method. A ledger holds hashes under a key of its own and "
             "never a value of the data; every later release from the same data, under whatever "
             "name, must withstand all of them.\n"
             "An entry is pending until its release has been written. One that stays pending "
             "belongs to a run that was killed or could not write, and counts as released. Entries "
             "cannot be removed, because a release cannot be taken back.",
    .example = "tacit ledger patients.ledger --check",
};

const cli_command cli_scrub_command = {
    .name = "scrub",
    .summary = "text without personal information",
    .usage = "FILE... [-o OUT] [--jsonl FIELD | --column NAME] [options]",
    .about = "Finds what is personal in letters, notes and messages (names, addresses, numbers, "
             "dates and more) and puts made-up values in its place, so that the text stays useful; "
             "all other bytes stay unchanged. FILE is plain text in English and UTF-8, a folder of "
             "such files, or - for standard input; a plain file is one document, and so is a line "
             "of JSON (--jsonl) or a cell of a CSV (--column). Several files and folders go to a "
             "folder, with the same tree. Files of any length are scrubbed in little memory.\n"
             "Scrubbed text is de-identified, not anonymous: its content can still single out a "
             "person to somebody who knows them. Read some of it before you release it.",
    .example = "tacit scrub letter.txt -o clean.txt --spans found.jsonl\n"
               "tacit scrub letters/ -o clean/ --known patients.csv --consistent batch\n"
               "tacit scrub notes.jsonl --jsonl text --replace all=tag,date=shift",
};
