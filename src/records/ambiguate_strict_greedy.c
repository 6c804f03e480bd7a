/*
 * ambiguate_strict_greedy.c - rows into boxes, the smallest masks first.
 *
 * Rows that are fewer than k in their box are stray. A box of a mask takes the stray rows that
 * lie in it, and where they are fewer than k borrows rows without blanks: first those that classes
 * have beyond k, and in a second pass over the masks a class as a whole. Then rows move to cheaper
 * boxes that are in use, where their own keeps k without them or all of it can go. A pass costs
 * classes times masks.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/ambiguate_strict.h"

enum { IMPROVING_PASSES = 10 };

typedef struct filling {
    tacit__strict *strict;
    int64_t *where;  /* a class each: the mask that it leaves with, most of it */
    int64_t *order;  /* classes, box by box, for the mask in hand */
    int64_t *starts; /* of each of its boxes */
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

/* Rows of a class without blanks that can be lent: what it has beyond k, or (`whole`) all of it. */
static int64_t spare_rows(const filling *f, int64_t i, bool whole)
{
    const tacit__strict *s = f->strict;
    int64_t rows = s->take[i];
    if (f->where[i] != 0 || rows < s->tableau->k)
        return 0;
    return whole ? rows : rows - s->tableau->k;
}

/* Lends rows to a box until it has enough; a class that lends as a whole does so only where what
 * is beyond k is not enough. */
static void borrow(filling *f, int64_t m, int64_t from, int64_t to, int64_t missing, bool whole)
{
    tacit__strict *s = f->strict;
    for (int64_t n = from; n < to && missing > 0; n++) {
        int64_t i = f->order[n], spare = f->where[i] == m ? 0 : spare_rows(f, i, whole);
        bool beyond = whole && spare > 0 && spare_rows(f, i, false) >= missing;
        int64_t rows = (whole && !beyond) || spare < missing ? spare : missing;
        if (rows == 0)
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        if (s->take[tacit__strict_at(s, f->where[i], i)] == 0)
            f->where[i] = m;
        missing -= rows;
    }
}

/* Puts the stray rows of a box into it, if it gets k. */
static void fill_box(filling *f, int64_t m, int64_t from, int64_t to, bool whole)
{
    tacit__strict *s = f->strict;
    int64_t stray = 0, spare = 0, box = s->box_of[tacit__strict_at(s, m, f->order[from])];
    for (int64_t n = from; n < to; n++) {
        int64_t i = f->order[n];
        stray += f->where[i] == m ? 0 : stray_rows(f, i);
        spare += f->where[i] == m ? 0 : spare_rows(f, i, whole);
    }
    int64_t missing = s->tableau->k - s->used[box] - stray;
    if (stray == 0 || missing > spare ||
        !tacit__strict_room(s, m, stray + (missing > 0 ? missing : 0)))
        return;
    for (int64_t n = from; n < to; n++) {
        int64_t i = f->order[n], rows = f->where[i] == m ? 0 : stray_rows(f, i);
        if (rows == 0)
            continue;
        tacit__strict_move(s, i, f->where[i], m, rows);
        f->where[i] = m;
    }
    borrow(f, m, from, to, missing, whole);
}

static tacit_status fill_all(filling *f, bool whole, tacit_error *err)
{
    const tacit__strict *s = f->strict;
    tacit_status status = TACIT_OK;
    for (int64_t m = 1; status == TACIT_OK && m < s->mask_count; m++) {
        status = tacit__progress(s->run, "ambiguate", m, s->mask_count, err);
        int64_t boxes = status == TACIT_OK ? order_classes(f, m) : 0;
        for (int64_t b = 0; b < boxes; b++)
            fill_box(f, m, f->starts[b], f->starts[b + 1], whole);
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

static tacit_status improve(tacit__strict *s, tacit_error *err)
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
    if (!f.where || !f.order || !f.starts)
        status = tacit__nomem(err);
    else
        find_places(&f);
    for (int whole = 0; status == TACIT_OK && whole < 2; whole++)
        status = fill_all(&f, whole, err);
    if (status == TACIT_OK)
        status = improve(s, err);
    tacit__free(f.where);
    tacit__free(f.order);
    tacit__free(f.starts);
    return status;
}
