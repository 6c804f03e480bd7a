/*
 * seek.c - which way a group is searched in, and what a worker needs
 * for it; see seek.h.
 */
#include "uniques/seek.h"

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__seeker_init(tacit__seeker *seeker, const tacit__ground *ground,
                                tacit__uniques_found *found, int worker, tacit_error *err)
{
    *seeker =
        (tacit__seeker){.ground = ground, .found = found, .worker = worker, .below = tacit__seek};
    seeker->counts = tacit__alloc_zeroed(ground->values, sizeof *seeker->counts);
    seeker->frames = tacit__alloc_zeroed((size_t)ground->columns + 1, sizeof *seeker->frames);
    if (!seeker->counts || !seeker->frames)
        return tacit__nomem(err);
    return tacit__bits_new(&seeker->bits, err);
}

void tacit__seeker_clear(tacit__seeker *seeker)
{
    for (int i = 0; seeker->frames && i <= seeker->ground->columns; i++)
        tacit__frame_clear(&seeker->frames[i]);
    tacit__free(seeker->frames);
    tacit__free(seeker->counts);
    tacit__free(seeker->bits);
}

/* Whether the members fit into a word, an item counting for k + 1 at most. */
static bool fits_word(const tacit__ground *ground, const tacit__uniques_group *group)
{
    if (ground->k >= TACIT__MOST_BITS || group->size > TACIT__MOST_BITS)
        return false;
    uint32_t members = group->weight;
    if (members > TACIT__MOST_BITS) {
        members = 0;
        for (uint32_t i = 0; i < group->size; i++) {
            uint32_t weight = ground->weights[group->members[i]];
            members += weight <= ground->k ? weight : ground->k + 1;
        }
    }
    return members <= TACIT__MOST_BITS;
}

void tacit__seek(tacit__seeker *seeker, const tacit__uniques_group *group,
                 const tacit__choice *choices, int count)
{
    if (fits_word(seeker->ground, group))
        tacit__seek_bits(seeker, group, choices, count);
    else if (!tacit__seek_few(seeker, group, choices, count))
        tacit__seek_lists(seeker, group, choices, count);
}
