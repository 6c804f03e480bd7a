/*
 * scene.c - the two files of a re-linking: people who are alike, records that say the same,
 * and the order in which records are attacked.
 *
 * People who agree on every axis are one point with a count, and records that say the same are one
 * question, so that the cost follows different ones. Where there are more records than may
 * be attacked, a random sample is, drawn without repetition; the sample's order is random too, so
 * that its start is a sample itself.
 */
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/random.h"

static tacit_status group_people(tacit__relink_scene *scene, tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(scene->c->original), .run = scene->run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        status =
            tacit__keys_add_mapped(&keys, tacit_table_codes(scene->c->original, axis->original),
                                   axis->ranks, axis->rank_count - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(&scene->people, &keys, err);
    tacit__keys_clear(&keys);
    return status;
}

static tacit_status group_records(tacit__relink_scene *scene, tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(scene->c->release), .run = scene->run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++) {
        const tacit__relink_axis *axis = &scene->axes[i];
        status =
            tacit__keys_add_mapped(&keys, tacit_table_codes(scene->c->release, axis->release),
                                   axis->label_keys, axis->label_count + TACIT__READ_FOREIGN, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(&scene->records, &keys, err);
    tacit__keys_clear(&keys);
    return status;
}

static tacit_status check_origin(const tacit__relink_scene *scene, tacit_error *err)
{
    const tacit_relink_case *c = scene->c;
    int64_t people = tacit_table_rows(c->original), records = tacit_table_rows(c->release);
    if (!c->origin && people != records)
        return tacit__error(
            err, TACIT_INVALID,
            "re-linking: %lld records of %lld people, and nobody says whose they are",
            (long long)records, (long long)people);
    for (int64_t row = 0; c->origin && row < records; row++)
        if (c->origin[row] != TACIT_RELINK_MADE_UP && c->origin[row] >= people)
            return tacit__error(
                err, TACIT_INVALID, "re-linking: row %lld is said to be of row %lld of %lld",
                (long long)row + 1, (long long)c->origin[row] + 1, (long long)people);
    return TACIT_OK;
}

/* Who stands behind several records is one subject. */
static tacit_status count_subjects(tacit__relink_scene *scene, tacit_error *err)
{
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(tacit_table_rows(scene->c->original)),
                                         sizeof *seen);
    scene->subjects = tacit__alloc_zeroed((size_t)scene->people.count, sizeof *scene->subjects);
    bool made = seen && scene->subjects;
    for (int64_t row = 0; made && row < tacit_table_rows(scene->c->release); row++) {
        uint32_t origin = tacit__relink_origin(scene, row);
        if (origin == TACIT_RELINK_MADE_UP || tacit__bit_get(seen, origin))
            continue;
        tacit__bit_set(seen, origin);
        scene->subjects[scene->people.class_of[origin]]++;
    }
    tacit__free(seen);
    return made ? TACIT_OK : tacit__nomem(err);
}

static tacit_status order_records(tacit__relink_scene *scene, tacit_error *err)
{
    int64_t rows = tacit_table_rows(scene->c->release);
    scene->order = tacit__alloc_array((size_t)rows, sizeof *scene->order);
    if (!scene->order)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        scene->order[row] = (uint32_t)row;
    scene->attacked = rows < scene->options->most_records ? rows : scene->options->most_records;
    tacit_run seeded;
    tacit__random random;
    tacit_run_init(&seeded);
    tacit_run_seed_number(&seeded, scene->options->seed);
    tacit__random_init(&random, &seeded, "rlnk", 0);
    for (int64_t i = 0; i < scene->attacked; i++) {
        int64_t j = i + tacit__random_below(&random, (uint32_t)(rows - i));
        uint32_t row = scene->order[i];
        scene->order[i] = scene->order[j];
        scene->order[j] = row;
    }
    return TACIT_OK;
}

tacit_status tacit__relink_scene_init(tacit__relink_scene *scene, tacit_error *err)
{
    tacit_status status = check_origin(scene, err);
    scene->columns = (int32_t)scene->c->column_count;
    for (int32_t i = 0; i < scene->columns && status == TACIT_OK; i++)
        status = tacit__relink_axis_init(&scene->axes[i], scene->c, i, err);
    if (status == TACIT_OK)
        status = group_people(scene, err);
    if (status == TACIT_OK)
        status = group_records(scene, err);
    if (status == TACIT_OK)
        status = count_subjects(scene, err);
    if (status == TACIT_OK)
        status = order_records(scene, err);
    return status;
}

void tacit__relink_scene_clear(tacit__relink_scene *scene)
{
    for (int32_t i = 0; i < scene->columns; i++)
        tacit__relink_axis_clear(&scene->axes[i]);
    tacit__partition_clear(&scene->people);
    tacit__partition_clear(&scene->records);
    tacit__free(scene->subjects);
    tacit__free(scene->order);
}
