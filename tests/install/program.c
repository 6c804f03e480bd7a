/*
 * program.c - what a user of the installed library writes: reads a table from
 * memory and says which version of the library did it.
 */
#include <stdio.h>
#include <tacit.h>

int main(void)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_strview text = tacit_strview_of("zip,sex\n02138,f\n02139,m\n");
    if (tacit_table_read_memory(&table, text, "memory", &options, &run, &err) != TACIT_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("%s: %lld rows, %d columns\n", tacit_version(), (long long)tacit_table_rows(table),
           (int)tacit_table_columns(table));
    tacit_table_free(table);
    return 0;
}
