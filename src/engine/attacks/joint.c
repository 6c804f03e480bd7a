/*
 * joint.c - the columns that a release shares with other files, and their trees. Linear in
 * columns and distinct values; rows are not looked at.
 */
#include "engine/attacks/joint.h"
#include "base/alloc.h"

#include "base/error.h"

static int32_t *found_in(const engine_joint *joint, int32_t column, int32_t file)
{
    return &joint->found[(int64_t)column * joint->file_count + file];
}

/* A coded column of a table, or -1. */
static int32_t coded_column(const tacit_table *table, tacit_strview name)
{
    int32_t column = tacit_table_find(table, name);
    return column >= 0 && tacit_table_is_coded(table, column) ? column : -1;
}

/* Whether a file has any of a column's values. */
static bool has_values_of(const tacit_table *file, int32_t column, const tacit_table *release,
                          int32_t released)
{
    uint32_t *same = NULL, missing = tacit_table_distinct(release, released);
    bool shared = false;
    if (tacit_match_values(&same, file, column, release, released, NULL) != TACIT_OK)
        return true;
    for (uint32_t i = 0; i < tacit_table_distinct(file, column); i++)
        shared |= same[i] < missing;
    tacit_values_free(same);
    return shared;
}

/* Whether a column has "*", which agrees with everything. */
static bool has_blanks(const tacit_table *table, int32_t column)
{
    for (uint32_t i = 0; i < tacit_table_distinct(table, column); i++)
        if (tacit_strview_equal(tacit_table_value(table, column, i), tacit_hierarchy_suppressed()))
            return true;
    return false;
}

/* Whether a column outside the quasi-identifier says something of who a row is: what was made
 * anew for each release does not. */
static bool is_carried(const engine_case *c, int32_t released, const tacit_table *file,
                       int32_t column)
{
    const tacit_policy_column *policy =
        tacit_policy_find(c->policy, tacit_table_name(c->release, released));
    tacit_replace fate = engine_fate(policy);
    return fate != TACIT_REPLACE_SCRUB &&
           (fate == TACIT_REPLACE_KEEP || has_values_of(file, column, c->release, released));
}

static bool is_attribute(const engine_joint *joint, int32_t released)
{
    for (int32_t i = 0; i < joint->quasi; i++)
        if (joint->released[i] == released)
            return true;
    return false;
}

/* Takes a column of the release if a file has it; a quasi-identifying one in any case. */
static void take_column(engine_joint *joint, int32_t released, bool quasi)
{
    const tacit_table *release = joint->c->release;
    bool shared = false;
    for (int32_t i = 0; i < joint->file_count; i++) {
        const tacit_table *file = joint->files[i].table;
        int32_t *at = found_in(joint, joint->count, i);
        *at = coded_column(file, tacit_table_name(release, released));
        if (*at >= 0 && !quasi && !is_carried(joint->c, released, file, *at))
            *at = -1;
        shared |= *at >= 0;
    }
    if (quasi || shared)
        joint->released[joint->count++] = released;
}

static void find_columns(engine_joint *joint)
{
    const tacit_promise *promise = &joint->c->promise->promise;
    const tacit_table *release = joint->c->release;
    for (int32_t i = 0; i < promise->attribute_count; i++)
        take_column(joint, tacit_table_find(release, tacit_strview_of(promise->attributes[i].name)),
                    true);
    joint->quasi = joint->count;
    for (int32_t i = 0; i < tacit_table_columns(release); i++)
        if (tacit_table_is_coded(release, i) && !is_attribute(joint, i) &&
            tacit_table_distinct(release, i) <= joint->max_values)
            take_column(joint, i, false);
}

static tacit_status check_file(const engine_joint *joint, int32_t file, tacit_error *err)
{
    const engine_joint_file *f = &joint->files[file];
    bool quasi = false;
    for (int32_t i = 0; i < joint->quasi; i++)
        quasi |= *found_in(joint, i, file) >= 0;
    if (!quasi)
        return tacit__error(
            err, TACIT_INVALID,
            "%s has none of the quasi-identifying columns of %s: is it a release of the "
            "same data?",
            f->name, joint->c->file);
    if (tacit_table_rows(f->table) == 0)
        return tacit__error(err, TACIT_INVALID, "%s has no rows to be joined with", f->name);
    return TACIT_OK;
}

/* Whether the values of a column only agree if they are equal. */
static bool is_flat(const engine_joint *joint, int32_t column)
{
    bool flat = column >= joint->quasi && !has_blanks(joint->c->release, joint->released[column]);
    for (int32_t i = 0; i < joint->file_count && flat; i++)
        if (*found_in(joint, column, i) >= 0)
            flat = !has_blanks(joint->files[i].table, *found_in(joint, column, i));
    return flat;
}

static tacit_status match_flat(engine_joint *joint, int32_t column, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < joint->file_count && status == TACIT_OK; i++)
        if (*found_in(joint, column, i) >= 0)
            status = tacit_match_values(&joint->same[(int64_t)column * joint->file_count + i],
                                        joint->files[i].table, *found_in(joint, column, i),
                                        joint->c->release, joint->released[column], err);
    return status;
}

static tacit_status make_lineage(engine_joint *joint, int32_t column, tacit_error *err)
{
    static const tacit_hierarchy_spec NONE = {0};
    const tacit_hierarchy_spec *spec = &NONE;
    if (column < joint->quasi && joint->c->promise->attributes[column].hierarchy)
        spec = joint->c->promise->attributes[column].hierarchy;
    tacit_lineage_source *sources =
        tacit__alloc_zeroed((size_t)joint->file_count + 1, sizeof *sources);
    if (!sources)
        return tacit__nomem(err);
    int32_t count = 0;
    sources[count++] =
        (tacit_lineage_source){.table = joint->c->release, .column = joint->released[column]};
    for (int32_t i = 0; i < joint->file_count; i++)
        if (*found_in(joint, column, i) >= 0)
            sources[count++] = (tacit_lineage_source){.table = joint->files[i].table,
                                                      .column = *found_in(joint, column, i)};
    tacit_status status = tacit_lineage_new(&joint->lineages[column], spec, sources, count, err);
    tacit__free(sources);
    return status;
}

tacit_status engine_joint_init(engine_joint *joint, const engine_case *c,
                               const engine_joint_file *files, int32_t file_count,
                               uint32_t max_values, tacit_error *err)
{
    size_t columns = (size_t)tacit_table_columns(c->release);
    engine_joint made = {
        .c = c, .files = files, .file_count = file_count, .max_values = max_values};
    made.released = tacit__alloc_zeroed(columns, sizeof *made.released);
    made.found = tacit__alloc_zeroed(columns * (size_t)file_count, sizeof *made.found);
    made.lineages = tacit__alloc_zeroed(columns, sizeof(tacit_lineage *));
    made.same = tacit__alloc_zeroed(columns * (size_t)file_count, sizeof(uint32_t *));
    tacit_status status = TACIT_OK;
    if (!made.released || !made.found || !made.lineages || !made.same)
        status = tacit__nomem(err);
    else
        find_columns(&made);
    for (int32_t i = 0; i < file_count && status == TACIT_OK; i++)
        status = check_file(&made, i, err);
    for (int32_t i = 0; i < made.count && status == TACIT_OK; i++)
        status = is_flat(&made, i) ? match_flat(&made, i, err) : make_lineage(&made, i, err);
    tacit_table_let_go(c->release); /* from here on codes will do */
    for (int32_t i = 0; i < file_count; i++)
        tacit_table_let_go(files[i].table);
    if (status == TACIT_OK)
        *joint = made;
    else
        engine_joint_clear(&made);
    return status;
}

void engine_joint_clear(engine_joint *joint)
{
    for (int32_t i = 0; joint->lineages && i < joint->count; i++)
        tacit_lineage_free(joint->lineages[i]);
    for (int64_t i = 0; joint->same && i < (int64_t)joint->count * joint->file_count; i++)
        tacit_values_free(joint->same[i]);
    tacit__free(joint->lineages);
    tacit__free(joint->same);
    tacit__free(joint->released);
    tacit__free(joint->found);
    *joint = (engine_joint){0};
}

tacit_joint_column *engine_joint_columns_new(const engine_joint *joint)
{
    return tacit__alloc_zeroed((size_t)joint->count, sizeof(tacit_joint_column));
}

static void nested_column(tacit_joint_column *column, const engine_joint *joint, int32_t at,
                          int32_t file)
{
    const tacit_lineage *lineage = joint->lineages[at];
    int32_t source = 1;
    for (int32_t j = 0; j < file; j++)
        source += *found_in(joint, at, j) >= 0;
    column->ends = tacit_lineage_ends(lineage);
    column->node_count = tacit_lineage_count(lineage);
    column->now.nodes = tacit_lineage_nodes(lineage, 0);
    if (*found_in(joint, at, file) >= 0)
        column->before.nodes = tacit_lineage_nodes(lineage, source);
}

void engine_joint_columns(tacit_joint_column *columns, const engine_joint *joint, int32_t file)
{
    for (int32_t i = 0; i < joint->count; i++) {
        int32_t at = *found_in(joint, i, file);
        tacit_joint_column *column = &columns[i];
        *column = (tacit_joint_column){
            .now.codes = tacit_table_codes(joint->c->release, joint->released[i])};
        if (at >= 0)
            column->before.codes = tacit_table_codes(joint->files[file].table, at);
        if (joint->lineages[i]) {
            nested_column(column, joint, i, file);
        } else { /* missing and values that the release does not have come behind its own */
            column->node_count = tacit_table_distinct(joint->c->release, joint->released[i]) + 2;
            column->before.nodes = joint->same[(int64_t)i * joint->file_count + file];
        }
    }
}

tacit_two_releases engine_joint_two(const tacit_joint_column *columns, const engine_joint *joint,
                                    int32_t file)
{
    const tacit_promise *promise = &joint->c->promise->promise;
    return (tacit_two_releases){.columns = columns,
                                .column_count = joint->count,
                                .quasi_count = joint->quasi,
                                .sets = promise->sets,
                                .set_count = promise->set_count,
                                .now_rows = tacit_table_rows(joint->c->release),
                                .before_rows = tacit_table_rows(joint->files[file].table),
                                .k = promise->k,
                                .by_candidates = promise->ambiguous};
}
