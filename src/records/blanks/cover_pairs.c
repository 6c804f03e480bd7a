/*
 * cover_pairs.c - rows whose boxes all hold fewer than k rows: they agree with rows that are blank
 * where they are not.
 *
 * Within limits no box of such a row has k rows, so it gets blanks of its own and the rows nearest
 * to it get the others: m_ij is shared between both. Its blanks are grown column by column, to
 * where they and those of the nearest k - 1 rows together cost least. Rows only ever get more
 * blanks here, so what agreed before does after. A row costs a look at every class, and one at the
 * nearest for each column of each step.
 *
 * Where rows times classes are too many, only candidates are looked at, and fewer of them the more
 * rows there are; all classes where these do not do, as long as that is not too much either.
 * Candidates: classes are put in order by their values, several times, each time with the columns
 * in another sequence. Classes that differ in few columns have the first ones in common in some of
 * the orders, and stand close to each other there. So those that stand next to a class in any order
 * are its candidates; what is nearer than they may be missed, but mostly is not where rows come in
 * clusters. Sequences are by a hash of their number: nothing depends on chance. Costs some sorts of
 * the classes, 8 bytes a class and order; a look costs a comparison for each candidate, of which
 * there are at most ORDERS * 2 * WINDOW.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/cover.h"

/* ---- candidates ---- */

enum {
    ORDERS = 16,
    WINDOW = 16,          /* candidates on either side */
    MAX_PLACES = 1 << 22, /* of all orders together, but for one */
    MAX_BITS = 8          /* of a value; others share */
};

/* A class by its first values in a sequence of columns. */
typedef struct placed {
    uint64_t key;
    uint32_t class_index;
} placed;

static int by_key(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

static int bits_of(uint32_t domain)
{
    int bits = domain > 1 ? 32 - __builtin_clz(domain - 1) : 0;
    return bits < MAX_BITS ? bits : MAX_BITS;
}

static uint64_t short_value(uint32_t code, int bits)
{
    uint64_t value = code >> bits ? tacit__mix(code) : code;
    return value & ((UINT64_C(1) << bits) - 1);
}

/* A sequence of the columns, as it comes from its number. */
static void shuffle(int32_t *columns, int32_t count, uint64_t number)
{
    for (int32_t c = 0; c < count; c++) {
        int32_t at = (int32_t)(tacit__mix(number * 64 + (uint64_t)c + 1) % (uint64_t)(c + 1));
        columns[c] = columns[at];
        columns[at] = c;
    }
}

static uint64_t key_of(const tacit__tableau *t, const int32_t *columns, int64_t class_index)
{
    const uint32_t *codes = tacit__tableau_codes(t, class_index);
    uint64_t key = 0;
    int used = 0;
    for (int32_t i = 0; i < t->columns; i++) {
        int bits = bits_of(t->domain[columns[i]]);
        if (used + bits > 64)
            break;
        key = key << bits | short_value(codes[columns[i]], bits);
        used += bits;
    }
    return key;
}

static void make_order(tacit__blanks_near *near, placed *places, int32_t number)
{
    const tacit__tableau *t = near->tableau;
    int32_t columns[64];
    uint32_t *order = near->order + (size_t)number * (size_t)t->classes;
    uint32_t *rank = near->rank + (size_t)number * (size_t)t->classes;
    shuffle(columns, t->columns, (uint64_t)number);
    for (int64_t i = 0; i < t->classes; i++)
        places[i] = (placed){key_of(t, columns, i), (uint32_t)i};
    qsort(places, (size_t)t->classes, sizeof *places, by_key);
    for (int64_t i = 0; i < t->classes; i++) {
        order[i] = places[i].class_index;
        rank[places[i].class_index] = (uint32_t)i;
    }
}

/* A byte a column, where they suffice; comparing rows is mostly fetching them. */
static tacit_status make_bytes(tacit__blanks_near *near, tacit_error *err)
{
    const tacit__tableau *t = near->tableau;
    for (int32_t c = 0; c < t->columns; c++)
        if (t->domain[c] > 256)
            return TACIT_OK;
    near->words = (t->columns + 7) / 8;
    near->bytes =
        tacit__alloc_zeroed((size_t)t->classes, (size_t)near->words * sizeof *near->bytes);
    if (!near->bytes)
        return tacit__nomem(err);
    for (int64_t i = 0; i < t->classes; i++)
        for (int32_t c = 0; c < t->columns; c++)
            near->bytes[i * near->words + c / 8] |= (uint64_t)tacit__tableau_codes(t, i)[c]
                                                    << 8 * (c % 8);
    return TACIT_OK;
}

tacit_status tacit__near_init(tacit__blanks_near *near, const tacit__tableau *tableau,
                              const tacit_run *run, tacit_error *err)
{
    size_t classes = (size_t)tableau->classes, orders = MAX_PLACES / classes;
    orders = orders < 1 ? 1 : orders > ORDERS ? ORDERS : orders;
    *near = (tacit__blanks_near){.tableau = tableau, .orders = (int32_t)orders, .of = TACIT__NONE};
    near->order = tacit__alloc_array(classes, orders * sizeof *near->order);
    near->rank = tacit__alloc_array(classes, orders * sizeof *near->rank);
    near->asked = tacit__alloc_array(classes, sizeof *near->asked);
    near->found = tacit__alloc_array(orders * 2 * WINDOW, sizeof *near->found);
    placed *places = tacit__alloc_array(classes, sizeof *places);
    tacit_status status = near->order && near->rank && near->asked && near->found && places
                              ? TACIT_OK
                              : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < classes; i++)
        near->asked[i] = TACIT__NONE;
    for (int32_t i = 0; status == TACIT_OK && i < near->orders; i++) {
        status = tacit__progress(run, "ordering rows", i, near->orders, err);
        if (status == TACIT_OK)
            make_order(near, places, i);
    }
    tacit__free(places);
    if (status == TACIT_OK)
        status = make_bytes(near, err);
    if (status != TACIT_OK)
        tacit__near_clear(near);
    return status;
}

void tacit__near_clear(tacit__blanks_near *near)
{
    tacit__free(near->order);
    tacit__free(near->rank);
    tacit__free(near->asked);
    tacit__free(near->found);
    tacit__free(near->bytes);
    *near = (tacit__blanks_near){0};
}

/* The bytes of a word that are not 0, a bit each. */
static uint64_t set_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t high = (((word & low) + low) | word) & ~low;
    return (high >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t differ(const tacit__blanks_near *near, uint32_t a, uint32_t b)
{
    if (!near->bytes)
        return tacit__tableau_differ(near->tableau, a, b);
    const uint64_t *x = near->bytes + (int64_t)a * near->words;
    const uint64_t *y = near->bytes + (int64_t)b * near->words;
    uint64_t columns = 0;
    for (int32_t w = 0; w < near->words; w++)
        columns |= set_bytes(x[w] ^ y[w]) << 8 * w;
    return columns;
}

static void take_near(tacit__blanks_near *near, uint32_t class_index, uint32_t other)
{
    if (near->asked[other] == class_index)
        return;
    near->asked[other] = class_index;
    near->found[near->count++] =
        (tacit__near_class){.class_index = other, .differ = differ(near, class_index, other)};
}

void tacit__near_find(tacit__blanks_near *near, uint32_t class_index)
{
    int64_t classes = near->tableau->classes;
    if (near->of == class_index)
        return;
    near->of = class_index;
    near->count = 0;
    near->asked[class_index] = class_index;
    for (int32_t o = 0; o < near->orders; o++) {
        const uint32_t *order = near->order + (size_t)o * (size_t)classes;
        int64_t at = near->rank[(size_t)o * (size_t)classes + class_index];
        int64_t from = at < WINDOW ? 0 : at - WINDOW;
        int64_t to = at + WINDOW < classes ? at + WINDOW : classes - 1;
        for (int64_t i = from; i <= to; i++)
            take_near(near, class_index, order[i]);
    }
}

/* ---- pairs ---- */

/* Where more rows are near than this, those farther away are not looked at, unless it takes
 * them. */
enum {
    NEAR_ROWS = 1024,
    LEAST_NEAR = 48,
    NEAR_TIMES = 4,
    PATIENCE = 3,          /* columns that make it dearer, where rows are many */
    MAX_COMPARED = 1 << 26 /* rows times classes */
};
#define MAX_WEIGHED (INT64_C(1) << 32) /* rows times suppliers, for each column of each step */
#define MAX_SCANNED (INT64_C(1) << 34) /* cells of rows that are compared with all classes */

/* Rows of a class that may agree with the row in hand. */
typedef struct supplier {
    uint32_t class_index;
    uint32_t donor; /* the row, or TACIT__NONE: those without blanks */
    int64_t rows;
    uint64_t mask;
    uint64_t differ; /* columns in which it differs and has a value */
} supplier;

typedef struct pairs {
    tacit__covering *cover;
    uint32_t *head; /* a class each: its donors */
    uint32_t *next; /* a donor each */
    size_t next_capacity;
    uint32_t linked; /* donors that are in those lists */
    supplier *suppliers;
    size_t supplier_count, supplier_capacity;
    bool near;                   /* only the nearest are looked at */
    bool many;                   /* there are many rows in hand: less can be tried for each */
    int64_t near_rows;           /* and so many suppliers looked at */
    tacit__covering_queue picks; /* suppliers to be given blanks, by cost */
    int64_t over;                /* rows of the dearest of them that are too many */
} pairs;

/* Rows in hand: of a class, with the same blanks. */
typedef struct seeker {
    uint32_t class_index;
    uint32_t donor; /* the row, or TACIT__NONE: those without blanks */
    int64_t rows;
    uint64_t mask;
} seeker;

/* What blanks for a seeker come to. */
typedef struct mask_offer {
    uint64_t mask;
    int64_t lack; /* rows that are missing still */
    double cost;
} mask_offer;

static void link_donors(pairs *p)
{
    tacit__covering *cover = p->cover;
    cover->failed |= !TACIT__RESERVE(p->next, p->next_capacity, cover->donor_count);
    for (; !cover->failed && p->linked < cover->donor_count; p->linked++) {
        uint32_t *head = &p->head[cover->donors[p->linked].class_index];
        p->next[p->linked] = *head;
        *head = p->linked;
    }
}

static void add_supplier(pairs *p, supplier s)
{
    p->cover->failed |= !TACIT__PUSH(p->suppliers, p->supplier_capacity, p->supplier_count, s);
}

/* Leaves only the nearest suppliers, of many more rows than are asked for. */
static void keep_nearest(pairs *p)
{
    int64_t rows[65] = {0}, enough = p->near_rows + NEAR_TIMES * p->cover->tableau->k;
    size_t kept = 0;
    int most = 0;
    for (size_t i = 0; i < p->supplier_count; i++)
        rows[__builtin_popcountll(p->suppliers[i].differ)] += p->suppliers[i].rows;
    for (int64_t sum = rows[0]; sum < enough && most < 64; sum += rows[++most])
        ;
    for (size_t i = 0; i < p->supplier_count; i++)
        if (__builtin_popcountll(p->suppliers[i].differ) <= most)
            p->suppliers[kept++] = p->suppliers[i];
    p->supplier_count = kept;
}

/* The rows of a class that blanks of both, within limits, can make agree. */
static void add_suppliers(pairs *p, uint32_t j, uint64_t differ)
{
    const tacit__covering *cover = p->cover;
    const tacit__tableau *t = cover->tableau;
    if (!differ || __builtin_popcountll(differ) > 2 * t->most_row)
        return;
    supplier s = {.class_index = j,
                  .donor = TACIT__NONE,
                  .rows = t->counts[j] - cover->taken[j],
                  .differ = differ};
    if (s.rows > 0)
        add_supplier(p, s);
    for (uint32_t d = p->head[j]; d != TACIT__NONE; d = p->next[d]) {
        uint64_t mask = cover->donors[d].mask;
        s = (supplier){
            .class_index = j, .donor = d, .rows = 1, .mask = mask, .differ = differ & ~mask};
        if (mask)
            add_supplier(p, s);
    }
}

static void find_suppliers(pairs *p, uint32_t class_index)
{
    tacit__covering *cover = p->cover;
    const tacit__tableau *t = cover->tableau;
    link_donors(p);
    p->supplier_count = 0;
    if (p->near && cover->near.tableau) {
        tacit__near_find(&cover->near, class_index);
        for (size_t i = 0; i < cover->near.count; i++)
            add_suppliers(p, cover->near.found[i].class_index, cover->near.found[i].differ);
    } else {
        for (uint32_t j = 0; j < t->classes; j++)
            add_suppliers(p, j, tacit__tableau_differ(t, class_index, j));
        cover->work += t->classes;
        cover->scans--;
    }
    if (p->near)
        keep_nearest(p);
}

/* Takes a supplier among the cheapest `lack` rows. */
static void take_supplier(pairs *p, int64_t *taken, int64_t lack, uint32_t index, double cost)
{
    tacit__covering_queue *picks = &p->picks;
    tacit__covering_push(picks, p->cover, (tacit__blanks_offer){.score = cost, .box = index});
    if (p->cover->failed)
        return;
    *taken += p->suppliers[index].rows;
    while (*taken - p->suppliers[picks->offers[0].box].rows >= lack)
        *taken -= p->suppliers[tacit__covering_pop(picks).box].rows;
}

/* Rows that agree with a seeker as they are. */
static int64_t agreeing(const pairs *p, const seeker *s, uint64_t mask)
{
    int64_t rows = p->cover->tableau->counts[s->class_index];
    for (size_t i = 0; i < p->supplier_count; i++)
        if (!(p->suppliers[i].differ & ~mask))
            rows += p->suppliers[i].rows;
    return rows;
}

/* Rows of a pick, of which the dearest is the first. */
static int64_t picked_rows(const pairs *p, size_t pick)
{
    return p->suppliers[p->picks.offers[pick].box].rows - (pick == 0 ? p->over : 0);
}

/* What it costs to give a seeker a mask; the rows that get blanks then are the picks. */
static mask_offer evaluate(pairs *p, const seeker *s, uint64_t mask)
{
    const tacit__tableau *t = p->cover->tableau;
    int64_t lack = t->k - agreeing(p, s, mask), taken = 0;
    p->picks.count = 0;
    p->cover->work += (int64_t)p->supplier_count;
    for (size_t i = 0; lack > 0 && i < p->supplier_count; i++) {
        const supplier *one = &p->suppliers[i];
        uint64_t added = one->differ & ~mask;
        double cost =
            t->unit ? __builtin_popcountll(added) : tacit__tableau_cost(t, one->class_index, added);
        bool dear = taken >= lack && p->picks.offers[0].score <= cost;
        if (added && !dear && tacit__covering_allows(p->cover, one->mask | added, added))
            take_supplier(p, &taken, lack, (uint32_t)i, cost);
    }
    p->over = lack > 0 && taken > lack ? taken - lack : 0;
    mask_offer offer = {.mask = mask, .lack = lack > taken ? lack - taken : 0};
    offer.cost = (double)s->rows * tacit__tableau_cost(t, s->class_index, mask & ~s->mask);
    for (size_t i = 0; i < p->picks.count; i++)
        offer.cost += (double)picked_rows(p, i) * p->picks.offers[i].score;
    return offer;
}

static bool better(const mask_offer *a, const mask_offer *b)
{
    return a->lack < b->lack || (a->lack == b->lack && a->cost < b->cost);
}

/* Whether a seeker's rows may all have the mask. */
static bool may_have(const tacit__covering *cover, const seeker *s, uint64_t mask)
{
    if (__builtin_popcountll(mask) > cover->tableau->most_row)
        return false;
    for (uint64_t added = mask & ~s->mask; added; added &= added - 1)
        if (cover->used[__builtin_ctzll(added)] + s->rows > cover->tableau->most_column)
            return false;
    return true;
}

/* The best column to add to a mask; out->mask stays where there is none. */
/* The best column to add to a mask; the offer has the mask itself where there is none. */
static mask_offer add_column(pairs *p, const seeker *s, uint64_t mask)
{
    uint64_t useful = p->many ? 0 : UINT64_MAX;
    mask_offer best = {.mask = mask, .lack = INT64_MAX};
    for (size_t i = 0; p->many && i < p->supplier_count; i++)
        useful |= p->suppliers[i].differ;
    for (int32_t c = 0; c < p->cover->tableau->columns; c++) {
        uint64_t wider = mask | UINT64_C(1) << c;
        if (wider == mask || !(useful >> c & 1) || !may_have(p->cover, s, wider))
            continue;
        mask_offer next = evaluate(p, s, wider);
        if (better(&next, &best))
            best = next;
    }
    return best;
}

/* Grows a mask by the best column each time; where that does not suffice, tries all sets. */
static mask_offer choose_mask(pairs *p, const seeker *s)
{
    const tacit__covering *cover = p->cover;
    mask_offer best = evaluate(p, s, s->mask);
    int dearer = 0;
    for (uint64_t mask = s->mask; dearer < PATIENCE;) {
        mask_offer next = add_column(p, s, mask);
        if (next.mask == mask)
            break;
        mask = next.mask;
        dearer = p->many && best.lack == 0 ? dearer + 1 : 0;
        if (!better(&next, &best))
            continue;
        best = next;
        dearer = 0;
    }
    for (uint32_t i = 0; best.lack > 0 && i < cover->sets; i++) {
        if ((s->mask & ~cover->masks[i]) || !may_have(cover, s, cover->masks[i]))
            continue;
        mask_offer next = evaluate(p, s, cover->masks[i]);
        if (better(&next, &best))
            best = next;
    }
    return best;
}

/* Gives the seeker its mask; seekers that had no blanks are donors then. */
static void blank_seeker(pairs *p, seeker *s, uint64_t mask)
{
    if (mask == s->mask)
        return;
    if (s->donor != TACIT__NONE)
        tacit__covering_change(p->cover, s->donor, mask);
    for (int64_t i = 0; s->donor == TACIT__NONE && i < s->rows; i++)
        tacit__covering_add(p->cover, s->class_index, TACIT__NONE, mask);
    s->mask = mask;
}

/* Gives the picks their blanks, as far as columns still let them. */
static void blank_picks(pairs *p, uint64_t mask)
{
    for (size_t i = 0; i < p->picks.count; i++) {
        const supplier *one = &p->suppliers[p->picks.offers[i].box];
        uint64_t added = one->differ & ~mask;
        for (int64_t row = 0;
             row < picked_rows(p, i) && tacit__covering_allows(p->cover, one->mask | added, added);
             row++)
            if (one->donor != TACIT__NONE)
                tacit__covering_change(p->cover, one->donor, one->mask | added);
            else
                tacit__covering_add(p->cover, one->class_index, TACIT__NONE, added);
    }
}

static tacit_status refuse(const pairs *p, tacit_error *err)
{
    const tacit__tableau *t = p->cover->tableau;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "no blanks were found that let every row agree with %lld others within "
                        "%d blanks a row and %lld a column; allow more, or ask for a smaller k",
                        (long long)t->k - 1, (int)t->most_row, (long long)t->most_column);
}

/* Several times, since blanks of one row may use up a column that others were to have. */
/* Several times, since blanks of one row may use up a column that others were to have; rows that
 * got blanks together a moment ago keep them. */
static tacit_status satisfy(pairs *p, seeker s, tacit_error *err)
{
    p->near = true;
    for (int64_t before = INT64_MAX;;) {
        find_suppliers(p, s.class_index);
        int64_t lack = p->cover->tableau->k - agreeing(p, &s, s.mask);
        if (lack <= 0 || p->cover->failed)
            return p->cover->failed ? tacit__nomem(err) : TACIT_OK;
        bool kept = s.donor == TACIT__NONE && s.mask;
        mask_offer best = kept ? evaluate(p, &s, s.mask) : choose_mask(p, &s);
        if (!p->cover->failed && (best.lack > 0 || lack >= before)) {
            if (!p->near || p->cover->scans <= 0)
                return refuse(p, err);
            p->near = false;
            continue;
        }
        before = lack;
        blank_seeker(p, &s, best.mask);
        evaluate(p, &s, s.mask);
        blank_picks(p, s.mask);
    }
}

/* All rows of a class: those without blanks together, the others one by one. */
static tacit_status satisfy_class(pairs *p, uint32_t need, tacit_error *err)
{
    tacit__covering *cover = p->cover;
    seeker s = {.class_index = cover->class_of[need], .donor = TACIT__NONE};
    tacit_status status = TACIT_OK;
    link_donors(p);
    for (uint32_t d = p->head[s.class_index]; status == TACIT_OK && d != TACIT__NONE;
         d = p->next[d]) {
        seeker row = {.class_index = s.class_index, .donor = d, .rows = 1};
        row.mask = cover->donors[d].mask;
        if (row.mask)
            status = satisfy(p, row, err);
    }
    s.rows = cover->fresh[need];
    return status == TACIT_OK && s.rows > 0 ? satisfy(p, s, err) : status;
}

/* Rows, up to k, that differ from a class in so many columns at most. */
static int64_t rows_within(tacit__covering *cover, uint32_t class_index, int32_t most)
{
    const tacit__tableau *t = cover->tableau;
    int64_t rows = t->counts[class_index];
    if (cover->near.tableau) {
        tacit__near_find(&cover->near, class_index);
        for (size_t i = 0; i < cover->near.count && rows < t->k; i++)
            if (__builtin_popcountll(cover->near.found[i].differ) <= most)
                rows += t->counts[cover->near.found[i].class_index];
        if (rows >= t->k || cover->scans-- <= 0)
            return t->k; /* or nobody knows */
    }
    rows = 0;
    for (int64_t j = 0; j < t->classes && rows < t->k; j++)
        if (__builtin_popcountll(tacit__tableau_differ(t, class_index, j)) <= most)
            rows += t->counts[j];
    return rows;
}

/* Candidates where not all rows can be compared with all classes. */
static tacit_status find_near(tacit__covering *cover, uint32_t count, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    cover->scans = MAX_SCANNED / t->columns / t->classes + 1;
    if (count <= MAX_COMPARED / t->classes)
        return TACIT_OK;
    return tacit__near_init(&cover->near, t, cover->run, err);
}

/* Blanks of two rows make them agree where they differ in at most twice as many columns as a
 * row may have blanks. */
tacit_status tacit__covering_reach(tacit__covering *cover, const uint32_t *needs, uint32_t count,
                                   tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    int32_t most = 2 * t->most_row;
    tacit_status status = find_near(cover, count, err);
    for (uint32_t i = 0; status == TACIT_OK && most < t->columns && i < count; i++) {
        int64_t rows = rows_within(cover, cover->class_of[needs[i]], most);
        if (rows < t->k)
            return tacit__error(
                err, TACIT_INFEASIBLE,
                "a row differs from all but %lld others in more than %d columns, so "
                "%d blanks a row are too few for k = %lld; allow more",
                (long long)rows - 1, (int)most, (int)t->most_row, (long long)t->k);
        status = tacit__progress(cover->run, "looking for near rows", i, count, err);
    }
    return status;
}

/* How much can be tried for each of so many rows. */
static void ration(pairs *p, uint32_t count)
{
    int64_t each = MAX_WEIGHED / p->cover->tableau->columns / p->cover->tableau->columns / count;
    p->many = p->cover->near.tableau != NULL;
    p->near_rows = !p->many || each > NEAR_ROWS ? NEAR_ROWS : each < LEAST_NEAR ? LEAST_NEAR : each;
}

tacit_status tacit__covering_pairs(tacit__covering *cover, const uint32_t *needs, uint32_t count,
                                   bool ask, tacit_error *err)
{
    size_t classes = (size_t)cover->tableau->classes;
    pairs p = {.cover = cover, .head = tacit__alloc_array(classes, sizeof *p.head)};
    tacit_status status = p.head ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < classes; i++)
        p.head[i] = TACIT__NONE;
    cover->free_count = 0; /* a new donor is a new place, which no list has yet */
    cover->pairing = true;
    ration(&p, count);
    for (uint32_t i = 0; status == TACIT_OK && i < count; i++) {
        if (ask)
            status = tacit__progress(cover->run, "pairing rows", i, count, err);
        if (status == TACIT_OK)
            status = satisfy_class(&p, needs[i], err);
    }
    tacit__free(p.head);
    tacit__free(p.next);
    tacit__free(p.suppliers);
    tacit__free(p.picks.offers);
    return status;
}
