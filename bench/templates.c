/*
 * templates.c - how fast the shipped templates are found in a text, beside a pass of memchr
 * that counts its lines: in processor time, the best of several rounds.
 *
 *   bench_templates FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meter.h"
#include "text/template/templates.h"

enum { ROUNDS = 5 };

static const size_t most = (size_t)64 << 20; /* of a longer file the rest is left */

static size_t count_lines(const char *text, size_t len)
{
    size_t lines = 0;
    for (const char *at = text; (at = memchr(at, '\n', len - (size_t)(at - text))); at++)
        lines++;
    return lines;
}

static size_t count_proposals(tacit__matcher *matcher, const char *text, size_t len)
{
    tacit__proposals proposals = {0};
    size_t total = 0;
    for (size_t at = 0; at < len; at += TACIT_SCRUB_PIECE) {
        size_t piece = len - at < TACIT_SCRUB_PIECE ? len - at : TACIT_SCRUB_PIECE;
        proposals.count = 0;
        if (tacit__templates_propose(&proposals, matcher, (tacit_strview){text + at, piece},
                                     NULL) != TACIT_OK)
            exit(1);
        total += proposals.count;
    }
    tacit__proposals_clear(&proposals);
    return total;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void measure(tacit__matcher *matcher, const char *text, size_t len)
{
    double lines = 1e9, templates = 1e9;
    size_t found = 0, counted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        counted = count_lines(text, len);
        double middle = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        found = count_proposals(matcher, text, len);
        double end = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
        lines = lesser(lines, middle - start);
        templates = lesser(templates, end - middle);
    }
    double megabytes = (double)len / 1e6;
    printf("memchr     %8.1f MB/s  %zu lines\n", megabytes / lines, counted);
    printf("templates  %8.1f MB/s  %zu proposals, %.0f times as long\n", megabytes / templates,
           found, templates / lines);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char *text = malloc(most);
    if (!file || !text) {
        fprintf(stderr, "usage: bench_templates FILE\n");
        return 2;
    }
    size_t len = fread(text, 1, most, file);
    tacit__templates *templates = NULL;
    tacit__matcher *matcher = NULL;
    tacit_error err = {0};
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tacit__templates_new(&templates, (tacit_strview){0}, &err) != TACIT_OK ||
        tacit__matcher_new(&matcher, templates, &err) != TACIT_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("made       %8.1f ms  %zu templates\n",
           (meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e3,
           tacit__templates_count(templates));
    measure(matcher, text, len);
    tacit__matcher_free(matcher);
    tacit__templates_free(templates);
    free(text);
    fclose(file);
    return 0;
}
