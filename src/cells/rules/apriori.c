/*
 * apriori.c - the data holder's own decisions, cell by cell: the a-priori files of tau-Argus.
 *
 * A line is the cell's codes and what is said of it. Names are looked up in a table of each
 * dimension's names. Nothing is changed unless every line is right, so the lines are read
 * twice: once to check, once to apply.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "cells/cells/inside.h"
#include "cells/read/dimension.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/rows.h"

typedef struct reading {
    tacit_cells *cells;
    const tacit_margin *margin;
    tacit__rows rows;
    tacit__names names[TACIT_MAX_DIMENSIONS];
    int32_t key; /* fields that name a cell */
} reading;

static tacit_strview trim(tacit_strview text)
{
    while (text.len && text.bytes[0] == ' ')
        text = (tacit_strview){text.bytes + 1, text.len - 1};
    while (text.len && text.bytes[text.len - 1] == ' ')
        text.len--;
    return text;
}

/* Whatever its case. */
static bool is_word(tacit_strview word, const char *name)
{
    return word.len == strlen(name) && strncasecmp(word.bytes, name, word.len) == 0;
}

static tacit_status wrong(const reading *r, tacit_error *err, const char *what)
{
    return tacit__error_at(err, TACIT_PARSE, r->rows.file, r->rows.line, 0, "%s", what);
}

static tacit_status find_by_index(int32_t *cell, const reading *r, tacit_error *err)
{
    double index = tacit__decimal_read(trim(r->rows.fields[0]));
    if (!(index >= 0 && index < r->cells->count && index == floor(index)))
        return wrong(r, err, "the index of a cell is out of range");
    *cell = (int32_t)index;
    return TACIT_OK;
}

static tacit_status find_cell(int32_t *cell, const reading *r, tacit_error *err)
{
    if (!r->cells->dimension_count)
        return find_by_index(cell, r, err);
    int64_t place = 0;
    for (int32_t d = 0; d < r->cells->dimension_count; d++) {
        const tacit_dimension *dimension = &r->cells->dimensions[d];
        tacit_strview name = trim(r->rows.fields[d]);
        uint32_t label = tacit__names_find(&r->names[d], name);
        if (label == TACIT__NONE)
            return tacit__error_at(err, TACIT_PARSE, r->rows.file, r->rows.line, 0,
                                   "%s is no code of dimension \"%s\"",
                                   tacit__show_value(err, name).text,
                                   tacit__show(dimension->name).text);
        place += dimension->code_of[label] * r->cells->tables[0].strides[d];
    }
    *cell = (int32_t)place;
    return TACIT_OK;
}

/* The numbers that follow a keyword: from least to most of them, none negative. */
static tacit_status read_levels(double *numbers, const reading *r, int least, int most,
                                tacit_error *err)
{
    int count = r->rows.count - r->key - 1;
    if (count < least || count > most)
        return wrong(r, err, "a cost is written c,COST and levels pl,LOWER,UPPER");
    for (int i = 0; i < most; i++) {
        numbers[i] = i < count ? tacit__decimal_read(trim(r->rows.fields[r->key + 1 + i])) : 0;
        if (!(numbers[i] >= 0))
            return wrong(r, err, "costs and levels are numbers that are not negative");
    }
    return TACIT_OK;
}

static void set_status(const reading *r, int32_t cell, char letter)
{
    tacit_cells *cells = r->cells;
    bool levels = cells->lpl[cell] > 0 || cells->upl[cell] > 0 || cells->spl[cell] > 0;
    cells->status[cell] = letter;
    if (letter == TACIT_CELL_PRIMARY && !levels)
        tacit__margin_apply(cells, cell, r->margin);
}

static void set_levels(tacit_cells *cells, int32_t cell, const double *levels)
{
    cells->lpl[cell] = levels[0];
    cells->upl[cell] = levels[1];
    cells->spl[cell] = levels[2];
}

/* What a word makes of a cell; 0: it says no status. */
static char status_of(tacit_strview word)
{
    static const struct {
        const char *word;
        char letter;
    } WORDS[] = {{"u", TACIT_CELL_PRIMARY},   {"s", TACIT_CELL_FREE},
                 {"p", TACIT_CELL_FIXED},     {"z", TACIT_CELL_FIXED},
                 {"m", TACIT_CELL_SECONDARY}, {"ml", TACIT_CELL_SECONDARY},
                 {"x", TACIT_CELL_SECONDARY}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (is_word(word, WORDS[i].word))
            return WORDS[i].letter;
    return 0;
}

static tacit_status read_line(const reading *r, bool apply, tacit_error *err)
{
    int32_t cell = 0;
    double numbers[3];
    if (r->rows.count <= r->key)
        return wrong(r, err, "a line has the cell's codes, a delimiter, and u, s, p, m, c or pl");
    tacit_strview word = trim(r->rows.fields[r->key]);
    tacit_status status = find_cell(&cell, r, err);
    if (status != TACIT_OK)
        return status;
    if (status_of(word) && r->rows.count == r->key + 1) {
        if (apply)
            set_status(r, cell, status_of(word));
    } else if (is_word(word, "c") || is_word(word, "w")) {
        status = read_levels(numbers, r, 1, 1, err);
        if (apply)
            r->cells->cost[cell] = numbers[0];
    } else if (is_word(word, "pl")) {
        status = read_levels(numbers, r, 2, 3, err);
        if (apply)
            set_levels(r->cells, cell, numbers);
    } else {
        status = wrong(r, err, "the decision about a cell is u, s, p, m, c,COST or pl,LOWER,UPPER");
    }
    return status;
}

static tacit_status read_lines(reading *r, bool apply, tacit_error *err)
{
    tacit_status status;
    tacit__rows_rewind(&r->rows);
    while ((status = tacit__rows_next(&r->rows, err)) == TACIT_OK && r->rows.count)
        if ((status = read_line(r, apply, err)) != TACIT_OK)
            break;
    return status;
}

static tacit_status read(reading *r, tacit_strview bytes, const char *name, tacit_error *err)
{
    tacit_status status = tacit__cells_known(r->cells, err);
    if (status == TACIT_OK)
        status = tacit__rows_init(&r->rows, bytes, name, err);
    r->key = r->cells->dimension_count ? r->cells->dimension_count : 1;
    for (int32_t d = 0; status == TACIT_OK && d < r->cells->dimension_count; d++)
        if (!tacit__dimension_names(&r->names[d], &r->cells->dimensions[d]))
            status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = read_lines(r, false, err);
    if (status == TACIT_OK)
        status = read_lines(r, true, err);
    return status;
}

tacit_status tacit_cells_parse_apriori(tacit_cells *cells, tacit_strview bytes, const char *name,
                                       const tacit_margin *margin, tacit_error *err)
{
    if (!bytes.len || memchr(bytes.bytes, '\0', bytes.len))
        return tacit__error_at(err, TACIT_PARSE, name, 1, 0,
                               "the file is empty or no text; write a line a cell");
    if (cells->table_count > 1)
        return tacit__error_at(err, TACIT_INVALID, name, 0, 0,
                               "linked tables: apply the file to one of them before they are "
                               "linked");
    reading r = {.cells = cells, .margin = margin};
    tacit_status status = read(&r, bytes, name, err);
    tacit__rows_clear(&r.rows);
    for (int32_t d = 0; d < TACIT_MAX_DIMENSIONS; d++)
        tacit__names_clear(&r.names[d]);
    return status;
}

tacit_status tacit_cells_apply_apriori(tacit_cells *cells, const char *path,
                                       const tacit_margin *margin, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = tacit_cells_parse_apriori(cells, (tacit_strview){input.bytes, input.len}, path,
                                           margin, err);
    tacit__input_close(&input);
    return status;
}
