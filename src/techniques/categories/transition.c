/*
 * transition.c - matrices of transition probabilities between categories.
 *
 * A matrix is a CSV such as
 *
 *     from,married,single
 *     married,0.9,0.1
 *     single,0.2,0.8
 *
 * read by the reader of tables, so there is no parser here: only checks, whose messages say where.
 * Rows may sum to 1 within a millionth, as matrices with rounded entries do, and are then divided
 * by their sum.
 */
#include "techniques/categories/transition.h"

#include <math.h>
#include <stdio.h>
#include <tacit/table.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"

enum { LONGEST = 4096 };

typedef struct reading {
    tacit__transition *transition;
    const tacit_table *table;
    tacit_strview *cells; /* of a row */
    bool *seen;           /* labels that have had a row */
    tacit_error *err;
} reading;

static tacit_status wrong(const reading *r, int64_t row, const char *what, tacit_strview value)
{
    tacit__shown shown = tacit__show(value);
    return tacit__error_at(r->err, TACIT_PARSE, tacit_table_file(r->table),
                           row < 0 ? 1 : tacit_table_line(r->table, row), 0, what, shown.text);
}

/* A copy of what a cell says. */
static tacit_strview text_of(const reading *r, tacit_strview cell)
{
    char buffer[LONGEST];
    size_t len = tacit_csv_unquote(cell, buffer, sizeof buffer);
    return tacit__arena_copy(&r->transition->arena,
                             (tacit_strview){buffer, len < sizeof buffer ? len : sizeof buffer});
}

static tacit_status read_labels(const reading *r)
{
    tacit__transition *t = r->transition;
    for (uint32_t i = 0; i < t->count; i++) {
        tacit_strview name = tacit_table_name(r->table, (int32_t)i + 1);
        if (name.len == 0)
            return wrong(r, -1, "a category without a name%s", name);
        if (tacit__transition_find(t, name) < i)
            return wrong(r, -1, "the category \"%s\" has two columns", name);
        t->labels[i] = tacit__arena_copy(&t->arena, name);
        if (!t->labels[i].bytes)
            return tacit__nomem(r->err);
    }
    return TACIT_OK;
}

static tacit_status read_shares(const reading *r, int64_t row, uint32_t from)
{
    tacit__transition *t = r->transition;
    double *shares = t->shares + (size_t)from * t->count, sum = 0;
    char buffer[64];
    for (uint32_t i = 0; i < t->count; i++) {
        size_t len = tacit_csv_unquote(r->cells[i + 1], buffer, sizeof buffer);
        shares[i] = len <= sizeof buffer ? tacit__decimal_read((tacit_strview){buffer, len}) : NAN;
        if (!(shares[i] >= 0 && shares[i] <= 1))
            return wrong(r, row, "\"%s\" is no probability from 0 to 1", r->cells[i + 1]);
        sum += shares[i];
    }
    if (fabs(sum - 1) > 1e-6) {
        snprintf(buffer, sizeof buffer, "%.9g", sum);
        return wrong(r, row, "the probabilities of a category sum to 1, these to %s",
                     tacit_strview_of(buffer));
    }
    for (uint32_t i = 0; i < t->count; i++)
        shares[i] /= sum;
    return TACIT_OK;
}

static tacit_status read_row(const reading *r, int64_t row)
{
    tacit_table_row(r->table, row, r->cells);
    tacit_strview label = text_of(r, r->cells[0]);
    if (!label.bytes)
        return tacit__nomem(r->err);
    uint32_t from = tacit__transition_find(r->transition, label);
    if (from == UINT32_MAX)
        return wrong(r, row, "the category \"%s\" has a row and no column", label);
    if (r->seen[from])
        return wrong(r, row, "the category \"%s\" has two rows", label);
    r->seen[from] = true;
    return read_shares(r, row, from);
}

static tacit_status read_table(reading *r)
{
    tacit__transition *t = r->transition;
    int32_t columns = tacit_table_columns(r->table);
    if (columns < 2 || columns - 1 > TACIT__MAX_STATES)
        return wrong(r, -1, "a matrix has from 1 to 1000 categories, each a row and a column%s",
                     (tacit_strview){0});
    t->labels = tacit__alloc_zeroed((size_t)columns, sizeof *t->labels);
    t->count = (uint32_t)columns - 1;
    t->shares = tacit__alloc_array((size_t)t->count * t->count, sizeof *t->shares);
    r->cells = tacit__alloc_array((size_t)columns, sizeof *r->cells);
    r->seen = tacit__alloc_zeroed(t->count, sizeof *r->seen);
    if (!t->labels || !t->shares || !r->cells || !r->seen)
        return tacit__nomem(r->err);
    tacit_status status = read_labels(r);
    for (int64_t row = 0; status == TACIT_OK && row < tacit_table_rows(r->table); row++)
        status = read_row(r, row);
    for (uint32_t i = 0; status == TACIT_OK && i < t->count; i++)
        if (!r->seen[i])
            status = wrong(r, -1, "the category \"%s\" has a column and no row", t->labels[i]);
    return status;
}

static tacit_status take(tacit__transition *transition, tacit_table *table, tacit_error *err)
{
    tacit__transition read = {0};
    reading r = {.transition = &read, .table = table, .err = err};
    tacit_status status = read_table(&r);
    tacit__free(r.cells);
    tacit__free(r.seen);
    tacit_table_free(table);
    if (status == TACIT_OK)
        *transition = read;
    else
        tacit__transition_clear(&read);
    return status;
}

static tacit_csv_options options_of(void)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    options.max_field = LONGEST;
    return options;
}

tacit_status tacit__transition_read(tacit__transition *transition, const char *path,
                                    tacit_error *err)
{
    tacit_csv_options options = options_of();
    tacit_run run;
    tacit_table *table = NULL;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status = tacit_table_read(&table, path, &options, &run, err);
    return status == TACIT_OK ? take(transition, table, err) : status;
}

tacit_status tacit__transition_read_memory(tacit__transition *transition, tacit_strview bytes,
                                           const char *name, tacit_error *err)
{
    tacit_csv_options options = options_of();
    tacit_run run;
    tacit_table *table = NULL;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status = tacit_table_read_memory(&table, bytes, name, &options, &run, err);
    return status == TACIT_OK ? take(transition, table, err) : status;
}

void tacit__transition_clear(tacit__transition *transition)
{
    tacit__free(transition->labels);
    tacit__free(transition->shares);
    tacit__arena_clear(&transition->arena);
    *transition = (tacit__transition){0};
}

/* Labels that are not yet read are empty, which no label is. */
uint32_t tacit__transition_find(const tacit__transition *transition, tacit_strview label)
{
    for (uint32_t i = 0; i < transition->count; i++)
        if (transition->labels[i].len > 0 && tacit_strview_equal(transition->labels[i], label))
            return i;
    return UINT32_MAX;
}
