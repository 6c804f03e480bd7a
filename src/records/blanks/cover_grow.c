/*
 * cover_grow.c - donors with many blanks, where there are too many sets of columns
 * to look at each: blanks of a row are grown column by column.
 *
 * The next column is the one that brings the most rows nearest: a row that differs in d
 * columns still counts 4^-d in each of them. Of the masks on the way the one stays that
 * helps the most rows for its cost; of a few rows, taken by chance, the best becomes a
 * donor. A donor costs a look at every open class for each column of its mask. Whole rows
 * are the end of it: k - 1 of them always do, where limits let them.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/blanks/cover.h"

enum { CANDIDATES = 4, MOST_FAILURES = 16 };

typedef struct growing {
    tacit__covering *cover;
    uint32_t *open; /* classes in need of donors */
    uint32_t count;
    uint64_t *differ; /* of them: columns in which they differ from the row in hand */
} growing;

/* A row and its blanks. */
typedef struct growth {
    uint32_t need;
    uint64_t mask;
    double score; /* rows helped for the cost */
} growth;

static void list_open(growing *g)
{
    tacit__covering *cover = g->cover;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (tacit__covering_open(cover, g->open[i]) > 0)
            g->open[kept++] = g->open[i];
    g->count = kept;
}

/* The column that brings the most rows nearest for its cost, or -1. */
static int best_column(const growing *g, uint32_t class_index, uint64_t mask)
{
    const tacit__covering *cover = g->cover;
    const tacit__tableau *t = cover->tableau;
    double weight[64] = {0};
    int best = -1;
    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t rest = g->differ[i] & ~mask;
        double w =
            ldexp((double)tacit__covering_open(cover, g->open[i]), -2 * __builtin_popcountll(rest));
        for (; rest; rest &= rest - 1)
            weight[__builtin_ctzll(rest)] += w;
    }
    for (int32_t c = 0; c < t->columns; c++) {
        uint64_t bit = UINT64_C(1) << c;
        weight[c] /= t->costs[(int64_t)class_index * t->columns + c];
        if (!(mask & bit) && weight[c] > 0 && tacit__covering_allows(cover, mask | bit, bit) &&
            (best < 0 || weight[c] > weight[best]))
            best = c;
    }
    return best;
}

/* Rows that a mask helps, but for the donor's own class. */
static double rows_helped(const growing *g, uint64_t mask)
{
    int64_t rows = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->differ[i] && !(g->differ[i] & ~mask))
            rows += tacit__covering_open(g->cover, g->open[i]);
    return (double)rows;
}

static growth grow_mask(growing *g, uint32_t need)
{
    tacit__covering *cover = g->cover;
    const tacit__tableau *t = cover->tableau;
    uint32_t class_index = cover->class_of[need];
    growth best = {.need = need};
    for (uint32_t i = 0; i < g->count; i++)
        g->differ[i] = tacit__tableau_differ(t, class_index, cover->class_of[g->open[i]]);
    uint64_t mask = 0;
    for (int c; (c = best_column(g, class_index, mask)) >= 0;) {
        mask |= UINT64_C(1) << c;
        double score = (rows_helped(g, mask) + (double)tacit__covering_lack(cover, need)) /
                       tacit__tableau_cost(t, class_index, mask);
        if (score > best.score)
            best = (growth){.need = need, .mask = mask, .score = score};
        cover->work += g->count;
    }
    return best;
}

/* One more donor. *helps: something is less open than before. */
static tacit_status grow_one(bool *helps, growing *g, uint64_t turn, tacit_error *err)
{
    tacit__covering *cover = g->cover;
    growth best = {0};
    *helps = false;
    for (uint64_t i = 0; i < CANDIDATES; i++) {
        uint32_t need = g->open[tacit__mix(turn * CANDIDATES + i + 1) % g->count];
        growth next = {0};
        if (cover->fresh[need] > 0)
            next = grow_mask(g, need);
        if (next.score > best.score)
            best = next;
    }
    if (!best.mask)
        return TACIT_OK;
    int64_t before = cover->open;
    int64_t sum = 0, after = 0;
    for (uint32_t i = 0; i < g->count; i++)
        sum += tacit__covering_lack(cover, g->open[i]);
    tacit_status status =
        tacit__covering_add(cover, cover->class_of[best.need], best.need, best.mask, err);
    for (uint32_t i = 0; i < g->count; i++)
        after += tacit__covering_lack(cover, g->open[i]);
    *helps = after < sum || cover->open < before;
    if (status == TACIT_OK && !*helps)
        status = tacit__covering_undo(cover, cover->change_count - 1, err);
    return status;
}

tacit_status tacit__covering_grow(tacit__covering *cover, int64_t work, double most,
                                  tacit_error *err)
{
    growing g = {.cover = cover,
                 .count = cover->needs,
                 .open = tacit__alloc_array(cover->needs, sizeof *g.open),
                 .differ = tacit__alloc_array(cover->needs, sizeof *g.differ)};
    int64_t end = cover->work + work;
    int failures = 0;
    tacit_status status = g.open && g.differ ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < cover->needs; i++)
        g.open[i] = i;
    cover->noting = true;
    for (uint64_t turn = 0; status == TACIT_OK && cover->open > 0 && failures < MOST_FAILURES &&
                            cover->work < end && cover->cost < most;
         turn++) {
        bool helps;
        list_open(&g);
        status = tacit__progress(cover->run, "growing blanks", (int64_t)cover->needs - g.count,
                                 cover->needs, err);
        if (status == TACIT_OK)
            status = grow_one(&helps, &g, turn, err);
        if (status == TACIT_OK)
            failures = helps ? 0 : failures + 1;
    }
    cover->noting = false;
    cover->change_count = 0;
    tacit__free(g.open);
    tacit__free(g.differ);
    return status;
}
