/*
 * table.h - tables of dictionary codes, read from CSV and written back.
 *
 * A table is immutable once read. A coded column holds one small integer a row
 * and a dictionary of the distinct values in the order of their first
 * appearance; a column that is not coded is only known by its bytes in the
 * file, which is enough to carry it along. Missing (an empty field) is not a
 * value: it has no dictionary entry, and its code is one past the last entry.
 *
 * The table borrows from the mapped file, so views stay valid until
 * tacit_table_free.
 */
#ifndef TACIT_TABLE_H
#define TACIT_TABLE_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_table tacit_table;

/* What becomes of cells that a spreadsheet may run as a formula: those that begin with = + - @, a
 * full-width form of these, a tab or a line end, and are no number. */
typedef enum tacit_guard {
    TACIT_GUARD_NONE = 0, /* they are as they are */
    TACIT_GUARD_CELLS,    /* they are read with an apostrophe before them, and so released */
    TACIT_GUARD_DONE      /* the file was released so: cells are as they are, and labels of
                             hierarchies have their apostrophe */
} tacit_guard;

/* How a file's text is encoded. A release is always UTF-8. */
typedef enum tacit_encoding {
    TACIT_ENCODING_UTF8 = 0,     /* anything else is refused */
    TACIT_ENCODING_DETECT,       /* UTF-8 if it is well formed, UTF-16 with a byte order mark, or
                                    Windows-1252 if no characters of UTF-8 are in it */
    TACIT_ENCODING_WINDOWS_1252, /* this one, unless the file is well-formed UTF-8 or UTF-16 */
    TACIT_ENCODING_ISO_8859_15,  /* the same */
    TACIT_ENCODING_UTF16         /* found, by its byte order mark; not asked for */
} tacit_encoding;

/* The name that a policy has for it; and the encoding of a name, "iso-8859-1" (which is read as
 * Windows-1252) among them, TACIT_ENCODING_DETECT for any other. */
TACIT_API const char *tacit_encoding_name(tacit_encoding encoding);
TACIT_API tacit_encoding tacit_encoding_named(const char *name);

/* What stands for a missing value beside an empty cell, such as NA or 999: a cell that says exactly
 * this, in quotes or not. */
typedef struct tacit_missing_codes {
    char **codes;
    int32_t count;
} tacit_missing_codes;

/* What a file says of a column by its name: index -1 asks what the column is about, in text; from 0
 * on, what a value of it stands for. False: nothing. */
typedef bool (*tacit_words_fn)(const void *origin, tacit_strview column, int64_t index,
                               tacit_strview *value, tacit_strview *text);

/* A file that is not CSV, as the CSV it stands for. */
typedef struct tacit_conversion {
    char *text; /* freed with tacit_text_free(); NULL: the file is CSV itself */
    size_t len;
    bool written_anew; /* with commas, a header and in UTF-8, whatever the other options say */
    void *origin;      /* what its maker wants to know of it later; the table's */
    void (*free_origin)(void *origin);
    tacit_words_fn words; /* what the file says of its columns; NULL: nothing */
} tacit_conversion;

/* What it is made of. */
typedef struct tacit_convert_input {
    tacit_strview bytes;
    const char *name; /* for messages */
    const char *path; /* NULL: it was not opened by a name */
    const char *part; /* what stands behind # after its path, such as a sheet; NULL: nothing */
    bool header_only; /* the names of the columns will do */
    const tacit_run *run;
} tacit_convert_input;

typedef tacit_status (*tacit_convert_fn)(tacit_conversion *out, const tacit_convert_input *input,
                                         tacit_error *err);

typedef struct tacit_csv_options {
    size_t size;                /* tacit_csv_options_init() sets it: the version it was made for */
    char delimiter;             /* 0: sniffed among , ; tab | */
    bool no_header;             /* columns are then named V1, V2, ... or as follows */
    const tacit_strview *names; /* NULL, or a name a column where there is no header */
    size_t name_count;
    size_t max_field;         /* longest field in bytes */
    bool header_only;         /* read the names and no row: a quick look before the work */
    bool code_none;           /* code no column at all */
    const char *const *coded; /* names of the columns to code; NULL: all */
    size_t coded_count;       /* number of names in coded */
    bool digest;              /* a digest of every row's cells, but for the columns that follow */
    const char *const *undigested;
    size_t undigested_count;
    bool pass_stray_end; /* passes over a delimiter too many at the end of the last line */
    bool let_go;         /* lets go of the file's pages as they have been read, to save memory */
    tacit_guard guard;
    /* NULL, or whether a column's cells stay as they are all the same. */
    bool (*unguarded)(tacit_strview name, const void *context);
    const void *unguarded_context;
    /* NULL, or the codes of a column: cells that say one are read as empty, and so released. */
    tacit_missing_codes (*missing)(tacit_strview name, const void *context);
    const void *missing_context;
    tacit_encoding encoding;  /* what is not UTF-8 is converted when it is read, and so released */
    tacit_convert_fn convert; /* NULL, or makes CSV of files in other formats */
} tacit_csv_options;

/* Sniffed delimiter, a header, every column coded, fields up to 1 MiB. */
#define tacit_csv_options_init(options) \
    tacit_csv_options_init_sized((options), sizeof(tacit_csv_options))
TACIT_API void tacit_csv_options_init_sized(tacit_csv_options *options, size_t size);

enum { TACIT_MAX_COLUMNS = 4096 };
#define TACIT_MAX_ROWS INT64_C(4294967294)

/* Reads a CSV file; path "-" is standard input. Errors name file, line and
 * column. A name in options->coded that the file does not have is an error.
 * If files are converted, the path may end in # and what of the file is meant
 * ("survey.xlsx#Sheet2"), unless there is a file of that whole name. */
TACIT_API tacit_status tacit_table_read(tacit_table **out, const char *path,
                                        const tacit_csv_options *options, const tacit_run *run,
                                        tacit_error *err);

/* The same from an open descriptor, which is left open; name is for messages. */
TACIT_API tacit_status tacit_table_read_fd(tacit_table **out, int fd, const char *name,
                                           const tacit_csv_options *options, const tacit_run *run,
                                           tacit_error *err);

/* The same from memory, which must outlive the table. */
TACIT_API tacit_status tacit_table_read_memory(tacit_table **out, tacit_strview bytes,
                                               const char *name, const tacit_csv_options *options,
                                               const tacit_run *run, tacit_error *err);

TACIT_API void tacit_table_free(tacit_table *table);

/* TACIT_IO if the file was written to since it was read. Large files are mapped, so what a table
 * says of them may have changed with them: ask before anything that follows from it is used.
 * Hashes the file once more. */
TACIT_API tacit_status tacit_table_check_unchanged(const tacit_table *table, const tacit_run *run,
                                                   tacit_error *err);

/* Lets go of the mapped file's pages; they come back when they are touched. For
 * a table whose text is not needed for a while. */
TACIT_API void tacit_table_let_go(const tacit_table *table);

TACIT_API int64_t tacit_table_rows(const tacit_table *table);
TACIT_API int32_t tacit_table_columns(const tacit_table *table);
TACIT_API char tacit_table_delimiter(const tacit_table *table);
TACIT_API bool tacit_table_has_header(const tacit_table *table);
TACIT_API const char *tacit_table_file(const tacit_table *table);

/* How it was read. */
TACIT_API tacit_guard tacit_table_guard(const tacit_table *table);

/* What its file was encoded in. */
TACIT_API tacit_encoding tacit_table_encoding(const tacit_table *table);

/* What options->convert noted of a file that is no CSV; NULL: it is one. */
TACIT_API const void *tacit_table_origin(const tacit_table *table);

/* What the file says of a column: index -1 asks what it is about, in text; from 0 on, what a value
 * stands for, 1 for "male". False: nothing, or no more. The views are the table's. */
TACIT_API bool tacit_table_words(const tacit_table *table, int32_t column, int64_t index,
                                 tacit_strview *value, tacit_strview *text);

/* Whether a delimiter at the file's end was passed over. */
TACIT_API bool tacit_table_stray_end(const tacit_table *table);

/* A column's name, unquoted. */
TACIT_API tacit_strview tacit_table_name(const tacit_table *table, int32_t column);

/* The column of that name, or -1. */
TACIT_API int32_t tacit_table_find(const tacit_table *table, tacit_strview name);

/* The line of the file a row starts on, counting from 1. Slow: for messages. */
TACIT_API int64_t tacit_table_line(const tacit_table *table, int64_t row);

TACIT_API bool tacit_table_is_coded(const tacit_table *table, int32_t column);

/* Number of distinct values of a coded column, missing not among them. */
TACIT_API uint32_t tacit_table_distinct(const tacit_table *table, int32_t column);

/* Whether any row misses the value of a coded column. */
TACIT_API bool tacit_table_has_missing(const tacit_table *table, int32_t column);

/* The value behind a code, unquoted; code < tacit_table_distinct. */
TACIT_API tacit_strview tacit_table_value(const tacit_table *table, int32_t column, uint32_t code);

/* The codes of a column, a row each, as wide as they need to be. */
typedef struct tacit_codes_view {
    const void *data;
    int width; /* 1, 2 or 4 bytes */
} tacit_codes_view;

TACIT_API tacit_codes_view tacit_table_codes(const tacit_table *table, int32_t column);

static inline uint32_t tacit_codes_at(tacit_codes_view codes, int64_t row)
{
    if (codes.width == 1)
        return ((const uint8_t *)codes.data)[row];
    if (codes.width == 2)
        return ((const uint16_t *)codes.data)[row];
    return ((const uint32_t *)codes.data)[row];
}

/* NULL, or a 64-bit digest for each row of the raw cells of its digested columns:
 * rows of two tables that digest columns of the same names agree in them if
 * their digests are equal (but for one pair in 2^64), without a look at their
 * text. */
TACIT_API const uint64_t *tacit_table_digests(const tacit_table *table);
TACIT_API bool tacit_table_is_digested(const tacit_table *table, int32_t column);

/* A row's cells as they stand in the file, quotes included, one view a column
 * into cells, which has room for tacit_table_columns views. */
TACIT_API void tacit_table_row(const tacit_table *table, int64_t row, tacit_strview *cells);

/* What a raw cell says: quotes stripped, doubled quotes halved. Returns the
 * length; writes at most size bytes into buffer. */
TACIT_API size_t tacit_csv_unquote(tacit_strview cell, char *buffer, size_t size);

/* How one column of a release is made from the table it is released from. */
typedef struct tacit_csv_column {
    int32_t source;              /* the table's column: its name and, unless replaced, its cells */
    bool relabelled;             /* cells are labels[codes[row]] */
    tacit_codes_view codes;      /* a number a row, below label_count */
    const tacit_strview *labels; /* an entry with bytes NULL leaves the cell as it is */
    uint32_t label_count;
    bool blanked; /* in rows marked `suppressed`, the cell is the suppressed label */
    /* Rewrites the cell's unquoted value into out (at most size bytes) and
     * returns its length; NULL: not rewritten. Called from several threads. */
    size_t (*rewrite)(tacit_strview value, char *out, size_t size, const void *payload);
    const void *payload;
} tacit_csv_column;

/* A release as the writer sees it. */
typedef struct tacit_csv_layout {
    const tacit_csv_column *columns;
    int32_t column_count;
    const uint64_t *suppressed; /* bit a row of the table; NULL: none */
    tacit_strview suppressed_label;
    const uint32_t *order; /* rows of the table in the order of the release; NULL: as they are */
    int64_t row_count;     /* rows written: entries of order, or the table's rows */
} tacit_csv_layout;

/* Longest cell a rewrite may make. */
enum { TACIT_MAX_REWRITE = 256 };

/* Writes the release to fd from its start. Cells that are not relabelled,
 * blanked or rewritten come out byte for byte as they went in. *bytes may be
 * NULL. Errors name the file given as name. */
TACIT_API tacit_status tacit_table_write(int fd, const char *name, int64_t *bytes,
                                         const tacit_table *table, const tacit_csv_layout *layout,
                                         const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
