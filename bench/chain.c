/*
 * chain.c - what the chain of words costs, beside reading the same text into words: user
 * time, the best of several rounds, in nanoseconds a byte.
 *
 *   bench_chain FILE [WEIGHTS]      a text of at most 256 KB counts; more is cut off
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "meter.h"
#include "text/chain.h"

#include <tacit/text.h>

enum { ROUNDS = 15 };

static size_t read_text(char *text, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(text, 1, size, file) : 0;
    if (file)
        fclose(file);
    return len;
}

static double now(void)
{
    return meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void keep_best(double *best, double taken)
{
    if (taken < *best)
        *best = taken;
}

int main(int argc, char **argv)
{
    static char text[TACIT_SCRUB_PIECE], weights[1 << 22];
    tacit__document document = {0};
    tacit__chain_scratch scratch = {0};
    tacit__chain *model = NULL;
    double load = 1e9, reading = 1e9, judging = 1e9;
    size_t named = 0;
    if (argc < 2)
        return fputs("usage: bench_chain FILE [WEIGHTS]\n", stderr), 2;
    tacit_strview view = {.bytes = text, .len = read_text(text, sizeof text, argv[1])};
    tacit_strview source = {.bytes = weights,
                            .len = argc > 2 ? read_text(weights, sizeof weights, argv[2]) : 0};
    tacit__opinion *opinions = calloc(sizeof text, sizeof *opinions);
    if (!opinions || view.len == 0)
        return fputs("no text\n", stderr), 1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        tacit__chain_free(model);
        if (tacit__chain_new(&model, source, NULL) != TACIT_OK)
            return fputs("the weights cannot be read\n", stderr), 1;
        double loaded = now();
        if (tacit__document_read(&document, view, NULL) != TACIT_OK)
            return 1;
        double read = now();
        if (tacit__chain_judge(opinions, model, &document, &scratch, NULL) != TACIT_OK)
            return 1;
        keep_best(&load, loaded - start);
        keep_best(&reading, read - loaded);
        keep_best(&judging, now() - read);
    }
    for (size_t i = 0; i < document.count; i++)
        named += opinions[i].of[TACIT__LABEL_OTHER] < 50;
    printf("%zu bytes, %zu words, %zu named; weights read in %.2f ms\n", view.len, document.count,
           named, load * 1e3);
    printf("%-8s %6.2f ns a byte\n%-8s %6.2f ns a byte, %.0f a word, ratio %.2f\n", "words",
           reading * 1e9 / (double)view.len, "chain", judging * 1e9 / (double)view.len,
           judging * 1e9 / (double)document.count, judging / reading);
    tacit__chain_free(model);
    tacit__document_clear(&document);
    tacit__chain_scratch_clear(&scratch);
    free(opinions);
    return 0;
}
