/*
 * link.c - makes up a register and a release of some of its people, for bench/link.sh.
 *
 *   link REGISTER.csv PEOPLE RELEASE.csv RECORDS MIXED
 *
 * People have a name, a birth date, a sex, a ZIP and a country of birth, and stand in no
 * order; a few countries and ZIPs are frequent. The release has birth, sex, ZIP, country and a
 * diagnosis of every so-manieth of them: as they are or, with MIXED 1, generalized cell by cell:
 * dates to months, years or "*", ZIPs to four or three digits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meter.h"

enum { COUNTRIES = 60, ZIPS = 4000, YEARS = 90, NAME_STEP = 6700417 };

typedef struct person {
    int year, month, day, zip, country;
    char sex;
} person;

/* Small numbers are more frequent. */
static int draw_skewed(uint32_t *state, int below)
{
    double u = meter_draw(state) / 4294967296.0;
    return (int)(u * u * below);
}

static person draw_person(uint32_t *state)
{
    person p = {.year = 1915 + (int)(meter_draw(state) % YEARS),
                .month = 1 + (int)(meter_draw(state) % 12),
                .day = 1 + (int)(meter_draw(state) % 28),
                .zip = 1000 + 7 * draw_skewed(state, ZIPS),
                .country = draw_skewed(state, COUNTRIES),
                .sex = meter_draw(state) % 2 ? 'f' : 'm'};
    return p;
}

static void put_date(FILE *out, const person *p, uint32_t level)
{
    if (level < 5)
        fprintf(out, "%04d-%02d-%02d,", p->year, p->month, p->day);
    else if (level < 7)
        fprintf(out, "%04d-%02d,", p->year, p->month);
    else
        fprintf(out, level < 9 ? "%04d," : "*,", p->year);
}

static void put_record(FILE *out, const person *p, uint32_t *levels, int mixed)
{
    uint32_t level = mixed ? meter_draw(levels) % 10 : 0;
    char zip[12];
    put_date(out, p, level);
    snprintf(zip, sizeof zip, "%05d", p->zip);
    level = mixed ? meter_draw(levels) % 10 : 0;
    if (level > 5)
        zip[4] = '*';
    if (level > 7)
        zip[3] = '*';
    if (mixed && meter_draw(levels) % 8 == 0)
        fprintf(out, "*,%s,", zip);
    else
        fprintf(out, "%c,%s,", p->sex, zip);
    fprintf(out, "C%02d,%u\n", p->country, meter_draw(levels) % 500);
}

int main(int count, char **words)
{
    if (count != 6)
        return fprintf(stderr, "usage: link REGISTER PEOPLE RELEASE RECORDS MIXED\n"), 2;
    long people = atol(words[2]), records = atol(words[4]), put = 0;
    FILE *registered = fopen(words[1], "w"), *release = fopen(words[3], "w");
    if (!registered || !release || people < 1 || records < 1 || records > people)
        return fprintf(stderr, "link: cannot write, or no such numbers\n"), 1;
    uint32_t state = 12345, levels = 67890;
    fputs("name,birth,sex,zip,country\n", registered);
    fputs("birth,sex,zip,country,diagnosis\n", release);
    for (long i = 0; i < people; i++) {
        person p = draw_person(&state);
        fprintf(registered, "P%08ld,%04d-%02d-%02d,%c,%05d,C%02d\n", i * NAME_STEP % people, p.year,
                p.month, p.day, p.sex, p.zip, p.country);
        if ((double)(i + 1) * (double)records / (double)people >= (double)(put + 1)) {
            put_record(release, &p, &levels, atoi(words[5]));
            put++;
        }
    }
    return fclose(registered) != 0 || fclose(release) != 0;
}
