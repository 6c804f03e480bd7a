/*
 * point.c - whether the decimals of a column follow a comma, as the judge reads it.
 *
 * 12,5 can be nothing but a decimal; 1,234 may be one or a thousand and more; 12.5 and 1,234,567
 * say that commas are not before decimals. A column with the first and without the last is read
 * with commas. The methods have code of their own for it (hierarchy/written.h). Linear in the
 * values.
 */
#include <math.h>

#include "audit/rows/rows.h"
#include "base/decimal.h"

typedef enum point_sign { SIGN_NONE, SIGN_COMMA, SIGN_POINT } point_sign;

enum { LONGEST_NUMBER = 64 };

static size_t count_byte(tacit_strview text, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.bytes[i] == byte;
    return count;
}

/* Whether it is a number once all of one mark, which stand among its digits, are left out. */
static bool is_number_without(tacit_strview text, char mark, char point)
{
    char left[LONGEST_NUMBER];
    size_t len = 0;
    if (text.len > sizeof left)
        return false;
    bool ended = false; /* by an exponent */
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        bool sign = c == '-' || c == '+';
        ended |= c == 'e' || c == 'E';
        if ((c == mark && ended) || (sign && i > 0 && text.bytes[i - 1] == mark))
            return false;
        if (c != mark)
            left[len++] = c;
    }
    return !isnan(tacit__decimal_read_as((tacit_strview){left, len}, point));
}

/* 1,234: a sign perhaps, one to three digits of which the first is not 0, a comma, three more. Of a
 * number with one comma, that is to say, the comma is the fourth byte from the end. */
static bool may_be_a_thousand(tacit_strview text)
{
    size_t sign = text.bytes[0] == '-' || text.bytes[0] == '+';
    size_t len = text.len - sign;
    if (len < 5 || len > 7 || text.bytes[text.len - 4] != ',' || text.bytes[sign] == '0')
        return false;
    for (size_t i = text.len - 3; i < text.len; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false; /* an exponent */
    return true;
}

static point_sign sign_of(tacit_strview text)
{
    size_t commas = count_byte(text, ','), points = count_byte(text, '.');
    if (commas == 0)
        return points == 1 && !isnan(tacit__decimal_read(text)) ? SIGN_POINT : SIGN_NONE;
    bool last = false; /* the last mark is a comma */
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] == ',' || text.bytes[i] == '.')
            last = text.bytes[i] == ',';
    if (commas > 1 || !last)
        return is_number_without(text, ',', '.') ? SIGN_POINT : SIGN_NONE;
    if (!is_number_without(text, '.', ','))
        return SIGN_NONE;
    return points == 0 && may_be_a_thousand(text) ? SIGN_NONE : SIGN_COMMA;
}

char tacit__rows_point_of(tacit_strview text)
{
    point_sign sign = text.len ? sign_of(text) : SIGN_NONE;
    return sign == SIGN_NONE ? '\0' : sign == SIGN_COMMA ? ',' : '.';
}

char tacit__rows_point(const tacit_table *table, int32_t column)
{
    bool comma = false;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        point_sign sign = sign_of(tacit_table_value(table, column, code));
        if (sign == SIGN_POINT)
            return '.';
        comma |= sign == SIGN_COMMA;
    }
    return comma ? ',' : '.';
}
