/*
 * amounts.h - values of a sensitive column as numbers that can be near each other: plain numbers,
 * numbers with thousands parted or with one mark of a currency or unit, and dates.
 */
#ifndef TACIT_SRC_RECORDS_MODELS_AMOUNTS_H
#define TACIT_SRC_RECORDS_MODELS_AMOUNTS_H

#include "hierarchy/written.h"

#include <tacit/table.h>

/* How a column's values are read. */
typedef struct tacit__amounts {
    tacit_strview before, after; /* the mark that most marked numbers have, "$" or "EUR" */
    char point;
    bool dates; /* more values are dates than numbers */
    tacit_date_order order;
} tacit__amounts;

/* Linear in the distinct values. */
tacit__amounts tacit__amounts_of(const tacit_table *table, int32_t column);

/* A number, or days where the column has dates; NAN: neither. */
double tacit__amount_read(const tacit__amounts *amounts, tacit_strview text);

#endif
