/*
 * link.c - linking a release to a register: how many people each record maps to, and how many
 * records each person could be.
 *
 * Records that agree in all columns are a class, people whom the release cannot tell apart a
 * bundle. Both are trees, gone through together (trees.c); a bundle
 * that meets a stretch of classes is counted at the stretch's ends, and sums along the classes give
 * the counts. The same is done with the numbers of bundles: where a class maps to one
 * person, their sum is his.
 *
 * Cost: a sort of each file's rows and the way down; 16 bytes a row of the register while
 * it is sorted, then 16 a bundle and what its tree takes, 28 a class. Counts are whole
 * numbers, added in any order, so that they do not depend on threads.
 */
#include "audit/link/link.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

static inline int64_t bundle_of(const tacit__bundles *bundles, int64_t row)
{
    return tacit__sorter_place(&bundles->keys.sorter, tacit__keys_of_row(&bundles->keys, row));
}

typedef struct linking {
    const tacit_link_case *c;
    const tacit_run *run;
    tacit_link *link;
    int32_t depth;
    int32_t order[TACIT_MAX_LINK_COLUMNS];           /* depth -> column */
    tacit__link_marks marks[TACIT_MAX_LINK_COLUMNS]; /* by column */
    tacit__meets meets[TACIT_MAX_LINK_COLUMNS];      /* by depth */
    tacit__bundles classes, people;
    tacit__code_tree class_tree, people_tree;
    uint32_t *before;   /* a class each, and one more: records of the classes before it */
    uint32_t *could_be; /* a bundle of people each: records */
    uint32_t *could_of; /* a person each where people have several rows: records */
    uint32_t *changes;  /* a class each, and one more: people, as differences to the class before */
    uint64_t *sums;     /* the same of the sum of their bundles: who it is where it is one */
} linking;

/* The rows of a person in the register. */
typedef struct link_rows {
    int64_t from, to;
} link_rows;

/* Linking, person by person: people with several rows in the register, some people counted by
 * themselves, and who the only candidates are.
 *
 * Joined registers may have several rows of one person. All rows are counted first, as if each
 * were somebody; then those who have several go down the tree of classes once more, with all their
 * rows, and where a person comes to a class again, once is taken back. Which classes a person has
 * come to is remembered by a mark for each class and worker.
 *
 * Cost: the classes that those people meet; 4 bytes a class and worker. Names take a bisection for
 * each row of the register. */

enum { PERSON_BLOCK = 1 << 10 };

static int64_t first_row(const tacit_link_case *c, int64_t person)
{
    int64_t from = 0, to = c->rows;
    TACIT__BISECT(from, to, middle, c->person[middle] < person);
    return from;
}

static link_rows rows_of(const tacit_link_case *c, int64_t person)
{
    if (!c->person)
        return (link_rows){person, person + 1};
    link_rows rows = {first_row(c, person), 0};
    for (rows.to = rows.from; rows.to < c->rows && c->person[rows.to] == person;)
        rows.to++;
    return rows;
}

/* ---- people going down ---- */

/* Some people, and what is counted of them. */
typedef struct walkers {
    linking *l;
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
    linking *l = crowd->l;
    link_rows rows = rows_of(l->c, v->person);
    v->single = rows.to - rows.from == 1;
    v->records = 0;
    for (int64_t row = rows.from; row < rows.to; row++) {
        uint32_t codes[TACIT_MAX_LINK_COLUMNS];
        for (int32_t at = 0; at < l->depth; at++)
            codes[at] = l->marks[l->order[at]]
                            .of_code[tacit_codes_at(l->c->columns[l->order[at]].known, row)];
        int64_t number = crowd->takes_back ? bundle_of(&l->people, row) : v->person;
        tacit__descend_with(d, codes, number, v);
    }
    if (crowd->takes_back)
        l->could_of[v->person] = v->records;
}

static tacit_status send_people_block(void *context, int64_t block, int worker, tacit_error *err)
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
    const linking *l = crowd->l;
    crowd->stamps = tacit__alloc_zeroed((size_t)l->classes.count * (size_t)tacit__threads(l->run),
                                        sizeof *crowd->stamps);
    if (!crowd->stamps)
        return tacit__nomem(err);
    int64_t blocks = (crowd->count + PERSON_BLOCK - 1) / PERSON_BLOCK;
    tacit_status status = tacit__parallel(l->run, "linking", blocks, send_people_block, crowd, err);
    tacit__free(crowd->stamps);
    return status;
}

/* How many of some people every class maps to, and the sum of their numbers, as differences: both
 * arrays have an entry a class and one more, and start with zeros. */
static tacit_status link_count(uint32_t *changes, uint64_t *sums, linking *l,
                               const uint32_t *persons, int64_t count, tacit_error *err)
{
    walkers all = {.l = l, .persons = persons, .count = count, .changes = changes, .sums = sums};
    return send(&all, err);
}

/* ---- people with several rows ---- */

static tacit_status single_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    linking *l = context;
    int64_t end = tacit__block_end(block, l->c->rows);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        bool alone = (row == 0 || l->c->person[row - 1] != l->c->person[row]) &&
                     (row + 1 == l->c->rows || l->c->person[row + 1] != l->c->person[row]);
        if (alone)
            l->could_of[l->c->person[row]] = l->could_be[bundle_of(&l->people, row)];
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

/* Takes back from the counts that people with several rows were counted for several, and fills in
 * could_of. */
static tacit_status repeats(linking *l, tacit_error *err)
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
    linking *l;
    uint64_t *wanted; /* a bit a bundle */
    uint32_t *row_of; /* a bundle each: the first row of the register that is in it */
} naming;

static tacit_status name_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const naming *n = context;
    int64_t end = tacit__block_end(block, n->l->c->rows);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        int64_t bundle = bundle_of(&n->l->people, row);
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
    const linking *l = n->l;
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

/* Fills in `only`, once maps_to is there and sums are whole. */
static tacit_status link_names(linking *l, tacit_error *err)
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

/* Linking judged by somebody who knows whose records they are.
 *
 * The subjects are counted for each class as all people were, with the sum of their numbers: where
 * a class maps to one subject, that is who. Then every record is looked at once.
 *
 * Cost: the classes that the subjects meet, 12 bytes a class, a bit a person and 4 bytes a
 * subject. */

typedef struct knowing {
    linking *l;
    uint32_t *subjects; /* different people, ascending */
    int64_t count;
    uint32_t *to_subjects; /* a class each, and one more: subjects it maps to */
    uint64_t *sums;        /* the same: who, where it is one */
} knowing;

static tacit_status list_subjects(knowing *n, tacit_error *err)
{
    const tacit_link_case *c = n->l->c;
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(c->people), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t record = 0; record < c->records; record++)
        if (c->truth[record] != TACIT_LINK_NOBODY)
            tacit__bit_set(seen, c->truth[record]);
    int64_t count = tacit__bitset_count(seen, c->people);
    n->subjects = tacit__alloc_array((size_t)count, sizeof *n->subjects);
    for (int64_t person = 0; n->subjects && person < c->people; person++)
        if (tacit__bit_get(seen, person))
            n->subjects[n->count++] = (uint32_t)person;
    tacit__free(seen);
    return n->subjects ? TACIT_OK : tacit__nomem(err);
}

static tacit_status count_subjects(knowing *n, tacit_error *err)
{
    size_t classes = (size_t)n->l->classes.count;
    n->to_subjects = tacit__alloc_zeroed(classes + 1, sizeof *n->to_subjects);
    n->sums = tacit__alloc_zeroed(classes + 1, sizeof *n->sums);
    if (!n->to_subjects || !n->sums)
        return tacit__nomem(err);
    tacit_status status = link_count(n->to_subjects, n->sums, n->l, n->subjects, n->count, err);
    for (size_t class = 1; class < classes && status == TACIT_OK; class ++) {
        n->to_subjects[class] += n->to_subjects[class - 1];
        n->sums[class] += n->sums[class - 1];
    }
    return status;
}

/* Whether a record maps to a person: one of his rows can be it. */
static bool maps_to(const linking *l, int64_t record, int64_t person)
{
    link_rows rows = rows_of(l->c, person);
    bool maps = false;
    for (int64_t row = rows.from; row < rows.to && !maps; row++) {
        maps = true;
        for (int32_t i = 0; i < l->depth && maps; i++) {
            const tacit_link_column *column = &l->c->columns[i];
            uint32_t a = column->released_nodes[tacit_codes_at(column->released, record)];
            uint32_t b = column->known_nodes[tacit_codes_at(column->known, row)];
            maps = (a <= b && b < column->ends[a]) || (b <= a && a < column->ends[b]);
        }
    }
    return maps;
}

/* The records that a person could be. */
static int64_t could_be(const linking *l, int64_t person)
{
    return l->could_of ? l->could_of[person] : l->could_be[bundle_of(&l->people, person)];
}

static void look_at(knowing *n, int64_t record)
{
    const linking *l = n->l;
    tacit_link_truth *truth = &l->link->truth;
    uint32_t class = l->link->class_of[record], own = l->c->truth[record];
    bool known = own != TACIT_LINK_NOBODY, one = n->to_subjects[class] == 1;
    bool only_own = known && one && n->sums[class] == own;
    truth->to_subject += n->to_subjects[class] > 0;
    truth->to_one_subject += one;
    if (!known)
        return;
    truth->records++;
    bool to_own = only_own || maps_to(l, record, own);
    truth->to_own += to_own;
    truth->found += to_own && could_be(l, own) == 1;
    truth->to_wrong_subject += one && !only_own;
    truth->right += l->link->maps_to[class] == 1 && only_own;
    truth->wrong += l->link->maps_to[class] == 1 && !only_own;
}

/* What a truth that leaves records out cannot show stays as it is without one. */
static void judge(tacit_link *link)
{
    const tacit_link_truth *truth = &link->truth;
    bool whole = truth->records == link->records;
    if (truth->to_subject > 0)
        link->null_map = TACIT_LINK_BROKEN;
    else if (whole)
        link->null_map = TACIT_LINK_HOLDS;
    int64_t too_many = truth->to_subject - truth->to_one_subject;
    if (truth->to_own > 0 || too_many > 0 || (whole && truth->to_subject < link->records))
        link->wrong_map = TACIT_LINK_BROKEN;
    else if (whole && link->records > 2)
        link->wrong_map = TACIT_LINK_HOLDS;
}

/* What the truth shows. */
static tacit_status judge_truth(linking *l, tacit_error *err)
{
    knowing n = {.l = l};
    tacit_status status = list_subjects(&n, err);
    if (status == TACIT_OK)
        status = count_subjects(&n, err);
    for (int64_t record = 0; record < l->c->records && status == TACIT_OK; record++) {
        if (record % TACIT__BLOCK == 0)
            status = tacit__progress(l->run, "linking", record, l->c->records, err);
        look_at(&n, record);
    }
    l->link->has_truth = true;
    l->link->truth.subjects = n.count;
    if (status == TACIT_OK)
        judge(l->link);
    tacit__free(n.subjects);
    tacit__free(n.to_subjects);
    tacit__free(n.sums);
    return status;
}

/* ---- columns ---- */

static bool stands_before(const tacit__link_marks *a, const tacit__link_marks *b)
{
    if (a->unknown != b->unknown)
        return b->unknown;
    return a->count < b->count;
}

static void order_columns(linking *l)
{
    for (int32_t column = 0; column < l->depth; column++) {
        int32_t at = column;
        for (; at > 0 && stands_before(&l->marks[column], &l->marks[l->order[at - 1]]); at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = column;
    }
    for (int32_t at = 0; at < l->depth; at++) {
        const tacit__link_marks *marks = &l->marks[l->order[at]];
        l->meets[at] = (tacit__meets){marks->start, marks->list, marks->from, marks->to};
    }
}

static tacit_status mark_columns(linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < l->depth && status == TACIT_OK; i++) {
        status = tacit__link_marks_init(&l->marks[i], &l->c->columns[i], err);
        l->link->agrees |= (uint64_t)l->marks[i].agrees << i;
        l->link->says |= (uint64_t)l->marks[i].says << i;
    }
    if (status == TACIT_OK)
        order_columns(l);
    return status;
}

/* ---- classes and bundles ---- */

static tacit_status bundle_classes(linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    l->classes.keys = (tacit__keys){.rows = l->c->records, .run = l->run, .keeps = true};
    for (int32_t at = 0; at < l->depth && status == TACIT_OK; at++) {
        const tacit_link_column *column = &l->c->columns[l->order[at]];
        status = tacit__keys_add_mapped(&l->classes.keys, column->released, column->released_nodes,
                                        column->nodes - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__bundles_count(&l->classes, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&l->class_tree, l->depth, l->classes.count,
                                       tacit__bundle_codes, &l->classes, l->run, err);
    return status;
}

static tacit_status bundle_people(linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    l->people.keys = (tacit__keys){.rows = l->c->rows, .run = l->run, .keeps = true};
    for (int32_t at = 0; at < l->depth && status == TACIT_OK; at++) {
        const tacit__link_marks *marks = &l->marks[l->order[at]];
        status = tacit__keys_add_mapped(&l->people.keys, l->c->columns[l->order[at]].known,
                                        marks->of_code, marks->count - 1, err);
    }
    if (status == TACIT_OK)
        status = tacit__bundles_count(&l->people, err);
    if (status == TACIT_OK)
        status = tacit__code_tree_init(&l->people_tree, l->depth, l->people.count,
                                       tacit__bundle_codes, &l->people, l->run, err);
    return status;
}

static tacit_status place_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    linking *l = context;
    int64_t end = tacit__block_end(block, l->c->records);
    for (int64_t row = block * TACIT__BLOCK; row < end; row++)
        l->link->class_of[row] = (uint32_t)bundle_of(&l->classes, row);
    return TACIT_OK;
}

/* The class of each record, and the records before each class. */
static tacit_status place_records(linking *l, tacit_error *err)
{
    tacit_link *link = l->link;
    size_t classes = (size_t)l->classes.count;
    link->class_of = tacit__alloc_array((size_t)l->c->records, sizeof *link->class_of);
    link->maps_to = tacit__alloc_array(classes, sizeof *link->maps_to);
    l->before = tacit__alloc_array(classes + 1, sizeof *l->before);
    l->could_be = tacit__alloc_zeroed((size_t)l->people.count, sizeof *l->could_be);
    l->changes = tacit__alloc_zeroed(classes + 1, sizeof *l->changes);
    l->sums = tacit__alloc_zeroed(classes + 1, sizeof *l->sums);
    if (!link->class_of || !link->maps_to || !l->before || !l->could_be || !l->changes || !l->sums)
        return tacit__nomem(err);
    link->sizes = l->classes.sizes;
    link->classes = l->classes.count;
    l->classes.sizes = NULL;
    l->before[0] = 0;
    for (size_t class = 0; class < classes; class ++)
        l->before[class + 1] = l->before[class] + link->sizes[class];
    return tacit__parallel(l->run, "linking", tacit__blocks(l->c->records), place_block, l, err);
}

/* ---- counting ---- */

static void meet_bundles(void *context, int64_t bundle, int64_t from, int64_t to)
{
    linking *l = context;
    uint32_t people = l->people.sizes[bundle];
    uint64_t sum = (uint64_t)bundle * people;
    l->could_be[bundle] += l->before[to] - l->before[from];
    __atomic_fetch_add(&l->changes[from], people, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&l->changes[to], people, __ATOMIC_RELAXED);
    __atomic_fetch_add(&l->sums[from], sum, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&l->sums[to], sum, __ATOMIC_RELAXED);
}

static tacit_status count_people(linking *l, tacit_error *err)
{
    tacit__descent d = {&l->people_tree, &l->class_tree, .meet = meet_bundles, .context = l};
    for (int32_t at = 0; at < l->depth; at++)
        d.meets[at] = &l->meets[at];
    tacit_status status = tacit__descend(&d, "linking", l->run, err);
    if (status == TACIT_OK && l->c->person)
        status = repeats(l, err);
    uint32_t people = 0;
    uint64_t sum = 0;
    for (int64_t class = 0; class < l->classes.count && status == TACIT_OK; class ++) {
        l->link->maps_to[class] = people += l->changes[class];
        l->sums[class] = sum += l->sums[class];
    }
    if (status == TACIT_OK && (l->c->names || l->c->person))
        status = link_names(l, err);
    return status;
}

/* ---- the summary ---- */

static const int64_t BINS[TACIT_LINK_BINS] = {0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, 10000};

int64_t tacit_link_bin_start(int bin)
{
    return BINS[bin];
}

static int bin_of(int64_t count)
{
    int bin = TACIT_LINK_BINS - 1;
    while (BINS[bin] > count)
        bin--;
    return bin;
}

static void sum_up_records(linking *l)
{
    tacit_link *link = l->link;
    for (int64_t class = 0; class < link->classes; class ++) {
        int64_t people = link->maps_to[class], records = link->sizes[class];
        link->records_by_people[bin_of(people)] += records;
        link->records_below += people < l->c->k ? records : 0;
        link->records_one += people == 1 ? records : 0;
        if (class == 0 || people < link->smallest)
            link->smallest = people;
    }
}

/* So many people could be so many records. */
static void add_people(linking *l, int64_t people, int64_t records)
{
    tacit_link *link = l->link;
    link->people_by_records[bin_of(records)] += people;
    link->people_in_one += records == 1 ? people : 0;
    link->people_below += records > 0 && records < l->c->k ? people : 0;
}

static void sum_up_people(linking *l)
{
    for (int64_t person = 0; l->could_of && person < l->c->people; person++)
        add_people(l, 1, l->could_of[person]);
    for (int64_t bundle = 0; !l->could_of && bundle < l->people.count; bundle++)
        add_people(l, l->people.sizes[bundle], l->could_be[bundle]);
}

/* People who are somebody's only candidate: by their bundle, which is theirs alone, unless they
 * have several. */
static tacit_status sum_up_pairs(linking *l, tacit_error *err)
{
    tacit_link *link = l->link;
    int64_t numbers = l->could_of ? l->c->people : l->people.count;
    const uint32_t *could = l->could_of ? l->could_of : l->could_be;
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(numbers), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t class = 0; class < link->classes; class ++) {
        if (link->maps_to[class] != 1)
            continue;
        int64_t who = l->could_of ? link->only[class] : (int64_t)l->sums[class];
        link->people_one += !tacit__bit_get(seen, who);
        link->pairs += link->sizes[class] == 1 && could[who] == 1;
        tacit__bit_set(seen, who);
    }
    tacit__free(seen);
    return TACIT_OK;
}

/* What can be said without a truth; with one, judge_truth says more. */
static void judge_models(linking *l)
{
    tacit_link *link = l->link;
    bool unmapped = link->records_by_people[0] > 0;
    link->k_map = link->records_below > 0 ? TACIT_LINK_BROKEN : TACIT_LINK_HOLDS;
    link->null_map =
        link->records_by_people[0] == link->records ? TACIT_LINK_HOLDS : TACIT_LINK_UNKNOWN;
    link->wrong_map = link->records <= 2 || unmapped ? TACIT_LINK_BROKEN : TACIT_LINK_UNKNOWN;
}

/* ---- all of it ---- */

static tacit_status link_all(linking *l, tacit_error *err)
{
    tacit_status status = mark_columns(l, err);
    if (status == TACIT_OK)
        status = bundle_classes(l, err);
    if (status == TACIT_OK)
        status = bundle_people(l, err);
    if (status == TACIT_OK)
        status = place_records(l, err);
    if (status == TACIT_OK)
        status = count_people(l, err);
    if (status != TACIT_OK)
        return status;
    sum_up_records(l);
    sum_up_people(l);
    status = sum_up_pairs(l, err);
    judge_models(l);
    if (status == TACIT_OK && l->c->truth)
        status = judge_truth(l, err);
    return status;
}

static void clear(linking *l)
{
    tacit__code_tree_clear(&l->class_tree);
    tacit__code_tree_clear(&l->people_tree);
    tacit__bundles_clear(&l->classes);
    tacit__bundles_clear(&l->people);
    for (int32_t i = 0; i < l->depth; i++)
        tacit__link_marks_clear(&l->marks[i]);
    tacit__free(l->before);
    tacit__free(l->could_be);
    tacit__free(l->could_of);
    tacit__free(l->changes);
    tacit__free(l->sums);
}

tacit_status tacit_link_new(tacit_link **out, const tacit_link_case *c, const tacit_run *run,
                            tacit_error *err)
{
    if (c->column_count < 1 || c->k < 1)
        return tacit__error(err, TACIT_INVALID, "linking needs a shared column and a k");
    if (c->column_count > TACIT_MAX_LINK_COLUMNS)
        return tacit__error(err, TACIT_LIMIT, "more than %d columns to link by",
                            TACIT_MAX_LINK_COLUMNS);
    linking l = {.c = c, .run = run, .depth = c->column_count};
    tacit_link *link = l.link = tacit__alloc_zeroed(1, sizeof *link);
    if (!link)
        return tacit__nomem(err);
    link->records = c->records;
    link->people = c->people;
    tacit_status status = link_all(&l, err);
    clear(&l);
    if (status == TACIT_OK)
        *out = link;
    else
        tacit_link_free(link);
    return status;
}

void tacit_link_free(tacit_link *link)
{
    if (!link)
        return;
    tacit__free(link->class_of);
    tacit__free(link->sizes);
    tacit__free(link->maps_to);
    tacit__free(link->only);
    tacit__free(link);
}
