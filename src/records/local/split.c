/*
 * split.c - everybody in boxes, from the top downwards.
 *
 * One box of the most general values holds everybody. A box is divided by one attribute, to its
 * next lower level: values with k people or more become boxes of their own, and the rest stays as
 * it is, a box again, which may be divided by another attribute. So, unlike in Mondrian (LeFevre,
 * DeWitt and Ramakrishnan 2006), one rare value does not keep the frequent ones up. Where fewer
 * than k people would stay, the largest part gives up as many as are missing, if it can, or else
 * the smallest stays. Boxes that can be divided no further are shrunk to what their records share.
 *
 * Which attribute: the most cost saved for the information spent. Dividing n people into parts n1,
 * n2, ... takes sum ni log2 (n / ni) bits of the n log2 (n / k) that there are; and half a bit a
 * person for the step itself, because few large steps leave more choice than many small ones.
 *
 * Ranges of records that are large are divided one step at a time, all of them in parallel, and the
 * small ones to the end, each by one worker. Costs classes times attributes times the depth of the
 * division, which is about log2 (n / k).
 *
 * With models, a part goes down if it keeps the models by itself; the others stay together, and
 * must keep them too: the smallest parts that could go stay with them until they do. Classes are
 * not taken out of a part to make up the numbers of another, since both would have to be asked
 * again for each.
 *
 * Costs one look at a range's classes for each part and each attempt, of which there are few.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/local/sieve.h"

/* A range of records, and the box that it is released as unless it is divided. */
typedef struct tacit__range {
    int64_t from;
    int64_t to;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
} tacit__range;

/* A worker. */
typedef struct tacit__cutter {
    const tacit__local *local;
    tacit__sieve sieve;
    tacit__range *stack; /* ranges that are still to be looked at */
    size_t stack_count, stack_capacity;
    tacit__models_scratch *scratch; /* where there are models */
    uint32_t *members;
    size_t member_capacity;
    double *logs; /* n log2 n of small n */
} tacit__cutter;

/* ---- what is promised beyond k ---- */

enum { ATTEMPTS = 8 };

/* The box of a range's first record on levels. */
static void numbers_of(uint32_t *numbers, const tacit__cutter *cutter, int64_t record,
                       const uint8_t *levels)
{
    for (int32_t a = 0; a < cutter->local->attributes; a++)
        numbers[a] =
            cutter->local->up[a][levels[a]][tacit__record_code(cutter->sieve.records, record, a)];
}

static tacit_status add_members(int64_t *count, tacit__cutter *cutter, int64_t from, int64_t to,
                                tacit_error *err)
{
    if (!TACIT__RESERVE(cutter->members, cutter->member_capacity, *count + to - from))
        return tacit__nomem(err);
    for (int64_t r = from; r < to; r++)
        cutter->members[(*count)++] = cutter->sieve.records->shares[r].class_index;
    return TACIT_OK;
}

static tacit_status hold(bool *holds, tacit__cutter *cutter, int64_t members, int64_t record,
                         const uint8_t *levels, tacit_error *err)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    numbers_of(numbers, cutter, record, levels);
    return tacit__models_hold_in(holds, cutter->local->models, cutter->scratch, cutter->members,
                                 members, levels, numbers, err);
}

/* People of the register in the box of a record. */
static tacit_status covered(int64_t *people, const tacit__cutter *cutter, int64_t record,
                            const uint8_t *levels, tacit_error *err)
{
    static const tacit_run alone = {.threads = 1};
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    numbers_of(numbers, cutter, record, levels);
    return tacit__population_under(people, cutter->local->frame->population, levels, numbers,
                                   &alone, err);
}

/* Whether the records of a range keep the models when released as a box of other levels, and
 * whether that box holds the same people of the register where all must be held. */
static tacit_status cutter_narrows(bool *holds, tacit__cutter *cutter, const tacit__range *range,
                                   const uint8_t *levels, tacit_error *err)
{
    int64_t members = 0, before = 0, after = 0;
    *holds = true;
    if (!cutter->local->frame->population) /* sensitive values do not ask for levels */
        return TACIT_OK;
    tacit_status status = add_members(&members, cutter, range->from, range->to, err);
    if (status == TACIT_OK)
        status = hold(holds, cutter, members, range->from, levels, err);
    if (status != TACIT_OK || !*holds || !cutter->local->covers)
        return status;
    status = covered(&before, cutter, range->from, range->levels, err);
    if (status == TACIT_OK)
        status = covered(&after, cutter, range->from, levels, err);
    *holds = before == after;
    return status;
}

/* Where part p begins; parts lie one behind the other. */
static int64_t part_from(const tacit__cutter *cutter, const tacit__range *range, int64_t p)
{
    int64_t from = range->from;
    for (int64_t i = 0; i < p; i++)
        from += cutter->sieve.parts[i].records;
    return from;
}

/* Parts that do not keep the models by themselves stay. */
static tacit_status ask_parts(tacit__cutter *cutter, const tacit__range *range,
                              const uint8_t *lower, tacit_error *err)
{
    int64_t from = range->from;
    for (int64_t p = 0; p < cutter->sieve.part_count; p++) {
        tacit__sieve_part *part = &cutter->sieve.parts[p];
        bool holds = part->people >= cutter->local->k;
        int64_t members = 0;
        tacit_status status = TACIT_OK;
        if (holds)
            status = add_members(&members, cutter, from, from + part->records, err);
        if (status == TACIT_OK && holds)
            status = hold(&holds, cutter, members, from, lower, err);
        if (status != TACIT_OK)
            return status;
        part->stays = !holds;
        from += part->records;
    }
    return TACIT_OK;
}

/* Whether the parts that stay, if any, keep k and the models together. */
static tacit_status ask_stayers(bool *holds, tacit__cutter *cutter, const tacit__range *range,
                                tacit_error *err)
{
    int64_t members = 0, people = 0, from = range->from;
    tacit_status status = TACIT_OK;
    for (int64_t p = 0; status == TACIT_OK && p < cutter->sieve.part_count; p++) {
        const tacit__sieve_part *part = &cutter->sieve.parts[p];
        if (part->stays) {
            status = add_members(&members, cutter, from, from + part->records, err);
            people += part->people;
        }
        from += part->records;
    }
    *holds = members == 0 || people >= cutter->local->k;
    if (status == TACIT_OK && *holds && members > 0)
        status = hold(holds, cutter, members, range->from, range->levels, err);
    return status;
}

static int64_t smallest_going(const tacit__cutter *cutter)
{
    const tacit__sieve_part *parts = cutter->sieve.parts;
    int64_t smallest = -1;
    for (int64_t p = 0; p < cutter->sieve.part_count; p++)
        if (!parts[p].stays && (smallest < 0 || parts[p].people < parts[smallest].people))
            smallest = p;
    return smallest;
}

/* Whether boxes stay apart and, where they must, hold everybody of the register
 * whom the range's box holds. */
static tacit_status ask_register(bool *holds, tacit__cutter *cutter, const tacit__range *range,
                                 const uint8_t *lower, tacit_error *err)
{
    int64_t all = 0, sum = 0;
    for (int64_t p = 0; cutter->local->apart && p < cutter->sieve.part_count; p++)
        *holds &= !cutter->sieve.parts[p].stays;
    if (!*holds || !cutter->local->covers)
        return TACIT_OK;
    tacit_status status = covered(&all, cutter, range->from, range->levels, err);
    for (int64_t p = 0; status == TACIT_OK && p < cutter->sieve.part_count; p++) {
        int64_t people = 0;
        status = covered(&people, cutter, part_from(cutter, range, p), lower, err);
        sum += people;
    }
    *holds = sum == all;
    return status;
}

/* Decides which parts stay; false where no part can go. */
static tacit_status choose(bool *holds, tacit__cutter *cutter, const tacit__range *range,
                           int32_t attribute, tacit_error *err)
{
    uint8_t lower[TACIT_MAX_ATTRIBUTES];
    for (int32_t a = 0; a < cutter->local->attributes; a++)
        lower[a] = (uint8_t)(range->levels[a] - (a == attribute));
    tacit_status status = ask_parts(cutter, range, lower, err);
    *holds = false;
    for (int i = 0; status == TACIT_OK && !*holds && i < ATTEMPTS; i++) {
        int64_t smallest = smallest_going(cutter);
        if (smallest < 0)
            return TACIT_OK;
        status = ask_stayers(holds, cutter, range, err);
        if (!*holds)
            cutter->sieve.parts[smallest].stays = true;
    }
    if (status == TACIT_OK && *holds)
        status = ask_register(holds, cutter, range, lower, err);
    return status;
}

/* Divides a range by an attribute's counted parts so that every group keeps the models. *border is
 * where those that stay end: where the range ends, if that cannot be. */
static tacit_status cutter_decide(int64_t *border, tacit__cutter *cutter, const tacit__range *range,
                                  int32_t attribute, tacit_error *err)
{
    bool holds = false;
    int level = range->levels[attribute] - 1;
    *border = range->to;
    tacit__sieve_divide(&cutter->sieve, range->from, attribute, level);
    tacit_status status = choose(&holds, cutter, range, attribute, err);
    if (status != TACIT_OK || !holds)
        return status;
    tacit__sieve_divide(&cutter->sieve, range->from, attribute, level);
    *border = range->from;
    for (int64_t p = 0; p < cutter->sieve.part_count; p++)
        *border += cutter->sieve.parts[p].stays ? cutter->sieve.parts[p].records : 0;
    return TACIT_OK;
}

/* ---- dividing ---- */

enum { LOGS = 4096, LEAST_LARGE = 4096, LARGE_SHARE = 64 };

/* What became of one range. */
typedef struct outcome {
    tacit__local_layout done; /* ranges divided to the end, ascending; starts are of records */
    tacit__range *parts;      /* if it was large: what it was divided into */
    size_t part_count;
} outcome;

typedef struct split {
    const tacit__local *local;
    tacit__records records;
    int64_t large;          /* ranges with more records are divided one step at a time */
    tacit__cutter *cutters; /* a worker each */
    int workers;
    tacit__range *pending;
    size_t pending_count;
    outcome *outcomes;         /* a pending range each */
    tacit__local_layout *done; /* of all ranges so far */
    size_t done_count, done_capacity;
} split;

/* The lowest levels on which the records of a range agree. */
static void shared_levels(uint8_t *levels, const tacit__records *records, const tacit__range *range)
{
    for (int32_t a = 0; a < records->local->attributes; a++) {
        uint32_t *const *up = records->local->up[a];
        uint32_t first = tacit__record_code(records, range->from, a);
        int level = records->local->floor[a];
        for (int64_t r = range->from + 1; r < range->to && level < range->levels[a]; r++) {
            uint32_t code = tacit__record_code(records, r, a);
            while (up[level][code] != up[level][first])
                level++;
        }
        levels[a] = (uint8_t)level;
    }
}

/* What is done with the parts of a range: those below k stay. */
typedef struct plan {
    int64_t going;    /* parts */
    uint32_t staying; /* people */
    int64_t giver;    /* the part that gives people up; -1: none */
} plan;

static plan make_plan(tacit__sieve *sieve, int64_t k)
{
    plan p = {.giver = -1};
    int64_t largest = -1, smallest = -1;
    bool any = false;
    for (int64_t i = 0; i < sieve->part_count; i++) {
        tacit__sieve_part *part = &sieve->parts[i];
        part->stays = part->people < k;
        any |= part->stays;
        p.going += !part->stays;
        p.staying += part->stays ? part->people : 0;
        if (!part->stays && (largest < 0 || part->people > sieve->parts[largest].people))
            largest = i;
        if (!part->stays && (smallest < 0 || part->people < sieve->parts[smallest].people))
            smallest = i;
    }
    if (!any || p.staying >= k || p.going == 0)
        return p;
    if (sieve->parts[largest].people >= 2 * k - p.staying) {
        p.giver = largest;
        return p;
    }
    sieve->parts[smallest].stays = true;
    p.staying += sieve->parts[smallest].people;
    p.going--;
    return p;
}

static double n_log_n(const tacit__cutter *cutter, uint32_t n)
{
    return n < LOGS ? cutter->logs[n] : n * log2(n);
}

/* Cost saved for the bits spent. */
static double worth(const tacit__cutter *cutter, const plan *p, const double *costs, double before)
{
    double saved = 0, spread = n_log_n(cutter, p->staying);
    uint32_t people = p->staying;
    for (int64_t i = 0; i < cutter->sieve.part_count; i++) {
        const tacit__sieve_part *part = &cutter->sieve.parts[i];
        if (part->stays)
            continue;
        /* that nothing is saved now says nothing of later */
        saved += part->people * (before - costs[part->value] + 1e-9);
        spread += n_log_n(cutter, part->people);
        people += part->people;
    }
    return saved / (n_log_n(cutter, people) - spread + 0.5 * people);
}

/* What dividing a range by an attribute is worth; 0 where it cannot be. */
static double rate(tacit__cutter *cutter, const tacit__range *range, int32_t attribute)
{
    const tacit__local *local = cutter->local;
    int level = range->levels[attribute];
    uint32_t code = tacit__record_code(cutter->sieve.records, range->from, attribute);
    if (level == local->floor[attribute])
        return 0;
    tacit__sieve_count(&cutter->sieve, range->from, range->to, attribute, level - 1);
    plan p = make_plan(&cutter->sieve, local->k);
    if (p.going == 0)
        return 0;
    return worth(cutter, &p, local->costs.of[attribute][level - 1],
                 local->costs.of[attribute][level][local->up[attribute][level][code]]);
}

/* Moves records from the front of the part that gives, which comes first, to the
 * end of those that stay, until these are k; all of it where that cannot be. */
static int64_t pull(tacit__cutter *cutter, int64_t border, const plan *p)
{
    tacit__sieve_part *giver = &cutter->sieve.parts[0];
    tacit__records *records = cutter->sieve.records;
    int64_t k = cutter->local->k, start = border, end = border + giver->records;
    int64_t missing = k - p->staying, spare = giver->people - k;
    for (int64_t r = border; r < end && missing > 0; r++) {
        uint32_t people = records->shares[r].people;
        if (people > spare || people == 0)
            continue;
        tacit__records_exchange(records, r, border++);
        missing -= people;
        spare -= people;
    }
    border = missing > 0 ? end : border;
    giver->records -= (uint32_t)(border - start);
    return border;
}

/* Divides a range by what k asks for; where those that stay end. */
static int64_t divide_by_k(tacit__cutter *cutter, const tacit__range *range, int32_t attribute)
{
    tacit__sieve *sieve = &cutter->sieve;
    plan p = make_plan(sieve, cutter->local->k);
    int64_t border = range->from;
    if (p.giver > 0) {
        tacit__sieve_part part = sieve->parts[p.giver];
        sieve->parts[p.giver] = sieve->parts[0];
        sieve->parts[0] = part;
    }
    tacit__sieve_divide(sieve, range->from, attribute, range->levels[attribute] - 1);
    for (int64_t i = 0; i < sieve->part_count; i++)
        border += sieve->parts[i].stays ? sieve->parts[i].records : 0;
    return p.giver >= 0 ? pull(cutter, border, &p) : border;
}

static tacit_status push(tacit__cutter *cutter, const tacit__range *range, int64_t from, int64_t to,
                         tacit_error *err)
{
    if (from == to)
        return TACIT_OK;
    if (!TACIT__RESERVE_ONE(cutter->stack, cutter->stack_capacity, cutter->stack_count))
        return tacit__nomem(err);
    tacit__range *top = &cutter->stack[cutter->stack_count++];
    *top = *range;
    top->from = from;
    top->to = to;
    return TACIT_OK;
}

/* Puts the parts of a range on the stack, the first on top. */
static tacit_status push_parts(tacit__cutter *cutter, const tacit__range *range, int64_t border,
                               int32_t attribute, tacit_error *err)
{
    tacit__range lower = *range;
    int64_t to = range->to;
    lower.levels[attribute]--;
    for (int64_t i = cutter->sieve.part_count - 1; i >= 0; i--) {
        const tacit__sieve_part *part = &cutter->sieve.parts[i];
        if (part->stays)
            continue;
        tacit_status status = push(cutter, &lower, to - part->records, to, err);
        if (status != TACIT_OK)
            return status;
        to -= part->records;
    }
    return push(cutter, range, range->from, border, err);
}

/* Divides a range by an attribute; its parts go on the stack. */
static tacit_status divide_by(bool *divided, tacit__cutter *cutter, const tacit__range *range,
                              int32_t attribute, tacit_error *err)
{
    int64_t border = range->from;
    tacit_status status = TACIT_OK;
    tacit__sieve_count(&cutter->sieve, range->from, range->to, attribute,
                       range->levels[attribute] - 1);
    if (cutter->local->models)
        status = cutter_decide(&border, cutter, range, attribute, err);
    else
        border = divide_by_k(cutter, range, attribute);
    *divided = status == TACIT_OK && border < range->to;
    return *divided ? push_parts(cutter, range, border, attribute, err) : status;
}

/* Divides a range by the best attribute that it can be divided by. */
static tacit_status divide(bool *divided, tacit__cutter *cutter, const tacit__range *range,
                           tacit_error *err)
{
    double rates[TACIT_MAX_ATTRIBUTES];
    int32_t attributes = cutter->local->attributes;
    *divided = false;
    for (int32_t a = 0; a < attributes; a++)
        rates[a] = rate(cutter, range, a);
    for (;;) {
        int32_t best = 0;
        for (int32_t a = 1; a < attributes; a++)
            best = rates[a] > rates[best] ? a : best;
        if (rates[best] <= 0)
            return TACIT_OK;
        tacit_status status = divide_by(divided, cutter, range, best, err);
        if (status != TACIT_OK || *divided)
            return status;
        rates[best] = 0;
    }
}

/* Shrinks the box of a range to what its records share, if the models let it. */
static tacit_status shrink(tacit__cutter *cutter, tacit__range *range, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    bool holds = true;
    shared_levels(levels, cutter->sieve.records, range);
    tacit_status status = TACIT_OK;
    if (cutter->local->models)
        status = cutter_narrows(&holds, cutter, range, levels, err);
    if (status == TACIT_OK && holds)
        memcpy(range->levels, levels, (size_t)cutter->local->attributes);
    return status;
}

static tacit_status add_leaf(tacit__local_layout *leaves, const tacit__range *range,
                             int32_t attributes, tacit_error *err)
{
    leaves->share_count = range->from;
    return tacit__layout_open(leaves, range->levels, attributes, err);
}

/* Divides what is on the stack until nothing is, or once where it is large. */
static tacit_status divide_stack(outcome *o, tacit__cutter *cutter, bool once, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool divided = false;
    while (status == TACIT_OK && cutter->stack_count > 0 && !(once && divided)) {
        tacit__range range = cutter->stack[--cutter->stack_count];
        status = shrink(cutter, &range, err);
        if (status == TACIT_OK)
            status = divide(&divided, cutter, &range, err);
        if (status == TACIT_OK && !divided)
            status = add_leaf(&o->done, &range, cutter->local->attributes, err);
    }
    return status;
}

static tacit_status split_task(void *context, int64_t task, int worker, tacit_error *err)
{
    split *s = context;
    tacit__cutter *cutter = &s->cutters[worker];
    const tacit__range *range = &s->pending[task];
    bool once = range->to - range->from > s->large;
    cutter->stack_count = 0;
    tacit_status status = push(cutter, range, range->from, range->to, err);
    if (status == TACIT_OK)
        status = divide_stack(&s->outcomes[task], cutter, once, err);
    if (status != TACIT_OK || cutter->stack_count == 0)
        return status;
    outcome *o = &s->outcomes[task];
    o->parts = tacit__alloc_array(cutter->stack_count, sizeof *o->parts);
    if (!o->parts)
        return tacit__nomem(err);
    memcpy(o->parts, cutter->stack, cutter->stack_count * sizeof *o->parts);
    o->part_count = cutter->stack_count;
    return TACIT_OK;
}

static void cutter_clear(tacit__cutter *cutter)
{
    tacit__sieve_clear(&cutter->sieve);
    tacit__free(cutter->stack);
    tacit__models_scratch_free(cutter->scratch);
    tacit__free(cutter->members);
    tacit__free(cutter->logs);
}

static tacit_status cutter_init(tacit__cutter *cutter, split *s, tacit_error *err)
{
    cutter->local = s->local;
    tacit_status status = tacit__sieve_init(&cutter->sieve, &s->records, err);
    if (status == TACIT_OK && s->local->models)
        status = tacit__models_scratch_new(&cutter->scratch, s->local->models, err);
    if (status != TACIT_OK)
        return status;
    cutter->logs = tacit__alloc_array(LOGS, sizeof *cutter->logs);
    if (!cutter->logs)
        return tacit__nomem(err);
    cutter->logs[0] = 0;
    for (int n = 1; n < LOGS; n++)
        cutter->logs[n] = n * log2(n);
    return TACIT_OK;
}

/* The top: everybody, on the highest levels. */
static tacit_status start(split *s, tacit_error *err)
{
    int64_t classes = s->local->classes->groups.count;
    tacit_status status = tacit__records_init(&s->records, s->local, err);
    if (status != TACIT_OK)
        return status;
    s->workers = tacit__threads(s->local->run);
    s->cutters = tacit__alloc_zeroed((size_t)s->workers, sizeof *s->cutters);
    s->pending = tacit__alloc_zeroed(1, sizeof *s->pending);
    if (!s->cutters || !s->pending)
        return tacit__nomem(err);
    for (int w = 0; status == TACIT_OK && w < s->workers; w++)
        status = cutter_init(&s->cutters[w], s, err);
    s->large = classes / LARGE_SHARE > LEAST_LARGE ? classes / LARGE_SHARE : LEAST_LARGE;
    s->pending[0].to = classes;
    for (int32_t a = 0; a < s->local->attributes; a++)
        s->pending[0].levels[a] = (uint8_t)s->local->height[a];
    s->pending_count = 1;
    return status;
}

/* Takes over what has become of the pending ranges; what is left of them is pending. */
static tacit_status collect_outcomes(split *s, tacit_error *err)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < s->pending_count; i++)
        count += s->outcomes[i].part_count;
    tacit__range *pending = tacit__alloc_array(count, sizeof *pending);
    if (!pending || !TACIT__RESERVE(s->done, s->done_capacity, s->done_count + s->pending_count)) {
        tacit__free(pending);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < s->pending_count; i++) {
        outcome *o = &s->outcomes[i];
        for (size_t p = 0; p < o->part_count; p++)
            pending[at++] = o->parts[p];
        if (o->done.boxes > 0)
            s->done[s->done_count++] = o->done;
        o->done = (tacit__local_layout){0};
    }
    tacit__free(s->pending);
    s->pending = pending;
    s->pending_count = count;
    return TACIT_OK;
}

static void outcomes_free(split *s, size_t count)
{
    for (size_t i = 0; s->outcomes && i < count; i++) {
        tacit__layout_clear(&s->outcomes[i].done);
        tacit__free(s->outcomes[i].parts);
    }
    tacit__free(s->outcomes);
    s->outcomes = NULL;
}

static tacit_status divide_pending(split *s, tacit_error *err)
{
    size_t count = s->pending_count;
    s->outcomes = tacit__alloc_zeroed(count, sizeof *s->outcomes);
    if (!s->outcomes)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(s->local->run, "dividing", (int64_t)count, split_task, s, err);
    if (status == TACIT_OK)
        status = collect_outcomes(s, err);
    outcomes_free(s, count);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const tacit__local_layout *x = a, *y = b;
    return x->starts[0] < y->starts[0] ? -1 : x->starts[0] > y->starts[0];
}

/* The leaves become boxes, and the records' shares theirs. */
static tacit_status conclude(tacit__local_layout *out, split *s, tacit_error *err)
{
    tacit__local_layout layout = {0};
    size_t attributes = (size_t)s->local->attributes;
    qsort(s->done, s->done_count, sizeof *s->done, by_place);
    for (size_t i = 0; i < s->done_count; i++)
        layout.boxes += s->done[i].boxes;
    layout.start_capacity = (size_t)layout.boxes + 1;
    layout.level_capacity = (size_t)layout.boxes * attributes;
    layout.starts = tacit__alloc_array(layout.start_capacity, sizeof *layout.starts);
    layout.levels = tacit__alloc_array(layout.level_capacity, 1);
    if (!layout.starts || !layout.levels) {
        tacit__layout_clear(&layout);
        return tacit__nomem(err);
    }
    int64_t at = 0;
    for (size_t i = 0; i < s->done_count; i++) {
        const tacit__local_layout *l = &s->done[i];
        memcpy(layout.starts + at, l->starts, (size_t)l->boxes * sizeof *l->starts);
        memcpy(layout.levels + (size_t)at * attributes, l->levels, (size_t)l->boxes * attributes);
        at += l->boxes;
    }
    layout.share_count = s->local->classes->groups.count;
    layout.share_capacity = (size_t)layout.share_count;
    layout.starts[at] = layout.share_count;
    layout.shares = s->records.shares;
    s->records.shares = NULL;
    *out = layout;
    return TACIT_OK;
}

static void split_clear(split *s)
{
    for (int w = 0; s->cutters && w < s->workers; w++)
        cutter_clear(&s->cutters[w]);
    for (size_t i = 0; i < s->done_count; i++)
        tacit__layout_clear(&s->done[i]);
    tacit__free(s->cutters);
    tacit__free(s->pending);
    tacit__free(s->done);
    tacit__records_clear(&s->records);
}

tacit_status tacit__local_split(tacit__local_layout *out, const tacit__local *local,
                                tacit_error *err)
{
    split s = {.local = local};
    tacit_status status = start(&s, err);
    while (status == TACIT_OK && s.pending_count > 0)
        status = divide_pending(&s, err);
    if (status == TACIT_OK)
        status = conclude(out, &s, err);
    split_clear(&s);
    return status;
}
