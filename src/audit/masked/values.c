/*
 * values.c - claims about what cells say: values and combinations that are kept, their
 * shares, groups, what is taken over of a few, and the two maps (Sweeney, section 4.2).
 *
 * Each is a walk through the sorted keys of both tables, or of the masked one, beside each other.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* Rows of the two tables by what they say in some columns.
 *
 * What a row says becomes one key: the digests of its cells, one mixed into the next, so that the
 * same cells give the same key in either table. Two different combinations have the same key in
 * one of 2^64 cases. Keys are sorted, and tables compared by going through both at once.
 *
 * Cost: six passes over 8 bytes a row (rows/rows.c), 16 with rows. */

enum { KEY_BITS = 64 };

typedef struct keying {
    const tacit__masked_hearing *hearing;
    int table;
    const tacit__heard_column *const *columns;
    size_t count;
    tacit__sorter *sorter;
} keying;

static uint64_t add_token(uint64_t key, uint64_t token)
{
    return tacit__mix(key ^ token) + UINT64_C(0x9E3779B97F4A7C15);
}

static tacit_status key_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const keying *k = context;
    const tacit__masked_hearing *h = k->hearing;
    int64_t end = tacit__block_end(block, h->judge->rows[k->table]);
    (void)worker, (void)err;
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        uint64_t key = 1;
        for (size_t i = 0; i < h->within_count; i++)
            key = add_token(key, h->columns[i]->tokens[k->table][row]);
        for (size_t i = 0; i < k->count; i++)
            key = add_token(key, k->columns[i]->tokens[k->table][row]);
        tacit__sorter_put(k->sorter, row, key);
        if (k->sorter->values)
            k->sorter->values[row] = (uint64_t)row;
    }
    return TACIT_OK;
}

/* Rows of a table by what they say in the columns that a claim is within and some more, sorted by
 * a key that stands for it; the rows themselves as values where asked for. */
static tacit_status sort(tacit__sorter *sorter, const tacit__masked_hearing *hearing, int table,
                         const tacit__heard_column *const *columns, size_t count, bool with_rows,
                         tacit_error *err)
{
    keying k = {hearing, table, columns, count, sorter};
    int64_t rows = hearing->judge->rows[table];
    const tacit_run *run = hearing->judge->run;
    tacit_status status = tacit__sorter_init(sorter, rows, KEY_BITS, with_rows, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "judging", tacit__blocks(rows), key_block, &k, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(sorter, run, err);
    if (status == TACIT_OK)
        tacit__sorter_trim(sorter);
    return status;
}

/* Where the keys that are equal to the one at a place end. */
static int64_t masked_run(const tacit__sorter *sorter, int64_t at)
{
    uint64_t key = tacit__sorter_key(sorter, at);
    while (at < sorter->count && tacit__sorter_key(sorter, at) == key)
        at++;
    return at;
}

/* Goes through two sorted tables at once: to the next key of either, which in each has the places
 * from at to before end, none where it does not have the key. end starts as zeros; false where no
 * key is left. */
static bool masked_step(int64_t at[TACIT__BOTH], int64_t end[TACIT__BOTH],
                        const tacit__sorter sorters[TACIT__BOTH])
{
    uint64_t least = UINT64_MAX;
    bool left = false;
    for (int table = 0; table < TACIT__BOTH; table++) {
        at[table] = end[table];
        if (at[table] == sorters[table].count)
            continue;
        uint64_t key = tacit__sorter_key(&sorters[table], at[table]);
        least = key < least ? key : least;
        left = true;
    }
    for (int table = 0; table < TACIT__BOTH; table++)
        if (at[table] < sorters[table].count &&
            tacit__sorter_key(&sorters[table], at[table]) == least)
            end[table] = masked_run(&sorters[table], at[table]);
    return left;
}

/* ---- groups ---- */

static bool groups_capacity(tacit__within *within, const tacit__masked_hearing *hearing)
{
    const int64_t *rows = hearing->judge->rows;
    size_t groups = (size_t)(rows[0] + rows[1]); /* at most */
    for (int table = 0; table < TACIT__BOTH; table++) {
        size_t count = hearing->within_count ? (size_t)rows[table] : 0;
        within->group[table] = tacit__alloc_array(count, sizeof *within->group[table]);
        within->sizes[table] =
            tacit__alloc_zeroed(hearing->within_count ? groups : 1, sizeof *within->sizes[table]);
        if (!within->group[table] || !within->sizes[table])
            return false;
    }
    return true;
}

/* Numbers groups in the order of their keys, which is the same in both tables. */
static void number_groups(tacit__within *within, const tacit__sorter sorters[TACIT__BOTH])
{
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0};
    while (masked_step(at, end, sorters)) {
        for (int table = 0; table < TACIT__BOTH; table++) {
            within->sizes[table][within->count] = end[table] - at[table];
            for (int64_t i = at[table]; i < end[table]; i++)
                within->group[table][sorters[table].values[i]] = (uint32_t)within->count;
        }
        within->count++;
    }
}

tacit_status tacit__within_init(tacit__within *within, const tacit__masked_hearing *hearing,
                                tacit_error *err)
{
    tacit__sorter sorters[TACIT__BOTH] = {0};
    *within = (tacit__within){.count = 0};
    tacit_status status = groups_capacity(within, hearing) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && hearing->within_count == 0) {
        within->count = 1;
        for (int table = 0; table < TACIT__BOTH; table++)
            within->sizes[table][0] = hearing->judge->rows[table];
        within->whole = true;
        return TACIT_OK;
    }
    for (int table = 0; status == TACIT_OK && table < TACIT__BOTH; table++)
        status = sort(&sorters[table], hearing, table, NULL, 0, true, err);
    if (status == TACIT_OK)
        number_groups(within, sorters);
    for (int table = 0; table < TACIT__BOTH; table++)
        tacit__sorter_clear(&sorters[table]);
    return status;
}

void tacit__within_clear(tacit__within *within)
{
    for (int table = 0; table < TACIT__BOTH; table++) {
        tacit__free(within->group[table]);
        tacit__free(within->sizes[table]);
    }
}

/* The keys of both tables, sorted. */
typedef struct pair {
    tacit__sorter sorters[TACIT__BOTH];
} pair;

static tacit_status pair_init(pair *p, const tacit__masked_hearing *h,
                              const tacit__heard_column *const *columns, size_t count,
                              bool with_rows, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *p = (pair){0};
    for (int table = 0; status == TACIT_OK && table < TACIT__BOTH; table++)
        status = sort(&p->sorters[table], h, table, columns, count, with_rows, err);
    return status;
}

static void pair_clear(pair *p)
{
    for (int table = 0; table < TACIT__BOTH; table++)
        tacit__sorter_clear(&p->sorters[table]);
}

static const tacit__heard_column *const *own_columns(const tacit__masked_hearing *h)
{
    return h->columns + h->within_count;
}

/* ---- values and combinations ---- */

/* Combinations that one of the tables has too often for the other. */
static tacit_status hear_multiset(const tacit__masked_hearing *h,
                                  const tacit__heard_column *const *columns, size_t count,
                                  tacit_error *err)
{
    pair p;
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0}, differing = 0;
    tacit_status status = pair_init(&p, h, columns, count, false, err);
    while (status == TACIT_OK && masked_step(at, end, p.sorters))
        differing += llabs((end[0] - at[0]) - (end[1] - at[1]));
    if (status == TACIT_OK)
        tacit__measured(h, count == 1 ? columns[0] : NULL, (double)differing, -1, differing > 0);
    pair_clear(&p);
    return status;
}

tacit_status tacit__hear_values(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++)
        status = hear_multiset(hearing, &hearing->columns[i], 1, err);
    return status;
}

tacit_status tacit__hear_unit(const tacit__masked_hearing *hearing, tacit_error *err)
{
    return hear_multiset(hearing, own_columns(hearing), hearing->kept->column_count, err);
}

/* ---- shares ---- */

/* The share of its group that a key's rows are; 0 where the table does not have the group. */
static double share_of(int64_t count, int64_t size)
{
    return size ? (double)count / (double)size : 0;
}

static double largest_difference(const pair *p, const tacit__within *within)
{
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0};
    double largest = NAN;
    while (masked_step(at, end, p->sorters)) {
        int table = at[0] < end[0] ? 0 : 1; /* that has the key */
        const uint64_t *rows = p->sorters[table].values;
        int64_t group = rows ? tacit__within_of(within, table, (int64_t)rows[at[table]]) : 0;
        double before = share_of(end[0] - at[0], within->sizes[0][group]);
        double after = share_of(end[1] - at[1], within->sizes[1][group]);
        largest = fmax(largest, fabs(after - before));
    }
    return largest;
}

tacit_status tacit__hear_shares(const tacit__masked_hearing *hearing, tacit_error *err)
{
    const double arithmetic = 1e-12;
    tacit__within within;
    tacit_status status = tacit__within_init(&within, hearing, err);
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++) {
        pair p;
        status = pair_init(&p, hearing, &hearing->columns[i], 1, !within.whole, err);
        double largest = status == TACIT_OK ? largest_difference(&p, &within) : NAN;
        if (status == TACIT_OK && !isnan(largest))
            tacit__measured(hearing, hearing->columns[i], largest, -1,
                            largest > hearing->kept->amount + arithmetic);
        pair_clear(&p);
    }
    tacit__within_clear(&within);
    return status;
}

/* ---- groups ---- */

tacit_status tacit__hear_groups(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit__sorter sorter = {0};
    int64_t smallest = INT64_MAX, row = -1;
    tacit_status status = sort(&sorter, hearing, TACIT__MASKED, own_columns(hearing),
                               hearing->kept->column_count, true, err);
    for (int64_t at = 0, end; status == TACIT_OK && at < sorter.count; at = end) {
        end = masked_run(&sorter, at);
        int64_t first = (int64_t)sorter.values[at]; /* sorting is stable */
        if (end - at < smallest || (end - at == smallest && first < row)) {
            smallest = end - at;
            row = first;
        }
    }
    if (status == TACIT_OK && row >= 0)
        tacit__measured(hearing, NULL, (double)smallest, row,
                        (double)smallest < hearing->kept->amount);
    tacit__sorter_clear(&sorter);
    return status;
}

/* ---- what is taken over ---- */

/* Of a column's values that both tables have, the one that the fewest rows of the original have. */
typedef struct rarest {
    int64_t rows, first; /* of the original; the first row of the masked table with it */
} rarest;

static tacit_status find_rarest(rarest *found, const tacit__masked_hearing *h,
                                const tacit__heard_column *const *column, tacit_error *err)
{
    pair p;
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0};
    tacit_status status = pair_init(&p, h, column, 1, true, err);
    while (status == TACIT_OK && masked_step(at, end, p.sorters)) {
        int64_t rows = end[TACIT__ORIGINAL] - at[TACIT__ORIGINAL];
        if (at[TACIT__MASKED] == end[TACIT__MASKED] || rows == 0)
            continue;
        int64_t first = (int64_t)p.sorters[TACIT__MASKED].values[at[TACIT__MASKED]];
        if (rows < found->rows || (rows == found->rows && first < found->first))
            *found = (rarest){rows, first};
    }
    pair_clear(&p);
    return status;
}

tacit_status tacit__hear_common(const tacit__masked_hearing *hearing, tacit_error *err)
{
    const tacit__heard_column *column = NULL;
    rarest worst = {INT64_MAX, -1};
    tacit_status status = TACIT_OK;
    for (size_t i = hearing->within_count; status == TACIT_OK && i < hearing->count; i++) {
        rarest found = {INT64_MAX, -1};
        status = find_rarest(&found, hearing, &hearing->columns[i], err);
        if (found.rows < worst.rows) {
            worst = found;
            column = hearing->columns[i];
        }
    }
    if (status == TACIT_OK && column)
        tacit__measured(hearing, column, (double)worst.rows, worst.first,
                        (double)worst.rows < hearing->kept->amount);
    return status;
}

tacit_status tacit__hear_uncopied(const tacit__masked_hearing *hearing, tacit_error *err)
{
    pair p;
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0};
    tacit__judge_tally tally = {0};
    tacit_status status = pair_init(&p, hearing, own_columns(hearing),
                                    hearing->count - hearing->within_count, true, err);
    while (status == TACIT_OK && masked_step(at, end, p.sorters))
        for (int64_t i = at[TACIT__MASKED];
             end[TACIT__ORIGINAL] - at[TACIT__ORIGINAL] == 1 && i < end[TACIT__MASKED]; i++)
            tacit__tally_add(&tally, (int64_t)p.sorters[TACIT__MASKED].values[i]);
    if (status == TACIT_OK)
        tacit__measured(hearing, NULL, (double)tally.count, tally.count ? tally.first : -1,
                        tally.count > 0);
    pair_clear(&p);
    return status;
}

/* ---- together ---- */

/* How many different keys the masked table has of what a claim is within and some more columns. */
static tacit_status count_keys(int64_t *keys, const tacit__masked_hearing *hearing, size_t columns,
                               tacit_error *err)
{
    tacit__sorter sorter = {0};
    tacit_status status =
        sort(&sorter, hearing, TACIT__MASKED, own_columns(hearing), columns, false, err);
    *keys = 0;
    for (int64_t at = 0; status == TACIT_OK && at < sorter.count; at = masked_run(&sorter, at))
        ++*keys;
    tacit__sorter_clear(&sorter);
    return status;
}

/* Where all rows of a group agree in the columns, it has one combination of them; so there are as
 * many combinations of both as there are groups. */
tacit_status tacit__hear_together(const tacit__masked_hearing *hearing, tacit_error *err)
{
    int64_t groups = 0, both = 0;
    tacit_status status = count_keys(&groups, hearing, 0, err);
    if (status == TACIT_OK)
        status = count_keys(&both, hearing, hearing->kept->column_count, err);
    if (status == TACIT_OK)
        tacit__measured(hearing, NULL, (double)(both - groups), -1, both > groups);
    return status;
}

/* ---- maps ---- */

static bool is_any(const tacit__masked_hearing *h, int64_t row)
{
    (void)h, (void)row;
    return true;
}

/* Whether a masked row says in all columns what the row it came from says. */
static bool is_own(const tacit__masked_hearing *h, int64_t row)
{
    int64_t origin = tacit__masked_origin(h->judge, row);
    if (origin < 0)
        return false;
    for (size_t i = h->within_count; i < h->count; i++)
        if (h->columns[i]->tokens[TACIT__MASKED][row] !=
            h->columns[i]->tokens[TACIT__ORIGINAL][origin])
            return false;
    return true;
}

/* A row may be as it was while the group that it is in is another; it is counted once. */
static bool is_another(const tacit__masked_hearing *h, int64_t row)
{
    return !is_own(h, row);
}

/* Empty cells are not made up. */
static bool is_made_up(const tacit__masked_hearing *h, int64_t row)
{
    bool says_something = false;
    for (size_t i = h->within_count; i < h->count; i++)
        says_something |= h->columns[i]->tokens[TACIT__MASKED][row] != 0;
    return says_something && tacit__masked_origin(h->judge, row) < 0;
}

/* Those masked rows that count with a combination that the original has, or has not. */
static tacit_status tally_rows(tacit__judge_tally *tally, const tacit__masked_hearing *h, bool had,
                               bool (*counts)(const tacit__masked_hearing *h, int64_t row),
                               tacit_error *err)
{
    pair p;
    int64_t at[TACIT__BOTH], end[TACIT__BOTH] = {0};
    tacit_status status = pair_init(&p, h, own_columns(h), h->count - h->within_count, true, err);
    while (status == TACIT_OK && masked_step(at, end, p.sorters)) {
        if ((at[TACIT__ORIGINAL] < end[TACIT__ORIGINAL]) != had)
            continue;
        for (int64_t i = at[TACIT__MASKED]; i < end[TACIT__MASKED]; i++) {
            int64_t row = (int64_t)p.sorters[TACIT__MASKED].values[i];
            if (counts(h, row))
                tacit__tally_add(tally, row);
        }
    }
    pair_clear(&p);
    return status;
}

static void measure_rows(const tacit__masked_hearing *h, tacit__judge_tally tally)
{
    tacit__measured(h, NULL, (double)tally.count, tally.count ? tally.first : -1, tally.count > 0);
}

tacit_status tacit__hear_null_map(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit__judge_tally tally = {0};
    tacit_status status = tally_rows(&tally, hearing, true, is_any, err);
    if (status == TACIT_OK)
        measure_rows(hearing, tally);
    return status;
}

tacit_status tacit__hear_wrong_map(const tacit__masked_hearing *hearing, tacit_error *err)
{
    tacit__judge_tally tally = {0};
    tacit_status status = tally_rows(&tally, hearing, false, is_another, err);
    for (int64_t row = 0; status == TACIT_OK && row < hearing->judge->rows[TACIT__MASKED]; row++)
        if (is_own(hearing, row))
            tacit__tally_add(&tally, row);
    if (status == TACIT_OK)
        measure_rows(hearing, tally);
    return status;
}

tacit_status tacit__masked_invented(tacit__judge_tally *tally, const tacit__masked_hearing *hearing,
                                    tacit_error *err)
{
    return tally_rows(tally, hearing, false, is_made_up, err);
}
