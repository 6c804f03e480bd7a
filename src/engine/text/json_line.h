/*
 * json_line.h - a line of JSON as it is written: where the fields of its object stand.
 */
#ifndef TACIT_ENGINE_TEXT_JSON_LINE_H
#define TACIT_ENGINE_TEXT_JSON_LINE_H

#include <tacit/base.h>

/* A field of the object. */
typedef struct engine_json_field {
    const char *name;
    tacit_strview value; /* as it is written; bytes NULL: the object has no such field */
} engine_json_field;

/* Checks that the line is one JSON object and finds the fields. TACIT_PARSE, and the column
 * in bytes from 1, where it is not, or has one of the fields twice. */
tacit_status engine_json_line(engine_json_field *fields, size_t count, tacit_strview line,
                              tacit_error *err);

/* Whether nothing is in the line. */
bool engine_is_blank(tacit_strview line);

#endif
