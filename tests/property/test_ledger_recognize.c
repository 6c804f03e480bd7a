/*
 * test_ledger_recognize.c - random data known again by its content: in another order, with rows and
 * columns added, removed or changed; and data that was drawn in the same way, row numbers and all,
 * but is other people's, told apart.
 */
#include "ledger_case.h"

#include "random_cases.h"

enum { COLUMNS = 8, MAX_ROWS = 900, WIDTH = 24 };

typedef char cell[WIDTH];

typedef struct sheet {
    cell names[COLUMNS];
    cell cells[MAX_ROWS][COLUMNS];
    int rows, columns;
} sheet;

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static unsigned below(uint64_t *seed, unsigned bound)
{
    return (unsigned)(next(seed) % bound);
}

/* People as a register has them: a number, what depends on what, and something frequent. */
static void draw_person(cell *row, int number, uint64_t *seed)
{
    unsigned zip = below(seed, 120), birth = below(seed, 60 * 365);
    snprintf(row[0], WIDTH, "%d", number);
    snprintf(row[1], WIDTH, "%u", 10000 + zip);
    snprintf(row[2], WIDTH, "town %u", zip / 4);
    snprintf(row[3], WIDTH, "%u-%03u", 1940 + birth / 365, birth % 365);
    snprintf(row[4], WIDTH, "%u", 2026 - 1940 - birth / 365);
    snprintf(row[5], WIDTH, "%s", below(seed, 2) ? "f" : "m");
    snprintf(row[6], WIDTH, "%u", below(seed, 40) * below(seed, 40) / 40);
    snprintf(row[7], WIDTH, "%s", below(seed, 12) ? "no" : "");
}

static void draw(sheet *s, int rows, uint64_t *seed)
{
    static const char *const names[COLUMNS] = {"id",  "zip", "town",  "birth",
                                               "age", "sex", "score", "flag"};
    s->columns = COLUMNS;
    s->rows = rows;
    for (int c = 0; c < COLUMNS; c++)
        strcpy(s->names[c], names[c]);
    for (int r = 0; r < rows; r++)
        draw_person(s->cells[r], r + 1, seed);
}

/* A sheet as a table, which borrows from its text. */
static tacit_table *table(char **text, const sheet *s)
{
    size_t len = 0;
    FILE *out = open_memstream(text, &len);
    for (int r = -1; r < s->rows; r++)
        for (int c = 0; c < s->columns; c++)
            fprintf(out, "\"%s\"%s", r < 0 ? s->names[c] : s->cells[r][c],
                    c + 1 < s->columns ? "," : "\n");
    fclose(out);
    return table_of(*text);
}

/* ---- changes ---- */

static void swap_rows(sheet *s, int a, int b)
{
    cell kept[COLUMNS];
    memcpy(kept, s->cells[a], sizeof kept);
    memcpy(s->cells[a], s->cells[b], sizeof kept);
    memcpy(s->cells[b], kept, sizeof kept);
}

static void shuffle_rows(sheet *s, uint64_t *seed)
{
    for (int r = s->rows; r > 1; r--)
        swap_rows(s, r - 1, (int)below(seed, (unsigned)r));
}

static void swap_columns(sheet *s, int a, int b)
{
    cell kept;
    for (int r = -1; r < s->rows; r++) {
        cell *row = r < 0 ? s->names : s->cells[r];
        memcpy(kept, row[a], sizeof kept);
        memcpy(row[a], row[b], sizeof kept);
        memcpy(row[b], kept, sizeof kept);
    }
}

static void shuffle_columns(sheet *s, uint64_t *seed)
{
    for (int c = s->columns; c > 1; c--)
        swap_columns(s, c - 1, (int)below(seed, (unsigned)c));
}

static int column_of(const sheet *s, const char *name)
{
    for (int c = 0; c < s->columns; c++)
        if (strcmp(s->names[c], name) == 0)
            return c;
    return -1;
}

static void remove_column(sheet *s, const char *name)
{
    swap_columns(s, column_of(s, name), s->columns - 1);
    s->columns--;
}

/* A column of something else. */
static void scramble(sheet *s, const char *name, uint64_t *seed)
{
    int c = column_of(s, name);
    for (int r = 0; r < s->rows; r++)
        snprintf(s->cells[r][c], WIDTH, "%u", below(seed, 100000));
}

static void add_rows(sheet *s, int count, uint64_t *seed)
{
    for (int i = 0; i < count && s->rows < MAX_ROWS; i++, s->rows++)
        draw_person(s->cells[s->rows], s->rows + 1, seed);
}

static void change_cells(sheet *s, int percent, uint64_t *seed)
{
    for (int r = 0; r < s->rows; r++)
        if (below(seed, 100) < (unsigned)percent)
            snprintf(s->cells[r][below(seed, (unsigned)s->columns)], WIDTH, "%u",
                     below(seed, 1000));
}

/* ---- known again ---- */

typedef struct fixture {
    ledger_place place;
    tacit_ledger *ledger;
    sheet *then, *now;
} fixture;

/* A ledger with a release from the data. */
static void fixture_open_without(fixture *f, int rows, const char *const *without, uint64_t *seed)
{
    tacit_error err = {0};
    int64_t number = 0;
    f->then = calloc(2, sizeof *f->then);
    f->now = f->then + 1;
    draw(f->then, rows, seed);
    for (; *without; without++)
        remove_column(f->then, *without);
    place_open(&f->place);
    f->ledger = ledger_open(&f->place, TACIT_LEDGER_WRITE);
    char *text = NULL;
    tacit_table *data = table(&text, f->then), *release = table_of("zip,sex\n*,*\n");
    file_write(f->place.release, "x", 1);
    FILE *file = fopen(f->place.release, "rb");
    const tacit_ledger_facts facts = {
        .source = "people", .path = f->place.release, .k = 2, .data = data};
    if (tacit_ledger_announce(&number, f->ledger, &facts, release, fileno(file), NULL, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    fclose(file);
    tacit_table_free(release);
    tacit_table_free(data);
    free(text);
    tacit_ledger_free(f->ledger);
    f->ledger = ledger_open(&f->place, TACIT_LEDGER_READ);
    memcpy(f->now, f->then, sizeof *f->now);
}

static void fixture_open(fixture *f, int rows, uint64_t *seed)
{
    static const char *const nothing[] = {NULL};
    fixture_open_without(f, rows, nothing, seed);
}

static void fixture_close(fixture *f)
{
    tacit_ledger_free(f->ledger);
    place_close(&f->place);
    free(f->then);
}

static tacit_ledger_likeness compare(const fixture *f)
{
    tacit_ledger_likeness like;
    tacit_error err = {0};
    char *text = NULL;
    tacit_table *data = table(&text, f->now);
    if (tacit_ledger_recognize(&like, f->ledger, data, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(data);
    free(text);
    assert_true(like.sketched);
    return like;
}

/* The rows that two sheets share on the columns of the later one, as a brute force counts them. */
static int shared(const fixture *f)
{
    int found = 0;
    for (int r = 0; r < f->then->rows; r++) {
        bool here = false;
        for (int q = 0; q < f->now->rows && !here; q++) {
            here = true;
            for (int c = 0; c < f->now->columns && here; c++) {
                int there = column_of(f->then, f->now->names[c]);
                here = there < 0 || strcmp(f->then->cells[r][there], f->now->cells[q][c]) == 0;
            }
        }
        found += here;
    }
    return found;
}

/* Reordered, grown, shrunk and changed a little; what is found is what a brute force finds. */
static void test_same_data(void **state)
{
    uint64_t *seed = *state, cases = many_cases(40);
    for (*seed = 1; *seed <= cases; ++*seed) {
        static const char *const removable[] = {"id", "town", "age", "flag", "score", "zip"};
        uint64_t draws = *seed;
        fixture f;
        fixture_open(&f, 40 + (int)below(&draws, 400), &draws);
        shuffle_rows(f.now, &draws);
        f.now->rows -= (int)below(&draws, (unsigned)f.now->rows / 2);
        add_rows(f.now, (int)below(&draws, 300), &draws);
        shuffle_rows(f.now, &draws);
        for (unsigned i = below(&draws, 4); i > 0; i--)
            remove_column(f.now, removable[i - 1]);
        if (below(&draws, 2) && f.now->columns < COLUMNS) { /* one more, of which nobody knew */
            strcpy(f.now->names[f.now->columns++], "new");
            scramble(f.now, "new", &draws);
        }
        change_cells(f.now, (int)below(&draws, 10), &draws);
        shuffle_columns(f.now, &draws);
        tacit_ledger_likeness like = compare(&f);
        assert_true(like.recognized);
        assert_int_equal(like.looked, f.then->rows);
        assert_in_range(like.found, shared(&f), f.then->rows);
        assert_true(like.renamed < 0);
        fixture_close(&f);
    }
    *seed = 0;
}

/* The row numbers are the same, and every value occurs in both. */
static void test_other_data(void **state)
{
    uint64_t *seed = *state, cases = many_cases(40);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t draws = *seed;
        fixture f;
        fixture_open(&f, 40 + (int)below(&draws, 600), &draws);
        draw(f.now, 40 + (int)below(&draws, 800), &draws);
        if (below(&draws, 2))
            remove_column(f.now, "birth");
        if (below(&draws, 2))
            remove_column(f.now, "zip");
        if (below(&draws, 2))
            remove_column(f.now, "age");
        if (below(&draws, 2))
            remove_column(f.now, "score");
        tacit_ledger_likeness like = compare(&f);
        if (like.recognized)
            fail_msg("%lld of %lld by %d columns, chance %g", (long long)like.found,
                     (long long)like.looked, (int)like.columns, like.chance);
        fixture_close(&f);
    }
    *seed = 0;
}

/* Whole columns are others, or have got another name. */
static void test_changed_columns(void **state)
{
    uint64_t *seed = *state, cases = many_cases(15);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t draws = *seed;
        fixture f;
        fixture_open(&f, 100 + (int)below(&draws, 300), &draws);
        shuffle_rows(f.now, &draws);
        scramble(f.now, "id", &draws);
        if (below(&draws, 2))
            scramble(f.now, "score", &draws);
        assert_true(compare(&f).recognized);
        strcpy(f.now->names[column_of(f.now, "zip")], "postcode");
        tacit_ledger_likeness like = compare(&f);
        assert_true(like.recognized);
        assert_int_equal(like.renamed, column_of(f.now, "postcode"));
        assert_string_equal(like.former, "zip");
        strcpy(f.now->names[column_of(f.now, "birth")], "born"); /* which was not released */
        assert_true(compare(&f).recognized);
        fixture_close(&f);
    }
    *seed = 0;
}

/* Few combinations with many rows each: single rows tell nothing, their numbers do. */
static void test_frequent_rows(void **state)
{
    uint64_t *seed = *state, cases = many_cases(15);
    static const char *const rare[] = {"id", "zip", "town", "birth", "age", NULL};
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t draws = *seed;
        fixture f;
        fixture_open_without(&f, 700, rare, &draws);
        shuffle_rows(f.now, &draws);
        tacit_ledger_likeness like = compare(&f);
        assert_true(like.recognized);
        assert_int_equal(like.found, 700);
        f.now->rows -= 20;
        assert_true(compare(&f).recognized);
        draw(f.now, 700, &draws);
        assert_false(compare(&f).recognized);
        fixture_close(&f);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_same_data, &seed),
        random_test(test_other_data, &seed),
        random_test(test_changed_columns, &seed),
        random_test(test_frequent_rows, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
