/*
 * copies.h - what the files of the tests for copies share: both tables in one numbering of values.
 */
#ifndef TACIT_AUDIT_COPIES_COPIES_H
#define TACIT_AUDIT_COPIES_COPIES_H

#include <tacit/experimental/audit_copies.h>

#include "audit/rows/rows.h"

enum { TACIT__COPIES_ORIGINAL, TACIT__COPIES_RELEASE, TACIT__COPIES_BOTH };

/* A column of both tables. Values are numbered by the original: a value that it does not have has a
 * number behind its own. */
typedef struct tacit__copies_column {
    int32_t place[TACIT__COPIES_BOTH];
    tacit_codes_view codes[TACIT__COPIES_BOTH];
    uint32_t *same;  /* for each code of the release, missing too: the original's code of the same
                        value; codes behind all of these where the original does not have it */
    uint32_t values; /* codes of the original, missing among them */
    bool numeric;    /* all values of the original are numbers */
    double
        *places[TACIT__COPIES_BOTH]; /* of a numeric column, a code each: the share of rows of the
                                        original below, half of those equal counted; NAN: none */
} tacit__copies_column;

typedef struct tacit__copies_scene {
    const tacit_copies_case *c;
    const tacit_copies_options *options;
    const tacit_run *run;
    const tacit_table *tables[TACIT__COPIES_BOTH];
    int64_t rows[TACIT__COPIES_BOTH];
    tacit__copies_column *columns; /* keys first */
    size_t key_count, count;
} tacit__copies_scene;

/* Cleared in any case. */
tacit_status tacit__copies_scene_init(tacit__copies_scene *scene, tacit_error *err);
void tacit__copies_scene_clear(tacit__copies_scene *scene);

/* What a row says in a column, in the numbering of the original. */
static inline uint32_t tacit__copies_code(const tacit__copies_column *column, int table,
                                          int64_t row)
{
    uint32_t code = tacit_codes_at(column->codes[table], row);
    return table == TACIT__COPIES_RELEASE ? column->same[code] : code;
}

tacit_status tacit__copies_nearness(tacit_copies_near *near, const tacit__copies_scene *scene,
                                    tacit_error *err);

#endif
