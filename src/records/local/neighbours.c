/*
 * neighbours.c - what a class costs at least, by the classes nearest to it.
 *
 * Who is in a box is there with k people. The box costs no less than the smallest one around him
 * and any one of them, since values never get cheaper upward. So the other classes are put in the
 * order of what the smallest box around both costs: those before k people are together are too few,
 * and his box costs at least what the one does that makes them k. Of wide tables, whose boxes are
 * too many to be gone through, this says far more than a few nodes of the lattice.
 *
 * Costs one look at a cell for each pair of classes and attribute, less where a sum is too high
 * before its last attribute; classes beyond WORK of them are left out, in the order of the classes,
 * so that the same data gives the same bound. Memory: the codes that `local` has listed anyway, and
 * a number for each value and worker.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/local/wide.h"

enum { A_TASK = 32 /* classes */, MAX_K = 256 };
#define WORK (INT64_C(1) << 31)

/* A class that may be in the box, by the cost of the smallest one around both. */
typedef struct neighbour {
    double cost;
    int64_t people;
} neighbour;

typedef struct hand {
    tacit__joined joined; /* with the class in hand */
    neighbour *nearest;   /* ascending; the fewest that have enough people, once there are */
    int64_t count, people;
} hand;

typedef struct meeting {
    const tacit__local *local;
    double *least;
    int64_t classes; /* that are looked at */
    hand *hands;     /* a worker each */
} meeting;

/* Puts a class among the nearest, and those out that are not needed any more. */
static void meet(hand *h, neighbour met, int64_t needed)
{
    int64_t at = h->count++;
    for (; at > 0 && h->nearest[at - 1].cost > met.cost; at--)
        h->nearest[at] = h->nearest[at - 1];
    h->nearest[at] = met;
    h->people += met.people;
    while (h->people - h->nearest[h->count - 1].people >= needed)
        h->people -= h->nearest[--h->count].people;
}

static double least_cost(hand *h, const meeting *m, int64_t class)
{
    const tacit_classes *classes = m->local->classes;
    int64_t needed = m->local->k - tacit_classes_people(classes, class);
    double limit = INFINITY;
    if (needed <= 0)
        return 0;
    tacit__joined_start(&h->joined, (uint32_t) class);
    h->count = h->people = 0;
    for (int64_t other = 0; other < classes->groups.count; other++) {
        if (other == class)
            continue;
        double cost = tacit__joined_cost(&h->joined, (uint32_t)other, limit);
        if (cost < limit)
            meet(h, (neighbour){cost, tacit_classes_people(classes, other)}, needed);
        if (h->people >= needed)
            limit = h->nearest[h->count - 1].cost;
    }
    return h->people >= needed ? limit : 0;
}

static tacit_status meet_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    const meeting *m = context;
    int64_t end = (task + 1) * A_TASK < m->classes ? (task + 1) * A_TASK : m->classes;
    for (int64_t c = task * A_TASK; c < end; c++)
        m->least[c] = least_cost(&m->hands[worker], m, c);
    return TACIT_OK;
}

static tacit_status prepare(meeting *m, int workers, tacit_error *err)
{
    const tacit__local *local = m->local;
    int64_t count = local->classes->groups.count, values = 0;
    m->hands = tacit__alloc_zeroed((size_t)workers, sizeof *m->hands);
    if (!m->hands)
        return tacit__nomem(err);
    for (int32_t a = 0; a < local->attributes; a++)
        values += tacit__distinct_on(local->frame, a, local->floor[a]);
    m->classes = WORK / (count * local->attributes + values * TACIT_MAX_LEVELS);
    m->classes = m->classes < count ? m->classes : count;
    for (int i = 0; i < workers; i++) {
        tacit_status status = tacit__joined_init(&m->hands[i].joined, local, err);
        if (status != TACIT_OK)
            return status;
        m->hands[i].nearest = tacit__alloc_array((size_t)local->k + 1, sizeof(neighbour));
        if (!m->hands[i].nearest)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

tacit_status tacit__neighbour_costs(double *least, const tacit__local *local, tacit_error *err)
{
    int workers = tacit__threads(local->run);
    meeting m = {.local = local, .least = least};
    if (!local->codes || local->k > MAX_K)
        return TACIT_OK;
    tacit_status status = prepare(&m, workers, err);
    if (status == TACIT_OK)
        status = tacit__parallel(local->run, "bound", (m.classes + A_TASK - 1) / A_TASK, meet_task,
                                 &m, err);
    for (int i = 0; m.hands && i < workers; i++) {
        tacit__joined_clear(&m.hands[i].joined);
        tacit__free(m.hands[i].nearest);
    }
    tacit__free(m.hands);
    return status;
}
