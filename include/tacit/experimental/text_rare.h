/*
 * text_rare.h - facts that are left in scrubbed text and are rare within the batch (section
 * 9.5 of Sweeney's Computational Disclosure Control, Figure 115): nothing in the girl's story
 * needed scrubbing, and there is only one such girl. Scrubbed text is de-identified, not
 * anonymous; these are the facts that say how far from it.
 *
 * A fact is a word, or two words of one clause with nothing but small words between them
 * ("foster care", "set fire", "age of two"), outside of what was replaced. Facts are held by
 * documents; one that a single document holds can single it out.
 *
 * Each thread has a collector of its own; merged in any order they give the same report.
 * Memory is bounded: where there are more facts than a collector keeps, the most telling kinds
 * of facts are kept, and of those that are equally telling the same sample everywhere. What
 * is kept is counted exactly.
 */
#ifndef TACIT_TEXT_RARE_H
#define TACIT_TEXT_RARE_H

#include <tacit/experimental/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What makes a fact telling; the later, the more so. */
typedef enum tacit_rare_kind {
    TACIT_RARE_WORD,
    TACIT_RARE_PLACE, /* and nationalities */
    TACIT_RARE_DISEASE,
    TACIT_RARE_KIN,
    TACIT_RARE_OCCUPATION,
    TACIT_RARE_NAME,  /* in lists of names and no word of English: perhaps one that was missed */
    TACIT_RARE_EVENT, /* what happens to few, and what newspapers write about */
    TACIT_RARE_KINDS
} tacit_rare_kind;

const char *tacit_rare_kind_name(tacit_rare_kind kind);

typedef struct tacit_rare tacit_rare;

enum { TACIT_RARE_FACTS = 1 << 16 };

/* A collector that keeps so many facts; 0 is TACIT_RARE_FACTS, at most 17 MB. Collectors that
 * are to be merged keep equally many. */
tacit_status tacit_rare_new(tacit_rare **out, size_t facts, tacit_error *err);
void tacit_rare_free(tacit_rare *rare);

/* A scrubbed piece of a document, while the text that it was made of is still there. All pieces of
 * a document go to one collector, with no other document's between them. */
tacit_status tacit_rare_add(tacit_rare *rare, uint64_t document, const tacit_scrubbed *piece,
                            tacit_error *err);

/* What `from` collected goes into the other one as well. No document was added to both. */
tacit_status tacit_rare_merge(tacit_rare *rare, const tacit_rare *from, tacit_error *err);

typedef struct tacit_rare_fact {
    const char *words; /* folded: "foster care" */
    tacit_rare_kind kind;
    uint64_t document; /* the first that holds it */
    uint64_t holders;  /* documents */
    double bits;       /* log2 of documents / holders */
    double score;      /* bits, and how rare the words are in English, by kind */
} tacit_rare_fact;

/* A document and the facts that it alone holds. */
typedef struct tacit_rare_document {
    uint64_t document;
    uint64_t facts;
    double score; /* sum of the facts' */
} tacit_rare_document;

typedef struct tacit_rare_options {
    uint64_t below;   /* facts held by fewer documents are rare; 2: by one only */
    size_t facts;     /* at most so many in the list */
    size_t documents; /* the same */
} tacit_rare_options;

typedef struct tacit_rare_report {
    uint64_t documents;     /* of the batch */
    uint64_t distinct;      /* facts that were kept, and counted */
    uint64_t rare;          /* of these */
    uint64_t alone;         /* documents with a fact that no other one has */
    uint64_t several;       /* documents with three or more of these: a sequence can identify */
    bool complete;          /* no fact was left out for lack of room */
    tacit_rare_fact *facts; /* by score; a fact whose words all stand in those before it, of
                             * the same document, is left out */
    size_t fact_count;
    tacit_rare_document *most; /* documents by number of facts, most first */
    size_t max_count;
} tacit_rare_report;

tacit_status tacit_rare_list(tacit_rare_report **out, const tacit_rare *rare,
                             const tacit_rare_options *options, tacit_error *err);
void tacit_rare_report_free(tacit_rare_report *report);

#ifdef __cplusplus
}
#endif
#endif
