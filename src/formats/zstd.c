/*
 * zstd.c - a CSV compressed by Zstandard (RFC 8878), with libzstd: one frame or several.
 */
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/packed.h"
#include "table/table.h"

enum { ZSTD_LEVEL = 3 };

static bool is_zstd(tacit_strview bytes)
{
    return bytes.len > 3 && memcmp(bytes.bytes, "\x28\xB5\x2F\xFD", 4) == 0;
}

static tacit_status unpack_all(tacit__format_text *text, ZSTD_DCtx *context, char *buffer,
                               const tacit__format_input *input, tacit_error *err)
{
    ZSTD_inBuffer in = {input->bytes.bytes, input->bytes.len, 0};
    size_t left = 1;   /* 0 at the end of a frame */
    bool full = false; /* more may be ready than the buffer took */
    tacit_status status = TACIT_OK;
    while ((in.pos < in.size || full) && status == TACIT_OK) {
        if (tacit__unpacked_enough(text, input))
            return TACIT_OK;
        ZSTD_outBuffer out = {buffer, TACIT__UNPACKED, 0};
        left = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(left))
            break;
        full = out.pos == out.size;
        tacit__format_bytes(text, buffer, out.pos);
        if (text->csv.failed)
            return tacit__nomem(err);
        status = tacit__progress(input->run, "reading", (int64_t)in.pos, (int64_t)in.size, err);
    }
    if (status == TACIT_OK && left != 0)
        return tacit__error_at(err, TACIT_PARSE, input->name, 0, 0,
                               "is damaged or cut off: it cannot be decompressed as Zstandard");
    return status;
}

static tacit_status read_zstd(tacit__format_text *text, tacit_schema *schema,
                              const tacit__format_input *input, tacit_error *err)
{
    (void)schema;
    char *buffer = tacit__alloc(TACIT__UNPACKED);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    tacit_status status =
        buffer && context ? unpack_all(text, context, buffer, input, err) : tacit__nomem(err);
    ZSTD_freeDCtx(context);
    tacit__free(buffer);
    return status;
}

static tacit_status pack_all(ZSTD_CCtx *context, char *buffer, const tacit__format_release *release,
                             tacit_error *err)
{
    ZSTD_inBuffer in = {release->table->bytes, release->table->len, 0};
    int64_t written = 0;
    size_t left = 1;
    tacit_status status = TACIT_OK;
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    while (left != 0 && status == TACIT_OK) {
        ZSTD_outBuffer out = {buffer, TACIT__UNPACKED, 0};
        left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
        if (ZSTD_isError(left))
            return tacit__nomem(err);
        status = tacit__write_at(release->fd, release->name, buffer, out.pos, written, err);
        written += (int64_t)out.pos;
    }
    return status;
}

static tacit_status write_zstd(const tacit__format_release *release, tacit_error *err)
{
    char *buffer = tacit__alloc(TACIT__UNPACKED);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    tacit_status status =
        buffer && context ? pack_all(context, buffer, release, err) : tacit__nomem(err);
    ZSTD_freeCCtx(context);
    tacit__free(buffer);
    return status;
}

const tacit_format tacit__format_zstd = {.name = "Zstandard",
                                         .endings = ".csv.zst .tsv.zst .zst",
                                         .is = is_zstd,
                                         .read = read_zstd,
                                         .write = write_zstd,
                                         .wraps = true};
