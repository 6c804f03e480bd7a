/*
 * techniques_swap.c - techniques that exchange cells or rows, against reading the file.
 *
 *   techniques_swap [ROWS [THREADS [VALUES]]]
 *
 * Makes up a file of ROWS (a million) with six columns of numbers, of at most VALUES values each
 * (no bound), and two of categories. Reads it with every column coded, which is the unit, and then
 * reads it with none coded, applies a technique and writes the result. Prints the processor time of
 * the best of three for each, which a busy machine changes little, and the ratio.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tacit/experimental/techniques.h>
#include <unistd.h>

#include "meter.h"

enum { RUNS = 3, MAX_SETTINGS = 4, MAX_VALUES = 8 };

typedef struct trial {
    const char *technique;
    struct {
        const char *name, *values[MAX_VALUES];
    } settings[MAX_SETTINGS];
} trial;

#define SIX "a", "b", "c", "d", "e", "f"

static const trial TRIALS[] = {
    {"swap", {{"columns", {SIX}}}},
    {"swap", {{"columns", {SIX}}, {"unit", {"true"}}}},
    {"swap", {{"columns", {SIX}}, {"within", {"region"}}}},
    {"rank-swap", {{"columns", {SIX}}, {"percent", {"5"}}}},
    {"record-swap", {{"columns", {"region"}}, {"keep", {"sex"}}, {"match", {"a"}}}},
    {"substitute", {{"columns", {SIX}}, {"within", {"region"}}}},
    {"sample", {{"share", {"0.1"}}, {"by", {"region", "sex"}}, {"write", {"weight"}}}},
    {"add", {{"share", {"0.1"}}, {"columns", {"region", "sex"}}}},
    {"scramble", {{0}}},
};

static tacit_strview make_up(int rows, uint32_t values)
{
    size_t room = (size_t)rows * 64 + 64;
    char *text = malloc(room), *at = text;
    uint32_t state = 1;
    if (!text)
        exit(1);
    at += sprintf(at, "a,b,c,d,e,f,region,sex\n");
    for (int i = 0; i < rows; i++) {
        uint32_t a = meter_draw(&state), b = meter_draw(&state), c = meter_draw(&state);
        at += sprintf(at, "%u,%.2f,%u,%u,%.1f,%u,R%03u,%s\n", a % 100 % values,
                      b % 10000000 % values / 100.0, c % 1000 % values, b % 13 % values,
                      a / 7 % 50000 % values / 10.0, c % 1000003 % values, a / 100 % 300,
                      b & 64 ? "m" : "f");
    }
    return (tacit_strview){text, (size_t)(at - text)};
}

static void stop(const tacit_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static tacit_table *load(tacit_strview text, bool coded, const tacit_run *run)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.code_none = !coded;
    if (tacit_table_read_memory(&table, text, "bench", &options, run, &err) != TACIT_OK)
        stop(&err);
    return table;
}

static tacit_masking *masking_of(const trial *t)
{
    tacit_technique_setting settings[MAX_SETTINGS] = {{0}};
    tacit_technique_step step = {.technique = t->technique, .settings = settings};
    tacit_masking *masking = NULL;
    tacit_error err = {0};
    for (; step.setting_count < MAX_SETTINGS && t->settings[step.setting_count].name;
         step.setting_count++) {
        tacit_technique_setting *setting = &settings[step.setting_count];
        setting->name = t->settings[step.setting_count].name;
        setting->values = t->settings[step.setting_count].values;
        while (setting->value_count < MAX_VALUES && setting->values[setting->value_count])
            setting->value_count++;
    }
    if (tacit_masking_new(&masking, &step, 1, &err) != TACIT_OK)
        stop(&err);
    return masking;
}

static double mask(tacit_strview text, const tacit_masking *masking, const tacit_run *run)
{
    int fd = memfd_create("masked", 0);
    tacit_masked *masked = NULL;
    tacit_error err = {0};
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    tacit_table *table = load(text, false, run);
    if (tacit_masking_apply(&masked, masking, table, run, &err) != TACIT_OK ||
        tacit_masked_write(fd, "masked", NULL, masked, run, &err) != TACIT_OK)
        stop(&err);
    double took = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    tacit_masked_free(masked);
    tacit_table_free(table);
    close(fd);
    return took;
}

static double read_coded(tacit_strview text, const tacit_run *run)
{
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    tacit_table *table = load(text, true, run);
    double took = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    tacit_table_free(table);
    return took;
}

int main(int argc, char **argv)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 1);
    run.threads = argc > 2 ? atoi(argv[2]) : 0;
    tacit_strview text = make_up(argc > 1 ? atoi(argv[1]) : 1000000,
                                 argc > 3 ? (uint32_t)atoi(argv[3]) : UINT32_MAX);
    double unit = read_coded(text, &run);
    for (int i = 1; i < RUNS; i++) {
        double took = read_coded(text, &run);
        unit = took < unit ? took : unit;
    }
    printf("%-12s %8s %8s\n%-12s %8.3f %8.1f\n", "technique", "seconds", "ratio", "reading", unit,
           1.0);
    for (size_t t = 0; t < sizeof TRIALS / sizeof *TRIALS; t++) {
        if (!tacit_technique_find(TRIALS[t].technique))
            continue;
        tacit_masking *masking = masking_of(&TRIALS[t]);
        double best = mask(text, masking, &run);
        for (int i = 1; i < RUNS; i++) {
            double took = mask(text, masking, &run);
            best = took < best ? took : best;
        }
        printf("%-12s %8.3f %8.1f\n", TRIALS[t].technique, best, best / unit);
        tacit_masking_free(masking);
    }
    free((char *)text.bytes);
    return 0;
}
