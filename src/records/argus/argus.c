/*
 * argus.c - mu-argus (Sweeney, Computational Disclosure Control, chapter 7, Figures 48 to 62):
 * every attribute is generalized by itself until each of its values has k people; combinations of
 * values that fewer have are outliers; the data holder may generalize more, seeing the outliers
 * after each step; and what is left of them is suppressed, cell by cell.
 *
 * There are three variants. The algorithm as described (Figure 50) tests some pairs and triples
 * only, and the program as published suppressed less than that: what they release need not keep k.
 * The repaired one, which is the default, tests every combination, suppresses few cells and has
 * suppressed cells keep k as well (repair.c). On the thesis's example it gives Figures 80 and 81,
 * where complementary suppression was added by hand.
 *
 * Phase A, as the thesis has it, ends with a whole column suppressed where one value stays rare on
 * every level below. The repaired variant leaves an attribute alone that only its highest level
 * would bring to k: suppressing rare values one by one is what it is good at. Missing values are
 * no reason to generalize, for they stay missing.
 *
 * Costs a counting for each attribute and level, then what the variant costs; with somebody to
 * ask, the same once more for each attribute that could be raised.
 *
 * SuppressOutliers (Figure 62 of Sweeney, Computational Disclosure Control): in each record the
 * value that is in the most of its outliers is suppressed, the first of several, until no outlier
 * is left without a suppressed value; or, as the published program seems to have done, until no
 * value is in more than two of those that are left.
 *
 * What that program did is known from one example. Figure 74 lists two outliers for t7, {birth,
 * sex, zip} and {race, birth, zip}, and seven for t8; Figure 76 suppresses nothing in t7 and birth
 * in t8, after which {sex, zip} and {race, sex} are left. The text says that the program does not
 * exhaust a record's outliers, and phase E of Figure 48 that it suppresses "values that occur in
 * multiple outliers". So values that occur in one or two are spared here: birth in t7 and sex in
 * t8 occur in two. Other rules fit as well, such as leaving off when two outliers are left, or one
 * value for each record that has an outlying pair; the figures do not tell them apart. Linear in
 * the outliers, times attributes and rounds.
 *
 * What a plan of suppressions leads to: Prec, the number of suppressed cells, and the boxes of the
 * release. A suppressed cell is the highest value of its hierarchy. Linear in the classes times
 * attributes.
 */
#include "records/argus/argus.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/boxes.h"
#include "records/classes/classes.h"
#include "records/methods/methods.h"

/* The attribute that is in the most outliers without a star, or -1 where none is
 * in more than `spared`. */
static int32_t most_frequent(const tacit_argus_outlier *outliers, int64_t count, uint64_t stars,
                             int32_t attributes, int spared)
{
    int64_t most = spared;
    int32_t chosen = -1;
    for (int32_t a = 0; a < attributes; a++) {
        int64_t total = 0;
        for (int64_t i = 0; i < count; i++)
            total += !(outliers[i].attributes & stars) && outliers[i].attributes >> a & 1;
        if (total > most) {
            most = total;
            chosen = a;
        }
    }
    return chosen;
}

/* SuppressOutliers (Figure 62), where a value is suppressed while it is in more
 * than `spared` outliers of its record. */
static tacit_status suppress_greedily(tacit__argus_plan *plan, const tacit__argus_view *view,
                                      const tacit__argus_outliers *outliers, int spared,
                                      tacit_error *err)
{
    uint64_t *stars = tacit__alloc_zeroed((size_t)view->count, sizeof *stars);
    if (!stars)
        return tacit__nomem(err);
    for (int64_t from = 0, end = 0; from < outliers->count; from = end) {
        const tacit_argus_outlier *first = &outliers->list[from];
        while (end < outliers->count && outliers->list[end].class_index == first->class_index)
            end++;
        uint64_t *here = &stars[first->class_index];
        int32_t attribute;
        while ((attribute = most_frequent(first, end - from, *here, view->attributes, spared)) >= 0)
            *here |= UINT64_C(1) << attribute;
    }
    *plan = (tacit__argus_plan){.stars = stars};
    return TACIT_OK;
}

void tacit__argus_plan_clear(tacit__argus_plan *plan)
{
    tacit__free(plan->stars);
    tacit__free(plan->parts);
    *plan = (tacit__argus_plan){0};
}

static void add_stars(int64_t *rows, uint64_t stars, int64_t count)
{
    for (; stars; stars &= stars - 1)
        rows[__builtin_ctzll(stars)] += count;
}

/* What the plan leads to. */
static tacit_argus_effect effect_of(const tacit__argus_plan *plan, const tacit__argus_view *view)
{
    int64_t starred[TACIT_MAX_MASKED] = {0};
    double rows = (double)tacit_classes_rows(view->classes), lost = 0;
    tacit_argus_effect effect = {0};
    for (int64_t c = 0; c < view->count; c++)
        add_stars(starred, plan->stars[c], view->rows[c]);
    for (int64_t i = 0; i < plan->part_count; i++) {
        const tacit__argus_part *part = &plan->parts[i];
        add_stars(starred, part->stars, part->people);
        add_stars(starred, plan->stars[part->class_index], -part->people);
    }
    for (int32_t a = 0; a < view->attributes; a++) {
        double level = tacit_classes_levels(view->classes)[a];
        int height = tacit_hierarchy_height(view->frame->attributes[a].hierarchy);
        lost += (double)starred[a] + (rows - (double)starred[a]) * level / height;
        effect.suppressed_cells += starred[a];
    }
    effect.precision = 1 - lost / (rows * view->attributes);
    return effect;
}

tacit_status tacit__argus_box(uint32_t *box, tacit__box_list *list, const tacit__argus_view *view,
                              uint32_t class_index, uint64_t stars, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_MASKED];
    uint32_t numbers[TACIT_MAX_MASKED];
    const uint32_t *codes = view->codes + (int64_t)class_index * view->attributes;
    for (int32_t a = 0; a < view->attributes; a++) {
        bool star = stars >> a & 1;
        int height = tacit_hierarchy_height(view->frame->attributes[a].hierarchy);
        levels[a] = (uint8_t)(star ? height : tacit_classes_levels(view->classes)[a]);
        numbers[a] = star ? 0 : codes[a]; /* there is one highest value */
    }
    return tacit__box_list_add(box, list, levels, numbers, err);
}

/* The solution of a plan, without the classes of its view. */
static tacit_status solution_of(tacit_solution **out, const tacit__argus_plan *plan,
                                const tacit__argus_view *view, tacit_error *err)
{
    tacit__box_list list = {.attributes = view->attributes};
    tacit_solution *solution = NULL;
    tacit_status status =
        tacit__cells_solution_new(&solution, view->frame, view->classes, plan->part_count, err);
    if (status != TACIT_OK)
        return status;
    tacit_boxes *boxes = solution->boxes;
    for (int64_t c = 0; status == TACIT_OK && c < view->count; c++)
        status = tacit__argus_box(&boxes->box_of[c], &list, view, (uint32_t)c, plan->stars[c], err);
    for (int64_t i = 0; status == TACIT_OK && i < plan->part_count; i++) {
        const tacit__argus_part *part = &plan->parts[i];
        tacit_part *made = &boxes->parts[boxes->part_count++];
        *made = (tacit_part){.class_index = part->class_index, .people = part->people};
        status = tacit__argus_box(&made->box, &list, view, part->class_index, part->stars, err);
    }
    if (status == TACIT_OK) {
        tacit__box_list_give(boxes, &list);
        tacit__cells_tidy_parts(boxes);
        *out = solution;
    } else {
        tacit_solution_free(solution);
    }
    tacit__box_list_clear(&list);
    return status;
}

/* Values in that many outliers of a record are spared by the published program. */
enum { SPARED = 2 };

/* The way to the levels of the release. */
typedef struct work {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_argus *argus;
    const tacit_run *run;
    int levels[TACIT_MAX_MASKED];
    tacit_classes *classes; /* on the levels, once counted */
    tacit_step *steps;
    int32_t step_count;
    int32_t taken; /* steps at the end that were asked for */
} work;

/* What is known of the classes on some levels. */
typedef struct findings {
    tacit__argus_view view;
    tacit__argus_outliers outliers;
    tacit__argus_plan plan;
} findings;

static int height_of(const tacit_frame *frame, int32_t attribute)
{
    return tacit_hierarchy_height(frame->attributes[attribute].hierarchy);
}

/* ---- phase A ---- */

static void take_step(work *w, int32_t attribute)
{
    w->steps[w->step_count++] =
        (tacit_step){.attribute = attribute,
                     .distinct = tacit__distinct_on(w->frame, attribute, w->levels[attribute])};
    w->levels[attribute]++;
}

/* Whether every value of an attribute has k people on a level. */
static bool has_k(const work *w, const tacit_classes *values, int32_t attribute, int level)
{
    uint32_t missing = tacit_hierarchy_count(w->frame->attributes[attribute].hierarchy, level);
    for (int64_t i = 0; i < tacit_classes_count(values); i++)
        if (tacit_classes_people(values, i) < w->options->k &&
            tacit_classes_code(values, i, 0) != missing)
            return false;
    return true;
}

/* The lowest level, from the present one on, on which every value has k people. */
static tacit_status lowest_level(int *level, const work *w, int32_t attribute, tacit_error *err)
{
    tacit_frame alone = *w->frame;
    alone.attributes = &w->frame->attributes[attribute];
    alone.attribute_count = 1;
    alone.sets = NULL;
    alone.set_count = 0;
    alone.counted = NULL;
    for (*level = w->levels[attribute]; *level < height_of(w->frame, attribute); ++*level) {
        tacit_classes *values = NULL;
        tacit_status status = tacit_classes_new(&values, &alone, level, w->run, err);
        if (status != TACIT_OK)
            return status;
        bool enough = has_k(w, values, attribute, *level);
        tacit_classes_free(values);
        if (enough)
            break;
    }
    return TACIT_OK;
}

static tacit_status raise_attributes(work *w, tacit_error *err)
{
    bool repaired = w->argus->variant == TACIT_ARGUS_REPAIRED;
    for (int32_t a = 0; a < w->frame->attribute_count; a++) {
        int level = 0;
        tacit_status status = lowest_level(&level, w, a, err);
        if (status != TACIT_OK)
            return status;
        if (repaired && level == height_of(w->frame, a))
            continue;
        while (w->levels[a] < level)
            take_step(w, a);
    }
    return TACIT_OK;
}

/* ---- phases B and E on given classes ---- */

static void findings_clear(findings *f)
{
    tacit__argus_plan_clear(&f->plan);
    tacit__argus_outliers_clear(&f->outliers);
    tacit__argus_view_clear(&f->view);
}

static tacit_status check_size(const findings *f, tacit_error *err)
{
    int attributes = __builtin_popcountll(f->view.free);
    if (attributes <= TACIT__ARGUS_ATTRIBUTES)
        return TACIT_OK;
    return tacit__error(err, TACIT_LIMIT,
                        "mu-argus tests every combination of at most %d attributes, and the "
                        "quasi-identifier has %d; use the method local, or generalize some of "
                        "them to one value",
                        TACIT__ARGUS_ATTRIBUTES, attributes);
}

/* The repaired variant needs no list of outliers but for being shown. */
static tacit_status find_repaired(findings *f, const work *w, bool shown, tacit_error *err)
{
    tacit_status status = check_size(f, err);
    if (status == TACIT_OK && shown)
        status = tacit__argus_minimal(&f->outliers, &f->view, w->run, err);
    if (status == TACIT_OK)
        status = tacit__argus_repair(&f->plan, &f->view, shown, w->run, err);
    return status;
}

static tacit_status find_original(findings *f, const work *w, tacit_error *err)
{
    int spared = w->argus->variant == TACIT_ARGUS_PUBLISHED ? SPARED : 0;
    tacit_status status = tacit__argus_tested(&f->outliers, &f->view, w->run, err);
    if (status == TACIT_OK)
        status = suppress_greedily(&f->plan, &f->view, &f->outliers, spared, err);
    return status;
}

static tacit_status find(findings *f, const work *w, const tacit_classes *classes, bool shown,
                         tacit_error *err)
{
    findings found = {0};
    tacit_status status =
        tacit__argus_view_init(&found.view, w->frame, classes, w->options->k, w->run, err);
    if (status == TACIT_OK)
        status = w->argus->variant == TACIT_ARGUS_REPAIRED ? find_repaired(&found, w, shown, err)
                                                           : find_original(&found, w, err);
    if (status == TACIT_OK)
        *f = found;
    else
        findings_clear(&found);
    return status;
}

/* ---- phases C and D ---- */

/* What one more level of an attribute leads to. */
static tacit_status try_choice(tacit_argus_choice *choice, const work *w, tacit_error *err)
{
    int levels[TACIT_MAX_MASKED];
    tacit_classes *classes = NULL;
    findings f;
    memcpy(levels, w->levels, sizeof levels);
    levels[choice->attribute] = choice->level;
    tacit_status status =
        tacit_classes_roll_up(&classes, w->frame, w->classes, levels, w->run, err);
    if (status == TACIT_OK)
        status = find(&f, w, classes, false, err);
    if (status == TACIT_OK) {
        choice->effect = effect_of(&f.plan, &f.view);
        findings_clear(&f);
    }
    tacit_classes_free(classes);
    return status;
}

static tacit_status ask(int32_t *answer, const work *w, tacit_error *err)
{
    tacit_argus_choice choices[TACIT_MAX_MASKED];
    tacit_argus_round round = {
        .frame = w->frame, .classes = w->classes, .choices = choices, .taken = w->taken};
    findings f;
    tacit_status status = find(&f, w, w->classes, true, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t a = 0; status == TACIT_OK && a < w->frame->attribute_count; a++) {
        if (w->levels[a] == height_of(w->frame, a))
            continue;
        tacit_argus_choice *choice = &choices[round.choice_count++];
        *choice = (tacit_argus_choice){.attribute = a, .level = w->levels[a] + 1};
        status = try_choice(choice, w, err);
    }
    round.outliers = f.outliers.list;
    round.outlier_count = f.outliers.count;
    round.effect = effect_of(&f.plan, &f.view);
    if (status == TACIT_OK)
        status = w->argus->ask(answer, &round, w->argus->payload, err);
    findings_clear(&f);
    return status;
}

/* Does what was answered; false where it cannot be done. */
static bool follow(work *w, int32_t answer)
{
    if (answer == TACIT_ARGUS_UNDO && w->taken > 0) {
        w->levels[w->steps[--w->step_count].attribute]--;
        w->taken--;
        return true;
    }
    if (answer < 0 || answer >= w->frame->attribute_count ||
        w->levels[answer] == height_of(w->frame, answer))
        return false;
    take_step(w, answer);
    w->taken++;
    return true;
}

/* Counts the classes, and asks until nothing more is to be generalized. */
static tacit_status settle_levels(work *w, tacit_error *err)
{
    for (;;) {
        int32_t answer = TACIT_ARGUS_DONE;
        tacit_classes_free(w->classes);
        w->classes = NULL;
        tacit_status status = tacit_classes_new(&w->classes, w->frame, w->levels, w->run, err);
        if (status == TACIT_OK && w->argus->ask)
            status = ask(&answer, w, err);
        if (status != TACIT_OK || answer == TACIT_ARGUS_DONE)
            return status;
        if (!follow(w, answer))
            return tacit__error(err, TACIT_INVALID,
                                "the answer %d is no attribute that can be generalized",
                                (int)answer);
    }
}

/* ---- the whole ---- */

/* Fills in the report, which takes the outliers. */
static void report(findings *f, const work *w)
{
    tacit_argus_report *to = w->argus->report;
    *to = (tacit_argus_report){.outliers = f->outliers.list,
                               .outlier_count = f->outliers.count,
                               .suppressed_cells = effect_of(&f->plan, &f->view).suppressed_cells,
                               .least_cells = f->plan.least_cells};
    f->outliers = (tacit__argus_outliers){0};
}

void tacit_argus_report_clear(tacit_argus_report *report)
{
    tacit__free(report->outliers);
    *report = (tacit_argus_report){0};
}

static tacit_status conclude(tacit_solution **out, work *w, tacit_error *err)
{
    findings f;
    tacit_solution *solution = NULL;
    tacit_status status = find(&f, w, w->classes, w->argus->report != NULL, err);
    if (status != TACIT_OK)
        return status;
    status = solution_of(&solution, &f.plan, &f.view, err);
    if (status == TACIT_OK) {
        if (w->argus->report)
            report(&f, w);
        solution->classes = w->classes;
        solution->steps = w->steps;
        solution->step_count = w->step_count;
        w->classes = NULL;
        w->steps = NULL;
        *out = solution;
    }
    findings_clear(&f);
    return status;
}

/* A suppressed cell is the highest value, which must say so. */
static tacit_status check_tops(const tacit_frame *frame, tacit_error *err)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_attribute *attribute = &frame->attributes[a];
        tacit_strview top = tacit_hierarchy_label(attribute->hierarchy, height_of(frame, a), 0);
        if (tacit_strview_equal(top, tacit_hierarchy_suppressed()))
            continue;
        tacit__shown name = tacit__show(tacit_table_name(frame->table, attribute->column));
        return tacit__error(
            err, TACIT_INVALID,
            "mu-argus suppresses cells, and the hierarchy of %s does not end in "
            "suppression; do not say suppression: none of it, or use another method",
            name.text);
    }
    return TACIT_OK;
}

static tacit_status work_init(work *w, tacit_error *err)
{
    size_t most = 0;
    for (int32_t a = 0; a < w->frame->attribute_count; a++) {
        most += (size_t)height_of(w->frame, a);
        w->levels[a] =
            w->options->most_general ? height_of(w->frame, a) : w->frame->attributes[a].least_level;
    }
    w->steps = tacit__alloc_array(most, sizeof *w->steps);
    return w->steps ? TACIT_OK : tacit__nomem(err);
}

static tacit_status argus_solve(tacit_solution **out, const tacit_frame *frame,
                                const tacit_records_options *options, const tacit_run *run,
                                tacit_error *err)
{
    static const tacit_argus repaired = {.variant = TACIT_ARGUS_REPAIRED};
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__frame_masked(frame, "mu-argus takes", err);
    if (status == TACIT_OK)
        status = check_tops(frame, err);
    if (status != TACIT_OK)
        return status;
    work w = {.frame = frame,
              .options = options,
              .argus = options->argus ? options->argus : &repaired,
              .run = run};
    status = work_init(&w, err);
    if (status == TACIT_OK)
        status = raise_attributes(&w, err);
    if (status == TACIT_OK)
        status = settle_levels(&w, err);
    if (status == TACIT_OK)
        status = conclude(out, &w, err);
    tacit_classes_free(w.classes);
    tacit__free(w.steps);
    return status;
}

const tacit_method tacit__method_argus = {
    .name = "mu-argus",
    .summary = "generalize each attribute to k, suppress the cells that are still at risk",
    .solve = argus_solve,
    .features = TACIT_METHOD_CELLS,
};
