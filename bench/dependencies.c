/*
 * dependencies.c - all minimal functional dependencies of a file's columns, beside one count of
 * its classes on all columns: seconds of processor time of both, and what was found.
 *
 *     bench_dependencies FILE [--no-header] [MOST_LEFT [SECONDS]]
 *
 * Best of five, or one run where it takes longer than a second; stopped after SECONDS. Then one
 * cell in 1000 is blanked by chance, and what was found is asked of that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/dependencies.h>
#include <tacit/experimental/records.h>

#include "meter.h"

static tacit_error err;
static double until;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_dependencies: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

static double now(void)
{
    return meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return now() < until;
}

/* Seconds that the classes of all columns as they are take. */
static double count_classes(const tacit_table *table, int32_t count, int64_t *classes)
{
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES] = {0};
    tacit_hierarchy *hierarchies[TACIT_MAX_ATTRIBUTES] = {0};
    const int levels[TACIT_MAX_ATTRIBUTES] = {0};
    tacit_hierarchy_spec none = {0};
    tacit_frame frame = {
        .table = table, .attributes = attributes, .attribute_count = count, .person = -1};
    for (int32_t i = 0; i < count; i++) {
        must(tacit_hierarchy_new(&hierarchies[i], &none, table, i, &err));
        attributes[i] = (tacit_attribute){.column = i, .hierarchy = hierarchies[i]};
    }
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    double best = 1e300;
    for (int i = 0; i < 5; i++) {
        tacit_classes *counted = NULL;
        double since = now();
        must(tacit_classes_new(&counted, &frame, levels, &run, &err));
        double took = now() - since;
        best = took < best ? took : best;
        *classes = tacit_classes_count(counted);
        tacit_classes_free(counted);
    }
    for (int32_t i = 0; i < count; i++)
        tacit_hierarchy_free(hierarchies[i]);
    return best;
}

static double find(tacit_dependencies **out, const tacit_table *table, int32_t count, int32_t most,
                   double seconds)
{
    int32_t columns[TACIT_DEPENDENCY_COLUMNS];
    tacit_run run;
    tacit_run_init(&run);
    run.progress = go_on;
    for (int32_t i = 0; i < count; i++)
        columns[i] = i;
    double best = 1e300;
    for (int i = 0; i < 5; i++) {
        tacit_dependencies_free(*out);
        *out = NULL;
        double since = now();
        until = since + seconds;
        must(tacit_dependencies_find(out, table, columns, count, most, &run, &err));
        double took = now() - since;
        best = took < best ? took : best;
        if (took > 1)
            break;
    }
    return best;
}

static void print_sizes(const tacit_dependencies *found)
{
    int64_t sizes[TACIT_DEPENDENCY_COLUMNS + 1] = {0};
    for (int64_t i = 0; i < found->count; i++)
        sizes[__builtin_popcountll(found->list[i].left)]++;
    printf("  by columns on the left:");
    for (int size = 0; size <= TACIT_DEPENDENCY_COLUMNS; size++)
        if (sizes[size])
            printf(" %d: %lld", size, (long long)sizes[size]);
    printf("\n");
}

/* The table with blanks, as CSV. */
static char *blank_cells(const tacit_table *table, int32_t count, size_t *size)
{
    tacit_strview cells[TACIT_MAX_COLUMNS];
    uint32_t state = 12345;
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    for (int64_t row = 0; row < tacit_table_rows(table); row++) {
        tacit_table_row(table, row, cells);
        for (int32_t c = 0; c < count; c++) {
            tacit_strview cell = cells[c];
            if (meter_draw(&state) % 1000 == 0)
                cell = tacit_strview_of("*");
            fprintf(file, "%.*s%c", (int)cell.len, cell.bytes,
                    c < count - 1 ? tacit_table_delimiter(table) : '\n');
        }
    }
    fclose(file);
    return text;
}

/* Seconds that it takes. */
static double ask_release(const tacit_table *table, int32_t count, const tacit_dependencies *found)
{
    int32_t columns[TACIT_DEPENDENCY_COLUMNS];
    tacit_csv_options options;
    tacit_table *release = NULL;
    tacit_released_dependencies *left = NULL;
    size_t size = 0;
    char *text = blank_cells(table, count, &size);
    tacit_csv_options_init(&options);
    options.no_header = true;
    options.delimiter = tacit_table_delimiter(table);
    for (int32_t i = 0; i < count; i++)
        columns[i] = i;
    must(tacit_table_read_memory(&release, (tacit_strview){text, size}, "release", &options, NULL,
                                 &err));
    double took = now();
    must(tacit_dependencies_released(&left, found->list, found->count, release, columns, count,
                                     UINT64_MAX >> (64 - count / 2), NULL, &err));
    took = now() - took;
    printf("  with blanks: %lld provable, %lld in the family of Theorem 4; %.4f s\n",
           (long long)left->provable, (long long)left->family, took);
    tacit_released_dependencies_free(left);
    tacit_table_free(release);
    free(text);
    return took;
}

int main(int argc, char **argv)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.pass_stray_end = true;
    options.no_header = argc > 2 && strcmp(argv[2], "--no-header") == 0;
    int at = options.no_header ? 3 : 2;
    if (argc < 2)
        return 2;
    tacit_table *table = NULL;
    tacit_dependencies *found = NULL;
    must(tacit_table_read(&table, argv[1], &options, NULL, &err));
    int32_t count = tacit_table_columns(table), most = argc > at ? atoi(argv[at]) : 0;
    int64_t classes = 0;
    double plain = count_classes(table, count, &classes);
    double took = find(&found, table, count, most, argc > at + 1 ? atof(argv[at + 1]) : 1e9);
    printf("%lld rows, %d columns, %lld classes: %lld dependencies", (long long)found->rows, count,
           (long long)classes, (long long)found->count);
    printf(", complete up to %d (%s), %lld tests, %lld sets\n", found->complete,
           tacit_status_name(found->end), (long long)found->tested, (long long)found->unlike);
    print_sizes(found);
    printf("  %.4f s, counting classes %.4f s: %.1f times; %.0f MB\n", took, plain, took / plain,
           meter_megabytes());
    double asked = ask_release(table, count, found);
    printf("{\"rows\": %lld, \"columns\": %d, \"dependencies\": %lld, \"tested\": %lld, ",
           (long long)found->rows, count, (long long)found->count, (long long)found->tested);
    printf("\"seconds\": %.4f, \"ratio\": %.1f, \"released\": %.4f, \"megabytes\": %.0f}\n", took,
           took / plain, asked, meter_megabytes());
    tacit_dependencies_free(found);
    tacit_table_free(table);
    return 0;
}
