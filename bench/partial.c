/*
 * partial.c - partial suppression against suppression: FILE.jj [METHOD [SECONDS]].
 *
 * Processor seconds of one thread, rounds, the loss of the intervals (sum of weights times widths)
 * at the optimum and as published, and the loss of the method's letters in the same measure: the
 * intervals that anybody can work out. With SECONDS each search is stopped after so many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental.h>
#include <time.h>

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* When a search has to end, of the processor. */
typedef struct limit {
    double seconds; /* 0: never */
    double start;
} limit;

static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    const limit *l = payload;
    (void)phase, (void)done, (void)total;
    return l->seconds <= 0 || seconds() - l->start < l->seconds;
}

/* Lets the run's limit begin; returns the time. */
static double begin(const tacit_run *run)
{
    limit *l = run->payload;
    return l->start = seconds();
}

static int32_t hidden(const tacit_cells *cells, const char *status)
{
    int32_t tally[128];
    tacit_cells_tally(tally, cells, status);
    return tally[TACIT_CELL_PRIMARY] + tally[TACIT_CELL_SECONDARY];
}

static int measure_partial(const tacit_cells *cells, const tacit_run *run, double wider)
{
    tacit_pattern pattern;
    tacit_error err = {0};
    const tacit_suppress_options options = {.wider = wider};
    double start = begin(run);
    if (tacit_suppress(&pattern, cells, tacit_suppress_method_find("partial"), &options,
                       tacit_audit_cells_judge, NULL, run, &err) != TACIT_OK) {
        printf("partial: %s\n", err.message);
        return 1;
    }
    printf("partial (%3.0f %% wider)  %8.2f s  rounds %3d  hidden %6d  loss %.0f, bound %.0f%s%s, "
           "published %.0f, repaired %d\n",
           wider, seconds() - start, pattern.rounds, hidden(cells, pattern.status), pattern.cost,
           pattern.lower_bound, pattern.proven ? " (proven)" : "",
           pattern.stopped ? " (stopped)" : "", tacit_intervals_loss(&pattern.intervals, cells),
           pattern.repaired);
    tacit_pattern_clear(&pattern);
    return 0;
}

static double loss_of(const tacit_cells *cells, const char *status, const tacit_run *run)
{
    tacit_cells_audit *audit = NULL;
    tacit_intervals intervals = {0};
    double loss = NAN;
    tacit_run unlimited = *run;
    unlimited.progress = NULL;
    if (tacit_intervals_init(&intervals, cells, NULL) == TACIT_OK &&
        tacit_audit_cells(&audit, cells, status, NULL, &unlimited, NULL) == TACIT_OK) {
        for (int32_t k = 0; k < audit->cell_count; k++) {
            intervals.low[audit->cells[k].cell] = audit->cells[k].low;
            intervals.high[audit->cells[k].cell] = audit->cells[k].high;
        }
        loss = tacit_intervals_loss(&intervals, cells);
    }
    tacit_cells_audit_free(audit);
    tacit_intervals_clear(&intervals);
    return loss;
}

static int measure_letters(const tacit_cells *cells, const char *method, const tacit_run *run)
{
    tacit_pattern pattern;
    tacit_error err = {0};
    const tacit_suppress_options options = {0};
    double start = begin(run);
    if (tacit_suppress(&pattern, cells, tacit_suppress_method_find(method), &options,
                       tacit_audit_cells_judge, NULL, run, &err) != TACIT_OK) {
        printf("%s: %s\n", method, err.message);
        return 1;
    }
    double spent = seconds() - start;
    printf("%-21s  %8.2f s               hidden %6d  loss %.0f\n", method, spent,
           hidden(cells, pattern.status), loss_of(cells, pattern.status, run));
    tacit_pattern_clear(&pattern);
    return 0;
}

int main(int argc, char **argv)
{
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    tacit_run run;
    limit until = {.seconds = argc > 3 ? atof(argv[3]) : 0};
    tacit_run_init(&run);
    run.threads = 1;
    run.progress = go_on;
    run.payload = &until;
    const char *method = argc > 2 ? argv[2] : "hitas";
    if (argc < 2 || tacit_cells_read_jj(&cells, argv[1], 0, &run, &err) != TACIT_OK ||
        !tacit_suppress_method_find(method)) {
        fprintf(stderr, "usage: %s FILE.jj [METHOD [SECONDS]]\n%s\n", argv[0], err.message);
        return 2;
    }
    int failed = measure_letters(cells, method, &run);
    failed += measure_partial(cells, &run, 0);
    failed += measure_partial(cells, &run, 100);
    tacit_cells_free(cells);
    return failed > 0;
}
