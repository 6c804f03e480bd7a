/*
 * blanks.c - which cells are blanks, how many there are, and whether any row or column
 * has more of them than was promised.
 *
 * A blank is a cell that is "*" and was not in the original. Without an original
 * every "*" is one; with one whose rows are not known to correspond, nobody can tell
 * a blank in a column in which the original has "*" of its own, and none is counted
 * there, so that nothing is found that is not so.
 *
 * Cost: a pass over the attributes that have any "*".
 */
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { CHUNK = 512 };

void tacit__own_stars_init(tacit__own_stars *own, const tacit__judge *judge)
{
    *own = (tacit__own_stars){.judge = judge};
    for (int32_t a = 0; judge->original && a < judge->promise->attribute_count; a++) {
        if (judge->ground[a] < 0)
            continue;
        own->code[a] = tacit__suppressed_code(judge->original, judge->ground[a]);
        own->some |= (uint64_t)(own->code[a] != UINT32_MAX) << a;
    }
}

uint64_t tacit__blanks_of(const tacit__own_stars *own, int64_t row, uint64_t stars)
{
    const tacit__judge *judge = own->judge;
    uint64_t asked = stars & own->some;
    if (!judge->corresponds)
        return stars & ~own->some;
    for (; asked; asked &= asked - 1) {
        int a = __builtin_ctzll(asked);
        tacit_codes_view codes = tacit_table_codes(judge->original, judge->ground[a]);
        if (tacit_codes_at(codes, tacit__behind(judge, row)) == own->code[a])
            stars &= ~(UINT64_C(1) << a);
    }
    return stars;
}

typedef struct blank_count {
    const tacit__judge *judge;
    tacit__own_stars own;
    uint32_t star[TACIT__MAX_PROMISED]; /* in the release; UINT32_MAX: none */
    tacit__judge_tally *tallies;        /* blanks of each attribute, then two of rows: */
    int32_t subjects;
} blank_count;

/* Behind the attributes: rows with blanks, and with more than promised. */
enum { ROWS_BLANKED = 0, ROWS_BEYOND = 1, OF_ROWS = 2 };

static void count_row(const blank_count *c, int64_t row, uint64_t stars,
                      tacit__judge_tally *tallies)
{
    const tacit_promise *promise = c->judge->promise;
    uint64_t blanks = tacit__blanks_of(&c->own, row, stars);
    tacit__judge_tally *of_rows = tallies + promise->attribute_count;
    if (blanks)
        tacit__tally_add(&of_rows[ROWS_BLANKED], row);
    if (promise->most_row_blanks && __builtin_popcountll(blanks) > promise->most_row_blanks)
        tacit__tally_add(&of_rows[ROWS_BEYOND], row);
    for (; blanks; blanks &= blanks - 1)
        tacit__tally_add(&tallies[__builtin_ctzll(blanks)], row);
}

static void count_chunk(const blank_count *c, int64_t row, int64_t count,
                        tacit__judge_tally *tallies)
{
    const tacit__judge *judge = c->judge;
    uint64_t stars[CHUNK] = {0};
    uint32_t codes[CHUNK];
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        if (c->star[a] == UINT32_MAX)
            continue;
        tacit__codes_load(codes, tacit_table_codes(judge->release, judge->attribute[a]), row,
                          count);
        for (int64_t i = 0; i < count; i++)
            stars[i] |= (uint64_t)(codes[i] == c->star[a]) << a;
    }
    for (int64_t i = 0; i < count; i++)
        if (stars[i])
            count_row(c, row + i, stars[i], tallies);
}

static tacit_status count_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    const blank_count *c = context;
    int64_t end = tacit__block_end(block, tacit_table_rows(c->judge->release));
    for (int64_t row = block * TACIT__BLOCK; row < end; row += CHUNK)
        count_chunk(c, row, end - row < CHUNK ? end - row : CHUNK,
                    c->tallies + (int64_t)worker * c->subjects);
    return TACIT_OK;
}

static tacit__judge_tally sum_of(const blank_count *c, int32_t subject)
{
    return tacit__tally_sum(c->tallies, tacit__threads(c->judge->run), c->subjects, subject);
}

static void report_rows(tacit__judge *judge, tacit__judge_tally beyond)
{
    if (beyond.count)
        tacit__find(judge, TACIT_FINDING_LIMIT, beyond.first + 1, beyond.count,
                    "%lld %s more than %d %s; the first is row %lld (line %lld)",
                    (long long)beyond.count, beyond.count == 1 ? "row has" : "rows have",
                    (int)judge->promise->most_row_blanks,
                    judge->promise->most_row_blanks == 1 ? "blank" : "blanks",
                    (long long)(beyond.first + 1),
                    (long long)tacit_table_line(judge->release, beyond.first));
}

static void report(tacit__judge *judge, const blank_count *c)
{
    int32_t count = judge->promise->attribute_count;
    int64_t most = judge->promise->most_column_blanks;
    tacit_alpha_verdict *verdict = &judge->verdict->alpha;
    verdict->rows_blanked = sum_of(c, count + ROWS_BLANKED).count;
    report_rows(judge, sum_of(c, count + ROWS_BEYOND));
    for (int32_t a = 0; a < count; a++) {
        int64_t blanks = sum_of(c, a).count;
        verdict->blanks += blanks;
        if (most && blanks > most)
            tacit__find(judge, TACIT_FINDING_LIMIT, 0, blanks,
                        "attribute \"%s\" has %lld blanks, more than %lld",
                        tacit__show(tacit_strview_of(judge->promise->attributes[a].name)).text,
                        (long long)blanks, (long long)most);
    }
}

tacit_status tacit__judge_blanks(tacit__judge *judge, tacit_error *err)
{
    int32_t count = judge->promise->attribute_count;
    int64_t rows = tacit_table_rows(judge->release);
    blank_count c = {.judge = judge, .subjects = count + OF_ROWS};
    tacit__own_stars_init(&c.own, judge);
    for (int32_t a = 0; a < count; a++)
        c.star[a] = tacit__suppressed_code(judge->release, judge->attribute[a]);
    c.tallies = tacit__tallies_new(tacit__threads(judge->run), c.subjects);
    if (!c.tallies)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(judge->run, "judging", tacit__blocks(rows), count_block, &c, err);
    if (status == TACIT_OK)
        report(judge, &c);
    tacit__free(c.tallies);
    return status;
}
