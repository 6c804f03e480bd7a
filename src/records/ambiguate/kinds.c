/*
 * kinds.c - items by their blanks, and who agrees with whom (kinds.h).
 *
 * Packing: a field has the bits that the largest code of its column needs; fields go into words as
 * they come, and none is cut in two. The eight columns of adult take one word of 34 bits.
 *
 * A look costs, for each kind, one probe or a pass over its items, and what it finds; or, where
 * kinds are many, a few operations for every 64 items. A new item goes into all lists of its kind,
 * where a member costs 4 bytes and a group 24 and 16 to 32 for its slots. Items that have lost all
 * their rows stay where they are until they are most of their kind.
 *
 * Sifting: a column has a few buckets, and a value is in one of them. For each bucket there is a
 * bit an item: set where the item has a blank in the column or a value of the bucket. The items
 * that a row can agree with are those whose bits are set in the bucket of every value that it has,
 * so 64 of them are looked at in one step a column, and mostly a few columns leave none. Where
 * buckets hold several values, what is left has to be compared. Two bytes an item and column.
 *
 * Alpha of every item is counted two kinds at a time: the items of the smaller are looked up in a
 * list of the larger, and what a group of the larger gains is added to its items once. So the cost
 * is that of the items of the smaller kinds, of the lists, and of the items that gain, never of all
 * pairs of rows. Where items are sifted, each is looked for by itself.
 */
#include "records/ambiguate/kinds.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* ---- packed codes ---- */

/* Gives every column its field; shift is where it starts. */
static void lay_out(tacit__packed *packed, int *shift, const tacit__tableau *tableau)
{
    int used = 0;
    packed->words = 1;
    for (int32_t c = 0; c < packed->columns; c++) {
        uint32_t domain = tableau->domain[c];
        int width = domain > 1 ? 32 - __builtin_clz(domain - 1) : 0;
        if (used + width > 64) {
            packed->words++;
            used = 0;
        }
        packed->word[c] = packed->words - 1;
        packed->field[c] = width ? ((UINT64_C(1) << width) - 1) << used : 0;
        shift[c] = width ? used : 0;
        used += width;
    }
}

tacit_status tacit__packed_init(tacit__packed *packed, const tacit__tableau *tableau,
                                tacit_error *err)
{
    int shift[64];
    *packed = (tacit__packed){.columns = tableau->columns};
    lay_out(packed, shift, tableau);
    packed->bits =
        tacit__alloc_zeroed((size_t)tableau->classes, (size_t)packed->words * sizeof(uint64_t));
    if (!packed->bits)
        return tacit__nomem(err);
    for (int64_t i = 0; i < tableau->classes; i++) {
        const uint32_t *codes = tacit__tableau_codes(tableau, i);
        uint64_t *bits = packed->bits + i * packed->words;
        for (int32_t c = 0; c < packed->columns; c++)
            bits[packed->word[c]] |= (uint64_t)codes[c] << shift[c];
    }
    return TACIT_OK;
}

void tacit__packed_clear(tacit__packed *packed)
{
    tacit__free(packed->bits);
    *packed = (tacit__packed){0};
}

void tacit__packed_sieve(uint64_t *sieve, const tacit__packed *packed, uint64_t columns)
{
    for (int32_t w = 0; w < packed->words; w++)
        sieve[w] = 0;
    for (int32_t c = 0; c < packed->columns; c++)
        if (columns >> c & 1)
            sieve[packed->word[c]] |= packed->field[c];
}

/* ---- lookups ---- */

static uint64_t hash_class(const tacit__lookup *list, uint32_t class_index)
{
    return tacit__packed_hash(tacit__packed_bits(list->packed, class_index), list->sieve,
                              list->packed->words);
}

tacit_status tacit__lookup_init(tacit__lookup *list, const tacit__packed *packed,
                                const uint64_t *sieve, int64_t room, tacit_error *err)
{
    size_t words = (size_t)packed->words * sizeof *sieve;
    *list = (tacit__lookup){.packed = packed};
    list->sieve = tacit__alloc(words);
    if (!list->sieve || !TACIT__RESERVE(list->next, list->member_capacity, room)) {
        tacit__lookup_clear(list);
        return tacit__nomem(err);
    }
    memcpy(list->sieve, sieve, words);
    return TACIT_OK;
}

void tacit__lookup_clear(tacit__lookup *list)
{
    tacit__free(list->sieve);
    tacit__map_clear(&list->map);
    tacit__free(list->groups);
    tacit__free(list->next);
    *list = (tacit__lookup){0};
}

/* The number of a class's group, or TACIT__NONE. */
static uint32_t group_of(const tacit__lookup *list, uint32_t class_index, uint64_t hash)
{
    const uint64_t *bits = tacit__packed_bits(list->packed, class_index);
    size_t probe = 0;
    uint32_t g;
    while ((g = tacit__map_next(&list->map, hash, &probe)) != TACIT__NONE)
        if (tacit__packed_agree(bits, tacit__packed_bits(list->packed, list->groups[g].class_index),
                                list->sieve, list->packed->words))
            break;
    return g;
}

tacit__lookup_group *tacit__lookup_find(const tacit__lookup *list, uint32_t class_index)
{
    uint32_t g = group_of(list, class_index, hash_class(list, class_index));
    return g == TACIT__NONE ? NULL : &list->groups[g];
}

static tacit_status reserve_member(tacit__lookup *list, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(list->next, list->member_capacity, list->members) ||
        !TACIT__RESERVE_ONE(list->groups, list->group_capacity, list->group_count) ||
        !tacit__map_reserve(&list->map, list->group_count + 1))
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__lookup_add(tacit__lookup *list, uint32_t class_index, tacit_error *err)
{
    tacit_status status = reserve_member(list, err);
    if (status != TACIT_OK)
        return status;
    uint64_t hash = hash_class(list, class_index);
    uint32_t g = group_of(list, class_index, hash);
    if (g == TACIT__NONE) {
        g = (uint32_t)list->group_count;
        tacit__map_put(&list->map, hash);
        list->groups[list->group_count++] =
            (tacit__lookup_group){.class_index = class_index, .first = TACIT__NONE};
    }
    tacit__lookup_group *group = &list->groups[g];
    list->next[list->members] = group->first;
    group->first = (uint32_t)list->members++;
    return TACIT_OK;
}

/* ---- sifting ---- */

enum { SIFT_WORDS = 16 }; /* that are looked at together */

/* What a row of a class with blanks has to pass. */
typedef struct sift_aim {
    const uint64_t *bits[64];
    int32_t count;
} sift_aim;

enum { BUCKETS = 16 };

static int field_width(const tacit__sift *sift, int32_t column)
{
    return __builtin_popcountll(sift->packed->field[column]);
}

/* Values of four bits have a bucket each; of others some share one. */
static size_t bucket_of(const tacit__sift *sift, int32_t column, uint32_t class_index)
{
    const tacit__packed *packed = sift->packed;
    uint64_t field = packed->field[column];
    if (!field)
        return 0;
    uint64_t code = (tacit__packed_bits(packed, class_index)[packed->word[column]] & field) >>
                    __builtin_ctzll(field);
    return (size_t)(code < BUCKETS ? code : tacit__mix(code)) % BUCKETS;
}

static uint64_t *bits_of(const tacit__sift *sift, int32_t column, size_t bucket)
{
    return sift->bits + ((size_t)column * BUCKETS + bucket) * sift->words;
}

static void order_columns(tacit__sift *sift)
{
    for (int32_t c = 0; c < sift->packed->columns; c++) {
        int32_t at = c;
        for (; at > 0 && field_width(sift, c) > field_width(sift, sift->order[at - 1]); at--)
            sift->order[at] = sift->order[at - 1];
        sift->order[at] = c;
    }
}

static tacit_status sift_reserve(tacit__sift *sift, size_t items, tacit_error *err)
{
    size_t rows = (size_t)sift->packed->columns * BUCKETS, words = items / 64 + 1;
    if (words <= sift->words)
        return TACIT_OK;
    words += words / 4;
    words += SIFT_WORDS - words % SIFT_WORDS;
    uint64_t *bits = tacit__alloc_zeroed(rows, words * sizeof *bits);
    uint64_t *live = tacit__alloc_zeroed(words, sizeof *live);
    if (!bits || !live) {
        tacit__free(bits);
        tacit__free(live);
        return tacit__nomem(err);
    }
    for (size_t i = 0; sift->bits && i < rows; i++)
        memcpy(bits + i * words, sift->bits + i * sift->words, sift->words * sizeof *bits);
    if (sift->live)
        memcpy(live, sift->live, sift->words * sizeof *live);
    tacit__free(sift->bits);
    tacit__free(sift->live);
    sift->bits = bits;
    sift->live = live;
    sift->words = words;
    return TACIT_OK;
}

static tacit_status sift_init(tacit__sift *sift, const tacit__packed *packed, size_t items,
                              tacit_error *err)
{
    *sift = (tacit__sift){.packed = packed};
    order_columns(sift);
    tacit_status status = sift_reserve(sift, items, err);
    if (status != TACIT_OK)
        *sift = (tacit__sift){0};
    return status;
}

static void sift_clear(tacit__sift *sift)
{
    tacit__free(sift->bits);
    tacit__free(sift->live);
    *sift = (tacit__sift){0};
}

/* Notes an item, for which there is room, as a row of a class with blanks. It is not live. */
static void sift_put(tacit__sift *sift, uint32_t item, uint32_t class_index, uint64_t mask)
{
    uint64_t bit = UINT64_C(1) << item % 64;
    for (int32_t c = 0; c < sift->packed->columns; c++) {
        bool blank = mask >> c & 1;
        size_t from = blank ? 0 : bucket_of(sift, c, class_index);
        for (size_t b = from; b < (blank ? BUCKETS : from + 1); b++)
            bits_of(sift, c, b)[item / 64] |= bit;
    }
}

static void sift_live(tacit__sift *sift, uint32_t item, bool live)
{
    uint64_t bit = UINT64_C(1) << item % 64;
    if (live)
        sift->live[item / 64] |= bit;
    else
        sift->live[item / 64] &= ~bit;
}

static void sift_aim_at(sift_aim *aim, const tacit__sift *sift, uint32_t class_index, uint64_t mask)
{
    aim->count = 0;
    for (int32_t i = 0; i < sift->packed->columns; i++) {
        int32_t c = sift->order[i];
        if (!(mask >> c & 1))
            aim->bits[aim->count++] = bits_of(sift, c, bucket_of(sift, c, class_index));
    }
}

/* The items that it may agree with, of those whose bits begin with a word. */
static void sift_words(uint64_t *out, const tacit__sift *sift, const sift_aim *aim, size_t word)
{
    uint64_t any = 1;
    memcpy(out, sift->live + word, SIFT_WORDS * sizeof *out);
    for (int32_t i = 0; any && i < aim->count; i++) {
        const uint64_t *bits = aim->bits[i] + word;
        any = 0;
        for (int w = 0; w < SIFT_WORDS; w++)
            any |= out[w] &= bits[w];
    }
}

/* ---- kinds ---- */

enum {
    FEW = 64,    /* members that are looked through rather than listed */
    ASLEEP = 16, /* members without rows that a kind may have beyond those with */
    OFTEN = 32,  /* a list is made when it is asked for so many times: it costs more looks */
    MAX_ASKED = 1 << 18,  /* lists that are kept account of */
    MAX_LISTED = 1 << 23, /* members of lists: 40 bytes each at worst */
    MANY_KINDS = 64,      /* beyond these items are sifted, */
    KIND_ITEMS = 1 << 11  /* if there are no more of them a kind */
};

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
    sift_clear(&kinds->sift);
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
    if (!TACIT__RESERVE_ONE(kind->members, kind->member_capacity, kind->count) ||
        !tacit__reserve((void **)&kind->bits, &kind->bits_capacity, kind->count + 1,
                        words * sizeof *kind->bits))
        return tacit__nomem(err);
    if (kinds->sift.packed)
        status = sift_reserve(&kinds->sift, (size_t)item + 1, err);
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
        sift_put(&kinds->sift, item, class_index, kind->mask);
    return TACIT_OK;
}

tacit_status tacit__kinds_add(tacit__kinds *kinds, uint32_t class_index, uint64_t mask,
                              tacit_error *err)
{
    uint32_t kind = 0, item = (uint32_t)kinds->items;
    if (!TACIT__RESERVE_ONE(kinds->where, kinds->where_capacity, kinds->items) ||
        !TACIT__RESERVE_ONE(kinds->found, kinds->found_capacity, kinds->items))
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
    kinds->max_listed = classes > MAX_LISTED / 16 ? 16 * classes : MAX_LISTED;
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
        sift_live(&kinds->sift, item, member->rows > 0);
    if (kind->mask && kind->count - kind->live > kind->live + ASLEEP)
        purge(kinds, kind);
}

/* Makes room for a list of so many members. */
static void drop_oldest(tacit__kinds *kinds, int64_t members)
{
    while (kinds->listed > 0 && kinds->listed + members > kinds->max_listed) {
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
    if (!TACIT__RESERVE_ONE(kind->asking, kind->list_capacity, kind->list_count))
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
    uint64_t hash = tacit__mix(tacit__mix(columns) + kind);
    size_t probe = 0;
    while ((*out = tacit__map_next(&kinds->asked_map, hash, &probe)) != TACIT__NONE)
        if (kinds->asked[*out].kind == kind && kinds->asked[*out].columns == columns)
            return TACIT_OK;
    if (kinds->asked_count == MAX_ASKED)
        return TACIT_OK;
    if (!TACIT__RESERVE_ONE(kinds->asked, kinds->asked_capacity, kinds->asked_count) ||
        !tacit__map_add(&kinds->asked_map, hash))
        return tacit__nomem(err);
    *out = (uint32_t)kinds->asked_count++;
    kinds->asked[*out] = (tacit__ambiguate_asked){.kind = kind, .columns = columns};
    return TACIT_OK;
}

/* For it: the list of a kind by those columns, asked for so many times more; *list is NULL
 * where looking through is as good. Valid until the next is asked for. */
static tacit_status kinds_list(tacit__lookup **list, tacit__kinds *kinds, uint32_t kind,
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
    tacit_status status = sift_init(&kinds->sift, kinds->packed, kinds->items, err);
    for (size_t k = 0; status == TACIT_OK && k < kinds->count; k++) {
        tacit__kind *kind = &kinds->kinds[k];
        drop_lists(kinds, kind);
        for (size_t i = 0; i < kind->count; i++) {
            const tacit__member *member = &kind->members[i];
            sift_put(&kinds->sift, member->item, member->class_index, kind->mask);
            sift_live(&kinds->sift, member->item, member->rows > 0);
        }
    }
    return status;
}

/* Sifts from now on, where there are so many kinds; whether it does. */
static tacit_status kinds_settle(bool *sifts, tacit__kinds *kinds, tacit_error *err)
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
    sift_aim aim;
    sift_aim_at(&aim, &kinds->sift, class_index, mask);
    for (size_t from = 0; from * 64 < kinds->items; from += SIFT_WORDS) {
        uint64_t left[SIFT_WORDS];
        sift_words(left, &kinds->sift, &aim, from);
        for (size_t w = 0; w < SIFT_WORDS; w++)
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
        tacit_status status = kinds_list(&list, kinds, k, ~(mask | kind->mask), 1, err);
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
    tacit_status status = kinds_settle(&sifts, kinds, err);
    if (status == TACIT_OK && sifts)
        look_by_sift(kinds, class_index, mask, sieve);
    else if (status == TACIT_OK)
        status = look_by_kind(kinds, class_index, mask, sieve, err);
    return status;
}

/* ---- counting ---- */

static int64_t rows_of(const tacit__kind *kind, const tacit__lookup *list,
                       const tacit__lookup_group *group)
{
    int64_t rows = 0;
    for (uint32_t m = group->first; m != TACIT__NONE; m = list->next[m])
        rows += kind->members[m].rows;
    return rows;
}

/* Items of a kind, and those of another by a list; where they are the same each of them
 * counts all, and nothing is to be given back. */
static void count_listed(int64_t *alpha, const tacit__kind *of, tacit__lookup *list,
                         const tacit__kind *with, bool same)
{
    for (size_t i = 0; i < of->count; i++) {
        tacit__lookup_group *group = tacit__lookup_find(list, of->members[i].class_index);
        if (!group)
            continue;
        if (group->rows == 0)
            group->rows = rows_of(with, list, group);
        alpha[of->members[i].item] += group->rows;
        group->pending += of->members[i].rows;
    }
    for (size_t i = 0; i < of->count; i++) {
        tacit__lookup_group *group = tacit__lookup_find(list, of->members[i].class_index);
        if (!group || (group->pending == 0 && group->rows == 0))
            continue;
        for (uint32_t m = group->first; !same && m != TACIT__NONE; m = list->next[m])
            alpha[with->members[m].item] += group->pending;
        group->rows = group->pending = 0;
    }
}

/* The same item by item. */
static void count_pairs(int64_t *alpha, const tacit__kinds *kinds, const tacit__kind *of,
                        const tacit__kind *with, bool same)
{
    size_t words = (size_t)kinds->packed->words;
    uint64_t sieve[TACIT__PACKED_WORDS];
    for (size_t w = 0; w < words; w++)
        sieve[w] = of->sieve[w] & with->sieve[w];
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < with->count; j++) {
            if (!tacit__packed_agree(of->bits + i * words, with->bits + j * words, sieve,
                                     (int32_t)words))
                continue;
            alpha[of->members[i].item] += with->members[j].rows;
            if (!same)
                alpha[with->members[j].item] += of->members[i].rows;
        }
}

static tacit_status count_two(int64_t *alpha, tacit__kinds *kinds, uint32_t a, uint32_t b,
                              tacit_error *err)
{
    uint32_t smaller = kinds->kinds[a].count < kinds->kinds[b].count ? a : b;
    uint32_t larger = smaller == a ? b : a;
    const tacit__kind *of = &kinds->kinds[smaller], *with = &kinds->kinds[larger];
    uint32_t times = of->count < UINT32_MAX ? (uint32_t)of->count : UINT32_MAX;
    tacit__lookup *list;
    tacit_status status = kinds_list(&list, kinds, larger, ~(of->mask | with->mask), times, err);
    if (status != TACIT_OK)
        return status;
    if (list)
        count_listed(alpha, of, list, with, a == b);
    else
        count_pairs(alpha, kinds, of, with, a == b);
    return TACIT_OK;
}

static tacit_status count_by_sift(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t k = 0; status == TACIT_OK && k < kinds->count; k++) {
        const tacit__kind *kind = &kinds->kinds[k];
        for (size_t i = 0; status == TACIT_OK && i < kind->count; i++) {
            const tacit__member *member = &kind->members[i];
            if (i % 256 == 0)
                status = tacit__progress(run, "agreement", k, (int64_t)kinds->count, err);
            if (status == TACIT_OK)
                status = tacit__kinds_look(kinds, member->class_index, kind->mask, err);
            for (int64_t f = 0; status == TACIT_OK && f < kinds->found_count; f++) {
                const struct tacit__where *where = &kinds->where[kinds->found[f]];
                alpha[member->item] += kinds->kinds[where->kind].members[where->place].rows;
            }
        }
    }
    return status;
}

tacit_status tacit__kinds_count(int64_t *alpha, tacit__kinds *kinds, const tacit_run *run,
                                tacit_error *err)
{
    bool sifts;
    tacit_status status = kinds_settle(&sifts, kinds, err);
    for (size_t i = 0; i < kinds->items; i++)
        alpha[i] = 0;
    if (status != TACIT_OK || sifts)
        return status == TACIT_OK ? count_by_sift(alpha, kinds, run, err) : status;
    for (size_t i = 0; kinds->count > 0 && i < kinds->kinds[0].count; i++)
        alpha[i] = kinds->kinds[0].members[i].rows; /* whole rows agree with their like only */
    for (uint32_t a = 1; status == TACIT_OK && a < kinds->count; a++) {
        status = tacit__progress(run, "agreement", a, (int64_t)kinds->count, err);
        for (uint32_t b = 0; status == TACIT_OK && b <= a; b++)
            status = count_two(alpha, kinds, a, b, err);
    }
    return status;
}
