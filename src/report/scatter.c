/*
 * scatter.c - points of two shares each, with the frontier of those that no other beats in both, as
 * SVG in the page.
 *
 * As in bars.c, positions across are percentages and everything else is in pixels. Both axes go
 * from 0 to the first round number above the largest value. A point carries its number, because
 * names of points that are close would stand on each other; the names are listed beside the plot.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart.h"

enum {
    SCATTER_TOP = 34, /* above it: the y label */
    LEAST_HEIGHT = 340,
    BELOW = 46,                /* the plot: marks and the x label */
    SCATTER_LEAST_WIDTH = 360, /* of the plot */
    MARKS = 5,                 /* on an axis, about */
    RADIUS = 9,
    LIST_LEFT = 32, /* from the plot to the list's points */
    LIST_LINE = 22
};

typedef struct axis {
    double high, step;
    int decimals;
} axis;

typedef struct scatter_chart {
    const tacit_scatter *what;
    axis x, y;
    int bottom; /* of the plot */
} scatter_chart;

static axis measure_scatter(const double *values, int count)
{
    double high = 0;
    for (int i = 0; i < count; i++)
        high = isfinite(values[i]) ? fmax(high, values[i]) : high;
    axis a = {.step = tacit__round_up(fmax(high, 1e-3) / MARKS)};
    a.high = fmax(ceil(high / a.step - 1e-6), 1) * a.step;
    a.decimals = tacit__mark_decimals(a.step);
    return a;
}

static double across(const scatter_chart *c, double x)
{
    return 100 * x / c->x.high;
}

static double down(const scatter_chart *c, double y)
{
    return c->bottom - (c->bottom - SCATTER_TOP) * y / c->y.high;
}

static bool is_shown(const tacit_scatter *what, int point)
{
    return isfinite(what->x[point]) && isfinite(what->y[point]);
}

/* ---- drawing ---- */

static void add_axes(tacit__strbuf *out, const scatter_chart *c)
{
    for (int i = 0; i <= (int)lround(c->y.high / c->y.step); i++)
        tacit__add_mark(out, down(c, i * c->y.step), i * c->y.step, c->y.decimals, i == 0);
    for (int i = 0; i <= (int)lround(c->x.high / c->x.step); i++) {
        char text[64];
        double at = across(c, i * c->x.step);
        tacit__strbuf_format(
            out,
            "<line class=\"base\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%d\" y2=\"%d\"/>"
            "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            at, at, c->bottom, c->bottom + 5, at, c->bottom + 18,
            tacit_number_text(text, sizeof text, i * c->x.step, c->x.decimals));
    }
}

/* Points of the frontier from left to right. */
static int order_frontier(int *order, const tacit_scatter *what)
{
    int count = 0;
    for (int i = 0; i < what->count; i++) {
        if (!is_shown(what, i) || !what->best[i])
            continue;
        int at = count++;
        for (; at > 0 && what->x[order[at - 1]] > what->x[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

/* What is no better than a point of the frontier lies beyond a staircase. */
static void add_frontier(tacit__strbuf *out, const scatter_chart *c)
{
    int order[TACIT_MAX_SCATTER], count = order_frontier(order, c->what);
    tacit__strbuf_text(out, "<g class=\"curve hue0 bound\">\n");
    for (int i = 0; i + 1 < count; i++) {
        double x1 = across(c, c->what->x[order[i]]), x2 = across(c, c->what->x[order[i + 1]]);
        double y1 = down(c, c->what->y[order[i]]), y2 = down(c, c->what->y[order[i + 1]]);
        tacit__strbuf_format(out,
                             "<line x1=\"%.3f%%\" y1=\"%.1f\" x2=\"%.3f%%\" y2=\"%.1f\"/>"
                             "<line x1=\"%.3f%%\" y1=\"%.1f\" x2=\"%.3f%%\" y2=\"%.1f\"/>\n",
                             x1, y1, x2, y1, x2, y1, x2, y2);
    }
    tacit__strbuf_text(out, "</g>\n");
}

/* A point with its number, around x (percent, or nothing) and y. */
static void add_number(tacit__strbuf *out, const char *place, double y, int number)
{
    tacit__strbuf_format(
        out,
        "<svg %s overflow=\"visible\"><circle cx=\"0\" cy=\"%.1f\" r=\"%d\"/>"
        "<text class=\"within\" x=\"0\" y=\"%.1f\" text-anchor=\"middle\">%d</text>",
        place, y, RADIUS, y + 4, number);
}

static void add_point(tacit__strbuf *out, const scatter_chart *c, int point)
{
    const tacit_scatter *what = c->what;
    char place[48], x[64], y[64];
    snprintf(place, sizeof place, "x=\"%.3f%%\"", across(c, what->x[point]));
    tacit__strbuf_format(out, "<g class=\"point hue%d\">", what->best[point] ? 0 : 1);
    tacit__html_join(out, "<title>", what->names[point], ": ", what->x_label, " ",
                     tacit_number_text(x, sizeof x, what->x[point], 3), ", ", what->y_label, " ",
                     tacit_number_text(y, sizeof y, what->y[point], 3), "</title>", NULL);
    add_number(out, place, down(c, what->y[point]), point + 1);
    tacit__strbuf_text(out, "</svg></g>\n");
}

static void add_list(tacit__strbuf *out, const scatter_chart *c)
{
    for (int i = 0; i < c->what->count; i++) {
        double at = SCATTER_TOP + i * LIST_LINE;
        tacit__strbuf_format(out,
                             "<svg x=\"100%%\" overflow=\"visible\"><g class=\"point hue%d\" "
                             "transform=\"translate(%d,0)\">",
                             c->what->best[i] ? 0 : 1, LIST_LEFT);
        add_number(out, "x=\"0\"", at, i + 1);
        tacit__strbuf_format(out, "<text x=\"%d\" y=\"%.1f\">", RADIUS + 7, at + 4);
        tacit__add_name(out, c->what->names[i]);
        tacit__strbuf_text(out, "</text></svg></g></svg>\n");
    }
}

static tacit__drawing lay_out_scatter(const scatter_chart *c)
{
    char text[64];
    double left = (double)strlen(tacit_number_text(text, sizeof text, c->y.high, c->y.decimals));
    double right = (double)tacit__name_letters(c->what->names, c->what->count);
    return (tacit__drawing){
        .kind = "A chart of points",
        .title = c->what->title,
        .x_label = c->what->x_label,
        .y_label = c->what->y_label,
        .height = c->bottom + BELOW,
        .left = left * TACIT__LETTER + 16,
        .right = right * TACIT__LETTER + LIST_LEFT + RADIUS + 12,
        .least_width = SCATTER_LEAST_WIDTH,
    };
}

static void draw_scatter(tacit_page *page, const scatter_chart *c)
{
    tacit__strbuf *out = &page->body;
    const tacit__drawing drawing = lay_out_scatter(c);
    tacit__drawing_open(page, &drawing);
    add_axes(out, c);
    tacit__strbuf_format(out, "<text x=\"%.0f\" y=\"10\">", -drawing.left);
    tacit__html_join(out, "", c->what->y_label, "</text>\n", NULL);
    add_frontier(out, c);
    for (int best = 0; best <= 1; best++) /* the frontier lies on top */
        for (int i = c->what->count - 1; i >= 0; i--)
            if (is_shown(c->what, i) && c->what->best[i] == best)
                add_point(out, c, i);
    add_list(out, c);
    tacit__drawing_close(page, &drawing);
}

static void add_scatter_numbers(tacit_page *page, const tacit_scatter *what)
{
    const char *const header[] = {"", what->x_label, what->y_label, "on the frontier"};
    char texts[TACIT_MAX_SCATTER][2][32];
    const char *cells[TACIT_MAX_SCATTER * 4];
    for (int i = 0; i < what->count; i++) {
        cells[4 * i] = what->names[i];
        cells[4 * i + 1] = tacit_number_text(texts[i][0], sizeof texts[i][0], what->x[i], 4);
        cells[4 * i + 2] = tacit_number_text(texts[i][1], sizeof texts[i][1], what->y[i], 4);
        cells[4 * i + 3] = what->best[i] ? "yes" : "no";
    }
    tacit__chart_numbers(page, what->title, header, 4, cells, what->count);
}

void tacit_page_scatter(tacit_page *page, const tacit_scatter *scatter)
{
    assert(scatter->count >= 1 && scatter->count <= TACIT_MAX_SCATTER);
    scatter_chart c = {.what = scatter,
                       .x = measure_scatter(scatter->x, scatter->count),
                       .y = measure_scatter(scatter->y, scatter->count)};
    int list = (scatter->count - 1) * LIST_LINE;
    c.bottom = SCATTER_TOP + (list > LEAST_HEIGHT ? list : LEAST_HEIGHT);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", scatter->title, "</figcaption>\n",
                     NULL);
    draw_scatter(page, &c);
    add_scatter_numbers(page, scatter);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
