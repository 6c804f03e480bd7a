/*
 * sensitive.c - the values of a sensitive column in every class.
 *
 * The rows are sorted by class and value, and each class is measured by each
 * model.
 *
 * The whole table, which closeness compares with, is the release, suppressed rows
 * included. Where rows were left out as announced it is the original, and then
 * the rows left out are a class as well: what the original has of each value
 * and the release has not. That needs no correspondence of rows, since carried
 * cells are checked elsewhere.
 *
 * Cost: a sort of the rows for each column and quasi-identifier.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"

/* The models about a sensitive column, on one class.
 *
 * Distinct, entropy and recursive diversity as Machanavajjhala and others define them, (alpha,k)
 * as Wong and others do, closeness as Li and others do (the earth mover's distance between the
 * class and the whole table).
 *
 * With equal distances that is half the sum of the differences of shares: what has to move is what
 * the class has too much of, so it is enough to look at the values that the class has. In a tree
 * whose leaves are all on one level, two values whose lowest common ancestor is on level m are m /
 * height apart, which is m edges up and m down of length 1 / (2 height) each; what crosses the
 * edge above a value is the difference of shares under it. So the distance is the mean over the
 * levels below the highest of the equal distance on that level.
 *
 * In order, what crosses from a place of the line to the next is the difference of what class and
 * table have up to it. Values that are no numbers are joined to the middle of the line by an edge
 * of half its length, and what has to come from there crosses the places on the right.
 *
 * Likeness as Cao and Karras define it, disclosure as Brickell and Shmatikov do, with logarithms
 * to the base 2, and range as Zhang and others do.
 *
 * Cost: the values of the class, times the levels of the tree, or a sort of them and a search in
 * the line each; recursive diversity sorts their
 * counts. */

static bool count_level(tacit__whole *whole, int level)
{
    const uint32_t *map = tacit_hierarchy_map(whole->tree, level);
    size_t numbers = (size_t)tacit_hierarchy_count(whole->tree, level) + 1; /* and missing */
    int64_t *sums = whole->above[level] = tacit__alloc_zeroed(numbers, sizeof *sums);
    for (uint32_t code = 0; sums && code < whole->values; code++)
        sums[map[code]] += whole->rows[code];
    return sums != NULL;
}

static tacit_status whole_climb(tacit__whole *whole, tacit_error *err)
{
    for (int level = 0; level < tacit_hierarchy_height(whole->tree); level++)
        if (!count_level(whole, level))
            return tacit__nomem(err);
    return TACIT_OK;
}

static void line_clear(tacit__line *line)
{
    tacit__free(line->place);
    tacit__free(line->number);
    tacit__free(line->rows);
    tacit__free(line->area);
    *line = (tacit__line){0};
}

void tacit__whole_clear(tacit__whole *whole)
{
    line_clear(&whole->line);
    for (int level = 0; level < TACIT_MAX_LEVELS; level++)
        tacit__free(whole->above[level]);
    tacit__free(whole->rows);
    tacit_hierarchy_free(whole->tree);
    *whole = (tacit__whole){0};
}

bool tacit__spread_init(tacit__models_spread *spread, const tacit__whole *whole)
{
    size_t values = whole->values;
    spread->portions = tacit__alloc_array(values, sizeof *spread->portions);
    spread->sorted = tacit__alloc_array(values, sizeof *spread->sorted);
    spread->sums = tacit__alloc_zeroed(values + 1, sizeof *spread->sums);
    return spread->portions && spread->sorted && spread->sums;
}

void tacit__spread_clear(tacit__models_spread *spread)
{
    tacit__free(spread->portions);
    tacit__free(spread->sorted);
    tacit__free(spread->sums);
}

static double share(int64_t part, int64_t of)
{
    return (double)part / (double)of;
}

static double entropy(const tacit__models_spread *spread)
{
    double sum = 0;
    for (uint32_t i = 0; i < spread->count; i++) {
        double p = share(spread->portions[i].rows, spread->rows);
        sum -= p * log(p);
    }
    return sum;
}

static int64_t most_frequent(const tacit__models_spread *spread)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < spread->count; i++)
        if (spread->portions[i].rows > most)
            most = spread->portions[i].rows;
    return most;
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Rows of the l-th most frequent value and of those after it. */
static int64_t rows_from(tacit__models_spread *spread, double l)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < spread->count; i++)
        spread->sorted[i] = spread->portions[i].rows;
    qsort(spread->sorted, spread->count, sizeof *spread->sorted, descending);
    for (uint32_t i = 0; i < spread->count; i++)
        sum += (double)i + 1 >= l ? spread->sorted[i] : 0;
    return sum;
}

/* What a value has more of the class than of the table. */
static double excess(int64_t here, int64_t rows, int64_t there, int64_t total)
{
    double more = share(here, rows) - share(there, total);
    return more > 0 ? more : 0;
}

static double distance(const tacit__models_spread *spread, const tacit__whole *whole)
{
    double sum = 0;
    for (uint32_t i = 0; i < spread->count; i++) {
        tacit__portion p = spread->portions[i];
        sum += excess(p.rows, spread->rows, whole->rows[p.code], whole->total);
    }
    return sum;
}

/* The equal distance on a level of the tree. */
static double distance_on(tacit__models_spread *spread, const tacit__whole *whole, int level)
{
    const uint32_t *map = tacit_hierarchy_map(whole->tree, level);
    double sum = 0;
    for (uint32_t i = 0; i < spread->count; i++)
        spread->sums[map[spread->portions[i].code]] += spread->portions[i].rows;
    for (uint32_t i = 0; i < spread->count; i++) {
        uint32_t number = map[spread->portions[i].code];
        sum +=
            excess(spread->sums[number], spread->rows, whole->above[level][number], whole->total);
        spread->sums[number] = 0; /* counted, and as it was */
    }
    return sum;
}

static double distance_in_tree(tacit__models_spread *spread, const tacit__whole *whole)
{
    int height = tacit_hierarchy_height(whole->tree);
    double sum = 0;
    for (int level = 0; level < height; level++)
        sum += distance_on(spread, whole, level);
    return sum / height;
}

static int rising(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the places that the class has, and sums its rows in each; returns how many there are. */
static uint32_t take_places(tacit__models_spread *spread, const tacit__line *line)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < spread->count; i++) {
        uint32_t place = line->place[spread->portions[i].code];
        if (place >= line->count)
            continue;
        if (spread->sums[place] == 0)
            spread->sorted[count++] = place;
        spread->sums[place] += spread->portions[i].rows;
    }
    qsort(spread->sorted, count, sizeof *spread->sorted, rising);
    return count;
}

/* The part of a stretch of places from which on the table has at least a share. */
static uint32_t reached(const tacit__whole *whole, uint32_t from, uint32_t to, double level)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (share(whole->line.rows[middle], whole->total) >= level)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* How much crosses behind each of some places in turn, in sum: the class has a share up to them
 * that does not change. */
static double crosses(const tacit__whole *whole, int64_t from, int64_t to, double level)
{
    const double *area = whole->line.area;
    if (to <= from)
        return 0;
    uint32_t turn = reached(whole, (uint32_t)from, (uint32_t)to, level);
    double before = area[turn] - area[from], after = area[to] - area[turn];
    return (after - before) / (double)whole->total +
           level * ((double)turn * 2 - (double)from - (double)to);
}

/* The same over both halves of the line. Where their number is even the two middle places have
 * half an edge in each. */
static double crosses_halves(const tacit__whole *whole, int64_t from, int64_t to, double level,
                             double entering)
{
    int64_t places = whole->line.count, edges = places - 1, middle = edges / 2;
    bool halved = edges % 2 == 1;
    int64_t left_end = to < middle ? to : middle;
    int64_t right_start = from > middle + halved ? from : middle + halved;
    double sum =
        crosses(whole, from, left_end, level) + crosses(whole, right_start, to, level - entering);
    if (halved && from <= middle && to > middle)
        sum += (crosses(whole, middle, middle + 1, level) +
                crosses(whole, middle, middle + 1, level - entering)) /
               2;
    return sum;
}

/* Half of what the class has too much and too little of values off the line; `fewer` is how much
 * less it has of them in all. */
static double distance_off_line(double *fewer, const tacit__models_spread *spread,
                                const tacit__whole *whole)
{
    const tacit__line *line = &whole->line;
    double more = 0, here = 0;
    double there = 1 - (line->count ? share(line->rows[line->count - 1], whole->total) : 0);
    for (uint32_t i = 0; i < spread->count; i++) {
        tacit__portion p = spread->portions[i];
        if (line->place[p.code] < line->count)
            continue;
        here += share(p.rows, spread->rows);
        more += excess(p.rows, spread->rows, whole->rows[p.code], whole->total);
    }
    *fewer = there - here;
    return (2 * more + *fewer) / 2; /* too little is what is too much and what is fewer */
}

static double distance_in_order(tacit__models_spread *spread, const tacit__whole *whole)
{
    const tacit__line *line = &whole->line;
    double fewer, sum = 0, off = distance_off_line(&fewer, spread, whole);
    if (line->count < 2) /* nothing is in order: a single number is one value more */
        return off + fabs(fewer) / 2;
    int64_t from = 0, last = line->count - 1, rows = 0;
    uint32_t count = take_places(spread, line);
    for (uint32_t i = 0; i < count; i++) {
        int64_t to = spread->sorted[i];
        sum += crosses_halves(whole, from, to, share(rows, spread->rows), fewer);
        rows += spread->sums[to];
        spread->sums[to] = 0;
        from = to;
    }
    sum += crosses_halves(whole, from, last, share(rows, spread->rows), fewer);
    return off + sum / (double)last;
}

/* The largest gain of a value, relative to its share in the table. For the enhanced form in
 * proportion to what the value may gain, so that the bound is the same for all. */
static double largest_gain(const tacit__models_spread *spread, const tacit__whole *whole,
                           const tacit_model_bound *model)
{
    double most = 0;
    for (uint32_t i = 0; i < spread->count; i++) {
        tacit__portion p = spread->portions[i];
        double there = share(whole->rows[p.code], whole->total);
        double gain = share(p.rows, spread->rows) / there - 1, free = -log(there);
        if (gain <= TACIT_MODEL_TOLERANCE)
            gain = 0; /* as is that of a value that everybody has */
        else if (model->kind == TACIT_MODEL_LIKENESS_ENHANCED && free < model->bound)
            gain *= model->bound / free;
        most = gain > most ? gain : most;
    }
    return most;
}

/* The largest difference of logarithms; infinite where the class lacks a value. */
static double largest_ratio(const tacit__models_spread *spread, const tacit__whole *whole)
{
    double most = 0;
    if (spread->count < whole->present)
        return INFINITY;
    for (uint32_t i = 0; i < spread->count; i++) {
        tacit__portion p = spread->portions[i];
        double ratio =
            log2(share(p.rows, spread->rows)) - log2(share(whole->rows[p.code], whole->total));
        most = fabs(ratio) > most ? fabs(ratio) : most;
    }
    return most;
}

static double range_spanned(const tacit__models_spread *spread, const tacit__whole *whole)
{
    const tacit__line *line = &whole->line;
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < spread->count; i++) {
        uint32_t place = line->place[spread->portions[i].code];
        if (place >= line->count)
            continue;
        least = line->number[place] < least ? line->number[place] : least;
        most = line->number[place] > most ? line->number[place] : most;
    }
    return most > least ? most - least : 0;
}

static tacit__models_measured measure_range(const tacit__models_spread *spread,
                                            const tacit__whole *whole, double bound)
{
    double found = range_spanned(spread, whole);
    return (tacit__models_measured){found, found >= bound * (1 - TACIT_MODEL_TOLERANCE)};
}

static tacit__models_measured measure_disclosure(const tacit__models_spread *spread,
                                                 const tacit__whole *whole, double bound)
{
    double found = largest_ratio(spread, whole);
    return (tacit__models_measured){found, found < bound - TACIT_MODEL_TOLERANCE};
}

static tacit__models_measured at_most(double value, double bound)
{
    return (tacit__models_measured){value, value <= bound + TACIT_MODEL_TOLERANCE};
}

static tacit__models_measured measure_recursive(tacit__models_spread *spread,
                                                const tacit_model_bound *model)
{
    int64_t most = most_frequent(spread), rest = rows_from(spread, model->bound);
    double allowed = model->second * share(rest, spread->rows);
    return (tacit__models_measured){
        .value = rest ? share(most, rest) : INFINITY,
        .holds = share(most, spread->rows) < allowed - TACIT_MODEL_TOLERANCE,
    };
}

tacit__models_measured tacit__spread_measure(tacit__models_spread *spread,
                                             const tacit__whole *whole,
                                             const tacit_model_bound *model)
{
    double found;
    switch (model->kind) {
    case TACIT_MODEL_DISTINCT:
        return (tacit__models_measured){spread->count, spread->count >= model->bound};
    case TACIT_MODEL_ENTROPY:
        found = entropy(spread);
        return (tacit__models_measured){exp(found),
                                        found >= log(model->bound) - TACIT_MODEL_TOLERANCE};
    case TACIT_MODEL_RECURSIVE: return measure_recursive(spread, model);
    case TACIT_MODEL_ALPHA:
        return at_most(share(most_frequent(spread), spread->rows), model->bound);
    case TACIT_MODEL_CLOSENESS: return at_most(distance(spread, whole), model->bound);
    case TACIT_MODEL_CLOSENESS_TREE: return at_most(distance_in_tree(spread, whole), model->bound);
    case TACIT_MODEL_CLOSENESS_ORDER:
        return at_most(distance_in_order(spread, whole), model->bound);
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED:
        return at_most(largest_gain(spread, whole, model), model->bound);
    case TACIT_MODEL_DISCLOSURE: return measure_disclosure(spread, whole, model->bound);
    case TACIT_MODEL_RANGE: return measure_range(spread, whole, model->bound);
    case TACIT_MODEL_PRESENCE:
    case TACIT_MODEL_MAP:
    case TACIT_MODEL_MAP_ESTIMATED: break;
    }
    return (tacit__models_measured){NAN, false};
}

/* Stretches of numbers that count as one value.
 *
 * The numbers of a column are sorted once a grid; a stretch begins where the border that the one
 * before ends at is reached. Cost: a sort of the column's distinct values. */

/* Reaches are a little longer than they say, so that rounding parts nobody. */
static const double ROUNDING = 1 + 1e-9;

typedef struct numbered {
    double number;
    uint32_t code;
} numbered;

double tacit__near_number(tacit_strview text, char point)
{
    if (text.len > 1 && text.bytes[0] == '0' && text.bytes[1] >= '0' && text.bytes[1] <= '9')
        return NAN;
    return tacit__decimal_read_as(text, point);
}

/* The least and the most number of a column; false: it has none. */
static bool range_of(double *least, double *most, const tacit_table *table, int32_t column)
{
    bool any = false;
    tacit__near_form form = tacit__near_form_of(table, column);
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        double number = tacit__near_read(&form, tacit_table_value(table, column, code));
        if (isnan(number))
            continue;
        *least = any && *least < number ? *least : number;
        *most = any && *most > number ? *most : number;
        any = true;
    }
    return any;
}

bool tacit__near_applies(const tacit_table *table, int32_t column)
{
    double least, most;
    return range_of(&least, &most, table, column);
}

double tacit__near_reach(const tacit_table *table, int32_t column, tacit_spread spread)
{
    double least = 0, most = 0;
    if (!spread.share)
        return spread.amount * ROUNDING;
    range_of(&least, &most, table, column);
    return spread.amount * (most - least) * ROUNDING;
}

static int ascending(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static double stretch_of(double number, double reach, int grid)
{
    return floor((number / reach + grid) / 2);
}

static void join_stretches(uint32_t *codes, const numbered *sorted, uint32_t count, double reach,
                           int grid)
{
    for (uint32_t i = 1; i < count; i++)
        if (stretch_of(sorted[i].number, reach, grid) ==
            stretch_of(sorted[i - 1].number, reach, grid))
            codes[sorted[i].code] = codes[sorted[i - 1].code];
}

tacit_status tacit__near_codes(uint32_t **out, const tacit_table *table, int32_t column,
                               double reach, int grid, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column), count = 0;
    uint32_t *codes = tacit__alloc_array((size_t)distinct + 1, sizeof *codes);
    numbered *sorted = tacit__alloc_array((size_t)distinct + 1, sizeof *sorted);
    if (!codes || !sorted) {
        tacit__free(codes);
        tacit__free(sorted);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code <= distinct; code++)
        codes[code] = code;
    tacit__near_form form = tacit__near_form_of(table, column);
    for (uint32_t code = 0; code < distinct; code++) {
        double number = tacit__near_read(&form, tacit_table_value(table, column, code));
        if (!isnan(number))
            sorted[count++] = (numbered){number, code};
    }
    qsort(sorted, count, sizeof *sorted, ascending);
    if (reach > 0)
        join_stretches(codes, sorted, count, reach, grid);
    tacit__free(sorted);
    *out = codes;
    return TACIT_OK;
}

/* Sorts the rows by class and value. */

tacit_status tacit__class_values_init(tacit__class_values *values, const tacit_table *table,
                                      int32_t column, const tacit__partition *partition,
                                      const tacit_run *run, tacit_error *err)
{
    uint32_t most = tacit__code_max(table, column);
    uint32_t classes = partition->count > 0 ? (uint32_t)(partition->count - 1) : 0;
    values->keys = (tacit__keys){.rows = tacit_table_rows(table), .run = run};
    values->code_bits = tacit__bits_for(most);
    tacit_status status =
        tacit__keys_add(&values->keys, (tacit_codes_view){partition->class_of, 4}, classes, err);
    if (status == TACIT_OK)
        status = tacit__keys_add(&values->keys, tacit_table_codes(table, column), most, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&values->keys, err);
    tacit__sorter_trim(&values->keys.sorter);
    return status;
}

void tacit__class_values_clear(tacit__class_values *values)
{
    tacit__keys_clear(&values->keys);
}

enum { SCAN_BLOCK = 1 << 18 };

static const tacit_promise_model *model_of(const tacit__sensitive *s, int index)
{
    return &s->judge->promise->models[s->models[index]];
}

/* ---- the column and the whole table ---- */

static int64_t *count_codes(const tacit_table *table, int32_t column)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t *counts =
        tacit__alloc_zeroed((size_t)tacit_table_distinct(table, column) + 1, sizeof *counts);
    for (int64_t row = 0; counts && row < tacit_table_rows(table); row++)
        counts[tacit_codes_at(codes, row)]++;
    return counts;
}

/* The column of that name, coded; otherwise -1 and a finding. */
static int32_t find_column(tacit__judge *judge, const tacit_table *table, const char *name)
{
    bool released = table == judge->release;
    int32_t column = tacit_table_find(table, tacit_strview_of(name));
    const char *problem = NULL;
    if (column < 0)
        problem = released ? "it is not in the release" : "it is not in the original";
    else if (!tacit_table_is_coded(table, column))
        problem = released ? "it is not coded in the release" : "it is not coded in the original";
    if (!problem)
        return column;
    tacit__cannot_judge(judge, name, problem);
    return -1;
}

/* Where each of the release's values is in the original. */
static tacit_status find_images(tacit__sensitive *s, const char *name, tacit_error *err)
{
    tacit__judge *judge = s->judge;
    uint32_t distinct = tacit_table_distinct(judge->release, s->column);
    tacit__words words = {0};
    tacit_status status = tacit__words_init(&words, judge->original, s->source, err);
    if (status != TACIT_OK)
        return status;
    s->image = tacit__alloc_array((size_t)distinct + 1, sizeof *s->image);
    if (!s->image) {
        tacit__words_clear(&words);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code < distinct && s->judgeable; code++) {
        s->image[code] =
            tacit__words_find(&words, tacit_table_value(judge->release, s->column, code));
        s->judgeable = s->image[code] != TACIT__NOWHERE;
    }
    s->image[distinct] = words.missing;
    if (tacit_table_has_missing(judge->release, s->column) && words.missing == TACIT__NOWHERE)
        s->judgeable = false;
    if (!s->judgeable)
        tacit__cannot_judge(judge, name, "the release has values that the original has not");
    tacit__words_clear(&words);
    return TACIT_OK;
}

static tacit_status bind_tree(tacit__sensitive *s, tacit__rows_place place, tacit_error *err)
{
    const tacit_promise_model *model = model_of(s, 0);
    if (!model->hierarchy)
        return TACIT_OK;
    tacit_error reason = {0};
    tacit_status status =
        tacit_hierarchy_new(&s->whole.tree, model->hierarchy, place.table, place.column, &reason);
    if (status == TACIT_OK)
        return whole_climb(&s->whole, err);
    s->judgeable = false;
    return tacit__unbound(s->judge, model->column, status, &reason, err);
}

/* Allocates a line for all values of a column, none of them on it yet. */
static tacit_status line_init(tacit__line *line, uint32_t values, tacit_error *err)
{
    line->place = tacit__alloc_array(values, sizeof *line->place);
    line->number = tacit__alloc_zeroed(values, sizeof *line->number);
    line->rows = tacit__alloc_zeroed(values, sizeof *line->rows);
    line->area = tacit__alloc_zeroed((size_t)values + 1, sizeof *line->area);
    if (!line->place || !line->number || !line->rows || !line->area)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < values; code++)
        line->place[code] = values;
    return TACIT_OK;
}

/* Gives numbers, which ascend, their places. */
static void line_fill(tacit__whole *whole, const numbered *sorted, uint32_t count)
{
    tacit__line *line = &whole->line;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].number > sorted[i - 1].number)
            line->number[line->count++] = sorted[i].number;
        line->place[sorted[i].code] = line->count - 1;
        line->rows[line->count - 1] += whole->rows[sorted[i].code];
    }
    for (uint32_t place = 0; place < line->count; place++) {
        line->rows[place] += place > 0 ? line->rows[place - 1] : 0;
        line->area[place + 1] = line->area[place] + (double)line->rows[place];
    }
}

/* Puts the numbers of the whole table in order, where a model asks for that. */
static tacit_status draw_line(tacit__sensitive *s, tacit__rows_place place, tacit_error *err)
{
    bool wanted = false;
    uint32_t count = 0;
    for (int i = 0; i < s->count; i++)
        wanted |= model_of(s, i)->bound.kind == TACIT_MODEL_CLOSENESS_ORDER ||
                  model_of(s, i)->bound.kind == TACIT_MODEL_RANGE;
    if (!wanted)
        return TACIT_OK;
    numbered *sorted = tacit__alloc_array(s->whole.values, sizeof *sorted);
    tacit_status status =
        sorted ? line_init(&s->whole.line, s->whole.values, err) : tacit__nomem(err);
    char point = tacit__rows_point(place.table, place.column);
    for (uint32_t code = 0; status == TACIT_OK && code + 1 < s->whole.values; code++) {
        double number =
            tacit__near_number(tacit_table_value(place.table, place.column, code), point);
        if (!isnan(number))
            sorted[count++] = (numbered){number, code};
    }
    if (status == TACIT_OK) {
        qsort(sorted, count, sizeof *sorted, ascending);
        line_fill(&s->whole, sorted, count);
    }
    tacit__free(sorted);
    return status;
}

static tacit_status count_whole(tacit__sensitive *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    tacit__rows_place place = {judge->release, s->column};
    if (s->source >= 0)
        place = (tacit__rows_place){judge->original, s->source};
    s->whole.values = tacit_table_distinct(place.table, place.column) + 1;
    s->whole.total = tacit_table_rows(place.table);
    s->whole.rows = count_codes(place.table, place.column);
    if (!s->whole.rows)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < s->whole.values; code++)
        s->whole.present += s->whole.rows[code] > 0;
    tacit_status status = draw_line(s, place, err);
    return status == TACIT_OK ? bind_tree(s, place, err) : status;
}

/* Puts the values of the whole table, and those of the release in it, on the grid. */
static tacit_status put_on_grid(tacit__sensitive *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    const tacit_table *table = s->source >= 0 ? judge->original : judge->release;
    int32_t column = s->source >= 0 ? s->source : s->column;
    uint32_t *near = NULL;
    int64_t *rows = tacit__alloc_zeroed(s->whole.values, sizeof *rows);
    double reach = tacit__near_reach(table, column, model_of(s, 0)->spread);
    tacit_status status =
        rows ? tacit__near_codes(&near, table, column, reach, s->grid, err) : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__free(rows);
        return status;
    }
    for (uint32_t code = 0; code < s->whole.values; code++)
        rows[near[code]] += s->whole.rows[code];
    tacit__free(s->whole.rows);
    s->whole.rows = rows;
    if (!s->image) {
        s->image = near;
        return TACIT_OK;
    }
    for (uint32_t code = 0; code <= tacit_table_distinct(judge->release, s->column); code++)
        if (s->image[code] != TACIT__NOWHERE)
            s->image[code] = near[s->image[code]];
    tacit__free(near);
    return TACIT_OK;
}

tacit_status tacit__sensitive_init(tacit__sensitive *s, tacit__judge *judge, tacit_error *err)
{
    s->judge = judge;
    s->source = -1;
    const char *name = model_of(s, 0)->column;
    s->column = find_column(judge, judge->release, name);
    if (s->column < 0)
        return TACIT_OK;
    if (tacit__rows_dropped(judge)) {
        s->source = find_column(judge, judge->original, name);
        if (s->source < 0)
            return TACIT_OK;
    }
    s->judgeable = true;
    tacit_status status = s->source >= 0 ? find_images(s, name, err) : TACIT_OK;
    if (status == TACIT_OK && s->judgeable)
        status = count_whole(s, err);
    if (status == TACIT_OK && s->judgeable && s->grid >= 0)
        status = put_on_grid(s, err);
    return status;
}

void tacit__sensitive_clear(tacit__sensitive *s)
{
    tacit__free(s->image);
    tacit__whole_clear(&s->whole);
}

/* ---- classes ---- */

typedef struct scan {
    const tacit__sensitive *sensitive;
    const tacit__partition *partition;
    tacit__class_values values;
    tacit__models_spread *spreads; /* a worker each */
    tacit__standing *standings;    /* a model each for every block */
} scan;

static uint32_t whole_code(const tacit__sensitive *s, uint32_t code)
{
    return s->image ? s->image[code] : code;
}

static void measure(tacit__standing *standings, const tacit__sensitive *s,
                    tacit__models_spread *spread, int64_t first)
{
    for (int i = 0; i < s->count; i++) {
        const tacit_model_bound *model = &model_of(s, i)->bound;
        tacit__models_measured found = tacit__spread_measure(spread, &s->whole, model);
        tacit__standing_add(&standings[i], model, found, spread->rows, first);
    }
}

static int by_code(const void *a, const void *b)
{
    const tacit__portion *x = a, *y = b;
    return (x->code > y->code) - (x->code < y->code);
}

/* Values of one stretch are one portion. */
static void join_portions(tacit__models_spread *spread)
{
    uint32_t kept = 0;
    qsort(spread->portions, spread->count, sizeof *spread->portions, by_code);
    for (uint32_t i = 1; i < spread->count; i++) {
        if (spread->portions[i].code == spread->portions[kept].code)
            spread->portions[kept].rows += spread->portions[i].rows;
        else
            spread->portions[++kept] = spread->portions[i];
    }
    spread->count = spread->count ? kept + 1 : 0;
}

/* Reads the class that starts at a place of the sorted keys; returns its end. */
static int64_t read_class(const scan *n, int64_t from, tacit__models_spread *spread)
{
    int64_t class = tacit__class_at(&n->values, from), at = from;
    spread->count = 0;
    spread->rows = 0;
    while (at < n->values.keys.rows && tacit__class_at(&n->values, at) == class) {
        int64_t end = tacit__class_value_end(&n->values, at);
        uint32_t code = tacit__class_code_at(&n->values, at);
        tacit__spread_add(spread, whole_code(n->sensitive, code), end - at);
        at = end;
    }
    if (n->sensitive->grid >= 0)
        join_portions(spread);
    return at;
}

/* Measures the classes that start in a block of sorted keys. */
static tacit_status scan_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    scan *n = context;
    tacit__models_spread *spread = &n->spreads[worker];
    tacit__standing *standings = &n->standings[block * n->sensitive->count];
    int64_t at = block * SCAN_BLOCK, end = at + SCAN_BLOCK;
    int64_t rows = n->values.keys.rows;
    while (at > 0 && at < end && at < rows &&
           tacit__class_at(&n->values, at) == tacit__class_at(&n->values, at - 1))
        at++;
    while (at < end && at < rows) {
        int64_t first = n->partition->first[tacit__class_at(&n->values, at)];
        at = read_class(n, at, spread);
        measure(standings, n->sensitive, spread, first);
    }
    return TACIT_OK;
}

static bool scan_prepare(scan *n, int64_t blocks, int workers)
{
    size_t standings = (size_t)blocks * (size_t)n->sensitive->count;
    n->standings = tacit__alloc_zeroed(standings, sizeof *n->standings);
    n->spreads = tacit__alloc_zeroed((size_t)workers, sizeof *n->spreads);
    for (int i = 0; n->spreads && i < workers; i++)
        if (!tacit__spread_init(&n->spreads[i], &n->sensitive->whole))
            return false;
    return n->standings && n->spreads;
}

static void scan_clear(scan *n, int workers)
{
    for (int i = 0; n->spreads && i < workers; i++)
        tacit__spread_clear(&n->spreads[i]);
    tacit__free(n->spreads);
    tacit__free(n->standings);
    tacit__class_values_clear(&n->values);
}

tacit_status tacit__sensitive_classes(tacit__standing *standings, const tacit__sensitive *s,
                                      const tacit__partition *partition, tacit_error *err)
{
    scan n = {.sensitive = s, .partition = partition};
    int workers = tacit__threads(s->judge->run);
    int64_t blocks = (tacit_table_rows(s->judge->release) + SCAN_BLOCK - 1) / SCAN_BLOCK;
    tacit_status status = tacit__class_values_init(&n.values, s->judge->release, s->column,
                                                   partition, s->judge->run, err);
    if (status == TACIT_OK && !scan_prepare(&n, blocks, workers))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(s->judge->run, "judging models", blocks, scan_block, &n, err);
    for (int64_t i = 0; status == TACIT_OK && i < blocks * s->count; i++)
        tacit__standing_join(&standings[i % s->count], &model_of(s, (int)(i % s->count))->bound,
                             &n.standings[i]);
    scan_clear(&n, workers);
    return status;
}

/* ---- rows that are together for another reason ---- */

/* Measures a class of which only the counts of its values are known. */
static tacit_status measure_counts(tacit__standing *standings, const tacit__sensitive *s,
                                   const int64_t *counts, int64_t first, tacit_error *err)
{
    tacit__models_spread spread = {0};
    bool ready = tacit__spread_init(&spread, &s->whole);
    for (uint32_t code = 0; ready && code < s->whole.values; code++)
        if (counts[code] > 0)
            tacit__spread_add(&spread, code, counts[code]);
    if (ready && spread.rows > 0)
        measure(standings, s, &spread, first);
    tacit__spread_clear(&spread);
    return ready ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__sensitive_suppressed(tacit__standing *standings, const tacit__sensitive *s,
                                         tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    int64_t rows = tacit_table_rows(judge->release), first = rows;
    tacit_codes_view codes = tacit_table_codes(judge->release, s->column);
    int64_t *counts = tacit__alloc_zeroed(s->whole.values, sizeof *counts);
    if (!counts)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++) {
        if (!tacit__bit_get(judge->suppressed, row))
            continue;
        counts[whole_code(s, tacit_codes_at(codes, row))]++;
        first = first < row ? first : row;
    }
    tacit_status status = measure_counts(standings, s, counts, first, err);
    tacit__free(counts);
    return status;
}

/* What the original has of each value and the release has not; false where that
 * cannot be. */
static bool subtract_released(int64_t *counts, const tacit__sensitive *s, const int64_t *released)
{
    bool possible = true;
    for (uint32_t code = 0; code < s->whole.values; code++)
        counts[code] = s->whole.rows[code];
    for (uint32_t code = 0; code <= tacit_table_distinct(s->judge->release, s->column); code++) {
        if (released[code] == 0)
            continue;
        int64_t *left = &counts[whole_code(s, code)];
        *left -= released[code];
        possible = possible && *left >= 0;
    }
    return possible;
}

tacit_status tacit__sensitive_dropped(tacit__standing *standings, const tacit__sensitive *s,
                                      tacit_error *err)
{
    if (s->source < 0)
        return TACIT_OK;
    tacit__judge *judge = s->judge;
    int64_t *released = count_codes(judge->release, s->column);
    int64_t *counts = tacit__alloc_array(s->whole.values, sizeof *counts);
    tacit_status status = released && counts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && !subtract_released(counts, s, released))
        tacit__cannot_judge(judge, model_of(s, 0)->column,
                            "the release has more of some values than the original");
    else if (status == TACIT_OK)
        status = measure_counts(standings, s, counts, 0, err);
    tacit__free(released);
    tacit__free(counts);
    return status;
}
