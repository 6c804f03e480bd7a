/*
 * kinds.c - items by their blanks (kinds.h).
 *
 * A look costs, for each kind, one probe or a pass over its items, and what it finds; or, where
 * kinds are many, a few operations for every 64 items. A new
 * item goes into all lists of its kind. Items that have lost all their rows stay where they
 * are until they are most of their kind.
 */
#include "records/ambiguate/kinds.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum {
    FEW = 64,    /* members that are looked through rather than listed */
    ASLEEP = 16, /* members without rows that a kind may have beyond those with */
    OFTEN = 32,  /* a list is made when it is asked for so many times: it costs more looks */
    MOST_ASKED = 1 << 18,  /* lists that are kept account of */
    MOST_LISTED = 1 << 23, /* members of lists: 40 bytes each at worst */
    MANY_KINDS = 64,       /* beyond these items are sifted, */
    KIND_ITEMS = 1 << 11   /* if there are no more of them a kind */
};

static uint64_t hash_list(uint32_t kind, uint64_t columns)
{
    return tacit__mix(tacit__mix(columns) + kind);
}

static void drop_list(tacit__kinds *kinds, uint32_t a)
{
    tacit__ambiguate_asked *asked = &kinds->asked[a];
    tacit__kind *kind = &kinds->kinds[asked->kind];
    size_t at = 0;
    while (kind->asking[at] != a)
        at++;
    kind->asking[at] = kind->asking[--kind->list_count];
    kinds->listed -= (int64_t)asked->list.members;
    tacit__lookup_clear(&asked->list);
    asked->made = false;
    asked->times = 0;
}

static void drop_lists(tacit__kinds *kinds, tacit__kind *kind)
{
    while (kind->list_count > 0)
        drop_list(kinds, kind->asking[0]);
}

void tacit__kinds_clear(tacit__kinds *kinds)
{
    for (size_t a = 0; a < kinds->asked_count; a++)
        tacit__lookup_clear(&kinds->asked[a].list);
    for (size_t i = 0; i < kinds->count; i++) {
        tacit__free(kinds->kinds[i].sieve);
        tacit__free(kinds->kinds[i].members);
        tacit__free(kinds->kinds[i].bits);
        tacit__free(kinds->kinds[i].asking);
    }
    tacit__sift_clear(&kinds->sift);
    tacit__free(kinds->kinds);
    tacit__numbering_clear(&kinds->masks);
    tacit__free(kinds->asked);
    tacit__map_clear(&kinds->asked_map);
    tacit__free(kinds->where);
    tacit__free(kinds->found);
    *kinds = (tacit__kinds){0};
}

/* The kind of a mask, which is made where there is none. */
static tacit_status find_kind(uint32_t *out, tacit__kinds *kinds, uint64_t mask, tacit_error *err)
{
    *out = tacit__numbering_find(&kinds->masks, mask);
    if (*out != TACIT__NONE)
        return TACIT_OK;
    uint64_t *sieve = tacit__alloc_array((size_t)kinds->packed->words, sizeof *sieve);
    if (!sieve || !TACIT__RESERVE_ONE(kinds->kinds, kinds->room, kinds->count) ||
        (*out = tacit__numbering_add(&kinds->masks, mask)) == TACIT__NONE) {
        tacit__free(sieve);
        return tacit__nomem(err);
    }
    tacit__packed_sieve(sieve, kinds->packed, ~mask);
    kinds->kinds[kinds->count++] = (tacit__kind){.mask = mask, .sieve = sieve};
    return TACIT_OK;
}

/* Puts an item without rows into its kind and the kind's lists. */
static tacit_status join(tacit__kinds *kinds, uint32_t item, uint32_t class_index, uint32_t k,
                         tacit_error *err)
{
    tacit__kind *kind = &kinds->kinds[k];
    size_t words = (size_t)kinds->packed->words;
    tacit_status status = TACIT_OK;
    if (!TACIT__RESERVE_ONE(kind->members, kind->member_room, kind->count) ||
        !tacit__reserve((void **)&kind->bits, &kind->bits_room, kind->count + 1,
                        words * sizeof *kind->bits))
        return tacit__nomem(err);
    if (kinds->sift.packed)
        status = tacit__sift_reserve(&kinds->sift, (size_t)item + 1, err);
    for (size_t l = 0; status == TACIT_OK && l < kind->list_count; l++)
        status = tacit__lookup_add(&kinds->asked[kind->asking[l]].list, class_index, err);
    if (status != TACIT_OK) {
        drop_lists(kinds, kind);
        return status;
    }
    kinds->listed += (int64_t)kind->list_count;
    memcpy(kind->bits + kind->count * words, tacit__packed_bits(kinds->packed, class_index),
           words * sizeof *kind->bits);
    kind->members[kind->count] = (tacit__member){.item = item, .class_index = class_index};
    kinds->where[item].kind = k;
    kinds->where[item].place = (uint32_t)kind->count++;
    if (kinds->sift.packed)
        tacit__sift_put(&kinds->sift, item, class_index, kind->mask);
    return TACIT_OK;
}

tacit_status tacit__kinds_add(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                              tacit_error *err)
{
    uint32_t kind = 0, item = (uint32_t)kinds->items;
    if (!TACIT__RESERVE_ONE(kinds->where, kinds->where_room, kinds->items) ||
        !TACIT__RESERVE_ONE(kinds->found, kinds->found_room, kinds->items))
        return tacit__nomem(err);
    tacit_status status = find_kind(&kind, kinds, mask, err);
    if (status == TACIT_OK)
        status = join(kinds, item, class_index, kind, err);
    if (status == TACIT_OK)
        kinds->items++;
    return status;
}

tacit_status tacit__kinds_init(tacit__kinds *kinds, const tacit__packed *packed, int64_t classes,
                               tacit_error *err)
{
    *kinds = (tacit__kinds){.packed = packed};
    kinds->most_listed = classes > MOST_LISTED / 16 ? 16 * classes : MOST_LISTED;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++)
        status = tacit__kinds_add(kinds, (uint32_t)i, 0, err);
    if (status != TACIT_OK)
        tacit__kinds_clear(kinds);
    return status;
}

tacit_status tacit__kinds_wake(tacit__kinds *kinds, uint32_t item, uint32_t class_index,
                               uint64_t mask, tacit_error *err)
{
    if (kinds->where[item].place != TACIT__NONE)
        return TACIT_OK;
    assert(kinds->kinds[kinds->where[item].kind].mask == mask);
    return join(kinds, item, class_index, kinds->where[item].kind, err);
}

/* Members without rows leave; they wake up when they are needed again. */
static void purge(tacit__kinds *kinds, tacit__kind *kind)
{
    size_t kept = 0, words = (size_t)kinds->packed->words;
    drop_lists(kinds, kind);
    for (size_t i = 0; i < kind->count; i++) {
        uint32_t item = kind->members[i].item;
        if (kind->members[i].rows == 0) {
            kinds->where[item].place = TACIT__NONE;
            continue;
        }
        kind->members[kept] = kind->members[i];
        memmove(kind->bits + kept * words, kind->bits + i * words, words * sizeof *kind->bits);
        kinds->where[item].place = (uint32_t)kept++;
    }
    kind->count = kept;
}

void tacit__kinds_rows(tacit__kinds *kinds, uint32_t item, int64_t more)
{
    assert(kinds->where[item].place != TACIT__NONE);
    tacit__kind *kind = &kinds->kinds[kinds->where[item].kind];
    tacit__member *member = &kind->members[kinds->where[item].place];
    kind->live -= member->rows > 0;
    member->rows += more;
    kind->live += member->rows > 0;
    if (kinds->sift.packed)
        tacit__sift_live(&kinds->sift, item, member->rows > 0);
    if (kind->mask && kind->count - kind->live > kind->live + ASLEEP)
        purge(kinds, kind);
}

/* Makes room for a list of so many members. */
static void drop_oldest(tacit__kinds *kinds, int64_t members)
{
    while (kinds->listed > 0 && kinds->listed + members > kinds->most_listed) {
        uint32_t oldest = TACIT__NONE;
        for (size_t a = 0; a < kinds->asked_count; a++)
            if (kinds->asked[a].made &&
                (oldest == TACIT__NONE || kinds->asked[a].used < kinds->asked[oldest].used))
                oldest = (uint32_t)a;
        drop_list(kinds, oldest);
    }
}

static tacit_status make_list(tacit__kinds *kinds, uint32_t a, tacit_error *err)
{
    tacit__ambiguate_asked *asked = &kinds->asked[a];
    tacit__kind *kind = &kinds->kinds[asked->kind];
    tacit__lookup list;
    uint64_t sieve[TACIT__PACKED_WORDS];
    if (!TACIT__RESERVE_ONE(kind->asking, kind->list_room, kind->list_count))
        return tacit__nomem(err);
    drop_oldest(kinds, (int64_t)kind->count);
    tacit__packed_sieve(sieve, kinds->packed, asked->columns);
    tacit_status status =
        tacit__lookup_init(&list, kinds->packed, sieve, (int64_t)kind->count, err);
    for (size_t i = 0; status == TACIT_OK && i < kind->count; i++)
        status = tacit__lookup_add(&list, kind->members[i].class_index, err);
    if (status != TACIT_OK) {
        tacit__lookup_clear(&list);
        return status;
    }
    asked->list = list;
    asked->made = true;
    kind->asking[kind->list_count++] = a;
    kinds->listed += (int64_t)kind->count;
    return TACIT_OK;
}

/* The account of a list; *out is TACIT__NONE where there are too many. */
static tacit_status find_asked(uint32_t *out, tacit__kinds *kinds, uint32_t kind, uint64_t columns,
                               tacit_error *err)
{
    uint64_t hash = hash_list(kind, columns);
    size_t probe = 0;
    while ((*out = tacit__map_next(&kinds->asked_map, hash, &probe)) != TACIT__NONE)
        if (kinds->asked[*out].kind == kind && kinds->asked[*out].columns == columns)
            return TACIT_OK;
    if (kinds->asked_count == MOST_ASKED)
        return TACIT_OK;
    if (!TACIT__RESERVE_ONE(kinds->asked, kinds->asked_room, kinds->asked_count) ||
        !tacit__map_add(&kinds->asked_map, hash))
        return tacit__nomem(err);
    *out = (uint32_t)kinds->asked_count++;
    kinds->asked[*out] = (tacit__ambiguate_asked){.kind = kind, .columns = columns};
    return TACIT_OK;
}

tacit_status tacit__kinds_list(tacit__lookup **list, tacit__kinds *kinds, uint32_t kind,
                               uint64_t columns, uint32_t times, tacit_error *err)
{
    uint32_t a;
    *list = NULL;
    if (kinds->kinds[kind].count <= FEW)
        return TACIT_OK;
    tacit_status status = find_asked(&a, kinds, kind, columns, err);
    if (status != TACIT_OK || a == TACIT__NONE)
        return status;
    tacit__ambiguate_asked *asked = &kinds->asked[a];
    asked->times = asked->times > UINT32_MAX - times ? UINT32_MAX : asked->times + times;
    if (!asked->made && asked->times >= OFTEN)
        status = make_list(kinds, a, err);
    if (status == TACIT_OK && asked->made) {
        asked->used = ++kinds->clock;
        *list = &asked->list;
    }
    return status;
}

static void add_group(tacit__kinds *kinds, const tacit__kind *kind, const tacit__lookup *list,
                      uint32_t class_index)
{
    const tacit__lookup_group *group = tacit__lookup_find(list, class_index);
    for (uint32_t i = group ? group->first : TACIT__NONE; i != TACIT__NONE; i = list->next[i])
        if (kind->members[i].rows > 0)
            kinds->found[kinds->found_count++] = kind->members[i].item;
}

static void look_through(tacit__kinds *kinds, const tacit__kind *kind, const uint64_t *own,
                         const uint64_t *sieve)
{
    int32_t words = kinds->packed->words;
    uint64_t both[TACIT__PACKED_WORDS];
    for (int32_t w = 0; w < words; w++)
        both[w] = sieve[w] & kind->sieve[w];
    for (size_t i = 0; i < kind->count; i++)
        if (tacit__packed_agree(own, kind->bits + i * (size_t)words, both, words) &&
            kind->members[i].rows > 0)
            kinds->found[kinds->found_count++] = kind->members[i].item;
}

/* Notes all items for sifting; lists are of no use any more. */
static tacit_status start_sifting(tacit__kinds *kinds, tacit_error *err)
{
    tacit_status status = tacit__sift_init(&kinds->sift, kinds->packed, kinds->items, err);
    for (size_t k = 0; status == TACIT_OK && k < kinds->count; k++) {
        tacit__kind *kind = &kinds->kinds[k];
        drop_lists(kinds, kind);
        for (size_t i = 0; i < kind->count; i++) {
            const tacit__member *member = &kind->members[i];
            tacit__sift_put(&kinds->sift, member->item, member->class_index, kind->mask);
            tacit__sift_live(&kinds->sift, member->item, member->rows > 0);
        }
    }
    return status;
}

tacit_status tacit__kinds_settle(bool *sifts, tacit__kinds *kinds, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!kinds->sift.packed && kinds->count > MANY_KINDS &&
        kinds->count > kinds->items / KIND_ITEMS)
        status = start_sifting(kinds, err);
    *sifts = kinds->sift.packed != NULL;
    return status;
}

static void look_by_sift(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                         const uint64_t *sieve)
{
    tacit__sift_aim aim;
    tacit__sift_aim_at(&aim, &kinds->sift, class_index, mask);
    for (size_t from = 0; from * 64 < kinds->items; from += TACIT__SIFT_WORDS) {
        uint64_t left[TACIT__SIFT_WORDS];
        tacit__sift_look(left, &kinds->sift, &aim, from);
        for (size_t w = 0; w < TACIT__SIFT_WORDS; w++)
            for (; left[w]; left[w] &= left[w] - 1) {
                uint32_t item = (uint32_t)((from + w) * 64) + (uint32_t)__builtin_ctzll(left[w]);
                if (tacit__kinds_agree(kinds, item, class_index, sieve))
                    kinds->found[kinds->found_count++] = item;
            }
    }
}

static tacit_status look_by_kind(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                                 const uint64_t *sieve, tacit_error *err)
{
    const uint64_t *own = tacit__packed_bits(kinds->packed, class_index);
    bool whole = mask == 0; /* among classes without blanks it agrees with itself only */
    if (whole && kinds->kinds[0].members[class_index].rows > 0)
        kinds->found[kinds->found_count++] = class_index;
    for (uint32_t k = whole; k < kinds->count; k++) {
        const tacit__kind *kind = &kinds->kinds[k];
        tacit__lookup *list;
        if (kind->live == 0)
            continue;
        tacit_status status = tacit__kinds_list(&list, kinds, k, ~(mask | kind->mask), 1, err);
        if (status != TACIT_OK)
            return status;
        if (list)
            add_group(kinds, kind, list, class_index);
        else
            look_through(kinds, kind, own, sieve);
    }
    return TACIT_OK;
}

tacit_status tacit__kinds_look(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                               tacit_error *err)
{
    uint64_t sieve[TACIT__PACKED_WORDS];
    bool sifts;
    kinds->found_count = 0;
    tacit__packed_sieve(sieve, kinds->packed, ~mask);
    tacit_status status = tacit__kinds_settle(&sifts, kinds, err);
    if (status == TACIT_OK && sifts)
        look_by_sift(kinds, class_index, mask, sieve);
    else if (status == TACIT_OK)
        status = look_by_kind(kinds, class_index, mask, sieve, err);
    return status;
}
