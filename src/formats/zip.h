/*
 * zip.h - files that are archives of XML, such as workbooks: parts of an archive in memory, read as
 * XML; and archives that are written.
 */
#ifndef TACIT_SRC_FORMATS_ZIP_H
#define TACIT_SRC_FORMATS_ZIP_H

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include "formats/formats.h"

/* What is done with XML. Names come without the prefix of their namespace. A function that returns
 * another status than TACIT_OK ends the reading with it. */
typedef struct tacit__xml {
    tacit_status (*start)(void *context, const char *name, const char **attributes,
                          tacit_error *err);
    tacit_status (*end)(void *context, const char *name, tacit_error *err);
    /* NULL, or characters between, in as many pieces as they come. */
    tacit_status (*text)(void *context, const char *bytes, size_t len, tacit_error *err);
    void *context;
    bool enough; /* set by one of them: what follows is not read */
} tacit__xml;

/* The value of an attribute, whatever its prefix; NULL: there is none. */
const char *tacit__xml_attribute(const char **attributes, const char *name);

/* An archive that is read. */
typedef struct tacit__unzip {
    unzFile file;
    const tacit__format_input *input;
    size_t at;         /* of its bytes */
    uint64_t unpacked; /* bytes so far, of all parts */
} tacit__unzip;

tacit_status tacit__unzip_open(tacit__unzip *zip, const tacit__format_input *input,
                               tacit_error *err);
void tacit__unzip_close(tacit__unzip *zip);
bool tacit__unzip_has(tacit__unzip *zip, const char *part);
/* Reads a part. It is to be there. */
tacit_status tacit__unzip_parse(tacit__unzip *zip, const char *part, tacit__xml *xml,
                                tacit_error *err);
/* The error of an archive that is none, or whose parts are not what they have to be. */
tacit_status tacit__unzip_damaged(const tacit__unzip *zip, tacit_error *err);

/* An archive that is written. */
typedef struct tacit__zip {
    zipFile file;
    const tacit__format_release *release;
    int64_t at, end; /* of the file */
    tacit_status status;
    tacit_error *err;
} tacit__zip;

tacit_status tacit__zip_open(tacit__zip *zip, const tacit__format_release *release,
                             tacit_error *err);
/* A part, or the beginning of one that may become longer than four gigabytes; and what follows. */
tacit_status tacit__zip_begin(tacit__zip *zip, const char *part);
tacit_status tacit__zip_add(tacit__zip *zip, const char *bytes, size_t len);
tacit_status tacit__zip_end(tacit__zip *zip);
tacit_status tacit__zip_part(tacit__zip *zip, const char *part, const char *text);
/* Finishes the archive; whatever happened before, it is closed. */
tacit_status tacit__zip_close(tacit__zip *zip);

#endif
