/*
 * recall.c - two small tables without chains: a word of at most 16 bytes of ASCII is compared by
 * a key that is made of its bytes, without a hash; a pair of words by their keys. Another word in
 * the same place takes it over.
 *
 * Cost: about 70 instructions for a word that is remembered, 290 more for another (callgrind,
 * letters).
 */
#include "text/recall.h"

#include <string.h>

#include "base/alloc.h"
#include "text/fold.h"
#include "text/signs.h"

enum { RECENT_WORDS = 1 << 14, RECENT_PAIRS = 1 << 13 };

/* A word of at most 16 bytes of ASCII in lower case, filled up with zeros. */
typedef struct plain_word {
    uint64_t low, high;
} plain_word;

/* What was looked up last. */
typedef struct recent_word {
    uint64_t key;
    tacit__lexicon_entry entry;
} recent_word;

/* Two words as one number, and what they are. */
typedef struct recent_pair {
    uint64_t pair;
    tacit__lexicon_entry entry; /* nothing where no list has them */
} recent_pair;

/* Most words of a text are few, and so are the pairs of words: what is known of them lies in
 * the processor's nearest caches. */
struct tacit__habits {
    uint16_t signs[128]; /* tacit__sign_ascii */
    recent_word words[RECENT_WORDS];
    recent_pair pairs[RECENT_PAIRS];
};

tacit__habits *tacit__habits_new(void)
{
    tacit__habits *habits = tacit__alloc_zeroed(1, sizeof *habits);
    for (unsigned byte = 0; habits && byte < 128; byte++)
        habits->signs[byte] = (uint16_t)tacit__sign_ascii((unsigned char)byte);
    return habits;
}

const uint16_t *tacit__habits_signs(const tacit__habits *habits)
{
    return habits->signs;
}

/* Each multiplication by itself loses nothing. */
static uint64_t plain_key(plain_word word)
{
    uint64_t high = word.high * UINT64_C(0xBF58476D1CE4E5B9);
    return tacit__mix(word.low ^ (high << 32 | high >> 32));
}

uint64_t tacit__folded_key(const char *folded, size_t len)
{
    plain_word word = {0};
    if (len > sizeof word)
        return tacit__hash_bytes128(folded, len).low;
    memcpy(&word, folded, len);
    return plain_key(word);
}

/* By folding and hashing. */
static void look_up(tacit__word *word, tacit_strview text)
{
    tacit__folded folded;
    if (!tacit__text_fold(&folded, text))
        return;
    word->key = tacit__folded_key(folded.bytes, folded.len);
    if (word->shape != TACIT__SHAPE_DIGITS)
        tacit__lexicon_find_hash(&word->entry, tacit__hash_bytes128(folded.bytes, folded.len));
}

/* Eight bytes of ASCII in lower case. */
static uint64_t lower_eight(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t from_a = x + (0x80 - 'A') * ones, beyond_z = x + (0x7F - 'Z') * ones;
    return x | (from_a & ~beyond_z & tops) >> 2;
}

/* The first bytes of eight that belong to a word of this length. */
static uint64_t mask_of(size_t len)
{
    return len >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * len)) - 1;
}

/* False where the word is none, or too near the end of the text to be read by eights. */
static bool read_plain(plain_word *out, tacit_strview text, const tacit__word *word)
{
    const uint64_t tops = UINT64_C(0x8080808080808080);
    size_t len = word->end - word->start;
    if (len > 16 || text.len - word->start < 16)
        return false;
    memcpy(&out->low, text.bytes + word->start, 8);
    memcpy(&out->high, text.bytes + word->start + 8, 8);
    out->low &= mask_of(len);
    out->high &= len > 8 ? mask_of(len - 8) : 0;
    if ((out->low | out->high) & tops)
        return false;
    out->low = lower_eight(out->low);
    out->high = lower_eight(out->high);
    return true;
}

/* Most words were there a moment ago. */
void tacit__recall(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    plain_word plain;
    tacit_strview bytes = {.bytes = text.bytes + word->start, .len = word->end - word->start};
    if (!read_plain(&plain, text, word)) {
        look_up(word, bytes);
        return;
    }
    word->key = plain_key(plain);
    recent_word *recent = &habits->words[word->key & (RECENT_WORDS - 1)];
    if (recent->key != word->key) {
        look_up(word, bytes);
        *recent = (recent_word){.key = word->key, .entry = word->entry};
    }
    word->entry = recent->entry;
}

static tacit__pair pair_of(const tacit__lexicon_entry *entry)
{
    if (tacit__lexicon_in(entry, TACIT__LIST_OPENS))
        return TACIT__PAIR_BEGINS;
    return entry->lists != 0 ? TACIT__PAIR_PHRASE : TACIT__PAIR_NOTHING;
}

tacit__pair tacit__recall_pair(tacit__lexicon_entry *entry, tacit__habits *habits,
                               const tacit__word *word, tacit_strview text)
{
    uint64_t pair = tacit__mix(word->key ^ (word[1].key << 1 | word[1].key >> 63));
    recent_pair *recent = &habits->pairs[pair & (RECENT_PAIRS - 1)];
    if (recent->pair != pair) {
        recent->pair = pair;
        tacit__lexicon_find(&recent->entry, (tacit_strview){.bytes = text.bytes + word->start,
                                                            .len = word[1].end - word->start});
    }
    *entry = recent->entry;
    return pair_of(entry);
}
