/*
 * models.h - the promises of a frame beyond k, asked of groups of rows.
 *
 * Groups are made of base classes: the finest classes a method works with. What
 * a search may rely on (proofs in keep.c and models.c):
 *   - groups that keep the models keep them when they are joined, and so do the
 *     groups of a node when all its groups do and levels are raised;
 *   - a group that keeps distinct diversity, range or k-map, estimated or not, keeps it
 *     whatever joins it, as with k itself. With the other models a group that keeps them and one
 *     that does not may break them together, so the rows in failing groups can
 *     grow on the way up.
 */
#ifndef TACIT_RECORDS_MODELS_MODELS_H
#define TACIT_RECORDS_MODELS_MODELS_H

#include <tacit/experimental/records.h>

typedef struct tacit__models tacit__models;

/* Prepares the frame's models (at least one) for groups of these classes; frame
 * and classes must outlive it. Counts the sensitive values of each class once,
 * and the whole table's. Refuses models that make no sense: a column that is not
 * coded, a bound out of range, a population that is not there. */
tacit_status tacit__models_new(tacit__models **out, const tacit_frame *frame,
                               const tacit_classes *base, const tacit_run *run, tacit_error *err);
void tacit__models_free(tacit__models *models);

/* The groups of one node of the lattice: group_of of a question has an entry a base class, and
 * levels are those that the groups are released on, an attribute's height where
 * groups are made without it. Sets the bits of groups that break a model in
 * `fails`, which is all zeros before. Where presence has a lower bound and people
 * of the register lie in no group, so that they are known to be absent, every
 * group fails. One caller at a time. */
typedef struct tacit__models_question {
    const uint32_t *group_of;
    int64_t groups;
    const int *levels;
    const uint64_t *gone; /* groups that nobody asks about; NULL: none */
    int64_t most;         /* rows in failing groups: where there are more, the answer may be some of
                             them that have more; INT64_MAX: all are wanted */
} tacit__models_question;

tacit_status tacit__models_failing(uint64_t *fails, tacit__models *models,
                                   const tacit__models_question *question, const tacit_run *run,
                                   tacit_error *err);

/* Groups of fewer rows break a model, whatever is in them. */
int64_t tacit__models_least(const tacit__models *models);

/* Whether one group, the members listed, keeps every model when it is released
 * as a box: a level and number for each attribute, as in tacit_boxes; both may
 * be NULL where no model is about the population. One caller at a time. */
tacit_status tacit__models_hold(bool *holds, tacit__models *models, const uint32_t *members,
                                int64_t count, const uint8_t *levels, const uint32_t *numbers,
                                tacit_error *err);

/* Room to work in, for each of several threads that ask at once. */
typedef struct tacit__models_scratch tacit__models_scratch;

tacit_status tacit__models_scratch_new(tacit__models_scratch **out, const tacit__models *models,
                                       tacit_error *err);
void tacit__models_scratch_free(tacit__models_scratch *scratch);

/* tacit__models_hold for a thread with a scratch of its own. */
tacit_status tacit__models_hold_in(bool *holds, const tacit__models *models,
                                   tacit__models_scratch *scratch, const uint32_t *members,
                                   int64_t count, const uint8_t *levels, const uint32_t *numbers,
                                   tacit_error *err);

/* Rows of the register that lie under a box. Several threads may ask at once. */
tacit_status tacit__population_under(int64_t *rows, tacit_population *population,
                                     const uint8_t *levels, const uint32_t *numbers,
                                     const tacit_run *run, tacit_error *err);

#endif
