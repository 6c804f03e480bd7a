/*
 * marked.c - a text on a page, with parts of it marked: coloured by group, what there is to
 * say of each under the pointer and, on request, in small print.
 *
 * Where the page tells what stood there before, a mark holds both, and one of three buttons
 * above the texts decides which are shown; another decides on the small print. The buttons are
 * inputs in front of the figures that they govern, so that the style sheet can do it all and
 * no script is needed. Groups differ by line as well as by colour. Linear in the text.
 */
#include <assert.h>

#include "report/page.h"

static void add_switch(tacit__strbuf *out, int id, const char *type, const char *class, bool on,
                       const char *label)
{
    tacit__strbuf_format(out,
                         "<input type=\"%s\" id=\"part%d-%s\" class=\"%s\" name=\"part%d-%s\"%s>",
                         type, id, class, class, id, type, on ? " checked" : "");
    tacit__strbuf_format(out, "<label for=\"part%d-%s\">", id, class);
    tacit__html_join(out, "", label, "</label>\n", NULL);
}

void tacit_page_marks(tacit_page *page, const char *const *groups, int count, bool both)
{
    assert(count > 0 && count <= TACIT_PAGE_GROUPS);
    tacit__strbuf *out = &page->body;
    int id = ++page->parts;
    tacit__strbuf_text(out, "<p class=\"legend marks\">");
    for (int i = 0; i < count; i++) {
        tacit__strbuf_format(out, "<span><mark class=\"mark%d\">", i + 1);
        tacit__html_join(out, "", groups[i], "</mark></span>", NULL);
    }
    tacit__strbuf_text(out, "</p>\n");
    if (both) {
        add_switch(out, id, "radio", "see-new", true, "what stands there now");
        add_switch(out, id, "radio", "see-old", false, "what stood there");
        add_switch(out, id, "radio", "see-both", false, "both");
    }
    add_switch(out, id, "checkbox", "see-print", false, "kinds and likelihoods");
}

static void add_part(tacit__strbuf *out, const tacit_page_part *part)
{
    if (part->group == 0) {
        tacit__html_view(out, part->text);
        return;
    }
    assert(part->group > 0 && part->group <= TACIT_PAGE_GROUPS);
    tacit__strbuf_format(out, "<mark class=\"mark%d\"", part->group);
    tacit__html_join(out, " title=\"", part->hover ? part->hover : "", "\">", NULL);
    if (part->before.bytes) {
        tacit__strbuf_text(out, "<del>");
        tacit__html_view(out, part->before);
        tacit__strbuf_text(out, "</del>");
    }
    tacit__strbuf_text(out, part->text.len ? "<ins>" : "<ins class=\"nothing\">");
    tacit__html_view(out, part->text);
    tacit__html_join(out, "</ins><small>", part->print ? part->print : "", "</small></mark>", NULL);
}

void tacit_page_text(tacit_page *page, const tacit_page_marked *text)
{
    tacit__strbuf *out = &page->body;
    tacit__html_join(out, "<figure class=\"letter\">\n<figcaption>", text->title,
                     "</figcaption>\n<div role=\"region\" tabindex=\"0\" aria-label=\"",
                     text->title, "\">", NULL);
    for (size_t i = 0; i < text->count && !out->failed; i++)
        add_part(out, &text->parts[i]);
    tacit__strbuf_text(out, "</div>\n");
    if (text->note)
        tacit__html_join(out, "<p class=\"note\">", text->note, "</p>\n", NULL);
    tacit__strbuf_text(out, "</figure>\n");
}
