/*
 * sieve.h - classes in places that can be exchanged, and what dividing a
 * range of places by one attribute gives: the work of split.c on records.
 */
#ifndef TACIT_RECORDS_LOCAL_SIEVE_H
#define TACIT_RECORDS_LOCAL_SIEVE_H

#include "records/local/local.h"

/* Where an attribute's code lies in a record. */
typedef struct tacit__code_field {
    uint32_t word;
    uint32_t shift;
    uint64_t mask;
} tacit__code_field;

/* A record a class: its codes side by side in as few bits as they need, and its
 * share. Ranges of records are divided in place. */
typedef struct tacit__records {
    const tacit__local *local;
    tacit__code_field fields[TACIT_MAX_ATTRIBUTES];
    size_t words; /* of a record */
    uint64_t *codes;
    tacit__share *shares;
} tacit__records;

tacit_status tacit__records_init(tacit__records *records, const tacit__local *local,
                                 tacit_error *err);
void tacit__records_clear(tacit__records *records);

static inline uint32_t tacit__record_code(const tacit__records *records, int64_t record,
                                          int32_t attribute)
{
    const tacit__code_field *field = &records->fields[attribute];
    return (uint32_t)(records->codes[(size_t)record * records->words + field->word] >>
                          field->shift &
                      field->mask);
}

/* Records of a range with one value. */
typedef struct tacit__sieve_part {
    uint32_t value;
    uint32_t records;
    uint32_t people;
    bool stays; /* not released with that value, but as the whole range was */
} tacit__sieve_part;

/* A worker's room for dividing ranges. */
typedef struct tacit__sieve {
    tacit__records *records;
    tacit__sieve_part *parts;
    int64_t part_count;
    uint32_t *part_of; /* value -> part + 1; zeros between uses */
    int64_t *next;     /* a part each */
    int64_t *ends;
} tacit__sieve;

tacit_status tacit__sieve_init(tacit__sieve *sieve, tacit__records *records, tacit_error *err);
void tacit__sieve_clear(tacit__sieve *sieve);

/* The parts of records from ... to - 1 by their values of an attribute on a level,
 * all of them going. */
void tacit__sieve_count(tacit__sieve *sieve, int64_t from, int64_t to, int32_t attribute,
                        int level);

/* Exchanges records so that those that stay come first, then each part that goes. */
void tacit__sieve_divide(tacit__sieve *sieve, int64_t from, int32_t attribute, int level);

void tacit__records_exchange(tacit__records *records, int64_t a, int64_t b);

#endif
