/*
 * alpha.c - how many rows every row agrees with, where "*" agrees with anything.
 *
 * Vinterbo and Ohno-Machado, section 2.1: alpha of a row is the number of rows, itself
 * among them, from which nothing distinguishes it. Equal rows are folded and put
 * into groups by where they have "*" (patterns.c); two patterns of one group never
 * agree, so only pairs of groups have to be gone through. For a pair, either
 * each pattern of the smaller group looks at those of the larger one that it can agree
 * with, or, where these are many, the smaller group is sorted by what it is outside the
 * columns that are "*" in either, and every pattern of the larger one looks its key up;
 * sums of rows, not pairs of them, then go to both sides.
 *
 * Where groups are so many that their pairs are too many, each pattern is looked for by itself
 * (the screen below).
 *
 * Cost: for each pair of groups, whichever is less, so at most a look-up for every group and
 * pattern; 8 bytes a pattern beyond the patterns. Groups are worked on by several
 * threads; alpha is a sum of integers, so that it does not matter who adds what.
 */
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Patterns that can agree with a pattern, where groups are too many to go through.
 *
 * In a wide table nearly every row has "*" somewhere else and is a group of its own. Then every
 * place has LANES lists of bits, a bit a pattern, and every value belongs to one lane: the bit is
 * set where the pattern has "*" there or a value of that lane. What can agree with a pattern is
 * what is set in the lane of each value that it has; that is a few steps for 64 patterns.
 * Different values may share a lane, so what is left is compared.
 *
 * Cost: LANES / 8 bytes for every pattern and place; a look takes 1/64 of a step for every pattern
 * and place, mostly less. */

enum {
    LANES = 16,
    MANY_GROUPS = 64,    /* fewer are gone through, */
    GROUP_SIZE = 1 << 11 /* and so are larger ones */
};

static uint64_t *lane_of(const tacit__screen *screen, int32_t place, uint32_t lane)
{
    return screen->bits + ((int64_t)place * LANES + lane) * screen->words;
}

static void note(tacit__screen *screen, const tacit__patterns *p, int64_t pattern)
{
    uint64_t stars = p->groups[screen->group_of[pattern]].stars, bit = UINT64_C(1) << pattern % 64;
    for (int32_t place = 0; place < p->columns; place++) {
        uint32_t own = tacit__pattern_code(p, pattern, place) % LANES;
        for (uint32_t lane = 0; lane < LANES; lane++)
            if (stars >> place & 1 || lane == own)
                lane_of(screen, place, lane)[pattern / 64] |= bit;
    }
}

static void note_all(tacit__screen *screen, const tacit__patterns *p)
{
    for (int64_t g = 0; g < p->group_count; g++)
        for (int64_t i = p->groups[g].from; i < p->groups[g].to; i++) {
            screen->group_of[i] = (uint32_t)g;
            note(screen, p, i);
        }
}

static void screen_clear(tacit__screen *screen)
{
    tacit__free(screen->bits);
    tacit__free(screen->group_of);
    *screen = (tacit__screen){0};
}

static tacit_status screen_init(tacit__screen *screen, const tacit__patterns *p, tacit_error *err)
{
    tacit__screen made = {0};
    *screen = made;
    if (p->group_count <= MANY_GROUPS || p->group_count <= p->count / GROUP_SIZE)
        return TACIT_OK;
    made.words = (p->count / 64 / TACIT__SCREEN_WORDS + 1) * TACIT__SCREEN_WORDS;
    made.bits =
        tacit__alloc_zeroed((size_t)p->columns * LANES, (size_t)made.words * sizeof *made.bits);
    made.group_of = tacit__alloc_array((size_t)p->count, sizeof *made.group_of);
    if (!made.bits || !made.group_of) {
        screen_clear(&made);
        return tacit__nomem(err);
    }
    note_all(&made, p);
    *screen = made;
    return TACIT_OK;
}

void tacit__screen_aim(tacit__screen_look *look, const tacit__screen *screen,
                       const tacit__patterns *p, int64_t pattern)
{
    uint64_t stars = p->groups[screen->group_of[pattern]].stars;
    *look = (tacit__screen_look){.screen = screen, .p = p, .pattern = pattern, .word = -1};
    for (int32_t place = 0; place < p->columns; place++)
        if (!(stars >> place & 1))
            look->lanes[look->lane_count++] =
                lane_of(screen, place, tacit__pattern_code(p, pattern, place) % LANES);
}

/* What the lanes leave of the next patterns. */
static void screen_words(tacit__screen_look *look, int64_t from)
{
    uint64_t any = 1;
    memset(look->left, 0xff, sizeof look->left);
    for (int32_t i = 0; any && i < look->lane_count; i++) {
        const uint64_t *lane = look->lanes[i] + from;
        any = 0;
        for (int w = 0; w < TACIT__SCREEN_WORDS; w++)
            any |= look->left[w] &= lane[w];
    }
}

static bool agrees(const tacit__screen_look *look, int64_t other)
{
    const tacit__patterns *p = look->p;
    const uint64_t *a = tacit__pattern(p, look->pattern), *b = tacit__pattern(p, other);
    const uint64_t *x = p->covers + (int64_t)look->screen->group_of[look->pattern] * p->words,
                   *y = p->covers + (int64_t)look->screen->group_of[other] * p->words;
    uint64_t differ = 0;
    for (int w = 0; w < p->words; w++)
        differ |= (a[w] ^ b[w]) & ~(x[w] | y[w]);
    return !differ;
}

int64_t tacit__screen_next(tacit__screen_look *look)
{
    for (;;) {
        int64_t at = look->word % TACIT__SCREEN_WORDS;
        if (look->word >= 0 && look->left[at]) {
            int64_t other = look->word * 64 + __builtin_ctzll(look->left[at]);
            look->left[at] &= look->left[at] - 1;
            if (other < look->p->count && agrees(look, other))
                return other;
            continue;
        }
        if (++look->word * 64 >= look->p->count)
            return -1;
        if (look->word % TACIT__SCREEN_WORDS == 0)
            screen_words(look, look->word);
    }
}

/* Which cells are blanks, how many there are, and whether any row or column has more of them than
 * was promised.
 *
 * A blank is a cell that is "*" and was not in the original. Without an original every "*" is one;
 * with one whose rows are not known to correspond, nobody can tell a blank in a column in which
 * the original has "*" of its own, and none is counted there, so that nothing is found that is not
 * so.
 *
 * Cost: a pass over the attributes that have any "*". */

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
    uint32_t star[TACIT__MAX_AMBIGUOUS]; /* in the release; UINT32_MAX: none */
    tacit__judge_tally *tallies;         /* blanks of each attribute, then two of rows: */
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
    if (promise->max_row_blanks && __builtin_popcountll(blanks) > promise->max_row_blanks)
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

static void report_blank_rows(tacit__judge *judge, tacit__judge_tally beyond)
{
    if (beyond.count)
        tacit__find(
            judge, TACIT_FINDING_LIMIT, beyond.first + 1, beyond.count,
            "%lld %s more than %d %s; the first is row %lld (line %lld)", (long long)beyond.count,
            beyond.count == 1 ? "row has" : "rows have", (int)judge->promise->max_row_blanks,
            judge->promise->max_row_blanks == 1 ? "blank" : "blanks", (long long)(beyond.first + 1),
            (long long)tacit_table_line(judge->release, beyond.first));
}

static void report_blanks(tacit__judge *judge, const blank_count *c)
{
    int32_t count = judge->promise->attribute_count;
    int64_t most = judge->promise->most_column_blanks;
    tacit_alpha_verdict *verdict = &judge->verdict->alpha;
    verdict->rows_blanked = sum_of(c, count + ROWS_BLANKED).count;
    report_blank_rows(judge, sum_of(c, count + ROWS_BEYOND));
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

/* Counts blanks into the verdict, and finds those beyond the limits. */
static tacit_status judge_blanks(tacit__judge *judge, tacit_error *err)
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
        report_blanks(judge, &c);
    tacit__free(c.tallies);
    return status;
}

enum {
    LOOKED_THROUGH = 1 << 12, /* pairs of patterns that are compared without further thought */
    LOOK_UP = 32,             /* what a look-up costs, in comparisons */
    TASK = 64                 /* patterns that are looked for by themselves */
};

/* Two groups: the smaller and the larger. */
typedef struct pair {
    tacit__ambiguity *a;
    int64_t small, large;
    uint64_t keep[TACIT__MAX_AMBIGUOUS];
} pair;

static void add(tacit__ambiguity *a, int64_t pattern, int64_t rows)
{
    __atomic_fetch_add(&a->alpha[pattern], rows, __ATOMIC_RELAXED);
}

static const tacit__pattern_group *small_group(const pair *q)
{
    return &q->a->patterns.groups[q->small];
}

static const tacit__pattern_group *large_group(const pair *q)
{
    return &q->a->patterns.groups[q->large];
}

/* Whether comparing takes no longer than looking up. */
static bool few_comparisons(const pair *q)
{
    const tacit__pattern_group *small = small_group(q);
    int64_t sizes = tacit__group_size(small) + tacit__group_size(large_group(q)), steps = 0;
    if (tacit__group_size(small) * tacit__group_size(large_group(q)) <= LOOKED_THROUGH)
        return true;
    for (int64_t i = small->from; i < small->to && steps <= LOOK_UP * sizes; i++) {
        tacit__ambiguity_stretch near = tacit__near(&q->a->patterns, i, q->small, q->large);
        steps += near.to - near.from;
    }
    return steps <= LOOK_UP * sizes;
}

static void compare(const pair *q)
{
    const tacit__patterns *p = &q->a->patterns;
    for (int64_t i = small_group(q)->from; i < small_group(q)->to; i++) {
        tacit__ambiguity_stretch near = tacit__near(p, i, q->small, q->large);
        int64_t rows = 0;
        for (;; near.from++) {
            near.from = tacit__next_alike(p, i, q->keep, near);
            if (near.from == near.to)
                break;
            rows += p->rows[near.from];
            add(q->a, near.from, p->rows[i]);
        }
        if (rows)
            add(q->a, i, rows);
    }
}

/* Rows behind each key, of both groups. */
typedef struct key_rows {
    int64_t small, large;
} key_rows;

static void spread_rows(const pair *q, const tacit__ambiguity_keyed *keyed, key_rows *rows)
{
    const tacit__patterns *p = &q->a->patterns;
    const tacit__pattern_group *small = small_group(q), *large = large_group(q);
    for (int64_t i = small->from; i < small->to; i++)
        rows[keyed->key_of[i - small->from]].small += p->rows[i];
    for (int64_t i = large->from; i < large->to; i++) {
        int64_t key = tacit__keyed_find(keyed, p, i);
        if (key < 0)
            continue;
        rows[key].large += p->rows[i];
        add(q->a, i, rows[key].small);
    }
    for (int64_t i = small->from; i < small->to; i++)
        add(q->a, i, rows[keyed->key_of[i - small->from]].large);
}

static tacit_status look_up(const pair *q, tacit_error *err)
{
    tacit__ambiguity_keyed keyed = {0};
    tacit_status status = tacit__keyed_init(&keyed, &q->a->patterns, small_group(q), q->keep, err);
    if (status != TACIT_OK)
        return status;
    key_rows *rows = tacit__alloc_zeroed((size_t)keyed.count, sizeof *rows);
    if (rows)
        spread_rows(q, &keyed, rows);
    else
        status = tacit__nomem(err);
    tacit__free(rows);
    tacit__keyed_clear(&keyed);
    return status;
}

static tacit_status count_pair(tacit__ambiguity *a, int64_t g, int64_t h, tacit_error *err)
{
    const tacit__pattern_group *groups = a->patterns.groups;
    bool g_is_small = tacit__group_size(&groups[g]) <= tacit__group_size(&groups[h]);
    pair q = {.a = a, .small = g_is_small ? g : h, .large = g_is_small ? h : g};
    tacit__outside(q.keep, &a->patterns, g, h);
    if (!few_comparisons(&q))
        return look_up(&q, err);
    compare(&q);
    return TACIT_OK;
}

/* A group with all that come before it. */
static tacit_status count_group(void *context, int64_t group, int worker, tacit_error *err)
{
    (void)worker;
    tacit__ambiguity *a = context;
    tacit_status status = TACIT_OK;
    for (int64_t g = 0; g < group && status == TACIT_OK; g++)
        status = count_pair(a, g, group, err);
    return status;
}

/* Some patterns, each by itself. */
static tacit_status count_patterns(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    (void)err;
    tacit__ambiguity *a = context;
    const tacit__patterns *p = &a->patterns;
    for (int64_t i = task * TASK; i < (task + 1) * TASK && i < p->count; i++) {
        tacit__screen_look look;
        tacit__screen_aim(&look, &a->screen, p, i);
        a->alpha[i] = 0;
        for (int64_t other; (other = tacit__screen_next(&look)) >= 0;)
            a->alpha[i] += p->rows[other];
    }
    return TACIT_OK;
}

static tacit_status count_alpha(tacit__ambiguity *a, tacit_error *err)
{
    const tacit__patterns *p = &a->patterns;
    a->alpha = tacit__alloc_array((size_t)p->count, sizeof *a->alpha);
    if (!a->alpha)
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->count; i++)
        a->alpha[i] = p->rows[i];
    tacit_status status = screen_init(&a->screen, p, err);
    if (status != TACIT_OK)
        return status;
    if (a->screen.bits)
        return tacit__parallel(a->judge->run, "judging", (p->count + TASK - 1) / TASK,
                               count_patterns, a, err);
    return tacit__parallel(a->judge->run, "judging", p->group_count, count_group, a, err);
}

static void sum_alpha(tacit__ambiguity *a)
{
    const tacit__patterns *p = &a->patterns;
    tacit_alpha_verdict *v = &a->judge->verdict->alpha;
    v->checked = true;
    for (int64_t i = 0; i < p->count; i++) {
        a->total += (uint64_t)a->alpha[i] * (uint64_t)p->rows[i];
        if (i == 0 || a->alpha[i] < v->least)
            v->least = a->alpha[i];
        if (a->alpha[i] < a->judge->promise->k)
            v->rows_below += p->rows[i];
    }
    v->mean = p->row_count ? (double)a->total / (double)p->row_count : 0;
}

static void report_rows(const tacit__ambiguity *a)
{
    tacit__judge *judge = a->judge;
    long long below = judge->verdict->alpha.rows_below;
    int64_t row = 0;
    while (a->alpha[a->patterns.of_row[row]] >= judge->promise->k)
        row++;
    tacit__find(
        judge, TACIT_FINDING_ALPHA, row + 1, below,
        "%lld %s with fewer than k = %lld rows, itself counted and \"*\" as anything; the first "
        "is row %lld (line %lld)",
        below, below == 1 ? "row agrees" : "rows agree", (long long)judge->promise->k,
        (long long)(row + 1), (long long)tacit_table_line(judge->release, row));
}

static void report(const tacit__ambiguity *a)
{
    tacit__judge *judge = a->judge;
    const tacit_alpha_verdict *v = &judge->verdict->alpha;
    if (!judge->promise->mean_alpha && v->rows_below)
        report_rows(a);
    if (judge->promise->mean_alpha && !tacit__mean_is_k(judge, a->total))
        tacit__find(
            judge, TACIT_FINDING_ALPHA, 0, v->rows_below,
            "a row agrees with %.6g rows in the mean, itself counted and \"*\" as anything, "
            "fewer than k = %lld",
            v->mean, (long long)judge->promise->k);
}

static tacit_status judge_alpha(tacit__judge *judge, tacit_error *err)
{
    tacit__ambiguity a = {.judge = judge};
    tacit_status status = tacit__patterns_init(&a.patterns, judge->release, judge->attribute,
                                               judge->promise->attribute_count, judge->run, err);
    if (status == TACIT_OK)
        status = count_alpha(&a, err);
    if (status == TACIT_OK) {
        sum_alpha(&a);
        report(&a);
        status = tacit__judge_fits(&a, err);
    }
    if (status == TACIT_OK)
        status = tacit__judge_minimality(&a, err);
    screen_clear(&a.screen);
    tacit__people_clear(&a.sure);
    tacit__patterns_clear(&a.patterns);
    tacit__free(a.alpha);
    return status;
}

tacit_status tacit__judge_ambiguity(tacit__judge *judge, tacit_error *err)
{
    const tacit_promise *promise = judge->promise;
    tacit_status status = TACIT_OK;
    if (promise->ambiguous || promise->max_row_blanks || promise->most_column_blanks)
        status = judge_blanks(judge, err);
    if (status == TACIT_OK && promise->ambiguous)
        status = judge_alpha(judge, err);
    return status;
}
