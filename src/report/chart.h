/*
 * chart.h - what every chart of a page has: its frame, its axis marks, and the
 * table that unfolds under it.
 */
#ifndef TACIT_SRC_REPORT_CHART_H
#define TACIT_SRC_REPORT_CHART_H

#include "report/page.h"

/* Width of a letter of 12 px type, about. */
#define TACIT__LETTER 6.9

/* A drawing whose width follows the window: positions across are percentages
 * of what the margins leave, everything else is in pixels. */
typedef struct tacit__drawing {
    const char *kind; /* "A bar chart", for those who cannot see it */
    const char *title;
    const char *x_label;
    const char *y_label;
    const char *facts; /* what stands in the table below it; NULL: numbers */
    int height;
    double left, right; /* margins */
    double least_width; /* below it the chart scrolls */
    double max_width;   /* above it the chart does not grow; 0: as wide as the page */
} tacit__drawing;

void tacit__drawing_open(tacit_page *page, const tacit__drawing *drawing);

/* Puts the x label at the bottom, and closes it. */
void tacit__drawing_close(tacit_page *page, const tacit__drawing *drawing);

/* What a chart shows as a table, folded under a summary of a few words. */
void tacit__chart_table(tacit_page *page, const char *summary, const char *caption,
                        const char *const *header, int columns, const char *const *cells, int rows);

/* The same of numbers. */
void tacit__chart_numbers(tacit_page *page, const char *caption, const char *const *header,
                          int columns, const char *const *cells, int rows);

/* The smallest of 1, 2, 5 times a power of ten that is not below value. */
double tacit__round_up(double value);

/* Decimals that marks at such a distance need. */
int tacit__mark_decimals(double step);

/* A line across the plot at a mark, and the mark's value beside it. */
void tacit__add_mark(tacit__strbuf *out, double y, double value, int decimals, bool base);

/* Letters of a name on an axis, at most; the table has the rest. */
enum { TACIT__NAME_LETTERS = 24 };

/* Letters that the longest of the names takes on an axis. */
size_t tacit__name_letters(const char *const *names, int count);

/* A name, cut to what an axis shows, the last letter an ellipsis where it is cut. */
void tacit__add_name(tacit__strbuf *out, const char *name);

/* A name under the plot at x percent: level, or turned by 45 degrees. */
void tacit__add_name_below(tacit__strbuf *out, double x, int bottom, const char *name, bool turned);

/* How far down a turned pixel goes. */
#define TACIT__SLANT 0.7071

/* A dashed line down the plot at x percent, its name at the top. */
void tacit__add_marker(tacit__strbuf *out, double x, int bottom, const char *name);

#endif
