/*
 * json_line.c - goes through one line of JSON without building anything, so that all of it
 * but the text that is scrubbed can be copied byte for byte: numbers of any length, the order
 * of fields, blanks, escapes. Linear; nesting is bounded, and kept as a bit a level.
 *
 * A field that is there twice is refused: readers differ in which of the two counts, and the
 * one that was not scrubbed would be released.
 */
#include "engine/text/json_line.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/text/wrapping.h"

enum { MOST_DEPTH = 512 };

typedef struct scanner {
    const char *start, *at, *end;
    tacit_error *err;
} scanner;

static tacit_status complain(const scanner *s, const char *at, const char *message)
{
    return tacit__error_at(s->err, TACIT_PARSE, NULL, 0, at - s->start + 1, "%s", message);
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
        s->at++;
}

static bool at_byte(scanner *s, char wanted)
{
    skip_blanks(s);
    return s->at < s->end && *s->at == wanted;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static tacit_status skip_escape(scanner *s)
{
    const char *start = s->at++;
    if (s->at == s->end || !memchr("\"\\/bfnrtu", *s->at, 9))
        return complain(s, start, "an escape that JSON does not have");
    if (*s->at++ != 'u')
        return TACIT_OK;
    for (int i = 0; i < 4; i++, s->at++)
        if (s->at == s->end || !is_hex(*s->at))
            return complain(s, start, "an escape that is not \\u and four hexadecimal digits");
    return TACIT_OK;
}

/* A string with its quotes. */
static tacit_status skip_string(scanner *s)
{
    const char *start = s->at++;
    while ((s->at += engine_json_plain(s->at, (size_t)(s->end - s->at))) < s->end &&
           *s->at != '"') {
        if ((unsigned char)*s->at < 0x20)
            return complain(s, s->at, "a control character within a string; JSON escapes them");
        if (*s->at != '\\') {
            s->at++;
            continue;
        }
        tacit_status status = skip_escape(s);
        if (status != TACIT_OK)
            return status;
    }
    if (s->at == s->end)
        return complain(s, start, "a string that is never closed");
    s->at++;
    return TACIT_OK;
}

static bool skip_digits(scanner *s)
{
    const char *start = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > start;
}

static bool skip_one_of(scanner *s, const char *bytes)
{
    bool there = s->at < s->end && *s->at && strchr(bytes, *s->at);
    s->at += there;
    return there;
}

static bool skip_number(scanner *s)
{
    skip_one_of(s, "-");
    bool zero = s->at < s->end && *s->at == '0';
    s->at += zero;
    if (!zero && !skip_digits(s))
        return false;
    if (skip_one_of(s, ".") && !skip_digits(s))
        return false;
    if (!skip_one_of(s, "eE"))
        return true;
    skip_one_of(s, "+-");
    return skip_digits(s);
}

/* A string, a number, true, false or null. */
static tacit_status skip_scalar(scanner *s)
{
    static const char *const WORDS[] = {"true", "false", "null"};
    const char *start = s->at;
    if (s->at < s->end && *s->at == '"')
        return skip_string(s);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t len = strlen(WORDS[i]);
        if ((size_t)(s->end - s->at) >= len && memcmp(s->at, WORDS[i], len) == 0) {
            s->at += len;
            return TACIT_OK;
        }
    }
    return skip_number(s) ? TACIT_OK : complain(s, start, "this is not JSON");
}

/* The name of a field and its colon; *name is what is between the quotes. */
static tacit_status skip_name(scanner *s, tacit_strview *name)
{
    if (!at_byte(s, '"'))
        return complain(s, s->at, "the name of a field, in quotes, is expected here");
    const char *start = s->at + 1;
    tacit_status status = skip_string(s);
    if (status != TACIT_OK)
        return status;
    *name = (tacit_strview){start, (size_t)(s->at - start) - 1};
    if (!at_byte(s, ':'))
        return complain(s, s->at, "a colon is expected here");
    s->at++;
    skip_blanks(s);
    return TACIT_OK;
}

/* What is open: a bit a level, set for objects. */
typedef struct nest {
    uint64_t objects[MOST_DEPTH / 64];
    int depth;
} nest;

static bool in_object(const nest *n)
{
    int level = n->depth - 1;
    return n->objects[level / 64] >> level % 64 & 1;
}

/* Goes into an object or a list, up to its first value; an empty one is over already. */
static tacit_status open_one(scanner *s, nest *n, bool *over)
{
    bool object = *s->at == '{';
    tacit_strview name;
    if (n->depth == MOST_DEPTH)
        return complain(s, s->at, "nested too deeply; at most 512 levels are read");
    uint64_t bit = UINT64_C(1) << n->depth % 64;
    uint64_t *word = &n->objects[n->depth++ / 64];
    *word = object ? *word | bit : *word & ~bit;
    s->at++;
    *over = at_byte(s, object ? '}' : ']');
    return object && !*over ? skip_name(s, &name) : TACIT_OK;
}

/* After a value: closes what ends here, up to the next value or the end of all. */
static tacit_status go_on(scanner *s, nest *n)
{
    tacit_strview name;
    while (n->depth > 0) {
        skip_blanks(s);
        if (at_byte(s, ',')) {
            s->at++;
            skip_blanks(s);
            return in_object(n) ? skip_name(s, &name) : TACIT_OK;
        }
        if (!at_byte(s, in_object(n) ? '}' : ']'))
            return complain(s, s->at, "a comma or a closing bracket is expected here");
        s->at++;
        n->depth--;
    }
    return TACIT_OK;
}

static tacit_status skip_value(scanner *s)
{
    nest n = {.depth = 0};
    tacit_status status = TACIT_OK;
    do {
        bool over = true;
        skip_blanks(s);
        if (s->at < s->end && (*s->at == '{' || *s->at == '['))
            status = open_one(s, &n, &over);
        else
            status = skip_scalar(s);
        if (status == TACIT_OK && over)
            status = go_on(s, &n);
    } while (status == TACIT_OK && n.depth > 0);
    return status;
}

/* Whether a name is the one that is written here, escapes and all. */
static tacit_status same_name(bool *same, const scanner *s, tacit_strview written, const char *name)
{
    engine_text buffer = {0};
    tacit_strview says = engine_unwrap(&buffer, &engine_json_string, written);
    tacit_status status = engine_text_check(&buffer, s->err);
    *same = status == TACIT_OK && tacit_strview_equal(says, tacit_strview_of(name));
    engine_text_clear(&buffer);
    return status;
}

/* Keeps the value if its field is asked for. */
static tacit_status note_field(const scanner *s, engine_json_field *fields, size_t count,
                               tacit_strview name, const char *value)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        bool same = false;
        status = same_name(&same, s, name, fields[i].name);
        if (same && fields[i].value.bytes)
            status = complain(s, value, "the object has this field twice; which one counts?");
        else if (same)
            fields[i].value = (tacit_strview){value, (size_t)(s->at - value)};
    }
    return status;
}

static tacit_status read_field(scanner *s, engine_json_field *fields, size_t count)
{
    tacit_strview name;
    tacit_status status = skip_name(s, &name);
    const char *value = s->at;
    if (status == TACIT_OK)
        status = skip_value(s);
    return status == TACIT_OK ? note_field(s, fields, count, name, value) : status;
}

tacit_status engine_json_line(engine_json_field *fields, size_t count, tacit_strview line,
                              tacit_error *err)
{
    scanner s = {line.bytes, line.bytes, line.bytes + line.len, err};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count; i++)
        fields[i].value = (tacit_strview){NULL, 0};
    if (!at_byte(&s, '{'))
        return complain(&s, s.at, "this is not JSON lines: an object, {...}, is expected here");
    s.at++;
    if (!at_byte(&s, '}')) {
        status = read_field(&s, fields, count);
        while (status == TACIT_OK && at_byte(&s, ',')) {
            s.at++;
            status = read_field(&s, fields, count);
        }
    }
    if (status == TACIT_OK && !at_byte(&s, '}'))
        status = complain(&s, s.at, "a comma or a closing bracket is expected here");
    if (status != TACIT_OK)
        return status;
    s.at++;
    skip_blanks(&s);
    return s.at == s.end ? TACIT_OK
                         : complain(&s, s.at,
                                    "something follows the object; JSON lines have one "
                                    "object a line");
}
