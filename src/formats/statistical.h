/*
 * statistical.h - files of statistical programs, which ReadStat reads and writes: what they have in
 * common, and what tells one program from another.
 */
#ifndef TACIT_SRC_FORMATS_STATISTICAL_H
#define TACIT_SRC_FORMATS_STATISTICAL_H

#include <readstat.h>

#include "formats/formats.h"

/* How a program counts time. A column is one of dates because its display format says so. */
typedef struct tacit__clock {
    tacit__type type;
    const char *formats; /* words that such formats begin with, "%td %d" */
    double unit;         /* of the numbers, in seconds */
    const char *written; /* the format of columns that are written */
} tacit__clock;

/* A program's files. */
typedef struct tacit__program {
    readstat_error_t (*parse)(readstat_parser_t *parser, const char *path, void *context);
    readstat_error_t (*begin)(readstat_writer_t *writer, void *context, long rows);
    const tacit__clock *clocks; /* ending in one without formats */
    int64_t epoch;              /* day 0 of its calendar, in days since 1970-01-01 */
    bool integers;              /* it has integers beside real numbers */
    bool tags;                  /* it has .a to .z */
    bool capital_tags;          /* which it writes .A to .Z */
    size_t longest;             /* text of a cell, in bytes */
    size_t piece;               /* texts beyond 255 bytes are of so many bytes each; 0: whole */
    double least, most;         /* magnitudes of numbers that are not 0 */
    long version;               /* of files that are written; 0: ReadStat's choice */
    readstat_compress_t compression;
} tacit__program;

tacit_status tacit__statistical_read(tacit__format_text *text, tacit_schema *schema,
                                     const tacit__program *program,
                                     const tacit__format_input *input, tacit_error *err);
tacit_status tacit__statistical_write(const tacit__program *program,
                                      const tacit__format_release *release, tacit_error *err);

/* How a column with that display format counts time; NULL: it does not. */
const tacit__clock *tacit__clock_of(const tacit__program *program, const char *format);
const tacit__clock *tacit__clock_for(const tacit__program *program, tacit__type type);

#endif
