/*
 * risks.c - bounds on the average risk and on the share of unique people in the population, kept.
 *
 * The average is the mean over people of 1 / people of their class: classes / people. Of all ways
 * to take m classes out the smallest leave the least average and cost the fewest rows, where every
 * row is a person, so smallest first is best. Suppressed rows that stay in the release are a class
 * more; where people are counted they are left out of the denominator, for they may be in other
 * classes as well.
 *
 * Uniqueness is estimated from the sizes of classes (uniques/estimators.c), each person who was
 * suppressed as a class of his own, so that taking out some of those who stand out does not make a
 * table look like a sample in which nobody does. Where too many seem unique, everybody who is alone
 * goes or nobody.
 *
 * ARX bounds both in this way (Prasser, Kohlmayer, Kuhn: The importance of context: risk-based
 * de-identification of biomedical data, Methods Inf Med 55, 2016), and leaves suppressed rows out.
 *
 * Costs a sort of the sizes.
 */
#include "records/models/risks.h"

#include <math.h>
#include <stdlib.h>

#include <tacit/experimental/uniques.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/boxes.h"
#include "records/methods/methods.h"

bool tacit__risks_monotone(const tacit_frame *frame)
{
    return frame->risks.model == TACIT_UNIQUENESS_NONE && frame->person < 0;
}

/* ---- what sizes keep ---- */

/* People of the classes of one quasi-identifier. */
typedef struct sizes {
    uint32_t *of; /* a class each, with room for the people gone behind them */
    int64_t count;
    int64_t people; /* of all of them */
    int64_t gone;   /* suppressed */
} sizes;

static bool keeps_average(const tacit_frame *frame, const sizes *s, bool dropped)
{
    double most = frame->risks.average + TACIT_MODEL_TOLERANCE, people = (double)s->people;
    bool keeps = s->count == 0 || (double)s->count <= most * people;
    if (s->gone == 0 || dropped)
        return keeps;
    people += frame->person < 0 || s->count == 0 ? (double)s->gone : 0;
    return keeps && (double)s->count + 1 <= most * people;
}

static bool has_alone(const sizes *s)
{
    for (int64_t i = 0; i < s->count; i++)
        if (s->of[i] == 1)
            return true;
    return false;
}

static tacit_status keeps_unique(bool *keeps, const tacit_risk_bounds *bounds, sizes *s,
                                 tacit_error *err)
{
    double share = 0;
    *keeps = true;
    if (bounds->model == TACIT_UNIQUENESS_NONE || !has_alone(s))
        return TACIT_OK;
    for (int64_t i = 0; i < s->gone; i++)
        s->of[s->count + i] = 1;
    tacit_status status = tacit_uniqueness_of(&share, s->of, s->count + s->gone, bounds->model,
                                              bounds->fraction, err);
    *keeps = share <= bounds->unique; /* not, where no model fits */
    return status;
}

static tacit_status keeps_all(bool *keeps, const tacit_frame *frame, sizes *s, bool dropped,
                              tacit_error *err)
{
    tacit_status status = keeps_unique(keeps, &frame->risks, s, err);
    *keeps = *keeps && (frame->risks.average <= 0 || keeps_average(frame, s, dropped));
    return status;
}

/* ---- cuts ---- */

static bool has_one_set(const tacit_frame *frame)
{
    return tacit__frame_is_single(frame) && (!frame->sets || frame->set_count <= 1);
}

static int64_t gone_of(const tacit__cut *cut)
{
    return cut->people + cut->part_people;
}

static tacit_status sizes_new(sizes *s, int64_t classes, int64_t gone, tacit_error *err)
{
    *s = (sizes){.gone = gone};
    s->of = tacit__alloc_array((size_t)classes + (size_t)gone, sizeof *s->of);
    return s->of ? TACIT_OK : tacit__nomem(err);
}

static void add_size(sizes *s, int64_t people)
{
    if (people <= 0)
        return;
    s->of[s->count++] = (uint32_t)people;
    s->people += people;
}

static tacit_status sizes_of_classes(sizes *s, const tacit__cut *cut, tacit_error *err)
{
    int64_t count = cut->classes->groups.count;
    tacit_status status = sizes_new(s, count, gone_of(cut), err);
    for (int64_t c = 0; status == TACIT_OK && c < count; c++)
        if (!tacit__bit_get(cut->gone, c))
            add_size(s, tacit_classes_people(cut->classes, c) -
                            (c == cut->part_of ? cut->part_people : 0));
    return status;
}

static tacit_status sizes_of_groups(sizes *s, const tacit__cut *cut, const tacit__cut_set *set,
                                    tacit_error *err)
{
    int64_t part = cut->part_of >= 0 ? (int64_t)set->group_of[cut->part_of] : -1;
    tacit_status status = sizes_new(s, set->group_count, gone_of(cut), err);
    for (int64_t g = 0; status == TACIT_OK && g < set->group_count; g++)
        add_size(s, set->people[g] - (g == part ? cut->part_people : 0));
    return status;
}

static tacit_status sizes_of_set(sizes *s, const tacit__cut *cut, int32_t index, tacit_error *err)
{
    tacit__cut_set set;
    if (has_one_set(cut->frame))
        return sizes_of_classes(s, cut, err);
    if (cut->sets)
        return sizes_of_groups(s, cut, &cut->sets[index], err);
    tacit_status status = tacit__cut_set_open(&set, cut, index, err);
    if (status != TACIT_OK)
        return status;
    status = sizes_of_groups(s, cut, &set, err);
    tacit__cut_set_close(&set);
    return status;
}

tacit_status tacit__risks_hold(bool *hold, const tacit__cut *cut, bool dropped, tacit_error *err)
{
    const tacit_frame *frame = cut->frame;
    int32_t sets = has_one_set(frame) ? 1 : frame->set_count;
    tacit_status status = TACIT_OK;
    *hold = true;
    for (int32_t i = 0; status == TACIT_OK && *hold && i < sets; i++) {
        sizes s = {0};
        status = sizes_of_set(&s, cut, i, err);
        if (status == TACIT_OK)
            status = keeps_all(hold, frame, &s, dropped, err);
        tacit__free(s.of);
    }
    return status;
}

/* ---- what is taken out ---- */

typedef struct candidate {
    const tacit_classes *classes;
    int64_t people;
    uint32_t class;
} candidate;

static int smaller_first(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->people != b->people)
        return a->people < b->people ? -1 : 1;
    return tacit__classes_compare(a->classes, a->class, b->class);
}

/* The classes that are left, the smallest first. */
static tacit_status list_left(candidate **out, int64_t *count, const tacit__cut *cut,
                              tacit_error *err)
{
    int64_t classes = cut->classes->groups.count;
    candidate *list = tacit__alloc_array((size_t)classes, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    *count = 0;
    for (int64_t c = 0; c < classes; c++)
        if (!tacit__bit_get(cut->gone, c))
            list[(*count)++] =
                (candidate){cut->classes, tacit_classes_people(cut->classes, c), (uint32_t)c};
    qsort(list, (size_t)*count, sizeof *list, smaller_first);
    *out = list;
    return TACIT_OK;
}

/* How many of the classes that are left have one person. */
static int64_t count_alone(const candidate *list, int64_t count)
{
    int64_t alone = 0;
    while (alone < count && list[alone].people == 1)
        alone++;
    return alone;
}

/* How many have to go until the others keep the average. */
static int64_t count_for_average(const tacit__cut *cut, const candidate *list, int64_t count,
                                 bool dropped)
{
    sizes left = {.count = count, .gone = gone_of(cut)};
    int64_t taken = 0;
    for (int64_t i = 0; i < count; i++)
        left.people += list[i].people;
    for (; taken < count && !keeps_average(cut->frame, &left, dropped); taken++) {
        left.count--;
        left.people -= list[taken].people;
        left.gone += list[taken].people;
    }
    return taken;
}

static int64_t rows_of(const candidate *list, int64_t count)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < count; i++)
        rows += tacit_classes_size(list[i].classes, list[i].class);
    return rows;
}

static tacit_status take_first(tacit__cut *cut, const candidate *list, int64_t count,
                               tacit_error *err)
{
    for (int64_t i = 0; i < count; i++)
        tacit__cut_take(cut, list[i].class);
    return tacit__cut_settle(cut, err);
}

/* How many go so that those left keep everything, and how many for the average alone. */
static tacit_status count_taken(int64_t *taken, int64_t *for_average, const tacit__cut *cut,
                                const candidate *list, int64_t count, bool dropped,
                                tacit_error *err)
{
    const tacit_risk_bounds *bounds = &cut->frame->risks;
    sizes s = {0};
    bool unique = true;
    *for_average = bounds->average > 0 ? count_for_average(cut, list, count, dropped) : 0;
    tacit_status status = sizes_of_classes(&s, cut, err);
    if (status == TACIT_OK)
        status = keeps_unique(&unique, bounds, &s, err);
    tacit__free(s.of);
    int64_t alone = unique ? 0 : count_alone(list, count);
    *taken = alone > *for_average ? alone : *for_average;
    return status;
}

tacit_status tacit__risks_cut(bool *within, bool *doomed, tacit__cut *cut, int64_t limit,
                              bool dropped, tacit_error *err)
{
    candidate *list = NULL;
    int64_t count = 0, for_average = 0, taken = 0;
    bool hold = true;
    *within = true;
    *doomed = false;
    if (!tacit_risk_bounds_any(&cut->frame->risks) || !has_one_set(cut->frame))
        return TACIT_OK;
    tacit_status status = tacit__risks_hold(&hold, cut, dropped, err);
    if (status != TACIT_OK || hold)
        return status;
    status = list_left(&list, &count, cut, err);
    if (status == TACIT_OK)
        status = count_taken(&taken, &for_average, cut, list, count, dropped, err);
    if (status == TACIT_OK) {
        *within = cut->rows + rows_of(list, taken) <= limit;
        *doomed = cut->frame->person < 0 && cut->rows + rows_of(list, for_average) > limit;
        if (*within)
            status = take_first(cut, list, taken, err);
    }
    tacit__free(list);
    return status;
}

/* ---- boxes ---- */

static tacit_status boxes_hold(bool *hold, const tacit_solution *solution, const tacit_frame *frame,
                               bool dropped, const tacit_run *run, tacit_error *err)
{
    tacit__box_counts counts = {0};
    sizes s = {0};
    tacit_status status = tacit__box_counts_init(&counts, solution, frame, run, err);
    const uint32_t *people = counts.people ? counts.people : counts.rows;
    int64_t gone = 0;
    for (int64_t b = 0; status == TACIT_OK && b < solution->boxes->count; b++)
        if (tacit__box_is_starred(solution->boxes, frame, b))
            gone += people[b];
    if (status == TACIT_OK)
        status = sizes_new(&s, solution->boxes->count, gone, err);
    for (int64_t b = 0; status == TACIT_OK && b < solution->boxes->count; b++)
        if (!tacit__box_is_starred(solution->boxes, frame, b))
            add_size(&s, people[b]);
    if (status == TACIT_OK)
        status = keeps_all(hold, frame, &s, dropped, err);
    tacit__free(s.of);
    tacit__box_counts_clear(&counts);
    return status;
}

/* The k with which every class keeps the bounds by itself. */
static int64_t sure_k(const tacit_frame *frame, int64_t k)
{
    const tacit_risk_bounds *bounds = &frame->risks;
    if (bounds->model != TACIT_UNIQUENESS_NONE && k < 2)
        k = 2;
    double least = bounds->average > 0 ? ceil(1 / (bounds->average + TACIT_MODEL_TOLERANCE)) : 1;
    if (least > (double)TACIT_MAX_ROWS)
        least = (double)TACIT_MAX_ROWS;
    return (double)k < least ? (int64_t)least : k;
}

typedef struct trial {
    tacit__solve_fn solve;
    const tacit_frame *frame;
    const tacit_run *run;
    tacit_records_options options;
    double lower_bound; /* of what was asked for, the bounds aside */
} trial;

/* A solution with a k, if there is one that keeps the bounds. */
static tacit_status try_k(tacit_solution **out, trial *t, int64_t k, bool sure, tacit_error *err)
{
    tacit_solution *solution = NULL;
    bool hold = sure;
    t->options.k = k;
    tacit_status status = t->solve(&solution, t->frame, &t->options, t->run, err);
    if (status == TACIT_OK && !sure)
        status = boxes_hold(&hold, solution, t->frame, t->options.drop_suppressed, t->run, err);
    if (status == TACIT_OK && hold) {
        tacit_solution_free(*out);
        *out = solution;
        return TACIT_OK;
    }
    if (status == TACIT_OK && isnan(t->lower_bound))
        t->lower_bound = solution->search.lower_bound;
    tacit_solution_free(solution);
    return status;
}

/* Between a k that does not do and one that does, of which *out is the solution. */
static tacit_status bisect(tacit_solution **out, trial *t, int64_t low, int64_t high,
                           tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && high - low > 1) {
        const tacit_solution *before = *out;
        int64_t middle = low + (high - low) / 2;
        status = try_k(out, t, middle, false, err);
        *(*out == before ? &low : &high) = middle;
    }
    (*out)->search.lower_bound = t->lower_bound;
    (*out)->search.proven = false;
    return status;
}

/* Looks for a k below the one that is sure to do; where that is stopped, *out is the best so far.
 */
static tacit_status go_lower(tacit_solution **out, trial *t, int64_t low, int64_t high,
                             tacit_error *err)
{
    tacit_error stop = {0};
    const tacit_solution *sure = *out;
    tacit_status status = try_k(out, t, low, false, &stop);
    if (status == TACIT_OK && *out == sure)
        status = bisect(out, t, low, high, &stop);
    if (*out == sure) {
        (*out)->search.lower_bound = t->lower_bound;
        (*out)->search.proven = false;
    }
    (*out)->search.stopped |= status == TACIT_CANCELLED;
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        return TACIT_OK;
    if (err)
        *err = stop;
    return status;
}

/* One class of everybody has the least average that there is. */
static tacit_status check_average(const tacit_frame *frame, tacit_error *err)
{
    double people = (double)tacit__people_of(frame), most = frame->risks.average;
    if (most <= 0 || 1 <= (most + TACIT_MODEL_TOLERANCE) * people)
        return TACIT_OK;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "one class of all %.0f %s has an average risk of %.4g, so no release can "
                        "keep %.4g; ask for less, or add records",
                        people, tacit__unit_word(frame, (int64_t)people), 1 / people, most);
}

tacit_status tacit__risks_solve(tacit_solution **out, tacit__solve_fn solve,
                                const tacit_frame *frame, const tacit_records_options *options,
                                const tacit_run *run, tacit_error *err)
{
    if (!tacit_risk_bounds_any(&frame->risks))
        return solve(out, frame, options, run, err);
    trial t = {.solve = solve, .frame = frame, .run = run, .options = *options, .lower_bound = NAN};
    int64_t k = options->k, sure = sure_k(frame, k);
    tacit_solution *found = NULL;
    tacit_status status = check_average(frame, err);
    t.options.until_stopped = options->until_stopped && sure == k;
    if (status == TACIT_OK)
        status = try_k(&found, &t, sure, true, err);
    if (status == TACIT_OK && sure > k && has_one_set(frame))
        status = go_lower(&found, &t, k, sure, err);
    if (status == TACIT_OK)
        *out = found;
    else
        tacit_solution_free(found);
    return status;
}
