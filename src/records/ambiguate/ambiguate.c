/*
 * ambiguate.c - ambiguation by minimal cell suppression: as few suppressed cells as possible so
 * that k people fit every row that is left and everybody fits k rows.
 *
 * Vinterbo and Ohno-Machado 2001, whose condition (every row agrees with k - 1 others on all that
 * is left) holds one way only and is what as_published asks for; blanks/both.c says what is wrong
 * with it. Rows are folded into classes (tableau.c), one of the ways of the table below says which
 * cells to blank, and what follows is the same for all: blanks that are not needed are filled again
 * (minimize.c, unless the paper's own counts are wanted), blanks that hide dependencies are added
 * (hide.c), blanks against somebody who knows that are added (redundant.c; where k is promised both
 * ways he would have to know what blanks hide, and the judge looks whether he gets anywhere).
 * Whether that keeps what is promised is for the judge to say. What comes out is a solution of
 * boxes: a cell is on its level or suppressed. Once a way has found blanks a stop ends nothing but
 * the search: what follows is done all the same.
 *
 * Alpha counts rows: a table with several rows a person, or with several quasi-identifiers, is
 * refused. In the stricter reading (blanks/strict.c), blanks agree with blanks only, and no cell
 * can be filled by itself; its plan is released as it is.
 *
 * Costs what the way costs; the rest is about linear in classes times kinds of blanks.
 */
#include "records/ambiguate/ambiguate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "records/ambiguate/state.h"
#include "records/apply/boxes.h"
#include "records/blanks/boxes.h"
#include "records/classes/classes.h"
#include "records/methods/methods.h"

typedef struct way {
    const char *name;
    tacit__ambiguate_fn *find;
} way;

static const way WAYS[TACIT_AMBIGUATE_WAYS] = {
    [TACIT_AMBIGUATE_COVER] = {"cover", tacit__ambiguate_cover},
    [TACIT_AMBIGUATE_A] = {"A", tacit__ambiguate_whole},
    [TACIT_AMBIGUATE_B] = {"B", tacit__ambiguate_often},
    [TACIT_AMBIGUATE_C] = {"C", tacit__ambiguate_rowwise},
    [TACIT_AMBIGUATE_D] = {"D", tacit__ambiguate_rowwise},
    [TACIT_AMBIGUATE_SHORT] = {"short", tacit__ambiguate_rowwise},
    [TACIT_AMBIGUATE_SHORT_D] = {"short-d", tacit__ambiguate_rowwise},
    [TACIT_AMBIGUATE_EXACT] = {"exact", tacit__ambiguate_exact},
};

const char *tacit_ambiguate_way_name(tacit_ambiguate_way way_index)
{
    return WAYS[way_index].name;
}

tacit_ambiguate_way tacit_ambiguate_way_find(const char *name)
{
    tacit_ambiguate_way found = 0;
    while (found < TACIT_AMBIGUATE_WAYS && strcmp(WAYS[found].name, name) != 0)
        found++;
    return found;
}

/* ---- what is asked for ---- */

/* A cell can only be suppressed where its hierarchy ends in "*", above its level. */
static tacit_status check_tops(const tacit_frame *frame, tacit_error *err)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_attribute *attribute = &frame->attributes[a];
        int height = tacit_hierarchy_height(attribute->hierarchy);
        tacit_strview top = tacit_hierarchy_label(attribute->hierarchy, height, 0);
        if (tacit_strview_equal(top, tacit_hierarchy_suppressed()) &&
            attribute->least_level < height)
            continue;
        tacit__shown name = tacit__show(tacit_table_name(frame->table, attribute->column));
        return tacit__error(err, TACIT_INVALID,
                            "ambiguate suppresses cells, and %s has no suppressed level above the "
                            "one it is released on; let it have one (suppression: top), or "
                            "generalize it less",
                            name.text);
    }
    return TACIT_OK;
}

static bool goes_by_rows(tacit_ambiguate_way way_index)
{
    return WAYS[way_index].find == tacit__ambiguate_rowwise;
}

/* Ways that are not the paper's. */
static bool is_ours(const tacit_ambiguate *how)
{
    return how->way == TACIT_AMBIGUATE_COVER || how->way == TACIT_AMBIGUATE_EXACT;
}

/* The paper's heuristics know the paper's condition. */
static tacit_status check_published(const tacit_ambiguate *how, tacit_error *err)
{
    if (is_ours(how) || how->as_published)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "%s is a heuristic for the condition of its paper, under which a person "
                        "can fit a single row; use cover or exact, or ask for that condition "
                        "(as-published)",
                        WAYS[how->way].name);
}

/* What contradicts itself. */
static tacit_status check_wishes(const tacit_ambiguate *how, tacit_error *err)
{
    if (how->mean && !goes_by_rows(how->way))
        return tacit__error(
            err, TACIT_INVALID,
            "only the heuristics C, D and short can use the mean number of rows that agree, not %s",
            WAYS[how->way].name);
    if (how->order != TACIT_ORDER_FILE && !goes_by_rows(how->way))
        return tacit__error(err, TACIT_INVALID,
                            "the heuristics C, D and short take rows in an order, and not %s",
                            WAYS[how->way].name);
    if (how->strict && !is_ours(how))
        return tacit__error(err, TACIT_INVALID,
                            "blanks that agree with blanks only are what cover and exact look for, "
                            "not %s, which is about blanks that agree with anything",
                            WAYS[how->way].name);
    if (how->strict && how->as_published)
        return tacit__error(err, TACIT_INVALID,
                            "the paper's condition is about blanks that agree with anything; leave "
                            "out one of as-published and blanks that agree with blanks only");
    if (how->strict && (how->redundant || how->hidden_count > 0))
        return tacit__error(err, TACIT_INVALID,
                            "redundant cells and hidden dependencies are for blanks that agree "
                            "with anything; leave out one or the other");
    if (how->mean && how->redundant)
        return tacit__error(err, TACIT_INVALID,
                            "redundant cells need k for every row, not for the mean");
    return check_published(how, err);
}

static tacit_status check(const tacit_frame *frame, const tacit_records_options *options,
                          const tacit_ambiguate *how, tacit_error *err)
{
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__frame_masked(frame, "ambiguate takes", err);
    if (status == TACIT_OK && frame->person >= 0)
        return tacit__error(err, TACIT_INVALID,
                            "ambiguate counts rows, so it is for tables where every row is a "
                            "person; use local for this one");
    if (status == TACIT_OK && frame->sets && frame->set_count > 1)
        return tacit__error(err, TACIT_INVALID,
                            "ambiguate takes one quasi-identifier, not several; put their columns "
                            "together into one");
    if (status == TACIT_OK && options->drop_suppressed && !how->strict)
        return tacit__error(err, TACIT_INVALID,
                            "other rows agree with rows that have no value left, so these cannot "
                            "be left out of the release; keep suppressed rows");
    if (status == TACIT_OK)
        status = check_tops(frame, err);
    return status == TACIT_OK ? check_wishes(how, err) : status;
}

/* ---- the plan as a solution ---- */

typedef struct boxing {
    const tacit_frame *frame;
    const tacit_classes *classes;
    const tacit__tableau *tableau;
    tacit_boxes *boxes;
    tacit__box_list list;
} boxing;

static tacit_status add_box(uint32_t *index, boxing *b, int64_t class_index, uint64_t mask,
                            tacit_error *err)
{
    uint8_t levels[TACIT_MAX_MASKED];
    uint32_t numbers[TACIT_MAX_MASKED];
    const uint32_t *codes = tacit__tableau_codes(b->tableau, class_index);
    const int *ground = tacit_classes_levels(b->classes);
    for (int32_t a = 0; a < b->tableau->columns; a++) {
        bool blank = mask >> a & 1;
        int height = tacit_hierarchy_height(b->frame->attributes[a].hierarchy);
        levels[a] = (uint8_t)(blank ? height : ground[a]);
        numbers[a] = blank ? 0 : codes[a];
    }
    return tacit__box_list_add(index, &b->list, levels, numbers, err);
}

/* A class leaves in the box of its rows without blanks, or of the first with some; the
 * others are parts of it. */
static tacit_status box_class(boxing *b, int64_t class_index, const tacit__blank *blanks,
                              int64_t count, tacit_error *err)
{
    uint32_t in_frame = b->tableau->index[class_index], index = 0;
    int64_t rest = b->tableau->counts[class_index];
    for (int64_t i = 0; i < count; i++)
        rest -= blanks[i].rows;
    tacit_status status =
        add_box(&index, b, class_index, rest > 0 || count == 0 ? 0 : blanks[0].mask, err);
    b->boxes->box_of[in_frame] = index;
    for (int64_t i = rest > 0 ? 0 : 1; status == TACIT_OK && i < count; i++) {
        status = add_box(&index, b, class_index, blanks[i].mask, err);
        b->boxes->parts[b->boxes->part_count++] = (tacit_part){in_frame, index, blanks[i].rows};
    }
    return status;
}

static tacit_status box_all(boxing *b, const tacit__blanking *plan, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t at = 0;
    for (int64_t i = 0; status == TACIT_OK && i < b->tableau->classes; i++) {
        int64_t from = at;
        while (at < plan->count && plan->blanks[at].class_index == i)
            at++;
        status = box_class(b, i, plan->blanks + from, at - from, err);
    }
    if (status == TACIT_OK)
        tacit__box_list_give(b->boxes, &b->list);
    tacit__box_list_clear(&b->list);
    tacit__cells_tidy_parts(b->boxes);
    return status;
}

/* The solution takes the classes over. */
static tacit_status make_solution(tacit_solution **out, tacit__blanking *plan,
                                  const tacit__tableau *tableau, const tacit_frame *frame,
                                  tacit_classes **classes, tacit_error *err)
{
    tacit_solution *solution = NULL;
    tacit__blanking_tidy(plan);
    tacit_status status = tacit__cells_solution_new(&solution, frame, *classes, plan->count, err);
    if (status != TACIT_OK)
        return status;
    boxing b = {frame, *classes, tableau, solution->boxes, {.attributes = tableau->columns}};
    status = box_all(&b, plan, err);
    if (status != TACIT_OK) {
        tacit_solution_free(solution);
        return status;
    }
    solution->search.stopped = plan->stopped;
    solution->classes = *classes;
    *classes = NULL;
    *out = solution;
    return TACIT_OK;
}

/* ---- what all plans go through ---- */

typedef struct work {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_ambiguate *how;
    const tacit_run *run;
    tacit_run rest; /* of what follows the way: says go on, whatever the caller's says */
    tacit_classes *classes;
    tacit__tableau tableau;
    tacit__blanking plan;
    tacit_ambiguity report;
} work;

/* Progress of what follows the way: that the caller said stop is noted, and he is not asked
 * again. */
static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    work *w = payload;
    if (!w->plan.stopped && w->run->progress)
        w->plan.stopped = !w->run->progress(phase, done, total, w->run->payload);
    return true;
}

static tacit_status hide_all(work *w, tacit__state *state, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < w->how->hidden_count; i++) {
        int64_t added = 0;
        status = tacit__ambiguate_hide(&added, state, &w->tableau, w->frame, w->classes,
                                       &w->how->hidden[i], &w->rest, err);
        w->report.hiding += added;
    }
    return status;
}

/* Fills what is not needed, unless the paper's own counts are wanted. */
static tacit_status fill_again(work *w, tacit__state *state, tacit_error *err)
{
    int64_t removed = 0;
    if (!is_ours(w->how))
        return TACIT_OK;
    tacit_status status = tacit__state_minimize(&removed, state, w->how->mean, &w->rest, err);
    w->report.removed += removed;
    return status;
}

/* What hides a dependency already costs nothing, so that goes after what is not needed; and with
 * the blanks that hide, others may no longer be needed. */
static tacit_status hide_and_fill(work *w, tacit__state *state, tacit_error *err)
{
    tacit_status status = fill_again(w, state, err);
    if (status != TACIT_OK || w->how->hidden_count == 0)
        return status;
    status = hide_all(w, state, err);
    return status == TACIT_OK ? fill_again(w, state, err) : status;
}

/* Redundant blanks are part of the promise: where the caller says stop before they are there,
 * there is nothing to give. */
static tacit_status add_redundant(work *w, tacit__state *state, tacit_error *err)
{
    const tacit_run *run = w->plan.stopped ? &w->rest : w->run;
    if (w->tableau.both)
        return TACIT_OK;
    return tacit__state_redundant(&w->report.redundant, state, run, err);
}

/* The fewest people who fit a row, and the fewest rows that anybody fits. */
static tacit_status describe_fits(work *w, tacit__state *state, tacit_error *err)
{
    tacit__fits *fits = tacit__state_fits(state);
    int64_t least = INT64_MAX, people = 0;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && fits && i < tacit__state_count(state); i++) {
        const tacit__item *item = tacit__state_item(state, i);
        if (item->rows == 0)
            continue;
        status = tacit__fits_people(&people, fits, item->class_index, item->mask, err);
        least = people < least ? people : least;
    }
    if (fits && w->tableau.rows > 0) {
        w->report.people_after = least;
        w->report.rows_after = tacit__fits_least_rows(fits);
    }
    return status;
}

static void describe(work *w, const tacit__state *state)
{
    tacit__state_sums sums;
    tacit_ambiguity *report = &w->report;
    tacit__state_sum(&sums, state);
    report->cells = sums.cells;
    report->rows = sums.rows;
    report->cost = sums.cost;
    report->alpha_after = sums.least;
    report->mean_after = sums.mean;
}

/* What the search knows. Where every blank costs 1 so does every step of the bound. */
static void take_search(work *w)
{
    double bound = w->tableau.unit ? ceil(w->plan.bound - 1e-6) : w->plan.bound;
    w->report.bound = bound > 0 ? bound : NAN;
    w->report.proven = w->plan.proven;
    w->report.nodes = w->plan.nodes;
}

/* What was added for other promises is not what was proven, unless it costs no more. */
static void settle_report(tacit_ambiguity *report, const tacit__blanking *plan)
{
    bool added = report->hiding > 0 || report->redundant > 0;
    report->proven = (report->proven && !added) || report->cost <= report->bound;
    if (report->proven)
        report->bound = report->cost;
    report->stopped = plan->stopped;
}

/* Everything after the way, for blanks that agree with anything. */
static tacit_status finish(work *w, tacit__state *state, tacit_error *err)
{
    tacit_status status = hide_and_fill(w, state, err);
    if (status == TACIT_OK && w->how->redundant)
        status = add_redundant(w, state, err);
    if (status != TACIT_OK)
        return status;
    describe(w, state);
    status = describe_fits(w, state, err);
    if (status != TACIT_OK)
        return status;
    tacit__blanking after = {.bound = w->plan.bound, .stopped = w->plan.stopped};
    status = tacit__state_plan(&after, state, err);
    if (status != TACIT_OK) {
        tacit__blanking_clear(&after);
        return status;
    }
    tacit__blanking_clear(&w->plan);
    w->plan = after;
    return TACIT_OK;
}

static tacit_status find_loose(work *w, tacit_error *err)
{
    tacit__state *state = NULL;
    tacit_status status =
        w->tableau.both
            ? tacit__ambiguate_both(&w->plan, &w->tableau, w->frame, w->options, w->run, err)
            : WAYS[w->how->way].find(&w->plan, &w->tableau, w->how, w->run, err);
    take_search(w);
    if (status == TACIT_OK)
        status = tacit__state_new(&state, &w->tableau, &w->plan, &w->rest, err);
    if (status == TACIT_OK)
        status = finish(w, state, err);
    tacit__state_free(state);
    return status;
}

static tacit_status find_strict(work *w, tacit_error *err)
{
    tacit_status status =
        tacit__ambiguate_strict(&w->plan, &w->tableau, w->frame, w->options, w->run, err);
    tacit_ambiguity *report = &w->report;
    take_search(w);
    for (int64_t i = 0; status == TACIT_OK && i < w->plan.count; i++) {
        const tacit__blank *blank = &w->plan.blanks[i];
        report->cells += blank->rows * __builtin_popcountll(blank->mask);
        report->rows += blank->mask ? blank->rows : 0;
    }
    report->cost = tacit__blanking_cost(&w->plan, &w->tableau);
    return status;
}

/* How the table stands before anything is done to it. */
static tacit_status look_before(work *w, tacit_error *err)
{
    double sum = 0;
    int64_t least = w->tableau.rows;
    for (int64_t i = 0; i < w->tableau.classes; i++) {
        int64_t count = w->tableau.counts[i];
        w->report.unsafe_rows += count < w->tableau.k ? count : 0;
        least = count < least ? count : least;
        sum += (double)count * (double)count;
    }
    w->report.alpha_before = least;
    w->report.mean_before = sum / (double)w->tableau.rows;
    return tacit__tableau_closest(&w->report.closest, &w->tableau, w->run, err);
}

static tacit_status count_classes(work *w, tacit_error *err)
{
    int levels[TACIT_MAX_MASKED];
    for (int32_t a = 0; a < w->frame->attribute_count; a++)
        levels[a] = w->frame->attributes[a].least_level;
    tacit_status status = tacit_classes_new(&w->classes, w->frame, levels, w->run, err);
    if (status == TACIT_OK)
        status = tacit__tableau_init(&w->tableau, w->frame, w->classes, w->options, w->run, err);
    return status;
}

static tacit_status ambiguate_solve(tacit_solution **out, const tacit_frame *frame,
                                    const tacit_records_options *options, const tacit_run *run,
                                    tacit_error *err)
{
    static const tacit_ambiguate PLAIN = {0};
    const tacit_ambiguate *how = options->ambiguate ? options->ambiguate : &PLAIN;
    work w = {.frame = frame, .options = options, .how = how, .run = run, .rest = *run};
    w.rest.progress = go_on;
    w.rest.payload = &w;
    tacit_status status = check(frame, options, how, err);
    if (status == TACIT_OK)
        status = count_classes(&w, err);
    if (status == TACIT_OK)
        status = look_before(&w, err);
    if (status == TACIT_OK)
        status = how->strict ? find_strict(&w, err) : find_loose(&w, err);
    if (status == TACIT_OK)
        status = make_solution(out, &w.plan, &w.tableau, frame, &w.classes, err);
    settle_report(&w.report, &w.plan);
    if (status == TACIT_OK && how->report)
        *how->report = w.report;
    tacit__blanking_clear(&w.plan);
    tacit__tableau_clear(&w.tableau);
    tacit_classes_free(w.classes);
    return status;
}

const tacit_method tacit__method_ambiguate = {
    .name = "ambiguate",
    .summary =
        "suppress the fewest cells so that each row agrees with k - 1 others on what is left; a "
        "suppressed cell agrees with anything",
    .solve = ambiguate_solve,
    .features =
        TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES | TACIT_METHOD_AMBIGUATES | TACIT_METHOD_RESISTS,
};
