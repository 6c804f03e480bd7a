/*
 * case.c - a release beside registers, ready to be linked: registers are joined, and each
 * column that both have gets a lineage of the released values and the register's, which may have
 * values that the hierarchy does not know: it holds people from anywhere.
 *
 * Cost: that of the join (join.c) and of the lineages; 4 bytes a value of the register.
 */
#include <string.h>
#include <tacit/experimental/lineage.h>

#include "audit/link/link.h"
#include "base/alloc.h"
#include "base/error.h"

struct tacit_linkage {
    tacit_registers *joined;
    int32_t index[TACIT_MAX_LINK_COLUMNS]; /* of the columns asked for */
    tacit_lineage *lineages[TACIT_MAX_LINK_COLUMNS];
    uint32_t *known_nodes[TACIT_MAX_LINK_COLUMNS];
    tacit_link_column columns[TACIT_MAX_LINK_COLUMNS];
    tacit_link_case c;
};

static bool some_have(const tacit_table *const *tables, int32_t count, tacit_strview name)
{
    for (int32_t t = 0; t < count; t++)
        if (tacit_table_find(tables[t], name) >= 0)
            return true;
    return false;
}

/* Which of the columns both sides have. */
static tacit_status find_shared(tacit_linkage *l, const tacit_linkage_files *files,
                                tacit_error *err)
{
    for (int32_t i = 0; i < files->column_count; i++) {
        tacit_strview name = tacit_strview_of(files->columns[i].name);
        if (tacit_table_find(files->release, name) < 0 ||
            !some_have(files->registers, files->register_count, name))
            continue;
        if (l->c.column_count == TACIT_MAX_LINK_COLUMNS)
            return tacit__error(err, TACIT_LIMIT, "more than %d columns to link by",
                                TACIT_MAX_LINK_COLUMNS);
        l->index[l->c.column_count++] = i;
    }
    if (l->c.column_count > 0)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(files->registers[0]), 0, 0,
                           "shares no quasi-identifying column with the release: linking needs one "
                           "of the same name in both");
}

static tacit_status join(tacit_linkage *l, const tacit_linkage_files *files, const tacit_run *run,
                         tacit_error *err)
{
    const char *names[TACIT_MAX_LINK_COLUMNS];
    for (int32_t i = 0; i < l->c.column_count; i++)
        names[i] = files->columns[l->index[i]].name;
    return tacit_registers_join(&l->joined, files->registers, files->register_count, names,
                                l->c.column_count, files->most_rows, run, err);
}

static uint32_t codes_of(const tacit_table *table, int32_t column)
{
    return tacit_table_distinct(table, column) + (tacit_table_has_missing(table, column) ? 1 : 0);
}

/* The nodes of the register's codes, and "*" for what is not known. */
static tacit_status set_known(tacit_linkage *l, int32_t at, const tacit_linkage_files *files,
                              tacit_error *err)
{
    const tacit_register_column *known = &tacit_registers_columns(l->joined)[at];
    const uint32_t *nodes = tacit_lineage_nodes(l->lineages[at], 1);
    uint32_t *copy = l->known_nodes[at] =
        tacit__alloc_array((size_t)known->unknown + 1, sizeof *copy);
    if (!copy)
        return tacit__nomem(err);
    memcpy(copy, nodes, known->unknown * sizeof *nodes);
    copy[known->unknown] = 0;
    l->columns[at].known = known->codes;
    l->columns[at].known_nodes = copy;
    l->columns[at].known_codes =
        known->table == 0 ? codes_of(files->registers[0], known->column) : known->unknown + 1;
    return TACIT_OK;
}

static tacit_status set_column(tacit_linkage *l, int32_t at, const tacit_linkage_files *files,
                               tacit_error *err)
{
    const tacit_promise_attribute *wanted = &files->columns[l->index[at]];
    const tacit_register_column *known = &tacit_registers_columns(l->joined)[at];
    int32_t released = tacit_table_find(files->release, tacit_strview_of(wanted->name));
    const tacit_lineage_source sources[] = {
        {.table = files->release, .column = released},
        {.table = files->registers[known->table], .column = known->column, .open = true},
    };
    tacit_status status = tacit_lineage_new(&l->lineages[at], wanted->hierarchy, sources, 2, err);
    if (status != TACIT_OK)
        return status;
    l->columns[at] = (tacit_link_column){
        .nodes = tacit_lineage_count(l->lineages[at]),
        .ends = tacit_lineage_ends(l->lineages[at]),
        .parents = tacit_lineage_parents(l->lineages[at]),
        .released = tacit_table_codes(files->release, released),
        .released_nodes = tacit_lineage_nodes(l->lineages[at], 0),
        .released_codes = codes_of(files->release, released),
    };
    return set_known(l, at, files, err);
}

tacit_status tacit_linkage_new(tacit_linkage **out, const tacit_linkage_files *files,
                               const tacit_run *run, tacit_error *err)
{
    tacit_linkage *l = tacit__alloc_zeroed(1, sizeof *l);
    if (!l)
        return tacit__nomem(err);
    tacit_status status = find_shared(l, files, err);
    if (status == TACIT_OK)
        status = join(l, files, run, err);
    for (int32_t i = 0; i < l->c.column_count && status == TACIT_OK; i++)
        status = set_column(l, i, files, err);
    if (status != TACIT_OK) {
        tacit_linkage_free(l);
        return status;
    }
    l->c.columns = l->columns;
    l->c.records = tacit_table_rows(files->release);
    l->c.rows = tacit_registers_rows(l->joined);
    l->c.person = tacit_registers_person(l->joined);
    l->c.people = tacit_table_rows(files->registers[0]);
    l->c.k = 2;
    *out = l;
    return TACIT_OK;
}

void tacit_linkage_free(tacit_linkage *linkage)
{
    if (!linkage)
        return;
    tacit_registers_free(linkage->joined);
    for (int32_t i = 0; i < linkage->c.column_count; i++) {
        tacit_lineage_free(linkage->lineages[i]);
        tacit__free(linkage->known_nodes[i]);
    }
    tacit__free(linkage);
}

tacit_link_case tacit_linkage_case(const tacit_linkage *linkage)
{
    return linkage->c;
}

const int32_t *tacit_linkage_columns(const tacit_linkage *linkage)
{
    return linkage->index;
}
