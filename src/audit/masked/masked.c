/*
 * masked.c - the judge of masked tables: from the case to the verdict.
 *
 * Claims are heard some at a time, as many as speak of MOST_COLUMNS columns together, so that a
 * pass over the tables serves several and memory stays bounded by the rows.
 *
 * Cost: a pass over both tables for the bytes and one for every few claims; sorts of 64-bit keys
 * for claims about values; 18 bytes for each of MOST_COLUMNS columns and row at most, or for the
 * columns of one claim.
 */
#include "audit/masked/masked.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum { MAX_COLUMNS = 12 };

typedef struct own_verdict {
    tacit_masked_verdict verdict; /* first: it is what callers have */
    tacit__arena arena;
} own_verdict;

void tacit_masked_verdict_free(tacit_masked_verdict *verdict)
{
    if (!verdict)
        return;
    own_verdict *own = (own_verdict *)verdict;
    tacit__free(verdict->findings);
    tacit__arena_clear(&own->arena);
    tacit__free(own);
}

/* ---- findings ---- */

void tacit__masked_find(tacit__masked_judge *judge, tacit_masked_finding finding,
                        tacit_strview column)
{
    tacit_masked_verdict *verdict = judge->verdict;
    if (column.bytes)
        finding.column = tacit__arena_copy(judge->arena, column).bytes;
    verdict->holds = false;
    if ((column.bytes && !finding.column) ||
        !TACIT__RESERVE_ONE(verdict->findings, judge->finding_capacity, verdict->finding_count)) {
        judge->out_of_memory = true;
        return;
    }
    verdict->findings[verdict->finding_count++] = finding;
}

static tacit_strview name_of(const tacit__heard_column *column)
{
    return column ? tacit_strview_of(column->name) : (tacit_strview){0};
}

static const char *broken_words(tacit_kept_kind kind)
{
    static const char *const WORDS[] = {
        [TACIT_KEPT_VALUES] = "values are not those that were there, or not as often",
        [TACIT_KEPT_UNIT] = "combinations are not those that were there, or not as often",
        [TACIT_KEPT_SUM] = "a sum differs by more than is claimed",
        [TACIT_KEPT_MOMENTS] = "a mean or covariance differs by more than is claimed",
        [TACIT_KEPT_SHARES] = "a value's share differs by more than is claimed",
        [TACIT_KEPT_NEAR] = "a cell is further from what it was than is claimed",
        [TACIT_KEPT_GROUPS] = "a combination is there less often than is claimed",
        [TACIT_KEPT_NULL_MAP] = "rows have a combination that the original has",
        [TACIT_KEPT_WRONG_MAP] =
            "rows have the combination of the row they came from, or of no row of the original",
        [TACIT_KEPT_RANGE] = "a number is outside of the range that is claimed",
        [TACIT_KEPT_COMMON] = "a value is one that fewer rows of the original have than is claimed",
        [TACIT_KEPT_UNCOPIED] = "rows have a combination that one row of the original has",
        [TACIT_KEPT_TOGETHER] = "rows that belong together are in different places",
    };
    return WORDS[kind];
}

/* Of several columns the worst is kept; what is no number is nothing measured. */
void tacit__measured(const tacit__masked_hearing *hearing, const tacit__heard_column *column,
                     double measured, int64_t row, bool broken)
{
    tacit__masked_judge *judge = hearing->judge;
    tacit_masked_claim *claim = &judge->verdict->claims[hearing->claim];
    if (isnan(claim->measured) || measured > claim->measured) {
        claim->measured = measured;
        claim->column = column ? tacit__arena_copy(judge->arena, name_of(column)).bytes : NULL;
        judge->out_of_memory |= column && !claim->column;
    }
    if (!broken)
        return;
    claim->holds = false;
    tacit__masked_find(judge,
                       (tacit_masked_finding){.kind = TACIT_MASKED_CLAIM,
                                              .claim = hearing->claim,
                                              .row = row + 1,
                                              .measured = measured,
                                              .allowed = claim->allowed,
                                              .what = broken_words(hearing->kept->kind)},
                       name_of(column));
}

void tacit__unchecked(const tacit__masked_hearing *hearing, const tacit__heard_column *column,
                      const char *why)
{
    tacit_masked_claim *claim = &hearing->judge->verdict->claims[hearing->claim];
    claim->checked = false;
    claim->holds = false;
    tacit__masked_find(hearing->judge,
                       (tacit_masked_finding){.kind = TACIT_MASKED_UNCHECKED,
                                              .claim = hearing->claim,
                                              .measured = NAN,
                                              .allowed = claim->allowed,
                                              .what = why},
                       name_of(column));
}

/* ---- claims ---- */

/* How a kind of claim is heard, and what it needs of its columns. */
typedef struct kind_of_claim {
    tacit_status (*hear)(const tacit__masked_hearing *hearing, tacit_error *err);
    bool numbers; /* of its columns; else what they say */
    bool alone;   /* the masked table is enough */
    bool amount;  /* is part of the claim */
} kind_of_claim;

static const kind_of_claim KINDS[] = {
    [TACIT_KEPT_VALUES] = {tacit__hear_values, false, false, false},
    [TACIT_KEPT_UNIT] = {tacit__hear_unit, false, false, false},
    [TACIT_KEPT_SUM] = {tacit__hear_sum, true, false, true},
    [TACIT_KEPT_MOMENTS] = {tacit__hear_moments, true, false, true},
    [TACIT_KEPT_SHARES] = {tacit__hear_shares, false, false, true},
    [TACIT_KEPT_NEAR] = {tacit__hear_near, true, false, true},
    [TACIT_KEPT_GROUPS] = {tacit__hear_groups, false, true, true},
    [TACIT_KEPT_NULL_MAP] = {tacit__hear_null_map, false, false, false},
    [TACIT_KEPT_WRONG_MAP] = {tacit__hear_wrong_map, false, false, false},
    [TACIT_KEPT_RANGE] = {tacit__hear_range, true, true, false},
    [TACIT_KEPT_COMMON] = {tacit__hear_common, false, false, true},
    [TACIT_KEPT_UNCOPIED] = {tacit__hear_uncopied, false, false, false},
    [TACIT_KEPT_TOGETHER] = {tacit__hear_together, false, true, false},
};

static const kind_of_claim *kind_of(const tacit_kept *kept)
{
    size_t kind = (size_t)kept->kind;
    return kind < sizeof KINDS / sizeof *KINDS ? &KINDS[kind] : NULL;
}

/* Claims of a kind that is not known need no columns. */
static size_t columns_of(const tacit_kept *kept)
{
    return kind_of(kept) ? kept->within_count + kept->column_count : 0;
}

static const char *column_at(const tacit_kept *kept, size_t i)
{
    return i < kept->within_count ? kept->within[i] : kept->columns[i - kept->within_count];
}

/* Claims that are heard together, and the columns they speak of. */
typedef struct session {
    tacit__masked_judge *judge;
    tacit__heard_column *columns; /* each once, with room for all that is named */
    size_t count;
    const tacit__heard_column **picked; /* of one claim */
} session;

static tacit__heard_column *find_heard(const session *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->columns[i].name, name) == 0)
            return &s->columns[i];
    return NULL;
}

static tacit__heard_column *column_named(session *s, const char *name)
{
    tacit__heard_column *found = find_heard(s, name);
    if (found)
        return found;
    tacit__heard_column *added = &s->columns[s->count++];
    *added = (tacit__heard_column){.name = name};
    for (int table = 0; table < TACIT__BOTH; table++)
        added->place[table] = tacit_table_find(s->judge->tables[table], tacit_strview_of(name));
    return added;
}

static void add_columns(session *s, const tacit_kept *kept)
{
    for (size_t i = 0; i < columns_of(kept); i++) {
        tacit__heard_column *column = column_named(s, column_at(kept, i));
        if (i >= kept->within_count && kind_of(kept)->numbers)
            column->wants_numbers = true;
        else
            column->wants_tokens = true;
    }
}

/* Why a claim cannot be checked; NULL: it can. */
static const char *reason(const tacit__masked_hearing *h, const tacit__heard_column **column)
{
    const kind_of_claim *kind = kind_of(h->kept);
    *column = NULL;
    if (!kind)
        return "the judge does not know this kind of claim";
    if (h->kept->column_count == 0)
        return "the claim names no column";
    if (kind->amount && !(h->kept->amount >= 0))
        return "the claim's amount is no number, or below 0";
    if (h->kept->kind == TACIT_KEPT_RANGE && !(h->kept->low <= h->kept->high))
        return "the claim's range is none";
    for (size_t i = 0; i < h->count; i++) {
        *column = h->columns[i];
        if (h->columns[i]->place[TACIT__MASKED] < 0)
            return "the masked table does not have the column";
        if (h->columns[i]->place[TACIT__ORIGINAL] < 0 && !kind->alone)
            return "the original does not have the column";
    }
    return NULL;
}

static tacit_status hear(session *s, size_t claim, tacit_error *err)
{
    const tacit_kept *kept = &s->judge->c->kept[claim];
    tacit_masked_claim *verdict = &s->judge->verdict->claims[claim];
    const tacit__heard_column *missing;
    tacit__masked_hearing h = {s->judge,        kept, claim, s->picked, kept->within_count,
                               columns_of(kept)};
    for (size_t i = 0; i < h.count; i++)
        s->picked[i] = find_heard(s, column_at(kept, i));
    *verdict =
        (tacit_masked_claim){.checked = true,
                             .holds = true,
                             .measured = NAN,
                             .allowed = kind_of(kept) && kind_of(kept)->amount ? kept->amount : 0};
    const char *why = reason(&h, &missing);
    if (!why)
        return kind_of(kept)->hear(&h, err);
    tacit__unchecked(&h, missing, why);
    return TACIT_OK;
}

static size_t new_columns(const session *s, const tacit_kept *kept)
{
    size_t added = 0;
    for (size_t i = 0; i < columns_of(kept); i++)
        added += !find_heard(s, column_at(kept, i));
    return added;
}

/* Takes in claims from one on, as many as have few columns together, and returns the first that is
 * left. */
static size_t take_claims(session *s, size_t from)
{
    const tacit_masked_case *c = s->judge->c;
    size_t at = from;
    for (; at < c->kept_count; at++) {
        if (at > from && s->count + new_columns(s, &c->kept[at]) > MAX_COLUMNS)
            break;
        add_columns(s, &c->kept[at]);
    }
    return at;
}

static tacit_status hear_some(tacit__masked_judge *judge, size_t from, size_t *end,
                              tacit_error *err)
{
    size_t room = 0;
    for (size_t i = from; i < judge->c->kept_count; i++)
        room += columns_of(&judge->c->kept[i]);
    session s = {.judge = judge};
    s.columns = tacit__alloc_zeroed(room, sizeof *s.columns);
    s.picked = tacit__alloc_array(room, sizeof *s.picked);
    tacit_status status = s.columns && s.picked ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        *end = take_claims(&s, from);
        status = tacit__masked_load(judge, s.columns, s.count, err);
    }
    for (size_t i = from; status == TACIT_OK && i < *end; i++)
        status = hear(&s, i, err);
    tacit__masked_unload(s.columns, s.count);
    tacit__free(s.columns);
    tacit__free(s.picked);
    return status;
}

/* ---- the whole ---- */

static tacit_status judge_all(tacit__masked_judge *judge, tacit_error *err)
{
    tacit_masked_verdict *verdict = judge->verdict;
    verdict->claims =
        tacit__arena_alloc(judge->arena, judge->c->kept_count * sizeof *verdict->claims);
    if (!verdict->claims)
        return tacit__nomem(err);
    verdict->claim_count = judge->c->kept_count;
    tacit__masked_header(judge);
    tacit_status status = tacit__masked_rows(judge, err);
    if (status == TACIT_OK)
        status = tacit__masked_bytes(judge, err);
    for (size_t from = 0; status == TACIT_OK && from < judge->c->kept_count;)
        status = hear_some(judge, from, &from, err);
    return status == TACIT_OK && judge->out_of_memory ? tacit__nomem(err) : status;
}

tacit_status tacit_audit_masked(tacit_masked_verdict **out, const tacit_masked_case *masked,
                                const tacit_run *run, tacit_error *err)
{
    own_verdict *own = tacit__alloc_zeroed(1, sizeof *own);
    if (!own)
        return tacit__nomem(err);
    own->verdict.holds = true;
    tacit__masked_judge judge = {
        .c = masked,
        .run = run,
        .tables = {masked->original, masked->masked},
        .rows = {tacit_table_rows(masked->original), tacit_table_rows(masked->masked)},
        .verdict = &own->verdict,
        .arena = &own->arena,
    };
    tacit_status status = judge_all(&judge, err);
    if (status == TACIT_OK)
        *out = &own->verdict;
    else
        tacit_masked_verdict_free(&own->verdict);
    return status;
}
