/*
 * parts.h - the text of a span in parts: words, digits and what is between them. Words are
 * cut as in text/read/document.h, but letters and digits part each other ("tracey95"). Where the
 * span is one of a document, most parts are its words, and nothing is cut or looked up again.
 *
 *   "O'Neill-Long's 12th"  ->  O'Neill | - | Long | 's | ' ' | 12 | th
 */
#ifndef TACIT_TEXT_READ_PARTS_H
#define TACIT_TEXT_READ_PARTS_H

#include <string.h>

#include "base/strbuf.h"
#include "text/read/document.h"

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

typedef struct tacit__read_part {
    tacit__part_kind kind;
    tacit_strview text;
    size_t letters; /* of a word, with apostrophes or without, and how they are cased */
    tacit__cased cased;
    const tacit__word *word; /* of the document, or NULL where it is not known to be one */
} tacit__read_part;

/* A cursor; the text is any bytes. */
typedef struct tacit__read_parts {
    tacit_strview text;
    size_t at;
    tacit__part_kind before;       /* the part before the cursor */
    uint32_t offset;               /* of the text in its document */
    const tacit__word *word, *end; /* the document's words from the cursor on */
} tacit__read_parts;

static inline tacit__read_parts tacit__parts_of(tacit_strview text)
{
    return (tacit__read_parts){.text = text};
}

/* Of a part of the document's text; no word before the first begins there or behind. */
static inline tacit__read_parts tacit__parts_of_words(tacit_strview text,
                                                      const tacit__document *document, size_t first)
{
    tacit__read_parts parts = {.text = text,
                               .offset = (uint32_t)(text.bytes - document->text.bytes),
                               .word = document->words + first,
                               .end = document->words + document->count};
    while (parts.word < parts.end && parts.word->start < parts.offset)
        parts.word++;
    return parts;
}

/* The key of a word, as the document has it. */
static inline uint64_t tacit__part_key(const tacit__read_part *part)
{
    return part->word ? part->word->key : tacit__word_key(part->text);
}

/* Its lists; those of a phrase that it is in do not count. False where there are none. */
static inline bool tacit__part_lists(tacit__lexicon_entry *entry, const tacit__read_part *part)
{
    if (!part->word || part->word->flags & TACIT__WORD_PHRASE)
        return tacit__lexicon_find(entry, part->text);
    *entry = part->word->entry;
    return entry->lists != 0;
}

/* The next part; false at the end. Parts are never empty, and together they are the text. */
bool tacit__parts_next(tacit__read_part *part, tacit__read_parts *parts);

/* Goes on at a place behind the last part. */
void tacit__parts_pass(tacit__read_parts *parts, size_t at);

/* The next part that is no gap. */
bool tacit__parts_next_solid(tacit__read_part *part, tacit__read_parts *parts);

/* Adds letters of ASCII in another case; what is not ASCII stays. */
void tacit__put_cased(tacit__strbuf *out, const char *letters, size_t len, tacit__cased cased);

/* The same for letters that are all of a to z, one at least. */
void tacit__put_small(tacit__strbuf *out, const char *letters, size_t len, tacit__cased cased);

/* Most of what is put is short and has room. */
static inline void tacit__put(tacit__strbuf *out, tacit_strview text)
{
    if (out->failed || text.len >= out->capacity - out->len || text.len > 16) {
        tacit__strbuf_add(out, text.bytes, text.len);
        return;
    }
    char *to = out->bytes + out->len;
    const char *from = text.bytes, *end = text.bytes + text.len;
    out->len += text.len;
    out->bytes[out->len] = '\0';
    if (text.len >= 8) {
        memcpy(to, from, 8);
        memcpy(to + text.len - 8, end - 8, 8);
    } else if (text.len >= 4) {
        memcpy(to, from, 4);
        memcpy(to + text.len - 4, end - 4, 4);
    } else {
        while (from < end)
            *to++ = *from++;
    }
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

/* Numbers in words, as ages are told in them: "six", "nineteen", "forty". */

/* The number that a word says, from 0 to 19 or a ten up to 90; -1 where it says none. */
int tacit__numeral_of(tacit_strview word);

/* The word of such a number. */
const char *tacit__numeral(unsigned number);

#endif
