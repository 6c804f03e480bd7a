/*
 * summary.c - the attack with published frequencies, from files to what is told of it; see
 * audit_summary.h and, for how it works, summary.h.
 */
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"

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
