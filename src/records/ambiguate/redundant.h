/*
 * redundant.h - what knowing that no blank could be left out tells about the blanks (the
 * disambiguation attack of the paper's discussion), and blanks added on trial against it.
 *
 * The adversary sees the release, and knows k and which values each column has. Had a blank the
 * value v, and would every row keep k that it agrees with when the cell is filled with it (all
 * other blanks staying), then the blank would have been left out; so v is excluded. One value left
 * is revealed. None left says that the blank is there for something else, and reveals nothing. More
 * blanks exclude more, never less.
 *
 * A trial knows which cells of the state are revealed and keeps that up to date, looking again only
 * at items that blanks of the trial can have changed: those that agree with a row that got one, and
 * those that agree with a row that could lose nobody before and now can.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_REDUNDANT_H
#define TACIT_RECORDS_AMBIGUATE_REDUNDANT_H

#include "records/ambiguate/state.h"

/* What is left of the values of a blank. */
typedef struct tacit__left {
    uint32_t values;
    uint32_t only; /* where that is 1 */
} tacit__left;

/* Some rows of an item get a blank. */
typedef struct tacit__ambiguate_step {
    uint32_t from, to; /* items */
    int64_t rows;
    int32_t column;
} tacit__ambiguate_step;

/* Of an item. */
typedef struct tacit__ambiguate_seen {
    uint64_t revealed; /* columns */
    int64_t cells;     /* that many of them in all its rows */
    uint32_t stamp;    /* of the last round in which it was looked at */
} tacit__ambiguate_seen;

typedef struct tacit__seen_before {
    uint32_t item;
    tacit__ambiguate_seen seen;
} tacit__seen_before;

typedef struct tacit__trial {
    tacit__state *state; /* borrowed */
    const tacit__tableau *tableau;
    uint32_t values[64];         /* a column each: how many it has */
    uint32_t *numbers;           /* class by class: the values of each column from 0 */
    int64_t *tally;              /* a value each; zeros between uses */
    tacit__ambiguate_seen *seen; /* an item each */
    size_t seen_count, seen_capacity;
    int64_t revealed;    /* cells in all */
    int64_t columns[64]; /* blanks of each, the trial's included */
    uint32_t stamp;
    bool failed; /* memory ran out: nothing of what follows counts */
    /* The trial in hand. */
    tacit__ambiguate_step *steps;
    size_t step_count, step_capacity;
    double cost;
    tacit__seen_before *before; /* what was seen otherwise */
    size_t before_count, before_capacity;
    uint32_t *touched; /* items to look at again */
    size_t touched_count, touched_capacity;
    uint32_t *loose; /* items that could lose nobody and may now */
    size_t loose_count, loose_capacity;
} tacit__trial;

/* All rows of the state must agree with k, as they do in what was minimized. */
tacit_status tacit__trial_init(tacit__trial *trial, tacit__state *state, const tacit_run *run,
                               tacit_error *err);
void tacit__trial_clear(tacit__trial *trial);

/* Whether rows of an item have values in some columns, and the limits allow blanks there. */
bool tacit__trial_allows(const tacit__trial *trial, uint32_t item, int64_t rows, uint64_t columns);

/* What is left of the values of a blank of an item. */
tacit__left tacit__trial_left(tacit__trial *trial, uint32_t item, int32_t column);

/* Blanks a cell of some rows of an item; returns where they are then. */
uint32_t tacit__trial_blank(tacit__trial *trial, uint32_t item, int64_t rows, int32_t column);

/* Brings what is revealed up to date. */
void tacit__trial_settle(tacit__trial *trial);

/* Takes the trial back; or keeps it, settled. */
void tacit__trial_undo(tacit__trial *trial);
void tacit__trial_keep(tacit__trial *trial);

#endif
