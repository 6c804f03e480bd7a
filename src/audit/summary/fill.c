/*
 * fill.c - the program of one block, made: a variable for each class and combination, a row
 * for each class and each entry of a table, which are numbered as they are met. Memory and time go
 * with the variables times the tables.
 */
#include "audit/summary/fill.h"

#include "base/alloc.h"
#include "base/error.h"

static int64_t most_of(const tacit__combos *c, int32_t variable)
{
    const tacit__joint *j = c->joint;
    int64_t most = tacit__joint_size(j, c->classes[c->owner[variable]]);
    for (int32_t t = 0; t < j->table_count; t++) {
        int64_t left = j->left[c->entries[(size_t)variable * (size_t)j->table_count + (size_t)t]];
        most = left < most ? left : most;
    }
    return most;
}

/* The row of a class or entry, made where there is none yet. */
static int32_t row_for(tacit__block_program *p, int32_t item, int32_t table, int64_t sum)
{
    int32_t *rows = p->combos->program_rows;
    if (rows[item] < 0) {
        p->table_of[p->rows] = table;
        p->sums[p->rows] = (double)sum;
        rows[item] = p->rows++;
    }
    return rows[item];
}

/* The rows that a column is in. */
static void fill_column(tacit__block_program *p, int32_t *items, int32_t variable)
{
    const tacit__combos *c = p->combos;
    const tacit__joint *j = p->joint;
    int32_t owner = c->owner[variable];
    items[0] = row_for(p, owner, -1, tacit__joint_size(j, c->classes[owner]));
    for (int32_t t = 0; t < j->table_count; t++) {
        int32_t entry = c->entries[(size_t)variable * (size_t)j->table_count + (size_t)t];
        items[t + 1] = row_for(p, c->open + entry, t, j->left[entry]);
    }
}

typedef struct lines {
    double *lower, *values;
    bool *integers;
    int32_t *starts, *items;
} lines;

static void lines_clear(lines *l)
{
    tacit__free(l->lower);
    tacit__free(l->values);
    tacit__free(l->integers);
    tacit__free(l->starts);
    tacit__free(l->items);
}

static bool lines_init(lines *l, const tacit__block_program *p)
{
    size_t count = (size_t)p->count, width = (size_t)p->joint->table_count + 1;
    l->lower = tacit__alloc_zeroed(count, sizeof *l->lower);
    l->values = tacit__alloc_array(count * width, sizeof *l->values);
    l->integers = tacit__alloc_array(count, sizeof *l->integers);
    l->starts = tacit__alloc_array(count + 1, sizeof *l->starts);
    l->items = tacit__alloc_array(count * width, sizeof *l->items);
    return l->lower && l->values && l->integers && l->starts && l->items;
}

static tacit_status fill_program(tacit__block_program *p, tacit_error *err)
{
    lines l = {0};
    int32_t width = p->joint->table_count + 1;
    tacit_status status = lines_init(&l, p) ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        p->combos->place[p->items[i]] = i;
        p->upper[i] = (double)most_of(p->combos, p->items[i]);
        l.integers[i] = !p->linear;
        l.starts[i] = i * width;
        fill_column(p, l.items + (size_t)i * (size_t)width, p->items[i]);
        for (int32_t t = 0; t < width; t++)
            l.values[(size_t)i * (size_t)width + (size_t)t] = 1;
    }
    if (status == TACIT_OK) {
        l.starts[p->count] = p->count * width;
        tacit__solver_lines rows = {.count = p->rows, .lower = p->sums, .upper = p->sums};
        status = tacit__solver_add_rows(p->solver, &rows, err);
    }
    if (status == TACIT_OK) {
        tacit__solver_lines columns = {.count = p->count,
                                       .lower = l.lower,
                                       .upper = p->upper,
                                       .integers = l.integers,
                                       .starts = l.starts,
                                       .items = l.items,
                                       .values = l.values};
        status = tacit__solver_add_columns(p->solver, &columns, err);
    }
    lines_clear(&l);
    return status;
}

void tacit__block_program_clear(tacit__block_program *p)
{
    tacit__solver_free(p->solver);
    tacit__free(p->table_of);
    tacit__free(p->sums);
    tacit__free(p->upper);
    tacit__free(p->last);
}

tacit_status tacit__block_program_init(tacit__block_program *p, tacit_error *err)
{
    const tacit__summary_limits *limits = &p->joint->scene->limits;
    size_t rows = (size_t)p->count * ((size_t)p->joint->table_count + 1);
    p->linear = p->joint->table_count == 1 || p->count > limits->integers;
    p->whole = p->joint->table_count == 1 || !p->linear;
    p->exact = p->whole;
    p->nodes = limits->nodes;
    p->table_of = tacit__alloc_array(rows, sizeof *p->table_of);
    p->sums = tacit__alloc_array(rows, sizeof *p->sums);
    p->upper = tacit__alloc_array((size_t)p->count, sizeof *p->upper);
    p->last = tacit__alloc_array((size_t)p->count, sizeof *p->last);
    if (!p->table_of || !p->sums || !p->upper || !p->last)
        return tacit__nomem(err);
    tacit_status status = tacit__solver_new(&p->solver, NULL, err);
    return status == TACIT_OK ? fill_program(p, err) : status;
}
