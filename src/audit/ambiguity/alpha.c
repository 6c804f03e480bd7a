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
 * (screen.c).
 *
 * Cost: for each pair of groups, whichever is less, so at most a look-up for every group and
 * pattern; 8 bytes a pattern beyond the patterns. Groups are worked on by several
 * threads; alpha is a sum of integers, so that it does not matter who adds what.
 */
#include "audit/ambiguity/ambiguity.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum {
    LOOKED_THROUGH = 1 << 12, /* pairs of patterns that are compared without further thought */
    LOOK_UP = 32,             /* what a look-up costs, in comparisons */
    TASK = 64                 /* patterns that are looked for by themselves */
};

/* Two groups: the smaller and the larger. */
typedef struct pair {
    tacit__ambiguity *a;
    int64_t small, large;
    uint64_t keep[TACIT__MAX_PROMISED];
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
    tacit_status status = tacit__screen_init(&a->screen, p, err);
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
    tacit__screen_clear(&a.screen);
    tacit__people_clear(&a.sure);
    tacit__patterns_clear(&a.patterns);
    tacit__free(a.alpha);
    return status;
}

tacit_status tacit__judge_ambiguity(tacit__judge *judge, tacit_error *err)
{
    const tacit_promise *promise = judge->promise;
    tacit_status status = TACIT_OK;
    if (promise->ambiguous || promise->most_row_blanks || promise->most_column_blanks)
        status = tacit__judge_blanks(judge, err);
    if (status == TACIT_OK && promise->ambiguous)
        status = judge_alpha(judge, err);
    return status;
}
