/*
 * report.h - what a job has to say: a list of facts, and its three renderings.
 *
 * A fact has a name (its place in the JSON), a label and a sentence for people, and a number where
 * it is one. tacit_job_facts() of job.h gives the report of a job; texts belong to the report.
 */
#ifndef TACIT_REPORT_H
#define TACIT_REPORT_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_report tacit_report;

TACIT_API void tacit_report_free(tacit_report *report);

/* ---- facts, from 0 to count - 1 ---- */

TACIT_API size_t tacit_report_count(const tacit_report *report);

/* The path in the JSON, with dots between names ("seconds.total"); "" where it is for people only.
 */
TACIT_API const char *tacit_report_name(const tacit_report *report, size_t index);

/* What people call it; "" where it is for machines only. */
TACIT_API const char *tacit_report_label(const tacit_report *report, size_t index);

/* A sentence, or a text as value; "" where there is none. */
TACIT_API const char *tacit_report_sentence(const tacit_report *report, size_t index);

/* Whether the fact is a number, and which. */
TACIT_API bool tacit_report_number(double *out, const tacit_report *report, size_t index);

/* ---- renderings: terminated texts, to be freed with tacit_text_free ---- */

TACIT_API tacit_status tacit_report_json(char **out, const tacit_report *report, tacit_error *err);
TACIT_API tacit_status tacit_report_html(char **out, const tacit_report *report, tacit_error *err);

/* For a terminal, at most 80 columns wide. What is good or bad is marked by the control characters
 * 1 (good), 2 (bad) and 3 (neither again), which nothing else in the text can be;
 * tacit_report_colours() makes colours of them or leaves them out. */
TACIT_API tacit_status tacit_report_print(char **out, const tacit_report *report, tacit_error *err);
TACIT_API tacit_status tacit_report_colours(char **out, const char *text, bool colours,
                                            tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
