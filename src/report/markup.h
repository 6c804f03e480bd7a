/*
 * markup.h - text made safe for where it goes: into HTML, or anywhere that
 * wants UTF-8.
 */
#ifndef TACIT_SRC_REPORT_MARKUP_H
#define TACIT_SRC_REPORT_MARKUP_H

#include "base/strbuf.h"

/* The text in UTF-8, whatever it was. */
void tacit__utf8_add(tacit__strbuf *out, tacit_strview text);

/* The text as HTML shows it, in an element or between double quotes. */
void tacit__html_add(tacit__strbuf *out, const char *text);

void tacit__html_view(tacit__strbuf *out, tacit_strview text);

/* Markup, text to escape, markup, text, and so on, up to a NULL. */
void tacit__html_join(tacit__strbuf *out, const char *markup, ...) __attribute__((sentinel));

/* Number of code points. */
size_t tacit__text_width(const char *text);

#endif
