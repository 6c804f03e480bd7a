/*
 * split_models.c - what is promised beyond k, asked of ranges of records on
 * their way down the hierarchies.
 *
 * A part goes down if it keeps the models by itself; the others stay together, and must
 * keep them too: the smallest parts that could go stay with them until they do. With
 * models, classes are not taken out of a part to make up the numbers of another, since
 * both would have to be asked again for each.
 *
 * Costs one look at a range's classes for each part and each attempt, of which there
 * are few.
 */
#include "base/error.h"
#include "base/vector.h"
#include "records/local/split.h"

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
    if (!TACIT__RESERVE(cutter->members, cutter->member_room, *count + to - from))
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

tacit_status tacit__cutter_narrows(bool *holds, tacit__cutter *cutter, const tacit__range *range,
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

/* The smallest part that goes; -1: none does. */
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

tacit_status tacit__cutter_decide(int64_t *border, tacit__cutter *cutter, const tacit__range *range,
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
