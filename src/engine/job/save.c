/*
 * save.c - columns in memory as a file, in the format that its name ends in. What a binding was
 * given as columns leaves as the command would have written it: CSV cell by cell as it was judged,
 * another format read back and compared (formats.h), and either whole or not at all.
 */
#include <tacit/job.h>

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tacit/experimental.h>

#include "base/error.h"

/* Of the CSV behind fd, which says what the columns are in schema. */
static tacit_status convert(const tacit_output *output, const char *path,
                            const tacit_format *format, int fd, const tacit_schema *schema,
                            const tacit_run *run, tacit_error *err)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.code_none = true;
    options.encoding = TACIT_ENCODING_UTF8;
    tacit_status status = tacit_table_read_fd(&table, fd, "the columns", &options, run, err);
    if (status == TACIT_OK)
        status = tacit_format_write(tacit_output_fd(output), path, format, schema, table, run, err);
    tacit_table_free(table);
    return status;
}

tacit_status tacit_save_arrow(const char *path, struct ArrowArrayStream *stream,
                              const tacit_run *run, tacit_error *err)
{
    const tacit_format *format = tacit_format_of_name(path);
    tacit_schema *schema = NULL;
    tacit_output *output = NULL;
    int fd = -1;
    tacit_status status = TACIT_OK;
    if (format && !tacit_format_is_written(format))
        status = tacit__error_at(err, TACIT_INVALID, path, 0, 0,
                                 "the format %s is read, not written: give the file another name, "
                                 "such as one that ends in .csv",
                                 tacit_format_name(format));
    if (status == TACIT_OK)
        status = tacit_output_new(&output, path, err);
    if (status == TACIT_OK && format && (fd = memfd_create("tacit", MFD_CLOEXEC)) < 0)
        status = tacit__io(err, NULL, "cannot keep the columns", errno);
    if (status != TACIT_OK)
        goto cleanup;
    status = tacit_arrow_read(format ? fd : tacit_output_fd(output), &schema, stream, run, err);
    if (status == TACIT_OK && format)
        status = convert(output, path, format, fd, schema, run, err);
    if (status == TACIT_OK)
        status = tacit_output_commit(output, err);
cleanup:
    if (stream->release)
        stream->release(stream);
    tacit_schema_free(schema);
    tacit_output_free(output);
    if (fd >= 0)
        close(fd);
    return status;
}
