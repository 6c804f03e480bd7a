/*
 * arrow.c - what Arrow's format strings say, and the cells of its columns.
 *
 * The program that hands over an array shares its memory with this one, so its pointers are
 * trusted. What follows from its data (offsets, numbers of dictionary entries, lengths) is not.
 */
#include "formats/arrow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static const int64_t NANOS_A_SECOND = INT64_C(1000000000);

static const struct {
    char letter;
    tacit__arrow_kind kind;
    int bytes;
} LETTERS[] = {
    {'n', TACIT__ARROW_NULL, 0},   {'b', TACIT__ARROW_BOOLEAN, 0},
    {'c', TACIT__ARROW_SIGNED, 1}, {'C', TACIT__ARROW_UNSIGNED, 1},
    {'s', TACIT__ARROW_SIGNED, 2}, {'S', TACIT__ARROW_UNSIGNED, 2},
    {'i', TACIT__ARROW_SIGNED, 4}, {'I', TACIT__ARROW_UNSIGNED, 4},
    {'l', TACIT__ARROW_SIGNED, 8}, {'L', TACIT__ARROW_UNSIGNED, 8},
    {'f', TACIT__ARROW_REAL, 4},   {'g', TACIT__ARROW_REAL, 8},
    {'u', TACIT__ARROW_TEXT, 4},   {'U', TACIT__ARROW_TEXT, 8},
};

static int64_t unit_of(char letter)
{
    switch (letter) {
    case 's': return 1;
    case 'm': return 1000;
    case 'u': return 1000000;
    case 'n': return NANOS_A_SECOND;
    default: return 0;
    }
}

/* "d:19,2" or, of 128 bits all the same, "d:19,2,128". */
static bool decimal_type(tacit__arrow_type *type, const char *format)
{
    int precision = 0, scale = 0, bits = 128, end = 0;
    if (sscanf(format, "d:%3d,%4d%n", &precision, &scale, &end) != 2)
        return false;
    if (format[end])
        bits = strcmp(format + end, ",128") == 0 ? 128 : 0;
    *type = (tacit__arrow_type){.kind = TACIT__ARROW_DECIMAL, .bytes = 16, .scale = scale};
    return bits == 128 && precision > 0 && precision <= 38 && scale >= 0 && scale <= 38;
}

/* "tdD", "ttu", "tsn:Europe/Paris", "tDs". */
static bool time_type(tacit__arrow_type *type, const char *format)
{
    int64_t unit = format[1] ? unit_of(format[2]) : 0;
    switch (format[1]) {
    case 'd':
        if (strcmp(format, "tdD") != 0 && strcmp(format, "tdm") != 0)
            return false;
        *type = format[2] == 'D' ? (tacit__arrow_type){TACIT__ARROW_DATE, 4, 0, 1, false}
                                 : (tacit__arrow_type){TACIT__ARROW_DATE, 8, 0, 86400000, false};
        return true;
    case 't':
        *type = (tacit__arrow_type){TACIT__ARROW_TIME, unit <= 1000 ? 4 : 8, 0, unit, false};
        return unit > 0 && !format[3];
    case 's':
        *type = (tacit__arrow_type){TACIT__ARROW_MOMENT, 8, 0, unit, false};
        if (unit == 0 || format[3] != ':')
            return false;
        type->utc = format[4] != '\0';
        return true;
    case 'D':
        *type = (tacit__arrow_type){.kind = TACIT__ARROW_SIGNED, .bytes = 8};
        return unit > 0 && !format[3];
    default: return false;
    }
}

bool tacit__arrow_type_of(tacit__arrow_type *type, const char *format)
{
    if (format[0] == 't')
        return time_type(type, format);
    if (format[0] == 'd')
        return decimal_type(type, format);
    if (strcmp(format, "vu") == 0) {
        *type = (tacit__arrow_type){.kind = TACIT__ARROW_TEXT_VIEW, .bytes = 16};
        return true;
    }
    for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS && format[0]; i++)
        if (LETTERS[i].letter == format[0] && !format[1]) {
            *type = (tacit__arrow_type){.kind = LETTERS[i].kind, .bytes = LETTERS[i].bytes};
            return true;
        }
    return false;
}

tacit__type tacit__arrow_type_name(const tacit__arrow_type *type)
{
    switch (type->kind) {
    case TACIT__ARROW_BOOLEAN: return TACIT__TYPE_BOOLEAN;
    case TACIT__ARROW_SIGNED:
    case TACIT__ARROW_UNSIGNED: return TACIT__TYPE_INTEGER;
    case TACIT__ARROW_REAL: return TACIT__TYPE_REAL;
    case TACIT__ARROW_DECIMAL: return TACIT__TYPE_DECIMAL;
    case TACIT__ARROW_DATE: return TACIT__TYPE_DATE;
    case TACIT__ARROW_TIME: return TACIT__TYPE_TIME;
    case TACIT__ARROW_MOMENT: return TACIT__TYPE_MOMENT;
    case TACIT__ARROW_NULL:
    case TACIT__ARROW_TEXT:
    case TACIT__ARROW_TEXT_VIEW: break;
    }
    return TACIT__TYPE_TEXT;
}

/* ---- columns ---- */

static int64_t buffers_of(const tacit__arrow_type *type)
{
    switch (type->kind) {
    case TACIT__ARROW_NULL: return 0;
    case TACIT__ARROW_TEXT:
    case TACIT__ARROW_TEXT_VIEW: return 3; /* of views at least, their lengths come last */
    default: return 2;
    }
}

bool tacit__arrow_view_of(tacit__arrow_view *view, const tacit__arrow_type *type,
                          const struct ArrowArray *array, int64_t offset,
                          const tacit__arrow_view *dictionary)
{
    int64_t needed = buffers_of(type);
    *view = (tacit__arrow_view){*type, array, 0, dictionary};
    if (array->length < 0 || array->offset < 0 ||
        __builtin_add_overflow(array->offset, offset, &view->offset) ||
        (array->dictionary != NULL) != (dictionary != NULL))
        return false;
    if (type->kind == TACIT__ARROW_TEXT_VIEW ? array->n_buffers < needed
                                             : array->n_buffers != needed)
        return false;
    return needed == 0 || array->length == 0 || array->buffers[1];
}

static bool is_null(const tacit__arrow_view *view, int64_t at)
{
    const uint8_t *valid = view->type.kind == TACIT__ARROW_NULL ? NULL : view->array->buffers[0];
    if (view->type.kind == TACIT__ARROW_NULL)
        return true;
    return valid && view->array->null_count != 0 && !(valid[at / 8] >> (at % 8) & 1);
}

/* A whole number of a column, whatever its width; of an unsigned one of 64 bits, its bits. */
static int64_t whole_at(const tacit__arrow_view *view, int64_t at)
{
    const void *data = view->array->buffers[1];
    if (view->type.bytes == 8)
        return ((const int64_t *)data)[at];
    if (view->type.kind == TACIT__ARROW_UNSIGNED)
        return view->type.bytes == 1   ? ((const uint8_t *)data)[at]
               : view->type.bytes == 2 ? ((const uint16_t *)data)[at]
                                       : (int64_t)((const uint32_t *)data)[at];
    return view->type.bytes == 1   ? ((const int8_t *)data)[at]
           : view->type.bytes == 2 ? ((const int16_t *)data)[at]
                                   : ((const int32_t *)data)[at];
}

/* Text at a place of a buffer whose length only the offsets say. */
static void text_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    const void *offsets = view->array->buffers[1];
    bool large = view->type.bytes == 8;
    int64_t from = large ? ((const int64_t *)offsets)[at] : ((const int32_t *)offsets)[at];
    int64_t to = large ? ((const int64_t *)offsets)[at + 1] : ((const int32_t *)offsets)[at + 1];
    const char *bytes = view->array->buffers[2];
    cell->damaged = from < 0 || to < from || (to > from && !bytes);
    if (!cell->damaged && to > from)
        cell->text = (tacit_strview){bytes + from, (size_t)(to - from)};
}

static void text_view_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    enum { INLINE = 12 };
    const char *entry = (const char *)view->array->buffers[1] + at * 16;
    int32_t len = 0, buffer = 0, from = 0;
    memcpy(&len, entry, sizeof len);
    memcpy(&buffer, entry + 8, sizeof buffer);
    memcpy(&from, entry + 12, sizeof from);
    if (len >= 0 && len <= INLINE) {
        cell->text = (tacit_strview){entry + 4, (size_t)len};
        return;
    }
    int64_t count = view->array->n_buffers - 3;
    const int64_t *lengths = view->array->buffers[count + 2];
    cell->damaged = len < 0 || buffer < 0 || buffer >= count || from < 0 ||
                    from > lengths[buffer] || len > lengths[buffer] - from;
    if (!cell->damaged)
        cell->text =
            (tacit_strview){(const char *)view->array->buffers[2 + buffer] + from, (size_t)len};
}

/* NaN is no number; programs that have nothing else write it for what is missing. */
static void real_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    const void *data = view->array->buffers[1];
    double value =
        view->type.bytes == 4 ? (double)((const float *)data)[at] : ((const double *)data)[at];
    cell->null = isnan(value);
    if (!isfinite(value))
        cell->text = tacit_strview_of(cell->null ? "" : value > 0 ? "inf" : "-inf");
    else
        cell->made = tacit__real_text(
            view->type.bytes == 4 ? tacit__single_of(((const float *)data)[at]) : value);
}

static tacit__value_text unsigned_text(uint64_t value)
{
    tacit__value_text text;
    if (value <= INT64_MAX)
        return tacit__integer_text((int64_t)value);
    text.len = (size_t)snprintf(text.bytes, sizeof text.bytes, "%llu", (unsigned long long)value);
    return text;
}

/* 128 bits, in the order of the machine. */
static void decimal_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    const char *data = view->array->buffers[1];
    __extension__ typedef __int128 whole;
    __extension__ typedef unsigned __int128 natural;
    whole value = 0;
    memcpy(&value, data + at * 16, sizeof value);
    natural left = value < 0 ? -(natural)value : (natural)value;
    char *end = cell->made.bytes + sizeof cell->made.bytes, *from = end;
    for (int digits = 0; left > 0 || digits <= view->type.scale; digits++, left /= 10) {
        if (digits == view->type.scale && digits > 0)
            *--from = '.';
        *--from = (char)('0' + (int)(left % 10));
    }
    if (value < 0)
        *--from = '-';
    cell->made.len = (size_t)(end - from);
    memmove(cell->made.bytes, from, cell->made.len);
}

static int64_t floor_divide(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

/* Dates and times; a number that the calendar does not have stays a number. */
static void clock_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    const tacit__arrow_type *type = &view->type;
    int64_t value = whole_at(view, at), whole = floor_divide(value, type->unit);
    int64_t nanos = (value - whole * type->unit) * (NANOS_A_SECOND / type->unit);
    cell->made = (tacit__value_text){.len = 0};
    if (type->kind == TACIT__ARROW_DATE && whole * type->unit == value)
        cell->made = tacit__date_text(whole);
    else if (type->kind == TACIT__ARROW_MOMENT)
        cell->made = tacit__moment_text(whole, nanos, type->utc);
    else if (type->kind == TACIT__ARROW_TIME && whole >= 0 && whole < TACIT__SECONDS_A_DAY)
        cell->made = tacit__time_text(whole * NANOS_A_SECOND + nanos);
    if (!cell->made.len)
        cell->made = tacit__integer_text(value);
}

/* A value that is made: its text is not in the array. */
static void made_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t at)
{
    switch (view->type.kind) {
    case TACIT__ARROW_SIGNED: cell->made = tacit__integer_text(whole_at(view, at)); break;
    case TACIT__ARROW_UNSIGNED: cell->made = unsigned_text((uint64_t)whole_at(view, at)); break;
    case TACIT__ARROW_REAL: real_at(cell, view, at); break;
    case TACIT__ARROW_DECIMAL: decimal_at(cell, view, at); break;
    default: clock_at(cell, view, at); break;
    }
    if (cell->text.len == 0 && !cell->null)
        cell->text = (tacit_strview){cell->made.bytes, cell->made.len};
}

uint64_t tacit__arrow_entry_at(const tacit__arrow_view *view, int64_t row)
{
    int64_t at = row + view->offset;
    return is_null(view, at) ? UINT64_MAX : (uint64_t)whole_at(view, at);
}

void tacit__arrow_cell_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t row)
{
    int64_t at = row + view->offset;
    cell->text = (tacit_strview){"", 0};
    cell->damaged = false;
    cell->null = is_null(view, at);
    if (cell->null)
        return;
    if (view->dictionary) {
        uint64_t entry = (uint64_t)whole_at(view, at);
        cell->damaged = entry >= (uint64_t)view->dictionary->array->length;
        if (!cell->damaged)
            tacit__arrow_cell_at(cell, view->dictionary, (int64_t)entry);
        return;
    }
    switch (view->type.kind) {
    case TACIT__ARROW_TEXT: text_at(cell, view, at); break;
    case TACIT__ARROW_TEXT_VIEW: text_view_at(cell, view, at); break;
    case TACIT__ARROW_BOOLEAN: {
        const uint8_t *bits = view->array->buffers[1];
        cell->text = tacit_strview_of(bits[at / 8] >> (at % 8) & 1 ? "true" : "false");
        break;
    }
    default: made_at(cell, view, at); break;
    }
}
