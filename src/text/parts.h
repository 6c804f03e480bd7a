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

void tacit__put_number(tacit__strbuf *out, unsigned number, size_t digits); /* at least */

/* A table of words in lower case, none longer than its cells, which are compared at once. */
enum { TACIT__CELL = 16 };
typedef char tacit__cell[TACIT__CELL];
typedef struct tacit__table {
    const tacit__cell *words;
    size_t count;
} tacit__table;

#define TACIT__TABLE(...)                                                         \
    {                                                                             \
        .words = (const tacit__cell[]){__VA_ARGS__},                              \
        .count = sizeof((const tacit__cell[]){__VA_ARGS__}) / sizeof(tacit__cell) \
    }

/* Whether the word is in the table, in whatever case. */
bool tacit__among(const tacit__table *table, tacit_strview word);

/* "st" of "1st", "nd" of "2nd". */
const char *tacit__ordinal_end(unsigned number);
bool tacit__is_ordinal_end(tacit_strview word);

#endif
