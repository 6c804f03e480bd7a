/*
 * stata.c - Stata's .dta, versions 104 to 119; 118 is written.
 */
#include <string.h>

#include "formats/statistical.h"

enum { STATA_EPOCH = -3653 }; /* 1960-01-01 */

static const tacit__clock stata_clocks[] = {
    {TACIT__TYPE_DATE, "%td %-td %d %-d", 86400, "%td"},
    {TACIT__TYPE_MOMENT, "%tc %-tc", 0.001, "%tc"},
    {.formats = NULL},
};

static const tacit__program stata = {
    .parse = readstat_parse_dta,
    .begin = readstat_begin_writing_dta,
    .clocks = stata_clocks,
    .epoch = STATA_EPOCH,
    .integers = true,
    .tags = true,
    .least = 0,
    .most = 8.988e307,
    .longest = 2045,
    .version = 118,
};

/* Since version 117 a tag; before it the version, the order of bytes, and a 1. */
static bool is_stata(tacit_strview bytes)
{
    static const char tag[] = "<stata_dta>";
    if (bytes.len >= sizeof tag - 1 && memcmp(bytes.bytes, tag, sizeof tag - 1) == 0)
        return true;
    return bytes.len > 60 && bytes.bytes[0] >= 104 && bytes.bytes[0] <= 116 &&
           (bytes.bytes[1] == 1 || bytes.bytes[1] == 2) && bytes.bytes[2] == 1;
}

static tacit_status read_stata(tacit__format_text *text, tacit_schema *schema,
                               const tacit__format_input *input, tacit_error *err)
{
    return tacit__statistical_read(text, schema, &stata, input, err);
}

static tacit_status write_stata(const tacit__format_release *release, tacit_error *err)
{
    return tacit__statistical_write(&stata, release, err);
}

const tacit_format tacit__format_stata = {.name = "Stata",
                                          .endings = ".dta",
                                          .is = is_stata,
                                          .read = read_stata,
                                          .write = write_stata,
                                          .tags = true};
