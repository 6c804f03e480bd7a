/*
 * models.c - groups of base classes asked whether they keep a frame's models.
 *
 * Sensitive values are counted once, for each column that a model is about
 * (keep.c); what the models ask of a group is there as well, and the
 * population in population/population.c. Here groups are made: for a node of the lattice all
 * at once, in parallel over groups, or one by one for a search that moves
 * classes about. A node costs the pairs of class and value that there are, one
 * group those of its members; neither allocates, but for levels on which the
 * register was not counted before.
 *
 * That joined groups keep what each of them keeps is shown in keep.c. For
 * the population there is more to it, because raising a level may bring people
 * under a box whom no group covered before. More people do no harm to k-map and
 * to presence's upper bound. Its lower bound, 0 in most uses, says that nobody
 * is known to be absent, and who lies in no group at all is. So a node where
 * people are left out fails as a whole; where nobody is, a box on higher levels
 * covers the people of the groups joined in it and nobody else, and the lower
 * bound is kept as well.
 */
#include "records/models/models.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/model.h"
#include "base/parallel.h"
#include "hierarchy/written.h"
#include "records/classes/classes.h"
#include "records/models/amounts.h"
#include "records/models/keep.h"
#include "records/population/population.h"

/* Numbers that are too near each other to count as different.
 *
 * Five salaries within five cents are one salary to who learns them. The line of numbers is
 * therefore cut into stretches of twice the spread, once from 0 and once from the spread: of two
 * numbers that are no further apart than it, no border of one of the two grids lies between them.
 * A model is asked of the stretches of both grids in place of the values. So all numbers of a
 * class that lie within one spread are one value on one of the grids, and count as that.
 *
 * A grid is a fixed recoding of values, so what keep.c shows of joined groups holds for
 * each grid, and for both together. (What is near goes back to Q. Zhang, N. Koudas, D. Srivastava,
 * T. Yu, Aggregate Query Answering on Anonymized Tables, ICDE 2007, and J. Li, Y. Tao, X. Xiao,
 * Preservation of Proximity Privacy in Publishing Numerical Sensitive Data, SIGMOD 2008, who look
 * at windows around each value.)
 *
 * Values that are no numbers are only like themselves, and so is missing. Digits after a leading 0
 * are a code, not a number. Cost: a sort of the column's distinct values a grid. */

/* Models that look at the order of numbers have one more grid, on which only equal numbers are
 * one and stretches are numbered from the least; weights have one, too, and no codes among them. */
enum { GRIDS = 2, IN_ORDER = GRIDS, BY_WEIGHT, AS_THEY_ARE = -1 };

/* Spreads are a little wider than they say, so that rounding parts nobody. */
static const double WIDER = 1 + 1e-9;

/* A code and the stretch that it lies in; NAN: it is no number. */
typedef struct placed {
    double stretch;
    uint32_t code;
} placed;

/* What stands before the decimals of a column. */
static char point_of(const tacit_table *table, int32_t column)
{
    tacit__number_signs signs = {0};
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++)
        tacit__number_signs_add(&signs, code, tacit_table_value(table, column, code));
    return tacit__number_signs_point(&signs);
}

/* The number that a value is, or NAN. */
static double number_of(const tacit_table *table, int32_t column, char point, uint32_t code)
{
    tacit_strview text = tacit_table_value(table, column, code);
    bool coded = text.len > 1 && text.bytes[0] == '0' && tacit__is_digit(text.bytes[1]);
    return coded ? NAN : tacit__decimal_read_as(text, point);
}

/* The same on a grid. */
static double number_on(const tacit_table *table, int32_t column, char point, uint32_t code,
                        int grid)
{
    return grid == BY_WEIGHT ? tacit__decimal_read(tacit_table_value(table, column, code))
                             : number_of(table, column, point, code);
}

static bool has_numbers(const tacit_table *table, int32_t column)
{
    uint32_t code = 0, distinct = tacit_table_distinct(table, column);
    char point = point_of(table, column);
    while (code < distinct && isnan(number_of(table, column, point, code)))
        code++;
    return code < distinct;
}

static bool has_amounts(const tacit_table *table, int32_t column)
{
    uint32_t code = 0, distinct = tacit_table_distinct(table, column);
    tacit__amounts amounts = tacit__amounts_of(table, column);
    while (code < distinct &&
           isnan(tacit__amount_read(&amounts, tacit_table_value(table, column, code))))
        code++;
    return code < distinct;
}

/* Whether nearness plays a part in a model: it is about how often values occur, and its column
 * has numbers or dates. */
static bool model_is_near(const tacit_model *model, const tacit_table *table)
{
    return tacit_model_counts_values(model->bound.kind) && model->spread.amount > 0 &&
           has_amounts(table, model->column);
}

/* How near numbers have to be; 0 where they are all the same. */
static double reach_of(const tacit_table *table, const tacit_model *model)
{
    double low = INFINITY, high = -INFINITY;
    if (!model->spread.share)
        return model->spread.amount * WIDER;
    tacit__amounts amounts = tacit__amounts_of(table, model->column);
    for (uint32_t code = 0; code < tacit_table_distinct(table, model->column); code++) {
        double number = tacit__amount_read(&amounts, tacit_table_value(table, model->column, code));
        if (isnan(number))
            continue;
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    return model->spread.amount * (high - low) * WIDER;
}

static int by_stretch(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (isnan(x->stretch) || isnan(y->stretch))
        return isnan(x->stretch) - isnan(y->stretch);
    return (x->stretch > y->stretch) - (x->stretch < y->stretch);
}

/* For every code of the column, missing the last, the number of its stretch on one of the grids,
 * ascending; words come after numbers. `count` is how many there are. The caller frees the map. */
static tacit_status nearness_map(uint32_t **map, uint32_t *count, const tacit_table *table,
                                 const tacit_model *model, int grid, tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(table, model->column) + 1, last = 0;
    double reach = grid >= IN_ORDER ? 0 : reach_of(table, model);
    char point = point_of(table, model->column);
    tacit__amounts amounts = tacit__amounts_of(table, model->column);
    placed *places = tacit__alloc_array(codes, sizeof *places);
    uint32_t *made = tacit__alloc_array(codes, sizeof *made);
    if (!places || !made) {
        tacit__free(places);
        tacit__free(made);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code < codes; code++) {
        double number = NAN;
        if (code + 1 < codes && grid >= IN_ORDER)
            number = number_on(table, model->column, point, code, grid);
        else if (code + 1 < codes)
            number = tacit__amount_read(&amounts, tacit_table_value(table, model->column, code));
        double stretch = reach > 0 ? floor((number / reach + grid) / 2) : number;
        places[code] = (placed){stretch, code};
    }
    qsort(places, codes, sizeof *places, by_stretch);
    for (uint32_t i = 0; i < codes; i++) {
        last += i > 0 && !(places[i].stretch == places[i - 1].stretch); /* a NAN is like none */
        made[places[i].code] = last;
    }
    tacit__free(places);
    *map = made;
    *count = last + 1;
    return TACIT_OK;
}

/* ---- */

/* Base classes that one task takes, at least. */
enum { TASK_CLASSES = 4096 };

/* A model with what it needs. Where numbers that are near count as one there is one for each grid
 * of those above, and all are to be kept. */
typedef struct prepared {
    tacit_model_bound bound;
    int32_t values; /* the place of its column's, or -1: about the population */
    tacit__models_shares shares;
} prepared;

struct tacit__models_scratch {
    tacit__model_tally gathered; /* a group's values */
    tacit__model_tally raised;   /* the same on higher levels of a hierarchy */
};

struct tacit__models {
    const tacit_frame *frame;
    const tacit_classes *base;
    prepared *models;
    int32_t count;
    tacit__values *values; /* a sensitive column each, or a grid of one */
    int32_t value_count;
    tacit_population *population; /* NULL where no model is about it */
    bool all_present;             /* nobody may be known to be absent */
    /* a number on an attribute's base level -> a code that has it; for the population */
    uint32_t *codes[TACIT_MAX_ATTRIBUTES];
    size_t numbers;                  /* that a tally needs room for */
    tacit__models_scratch **scratch; /* a worker each */
    int workers;
    uint32_t *starts; /* the classes of each group: list[starts[g]] up to list[starts[g + 1]] */
    uint32_t *list;
};

static tacit_status check_model(const tacit_frame *frame, const tacit_model *model,
                                tacit_error *err)
{
    char text[48];
    const char *problem = tacit__model_problem(&model->bound);
    if (problem)
        return tacit__error(err, TACIT_INVALID, "%s: %s",
                            tacit_model_text(text, sizeof text, &model->bound), problem);
    if (tacit__model_of_population(model->bound.kind))
        return frame->population ? TACIT_OK
                                 : tacit__error(err, TACIT_INVALID,
                                                "presence and k-map need a population: name a "
                                                "file of the people who could be in the data");
    if (model->column < 0 || model->column >= tacit_table_columns(frame->table) ||
        !tacit_table_is_coded(frame->table, model->column))
        return tacit__error(err, TACIT_INVALID,
                            "the sensitive column of a model is not there, or not coded");
    if (model->bound.kind == TACIT_MODEL_CLOSENESS_TREE &&
        (!model->hierarchy || tacit_hierarchy_count(model->hierarchy, 0) !=
                                  tacit_table_distinct(frame->table, model->column)))
        return tacit__error(err, TACIT_INVALID,
                            "closeness in a tree: column \"%s\" needs a hierarchy",
                            tacit__show(tacit_table_name(frame->table, model->column)).text);
    if (model->bound.kind == TACIT_MODEL_CLOSENESS_ORDER &&
        !has_numbers(frame->table, model->column))
        return tacit__error(err, TACIT_INVALID,
                            "closeness by order: column \"%s\" has no numbers; give it a hierarchy "
                            "and write tree",
                            tacit__show(tacit_table_name(frame->table, model->column)).text);
    return TACIT_OK;
}

static bool looks_at_order(tacit_model_kind kind)
{
    return kind == TACIT_MODEL_CLOSENESS_ORDER || kind == TACIT_MODEL_RANGE;
}

/* The grids of a model. */
static int first_grid(const tacit__models *models, const tacit_model *model)
{
    if (model->bound.kind == TACIT_MODEL_MAP_ESTIMATED)
        return BY_WEIGHT;
    if (looks_at_order(model->bound.kind))
        return IN_ORDER;
    return model_is_near(model, models->frame->table) ? 0 : AS_THEY_ARE;
}

static int end_of_grids(int first)
{
    return first == 0 ? GRIDS : first + 1;
}

static bool same_spread(tacit_spread a, tacit_spread b)
{
    return a.amount == b.amount && a.share == b.share;
}

static int32_t find_values(const tacit__models *models, const tacit_model *model, int grid)
{
    for (int32_t i = 0; i < models->value_count; i++) {
        const tacit__values *values = &models->values[i];
        if (values->column == model->column && values->grid == grid &&
            (grid < 0 || grid >= IN_ORDER || same_spread(values->spread, model->spread)))
            return i;
    }
    return -1;
}

/* What the places of a column's numbers are. A single number has nothing to be in order with. */
static tacit_status number_places(tacit__values *values, const tacit_table *table,
                                  const uint32_t *map, int grid, tacit_error *err)
{
    values->numbers = tacit__alloc_zeroed(values->codes, sizeof *values->numbers);
    if (!values->numbers)
        return tacit__nomem(err);
    char point = point_of(table, values->column);
    for (uint32_t code = 0; code < tacit_table_distinct(table, values->column); code++) {
        double number = number_on(table, values->column, point, code, grid);
        if (isnan(number))
            continue;
        values->numbers[map[code]] = number;
        values->places = map[code] + 1 > values->places ? map[code] + 1 : values->places;
    }
    values->places = values->places > 1 ? values->places : 0;
    return TACIT_OK;
}

/* Takes the values of a column that are near each other together. */
static tacit_status put_on_grid(tacit__values *values, const tacit__models *models,
                                const tacit_model *model, int grid, tacit_error *err)
{
    uint32_t *map = NULL, count = 0;
    tacit_status status = nearness_map(&map, &count, models->frame->table, model, grid, err);
    if (status == TACIT_OK)
        status = tacit__values_recode(values, map, count, models->base->groups.count, err);
    if (status == TACIT_OK && grid >= IN_ORDER)
        status = number_places(values, models->frame->table, map, grid, err);
    values->grid = grid;
    values->spread = model->spread;
    tacit__free(map);
    return status;
}

static tacit_status count_on(tacit__models *models, const tacit_model *model, int grid,
                             const uint32_t *class_of, const tacit_run *run, tacit_error *err)
{
    tacit__values *values = &models->values[models->value_count];
    if (find_values(models, model, grid) >= 0)
        return TACIT_OK;
    tacit_status status = tacit__values_init(values, models->frame, model->column, class_of,
                                             models->base->groups.count, run, err);
    models->value_count += status == TACIT_OK;
    return status == TACIT_OK && grid >= 0 ? put_on_grid(values, models, model, grid, err) : status;
}

/* Counts every sensitive column that a model is about, once. */
static tacit_status count_values(tacit__models *models, const uint32_t *class_of,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < models->frame->model_count; i++) {
        const tacit_model *model = &models->frame->models[i];
        if (tacit__model_of_population(model->bound.kind))
            continue;
        int first = first_grid(models, model);
        for (int grid = first; status == TACIT_OK && grid < end_of_grids(first); grid++)
            status = count_on(models, model, grid, class_of, run, err);
    }
    return status;
}

static tacit_status find_classes(tacit__models *models, const tacit_run *run, tacit_error *err)
{
    size_t rows = (size_t)tacit_table_rows(models->frame->table);
    uint32_t *class_of = tacit__alloc_array(rows, sizeof *class_of);
    if (!class_of)
        return tacit__nomem(err);
    tacit_status status = tacit_classes_assign(models->base, models->frame, class_of, run, err);
    if (status == TACIT_OK)
        status = count_values(models, class_of, run, err);
    tacit__free(class_of);
    return status;
}

static void need_numbers(tacit__models *models, size_t numbers)
{
    if (numbers > models->numbers)
        models->numbers = numbers;
}

static tacit_status prepare_sensitive(tacit__models *models, const tacit_model *model, int grid,
                                      tacit_error *err)
{
    bool tree = model->bound.kind == TACIT_MODEL_CLOSENESS_TREE;
    prepared *to = &models->models[models->count++];
    *to = (prepared){.bound = model->bound, .values = find_values(models, model, grid)};
    const tacit__values *values = &models->values[to->values];
    need_numbers(models, values->codes);
    for (int level = 1; tree && level <= tacit_hierarchy_height(model->hierarchy); level++)
        need_numbers(models, (size_t)tacit_hierarchy_count(model->hierarchy, level) + 1);
    if (tacit_model_counts_values(model->bound.kind))
        return TACIT_OK;
    return tacit__shares_init(&to->shares, values, tree ? model->hierarchy : NULL, err);
}

static void prepare_population(tacit__models *models, const tacit_model *model)
{
    models->models[models->count++] = (prepared){.bound = model->bound, .values = -1};
    models->population = models->frame->population;
    models->all_present |=
        model->bound.kind == TACIT_MODEL_PRESENCE && model->bound.second > TACIT_MODEL_TOLERANCE;
}

static tacit_status prepare_models(tacit__models *models, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < models->frame->model_count; i++) {
        const tacit_model *model = &models->frame->models[i];
        if (tacit__model_of_population(model->bound.kind)) {
            prepare_population(models, model);
            continue;
        }
        int first = first_grid(models, model);
        for (int grid = first; status == TACIT_OK && grid < end_of_grids(first); grid++)
            status = prepare_sensitive(models, model, grid, err);
    }
    return status;
}

/* A code for each number that an attribute has on its base level. */
static tacit_status sample_codes(tacit__models *models, tacit_error *err)
{
    const tacit_frame *frame = models->frame;
    for (int32_t a = 0; models->population && a < frame->attribute_count; a++) {
        int level = models->base->levels[a];
        int32_t column = frame->attributes[a].column;
        const uint32_t *map = tacit_hierarchy_map(frame->attributes[a].hierarchy, level);
        uint32_t codes = tacit_table_distinct(frame->table, column) +
                         tacit_table_has_missing(frame->table, column);
        models->codes[a] =
            tacit__alloc_zeroed(tacit__distinct_on(frame, a, level), sizeof *models->codes[a]);
        if (!models->codes[a])
            return tacit__nomem(err);
        for (uint32_t code = 0; code < codes; code++)
            models->codes[a][map[code]] = code;
    }
    return TACIT_OK;
}

/* As many workers as there are threads, unless their room would be large against
 * what is counted. */
static int workers_of(const tacit__models *models, const tacit_run *run)
{
    int64_t pairs = 0, threads = tacit__threads(run);
    for (int32_t i = 0; i < models->value_count; i++)
        pairs += models->values[i].starts[models->base->groups.count];
    int64_t most = models->numbers > 0 ? 1 + pairs / (int64_t)models->numbers : threads;
    return (int)(threads < most ? threads : most);
}

static tacit_status make_scratch(tacit__models *models, const tacit_run *run, tacit_error *err)
{
    size_t classes = (size_t)models->base->groups.count;
    int workers = workers_of(models, run);
    models->starts = tacit__alloc_array(classes + 2, sizeof *models->starts);
    models->list = tacit__alloc_array(classes, sizeof *models->list);
    models->scratch = tacit__alloc_zeroed((size_t)workers, sizeof *models->scratch);
    if (!models->starts || !models->list || !models->scratch)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && models->workers < workers) {
        status = tacit__models_scratch_new(&models->scratch[models->workers], models, err);
        models->workers += status == TACIT_OK;
    }
    return status;
}

static tacit_status prepare(tacit__models *models, const tacit_run *run, tacit_error *err)
{
    const tacit_frame *frame = models->frame;
    bool sensitive = false;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < frame->model_count; i++) {
        status = check_model(frame, &frame->models[i], err);
        sensitive |= !tacit__model_of_population(frame->models[i].bound.kind);
    }
    if (status != TACIT_OK)
        return status;
    size_t most = (size_t)frame->model_count * GRIDS;
    models->models = tacit__alloc_zeroed(most, sizeof *models->models);
    models->values = tacit__alloc_zeroed(most, sizeof *models->values);
    if (!models->models || !models->values)
        return tacit__nomem(err);
    if (sensitive)
        status = find_classes(models, run, err);
    if (status == TACIT_OK)
        status = prepare_models(models, err);
    if (status == TACIT_OK)
        status = sample_codes(models, err);
    return status == TACIT_OK ? make_scratch(models, run, err) : status;
}

tacit_status tacit__models_new(tacit__models **out, const tacit_frame *frame,
                               const tacit_classes *base, const tacit_run *run, tacit_error *err)
{
    assert(frame->model_count > 0);
    tacit__models *models = tacit__alloc_zeroed(1, sizeof *models);
    if (!models)
        return tacit__nomem(err);
    models->frame = frame;
    models->base = base;
    tacit_status status = prepare(models, run, err);
    if (status == TACIT_OK)
        *out = models;
    else
        tacit__models_free(models);
    return status;
}

void tacit__models_free(tacit__models *models)
{
    if (!models)
        return;
    for (int i = 0; i < models->workers; i++)
        tacit__models_scratch_free(models->scratch[i]);
    for (int32_t i = 0; models->models && i < models->count; i++)
        tacit__shares_clear(&models->models[i].shares);
    for (int32_t i = 0; i < models->value_count; i++)
        tacit__values_clear(&models->values[i]);
    for (int32_t a = 0; a < TACIT_MAX_ATTRIBUTES; a++)
        tacit__free(models->codes[a]);
    tacit__free(models->scratch);
    tacit__free(models->models);
    tacit__free(models->values);
    tacit__free(models->starts);
    tacit__free(models->list);
    tacit__free(models);
}

tacit_status tacit__models_scratch_new(tacit__models_scratch **out, const tacit__models *models,
                                       tacit_error *err)
{
    tacit__models_scratch *scratch = tacit__alloc_zeroed(1, sizeof *scratch);
    if (!scratch)
        return tacit__nomem(err);
    tacit_status status = tacit__model_tally_init(&scratch->gathered, models->numbers, err);
    if (status == TACIT_OK)
        status = tacit__model_tally_init(&scratch->raised, models->numbers, err);
    if (status == TACIT_OK)
        *out = scratch;
    else
        tacit__models_scratch_free(scratch);
    return status;
}

void tacit__models_scratch_free(tacit__models_scratch *scratch)
{
    if (!scratch)
        return;
    tacit__model_tally_clear(&scratch->gathered);
    tacit__model_tally_clear(&scratch->raised);
    tacit__free(scratch);
}

/* Whether a group keeps every model of sensitive values. */
static bool keeps_values(const tacit__models *models, tacit__models_scratch *scratch,
                         const uint32_t *members, int64_t count)
{
    for (int32_t v = 0; v < models->value_count; v++) {
        tacit__histogram_view histogram =
            tacit__values_gather(&models->values[v], &scratch->gathered, members, count);
        for (int32_t i = 0; i < models->count; i++)
            if (models->models[i].values == v &&
                !tacit__keeps(&models->models[i].bound, &histogram, &models->values[v],
                              &models->models[i].shares, &scratch->raised))
                return false;
    }
    return true;
}

/* Whether it keeps every model of the population, of which it covers `people`. */
static bool keeps_people(const tacit__models *models, const uint32_t *members, int64_t count,
                         int64_t people)
{
    int64_t rows = 0;
    for (int64_t m = 0; m < count; m++)
        rows += models->base->groups.rows[members[m]];
    for (int32_t i = 0; i < models->count; i++)
        if (models->models[i].values < 0 &&
            !tacit__keeps_population(&models->models[i].bound, rows, people))
            return false;
    return true;
}

tacit_status tacit__models_hold_in(bool *holds, const tacit__models *models,
                                   tacit__models_scratch *scratch, const uint32_t *members,
                                   int64_t count, const uint8_t *levels, const uint32_t *numbers,
                                   tacit_error *err)
{
    static const tacit_run alone = {.threads = 1};
    int64_t people;
    assert(count > 0);
    bool keeps = keeps_values(models, scratch, members, count);
    if (!keeps || !models->population) {
        *holds = keeps;
        return TACIT_OK;
    }
    tacit_status status =
        tacit__population_under(&people, models->population, levels, numbers, &alone, err);
    if (status == TACIT_OK)
        *holds = keeps_people(models, members, count, people);
    return status;
}

tacit_status tacit__models_hold(bool *holds, tacit__models *models, const uint32_t *members,
                                int64_t count, const uint8_t *levels, const uint32_t *numbers,
                                tacit_error *err)
{
    return tacit__models_hold_in(holds, models, models->scratch[0], members, count, levels, numbers,
                                 err);
}

/* The groups of a node. */
typedef struct node {
    const tacit__models *models;
    const tacit__models_question *asked;
    int64_t task_classes;
    const tacit__population_people *people; /* of the register; NULL where no model asks */
    uint64_t *fails;
    atomic_int_fast64_t covered; /* people of the register in any group */
    atomic_int_fast64_t failing; /* rows of groups that fail */
} node;

/* Sorts the base classes by group. */
static void list_groups(tacit__models *models, const uint32_t *group_of, int64_t groups)
{
    uint32_t *next = models->starts + 1;
    int64_t classes = models->base->groups.count;
    assert(groups <= classes);
    memset(models->starts, 0, ((size_t)groups + 2) * sizeof *models->starts);
    for (int64_t c = 0; c < classes; c++)
        next[group_of[c] + 1]++;
    for (int64_t g = 0; g < groups; g++)
        next[g + 1] += next[g];
    for (int64_t c = 0; c < classes; c++)
        models->list[next[group_of[c]]++] = (uint32_t)c;
}

/* People of the register under the box of a group, by its first member. */
static int64_t people_of(const node *n, uint32_t member)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    const tacit__models *models = n->models;
    for (int32_t a = 0; a < models->frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = models->frame->attributes[a].hierarchy;
        uint32_t code = models->codes[a][tacit_classes_code(models->base, member, a)];
        numbers[a] = tacit_hierarchy_map(hierarchy, n->asked->levels[a])[code];
    }
    return tacit__people_under(n->people, numbers);
}

static void note_failing(node *n, int64_t group, const uint32_t *members, int64_t count)
{
    int64_t rows = 0;
    for (int64_t m = 0; m < count; m++)
        rows += n->models->base->groups.rows[members[m]];
    atomic_fetch_add_explicit(&n->failing, rows, memory_order_relaxed);
    /* groups of other tasks may share the word */
    __atomic_fetch_or(&n->fails[group >> 6], UINT64_C(1) << (group & 63), __ATOMIC_RELAXED);
}

static void look_at(node *n, int64_t group, tacit__models_scratch *scratch)
{
    const tacit__models *models = n->models;
    const uint32_t *members = models->list + models->starts[group];
    int64_t count = models->starts[group + 1] - models->starts[group];
    bool skips = !n->people && n->asked->gone && tacit__bit_get(n->asked->gone, group);
    if (count == 0 || skips)
        return;
    bool keeps = keeps_values(models, scratch, members, count);
    if (n->people) {
        int64_t people = people_of(n, members[0]);
        atomic_fetch_add_explicit(&n->covered, people, memory_order_relaxed);
        keeps = keeps && keeps_people(models, members, count, people);
    }
    if (!keeps)
        note_failing(n, group, members, count);
}

/* The first group whose classes start at or behind a place of the list. */
static int64_t group_from(const node *n, int64_t place)
{
    int64_t low = 0, high = n->asked->groups;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (n->models->starts[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static tacit_status look_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    node *n = context;
    int64_t end = group_from(n, (task + 1) * n->task_classes);
    int64_t most = n->people ? INT64_MAX : n->asked->most; /* everybody's people are counted */
    for (int64_t group = group_from(n, task * n->task_classes); group < end && n->failing <= most;
         group++)
        look_at(n, group, n->models->scratch[worker]);
    return TACIT_OK;
}

static tacit_status look_at_all(node *n, const tacit_run *run, tacit_error *err)
{
    int64_t classes = n->models->base->groups.count;
    tacit_run limited = *run;
    if (tacit__threads(run) > n->models->workers)
        limited.threads = n->models->workers;
    n->task_classes = classes / 1024 > TASK_CLASSES ? classes / 1024 : TASK_CLASSES;
    return tacit__parallel(&limited, NULL, (classes + n->task_classes - 1) / n->task_classes,
                           look_task, n, err);
}

int64_t tacit__models_least(const tacit__models *models)
{
    int64_t least = 1;
    for (int32_t i = 0; i < models->count; i++) {
        const prepared *model = &models->models[i];
        int64_t rows = tacit__least_rows(&model->bound, &model->shares);
        least = rows > least ? rows : least;
    }
    return least;
}

tacit_status tacit__models_failing(uint64_t *fails, tacit__models *models,
                                   const tacit__models_question *question, const tacit_run *run,
                                   tacit_error *err)
{
    node n = {.models = models, .asked = question, .fails = fails};
    uint8_t narrow[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    list_groups(models, question->group_of, question->groups);
    for (int32_t a = 0; a < models->frame->attribute_count; a++)
        narrow[a] = (uint8_t)question->levels[a];
    if (models->population)
        status = tacit__population_open(&n.people, models->population, narrow, run, err);
    if (status != TACIT_OK)
        return status;
    status = look_at_all(&n, run, err);
    if (models->population)
        tacit__population_close(models->population);
    if (status == TACIT_OK && models->all_present &&
        n.covered < tacit__population_rows(models->population))
        for (int64_t group = 0; group < question->groups; group++)
            tacit__bit_set(fails, group);
    return status;
}
