/*
 * profile_rules.c - what the values of a likely quasi-identifier could generalize to.
 *
 * The first that every value bears is proposed: dates with windows, by how many years they span;
 * postcodes and codes of one length, masked from the right; a shipped classification, where it has
 * every value; intervals of numbers, as wide as what nearly all rows have calls for, so that a few
 * outliers do not decide; and otherwise groups of rare values, which become a hierarchy file. Words
 * for "unknown" are proposed as codes of missing values, among categories only signs and letters
 * that stand for nothing else ("unknown" and "none" may be answers); so are 99, 998 or 999 far
 * beyond all other numbers, as questionnaires code them.
 *
 * What is proposed has been bound to the column once. So a draft that proposes it can be used; only
 * dates and decimals that nothing tells how to read are proposed as a question, which
 * `tacit anonymize` asks. Costs a pass over the rows for numbers and groups, and over the distinct
 * values for the rest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "hierarchy/written.h"
#include "policy/profile_parts.h"

enum { LEAST_GROUPED = 3, MOST_GROUPED = 20000, MOST_WIDTHS = 5 };

void tacit__profile_add_reason(tacit_profile_column *column, const char *more)
{
    size_t used = strlen(column->reason);
    snprintf(column->reason + used, sizeof column->reason - used, "; %s", more);
}

static void because(tacit_profile_column *column, const char *why)
{
    snprintf(column->hierarchy_reason, sizeof column->hierarchy_reason, "%s", why);
}

static void forget(tacit_profile_column *column)
{
    column->hierarchy = (tacit_hierarchy_spec){0};
    column->hierarchy_reason[0] = column->missing_words[0] = column->group[0] = '\0';
}

/* ---- words for "unknown" ---- */

/* Whether the word is safe in the text of a list, where it is in quotes. */
static bool is_printable_word(tacit_strview word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.bytes[i] < ' ' || word.bytes[i] > '~' || strchr("\"\\*", word.bytes[i]))
            return false;
    return word.len > 0;
}

/* Adds one to the list for the draft; false where it cannot stand there. */
static bool add_unknown(tacit_profile_column *column, tacit_strview word)
{
    char *list = column->missing_words;
    size_t used = strlen(list), size = sizeof column->missing_words;
    if (!is_printable_word(word) || used + word.len + 5 > size)
        return false;
    snprintf(list + used, size - used, "%s\"%.*s\"", used ? ", " : "", (int)word.len, word.bytes);
    return true;
}

/* ".", "?", "NA", "n/a", "k.A.": no answer anybody gives. NA among codes of countries is one. */
static bool is_no_answer(tacit_strview word)
{
    size_t letters = 0;
    for (size_t i = 0; i < word.len; i++)
        letters += tacit__is_letter(word.bytes[i]);
    return letters < 3;
}

/* Lists them for the draft; false where some values are neither of the shape nor such a word, or
 * there are too many words. Among answers, only those that are none. */
static bool list_unknown(tacit_profile_column *column, const tacit__facts *facts, bool answers,
                         const tacit_table *table, int32_t index)
{
    for (uint32_t code = 0; facts->seen < facts->sampled && code < facts->distinct; code++) {
        tacit_strview word = tacit_table_value(table, index, code);
        bool listed = tacit__profile_unknown(word) && (!answers || is_no_answer(word));
        if (listed && !add_unknown(column, word))
            return false;
    }
    return true;
}

/* ---- what was proposed ---- */

/* Whether the rule binds to the column, as far as its words for missing values let it be tried. */
static tacit_status check_bound(bool *binds, const tacit_profile_column *column,
                                const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit_hierarchy *hierarchy = NULL;
    tacit_error why = {0};
    *binds = true;
    if (column->missing_words[0])
        return TACIT_OK;
    tacit_status status = tacit_hierarchy_new(&hierarchy, &column->hierarchy, table, index, &why);
    tacit_hierarchy_free(hierarchy);
    if (status == TACIT_NOMEM)
        return tacit__nomem(err);
    *binds = status == TACIT_OK;
    return TACIT_OK;
}

static tacit_status keep_bound(tacit_profile_column *column, const tacit_table *table,
                               int32_t index, tacit_error *err)
{
    bool binds;
    tacit_status status = check_bound(&binds, column, table, index, err);
    if (status == TACIT_OK && !binds)
        forget(column);
    return status;
}

/* ---- dates ---- */

/* Windows that leave at least two of the widest. */
static void choose_windows(tacit_hierarchy_spec *spec, const tacit__facts *facts)
{
    static const double LIVES[] = {1, 3, 12, 60, 120, 240, 480}, EVENTS[] = {1, 3, 6, 12, 24, 48};
    double months = 12.0 * (facts->last_year - facts->first_year + 1);
    bool lives = months > 120;
    const double *windows = lives ? LIVES : EVENTS;
    size_t count = lives ? sizeof LIVES / sizeof *LIVES : sizeof EVENTS / sizeof *EVENTS;
    for (size_t i = 0; facts->first_year && i < count && windows[i] <= months / 1.5; i++)
        spec->widths[spec->width_count++] = windows[i];
}

/* Dates with slashes: what comes first is told by all values, and written down, lest a release of
 * fewer dates be read otherwise; where they do not tell, only the data holder can. */
static tacit_status suggest_dates(tacit_profile_column *column, const tacit__facts *facts,
                                  const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit__date_signs signs = {0};
    for (uint32_t code = 0; code < facts->distinct; code++)
        tacit__date_signs_add(&signs, code, tacit_table_value(table, index, code));
    if (tacit__date_signs_clash(&signs)) {
        tacit__profile_add_reason(
            column, "some dates have the day first and some the month, so that they cannot "
                    "be generalized");
        return TACIT_OK;
    }
    if (!list_unknown(column, facts, false, table, index)) {
        forget(column);
        return TACIT_OK;
    }
    column->hierarchy = (tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_DATE,
                                               .order = tacit__date_signs_order(&signs)};
    choose_windows(&column->hierarchy, facts);
    because(column, "windows of so many months; each level is wider than the one before");
    if (!tacit__date_signs_silent(&signs))
        return keep_bound(column, table, index, err);
    tacit__profile_add_reason(
        column, "no date shows whether the day or the month comes first; declare it, as in "
                "{date: {order: day-first}}");
    return TACIT_OK;
}

/* ---- numbers ---- */

typedef struct number_rows {
    double number;
    int64_t rows;
    uint32_t code;
} number_rows;

static int by_number(const void *a, const void *b)
{
    double x = ((const number_rows *)a)->number, y = ((const number_rows *)b)->number;
    return (x > y) - (x < y);
}

/* How far numbers are apart: those of nearly all rows, without a fortieth at either end, and all.
 */
typedef struct number_range {
    double core;
    double whole;
} number_range;

static number_range range_of(const number_rows *numbers, size_t count, int64_t rows)
{
    enum { TAIL = 40 };
    int64_t below = 0, above = 0;
    size_t from = 0, to = count;
    while (from + 1 < count && (below += numbers[from].rows) <= rows / TAIL)
        from++;
    while (to > 1 && (above += numbers[to - 1].rows) <= rows / TAIL)
        to--;
    double all = count ? numbers[count - 1].number - numbers[0].number : 0;
    double core = to > from ? numbers[to - 1].number - numbers[from].number : 0;
    return (number_range){core > 0 ? core : all, all};
}

/* Numbers without their last ones that code "unknown", as questionnaires do: 99, 998 or 999, of
 * some rows each, three times as high as any other number, or twice if it is 99 or 999 alone. */
static size_t without_codes(const number_rows *numbers, size_t count)
{
    enum { MOST_CODES = 4, LEAST_SPREAD = 4 };
    double highest = count > 0 ? numbers[count - 1].number : 0, all_nines = 99;
    while (all_nines < highest)
        all_nines = all_nines * 10 + 9;
    size_t left = count;
    while (left > 0 && count - left < MOST_CODES && numbers[left - 1].rows > 1 &&
           numbers[left - 1].number > all_nines - MOST_CODES)
        left--;
    double times = count - left > 1 ? 3 : 2;
    bool far = left < count && left > LEAST_SPREAD &&
               numbers[left - 1].number * times < numbers[left].number && numbers[0].number >= 0;
    return highest == all_nines && far ? left : count;
}

/* Lists such codes for the draft; the rows that have other numbers remain. */
static size_t list_codes(tacit_profile_column *column, int64_t *rows, const number_rows *numbers,
                         size_t count, const tacit_table *table, int32_t index)
{
    size_t left = without_codes(numbers, count);
    for (size_t i = left; i < count; i++) {
        if (!add_unknown(column, tacit_table_value(table, index, numbers[i].code)))
            return count;
        *rows -= numbers[i].rows;
    }
    if (left < count)
        tacit__profile_add_reason(column, "numbers far beyond all others are taken for codes of "
                                          "\"unknown\"");
    return left;
}

static tacit_status find_range(number_range *range, tacit_profile_column *column,
                               const tacit__facts *facts, const tacit_table *table, int32_t index,
                               tacit_error *err)
{
    int64_t *rows = NULL;
    size_t count = 0;
    number_rows *numbers = tacit__alloc_array((size_t)facts->distinct + 1, sizeof *numbers);
    tacit_status status =
        numbers ? tacit_hierarchy_rows(&rows, table, index, err) : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < facts->distinct; code++) {
        bool whole;
        number_rows *next = &numbers[count];
        next->rows = rows[code];
        next->code = code;
        count +=
            tacit__profile_number(&next->number, &whole, tacit_table_value(table, index, code));
    }
    if (status == TACIT_OK) {
        int64_t left = facts->rows - facts->missing;
        qsort(numbers, count, sizeof *numbers, by_number);
        count = list_codes(column, &left, numbers, count, table, index);
        *range = range_of(numbers, count, left);
    }
    tacit_hierarchy_rows_free(rows);
    tacit__free(numbers);
    return status;
}

/* A width of 1, 2 or 5 times a power of ten that cuts what nearly all rows have into about twelve;
 * then doubled while at least two intervals of all are left. */
static void choose_widths(tacit_hierarchy_spec *spec, number_range range, bool whole)
{
    double wish = range.core / 12;
    if (!(range.whole > 0) || (whole && range.whole < 4))
        return;
    double power = pow(10, floor(log10(wish))), width = power * 10;
    if (wish < power * 1.5)
        width = power;
    else if (wish < power * 3.5)
        width = power * 2;
    else if (wish < power * 7.5)
        width = power * 5;
    if (whole && width < 2)
        width = 2;
    spec->kind = TACIT_HIERARCHY_INTERVAL;
    for (; spec->width_count < MOST_WIDTHS && width <= range.whole / 1.5; width *= 2)
        spec->widths[spec->width_count++] = width;
}

/* What stands before decimals, as with the order of dates; false: no rule can read them, or only
 * the data holder can say how. */
static bool settle_decimals(tacit_profile_column *column, const tacit__facts *facts,
                            const tacit_table *table, int32_t index)
{
    tacit__number_signs signs = {0};
    if (!facts->commas)
        return true;
    for (uint32_t code = 0; code < facts->distinct; code++)
        tacit__number_signs_add(&signs, code, tacit_table_value(table, index, code));
    if (signs.point) {
        forget(column);
        tacit__profile_add_reason(
            column, "some numbers have commas and some points, so that they cannot be generalized");
        return false;
    }
    if (tacit__number_signs_silent(&signs)) {
        tacit__profile_add_reason(
            column, "no number shows whether decimals or thousands follow a comma; declare "
                    "it, as in {interval: {decimal: comma}}, or write thousands without "
                    "commas");
        return false;
    }
    column->hierarchy.decimal = TACIT_DECIMAL_COMMA;
    return true;
}

static tacit_status suggest_numbers(tacit_profile_column *column, const tacit__facts *facts,
                                    const tacit_table *table, int32_t index, tacit_error *err)
{
    number_range range = {0};
    bool whole = facts->shapes[TACIT__SHAPE_INTEGER] == facts->seen;
    if (!list_unknown(column, facts, false, table, index)) {
        forget(column);
        return TACIT_OK;
    }
    tacit_status status = find_range(&range, column, facts, table, index, err);
    if (status != TACIT_OK)
        return status;
    choose_widths(&column->hierarchy, range, whole);
    if (column->hierarchy.kind == TACIT_HIERARCHY_NONE) {
        forget(column);
        return TACIT_OK;
    }
    because(column, "intervals of numbers, as wide as the range of nearly all rows asks for");
    if (!settle_decimals(column, facts, table, index))
        return TACIT_OK;
    return keep_bound(column, table, index, err);
}

/* ---- codes ---- */

/* A classification whose codes nothing else looks like is recognized by its values, the others by
 * their name in the column's as well. */
static const struct {
    const char *name;
    const char *words; /* NULL: not asked */
    uint32_t least;    /* distinct values */
} standards[] = {
    {"us-states", NULL, 5}, {"nuts", NULL, 5},          {"icd10", NULL, 5},
    {"isco08", "isco*", 2}, {"isced2011", "isced*", 2}, {"nace2", "nace*", 2},
};

static tacit_status suggest_standard(tacit_profile_column *column, const tacit__facts *facts,
                                     const tacit_table *table, int32_t index, tacit_error *err)
{
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++) {
        const char *words = standards[i].words;
        bool binds = false;
        if (facts->distinct < standards[i].least ||
            (words ? !tacit__profile_says(column->name, words)
                   : facts->shapes[TACIT__SHAPE_NUMBER] > 0))
            continue;
        column->hierarchy = (tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_STANDARD};
        snprintf(column->hierarchy.standard, sizeof column->hierarchy.standard, "%s",
                 standards[i].name);
        tacit_status status = check_bound(&binds, column, table, index, err);
        if (status != TACIT_OK)
            return status;
        if (binds) {
            because(column, "every value is a code or name of this classification, which ships "
                            "with tacit");
            return TACIT_OK;
        }
        forget(column);
    }
    return TACIT_OK;
}

/* Letters and digits of one length, of which several begin alike but for the last. */
static tacit_status suggest_mask(tacit_profile_column *column, const tacit__facts *facts,
                                 const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit_hierarchy *hierarchy = NULL;
    tacit_error why = {0};
    bool alike = facts->shortest == facts->longest && facts->longest > 1 && facts->longest <= 8 &&
                 facts->distinct >= 10;
    if (!alike || facts->shapes[TACIT__SHAPE_CODE] != facts->sampled)
        return TACIT_OK;
    column->hierarchy.kind = TACIT_HIERARCHY_MASK;
    tacit_status status = tacit_hierarchy_new(&hierarchy, &column->hierarchy, table, index, &why);
    if (status == TACIT_NOMEM)
        return tacit__nomem(err);
    if (status != TACIT_OK || tacit_hierarchy_count(hierarchy, 1) > facts->distinct / 2)
        forget(column);
    else
        because(column, "codes of one length that begin alike, masked from the right");
    tacit_hierarchy_free(hierarchy);
    return TACIT_OK;
}

/* ---- groups ---- */

/* The column's values by the words they begin with, where that makes half as many groups of them
 * or fewer; by themselves otherwise. */
static tacit_status group_by_name(tacit_hierarchy **out, int *level, const tacit__facts *facts,
                                  const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit_status status = tacit_hierarchy_group(out, "name", table, index, err);
    if (status != TACIT_OK)
        return status;
    int height = tacit_hierarchy_height(*out);
    bool joins = height > 1 && tacit_hierarchy_count(*out, height - 1) <= facts->distinct / 2;
    *level = joins ? height - 1 : 0;
    return TACIT_OK;
}

static int by_rows(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Rows of each value of a level, the rarest first. */
static tacit_status count_groups(int64_t **out, const tacit_hierarchy *hierarchy, int level,
                                 const tacit_table *table, int32_t index, tacit_error *err)
{
    int64_t *rows = NULL;
    uint32_t count = tacit_hierarchy_count(hierarchy, level);
    int64_t *sums = tacit__alloc_zeroed((size_t)count + 1, sizeof *sums);
    tacit_status status = sums ? tacit_hierarchy_rows(&rows, table, index, err) : tacit__nomem(err);
    const uint32_t *map = tacit_hierarchy_map(hierarchy, level);
    for (uint32_t code = 0; status == TACIT_OK && code < tacit_table_distinct(table, index); code++)
        sums[map[code]] += rows[code];
    tacit_hierarchy_rows_free(rows);
    if (status != TACIT_OK) {
        tacit__free(sums);
        return status;
    }
    qsort(sums, count, sizeof *sums, by_rows);
    *out = sums;
    return TACIT_OK;
}

/* "frequency:3,12,60": below each number are the rarest values, with so much of the rows. */
static void list_frequencies(char *out, size_t size, const int64_t *sums, uint32_t count,
                             int64_t rows)
{
    static const double SHARES[] = {0.05, 0.2, 0.5};
    int64_t last = 1, below = 0;
    uint32_t next = 0;
    size_t used = (size_t)snprintf(out, size, "frequency:");
    for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES; i++) {
        while (next < count && (double)(below + sums[next]) <= SHARES[i] * (double)rows)
            below += sums[next++];
        int64_t number = next < count ? sums[next] : last;
        if (number <= last || next < 2) /* one alone joins nothing */
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s%lld", last > 1 ? "," : "",
                                 (long long)number);
        last = number;
    }
    if (last == 1)
        out[0] = '\0';
}

/* How the values are put into groups; empty where there is nothing to join. */
static tacit_status choose_groups(char *out, size_t size, const tacit__facts *facts,
                                  const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit_hierarchy *hierarchy = NULL;
    char numbers[48] = "";
    int64_t *sums = NULL;
    int level = 0;
    tacit_status status = group_by_name(&hierarchy, &level, facts, table, index, err);
    if (status == TACIT_OK)
        status = count_groups(&sums, hierarchy, level, table, index, err);
    if (status == TACIT_OK)
        list_frequencies(numbers, sizeof numbers, sums, tacit_hierarchy_count(hierarchy, level),
                         facts->rows - facts->missing);
    snprintf(out, size, "%s%s%s", level ? "name" : "", level && numbers[0] ? "+" : "", numbers);
    tacit__free(sums);
    tacit_hierarchy_free(hierarchy);
    return status;
}

/* Whether these groups join anything, and can stand in a file. */
static tacit_status check_groups(bool *out, const char *group, const tacit_table *table,
                                 int32_t index, tacit_error *err)
{
    tacit_hierarchy *hierarchy = NULL;
    char *text = NULL;
    tacit_error why = {0};
    tacit_status status = tacit_hierarchy_group(&hierarchy, group, table, index, &why);
    if (status == TACIT_OK)
        status = tacit_hierarchy_text(&text, hierarchy, &why);
    *out = status == TACIT_OK && tacit_hierarchy_height(hierarchy) > 1;
    tacit_text_free(text);
    tacit_hierarchy_free(hierarchy);
    return status == TACIT_NOMEM ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status suggest_groups(tacit_profile_column *column, const tacit__facts *facts,
                                   const tacit_table *table, int32_t index, tacit_error *err)
{
    bool joins = false;
    if (!list_unknown(column, facts, true, table, index))
        column->missing_words[0] = '\0';
    if (facts->distinct < LEAST_GROUPED || facts->distinct > MOST_GROUPED || column->near_unique)
        return TACIT_OK;
    tacit_status status =
        choose_groups(column->group, sizeof column->group, facts, table, index, err);
    if (status == TACIT_OK && column->group[0])
        status = check_groups(&joins, column->group, table, index, err);
    if (status != TACIT_OK || !joins) {
        column->group[0] = '\0';
        return status;
    }
    snprintf(column->hierarchy_reason, sizeof column->hierarchy_reason,
             "%sthe rarest values, which 5, 20 and 50 %% of the rows have, become \"other\"; you "
             "know better groups: write them into the file",
             column->group[0] == 'n' ? "values that begin with the same word are one group; " : "");
    return TACIT_OK;
}

/* ---- the first that fits ---- */

static bool is_number_type(const tacit_profile_column *column)
{
    static const char *const numbers[] = {"integer", "decimal", "age", "year"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(column->type, numbers[i]) == 0)
            return true;
    return false;
}

static bool is_settled(const tacit_profile_column *column)
{
    return column->hierarchy.kind != TACIT_HIERARCHY_NONE;
}

tacit_status tacit__profile_suggest(tacit_profile_column *column, const tacit__facts *facts,
                                    const tacit_table *table, int32_t index, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool numbers = is_number_type(column) && facts->shapes[TACIT__SHAPE_NUMBER] == facts->seen;
    if (facts->seen == 0)
        return TACIT_OK;
    if (column->role == TACIT_ROLE_SENSITIVE && numbers &&
        !list_unknown(column, facts, false, table, index))
        forget(column);
    if (column->role != TACIT_ROLE_QUASI)
        return TACIT_OK;
    if (strcmp(column->type, "date") == 0 && facts->shapes[TACIT__SHAPE_DATE] == facts->seen)
        return suggest_dates(column, facts, table, index, err);
    if (strcmp(column->type, "postcode") == 0) {
        column->hierarchy.kind = TACIT_HIERARCHY_MASK;
        because(column, "masked from the right: the first characters are the wider area");
        return TACIT_OK;
    }
    status = suggest_standard(column, facts, table, index, err);
    if (status == TACIT_OK && !is_settled(column) && numbers)
        status = suggest_numbers(column, facts, table, index, err);
    else if (status == TACIT_OK && !is_settled(column))
        status = suggest_mask(column, facts, table, index, err);
    if (status == TACIT_OK && !is_settled(column))
        status = suggest_groups(column, facts, table, index, err);
    return status;
}
