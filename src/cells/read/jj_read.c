/*
 * jj_read.c - the field's form for any cells and relations.
 *
 *     0
 *     CELLS
 *     index value cost status lower upper lpl upl spl          a line a cell
 *     RELATIONS
 *     rhs count : index (coefficient) index (coefficient) ...  a line a relation
 *
 * Indexes count from 0 and may come in any order, each once. Blank lines are passed over. The
 * numbers of cells and relations are believed only as far as the file is long, so a wrong
 * one costs no memory. One pass; a relation is checked against the values as it is read.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "cells/cells/inside.h"

enum { SHORTEST_CELL = 17, SHORTEST_RELATION = 9, LINES_A_STEP = 1 << 16 };

typedef struct scan {
    const char *file;
    const char *at, *end;
    const char *line_start;
    int64_t line;
} scan;

typedef struct jj_reading {
    scan s;
    tacit_cells *cells;
    double tolerance;
    const tacit_run *run;
    size_t item_capacity, coef_capacity;
    int32_t *marks; /* a cell each: the relation that named it last, from 1 */
    tacit__off *off;
    size_t off_capacity;
    int64_t off_count;
} jj_reading;

static tacit_status wrong(const scan *s, const char *at, tacit_error *err, const char *what)
{
    return tacit__error_at(err, TACIT_PARSE, s->file, s->line, at - s->line_start + 1, "%s", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(scan *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

static bool at_line_end(scan *s)
{
    skip_blanks(s);
    return s->at == s->end || *s->at == '\n';
}

/* To the next line that holds anything; what names what should be there. */
static tacit_status next_line(scan *s, const char *what, tacit_error *err)
{
    while (s->at < s->end && at_line_end(s)) {
        if (s->at < s->end) {
            s->line_start = ++s->at;
            s->line++;
        }
    }
    return s->at < s->end ? TACIT_OK : wrong(s, s->at, err, what);
}

static tacit_status end_line(scan *s, tacit_error *err)
{
    return at_line_end(s) ? TACIT_OK
                          : wrong(s, s->at, err, "there is more on the line than there should be");
}

static tacit_strview next_word(scan *s)
{
    skip_blanks(s);
    const char *from = s->at;
    while (s->at < s->end && *s->at != '\n' && !is_blank(*s->at) && !memchr("():", *s->at, 3))
        s->at++;
    return (tacit_strview){from, (size_t)(s->at - from)};
}

static tacit_status read_number(double *out, scan *s, const char *what, tacit_error *err)
{
    tacit_strview word = next_word(s);
    double number = tacit__decimal_read(word);
    if (isnan(number))
        return wrong(s, word.bytes, err, what);
    *out = number;
    return TACIT_OK;
}

/* A whole number from 0 to below bound. */
static tacit_status read_index(int32_t *out, scan *s, int64_t bound, const char *what,
                               tacit_error *err)
{
    double number = 0;
    skip_blanks(s);
    const char *at = s->at;
    tacit_status status = read_number(&number, s, what, err);
    if (status != TACIT_OK)
        return status;
    if (number < 0 || number >= (double)bound || number != floor(number))
        return wrong(s, at, err, what);
    *out = (int32_t)number;
    return TACIT_OK;
}

static tacit_status expect(scan *s, char wanted, const char *what, tacit_error *err)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != wanted)
        return wrong(s, s->at, err, what);
    s->at++;
    return TACIT_OK;
}

/* A line with one number, the number of lines that follow. */
static tacit_status read_count(int32_t *out, jj_reading *r, int64_t shortest, const char *what,
                               tacit_error *err)
{
    scan *s = &r->s;
    tacit_status status = next_line(s, what, err);
    const char *at = s->at;
    if (status == TACIT_OK)
        status = read_index(out, s, (int64_t)INT32_MAX, what, err);
    if (status != TACIT_OK)
        return status;
    if (*out > (s->end - s->at) / shortest)
        return wrong(s, at, err, "announces more than the file has room for; correct the number");
    return end_line(s, err);
}

static tacit_status read_status(char *out, scan *s, tacit_error *err)
{
    tacit_strview word = next_word(s);
    if (word.len != 1 || !memchr("suxz", word.bytes[0], 4))
        return wrong(s, word.bytes, err, "the status must be s, u, x or z");
    *out = word.bytes[0];
    return TACIT_OK;
}

static tacit_status read_cell(jj_reading *r, tacit_error *err)
{
    scan *s = &r->s;
    tacit_cells *cells = r->cells;
    int32_t i;
    tacit_status status = next_line(s, "the file ends before its last cell", err);
    const char *at = s->at;
    if (status == TACIT_OK)
        status = read_index(&i, s, cells->count, "the index of a cell is out of range", err);
    if (status != TACIT_OK)
        return status;
    if (cells->line[i])
        return wrong(s, at, err, "the cell was described before; every index stands once");
    cells->line[i] = (int32_t)s->line;
    double *const numbers[] = {&cells->value[i], &cells->cost[i], NULL,           &cells->lower[i],
                               &cells->upper[i], &cells->lpl[i],  &cells->upl[i], &cells->spl[i]};
    for (size_t k = 0; status == TACIT_OK && k < sizeof numbers / sizeof *numbers; k++) {
        skip_blanks(s);
        at = s->at;
        status = numbers[k] ? read_number(numbers[k], s, "a number is missing or is none", err)
                            : read_status(&cells->status[i], s, err);
        if (status == TACIT_OK && numbers[k] && (k == 1 || k > 4) && *numbers[k] < 0)
            status = wrong(s, at, err, "costs and protection levels must not be negative");
    }
    cells->negative |= cells->lower[i] < 0;
    return status == TACIT_OK ? end_line(s, err) : status;
}

static tacit_status add_term(jj_reading *r, int64_t place, int32_t relation, tacit_error *err)
{
    scan *s = &r->s;
    tacit_relations *to = &r->cells->relations;
    size_t needed = (size_t)place + 1;
    int32_t cell;
    double coef = 0;
    skip_blanks(s);
    const char *at = s->at;
    tacit_status status =
        read_index(&cell, s, r->cells->count,
                   "the index of a cell is out of range, or the relation has too few", err);
    if (status == TACIT_OK && r->marks[cell] == relation + 1)
        status = wrong(s, at, err, "the relation names the cell twice");
    if (status == TACIT_OK)
        status = expect(s, '(', "the coefficient must stand in parentheses", err);
    if (status == TACIT_OK)
        status = read_number(&coef, s, "the coefficient is not a number", err);
    if (status == TACIT_OK && coef == 0)
        status = wrong(s, at, err, "the coefficient is 0; leave the cell out");
    if (status == TACIT_OK)
        status = expect(s, ')', "the coefficient must stand in parentheses", err);
    if (status != TACIT_OK)
        return status;
    if (!TACIT__RESERVE(to->items, r->item_capacity, needed) ||
        !TACIT__RESERVE(to->coefs, r->coef_capacity, needed))
        return tacit__nomem(err);
    r->marks[cell] = relation + 1;
    to->items[place] = cell;
    to->coefs[place] = coef;
    return TACIT_OK;
}

/* Keeps in mind a relation that does not hold. */
static tacit_status check_relation(jj_reading *r, int32_t relation, tacit_error *err)
{
    const tacit_relations *all = &r->cells->relations;
    double sum = -all->rhs[relation], size = fabs(sum);
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        double term = all->coefs[j] * r->cells->value[all->items[j]];
        sum += term;
        size += fabs(term);
    }
    if (tacit__within(sum, size, r->tolerance))
        return TACIT_OK;
    return TACIT__PUSH(r->off, r->off_capacity, r->off_count, tacit__off_of(sum, r->s.line))
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status read_relation(jj_reading *r, int32_t relation, tacit_error *err)
{
    scan *s = &r->s;
    tacit_relations *to = &r->cells->relations;
    int32_t count;
    tacit_status status = next_line(s, "the file ends before its last relation", err);
    if (status == TACIT_OK)
        status = read_number(&to->rhs[relation], s, "the right-hand side is not a number", err);
    skip_blanks(s);
    const char *at = s->at;
    if (status == TACIT_OK)
        status = read_index(&count, s, (int64_t)r->cells->count + 1,
                            "the number of the relation's cells is out of range", err);
    if (status == TACIT_OK && !count)
        status = wrong(s, at, err, "the relation has no cells; leave it out");
    if (status == TACIT_OK)
        status = expect(s, ':', "a : must stand before the relation's cells", err);
    int64_t place = to->starts[relation];
    for (int32_t i = 0; status == TACIT_OK && i < count; i++)
        status = add_term(r, place + i, relation, err);
    if (status == TACIT_OK)
        status = end_line(s, err);
    if (status != TACIT_OK)
        return status;
    to->starts[relation + 1] = place + count;
    return check_relation(r, relation, err);
}

static tacit_status step(const jj_reading *r, int32_t done, int32_t total, tacit_error *err)
{
    return done % LINES_A_STEP ? TACIT_OK : tacit__progress(r->run, "reading", done, total, err);
}

static tacit_status read_jj_cells(jj_reading *r, tacit_error *err)
{
    int32_t count;
    tacit_status status =
        read_count(&count, r, SHORTEST_CELL, "the number of cells is missing", err);
    if (status != TACIT_OK)
        return status;
    if (count < 1 || count > TACIT_MAX_CELLS)
        return tacit__error_at(err, TACIT_LIMIT, r->s.file, r->s.line, 0,
                               "%d cells; there may be from 1 to %d", count, TACIT_MAX_CELLS);
    status = tacit__cells_allocate(r->cells, count, err);
    r->cells->line = tacit__alloc_zeroed((size_t)count, sizeof *r->cells->line);
    r->marks = tacit__alloc_zeroed((size_t)count, sizeof *r->marks);
    if (status == TACIT_OK && (!r->cells->line || !r->marks))
        status = tacit__nomem(err);
    for (int32_t i = 0; status == TACIT_OK && i < count; i++) {
        status = step(r, i, count, err);
        if (status == TACIT_OK)
            status = read_cell(r, err);
    }
    return status;
}

static tacit_status read_relations(jj_reading *r, tacit_error *err)
{
    int32_t count;
    tacit_relations *to = &r->cells->relations;
    tacit_status status =
        read_count(&count, r, SHORTEST_RELATION, "the number of relations is missing", err);
    if (status != TACIT_OK)
        return status;
    to->starts = tacit__alloc_zeroed((size_t)count + 1, sizeof *to->starts);
    to->rhs = tacit__alloc_array((size_t)count, sizeof *to->rhs);
    if (!to->starts || !to->rhs)
        return tacit__nomem(err);
    to->count = count;
    for (int32_t i = 0; status == TACIT_OK && i < count; i++) {
        status = step(r, i, count, err);
        if (status == TACIT_OK)
            status = read_relation(r, i, err);
    }
    return status;
}

static tacit_status read_jj(jj_reading *r, tacit_error *err)
{
    scan *s = &r->s;
    double first = 0;
    tacit_status status = next_line(s, "the file is empty", err);
    const char *at = s->at;
    if (status == TACIT_OK)
        status = read_number(&first, s, "a .jj file starts with a line 0", err);
    if (status == TACIT_OK && first != 0)
        status = wrong(s, at, err, "a .jj file starts with a line 0");
    if (status == TACIT_OK)
        status = end_line(s, err);
    if (status == TACIT_OK)
        status = read_jj_cells(r, err);
    if (status == TACIT_OK)
        status = read_relations(r, err);
    if (status == TACIT_OK && next_line(s, "", NULL) == TACIT_OK)
        status = wrong(s, s->at, err, "the file goes on after its last relation");
    if (status == TACIT_OK && r->off_count)
        status = tacit__off_error(r->off, r->off_count, s->file, "relations do not hold", err);
    return status;
}

tacit_status tacit_cells_parse_jj(tacit_cells **out, tacit_strview bytes, const char *name,
                                  double tolerance, const tacit_run *run, tacit_error *err)
{
    tacit_cells *cells;
    tacit_status status = tacit__cells_new(&cells, name, err);
    if (status != TACIT_OK)
        return status;
    jj_reading r = {.s = {.file = name,
                          .at = bytes.bytes,
                          .end = bytes.bytes + bytes.len,
                          .line_start = bytes.bytes,
                          .line = 1},
                    .cells = cells,
                    .tolerance = tolerance,
                    .run = run};
    status = read_jj(&r, err);
    tacit__free(r.marks);
    tacit__free(r.off);
    if (status == TACIT_OK)
        status = tacit__cells_finish(cells, err);
    return tacit__cells_give(out, cells, status);
}

tacit_status tacit_cells_read_jj(tacit_cells **out, const char *path, double tolerance,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, 0, run, err);
    if (status == TACIT_OK)
        status = tacit_cells_parse_jj(out, (tacit_strview){input.bytes, input.len}, path, tolerance,
                                      run, err);
    tacit__input_close(&input);
    return status;
}
