/*
 * text.h - text without personal information (Scrub: chapter 9 of Sweeney's
 * Computational Disclosure Control).
 *
 * A scrubber holds what is the same for all documents: templates, the model of words, known
 * names, how to replace. It is made once, never changes and may be used by many threads. A
 * reader belongs to one thread and goes through one document after another, each in one
 * piece or in many, so that memory does not depend on a document's length.
 *
 * Detectors propose spans, one arbiter decides, one replacer rewrites. Every byte outside a
 * span is copied as it is. Scrubbed text is de-identified, not anonymous.
 */
#ifndef TACIT_TEXT_H
#define TACIT_TEXT_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a span is. Up to TACIT_TEXT_REFERENCE they are those of Figure 111, in its order, with
 * measurements and medical terms further down. Blocks have others as constituents and are not
 * replaced themselves; kinds from TACIT_TEXT_KEPT on are detected in order that nothing takes
 * them for personal. */
typedef enum tacit_text_kind {
    TACIT_TEXT_NONE,
    TACIT_TEXT_IDENTIFICATION_BLOCK,
    TACIT_TEXT_MAILING_LABEL,
    TACIT_TEXT_ADDRESS_BLOCK,
    TACIT_TEXT_FULL_NAME,
    TACIT_TEXT_LOCATION,
    TACIT_TEXT_STREET,
    TACIT_TEXT_CITY,
    TACIT_TEXT_STATE,
    TACIT_TEXT_ZIP,
    TACIT_TEXT_PHONE,
    TACIT_TEXT_FIRST_NAME,
    TACIT_TEXT_MIDDLE_NAME,
    TACIT_TEXT_LAST_NAME,
    TACIT_TEXT_NICK_NAME,
    TACIT_TEXT_COUNTRY,
    TACIT_TEXT_SOCIAL_SECURITY,
    TACIT_TEXT_TITLE,
    TACIT_TEXT_ORGANIZATION,
    TACIT_TEXT_AGE,
    TACIT_TEXT_DATE,
    TACIT_TEXT_REFERENCE, /* numbers of records, cases, specimens */
    TACIT_TEXT_FAX,
    TACIT_TEXT_EMAIL,
    TACIT_TEXT_URL,
    TACIT_TEXT_IP,
    TACIT_TEXT_HOSPITAL,
    TACIT_TEXT_INITIALS,
    TACIT_TEXT_ACCOUNT,
    TACIT_TEXT_LICENCE,
    TACIT_TEXT_DEVICE,
    TACIT_TEXT_HEALTH_PLAN,
    TACIT_TEXT_BANK,
    TACIT_TEXT_CARD,
    TACIT_TEXT_VEHICLE,
    TACIT_TEXT_USER,
    TACIT_TEXT_COORDINATES,
    TACIT_TEXT_KEPT, /* from here on: never replaced */
    TACIT_TEXT_MEASUREMENT = TACIT_TEXT_KEPT,
    TACIT_TEXT_MEDICAL,
    TACIT_TEXT_EPONYM,
    TACIT_TEXT_VERB,
    TACIT_TEXT_TIME,
    TACIT_TEXT_KINDS
} tacit_text_kind;

/* "date": in options, templates and reports; in spans and tags it is in capitals, "DATE". */
const char *tacit_text_kind_name(tacit_text_kind kind);

/* TACIT_TEXT_NONE where no kind is called so, capitals or not. */
tacit_text_kind tacit_text_kind_of(tacit_strview name);

/* How a document is laid out, as far as its first piece tells. */
typedef enum tacit_text_format {
    TACIT_TEXT_LETTER,    /* has a salutation or a complimentary close */
    TACIT_TEXT_NOTE,      /* anything else */
    TACIT_TEXT_DELIMITED, /* lines of fields: what is found ends with its field */
    TACIT_TEXT_FORMATS
} tacit_text_format;

const char *tacit_text_format_name(tacit_text_format format); /* "letter" */

/* The words and phrases of the lists, and the share of other words that looking up takes for
 * one of them (Boolean look-up; docs/methods/lexicons.md). */
size_t tacit_text_lexicon_words(void);
double tacit_text_lexicon_rate(void);

/* What becomes of a span. */
typedef enum tacit_text_strategy {
    TACIT_TEXT_MAKE_UP, /* another value in the same form */
    TACIT_TEXT_TAG,     /* "[DATE]" */
    TACIT_TEXT_SUPPRESS,
    TACIT_TEXT_KEEP,
    TACIT_TEXT_LUMP,  /* dates to the month, ages to the decade, zips to three digits */
    TACIT_TEXT_SHIFT, /* dates by one secret number of days a document, see tacit_scrub_begin */
    TACIT_TEXT_STRATEGIES
} tacit_text_strategy;

/* How far the same value gets the same replacement. */
typedef enum tacit_text_scope {
    TACIT_TEXT_DOCUMENT,
    TACIT_TEXT_BATCH,  /* one run */
    TACIT_TEXT_FOREVER /* every run with the same key */
} tacit_text_scope;

enum { TACIT_TEXT_KEY_BYTES = 32 };

typedef struct tacit_scrub_options {
    int threshold; /* likelihood from 0 to 100 that a span needs, or TACIT_SCRUB_LEARNED */
    bool special;  /* heed detectors of what is kept (Scrub's false positive reduction) */
    tacit_text_strategy strategy[TACIT_TEXT_KINDS];
    tacit_text_scope scope;
    uint8_t key[TACIT_TEXT_KEY_BYTES];  /* of replacements, whatever the scope */
    tacit_strview templates;            /* further ones, written as in docs/methods/templates.md */
    tacit_strview weights;              /* what learning gave (text_learn.h), or empty */
    const tacit_strview *known;         /* names, addresses and numbers that must be found */
    const tacit_text_kind *known_kinds; /* of each; NULL, or NONE for one: told by its form */
    size_t known_count;
    bool explain; /* keep every proposal, not just those that won */
    /* Scrub what is not read as it is meant (tacit_text_unread) all the same. Else such a piece is
     * refused: TACIT_PARSE, with the reason and the place. */
    bool accept_unread;
} tacit_scrub_options;

/* Why somebody may be in a text and not be found: it is no plain text in English. */
typedef enum tacit_text_unread {
    TACIT_UNREAD_BYTES,     /* NUL, control characters, no UTF-8 */
    TACIT_UNREAD_SCRIPT,    /* other letters than Latin ones, but for a name or two */
    TACIT_UNREAD_LANGUAGE,  /* hardly a word is English */
    TACIT_UNREAD_INVISIBLE, /* soft hyphens, joiners, marks of direction within words */
    TACIT_UNREAD_LETTERS,   /* full-width, ligatures, decomposed, look-alikes of other scripts */
    TACIT_UNREAD_MARKUP,    /* HTML, XML, RTF */
    TACIT_UNREAD_ENTITIES,  /* "Smith&#39;s" */
    TACIT_UNREAD_ENCODED,   /* base64, quoted-printable */
    TACIT_UNREAD_BROKEN,    /* "O k o n k w o", or cut at the end of a line */
    TACIT_UNREAD_REASONS
} tacit_text_unread;

const char *tacit_text_unread_name(tacit_text_unread reason); /* "markup" */
const char *tacit_text_unread_why(tacit_text_unread reason); /* "mark-up, as of HTML, XML or RTF" */

/* As the weights say, or TACIT_SCRUB_THRESHOLD where they say nothing. */
enum { TACIT_SCRUB_LEARNED = -1, TACIT_SCRUB_THRESHOLD = 55 };

/* The defaults: the threshold as learned, made-up values, dates shifted, titles kept, one document,
 * a key of zeros. */
void tacit_scrub_options_init(tacit_scrub_options *options);

typedef struct tacit_scrubber tacit_scrubber;

/* What the options point to is needed during the call only. The key is kept until the scrubber
 * is freed, and is then wiped. */
tacit_status tacit_scrubber_new(tacit_scrubber **out, const tacit_scrub_options *options,
                                tacit_error *err);
void tacit_scrubber_free(tacit_scrubber *scrubber);

/* The threshold that it has. */
int tacit_scrubber_threshold(const tacit_scrubber *scrubber);

/* Offsets count bytes from the start of the document. */
typedef struct tacit_text_span {
    uint64_t start, end;
    tacit_text_kind kind;
    int likelihood;
} tacit_text_span;

typedef enum tacit_text_fate {
    TACIT_TEXT_WON,
    TACIT_TEXT_BELOW,     /* the threshold */
    TACIT_TEXT_OVERRULED, /* by one of higher precedence or likelihood */
    TACIT_TEXT_COUNTERED, /* by a detector of what is kept */
    TACIT_TEXT_UNSURE     /* a guess, where too little tells that there is anybody */
} tacit_text_fate;

/* What a detector proposed and what became of it. */
typedef struct tacit_text_proposal {
    uint64_t start, end;
    tacit_text_kind kind;
    tacit_text_kind within; /* the block that it is a part of, or its own kind */
    int likelihood;
    tacit_text_fate fate;
    const char *detector; /* "templates"; part of the library or of the scrubber */
    const char *rule;     /* "(ddd) ddd-dddd", or NULL */
} tacit_text_proposal;

/* What a piece became; borrowed until the reader is used again. */
typedef struct tacit_scrubbed {
    tacit_strview text;
    const tacit_text_span *spans;
    size_t span_count;
    /* What is left of each span in text: bytes from the start of this piece's output. */
    const struct tacit_text_replaced {
        uint64_t start, end;
    } * replaced;
    const tacit_text_proposal *proposals; /* with explain, in order of start */
    size_t proposal_count;
    tacit_text_format format;            /* of this piece */
    unsigned unread;                     /* where that is accepted: a bit for each reason */
    const struct tacit__document *words; /* of the caller's text, as they were read; for
                                            tacit_rare_add, and NULL will do */
} tacit_scrubbed;

typedef struct tacit_scrub_reader tacit_scrub_reader;

tacit_status tacit_scrub_reader_new(tacit_scrub_reader **out, const tacit_scrubber *scrubber,
                                    tacit_error *err);
void tacit_scrub_reader_free(tacit_scrub_reader *reader);

/* A new document: what was learned from the one before is forgotten. Its number in the batch
 * chooses its made-up values where the scope is a document.
 *
 * Dates move by a number of days of each document's own, whatever the scope. It follows from the
 * key and the document's text (the piece with its first date), and its number where the scope is a
 * document: the same text is moved alike in every run with the key, another one is not, and nobody
 * who knows one date learns of other documents. */
void tacit_scrub_begin(tacit_scrub_reader *reader, uint64_t number);

/* The same for a further text of the record of the document before: dates move as far as there. */
void tacit_scrub_begin_beside(tacit_scrub_reader *reader, uint64_t number);

/* Behind either of them: whom the document is about, as a number of the patient. The dates of all
 * documents with this subject move by the same number of days, in every run with the key. Who knows
 * one date of the person then knows all; without it, whoever sees the same day, as that of a birth,
 * in several documents of one person can narrow it down. */
void tacit_scrub_subject(tacit_scrub_reader *reader, tacit_strview subject);

/* No piece is longer; a buffer of this size always holds one. */
enum { TACIT_SCRUB_PIECE = 1 << 18 };

/* Scrubs the next piece of the document: of the text, which begins where the last piece
 * ended, as much as makes a good end, at a paragraph or line or between words. *consumed
 * says how much, and is all of it where last is set and it is no longer than a piece. TACIT_PARSE
 * where the piece is not read as it is meant, unless the options accept that. */
tacit_status tacit_scrub_piece(tacit_scrubbed *out, size_t *consumed, tacit_scrub_reader *reader,
                               tacit_strview text, bool last, tacit_error *err);

/* Reads the texts of the next documents ahead, *taken of them: as many as there is room for, none
 * longer than a few pages. Whoever has many short documents and scrubs those taken next, each with
 * tacit_scrub_begin and as one last piece, gets the same results sooner. The texts stay where they
 * are until then. */
tacit_status tacit_scrub_ahead(size_t *taken, tacit_scrub_reader *reader,
                               const tacit_strview *texts, size_t count, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
