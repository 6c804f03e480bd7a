/*
 * scene.c - both tables read as the tests for copies need them. Values are found by what they say;
 * numbers by what they are, only to place them.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/copies/copies.h"
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/sort.h"

static tacit_status find_column(tacit__copies_scene *s, tacit__copies_column *column,
                                const char *name, tacit_error *err)
{
    for (int table = 0; table < TACIT__COPIES_BOTH; table++) {
        column->place[table] = tacit_table_find(s->tables[table], tacit_strview_of(name));
        if (column->place[table] < 0 ||
            !tacit_table_is_coded(s->tables[table], column->place[table]))
            return tacit__error(err, TACIT_INVALID, "copies: %s has no column \"%s\" that is coded",
                                tacit_table_file(s->tables[table]),
                                tacit__show(tacit_strview_of(name)).text);
        column->codes[table] = tacit_table_codes(s->tables[table], column->place[table]);
    }
    return TACIT_OK;
}

/* ---- values ---- */

static tacit_status match_values(const tacit__copies_scene *s, tacit__copies_column *column,
                                 tacit_error *err)
{
    const tacit_table *release = s->tables[TACIT__COPIES_RELEASE];
    int32_t place = column->place[TACIT__COPIES_RELEASE];
    uint32_t distinct = tacit_table_distinct(release, place);
    tacit__words words = {0};
    column->values = tacit_table_distinct(s->tables[TACIT__COPIES_ORIGINAL],
                                          column->place[TACIT__COPIES_ORIGINAL]) +
                     1;
    column->same = tacit__alloc_array((size_t)distinct + 1, sizeof *column->same);
    if (!column->same)
        return tacit__nomem(err);
    tacit_status status = tacit__words_init(&words, s->tables[TACIT__COPIES_ORIGINAL],
                                            column->place[TACIT__COPIES_ORIGINAL], err);
    for (uint32_t code = 0; status == TACIT_OK && code < distinct; code++) {
        uint32_t found = tacit__words_find(&words, tacit_table_value(release, place, code));
        column->same[code] = found == TACIT__NOWHERE ? column->values + code : found;
    }
    column->same[distinct] = column->values - 1; /* missing */
    tacit__words_clear(&words);
    return status;
}

/* ---- numbers ---- */

/* A number of the original with the rows that have it. */
typedef struct counted {
    double number;
    int64_t rows;
} counted;

static int by_number(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return TACIT__ORDER(x->number, y->number);
}

/* The share of rows below a number, and half of those equal; the rows of each become sums. */
static double place_of(const counted *numbers, uint32_t count, int64_t all, double number)
{
    uint32_t low = 0, high = count;
    TACIT__BISECT(low, high, at, numbers[at].number < number);
    int64_t below = low ? numbers[low - 1].rows : 0;
    bool equal = low < count && numbers[low].number == number;
    return ((double)below + (equal ? (double)(numbers[low].rows - below) / 2 : 0)) / (double)all;
}

static void sum_up(counted *numbers, uint32_t *count)
{
    uint32_t last = 0;
    qsort(numbers, *count, sizeof *numbers, by_number);
    for (uint32_t i = 1; i < *count; i++) {
        bool same = numbers[i].number == numbers[last].number;
        int64_t rows = numbers[last].rows + numbers[i].rows;
        if (!same)
            numbers[++last] = numbers[i];
        numbers[last].rows = rows;
    }
    *count = *count ? last + 1 : 0;
}

static void place_codes(double *places, const tacit_table *table, int32_t column,
                        const counted *numbers, uint32_t count, int64_t all)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    for (uint32_t code = 0; code < distinct; code++) {
        double number = tacit__decimal_read(tacit_table_value(table, column, code));
        places[code] = isnan(number) ? NAN : place_of(numbers, count, all, number);
    }
    places[distinct] = NAN;
}

/* The original's numbers; numeric where it has no other values. */
static void count_numbers(counted *numbers, const tacit__copies_scene *s,
                          tacit__copies_column *column)
{
    const tacit_table *table = s->tables[TACIT__COPIES_ORIGINAL];
    uint32_t distinct = column->values - 1;
    column->numeric = distinct > 0;
    for (uint32_t code = 0; code < distinct; code++) {
        double number = tacit__decimal_read(
            tacit_table_value(table, column->place[TACIT__COPIES_ORIGINAL], code));
        column->numeric &= !isnan(number);
        numbers[code] = (counted){number, 0};
    }
    for (int64_t row = 0; column->numeric && row < s->rows[TACIT__COPIES_ORIGINAL]; row++) {
        uint32_t code = tacit__copies_code(column, TACIT__COPIES_ORIGINAL, row);
        if (code < distinct)
            numbers[code].rows++;
    }
}

static tacit_status place_numbers(const tacit__copies_scene *s, tacit__copies_column *column,
                                  tacit_error *err)
{
    uint32_t count = column->values - 1;
    counted *numbers = tacit__alloc_array((size_t)count + 1, sizeof *numbers);
    bool whole = numbers;
    if (whole)
        count_numbers(numbers, s, column);
    if (whole && column->numeric)
        sum_up(numbers, &count);
    for (int table = 0; whole && column->numeric && table < TACIT__COPIES_BOTH; table++) {
        uint32_t distinct = tacit_table_distinct(s->tables[table], column->place[table]);
        column->places[table] =
            tacit__alloc_array((size_t)distinct + 1, sizeof *column->places[table]);
        whole = column->places[table];
        if (whole)
            place_codes(column->places[table], s->tables[table], column->place[table], numbers,
                        count, s->rows[TACIT__COPIES_ORIGINAL]);
    }
    tacit__free(numbers);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* ---- all columns ---- */

tacit_status tacit__copies_scene_init(tacit__copies_scene *scene, tacit_error *err)
{
    const tacit_copies_case *c = scene->c;
    scene->tables[TACIT__COPIES_ORIGINAL] = c->original;
    scene->tables[TACIT__COPIES_RELEASE] = c->release;
    for (int table = 0; table < TACIT__COPIES_BOTH; table++)
        scene->rows[table] = tacit_table_rows(scene->tables[table]);
    scene->key_count = c->key_count;
    scene->count = c->key_count + c->other_count;
    scene->columns = tacit__alloc_zeroed(scene->count, sizeof *scene->columns);
    tacit_status status = scene->columns ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < scene->count; i++) {
        tacit__copies_column *column = &scene->columns[i];
        status = find_column(scene, column,
                             i < c->key_count ? c->keys[i] : c->others[i - c->key_count], err);
        if (status == TACIT_OK)
            status = match_values(scene, column, err);
        if (status == TACIT_OK)
            status = place_numbers(scene, column, err);
    }
    return status;
}

void tacit__copies_scene_clear(tacit__copies_scene *scene)
{
    for (size_t i = 0; scene->columns && i < scene->count; i++) {
        tacit__free(scene->columns[i].same);
        for (int table = 0; table < TACIT__COPIES_BOTH; table++)
            tacit__free(scene->columns[i].places[table]);
    }
    tacit__free(scene->columns);
}
