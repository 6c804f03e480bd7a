/*
 * pram_draw.c - post-randomization: what each cell of a column becomes.
 *
 * plain: a value stays with probability keep and else becomes any other of its group, each alike;
 * or it becomes what its row of the matrix P says.
 *
 * invariant, with keep: a value stays with probability keep, and else is drawn from the values of
 * its group as they are distributed. With a matrix: in two steps (Kooiman, Willenborg and
 * Gouweleeuw, PRAM: a method for disclosure limitation of microdata, 1997): first as P says, to l;
 * then back by Q with Q(l, j) = P(j, l) t(j) / sum over i of P(i, l) t(i), t being the counts of
 * the group. t P Q = t, so counts are expected to stay. A row of Q is made when it is first used.
 *
 * exact: the first step is the same, but then the values of those rows of a group that went to the
 * same place are shuffled among them: drawing by Q without replacement. Counts stay as they are.
 *
 * Rows are gone through group by group, in stretches of which each has a stream of its own. A cell
 * costs a search among the states of its group or the matrix.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/categories/pram.h"

/* The first entry above a number below the last. */
static uint32_t find_share(const double *sums, uint32_t count, double number)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t by_matrix(const tacit__pram *p, uint32_t state, tacit__random *random)
{
    const double *sums = p->sums + (size_t)state * p->state_count;
    return find_share(sums, p->state_count, tacit__random_unit(random) * sums[p->state_count - 1]);
}

/* A stretch of rows, and the group that it has come to. */
typedef struct strip {
    const tacit__pram *pram;
    tacit__random random;
    uint32_t group;
    const uint32_t *states; /* of the group */
    const int64_t *upto;
    uint32_t count;
    double *back;       /* rows of Q, summed up: one for each state of the matrix */
    uint32_t *made_for; /* the group that each was made for, plus 1 */
} strip;

static void enter_group(strip *s, uint32_t group)
{
    const tacit__pram_list *list = &s->pram->list;
    s->group = group;
    s->states = list->states + list->starts[group];
    s->upto = list->upto + list->starts[group];
    s->count = (uint32_t)(list->starts[group + 1] - list->starts[group]);
}

/* Any other state of the group; the last stands in for the one that it is. */
static uint32_t any_other(strip *s, uint32_t state)
{
    if (s->count < 2)
        return state;
    uint32_t drawn = s->states[tacit__random_below(&s->random, s->count - 1)];
    return drawn == state ? s->states[s->count - 1] : drawn;
}

/* A state of the group as often as it is there. */
static uint32_t as_distributed(strip *s)
{
    int64_t drawn = (int64_t)tacit__random_below64(&s->random, (uint64_t)s->upto[s->count - 1]);
    uint32_t low = 0, high = s->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->upto[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return s->states[low];
}

/* Back from where the matrix led, by Bayes' rule. */
static uint32_t back_from(strip *s, uint32_t through)
{
    const tacit__pram *p = s->pram;
    double *sums = s->back + (size_t)through * p->state_count, sum = 0;
    for (uint32_t i = 0; s->made_for[through] != s->group + 1 && i < s->count; i++) {
        int64_t rows = s->upto[i] - (i ? s->upto[i - 1] : 0);
        sum += p->matrix->shares[(size_t)s->states[i] * p->state_count + through] * (double)rows;
        sums[i] = sum;
    }
    s->made_for[through] = s->group + 1;
    return s
        ->states[find_share(sums, s->count, tacit__random_unit(&s->random) * sums[s->count - 1])];
}

static uint32_t drawn_anew(strip *s, uint32_t state)
{
    const tacit__pram *p = s->pram;
    if (p->matrix) {
        uint32_t through = by_matrix(p, state, &s->random);
        return p->way == TACIT__PRAM_INVARIANT ? back_from(s, through) : through;
    }
    if (tacit__random_unit(&s->random) < p->keep)
        return state;
    return p->way == TACIT__PRAM_INVARIANT ? as_distributed(s) : any_other(s, state);
}

static bool put(tacit__pram *p, int64_t row, uint32_t state)
{
    if (state == p->states[row])
        return false;
    tacit__cell_put(p->column, row, p->cells[state]);
    return true;
}

/* Streams of a column follow those of the columns before it. */
static void begin(tacit__random *random, const tacit__pram *p, uint8_t purpose, int64_t stretch)
{
    int64_t stretches = (p->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    tacit__call_random(random, p->call, purpose, (uint32_t)(p->place * stretches + stretch));
}

static tacit_status draw_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    tacit__pram *p = context;
    strip s = {.pram = p, .group = UINT32_MAX};
    size_t back = p->matrix && p->way == TACIT__PRAM_INVARIANT ? p->state_count : 0;
    int64_t changed = 0;
    (void)worker;
    s.back = tacit__alloc_array(back * back, sizeof *s.back);
    s.made_for = tacit__alloc_zeroed(back, sizeof *s.made_for);
    tacit_status status = s.back && s.made_for ? TACIT_OK : tacit__nomem(err);
    begin(&s.random, p, 0, stretch);
    for (int64_t i = from; status == TACIT_OK && i < to; i++) {
        uint32_t row = p->groups->rows[i];
        if (p->states[row] == TACIT__PRAM_EMPTY)
            continue;
        if (p->groups->group[row] != s.group)
            enter_group(&s, p->groups->group[row]);
        changed += put(p, row, drawn_anew(&s, p->states[row]));
    }
    tacit__free(s.back);
    tacit__free(s.made_for);
    atomic_fetch_add(&p->changed, changed);
    return status;
}

/* ---- exact ---- */

typedef struct sorting {
    tacit__pram *pram;
    uint32_t *through; /* of each row: where the first step led; TACIT__PRAM_EMPTY: it stays */
    uint32_t *order;   /* rows by group, then by where it led */
    uint32_t *spare;
    int64_t *starts; /* while counting */
} sorting;

static tacit_status lead_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    const sorting *s = context;
    const tacit__pram *p = s->pram;
    tacit__random random;
    (void)worker, (void)err;
    begin(&random, p, 0, stretch);
    for (int64_t row = from; row < to; row++) {
        uint32_t state = p->states[row];
        s->through[row] = TACIT__PRAM_EMPTY;
        if (state != TACIT__PRAM_EMPTY && p->matrix)
            s->through[row] = by_matrix(p, state, &random);
        else if (state != TACIT__PRAM_EMPTY && tacit__random_unit(&random) >= p->keep)
            s->through[row] = 0;
    }
    return TACIT_OK;
}

/* Orders rows by where the first step led, then, which leaves that order within them, by group.
 * Returns how many rows take part. */
static int64_t sort_rows(sorting *s)
{
    const tacit__pram *p = s->pram;
    int64_t rows = p->sheet->rows, count = 0;
    uint32_t places = p->matrix ? p->state_count : 1;
    memset(s->starts, 0, ((size_t)places + 1) * sizeof *s->starts);
    for (int64_t row = 0; row < rows; row++)
        if (s->through[row] != TACIT__PRAM_EMPTY)
            s->starts[s->through[row] + 1]++;
    for (uint32_t i = 0; i < places; i++)
        s->starts[i + 1] += s->starts[i];
    count = s->starts[places];
    for (int64_t i = 0; i < rows; i++)
        if (s->through[i] != TACIT__PRAM_EMPTY)
            s->spare[s->starts[s->through[i]]++] = (uint32_t)i;
    memset(s->starts, 0, ((size_t)p->groups->count + 1) * sizeof *s->starts);
    for (int64_t i = 0; i < count; i++)
        s->starts[p->groups->group[s->spare[i]] + 1]++;
    for (uint32_t i = 0; i < p->groups->count; i++)
        s->starts[i + 1] += s->starts[i];
    for (int64_t i = 0; i < count; i++)
        s->order[s->starts[p->groups->group[s->spare[i]]]++] = s->spare[i];
    return count;
}

static int64_t shuffle_run(sorting *s, int64_t from, int64_t to, tacit__random *random)
{
    tacit__pram *p = s->pram;
    int64_t changed = 0;
    for (int64_t i = from; i < to; i++)
        s->spare[i] = p->states[s->order[i]];
    for (int64_t i = to - 1; i > from; i--) {
        int64_t other = from + (int64_t)tacit__random_below(random, (uint32_t)(i - from + 1));
        uint32_t held = s->spare[i];
        s->spare[i] = s->spare[other];
        s->spare[other] = held;
    }
    for (int64_t i = from; i < to; i++)
        changed += put(p, s->order[i], s->spare[i]);
    return changed;
}

static void shuffle(sorting *s, int64_t count)
{
    const tacit__pram *p = s->pram;
    tacit__random random;
    begin(&random, p, 1, 0);
    for (int64_t from = 0, to; from < count; from = to) {
        uint32_t group = p->groups->group[s->order[from]], through = s->through[s->order[from]];
        for (to = from + 1; to < count && p->groups->group[s->order[to]] == group &&
                            s->through[s->order[to]] == through;)
            to++;
        s->pram->changed += shuffle_run(s, from, to, &random);
    }
}

static tacit_status draw_exactly(tacit__pram *p, tacit_error *err)
{
    size_t rows = (size_t)p->sheet->rows, places = p->matrix ? p->state_count : 1;
    size_t counts = places > p->groups->count ? places : p->groups->count;
    sorting s = {.pram = p};
    s.through = tacit__alloc_array(rows, sizeof *s.through);
    s.order = tacit__alloc_array(rows, sizeof *s.order);
    s.spare = tacit__alloc_array(rows, sizeof *s.spare);
    s.starts = tacit__alloc_array(counts + 2, sizeof *s.starts);
    tacit_status status =
        s.through && s.order && s.spare && s.starts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__stretches(p->sheet, "drawing categories", lead_stretch, &s, err);
    if (status == TACIT_OK)
        shuffle(&s, sort_rows(&s));
    tacit__free(s.through);
    tacit__free(s.order);
    tacit__free(s.spare);
    tacit__free(s.starts);
    return status;
}

tacit_status tacit__pram_draw(tacit__pram *pram, tacit_error *err)
{
    if (pram->way == TACIT__PRAM_EXACT)
        return draw_exactly(pram, err);
    return tacit__stretches(pram->sheet, "drawing categories", draw_stretch, pram, err);
}
