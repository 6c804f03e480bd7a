/*
 * fuzz_tsv.c - any bytes as rows with tabs, in pieces of a length that the first byte says. Rows
 * that are written again and read again are the same, nulls and all.
 */
#include "engines/tsv.h"

#include <stdint.h>
#include <string.h>

#include "../support/fuzz_require.h"

static tacit_status write_row(void *context, const tacit_strview *cells, int32_t count,
                              tacit_error *err)
{
    (void)err;
    tacit__tsv_add_row(context, cells, count);
    return TACIT_OK;
}

/* What is read, written again. */
static tacit__strbuf written(const char *bytes, size_t len, size_t piece)
{
    tacit__strbuf text = {0};
    tacit__tsv tsv = {0};
    tacit_error err = {0};
    tacit_status status = TACIT_OK;
    for (size_t at = 0; at < len && status == TACIT_OK; at += piece)
        status = tacit__tsv_read(&tsv, bytes + at, len - at < piece ? len - at : piece, write_row,
                                 &text, &err);
    tacit__tsv_clear(&tsv);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    tacit__strbuf once = written((const char *)data + 1, size - 1, 1 + data[0]);
    tacit__strbuf whole = written((const char *)data + 1, size - 1, size);
    tacit__strbuf twice = written(once.bytes, once.len, 1 + data[0] / 2);
    require(once.len == whole.len && twice.len == once.len, "lengths differ");
    require(once.len == 0 || memcmp(once.bytes, whole.bytes, once.len) == 0, "pieces matter");
    require(once.len == 0 || memcmp(once.bytes, twice.bytes, once.len) == 0, "rows differ");
    tacit__strbuf_clear(&once);
    tacit__strbuf_clear(&whole);
    tacit__strbuf_clear(&twice);
    return 0;
}
