/*
 * cover_small.c - better blanks for tables of a few rows, where rows that share
 * the columns in which they differ save what boxes cannot.
 *
 * Some rows lose their blanks; rows that agree with too few are made to agree with the
 * nearest, cell by cell in the cheaper row, mostly, and by chance where it costs the same; then
 * blanks that became needless are filled. What costs no more stays. All rows are compared
 * with each other, so this is for a few dozen of them; the number of attempts makes up
 * for it, so that no table takes long.
 */
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/blanks/cover.h"

enum { ATTEMPTS_WORK = 1 << 21, MOST_ATTEMPTS = 2000, SMALL_ASK_EVERY = 64 };

typedef struct rows {
    int count;
    double cost;
    uint64_t mask[TACIT__SMALL_ROWS];
    int64_t alpha[TACIT__SMALL_ROWS];
    int64_t used[64];
} rows;

typedef struct small {
    const tacit__tableau *t;
    uint32_t class_of[TACIT__SMALL_ROWS];
    uint64_t differ[TACIT__SMALL_ROWS][TACIT__SMALL_ROWS];
    uint64_t chance;
} small;

static uint32_t draw_below(small *s, uint32_t below)
{
    return (uint32_t)(tacit__mix(++s->chance) % below);
}

static double cell_cost(const small *s, int row, int column)
{
    return s->t->costs[(int64_t)s->class_of[row] * s->t->columns + column];
}

/* Gives a row other blanks. */
static void set_row_mask(const small *s, rows *r, int row, uint64_t mask)
{
    uint64_t before = r->mask[row];
    for (int j = 0; j < r->count; j++) {
        uint64_t apart = s->differ[row][j] & ~r->mask[j];
        int change = !(apart & ~mask) - !(apart & ~before);
        r->alpha[j] += j == row ? 0 : change;
        r->alpha[row] += j == row ? 0 : change;
    }
    for (int32_t c = 0; c < s->t->columns; c++) {
        int change = (int)(mask >> c & 1) - (int)(before >> c & 1);
        r->used[c] += change;
        r->cost += change * cell_cost(s, row, c);
    }
    r->mask[row] = mask;
}

/* Whether a row may have one more blank. */
static bool allows(const small *s, const rows *r, int row, int column)
{
    return __builtin_popcountll(r->mask[row]) < s->t->most_row &&
           r->used[column] < s->t->most_column;
}

/* Makes two rows agree, cell by cell in the row where it costs less; false where limits forbid
 * it. */
static bool join(small *s, rows *r, int i, int j)
{
    uint64_t apart = s->differ[i][j] & ~(r->mask[i] | r->mask[j]);
    for (; apart; apart &= apart - 1) {
        int c = __builtin_ctzll(apart);
        bool first = allows(s, r, i, c), second = allows(s, r, j, c);
        double more = cell_cost(s, i, c) - cell_cost(s, j, c);
        if (!first && !second)
            return false;
        if (first && second)
            first = draw_below(s, 8) == 0 ? draw_below(s, 2) == 0
                                          : more < 0 || (more <= 0 && draw_below(s, 3) > 0);
        int row = first ? i : j;
        set_row_mask(s, r, row, r->mask[row] | UINT64_C(1) << c);
    }
    return true;
}

/* What it costs at least to make rows agree, a little lower by chance; 0 where they do. */
static double distance(small *s, const rows *r, int i, int j)
{
    double sum = 0;
    uint64_t apart = s->differ[i][j] & ~(r->mask[i] | r->mask[j]);
    for (; apart; apart &= apart - 1) {
        int c = __builtin_ctzll(apart);
        double a = cell_cost(s, i, c), b = cell_cost(s, j, c);
        sum += a < b ? a : b;
    }
    return sum * (1 - 0.001 * draw_below(s, 300));
}

/* Lets a row agree with one more, the nearest that will; false where none does. */
static bool help_row(small *s, rows *r, int row)
{
    uint64_t tried = 0;
    for (;;) {
        double least = 0;
        int nearest = -1;
        for (int j = 0; j < r->count; j++) {
            double far = tried >> j & 1 ? 0 : distance(s, r, row, j);
            if (far > 0 && (nearest < 0 || far < least)) {
                least = far;
                nearest = j;
            }
        }
        if (nearest < 0)
            return false;
        rows before = *r;
        if (join(s, r, row, nearest))
            return true;
        *r = before;
        tried |= UINT64_C(1) << nearest;
    }
}

static bool repair(small *s, rows *r)
{
    int first = (int)draw_below(s, (uint32_t)r->count);
    for (int i = 0; i < r->count; i++) {
        int row = (first + i) % r->count;
        while (r->alpha[row] < s->t->k)
            if (!help_row(s, r, row))
                return false;
    }
    return true;
}

/* Whether nobody needs a blank. */
static bool needless(const small *s, const rows *r, int row, uint64_t mask)
{
    int64_t lost = 0;
    for (int j = 0; j < r->count; j++) {
        uint64_t apart = s->differ[row][j] & ~r->mask[j];
        if ((apart & ~r->mask[row]) || !(apart & ~mask))
            continue;
        lost++;
        if (r->alpha[j] <= s->t->k)
            return false;
    }
    return r->alpha[row] - lost >= s->t->k;
}

/* Fills needless blanks, beginning anywhere. */
static void fill_needless(small *s, rows *r)
{
    int columns = s->t->columns, cells = r->count * columns;
    int first = (int)draw_below(s, (uint32_t)cells);
    for (int i = 0; i < cells; i++) {
        int cell = (first + i) % cells, row = cell / columns;
        uint64_t mask = r->mask[row] & ~(UINT64_C(1) << cell % columns);
        if (mask != r->mask[row] && needless(s, r, row, mask))
            set_row_mask(s, r, row, mask);
    }
}

/* Fewer blanks: none of a few rows, or none at all. */
static void ruin(small *s, rows *r)
{
    int away = 1 + (int)draw_below(s, 3);
    bool all = draw_below(s, 8) == 0;
    for (int i = 0; i < (all ? r->count : away); i++)
        set_row_mask(s, r, all ? i : (int)draw_below(s, (uint32_t)r->count), 0);
}

static void start_rows(small *s, rows *r, const tacit__blanking *plan)
{
    for (int64_t i = 0; i < s->t->classes; i++)
        for (int64_t row = 0; row < s->t->counts[i]; row++)
            s->class_of[r->count++] = (uint32_t)i;
    for (int i = 0; i < r->count; i++)
        for (int j = 0; j < r->count; j++) {
            s->differ[i][j] = tacit__tableau_differ(s->t, s->class_of[i], s->class_of[j]);
            r->alpha[i] += !s->differ[i][j];
        }
    for (int64_t b = 0; b < plan->count; b++)
        for (int64_t row = 0, at = 0; row < plan->blanks[b].rows; at++)
            if (s->class_of[at] == plan->blanks[b].class_index && !r->mask[at]) {
                set_row_mask(s, r, (int)at, plan->blanks[b].mask);
                row++;
            }
}

/* Attempts, as many as the size lets. *good: the rows keep what is asked; *stopped: progress said
 * so. */
static void search_small(bool *good, bool *stopped, small *s, rows *best, double bound,
                         const tacit_run *run)
{
    int64_t attempts = ATTEMPTS_WORK / ((int64_t)best->count * best->count * s->t->columns);
    attempts = attempts > MOST_ATTEMPTS ? MOST_ATTEMPTS : attempts;
    for (int64_t i = 0; i < attempts && (!*good || best->cost > bound + 1e-9); i++) {
        rows next = *best;
        tacit_error stop = {0};
        *stopped = i % SMALL_ASK_EVERY == 0 &&
                   tacit__progress(run, "sharing blanks", i, attempts, &stop) != TACIT_OK;
        if (*stopped)
            return;
        ruin(s, &next);
        if (!repair(s, &next))
            continue;
        fill_needless(s, &next);
        if (!*good || next.cost <= best->cost + 1e-9)
            *best = next;
        *good = true;
    }
}

tacit_status tacit__covering_small(bool *good, tacit__blanking *plan, const tacit__tableau *t,
                                   const tacit_run *run, tacit_error *err)
{
    small s = {.t = t};
    rows best = {0};
    tacit_status status = TACIT_OK;
    start_rows(&s, &best, plan);
    search_small(good, &plan->stopped, &s, &best, plan->bound, run);
    plan->count = 0;
    for (int i = 0; status == TACIT_OK && i < best.count; i++)
        if (best.mask[i])
            status = tacit__blanking_add(
                plan, (tacit__blank){.class_index = s.class_of[i], .rows = 1, .mask = best.mask[i]},
                err);
    tacit__blanking_tidy(plan);
    plan->proven = *good && best.cost <= plan->bound + 1e-9;
    return status;
}
