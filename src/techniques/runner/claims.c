/*
 * claims.c - what steps claim to have kept of the original, and which claims hold in the end.
 *
 * A step speaks of what it was given. That is the original where no step before it has touched the
 * columns it speaks of; where one has, and had claimed the same, both together hold, within the sum
 * of what each leaves open; otherwise nothing is known. A later step undoes what earlier ones claim
 * of its columns, and one that changes which rows there are undoes everything.
 */
#include <string.h>

#include "base/error.h"
#include "base/vector.h"
#include "techniques/runner/masking.h"

static bool copy_names(const char *const **out, size_t *count, tacit__arena *arena,
                       const tacit__runner_value *value)
{
    *out = NULL;
    *count = value ? value->text_count : 0;
    if (*count == 0)
        return true;
    const char **names = tacit__arena_alloc(arena, *count * sizeof *names);
    for (size_t i = 0; names && i < *count; i++) {
        names[i] = tacit__arena_copy(arena, tacit_strview_of(value->texts[i])).bytes;
        if (!names[i])
            return false;
    }
    *out = names;
    return names;
}

tacit_status tacit__claim(const tacit__runner_call *call, tacit_kept kept,
                          const tacit__runner_value *columns, const tacit__runner_value *within,
                          tacit_error *err)
{
    tacit_masked *masked = call->masked;
    kept.step = call->step;
    if (!copy_names(&kept.columns, &kept.column_count, &masked->arena, columns) ||
        !copy_names(&kept.within, &kept.within_count, &masked->arena, within) ||
        !TACIT__RESERVE_ONE(masked->kept, masked->kept_room, masked->kept_count))
        return tacit__nomem(err);
    masked->kept[masked->kept_count++] = kept;
    return TACIT_OK;
}

/* ---- which hold ---- */

static bool has(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Whether a step has changed something that a claim speaks of. */
static bool touches(const tacit_masking *masking, size_t step, const tacit_kept *kept)
{
    const char *const *names;
    size_t count = tacit_masking_columns(masking, step, &names);
    if (masking->steps[step].technique->features & TACIT_TECHNIQUE_OF_TUPLES)
        return true;
    for (size_t i = 0; i < count; i++)
        if (has(kept->columns, kept->column_count, names[i]) ||
            has(kept->within, kept->within_count, names[i]))
            return true;
    return false;
}

/* About the values that are released, whatever the original was. */
static bool is_absolute(const tacit_kept *kept)
{
    return kept->kind == TACIT_KEPT_GROUPS || kept->kind == TACIT_KEPT_RANGE ||
           kept->kind == TACIT_KEPT_NULL_MAP;
}

static bool same_names(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        if (!has(b, b_count, a[i]))
            return false;
    return a_count == b_count;
}

/* The same claim by a step before, which held until now; two wrong maps may be a right one. */
static const tacit_kept *earlier(const tacit_masked *masked, const tacit_kept *kept)
{
    for (const tacit_kept *each = masked->kept; each < kept; each++)
        if (each->kind == kept->kind && each->step < kept->step &&
            kept->kind != TACIT_KEPT_WRONG_MAP &&
            same_names(each->columns, each->column_count, kept->columns, kept->column_count) &&
            same_names(each->within, each->within_count, kept->within, kept->within_count))
            return each;
    return NULL;
}

/* Whether a claim of the step is one about the original. */
static bool reaches_back(tacit_kept *kept, const tacit_masked *masked, const tacit_masking *masking)
{
    bool untouched = true;
    for (size_t i = 0; i < kept->step; i++)
        untouched = untouched && !touches(masking, i, kept);
    if (untouched || is_absolute(kept))
        return true;
    const tacit_kept *before = earlier(masked, kept);
    if (before)
        kept->amount += before->amount;
    return before;
}

void tacit__claims_settle(tacit_masked *masked, const tacit_masking *masking, size_t step)
{
    size_t left = 0;
    for (size_t i = 0; i < masked->kept_count; i++) {
        tacit_kept *kept = &masked->kept[i];
        if (kept->step == step && !reaches_back(kept, masked, masking))
            kept->column_count = 0; /* of nothing: dropped below, where all can still be compared */
    }
    for (size_t i = 0; i < masked->kept_count; i++) {
        const tacit_kept *kept = &masked->kept[i];
        bool own = kept->step == step;
        if (own ? kept->column_count > 0 : !touches(masking, step, kept))
            masked->kept[left++] = *kept;
    }
    masked->kept_count = left;
}
