/*
 * strict_greedy.c - rows into boxes, the smallest masks first.
 *
 * Rows that are fewer than k in their box are stray. A box of a mask takes the stray rows that
 * lie in it, and where they are fewer than k borrows: rows that classes without blanks have beyond
 * k, in a second pass over the masks such a class as a whole, and in a third what other boxes have
 * beyond k. Then rows move to cheaper boxes that are in use, where their own keeps k without them
 * or all of it can go. A pass costs classes times masks.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/blanks/strict.h"

enum { IMPROVING_PASSES = 10 };

/* What a box may borrow: rows beyond k of classes without blanks, such classes as a whole, and rows
 * beyond k of other boxes. */
typedef enum lending { BEYOND_K, AS_A_WHOLE, FROM_ANY, LENDINGS } lending;

typedef struct loan {
    int64_t class_index, rows;
} loan;

typedef struct filling {
    tacit__strict *strict;
    int64_t *where;  /* a class each: the mask that it leaves with, most of it */
    int64_t *order;  /* classes, box by box, for the mask in hand */
    int64_t *starts; /* of each of its boxes */
    loan *lent;      /* to the box in hand */
    int64_t lent_count;
} filling;

/* ---- boxes of a mask ---- */

/* Orders classes by their boxes of a mask; returns how many boxes there are. */
static int64_t order_classes(filling *f, int64_t m)
{
    const tacit__strict *s = f->strict;
    const uint32_t *box_of = s->box_of + tacit__strict_at(s, m, 0);
    int64_t classes = s->tableau->classes, first = box_of[0], boxes = 0;
    memset(f->starts, 0, ((size_t)classes + 2) * sizeof *f->starts);
    for (int64_t i = 0; i < classes; i++) { /* boxes are numbered in the order of classes */
        f->starts[box_of[i] - first + 1]++;
        boxes = box_of[i] - first + 1 > boxes ? box_of[i] - first + 1 : boxes;
    }
    for (int64_t b = 0; b < boxes; b++)
        f->starts[b + 1] += f->starts[b];
    for (int64_t i = 0; i < classes; i++)
        f->order[f->starts[box_of[i] - first]++] = i;
    for (int64_t b = boxes; b > 0; b--)
        f->starts[b] = f->starts[b - 1];
    f->starts[0] = 0;
    return boxes;
}

/* Rows of a class that are in a box with fewer than k. */
static int64_t stray_rows(const filling *f, int64_t i)
{
    const tacit__strict *s = f->strict;
    int64_t at = tacit__strict_at(s, f->where[i], i);
    return s->used[s->box_of[at]] < s->tableau->k ? s->take[at] : 0;
}

/* Rows of a class that can be lent. */
static int64_t spare_rows(const filling *f, int64_t i, lending how)
{
    const tacit__strict *s = f->strict;
    int64_t at = tacit__strict_at(s, f->where[i], i), rows = s->take[at];
    int64_t beyond = s->used[s->box_of[at]] - s->tableau->k;
    if (beyond < 0 || (f->where[i] != 0 && how < FROM_ANY))
        return 0;
    if (how >= AS_A_WHOLE && f->where[i] == 0)
        return rows;
    return beyond < rows ? beyond : rows;
}

/* Lends rows to a box until it has enough, and keeps a list; what is still missing is returned. A
 * class lends as a whole only where what it has beyond k is not enough. */
static int64_t borrow(filling *f, int64_t m, int64_t from, int64_t to, int64_t missing, lending how)
{
    tacit__strict *s = f->strict;
    f->lent_count = 0;
    for (int64_t n = from; n < to && missing > 0; n++) {
        int64_t i = f->order[n], spare = f->where[i] == m ? 0 : spare_rows(f, i, how);
        bool beyond = spare > 0 && s->take[i] - s->tableau->k >= missing;
        bool whole = how >= AS_A_WHOLE && f->where[i] == 0 && !beyond;
        int64_t rows = whole || spare < missing ? spare : missing;
        if (rows <= 0 || !tacit__strict_room(s, m, rows))
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        f->lent[f->lent_count++] = (loan){i, rows};
        missing -= rows;
    }
    return missing;
}

/* Settles what was lent: it is given back, or its classes are where it went. */
static void settle_loans(filling *f, int64_t m, bool back)
{
    tacit__strict *s = f->strict;
    for (int64_t n = 0; n < f->lent_count; n++) {
        int64_t i = f->lent[n].class_index;
        if (back)
            tacit__strict_move(s, i, m, f->where[i], f->lent[n].rows);
        else if (s->take[tacit__strict_at(s, f->where[i], i)] == 0)
            f->where[i] = m;
    }
}

/* Puts the stray rows of a box into it, if it gets k. */
static void fill_box(filling *f, int64_t m, int64_t from, int64_t to, lending how)
{
    tacit__strict *s = f->strict;
    int64_t stray = 0, box = s->box_of[tacit__strict_at(s, m, f->order[from])];
    for (int64_t n = from; n < to; n++)
        stray += f->where[f->order[n]] == m ? 0 : stray_rows(f, f->order[n]);
    if (stray == 0 || s->total[box] < s->tableau->k)
        return;
    int64_t missing = borrow(f, m, from, to, s->tableau->k - s->used[box] - stray, how);
    bool fails = missing > 0 || !tacit__strict_room(s, m, stray);
    settle_loans(f, m, fails);
    for (int64_t n = from; !fails && n < to; n++) {
        int64_t i = f->order[n], rows = f->where[i] == m ? 0 : stray_rows(f, i);
        if (rows == 0)
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        f->where[i] = m;
    }
}

static tacit_status fill_all(filling *f, lending how, tacit_error *err)
{
    const tacit__strict *s = f->strict;
    tacit_status status = TACIT_OK;
    for (int64_t m = 1; status == TACIT_OK && m < s->mask_count; m++) {
        status = tacit__progress(s->run, "ambiguate", m, s->mask_count, err);
        int64_t boxes = status == TACIT_OK ? order_classes(f, m) : 0;
        for (int64_t b = 0; b < boxes; b++)
            fill_box(f, m, f->starts[b], f->starts[b + 1], how);
    }
    return status;
}

/* ---- cheaper boxes ---- */

/* The cheapest box in use for rows of a class that leave with a mask. */
static int64_t find_cheaper(const tacit__strict *s, int64_t i, int64_t from, int64_t rows)
{
    const tacit__tableau *t = s->tableau;
    double least = tacit__tableau_cost(t, i, s->masks[from]);
    int64_t found = from;
    for (int64_t m = 0; m < s->mask_count; m++) {
        double cost = tacit__tableau_cost(t, i, s->masks[m]);
        int64_t used = s->used[s->box_of[tacit__strict_at(s, m, i)]];
        if (cost < least && used + rows >= t->k && tacit__strict_room(s, m, rows)) {
            least = cost;
            found = m;
        }
    }
    return found;
}

/* Moves what can be moved of a class to cheaper boxes; true if any was. */
static bool improve_class(tacit__strict *s, int64_t i)
{
    bool moved = false;
    for (int64_t m = 1; m < s->mask_count; m++) {
        int64_t at = tacit__strict_at(s, m, i), rows = s->take[at];
        int64_t used = s->used[s->box_of[at]];
        if (rows == 0 || used < s->tableau->k)
            continue;
        if (used != rows && used - rows < s->tableau->k)
            rows = used - s->tableau->k;
        int64_t to = rows > 0 ? find_cheaper(s, i, m, rows) : m;
        if (to == m)
            continue;
        tacit__strict_move(s, i, m, to, rows);
        moved = true;
    }
    return moved;
}

static tacit_status improve_boxes(tacit__strict *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool moved = true;
    for (int pass = 0; status == TACIT_OK && moved && pass < IMPROVING_PASSES; pass++) {
        moved = false;
        status = tacit__progress(s->run, "ambiguate", pass, IMPROVING_PASSES, err);
        for (int64_t i = 0; status == TACIT_OK && i < s->tableau->classes; i++)
            moved |= improve_class(s, i);
    }
    return status;
}

/* ---- all of it ---- */

/* Where each class is: rows without blanks, which may be stray, come before others. */
static void find_places(filling *f)
{
    const tacit__strict *s = f->strict;
    for (int64_t i = 0; i < s->tableau->classes; i++) {
        uint32_t most = s->take[i];
        f->where[i] = 0;
        for (int64_t m = 1; s->take[i] == 0 && m < s->mask_count; m++)
            if (s->take[tacit__strict_at(s, m, i)] > most) {
                most = s->take[tacit__strict_at(s, m, i)];
                f->where[i] = m;
            }
    }
}

tacit_status tacit__strict_greedy(tacit__strict *s, tacit_error *err)
{
    size_t classes = (size_t)s->tableau->classes;
    filling f = {.strict = s};
    tacit_status status = TACIT_OK;
    f.where = tacit__alloc_array(classes, sizeof *f.where);
    f.order = tacit__alloc_array(classes, sizeof *f.order);
    f.starts = tacit__alloc_array(classes + 2, sizeof *f.starts);
    f.lent = tacit__alloc_array(classes, sizeof *f.lent);
    if (!f.where || !f.order || !f.starts || !f.lent)
        status = tacit__nomem(err);
    else
        find_places(&f);
    for (lending how = BEYOND_K; status == TACIT_OK && how < LENDINGS; how++)
        status = fill_all(&f, how, err);
    if (status == TACIT_OK)
        status = improve_boxes(s, err);
    tacit__free(f.where);
    tacit__free(f.order);
    tacit__free(f.starts);
    tacit__free(f.lent);
    return status;
}
