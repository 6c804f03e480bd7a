/*
 * claim.c - whether the claimed correspondence of rows can be true at all.
 *
 * The claim names for each row of the release the row of the original behind
 * it. Every named row must exist, and none may be named twice: then rows are
 * neither made up nor doubled, and what no row names has been left out. Values
 * and cells are checked along the claim afterwards, so a false claim that
 * survives here does not survive there.
 *
 * Cost: a bit a row of the original and one scattered access a row.
 */
#include <string.h>

#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { OUT_OF_RANGE, TWICE, CLAIM_SUBJECTS };

typedef struct claim {
    const uint32_t *order;
    int64_t rows;  /* of the release */
    int64_t known; /* rows of the original */
    uint64_t *named;
    tacit__judge_tally *tallies;
} claim;

static tacit_status check_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    claim *c = context;
    tacit__judge_tally *tallies = &c->tallies[worker * CLAIM_SUBJECTS];
    for (int64_t i = block * TACIT__BLOCK; i < tacit__block_end(block, c->rows); i++) {
        int64_t row = c->order[i];
        if (row >= c->known) {
            tacit__tally_add(&tallies[OUT_OF_RANGE], i);
            continue;
        }
        uint64_t bit = UINT64_C(1) << (row & 63);
        if (__atomic_fetch_or(&c->named[row >> 6], bit, __ATOMIC_RELAXED) & bit)
            tacit__tally_add(&tallies[TWICE], i);
    }
    return TACIT_OK;
}

/* The first row whose row of the original was named before. Which of two was
 * seen first depends on threads, so the place is looked for in order. */
static int64_t first_twice(claim *c)
{
    memset(c->named, 0, tacit__bitset_words(c->known) * sizeof *c->named);
    for (int64_t i = 0; i < c->rows; i++) {
        int64_t row = c->order[i];
        if (row >= c->known)
            continue;
        if (tacit__bit_get(c->named, row))
            return i;
        tacit__bit_set(c->named, row);
    }
    return 0;
}

static bool claim_holds(tacit__judge *judge, claim *c, int workers)
{
    tacit__judge_tally out = tacit__tally_sum(c->tallies, workers, CLAIM_SUBJECTS, OUT_OF_RANGE);
    tacit__judge_tally twice = tacit__tally_sum(c->tallies, workers, CLAIM_SUBJECTS, TWICE);
    if (out.count)
        tacit__find(judge, TACIT_FINDING_ROWS, out.first + 1, out.count,
                    "%lld rows claim to come from rows that the original does not have; the first "
                    "is row %lld (line %lld)",
                    (long long)out.count, (long long)(out.first + 1),
                    (long long)tacit_table_line(judge->release, out.first));
    if (twice.count) {
        int64_t first = first_twice(c);
        tacit__find(judge, TACIT_FINDING_ROWS, first + 1, twice.count,
                    "%lld rows claim to come from a row of the original that another row comes "
                    "from; the first is row %lld (line %lld)",
                    (long long)twice.count, (long long)(first + 1),
                    (long long)tacit_table_line(judge->release, first));
    }
    return !out.count && !twice.count;
}

static tacit_status check_order(tacit__judge *judge, const uint32_t *order, tacit_error *err)
{
    int workers = tacit__threads(judge->run);
    claim c = {.order = order,
               .rows = tacit_table_rows(judge->release),
               .known = tacit_table_rows(judge->original),
               .named = judge->released,
               .tallies = tacit__tallies_new(workers, CLAIM_SUBJECTS)};
    if (!c.tallies)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(judge->run, "judging", tacit__blocks(c.rows), check_block, &c, err);
    if (status == TACIT_OK && claim_holds(judge, &c, workers)) {
        judge->corresponds = true;
        judge->order = order;
    }
    tacit__free(c.tallies);
    return status;
}

tacit_status tacit__judge_claim(tacit__judge *judge, const tacit_evidence *evidence,
                                tacit_error *err)
{
    if (!judge->original)
        return TACIT_OK;
    int64_t rows = tacit_table_rows(judge->release);
    int64_t known = tacit_table_rows(judge->original);
    if (rows > known) {
        tacit__find(judge, TACIT_FINDING_ROWS, 0, rows - known,
                    "the release has %lld rows more than the original", (long long)(rows - known));
        return TACIT_OK;
    }
    judge->verdict->unreleased_rows = known - rows;
    if (!evidence->order && !evidence->same_order)
        return TACIT_OK;
    judge->released = tacit__alloc_zeroed(tacit__bitset_words(known), sizeof *judge->released);
    if (!judge->released)
        return tacit__nomem(err);
    if (evidence->order)
        return check_order(judge, evidence->order, err);
    for (int64_t i = 0; i < rows; i++)
        tacit__bit_set(judge->released, i);
    judge->corresponds = true;
    return TACIT_OK;
}
