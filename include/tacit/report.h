/*
 * report.h - the account of a run: JSON for machines, a page for people, a few
 * lines for the terminal. An account is a tree of named facts; commands fill
 * it, the three writers only render it.
 */
#ifndef TACIT_REPORT_H
#define TACIT_REPORT_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An ordered tree of facts: an object, a list, or a scalar. */
typedef struct tacit_account tacit_account;

tacit_status tacit_account_new(tacit_account **out, tacit_error *err);
void tacit_account_free(tacit_account *account);

/* Facts go in at a path of names with dots between ("seconds.read"); objects on
 * the way are made. Adding to an account can only fail for lack of memory; the
 * failure is kept and returned by the writers, so callers need not check each
 * call. */
void tacit_account_text(tacit_account *account, const char *path, tacit_strview value);
void tacit_account_integer(tacit_account *account, const char *path, int64_t value);
void tacit_account_real(tacit_account *account, const char *path, double value);
void tacit_account_bool(tacit_account *account, const char *path, bool value);
/* The same under a name that may itself hold dots (a column's name). */
void tacit_account_integer_in(tacit_account *account, const char *path, tacit_strview name,
                              int64_t value);
/* Appends to the list at path. */
void tacit_account_push_text(tacit_account *account, const char *path, tacit_strview value);
void tacit_account_push_integer(tacit_account *account, const char *path, int64_t value);
/* Opens a new object at the end of the list at path; following calls with a
 * path starting in "@." speak of it. */
void tacit_account_push_object(tacit_account *account, const char *path);

/* The JSON text, malloc'ed and terminated; the caller frees it with
 * tacit_text_free. */
tacit_status tacit_account_json(char **out, const tacit_account *account, tacit_error *err);
void tacit_text_free(char *text);

/* A self-contained page. Sections are added in the order they are shown. */
typedef struct tacit_page tacit_page;

tacit_status tacit_page_new(tacit_page **out, const char *title, tacit_error *err);
void tacit_page_free(tacit_page *page);
void tacit_page_heading(tacit_page *page, const char *text);
void tacit_page_paragraph(tacit_page *page, const char *text);
/* A verdict as a coloured banner. */
void tacit_page_banner(tacit_page *page, bool good, const char *text);
/* A table: header cells, then rows * columns cells. Numbers are aligned right. */
void tacit_page_table(tacit_page *page, const char *const *header, int columns,
                      const char *const *cells, int rows);

/* Two series of bars side by side, drawn as SVG; heights on a square-root or
 * linear scale; a marker line at position marker between bars (-1: none). */
typedef struct tacit_bars {
    const char *title;
    const char *x_label;
    const char *y_label;
    const char *const *names; /* one a bar group */
    const double *first;
    const double *second; /* NULL: one series */
    const char *first_name;
    const char *second_name;
    int count;
    int marker;
    const char *marker_name;
} tacit_bars;
void tacit_page_bars(tacit_page *page, const tacit_bars *bars);

/* The page's HTML, malloc'ed and terminated. */
tacit_status tacit_page_html(char **out, const tacit_page *page, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
