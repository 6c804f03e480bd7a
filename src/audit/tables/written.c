/*
 * written.c - findings of the second check, and the check of a .jj file.
 *
 * What a command wrote is read back and compared with what it should be, by code that shares
 * nothing with the writer: a mistake there costs a release, not a respondent. Messages
 * name cells by their codes and places by their line; values stay out of them. Linear.
 */
#include "audit/tables/written.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__written_new(tacit_cells_written **out, int32_t count, tacit_error *err)
{
    tacit_cells_written *written = tacit__alloc_zeroed(1, sizeof *written);
    if (written)
        written->status = tacit__alloc_zeroed((size_t)count, sizeof *written->status);
    if (!written || !written->status) {
        tacit_cells_written_free(written);
        return tacit__nomem(err);
    }
    *out = written;
    return TACIT_OK;
}

void tacit_cells_written_free(tacit_cells_written *written)
{
    if (!written)
        return;
    tacit__free(written->status);
    tacit_intervals_clear(&written->intervals);
    tacit__free(written);
}

tacit_status tacit__written_give(tacit_cells_written **out, tacit_cells_written *written,
                                 tacit_status status)
{
    if (status != TACIT_OK) {
        tacit_cells_written_free(written);
        return status;
    }
    written->holds = written->problem_count == 0;
    *out = written;
    return TACIT_OK;
}

void tacit__written_note(tacit_cells_written *written, int64_t line, const char *what)
{
    if (written->problem_count++ >= TACIT_WRITTEN_LISTED)
        return;
    tacit_written_problem *problem = &written->problems[written->listed++];
    problem->line = line;
    snprintf(problem->message, sizeof problem->message, "%s", what);
}

void tacit__written_note_cell(tacit_cells_written *written, int64_t line, const tacit_cells *cells,
                              int32_t cell, const char *what)
{
    char name[TACIT_WRITTEN_BYTES / 2], text[TACIT_WRITTEN_BYTES];
    tacit_cells_describe(cells, cell, name, sizeof name);
    snprintf(text, sizeof text, "%s: %s", name, what);
    tacit__written_note(written, line, text);
}

void tacit__written_check_pattern(tacit_cells_written *written, const tacit_cells *cells,
                                  const char *status)
{
    for (int32_t i = 0; i < cells->count; i++) {
        bool suppressed_now =
            cells->status[i] == TACIT_CELL_FREE && status[i] == TACIT_CELL_SECONDARY;
        if (status[i] != cells->status[i] && !suppressed_now)
            tacit__written_note_cell(written, 0, cells, i,
                                     "its status does not follow from the table's: only s may "
                                     "become x");
    }
}

/* ---- columns and letters of a CSV ---- */

tacit_status tacit__written_coded(const tacit_table *file, tacit_error *err)
{
    for (int32_t i = 0; i < tacit_table_columns(file); i++)
        if (!tacit_table_is_coded(file, i))
            return tacit__error_at(err, TACIT_INVALID, tacit_table_file(file), 0, 0,
                                   "column %d was not read as codes", i + 1);
    return TACIT_OK;
}

bool tacit__written_columns(int32_t *columns, tacit_cells_written *written, const tacit_table *file,
                            const tacit_strview *names, int32_t wanted)
{
    int64_t before = written->problem_count;
    char text[128];
    for (int32_t i = 0; i < wanted; i++) {
        columns[i] = tacit_table_find(file, names[i]);
        snprintf(text, sizeof text, "column \"%s\" is missing", tacit__show(names[i]).text);
        if (columns[i] < 0)
            tacit__written_note(written, 1, text);
    }
    for (int32_t column = 0; column < tacit_table_columns(file); column++) {
        int32_t i = 0;
        while (i < wanted && columns[i] != column)
            i++;
        snprintf(text, sizeof text, "column %d should not be there", column + 1);
        if (i == wanted)
            tacit__written_note(written, 1, text);
    }
    return written->problem_count == before;
}

void tacit__written_letter(tacit_cells_written *written, int32_t cell, char letter, bool empty)
{
    char *kept = &written->status[cell];
    if (!empty)
        *kept = letter == TACIT_CELL_FIXED ? letter : TACIT_CELL_FREE;
    else if (!*kept)
        *kept = letter == TACIT_CELL_PRIMARY ? letter : TACIT_CELL_SECONDARY;
}

void tacit__written_absent(tacit_cells_written *written, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!written->status[i])
            written->status[i] = TACIT_CELL_SECONDARY;
}

/* ---- .jj ---- */

static int64_t line_of(const tacit_cells *cells, int32_t cell)
{
    return cells->line ? cells->line[cell] : 0;
}

static void compare_numbers(tacit_cells_written *written, const tacit_cells *cells,
                            const tacit_cells *other)
{
    const struct {
        const double *own, *read;
        const char *what;
    } columns[] = {{cells->value, other->value, "its value is not the table's"},
                   {cells->cost, other->cost, "its cost is not the table's"},
                   {cells->lower, other->lower, "its lower bound is not the table's"},
                   {cells->upper, other->upper, "its upper bound is not the table's"},
                   {cells->lpl, other->lpl, "its lower level is not the table's"},
                   {cells->upl, other->upl, "its upper level is not the table's"},
                   {cells->spl, other->spl, "its sliding level is not the table's"}};
    for (int32_t i = 0; i < cells->count; i++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            if (columns[k].own[i] != columns[k].read[i])
                tacit__written_note_cell(written, line_of(other, i), cells, i, columns[k].what);
}

static void compare_letters(tacit_cells_written *written, const tacit_cells *cells,
                            const char *status, const tacit_cells *other)
{
    for (int32_t i = 0; i < cells->count; i++) {
        written->status[i] = other->status[i];
        if (other->status[i] != status[i])
            tacit__written_note_cell(written, line_of(other, i), cells, i,
                                     "its status is not the pattern's");
    }
}

static bool same_relation(const tacit_relations *a, const tacit_relations *b, int32_t r)
{
    int64_t count = a->starts[r + 1] - a->starts[r];
    if (a->rhs[r] != b->rhs[r] || b->starts[r + 1] - b->starts[r] != count)
        return false;
    for (int64_t j = 0; j < count; j++)
        if (a->items[a->starts[r] + j] != b->items[b->starts[r] + j] ||
            a->coefs[a->starts[r] + j] != b->coefs[b->starts[r] + j])
            return false;
    return true;
}

static void compare_relations(tacit_cells_written *written, const tacit_relations *a,
                              const tacit_relations *b)
{
    if (a->count != b->count)
        tacit__written_note(written, 0, "the number of relations is not the table's");
    for (int32_t r = 0; a->count == b->count && r < a->count; r++) {
        char text[64];
        snprintf(text, sizeof text, "relation %d is not the table's", r + 1);
        if (!same_relation(a, b, r))
            tacit__written_note(written, 0, text);
    }
}

tacit_status tacit_audit_cells_same(tacit_cells_written **out, const tacit_cells *cells,
                                    const char *status, const tacit_cells *written,
                                    tacit_error *err)
{
    tacit_cells_written *found = NULL;
    tacit_status result = tacit__written_new(&found, cells->count, err);
    if (result != TACIT_OK)
        return result;
    if (!status)
        status = cells->status;
    tacit__written_check_pattern(found, cells, status);
    if (written->count != cells->count) {
        tacit__written_note(found, 0, "the number of cells is not the table's");
    } else {
        compare_numbers(found, cells, written);
        compare_letters(found, cells, status, written);
        compare_relations(found, &cells->relations, &written->relations);
    }
    return tacit__written_give(out, found, TACIT_OK);
}
