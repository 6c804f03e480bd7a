/*
 * convert.c - for tests by other readers and writers: `convert IN OUT` reads a file of any format
 * and writes it as a release is written, in the format that OUT's name ends in; as CSV otherwise.
 * What is wrong goes to standard error, with status 1.
 */
#include <fcntl.h>
#include <stdio.h>
#include <tacit/experimental/formats.h>
#include <unistd.h>

static tacit_status write_csv(int fd, const char *path, const tacit_table *table, tacit_error *err)
{
    tacit_csv_column columns[TACIT_MAX_COLUMNS] = {{0}};
    int32_t count = tacit_table_columns(table);
    for (int32_t i = 0; i < count; i++)
        columns[i].source = i;
    const tacit_csv_layout layout = {
        .columns = columns, .column_count = count, .row_count = tacit_table_rows(table)};
    return tacit_table_write(fd, path, NULL, table, &layout, NULL, err);
}

static tacit_status write_as(const char *path, const tacit_table *table, tacit_error *err)
{
    const tacit_format *format = tacit_format_of_name(path);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    tacit_status status =
        format ? tacit_format_write(fd, path, format, tacit_table_schema(table), table, NULL, err)
               : write_csv(fd, path, table, err);
    close(fd);
    return status;
}

int main(int count, char **arguments)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.code_none = true;
    options.convert = tacit_formats_convert;
    if (count != 3)
        return 2;
    tacit_status status = tacit_table_read(&table, arguments[1], &options, NULL, &err);
    if (status == TACIT_OK)
        status = write_as(arguments[2], table, &err);
    if (status != TACIT_OK)
        fprintf(stderr, "%s:%lld: %s\n", err.file, (long long)err.line, err.message);
    tacit_table_free(table);
    return status == TACIT_OK ? 0 : 1;
}
