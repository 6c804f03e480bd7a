/*
 * solver.c - programs built, changed and given to be solved; see solver.h.
 *
 * Every change is made twice: in the backend's model, which keeps what a warm start needs, and in
 * the room's own copy, which answers are checked against. Bounds and costs reach the model
 * together, with the next solve. Adding costs what is added, removing a pass through all entries.
 */
#include "solver/inside.h"

#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* CLP counts lines and entries in an int, and adds rows to columns. */
enum { MAX_LINES = 1 << 29, MAX_ENTRIES = INT32_MAX - 8 };

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
    if (all > MAX_LINES || program->entry_count + (size_t)entries_of(lines) > MAX_ENTRIES)
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
    return TACIT__RESERVE(program->entries, program->entry_capacity,
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

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
static tacit_status program_add_rows(tacit__program *program, const tacit__solver_lines *rows,
                                     tacit_error *err)
{
    double **arrays[] = {&program->row_lower, &program->row_upper};
    tacit_status status = check_lines(rows, program->columns, err);
    if (status == TACIT_OK)
        status = check_size(program, rows, err);
    if (status != TACIT_OK)
        return status;
    if (!widen(arrays, 2, &program->row_capacity, (size_t)(program->rows + rows->count)) ||
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
    size_t room = program->column_capacity;
    return tacit__reserve((void **)&program->integers, &room, needed, sizeof(bool)) &&
           widen(arrays, 3, &program->column_capacity, needed);
}

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
static tacit_status program_add_columns(tacit__program *program, const tacit__solver_lines *columns,
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

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
static tacit_status program_remove_rows(tacit__program *program, int32_t count, const int32_t *rows,
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

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
static tacit_status program_remove_columns(tacit__program *program, int32_t count,
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

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
static void program_clear(tacit__program *program)
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

/* What a solver is likely to take. */
enum { LEAST_BYTES = 1 << 20, LINE_BYTES = 400, ENTRY_BYTES = 64 };

/* Asks for memory that the backend is about to take, and gives it back: what is
 * refused here would end the process there. lines (or NULL) are to be added. */
static tacit_status probe(const tacit__program *program, const tacit__solver_lines *lines,
                          tacit_error *err)
{
    size_t count = (size_t)(program->rows + program->columns), entries = program->entry_count;
    if (lines) {
        count += (size_t)lines->count;
        entries += lines->starts ? (size_t)(lines->starts[lines->count] - lines->starts[0]) : 0;
    }
    void *room = tacit__alloc(LEAST_BYTES + count * LINE_BYTES + entries * ENTRY_BYTES);
    if (!room)
        return tacit__nomem(err);
    tacit__free(room);
    return TACIT_OK;
}

tacit_status tacit__solver_new(tacit__solver **out, const tacit__solver_backend *backend,
                               tacit_error *err)
{
    tacit__solver *solver = tacit__alloc_zeroed(1, sizeof *solver);
    if (!solver)
        return tacit__nomem(err);
    solver->backend = backend ? backend : &tacit__clp;
    tacit_status status = probe(&solver->program, NULL, err);
    if (status == TACIT_OK) {
        solver->model = solver->backend->open();
        if (!solver->model)
            status = tacit__nomem(err);
    }
    if (status == TACIT_OK)
        *out = solver;
    else
        tacit__solver_free(solver);
    return status;
}

void tacit__solver_free(tacit__solver *solver)
{
    if (!solver)
        return;
    if (solver->model)
        solver->backend->close(solver->model);
    program_clear(&solver->program);
    tacit__free(solver->values);
    tacit__free(solver->duals);
    tacit__free(solver->reduced);
    tacit__free(solver->ray);
    tacit__free(solver->scratch.row_sums);
    tacit__free(solver->scratch.row_sizes);
    tacit__free(solver->scratch.column_sums);
    tacit__free(solver);
}

int32_t tacit__solver_rows(const tacit__solver *solver)
{
    return solver->program.rows;
}

int32_t tacit__solver_columns(const tacit__solver *solver)
{
    return solver->program.columns;
}

static tacit_status check_model(const tacit__solver *solver, tacit_error *err)
{
    const tacit__solver_backend *backend = solver->backend;
    return backend->lost && backend->lost(solver->model) ? tacit__nomem(err) : TACIT_OK;
}

static bool is_large(const double *numbers, int32_t count)
{
    bool large = false;
    for (int32_t i = 0; numbers && i < count; i++)
        large |= isfinite(numbers[i]) && fabs(numbers[i]) > TACIT__SOLVER_LARGE;
    return large;
}

/* Whether the unit that the backend counts in may have to change. */
static bool has_large(const tacit__solver_lines *lines)
{
    return is_large(lines->lower, lines->count) || is_large(lines->upper, lines->count) ||
           is_large(lines->costs, lines->count);
}

tacit_status tacit__solver_add_rows(tacit__solver *solver, const tacit__solver_lines *rows,
                                    tacit_error *err)
{
    tacit_status status = probe(&solver->program, rows, err);
    if (status == TACIT_OK)
        status = program_add_rows(&solver->program, rows, err);
    if (status != TACIT_OK)
        return status;
    solver->rows_changed = true;
    solver->changed |= has_large(rows);
    solver->backend->add_rows(solver->model, rows);
    return check_model(solver, err);
}

tacit_status tacit__solver_add_columns(tacit__solver *solver, const tacit__solver_lines *columns,
                                       tacit_error *err)
{
    tacit_status status = probe(&solver->program, columns, err);
    if (status == TACIT_OK)
        status = program_add_columns(&solver->program, columns, err);
    if (status != TACIT_OK)
        return status;
    solver->columns_changed = true;
    solver->changed |= has_large(columns);
    solver->backend->add_columns(solver->model, columns);
    return check_model(solver, err);
}

/* ---- lines in the making ---- */

/* Capacity for one more line. */
static bool lengthen(tacit__line_list *lines)
{
    double **const numbers[] = {&lines->lower, &lines->upper, &lines->costs};
    size_t needed = (size_t)lines->count + 2, flags = lines->line_capacity, starts = flags;
    if (needed <= lines->line_capacity)
        return true;
    return tacit__reserve((void **)&lines->integers, &flags, needed, sizeof(bool)) &&
           tacit__reserve((void **)&lines->starts, &starts, needed, sizeof(int32_t)) &&
           widen(numbers, 3, &lines->line_capacity, needed);
}

/* Capacity for one more entry. */
static bool widen_lines(tacit__line_list *lines)
{
    size_t needed = (size_t)lines->item_count + 1, values = lines->item_capacity;
    return needed <= lines->item_capacity ||
           (lines->item_count < INT32_MAX && TACIT__RESERVE(lines->values, values, needed) &&
            TACIT__RESERVE(lines->items, lines->item_capacity, needed));
}

void tacit__lines_put(tacit__line_list *lines, int32_t item, double value)
{
    lines->failed |= !widen_lines(lines);
    if (lines->failed)
        return;
    lines->items[lines->item_count] = item;
    lines->values[lines->item_count++] = value;
}

void tacit__lines_end_column(tacit__line_list *lines, double lower, double upper, double cost,
                             bool integer)
{
    lines->failed |= !lengthen(lines);
    if (lines->failed)
        return;
    int32_t line = lines->count++;
    lines->lower[line] = lower;
    lines->upper[line] = upper;
    lines->costs[line] = cost;
    lines->integers[line] = integer;
    lines->starts[0] = 0;
    lines->starts[line + 1] = lines->item_count;
}

void tacit__lines_end_row(tacit__line_list *lines, double lower, double upper)
{
    tacit__lines_end_column(lines, lower, upper, 0, false);
}

void tacit__lines_clear(tacit__line_list *lines)
{
    tacit__free(lines->lower);
    tacit__free(lines->upper);
    tacit__free(lines->costs);
    tacit__free(lines->integers);
    tacit__free(lines->starts);
    tacit__free(lines->items);
    tacit__free(lines->values);
    *lines = (tacit__line_list){0};
}

/* Lines without entries have no starts, as a caller would have it. */
static tacit__solver_lines lines_of(const tacit__line_list *list)
{
    return (tacit__solver_lines){.count = list->count,
                                 .lower = list->lower,
                                 .upper = list->upper,
                                 .costs = list->costs,
                                 .integers = list->integers,
                                 .starts = list->item_count > 0 ? list->starts : NULL,
                                 .items = list->items,
                                 .values = list->values};
}

tacit_status tacit__solver_take_rows(tacit__solver *solver, tacit__line_list *rows,
                                     tacit_error *err)
{
    const tacit__solver_lines lines = lines_of(rows);
    if (rows->failed)
        return tacit__nomem(err);
    rows->count = rows->item_count = 0;
    return tacit__solver_add_rows(solver, &lines, err);
}

tacit_status tacit__solver_take_columns(tacit__solver *solver, tacit__line_list *columns,
                                        tacit_error *err)
{
    const tacit__solver_lines lines = lines_of(columns);
    if (columns->failed)
        return tacit__nomem(err);
    columns->count = columns->item_count = 0;
    return tacit__solver_add_columns(solver, &lines, err);
}

tacit_status tacit__solver_remove_rows(tacit__solver *solver, int32_t count, const int32_t *rows,
                                       tacit_error *err)
{
    tacit_status status = program_remove_rows(&solver->program, count, rows, err);
    if (status != TACIT_OK)
        return status;
    solver->rows_changed = true;
    solver->backend->remove_rows(solver->model, count, rows);
    return check_model(solver, err);
}

tacit_status tacit__solver_remove_columns(tacit__solver *solver, int32_t count,
                                          const int32_t *columns, tacit_error *err)
{
    tacit_status status = program_remove_columns(&solver->program, count, columns, err);
    if (status != TACIT_OK)
        return status;
    solver->columns_changed = true;
    solver->backend->remove_columns(solver->model, count, columns);
    return check_model(solver, err);
}

void tacit__solver_set_row(tacit__solver *solver, int32_t row, double lower, double upper)
{
    assert(row >= 0 && row < solver->program.rows && lower < INFINITY && upper > -INFINITY);
    solver->program.row_lower[row] = lower;
    solver->program.row_upper[row] = upper;
    solver->changed = solver->rows_changed = true;
}

void tacit__solver_set_column(tacit__solver *solver, int32_t column, double lower, double upper)
{
    assert(column >= 0 && column < solver->program.columns);
    assert(lower < INFINITY && upper > -INFINITY);
    solver->program.lower[column] = lower;
    solver->program.upper[column] = upper;
    solver->changed = solver->rows_changed = true;
}

void tacit__solver_set_cost(tacit__solver *solver, int32_t column, double cost)
{
    assert(column >= 0 && column < solver->program.columns && isfinite(cost));
    solver->program.costs[column] = cost;
    solver->changed = solver->columns_changed = true;
}

void tacit__solver_save(const tacit__solver *solver, unsigned char *basis)
{
    solver->backend->save(basis, solver->model);
}

void tacit__solver_restore(tacit__solver *solver, const unsigned char *basis)
{
    solver->backend->restore(solver->model, basis);
    solver->rows_changed = true;
}

/* ---- one solve ---- */

static bool make_room(double **array, size_t needed)
{
    double *larger = tacit__resize_array(*array, needed, sizeof *larger);
    if (larger)
        *array = larger;
    return larger;
}

static tacit_status reserve(tacit__solver *s, tacit_error *err)
{
    size_t rows = (size_t)s->program.rows, columns = (size_t)s->program.columns;
    if (rows > s->row_capacity || columns > s->column_capacity || !s->values) {
        rows += rows / 2; /* programs that grow, grow again */
        columns += columns / 2;
        if (!make_room(&s->values, columns) || !make_room(&s->reduced, columns) ||
            !make_room(&s->scratch.column_sums, columns) || !make_room(&s->duals, rows) ||
            !make_room(&s->scratch.row_sums, rows) || !make_room(&s->scratch.row_sizes, rows) ||
            !make_room(&s->ray, rows > columns ? rows : columns))
            return tacit__nomem(err);
        s->row_capacity = rows;
        s->column_capacity = columns;
    }
    return TACIT_OK;
}

static tacit_status solve(tacit__solver_answer *answer, tacit__solver_call *c)
{
    tacit_status status = TACIT_OK;
    tacit__solve_linear(answer, c);
    if (c->status == TACIT_OK && c->solver->program.integer_count > 0 && !c->options->relaxed)
        status = tacit__solve_integer(answer, c);
    return status == TACIT_OK ? c->status : status;
}

tacit_status tacit__solver_solve(tacit__solver_answer *out, tacit__solver *solver,
                                 const tacit__solver_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__solver_answer answer;
    tacit__solver_call call = {
        .solver = solver,
        .options = options,
        .run = run,
        .end = options->seconds > 0 ? tacit__now() + options->seconds : INFINITY,
        .most = options->iterations > 0 ? options->iterations : INT64_MAX,
        .err = err,
    };
    tacit_status status = reserve(solver, err);
    if (status == TACIT_OK)
        status = probe(&solver->program, NULL, err);
    if (status == TACIT_OK)
        status = solve(&answer, &call);
    if (status == TACIT_OK)
        status = check_model(solver, err);
    if (status != TACIT_OK)
        return status;
    answer.duals = solver->duals;
    answer.reduced = solver->reduced;
    answer.iterations = call.iterations;
    *out = answer;
    return TACIT_OK;
}
