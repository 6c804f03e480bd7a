/*
 * uniques.h - the inside of the room: distinct combinations, the records as searches see them, and
 * what searches find.
 */
#ifndef TACIT_SRC_UNIQUES_UNIQUES_H
#define TACIT_SRC_UNIQUES_UNIQUES_H

#include <stdatomic.h>

#include <tacit/experimental/uniques.h>

/*
 * Distinct combinations: the rows of the table sorted by their codes, so that the rows of a
 * combination stand together, ascending; where each combination starts; and for
 * each row its combination. Combinations are in the order of their codes, which
 * are those of the table: by first appearance, missing last.
 */
struct tacit_distinct {
    const tacit_table *table;
    int32_t columns[TACIT_UNIQUES_COLUMNS]; /* of the table */
    int32_t column_count;
    tacit_missing missing;
    uint32_t rows;
    uint32_t count;
    uint32_t *order;  /* rows */
    uint32_t *starts; /* count + 1 places in order */
    uint32_t *of;     /* a row each */
};

/* Rows of a combination. */
static inline uint32_t tacit__distinct_size(const tacit_distinct *distinct, uint32_t combination)
{
    return distinct->starts[combination + 1] - distinct->starts[combination];
}

/* A combination's code in the i-th column. */
static inline uint32_t tacit__distinct_code(const tacit_distinct *distinct, uint32_t combination,
                                            int32_t i)
{
    return tacit_codes_at(tacit_table_codes(distinct->table, distinct->columns[i]),
                          distinct->order[distinct->starts[combination]]);
}

/* Codes of the i-th column, missing among them. */
static inline uint32_t tacit__distinct_codes(const tacit_distinct *distinct, int32_t i)
{
    return tacit_table_distinct(distinct->table, distinct->columns[i]) + 1;
}

/* The code that missing has in the i-th column where it matches anything, or
 * UINT32_MAX where it is a value like any other. */
static inline uint32_t tacit__distinct_wild(const tacit_distinct *distinct, int32_t i)
{
    return distinct->missing == TACIT_MISSING_ANY
               ? tacit_table_distinct(distinct->table, distinct->columns[i])
               : UINT32_MAX;
}

/*
 * The records as the search for prime implicants sees them.
 *
 * Items are the distinct combinations, with their rows as weights. Columns are
 * in the order in which the search takes them, the most telling ones first, and
 * sets are in bits of this order until the search ends. A
 * cell is a number that stands for one value of one column in the whole table,
 * so that counts of values of all columns lie in one array.
 *
 * Values that at most k rows have are not told apart: their column alone is a
 * prime implicant of these rows, which is known beforehand, and no other prime
 * implicant of them holds it. Such a cell is its column's `base`, and is not
 * equal to anything. Where missing matches anything it is `base + 1`.
 */
typedef struct tacit__ground {
    const tacit_distinct *distinct;
    uint32_t k;
    int columns;
    uint32_t items;
    uint32_t *cells;                         /* item by item, a column each */
    uint32_t *weights;                       /* an item each: its rows */
    uint32_t base[TACIT_UNIQUES_COLUMNS];    /* a column each: its first value */
    uint32_t values;                         /* of all columns together */
    int32_t position[TACIT_UNIQUES_COLUMNS]; /* a column each: its place in the caller's list */
    bool wild;                               /* missing matches anything */
    uint32_t *counts[TACIT_UNIQUES_COLUMNS]; /* a column each: by code, the rows that have it */
} tacit__ground;

/* With a k of 0 all values are told apart. */
tacit_status tacit__ground_init(tacit__ground *ground, const tacit_distinct *distinct, int64_t k,
                                const tacit_run *run, tacit_error *err);
void tacit__ground_clear(tacit__ground *ground);

static inline const uint32_t *tacit__ground_cells(const tacit__ground *ground, uint32_t item)
{
    return ground->cells + (size_t)item * (size_t)ground->columns;
}

/* Whether a cell is missing and matches anything. */
static inline bool tacit__ground_wild(const tacit__ground *ground, int column, uint32_t cell)
{
    return ground->wild && cell == ground->base[column] + 1;
}

/*
 * Records put together by their values in one column after the other.
 *
 * A part is a group of records that match, its own ones first: those that have
 * the same values in the columns so far, missing among them. Where missing
 * matches anything, other members follow: records that match the own ones with
 * other values, some of them missing. Each record is own in one part.
 */
typedef struct tacit__uniques_part {
    size_t start; /* in the members of all */
    uint32_t size;
    uint32_t own;
    uint32_t weight; /* rows of all members */
} tacit__uniques_part;

/* Zero-initialized is empty. */
typedef struct tacit__uniques_parts {
    uint32_t *members; /* items, part by part */
    size_t member_count, members_capacity;
    tacit__uniques_part *parts;
    size_t part_count, parts_capacity;
} tacit__uniques_parts;

/* Told of every part that comes out of a refinement, with its members; whether
 * it is kept. */
typedef bool (*tacit__keep_fn)(void *context, const tacit__uniques_part *part,
                               const uint32_t *members);

/* What refining needs besides. */
typedef struct tacit__refiner {
    const tacit__ground *ground;
    uint32_t *places; /* by value: members, then where the next one goes; zeros between uses */
    uint32_t *owns;   /* by value: own members; zeros between uses */
    uint32_t *values; /* that occur in the part at hand */
    uint32_t *dealt;  /* its members by value, those that match any last */
    tacit__keep_fn keep;
    void *context;
} tacit__refiner;

tacit_status tacit__refiner_init(tacit__refiner *refiner, const tacit__ground *ground,
                                 tacit__keep_fn keep, void *context, tacit_error *err);
void tacit__refiner_clear(tacit__refiner *refiner);

/* One part of all records. */
tacit_status tacit__parts_init(tacit__uniques_parts *partition, const tacit__ground *ground,
                               tacit_error *err);
void tacit__parts_clear(tacit__uniques_parts *partition);

/* The parts of `from` by a further column, into `to` in place of what it held. */
tacit_status tacit__parts_refine(tacit__uniques_parts *to, const tacit__uniques_parts *from,
                                 int column, tacit__refiner *refiner, tacit_error *err);

/*
 * The sets that a search comes upon, before it is known which of them
 * are minimal.
 *
 * Each worker keeps its own, apart by size, in chunks that never move. Their
 * number is bounded: when there are too many, the largest size is given up,
 * everywhere and for good, so that what remains is every set up to some size,
 * whatever the number of threads.
 */

/* A set on which at most k rows match an item, and is prime unless a smaller one is. */
typedef struct tacit__find {
    uint64_t set; /* in the ground's columns */
    uint32_t item;
    uint32_t records;
} tacit__find;

enum { TACIT__FIND_CHUNK = 2047 }; /* finds and a header in 32 KiB */

typedef struct tacit__finds {
    struct tacit__finds *next;
    uint32_t count;
    tacit__find finds[TACIT__FIND_CHUNK];
} tacit__finds;

enum { TACIT__SET_SIZES = TACIT_UNIQUES_COLUMNS + 1 };

typedef struct tacit__uniques_found {
    atomic_int bound;                           /* sizes above it are given up */
    int first;                                  /* sizes below it are not collected */
    size_t most;                                /* finds that may be kept */
    atomic_size_t full[TACIT__SET_SIZES];       /* finds in full chunks, by size */
    tacit__finds *(*workers)[TACIT__SET_SIZES]; /* a worker each: chunks by size, newest first */
    int worker_count;
} tacit__uniques_found;

tacit_status tacit__found_init(tacit__uniques_found *found, int workers, size_t most, int bound,
                               tacit_error *err);
void tacit__found_clear(tacit__uniques_found *found);

/* Makes room for another find of a size; false when out of memory. */
bool tacit__found_grow(tacit__uniques_found *found, int worker, int size);

/* Keeps a find, unless its size is not wanted. False when out of memory. */
static inline bool tacit__found_add(tacit__uniques_found *found, int worker, int size,
                                    tacit__find find)
{
    if (size < found->first)
        return true;
    tacit__finds *chunk = found->workers[worker][size];
    if (!chunk || chunk->count == TACIT__FIND_CHUNK) {
        if (size > atomic_load_explicit(&found->bound, memory_order_relaxed))
            return true;
        if (!tacit__found_grow(found, worker, size))
            return false;
        chunk = found->workers[worker][size];
        if (!chunk)
            return true;
    }
    chunk->finds[chunk->count++] = find;
    return true;
}

/* The prime implicants of every combination, in their order. Zero-initialized is empty. */
typedef struct tacit__primes {
    tacit_unique_set *sets; /* combination by combination */
    size_t *starts;         /* where each one's start; one more at the end */
} tacit__primes;

/* Takes the minimal ones out of found, which is empty afterwards. */
tacit_status tacit__primes_init(tacit__primes *primes, tacit__uniques_found *found,
                                const tacit__ground *ground, const tacit_run *run,
                                tacit_error *err);
void tacit__primes_clear(tacit__primes *primes);

/* How far a search has come. */
typedef struct tacit__uniques_reach {
    int complete;     /* sets of up to so many columns are all there */
    tacit_status end; /* OK: all that was asked for; LIMIT or CANCELLED otherwise */
} tacit__uniques_reach;

/* Collects in found, whose bound is the size of the largest sets wanted, every
 * prime set of every item and others that hold one of them. A search that is
 * stopped leaves what it has reached. Once it has looked at more than `budget`
 * cells it goes size by size. */
tacit_status tacit__search(tacit__uniques_reach *reach, const tacit__ground *ground,
                           tacit__uniques_found *found, int64_t budget, const tacit_run *run,
                           tacit_error *err);

struct tacit_uniques {
    const tacit_distinct *distinct;
    tacit__primes primes;
    tacit_uniques_summary summary;
};

/* The prime implicants of a combination. */
static inline tacit_unique_sets_view tacit__uniques_sets(const tacit_uniques *uniques,
                                                         uint32_t combination)
{
    const size_t *starts = uniques->primes.starts;
    return (tacit_unique_sets_view){.sets = uniques->primes.sets + starts[combination],
                                    .count =
                                        (int64_t)(starts[combination + 1] - starts[combination])};
}

/* Classes of the sample by size, ascending. */
typedef struct tacit__class_sizes {
    uint32_t *sizes;
    double *counts;
    size_t count;
    double classes; /* all of them */
    double rows;
    double alone, pairs; /* classes of one row, and of two */
} tacit__class_sizes;

/* From the sizes in any order; classes of nobody do not count. */
tacit_status tacit__class_sizes_init(tacit__class_sizes *out, const uint32_t *sizes, int64_t count,
                                     tacit_error *err);
void tacit__class_sizes_clear(tacit__class_sizes *sizes);

/* The model that the rule of Dankar and others takes of these estimates: of up to a tenth of the
 * population Pitman's; otherwise the smaller of the other two. Zayatz's always exists. */
bool tacit__few_sampled(const tacit__class_sizes *sizes, double population);
tacit_uniqueness_model tacit__dankar(bool few, double pitman, double zayatz, double snb);

/* People who are unique among `population`, or NAN where the model does not fit. */
double tacit__pitman(const tacit__class_sizes *sample, double population);
double tacit__zayatz(const tacit__class_sizes *sample, double population);
double tacit__snb(const tacit__class_sizes *sample, double population);

#endif
