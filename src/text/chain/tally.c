/*
 * tally.c - counts words by their keys, in an open hash table that doubles.
 */
#include "text/chain/tally.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/lexicon/fold.h"

enum { FIRST_SLOTS = 1 << 12, LONGEST = 24 };

void tacit__chain_tally_clear(tacit__chain_tally *tally)
{
    tacit__free(tally->words);
    tacit__free(tally->slots);
    tacit__arena_clear(&tally->names);
    *tally = (tacit__chain_tally){0};
}

static uint32_t *slot_of(uint32_t *slots, size_t count, const tacit__chain_tallied *words,
                         uint64_t key)
{
    for (uint64_t at = key;; at++) {
        uint32_t *slot = &slots[at & (count - 1)];
        if (*slot == 0 || words[*slot - 1].key == key)
            return slot;
    }
}

static tacit_status grow(tacit__chain_tally *tally, tacit_error *err)
{
    if (tally->count * 2 < tally->slot_count)
        return TACIT_OK;
    size_t count = tally->slot_count > 0 ? tally->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = tacit__alloc_zeroed(count, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    for (size_t i = 0; i < tally->count; i++)
        *slot_of(slots, count, tally->words, tally->words[i].key) = (uint32_t)i + 1;
    tacit__free(tally->slots);
    tally->slots = slots;
    tally->slot_count = count;
    return TACIT_OK;
}

/* Whether weights may know the word by itself. */
static bool counts(const tacit__word *word)
{
    static const uint32_t names = 1U << TACIT__LIST_FIRST | 1U << TACIT__LIST_FEMALE |
                                  1U << TACIT__LIST_MALE | 1U << TACIT__LIST_NICK |
                                  1U << TACIT__LIST_SURNAME | 1U << TACIT__LIST_CITY |
                                  1U << TACIT__LIST_PROPER | 1U << TACIT__LIST_OPENS;
    return word->key != 0 && word->shape != TACIT__SHAPE_DIGITS &&
           word->shape != TACIT__SHAPE_BOTH && word->end - word->start <= LONGEST &&
           !(word->flags & TACIT__WORD_FOREIGN) &&
           (word->entry.lists == 0 || (word->entry.lists & ~names) != 0);
}

static tacit_status add_new(tacit__chain_tally *tally, const tacit__word *word, tacit_strview text,
                            tacit_error *err)
{
    tacit__folded folded;
    tacit__text_fold(&folded, text);
    tacit__chain_tallied new = {.key = word->key};
    new.name =
        tacit__arena_copy(&tally->names, (tacit_strview){.bytes = folded.bytes, .len = folded.len});
    if (!new.name.bytes || !TACIT__RESERVE_ONE(tally->words, tally->capacity, tally->count))
        return tacit__nomem(err);
    tally->words[tally->count++] = new;
    return TACIT_OK;
}

static tacit_status count_word(tacit__chain_tally *tally, const tacit__word *word,
                               tacit_strview text, tacit_error *err)
{
    tacit_status status = grow(tally, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *slot = slot_of(tally->slots, tally->slot_count, tally->words, word->key);
    if (*slot == 0) {
        status = add_new(tally, word, text, err);
        if (status != TACIT_OK)
            return status;
        *slot = (uint32_t)tally->count;
    }
    tacit__chain_tallied *found = &tally->words[*slot - 1];
    found->documents += found->last != tally->documents;
    found->last = tally->documents;
    return TACIT_OK;
}

static void count_ending(tacit__chain_tally *tally, const tacit__word *word, tacit_strview text)
{
    if (word->shape == TACIT__SHAPE_LOWER || text.len <= TACIT__ENDING)
        return;
    int number = tacit__ending_of(text);
    if (number >= 0)
        tally->endings[number]++;
}

tacit_status tacit__chain_tally_add(tacit__chain_tally *tally, const tacit__document *document,
                                    tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tally->documents++;
    for (size_t i = 0; i < document->count && status == TACIT_OK; i++) {
        const tacit__word *word = &document->words[i];
        tacit_strview text = tacit__word_text(document, word);
        count_ending(tally, word, text);
        if (counts(word))
            status = count_word(tally, word, text, err);
    }
    return status;
}

tacit_status tacit__chain_tally_settle(tacit__chain *model, const tacit__chain_tally *tally,
                                       uint32_t word_often, uint32_t ending_often, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t row;
    for (size_t i = 0; i < tally->count && status == TACIT_OK; i++)
        if (tally->words[i].documents >= word_often)
            status = tacit__chain_know_word(&row, model, tally->words[i].name, err);
    for (int i = 0; i < TACIT__ENDINGS && status == TACIT_OK; i++)
        if (tally->endings[i] >= ending_often)
            status = tacit__chain_know_ending(&row, model, i, err);
    return status;
}
