/*
 * signs.c - characters by tables and ranges: ASCII by a switch, from which readers make a table;
 * of other scripts the letters that have capitals, and punctuation as people type it.
 */
#include "text/read/signs.h"

#include "base/ascii.h"
#include "base/utf8.h"

static unsigned ascii_gap(unsigned char byte)
{
    switch (byte) {
    case ' ':
    case '\t':
    case '\f':
    case '\v':
    case '\r': return TACIT__GAP_SPACE;
    case '\n': return TACIT__GAP_LINE;
    case ',': return TACIT__GAP_COMMA;
    case '.': return TACIT__GAP_STOP;
    case '!':
    case '?': return TACIT__GAP_END;
    case ':':
    case ';': return TACIT__GAP_COLON;
    case '\'':
    case '`':
    case '"': return TACIT__GAP_QUOTE;
    case '-': return TACIT__GAP_HYPHEN;
    case '/':
    case '\\': return TACIT__GAP_SLASH;
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '<':
    case '>': return TACIT__GAP_BRACKET;
    case '@':
    case '#': return TACIT__GAP_AT;
    default: return TACIT__GAP_OTHER;
    }
}

unsigned tacit__sign_ascii(unsigned char byte)
{
    if (tacit__is_lower(byte))
        return TACIT__SIGN_LOWER;
    if (tacit__is_upper(byte))
        return TACIT__SIGN_UPPER;
    if (tacit__is_digit(byte))
        return TACIT__SIGN_DIGIT;
    return ascii_gap(byte);
}

/* Letters of Latin come in pairs, the capital first, on even or on odd places. */
static bool is_capital(uint32_t point)
{
    if (point < 0x100)
        return point <= 0xDE;
    if ((point >= 0x139 && point <= 0x148) || (point >= 0x178 && point <= 0x17E))
        return point & 1 || point == 0x178;
    if (point < 0x250 || (point >= 0x1E00 && point < 0x1F00))
        return !(point & 1);
    return (point >= 0x386 && point <= 0x3AB) || (point >= 0x400 && point <= 0x42F);
}

static bool is_symbol(uint32_t point)
{
    return point == 0xD7 || point == 0xF7 ||
           (point < 0xC0 && point != 0xAA && point != 0xB5 && point != 0xBA) ||
           (point >= 0x2000 && point < 0x2C00) || (point >= 0x3000 && point < 0x3040) ||
           (point >= 0xFE00 && point < 0xFE10) || (point >= 0xFF00 && point < 0xFF10) ||
           (point >= 0xE000 && point < 0xF900) || point >= 0x1F000 || point == 0xFEFF;
}

static unsigned symbol_gap(uint32_t point)
{
    switch (point) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB: return TACIT__GAP_QUOTE;
    case 0xA0:
    case 0x2009:
    case 0x202F:
    case 0x3000:
    case 0xFEFF: return TACIT__GAP_SPACE;
    case 0x2028:
    case 0x2029:
    case 0x85: return TACIT__GAP_LINE;
    case 0x2026:
    case 0x3002: return TACIT__GAP_END;
    default: break;
    }
    if (point >= 0x2010 && point <= 0x2015)
        return TACIT__GAP_HYPHEN;
    return TACIT__GAP_OTHER;
}

unsigned tacit__sign_foreign(tacit_strview text, size_t *len)
{
    uint32_t point;
    bool valid;
    *len = tacit__utf8_next(&point, &valid, text);
    if (!valid)
        point = (unsigned char)text.bytes[0];
    if (is_symbol(point))
        return symbol_gap(point);
    return is_capital(point) ? TACIT__SIGN_UPPER : TACIT__SIGN_LOWER;
}
