/*
 * model.h - what can be promised beyond k: words that the policy, the methods
 * and the judge share, and nothing that computes. Methods and judge each check a
 * model with code of their own.
 *
 * A class is a group of released rows that share every value of the
 * quasi-identifier; suppressed rows are a class too. A sensitive value that is
 * missing is a value like any other. Rows are counted, not people. All models
 * survive the joining of classes: if two classes keep one, so does their union.
 */
#ifndef TACIT_MODEL_H
#define TACIT_MODEL_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_model_kind {
    TACIT_MODEL_DISTINCT = 0,      /* l-diversity: at least `bound` different sensitive values */
    TACIT_MODEL_ENTROPY,           /* entropy l-diversity: entropy of the values at least
                                      log(bound) */
    TACIT_MODEL_RECURSIVE,         /* recursive (c,l)-diversity, l = bound, c = second: the most
                                      frequent value occurs less often than c times the l-th, the
                                      (l+1)-th ... together */
    TACIT_MODEL_ALPHA,             /* (alpha,k): no value has more than the share `bound` */
    TACIT_MODEL_CLOSENESS,         /* t-closeness, equal distance: half the sum of differences of
                                      shares between class and table at most `bound` */
    TACIT_MODEL_CLOSENESS_TREE,    /* the same with the distance of values in a hierarchy: level
                                      of their lowest common ancestor over the height */
    TACIT_MODEL_CLOSENESS_ORDER,   /* the same for numbers, by their ranks: the distance of two is
                                     what lies between them over what lies between the first and
                                     the last; a value that is no number is 1/2 away from the middle
                                     of the order, so 1 from its ends and from its like */
    TACIT_MODEL_LIKENESS,          /* beta-likeness: no value's share grows from table to class by
                                      more than `bound` times itself */
    TACIT_MODEL_LIKENESS_ENHANCED, /* the same with bound or -ln(share in the table), whichever is
                                      less */
    TACIT_MODEL_DISCLOSURE,        /* delta-disclosure privacy: |log2 of share in the class over
                                      share in the table| below `bound` for every value of the
                                      table, so that a class has all of them */
    TACIT_MODEL_RANGE,             /* (k,e): the largest number is at least `bound` above the
                                      smallest */
    TACIT_MODEL_PRESENCE,          /* delta-presence: of the people in the population file whom a
                                      class covers, a share from `second` to `bound` is in the data;
                                      with a `second` above 0 everybody is covered by some class,
                                      else he is known to be absent */
    TACIT_MODEL_MAP,               /* k-map: a class covers at least `bound` of the population */
    TACIT_MODEL_MAP_ESTIMATED /* the same where nobody has a register: the rows of a class stand
                                 for at least `bound` people, by the sampling weights in a
                                 column: an estimate of how many it covers */
} tacit_model_kind;

enum { TACIT_MODELS = TACIT_MODEL_MAP_ESTIMATED + 1 };

/* The model's name, such as "entropy". */
const char *tacit_model_name(tacit_model_kind kind);

/* A model and its parameters. */
typedef struct tacit_model_bound {
    tacit_model_kind kind;
    double bound;
    double second; /* where the kind has two */
} tacit_model_bound;

/* Name and parameters, as a message has them: "recursive 2/3". Returns buffer. */
const char *tacit_model_text(char *buffer, size_t size, const tacit_model_bound *model);

/* How far apart two numbers of a sensitive column may be and still count as one value, to models
 * that count values and to who looks for classes that give one away. */
typedef struct tacit_spread {
    double amount; /* 0: only equal values are one */
    bool share;    /* the amount is a share of the column's range */
} tacit_spread;

/* The spread, as a share, where none is given. */
#define TACIT_MODEL_SPREAD 0.05

/* Whether a model is about how often each value occurs, so that nearness matters: diversity and
 * alpha. Closeness by equal distances, likeness and disclosure tell all values apart. */
static inline bool tacit_model_counts_values(tacit_model_kind kind)
{
    return kind <= TACIT_MODEL_ALPHA;
}

/* Shares, entropies and distances that differ by no more are equal. */
#define TACIT_MODEL_TOLERANCE 1e-9

/* How the people who are unique in a population are estimated from a sample of it. */
typedef enum tacit_uniqueness_model {
    TACIT_UNIQUENESS_NONE = 0, /* nothing had to be estimated; of a promise: there is none */
    TACIT_UNIQUENESS_PITMAN,
    TACIT_UNIQUENESS_ZAYATZ,
    TACIT_UNIQUENESS_SNB,   /* the slide negative binomial model */
    TACIT_UNIQUENESS_DANKAR /* which of the three the rule of Dankar and others takes */
} tacit_uniqueness_model;

enum { TACIT_UNIQUENESS_MODELS = TACIT_UNIQUENESS_DANKAR + 1 };

/* The model's name, such as "pitman". */
const char *tacit_uniqueness_name(tacit_uniqueness_model model);

/* What is promised of a release as a whole, for every quasi-identifier; zeros promise nothing.
 * People are what k counts: rows, people or households, each once in a class.
 *
 * The average is the mean over people of 1 / people of their class, so classes / people. It has to
 * hold for the rows that are not suppressed, and for all that are released, where suppressed rows
 * are a class.
 *
 * The share that is unique in the population is estimated from the sizes of the classes, and 0
 * where no class is a single person's. It only means something for a random sample, which rows are
 * none after those that stood out were suppressed: each suppressed or left out person counts as a
 * class of his own.
 *
 * Other than models, these need not survive the joining of classes, but for the average where
 * every row is a person. */
typedef struct tacit_risk_bounds {
    double average;               /* at most; 0: no bound */
    tacit_uniqueness_model model; /* NONE: no bound */
    double unique;                /* share of the population, at most */
    double fraction;              /* share of the population that is in the data */
} tacit_risk_bounds;

static inline bool tacit_risk_bounds_any(const tacit_risk_bounds *bounds)
{
    return bounds->average > 0 || bounds->model != TACIT_UNIQUENESS_NONE;
}

/* How much an estimate may be above its bound: methods and judge compute it differently. */
#define TACIT_RISK_TOLERANCE 1e-6

/* How a data holder of mu-Argus rates an attribute: the combinations that are
 * tested depend on it (Figure 49). */
typedef enum tacit_rating {
    TACIT_RATING_IDENTIFYING = 0, /* also where none is given */
    TACIT_RATING_MORE,
    TACIT_RATING_MAX
} tacit_rating;

#ifdef __cplusplus
}
#endif
#endif
