/*
 * population.c - who could be in the data: a register of people with the same
 * attributes, for k-map (Sweeney, Computational Disclosure Control, 4.3) and
 * delta-presence (Nergiz, Atzori, Clifton: Hiding the presence of individuals
 * from shared databases, SIGMOD 2007).
 *
 * Register and data number their values each in their own order, so a value is
 * known by its name on its level: a table for each attribute and level leads
 * from the data's numbers to the register's. People whose value the data does
 * not have lie under the higher values that they share with it. The same value
 * must generalize alike in both, or counts would mean nothing: hierarchies of
 * different height (masks, where the longest value decides) and values that
 * part ways (intervals, where only one file has decimals) are refused.
 *
 * The register is counted once from its rows. Each combination of levels asked
 * for is rolled up from the smallest one counted before that lies below it, and
 * kept with an index from key to place; the least recently used ones are let go
 * when there are too many. So a box costs a look-up, and a combination that is
 * new costs as much as the classes it is rolled up from.
 */
#include "records/population.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "hierarchy/names.h"
#include "records/classes.h"
#include "records/models.h"

/* What is kept: so many combinations of levels, and, beyond twice the register's
 * own classes, so many classes in all of them. */
enum { MAX_COUNTED = 1024, SLOTS = 4 * MAX_COUNTED, MAX_CLASSES = 1 << 22 };

struct tacit__people {
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
    /* the data's number on a level, missing behind the last -> the register's, or
     * TACIT__NONE where the register has nobody of it */
    uint32_t *numbers[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS];
    uint32_t *memory; /* that these lie in */
    pthread_mutex_t lock;
    tacit__people *counted[MAX_COUNTED]; /* the first on the ground, which stays */
    int32_t count;
    int64_t classes;       /* in all of them */
    uint16_t slots[SLOTS]; /* hash of levels -> place + 1; 0 is free */
    uint64_t clock;
};

/* What two hierarchies of an attribute, the data's and the register's, look like
 * on one level. */
typedef struct match {
    const tacit_table *data, *people;
    int32_t data_column, column;
    const tacit_hierarchy *from, *to;
} match;

static tacit_status refuse(const match *m, tacit_error *err, const char *why)
{
    tacit__shown name = tacit__show(tacit_table_name(m->people, m->column));
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                           "column \"%s\" of the population %s", name.text, why);
}

static tacit_status check(const match *m, tacit_error *err)
{
    if (m->column < 0 || m->column >= tacit_table_columns(m->people) ||
        !tacit_table_is_coded(m->people, m->column))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                               "the population lacks a column of the quasi-identifier");
    if (tacit_hierarchy_height(m->from) != tacit_hierarchy_height(m->to))
        return refuse(m, err,
                      "has another number of levels than in the data; a mask has as many as the "
                      "longest value has characters: use a hierarchy file for both");
    return TACIT_OK;
}

/* Numbers of the register's values on a level, by name. */
static bool index_names(tacit__names *names, const match *m, int level)
{
    uint32_t count = tacit_hierarchy_count(m->to, level);
    bool added;
    for (uint32_t i = 0; i < count; i++)
        if (tacit__names_add(names, tacit_hierarchy_label(m->to, level, i), &added) == TACIT__NONE)
            return false;
    assert(names->count == count); /* names are distinct on a level */
    return true;
}

/* The register's number of missing where it stays missing, or TACIT__NONE. */
static uint32_t missing_number(const match *m, int level)
{
    uint32_t number = tacit_hierarchy_map(m->to, level)[tacit_table_distinct(m->people, m->column)];
    bool stays = tacit_table_has_missing(m->people, m->column) &&
                 number == tacit_hierarchy_count(m->to, level);
    return stays ? number : TACIT__NONE;
}

static tacit_status match_level(uint32_t *numbers, const match *m, int level, tacit_error *err)
{
    tacit__names names = {0};
    uint32_t count = tacit_hierarchy_count(m->from, level);
    numbers[count] = missing_number(m, level);
    if (level == tacit_hierarchy_height(m->from)) {
        numbers[0] = 0; /* everybody, whatever the name */
        return TACIT_OK;
    }
    bool indexed = index_names(&names, m, level);
    for (uint32_t i = 0; indexed && i < count; i++)
        numbers[i] = tacit__names_find(&names, tacit_hierarchy_label(m->from, level, i));
    tacit__names_clear(&names);
    return indexed ? TACIT_OK : tacit__nomem(err);
}

/* A value that both have must have one name on every level. */
static tacit_status check_names(uint32_t *const *numbers, const match *m, tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(m->data, m->data_column);
    codes += tacit_table_has_missing(m->data, m->data_column);
    for (int level = 1; level < tacit_hierarchy_height(m->from); level++) {
        const uint32_t *from = tacit_hierarchy_map(m->from, level);
        const uint32_t *to = tacit_hierarchy_map(m->to, level);
        for (uint32_t code = 0; code < codes; code++) {
            uint32_t other = numbers[0][code];
            if (other != TACIT__NONE && numbers[level][from[code]] != to[other])
                return refuse(m, err,
                              "generalizes a value otherwise than the data does; use the same "
                              "hierarchy for both, and for intervals write numbers in both with "
                              "decimals or in both without");
        }
    }
    return TACIT_OK;
}

static tacit_status allocate_numbers(tacit_population *population, const tacit_frame *frame,
                                     tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= tacit_hierarchy_height(frame->attributes[a].hierarchy);
             level++)
            total += (size_t)tacit_hierarchy_count(frame->attributes[a].hierarchy, level) + 1;
    population->memory = tacit__alloc_array(total, sizeof *population->memory);
    if (!population->memory)
        return tacit__nomem(err);
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
            population->numbers[a][level] = population->memory + at;
            at += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
        }
    }
    return TACIT_OK;
}

static tacit_status match_attributes(tacit_population *population, const tacit_frame *frame,
                                     tacit_error *err)
{
    tacit_status status = allocate_numbers(population, frame, err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        const tacit_attribute *from = &frame->attributes[a], *to = &population->attributes[a];
        match m = {frame->table, population->frame.table, from->column,
                   to->column,   from->hierarchy,         to->hierarchy};
        for (int level = 0; status == TACIT_OK && level <= tacit_hierarchy_height(from->hierarchy);
             level++)
            status = match_level(population->numbers[a][level], &m, level, err);
        if (status == TACIT_OK)
            status = check_names(population->numbers[a], &m, err);
    }
    return status;
}

static void people_free(tacit__people *people)
{
    if (!people)
        return;
    tacit_classes_free(people->classes);
    tacit__key_index_clear(&people->index);
    tacit__free(people);
}

static bool lies_below(const tacit__people *people, const uint8_t *levels)
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
        const tacit__people *people = population->counted[i];
        if (lies_below(people, levels) &&
            (!best || people->classes->groups.count < best->groups.count))
            best = people->classes;
    }
    return best;
}

static tacit_status count_people(tacit__people **out, const tacit_population *population,
                                 const uint8_t *levels, const tacit_run *run, tacit_error *err)
{
    int wanted[TACIT_MAX_ATTRIBUTES];
    const tacit_frame *frame = &population->frame;
    const tacit_classes *from = nearest(population, levels);
    tacit__people *people = tacit__alloc_zeroed(1, sizeof *people);
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

static tacit__people *find(const tacit_population *population, const uint8_t *levels, uint64_t hash)
{
    for (uint64_t slot = hash % SLOTS;; slot = (slot + 1) % SLOTS) {
        if (!population->slots[slot])
            return NULL;
        tacit__people *people = population->counted[population->slots[slot] - 1];
        if (people->hash == hash &&
            memcmp(people->levels, levels, (size_t)population->frame.attribute_count) == 0)
            return people;
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

static void keep(tacit_population *population, tacit__people *people)
{
    int64_t count = people->classes->groups.count;
    int64_t most = 2 * (population->count ? population->counted[0]->classes->groups.count : count);
    while (population->count > 1 &&
           (population->count == MAX_COUNTED || population->classes + count > most + MAX_CLASSES))
        forget_one(population);
    population->counted[population->count++] = people;
    population->classes += count;
    index_counted(population);
}

tacit_status tacit__population_open(const tacit__people **out, tacit_population *population,
                                    const uint8_t *levels, const tacit_run *run, tacit_error *err)
{
    uint64_t hash =
        tacit__hash_bytes((const char *)levels, (size_t)population->frame.attribute_count);
    pthread_mutex_lock(&population->lock);
    tacit__people *people = find(population, levels, hash);
    if (!people) {
        tacit_status status = count_people(&people, population, levels, run, err);
        if (status != TACIT_OK) {
            pthread_mutex_unlock(&population->lock);
            return status;
        }
        people->hash = hash;
        keep(population, people);
    }
    people->used = ++population->clock;
    *out = people;
    return TACIT_OK;
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

int64_t tacit__people_under(const tacit__people *people, const uint32_t *numbers)
{
    const tacit_population *population = people->population;
    uint32_t own[TACIT_MAX_ATTRIBUTES];
    uint64_t key;
    for (int32_t a = 0; a < population->frame.attribute_count; a++) {
        own[a] = population->numbers[a][people->levels[a]][numbers[a]];
        if (own[a] == TACIT__NONE)
            return 0;
    }
    if (!encode(&key, &people->classes->groups.coder, own))
        return 0;
    uint32_t place = tacit__key_index_find(&people->index, key);
    return place == TACIT__NO_PLACE ? 0 : people->classes->groups.rows[place];
}

int64_t tacit__population_rows(const tacit_population *population)
{
    return tacit_table_rows(population->frame.table);
}

tacit_status tacit__population_under(int64_t *rows, tacit_population *population,
                                     const uint8_t *levels, const uint32_t *numbers,
                                     const tacit_run *run, tacit_error *err)
{
    const tacit__people *people;
    tacit_status status = tacit__population_open(&people, population, levels, run, err);
    if (status != TACIT_OK)
        return status;
    *rows = tacit__people_under(people, numbers);
    tacit__population_close(population);
    return TACIT_OK;
}

/* Takes the register for a table with attributes of its own. */
static tacit_status describe(tacit_population *population, const tacit_frame *frame,
                             const tacit_table *people, const int32_t *columns,
                             const tacit_hierarchy *const *hierarchies, tacit_error *err)
{
    tacit_status status = tacit__frame_check(frame, err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        match m = {.people = people,
                   .column = columns[a],
                   .from = frame->attributes[a].hierarchy,
                   .to = hierarchies[a]};
        population->attributes[a] =
            (tacit_attribute){.column = columns[a], .hierarchy = hierarchies[a]};
        status = check(&m, err);
    }
    population->frame = (tacit_frame){.table = people,
                                      .attributes = population->attributes,
                                      .attribute_count = frame->attribute_count,
                                      .person = -1};
    return status;
}

tacit_status tacit_population_new(tacit_population **out, const tacit_frame *frame,
                                  const tacit_table *people, const int32_t *columns,
                                  const tacit_hierarchy *const *hierarchies, const tacit_run *run,
                                  tacit_error *err)
{
    static const uint8_t ground[TACIT_MAX_ATTRIBUTES] = {0};
    const tacit__people *counted;
    tacit_population *population = tacit__alloc_zeroed(1, sizeof *population);
    if (!population)
        return tacit__nomem(err);
    pthread_mutex_init(&population->lock, NULL);
    tacit_status status = describe(population, frame, people, columns, hierarchies, err);
    if (status == TACIT_OK)
        status = match_attributes(population, frame, err);
    if (status == TACIT_OK)
        status = tacit__population_open(&counted, population, ground, run, err);
    if (status == TACIT_OK) {
        tacit__population_close(population);
        *out = population;
    } else {
        tacit_population_free(population);
    }
    return status;
}

void tacit_population_free(tacit_population *population)
{
    if (!population)
        return;
    for (int32_t i = 0; i < population->count; i++)
        people_free(population->counted[i]);
    pthread_mutex_destroy(&population->lock);
    tacit__free(population->memory);
    tacit__free(population);
}
