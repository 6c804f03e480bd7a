/*
 * summary.c - the attack with published frequencies, from files to what is told of it; see
 * audit_summary.h and, for how it works, summary.h.
 */
#include "audit/summary/summary.h"

#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* What follows on a scene, group by group of columns, and the rows and cells that it is known of;
 * see summary.h.
 *
 * Columns that no table has together have nothing to do with each other. Those that some table
 * ties together, directly or through others, are a group; a group of one is known by nested.c
 * alone. Then a pass over the rows puts together what is known of a row in all groups. A group
 * that is too large is split: then each of its tables is asked as if there were no other, which
 * loses only what follows from several.
 *
 * Cost: that of the groups, and the pass, on all cores. */

const tacit__summary_limits tacit__summary_usual = {
    .variables = 200000,
    .steps = INT64_C(200000000),
    .block = 5000,
    .integers = 500,
    .programs = 2000,
    .nodes = 20000,
};

enum { MAX_GROUPS = TACIT_SUMMARY_COLUMNS + TACIT_SUMMARY_TABLES };

/* A group of columns, and what came of it. */
typedef struct group {
    uint64_t columns;
    int32_t column;           /* the only one; -1: there are several */
    uint8_t *known;           /* of one: bits of each node */
    uint8_t left_out;         /* and of the tuples left out */
    tacit__joint_found found; /* of several */
} group;

typedef struct counting {
    const tacit__scene *scene;
    tacit__nested *nested[TACIT_SUMMARY_COLUMNS];
    group groups[MAX_GROUPS];
    int32_t group_count;
    bool split;                     /* some tables were asked one by one */
    tacit__summary_counts *workers; /* sums, a worker each */
} counting;

/* The columns that tables tie to a column, itself among them. */
static uint64_t tied_to(const tacit__scene *scene, int32_t column)
{
    uint64_t tied = UINT64_C(1) << column, before = 0;
    while (tied != before) {
        before = tied;
        for (int32_t t = 0; t < scene->table_count; t++) {
            uint64_t bits = tacit__table_bits(&scene->tables[t]);
            if (bits & tied)
                tied |= bits;
        }
    }
    return tied;
}

static tacit_status find_column(group *g, tacit__summary_facts *facts, const tacit__nested *nested,
                                tacit_error *err)
{
    g->known = tacit__alloc_zeroed(nested->node_count, 1);
    if (!g->known)
        return tacit__nomem(err);
    return tacit__nested_facts(facts, g->known, &g->left_out, nested, err);
}

static group *add_group(counting *c, uint64_t columns)
{
    bool one = (columns & (columns - 1)) == 0;
    group *g = &c->groups[c->group_count++];
    *g = (group){.columns = columns, .column = one ? __builtin_ctzll(columns) : -1};
    return g;
}

/* One table, as if there were no other. */
static tacit_status ask_table(tacit__summary_facts *facts, counting *c, int32_t table,
                              tacit_error *err)
{
    tacit__scene scene = *c->scene;
    tacit__nested *nested[TACIT_SUMMARY_COLUMNS] = {NULL};
    uint64_t columns = tacit__table_bits(&scene.tables[table]);
    group *g = add_group(c, columns);
    tacit_status status = TACIT_OK;
    scene.tables += table;
    scene.table_count = 1;
    scene.only = table;
    for (int32_t i = 0; i < scene.column_count && status == TACIT_OK; i++)
        if (columns >> i & 1)
            status = tacit__nested_new(&nested[i], &scene, i, err);
    if (status == TACIT_OK && g->column >= 0)
        status = find_column(g, facts, nested[g->column], err);
    else if (status == TACIT_OK)
        status = tacit__joint_find(&g->found, facts, &scene, columns, nested, err);
    for (int32_t i = 0; i < scene.column_count; i++)
        tacit__nested_free(nested[i]);
    return status;
}

/* All tables of a group, one by one, in its place. */
static tacit_status split(tacit__summary_facts *facts, counting *c, tacit_error *err)
{
    uint64_t columns = c->groups[--c->group_count].columns;
    tacit_status status = TACIT_OK;
    c->split = true;
    for (int32_t t = 0; t < c->scene->table_count && status == TACIT_OK; t++)
        if (tacit__table_bits(&c->scene->tables[t]) & columns)
            status = ask_table(facts, c, t, err);
    return status;
}

static tacit_status find_group(tacit__summary_facts *facts, counting *c, uint64_t columns,
                               tacit_error *err)
{
    group *g = add_group(c, columns);
    if (g->column >= 0)
        return find_column(g, facts, c->nested[g->column], err);
    tacit_status status = tacit__joint_find(&g->found, facts, c->scene, columns, c->nested, err);
    return status == TACIT_OK && g->found.split ? split(facts, c, err) : status;
}

static tacit_status find_groups(tacit__summary_facts *facts, counting *c, tacit_error *err)
{
    uint64_t done = 0;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < c->scene->column_count && status == TACIT_OK; i++)
        status = tacit__nested_new(&c->nested[i], c->scene, i, err);
    for (int32_t i = 0; i < c->scene->column_count && status == TACIT_OK; i++) {
        if (done >> i & 1)
            continue;
        uint64_t columns = tied_to(c->scene, i);
        done |= columns;
        status = find_group(facts, c, columns, err);
    }
    return status;
}

static void counting_clear(counting *c)
{
    for (int32_t i = 0; i < TACIT_SUMMARY_COLUMNS; i++)
        tacit__nested_free(c->nested[i]);
    for (int32_t i = 0; i < c->group_count; i++) {
        tacit__free(c->groups[i].known);
        tacit__joint_found_clear(&c->groups[i].found);
    }
    tacit__free(c->workers);
}

/* ---- rows ---- */

static tacit__summary_known of_bits(uint8_t bits, int32_t column)
{
    return (tacit__summary_known){(uint64_t)(bits & TACIT__KNOWN ? 1 : 0) << column,
                                  (uint64_t)(bits & TACIT__INFERRED ? 1 : 0) << column,
                                  (uint64_t)(bits & TACIT__FEWER ? 1 : 0) << column};
}

static uint64_t all_columns(const tacit__scene *scene)
{
    return scene->column_count == 64 ? UINT64_MAX : (UINT64_C(1) << scene->column_count) - 1;
}

/* Puts together what groups know. A column that several tables speak of one by one is known where
 * each of them says its value. */
static void merge(tacit__summary_known *into, tacit__summary_known here, uint64_t columns)
{
    into->known &= here.known | ~columns;
    into->inferred |= here.inferred;
    into->fewer |= here.fewer;
}

/* What is known of a row, in all groups. */
static tacit__summary_known of_row(const counting *c, int64_t row)
{
    tacit__summary_known known = {.known = all_columns(c->scene)};
    for (int32_t i = 0; i < c->group_count; i++) {
        const group *g = &c->groups[i];
        tacit__summary_known here;
        if (g->column >= 0) {
            const tacit__summary_column *column = &c->scene->columns[g->column];
            here =
                of_bits(g->known[column->node_of[tacit_codes_at(column->codes, row)]], g->column);
        } else {
            here = g->found.classes[g->found.class_of[row]];
        }
        merge(&known, here, g->columns);
    }
    known.fewer &= ~known.known;
    return known;
}

static tacit_status count_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    const counting *c = context;
    tacit__summary_counts *to = &c->workers[worker];
    uint64_t all = all_columns(c->scene);
    int64_t end = tacit__block_end(block, c->scene->rows);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        tacit__summary_known known = of_row(c, row);
        to->values += __builtin_popcountll(known.inferred);
        to->narrowed += __builtin_popcountll(known.fewer);
        to->rows += known.inferred != 0;
        to->tuples += known.inferred != 0 && known.known == all;
    }
    return TACIT_OK;
}

static tacit_status count_rows(tacit__summary_counts *out, counting *c, tacit_error *err)
{
    int workers = tacit__threads(c->scene->run);
    c->workers = tacit__alloc_zeroed((size_t)workers, sizeof *c->workers);
    if (!c->workers)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(c->scene->run, "comparing with frequencies",
                                          tacit__blocks(c->scene->rows), count_block, c, err);
    for (int i = 0; i < workers && status == TACIT_OK; i++) {
        out->values += c->workers[i].values;
        out->narrowed += c->workers[i].narrowed;
        out->rows += c->workers[i].rows;
        out->tuples += c->workers[i].tuples;
    }
    return status;
}

/* The tuples left out, and what the groups say of themselves. */
static void count_groups(tacit__summary_counts *out, const counting *c)
{
    tacit__summary_known left = {.known = all_columns(c->scene)};
    out->exact = !c->split;
    for (int32_t i = 0; i < c->group_count; i++) {
        const group *g = &c->groups[i];
        bool one = g->column >= 0;
        tacit__summary_known here = one ? of_bits(g->left_out, g->column) : g->found.left_out;
        merge(&left, here, g->columns);
        out->exact &= one || g->found.exact;
        out->programs += g->found.programs;
    }
    out->left_out_values = __builtin_popcountll(left.inferred);
    out->left_out_known = left.inferred && left.known == all_columns(c->scene);
}

tacit_status tacit__scene_count(tacit__summary_counts *out, tacit__summary_facts *facts,
                                const tacit__scene *scene, tacit_error *err)
{
    counting *c = tacit__alloc_zeroed(1, sizeof *c);
    if (!c)
        return tacit__nomem(err);
    tacit__summary_counts counts = {0};
    c->scene = scene;
    facts->everything = scene->limits.everything;
    tacit_status status = find_groups(facts, c, err);
    if (status == TACIT_OK)
        status = count_rows(&counts, c, err);
    if (status == TACIT_OK) {
        count_groups(&counts, c);
        *out = counts;
    }
    counting_clear(c);
    tacit__free(c);
    return status;
}

/* ---- telling ---- */

static char *copy_view(tacit_strview text)
{
    return tacit__copy_bytes(text.bytes ? text.bytes : "", text.len);
}

/* Texts of a fact, which outlive release and files. */
static tacit_status write_out(tacit_summary_fact *fact, const tacit__summary_stage *stage,
                              const tacit_table *release, tacit_error *err)
{
    const tacit_lineage *lineage = stage->lineages[fact->column];
    for (int32_t i = 0; i < fact->share_count; i++) {
        fact->shares[i].text = copy_view(tacit_lineage_label(lineage, fact->shares[i].node));
        if (!fact->shares[i].text)
            return tacit__nomem(err);
    }
    if (fact->row == 0)
        return TACIT_OK;
    fact->label = copy_view(tacit__cell_value(release, stage->places[fact->column], fact->row - 1));
    return fact->label ? TACIT_OK : tacit__nomem(err);
}

/* Moves the facts of a kind into the list, as far as there is room. */
static void take_facts(tacit_summary_audit *audit, struct tacit__fact_list *from)
{
    size_t taken = 0;
    while (taken < from->count && audit->fact_count < TACIT_SUMMARY_FACTS)
        audit->facts[audit->fact_count++] = from->list[taken++];
    from->count -= taken;
    memmove(from->list, from->list + taken, from->count * sizeof *from->list);
}

/* By kind, the tuples left out first, then by row and column. */
static int by_kind(const void *a, const void *b)
{
    const tacit_summary_fact *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column - y->column;
}

static tacit_status list_facts(tacit_summary_audit *audit, tacit__summary_facts *facts,
                               const tacit__summary_stage *stage, const tacit_table *release,
                               tacit_error *err)
{
    tacit_status status = TACIT_OK;
    audit->fact_total = facts->total;
    audit->facts = tacit__alloc_zeroed(TACIT_SUMMARY_FACTS, sizeof *audit->facts);
    if (!audit->facts)
        return tacit__nomem(err);
    for (int kind = TACIT_SUMMARY_VALUE; kind <= TACIT_SUMMARY_COUNTED; kind++)
        if (facts->of[kind].count)
            take_facts(audit, &facts->of[kind]);
    qsort(audit->facts, (size_t)audit->fact_count, sizeof *audit->facts, by_kind);
    for (int64_t i = 0; i < audit->fact_count && status == TACIT_OK; i++)
        status = write_out(&audit->facts[i], stage, release, err);
    return status;
}

static tacit_status name_columns(tacit_summary_audit *audit, tacit__summary_stage *stage,
                                 tacit_error *err)
{
    int32_t count = stage->scene.column_count;
    audit->names = tacit__alloc_zeroed((size_t)count, sizeof *audit->names);
    if (!audit->names)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++) {
        audit->names[i] = stage->names[i];
        stage->names[i] = NULL;
    }
    audit->column_count = count;
    return TACIT_OK;
}

static void fill_counts(tacit_summary_audit *audit, const tacit__summary_counts *counts,
                        const tacit__scene *scene)
{
    audit->subjects = scene->subjects;
    audit->rows = scene->rows;
    audit->left_out = scene->subjects - scene->rows;
    audit->tables = scene->table_count;
    audit->exact = counts->exact;
    audit->values_known = counts->values;
    audit->rows_known = counts->rows;
    audit->tuples_known = counts->tuples;
    audit->cells_narrowed = counts->narrowed;
    audit->left_out_known = counts->left_out_known;
    audit->left_out_values = counts->left_out_values;
    audit->programs = counts->programs;
}

/* ---- the attack ---- */

static tacit_status read_files(tacit__frequency_tables *tables, const tacit_summary_case *c,
                               tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < c->file_count && status == TACIT_OK; i++)
        status = tacit__frequencies_read(tables, c->files[i], err);
    if (status == TACIT_OK && tables->count == 0)
        status = tacit__error(err, TACIT_PARSE, "there are no frequencies in the files given");
    return status;
}

static tacit_status attack(tacit_summary_audit *audit, tacit__summary_stage *stage,
                           tacit__summary_facts *facts, const tacit_table *release,
                           tacit_error *err)
{
    tacit__summary_counts counts;
    tacit_status status = tacit__scene_count(&counts, facts, &stage->scene, err);
    if (status != TACIT_OK)
        return status;
    fill_counts(audit, &counts, &stage->scene);
    status = list_facts(audit, facts, stage, release, err);
    return status == TACIT_OK ? name_columns(audit, stage, err) : status;
}

tacit_status tacit_audit_summary(tacit_summary_audit **out, const tacit_summary_case *c,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__frequency_tables tables = {0};
    tacit__summary_stage stage = {0};
    tacit__summary_facts facts = {0};
    tacit_summary_audit *audit = tacit__alloc_zeroed(1, sizeof *audit);
    tacit_status status = audit ? read_files(&tables, c, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__summary_stage_init(&stage, &tables, c, run, err);
    if (status == TACIT_OK)
        status = attack(audit, &stage, &facts, c->release, err);
    if (status == TACIT_OK)
        *out = audit;
    else
        tacit_summary_audit_free(audit);
    tacit__summary_facts_clear(&facts);
    tacit__summary_stage_clear(&stage);
    tacit__frequencies_clear(&tables);
    return status;
}

void tacit_summary_audit_free(tacit_summary_audit *audit)
{
    if (!audit)
        return;
    for (int64_t i = 0; i < audit->fact_count; i++)
        tacit__fact_clear(&audit->facts[i]);
    for (int32_t i = 0; i < audit->column_count; i++)
        tacit__free(audit->names[i]);
    tacit__free(audit->facts);
    tacit__free(audit->names);
    tacit__free(audit);
}
