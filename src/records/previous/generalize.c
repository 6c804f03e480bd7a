/*
 * generalize.c - a release that generalizes earlier ones and adds what is new (5.5.3
 * of Sweeney, Computational Disclosure Control: MinGen on GT1 and the new tuples).
 *
 * Rows that an earlier release has start from its labels, so whatever a method
 * does, the join says no more of them than that release did. New rows are another
 * matter, of which the section does not speak: where a method puts some of them into a class with
 * old rows that it generalizes, the join tells the old ones apart, and the new ones are
 * left among themselves. So a solution is checked (check.c), new rows that do not stand
 * are taken out, and the rest is solved again; those taken out are solved by themselves at the end,
 * among each other only. After a few rounds all new rows are.
 *
 * Costs a method's work and a check for each round.
 */
#include <string.h>
#include <tacit/experimental/previous.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"
#include "hierarchy/mixed.h"
#include "records/apply/apply.h"
#include "records/classes/classes.h"
#include "records/metrics/costs.h"
#include "table/table_part.h"

/* Some rows of the data, each from where it starts, given to a method.
 *
 * The method sees a table as any other: its values are labels of several levels, and its
 * hierarchies (hierarchy/mixed.h) take them further up. What it decides is, for a row, a level of
 * each of them; released is the higher of that and the level the row started from.
 *
 * Memory: the codes of the rows and, for each attribute, those of the labels. */

/* What every part is made from. */
typedef struct origin_rows {
    const tacit_frame *frame;
    const uint8_t *starts; /* row by row, an attribute each: the level it starts from */
    const tacit_method *method;
    const tacit_records_options *options;
    const tacit_run *run;
} origin_rows;

typedef struct part {
    const origin_rows *origin;
    const uint32_t *rows;
    int64_t count;
    tacit_table *table;
    tacit_hierarchy *hierarchies[TACIT_MAX_ATTRIBUTES];
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES];
} part;

static void part_clear(part *p)
{
    for (int32_t a = 0; a < p->origin->frame->attribute_count; a++)
        tacit_hierarchy_free(p->hierarchies[a]);
    tacit_table_free(p->table);
}

/* The labels of an attribute that rows start from, in the order they are met. */
typedef struct labels {
    const tacit_hierarchy *base;
    uint32_t *met; /* a value of each level each: its code; TACIT__NONE */
    size_t offsets[TACIT_MAX_LEVELS];
    tacit__mixed_value *values;
    size_t capacity;
    uint32_t count;
    uint32_t *codes; /* a row of the part each */
} labels;

static void labels_clear(labels *l)
{
    tacit__free(l->met);
    tacit__free(l->values);
    tacit__free(l->codes);
}

static bool labels_init(labels *l, const tacit_hierarchy *base, int64_t rows)
{
    size_t all = 0;
    *l = (labels){.base = base};
    for (int level = 0; level <= tacit_hierarchy_height(base); level++) {
        l->offsets[level] = all;
        all += tacit_hierarchy_count(base, level);
    }
    l->met = tacit__alloc_array(all, sizeof *l->met);
    l->codes = tacit__alloc_array((size_t)rows, sizeof *l->codes);
    if (!l->met || !l->codes)
        return false;
    memset(l->met, 0xff, all * sizeof *l->met);
    return true;
}

/* The code of a label; *code is UINT32_MAX where the value is missing and stays so. */
static bool label_code(uint32_t *code, labels *l, int level, uint32_t ground)
{
    uint32_t number = tacit_hierarchy_map(l->base, level)[ground];
    *code = UINT32_MAX;
    if (number >= tacit_hierarchy_count(l->base, level))
        return true;
    uint32_t *met = &l->met[l->offsets[level] + number];
    if (*met == UINT32_MAX) {
        if (!TACIT__RESERVE_ONE(l->values, l->capacity, l->count))
            return false;
        l->values[l->count] = (tacit__mixed_value){level, number};
        *met = l->count++;
    }
    *code = *met;
    return true;
}

static bool label_rows(labels *l, const part *p, int32_t attribute)
{
    const tacit_frame *frame = p->origin->frame;
    tacit_codes_view codes = tacit_table_codes(frame->table, frame->attributes[attribute].column);
    for (int64_t i = 0; i < p->count; i++) {
        int64_t row = p->rows[i];
        int level = p->origin->starts[row * frame->attribute_count + attribute];
        if (!label_code(&l->codes[i], l, level, tacit_codes_at(codes, row)))
            return false;
    }
    for (int64_t i = 0; i < p->count; i++)
        if (l->codes[i] == UINT32_MAX)
            l->codes[i] = l->count;
    return true;
}

/* Puts an attribute's labels into the part's table and binds them. */
static tacit_status take_labels(part *p, labels *l, int32_t attribute, tacit_error *err)
{
    const tacit_attribute *from = &p->origin->frame->attributes[attribute];
    tacit_strview *texts = tacit__alloc_array(l->count, sizeof *texts);
    if (!texts)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < l->count; i++)
        texts[i] = tacit_hierarchy_label(l->base, l->values[i].level, l->values[i].number);
    tacit__table_recode(p->table, from->column, l->codes, texts, l->count);
    l->codes = NULL; /* the table's now */
    p->attributes[attribute] = *from;
    tacit_status status = tacit__hierarchy_mixed(&p->hierarchies[attribute], l->base, l->values,
                                                 p->table, from->column, err);
    p->attributes[attribute].hierarchy = p->hierarchies[attribute];
    return status;
}

static tacit_status part_init(part *p, tacit_error *err)
{
    const tacit_frame *frame = p->origin->frame;
    tacit_status status = tacit__table_part(&p->table, frame->table, p->rows, p->count, err);
    for (int32_t a = 0; status == TACIT_OK && a < frame->attribute_count; a++) {
        labels l;
        bool whole =
            labels_init(&l, frame->attributes[a].hierarchy, p->count) && label_rows(&l, p, a);
        status = whole ? take_labels(p, &l, a, err) : tacit__nomem(err);
        labels_clear(&l);
    }
    return status;
}

static bool is_starred(const uint8_t *levels, const tacit_frame *frame)
{
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = frame->attributes[a].hierarchy;
        if (levels[a] < tacit_hierarchy_height(hierarchy) ||
            !tacit__is_star(hierarchy, levels[a], 0))
            return false;
    }
    return true;
}

/* The level of each cell, no lower than where it started. */
static void write_back(tacit_rowwise *out, const part *p, const tacit_rowwise *solved)
{
    const tacit_frame *frame = p->origin->frame;
    out->stopped |= solved->stopped;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t row = p->rows[i];
        const uint8_t *starts = p->origin->starts + row * frame->attribute_count;
        const uint8_t *decided = tacit__rowwise_at(solved, i);
        uint8_t *levels = tacit__rowwise_at(out, row);
        for (int32_t a = 0; a < frame->attribute_count; a++)
            levels[a] = decided[a] > starts[a] ? decided[a] : starts[a];
        if (tacit__bit_get(solved->suppressed, i) || is_starred(levels, frame))
            tacit__rowwise_suppress(out, row, frame);
    }
}

/* Solves the listed rows by themselves and writes what comes out into `out`, which is of all
 * rows. TACIT_INFEASIBLE where the method finds nothing. */
static tacit_status part_solve(tacit_rowwise *out, const origin_rows *origin, const uint32_t *rows,
                               int64_t count, int64_t max_suppressed, tacit_error *err)
{
    part p = {.origin = origin, .rows = rows, .count = count};
    tacit_solution *solution = NULL;
    tacit_rowwise *solved = NULL;
    tacit_records_options options = *origin->options;
    options.max_suppressed = max_suppressed;
    tacit_status status = part_init(&p, err);
    tacit_frame frame = *origin->frame;
    frame.table = p.table;
    frame.attributes = p.attributes;
    frame.counted = NULL;
    if (status == TACIT_OK)
        status = origin->method->solve(&solution, &frame, &options, origin->run, err);
    if (status == TACIT_OK)
        status = tacit_rowwise_of(&solved, solution, &frame, origin->run, err);
    if (status == TACIT_OK)
        write_back(out, &p, solved);
    tacit_rowwise_free(solved);
    tacit_solution_free(solution);
    part_clear(&p);
    return status;
}

/* ---- */

enum { MAX_ROUNDS = 4 };

typedef struct attempt {
    const tacit_previous_task *task;
    origin_rows origin;
    int32_t *wide_places; /* an attribute of the wide frame each: that of the frame, or -1 */
    int64_t row_count;
    uint8_t *starts;
    uint64_t *apart;        /* bit a row: solved with the others that are taken out */
    uint64_t *exposed;      /* bit a row, of the last check */
    uint32_t *rows;         /* of a part */
    int64_t max_suppressed; /* rows, beside those that earlier releases suppress */
    tacit_rowwise *release;
} attempt;

static void attempt_clear(attempt *a)
{
    tacit__free(a->wide_places);
    tacit__free(a->starts);
    tacit__free(a->apart);
    tacit__free(a->exposed);
    tacit__free(a->rows);
    tacit_rowwise_free(a->release);
}

/* Each cell starts from the most general label that an earlier release has for it. */
static void find_starts(attempt *a)
{
    const int32_t *places = a->task->places;
    int32_t attributes = a->origin.frame->attribute_count;
    for (int32_t i = 0; i < a->task->previous_count; i++)
        for (int64_t row = 0; row < a->row_count; row++) {
            const tacit_previous *previous = a->task->previous[i];
            const uint8_t *levels = previous->levels + row * previous->attributes;
            uint8_t *starts = a->starts + row * attributes;
            for (int32_t n = 0; n < attributes; n++)
                if (levels[places[n]] != TACIT_NOT_SHOWN && levels[places[n]] > starts[n])
                    starts[n] = levels[places[n]];
        }
}

/* Rows that start from nothing but their highest levels are suppressed already. */
static int64_t count_suppressed(const attempt *a)
{
    const tacit_frame *frame = a->origin.frame;
    int64_t count = 0;
    for (int64_t row = 0; row < a->row_count; row++) {
        const uint8_t *starts = a->starts + row * frame->attribute_count;
        int32_t n = 0;
        while (n < frame->attribute_count &&
               starts[n] == tacit_hierarchy_height(frame->attributes[n].hierarchy))
            n++;
        count += n == frame->attribute_count;
    }
    return count;
}

static tacit_status attempt_init(attempt *a, tacit_error *err)
{
    size_t words = tacit__bitset_words(a->row_count), rows = (size_t)a->row_count;
    int32_t attributes = a->origin.frame->attribute_count, wide = a->task->wide->attribute_count;
    a->wide_places = tacit__alloc_array((size_t)wide, sizeof *a->wide_places);
    a->starts = tacit__alloc_zeroed(rows, (size_t)attributes);
    a->apart = tacit__alloc_zeroed(words, sizeof *a->apart);
    a->exposed = tacit__alloc_array(words, sizeof *a->exposed);
    a->rows = tacit__alloc_array(rows, sizeof *a->rows);
    if (!a->wide_places || !a->starts || !a->apart || !a->exposed || !a->rows)
        return tacit__nomem(err);
    for (int32_t i = 0; i < wide; i++)
        a->wide_places[i] = -1;
    for (int32_t i = 0; i < attributes; i++)
        a->wide_places[a->task->places[i]] = i;
    find_starts(a);
    a->origin.starts = a->starts;
    int64_t most = a->origin.options->max_suppressed - count_suppressed(a);
    a->max_suppressed = most > 0 ? most : 0;
    return TACIT_OK;
}

/* Whether some earlier release does not have the row. */
static bool is_new(const attempt *a, int64_t row)
{
    for (int32_t i = 0; i < a->task->previous_count; i++)
        if (a->task->previous[i]->old_of[row] == TACIT_NO_ROW)
            return true;
    return false;
}

static int64_t rows_apart(attempt *a, bool apart)
{
    int64_t count = 0;
    for (int64_t row = 0; row < a->row_count; row++)
        if (tacit__bit_get(a->apart, row) == apart)
            a->rows[count++] = (uint32_t)row;
    return count;
}

/* Rows that do not stand, as bits; how many there are, people who are gone among them. */
static tacit_status check_release(int64_t *exposed, attempt *a, tacit_error *err)
{
    const tacit_records_options *options = a->origin.options;
    tacit_rowwise *wide = NULL;
    tacit_status status =
        tacit_rowwise_with(&wide, a->release, a->wide_places, a->task->wide->attribute_count, err);
    *exposed = 0;
    memset(a->exposed, 0, tacit__bitset_words(a->row_count) * sizeof *a->exposed);
    for (int32_t i = 0; i < a->task->previous_count && status == TACIT_OK; i++) {
        tacit_previous_answer answer;
        const tacit_previous_question question = {.previous = a->task->previous[i],
                                                  .frame = a->task->wide,
                                                  .release = wide,
                                                  .drop_suppressed = options->drop_suppressed,
                                                  .k = options->k};
        status = tacit_previous_check(&answer, a->exposed, &question, a->origin.run, err);
        if (status == TACIT_OK)
            *exposed += answer.exposed + answer.exposed_gone;
    }
    tacit_rowwise_free(wide);
    return status;
}

static tacit_status start_over(attempt *a, tacit_error *err)
{
    tacit_rowwise_free(a->release);
    a->release = NULL;
    return tacit__rowwise_new(&a->release, a->row_count, a->origin.frame->attribute_count, err);
}

/* Rows that are taken out are not there yet: they count for nobody. */
static void hide_apart(attempt *a)
{
    for (int64_t row = 0; row < a->row_count; row++)
        if (tacit__bit_get(a->apart, row))
            tacit__rowwise_suppress(a->release, row, a->origin.frame);
}

/* Takes out what does not stand; false where that is nothing new. */
static bool take_out(attempt *a, bool all)
{
    bool taken = false;
    for (int64_t row = 0; row < a->row_count; row++) {
        bool out = is_new(a, row) && (all || tacit__bit_get(a->exposed, row));
        if (!out || tacit__bit_get(a->apart, row))
            continue;
        tacit__bit_set(a->apart, row);
        taken = true;
    }
    return taken;
}

/* Solves what is not taken out, until all of it stands. */
static tacit_status solve_together(attempt *a, tacit_error *err)
{
    int64_t exposed = 1;
    tacit_status status = TACIT_OK;
    for (int round = 1; status == TACIT_OK && exposed > 0; round++) {
        status = start_over(a, err);
        if (status == TACIT_OK)
            status = part_solve(a->release, &a->origin, a->rows, rows_apart(a, false),
                                a->max_suppressed, err);
        if (status != TACIT_OK)
            break;
        hide_apart(a);
        status = check_release(&exposed, a, err);
        if (status == TACIT_OK && exposed > 0 && !take_out(a, round >= MAX_ROUNDS))
            break;
    }
    return status;
}

static int64_t suppressed_so_far(const attempt *a)
{
    int64_t count = 0;
    for (size_t i = 0; i < tacit__bitset_words(a->row_count); i++)
        count += __builtin_popcountll(a->release->suppressed[i] & ~a->apart[i]);
    return count;
}

/* Too few rows to be released among each other stay suppressed. Nobody may know how few are left
 * out; whether suppressed ones stand is for the check to say. */
static tacit_status leave_suppressed(const attempt *a, int64_t count, tacit_error *err)
{
    const tacit_records_options *options = a->origin.options;
    int64_t all = suppressed_so_far(a) + count;
    if (all <= options->max_suppressed && (!options->drop_suppressed || all >= options->k))
        return TACIT_OK;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "%lld new %s no class of the earlier releases, and fewer than k cannot be "
                        "released among themselves",
                        (long long)count, count == 1 ? "row fits" : "rows fit");
}

/* The rows that were taken out, among themselves. */
static tacit_status solve_apart(attempt *a, tacit_error *err)
{
    const tacit_records_options *options = a->origin.options;
    int64_t count = rows_apart(a, true), left = options->max_suppressed - suppressed_so_far(a);
    if (count == 0)
        return TACIT_OK;
    if (count < options->k)
        return leave_suppressed(a, count, err);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = a->rows[i];
        a->release->suppressed[row >> 6] &= ~(UINT64_C(1) << (row & 63));
    }
    return part_solve(a->release, &a->origin, a->rows, count, left > 0 ? left : 0, err);
}

tacit_status tacit_previous_generalize(tacit_rowwise **out, const tacit_previous_task *task,
                                       const tacit_run *run, tacit_error *err)
{
    attempt a = {.task = task,
                 .origin = {task->frame, NULL, task->method, task->options, run},
                 .row_count = tacit_table_rows(task->frame->table)};
    int64_t exposed = 0;
    tacit_status status = attempt_init(&a, err);
    if (status == TACIT_OK)
        status = solve_together(&a, err);
    if (status == TACIT_OK)
        status = solve_apart(&a, err);
    if (status == TACIT_OK)
        status = check_release(&exposed, &a, err);
    if (status == TACIT_OK && exposed > 0)
        status = tacit__error(err, TACIT_INFEASIBLE,
                              "%lld %s would stand out when the release is joined with an "
                              "earlier one",
                              (long long)exposed, exposed == 1 ? "row" : "rows");
    if (status == TACIT_OK) {
        *out = a.release;
        a.release = NULL;
    }
    attempt_clear(&a);
    return status;
}
