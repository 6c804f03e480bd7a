/*
 * statement.c - the file of --statement, and what is in every one: the terms that a recipient signs
 * (Sweeney, Computational Disclosure Control, Figure 116).
 */
#include "engine/job/statement.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool ends_in(const char *path, const char *ending)
{
    size_t len = strlen(path), end = strlen(ending);
    return len > end && strcmp(path + len - end, ending) == 0;
}

tacit_status engine_statement_check(const engine_settings *settings, tacit_error *err)
{
    const char *path = engine_value(settings, "statement");
    if (!path || ends_in(path, ".md") || ends_in(path, ".json"))
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "--statement takes a name that ends in .md (Markdown) or .json");
}

static tacit_status render_statement(char **out, bool markdown, const engine_reports *statement,
                                     const void *subject, tacit_error *err)
{
    tacit_report *report = NULL;
    tacit_status status = tacit_report_new(&report, statement->title, err);
    if (status != TACIT_OK)
        return status;
    tacit_report_limit(report, TACIT_SHOW_STATEMENT);
    tacit_report_show(report, TACIT_SHOW_STATEMENT);
    tacit_report_title(report, "%s", statement->title);
    statement->fill(report, subject);
    status = markdown ? tacit_report_statement_markdown(out, report, err)
                      : tacit_report_statement_json(out, report, err);
    tacit_report_free(report);
    return status;
}

tacit_status engine_statement(engine_session *session, const engine_reports *statement,
                              const void *subject)
{
    const char *path = engine_value(session->settings, "statement");
    tacit_error *err = &session->error;
    char *text = NULL;
    if (!path)
        return TACIT_OK;
    tacit_status status = render_statement(&text, ends_in(path, ".md"), statement, subject, err);
    if (status == TACIT_OK)
        status = engine_files_add_text(session, tacit_output_new, path, text, strlen(text));
    tacit_text_free(text);
    return status;
}

void engine_statement_say(tacit_report *report, const char *list, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tacit_report_push_text(report, list, tacit_strview_of(text));
    tacit_report_line(report, "", "%s", text);
}

void engine_statement_terms(tacit_report *report)
{
    static const char *const TERMS[] = {
        "The data is used for the stated purpose alone; the recipient has said which columns it "
        "needs.",
        "The recipient is legally accountable to the data holder for the security of the data, and "
        "has shown how it is kept.",
        "The recipient does not try to find out whom the data is about, and tells the data holder "
        "at once if somebody is recognized.",
        "The recipient has said which columns could be linked to other data within reach, whether "
        "or not that is intended, and links by no others. If linking identifies people, their "
        "consent may be needed.",
        "The data holder may review publications before they appear, so that they disclose nothing "
        "about a person.",
        "At the end of the project, and no later than the agreed date, all copies are destroyed.",
        "The data is not given, sold, lent, shown or passed on to anybody else.",
    };
    tacit_report_section(report, "Terms to agree to");
    for (size_t i = 0; i < TACIT_COUNT_OF(TERMS); i++)
        engine_statement_say(report, "terms", "%s", TERMS[i]);
}
