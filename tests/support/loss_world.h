/*
 * loss_world.h - small random tables, one made from the other, and what the measures of loss call
 * categories and moments, computed naively from the texts of the cells.
 */
#ifndef TACIT_TESTS_SUPPORT_LOSS_WORLD_H
#define TACIT_TESTS_SUPPORT_LOSS_WORLD_H

#include "loss.h"

enum { MAX_ROWS = 60, COLUMNS = 4, CELL = 8, TEXT = 1 << 14, LABELS = MAX_ROWS * 2 + 2 };

/* Two tables and what made the one from the other. Columns 0 and 1 are numbers. */
typedef struct world {
    int rows, released;
    char before[MAX_ROWS][COLUMNS][CELL];
    char after[MAX_ROWS][COLUMNS][CELL];
    uint32_t origin[MAX_ROWS];
    double weights[MAX_ROWS];
    bool weighted;
    char texts[2][TEXT];
} world;

static inline uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 33) % below;
}

static inline void draw_value(char *cell, uint64_t *random, int column)
{
    if (draw(random, 12) == 0)
        cell[0] = '\0';
    else if (column < 2)
        snprintf(cell, CELL, "%d", (int)draw(random, column ? 4 : 200) - 20);
    else
        snprintf(cell, CELL, "%c%d", 'a' + column, (int)draw(random, column == 2 ? 2 : 12));
}

static inline void change_value(char *cell, const char *before, uint64_t *random, int column)
{
    uint32_t way = draw(random, 8);
    if (way < 4)
        memmove(cell, before, strlen(before) + 1);
    else if (way < 6)
        draw_value(cell, random, column);
    else
        snprintf(cell, CELL, "%s", way == 6 ? "*" : "x-y");
}

static inline void write_table(char *text, char (*cells)[COLUMNS][CELL], int rows)
{
    size_t used = (size_t)sprintf(text, "n,m,s,p\n");
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < COLUMNS; c++)
            used +=
                (size_t)sprintf(text + used, "%s%c", cells[row][c], c + 1 < COLUMNS ? ',' : '\n');
}

static inline void make_world(world *w, uint64_t seed)
{
    uint64_t random = seed;
    w->rows = 1 + (int)draw(&random, MAX_ROWS);
    w->released = 1 + (int)draw(&random, MAX_ROWS);
    w->weighted = draw(&random, 3) == 0;
    for (int row = 0; row < w->rows; row++)
        for (int c = 0; c < COLUMNS; c++)
            draw_value(w->before[row][c], &random, c);
    for (int c = 0; c < 2; c++) /* a number in each */
        sprintf(w->before[0][c], "%d", c + 3);
    for (int row = 0; row < w->released; row++) {
        bool made_up = draw(&random, 10) == 0;
        w->origin[row] = made_up ? TACIT_LOSS_MADE_UP : draw(&random, (uint32_t)w->rows);
        w->weights[row] = 0.5 + draw(&random, 5);
        for (int c = 0; c < COLUMNS; c++)
            if (made_up)
                draw_value(w->after[row][c], &random, c);
            else
                change_value(w->after[row][c], w->before[w->origin[row]][c], &random, c);
    }
    write_table(w->texts[0], w->before, w->rows);
    write_table(w->texts[1], w->after, w->released);
}

/* ---- the naive side ---- */

static inline double number_of(const char *cell)
{
    char *end;
    double number = strtod(cell, &end);
    return *cell && !*end ? number : NAN;
}

static inline double weight_of(const world *w, int row)
{
    return w->weighted ? w->weights[row] : 1;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int bins_allowed(int rows)
{
    int bins = 2;
    while (bins < 32 && pow(bins + 1, 2.5) <= rows)
        bins++;
    return bins;
}

/* Upper ends of bins, by going through all numbers in order. */
typedef struct cuts {
    double at[MAX_ROWS];
    int count;
} cuts;

static inline cuts cuts_of(const world *w, int column)
{
    double numbers[MAX_ROWS];
    int count = 0, distinct = 0, bins = bins_allowed(w->rows), closed = 0;
    cuts found = {.count = 0};
    for (int row = 0; row < w->rows; row++)
        if (!isnan(number_of(w->before[row][column])))
            numbers[count++] = number_of(w->before[row][column]);
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    for (int i = 0; i < count; i++)
        distinct += i == 0 || numbers[i] != numbers[i - 1];
    for (int i = 0; i + 1 < count; i++) {
        if (numbers[i] == numbers[i + 1])
            continue;
        int full = (i + 1) * bins / count;
        if (distinct <= bins || full > closed) {
            found.at[found.count++] = (numbers[i] + numbers[i + 1]) / 2;
            closed = full;
        }
    }
    return found;
}

/* The category of a cell as a text of its own. */
static inline void category_of(char *text, const cuts *c, int column, const char *cell)
{
    double number = number_of(cell);
    int bin = 0;
    if (column < 2 && !isnan(number)) {
        while (bin < c->count && number > c->at[bin])
            bin++;
        sprintf(text, "bin %d", bin);
    } else {
        sprintf(text, "=%s", cell);
    }
}

/* Categories as small numbers, by their texts. */
typedef struct book {
    char texts[LABELS][CELL * 3];
    int count;
} book;

static inline int number_in(book *b, const char *text)
{
    for (int i = 0; i < b->count; i++)
        if (strcmp(b->texts[i], text) == 0)
            return i;
    strcpy(b->texts[b->count], text);
    return b->count++;
}

typedef struct coded {
    int before[MAX_ROWS], after[MAX_ROWS];
    int domain; /* categories of the original, missing among them */
    int values; /* and not among them */
    int missing, count;
} coded;

static inline coded code(const world *w, int column)
{
    coded c = {.domain = 0};
    book b = {.count = 0};
    cuts at = cuts_of(w, column);
    char text[CELL * 3];
    c.missing = number_in(&b, "=");
    for (int row = 0; row < w->rows; row++) {
        category_of(text, &at, column, w->before[row][column]);
        c.before[row] = number_in(&b, text);
    }
    c.domain = b.count;
    c.values = b.count - 1;
    for (int row = 0; row < w->released; row++) {
        category_of(text, &at, column, w->after[row][column]);
        c.after[row] = number_in(&b, text);
    }
    c.count = b.count;
    return c;
}

typedef struct moments {
    double mean, variance;
} moments;

static inline moments moments_of(const world *w, bool release, int column)
{
    double sum = 0, weight = 0, squares = 0, rows = 0;
    int count = release ? w->released : w->rows;
    for (int row = 0; row < count; row++) {
        double x = number_of(release ? w->after[row][column] : w->before[row][column]);
        double amount = release ? weight_of(w, row) : 1;
        if (isnan(x))
            continue;
        sum += amount * x;
        weight += amount;
        rows++;
    }
    moments m = {sum / weight, NAN};
    for (int row = 0; row < count; row++) {
        double x = number_of(release ? w->after[row][column] : w->before[row][column]);
        if (!isnan(x))
            squares += (release ? weight_of(w, row) : 1) * (x - m.mean) * (x - m.mean);
    }
    if (rows > 1)
        m.variance = squares / weight * rows / (rows - 1);
    return m;
}

#endif
