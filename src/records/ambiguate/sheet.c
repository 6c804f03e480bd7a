/*
 * sheet.c - the rows of a tableau column by column, with their blanks.
 *
 * Lines are made in strips of a fixed number of items, so that a strip stays in the first cache
 * while one column after the other is compared; arrays are as long as a whole number of strips.
 */
#include "records/ambiguate/sheet.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"

/* ---- memory ---- */

bool tacit__blank_sheet_resize(void *block, int64_t before, int64_t room, size_t size)
{
    char *larger = tacit__resize_array(*(void **)block, (size_t)room, size);
    if (!larger)
        return false;
    memset(larger + (size_t)before * size, 0, (size_t)(room - before) * size);
    *(void **)block = larger;
    return true;
}

static tacit_status reserve_items(tacit__blank_sheet *sheet, int64_t items, tacit_error *err)
{
    int64_t before = sheet->room, room = before;
    if (items <= before)
        return TACIT_OK;
    while (room < items)
        room = (room + room / 2 + 2 * TACIT__STRIP - 1) / TACIT__STRIP * TACIT__STRIP;
    bool fits =
        tacit__blank_sheet_resize(&sheet->class_of, before, room, sizeof *sheet->class_of) &&
        tacit__blank_sheet_resize(&sheet->rows, before, room, sizeof *sheet->rows) &&
        tacit__blank_sheet_resize(&sheet->blank, before, room, sizeof *sheet->blank) &&
        tacit__blank_sheet_resize(&sheet->alpha, before, room, sizeof *sheet->alpha);
    for (int32_t c = 0; fits && c < sheet->tableau->columns; c++)
        fits = tacit__blank_sheet_resize(&sheet->codes[c], before, room, sizeof *sheet->codes[c]);
    if (!fits)
        return tacit__nomem(err);
    sheet->room = room;
    return TACIT_OK;
}

void tacit__blank_sheet_clear(tacit__blank_sheet *sheet)
{
    tacit__free(sheet->class_of);
    tacit__free(sheet->rows);
    tacit__free(sheet->blank);
    tacit__free(sheet->alpha);
    for (int32_t c = 0; c < TACIT_MAX_MASKED; c++)
        tacit__free(sheet->codes[c]);
    *sheet = (tacit__blank_sheet){0};
}

static void fill_sheet(tacit__blank_sheet *sheet)
{
    const tacit__tableau *tableau = sheet->tableau;
    sheet->items = tableau->classes;
    for (int64_t i = 0; i < tableau->classes; i++) {
        const uint32_t *codes = tacit__tableau_codes(tableau, i);
        for (int32_t c = 0; c < tableau->columns; c++)
            sheet->codes[c][i] = codes[c];
        sheet->class_of[i] = (uint32_t)i;
        sheet->rows[i] = sheet->alpha[i] = tableau->counts[i];
        sheet->below += tableau->counts[i] < tableau->k ? tableau->counts[i] : 0;
        sheet->sum += tableau->counts[i] * tableau->counts[i];
    }
}

tacit_status tacit__blank_sheet_init(tacit__blank_sheet *sheet, const tacit__tableau *tableau,
                                     tacit_error *err)
{
    *sheet = (tacit__blank_sheet){.tableau = tableau};
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status == TACIT_OK)
        status = reserve_items(sheet, tableau->classes + 1, err);
    if (status == TACIT_OK)
        fill_sheet(sheet);
    else
        tacit__blank_sheet_clear(sheet);
    return status;
}

/* ---- comparing ---- */

TACIT__HOT
static void mark_others(uint64_t *restrict line, const uint32_t *restrict codes, uint32_t code,
                        uint64_t bit)
{
    for (int i = 0; i < TACIT__STRIP; i++)
        line[i] |= codes[i] != code ? bit : 0;
}

TACIT__HOT
static void leave_out_blanks(uint64_t *restrict line, const uint64_t *restrict blank)
{
    for (int i = 0; i < TACIT__STRIP; i++)
        line[i] &= ~blank[i];
}

void tacit__blank_sheet_line(uint64_t *line, const tacit__blank_sheet *sheet, int64_t item)
{
    int32_t columns = sheet->tableau->columns;
    for (int64_t from = 0; from < sheet->items; from += TACIT__STRIP) {
        memset(line + from, 0, TACIT__STRIP * sizeof *line);
        for (int32_t c = 0; c < columns; c++)
            if (!(sheet->blank[item] >> c & 1))
                mark_others(line + from, sheet->codes[c] + from, sheet->codes[c][item],
                            UINT64_C(1) << c);
        leave_out_blanks(line + from, sheet->blank + from);
    }
}

/* ---- blanking ---- */

tacit_status tacit__blank_sheet_split(int64_t *to, tacit__blank_sheet *sheet, int64_t item,
                                      int64_t rows, tacit_error *err)
{
    int64_t fresh = sheet->items;
    if (rows == sheet->rows[item]) {
        *to = item;
        return TACIT_OK;
    }
    tacit_status status = reserve_items(sheet, fresh + 1, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t c = 0; c < sheet->tableau->columns; c++)
        sheet->codes[c][fresh] = sheet->codes[c][item];
    sheet->class_of[fresh] = sheet->class_of[item];
    sheet->blank[fresh] = sheet->blank[item];
    sheet->alpha[fresh] = sheet->alpha[item];
    sheet->rows[fresh] = rows;
    sheet->rows[item] -= rows;
    sheet->items++;
    *to = fresh;
    return TACIT_OK;
}

/* Rows of an item agree with so many more. */
static void raise(tacit__blank_sheet *sheet, int64_t item, int64_t more)
{
    int64_t k = sheet->tableau->k, before = sheet->alpha[item];
    sheet->alpha[item] += more;
    sheet->sum += more * sheet->rows[item];
    if (before < k && before + more >= k)
        sheet->below -= sheet->rows[item];
}

void tacit__blank_sheet_blank(tacit__blank_sheet *sheet, int64_t item, uint64_t mask,
                              const uint64_t *line)
{
    int64_t gained = 0;
    for (int64_t i = 0; i < sheet->items; i++)
        if (line[i] && !(line[i] & ~mask)) {
            raise(sheet, i, sheet->rows[item]);
            gained += sheet->rows[i];
        }
    raise(sheet, item, gained);
    for (uint64_t left = mask & ~sheet->blank[item]; left; left &= left - 1)
        sheet->column[__builtin_ctzll(left)] += sheet->rows[item];
    sheet->blank[item] |= mask;
}

uint64_t tacit__blank_sheet_allowed(const tacit__blank_sheet *sheet, int64_t item)
{
    uint64_t allowed = 0;
    for (int32_t c = 0; c < sheet->tableau->columns; c++)
        if (sheet->column[c] < sheet->tableau->most_column)
            allowed |= UINT64_C(1) << c;
    return tacit__blank_sheet_left(sheet, item) > 0 ? allowed & ~sheet->blank[item] : 0;
}

int32_t tacit__blank_sheet_left(const tacit__blank_sheet *sheet, int64_t item)
{
    return sheet->tableau->most_row - __builtin_popcountll(sheet->blank[item]);
}

tacit_status tacit__blank_sheet_stuck(const tacit__blank_sheet *sheet, const char *way,
                                      tacit_error *err)
{
    const tacit__tableau *t = sheet->tableau;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "%s finds no blanks within the limits (%d a row, %lld a column); it does "
                        "not look ahead, so cover or exact may, or allow more blanks",
                        way, t->most_row, (long long)t->most_column);
}

tacit_status tacit__blank_sheet_plan(tacit__blanking *plan, const tacit__blank_sheet *sheet,
                                     tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < sheet->items; i++)
        if (sheet->blank[i])
            status = tacit__blanking_add(plan,
                                         (tacit__blank){.class_index = sheet->class_of[i],
                                                        .rows = sheet->rows[i],
                                                        .mask = sheet->blank[i]},
                                         err);
    if (status == TACIT_OK)
        tacit__blanking_tidy(plan);
    else
        tacit__blanking_clear(plan);
    return status;
}
