/*
 * spread.c - the models about a sensitive column, on one class.
 *
 * Distinct, entropy and recursive diversity as Machanavajjhala and others define
 * them, (alpha,k) as Wong and others do, closeness as Li and others do (the
 * earth mover's distance between the class and the whole table).
 *
 * With equal distances that is half the sum of the differences of shares: what
 * has to move is what the class has too much of, so it is enough to look at the
 * values that the class has. In a tree whose leaves are all on one level, two
 * values whose lowest common ancestor is on level m are m / height apart, which is
 * m edges up and m down of length 1 / (2 height) each; what crosses the edge
 * above a value is the difference of shares under it. So the distance is the mean
 * over the levels below the highest of the equal distance on that level.
 *
 * Cost: the values of the class, times the levels of the tree; recursive
 * diversity sorts their counts.
 */
#include "audit/models/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

static bool count_level(tacit__whole *whole, int level)
{
    const uint32_t *map = tacit_hierarchy_map(whole->tree, level);
    size_t numbers = (size_t)tacit_hierarchy_count(whole->tree, level) + 1; /* and missing */
    int64_t *sums = whole->above[level] = tacit__alloc_zeroed(numbers, sizeof *sums);
    for (uint32_t code = 0; sums && code < whole->values; code++)
        sums[map[code]] += whole->rows[code];
    return sums != NULL;
}

tacit_status tacit__whole_climb(tacit__whole *whole, tacit_error *err)
{
    for (int level = 0; level < tacit_hierarchy_height(whole->tree); level++)
        if (!count_level(whole, level))
            return tacit__nomem(err);
    return TACIT_OK;
}

void tacit__whole_clear(tacit__whole *whole)
{
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
    case TACIT_MODEL_PRESENCE:
    case TACIT_MODEL_MAP: break;
    }
    return (tacit__models_measured){NAN, false};
}
