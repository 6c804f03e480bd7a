/*
 * parts.h - the text of a span in parts: words, digits and what is between them. Words are
 * cut as in text/document.h, but letters and digits part each other ("tracey95").
 *
 *   "O'Neill-Long's 12th"  ->  O'Neill | - | Long | 's | ' ' | 12 | th
 */
#ifndef TACIT_SRC_TEXT_PARTS_H
#define TACIT_SRC_TEXT_PARTS_H

#include "base/strbuf.h"

typedef enum tacit__part_kind {
    TACIT__PART_GAP, /* anything else; a genitive too */
    TACIT__PART_WORD,
    TACIT__PART_DIGITS
} tacit__part_kind;

typedef enum tacit__cased {
    TACIT__CASED_LOWER,
    TACIT__CASED_CAPITAL,
    TACIT__CASED_CAPITALS
} tacit__cased;

typedef struct tacit__part {
    tacit__part_kind kind;
    tacit_strview text;
    size_t letters; /* of a word, and how they are cased */
    tacit__cased cased;
} tacit__part;

/* A cursor; the text is any bytes. */
typedef struct tacit__parts {
    tacit_strview text;
    size_t at;
    tacit__part_kind before; /* the part before the cursor */
} tacit__parts;

static inline tacit__parts tacit__parts_of(tacit_strview text)
{
    return (tacit__parts){.text = text};
}

/* The next part; false at the end. Parts are never empty, and together they are the text. */
bool tacit__parts_next(tacit__part *part, tacit__parts *parts);

/* The next part that is no gap. */
bool tacit__parts_next_solid(tacit__part *part, tacit__parts *parts);

/* Adds letters of ASCII in another case; what is not ASCII stays. */
void tacit__put_cased(tacit__strbuf *out, const char *letters, size_t len, tacit__cased cased);

static inline void tacit__put(tacit__strbuf *out, tacit_strview text)
{
    tacit__strbuf_add(out, text.bytes, text.len);
}

/* Whether the folded word is in a table of words, each between blanks: " of the and ". */
bool tacit__among(const char *table, tacit_strview word);

#endif
