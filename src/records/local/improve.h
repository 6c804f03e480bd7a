/*
 * improve.h - making a layout better: windows of a few boxes that lie close to each other, and
 * which boxes the members of a group want, and who would come.
 */
#ifndef TACIT_RECORDS_LOCAL_IMPROVE_H
#define TACIT_RECORDS_LOCAL_IMPROVE_H

#include "records/local/group.h"

/* Who is in a class: person[starts[c]] up to person[starts[c + 1]], each once. Empty where every
 * row is a person. */
typedef struct tacit__whose {
    int64_t *starts;
    uint32_t *person;
    size_t persons; /* persons are below */
} tacit__whose;

/* How long to go on, what has been done, and the room that it is done in. */
typedef struct tacit__improving {
    const tacit__local *local;
    int64_t limit; /* of the walks' work, more or less */
    int64_t work;  /* so far */
    int64_t boxes; /* that were gone through */
    int64_t rounds;
    int64_t stale;                 /* of them, the last ones without success */
    tacit__whose whose;            /* filled in by the first round */
    struct tacit__packer *packers; /* a worker each */
    int workers;
} tacit__improving;

/* Without a limit. */
tacit_status tacit__improving_init(tacit__improving *improving, const tacit__local *local,
                                   tacit_error *err);
void tacit__improving_clear(tacit__improving *improving);

/* One round. Stopped by the progress callback it returns TACIT_CANCELLED, and the layout is
 * the better for what was done until then; on other failures it is as it was. */
tacit_status tacit__local_improve(tacit__local_layout *layout, tacit__improving *improving,
                                  tacit_error *err);

/* ---- windows.c ---- */

/* Every box of a layout in one window. Zero-initialized is none. */
typedef struct tacit__windows {
    const tacit__local *local;
    const tacit__local_layout *layout;
    int64_t *boxes;  /* side by side */
    int64_t *starts; /* of each window's boxes, and the end */
    int64_t count;   /* windows */
} tacit__windows;

/* Numbers that depend on the state alone, which each of them changes. */
uint64_t tacit__draw(uint64_t *state);
double tacit__draw_share(uint64_t *state); /* from 0 up to 1 */

/* Cuts a layout into windows. With seed 0 they are as large as groups can be, in the
 * order of the boxes; with any other they are small, in an order drawn by it. */
tacit_status tacit__windows_init(tacit__windows *windows, const tacit__local *local,
                                 const tacit__local_layout *layout, uint64_t seed,
                                 tacit_error *err);
void tacit__windows_clear(tacit__windows *windows);

/* What a window costs; -1 where it has too many shares for a group. */
double tacit__windows_cost(const tacit__windows *windows, int64_t window);

/* The people of a window as a group, which is closed; all that a class has, where classes leave
 * whole. */
tacit_status tacit__windows_gather(tacit__local_group *group, const tacit__windows *windows,
                                   int64_t window, tacit_error *err);

/* Adds the boxes of a window, as they are, to another layout. */
tacit_status tacit__windows_keep(tacit__local_layout *out, const tacit__windows *windows,
                                 int64_t window, tacit_error *err);

/* ---- offers.c ---- */

/* A box that the walk has found. */
typedef struct tacit__local_offer {
    double cost;
    double excess;   /* what it costs those who want it above the least that they must pay */
    uint32_t wanted; /* by so many members, whose best it is */
    uint32_t from;   /* where they begin in the list of all */
} tacit__local_offer;

/* A worker's room. Zero-initialized is empty. */
typedef struct tacit__offers {
    const tacit__local_group *group;
    const tacit__whose *whose;
    int64_t k;
    tacit__walk walk;
    int64_t limit; /* of the walks' work for one group */
    int64_t work;  /* what they took */

    uint32_t *left;     /* a member each: its people who are in no box yet */
    uint64_t *placed;   /* bit a member: nothing of it is left */
    uint16_t *list;     /* members that are left */
    int64_t list_count; /* of them */

    double *best;               /* a member each: what its best box costs */
    uint32_t *want;             /* the offer that this is */
    uint16_t *wanting;          /* members that are left, by what they want */
    tacit__local_ranked *bests; /* the same by what that costs */
    size_t member_capacity;

    tacit__local_offer *all;
    uint8_t *rungs;             /* an axis each */
    tacit__local_ranked *order; /* offers that are wanted, the cheapest first */
    int64_t count, order_count;
    size_t room, rung_capacity, order_capacity;

    uint32_t *met;   /* a person each: the last counting that met it */
    uint32_t counts; /* how many countings there were */

    uint16_t *chosen; /* members that would come to a box */
    int64_t chosen_count;
    int64_t eager; /* of them, how many come with all their people */
} tacit__offers;

void tacit__offers_clear(tacit__offers *offers);

/* Takes up a group, all of whose people are in no box. */
tacit_status tacit__offers_start(tacit__offers *offers, const tacit__local_group *group,
                                 const tacit__whose *whose, tacit_error *err);

/* Lists the members that are left; returns their people. */
int64_t tacit__offers_list(tacit__offers *offers);

/* Members that are left look for their best boxes; offers are then in order.
 * TACIT_LIMIT where that takes more than it may. */
tacit_status tacit__offers_find(tacit__offers *offers, tacit_error *err);

/* Chooses who wants the offer of a place in the order and, where these are too few,
 * others for whom it is as good as what they want. Returns the people. */
int64_t tacit__offers_choose(tacit__offers *offers, int64_t place);

/* Chooses one of the members whose best costs most, 0 for the dearest of all, and those
 * who lose least by going with it where it wants. Returns the people. */
int64_t tacit__offers_choose_hardest(tacit__offers *offers, int64_t hardest);

#endif
