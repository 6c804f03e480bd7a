/*
 * joint.c - columns that frequencies tie together; see summary.h.
 *
 * Rows with the same labels in these columns are one class: what follows of one follows of all, so
 * the originals are told by how many rows of each class have each combination of states.
 * Classes for which one combination is left are settled, and their rows taken from the
 * frequencies, which leaves other classes with less to choose from; most rows of a release go this
 * way. The others are open: blocks.c makes programs of them, which program.c
 * solves. Beyond the scene's limits each table is to be asked by itself; and where that is too
 * much, an open class is known by its columns one by one (nested.c). What is said then is
 * true, but may not be all: the answer is not exact.
 *
 * A table that another one implies (the frequencies of a column beside those of the column
 * with another) is compared with it once and left out.
 *
 * Cost: sorting the rows by these columns, and a few walks over what each class can be. Memory: 4
 * bytes a row and column while classes are made, 4 a row afterwards.
 */
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"

enum { ROUNDS = 8 }; /* of settling classes; programs do the rest */

/* ---- tables ---- */

/* Whether a table follows from another. Where it has other numbers, they contradict each other. */
static tacit_status implied(bool *out, const tacit__scene *scene, const tacit__summary_table *table,
                            const tacit__summary_table *by, tacit_error *err)
{
    uint32_t nodes[TACIT_SUMMARY_COLUMNS] = {0};
    int64_t *sums = tacit__alloc_zeroed((size_t)table->entry_count, sizeof *sums);
    tacit_status status = sums ? TACIT_OK : tacit__nomem(err);
    bool all = status == TACIT_OK;
    for (int64_t e = 0; e < by->entry_count && all; e++) {
        for (int32_t i = 0; i < by->column_count; i++)
            nodes[by->columns[i]] = tacit__table_entry(by, e)[i];
        int64_t holding = tacit__entry_holding(scene, table, nodes);
        if (holding >= 0)
            sums[holding] += by->counts[e];
        all = holding >= 0 || by->counts[e] == 0;
    }
    for (int64_t e = 0; e < table->entry_count && all && status == TACIT_OK; e++)
        if (sums[e] != table->counts[e])
            status = tacit__error(err, TACIT_PARSE,
                                  "the frequencies of %s contradict those of %s: no data can have "
                                  "both",
                                  table->name, by->name);
    tacit__free(sums);
    *out = all;
    return status;
}

static tacit_status choose_tables(tacit__joint *j, tacit_error *err)
{
    const tacit__scene *scene = j->scene;
    tacit_status status = TACIT_OK;
    uint8_t dropped[TACIT_SUMMARY_TABLES] = {0};
    for (int32_t t = 0; t < scene->table_count && status == TACIT_OK; t++) {
        uint64_t bits = tacit__table_bits(&scene->tables[t]);
        dropped[t] = (bits & j->columns) == 0;
        for (int32_t by = 0; by < scene->table_count && !dropped[t] && status == TACIT_OK; by++) {
            bool follows = false;
            if (by != t && !dropped[by] && (bits & ~tacit__table_bits(&scene->tables[by])) == 0)
                status = implied(&follows, scene, &scene->tables[t], &scene->tables[by], err);
            dropped[t] = follows;
        }
        if (!dropped[t])
            j->tables[j->table_count++] = t;
    }
    return status;
}

static tacit_status count_entries(tacit__joint *j, tacit_error *err)
{
    int64_t total = 0;
    for (int32_t t = 0; t < j->table_count; t++) {
        j->offsets[t] = (int32_t)total;
        total += j->scene->tables[j->tables[t]].entry_count;
        if (total > INT32_MAX)
            return tacit__error(err, TACIT_LIMIT, "the tables of frequencies are too large");
    }
    j->offsets[j->table_count] = (int32_t)total;
    j->left = tacit__alloc_array((size_t)total, sizeof *j->left);
    if (!j->left)
        return tacit__nomem(err);
    for (int32_t t = 0; t < j->table_count; t++) {
        const tacit__summary_table *table = &j->scene->tables[j->tables[t]];
        if (table->entry_count)
            memcpy(j->left + j->offsets[t], table->counts,
                   (size_t)table->entry_count * sizeof *j->left);
    }
    return TACIT_OK;
}

/* ---- classes ---- */

/* The labels of a column, placed, a row each. */
static tacit_status place_rows(uint32_t *out, const tacit__joint *j, int32_t column,
                               tacit_error *err)
{
    const tacit__summary_column *c = &j->scene->columns[column];
    tacit_status status = TACIT_OK;
    for (int64_t row = 0; row < j->scene->rows && status == TACIT_OK; row += TACIT__BLOCK) {
        int64_t end = tacit__block_end(row / TACIT__BLOCK, j->scene->rows);
        for (int64_t i = row; i < end; i++)
            out[i] = j->nested[column]->place[c->node_of[tacit_codes_at(c->codes, i)]];
        status = tacit__summary_progress(j->scene->run, row, j->scene->rows, err);
    }
    return status;
}

static tacit_status make_partition(tacit__joint *j, tacit_error *err)
{
    uint32_t *placed[TACIT_SUMMARY_COLUMNS] = {NULL};
    tacit__keys keys = {.rows = j->scene->rows, .run = j->scene->run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < j->width && status == TACIT_OK; i++) {
        placed[i] = tacit__alloc_array((size_t)j->scene->rows, sizeof *placed[i]);
        status = placed[i] ? place_rows(placed[i], j, j->column[i], err) : tacit__nomem(err);
        if (status == TACIT_OK)
            status = tacit__keys_add(&keys, (tacit_codes_view){placed[i], 4},
                                     j->nested[j->column[i]]->node_count, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(&j->partition, &keys, err);
    tacit__keys_clear(&keys);
    for (int32_t i = 0; i < j->width; i++)
        tacit__free(placed[i]);
    return status;
}

/* Labels of classes, and of the tuples left out, which may be anything. */
static void label_classes(tacit__joint *j)
{
    int32_t count = (int32_t)j->partition.count;
    for (int32_t q = 0; q <= count; q++) {
        bool top = true;
        for (int32_t i = 0; i < j->width; i++) {
            const tacit__summary_column *c = &j->scene->columns[j->column[i]];
            uint32_t node =
                q < count ? c->node_of[tacit_codes_at(c->codes, j->partition.first[q])] : 0;
            uint32_t placed = j->nested[j->column[i]]->place[node];
            j->labels[(size_t)q * (size_t)j->width + (size_t)i] = placed;
            top &= placed == j->nested[j->column[i]]->place[0];
        }
        j->rows[q] = q < count ? j->partition.sizes[q] : 0;
        if (top && j->left_out > 0 && j->left_out_class < 0)
            j->left_out_class = q;
    }
    j->classes = count + (j->left_out_class == count);
}

static tacit_status make_classes(tacit__joint *j, tacit_error *err)
{
    tacit_status status = make_partition(j, err);
    if (status != TACIT_OK)
        return status;
    if (j->partition.count >= INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "the release has too many classes");
    size_t room = (size_t)j->partition.count + 1;
    j->labels = tacit__alloc_array(room * (size_t)j->width, sizeof *j->labels);
    j->rows = tacit__alloc_array(room, sizeof *j->rows);
    j->settled = tacit__alloc_zeroed(room, sizeof *j->settled);
    if (!j->labels || !j->rows || !j->settled)
        return tacit__nomem(err);
    label_classes(j);
    return TACIT_OK;
}

static tacit_status joint_init(tacit__joint *j, tacit_error *err)
{
    size_t tables = (size_t)j->scene->table_count;
    for (int32_t c = 0; c < j->scene->column_count; c++)
        if (j->columns >> c & 1) {
            j->local[c] = j->width;
            j->column[j->width++] = c;
        }
    j->tables = tacit__alloc_array(tables, sizeof *j->tables);
    j->offsets = tacit__alloc_array(tables + 1, sizeof *j->offsets);
    tacit_status status = j->tables && j->offsets ? choose_tables(j, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = count_entries(j, err);
    if (status == TACIT_OK)
        status = make_classes(j, err);
    return status;
}

static void joint_clear(tacit__joint *j)
{
    tacit__free(j->tables);
    tacit__free(j->offsets);
    tacit__free(j->left);
    tacit__free(j->labels);
    tacit__free(j->rows);
    tacit__free(j->settled);
    tacit__partition_clear(&j->partition);
}

/* ---- settling ---- */

tacit_status tacit__joint_contradiction(const tacit__joint *j, int32_t table, tacit_error *err)
{
    return tacit__error(
        err, TACIT_PARSE, "the frequencies of %s contradict the release%s: no original has both",
        j->scene->tables[j->tables[table]].name, j->table_count > 1 ? " and the other tables" : "");
}

/* Takes a class's rows from the frequencies of its only combination. */
static tacit_status settle(tacit__joint *j, int32_t index, const int32_t *entries,
                           const uint32_t *states, tacit_error *err)
{
    uint32_t *labels = j->labels + (size_t)index * (size_t)j->width;
    j->settled[index] = 1;
    memcpy(labels, states, (size_t)j->width * sizeof *labels);
    for (int32_t t = 0; t < j->table_count; t++) {
        j->left[entries[t]] -= tacit__joint_size(j, index);
        if (j->left[entries[t]] < 0)
            return tacit__joint_contradiction(j, t, err);
    }
    return TACIT_OK;
}

/* Settles a class if it has one combination. */
static tacit_status try_class(bool *changed, tacit__combo_walk *walk, int32_t *entries,
                              uint32_t *states, int32_t index, tacit_error *err)
{
    tacit__joint *j = walk->joint;
    tacit__combo_walk_start(walk, j->labels + (size_t)index * (size_t)j->width);
    if (!tacit__combo_walk_next(walk))
        return tacit__combo_walk_ended(walk) ? TACIT_OK
                                             : tacit__joint_contradiction(j, walk->deepest, err);
    for (int32_t t = 0; t < j->table_count; t++)
        entries[t] = j->offsets[t] + (int32_t)walk->at[t];
    memcpy(states, tacit__combo_walk_states(walk), (size_t)j->width * sizeof *states);
    if (tacit__combo_walk_next(walk) || tacit__combo_walk_ended(walk))
        return TACIT_OK;
    *changed = true;
    return settle(j, index, entries, states, err);
}

static tacit_status settle_classes(tacit__joint *j, tacit_error *err)
{
    tacit__combo_walk walk = {0};
    uint32_t states[TACIT_SUMMARY_COLUMNS];
    int32_t *entries = tacit__alloc_array((size_t)j->table_count, sizeof *entries);
    tacit_status status = entries ? tacit__combo_walk_init(&walk, j, err) : tacit__nomem(err);
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed && status == TACIT_OK; round++) {
        changed = false;
        for (int32_t q = 0; q < j->classes && status == TACIT_OK; q++) {
            if (!j->settled[q])
                status = try_class(&changed, &walk, entries, states, q, err);
            if (status == TACIT_OK && q % TACIT__BLOCK == 0)
                status = tacit__summary_progress(j->scene->run, q, j->classes, err);
        }
    }
    tacit__combo_walk_clear(&walk);
    tacit__free(entries);
    return status;
}

/* ---- what follows ---- */

typedef struct telling {
    tacit__joint *joint;
    tacit__combos combos;
    tacit__summary_shares shares;
    tacit__summary_facts *facts;
    tacit__joint_found *found;
} telling;

/* A part of a class: its rows in the release, or the tuples left out. */
typedef struct part {
    int32_t index;        /* of the class */
    int32_t open;         /* of the combos, where it is open and solved; otherwise -1 */
    int64_t rows, others; /* of this part, and of the other */
    int64_t row;
    tacit__summary_known *known;
} part;

/* The label of a class in a column, placed, as it was before anything was settled. */
static uint32_t placed_label(const tacit__joint *j, int32_t index, int32_t column)
{
    const tacit__summary_column *c = &j->scene->columns[column];
    uint32_t node = 0;
    if (index < j->partition.count)
        node = c->node_of[tacit_codes_at(c->codes, j->partition.first[index])];
    return j->nested[column]->place[node];
}

/* The states that rows of a part can have, by the targets of its class: of these some may be the
 * other part's. */
static tacit_status target_shares(telling *t, const part *p, int32_t local, tacit_error *err)
{
    const tacit__combos *combos = &t->combos;
    size_t at = (size_t)p->open * (size_t)t->joint->width + (size_t)local;
    tacit_status status = TACIT_OK;
    tacit__summary_shares_start(&t->shares);
    for (int32_t i = combos->target_starts[at];
         i < combos->target_starts[at + 1] && status == TACIT_OK; i++) {
        int64_t least = combos->least[i] - p->others, most = combos->most[i];
        if (most > 0)
            status =
                tacit__summary_shares_add(&t->shares, combos->target_node[i], least > 0 ? least : 0,
                                          most < p->rows ? most : p->rows, err);
    }
    return status;
}

static tacit_status part_shares(telling *t, const part *p, int32_t local, tacit_error *err)
{
    tacit__joint *j = t->joint;
    if (p->open >= 0)
        return target_shares(t, p, local, err);
    uint32_t label = j->labels[(size_t)p->index * (size_t)j->width + (size_t)local];
    if (!j->settled[p->index])
        return tacit__nested_shares(&t->shares, j->nested[j->column[local]], label, p->rows, err);
    tacit__summary_shares_start(&t->shares);
    return tacit__summary_shares_add(&t->shares, label, p->rows, p->rows, err);
}

static tacit_status tell_part(telling *t, const part *p, tacit_error *err)
{
    tacit__joint *j = t->joint;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < j->width && status == TACIT_OK; i++) {
        int32_t column = j->column[i];
        uint32_t label = placed_label(j, p->index, column);
        bool wide = !j->nested[column]->state[label];
        tacit_summary_fact fact = {.column = column,
                                   .table = j->scene->only,
                                   .columns = j->columns,
                                   .rows = p->rows,
                                   .row = p->row,
                                   .of = tacit__nested_occurring(j->nested[column], label)};
        status = part_shares(t, p, i, err);
        if (status == TACIT_OK)
            status = tacit__summary_facts_add(t->facts, &fact, &t->shares, wide, err);
        bool one = t->shares.possible == 1;
        p->known->known |= (uint64_t)one << column;
        p->known->inferred |= (uint64_t)(one && wide) << column;
        p->known->fewer |= (uint64_t)(!one && t->shares.possible < fact.of) << column;
    }
    return status;
}

static tacit_status tell_class(telling *t, int32_t index, int32_t open, tacit_error *err)
{
    tacit__joint *j = t->joint;
    int64_t rows = j->rows[index], out = index == j->left_out_class ? j->left_out : 0;
    tacit_status status = TACIT_OK;
    if (out > 0)
        status = tell_part(t, &(part){index, open, out, rows, 0, &t->found->left_out}, err);
    if (rows > 0 && status == TACIT_OK)
        status = tell_part(t,
                           &(part){index, open, rows, out, j->partition.first[index] + 1,
                                   &t->found->classes[index]},
                           err);
    return status;
}

static tacit_status tell_classes(telling *t, tacit_error *err)
{
    tacit__joint *j = t->joint;
    tacit_status status = TACIT_OK;
    int32_t open = 0;
    for (int32_t q = 0; q < j->classes && status == TACIT_OK; q++) {
        bool has = open < t->combos.open && t->combos.classes[open] == q;
        bool solved = has && t->combos.solved[open];
        j->exact &= j->settled[q] || solved;
        status = tell_class(t, q, solved ? open : -1, err);
        open += has;
        if (status == TACIT_OK && q % TACIT__BLOCK == 0)
            status = tacit__summary_progress(j->scene->run, q, j->classes, err);
    }
    return status;
}

/* Whether programs can be solved for every class that is open. */
static bool fits(const telling *t)
{
    const tacit__combos *combos = &t->combos;
    bool all = true;
    for (int32_t b = 0; b < combos->block_count; b++)
        all &=
            combos->block_starts[b + 1] - combos->block_starts[b] <= t->joint->scene->limits.block;
    for (int32_t q = 0; q < t->joint->classes && combos->open == 0; q++)
        all &= t->joint->settled[q];
    return all;
}

static tacit_status solve(telling *t, tacit_error *err)
{
    tacit_status status = tacit__combos_init(&t->combos, t->joint, err);
    if (status != TACIT_OK)
        return status;
    t->found->split = t->joint->table_count > 1 && !fits(t);
    for (int32_t b = 0; b < t->combos.block_count && !t->found->split && status == TACIT_OK; b++) {
        status = tacit__combos_solve(&t->combos, b, err);
        if (status == TACIT_OK)
            status = tacit__summary_progress(t->joint->scene->run, b, t->combos.block_count, err);
    }
    return status;
}

tacit_status tacit__joint_find(tacit__joint_found *found, tacit__summary_facts *facts,
                               const tacit__scene *scene, uint64_t columns,
                               tacit__nested *const *nested, tacit_error *err)
{
    tacit__joint joint = {.scene = scene,
                          .nested = nested,
                          .columns = columns,
                          .left_out_class = -1,
                          .left_out = scene->subjects - scene->rows,
                          .exact = true};
    telling t = {
        .joint = &joint, .facts = facts, .found = found, .shares = {.all = facts->everything}};
    tacit_status status = joint_init(&joint, err);
    if (status == TACIT_OK)
        status = settle_classes(&joint, err);
    if (status == TACIT_OK)
        status = solve(&t, err);
    if (status == TACIT_OK && !found->split) {
        found->classes = tacit__alloc_zeroed((size_t)joint.classes, sizeof *found->classes);
        status = found->classes ? tell_classes(&t, err) : tacit__nomem(err);
    }
    if (status == TACIT_OK && !found->split) {
        found->class_of = joint.partition.class_of;
        joint.partition.class_of = NULL;
        found->exact = joint.exact;
        found->programs = joint.programs;
    }
    tacit__free(t.shares.list);
    tacit__combos_clear(&t.combos);
    joint_clear(&joint);
    return status;
}

void tacit__joint_found_clear(tacit__joint_found *found)
{
    tacit__free(found->class_of);
    tacit__free(found->classes);
    *found = (tacit__joint_found){0};
}
