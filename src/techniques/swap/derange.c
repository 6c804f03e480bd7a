/*
 * derange.c - no row gets back what it had.
 *
 * A uniformly random permutation is mended where a row has drawn its own digest c: two rows i and j
 * trade what they have drawn where j neither has c nor has drawn it. This never spoils another row.
 * Of n rows with n_c of digest c, x of which have drawn c, n - 2 n_c + x can be traded with: enough
 * for all x if and only if c has at most half of the rows. A digest of at most a quarter leaves
 * half of the rows, so j is found by trying; of the others there are three at most, found by
 * counting with three counters (J. Misra and D. Gries, "Finding repeated elements", 1982), and
 * theirs are listed. Linear on the mean.
 */
#include "techniques/swap/derange.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
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

tacit_status tacit__row_digests(uint64_t **out, const tacit__sheet *sheet,
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

static void trade(uint32_t *from, int64_t i, int64_t j)
{
    uint32_t kept = from[i];
    from[i] = from[j];
    from[j] = kept;
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
        trade(d->from, spare[wrong - 1], spare[chosen]);
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
        trade(d->from, i, j);
    }
}

int64_t tacit__derange(uint32_t *from, const uint32_t *rows, int64_t count, const uint64_t *digests,
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
