/*
 * recall.c - looking words up that are not remembered: folding, a hash, and the lists. A word of at
 * most 16 bytes of ASCII is remembered by a key that is made of its bytes, without a hash; a pair
 * of words by their keys.
 */
#include "text/recall.h"

#include <string.h>

#include "base/alloc.h"
#include "text/fold.h"
#include "text/signs.h"

tacit__habits *tacit__habits_new(void)
{
    const size_t line = sizeof(tacit__habit);
    char *memory = tacit__alloc_zeroed(1, sizeof(tacit__habits) + (TACIT__HABIT_WORDS + 1) * line);
    tacit__habits *habits = (void *)memory;
    if (!habits)
        return NULL;
    size_t start = (uintptr_t)(memory + sizeof *habits) % line;
    habits->words = (void *)(memory + sizeof *habits + (line - start));
    for (unsigned byte = 0; byte < 128; byte++)
        habits->signs[byte] = (uint16_t)tacit__sign_ascii((unsigned char)byte);
    return habits;
}

void tacit__habits_of_templates(tacit__habits *habits, uint64_t mark)
{
    if (habits->templates == mark)
        return;
    for (size_t i = 0; i < TACIT__HABIT_WORDS; i++)
        habits->words[i].asked &= (uint8_t) ~(TACIT__ASKED_AFTER | TACIT__ASKED_LETTERS);
    habits->templates = mark;
}

void tacit__habits_of_weights(tacit__habits *habits, uint64_t mark)
{
    if (habits->weights == mark)
        return;
    for (size_t i = 0; i < TACIT__HABIT_WORDS; i++) {
        habits->words[i].asked &= (uint8_t)~TACIT__ASKED_ROW;
        memset(habits->words[i].form, 0, sizeof habits->words[i].form);
    }
    habits->weights = mark;
}

uint64_t tacit__folded_key(const char *folded, size_t len)
{
    tacit__lower word = {0};
    if (len > sizeof word)
        return tacit__hash_bytes128(folded, len).low;
    memcpy(&word, folded, len);
    return tacit__lower_key(word);
}

/* By folding and hashing. */
static void look_up(tacit__word *word, tacit_strview text)
{
    tacit__folded folded;
    word->key = 0;
    word->entry = (tacit__lexicon_entry){0};
    if (!tacit__text_fold(&folded, text))
        return;
    word->key = tacit__folded_key(folded.bytes, folded.len);
    if (word->shape != TACIT__SHAPE_DIGITS)
        tacit__lexicon_find_hash(&word->entry, tacit__hash_bytes128(folded.bytes, folded.len));
}

static tacit_strview bytes_of(const tacit__word *word, tacit_strview text)
{
    return (tacit_strview){.bytes = text.bytes + word->start, .len = word->end - word->start};
}

void tacit__habit_add(tacit__habits *habits, uint64_t key, const tacit__lexicon_entry *entry)
{
    size_t place = key & (TACIT__HABIT_WORDS - 1);
    if (habits->words[place].key != 0)
        habits->words[place ^ 1] = habits->words[place];
    habits->words[place] = (tacit__habit){.key = key, .entry = *entry};
}

void tacit__recall_anew(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    look_up(word, bytes_of(word, text));
    tacit__habit_add(habits, word->key, &word->entry);
}

/* False where the word has more than 16 bytes or some beyond ASCII. */
static bool read_lower(tacit__lower *out, tacit_strview word)
{
    char bytes[16] = {0};
    if (word.len > sizeof bytes)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        if ((unsigned char)word.bytes[i] >= 0x80)
            return false;
        bytes[i] = word.bytes[i];
    }
    tacit__bytes16 loaded = tacit__sixteen_load(bytes);
    tacit__sixteen_read(&loaded);
    *out = tacit__sixteen_first(loaded, word.len);
    return true;
}

void tacit__recall(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    tacit__lower lower;
    if (read_lower(&lower, bytes_of(word, text))) {
        tacit__recall_lower(word, habits, text, lower);
        return;
    }
    look_up(word, bytes_of(word, text));
    if (!tacit__habit_find(habits, word->key))
        tacit__habit_add(habits, word->key, &word->entry);
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
    tacit__habit_pair *recent = &habits->pairs[pair & (TACIT__HABIT_PAIRS - 1)];
    if (recent->pair != pair) {
        recent->pair = pair;
        tacit__lexicon_find(&recent->entry, (tacit_strview){.bytes = text.bytes + word->start,
                                                            .len = word[1].end - word->start});
    }
    *entry = recent->entry;
    return pair_of(entry);
}
