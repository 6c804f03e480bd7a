/*
 * page.h - the inside of a page, for the files that draw on it.
 */
#ifndef TACIT_SRC_REPORT_PAGE_H
#define TACIT_SRC_REPORT_PAGE_H

#include <tacit/experimental/page.h>

#include "report/markup.h"

struct tacit_page {
    char *title;
    tacit__strbuf body;
    int parts;         /* headings and charts so far: they number the ids */
    bool section_open; /* a heading opened a section that is still open */
};

/* The style sheet, in parts. */
extern const char tacit__page_style[];
extern const char tacit__facts_style[];
extern const char tacit__curve_style[];
extern const char tacit__heat_style[];
extern const char tacit__cells_style[];
extern const char tacit__graph_style[];
extern const char tacit__marked_style[];

#endif
