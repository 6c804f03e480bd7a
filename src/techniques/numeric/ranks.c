/*
 * ranks.c - keys and sorting for techniques that go by ranks.
 *
 * Sorted digit by digit, eleven bits each, from the lowest; a digit that all keys share costs
 * nothing but its counting. Categories are ranked once each, then their rows by number. Linear in
 * the rows, plus sorting the distinct values of a column that is ordered as text.
 */
#include "techniques/numeric/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

uint64_t tacit__rank_of_number(double number)
{
    uint64_t bits;
    number = number == 0 ? 0 : number; /* one zero */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit(uint64_t key, int place)
{
    return (size_t)(key >> (place * DIGIT_BITS)) & (BUCKETS - 1);
}

static void sort_digit(tacit__numeric_ranked *to, const tacit__numeric_ranked *from, int64_t count,
                       int place, const int64_t *sizes)
{
    int64_t next[BUCKETS], start = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        next[i] = start;
        start += sizes[i];
    }
    for (int64_t i = 0; i < count; i++)
        to[next[digit(from[i].key, place)]++] = from[i];
}

/* A few are not worth the buckets. */
static void sort_few(tacit__numeric_ranked *list, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        tacit__numeric_ranked moved = list[i];
        int64_t at = i;
        for (; at > 0 && list[at - 1].key > moved.key; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

void tacit__rank_sort(tacit__numeric_ranked *list, tacit__numeric_ranked *spare, int64_t count)
{
    tacit__numeric_ranked *from = list, *to = spare;
    if (count <= 32) {
        sort_few(list, count);
        return;
    }
    for (int place = 0; place < DIGITS; place++) {
        int64_t sizes[BUCKETS] = {0};
        for (int64_t i = 0; i < count; i++)
            sizes[digit(from[i].key, place)]++;
        if (sizes[digit(from[0].key, place)] == count)
            continue;
        sort_digit(to, from, count, place, sizes);
        tacit__numeric_ranked *kept = from;
        from = to;
        to = kept;
    }
    if (from != list)
        memcpy(list, from, (size_t)count * sizeof *list);
}

/* ---- keys ---- */

static int64_t number_keys(tacit__numeric_ranked *list, const tacit__sheet *sheet,
                           const tacit__sheet_column *column)
{
    int64_t count = 0;
    for (int64_t row = 0; row < sheet->rows; row++)
        if (!isnan(column->numbers[row]))
            list[count++] =
                (tacit__numeric_ranked){tacit__rank_of_number(column->numbers[row]), (uint32_t)row};
    return count;
}

/* What a code says, in memory of its own. */
typedef struct named {
    tacit_strview text;
    uint32_t code;
} named;

int tacit__compare_texts(tacit_strview a, tacit_strview b)
{
    int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_named(const void *a, const void *b)
{
    return tacit__compare_texts(((const named *)a)->text, ((const named *)b)->text);
}

/* The texts of all codes, sorted. */
static bool name_codes(named *names, const tacit__categories *categories, const tacit__sheet *sheet,
                       const tacit__sheet_column *column, tacit__arena *arena)
{
    size_t size = tacit__sheet_longest(sheet, column);
    char *buffer = tacit__alloc(size);
    bool whole = buffer;
    for (uint32_t code = 0; whole && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(sheet, column, categories->firsts[code], buffer, size);
        names[code] = (named){tacit__arena_copy(arena, text), code};
        whole = names[code].text.bytes;
    }
    tacit__free(buffer);
    if (whole)
        qsort(names, categories->count, sizeof *names, compare_named);
    return whole;
}

static tacit_status not_in_order(const tacit__runner_call *call, const tacit__runner_value *order,
                                 const tacit__sheet_column *column, tacit_strview text,
                                 tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(call, order, err,
                             "column %.64s has %s which `order` does not name; leave "
                             "such values where they are with `others: keep`",
                             column->name, shown.text);
}

/* The rank of each code: its place in the order that is given, or among the sorted. */
static tacit_status rank_codes(uint32_t *ranks, const named *names, uint32_t count,
                               const tacit__ordering *ordering, const tacit__sheet_column *column,
                               const tacit__runner_call *call, tacit_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *rank = &ranks[names[i].code];
        *rank = i;
        if (!ordering->order->given)
            continue;
        *rank = UINT32_MAX;
        for (size_t j = 0; j < ordering->order->text_count && *rank == UINT32_MAX; j++)
            if (tacit_strview_equal(tacit_strview_of(ordering->order->texts[j]), names[i].text))
                *rank = (uint32_t)j;
        if (*rank == UINT32_MAX && !ordering->keep_others)
            return not_in_order(call, ordering->order, column, names[i].text, err);
    }
    return TACIT_OK;
}

static tacit_status category_keys(tacit__numeric_ranked *list, int64_t *count,
                                  const tacit__sheet *sheet, int32_t index,
                                  const tacit__ordering *ordering, const tacit__runner_call *call,
                                  tacit_error *err)
{
    tacit__categories categories;
    tacit__arena arena = {0};
    const tacit__sheet_column *column = &sheet->columns[index];
    tacit_status status = tacit__categories_init(&categories, sheet, index, err);
    if (status != TACIT_OK)
        return status;
    named *names = tacit__alloc_array(categories.count, sizeof *names);
    uint32_t *ranks = tacit__alloc_array((size_t)categories.count + 1, sizeof *ranks);
    if (!names || !ranks || !name_codes(names, &categories, sheet, column, &arena))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = rank_codes(ranks, names, categories.count, ordering, column, call, err);
    if (status == TACIT_OK) {
        ranks[categories.count] = UINT32_MAX; /* empty */
        *count = 0;
        for (int64_t row = 0; row < sheet->rows; row++)
            if (ranks[categories.codes[row]] != UINT32_MAX)
                list[(*count)++] =
                    (tacit__numeric_ranked){ranks[categories.codes[row]], (uint32_t)row};
    }
    tacit__free(names);
    tacit__free(ranks);
    tacit__arena_clear(&arena);
    tacit__categories_clear(&categories);
    return status;
}

tacit_status tacit__rank_keys(tacit__numeric_ranked *list, int64_t *count,
                              const tacit__sheet *sheet, int32_t column,
                              const tacit__ordering *ordering, const tacit__runner_call *call,
                              tacit_error *err)
{
    if (ordering->by_text || ordering->order->given)
        return category_keys(list, count, sheet, column, ordering, call, err);
    *count = number_keys(list, sheet, &sheet->columns[column]);
    return TACIT_OK;
}
