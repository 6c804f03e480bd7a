/*
 * arrow.h - columns of the Arrow C data interface as cells.
 *
 * A type is what a format string says ("l", "tsu:UTC"); a view is a column of one array, whose
 * cells are the text that a CSV has for them. What cannot be a cell (lists, structs, bytes) has no
 * type here.
 */
#ifndef TACIT_SRC_FORMATS_ARROW_H
#define TACIT_SRC_FORMATS_ARROW_H

#include <tacit/arrow.h>

#include "formats/values.h"

typedef enum tacit__arrow_kind {
    TACIT__ARROW_NULL,
    TACIT__ARROW_BOOLEAN,
    TACIT__ARROW_SIGNED,
    TACIT__ARROW_UNSIGNED,
    TACIT__ARROW_REAL,
    TACIT__ARROW_DECIMAL,
    TACIT__ARROW_DATE,
    TACIT__ARROW_TIME,
    TACIT__ARROW_MOMENT,
    TACIT__ARROW_TEXT,      /* offsets of `bytes` bytes, then the text */
    TACIT__ARROW_TEXT_VIEW, /* 16 bytes a cell: short texts, or places in one of many buffers */
} tacit__arrow_kind;

typedef struct tacit__arrow_type {
    tacit__arrow_kind kind;
    int bytes;    /* of a value, or of an offset */
    int scale;    /* of a decimal */
    int64_t unit; /* parts of a day or of a second that dates, times and moments count */
    bool utc;     /* a moment in a zone: a point in time */
} tacit__arrow_type;

/* false: no cells are made of such columns. */
bool tacit__arrow_type_of(tacit__arrow_type *type, const char *format);

/* What a schema calls it. */
tacit__type tacit__arrow_type_name(const tacit__arrow_type *type);

/* A column of an array, or the dictionary of one. */
typedef struct tacit__arrow_view {
    tacit__arrow_type type;
    const struct ArrowArray *array;
    int64_t offset; /* of the first row, that of the array around it included */
    const struct tacit__arrow_view *dictionary; /* NULL: values are its own */
} tacit__arrow_view;

/* false: the array has not what its type says that it has. */
bool tacit__arrow_view_of(tacit__arrow_view *view, const tacit__arrow_type *type,
                          const struct ArrowArray *array, int64_t offset,
                          const tacit__arrow_view *dictionary);

typedef struct tacit__arrow_cell {
    bool null;
    bool damaged; /* it points beyond what there is */
    tacit_strview text;
    tacit__value_text made; /* where text is not in the array */
} tacit__arrow_cell;

/* A release as a stream, whose columns are what the schema says. */
tacit_status tacit__arrow_write(struct ArrowArrayStream *out, const tacit_schema *schema,
                                const tacit_table *release, const tacit_run *run, tacit_error *err);

/* The entry of its dictionary that a row has; beyond every dictionary where there is none. */
uint64_t tacit__arrow_entry_at(const tacit__arrow_view *view, int64_t row);

void tacit__arrow_cell_at(tacit__arrow_cell *cell, const tacit__arrow_view *view, int64_t row);

#endif
