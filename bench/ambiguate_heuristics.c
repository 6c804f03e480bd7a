/*
 * ambiguate_heuristics.c - heuristics B, C and short of ambiguation: seconds and memory against
 * rows, as ratios to one plain pass over all pairs of rows done beside them.
 *
 *     bench_ambiguate_heuristics [ROWS [COLUMNS [WAY...]]]
 *
 * Up to ROWS (10 000) rows of COLUMNS (10) columns, a quarter and a half of them first, by B,
 * short and short-d unless other WAYs are named. "even" has ten values a column, all as likely;
 * "close" is skewed, seven cells of ten having the same value and the others one of forty, so that
 * many rows are in need and close to others. Every measurement is a
 * process of its own, so that its memory can be told, on one thread. The plain pass counts for
 * every row the columns in which every other differs, with nothing kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "meter.h"
#include "records/ambiguate/ambiguate.h"

typedef struct reading {
    double seconds, megabytes;
    int64_t number; /* of cells blanked, or what the plain pass counts */
} reading;

static uint32_t state = 2463534242;

/* ---- rows ---- */

static uint32_t draw_value(bool close)
{
    uint32_t value = meter_draw(&state) >> 8;
    if (!close)
        return value % 10;
    return value % 10 < 7 ? 0 : value / 10 % 40;
}

static int by_codes(const void *a, const void *b, void *columns)
{
    return memcmp(a, b, *(const size_t *)columns * sizeof(uint32_t));
}

/* Folds rows that are the same, so that what is drawn is a tableau. */
static void fold(tacit__tableau *t, int64_t rows)
{
    size_t columns = (size_t)t->columns, width = columns * sizeof *t->codes;
    qsort_r(t->codes, (size_t)rows, width, by_codes, &columns);
    for (int64_t i = 0; i < rows; i++) {
        uint32_t *row = t->codes + i * t->columns;
        uint32_t *last = t->codes + (t->classes - 1) * t->columns;
        if (t->classes > 0 && memcmp(row, last, width) == 0) {
            t->counts[t->classes - 1]++;
            continue;
        }
        memmove(t->codes + t->classes * t->columns, row, width);
        t->counts[t->classes++] = 1;
    }
}

static void make_tableau(tacit__tableau *t, int64_t rows, int32_t columns, bool close)
{
    size_t cells = (size_t)rows * (size_t)columns;
    *t = (tacit__tableau){.columns = columns,
                          .rows = rows,
                          .k = 2,
                          .unit = true,
                          .most_row = columns,
                          .most_column = rows};
    t->codes = malloc(cells * sizeof *t->codes);
    t->costs = malloc(cells * sizeof *t->costs);
    t->counts = malloc((size_t)rows * sizeof *t->counts);
    t->domain = malloc((size_t)columns * sizeof *t->domain);
    for (size_t i = 0; i < cells; i++) {
        t->codes[i] = draw_value(close);
        t->costs[i] = 1;
    }
    for (int32_t c = 0; c < columns; c++)
        t->domain[c] = 40;
    fold(t, rows);
}

static int64_t rows_in_need(const tacit__tableau *t)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < t->classes; i++)
        rows += t->counts[i] < t->k ? t->counts[i] : 0;
    return rows;
}

/* ---- what is measured ---- */

static const struct {
    const char *name;
    tacit_ambiguate_way way;
    tacit__ambiguate_fn *fn;
} ways[] = {
    {"B", TACIT_AMBIGUATE_B, tacit__ambiguate_often},
    {"short", TACIT_AMBIGUATE_SHORT, tacit__ambiguate_rowwise},
    {"short-d", TACIT_AMBIGUATE_SHORT_D, tacit__ambiguate_rowwise},
    {"C", TACIT_AMBIGUATE_C, tacit__ambiguate_rowwise},
    {"D", TACIT_AMBIGUATE_D, tacit__ambiguate_rowwise},
};
enum { WAYS = sizeof ways / sizeof ways[0], PLAIN = WAYS };

static int64_t plain_pass(const tacit__tableau *t)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < t->classes; i++)
        for (int64_t j = 0; j < t->classes; j++)
            sum += __builtin_popcountll(tacit__tableau_differ(t, i, j));
    return sum;
}

static void ambiguate(reading *out, const tacit__tableau *t, int way)
{
    tacit_ambiguate how = {.way = ways[way].way};
    tacit__blanking plan = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    if (ways[way].fn(&plan, t, &how, &run, &err) != TACIT_OK) {
        fprintf(stderr, "bench_ambiguate_heuristics: %s\n", err.message);
        _exit(1);
    }
    for (int64_t i = 0; i < plan.count; i++)
        out->number += plan.blanks[i].rows * __builtin_popcountll(plan.blanks[i].mask);
    tacit__blanking_clear(&plan);
}

/* In a process of its own; memory is what it takes beyond the rows. */
static reading measure(const tacit__tableau *t, int way)
{
    reading result = {0};
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        double megabytes = meter_megabytes(), start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (way == PLAIN)
            result.number = plain_pass(t);
        else
            ambiguate(&result, t, way);
        result.seconds = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        result.megabytes = meter_megabytes() - megabytes;
        _exit(write(ends[1], &result, sizeof result) != sizeof result);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result)
        exit(1);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return result;
}

static bool is_wanted(int way, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], ways[way].name) == 0)
            return true;
    return argc <= 3 && way < 3;
}

int main(int argc, char **argv)
{
    int64_t most = argc > 1 ? atoll(argv[1]) : 10000;
    int32_t columns = argc > 2 ? atoi(argv[2]) : 10;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%-6s %7s %7s  %-8s %8s %9s %9s %9s\n", "rows", "", "in need", "way", "cells", "seconds",
           "x plain", "MB more");
    for (int close = 0; close < 2; close++)
        for (int64_t rows = most / 4; rows <= most; rows *= 2) {
            tacit__tableau t;
            make_tableau(&t, rows, columns, close);
            reading plain = measure(&t, PLAIN);
            for (int way = 0; way < WAYS; way++) {
                if (!is_wanted(way, argc, argv))
                    continue;
                reading r = measure(&t, way);
                printf("%-6s %7lld %7lld  %-8s %8lld %9.3f %9.2f %9.1f\n", close ? "close" : "even",
                       (long long)rows, (long long)rows_in_need(&t), ways[way].name,
                       (long long)r.number, r.seconds, r.seconds / plain.seconds, r.megabytes);
            }
        }
    return 0;
}
