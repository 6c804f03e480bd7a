/*
 * cut.c - suppression of tuples, after 6.3.2 of Sweeney, Computational
 * Disclosure Control. (Figure 42 mixes up positions with counts and tests
 * `belowk` after counting it down to zero; the text says what is meant.)
 *
 * With one quasi-identifier, classes of fewer than k people go. With several,
 * a class goes when its group in any of them is too small, and that makes
 * groups of the others smaller; so removals are followed up until nothing more
 * falls. The order does not matter: what is left is the largest set of classes
 * in which every group keeps k.
 *
 * What is suppressed must keep k too, or summary data gives it away (6.3.3).
 * So while fewer than k people are gone, more follow: from the class with the
 * fewest people that keeps k (or the most, by option), only as many as are
 * needed if it keeps k without them, otherwise all of it. Between classes of
 * the same number of people the one whose values come first in the table goes.
 * Where people can have several rows and there are several quasi-identifiers,
 * classes go whole.
 *
 * Linear in the number of classes (and pairs of class and person) for each
 * quasi-identifier; each class taken as a complement is searched linearly. The
 * groups of up to KEPT_SETS quasi-identifiers are kept, about 16 bytes a class
 * and set, and those of more while all of them have no more than KEPT_ITEMS.
 * Beyond that a set is grouped when its turn comes and forgotten: removals are
 * followed up by going through the sets again until none takes anything, in the
 * memory of one.
 */
#include "records/apply/cut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { KEPT_SETS = 64, KEPT_ITEMS = 1 << 24 };

static bool has_person(const tacit__cut *cut)
{
    return cut->frame->person >= 0;
}

/* How many of a class's people are not gone yet. */
static int64_t fresh_people(const tacit__cut *cut, int64_t class)
{
    if (!has_person(cut))
        return tacit_classes_size(cut->classes, class);
    int64_t fresh = 0;
    for (int64_t i = cut->pairs.starts[class]; i < cut->pairs.starts[class + 1]; i++)
        fresh +=
            !tacit__bit_get(cut->gone_people, tacit__pair_person(cut->classes, cut->pairs.list[i]));
    return fresh;
}

static void mark_gone(tacit__cut *cut, int64_t class)
{
    for (int64_t i = cut->pairs.starts[class]; i < cut->pairs.starts[class + 1]; i++)
        tacit__bit_set(cut->gone_people, tacit__pair_person(cut->classes, cut->pairs.list[i]));
}

void tacit__cut_take(tacit__cut *cut, int64_t class)
{
    cut->gone_count++;
    tacit__bit_set(cut->gone, class);
    cut->rows += tacit_classes_size(cut->classes, class);
    cut->people += fresh_people(cut, class);
    if (has_person(cut))
        mark_gone(cut, class);
    if (cut->sets)
        cut->pending[cut->pending_count++] = (uint32_t) class;
}

static void take_group(tacit__cut *cut, const tacit__cut_set *set, uint32_t group)
{
    for (int64_t i = set->classes.starts[group]; i < set->classes.starts[group + 1]; i++)
        if (!tacit__bit_get(cut->gone, set->classes.list[i]))
            tacit__cut_take(cut, set->classes.list[i]);
}

/* Takes a class that is gone out of its group. */
static void leave_group(const tacit__cut *cut, tacit__cut_set *set, int64_t class)
{
    uint32_t group = set->group_of[class];
    if (!has_person(cut))
        set->people[group] -= (uint32_t)tacit_classes_size(cut->classes, class);
    else
        for (int64_t i = cut->pairs.starts[class]; i < cut->pairs.starts[class + 1]; i++)
            if (--set->presences[set->presence_of[cut->pairs.list[i]]] == 0)
                set->people[group]--;
}

static void settle_pending(tacit__cut *cut)
{
    while (cut->pending_count > 0) {
        int64_t class = cut->pending[--cut->pending_count];
        for (int32_t s = 0; s < cut->set_count; s++) {
            tacit__cut_set *set = &cut->sets[s];
            uint32_t group = set->group_of[class], before = set->people[group];
            leave_group(cut, set, class);
            if (before >= cut->k && set->people[group] < cut->k)
                take_group(cut, set, group);
        }
    }
}

/* Pairs -> what a quasi-identifier sees of them: the group and the person. */
static tacit_status find_presences(tacit__cut_set *set, const tacit__cut *cut,
                                   const uint64_t *columns, tacit_error *err)
{
    const tacit__grouping *pairs = &cut->classes->pairs;
    tacit__grouping presences = {0};
    tacit__feed feed;
    tacit_status status =
        tacit__feed_projected(&feed, pairs, columns, cut->frame->attribute_count, true, err);
    if (status == TACIT_OK)
        status = tacit__grouping_init(&presences, &feed, true, cut->run, err);
    set->presence_of = tacit__alloc_array((size_t)pairs->count, sizeof *set->presence_of);
    if (status == TACIT_OK)
        status = set->presence_of
                     ? tacit__grouping_assign(&presences, &feed, set->presence_of, cut->run, err)
                     : tacit__nomem(err);
    set->presences = presences.members;
    presences.members = NULL;
    tacit__grouping_clear(&presences);
    tacit__feed_clear(&feed);
    return status;
}

/* People of each group: each presence once. */
static tacit_status count_presences(tacit__cut_set *set, const tacit__cut *cut, tacit_error *err)
{
    uint64_t *seen =
        tacit__alloc_zeroed(tacit__bitset_words(cut->classes->pairs.count), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        for (int64_t i = cut->pairs.starts[c]; i < cut->pairs.starts[c + 1]; i++) {
            uint32_t presence = set->presence_of[cut->pairs.list[i]];
            set->people[set->group_of[c]] += !tacit__bit_get(seen, presence);
            tacit__bit_set(seen, presence);
        }
    tacit__free(seen);
    return TACIT_OK;
}

static tacit_status count_set_people(tacit__cut_set *set, const tacit__cut *cut,
                                     tacit__grouping *groups, const uint64_t *columns,
                                     tacit_error *err)
{
    set->people = groups->rows;
    groups->rows = NULL;
    if (!has_person(cut))
        return TACIT_OK;
    memset(set->people, 0, (size_t)groups->count * sizeof *set->people);
    tacit_status status = find_presences(set, cut, columns, err);
    return status == TACIT_OK ? count_presences(set, cut, err) : status;
}

static tacit_status set_init(tacit__cut_set *set, const tacit__cut *cut, const uint64_t *columns,
                             tacit_error *err)
{
    const tacit__grouping *classes = &cut->classes->groups;
    tacit__grouping groups = {0};
    tacit__feed feed;
    tacit_status status =
        tacit__feed_projected(&feed, classes, columns, cut->frame->attribute_count, false, err);
    if (status == TACIT_OK)
        status = tacit__grouping_init(&groups, &feed, false, cut->run, err);
    set->group_count = groups.count;
    set->group_of = tacit__alloc_array((size_t)classes->count, sizeof *set->group_of);
    if (status == TACIT_OK)
        status = set->group_of
                     ? tacit__grouping_assign(&groups, &feed, set->group_of, cut->run, err)
                     : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__lists_init(&set->classes, set->group_of, classes->count, groups.count, err);
    if (status == TACIT_OK)
        status = count_set_people(set, cut, &groups, columns, err);
    tacit__grouping_clear(&groups);
    tacit__feed_clear(&feed);
    return status;
}

tacit_status tacit__cut_set_open(tacit__cut_set *set, const tacit__cut *cut, int32_t index,
                                 tacit_error *err)
{
    *set = (tacit__cut_set){0};
    tacit_status status = set_init(set, cut, tacit__frame_set(cut->frame, index), err);
    if (status != TACIT_OK) {
        tacit__cut_set_close(set);
        return status;
    }
    for (int64_t c = 0; cut->gone_count > 0 && c < cut->classes->groups.count; c++)
        if (tacit__bit_get(cut->gone, c))
            leave_group(cut, set, c);
    return TACIT_OK;
}

void tacit__cut_set_close(tacit__cut_set *set)
{
    tacit__free(set->group_of);
    tacit__lists_clear(&set->classes);
    tacit__free(set->people);
    tacit__free(set->presence_of);
    tacit__free(set->presences);
    *set = (tacit__cut_set){0};
}

/* Takes the classes of groups below k. */
static void take_small(tacit__cut *cut, const tacit__cut_set *set)
{
    for (int64_t g = 0; g < set->group_count; g++)
        if (set->people[g] < cut->k)
            take_group(cut, set, (uint32_t)g);
}

/* A set after the other, over and over, until all have been looked at since the last class went. */
static tacit_status settle_in_turn(tacit__cut *cut, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t s = 0, quiet = 0; status == TACIT_OK && quiet < cut->set_count;
         s = (s + 1) % cut->set_count) {
        tacit__cut_set set;
        int64_t before = cut->gone_count;
        status = tacit__progress(cut->run, "suppressing", s, cut->set_count, err);
        if (status == TACIT_OK)
            status = tacit__cut_set_open(&set, cut, s, err);
        if (status != TACIT_OK)
            break;
        take_small(cut, &set);
        tacit__cut_set_close(&set);
        quiet = cut->gone_count > before ? 1 : quiet + 1;
    }
    return status;
}

tacit_status tacit__cut_settle(tacit__cut *cut, tacit_error *err)
{
    if (cut->set_count > 0 && !cut->sets)
        return settle_in_turn(cut, err);
    settle_pending(cut);
    return TACIT_OK;
}

/* All groups must be known before the first class is taken out of them. */
static tacit_status cut_sets(tacit__cut *cut, tacit_error *err)
{
    int64_t classes = cut->classes->groups.count, items = classes + cut->classes->pairs.count;
    cut->set_count = cut->frame->set_count;
    if (cut->set_count > KEPT_SETS && items > KEPT_ITEMS / cut->set_count)
        return settle_in_turn(cut, err);
    cut->sets = tacit__alloc_zeroed((size_t)cut->set_count, sizeof *cut->sets);
    cut->pending = tacit__alloc_array((size_t)classes, sizeof *cut->pending);
    tacit_status status = cut->sets && cut->pending ? TACIT_OK : tacit__nomem(err);
    for (int32_t s = 0; status == TACIT_OK && s < cut->set_count; s++)
        status = set_init(&cut->sets[s], cut, tacit__frame_set(cut->frame, s), err);
    if (status != TACIT_OK)
        return status;
    for (int32_t s = 0; s < cut->set_count; s++)
        take_small(cut, &cut->sets[s]);
    settle_pending(cut);
    return TACIT_OK;
}

static void cut_single(tacit__cut *cut)
{
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        if (tacit_classes_people(cut->classes, c) < cut->k)
            tacit__cut_take(cut, c);
}

bool tacit__frame_is_single(const tacit_frame *frame)
{
    for (int32_t i = 0; frame->sets && i < frame->set_count; i++) {
        const uint64_t *set = tacit__frame_set(frame, i);
        if (tacit__bitset_count(set, frame->attribute_count) == frame->attribute_count)
            return true;
    }
    return !frame->sets || frame->set_count == 0;
}

tacit_status tacit__cut_begin(tacit__cut *cut, const tacit_frame *frame,
                              const tacit_classes *classes, int64_t k, const tacit_run *run,
                              tacit_error *err)
{
    *cut = (tacit__cut){.frame = frame, .classes = classes, .k = k, .part_of = -1, .run = run};
    tacit_status status = TACIT_OK;
    cut->gone = tacit__alloc_zeroed(tacit__bitset_words(classes->groups.count), sizeof *cut->gone);
    if (!cut->gone)
        status = tacit__nomem(err);
    if (status == TACIT_OK && has_person(cut)) {
        int64_t codes = (int64_t)tacit_table_distinct(frame->table, frame->person) + 1;
        cut->gone_people = tacit__alloc_zeroed(tacit__bitset_words(codes), sizeof(uint64_t));
        status = cut->gone_people ? tacit__classes_pairs(&cut->pairs, classes, run, err)
                                  : tacit__nomem(err);
    }
    if (status != TACIT_OK)
        tacit__cut_clear(cut);
    return status;
}

tacit_status tacit__cut_init(tacit__cut *cut, const tacit_frame *frame,
                             const tacit_classes *classes, int64_t k, const tacit_run *run,
                             tacit_error *err)
{
    tacit_status status = tacit__cut_begin(cut, frame, classes, k, run, err);
    if (status == TACIT_OK && !tacit__frame_is_single(frame))
        status = cut_sets(cut, err);
    else if (status == TACIT_OK)
        cut_single(cut);
    if (status != TACIT_OK)
        tacit__cut_clear(cut);
    return status;
}

static bool comes_before(const tacit__cut *cut, int64_t a, int64_t b, bool largest)
{
    int64_t x = tacit_classes_people(cut->classes, a), y = tacit_classes_people(cut->classes, b);
    if (x != y)
        return largest ? x > y : x < y;
    return tacit__classes_compare(cut->classes, a, b) < 0;
}

static int64_t choose(const tacit__cut *cut, bool largest)
{
    int64_t best = -1;
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        if (!tacit__bit_get(cut->gone, c) && (best < 0 || comes_before(cut, c, best, largest)) &&
            fresh_people(cut, c) > 0)
            best = c;
    return best;
}

/* People in the group of a class, of one set. */
static tacit_status group_people(int64_t *people, const tacit__cut *cut, int32_t index,
                                 int64_t class, tacit_error *err)
{
    tacit__cut_set set;
    if (cut->sets) {
        *people = cut->sets[index].people[cut->sets[index].group_of[class]];
        return TACIT_OK;
    }
    tacit_status status = tacit__cut_set_open(&set, cut, index, err);
    if (status != TACIT_OK)
        return status;
    *people = set.people[set.group_of[class]];
    tacit__cut_set_close(&set);
    return TACIT_OK;
}

/* Whether the class and its groups keep k without that many of its people. (So
 * many are not gone yet: fewer than k are, and a class that could lose some has
 * k more.) */
static tacit_status can_part(bool *can, const tacit__cut *cut, int64_t class, int64_t people,
                             tacit_error *err)
{
    int64_t left = tacit_classes_people(cut->classes, class) - people;
    *can = left >= (cut->set_count > 0 ? 1 : cut->k) && !(cut->set_count > 0 && has_person(cut));
    tacit_status status = TACIT_OK;
    for (int32_t s = 0; status == TACIT_OK && *can && s < cut->set_count; s++) {
        int64_t together = 0;
        status = group_people(&together, cut, s, class, err);
        *can = together >= cut->k + people;
    }
    return status;
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* The most rows that so many people of the class can have: which people they
 * are is drawn later. */
static tacit_status most_rows(int64_t *rows, const tacit__cut *cut, int64_t class, int64_t people,
                              tacit_error *err)
{
    int64_t start = cut->pairs.starts[class], count = cut->pairs.starts[class + 1] - start;
    int64_t fresh = 0;
    uint32_t *sizes = tacit__alloc_array((size_t)count, sizeof *sizes);
    if (!sizes)
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++) {
        uint32_t pair = cut->pairs.list[start + i];
        if (!tacit__bit_get(cut->gone_people, tacit__pair_person(cut->classes, pair)))
            sizes[fresh++] = cut->classes->pairs.rows[pair];
    }
    qsort(sizes, (size_t)fresh, sizeof *sizes, descending);
    *rows = 0;
    for (int64_t i = 0; i < people; i++)
        *rows += sizes[i];
    tacit__free(sizes);
    return TACIT_OK;
}

tacit_status tacit__cut_complement(tacit__cut *cut, bool largest, tacit_error *err)
{
    while (cut->people > 0 && cut->people < cut->k) {
        int64_t class = choose(cut, largest), people = cut->k - cut->people;
        assert(class >= 0);
        bool can = false;
        tacit_status status = can_part(&can, cut, class, people, err);
        if (status == TACIT_OK && !can) {
            tacit__cut_take(cut, class);
            status = tacit__cut_settle(cut, err);
        }
        if (status != TACIT_OK)
            return status;
        if (!can)
            continue;
        cut->part_of = class;
        cut->part_people = people;
        cut->part_rows = people;
        return has_person(cut) ? most_rows(&cut->part_rows, cut, class, people, err) : TACIT_OK;
    }
    return TACIT_OK;
}

tacit_status tacit__cut_more(bool *more, tacit__cut *cut, bool largest, tacit_error *err)
{
    int64_t class = choose(cut, largest);
    *more = class >= 0;
    if (!*more)
        return TACIT_OK;
    tacit__cut_take(cut, class);
    return tacit__cut_settle(cut, err);
}

void tacit__cut_describe(tacit_solution *solution, const tacit__cut *cut, int64_t outliers)
{
    for (int64_t c = 0; c < cut->classes->groups.count; c++)
        if (tacit__bit_get(cut->gone, c))
            solution->suppressed[c] = tacit_classes_people(cut->classes, c);
    if (cut->part_of >= 0)
        solution->suppressed[cut->part_of] = cut->part_people;
    solution->suppressed_rows = cut->rows + (cut->part_of >= 0 ? cut->part_people : 0);
    solution->complementary = solution->suppressed_rows - outliers;
}

void tacit__cut_clear(tacit__cut *cut)
{
    for (int32_t s = 0; cut->sets && s < cut->set_count; s++)
        tacit__cut_set_close(&cut->sets[s]);
    tacit__free(cut->sets);
    tacit__free(cut->pending);
    tacit__lists_clear(&cut->pairs);
    tacit__free(cut->gone_people);
    tacit__free(cut->gone);
    *cut = (tacit__cut){0};
}

tacit_status tacit__cut_rows(int64_t *rows, const tacit_frame *frame, const tacit_classes *classes,
                             int64_t k, const tacit_run *run, tacit_error *err)
{
    tacit__cut cut;
    if (tacit__frame_is_single(frame)) {
        *rows = 0;
        for (int64_t c = 0; c < classes->groups.count; c++)
            if (tacit_classes_people(classes, c) < k)
                *rows += classes->groups.rows[c];
        return TACIT_OK;
    }
    tacit_status status = tacit__cut_init(&cut, frame, classes, k, run, err);
    if (status != TACIT_OK)
        return status;
    *rows = cut.rows;
    tacit__cut_clear(&cut);
    return TACIT_OK;
}
