/*
 * zip.c - archives by minizip and zlib, over functions of ours: they read from memory and never
 * beyond it, and write at a place of an open file. The time of each part is the same, so that the
 * same release has the same bytes.
 */
#include "formats/zip.h"

#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

static bool move_to(ZPOS64_T *at, ZPOS64_T end, ZPOS64_T offset, int origin)
{
    ZPOS64_T from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                    : origin == ZLIB_FILEFUNC_SEEK_CUR ? *at
                                                       : end;
    if (offset > end - from)
        return false;
    *at = from + offset;
    return true;
}

static int close_none(voidpf opaque, voidpf stream)
{
    (void)opaque, (void)stream;
    return 0;
}

static int no_error(voidpf opaque, voidpf stream)
{
    (void)opaque, (void)stream;
    return 0;
}

/* ---- reading ---- */

static voidpf open_memory(voidpf opaque, const void *name, int mode)
{
    (void)name, (void)mode;
    return opaque;
}

static uLong read_memory(voidpf opaque, voidpf stream, void *buffer, uLong size)
{
    tacit__unzip *zip = opaque;
    (void)stream;
    size_t left = zip->input->bytes.len - zip->at, len = size < left ? size : left;
    if (len > 0)
        memcpy(buffer, zip->input->bytes.bytes + zip->at, len);
    zip->at += len;
    return (uLong)len;
}

static uLong write_memory(voidpf opaque, voidpf stream, const void *buffer, uLong size)
{
    (void)opaque, (void)stream, (void)buffer, (void)size;
    return 0;
}

static ZPOS64_T tell_memory(voidpf opaque, voidpf stream)
{
    (void)stream;
    return ((tacit__unzip *)opaque)->at;
}

static long seek_memory(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
    tacit__unzip *zip = opaque;
    ZPOS64_T at = zip->at;
    (void)stream;
    if (!move_to(&at, zip->input->bytes.len, offset, origin))
        return -1;
    zip->at = (size_t)at;
    return 0;
}

tacit_status tacit__unzip_damaged(const tacit__unzip *zip, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, zip->input->name, 0, 0,
                           "is damaged or cut off: it is no archive of a workbook");
}

tacit_status tacit__unzip_open(tacit__unzip *zip, const tacit__format_input *input,
                               tacit_error *err)
{
    zlib_filefunc64_def functions = {.zopen64_file = open_memory,
                                     .zread_file = read_memory,
                                     .zwrite_file = write_memory,
                                     .ztell64_file = tell_memory,
                                     .zseek64_file = seek_memory,
                                     .zclose_file = close_none,
                                     .zerror_file = no_error,
                                     .opaque = zip};
    *zip = (tacit__unzip){.input = input};
    zip->file = unzOpen2_64("", &functions);
    return zip->file ? TACIT_OK : tacit__unzip_damaged(zip, err);
}

void tacit__unzip_close(tacit__unzip *zip)
{
    if (zip->file)
        unzClose(zip->file);
    zip->file = NULL;
}

bool tacit__unzip_has(tacit__unzip *zip, const char *part)
{
    enum { IGNORING_CASE = 2 };
    return unzLocateFile(zip->file, part, IGNORING_CASE) == UNZ_OK;
}

/* ---- writing ---- */

static voidpf open_release(voidpf opaque, const void *name, int mode)
{
    (void)name, (void)mode;
    return opaque;
}

static uLong read_release(voidpf opaque, voidpf stream, void *buffer, uLong size)
{
    (void)opaque, (void)stream, (void)buffer, (void)size;
    return 0;
}

static uLong write_release(voidpf opaque, voidpf stream, const void *buffer, uLong size)
{
    tacit__zip *zip = opaque;
    (void)stream;
    if (zip->status == TACIT_OK)
        zip->status =
            tacit__write_at(zip->release->fd, zip->release->name, buffer, size, zip->at, zip->err);
    if (zip->status != TACIT_OK)
        return 0;
    zip->at += (int64_t)size;
    zip->end = zip->at > zip->end ? zip->at : zip->end;
    return size;
}

static ZPOS64_T tell_release(voidpf opaque, voidpf stream)
{
    (void)stream;
    return (ZPOS64_T)((tacit__zip *)opaque)->at;
}

static long seek_release(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
    tacit__zip *zip = opaque;
    ZPOS64_T at = (ZPOS64_T)zip->at;
    (void)stream;
    if (!move_to(&at, (ZPOS64_T)zip->end, offset, origin))
        return -1;
    zip->at = (int64_t)at;
    return 0;
}

tacit_status tacit__zip_open(tacit__zip *zip, const tacit__format_release *release,
                             tacit_error *err)
{
    zlib_filefunc64_def functions = {.zopen64_file = open_release,
                                     .zread_file = read_release,
                                     .zwrite_file = write_release,
                                     .ztell64_file = tell_release,
                                     .zseek64_file = seek_release,
                                     .zclose_file = close_none,
                                     .zerror_file = no_error,
                                     .opaque = zip};
    *zip = (tacit__zip){.release = release, .err = err};
    zip->file = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
    return zip->file ? TACIT_OK : tacit__nomem(err);
}

/* minizip fails because we could not write, which has been said, or for want of memory. */
static tacit_status zipped(tacit__zip *zip, int result)
{
    if (result != ZIP_OK && zip->status == TACIT_OK)
        zip->status = tacit__nomem(zip->err);
    return zip->status;
}

tacit_status tacit__zip_begin(tacit__zip *zip, const char *part)
{
    enum { LARGE = 1, JANUARY = 0, SINCE = 1980 };
    const zip_fileinfo made = {.tmz_date = {.tm_mday = 1, .tm_mon = JANUARY, .tm_year = SINCE}};
    return zipped(zip, zipOpenNewFileInZip64(zip->file, part, &made, NULL, 0, NULL, 0, NULL,
                                             Z_DEFLATED, Z_DEFAULT_COMPRESSION, LARGE));
}

tacit_status tacit__zip_add(tacit__zip *zip, const char *bytes, size_t len)
{
    return zipped(zip, zipWriteInFileInZip(zip->file, bytes, (unsigned)len));
}

tacit_status tacit__zip_end(tacit__zip *zip)
{
    return zipped(zip, zipCloseFileInZip(zip->file));
}

tacit_status tacit__zip_part(tacit__zip *zip, const char *part, const char *text)
{
    tacit_status status = tacit__zip_begin(zip, part);
    if (status == TACIT_OK)
        status = tacit__zip_add(zip, text, strlen(text));
    return status == TACIT_OK ? tacit__zip_end(zip) : status;
}

tacit_status tacit__zip_close(tacit__zip *zip)
{
    return zip->file ? zipped(zip, zipClose(zip->file, NULL)) : zip->status;
}
