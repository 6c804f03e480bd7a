/*
 * graph.c - total protection of sparse tables: the test, invariant cells and protection, as
 * ratios to reading the same cells from a file, and memory a cell.
 *
 *     bench_graph [CELLS [LINES [all|some [shuffled]]]]
 *
 * CELLS (10 000 000) suppressed cells in a table of LINES (1 000 000) rows and as many columns. Q
 * is all of them, or `some`: three of ten. One cell in ten is on its lower bound for the test; for
 * protection none is, then the same. The file has a line a cell, row, column, value and status, by
 * row or in random order. Reading is done twice: by tacit_table_read, as the command reads a CSV,
 * and by a loop that knows nothing but these numbers. Each measurement is a process of its own, so
 * that its memory can be told; best of three. The first ones have the list of cells in memory;
 * those that are "from a file" have nothing, read the file as a table, list its cells and go on
 * from there. One that stops earlier is part of the next, so steps are differences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tacit/experimental/audit_total.h>
#include <tacit/experimental/total.h>
#include <tacit/table.h>
#include <unistd.h>

#include "meter.h"

typedef struct table {
    tacit_flat_view view;
    int32_t *row, *column;
    double *value;
    char *status;
    char path[64];
} table;

/* What a measurement says: processor seconds and the most memory, and two numbers to look at. */
typedef struct reading {
    double seconds, megabytes;
    int64_t first, second;
} reading;

static tacit_error err;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_graph: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

/* ---- the table ---- */

static uint32_t state = 2463534242;

/* Columns of one row: spread over all, ascending, none twice. */
static void draw_row(table *t, int32_t row, int32_t lines, int32_t count)
{
    int32_t stride = lines / count;
    for (int32_t k = 0; k < count; k++) {
        int32_t at = t->view.count++;
        t->row[at] = row;
        t->column[at] = k * stride + (int32_t)(meter_draw(&state) % (uint32_t)stride);
    }
}

static void shuffle(table *t)
{
    for (int32_t i = t->view.count - 1; i > 0; i--) {
        int32_t j = (int32_t)(meter_draw(&state) % (uint32_t)(i + 1));
        int32_t row = t->row[i], column = t->column[i];
        t->row[i] = t->row[j], t->column[i] = t->column[j];
        t->row[j] = row, t->column[j] = column;
    }
}

static void make_table(table *t, int32_t cells, int32_t lines, bool some, bool shuffled)
{
    size_t n = (size_t)cells;
    t->row = malloc(n * sizeof *t->row);
    t->column = malloc(n * sizeof *t->column);
    t->value = malloc(n * sizeof *t->value);
    t->status = malloc(n);
    t->view = (tacit_flat_view){.rows = lines, .columns = lines};
    for (int32_t row = 0; row < lines && t->view.count < cells; row++)
        draw_row(t, row, lines, (cells - t->view.count) / (lines - row));
    if (shuffled)
        shuffle(t);
    for (size_t i = 0; i < n; i++) {
        t->value[i] = meter_draw(&state) % 10;
        t->status[i] = some && meter_draw(&state) % 10 > 2 ? 'x' : 'u';
    }
    t->view.row = t->row;
    t->view.column = t->column;
    t->view.status = t->status;
}

static void write_table(table *t)
{
    snprintf(t->path, sizeof t->path, "/tmp/bench-graph-%d.csv", (int)getpid());
    FILE *file = fopen(t->path, "w");
    fprintf(file, "row,column,value,status\n");
    for (int32_t i = 0; i < t->view.count; i++)
        fprintf(file, "%d,%d,%d,%c\n", t->row[i], t->column[i], (int)t->value[i], t->status[i]);
    fclose(file);
}

/* ---- what is measured ---- */

static void read_csv(reading *out, const table *t)
{
    tacit_csv_options options;
    tacit_table *read = NULL;
    tacit_run run;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.let_go = true;
    must(tacit_table_read(&read, t->path, &options, &run, &err));
    out->first = tacit_table_rows(read);
    tacit_table_free(read);
}

/* The numbers of a line, up to its end. */
static void read_plainly(reading *out, const table *t)
{
    FILE *file = fopen(t->path, "r");
    char line[128];
    size_t n = (size_t)t->view.count;
    int32_t *row = malloc(n * sizeof *row), *column = malloc(n * sizeof *column);
    double *value = malloc(n * sizeof *value);
    char *status = malloc(n);
    if (!fgets(line, sizeof line, file))
        exit(1);
    for (size_t i = 0; i < n && fgets(line, sizeof line, file); i++) {
        char *at = line;
        row[i] = (int32_t)strtol(at, &at, 10);
        column[i] = (int32_t)strtol(at + 1, &at, 10);
        value[i] = strtod(at + 1, &at);
        status[i] = at[1];
        out->first += row[i] == t->row[i] && column[i] == t->column[i];
    }
    fclose(file);
    free(row), free(column), free(value), free(status);
}

static void test_only(reading *out, const table *t)
{
    tacit_total_audit_options options = {.no_invariant = true};
    tacit_total_audit *audit = NULL;
    tacit_flat_view view = t->view;
    view.value = t->value;
    must(tacit_audit_total(&audit, &view, &options, NULL, &err));
    out->first = audit->leaks;
    out->second = audit->strong;
    tacit_total_audit_free(audit);
}

static void test_and_cells(reading *out, const table *t)
{
    tacit_total_audit *audit = NULL;
    tacit_flat_view view = t->view;
    view.value = t->value;
    must(tacit_audit_total(&audit, &view, NULL, NULL, &err));
    out->first = audit->leaks;
    out->second = audit->invariant_count;
    tacit_total_audit_free(audit);
}

static void protect_view(reading *out, const tacit_flat_view *view)
{
    tacit_total_plan plan;
    must(tacit_total_protect(&plan, view, NULL, NULL, &err));
    out->first = plan.count;
    out->second = plan.optimal;
    tacit_total_plan_clear(&plan);
}

static void protect(reading *out, const table *t)
{
    protect_view(out, &t->view);
}

static void protect_mixed(reading *out, const table *t)
{
    tacit_flat_view view = t->view;
    view.value = t->value;
    protect_view(out, &view);
}

/* ---- the whole way from a file ---- */

/* The file as a list of cells; the table stays, as it must for names. Without values where
 * nothing is to be on its bound. */
static tacit_flat_table *read_list(tacit_table **read, const table *t, bool values)
{
    static const char *const columns[] = {"row", "column", "status", "value"};
    tacit_flat_spec spec = {.row = "row", .column = "column", .value = values ? "value" : NULL};
    tacit_flat_table *flat = NULL;
    tacit_csv_options options;
    tacit_run run;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.coded = columns;
    options.coded_count = values ? 4 : 3;
    options.let_go = true;
    must(tacit_table_read(read, t->path, &options, &run, &err));
    must(tacit_flat_from_table(&flat, *read, &spec, &run, &err));
    return flat;
}

/* A measurement that goes on from the list. */
static void from_file(reading *out, const table *t, bool values,
                      void (*work)(reading *, const table *))
{
    tacit_table *read = NULL;
    tacit_flat_table *flat = read_list(&read, t, values);
    table listed = {.view = flat->view, .value = (double *)flat->view.value};
    out->first = flat->view.count;
    if (work)
        work(out, &listed);
    tacit_flat_table_free(flat);
    tacit_table_free(read);
}

static void file_listed(reading *out, const table *t)
{
    from_file(out, t, true, NULL);
}

static void file_tested(reading *out, const table *t)
{
    from_file(out, t, true, test_only);
}

static void file_known(reading *out, const table *t)
{
    from_file(out, t, true, test_and_cells);
}

static void file_protected(reading *out, const table *t)
{
    from_file(out, t, false, protect);
}

/* In a process of its own, best of three. */
static reading measure(void (*work)(reading *, const table *), const table *t)
{
    reading best = {0};
    for (int i = 0; i < 3; i++) {
        int ends[2];
        reading one = {0};
        if (pipe(ends))
            exit(1);
        if (fork() == 0) {
            double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
            work(&one, t);
            one.seconds = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
            one.megabytes = meter_megabytes();
            _exit(write(ends[1], &one, sizeof one) != sizeof one);
        }
        close(ends[1]);
        if (read(ends[0], &one, sizeof one) != sizeof one)
            exit(1);
        close(ends[0]);
        wait(NULL);
        if (i == 0 || one.seconds < best.seconds)
            best = one;
    }
    return best;
}

static void show(const char *what, reading r, double csv, double plain, const table *t)
{
    printf("%-28s %7.3f s  %5.2f x csv  %5.2f x plain  %5.1f bytes a cell  %lld %lld\n", what,
           r.seconds, r.seconds / csv, r.seconds / plain,
           r.megabytes * 1048576 / (double)t->view.count, (long long)r.first, (long long)r.second);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    table t = {0};
    int32_t cells = argc > 1 ? atoi(argv[1]) : 10000000, lines = argc > 2 ? atoi(argv[2]) : 1000000;
    bool some = argc > 3 && !strcmp(argv[3], "some");
    bool shuffled = argc > 4 && !strcmp(argv[4], "shuffled");
    if (cells < 1 || lines < 1) {
        fprintf(stderr, "usage: bench_graph [CELLS [LINES [all|some [shuffled]]]]\n");
        return 2;
    }
    make_table(&t, cells, lines, some, shuffled);
    write_table(&t);
    printf("%d cells, %d x %d, Q %s, %s\n", t.view.count, lines, lines, some ? "some" : "all",
           shuffled ? "shuffled" : "by row");
    reading csv = measure(read_csv, &t), plain = measure(read_plainly, &t);
    show("tacit_table_read", csv, csv.seconds, plain.seconds, &t);
    show("fgets, strtol, strtod", plain, csv.seconds, plain.seconds, &t);
    show("total protection test", measure(test_only, &t), csv.seconds, plain.seconds, &t);
    show("test and invariant cells", measure(test_and_cells, &t), csv.seconds, plain.seconds, &t);
    show("protection", measure(protect, &t), csv.seconds, plain.seconds, &t);
    show("protection, with bounds", measure(protect_mixed, &t), csv.seconds, plain.seconds, &t);
    free(t.row), free(t.column), free(t.value), free(t.status);
    show("from a file: read", measure(read_csv, &t), csv.seconds, plain.seconds, &t);
    show("from a file: listed", measure(file_listed, &t), csv.seconds, plain.seconds, &t);
    show("from a file: tested", measure(file_tested, &t), csv.seconds, plain.seconds, &t);
    show("from a file: known cells", measure(file_known, &t), csv.seconds, plain.seconds, &t);
    show("from a file: protection", measure(file_protected, &t), csv.seconds, plain.seconds, &t);
    remove(t.path);
    return 0;
}
