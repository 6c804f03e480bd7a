/*
 * text_learn.h - scrubbing fitted to a collection (section 9.3 of Sweeney's Computational
 * Disclosure Control: "During a training session on the database, template probabilities are
 * adjusted and their effectiveness measured").
 *
 * People mark what is personal in some documents. A part of these is held out. From the others
 * come the likelihoods of templates, the weights of words and the threshold; the held-out part
 * says what recall and precision were before and what they are after. Beside that the session
 * tells what is of no use in this collection.
 *
 * The same documents give the same result, in whatever order and with any number of threads.
 */
#ifndef TACIT_TEXT_LEARN_H
#define TACIT_TEXT_LEARN_H

#include <tacit/experimental/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What people marked, in bytes from the start of the document. */
typedef struct tacit_text_mark {
    uint64_t start, end;
    tacit_strview label; /* their word for it: "PATIENT", "DATE" */
} tacit_text_mark;

/* A document with its marks, in any order; all borrowed. Its marks may be none. */
typedef struct tacit_text_marked {
    tacit_strview text;
    const tacit_text_mark *marks;
    size_t mark_count;
} tacit_text_marked;

enum { TACIT_LEARN_FEWEST = 8, TACIT_LEARN_LABELS = 256 };

typedef struct tacit_learn_options {
    /* The settings to begin with: templates, known names, special detectors and what was
     * learned before. A threshold that is not TACIT_SCRUB_LEARNED is kept. */
    tacit_scrub_options scrub;
    double precision; /* the goal: the most recall with this precision; 0.9 */
    double prior;     /* matches that a template's first likelihood is worth; 10 */
} tacit_learn_options;

void tacit_learn_options_init(tacit_learn_options *options);

/* Tokens are runs of letters, digits and underscores. One is personal if a mark touches it,
 * and found if a span does. */
typedef struct tacit_learn_score {
    uint64_t tokens, personal, found, both;
    uint64_t clean, touched; /* documents without a mark, and those of them with a span */
} tacit_learn_score;

/* From 0 to 1; 1 where there is nothing to be found, or nothing was. */
double tacit_learn_recall(const tacit_learn_score *score);
double tacit_learn_precision(const tacit_learn_score *score);

/* What learning strives for: recall, in full where the precision is reached and nine in ten
 * documents with nothing personal in them are left alone, and otherwise in the proportion that
 * these are reached in. Finding all and finding nothing are both worth little. */
double tacit_learn_value(const tacit_learn_score *score, double precision);

/* Whether a is worth more than b or, being worth the same, is more precise. */
bool tacit_learn_better(const tacit_learn_score *a, const tacit_learn_score *b, double precision);

typedef struct tacit_learn_label {
    char *label;
    uint64_t marks;    /* in the collection */
    uint64_t personal; /* tokens of the held-out part; the first mark that touches one counts */
    uint64_t before, after; /* those that were found */
} tacit_learn_label;

typedef struct tacit_learn_template {
    tacit_text_kind kind;
    char *text;
    int before, after; /* likelihoods */
    uint64_t matches;  /* in the collection */
    /* In the learning part, where no stronger template lies over it: how many, and how many of
     * these were personal or, of a kind that is kept, were not. */
    uint64_t decided, right;
} tacit_learn_template;

/* How names are written, by the marks that say a person. */
typedef struct tacit_learn_casing {
    uint64_t documents;       /* with names */
    uint64_t capitals, lower; /* of these: where all names of two letters or more are so */
} tacit_learn_casing;

typedef struct tacit_learned {
    char *text; /* for tacit_scrub_options.weights; terminated */
    size_t len;
    size_t learning, held_out; /* documents */
    int threshold_before, threshold;
    bool words; /* the weights of words were learned; false: those of before did better */
    bool worse; /* the held-out part is scrubbed worse than before: the text should not be used */
    tacit_learn_score before, after; /* of the held-out part */
    tacit_learn_label *labels;       /* by name */
    size_t label_count;
    tacit_learn_template *templates; /* in their order: the shipped ones first */
    size_t template_count;
    tacit_learn_casing casing;
} tacit_learned;

/* TACIT_INVALID where there are fewer than TACIT_LEARN_FEWEST documents, where nothing is marked
 * or a mark lies outside its text. run may be NULL. */
tacit_status tacit_scrub_learn(tacit_learned **out, const tacit_text_marked *documents,
                               size_t count, const tacit_learn_options *options,
                               const tacit_run *run, tacit_error *err);
void tacit_learned_free(tacit_learned *learned);

#ifdef __cplusplus
}
#endif
#endif
