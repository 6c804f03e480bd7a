/*
 * ambiguity.h - what the files that judge ambiguity share.
 */
#ifndef TACIT_AUDIT_AMBIGUITY_AMBIGUITY_H
#define TACIT_AUDIT_AMBIGUITY_AMBIGUITY_H

#include "audit/ambiguity/patterns.h"
#include "audit/rows/group.h"

/* "*" that the original has of its own, which are no blanks: attributes by bits. */
typedef struct tacit__own_stars {
    const tacit__judge *judge;
    uint64_t some;                      /* in which it has any */
    uint32_t code[TACIT__MAX_PROMISED]; /* of "*" in those */
} tacit__own_stars;

void tacit__own_stars_init(tacit__own_stars *own, const tacit__judge *judge);

/* The blanks of a row, of the attributes that are "*" in it. Where rows do not correspond,
 * those in which the original has any "*" do not count. */
uint64_t tacit__blanks_of(const tacit__own_stars *own, int64_t row, uint64_t stars);

/* Patterns by what they can agree with (screen.c), where groups are many; otherwise, and
 * zero-initialized, none. */
enum { TACIT__SCREEN_WORDS = 16 }; /* of bits that are looked at together */
typedef struct tacit__screen {
    uint64_t *bits; /* NULL: none */
    int64_t words;
    uint32_t *group_of; /* a pattern each */
} tacit__screen;

tacit_status tacit__screen_init(tacit__screen *screen, const tacit__patterns *p, tacit_error *err);
void tacit__screen_clear(tacit__screen *screen);

/* Goes through the patterns that agree with one, itself among them, ascending; -1 at the end. */
typedef struct tacit__screen_look {
    const tacit__screen *screen;
    const tacit__patterns *p;
    int64_t pattern;
    const uint64_t *lanes[TACIT__MAX_PROMISED];
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

/* The released rows as people; codes are borrowed from the patterns. */
tacit_status tacit__people_released(tacit__ambiguity_people *people, const tacit__patterns *p,
                                    tacit_error *err);
void tacit__people_clear(tacit__ambiguity_people *people);

/* The people who fit a row of each pattern, and the rows that each of them fits. */
tacit_status tacit__people_count(int64_t *fitting, tacit__ambiguity_people *people,
                                 const tacit__patterns *p, const tacit_run *run, tacit_error *err);

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

/* Counts blanks into the verdict, and finds those beyond the limits. */
tacit_status tacit__judge_blanks(tacit__judge *judge, tacit_error *err);

/* What an adversary takes for the values of an attribute (domains.c). */
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
