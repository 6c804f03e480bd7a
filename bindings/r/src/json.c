/*
 * json.c - the JSON that the library writes, read into lists of R, and texts written as JSON lines.
 *
 * One pass over the text; what was read so far hangs on a pairlist that R protects. Objects in
 * arrays in objects may be nested 100 deep, more than any report is.
 */
#include "json.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 100 };

typedef struct reader {
    const char *at;
    int depth;
} reader;

static SEXP read_value(reader *r);

static void broken(void)
{
    Rf_error("this is no JSON that tacit has written");
}

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static void expect(reader *r, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(r->at, word, len) != 0)
        broken();
    r->at += len;
}

static unsigned hex4(reader *r)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char c = *r->at;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                : 16;
        if (digit == 16)
            broken();
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *out, unsigned c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

static char *read_escape(reader *r, char *out)
{
    static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
    const char *known = *r->at ? strchr(FROM, *r->at) : NULL;
    if (known) {
        r->at++;
        *out++ = TO[known - FROM];
        return out;
    }
    expect(r, "u");
    unsigned c = hex4(r);
    if (c >= 0xd800 && c < 0xdc00) {
        expect(r, "\\u");
        unsigned low = hex4(r);
        if (low < 0xdc00 || low > 0xdfff)
            broken();
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    return c == 0 ? out : put_utf8(out, c); /* R has no texts with zeros */
}

/* The text after its opening quote. What it becomes is never longer than what it is written as. */
static SEXP read_text(reader *r)
{
    expect(r, "\"");
    const char *end = r->at;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    char *bytes = R_alloc((size_t)(end - r->at) + 1, 1), *out = bytes;
    while (*r->at && *r->at != '"')
        if (*r->at == '\\') {
            r->at++;
            out = read_escape(r, out);
        } else {
            *out++ = *r->at++;
        }
    expect(r, "\"");
    return Rf_mkCharLenCE(bytes, (int)(out - bytes), CE_UTF8);
}

/* A vector of the type that all values have, or a list. */
static SEXP vector_of(SEXP values, R_xlen_t count)
{
    SEXPTYPE type = count > 0 ? (SEXPTYPE)TYPEOF(CAR(values)) : VECSXP;
    bool same = type == STRSXP || type == REALSXP || type == LGLSXP;
    for (SEXP rest = values; same && rest != R_NilValue; rest = CDR(rest))
        same = (SEXPTYPE)TYPEOF(CAR(rest)) == type && Rf_xlength(CAR(rest)) == 1;
    SEXP out = PROTECT(Rf_allocVector(same ? type : VECSXP, count));
    for (R_xlen_t i = count; i-- > 0; values = CDR(values)) /* the last comes first */
        if (!same)
            SET_VECTOR_ELT(out, i, CAR(values));
        else if (type == STRSXP)
            SET_STRING_ELT(out, i, STRING_ELT(CAR(values), 0));
        else if (type == REALSXP)
            REAL(out)[i] = REAL(CAR(values))[0];
        else
            LOGICAL(out)[i] = LOGICAL(CAR(values))[0];
    UNPROTECT(1);
    return out;
}

/* Of values that each come before their name. */
static SEXP list_of(SEXP values, R_xlen_t count)
{
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = count; i-- > 0; values = CDDR(values)) {
        SET_VECTOR_ELT(out, i, CAR(values));
        SET_STRING_ELT(names, i, CADR(values));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

/* An object ends with "}", an array with "]". */
static SEXP read_several(reader *r, char end)
{
    if (++r->depth > MAX_DEPTH)
        broken();
    PROTECT_INDEX index;
    SEXP values = R_NilValue;
    PROTECT_WITH_INDEX(values, &index);
    R_xlen_t count = 0;
    r->at++;
    skip_space(r);
    while (*r->at != end) {
        if (count > 0)
            expect(r, ",");
        skip_space(r);
        if (end == '}') {
            REPROTECT(values = Rf_cons(read_text(r), values), index);
            skip_space(r);
            expect(r, ":");
        }
        REPROTECT(values = Rf_cons(read_value(r), values), index);
        count++;
        skip_space(r);
    }
    r->at++;
    r->depth--;
    SEXP out = end == '}' ? list_of(values, count) : vector_of(values, count);
    UNPROTECT(1);
    return out;
}

static SEXP read_number(reader *r)
{
    char *end = NULL;
    double number = R_strtod(r->at, &end);
    if (end == r->at)
        broken();
    r->at = end;
    return Rf_ScalarReal(number);
}

static SEXP read_value(reader *r)
{
    skip_space(r);
    switch (*r->at) {
    case '{': return read_several(r, '}');
    case '[': return read_several(r, ']');
    case '"': {
        SEXP out = Rf_ScalarString(PROTECT(read_text(r)));
        UNPROTECT(1);
        return out;
    }
    case 't': expect(r, "true"); return Rf_ScalarLogical(1);
    case 'f': expect(r, "false"); return Rf_ScalarLogical(0);
    case 'n': expect(r, "null"); return R_NilValue;
    default: return read_number(r);
    }
}

SEXP json_read(const char *text)
{
    reader r = {.at = text};
    const void *top = vmaxget();
    SEXP out = PROTECT(read_value(&r));
    vmaxset(top);
    skip_space(&r);
    if (*r.at)
        broken();
    UNPROTECT(1);
    return out;
}

/* ---- lines ---- */

static size_t escaped_size(const char *text)
{
    size_t size = 0;
    for (; *text; text++)
        size += *text == '"' || *text == '\\' ? 2 : (unsigned char)*text < 0x20 ? 6 : 1;
    return size;
}

static uint8_t *put(uint8_t *out, const char *text)
{
    size_t len = strlen(text);
    memcpy(out, text, len);
    return out + len;
}

static uint8_t *put_escaped(uint8_t *out, const char *text)
{
    static const char HEX[] = "0123456789abcdef";
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20) {
            out = put(out, "\\u00");
            *out++ = (uint8_t)HEX[c >> 4];
            *out++ = (uint8_t)HEX[c & 15];
            continue;
        }
        if (c == '"' || c == '\\')
            *out++ = '\\';
        *out++ = c;
    }
    return out;
}

static const char *at(SEXP texts, R_xlen_t i)
{
    return CHAR(STRING_ELT(texts, i));
}

SEXP json_lines(SEXP texts, SEXP people)
{
    static const char WHOM[] = "{\"whom\":\"", THEN[] = "\",\"text\":\"", TEXT[] = "{\"text\":\"",
                      END[] = "\"}\n";
    bool whom = people != R_NilValue;
    size_t size = 0, around = strlen(END) + (whom ? strlen(WHOM) + strlen(THEN) : strlen(TEXT));
    for (R_xlen_t i = 0; i < Rf_xlength(texts); i++)
        size += around + escaped_size(at(texts, i)) + (whom ? escaped_size(at(people, i)) : 0);
    SEXP out = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
    uint8_t *to = RAW(out);
    for (R_xlen_t i = 0; i < Rf_xlength(texts); i++) {
        if (whom)
            to = put(put_escaped(put(to, WHOM), at(people, i)), THEN);
        else
            to = put(to, TEXT);
        to = put(put_escaped(to, at(texts, i)), END);
    }
    UNPROTECT(1);
    return out;
}
