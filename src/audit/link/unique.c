/*
 * unique.c - how many people of a register are alone with their values, for every
 * combination of a few of its columns (Sweeney, Figure 16: 12 % of the voters of Cambridge by birth
 * date, 29 % with sex, 69 % with five digits of ZIP).
 *
 * For each combination the nodes of its columns are packed and sorted (rows/rows.c), and runs of
 * equal keys are counted. A value that is not known is taken as a value of its own.
 *
 * Cost: a sort of the people for each combination, 8 bytes a person where its keys take 32 bits or
 * less, else 16; 4 more for each column where people have several rows.
 */
#include <stdlib.h>

#include "audit/link/link.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* The people, and a column each what is known of them. */
typedef struct census {
    const tacit_link_case *c;
    const tacit_run *run;
    uint32_t *owned[TACIT_MAX_LINK_COLUMNS]; /* codes of people with several rows */
    tacit_codes_view codes[TACIT_MAX_LINK_COLUMNS];
} census;

/* The first row of each person. */
static tacit_status take_first_rows(census *people, int32_t column, tacit_error *err)
{
    const tacit_link_case *c = people->c;
    people->codes[column] = c->columns[column].known;
    if (!c->person)
        return TACIT_OK;
    uint32_t *codes = people->owned[column] = tacit__alloc_array((size_t)c->people, sizeof *codes);
    if (!codes)
        return tacit__nomem(err);
    for (int64_t row = 0; row < c->rows; row++)
        if (row == 0 || c->person[row] != c->person[row - 1])
            codes[c->person[row]] = tacit_codes_at(c->columns[column].known, row);
    people->codes[column] = (tacit_codes_view){codes, 4};
    return TACIT_OK;
}

static void count_runs(tacit_link_unique *found, const tacit__sorter *sorter, int64_t k)
{
    for (int64_t i = 0, end; i < sorter->count; i = end) {
        uint64_t key = tacit__sorter_key(sorter, i);
        for (end = i + 1; end < sorter->count && tacit__sorter_key(sorter, end) == key;)
            end++;
        found->groups++;
        found->alone += end - i == 1;
        found->below += end - i < k ? end - i : 0;
    }
}

static tacit_status count_set(tacit_link_unique *found, const census *people, tacit_error *err)
{
    tacit__keys keys = {.rows = people->c->people, .run = people->run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < people->c->column_count && status == TACIT_OK; i++)
        if (found->columns >> i & 1)
            status =
                tacit__keys_add_mapped(&keys, people->codes[i], people->c->columns[i].known_nodes,
                                       people->c->columns[i].nodes - 1, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&keys, err);
    if (status == TACIT_OK)
        count_runs(found, &keys.sorter, people->c->k);
    tacit__keys_clear(&keys);
    return status;
}

/* How many combinations of at most so many columns there are; beyond the limit it does
 * not matter how many. */
static int64_t count_sets(int32_t columns, int32_t most)
{
    int64_t all = 0, of_size = 1;
    for (int32_t size = 1; size <= most && all <= TACIT_MAX_LINK_SETS; size++) {
        of_size = of_size * (columns - size + 1) / size;
        all += of_size;
    }
    return all;
}

/* The next set with as many columns, or 0. */
static uint64_t next_set(uint64_t set, int32_t columns)
{
    uint64_t low = set & -set, high = set + low;
    uint64_t next = high ? (((high ^ set) >> 2) / low) | high : 0;
    return high && (columns == 64 || next >> columns == 0) ? next : 0;
}

static void list_sets(tacit_link_unique *sets, int32_t columns, int32_t most)
{
    int64_t count = 0;
    for (int32_t size = 1; size <= most; size++)
        for (uint64_t set = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1; set;
             set = next_set(set, columns))
            sets[count++] = (tacit_link_unique){.columns = set};
}

static int compare(const void *a, const void *b)
{
    const tacit_link_unique *x = a, *y = b;
    int more = __builtin_popcountll(x->columns) - __builtin_popcountll(y->columns);
    if (more)
        return more;
    if (x->alone != y->alone)
        return x->alone < y->alone ? 1 : -1;
    return x->columns < y->columns ? -1 : x->columns > y->columns;
}

tacit_status tacit_link_uniqueness(tacit_link_unique **out, int32_t *count,
                                   const tacit_link_case *c, int32_t most, const tacit_run *run,
                                   tacit_error *err)
{
    if (most > c->column_count)
        most = c->column_count;
    int64_t sets = count_sets(c->column_count, most);
    if (c->column_count > TACIT_MAX_LINK_COLUMNS || sets > TACIT_MAX_LINK_SETS)
        return tacit__error(err, TACIT_LIMIT,
                            "%d columns have more than %d combinations of up to %d: ask for fewer",
                            c->column_count, TACIT_MAX_LINK_SETS, most);
    census people = {.c = c, .run = run};
    tacit_link_unique *made = tacit__alloc_zeroed((size_t)sets, sizeof *made);
    tacit_status status = made ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < c->column_count && status == TACIT_OK; i++)
        status = take_first_rows(&people, i, err);
    if (status == TACIT_OK)
        list_sets(made, c->column_count, most);
    for (int64_t i = 0; i < sets && status == TACIT_OK; i++) {
        status = tacit__progress(run, "looking for unique people", i, sets, err);
        if (status == TACIT_OK)
            status = count_set(&made[i], &people, err);
    }
    for (int32_t i = 0; i < TACIT_MAX_LINK_COLUMNS; i++)
        tacit__free(people.owned[i]);
    if (status != TACIT_OK) {
        tacit__free(made);
        return status;
    }
    qsort(made, (size_t)sets, sizeof *made, compare);
    *out = made;
    *count = (int32_t)sets;
    return TACIT_OK;
}

void tacit_link_uniqueness_free(tacit_link_unique *sets)
{
    tacit__free(sets);
}
