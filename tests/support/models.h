/*
 * models.h - models beyond k by their definitions, row by row, and a register to
 * go with a table. Nothing here is shared with the library.
 */
#ifndef TACIT_TESTS_SUPPORT_MODELS_H
#define TACIT_TESTS_SUPPORT_MODELS_H

#include "records.h"

#include <math.h>

#include "records/models/models.h"

enum { NAIVE_ROWS = 4096 };

/* A group of rows. */
typedef struct rows_list {
    int64_t rows[NAIVE_ROWS];
    int64_t count;
} rows_list;

static inline double share_of(const fixture *f, const rows_list *list, int32_t column,
                              uint32_t code)
{
    tacit_codes_view codes = tacit_table_codes(f->table, column);
    int64_t found = 0;
    for (int64_t i = 0; i < list->count; i++)
        found += tacit_codes_at(codes, list->rows[i]) == code;
    return (double)found / (double)list->count;
}

static inline rows_list all_rows(const fixture *f)
{
    rows_list list = {.count = tacit_table_rows(f->table)};
    assert_true(list.count <= NAIVE_ROWS);
    for (int64_t i = 0; i < list.count; i++)
        list.rows[i] = i;
    return list;
}

static inline int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The cost of Li et al. for moving what is too much to where it is too little:
 * node by node, each taking what its children cannot settle among themselves. */
static inline double tree_distance(const double *p, const double *q, uint32_t codes,
                                   const tacit_hierarchy *h)
{
    int height = tacit_hierarchy_height(h);
    double cost = 0;
    for (int level = 1; level <= height; level++) {
        const uint32_t *below = tacit_hierarchy_map(h, level - 1),
                       *map = tacit_hierarchy_map(h, level);
        for (uint32_t node = 0; node <= tacit_hierarchy_count(h, level); node++) {
            double more = 0, less = 0;
            for (uint32_t child = 0; child <= tacit_hierarchy_count(h, level - 1); child++) {
                double extra = 0;
                for (uint32_t code = 0; code < codes; code++)
                    if (map[code] == node && below[code] == child)
                        extra += p[code] - q[code];
                *(extra > 0 ? &more : &less) += fabs(extra);
            }
            cost += level * fmin(more, less) / height;
        }
    }
    return cost;
}

enum { NAIVE_CODES = 512 };

/* Shares keep a model that counts values. */
static inline bool naive_counts(const double *shares, uint32_t codes,
                                const tacit_model_bound *model)
{
    double p[NAIVE_CODES], entropy = 0, tail = 0, bound = model->bound;
    uint32_t distinct = 0;
    memcpy(p, shares, codes * sizeof *p);
    for (uint32_t code = 0; code < codes; code++) {
        distinct += p[code] > 0;
        entropy -= p[code] > 0 ? p[code] * log(p[code]) : 0;
    }
    qsort(p, codes, sizeof *p, descending);
    for (uint32_t i = (uint32_t)bound; i <= codes; i++)
        tail += i > 0 ? p[i - 1] : 0;
    switch (model->kind) {
    case TACIT_MODEL_DISTINCT: return distinct >= bound;
    case TACIT_MODEL_ENTROPY: return entropy >= log(bound) - TACIT_MODEL_TOLERANCE;
    case TACIT_MODEL_RECURSIVE: return model->second * tail - p[0] > TACIT_MODEL_TOLERANCE;
    default: return p[0] <= bound + TACIT_MODEL_TOLERANCE;
    }
}

/* The number that a value of a column is; false: a word, a code like 07, or missing. */
static inline bool naive_number(double *out, const fixture *f, int32_t column, uint32_t code)
{
    char text[64], *end;
    if (code >= tacit_table_distinct(f->table, column))
        return false;
    tacit_strview value = tacit_table_value(f->table, column, code);
    snprintf(text, sizeof text, "%.*s", (int)value.len, value.bytes);
    *out = strtod(text, &end);
    return end > text && !*end && !(text[0] == '0' && text[1] >= '0' && text[1] <= '9');
}

static inline double naive_reach(const fixture *f, const tacit_model *model)
{
    double low = INFINITY, high = -INFINITY, number;
    for (uint32_t code = 0; code < tacit_table_distinct(f->table, model->column); code++)
        if (naive_number(&number, f, model->column, code)) {
            low = fmin(low, number);
            high = fmax(high, number);
        }
    return model->spread.amount * (!model->spread.share ? 1 : high > low ? high - low : 0);
}

/* The same with every number given to the first value of its stretch, from an even multiple of
 * the reach to the next, or from an odd one. */
static inline bool naive_counts_near(const fixture *f, const double *shares, uint32_t codes,
                                     const tacit_model *model)
{
    double reach = naive_reach(f, model) * (1 + 1e-9);
    bool keeps = true;
    for (int from = 0; from < 2; from++) {
        double p[NAIVE_CODES] = {0}, x, y;
        for (uint32_t code = 0; code < codes; code++) {
            uint32_t first = 0;
            bool number = naive_number(&x, f, model->column, code) && reach > 0;
            while (first < code &&
                   !(number && naive_number(&y, f, model->column, first) &&
                     floor((x / reach + from) / 2) == floor((y / reach + from) / 2)))
                first++;
            p[first] += shares[code];
        }
        keeps &= naive_counts(p, codes, &model->bound);
    }
    return keeps;
}

/* The shares of a column's values at each of its numbers in turn; returns how many there are. */
static inline int naive_line(double *numbers, double *sums, const fixture *f, int32_t column,
                             const double *shares, uint32_t codes)
{
    int count = 0;
    double x, last = -INFINITY;
    for (;;) {
        double next = INFINITY;
        for (uint32_t code = 0; code < codes; code++)
            if (naive_number(&x, f, column, code) && x > last)
                next = fmin(next, x);
        if (isinf(next))
            return count;
        sums[count] = 0;
        for (uint32_t code = 0; code < codes; code++)
            if (naive_number(&x, f, column, code) && x == next)
                sums[count] += shares[code];
        numbers[count++] = last = next;
    }
}

/* Edge by edge of the tree that is a line with words hanging on its middle: what is on one side
 * of an edge has to cross it. */
static inline double order_distance(const fixture *f, int32_t column, const double *p,
                                    const double *q, uint32_t codes)
{
    double numbers[NAIVE_CODES], here[NAIVE_CODES], there[NAIVE_CODES], sum = 0, left = 0;
    int count = naive_line(numbers, here, f, column, p, codes);
    naive_line(numbers, there, f, column, q, codes);
    double words = 0, number;
    for (uint32_t code = 0; code < codes; code++)
        if (count < 2 || !naive_number(&number, f, column, code)) {
            sum += fabs(p[code] - q[code]) / 2;
            words += p[code] - q[code];
        }
    for (int i = 0; count > 1 && i + 1 < count; i++) {
        left += here[i] - there[i];
        /* the edge from i to i + 1 in two halves; 2 i + 1 and 2 i + 2 of 2 (count - 1) */
        for (int half = 1; half <= 2; half++)
            sum += fabs(2 * i + half <= count - 1 ? left : left + words) / (count - 1) / 2;
    }
    return sum;
}

static inline bool naive_compared(const double *p, const double *q, uint32_t codes,
                                  const tacit_model_bound *model)
{
    for (uint32_t code = 0; code < codes; code++) {
        double most = model->kind == TACIT_MODEL_LIKENESS_ENHANCED
                          ? fmin(model->bound, -log(q[code]))
                          : model->bound;
        if (q[code] == 0)
            continue;
        if (model->kind == TACIT_MODEL_DISCLOSURE) {
            if (p[code] == 0 || fabs(log(p[code] / q[code]) / log(2)) >= model->bound - 1e-9)
                return false;
        } else if ((p[code] - q[code]) / q[code] > most + 1e-9)
            return false;
    }
    return true;
}

static inline bool naive_range(const fixture *f, int32_t column, const double *p, uint32_t codes,
                               double least)
{
    double x, low = INFINITY, high = -INFINITY;
    for (uint32_t code = 0; code < codes; code++)
        if (p[code] > 0 && naive_number(&x, f, column, code)) {
            low = fmin(low, x);
            high = fmax(high, x);
        }
    return high - low >= least;
}

/* The sum of the weights of some rows. */
static inline double naive_estimate(const fixture *f, int32_t column, const rows_list *list)
{
    double sum = 0;
    for (int64_t i = 0; i < list->count; i++) {
        tacit_strview cells[16];
        tacit_table_row(f->table, list->rows[i], cells);
        sum += strtod(cells[column].bytes, NULL);
    }
    return sum;
}

static inline bool naive_sensitive(const fixture *f, const rows_list *list,
                                   const tacit_model *model)
{
    double p[NAIVE_CODES], q[NAIVE_CODES], bound = model->bound.bound, differences = 0;
    uint32_t codes = tacit_table_distinct(f->table, model->column) + 1;
    rows_list all = all_rows(f);
    assert_true(codes <= NAIVE_CODES);
    for (uint32_t code = 0; code < codes; code++) {
        p[code] = share_of(f, list, model->column, code);
        q[code] = share_of(f, &all, model->column, code);
        differences += fabs(p[code] - q[code]);
    }
    if (model->bound.kind == TACIT_MODEL_CLOSENESS)
        return differences / 2 <= bound + TACIT_MODEL_TOLERANCE;
    if (model->bound.kind == TACIT_MODEL_CLOSENESS_TREE)
        return tree_distance(p, q, codes, model->hierarchy) <= bound + TACIT_MODEL_TOLERANCE;
    if (model->bound.kind == TACIT_MODEL_CLOSENESS_ORDER)
        return order_distance(f, model->column, p, q, codes) <= bound + TACIT_MODEL_TOLERANCE;
    if (model->bound.kind == TACIT_MODEL_RANGE)
        return naive_range(f, model->column, p, codes, bound);
    if (model->bound.kind == TACIT_MODEL_MAP_ESTIMATED)
        return naive_estimate(f, model->column, list) >= bound;
    if (!tacit_model_counts_values(model->bound.kind))
        return naive_compared(p, q, codes, &model->bound);
    return naive_counts_near(f, p, codes, model);
}

/* The name of a row's value on a level; with bytes NULL where it is missing. */
static inline tacit_strview name_on(const fixture *f, int64_t row, int32_t a, int level)
{
    uint32_t number = value_on(f, row, a, level);
    return number < tacit_hierarchy_count(f->hierarchies[a], level)
               ? tacit_hierarchy_label(f->hierarchies[a], level, number)
               : (tacit_strview){NULL, 0};
}

/* Rows of the register that have a row's values on its levels. */
static inline int64_t naive_under(const fixture *people, const fixture *f, int64_t row,
                                  const int *levels)
{
    int64_t found = 0;
    for (int64_t i = 0; i < tacit_table_rows(people->table); i++) {
        bool under = true;
        for (int32_t a = 0; under && a < f->frame.attribute_count; a++) {
            tacit_strview x = name_on(f, row, a, levels[a]), y = name_on(people, i, a, levels[a]);
            bool top = levels[a] == tacit_hierarchy_height(f->hierarchies[a]);
            under = top || (!x.bytes == !y.bytes && tacit_strview_equal(x, y));
        }
        found += under;
    }
    return found;
}

/* Whether a group keeps a model; people is NULL where there is no register. */
static inline bool naive_keeps(const fixture *f, const fixture *people, const rows_list *list,
                               const int *levels, const tacit_model *model)
{
    if (model->bound.kind != TACIT_MODEL_PRESENCE && model->bound.kind != TACIT_MODEL_MAP)
        return naive_sensitive(f, list, model);
    int64_t covered = naive_under(people, f, list->rows[0], levels);
    if (model->bound.kind == TACIT_MODEL_MAP)
        return covered >= model->bound.bound;
    double share = (double)list->count / (double)covered;
    return share >= model->bound.second - TACIT_MODEL_TOLERANCE &&
           share <= model->bound.bound + TACIT_MODEL_TOLERANCE;
}

/* Binds a register, a fixture with the same attributes, to a table's frame. */
static inline tacit_status try_population(fixture *f, const fixture *people, tacit_error *err)
{
    int32_t columns[TACIT_MAX_ATTRIBUTES];
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    for (int32_t a = 0; a < f->frame.attribute_count; a++)
        columns[a] = people->attributes[a].column;
    return tacit_population_new(&f->frame.population, &f->frame, people->table, columns,
                                (const tacit_hierarchy *const *)people->hierarchies, &run, err);
}

static inline void add_population(fixture *f, const fixture *people)
{
    tacit_error err = {0};
    if (try_population(f, people, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

static inline tacit_classes *classes_on(const fixture *f, const int *levels)
{
    tacit_classes *classes = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    if (tacit_classes_new(&classes, &f->frame, levels, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return classes;
}

static inline tacit__models *models_on(const fixture *f, const tacit_classes *base, int threads)
{
    tacit__models *models = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit__models_new(&models, &f->frame, base, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return models;
}

#endif
