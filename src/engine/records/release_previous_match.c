/*
 * release_previous_match.c - earlier releases as `tacit anonymize` takes them: read and refused
 * before the data is read, which columns they share with it, and which rows.
 *
 * Rows are matched on the wide release: a second engine_release over the same table whose policy
 * calls every shared column a quasi-identifier, so that a column which an earlier release
 * generalized, or suppressed, is compared as one that may be.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/release.h"

static tacit_status out_of_memory(engine_release *release)
{
    return tacit__nomem(&release->session->error);
}

/* ---- before the data is read ---- */

static tacit_status refuse_match(engine_release *release)
{
    const tacit_policy *policy = release->policy;
    tacit_error *err = &release->session->error;
    if (release->explore)
        return tacit__error(err, TACIT_INVALID, "previous is for a release; --explore makes none");
    if (release->method->features & TACIT_METHOD_AMBIGUATES)
        return tacit__error(err, TACIT_INVALID,
                            "previous is for methods that make classes, not for %s",
                            release->method->name);
    if (policy->set_count > 0)
        return tacit__error(err, TACIT_INVALID,
                            "previous is for one quasi-identifier; leave out quasi-identifiers");
    if (policy->population_model_count > 0)
        return tacit__error(err, TACIT_INVALID,
                            "previous does not go together with what is promised of a population");
    if (engine_has(release->session->settings, "no-header"))
        return tacit__error(err, TACIT_INVALID,
                            "previous needs the names of columns: with --no-header it is unknown "
                            "which are the same");
    return TACIT_OK;
}

/* What is mended for the sake of earlier releases follows the rows that are released, which is what
 * `minimality: resist` promises not to do. ambiguate mends nothing. */
static tacit_status refuse_resisting(const engine_release *release)
{
    if (!release->policy->resist || (release->method->features & TACIT_METHOD_AMBIGUATES))
        return TACIT_OK;
    return tacit__error(
        &release->session->error, TACIT_INVALID,
        "minimality: resist does not go together with earlier releases (previous, or "
        "those of a ledger): to withstand them, boxes are changed by looking at the "
        "rows that are released; leave out one of the two");
}

static tacit_status start(engine_release *release)
{
    release->previous = tacit__alloc_zeroed(1, sizeof *release->previous);
    if (!release->previous)
        return out_of_memory(release);
    release->previous->chosen = -1;
    return TACIT_OK;
}

static tacit_status refuse_way(const engine_release *release)
{
    if (!release->policy->previous_way)
        return TACIT_OK;
    return tacit__error(&release->session->error, TACIT_INVALID,
                        "previous-way says how to withstand earlier releases, and none is "
                        "given: name them with previous");
}

tacit_status engine_previous_open(engine_release *release)
{
    tacit_status status = engine_earlier_read(&release->earlier, release->policy, release->session);
    if (status != TACIT_OK)
        return status;
    bool given = release->earlier.count > 0;
    if (!given && !release->policy->ledger)
        return refuse_way(release);
    status = refuse_match(release);
    release->withstands = status == TACIT_OK;
    if (!given) { /* what is recalled is known when the data is read */
        engine_session_clear_error(release->session);
        return TACIT_OK;
    }
    if (status == TACIT_OK)
        status = refuse_resisting(release);
    return status == TACIT_OK ? start(release) : status;
}

/* What cannot be withstood by searching on is attacked all the same. */
tacit_status engine_previous_recalled(engine_release *release)
{
    if (release->previous)
        return TACIT_OK;
    if (release->earlier.count == 0)
        return refuse_way(release);
    tacit_status status = refuse_resisting(release);
    return status == TACIT_OK && release->withstands ? start(release) : status;
}

/* What the release does with a column outside its quasi-identifier that an earlier one shows. */
typedef enum sharing {
    APART,  /* it is not shown, or not comparable */
    LINKED, /* it says whose row it is */
    JOINED  /* it is carried along: rows can be joined on it */
} sharing;

static sharing shared_as(const engine_release *release, tacit_strview name)
{
    const tacit_policy *policy = release->policy;
    const tacit_policy_column *column = tacit_policy_find(policy, name);
    tacit_replace fate = engine_fate(column);
    bool person = policy->person && tacit_strview_equal(tacit_strview_of(policy->person), name);
    if (column && column->role == TACIT_ROLE_QUASI)
        return APART;
    if (fate == TACIT_REPLACE_PSEUDONYM)
        return LINKED;
    if (fate != TACIT_REPLACE_KEEP)
        return APART;
    return person || (column && column->role == TACIT_ROLE_IDENTIFIER) ? LINKED : JOINED;
}

static bool is_shown(const engine_release *release, tacit_strview name)
{
    for (size_t i = 0; i < release->earlier.count; i++)
        if (tacit_table_find(release->earlier.releases[i].table, name) >= 0)
            return true;
    return false;
}

/* Data that can be read only once is coded altogether. */
void engine_previous_needs(engine_needs *needs, const tacit_table *header,
                           const engine_release *release)
{
    engine_previous *previous = release->previous;
    if (!previous)
        return;
    needs->all |= !header;
    int32_t columns = header ? tacit_table_columns(header) : 0;
    previous->names = tacit__alloc_zeroed((size_t)columns + 1, sizeof *previous->names);
    needs->out_of_memory |= !previous->names;
    for (int32_t i = 0; i < columns && !needs->out_of_memory; i++) {
        tacit_strview name = tacit_table_name(header, i);
        if (!is_shown(release, name) || shared_as(release, name) == APART)
            continue;
        char *copy = tacit__copy_bytes(name.bytes, name.len);
        needs->out_of_memory |= !copy;
        previous->names[previous->name_count++] = copy;
        if (copy)
            engine_needs_add(needs, copy);
    }
}

/* ---- the wide release ---- */

static tacit_status make_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err)
{
    tacit_status status = engine_policy_quasi(policy, name, err);
    for (int32_t i = 0; status == TACIT_OK && i < policy->column_count; i++)
        if (tacit_strview_equal(tacit_strview_of(policy->columns[i].name), name)) {
            policy->columns[i].model_count = 0;
            policy->columns[i].has_replace = false;
            policy->columns[i].has_suppression = true; /* it may have no other level */
            policy->columns[i].hierarchy.no_suppression = false;
        }
    return status;
}

/* Every shared column that is carried becomes a quasi-identifier. */
static tacit_status widen_policy(engine_release *wide, const engine_release *release)
{
    tacit_error *err = &wide->session->error;
    tacit_status status = engine_policy(&wide->policy, wide->session);
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(release->table); i++) {
        tacit_strview name = tacit_table_name(release->table, i);
        if (is_shown(release, name) && shared_as(release, name) == JOINED)
            status = make_quasi(wide->policy, name, err);
    }
    if (status == TACIT_OK)
        status = tacit_policy_check(wide->policy, release->table, err);
    return status;
}

static void find_places(engine_previous *previous, const engine_release *release)
{
    const engine_promise *narrow = &release->promise, *wide = &previous->wide->promise;
    for (int32_t w = 0; w < wide->promise.attribute_count; w++) {
        previous->wide_places[w] = -1;
        for (int32_t a = 0; a < narrow->promise.attribute_count; a++)
            if (strcmp(narrow->attributes[a].name, wide->attributes[w].name) == 0) {
                previous->places[a] = w;
                previous->wide_places[w] = a;
            }
    }
}

static tacit_status open_wide(engine_release *release)
{
    engine_previous *previous = release->previous;
    engine_release *wide = tacit__alloc_zeroed(1, sizeof *wide);
    if (!wide)
        return out_of_memory(release);
    previous->wide = wide;
    wide->session = release->session;
    wide->asked = release;
    wide->data = release->data;
    wide->target = release->target;
    wide->table = release->table;
    wide->earlier = release->earlier;
    wide->ledger = release->ledger;
    wide->previous = previous;
    wide->method = release->method;
    wide->wanted = release->wanted;
    wide->has_sizes = release->has_sizes;
    wide->unsafe = release->unsafe;
    tacit_status status = widen_policy(wide, release);
    if (status == TACIT_OK)
        status = engine_promise_init(&wide->promise, wide->policy, wide->wanted.k,
                                     &release->session->error);
    if (status == TACIT_OK)
        status = engine_release_bind(wide);
    if (status == TACIT_OK)
        find_places(previous, release);
    return status;
}

void engine_previous_clear(engine_release *release)
{
    engine_previous *previous = release->previous;
    release->previous = NULL;
    if (!previous)
        return;
    for (size_t i = 0; i < previous->name_count; i++)
        tacit__free(previous->names[i]);
    tacit__free(previous->names);
    for (size_t i = 0; previous->matched && i < previous->count; i++)
        tacit_previous_free(previous->matched[i]);
    tacit__free(previous->matched);
    if (previous->wide) { /* its table and earlier releases are the release's */
        previous->wide->table = NULL;
        previous->wide->earlier = (engine_earlier){0};
        previous->wide->previous = NULL;
        engine_release_clear(previous->wide);
    }
    tacit__free(previous->wide);
    tacit__free(previous);
}

engine_release *engine_previous_made(engine_release *release)
{
    engine_previous *previous = release->previous;
    return previous && previous->chosen == ENGINE_WAY_COLUMNS ? previous->wide : release;
}

/* ---- matching ---- */

/* Whether a label is what a value of the data becomes on some level. */
static bool is_level_of(const tacit_hierarchy *hierarchy, uint32_t code, tacit_strview label)
{
    for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
        uint32_t number = tacit_hierarchy_map(hierarchy, level)[code];
        if (number < tacit_hierarchy_count(hierarchy, level) &&
            tacit_strview_equal(tacit_hierarchy_label(hierarchy, level, number), label))
            return true;
    }
    return false;
}

/* For every node the first from it on that a value of the data has, and that value's code. */
static uint64_t *nearest_values(const tacit_lineage *lineage, uint32_t codes)
{
    uint32_t count = tacit_lineage_count(lineage);
    uint64_t *nearest = tacit__alloc(((size_t)count + 1) * sizeof *nearest);
    if (!nearest)
        return NULL;
    memset(nearest, 0xff, ((size_t)count + 1) * sizeof *nearest);
    for (uint32_t code = 0; code < codes; code++) {
        uint32_t node = tacit_lineage_nodes(lineage, 0)[code];
        nearest[node] = (uint64_t)node << 32 | code;
    }
    for (uint32_t node = count; node-- > 0;)
        if (nearest[node] == UINT64_MAX)
            nearest[node] = nearest[node + 1];
    return nearest;
}

/* The line that has a code first. */
static int64_t first_line(const tacit_table *table, int32_t column, uint32_t code)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t row = 0;
    while (tacit_codes_at(codes, row) != code)
        row++;
    return tacit_table_line(table, row);
}

/* A label that holds values of the data is what they become on some level, or it was made with
 * another hierarchy. */
static tacit_status check_labels(const engine_release *wide, int32_t attribute,
                                 const tacit_lineage *lineage, const tacit_table *table,
                                 int32_t column)
{
    const tacit_attribute *at = &wide->attributes[attribute];
    tacit_error *err = &wide->session->error;
    uint64_t *nearest = nearest_values(lineage, tacit_table_distinct(wide->table, at->column));
    tacit_status status = nearest ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < tacit_table_distinct(table, column); i++) {
        tacit_strview label = tacit_table_value(table, column, i);
        uint32_t node = tacit_lineage_nodes(lineage, 1)[i];
        bool holds = nearest[node] >> 32 < tacit_lineage_ends(lineage)[node];
        if (!holds || tacit_strview_equal(label, tacit_hierarchy_suppressed()) ||
            is_level_of(at->hierarchy, (uint32_t)nearest[node], label))
            continue;
        status =
            tacit__error(err, TACIT_PARSE,
                         "%s:%lld: the value in column \"%.64s\" holds values of the data and is "
                         "not what they become on any level of the hierarchy; use the hierarchy "
                         "that the file was made with",
                         tacit_table_file(table), (long long)first_line(table, column, i),
                         wide->promise.attributes[attribute].name);
    }
    tacit__free(nearest);
    return status;
}

/* Values that no hierarchy knows, or that overlap, are told before anything is compared. */
static tacit_status check_values(const engine_release *wide, int32_t attribute,
                                 const tacit_table *table, int32_t column)
{
    const tacit_lineage_source sources[] = {
        {.table = wide->table, .column = wide->attributes[attribute].column},
        {.table = table, .column = column}};
    tacit_lineage *lineage = NULL;
    tacit_status status = tacit_lineage_new(&lineage, wide->promise.attributes[attribute].hierarchy,
                                            sources, 2, &wide->session->error);
    if (status == TACIT_OK)
        status = check_labels(wide, attribute, lineage, table, column);
    tacit_lineage_free(lineage);
    return status;
}

static tacit_status find_links(tacit_previous_link *links, int32_t *count, engine_release *release,
                               const tacit_table *table)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(table); i++) {
        tacit_strview name = tacit_table_name(table, i);
        int32_t here = tacit_table_find(release->table, name);
        if (here < 0 || shared_as(release, name) != LINKED)
            continue;
        links[*count] = (tacit_previous_link){.here = here, .there = i};
        if (engine_fate(tacit_policy_find(release->policy, name)) == TACIT_REPLACE_PSEUDONYM) {
            status = engine_release_pseudonyms(release);
            links[*count].rewrite = tacit_pseudonym;
            links[*count].payload = release->pseudonyms;
        }
        (*count)++;
    }
    return status;
}

static tacit_status match(engine_release *release, size_t index)
{
    engine_previous *previous = release->previous;
    const engine_release *wide = previous->wide;
    const tacit_table *table = release->earlier.releases[index].table;
    engine_session *session = release->session;
    int32_t columns[TACIT_MAX_QUASI], link_count = 0;
    uint64_t quasi = 0;
    tacit_previous_link *links =
        tacit__alloc_zeroed((size_t)tacit_table_columns(table) + 1, sizeof *links);
    tacit_status status = links ? TACIT_OK : out_of_memory(release);
    if (status == TACIT_OK && wide->frame.attribute_count > TACIT_MAX_MASKED)
        status =
            tacit__error(&session->error, TACIT_LIMIT,
                         "earlier releases can be withstood for up to %d quasi-identifiers, and "
                         "columns that they share with the data; there are %d",
                         TACIT_MAX_MASKED, (int)wide->frame.attribute_count);
    for (int32_t a = 0; status == TACIT_OK && a < wide->frame.attribute_count; a++) {
        columns[a] = tacit_table_find(table, tacit_strview_of(wide->promise.attributes[a].name));
        quasi |= (uint64_t)(previous->wide_places[a] >= 0) << a;
        if (columns[a] >= 0)
            status = check_values(wide, a, table, columns[a]);
    }
    if (status == TACIT_OK)
        status = find_links(links, &link_count, release, table);
    const tacit_previous_shown shown = {
        .table = table, .columns = columns, .links = links, .link_count = link_count};
    if (status == TACIT_OK)
        status = tacit_previous_new(&previous->matched[index], &wide->frame, quasi, &shown,
                                    &session->run, &session->error);
    tacit__free(links);
    return status;
}

static tacit_status match_all(engine_release *release)
{
    engine_previous *previous = release->previous;
    tacit_status status = TACIT_OK;
    previous->count = release->earlier.count;
    previous->matched = tacit__alloc_zeroed(previous->count, sizeof(tacit_previous *));
    if (!previous->matched)
        return out_of_memory(release);
    for (size_t i = 0; i < previous->count && status == TACIT_OK; i++)
        status = match(release, i);
    for (int64_t row = 0; status == TACIT_OK && row < tacit_table_rows(release->table); row++) {
        bool known = false;
        for (size_t i = 0; i < previous->count && !known; i++)
            known = previous->matched[i]->old_of[row] != TACIT_NO_ROW;
        previous->added += !known;
    }
    return status;
}

/* Rows that an earlier release has in classes below k are beyond mending. */
static tacit_status warn_weak(engine_release *release, size_t index)
{
    const tacit_previous *matched = release->previous->matched[index];
    int64_t weak = 0, *sizes = tacit__alloc_zeroed((size_t)matched->class_count + 1, sizeof *sizes);
    if (!sizes)
        return out_of_memory(release);
    for (int64_t row = 0; row < matched->rows; row++)
        sizes[matched->class_of[row]]++;
    for (uint32_t class = 0; class < matched->class_count; class ++)
        weak += sizes[class] < release->wanted.k ? sizes[class] : 0;
    if (weak > 0)
        engine_warn(release->session,
                    "%s rows of %s are already in classes of fewer than %lld, which no later "
                    "release can repair",
                    engine_count(weak).text, release->earlier.releases[index].name,
                    (long long)release->wanted.k);
    tacit__free(sizes);
    return TACIT_OK;
}

tacit_status engine_previous_match(engine_release *release)
{
    tacit_status status = open_wide(release);
    if (status == TACIT_OK)
        status = match_all(release);
    for (size_t i = 0; status == TACIT_OK && i < release->previous->count; i++)
        status = warn_weak(release, i);
    return status;
}
