/*
 * population.c - who could be in the data: a register of people with the same attributes, for
 * k-map (Sweeney, Computational Disclosure Control, 4.3) and delta-presence (Nergiz, Atzori,
 * Clifton: Hiding the presence of individuals from shared databases, SIGMOD 2007).
 *
 * Register and data have the same values, but number them each in their own order. People whose
 * value the data does not have lie under the higher values that they share with it.
 *
 * The register is counted once from its rows. Each combination of levels asked for is rolled up
 * from the smallest one counted before that lies below it, and kept with an index from key to
 * place; the least recently used ones are let go when there are too many. So a box costs a
 * look-up, and a combination that is new costs as much as the classes it is rolled up from. A
 * search that mixes levels freely would ask for ever new ones: there narrow boxes are looked for
 * among the register's classes.
 *
 * An index over the classes of a register that finds those under a box. The values of an attribute
 * are ranked in the order of its hierarchy's leaves, so that those under any value of any level
 * are a range of ranks. For each attribute the classes are listed by rank. A box is then looked
 * for in the range that holds the fewest classes, each checked against the other ranges: a narrow
 * box costs next to nothing, whatever levels it mixes, and for wide ones the register is better
 * counted on their levels.
 *
 * Eight bytes a class and attribute, and twelve a value of the hierarchies.
 */
#include "records/population/population.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <tacit/experimental/records.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "hierarchy/names.h"
#include "records/classes/classes.h"
#include "records/models/models.h"

/* A box made ready: for each attribute that it restricts, which ranks lie in it
 * and which classes have them, the fewest first. */
typedef struct box_range {
    int32_t attribute;
    uint32_t first, count;
    const uint32_t *classes;
    int64_t class_count;
} box_range;

typedef struct box_query {
    box_range *ranges; /* room for one an attribute */
    int32_t range_count;
} box_query;

/* Ranks under a value. */
typedef struct range {
    uint32_t first;
    uint32_t count;
} range;

/* One attribute. */
typedef struct axis {
    int height;
    uint32_t codes; /* of the column, missing the last if there is any */
    range *ranges[TACIT_MAX_LEVELS];
    range *memory;        /* that these lie in */
    tacit__lists classes; /* of each rank */
} axis;

typedef struct box_index {
    const tacit_classes *ground;
    int32_t attributes;
    axis *axes;
    uint32_t *ranks; /* class by class, an attribute each */
} box_index;

/* Sorts the order so far by the values' numbers on a level, keeping it among equals. */
static tacit_status sort_by_level(uint32_t *order, uint32_t *keys, const axis *x,
                                  const uint32_t *map, uint32_t numbers, tacit_error *err)
{
    tacit__lists lists = {0};
    for (uint32_t i = 0; i < x->codes; i++)
        keys[i] = map[order[i]];
    tacit_status status = tacit__lists_init(&lists, keys, x->codes, numbers, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < x->codes; i++)
        keys[i] = order[lists.list[i]];
    memcpy(order, keys, x->codes * sizeof *order);
    tacit__lists_clear(&lists);
    return TACIT_OK;
}

/* The codes in the order of the leaves: sorted level by level from below, since
 * each sorting keeps the order of those before it. */
static tacit_status order_leaves(uint32_t *order, const axis *x, const tacit_hierarchy *hierarchy,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t *keys = tacit__alloc_array(x->codes, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < x->codes; i++)
        order[i] = i;
    for (int level = 1; status == TACIT_OK && level < x->height; level++)
        status = sort_by_level(order, keys, x, tacit_hierarchy_map(hierarchy, level),
                               tacit_hierarchy_count(hierarchy, level) + 1, err);
    tacit__free(keys);
    return status;
}

static tacit_status make_ranges(axis *x, const tacit_hierarchy *hierarchy, const uint32_t *order,
                                tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int level = 0; level <= x->height; level++)
        total += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
    x->memory = tacit__alloc_zeroed(total, sizeof *x->memory);
    if (!x->memory)
        return tacit__nomem(err);
    for (int level = 0; level <= x->height; level++) {
        const uint32_t *map = tacit_hierarchy_map(hierarchy, level);
        x->ranges[level] = x->memory + at;
        at += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
        for (uint32_t rank = 0; rank < x->codes; rank++) {
            range *of = &x->ranges[level][map[order[rank]]];
            if (!of->count++)
                of->first = rank;
        }
    }
    return TACIT_OK;
}

/* Fills in an attribute's ranks of all classes, and lists them. */
static tacit_status list_classes(box_index *index, int32_t attribute, uint32_t *rank_of,
                                 tacit_error *err)
{
    axis *x = &index->axes[attribute];
    int64_t classes = index->ground->groups.count;
    for (int64_t c = 0; c < classes; c++) {
        uint32_t code = tacit_classes_code(index->ground, c, attribute);
        rank_of[c] = x->ranges[0][code].first;
        index->ranks[c * index->attributes + attribute] = rank_of[c];
    }
    return tacit__lists_init(&x->classes, rank_of, classes, x->codes, err);
}

static tacit_status make_axis(box_index *index, const tacit_frame *frame, int32_t attribute,
                              uint32_t *rank_of, tacit_error *err)
{
    axis *x = &index->axes[attribute];
    const tacit_attribute *a = &frame->attributes[attribute];
    x->height = tacit_hierarchy_height(a->hierarchy);
    x->codes = tacit_table_distinct(frame->table, a->column) +
               tacit_table_has_missing(frame->table, a->column);
    uint32_t *order = tacit__alloc_array(x->codes, sizeof *order);
    if (!order)
        return tacit__nomem(err);
    tacit_status status = order_leaves(order, x, a->hierarchy, err);
    if (status == TACIT_OK)
        status = make_ranges(x, a->hierarchy, order, err);
    if (status == TACIT_OK)
        status = list_classes(index, attribute, rank_of, err);
    tacit__free(order);
    return status;
}

static void box_index_free(box_index *index)
{
    if (!index)
        return;
    for (int32_t a = 0; index->axes && a < index->attributes; a++) {
        tacit__free(index->axes[a].memory);
        tacit__lists_clear(&index->axes[a].classes);
    }
    tacit__free(index->axes);
    tacit__free(index->ranks);
    tacit__free(index);
}

/* Of a register's classes on the ground, which must outlive it. */
static tacit_status box_index_new(box_index **out, const tacit_frame *frame,
                                  const tacit_classes *ground, tacit_error *err)
{
    size_t attributes = (size_t)frame->attribute_count, classes = (size_t)ground->groups.count;
    tacit_status status = TACIT_OK;
    box_index *index = tacit__alloc_zeroed(1, sizeof *index);
    uint32_t *rank_of = tacit__alloc_array(classes, sizeof *rank_of);
    if (index) {
        index->ground = ground;
        index->attributes = frame->attribute_count;
        index->axes = tacit__alloc_zeroed(attributes, sizeof *index->axes);
        index->ranks = tacit__alloc_array(classes, attributes * sizeof *index->ranks);
    }
    if (!index || !rank_of || !index->axes || !index->ranks)
        status = tacit__nomem(err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++)
        status = make_axis(index, frame, a, rank_of, err);
    tacit__free(rank_of);
    if (status == TACIT_OK)
        *out = index;
    else
        box_index_free(index);
    return status;
}

/* Numbers are the register's own. */
static void box_query_init(box_query *query, const box_index *index, const uint8_t *levels,
                           const uint32_t *numbers)
{
    query->range_count = 0;
    for (int32_t a = 0; a < index->attributes; a++) {
        const axis *x = &index->axes[a];
        if (levels[a] == x->height)
            continue;
        range in = x->ranges[levels[a]][numbers[a]];
        int64_t from = x->classes.starts[in.first];
        int64_t count = x->classes.starts[in.first + in.count] - from;
        int32_t at = query->range_count++;
        for (; at > 0 && query->ranges[at - 1].class_count > count; at--)
            query->ranges[at] = query->ranges[at - 1];
        query->ranges[at].attribute = a;
        query->ranges[at].first = in.first;
        query->ranges[at].count = in.count;
        query->ranges[at].classes = x->classes.list + from;
        query->ranges[at].class_count = count;
    }
}

/* How many classes have to be looked at. */
static int64_t box_query_cost(const box_query *query, const box_index *index)
{
    return query->range_count ? query->ranges[0].class_count : index->ground->rows > 0;
}

/* Whether a class of the first range lies in the others. */
static bool lies_in(const box_query *query, const uint32_t *ranks)
{
    for (int32_t i = 1; i < query->range_count; i++)
        if (ranks[query->ranges[i].attribute] - query->ranges[i].first >= query->ranges[i].count)
            return false;
    return true;
}

/* Rows under the box. */
static int64_t box_query_rows(const box_query *query, const box_index *index)
{
    int64_t rows = 0;
    if (!query->range_count)
        return index->ground->rows;
    for (int64_t i = 0; i < query->ranges[0].class_count; i++) {
        uint32_t c = query->ranges[0].classes[i];
        if (lies_in(query, index->ranks + (size_t)c * (size_t)index->attributes))
            rows += index->ground->groups.rows[c];
    }
    return rows;
}

/* The values of a register matched with the data's.
 *
 * Each table numbers values in the order in which it meets them, so a value is
 * known by its name on its level: the names of the register's level are put into
 * an index, and the data's are looked up. What is missing matches what is
 * missing, and the highest values match whatever their names.
 *
 * The same value must generalize alike in both, or counts would mean nothing.
 * Hierarchies of different height are refused (a mask's is the length of the
 * longest value, and a longer value does not lie under a shorter mask), and so
 * are values that part ways (intervals are named otherwise where one of the
 * numbers has decimals). One look-up for each value and level. */

/* Where the register has nobody of a value. */
#define NOBODY UINT32_MAX

/* By attribute, level and the data's number, missing behind the last: the
 * register's number. Zero-initialized is empty. */
typedef struct name_map {
    uint32_t *(*numbers)[TACIT_MAX_LEVELS];
    uint32_t *memory; /* that these lie in */
} name_map;

static void name_map_clear(name_map *map)
{
    tacit__free(map->memory);
    tacit__free(map->numbers);
    *map = (name_map){0};
}

_Static_assert(TACIT__NONE == NOBODY, "a name that is not found is nobody's");

/* An attribute in the data and in the register. */
typedef struct match {
    const tacit_table *data, *people;
    const tacit_attribute *from, *to;
} match;

static tacit_status refuse(const match *m, tacit_error *err, const char *why)
{
    tacit__shown name = tacit__show(tacit_table_name(m->people, m->to->column));
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                           "column \"%s\" of the population %s", name.text, why);
}

static tacit_status check(const match *m, tacit_error *err)
{
    if (m->to->column < 0 || m->to->column >= tacit_table_columns(m->people) ||
        !tacit_table_is_coded(m->people, m->to->column))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                               "the population lacks a column of the quasi-identifier");
    if (tacit_hierarchy_height(m->from->hierarchy) != tacit_hierarchy_height(m->to->hierarchy))
        return refuse(
            m, err,
            "has another number of levels than in the data; a mask has as many as the "
            "longest value has characters, and missing values add one where suppression is "
            "none: use a hierarchy file with a row for them for both");
    return TACIT_OK;
}

/* Numbers of the register's values on a level, by name. */
static bool index_names(tacit__names *names, const match *m, int level)
{
    uint32_t count = tacit_hierarchy_count(m->to->hierarchy, level);
    bool added;
    for (uint32_t i = 0; i < count; i++)
        if (tacit__names_add(names, tacit_hierarchy_label(m->to->hierarchy, level, i), &added) ==
            TACIT__NONE)
            return false;
    assert(names->count == count); /* names are distinct on a level */
    return true;
}

/* The register's number of missing where it stays missing, or NOBODY. */
static uint32_t missing_number(const match *m, int level)
{
    uint32_t number = tacit_hierarchy_map(m->to->hierarchy,
                                          level)[tacit_table_distinct(m->people, m->to->column)];
    bool stays = tacit_table_has_missing(m->people, m->to->column) &&
                 number == tacit_hierarchy_count(m->to->hierarchy, level);
    return stays ? number : NOBODY;
}

static tacit_status match_level(uint32_t *numbers, const match *m, int level, tacit_error *err)
{
    tacit__names names = {0};
    uint32_t count = tacit_hierarchy_count(m->from->hierarchy, level);
    numbers[count] = missing_number(m, level);
    if (level == tacit_hierarchy_height(m->from->hierarchy)) {
        numbers[0] = 0; /* everybody, whatever the name */
        return TACIT_OK;
    }
    bool indexed = index_names(&names, m, level);
    for (uint32_t i = 0; indexed && i < count; i++)
        numbers[i] = tacit__names_find(&names, tacit_hierarchy_label(m->from->hierarchy, level, i));
    tacit__names_clear(&names);
    return indexed ? TACIT_OK : tacit__nomem(err);
}

/* A value that both have must have one name on every level. */
static tacit_status check_names(uint32_t *const *numbers, const match *m, tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(m->data, m->from->column);
    codes += tacit_table_has_missing(m->data, m->from->column);
    for (int level = 1; level < tacit_hierarchy_height(m->from->hierarchy); level++) {
        const uint32_t *from = tacit_hierarchy_map(m->from->hierarchy, level);
        const uint32_t *to = tacit_hierarchy_map(m->to->hierarchy, level);
        for (uint32_t code = 0; code < codes; code++) {
            uint32_t other = numbers[0][code];
            if (other != NOBODY && numbers[level][from[code]] != to[other])
                return refuse(m, err,
                              "generalizes a value otherwise than the data does; use the same "
                              "hierarchy for both, and for intervals write numbers in both with "
                              "decimals or in both without");
        }
    }
    return TACIT_OK;
}

static tacit_status allocate(name_map *map, const tacit_frame *data, tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int32_t a = 0; a < data->attribute_count; a++)
        for (int level = 0; level <= tacit_hierarchy_height(data->attributes[a].hierarchy); level++)
            total += (size_t)tacit_hierarchy_count(data->attributes[a].hierarchy, level) + 1;
    map->memory = tacit__alloc_array(total, sizeof *map->memory);
    map->numbers = tacit__alloc_zeroed((size_t)data->attribute_count, sizeof *map->numbers);
    if (!map->memory || !map->numbers)
        return tacit__nomem(err);
    for (int32_t a = 0; a < data->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = data->attributes[a].hierarchy;
        for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
            map->numbers[a][level] = map->memory + at;
            at += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
        }
    }
    return TACIT_OK;
}

static tacit_status match_attribute(uint32_t *const *numbers, const match *m, tacit_error *err)
{
    tacit_status status = check(m, err);
    for (int level = 0; status == TACIT_OK && level <= tacit_hierarchy_height(m->from->hierarchy);
         level++)
        status = match_level(numbers[level], m, level, err);
    return status == TACIT_OK ? check_names(numbers, m, err) : status;
}

/* Both frames have the same attributes, each bound to a table of its own. */
static tacit_status name_map_init(name_map *map, const tacit_frame *data, const tacit_frame *people,
                                  tacit_error *err)
{
    assert(data->attribute_count == people->attribute_count);
    tacit_status status = allocate(map, data, err);
    for (int32_t a = 0; status == TACIT_OK && a < data->attribute_count; a++) {
        match m = {data->table, people->table, &data->attributes[a], &people->attributes[a]};
        status = match_attribute(map->numbers[a], &m, err);
    }
    if (status != TACIT_OK)
        name_map_clear(map);
    return status;
}

/* ---- */

/* What is kept: so many combinations of levels, and, beyond twice the register's
 * own classes, so many classes in all of them. */
enum { MAX_COUNTED = 1024, SLOTS = 4 * MAX_COUNTED, MAX_CLASSES = 1 << 22 };

/* A box that few classes could lie in is looked for in any case. Others are until
 * the work spent on their levels comes to that of rolling them up, which takes so
 * many times as long for a class of the register. */
enum { FEW_CLASSES = 32, ROLL_UP = 4, HEATS = 1 << 12 };

struct tacit__population_people {
    const tacit_population *population;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint64_t hash; /* of the levels */
    tacit_classes *classes;
    tacit__key_index index;
    uint64_t used; /* when it was asked last */
};

struct tacit_population {
    tacit_frame frame; /* the register's own */
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES];
    name_map names;
    pthread_mutex_t lock;
    tacit__population_people *counted[MAX_COUNTED]; /* the first on the ground, which stays */
    int32_t count;
    int64_t classes;       /* in all of them */
    uint16_t slots[SLOTS]; /* hash of levels -> place + 1; 0 is free */
    uint64_t clock;
    uint32_t heat[HEATS];       /* classes looked at for levels that are not counted, by hash */
    _Atomic(box_index *) boxes; /* made when the first box is asked for */
};

static void people_free(tacit__population_people *people)
{
    if (!people)
        return;
    tacit_classes_free(people->classes);
    tacit__key_index_clear(&people->index);
    tacit__free(people);
}

static bool lies_below(const tacit__population_people *people, const uint8_t *levels)
{
    for (int32_t a = 0; a < people->population->frame.attribute_count; a++)
        if (people->levels[a] > levels[a])
            return false;
    return true;
}

/* The smallest of those counted from which these levels can be rolled up; NULL
 * where nothing is counted yet. */
static const tacit_classes *nearest(const tacit_population *population, const uint8_t *levels)
{
    const tacit_classes *best = NULL;
    for (int32_t i = 0; i < population->count; i++) {
        const tacit__population_people *people = population->counted[i];
        if (lies_below(people, levels) &&
            (!best || people->classes->groups.count < best->groups.count))
            best = people->classes;
    }
    return best;
}

static tacit_status count_people(tacit__population_people **out, const tacit_population *population,
                                 const uint8_t *levels, const tacit_run *run, tacit_error *err)
{
    int wanted[TACIT_MAX_ATTRIBUTES];
    const tacit_frame *frame = &population->frame;
    const tacit_classes *from = nearest(population, levels);
    tacit__population_people *people = tacit__alloc_zeroed(1, sizeof *people);
    if (!people)
        return tacit__nomem(err);
    for (int32_t a = 0; a < frame->attribute_count; a++)
        wanted[a] = levels[a];
    memcpy(people->levels, levels, (size_t)frame->attribute_count);
    people->population = population;
    tacit_status status =
        from ? tacit_classes_roll_up(&people->classes, frame, from, wanted, run, err)
             : tacit_classes_new(&people->classes, frame, wanted, run, err);
    if (status == TACIT_OK)
        status = tacit__key_index_build(&people->index, people->classes->groups.keys,
                                        people->classes->groups.count, err);
    if (status == TACIT_OK)
        *out = people;
    else
        people_free(people);
    return status;
}

static uint64_t hash_levels(const tacit_population *population, const uint8_t *levels)
{
    return tacit__hash_bytes((const char *)levels, (size_t)population->frame.attribute_count);
}

static tacit__population_people *find(tacit_population *population, const uint8_t *levels)
{
    uint64_t hash = hash_levels(population, levels);
    for (uint64_t slot = hash % SLOTS;; slot = (slot + 1) % SLOTS) {
        if (!population->slots[slot])
            return NULL;
        tacit__population_people *people = population->counted[population->slots[slot] - 1];
        if (people->hash == hash &&
            memcmp(people->levels, levels, (size_t)population->frame.attribute_count) == 0) {
            people->used = ++population->clock;
            return people;
        }
    }
}

static void index_counted(tacit_population *population)
{
    memset(population->slots, 0, sizeof population->slots);
    for (int32_t i = 0; i < population->count; i++) {
        uint64_t slot = population->counted[i]->hash % SLOTS;
        while (population->slots[slot])
            slot = (slot + 1) % SLOTS;
        population->slots[slot] = (uint16_t)(i + 1);
    }
}

/* Lets go of what was asked longest ago, but for the ground. */
static void forget_one(tacit_population *population)
{
    int32_t oldest = 1;
    for (int32_t i = 2; i < population->count; i++)
        if (population->counted[i]->used < population->counted[oldest]->used)
            oldest = i;
    population->classes -= population->counted[oldest]->classes->groups.count;
    people_free(population->counted[oldest]);
    population->counted[oldest] = population->counted[--population->count];
}

static void keep(tacit_population *population, tacit__population_people *people)
{
    int64_t count = people->classes->groups.count;
    int64_t most = 2 * (population->count ? population->counted[0]->classes->groups.count : count);
    while (population->count > 1 &&
           (population->count == MAX_COUNTED || population->classes + count > most + MAX_CLASSES))
        forget_one(population);
    people->used = ++population->clock;
    population->counted[population->count++] = people;
    population->classes += count;
    index_counted(population);
}

/* Counts levels that are not counted yet. */
static tacit_status add(tacit__population_people **out, tacit_population *population,
                        const uint8_t *levels, const tacit_run *run, tacit_error *err)
{
    tacit_status status = count_people(out, population, levels, run, err);
    if (status != TACIT_OK)
        return status;
    (*out)->hash = hash_levels(population, levels);
    keep(population, *out);
    return TACIT_OK;
}

tacit_status tacit__population_open(const tacit__population_people **out,
                                    tacit_population *population, const uint8_t *levels,
                                    const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    pthread_mutex_lock(&population->lock);
    tacit__population_people *people = find(population, levels);
    if (!people)
        status = add(&people, population, levels, run, err);
    if (status == TACIT_OK)
        *out = people;
    else
        pthread_mutex_unlock(&population->lock);
    return status;
}

void tacit__population_close(tacit_population *population)
{
    pthread_mutex_unlock(&population->lock);
}

/* The key of a combination of the register's numbers; false where it does not
 * occur in one of the coder's first stages. */
static bool encode(uint64_t *out, const tacit__coder *coder, const uint32_t *numbers)
{
    uint64_t key = 0;
    for (int32_t s = 0; s < coder->stages; s++) {
        int32_t end = s + 1 < coder->stages ? coder->stage[s + 1].first : coder->columns;
        if (s > 0) {
            uint32_t place = tacit__key_index_find(&coder->stage[s - 1].index, key);
            if (place == TACIT__NO_PLACE)
                return false;
            key = place * coder->stage[s].stride;
        }
        for (int32_t column = coder->stage[s].first; column < end; column++)
            key += numbers[column] * coder->stride[column];
    }
    *out = key;
    return true;
}

/* From the data's numbers to the register's; false where it has nobody of one. */
static bool translate(uint32_t *own, const tacit_population *population, const uint8_t *levels,
                      const uint32_t *numbers)
{
    for (int32_t a = 0; a < population->frame.attribute_count; a++) {
        own[a] = population->names.numbers[a][levels[a]][numbers[a]];
        if (own[a] == NOBODY)
            return false;
    }
    return true;
}

static int64_t look_up(const tacit__population_people *people, const uint32_t *own)
{
    uint64_t key;
    if (!encode(&key, &people->classes->groups.coder, own))
        return 0;
    uint32_t place = tacit__key_index_find(&people->index, key);
    return place == TACIT__NO_PLACE ? 0 : people->classes->groups.rows[place];
}

int64_t tacit__people_under(const tacit__population_people *people, const uint32_t *numbers)
{
    uint32_t own[TACIT_MAX_ATTRIBUTES];
    return translate(own, people->population, people->levels, numbers) ? look_up(people, own) : 0;
}

int64_t tacit__population_rows(const tacit_population *population)
{
    return tacit_table_rows(population->frame.table);
}

/* The index of boxes, made by whoever asks first. */
static tacit_status boxes_of(const box_index **out, tacit_population *population, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    box_index *boxes = atomic_load_explicit(&population->boxes, memory_order_acquire);
    if (!boxes) {
        pthread_mutex_lock(&population->lock);
        boxes = atomic_load_explicit(&population->boxes, memory_order_relaxed);
        if (!boxes)
            status =
                box_index_new(&boxes, &population->frame, population->counted[0]->classes, err);
        atomic_store_explicit(&population->boxes, boxes, memory_order_release);
        pthread_mutex_unlock(&population->lock);
    }
    *out = boxes;
    return status;
}

/* Whether levels have been asked for so much that counting them pays. */
static bool is_hot(tacit_population *population, const uint8_t *levels, int64_t cost)
{
    uint32_t *heat = &population->heat[hash_levels(population, levels) % HEATS];
    int64_t enough = ROLL_UP * population->counted[0]->classes->groups.count;
    bool hot = *heat + cost >= enough || *heat + cost > UINT32_MAX;
    *heat = hot ? 0 : (uint32_t)(*heat + cost);
    return hot;
}

/* Looks a box up where its levels are counted, or had better be: *rows is -1
 * where neither is so. */
static tacit_status look_up_box(int64_t *rows, tacit_population *population, const uint8_t *levels,
                                const uint32_t *own, int64_t cost, const tacit_run *run,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    pthread_mutex_lock(&population->lock);
    tacit__population_people *people = find(population, levels);
    if (!people && is_hot(population, levels, cost))
        status = add(&people, population, levels, run, err);
    if (status == TACIT_OK)
        *rows = people ? look_up(people, own) : -1;
    pthread_mutex_unlock(&population->lock);
    return status;
}

/* The same in any case. */
static tacit_status look_for_box(int64_t *rows, box_query *query, tacit_population *population,
                                 const uint8_t *levels, const uint32_t *own, const tacit_run *run,
                                 tacit_error *err)
{
    const box_index *boxes;
    int64_t found = -1;
    tacit_status status = boxes_of(&boxes, population, err);
    if (status != TACIT_OK)
        return status;
    box_query_init(query, boxes, levels, own);
    int64_t cost = box_query_cost(query, boxes);
    if (cost > FEW_CLASSES)
        status = look_up_box(&found, population, levels, own, cost, run, err);
    if (status == TACIT_OK)
        *rows = found < 0 ? box_query_rows(query, boxes) : found;
    return status;
}

/* What a query of so many attributes needs no memory of its own for. */
enum { FEW_RANGES = 64 };

tacit_status tacit__population_under(int64_t *rows, tacit_population *population,
                                     const uint8_t *levels, const uint32_t *numbers,
                                     const tacit_run *run, tacit_error *err)
{
    uint32_t own[TACIT_MAX_ATTRIBUTES];
    box_range few[FEW_RANGES], *ranges = few;
    size_t attributes = (size_t)population->frame.attribute_count;
    *rows = 0;
    if (!translate(own, population, levels, numbers))
        return TACIT_OK;
    if (attributes > FEW_RANGES)
        ranges = tacit__alloc_array(attributes, sizeof *ranges);
    if (!ranges)
        return tacit__nomem(err);
    tacit_status status =
        look_for_box(rows, &(box_query){.ranges = ranges}, population, levels, own, run, err);
    if (ranges != few)
        tacit__free(ranges);
    return status;
}

/* Takes the register for a table with attributes of its own. */
static void describe(tacit_population *population, int32_t attributes, const tacit_table *people,
                     const int32_t *columns, const tacit_hierarchy *const *hierarchies)
{
    population->frame = (tacit_frame){.table = people,
                                      .attributes = population->attributes,
                                      .attribute_count = attributes,
                                      .person = -1};
    for (int32_t a = 0; a < attributes; a++)
        population->attributes[a] =
            (tacit_attribute){.column = columns[a], .hierarchy = hierarchies[a]};
}

tacit_status tacit_population_new(tacit_population **out, const tacit_frame *frame,
                                  const tacit_table *people, const int32_t *columns,
                                  const tacit_hierarchy *const *hierarchies, const tacit_run *run,
                                  tacit_error *err)
{
    static const uint8_t ground[TACIT_MAX_ATTRIBUTES] = {0};
    tacit__population_people *counted;
    tacit_status status = tacit__frame_check(frame, err);
    if (status != TACIT_OK)
        return status;
    tacit_population *population = tacit__alloc_zeroed(1, sizeof *population);
    if (!population)
        return tacit__nomem(err);
    pthread_mutex_init(&population->lock, NULL);
    describe(population, frame->attribute_count, people, columns, hierarchies);
    status = name_map_init(&population->names, frame, &population->frame, err);
    if (status == TACIT_OK)
        status = add(&counted, population, ground, run, err);
    if (status == TACIT_OK)
        *out = population;
    else
        tacit_population_free(population);
    return status;
}

void tacit_population_free(tacit_population *population)
{
    if (!population)
        return;
    for (int32_t i = 0; i < population->count; i++)
        people_free(population->counted[i]);
    box_index_free(atomic_load(&population->boxes));
    pthread_mutex_destroy(&population->lock);
    name_map_clear(&population->names);
    tacit__free(population);
}
