/*
 * formats.h - files that are not CSV: read as the CSV they stand for, and releases in their form.
 *
 * A reader turns a file into the text of a CSV and a schema: what each column is. Everything that
 * reads a table works on that text, and so does the judge. A release is judged as CSV, then written
 * in its format, and read back from there: it appears only if that says what was judged, cell by
 * cell. A column keeps its type where each of its cells still is a value of that type, and is text
 * otherwise.
 *
 *     tacit_csv_options options;
 *     tacit_csv_options_init(&options);
 *     options.convert = tacit_formats_convert;
 *     tacit_table_read(&table, "survey.dta", &options, &run, &err);
 */
#ifndef TACIT_FORMATS_H
#define TACIT_FORMATS_H

#include <tacit/arrow.h>
#include <tacit/base.h>
#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_format tacit_format;
typedef struct tacit_schema tacit_schema;

/* A format, from 0 on; NULL: there are no more. */
TACIT_API const tacit_format *tacit_format_at(size_t index);

TACIT_API const char *tacit_format_name(const tacit_format *format);    /* "Stata" */
TACIT_API const char *tacit_format_endings(const tacit_format *format); /* ".dta" */
TACIT_API bool tacit_format_is_read(const tacit_format *format);
TACIT_API bool tacit_format_is_written(const tacit_format *format);

/* The format that a file's name ends in; NULL: none, which is CSV. */
TACIT_API const tacit_format *tacit_format_of_name(const char *path);

/* For tacit_csv_options: the CSV that a file of any format stands for. Files that are CSV already
 * are left as they are. */
TACIT_API tacit_status tacit_formats_convert(tacit_conversion *out,
                                             const tacit_convert_input *input, tacit_error *err);

/* What a table that was read so came from; NULL: a CSV. It is the table's. */
TACIT_API const tacit_schema *tacit_table_schema(const tacit_table *table);
TACIT_API const tacit_format *tacit_schema_format(const tacit_schema *schema);

/* Writes an Arrow stream to fd, from its start, as the CSV it stands for, with a header and commas,
 * and says what its columns are. The stream is released, whatever comes of it. */
TACIT_API tacit_status tacit_arrow_read(int fd, tacit_schema **schema,
                                        struct ArrowArrayStream *stream, const tacit_run *run,
                                        tacit_error *err);

/* A release as an Arrow stream of one batch, which is the caller's to release; compared with the
 * release cell by cell, like what tacit_format_write() writes. */
TACIT_API tacit_status tacit_arrow_write(struct ArrowArrayStream *out, const tacit_schema *schema,
                                         const tacit_table *release, const tacit_run *run,
                                         tacit_error *err);

/* A schema that is kept beyond its table, until it is freed as often as it was kept; NULL of NULL.
 * Not for several threads at once. */
TACIT_API tacit_schema *tacit_schema_keep(const tacit_schema *schema);
TACIT_API void tacit_schema_free(tacit_schema *schema);

/* Writes a release, which is read from CSV, to fd from its start, and reads it back: TACIT_IO if it
 * does not say the same. schema says what its columns were, by their names; NULL: text and numbers
 * as they look. name is for messages. */
TACIT_API tacit_status tacit_format_write(int fd, const char *name, const tacit_format *format,
                                          const tacit_schema *schema, const tacit_table *release,
                                          const tacit_run *run, tacit_error *err);

/* The same of cells whose status stands in the column of that name, in letters: where a format has
 * colours, a row shows it (u and x are not published, s and z are). */
TACIT_API tacit_status tacit_format_write_shaded(int fd, const char *name,
                                                 const tacit_format *format, const char *letters,
                                                 const tacit_table *release, const tacit_run *run,
                                                 tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
