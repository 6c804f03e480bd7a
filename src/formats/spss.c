/*
 * spss.c - SPSS's .sav, compressed .zsav and portable .por, which is read only: its names have
 * eight capital letters.
 */
#include <float.h>
#include <string.h>

#include "formats/statistical.h"

enum { SPSS_EPOCH = -141428 }; /* 1582-10-14 */

static const tacit__clock spss_clocks[] = {
    {TACIT__TYPE_MOMENT, "DATETIME YMDHMS", 1, "DATETIME20"},
    {TACIT__TYPE_DATE, "DATE ADATE EDATE SDATE JDATE", 1, "DATE11"},
    {TACIT__TYPE_TIME, "TIME", 1, "TIME8"},
    {.formats = NULL},
};

static const tacit__program spss_plain = {
    .parse = readstat_parse_sav,
    .begin = readstat_begin_writing_sav,
    .clocks = spss_clocks,
    .epoch = SPSS_EPOCH,
    .most = DBL_MAX,
    .longest = 32767,
    .version = 2,
    .compression = READSTAT_COMPRESS_ROWS,
};

static const tacit__program spss_portable = {
    .parse = readstat_parse_por, .clocks = spss_clocks, .epoch = SPSS_EPOCH};

static bool spss_begins(tacit_strview bytes, size_t at, const char *text)
{
    size_t len = strlen(text);
    return bytes.len >= at + len && memcmp(bytes.bytes + at, text, len) == 0;
}

static bool is_plain(tacit_strview bytes)
{
    return spss_begins(bytes, 0, "$FL2") && bytes.len > 176;
}

static bool is_packed(tacit_strview bytes)
{
    return spss_begins(bytes, 0, "$FL3") && bytes.len > 176;
}

/* Lines of 80 characters: 200 of a title, a table of 256, and the mark. */
static bool is_portable(tacit_strview bytes)
{
    for (size_t ends = 0; ends <= 10; ends += 5)
        if (spss_begins(bytes, 456 + ends, "SPSSPORT"))
            return true;
    return false;
}

static tacit_status read_plain(tacit__format_text *text, tacit_schema *schema,
                               const tacit__format_input *input, tacit_error *err)
{
    return tacit__statistical_read(text, schema, &spss_plain, input, err);
}

static tacit_status read_portable(tacit__format_text *text, tacit_schema *schema,
                                  const tacit__format_input *input, tacit_error *err)
{
    return tacit__statistical_read(text, schema, &spss_portable, input, err);
}

static tacit_status write_plain(const tacit__format_release *release, tacit_error *err)
{
    return tacit__statistical_write(&spss_plain, release, err);
}

static tacit_status write_packed(const tacit__format_release *release, tacit_error *err)
{
    tacit__program packed = spss_plain;
    packed.version = 3;
    packed.compression = READSTAT_COMPRESS_BINARY;
    return tacit__statistical_write(&packed, release, err);
}

const tacit_format tacit__format_spss = {
    .name = "SPSS", .endings = ".sav", .is = is_plain, .read = read_plain, .write = write_plain};

const tacit_format tacit__format_spss_packed = {.name = "compressed SPSS",
                                                .endings = ".zsav",
                                                .is = is_packed,
                                                .read = read_plain,
                                                .write = write_packed};

const tacit_format tacit__format_spss_portable = {
    .name = "portable SPSS", .endings = ".por", .is = is_portable, .read = read_portable};
