/*
 * merge.c - the few that are left over where nobody can be spared: each class
 * joins the closed group where this costs the fewest cells, its own and those of
 * the group, in which what they do not share is suppressed as well. They are fewer
 * than k people; see repair.c.
 *
 * Linear in the groups for each class that is left over.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/argus/plan.h"
#include "records/argus/repair.h"

/* A closed group. */
typedef struct closed {
    uint64_t stars;
    int64_t rows;
    uint32_t member; /* a class of it */
} closed;

/* All of them, and which one each class and part is in. */
typedef struct merging {
    tacit__argus_repairs *r;
    closed *groups;
    int64_t count;
    size_t room;
    uint32_t *group_of; /* a class each, open ones later */
    uint32_t *part_in;  /* a part each */
    tacit__box_list boxes;
} merging;

static tacit_status enter(uint32_t *group, merging *m, uint32_t class_index, uint64_t stars,
                          int64_t rows, tacit_error *err)
{
    tacit_status status = tacit__argus_box(group, &m->boxes, m->r->view, class_index, stars, err);
    if (status != TACIT_OK)
        return status;
    if (!TACIT__RESERVE(m->groups, m->room, (size_t)*group + 1))
        return tacit__nomem(err);
    if (*group == m->count)
        m->groups[m->count++] = (closed){.stars = stars, .member = class_index};
    m->groups[*group].rows += rows;
    return TACIT_OK;
}

/* Finds the groups; a class's rows are in its own but for its parts. */
static tacit_status enter_all(merging *m, tacit_error *err)
{
    const tacit__argus_view *view = m->r->view;
    const tacit__argus_plan *plan = m->r->plan;
    tacit_status status = TACIT_OK;
    int64_t open = 0;
    for (int64_t c = 0; status == TACIT_OK && c < view->count; c++)
        if (open < m->r->open_count && m->r->open[open] == c)
            open++;
        else
            status = enter(&m->group_of[c], m, (uint32_t)c, plan->stars[c], view->rows[c], err);
    for (int64_t i = 0; status == TACIT_OK && i < plan->part_count; i++) {
        const tacit__argus_part *part = &plan->parts[i];
        status = enter(&m->part_in[i], m, part->class_index, part->stars, part->people, err);
        m->groups[m->group_of[part->class_index]].rows -= part->people;
    }
    return status;
}

/* What a group would have suppressed if the class joined it. */
static uint64_t joint_stars(const merging *m, const closed *group, uint32_t class_index)
{
    const tacit__argus_view *view = m->r->view;
    const uint32_t *x = view->codes + (int64_t)class_index * view->attributes;
    const uint32_t *y = view->codes + (int64_t)group->member * view->attributes;
    uint64_t stars = group->stars;
    for (int32_t a = 0; a < view->attributes; a++)
        if (x[a] != y[a])
            stars |= UINT64_C(1) << a;
    return stars;
}

static void join(merging *m, uint32_t class_index)
{
    int64_t fewest = INT64_MAX, rows = m->r->view->rows[class_index];
    closed *chosen = NULL;
    for (int64_t g = 0; g < m->count; g++) {
        closed *group = &m->groups[g];
        uint64_t stars = joint_stars(m, group, class_index);
        int64_t cells = __builtin_popcountll(stars) * (group->rows + rows) -
                        __builtin_popcountll(group->stars) * group->rows;
        if (group->rows > 0 && cells < fewest) {
            fewest = cells;
            chosen = group;
        }
    }
    chosen->stars = joint_stars(m, chosen, class_index);
    chosen->rows += rows;
    m->group_of[class_index] = (uint32_t)(chosen - m->groups);
}

static void write_back(merging *m)
{
    tacit__argus_plan *plan = m->r->plan;
    for (int64_t c = 0; c < m->r->view->count; c++)
        plan->stars[c] = m->groups[m->group_of[c]].stars;
    for (int64_t i = 0; i < plan->part_count; i++)
        plan->parts[i].stars = m->groups[m->part_in[i]].stars;
}

tacit_status tacit__argus_merge(tacit__argus_repairs *r, tacit_error *err)
{
    merging m = {.r = r, .boxes = {.attributes = r->view->attributes}};
    m.group_of = tacit__alloc_array((size_t)r->view->count, sizeof *m.group_of);
    m.part_in = tacit__alloc_array((size_t)r->plan->part_count, sizeof *m.part_in);
    tacit_status status = m.group_of && m.part_in ? enter_all(&m, err) : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < r->open_count; i++)
        join(&m, r->open[i]);
    if (status == TACIT_OK) {
        write_back(&m);
        r->open_count = 0;
    }
    tacit__box_list_clear(&m.boxes);
    tacit__free(m.groups);
    tacit__free(m.group_of);
    tacit__free(m.part_in);
    return status;
}
