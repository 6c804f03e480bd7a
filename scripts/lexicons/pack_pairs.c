/*
 * pack_pairs.c - bits of all phrases of two words, and of the first two words of longer ones, which
 * are in the list too (src/text/lexicon/keys.h). Words are parted as a document's are, a genitive
 * by itself; what a document would part otherwise, "winston-salem", is never looked for as a pair.
 */
#include <string.h>

#include "pack.h"

/* The space that parts the only two words, or NULL. */
static const char *only_space(const pack_word *phrase)
{
    const char *space = memchr(phrase->bytes, ' ', phrase->len);
    size_t rest = space ? phrase->len - (size_t)(space + 1 - phrase->bytes) : 0;
    return space && !memchr(space + 1, ' ', rest) ? space : NULL;
}

static uint64_t number_of(const pack_word *phrase, const char *space)
{
    size_t first = (size_t)(space - phrase->bytes);
    bool genitive = first > 2 && memcmp(space - 2, "'s", 2) == 0;
    uint64_t one = tacit__folded_key(phrase->bytes, genitive ? first - 2 : first);
    uint64_t other = tacit__folded_key(space + 1, phrase->len - first - 1);
    return tacit__joined_key(one, other, genitive);
}

uint64_t *pack_pairs(const pack_list *list)
{
    uint64_t *pairs = pack_alloc(TACIT__PAIR_WORDS, sizeof *pairs);
    for (size_t i = 0; i < list->word_count; i++) {
        const char *space = only_space(&list->words[i]);
        if (!space)
            continue;
        uint64_t number = number_of(&list->words[i], space);
        pairs[tacit__pair_place(number)] |= tacit__pair_bits(number);
    }
    return pairs;
}
