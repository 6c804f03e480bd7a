/*
 * curves.c - a few curves over the same points, as SVG in the page.
 *
 * As in bars.c, positions across are percentages and everything else is in
 * pixels, so a curve is one line element a stretch: a path could not mix the
 * two. The x axis is logarithmic and marked at the points themselves, as far as
 * their numbers have room in the narrowest chart; the y axis spans the values,
 * not zero, for curves are compared by their distances.
 *
 * A curve is told from another by colour, by the shape of its points and by
 * its name behind its end, which carries the same point. Names that would stand
 * on each other are moved apart, with a thin line from where the curve ends. A
 * bound on a curve has the curve's colour, dashes and small points.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart.h"

enum {
    CURVES_TOP = 34, /* above it: the y label, then the marker's name */
    CURVES_HEIGHT = 260,
    CURVES_BOTTOM = CURVES_TOP + CURVES_HEIGHT,
    HEIGHT = CURVES_BOTTOM + 46,
    CURVES_LEAST_WIDTH = 260, /* of the plot */
    LABEL_HEIGHT = 16,
    LABEL_LEFT = 34, /* from the plot to a name: a line, then a point */
    MARK_GAP = 10    /* between two numbers on the x axis */
};

/* The points of a curve, drawn around 0,0; as many as there may be curves. */
static const char *const SHAPES[TACIT_MAX_CURVES] = {
    "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-4.6L4.6,3.6H-4.6z",
    "M0,-5L5,0L0,5L-5,0z",
    "M0,4.6L4.6,-3.6H-4.6z",
    "M-1.6,-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
    "M-5,-2.6h10v5.2h-10z",
    "M-2.6,-5h5.2v10h-5.2z",
};

static const char SMALL_SHAPE[] = "M-2,0a2,2 0 1 0 4,0a2,2 0 1 0 -4,0z"; /* of a bound */

typedef struct curves_chart {
    const tacit_curves *what;
    double low, high; /* of the y axis */
    double step;
    int decimals;
    double ends[TACIT_MAX_CURVES];   /* where the curve is at its last point; NAN: nowhere */
    double labels[TACIT_MAX_CURVES]; /* where its name stands */
} curves_chart;

static double percent_of(const curves_chart *c, double x)
{
    double from = log(c->what->x[0]), to = log(c->what->x[c->what->x_count - 1]);
    return to > from ? 100 * (log(x) - from) / (to - from) : 50;
}

static double curves_height_of(const curves_chart *c, double value)
{
    return CURVES_BOTTOM - CURVES_HEIGHT * (value - c->low) / (c->high - c->low);
}

static void measure_curves(curves_chart *c)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->what->curve_count; i++)
        for (int j = 0; j < c->what->x_count; j++) {
            double value = c->what->curves[i].values[j];
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    if (low > high)
        low = high = 0;
    double span = high - low, least = fmax(fabs(high) * 1e-3, 1e-6);
    c->step = tacit__round_up(fmax(span, least) / 5);
    c->low = floor(low / c->step + 1e-6) * c->step;
    c->high = ceil(high / c->step - 1e-6) * c->step;
    if (c->high <= c->low)
        c->high = c->low + c->step;
    c->decimals = tacit__mark_decimals(c->step);
}

static void add_y_axis(tacit__strbuf *out, const curves_chart *c)
{
    int steps = (int)lround((c->high - c->low) / c->step);
    for (int i = 0; i <= steps; i++) {
        double value = c->low + i * c->step;
        tacit__add_mark(out, curves_height_of(c, value), value, c->decimals, i == 0);
    }
}

/* Numbers at the points, but for those too close to the one before. */
static void add_x_axis(tacit__strbuf *out, const curves_chart *c)
{
    double free_from = -INFINITY;
    for (int i = 0; i < c->what->x_count; i++) {
        char text[64];
        double at = percent_of(c, c->what->x[i]);
        tacit_number_text(text, sizeof text, c->what->x[i], 0);
        double half = (double)tacit__text_width(text) * TACIT__LETTER / 2;
        double pixels = at * CURVES_LEAST_WIDTH / 100;
        bool room = pixels - half >= free_from;
        tacit__strbuf_format(out,
                             "<line class=\"base\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%d\" "
                             "y2=\"%d\"/>",
                             at, at, CURVES_BOTTOM, CURVES_BOTTOM + (room ? 5 : 3));
        if (room) {
            tacit__strbuf_format(out,
                                 "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"middle\">%s</text>", at,
                                 CURVES_BOTTOM + 18, text);
            free_from = pixels + half + MARK_GAP;
        }
        tacit__strbuf_text(out, "\n");
    }
}

/* Which of the curves it is, those that are bounds left out; they go with theirs. */
static int place_of(const curves_chart *c, int curve)
{
    int place = -1;
    for (int i = 0; i <= curve; i++)
        place += !c->what->curves[i].is_bound;
    return place < 0 ? 0 : place;
}

static const char *shape_of(const curves_chart *c, int curve)
{
    return c->what->curves[curve].is_bound ? SMALL_SHAPE : SHAPES[place_of(c, curve)];
}

/* Shades of an ordered set spread over all there are. */
static int shade_of(const curves_chart *c, int curve)
{
    int place = place_of(c, curve), last = place_of(c, c->what->curve_count - 1);
    if (!c->what->ordered)
        return place;
    return last > 0 ? place * (TACIT_MAX_CURVES - 1) / last : TACIT_MAX_CURVES - 1;
}

static void open_curve(tacit__strbuf *out, const curves_chart *c, int curve)
{
    tacit__strbuf_format(out, "<g class=\"curve %s%d%s\">\n", c->what->ordered ? "shade" : "hue",
                         shade_of(c, curve), c->what->curves[curve].is_bound ? " bound" : "");
}

static void add_stretches(tacit__strbuf *out, const curves_chart *c, int curve)
{
    const double *values = c->what->curves[curve].values;
    int from = -1;
    for (int i = 0; i < c->what->x_count; i++) {
        if (!isfinite(values[i]))
            continue;
        if (from >= 0)
            tacit__strbuf_format(out,
                                 "<line x1=\"%.3f%%\" y1=\"%.1f\" x2=\"%.3f%%\" y2=\"%.1f\"/>\n",
                                 percent_of(c, c->what->x[from]), curves_height_of(c, values[from]),
                                 percent_of(c, c->what->x[i]), curves_height_of(c, values[i]));
        from = i;
    }
}

static void add_points(tacit__strbuf *out, const curves_chart *c, int curve)
{
    const tacit_curve *what = &c->what->curves[curve];
    for (int i = 0; i < c->what->x_count; i++) {
        char x[64], y[64];
        if (!isfinite(what->values[i]))
            continue;
        tacit__strbuf_format(out, "<svg x=\"%.3f%%\" y=\"%.1f\"><path d=\"%s\">",
                             percent_of(c, c->what->x[i]), curves_height_of(c, what->values[i]),
                             shape_of(c, curve));
        tacit__html_join(out, "<title>", what->name, ", ", c->what->x_label, " ",
                         tacit_number_text(x, sizeof x, c->what->x[i], 0), ": ",
                         tacit_number_text(y, sizeof y, what->values[i], c->what->decimals),
                         "</title></path></svg>\n", NULL);
    }
}

/* Whether curve a ends above curve b or, where they end alike, comes from above. */
static bool ends_above(const curves_chart *c, int a, int b)
{
    double apart = c->ends[b] - c->ends[a];
    for (int i = c->what->x_count - 1; i >= 0 && fabs(apart) < 0.5; i--) {
        double x = c->what->curves[a].values[i], y = c->what->curves[b].values[i];
        if (isfinite(x) && isfinite(y))
            apart = curves_height_of(c, y) - curves_height_of(c, x);
    }
    return apart > 0;
}

/* Curves in the order in which they end, from the top. */
static int order_ends(int *order, const curves_chart *c)
{
    int count = 0;
    for (int i = 0; i < c->what->curve_count; i++) {
        if (isnan(c->ends[i]))
            continue;
        int at = count++;
        for (; at > 0 && ends_above(c, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

/* Gives each name a height near its curve's end, none on another. */
static void place_labels(curves_chart *c)
{
    int order[TACIT_MAX_CURVES];
    for (int i = 0; i < c->what->curve_count; i++) {
        c->ends[i] = NAN;
        for (int j = 0; j < c->what->x_count; j++)
            if (isfinite(c->what->curves[i].values[j]))
                c->ends[i] = curves_height_of(c, c->what->curves[i].values[j]);
    }
    int count = order_ends(order, c);
    double next = CURVES_TOP;
    for (int i = 0; i < count; i++) {
        c->labels[order[i]] = fmax(c->ends[order[i]], next);
        next = c->labels[order[i]] + LABEL_HEIGHT;
    }
    next = CURVES_BOTTOM;
    for (int i = count - 1; i >= 0; i--) {
        c->labels[order[i]] = fmin(c->labels[order[i]], next);
        next = c->labels[order[i]] - LABEL_HEIGHT;
    }
}

static void add_label(tacit__strbuf *out, const curves_chart *c, int curve)
{
    if (isnan(c->ends[curve]))
        return;
    double at = c->labels[curve];
    tacit__strbuf_text(out, "<svg x=\"100%\">");
    if (isfinite(c->what->curves[curve].values[c->what->x_count - 1]))
        tacit__strbuf_format(out,
                             "<line class=\"lead\" x1=\"7\" y1=\"%.1f\" x2=\"18\" y2=\"%.1f\"/>",
                             c->ends[curve], at);
    tacit__strbuf_format(
        out, "<path transform=\"translate(24,%.1f)\" d=\"%s\"/><text x=\"%d\" y=\"%.1f\">", at,
        shape_of(c, curve), LABEL_LEFT, at + 4);
    tacit__html_join(out, "", c->what->curves[curve].name, "</text></svg>\n", NULL);
}

static void add_curves(tacit__strbuf *out, const curves_chart *c)
{
    for (int i = 0; i < c->what->curve_count; i++) {
        open_curve(out, c, i);
        add_stretches(out, c, i);
        add_points(out, c, i);
        add_label(out, c, i);
        tacit__strbuf_text(out, "</g>\n");
    }
}

static tacit__drawing lay_out_curves(const curves_chart *c)
{
    char text[64];
    double left = 0, right = 0;
    for (double value = c->low; value < c->high + c->step / 2; value += c->step)
        left = fmax(left, (double)strlen(tacit_number_text(text, sizeof text, value, c->decimals)));
    for (int i = 0; i < c->what->curve_count; i++)
        right = fmax(right, (double)tacit__text_width(c->what->curves[i].name));
    return (tacit__drawing){
        .kind = "A chart of curves",
        .title = c->what->title,
        .x_label = c->what->x_label,
        .y_label = c->what->y_label,
        .height = HEIGHT,
        .left = left * TACIT__LETTER + 12,
        .right = right * TACIT__LETTER + LABEL_LEFT + 6,
        .least_width = CURVES_LEAST_WIDTH,
    };
}

static void draw_curves(tacit_page *page, const curves_chart *c)
{
    const tacit__drawing drawing = lay_out_curves(c);
    tacit__strbuf *out = &page->body;
    tacit__drawing_open(page, &drawing);
    add_y_axis(out, c);
    add_x_axis(out, c);
    tacit__strbuf_format(out, "<text x=\"%.0f\" y=\"10\">", -drawing.left);
    tacit__html_join(out, "", c->what->y_label, "</text>\n", NULL);
    if (c->what->marker > 0)
        tacit__add_marker(out, percent_of(c, c->what->marker), CURVES_BOTTOM, c->what->marker_name);
    add_curves(out, c);
    tacit__drawing_close(page, &drawing);
}

/* A row a point, a column a curve. */
static void add_curves_numbers(tacit_page *page, const tacit_curves *what)
{
    enum { COLUMNS = TACIT_MAX_CURVES + 1 };
    char texts[TACIT_MAX_CURVE_POINTS * COLUMNS][32];
    const char *cells[TACIT_MAX_CURVE_POINTS * COLUMNS], *header[COLUMNS] = {what->x_label};
    int used = 0;
    for (int i = 0; i < what->curve_count; i++)
        header[i + 1] = what->curves[i].name;
    for (int j = 0; j < what->x_count; j++)
        for (int i = -1; i < what->curve_count; i++) {
            double value = i < 0 ? what->x[j] : what->curves[i].values[j];
            cells[used] = tacit_number_text(texts[used], sizeof texts[used], value,
                                            i < 0 ? 0 : what->decimals);
            used++;
        }
    tacit__chart_numbers(page, what->y_label, header, what->curve_count + 1, cells, what->x_count);
}

void tacit_page_curves(tacit_page *page, const tacit_curves *curves)
{
    assert(curves->x_count >= 1 && curves->x_count <= TACIT_MAX_CURVE_POINTS);
    assert(curves->curve_count >= 1 && curves->curve_count <= TACIT_MAX_CURVES);
    curves_chart c = {.what = curves};
    measure_curves(&c);
    place_labels(&c);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", curves->title, "</figcaption>\n", NULL);
    draw_curves(page, &c);
    add_curves_numbers(page, curves);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
