/*
 * cover.h - what the files of covering share: boxes, and the rows that are blank in them.
 *
 * A class is in need where it has fewer than k rows. A box is a set of columns and a value in each
 * of the others; a row of it that is blank in the set, a donor, agrees with all its rows. So a
 * class in need asks for donors of other classes whose boxes it is in, and a donor of a class in
 * need is safe by itself where its box holds k rows: it is strong. Otherwise it relies, as the rows
 * without blanks of its class do, on enough donors. Boxes that hold no class in need are nowhere
 * looked at.
 */
#ifndef TACIT_RECORDS_BLANKS_COVER_H
#define TACIT_RECORDS_BLANKS_COVER_H

#include "records/ambiguate/kinds.h"

/* All boxes of fewer than k rows, in which nobody is looked for. */
#define TACIT__WEAK_BOX 0

/* A row with blanks. */
typedef struct tacit__donor {
    uint32_t class_index;
    uint32_t need;  /* its class among those in need, or TACIT__NONE */
    uint32_t proxy; /* a class in need of its box, its own where it is one; TACIT__NONE: none */
    uint32_t next;  /* donor of the same proxy */
    uint64_t mask;  /* 0: a place that is free */
} tacit__donor;

/* A change of a donor, so that it can be undone. */
typedef struct tacit__donor_change {
    uint32_t donor;
    tacit__donor before;
} tacit__donor_change;

/* A class that may be near another, and the columns in which they differ. */
typedef struct tacit__near_class {
    uint32_t class_index;
    uint64_t differ;
} tacit__near_class;

/* cover_pairs.c: which classes may be near a class, without looking at all.
 * Zero-initialized is none. */
typedef struct tacit__blanks_near {
    const tacit__tableau *tableau; /* NULL: none */
    int32_t orders;
    uint32_t *order; /* order by order: classes */
    uint32_t *rank;  /* and where each class is in it */
    uint32_t *asked; /* a class each: for which it was found last */
    uint64_t *bytes; /* class by class, words of a byte a column; NULL where values are too many */
    int32_t words;
    uint32_t of; /* the class in hand */
    tacit__near_class *found;
    size_t count;
} tacit__blanks_near;

tacit_status tacit__near_init(tacit__blanks_near *near, const tacit__tableau *tableau,
                              const tacit_run *run, tacit_error *err);
void tacit__near_clear(tacit__blanks_near *near);

/* Finds those that may be near a class. */
void tacit__near_find(tacit__blanks_near *near, uint32_t class_index);

typedef struct tacit__covering {
    const tacit__tableau *tableau;
    const tacit_run *run;
    double *least_cost; /* a column each: of a blank anywhere */
    double least_cell;  /* the least of them */
    double price[64];   /* by which blanks of a column count more while they are chosen */
    bool priced;        /* whether any is not 1 */

    tacit__packed packed;

    /* Classes in need. */
    uint32_t needs;
    uint32_t *class_of;
    uint32_t *need_of; /* a class each, or TACIT__NONE */
    int64_t *relying;  /* rows without blanks, and donors that are not strong */
    int64_t *fresh;    /* rows without blanks */
    int64_t *covered;  /* donors of other classes whose boxes the class is in */
    uint32_t *first;   /* donors by proxy */
    double *share;     /* what a row can pay at most for the sake of its boxes of fewer than k rows:
                          see pack() of cover.c */
    int64_t open;      /* rows that rely on more donors than there are */

    /* Sets of columns, ascending by size, and their boxes: those of a set follow each other. */
    uint32_t sets;
    bool complete;            /* every set that limits allow is there */
    uint64_t *masks;          /* of the sets, ascending by size; held by numbers */
    double *least;            /* least cost of a set's blanks in any row */
    tacit__numbering numbers; /* of the sets, by mask */
    uint32_t *box_of;         /* class in need by class in need, a set each */
    uint32_t boxes;
    uint32_t *set_of; /* a box each, as all of these */
    uint32_t *start;  /* and one more: of its classes in need in members */
    uint32_t *members;
    int64_t *rows;     /* all of the table */
    uint32_t *outside; /* the cheapest class that is not in need, or TACIT__NONE */
    int64_t *gain;     /* rows in need of more donors */
    uint32_t *inside;  /* donors in it that are blank in a part of the set */

    /* Donors. */
    tacit__donor *donors;
    uint32_t donor_count;
    size_t donor_capacity;
    uint32_t *free_places;
    uint32_t free_count;
    size_t free_capacity;
    uint32_t *taken;  /* a class each: rows that are donors */
    int64_t used[64]; /* blanks of a column */
    double cost;
    int64_t work;            /* so far, in classes looked at */
    bool failed;             /* memory ran out: what is found since does not count */
    tacit__blanks_near near; /* where all cannot be looked at */
    int64_t scans;           /* rows that may still be compared with all classes */
    bool pairing;            /* who has which donors is not kept account of any more */

    /* Lists that are filled on the way. */
    uint32_t *scanned; /* classes in need of a box that is in no list of boxes */
    uint32_t *opened;  /* classes in need of donors since opened_count was 0; may repeat */
    uint32_t opened_count;
    size_t opened_capacity;
    bool noting; /* whether changes are noted */
    tacit__donor_change *changes;
    uint32_t change_count;
    size_t change_capacity;
} tacit__covering;

/* cover_boxes.c */
tacit_status tacit__covering_init(tacit__covering *cover, const tacit__tableau *tableau,
                                  const tacit_run *run, tacit_error *err);
void tacit__covering_clear(tacit__covering *cover);

static inline uint32_t tacit__covering_set(const tacit__covering *cover, uint64_t mask)
{
    return tacit__numbering_find(&cover->numbers, mask);
}

static inline uint32_t tacit__covering_box(const tacit__covering *cover, uint32_t need,
                                           uint32_t set)
{
    return cover->box_of[(size_t)need * cover->sets + set];
}

/* Whether classes differ only in columns of a mask. */
static inline bool tacit__covering_agree(const tacit__covering *cover, uint32_t a, uint32_t b,
                                         uint64_t mask)
{
    const tacit__packed *packed = &cover->packed;
    const uint64_t *x = tacit__packed_bits(packed, a), *y = tacit__packed_bits(packed, b);
    for (int32_t w = 0; w < packed->words; w++) {
        uint64_t differ = x[w] ^ y[w];
        for (uint64_t left = differ ? mask : 0; left; left &= left - 1) {
            int c = __builtin_ctzll(left);
            differ &= packed->word[c] == w ? ~packed->field[c] : UINT64_MAX;
        }
        if (differ)
            return false;
    }
    return true;
}

/* Whether limits let k - 1 rows be blank as a whole. */
static inline bool tacit__covering_whole(const tacit__tableau *t)
{
    return t->most_row >= t->columns && t->most_column >= t->k - 1;
}

/* Rows of the class that ask for more donors, and for how many. */
static inline int64_t tacit__covering_lack(const tacit__covering *cover, uint32_t need)
{
    const tacit__tableau *tableau = cover->tableau;
    int64_t lack = tableau->k - tableau->counts[cover->class_of[need]] - cover->covered[need];
    return lack > 0 ? lack : 0;
}

static inline int64_t tacit__covering_open(const tacit__covering *cover, uint32_t need)
{
    return tacit__covering_lack(cover, need) > 0 ? cover->relying[need] : 0;
}

/* Whether limits let blanks be added to so many columns of a row. */
bool tacit__covering_allows(const tacit__covering *cover, uint64_t mask, uint64_t added);

/* cover_boxes.c. Where memory runs out, which is noted, nothing is changed. */

/* A new donor, whose proxy lies in the box; or other blanks for one, which must be a part
 * of those that it has or have them as a part. No blanks: there is none any more. */
void tacit__covering_add(tacit__covering *cover, uint32_t class_index, uint32_t proxy,
                         uint64_t mask);
void tacit__covering_change(tacit__covering *cover, uint32_t donor, uint64_t mask);

/* Undoes all changes that are noted but the first `keep`. */
void tacit__covering_undo(tacit__covering *cover, uint32_t keep);

/* Fills blanks of a donor, or of all, again, as many as can be without more being open. */
void tacit__covering_fill(tacit__covering *cover, uint32_t donor);
tacit_status tacit__covering_fill_all(tacit__covering *cover, tacit_error *err);

/* Rows of a class rely more or less, or have more or fewer donors. */
void tacit__covering_settle(tacit__covering *cover, uint32_t need, int64_t relying,
                            int64_t covered);

/* cover_greedy.c */

/* Boxes by what they promise, or others by a score: a heap, the highest first and of the same
 * the first number. Zero-initialized is empty. */
typedef struct tacit__blanks_offer {
    double score;
    uint32_t box;
} tacit__blanks_offer;

typedef struct tacit__covering_queue {
    tacit__blanks_offer *offers;
    size_t count, room;
    uint64_t chance; /* 0: none; otherwise promises are taken a little lower by it */
} tacit__covering_queue;

void tacit__covering_push(tacit__covering_queue *queue, tacit__covering *cover,
                          tacit__blanks_offer offer);
tacit__blanks_offer tacit__covering_pop(tacit__covering_queue *queue);

/* Puts a box in, where anything is open in it. */
void tacit__covering_offer(tacit__covering_queue *queue, tacit__covering *cover, uint32_t box);

/* Adds donors until nothing is open, or none helps, or they cost more than `most`. */
tacit_status tacit__covering_greedy(tacit__covering *cover, tacit__covering_queue *queue,
                                    double most, tacit_error *err);

/* donors with grown blanks, until nothing is open, or none helps, or
 * they cost more than `most` or so much work. */
tacit_status tacit__covering_grow(tacit__covering *cover, int64_t work, double most,
                                  tacit_error *err);

/* better donors, while nothing stays open, until so much work is done or a bound is reached.
 * TACIT_CANCELLED where progress says stop: donors are good then as well. */
tacit_status tacit__covering_improve(tacit__covering *cover, int64_t work, double bound,
                                     tacit_error *err);

/* cover_pairs.c: TACIT_INFEASIBLE where one of those classes in need has too few rows
 * near it, whatever their blanks are. */
tacit_status tacit__covering_reach(tacit__covering *cover, const uint32_t *needs, uint32_t count,
                                   tacit_error *err);

/* Blanks for classes in need that boxes do not help; donors only get
 * more blanks. Progress is asked where `ask` is set. TACIT_INFEASIBLE where limits leave
 * nothing that is found. Nothing but the donors and their cost is right afterwards. */
tacit_status tacit__covering_pairs(tacit__covering *cover, const uint32_t *needs, uint32_t count,
                                   bool ask, tacit_error *err);

#endif
