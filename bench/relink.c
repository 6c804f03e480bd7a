/*
 * relink.c - re-linking a release to its original beside comparing every record with every person
 * and beside `sort` of the original.
 *
 *     bench_relink [ROWS [COLUMNS [NOISE [THREADS]]]]
 *
 * ROWS (100 000) made-up people with COLUMNS (4) correlated numbers, released with noise of NOISE
 * (2) percent of the deviation. All pairs are compared for the first 500 records, in a loop
 * that knows nothing but numbers, and the time is scaled up. Then: nearest people of all records
 * (tree and searches, on the same number of threads), and all that tacit_relink_measure does with
 * its default limits. Threads are 1 unless given.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/relink/relink.h"
#include "meter.h"

enum { BRUTE_RECORDS = 500, MAX_COLUMNS = 16, MAX_TEXT = 12 };

typedef struct files {
    int64_t rows;
    int columns;
    double *known, *said; /* row by row */
    char *text[2];
    tacit_table *tables[2];
    const char *names[MAX_COLUMNS];
    tacit_relink_case c;
} files;

static tacit_error err;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_relink: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

/* ---- data ---- */

static double normal(uint32_t *state)
{
    double u = ((double)meter_draw(state) + 0.5) / 4294967296.0,
           v = ((double)meter_draw(state) + 0.5) / 4294967296.0;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void draw(files *f, double noise)
{
    uint32_t state = 2463534242;
    f->known = malloc((size_t)f->rows * (size_t)f->columns * sizeof *f->known);
    f->said = malloc((size_t)f->rows * (size_t)f->columns * sizeof *f->said);
    for (int64_t row = 0; row < f->rows; row++) {
        double common = normal(&state);
        for (int i = 0; i < f->columns; i++) {
            int64_t at = row * f->columns + i;
            f->known[at] = round(10000 * (0.6 * common + 0.8 * normal(&state)));
            f->said[at] = round(f->known[at] + 10000 * noise / 100 * normal(&state));
        }
    }
}

static void read_back(files *f, int which, const double *cells)
{
    static char names[MAX_COLUMNS][8];
    tacit_csv_options options;
    char *out = f->text[which] = malloc((size_t)(f->rows + 1) * (size_t)f->columns * MAX_TEXT);
    for (int i = 0; i < f->columns; i++) {
        snprintf(names[i], sizeof names[i], "v%d", i + 1);
        f->names[i] = names[i];
        out += sprintf(out, "%s%c", names[i], i + 1 < f->columns ? ',' : '\n');
    }
    for (int64_t at = 0; at < f->rows * f->columns; at++)
        out += sprintf(out, "%.0f%c", cells[at], (at + 1) % f->columns ? ',' : '\n');
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    must(tacit_table_read_memory(&f->tables[which],
                                 (tacit_strview){f->text[which], (size_t)(out - f->text[which])},
                                 which ? "release" : "original", &options, NULL, &err));
}

static void open_files(files *f, double noise)
{
    draw(f, noise);
    read_back(f, 0, f->known);
    read_back(f, 1, f->said);
    f->c = (tacit_relink_case){.original = f->tables[0],
                               .release = f->tables[1],
                               .columns = f->names,
                               .column_count = (size_t)f->columns};
}

static void close_files(files *f)
{
    for (int i = 0; i < 2; i++) {
        tacit_table_free(f->tables[i]);
        free(f->text[i]);
    }
    free(f->known);
    free(f->said);
}

/* ---- what is measured ---- */

static double now(void)
{
    return meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* Every person for the first records; columns have one deviation, so it cancels out. */
static double compare_all(const files *f, int64_t *right)
{
    double start = now();
    int64_t records = f->rows < BRUTE_RECORDS ? f->rows : BRUTE_RECORDS;
    for (int64_t record = 0; record < records; record++) {
        double least = INFINITY;
        int64_t nearest = 0;
        for (int64_t person = 0; person < f->rows; person++) {
            double sum = 0;
            for (int i = 0; i < f->columns; i++) {
                double gap = f->said[record * f->columns + i] - f->known[person * f->columns + i];
                sum += gap * gap;
            }
            if (sum < least) {
                least = sum;
                nearest = person;
            }
        }
        *right += nearest == record;
    }
    return (now() - start) * (double)f->rows / (double)records;
}

static double link_all(const files *f, const tacit_run *run, tacit_relink_attack *attack)
{
    double start = now();
    tacit_relink_options options;
    tacit__relink_view view;
    tacit__relink_tree tree;
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_rule rule = {0};
    tacit_relink_options_init(&options);
    options.max_records = options.max_steps = INT64_MAX;
    tacit__relink_scene scene = {.c = &f->c, .options = &options, .run = run};
    must(tacit__relink_scene_init(&scene, &err));
    must(tacit__relink_view_init(&view, &scene, TACIT_RELINK_STANDARD, &err));
    tacit__relink_distances(costs, &view, TACIT_RELINK_STANDARD);
    must(tacit__relink_tree_init(&tree, &view, costs, &err));
    tacit__relink_asker asker = {.view = &view, .tree = &tree, .costs = costs, .reach = 4};
    must(tacit__relink_attack(attack, &asker, &rule, &err));
    tacit__relink_tree_clear(&tree);
    tacit__relink_view_clear(&view);
    tacit__relink_scene_clear(&scene);
    return now() - start;
}

static double measure_all(const files *f, const tacit_run *run, tacit_relink **found)
{
    double start = now();
    tacit_relink_options options;
    tacit_relink_options_init(&options);
    must(tacit_relink_measure(found, &f->c, &options, run, &err));
    return now() - start;
}

/* The original's text, by the processor's time of `sort`. */
static double sort_text(const files *f)
{
    char path[] = "/tmp/bench-relink-XXXXXX", command[128];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fputs(f->text[0], file);
    fclose(file);
    snprintf(command, sizeof command, "LC_ALL=C sort --parallel=1 -o /dev/null %s", path);
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    if (system(command) != 0)
        fprintf(stderr, "bench_relink: sort failed\n");
    getrusage(RUSAGE_CHILDREN, &after);
    unlink(path);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    files f = {.rows = argc > 1 ? atoll(argv[1]) : 100000, .columns = argc > 2 ? atoi(argv[2]) : 4};
    double noise = argc > 3 ? atof(argv[3]) : 2;
    tacit_run run;
    tacit_relink_attack attack;
    tacit_relink *found = NULL;
    int64_t right = 0;
    if (f.rows < 1 || f.columns < 1 || f.columns > MAX_COLUMNS) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS (1 to %d) [NOISE [THREADS]]]]\n", argv[0],
                MAX_COLUMNS);
        return 2;
    }
    tacit_run_init(&run);
    run.threads = argc > 4 ? atoi(argv[4]) : 1;
    open_files(&f, noise);
    double sorted = sort_text(&f), brute = compare_all(&f, &right);
    double linked = link_all(&f, &run, &attack), all = measure_all(&f, &run, &found);
    printf("%lld records and people, %d columns, noise of %g %%; processor time\n\n",
           (long long)f.rows, f.columns, noise);
    printf("%-34s %10s %10s %10s %12s\n", "", "seconds", "of sort", "of pairs", "re-linked");
    printf("%-34s %10.2f %10.2f %10.4f\n", "sort of the original", sorted, 1.0, sorted / brute);
    printf("%-34s %10.2f %10.2f %10.4f %11.2f%%\n", "all pairs (scaled up)", brute, brute / sorted,
           1.0, 100 * (double)right / (double)(f.rows < BRUTE_RECORDS ? f.rows : BRUTE_RECORDS));
    printf("%-34s %10.2f %10.2f %10.4f %11.2f%%\n", "nearest people, all records", linked,
           linked / sorted, linked / brute, 100 * attack.share);
    printf("%-34s %10.2f %10.2f %10.4f %11.2f%%\n", "all attacks and verdicts", all, all / sorted,
           all / brute, 100 * found->attacks[found->best].share);
    printf("\n%lld records attacked, %.0f MB\n",
           (long long)found->attacks[TACIT_RELINK_STANDARD].attacked, meter_megabytes());
    tacit_relink_free(found);
    close_files(&f);
    return 0;
}
