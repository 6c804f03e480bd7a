/*
 * formats.h - what a format is, what is known of the columns of a file, and the text that readers
 * make of it.
 *
 * A format is a file that defines tacit__format_NAME, and its name in the list of formats.c. Its
 * reader adds cells to a text, row by row, and says in the schema what each column is. Its writer
 * gets the schema of the release, in which a column has another type than text only if all of its
 * cells can be read as values of that type (values.h), and the release cell by cell.
 */
#ifndef TACIT_SRC_FORMATS_FORMATS_H
#define TACIT_SRC_FORMATS_FORMATS_H

#include <tacit/experimental/formats.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* How a cell's text is written, which says what values it has. */
typedef enum tacit__type {
    TACIT__TYPE_TEXT = 0,
    TACIT__TYPE_INTEGER, /* 64 bits */
    TACIT__TYPE_REAL,    /* as few digits as read back the same */
    TACIT__TYPE_DECIMAL, /* digits, exactly `scale` of them behind the point */
    TACIT__TYPE_BOOLEAN, /* true, false */
    TACIT__TYPE_DATE,    /* 1965-09-20 */
    TACIT__TYPE_TIME,    /* 05:06:07, and decimals where there are any */
    TACIT__TYPE_MOMENT,  /* 1965-09-20T05:06:07, decimals, and Z where the zone is UTC */
} tacit__type;

/* What the values of a column stand for, such as 1 for "male". */
typedef struct tacit__label {
    tacit_strview value; /* as a cell says it */
    tacit_strview text;
} tacit__label;

typedef struct tacit__label_set {
    tacit_strview name;
    bool of_text; /* its values are text, whatever they look like */
    tacit__label *labels;
    size_t count, capacity;
} tacit__label_set;

/* What a file says of a column. Texts are empty where it says nothing. */
typedef struct tacit__schema_column {
    tacit_strview name;
    tacit__type type;
    int width; /* bytes of the longest cell of a release */
    int bytes; /* of a number; 0: unknown */
    int scale; /* digits behind the point of a decimal */
    tacit_strview label;
    tacit_strview format; /* how the file's programs show it, in their words: "%td", "F8.2" */
    int32_t label_set;    /* -1: none */
    int measure, alignment, display_width; /* in the numbers of the format; 0: unknown */
    /* Values that are declared to be missing, from and to, and their number. */
    double missing[3][2];
    int missing_count;
    bool tagged;         /* cells .a to .z say why a value is missing */
    bool categories;     /* its values are few, and kept apart from the rows */
    int64_t least, most; /* of the integers of a release */
} tacit__schema_column;

struct tacit_schema {
    int kept;                   /* how often it is to be freed */
    const tacit_format *format; /* NULL: columns of Arrow, from no file */
    tacit__schema_column *columns;
    size_t count, capacity;
    tacit__label_set *label_sets;
    size_t label_set_count, label_set_capacity;
    tacit_strview label;  /* of the file; not a release's */
    tacit_strview detail; /* what only the format knows, such as the name of a sheet */
    tacit_strview shades; /* a column whose letters s, u, x and z colour the rows of a sheet */
    tacit__arena arena;
};

tacit_status tacit__schema_new(tacit_schema **out, const tacit_format *format, tacit_error *err);

/* The next column; the name is copied. NULL: no memory. It stays until the next one is added. */
tacit__schema_column *tacit__schema_add(tacit_schema *schema, tacit_strview name);

/* The column of that name; NULL: there is none. */
const tacit__schema_column *tacit__schema_find(const tacit_schema *schema, tacit_strview name);

/* The set of that name, made if there is none, or -1; and a label more in it. */
int32_t tacit__schema_label_set(tacit_schema *schema, tacit_strview name);
bool tacit__schema_label(tacit_schema *schema, int32_t set, tacit_strview value,
                         tacit_strview text);

/* What the columns of a release are in that format; NULL: in Arrow. */
tacit_status tacit__release_schema(tacit_schema **out, const tacit_format *format,
                                   const tacit_schema *from, const tacit_table *release,
                                   const tacit_run *run, tacit_error *err);

/* Labels of values for a release whose columns have their types: those of `from` whose values its
 * cells say. */
tacit_status tacit__release_labels(tacit_schema *out, const tacit_schema *from,
                                   const tacit_table *release, const tacit_run *run,
                                   tacit_error *err);

/* The CSV in the making. Running out of memory is remembered, and that it became too long: a file
 * of a few kilobytes could fill the memory otherwise. */
typedef struct tacit__format_text {
    tacit__strbuf csv;
    int32_t columns; /* cells a row */
    int32_t at;      /* cells of this row so far */
    uint64_t most;   /* bytes that it may have; 0: any number */
    bool too_long;   /* it would have more, so it has failed */
} tacit__format_text;

/* Whether so many more bytes are not too many; else the text has failed. */
static inline bool tacit__format_fits(tacit__format_text *text, uint64_t more)
{
    if (text->most == 0 || text->csv.len + more <= text->most)
        return true;
    text->too_long = text->csv.failed = true;
    return false;
}

/* Bytes of a CSV as they are. */
void tacit__format_bytes(tacit__format_text *text, const char *bytes, size_t len);

void tacit__format_null(tacit__format_text *text);
/* An empty cell is "" in quotes: not the same as none. */
void tacit__format_cell(tacit__format_text *text, tacit_strview cell);
/* What such a cell was made to before. */
void tacit__format_quoted(tacit__format_text *text, tacit_strview cell);
/* The names of the schema's columns as the first row. */
void tacit__format_header(tacit__format_text *text, const tacit_schema *schema);

/* What a reader is given. Of header_only comes the schema as far as it is known then. */
typedef tacit_convert_input tacit__format_input;

/* What a writer is given: a release and what its columns are. */
typedef struct tacit__format_release {
    int fd;
    const char *name;           /* for messages */
    const tacit_schema *schema; /* a column each of the release */
    const tacit_table *table;   /* read from CSV, no column coded */
    const tacit_run *run;
} tacit__format_release;

struct tacit_format {
    const char *name;
    const char *endings; /* ".sav .zsav"; of a name, whatever its case */
    /* Whether the bytes are such a file, by how it starts. */
    bool (*is)(tacit_strview bytes);
    /* NULL, or whether it is one that its bytes do not tell, by its name and what is beside it. */
    bool (*is_file)(const tacit__format_input *input);
    /* NULL: not read. A text without a header's cells added is the CSV itself, in any dialect. */
    tacit_status (*read)(tacit__format_text *text, tacit_schema *schema,
                         const tacit__format_input *input, tacit_error *err);
    /* NULL: not written. */
    tacit_status (*write)(const tacit__format_release *release, tacit_error *err);
    bool wraps; /* it holds the bytes of a CSV, and reads them as they are */
    bool parts; /* it holds several tables, of which input->part names one */
    bool tags;  /* .a to .z may stand among its numbers */
};

/* The cells of a release's row, unquoted. */
typedef struct tacit__format_row {
    const tacit_table *table;
    tacit_strview *raw, *cells; /* a column each */
    bool *null;                 /* nothing was there, not even quotes */
    char *buffer;
    size_t buffer_size;
} tacit__format_row;

tacit_status tacit__format_row_new(tacit__format_row *row, const tacit_table *table,
                                   tacit_error *err);
tacit_status tacit__format_row_at(tacit__format_row *row, int64_t number, tacit_error *err);
void tacit__format_row_clear(tacit__format_row *row);

/* Rows are gone through in parts of so many, by all threads. */
enum { TACIT__FORMAT_PART = 1 << 14 };

typedef tacit_status (*tacit__format_part_fn)(void *context, tacit__format_row *row, int64_t from,
                                              int64_t to, int worker, tacit_error *err);

/* Calls it for the rows from `from` to below `to` of each part, with a row of the worker's own. */
tacit_status tacit__format_parts(const tacit_table *table, const char *phase,
                                 tacit__format_part_fn part, void *context, const tacit_run *run,
                                 tacit_error *err);

#endif
