/*
 * distinct.h - the inside of the distinct combinations, for the files of this room.
 *
 * Layout: the rows of the table sorted by their codes, so that the rows of a
 * combination stand together, ascending; where each combination starts; and for
 * each row its combination. Combinations are in the order of their codes, which
 * are those of the table: by first appearance, missing last.
 */
#ifndef TACIT_SRC_UNIQUES_DISTINCT_H
#define TACIT_SRC_UNIQUES_DISTINCT_H

#include <tacit/experimental/uniques.h>

struct tacit_distinct {
    const tacit_table *table;
    int32_t columns[TACIT_UNIQUES_COLUMNS]; /* of the table */
    int32_t column_count;
    tacit_missing missing;
    uint32_t rows;
    uint32_t count;
    uint32_t *order;  /* rows */
    uint32_t *starts; /* count + 1 places in order */
    uint32_t *of;     /* a row each */
};

/* Rows of a combination. */
static inline uint32_t tacit__distinct_size(const tacit_distinct *distinct, uint32_t combination)
{
    return distinct->starts[combination + 1] - distinct->starts[combination];
}

/* A combination's code in the i-th column. */
static inline uint32_t tacit__distinct_code(const tacit_distinct *distinct, uint32_t combination,
                                            int32_t i)
{
    return tacit_codes_at(tacit_table_codes(distinct->table, distinct->columns[i]),
                          distinct->order[distinct->starts[combination]]);
}

/* Codes of the i-th column, missing among them. */
static inline uint32_t tacit__distinct_codes(const tacit_distinct *distinct, int32_t i)
{
    return tacit_table_distinct(distinct->table, distinct->columns[i]) + 1;
}

/* The code that missing has in the i-th column where it matches anything, or
 * UINT32_MAX where it is a value like any other. */
static inline uint32_t tacit__distinct_wild(const tacit_distinct *distinct, int32_t i)
{
    return distinct->missing == TACIT_MISSING_ANY
               ? tacit_table_distinct(distinct->table, distinct->columns[i])
               : UINT32_MAX;
}

#endif
