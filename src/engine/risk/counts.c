/*
 * counts.c - `tacit risk --counts`: how many people are unique, from published counts alone. There
 * are no records in such a file, so nothing else of risk applies to it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/risk/risk.h"

enum { ENGINE_COUNTS_MAX_K = 100000 };

typedef struct counting {
    engine_session *session;
    tacit_counted_case c;
    tacit_counted counted;
} counting;

/* What else can be asked of a file of counts. */
static bool is_of_counts(const tacit_setting *setting)
{
    static const char *const NAMES[] = {"counts", "finer", "times", "k"};
    bool known = tacit_setting_is_common(setting);
    for (size_t i = 0; i < TACIT_COUNT_OF(NAMES); i++)
        known |= strcmp(tacit_setting_name(setting), NAMES[i]) == 0;
    return known;
}

static tacit_status plan(counting *job)
{
    const engine_settings *settings = job->session->settings;
    tacit_error *err = &job->session->error;
    for (size_t i = 0; i < settings->given_count; i++)
        if (!is_of_counts((const tacit_setting *)settings->given[i].setting))
            return tacit__error(err, TACIT_INVALID, "--%s is about records, and --counts has none",
                                settings->given[i].setting->name);
    job->c.k = (int64_t)engine_number(settings, "k", 1);
    job->c.times = engine_real(settings, "times", 1);
    if (job->c.k < 1 || job->c.k > ENGINE_COUNTS_MAX_K)
        return tacit__error(err, TACIT_INVALID, "--k with --counts is a number from 1 to %d",
                            ENGINE_COUNTS_MAX_K);
    if (job->c.times <= 0)
        return tacit__error(err, TACIT_INVALID, "--times is a number above 0");
    return TACIT_OK;
}

static tacit_status find_column(int32_t *out, const tacit_table *table, const char *name,
                                tacit_error *err)
{
    *out = name ? tacit_table_find(table, tacit_strview_of(name)) : -1;
    return !name || *out >= 0
               ? TACIT_OK
               : tacit__error(err, TACIT_INVALID, "there is no column \"%.80s\"", name);
}

static tacit_status run_counts(void *state)
{
    counting *job = state;
    engine_session *session = job->session;
    const char *file = session->settings->inputs[0];
    const char *names[] = {engine_value(session->settings, "counts"),
                           engine_value(session->settings, "finer")};
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_status status = plan(job);
    if (status != TACIT_OK)
        return status;
    engine_csv_options(&options, session);
    status = tacit_table_read(&table, file, &options, &session->run, &session->error);
    if (status == TACIT_OK)
        status = find_column(&job->c.people, table, names[0], &session->error);
    if (status == TACIT_OK)
        status = find_column(&job->c.values, table, names[1], &session->error);
    if (status == TACIT_OK)
        status = tacit_counted_of(&job->counted, table, &job->c, &session->error);
    if (status == TACIT_PARSE && !session->error.file[0])
        snprintf(session->error.file, sizeof session->error.file, "%s", file);
    tacit_table_free(table);
    return status;
}

static void say_share(tacit_report *report, const char *label, double people, double all,
                      const char *why)
{
    tacit_report_line(report, label, "%s people (%.1f%%) %s", engine_count(llround(people)).text,
                      all > 0 ? 100 * people / all : 0, why);
}

static void add_counts(tacit_report *report, const void *subject)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_counted, groups, "groups", NULL, 0),
        TACIT_FIELD(tacit_counted, unknown, "groups_without_number", NULL, 0),
        TACIT_FIELD(tacit_counted, people, "people", NULL, 0),
        TACIT_FIELD(tacit_counted, likely_groups, "likely_unique_groups", NULL, 0),
        TACIT_FIELD(tacit_counted, likely, "likely_unique", NULL, 0),
        TACIT_FIELD(tacit_counted, unique, "expected_unique", NULL, 0),
        TACIT_FIELD(tacit_counted, below, "expected_at_most_k", NULL, 0),
    };
    const counting *job = subject;
    const tacit_counted *counted = &job->counted;
    char with[96];
    tacit_report_title(
        report, "%s: %s people in %s groups", engine_show(job->session->settings->inputs[0]).text,
        engine_count(llround(counted->people)).text, engine_count(counted->groups).text);
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "risk");
    tacit_report_integer(report, "k", job->c.k);
    tacit_report_enter(report, "counts");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), counted);
    tacit_report_leave(report);
    say_share(report, "likely", counted->likely, counted->people,
              "are in groups that have no more people than values: likely unique, as Sweeney "
              "counts");
    say_share(report, "expected", counted->unique, counted->people,
              "are expected to be alone with their value if all values are equally likely");
    snprintf(with, sizeof with, "are expected to share it with at most %lld others",
             (long long)job->c.k - 1);
    if (job->c.k > 1)
        say_share(report, "", counted->below, counted->people, with);
    if (counted->unknown > 0)
        tacit_report_line(report, "left out", "%s %s without a number",
                          engine_count(counted->unknown).text,
                          counted->unknown == 1 ? "group" : "groups");
    tacit_report_real(report, "seconds.total", engine_now() - job->session->start);
}

static const engine_reports COUNTS_REPORT = {.title = "Uniqueness from counts", .fill = add_counts};

const engine_kind engine_risk_counts = {
    .name = "risk",
    .size = sizeof(counting),
    .run = run_counts,
    .report = &COUNTS_REPORT,
};
