/*
 * fuzz_tables.c - any bytes as tables. The first byte says what they are: a long CSV of cells or of
 * records with dimensions a and b, of which b may have a hierarchy; a release with values
 * left out, which is audited; a hierarchy, in one or, cut at an empty line, two trees; or an
 * a-priori file. Whatever is accepted adds up, whatever is refused says why.
 */
#include "../support/fuzz_require.h"

#include <math.h>
#include <tacit/experimental/audit_cells.h>

#include "cells/cells/inside.h"
#include "cells/read/dimension.h"

static void check_dimension(const tacit_dimension *d)
{
    require(d->code_count > 0 && d->label_count >= d->code_count, "codes");
    for (int32_t t = 0; t < d->tree_count; t++) {
        const tacit_code_tree *tree = &d->trees[t];
        require(tree->level[tree->root] == 0 && tree->parent[tree->root] == -1, "root");
        for (int32_t c = 0; c < d->code_count; c++) {
            require(tree->child_starts[c + 1] - tree->child_starts[c] != 1, "not folded");
            for (int32_t i = tree->child_starts[c]; i < tree->child_starts[c + 1]; i++)
                require(tree->parent[tree->children[i]] == c &&
                            tree->level[tree->children[i]] == tree->level[c] + 1,
                        "tree");
        }
    }
}

static void check_cells(const tacit_cells *cells)
{
    const tacit_relations *all = &cells->relations;
    for (int32_t d = 0; d < cells->dimension_count; d++)
        check_dimension(&cells->dimensions[d]);
    for (int32_t r = 0; r < all->count; r++) {
        double sum = 0, sizes = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            require(all->items[j] >= 0 && all->items[j] < cells->count, "an index out of range");
            sum += all->coefs[j] * cells->value[all->items[j]];
            sizes += fabs(cells->value[all->items[j]]);
        }
        require(!(fabs(sum) > 1e-8 * fmax(1, sizes)), "does not add up");
    }
}

/* What fits is between its bounds, and what the adversary finds is around it. */
static void audit_cells(const tacit_cells *cells, const tacit_run *run)
{
    tacit_cells_audit *audit = NULL;
    tacit_error err = {0};
    for (int32_t i = 0; i < cells->count; i++)
        require(!cells->unknown[i] ||
                    (cells->value[i] >= cells->lower[i] && cells->value[i] <= cells->upper[i]),
                "a value beyond its bounds");
    require_reason(tacit_audit_cells(&audit, cells, NULL, NULL, run, &err), &err);
    for (int32_t k = 0; audit && k < audit->cell_count; k++) {
        const tacit_cell_finding *f = &audit->cells[k];
        require(f->low <= cells->value[f->cell] && f->high >= cells->value[f->cell], "an interval");
    }
    tacit_cells_audit_free(audit);
}

static void read_csv(tacit_strview text, bool records, bool rich, bool release)
{
    static const tacit_dimension_spec DIMENSIONS[] = {{.column = "a"},
                                                      {.column = "b", .total = "T"}};
    tacit_cells_spec spec;
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_cells_spec_init(&spec);
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    spec.dimensions = DIMENSIONS;
    spec.dimension_count = 2;
    spec.negative = rich;
    spec.release = release;
    spec.value = rich ? "v" : NULL;
    spec.weight = records && rich ? "w" : NULL;
    spec.holding = records && rich ? "h" : NULL;
    if (tacit_table_read_memory(&table, text, "f.csv", &options, &run, NULL) != TACIT_OK)
        return;
    tacit_status status = (records ? tacit_cells_from_records
                                   : tacit_cells_from_table)(&cells, table, &spec, &run, &err);
    require_reason(status, &err);
    tacit_table_free(table);
    if (cells) {
        tacit_rules_options rules;
        tacit_rule rule = {.kind = TACIT_RULE_P, .p = 20};
        tacit_rules_options_init(&rules);
        check_cells(cells);
        if (cells->unknown)
            audit_cells(cells, &run);
        tacit_cells_apply_rules(cells, &rule, 1, &rules, NULL);
    }
    tacit_cells_free(cells);
}

static void read_hierarchies(tacit_strview text)
{
    tacit__draft draft = {0};
    tacit__arena arena = {0};
    tacit_dimension dimension = {0};
    tacit_error err = {0};
    const char *cut = text.len ? memmem(text.bytes, text.len, "\n\n", 2) : NULL;
    size_t first = cut ? (size_t)(cut - text.bytes) : text.len;
    tacit_status status =
        tacit__draft_bytes(&draft, (tacit_strview){text.bytes, first}, "1.hrc", &arena, &err);
    if (status == TACIT_OK && cut)
        status = tacit__draft_bytes(&draft, (tacit_strview){cut + 2, text.len - first - 2}, "2.hrc",
                                    &arena, &err);
    if (status == TACIT_OK)
        status = tacit__dimension_init(&dimension, &draft, tacit_strview_of("d"), &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        char standard[256];
        check_dimension(&dimension);
        tacit_dimension_standard(standard, sizeof standard, &dimension, 0);
    }
    tacit__dimension_clear(&dimension);
    tacit__draft_clear(&draft);
    tacit__arena_clear(&arena);
}

static void read_apriori(tacit_strview text)
{
    static const char JJ[] = "0\n2\n0 4 1 s 0 9 0 0 0\n1 4 1 u 0 9 1 1 0\n1\n0 2 : 0 (-1) 1 (1)\n";
    tacit_cells *cells = NULL;
    tacit_margin margin = {.margin = 10};
    tacit_error err = {0};
    tacit_cells_parse_jj(&cells, tacit_strview_of(JJ), "t", 0, NULL, NULL);
    require_reason(tacit_cells_parse_apriori(cells, text, "a.hst", &margin, &err), &err);
    for (int32_t i = 0; i < cells->count; i++)
        require(cells->cost[i] >= 0 && memchr("suxz", cells->status[i], 4), "a cell");
    tacit_cells_free(cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    tacit_strview text = {(const char *)data + 1, size - 1};
    switch (data[0]) {
    case 'h': read_hierarchies(text); break;
    case 'a': read_apriori(text); break;
    default: read_csv(text, data[0] & 1, data[0] & 2, data[0] & 4);
    }
    return 0;
}
