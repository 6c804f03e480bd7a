/*
 * cells.c - the cells that a release carries along, row by row; and identifiers that stand in a
 * column of another name, or were to be replaced by pseudonyms (below).
 *
 * Carried cells (neither attribute nor pseudonym) must say what the original's
 * row says, once quotes are stripped.
 *
 * Explicit identifiers must be gone from their rows, not only from the header:
 * a name may stand in a note as well. Each row's own identifiers, dropped or
 * replaced, are looked for in its carried cells, scrubbed text and pseudonyms, as whole
 * tokens: no letter or digit may touch the find. Only telling values are looked
 * for, that is 4 bytes or more with a letter among them, or 9 digits or more;
 * shorter ones turn up by chance. Attributes are not searched: their cells are
 * held to their hierarchy and to k, so what stands there is shared by k people
 * (a town that is also somebody's surname is no finding).
 *
 * Where rows do not correspond, carried cells are compared as a multiset
 * elsewhere (match.c), so it is enough to search the original's own rows.
 *
 * Where both files were read with digests of the carried columns, a row whose
 * digest is that of the row behind it carries the same cells, and its text is
 * looked at only if one of its identifiers is telling; those rows are marked in a
 * pass over the original beforehand. In a shuffled release that spares a trip to
 * anywhere in the original's file for every row.
 *
 * Cost: a pass over the identifiers of the original; else both files' cells are
 * found once more.
 */
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "table/csv_row.h"
#include "table/table.h"

enum { MIN_TELLING = 4, MIN_DIGITS = 9, CHUNK = 256 };

typedef struct cell_pair {
    int32_t here;  /* column of the table that is searched */
    int32_t there; /* column of the original */
} cell_pair;

/* What one worker needs for itself. */
typedef struct desk {
    tacit_strview *here;
    tacit_strview *there;
    tacit__cell_buffer buffer[2];
    bool out_of_memory;
} desk;

typedef struct cells_check {
    tacit__judge *judge;
    const tacit_table *here; /* the release, or the original where rows do not correspond */
    cell_pair *carried;
    int32_t carried_count; /* 0 where rows do not correspond */
    bool digested;         /* digests of exactly the carried columns are at hand */
    uint64_t *telling;     /* bit a row of the original: has a telling identifier */
    int32_t *searched;
    int32_t searched_count;
    desk *desks;
    int workers;
    int32_t subjects; /* carried columns, then identifiers */
    tacit__judge_tally *tallies;
} cells_check;

static bool is_letter(unsigned char c)
{
    return tacit__is_letter(c) || c >= 0x80;
}

static bool is_word(unsigned char c)
{
    return is_letter(c) || tacit__is_digit(c);
}

/* Whether a value says enough to be no coincidence when it turns up. */
static bool telling(tacit_strview value)
{
    if (value.len < MIN_TELLING)
        return false;
    size_t digits = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (is_letter((unsigned char)value.bytes[i]))
            return true;
        digits += tacit__is_digit((unsigned char)value.bytes[i]);
    }
    return digits >= MIN_DIGITS;
}

/* Whether text goes on with the same token across the border before `at`. */
static bool joined(tacit_strview text, size_t at)
{
    return at > 0 && at < text.len && is_word((unsigned char)text.bytes[at - 1]) &&
           is_word((unsigned char)text.bytes[at]);
}

static bool contains_token(tacit_strview text, tacit_strview token)
{
    const char *from = text.bytes, *end = text.bytes + text.len;
    while ((size_t)(end - from) >= token.len) {
        const char *hit = memmem(from, (size_t)(end - from), token.bytes, token.len);
        if (!hit)
            return false;
        size_t at = (size_t)(hit - text.bytes);
        if (!joined(text, at) && !joined(text, at + token.len))
            return true;
        from = hit + 1;
    }
    return false;
}

static tacit_strview text_of(tacit_strview raw, desk *d, int buffer)
{
    tacit_strview text = tacit__cell_says(raw, &d->buffer[buffer]);
    if (text.bytes)
        return text;
    d->out_of_memory = true;
    return (tacit_strview){"", 0};
}

/* Whether two raw cells say the same. */
static bool same_cell(tacit_strview a, tacit_strview b, desk *d)
{
    if (a.len == b.len && (!a.len || memcmp(a.bytes, b.bytes, a.len) == 0))
        return true;
    return tacit_strview_equal(text_of(a, d, 0), text_of(b, d, 1));
}

/* The searched column in which an identifier's value is left, or -1. */
static int32_t left_in(const cells_check *check, desk *d, int32_t identifier)
{
    tacit_strview token = text_of(d->there[identifier], d, 0);
    if (!telling(token))
        return -1;
    for (int32_t i = 0; i < check->searched_count; i++) {
        tacit_strview raw = d->here[check->searched[i]];
        if (raw.len >= token.len && contains_token(text_of(raw, d, 1), token))
            return check->searched[i];
    }
    return -1;
}

static void load_row(const cells_check *check, desk *d, int64_t row)
{
    const tacit__judge *judge = check->judge;
    tacit_table_row(check->here, row, d->here);
    if (check->here != judge->original)
        tacit_table_row(judge->original, tacit__behind(judge, row), d->there);
}

static bool any_telling(const cells_check *check, desk *d)
{
    const tacit__judge *judge = check->judge;
    for (int32_t i = 0; i < judge->promise->identifier_count; i++)
        if (judge->identifiers[i] >= 0 && telling(text_of(d->there[judge->identifiers[i]], d, 0)))
            return true;
    return false;
}

/* Columns of the original up to its last identifier. */
static int32_t columns_to_identifiers(const tacit__judge *judge)
{
    int32_t count = 0;
    for (int32_t i = 0; i < judge->promise->identifier_count; i++)
        if (judge->identifiers[i] >= count)
            count = judge->identifiers[i] + 1;
    return count;
}

static tacit_status mark_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const cells_check *check = context;
    const tacit_table *original = check->judge->original;
    desk *d = &check->desks[worker];
    int32_t columns = columns_to_identifiers(check->judge);
    int64_t from = block * TACIT__BLOCK, end = tacit__block_end(block, tacit_table_rows(original));
    for (int64_t row = from; row < end; row++) {
        tacit__row_at(original, tacit__row_start(original, row),
                      tacit__row_start(original, row + 1), d->there, columns);
        if (any_telling(check, d))
            tacit__bit_set(check->telling, row); /* a block's words are its own */
    }
    tacit__let_go_rows(original, from, end);
    return d->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

static void check_row(const cells_check *check, desk *d, int64_t row, tacit__judge_tally *tallies)
{
    const tacit__judge *judge = check->judge;
    for (int32_t i = 0; i < check->carried_count; i++)
        if (!same_cell(d->here[check->carried[i].here], d->there[check->carried[i].there], d))
            tacit__tally_add(&tallies[i], row);
    for (int32_t i = 0; i < judge->promise->identifier_count; i++)
        if (judge->identifiers[i] >= 0 && left_in(check, d, judge->identifiers[i]) >= 0)
            tacit__tally_add(&tallies[check->carried_count + i], row);
}

/* Whether digests settle a row: the same cells, and no telling identifier. */
static bool settled(const cells_check *check, int64_t row, uint64_t digest_behind)
{
    return tacit_table_digests(check->here)[row] == digest_behind &&
           !(check->telling && tacit__bit_get(check->telling, tacit__behind(check->judge, row)));
}

/* The digests behind some rows are asked for first: loads that do not wait for
 * each other overlap. */
static void check_digested(const cells_check *check, desk *d, int64_t from, int64_t end,
                           tacit__judge_tally *tallies)
{
    const uint64_t *there = tacit_table_digests(check->judge->original);
    uint64_t behind[CHUNK];
    for (int64_t row = from; row < end; row++)
        behind[row - from] = there[tacit__behind(check->judge, row)];
    for (int64_t row = from; row < end; row++) {
        if (settled(check, row, behind[row - from]))
            continue;
        load_row(check, d, row);
        check_row(check, d, row, tallies);
    }
}

static tacit_status check_cells_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const cells_check *check = context;
    desk *d = &check->desks[worker];
    tacit__judge_tally *tallies = &check->tallies[(int64_t)worker * check->subjects];
    int64_t from = block * TACIT__BLOCK;
    int64_t end = tacit__block_end(block, tacit_table_rows(check->here));
    for (int64_t row = from; check->digested && row < end; row += CHUNK)
        check_digested(check, d, row, end - row < CHUNK ? end : row + CHUNK, tallies);
    for (int64_t row = from; !check->digested && row < end; row++) {
        load_row(check, d, row);
        check_row(check, d, row, tallies);
    }
    tacit__let_go_rows(check->here, from, end);
    return d->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

static void choose_columns(cells_check *check)
{
    const tacit__judge *judge = check->judge;
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++) {
        const tacit__release_column *column = &judge->columns[i];
        bool carried = column->role == TACIT__CARRIED;
        if (judge->corresponds && carried)
            check->carried[check->carried_count++] = (cell_pair){i, column->source};
        bool rewritten = column->role == TACIT__PSEUDONYM || column->role == TACIT__SCRUBBED;
        if (judge->corresponds && (carried || rewritten))
            check->searched[check->searched_count++] = i;
        else if (carried)
            check->searched[check->searched_count++] = column->source;
    }
    check->subjects = check->carried_count + judge->promise->identifier_count;
}

static bool set_desks(cells_check *check)
{
    for (int i = 0; i < check->workers; i++) {
        desk *d = &check->desks[i];
        bool same = check->here == check->judge->original;
        size_t here = (size_t)tacit_table_columns(check->here);
        size_t there = same ? 0 : (size_t)tacit_table_columns(check->judge->original);
        d->here = tacit__alloc_array(here + there, sizeof *d->here);
        if (!d->here)
            return false;
        d->there = same ? d->here : d->here + here;
    }
    return true;
}

static void report_changed(const cells_check *check, int32_t subject, tacit__judge_tally tally)
{
    tacit__judge *judge = check->judge;
    const tacit__release_column *column = &judge->columns[check->carried[subject].here];
    tacit__find(judge, TACIT_FINDING_CHANGED, tally.first + 1, tally.count,
                "column \"%s\" differs from the original in %lld rows; the first is row %lld (line "
                "%lld)",
                tacit__show(column->name).text, (long long)tally.count,
                (long long)(tally.first + 1),
                (long long)tacit_table_line(judge->release, tally.first));
}

static void report_identifier(const cells_check *check, int32_t identifier,
                              tacit__judge_tally tally)
{
    tacit__judge *judge = check->judge;
    desk *d = &check->desks[0];
    load_row(check, d, tally.first);
    int32_t column = left_in(check, d, judge->identifiers[identifier]);
    tacit_strview name = {"", 0};
    if (column >= 0)
        name = check->here == judge->original ? tacit_table_name(judge->original, column)
                                              : judge->columns[column].name;
    tacit__find(judge, TACIT_FINDING_IDENTIFIER, judge->corresponds ? tally.first + 1 : 0,
                tally.count,
                "identifier \"%s\" is left in other cells of %lld rows; the first is column \"%s\" "
                "of row %lld (line %lld) of the %s",
                tacit__show(tacit_strview_of(judge->promise->identifiers[identifier].name)).text,
                (long long)tally.count, tacit__show(name).text, (long long)(tally.first + 1),
                (long long)tacit_table_line(check->here, tally.first),
                judge->corresponds ? "release" : "original");
}

static void report_cells(const cells_check *check)
{
    for (int32_t i = 0; i < check->subjects; i++) {
        tacit__judge_tally tally =
            tacit__tally_sum(check->tallies, check->workers, check->subjects, i);
        if (!tally.count)
            continue;
        if (i < check->carried_count)
            report_changed(check, i, tally);
        else
            report_identifier(check, i - check->carried_count, tally);
    }
}

static void clear(cells_check *check)
{
    for (int i = 0; check->desks && i < check->workers; i++) {
        tacit__free(check->desks[i].here);
        tacit__free(check->desks[i].buffer[0].bytes);
        tacit__free(check->desks[i].buffer[1].bytes);
    }
    tacit__free(check->desks);
    tacit__free(check->carried);
    tacit__free(check->telling);
    tacit__free(check->searched);
    tacit__free(check->tallies);
}

/* Whether both tables have digests of exactly the carried columns, in the same
 * order. */
static bool has_digests(const cells_check *check)
{
    const tacit__judge *judge = check->judge;
    if (!judge->corresponds || !tacit_table_digests(judge->release) ||
        !tacit_table_digests(judge->original))
        return false;
    int32_t here = 0, there = 0;
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++)
        here += tacit_table_is_digested(judge->release, i);
    for (int32_t i = 0; i < tacit_table_columns(judge->original); i++)
        there += tacit_table_is_digested(judge->original, i);
    for (int32_t i = 0; i < check->carried_count; i++) {
        cell_pair pair = check->carried[i];
        if (!tacit_table_is_digested(judge->release, pair.here) ||
            !tacit_table_is_digested(judge->original, pair.there) ||
            (i > 0 && pair.there < check->carried[i - 1].there))
            return false;
    }
    return here == check->carried_count && there == check->carried_count;
}

static tacit_status mark_telling(cells_check *check, tacit_error *err)
{
    const tacit__judge *judge = check->judge;
    check->digested = has_digests(check);
    if (!check->digested || columns_to_identifiers(judge) == 0)
        return TACIT_OK;
    int64_t rows = tacit_table_rows(judge->original);
    check->telling = tacit__alloc_zeroed(tacit__bitset_words(rows), sizeof *check->telling);
    if (!check->telling)
        return tacit__nomem(err);
    return tacit__parallel(judge->run, "judging cells", tacit__blocks(rows), mark_block, check,
                           err);
}

tacit_status tacit__judge_cells(tacit__judge *judge, tacit_error *err)
{
    cells_check check = {.judge = judge, .workers = tacit__threads(judge->run)};
    check.here = judge->corresponds ? judge->release : judge->original;
    size_t columns = (size_t)tacit_table_columns(judge->release);
    tacit_status status = TACIT_OK;
    check.carried = tacit__alloc_array(columns, sizeof *check.carried);
    check.searched = tacit__alloc_array(columns, sizeof *check.searched);
    check.desks = tacit__alloc_zeroed((size_t)check.workers, sizeof *check.desks);
    if (!check.carried || !check.searched || !check.desks || !set_desks(&check)) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    choose_columns(&check);
    check.tallies = tacit__tallies_new(check.workers, check.subjects);
    if (!check.tallies) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    if (check.subjects == 0 || check.searched_count == 0)
        goto cleanup; /* nothing but attributes in the release */
    int64_t blocks = tacit__blocks(tacit_table_rows(check.here));
    status = mark_telling(&check, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(judge->run, "judging cells", blocks, check_cells_block, &check, err);
    if (status == TACIT_OK)
        report_cells(&check);
cleanup:
    clear(&check);
    return status;
}

/* Columns that are an identifier under another name.
 *
 * The search above looks for identifiers inside of carried cells, but not for those that say too
 * little to be told from chance, such as a patient number of eight digits. A carried column that
 * says the same as an identifier in every row is no chance: it is the identifier. Rows without the
 * identifier do not count, and it must change often enough from row to row to say anything.
 *
 * Where rows do not correspond, carried cells are the original's as a multiset (match.c); so here,
 * too, the original's own columns are compared.
 *
 * Cost: a pair of columns is followed to its first difference, so most tables are done after a few
 * rows. */

enum { MIN_CHANGES = 4 };

/* A column of the original that may be a copy of an identifier. */
typedef struct suspect {
    int32_t identifier; /* of the promise */
    int32_t column;     /* of the release */
    int64_t rows;       /* in which both say the same */
    int64_t changes;    /* rows whose value is not that of the row before */
} suspect;

typedef struct line_up {
    const tacit__judge *judge;
    suspect *suspects;
    size_t count;
    size_t capacity;
    tacit_strview *cells[2]; /* of this row and the one before */
    tacit__cell_buffer buffer[2];
    bool out_of_memory;
} line_up;

static bool add_suspects(line_up *l, int32_t identifier)
{
    for (int32_t i = 0; i < tacit_table_columns(l->judge->release); i++) {
        const tacit__release_column *column = &l->judge->columns[i];
        if (column->role != TACIT__CARRIED || column->source < 0)
            continue;
        if (!TACIT__RESERVE_ONE(l->suspects, l->capacity, l->count))
            return false;
        l->suspects[l->count++] = (suspect){.identifier = identifier, .column = i};
    }
    return true;
}

/* Identifiers are read without the guard against spreadsheets that their copies have. */
static bool same(line_up *l, tacit_strview a, tacit_strview b)
{
    tacit_strview x = tacit__cell_says(a, &l->buffer[0]), y = tacit__cell_says(b, &l->buffer[1]);
    l->out_of_memory |= !x.bytes || !y.bytes;
    if (tacit_table_guard(l->judge->original) == TACIT_GUARD_NONE)
        return tacit_strview_equal(x, y);
    return tacit_strview_equal(tacit__unguarded(x), tacit__unguarded(y));
}

/* Whether a row leaves the suspicion as it is, or adds to it. */
static bool holds(line_up *l, suspect *s, int64_t row)
{
    const tacit__judge *judge = l->judge;
    int32_t there = judge->identifiers[s->identifier];
    tacit_strview value = l->cells[row & 1][there];
    if (same(l, value, (tacit_strview){"", 0}))
        return true;
    if (!same(l, value, l->cells[row & 1][judge->columns[s->column].source]))
        return false;
    s->rows++;
    s->changes += row > 0 && !same(l, value, l->cells[~row & 1][there]);
    return true;
}

/* Follows all suspects through the rows while any is left. */
static void follow(line_up *l)
{
    int64_t rows = tacit_table_rows(l->judge->original);
    for (int64_t row = 0; row < rows && l->count > 0; row++) {
        size_t kept = 0;
        tacit_table_row(l->judge->original, row, l->cells[row & 1]);
        for (size_t i = 0; i < l->count; i++)
            if (holds(l, &l->suspects[i], row))
                l->suspects[kept++] = l->suspects[i];
        l->count = kept;
    }
}

static void report_copies(const line_up *l, tacit__judge *judge)
{
    for (size_t i = 0; i < l->count; i++) {
        const suspect *s = &l->suspects[i];
        const char *name = judge->promise->identifiers[s->identifier].name;
        if (s->changes >= MIN_CHANGES)
            tacit__find(judge, TACIT_FINDING_IDENTIFIER, 0, s->rows,
                        "column \"%s\" is a copy of identifier \"%s\"",
                        tacit__show(judge->columns[s->column].name).text,
                        tacit__show(tacit_strview_of(name)).text);
    }
}

tacit_status tacit__judge_copies(tacit__judge *judge, tacit_error *err)
{
    line_up l = {.judge = judge};
    size_t columns = (size_t)tacit_table_columns(judge->original);
    l.cells[0] = tacit__alloc_array(columns, sizeof *l.cells[0]);
    l.cells[1] = tacit__alloc_array(columns, sizeof *l.cells[1]);
    l.out_of_memory = !l.cells[0] || !l.cells[1];
    for (int32_t i = 0; i < judge->promise->identifier_count && !l.out_of_memory; i++)
        if (judge->identifiers[i] >= 0)
            l.out_of_memory = !add_suspects(&l, i);
    if (!l.out_of_memory)
        follow(&l);
    if (!l.out_of_memory)
        report_copies(&l, judge);
    for (int i = 0; i < 2; i++) {
        tacit__free(l.cells[i]);
        tacit__free(l.buffer[i].bytes);
    }
    tacit__free(l.suspects);
    return l.out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

/* Identifiers that were to be replaced, not only renamed.
 *
 * No pseudonym may be a value that the identifier has anywhere in the original. And pseudonyms are
 * consistent: one for each value, another for each other. That is so exactly if there are as many
 * different values as different pseudonyms as different pairs of both; where rows do not
 * correspond, pairs are unknown and only the first two numbers are compared. Pseudonyms per row
 * are told from the release alone: there are as many as rows.
 *
 * Values are compared by 64-bit hashes, sorted. Hashes that meet by chance can only add a finding,
 * never hide one; with 10 million values the chance is one in a hundred thousand. Cost: a reading
 * of both columns, 48 bytes a row. */

typedef struct column_hashing {
    const tacit_table *table;
    int32_t column;
    uint64_t *out;
    tacit_strview *cells; /* a row's worth for each worker */
    tacit__cell_buffer *buffers;
} column_hashing;

/* Hash of a row's cell; false when memory ran out. */
static bool hash_cell(uint64_t *out, const column_hashing *h, int64_t row, int worker)
{
    tacit_strview *cells = h->cells + (int64_t)worker * tacit_table_columns(h->table);
    tacit_table_row(h->table, row, cells);
    tacit_strview text = tacit__cell_says(cells[h->column], &h->buffers[worker]);
    *out = tacit__hash_bytes(text.bytes, text.len);
    return text.bytes != NULL;
}

static tacit_status hash_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const column_hashing *h = context;
    int64_t end = tacit__block_end(block, tacit_table_rows(h->table));
    for (int64_t i = block * TACIT__BLOCK; i < end; i++)
        if (!hash_cell(&h->out[i], h, i, worker))
            return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status hashing_init(column_hashing *h, const tacit_table *table, int32_t column,
                                 int workers, tacit_error *err)
{
    size_t cells;
    *h = (column_hashing){.table = table, .column = column};
    if (tacit__multiply((size_t)workers, (size_t)tacit_table_columns(table), &cells))
        h->cells = tacit__alloc_array(cells, sizeof *h->cells);
    h->buffers = tacit__alloc_zeroed((size_t)workers, sizeof *h->buffers);
    return h->cells && h->buffers ? TACIT_OK : tacit__nomem(err);
}

static void hashing_clear(column_hashing *h, int workers)
{
    for (int i = 0; h->buffers && i < workers; i++)
        tacit__free(h->buffers[i].bytes);
    tacit__free(h->buffers);
    tacit__free(h->cells);
}

/* A table's column as hashes, in the order of its rows. */
static tacit_status hash_column(tacit__sorter *out, const tacit__judge *judge,
                                const tacit_table *table, int32_t column, tacit_error *err)
{
    column_hashing h;
    int workers = tacit__threads(judge->run);
    int64_t rows = tacit_table_rows(table);
    tacit_status status = hashing_init(&h, table, column, workers, err);
    if (status == TACIT_OK)
        status = tacit__sorter_init(out, rows, 64, false, err);
    h.out = out->keys;
    if (status == TACIT_OK)
        status = tacit__parallel(judge->run, "judging pseudonyms", tacit__blocks(rows), hash_block,
                                 &h, err);
    hashing_clear(&h, workers);
    return status;
}

/* The numbers of different values, pseudonyms and pairs among released rows. */
typedef struct differing {
    int64_t values;
    int64_t pseudonyms;
    int64_t pairs;
} differing;

/* Values of the released rows, or those paired with their pseudonyms. */
static tacit_status count_behind(int64_t *out, const tacit__judge *judge,
                                 const tacit__sorter *values, const tacit__sorter *pseudonyms,
                                 tacit_error *err)
{
    tacit__sorter sorter = {0};
    tacit_status status =
        tacit__sorter_init(&sorter, tacit_table_rows(judge->release), 64, false, err);
    for (int64_t i = 0; status == TACIT_OK && i < sorter.count; i++) {
        sorter.keys[i] = values->keys[tacit__behind(judge, i)];
        if (pseudonyms)
            sorter.keys[i] = tacit__mix(tacit__mix(sorter.keys[i]) + pseudonyms->keys[i]);
    }
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&sorter, judge->run, err);
    *out = tacit__sorter_distinct(&sorter);
    tacit__sorter_clear(&sorter);
    return status;
}

/* Rows whose pseudonym is among the original's values; both sorted. */
static int64_t count_left(const tacit__sorter *pseudonyms, const tacit__sorter *values)
{
    uint64_t missing = tacit__hash_bytes("", 0);
    int64_t left = 0, at = 0;
    for (int64_t i = 0; i < pseudonyms->count; i++) {
        uint64_t key = pseudonyms->keys[i];
        while (at < values->count && values->keys[at] < key)
            at++;
        left += key != missing && at < values->count && values->keys[at] == key;
    }
    return left;
}

/* The first row of the release whose pseudonym is among sorted values. */
static tacit_status first_left(int64_t *out, const tacit__judge *judge, int32_t column,
                               const tacit__sorter *values, tacit_error *err)
{
    tacit__sorter hashes = {0};
    tacit_status status = hash_column(&hashes, judge, judge->release, column, err);
    uint64_t missing = tacit__hash_bytes("", 0);
    for (int64_t i = 0; status == TACIT_OK && i < hashes.count; i++) {
        int64_t at = tacit__sorter_place(values, hashes.keys[i]);
        if (hashes.keys[i] != missing && at < values->count && values->keys[at] == hashes.keys[i]) {
            *out = i;
            break;
        }
    }
    tacit__sorter_clear(&hashes);
    return status;
}

static void report_differing(tacit__judge *judge, int32_t column, differing d)
{
    tacit__shown name = tacit__show(judge->columns[column].name);
    if (judge->corresponds && (d.pairs != d.values || d.pairs != d.pseudonyms))
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, d.pairs,
                    "pseudonyms in column \"%s\" are not one to one: %lld values and %lld "
                    "pseudonyms make %lld pairs",
                    name.text, (long long)d.values, (long long)d.pseudonyms, (long long)d.pairs);
    bool all = judge->verdict->unreleased_rows == 0;
    if (!judge->corresponds && (d.pseudonyms > d.values || (all && d.pseudonyms < d.values)))
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, d.pseudonyms,
                    "column \"%s\" has %lld different pseudonyms for %lld different values",
                    name.text, (long long)d.pseudonyms, (long long)d.values);
}

/* values and pseudonyms are hashed, and are sorted here. */
static tacit_status judge_hashes(tacit__judge *judge, int32_t column, tacit__sorter *values,
                                 tacit__sorter *pseudonyms, tacit_error *err)
{
    differing d = {0};
    tacit_status status = TACIT_OK;
    if (judge->corresponds)
        status = count_behind(&d.pairs, judge, values, pseudonyms, err);
    if (status == TACIT_OK && judge->corresponds)
        status = count_behind(&d.values, judge, values, NULL, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(values, judge->run, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(pseudonyms, judge->run, err);
    if (status != TACIT_OK)
        return status;
    d.pseudonyms = tacit__sorter_distinct(pseudonyms);
    if (!judge->corresponds)
        d.values = tacit__sorter_distinct(values);
    if (!judge->columns[column].per_row)
        report_differing(judge, column, d);
    int64_t left = count_left(pseudonyms, values), first = 0;
    if (!left)
        return TACIT_OK;
    status = first_left(&first, judge, column, values, err);
    if (status == TACIT_OK)
        tacit__find(judge, TACIT_FINDING_IDENTIFIER, first + 1, left,
                    "column \"%s\" was to be replaced, but has values of the original in %lld "
                    "rows; the first is row %lld (line %lld)",
                    tacit__show(judge->columns[column].name).text, (long long)left,
                    (long long)(first + 1), (long long)tacit_table_line(judge->release, first));
    return status;
}

tacit_status tacit__judge_row_pseudonyms(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit_table_columns(judge->release) && status == TACIT_OK; i++) {
        tacit__sorter pseudonyms = {0};
        if (!judge->columns[i].per_row)
            continue;
        status = hash_column(&pseudonyms, judge, judge->release, i, err);
        if (status == TACIT_OK)
            status = tacit__sorter_sort(&pseudonyms, judge->run, err);
        int64_t repeated = pseudonyms.count - tacit__sorter_distinct(&pseudonyms);
        tacit__sorter_clear(&pseudonyms);
        if (status == TACIT_OK && repeated > 0)
            tacit__find(judge, TACIT_FINDING_CHANGED, 0, repeated,
                        "column \"%s\" was to have another pseudonym in every row, but %lld rows "
                        "have one that was there before",
                        tacit__show(judge->columns[i].name).text, (long long)repeated);
    }
    return status;
}

tacit_status tacit__judge_pseudonyms(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit_table_columns(judge->release) && status == TACIT_OK; i++) {
        const tacit__release_column *column = &judge->columns[i];
        if (column->role != TACIT__PSEUDONYM)
            continue;
        tacit__sorter values = {0}, pseudonyms = {0};
        status = hash_column(&values, judge, judge->original, column->source, err);
        if (status == TACIT_OK)
            status = hash_column(&pseudonyms, judge, judge->release, i, err);
        if (status == TACIT_OK)
            status = judge_hashes(judge, i, &values, &pseudonyms, err);
        tacit__sorter_clear(&values);
        tacit__sorter_clear(&pseudonyms);
    }
    return status;
}
