/*
 * formula.c - heuristics A and B, which look at the table's formula as a whole (2.3 of Vinterbo and
 * Ohno-Machado, Table Ambiguation By Minimal Cell Suppression).
 *
 * A (2.3.1) blanks the first rows. A row without any value agrees with every other, so one such row
 * is enough for 2-ambiguity, and k - 1 of them for k. Rows are taken class by class, in the order
 * of the classes' first rows. A table that is k-ambiguous already is left alone. Linear.
 *
 * B (2.3.2) blanks the cell that occurs most often in the formula.
 *
 * F_M has a conjunct for every row in need, which asks that k - 1 other rows agree with it, and is
 * kept factored: two rows agree where for every column that tells them apart one of the two cells
 * is blank, so each of their variables occurs once for the pair (and once more where the other row
 * is in need too). The variable that occurs most often is set, again and again; a pair that agrees
 * then, and a conjunct that has its k - 1, are evaluated and gone. Ties go to the last column, and
 * in it to the first row: so the cells of the paper's Tables 3, 4 and 5 come out. Where blanks have
 * costs, occurrences are counted per cost. Cells that a limit forbids are passed over.
 *
 * The formula is nowhere written down. What is kept is how often each cell occurs, at first from
 * the frequencies of values; a variable that is set and a conjunct that is done take back what they
 * gave, in one pass over the rows each. So the cost is (cells set + rows in need) x classes x
 * columns, and the memory 20 bytes a cell.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/ambiguate/sheet.h"

/* ---- A ---- */

static tacit_status check_limits(const tacit__tableau *tableau, tacit_error *err)
{
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    if (tableau->most_row < tableau->columns || tableau->most_column < tableau->k - 1)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "A blanks whole rows, which the limits (at most %d in a row, %lld in a "
                            "column) forbid; cover or exact keep to limits",
                            tableau->most_row, (long long)tableau->most_column);
    return TACIT_OK;
}

static bool is_ambiguous(const tacit__tableau *tableau)
{
    for (int64_t i = 0; i < tableau->classes; i++)
        if (tableau->counts[i] < tableau->k)
            return false;
    return true;
}

tacit_status tacit__ambiguate_whole(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    (void)how, (void)run;
    int64_t left = tableau->k - 1;
    uint64_t all = tableau->columns ? UINT64_MAX >> (64 - tableau->columns) : 0;
    if (is_ambiguous(tableau))
        return TACIT_OK;
    tacit_status status = check_limits(tableau, err);
    for (int64_t i = 0; status == TACIT_OK && left > 0; i++) {
        int64_t rows = tableau->counts[i] < left ? tableau->counts[i] : left;
        status = tacit__blanking_add(
            plan, (tacit__blank){.class_index = (uint32_t)i, .rows = rows, .mask = all}, err);
        left -= rows;
    }
    if (status != TACIT_OK)
        tacit__blanking_clear(plan);
    return status;
}

/* ---- B ---- */

enum { LANES = 8 };

typedef struct formula {
    tacit__blank_sheet sheet;
    int64_t room;
    double *often[TACIT_MAX_MASKED]; /* of a column, an item each: how often the cell of
                                            each of its rows occurs */
    double *rate[TACIT_MAX_MASKED];  /* the same: 1 / cost; 0: may not be blank */
    double *need;                    /* an item each: 1 while its conjuncts are not done */
    uint64_t *line;
    double best[TACIT_MAX_MASKED];  /* occurrences per cost of a column's best cell */
    int64_t item[TACIT_MAX_MASKED]; /* where it is */
    bool changed[TACIT_MAX_MASKED]; /* the two are to be looked for anew */
} formula;

static void formula_clear(formula *f)
{
    for (int32_t c = 0; c < TACIT_MAX_MASKED; c++) {
        tacit__free(f->often[c]);
        tacit__free(f->rate[c]);
    }
    tacit__free(f->need);
    tacit__free(f->line);
    tacit__blank_sheet_clear(&f->sheet);
}

static bool resize(void *block, const formula *f)
{
    return tacit__blank_sheet_resize(block, f->room, f->sheet.room, sizeof(double));
}

/* As long as the arrays of the sheet. */
static tacit_status fit_formula(formula *f, tacit_error *err)
{
    if (f->sheet.room == f->room)
        return TACIT_OK;
    bool fits = resize(&f->need, f) && resize(&f->line, f);
    for (int32_t c = 0; fits && c < f->sheet.tableau->columns; c++)
        fits = resize(&f->often[c], f) && resize(&f->rate[c], f);
    f->room = fits ? f->sheet.room : f->room;
    return fits ? TACIT_OK : tacit__nomem(err);
}

/* ---- the formula as it begins ---- */

/* How often the cells of a column occur: once for every row with another value, if their own
 * row is in need, and once for every row in need with another value. */
static tacit_status count_column(formula *f, int32_t column, tacit_error *err)
{
    const tacit__tableau *t = f->sheet.tableau;
    int64_t *rows = tacit__alloc_zeroed(t->domain[column], 2 * sizeof *rows);
    if (!rows)
        return tacit__nomem(err);
    int64_t *below = rows + t->domain[column];
    for (int64_t i = 0; i < t->classes; i++) {
        uint32_t code = f->sheet.codes[column][i];
        rows[code] += t->counts[i];
        below[code] += f->need[i] > 0 ? t->counts[i] : 0;
    }
    for (int64_t i = 0; i < t->classes; i++) {
        uint32_t code = f->sheet.codes[column][i];
        f->often[column][i] =
            f->need[i] * (double)(t->rows - rows[code]) + (double)(f->sheet.below - below[code]);
        f->rate[column][i] = t->most_row > 0 ? 1 / t->costs[i * t->columns + column] : 0;
    }
    f->changed[column] = true;
    tacit__free(rows);
    return TACIT_OK;
}

static tacit_status formula_init(formula *f, const tacit__tableau *tableau, tacit_error *err)
{
    *f = (formula){0};
    tacit_status status = tacit__blank_sheet_init(&f->sheet, tableau, err);
    if (status == TACIT_OK)
        status = fit_formula(f, err);
    for (int64_t i = 0; status == TACIT_OK && i < tableau->classes; i++)
        f->need[i] = tableau->counts[i] < tableau->k;
    for (int32_t c = 0; status == TACIT_OK && c < tableau->columns; c++)
        status = count_column(f, c, err);
    return status;
}

/* ---- the variable that occurs most often ---- */

TACIT__HOT
static double best_of_strip(const double *restrict often, const double *restrict rate)
{
    double best[LANES] = {0};
    for (int i = 0; i < TACIT__STRIP; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double score = often[i + lane] * rate[i + lane];
            best[lane] = score > best[lane] ? score : best[lane];
        }
    for (int lane = 1; lane < LANES; lane++)
        best[0] = best[lane] > best[0] ? best[lane] : best[0];
    return best[0];
}

/* Where a row of an item stands: rows are taken from their class in order, so what is left of
 * it comes last. */
static int64_t place(const formula *f, int64_t item)
{
    return 2 * (int64_t)f->sheet.class_of[item] + (item < f->sheet.tableau->classes);
}

/* The first place of a strip where a cell has the score, if it is before `first`. */
static int64_t first_of_strip(formula *f, int32_t column, int64_t from, double score, int64_t first)
{
    int64_t end = from + TACIT__STRIP < f->sheet.items ? from + TACIT__STRIP : f->sheet.items;
    for (int64_t i = from; i < end; i++)
        if (f->often[column][i] * f->rate[column][i] == score && place(f, i) < first) {
            first = place(f, i);
            f->item[column] = i;
        }
    return first;
}

static void look_at_column(formula *f, int32_t column)
{
    double best = 0;
    int64_t first = INT64_MAX;
    for (int64_t from = 0; from < f->sheet.items; from += TACIT__STRIP) {
        double score = best_of_strip(f->often[column] + from, f->rate[column] + from);
        if (score == 0 || score < best)
            continue;
        first = first_of_strip(f, column, from, score, score > best ? INT64_MAX : first);
        best = score;
    }
    f->best[column] = best;
    f->changed[column] = false;
}

/* The column of the best cell, or -1 where none is left. */
static int32_t most_often(formula *f)
{
    const tacit__tableau *t = f->sheet.tableau;
    int32_t best = -1;
    for (int32_t c = 0; c < t->columns; c++) {
        if (f->sheet.column[c] >= t->most_column)
            continue;
        if (f->changed[c])
            look_at_column(f, c);
        if (f->best[c] > 0 && (best < 0 || f->best[c] >= f->best[best]))
            best = c;
    }
    return best;
}

/* ---- evaluation ---- */

/* All bits where a set has a column, none where it has not: conditions keep a loop from being
 * turned into vectors. */
static inline uint64_t whether(uint64_t set, int32_t column)
{
    return UINT64_C(0) - (set >> column & 1);
}

static inline double masked(double number, uint64_t mask)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits &= mask;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Takes back what pairs with a cell that is set gave the others of its column. */
TACIT__HOT
static void forget_pairs(double *restrict often, const uint64_t *restrict line,
                         const double *restrict need, int32_t column, double own)
{
    for (int i = 0; i < TACIT__STRIP; i++)
        often[i] -= masked(need[i] + own, whether(line[i], column));
}

/* Takes back what conjuncts of an item gave the cells of others; what they gave each of its
 * own is returned. */
TACIT__HOT
static uint64_t forget_conjuncts(double *restrict often, const uint64_t *restrict line,
                                 const int64_t *restrict rows, int32_t column, double own)
{
    uint64_t sum = 0;
    for (int i = 0; i < TACIT__STRIP; i++) {
        often[i] -= masked(own, whether(line[i], column));
        sum += (uint64_t)rows[i] & whether(line[i], column);
    }
    return sum;
}

static void finish_conjuncts(formula *f, int64_t item)
{
    const tacit__blank_sheet *sheet = &f->sheet;
    double rows = (double)sheet->rows[item];
    tacit__blank_sheet_line(f->line, sheet, item);
    for (int32_t c = 0; c < sheet->tableau->columns; c++) {
        uint64_t sum = 0;
        for (int64_t from = 0; from < sheet->items; from += TACIT__STRIP)
            sum +=
                forget_conjuncts(f->often[c] + from, f->line + from, sheet->rows + from, c, rows);
        f->often[c][item] -= (double)sum;
        f->changed[c] = true;
    }
    f->need[item] = 0;
}

static tacit_status take_row(int64_t *row, formula *f, int64_t item, tacit_error *err)
{
    tacit_status status = tacit__blank_sheet_split(row, &f->sheet, item, 1, err);
    if (status == TACIT_OK)
        status = fit_formula(f, err);
    if (status != TACIT_OK)
        return status;
    f->need[*row] = f->need[item];
    for (int32_t c = 0; c < f->sheet.tableau->columns; c++) {
        f->often[c][*row] = f->often[c][item];
        f->rate[c][*row] = f->rate[c][item];
        if (f->item[c] == item)
            f->item[c] = *row; /* the same score, and it stands first */
    }
    return TACIT_OK;
}

static tacit_status set(formula *f, int64_t item, int32_t column, tacit_error *err)
{
    int64_t row = 0, below = f->sheet.below;
    tacit_status status = take_row(&row, f, item, err);
    if (status != TACIT_OK)
        return status;
    uint64_t bit = UINT64_C(1) << column;
    tacit__blank_sheet_line(f->line, &f->sheet, row);
    for (int64_t from = 0; from < f->sheet.items; from += TACIT__STRIP)
        forget_pairs(f->often[column] + from, f->line + from, f->need + from, column, f->need[row]);
    f->often[column][row] = 0;
    f->changed[column] = true;
    tacit__blank_sheet_blank(&f->sheet, row, bit, f->line);
    if (tacit__blank_sheet_left(&f->sheet, row) <= 0)
        for (int32_t c = 0; c < f->sheet.tableau->columns; c++) {
            f->rate[c][row] = 0;
            f->changed[c] = true;
        }
    for (int64_t i = 0; f->sheet.below < below && i < f->sheet.items; i++)
        if (f->need[i] > 0 && f->sheet.alpha[i] >= f->sheet.tableau->k)
            finish_conjuncts(f, i);
    return TACIT_OK;
}

tacit_status tacit__ambiguate_often(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    (void)how;
    formula f;
    tacit_status status = formula_init(&f, tableau, err);
    int64_t needy = f.sheet.below;
    while (status == TACIT_OK && f.sheet.below > 0) {
        int32_t column = most_often(&f);
        if (column < 0)
            status = tacit__blank_sheet_stuck(&f.sheet, "B", err);
        else
            status = set(&f, f.item[column], column, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "ambiguating", needy - f.sheet.below, needy, err);
    }
    if (status == TACIT_OK)
        status = tacit__blank_sheet_plan(plan, &f.sheet, err);
    formula_clear(&f);
    return status;
}
