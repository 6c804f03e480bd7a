/*
 * patterns.c - rows folded into patterns, patterns put into groups.
 *
 * Rows are put together by sorting (rows/rows.c), which numbers them in the order of
 * their codes; that order is kept within each group, so a stretch of patterns that
 * have the same first columns is found by bisection.
 *
 * Cost: a sort of the rows, 4 bytes a row and 24 a pattern, 52 while they are made
 * (8 and 16 more for every 64 bits of codes beyond the first); groups are sorted by what they have
 * "*" in, which takes 32 bytes for a pattern that has any.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"

enum { WORD_BITS = 64, PATTERN_CHUNK = 512 };

/* ---- columns and their places ---- */

typedef struct candidate {
    int32_t column; /* of those asked for */
    uint32_t star;
    double cost; /* of standing first */
} candidate;

static int64_t count_code(const tacit_table *table, int32_t column, uint32_t code)
{
    int64_t count = 0, rows = code == UINT32_MAX ? 0 : tacit_table_rows(table);
    uint32_t codes[PATTERN_CHUNK];
    for (int64_t row = 0; row < rows; row += PATTERN_CHUNK) {
        int64_t here = rows - row < PATTERN_CHUNK ? rows - row : PATTERN_CHUNK;
        tacit__codes_load(codes, tacit_table_codes(table, column), row, here);
        for (int64_t i = 0; i < here; i++)
            count += codes[i] == code;
    }
    return count;
}

/* A pattern with "*" in the first place looks at all others, one that has a value there only
 * at those that share it. So one column goes before another where its stars / (1 -
 * 1 / values) are fewer. */
static double cost_of(const tacit_table *table, int32_t column, uint32_t star)
{
    double values = (double)tacit__code_max(table, column) + 1;
    return values > 1 ? (double)count_code(table, column, star) * values / (values - 1) : INFINITY;
}

static int by_cost(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* The places, and the table's columns in their order. */
static void order_columns(tacit__patterns *p, int32_t *ordered, const tacit_table *table,
                          const int32_t *columns)
{
    candidate all[TACIT__MAX_AMBIGUOUS];
    for (int32_t i = 0; i < p->columns; i++) {
        uint32_t star = tacit__suppressed_code(table, columns[i]);
        all[i] = (candidate){i, star, cost_of(table, columns[i], star)};
    }
    qsort(all, (size_t)p->columns, sizeof *all, by_cost);
    for (int32_t place = 0; place < p->columns; place++) {
        p->column[place] = all[place].column;
        p->star[place] = all[place].star;
        ordered[place] = columns[all[place].column];
    }
}

/* Fields from the highest bits down, none in two words; then each word is moved down to
 * its lowest bits, so that sorting has fewer of them. */
static void lay_out(tacit__patterns *p, const tacit_table *table, const int32_t *ordered)
{
    int left = WORD_BITS;
    p->words = 1;
    for (int32_t place = 0; place < p->columns; place++) {
        int bits = tacit__bits_for(tacit__code_max(table, ordered[place]));
        if (bits > left) {
            p->words++;
            left = WORD_BITS;
        }
        left -= bits;
        p->field[place] = (tacit__field){p->words - 1, bits ? left : 0, (UINT64_C(1) << bits) - 1};
        p->bits[p->words - 1] = WORD_BITS - left;
    }
    for (int32_t place = 0; place < p->columns; place++)
        if (p->field[place].mask)
            p->field[place].shift -= WORD_BITS - p->bits[p->field[place].word];
}

/* ---- patterns ---- */

typedef struct folding {
    tacit__patterns *p;
    const tacit_table *table;
    int32_t ordered[TACIT__MAX_AMBIGUOUS];
    tacit__partition classes;
    uint64_t *codes;       /* class by class, as they will be in patterns */
    tacit__sorter starred; /* stars, class */
    int64_t plain;         /* classes without "*" */
    uint32_t *pattern_of;  /* class -> pattern */
} folding;

/* The codes of classes that have their first row in a chunk of rows, which is read column by
 * column. */
static void read_chunk(const folding *f, int64_t row, int64_t count)
{
    const tacit__patterns *p = f->p;
    int64_t rows[PATTERN_CHUNK], firsts = 0;
    uint32_t codes[PATTERN_CHUNK];
    for (int64_t i = 0; i < count; i++)
        if (f->classes.first[f->classes.class_of[row + i]] == row + i)
            rows[firsts++] = i;
    for (int32_t place = 0; place < p->columns; place++) {
        const tacit__field *field = &p->field[place];
        tacit__codes_load(codes, tacit_table_codes(f->table, f->ordered[place]), row, count);
        for (int64_t i = 0; i < firsts; i++) {
            int64_t class_index = f->classes.class_of[row + rows[i]];
            f->codes[class_index * p->words + field->word] |= (uint64_t)codes[rows[i]]
                                                              << field->shift;
        }
    }
}

static tacit_status read_codes(folding *f, tacit_error *err)
{
    const tacit__patterns *p = f->p;
    f->codes = tacit__alloc_zeroed((size_t)f->classes.count, (size_t)p->words * sizeof *f->codes);
    if (!f->codes)
        return tacit__nomem(err);
    for (int64_t row = 0; row < p->row_count; row += PATTERN_CHUNK)
        read_chunk(f, row, p->row_count - row < PATTERN_CHUNK ? p->row_count - row : PATTERN_CHUNK);
    return TACIT_OK;
}

static uint64_t stars_of(const folding *f, int64_t class_index)
{
    const tacit__patterns *p = f->p;
    const uint64_t *codes = f->codes + class_index * p->words;
    uint64_t stars = 0;
    for (int32_t i = 0; i < p->columns; i++) {
        const tacit__field *field = &p->field[i];
        stars |= (uint64_t)((codes[field->word] >> field->shift & field->mask) == p->star[i]) << i;
    }
    return stars;
}

/* Patterns without "*" first, in their order; the others by what is "*" in them. */
static tacit_status sequence(folding *f, const tacit_run *run, tacit_error *err)
{
    int64_t count = f->classes.count, at = 0;
    for (int64_t i = 0; i < count; i++)
        f->plain += stars_of(f, i) == 0;
    tacit_status status =
        tacit__sorter_init(&f->starred, count - f->plain, f->p->columns, true, err);
    f->pattern_of = tacit__alloc_array((size_t)count, sizeof *f->pattern_of);
    if (status != TACIT_OK || !f->pattern_of)
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++) {
        uint64_t stars = stars_of(f, i);
        if (!stars) {
            f->pattern_of[i] = (uint32_t)(i - at);
            continue;
        }
        tacit__sorter_put(&f->starred, at, stars);
        f->starred.values[at++] = (uint64_t)i;
    }
    status = tacit__sorter_sort(&f->starred, run, err);
    for (int64_t i = 0; i < f->starred.count; i++)
        f->pattern_of[f->starred.values[i]] = (uint32_t)(f->plain + i);
    return status;
}

static tacit_status fill(folding *f, tacit_error *err)
{
    tacit__patterns *p = f->p;
    size_t size = (size_t)p->words * sizeof *p->codes;
    p->count = f->classes.count;
    p->codes = tacit__alloc_array((size_t)p->count, size);
    p->rows = tacit__alloc_array((size_t)p->count, sizeof *p->rows);
    if (!p->codes || !p->rows)
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->count; i++) {
        p->rows[f->pattern_of[i]] = f->classes.sizes[i];
        memcpy(p->codes + (int64_t)f->pattern_of[i] * p->words, f->codes + i * p->words, size);
    }
    p->of_row = f->classes.class_of;
    f->classes.class_of = NULL;
    for (int64_t row = 0; row < p->row_count; row++)
        p->of_row[row] = f->pattern_of[p->of_row[row]];
    return TACIT_OK;
}

/* ---- groups ---- */

static void describe_group(tacit__patterns *p, int64_t g)
{
    uint64_t stars = p->groups[g].stars;
    int32_t first = stars ? __builtin_ctzll(stars) : p->columns;
    for (int32_t c = 0; c < p->columns; c++) {
        const tacit__field *field = &p->field[c];
        uint64_t bits = field->mask << field->shift;
        if (stars >> c & 1)
            p->covers[g * p->words + field->word] |= bits;
        if (c < first)
            p->before[g * p->words + field->word] |= bits;
    }
}

static tacit_status make_groups(folding *f, tacit_error *err)
{
    tacit__patterns *p = f->p;
    int64_t most = (f->plain > 0) + tacit__sorter_distinct(&f->starred);
    p->groups = tacit__alloc_array((size_t)most, sizeof *p->groups);
    p->covers = tacit__alloc_zeroed((size_t)most, (size_t)p->words * sizeof *p->covers);
    p->before = tacit__alloc_zeroed((size_t)most, (size_t)p->words * sizeof *p->before);
    if (!p->groups || !p->covers || !p->before)
        return tacit__nomem(err);
    if (f->plain)
        p->groups[p->group_count++] = (tacit__pattern_group){0, 0, f->plain};
    for (int64_t i = 0; i < f->starred.count; i++) {
        uint64_t stars = tacit__sorter_key(&f->starred, i);
        if (i == 0 || stars != tacit__sorter_key(&f->starred, i - 1))
            p->groups[p->group_count++] = (tacit__pattern_group){stars, f->plain + i, f->plain + i};
        p->groups[p->group_count - 1].to++;
    }
    for (int64_t g = 0; g < p->group_count; g++)
        describe_group(p, g);
    return TACIT_OK;
}

tacit_status tacit__patterns_init(tacit__patterns *patterns, const tacit_table *table,
                                  const int32_t *columns, int32_t count, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__patterns made = {.columns = count, .row_count = tacit_table_rows(table)};
    folding f = {.p = &made, .table = table};
    order_columns(&made, f.ordered, table, columns);
    lay_out(&made, table, f.ordered);
    tacit_status status = tacit__partition_init(&f.classes, table, f.ordered, count, run, err);
    if (status == TACIT_OK)
        status = read_codes(&f, err);
    if (status == TACIT_OK)
        status = sequence(&f, run, err);
    if (status == TACIT_OK)
        status = fill(&f, err);
    if (status == TACIT_OK)
        status = make_groups(&f, err);
    tacit__partition_clear(&f.classes);
    tacit__sorter_clear(&f.starred);
    tacit__free(f.codes);
    tacit__free(f.pattern_of);
    if (status == TACIT_OK)
        *patterns = made;
    else
        tacit__patterns_clear(&made);
    return status;
}

void tacit__patterns_clear(tacit__patterns *patterns)
{
    tacit__free(patterns->codes);
    tacit__free(patterns->rows);
    tacit__free(patterns->of_row);
    tacit__free(patterns->groups);
    tacit__free(patterns->covers);
    tacit__free(patterns->before);
    *patterns = (tacit__patterns){0};
}

/* ---- questions ---- */

int64_t tacit__first_starred(const tacit__patterns *p)
{
    return p->group_count > 0 && p->groups[0].stars == 0 ? p->groups[0].to : 0;
}

int64_t tacit__group_of(const tacit__patterns *p, int64_t pattern)
{
    int64_t from = 0, to = p->group_count;
    while (to - from > 1) {
        int64_t middle = from + (to - from) / 2;
        if (p->groups[middle].from <= pattern)
            from = middle;
        else
            to = middle;
    }
    return from;
}

uint64_t tacit__by_column(const tacit__patterns *p, uint64_t places)
{
    uint64_t columns = 0;
    for (; places; places &= places - 1)
        columns |= UINT64_C(1) << p->column[__builtin_ctzll(places)];
    return columns;
}

/* -1, 0 or 1 as pattern a is less than, like or more than b in some bits. */
static int compare_patterns(const tacit__patterns *p, int64_t a, int64_t b, const uint64_t *keep)
{
    const uint64_t *x = tacit__pattern(p, a), *y = tacit__pattern(p, b);
    for (int w = 0; w < p->words; w++) {
        uint64_t left = x[w] & keep[w], right = y[w] & keep[w];
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* The first of some patterns that is not below a pattern, or, `behind`, is above it. */
static int64_t bisect(const tacit__patterns *p, int64_t pattern, const uint64_t *keep,
                      tacit__ambiguity_stretch in, bool behind)
{
    while (in.from < in.to) {
        int64_t middle = in.from + (in.to - in.from) / 2;
        int order = compare_patterns(p, middle, pattern, keep);
        if (order < 0 || (behind && order == 0))
            in.from = middle + 1;
        else
            in.to = middle;
    }
    return in.from;
}

tacit__ambiguity_stretch tacit__near(const tacit__patterns *p, int64_t pattern, int64_t g,
                                     int64_t h)
{
    enum { FEW = 16 }; /* looked through sooner than bisected */
    tacit__ambiguity_stretch all = {p->groups[h].from, p->groups[h].to};
    if (all.to - all.from <= FEW)
        return all;
    uint64_t keep[TACIT__MAX_AMBIGUOUS];
    for (int w = 0; w < p->words; w++)
        keep[w] = p->before[g * p->words + w] & ~p->covers[h * p->words + w];
    all.from = bisect(p, pattern, keep, all, false);
    all.to = bisect(p, pattern, keep, all, true);
    return all;
}

/* The same for patterns of one word, which most are. */
static int64_t next_word(const uint64_t *codes, uint64_t code, uint64_t keep,
                         tacit__ambiguity_stretch s)
{
    while (s.from < s.to && (codes[s.from] ^ code) & keep)
        s.from++;
    return s.from;
}

int64_t tacit__next_alike(const tacit__patterns *p, int64_t pattern, const uint64_t *keep,
                          tacit__ambiguity_stretch stretch)
{
    if (p->words == 1)
        return next_word(p->codes, p->codes[pattern], keep[0], stretch);
    while (stretch.from < stretch.to && compare_patterns(p, stretch.from, pattern, keep) != 0)
        stretch.from++;
    return stretch.from;
}

/* The patterns of a group by some of their bits, to be found by others.
 *
 * The patterns are sorted by those bits, the last word first, since sorting is stable; every
 * different combination is kept once, and found by bisection.
 *
 * Cost: a sort of the group for every word of a pattern; 12 bytes a pattern (8 more for every word
 * beyond the first), 32 while sorting. */

static int compare_keys(const tacit__ambiguity_keyed *keyed, int64_t key, const uint64_t *codes)
{
    const uint64_t *known = keyed->keys + key * keyed->words;
    for (int w = 0; w < keyed->words; w++) {
        uint64_t code = codes[w] & keyed->keep[w];
        if (known[w] != code)
            return known[w] < code ? -1 : 1;
    }
    return 0;
}

/* The order of the group's patterns, from 0, by their keys. */
static tacit_status sort_group(tacit__sorter *sorter, const tacit__ambiguity_keyed *keyed,
                               const tacit__patterns *p, const tacit__pattern_group *group,
                               tacit_error *err)
{
    int bits = 0;
    for (int w = 0; w < p->words; w++)
        bits = p->bits[w] > bits ? p->bits[w] : bits;
    tacit_status status = tacit__sorter_init(sorter, tacit__group_size(group), bits, true, err);
    for (int64_t i = 0; status == TACIT_OK && i < sorter->count; i++)
        sorter->values[i] = (uint64_t)i;
    for (int w = p->words - 1; w >= 0 && status == TACIT_OK; w--) {
        for (int64_t i = 0; i < sorter->count; i++) {
            int64_t pattern = group->from + (int64_t)sorter->values[i];
            tacit__sorter_put(sorter, i, tacit__pattern(p, pattern)[w] & keyed->keep[w]);
        }
        status = tacit__sorter_sort(sorter, NULL, err); /* one of several tasks: alone */
    }
    return status;
}

static void number_keys(tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                        const tacit__pattern_group *group, const tacit__sorter *sorter)
{
    for (int64_t i = 0; i < sorter->count; i++) {
        const uint64_t *codes = tacit__pattern(p, group->from + (int64_t)sorter->values[i]);
        if (i == 0 || compare_keys(keyed, keyed->count - 1, codes) != 0) {
            for (int w = 0; w < keyed->words; w++)
                keyed->keys[keyed->count * keyed->words + w] = codes[w] & keyed->keep[w];
            keyed->count++;
        }
        keyed->key_of[sorter->values[i]] = (uint32_t)(keyed->count - 1);
    }
}

tacit_status tacit__keyed_init(tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                               const tacit__pattern_group *group, const uint64_t *keep,
                               tacit_error *err)
{
    tacit__sorter sorter = {0};
    size_t size = (size_t)tacit__group_size(group);
    tacit__ambiguity_keyed made = {.words = p->words};
    for (int w = 0; w < p->words; w++)
        made.keep[w] = keep[w];
    made.keys = tacit__alloc_array(size, (size_t)p->words * sizeof *made.keys);
    made.key_of = tacit__alloc_array(size, sizeof *made.key_of);
    tacit_status status = made.keys && made.key_of ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = sort_group(&sorter, &made, p, group, err);
    if (status == TACIT_OK)
        number_keys(&made, p, group, &sorter);
    tacit__sorter_clear(&sorter);
    if (status == TACIT_OK)
        *keyed = made;
    else
        tacit__keyed_clear(&made);
    return status;
}

void tacit__keyed_clear(tacit__ambiguity_keyed *keyed)
{
    tacit__free(keyed->keys);
    tacit__free(keyed->key_of);
    *keyed = (tacit__ambiguity_keyed){0};
}

int64_t tacit__keyed_find(const tacit__ambiguity_keyed *keyed, const tacit__patterns *p,
                          int64_t pattern)
{
    const uint64_t *codes = tacit__pattern(p, pattern);
    int64_t from = 0, to = keyed->count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        int order = compare_keys(keyed, middle, codes);
        if (order == 0)
            return middle;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}
