/*
 * arbiter.c - proposals that overlap are a group. In each, the strongest first, a proposal
 * takes the characters that are still free. What is left of a weaker one is still its own:
 * half of a name whose other half is something else is half a name all the same.
 *
 * Cost: a step for each byte of each proposal, and one for 64 bytes of the text; groups are
 * small, so that ordering them costs little.
 */
#include "text/arbiter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"

static const uint8_t precedences[UINT8_MAX + 1] = {
    [TACIT_TEXT_IDENTIFICATION_BLOCK] = 4,
    [TACIT_TEXT_MAILING_LABEL] = 3,
    [TACIT_TEXT_ADDRESS_BLOCK] = 2,
    [TACIT_TEXT_FULL_NAME] = 2,
    [TACIT_TEXT_LOCATION] = 1,
};

int tacit__precedence(tacit_text_kind kind)
{
    return precedences[kind];
}

/* One number that is larger the stronger a proposal is: by precedence, likelihood and length, and
 * of equals the first that was proposed. Its last half is the proposal's number, inverted. */
static uint64_t rank_of(const tacit__proposal *proposal, uint32_t number)
{
    uint64_t length = proposal->end - proposal->start;
    _Static_assert(TACIT_SCRUB_PIECE < 1 << 21, "a length has 21 bits");
    return (uint64_t)precedences[proposal->within] << 60 | (uint64_t)proposal->likelihood << 53 |
           length << 32 | (uint32_t)~number;
}

static uint32_t number_of(uint64_t rank)
{
    return ~(uint32_t)rank;
}

static bool is_kept(const tacit__proposal *proposal)
{
    return proposal->kind >= TACIT_TEXT_KEPT;
}

static bool is_word_byte(char byte)
{
    unsigned char c = (unsigned char)byte;
    return c >= 0x80 || (c | 0x20) - (unsigned)'a' < 26 || c - (unsigned)'0' < 10;
}

static tacit_status add_verdict(tacit__arbiter *arbiter, const tacit__proposal *by, uint32_t start,
                                uint32_t end, tacit_error *err)
{
    if (arbiter->count == arbiter->verdict_capacity &&
        !tacit__reserve((void **)&arbiter->verdicts, &arbiter->verdict_capacity, arbiter->count + 1,
                        sizeof *arbiter->verdicts))
        return tacit__nomem(err);
    arbiter->verdicts[arbiter->count++] = (tacit__verdict){.start = start, .end = end, .by = by};
    return TACIT_OK;
}

/* The bounds of what is free, without what is no word at its ends; empty where nothing is. */
static void trim(uint32_t *start, uint32_t *end, tacit_strview text)
{
    while (*start < *end && !is_word_byte(text.bytes[*start]))
        ++*start;
    while (*end > *start && !is_word_byte(text.bytes[*end - 1]))
        --*end;
}

static tacit_status take_free(tacit__arbiter *arbiter, const tacit__proposal *proposal,
                              uint32_t mark, tacit_strview text, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t at = proposal->start; at < proposal->end && status == TACIT_OK;) {
        uint32_t start = at;
        while (at < proposal->end && arbiter->bytes[at] == 0)
            at++;
        uint32_t end = at;
        if (end - start < proposal->end - proposal->start)
            trim(&start, &end, text);
        for (uint32_t i = start; i < end; i++)
            arbiter->bytes[i] = mark;
        if (end > start)
            status = add_verdict(arbiter, proposal, start, end, err);
        while (at < proposal->end && arbiter->bytes[at] != 0)
            at++;
    }
    return status;
}

/* Whose character is it? Of the first that is taken. */
static const tacit__proposal *winner_over(const tacit__arbiter *arbiter,
                                          const tacit__proposals *proposals,
                                          const tacit__proposal *proposal)
{
    for (uint32_t at = proposal->start; at < proposal->end; at++)
        if (arbiter->bytes[at] != 0)
            return &proposals->items[arbiter->bytes[at] - 1];
    return NULL;
}

static tacit_text_fate fate_of(const tacit__proposal *winner, bool took)
{
    if (took)
        return TACIT_TEXT_WON;
    return winner && is_kept(winner) ? TACIT_TEXT_COUNTERED : TACIT_TEXT_OVERRULED;
}

static tacit_status decide(tacit__arbiter *arbiter, tacit__proposals *proposals, uint32_t number,
                           tacit_strview text, tacit_error *err)
{
    tacit__proposal *proposal = &proposals->items[number];
    const tacit__proposal *winner = winner_over(arbiter, proposals, proposal);
    size_t before = arbiter->count;
    tacit_status status = take_free(arbiter, proposal, number + 1, text, err);
    proposal->fate = (uint8_t)fate_of(winner, arbiter->count > before);
    return status;
}

/* Whether the proposal may speak at all. */
static bool is_heard(tacit__proposal *proposal, int threshold, bool special)
{
    proposal->fate = TACIT_TEXT_BELOW;
    return proposal->likelihood >= threshold && (special || !is_kept(proposal));
}

/* Hangs every proposal that is heard on the byte where it starts. */
static void hang_up(tacit__arbiter *arbiter, tacit__proposals *proposals, int threshold,
                    bool special)
{
    uint32_t *bytes = arbiter->bytes, *next = arbiter->next;
    for (size_t i = proposals->count; i-- > 0;) {
        tacit__proposal *proposal = &proposals->items[i];
        uint32_t start = proposal->start;
        if (!is_heard(proposal, threshold, special))
            continue;
        tacit__bit_set(arbiter->starts, start);
        next[i] = bytes[start];
        bytes[start] = (uint32_t)i + 1;
    }
}

/* A walk over the bytes where proposals start. */
typedef struct start_walk {
    const uint64_t *bits;
    size_t word, words;
    uint64_t left; /* of the word, those not walked over */
} start_walk;

/* The next start, or SIZE_MAX. */
static inline size_t next_start(start_walk *walk)
{
    while (walk->left == 0) {
        if (++walk->word >= walk->words)
            return SIZE_MAX;
        walk->left = walk->bits[walk->word];
    }
    size_t at = walk->word * 64 + (size_t)__builtin_ctzll(walk->left);
    walk->left &= walk->left - 1;
    return at;
}

/* Proposals that overlap, directly or through others, and the bytes from the first to the
 * last that they are about. */
typedef struct claims {
    size_t start, end, count;
    uint64_t best; /* rank */
} claims;

/* Takes the group that starts at *at off its bytes; *at becomes the start of the next one. */
static claims take_group(tacit__arbiter *arbiter, const tacit__proposals *proposals, size_t *at,
                         start_walk *walk)
{
    uint32_t *bytes = arbiter->bytes;
    const uint32_t *next = arbiter->next;
    uint64_t *ranked = arbiter->ranked, best = 0;
    size_t start = *at, place = start, end = start + 1;
    for (; place < end; place = next_start(walk)) {
        for (uint32_t i = bytes[place]; i != 0; i = next[i - 1]) {
            const tacit__proposal *proposal = &proposals->items[i - 1];
            uint64_t rank = rank_of(proposal, i - 1);
            *ranked++ = rank;
            best = rank > best ? rank : best;
            end = proposal->end > end ? proposal->end : end;
        }
        bytes[place] = 0;
    }
    *at = place;
    return (claims){
        .start = start, .end = end, .count = (size_t)(ranked - arbiter->ranked), .best = best};
}

enum { FEW = 16 };

static void sift(uint64_t *ranked, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && ranked[child] > ranked[child + 1])
            child++;
        if (ranked[root] <= ranked[child])
            return;
        uint64_t swap = ranked[root];
        ranked[root] = ranked[child];
        ranked[child] = swap;
    }
}

/* Groups are small, but for hostile text: then a heap, whose root is the weakest. */
static void rank_many(uint64_t *ranked, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(ranked, i, count);
    for (size_t left = count; left-- > 1;) {
        uint64_t weakest = ranked[0];
        ranked[0] = ranked[left];
        ranked[left] = weakest;
        sift(ranked, 0, left);
    }
}

/* The strongest first. */
static void rank_group(uint64_t *ranked, size_t count)
{
    if (count > FEW) {
        rank_many(ranked, count);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint64_t one = ranked[i];
        size_t j = i;
        for (; j > 0 && one > ranked[j - 1]; j--)
            ranked[j] = ranked[j - 1];
        ranked[j] = one;
    }
}

static int by_start(const void *a, const void *b)
{
    const tacit__verdict *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* The strongest has all of it: what most groups come to. */
static tacit_status take_all(tacit__arbiter *arbiter, tacit__proposals *proposals, size_t count,
                             tacit__proposal *winner, tacit_error *err)
{
    uint8_t lost = (uint8_t)fate_of(winner, false);
    for (size_t i = 0; count > 1 && i < count; i++)
        proposals->items[number_of(arbiter->ranked[i])].fate = lost;
    winner->fate = TACIT_TEXT_WON;
    return add_verdict(arbiter, winner, winner->start, winner->end, err);
}

static tacit_status share_out(tacit__arbiter *arbiter, tacit__proposals *proposals,
                              const claims *group, tacit_strview text, tacit_error *err)
{
    size_t before = arbiter->count;
    tacit_status status = TACIT_OK;
    rank_group(arbiter->ranked, group->count);
    for (size_t i = 0; i < group->count && status == TACIT_OK; i++)
        status = decide(arbiter, proposals, number_of(arbiter->ranked[i]), text, err);
    qsort(arbiter->verdicts + before, arbiter->count - before, sizeof *arbiter->verdicts, by_start);
    memset(arbiter->bytes + group->start, 0, (group->end - group->start) * sizeof *arbiter->bytes);
    return status;
}

static tacit_status decide_group(tacit__arbiter *arbiter, tacit__proposals *proposals,
                                 const claims *group, tacit_strview text, tacit_error *err)
{
    tacit__proposal *winner = &proposals->items[number_of(group->best)];
    if (winner->start == group->start && winner->end == group->end)
        return take_all(arbiter, proposals, group->count, winner, err);
    return share_out(arbiter, proposals, group, text, err);
}

/* Bytes are zero from the start, and again after each group. */
static bool make_bytes(tacit__arbiter *arbiter, size_t bytes)
{
    size_t before = arbiter->byte_capacity;
    if (!tacit__reserve((void **)&arbiter->bytes, &arbiter->byte_capacity, bytes + 1,
                        sizeof *arbiter->bytes))
        return false;
    memset(arbiter->bytes + before, 0, (arbiter->byte_capacity - before) * sizeof *arbiter->bytes);
    return true;
}

static bool make_room(tacit__arbiter *arbiter, size_t proposals, size_t bytes)
{
    return make_bytes(arbiter, bytes) &&
           tacit__reserve((void **)&arbiter->starts, &arbiter->start_capacity,
                          tacit__bitset_words((int64_t)bytes) + 1, sizeof *arbiter->starts) &&
           tacit__reserve((void **)&arbiter->ranked, &arbiter->ranked_capacity, proposals + 1,
                          sizeof *arbiter->ranked) &&
           tacit__reserve((void **)&arbiter->next, &arbiter->next_capacity, proposals + 1,
                          sizeof *arbiter->next);
}

tacit_status tacit__arbitrate(tacit__arbiter *arbiter, tacit__proposals *proposals,
                              tacit_strview text, int threshold, bool special, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t words = tacit__bitset_words((int64_t)text.len);
    arbiter->count = 0;
    if (!make_room(arbiter, proposals->count, text.len))
        return tacit__nomem(err);
    memset(arbiter->starts, 0, words * sizeof *arbiter->starts);
    hang_up(arbiter, proposals, threshold, special);
    start_walk walk = {
        .bits = arbiter->starts, .words = words, .left = words > 0 ? arbiter->starts[0] : 0};
    for (size_t at = next_start(&walk); at != SIZE_MAX;) {
        claims group = take_group(arbiter, proposals, &at, &walk);
        if (status == TACIT_OK)
            status = decide_group(arbiter, proposals, &group, text, err);
    }
    return status;
}

void tacit__arbiter_clear(tacit__arbiter *arbiter)
{
    tacit__free(arbiter->verdicts);
    tacit__free(arbiter->ranked);
    tacit__free(arbiter->next);
    tacit__free(arbiter->starts);
    tacit__free(arbiter->bytes);
    *arbiter = (tacit__arbiter){0};
}
