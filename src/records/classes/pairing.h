/*
 * pairing.h - numbers for pairs of numbers, in the order they are met: what puts rows
 * together that agree in one column after the other, whichever table they are from.
 */
#ifndef TACIT_RECORDS_CLASSES_PAIRING_H
#define TACIT_RECORDS_CLASSES_PAIRING_H

#include <tacit/base.h>

#define TACIT__NO_PAIR UINT32_MAX

/* Zero-initialized is empty. */
typedef struct tacit__pairing {
    uint64_t *keys; /* first << 32 | second, a slot each */
    uint32_t *numbers;
    size_t capacity; /* a power of two, or 0 */
    uint32_t count;
} tacit__pairing;

/* The pair's number, a new one where it is new; TACIT__NO_PAIR when memory ran out. */
uint32_t tacit__pairing_add(tacit__pairing *pairing, uint32_t first, uint32_t second);

/* The pair's number, or TACIT__NO_PAIR. */
uint32_t tacit__pairing_find(const tacit__pairing *pairing, uint32_t first, uint32_t second);

/* group[i] becomes the number of (group[i], second[i]); false when memory ran out. */
bool tacit__pairing_number(uint32_t *group, uint32_t *count, const uint32_t *second, int64_t items);
void tacit__pairing_clear(tacit__pairing *pairing);

#endif
