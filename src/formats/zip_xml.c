/*
 * zip_xml.c - parts of an archive as XML, by expat, a piece at a time.
 *
 * What a hostile file could do is bounded: how much it unpacks to (packed.h), how deep elements
 * stand in each other, how long a tag is. There are no document types in such files, so there are
 * no entities either.
 */
#include <expat.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "formats/packed.h"
#include "formats/zip.h"

enum { MAX_DEPTH = 64, MAX_TAG = 1 << 20, PIECE = 1 << 16 };

typedef struct xml_reading {
    XML_Parser parser;
    tacit__xml *xml;
    int depth;
    tacit_status status;
    tacit_error *err;
    bool hostile; /* beyond what such files have */
} xml_reading;

static void *resize_block(void *block, size_t size)
{
    return tacit__resize_array(block, size, 1);
}

static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

const char *tacit__xml_attribute(const char **attributes, const char *name)
{
    for (size_t i = 0; attributes[i]; i += 2)
        if (strcmp(local_name(attributes[i]), name) == 0)
            return attributes[i + 1];
    return NULL;
}

static void stop_unless(xml_reading *reading, bool on)
{
    if (!on)
        XML_StopParser(reading->parser, XML_FALSE);
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
    xml_reading *reading = context;
    if (reading->status != TACIT_OK || reading->hostile || reading->xml->enough)
        return;
    reading->hostile = ++reading->depth > MAX_DEPTH;
    if (!reading->hostile)
        reading->status =
            reading->xml->start(reading->xml->context, local_name(name), attributes, reading->err);
    stop_unless(reading, !reading->hostile && reading->status == TACIT_OK && !reading->xml->enough);
}

static void XMLCALL on_end(void *context, const char *name)
{
    xml_reading *reading = context;
    if (reading->status != TACIT_OK || reading->hostile || reading->xml->enough)
        return;
    reading->depth--;
    reading->status = reading->xml->end(reading->xml->context, local_name(name), reading->err);
    stop_unless(reading, reading->status == TACIT_OK && !reading->xml->enough);
}

static void XMLCALL on_text(void *context, const char *bytes, int len)
{
    xml_reading *reading = context;
    if (reading->status != TACIT_OK || reading->hostile || reading->xml->enough)
        return;
    reading->status = reading->xml->text(reading->xml->context, bytes, (size_t)len, reading->err);
    stop_unless(reading, reading->status == TACIT_OK);
}

static void XMLCALL on_document_type(void *context, const char *name, const char *system,
                                     const char *public, int internal)
{
    xml_reading *reading = context;
    (void)name, (void)system, (void)public, (void)internal;
    reading->hostile = true;
    XML_StopParser(reading->parser, XML_FALSE);
}

static bool open_parser(xml_reading *reading)
{
    static const XML_Memory_Handling_Suite memory = {tacit__alloc, resize_block, tacit__free};
    reading->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!reading->parser)
        return false;
    XML_SetUserData(reading->parser, reading);
    XML_SetElementHandler(reading->parser, on_start, on_end);
    if (reading->xml->text)
        XML_SetCharacterDataHandler(reading->parser, on_text);
    XML_SetStartDoctypeDeclHandler(reading->parser, on_document_type);
    return true;
}

static tacit_status damaged_xml(const tacit__unzip *zip, const char *part, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, zip->input->name, 0, 0,
                           "is damaged or cut off: its part %s is not what a workbook has there",
                           tacit__show(tacit_strview_of(part)).text);
}

/* A tag that goes on and on would be looked at again with each piece. */
static bool lags(const xml_reading *reading, uint64_t fed)
{
    XML_Index at = XML_GetCurrentByteIndex(reading->parser);
    return at >= 0 && fed > (uint64_t)at && fed - (uint64_t)at > MAX_TAG + PIECE;
}

static tacit_status parse_piece(xml_reading *reading, const tacit__unzip *zip, const char *part,
                                const char *piece, int len, uint64_t fed)
{
    enum XML_Status parsed = XML_Parse(reading->parser, piece, len, len == 0);
    if (reading->status != TACIT_OK || reading->xml->enough)
        return reading->status;
    if (parsed == XML_STATUS_OK && !reading->hostile && !lags(reading, fed))
        return TACIT_OK;
    return XML_GetErrorCode(reading->parser) == XML_ERROR_NO_MEMORY
               ? tacit__nomem(reading->err)
               : damaged_xml(zip, part, reading->err);
}

static tacit_status parse_part(xml_reading *reading, tacit__unzip *zip, const char *part)
{
    char piece[PIECE];
    uint64_t fed = 0;
    int len = 0;
    do {
        len = unzReadCurrentFile(zip->file, piece, sizeof piece);
        if (len < 0)
            return damaged_xml(zip, part, reading->err);
        zip->unpacked += (uint64_t)len;
        fed += (uint64_t)len;
        tacit_status status = zip->unpacked > tacit__unpacked_most(zip->input)
                                  ? tacit__too_long(zip->input, reading->err)
                                  : TACIT_OK;
        if (status == TACIT_OK)
            status = parse_piece(reading, zip, part, piece, len, fed);
        if (status == TACIT_OK)
            status = tacit__progress(zip->input->run, "reading", (int64_t)zip->at,
                                     (int64_t)zip->input->bytes.len, reading->err);
        if (status != TACIT_OK)
            return status;
    } while (len > 0 && !reading->xml->enough);
    return TACIT_OK;
}

tacit_status tacit__unzip_parse(tacit__unzip *zip, const char *part, tacit__xml *xml,
                                tacit_error *err)
{
    xml_reading reading = {.xml = xml, .err = err};
    xml->enough = false;
    if (!tacit__unzip_has(zip, part) || unzOpenCurrentFile(zip->file) != UNZ_OK)
        return damaged_xml(zip, part, err);
    tacit_status status =
        open_parser(&reading) ? parse_part(&reading, zip, part) : tacit__nomem(err);
    if (reading.parser)
        XML_ParserFree(reading.parser);
    bool whole = unzCloseCurrentFile(zip->file) == UNZ_OK; /* its checksum is right */
    return status == TACIT_OK && !whole && !xml->enough ? damaged_xml(zip, part, err) : status;
}
