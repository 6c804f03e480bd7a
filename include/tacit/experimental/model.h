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
    TACIT_MODEL_DISTINCT = 0,   /* l-diversity: at least `bound` different sensitive values */
    TACIT_MODEL_ENTROPY,        /* entropy l-diversity: entropy of the values at least
                                   log(bound) */
    TACIT_MODEL_RECURSIVE,      /* recursive (c,l)-diversity, l = bound, c = second: the most
                                   frequent value occurs less often than c times the l-th, the
                                   (l+1)-th ... together */
    TACIT_MODEL_ALPHA,          /* (alpha,k): no value has more than the share `bound` */
    TACIT_MODEL_CLOSENESS,      /* t-closeness, equal distance: half the sum of differences of
                                   shares between class and table at most `bound` */
    TACIT_MODEL_CLOSENESS_TREE, /* the same with the distance of values in a hierarchy: level
                                   of their lowest common ancestor over the height */
    TACIT_MODEL_PRESENCE,       /* delta-presence: of the people in the population file whom a
                                   class covers, a share from `second` to `bound` is in the data;
                                   with a `second` above 0 everybody is covered by some class,
                                   else he is known to be absent */
    TACIT_MODEL_MAP             /* k-map: a class covers at least `bound` of the population */
} tacit_model_kind;

enum { TACIT_MODELS = TACIT_MODEL_MAP + 1 };

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
 * alpha. Closeness by equal distances tells all values apart and is stricter than any nearness. */
static inline bool tacit_model_counts_values(tacit_model_kind kind)
{
    return kind <= TACIT_MODEL_ALPHA;
}

/* Shares, entropies and distances that differ by no more are equal. */
#define TACIT_MODEL_TOLERANCE 1e-9

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
