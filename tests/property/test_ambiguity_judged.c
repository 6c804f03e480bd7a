/*
 * test_ambiguity_judged.c - what the judge says of ambiguity against definitions, on
 * thousands of random tables with blanks.
 *
 * The other side works on text alone. Alpha is counted by comparing every row with
 * every other, and who fits what by comparing every row of the original with every row. A value is
 * excluded for a blank by writing it into the cell and counting every alpha again. A dependency is
 * hidden where some two rows, among all pairs, may agree and differ. Originals have "*" and missing
 * cells of their own, columns are generalized now and then, and rows correspond to the original's,
 * or do not, or there is no original.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_case.h"
#include "random_cases.h"

#define KIND(k) (1u << TACIT_FINDING_##k)

enum {
    MAX_ROWS = 700,
    MAX_COLUMNS = 24,
    CELL = 5,
    CASES = 6000,
    BIG_CASES = 100,
    SCATTERED_CASES = 4
};

/* How a world is made: as it comes, of large groups, or with blanks of its own in every row. */
typedef enum scale { SMALL, BIG, SCATTERED } scale;

typedef char cell[CELL];

typedef struct world {
    uint64_t random;
    int rows, columns, values; /* values a column */
    bool random_level;         /* of masked columns; otherwise 1 throughout */
    bool with_original, ordered, masked[MAX_COLUMNS];
    bool big; /* too big to try every value of every blank */
    bool scattered;
    uint64_t few_masks[3]; /* of blanks: in big worlds rows have one of these */
    tacit_promise promise;
    cell original[MAX_ROWS][MAX_COLUMNS + 1]; /* the last is carried along */
    cell release[MAX_ROWS][MAX_COLUMNS + 1];
    uint32_t order[MAX_ROWS];
    char original_csv[MAX_ROWS * (MAX_COLUMNS + 1) * CELL + 256];
    char release_csv[MAX_ROWS * (MAX_COLUMNS + 1) * CELL + 256];
    int64_t alpha[MAX_ROWS];
    uint64_t blanks[MAX_ROWS], revealed[MAX_ROWS];
    int64_t narrowed, removable;
    bool kept_both;
    tacit_promise_dependency hidden;
    const char *left[MAX_COLUMNS];
    int left_columns[MAX_COLUMNS], right;
} world;

static char names[MAX_COLUMNS + 1][4];

static uint32_t draw(world *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)(w->random >> 33) % below;
}

/* As strcmp would say, without a call: texts of a few characters are compared most of the time. */
static inline bool same(const char *a, const char *b)
{
    while (*a == *b && *a) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline bool star(const char *text)
{
    return text[0] == '*' && text[1] == 0;
}

/* ---- making worlds ---- */

static void random_value(world *w, char *out, bool odd)
{
    uint32_t value = draw(w, (uint32_t)w->values);
    if (odd && draw(w, 12) == 0)
        strcpy(out, draw(w, 2) ? "*" : "");
    else
        sprintf(out, "%u%u", value / 2 % 10, value % 2 + 2 * (value / 20));
}

static void make_original(world *w)
{
    bool odd = draw(w, 3) == 0;
    for (int i = 0; i < w->rows; i++) {
        bool copied = i > 0 && (w->columns > 8 ? draw(w, 20) > 0 : draw(w, 3) == 0);
        int from = copied ? (int)draw(w, (uint32_t)i) : 0;
        for (int c = 0; c <= w->columns; c++) {
            if (copied && draw(w, w->columns > 8 ? 40 : 8))
                memcpy(w->original[i][c], w->original[from][c], CELL);
            else
                random_value(w, w->original[i][c], odd);
        }
    }
}

/* The original with blanks, in another order where that is known. */
static void make_release(world *w)
{
    uint32_t blanks = draw(w, 5) ? 1 + draw(w, 4) : 0;
    for (int i = 0; i < w->rows; i++)
        w->order[i] = (uint32_t)i;
    for (int i = w->rows - 1; i > 0 && w->ordered; i--) {
        uint32_t j = draw(w, (uint32_t)i + 1), kept = w->order[i];
        w->order[i] = w->order[j];
        w->order[j] = kept;
    }
    for (int i = 0; i < w->rows; i++) {
        memcpy(w->release[i], w->original[w->order[i]], sizeof w->release[i]);
        uint32_t here = w->scattered ? 1 : draw(w, 3) ? 0 : blanks;
        uint64_t mask = w->big ? w->few_masks[draw(w, 3)] : 0;
        for (int c = 0; c < w->columns; c++) {
            char *text = w->release[i][c];
            if (w->masked[c] && !star(text) && text[0] && (w->random_level ? draw(w, 2) : 1))
                text[1] = '*';
            if (w->big ? mask >> c & 1 : draw(w, 6) < here)
                strcpy(text, "*");
        }
    }
}

static void print_csv(const world *w, char *out, cell (*rows)[MAX_COLUMNS + 1])
{
    for (int c = 0; c <= w->columns; c++)
        out += sprintf(out, "%s%s", names[c], c < w->columns ? "," : "\n");
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c <= w->columns; c++)
            out += sprintf(out, "%s%s", rows[i][c][0] || w->columns ? rows[i][c] : "\"\"",
                           c < w->columns ? "," : "\n");
}

static void make_promise(world *w)
{
    w->promise.k = 1 + draw(w, 4);
    w->promise.ambiguous = draw(w, 8) > 0;
    w->promise.mean_alpha = w->promise.ambiguous && draw(w, 4) == 0;
    w->promise.both_ways = w->promise.ambiguous && !w->promise.mean_alpha && draw(w, 2);
    w->promise.resists_minimality = w->promise.ambiguous && draw(w, 2);
    w->promise.max_row_blanks = draw(w, 2) ? (int32_t)draw(w, 4) : 0;
    w->promise.most_column_blanks = draw(w, 2) ? draw(w, (uint32_t)w->rows + 1) : 0;
    w->right = (int)draw(w, (uint32_t)w->columns + 1);
    for (int c = 0; c <= w->columns; c++)
        if (c != w->right && draw(w, 2)) {
            w->left_columns[w->hidden.left_count] = c;
            w->left[w->hidden.left_count++] = names[c];
        }
    w->hidden.left = w->left;
    w->hidden.right = names[w->right];
    w->promise.hidden = &w->hidden;
    w->promise.hidden_count = 1;
}

static void make_world(world *w, uint64_t seed, scale size)
{
    bool big = size == BIG;
    memset(w, 0, sizeof *w);
    w->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < 8; i++)
        draw(w, 2);
    bool wide = draw(w, 6) == 0 || size == SCATTERED;
    w->columns = wide ? 18 + (int)draw(w, 7) : 1 + (int)draw(w, big ? 5 : 4);
    w->rows = big ? 300 + (int)draw(w, 400) : (int)draw(w, draw(w, 10) ? 9 : 50);
    w->values = wide ? 20 : big ? 2 + (int)draw(w, 18) : 2 + (int)draw(w, 4);
    w->big = big;
    w->scattered = size == SCATTERED;
    if (w->scattered)
        w->rows = 80 + (int)draw(w, 20);
    bool even = draw(w, 4) > 0; /* no column without blanks, so that none cuts the work short */
    for (int i = 0; i < 3; i++)
        w->few_masks[i] = even ? UINT64_C(0x249249) << i : draw(w, 1u << w->columns);
    w->with_original = draw(w, 3) > 0;
    w->ordered = w->with_original && draw(w, 3) > 0;
    w->random_level = draw(w, 3) == 0;
    for (int c = 0; c < w->columns; c++)
        w->masked[c] = draw(w, 5) == 0;
    make_original(w);
    make_release(w);
    make_promise(w);
    if (w->scattered)
        w->promise.k = 1 + draw(w, 2);
    print_csv(w, w->original_csv, w->original);
    print_csv(w, w->release_csv, w->release);
}

/* ---- the definitions ---- */

static inline bool agree(const char *a, const char *b)
{
    return star(a) || star(b) || same(a, b);
}

static bool rows_agree(const world *w, int i, int j)
{
    for (int c = 0; c < w->columns; c++)
        if (!agree(w->release[i][c], w->release[j][c]))
            return false;
    return true;
}

static void count_alpha(const world *w, int64_t *alpha)
{
    for (int i = 0; i < w->rows; i++) {
        alpha[i] = 0;
        for (int j = 0; j < w->rows; j++)
            alpha[i] += rows_agree(w, i, j);
    }
}

/* Whether alpha is as promised. */
static bool kept(const world *w, const int64_t *alpha)
{
    int64_t sum = 0, least = INT64_MAX;
    for (int i = 0; i < w->rows; i++) {
        sum += alpha[i];
        least = alpha[i] < least ? alpha[i] : least;
    }
    return w->promise.mean_alpha ? sum >= w->promise.k * w->rows : least >= w->promise.k;
}

/* ---- both ways ---- */

static int level_of(world *w, int c);
static const char *on_level(world *w, int row, int c, int level);

/* Whether a person of the original fits a released row: what it shows is his. */
static bool person_fits(world *w, const int *levels, int person, int row)
{
    for (int c = 0; c < w->columns; c++) {
        const char *shown = w->release[row][c];
        if (!star(shown) &&
            (star(w->original[person][c]) || !same(shown, on_level(w, person, c, levels[c]))))
            return false;
    }
    return true;
}

/* Whether the person behind a released row fits another one, whatever "*" hides. */
static bool sure_fits(const world *w, int person, int row)
{
    for (int c = 0; c < w->columns && person != row; c++)
        if (!star(w->release[row][c]) && !same(w->release[person][c], w->release[row][c]))
            return false;
    return true;
}

static int64_t sure_rows(const world *w, int person, int without)
{
    int64_t rows = 0;
    for (int j = 0; j < w->rows; j++)
        rows += j != without && sure_fits(w, person, j);
    return rows;
}

static int64_t sure_people(const world *w, int row)
{
    int64_t people = 0;
    for (int j = 0; j < w->rows; j++)
        people += sure_fits(w, j, row);
    return people;
}

/* Whether a value in the place of a blank keeps k both ways whatever other blanks hide. */
static bool could_be_surely(world *w, int row, int column, const char *value)
{
    bool kept = true;
    for (int j = 0; j < w->rows && kept; j++) {
        bool may_lose = j != row && rows_agree(w, j, row) &&
                        (star(w->release[j][column]) || !same(w->release[j][column], value));
        kept = !may_lose || sure_rows(w, j, row) >= w->promise.k;
    }
    strcpy(w->release[row][column], value);
    kept = kept && sure_people(w, row) >= w->promise.k;
    strcpy(w->release[row][column], "*");
    return kept;
}

/* Whether a cell could be filled with a value. */
static bool could_be(world *w, int row, int column, const char *value)
{
    int64_t alpha[MAX_ROWS];
    if (w->promise.both_ways)
        return w->kept_both && could_be_surely(w, row, column, value);
    strcpy(w->release[row][column], value);
    count_alpha(w, alpha);
    strcpy(w->release[row][column], "*");
    return kept(w, alpha);
}

static bool among(cell (*rows)[MAX_COLUMNS + 1], int column, const char *value, int before)
{
    for (int i = 0; i < before; i++)
        if (same(rows[i][column], value))
            return true;
    return false;
}

/* What a cell of the original is on a level: 0, or 1 where its last digit is masked. */
static const char *on_level(world *w, int row, int c, int level)
{
    static cell text;
    memcpy(text, w->original[row][c], CELL);
    if (level && text[0])
        strcpy(text + 1, "*"); /* "*" itself becomes "**" */
    return text;
}

static bool has_on_level(world *w, int c, int level, const char *value, int before)
{
    for (int i = 0; i < before; i++)
        if (same(on_level(w, i, c, level), value))
            return true;
    return false;
}

/* The level that all released values are on, or -1. */
static int level_of(world *w, int c)
{
    for (int level = 0; level <= w->masked[c] && w->with_original; level++) {
        bool all = true;
        for (int i = 0; i < w->rows; i++)
            all &= star(w->release[i][c]) || has_on_level(w, c, level, w->release[i][c], w->rows);
        if (all)
            return level;
    }
    return -1;
}

static bool is_blank(world *w, int row, int c)
{
    if (!star(w->release[row][c]))
        return false;
    if (!w->with_original)
        return true;
    return w->ordered ? !star(w->original[w->order[row]][c]) : !among(w->original, c, "*", w->rows);
}

/* The value of a row that an adversary thinks of, and whether a row before has it too. */
static bool new_value(world *w, char *value, int row, int c, int level)
{
    strcpy(value, level < 0 ? w->release[row][c] : on_level(w, row, c, level));
    return !star(value) &&
           !(level < 0 ? among(w->release, c, value, row) : has_on_level(w, c, level, value, row));
}

static void attack_cell(world *w, int row, int c)
{
    int level = level_of(w, c), left = 0, values = 0;
    cell value;
    for (int i = 0; i < w->rows; i++) {
        if (!new_value(w, value, i, c, level))
            continue;
        values++;
        left += !could_be(w, row, c, value);
    }
    if (left == 1 && values > 1)
        w->revealed[row] |= UINT64_C(1) << c;
    w->narrowed += left > 1 && left < values;
    bool own = level >= 0 && w->ordered;
    if (own)
        strcpy(value, on_level(w, (int)w->order[row], c, level));
    w->removable += own ? could_be(w, row, c, value) : left == 0 && kept(w, w->alpha);
}

static void attack(world *w)
{
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < w->columns; c++)
            if (w->blanks[i] >> c & 1)
                attack_cell(w, i, c);
}

static bool is_hidden(const world *w)
{
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < i; j++) {
            const char *one = w->release[i][w->right], *other = w->release[j][w->right];
            bool pair = star(one) || star(other) || !same(one, other);
            for (int l = 0; l < w->hidden.left_count && pair; l++)
                pair = agree(w->release[i][w->left_columns[l]], w->release[j][w->left_columns[l]]);
            if (pair)
                return true;
        }
    return w->rows == 0;
}

static bool within_limits(const world *w)
{
    int64_t columns[MAX_COLUMNS] = {0};
    bool within = true;
    for (int i = 0; i < w->rows; i++) {
        within &= !w->promise.max_row_blanks ||
                  __builtin_popcountll(w->blanks[i]) <= w->promise.max_row_blanks;
        for (int c = 0; c < w->columns; c++)
            columns[c] += w->blanks[i] >> c & 1;
    }
    for (int c = 0; c < w->columns; c++)
        within &= !w->promise.most_column_blanks || columns[c] <= w->promise.most_column_blanks;
    return within;
}

/* ---- the comparison ---- */

static tacit_verdict *judge(const world *w)
{
    audit_case c = {.promise = w->promise};
    for (int i = 0; i < w->columns; i++)
        case_attribute(&c, names[i], w->masked[i] ? &CASE_MASK : &CASE_NONE);
    c.original = w->with_original ? w->original_csv : NULL;
    c.release = w->release_csv;
    c.order = w->ordered ? w->order : NULL;
    return case_judge(&c);
}

static void compare_alpha(const world *w, const tacit_alpha_verdict *v)
{
    int64_t sum = 0, least = 0, below = 0;
    for (int i = 0; i < w->rows; i++) {
        sum += w->alpha[i];
        least = i == 0 || w->alpha[i] < least ? w->alpha[i] : least;
        below += w->alpha[i] < w->promise.k;
    }
    assert_true(v->checked);
    assert_int_equal(v->least, least);
    assert_int_equal(v->rows_below, below);
    assert_true(v->mean == (w->rows ? (double)sum / w->rows : 0));
}

static void compare_blanks(const world *w, const tacit_alpha_verdict *v)
{
    int64_t blanks = 0, rows = 0;
    for (int i = 0; i < w->rows; i++) {
        blanks += __builtin_popcountll(w->blanks[i]);
        rows += w->blanks[i] != 0;
    }
    assert_int_equal(v->blanks, blanks);
    assert_int_equal(v->rows_blanked, rows);
}

static void compare_attack(const world *w, const tacit_minimality_verdict *v)
{
    int64_t at = 0;
    assert_true(v->checked);
    assert_int_equal(v->cell_count, v->revealed);
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < w->columns; c++)
            if (w->revealed[i] >> c & 1) {
                assert_true(at < v->cell_count);
                assert_int_equal(v->cells[at].row, i + 1);
                assert_int_equal(v->cells[at++].attribute, c);
            }
    assert_int_equal(at, v->revealed);
    assert_int_equal(v->narrowed, w->narrowed);
    assert_int_equal(v->removable, w->removable);
}

/* Counts who fits what, and compares; whether all is as promised, as far as anybody can tell. */
static bool compare_fits(world *w, const tacit_fits_verdict *v)
{
    int levels[MAX_COLUMNS];
    int64_t people_least = 0, rows_least = 0, rows_below = 0, people_below = 0, one = 0;
    bool exact = w->with_original;
    for (int c = 0; c < w->columns; c++) {
        levels[c] = level_of(w, c);
        exact &= levels[c] >= 0;
    }
    assert_int_equal(v->exact, exact);
    assert_int_equal(v->checked, w->promise.both_ways);
    for (int i = 0; i < w->rows && exact; i++) {
        int64_t people = 0, rows = 0;
        for (int j = 0; j < w->rows; j++) {
            people += person_fits(w, levels, j, i);
            rows += person_fits(w, levels, i, j);
        }
        people_least = i == 0 || people < people_least ? people : people_least;
        rows_least = i == 0 || rows < rows_least ? rows : rows_least;
        rows_below += people < w->promise.k;
        people_below += rows < w->promise.k;
        one += rows == 1;
    }
    assert_int_equal(v->least_people, people_least);
    assert_int_equal(v->least_rows, rows_least);
    assert_int_equal(v->rows_below, rows_below);
    assert_int_equal(v->people_below, people_below);
    assert_int_equal(v->people_with_one, one);
    return rows_below == 0 && people_below == 0;
}

static void compare_sure(const world *w, const tacit_fits_verdict *v)
{
    int64_t rows = 0, people = 0;
    for (int i = 0; i < w->rows; i++) {
        rows += sure_people(w, i) >= w->promise.k;
        people += sure_rows(w, i, -1) >= w->promise.k;
    }
    assert_int_equal(v->rows_sure, rows);
    assert_int_equal(v->people_sure, people);
}

static void judge_world(world *w)
{
    const tacit_promise *promise = &w->promise;
    tacit_verdict *v = judge(w);
    unsigned kinds = 0;
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < w->columns; c++)
            w->blanks[i] |= (uint64_t)is_blank(w, i, c) << c;
    if (promise->ambiguous) {
        count_alpha(w, w->alpha);
        compare_alpha(w, &v->alpha);
        kinds |= kept(w, w->alpha) ? 0 : KIND(ALPHA);
        w->kept_both = compare_fits(w, &v->fits) && kept(w, w->alpha);
    }
    if (promise->both_ways) {
        compare_sure(w, &v->fits);
        bool broken = v->fits.rows_below > 0 || v->fits.people_below > 0;
        kinds |= broken || (w->with_original && !v->fits.exact) ? KIND(FITS) : 0;
    }
    if (promise->ambiguous || promise->max_row_blanks || promise->most_column_blanks)
        compare_blanks(w, &v->alpha);
    if (promise->ambiguous && !w->big) {
        attack(w);
        compare_attack(w, &v->minimality);
    }
    if (promise->resists_minimality && v->minimality.revealed)
        kinds |= KIND(REVEALED);
    kinds |= is_hidden(w) ? 0 : KIND(DEPENDENCY);
    kinds |= within_limits(w) ? 0 : KIND(LIMIT);
    unsigned classes = promise->ambiguous ? 0 : KIND(K) | KIND(SUPPRESSED);
    assert_int_equal(verdict_kinds(v) & ~classes, kinds);
    tacit_verdict_free(v);
}

static void test_small(void **state)
{
    uint64_t *seed = *state;
    world *w = malloc(sizeof *w);
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        make_world(w, *seed, SMALL);
        judge_world(w);
    }
    *seed = 0;
    free(w);
}

/* Groups large enough to be looked up instead of compared. */
static void test_big(void **state)
{
    uint64_t *seed = *state;
    world *w = malloc(sizeof *w);
    for (*seed = 1; *seed <= many_cases(BIG_CASES); ++*seed) {
        make_world(w, *seed, BIG);
        judge_world(w);
    }
    *seed = 0;
    free(w);
}

/* So many groups that they are not gone through. */
static void test_scattered(void **state)
{
    uint64_t *seed = *state;
    world *w = malloc(sizeof *w);
    for (*seed = 1; *seed <= many_cases(SCATTERED_CASES); ++*seed) {
        make_world(w, *seed, SCATTERED);
        judge_world(w);
    }
    *seed = 0;
    free(w);
}

int main(void)
{
    uint64_t small = 0, big = 0, scattered = 0;
    for (int i = 0; i <= MAX_COLUMNS; i++)
        sprintf(names[i], "%c", 'a' + i);
    const struct CMUnitTest tests[] = {
        random_test(test_small, &small),
        random_test(test_big, &big),
        random_test(test_scattered, &scattered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
