/*
 * arrow.c - ten million rows from an Arrow stream beside the same rows from CSV.
 *
 *   arrow FILE.csv
 *
 * Reads the file once to make columns of it (numbers, dates, texts; texts with few values as
 * dictionaries), then times, with all columns coded: the file; the columns, by way of the text
 * that a job makes of them; and the columns made of that table again. Wall and processor time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <tacit/experimental/formats.h>
#include <unistd.h>

#include "meter.h"

typedef struct clock_pair {
    double wall, processor;
} clock_pair;

static clock_pair started(void)
{
    return (clock_pair){meter_seconds(CLOCK_MONOTONIC), meter_seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static clock_pair print_since(const char *what, clock_pair start, const clock_pair *beside)
{
    clock_pair now = started();
    clock_pair took = {now.wall - start.wall, now.processor - start.processor};
    printf("%-28s %6.2f s, %6.2f s of processor time", what, took.wall, took.processor);
    if (beside)
        printf("; %.2f and %.2f times the file", took.wall / beside->wall,
               took.processor / beside->processor);
    printf("\n");
    return took;
}

static void check(tacit_status status, const tacit_error *err)
{
    char message[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "%s\n", tacit_error_format(err, message, sizeof message));
    exit(1);
}

static tacit_table *read_path(const char *path, bool coded)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.code_none = !coded;
    check(tacit_table_read(&table, path, &options, NULL, &err), &err);
    return table;
}

int main(int argc, char **argv)
{
    struct ArrowArrayStream stream;
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    char path[32];
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.csv\n", argv[0]);
        return 2;
    }
    tacit_table *table = read_path(argv[1], false);
    check(tacit_arrow_write(&stream, NULL, table, NULL, &err), &err);
    tacit_table_free(table);

    clock_pair start = started();
    tacit_table_free(read_path(argv[1], true));
    clock_pair file = print_since("the file", start, NULL);

    int fd = memfd_create("bench", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    start = started();
    check(tacit_arrow_read(fd, &schema, &stream, NULL, &err), &err);
    print_since("columns to text", start, &file);
    tacit_table_free(read_path(path, true));
    print_since("columns to a coded table", start, &file);

    table = read_path(path, false);
    start = started();
    check(tacit_arrow_write(&stream, schema, table, NULL, &err), &err);
    print_since("the table to columns", start, &file);
    stream.release(&stream);
    tacit_table_free(table);
    tacit_schema_free(schema);
    close(fd);
    return 0;
}
