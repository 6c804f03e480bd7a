/*
 * chart.c - what every chart of a page has in common. A chart says in words
 * what it is and where its numbers stand, for those who cannot see it.
 */
#include "report/chart.h"

#include <math.h>

void tacit__drawing_open(tacit_page *page, const tacit__drawing *drawing)
{
    tacit__strbuf *out = &page->body;
    int id = ++page->parts;
    tacit__strbuf_format(out,
                         "<div class=\"chart\"><svg role=\"img\" aria-labelledby=\"part%d-title "
                         "part%d-text\" height=\"%d\" style=\"width:calc(100%% - %.0fpx);"
                         "margin-left:%.0fpx;min-width:%.0fpx\">\n<title id=\"part%d-title\">",
                         id, id, drawing->height, drawing->left + drawing->right, drawing->left,
                         drawing->least_width, id);
    tacit__html_join(out, "", drawing->title, "</title>\n", NULL);
    tacit__strbuf_format(out, "<desc id=\"part%d-text\">", id);
    tacit__html_join(out, "", drawing->kind, " of ", drawing->y_label, " by ", drawing->x_label,
                     "; its numbers stand in the table below it.</desc>\n", NULL);
}

void tacit__drawing_close(tacit_page *page, const tacit__drawing *drawing)
{
    tacit__strbuf_format(&page->body, "<text x=\"50%%\" y=\"%d\" text-anchor=\"middle\">",
                         drawing->height - 6);
    tacit__html_join(&page->body, "", drawing->x_label, "</text>\n</svg></div>\n", NULL);
}

void tacit__chart_numbers(tacit_page *page, const char *caption, const char *const *header,
                          int columns, const char *const *cells, int rows)
{
    tacit__strbuf_text(&page->body, "<details><summary>The numbers</summary>\n");
    tacit_page_table(page, caption, header, columns, cells, rows);
    tacit__strbuf_text(&page->body, "</details>\n");
}

double tacit__round_up(double value)
{
    double power = pow(10, floor(log10(value)));
    for (int i = 0; i < 3; i++) {
        double candidate = power * (double[]){1, 2, 5}[i];
        if (candidate >= value * (1 - 1e-9))
            return candidate;
    }
    return power * 10;
}

int tacit__mark_decimals(double step)
{
    return step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
}

void tacit__add_mark(tacit__strbuf *out, double y, double value, int decimals, bool base)
{
    char text[64];
    tacit__strbuf_format(out,
                         "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                         "<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                         base ? "base" : "grid", y, y, y + 4,
                         tacit_number_text(text, sizeof text, value, decimals));
}

void tacit__add_marker(tacit__strbuf *out, double x, int bottom, const char *name)
{
    bool left_half = x <= 50;
    tacit__strbuf_format(out,
                         "<line class=\"marker\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"18\" y2=\"%d\"/>"
                         "<svg x=\"%.3f%%\" y=\"28\"><text class=\"named\" x=\"%d\" "
                         "text-anchor=\"%s\">",
                         x, x, bottom, x, left_half ? 6 : -6, left_half ? "start" : "end");
    tacit__html_join(out, "", name, "</text></svg>\n", NULL);
}
