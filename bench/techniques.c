/*
 * techniques.c - what masking costs in units of reading: a million made-up records of six columns
 * of numbers, each technique loaded, applied and written, against reading the file with every
 * column coded.
 *
 * bench_techniques [ROWS [THREADS [WORD]]], of those with a WORD in them; the least of several
 * times each, in seconds by the clock and of the processors. Ratios are what counts: machines
 * differ.
 */
#include <tacit/experimental/techniques.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "meter.h"

enum { REPEATS = 3, MAX_SETTINGS = 6, MAX_COLUMNS = 6 };

/* A step: its settings as name and value, columns being all six. */
typedef struct task {
    const char *technique;
    const char *settings[MAX_SETTINGS][2];
} task;

static const task TASKS[] = {
    {"swap", {{0}}},
    {"swap", {{"unit", "true"}}},
    {"rank-swap", {{"percent", "5"}}},
    {"round", {{"base", "5"}}},
    {"round", {{"base", "5"}, {"way", "random"}}},
    {"noise", {{"size", "0.1"}}},
    {"noise", {{"size", "0.1"}, {"distribution", "laplace"}}},
    {"noise", {{"size", "0.1"}, {"way", "correlated"}}},
    {"noise", {{"size", "0.1"}, {"way", "kept"}}},
    {"pram", {{"keep", "0.8"}}},
    {"pram", {{"keep", "0.8"}, {"way", "invariant"}}},
    {"pram", {{"keep", "0.8"}, {"way", "exact"}}},
    {"encrypt", {{"way", "same"}}},
    {"encrypt", {{"way", "each"}}},
    {"pseudonym", {{0}}},
    {"top-code", {{"at", "80"}}},
    {"top-code", {{"share", "0.05"}, {"by", "median"}}},
};

static const char *const COLUMNS[] = {"age", "hours", "years", "income", "rent", "wealth"};

typedef struct spent {
    double clock, work;
} spent;

static spent now(void)
{
    return (spent){meter_seconds(CLOCK_MONOTONIC), meter_seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void keep_least(spent *least, spent start)
{
    spent end = now();
    end.clock -= start.clock;
    end.work -= start.work;
    if (least->clock == 0 || end.clock < least->clock)
        *least = end;
}

static void stop(const tacit_error *err)
{
    char text[1200];
    fprintf(stderr, "bench_techniques: %s\n", tacit_error_format(err, text, sizeof text));
    exit(1);
}

/* An unnamed file; it is not timed. */
static int make_data(long rows)
{
    uint32_t state = 2463534242u;
    char *text = malloc((size_t)rows * 48 + 64);
    if (!text)
        exit(1);
    char *at = text + sprintf(text, "age,hours,years,income,rent,wealth\n");
    for (long i = 0; i < rows; i++) {
        unsigned age = 18 + meter_draw(&state) % 70, hours = meter_draw(&state) % 61;
        unsigned years = meter_draw(&state) % 21, income = meter_draw(&state) % 90000;
        unsigned rent = income / 4 + meter_draw(&state) % 20000, wealth = meter_draw(&state) % 5000;
        at += sprintf(at, "%u,%u,%u,%u,%u.%02u,%u\n", age, hours, years, income, rent / 10,
                      rent % 100, wealth * 100);
    }
    int fd = memfd_create("data", 0);
    if (fd < 0 || write(fd, text, (size_t)(at - text)) != at - text)
        exit(1);
    free(text);
    return fd;
}

static tacit_table *read_table(int fd, bool coded, const tacit_run *run)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = !coded;
    if (tacit_table_read_fd(&table, fd, "data", &options, run, &err))
        stop(&err);
    return table;
}

static void mask(const task *t, const tacit_table *table, const tacit_run *run)
{
    tacit_technique_setting settings[MAX_SETTINGS + 1] = {
        {.name = "columns", .values = COLUMNS, .value_count = MAX_COLUMNS}};
    tacit_technique_step step = {.technique = t->technique, .settings = settings};
    tacit_masking *masking = NULL;
    tacit_masked *masked = NULL;
    tacit_error err = {0};
    for (step.setting_count = 1; t->settings[step.setting_count - 1][0]; step.setting_count++) {
        const char *const *pair = t->settings[step.setting_count - 1];
        settings[step.setting_count] =
            (tacit_technique_setting){.name = pair[0], .values = pair + 1, .value_count = 1};
    }
    int fd = memfd_create("masked", 0);
    if (tacit_masking_new(&masking, &step, 1, &err) ||
        tacit_masking_apply(&masked, masking, table, run, &err) ||
        tacit_masked_write(fd, "masked", NULL, masked, run, &err))
        stop(&err);
    close(fd);
    tacit_masked_free(masked);
    tacit_masking_free(masking);
}

static void name_task(char *name, size_t size, const task *t)
{
    size_t len = (size_t)snprintf(name, size, "%s", t->technique);
    for (int i = 0; t->settings[i][0] && len < size; i++)
        len += (size_t)snprintf(name + len, size - len, " %s=%s", t->settings[i][0],
                                t->settings[i][1]);
}

static void show(const char *name, spent took, spent unit)
{
    printf("%-44s %7.3f %7.3f %8.2f %8.2f\n", name, took.clock, took.work, took.clock / unit.clock,
           took.work / unit.work);
}

int main(int argc, char **argv)
{
    long rows = argc > 1 ? atol(argv[1]) : 1000000;
    spent unit = {0};
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 1);
    run.threads = argc > 2 ? atoi(argv[2]) : 0;
    int fd = make_data(rows);
    for (int i = 0; i < REPEATS; i++) {
        spent start = now();
        tacit_table_free(read_table(fd, true, &run));
        keep_least(&unit, start);
    }
    printf("%-44s %7s %7s %8s %8s\n", "", "clock", "work", "of", "reading");
    show("reading", unit, unit);
    tacit_table *table = read_table(fd, false, &run);
    for (size_t t = 0; t < sizeof TASKS / sizeof *TASKS; t++) {
        char name[96];
        spent least = {0};
        name_task(name, sizeof name, &TASKS[t]);
        if (argc > 3 && !strstr(name, argv[3]))
            continue;
        for (int i = 0; i < REPEATS; i++) {
            spent start = now();
            mask(&TASKS[t], table, &run);
            keep_least(&least, start);
        }
        show(name, least, unit);
    }
    tacit_table_free(table);
    close(fd);
    return 0;
}
