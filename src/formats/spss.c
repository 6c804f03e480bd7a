/*
 * spss.c - SPSS's .sav, compressed .zsav and portable .por, which is read only: its names have
 * eight capital letters.
 */
#include <float.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
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
    .longest = 32766, /* and one to spare */
    .piece = 252,
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

/* PSPP names characters of the table twice, superscript digits as digits, and ReadStat would take
 * the later place: only the first one stays. The places below 64 are no characters. */
static void name_once(char *bytes, size_t len)
{
    enum { TITLE = 200, CONTROLS = 64, PLACES = 256 };
    bool named[256] = {false};
    for (size_t at = 0, place = 0; at < len && place < TITLE + PLACES; at++) {
        unsigned char c = (unsigned char)bytes[at];
        if (c == '\r' || c == '\n')
            continue;
        if (place >= TITLE + CONTROLS && named[c])
            bytes[at] = '0';
        named[c] |= place++ >= TITLE + CONTROLS;
    }
}

static tacit_status read_portable(tacit__format_text *text, tacit_schema *schema,
                                  const tacit__format_input *input, tacit_error *err)
{
    char *copy = tacit__alloc(input->bytes.len);
    tacit__format_input cleaned = *input;
    if (!copy)
        return tacit__nomem(err);
    memcpy(copy, input->bytes.bytes, input->bytes.len);
    name_once(copy, input->bytes.len);
    cleaned.bytes.bytes = copy;
    tacit_status status = tacit__statistical_read(text, schema, &spss_portable, &cleaned, err);
    tacit__free(copy);
    return status;
}

/* The pieces of a text of more than 255 bytes are variables of their own, whose names are the first
 * five characters of its name and one more. ReadStat gives a name twice: two such columns that
 * begin alike, or one and a column of that name, are read as something else. */
static bool confuses(const tacit__schema_column *column, const tacit__schema_column *other)
{
    enum { PIECE = 255, STEM = 5 };
    size_t stem = column->name.len < STEM ? column->name.len : STEM;
    tacit_strview name = other->name;
    if (column->width <= PIECE || name.len < stem ||
        strncasecmp(column->name.bytes, name.bytes, stem) != 0)
        return false;
    return name.len == stem + 1 || (other->width > PIECE && (stem == STEM || name.len == stem));
}

static tacit_status check_pieces(const tacit__format_release *release, tacit_error *err)
{
    const tacit_schema *schema = release->schema;
    for (size_t i = 0; i < schema->count; i++)
        for (size_t k = 0; schema->columns[i].width > 255 && k < schema->count; k++)
            if (k != i && confuses(&schema->columns[i], &schema->columns[k]))
                return tacit__error_at(err, TACIT_INVALID, release->name, 0, 0,
                                       "column \"%s\" has a text of more than 255 bytes, and "
                                       "column \"%s\" begins alike, which SPSS's files confuse: "
                                       "give one of them another name, or write the release as CSV",
                                       tacit__show(schema->columns[i].name).text,
                                       tacit__show(schema->columns[k].name).text);
    return TACIT_OK;
}

static tacit_status write_plain(const tacit__format_release *release, tacit_error *err)
{
    tacit_status status = check_pieces(release, err);
    return status == TACIT_OK ? tacit__statistical_write(&spss_plain, release, err) : status;
}

static tacit_status write_packed(const tacit__format_release *release, tacit_error *err)
{
    tacit__program packed = spss_plain;
    tacit_status status = check_pieces(release, err);
    packed.version = 3;
    packed.compression = READSTAT_COMPRESS_BINARY;
    return status == TACIT_OK ? tacit__statistical_write(&packed, release, err) : status;
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
