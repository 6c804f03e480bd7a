/*
 * truth.c - linking judged by somebody who knows whose records they are.
 *
 * The subjects are counted for each class as all people were, with the sum of their numbers: where
 * a class maps to one subject, that is who. Then every record is looked at once.
 *
 * Cost: the classes that the subjects meet, 12 bytes a class, a bit a person and 4 bytes a subject.
 */
#include "audit/link/link.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

typedef struct knowing {
    tacit__linking *l;
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
    tacit_status status =
        tacit__link_count(n->to_subjects, n->sums, n->l, n->subjects, n->count, err);
    for (size_t class = 1; class < classes && status == TACIT_OK; class ++) {
        n->to_subjects[class] += n->to_subjects[class - 1];
        n->sums[class] += n->sums[class - 1];
    }
    return status;
}

/* Whether a record maps to a person: one of his rows can be it. */
static bool maps_to(const tacit__linking *l, int64_t record, int64_t person)
{
    tacit__link_rows rows = tacit__link_rows_of(l->c, person);
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
static int64_t could_be(const tacit__linking *l, int64_t person)
{
    return l->could_of ? l->could_of[person] : l->could_be[tacit__bundle_of(&l->people, person)];
}

static void look_at(knowing *n, int64_t record)
{
    const tacit__linking *l = n->l;
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

tacit_status tacit__link_judge_truth(tacit__linking *l, tacit_error *err)
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
