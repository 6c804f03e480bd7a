/*
 * models.h - what the checks of models share: how a model stands over many
 * classes, sensitive columns, and the people that a class covers.
 */
#ifndef TACIT_AUDIT_MODELS_MODELS_H
#define TACIT_AUDIT_MODELS_MODELS_H

#include "audit/models/spread.h"
#include "audit/rows/group.h"
#include "audit/rows/ladder.h"

/* How a model stands over some classes. Zero-initialized: none was measured. */
typedef struct tacit__standing {
    int64_t measured; /* classes */
    double worst;     /* where more is allowed the less the better, the most; else the least */
    double least;     /* the least in any case */
    int64_t classes;  /* that break the model */
    int64_t rows;     /* in them */
    int64_t first;    /* the first of those rows */
    bool near;        /* numbers that are near count as one */
} tacit__standing;

void tacit__standing_add(tacit__standing *standing, const tacit_model_bound *model,
                         tacit__models_measured found, int64_t rows, int64_t first);
void tacit__standing_join(tacit__standing *standing, const tacit_model_bound *model,
                          const tacit__standing *other);

/* A finding that what is promised about a column (NULL: about the population)
 * cannot be checked, so that it does not count as kept. */
void tacit__cannot_judge(tacit__judge *judge, const char *column, const char *reason);

/* Turns the failure to bind a hierarchy into a finding where it is the values'
 * and not the system's; returns the status that is left. */
tacit_status tacit__unbound(tacit__judge *judge, const char *column, tacit_status status,
                            const tacit_error *reason, tacit_error *err);

/* Whether rows were left out as announced, with an original to say which. */
static inline bool tacit__rows_dropped(const tacit__judge *judge)
{
    return judge->original && judge->promise->suppressed_dropped &&
           judge->verdict->unreleased_rows > 0;
}

/* ---- sensitive columns (sensitive.c) ---- */

enum { TACIT__MAX_TOGETHER = 8 };

/* A sensitive column and models about it, which are all without a hierarchy or
 * have the same one. */
typedef struct tacit__sensitive {
    tacit__judge *judge;
    int32_t models[TACIT__MAX_TOGETHER]; /* of the promise */
    int count;
    int grid;        /* of near.h, where numbers that are near count as one; -1: none do */
    bool judgeable;  /* otherwise it has been found why not */
    int32_t column;  /* of the release */
    int32_t source;  /* of the original where that is the whole table, else -1 */
    uint32_t *image; /* code of the release -> code of the whole table, on a grid one that stands
                        for its stretch; NULL: the same */
    tacit__whole whole;
} tacit__sensitive;

/* Finds the column and counts the whole table. models and count are set. */
tacit_status tacit__sensitive_init(tacit__sensitive *s, tacit__judge *judge, tacit_error *err);
void tacit__sensitive_clear(tacit__sensitive *s);

/* Adds the classes of a partition of the release to a standing for each model. */
tacit_status tacit__sensitive_classes(tacit__standing *standings, const tacit__sensitive *s,
                                      const tacit__partition *partition, tacit_error *err);

/* Adds the suppressed rows as one class, and the rows that were left out. */
tacit_status tacit__sensitive_suppressed(tacit__standing *standings, const tacit__sensitive *s,
                                         tacit_error *err);
tacit_status tacit__sensitive_dropped(tacit__standing *standings, const tacit__sensitive *s,
                                      tacit_error *err);

/* ---- the population (link/cover.c) ---- */

/* A register, and what each of its values may be in the release. */
typedef struct tacit__cover {
    tacit__judge *judge;
    const tacit_table *people;
    bool judgeable;
    int32_t column[TACIT__MAX_PROMISED]; /* attribute -> column of the register */
    tacit__images images[TACIT__MAX_PROMISED];
} tacit__cover;

tacit_status tacit__cover_init(tacit__cover *cover, tacit__judge *judge, const tacit_table *people,
                               tacit_error *err);
void tacit__cover_clear(tacit__cover *cover);

/* The attributes of a set in the order that is best for counting; returns how
 * many there are. */
int32_t tacit__cover_order(int32_t *attributes, const tacit__cover *cover, uint64_t set);

/* How many people of the register each class of a partition of the release by
 * these attributes, in this order, covers, and how many no class does. Free
 * *covered with tacit__free. */
tacit_status tacit__cover_count(int64_t **covered, int64_t *absent, const tacit__cover *cover,
                                const int32_t *attributes, int32_t count,
                                const tacit__partition *partition, tacit_error *err);

#endif
