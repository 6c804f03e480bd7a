/*
 * swap.c - swapping of values (Figure 17, "swap values"): each column by a permutation of its own,
 * or the columns together as a unit (Figure 20, wrong-map).
 *
 * T. Dalenius and S. P. Reiss, "Data-swapping: a technique for disclosure control", Journal of
 * Statistical Planning and Inference 6 (1982). Every column keeps its values, as often as they
 * were, in each group that swaps inside it. A column by itself goes round in one random cycle, so
 * that no row keeps its cell. It may get one that says the same: where a column has two values,
 * forbidding that would give every row away. As a unit no row gets the combination that it had,
 * from whichever row.
 *
 * For that, rows are compared by digests, and a uniformly random permutation is mended where a row
 * has drawn its own digest c: two rows i and j trade what they have drawn where j neither has c nor
 * has drawn it. This never spoils another row. Of n rows with n_c of digest c, x of which have
 * drawn c, n - 2 n_c + x can be traded with: enough for all x if and only if c has at most half of
 * the rows. A digest of at most a quarter leaves half of the rows, so j is found by trying; of the
 * others there are three at most, found by counting with three counters (J. Misra and D. Gries,
 * "Finding repeated elements", 1982), and theirs are listed.
 *
 * Linear on the mean; a column a task.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "techniques/runner/technique.h"
#include "techniques/swap/exchange.h"

/* ---- digests ---- */

typedef struct digesting {
    const tacit__sheet *sheet;
    const tacit__runner_value *columns;
    uint64_t *digests;
    char *texts; /* room for a cell for each worker */
    size_t size;
} digesting;

static tacit_status digest_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                   int worker, tacit_error *err)
{
    const digesting *d = context;
    char *text = d->texts + (size_t)worker * d->size;
    (void)stretch, (void)err;
    for (int64_t row = from; row < to; row++) {
        uint64_t digest = 0;
        for (size_t i = 0; i < d->columns->text_count; i++) {
            const tacit__sheet_column *column = &d->sheet->columns[d->columns->columns[i]];
            tacit_strview cell = tacit__cell_text(d->sheet, column, row, text, d->size);
            digest = tacit__mix(digest ^ tacit__hash_bytes(cell.bytes, cell.len));
        }
        d->digests[row] = digest;
    }
    return TACIT_OK;
}

/* For each row a digest of what its cells in the columns say: equal where they say the same.
 * (Others are equal in one pair of 2^64, which asks a permutation for more than is needed, never
 * for less.) */
static tacit_status digest_rows(uint64_t **out, const tacit__sheet *sheet,
                                const tacit__runner_value *columns, tacit_error *err)
{
    digesting d = {.sheet = sheet, .columns = columns};
    for (size_t i = 0; i < columns->text_count; i++) {
        size_t size = tacit__sheet_longest(sheet, &sheet->columns[columns->columns[i]]);
        d.size = size > d.size ? size : d.size;
    }
    d.texts = tacit__alloc_array((size_t)tacit__threads(sheet->run), d.size);
    d.digests = tacit__alloc_array((size_t)sheet->rows, sizeof *d.digests);
    tacit_status status = d.texts && d.digests ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__stretches(sheet, "comparing rows", digest_stretch, &d, err);
    tacit__free(d.texts);
    if (status == TACIT_OK)
        *out = d.digests;
    else
        tacit__free(d.digests);
    return status;
}

/* ---- permutations ---- */

enum { FREQUENT = 3 };

typedef struct deranging {
    uint32_t *from;
    const uint32_t *rows;
    int64_t count;
    const uint64_t *digests;
    uint64_t frequent[FREQUENT]; /* digests of more than a quarter of the rows */
    int frequent_count;
} deranging;

static uint64_t had(const deranging *d, int64_t i)
{
    return d->digests[d->rows[i]];
}

static uint64_t drawn(const deranging *d, int64_t i)
{
    return d->digests[d->from[i]];
}

static int place_of(const uint64_t *list, int count, uint64_t digest)
{
    for (int i = 0; i < count; i++)
        if (list[i] == digest)
            return i;
    return -1;
}

/* One digest more for three counters; those that fall to zero make room. */
static void count_one(uint64_t *list, int64_t *counts, int *used, uint64_t digest)
{
    int place = place_of(list, *used, digest);
    if (place >= 0) {
        counts[place]++;
    } else if (*used < FREQUENT) {
        list[*used] = digest;
        counts[(*used)++] = 1;
    } else {
        int left = 0;
        for (int i = 0; i < *used; i++) {
            list[left] = list[i];
            counts[left] = counts[i] - 1;
            left += counts[left] > 0;
        }
        *used = left;
    }
}

static void find_frequent(deranging *d)
{
    uint64_t list[FREQUENT] = {0};
    int64_t counts[FREQUENT] = {0};
    int used = 0;
    for (int64_t i = 0; i < d->count; i++)
        count_one(list, counts, &used, had(d, i));
    memset(counts, 0, sizeof counts);
    for (int64_t i = 0; i < d->count; i++) {
        int place = place_of(list, used, had(d, i));
        if (place >= 0)
            counts[place]++;
    }
    for (int i = 0; i < used; i++)
        if (counts[i] > d->count / 4)
            d->frequent[d->frequent_count++] = list[i];
}

/* Rows of a frequent digest that have drawn it trade with some of those that can, drawn from the
 * list of them. Returns how many find none. */
static int64_t mend_frequent(deranging *d, uint64_t digest, uint32_t *spare, tacit__random *random)
{
    int64_t wrong = 0, end = d->count;
    for (int64_t i = 0; i < d->count; i++) {
        bool has = had(d, i) == digest, gets = drawn(d, i) == digest;
        if (has && gets)
            spare[wrong++] = (uint32_t)i;
        else if (!has && !gets)
            spare[--end] = (uint32_t)i;
    }
    for (; wrong > 0 && end < d->count; wrong--, end++) {
        int64_t chosen = end + tacit__random_below(random, (uint32_t)(d->count - end));
        tacit__trade(d->from, spare[wrong - 1], spare[chosen]);
        spare[chosen] = spare[end];
    }
    return wrong;
}

static void mend_rare(deranging *d, tacit__random *random)
{
    for (int64_t i = 0; i < d->count; i++) {
        uint64_t digest = had(d, i);
        if (drawn(d, i) != digest || place_of(d->frequent, d->frequent_count, digest) >= 0)
            continue;
        int64_t j;
        do
            j = tacit__random_below(random, (uint32_t)d->count);
        while (had(d, j) == digest || drawn(d, j) == digest);
        tacit__trade(d->from, i, j);
    }
}

/* Draws for rows[i] the row from[i] that it gets its cells of: a random permutation of the rows,
 * where digests of the two differ as often as can be. Returns for how many they do not: none,
 * unless one digest has more than half of the rows, then as many as it has too many. spare has room
 * for count entries. */
static int64_t derange(uint32_t *from, const uint32_t *rows, int64_t count, const uint64_t *digests,
                       uint32_t *spare, tacit__random *random)
{
    deranging d = {.from = from, .rows = rows, .count = count, .digests = digests};
    int64_t left = 0;
    memcpy(from, rows, (size_t)count * sizeof *from);
    tacit__shuffle_list(from, count, random);
    find_frequent(&d);
    for (int i = 0; i < d.frequent_count; i++)
        left += mend_frequent(&d, d.frequent[i], spare, random);
    mend_rare(&d, random);
    return left;
}

enum { SWAP_COLUMNS, SWAP_UNIT, SWAP_SHARE, SWAP_WITHIN, SWAP_IMPOSSIBLE };

/* Streams of random numbers: which rows, the unit's permutation, each column's. */
enum { DRAW_ROWS, DRAW_UNIT, DRAW_COLUMN };

static const char *const WAYS_OUT[] = {"refuse", "keep", NULL};

static const tacit_technique_option SWAP_OPTIONS[] = {
    [SWAP_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                      .help = "columns whose values are swapped", .required = true},
    [SWAP_UNIT] = {"unit", TACIT_TECHNIQUE_SWITCH,
                   .help = "the columns together, so that no row keeps its combination"},
    [SWAP_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER,
                    .help = "share of the rows that are swapped, drawn at random", .least = 1e-6,
                    .most = 1, .usual = 1},
    [SWAP_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                     .help = "only among rows that agree in these columns"},
    [SWAP_IMPOSSIBLE] = {"impossible", TACIT_TECHNIQUE_CHOICE,
                         .help =
                             "where a unit cannot be swapped with another one: an error, or kept",
                         .choices = WAYS_OUT},
    {.name = NULL},
};

/* ---- rows that swap ---- */

/* Rows that exchange cells among themselves, segment by segment. */
typedef struct movers {
    uint32_t *rows;
    int64_t *starts; /* segments + 1 */
    uint32_t segments;
    int64_t alone; /* rows whose group has no other */
} movers;

/* A uniformly random order of one cycle, Sattolo's: nothing stays in its place where there are two
 * or more, and every other place is as likely. */
static void cycle_list(uint32_t *list, int64_t count, tacit__random *random)
{
    for (int64_t i = count - 1; i > 0; i--)
        tacit__trade(list, i, tacit__random_below(random, (uint32_t)i));
}

/* How many rows of a group: its share, rounded by chance; a single row cannot swap, so that one
 * becomes two or none, on the mean one. */
static int64_t portion(int64_t size, double share, tacit__random *random)
{
    if (size < 2)
        return 0;
    int64_t count = share < 1 ? tacit__round_randomly((double)size * share, random) : size;
    return count == 1 ? 2 * (int64_t)tacit__random_below(random, 2) : count;
}

static void clear_movers(movers *pool)
{
    tacit__free(pool->rows);
    tacit__free(pool->starts);
    *pool = (movers){0};
}

/* A share of the rows of each group that agrees in the columns of within (NULL or not given: all
 * rows are one group). A segment never has one row only. */
static tacit_status init_movers(movers *pool, tacit__sheet *sheet,
                                const tacit__runner_value *within, double share,
                                tacit__random *random, tacit_error *err)
{
    tacit__row_groups groups;
    bool grouped = within && within->given;
    tacit_status status = tacit__row_groups_init(&groups, sheet, grouped ? within->columns : NULL,
                                                 grouped ? within->text_count : 0, err);
    if (status != TACIT_OK)
        return status;
    *pool = (movers){.rows = groups.rows};
    groups.rows = NULL;
    pool->starts = tacit__alloc_array((size_t)groups.count + 1, sizeof *pool->starts);
    if (!pool->starts) {
        tacit__row_groups_clear(&groups);
        clear_movers(pool);
        return tacit__nomem(err);
    }
    pool->starts[0] = 0;
    int64_t kept = 0;
    for (uint32_t g = 0; g < groups.count; g++) {
        uint32_t *rows = pool->rows + groups.starts[g];
        int64_t size = groups.starts[g + 1] - groups.starts[g];
        int64_t count = portion(size, share, random);
        if (count < size)
            tacit__draw_front(rows, size, count, random);
        memmove(pool->rows + kept, rows, (size_t)count * sizeof *rows);
        kept += count;
        pool->alone += size == 1;
        if (count > 0)
            pool->starts[++pool->segments] = kept;
    }
    tacit__row_groups_clear(&groups);
    return TACIT_OK;
}

static int64_t movers_size(const movers *pool)
{
    return pool->starts[pool->segments];
}

/* ---- columns ---- */

/* A worker's room for a permutation and the cells of a column. */
typedef struct swap_bench {
    uint32_t *from;
    uint64_t *cells;
} swap_bench;

typedef struct swapping {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    movers pool;
    uint32_t *unit;      /* the permutation of all columns; NULL: each has its own */
    swap_bench *benches; /* a worker each */
    int64_t kept;        /* rows that keep their combination since there is no other way */
} swapping;

static tacit_status check_swap(const tacit__runner_call *call, tacit_error *err)
{
    return tacit__call_apart(call, SWAP_COLUMNS, SWAP_WITHIN, err);
}

static tacit_status swap_column(void *context, int64_t task, int worker, tacit_error *err)
{
    swapping *s = context;
    const movers *pool = &s->pool;
    swap_bench *b = &s->benches[worker];
    int64_t size = movers_size(pool);
    tacit__random random;
    if (!b->cells) {
        b->from = tacit__alloc_array((size_t)size, sizeof *b->from);
        b->cells = tacit__alloc_array((size_t)size, sizeof *b->cells);
        if (!b->from || !b->cells)
            return tacit__nomem(err);
    }
    if (!s->unit) {
        tacit__call_random(&random, s->call, DRAW_COLUMN, (uint32_t)task);
        for (int64_t i = 0; i < size; i++)
            b->from[i] = pool->rows[i];
        for (uint32_t g = 0; g < pool->segments; g++)
            cycle_list(b->from + pool->starts[g], pool->starts[g + 1] - pool->starts[g], &random);
    }
    tacit__cells_move(&s->sheet->columns[s->call->values[SWAP_COLUMNS].columns[task]], pool->rows,
                      s->unit ? s->unit : b->from, size, b->cells);
    return TACIT_OK;
}

static tacit_status swap_columns(swapping *s, tacit_error *err)
{
    int workers = tacit__threads(s->sheet->run);
    s->benches = tacit__alloc_zeroed((size_t)workers, sizeof *s->benches);
    if (!s->benches)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(s->sheet->run, "swapping",
                        (int64_t)s->call->values[SWAP_COLUMNS].text_count, swap_column, s, err);
    for (int i = 0; i < workers; i++) {
        tacit__free(s->benches[i].from);
        tacit__free(s->benches[i].cells);
    }
    tacit__free(s->benches);
    return status;
}

/* ---- as a unit ---- */

static tacit_status cannot(const swapping *s, int64_t size, int64_t left, tacit_error *err)
{
    const tacit__runner_call *call = s->call;
    bool within = call->values[SWAP_WITHIN].given;
    return tacit__error_at(
        err, TACIT_INFEASIBLE, call->file, call->line, 0,
        "swap: %lld of the %lld rows%s have one and the same combination of the columns, which is "
        "more than half: some would get back what they had; leave a column out%s, or let them "
        "keep it with `impossible: keep`",
        (long long)((size + left) / 2), (long long)size, within ? " of a group" : "",
        within ? ", swap in larger groups" : "");
}

static tacit_status draw_unit(swapping *s, const uint64_t *digests, uint32_t *spare,
                              tacit_error *err)
{
    const movers *pool = &s->pool;
    const tacit__runner_value *values = s->call->values;
    bool strict = values[SWAP_SHARE].number == 1 && values[SWAP_IMPOSSIBLE].choice == 0;
    tacit__random random;
    tacit__call_random(&random, s->call, DRAW_UNIT, 0);
    if (strict && pool->alone > 0)
        return cannot(s, 1, 1, err);
    for (uint32_t g = 0; g < pool->segments; g++) {
        int64_t start = pool->starts[g], size = pool->starts[g + 1] - start;
        int64_t left = derange(s->unit + start, pool->rows + start, size, digests, spare, &random);
        if (strict && left > 0)
            return cannot(s, size, left, err);
        s->kept += left;
    }
    return TACIT_OK;
}

static tacit_status prepare_unit(swapping *s, tacit_error *err)
{
    size_t size = (size_t)movers_size(&s->pool);
    uint64_t *digests = NULL;
    uint32_t *spare = tacit__alloc_array(size, sizeof *spare);
    s->unit = tacit__alloc_array(size, sizeof *s->unit);
    tacit_status status = spare && s->unit ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = digest_rows(&digests, s->sheet, &s->call->values[SWAP_COLUMNS], err);
    if (status == TACIT_OK)
        status = draw_unit(s, digests, spare, err);
    tacit__free(digests);
    tacit__free(spare);
    return status;
}

/* ---- what is reported ---- */

static tacit_status report_swap(const swapping *s, tacit_error *err)
{
    const tacit__runner_call *call = s->call;
    const tacit__runner_value *values = call->values;
    bool unit = values[SWAP_UNIT].number != 0;
    tacit_kept kept = {.kind = unit ? TACIT_KEPT_UNIT : TACIT_KEPT_VALUES};
    int64_t size = movers_size(&s->pool);
    tacit_status status = tacit__note(call, "rows_swapped", (double)(size - s->kept), err);
    if (status == TACIT_OK && unit)
        status = tacit__note(call, "rows_kept", (double)(s->sheet->rows - size + s->kept), err);
    if (status == TACIT_OK)
        status = tacit__claim(call, kept, &values[SWAP_COLUMNS], &values[SWAP_WITHIN], err);
    /* of two rows everybody knows whose is whose: the definition wants more (section 4.3) */
    if (status == TACIT_OK && unit && s->kept == 0 && size == s->sheet->rows && size > 2) {
        kept.kind = TACIT_KEPT_WRONG_MAP;
        status = tacit__claim(call, kept, &values[SWAP_COLUMNS], NULL, err);
    }
    return status;
}

static tacit_status apply_swap(tacit__sheet *sheet, const tacit__runner_call *call,
                               tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    swapping s = {.call = call, .sheet = sheet};
    tacit__random random;
    tacit__call_random(&random, call, DRAW_ROWS, 0);
    tacit_status status = tacit__sheet_load(sheet, values[SWAP_COLUMNS].columns,
                                            values[SWAP_COLUMNS].text_count, err);
    if (status == TACIT_OK)
        status = init_movers(&s.pool, sheet, &values[SWAP_WITHIN], values[SWAP_SHARE].number,
                             &random, err);
    if (status == TACIT_OK && values[SWAP_UNIT].number != 0)
        status = prepare_unit(&s, err);
    if (status == TACIT_OK)
        status = swap_columns(&s, err);
    if (status == TACIT_OK)
        status = report_swap(&s, err);
    tacit__free(s.unit);
    clear_movers(&s.pool);
    return status;
}

const tacit_technique tacit__technique_swap = {
    .name = "swap",
    .summary = "values swapped between rows, column by column or as a unit",
    .effect = "values stand in other rows than their own: the step keeps the distribution of each "
              "column, and associations with other columns may be weaker",
    .options = SWAP_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_swap, .check = check_swap},
};
