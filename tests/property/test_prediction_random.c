/*
 * test_prediction_random.c - predictions on small random tables against the formulas, computed
 * naively: naive Bayes as products over all pairs of rows, least squares by Gaussian elimination on
 * a dense matrix, and held-out values put in the terms of the release by counting cells.
 *
 * Which records are held out is the one thing that both sides ask the same function.
 */
#include "loss.h"

#include "loss/prediction.h"
#include "loss_world.h"
#include "random_cases.h"

enum { MAX_TERMS = 96 };

/* A world as a prediction sees it, from one of its tables. */
typedef struct view {
    const world *w;
    bool release;
    int target;
    uint64_t seed;
    coded codes[COLUMNS];
} view;

static int learned_category(const view *v, int column, int row)
{
    return v->release ? v->codes[column].after[row] : v->codes[column].before[row];
}

static int learned_rows(const view *v)
{
    return v->release ? v->w->released : v->w->rows;
}

static bool is_value(const coded *c, int category)
{
    return category < c->domain && category != c->missing;
}

/* Whether the model is shown a row: it has the target, and its record is not held out. */
static bool is_shown(const view *v, int row)
{
    bool made_up = v->release && v->w->origin[row] == TACIT_LOSS_MADE_UP;
    int64_t record = v->release ? (int64_t)v->w->origin[row] : row;
    return is_value(&v->codes[v->target], learned_category(v, v->target, row)) &&
           (made_up || !tacit__held_out(v->seed, record));
}

static bool is_tried(const view *v, int row)
{
    return is_value(&v->codes[v->target], v->codes[v->target].before[row]) &&
           tacit__held_out(v->seed, row);
}

static double shown_weight(const view *v, int row)
{
    return v->release ? weight_of(v->w, row) : 1;
}

/* ---- values in the terms of the release ---- */

static bool released_from(const view *v, int column, const char *cell, int row)
{
    return v->w->origin[row] != TACIT_LOSS_MADE_UP &&
           strcmp(v->w->before[v->w->origin[row]][column], cell) == 0;
}

/* The category that a cell is read as, by counting; -1: no record with it was released. */
static int counted_reading(const view *v, int column, const char *cell, int own)
{
    const coded *c = &v->codes[column];
    int counts[LABELS] = {0}, claims = 0, claimed = -1, best = -1;
    bool own_released = false;
    for (int row = 0; row < v->w->released; row++) {
        int category = c->after[row];
        own_released |= category == own;
        if (!released_from(v, column, cell, row))
            continue;
        if (is_value(c, category) || (category == c->missing && !*cell)) {
            claims++;
            claimed = claimed < 0 ? category : claimed;
        } else {
            counts[category]++;
        }
    }
    for (int i = 0; i < c->count; i++) /* missing is the first in both numberings */
        if (counts[i] > 0 && (best < 0 || counts[i] > counts[best]))
            best = i;
    if (best < 0 && claims == 0)
        return -1;
    if (best < 0 || claims >= counts[best])
        return own_released ? own : claimed;
    return best;
}

static int reading_of(const view *v, int column, int row)
{
    const world *w = v->w;
    int own = v->codes[column].before[row], nearest = -1;
    if (!v->release)
        return own;
    int read = counted_reading(v, column, w->before[row][column], own);
    double number = column < 2 ? number_of(w->before[row][column]) : NAN, apart = INFINITY;
    if (read >= 0 || isnan(number))
        return read < 0 ? own : read;
    for (int other = 0; other < w->rows; other++) {
        double there = number_of(w->before[other][column]);
        int as =
            counted_reading(v, column, w->before[other][column], v->codes[column].before[other]);
        bool lower = fabs(there - number) <= apart && there < number;
        if (as >= 0 && (fabs(there - number) < apart || lower)) {
            apart = fabs(there - number);
            nearest = as;
        }
    }
    return nearest >= 0 && !is_value(&v->codes[column], nearest) ? nearest : own;
}

/* ---- naive Bayes ---- */

/* Weight of the rows shown with a class and, unless the column is -1, a category. */
static double weight_with(const view *v, int y, int column, int category)
{
    double sum = 0;
    for (int row = 0; row < learned_rows(v); row++)
        if (is_shown(v, row) && learned_category(v, v->target, row) == y &&
            (column < 0 || learned_category(v, column, row) == category))
            sum += shown_weight(v, row);
    return sum;
}

static int categories_met(const view *v, int column, int category, bool *met)
{
    bool seen[LABELS] = {false};
    int count = 0;
    for (int row = 0; row < learned_rows(v); row++)
        if (is_shown(v, row))
            seen[learned_category(v, column, row)] = true;
    for (int i = 0; i < LABELS; i++)
        count += seen[i];
    *met = seen[category];
    return count;
}

/* The largest posterior of other classes and that of the right one, as products. */
static bool is_right(const view *v, int tried, bool *close)
{
    const coded *target = &v->codes[v->target];
    double best = 0, scores[LABELS] = {0};
    for (int y = 0; y < target->domain; y++) {
        double score = is_value(target, y) ? weight_with(v, y, -1, 0) : 0;
        for (int column = 0; column < COLUMNS && score > 0; column++) {
            bool met;
            int category = reading_of(v, column, tried);
            if (column == v->target)
                continue;
            int all = categories_met(v, column, category, &met);
            if (met)
                score *=
                    (weight_with(v, y, column, category) + 1) / (weight_with(v, y, -1, 0) + all);
        }
        scores[y] = score;
        best = fmax(best, score);
    }
    int right = target->before[tried], near = 0;
    for (int y = 0; y < target->domain; y++)
        near += scores[y] >= best * (1 - 1e-9);
    *close = near > 1;
    return scores[right] >= best;
}

/* Where two classes are equally likely, rounding decides: such a case is passed over. */
static bool check_accuracy(const view *v, double accuracy)
{
    double right = 0, tried = 0, shown = 0;
    for (int row = 0; row < learned_rows(v); row++)
        shown += is_shown(v, row);
    for (int row = 0; row < v->w->rows; row++) {
        bool close;
        if (!is_tried(v, row))
            continue;
        right += is_right(v, row, &close);
        tried++;
        if (close)
            return false;
    }
    if (tried > 0 && shown > 0)
        assert_near(accuracy, right / tried);
    else
        assert_true(isnan(accuracy));
    return tried > 0 && shown > 0;
}

/* ---- least squares ---- */

typedef struct dense {
    int terms;
    double matrix[MAX_TERMS][MAX_TERMS + 1];
} dense;

/* Among values in the order of the original, then missing, then labels. */
static int place_of(const coded *c, int category)
{
    return category == c->missing ? c->values : category < c->domain ? category - 1 : category;
}

static double share_of(const view *v, int column, int category)
{
    double sum = 0;
    for (int row = 0; row < learned_rows(v); row++)
        sum += learned_category(v, column, row) == category ? shown_weight(v, row) : 0;
    return sum;
}

/* The category that has no term of its own, since the others are compared with it; -1: none. */
static int base_of(const view *v, int column)
{
    const coded *c = &v->codes[column];
    int base = -1;
    if (column < 2)
        return -1;
    for (int i = 0; i < c->count; i++) {
        double share = share_of(v, column, i), so_far = base < 0 ? 0 : share_of(v, column, base);
        if (share > so_far || (share > 0 && share >= so_far && place_of(c, i) < place_of(c, base)))
            base = i;
    }
    return base;
}

static int distinct_numbers(const view *v, int column)
{
    int count = 0;
    for (int row = 0; row < learned_rows(v); row++) {
        const char *cell = v->release ? v->w->after[row][column] : v->w->before[row][column];
        bool again = isnan(number_of(cell));
        for (int other = 0; other < row && !again; other++)
            again = strcmp(v->release ? v->w->after[other][column] : v->w->before[other][column],
                           cell) == 0;
        count += !again;
    }
    return count;
}

/* Terms of a row with these categories and numbers. */
static int fill_terms(double *x, const view *v, const int *categories, const double *numbers)
{
    int count = 0;
    x[count++] = 1;
    for (int column = 0; column < COLUMNS; column++) {
        const coded *c = &v->codes[column];
        int base = base_of(v, column), distinct = column < 2 ? distinct_numbers(v, column) : 0;
        if (column == v->target)
            continue;
        for (int i = 0; i < c->count; i++) {
            bool labels_only = column < 2 && is_value(c, i);
            if (i != base && !labels_only && share_of(v, column, i) > 0)
                x[count++] = categories[column] == i;
        }
        moments before = moments_of(v->w, false, column), after = moments_of(v->w, true, column);
        double variance = before.variance > 0 ? before.variance : after.variance;
        if (column > 1 || !(variance > 0) || distinct < 1)
            continue;
        double z = fmin(fmax((numbers[column] - before.mean) / sqrt(variance), -5), 5);
        x[count++] = isnan(numbers[column]) ? 0 : z;
        if (distinct > 2)
            x[count++] = isnan(numbers[column]) ? 0 : z * z;
    }
    assert_true(count <= MAX_TERMS);
    return count;
}

static void eliminate(dense *d)
{
    for (int i = 0; i < d->terms; i++) {
        int pivot = i;
        for (int j = i; j < d->terms; j++)
            if (fabs(d->matrix[j][i]) > fabs(d->matrix[pivot][i]))
                pivot = j;
        for (int k = 0; k <= d->terms; k++) {
            double kept = d->matrix[i][k];
            d->matrix[i][k] = d->matrix[pivot][k];
            d->matrix[pivot][k] = kept;
        }
        for (int j = 0; j < d->terms; j++) {
            double times = j == i ? 0 : d->matrix[j][i] / d->matrix[i][i];
            for (int k = i; k <= d->terms && times != 0; k++)
                d->matrix[j][k] -= times * d->matrix[i][k];
        }
    }
}

static void fit_naively(dense *d, const view *v)
{
    double x[MAX_TERMS], numbers[COLUMNS];
    int categories[COLUMNS];
    moments m = moments_of(v->w, false, v->target);
    memset(d, 0, sizeof *d);
    for (int row = 0; row < learned_rows(v); row++) {
        if (!is_shown(v, row))
            continue;
        for (int c = 0; c < COLUMNS; c++) {
            const char *cell = v->release ? v->w->after[row][c] : v->w->before[row][c];
            categories[c] = learned_category(v, c, row);
            numbers[c] = number_of(cell);
        }
        double y = (numbers[v->target] - m.mean) / sqrt(m.variance), weight = shown_weight(v, row);
        d->terms = fill_terms(x, v, categories, numbers);
        for (int i = 0; i < d->terms; i++) {
            for (int j = 0; j < d->terms; j++)
                d->matrix[i][j] += weight * x[i] * x[j];
            d->matrix[i][d->terms] += weight * x[i] * y;
        }
    }
    for (int i = 1; i < d->terms; i++)
        d->matrix[i][i] += 0.01;
    if (d->terms > 0)
        eliminate(d);
}

static bool check_error(const view *v, double error)
{
    static dense d;
    double x[MAX_TERMS], numbers[COLUMNS], sum = 0, tried = 0;
    int categories[COLUMNS];
    moments m = moments_of(v->w, false, v->target);
    fit_naively(&d, v);
    for (int row = 0; row < v->w->rows; row++) {
        if (!is_tried(v, row))
            continue;
        for (int c = 0; c < COLUMNS; c++) {
            categories[c] = reading_of(v, c, row);
            numbers[c] =
                is_value(&v->codes[c], categories[c]) ? number_of(v->w->before[row][c]) : NAN;
        }
        int count = fill_terms(x, v, categories, numbers);
        double y = number_of(v->w->before[row][v->target]), predicted = 0;
        for (int i = 0; i < count && d.terms; i++)
            predicted += x[i] * d.matrix[i][d.terms] / d.matrix[i][i];
        sum += (y - m.mean - predicted * sqrt(m.variance)) *
               (y - m.mean - predicted * sqrt(m.variance));
        tried++;
    }
    if (tried > 0 && d.terms > 0)
        assert_true(fabs(error - sqrt(sum / tried)) <= 1e-5 * (1 + sqrt(sum / tried)));
    else
        assert_true(isnan(error));
    return tried > 0 && d.terms > 0;
}

/* ---- worlds ---- */

static int distinct_values(const view *v)
{
    view original = *v;
    original.release = false;
    return v->target < 2 ? distinct_numbers(&original, v->target) : 0;
}

/* Without records of the original to learn from there is nothing to compare with. */
static bool can_learn(const view *v)
{
    for (int row = 0; row < v->w->rows; row++)
        if (is_shown(v, row))
            return true;
    return false;
}

static void check_target(const world *w, const tacit_loss_case *c, int target, uint64_t seed,
                         int64_t *checked)
{
    static const char *const NAMES[] = {"n", "m", "s", "p"};
    tacit_loss_options options;
    view v = {.w = w, .target = target, .seed = seed};
    tacit_loss_options_init(&options);
    options.target = NAMES[target];
    options.seed = seed;
    for (int column = 0; column < COLUMNS; column++)
        v.codes[column] = code(w, column);
    tacit_loss *loss = loss_of_case(c, &options, 1), *again = loss_of_case(c, &options, 3);
    const tacit_loss_prediction *p = &loss->prediction;
    assert_memory_equal(p, &again->prediction, sizeof *p);
    assert_int_equal(p->target, target);
    assert_int_equal(p->classes, target > 1 || distinct_values(&v) <= 2);
    for (int side = 0; side < 2; side++) {
        v.release = false;
        if (!can_learn(&v)) {
            assert_true(isnan(p->before) && isnan(p->after) && isnan(p->kept));
            break;
        }
        v.release = side;
        if (p->classes)
            checked[side] += check_accuracy(&v, side ? p->after : p->before);
        else
            checked[2 + side] += check_error(&v, side ? p->error_after : p->error_before);
    }
    tacit_loss_free(loss);
    tacit_loss_free(again);
}

static void test_predictions(void **state)
{
    uint64_t *seed = *state, cases = many_cases(400);
    static world w;
    int64_t checked[4] = {0};
    for (*seed = 1; *seed <= cases; ++*seed) {
        memset(&w, 0, sizeof w);
        make_world(&w, *seed);
        tacit_loss_case c = {loss_table(w.texts[0]),
                             loss_table(w.texts[1]),
                             w.origin,
                             w.weighted ? w.weights : NULL,
                             {NULL, NULL}};
        for (int target = 0; target < COLUMNS; target++)
            check_target(&w, &c, target, *seed, checked);
        tacit_table_free((tacit_table *)c.original);
        tacit_table_free((tacit_table *)c.release);
    }
    for (int i = 0; i < 4; i++)
        assert_true(checked[i] > (int64_t)cases / 4);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_predictions, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
