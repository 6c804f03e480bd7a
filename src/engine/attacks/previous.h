/*
 * previous.h - what the attack with earlier releases has found, and how it is told.
 */
#ifndef TACIT_ENGINE_ATTACKS_PREVIOUS_H
#define TACIT_ENGINE_ATTACKS_PREVIOUS_H

#include "engine/attacks/attack.h"
#include "engine/attacks/joint.h"

enum { ENGINE_JOINED_SHOWN = 10 }; /* exposed rows that are named */

/* The join with one earlier release, in numbers. */
typedef struct engine_joined_step {
    char name[128];
    tacit_joined sums; /* without its arrays */
    int64_t rows;
    /* Of its own rows, those that it had in classes of k by itself and that are surely exposed or
     * traced now; what stands behind the worst of them. */
    int64_t laid_open, fewest;
} engine_joined_step;

typedef struct engine_joined_rows {
    engine_joined_step *steps;
    int32_t count;
    int64_t rows, k;
    bool by_candidates;
    int64_t exposed;   /* rows that are surely exposed, or traced */
    int64_t laid_open; /* the same of rows of earlier releases, all of them together */
    int64_t possible;  /* rows that would be, if the right person were behind them */
    int64_t sure, traced;
    int64_t fewest; /* of exposed rows: rows that share a box, or candidates where these are what is
                       promised */
    int64_t finer;  /* rows with a value finer than released, all joins together */
    int64_t classes, smallest; /* of the table that they form */
    int64_t places[ENGINE_JOINED_SHOWN];
    int64_t numbers[ENGINE_JOINED_SHOWN]; /* of rows alike, or candidates */
    int shown;
    tacit_grid cells; /* of these rows, where they are to be shown */
    const char **header;
} engine_joined_rows;

/* The join with an earlier release the other way round: what the release, of whose rows `known` is
 * certain, says of that one's rows. `columns` is room. */
tacit_status engine_join_back(engine_joined_step *step, const engine_joint *joint, int32_t file,
                              tacit_joint_column *columns, const tacit_node_column *known,
                              tacit_error *err);

/* Whether all joins were asked for worlds: otherwise more may follow than was found. */
bool engine_joined_by_worlds(const engine_joined_rows *in);

/* As engine_attack has them; found is a engine_joined_rows. */
void engine_previous_sentence(char *out, size_t size, const void *found, const engine_case *c);
void engine_joined_tell(FILE *to, const void *found, const engine_case *c);
void engine_joined_account(tacit_account *account, const void *found, const engine_case *c);
void engine_joined_page(tacit_page *page, const void *found, const engine_case *c);

#endif
