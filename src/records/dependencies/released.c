/*
 * released.c - what a release still lets anybody prove.
 *
 * A dependency is proven by a release with blanks where it holds whatever the blanks stand for.
 * It does not where two rows agree in its left, blanks with anything, and differ in its right, or
 * one of them is blank there: the blanks can then be filled in (each is a cell of its own, and may
 * be a value that nobody else has) so that the rows are a counterexample. Two rows are enough,
 * since a dependency fails by two rows. This is Theorem 4 for a single dependency; the theorem's
 * own family is what follows from rows that agree in the whole quasi-identifier.
 *
 * For each pair of sets of blanks that occur in the left (groups.c) the rows are
 * grouped by the columns outside of both, and the first counterexample ends it. So what cannot be
 * proven is soon found out, and what can costs the rows for every set of blanks. 4 bytes a cell of
 * the columns and 24 bytes a row.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/dependencies/dependencies.h"

#include <tacit/experimental/hierarchy.h>

static const char PROVING[] = "dependencies of the release";

typedef struct judge {
    tacit__dependencies_grid grid;
    uint64_t *blanks;                         /* a row each: columns that it has blank */
    uint32_t blank[TACIT_DEPENDENCY_COLUMNS]; /* the code of a blank; UINT32_MAX: there is none */
    uint64_t released;                        /* columns */
    const tacit_run *run;
} judge;

void tacit_released_dependencies_free(tacit_released_dependencies *released)
{
    if (!released)
        return;
    tacit__free(released->fates);
    tacit__free(released);
}

static uint32_t code_of_blank(const tacit_table *table, int32_t column)
{
    tacit_strview blank = tacit_hierarchy_suppressed();
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++)
        if (tacit_strview_equal(tacit_table_value(table, column, code), blank))
            return code;
    return UINT32_MAX;
}

static void find_blanks(judge *j)
{
    for (uint32_t row = 0; row < j->grid.rows; row++) {
        const uint32_t *codes = tacit__grid_row(&j->grid, row);
        j->blanks[row] = 0;
        for (int32_t c = 0; c < j->grid.columns; c++)
            j->blanks[row] |= (uint64_t)(codes[c] == j->blank[c]) << c;
    }
}

static tacit_status read_release(judge *j, const tacit_table *release, const int32_t *columns,
                                 int32_t count, tacit_error *err)
{
    tacit_status status = tacit__dependency_columns(release, columns, count, err);
    if (status == TACIT_OK)
        status = tacit__grid_read(&j->grid, release, columns, count, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t c = 0; c < count; c++) {
        j->blank[c] = columns[c] < 0 ? UINT32_MAX : code_of_blank(release, columns[c]);
        j->released |= (uint64_t)(columns[c] >= 0) << c;
    }
    j->blanks = tacit__alloc_array(j->grid.rows, sizeof *j->blanks);
    if (!j->blanks)
        return tacit__nomem(err);
    find_blanks(j);
    return TACIT_OK;
}

/* Looks at a group of rows: every one whose blanks in the set are `a` agrees with every other
 * whose blanks are `b`. Whether that is all there is to know. */
typedef bool look(judge *j, void *context, const uint32_t *rows, uint32_t count, uint64_t set,
                  uint64_t a, uint64_t b);

/* Whether rows of both kinds are in a group. */
static bool has_both(const judge *j, const uint32_t *rows, uint32_t count, uint64_t set, uint64_t a,
                     uint64_t b)
{
    bool one = false, other = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t blanks = j->blanks[rows[i]] & set;
        one |= blanks == a;
        other |= blanks == b;
    }
    return one && other;
}

static tacit_status look_at_pair(judge *j, const tacit__blanked *parts, uint32_t a, uint32_t b,
                                 uint64_t set, look *at, void *context, bool *done,
                                 tacit_error *err)
{
    tacit__alike groups = {0};
    uint64_t first = parts->masks[a], second = parts->masks[b];
    tacit_status status = tacit__blanked_group(&groups, parts, a, b, err);
    if (status == TACIT_OK)
        status = tacit__alike_refine_all(&groups, &j->grid, set & ~(first | second), err);
    for (uint32_t g = 0; status == TACIT_OK && !*done && g < groups.count; g++) {
        const uint32_t *rows = groups.rows + groups.starts[g];
        uint32_t count = groups.starts[g + 1] - groups.starts[g];
        if (has_both(j, rows, count, set, first, second))
            *done = at(j, context, rows, count, set, first, second);
    }
    tacit__alike_clear(&groups);
    return status;
}

/* All rows that agree in a set of columns, until one look was enough: *done. */
static tacit_status look_at_agreeing(judge *j, uint64_t set, look *at, void *context, bool *done,
                                     tacit_error *err)
{
    tacit__blanked parts;
    *done = false;
    tacit_status status = tacit__blanked_init(&parts, j->blanks, NULL, j->grid.rows, set, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t b = 0; b < parts.count; b++)
        for (uint32_t a = 0; status == TACIT_OK && !*done && a <= b; a++) {
            status = look_at_pair(j, &parts, a, b, set, at, context, done, err);
            if (status == TACIT_OK)
                status = tacit__progress(j->run, PROVING, b, parts.count, err);
        }
    tacit__blanked_clear(&parts);
    return status;
}

/* Whether rows that agree do not all have one value in the right, and no blank. If they do not,
 * some row of one kind and some of the other differ, or one of them is blank. */
static bool speaks_against(judge *j, void *context, const uint32_t *rows, uint32_t count,
                           uint64_t set, uint64_t a, uint64_t b)
{
    (void)set, (void)a, (void)b;
    int32_t right = *(const int32_t *)context;
    uint32_t value = tacit__grid_row(&j->grid, rows[0])[right];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t code = tacit__grid_row(&j->grid, rows[i])[right];
        if (code != value || code == j->blank[right])
            return true;
    }
    return false;
}

/* The values that rows of one kind have in a column, blanks left out. */
typedef struct seen {
    uint32_t value;
    bool any, several;
} seen;

static seen see(const judge *j, const uint32_t *rows, uint32_t count, uint64_t set, uint64_t kind,
                int32_t column)
{
    seen s = {0};
    for (uint32_t i = 0; i < count && !s.several; i++) {
        uint32_t code = tacit__grid_row(&j->grid, rows[i])[column];
        if ((j->blanks[rows[i]] & set) != kind || code == j->blank[column])
            continue;
        s.several = s.any && code != s.value;
        s.value = code;
        s.any = true;
    }
    return s;
}

/* S of Theorem 4: columns in which rows of the one kind and of the other differ for certain. */
static bool note_unlike(judge *j, void *context, const uint32_t *rows, uint32_t count, uint64_t set,
                        uint64_t a, uint64_t b)
{
    uint64_t *unlike = context, wanted = j->released & ~set;
    for (uint64_t left = wanted & ~*unlike; left; left &= left - 1) {
        int32_t column = __builtin_ctzll(left);
        seen x = see(j, rows, count, set, a, column), y = see(j, rows, count, set, b, column);
        if (x.any && y.any && (x.several || y.several || x.value != y.value))
            *unlike |= UINT64_C(1) << column;
    }
    return *unlike == wanted;
}

static tacit_status judge_one(judge *j, tacit_released_dependencies *out, int64_t index,
                              const tacit_dependency *d, uint64_t quasi, tacit_error *err)
{
    bool disproved = true;
    int32_t right = d->right;
    uint64_t named = d->left | UINT64_C(1) << right;
    tacit_status status = TACIT_OK;
    assert(right >= 0 && right < j->grid.columns && !(d->left >> right & 1));
    if (!(named & ~j->released))
        status = look_at_agreeing(j, d->left, speaks_against, &right, &disproved, err);
    if (status != TACIT_OK)
        return status;
    out->fates[index].provable = !disproved;
    out->fates[index].family = !(d->left & ~quasi) && (out->unlike >> right & 1);
    out->provable += out->fates[index].provable;
    out->family += out->fates[index].family;
    return TACIT_OK;
}

tacit_status tacit_dependencies_released(tacit_released_dependencies **out,
                                         const tacit_dependency *list, int64_t count,
                                         const tacit_table *release, const int32_t *columns,
                                         int32_t column_count, uint64_t quasi, const tacit_run *run,
                                         tacit_error *err)
{
    judge j = {.run = run};
    bool all = false;
    tacit_released_dependencies *found = tacit__alloc_zeroed(1, sizeof *found);
    tacit_status status = found ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        found->count = count;
        found->fates = tacit__alloc_zeroed((size_t)count, sizeof *found->fates);
        status = found->fates ? read_release(&j, release, columns, column_count, err)
                              : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = look_at_agreeing(&j, quasi, note_unlike, &found->unlike, &all, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        status = judge_one(&j, found, i, &list[i], quasi, err);
    if (status == TACIT_OK)
        *out = found;
    else
        tacit_released_dependencies_free(found);
    tacit__free(j.blanks);
    tacit__grid_clear(&j.grid);
    return status;
}
