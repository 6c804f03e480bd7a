/*
 * repeated.c - identifiers that were dropped, and stand several times within a class.
 *
 * Where nobody says whose the rows are, every row counts as a person. If a dropped identifier says
 * otherwise, a class of k rows may be one patient who came k times. So for each identifier the
 * different values of every class are counted, up to k; where a class has fewer, that is a finding:
 * the promise must say which column tells people apart, or that each row is a person's whatever
 * identifiers say. Rows without a value may be anybody's, and count as different. Only the original
 * has the values, so rows must correspond to it.
 *
 * A class is done once k values were met, which is mostly after its first k rows: few cells are
 * read. Values are compared by 64-bit hashes; hashes that meet by chance can only add a finding.
 *
 * Cost: a sort of the rows for the classes, 8 bytes for each of the first k values of a class.
 */
#include "audit/rows/group.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

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

static void report(const counting *c, uint64_t set, const char *name)
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
        report(&c, set, judge->promise->identifiers[identifier].name);
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

static tacit_status judge_set(tacit__judge *judge, uint64_t set, tacit_error *err)
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
    if (!any || !judge->corresponds || promise->person || promise->rows_are_people ||
        promise->ambiguous || promise->k < 2 || tacit_table_rows(judge->release) == 0)
        return TACIT_OK;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_set(judge, tacit__set_of(judge, i), err);
    return status;
}
