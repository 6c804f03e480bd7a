/*
 * screen.c - patterns that can agree with a pattern, where groups are too many to go through
 * (patterns.h).
 *
 * In a wide table nearly every row has "*" somewhere else and is a group of its own. Then every
 * place has LANES lists of bits, a bit a pattern, and every value belongs to one lane: the
 * bit is set where the pattern has "*" there or a value of that lane. What can agree with a
 * pattern is what is set in the lane of each value that it has; that is a few steps for 64
 * patterns. Different values may share a lane, so what is left is compared.
 *
 * Cost: LANES / 8 bytes for every pattern and place; a look takes 1/64 of a step for every pattern
 * and place, mostly less.
 */
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "base/alloc.h"
#include "base/error.h"

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

tacit_status tacit__screen_init(tacit__screen *screen, const tacit__patterns *p, tacit_error *err)
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
        tacit__screen_clear(&made);
        return tacit__nomem(err);
    }
    note_all(&made, p);
    *screen = made;
    return TACIT_OK;
}

void tacit__screen_clear(tacit__screen *screen)
{
    tacit__free(screen->bits);
    tacit__free(screen->group_of);
    *screen = (tacit__screen){0};
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
