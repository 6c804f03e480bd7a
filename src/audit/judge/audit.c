/*
 * audit.c - the order of the proceedings.
 *
 * The judge assumes that whoever made the release is careless or lies. What it
 * relies on is the reader, the hierarchies and the promise; the correspondence
 * of rows is a claim, to be checked before it is used. Where something cannot
 * be checked the verdict says so (people_counted, values_checked,
 * rows_matched); whatever contradicts the promise is a finding; and a release
 * without findings holds.
 *
 * What is checked depends on what is at hand:
 *   the release alone        columns, k, suppressed rows, trails, ambiguity, models;
 *   and the original         rows, values and cells as multisets (match.c);
 *   and the correspondence   the same row by row (values.c, cells.c).
 *
 * People are counted by the original's person column wherever rows correspond,
 * since the release's own could have been made to look like more people. Rows
 * whose person is missing count as one person together.
 *
 * Cost: linear in the rows, 8 to 16 bytes a row beside the tables.
 */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* What the judge has found, collected and then cut to the room that a verdict has.
 *
 * A finding is made once for a subject (a quasi-identifier, an attribute, a column), with the
 * number of rows concerned and the first of them, so there are never many; still, none of a kind
 * may hide another kind. Findings never show values: names of columns, rows and lines only. */

enum { KINDS = TACIT_FINDING_ITEMS + 1 };

void tacit__find(tacit__judge *judge, tacit_finding_kind kind, int64_t row, int64_t count,
                 const char *format, ...)
{
    if (!TACIT__RESERVE_ONE(judge->findings, judge->finding_capacity, judge->finding_count)) {
        judge->out_of_memory = true;
        return;
    }
    tacit_finding *finding = &judge->findings[judge->finding_count++];
    *finding = (tacit_finding){.kind = kind, .row = row, .count = count};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The most findings of one kind that fit when every kind may have as many. */
static int32_t fair_share(const int32_t *of_kind)
{
    int32_t share = TACIT_MAX_FINDINGS;
    for (;; share--) {
        int32_t taken = 0;
        for (int kind = 0; kind < KINDS; kind++)
            taken += smaller(of_kind[kind], share);
        if (taken <= TACIT_MAX_FINDINGS)
            return share;
    }
}

/* Says in the last finding of a kind that there are others like it. */
static void mention_more(tacit_finding *last, int32_t more)
{
    size_t len = strlen(last->message);
    snprintf(last->message + len, sizeof last->message - len, " (and %d more like this)", more);
}

/* Puts the findings into the verdict: worst kind first, and where there are more than it has room
 * for, the first ones of every kind. */
static void findings_close(tacit__judge *judge)
{
    tacit_verdict *v = judge->verdict;
    int32_t of_kind[KINDS] = {0};
    for (size_t i = 0; i < judge->finding_count; i++)
        of_kind[judge->findings[i].kind]++;
    int32_t share = fair_share(of_kind);
    for (int kind = 0; kind < KINDS; kind++) {
        int32_t left = smaller(of_kind[kind], share);
        for (size_t i = 0; i < judge->finding_count && left > 0; i++) {
            if (judge->findings[i].kind != (tacit_finding_kind)kind)
                continue;
            v->findings[v->finding_count++] = judge->findings[i];
            left--;
        }
        if (of_kind[kind] > share)
            mention_more(&v->findings[v->finding_count - 1], of_kind[kind] - share);
    }
    v->holds = judge->finding_count == 0;
}

tacit__judge_tally *tacit__tallies_new(int workers, int32_t subjects)
{
    size_t count;
    if (!tacit__multiply((size_t)workers, (size_t)subjects, &count))
        return NULL;
    return tacit__alloc_zeroed(count, sizeof(tacit__judge_tally));
}

tacit__judge_tally tacit__tally_sum(const tacit__judge_tally *tallies, int workers,
                                    int32_t subjects, int32_t subject)
{
    tacit__judge_tally sum = {0};
    for (int worker = 0; worker < workers; worker++) {
        const tacit__judge_tally *part = &tallies[(int64_t)worker * subjects + subject];
        if (part->count && (!sum.count || part->first < sum.first))
            sum.first = part->first;
        sum.count += part->count;
    }
    return sum;
}

/* Whether the claimed correspondence of rows can be true at all.
 *
 * The claim names for each row of the release the row of the original behind it. Every named row
 * must exist, and none may be named twice: then rows are neither made up nor doubled, and what no
 * row names has been left out. Values and cells are checked along the claim afterwards, so a false
 * claim that survives here does not survive there.
 *
 * Cost: a bit a row of the original and one scattered access a row. */

enum { OUT_OF_RANGE, TWICE, CLAIM_SUBJECTS };

typedef struct claim {
    const uint32_t *order;
    int64_t rows;  /* of the release */
    int64_t known; /* rows of the original */
    uint64_t *named;
    tacit__judge_tally *tallies;
} claim;

static tacit_status check_claimed_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    claim *c = context;
    tacit__judge_tally *tallies = &c->tallies[worker * CLAIM_SUBJECTS];
    for (int64_t i = block * TACIT__BLOCK; i < tacit__block_end(block, c->rows); i++) {
        int64_t row = c->order[i];
        if (row >= c->known) {
            tacit__tally_add(&tallies[OUT_OF_RANGE], i);
            continue;
        }
        uint64_t bit = UINT64_C(1) << (row & 63);
        if (__atomic_fetch_or(&c->named[row >> 6], bit, __ATOMIC_RELAXED) & bit)
            tacit__tally_add(&tallies[TWICE], i);
    }
    return TACIT_OK;
}

/* The first row whose row of the original was named before. Which of two was
 * seen first depends on threads, so the place is looked for in order. */
static int64_t first_twice(claim *c)
{
    memset(c->named, 0, tacit__bitset_words(c->known) * sizeof *c->named);
    for (int64_t i = 0; i < c->rows; i++) {
        int64_t row = c->order[i];
        if (row >= c->known)
            continue;
        if (tacit__bit_get(c->named, row))
            return i;
        tacit__bit_set(c->named, row);
    }
    return 0;
}

static bool claim_holds(tacit__judge *judge, claim *c, int workers)
{
    tacit__judge_tally out = tacit__tally_sum(c->tallies, workers, CLAIM_SUBJECTS, OUT_OF_RANGE);
    tacit__judge_tally twice = tacit__tally_sum(c->tallies, workers, CLAIM_SUBJECTS, TWICE);
    if (out.count)
        tacit__find(judge, TACIT_FINDING_ROWS, out.first + 1, out.count,
                    "%lld rows claim to come from rows that the original does not have; the first "
                    "is row %lld (line %lld)",
                    (long long)out.count, (long long)(out.first + 1),
                    (long long)tacit_table_line(judge->release, out.first));
    if (twice.count) {
        int64_t first = first_twice(c);
        tacit__find(judge, TACIT_FINDING_ROWS, first + 1, twice.count,
                    "%lld rows claim to come from a row of the original that another row comes "
                    "from; the first is row %lld (line %lld)",
                    (long long)twice.count, (long long)(first + 1),
                    (long long)tacit_table_line(judge->release, first));
    }
    return !out.count && !twice.count;
}

static tacit_status check_order(tacit__judge *judge, const uint32_t *order, tacit_error *err)
{
    int workers = tacit__threads(judge->run);
    claim c = {.order = order,
               .rows = tacit_table_rows(judge->release),
               .known = tacit_table_rows(judge->original),
               .named = judge->released,
               .tallies = tacit__tallies_new(workers, CLAIM_SUBJECTS)};
    if (!c.tallies)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(judge->run, "judging", tacit__blocks(c.rows), check_claimed_block, &c, err);
    if (status == TACIT_OK && claim_holds(judge, &c, workers)) {
        judge->corresponds = true;
        judge->order = order;
    }
    tacit__free(c.tallies);
    return status;
}

static tacit_status judge_claim(tacit__judge *judge, tacit_error *err)
{
    if (!judge->original)
        return TACIT_OK;
    int64_t rows = tacit_table_rows(judge->release);
    int64_t known = tacit_table_rows(judge->original);
    if (rows > known) {
        tacit__find(judge, TACIT_FINDING_ROWS, 0, rows - known,
                    "the release has %lld rows more than the original", (long long)(rows - known));
        return TACIT_OK;
    }
    judge->verdict->unreleased_rows = known - rows;
    const tacit_evidence *evidence = judge->evidence;
    if (!evidence->order && !evidence->same_order)
        return TACIT_OK;
    judge->released = tacit__alloc_zeroed(tacit__bitset_words(known), sizeof *judge->released);
    if (!judge->released)
        return tacit__nomem(err);
    if (evidence->order)
        return check_order(judge, evidence->order, err);
    for (int64_t i = 0; i < rows; i++)
        tacit__bit_set(judge->released, i);
    judge->corresponds = true;
    return TACIT_OK;
}

void tacit__codes_load(uint32_t *out, tacit_codes_view codes, int64_t row, int64_t count)
{
    if (codes.width == 1) {
        const uint8_t *from = (const uint8_t *)codes.data + row;
        for (int64_t i = 0; i < count; i++)
            out[i] = from[i];
    } else if (codes.width == 2) {
        const uint16_t *from = (const uint16_t *)codes.data + row;
        for (int64_t i = 0; i < count; i++)
            out[i] = from[i];
    } else if (count > 0) {
        memcpy(out, (const uint32_t *)codes.data + row, (size_t)count * sizeof *out);
    }
}

uint32_t tacit__code_max(const tacit_table *table, int32_t column)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    return tacit_table_has_missing(table, column) || !distinct ? distinct : distinct - 1;
}

tacit_strview tacit__cell_says(tacit_strview raw, tacit__cell_buffer *buffer)
{
    if (raw.len < 2 || raw.bytes[0] != '"')
        return raw.bytes ? raw : (tacit_strview){"", 0};
    tacit_strview inner = {raw.bytes + 1, raw.len - 2};
    if (!memchr(inner.bytes, '"', inner.len))
        return inner;
    if (!tacit__reserve((void **)&buffer->bytes, &buffer->capacity, raw.len, 1))
        return (tacit_strview){0};
    return (tacit_strview){buffer->bytes, tacit_csv_unquote(raw, buffer->bytes, raw.len)};
}

uint32_t tacit__suppressed_code(const tacit_table *table, int32_t column)
{
    for (uint32_t i = 0; i < tacit_table_distinct(table, column); i++)
        if (tacit_strview_equal(tacit_table_value(table, column, i), tacit_hierarchy_suppressed()))
            return i;
    return UINT32_MAX;
}

int64_t tacit__first_suppressed(const tacit__judge *judge)
{
    int64_t row = 0;
    while (!tacit__bit_get(judge->suppressed, row))
        row++;
    return row;
}

typedef struct star_search {
    tacit__judge *judge;
    uint32_t star[TACIT__MAX_PROMISED];
} star_search;

/* The bits of up to 64 rows from one on. Most words are done after the first
 * attribute that is hardly ever suppressed. */
static uint64_t suppressed_word(const star_search *search, int64_t row, int64_t count)
{
    const tacit__judge *judge = search->judge;
    uint64_t word = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    for (int32_t a = 0; a < judge->promise->attribute_count && word; a++) {
        uint32_t codes[64];
        tacit__codes_load(codes, tacit_table_codes(judge->release, judge->attribute[a]), row,
                          count);
        uint64_t here = 0;
        for (int64_t i = 0; i < count; i++)
            here |= (uint64_t)(codes[i] == search->star[a]) << i;
        word &= here;
    }
    return word;
}

static tacit_status mark_suppressed_block(void *context, int64_t block, int worker,
                                          tacit_error *err)
{
    (void)worker, (void)err;
    const star_search *search = context;
    int64_t end = tacit__block_end(block, tacit_table_rows(search->judge->release));
    for (int64_t i = block * TACIT__BLOCK; i < end; i += 64)
        search->judge->suppressed[i >> 6] = suppressed_word(search, i, end - i < 64 ? end - i : 64);
    return TACIT_OK;
}

/* Which rows have every attribute suppressed. */
static tacit_status mark_suppressed(tacit__judge *judge, tacit_error *err)
{
    star_search search = {.judge = judge};
    int64_t rows = tacit_table_rows(judge->release);
    judge->suppressed = tacit__alloc_zeroed(tacit__bitset_words(rows), sizeof(uint64_t));
    if (!judge->suppressed)
        return tacit__nomem(err);
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        search.star[a] = tacit__suppressed_code(judge->release, judge->attribute[a]);
        if (search.star[a] == UINT32_MAX)
            return TACIT_OK; /* an attribute that is never "*": no row is suppressed */
    }
    tacit_status status = tacit__parallel(judge->run, "judging", tacit__blocks(rows),
                                          mark_suppressed_block, &search, err);
    judge->suppressed_rows = tacit__bitset_count(judge->suppressed, rows);
    return status;
}

static tacit_status gather_people(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    tacit__judge *judge = context;
    int64_t rows = tacit_table_rows(judge->release);
    tacit_codes_view codes = tacit_table_codes(judge->original, judge->person_known);
    for (int64_t i = block * TACIT__BLOCK; i < tacit__block_end(block, rows); i++)
        judge->people_owned[i] = tacit_codes_at(codes, judge->order[i]);
    return TACIT_OK;
}

/* Who stands behind each row, from the best source there is. */
static tacit_status find_people(tacit__judge *judge, tacit_error *err)
{
    int64_t rows = tacit_table_rows(judge->release);
    if (judge->corresponds && judge->person_known >= 0) {
        judge->by_person = true;
        judge->people_max = tacit__code_max(judge->original, judge->person_known);
        judge->people_missing = tacit_table_distinct(judge->original, judge->person_known);
        judge->people = tacit_table_codes(judge->original, judge->person_known);
        if (!judge->order)
            return TACIT_OK;
        judge->people_owned = tacit__alloc_array((size_t)rows, sizeof *judge->people_owned);
        if (!judge->people_owned)
            return tacit__nomem(err);
        judge->people = (tacit_codes_view){judge->people_owned, 4};
        return tacit__parallel(judge->run, "judging", tacit__blocks(rows), gather_people, judge,
                               err);
    }
    if (judge->person_released >= 0) {
        judge->by_person = true;
        judge->people_max = tacit__code_max(judge->release, judge->person_released);
        judge->people_missing = tacit_table_distinct(judge->release, judge->person_released);
        judge->people = tacit_table_codes(judge->release, judge->person_released);
    }
    return TACIT_OK;
}

/* Some rows of a table and who stands behind them. */
typedef struct crowd {
    const uint64_t *bits; /* a row each */
    bool wanted;          /* the rows whose bit is this */
    int64_t rows;
    tacit_codes_view people;
    uint32_t people_max;
} crowd;

/* How many different people are in a crowd. */
static tacit_status count_people(int64_t *out, const crowd *c, const tacit__judge *judge,
                                 tacit_error *err)
{
    tacit__sorter sorter = {0};
    int64_t set = tacit__bitset_count(c->bits, c->rows);
    tacit_status status = tacit__sorter_init(&sorter, c->wanted ? set : c->rows - set,
                                             tacit__bits_for(c->people_max), false, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0, n = 0; i < c->rows; i++)
        if (tacit__bit_get(c->bits, i) == c->wanted)
            tacit__sorter_put(&sorter, n++, tacit_codes_at(c->people, i));
    status = tacit__sorter_sort(&sorter, judge->run, err);
    if (status == TACIT_OK)
        *out = tacit__sorter_distinct(&sorter);
    tacit__sorter_clear(&sorter);
    return status;
}

/* Suppressed rows are a class like any other: none, or k. */
static tacit_status judge_suppressed(tacit__judge *judge, tacit_error *err)
{
    if (judge->promise->ambiguous)
        return TACIT_OK; /* each agrees with everybody */
    int64_t people = judge->suppressed_rows;
    if (judge->by_person && people) {
        crowd c = {judge->suppressed, true, tacit_table_rows(judge->release), judge->people,
                   judge->people_max};
        tacit_status status = count_people(&people, &c, judge, err);
        if (status != TACIT_OK)
            return status;
    }
    judge->suppressed_people = people;
    if (!judge->suppressed_rows || people >= judge->promise->k)
        return TACIT_OK;
    int64_t first = tacit__first_suppressed(judge);
    tacit__find(
        judge, TACIT_FINDING_SUPPRESSED, first + 1, judge->suppressed_rows,
        "suppressed rows hold %lld %s, fewer than k = %lld; the first is row %lld (line %lld)",
        (long long)people, tacit__counted(judge, judge->by_person), (long long)judge->promise->k,
        (long long)(first + 1), (long long)tacit_table_line(judge->release, first));
    return TACIT_OK;
}

/* Rows left out are suppressed rows too, and only if that was announced. */
static tacit_status judge_unreleased(tacit__judge *judge, tacit_error *err)
{
    int64_t left = judge->verdict->unreleased_rows;
    if (!judge->original || left <= 0)
        return TACIT_OK;
    if (!judge->promise->suppressed_dropped) {
        tacit__find(judge, TACIT_FINDING_ROWS, 0, left,
                    "%lld rows of the original are not in the release", (long long)left);
        return TACIT_OK;
    }
    int64_t people = left;
    bool by_person = judge->corresponds && judge->person_known >= 0;
    if (by_person) {
        crowd c = {judge->released, false, tacit_table_rows(judge->original),
                   tacit_table_codes(judge->original, judge->person_known),
                   tacit__code_max(judge->original, judge->person_known)};
        tacit_status status = count_people(&people, &c, judge, err);
        if (status != TACIT_OK)
            return status;
    }
    judge->unreleased_people = people;
    if (people < judge->promise->k && !judge->promise->ambiguous)
        tacit__find(judge, TACIT_FINDING_SUPPRESSED, 0, left,
                    "rows left out of the release hold %lld %s, fewer than k = %lld",
                    (long long)people, tacit__counted(judge, by_person),
                    (long long)judge->promise->k);
    return TACIT_OK;
}

static bool found(const tacit__judge *judge, tacit_finding_kind kind)
{
    for (size_t i = 0; i < judge->finding_count; i++)
        if (judge->findings[i].kind == kind)
            return true;
    return false;
}

/* Everything that the original has to say about the release. */
static tacit_status judge_original(tacit__judge *judge, tacit_error *err)
{
    tacit_verdict *verdict = judge->verdict;
    if (!judge->original)
        return TACIT_OK;
    verdict->values_checked = judge->attributes_known;
    verdict->rows_matched = judge->corresponds && judge->attributes_known;
    tacit_status status = tacit__judge_pseudonyms(judge, err);
    if (status == TACIT_OK)
        status = tacit__judge_cells(judge, err);
    if (status == TACIT_OK)
        status = tacit__judge_copies(judge, err);
    if (status == TACIT_OK && !judge->corresponds)
        status = tacit__judge_match(judge, err);
    else if (status == TACIT_OK && judge->attributes_known)
        status = tacit__judge_values(judge, err);
    if (found(judge, TACIT_FINDING_ROWS) || found(judge, TACIT_FINDING_VALUE) ||
        found(judge, TACIT_FINDING_CHANGED))
        verdict->rows_matched = false;
    return status;
}

static tacit_status judge_release(tacit__judge *judge, tacit_error *err)
{
    static tacit_status (*const steps[])(tacit__judge *, tacit_error *) = {
        tacit__judge_missing,
        judge_claim,
        mark_suppressed,
        find_people,
        tacit__judge_classes,
        judge_suppressed,
        judge_unreleased,
        tacit__judge_trails,
        tacit__judge_household_trails,
        tacit__judge_households,
        tacit__judge_repeated,
        tacit__judge_ambiguity,
        tacit__judge_hidden,
        tacit__judge_models,
        tacit__judge_risks,
        tacit__judge_items,
        tacit__judge_row_pseudonyms,
        judge_original,
    };
    tacit_status status = tacit__judge_columns(judge, err);
    if (status == TACIT_OK && judge->promise->spreadsheet_safe)
        status = tacit__judge_formulas(judge, err);
    if (status != TACIT_OK || !judge->attributes_released)
        return status; /* an attribute that is not there has been found */
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == TACIT_OK; i++)
        status = steps[i](judge, err);
    judge->verdict->suppressed_rows = judge->suppressed_rows;
    judge->verdict->people_counted = judge->by_person;
    return status;
}

static void judge_clear(tacit__judge *judge)
{
    tacit__free(judge->columns);
    tacit__free(judge->identifiers);
    tacit__free(judge->released);
    tacit__free(judge->suppressed);
    tacit__free(judge->people_owned);
    tacit__free(judge->findings);
    if (judge->groups != judge->evidence->groups)
        tacit_audit_groups_free(judge->groups);
    tacit_verdict_free(judge->verdict);
}

static tacit_verdict *verdict_new(const tacit_promise *promise, const tacit_evidence *evidence)
{
    tacit_verdict *verdict = tacit__alloc_zeroed(1, sizeof *verdict);
    if (!verdict)
        return NULL;
    verdict->rows = tacit_table_rows(evidence->release);
    verdict->set_count = promise->sets ? promise->set_count : 1;
    verdict->model_count = promise->model_count;
    verdict->sets = tacit__alloc_zeroed((size_t)verdict->set_count, sizeof *verdict->sets);
    verdict->models = tacit__alloc_zeroed((size_t)verdict->model_count, sizeof *verdict->models);
    if (!verdict->sets || !verdict->models) {
        tacit_verdict_free(verdict);
        return NULL;
    }
    for (int32_t i = 0; i < verdict->model_count; i++)
        verdict->models[i] = (tacit_model_verdict){.bound = promise->models[i].bound,
                                                   .column = promise->models[i].column,
                                                   .worst = NAN,
                                                   .least = NAN};
    return verdict;
}

void tacit_verdict_free(tacit_verdict *verdict)
{
    if (!verdict)
        return;
    tacit__free(verdict->sets);
    tacit__free(verdict->models);
    tacit__free(verdict->minimality.cells);
    tacit__free(verdict);
}

tacit_status tacit_audit_release(tacit_verdict **out, const tacit_promise *promise,
                                 const tacit_evidence *evidence, const tacit_run *run,
                                 tacit_error *err)
{
    assert(out && promise && evidence && evidence->release);
    tacit_status status = tacit__judge_promise(promise, err);
    if (status != TACIT_OK)
        return status;
    tacit__judge judge = {.promise = promise,
                          .evidence = evidence,
                          .release = evidence->release,
                          .original = evidence->original,
                          .run = run,
                          .groups = evidence->groups,
                          .verdict = verdict_new(promise, evidence)};
    if (!judge.verdict)
        return tacit__nomem(err);
    if (!judge.groups)
        status = tacit_audit_groups_new(&judge.groups, err);
    if (status == TACIT_OK)
        status = judge_release(&judge, err);
    if (status == TACIT_OK && judge.out_of_memory)
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        findings_close(&judge);
        *out = judge.verdict;
        judge.verdict = NULL;
    }
    judge_clear(&judge);
    return status;
}
