/*
 * classes.c - k, counted by sorting; and identifiers that repeat within classes (below).
 *
 * For each quasi-identifier the rows are put together by their released codes (rows/partition.c).
 * Where rows have people, each row's class and person become one key; the keys are sorted, and the
 * people of a class are its different keys. Missing is a value of its own. Suppressed rows are one
 * class like any other. Where ambiguity is promised, classes may be smaller than k, and are counted
 * for information.
 *
 * Cost: that of the classes, and a sort of the rows where they have people. Section 5.1 of Sweeney.
 */
#include <stdio.h>
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* What the classes of a quasi-identifier come to. */
typedef struct class_sum {
    int64_t smallest;
    int64_t rows_below;
    int64_t broken_classes; /* below k, suppressed rows by themselves not among them */
    int64_t broken_rows;
    int64_t first; /* of those rows */
} class_sum;

/* The attributes of a quasi-identifier as columns of the release; returns their number. */
static int32_t set_columns(int32_t *columns, const tacit__judge *judge, const uint64_t *set)
{
    int32_t count = 0;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (tacit__set_has(set, a))
            columns[count++] = judge->attribute[a];
    return count;
}

static tacit_status classes_of(const tacit__partition **out, const tacit__judge *judge,
                               const uint64_t *set, tacit_error *err)
{
    int32_t columns[TACIT__MAX_PROMISED], count = set_columns(columns, judge, set);
    return tacit__groups_get(out, judge->groups, judge->release, columns, count, judge->run, err);
}

/* The different people of each class. */
static tacit_status people_of_classes(int64_t *people, const tacit__judge *judge,
                                      const tacit__partition *classes, tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(judge->release), .run = judge->run};
    const tacit_codes_view class_of = {classes->class_of, 4};
    int person_bits = tacit__bits_for(judge->people_max);
    uint32_t last = classes->count > 0 ? (uint32_t)(classes->count - 1) : 0;
    tacit_status status = tacit__keys_add(&keys, class_of, last, err);
    if (status == TACIT_OK)
        status = tacit__keys_add(&keys, judge->people, judge->people_max, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&keys, err);
    for (int64_t at = 0; status == TACIT_OK && at < keys.rows; at++) {
        uint64_t key = tacit__sorter_key(&keys.sorter, at);
        if (at == 0 || key != tacit__sorter_key(&keys.sorter, at - 1))
            people[key >> person_bits]++;
    }
    tacit__keys_clear(&keys);
    return status;
}

/* Suppressed rows that are a class by themselves are judged as such elsewhere. */
static int64_t class_of_suppressed(const tacit__judge *judge, const tacit__partition *classes)
{
    if (judge->suppressed_rows == 0)
        return -1;
    int64_t class = classes->class_of[tacit__first_suppressed(judge)];
    return classes->sizes[class] == judge->suppressed_rows ? class : -1;
}

/* people: in each class. */
static class_sum sum_classes(const tacit__judge *judge, const tacit__partition *classes,
                             const int64_t *people)
{
    class_sum sum = {.smallest = classes->count > 0 ? people[0] : 0};
    int64_t suppressed = class_of_suppressed(judge, classes);
    for (int64_t c = 0; c < classes->count; c++) {
        sum.smallest = people[c] < sum.smallest ? people[c] : sum.smallest;
        if (people[c] >= judge->promise->k)
            continue;
        sum.rows_below += classes->sizes[c];
        if (c == suppressed)
            continue;
        if (sum.broken_classes++ == 0 || classes->first[c] < sum.first)
            sum.first = classes->first[c];
        sum.broken_rows += classes->sizes[c];
    }
    return sum;
}

void tacit__name_set(char *out, size_t size, const tacit__judge *judge, const uint64_t *set)
{
    size_t len = 0;
    out[0] = '\0';
    for (int32_t a = 0; a < judge->promise->attribute_count && len < size; a++) {
        if (!tacit__set_has(set, a))
            continue;
        tacit__shown name = tacit__show(tacit_strview_of(judge->promise->attributes[a].name));
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", name.text);
    }
}

static void report_broken(tacit__judge *judge, const uint64_t *set, class_sum sum)
{
    char names[160];
    tacit__name_set(names, sizeof names, judge, set);
    tacit__find(judge, TACIT_FINDING_K, sum.first + 1, sum.broken_rows,
                "%lld %s on %s %s fewer than k = %lld %s; the first is that of row %lld "
                "(line %lld)",
                (long long)sum.broken_classes, sum.broken_classes == 1 ? "class" : "classes", names,
                sum.broken_classes == 1 ? "has" : "have", (long long)judge->promise->k,
                tacit__counted(judge, judge->by_person), (long long)(sum.first + 1),
                (long long)tacit_table_line(judge->release, sum.first));
}

static tacit_status count_set(tacit__judge *judge, const uint64_t *set, tacit_set_verdict *verdict,
                              tacit_error *err)
{
    const tacit__partition *classes = NULL;
    int64_t *people = NULL;
    tacit_status status = classes_of(&classes, judge, set, err);
    if (status == TACIT_OK && judge->by_person) {
        people = tacit__alloc_zeroed((size_t)classes->count, sizeof *people);
        status = people ? people_of_classes(people, judge, classes, err) : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        class_sum sum = sum_classes(judge, classes, people ? people : classes->sizes);
        *verdict = (tacit_set_verdict){classes->count, sum.smallest, sum.rows_below};
        if (sum.broken_rows && !judge->promise->ambiguous)
            report_broken(judge, set, sum);
    }
    tacit__free(people);
    return status;
}

tacit_status tacit__judge_classes(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = count_set(judge, tacit__set_of(judge, i), &judge->verdict->sets[i], err);
    return status;
}

/* Identifiers that were dropped, and stand several times within a class.
 *
 * Where nobody says whose the rows are, every row counts as a person. If a dropped identifier says
 * otherwise, a class of k rows may be one patient who came k times. So for each identifier the
 * different values of every class are counted, up to k; where a class has fewer, that is a
 * finding: the promise must say which column tells people apart, or that each row is a person's
 * whatever identifiers say. Rows without a value may be anybody's, and count as different. Only
 * the original has the values, so rows must correspond to it.
 *
 * A class is done once k values were met, which is mostly after its first k rows: few cells are
 * read. Values are compared by 64-bit hashes; hashes that meet by chance can only add a finding.
 *
 * Cost: that of the classes, 8 bytes for each of the first k values of a class. */

typedef struct counting {
    tacit__judge *judge;
    const tacit__partition *classes;
    int32_t column; /* of the original */
    uint64_t *seen; /* hashes, k a class */
    uint32_t *met;  /* a class each: different values so far */
    tacit_strview *cells;
    tacit__cell_buffer buffer;
} counting;

/* A class may have more rows than k, never fewer that matter: k would be broken already. */
static bool meet(counting *c, int64_t row)
{
    int64_t k = c->judge->promise->k;
    uint32_t class = c->classes->class_of[row];
    if (c->met[class] >= k)
        return true;
    tacit_table_row(c->judge->original, tacit__behind(c->judge, row), c->cells);
    tacit_strview value = tacit__cell_says(c->cells[c->column], &c->buffer);
    if (!value.bytes)
        return false;
    uint64_t hash = tacit__hash_bytes(value.bytes, value.len), *seen = c->seen + class * k;
    for (uint32_t i = 0; value.len > 0 && i < c->met[class]; i++)
        if (seen[i] == hash)
            return true;
    seen[c->met[class]++] = hash;
    return true;
}

static void report_repeated(const counting *c, const uint64_t *set, const char *name)
{
    tacit__judge *judge = c->judge;
    int64_t few = 0, rows = 0, first = 0;
    char names[128];
    for (int64_t i = 0; i < c->classes->count; i++) {
        bool repeated = c->met[i] < judge->promise->k && c->classes->sizes[i] >= judge->promise->k;
        if (repeated && (few == 0 || c->classes->first[i] < first))
            first = c->classes->first[i];
        few += repeated;
        rows += repeated ? c->classes->sizes[i] : 0;
    }
    if (few == 0)
        return;
    tacit__name_set(names, sizeof names, judge, set);
    tacit__find(judge, TACIT_FINDING_PERSON, first + 1, rows,
                "%lld %s on %s %s fewer than k = %lld different values of identifier \"%s\", and "
                "nothing says whether its rows are one person's; the first is that of row %lld "
                "(line %lld)",
                (long long)few, few == 1 ? "class" : "classes", names, few == 1 ? "has" : "have",
                (long long)judge->promise->k, tacit__show(tacit_strview_of(name)).text,
                (long long)(first + 1), (long long)tacit_table_line(judge->release, first));
}

static tacit_status judge_identifier(tacit__judge *judge, const tacit__partition *classes,
                                     const uint64_t *set, int32_t identifier, tacit_error *err)
{
    int64_t rows = tacit_table_rows(judge->release);
    size_t room;
    counting c = {.judge = judge, .classes = classes, .column = judge->identifiers[identifier]};
    c.met = tacit__alloc_zeroed((size_t)classes->count, sizeof *c.met);
    c.cells = tacit__alloc_array((size_t)tacit_table_columns(judge->original), sizeof *c.cells);
    if (tacit__multiply((size_t)classes->count, (size_t)judge->promise->k, &room))
        c.seen = tacit__alloc_array(room, sizeof *c.seen);
    tacit_status status = c.met && c.cells && c.seen ? TACIT_OK : tacit__nomem(err);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        if (!meet(&c, row))
            status = tacit__nomem(err);
    if (status == TACIT_OK)
        report_repeated(&c, set, judge->promise->identifiers[identifier].name);
    tacit__free(c.met);
    tacit__free(c.seen);
    tacit__free(c.cells);
    tacit__free(c.buffer.bytes);
    return status;
}

/* Identifiers that leave as pseudonyms link rows, and are judged so (trails.c). */
static bool is_gone(const tacit__judge *judge, int32_t i)
{
    const tacit_promise_identifier *identifier = &judge->promise->identifiers[i];
    return judge->identifiers[i] >= 0 && (!identifier->pseudonym || identifier->per_row);
}

static tacit_status judge_repeated_in_set(tacit__judge *judge, const uint64_t *set,
                                          tacit_error *err)
{
    const tacit__partition *classes = NULL;
    tacit_status status = classes_of(&classes, judge, set, err);
    for (int32_t i = 0; i < judge->promise->identifier_count && status == TACIT_OK; i++)
        if (is_gone(judge, i))
            status = judge_identifier(judge, classes, set, i, err);
    return status;
}

tacit_status tacit__judge_repeated(tacit__judge *judge, tacit_error *err)
{
    const tacit_promise *promise = judge->promise;
    bool any = false;
    for (int32_t i = 0; i < promise->identifier_count; i++)
        any |= is_gone(judge, i);
    if (!any || !judge->corresponds || promise->person || promise->household ||
        promise->rows_are_people || promise->ambiguous || promise->k < 2 ||
        tacit_table_rows(judge->release) == 0)
        return TACIT_OK;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_repeated_in_set(judge, tacit__set_of(judge, i), err);
    return status;
}
