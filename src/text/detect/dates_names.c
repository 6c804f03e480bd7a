/*
 * dates_names.c - what months, weekdays and days are called. A name is looked for row by row
 * and the first row that has it counts, so that "April" is English unless somebody knows better
 * (replace/dates.c).
 */
#include <string.h>

#include "text/detect/dates.h"

enum { MONTHS = 12, WEEKDAYS = 7, DAYS = 31 };

/* English in full and short, Spanish, French, German: TACIT__NAMES_SPANISH and so on. */
static const char *const months[][MONTHS] = {
    {"January", "February", "March", "April", "May", "June", "July", "August", "September",
     "October", "November", "December"},
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
     "octubre", "noviembre", "diciembre"},
    {"janvier", "f\xC3\xA9vrier", "mars", "avril", "mai", "juin", "juillet", "ao\xC3\xBBt",
     "septembre", "octobre", "novembre",
     "d\xC3\xA9"
     "cembre"},
    {"Januar", "Februar", "M\xC3\xA4rz", "April", "Mai", "Juni", "Juli", "August", "September",
     "Oktober", "November", "Dezember"}};

static const char *const weekdays[][WEEKDAYS] = {
    {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
    {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
    {"lunes", "martes", "mi\xC3\xA9rcoles", "jueves", "viernes",
     "s\xC3\xA1"
     "bado",
     "domingo"},
    {"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"},
    {"Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"}};

static const char *const days[DAYS] = {
    "first",        "second",         "third",         "fourth",        "fifth",
    "sixth",        "seventh",        "eighth",        "ninth",         "tenth",
    "eleventh",     "twelfth",        "thirteenth",    "fourteenth",    "fifteenth",
    "sixteenth",    "seventeenth",    "eighteenth",    "nineteenth",    "twentieth",
    "twenty-first", "twenty-second",  "twenty-third",  "twenty-fourth", "twenty-fifth",
    "twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth",  "thirtieth",
    "thirty-first"};

/* Other short forms, which become those of the row above. */
static const struct {
    const char *name;
    int value;
} short_weekdays[] = {{"tues", 1}, {"weds", 2}, {"thur", 3}, {"thurs", 3}};

/* A name against folded bytes: letters beyond ASCII have lost their accents there, so only
 * their place is compared. */
static bool is_called(const char *name, tacit_strview folded)
{
    size_t at = 0;
    for (; *name && at < folded.len; at++) {
        bool foreign = (unsigned char)*name >= 0x80;
        if (!foreign && (*name | 0x20) != folded.bytes[at])
            return false;
        name += foreign ? 2 : 1;
    }
    return *name == '\0' && at == folded.len;
}

static int find(unsigned *names, tacit_strview folded, const char *const *table, int rows,
                int count)
{
    for (int i = 0; i < rows * count; i++) {
        if ((table[i][0] | 0x20) != folded.bytes[0] || !is_called(table[i], folded))
            continue;
        *names = (unsigned)(i / count);
        return i % count;
    }
    return -1;
}

/* The number of an English name, in full or short, by its first three letters, or -1. */
static int find_english(unsigned *names, tacit_strview folded, const char (*starts)[4],
                        const char *const *table, int count)
{
    for (int i = 0; folded.len >= 3 && i < count; i++) {
        if (memcmp(starts[i], folded.bytes, 3) != 0)
            continue;
        for (*names = 0; *names < 2; ++*names)
            if (is_called(table[*names * (unsigned)count + (unsigned)i], folded))
                return i;
    }
    return -1;
}

static const char month_starts[][4] = {"jan", "feb", "mar", "apr", "may", "jun",
                                       "jul", "aug", "sep", "oct", "nov", "dec"};
static const char weekday_starts[][4] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

static int english_weekday(unsigned *names, tacit_strview folded)
{
    return find_english(names, folded, weekday_starts, weekdays[0], WEEKDAYS);
}

int tacit__month_named(unsigned *names, tacit_strview folded)
{
    int month = find_english(names, folded, month_starts, months[0], MONTHS);
    if (month < 0 && english_weekday(names, folded) >= 0)
        return -1;
    if (month < 0)
        month = find(names, folded, months[0], sizeof months / sizeof months[0], MONTHS);
    if (month < 0 && is_called("sept", folded)) {
        *names = 1;
        month = 8;
    }
    return month < 0 ? -1 : month + 1;
}

int tacit__weekday_named(unsigned *names, tacit_strview folded)
{
    int weekday = english_weekday(names, folded);
    if (weekday < 0)
        weekday = find(names, folded, weekdays[0], sizeof weekdays / sizeof weekdays[0], WEEKDAYS);
    for (size_t i = 0; weekday < 0 && i < sizeof short_weekdays / sizeof short_weekdays[0]; i++) {
        if (!is_called(short_weekdays[i].name, folded))
            continue;
        *names = 1;
        weekday = short_weekdays[i].value;
    }
    return weekday;
}

int tacit__day_named(tacit_strview folded)
{
    unsigned names;
    int day = find(&names, folded, days, 1, DAYS);
    return day < 0 ? -1 : day + 1;
}

const char *tacit__month_name(unsigned names, int month)
{
    return months[names][month - 1];
}

bool tacit__month_is(unsigned names, int month, tacit_strview folded)
{
    return is_called(months[names][month - 1], folded);
}

const char *tacit__weekday_name(unsigned names, int weekday)
{
    return weekdays[names][weekday];
}

const char *tacit__day_name(int day)
{
    return days[day - 1];
}
