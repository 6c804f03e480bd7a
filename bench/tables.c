/*
 * tables.c - tables of so many cells read, checked and written: seconds of each step and the
 * largest memory so far.
 *
 *     bench_tables CELLS FOLDER
 *
 * Three hierarchical dimensions; ground cells with values of one to four digits, a tenth of
 * them zero. From CSV with ground cells only, from CSV with all cells, from .jj, and from four
 * records a ground cell.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/cells.h>
#include <unistd.h>

#include "meter.h"

static tacit_error err;
static char folder[256];

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_tables: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A hierarchy of so many codes: groups of about ten, and their parts. Returns its ground codes. */
static int write_hierarchy(const char *name, int codes, char letter)
{
    FILE *file = fopen(path_of(name), "w");
    int ground = 0;
    fprintf(file, "T%c\n", letter);
    for (int left = codes - 1, group = 0; left > 0; group++) {
        int parts = left > 22 ? 10 : left - 1;
        fprintf(file, "@%cg%d\n", letter, group);
        for (int i = 0; i < parts; i++)
            fprintf(file, "@@%c%d\n", letter, ground++);
        left -= parts + 1;
    }
    fclose(file);
    return ground;
}

static void write_ground(const char *name, const int *ground, int records)
{
    FILE *file = fopen(path_of(name), "w");
    uint32_t state = 12345;
    fprintf(file, "a,b,c,v\n");
    for (int i = 0; i < ground[0]; i++)
        for (int j = 0; j < ground[1]; j++)
            for (int k = 0; k < ground[2]; k++)
                for (int r = 0; r < records; r++)
                    if (meter_draw(&state) % 10)
                        fprintf(file, "a%d,b%d,c%d,%u\n", i, j, k,
                                1 + meter_draw(&state) % (meter_draw(&state) % 4 ? 20 : 9999));
    fclose(file);
}

static tacit_cells_spec spec_of(void)
{
    static char files[3][512];
    static const char *lists[3][1];
    static tacit_dimension_spec dimensions[3];
    static const char *const names[] = {"a", "b", "c"};
    tacit_cells_spec spec;
    for (int d = 0; d < 3; d++) {
        snprintf(files[d], sizeof files[d], "%s/%s.hrc", folder, names[d]);
        lists[d][0] = files[d];
        dimensions[d] = (tacit_dimension_spec){
            .column = names[d], .hierarchies = lists[d], .hierarchy_count = 1};
    }
    tacit_cells_spec_init(&spec);
    spec.dimensions = dimensions;
    spec.dimension_count = 3;
    spec.value = "v";
    return spec;
}

typedef tacit_status (*reader)(tacit_cells **, const tacit_table *, const tacit_cells_spec *,
                               const tacit_run *, tacit_error *);

static tacit_cells *read_csv(const char *name, reader read)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit_cells *cells = NULL;
    tacit_cells_spec spec = spec_of();
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    must(tacit_table_read(&table, path_of(name), &options, &run, &err));
    must(read(&cells, table, &spec, &run, &err));
    tacit_table_free(table);
    return cells;
}

static double since;

static void step(const char *name)
{
    printf("%12s %8.3f s %8.1f MB\n", name, meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - since,
           meter_megabytes());
    since = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void write_to(const char *name, const tacit_cells *cells, bool jj)
{
    tacit_output *output = NULL;
    must(tacit_output_new(&output, path_of(name), &err));
    tacit_cells_csv_options options = {.delimiter = ',', .value = "v"};
    int fd = tacit_output_fd(output);
    must(jj ? tacit_cells_write_jj(fd, name, cells, NULL, &err)
            : tacit_cells_write_csv(fd, name, cells, NULL, &options, &err));
    must(tacit_output_commit(output, &err));
    tacit_output_free(output);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int side = (int)cbrt(atof(argv[1])), ground[3];
    snprintf(folder, sizeof folder, "%s", argv[2]);
    ground[0] = write_hierarchy("a.hrc", side, 'a');
    ground[1] = write_hierarchy("b.hrc", side, 'b');
    ground[2] = write_hierarchy("c.hrc", (int)(atof(argv[1]) / side / side), 'c');
    write_ground("ground.csv", ground, 1);
    write_ground("records.csv", ground, 4);
    since = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    tacit_cells *cells = read_csv("ground.csv", tacit_cells_from_table);
    printf("%d cells, %d relations, %lld terms\n", cells->count, cells->relations.count,
           (long long)cells->relations.starts[cells->relations.count]);
    step("minimal CSV");
    must(tacit_cells_check(cells, &err));
    step("check");
    write_to("all.csv", cells, false);
    step("write CSV");
    write_to("all.jj", cells, true);
    step("write .jj");
    tacit_cells_free(cells);
    tacit_cells_free(read_csv("all.csv", tacit_cells_from_table));
    step("whole CSV");
    must(tacit_cells_read_jj(&cells, path_of("all.jj"), 0, NULL, &err));
    tacit_cells_free(cells);
    step("read .jj");
    cells = read_csv("records.csv", tacit_cells_from_records);
    step("records");
    tacit_rules_options options;
    tacit_rule rules[] = {{.kind = TACIT_RULE_P, .p = 10}, {.kind = TACIT_RULE_FREQ, .n = 3}};
    tacit_rules_options_init(&options);
    must(tacit_cells_apply_rules(cells, rules, 2, &options, &err));
    step("rules");
    tacit_cells_free(cells);
    return 0;
}
