/*
 * heat.c - shares by pairs of names, as a map of shades in the page.
 *
 * A pair is shown once, so the map is a triangle; its diagonal has each name by
 * itself. As in bars.c, positions across are percentages and everything else is
 * in pixels. Shades go by steps, not by a slide, so that a field can be matched
 * with the legend; they are closer together near nothing and near all, where a
 * percent more matters most. Fields carry their percentage as long as there is
 * room for it, and the table that unfolds has every one with a decimal.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "report/chart.h"

enum {
    HEAT_TOP = 4,
    STEPS = 8,
    HEAT_FEW = 14,  /* names: fields are large */
    HEAT_SOME = 26, /* fields are small and still carry their percentage */
    LARGEST = 84    /* width of a field */
};

/* The largest share of each step but the last. */
static const double TOPS[STEPS - 1] = {0, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95};

static const char *const STEP_NAMES[STEPS] = {
    "none",
    "\xE2\x89\xA4 1 %", /* at most */
    "\xE2\x89\xA4 5 %",
    "\xE2\x89\xA4 20 %",
    "\xE2\x89\xA4 50 %",
    "\xE2\x89\xA4 80 %",
    "\xE2\x89\xA4 95 %",
    "&gt; 95 %",
};

typedef struct heat_chart {
    const tacit_heat *what;
    int field_height, field_width; /* the width is the least one */
    bool numbered, turned;
    double left;
    int bottom, height;
} heat_chart;

static int step_of(double share)
{
    int step = 0;
    while (step < STEPS - 1 && share > TOPS[step])
        step++;
    return step;
}

static double share_at(const tacit_heat *heat, int row, int column)
{
    return heat->shares[row * heat->count + column];
}

/* As short as it can be said: 0, <1, 37, >99, 100. */
static const char *percentage(char *text, size_t size, double share)
{
    double percent = 100 * share;
    if (percent > 0 && percent < 0.5)
        snprintf(text, size, "<1");
    else if (percent < 100 && percent >= 99.5)
        snprintf(text, size, ">99");
    else
        snprintf(text, size, "%.0f", percent);
    return text;
}

static const char *exactly(char *text, size_t size, double share)
{
    snprintf(text, size, isfinite(share) ? "%.1f %%" : "", 100 * share);
    return text;
}

static void lay_out_heat(heat_chart *c)
{
    int count = c->what->count;
    double name = (double)tacit__name_letters(c->what->names, count) * TACIT__LETTER;
    c->field_height = count <= HEAT_FEW ? 36 : count <= HEAT_SOME ? 26 : 14;
    c->field_width = count <= HEAT_FEW ? 44 : count <= HEAT_SOME ? 30 : 14;
    c->numbered = count <= HEAT_SOME;
    c->turned = name + 6 > c->field_width;
    c->left = name + 12;
    c->bottom = HEAT_TOP + count * c->field_height;
    c->height = c->bottom + 46 + (c->turned ? (int)(name * TACIT__SLANT) : 0);
}

static void add_field(tacit__strbuf *out, const heat_chart *c, int row, int column)
{
    const tacit_heat *heat = c->what;
    double share = share_at(heat, row, column), width = 100.0 / heat->count;
    int y = HEAT_TOP + row * c->field_height;
    char text[32];
    if (!isfinite(share))
        return;
    tacit__strbuf_format(out, "<g class=\"heat%d\">", step_of(share));
    tacit__html_join(out, "<title>", heat->names[row], row == column ? "" : " and ",
                     row == column ? "" : heat->names[column], ": ",
                     exactly(text, sizeof text, share), "</title>", NULL);
    tacit__strbuf_format(out, "<rect x=\"%.3f%%\" y=\"%d\" width=\"%.3f%%\" height=\"%d\"></rect>",
                         width * column, y, width, c->field_height);
    if (c->numbered) {
        tacit__strbuf_format(out, "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"middle\">",
                             width * (column + 0.5), y + c->field_height / 2 + 4);
        tacit__html_join(out, "", percentage(text, sizeof text, share), "</text>", NULL);
    }
    tacit__strbuf_text(out, "</g>\n");
}

/* A row's name, left of its fields. */
static void add_row_name(tacit__strbuf *out, const heat_chart *c, int row)
{
    tacit__strbuf_format(out, "<text x=\"-8\" y=\"%d\" text-anchor=\"end\">",
                         HEAT_TOP + row * c->field_height + c->field_height / 2 + 4);
    tacit__add_name(out, c->what->names[row]);
    tacit__strbuf_text(out, "</text>\n");
}

static void draw_heat(tacit_page *page, const heat_chart *c)
{
    const tacit_heat *heat = c->what;
    const tacit__drawing drawing = {
        .kind = "A heat map",
        .title = heat->title,
        .x_label = heat->x_label,
        .y_label = heat->y_label,
        .height = c->height,
        .left = c->left,
        .right = 4,
        .least_width = heat->count * (double)c->field_width,
        .max_width = heat->count * (double)LARGEST,
    };
    tacit__drawing_open(page, &drawing);
    for (int row = 0; row < heat->count; row++) {
        add_row_name(&page->body, c, row);
        for (int column = 0; column <= row; column++)
            add_field(&page->body, c, row, column);
        tacit__add_name_below(&page->body, 100.0 * (row + 0.5) / heat->count, c->bottom,
                              heat->names[row], c->turned);
    }
    tacit__drawing_close(page, &drawing);
}

static void add_heat_legend(tacit__strbuf *out)
{
    tacit__strbuf_text(out, "<p class=\"legend\">");
    for (int step = 0; step < STEPS; step++)
        tacit__strbuf_format(out, "<span class=\"heat%d\">%s</span>", step, STEP_NAMES[step]);
    tacit__strbuf_text(out, "</p>\n");
}

/* The same triangle, with a decimal. */
static void add_heat_numbers(tacit_page *page, const tacit_heat *heat)
{
    enum { COLUMNS = TACIT_MAX_HEAT + 1 };
    char texts[TACIT_MAX_HEAT * TACIT_MAX_HEAT][16];
    const char *cells[TACIT_MAX_HEAT * COLUMNS], *header[COLUMNS] = {heat->x_label};
    int used = 0, count = heat->count;
    for (int row = 0; row < count; row++) {
        header[row + 1] = heat->names[row];
        cells[used++] = heat->names[row];
        for (int column = 0; column < count; column++) {
            double share = column <= row ? share_at(heat, row, column) : NAN;
            cells[used++] = exactly(texts[row * count + column], sizeof texts[0], share);
        }
    }
    tacit__chart_numbers(page, heat->y_label, header, count + 1, cells, count);
}

void tacit_page_heat(tacit_page *page, const tacit_heat *heat)
{
    assert(heat->count >= 1 && heat->count <= TACIT_MAX_HEAT);
    heat_chart c = {.what = heat};
    lay_out_heat(&c);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", heat->title, "</figcaption>\n", NULL);
    add_heat_legend(&page->body);
    draw_heat(page, &c);
    add_heat_numbers(page, heat);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
