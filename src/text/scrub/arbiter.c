/*
 * arbiter.c - proposals that overlap are a group. In each, the strongest first, a proposal
 * takes the characters that are still free. What is left of a weaker one is still its own:
 * half of a name whose other half is something else is half a name all the same.
 *
 * What is proposed later is decided on with the groups that it overlaps; other verdicts stay.
 *
 * A piece is doubted the more the longer it is, as few words are no evidence against people, and
 * the less the surer the surest thing in it is. A guess counts by how far it is above what it would
 * need by itself; what is no guess, from the likelihood on that parts it from guesses. Everything
 * rises and falls gradually: there is no length, and no likelihood, at which a text changes from
 * one without people to one with them.
 *
 * Cost: a step for each byte of each proposal, and one for 64 bytes of the text; groups are
 * small, so that ordering them costs little.
 */
#include "text/scrub/arbiter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/scrub/proposals.h"

/* ---- proposals: an array reused from piece to piece ---- */

tacit_status tacit__proposals_grow(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_error *err)
{
    return TACIT__PUSH(proposals->items, proposals->capacity, proposals->count, *proposal)
               ? TACIT_OK
               : tacit__nomem(err);
}

tacit_status tacit__proposals_note(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_text_fate fate, tacit_error *err)
{
    if (!proposals->all)
        return TACIT_OK;
    if (!TACIT__RESERVE_ONE(proposals->noted, proposals->noted_capacity, proposals->noted_count))
        return tacit__nomem(err);
    proposals->noted[proposals->noted_count] = *proposal;
    proposals->noted[proposals->noted_count++].fate = (uint8_t)fate;
    return TACIT_OK;
}

tacit_status tacit__proposals_status(tacit__proposals *proposals, tacit_error *err)
{
    bool failed = proposals->failed;
    proposals->failed = false;
    return failed ? tacit__nomem(err) : TACIT_OK;
}

void tacit__proposals_clear(tacit__proposals *proposals)
{
    tacit__free(proposals->noted);
    tacit__free(proposals->items);
    *proposals = (tacit__proposals){0};
}

/* ---- doubt ---- */

/* Words up to which nothing is doubted, and from which on length makes no difference. */
enum { FEW_WORDS = 30, MANY_WORDS = 90 };

/* Where evidence starts and where it is complete, in percent. */
static int share(int likelihood, int from, int to)
{
    if (likelihood <= from)
        return 0;
    return likelihood >= to ? 100 : 100 * (likelihood - from) / (to - from);
}

/* How far a proposal tells that there is somebody. Titles stand beside names and tell no more than
 * these. */
static int evidence_of(const tacit__proposal *proposal)
{
    if (proposal->kind >= TACIT_TEXT_KEPT || proposal->kind == TACIT_TEXT_TITLE)
        return 0;
    if (proposal->alone == 0)
        return share(proposal->likelihood, TACIT__PROBABLE, TACIT__SURE);
    int above = share(proposal->likelihood, proposal->alone, TACIT__CERTAIN);
    return above * above / 100;
}

int tacit__doubt(const tacit__proposals *proposals, size_t words)
{
    int length = words < MANY_WORDS ? share((int)words, FEW_WORDS, MANY_WORDS) : 100, evidence = 0;
    for (size_t i = 0; i < proposals->count && length > 0; i++) {
        int found = evidence_of(&proposals->items[i]);
        evidence = found > evidence ? found : evidence;
    }
    return length * (100 - evidence) / 100;
}

int tacit__bar(const tacit__proposal *proposal, int threshold, int doubt)
{
    int usual = threshold < TACIT_SCRUB_THRESHOLD ? threshold : TACIT_SCRUB_THRESHOLD;
    int bar = usual;
    if (proposal->alone > usual)
        bar += (proposal->alone - usual) * doubt / 100;
    return bar > threshold ? bar : threshold;
}

/* ---- the arbiter ---- */

/* A title is mostly kept, and must not keep anything else with it: it has what is left. */
static const int8_t precedences[UINT8_MAX + 1] = {
    [TACIT_TEXT_IDENTIFICATION_BLOCK] = 4,
    [TACIT_TEXT_MAILING_LABEL] = 3,
    [TACIT_TEXT_ADDRESS_BLOCK] = 2,
    [TACIT_TEXT_FULL_NAME] = 2,
    [TACIT_TEXT_LOCATION] = 1,
    [TACIT_TEXT_TITLE] = -1,
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
    uint64_t precedence = (uint64_t)(precedences[proposal->within] + 1);
    return precedence << 60 | (uint64_t)proposal->likelihood << 53 | length << 32 |
           (uint32_t)~number;
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
    return c >= 0x80 || tacit__is_alphanumeric(c);
}

static tacit_status add_verdict(tacit__arbiter *arbiter, uint32_t by, uint32_t start, uint32_t end,
                                tacit_error *err)
{
    if (arbiter->count == arbiter->verdict_capacity &&
        !TACIT__RESERVE_ONE(arbiter->verdicts, arbiter->verdict_capacity, arbiter->count))
        return tacit__nomem(err);
    arbiter->verdicts[arbiter->count++] =
        (tacit__scrub_verdict){.start = start, .end = end, .by = by};
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

static tacit_status take_free(tacit__arbiter *arbiter, const tacit__proposals *proposals,
                              uint32_t number, tacit_strview text, tacit_error *err)
{
    const tacit__proposal *proposal = &proposals->items[number];
    tacit_status status = TACIT_OK;
    for (uint32_t at = proposal->start; at < proposal->end && status == TACIT_OK;) {
        uint32_t start = at;
        while (at < proposal->end && arbiter->bytes[at] == 0)
            at++;
        uint32_t end = at;
        if (end - start < proposal->end - proposal->start)
            trim(&start, &end, text);
        for (uint32_t i = start; i < end; i++)
            arbiter->bytes[i] = number + 1;
        if (end > start)
            status = add_verdict(arbiter, number, start, end, err);
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
    tacit_status status = take_free(arbiter, proposals, number, text, err);
    proposal->fate = (uint8_t)fate_of(winner, arbiter->count > before);
    return status;
}

/* Whether the proposal may speak at all. */
static bool is_heard(tacit__proposal *proposal, tacit__scrub_hearing hearing)
{
    proposal->fate = TACIT_TEXT_BELOW;
    if (proposal->likelihood < hearing.threshold || (!hearing.special && is_kept(proposal)))
        return false;
    proposal->fate = TACIT_TEXT_UNSURE;
    return proposal->likelihood >= tacit__bar(proposal, hearing.threshold, hearing.doubt);
}

/* Hangs every proposal that is heard on the byte where it starts. */
static void hang_up(tacit__arbiter *arbiter, tacit__proposals *proposals,
                    tacit__scrub_hearing hearing)
{
    uint32_t *bytes = arbiter->bytes, *next = arbiter->next;
    for (size_t i = proposals->count; i-- > 0;) {
        tacit__proposal *proposal = &proposals->items[i];
        uint32_t start = proposal->start;
        if (!is_heard(proposal, hearing))
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

/* Adds a proposal to a group that is being put together, whose ranks are the last of all. */
static inline void add_claim(tacit__arbiter *arbiter, tacit__claims *group,
                             const tacit__proposal *proposal, uint32_t number)
{
    uint64_t rank = rank_of(proposal, number);
    arbiter->ranked[arbiter->ranked_count++] = rank;
    group->count++;
    group->best = rank > group->best ? rank : group->best;
    group->start = proposal->start < group->start ? proposal->start : group->start;
    group->end = proposal->end > group->end ? proposal->end : group->end;
}

/* Takes the group that starts at *at off its bytes; *at becomes the start of the next one. */
static tacit__claims take_group(tacit__arbiter *arbiter, const tacit__proposals *proposals,
                                size_t *at, start_walk *walk)
{
    uint32_t *bytes = arbiter->bytes;
    const uint32_t *next = arbiter->next;
    tacit__claims group = {.start = (uint32_t)*at,
                           .end = (uint32_t)*at + 1,
                           .ranked = (uint32_t)arbiter->ranked_count};
    size_t place = *at;
    for (; place < group.end; place = next_start(walk)) {
        for (uint32_t i = bytes[place]; i != 0; i = next[i - 1])
            add_claim(arbiter, &group, &proposals->items[i - 1], i - 1);
        bytes[place] = 0;
    }
    *at = place;
    return group;
}

enum { FEW = 16 };

static int descending(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one > other ? -1 : one < other;
}

/* The strongest first. */
static void rank_group(uint64_t *ranked, size_t count)
{
    if (count > FEW) {
        qsort(ranked, count, sizeof *ranked,
              descending); /* of hostile text; all others are small */
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
    const tacit__scrub_verdict *one = a, *other = b;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* The strongest has all of it: what most groups come to. */
static tacit_status take_all(tacit__arbiter *arbiter, tacit__proposals *proposals,
                             const tacit__claims *group, tacit_error *err)
{
    const uint64_t *ranked = arbiter->ranked + group->ranked;
    tacit__proposal *winner = &proposals->items[number_of(group->best)];
    uint8_t lost = (uint8_t)fate_of(winner, false);
    for (size_t i = 0; group->count > 1 && i < group->count; i++)
        proposals->items[number_of(ranked[i])].fate = lost;
    winner->fate = TACIT_TEXT_WON;
    return add_verdict(arbiter, number_of(group->best), group->start, group->end, err);
}

static tacit_status share_out(tacit__arbiter *arbiter, tacit__proposals *proposals,
                              const tacit__claims *group, tacit_strview text, tacit_error *err)
{
    size_t before = arbiter->count;
    uint64_t *ranked = arbiter->ranked + group->ranked;
    tacit_status status = TACIT_OK;
    rank_group(ranked, group->count);
    for (size_t i = 0; i < group->count && status == TACIT_OK; i++)
        status = decide(arbiter, proposals, number_of(ranked[i]), text, err);
    qsort(arbiter->verdicts + before, arbiter->count - before, sizeof *arbiter->verdicts, by_start);
    memset(arbiter->bytes + group->start, 0, (group->end - group->start) * sizeof *arbiter->bytes);
    return status;
}

static tacit_status decide_group(tacit__arbiter *arbiter, tacit__proposals *proposals,
                                 tacit__claims *group, tacit_strview text, tacit_error *err)
{
    const tacit__proposal *winner = &proposals->items[number_of(group->best)];
    bool has_all = winner->start == group->start && winner->end == group->end;
    group->verdict = (uint32_t)arbiter->count;
    tacit_status status = has_all ? take_all(arbiter, proposals, group, err)
                                  : share_out(arbiter, proposals, group, text, err);
    group->given = (uint32_t)arbiter->count - group->verdict;
    return status;
}

/* Bytes are zero from the start, and again after each group. */
static bool make_bytes(tacit__arbiter *arbiter, size_t bytes)
{
    size_t before = arbiter->byte_capacity;
    if (!TACIT__RESERVE_ONE(arbiter->bytes, arbiter->byte_capacity, bytes))
        return false;
    memset(arbiter->bytes + before, 0, (arbiter->byte_capacity - before) * sizeof *arbiter->bytes);
    return true;
}

static bool make_room(tacit__arbiter *arbiter, size_t proposals, size_t bytes)
{
    return make_bytes(arbiter, bytes) &&
           TACIT__RESERVE(arbiter->starts, arbiter->start_capacity,
                          tacit__bitset_words((int64_t)bytes) + 1) &&
           TACIT__RESERVE_ONE(arbiter->ranked, arbiter->ranked_capacity, proposals) &&
           TACIT__RESERVE_ONE(arbiter->groups, arbiter->group_capacity, proposals) &&
           TACIT__RESERVE_ONE(arbiter->next, arbiter->next_capacity, proposals);
}

tacit_status tacit__arbitrate(tacit__arbiter *arbiter, tacit__proposals *proposals,
                              tacit_strview text, tacit__scrub_hearing hearing, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t words = tacit__bitset_words((int64_t)text.len);
    arbiter->count = arbiter->group_count = arbiter->ranked_count = 0;
    if (!make_room(arbiter, proposals->count, text.len))
        return tacit__nomem(err);
    memset(arbiter->starts, 0, words * sizeof *arbiter->starts);
    hang_up(arbiter, proposals, hearing);
    start_walk walk = {
        .bits = arbiter->starts, .words = words, .left = words > 0 ? arbiter->starts[0] : 0};
    for (size_t at = next_start(&walk); at != SIZE_MAX;) {
        tacit__claims *group = &arbiter->groups[arbiter->group_count++];
        *group = take_group(arbiter, proposals, &at, &walk);
        if (status == TACIT_OK)
            status = decide_group(arbiter, proposals, group, text, err);
    }
    return status;
}

/* ---- once more ---- */

/* Proposals that came since, by start, and the groups and verdicts there are. */
typedef struct second_round {
    tacit__arbiter *arbiter;
    tacit__proposals *proposals;
    const uint32_t *numbers;
    size_t next, count;
    size_t group; /* the next that is not decided on again */
} second_round;

static const tacit__proposal *newcomer(const second_round *round)
{
    return &round->proposals->items[round->numbers[round->next]];
}

/* Lists the numbers of those that are heard, by start: they are few, and most of them in order. */
static size_t list_newcomers(uint32_t *numbers, tacit__proposals *proposals, size_t from,
                             tacit__scrub_hearing hearing)
{
    size_t count = 0;
    for (size_t i = from; i < proposals->count; i++) {
        size_t at = count;
        if (!is_heard(&proposals->items[i], hearing))
            continue;
        for (; at > 0 && proposals->items[numbers[at - 1]].start > proposals->items[i].start; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = (uint32_t)i;
        count++;
    }
    return count;
}

/* The verdicts on a group are what they were. */
static tacit_status keep_group(second_round *round, tacit_error *err)
{
    tacit__arbiter *arbiter = round->arbiter;
    const tacit__claims *group = &arbiter->groups[round->group++];
    if (!TACIT__RESERVE(arbiter->verdicts, arbiter->verdict_capacity,
                        arbiter->count + group->given))
        return tacit__nomem(err);
    memcpy(arbiter->verdicts + arbiter->count, arbiter->before + group->verdict,
           group->given * sizeof *arbiter->verdicts);
    arbiter->count += group->given;
    return TACIT_OK;
}

static void join_group(second_round *round, tacit__claims *joined)
{
    const tacit__claims *group = &round->arbiter->groups[round->group++];
    for (size_t i = 0; i < group->count; i++) {
        uint32_t number = number_of(round->arbiter->ranked[group->ranked + i]);
        add_claim(round->arbiter, joined, &round->proposals->items[number], number);
    }
}

/* The next newcomer with all that overlap it, newcomers or not. */
static tacit__claims join_all(second_round *round)
{
    tacit__arbiter *arbiter = round->arbiter;
    tacit__claims joined = {.start = newcomer(round)->start,
                            .end = newcomer(round)->end,
                            .ranked = (uint32_t)arbiter->ranked_count};
    for (;;) {
        if (round->next < round->count && newcomer(round)->start < joined.end) {
            add_claim(arbiter, &joined, newcomer(round), round->numbers[round->next]);
            round->next++;
        } else if (round->group < arbiter->group_count &&
                   arbiter->groups[round->group].start < joined.end) {
            join_group(round, &joined);
        } else {
            return joined;
        }
    }
}

static tacit_status decide_again(second_round *round, tacit_strview text, tacit_error *err)
{
    tacit__arbiter *arbiter = round->arbiter;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK &&
           (round->group < arbiter->group_count || round->next < round->count)) {
        bool keeps = round->group < arbiter->group_count &&
                     (round->next == round->count ||
                      arbiter->groups[round->group].end <= newcomer(round)->start);
        if (keeps) {
            status = keep_group(round, err);
        } else {
            tacit__claims joined = join_all(round);
            status = decide_group(arbiter, round->proposals, &joined, text, err);
        }
    }
    return status;
}

static void change_verdicts(tacit__arbiter *arbiter)
{
    tacit__scrub_verdict *verdicts = arbiter->verdicts;
    size_t capacity = arbiter->verdict_capacity;
    arbiter->verdicts = arbiter->before;
    arbiter->verdict_capacity = arbiter->before_capacity;
    arbiter->before = verdicts;
    arbiter->before_capacity = capacity;
    arbiter->count = 0;
}

tacit_status tacit__arbitrate_again(tacit__arbiter *arbiter, tacit__proposals *proposals,
                                    size_t from, tacit_strview text, tacit__scrub_hearing hearing,
                                    tacit_error *err)
{
    if (!make_room(arbiter, proposals->count, text.len) ||
        !TACIT__RESERVE(arbiter->ranked, arbiter->ranked_capacity, 2 * proposals->count + 1))
        return tacit__nomem(err);
    second_round round = {.arbiter = arbiter, .proposals = proposals, .numbers = arbiter->next};
    round.count = list_newcomers(arbiter->next, proposals, from, hearing);
    if (round.count == 0)
        return TACIT_OK;
    change_verdicts(arbiter);
    return decide_again(&round, text, err);
}

void tacit__arbiter_clear(tacit__arbiter *arbiter)
{
    tacit__free(arbiter->verdicts);
    tacit__free(arbiter->before);
    tacit__free(arbiter->groups);
    tacit__free(arbiter->ranked);
    tacit__free(arbiter->next);
    tacit__free(arbiter->starts);
    tacit__free(arbiter->bytes);
    *arbiter = (tacit__arbiter){0};
}
