/*
 * sheet.c - rows and columns of a sheet: made of a table, loaded on demand, rearranged.
 *
 * Loading is one pass over the file's rows for all columns that are asked for, a stretch a task:
 * eight bytes a cell. Rearranging rows gathers the marks and numbers of the columns that are
 * loaded; those that are loaded later follow `origin`.
 */
#include "techniques/sheet/sheet.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "table/csv_row.h"
#include "techniques/sheet/marks.h"

static tacit_status name_columns(tacit__sheet *sheet, tacit_error *err)
{
    for (int32_t i = 0; i < sheet->column_count; i++) {
        tacit_strview name = tacit_table_name(sheet->table, i);
        sheet->columns[i].source = i;
        sheet->columns[i].name = tacit__copy_bytes(name.bytes, name.len);
        if (!sheet->columns[i].name)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

tacit_status tacit__sheet_init(tacit__sheet *sheet, const tacit_table *table, const tacit_run *run,
                               tacit_error *err)
{
    int64_t rows = tacit_table_rows(table);
    *sheet = (tacit__sheet){.table = table, .run = run, .rows = rows};
    if (table->len >> TACIT__PLACE_BITS)
        return tacit__error(err, TACIT_LIMIT, "%s: techniques work on files of at most 256 GiB",
                            tacit_table_file(table));
    sheet->origin = tacit__alloc_array((size_t)rows, sizeof *sheet->origin);
    sheet->columns =
        tacit__alloc_zeroed((size_t)tacit_table_columns(table) + 1, sizeof *sheet->columns);
    tacit_status status = TACIT_OK;
    if (!sheet->origin || !sheet->columns) {
        status = tacit__nomem(err);
    } else {
        sheet->column_count = tacit_table_columns(table);
        status = name_columns(sheet, err);
    }
    if (status != TACIT_OK) {
        tacit__sheet_clear(sheet);
        return status;
    }
    for (int64_t row = 0; row < rows; row++)
        sheet->origin[row] = (uint32_t)row;
    return TACIT_OK;
}

void tacit__sheet_clear(tacit__sheet *sheet)
{
    for (int32_t i = 0; i < sheet->column_count; i++) {
        tacit__sheet_column *column = &sheet->columns[i];
        tacit__free(column->name);
        tacit__free(column->marks);
        tacit__free(column->numbers);
        tacit__free(column->texts);
    }
    tacit__free(sheet->columns);
    tacit__free(sheet->origin);
    tacit__arena_clear(&sheet->arena);
    *sheet = (tacit__sheet){0};
}

int32_t tacit__sheet_find(const tacit__sheet *sheet, const char *name)
{
    for (int32_t i = 0; i < sheet->column_count; i++)
        if (strcmp(sheet->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- loading ---- */

typedef struct loading {
    tacit__sheet *sheet;
    const int32_t *columns; /* those that lack marks */
    size_t count;
    int32_t width;        /* cells of a row up to the last of them */
    tacit_strview *cells; /* width for each worker */
} loading;

static tacit_status load_stretch(void *context, int64_t task, int worker, tacit_error *err)
{
    loading *l = context;
    const tacit__sheet *sheet = l->sheet;
    const tacit_table *table = sheet->table;
    int64_t from = task * TACIT__STRETCH, to = from + TACIT__STRETCH;
    tacit_strview *cells = l->cells + (size_t)worker * (size_t)l->width;
    (void)err;
    for (int64_t row = from; row < to && row < sheet->rows; row++) {
        bool real = sheet->origin[row] != TACIT__NO_ORIGIN;
        if (real)
            tacit__row_at(table, tacit__row_start(table, sheet->origin[row]),
                          tacit__row_start(table, sheet->origin[row] + 1), cells, l->width);
        for (size_t i = 0; i < l->count; i++) {
            tacit__sheet_column *column = &sheet->columns[l->columns[i]];
            tacit_strview cell = real ? cells[column->source] : (tacit_strview){table->bytes, 0};
            column->marks[row] = tacit__mark_raw((size_t)(cell.bytes - table->bytes), cell.len);
        }
    }
    return TACIT_OK;
}

static tacit_status load(tacit__sheet *sheet, const int32_t *columns, size_t count, int32_t width,
                         tacit_error *err)
{
    loading l = {sheet, columns, count, width, NULL};
    /* cells of a row are cut to its end where that is asked for, so there is room for all */
    l.cells =
        tacit__alloc_array((size_t)tacit__threads(sheet->run) * (size_t)width, sizeof *l.cells);
    if (!l.cells)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(sheet->run, "loading columns",
                        (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH, load_stretch, &l, err);
    tacit__free(l.cells);
    return status;
}

tacit_status tacit__sheet_load(tacit__sheet *sheet, const int32_t *columns, size_t count,
                               tacit_error *err)
{
    int32_t *wanted = tacit__alloc_array(count, sizeof *wanted), width = 0;
    size_t left = 0;
    tacit_status status = wanted ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        tacit__sheet_column *column = &sheet->columns[columns[i]];
        if (column->marks)
            continue;
        column->marks = tacit__alloc_array((size_t)sheet->rows, sizeof *column->marks);
        if (!column->marks)
            status = tacit__nomem(err);
        width = column->source >= width ? column->source + 1 : width;
        wanted[left++] = columns[i];
    }
    if (status == TACIT_OK && left > 0)
        status = load(sheet, wanted, left, width, err);
    for (size_t i = 0; status != TACIT_OK && i < left; i++) {
        tacit__free(sheet->columns[wanted[i]].marks);
        sheet->columns[wanted[i]].marks = NULL;
    }
    tacit__free(wanted);
    return status;
}

/* ---- new columns and rows ---- */

tacit_status tacit__sheet_add_column(int32_t *column, tacit__sheet *sheet, const char *name,
                                     tacit_error *err)
{
    size_t count = (size_t)sheet->column_count;
    tacit__sheet_column *grown =
        tacit__resize_array(sheet->columns, count + 1, sizeof *sheet->columns);
    if (!grown)
        return tacit__nomem(err);
    sheet->columns = grown;
    tacit__sheet_column added = {.source = -1, .name = tacit__copy_bytes(name, strlen(name))};
    added.marks = tacit__alloc_zeroed((size_t)sheet->rows, sizeof *added.marks);
    if (!added.name || !added.marks) {
        tacit__free(added.name);
        tacit__free(added.marks);
        return tacit__nomem(err);
    }
    sheet->columns[count] = added;
    *column = sheet->column_count++;
    return TACIT_OK;
}

static tacit_status gather(void **block, size_t size, const void *empty, const uint32_t *from,
                           int64_t count, tacit_error *err)
{
    char *taken = tacit__alloc_array((size_t)count, size);
    if (!taken)
        return tacit__nomem(err);
    const char *old = *block;
    for (int64_t i = 0; i < count; i++)
        memcpy(taken + (size_t)i * size,
               from[i] == TACIT__NO_ORIGIN ? empty : (const void *)(old + (size_t)from[i] * size),
               size);
    tacit__free(*block);
    *block = taken;
    return TACIT_OK;
}

/* A failure leaves columns of different lengths: the sheet is good for being cleared only. */
tacit_status tacit__sheet_take_rows(tacit__sheet *sheet, const uint32_t *from, int64_t count,
                                    tacit_error *err)
{
    static const uint32_t nowhere = TACIT__NO_ORIGIN;
    static const tacit__mark nothing = 0;
    static const double missing = NAN;
    assert(count <= TACIT_MAX_ROWS);
    tacit_status status =
        gather((void **)&sheet->origin, sizeof *sheet->origin, &nowhere, from, count, err);
    for (int32_t i = 0; status == TACIT_OK && i < sheet->column_count; i++) {
        tacit__sheet_column *column = &sheet->columns[i];
        if (column->marks)
            status =
                gather((void **)&column->marks, sizeof *column->marks, &nothing, from, count, err);
        if (status == TACIT_OK && column->numbers)
            status = gather((void **)&column->numbers, sizeof *column->numbers, &missing, from,
                            count, err);
    }
    sheet->rows = count;
    return status;
}
