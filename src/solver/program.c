/*
 * program.c - the solver room's own copy of a program; see program.h.
 *
 * Adding costs what is added, removing a pass through all entries.
 */
#include "solver/program.h"

#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* CLP counts lines and entries in an int, and adds rows to columns. */
enum { MOST_LINES = 1 << 29, MOST_ENTRIES = INT32_MAX - 8 };

static int32_t entries_of(const tacit__solver_lines *lines)
{
    return lines->starts ? lines->starts[lines->count] - lines->starts[0] : 0;
}

/* Bounds that no number can lie between: NAN, or infinity on the wrong side. */
static bool bounds_are_sound(double lower, double upper)
{
    return lower < INFINITY && upper > -INFINITY;
}

static tacit_status check_lines(const tacit__solver_lines *lines, int32_t others, tacit_error *err)
{
    bool sound = true;
    for (int32_t i = 0; i < lines->count; i++)
        sound &= bounds_are_sound(lines->lower[i], lines->upper[i]) &&
                 (!lines->costs || isfinite(lines->costs[i]));
    int32_t first = lines->starts ? lines->starts[0] : 0;
    for (int32_t i = first; i < first + entries_of(lines); i++) {
        assert(lines->items[i] >= 0 && lines->items[i] < others);
        sound &= isfinite(lines->values[i]);
    }
    (void)others;
    if (!sound)
        return tacit__error(err, TACIT_INVALID,
                            "a linear program has a bound, cost or coefficient "
                            "that is not a number or too large for one");
    return TACIT_OK;
}

static tacit_status check_size(const tacit__program *program, const tacit__solver_lines *lines,
                               tacit_error *err)
{
    int64_t all = (int64_t)program->rows + program->columns + lines->count;
    if (all > MOST_LINES || program->entry_count + (size_t)entries_of(lines) > MOST_ENTRIES)
        return tacit__error(err, TACIT_LIMIT,
                            "a linear program of %lld rows and columns and more than %lld "
                            "coefficients is too large for the solver",
                            (long long)all, (long long)program->entry_count);
    return TACIT_OK;
}

/* Makes room in several arrays of the same length. */
static bool widen(double **const *arrays, int count, size_t *room, size_t needed)
{
    size_t grown = *room;
    bool fits = true;
    for (int i = 0; i < count && fits; i++) {
        grown = *room; /* each starts from the room that all have */
        fits = tacit__reserve((void **)arrays[i], &grown, needed, sizeof(double));
    }
    if (fits)
        *room = grown;
    return fits;
}

static bool reserve_entries(tacit__program *program, const tacit__solver_lines *lines)
{
    return TACIT__RESERVE(program->entries, program->entry_room,
                          program->entry_count + (size_t)entries_of(lines));
}

/* Takes over the entries of lines that come behind `base` others. */
static void take_entries(tacit__program *program, const tacit__solver_lines *lines, int32_t base,
                         bool by_row)
{
    for (int32_t i = 0; lines->starts && i < lines->count; i++)
        for (int32_t j = lines->starts[i]; j < lines->starts[i + 1]; j++) {
            int32_t line = base + i, item = lines->items[j];
            program->entries[program->entry_count++] =
                (tacit__solver_entry){by_row ? line : item, by_row ? item : line, lines->values[j]};
        }
}

tacit_status tacit__program_add_rows(tacit__program *program, const tacit__solver_lines *rows,
                                     tacit_error *err)
{
    double **arrays[] = {&program->row_lower, &program->row_upper};
    tacit_status status = check_lines(rows, program->columns, err);
    if (status == TACIT_OK)
        status = check_size(program, rows, err);
    if (status != TACIT_OK)
        return status;
    if (!widen(arrays, 2, &program->row_room, (size_t)(program->rows + rows->count)) ||
        !reserve_entries(program, rows))
        return tacit__nomem(err);
    for (int32_t i = 0; i < rows->count; i++) {
        program->row_lower[program->rows + i] = rows->lower[i];
        program->row_upper[program->rows + i] = rows->upper[i];
    }
    take_entries(program, rows, program->rows, true);
    program->rows += rows->count;
    return TACIT_OK;
}

static bool make_columns(tacit__program *program, size_t needed)
{
    double **arrays[] = {&program->lower, &program->upper, &program->costs};
    size_t room = program->column_room;
    return tacit__reserve((void **)&program->integers, &room, needed, sizeof(bool)) &&
           widen(arrays, 3, &program->column_room, needed);
}

tacit_status tacit__program_add_columns(tacit__program *program, const tacit__solver_lines *columns,
                                        tacit_error *err)
{
    tacit_status status = check_lines(columns, program->rows, err);
    if (status == TACIT_OK)
        status = check_size(program, columns, err);
    if (status != TACIT_OK)
        return status;
    if (!make_columns(program, (size_t)(program->columns + columns->count)) ||
        !reserve_entries(program, columns))
        return tacit__nomem(err);
    for (int32_t i = 0; i < columns->count; i++) {
        int32_t at = program->columns + i;
        program->lower[at] = columns->lower[i];
        program->upper[at] = columns->upper[i];
        program->costs[at] = columns->costs ? columns->costs[i] : 0;
        program->integers[at] = columns->integers && columns->integers[i];
        program->integer_count += program->integers[at];
    }
    take_entries(program, columns, program->columns, false);
    program->columns += columns->count;
    return TACIT_OK;
}

/* Old place -> new place, -1 for what goes; NULL when memory ran out. */
static int32_t *places_after(int32_t all, int32_t count, const int32_t *gone)
{
    int32_t *places = tacit__alloc_array((size_t)all, sizeof *places);
    int32_t next = 0, g = 0;
    for (int32_t i = 0; places && i < all; i++) {
        bool goes = g < count && gone[g] == i;
        places[i] = goes ? -1 : next++;
        g += goes;
    }
    assert(!places || g == count); /* ascending, and all of them there */
    return places;
}

static void move_up(double *array, const int32_t *places, int32_t all)
{
    for (int32_t i = 0; i < all; i++)
        if (places[i] >= 0)
            array[places[i]] = array[i];
}

static void move_entries(tacit__program *program, const int32_t *places, bool by_row)
{
    size_t kept = 0;
    for (size_t i = 0; i < program->entry_count; i++) {
        tacit__solver_entry entry = program->entries[i];
        int32_t *line = by_row ? &entry.row : &entry.column;
        *line = places[*line];
        if (*line >= 0)
            program->entries[kept++] = entry;
    }
    program->entry_count = kept;
}

tacit_status tacit__program_remove_rows(tacit__program *program, int32_t count, const int32_t *rows,
                                        tacit_error *err)
{
    int32_t *places = places_after(program->rows, count, rows);
    if (!places)
        return tacit__nomem(err);
    move_up(program->row_lower, places, program->rows);
    move_up(program->row_upper, places, program->rows);
    move_entries(program, places, true);
    program->rows -= count;
    tacit__free(places);
    return TACIT_OK;
}

tacit_status tacit__program_remove_columns(tacit__program *program, int32_t count,
                                           const int32_t *columns, tacit_error *err)
{
    int32_t *places = places_after(program->columns, count, columns);
    if (!places)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        program->integer_count -= program->integers[columns[i]];
    for (int32_t i = 0; i < program->columns; i++)
        if (places[i] >= 0)
            program->integers[places[i]] = program->integers[i];
    move_up(program->lower, places, program->columns);
    move_up(program->upper, places, program->columns);
    move_up(program->costs, places, program->columns);
    move_entries(program, places, false);
    program->columns -= count;
    tacit__free(places);
    return TACIT_OK;
}

void tacit__program_clear(tacit__program *program)
{
    tacit__free(program->row_lower);
    tacit__free(program->row_upper);
    tacit__free(program->lower);
    tacit__free(program->upper);
    tacit__free(program->costs);
    tacit__free(program->integers);
    tacit__free(program->entries);
    *program = (tacit__program){0};
}

double tacit__program_cost(const tacit__program *program, const double *values, double *size)
{
    double cost = 0;
    *size = 0;
    for (int32_t i = 0; i < program->columns; i++) {
        cost += program->costs[i] * values[i];
        *size += fabs(program->costs[i] * values[i]);
    }
    return cost;
}

void tacit__program_by_column(const tacit__program *program, int32_t *starts, int32_t *rows,
                              double *values)
{
    for (int32_t i = 0; i <= program->columns; i++)
        starts[i] = 0;
    for (size_t i = 0; i < program->entry_count; i++)
        starts[program->entries[i].column]++;
    for (int32_t i = 1; i <= program->columns; i++)
        starts[i] += starts[i - 1];
    /* each start is now the end of its column; filled from behind it becomes the start */
    for (size_t i = program->entry_count; i-- > 0;) {
        const tacit__solver_entry *entry = &program->entries[i];
        int32_t at = --starts[entry->column];
        rows[at] = entry->row;
        values[at] = entry->value;
    }
}
