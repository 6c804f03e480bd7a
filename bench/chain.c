/*
 * chain.c - what the chain of words costs, beside reading the same text into words: user
 * time, the best of several rounds, in nanoseconds a byte.
 *
 *   bench_chain FILE [WEIGHTS]      a text of at most 256 KB counts; more is cut off
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "meter.h"
#include "text/chain/chain.h"

#include <tacit/experimental/text.h>

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

/* Seconds of each step, the best of the rounds. */
typedef struct times {
    double load, read, judge;
} times;

typedef struct work {
    tacit_strview text, weights;
    tacit__document document;
    tacit__chain_scratch scratch;
    tacit__opinion *opinions;
} work;

static bool run(times *best, work *w)
{
    tacit__chain *model = NULL;
    double start = now();
    if (tacit__chain_new(&model, w->weights, NULL) != TACIT_OK)
        return false;
    double loaded = now();
    bool done = tacit__document_read(&w->document, w->text, NULL) == TACIT_OK;
    double read = now();
    done =
        done && tacit__chain_judge(w->opinions, model, &w->document, &w->scratch, NULL) == TACIT_OK;
    keep_best(&best->load, loaded - start);
    keep_best(&best->read, read - loaded);
    keep_best(&best->judge, now() - read);
    tacit__chain_free(model);
    return done;
}

static void show(const times *best, const work *w)
{
    size_t named = 0;
    double bytes = (double)w->text.len, words = (double)w->document.count;
    for (size_t i = 0; i < w->document.count; i++)
        named += w->opinions[i].of[TACIT__LABEL_OTHER] < 50;
    printf("%zu bytes, %zu words, %zu named; weights read in %.2f ms\n", w->text.len,
           w->document.count, named, best->load * 1e3);
    printf("%-8s %6.2f ns a byte\n", "words", best->read * 1e9 / bytes);
    printf("%-8s %6.2f ns a byte, %.0f a word, ratio %.2f\n", "chain", best->judge * 1e9 / bytes,
           best->judge * 1e9 / words, best->judge / best->read);
}

int main(int argc, char **argv)
{
    static char text[TACIT_SCRUB_PIECE], weights[1 << 22];
    times best = {1e9, 1e9, 1e9};
    if (argc < 2)
        return fputs("usage: bench_chain FILE [WEIGHTS]\n", stderr), 2;
    work w = {.text = {.bytes = text, .len = read_text(text, sizeof text, argv[1])},
              .weights = {.bytes = weights,
                          .len = argc > 2 ? read_text(weights, sizeof weights, argv[2]) : 0},
              .opinions = calloc(sizeof text, sizeof *w.opinions)};
    bool done = w.opinions && w.text.len > 0;
    for (int round = 0; round < ROUNDS && done; round++)
        done = run(&best, &w);
    if (done)
        show(&best, &w);
    else
        fputs("no text, or weights that cannot be read\n", stderr);
    tacit__document_clear(&w.document);
    tacit__chain_scratch_clear(&w.scratch);
    free(w.opinions);
    return done ? 0 : 1;
}
