/*
 * sas.c - SAS's .sas7bdat, which is read only, and transport files, .xpt, of which version 5 is
 * written, or 8 where that is too small.
 */
#include <string.h>

#include "base/error.h"
#include "formats/statistical.h"

enum { SAS_EPOCH = -3653 }; /* 1960-01-01 */

static const tacit__clock sas_clocks[] = {
    {TACIT__TYPE_MOMENT, "DATETIME E8601DT B8601DT DATEAMPM", 1, "DATETIME20"},
    {TACIT__TYPE_DATE, "DATE DDMMYY MMDDYY YYMMDD E8601DA B8601DA IS8601DA WEEKDATE WORDDATE",
     86400, "YYMMDD10"},
    {TACIT__TYPE_TIME, "TIME E8601TM TIMEAMPM", 1, "TIME8"},
    {.formats = NULL},
};

static const tacit__program sas_binary = {
    .parse = readstat_parse_sas7bdat, .clocks = sas_clocks, .epoch = SAS_EPOCH, .tags = true};

static const tacit__program sas_transport = {
    .parse = readstat_parse_xport,
    .begin = readstat_begin_writing_xport,
    .clocks = sas_clocks,
    .epoch = SAS_EPOCH,
    .tags = true,
    .capital_tags = true,
    .least = 5.4e-79,
    .most = 7.2e75,
    .longest = 32767,
};

static bool is_binary(tacit_strview bytes)
{
    static const char mark[] = "\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92";
    return bytes.len >= 288 && memcmp(bytes.bytes, mark, sizeof mark - 1) == 0;
}

static bool is_transport(tacit_strview bytes)
{
    static const char mark[] = "HEADER RECORD*******LIB";
    return bytes.len >= 80 && memcmp(bytes.bytes, mark, sizeof mark - 1) == 0;
}

static tacit_status read_binary(tacit__format_text *text, tacit_schema *schema,
                                const tacit__format_input *input, tacit_error *err)
{
    return tacit__statistical_read(text, schema, &sas_binary, input, err);
}

static tacit_status read_transport(tacit__format_text *text, tacit_schema *schema,
                                   const tacit__format_input *input, tacit_error *err)
{
    return tacit__statistical_read(text, schema, &sas_transport, input, err);
}

/* A transport file is filled up with blanks, in which a last row without anything but empty text
 * would be lost. */
static tacit_status check_last_row(const tacit__format_release *release, tacit_error *err)
{
    tacit__format_row row;
    bool empty = true;
    int64_t rows = tacit_table_rows(release->table);
    for (size_t i = 0; i < release->schema->count; i++)
        empty &= release->schema->columns[i].type == TACIT__TYPE_TEXT;
    if (!empty || rows == 0)
        return TACIT_OK;
    tacit_status status = tacit__format_row_new(&row, release->table, err);
    if (status == TACIT_OK)
        status = tacit__format_row_at(&row, rows - 1, err);
    for (size_t i = 0; status == TACIT_OK && i < release->schema->count; i++)
        empty &= row.cells[i].len == 0;
    if (status == TACIT_OK && empty)
        status = tacit__error_at(err, TACIT_INVALID, release->name, rows, 0,
                                 "the last row is empty, and SAS transport files cannot say so; "
                                 "write the release as CSV");
    tacit__format_row_clear(&row);
    return status;
}

/* Version 5, which more programs read, has short names, labels and texts. */
static bool fits_version_5(const tacit_schema *schema)
{
    enum { NAME = 8, LABEL = 40, TEXT = 200 };
    for (size_t i = 0; i < schema->count; i++) {
        const tacit__schema_column *column = &schema->columns[i];
        if (column->name.len > NAME || column->label.len > LABEL || column->width > TEXT)
            return false;
    }
    return true;
}

static tacit_status write_transport(const tacit__format_release *release, tacit_error *err)
{
    tacit__program program = sas_transport;
    tacit_status status = check_last_row(release, err);
    program.version = fits_version_5(release->schema) ? 5 : 8;
    return status != TACIT_OK ? status : tacit__statistical_write(&program, release, err);
}

const tacit_format tacit__format_sas = {
    .name = "SAS", .endings = ".sas7bdat", .is = is_binary, .read = read_binary};

const tacit_format tacit__format_sas_transport = {.name = "SAS transport",
                                                  .endings = ".xpt",
                                                  .is = is_transport,
                                                  .read = read_transport,
                                                  .write = write_transport,
                                                  .tags = true};
