/*
 * read.c - reading and coding alone: the reader, and nothing after it.
 *
 *   read FILE.csv [THREADS [COLUMN...]]
 *
 * Codes the named columns (none named: all of them) and prints the rows and
 * the distinct values of each, so that nothing of the work can be left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tacit/table.h>

static void print_counts(const tacit_table *table)
{
    printf("%lld rows\n", (long long)tacit_table_rows(table));
    for (int32_t column = 0; column < tacit_table_columns(table); column++) {
        tacit_strview name = tacit_table_name(table, column);
        if (tacit_table_is_coded(table, column))
            printf("%.*s: %u distinct\n", (int)name.len, name.bytes,
                   tacit_table_distinct(table, column));
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE.csv [THREADS [COLUMN...]]\n", argv[0]);
        return 2;
    }
    tacit_run run;
    tacit_run_init(&run);
    run.threads = argc > 2 ? atoi(argv[2]) : 0;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    if (argc > 3) {
        options.coded = (const char *const *)(argv + 3);
        options.coded_count = (size_t)(argc - 3);
    }
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read(&table, argv[1], &options, &run, &err) != TACIT_OK) {
        char message[1200];
        fprintf(stderr, "%s\n", tacit_error_format(&err, message, sizeof message));
        return 1;
    }
    print_counts(table);
    tacit_table_free(table);
    return 0;
}
