/*
 * relink_world.h - random pairs of files for re-linking: numbers with many ties, names, what is
 * missing, suppressed, generalized or made up, and the cells as they were drawn.
 */
#ifndef TACIT_TESTS_SUPPORT_RELINK_WORLD_H
#define TACIT_TESTS_SUPPORT_RELINK_WORLD_H

#include "relinked.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"

enum { WORLD_ROWS = 400, WORLD_COLUMNS = 4, WORLD_NAMES = 5, WORLD_TEXT = 1 << 15 };

typedef enum world_kind {
    WORLD_VALUE, /* a number or a name: low to high, by place */
    WORLD_MISSING,
    WORLD_STAR,
    WORLD_FOREIGN
} world_kind;

typedef struct world_cell {
    world_kind kind;
    int low, high;
} world_cell;

typedef struct world {
    int columns, people, records;
    bool numeric[WORLD_COLUMNS];
    world_cell known[WORLD_ROWS][WORLD_COLUMNS], said[WORLD_ROWS][WORLD_COLUMNS];
    uint32_t origin[WORLD_ROWS];
    char original[WORLD_TEXT], release[WORLD_TEXT];
    relinked r;
} world;

static const char *const WORLD_HEAD[WORLD_COLUMNS] = {"a", "b", "c", "d"};

/* By length, then bytes. */
static const char *const WORLD_NAME[WORLD_NAMES] = {"p0", "p1", "q0", "q1", "q2"};

static inline int world_draw(tacit__random *random, int below)
{
    return (int)tacit__random_below(random, (uint32_t)below);
}

static inline world_cell world_known(tacit__random *random, bool numeric, int range, bool sure)
{
    int value = world_draw(random, numeric ? range : WORLD_NAMES);
    if (!sure && world_draw(random, 8) == 0)
        return (world_cell){WORLD_MISSING, 0, 0};
    return (world_cell){WORLD_VALUE, value, value};
}

/* What is released of a person's value: often the same or close to it. */
static inline world_cell world_said(tacit__random *random, world_cell known, bool numeric,
                                    int range)
{
    int what = world_draw(random, 12);
    if (what == 0)
        return (world_cell){WORLD_MISSING, 0, 0};
    if (what == 1)
        return (world_cell){WORLD_STAR, 0, 0};
    if (what == 2)
        return (world_cell){WORLD_FOREIGN, 0, 0};
    if (known.kind != WORLD_VALUE || what == 3)
        known = world_known(random, numeric, range, true);
    if (numeric && what < 6)
        known.low = known.high = known.low + world_draw(random, 5) - 2;
    else if (numeric && what == 6)
        known.high += world_draw(random, 4);
    else if (!numeric && what < 6) { /* p* and q* */
        known.high = known.low < 2 ? 1 : WORLD_NAMES - 1;
        known.low = known.low < 2 ? 0 : 2;
    }
    return known;
}

static inline size_t world_write(char *out, world_cell cell, bool numeric)
{
    if (cell.kind != WORLD_VALUE)
        return (size_t)sprintf(out, ",%s",
                               cell.kind == WORLD_MISSING ? ""
                               : cell.kind == WORLD_STAR  ? "*"
                                                          : "zzz");
    if (numeric && cell.low == cell.high)
        return (size_t)sprintf(out, ",%d", cell.low);
    if (numeric)
        return (size_t)sprintf(out, ",%d to %d", cell.low, cell.high);
    if (cell.low == cell.high)
        return (size_t)sprintf(out, ",%s", WORLD_NAME[cell.low]);
    return (size_t)sprintf(out, ",%s", cell.low == 0 ? "p*" : "q*");
}

static inline void world_text(char *out, const world *w, world_cell cells[][WORLD_COLUMNS],
                              int rows)
{
    size_t len = (size_t)sprintf(out, "row");
    for (int i = 0; i < w->columns; i++)
        len += (size_t)sprintf(out + len, ",%s", WORLD_HEAD[i]);
    len += (size_t)sprintf(out + len, "\n");
    for (int row = 0; row < rows; row++) {
        len += (size_t)sprintf(out + len, "%d", row);
        for (int i = 0; i < w->columns; i++)
            len += world_write(out + len, cells[row][i], w->numeric[i]);
        len += (size_t)sprintf(out + len, "\n");
    }
}

/* At most so many people and records. */
static inline void world_open(world *w, tacit__random *random, int most)
{
    w->columns = 1 + world_draw(random, WORLD_COLUMNS);
    w->people = 1 + world_draw(random, most);
    w->records = world_draw(random, most + 1);
    int range = 1 + world_draw(random, 30);
    for (int i = 0; i < w->columns; i++) {
        w->numeric[i] = world_draw(random, 2);
        for (int row = 0; row < w->people; row++)
            w->known[row][i] = world_known(random, w->numeric[i], range, row == 0);
    }
    for (int row = 0; row < w->records; row++) {
        int who = world_draw(random, w->people);
        w->origin[row] = world_draw(random, 10) ? (uint32_t)who : TACIT_RELINK_MADE_UP;
        for (int i = 0; i < w->columns; i++)
            w->said[row][i] = world_said(random, w->known[who][i], w->numeric[i], range);
    }
    world_text(w->original, w, w->known, w->people);
    world_text(w->release, w, w->said, w->records);
    relinked_open(&w->r, w->original, w->release, WORLD_HEAD, (size_t)w->columns);
    w->r.c.origin = w->origin;
}

static inline void world_close(world *w)
{
    relinked_close(&w->r);
}

#endif
