/*
 * gzip.c - a CSV compressed by gzip, with zlib: one member or several, as RFC 1952 has them.
 * What is written has no name and no time in it, so the same release has the same bytes.
 */
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/packed.h"
#include "table/table.h"

enum { WINDOW = 15, AS_GZIP = 16, MEMORY = 8, LEVEL = 6 };

static bool is_gzip(tacit_strview bytes)
{
    return bytes.len > 2 && memcmp(bytes.bytes, "\x1F\x8B\x08", 3) == 0;
}

static void *gzip_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return tacit__alloc_array(count, size);
}

static void gzip_free(void *opaque, void *block)
{
    (void)opaque;
    tacit__free(block);
}

static z_stream gzip_stream(void)
{
    return (z_stream){.zalloc = gzip_alloc, .zfree = gzip_free};
}

static tacit_status damaged(const tacit__format_input *input, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, input->name, 0, 0,
                           "is damaged or cut off: it cannot be decompressed as gzip");
}

/* As much as is there, in pieces that int can count. */
static void feed(z_stream *stream, const char **at, const char *end)
{
    const size_t most = 1 << 30;
    size_t left = (size_t)(end - *at);
    if (stream->avail_in > 0)
        return;
    stream->next_in = (unsigned char *)(uintptr_t)*at;
    stream->avail_in = (unsigned)(left < most ? left : most);
    *at += stream->avail_in;
}

static tacit_status inflate_all(tacit__format_text *text, z_stream *stream, char *buffer,
                                const tacit__format_input *input, tacit_error *err)
{
    const char *at = input->bytes.bytes, *end = at + input->bytes.len;
    tacit_status status = TACIT_OK;
    bool whole = false; /* the last member ended */
    while (status == TACIT_OK) {
        feed(stream, &at, end);
        if ((whole && stream->avail_in == 0) || tacit__unpacked_enough(text, input))
            return TACIT_OK;
        if (whole && inflateReset(stream) != Z_OK)
            return damaged(input, err);
        stream->next_out = (unsigned char *)buffer;
        stream->avail_out = TACIT__UNPACKED;
        int result = inflate(stream, Z_NO_FLUSH);
        whole = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR)
            return tacit__nomem(err);
        if ((result != Z_OK && !whole) ||
            (!whole && at == end && stream->avail_in == 0 && stream->avail_out > 0))
            return damaged(input, err);
        tacit__format_bytes(text, buffer, TACIT__UNPACKED - stream->avail_out);
        if (text->csv.failed)
            return tacit__nomem(err);
        status = tacit__progress(input->run, "reading", at - input->bytes.bytes,
                                 (int64_t)input->bytes.len, err);
    }
    return status;
}

static tacit_status read_gzip(tacit__format_text *text, tacit_schema *schema,
                              const tacit__format_input *input, tacit_error *err)
{
    (void)schema;
    z_stream stream = gzip_stream();
    char *buffer = tacit__alloc(TACIT__UNPACKED);
    if (!buffer || inflateInit2(&stream, WINDOW + AS_GZIP) != Z_OK) {
        tacit__free(buffer);
        return tacit__nomem(err);
    }
    tacit_status status = inflate_all(text, &stream, buffer, input, err);
    inflateEnd(&stream);
    tacit__free(buffer);
    return status;
}

static tacit_status deflate_all(z_stream *stream, char *buffer,
                                const tacit__format_release *release, tacit_error *err)
{
    const char *at = release->table->bytes, *end = at + release->table->len;
    int64_t written = 0;
    int result = Z_OK;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && result == Z_OK) {
        feed(stream, &at, end);
        stream->next_out = (unsigned char *)buffer;
        stream->avail_out = TACIT__UNPACKED;
        result = deflate(stream, at == end ? Z_FINISH : Z_NO_FLUSH);
        size_t made = TACIT__UNPACKED - stream->avail_out;
        status = tacit__write_at(release->fd, release->name, buffer, made, written, err);
        written += (int64_t)made;
    }
    return status;
}

static tacit_status write_gzip(const tacit__format_release *release, tacit_error *err)
{
    z_stream stream = gzip_stream();
    char *buffer = tacit__alloc(TACIT__UNPACKED);
    if (!buffer || deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW + AS_GZIP, MEMORY,
                                Z_DEFAULT_STRATEGY) != Z_OK) {
        tacit__free(buffer);
        return tacit__nomem(err);
    }
    tacit_status status = deflate_all(&stream, buffer, release, err);
    deflateEnd(&stream);
    tacit__free(buffer);
    return status;
}

const tacit_format tacit__format_gzip = {.name = "gzip",
                                         .endings = ".csv.gz .tsv.gz .gz",
                                         .is = is_gzip,
                                         .read = read_gzip,
                                         .write = write_gzip,
                                         .wraps = true};
