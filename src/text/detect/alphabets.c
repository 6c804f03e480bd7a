/*
 * alphabets.c - "CHEUNG Ka-Ming (張家明)": in a text in Latin letters a few words in others are
 * mostly how somebody's name is written at home. A text that has many of them is in another
 * language, of which nothing is known.
 *
 * Cost: a test a word.
 */
#include "text/detect/detect.h"

enum {
    LIKELY_OTHER = 70,
    FEW = 10,      /* of so many words one at most is in other letters */
    MAX_WORDS = 4, /* of a name, */
    SHORTEST = 4,  /* bytes of one: a letter alone is none, */
    LONGEST = 30,
    CYRILLIC = 0xD0 /* first byte of its letters; below are Latin ones and the Greek of formulas */
};

static bool is_other(const tacit__document *document, const tacit__word *word)
{
    return word->flags & TACIT__WORD_FOREIGN &&
           (unsigned char)document->text.bytes[word->start] >= CYRILLIC;
}

static size_t count_others(const tacit__document *document)
{
    size_t count = 0;
    for (size_t i = 0; i < document->count; i++)
        count += is_other(document, &document->words[i]);
    return count;
}

/* The word behind those in other letters that begin with one and have a blank between them. */
static size_t others_end(const tacit__document *document, size_t first)
{
    size_t end = first + 1;
    while (end < document->count && document->words[end].before == TACIT__GAP_SPACE &&
           is_other(document, &document->words[end]))
        end++;
    return end;
}

static bool may_be_foreign_name(const tacit__document *document, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        uint32_t bytes = document->words[i].end - document->words[i].start;
        if (bytes < SHORTEST || bytes > LONGEST)
            return false;
    }
    return end - first <= MAX_WORDS;
}

static bool has_few(const tacit__document *document)
{
    size_t others = count_others(document);
    return others > 0 && others * FEW <= document->count;
}

size_t tacit__alphabets_left(const tacit__document *document)
{
    bool few = has_few(document);
    for (size_t i = 0, end; i < document->count; i = end) {
        end = i + 1;
        if (!is_other(document, &document->words[i]))
            continue;
        end = others_end(document, i);
        if (!few || !may_be_foreign_name(document, i, end))
            return i;
    }
    return document->count;
}

tacit_status tacit__alphabets_propose(tacit__proposals *proposals, const tacit__document *document,
                                      tacit_error *err)
{
    const tacit__proposal name = {.kind = TACIT_TEXT_FULL_NAME,
                                  .likelihood = LIKELY_OTHER,
                                  .alone = TACIT__ALONE_NAME,
                                  .detector = "alphabets",
                                  .rule = "in other letters than the text"};
    size_t end;
    if (!has_few(document))
        return TACIT_OK;
    for (size_t i = 0; i < document->count; i = end) {
        end = i + 1;
        if (!is_other(document, &document->words[i]))
            continue;
        end = others_end(document, i);
        if (may_be_foreign_name(document, i, end))
            tacit__propose_words(proposals, document, i, end - 1, name);
    }
    return tacit__proposals_status(proposals, err);
}
