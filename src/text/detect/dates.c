/*
 * dates.c - reads dates. First the text is cut into fields: names say what they are, numbers
 * do not; then their order and size decide.
 *
 *   with a month's name   four digits, an apostrophe or more than 31: the year; else the day
 *                         comes first, the year second
 *   d.d.d                 day, month, year
 *   d/d/d, d-d-d          month, day, year, unless the first is more than 12; year, month, day
 *                         where the first has four digits
 *   d/d                   month and day, or, where one is above 31, month and year
 *   dddddddd, dddd        year, month, day; a year
 *
 * Years of two digits are from 1930 to 2029. What months, weekdays and days are called is looked
 * for row by row and the first row that has it counts, so that "April" is English unless somebody
 * knows better (replace/dates.c). Cost: linear in at most TACIT__DATE_LONGEST bytes.
 */
#include "text/detect/dates.h"

#include <string.h>

#include "text/lexicon/fold.h"

/* ---- names ---- */

enum { MONTHS = 12, WEEKDAYS = 7, DAYS = 31 };

/* English in full and short, Spanish, French, German: TACIT__NAMES_SPANISH and so on. */
static const char *const month_names[][MONTHS] = {
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

static const char *const weekday_names[][WEEKDAYS] = {
    {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
    {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
    {"lunes", "martes", "mi\xC3\xA9rcoles", "jueves", "viernes",
     "s\xC3\xA1"
     "bado",
     "domingo"},
    {"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"},
    {"Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"}};

static const char *const day_names[DAYS] = {
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

static int find_name(unsigned *names, tacit_strview folded, const char *const *table, int rows,
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
    return find_english(names, folded, weekday_starts, weekday_names[0], WEEKDAYS);
}

/* Which month, weekday or day a folded word is, as in value above,
 * or -1; *names gets the row that it is in. */
static int month_named(unsigned *names, tacit_strview folded)
{
    int month = find_english(names, folded, month_starts, month_names[0], MONTHS);
    if (month < 0 && english_weekday(names, folded) >= 0)
        return -1;
    if (month < 0)
        month = find_name(names, folded, month_names[0], sizeof month_names / sizeof month_names[0],
                          MONTHS);
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
        weekday = find_name(names, folded, weekday_names[0],
                            sizeof weekday_names / sizeof weekday_names[0], WEEKDAYS);
    for (size_t i = 0; weekday < 0 && i < sizeof short_weekdays / sizeof short_weekdays[0]; i++) {
        if (!is_called(short_weekdays[i].name, folded))
            continue;
        *names = 1;
        weekday = short_weekdays[i].value;
    }
    return weekday;
}

static int day_named(tacit_strview folded)
{
    unsigned names;
    int day = find_name(&names, folded, day_names, 1, DAYS);
    return day < 0 ? -1 : day + 1;
}

const char *tacit__month_name(unsigned names, int month)
{
    return month_names[names][month - 1];
}

bool tacit__month_is(unsigned names, int month, tacit_strview folded)
{
    return is_called(month_names[names][month - 1], folded);
}

const char *tacit__weekday_name(unsigned names, int weekday)
{
    return weekday_names[names][weekday];
}

const char *tacit__day_name(int day)
{
    return day_names[day - 1];
}

/* ---- reading ---- */

enum { PIVOT = 30, WORST = 31 };

int tacit__date_number(int year, int month, int day)
{
    int years = month > 2 ? year : year - 1;
    int months = (month + 9) % 12; /* since March */
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1;
}

void tacit__date_of_number(int *year, int *month, int *day, int number)
{
    int era = number / 146097, left = number % 146097; /* of 400 years */
    int years = (left - left / 1460 + left / 36524 - left / 146096) / 365;
    int days = left - (365 * years + years / 4 - years / 100);
    int months = (5 * days + 2) / 153;
    *day = days - (153 * months + 2) / 5 + 1;
    *month = months < 10 ? months + 3 : months - 9;
    *year = 400 * era + years + (*month <= 2);
}

int tacit__month_length(int year, int month)
{
    int next =
        month == 12 ? tacit__date_number(year + 1, 1, 1) : tacit__date_number(year, month + 1, 1);
    return next - tacit__date_number(year, month, 1);
}

static int number_of(tacit_strview digits)
{
    int number = 0;
    for (size_t i = 0; i < digits.len; i++)
        number = 10 * number + (digits.bytes[i] - '0');
    return number;
}

static tacit__date_field *add_field(tacit__detect_date *date, tacit__date_role role,
                                    tacit__date_form form, tacit_strview text,
                                    const tacit__read_part *part)
{
    if (date->count == TACIT__DATE_FIELDS)
        return NULL;
    tacit__date_field *field = &date->field[date->count++];
    uint8_t start = (uint8_t)(part->text.bytes - text.bytes);
    *field = (tacit__date_field){.role = (uint8_t)role,
                                 .form = (uint8_t)form,
                                 .start = start,
                                 .end = (uint8_t)(start + part->text.len),
                                 .cased = (uint8_t)part->cased};
    date->end = field->end;
    return field;
}

/* Words that say nothing of the day: they stay. */
static const tacit__table fillers =
    TACIT__TABLE("of", "the", "in", "on", "and", "de", "del", "le", "la", "el", "den", "early",
                 "mid", "late", "spring", "summer", "autumn", "fall", "winter", "day", "year");

static const tacit__table compounds = TACIT__TABLE("twenty", "thirty");

/* "twenty-first" is two words and a hyphen. */
static void take_compound(tacit__read_part *part, tacit__read_parts *parts)
{
    tacit__read_parts ahead = *parts;
    tacit__read_part hyphen, second;
    if (!tacit__among(&compounds, part->text) || !tacit__parts_next(&hyphen, &ahead) ||
        hyphen.text.len != 1 || !tacit__parts_next(&second, &ahead) ||
        second.kind != TACIT__PART_WORD)
        return;
    part->text.len += 1 + second.text.len;
    *parts = ahead;
}

/* The end of an ordinal, right behind a number. */
static bool take_ordinal(tacit__detect_date *date, const tacit__read_part *part, tacit_strview text)
{
    tacit__date_field *last = date->count > 0 ? &date->field[date->count - 1] : NULL;
    size_t start = (size_t)(part->text.bytes - text.bytes);
    if (!last || last->form != TACIT__DATE_NUMBER || last->end != start ||
        !tacit__is_ordinal_end(part->text))
        return false;
    last->form = TACIT__DATE_ORDINAL;
    last->role = TACIT__DATE_DAY;
    last->cased = (uint8_t)part->cased;
    last->end = (uint8_t)(start + part->text.len);
    date->end = last->end;
    return true;
}

static bool read_word(tacit__detect_date *date, tacit__read_parts *parts, tacit__read_part *part)
{
    tacit__folded folded;
    tacit__date_field *field;
    unsigned names = 0;
    if (take_ordinal(date, part, parts->text))
        return true;
    take_compound(part, parts);
    if (!tacit__text_fold(&folded, part->text))
        return false;
    tacit_strview word = tacit__folded_view(&folded);
    tacit__date_role role = TACIT__DATE_MONTH;
    tacit__date_form form = TACIT__DATE_NAME;
    int value = month_named(&names, word);
    if (value < 0) {
        role = TACIT__DATE_WEEKDAY;
        value = tacit__weekday_named(&names, word);
    }
    if (value < 0) {
        role = TACIT__DATE_DAY;
        form = TACIT__DATE_WORDS;
        value = day_named(word);
    }
    if (value < 0)
        return tacit__among(&fillers, part->text);
    field = add_field(date, role, form, parts->text, part);
    if (!field)
        return false;
    field->names = (uint8_t)names;
    field->value = value;
    return true;
}

/* Eight digits are three fields with nothing between them. */
static bool read_compact(tacit__detect_date *date, tacit_strview text, tacit__read_part part)
{
    static const size_t lengths[] = {4, 2, 2};
    for (int role = TACIT__DATE_YEAR; role <= TACIT__DATE_DAY; role++) {
        part.text.len = lengths[role];
        tacit__date_field *field = add_field(date, role, TACIT__DATE_NUMBER, text, &part);
        if (!field)
            return false;
        field->value = number_of(part.text);
        field->digits = (uint8_t)part.text.len;
        part.text.bytes += part.text.len;
    }
    return true;
}

static bool read_number(tacit__detect_date *date, tacit_strview text, const tacit__read_part *part)
{
    size_t len = part->text.len;
    if (len == 8 && date->count == 0)
        return read_compact(date, text, *part);
    if (len != 1 && len != 2 && len != 4)
        return false;
    tacit__date_field *field = add_field(date, TACIT__DATE_OPEN, TACIT__DATE_NUMBER, text, part);
    if (!field)
        return false;
    field->value = number_of(part->text);
    field->digits = (uint8_t)len;
    bool apostrophe = field->start > 0 && (text.bytes[field->start - 1] == '\'' ||
                                           (unsigned char)text.bytes[field->start - 1] == 0x99);
    if (len == 4 || (apostrophe && len == 2))
        field->role = TACIT__DATE_YEAR;
    return true;
}

/* Whether a time of day begins here: "14:56", or the T of ISO 8601. */
static bool is_time(const tacit__read_parts *parts, const tacit__read_part *part)
{
    const char *next = parts->text.bytes + parts->at;
    size_t left = parts->text.len - parts->at;
    if (part->kind == TACIT__PART_DIGITS)
        return left > 0 && *next == ':';
    return part->letters == 1 && (*part->text.bytes | 0x20) == 't' && left > 0 && *next >= '0' &&
           *next <= '9';
}

/* Nothing but digits, signs and short words such as "am" and "UTC" is kept of a time. */
static bool is_time_only(tacit__read_parts parts)
{
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts))
        if (part.kind == TACIT__PART_WORD && part.letters > 3)
            return false;
    return true;
}

static bool read_fields(tacit__detect_date *date, tacit__read_parts parts)
{
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts)) {
        if (part.kind == TACIT__PART_GAP)
            continue;
        if (date->count > 0 && is_time(&parts, &part))
            return is_time_only(parts);
        if (part.kind == TACIT__PART_DIGITS ? !read_number(date, parts.text, &part)
                                            : !read_word(date, &parts, &part))
            return false;
    }
    return date->count > 0;
}

static bool has(const tacit__detect_date *date, tacit__date_role role)
{
    for (size_t i = 0; i < date->count; i++)
        if (date->field[i].role == role)
            return true;
    return false;
}

/* Of numbers beside a month's name the first may be the day, the rest is the year. */
static void settle_named(tacit__detect_date *date)
{
    for (size_t i = 0; i < date->count; i++) {
        tacit__date_field *field = &date->field[i];
        if (field->role != TACIT__DATE_OPEN)
            continue;
        field->role =
            field->value > WORST || has(date, TACIT__DATE_DAY) ? TACIT__DATE_YEAR : TACIT__DATE_DAY;
    }
}

/* Numbers that are still open, in their order. */
static size_t open_fields(tacit__date_field **open, tacit__detect_date *date)
{
    size_t count = 0;
    for (size_t i = 0; i < date->count; i++)
        if (date->field[i].role == TACIT__DATE_OPEN)
            open[count++] = &date->field[i];
    return count;
}

static void settle_numbers(tacit__detect_date *date, tacit_strview text)
{
    tacit__date_field *open[TACIT__DATE_FIELDS];
    size_t count = open_fields(open, date);
    bool year = has(date, TACIT__DATE_YEAR);
    if (count == 3 && !year)
        open[--count]->role = TACIT__DATE_YEAR;
    if (count == 2) {
        bool year_first = date->field[0].role == TACIT__DATE_YEAR; /* the month follows it */
        bool stop = text.bytes[open[0]->end] == '.';
        bool day_first = open[0]->value > 12 || (stop && !year_first && open[1]->value <= 12);
        if (open[1]->value > WORST && !year && !has(date, TACIT__DATE_YEAR)) {
            open[0]->role = TACIT__DATE_MONTH;
            open[1]->role = TACIT__DATE_YEAR;
        } else {
            open[0]->role = day_first ? TACIT__DATE_DAY : TACIT__DATE_MONTH;
            open[1]->role = day_first ? TACIT__DATE_MONTH : TACIT__DATE_DAY;
        }
    } else if (count == 1 && year) {
        open[0]->role = TACIT__DATE_MONTH;
    }
}

/* Each role once, each value one that there is. */
static bool settle_values(tacit__detect_date *date)
{
    for (int role = 0; role < TACIT__DATE_ROLES; role++)
        date->of[role] = -1;
    for (size_t i = 0; i < date->count; i++) {
        tacit__date_field *field = &date->field[i];
        if (field->role == TACIT__DATE_OPEN || date->of[field->role] >= 0)
            return false;
        if (field->role == TACIT__DATE_YEAR && field->digits <= 2)
            field->value += field->value < PIVOT ? 2000 : 1900;
        date->of[field->role] = field->value;
    }
    int year = date->of[TACIT__DATE_YEAR], month = date->of[TACIT__DATE_MONTH];
    int day = date->of[TACIT__DATE_DAY];
    if (year == 0 || month == 0 || month > 12 || day == 0 || (day > 0 && month < 0))
        return false;
    return day < 0 || day <= tacit__month_length(year < 0 ? 2000 : year, month);
}

static bool is_named(const tacit__detect_date *date)
{
    for (size_t i = 0; i < date->count; i++)
        if (date->field[i].role == TACIT__DATE_MONTH)
            return date->field[i].form == TACIT__DATE_NAME;
    return false;
}

/* Beside a month's name a 0 that is there shows that days are padded, or "27-Oct" with two
 * digits; in numbers alone two digits do, where no field has one. */
static bool is_padded(const tacit__detect_date *date, tacit_strview text)
{
    bool padded = !is_named(date);
    for (size_t i = 0; i < date->count; i++) {
        const tacit__date_field *field = &date->field[i];
        bool two = field->digits == 2 && field->role != TACIT__DATE_YEAR;
        if (two && text.bytes[field->start] == '0')
            return true;
        padded |= two && field->end < text.len && text.bytes[field->end] == '-';
        if (field->digits == 1)
            return false;
    }
    return padded;
}

bool tacit__date_read(tacit__detect_date *date, tacit__read_parts parts)
{
    tacit_strview text = parts.text;
    date->count = date->end = 0;
    if (text.len > TACIT__DATE_LONGEST || !read_fields(date, parts))
        return false;
    if (has(date, TACIT__DATE_MONTH))
        settle_named(date);
    else
        settle_numbers(date, text);
    date->padded = is_padded(date, text);
    return settle_values(date);
}
