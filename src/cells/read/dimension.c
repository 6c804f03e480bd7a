/*
 * dimension.c - codes from names: folded, numbered, and checked across trees;
 * and copies of dimensions with names of their own.
 *
 * A name with a single part has the same cells as that part in every table. They are folded
 * into one code, or methods would have to protect a cell against itself: the relation
 * between them says that both are equal, and one could never be suppressed without the
 * other. Codes are numbered depth first, so that a flat or hierarchical dimension comes in the
 * order of its file.
 *
 * Several trees over the same codes (a region by province and by coast and inland) are not
 * nested in each other. What a code is the sum of is said by the first tree that gives it
 * parts; where another tree gives it parts too, both must come down to the same ground
 * codes, which are compared by a sum of their hashes, 64 bits; and parts of one code must not
 * overlap by what other trees say of them. Linear in the names of all trees and in the codes
 * above each ground code.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "cells/read/dimension.h"

/* What is needed while codes are numbered. */
typedef struct making {
    tacit_dimension *to;
    const tacit__draft *draft;
    int32_t *same; /* a name each: a name of the same code nearer to its first; itself at last */
    int32_t *code; /* a name each; -1: not yet */
    int32_t *work; /* a code (or name) each, for many uses */
    bool *inner;   /* a name each: it has parts */
    int32_t *parents[TACIT_MAX_TREES]; /* a name of the tree's list each: its parent's place */
} making;

void tacit__dimension_clear(tacit_dimension *dimension)
{
    for (int32_t i = 0; dimension->trees && i < dimension->tree_count; i++) {
        tacit__free(dimension->trees[i].parent);
        tacit__free(dimension->trees[i].level);
        tacit__free(dimension->trees[i].child_starts);
        tacit__free(dimension->trees[i].children);
    }
    tacit__free(dimension->trees);
    tacit__free(dimension->codes);
    tacit__free(dimension->labels);
    tacit__free(dimension->code_of);
    tacit__free(dimension->inner);
    tacit__free(dimension->order);
    tacit__free(dimension->definition);
    *dimension = (tacit_dimension){0};
}

static tacit_status allocate(making *m, tacit_error *err)
{
    size_t names = m->draft->names.count;
    tacit_dimension *to = m->to;
    to->tree_count = m->draft->tree_count;
    to->codes = tacit__alloc_array(names, sizeof *to->codes);
    to->labels = tacit__alloc_array(names, sizeof *to->labels);
    to->code_of = tacit__alloc_array(names, sizeof *to->code_of);
    to->inner = tacit__alloc_array(names, sizeof *to->inner);
    to->order = tacit__alloc_array(names, sizeof *to->order);
    to->definition = tacit__alloc_array(names, sizeof *to->definition);
    to->trees = tacit__alloc_zeroed((size_t)to->tree_count, sizeof *to->trees);
    m->same = tacit__alloc_array(names, sizeof *m->same);
    m->code = tacit__alloc_array(names, sizeof *m->code);
    m->work = tacit__alloc_array(names, sizeof *m->work);
    m->inner = tacit__alloc_zeroed(names, sizeof *m->inner);
    bool all = to->codes && to->labels && to->code_of && to->inner && to->order && to->definition &&
               to->trees && m->same && m->code && m->work && m->inner;
    for (int32_t t = 0; all && t < to->tree_count; t++) {
        m->parents[t] = tacit__alloc_array((size_t)m->draft->trees[t].count, sizeof(int32_t));
        all = m->parents[t] != NULL;
    }
    return all ? TACIT_OK : tacit__nomem(err);
}

static void find_parents(making *m, int32_t t)
{
    const tacit__draft_tree *tree = &m->draft->trees[t];
    int32_t *parents = m->parents[t];
    for (int32_t i = 0; i < tree->count; i++) {
        int32_t at = i - 1;
        while (at >= 0 && tree->depths[at] >= tree->depths[i])
            at = parents[at];
        parents[i] = at;
    }
}

static int32_t first_of(making *m, int32_t name)
{
    while (m->same[name] != name)
        name = m->same[name] = m->same[m->same[name]];
    return name;
}

/* Into work: how many parts each name has in a tree. */
static void count_parts(making *m, int32_t t)
{
    const tacit__draft_tree *tree = &m->draft->trees[t];
    memset(m->work, 0, m->draft->names.count * sizeof *m->work);
    for (int32_t i = 0; i < tree->count; i++)
        if (m->parents[t][i] >= 0)
            m->work[tree->labels[m->parents[t][i]]]++;
}

/* Joins every name that is its parent's only part with that parent. */
static void fold(making *m, int32_t t)
{
    const tacit__draft_tree *tree = &m->draft->trees[t];
    count_parts(m, t);
    for (int32_t i = 0; i < tree->count; i++) {
        if (m->parents[t][i] < 0)
            continue;
        int32_t parent = tree->labels[m->parents[t][i]];
        m->inner[parent] = true;
        if (m->work[parent] == 1)
            m->same[first_of(m, tree->labels[i])] = first_of(m, parent);
    }
}

/* Numbers codes and lists names in the order of the trees. */
static void number(making *m)
{
    tacit_dimension *to = m->to;
    const tacit_strview *names = m->draft->names.labels;
    for (uint32_t i = 0; i < m->draft->names.count; i++)
        m->code[i] = m->work[i] = -1;
    for (int32_t t = 0; t < to->tree_count; t++) {
        const tacit__draft_tree *tree = &m->draft->trees[t];
        for (int32_t i = 0; i < tree->count; i++) {
            int32_t name = tree->labels[i], first = first_of(m, name);
            if (m->work[name] >= 0)
                continue;
            if (m->code[first] < 0) {
                to->codes[to->code_count] = names[name];
                m->code[first] = to->code_count++;
            }
            m->work[name] = m->code[first];
            to->labels[to->label_count] = names[name];
            to->inner[to->label_count] = m->inner[name];
            to->code_of[to->label_count++] = m->code[first];
        }
    }
    memcpy(m->code, m->work, m->draft->names.count * sizeof *m->code);
}

static tacit_status disagree(const making *m, int32_t t, int32_t code, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, m->draft->trees[t].file, 0, 0,
                           "the hierarchies of dimension \"%s\" do not agree on what %s is "
                           "made of; its parts must come down to the same codes in each",
                           tacit__show(m->to->name).text,
                           tacit__show_value(err, m->to->codes[code]).text);
}

/* Parents and levels of a tree's codes. Another tree may have folded names that are not the
 * same in this one. */
static tacit_status climb(making *m, int32_t t, tacit_error *err)
{
    const tacit__draft_tree *from = &m->draft->trees[t];
    tacit_code_tree *tree = &m->to->trees[t];
    for (int32_t c = 0; c < m->to->code_count; c++)
        tree->parent[c] = tree->level[c] = -1;
    tree->root = m->code[from->labels[0]];
    tree->levels = 1;
    count_parts(m, t);
    for (int32_t i = 0; i < from->count; i++) {
        int32_t code = m->code[from->labels[i]];
        int32_t parent = m->parents[t][i] < 0 ? -1 : m->code[from->labels[m->parents[t][i]]];
        bool folded = parent == code && m->work[from->labels[m->parents[t][i]]] == 1;
        if (folded)
            continue;
        if (parent == code || tree->level[code] >= 0)
            return disagree(m, t, code, err);
        tree->parent[code] = parent;
        tree->level[code] = parent < 0 ? 0 : tree->level[parent] + 1;
        if (tree->level[code] >= tree->levels)
            tree->levels = tree->level[code] + 1;
    }
    return TACIT_OK;
}

/* Children of a tree's codes in the order of its list. */
static void list_children(making *m, int32_t t)
{
    const tacit__draft_tree *from = &m->draft->trees[t];
    tacit_code_tree *tree = &m->to->trees[t];
    int32_t codes = m->to->code_count;
    memset(tree->child_starts, 0, ((size_t)codes + 1) * sizeof *tree->child_starts);
    for (int32_t c = 0; c < codes; c++)
        if (tree->parent[c] >= 0)
            tree->child_starts[tree->parent[c] + 1]++;
    for (int32_t c = 0; c < codes; c++) {
        tree->child_starts[c + 1] += tree->child_starts[c];
        m->work[c] = tree->child_starts[c];
    }
    for (int32_t i = 0; i < from->count; i++) {
        int32_t code = m->code[from->labels[i]], up = m->parents[t][i];
        int32_t parent = tree->parent[code];
        /* a folded name comes again under its own code; the first time counts */
        if (up >= 0 && parent >= 0 && m->code[from->labels[up]] == parent)
            tree->children[m->work[parent]++] = code;
    }
}

static tacit_status build_tree(making *m, int32_t t, tacit_error *err)
{
    tacit_code_tree *tree = &m->to->trees[t];
    size_t codes = (size_t)m->to->code_count;
    tree->parent = tacit__alloc_array(codes, sizeof *tree->parent);
    tree->level = tacit__alloc_array(codes, sizeof *tree->level);
    tree->child_starts = tacit__alloc_array(codes + 1, sizeof *tree->child_starts);
    tree->children = tacit__alloc_array(codes, sizeof *tree->children);
    if (!tree->parent || !tree->level || !tree->child_starts || !tree->children)
        return tacit__nomem(err);
    tacit_status status = climb(m, t, err);
    if (status == TACIT_OK)
        list_children(m, t);
    return status;
}

static int32_t part_count(const tacit_dimension *d, int32_t t, int32_t code)
{
    return d->trees[t].child_starts[code + 1] - d->trees[t].child_starts[code];
}

static void define(tacit_dimension *d)
{
    for (int32_t c = 0; c < d->code_count; c++) {
        d->definition[c] = -1;
        for (int32_t t = d->tree_count - 1; t >= 0; t--)
            if (part_count(d, t, c))
                d->definition[c] = t;
    }
}

/* Lists codes when all their parts are listed. What is never listed is part of itself. */
static tacit_status order_codes(making *m, tacit_error *err)
{
    tacit_dimension *d = m->to;
    int32_t listed = 0;
    for (int32_t c = 0; c < d->code_count; c++) {
        m->work[c] = d->definition[c] < 0 ? 0 : part_count(d, d->definition[c], c);
        if (!m->work[c])
            d->order[listed++] = c;
    }
    for (int32_t i = 0; i < listed; i++)
        for (int32_t t = 0; t < d->tree_count; t++) {
            int32_t parent = d->trees[t].parent[d->order[i]];
            if (parent >= 0 && d->definition[parent] == t && --m->work[parent] == 0)
                d->order[listed++] = parent;
        }
    for (int32_t c = 0; listed < d->code_count && c < d->code_count; c++)
        if (m->work[c])
            return disagree(m, d->definition[c], c, err);
    return TACIT_OK;
}

static uint64_t parts_hash(const tacit_dimension *d, int32_t t, int32_t code,
                           const uint64_t *hashes)
{
    const tacit_code_tree *tree = &d->trees[t];
    uint64_t hash = 0;
    for (int32_t i = tree->child_starts[code]; i < tree->child_starts[code + 1]; i++)
        hash += hashes[tree->children[i]];
    return hash;
}

/* Whether every tree that gives a code parts comes down to the same ground. */
static tacit_status compare_trees(const making *m, tacit_error *err)
{
    const tacit_dimension *d = m->to;
    tacit_status status = TACIT_OK;
    uint64_t *hashes = tacit__alloc_array((size_t)d->code_count, sizeof *hashes);
    if (!hashes)
        return tacit__nomem(err);
    for (int32_t i = 0; i < d->code_count; i++) {
        int32_t c = d->order[i], t = d->definition[c];
        hashes[c] = t < 0 ? tacit__mix((uint64_t)c + 1) : parts_hash(d, t, c, hashes);
    }
    for (int32_t t = 1; t < d->tree_count; t++)
        for (int32_t c = 0; status == TACIT_OK && c < d->code_count; c++)
            if (part_count(d, t, c) && parts_hash(d, t, c, hashes) != hashes[c])
                status = disagree(m, t, c, err);
    tacit__free(hashes);
    return status;
}

/* Into seen: for each code, how many ground codes lie under it. seen and stamps are zeros. */
static void count_ground(const tacit_dimension *d, int64_t *seen, int32_t *stamps, int32_t *stack)
{
    for (int32_t ground = 0; ground < d->code_count; ground++) {
        int32_t open = 0;
        if (d->definition[ground] < 0)
            stack[open++] = ground;
        while (open) {
            int32_t c = stack[--open];
            seen[c]++;
            for (int32_t t = 0; t < d->tree_count; t++) {
                int32_t parent = d->trees[t].parent[c];
                if (parent < 0 || d->definition[parent] != t || stamps[parent] == ground + 1)
                    continue;
                stamps[parent] = ground + 1;
                stack[open++] = parent;
            }
        }
    }
}

/* Parts that another tree lets overlap would count twice. */
static tacit_status compare_sums(const making *m, const int64_t *seen, int64_t *sums,
                                 tacit_error *err)
{
    const tacit_dimension *d = m->to;
    for (int32_t i = 0; i < d->code_count; i++) {
        int32_t c = d->order[i], t = d->definition[c];
        sums[c] = t < 0;
        for (int32_t j = t < 0 ? 0 : d->trees[t].child_starts[c];
             t >= 0 && j < d->trees[t].child_starts[c + 1]; j++)
            sums[c] += sums[d->trees[t].children[j]];
        if (sums[c] != seen[c])
            return disagree(m, t, c, err);
    }
    return TACIT_OK;
}

static tacit_status check_overlaps(making *m, tacit_error *err)
{
    size_t codes = (size_t)m->to->code_count;
    int64_t *seen = tacit__alloc_zeroed(codes, sizeof *seen);
    int64_t *sums = tacit__alloc_array(codes, sizeof *sums);
    int32_t *stamps = tacit__alloc_zeroed(codes, sizeof *stamps);
    tacit_status status = seen && sums && stamps ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        count_ground(m->to, seen, stamps, m->work);
        status = compare_sums(m, seen, sums, err);
    }
    tacit__free(seen);
    tacit__free(sums);
    tacit__free(stamps);
    return status;
}

static tacit_status make(making *m, tacit_error *err)
{
    tacit_status status = allocate(m, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < m->draft->names.count; i++)
        m->same[i] = (int32_t)i;
    for (int32_t t = 0; t < m->to->tree_count; t++) {
        find_parents(m, t);
        fold(m, t);
    }
    number(m);
    for (int32_t t = 0; status == TACIT_OK && t < m->to->tree_count; t++)
        status = build_tree(m, t, err);
    if (status == TACIT_OK) {
        define(m->to);
        status = order_codes(m, err);
    }
    if (status == TACIT_OK && m->to->tree_count > 1)
        status = compare_trees(m, err);
    if (status == TACIT_OK && m->to->tree_count > 1)
        status = check_overlaps(m, err);
    return status;
}

tacit_status tacit__dimension_init(tacit_dimension *dimension, const tacit__draft *draft,
                                   tacit_strview name, tacit_error *err)
{
    tacit_dimension made = {.name = name};
    making m = {.to = &made, .draft = draft};
    tacit_status status = make(&m, err);
    tacit__free(m.same);
    tacit__free(m.code);
    tacit__free(m.work);
    tacit__free(m.inner);
    for (int32_t t = 0; t < TACIT_MAX_TREES; t++)
        tacit__free(m.parents[t]);
    if (status == TACIT_OK)
        *dimension = made;
    else
        tacit__dimension_clear(&made);
    return status;
}

static int32_t *copy_numbers(const int32_t *from, int32_t count)
{
    int32_t *to = tacit__alloc_array((size_t)count, sizeof *to);
    if (to)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static tacit_strview *copy_names(const tacit_strview *from, int32_t count, tacit__arena *arena)
{
    tacit_strview *to = tacit__alloc_array((size_t)count, sizeof *to);
    for (int32_t i = 0; to && i < count; i++) {
        to[i] = tacit__arena_copy(arena, from[i]);
        if (!to[i].bytes) {
            tacit__free(to);
            return NULL;
        }
    }
    return to;
}

static bool copy_tree(tacit_code_tree *to, const tacit_code_tree *from, int32_t codes)
{
    to->root = from->root;
    to->levels = from->levels;
    to->parent = copy_numbers(from->parent, codes);
    to->level = copy_numbers(from->level, codes);
    to->child_starts = copy_numbers(from->child_starts, codes + 1);
    to->children =
        to->child_starts ? copy_numbers(from->children, from->child_starts[codes]) : NULL;
    return to->parent && to->level && to->child_starts && to->children;
}

static bool copy_into(tacit_dimension *to, const tacit_dimension *from, tacit__arena *arena)
{
    to->name = tacit__arena_copy(arena, from->name);
    to->code_count = from->code_count;
    to->label_count = from->label_count;
    to->tree_count = from->tree_count;
    to->codes = copy_names(from->codes, from->code_count, arena);
    to->labels = copy_names(from->labels, from->label_count, arena);
    to->code_of = copy_numbers(from->code_of, from->label_count);
    to->inner = tacit__alloc_array((size_t)from->label_count, sizeof *to->inner);
    if (to->inner)
        memcpy(to->inner, from->inner, (size_t)from->label_count * sizeof *to->inner);
    to->order = copy_numbers(from->order, from->code_count);
    to->definition = copy_numbers(from->definition, from->code_count);
    to->trees = tacit__alloc_zeroed((size_t)from->tree_count, sizeof *to->trees);
    bool all = to->name.bytes && to->codes && to->labels && to->code_of && to->inner && to->order &&
               to->definition && to->trees;
    for (int32_t t = 0; all && t < from->tree_count; t++)
        all = copy_tree(&to->trees[t], &from->trees[t], from->code_count);
    return all;
}

tacit_status tacit__dimension_copy(tacit_dimension *to, const tacit_dimension *from,
                                   tacit__arena *arena, tacit_error *err)
{
    tacit_dimension made = {0};
    if (!copy_into(&made, from, arena)) {
        tacit__dimension_clear(&made);
        return tacit__nomem(err);
    }
    *to = made;
    return TACIT_OK;
}
