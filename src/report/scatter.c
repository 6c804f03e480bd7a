/*
 * scatter.c - points of two shares each, with the frontier of those that no other beats in both, as
 * SVG in the page.
 *
 * As in bars.c, positions across are percentages and everything else is in pixels. Both axes go
 * from 0 to the first round number above the largest value. A name stands right of its point in the
 * left part of the plot and left of it in the right part; on each side names that would stand on
 * each other are moved down and, at the bottom, up again, with a thin line from the point.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart.h"

enum {
    PLOT_TOP = 34, /* above it: the y label */
    PLOT_HEIGHT = 340,
    PLOT_BOTTOM = PLOT_TOP + PLOT_HEIGHT,
    HEIGHT = PLOT_BOTTOM + 46,
    LEAST_WIDTH = 420, /* of the plot */
    MARKS = 5,         /* on an axis, about */
    LABEL_HEIGHT = 16,
    LABEL_GAP = 12 /* from a point to its name */
};

static const char CIRCLE[] = "M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z";

typedef struct axis {
    double high, step;
    int decimals;
} axis;

typedef struct chart {
    const tacit_scatter *what;
    axis x, y;
    double labels[TACIT_MAX_SCATTER]; /* heights of names */
} chart;

static axis measure(const double *values, int count)
{
    double high = 0;
    for (int i = 0; i < count; i++)
        high = isfinite(values[i]) ? fmax(high, values[i]) : high;
    axis a = {.step = tacit__round_up(fmax(high, 1e-3) / MARKS)};
    a.high = fmax(ceil(high / a.step - 1e-6), 1) * a.step;
    a.decimals = tacit__mark_decimals(a.step);
    return a;
}

static double across(const chart *c, double x)
{
    return 100 * x / c->x.high;
}

static double down(const chart *c, double y)
{
    return PLOT_BOTTOM - PLOT_HEIGHT * y / c->y.high;
}

static bool is_shown(const tacit_scatter *what, int point)
{
    return isfinite(what->x[point]) && isfinite(what->y[point]);
}

/* Whether the name is to the left of its point. */
static bool stands_left(const chart *c, int point)
{
    return across(c, c->what->x[point]) > 55;
}

/* ---- names ---- */

/* The shown points of one side, from the top. */
static int order_side(int *order, const chart *c, bool left)
{
    int count = 0;
    for (int i = 0; i < c->what->count; i++) {
        if (!is_shown(c->what, i) || stands_left(c, i) != left)
            continue;
        int at = count++;
        for (; at > 0 && c->what->y[order[at - 1]] < c->what->y[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

static void place_side(chart *c, bool left)
{
    int order[TACIT_MAX_SCATTER], count = order_side(order, c, left);
    double next = PLOT_TOP;
    for (int i = 0; i < count; i++) {
        c->labels[order[i]] = fmax(down(c, c->what->y[order[i]]), next);
        next = c->labels[order[i]] + LABEL_HEIGHT;
    }
    next = PLOT_BOTTOM;
    for (int i = count - 1; i >= 0; i--) {
        c->labels[order[i]] = fmin(c->labels[order[i]], next);
        next = c->labels[order[i]] - LABEL_HEIGHT;
    }
}

/* ---- drawing ---- */

static void add_axes(tacit__strbuf *out, const chart *c)
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
            at, at, PLOT_BOTTOM, PLOT_BOTTOM + 5, at, PLOT_BOTTOM + 18,
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
static void add_frontier(tacit__strbuf *out, const chart *c)
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

static void add_point(tacit__strbuf *out, const chart *c, int point)
{
    const tacit_scatter *what = c->what;
    double x = across(c, what->x[point]), y = down(c, what->y[point]), at = c->labels[point];
    int gap = stands_left(c, point) ? -LABEL_GAP : LABEL_GAP;
    char loss[64], risk[64];
    tacit__strbuf_format(out, "<g class=\"curve hue%d\"><svg x=\"%.3f%%\" overflow=\"visible\">",
                         what->best[point] ? 0 : 1, x);
    if (fabs(at - y) > 1)
        tacit__strbuf_format(
            out, "<line class=\"lead\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", y, gap, at);
    tacit__strbuf_format(out, "<path transform=\"translate(0,%.1f)\" d=\"%s\">", y, CIRCLE);
    tacit__html_join(out, "<title>", what->names[point], ": ", what->x_label, " ",
                     tacit_number_text(loss, sizeof loss, what->x[point], 3), ", ", what->y_label,
                     " ", tacit_number_text(risk, sizeof risk, what->y[point], 3),
                     "</title></path>", NULL);
    tacit__strbuf_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"%s\">", gap, at + 4,
                         gap < 0 ? "end" : "start");
    tacit__html_join(out, "", what->names[point], "</text></svg></g>\n", NULL);
}

static void add_drawing(tacit_page *page, const chart *c)
{
    char text[64];
    tacit__strbuf *out = &page->body;
    double left = (double)strlen(tacit_number_text(text, sizeof text, c->y.high, c->y.decimals));
    const tacit__drawing drawing = {
        .kind = "A chart of points",
        .title = c->what->title,
        .x_label = c->what->x_label,
        .y_label = c->what->y_label,
        .height = HEIGHT,
        .left = left * TACIT__LETTER + 16,
        .right = 24,
        .least_width = LEAST_WIDTH,
    };
    tacit__drawing_open(page, &drawing);
    add_axes(out, c);
    tacit__strbuf_format(out, "<text x=\"%.0f\" y=\"10\">", -drawing.left);
    tacit__html_join(out, "", c->what->y_label, "</text>\n", NULL);
    add_frontier(out, c);
    for (int i = 0; i < c->what->count; i++)
        if (is_shown(c->what, i))
            add_point(out, c, i);
    tacit__drawing_close(page, &drawing);
}

static void add_numbers(tacit_page *page, const tacit_scatter *what)
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
    chart c = {.what = scatter,
               .x = measure(scatter->x, scatter->count),
               .y = measure(scatter->y, scatter->count)};
    place_side(&c, false);
    place_side(&c, true);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", scatter->title, "</figcaption>\n",
                     NULL);
    add_drawing(page, &c);
    add_numbers(page, scatter);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
