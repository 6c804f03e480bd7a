/*
 * pram.c - post-randomization (PRAM): categories become others by chance, with probabilities that
 * recipients may be told, so that they can reckon with them (Gouweleeuw, Kooiman, Willenborg and de
 * Wolf, Post randomisation for statistical disclosure control, 1998). Empty cells stay empty.
 *
 * plain: a value stays with probability keep and else becomes any other of its group, each alike;
 * or it becomes what its row of the matrix P says.
 *
 * invariant, with keep: a value stays with probability keep, and else is drawn from the values of
 * its group as they are distributed. With a matrix: in two steps (Kooiman, Willenborg and
 * Gouweleeuw, PRAM: a method for disclosure limitation of microdata, 1997): first as P says, to l;
 * then back by Q with Q(l, j) = P(j, l) t(j) / sum over i of P(i, l) t(i), t being the counts of
 * the group. t P Q = t, so counts are expected to stay. A row of Q is made when it is first used.
 *
 * exact: the first step is the same, but then the values of those rows of a group that went to the
 * same place are shuffled among them: drawing by Q without replacement. Counts stay as they are.
 *
 * Columns are coded side by side. Rows are gone through group by group, in stretches of which each
 * has a stream of its own. A cell costs a search among the states of its group or the matrix.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/categories/transition.h"
#include "techniques/swap/exchange.h"

typedef enum pram_way {
    PLAIN,     /* as the matrix says */
    INVARIANT, /* such that the distribution is expected to stay */
    EXACT      /* such that it stays */
} pram_way;

#define NO_STATE UINT32_MAX

/* The states that a group's rows have, and how many rows up to and including each. */
typedef struct pram_list {
    int64_t *starts; /* of each group, one more than there are */
    uint32_t *states;
    int64_t *upto;
} pram_list;

/* A column's cells as states: places in the matrix where there is one, else codes. */
typedef struct pram {
    const tacit__runner_call *call;
    const tacit__sheet *sheet;
    tacit__sheet_column *column;
    uint32_t place; /* of the column among those of the step */
    pram_way way;
    double keep;
    const tacit__transition *matrix; /* NULL: as keep says */
    const double *sums;              /* of the matrix's rows, up to and including each entry */
    const tacit__row_groups *groups;
    uint32_t *states; /* a row each, as they were; NO_STATE: no value */
    uint32_t state_count;
    tacit__cell *cells; /* of each state */
    pram_list list;
    atomic_int_fast64_t changed;
} pram;

/* The first entry above a number below the last. */
static uint32_t find_share(const double *sums, uint32_t count, double number)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t by_matrix(const pram *p, uint32_t state, tacit__random *random)
{
    const double *sums = p->sums + (size_t)state * p->state_count;
    return find_share(sums, p->state_count, tacit__random_unit(random) * sums[p->state_count - 1]);
}

/* A stretch of rows, and the group that it has come to. */
typedef struct strip {
    const pram *pram;
    tacit__random random;
    uint32_t group;
    const uint32_t *states; /* of the group */
    const int64_t *upto;
    uint32_t count;
    double *back;       /* rows of Q, summed up: one for each state of the matrix */
    uint32_t *made_for; /* the group that each was made for, plus 1 */
} strip;

static void enter_group(strip *s, uint32_t group)
{
    const pram_list *list = &s->pram->list;
    s->group = group;
    s->states = list->states + list->starts[group];
    s->upto = list->upto + list->starts[group];
    s->count = (uint32_t)(list->starts[group + 1] - list->starts[group]);
}

/* Any other state of the group; the last stands in for the one that it is. */
static uint32_t any_other(strip *s, uint32_t state)
{
    if (s->count < 2)
        return state;
    uint32_t drawn = s->states[tacit__random_below(&s->random, s->count - 1)];
    return drawn == state ? s->states[s->count - 1] : drawn;
}

/* A state of the group as often as it is there. */
static uint32_t as_distributed(strip *s)
{
    int64_t drawn = (int64_t)tacit__random_below64(&s->random, (uint64_t)s->upto[s->count - 1]);
    uint32_t low = 0, high = s->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->upto[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return s->states[low];
}

/* Back from where the matrix led, by Bayes' rule. */
static uint32_t back_from(strip *s, uint32_t through)
{
    const pram *p = s->pram;
    double *sums = s->back + (size_t)through * p->state_count, sum = 0;
    for (uint32_t i = 0; s->made_for[through] != s->group + 1 && i < s->count; i++) {
        int64_t rows = s->upto[i] - (i ? s->upto[i - 1] : 0);
        sum += p->matrix->shares[(size_t)s->states[i] * p->state_count + through] * (double)rows;
        sums[i] = sum;
    }
    s->made_for[through] = s->group + 1;
    return s
        ->states[find_share(sums, s->count, tacit__random_unit(&s->random) * sums[s->count - 1])];
}

static uint32_t drawn_anew(strip *s, uint32_t state)
{
    const pram *p = s->pram;
    if (p->matrix) {
        uint32_t through = by_matrix(p, state, &s->random);
        return p->way == INVARIANT ? back_from(s, through) : through;
    }
    if (tacit__random_unit(&s->random) < p->keep)
        return state;
    return p->way == INVARIANT ? as_distributed(s) : any_other(s, state);
}

static bool put_state(pram *p, int64_t row, uint32_t state)
{
    if (state == p->states[row])
        return false;
    tacit__cell_put(p->column, row, p->cells[state]);
    return true;
}

/* Streams of a column follow those of the columns before it. */
static void begin(tacit__random *random, const pram *p, uint8_t purpose, int64_t stretch)
{
    int64_t stretches = (p->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    tacit__call_random(random, p->call, purpose, (uint32_t)(p->place * stretches + stretch));
}

static tacit_status randomize_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                      int worker, tacit_error *err)
{
    pram *p = context;
    strip s = {.pram = p, .group = UINT32_MAX};
    size_t back = p->matrix && p->way == INVARIANT ? p->state_count : 0;
    int64_t changed = 0;
    (void)worker;
    s.back = tacit__alloc_array(back * back, sizeof *s.back);
    s.made_for = tacit__alloc_zeroed(back, sizeof *s.made_for);
    tacit_status status = s.back && s.made_for ? TACIT_OK : tacit__nomem(err);
    begin(&s.random, p, 0, stretch);
    for (int64_t i = from; status == TACIT_OK && i < to; i++) {
        uint32_t row = p->groups->rows[i];
        if (p->states[row] == NO_STATE)
            continue;
        if (p->groups->group[row] != s.group)
            enter_group(&s, p->groups->group[row]);
        changed += put_state(p, row, drawn_anew(&s, p->states[row]));
    }
    tacit__free(s.back);
    tacit__free(s.made_for);
    atomic_fetch_add(&p->changed, changed);
    return status;
}

/* ---- exact ---- */

typedef struct sorting {
    pram *pram;
    uint32_t *through; /* of each row: where the first step led; NO_STATE: it stays */
    uint32_t *order;   /* rows by group, then by where it led */
    uint32_t *spare;
    int64_t *starts; /* while counting */
} sorting;

static tacit_status lead_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    const sorting *s = context;
    const pram *p = s->pram;
    tacit__random random;
    (void)worker, (void)err;
    begin(&random, p, 0, stretch);
    for (int64_t row = from; row < to; row++) {
        uint32_t state = p->states[row];
        s->through[row] = NO_STATE;
        if (state != NO_STATE && p->matrix)
            s->through[row] = by_matrix(p, state, &random);
        else if (state != NO_STATE && tacit__random_unit(&random) >= p->keep)
            s->through[row] = 0;
    }
    return TACIT_OK;
}

/* Orders rows by where the first step led, then, which leaves that order within them, by group.
 * Returns how many rows take part. */
static int64_t sort_rows(sorting *s)
{
    const pram *p = s->pram;
    int64_t rows = p->sheet->rows, count = 0;
    uint32_t places = p->matrix ? p->state_count : 1;
    memset(s->starts, 0, ((size_t)places + 1) * sizeof *s->starts);
    for (int64_t row = 0; row < rows; row++)
        if (s->through[row] != NO_STATE)
            s->starts[s->through[row] + 1]++;
    for (uint32_t i = 0; i < places; i++)
        s->starts[i + 1] += s->starts[i];
    count = s->starts[places];
    for (int64_t i = 0; i < rows; i++)
        if (s->through[i] != NO_STATE)
            s->spare[s->starts[s->through[i]]++] = (uint32_t)i;
    memset(s->starts, 0, ((size_t)p->groups->count + 1) * sizeof *s->starts);
    for (int64_t i = 0; i < count; i++)
        s->starts[p->groups->group[s->spare[i]] + 1]++;
    for (uint32_t i = 0; i < p->groups->count; i++)
        s->starts[i + 1] += s->starts[i];
    for (int64_t i = 0; i < count; i++)
        s->order[s->starts[p->groups->group[s->spare[i]]]++] = s->spare[i];
    return count;
}

static int64_t shuffle_run(sorting *s, int64_t from, int64_t to, tacit__random *random)
{
    pram *p = s->pram;
    int64_t changed = 0;
    for (int64_t i = from; i < to; i++)
        s->spare[i] = p->states[s->order[i]];
    tacit__shuffle_list(s->spare + from, to - from, random);
    for (int64_t i = from; i < to; i++)
        changed += put_state(p, s->order[i], s->spare[i]);
    return changed;
}

static void shuffle(sorting *s, int64_t count)
{
    const pram *p = s->pram;
    tacit__random random;
    begin(&random, p, 1, 0);
    for (int64_t from = 0, to; from < count; from = to) {
        uint32_t group = p->groups->group[s->order[from]], through = s->through[s->order[from]];
        for (to = from + 1; to < count && p->groups->group[s->order[to]] == group &&
                            s->through[s->order[to]] == through;)
            to++;
        s->pram->changed += shuffle_run(s, from, to, &random);
    }
}

static tacit_status draw_exactly(pram *p, tacit_error *err)
{
    size_t rows = (size_t)p->sheet->rows, places = p->matrix ? p->state_count : 1;
    size_t counts = places > p->groups->count ? places : p->groups->count;
    sorting s = {.pram = p};
    s.through = tacit__alloc_array(rows, sizeof *s.through);
    s.order = tacit__alloc_array(rows, sizeof *s.order);
    s.spare = tacit__alloc_array(rows, sizeof *s.spare);
    s.starts = tacit__alloc_array(counts + 2, sizeof *s.starts);
    tacit_status status =
        s.through && s.order && s.spare && s.starts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__stretches(p->sheet, "drawing categories", lead_stretch, &s, err);
    if (status == TACIT_OK)
        shuffle(&s, sort_rows(&s));
    tacit__free(s.through);
    tacit__free(s.order);
    tacit__free(s.spare);
    tacit__free(s.starts);
    return status;
}

/* Draws anew and writes what has changed. */
static tacit_status draw_states(pram *p, tacit_error *err)
{
    if (p->way == EXACT)
        return draw_exactly(p, err);
    return tacit__stretches(p->sheet, "drawing categories", randomize_stretch, p, err);
}

enum { PRAM_COLUMNS, PRAM_KEEP, PRAM_MATRIX, PRAM_WAY, PRAM_WITHIN };

static const char *const PRAM_WAYS[] = {"plain", "invariant", "exact", NULL};

static const tacit_technique_option PRAM_OPTIONS[] = {
    [PRAM_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of categories",
                      .required = true},
    [PRAM_KEEP] = {"keep", TACIT_TECHNIQUE_NUMBER,
                   .help = "the probability that a value is not drawn anew", .most = 1,
                   .usual = 0.8},
    [PRAM_MATRIX] = {"matrix", TACIT_TECHNIQUE_FILE,
                     .help =
                         "in place of keep: a CSV file of probabilities, a row and a column for "
                         "each category"},
    [PRAM_WAY] =
        {"way", TACIT_TECHNIQUE_CHOICE,
         .help = "as the probabilities say, such that the distribution is expected to stay, or "
                 "such that it does",
         .choices = PRAM_WAYS},
    [PRAM_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                     .help = "values are drawn from rows that agree in these columns"},
    {.name = NULL},
};

static tacit_status check_pram(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[PRAM_MATRIX].given && values[PRAM_KEEP].given)
        return tacit__call_error(call, &values[PRAM_MATRIX], err,
                                 "either keep or matrix, not both");
    if (values[PRAM_MATRIX].given && values[PRAM_WITHIN].given && values[PRAM_WAY].choice == PLAIN)
        return tacit__call_error(
            call, &values[PRAM_WITHIN], err,
            "a matrix by itself draws alike in all groups; take way: invariant "
            "or exact, or leave out within");
    for (size_t i = 0; i < values[PRAM_WITHIN].text_count; i++)
        for (size_t j = 0; j < values[PRAM_COLUMNS].text_count; j++)
            if (strcmp(values[PRAM_WITHIN].texts[i], values[PRAM_COLUMNS].texts[j]) == 0)
                return tacit__call_error(call, &values[PRAM_WITHIN], err,
                                         "column %.64s cannot be drawn within itself",
                                         values[PRAM_WITHIN].texts[i]);
    if (!values[PRAM_MATRIX].given)
        return TACIT_OK;
    tacit__transition matrix = {0};
    tacit_status status = tacit__transition_read(&matrix, values[PRAM_MATRIX].texts[0], err);
    tacit__transition_clear(&matrix);
    return status;
}

/* What the columns of a step share. */
typedef struct job {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    const tacit__runner_value *columns;
    tacit__transition matrix;
    double *sums; /* of its rows */
    tacit__row_groups groups;
    tacit__categories *categories; /* of each column */
    int64_t changed;
} job;

/* ---- states ---- */

static tacit_status code_column(void *context, int64_t task, int worker, tacit_error *err)
{
    const job *j = context;
    (void)worker;
    return tacit__categories_init(&j->categories[task], j->sheet, j->columns->columns[task], err);
}

static tacit_status unknown(const job *j, const pram *p, tacit_strview text, tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, text);
    return tacit__call_error(j->call, &j->call->values[PRAM_MATRIX], err,
                             "column %.64s has %s which the matrix does not have", p->column->name,
                             shown.text);
}

/* The matrix's place of each code. */
static tacit_status find_places(uint32_t *places, const pram *p,
                                const tacit__categories *categories, const job *j, tacit_error *err)
{
    size_t size = tacit__sheet_longest(j->sheet, p->column);
    char *buffer = tacit__alloc(size);
    tacit_status status = buffer ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < categories->count; code++) {
        tacit_strview text =
            tacit__cell_text(j->sheet, p->column, categories->firsts[code], buffer, size);
        places[code] = tacit__transition_find(&j->matrix, text);
        if (places[code] == UINT32_MAX)
            status = unknown(j, p, text, err);
        else
            p->cells[places[code]] = categories->cells[code];
    }
    tacit__free(buffer);
    return status;
}

/* Cells for categories that the matrix has and the column does not. */
static tacit_status make_cells(pram *p, const job *j, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < p->state_count; i++)
        p->cells[i] = (tacit__cell){0, NAN};
    for (uint32_t i = 0; p->way == PLAIN && status == TACIT_OK && i < p->state_count; i++) {
        status =
            tacit__sheet_text(&p->cells[i].mark, j->sheet, p->column, j->matrix.labels[i], err);
        p->cells[i].number = tacit__decimal_read(j->matrix.labels[i]);
    }
    return status;
}

/* States become places of the matrix; the codes' own cells stay in use where there are such. */
static tacit_status place_states(pram *p, const tacit__categories *categories, const job *j,
                                 tacit_error *err)
{
    uint32_t *places = tacit__alloc_array((size_t)categories->count + 1, sizeof *places);
    p->cells = tacit__alloc_array(p->state_count, sizeof *p->cells);
    tacit_status status = places && p->cells ? make_cells(p, j, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_places(places, p, categories, j, err);
    for (int64_t row = 0; status == TACIT_OK && row < j->sheet->rows; row++)
        p->states[row] =
            categories->codes[row] == categories->count ? NO_STATE : places[categories->codes[row]];
    tacit__free(places);
    return status;
}

static tacit_status make_states(pram *p, tacit__categories *categories, const job *j,
                                tacit_error *err)
{
    p->state_count = p->matrix ? p->matrix->count : categories->count;
    p->states = tacit__alloc_array((size_t)j->sheet->rows, sizeof *p->states);
    if (!p->states)
        return tacit__nomem(err);
    if (p->matrix)
        return place_states(p, categories, j, err);
    for (int64_t row = 0; row < j->sheet->rows; row++)
        p->states[row] =
            categories->codes[row] == categories->count ? NO_STATE : categories->codes[row];
    p->cells = categories->cells;
    categories->cells = NULL;
    return TACIT_OK;
}

/* ---- lists of the groups' states ---- */

/* Fills the lists; last has, for each state, the last group that has it, plus 1, and at where. */
static void fill_list(pram *p, uint32_t *last, int64_t *at)
{
    pram_list *list = &p->list;
    int64_t used = 0;
    for (uint32_t group = 0; group < p->groups->count; group++) {
        int64_t first = used;
        list->starts[group] = used;
        for (int64_t i = p->groups->starts[group]; i < p->groups->starts[group + 1]; i++) {
            uint32_t state = p->states[p->groups->rows[i]];
            if (state == NO_STATE)
                continue;
            if (last[state] != group + 1) {
                last[state] = group + 1;
                at[state] = used;
                list->states[used] = state;
                list->upto[used++] = 0;
            }
            list->upto[at[state]]++;
        }
        for (int64_t i = first + 1; i < used; i++)
            list->upto[i] += list->upto[i - 1];
    }
    list->starts[p->groups->count] = used;
}

/* A group has no more states than there are, or than it has rows. */
static size_t list_capacity(const pram *p)
{
    size_t room = 0;
    for (uint32_t group = 0; group < p->groups->count; group++) {
        size_t rows = (size_t)(p->groups->starts[group + 1] - p->groups->starts[group]);
        room += rows < p->state_count ? rows : p->state_count;
    }
    return room;
}

static tacit_status make_list(pram *p, tacit_error *err)
{
    size_t room = list_capacity(p);
    uint32_t *last = tacit__alloc_zeroed(p->state_count, sizeof *last);
    int64_t *at = tacit__alloc_array(p->state_count, sizeof *at);
    p->list.starts = tacit__alloc_array((size_t)p->groups->count + 1, sizeof *p->list.starts);
    p->list.states = tacit__alloc_array(room, sizeof *p->list.states);
    p->list.upto = tacit__alloc_array(room, sizeof *p->list.upto);
    bool whole = last && at && p->list.starts && p->list.states && p->list.upto;
    if (whole)
        fill_list(p, last, at);
    tacit__free(last);
    tacit__free(at);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* ---- the technique ---- */

static tacit_status draw_column(job *j, size_t i, tacit_error *err)
{
    pram p = {
        .call = j->call,
        .sheet = j->sheet,
        .column = &j->sheet->columns[j->columns->columns[i]],
        .place = (uint32_t)i,
        .way = (pram_way)j->call->values[PRAM_WAY].choice,
        .keep = j->call->values[PRAM_KEEP].number,
        .matrix = j->sums ? &j->matrix : NULL,
        .sums = j->sums,
        .groups = &j->groups,
    };
    tacit_status status = make_states(&p, &j->categories[i], j, err);
    tacit__categories_clear(&j->categories[i]);
    if (status == TACIT_OK && p.way != EXACT)
        status = make_list(&p, err);
    if (status == TACIT_OK)
        status = draw_states(&p, err);
    j->changed += p.changed;
    tacit__free(p.states);
    tacit__free(p.cells);
    tacit__free(p.list.starts);
    tacit__free(p.list.states);
    tacit__free(p.list.upto);
    return status;
}

static tacit_status sum_matrix(job *j, tacit_error *err)
{
    size_t count = j->matrix.count;
    j->sums = tacit__alloc_array(count * count, sizeof *j->sums);
    if (!j->sums)
        return tacit__nomem(err);
    for (size_t i = 0; i < count * count; i++)
        j->sums[i] = j->matrix.shares[i] + (i % count ? j->sums[i - 1] : 0);
    return TACIT_OK;
}

static tacit_status prepare(job *j, tacit_error *err)
{
    const tacit__runner_value *within = &j->call->values[PRAM_WITHIN];
    size_t count = j->columns->text_count;
    j->categories = tacit__alloc_zeroed(count, sizeof *j->categories);
    tacit_status status = j->categories ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && j->call->values[PRAM_MATRIX].given) {
        status = tacit__transition_read(&j->matrix, j->call->values[PRAM_MATRIX].texts[0], err);
        if (status == TACIT_OK)
            status = sum_matrix(j, err);
    }
    if (status == TACIT_OK)
        status =
            tacit__row_groups_init(&j->groups, j->sheet, within->columns, within->text_count, err);
    if (status == TACIT_OK)
        status = tacit__sheet_load(j->sheet, j->columns->columns, count, err);
    if (status == TACIT_OK)
        status = tacit__parallel(j->sheet->run, "finding categories", (int64_t)count, code_column,
                                 j, err);
    return status;
}

/* Counts of an invariant draw are sums of independent draws, expected to be what they were: by
 * Hoeffding's inequality one is further off than 3.5 roots of the rows once in 2e10 times. */
static tacit_status claim(const job *j, tacit_error *err)
{
    const tacit__runner_value *within = &j->call->values[PRAM_WITHIN];
    tacit_kept kept = {.kind = TACIT_KEPT_VALUES};
    int way = j->call->values[PRAM_WAY].choice;
    if (way == EXACT)
        return tacit__claim(j->call, kept, j->columns, within->given ? within : NULL, err);
    if (way != INVARIANT || j->sheet->rows == 0)
        return TACIT_OK;
    kept.kind = TACIT_KEPT_SHARES;
    kept.amount = fmin(1, 3.5 / sqrt((double)j->sheet->rows));
    return tacit__claim(j->call, kept, j->columns, NULL, err);
}

static tacit_status apply_pram(tacit__sheet *sheet, const tacit__runner_call *call,
                               tacit_error *err)
{
    job j = {.call = call, .sheet = sheet, .columns = &call->values[PRAM_COLUMNS]};
    tacit_status status = prepare(&j, err);
    for (size_t i = 0; status == TACIT_OK && i < j.columns->text_count; i++)
        status = draw_column(&j, i, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)j.changed, err);
    if (status == TACIT_OK)
        status = claim(&j, err);
    for (size_t i = 0; j.categories && i < j.columns->text_count; i++)
        tacit__categories_clear(&j.categories[i]);
    tacit__free(j.categories);
    tacit__free(j.sums);
    tacit__transition_clear(&j.matrix);
    tacit__row_groups_clear(&j.groups);
    return status;
}

const tacit_technique tacit__technique_pram = {
    .name = "pram",
    .summary = "categories that become others by chance",
    .effect = "single values need not be those of their row; associations with other columns tend "
              "to be weaker",
    .options = PRAM_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_pram, .check = check_pram},
};
