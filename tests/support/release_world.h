/*
 * release_world.h - random small tables with hierarchies and a promise, and what
 * the promise means, by definition: on the text of the two files, every row
 * compared with every other. Uses nothing of the library but its structs.
 *
 * The last column, "row", numbers the rows and is released as it is: it says which
 * row of the original a released one claims to be.
 */
#ifndef TACIT_TESTS_SUPPORT_RELEASE_WORLD_H
#define TACIT_TESTS_SUPPORT_RELEASE_WORLD_H

#include <unistd.h>

#include <tacit/experimental/records.h>

#include "naive_ladder.h"

enum { MAX_ROWS = 40, MAX_ATTRIBUTES = 5 };

typedef enum fate { ATTRIBUTE, CARRIED, DROPPED, PSEUDONYM } fate;

typedef struct column {
    char name[NAIVE_TEXT];
    fate fate;
    int attribute; /* its number; -1: none */
    int place;     /* in the release, unless it is dropped */
    bool person;
} column;

/* A table, and what is asked of its release. */
typedef struct world {
    uint64_t random;
    char delimiter;
    int rows, column_count, attribute_count;
    column columns[NAIVE_COLUMNS];
    char cell[MAX_ROWS][NAIVE_COLUMNS][NAIVE_TEXT];
    int place[MAX_ATTRIBUTES]; /* attribute -> column */
    ladder ladders[MAX_ATTRIBUTES];
    double weight[MAX_ATTRIBUTES];
    int number;    /* the column that numbers the rows */
    int person;    /* column, or -1 */
    int sensitive; /* the column that models speak of, or -1 */
    uint64_t sets[3];
    int set_count;
    tacit_records_options options;
    tacit_apply_options apply;
    bool rows_are_people; /* whatever identifiers say */
    bool ambiguous;       /* rows agree with k rows, "*" with anything, in place of classes */
    char models[80];      /* what is promised beyond k, as a line of the policy */
    naive_text csv;
} world;

/* A release as text, with the row of the original that each row claims; w->rows: one that is not
 * there. */
typedef struct release {
    naive_table text;
    int rows;
    uint32_t order[NAIVE_ROWS];
} release;

/* ---- drawing a world ---- */

static inline int add_column(world *w, const char *name, fate becomes)
{
    column *c = &w->columns[w->column_count];
    *c = (column){.fate = becomes, .attribute = -1};
    snprintf(c->name, sizeof c->name, "%s", name);
    return w->column_count++;
}

/* The columns of the release: all but those that are dropped. */
static inline void place_columns(world *w)
{
    for (int i = 0, place = 0; i < w->column_count; i++) {
        w->columns[i].place = place;
        place += w->columns[i].fate != DROPPED;
    }
}

static inline void draw_columns(world *w)
{
    static const char *const ODD[] = {"", "\"x\"", ";,|", " y", "\n"};
    char name[NAIVE_TEXT];
    w->attribute_count = 1 + (int)draw(&w->random, MAX_ATTRIBUTES);
    for (int i = 0; i < w->attribute_count; i++) {
        snprintf(name, sizeof name, "a%d%s", i, ODD[draw(&w->random, 5)]);
        w->columns[add_column(w, name, ATTRIBUTE)].attribute = i;
    }
    for (int i = (int)draw(&w->random, 3); i > 0; i--) {
        snprintf(name, sizeof name, "c%d", i);
        add_column(w, name, CARRIED);
    }
    for (int i = (int)draw(&w->random, 3); i > 0; i--) {
        snprintf(name, sizeof name, "i%d", i);
        add_column(w, name, draw(&w->random, 2) ? DROPPED : PSEUDONYM);
    }
    if (draw(&w->random, 2))
        w->columns[add_column(w, "who", CARRIED + draw(&w->random, 3))].person = true;
    for (int i = w->column_count - 1; i > 0; i--) {
        int j = (int)draw(&w->random, (uint32_t)i + 1);
        column c = w->columns[i];
        w->columns[i] = w->columns[j];
        w->columns[j] = c;
    }
    w->number = add_column(w, "row", CARRIED);
    w->person = -1;
    for (int i = 0; i < w->column_count; i++) {
        if (w->columns[i].person)
            w->person = i;
        if (w->columns[i].attribute >= 0)
            w->place[w->columns[i].attribute] = i;
    }
    place_columns(w);
}

static inline void draw_attribute(world *w, int attribute, uint32_t missing, const char *folder)
{
    ladder *l = &w->ladders[attribute], pool;
    ladder_begin(l, &pool, folder, attribute, &w->random);
    for (int r = 0; r < w->rows; r++)
        ladder_fill(l, &pool, w->cell[r][w->place[attribute]], missing, &w->random);
    ladder_end(l, &w->random);
}

static inline void draw_cells(world *w, const char *folder)
{
    static const char *const CARRIES[] = {"1", "x y", "", "a;b,c", "say \"no\"", "two\nlines"};
    uint32_t people = 1 + draw(&w->random, 20);
    w->rows = (int)draw(&w->random, MAX_ROWS + 1);
    for (int a = 0; a < w->attribute_count; a++)
        draw_attribute(w, a, draw(&w->random, 3), folder);
    for (int r = 0; r < w->rows; r++)
        for (int c = 0; c < w->column_count; c++) {
            char *cell = w->cell[r][c];
            if (w->columns[c].attribute >= 0)
                continue;
            if (c == w->number)
                sprintf(cell, "%d", r);
            else if (w->columns[c].person && draw(&w->random, 10))
                sprintf(cell, "p%u", draw(&w->random, people));
            else if (w->columns[c].person && w->columns[c].fate == CARRIED)
                strcpy(cell, draw(&w->random, 6) ? "p x" : ""); /* in no other column */
            else if (w->columns[c].fate == CARRIED)
                strcpy(cell, CARRIES[draw(&w->random, 6)]);
            else if (draw(&w->random, 10))
                sprintf(cell, "name %u", draw(&w->random, 60));
        }
}

static inline void draw_promise(world *w)
{
    bool weighed = draw(&w->random, 2);
    w->set_count = (int)draw(&w->random, 4);
    for (int i = 0; i < w->set_count; i++)
        w->sets[i] = 1 + draw(&w->random, (1U << w->attribute_count) - 1);
    for (int a = 0; a < w->attribute_count; a++) /* every attribute is in one */
        w->sets[draw(&w->random, 3) % (w->set_count ? w->set_count : 1)] |= 1U << a;
    w->options = (tacit_records_options){
        .k = 2 + draw(&w->random, 5), /* 1 promises nothing, and is refused */
        .max_suppressed = draw(&w->random, (uint32_t)w->rows + 2),
        .most_general = draw(&w->random, 16) == 0,
        .complement_largest = draw(&w->random, 2),
        .metric = (tacit_metric)draw(&w->random, tacit_metric_count()),
    };
    w->apply = (tacit_apply_options){draw(&w->random, 2), draw(&w->random, 2)};
    w->options.drop_suppressed = w->apply.drop_suppressed;
    for (int a = 0; a < w->attribute_count; a++)
        w->weight[a] = weighed ? 1 + draw(&w->random, 4) : 0;
    w->rows_are_people = draw(&w->random, 2);
}

static inline void write_row(world *w, int row)
{
    bool crlf = draw(&w->random, 50) == 0;
    for (int c = 0; c < w->column_count; c++) {
        if (c > 0)
            naive_put(&w->csv, w->delimiter);
        naive_put_cell(&w->csv, row < 0 ? w->columns[c].name : w->cell[row][c],
                       draw(&w->random, 8) == 0);
    }
    naive_puts(&w->csv, crlf ? "\r\n" : "\n");
}

static inline world *world_new(uint64_t seed, const char *folder)
{
    world *w = calloc(1, sizeof *w);
    assert(w);
    w->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    w->sensitive = -1;
    w->delimiter = ",;\t|"[draw(&w->random, 4)];
    draw_columns(w);
    draw_cells(w, folder);
    draw_promise(w);
    for (int row = -1; row < w->rows; row++)
        write_row(w, row);
    return w;
}

static inline void world_free(world *w)
{
    for (int a = 0; a < w->attribute_count; a++)
        if (w->ladders[a].file[0])
            unlink(w->ladders[a].file);
    free(w->csv.bytes);
    free(w);
}

/* ---- the definitions ---- */

static inline const char *released(const release *r, const world *w, int row, int source)
{
    return r->text.cell[row + 1][w->columns[source].place];
}

static inline const char *value(const release *r, const world *w, int row, int attribute)
{
    return released(r, w, row, w->place[attribute]);
}

static inline bool is_suppressed(const release *r, const world *w, int row)
{
    for (int a = 0; a < w->attribute_count; a++)
        if (strcmp(value(r, w, row, a), "*") != 0)
            return false;
    return true;
}

/* Different people behind the marked rows of the original. */
static inline int people(const world *w, const bool *marked)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++) {
        bool seen = false;
        for (int j = 0; j < i && w->person >= 0 && marked[i] && !seen; j++)
            seen = marked[j] && strcmp(w->cell[i][w->person], w->cell[j][w->person]) == 0;
        count += marked[i] && !seen;
    }
    return count;
}

static inline bool keeps_k(const release *r, const world *w)
{
    uint64_t all = (1U << w->attribute_count) - 1;
    for (int s = 0; s < (w->set_count ? w->set_count : 1); s++)
        for (int i = 0; i < r->rows; i++) {
            bool class[MAX_ROWS] = {false};
            for (int j = 0; j < r->rows; j++) {
                bool same = true;
                for (int a = 0; a < w->attribute_count; a++)
                    if ((w->set_count ? w->sets[s] : all) >> a & 1)
                        same &= strcmp(value(r, w, i, a), value(r, w, j, a)) == 0;
                class[r->order[j]] |= same;
            }
            if (people(w, class) < w->options.k)
                return false;
        }
    return true;
}

/* Each row of the original is there once; those left out may be, and hold k. */
static inline bool keeps_rows(const release *r, const world *w)
{
    bool left[MAX_ROWS];
    memset(left, true, sizeof left);
    for (int i = 0; i < r->rows; i++) {
        if (r->order[i] >= (uint32_t)w->rows || !left[r->order[i]])
            return false;
        left[r->order[i]] = false;
    }
    int out = people(w, left);
    return out == 0 || (w->apply.drop_suppressed && out >= w->options.k);
}

static inline bool suppresses_enough(const release *r, const world *w)
{
    bool gone[MAX_ROWS] = {false};
    for (int i = 0; i < r->rows; i++)
        gone[r->order[i]] = is_suppressed(r, w, i);
    int count = people(w, gone);
    return count == 0 || count >= w->options.k;
}

static inline bool keeps_values(const release *r, const world *w)
{
    for (int i = 0; i < r->rows; i++)
        for (int a = 0; a < w->attribute_count && !is_suppressed(r, w, i); a++)
            if (!ladder_allows(&w->ladders[a], w->cell[r->order[i]][w->place[a]],
                               value(r, w, i, a)))
                return false;
    return true;
}

/* Carried cells say the same; equal pseudonyms are equal identifiers, and none is
 * an identifier. */
static inline bool keeps_cells(const release *r, const world *w)
{
    for (int c = 0; c < w->column_count; c++)
        for (int i = 0; i < r->rows; i++) {
            const char *original = w->cell[r->order[i]][c];
            if (w->columns[c].fate == CARRIED && strcmp(released(r, w, i, c), original) != 0)
                return false;
            if (w->columns[c].fate != PSEUDONYM)
                continue;
            for (int j = 0; j < w->rows; j++)
                if (*w->cell[j][c] && strcmp(released(r, w, i, c), w->cell[j][c]) == 0)
                    return false;
            for (int j = 0; j < i; j++)
                if ((strcmp(released(r, w, i, c), released(r, w, j, c)) == 0) !=
                    (strcmp(original, w->cell[r->order[j]][c]) == 0))
                    return false;
        }
    return true;
}

/* Each row agrees with k rows, "*" with anything. */
static inline bool is_ambiguous(const release *r, const world *w)
{
    for (int i = 0; i < r->rows; i++) {
        int alpha = 0;
        for (int j = 0; j < r->rows; j++) {
            bool agree = true;
            for (int a = 0; a < w->attribute_count; a++) {
                const char *x = value(r, w, i, a), *y = value(r, w, j, a);
                agree &= strcmp(x, y) == 0 || strcmp(x, "*") == 0 || strcmp(y, "*") == 0;
            }
            alpha += agree;
        }
        if (alpha < w->options.k)
            return false;
    }
    return true;
}

/* The first row that is the same as each in all attributes of a set, and the first that a column
 * links it to. */
static inline void first_rows(int *class, int *unit, const release *r, const world *w, uint64_t set,
                              int link)
{
    for (int i = 0; i < r->rows; i++) {
        class[i] = unit[i] = i;
        for (int j = i - 1; j >= 0; j--) {
            bool same = true;
            for (int a = 0; a < w->attribute_count; a++)
                same &= !(set >> a & 1) || strcmp(value(r, w, i, a), value(r, w, j, a)) == 0;
            class[i] = same ? class[j] : class[i];
            if (*released(r, w, i, link) &&
                strcmp(released(r, w, i, link), released(r, w, j, link)) == 0)
                unit[i] = unit[j];
        }
    }
}

/* Whether two people have the row's value of a column, and how many rows have it. */
static inline bool is_shared_value(const release *r, const world *w, int c, int row, int *count)
{
    bool shared = false;
    const char *value = released(r, w, row, c);
    *count = 0;
    for (int j = 0; j < r->rows && *value; j++) {
        const char *one = w->cell[r->order[row]][w->person];
        if (strcmp(value, released(r, w, j, c)) != 0)
            continue;
        ++*count;
        shared |= j != row && (!*one || strcmp(one, w->cell[r->order[j]][w->person]) != 0);
    }
    return shared;
}

/* Whether nine in ten values in several rows of a column that is released as it is are one
 * person's. Rows of nobody are somebody each. */
static inline bool is_disguised(const release *r, const world *w, int c)
{
    int repeated = 0, shared = 0, count;
    if (w->person < 0 || w->columns[c].fate != CARRIED || w->columns[c].person)
        return false;
    for (int i = 0; i < r->rows; i++) {
        bool first = true, both = is_shared_value(r, w, c, i, &count);
        for (int j = 0; j < i; j++)
            first &= strcmp(released(r, w, i, c), released(r, w, j, c)) != 0;
        repeated += first && count > 1;
        shared += first && count > 1 && both;
    }
    return repeated > shared && shared * 10 <= repeated;
}

/* Whether k share the rows that a column links, by its values and (counted) by people. */
static inline bool keeps_trails_of(const release *r, const world *w, uint64_t set, int link,
                                   bool counted)
{
    static int said[MAX_ROWS][MAX_ROWS];
    int class[MAX_ROWS], unit[MAX_ROWS];
    bool repeats = false;
    first_rows(class, unit, r, w, set, link);
    if (is_disguised(r, w, link))
        for (int i = 0, count; i < r->rows; i++)
            unit[i] = is_shared_value(r, w, link, i, &count) ? i : unit[i];
    memset(said, 0, sizeof said);
    for (int i = 0; i < r->rows; i++) {
        said[unit[i]][class[i]]++;
        repeats |= unit[i] != i;
    }
    if (w->ambiguous)
        return !repeats || w->options.k == 1;
    for (int i = 0; i < r->rows && repeats; i++) {
        bool behind[MAX_ROWS] = {false};
        int units = 0;
        for (int j = 0; j < r->rows; j++)
            if (memcmp(said[unit[i]], said[unit[j]], sizeof said[0]) == 0) {
                behind[r->order[j]] = true;
                units += unit[j] == j;
            }
        if (units < w->options.k || (counted && people(w, behind) < w->options.k))
            return false;
    }
    return true;
}

static inline bool keeps_trails(const release *r, const world *w, bool counted)
{
    uint64_t all = (1U << w->attribute_count) - 1;
    for (int c = 0; c < w->column_count; c++)
        for (int s = 0; s < (w->set_count ? w->set_count : 1); s++)
            if ((w->columns[c].fate == PSEUDONYM ||
                 (w->columns[c].person && w->columns[c].fate == CARRIED) ||
                 is_disguised(r, w, c)) &&
                !keeps_trails_of(r, w, w->set_count ? w->sets[s] : all, c,
                                 counted && w->person >= 0))
                return false;
    return true;
}

/* Whether a class of k rows has k different values of an identifier that was dropped; rows without
 * one may be anybody's. */
static inline bool keeps_values_of(const release *r, const world *w, uint64_t set, int dropped)
{
    int class[MAX_ROWS], unit[MAX_ROWS];
    first_rows(class, unit, r, w, set, w->place[0]);
    for (int i = 0; i < r->rows; i++) {
        int size = 0, values = 0;
        for (int j = 0; j < r->rows; j++) {
            const char *value = w->cell[r->order[j]][dropped];
            bool first = class[j] == class[i];
            size += first;
            for (int h = 0; h < j && *value; h++)
                first &= class[h] != class[i] || strcmp(value, w->cell[r->order[h]][dropped]) != 0;
            values += first;
        }
        if (size >= w->options.k && values < w->options.k)
            return false;
    }
    return true;
}

/* Asked where nobody says whose the rows are. */
static inline bool keeps_identifiers(const release *r, const world *w)
{
    uint64_t all = (1U << w->attribute_count) - 1;
    if (w->person >= 0 || w->rows_are_people || w->ambiguous)
        return true;
    for (int c = 0; c < w->column_count; c++)
        for (int s = 0; s < (w->set_count ? w->set_count : 1); s++)
            if (w->columns[c].fate == DROPPED &&
                !keeps_values_of(r, w, w->set_count ? w->sets[s] : all, c))
                return false;
    return true;
}

/* What is promised of people and not of rows. */
static inline bool keeps_people(const release *r, const world *w)
{
    return keeps_trails(r, w, true) && keeps_identifiers(r, w);
}

/* What is promised of rows by themselves. */
static inline bool keeps_promise(const release *r, const world *w)
{
    if (!keeps_rows(r, w)) /* first: a row may claim the place of nobody */
        return false;
    bool k = w->ambiguous ? is_ambiguous(r, w) : suppresses_enough(r, w) && keeps_k(r, w);
    return keeps_values(r, w) && keeps_cells(r, w) && k;
}

#endif
