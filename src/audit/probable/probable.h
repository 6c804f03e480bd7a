/*
 * probable.h - what the files of probabilistic linking share (audit_probable.h): how a record and a
 * person compare in a column.
 */
#ifndef TACIT_AUDIT_PROBABLE_PROBABLE_H
#define TACIT_AUDIT_PROBABLE_PROBABLE_H

#include <tacit/experimental/audit_probable.h>

typedef enum tacit__probable_kind {
    TACIT__PROBABLE_TEXT = 0,
    TACIT__PROBABLE_DATE,
    TACIT__PROBABLE_NUMBER
} tacit__probable_kind;

/* A full date; year 0: none. */
typedef struct tacit__probable_date {
    int16_t year;
    int8_t month, day;
    int32_t number; /* of the day */
} tacit__probable_date;

/* Both sides of a column, by code. */
typedef struct tacit__probable_column {
    const tacit_link_column *link;
    const tacit_table *tables[2]; /* release, people */
    int32_t places[2];
    uint32_t distinct[2]; /* codes from here on are missing */
    tacit__probable_kind kind;
    tacit__probable_date *dates[2];
    double *numbers[2];
    double close; /* numbers: so far apart at most */
    const tacit_probable_options *options;
    uint8_t *levels;  /* of pairs of codes: 1 + level, 0 where it was not asked; NULL: too many */
    uint32_t *starts; /* by node of the lineage: where its people start in `order`, one more */
    uint32_t *order;  /* people by node, those left out of whom nothing is known */
    double known;     /* people of whom something is known */
    double near;      /* the share of nearly the same among pairs that are not the same */
} tacit__probable_column;

/* Cleared in any case. */
tacit_status tacit__probable_column_init(tacit__probable_column *column,
                                         const tacit_probable_case *c, int32_t index,
                                         const tacit_probable_options *options, tacit_error *err);
void tacit__probable_column_clear(tacit__probable_column *column);

/* How two codes compare; TACIT_PROBABLE_LEVELS: one of them says nothing. */
tacit_probable_level tacit__probable_level(tacit__probable_column *column, uint32_t released,
                                           uint32_t known);

/* People who can have a released value; whom nothing is known of are not among them. */
double tacit__probable_compatible(const tacit__probable_column *column, uint32_t released);

#endif
