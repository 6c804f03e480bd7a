/*
 * audit_tables.c - the table audit on a .jj file or on a made-up table: cells suppressed,
 * blocks, programs, seconds and memory.
 *
 *     bench_audit_tables FILE.jj [cuboids|random SHARE]   a pattern over the file's primary cells
 *     bench_audit_tables CELLS SUPPRESSED                 three dimensions with two levels each
 *
 * cuboids: for every primary cell a cell in each of its relations, and so on until no
 * relation has a single suppressed cell. random: so many percent of the others besides. Each
 * pattern is audited for intervals and for the verdicts alone, on one thread and on all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/audit_cells.h>

#include "meter.h"

static tacit_error err;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_audit_tables: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

static bool suppressed(char status)
{
    return status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY;
}

/* ---- patterns ---- */

/* Suppresses one more cell of a relation that has a single one; false: nothing to do. The one
 * of least value that is not 0, so that totals stay. */
static bool mend(char *status, const tacit_cells *cells, int32_t relation)
{
    const tacit_relations *all = &cells->relations;
    int32_t many = 0, best = -1;
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        int32_t cell = all->items[j];
        many += suppressed(status[cell]);
        if (status[cell] == TACIT_CELL_FREE && cells->value[cell] != 0 &&
            (best < 0 || fabs(cells->value[cell]) < fabs(cells->value[best])))
            best = cell;
    }
    if (many != 1 || best < 0)
        return false;
    status[best] = TACIT_CELL_SECONDARY;
    return true;
}

static void add_cuboids(char *status, const tacit_cells *cells)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t r = 0; r < cells->relations.count; r++)
            changed |= mend(status, cells, r);
    }
}

static void add_random(char *status, const tacit_cells *cells, int share)
{
    uint32_t state = 4711;
    for (int32_t i = 0; i < cells->count; i++)
        if (status[i] == TACIT_CELL_FREE && (int)(meter_draw(&state) % 100) < share)
            status[i] = TACIT_CELL_SECONDARY;
}

/* ---- a made-up table ---- */

enum { GROUP = 10 };

/* Codes: the total, then groups, each followed by its GROUP parts. */
static bool is_ground(int code)
{
    return code > 0 && (code - 1) % (GROUP + 1) != 0;
}

static FILE *table_text(int codes)
{
    FILE *file = tmpfile();
    uint32_t state = 12345;
    fprintf(file, "a,b,c,v\n");
    for (int i = 0; i < codes; i++)
        for (int j = 0; j < codes; j++)
            for (int k = 0; k < codes; k++)
                if (is_ground(i) && is_ground(j) && is_ground(k))
                    fprintf(file, "%d,%d,%d,%u\n", i, j, k,
                            meter_draw(&state) % 10 ? 1 + meter_draw(&state) % 40 : 0);
    return file;
}

static const char *hierarchy_file(int codes)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/bench-audit-%d.hrc", codes);
    FILE *file = fopen(path, "w");
    fprintf(file, "T\n");
    for (int code = 1; code < codes; code++)
        fprintf(file, "%s%d\n", is_ground(code) ? "@@" : "@", code);
    fclose(file);
    return path;
}

static tacit_cells *made_up(int wanted)
{
    int codes = 1 + 2 * (GROUP + 1);
    while (pow(codes + GROUP + 1, 3) <= wanted * 1.1)
        codes += GROUP + 1;
    const char *files[1] = {hierarchy_file(codes)};
    tacit_dimension_spec dimensions[3];
    for (int d = 0; d < 3; d++)
        dimensions[d] = (tacit_dimension_spec){.column = (const char *[]){"a", "b", "c"}[d],
                                               .hierarchies = files,
                                               .hierarchy_count = 1};
    tacit_cells_spec spec;
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit_cells *cells = NULL;
    tacit_cells_spec_init(&spec);
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    spec.dimensions = dimensions;
    spec.dimension_count = 3;
    spec.value = "v";
    FILE *file = table_text(codes);
    char path[64];
    fflush(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    must(tacit_table_read(&table, path, &options, &run, &err));
    must(tacit_cells_from_table(&cells, table, &spec, &run, &err));
    tacit_table_free(table);
    fclose(file);
    remove(files[0]);
    return cells;
}

/* Cuboids of ground cells, each with a primary corner that is to be hidden by 1. */
static char *cuboids_of(tacit_cells *cells, int wanted)
{
    char *status = malloc((size_t)cells->count);
    uint32_t state = 99;
    memcpy(status, cells->status, (size_t)cells->count);
    int codes = cells->dimensions[0].code_count;
    for (int made = 0; made < wanted;) {
        int code[3][2];
        for (int d = 0; d < 3; d++) {
            int groups = (codes - 1) / (GROUP + 1),
                group = (int)(meter_draw(&state) % (uint32_t)groups);
            int first = 1 + (int)(meter_draw(&state) % GROUP),
                second = 1 + (int)(meter_draw(&state) % GROUP);
            second = first == second ? 1 + first % GROUP : second;
            code[d][0] = 1 + group * (GROUP + 1) + first;
            code[d][1] = 1 + group * (GROUP + 1) + second;
        }
        for (int corner = 0; corner < 8; corner++) {
            int cell = 0;
            for (int d = 0; d < 3; d++)
                cell = cell * codes + code[d][corner >> d & 1];
            made += status[cell] == TACIT_CELL_FREE;
            if (status[cell] == TACIT_CELL_FREE)
                status[cell] = corner ? TACIT_CELL_SECONDARY : TACIT_CELL_PRIMARY;
            if (!corner) {
                cells->lpl[cell] = cells->value[cell] > 0;
                cells->upl[cell] = 1;
            }
        }
    }
    return status;
}

/* ---- */

static void measure(const tacit_cells *cells, const char *status, bool primaries, int threads)
{
    tacit_cells_audit_options options = {.primaries = primaries};
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    double processor = meter_seconds(CLOCK_PROCESS_CPUTIME_ID),
           wall = meter_seconds(CLOCK_MONOTONIC);
    must(tacit_audit_cells(&audit, cells, status, &options, &run, &err));
    printf("%-9s %d threads: %7d suppressed %6d blocks %7lld programs %6d disclosed %5d under "
           "%3d unknown %8.3f s processor %8.3f s wall %6.0f MB\n",
           primaries ? "verdicts" : "intervals", threads, audit->cell_count, audit->blocks,
           (long long)audit->programs, audit->disclosed, audit->underprotected, audit->unknown,
           meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - processor,
           meter_seconds(CLOCK_MONOTONIC) - wall, meter_megabytes());
    fflush(stdout);
    tacit_cells_audit_free(audit);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr,
                "usage: bench_audit_tables FILE.jj [cuboids|random SHARE] | CELLS SUPPRESSED\n");
        return 2;
    }
    tacit_cells *cells = NULL;
    char *status;
    int size = atoi(argv[1]);
    if (size > 0) {
        cells = made_up(size);
        status = cuboids_of(cells, argc > 2 ? atoi(argv[2]) : size / 50);
    } else {
        must(tacit_cells_read_jj(&cells, argv[1], 0, NULL, &err));
        status = malloc((size_t)cells->count);
        memcpy(status, cells->status, (size_t)cells->count);
        if (argc > 2 && !strcmp(argv[2], "random"))
            add_random(status, cells, argc > 3 ? atoi(argv[3]) : 10);
        else
            add_cuboids(status, cells);
    }
    printf("%s: %d cells\n", argv[1], cells->count);
    for (int primaries = 1; primaries >= 0; primaries--)
        for (int threads = 1; threads <= 2; threads++)
            measure(cells, status, primaries, threads);
    free(status);
    tacit_cells_free(cells);
    return 0;
}
