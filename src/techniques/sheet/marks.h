/*
 * marks.h - the 64 bits of a cell: two say what it is, the rest where it is.
 *
 * A mark of zeros is an empty cell. A cell as the file has it is its place and its length; a field
 * is at most 16 MiB long (the reader's bound is lower) and a file 256 GiB.
 */
#ifndef TACIT_TECHNIQUES_SHEET_MARKS_H
#define TACIT_TECHNIQUES_SHEET_MARKS_H

#include "table/table.h"
#include "techniques/sheet/sheet.h"

enum { TACIT__PLACE_BITS = 38, TACIT__LENGTH_BITS = 24 };

enum { TACIT__MARK_RAW, TACIT__MARK_NUMBER, TACIT__MARK_TEXT };

static inline tacit__mark tacit__mark_raw(size_t place, size_t len)
{
    return len ? (uint64_t)len << TACIT__PLACE_BITS | (uint64_t)place : 0;
}

static inline int tacit__mark_kind(tacit__mark mark)
{
    return (int)(mark >> (TACIT__PLACE_BITS + TACIT__LENGTH_BITS));
}

static inline tacit__mark tacit__mark_of(int kind, uint64_t place)
{
    return (uint64_t)kind << (TACIT__PLACE_BITS + TACIT__LENGTH_BITS) | place;
}

/* The file's bytes of a raw cell, quotes included. */
static inline tacit_strview tacit__mark_bytes(const tacit_table *table, tacit__mark mark)
{
    uint64_t place = mark & ((UINT64_C(1) << TACIT__PLACE_BITS) - 1);
    uint64_t len = mark >> TACIT__PLACE_BITS & ((UINT64_C(1) << TACIT__LENGTH_BITS) - 1);
    return (tacit_strview){table->bytes + place, (size_t)len};
}

/* The place of a text that was made up among its column's. */
static inline size_t tacit__mark_text(tacit__mark mark)
{
    return (size_t)(mark & ((UINT64_C(1) << TACIT__PLACE_BITS) - 1));
}

#endif
