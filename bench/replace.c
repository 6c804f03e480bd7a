/*
 * replace.c - what a replacement costs, for each kind of span and for letters of twenty spans
 * in which about half of the values come again, beside hashing the same text: user time, the best
 * of several rounds.
 *
 *   bench_replace [LETTERS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "meter.h"
#include "text/replace/replace.h"

enum { ROUNDS = 5, VARIANTS = 64, LONGEST = 48 };

static const struct {
    tacit_text_kind kind;
    int times;        /* in a letter */
    const char *form; /* * is a name, # a digit */
} spans[] = {{TACIT_TEXT_FULL_NAME, 4, "* *"},
             {TACIT_TEXT_LAST_NAME, 3, "*"},
             {TACIT_TEXT_DATE, 3, "0#/1#/199#"},
             {TACIT_TEXT_DATE, 1, "February 1#, 199#"},
             {TACIT_TEXT_CITY, 2, "Lake *"},
             {TACIT_TEXT_AGE, 1, "4#"},
             {TACIT_TEXT_HOSPITAL, 1, "* Regional Medical Center"},
             {TACIT_TEXT_STREET, 1, "#### * Drive Apt. 0##"},
             {TACIT_TEXT_STATE, 1, "MA"},
             {TACIT_TEXT_ZIP, 1, "0####"},
             {TACIT_TEXT_PHONE, 1, "(3##) 4##-####"},
             {TACIT_TEXT_REFERENCE, 1, "##-###-#####"}};

enum { SPANS = sizeof spans / sizeof spans[0] };

static const char *const names[] = {"Marjorie", "Long",   "Virginia", "Townsend", "Frank",
                                    "Hodgkins", "Hayes",  "Patrick",  "Nguyen",   "Robert",
                                    "McCarthy", "Yoreen", "Williams", "Dorothy",  "Sweeney"};

static char texts[SPANS][VARIANTS][LONGEST];

static void write_form(char *text, const char *form, uint32_t *state)
{
    size_t len = 0;
    for (; *form; form++) {
        if (*form == '*')
            len += (size_t)sprintf(text + len, "%s",
                                   names[meter_draw(state) % (sizeof names / sizeof names[0])]);
        else
            text[len++] = *form == '#' ? (char)('0' + meter_draw(state) % 9) : *form;
    }
    text[len] = '\0';
}

static void fail(const tacit_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

typedef struct bench {
    tacit_scrub_options options; /* all made up */
    tacit__disguise *disguise;
    tacit__strbuf out;
    tacit_error err; /* clearing one takes longer than many a span */
    long spans;
} bench;

static void replace(bench *b, size_t span, size_t variant)
{
    const char *text = texts[span][variant % VARIANTS];
    size_t len = strlen(text);
    b->out.len = 0;
    if (tacit__replace(&b->out, b->disguise, &b->options, spans[span].kind,
                       (tacit_strview){.bytes = text, .len = len}, &b->err) != TACIT_OK)
        fail(&b->err);
    b->spans++;
}

/* One kind only, in documents of twenty. */
static void one_kind(bench *b, long letters, size_t span)
{
    for (long letter = 0; letter < letters; letter++) {
        tacit__disguise_begin(b->disguise, &b->options, (uint64_t)letter);
        for (size_t i = 0; i < 20; i++)
            replace(b, span, (size_t)letter * 7 + i / 2);
    }
}

/* A span that the document had before. */
static void again(bench *b, long letters, size_t span)
{
    for (long i = 0; i < 20 * letters; i++)
        replace(b, span, 0);
}

/* Documents without any. */
static void beginning(bench *b, long letters, size_t span)
{
    (void)span;
    for (long letter = 0; letter < 20 * letters; letter++, b->spans++)
        tacit__disguise_begin(b->disguise, &b->options, (uint64_t)letter);
}

static void whole(bench *b, long letters, size_t span)
{
    (void)span;
    for (long letter = 0; letter < letters; letter++) {
        tacit__disguise_begin(b->disguise, &b->options, (uint64_t)letter);
        for (size_t i = 0; i < SPANS; i++)
            for (int times = 0; times < spans[i].times; times++)
                replace(b, i, (size_t)letter * 7 + (size_t)times / 2);
    }
}

static void hashing(bench *b, long letters, size_t span)
{
    volatile uint64_t sum = 0;
    (void)span;
    for (long letter = 0; letter < letters; letter++)
        for (size_t i = 0; i < SPANS; i++)
            for (int times = 0; times < spans[i].times; times++, b->spans++) {
                const char *text = texts[i][((size_t)letter * 7 + (size_t)times / 2) % VARIANTS];
                sum += tacit__hash_bytes(text, strlen(text));
            }
}

typedef void work(bench *b, long letters, size_t span);

/* Nanoseconds a span. */
static double measure(bench *b, work *done, long letters, size_t span)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        b->spans = 0;
        double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        done(b, letters, span);
        double taken = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = taken < best ? taken : best;
    }
    return best * 1e9 / (double)b->spans;
}

int main(int argc, char **argv)
{
    long letters = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
    bench b = {0};
    uint32_t state = 1;
    if (tacit__disguise_new(&b.disguise, &b.err) != TACIT_OK)
        fail(&b.err);
    for (size_t i = 0; i < SPANS; i++)
        for (size_t j = 0; j < VARIANTS; j++)
            write_form(texts[i][j], spans[i].form, &state);
    static const struct {
        const char *name;
        work *done;
    } works[] = {{"hashing", hashing},
                 {"letters", whole},
                 {"a span again", again},
                 {"a document begins", beginning}};
    double plain = 0, taken;
    printf("%-30s %8s %8s\n", "", "ns", "ratio");
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        taken = measure(&b, works[i].done, letters, 0);
        plain = i == 0 ? taken : plain;
        printf("%-30s %8.1f %8.1f\n", works[i].name, taken, taken / plain);
    }
    for (size_t i = 0; i < SPANS; i++) {
        taken = measure(&b, one_kind, letters / 4, i);
        printf("%-30s %8.1f %8.1f\n", spans[i].form, taken, taken / plain);
    }
    tacit__strbuf_clear(&b.out);
    tacit__disguise_free(b.disguise);
    return 0;
}
