/*
 * chart.c - what every chart of a page has in common. A chart says in words
 * what it is and where its numbers stand, for those who cannot see it.
 */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>

void tacit__drawing_open(tacit_page *page, const tacit__drawing *drawing)
{
    tacit__strbuf *out = &page->body;
    int id = ++page->parts;
    tacit__strbuf_format(out,
                         "<div class=\"chart\"><svg role=\"img\" aria-labelledby=\"part%d-title "
                         "part%d-text\" height=\"%d\" style=\"width:calc(100%% - %.0fpx);"
                         "margin-left:%.0fpx;min-width:%.0fpx",
                         id, id, drawing->height, drawing->left + drawing->right, drawing->left,
                         drawing->least_width);
    if (drawing->max_width > 0)
        tacit__strbuf_format(out, ";max-width:%.0fpx", drawing->max_width);
    tacit__strbuf_format(out, "\">\n<title id=\"part%d-title\">", id);
    tacit__html_join(out, "", drawing->title, "</title>\n", NULL);
    tacit__strbuf_format(out, "<desc id=\"part%d-text\">", id);
    tacit__html_join(out, "", drawing->kind, " of ", drawing->y_label, " by ", drawing->x_label,
                     "; its ", drawing->facts ? drawing->facts : "numbers",
                     " stand in the table below it.</desc>\n", NULL);
}

void tacit__drawing_close(tacit_page *page, const tacit__drawing *drawing)
{
    tacit__strbuf_format(&page->body, "<text x=\"50%%\" y=\"%d\" text-anchor=\"middle\">",
                         drawing->height - 6);
    tacit__html_join(&page->body, "", drawing->x_label, "</text>\n</svg></div>\n", NULL);
}

void tacit__chart_table(tacit_page *page, const char *summary, const char *caption,
                        const char *const *header, int columns, const char *const *cells, int rows)
{
    tacit__html_join(&page->body, "<details><summary>", summary, "</summary>\n", NULL);
    tacit_page_table(page, caption, header, columns, cells, rows);
    tacit__strbuf_text(&page->body, "</details>\n");
}

void tacit__chart_numbers(tacit_page *page, const char *caption, const char *const *header,
                          int columns, const char *const *cells, int rows)
{
    tacit__chart_table(page, "The numbers", caption, header, columns, cells, rows);
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

size_t tacit__name_letters(const char *const *names, int count)
{
    size_t letters = 0;
    for (int i = 0; i < count; i++) {
        size_t width = tacit__text_width(names[i]);
        letters = width > letters ? width : letters;
    }
    return letters < TACIT__NAME_LETTERS ? letters : TACIT__NAME_LETTERS;
}

void tacit__add_name(tacit__strbuf *out, const char *name)
{
    char text[TACIT__NAME_LETTERS * 4 + 8];
    snprintf(text, sizeof text, "%s", name);
    if (tacit__text_width(name) > TACIT__NAME_LETTERS) {
        size_t at = 0, letters = 0;
        for (; letters < TACIT__NAME_LETTERS || ((unsigned char)text[at] & 0xC0) == 0x80; at++)
            letters += ((unsigned char)text[at] & 0xC0) != 0x80;
        while (at > 0 && ((unsigned char)text[--at] & 0xC0) == 0x80)
            ;
        snprintf(text + at, sizeof text - at, "\xE2\x80\xA6");
    }
    tacit__html_add(out, text);
}

void tacit__add_name_below(tacit__strbuf *out, double x, int bottom, const char *name, bool turned)
{
    tacit__strbuf_format(out, "<svg x=\"%.3f%%\" y=\"%d\"><text %s>", x, bottom + 8,
                         turned ? "transform=\"rotate(-45)\" x=\"-4\" y=\"7\" text-anchor=\"end\""
                                : "y=\"10\" text-anchor=\"middle\"");
    tacit__add_name(out, name);
    tacit__strbuf_text(out, "</text></svg>\n");
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
