/*
 * values.c - every released value an ancestor of the original's, row by row.
 *
 * For each value of the original the release's codes for its images on all
 * levels are listed once, the lowest level first. A row then costs a comparison
 * for each attribute, since most releases have one image of each value; the
 * list is read only where that one is not it. A row that is suppressed as a
 * whole may be anything; a single "*" counts only where it is on the ladder;
 * and missing only where missing, or a level without a label, is.
 *
 * In a shuffled release the original's rows come in random order, so their
 * codes are packed into a word a row beforehand: one cache miss a row instead
 * of one for each attribute. Attributes that do not fit into 64 bits wait for
 * another round.
 *
 * Cost: 8 bytes a row; linear in rows and attributes.
 */
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { VALUE_CHUNK = 512, WORD_BITS = 64 };

typedef struct value_check {
    tacit__judge *judge;
    tacit__images rules[TACIT__MAX_PROMISED]; /* what each value may be */
    int32_t from, to;                         /* attributes of this round */
    int shift[TACIT__MAX_PROMISED];
    uint64_t mask[TACIT__MAX_PROMISED];
    uint64_t *words; /* the original's codes, a row each; NULL where rows are in order */
    tacit__judge_tally *tallies;
} value_check;

static tacit_status pack_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const value_check *check = context;
    const tacit_table *original = check->judge->original;
    int64_t end = tacit__block_end(block, tacit_table_rows(original));
    for (int64_t row = block * TACIT__BLOCK; row < end; row += VALUE_CHUNK) {
        int64_t count = end - row < VALUE_CHUNK ? end - row : VALUE_CHUNK;
        memset(check->words + row, 0, (size_t)count * sizeof *check->words);
        for (int32_t a = check->from; a < check->to; a++) {
            uint32_t codes[VALUE_CHUNK];
            tacit__codes_load(codes, tacit_table_codes(original, check->judge->ground[a]), row,
                              count);
            for (int64_t i = 0; i < count; i++)
                check->words[row + i] |= (uint64_t)codes[i] << check->shift[a];
        }
    }
    return TACIT_OK;
}

/* The words behind a chunk of the release's rows. */
static void gather(const value_check *check, uint64_t *out, int64_t row, int64_t count)
{
    const uint32_t *order = check->judge->order + row;
    for (int64_t i = 0; i < count; i++)
        __builtin_prefetch(&check->words[order[i]]);
    for (int64_t i = 0; i < count; i++)
        out[i] = check->words[order[i]];
}

static void check_values(const value_check *check, int32_t a, const uint32_t *ground, int64_t row,
                         int64_t count, tacit__judge_tally *tally)
{
    const tacit__judge *judge = check->judge;
    const tacit__images *rule = &check->rules[a];
    uint32_t released[VALUE_CHUNK];
    tacit__codes_load(released, tacit_table_codes(judge->release, judge->attribute[a]), row, count);
    for (int64_t i = 0; i < count; i++) {
        uint32_t value = ground[i];
        if (rule->first[value] == released[i] || tacit__bit_get(judge->suppressed, row + i))
            continue;
        if (!tacit__images_have(rule, value, released[i]))
            tacit__tally_add(tally, row + i);
    }
}

static void check_chunk(const value_check *check, int64_t row, int64_t count,
                        tacit__judge_tally *tallies)
{
    const tacit__judge *judge = check->judge;
    uint64_t words[VALUE_CHUNK];
    uint32_t ground[VALUE_CHUNK];
    if (check->words)
        gather(check, words, row, count);
    for (int32_t a = check->from; a < check->to; a++) {
        if (check->words) {
            for (int64_t i = 0; i < count; i++)
                ground[i] = (uint32_t)(words[i] >> check->shift[a] & check->mask[a]);
        } else {
            tacit__codes_load(ground, tacit_table_codes(judge->original, judge->ground[a]), row,
                              count);
        }
        check_values(check, a, ground, row, count, &tallies[a]);
    }
}

static tacit_status check_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    const value_check *check = context;
    const tacit__judge *judge = check->judge;
    tacit__judge_tally *tallies = &check->tallies[worker * judge->promise->attribute_count];
    int64_t end = tacit__block_end(block, tacit_table_rows(judge->release));
    for (int64_t row = block * TACIT__BLOCK; row < end; row += VALUE_CHUNK)
        check_chunk(check, row, end - row < VALUE_CHUNK ? end - row : VALUE_CHUNK, tallies);
    return TACIT_OK;
}

/* Takes as many attributes as fit into a word; all where no words are needed. */
static void plan_round(value_check *check, int32_t from)
{
    const tacit__judge *judge = check->judge;
    int bits = 0;
    check->from = check->to = from;
    for (; check->to < judge->promise->attribute_count; check->to++) {
        int32_t a = check->to;
        int width = tacit__bits_for(tacit__code_max(judge->original, judge->ground[a]));
        if (judge->order && bits + width > WORD_BITS)
            break;
        check->shift[a] =
            bits < WORD_BITS ? bits : 0; /* a full word: no bits are left, or needed */
        check->mask[a] = (UINT64_C(1) << width) - 1;
        bits += width;
    }
}

static tacit_status run_round(value_check *check, tacit_error *err)
{
    const tacit__judge *judge = check->judge;
    tacit_status status = TACIT_OK;
    if (check->words)
        status = tacit__parallel(judge->run, "judging values",
                                 tacit__blocks(tacit_table_rows(judge->original)), pack_block,
                                 check, err);
    if (status == TACIT_OK)
        status = tacit__parallel(judge->run, "judging values",
                                 tacit__blocks(tacit_table_rows(judge->release)), check_block,
                                 check, err);
    return status;
}

static void report_values(const value_check *check)
{
    tacit__judge *judge = check->judge;
    int32_t count = judge->promise->attribute_count;
    for (int32_t a = 0; a < count; a++) {
        tacit__judge_tally tally =
            tacit__tally_sum(check->tallies, tacit__threads(judge->run), count, a);
        if (tally.count)
            tacit__find(judge, TACIT_FINDING_VALUE, tally.first + 1, tally.count,
                        "attribute \"%s\" has %lld values that are no generalization of the "
                        "original's; the first is in row %lld (line %lld)",
                        tacit__show(tacit_strview_of(judge->promise->attributes[a].name)).text,
                        (long long)tally.count, (long long)(tally.first + 1),
                        (long long)tacit_table_line(judge->release, tally.first));
    }
}

static tacit_status prepare(value_check *check, tacit_error *err)
{
    tacit__judge *judge = check->judge;
    int32_t count = judge->promise->attribute_count;
    tacit__ladder *ladders = NULL;
    tacit_status status = tacit__ladders_new(&ladders, judge, err);
    for (int32_t a = 0; a < count && status == TACIT_OK; a++)
        status = tacit__images_init(&check->rules[a], &ladders[a], TACIT__NOWHERE, err);
    tacit__ladders_free(ladders, count);
    if (status != TACIT_OK)
        return status;
    check->tallies = tacit__tallies_new(tacit__threads(judge->run), count);
    if (!check->tallies)
        return tacit__nomem(err);
    if (!judge->order)
        return TACIT_OK;
    check->words =
        tacit__alloc_array((size_t)tacit_table_rows(judge->original), sizeof *check->words);
    return check->words ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__judge_values(tacit__judge *judge, tacit_error *err)
{
    value_check check = {.judge = judge};
    int32_t count = judge->promise->attribute_count;
    tacit_status status = prepare(&check, err);
    while (status == TACIT_OK && check.to < count) {
        plan_round(&check, check.to);
        status = run_round(&check, err);
    }
    if (status == TACIT_OK)
        report_values(&check);
    for (int32_t a = 0; a < count; a++)
        tacit__images_clear(&check.rules[a]);
    tacit__free(check.words);
    tacit__free(check.tallies);
    return status;
}
