/*
 * synthesize.c - values drawn from a model of the data in place of the data's own (Rubin 1993;
 * sequential trees: Reiter 2005; Nowok, Raab and Dibben 2016).
 *
 * Columns are visited in the order given. For each a tree is grown on the data, which predicts it
 * from the columns of `given`, which stay as they are, and from those visited before. Then each
 * row is made column by column: what it has by now leads to a leaf of the next column's tree, and
 * one of the leaf's rows, a *donor*, is drawn. The first column has no tree unless something is
 * given: any row is the donor.
 *
 * What a donor has is a real person's value, so it is not always taken over:
 *   - a value, or an empty cell, that k rows of the data share is;
 *   - of any other number a window of k neighbouring rows is drawn that has the donor in it, and a
 *     number between its ends, such that the mean is the window's. It is nobody's if there are
 *     ROOM numbers of the column's decimals in the window for each row that has one of them which
 *     few share, or in a larger window. Where numbers are denser, those that are left out would
 *     show which ones are real. There the nearest number that k rows share is taken, if half of
 *     all rows have such numbers, else any of the window: only by chance is it one that a row
 *     has, and then nothing is claimed of the column;
 *   - for any other value another donor is drawn, of the leaf and then of all rows.
 * A row is drawn again if it is one that a single row of the data has, in all columns visited.
 *
 * Trees are grown in parallel, one a column, and rows drawn by stretches. Growing costs rows times
 * columns squared times the depth of trees, and 21 bytes a row and column; drawing the depths.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "techniques/synthetic/columns.h"

enum { SYNTH_COLUMNS, SYNTH_GIVEN, SYNTH_K, SYNTH_LEAF, SYNTH_REPLICATES };

enum { REPLICATES_REDRAW, REPLICATES_KEEP };

enum { DRAW_ROWS };

/* Numbers that a window has for each of its rows: that one of them is never drawn then says little,
 * as about e^(-1/4) of those that could be are not drawn either. */
enum { ROOM = 4 };

enum { DONORS = 32, NUMBERS = 16, WIDEST = 16, REDRAWS = 200 };

static const char *const REPLICATES_WORDS[] = {"redraw", "keep", NULL};

static const tacit_technique_option SYNTH_OPTIONS[] = {
    [SYNTH_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                       .help = "columns that are made up, in the order of the visit",
                       .required = true},
    [SYNTH_GIVEN] = {"given", TACIT_TECHNIQUE_COLUMNS,
                     .help = "columns that stay as they are, and that the others are drawn by"},
    [SYNTH_K] = {"k", TACIT_TECHNIQUE_INTEGER,
                 .help = "rows of the data that share a value that is released", .least = 2,
                 .most = 1000000, .usual = 5},
    [SYNTH_LEAF] = {"leaf", TACIT_TECHNIQUE_INTEGER,
                    .help = "rows of a tree's leaf, at least k; k unless given", .least = 2,
                    .most = 1000000},
    [SYNTH_REPLICATES] = {"replicates", TACIT_TECHNIQUE_CHOICE,
                          .help = "rows that only one row of the data has: drawn again, or kept",
                          .choices = REPLICATES_WORDS},
    {.name = NULL},
};

/* A cell that was drawn: a code of the data, or another number, which a row may have by chance. */
typedef struct drawn_cell {
    uint32_t code; /* UINT32_MAX: another number */
    double number;
    bool met;
} drawn_cell;

typedef struct synthesis {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    int64_t k, leaf;
    tacit__synth_column *columns; /* those given first */
    int32_t given, count;         /* of all */
    tacit__cart_column *splits;   /* the same as trees see them */
    tacit__cart *trees;           /* of each that is drawn */
    uint64_t *rows;               /* hashes of the data's rows in columns drawn, ascending */
    int64_t *redrawn, *smoothed;  /* of each stretch */
    bool *met; /* of each stretch and column drawn: a number that a row has was met by chance */
} synthesis;

/* One row being made. */
typedef struct drawing {
    const synthesis *s;
    tacit__random random;
    uint8_t *bins;     /* of all columns */
    drawn_cell *cells; /* of those drawn */
    bool loose;        /* donors of all rows: no other way is left */
    bool stuck;        /* nothing can be released of a column: which */
    int32_t column;
} drawing;

static tacit_status check_synthesize(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *leaf = &call->values[SYNTH_LEAF];
    if (leaf->given && leaf->number < call->values[SYNTH_K].number)
        return tacit__call_error(call, leaf, err, "a `leaf` has at least `k` rows");
    return tacit__call_apart(call, SYNTH_COLUMNS, SYNTH_GIVEN, err);
}

/* ---- donors ---- */

static bool is_new(const drawn_cell *cell)
{
    return cell->code == UINT32_MAX;
}

/* The number that k rows share next to one. */
static bool take_nearest(drawn_cell *cell, const tacit__synth_column *c, double number)
{
    uint32_t low = 0, high = c->common_count;
    if (c->common_count == 0)
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->values.cells[c->common[middle]].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == c->common_count || (low > 0 && number - c->values.cells[c->common[low - 1]].number <=
                                                  c->values.cells[c->common[low]].number - number))
        low--;
    *cell = (drawn_cell){c->common[low], c->values.cells[c->common[low]].number, false};
    return true;
}

/* Whether a number is written like one that a row has. */
static bool is_somebodys(const tacit__synth_column *c, double number, double unit)
{
    uint32_t place = tacit__synth_place(c, number);
    return (place < c->count && c->numbers[place] - number < unit / 2) ||
           (place > 0 && number - c->numbers[place - 1] < unit / 2);
}

/* Between the ends of a window, with its mean. */
static double between(const double ends[2], double mean, tacit__random *random)
{
    double low = ends[0], high = ends[1];
    if (high > low && tacit__random_unit(random) < (high - mean) / (high - low))
        high = mean;
    else
        low = mean;
    return low + (high - low) * tacit__random_unit(random);
}

/* Neighbouring rows, in the order of their numbers. */
typedef struct window {
    double ends[2], mean;
} window;

/* One of those of so many rows that have the donor at a place of all in them. */
static window draw_window(drawing *d, const tacit__synth_column *c, const uint32_t *rows,
                          int64_t count, int64_t donor, int64_t size)
{
    int64_t first = donor >= size ? donor - size + 1 : 0;
    int64_t last = donor + size <= count ? donor : count - size;
    rows += first + tacit__random_below(&d->random, (uint32_t)(last - first + 1));
    window w = {.ends = {tacit__synth_number(c, rows[0]), tacit__synth_number(c, rows[size - 1])}};
    for (int64_t i = 0; i < size; i++)
        w.mean += (tacit__synth_number(c, rows[i]) - w.ends[0]) / (double)size;
    w.mean = fmin(w.ends[0] + w.mean, w.ends[1]);
    return w;
}

/* Whether numbers can be left out of the window and not be missed. */
static bool has_room(const synthesis *s, const tacit__synth_column *c, const window *w,
                     int64_t size)
{
    double unit = pow(10, -s->sheet->columns[c->index].decimals);
    int64_t few = tacit__synth_few(c, w->ends[0], w->ends[1]);
    return w->ends[1] - w->ends[0] >= unit * ROOM * (double)(few > size ? few : size);
}

/* A number of the window; one that is nobody's where that is asked for. */
static bool take_between(drawn_cell *cell, drawing *d, const tacit__synth_column *c,
                         const window *w, bool nobodys)
{
    const tacit__sheet_column *column = &d->s->sheet->columns[c->index];
    double unit = pow(10, -column->decimals);
    for (int i = 0; i < NUMBERS; i++) {
        double number = tacit__sheet_round(column, between(w->ends, w->mean, &d->random));
        bool met = is_somebodys(c, number, unit);
        *cell = (drawn_cell){UINT32_MAX, number, met};
        if (number >= w->ends[0] && number <= w->ends[1] && !(nobodys && met))
            return true;
    }
    return false;
}

/* A number of a window of k rows or more around a donor's. */
static bool take_window(drawn_cell *cell, drawing *d, const tacit__synth_column *c, double number)
{
    const uint32_t *rows = c->order + c->empty;
    int64_t k = d->s->k, count = d->s->sheet->rows - c->empty;
    int64_t donor = tacit__synth_below(c, number);
    if (count < k)
        return false;
    for (int64_t size = k; size <= count && size <= WIDEST * k; size *= 2) {
        window w = draw_window(d, c, rows, count, donor, size);
        if (has_room(d->s, c, &w, size) && take_between(cell, d, c, &w, true))
            return true;
    }
    if (c->discrete)
        return take_nearest(cell, c, number);
    window w = draw_window(d, c, rows, count, donor, k);
    return take_between(cell, d, c, &w, false);
}

/* What the donor at a place of some rows gives; false: nothing. */
static bool take_donor(drawn_cell *cell, drawing *d, const tacit__synth_column *c,
                       const uint32_t *rows, int64_t place)
{
    uint32_t code = c->values.codes[rows[place]];
    bool empty = code == c->values.count;
    if (tacit__synth_is_common(c, code)) {
        *cell = (drawn_cell){code, empty ? NAN : c->values.cells[code].number, false};
        return true;
    }
    if (empty || !c->numeric)
        return false;
    return take_window(cell, d, c, tacit__synth_number(c, rows[place]));
}

static bool draw_from(drawn_cell *cell, drawing *d, const tacit__synth_column *c,
                      const uint32_t *rows, int64_t count)
{
    for (int i = 0; i < DONORS; i++)
        if (take_donor(cell, d, c, rows, tacit__random_below(&d->random, (uint32_t)count)))
            return true;
    return false;
}

/* ---- rows ---- */

static bool draw_cell(drawing *d, int32_t column)
{
    const synthesis *s = d->s;
    const tacit__synth_column *c = &s->columns[s->given + column];
    const tacit__cart *tree = &s->trees[column];
    drawn_cell *cell = &d->cells[column];
    const tacit__cart_node *leaf = tacit__cart_leaf(tree, d->bins);
    bool drawn = (!d->loose && draw_from(cell, d, c, tree->rows + leaf->from, leaf->count)) ||
                 draw_from(cell, d, c, c->order, s->sheet->rows);
    for (uint32_t code = 0; !drawn && code <= c->values.count; code++)
        if (tacit__synth_is_common(c, code)) { /* few rows have one */
            *cell = (drawn_cell){code, code < c->values.count ? c->values.cells[code].number : NAN,
                                 false};
            drawn = true;
        }
    if (drawn)
        d->bins[s->given + column] =
            is_new(cell) ? tacit__synth_bin(c, cell->number) : c->bins_of[cell->code];
    return drawn;
}

static uint64_t add_code(uint64_t hash, uint32_t code)
{
    return tacit__mix(hash ^ code) + UINT64_C(0x9E3779B97F4A7C15);
}

/* The code of the row's number that was met by chance; the empty one's where that has several. */
static uint32_t code_of_met(const tacit__synth_column *c, double number)
{
    uint32_t place = tacit__synth_place(c, number);
    bool before = place > 0 && (place == c->count ||
                                number - c->numbers[place - 1] < c->numbers[place] - number);
    return c->codes[before ? place - 1 : place];
}

/* Whether one row of the data, and no other, has all of this. */
static bool is_replicate(const drawing *d)
{
    const synthesis *s = d->s;
    uint64_t hash = 1;
    for (int32_t i = 0; i < s->count - s->given; i++) {
        const tacit__synth_column *c = &s->columns[s->given + i];
        const drawn_cell *cell = &d->cells[i];
        if (is_new(cell) && !cell->met)
            return false;
        uint32_t code = is_new(cell) ? code_of_met(c, cell->number) : cell->code;
        if (is_new(cell) && code == c->values.count)
            return true; /* it may be spelled like any of them */
        hash = add_code(hash, code);
    }
    int64_t low = 0, high = s->sheet->rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->rows[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->sheet->rows && s->rows[low] == hash &&
           (low + 1 == s->sheet->rows || s->rows[low + 1] != hash);
}

/* False where no such row can be drawn. */
static bool draw_row(drawing *d, int64_t row, int64_t *redrawn)
{
    const synthesis *s = d->s;
    for (int32_t i = 0; i < s->given; i++)
        d->bins[i] = s->columns[i].bins[row];
    for (int tries = 0; tries < REDRAWS; tries++) {
        d->loose = tries >= REDRAWS / 2;
        for (int32_t i = 0; i < s->count - s->given; i++)
            if (!draw_cell(d, i)) {
                d->stuck = true;
                d->column = i;
                return false;
            }
        if (!s->rows || !is_replicate(d))
            return true;
        *redrawn += tries == 0;
    }
    return false;
}

static int64_t put_row(const drawing *d, int64_t row, bool *met)
{
    const synthesis *s = d->s;
    int64_t smoothed = 0;
    for (int32_t i = 0; i < s->count - s->given; i++) {
        const tacit__synth_column *c = &s->columns[s->given + i];
        tacit__sheet_column *column = &s->sheet->columns[c->index];
        const drawn_cell *cell = &d->cells[i];
        if (is_new(cell))
            tacit__cell_put_number(column, row, cell->number);
        else
            tacit__cell_put(column, row,
                            cell->code < c->values.count ? c->values.cells[cell->code]
                                                         : (tacit__cell){0, NAN});
        smoothed += is_new(cell);
        met[i] |= cell->met;
    }
    return smoothed;
}

static tacit_status cannot(const drawing *d, tacit_error *err)
{
    const synthesis *s = d->s;
    if (d->stuck)
        return tacit__call_error(
            s->call, NULL, err,
            "no value of column \"%s\" is shared by %lld rows, and it "
            "does not have as many numbers: leave it out, or make it coarser "
            "first",
            tacit__show(tacit_strview_of(s->call->values[SYNTH_COLUMNS].texts[d->column])).text,
            (long long)s->k);
    return tacit__call_error(s->call, &s->call->values[SYNTH_REPLICATES], err,
                             "rows that only one row of the data has cannot be avoided: make up "
                             "more columns, or columns with more values that rows share");
}

static tacit_status draw_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    synthesis *s = context;
    drawing d = {.s = s};
    bool *met = s->met + stretch * (s->count - s->given);
    tacit_status status = TACIT_OK;
    (void)worker;
    tacit__call_random(&d.random, s->call, DRAW_ROWS, (uint32_t)stretch);
    d.bins = tacit__alloc_array((size_t)s->count, sizeof *d.bins);
    d.cells = tacit__alloc_array((size_t)s->count, sizeof *d.cells);
    if (!d.bins || !d.cells)
        status = tacit__nomem(err);
    for (int64_t row = from; status == TACIT_OK && row < to; row++) {
        if (draw_row(&d, row, &s->redrawn[stretch]))
            s->smoothed[stretch] += put_row(&d, row, met);
        else
            status = cannot(&d, err);
    }
    tacit__free(d.bins);
    tacit__free(d.cells);
    return status;
}

/* ---- trees ---- */

static tacit_status grow_one(void *context, int64_t task, int worker, tacit_error *err)
{
    synthesis *s = context;
    const tacit__synth_column *target = &s->columns[s->given + task];
    const tacit__cart_case c = {.columns = s->splits,
                                .column_count = s->given + (int32_t)task,
                                .target = s->splits[s->given + task],
                                .rows = target->order,
                                .count = (uint32_t)s->sheet->rows,
                                .least = (uint32_t)s->leaf};
    (void)worker;
    return tacit__cart_grow(&s->trees[task], &c, err);
}

static int32_t column_at(const tacit__runner_call *call, int32_t place)
{
    const tacit__runner_value *given = &call->values[SYNTH_GIVEN];
    int32_t count = (int32_t)given->text_count;
    return place < count ? given->columns[place]
                         : call->values[SYNTH_COLUMNS].columns[place - count];
}

static tacit_status code_columns(synthesis *s, tacit_error *err)
{
    const tacit__runner_value *values = s->call->values;
    s->given = (int32_t)values[SYNTH_GIVEN].text_count;
    int32_t all = s->given + (int32_t)values[SYNTH_COLUMNS].text_count;
    s->columns = tacit__alloc_zeroed((size_t)all, sizeof *s->columns);
    s->splits = tacit__alloc_zeroed((size_t)all, sizeof *s->splits);
    s->trees = tacit__alloc_zeroed((size_t)all, sizeof *s->trees);
    tacit_status status = s->columns && s->splits && s->trees ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && s->count < all) {
        tacit__synth_column *column = &s->columns[s->count];
        status =
            tacit__synth_column_init(column, s->sheet, column_at(s->call, s->count), s->k, err);
        s->splits[s->count++] = (tacit__cart_column){column->bins, column->numeric, column->scores};
    }
    return status;
}

/* Rows of the data as hashes of their codes. */
static tacit_status hash_rows(synthesis *s, tacit_error *err)
{
    int64_t rows = s->sheet->rows;
    if (s->call->values[SYNTH_REPLICATES].choice == REPLICATES_KEEP)
        return TACIT_OK;
    tacit__ranked *list = tacit__alloc_array((size_t)rows, sizeof *list);
    tacit__ranked *spare = tacit__alloc_array((size_t)rows, sizeof *spare);
    s->rows = tacit__alloc_array((size_t)rows, sizeof *s->rows);
    bool whole = list && spare && s->rows;
    for (int64_t row = 0; whole && row < rows; row++) {
        list[row] = (tacit__ranked){1, (uint32_t)row};
        for (int32_t i = s->given; i < s->count; i++)
            list[row].key = add_code(list[row].key, s->columns[i].values.codes[row]);
    }
    if (whole)
        tacit__rank_sort(list, spare, rows);
    for (int64_t row = 0; whole && row < rows; row++)
        s->rows[row] = list[row].key;
    tacit__free(list);
    tacit__free(spare);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status draw_all(synthesis *s, tacit_error *err)
{
    size_t stretches = (size_t)(s->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    s->redrawn = tacit__alloc_zeroed(stretches, sizeof *s->redrawn);
    s->smoothed = tacit__alloc_zeroed(stretches, sizeof *s->smoothed);
    s->met = tacit__alloc_zeroed(stretches, (size_t)(s->count - s->given) * sizeof *s->met);
    if (!s->redrawn || !s->smoothed || !s->met)
        return tacit__nomem(err);
    return tacit__stretches(s->sheet, "making up rows", draw_stretch, s, err);
}

/* ---- the step ---- */

static tacit_status report_synthesis(const synthesis *s, tacit_error *err)
{
    int64_t redrawn = 0, smoothed = 0, leaves = 0;
    for (int64_t i = 0; i < (s->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH; i++) {
        redrawn += s->redrawn[i];
        smoothed += s->smoothed[i];
    }
    for (int32_t i = 0; i < s->count - s->given; i++)
        leaves += s->trees[i].leaves;
    tacit_status status = tacit__note(s->call, "leaves", (double)leaves, err);
    if (status == TACIT_OK)
        status = tacit__note(s->call, "new_numbers", (double)smoothed, err);
    if (status == TACIT_OK && s->rows)
        status = tacit__note(s->call, "rows_drawn_again", (double)redrawn, err);
    return status;
}

static bool was_met(const synthesis *s, int32_t column)
{
    int64_t stretches = (s->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    int32_t drawn = s->count - s->given;
    for (int64_t i = 0; i < stretches; i++)
        if (s->met[i * drawn + column])
            return true;
    return false;
}

/* Columns of which no value of few is released, and rows of which none is a single row's. */
static tacit_status claim_all(const synthesis *s, tacit_error *err)
{
    const tacit__runner_value *columns = &s->call->values[SYNTH_COLUMNS];
    const tacit_kept common = {.kind = TACIT_KEPT_COMMON, .amount = (double)s->k};
    tacit__runner_value some = {.texts = tacit__alloc_array(columns->text_count, sizeof(char *))};
    const char **names = (const char **)some.texts;
    if (!names)
        return tacit__nomem(err);
    for (size_t i = 0; i < columns->text_count; i++)
        if (!was_met(s, (int32_t)i))
            names[some.text_count++] = columns->texts[i];
    tacit_status status =
        some.text_count ? tacit__claim(s->call, common, &some, NULL, err) : TACIT_OK;
    tacit__free((void *)names);
    const tacit_kept uncopied = {.kind = TACIT_KEPT_UNCOPIED};
    return status == TACIT_OK && s->rows ? tacit__claim(s->call, uncopied, columns, NULL, err)
                                         : status;
}

static void synthesis_clear(synthesis *s)
{
    for (int32_t i = 0; i < s->count; i++) {
        tacit__synth_column_clear(&s->columns[i]);
        tacit__cart_clear(&s->trees[i]);
    }
    tacit__free(s->columns);
    tacit__free(s->splits);
    tacit__free(s->trees);
    tacit__free(s->rows);
    tacit__free(s->redrawn);
    tacit__free(s->smoothed);
    tacit__free(s->met);
}

static tacit_status apply_synthesize(tacit__sheet *sheet, const tacit__runner_call *call,
                                     tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    synthesis s = {.call = call, .sheet = sheet, .k = (int64_t)values[SYNTH_K].number};
    s.leaf = values[SYNTH_LEAF].given ? (int64_t)values[SYNTH_LEAF].number : s.k;
    tacit_status status = code_columns(&s, err);
    if (status == TACIT_OK)
        status = tacit__parallel(sheet->run, "growing trees", s.count - s.given, grow_one, &s, err);
    if (status == TACIT_OK)
        status = hash_rows(&s, err);
    if (status == TACIT_OK)
        status = draw_all(&s, err);
    if (status == TACIT_OK)
        status = report_synthesis(&s, err);
    if (status == TACIT_OK)
        status = claim_all(&s, err);
    synthesis_clear(&s);
    return status;
}

const tacit_technique tacit__technique_synthesize = {
    .name = "synthesize",
    .summary = "values drawn from trees that were grown on the data",
    .effect = "values are drawn from a model of the data: nobody has to have them, and only "
              "relations that the model has found are in them",
    .options = SYNTH_OPTIONS,
    .features = TACIT_TECHNIQUE_MAKES_UP,
    .code =
        &(const struct tacit__technique_code){.apply = apply_synthesize, .check = check_synthesize},
};
