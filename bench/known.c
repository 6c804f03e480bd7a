/*
 * known.c - what finding known names and postings costs, beside cutting the same text into words
 * (tacit__document_read = 1), in processor time, the best of several rounds. Text is letters
 * with made-up names; known people are drawn from the model of letters and from lists.
 *
 *   bench_known [PEOPLE]...      0 1000 200000 unless told
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "meter.h"
#include "text/detect/postings.h"
#include "text/known/known.h"
#include "text/lexicon/letters.h"

enum { ROUNDS = 9, NAME = 48, TEXT = 1 << 18 };

static const char *const letter_lines[] = {
    "RE: Virginia Townsend CH#32-841-09787 DOB 05/26/86\n\nDear Dr. Lang:\n\n",
    "I feel much better after seeing Virginia this time. As you know, Dot is a 7 and 6/12 year "
    "old female in follow up for insulin dependent diabetes mellitus diagnosed in June of 1993 "
    "by Dr. Frank at Brigham's. ",
    "She is currently on Lily Human Insulin and is growing and gaining weight normally. ",
    "She will start competing again with the team. We will contact Mrs. Hodgkins in a week at "
    "Marina Corp 473-1214 to schedule a follow-up visit for her daughter.\n\n",
    "Patrick Hayes, M.D. 34764\nPH/jk\n\n"};

typedef struct bench_text {
    tacit__document document;
    tacit__proposals proposals;
    char bytes[TEXT];
    size_t len;
} bench_text;

static void write_text(bench_text *text)
{
    size_t lines = sizeof letter_lines / sizeof letter_lines[0];
    for (size_t i = 0; text->len + strlen(letter_lines[i % lines]) < TEXT; i++) {
        memcpy(text->bytes + text->len, letter_lines[i % lines], strlen(letter_lines[i % lines]));
        text->len += strlen(letter_lines[i % lines]);
    }
}

static void read_text(bench_text *text)
{
    tacit_strview view = {.bytes = text->bytes, .len = text->len};
    if (tacit__document_read(&text->document, view, NULL) != TACIT_OK)
        exit(1);
}

/* Best time of one pass over the text, in seconds. */
static double time_of(void (*work)(bench_text *, const void *), bench_text *text, const void *with)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        work(text, with);
        double taken = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = taken < best ? taken : best;
    }
    return best;
}

static void work_read(bench_text *text, const void *with)
{
    (void)with;
    read_text(text);
}

static void work_known(bench_text *text, const void *with)
{
    text->proposals.count = 0;
    if (tacit__known_propose(&text->proposals, with, &text->document, NULL) != TACIT_OK)
        exit(1);
}

static void work_postings(bench_text *text, const void *with)
{
    text->proposals.count = 0;
    if (tacit__postings_propose(&text->proposals, (tacit__postings *)with, &text->document, NULL) !=
        TACIT_OK)
        exit(1);
}

static void print_row(const char *name, double taken, double plain, const bench_text *text)
{
    printf("%-28s %10.2f %10.2f %8.2f %10zu\n", name, taken * 1e9 / (double)text->len,
           taken * 1e9 / (double)text->document.count, taken / plain, text->proposals.count);
}

/* Made-up people: names that look like names, first names shared by many. */
static void make_people(tacit_strview *values, tacit_text_kind *kinds, char (*names)[NAME],
                        size_t people)
{
    tacit__random random;
    tacit_run run;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "know", 0);
    for (size_t i = 0; i < people; i++) {
        tacit__made_up first, last;
        tacit__letters_make_up(&last, TACIT__LETTERS_SURNAME, &random);
        if (i % 100 == 0 || i == 0)
            tacit__letters_make_up(&first, TACIT__LETTERS_FIRST, &random);
        snprintf(names[i], NAME, "%s %c. %s", first.name, (char)('A' + i % 26), last.name);
        values[i] = (tacit_strview){.bytes = names[i], .len = strlen(names[i])};
        kinds[i] = TACIT_TEXT_FULL_NAME;
    }
    if (people > 0)
        values[0] = (tacit_strview){.bytes = "Virginia P. Townsend", .len = 20};
}

static void bench_known(bench_text *text, size_t people, double plain)
{
    tacit_strview *values = calloc(people + 1, sizeof *values);
    tacit_text_kind *kinds = calloc(people + 1, sizeof *kinds);
    char(*names)[NAME] = calloc(people + 1, sizeof *names);
    char label[64];
    tacit__known *known = NULL;
    if (!values || !kinds || !names)
        exit(1);
    make_people(values, kinds, names, people);
    tacit_scrub_options options = {.known = values, .known_kinds = kinds, .known_count = people};
    double memory = meter_megabytes(), start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tacit__known_new(&known, &options, NULL) != TACIT_OK)
        exit(1);
    double made = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    snprintf(label, sizeof label, "known, %zu people", people);
    print_row(label, time_of(work_known, text, known), plain, text);
    printf("    made in %.3f s, at most %.1f MB more\n", made, meter_megabytes() - memory);
    tacit__known_free(known);
    free(values);
    free(kinds);
    free(names);
}

/* The names of one letter, as a detector would have found them. */
static void bench_postings(bench_text *text, double plain)
{
    static const char *const names[] = {"Virginia Townsend", "Patrick Hayes", "Frank", "Hodgkins"};
    tacit__postings *postings = NULL;
    tacit__proposals posted = {0};
    if (tacit__postings_new(&postings, NULL) != TACIT_OK)
        exit(1);
    text->proposals.count = 0;
    print_row("postings, none", time_of(work_postings, text, postings), plain, text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *at = strstr(text->bytes, names[i]);
        tacit__proposal proposal = {.start = (uint32_t)(at - text->bytes),
                                    .end = (uint32_t)(at - text->bytes + (long)strlen(names[i])),
                                    .kind = TACIT_TEXT_FULL_NAME,
                                    .likelihood = 95,
                                    .detector = "bench"};
        if (tacit__proposals_add(&posted, &proposal, NULL) != TACIT_OK)
            exit(1);
    }
    tacit__postings_post(postings, &posted, &text->document);
    print_row("postings, four names", time_of(work_postings, text, postings), plain, text);
    tacit__proposals_clear(&posted);
    tacit__postings_free(postings);
}

int main(int argc, char **argv)
{
    static const size_t usual[] = {0, 1000, 200000};
    bench_text *text = calloc(1, sizeof *text);
    if (!text)
        return 1;
    write_text(text);
    double plain = time_of(work_read, text, NULL);
    printf("%-28s %10s %10s %8s %10s\n", "", "ns/byte", "ns/word", "ratio", "proposals");
    print_row("tacit__document_read", plain, plain, text);
    bench_postings(text, plain);
    for (int i = 1; i < argc; i++)
        bench_known(text, strtoul(argv[i], NULL, 10), plain);
    for (size_t i = 0; argc < 2 && i < sizeof usual / sizeof usual[0]; i++)
        bench_known(text, usual[i], plain);
    tacit__proposals_clear(&text->proposals);
    tacit__document_clear(&text->document);
    free(text);
    return 0;
}
