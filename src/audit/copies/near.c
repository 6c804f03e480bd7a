/*
 * near.c - whether released rows are nearer to rows of the original than those are to each other.
 *
 * The distance of two rows is summed over columns: of numbers the difference of their places, which
 * are shares of the original's rows, else 0 where they say the same and 1 where not. Each row that
 * is looked at is compared with all rows of the original, but for itself, where it is one of them:
 * so it is to the others what a row drawn anew would be, but for one row less. Two equal rows of
 * the original are 0 apart; that is no copying, and is the same for a row drawn anew.
 *
 * Cost: rows looked at times rows times columns, in parallel, and of more than max_steps as few
 * rows as keep to that.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/copies/copies.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"

enum { TASK = 64 }; /* rows of a task */

/* The nearest row of the original, and the second nearest. */
typedef struct nearest {
    double first, second;
} nearest;

typedef struct looking {
    const tacit__copies_scene *s;
    int table;
    const uint32_t *rows; /* that are looked at */
    int64_t count;
    nearest *found; /* of each of them */
} looking;

static double distance(const tacit__copies_scene *s, int table, int64_t row, int64_t person,
                       double most)
{
    double sum = 0;
    for (size_t i = 0; i < s->count && sum < most; i++) {
        const tacit__copies_column *column = &s->columns[i];
        uint32_t x = tacit_codes_at(column->codes[table], row);
        uint32_t y = tacit_codes_at(column->codes[TACIT__COPIES_ORIGINAL], person);
        double gap =
            column->numeric
                ? fabs(column->places[table][x] - column->places[TACIT__COPIES_ORIGINAL][y])
                : NAN;
        uint32_t same = table == TACIT__COPIES_RELEASE ? column->same[x] : x;
        sum += same == y ? 0 : isnan(gap) ? 1 : gap;
    }
    return sum;
}

/* Sums of the same differences in another order are the same. */
static double even(double sum)
{
    return nearbyint(sum * 0x1p40) * 0x1p-40;
}

static nearest look_for(const looking *l, int64_t row)
{
    nearest found = {INFINITY, INFINITY};
    for (int64_t person = 0; person < l->s->rows[TACIT__COPIES_ORIGINAL]; person++) {
        if (l->table == TACIT__COPIES_ORIGINAL && person == row)
            continue;
        double gap = distance(l->s, l->table, row, person, found.second);
        if (gap < found.first)
            found = (nearest){gap, found.first};
        else if (gap < found.second)
            found.second = gap;
    }
    return (nearest){even(found.first), even(found.second)};
}

static tacit_status look(void *context, int64_t task, int worker, tacit_error *err)
{
    looking *l = context;
    int64_t end = (task + 1) * TASK < l->count ? (task + 1) * TASK : l->count;
    (void)worker, (void)err;
    for (int64_t i = task * TASK; i < end; i++)
        l->found[i] = look_for(l, l->rows[i]);
    return TACIT_OK;
}

/* ---- which rows ---- */

/* A sample without repetition, in random order; all of few. */
static tacit_status choose(uint32_t **out, int64_t rows, int64_t wanted, const tacit_run *run,
                           const char *purpose, tacit_error *err)
{
    uint32_t *list = tacit__alloc_array((size_t)rows, sizeof *list);
    tacit__random random;
    if (!list)
        return tacit__nomem(err);
    tacit__random_init(&random, run, purpose, 0);
    for (int64_t i = 0; i < rows; i++)
        list[i] = (uint32_t)i;
    for (int64_t i = 0; i < wanted; i++) {
        int64_t at = i + tacit__random_below(&random, (uint32_t)(rows - i));
        uint32_t kept = list[i];
        list[i] = list[at];
        list[at] = kept;
    }
    *out = list;
    return TACIT_OK;
}

static int64_t affordable(const tacit__copies_scene *s, int table)
{
    double each = (double)s->rows[TACIT__COPIES_ORIGINAL] * (double)s->count;
    double most = fmin((double)s->options->max_records, (double)s->options->max_steps / 2 / each);
    most = fmin(most, (double)s->rows[table]);
    return most < 1 ? 0 : (int64_t)most;
}

static tacit_status look_at(nearest **found, int64_t *count, const tacit__copies_scene *s,
                            int table, tacit_error *err)
{
    static const char *const PURPOSES[] = {"copo", "copr"};
    tacit_run run;
    uint32_t *rows = NULL;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, s->options->seed);
    *count = affordable(s, table);
    tacit_status status = choose(&rows, s->rows[table], *count, &run, PURPOSES[table], err);
    *found = tacit__alloc_array((size_t)*count, sizeof **found);
    if (status == TACIT_OK && !*found)
        status = tacit__nomem(err);
    looking l = {s, table, rows, *count, *found};
    if (status == TACIT_OK)
        status = tacit__parallel(s->run, "looking for copies", (*count + TASK - 1) / TASK, look, &l,
                                 err);
    tacit__free(rows);
    return status;
}

/* ---- what they come to ---- */

static int by_first(const void *a, const void *b)
{
    const nearest *x = a, *y = b;
    return TACIT__ORDER(x->first, y->first);
}

/* Of all pairs of a released row and one of the original, how often the first is nearer. Both are
 * sorted. */
static double count_closer(const nearest *released, int64_t count, const nearest *original,
                           int64_t others)
{
    double closer = 0;
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < count; i++) {
        while (low < others && original[low].first < released[i].first)
            low++;
        while (high < others && original[high].first <= released[i].first)
            high++;
        closer += (double)(others - high) + (double)(high - low) / 2;
    }
    return closer / (double)count / (double)others;
}

static double middle(const double *sorted, int64_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* Where two rows are as near, they are a crowd: 0 by 0 is 1. */
static tacit_status take_medians(tacit_copies_near *near, int which, const nearest *sorted,
                                 int64_t count, tacit_error *err)
{
    double *list = tacit__alloc_array((size_t)count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++)
        list[i] = sorted[i].first;
    near->distance[which] = middle(list, count);
    for (int64_t i = 0; i < count; i++)
        list[i] = sorted[i].second > 0 ? sorted[i].first / sorted[i].second : 1;
    qsort(list, (size_t)count, sizeof *list, tacit__by_double);
    near->ratio[which] = middle(list, count);
    tacit__free(list);
    return TACIT_OK;
}

tacit_status tacit__copies_nearness(tacit_copies_near *near, const tacit__copies_scene *scene,
                                    tacit_error *err)
{
    nearest *found[TACIT__COPIES_BOTH] = {NULL, NULL};
    int64_t counts[TACIT__COPIES_BOTH] = {0, 0};
    tacit_status status = TACIT_OK;
    *near = (tacit_copies_near){0};
    if (scene->rows[TACIT__COPIES_ORIGINAL] < 3) /* a row has to have a second nearest */
        return TACIT_OK;
    for (int table = 0; status == TACIT_OK && table < TACIT__COPIES_BOTH; table++)
        status = look_at(&found[table], &counts[table], scene, table, err);
    bool any = counts[TACIT__COPIES_ORIGINAL] > 0 && counts[TACIT__COPIES_RELEASE] > 0;
    for (int table = 0; any && status == TACIT_OK && table < TACIT__COPIES_BOTH; table++) {
        qsort(found[table], (size_t)counts[table], sizeof **found, by_first);
        status =
            take_medians(near, table == TACIT__COPIES_ORIGINAL, found[table], counts[table], err);
    }
    if (any && status == TACIT_OK) {
        near->released = counts[TACIT__COPIES_RELEASE];
        near->original = counts[TACIT__COPIES_ORIGINAL];
        near->closer = count_closer(found[TACIT__COPIES_RELEASE], near->released,
                                    found[TACIT__COPIES_ORIGINAL], near->original);
    }
    for (int table = 0; table < TACIT__COPIES_BOTH; table++)
        tacit__free(found[table]);
    return status;
}
