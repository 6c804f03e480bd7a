/*
 * markdown.c - the statement for recipients as Markdown (CommonMark): a title, sections, paragraphs
 * and lists of sentences, facts in their order. Linear in what is written.
 *
 * Names of columns come from outside: every ASCII mark is escaped, and control characters are
 * spaces, so that no text makes a link, markup or a line of its own.
 */
#include <string.h>

#include "report/facts.h"
#include "report/markup.h"

/* What Markdown may read as markup; hyphens and full stops only do where a line begins, which no
 * text here does. */
static bool is_markup(char c)
{
    return c && strchr("\\`*_{}[]<>()#+!|&~$\"", c);
}

static void add_escaped(tacit__strbuf *out, const char *text)
{
    tacit__strbuf safe = {0};
    for (; *text; text++) {
        bool control = (unsigned char)*text < 0x20 || *text == 0x7F;
        if (is_markup(*text))
            tacit__strbuf_text(&safe, "\\");
        tacit__strbuf_add(&safe, control ? " " : text, 1);
    }
    tacit__utf8_add(out, (tacit_strview){safe.bytes, safe.len});
    out->failed |= safe.failed;
    tacit__strbuf_clear(&safe);
}

static void add_markdown_line(tacit__strbuf *out, const report_fact *fact)
{
    tacit__strbuf_text(out, "- ");
    if (*fact->label) {
        tacit__strbuf_text(out, "**");
        add_escaped(out, fact->label);
        tacit__strbuf_text(out, "**: ");
    }
    add_escaped(out, fact->text.bytes);
    tacit__strbuf_text(out, "\n");
}

/* What stands by itself: between empty lines. */
static void add_block(tacit__strbuf *out, const char *mark, const report_fact *fact)
{
    tacit__strbuf_text(out, out->len ? "\n" : "");
    tacit__strbuf_text(out, mark);
    add_escaped(out, fact->text.bytes);
    tacit__strbuf_text(out, "\n");
    if (fact->type == REPORT_SECTION)
        tacit__strbuf_text(out, "\n");
}

static void add_markdown_fact(tacit__strbuf *out, const report_fact *fact)
{
    switch (fact->type) {
    case REPORT_TITLE: add_block(out, "# ", fact); break;
    case REPORT_SECTION: add_block(out, "## ", fact); break;
    case REPORT_PARAGRAPH: add_block(out, "", fact); break;
    case REPORT_LINE: add_markdown_line(out, fact); break;
    default: break;
    }
}

tacit_status tacit_report_statement_markdown(char **out, const tacit_report *report,
                                             tacit_error *err)
{
    tacit__strbuf text = {.failed = report->failed};
    tacit__strbuf_text(&text, "");
    for (size_t i = 0; !text.failed && i < report->count; i++)
        if (report->facts[i].where & TACIT_SHOW_STATEMENT)
            add_markdown_fact(&text, &report->facts[i]);
    return report_give(out, &text, err);
}
