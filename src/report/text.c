/*
 * text.c - a report for a terminal: a title, labelled lines of at most 80 columns, and tables whose
 * columns line up. Widths count characters of UTF-8, not bytes.
 *
 * What is good or bad is marked by control characters, which nothing else in the text can be;
 * whoever shows it makes colours of them or leaves them out.
 */
#include <string.h>

#include "base/ascii.h"
#include "report/facts.h"

enum { LABEL_WIDTH = 12, LINE_WIDTH = 80, MAX_TEXT_COLUMNS = 64 };

#define MARKS TACIT_MARK_GOOD TACIT_MARK_BAD TACIT_MARK_PLAIN

/* ---- lines ---- */

/* The length of the word that a text begins with. "12 345 678" is one. */
static size_t word_length(const char *text)
{
    size_t end = strcspn(text, " " MARKS);
    while (end > 0 && tacit__is_digit(text[end - 1]) && text[end] == ' ' &&
           strspn(text + end + 1, "0123456789") == 3)
        end += 1 + strcspn(text + end + 1, " " MARKS);
    return end;
}

static void add_printable(tacit__strbuf *out, const char *text, size_t len)
{
    char shown[2048];
    tacit__strbuf_text(out, tacit_printable(shown, sizeof shown, text, len));
}

/* Words as far as a line goes, from a column on; further lines are indented by as much as labels
 * are wide. */
static void add_text_words(tacit__strbuf *out, const char *text)
{
    size_t at = LABEL_WIDTH + 2;
    for (bool spaced = false; *text;) {
        size_t marks = strspn(text, MARKS);
        tacit__strbuf_add(out, text, marks);
        text += marks;
        size_t word = word_length(text);
        if (spaced && at + 1 + word > LINE_WIDTH) {
            tacit__strbuf_format(out, "\n%*s", LABEL_WIDTH + 2, "");
            at = LABEL_WIDTH + 2;
        } else if (spaced) {
            tacit__strbuf_text(out, " ");
            at++;
        }
        add_printable(out, text, word);
        at += word;
        spaced = text[word] == ' ';
        text += word + spaced;
    }
    tacit__strbuf_text(out, "\n");
}

static void add_labelled(tacit__strbuf *out, const char *label, const char *text)
{
    if (strlen(label) < LABEL_WIDTH)
        tacit__strbuf_format(out, "  %-*s", LABEL_WIDTH, label);
    else /* it has a line of its own */
        tacit__strbuf_format(out, "  %s\n%*s", label, LABEL_WIDTH + 2, "");
    add_text_words(out, text);
}

static void add_verdict(tacit__strbuf *out, const report_fact *fact)
{
    tacit__strbuf_text(out, fact->good ? TACIT_MARK_GOOD : TACIT_MARK_BAD);
    add_labelled(out, fact->label, fact->text.bytes);
    tacit__strbuf_text(out, TACIT_MARK_PLAIN);
}

/* ---- tables ---- */

static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* Digits, in groups or with a sign, a point or a percent sign; no dates. */
static bool is_text_number(const char *text)
{
    text += *text == '-';
    return strspn(text, "0123456789. %") == strlen(text);
}

/* A column that is printed: which it is, how wide, and whether it holds nothing but numbers, which
 * are aligned right. */
typedef struct text_column {
    int index;
    int width;
    bool numbers;
} text_column;

static const char *print_at(char buffer[REPORT_MAX_CELL], const report_grid *grid, size_t row,
                            int column)
{
    const tacit_report_table *table = &grid->table;
    return report_cell_print(buffer, &table->columns[column],
                             &grid->cells[row * (size_t)table->column_count + (size_t)column]);
}

static text_column measure_text(const report_grid *grid, int index, size_t rows)
{
    char buffer[REPORT_MAX_CELL];
    text_column column = {index, width_of(grid->table.columns[index].heading), rows > 0};
    for (size_t row = 0; row < rows; row++) {
        const char *cell = print_at(buffer, grid, row, index);
        int width = width_of(cell);
        column.width = width > column.width ? width : column.width;
        column.numbers &= is_text_number(cell);
    }
    return column;
}

static void add_text_cell(tacit__strbuf *out, const char *text, const text_column *column,
                          bool last)
{
    int gap = column->width - width_of(text);
    bool right = column->numbers;
    tacit__strbuf_format(out, "  %*s%s%*s", right ? gap : 0, "", text, right || last ? 0 : gap, "");
}

static void add_text_table(tacit__strbuf *out, const report_grid *grid)
{
    text_column columns[MAX_TEXT_COLUMNS];
    char buffer[REPORT_MAX_CELL];
    size_t rows = report_grid_rows(grid, grid->table.printed_rows);
    int count = 0;
    for (int i = 0; i < grid->table.column_count && count < MAX_TEXT_COLUMNS; i++)
        if (report_column_shown(&grid->table.columns[i], TACIT_SHOW_TEXT))
            columns[count++] = measure_text(grid, i, rows);
    for (int i = 0; i < count; i++)
        add_text_cell(out, grid->table.columns[columns[i].index].heading, &columns[i],
                      i + 1 == count);
    tacit__strbuf_text(out, "\n");
    for (size_t row = 0; row < rows; row++) {
        for (int i = 0; i < count; i++)
            add_text_cell(out, print_at(buffer, grid, row, columns[i].index), &columns[i],
                          i + 1 == count);
        tacit__strbuf_text(out, "\n");
    }
}

/* ---- all ---- */

static void add_text_fact(tacit__strbuf *out, const report_fact *fact)
{
    switch (fact->type) {
    case REPORT_TITLE:
        add_printable(out, fact->text.bytes, fact->text.len);
        tacit__strbuf_text(out, "\n\n");
        break;
    case REPORT_LINE: add_labelled(out, fact->label, fact->text.bytes); break;
    case REPORT_VERDICT: add_verdict(out, fact); break;
    case REPORT_NOTE:
        add_printable(out, fact->text.bytes, fact->text.len);
        tacit__strbuf_text(out, "\n");
        break;
    case REPORT_GAP: tacit__strbuf_text(out, "\n"); break;
    case REPORT_TABLE: add_text_table(out, fact->grid); break;
    default: break;
    }
}

tacit_status tacit_report_print(char **out, const tacit_report *report, tacit_error *err)
{
    tacit__strbuf text = {.failed = report->failed};
    tacit__strbuf_text(&text, "");
    for (size_t i = 0; !text.failed && i < report->count; i++)
        if (report->facts[i].where & TACIT_SHOW_TEXT)
            add_text_fact(&text, &report->facts[i]);
    return report_give(out, &text, err);
}

tacit_status tacit_report_colours(char **out, const char *text, bool colours, tacit_error *err)
{
    static const char *const CODES[] = {"\033[1;32m", "\033[1;31m", "\033[0m"};
    tacit__strbuf shown = {0};
    tacit__strbuf_text(&shown, "");
    while (*text) {
        size_t plain = strcspn(text, MARKS);
        tacit__strbuf_add(&shown, text, plain);
        text += plain;
        if (*text && colours)
            tacit__strbuf_text(&shown, CODES[*text - TACIT_MARK_GOOD[0]]);
        text += *text != '\0';
    }
    return report_give(out, &shown, err);
}
