/*
 * known.c - of every combination of up to km items that a row has: how many people of the row's
 * class have a row with all of them.
 *
 * The rows of a class are put in the order of their people. Items of a row have an order, too, so a
 * combination is looked for in that order and met once: from the rows that have its first items,
 * each with the place behind the last of these, to those that have one item more. A row is a person
 * only once, which the order of rows tells.
 *
 * Cost: the combinations that rows have, one after the other; 8 bytes for each item of a class and
 * each depth, however many combinations there are. More than LIMIT are not looked at, and then
 * nothing is taken for granted.
 */
#include "audit/items/items.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

static const double LIMIT = 1e10;

/* Where a row goes on behind what was found in it. */
typedef struct suffix {
    uint32_t row; /* of the class */
    uint32_t from;
} suffix;

/* Rows that have one item more. */
typedef struct branch {
    uint32_t item;
    size_t start, count;
} branch;

typedef struct known {
    tacit__judge *judge;
    const tacit__item_release *release;
    const tacit__partition *classes;
    uint32_t *base; /* a column each: what its items are numbered from, over all columns */
    uint32_t items; /* of all columns */
    tacit__sorter order;
    int person_bits;

    /* The class: rows, and their items in ascending order. */
    size_t *start;
    size_t start_capacity;
    uint32_t *cells;
    size_t cell_capacity;
    uint32_t *who;
    size_t who_capacity;

    /* An item each. */
    uint32_t *people, *rows, *place;
    uint64_t *last;
    uint64_t pass; /* below 2^32 */

    suffix *suffixes; /* of all depths, one behind the other */
    size_t suffix_capacity;
    branch *branches;
    size_t branch_count, branch_capacity;

    int64_t done;     /* rows of classes before this one */
    size_t looked_at; /* suffixes, since progress was told of */

    int64_t fewest; /* people of a combination of this class; 0: it has none */
    int depth;      /* items in that */
    size_t first;   /* a row that has it */
} known;

/* ---- a class ---- */

/* Counts the items behind some suffixes; each that has any becomes a branch, without its rows. */
static tacit_status count_items(known *s, const branch *of, tacit_error *err)
{
    if (++s->pass >> 32) {
        memset(s->last, 0, s->items * sizeof *s->last);
        s->pass = 1;
    }
    for (size_t i = of->start; i < of->start + of->count; i++) {
        suffix at = s->suffixes[i];
        uint64_t person = s->pass << 32 | s->who[at.row];
        for (size_t j = s->start[at.row] + at.from; j < s->start[at.row + 1]; j++) {
            uint32_t item = s->cells[j];
            if (s->rows[item]++ == 0) {
                s->place[item] = (uint32_t)s->branch_count;
                s->people[item] = 0;
                if (!TACIT__PUSH(s->branches, s->branch_capacity, s->branch_count,
                                 (branch){item, at.row, 0}))
                    return tacit__nomem(err);
            }
            s->people[item] += s->last[item] != person;
            s->last[item] = person;
        }
    }
    return TACIT_OK;
}

/* Notes the combination that fewest people have, and forgets the counts. */
static void note_branches(known *s, size_t first, int depth)
{
    for (size_t i = first; i < s->branch_count; i++) {
        branch *b = &s->branches[i];
        int64_t people = s->people[b->item];
        if (s->fewest == 0 || people < s->fewest) {
            s->fewest = people;
            s->depth = depth;
            s->first = b->start;
        }
        b->count = s->rows[b->item];
        s->rows[b->item] = 0;
    }
}

/* Gives the branches of some suffixes their rows, from `*used` on. */
static tacit_status fill_branches(known *s, const branch *of, size_t first, size_t *used,
                                  tacit_error *err)
{
    for (size_t i = first; i < s->branch_count; i++) {
        branch *b = &s->branches[i];
        b->start = *used;
        *used += b->count;
        b->count = 0;
    }
    if (!TACIT__RESERVE(s->suffixes, s->suffix_capacity, *used + 1))
        return tacit__nomem(err);
    for (size_t i = of->start; i < of->start + of->count; i++) {
        suffix at = s->suffixes[i];
        for (size_t j = s->start[at.row] + at.from; j < s->start[at.row + 1]; j++) {
            branch *b = &s->branches[s->place[s->cells[j]]];
            s->suffixes[b->start + b->count++] =
                (suffix){at.row, (uint32_t)(j + 1 - s->start[at.row])};
        }
    }
    return TACIT_OK;
}

/* All combinations that begin with what the suffixes of a branch have; `used` is how many suffixes
 * there are of all depths. Ends with the first that breaks the promise, and goes no deeper than
 * km. */
static tacit_status search(known *s, branch of, int depth, size_t used, tacit_error *err)
{
    const tacit_promise *promise = s->judge->promise;
    enum { ROWS = 1 << 20 };
    size_t first = s->branch_count;
    tacit_status status = TACIT_OK;
    s->looked_at += of.count;
    if (s->looked_at >= ROWS) {
        s->looked_at = 0;
        status = tacit__progress(s->judge->run, "judging", s->done, s->order.count, err);
    }
    if (status == TACIT_OK)
        status = count_items(s, &of, err);
    if (status != TACIT_OK)
        return status;
    note_branches(s, first, depth);
    if (depth < promise->km && s->fewest >= promise->k)
        status = fill_branches(s, &of, first, &used, err);
    size_t last = depth < promise->km ? s->branch_count : first;
    for (size_t i = first; i < last && status == TACIT_OK && s->fewest >= promise->k; i++)
        status = search(s, s->branches[i], depth + 1, used, err);
    s->branch_count = first;
    return status;
}

/* ---- rows ---- */

static uint32_t code_of(const known *s, int32_t column, int64_t at)
{
    return tacit_codes_at(tacit_table_codes(s->release->table, s->release->columns[column]),
                          (int64_t)s->order.values[at]);
}

/* Rows by class and person. */
static tacit_status sort_rows(known *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    int64_t rows = tacit_table_rows(judge->release);
    s->person_bits = judge->by_person ? tacit__bits_for(judge->people_max) : 0;
    int bits = s->person_bits + tacit__bits_for((uint64_t)s->classes->count);
    tacit_status status = tacit__sorter_init(&s->order, rows, bits, true, err);
    for (int64_t row = 0; row < rows && status == TACIT_OK; row++) {
        uint64_t person = judge->by_person ? tacit_codes_at(judge->people, row) : 0;
        tacit__sorter_put(&s->order, row,
                          (uint64_t)s->classes->class_of[row] << s->person_bits | person);
        s->order.values[row] = (uint64_t)row;
    }
    return status == TACIT_OK ? tacit__sorter_sort(&s->order, judge->run, err) : status;
}

/* The sets of the rows from one place of the order to another. */
static tacit_status gather(known *s, int64_t from, int64_t to, tacit_error *err)
{
    uint64_t mask = (UINT64_C(1) << s->person_bits) - 1;
    size_t used = 0;
    if (!TACIT__RESERVE(s->start, s->start_capacity, to - from + 1) ||
        !TACIT__RESERVE(s->who, s->who_capacity, to - from + 1) ||
        !TACIT__RESERVE(s->suffixes, s->suffix_capacity, to - from + 1))
        return tacit__nomem(err);
    for (int64_t i = from; i < to; i++) {
        uint32_t row = (uint32_t)(i - from);
        s->start[row] = used;
        s->suffixes[row] = (suffix){row, 0};
        s->who[row] =
            s->judge->by_person ? (uint32_t)(tacit__sorter_key(&s->order, i) & mask) : row;
        for (int32_t c = 0; c < s->release->count; c++) {
            if (s->release->columns[c] < 0)
                continue;
            const tacit__item_cells *cells = &s->release->cells[c];
            uint32_t code = code_of(s, c, i);
            size_t many = cells->start[code + 1] - cells->start[code];
            if (!TACIT__RESERVE(s->cells, s->cell_capacity, used + many + 1))
                return tacit__nomem(err);
            for (size_t j = cells->start[code]; j < cells->start[code + 1]; j++)
                if (j == cells->start[code] || cells->items[j] != cells->items[j - 1])
                    s->cells[used++] = s->base[c] + cells->items[j];
        }
    }
    s->start[to - from] = used;
    return TACIT_OK;
}

static void tell_class(known *s, int64_t from, int64_t to)
{
    tacit__judge *judge = s->judge;
    int64_t row = (int64_t)s->order.values[from + (int64_t)s->first];
    char what[48] = "an item";
    if (s->depth > 1)
        snprintf(what, sizeof what, "a combination of %d items", s->depth);
    if (judge->verdict->items.classes_failing++ == 0)
        tacit__find(judge, TACIT_FINDING_ITEMS, row + 1, to - from,
                    "in a class of %lld rows, fewer than k = %lld %s (%lld) have %s of the sets of "
                    "row %lld (line %lld)",
                    (long long)(to - from), (long long)judge->promise->k,
                    tacit__counted(judge, judge->by_person), (long long)s->fewest, what,
                    (long long)(row + 1), (long long)tacit_table_line(judge->release, row));
    judge->verdict->items.rows_failing += to - from;
}

static tacit_status judge_class(known *s, int64_t from, int64_t to, tacit_error *err)
{
    tacit_items_verdict *verdict = &s->judge->verdict->items;
    s->fewest = 0;
    s->done = from;
    tacit_status status = gather(s, from, to, err);
    if (status == TACIT_OK)
        status = search(s, (branch){0, 0, (size_t)(to - from)}, 1, (size_t)(to - from), err);
    if (status != TACIT_OK)
        return status;
    if (s->fewest > 0 && (verdict->smallest == 0 || s->fewest < verdict->smallest))
        verdict->smallest = s->fewest;
    if (s->fewest > 0 && s->fewest < s->judge->promise->k)
        tell_class(s, from, to);
    return tacit__progress(s->judge->run, "judging", to, s->order.count, err);
}

/* Whether the combinations can be looked at, one by one. */
static bool check_limit(known *s)
{
    tacit__judge *judge = s->judge;
    double all = 0;
    for (int64_t i = 0; i < s->order.count; i++) {
        double items = 0, chosen = 1;
        for (int32_t c = 0; c < s->release->count; c++) {
            if (s->release->columns[c] < 0)
                continue;
            uint32_t code = code_of(s, c, i);
            items +=
                (double)(s->release->cells[c].start[code + 1] - s->release->cells[c].start[code]);
        }
        for (int n = 0; n < judge->promise->km; n++)
            all += chosen *= (items - n > 0 ? items - n : 0) / (n + 1);
    }
    judge->verdict->items.combinations += all;
    if (all <= LIMIT)
        return true;
    judge->verdict->items.checked = false;
    tacit__find(judge, TACIT_FINDING_ITEMS, 0, tacit_table_rows(judge->release),
                "the sets have about %.2g combinations of up to %d items, more than the %.0g that "
                "can be judged",
                all, judge->promise->km, LIMIT);
    return false;
}

static tacit_status reserve_items(known *s, tacit_error *err)
{
    s->base = tacit__alloc_zeroed((size_t)s->release->count + 1, sizeof *s->base);
    for (int32_t c = 0; s->base && c < s->release->count; c++) {
        s->base[c] = s->items;
        s->items += s->release->cells[c].count;
    }
    size_t items = (size_t)s->items + 1;
    s->people = tacit__alloc_zeroed(items, sizeof *s->people);
    s->rows = tacit__alloc_zeroed(items, sizeof *s->rows);
    s->place = tacit__alloc_zeroed(items, sizeof *s->place);
    s->last = tacit__alloc_zeroed(items, sizeof *s->last);
    bool all = s->base && s->people && s->rows && s->place && s->last;
    return all ? TACIT_OK : tacit__nomem(err);
}

static tacit_status judge_rows(known *s, tacit_error *err)
{
    tacit_status status = reserve_items(s, err);
    if (status == TACIT_OK)
        status = sort_rows(s, err);
    if (status != TACIT_OK || !check_limit(s))
        return status;
    int64_t to;
    for (int64_t from = 0; from < s->order.count && status == TACIT_OK; from = to) {
        uint64_t class = tacit__sorter_key(&s->order, from) >> s->person_bits;
        for (to = from + 1; to < s->order.count; to++)
            if (tacit__sorter_key(&s->order, to) >> s->person_bits != class)
                break;
        status = judge_class(s, from, to, err);
    }
    return status;
}

tacit_status tacit__items_known(tacit__judge *judge, const tacit__item_release *release,
                                const tacit__partition *classes, tacit_error *err)
{
    known s = {.judge = judge, .release = release, .classes = classes};
    tacit_status status = judge_rows(&s, err);
    tacit__sorter_clear(&s.order);
    tacit__free(s.base);
    tacit__free(s.start);
    tacit__free(s.cells);
    tacit__free(s.who);
    tacit__free(s.people);
    tacit__free(s.rows);
    tacit__free(s.place);
    tacit__free(s.last);
    tacit__free(s.suffixes);
    tacit__free(s.branches);
    return status;
}
