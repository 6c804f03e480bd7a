/*
 * facts.h - filling a report. Each thing is said once; the renderers of report.h lay it out.
 *
 * A fact is shown in the JSON, on the terminal, on the page, or in several of these, as its kind
 * suggests and as tacit_report_show() allows. Facts come in the order in which they are read, and
 * the same order serves all three. Names are paths in the JSON, below those that were entered.
 *
 * Filling can only fail for lack of memory. The failure is kept and returned by the renderers, so
 * callers need not check each call. Texts are copied; what drawings are made of outlives the
 * report.
 */
#ifndef TACIT_EXPERIMENTAL_FACTS_H
#define TACIT_EXPERIMENTAL_FACTS_H

#include <tacit/experimental/page.h>
#include <tacit/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* title is the page's. */
tacit_status tacit_report_new(tacit_report **out, const char *title, tacit_error *err);

/* All are those of the data holder. The statement is for recipients: nothing gets there that is not
 * sent there by name, and it is rendered as JSON and as Markdown. */
enum {
    TACIT_SHOW_JSON = 1,
    TACIT_SHOW_TEXT = 2,
    TACIT_SHOW_PAGE = 4,
    TACIT_SHOW_ALL = 7,
    TACIT_SHOW_STATEMENT = 8
};

/* Where the facts that follow may be shown, TACIT_SHOW_ALL at first; returns what held before. */
unsigned tacit_report_show(tacit_report *report, unsigned where);

/* The same within what may be shown already: within a page's part nothing gets to the terminal. */
unsigned tacit_report_narrow(tacit_report *report, unsigned where);

/* Something that belongs in the report could not be made for want of memory: the renderers say so.
 */
void tacit_report_fail(tacit_report *report);

/* Keeps facts for these renderings alone, TACIT_SHOW_ALL at first: the others are not asked for. */
void tacit_report_limit(tacit_report *report, unsigned where);

/* Whether facts that follow are kept for one of these: what is long to say need not be said else.
 */
bool tacit_report_shows(const tacit_report *report, unsigned where);

/* Names that follow are below this one: "attacks.linking". Entering nests; at most 8 deep. */
void tacit_report_enter(tacit_report *report, const char *name);
void tacit_report_leave(tacit_report *report);

/* Opens a new object at the end of the list of that name, and enters it. */
void tacit_report_item(tacit_report *report, const char *name);

/* The statement, to be freed with tacit_text_free: values as JSON; title, sections and sentences as
 * Markdown, in which no text means more than it says. */
tacit_status tacit_report_statement_json(char **out, const tacit_report *report, tacit_error *err);
tacit_status tacit_report_statement_markdown(char **out, const tacit_report *report,
                                             tacit_error *err);

/* ---- values, for the JSON ---- */

/* A real that is not finite becomes null; bytes that are no UTF-8 become U+FFFD. */
void tacit_report_integer(tacit_report *report, const char *name, int64_t value);
void tacit_report_real(tacit_report *report, const char *name, double value);
void tacit_report_bool(tacit_report *report, const char *name, bool value);
void tacit_report_text(tacit_report *report, const char *name, const char *value);
void tacit_report_view(tacit_report *report, const char *name, tacit_strview value);
/* The same under a last name that may itself hold dots, such as a column's. */
void tacit_report_integer_in(tacit_report *report, const char *name, tacit_strview key,
                             int64_t value);
/* A list, empty if nothing follows, and its items. */
void tacit_report_list(tacit_report *report, const char *name);
void tacit_report_push_integer(tacit_report *report, const char *name, int64_t value);
void tacit_report_push_text(tacit_report *report, const char *name, tacit_strview value);

/* The members of a struct that are facts, a line each in a table:
 *     static const tacit_field FIELDS[] = {
 *         TACIT_FIELD(tacit_metrics, suppressed_rows, "suppressed_rows", "rows suppressed", 0),
 * A label puts the value on the page, too, with so many decimals; NULL: it is in the JSON alone. */
typedef enum tacit_field_type {
    TACIT_FIELD_BOOL = 0,
    TACIT_FIELD_INT32,
    TACIT_FIELD_INT64,
    TACIT_FIELD_DOUBLE
} tacit_field_type;

typedef struct tacit_field {
    const char *name;
    const char *label;
    tacit_field_type type;
    int decimals;
    size_t offset;
    bool percent; /* a share, which the page shows in percent */
} tacit_field;

#define TACIT_FIELD_TYPE(type, member)     \
    _Generic(((type *)0)->member, bool     \
             : TACIT_FIELD_BOOL, int32_t   \
             : TACIT_FIELD_INT32, uint32_t \
             : TACIT_FIELD_INT32, int64_t  \
             : TACIT_FIELD_INT64, uint64_t \
             : TACIT_FIELD_INT64, double   \
             : TACIT_FIELD_DOUBLE)
#define TACIT_FIELD(type, member, name, label, decimals)                                     \
    {                                                                                        \
        name, label, TACIT_FIELD_TYPE(type, member), decimals, offsetof(type, member), false \
    }
#define TACIT_FIELD_SHARE(type, member, name, label, decimals)                              \
    {                                                                                       \
        name, label, TACIT_FIELD_TYPE(type, member), decimals, offsetof(type, member), true \
    }
#define TACIT_COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

void tacit_report_fields(tacit_report *report, const tacit_field *fields, size_t count,
                         const void *subject);
/* The same below a name. */
void tacit_report_object(tacit_report *report, const char *name, const tacit_field *fields,
                         size_t count, const void *subject);

/* ---- sentences, for people ---- */

/* Over everything else on the terminal, with an empty line below. */
void tacit_report_title(tacit_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Marks that may be in a sentence: what follows is good, bad, neither again (report.h). */
#define TACIT_MARK_GOOD  "\001"
#define TACIT_MARK_BAD   "\002"
#define TACIT_MARK_PLAIN "\003"

/* A sentence with a label: a line on the terminal. On the page lines that follow each other are a
 * list, and one without a label ("") is a paragraph. */
void tacit_report_line(tacit_report *report, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of what is good or bad as a whole: coloured on the terminal, a banner on the page. */
void tacit_report_verdict(tacit_report *report, bool good, const char *label, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

/* On the terminal alone: a line as it is, and an empty one. */
void tacit_report_note(tacit_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tacit_report_gap(tacit_report *report);

/* On the page alone: a heading, a paragraph, a key number in large type. */
void tacit_report_section(tacit_report *report, const char *title);
void tacit_report_paragraph(tacit_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tacit_report_tile(tacit_report *report, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Drawn when, and only if, the page is wanted. */
typedef void (*tacit_draw_fn)(tacit_page *page, const void *subject);
void tacit_report_drawing(tacit_report *report, tacit_draw_fn draw, const void *subject);

/* ---- tables, for all three: a list of objects in the JSON; on the page only with rows ---- */

typedef struct tacit_report_column {
    const char *key;     /* in the JSON, may be a path; NULL: not there */
    const char *heading; /* for people; NULL: not there */
    unsigned where;      /* 0: wherever it has a name; or TACIT_SHOW_TEXT, TACIT_SHOW_PAGE, ... */
    /* How people read a number: a format for one double ("%.1f%%"), which is scaled first; NULL:
     * with digits in groups and so many decimals. */
    const char *format;
    double scale; /* 0: 1 */
    int decimals;
    const char *none; /* for people, where a cell has nothing; NULL: nothing */
} tacit_report_column;

enum { TACIT_MAX_PAGE_COLUMNS = 64 };

typedef struct tacit_report_table {
    const char *name;  /* in the JSON; NULL: not there */
    const char *title; /* on the page; NULL: not there */
    bool printed;      /* on the terminal */
    const tacit_report_column *columns;
    int column_count;
    int printed_rows; /* on the terminal, at most; 0: all */
    int page_rows;    /* on the page, at most; 0: all */
} tacit_report_table;

/* The columns of a table that are an array. */
#define TACIT_COLUMNS(array) .columns = (array), .column_count = TACIT_COUNT_OF(array)

/* A table of columns that are an array, with all of its rows wherever it is shown. */
#define TACIT_TABLE(name, title, printed, columns) \
    (&(tacit_report_table){name, title, printed, columns, (int)TACIT_COUNT_OF(columns), 0, 0})

/* Opens a table; cells follow row by row, one for each column, whatever is shown of them. */
void tacit_report_begin(tacit_report *report, const tacit_report_table *table);
void tacit_report_cell(tacit_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tacit_report_cell_view(tacit_report *report, tacit_strview text);
void tacit_report_cell_integer(tacit_report *report, int64_t value);
void tacit_report_cell_real(tacit_report *report, double value);
void tacit_report_cell_bool(tacit_report *report, bool value);
/* Nothing for people, and no member of the JSON's object. */
void tacit_report_cell_none(tacit_report *report);
/* Lists are for the JSON. */
void tacit_report_cell_integers(tacit_report *report, const int64_t *values, size_t count);
void tacit_report_cell_texts(tacit_report *report, const tacit_strview *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif
