/*
 * labels.c - the labels of values that go out with a release: those of values that it has.
 *
 * The labels of a file can name whoever was in the data: programs that number texts keep each
 * distinct one as a label, in lists that several columns may share. So a label goes out only if a
 * cell says its value, in a released column that refers to its list. Each cell of such a column is
 * looked up once.
 */
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "formats/formats.h"

/* The labels of a list by their values. */
typedef struct found_labels {
    const tacit__label_set *from;
    tacit__map map;
    atomic_bool *found; /* a label each; NULL: no column of the release has the list */
} found_labels;

typedef struct label_search {
    const tacit_schema *schema; /* of the release */
    found_labels *sets;         /* of the source, by number */
    size_t count;
} label_search;

static uint64_t hash_of(tacit_strview value)
{
    return tacit__hash_bytes(value.bytes, value.len);
}

/* Values may have several labels; each is found. */
static void find_value(found_labels *set, tacit_strview value)
{
    uint64_t hash = hash_of(value);
    size_t probe = 0;
    uint32_t at;
    while ((at = tacit__map_next(&set->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(set->from->labels[at].value, value))
            atomic_store_explicit(&set->found[at], true, memory_order_relaxed);
}

/* The list of a column whose cells are still its values; NULL: it has none. */
static found_labels *set_of(const label_search *search, const tacit__schema_column *column)
{
    if (column->label_set < 0)
        return NULL;
    found_labels *set = &search->sets[column->label_set];
    return set->from->of_text == (column->type == TACIT__TYPE_TEXT) ? set : NULL;
}

static tacit_status find_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                              int worker, tacit_error *err)
{
    const label_search *search = context;
    tacit_status status = TACIT_OK;
    (void)worker;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        for (size_t i = 0; i < search->schema->count && status == TACIT_OK; i++) {
            found_labels *set = set_of(search, &search->schema->columns[i]);
            if (set && row->cells[i].len)
                find_value(set, row->cells[i]);
        }
    }
    return status;
}

static bool index_set(found_labels *set)
{
    set->found = tacit__alloc_zeroed(set->from->count + 1, sizeof *set->found);
    if (!set->found || !tacit__map_reserve(&set->map, set->from->count))
        return false;
    for (size_t i = 0; i < set->from->count; i++)
        tacit__map_put(&set->map, hash_of(set->from->labels[i].value));
    return true;
}

/* Indexes the lists that columns of the release have; *any becomes whether there are some. */
static tacit_status label_search_new(label_search *search, const tacit_schema *from, bool *any,
                                     tacit_error *err)
{
    search->count = from->label_set_count;
    search->sets = tacit__alloc_zeroed(search->count, sizeof *search->sets);
    if (!search->sets)
        return tacit__nomem(err);
    for (size_t i = 0; i < search->count; i++)
        search->sets[i].from = &from->label_sets[i];
    for (size_t i = 0; i < search->schema->count; i++) {
        found_labels *set = set_of(search, &search->schema->columns[i]);
        *any = *any || set;
        if (set && !set->found && !index_set(set))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static void label_search_clear(label_search *search)
{
    for (size_t i = 0; search->sets && i < search->count; i++) {
        tacit__map_clear(&search->sets[i].map);
        tacit__free(search->sets[i].found);
    }
    tacit__free(search->sets);
}

static tacit_status copy_found(tacit_schema *out, const found_labels *set, tacit_error *err)
{
    int32_t copy = tacit__schema_label_set(out, set->from->name);
    if (copy < 0)
        return tacit__nomem(err);
    out->label_sets[copy].of_text = set->from->of_text;
    for (size_t i = 0; set->found && i < set->from->count; i++) {
        const tacit__label *label = &set->from->labels[i];
        if (set->found[i] && !tacit__schema_label(out, copy, label->value, label->text))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

tacit_status tacit__release_labels(tacit_schema *out, const tacit_schema *from,
                                   const tacit_table *release, const tacit_run *run,
                                   tacit_error *err)
{
    label_search search = {.schema = out};
    bool any = false;
    if (!from || from->label_set_count == 0)
        return TACIT_OK;
    tacit_status status = label_search_new(&search, from, &any, err);
    if (status == TACIT_OK && any)
        status = tacit__format_parts(release, "writing", find_part, &search, run, err);
    for (size_t i = 0; i < search.count && status == TACIT_OK; i++)
        status = copy_found(out, &search.sets[i], err);
    label_search_clear(&search);
    return status;
}
