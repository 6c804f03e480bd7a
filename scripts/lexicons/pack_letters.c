/*
 * pack_letters.c - learning the letter model of src/text/lexicon/letters.h from the lists.
 *
 * For each kind, how often each letter follows each zero to three letters in the words of
 * its lists, every word once, without every tenth (tacit__held_out). Probabilities are
 * smoothed as Witten and Bell (1991) do: what was seen after three letters counts as often
 * as it was seen, the estimate after two letters as often as there are different letters
 * after the three, and so on down to all letters being alike. In whole numbers: 2^32 is 1.
 */
#include <stdlib.h>

#include "pack.h"

enum { LETTERS = TACIT__LETTERS, ORDERS = TACIT__LETTERS_BEFORE + 1 };

static const uint32_t lists_of[TACIT__LETTERS_KINDS] = {
    [TACIT__LETTERS_SURNAME] = 1u << TACIT__LIST_SURNAME,
    [TACIT__LETTERS_FIRST] = 1u << TACIT__LIST_FIRST,
    [TACIT__LETTERS_WORD] = 1u << TACIT__LIST_WORD,
    [TACIT__LETTERS_MEDICAL] =
        1u << TACIT__LIST_DISEASE | 1u << TACIT__LIST_DRUG | 1u << TACIT__LIST_BODY,
};

/* counts[k]: of k letters and the one that follows; 27^(k+1) of them. */
typedef struct chain {
    uint32_t *counts[ORDERS];
} chain;

static size_t power(int exponent)
{
    size_t product = 1;
    for (; exponent > 0; exponent--)
        product *= LETTERS;
    return product;
}

/* Single words of letters only. */
static bool is_plain(const pack_word *word)
{
    for (size_t i = 0; i < word->len; i++)
        if (tacit__letter(word->bytes[i]) == 0)
            return false;
    return word->len > 1;
}

static void count_word(chain *c, const pack_word *word)
{
    size_t window = 0; /* the last four letters, the oldest in front */
    for (size_t i = 0; i <= word->len; i++) {
        size_t letter = i < word->len ? tacit__letter(word->bytes[i]) : 0;
        window = (window * LETTERS + letter) % power(ORDERS);
        for (int order = 0; order < ORDERS; order++)
            c->counts[order][window % power(order + 1)]++;
    }
}

static void learn(chain *c, const pack_list *list, uint32_t lists)
{
    for (int order = 0; order < ORDERS; order++)
        c->counts[order] = pack_alloc(power(order + 1), sizeof *c->counts[order]);
    for (size_t i = 0; i < list->word_count; i++) {
        const pack_word *word = &list->words[i];
        if ((list->classes[word->class_number].lists & lists) && !tacit__held_out(word->hash) &&
            is_plain(word))
            count_word(c, word);
    }
}

/* The probabilities of all letters after the last `order` letters of a context, from those
 * after one letter fewer. */
static void refine(uint64_t share[LETTERS], const uint32_t *counts, size_t context)
{
    const uint32_t *row = counts + context * LETTERS;
    uint64_t seen = 0, different = 0;
    for (int i = 0; i < LETTERS; i++) {
        seen += row[i];
        different += row[i] > 0;
    }
    if (seen == 0)
        return;
    for (int i = 0; i < LETTERS; i++)
        share[i] = (((uint64_t)row[i] << 32) + different * share[i]) / (seen + different);
}

/* Sixteenths of bits that 2^32 / share has, rounded, at most a byte: the whole bits by
 * shifting, the parts by squaring. */
static uint8_t cost_of(uint64_t share)
{
    uint64_t log = 31, value = share > 0 ? share : 1; /* log2 of value, 5 bits after the point */
    for (; !(value >> 31); value <<= 1)
        log--;
    for (int bit = 0; bit < 5; bit++) {
        value = value * value >> 31;
        log = log << 1 | value >> 32;
        value >>= value >> 32;
    }
    uint64_t cost = (32 * 32 - log + 1) / 2;
    return (uint8_t)(cost > UINT8_MAX ? UINT8_MAX : cost);
}

static void put_costs(tacit__letter_cost *costs, const chain *c, int kind)
{
    for (size_t context = 0; context < power(ORDERS - 1); context++) {
        uint64_t share[LETTERS];
        for (int i = 0; i < LETTERS; i++)
            share[i] = (UINT64_C(1) << 32) / LETTERS;
        for (int order = 0; order < ORDERS; order++)
            refine(share, c->counts[order], context % power(order));
        for (size_t i = 0; i < LETTERS; i++)
            costs[context * LETTERS + i].of[kind] = cost_of(share[i]);
    }
}

tacit__letter_cost *pack_letters(const pack_list *list)
{
    tacit__letter_cost *costs = pack_alloc(TACIT__LETTERS_TABLE, sizeof *costs);
    for (int kind = 0; kind < TACIT__LETTERS_KINDS; kind++) {
        chain c;
        learn(&c, list, lists_of[kind]);
        put_costs(costs, &c, kind);
        for (int order = 0; order < ORDERS; order++)
            free(c.counts[order]);
    }
    return costs;
}
