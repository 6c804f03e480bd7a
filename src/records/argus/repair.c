/*
 * repair.c - suppression by cells that keeps k, with few cells: what chapter 7 of Sweeney,
 * Computational Disclosure Control, asks for under future work (7.6, points 2, 3, 5 and 7).
 *
 * A record must lose one value of each of its outliers: it must be covered by the suppressed
 * attributes. A set of attributes covers a record exactly if k people agree with it in all others,
 * so covers need no list of outliers: patterns of suppressed attributes are tried in the order of
 * their size, all of one size before any of the next, and the first that leaves a record k people
 * is its smallest cover (ties: less loss in Prec, then the first attributes). That is set covering
 * by exhaustion, for all records at once.
 *
 * The summary attack (7.3.3) wants suppressed values to keep k as well, so a record's cover is of
 * use only if k records share it. Groups are therefore closed greedily, as in weighted set
 * covering: always the one with the fewest cells for each record that it saves. If fewer than k
 * records want a pattern, records that stand out nowhere may fill it up, and their cells count
 * too: as many as are missing, if classes that keep k can spare them, otherwise the smallest class
 * as a whole. A pattern keeps the price of its cheapest group as of the last look; prices hardly
 * ever fall, since records only leave, so a pattern is looked at again only when its price is the
 * lowest. What remains when nobody is left to fill up with joins closed groups.
 *
 * A look costs the open classes and the donors; of 2^m patterns mostly those of two or three
 * attributes are looked at, a few times each. Looks at patterns of one price are independent and
 * run on all cores; groups are closed in order.
 *
 * The groups under one pattern of suppressed attributes: what they cost, and closing those that
 * are cheap enough. Linear in the open classes and the donors.
 *
 * The few that are left over where nobody can be spared: each class joins the closed group where
 * this costs the fewest cells, its own and those of the group, in which what they do not share is
 * suppressed as well. They are fewer than k people. Linear in the groups for each
 * class that is left over.
 */
#include "records/argus/argus.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* Attributes that are suppressed together. */
typedef struct star_pattern {
    uint64_t stars;
    int32_t size;   /* how many they are */
    bool looked_at; /* since the start */
    double loss;    /* what they cost in Prec, a row */
    int64_t price;  /* of the cheapest group under it when it was last looked at */
} star_pattern;

/* What is where. A class is open while it has fewer than k people and no group;
 * a donor is one that has k people and is released as it is, or what is left of
 * it. */
typedef struct repairs {
    const tacit__argus_view *view;
    tacit__argus_plan *plan;
    bool split;             /* classes can be split */
    star_pattern *patterns; /* by size, then loss, then attributes */
    int64_t pattern_count;
    uint32_t *open; /* classes, ascending */
    int64_t open_count;
    uint32_t *donors; /* the same */
    int64_t donor_count;
    uint32_t *left;   /* a class each: people of a donor who are still there */
    uint32_t *all;    /* every class, where covers are wanted; otherwise NULL */
    uint32_t *covers; /* a class each: the smallest pattern that leaves it k people */
} repairs;

/* One group under a pattern. */
typedef struct open_group {
    uint32_t rows, people; /* of open classes */
    uint32_t everybody;    /* people of all classes; only where asked for */
    uint32_t spare;        /* people that donors can do without */
    uint32_t donor;        /* the smallest, or TACIT__NO_GROUP */
} open_group;

/* What one worker needs for a look. */
typedef struct group_look {
    tacit__argus_groups groups;
    open_group *list;
    uint32_t *open_in;  /* an open class each: its group */
    uint32_t *donor_in; /* a donor each: its group, or none */
} group_look;

#define DEAR INT64_MAX

static tacit_status look_init(group_look *look, const repairs *r, tacit_error *err)
{
    size_t open = (size_t)r->open_count, donors = (size_t)r->donor_count;
    look->list = tacit__alloc_array(open, sizeof *look->list);
    look->open_in = tacit__alloc_array(open, sizeof *look->open_in);
    look->donor_in = tacit__alloc_array(donors, sizeof *look->donor_in);
    if (!look->list || !look->open_in || !look->donor_in)
        return tacit__nomem(err);
    return tacit__argus_groups_init(&look->groups, r->view, r->open_count, err);
}

static void look_clear(group_look *look)
{
    tacit__argus_groups_clear(&look->groups);
    tacit__free(look->list);
    tacit__free(look->open_in);
    tacit__free(look->donor_in);
    *look = (group_look){0};
}

/* People that a donor can do without and still have k. */
static uint32_t spare_of(const repairs *r, uint32_t donor)
{
    return r->split ? r->left[donor] - (uint32_t)r->view->k : 0;
}

static void gather_open(group_look *look, const repairs *r)
{
    tacit__argus_groups_add(look->open_in, &look->groups, r->open, r->open_count);
    for (int64_t g = 0; g < look->groups.count; g++)
        look->list[g] = (open_group){.donor = TACIT__NO_GROUP};
    for (int64_t i = 0; i < r->open_count; i++) {
        open_group *group = &look->list[look->open_in[i]];
        group->rows += r->view->rows[r->open[i]];
        group->people += r->view->people[r->open[i]];
    }
}

static void gather_donors(group_look *look, const repairs *r)
{
    tacit__argus_groups_find(look->donor_in, &look->groups, r->donors, r->donor_count);
    for (int64_t i = 0; i < r->donor_count; i++) {
        uint32_t donor = r->donors[i];
        if (look->donor_in[i] == TACIT__NO_GROUP)
            continue;
        open_group *group = &look->list[look->donor_in[i]];
        group->spare += spare_of(r, donor);
        if (group->donor == TACIT__NO_GROUP || r->left[donor] < r->left[group->donor])
            group->donor = donor;
    }
}

/* Groups the open classes under a pattern, and finds who could join them. */
static void look_at(group_look *look, const repairs *r, const star_pattern *pattern)
{
    tacit__argus_groups_start(&look->groups, ~pattern->stars, r->open_count);
    gather_open(look, r);
    gather_donors(look, r);
}

/* Counts everybody into the groups of the last look. */
static void look_around(group_look *look, const repairs *r)
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
static int64_t missing_in(const repairs *r, const open_group *group)
{
    return group->people < r->view->k ? r->view->k - group->people : 0;
}

/* The cells that a group would cost for each row that it saves, in eighths, and odd where it needs
 * donors, so that one that does not comes first; DEAR where there are not enough. */
static int64_t price_of(const repairs *r, const star_pattern *pattern, const open_group *group)
{
    int64_t missing = missing_in(r, group), added = missing;
    if (missing > group->spare && group->donor == TACIT__NO_GROUP)
        return DEAR;
    if (missing > group->spare)
        added = r->split ? r->left[group->donor] : r->view->rows[group->donor];
    int64_t cells = pattern->size * (group->rows + added);
    return 2 * ((4 * cells + group->rows - 1) / group->rows) + (missing > 0);
}

/* A donor gives people to a group, or all of itself. */
static tacit_status give(repairs *r, uint32_t donor, uint32_t people, uint64_t stars,
                         tacit_error *err)
{
    tacit__argus_plan *plan = r->plan;
    if (people == r->left[donor]) {
        plan->stars[donor] = stars;
        r->left[donor] = 0;
        return TACIT_OK;
    }
    if (!TACIT__PUSH(plan->parts, plan->part_capacity, plan->part_count,
                     (tacit__argus_part){donor, stars, people}))
        return tacit__nomem(err);
    r->left[donor] -= people;
    return TACIT_OK;
}

/* Closes a group: it has no rows any more, `people` are those that donors spare
 * it, and `donor` is one that joins it as a whole. */
static void close_group(open_group *group, const repairs *r)
{
    int64_t missing = missing_in(r, group);
    group->rows = 0;
    group->people = missing <= group->spare ? (uint32_t)missing : 0;
    if (missing <= group->spare)
        group->donor = TACIT__NO_GROUP;
}

/* What a donor gives to a group that is closed. */
static uint32_t due(open_group *group, const repairs *r, uint32_t donor)
{
    if (group->donor == donor)
        return r->left[donor];
    uint32_t spare = spare_of(r, donor), people = group->people < spare ? group->people : spare;
    group->people -= people;
    return people;
}

/* Takes the classes of closed groups out of those that are open. */
static void settle_open(repairs *r, const group_look *look, uint64_t stars)
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
static tacit_status settle_donors(repairs *r, group_look *look, uint64_t stars, tacit_error *err)
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

/* Closes the groups under a pattern that cost no more than the price; the pattern
 * gets the price of the cheapest that is left. */
static tacit_status close_groups(repairs *r, group_look *look, star_pattern *pattern, int64_t price,
                                 tacit_error *err)
{
    int64_t cheapest = DEAR;
    bool any = false;
    look_at(look, r, pattern);
    for (int64_t g = 0; g < look->groups.count; g++) {
        int64_t here = price_of(r, pattern, &look->list[g]);
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

/* A closed group. */
typedef struct closed {
    uint64_t stars;
    int64_t rows;
    uint32_t member; /* a class of it */
} closed;

/* All of them, and which one each class and part is in. */
typedef struct merging {
    repairs *r;
    closed *groups;
    int64_t count;
    size_t capacity;
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
    if (!TACIT__RESERVE(m->groups, m->capacity, (size_t)*group + 1))
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

/* Puts each class that is still open, where there are no donors, into the group
 * that this costs least. */
static tacit_status merge_left_over(repairs *r, tacit_error *err)
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

/* Each worker has a table of its own, so more would cost memory. */
enum { MAX_WORKERS = 8 };

/* ---- patterns ---- */

static int by_size(const void *a, const void *b)
{
    const star_pattern *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->stars < y->stars ? -1 : x->stars > y->stars;
}

/* What a row loses in Prec when an attribute is suppressed. */
static double loss_of(const tacit__argus_view *view, int32_t attribute)
{
    int level = tacit_classes_levels(view->classes)[attribute];
    int height = tacit_hierarchy_height(view->frame->attributes[attribute].hierarchy);
    return (double)(height - level) / height;
}

static star_pattern pattern_of(const tacit__argus_view *view, uint64_t number)
{
    star_pattern pattern = {0};
    for (int32_t a = 0; a < view->attributes; a++) {
        if (!(view->free >> a & 1))
            continue;
        if (number & 1) {
            pattern.stars |= UINT64_C(1) << a;
            pattern.loss += loss_of(view, a);
            pattern.size++;
        }
        number >>= 1;
    }
    pattern.price = INT64_C(8) * pattern.size; /* of a group that needs no donors */
    return pattern;
}

static tacit_status make_patterns(repairs *r, tacit_error *err)
{
    r->pattern_count = (INT64_C(1) << __builtin_popcountll(r->view->free)) - 1;
    r->patterns = tacit__alloc_array((size_t)r->pattern_count, sizeof *r->patterns);
    if (!r->patterns)
        return tacit__nomem(err);
    for (int64_t i = 0; i < r->pattern_count; i++)
        r->patterns[i] = pattern_of(r->view, (uint64_t)i + 1);
    qsort(r->patterns, (size_t)r->pattern_count, sizeof *r->patterns, by_size);
    return TACIT_OK;
}

/* ---- the state ---- */

static tacit_status prepare_covers(repairs *r, tacit_error *err)
{
    size_t count = (size_t)r->view->count;
    r->all = tacit__alloc_array(count, sizeof *r->all);
    r->covers = tacit__alloc_array(count, sizeof *r->covers);
    if (!r->all || !r->covers)
        return tacit__nomem(err);
    memset(r->covers, 0xff, count * sizeof *r->covers);
    for (size_t c = 0; c < count; c++)
        r->all[c] = (uint32_t)c;
    return TACIT_OK;
}

static tacit_status repairs_init(repairs *r, tacit_error *err)
{
    const tacit__argus_view *view = r->view;
    size_t count = (size_t)view->count;
    r->open = tacit__alloc_array(count, sizeof *r->open);
    r->donors = tacit__alloc_array(count, sizeof *r->donors);
    r->left = tacit__alloc_array(count, sizeof *r->left);
    r->plan->stars = tacit__alloc_zeroed(count, sizeof *r->plan->stars);
    if (!r->open || !r->donors || !r->left || !r->plan->stars)
        return tacit__nomem(err);
    memcpy(r->left, view->people, count * sizeof *r->left);
    for (int64_t c = 0; c < view->count; c++)
        if (view->people[c] < view->k)
            r->open[r->open_count++] = (uint32_t)c;
        else
            r->donors[r->donor_count++] = (uint32_t)c;
    return r->open_count > 0 ? make_patterns(r, err) : TACIT_OK;
}

static void repairs_clear(repairs *r)
{
    tacit__free(r->patterns);
    tacit__free(r->open);
    tacit__free(r->donors);
    tacit__free(r->left);
    tacit__free(r->all);
    tacit__free(r->covers);
}

/* ---- looking at the patterns of one price ---- */

typedef struct round {
    repairs *r;
    group_look *looks; /* a worker each */
    int64_t *patterns; /* those of the price */
    int64_t count;
} round;

/* Notes whom the pattern covers; workers agree on the first of several. */
static void note_covers(repairs *r, group_look *look, int64_t pattern)
{
    look_around(look, r);
    for (int64_t i = 0; i < r->open_count; i++) {
        if (look->list[look->open_in[i]].everybody < r->view->k)
            continue;
        _Atomic uint32_t *cover = (_Atomic uint32_t *)&r->covers[r->open[i]];
        uint32_t known = atomic_load_explicit(cover, memory_order_relaxed);
        while (known > pattern && !atomic_compare_exchange_weak(cover, &known, (uint32_t)pattern))
            ;
    }
}

static tacit_status look_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    round *now = context;
    repairs *r = now->r;
    group_look *look = &now->looks[worker];
    star_pattern *pattern = &r->patterns[now->patterns[task]];
    int64_t cheapest = DEAR;
    look_at(look, r, pattern);
    if (!pattern->looked_at && r->all)
        note_covers(r, look, now->patterns[task]);
    for (int64_t g = 0; g < look->groups.count; g++) {
        int64_t price = price_of(r, pattern, &look->list[g]);
        cheapest = price < cheapest ? price : cheapest;
    }
    pattern->looked_at = true;
    pattern->price = cheapest;
    return TACIT_OK;
}

/* Lists the patterns of the lowest price; returns it. */
static int64_t list_cheapest(round *now)
{
    const repairs *r = now->r;
    int64_t price = DEAR;
    for (int64_t i = 0; i < r->pattern_count; i++)
        price = r->patterns[i].price < price ? r->patterns[i].price : price;
    now->count = 0;
    for (int64_t i = 0; i < r->pattern_count; i++)
        if (r->patterns[i].price == price)
            now->patterns[now->count++] = i;
    return price;
}

static tacit_status run_rounds(round *now, const tacit_run *run, tacit_error *err)
{
    repairs *r = now->r;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && r->open_count > 0) {
        int64_t price = list_cheapest(now);
        if (price == DEAR)
            return merge_left_over(r, err);
        status = tacit__parallel(run, "suppressing", now->count, look_task, now, err);
        for (int64_t i = 0; status == TACIT_OK && i < now->count; i++) {
            star_pattern *pattern = &r->patterns[now->patterns[i]];
            if (pattern->price <= price)
                status = close_groups(r, &now->looks[0], pattern, price, err);
        }
    }
    return status;
}

static tacit_status suppress(repairs *r, const tacit_run *run, tacit_error *err)
{
    tacit_run mine = *run;
    mine.threads = tacit__threads(run) < MAX_WORKERS ? tacit__threads(run) : MAX_WORKERS;
    round now = {.r = r};
    now.looks = tacit__alloc_zeroed((size_t)mine.threads, sizeof *now.looks);
    now.patterns = tacit__alloc_array((size_t)r->pattern_count, sizeof *now.patterns);
    tacit_status status = now.looks && now.patterns ? TACIT_OK : tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < mine.threads; i++)
        status = look_init(&now.looks[i], r, err);
    if (status == TACIT_OK)
        status = run_rounds(&now, &mine, err);
    for (int i = 0; now.looks && i < mine.threads; i++)
        look_clear(&now.looks[i]);
    tacit__free(now.looks);
    tacit__free(now.patterns);
    return status;
}

/* The sum of the smallest covers, in cells. */
static int64_t least_cells(const repairs *r)
{
    int64_t cells = 0;
    for (int64_t c = 0; r->covers && c < r->view->count; c++)
        if (r->view->people[c] < r->view->k)
            cells += (int64_t)r->view->rows[c] * r->patterns[r->covers[c]].size;
    return cells;
}

tacit_status tacit__argus_repair(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 bool covers, const tacit_run *run, tacit_error *err)
{
    tacit__argus_plan made = {0};
    repairs r = {.view = view, .plan = &made, .split = view->frame->person < 0};
    tacit_status status = repairs_init(&r, err);
    if (status == TACIT_OK && covers)
        status = prepare_covers(&r, err);
    if (status == TACIT_OK && r.open_count > 0)
        status = suppress(&r, run, err);
    if (status == TACIT_OK) {
        made.least_cells = least_cells(&r);
        *plan = made;
    } else {
        tacit__argus_plan_clear(&made);
    }
    repairs_clear(&r);
    return status;
}
