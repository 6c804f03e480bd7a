/*
 * dependencies.c - whether a dependency that was to be hidden can still be proven.
 *
 * A functional dependency is disproven by two rows that agree in its left side and differ
 * in its right. Where "*" may be anything, a recipient has a proof only as long as no
 * two released rows could be such a pair: one is enough, which shows two values on the right
 * or "*" in one of them (Vinterbo and Ohno-Machado, section 2.2).
 *
 * Rows are folded by the columns of the dependency (patterns.c). For each pair of
 * groups, itself among them, the smaller one is sorted by what it is outside the
 * left columns that are "*" in either; a key remembers the value on the right, or
 * that there are several, and each pattern of the larger one looks for its own and
 * compares. Small groups are compared pattern by pattern.
 *
 * Cost: at worst a look-up for every group and pattern; as a rule the search ends with the
 * first rows that have blanks.
 */
#include <stdio.h>

#include "audit/ambiguity/ambiguity.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { HIDDEN_LOOKED_THROUGH = 1 << 12 }; /* pairs of patterns that are compared one by one */

typedef struct search {
    tacit__patterns patterns;
    int right; /* its place */
    bool found;
} search;

/* Two groups, and the bits of the left side that count. */
typedef struct partner_query {
    const tacit__patterns *p;
    int right;
    const tacit__pattern_group *small, *large;
    bool open; /* one of them has "*" on the right: any two rows that agree will do */
    uint64_t keep[TACIT__MAX_AMBIGUOUS];
} partner_query;

/* Whether rows of two patterns that agree on the left speak against it. A pattern agrees with
 * itself, but a row is not two. */
static bool speaks(const partner_query *q, int64_t i, int64_t j)
{
    if (q->open)
        return i != j || q->p->rows[i] > 1;
    return tacit__pattern_code(q->p, i, q->right) != tacit__pattern_code(q->p, j, q->right);
}

static bool compare_partner(const partner_query *q)
{
    const tacit__patterns *p = q->p;
    for (int64_t i = q->small->from; i < q->small->to; i++) {
        tacit__ambiguity_stretch all = {q->large->from, q->large->to};
        for (;; all.from++) {
            all.from = tacit__next_alike(p, i, q->keep, all);
            if (all.from == all.to)
                break;
            if (speaks(q, i, all.from))
                return true;
        }
    }
    return false;
}

/* The patterns of a key. */
typedef struct key_value {
    int64_t first;
    bool some;    /* there is a first */
    bool several; /* and two of them speak against the dependency */
} key_value;

/* Patterns of a key need not agree with each other, but each that has it agrees with all, and of
 * two values one is not its own. Where no value is needed they must agree to be a pair. */
static bool any_differs(const partner_query *q, const tacit__ambiguity_keyed *keyed,
                        key_value *values)
{
    bool together = !q->open || q->small == q->large;
    for (int64_t i = q->small->from; i < q->small->to; i++) {
        key_value *value = &values[keyed->key_of[i - q->small->from]];
        if (!value->some)
            *value = (key_value){.first = i, .some = true};
        value->several |= together && speaks(q, value->first, i);
    }
    for (int64_t i = q->large->from; i < q->large->to; i++) {
        int64_t key = tacit__keyed_find(keyed, q->p, i);
        if (key >= 0 && (values[key].several || speaks(q, values[key].first, i)))
            return true;
    }
    return false;
}

static tacit_status find_partner(bool *found, const partner_query *q, tacit_error *err)
{
    tacit__ambiguity_keyed keyed = {0};
    tacit_status status = tacit__keyed_init(&keyed, q->p, q->small, q->keep, err);
    if (status != TACIT_OK)
        return status;
    key_value *values = tacit__alloc_zeroed((size_t)keyed.count, sizeof *values);
    if (values)
        *found = any_differs(q, &keyed, values);
    else
        status = tacit__nomem(err);
    tacit__free(values);
    tacit__keyed_clear(&keyed);
    return status;
}

static tacit_status search_pair(bool *found, const search *s, int64_t g, int64_t h,
                                tacit_error *err)
{
    const tacit__patterns *p = &s->patterns;
    const tacit__pattern_group *one = &p->groups[g], *other = &p->groups[h];
    bool one_is_small = tacit__group_size(one) <= tacit__group_size(other);
    partner_query q = {.p = p,
                       .right = s->right,
                       .small = one_is_small ? one : other,
                       .large = one_is_small ? other : one,
                       .open = (one->stars | other->stars) >> s->right & 1};
    tacit__outside(q.keep, p, g, h);
    const tacit__field *right = &p->field[s->right];
    q.keep[right->word] &= ~(right->mask << right->shift);
    if (tacit__group_size(one) * tacit__group_size(other) > HIDDEN_LOOKED_THROUGH)
        return find_partner(found, &q, err);
    *found = compare_partner(&q);
    return TACIT_OK;
}

/* A group with itself and all that come before it, unless a pair has been found. */
static tacit_status search_group(void *context, int64_t group, int worker, tacit_error *err)
{
    (void)worker;
    search *s = context;
    tacit_status status = TACIT_OK;
    for (int64_t g = 0; g <= group && status == TACIT_OK; g++) {
        bool found = false;
        if (__atomic_load_n(&s->found, __ATOMIC_RELAXED))
            break;
        status = search_pair(&found, s, g, group, err);
        if (found)
            __atomic_store_n(&s->found, true, __ATOMIC_RELAXED);
    }
    return status;
}

/* The columns of a dependency, the right one last; false where one cannot be read. */
static bool find_columns(int32_t *columns, tacit__judge *judge,
                         const tacit_promise_dependency *hidden)
{
    for (int32_t i = 0; i <= hidden->left_count; i++) {
        tacit_strview name =
            tacit_strview_of(i < hidden->left_count ? hidden->left[i] : hidden->right);
        columns[i] = tacit_table_find(judge->release, name);
        if (columns[i] >= 0 && tacit_table_is_coded(judge->release, columns[i]))
            continue;
        tacit__find(judge, TACIT_FINDING_DEPENDENCY, 0, tacit_table_rows(judge->release),
                    "column \"%s\" of a dependency that was to be hidden %s, so nothing shows that "
                    "it is",
                    tacit__show(name).text,
                    columns[i] < 0 ? "is not in the release" : "is not coded");
        return false;
    }
    return true;
}

static void report_hidden(tacit__judge *judge, const tacit_promise_dependency *hidden)
{
    char names[160] = "nothing";
    size_t len = 0;
    for (int32_t i = 0; i < hidden->left_count && len < sizeof names; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", i ? ", " : "",
                                tacit__show(tacit_strview_of(hidden->left[i])).text);
    tacit__find(judge, TACIT_FINDING_DEPENDENCY, 0, tacit_table_rows(judge->release),
                "that \"%s\" depends on %s was to be hidden, but no two rows that may agree there "
                "can differ in it",
                tacit__show(tacit_strview_of(hidden->right)).text, names);
}

static tacit_status judge_dependency(tacit__judge *judge, const tacit_promise_dependency *hidden,
                                     tacit_error *err)
{
    int32_t columns[TACIT__MAX_AMBIGUOUS];
    search s = {.found = false};
    if (!find_columns(columns, judge, hidden))
        return TACIT_OK;
    tacit_status status = tacit__patterns_init(&s.patterns, judge->release, columns,
                                               hidden->left_count + 1, judge->run, err);
    if (status != TACIT_OK)
        return status;
    while (s.patterns.column[s.right] != hidden->left_count)
        s.right++;
    status = tacit__parallel(judge->run, "judging", s.patterns.group_count, search_group, &s, err);
    if (status == TACIT_OK && !s.found)
        report_hidden(judge, hidden);
    tacit__patterns_clear(&s.patterns);
    return status;
}

tacit_status tacit__judge_hidden(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool rows = tacit_table_rows(judge->release) > 0; /* of none nobody proves anything */
    for (int32_t i = 0; rows && i < judge->promise->hidden_count && status == TACIT_OK; i++)
        status = judge_dependency(judge, &judge->promise->hidden[i], err);
    return status;
}
