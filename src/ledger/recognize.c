/*
 * recognize.c - whether data that a release is to be made from was released from before, told by
 * its content: by the rows that an entry keeps of the data it was made from (sketch.c).
 *
 * Columns are paired by name, and those that have no partner by what is in them. The rows of the
 * sketch are looked for in the data, on the paired columns. Some are found in unrelated data, too:
 *
 *  - data of the same sort has the same combinations. What share of rows of independent data would
 * be found is what share of the data's own rows has a twin in it: 1 - n1/n, Good's estimate of
 *    coverage (Biometrika 40, 1953), whatever columns depend on each other;
 *  - row numbers and other keys agree without being drawn. So one column is put against the others
 *    out of step: what is found then is found by chance.
 *
 * More rows than the larger of the two by Z deviations, and at least MIN_FOUND of them, are no
 * chance. Columns that were changed hide what is the same, so they are left out one at a time, that
 * first without which most is found, while two are left.
 *
 * Where nearly every combination is frequent, single rows tell nothing; but how many rows each has
 * does. In independent data numbers differ by their deviations, in the same data they do not: the
 * lower tail of chi squared (by Wilson and Hilferty, PNAS 17, 1931).
 *
 * The cost is a pass over at most MAX_TRIED rows for each set of columns, one over all of them
 * where data is recognized, and one for the numbers.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "ledger/ledger.h"

enum {
    MIN_FOUND = 6,       /* rows that must be found */
    MIN_COLUMNS = 2,     /* by which rows are compared */
    MAX_DROPPED = 8,     /* columns left out */
    MAX_TRIED = 1 << 17, /* rows of the data for a set of columns */
    TWINS = 1 << 12,     /* rows of the data that twins are looked for of */
    SLOTS = 1 << 13,     /* of the table of looked-for rows, which are at most a quarter of it */
    GATE = 1 << 16,      /* bits by which most rows are passed over */
};

static const double Z = 6, Z_NUMBERS = 5;

typedef struct pair {
    int32_t then;
    const tacit__hashed_column *now;
    bool used;
    double known; /* share of the sketch's cells that the data's column has */
} pair;

typedef struct slot {
    uint64_t sum;
    int64_t then, now; /* rows that have it; then 0: the slot is empty */
} slot;

typedef struct search {
    const tacit__sketch *then;
    const tacit__hashed *now;
    pair *pairs;
    int32_t pair_count;
    slot *slots;
    uint64_t *gate;
    uint64_t *twins;
    size_t twin_count;
    int64_t step; /* between rows of the data that are looked at */
} search;

/* What a set of columns tells. */
typedef struct outcome {
    int64_t looked, found; /* rows of the sketch */
    double chance;         /* share that would be found by chance */
    double z;
    int32_t columns;
} outcome;

/* ---- columns ---- */

/* What a cell adds to the sum of its row. */
static uint64_t part(int32_t column, uint64_t value)
{
    return tacit__mix(((uint64_t)column << 16 | (uint16_t)value) + 1);
}

static uint64_t part_now(const pair *p, int64_t row)
{
    return part(p->then, p->now->values[tacit_codes_at(p->now->codes, row)]);
}

static uint16_t cell(const tacit__sketch *sketch, uint32_t row, int32_t column)
{
    return sketch->cells[(size_t)row * (size_t)sketch->column_count + (size_t)column];
}

/* How much of a column of the sketch a column of the data knows, beyond what it knows of anything:
 * one that has all hashes of 16 bits tells nothing. bits has room for them. */
static double known_beyond(const tacit__sketch *then, int32_t column,
                           const tacit__hashed_column *now, uint64_t *bits, double *share)
{
    uint32_t set = 0, known = 0;
    memset(bits, 0, GATE / 8);
    for (uint32_t i = 0; i <= now->count; i++) {
        uint16_t at = (uint16_t)now->values[i];
        set += !tacit__bit_get(bits, at);
        tacit__bit_set(bits, at);
    }
    for (uint32_t r = 0; r < then->row_count; r++)
        known += tacit__bit_get(bits, cell(then, r, column));
    double full = (double)set / GATE, of = then->row_count ? (double)known / then->row_count : 0;
    *share = of;
    return full < 1 ? (of - full) / (1 - full) : 0;
}

static bool is_paired(const search *s, int32_t then, const tacit__hashed_column *now)
{
    for (int32_t i = 0; i < s->pair_count; i++)
        if (s->pairs[i].then == then || s->pairs[i].now == now)
            return true;
    return false;
}

static void add_pair(search *s, int32_t then, const tacit__hashed_column *now)
{
    pair *p = &s->pairs[s->pair_count++];
    *p = (pair){.then = then, .now = now, .used = true};
    known_beyond(s->then, then, now, s->gate, &p->known);
}

/* Whether a column of the sketch has enough values to be known by them. */
static bool is_telling(const tacit__sketch *then, int32_t column, uint64_t *bits)
{
    enum { VALUES = 16 };
    int values = 0;
    memset(bits, 0, GATE / 8);
    for (uint32_t r = 0; r < then->row_count && values < VALUES; r++) {
        uint16_t at = cell(then, r, column);
        values += !tacit__bit_get(bits, at);
        tacit__bit_set(bits, at);
    }
    return values >= VALUES;
}

/* A column whose name is gone may have got another one. */
static void pair_renamed(search *s, int32_t then)
{
    double most = 0.9, share;
    const tacit__hashed_column *found = NULL;
    for (int32_t i = 0; i < s->now->column_count; i++) {
        const tacit__hashed_column *now = &s->now->columns[i];
        if (is_paired(s, then, now))
            continue;
        double known = known_beyond(s->then, then, now, s->gate, &share);
        if (known > most) {
            most = known;
            found = now;
        }
    }
    if (found)
        add_pair(s, then, found);
}

static void pair_columns(search *s)
{
    for (int32_t i = 0; i < s->then->column_count; i++)
        for (int32_t j = 0; j < s->now->column_count; j++)
            if (s->then->names[i] == s->now->columns[j].name &&
                !is_paired(s, i, &s->now->columns[j])) {
                add_pair(s, i, &s->now->columns[j]);
                break;
            }
    for (int32_t i = 0; i < s->then->column_count; i++)
        if (!is_paired(s, i, NULL) && is_telling(s->then, i, s->gate))
            pair_renamed(s, i);
}

/* ---- rows ---- */

static slot *find(const search *s, uint64_t sum)
{
    size_t at = tacit__mix(sum) % SLOTS;
    while (s->slots[at].then && s->slots[at].sum != sum)
        at = (at + 1) % SLOTS;
    return &s->slots[at];
}

/* The rows of the sketch on the columns in use but one (NULL: none). */
static void look_for(search *s, const pair *but)
{
    memset(s->slots, 0, SLOTS * sizeof *s->slots);
    memset(s->gate, 0, GATE / 8);
    for (uint32_t r = 0; r < s->then->row_count; r++) {
        uint64_t sum = 0;
        for (int32_t i = 0; i < s->pair_count; i++)
            if (s->pairs[i].used && &s->pairs[i] != but)
                sum += part(s->pairs[i].then, cell(s->then, r, s->pairs[i].then));
        slot *at = find(s, sum);
        at->sum = sum;
        at->then += s->then->counts[r];
        tacit__bit_set(s->gate, (int64_t)(sum % GATE));
    }
}

/* The sum of a row of the data; one column may be that of another row. */
static uint64_t sum_of(const search *s, int64_t row, const pair *but, const pair *shifted,
                       int64_t other)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < s->pair_count; i++)
        if (s->pairs[i].used && &s->pairs[i] != but)
            sum += part_now(&s->pairs[i], &s->pairs[i] == shifted ? other : row);
    return sum;
}

/* Looks through the data, and keeps the sums of some rows for their twins. */
static void look(search *s, const pair *but, const pair *shifted)
{
    int64_t rows = s->now->rows, tried = (rows + s->step - 1) / s->step;
    int64_t apart = (int64_t)(0.381966 * (double)rows) + 1; /* no simple part of the whole */
    uint64_t limit = tried > TWINS / 2 ? UINT64_MAX / (uint64_t)tried * (TWINS / 2) : UINT64_MAX;
    s->twin_count = 0;
    for (int64_t row = 0; row < rows; row += s->step) {
        int64_t other = row + apart < rows ? row + apart : row + apart - rows;
        uint64_t sum = sum_of(s, row, but, shifted, other);
        if (tacit__mix(sum ^ UINT64_C(0x5bd1e995)) <= limit && s->twin_count < TWINS)
            s->twins[s->twin_count++] = sum;
        if (!tacit__bit_get(s->gate, (int64_t)(sum % GATE)))
            continue;
        slot *at = find(s, sum);
        at->now += at->then > 0;
    }
}

/* The share of rows that have a twin; where everybody has one, as when data is in a file twice, of
 * those that have more than everybody has. Twins are two at a time, so one more pair is counted
 * than was seen: none in a few hundred rows does not say that there are none. */
static double twin_share(search *s)
{
    size_t least = SIZE_MAX, twins = 0;
    if (s->twin_count > 1)
        qsort(s->twins, s->twin_count, sizeof *s->twins, tacit__by_uint64);
    for (int pass = 0; pass < 2; pass++)
        for (size_t from = 0, to = 0; from < s->twin_count; from = to) {
            while (to < s->twin_count && s->twins[to] == s->twins[from])
                to++;
            if (pass == 0 && to - from < least)
                least = to - from;
            else if (pass == 1 && to - from > least)
                twins += to - from;
        }
    return ((double)twins + 2) / ((double)s->twin_count + 4);
}

static void count_found(outcome *o, const search *s, int64_t *classes)
{
    o->looked = o->found = *classes = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        o->looked += s->slots[i].then;
        o->found += s->slots[i].now ? s->slots[i].then : 0;
        *classes += s->slots[i].then > 0;
    }
}

static double deviations(const outcome *o, int64_t classes, size_t twins)
{
    double share = o->looked ? (double)o->found / (double)o->looked : 0;
    double spread =
        o->chance * (1 - o->chance) * (1 / (double)(classes + 1) + 1 / ((double)twins + 1));
    return (share - o->chance) / sqrt(spread);
}

static int32_t used_columns(const search *s, const pair *but)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->pair_count; i++)
        count += s->pairs[i].used && &s->pairs[i] != but;
    return count;
}

/* What is found when one column is out of step: of all columns that which gives least, for one that
 * is the same everywhere gives all. */
static double shifted_share(search *s, const pair *but)
{
    double least = 1;
    for (int32_t i = 0; i < s->pair_count; i++) {
        outcome o;
        int64_t classes;
        if (!s->pairs[i].used || &s->pairs[i] == but)
            continue;
        look_for(s, but);
        look(s, but, &s->pairs[i]);
        count_found(&o, s, &classes);
        double share = ((double)o.found + 1) / ((double)o.looked + 2);
        least = share < least ? share : least;
    }
    return least;
}

static bool is_sure(const outcome *o)
{
    return o->found >= MIN_FOUND && o->z >= Z;
}

/* Tries the columns in use but one. */
static outcome try_columns(search *s, const pair *but)
{
    outcome o = {.columns = used_columns(s, but)};
    int64_t classes;
    look_for(s, but);
    look(s, but, NULL);
    count_found(&o, s, &classes);
    o.chance = twin_share(s);
    size_t twins = s->twin_count;
    o.z = deviations(&o, classes, twins);
    if (!is_sure(&o))
        return o;
    double shifted = shifted_share(s, but);
    o.chance = shifted > o.chance ? shifted : o.chance;
    o.z = deviations(&o, classes, twins);
    return o;
}

/* ---- names ---- */

/* The rows found with the columns in use, one of them out of step where it is given. */
static int64_t found_with(search *s, const pair *shifted)
{
    outcome o;
    int64_t classes;
    look_for(s, NULL);
    look(s, NULL, shifted);
    count_found(&o, s, &classes);
    return o.found;
}

/* Whether the rows that are found agree in the last pair, too, and would not in any case. */
static bool is_same_column(search *s, int64_t found)
{
    int64_t agree = found_with(s, NULL);
    return agree * 10 >= found * 9 && found_with(s, &s->pairs[s->pair_count - 1]) * 10 < agree * 9;
}

/* Columns without a partner, row by row in the data that was recognized: which have got another
 * name. In tables of very many columns not all can be tried. */
static void find_renamed(search *s, int64_t found)
{
    enum { MAX_PAIRS = 1 << 10 };
    int tried = 0;
    for (int32_t i = 0; i < s->then->column_count; i++)
        for (int32_t j = 0; j < s->now->column_count; j++) {
            const tacit__hashed_column *now = &s->now->columns[j];
            if (is_paired(s, i, now) || tried++ >= MAX_PAIRS)
                continue;
            add_pair(s, i, now);
            if (!is_same_column(s, found))
                s->pair_count--;
        }
}

/* ---- sets of columns ---- */

/* The column to leave out next: that without which most is found, or else that of which the data
 * knows least. */
static tacit_status drop_one(outcome *best, search *s, const tacit_run *run, tacit_error *err)
{
    pair *choice = NULL;
    tacit_status status = TACIT_OK;
    *best = (outcome){0};
    for (int32_t i = 0; i < s->pair_count && status == TACIT_OK; i++) {
        pair *p = &s->pairs[i];
        if (!p->used)
            continue;
        outcome o = try_columns(s, p);
        bool more = o.found > best->found || (o.found == best->found && o.z > best->z);
        bool as_many = o.found == best->found && o.found < MIN_FOUND;
        if (!choice || (as_many ? p->known < choice->known : more)) {
            choice = p;
            *best = o;
        }
        status = tacit__progress(run, "recognizing the data", 0, 0, err);
    }
    if (choice)
        choice->used = false;
    return status;
}

/* How much of the data is there, now that it is known to be the same. */
static void look_at_all(outcome *o, search *s)
{
    int64_t classes;
    s->step = 1;
    look_for(s, NULL);
    look(s, NULL, NULL);
    count_found(o, s, &classes);
    double twins = twin_share(s);
    o->chance = twins > o->chance ? twins : o->chance;
    o->columns = used_columns(s, NULL);
}

static tacit_status find_columns(outcome *o, search *s, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t most = MAX_TRIED / (s->pair_count / 16 + 1);
    s->step = s->now->rows / most + 1;
    *o = try_columns(s, NULL);
    if (!is_sure(o) && s->step > 1) { /* few rows of much data are found by looking at all of it */
        int64_t step = s->step;
        s->step = 1;
        *o = try_columns(s, NULL);
        s->step = is_sure(o) ? 1 : step;
    }
    for (int i = 0; i < MAX_DROPPED && !is_sure(o) && status == TACIT_OK &&
                    used_columns(s, NULL) > MIN_COLUMNS;
         i++)
        status = drop_one(o, s, run, err);
    if (status == TACIT_OK && is_sure(o))
        find_renamed(s, o->found);
    if (status == TACIT_OK && is_sure(o) && s->step > 1)
        look_at_all(o, s);
    return status;
}

/* ---- numbers of rows ---- */

/* Whether the numbers of rows agree better than those of independent data, and how many of the
 * rows looked for are there. Needs all columns, or all rows, of the data that was. */
static bool numbers_agree(outcome *o, search *s)
{
    enum { MEAN = 2, CLASSES = 4 };
    double ratio = (double)s->now->rows / (double)s->then->total, sum = 0;
    int64_t classes = 0, rows = 0, common = 0;
    for (int32_t i = 0; i < s->pair_count; i++)
        s->pairs[i].used = true;
    s->step = 1;
    look_for(s, NULL);
    look(s, NULL, NULL);
    for (size_t i = 0; i < SLOTS; i++) {
        const slot *at = &s->slots[i];
        if (!at->then)
            continue;
        double apart = fabs((double)at->now - ratio * (double)at->then) + 0.5;
        sum += apart * apart / (ratio * (double)(at->then + at->now));
        classes++;
        rows += at->then;
        common += at->now < at->then ? at->now : at->then;
    }
    if (classes < CLASSES || rows < MEAN * classes)
        return false;
    double spread = 2 / (9 * (double)classes);
    double z = (1 - spread - cbrt(sum / (double)classes)) / sqrt(spread);
    if (z < Z_NUMBERS || sum > 0.5 * (double)classes)
        return false;
    *o = (outcome){.looked = rows, .found = common, .z = z, .columns = s->pair_count, .chance = 0};
    return true;
}

/* ---- all of it ---- */

static tacit_status allocate(search *s, tacit_error *err)
{
    s->pairs = tacit__alloc_zeroed((size_t)s->then->column_count, sizeof *s->pairs);
    s->slots = tacit__alloc_zeroed(SLOTS, sizeof *s->slots);
    s->gate = tacit__alloc_zeroed(GATE / 64, sizeof *s->gate);
    s->twins = tacit__alloc_zeroed(TWINS, sizeof *s->twins);
    return s->pairs && s->slots && s->gate && s->twins ? TACIT_OK : tacit__nomem(err);
}

/* The columns by which data was recognized, and a paired one of another name. */
static void describe(tacit_ledger_likeness *out, uint64_t *former, const search *s,
                     const outcome *o, bool by_numbers)
{
    out->recognized = true;
    out->by_numbers = by_numbers;
    out->columns = o->columns;
    out->looked = o->looked;
    out->found = o->found;
    out->chance = o->chance;
    for (int32_t i = 0; i < s->pair_count; i++) {
        const pair *p = &s->pairs[i];
        if (p->used && s->then->names[p->then] != p->now->name && out->renamed < 0) {
            out->renamed = p->now->index;
            *former = s->then->names[p->then];
        }
    }
}

/* former is the hashed name of a column that has another one now. */
static tacit_status compare(tacit_ledger_likeness *out, uint64_t *former, const tacit__sketch *then,
                            const tacit__hashed *now, const tacit_run *run, tacit_error *err)
{
    search s = {.then = then, .now = now};
    outcome o = {0};
    tacit_status status = allocate(&s, err);
    if (status == TACIT_OK)
        pair_columns(&s);
    if (status == TACIT_OK && s.pair_count >= MIN_COLUMNS && now->rows > 0 && then->total > 0) {
        bool complete = then->whole || s.pair_count == then->column_count;
        status = find_columns(&o, &s, run, err);
        bool sure = is_sure(&o);
        bool by_numbers = status == TACIT_OK && !sure && complete && numbers_agree(&o, &s);
        if (status == TACIT_OK && (sure || by_numbers))
            describe(out, former, &s, &o, by_numbers);
    }
    tacit__free(s.pairs);
    tacit__free(s.slots);
    tacit__free(s.gate);
    tacit__free(s.twins);
    return status;
}

/* The name of a released column by its hash. */
static const char *name_of(const tacit_ledger_entry *entry, uint64_t hash, const unsigned char *key)
{
    for (int32_t i = 0; i < entry->column_count; i++)
        if (tacit__sketch_name(key, tacit_strview_of(entry->columns[i].name)) == hash)
            return entry->columns[i].name;
    return NULL;
}

static tacit_status recognize_one(tacit_ledger_likeness *out, const tacit_ledger_entry *entry,
                                  const tacit__hashed *now, const unsigned char *key,
                                  const tacit_run *run, tacit_error *err)
{
    tacit__sketch then = {0};
    uint64_t former = 0;
    bool broken = false;
    tacit_status status =
        tacit__sketch_unpack(&then, entry->sketch, entry->sketch_len, key, &broken, err);
    assert(!broken); /* it was read before */
    if (status == TACIT_OK)
        status = compare(out, &former, &then, now, run, err);
    if (out->renamed >= 0)
        out->former = name_of(entry, former, key);
    tacit__sketch_clear(&then);
    return status;
}

tacit_status tacit_ledger_recognize(tacit_ledger_likeness *of, const tacit_ledger *ledger,
                                    const tacit_table *data, const tacit_run *run, tacit_error *err)
{
    tacit__hashed now = {0};
    tacit_status status =
        ledger->count > 0 ? tacit__hashed_of(&now, data, ledger->key, run, err) : TACIT_OK;
    for (int64_t i = 0; i < ledger->count && status == TACIT_OK; i++) {
        const tacit_ledger_entry *entry = &ledger->entries[i];
        of[i] = (tacit_ledger_likeness){.sketched = entry->sketch, .renamed = -1};
        if (entry->sketch)
            status = recognize_one(&of[i], entry, &now, ledger->key, run, err);
    }
    tacit__hashed_clear(&now);
    return status;
}
