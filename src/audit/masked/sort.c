/*
 * sort.c - rows of the two tables by what they say in some columns.
 *
 * What a row says becomes one key: the digests of its cells, one mixed into the next, so that the
 * same cells give the same key in either table. Two different combinations have the same key in
 * one of 2^64 cases. Keys are sorted, and tables compared by going through both at once.
 *
 * Cost: six passes over 8 bytes a row (rows/sort.c), 16 with rows.
 */
#include "audit/judge/judge.h"
#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

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

tacit_status tacit__masked_sort(tacit__sorter *sorter, const tacit__masked_hearing *hearing,
                                int table, const tacit__heard_column *const *columns, size_t count,
                                bool with_rows, tacit_error *err)
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

int64_t tacit__masked_run(const tacit__sorter *sorter, int64_t at)
{
    uint64_t key = tacit__sorter_key(sorter, at);
    while (at < sorter->count && tacit__sorter_key(sorter, at) == key)
        at++;
    return at;
}

bool tacit__masked_step(int64_t at[TACIT__BOTH], int64_t end[TACIT__BOTH],
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
            end[table] = tacit__masked_run(&sorters[table], at[table]);
    return left;
}

/* ---- groups ---- */

static bool groups_room(tacit__within *within, const tacit__masked_hearing *hearing)
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
    while (tacit__masked_step(at, end, sorters)) {
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
    tacit_status status = groups_room(within, hearing) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && hearing->within_count == 0) {
        within->count = 1;
        for (int table = 0; table < TACIT__BOTH; table++)
            within->sizes[table][0] = hearing->judge->rows[table];
        within->whole = true;
        return TACIT_OK;
    }
    for (int table = 0; status == TACIT_OK && table < TACIT__BOTH; table++)
        status = tacit__masked_sort(&sorters[table], hearing, table, NULL, 0, true, err);
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
