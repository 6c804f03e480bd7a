/*
 * mingen.h - the parts of the search for the best node of a lattice.
 */
#ifndef TACIT_RECORDS_MINGEN_MINGEN_H
#define TACIT_RECORDS_MINGEN_MINGEN_H

#include "records/apply/cut.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"
#include "records/models/models.h"
#include "records/models/risks.h"

/*
 * Classes as lists of packed keys, for rolling up thousands of
 * nodes of a lattice.
 *
 * A key has a field of bits for each attribute, the first one the most
 * significant, so keys are in the order of values. Fields never straddle words;
 * quasi-identifiers that need more than 63 bits have keys of several words. With
 * a person column the person is the last field, and an entry of a list is a pair
 * of class and person.
 */

/* What the attributes' values become, level by level. */
typedef struct tacit__ladders {
    const tacit_frame *frame;
    int32_t attributes;
    uint32_t people; /* numbers of the person column; 0: there is none */
    int *heights;    /* an attribute each, as the following */
    uint32_t (*values)[TACIT_MAX_LEVELS];
    uint32_t *(*up)[TACIT_MAX_LEVELS]; /* number on a level -> on the next */
    uint32_t *memory;
} tacit__ladders;

/* Cleared in any case. */
tacit_status tacit__ladders_init(tacit__ladders *ladders, const tacit_frame *frame,
                                 tacit_error *err);
void tacit__ladders_clear(tacit__ladders *ladders);

/* Combinations of values that there could be on these levels. */
double tacit__combinations(const tacit__ladders *ladders, const uint8_t *levels);

typedef struct tacit__mingen_layout {
    int32_t fields; /* the attributes, and the person where pairs are listed */
    int32_t words;  /* of a key */
    int32_t bits;   /* in use, of the first word */
    uint16_t *word; /* a field each; owned, with the following */
    uint8_t *shift;
    uint8_t *width;  /* 0: one value only */
    uint8_t *levels; /* that the values are on, an attribute each */
} tacit__mingen_layout;

enum { TACIT__WORD_BITS = 63 };

/* The layout of a node's keys. */
tacit_status tacit__layout_init(tacit__mingen_layout *layout, const tacit__ladders *ladders,
                                const uint8_t *levels, bool person, tacit_error *err);
void tacit__layout_free(tacit__mingen_layout *layout);

/* A coder whose strides are the fields of a one-word layout. Cleared by the caller. */
tacit_status tacit__layout_coder(tacit__coder *coder, const tacit__mingen_layout *layout,
                                 tacit_error *err);

static inline uint32_t tacit__field(const tacit__mingen_layout *layout, const uint64_t *key,
                                    int32_t field)
{
    uint64_t mask = (UINT64_C(1) << layout->width[field]) - 1;
    return (uint32_t)(key[layout->word[field]] >> layout->shift[field] & mask);
}

/* Distinct keys with their rows. */
typedef struct tacit__list {
    tacit__mingen_layout layout;
    int64_t count;
    uint64_t *keys; /* layout.words each */
    uint32_t *rows;
    uint32_t *tallies; /* entries that went into each; NULL where nobody asked */
    bool owned;        /* these arrays; otherwise they are a desk's */
    int holders;
} tacit__list;

void tacit__list_clear(tacit__list *list);

/* A list on the heap, with one holder; takes over what `list` owns, copies the rest. */
tacit_status tacit__list_keep(tacit__list **out, tacit__list *list, tacit_error *err);
tacit__list *tacit__list_hold(tacit__list *list);
void tacit__list_release(tacit__list *list);
size_t tacit__list_bytes(const tacit__list *list);

/* Room to count in, one for each worker. Zero-initialized is empty. */
typedef struct tacit__desk {
    uint64_t *keys;
    uint32_t *rows;
    uint32_t *tallies;
    uint32_t *slots;
    uint64_t *tables;
    struct tacit__stretch *stretches;
    size_t key_words, row_count, tally_count, slot_count, table_count, stretch_count;
} tacit__desk;

void tacit__desk_clear(tacit__desk *desk);

/* Lists longer than this are rolled up on all cores, one after the other. */
enum { TACIT__LONG_LIST = 1 << 18 };

/* How a list is rolled up. */
typedef struct tacit__raise {
    const tacit__ladders *ladders;
    const tacit__list *from;
    const uint8_t *levels; /* nowhere below those of the list */
    bool person;           /* whether entries of the result still have one */
    bool tally;
    const tacit_run *run; /* for long lists */
} tacit__raise;

/* Entries of a list on higher levels. The result lies on the desk, unless the list
 * is long; it stays until the desk is used again. Clear it in any case. */
tacit_status tacit__list_raise(tacit__list *out, tacit__desk *desk, const tacit__raise *how,
                               tacit_error *err);

/* The same from the rows of the table. most: how many rows are looked at. */
tacit_status tacit__list_rows(tacit__list *out, const tacit__ladders *ladders,
                              const uint8_t *levels, int64_t most, const tacit_run *run,
                              tacit_error *err);

/* What a metric makes of a node, and what it can make of nodes nobody has counted. */
typedef struct tacit__prices {
    tacit_metric metric;
    int32_t attributes;
    double rows;
    double k;
    double limit; /* rows that may be suppressed */
    double freed; /* rows that may be drawn from a class which stays */
    bool dropped; /* suppressed rows are left out */
    bool single;  /* one quasi-identifier: every class that is released has k people */
    tacit__costs costs;
    /* an attribute on a level: */
    double (*mean)[TACIT_MAX_LEVELS];    /* cost over all rows */
    double (*most)[TACIT_MAX_LEVELS];    /* of its dearest value */
    double (*squares)[TACIT_MAX_LEVELS]; /* of rows with each value, summed */
    double *top;                         /* cost of a suppressed cell */
} tacit__prices;

/* A node whose classes were counted. */
typedef struct tacit__mingen_node {
    const uint8_t *levels;
    bool feasible;
    int64_t outliers; /* rows that k, and models that act like it, cut off; never more on a node
                         above */
    int64_t widest;   /* rows of the largest class of them */
    int64_t classes;
    int64_t kept;       /* of the classes, those that are none of them */
    double squares;     /* of class sizes, summed */
    int64_t suppressed; /* rows, complementary ones among them */
    int64_t distinct;   /* tuples in the release */
    double cost;        /* where it is feasible; at most, if it depends on who is drawn */
    double least;       /* and at least */
    bool doomed;        /* and no node below is feasible either */
    double *lost;       /* an attribute each: what suppressing the outliers adds to its mean cost */
    struct tacit__mingen_node *next; /* of all that are kept */
    bool needed;                     /* a mark for forgetting the others */
} tacit__mingen_node;

/* What is promised beyond k. */
typedef struct tacit__beyond {
    tacit__models *models; /* NULL: nothing */
    tacit_classes *base;   /* on the levels of the lowest node */
    bool like_k;           /* joining a class that keeps them with any other keeps them */
    int64_t least;         /* classes of fewer rows break one */
} tacit__beyond;

/* What is searched. */
typedef struct tacit__mingen {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_run *run;
    int64_t rows;
    int64_t limit; /* rows that may be suppressed */
    double nodes;  /* of the lattice */
    bool plain;    /* one quasi-identifier, every row a person, nothing beyond k */
    bool wide;     /* keys of the lowest node have several words */
    uint8_t low[TACIT_MAX_ATTRIBUTES];  /* what lies below is infeasible */
    uint8_t high[TACIT_MAX_ATTRIBUTES]; /* the top */
    tacit__ladders ladders;
    tacit__prices prices;
    tacit__beyond beyond;
} tacit__mingen;

/* Prepares a search. frame, options and run must outlive it, and have been checked. */
tacit_status tacit__mingen_new(tacit__mingen **out, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err);
void tacit__mingen_free(tacit__mingen *g);

/* Rows with each value of an attribute on a level, from those of its ground values. The
 * caller frees them. */
tacit_status tacit__rows_on(int64_t **out, const tacit__mingen *g, int32_t attribute, int level,
                            const uint32_t *ground, tacit_error *err);

static inline void tacit__levels_widen(int *to, const uint8_t *levels, int32_t attributes)
{
    for (int32_t a = 0; a < attributes; a++)
        to[a] = levels[a];
}

tacit_status tacit__prices_init(tacit__prices *prices, const tacit__mingen *g,
                                uint32_t *const *ground, tacit_error *err);
void tacit__prices_clear(tacit__prices *prices);

/* What a node costs of which the outcome of suppression is known: cells is what the
 * suppressed rows add to each attribute's mean. */
typedef struct tacit__outcome {
    int64_t suppressed;
    int64_t distinct;
    double squares; /* of classes that are released */
    const double *cells;
} tacit__outcome;

/* Whether bounds need counts of low nodes. */
bool tacit__bound_needs_low(const tacit__prices *prices);

/* The part of a bound that needs a count of the lowest node (NULL: not counted),
 * for metrics that are not sums over cells. Never falls upward. */
double tacit__bound_known(const tacit__prices *prices, const tacit__ladders *ladders,
                          const uint8_t *low, const tacit__mingen_node *node);

/* No node between low and ceiling costs less than the bound of the sum of their
 * attributes' terms. */
double tacit__bound_term(const tacit__prices *prices, const tacit__mingen_node *ceiling,
                         int32_t attribute, int level);
double tacit__bound(const tacit__prices *prices, double terms, double known,
                    const tacit__mingen_node *ceiling);

/* Fills in what is to be known of a node from its entries, which are those of the
 * node's levels. room: for classes, where entries are pairs. */
tacit_status tacit__node_look(tacit__mingen_node *node, const tacit__mingen *g,
                              const tacit__list *entries, tacit__desk *room, const tacit_run *run,
                              tacit_error *err);

/* The same of a node whose classes are counted elsewhere. */
tacit_status tacit__node_ask(tacit__mingen_node *node, const tacit__mingen *g, const tacit_run *run,
                             tacit_error *err);

/* The fewest rows of a class that keeps the models of the frame; 1 where it has none. */
tacit_status tacit__beyond_least(int64_t *least, const tacit__mingen *g, tacit_error *err);

/* Prepares the models of the frame, if it has any. */
tacit_status tacit__beyond_init(tacit__beyond *beyond, const tacit__mingen *g, tacit_error *err);
void tacit__beyond_clear(tacit__beyond *beyond);

/* Takes out the classes that break a model. One caller at a time. */
tacit_status tacit__beyond_cut(tacit__cut *cut, const tacit__mingen *g, const tacit_run *run,
                               tacit_error *err);

/* Takes out more, so that the rows gone keep k and the models; *kept says whether
 * they do. */
tacit_status tacit__beyond_complement(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                                      const tacit_run *run, tacit_error *err);

/*
 * The search for the best node, and for all minimal ones.
 */

/* ---- counting nodes of the lattice, each at most once ---- */

typedef struct tacit__counter {
    const tacit__mingen *g;
    tacit__mingen_node *nodes;  /* all that are kept */
    tacit__mingen_node **slots; /* the same by levels; open addressing */
    size_t slot_count;
    int64_t kept;
    int64_t most;       /* nodes that may be kept before some should be forgotten */
    int64_t least_kept; /* that many may be kept in any case */
    size_t max_boxes;   /* that wait in order; beyond it the newest are taken first */
    int64_t checked;    /* nodes counted */
    tacit__desk *desks; /* two for each worker */
    int workers;
} tacit__counter;

tacit_status tacit__counter_init(tacit__counter *counter, const tacit__mingen *g, tacit_error *err);
void tacit__counter_clear(tacit__counter *counter);

/* A node to be looked at. */
typedef struct tacit__job {
    const uint8_t *levels;
    tacit__list *source; /* a list below it, or NULL: the rows */
    bool keep;           /* whether its own list is wanted */
    const tacit__mingen_node *node;
    tacit__list *list; /* the caller's, if it was wanted */
} tacit__job;

/* Does all of them, on all cores. After failure no job holds a list. */
tacit_status tacit__count_nodes(tacit__counter *counter, tacit__job *jobs, int64_t count,
                                tacit_error *err);

/* The node, if it has been counted and not forgotten, or NULL. */
const tacit__mingen_node *tacit__node_find(const tacit__counter *counter, const uint8_t *levels);

/* Whether so many nodes are kept that those nobody needs should go: mark those that are
 * needed, then forget the rest. */
bool tacit__counter_is_full(const tacit__counter *counter);
void tacit__node_mark(const tacit__counter *counter, const tacit__mingen_node *node);
void tacit__counter_forget(tacit__counter *counter);

/* ---- stretches of the lattice: all nodes between a lowest and a highest ---- */

typedef struct tacit__box {
    double bound; /* no node of it costs less */
    double known; /* the part of the bound that stems from counts of low nodes */
    int64_t age;
    const tacit__mingen_node *ceiling; /* counted; nowhere below the highest node */
    tacit__list *source;               /* nowhere above the lowest node; NULL: the rows */
    uint8_t *high;                     /* levels of the highest node */
    uint8_t low[];                     /* of the lowest, and then of the highest */
} tacit__box;

/* Where boxes are made. Zero-initialized but for the counter. */
typedef struct tacit__yard {
    tacit__counter *counter;
    int64_t made;
    size_t bytes; /* of the lists that boxes hold */
} tacit__yard;

/* The whole lattice. root is held, not taken. */
tacit_status tacit__box_first(tacit__box **out, tacit__yard *yard, tacit__list *root,
                              const tacit__mingen_node *top, tacit_error *err);
void tacit__box_free(tacit__yard *yard, tacit__box *box);

bool tacit__box_is_single(const tacit__yard *yard, const tacit__box *box);

/* Raises the bound to what is known: its ceiling, and its lowest node if it was
 * counted. */
void tacit__box_rate(const tacit__yard *yard, tacit__box *box, const tacit__mingen_node *low);

/* Cuts a box in two: *lower is new, the box itself becomes the upper part. */
tacit_status tacit__box_split(tacit__box **lower, tacit__yard *yard, tacit__box *box,
                              tacit_error *err);

/* Whether a list of the rows on these levels would be much shorter than the table,
 * going by the first of them. */
tacit_status tacit__is_worth_listing(bool *worth, const tacit__mingen *g, const uint8_t *levels,
                                     tacit_error *err);

/* Boxes that are worked on at once. It does not depend on threads, or the search
 * would. */
enum { TACIT__BATCH = 16 };

/* Counts the lowest nodes of boxes where that pays, because nodes of the box are then
 * rolled up from shorter lists. nodes has an entry a box; NULL where its lowest node is
 * not known. */
tacit_status tacit__box_source(tacit__yard *yard, tacit__box **boxes,
                               const tacit__mingen_node **nodes, int count, tacit_error *err);

/* Counts the highest nodes; nodes has an entry a box. */
tacit_status tacit__box_count(tacit__yard *yard, tacit__box **boxes,
                              const tacit__mingen_node **nodes, int count, tacit_error *err);

/* ---- */

/* What a search has come to. */
typedef struct tacit__mingen_found {
    const tacit__mingen_node *best; /* NULL: nothing yet */
    double bound;                   /* no node costs less */
} tacit__mingen_found;

/* A feasible node to start from, if one is easily found: *root is the list of the lowest node, if
 * that is much shorter than the table, and the caller's. */
tacit_status tacit__mingen_start(tacit__mingen_found *found, tacit__list **root,
                                 tacit__counter *counter, tacit_error *err);

/* Finds the best node. Cancelled, it says how far it came. */
tacit_status tacit__mingen_search(tacit__mingen_found *found, tacit__counter *counter,
                                  tacit__list *root, tacit_error *err);

/* The k-minimal generalizations, in ascending order. best stays known. */
typedef struct tacit__minimal {
    const tacit__mingen_node **nodes;
    int64_t count;
} tacit__minimal;

tacit_status tacit__mingen_minimal(tacit__minimal *out, const tacit__mingen_node *best,
                                   tacit__counter *counter, tacit__list *root, tacit_error *err);

#endif
