/*
 * bars.c - two series of bars side by side, as SVG in the page.
 *
 * Positions across are percentages of the drawing's width and everything else
 * is in pixels: the bars follow the width of the window while the type keeps
 * its size, so the chart can be read on a phone and fills a desk. Names of
 * groups stand level where they fit and are turned by 45 degrees where they do
 * not; below a least width the chart scrolls. The same numbers stand in a table
 * that unfolds under it, for those who cannot see the bars or want them exact.
 *
 * On the square-root scale a class of ten rows is still visible beside one of
 * a million, and unlike a logarithm it has a zero to stand on. Axis marks are
 * 1, 2 or 5 times a power of ten on either scale.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart.h"

enum {
    BARS_TOP = 34, /* above it: the y label, then the marker's name */
    BARS_HEIGHT = 220,
    BARS_BOTTOM = BARS_TOP + BARS_HEIGHT,
    LEAST_GAP = 26, /* between two axis marks */
    MAX_MARKS = 12  /* on the axis */
};

/* The width up to which names stand level instead of being turned. */
static const double level_width = 520.0;

typedef struct bars_chart {
    const tacit_bars *bars;
    double top; /* value at the top of the plot */
    bool whole; /* every value is a whole number */
    double marks[MAX_MARKS];
    int mark_count;
    int decimals; /* of the marks */
    bool turned;
    double left, least_width;
    int height;
} bars_chart;

static double bars_height_of(const bars_chart *c, double value)
{
    double share = value / c->top;
    return BARS_HEIGHT * (c->bars->root_scale ? sqrt(share) : share);
}

static void measure_values(bars_chart *c)
{
    const double *series[] = {c->bars->first, c->bars->second};
    c->whole = true;
    for (int s = 0; s < 2 && series[s]; s++)
        for (int i = 0; i < c->bars->count; i++) {
            assert(isfinite(series[s][i]) && series[s][i] >= 0);
            c->top = fmax(c->top, series[s][i]);
            c->whole = c->whole && series[s][i] == floor(series[s][i]);
        }
    if (c->top <= 0)
        c->top = 1;
}

static void mark_evenly(bars_chart *c)
{
    double step = tacit__round_up(c->top / 5);
    if (c->whole && step < 1)
        step = 1;
    int steps = (int)ceil(c->top / step * (1 - 1e-9));
    c->top = step * steps;
    for (int i = 0; i <= steps; i++)
        c->marks[c->mark_count++] = step * i;
    c->decimals = tacit__mark_decimals(step);
}

/* From the top down, every round number that is not too close to the last. */
static void mark_roots(bars_chart *c)
{
    double power = pow(10, floor(log10(c->top))), least = c->whole ? 1 : 0, last = HUGE_VAL;
    for (; c->mark_count < MAX_MARKS - 1; power /= 10)
        for (int i = 0; i < 3 && c->mark_count < MAX_MARKS - 1; i++) {
            double value = power * (double[]){5, 2, 1}[i], height = bars_height_of(c, value);
            if (height < LEAST_GAP || value < least) {
                c->marks[c->mark_count++] = 0;
                return;
            }
            if (value > c->top || last - height < LEAST_GAP)
                continue;
            c->marks[c->mark_count++] = value;
            c->decimals = tacit__mark_decimals(value);
            last = height;
        }
}

static void lay_out_bars(bars_chart *c)
{
    const tacit_bars *b = c->bars;
    double name = (double)tacit__name_letters(b->names, b->count) * TACIT__LETTER;
    double level = b->count * (name + 10);
    c->turned = level > level_width;
    char text[64];
    for (int i = 0; i < c->mark_count; i++)
        c->left = fmax(c->left, TACIT__LETTER * (double)strlen(tacit_number_text(
                                                    text, sizeof text, c->marks[i], c->decimals)));
    c->left += 12;
    if (c->turned)
        c->left = fmax(c->left, name * TACIT__SLANT);
    c->least_width = c->turned ? b->count * (b->second ? 20.0 : 16.0) : level;
    c->height = BARS_BOTTOM + 46 + (c->turned ? (int)(name * TACIT__SLANT) : 0);
}

static void add_axis(tacit__strbuf *out, const bars_chart *c)
{
    for (int i = 0; i < c->mark_count; i++)
        tacit__add_mark(out, BARS_BOTTOM - bars_height_of(c, c->marks[i]), c->marks[i], c->decimals,
                        c->marks[i] <= 0);
    tacit__strbuf_format(out, "<text x=\"%.0f\" y=\"10\">", -c->left);
    tacit__html_join(out, "", c->bars->y_label,
                     c->bars->root_scale ? " (square-root scale)</text>\n" : "</text>\n", NULL);
}

static const char *number(char *buffer, size_t size, const bars_chart *c, double value)
{
    return tacit_number_text(buffer, size, value, c->whole ? 0 : 3);
}

/* One bar: its left edge and width in percent of the drawing. A value above
 * zero is always seen. */
static void add_bar(tacit__strbuf *out, const bars_chart *c, int group, bool second, double x,
                    double width)
{
    double value = second ? c->bars->second[group] : c->bars->first[group];
    if (value <= 0)
        return;
    char text[64];
    double height = fmax(bars_height_of(c, value), 1.5);
    tacit__strbuf_format(out,
                         "<rect class=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\" y=\"%.1f\" "
                         "height=\"%.1f\">",
                         second || !c->bars->second ? "second" : "first", x, width,
                         BARS_BOTTOM - height, height);
    tacit__html_join(
        out, "<title>", c->bars->names[group], ": ", number(text, sizeof text, c, value), " ",
        second ? c->bars->second_name : c->bars->first_name, "</title></rect>\n", NULL);
}

static void add_groups(tacit__strbuf *out, const bars_chart *c)
{
    const tacit_bars *b = c->bars;
    double group = 100.0 / b->count, bar = group * (b->second ? 0.38 : 0.7);
    for (int i = 0; i < b->count; i++) {
        double middle = group * (i + 0.5);
        add_bar(out, c, i, false, b->second ? middle - bar : middle - bar / 2, bar);
        if (b->second)
            add_bar(out, c, i, true, middle, bar);
        tacit__add_name_below(out, middle, BARS_BOTTOM, b->names[i], c->turned);
    }
}

static void add_marker(tacit__strbuf *out, const tacit_bars *b)
{
    assert(b->marker <= b->count && b->marker_name);
    tacit__add_marker(out, 100.0 * b->marker / b->count, BARS_BOTTOM, b->marker_name);
}

static void draw_bars(tacit_page *page, const bars_chart *c)
{
    const tacit__drawing drawing = {
        .kind = "A bar chart",
        .title = c->bars->title,
        .x_label = c->bars->x_label,
        .y_label = c->bars->y_label,
        .height = c->height,
        .left = c->left,
        .right = 4,
        .least_width = c->least_width,
    };
    tacit__drawing_open(page, &drawing);
    add_axis(&page->body, c);
    add_groups(&page->body, c);
    if (c->bars->marker >= 0)
        add_marker(&page->body, c->bars);
    tacit__drawing_close(page, &drawing);
}

static void add_bars_numbers(tacit_page *page, const bars_chart *c)
{
    const tacit_bars *b = c->bars;
    const char *header[] = {b->x_label, b->first_name, b->second_name};
    const char *cells[TACIT_MAX_BARS * 3];
    char texts[TACIT_MAX_BARS * 2][64];
    int columns = b->second ? 3 : 2, used = 0;
    for (int i = 0; i < b->count; i++) {
        cells[used++] = b->names[i];
        cells[used++] = number(texts[i * 2], sizeof texts[0], c, b->first[i]);
        if (b->second)
            cells[used++] = number(texts[i * 2 + 1], sizeof texts[0], c, b->second[i]);
    }
    tacit__chart_numbers(page, b->y_label, header, columns, cells, b->count);
}

void tacit_page_bars(tacit_page *page, const tacit_bars *bars)
{
    assert(bars->count >= 1 && bars->count <= TACIT_MAX_BARS);
    bars_chart c = {.bars = bars};
    measure_values(&c);
    if (bars->root_scale)
        mark_roots(&c);
    else
        mark_evenly(&c);
    lay_out_bars(&c);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", bars->title, "</figcaption>\n", NULL);
    if (bars->second)
        tacit__html_join(&page->body, "<p class=\"legend\"><span class=\"first\">",
                         bars->first_name, "</span><span class=\"second\">", bars->second_name,
                         "</span></p>\n", NULL);
    draw_bars(page, &c);
    add_bars_numbers(page, &c);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
