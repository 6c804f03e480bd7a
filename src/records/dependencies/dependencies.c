/*
 * dependencies.c - all minimal functional dependencies of a table.
 *
 * From two sides, as HyFD does (Papenbrock and Naumann, 2016). Pairs of rows that differ in few
 * columns rule left sides out, and the minimal ones that are left (cover.c) are tested by grouping
 * the rows by them, the smallest first. A test that fails gives a pair of rows, which rules out
 * more. A left side of so many columns can only be replaced by larger ones, so that one pass a
 * size is enough, and whenever the search is stopped all smaller dependencies are there. Left
 * sides of up to FIRST_CAP columns are looked for first, so that there is something to give soon,
 * then larger and larger ones, each time anew from the pairs seen; what was tested is not tested
 * again.
 *
 * Left sides are tested in an order in which those that share their first columns follow each
 * other, and the groups by these are kept; columns with many values come first, since groups are
 * few then. A test is linear in the rows that share their values with another, and there are as
 * many as there are left sides and as tests that fail. (TANE, by levels of the lattice, would form
 * 2.7 million groupings of mushroom_int's 23 columns; this makes 3770.)
 *
 * Memory: 4 bytes a distinct row and column, 6 bytes a row for each column of the left side in
 * hand, 8 bytes a left side, of which there are at most TACIT_MOST_DEPENDENCIES at a time, and 24
 * bytes for each set of columns in which two rows were seen to differ (at most 2^20 of the sample,
 * and one a failed test).
 *
 * Sets of columns in which pairs of rows differ. Every such set rules dependencies out, the small
 * ones most. In a small table all pairs are looked at. In a larger one rows are sorted by each
 * column in turn and by those that follow it (at most KEYS), and each row is compared with the
 * next few: neighbours then differ in few columns. What is not seen here is found when
 * dependencies are tested; the more is seen, the fewer tests fail. Linear in rows times columns
 * squared; 16 bytes or so a distinct set.
 */
#include "records/dependencies/dependencies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"

enum { ALL_PAIRS = 1 << 20, KEYS = 8, NEIGHBOURS = 4, MAX_SETS = 1 << 20 };

static const char SAMPLING[] = "pairs of rows";
static const char TESTING[] = "dependencies";

static tacit_status note(tacit__numbering *unlike, uint64_t differ, tacit_error *err)
{
    return tacit__numbering_add(unlike, differ) == TACIT__NONE ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status compare_all(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < grid->rows; i++)
        for (uint32_t j = 0; status == TACIT_OK && j < i; j++)
            status = note(unlike, tacit__grid_differ(grid, i, j), err);
    return status;
}

/* Sorts rows by a column. Stable. */
static void sort_rows(uint32_t *to, const uint32_t *from, const tacit__dependencies_grid *grid,
                      int32_t column)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < grid->rows; i++)
        grid->counts[tacit__grid_row(grid, from[i])[column]]++;
    for (uint32_t code = 0; code < grid->domain[column]; code++) {
        uint32_t size = grid->counts[code];
        grid->counts[code] = at;
        at += size;
    }
    for (uint32_t i = 0; i < grid->rows; i++)
        to[grid->counts[tacit__grid_row(grid, from[i])[column]]++] = from[i];
    memset(grid->counts, 0, grid->domain[column] * sizeof *grid->counts);
}

/* Rows by a column and those that follow it, the first one again after the last. *order and
 * *spare may change places. */
static void sort_from(uint32_t **order, uint32_t **spare, const tacit__dependencies_grid *grid,
                      int32_t first)
{
    int32_t keys = grid->columns < KEYS ? grid->columns : KEYS;
    for (int32_t k = keys - 1; k >= 0; k--) {
        sort_rows(*spare, *order, grid, (first + k) % grid->columns);
        uint32_t *kept = *order;
        *order = *spare;
        *spare = kept;
    }
}

static tacit_status compare_neighbours(tacit__numbering *unlike,
                                       const tacit__dependencies_grid *grid, const uint32_t *order,
                                       tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 1; i < grid->rows; i++)
        for (uint32_t d = 1; status == TACIT_OK && d <= NEIGHBOURS && d <= i; d++)
            if (unlike->count < MAX_SETS)
                status = note(unlike, tacit__grid_differ(grid, order[i], order[i - d]), err);
    return status;
}

static tacit_status compare_sorted(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
                                   const tacit_run *run, tacit_error *err)
{
    uint32_t *order = tacit__alloc_array(grid->rows, sizeof *order);
    uint32_t *spare = tacit__alloc_array(grid->rows, sizeof *spare);
    tacit_status status = order && spare ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < grid->rows; i++)
        order[i] = i;
    for (int32_t c = 0; status == TACIT_OK && c < grid->columns; c++) {
        sort_from(&order, &spare, grid, c);
        status = compare_neighbours(unlike, grid, order, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, SAMPLING, c + 1, grid->columns, err);
    }
    tacit__free(order);
    tacit__free(spare);
    return status;
}

/* Sets in which pairs of rows differ that are likely to differ in few columns. */
static tacit_status sample_unlike(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
                                  const tacit_run *run, tacit_error *err)
{
    if ((uint64_t)grid->rows * grid->rows / 2 <= ALL_PAIRS)
        return compare_all(unlike, grid, err);
    return compare_sorted(unlike, grid, run, err);
}

enum { FIRST_CAP = 3, ASK_EVERY = 256 };

/* The search. Columns are numbered from many values to few. */
typedef struct finder {
    tacit__dependencies_grid grid;
    int32_t place[TACIT_DEPENDENCY_COLUMNS]; /* in the caller's list */
    tacit__numbering unlike;                 /* distinct sets of columns in which two rows differ */
    tacit__candidates candidates;
    bool settled;                                      /* candidates know every set of unlike */
    tacit__alike layers[TACIT_DEPENDENCY_COLUMNS + 1]; /* rows by the first columns of a left */
    int32_t layer_column[TACIT_DEPENDENCY_COLUMNS];
    int32_t layer_count;
    int32_t done; /* left sides of up to so many columns are tested; -1: none */
    int64_t tested;
    tacit_dependencies *found; /* what there is to give so far, or NULL */
    const tacit_run *run;
} finder;

/* A left side to be tested with all its right ones. */
typedef struct test {
    uint64_t left, rights;
} test;

void tacit_dependencies_free(tacit_dependencies *dependencies)
{
    if (!dependencies)
        return;
    tacit__free(dependencies->list);
    tacit__free(dependencies);
}

/* ---- the rows ---- */

/* Columns from many values to few. */
static void rank_columns(finder *f, const tacit_table *table, const int32_t *columns, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t values = tacit_table_distinct(table, columns[i]);
        int32_t at = i;
        for (; at > 0 && tacit_table_distinct(table, columns[f->place[at - 1]]) < values; at--)
            f->place[at] = f->place[at - 1];
        f->place[at] = i;
    }
}

/* Keeps one of the rows that are the same in all columns. */
static tacit_status fold_rows(tacit__dependencies_grid *grid, tacit_error *err)
{
    tacit__alike same = {0};
    uint64_t all = UINT64_MAX >> (64 - grid->columns);
    size_t width = (size_t)grid->columns * sizeof *grid->codes;
    uint32_t kept = 0;
    bool *twice = tacit__alloc_zeroed(grid->rows, sizeof *twice);
    tacit_status status = twice ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__alike_whole(&same, NULL, grid->rows, err);
    if (status == TACIT_OK)
        status = tacit__alike_refine_all(&same, grid, all, err);
    for (uint32_t g = 0; status == TACIT_OK && g < same.count; g++)
        for (uint32_t i = same.starts[g] + 1; i < same.starts[g + 1]; i++)
            twice[same.rows[i]] = true;
    for (uint32_t row = 0; status == TACIT_OK && row < grid->rows; row++)
        if (!twice[row])
            memmove(grid->codes + (size_t)kept++ * (size_t)grid->columns,
                    tacit__grid_row(grid, row), width);
    if (status == TACIT_OK)
        grid->rows = kept;
    tacit__alike_clear(&same);
    tacit__free(twice);
    return status;
}

static tacit_status read_rows(finder *f, const tacit_table *table, const int32_t *columns,
                              int32_t count, tacit_error *err)
{
    int32_t ranked[TACIT_DEPENDENCY_COLUMNS];
    rank_columns(f, table, columns, count);
    for (int32_t i = 0; i < count; i++)
        ranked[i] = columns[f->place[i]];
    tacit_status status = tacit__grid_read(&f->grid, table, ranked, count, err);
    if (status == TACIT_OK)
        status = fold_rows(&f->grid, err);
    if (status == TACIT_OK)
        status = tacit__alike_whole(&f->layers[0], NULL, f->grid.rows, err);
    if (status == TACIT_OK)
        status = sample_unlike(&f->unlike, &f->grid, f->run, err);
    return status;
}

/* ---- left sides by the pairs seen ---- */

static int fewest_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int more = __builtin_popcountll(x) - __builtin_popcountll(y);
    return more ? more : x < y ? -1 : x > y;
}

/* Small sets first: they rule out most, and larger ones around them then nothing. */
static tacit_status apply_from(finder *f, size_t first, tacit_error *err)
{
    size_t count = f->unlike.count - first;
    uint64_t *sets = tacit__alloc_array(count, sizeof *sets);
    if (!sets)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    if (count) {
        memcpy(sets, f->unlike.keys + first, count * sizeof *sets);
        qsort(sets, count, sizeof *sets, fewest_first);
    }
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        if (i % ASK_EVERY == 0)
            status = tacit__progress(f->run, TESTING, f->done + 1, f->grid.columns, err);
        if (status == TACIT_OK)
            status = tacit__candidates_apply(&f->candidates, sets[i], f->run, err);
    }
    tacit__free(sets);
    return status;
}

static tacit_status settle(finder *f, int32_t cap, tacit_error *err)
{
    f->settled = false;
    tacit__candidates_clear(&f->candidates);
    tacit_status status = tacit__candidates_init(&f->candidates, f->grid.columns, cap, err);
    if (status == TACIT_OK)
        status = apply_from(f, 0, err);
    f->settled = status == TACIT_OK;
    return status;
}

/* ---- tests ---- */

/* Those that share their first columns stand together. */
static int by_first_columns(const void *a, const void *b)
{
    uint64_t x = ((const test *)a)->left, y = ((const test *)b)->left, differ = x ^ y;
    if (!differ)
        return 0;
    return x & (differ & -differ) ? -1 : 1;
}

/* The left sides of so many columns, each with its right ones. */
static tacit_status list_tests(test **out, size_t *count, const finder *f, int32_t size,
                               tacit_error *err)
{
    const tacit__candidates *all = &f->candidates;
    size_t found = 0, kept = 0;
    test *tests = tacit__alloc_array((size_t)all->by_size[size], sizeof *tests);
    if (!tests)
        return tacit__nomem(err);
    for (int32_t a = 0; a < all->columns; a++)
        for (size_t i = 0; i < all->of[a].count; i++)
            if (__builtin_popcountll(all->of[a].sets[i]) == size)
                tests[found++] = (test){all->of[a].sets[i], UINT64_C(1) << a};
    assert(found == (size_t)all->by_size[size]);
    if (found)
        qsort(tests, found, sizeof *tests, by_first_columns);
    for (size_t i = 0; i < found; i++)
        if (kept && tests[kept - 1].left == tests[i].left)
            tests[kept - 1].rights |= tests[i].rights;
        else
            tests[kept++] = tests[i];
    *out = tests;
    *count = kept;
    return TACIT_OK;
}

/* Groups by the columns of a left side: the last layer. */
static tacit_status group_by(finder *f, uint64_t left, tacit_error *err)
{
    int32_t depth = 0;
    while (depth < f->layer_count && left && f->layer_column[depth] == __builtin_ctzll(left)) {
        left &= left - 1;
        depth++;
    }
    while (f->layer_count > depth)
        tacit__alike_clear(&f->layers[f->layer_count--]);
    for (; left; left &= left - 1) {
        int32_t column = __builtin_ctzll(left);
        tacit_status status =
            tacit__alike_refine(&f->layers[depth + 1], &f->layers[depth], &f->grid, column, err);
        if (status != TACIT_OK)
            return status;
        f->layer_column[depth++] = column;
        f->layer_count = depth;
    }
    return TACIT_OK;
}

/* Two rows of a group that differ in a column; false where there are none. */
static bool find_pair(const tacit__alike *groups, const tacit__dependencies_grid *grid,
                      int32_t column, uint32_t *a, uint32_t *b)
{
    for (uint32_t g = 0; g < groups->count; g++)
        for (uint32_t i = groups->starts[g] + 1; i < groups->starts[g + 1]; i++) {
            *a = groups->rows[i - 1];
            *b = groups->rows[i];
            if (tacit__grid_row(grid, *a)[column] != tacit__grid_row(grid, *b)[column])
                return true;
        }
    return false;
}

/* Right columns that pairs found since `first` speak against. */
static uint64_t refuted(const tacit__numbering *unlike, size_t first, uint64_t left)
{
    uint64_t rights = 0;
    for (size_t i = first; i < unlike->count; i++)
        if (!(unlike->keys[i] & left))
            rights |= unlike->keys[i];
    return rights;
}

static tacit_status run_test(finder *f, const test *t, size_t first, tacit_error *err)
{
    uint64_t rights = t->rights & ~refuted(&f->unlike, first, t->left);
    if (!rights)
        return TACIT_OK;
    tacit_status status = group_by(f, t->left, err);
    f->tested++;
    while (status == TACIT_OK && rights) {
        uint32_t a, b;
        uint64_t differ = rights & -rights;
        if (find_pair(&f->layers[f->layer_count], &f->grid, __builtin_ctzll(rights), &a, &b)) {
            differ = tacit__grid_differ(&f->grid, a, b);
            status = note(&f->unlike, differ, err);
        }
        rights &= ~differ;
    }
    return status;
}

/* All left sides of a size; what they fail by is taken into account then. */
static tacit_status run_size(finder *f, int32_t size, tacit_error *err)
{
    test *tests = NULL;
    size_t count = 0, first = f->unlike.count;
    tacit_status status = list_tests(&tests, &count, f, size, err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        status = tacit__progress(f->run, TESTING, size, f->grid.columns, err);
        if (status == TACIT_OK)
            status = run_test(f, &tests[i], first, err);
    }
    tacit__free(tests);
    if (status == TACIT_OK)
        status = apply_from(f, first, err);
    if (status == TACIT_OK)
        f->done = size;
    return status;
}

/* ---- what was found ---- */

static int in_order(const void *left, const void *right)
{
    const tacit_dependency *a = left, *b = right;
    if (a->right != b->right)
        return a->right < b->right ? -1 : 1;
    return fewest_first(&a->left, &b->left);
}

/* A set in the numbers of the caller's list. */
static uint64_t as_given(const finder *f, uint64_t set)
{
    uint64_t given = 0;
    for (; set; set &= set - 1)
        given |= UINT64_C(1) << f->place[__builtin_ctzll(set)];
    return given;
}

/* The left sides that are tested, instead of what was to be given before. */
static tacit_status take_found(finder *f, tacit_error *err)
{
    const tacit__candidates *all = &f->candidates;
    int64_t count = 0;
    for (int32_t size = 0; size <= f->done && size <= all->cap; size++)
        count += all->by_size[size];
    tacit_dependencies *found = tacit__alloc_zeroed(1, sizeof *found);
    tacit_dependency *list = tacit__alloc_array((size_t)count, sizeof *list);
    if (!found || !list) {
        tacit__free(found);
        tacit__free(list);
        return tacit__nomem(err);
    }
    found->list = list;
    for (int32_t a = 0; a < all->columns; a++)
        for (size_t i = 0; i < all->of[a].count; i++)
            if (__builtin_popcountll(all->of[a].sets[i]) <= f->done)
                list[found->count++] =
                    (tacit_dependency){as_given(f, all->of[a].sets[i]), f->place[a]};
    assert(found->count == count);
    if (count)
        qsort(list, (size_t)count, sizeof *list, in_order);
    tacit_dependencies_free(f->found);
    f->found = found;
    return TACIT_OK;
}

/* Left sides of up to `cap` columns. */
static tacit_status run_stage(finder *f, int32_t cap, tacit_error *err)
{
    tacit_status status = settle(f, cap, err);
    while (status == TACIT_OK && f->done < f->candidates.cap)
        status = run_size(f, f->done + 1, err);
    if (status != TACIT_OK && status != TACIT_CANCELLED)
        return status;
    if (f->settled && f->done >= 0) {
        tacit_status taken = take_found(f, err);
        return taken == TACIT_OK ? status : taken;
    }
    return status;
}

/* Stages for larger and larger left sides, until none was left out. */
static tacit_status run_stages(finder *f, int32_t most, tacit_error *err)
{
    for (int32_t cap = FIRST_CAP;; cap += 1 + cap / 8) {
        tacit_status status = run_stage(f, cap < most ? cap : most, err);
        if (status != TACIT_OK || !f->candidates.cut || f->candidates.full || cap >= most)
            return status;
    }
}

/* *end says how it ended, where there is something to give. */
static tacit_status search(finder *f, int32_t most, tacit_status *end, tacit_error *err)
{
    tacit_error local = {0};
    tacit_status status = run_stages(f, most, &local);
    *end = status == TACIT_OK && f->candidates.full ? TACIT_LIMIT : status;
    if (status == TACIT_OK || (status == TACIT_CANCELLED && f->found))
        return TACIT_OK;
    return tacit__error(err, status, "%s", local.message);
}

/* Dependencies of up to so many columns are all there. */
static int32_t reached(const finder *f)
{
    bool lowered = f->settled && f->candidates.cap < f->done;
    return lowered ? f->candidates.cap : f->done;
}

static void clear(finder *f)
{
    while (f->layer_count > 0)
        tacit__alike_clear(&f->layers[f->layer_count--]);
    tacit__alike_clear(&f->layers[0]);
    tacit__candidates_clear(&f->candidates);
    tacit__numbering_clear(&f->unlike);
    tacit__grid_clear(&f->grid);
    tacit_dependencies_free(f->found);
}

tacit_status tacit_dependencies_find(tacit_dependencies **out, const tacit_table *table,
                                     const int32_t *columns, int32_t count, int32_t most_left,
                                     const tacit_run *run, tacit_error *err)
{
    finder f = {.done = -1, .run = run};
    tacit_status end = TACIT_OK, status = tacit__dependency_columns(table, columns, count, err);
    if (status != TACIT_OK)
        return status;
    int32_t most = most_left > 0 && most_left < count ? most_left : count;
    status = read_rows(&f, table, columns, count, err);
    if (status == TACIT_OK)
        status = search(&f, most, &end, err);
    if (status == TACIT_OK) {
        f.found->end = end;
        f.found->complete = end == TACIT_OK && !f.candidates.cut ? count : reached(&f);
        f.found->rows = f.grid.rows;
        f.found->tested = f.tested;
        f.found->unlike = (int64_t)f.unlike.count;
        *out = f.found;
        f.found = NULL;
    }
    clear(&f);
    return status;
}
