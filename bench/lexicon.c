/*
 * lexicon.c - how fast the lexicons answer, beside a plain pass of hashing over the same
 * words: in user time, the best of several rounds. Words are drawn as text has them, one in
 * five of which is in no list.
 *
 *   bench_lexicon [WORDS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "meter.h"
#include "text/lexicon/letters.h"
#include "text/lexicon/lexicon.h"

enum { ROUNDS = 5, SAMPLE = 48, LENGTH = 16 };

static const char *const sample[SAMPLE] = {
    "Wednesday", "February",  "Marjorie",   "Long",      "Hospital", "Huntington", "Boston",
    "Virginia",  "Townsend",  "Dear",       "feel",      "much",     "better",     "after",
    "seeing",    "this",      "time",       "year",      "old",      "female",     "follow",
    "up",        "for",       "insulin",    "dependent", "diabetes", "mellitus",   "diagnosed",
    "in",        "of",        "by",         "Frank",     "She",      "is",         "currently",
    "on",        "and",       "growing",    "gaining",   "weight",   "normally",   "will",
    "start",     "competing", "Gymnastics", "daughter",  "schedule", "Hodgkins"};

typedef struct word {
    uint8_t len;
    char bytes[LENGTH - 1];
} word;

typedef uint64_t (*work)(const word *words, size_t count);

static tacit_strview view_of(const word *w)
{
    return (tacit_strview){.bytes = w->bytes, .len = w->len};
}

static uint64_t hash_all(const word *words, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += tacit__hash_bytes128(words[i].bytes, words[i].len).low;
    return sum;
}

static uint64_t find_hashes(const word *words, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        tacit__lexicon_entry entry;
        tacit__lexicon_find_hash(&entry, tacit__hash_bytes128(words[i].bytes, words[i].len));
        sum += entry.lists;
    }
    return sum;
}

static uint64_t find_all(const word *words, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        tacit__lexicon_entry entry;
        tacit__lexicon_find(&entry, view_of(&words[i]));
        sum += entry.lists;
    }
    return sum;
}

static uint64_t score_all(const word *words, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        tacit__letters_score score;
        tacit__letters_read(&score, view_of(&words[i]));
        sum += (uint64_t)score.cost[TACIT__LETTERS_WORD];
    }
    return sum;
}

/* A word of the sample, or letters by chance. */
static void draw_word(word *w, uint32_t *state)
{
    uint32_t drawn = meter_draw(state);
    const char *text = sample[drawn / 5 % SAMPLE];
    w->len = (uint8_t)strlen(text);
    memcpy(w->bytes, text, w->len);
    if (drawn % 5 == 0)
        for (size_t i = 0; i < w->len; i++)
            w->bytes[i] = (char)('a' + meter_draw(state) % 26);
}

static double best_of(work done, const word *words, size_t count, volatile uint64_t *sink)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        *sink += done(words, count);
        double taken = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = taken < best ? taken : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000000;
    static const struct {
        const char *name;
        work done;
    } works[] = {{"hash", hash_all},
                 {"hash, look up", find_hashes},
                 {"fold, hash, look up", find_all},
                 {"fold, letter model", score_all}};
    word *words = calloc(count ? count : 1, sizeof *words);
    uint32_t state = 1;
    volatile uint64_t sink = 0;
    double plain = 0;
    if (!words)
        return 1;
    for (size_t i = 0; i < count; i++)
        draw_word(&words[i], &state);
    printf("%-22s %12s %8s\n", "", "million/s", "ratio");
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        double taken = best_of(works[i].done, words, count, &sink);
        plain = i == 0 ? taken : plain;
        printf("%-22s %12.1f %8.2f\n", works[i].name, (double)count / taken / 1e6, taken / plain);
    }
    free(words);
    return 0;
}
