/*
 * facts.h - the inside of a report, for its renderers.
 *
 * Facts are an array in the order in which they were filled in; their texts, and the cells of
 * tables, are in one arena that lives as long as the report.
 */
#ifndef TACIT_SRC_REPORT_FACTS_H
#define TACIT_SRC_REPORT_FACTS_H

#include <tacit/experimental/facts.h>

#include "base/arena.h"
#include "base/strbuf.h"

typedef enum report_fact_type {
    REPORT_INTEGER = 0,
    REPORT_REAL,
    REPORT_BOOL,
    REPORT_TEXT,
    REPORT_LIST,
    REPORT_ITEM,
    REPORT_TITLE,
    REPORT_LINE,
    REPORT_VERDICT,
    REPORT_NOTE,
    REPORT_GAP,
    REPORT_SECTION,
    REPORT_PARAGRAPH,
    REPORT_TILE,
    REPORT_TABLE,
    REPORT_DRAWING
} report_fact_type;

typedef enum report_cell_type {
    REPORT_CELL_NONE = 0,
    REPORT_CELL_TEXT,
    REPORT_CELL_INTEGER,
    REPORT_CELL_REAL,
    REPORT_CELL_BOOL,
    REPORT_CELL_INTEGERS,
    REPORT_CELL_TEXTS
} report_cell_type;

typedef struct report_cell {
    report_cell_type type;
    size_t count; /* of a list */
    union {
        tacit_strview text;
        int64_t integer;
        double real;
        const int64_t *integers;
        const tacit_strview *texts;
    } of;
} report_cell;

typedef struct report_grid {
    tacit_report_table table;
    report_cell *cells; /* row by row, owned */
    size_t count, capacity;
} report_grid;

typedef struct report_fact {
    report_fact_type type;
    unsigned where;
    bool pushed;       /* into the list of that name */
    bool good;         /* of a verdict */
    bool percent;      /* a share, for people in percent */
    int decimals;      /* for people */
    const char *name;  /* the whole path; NULL: not in the JSON */
    tacit_strview key; /* below that path; bytes NULL: nothing is */
    const char *label; /* NULL: none */
    tacit_strview text;
    int64_t integer; /* or a truth value */
    double real;
    report_grid *grid;
    tacit_draw_fn draw;
    const void *subject;
} report_fact;

enum { REPORT_MAX_DEPTH = 8, REPORT_MAX_PATH = 256 };

struct tacit_report {
    const char *title;
    tacit__arena arena;
    report_fact *facts;
    size_t count, capacity;
    unsigned where, limit;        /* facts are kept for what is in both */
    char prefix[REPORT_MAX_PATH]; /* of names: what was entered, each with a dot behind it */
    size_t entered[REPORT_MAX_DEPTH];
    int depth;
    bool failed;
};

/* Rows of a table, and of them how many are shown where at most max are, 0 being all. */
size_t report_grid_rows(const report_grid *grid, int max);

/* Whether a column is shown in a place. */
bool report_column_shown(const tacit_report_column *column, unsigned where);

/* A cell as people read it, cut to size. */
enum { REPORT_MAX_CELL = 256 };
const char *report_cell_print(char buffer[REPORT_MAX_CELL], const tacit_report_column *column,
                              const report_cell *cell);

/* A text that is rendered goes to the caller, who frees it; what failed does not. */
tacit_status report_give(char **out, tacit__strbuf *text, tacit_error *err);

#endif
