/*
 * hide.c - a dependency that nobody is to prove from the release, as few blanks as it takes (the
 * end of 2.2 of the paper).
 *
 * What counts is what the rows of a class have in the dependency's right. Where they differ already
 * within a class, they agree in everything else whatever is blank, and there is nothing to do;
 * otherwise each class has one value, and two rows of different values are made to agree in the
 * left. A right that is an attribute itself counts as it is released: a row that has it blank may
 * differ from any other, so there one more blank does for rows that are the same in the right. So
 * no blank that is added ever undoes what hides a dependency.
 *
 * Each column of the left in which two rows differ and neither is blank costs one blank, in the row
 * where it is cheaper. Which two rows need the cheapest blanks is found without looking at pairs:
 * for each pair of sets of blanks that occur (dependencies/groups.c) columns of the left are taken
 * one after the other, those with many values first, and either kept, which leaves rows that are
 * the same in it together, or given up, which costs at least the column's cheapest blank. Groups
 * without two values of the right are left out, and what cannot become cheaper than the best pair
 * so far is not followed. Where the left is minimal giving one column up is enough, so this ends
 * soon.
 *
 * Within a group any two rows of different values agree but for the columns given up. For each way
 * to deal these out to two rows the cheapest row for either share is taken, with a second one of
 * another value; so the best pair is found in one pass a way. Costs of a column are mostly the same
 * in all rows, and then only how many blanks each row takes matters. Otherwise the ways are
 * 2^columns; where more than MAX_DEALT columns are given up they are dealt out as if costs were
 * the same, and what is found may not be the cheapest.
 *
 * Memory: 8 bytes a row and a class, 4 bytes an item and column, and 6 bytes an item for each
 * column kept in hand. The depth is that of the columns, at most 64.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "records/ambiguate/state.h"
#include "records/dependencies/dependencies.h"

enum { MAX_DEALT = 12 };

static const char PHASE[] = "hiding a dependency";

typedef struct witness {
    double cost; /* INFINITY: none yet */
    uint32_t items[2];
    uint64_t blanks[2]; /* to be added */
} witness;

/* The search. Rows of the grid are items of the state. */
typedef struct seeker {
    const tacit__state *state;
    const tacit__tableau *tableau;
    const uint32_t *values; /* of the right, a class each */
    tacit__dependencies_grid grid;
    uint64_t *masks; /* an item each: blanks */
    bool *leave_out; /* an item each: not looked at */
    uint64_t left;
    int32_t right;     /* a column, or -1 */
    bool adds_right;   /* one of the two rows gets a blank there */
    uint64_t full;     /* columns that may not have another blank */
    double least[64];  /* the cheapest blank of a column */
    bool plain;        /* and there is no other cost in it */
    int32_t order[64]; /* columns of left, those with many values first */
    int32_t count;
    uint64_t kind[2]; /* blanks in left of the two rows looked for */
    witness best;
    const tacit_run *run;
} seeker;

static const tacit__item *item_of(const seeker *s, uint32_t index)
{
    return tacit__state_item(s->state, index);
}

static bool blank_in_right(const seeker *s, uint32_t index)
{
    return s->right >= 0 && (item_of(s, index)->mask >> s->right & 1);
}

/* What a row has in the right. One that is blank there differs from every other, and so does
 * every row where one of the two is to become it. */
static uint64_t value_of(const seeker *s, uint32_t index)
{
    if (s->adds_right || blank_in_right(s, index))
        return UINT64_C(1) << 32 | index;
    return s->values[item_of(s, index)->class_index];
}

static uint64_t right_bit(const seeker *s)
{
    return s->adds_right ? UINT64_C(1) << s->right : 0;
}

/* ---- the best pair of a group ---- */

/* The cheapest row for a share of the blanks, and the cheapest of those with another value. */
typedef struct pick {
    double cost;
    uint32_t item;
    uint64_t value;
} pick;

typedef struct picks {
    pick first, second; /* cost INFINITY: there is none */
} picks;

static void offer_pick(picks *p, pick new)
{
    if (new.value == p->first.value || p->first.cost == INFINITY) {
        if (new.cost < p->first.cost)
            p->first = new;
    } else if (new.cost < p->first.cost) {
        p->second = p->first;
        p->first = new;
    } else if (new.cost < p->second.cost)
        p->second = new;
}

static int32_t room_of(const seeker *s, const tacit__item *item)
{
    int32_t room = s->tableau->most_row - __builtin_popcountll(item->mask);
    return room > 0 ? room : 0;
}

static picks pick_rows(const seeker *s, const uint32_t *rows, uint32_t count, uint64_t kind,
                       uint64_t share)
{
    picks p = {{.cost = INFINITY}, {.cost = INFINITY}};
    for (uint32_t i = 0; i < count; i++) {
        const tacit__item *item = item_of(s, rows[i]);
        if ((item->mask & s->left) != kind || __builtin_popcountll(share) > room_of(s, item))
            continue;
        double cost = tacit__tableau_cost(s->tableau, item->class_index, share);
        offer_pick(&p, (pick){cost, rows[i], value_of(s, rows[i])});
    }
    return p;
}

static void try_pair(seeker *s, const pick *a, const pick *b, uint64_t share, uint64_t rest)
{
    if (a->cost == INFINITY || b->cost == INFINITY || a->value == b->value)
        return;
    if (a->cost + b->cost < s->best.cost)
        s->best = (witness){a->cost + b->cost, {a->item, b->item}, {share, rest}};
}

/* One way to deal the columns given up out. */
static void try_share(seeker *s, const uint32_t *rows, uint32_t count, uint64_t share,
                      uint64_t rest)
{
    picks a = pick_rows(s, rows, count, s->kind[0], share),
          b = pick_rows(s, rows, count, s->kind[1], rest);
    try_pair(s, &a.first, &b.first, share, rest);
    try_pair(s, &a.first, &b.second, share, rest);
    try_pair(s, &a.second, &b.first, share, rest);
}

static void try_group(seeker *s, const uint32_t *rows, uint32_t count, uint64_t given_up)
{
    if (s->plain || __builtin_popcountll(given_up) > MAX_DEALT) {
        uint64_t share = given_up; /* all to the first row, then one less, ... */
        for (;; share &= share - 1) {
            try_share(s, rows, count, share, given_up & ~share);
            if (!share)
                return;
        }
    }
    uint64_t share = given_up; /* every subset */
    do {
        try_share(s, rows, count, share, given_up & ~share);
        share = (share - 1) & given_up;
    } while (share != given_up);
}

/* ---- groups ---- */

/* Whether rows of both kinds are in a group, and more than one value. */
static bool may_differ(const seeker *s, const uint32_t *rows, uint32_t count)
{
    bool one = false, other = false, differ = false;
    for (uint32_t i = 0; i < count && !(one && other && differ); i++) {
        uint64_t kind = s->masks[rows[i]] & s->left;
        one |= kind == s->kind[0];
        other |= kind == s->kind[1];
        differ |= value_of(s, rows[i]) != value_of(s, rows[0]);
    }
    return one && other && differ;
}

/* Keeps the groups that may hold a pair. */
static void sift(const seeker *s, tacit__alike *groups)
{
    uint32_t kept = 0, end = 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        uint32_t start = groups->starts[g], count = groups->starts[g + 1] - start;
        if (!may_differ(s, groups->rows + start, count))
            continue;
        memmove(groups->rows + end, groups->rows + start, count * sizeof *groups->rows);
        end += count;
        groups->starts[kept++] = end - count;
        groups->starts[kept] = end;
    }
    groups->count = kept;
}

/* Keeps or gives up the columns from `at` on. */
static tacit_status descend(seeker *s, const tacit__alike *groups, int32_t at, uint64_t given_up,
                            double cost, tacit_error *err)
{
    while (at < s->count && (s->kind[0] | s->kind[1]) >> s->order[at] & 1)
        at++;
    if (at == s->count) {
        for (uint32_t g = 0; g < groups->count; g++)
            try_group(s, groups->rows + groups->starts[g],
                      groups->starts[g + 1] - groups->starts[g], given_up);
        return TACIT_OK;
    }
    int32_t column = s->order[at];
    tacit__alike finer = {0};
    tacit_status status = tacit__progress(s->run, PHASE, at, s->count, err);
    if (status == TACIT_OK)
        status = tacit__alike_refine(&finer, groups, &s->grid, column, err);
    if (status == TACIT_OK)
        sift(s, &finer);
    if (status == TACIT_OK && finer.count)
        status = descend(s, &finer, at + 1, given_up, cost, err);
    tacit__alike_clear(&finer);
    bool worth = cost + s->least[column] < s->best.cost && !(s->full >> column & 1) &&
                 __builtin_popcountll(given_up) < 2 * s->tableau->most_row;
    if (status == TACIT_OK && worth)
        status = descend(s, groups, at + 1, given_up | UINT64_C(1) << column,
                         cost + s->least[column], err);
    return status;
}

/* Rows that have the one set of blanks with rows that have the other. */
static tacit_status seek_pair(seeker *s, const tacit__blanked *by, uint32_t a, uint32_t b,
                              tacit_error *err)
{
    tacit__alike groups = {0};
    s->kind[0] = by->masks[a];
    s->kind[1] = by->masks[b];
    tacit_status status = tacit__blanked_group(&groups, by, a, b, err);
    if (status == TACIT_OK) {
        sift(s, &groups);
        if (groups.count)
            status =
                descend(s, &groups, 0, right_bit(s), s->adds_right ? s->least[s->right] : 0, err);
    }
    tacit__alike_clear(&groups);
    return status;
}

/* Two rows that are the same in all of left as they were, so that no blank is needed. */
static tacit_status seek_same(seeker *s, tacit_error *err)
{
    tacit__blanked by = {0};
    tacit__alike groups = {0};
    uint32_t a, b;
    tacit_status status = tacit__blanked_init(&by, s->masks, s->leave_out, s->grid.rows, 0, err);
    if (status == TACIT_OK && by.count)
        status = tacit__blanked_group(&groups, &by, 0, 0, err);
    if (status == TACIT_OK)
        status = tacit__alike_refine_all(&groups, &s->grid, s->left, err);
    for (uint32_t g = 0; status == TACIT_OK && g < groups.count; g++)
        for (uint32_t i = groups.starts[g] + 1; i < groups.starts[g + 1]; i++) {
            a = groups.rows[i - 1];
            b = groups.rows[i];
            if (s->best.cost > 0 && value_of(s, a) != value_of(s, b))
                s->best = (witness){.cost = 0, .items = {a, b}};
        }
    tacit__alike_clear(&groups);
    tacit__blanked_clear(&by);
    return status;
}

/* Two rows of one item, which are the same in everything: one blank in the right is enough. */
static void seek_twins(seeker *s)
{
    for (uint32_t i = 0; s->right >= 0 && i < s->grid.rows; i++) {
        const tacit__item *item = item_of(s, i);
        bool blank = blank_in_right(s, i), can = s->adds_right && room_of(s, item) > 0;
        if (s->leave_out[i] || item->rows < 2 || !(blank || can))
            continue;
        double cost = blank ? 0 : tacit__tableau_cost(s->tableau, item->class_index, right_bit(s));
        if (cost < s->best.cost)
            s->best = (witness){cost, {i, i}, {blank ? 0 : right_bit(s), 0}};
    }
}

static tacit_status seek_witness(seeker *s, tacit_error *err)
{
    tacit__blanked by = {0};
    tacit_status status = s->adds_right ? TACIT_OK : seek_same(s, err);
    seek_twins(s);
    if (status == TACIT_OK)
        status = tacit__blanked_init(&by, s->masks, s->leave_out, s->grid.rows, s->left, err);
    for (uint32_t b = 0; status == TACIT_OK && b < by.count; b++)
        for (uint32_t a = 0; status == TACIT_OK && a <= b && s->best.cost > 0; a++)
            status = seek_pair(s, &by, a, b, err);
    tacit__blanked_clear(&by);
    return status;
}

/* ---- the start and the end ---- */

/* What a blank costs at least, and whether rows differ in that. */
static void price(seeker *s)
{
    s->plain = true;
    for (int32_t c = 0; c < s->tableau->columns; c++) {
        s->least[c] = INFINITY;
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            double cost = s->tableau->costs[i * s->tableau->columns + c];
            s->plain &= s->least[c] == INFINITY || cost == s->least[c];
            s->least[c] = cost < s->least[c] ? cost : s->least[c];
        }
    }
}

/* Rows that are blank in the right need no other blank there. */
static void note_left_out(seeker *s)
{
    for (uint32_t i = 0; i < s->grid.rows; i++)
        s->leave_out[i] = item_of(s, i)->rows == 0 || (s->adds_right && blank_in_right(s, i));
}

static tacit_status fill_grid(seeker *s, tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    size_t width = (size_t)t->columns * sizeof *t->codes;
    uint32_t count = (uint32_t)tacit__state_count(s->state);
    tacit_status status = tacit__grid_init(&s->grid, count, t->columns, err);
    if (status != TACIT_OK)
        return status;
    s->masks = tacit__alloc_array(count, sizeof *s->masks);
    s->leave_out = tacit__alloc_array(count, sizeof *s->leave_out);
    if (!s->masks || !s->leave_out)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++) {
        const tacit__item *item = item_of(s, i);
        memcpy(s->grid.codes + (size_t)i * (size_t)t->columns,
               tacit__tableau_codes(t, item->class_index), width);
        s->masks[i] = item->mask;
    }
    note_left_out(s);
    for (int32_t c = 0; c < t->columns; c++)
        s->grid.domain[c] = t->domain[c];
    return tacit__grid_ready(&s->grid, err);
}

static void note_full(seeker *s)
{
    tacit__state_sums sums;
    tacit__state_sum(&sums, s->state);
    for (int32_t c = 0; c < s->tableau->columns; c++)
        s->full |= (uint64_t)(sums.column[c] >= s->tableau->most_column) << c;
}

/* As they are, and where that takes blanks in the left, with one in the right. */
static tacit_status seek_both(seeker *s, tacit_error *err)
{
    tacit_status status = seek_witness(s, err);
    if (status != TACIT_OK || s->right < 0 || s->best.cost == 0 || (s->full >> s->right & 1))
        return status;
    s->adds_right = true;
    note_left_out(s);
    return seek_witness(s, err);
}

/* Adds the blanks, and fixes those by which the two agree and, where they are the same in the
 * right, the one by which they may differ. */
static tacit_status settle(tacit__state *state, const seeker *s, tacit_error *err)
{
    const witness *w = &s->best;
    tacit__item items[2] = {*tacit__state_item(state, w->items[0]),
                            *tacit__state_item(state, w->items[1])};
    uint32_t classes[2] = {items[0].class_index, items[1].class_index};
    uint64_t needed = s->left & tacit__tableau_differ(s->tableau, classes[0], classes[1]);
    if (s->values[classes[0]] == s->values[classes[1]])
        needed |= UINT64_C(1) << s->right;
    for (int i = 0; i < 2; i++) {
        uint64_t mask = items[i].mask | w->blanks[i], fixed = items[i].fixed | (mask & needed);
        int64_t to;
        needed &= ~mask; /* one of two blanks is enough */
        if (mask == items[i].mask && fixed == items[i].fixed)
            continue;
        tacit_status status = tacit__state_change(&to, state, w->items[i], 1, mask, fixed, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

tacit_status tacit__state_hide(bool *found, int64_t *added, tacit__state *state, uint64_t left,
                               int32_t right, const uint32_t *values, const tacit_run *run,
                               tacit_error *err)
{
    seeker s = {.state = state,
                .tableau = tacit__state_tableau(state),
                .values = values,
                .left = left,
                .right = right,
                .best = {.cost = INFINITY},
                .run = run};
    tacit_error local = {0};
    price(&s);
    s.count = tacit__tableau_rank(s.order, s.tableau, left);
    note_full(&s);
    tacit_status status = fill_grid(&s, &local);
    if (status == TACIT_OK)
        status = seek_both(&s, &local);
    bool any = s.best.cost < INFINITY;
    if (status == TACIT_CANCELLED && any) /* the best so far */
        status = TACIT_OK;
    else if (status != TACIT_OK)
        tacit__error(err, status, "%s", local.message);
    if (status == TACIT_OK && any)
        status = settle(state, &s, err);
    if (status == TACIT_OK) {
        *found = any;
        *added = __builtin_popcountll(s.best.blanks[0]) + __builtin_popcountll(s.best.blanks[1]);
    }
    tacit__free(s.masks);
    tacit__free(s.leave_out);
    tacit__grid_clear(&s.grid);
    return status;
}

/* ---- the right of a dependency ---- */

/* What the right is in the rows of each class of the tableau. */
typedef struct rights {
    uint32_t *values;
    bool several; /* in one class */
} rights;

static int32_t attribute_of(const tacit_frame *frame, int32_t column)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        if (frame->attributes[a].column == column)
            return a;
    return -1;
}

static tacit_status read_rows(rights *r, const tacit__tableau *tableau, const tacit_frame *frame,
                              const tacit_classes *classes, int32_t column, const tacit_run *run,
                              tacit_error *err)
{
    tacit_codes_view codes = tacit_table_codes(frame->table, column);
    int64_t rows = tacit_table_rows(frame->table);
    uint32_t *class_of = tacit__alloc_array((size_t)rows, sizeof *class_of);
    uint32_t *place = tacit__tableau_places(tableau);
    tacit_status status = class_of && place ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit_classes_assign(classes, frame, class_of, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < tableau->classes; i++)
        r->values[i] = UINT32_MAX;
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++) {
        uint32_t *value = &r->values[place[class_of[row]]], code = tacit_codes_at(codes, row);
        r->several |= *value != UINT32_MAX && *value != code;
        *value = code;
    }
    tacit__free(class_of);
    tacit__free(place);
    return status;
}

static tacit_status read_rights(rights *r, const tacit__tableau *tableau, const tacit_frame *frame,
                                const tacit_classes *classes, const tacit_hidden *hidden,
                                const tacit_run *run, tacit_error *err)
{
    int32_t attribute = attribute_of(frame, hidden->right);
    r->values = tacit__alloc_array((size_t)tableau->classes, sizeof *r->values);
    if (!r->values)
        return tacit__nomem(err);
    if (attribute < 0)
        return read_rows(r, tableau, frame, classes, hidden->right, run, err);
    for (int64_t i = 0; i < tableau->classes; i++)
        r->values[i] = tacit__tableau_codes(tableau, i)[attribute];
    return TACIT_OK;
}

static bool is_constant(const rights *r, const tacit__tableau *tableau)
{
    for (int64_t i = 1; i < tableau->classes; i++)
        if (r->values[i] != r->values[0])
            return false;
    return !r->several;
}

/* The dependency in words, and why there is nothing to be done about it. */
static tacit_status refuse_hiding(const tacit_frame *frame, const tacit_hidden *hidden,
                                  tacit_status status, const char *why, tacit_error *err)
{
    tacit__strbuf names = {0};
    for (uint64_t left = hidden->left; left; left &= left - 1) {
        int32_t column = frame->attributes[__builtin_ctzll(left)].column;
        tacit__strbuf_format(&names, "%s%s", names.len ? "," : "",
                             tacit__show(tacit_table_name(frame->table, column)).text);
    }
    tacit__strbuf_format(&names, "->%s",
                         tacit__show(tacit_table_name(frame->table, hidden->right)).text);
    if (names.failed)
        status = tacit__nomem(err);
    else
        tacit__error(err, status, "the dependency %s cannot be hidden: %s", names.bytes, why);
    tacit__strbuf_clear(&names);
    return status;
}

tacit_status tacit__ambiguate_hide(int64_t *added, tacit__state *state,
                                   const tacit__tableau *tableau, const tacit_frame *frame,
                                   const tacit_classes *classes, const tacit_hidden *hidden,
                                   const tacit_run *run, tacit_error *err)
{
    rights r = {0};
    bool found = true;
    int64_t blanks = 0;
    int32_t attribute = attribute_of(frame, hidden->right);
    assert(tableau->columns == 64 || !(hidden->left >> tableau->columns));
    if (attribute >= 0 && (hidden->left >> attribute & 1))
        return refuse_hiding(frame, hidden, TACIT_INVALID, "a column stands on both sides", err);
    tacit_status status = read_rights(&r, tableau, frame, classes, hidden, run, err);
    if (status == TACIT_OK && attribute < 0 && is_constant(&r, tableau))
        status = refuse_hiding(frame, hidden, TACIT_INFEASIBLE,
                               "what it leads to is the same in every row", err);
    if (status == TACIT_OK && !r.several)
        status =
            tacit__state_hide(&found, &blanks, state, hidden->left, attribute, r.values, run, err);
    if (status == TACIT_OK && !found)
        status = refuse_hiding(
            frame, hidden, TACIT_INFEASIBLE,
            tableau->rows < 2
                ? "it takes two rows to speak against it, and there is one"
                : "the limits on blanks leave no two rows that could agree; raise them",
            err);
    if (status == TACIT_OK)
        *added = blanks;
    tacit__free(r.values);
    return status;
}
