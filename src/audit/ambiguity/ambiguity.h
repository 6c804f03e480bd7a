/*
 * ambiguity.h - what the files that judge ambiguity share.
 */
#ifndef TACIT_AUDIT_AMBIGUITY_AMBIGUITY_H
#define TACIT_AUDIT_AMBIGUITY_AMBIGUITY_H

#include "audit/judge/judge.h"
#include "audit/rows/rows.h"

/* Rows in which "*" agrees with anything, folded.
 *
 * Rows that are the same in some columns are one pattern. Patterns with "*" in the
 * same columns are a group, and two patterns of a group never agree. Whether
 * patterns of two groups do is a question about the columns outside both.
 *
 * A pattern is a few words of bits, in which every column has a field of its own, so
 * that a comparison is an exclusive or. Columns stand in places of their own order:
 * those that are hardly ever "*" first, in the highest bits. Patterns of a group ascend
 * as numbers, so those that a pattern can agree with stand together as far as it has
 * no "*" in the first places. */

/* Where a column is in a pattern's words. */
typedef struct tacit__field {
    int word;
    int shift;
    uint64_t mask; /* of its bits, shifted down */
} tacit__field;

typedef struct tacit__pattern_group {
    uint64_t stars; /* a bit a place: "*" */
    int64_t from;   /* the first pattern */
    int64_t to;     /* and the one behind the last */
} tacit__pattern_group;

typedef struct tacit__patterns {
    int32_t columns;
    int32_t column[TACIT__MAX_AMBIGUOUS]; /* place -> which of the columns asked for */
    uint32_t star[TACIT__MAX_AMBIGUOUS];  /* place -> code of "*", or UINT32_MAX */
    tacit__field field[TACIT__MAX_AMBIGUOUS];
    int words;                      /* of a pattern */
    int bits[TACIT__MAX_AMBIGUOUS]; /* of each word that are in use, from the lowest */
    int64_t count;
    uint64_t *codes;  /* pattern by pattern */
    int64_t *rows;    /* of each pattern */
    uint32_t *of_row; /* row -> its pattern */
    int64_t row_count;
    tacit__pattern_group *groups; /* ascending by stars, so that those without any come first */
    int64_t group_count;
    uint64_t *covers; /* group by group, words each: bits of columns that are "*" */
    uint64_t *before; /* and of the columns in front of the first that is */
} tacit__patterns;

/* Folds the rows of a table by some of its columns, at most TACIT__MAX_AMBIGUOUS, all coded. */
tacit_status tacit__patterns_init(tacit__patterns *patterns, const tacit_table *table,
                                  const int32_t *columns, int32_t count, const tacit_run *run,
                                  tacit_error *err);
void tacit__patterns_clear(tacit__patterns *patterns);

static inline const uint64_t *tacit__pattern(const tacit__patterns *p, int64_t pattern)
{
    return p->codes + pattern * p->words;
}

static inline uint32_t tacit__pattern_code(const tacit__patterns *p, int64_t pattern, int place)
{
    const tacit__field *field = &p->field[place];
    return (uint32_t)(tacit__pattern(p, pattern)[field->word] >> field->shift & field->mask);
}

static inline int64_t tacit__group_size(const tacit__pattern_group *group)
{
    return group->to - group->from;
}

/* The first pattern with any "*"; those behind it have some too. */
int64_t tacit__first_starred(const tacit__patterns *p);
int64_t tacit__group_of(const tacit__patterns *p, int64_t pattern);

/* Bits of places as bits of the columns asked for. */
uint64_t tacit__by_column(const tacit__patterns *p, uint64_t places);

/* The bits that patterns of two groups must have in common to agree; words of them. */
static inline void tacit__outside(uint64_t *keep, const tacit__patterns *p, int64_t g, int64_t h)
{
    for (int w = 0; w < p->words; w++)
        keep[w] = ~(p->covers[g * p->words + w] | p->covers[h * p->words + w]);
}

/* Where in group h all that a pattern of group g can agree with stands. */
typedef struct tacit__ambiguity_stretch {
    int64_t from, to;
} tacit__ambiguity_stretch;
tacit__ambiguity_stretch tacit__near(const tacit__patterns *p, int64_t pattern, int64_t g,
                                     int64_t h);

/* The first pattern of a stretch that has the same bits as a pattern, or its end. */
int64_t tacit__next_alike(const tacit__patterns *p, int64_t pattern, const uint64_t *keep,
                          tacit__ambiguity_stretch stretch);

/* The patterns of a group by some of their bits. Zero-initialized is empty. */
typedef struct tacit__ambiguity_keyed {
    int words;
    int64_t count;    /* different keys, ascending */
    uint64_t *keys;   /* words each */
    uint32_t *key_of; /* pattern of the group, from 0 -> its key */
    uint64_t keep[TACIT__MAX_AMBIGUOUS];
} tacit__ambiguity_keyed;

tacit_status tacit__keyed_init(tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                               const tacit__pattern_group *group, const uint64_t *keep,
                               tacit_error *err);
void tacit__keyed_clear(tacit__ambiguity_keyed *keyed);

/* The key that any pattern has, or -1 where none of the group has it. */
int64_t tacit__keyed_find(const tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                          int64_t pattern);

/* "*" that the original has of its own, which are no blanks: attributes by bits. */
typedef struct tacit__own_stars {
    const tacit__judge *judge;
    uint64_t some;                       /* in which it has any */
    uint32_t code[TACIT__MAX_AMBIGUOUS]; /* of "*" in those */
} tacit__own_stars;

void tacit__own_stars_init(tacit__own_stars *own, const tacit__judge *judge);

/* The blanks of a row, of the attributes that are "*" in it. Where rows do not correspond,
 * those in which the original has any "*" do not count. */
uint64_t tacit__blanks_of(const tacit__own_stars *own, int64_t row, uint64_t stars);

/* Patterns by what they can agree with, where groups are many; otherwise, and
 * zero-initialized, none. */
enum { TACIT__SCREEN_WORDS = 16 }; /* of bits that are looked at together */
typedef struct tacit__screen {
    uint64_t *bits; /* NULL: none */
    int64_t words;
    uint32_t *group_of; /* a pattern each */
} tacit__screen;

/* Goes through the patterns that agree with one, itself among them, ascending; -1 at the end. */
typedef struct tacit__screen_look {
    const tacit__screen *screen;
    const tacit__patterns *p;
    int64_t pattern;
    const uint64_t *lanes[TACIT__MAX_AMBIGUOUS];
    int32_t lane_count;
    int64_t word;
    uint64_t left[TACIT__SCREEN_WORDS];
} tacit__screen_look;

void tacit__screen_aim(tacit__screen_look *look, const tacit__screen *screen,
                       const tacit__patterns *p, int64_t pattern);
int64_t tacit__screen_next(tacit__screen_look *look);

/* People who look for rows that they fit (fits.c), folded: those of the original, or the released
 * rows, of whom nothing is known where they have "*". Zero-initialized is none. */
typedef struct tacit__ambiguity_people {
    int64_t count;
    const uint64_t *codes; /* as patterns have them, words each */
    uint64_t *owned;       /* the same, where they are not the release's */
    uint64_t *absent;      /* places by bits in which they fit "*" only */
    int64_t *sizes;
    int64_t *rows;            /* that each fits */
    tacit__partition classes; /* of the original */
} tacit__ambiguity_people;

void tacit__people_clear(tacit__ambiguity_people *people);

/* Alpha of every row of the release. */
typedef struct tacit__ambiguity {
    tacit__judge *judge;
    tacit__patterns patterns;
    tacit__screen screen;
    int64_t *alpha; /* of a row of each pattern */
    uint64_t total; /* of all rows: at most their square, which fits */
    tacit__ambiguity_people
        sure; /* the released rows, a pattern each, where both ways are promised */
} tacit__ambiguity;

/* Ambiguity both ways (fits.c). */
tacit_status tacit__judge_fits(tacit__ambiguity *ambiguity, tacit_error *err);

/* What an adversary takes for the values of an attribute. */
typedef struct tacit__domain {
    int64_t values;
    uint32_t *released; /* code of the original -> of the release, or TACIT__NOWHERE; owned; NULL
                           where the original is not at hand or the column on several levels */
} tacit__domain;

tacit_status tacit__domain_init(tacit__domain *domain, const tacit__judge *judge, int32_t attribute,
                                tacit_error *err);
void tacit__domain_clear(tacit__domain *domain);

/* The attack on minimal suppression. */
tacit_status tacit__judge_minimality(const tacit__ambiguity *ambiguity, tacit_error *err);

/* Whether a sum of alpha over all rows makes a mean of k. */
static inline bool tacit__mean_is_k(const tacit__judge *judge, uint64_t total)
{
    uint64_t rows = (uint64_t)tacit_table_rows(judge->release), k = (uint64_t)judge->promise->k;
    return rows == 0 || total / rows >= k;
}

#endif
