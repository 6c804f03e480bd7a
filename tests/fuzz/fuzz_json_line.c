/*
 * fuzz_json_line.c - any bytes as a line of JSON lines, beside another reader of JSON. What that
 * one takes for an object is accepted here, unless it nests too deeply or has a field twice, and a
 * field is where it says; the value that was cut out is what the other one reads.
 */
#include <jansson.h>

#include "../support/fuzz_require.h"

#include "engine/text/json_line.h"

enum { FIELDS = 2 };

static void compare(const engine_json_field *field, const json_t *object)
{
    const json_t *expected = json_object_get(object, field->name);
    require((expected != NULL) == (field->value.bytes != NULL), "another field");
    if (!expected)
        return;
    json_t *found = json_loadb(field->value.bytes, field->value.len,
                               JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    require(found && json_equal(found, expected), "another value");
    json_decref(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    engine_json_field fields[FIELDS] = {{"text", {0}}, {"a", {0}}};
    tacit_error err = {0};
    tacit_strview line = {(const char *)data, size};
    tacit_status status = engine_json_line(fields, FIELDS, line, &err);
    require_reason(status, &err);
    json_t *object =
        json_loadb(line.bytes, line.len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    bool zero = size > 0 && memchr(data, 0, size); /* which jansson passes over behind a number */
    if (object && json_is_object(object) && !zero) {
        require(status == TACIT_OK || strstr(err.message, "nested"), "JSON is refused");
        for (int i = 0; status == TACIT_OK && i < FIELDS; i++)
            compare(&fields[i], object);
    }
    json_decref(object);
    for (int i = 0; status == TACIT_OK && i < FIELDS; i++)
        require(!fields[i].value.bytes ||
                    (fields[i].value.bytes >= line.bytes &&
                     fields[i].value.bytes + fields[i].value.len <= line.bytes + line.len),
                "a value outside its line");
    return 0;
}
