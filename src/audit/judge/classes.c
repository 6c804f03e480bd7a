/*
 * classes.c - k, counted by sorting; and identifiers that repeat within classes (below).
 *
 * For each quasi-identifier the released codes of a row become one key (rows/rows.c),
 * the person's code in its lowest bits; the keys are sorted, and a class is a run
 * of equal upper bits, its people the different keys in the run. Missing is a
 * value of its own. Suppressed rows are one class like any other. Where ambiguity is
 * promised, classes may be smaller than k, and are counted for information.
 *
 * Cost: that of the keys. Section 5.1 of Sweeney.
 */
#include <stdio.h>
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

enum { SCAN_BLOCK = 1 << 18 };

/* What a stretch of sorted keys holds. */
typedef struct stretch {
    int64_t classes;
    int64_t smallest;
    int64_t rows_below;
    int64_t broken_classes; /* below k, suppressed rows by themselves not among them */
    int64_t broken_rows;
} stretch;

typedef struct grouping {
    tacit__judge *judge;
    tacit__keys keys;
    int person_bits;
    bool has_suppressed;
    uint64_t suppressed_class;
    stretch *stretches;
} grouping;

static tacit_status pack_set(grouping *g, uint64_t set, tacit_error *err)
{
    const tacit__judge *judge = g->judge;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        if (!(set >> a & 1))
            continue;
        int32_t column = judge->attribute[a];
        tacit_status status = tacit__keys_add(&g->keys, tacit_table_codes(judge->release, column),
                                              tacit__code_max(judge->release, column), err);
        if (status != TACIT_OK)
            return status;
    }
    if (!judge->by_person)
        return TACIT_OK;
    g->person_bits = tacit__bits_for(judge->people_max);
    return tacit__keys_add(&g->keys, judge->people, judge->people_max, err);
}

static uint64_t class_of(const grouping *g, uint64_t key)
{
    return key >> g->person_bits;
}

/* The class at a place of the sorted keys. */
static uint64_t class_at(const grouping *g, int64_t at)
{
    return class_of(g, tacit__sorter_key(&g->keys.sorter, at));
}

static uint64_t class_of_row(const grouping *g, int64_t row)
{
    return class_of(g, tacit__keys_of_row(&g->keys, row));
}

/* A class: a run of sorted keys. */
typedef struct run_of_keys {
    int64_t end;
    int64_t people;
} run_of_keys;

static run_of_keys read_class(const grouping *g, int64_t from)
{
    run_of_keys run = {.end = from + 1, .people = 1};
    uint64_t last = tacit__sorter_key(&g->keys.sorter, from), class = class_of(g, last);
    for (; run.end < g->keys.rows; run.end++) {
        uint64_t key = tacit__sorter_key(&g->keys.sorter, run.end);
        if (class_of(g, key) != class)
            break;
        run.people += key != last;
        last = key;
    }
    if (!g->judge->by_person)
        run.people = run.end - from;
    return run;
}

/* Suppressed rows that are a class by themselves are judged as such elsewhere. */
static bool only_suppressed(const grouping *g, int64_t from, int64_t end)
{
    return g->has_suppressed && class_at(g, from) == g->suppressed_class &&
           end - from == g->judge->suppressed_rows;
}

/* Reads the classes that start in a block of sorted keys. */
static tacit_status scan_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    grouping *g = context;
    stretch *s = &g->stretches[block];
    int64_t at = block * SCAN_BLOCK, end = at + SCAN_BLOCK;
    while (at > 0 && at < end && at < g->keys.rows && class_at(g, at) == class_at(g, at - 1))
        at++;
    while (at < end && at < g->keys.rows) {
        run_of_keys run = read_class(g, at);
        s->classes++;
        if (s->classes == 1 || run.people < s->smallest)
            s->smallest = run.people;
        if (run.people < g->judge->promise->k) {
            bool alone = only_suppressed(g, at, run.end);
            s->rows_below += run.end - at;
            s->broken_classes += !alone;
            s->broken_rows += alone ? 0 : run.end - at;
        }
        at = run.end;
    }
    return TACIT_OK;
}

static stretch sum_stretches(const grouping *g, int64_t blocks)
{
    stretch sum = {0};
    for (int64_t i = 0; i < blocks; i++) {
        const stretch *s = &g->stretches[i];
        if (s->classes && (!sum.classes || s->smallest < sum.smallest))
            sum.smallest = s->smallest;
        sum.classes += s->classes;
        sum.rows_below += s->rows_below;
        sum.broken_classes += s->broken_classes;
        sum.broken_rows += s->broken_rows;
    }
    return sum;
}

/* The first row in a class below k. The broken classes move to the front of the
 * keys, which are not needed any more. */
static int64_t first_broken(grouping *g)
{
    tacit__sorter *broken = &g->keys.sorter;
    int64_t count = 0;
    for (int64_t at = 0; at < g->keys.rows;) {
        run_of_keys run = read_class(g, at);
        if (run.people < g->judge->promise->k && !only_suppressed(g, at, run.end))
            tacit__sorter_put(broken, count++, class_at(g, at));
        at = run.end;
    }
    broken->count = count;
    for (int64_t row = 0; row < g->keys.rows; row++) {
        uint64_t class = class_of_row(g, row);
        int64_t place = tacit__sorter_place(broken, class);
        if (place < count && tacit__sorter_key(broken, place) == class)
            return row;
    }
    return 0;
}

void tacit__name_set(char *out, size_t size, const tacit__judge *judge, uint64_t set)
{
    size_t len = 0;
    out[0] = '\0';
    for (int32_t a = 0; a < judge->promise->attribute_count && len < size; a++) {
        if (!(set >> a & 1))
            continue;
        tacit__shown name = tacit__show(tacit_strview_of(judge->promise->attributes[a].name));
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", name.text);
    }
}

static void report_broken(grouping *g, uint64_t set, stretch sum)
{
    tacit__judge *judge = g->judge;
    char names[160];
    tacit__name_set(names, sizeof names, judge, set);
    int64_t row = first_broken(g);
    tacit__find(judge, TACIT_FINDING_K, row + 1, sum.broken_rows,
                "%lld %s on %s %s fewer than k = %lld %s; the first is that of row %lld "
                "(line %lld)",
                (long long)sum.broken_classes, sum.broken_classes == 1 ? "class" : "classes", names,
                sum.broken_classes == 1 ? "has" : "have", (long long)judge->promise->k,
                tacit__counted(judge, judge->by_person), (long long)(row + 1),
                (long long)tacit_table_line(judge->release, row));
}

static void find_suppressed_class(grouping *g)
{
    g->has_suppressed = g->judge->suppressed_rows > 0;
    if (g->has_suppressed)
        g->suppressed_class = class_of_row(g, tacit__first_suppressed(g->judge));
}

static tacit_status count_set(tacit__judge *judge, uint64_t set, tacit_set_verdict *verdict,
                              tacit_error *err)
{
    grouping g = {.judge = judge};
    g.keys = (tacit__keys){.rows = tacit_table_rows(judge->release), .run = judge->run};
    int64_t blocks = (g.keys.rows + SCAN_BLOCK - 1) / SCAN_BLOCK;
    tacit_status status = pack_set(&g, set, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&g.keys, err);
    if (status != TACIT_OK)
        goto cleanup;
    find_suppressed_class(&g);
    g.stretches = tacit__alloc_zeroed((size_t)blocks, sizeof *g.stretches);
    if (!g.stretches) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    status = tacit__parallel(judge->run, "judging", blocks, scan_block, &g, err);
    if (status != TACIT_OK)
        goto cleanup;
    stretch sum = sum_stretches(&g, blocks);
    *verdict = (tacit_set_verdict){sum.classes, sum.smallest, sum.rows_below};
    if (sum.broken_rows && !judge->promise->ambiguous)
        report_broken(&g, set, sum);
cleanup:
    tacit__keys_clear(&g.keys);
    tacit__free(g.stretches);
    return status;
}

uint64_t tacit__set_of(const tacit__judge *judge, int32_t index)
{
    int32_t count = judge->promise->attribute_count;
    uint64_t all = count == TACIT__MAX_PROMISED ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    return judge->promise->sets ? judge->promise->sets[index] : all;
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
 * Cost: a sort of the rows for the classes, 8 bytes for each of the first k values of a class. */

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

static void report_repeated(const counting *c, uint64_t set, const char *name)
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
                                     uint64_t set, int32_t identifier, tacit_error *err)
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

static tacit_status judge_repeated_in_set(tacit__judge *judge, uint64_t set, tacit_error *err)
{
    int32_t columns[TACIT__MAX_PROMISED], count = 0;
    tacit__partition classes = {0};
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (set >> a & 1)
            columns[count++] = judge->attribute[a];
    tacit_status status =
        tacit__partition_init(&classes, judge->release, columns, count, judge->run, err);
    for (int32_t i = 0; i < judge->promise->identifier_count && status == TACIT_OK; i++)
        if (is_gone(judge, i))
            status = judge_identifier(judge, &classes, set, i, err);
    tacit__partition_clear(&classes);
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
