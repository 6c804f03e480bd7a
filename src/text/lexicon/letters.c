/*
 * letters.c - costs of words, and names made up (Sweeney, chapter 9: orthographic rules,
 * "Sprees").
 *
 * The table has a cost for each four letters in a row (27^4, four kinds, a byte each), so a
 * word costs one access a letter. Making up a name draws letter by letter with the
 * probabilities that the costs stand for, in whole numbers so that every machine draws the
 * same; what is in a list, has an odd length, or looks more like a word than like a name is
 * thrown away.
 */
#include "text/lexicon/letters.h"

#include <assert.h>

#include "text/lexicon/fold.h"
#include "text/lexicon/lexicon.h"
#include "text/lexicon/tables.h"

enum { CONTEXTS = TACIT__LETTERS * TACIT__LETTERS * TACIT__LETTERS, ATTEMPTS = 10000 };

static const tacit__letter_cost *costs_after(unsigned context)
{
    const tacit__letter_cost *costs = tacit__tables_at(tacit__tables.costs_at);
    return costs + context * TACIT__LETTERS;
}

static unsigned context_after(unsigned context, unsigned letter)
{
    return (context * TACIT__LETTERS + letter) % CONTEXTS;
}

static void count(tacit__letters_score *score, unsigned *context, unsigned letter)
{
    const tacit__letter_cost *cost = &costs_after(*context)[letter];
    for (int kind = 0; kind < TACIT__LETTERS_KINDS; kind++)
        score->cost[kind] += cost->of[kind];
    score->letters += letter != 0;
    *context = letter == 0 ? 0 : context_after(*context, letter);
}

void tacit__letters_read(tacit__letters_score *score, tacit_strview word)
{
    tacit__folded folded;
    unsigned context = 0;
    *score = (tacit__letters_score){0};
    if (!tacit__text_fold(&folded, word))
        return;
    for (size_t i = 0; i < folded.len; i++) {
        unsigned letter = tacit__letter(folded.bytes[i]);
        if (letter != 0 || context != 0)
            count(score, &context, letter);
    }
    if (context != 0)
        count(score, &context, 0);
}

/* 2^(20 - cost/16), rounded: at most 2^20, so that 27 of them fit 32 bits. */
static uint32_t chance_of(uint8_t cost)
{
    static const uint32_t part[TACIT__LETTERS_UNIT] = {
        1048576, 1004120, 961548, 920781, 881743, 844360, 808562, 774281,
        741455,  710019,  679917, 651091, 623487, 597053, 571740, 547500};
    return part[cost % TACIT__LETTERS_UNIT] >> (cost / TACIT__LETTERS_UNIT);
}

static unsigned draw(unsigned context, tacit__letters_kind kind, tacit__random *random)
{
    const tacit__letter_cost *costs = costs_after(context);
    uint32_t sum = 0;
    for (unsigned letter = 0; letter < TACIT__LETTERS; letter++)
        sum += chance_of(costs[letter].of[kind]);
    uint32_t left = tacit__random_below(random, sum);
    unsigned letter = 0;
    for (; left >= chance_of(costs[letter].of[kind]); letter++)
        left -= chance_of(costs[letter].of[kind]);
    return letter;
}

/* Letters until the word ends; false where it does so too early or too late. */
static bool spell(tacit__made_up *name, tacit__letters_kind kind, tacit__random *random)
{
    unsigned context = 0;
    name->len = 0;
    for (;;) {
        unsigned letter = draw(context, kind, random);
        if (letter == 0)
            return name->len >= TACIT__LETTERS_SHORTEST;
        if (name->len == TACIT__LETTERS_LONGEST)
            return false;
        name->name[name->len++] = (char)('a' + (int)letter - 1);
        context = context_after(context, letter);
    }
}

/* A name that passes for one: no rare spelling (less than four bits a letter, where random
 * letters have 4.75), more likely a name than a word, and nobody's. */
static bool passes(const tacit__made_up *name, tacit__letters_kind kind)
{
    tacit__letters_score score;
    tacit__lexicon_entry entry;
    tacit_strview view = {.bytes = name->name, .len = name->len};
    tacit__letters_read(&score, view);
    return score.cost[kind] < 4 * TACIT__LETTERS_UNIT * score.letters &&
           tacit__letters_ratio(&score, kind, TACIT__LETTERS_WORD) > 0 &&
           !tacit__lexicon_find(&entry, view);
}

bool tacit__letters_make_up(tacit__made_up *out, tacit__letters_kind kind, tacit__random *random)
{
    assert(kind == TACIT__LETTERS_SURNAME || kind == TACIT__LETTERS_FIRST);
    tacit__made_up name;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!spell(&name, kind, random) || !passes(&name, kind))
            continue;
        name.name[name.len] = '\0';
        name.name[0] = (char)(name.name[0] - 'a' + 'A');
        *out = name;
        return true;
    }
    return false;
}
