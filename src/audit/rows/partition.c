/*
 * partition.c - rows put together by what they say in some columns, and kept for those who ask
 * next.
 *
 * The rows' keys are numbered in their order (rows.c), and the rows of each number are counted. The
 * judge looks at the classes of a quasi-identifier several times: for k, for identifiers that
 * repeat in them, for what is promised of sensitive values and for what these say by themselves.
 * All of it asks for the classes here, so they are found once. What methods found is never asked.
 *
 * Only the last classes are kept: one after the other, quasi-identifiers take the memory of one.
 *
 * Cost: that of the keys and a pass over the rows; 4 bytes a row and 16 a class stay.
 */
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* The rows of each class, counted by every worker for itself. */
typedef struct measuring {
    const tacit__partition *partition;
    int64_t rows;
    int64_t *sizes; /* a worker's classes, then the next one's */
    int64_t *first;
} measuring;

static void count_rows(const tacit__partition *p, int64_t from, int64_t end, int64_t *sizes,
                       int64_t *first)
{
    for (int64_t row = from; row < end; row++) {
        uint32_t class = p->class_of[row];
        if (sizes[class]++ == 0 || row < first[class])
            first[class] = row;
    }
}

static tacit_status measure_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    const measuring *m = context;
    int64_t from = (int64_t)worker * m->partition->count;
    count_rows(m->partition, block * TACIT__BLOCK, tacit__block_end(block, m->rows),
               m->sizes + from, m->first + from);
    return TACIT_OK;
}

static void sum_workers(tacit__partition *p, const measuring *m, int workers)
{
    for (int64_t at = 0; at < workers * p->count; at++) {
        int64_t class = at % p->count;
        if (m->sizes[at] && (p->sizes[class] == 0 || m->first[at] < p->first[class]))
            p->first[class] = m->first[at];
        p->sizes[class] += m->sizes[at];
    }
}

/* Side by side where classes are few beside the rows: each worker has counts of its own. */
static tacit_status measure_classes(tacit__partition *p, int64_t rows, const tacit_run *run,
                                    tacit_error *err)
{
    int workers = tacit__threads(run);
    p->sizes = tacit__alloc_zeroed((size_t)p->count, sizeof *p->sizes);
    p->first = tacit__alloc_array((size_t)p->count, sizeof *p->first);
    if (!p->sizes || !p->first)
        return tacit__nomem(err);
    if (workers == 1 || p->count > rows / 16 / workers) {
        count_rows(p, 0, rows, p->sizes, p->first);
        return TACIT_OK;
    }
    size_t all = (size_t)workers * (size_t)p->count;
    measuring m = {.partition = p,
                   .rows = rows,
                   .sizes = tacit__alloc_zeroed(all, sizeof *m.sizes),
                   .first = tacit__alloc_array(all, sizeof *m.first)};
    tacit_status status = m.sizes && m.first ? tacit__parallel(run, "judging", tacit__blocks(rows),
                                                               measure_block, &m, err)
                                             : tacit__nomem(err);
    if (status == TACIT_OK)
        sum_workers(p, &m, workers);
    tacit__free(m.sizes);
    tacit__free(m.first);
    return status;
}

tacit_status tacit__partition_of(tacit__partition *partition, tacit__keys *keys, tacit_error *err)
{
    tacit__partition made = {0};
    tacit_status status = tacit__keys_number(&made.class_of, &made.count, keys, err);
    if (status == TACIT_OK)
        status = measure_classes(&made, keys->rows, keys->run, err);
    if (status == TACIT_OK)
        *partition = made;
    else
        tacit__partition_clear(&made);
    return status;
}

tacit_status tacit__partition_init(tacit__partition *partition, const tacit_table *table,
                                   const int32_t *columns, int32_t count, const tacit_run *run,
                                   tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(table), .run = run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__keys_add(&keys, tacit_table_codes(table, columns[i]),
                                 tacit__code_max(table, columns[i]), err);
    if (status == TACIT_OK)
        status = tacit__partition_of(partition, &keys, err);
    tacit__keys_clear(&keys);
    return status;
}

void tacit__partition_clear(tacit__partition *partition)
{
    tacit__free(partition->class_of);
    tacit__free(partition->sizes);
    tacit__free(partition->first);
    *partition = (tacit__partition){0};
}

struct tacit_audit_groups {
    const tacit_table *table; /* NULL: nothing is kept */
    int32_t *columns;
    int32_t count;
    tacit__partition partition;
};

tacit_status tacit_audit_groups_new(tacit_audit_groups **out, tacit_error *err)
{
    tacit_audit_groups *groups = tacit__alloc_zeroed(1, sizeof *groups);
    if (!groups)
        return tacit__nomem(err);
    *out = groups;
    return TACIT_OK;
}

static void groups_clear(tacit_audit_groups *groups)
{
    tacit__partition_clear(&groups->partition);
    tacit__free(groups->columns);
    *groups = (tacit_audit_groups){0};
}

void tacit_audit_groups_free(tacit_audit_groups *groups)
{
    if (groups)
        groups_clear(groups);
    tacit__free(groups);
}

static bool are_kept(const tacit_audit_groups *groups, const tacit_table *table,
                     const int32_t *columns, int32_t count)
{
    return groups->table == table && groups->count == count &&
           memcmp(groups->columns, columns, (size_t)count * sizeof *columns) == 0;
}

tacit_status tacit__groups_get(const tacit__partition **out, tacit_audit_groups *groups,
                               const tacit_table *table, const int32_t *columns, int32_t count,
                               const tacit_run *run, tacit_error *err)
{
    *out = &groups->partition;
    if (are_kept(groups, table, columns, count))
        return TACIT_OK;
    groups_clear(groups);
    groups->columns = tacit__alloc_array((size_t)count, sizeof *groups->columns);
    if (!groups->columns)
        return tacit__nomem(err);
    memcpy(groups->columns, columns, (size_t)count * sizeof *columns);
    tacit_status status =
        tacit__partition_init(&groups->partition, table, columns, count, run, err);
    if (status != TACIT_OK)
        return status;
    groups->count = count;
    groups->table = table;
    return TACIT_OK;
}
