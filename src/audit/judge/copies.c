/*
 * copies.c - columns that are an identifier under another name.
 *
 * rows.c looks for identifiers inside of carried cells, but not for those that
 * say too little to be told from chance, such as a patient number of eight
 * digits. A carried column that says the same as an identifier in every row is
 * no chance: it is the identifier. Rows without the identifier do not count, and
 * it must change often enough from row to row to say anything.
 *
 * Where rows do not correspond, carried cells are the original's as a multiset
 * (match.c); so here, too, the original's own columns are compared.
 *
 * Cost: a pair of columns is followed to its first difference, so most tables
 * are done after a few rows.
 */
#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/vector.h"

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

static void report(const line_up *l, tacit__judge *judge)
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
        report(&l, judge);
    for (int i = 0; i < 2; i++) {
        tacit__free(l.cells[i]);
        tacit__free(l.buffer[i].bytes);
    }
    tacit__free(l.suspects);
    return l.out_of_memory ? tacit__nomem(err) : TACIT_OK;
}
