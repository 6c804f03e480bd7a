/*
 * generate.c - makes up patients to measure with.
 *
 *   generate ROWS [SEED] > patients.csv
 *
 * Columns: patient,birth,sex,postcode,race,marital,education,diagnosis,charges;
 * about 67 bytes a row. Nobody in it lives: values are drawn from the tables
 * below. What matters for measuring is kept as in real files: nearly every full
 * combination of birth date and postcode is unique, postcodes and diagnoses fall
 * off as 1/rank (2000 and 400 of them), marital status and education depend on
 * age, and charges spread over several orders of magnitude.
 *
 * The numbers are integers throughout, so that a seed means the same bytes on
 * every machine. Costs two or three seconds for ten million rows.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_YEAR = 1925,
    YEARS = 100, /* 1925 to 2024 */
    POSTCODES = 2000,
    AREAS = 100, /* groups of postcodes with the same first three digits */
    DIAGNOSES = 400,
    DRAW = 1 << 16, /* entries of a table to draw from */
    LONGEST_ROW = 128
};

typedef struct choice {
    const char *text;
    int weight; /* of all weights together */
} choice;

static const choice SEXES[] = {{"female", 51}, {"male", 49}, {0}};
static const choice RACES[] = {{"white", 600}, {"hispanic", 180}, {"black", 125}, {"asian", 60},
                               {"mixed", 25},  {"native", 8},     {"other", 2},   {0}};

/* By age: under 16, under 30, under 65, older. */
enum { BANDS = 4 };
static const choice MARITAL[BANDS][6] = {
    {{"single", 1}, {0}},
    {{"single", 80}, {"married", 17}, {"divorced", 2}, {"separated", 1}, {0}},
    {{"single", 25}, {"married", 56}, {"divorced", 14}, {"separated", 3}, {"widowed", 2}, {0}},
    {{"single", 8}, {"married", 54}, {"divorced", 13}, {"separated", 1}, {"widowed", 24}, {0}}};
static const choice EDUCATION[BANDS][9] = {{{"none", 35}, {"primary", 65}, {0}},
                                           {{"primary", 6},
                                            {"secondary", 12},
                                            {"diploma", 44},
                                            {"associate", 12},
                                            {"bachelor", 21},
                                            {"master", 5},
                                            {0}},
                                           {{"none", 1},
                                            {"primary", 5},
                                            {"secondary", 7},
                                            {"diploma", 42},
                                            {"associate", 10},
                                            {"bachelor", 22},
                                            {"master", 10},
                                            {"doctorate", 3},
                                            {0}},
                                           {{"none", 2},
                                            {"primary", 11},
                                            {"secondary", 14},
                                            {"diploma", 45},
                                            {"associate", 6},
                                            {"bachelor", 13},
                                            {"master", 7},
                                            {"doctorate", 2},
                                            {0}}};

/* One draw of 16 bits chooses an entry. */
typedef struct lottery {
    uint16_t entry[DRAW];
} lottery;

typedef struct lotteries {
    lottery year, sex, postcode, race, marital[BANDS], education[BANDS], diagnosis;
} lotteries;

/* Entries in proportion to the weights. */
static void fill(lottery *out, const uint64_t *weights, int count)
{
    uint64_t total = 0, sum = 0;
    for (int i = 0; i < count; i++)
        total += weights[i];
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        sum += weights[i];
        while (at < DRAW && at * total < sum * DRAW)
            out->entry[at++] = (uint16_t)i;
    }
}

static void fill_choices(lottery *out, const choice *choices)
{
    uint64_t weights[16];
    int count = 0;
    for (; choices[count].text; count++)
        weights[count] = (uint64_t)choices[count].weight;
    fill(out, weights, count);
}

/* As 1/(rank + 2): the three most frequent together are a tenth or so. */
static void fill_ranks(lottery *out, int count)
{
    static uint64_t weights[POSTCODES];
    for (int i = 0; i < count; i++)
        weights[i] = UINT64_C(1000000000) / (uint64_t)(i + 3);
    fill(out, weights, count);
}

/* As many in each year from 1960 on, fewer and fewer before. */
static void fill_years(lottery *out)
{
    uint64_t weights[YEARS];
    for (int i = 0; i < YEARS; i++)
        weights[i] = i < 35 ? (uint64_t)(i + 1) * (uint64_t)(i + 1) : 35 * 35;
    fill(out, weights, YEARS);
}

static void fill_all(lotteries *all)
{
    fill_years(&all->year);
    fill_choices(&all->sex, SEXES);
    fill_choices(&all->race, RACES);
    fill_ranks(&all->postcode, POSTCODES);
    fill_ranks(&all->diagnosis, DIAGNOSES);
    for (int band = 0; band < BANDS; band++) {
        fill_choices(&all->marital[band], MARITAL[band]);
        fill_choices(&all->education[band], EDUCATION[band]);
    }
}

/* splitmix64. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int pick(const lottery *from, uint64_t bits, int field)
{
    return from->entry[(bits >> (16 * field)) & (DRAW - 1)];
}

static char *put_text(char *at, const char *text)
{
    size_t len = strlen(text);
    memcpy(at, text, len);
    at[len] = ',';
    return at + len + 1;
}

static char *put_digits(char *at, uint64_t number, int digits)
{
    for (int i = digits - 1; i >= 0; i--) {
        at[i] = (char)('0' + number % 10);
        number /= 10;
    }
    return at + digits;
}

static char *put_date(char *at, int year, uint64_t bits)
{
    static const int DAYS[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int day = (int)(bits % 365), month = 0;
    while (day >= DAYS[month])
        day -= DAYS[month++];
    at = put_digits(at, (uint64_t)year, 4);
    *at++ = '-';
    at = put_digits(at, (uint64_t)month + 1, 2);
    *at++ = '-';
    at = put_digits(at, (uint64_t)day + 1, 2);
    *at++ = ',';
    return at;
}

/* Frequent postcodes are spread over the areas, twenty in each. */
static char *put_postcode(char *at, int rank)
{
    int area = rank * 37 % AREAS, within = rank / AREAS;
    at = put_digits(at, (uint64_t)((100 + area * 8) * 100 + within * 5 + area % 5), 5);
    *at++ = ',';
    return at;
}

/* A letter and two to four digits, as the classification of diseases has them. */
static char *put_diagnosis(char *at, int rank)
{
    *at++ = (char)('A' + rank % 23);
    at = put_digits(at, (uint64_t)(rank * 7 % 100), 2);
    if (rank % 3) {
        *at++ = '.';
        at = put_digits(at, (uint64_t)(rank % 10), 1);
    }
    *at++ = ',';
    return at;
}

/* The number of ones among random bits is nearly normal, so two to its power
 * spreads as charges do: most from 300 to 50 000, a few in the millions. */
static char *put_charges(char *at, uint64_t bits)
{
    int magnitude = 8 + __builtin_popcountll(bits & 0xFFFFF);
    uint64_t cents = (UINT64_C(1) << magnitude) + ((bits >> 20) & ((UINT64_C(1) << magnitude) - 1));
    int digits = 1;
    for (uint64_t rest = cents / 1000; rest; rest /= 10)
        digits++;
    at = put_digits(at, cents / 100, digits);
    *at++ = '.';
    return put_digits(at, cents % 100, 2);
}

static char *put_row(char *at, uint64_t number, const lotteries *all, uint64_t *state)
{
    uint64_t a = draw(state), b = draw(state), c = draw(state);
    int year = pick(&all->year, a, 0), age = YEARS - 1 - year;
    int band = age < 16 ? 0 : age < 30 ? 1 : age < 65 ? 2 : 3;
    at = put_digits(at, number, 8);
    *at++ = ',';
    at = put_date(at, FIRST_YEAR + year, a >> 48);
    at = put_text(at, SEXES[pick(&all->sex, a, 1)].text);
    at = put_postcode(at, pick(&all->postcode, a, 2));
    at = put_text(at, RACES[pick(&all->race, b, 0)].text);
    at = put_text(at, MARITAL[band][pick(&all->marital[band], b, 1)].text);
    at = put_text(at, EDUCATION[band][pick(&all->education[band], b, 2)].text);
    at = put_diagnosis(at, pick(&all->diagnosis, b, 3));
    at = put_charges(at, c);
    *at++ = '\n';
    return at;
}

static int write_rows(uint64_t rows, uint64_t seed)
{
    static lotteries all;
    static char buffer[1 << 20];
    fill_all(&all);
    fputs("patient,birth,sex,postcode,race,marital,education,diagnosis,charges\n", stdout);
    char *at = buffer;
    for (uint64_t i = 0; i < rows; i++) {
        at = put_row(at, (i + 1) % 100000000, &all, &seed);
        if (at > buffer + sizeof buffer - LONGEST_ROW || i + 1 == rows) {
            fwrite(buffer, 1, (size_t)(at - buffer), stdout);
            at = buffer;
        }
    }
    if (fflush(stdout) || ferror(stdout)) {
        perror("generate");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    uint64_t rows = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
    if (argc < 2 || argc > 3 || *end || !rows) {
        fprintf(stderr, "usage: %s ROWS [SEED] > patients.csv\n", argv[0]);
        return 2;
    }
    return write_rows(rows, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
}
