/*
 * words.h - the values of a coded column, found by what they say.
 */
#ifndef TACIT_AUDIT_ROWS_WORDS_H
#define TACIT_AUDIT_ROWS_WORDS_H

#include <tacit/table.h>

#include "audit/rows/sort.h"

#define TACIT__NOWHERE UINT32_MAX /* a value that the column does not have */

/* Zero-initialized is empty. */
typedef struct tacit__words {
    const tacit_table *table;
    int32_t column;
    tacit__sorter sorted; /* hash, code */
    uint32_t missing;     /* its code, or TACIT__NOWHERE */
} tacit__words;

tacit_status tacit__words_init(tacit__words *words, const tacit_table *table, int32_t column,
                               tacit_error *err);
void tacit__words_clear(tacit__words *words);

/* The code of a value, or TACIT__NOWHERE; an empty one is missing. */
uint32_t tacit__words_find(const tacit__words *words, tacit_strview value);

#endif
