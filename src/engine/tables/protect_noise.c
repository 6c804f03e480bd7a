/*
 * protect_noise.c - `tacit protect --method dp`: counts of people with noise, under a budget.
 *
 * The promise is about people, so rows are records, and each is said to be another person's unless
 * --holding names whose they are; then a person counts in so many cells only. Cells are all
 * combinations of the codes in the hierarchy files: which of them the data has shows nowhere.
 *
 * What every such table of the same data spends adds up (basic composition: the epsilons of tables
 * that are published one after the other, whatever the earlier ones looked like, add up to that of
 * all). So there has to be a ledger, in which the data holder states a budget with the first table
 * and which is asked before each further one. A budget once stated can be lowered and not raised.
 * The entry is written before the table appears, so that a run that is killed has spent at most too
 * much.
 *
 * Whoever knows the seed subtracts the noise. With --seed a run is a rehearsal, which says so, and
 * for which there is neither a ledger nor a statement.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/statement.h"
#include "engine/tables/protect.h"

enum { EPSILON_BYTES = 32, DECIMALS = 6, MAX_COLUMN = 200 };

/* ---- epsilon in millionths ---- */

/* A plain decimal of at most six places, exactly; -1: it is none, or too large. */
static int64_t millionths(const char *text)
{
    int64_t value = 0;
    int places = -1;
    size_t digits = 0;
    for (; *text; text++) {
        if (*text == '.' && places < 0) {
            places = 0;
            continue;
        }
        if (*text < '0' || *text > '9' || places == DECIMALS || value > TACIT_MAX_EPSILON)
            return -1;
        value = 10 * value + (*text - '0');
        places += places >= 0;
        digits++;
    }
    for (places = places < 0 ? 0 : places; places < DECIMALS && value <= TACIT_MAX_EPSILON;
         places++)
        value *= 10;
    return digits > 0 && value <= TACIT_MAX_EPSILON ? value : -1;
}

static const char *print_epsilon(char buffer[EPSILON_BYTES], int64_t epsilon)
{
    int used =
        snprintf(buffer, EPSILON_BYTES, "%lld.%06lld", (long long)(epsilon / TACIT_EPSILON_UNIT),
                 (long long)(epsilon % TACIT_EPSILON_UNIT));
    while (used > 0 && buffer[used - 1] == '0')
        buffer[--used] = '\0';
    if (used > 0 && buffer[used - 1] == '.')
        buffer[used - 1] = '\0';
    return buffer;
}

static tacit_status plan_epsilon(int64_t *out, const engine_protection *p, const char *option)
{
    const char *text = engine_value(p->session->settings, option);
    if (!text)
        return TACIT_OK;
    *out = millionths(text);
    if (*out >= 1)
        return TACIT_OK;
    return tacit__error(&p->session->error, TACIT_INVALID,
                        "--%s must be above 0, at most %d, with no more than %d decimals", option,
                        TACIT_MAX_EPSILON / TACIT_EPSILON_UNIT, DECIMALS);
}

/* ---- the plan ---- */

/* What other methods do to cells is none of this one's. */
static tacit_status check_noise_options(const engine_protection *p)
{
    static const char *const TAKEN[] = {
        "method",    "epsilon", "budget",    "ledger", "source", "cells-per-person",
        "dim",       "holding", "rows",      "output", "pivot",  "full",
        "statement", "report",  "html",      "time",   "seed",   "threads",
        "delimiter", "show",    "no-header", "quiet"};
    const char *name = engine_not_among(p->session->settings, TAKEN, TACIT_COUNT_OF(TAKEN));
    if (!name)
        return TACIT_OK;
    return tacit__error(&p->session->error, TACIT_INVALID,
                        "--%s does not go with --method dp, which counts people in a single table "
                        "and adds noise to each count",
                        name);
}

static tacit_status check_codes(const engine_protection *p)
{
    for (int32_t d = 0; d < p->dims.count; d++)
        if (p->dims.list[d].hierarchy_count == 0)
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--dim %.80s: which values the data has would show in the cells; "
                                "name a file with all codes that there may be, --dim %.80s=FILE",
                                p->dims.names[d], p->dims.names[d]);
    return TACIT_OK;
}

static tacit_status check_files_of_noise(const engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    const char *full = engine_value(settings, "full"), *output = engine_value(settings, "output");
    if (settings->input_count > 1 || engine_is_jj(settings->inputs[0]))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--method dp takes one file of records");
    if ((full && engine_is_jj(full)) || (output && engine_is_jj(output)))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--method dp writes a .csv; a .jj has room for one value a cell, and "
                            "bounds");
    if (p->rows == ENGINE_ROWS_CELLS)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--method dp counts people in records; of cells that were counted "
                            "already nobody knows how much a person changes them");
    return TACIT_OK;
}

/* A rehearsal is not for others, and is not remembered. */
static tacit_status check_seed(const engine_protection *p)
{
    static const char *const FOR_OTHERS[] = {"ledger", "budget", "source", "statement"};
    const engine_settings *settings = p->session->settings;
    if (!engine_has(settings, "seed")) {
        if (engine_has(settings, "ledger"))
            return TACIT_OK;
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--method dp needs --ledger DIR, where what is spent adds up; to try "
                            "it out without releasing anything, give --seed");
    }
    for (size_t i = 0; i < sizeof FOR_OTHERS / sizeof *FOR_OTHERS; i++)
        if (engine_has(settings, FOR_OTHERS[i]))
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--seed makes a rehearsal, in which noise protects nobody, and "
                                "--%s is for a release; leave one of them out",
                                FOR_OTHERS[i]);
    return TACIT_OK;
}

/* What is about this method only. */
static tacit_status check_others(const engine_protection *p)
{
    static const char *const OF_NOISE[] = {"epsilon", "budget", "ledger", "source",
                                           "cells-per-person"};
    for (size_t i = 0; i < sizeof OF_NOISE / sizeof *OF_NOISE; i++)
        if (engine_has(p->session->settings, OF_NOISE[i]))
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--%s applies to the method dp, not to %s", OF_NOISE[i],
                                engine_protect_method(p));
    return TACIT_OK;
}

static tacit_status plan_people(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    uint64_t most = engine_number(settings, "cells-per-person", 1);
    if (most < 1 || most > TACIT_MAX_MOST)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--cells-per-person must be from 1 to %d", TACIT_MAX_MOST);
    if (most > 1 && !p->spec.holding)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--cells-per-person needs --holding COLUMN, which says whose a record "
                            "is; without it each is another person's");
    if (p->spec.holding && strlen(p->spec.holding) > MAX_COLUMN)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--holding: the ledger takes names of columns up to %d bytes",
                            MAX_COLUMN);
    p->spec.most = (int32_t)most;
    p->altering.wanted.most = (int32_t)most;
    return TACIT_OK;
}

tacit_status engine_noise_plan(engine_protection *p)
{
    static tacit_status (*const CHECKS[])(const engine_protection *) = {
        check_noise_options, check_files_of_noise, check_codes, check_seed};
    tacit_status status = TACIT_OK;
    if (!engine_is_noise(p))
        return check_others(p);
    p->session->private_reports = true; /* how large the noise is gives counts away */
    for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS && status == TACIT_OK; i++)
        status = CHECKS[i](p);
    if (status == TACIT_OK && !engine_has(p->session->settings, "epsilon"))
        status = tacit__error(&p->session->error, TACIT_INVALID,
                              "--epsilon is missing: say how much of its budget the table spends");
    if (status == TACIT_OK)
        status = plan_epsilon(&p->altering.wanted.epsilon, p, "epsilon");
    if (status == TACIT_OK)
        status = plan_epsilon(&p->noise.stated, p, "budget");
    return status == TACIT_OK ? plan_people(p) : status;
}

/* ---- the budget ---- */

/* An entry says whose records are a person's where others have a metric: epsilons of different
 * units cannot be added. */
static const char *print_unit(char *buffer, size_t size, const engine_protection *p)
{
    if (p->spec.holding)
        snprintf(buffer, size, "people by %s", p->spec.holding);
    else
        snprintf(buffer, size, "records");
    return buffer;
}

static tacit_status check_unit(const engine_protection *p, const tacit_ledger_entry *entry)
{
    char now[ENGINE_DIM_NAME], shown[64], then[64];
    if (strcmp(entry->metric, print_unit(now, sizeof now, p)) == 0)
        return TACIT_OK;
    return tacit__error(&p->session->error, TACIT_INVALID,
                        "entry %lld of the ledger protects %s of this data and this table would "
                        "protect %s, so that what they spend cannot be added up; give --holding as "
                        "it was then",
                        (long long)entry->number,
                        engine_printable(then, sizeof then, tacit_strview_of(entry->metric)),
                        engine_printable(shown, sizeof shown, tacit_strview_of(now)));
}

/* What earlier tables of the same data have spent, and the least budget that was stated. */
static tacit_status add_up(engine_protection *p)
{
    engine_noise *noise = &p->noise;
    const tacit_ledger *ledger = noise->ledger.ledger;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; i < tacit_ledger_count(ledger) && status == TACIT_OK; i++) {
        const tacit_ledger_entry *entry = tacit_ledger_at(ledger, i);
        if (!noise->ledger.kin[i])
            continue;
        if (entry->epsilon == 0) {
            noise->others++;
            continue;
        }
        status = check_unit(p, entry);
        noise->tables++;
        noise->spent += entry->epsilon;
        if (noise->budget == 0 || entry->budget < noise->budget)
            noise->budget = entry->budget;
    }
    return status;
}

static tacit_status check_budget(engine_protection *p)
{
    engine_noise *noise = &p->noise;
    int64_t epsilon = p->altering.wanted.epsilon;
    char budget[EPSILON_BYTES], spent[EPSILON_BYTES], asked[EPSILON_BYTES];
    if (noise->budget == 0 && noise->stated == 0)
        return tacit__error(
            &p->session->error, TACIT_INVALID,
            "--budget is missing: with the first table of this data, state what all "
            "of them may spend together");
    if (noise->budget > 0 && noise->stated > noise->budget)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "the ledger has a budget of %s for this data; what was stated can be "
                            "lowered and not raised",
                            print_epsilon(budget, noise->budget));
    if (noise->stated > 0)
        noise->budget = noise->stated;
    if (noise->spent + epsilon <= noise->budget)
        return TACIT_OK;
    return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                        "the budget of this data is %s, of which %s is spent, and this table would "
                        "spend %s; nothing is written",
                        print_epsilon(budget, noise->budget), print_epsilon(spent, noise->spent),
                        print_epsilon(asked, epsilon));
}

tacit_status engine_noise_open(engine_protection *p)
{
    engine_session *session = p->session;
    const engine_settings *settings = session->settings;
    engine_noise *noise = &p->noise;
    if (engine_has(settings, "seed")) {
        engine_warn(session, "this is a rehearsal: anyone who knows or guesses the seed subtracts "
                             "the noise; release nothing of it");
        return TACIT_OK;
    }
    noise->where = (tacit_policy){.ledger = (char *)engine_value(settings, "ledger"),
                                  .source = (char *)engine_value(settings, "source")};
    tacit_status status = engine_ledger_open(&noise->ledger, &noise->where, settings->inputs[0],
                                             TACIT_LEDGER_WRITE, session);
    if (status == TACIT_OK)
        status = engine_ledger_recognize(&noise->ledger, p->records, session);
    if (status == TACIT_OK)
        status = add_up(p);
    if (status != TACIT_OK)
        return status;
    if (noise->others > 0)
        engine_warn(session,
                    "the ledger has %lld %s of this data by other methods, which no budget covers: "
                    "what they tell comes on top",
                    (long long)noise->others, noise->others == 1 ? "release" : "releases");
    return check_budget(p);
}

/* ---- the judge ---- */

static tacit_status refuse_noise(engine_protection *p)
{
    const tacit_noise_audit *audit = &p->noise.audit;
    const char *why = "the noise is not distributed as it is said to be";
    if (audit->miscounted > 0)
        why = "the judge counts other people in a cell";
    else if (audit->broken > 0)
        why = "a value is no whole number, or a sum does not add up";
    return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                        "%s; nothing is written, and this is a mistake of tacit's", why);
}

tacit_status engine_noise_judge(engine_protection *p)
{
    const tacit_noise_claim claim = {.records = p->records,
                                     .person = p->spec.holding,
                                     .most = p->altering.wanted.most,
                                     .epsilon = p->altering.wanted.epsilon};
    tacit_status status = tacit_audit_noise(&p->noise.audit, p->cells, p->altering.altered.value,
                                            &claim, &p->session->run, &p->session->error);
    if (status == TACIT_OK && !tacit_noise_holds(&p->noise.audit))
        status = refuse_noise(p);
    return status;
}

/* ---- the entry ---- */

tacit_status engine_noise_announce(engine_protection *p)
{
    engine_session *session = p->session;
    engine_noise *noise = &p->noise;
    tacit_table *written = NULL;
    char unit[ENGINE_DIM_NAME];
    tacit_status status = tacit_table_check_unchanged(p->records, &session->run, &session->error);
    if (!noise->ledger.ledger || status != TACIT_OK)
        return status;
    const tacit_ledger_facts facts = {.source = noise->ledger.source,
                                      .path = p->targets[ENGINE_PROTECT_RELEASE],
                                      .method = engine_protect_method(p),
                                      .metric = print_unit(unit, sizeof unit, p),
                                      .epsilon = p->altering.wanted.epsilon,
                                      .budget = noise->budget,
                                      .data = p->records};
    status = engine_protect_read_back(&written, p);
    if (status == TACIT_OK)
        status = tacit_ledger_announce(&noise->ledger.number, noise->ledger.ledger, &facts, written,
                                       engine_judged_fd(p), &session->run, &session->error);
    tacit_table_free(written);
    return status;
}

tacit_status engine_noise_confirm(engine_protection *p, tacit_status appeared)
{
    engine_ledger *ledger = &p->noise.ledger;
    tacit_error *err = &p->session->error;
    if (!ledger->ledger)
        return appeared;
    if (appeared != TACIT_OK)
        return engine_ledger_explain(
            ledger, appeared,
            "the ledger counts the table as released, and its epsilon as spent, as entry", err);
    return engine_ledger_confirm(ledger, err);
}

void engine_noise_clear(engine_noise *noise)
{
    engine_ledger_clear(&noise->ledger);
}

/* ---- what the data holder is told ---- */

static void add_unit(tacit_report *report, const engine_protection *p)
{
    int32_t most = p->altering.wanted.most;
    if (!p->spec.holding)
        tacit_report_line(report, "people", "%s, taking every record for another person's",
                          engine_count(p->noise.audit.people).text);
    else
        tacit_report_line(report, "people",
                          "%s, each in %d %s at most; %s records were left out for that",
                          engine_count(p->noise.audit.people).text, (int)most,
                          most == 1 ? "cell" : "cells", engine_count(p->cells->left_out).text);
}

static void add_budget(tacit_report *report, const engine_protection *p)
{
    const engine_noise *noise = &p->noise;
    char epsilon[EPSILON_BYTES], spent[EPSILON_BYTES], budget[EPSILON_BYTES];
    int64_t now = p->altering.wanted.epsilon;
    print_epsilon(epsilon, now);
    if (!noise->ledger.ledger) {
        tacit_report_line(report, "epsilon",
                          TACIT_MARK_BAD "%s, in a rehearsal: the seed is known, and nobody is "
                                         "protected" TACIT_MARK_PLAIN,
                          epsilon);
        return;
    }
    tacit_report_line(
        report, "epsilon", "%s; after %lld earlier %s of this data %s is spent, of a budget of %s",
        epsilon, (long long)noise->tables, noise->tables == 1 ? "table" : "tables",
        print_epsilon(spent, noise->spent + now), print_epsilon(budget, noise->budget));
    tacit_report_line(report, "ledger", "entry %lld, %s", (long long)noise->ledger.number,
                      noise->ledger.source);
    if (noise->others > 0)
        tacit_report_line(report, "uncovered", "%lld %s of this data by other methods",
                          (long long)noise->others, noise->others == 1 ? "release" : "releases");
}

static void add_noise(tacit_report *report, const engine_protection *p)
{
    const tacit_noise_audit *audit = &p->noise.audit;
    tacit_report_line(report, "noise",
                      "%s cells by %.3g on average and %.0f at most; totals by the sums of that",
                      engine_count(audit->ground).text, audit->mean, audit->largest);
    tacit_report_line(report, "audit",
                      TACIT_MARK_GOOD "cells are the declared ones, people were counted once more, "
                                      "and sums add up" TACIT_MARK_PLAIN);
    if (audit->chance < 1)
        tacit_report_line(report, "distance",
                          "%.3f between the noise and what it should be; so far with a probability "
                          "of %.2g at most",
                          audit->distance, audit->chance);
    else
        tacit_report_line(report, "distance",
                          "%.3f between the noise and what it should be, as chance would have it",
                          audit->distance);
}

static void add_noise_values(tacit_report *report, const engine_protection *p)
{
    static const tacit_field AUDIT[] = {
        TACIT_FIELD(tacit_noise_audit, ground, "ground", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, people, "people", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, left_out, "left_out", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, miscounted, "miscounted", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, broken, "broken", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, distance, "distance", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, chance, "chance", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, largest, "largest", NULL, 0),
        TACIT_FIELD(tacit_noise_audit, mean, "mean", NULL, 0),
    };
    const engine_noise *noise = &p->noise;
    double unit = TACIT_EPSILON_UNIT;
    int64_t now = p->altering.wanted.epsilon;
    tacit_report_real(report, "epsilon", (double)now / unit);
    tacit_report_integer(report, "cells_per_person", p->altering.wanted.most);
    tacit_report_bool(report, "rehearsal", !noise->ledger.ledger);
    if (noise->ledger.ledger) {
        tacit_report_real(report, "spent", (double)(noise->spent + now) / unit);
        tacit_report_real(report, "budget", (double)noise->budget / unit);
        tacit_report_integer(report, "tables", noise->tables);
        tacit_report_integer(report, "uncovered", noise->others);
        tacit_report_integer(report, "entry", noise->ledger.number);
    }
    tacit_report_object(report, "audit", AUDIT, TACIT_COUNT_OF(AUDIT), &noise->audit);
}

static void add_noise_page(tacit_report *report, const engine_protection *p)
{
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    char epsilon[EPSILON_BYTES];
    tacit_report_paragraph(report, "This page is for the data holder: it has the true values.");
    if (!p->noise.ledger.ledger)
        tacit_report_paragraph(report, "A rehearsal: the seed is known, and nobody is protected.");
    tacit_report_tile(report, "cells", "%s", engine_count(p->cells->count).text);
    tacit_report_tile(report, "epsilon", "%s", print_epsilon(epsilon, p->altering.wanted.epsilon));
    tacit_report_show(report, everywhere);
}

void engine_noise_facts(tacit_report *report, const engine_protection *p)
{
    add_noise_page(report, p);
    add_unit(report, p);
    add_budget(report, p);
    add_noise(report, p);
    add_noise_values(report, p);
    engine_alter_drawings(report, p);
}

/* ---- what recipients are told ---- */

void engine_noise_state(tacit_report *report, const engine_protection *p)
{
    char epsilon[EPSILON_BYTES], budget[EPSILON_BYTES];
    double rate = (double)p->altering.wanted.epsilon / TACIT_EPSILON_UNIT / p->altering.wanted.most;
    double q = exp(-rate), spread = sqrt(2 * q) / (1 - q);
    print_epsilon(epsilon, p->altering.wanted.epsilon);
    engine_statement_say(report, "protection",
                         "Random noise was added to every count of people that has no parts in the "
                         "table; totals are sums of such counts. The table is differentially "
                         "private with epsilon = %s.",
                         epsilon);
    engine_statement_say(report, "protection",
                         p->spec.holding
                             ? "The unit that is protected is a person, who is counted in at most "
                               "%d of these cells. A person's records beyond that are not counted."
                             : "The unit that is protected is a record, each of which is taken for "
                               "another person's, and is counted in %d of these cells.",
                         (int)p->altering.wanted.most);
    engine_statement_say(report, "protection",
                         "By the data holder's ledger, all such tables of this data together may "
                         "spend an epsilon of %s. Other publications from the same data are not "
                         "covered.",
                         print_epsilon(budget, p->noise.budget));
    engine_statement_say(report, "effects",
                         "The noise of a count without parts is x with probability proportional to "
                         "exp(-|x| * %.6g): its mean is 0 and its standard deviation %.4g. That of "
                         "a total of n such counts is larger by the square root of n.",
                         rate, spread);
    engine_statement_say(report, "effects",
                         "Counts below 0 come from the noise. Setting them to 0 makes sums too "
                         "large.");
}
