/*
 * partial.c - partial suppression against suppression: FILE.jj [METHOD].
 *
 * Processor seconds of one thread, rounds, the loss of the intervals (sum of weights times widths)
 * at the optimum and as published, and the loss of the method's letters in the same measure: the
 * intervals that anybody can work out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tacit.h>
#include <time.h>

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
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
    double start = seconds();
    if (tacit_suppress(&pattern, cells, tacit_suppress_method_find("partial"), &options,
                       tacit_audit_cells_judge, NULL, run, &err) != TACIT_OK) {
        printf("partial: %s\n", err.message);
        return 1;
    }
    printf(
        "partial (%3.0f %% wider)  %8.2f s  rounds %3d  hidden %6d  loss %.0f%s, published %.0f, "
        "repaired %d\n",
        wider, seconds() - start, pattern.rounds, hidden(cells, pattern.status), pattern.cost,
        pattern.proven ? " (proven)" : "", tacit_intervals_loss(&pattern.intervals, cells),
        pattern.repaired);
    tacit_pattern_clear(&pattern);
    return 0;
}

static double loss_of(const tacit_cells *cells, const char *status, const tacit_run *run)
{
    tacit_cells_audit *audit = NULL;
    tacit_intervals intervals = {0};
    double loss = NAN;
    if (tacit_intervals_init(&intervals, cells, NULL) == TACIT_OK &&
        tacit_audit_cells(&audit, cells, status, NULL, run, NULL) == TACIT_OK) {
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
    double start = seconds();
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
    tacit_run_init(&run);
    run.threads = 1;
    const char *method = argc > 2 ? argv[2] : "hitas";
    if (argc < 2 || tacit_cells_read_jj(&cells, argv[1], 0, &run, &err) != TACIT_OK ||
        !tacit_suppress_method_find(method)) {
        fprintf(stderr, "usage: %s FILE.jj [METHOD]\n%s\n", argv[0], err.message);
        return 2;
    }
    int failed = measure_partial(cells, &run, 0) + measure_partial(cells, &run, 100) +
                 measure_letters(cells, method, &run);
    tacit_cells_free(cells);
    return failed > 0;
}
