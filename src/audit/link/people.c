/*
 * people.c - linking, person by person: people with several rows in the register, some
 * people counted by themselves, and who the only candidates are.
 *
 * Joined registers may have several rows of one person. All rows are counted first, as if each
 * were somebody; then those who have several go down the tree of classes once more,
 * with all their rows, and where a person comes to a class again, once is taken back. Which
 * classes a person has come to is remembered by a mark for each class and worker.
 *
 * Cost: the classes that those people meet; 4 bytes a class and worker. Names take a bisection for
 * each row of the register.
 */
#include <string.h>

#include "audit/link/link.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { PERSON_BLOCK = 1 << 10 };

static int64_t first_row(const tacit_link_case *c, int64_t person)
{
    int64_t from = 0, to = c->rows;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (c->person[middle] < person)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

tacit__link_rows tacit__link_rows_of(const tacit_link_case *c, int64_t person)
{
    if (!c->person)
        return (tacit__link_rows){person, person + 1};
    tacit__link_rows rows = {first_row(c, person), 0};
    for (rows.to = rows.from; rows.to < c->rows && c->person[rows.to] == person;)
        rows.to++;
    return rows;
}

/* ---- people going down ---- */

/* Some people, and what is counted of them. */
typedef struct walkers {
    tacit__linking *l;
    const uint32_t *persons;
    int64_t count;
    bool takes_back; /* what was counted twice; otherwise counts everybody once */
    uint32_t *changes;
    uint64_t *sums;
    uint32_t *stamps; /* a worker and class each: who was there last, counting from 1 */
} walkers;

/* One of them on his way. */
typedef struct visitor {
    const walkers *of;
    uint32_t *stamps;
    uint32_t person;
    bool single; /* with one row, who comes to no class twice */
    uint32_t records;
} visitor;

static void change(const walkers *crowd, int64_t from, int64_t to, int sign, int64_t number)
{
    uint32_t people = (uint32_t)sign;
    uint64_t sum = (uint64_t)(sign * number);
    __atomic_fetch_add(&crowd->changes[from], people, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&crowd->changes[to], people, __ATOMIC_RELAXED);
    __atomic_fetch_add(&crowd->sums[from], sum, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&crowd->sums[to], sum, __ATOMIC_RELAXED);
}

/* number: of the bundle that is taken back, or of the person who is counted. */
static void visit(void *context, int64_t number, int64_t from, int64_t to)
{
    visitor *v = context;
    if (v->single) {
        v->records += v->of->l->before[to] - v->of->l->before[from];
        if (!v->of->takes_back)
            change(v->of, from, to, 1, number);
        return;
    }
    for (int64_t class = from; class < to; class ++) {
        bool again = v->stamps[class] == v->person + 1;
        v->stamps[class] = v->person + 1;
        v->records += again ? 0 : v->of->l->link->sizes[class];
        if (again == v->of->takes_back)
            change(v->of, class, class + 1, again ? -1 : 1, number);
    }
}

static void send_person(const walkers *crowd, visitor *v, const tacit__descent *d)
{
    tacit__linking *l = crowd->l;
    tacit__link_rows rows = tacit__link_rows_of(l->c, v->person);
    v->single = rows.to - rows.from == 1;
    v->records = 0;
    for (int64_t row = rows.from; row < rows.to; row++) {
        uint32_t codes[TACIT_MAX_LINK_COLUMNS];
        for (int32_t at = 0; at < l->depth; at++)
            codes[at] = l->marks[l->order[at]]
                            .of_code[tacit_codes_at(l->c->columns[l->order[at]].known, row)];
        int64_t number = crowd->takes_back ? tacit__bundle_of(&l->people, row) : v->person;
        tacit__descend_with(d, codes, number, v);
    }
    if (crowd->takes_back)
        l->could_of[v->person] = v->records;
}

static tacit_status send_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    const walkers *crowd = context;
    tacit__descent d = {NULL, &crowd->l->class_tree, .meet = visit};
    for (int32_t at = 0; at < crowd->l->depth; at++)
        d.meets[at] = &crowd->l->meets[at];
    visitor v = {.of = crowd, .stamps = crowd->stamps + worker * crowd->l->classes.count};
    int64_t end = (block + 1) * PERSON_BLOCK;
    for (int64_t i = block * PERSON_BLOCK; i < end && i < crowd->count; i++) {
        v.person = crowd->persons[i];
        send_person(crowd, &v, &d);
    }
    return TACIT_OK;
}

static tacit_status send(walkers *crowd, tacit_error *err)
{
    const tacit__linking *l = crowd->l;
    crowd->stamps = tacit__alloc_zeroed((size_t)l->classes.count * (size_t)tacit__threads(l->run),
                                        sizeof *crowd->stamps);
    if (!crowd->stamps)
        return tacit__nomem(err);
    int64_t blocks = (crowd->count + PERSON_BLOCK - 1) / PERSON_BLOCK;
    tacit_status status = tacit__parallel(l->run, "linking", blocks, send_block, crowd, err);
    tacit__free(crowd->stamps);
    return status;
}

tacit_status tacit__link_count(uint32_t *changes, uint64_t *sums, tacit__linking *l,
                               const uint32_t *persons, int64_t count, tacit_error *err)
{
    walkers all = {.l = l, .persons = persons, .count = count, .changes = changes, .sums = sums};
    return send(&all, err);
}

/* ---- people with several rows ---- */

static tacit_status single_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    tacit__linking *l = context;
    int64_t end = tacit__block_end(block, l->c->rows);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        bool alone = (row == 0 || l->c->person[row - 1] != l->c->person[row]) &&
                     (row + 1 == l->c->rows || l->c->person[row + 1] != l->c->person[row]);
        if (alone)
            l->could_of[l->c->person[row]] = l->could_be[tacit__bundle_of(&l->people, row)];
    }
    return TACIT_OK;
}

/* Those with several rows, ascending; persons has room for half the rows. */
static int64_t list_several(uint32_t *persons, const tacit_link_case *c)
{
    int64_t count = 0;
    for (int64_t row = 1; row < c->rows; row++)
        if (c->person[row] == c->person[row - 1] &&
            (count == 0 || persons[count - 1] != c->person[row]))
            persons[count++] = c->person[row];
    return count;
}

tacit_status tacit__link_repeats(tacit__linking *l, tacit_error *err)
{
    uint32_t *persons = tacit__alloc_array((size_t)l->c->rows / 2, sizeof *persons);
    l->could_of = tacit__alloc_zeroed((size_t)l->c->people, sizeof *l->could_of);
    tacit_status status = persons && l->could_of ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(l->run, "linking", tacit__blocks(l->c->rows), single_block, l, err);
    if (status == TACIT_OK) {
        walkers several = {.l = l, .persons = persons, .takes_back = true};
        several.count = list_several(persons, l->c);
        several.changes = l->changes;
        several.sums = l->sums;
        status = send(&several, err);
    }
    tacit__free(persons);
    return status;
}

/* ---- names ---- */

typedef struct naming {
    tacit__linking *l;
    uint64_t *wanted; /* a bit a bundle */
    uint32_t *row_of; /* a bundle each: the first row of the register that is in it */
} naming;

static tacit_status name_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const naming *n = context;
    int64_t end = tacit__block_end(block, n->l->c->rows);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        int64_t bundle = tacit__bundle_of(&n->l->people, row);
        if (!tacit__bit_get(n->wanted, bundle))
            continue;
        uint32_t had = __atomic_load_n(&n->row_of[bundle], __ATOMIC_RELAXED);
        while (had > (uint32_t)row &&
               !__atomic_compare_exchange_n(&n->row_of[bundle], &had, (uint32_t)row, true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
    }
    return TACIT_OK;
}

static tacit_status find_rows(naming *n, tacit_error *err)
{
    const tacit__linking *l = n->l;
    size_t bundles = (size_t)l->people.count;
    n->wanted = tacit__alloc_zeroed(tacit__bitset_words(l->people.count), sizeof *n->wanted);
    n->row_of = tacit__alloc_array(bundles, sizeof *n->row_of);
    if (!n->wanted || !n->row_of)
        return tacit__nomem(err);
    memset(n->row_of, 0xff, bundles * sizeof *n->row_of);
    for (int64_t class = 0; class < l->classes.count; class ++)
        if (l->link->maps_to[class] == 1)
            tacit__bit_set(n->wanted, (int64_t)l->sums[class]);
    return tacit__parallel(l->run, "linking", tacit__blocks(l->c->rows), name_block, n, err);
}

tacit_status tacit__link_names(tacit__linking *l, tacit_error *err)
{
    naming n = {.l = l};
    tacit_link *link = l->link;
    link->only = tacit__alloc_array((size_t)l->classes.count, sizeof *link->only);
    tacit_status status = link->only ? find_rows(&n, err) : tacit__nomem(err);
    for (int64_t class = 0; class < l->classes.count && status == TACIT_OK; class ++) {
        uint32_t row = link->maps_to[class] == 1 ? n.row_of[l->sums[class]] : TACIT_LINK_NOBODY;
        link->only[class] = row != TACIT_LINK_NOBODY && l->c->person ? l->c->person[row] : row;
    }
    tacit__free(n.wanted);
    tacit__free(n.row_of);
    return status;
}
