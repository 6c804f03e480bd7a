/*
 * recall.c - looking words up that are not remembered: folding, a hash, and the lists. A word of at
 * most 16 bytes of ASCII is remembered by a key that is made of its bytes, without a hash; a pair
 * of words by their keys, if bits of these (text/lexicon/keys.h) say that it may be a phrase.
 */
#include "text/lexicon/recall.h"

#include <string.h>

#include "base/alloc.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/tables.h"
#include "text/read/signs.h"

tacit__habits *tacit__habits_new(void)
{
    const size_t line = sizeof(tacit__habit);
    char *memory = tacit__alloc_zeroed(1, sizeof(tacit__habits) + (TACIT__HABIT_WORDS + 1) * line);
    tacit__habits *habits = (void *)memory;
    if (!habits)
        return NULL;
    size_t start = (uintptr_t)(memory + sizeof *habits) % line;
    habits->words = (void *)(memory + sizeof *habits + (line - start));
    habits->words[0].key = habits->words[1].key = 1; /* so that none has the key 0 there */
    for (unsigned byte = 0; byte < 128; byte++)
        habits->signs[byte] = (uint16_t)tacit__sign_ascii((unsigned char)byte);
    return habits;
}

void tacit__habits_of_templates(tacit__habits *habits, uint64_t mark)
{
    if (habits->templates == mark)
        return;
    for (size_t i = 0; i < TACIT__HABIT_WORDS && habits->templates != 0; i++) {
        habits->words[i].asked &= (uint8_t)~TACIT__ASKED_AFTER;
        habits->words[i].after = TACIT__WORD_UNASKED;
    }
    habits->templates = mark;
}

void tacit__habits_of_weights(tacit__habits *habits, uint64_t mark)
{
    if (habits->weights == mark)
        return;
    for (size_t i = 0; i < TACIT__HABIT_WORDS && habits->weights != 0; i++) {
        habits->words[i].asked &= (uint8_t)~TACIT__ASKED_ROW;
        memset(habits->words[i].form, 0, sizeof habits->words[i].form);
    }
    habits->weights = mark;
}

/* In its first place, from where another may move to the second. */
static void remember(tacit__habits *habits, const tacit__word *word)
{
    size_t place = word->key & (TACIT__HABIT_WORDS - 1);
    if (habits->words[place].key != 0)
        habits->words[place ^ 1] = habits->words[place];
    habits->words[place] =
        (tacit__habit){.key = word->key, .entry = word->entry, .after = TACIT__WORD_UNASKED};
}

void tacit__recall_anew(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    tacit_strview bytes = {.bytes = text.bytes + word->start, .len = word->end - word->start};
    tacit__lexicon_find(&word->entry, bytes);
    word->after = TACIT__WORD_UNASKED;
    if (word->key != 0)
        remember(habits, word);
}

static tacit__words_are words_of(const tacit__lexicon_entry *entry)
{
    if (tacit__lexicon_in(entry, TACIT__LIST_OPENS))
        return TACIT__WORDS_BEGIN;
    return entry->lists != 0 ? TACIT__WORDS_PHRASE : TACIT__WORDS_NOTHING;
}

static uint64_t number_of(const tacit__word *word, size_t count)
{
    uint64_t number = word->key;
    for (size_t i = 1; i < count; i++)
        number = tacit__joined_key(number, word[i].key, word[i - 1].flags & TACIT__WORD_GENITIVE);
    return number;
}

/* Whether two words may be a phrase or begin one; of those without a key nothing is known. */
static bool may_be_pair(const tacit__word *word, uint64_t number)
{
    const uint64_t *pairs = tacit__tables_at(tacit__tables.pairs_at);
    uint64_t bits = tacit__pair_bits(number);
    return ((pairs[tacit__pair_place(number)] & bits) == bits) | (word[0].key == 0) |
           (word[1].key == 0);
}

/* What is remembered of words of this number, or of the text that they are. */
static const tacit__lexicon_entry *entry_of(tacit__habits *habits, uint64_t number,
                                            tacit_strview words)
{
    tacit__habit_phrase *phrase = &habits->phrases[number & (TACIT__HABIT_PHRASES - 1)];
    if (phrase->words != number) {
        phrase->words = number;
        tacit__lexicon_find(&phrase->entry, words);
    }
    return &phrase->entry;
}

tacit__words_are tacit__recall_phrase(tacit__lexicon_entry *entry, tacit__habits *habits,
                                      const tacit__word *word, size_t count, tacit_strview text)
{
    uint64_t number = number_of(word, count);
    tacit_strview words = {.bytes = text.bytes + word->start,
                           .len = word[count - 1].end - word->start};
    *entry = (tacit__lexicon_entry){0};
    if (count == 2 && !may_be_pair(word, number))
        return TACIT__WORDS_NOTHING;
    *entry = *entry_of(habits, number, words);
    return words_of(entry);
}

tacit__words_are tacit__recall_closed(tacit__habits *habits, const tacit__word *word,
                                      tacit_strview text)
{
    uint64_t byte = (unsigned char)text.bytes[word->end];
    tacit_strview closed = {.bytes = text.bytes + word->start, .len = word->end + 1 - word->start};
    return words_of(entry_of(habits, tacit__mix(word->key + (byte << 56 | 1)), closed));
}

/* A table without chains: another nickname in the same place takes it over. */
const tacit__nick *tacit__nick_of(tacit__nicks *nicks, const tacit__document *document,
                                  const tacit__word *word)
{
    tacit__nick *nick = &nicks->recent[word->key % TACIT__NICKS];
    if (nick->key == word->key && word->key != 0)
        return nick;
    tacit_strview names[TACIT__NICK_FORMAL];
    nick->key = word->key;
    nick->count =
        tacit__lexicon_formal(names, TACIT__NICK_FORMAL, tacit__word_text(document, word));
    for (size_t i = 0; i < nick->count; i++)
        nick->formal[i] = tacit__word_key(names[i]);
    return nick;
}
