/*
 * test_summary_random.c - what follows from frequencies on thousands of small random releases,
 * trees and tables, against an adversary who goes through all originals that are consistent with
 * both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "audit/summary/summary.h"
#include "naive_csv.h" /* draw */
#include "random_cases.h"

enum { NODES = 9, SUBJECTS = 6, COLUMNS = 3, TABLES = 5, ENTRIES = 64, FACTS = 64, MANY = 100000 };

static uint64_t seed;
static int64_t programs, saved; /* that were solved in all cases, and that need not have been */

typedef struct tree {
    uint32_t count, ends[NODES], leaves[NODES], leaf_count;
} tree;

typedef struct cut_table {
    int32_t columns[COLUMNS], width;
    uint32_t cut[COLUMNS][NODES]; /* a leaf each: the value that holds it */
    uint32_t nodes[ENTRIES * COLUMNS];
    int64_t counts[ENTRIES];
    int64_t entries;
    char name[16];
} cut_table;

typedef struct instance {
    int columns, subjects, rows, tables;
    tree trees[COLUMNS];
    uint32_t values[SUBJECTS][COLUMNS]; /* leaves */
    uint32_t labels[COLUMNS][SUBJECTS]; /* of the rows; of the tuples left out: 0 */
    cut_table cuts[TABLES];
    /* for the engine */
    tacit__summary_column column[COLUMNS];
    tacit__summary_table table[TABLES];
    uint32_t identity[NODES];
    tacit__scene scene;
} instance;

/* ---- drawing ---- */

static void draw_tree(tree *t, uint64_t *random)
{
    uint32_t parents[NODES] = {0};
    t->count = 1 + draw(random, NODES);
    for (uint32_t i = 1; i < t->count; i++) {
        parents[i] = i - 1;
        while (parents[i] > 0 && draw(random, 2))
            parents[i] = parents[parents[i]];
    }
    for (uint32_t i = t->count; i-- > 0;) {
        t->ends[i] = i + 1;
        for (uint32_t k = i + 1; k < t->count; k++)
            if (parents[k] == i)
                t->ends[i] = t->ends[k];
    }
    t->leaf_count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->ends[i] == i + 1)
            t->leaves[t->leaf_count++] = i;
}

static bool holds(const tree *t, uint32_t a, uint32_t b)
{
    return a <= b && b < t->ends[a];
}

/* A cut of the tree: for every leaf, the node above it that is a value. */
static void draw_cut(uint32_t *cut, const tree *t, uint64_t *random)
{
    for (uint32_t i = 0; i < t->count;) {
        bool stop = t->ends[i] == i + 1 || draw(random, 3) == 0;
        for (uint32_t k = i; stop && k < t->ends[i]; k++)
            cut[k] = i;
        i = stop ? t->ends[i] : i + 1;
    }
}

/* One to three nodes, most of which differ in the first: memcmp would take longer to be called. */
static inline bool same_nodes(const uint32_t *a, const uint32_t *b, int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static int64_t entry_of(const cut_table *t, const uint32_t *nodes)
{
    for (int64_t e = 0; e < t->entries; e++)
        if (same_nodes(t->nodes + e * t->width, nodes, t->width))
            return e;
    return -1;
}

static void add_subject(cut_table *t, const uint32_t *value, int64_t count)
{
    uint32_t nodes[COLUMNS];
    for (int32_t i = 0; i < t->width; i++)
        nodes[i] = t->cut[i][value[t->columns[i]]];
    int64_t e = entry_of(t, nodes);
    if (e < 0) {
        assert_true(t->entries < ENTRIES);
        e = t->entries++;
        memcpy(t->nodes + e * t->width, nodes, (size_t)t->width * sizeof *nodes);
        t->counts[e] = 0;
    }
    t->counts[e] += count;
}

static void draw_value(uint32_t *value, const instance *in, uint64_t *random)
{
    for (int c = 0; c < in->columns; c++)
        value[c] = in->trees[c].leaves[draw(random, in->trees[c].leaf_count)];
}

static void draw_table(instance *in, uint64_t columns, uint64_t *random)
{
    cut_table *t = &in->cuts[in->tables];
    uint32_t value[COLUMNS];
    *t = (cut_table){0};
    snprintf(t->name, sizeof t->name, "table %d", in->tables++);
    for (int c = 0; c < in->columns; c++)
        if (columns >> c & 1) {
            draw_cut(t->cut[t->width], &in->trees[c], random);
            t->columns[t->width++] = c;
        }
    for (int zeros = (int)draw(random, 3); zeros > 0; zeros--) {
        draw_value(value, in, random);
        add_subject(t, value, 0);
    }
    for (int s = 0; s < in->subjects; s++)
        add_subject(t, in->values[s], 1);
}

static void draw_tables(instance *in, bool joint, uint64_t *random)
{
    uint64_t all = (UINT64_C(1) << in->columns) - 1, covered = 0;
    for (int left = 1 + (int)draw(random, 3); left > 0; left--) {
        uint64_t columns = joint ? 1 + draw(random, (uint32_t)all)
                                 : UINT64_C(1) << draw(random, (uint32_t)in->columns);
        draw_table(in, columns, random);
        covered |= columns;
    }
    if (covered != all)
        for (int c = 0; c < in->columns && in->tables < TABLES; c++)
            if (!(covered >> c & 1)) {
                draw_table(in, UINT64_C(1) << c, random);
                covered |= UINT64_C(1) << c;
            }
    assert_int_equal(covered, all);
}

static void draw_labels(instance *in, uint64_t *random)
{
    memset(in->labels, 0, sizeof in->labels);
    for (int c = 0; c < in->columns; c++)
        for (int s = 0; s < in->rows; s++) {
            uint32_t above[NODES], count = 0;
            for (uint32_t i = 0; i < in->trees[c].count; i++)
                if (holds(&in->trees[c], i, in->values[s][c]))
                    above[count++] = i;
            in->labels[c][s] = draw(random, 3) == 0 ? 0 : above[draw(random, count)];
        }
}

/* What the engine gets. */
static void make_scene(instance *in)
{
    for (uint32_t i = 0; i < NODES; i++)
        in->identity[i] = i;
    for (int c = 0; c < in->columns; c++)
        in->column[c] = (tacit__summary_column){.name = "column",
                                                .ends = in->trees[c].ends,
                                                .node_count = in->trees[c].count,
                                                .codes = {in->labels[c], 4},
                                                .node_of = in->identity,
                                                .code_count = in->trees[c].count};
    for (int t = 0; t < in->tables; t++)
        in->table[t] = (tacit__summary_table){.name = in->cuts[t].name,
                                              .column_count = in->cuts[t].width,
                                              .columns = in->cuts[t].columns,
                                              .entry_count = in->cuts[t].entries,
                                              .nodes = in->cuts[t].nodes,
                                              .counts = in->cuts[t].counts};
    in->scene = (tacit__scene){.rows = in->rows,
                               .columns = in->column,
                               .column_count = in->columns,
                               .tables = in->table,
                               .table_count = in->tables,
                               .only = -1,
                               .limits = tacit__summary_usual};
    in->scene.limits.everything = true;
}

static void draw_instance(instance *in, bool joint, uint64_t *random)
{
    *random = *random * UINT64_C(0x9E3779B97F4A7C15) | 1;
    *in = (instance){.columns = joint ? 2 + (int)draw(random, COLUMNS - 1)
                                      : 1 + (int)draw(random, COLUMNS),
                     .subjects = 1 + (int)draw(random, SUBJECTS)};
    in->rows = in->subjects - (draw(random, 2) ? 0 : (int)draw(random, (uint32_t)in->subjects + 1));
    for (int c = 0; c < in->columns; c++)
        draw_tree(&in->trees[c], random);
    for (int s = 0; s < in->subjects; s++)
        draw_value(in->values[s], in, random);
    draw_tables(in, joint, random);
    draw_labels(in, random);
    make_scene(in);
}

/* ---- the adversary ---- */

typedef struct watched {
    int32_t column;
    uint32_t members; /* bits of subjects */
    int64_t least[NODES], most[NODES];
} watched;

typedef struct adversary {
    const instance *in;
    uint32_t now[SUBJECTS][COLUMNS];
    int64_t left[TABLES][ENTRIES];
    watched facts[FACTS];
    int fact_count;
    long originals, steps;
} adversary;

/* The finest value that the tables, or only one of them, have for a leaf. */
static uint32_t state_by(const instance *in, int only, int column, uint32_t leaf)
{
    uint32_t finest = 0;
    for (int t = only < 0 ? 0 : only; t < (only < 0 ? in->tables : only + 1); t++)
        for (int32_t i = 0; i < in->cuts[t].width; i++)
            if (in->cuts[t].columns[i] == column && in->cuts[t].cut[i][leaf] > finest)
                finest = in->cuts[t].cut[i][leaf];
    return finest;
}

static uint32_t state_of(const instance *in, int column, uint32_t leaf)
{
    return state_by(in, -1, column, leaf);
}

/* Moves a subject in or out of the tables; false where one has no room. */
static bool move(adversary *a, int subject, int64_t by)
{
    const instance *in = a->in;
    bool fits = true;
    for (int t = 0; t < in->tables; t++) {
        const cut_table *cut = &in->cuts[t];
        uint32_t nodes[COLUMNS];
        for (int32_t i = 0; i < cut->width; i++)
            nodes[i] = cut->cut[i][a->now[subject][cut->columns[i]]];
        int64_t e = entry_of(cut, nodes);
        if (e < 0)
            fits = false;
        else if ((a->left[t][e] += by) < 0)
            fits = false;
    }
    return fits;
}

static void look(adversary *a)
{
    a->originals++;
    for (int f = 0; f < a->fact_count; f++) {
        watched *w = &a->facts[f];
        int64_t counts[NODES] = {0};
        for (int s = 0; s < a->in->subjects; s++)
            for (uint32_t i = 0; w->members >> s & 1 && i < a->in->trees[w->column].count; i++)
                counts[i] += holds(&a->in->trees[w->column], i, a->now[s][w->column]);
        for (int i = 0; i < NODES; i++) {
            w->least[i] = counts[i] < w->least[i] ? counts[i] : w->least[i];
            w->most[i] = counts[i] > w->most[i] ? counts[i] : w->most[i];
        }
    }
}

static void try_subject(adversary *a, int subject, int column)
{
    const instance *in = a->in;
    if (++a->steps > MANY)
        return;
    if (subject == in->subjects) {
        look(a);
        return;
    }
    if (column == in->columns) {
        if (move(a, subject, -1))
            try_subject(a, subject + 1, 0);
        move(a, subject, 1);
        return;
    }
    const tree *t = &in->trees[column];
    for (uint32_t i = 0; i < t->leaf_count; i++)
        if (holds(t, in->labels[column][subject], t->leaves[i])) {
            a->now[subject][column] = t->leaves[i];
            try_subject(a, subject, column + 1);
        }
}

static void enumerate(adversary *a, const instance *in)
{
    a->in = in;
    a->originals = a->steps = 0;
    for (int t = 0; t < in->tables; t++)
        memcpy(a->left[t], in->cuts[t].counts, sizeof a->left[t]);
    for (int f = 0; f < a->fact_count; f++)
        for (int i = 0; i < NODES; i++) {
            a->facts[f].least[i] = SUBJECTS + 1;
            a->facts[f].most[i] = 0;
        }
    try_subject(a, 0, 0);
}

/* ---- comparing ---- */

/* A label as it counts: the state that holds it, or itself. */
static uint32_t placed(const instance *in, int only, int column, uint32_t label)
{
    const tree *t = &in->trees[column];
    for (uint32_t i = 0; i < t->leaf_count; i++)
        if (holds(t, label, t->leaves[i])) {
            uint32_t state = state_by(in, only, column, t->leaves[i]);
            return holds(t, state, label) ? state : label;
        }
    return label;
}

/* The subjects of a fact's class. */
static uint32_t members_of(const instance *in, const tacit_summary_fact *fact)
{
    uint32_t members = 0;
    if (fact->row == 0)
        return (1u << in->subjects) - (1u << in->rows);
    bool joint = fact->columns & (fact->columns - 1);
    for (int s = 0; s < in->rows; s++) {
        bool same = true;
        for (int c = 0; c < in->columns; c++) {
            uint32_t mine = in->labels[c][s], first = in->labels[c][fact->row - 1];
            if (fact->columns >> c & 1)
                same &= joint
                            ? placed(in, fact->table, c, mine) == placed(in, fact->table, c, first)
                            : mine == first;
        }
        members |= (uint32_t)same << s;
    }
    return members;
}

static void watch(adversary *a, const instance *in, const tacit__summary_facts *facts)
{
    a->fact_count = 0;
    for (int kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < facts->of[kind].count; i++) {
            const tacit_summary_fact *fact = &facts->of[kind].list[i];
            assert_true(a->fact_count < FACTS);
            uint32_t members = members_of(in, fact);
            assert_int_equal(__builtin_popcount(members), fact->rows);
            if (fact->row > 0)
                assert_int_equal(__builtin_ctz(members), fact->row - 1);
            a->facts[a->fact_count++] = (watched){.column = fact->column, .members = members};
        }
}

/* Whether a node occurs, and how many do under a label. */
static int64_t occurring(const instance *in, int column, uint32_t label)
{
    int64_t count = 0;
    uint32_t at = placed(in, -1, column, label);
    for (uint32_t i = 0; i < in->trees[column].count; i++) {
        bool occurs = false;
        for (int s = 0; s < in->subjects; s++)
            occurs |= state_of(in, column, in->values[s][column]) == i;
        count += occurs && holds(&in->trees[column], at, i);
    }
    return count;
}

/* Whether a node is a state: only these are compared. */
static bool is_state(const instance *in, int column, uint32_t node)
{
    const tree *t = &in->trees[column];
    for (uint32_t i = 0; i < t->leaf_count; i++)
        if (state_of(in, column, t->leaves[i]) == node)
            return true;
    return false;
}

/* States that some of the watched subjects can have. */
static int64_t possible_of(const watched *w, const instance *in)
{
    int64_t possible = 0;
    for (uint32_t i = 0; i < in->trees[w->column].count; i++)
        possible += w->most[i] > 0 && is_state(in, w->column, i);
    return possible;
}

static tacit_summary_kind kind_of(const watched *w, const instance *in, int64_t of)
{
    int64_t possible = possible_of(w, in), size = __builtin_popcount(w->members);
    bool counted = true;
    int s = __builtin_ctz(w->members);
    uint32_t label = in->labels[w->column][s];
    for (uint32_t i = 0; i < NODES; i++)
        counted &= !is_state(in, w->column, i) || w->most[i] == 0 || w->most[i] == w->least[i];
    for (uint32_t i = 0; i < NODES && possible == 1; i++)
        if (w->most[i] > 0 && is_state(in, w->column, i)) {
            assert_int_equal(w->least[i], size);
            bool wide = !holds(&in->trees[w->column], i, label);
            return wide ? TACIT_SUMMARY_VALUE : TACIT_SUMMARY_NOTHING;
        }
    if (possible < of)
        return TACIT_SUMMARY_NARROWED;
    return counted ? TACIT_SUMMARY_COUNTED : TACIT_SUMMARY_NOTHING;
}

static void compare_exact(const tacit_summary_fact *fact, const watched *w, const instance *in)
{
    int64_t possible = possible_of(w, in);
    int s = __builtin_ctz(w->members);
    assert_int_equal(fact->possible, possible);
    assert_int_equal(fact->share_count, possible);
    for (int32_t i = 0; i < fact->share_count; i++) {
        assert_int_equal(fact->shares[i].least, w->least[fact->shares[i].node]);
        assert_int_equal(fact->shares[i].most, w->most[fact->shares[i].node]);
    }
    int64_t of = occurring(in, fact->column, in->labels[fact->column][s]);
    assert_int_equal(fact->of, of);
    assert_int_equal(fact->kind, kind_of(w, in, of));
}

/* What is said is true, though more may follow. */
static void compare_true(const tacit_summary_fact *fact, const watched *w, const instance *in)
{
    const tree *t = &in->trees[fact->column];
    for (int32_t k = 0; k < fact->share_count; k++) {
        assert_true(fact->shares[k].least <= w->least[fact->shares[k].node]);
        assert_true(fact->shares[k].most >= w->most[fact->shares[k].node]);
    }
    for (uint32_t i = 0; i < t->leaf_count; i++) {
        bool listed = w->most[t->leaves[i]] == 0;
        for (int32_t k = 0; k < fact->share_count; k++)
            listed |= holds(t, fact->shares[k].node, t->leaves[i]);
        assert_true(listed);
    }
}

static const watched *fact_of(const adversary *a, int column, int subject)
{
    for (int f = 0; f < a->fact_count; f++)
        if (a->facts[f].column == column && a->facts[f].members >> subject & 1)
            return &a->facts[f];
    fail_msg("a row without a fact");
    return NULL;
}

/* The counts of rows and cells, from what was found of each row. */
static void compare_counts(const tacit__summary_counts *counts, const adversary *a)
{
    tacit__summary_counts own = {0};
    const instance *in = a->in;
    for (int s = 0; s < in->subjects; s++) {
        int known = 0, inferred = 0;
        for (int c = 0; c < in->columns; c++) {
            const watched *w = fact_of(a, c, s);
            int64_t possible = possible_of(w, in);
            int64_t of = occurring(in, c, in->labels[c][s]);
            known += possible == 1;
            inferred += kind_of(w, in, of) == TACIT_SUMMARY_VALUE;
            own.narrowed += s < in->rows && possible > 1 && possible < of;
        }
        if (s < in->rows) {
            own.values += inferred;
            own.rows += inferred > 0;
            own.tuples += inferred > 0 && known == in->columns;
        } else {
            own.left_out_values = inferred;
            own.left_out_known = inferred > 0 && known == in->columns;
        }
    }
    assert_int_equal(counts->values, own.values);
    assert_int_equal(counts->rows, own.rows);
    assert_int_equal(counts->tuples, own.tuples);
    assert_int_equal(counts->narrowed, own.narrowed);
    assert_int_equal(counts->left_out_values, own.left_out_values);
    assert_int_equal(counts->left_out_known, own.left_out_known);
}

/* ---- the tests ---- */

static bool compare(instance *in, bool exact)
{
    static adversary a;
    tacit__summary_facts facts = {0};
    tacit__summary_counts counts = {0};
    tacit_error err = {0};
    bool all;
    if (tacit__scene_check(&in->scene, &err) != TACIT_OK ||
        tacit__scene_count(&counts, &facts, &in->scene, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    watch(&a, in, &facts);
    enumerate(&a, in);
    all = a.steps <= MANY;
    if (all) {
        int f = 0;
        assert_true(a.originals > 0);
        for (int kind = 0; kind < 4; kind++)
            for (size_t i = 0; i < facts.of[kind].count; i++, f++) {
                if (counts.exact)
                    compare_exact(&facts.of[kind].list[i], &a.facts[f], in);
                compare_true(&facts.of[kind].list[i], &a.facts[f], in);
            }
        if (counts.exact)
            compare_counts(&counts, &a);
    }
    assert_true(counts.exact || !exact);
    programs += counts.programs;
    bool was_exact = counts.exact;
    tacit__summary_facts_clear(&facts);
    return all && was_exact;
}

/* Without what is of interest to tests alone fewer programs are solved, and the same is found. */
static void compare_usual(instance *in)
{
    tacit__summary_facts all = {0}, usual = {0};
    tacit__summary_counts counts = {0}, fewer = {0};
    tacit_error err = {0};
    assert_int_equal(tacit__scene_count(&counts, &all, &in->scene, &err), TACIT_OK);
    in->scene.limits.everything = false;
    assert_int_equal(tacit__scene_count(&fewer, &usual, &in->scene, &err), TACIT_OK);
    assert_true(fewer.programs <= counts.programs);
    saved += counts.programs - fewer.programs;
    assert_true(counts.values == fewer.values && counts.rows == fewer.rows &&
                counts.tuples == fewer.tuples && counts.narrowed == fewer.narrowed &&
                counts.exact == fewer.exact);
    assert_int_equal(all.total, usual.total);
    for (int kind = 1; kind < 4; kind++) {
        assert_int_equal(all.of[kind].count, usual.of[kind].count);
        for (size_t i = 0; i < all.of[kind].count; i++) {
            const tacit_summary_fact *a = &all.of[kind].list[i], *b = &usual.of[kind].list[i];
            assert_true(a->row == b->row && a->column == b->column && a->rows == b->rows);
            assert_int_equal(a->share_count, b->share_count);
            for (int32_t k = 0; k < a->share_count; k++)
                assert_true(a->shares[k].node == b->shares[k].node &&
                            a->shares[k].least == b->shares[k].least &&
                            a->shares[k].most == b->shares[k].most);
        }
    }
    tacit__summary_facts_clear(&all);
    tacit__summary_facts_clear(&usual);
}

static void run_cases(bool joint, uint64_t cases)
{
    uint64_t compared = 0;
    programs = saved = 0;
    for (uint64_t i = 1; i <= cases; i++) {
        static instance in;
        uint64_t random = seed = i;
        draw_instance(&in, joint, &random);
        compared += compare(&in, true);
        compare_usual(&in);
    }
    assert_true(compared > cases / 2);
    assert_true(joint ? programs > (int64_t)cases && saved > 0 : programs == 0);
    seed = 0;
}

static void test_single(void **state)
{
    (void)state;
    run_cases(false, many_cases(4000));
}

static void test_joint(void **state)
{
    (void)state;
    run_cases(true, many_cases(4000));
}

/* Whatever the limits are, what is said is true, and where it is called exact it is. */
static void test_limits(void **state)
{
    (void)state;
    uint64_t cases = many_cases(3000), inexact = 0;
    for (uint64_t i = 1; i <= cases; i++) {
        static instance in;
        uint64_t random = seed = i;
        draw_instance(&in, true, &random);
        switch (i % 6) {
        case 0: in.scene.limits.variables = 2; break;
        case 1: in.scene.limits.steps = 1 + (int64_t)draw(&random, 40); break;
        case 2: in.scene.limits.block = 3; break;
        case 3: in.scene.limits.integers = 0; break;
        case 4: in.scene.limits.programs = draw(&random, 4); break;
        default: in.scene.limits.nodes = 1; break;
        }
        inexact += !compare(&in, false);
    }
    assert_true(inexact > cases / 50);
    seed = 0;
}

/* Frequencies of which some were changed: refused if and only if no original has them. */
static void test_contradictions(void **state)
{
    (void)state;
    uint64_t cases = many_cases(3000), refused = 0, kept = 0;
    for (uint64_t i = 1; i <= cases; i++) {
        static instance in;
        static adversary a;
        uint64_t random = seed = i;
        tacit_error err = {0};
        tacit__summary_facts facts = {0};
        tacit__summary_counts counts;
        draw_instance(&in, draw(&random, 2), &random);
        cut_table *t = &in.cuts[draw(&random, (uint32_t)in.tables)];
        int64_t from = draw(&random, (uint32_t)t->entries),
                to = draw(&random, (uint32_t)t->entries);
        while (t->counts[from] == 0)
            from = (from + 1) % t->entries;
        if (to == from)
            to = (to + 1) % t->entries;
        t->counts[from]--;
        t->counts[to]++;
        assert_int_equal(tacit__scene_check(&in.scene, &err), TACIT_OK);
        tacit_status status = tacit__scene_count(&counts, &facts, &in.scene, &err);
        a.fact_count = 0;
        enumerate(&a, &in);
        if (status != TACIT_OK) {
            assert_int_equal(status, TACIT_PARSE);
            assert_non_null(strstr(err.message, "contradict"));
        }
        if (a.steps <= MANY)
            assert_int_equal(status == TACIT_OK, a.originals > 0);
        refused += status != TACIT_OK;
        kept += status == TACIT_OK;
        tacit__summary_facts_clear(&facts);
    }
    assert_true(refused > cases / 10 && kept > cases / 10);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_single, &seed),
        random_test(test_joint, &seed),
        random_test(test_limits, &seed),
        random_test(test_contradictions, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
