/*
 * look.c - the groups under one pattern of suppressed attributes: what they
 * cost, and closing those that are cheap enough. See repair.c.
 *
 * Linear in the open classes and the donors.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/argus/repair.h"

tacit_status tacit__argus_look_init(tacit__argus_look *look, const tacit__argus_repairs *r,
                                    tacit_error *err)
{
    size_t open = (size_t)r->open_count, donors = (size_t)r->donor_count;
    look->list = tacit__alloc_array(open, sizeof *look->list);
    look->open_in = tacit__alloc_array(open, sizeof *look->open_in);
    look->donor_in = tacit__alloc_array(donors, sizeof *look->donor_in);
    if (!look->list || !look->open_in || !look->donor_in)
        return tacit__nomem(err);
    return tacit__argus_groups_init(&look->groups, r->view, r->open_count, err);
}

void tacit__argus_look_clear(tacit__argus_look *look)
{
    tacit__argus_groups_clear(&look->groups);
    tacit__free(look->list);
    tacit__free(look->open_in);
    tacit__free(look->donor_in);
    *look = (tacit__argus_look){0};
}

/* People that a donor can do without and still have k. */
static uint32_t spare_of(const tacit__argus_repairs *r, uint32_t donor)
{
    return r->split ? r->left[donor] - (uint32_t)r->view->k : 0;
}

static void gather_open(tacit__argus_look *look, const tacit__argus_repairs *r)
{
    tacit__argus_groups_add(look->open_in, &look->groups, r->open, r->open_count);
    for (int64_t g = 0; g < look->groups.count; g++)
        look->list[g] = (tacit__argus_group){.donor = TACIT__NO_GROUP};
    for (int64_t i = 0; i < r->open_count; i++) {
        tacit__argus_group *group = &look->list[look->open_in[i]];
        group->rows += r->view->rows[r->open[i]];
        group->people += r->view->people[r->open[i]];
    }
}

static void gather_donors(tacit__argus_look *look, const tacit__argus_repairs *r)
{
    tacit__argus_groups_find(look->donor_in, &look->groups, r->donors, r->donor_count);
    for (int64_t i = 0; i < r->donor_count; i++) {
        uint32_t donor = r->donors[i];
        if (look->donor_in[i] == TACIT__NO_GROUP)
            continue;
        tacit__argus_group *group = &look->list[look->donor_in[i]];
        group->spare += spare_of(r, donor);
        if (group->donor == TACIT__NO_GROUP || r->left[donor] < r->left[group->donor])
            group->donor = donor;
    }
}

void tacit__argus_look_at(tacit__argus_look *look, const tacit__argus_repairs *r,
                          const tacit__argus_pattern *pattern)
{
    tacit__argus_groups_start(&look->groups, ~pattern->stars, r->open_count);
    gather_open(look, r);
    gather_donors(look, r);
}

void tacit__argus_look_around(tacit__argus_look *look, const tacit__argus_repairs *r)
{
    enum { BLOCK = 1024 };
    uint32_t group_of[BLOCK];
    for (int64_t from = 0; from < r->view->count; from += BLOCK) {
        int64_t count = r->view->count - from < BLOCK ? r->view->count - from : BLOCK;
        tacit__argus_groups_find(group_of, &look->groups, r->all + from, count);
        for (int64_t i = 0; i < count; i++)
            if (group_of[i] != TACIT__NO_GROUP)
                look->list[group_of[i]].everybody += r->view->people[from + i];
    }
}

/* People that a group lacks. */
static int64_t missing_in(const tacit__argus_repairs *r, const tacit__argus_group *group)
{
    return group->people < r->view->k ? r->view->k - group->people : 0;
}

int64_t tacit__argus_price(const tacit__argus_repairs *r, const tacit__argus_pattern *pattern,
                           const tacit__argus_group *group)
{
    int64_t missing = missing_in(r, group), added = missing;
    if (missing > group->spare && group->donor == TACIT__NO_GROUP)
        return TACIT__ARGUS_DEAR;
    if (missing > group->spare)
        added = r->split ? r->left[group->donor] : r->view->rows[group->donor];
    int64_t cells = pattern->size * (group->rows + added);
    return 2 * ((4 * cells + group->rows - 1) / group->rows) + (missing > 0);
}

/* A donor gives people to a group, or all of itself. */
static tacit_status give(tacit__argus_repairs *r, uint32_t donor, uint32_t people, uint64_t stars,
                         tacit_error *err)
{
    tacit__argus_plan *plan = r->plan;
    if (people == r->left[donor]) {
        plan->stars[donor] = stars;
        r->left[donor] = 0;
        return TACIT_OK;
    }
    if (!TACIT__PUSH(plan->parts, plan->part_room, plan->part_count,
                     (tacit__argus_part){donor, stars, people}))
        return tacit__nomem(err);
    r->left[donor] -= people;
    return TACIT_OK;
}

/* Closes a group: it has no rows any more, `people` are those that donors spare
 * it, and `donor` is one that joins it as a whole. */
static void close_group(tacit__argus_group *group, const tacit__argus_repairs *r)
{
    int64_t missing = missing_in(r, group);
    group->rows = 0;
    group->people = missing <= group->spare ? (uint32_t)missing : 0;
    if (missing <= group->spare)
        group->donor = TACIT__NO_GROUP;
}

/* What a donor gives to a group that is closed. */
static uint32_t due(tacit__argus_group *group, const tacit__argus_repairs *r, uint32_t donor)
{
    if (group->donor == donor)
        return r->left[donor];
    uint32_t spare = spare_of(r, donor), people = group->people < spare ? group->people : spare;
    group->people -= people;
    return people;
}

/* Takes the classes of closed groups out of those that are open. */
static void settle_open(tacit__argus_repairs *r, const tacit__argus_look *look, uint64_t stars)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < r->open_count; i++)
        if (look->list[look->open_in[i]].rows == 0)
            r->plan->stars[r->open[i]] = stars;
        else
            r->open[kept++] = r->open[i];
    r->open_count = kept;
}

/* Fills up the groups that are closed. */
static tacit_status settle_donors(tacit__argus_repairs *r, tacit__argus_look *look, uint64_t stars,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t kept = 0;
    for (int64_t i = 0; status == TACIT_OK && i < r->donor_count; i++) {
        uint32_t donor = r->donors[i], group = look->donor_in[i];
        if (group != TACIT__NO_GROUP && look->list[group].rows == 0) {
            uint32_t people = due(&look->list[group], r, donor);
            if (people > 0)
                status = give(r, donor, people, stars, err);
        }
        if (r->left[donor] > 0)
            r->donors[kept++] = donor;
    }
    r->donor_count = kept;
    return status;
}

tacit_status tacit__argus_take(tacit__argus_repairs *r, tacit__argus_look *look,
                               tacit__argus_pattern *pattern, int64_t price, tacit_error *err)
{
    int64_t cheapest = TACIT__ARGUS_DEAR;
    bool any = false;
    tacit__argus_look_at(look, r, pattern);
    for (int64_t g = 0; g < look->groups.count; g++) {
        int64_t here = tacit__argus_price(r, pattern, &look->list[g]);
        if (here > price) {
            cheapest = here < cheapest ? here : cheapest;
            continue;
        }
        close_group(&look->list[g], r);
        any = true;
    }
    pattern->price = cheapest;
    tacit_status status = any ? settle_donors(r, look, pattern->stars, err) : TACIT_OK;
    if (status == TACIT_OK && any)
        settle_open(r, look, pattern->stars);
    return status;
}
