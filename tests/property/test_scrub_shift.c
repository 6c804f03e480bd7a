/*
 * test_scrub_shift.c - how far dates move: all of a document by one number of days, whatever their
 * forms and with or without a year, weekdays with them; those of two documents by different ones
 * whatever else the documents share; and the same text or subject always alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_cases.h"
#include "text/detect/dates.h"
#include "washer.h"

enum { LONGEST = 600, MAX_DATES = 12, FORMS = 9, YEARLESS = 6 };

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*random >> 33) % below;
}

/* A date in one of several forms; from YEARLESS on it has no year. */
static void write_date(char *text, size_t size, uint64_t form, int number)
{
    int year, month, day;
    tacit__date_of_number(&year, &month, &day, number);
    const char *name = tacit__month_name(0, month);
    const char *weekday = tacit__weekday_name(0, (number + 2) % 7); /* 1 March 0: a Wednesday */
    switch (form) {
    case 0: snprintf(text, size, "on %02d/%02d/%04d", month, day, year); break;
    case 1: snprintf(text, size, "on %s, %s %d, %d", weekday, name, day, year); break;
    case 2: snprintf(text, size, "on %04d-%02d-%02d", year, month, day); break;
    case 3: snprintf(text, size, "on %02d.%02d.%04d", day, month, year); break;
    case 4: snprintf(text, size, "on %d %s %d", day, name, year); break;
    case 5: snprintf(text, size, "on %d/%d/%02d", month, day, year % 100); break;
    case 6: snprintf(text, size, "on %02d/%02d", month, day); break;
    case 7: snprintf(text, size, "on %s %d", name, day); break;
    default: snprintf(text, size, "on %s, %s %d", weekday, name, day);
    }
}

typedef struct document {
    char text[LONGEST];
    int numbers[MAX_DATES]; /* of the days */
    size_t count;
} document;

/* Days of half a year, so that those without one are clear. */
static void write_document(document *d, uint64_t *random)
{
    int first = tacit__date_number(1990, 1, 1) + (int)draw(random, 12000);
    size_t len = (size_t)snprintf(d->text, sizeof d->text, "The patient came %d times. ",
                                  (int)draw(random, 1000000));
    d->count = 3 + draw(random, MAX_DATES - 3);
    for (size_t i = 0; i < d->count; i++) {
        char date[48];
        d->numbers[i] = first + (int)draw(random, 90);
        write_date(date, sizeof date, i == 0 ? draw(random, YEARLESS) : draw(random, FORMS),
                   d->numbers[i]);
        len += (size_t)snprintf(d->text + len, sizeof d->text - len, "Seen %s. ", date);
    }
}

/* Whether the date may be of that year, and its number then. */
static bool is_year(const tacit__detect_date *date, int year)
{
    return (date->of[TACIT__DATE_YEAR] < 0 || date->of[TACIT__DATE_YEAR] == year) &&
           date->of[TACIT__DATE_DAY] <= tacit__month_length(year, date->of[TACIT__DATE_MONTH]);
}

static int day_of(const tacit__detect_date *date, int year)
{
    return tacit__date_number(year, date->of[TACIT__DATE_MONTH], date->of[TACIT__DATE_DAY]);
}

static void read_span(tacit__detect_date *date, const tacit_scrubbed *scrubbed, size_t i)
{
    const struct tacit_text_replaced *put = &scrubbed->replaced[i];
    tacit_strview text = {scrubbed->text.bytes + put->start, (size_t)(put->end - put->start)};
    if (!tacit__date_read(date, tacit__parts_of(text)))
        fail_msg("not a date: %.*s", (int)text.len, text.bytes);
}

/* How far a day moved; where its replacement has no year, by the one that fits best. */
static int moved_by(const tacit__detect_date *date, int number, int expected)
{
    int best = 1 << 20;
    for (int year = 1985; year < 2030; year++)
        if (is_year(date, year) &&
            abs(day_of(date, year) - number - expected) < abs(best - expected))
            best = day_of(date, year) - number;
    if (date->of[TACIT__DATE_WEEKDAY] >= 0)
        assert_int_equal(date->of[TACIT__DATE_WEEKDAY], (number + best + 2) % 7);
    return best;
}

/* How far the document's dates move, which is the same for all of them. */
static int shift_of(washer *one, const document *d)
{
    tacit_scrubbed scrubbed;
    size_t consumed, found = 0;
    int shift = 0;
    tacit__detect_date date;
    tacit_strview text = tacit_strview_of(d->text);
    assert_int_equal(tacit_scrub_piece(&scrubbed, &consumed, one->reader, text, true, NULL),
                     TACIT_OK);
    for (size_t i = 0; i < scrubbed.span_count; i++) {
        if (scrubbed.spans[i].kind != TACIT_TEXT_DATE)
            continue;
        assert_true(found < d->count);
        read_span(&date, &scrubbed, i);
        int moved = moved_by(&date, d->numbers[found], shift);
        if (found++ > 0 && moved != shift)
            fail_msg("%d and %d days: %s became %.*s", shift, moved, d->text,
                     (int)scrubbed.text.len, scrubbed.text.bytes);
        shift = moved;
    }
    assert_int_equal(found, d->count);
    assert_true(abs(shift) >= 183 && abs(shift) <= 349);
    return shift;
}

static washer open_scope(tacit_text_scope scope)
{
    washer one = {0};
    tacit_scrub_options options;
    tacit_scrub_options_init(&options);
    options.scope = scope;
    options.key[0] = 7;
    assert_int_equal(tacit_scrubber_new(&one.scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(&one.reader, one.scrubber, NULL), TACIT_OK);
    return one;
}

static void close_scope(washer *one)
{
    washer_close((void *[]){one});
}

/* Every date of a document moves alike, in each scope. */
static void one_document(void **state)
{
    uint64_t *seed = *state;
    washer one = open_scope(TACIT_TEXT_FOREVER);
    for (*seed = 1; *seed <= many_cases(2000); ++*seed) {
        uint64_t random = *seed;
        document d;
        write_document(&d, &random);
        tacit_scrub_begin(one.reader, *seed);
        shift_of(&one, &d);
    }
    close_scope(&one);
    *seed = 0;
}

/* Who knows a date of one document learns nothing of others, whatever the scope. */
static void documents_differ(void **state)
{
    uint64_t *seed = *state;
    enum { DOCUMENTS = 400, SHIFTS = 2 * (349 - 183 + 1) };
    for (tacit_text_scope scope = TACIT_TEXT_DOCUMENT; scope <= TACIT_TEXT_FOREVER; scope++) {
        washer one = open_scope(scope);
        int counts[2 * 350] = {0}, distinct = 0, most = 0;
        for (*seed = 1; *seed <= DOCUMENTS; ++*seed) {
            uint64_t random = *seed;
            document d;
            write_document(&d, &random);
            tacit_scrub_begin(one.reader, *seed);
            int count = ++counts[350 + shift_of(&one, &d)];
            distinct += count == 1;
            most = count > most ? count : most;
        }
        assert_true(distinct > SHIFTS / 2); /* about 215 of 286 where each is as likely */
        assert_true(most < 12);
        close_scope(&one);
    }
    *seed = 0;
}

/* Under a key the text alone says how far, whichever number the document has; the number, too,
 * where made-up values are the document's own. */
static void text_decides(void **state)
{
    uint64_t random = 5;
    document d;
    (void)state;
    write_document(&d, &random);
    washer forever = open_scope(TACIT_TEXT_FOREVER), alone = open_scope(TACIT_TEXT_DOCUMENT);
    tacit_scrub_begin(forever.reader, 1);
    int shift = shift_of(&forever, &d), others = 0;
    for (uint64_t number = 2; number < 12; number++) {
        tacit_scrub_begin(forever.reader, number);
        assert_int_equal(shift_of(&forever, &d), shift);
        tacit_scrub_begin(alone.reader, number);
        others += shift_of(&alone, &d) != shift;
    }
    assert_true(others >= 8);
    close_scope(&forever);
    close_scope(&alone);
}

/* A subject's documents move alike, in whatever scope; a record's texts, too. */
static void subjects(void **state)
{
    uint64_t *seed = *state;
    for (tacit_text_scope scope = TACIT_TEXT_DOCUMENT; scope <= TACIT_TEXT_FOREVER; scope++) {
        washer one = open_scope(scope);
        int alike = 0;
        for (*seed = 1; *seed <= 60; ++*seed) {
            uint64_t random = *seed;
            document a, b;
            char name[16];
            write_document(&a, &random);
            write_document(&b, &random);
            snprintf(name, sizeof name, "p%d", (int)*seed);
            tacit_scrub_begin(one.reader, *seed);
            tacit_scrub_subject(one.reader, tacit_strview_of(name));
            int first = shift_of(&one, &a);
            tacit_scrub_begin(one.reader, 1000 + *seed);
            tacit_scrub_subject(one.reader, tacit_strview_of(name));
            assert_int_equal(shift_of(&one, &b), first);
            tacit_scrub_begin(one.reader, *seed);
            int own = shift_of(&one, &a);
            tacit_scrub_begin_beside(one.reader, *seed);
            assert_int_equal(shift_of(&one, &b), own);
            alike += own == first;
        }
        assert_true(alike < 6);
        close_scope(&one);
    }
    *seed = 0;
}

/* Whether the two dates of the text became such as can be so many days apart. */
static bool may_be_apart(washer *one, const char *text, int days)
{
    tacit__detect_date dates[2];
    size_t consumed;
    assert_int_equal(tacit_scrub_piece(&one->scrubbed, &consumed, one->reader,
                                       tacit_strview_of(text), true, NULL),
                     TACIT_OK);
    assert_int_equal(one->scrubbed.span_count, 2);
    for (size_t i = 0; i < 2; i++)
        read_span(&dates[i], &one->scrubbed, i);
    for (int first = 2018; first < 2028; first++)
        for (int second = 2018; second < 2028; second++)
            if (is_year(&dates[0], first) && is_year(&dates[1], second) &&
                day_of(&dates[1], second) - day_of(&dates[0], first) == days)
                return true;
    return false;
}

/* The year that days without one are of: that of the date right behind, else before, else the first
 * that comes; 29 February is one, and a turn of the year is none. */
static void years(void **state)
{
    static const struct {
        const char *text;
        int days; /* from the first date to the second */
    } cases[] = {
        {"Seen on May 3 to May 5, 2021.", 2},
        {"Seen on 02/27 and on 03/02/2020.", 4},
        {"Seen on 02/27 and on 03/02/2021.", 3},
        {"Seen on 02/27/2020 and on 03/02.", 4},
        {"Seen on 12/28/2019 and on 03/04.", 67},
        {"Seen on 12/28 and on 01/04/2024.", 7},
        {"Seen on February 29 and on March 1.", 1},
        {"Seen on February 28 and on February 29.", 1},
        {"Seen on December 28 and on December 31.", 3},
        {"Seen on February 29 and on 03/01/2020.", 1},
    };
    washer one = open_scope(TACIT_TEXT_DOCUMENT);
    (void)state;
    for (uint64_t number = 0; number < 40; number++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            tacit_scrub_begin(one.reader, number);
            if (!may_be_apart(&one, cases[i].text, cases[i].days))
                fail_msg("%s became %.*s", cases[i].text, (int)one.scrubbed.text.len,
                         one.scrubbed.text.bytes);
        }
    close_scope(&one);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(one_document, &seed), random_test(documents_differ, &seed),
        cmocka_unit_test(text_decides),   random_test(subjects, &seed),
        cmocka_unit_test(years),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
