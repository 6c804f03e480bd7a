/*
 * pages.h - pages under test: made, rendered, and asked for what they hold.
 */
#ifndef TACIT_TESTS_PAGES_H
#define TACIT_TESTS_PAGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/page.h>

static inline tacit_page *new_page(const char *title)
{
    tacit_page *page = NULL;
    assert_int_equal(tacit_page_new(&page, title, NULL), TACIT_OK);
    return page;
}

static inline char *html_of(tacit_page *page)
{
    char *html = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_page_html(&html, page, &err), TACIT_OK);
    tacit_page_free(page);
    return html;
}

static inline int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

static inline void assert_has(const char *html, const char *piece)
{
    if (!strstr(html, piece))
        fail_msg("the page lacks: %s", piece);
}

/* What holds for every page. */
static inline void assert_sound(const char *html)
{
    static const char *const pairs[] = {"section", "table", "svg",     "title", "tr", "th",
                                        "td",      "dl",    "details", "p",     "h1", "h2",
                                        "figure",  "text",  "main",    "rect",  "g"};
    assert_int_equal(strncmp(html, "<!doctype html>\n<html lang=\"en\">", 32), 0);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char open[32], wide[32], shut[32];
        snprintf(open, sizeof open, "<%s>", pairs[i]);
        snprintf(wide, sizeof wide, "<%s ", pairs[i]);
        snprintf(shut, sizeof shut, "</%s>", pairs[i]);
        assert_int_equal(count_of(html, open) + count_of(html, wide), count_of(html, shut));
    }
    static const char *const outside[] = {"http",  "<script", "url(", "@import",
                                          "<link", "src=",    "nan",  "inf\""};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_null(strstr(html, outside[i]));
    assert_has(html, "prefers-color-scheme:dark");
    assert_has(html, "@media print");
}

#endif
