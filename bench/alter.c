/*
 * alter.c - bench_alter FILE.jj [METHOD [BASE]]: processor seconds of a method that changes values
 * (round-controlled, base 5), beside those of reading the file and of conventional rounding.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tacit/experimental.h>
#include <time.h>

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int further(const tacit_cells *cells, const tacit_altered *altered, double base)
{
    int count = 0;
    for (int32_t i = 0; i < cells->count; i++)
        count += fabs(altered->value[i] - cells->value[i]) >= base;
    return count;
}

static double measure(tacit_altered *altered, const tacit_cells *cells, const char *name,
                      const tacit_alter_options *options)
{
    const tacit_alter_method *method = tacit_alter_method_find(name);
    tacit_error err = {0};
    tacit_run run;
    double start = now();
    tacit_run_init(&run);
    run.threads = 1;
    if (!method || tacit_alter(altered, cells, method, options, &run, &err) != TACIT_OK) {
        fprintf(stderr, "%s: %s\n", name, method ? err.message : "no such method");
        exit(1);
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    tacit_alter_options options;
    tacit_cells *cells = NULL;
    tacit_altered plain, altered;
    tacit_error err = {0};
    const char *name = argc > 2 ? argv[2] : "round-controlled";
    if (argc < 2) {
        fprintf(stderr, "usage: bench_alter FILE.jj [METHOD [BASE]]\n");
        return 2;
    }
    tacit_alter_options_init(&options);
    options.base = argc > 3 ? atof(argv[3]) : options.base;
    double start = now();
    if (tacit_cells_read_jj(&cells, argv[1], 0, NULL, &err) != TACIT_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    double reading = now() - start, rounding = measure(&plain, cells, "round", &options);
    double seconds = measure(&altered, cells, name, &options);
    printf("%d cells, read in %.3f s, round %.2f of that, %s %.2f of that (%.2f s)\n", cells->count,
           reading, rounding / reading, name, seconds / reading, seconds);
    printf("distance %.10g, bound %.10g, reach %g, %d further than the next multiple\n",
           altered.distance, altered.lower_bound, altered.reach,
           further(cells, &altered, options.base));
    tacit_altered_clear(&plain);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
    return 0;
}
