/*
 * sketch.c - what an entry keeps of the data behind a release, so that the data is known again
 * under another name: some of its rows, 16 bits a cell.
 *
 * Each value is hashed under a key that is made of the ledger's (SipHash). The distinct rows with
 * the smallest hashes are kept, at most MAX_ROWS, with how often each occurs: which rows these are
 * follows from the data alone, not from the order of its rows or columns. Of a cell 16 bits are
 * kept: enough to find a row by two columns or more (recognize.c), too few to tell which of many
 * values a cell has. The whole is enciphered under the ledger's key, so that without the key not
 * even which rows agree can be seen; the nonce is a keyed hash of what is enciphered.
 *
 * The cost is a short hash for each distinct value, and a pass over the rows or a few. The sample
 * is a bottom-k sketch: Cohen and Kaplan, "Summarizing data using bottom-k sketches", PODC 2007.
 */
#include "ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

enum { MAX_ROWS = 2048, ASK_EVERY_ROWS = 1 << 16 };

_Static_assert(crypto_shorthash_KEYBYTES == 16, "the key of values");

/* ---- hashes ---- */

/* A key for one use, made of the ledger's. */
static void derive(unsigned char *out, size_t size, const unsigned char *key, const char *what)
{
    crypto_generichash(out, size, (const unsigned char *)what, strlen(what), key,
                       TACIT__LEDGER_KEY);
}

static uint64_t hash_text(const unsigned char *key, tacit_strview text)
{
    unsigned char digest[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    crypto_shorthash(digest, (const unsigned char *)text.bytes, text.len, key);
    for (int i = 0; i < 8; i++)
        hash |= (uint64_t)digest[i] << 8 * i;
    return hash;
}

uint64_t tacit__sketch_name(const unsigned char *key, tacit_strview name)
{
    unsigned char own[crypto_shorthash_KEYBYTES];
    derive(own, sizeof own, key, "tacit ledger sketch names 1");
    uint64_t hash = hash_text(own, name);
    sodium_memzero(own, sizeof own);
    return hash;
}

void tacit__hashed_clear(tacit__hashed *hashed)
{
    for (int32_t c = 0; hashed->columns && c < hashed->column_count; c++)
        tacit__free(hashed->columns[c].values);
    tacit__free(hashed->columns);
    *hashed = (tacit__hashed){0};
}

static tacit_status hash_column(tacit__hashed_column *column, const tacit_table *data, int32_t c,
                                const unsigned char *value_key, tacit_error *err)
{
    uint32_t count = tacit_table_distinct(data, c);
    column->values = tacit__alloc_array((size_t)count + 1, sizeof *column->values);
    if (!column->values)
        return tacit__nomem(err);
    column->count = count;
    column->codes = tacit_table_codes(data, c);
    for (uint32_t i = 0; i < count; i++)
        column->values[i] = hash_text(value_key, tacit_table_value(data, c, i));
    column->values[count] = hash_text(value_key, (tacit_strview){"", 0}); /* missing */
    return TACIT_OK;
}

tacit_status tacit__hashed_of(tacit__hashed *out, const tacit_table *data, const unsigned char *key,
                              const tacit_run *run, tacit_error *err)
{
    unsigned char value_key[crypto_shorthash_KEYBYTES];
    int32_t columns = tacit_table_columns(data);
    tacit_status status = TACIT_OK;
    out->columns = tacit__alloc_zeroed((size_t)columns, sizeof *out->columns);
    if (!out->columns)
        return tacit__nomem(err);
    derive(value_key, sizeof value_key, key, "tacit ledger sketch values 1");
    out->rows = tacit_table_rows(data);
    for (int32_t c = 0; c < columns && status == TACIT_OK; c++) {
        if (!tacit_table_is_coded(data, c))
            continue;
        tacit__hashed_column *column = &out->columns[out->column_count++];
        column->index = c;
        column->name = tacit__sketch_name(key, tacit_table_name(data, c));
        status = hash_column(column, data, c, value_key, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "recognizing the data", c, columns, err);
    }
    sodium_memzero(value_key, sizeof value_key);
    return status;
}

/* ---- rows with the smallest hashes ---- */

typedef struct candidate {
    uint64_t hash;
    uint32_t row;
} candidate;

static int by_row_hash(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* A row's hash: the same in whatever order its columns come. */
static uint64_t row_hash(const tacit__hashed *hashed, int64_t row)
{
    uint64_t sum = 0;
    for (int32_t c = 0; c < hashed->column_count; c++) {
        const tacit__hashed_column *column = &hashed->columns[c];
        sum += tacit__mix(column->values[tacit_codes_at(column->codes, row)] ^ column->name);
    }
    return tacit__mix(sum);
}

/* The rows whose hash is at most a limit. */
static tacit_status collect(candidate **list, size_t *count, const tacit__hashed *hashed,
                            uint64_t limit, const tacit_run *run, tacit_error *err)
{
    size_t capacity = 0;
    tacit_status status = TACIT_OK;
    *count = 0;
    tacit__free(*list);
    *list = NULL;
    for (int64_t row = 0; row < hashed->rows && status == TACIT_OK; row++) {
        uint64_t hash = row_hash(hashed, row);
        if (row % ASK_EVERY_ROWS == 0)
            status = tacit__progress(run, "recognizing the data", row, hashed->rows, err);
        if (hash > limit || status != TACIT_OK)
            continue;
        if (!tacit__reserve((void **)list, &capacity, *count + 1, sizeof **list))
            return tacit__nomem(err);
        (*list)[(*count)++] = (candidate){hash, (uint32_t)row};
    }
    return status;
}

static size_t distinct(const candidate *list, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += i == 0 || list[i].hash != list[i - 1].hash;
    return found;
}

/* Candidates, sorted, with as many distinct rows as are kept or all that there are; *whole then. */
static tacit_status choose(candidate **list, size_t *count, bool *whole,
                           const tacit__hashed *hashed, const tacit_run *run, tacit_error *err)
{
    enum { SPARE = 2, WIDER = 16 };
    uint64_t limit = UINT64_MAX;
    if (hashed->rows > SPARE * MAX_ROWS)
        limit = UINT64_MAX / (uint64_t)hashed->rows * SPARE * MAX_ROWS;
    for (;;) {
        tacit_status status = collect(list, count, hashed, limit, run, err);
        if (status != TACIT_OK)
            return status;
        if (*count > 1)
            qsort(*list, *count, sizeof **list, by_row_hash);
        *whole = limit == UINT64_MAX && distinct(*list, *count) <= MAX_ROWS;
        if (limit == UINT64_MAX || distinct(*list, *count) >= MAX_ROWS)
            return TACIT_OK;
        limit = limit > UINT64_MAX / WIDER ? UINT64_MAX : limit * WIDER;
    }
}

/* ---- made ---- */

static tacit_status allocate_sketch(tacit__sketch *sketch, tacit_error *err)
{
    size_t columns = (size_t)sketch->column_count, rows = sketch->row_count;
    sketch->names = tacit__alloc_zeroed(columns, sizeof *sketch->names);
    sketch->counts = tacit__alloc_zeroed(rows, sizeof *sketch->counts);
    sketch->cells = tacit__alloc_zeroed(rows * columns, sizeof *sketch->cells);
    return sketch->names && sketch->counts && sketch->cells ? TACIT_OK : tacit__nomem(err);
}

void tacit__sketch_clear(tacit__sketch *sketch)
{
    tacit__free(sketch->names);
    tacit__free(sketch->counts);
    tacit__free(sketch->cells);
    *sketch = (tacit__sketch){0};
}

static void fill(tacit__sketch *sketch, const tacit__hashed *hashed, const candidate *list,
                 size_t count)
{
    uint32_t at = 0;
    for (int32_t c = 0; c < sketch->column_count; c++)
        sketch->names[c] = hashed->columns[c].name;
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && list[i].hash == list[i - 1].hash;
        if (!again && at == sketch->row_count)
            return;
        at += !again;
        sketch->counts[at - 1]++;
        for (int32_t c = 0; c < sketch->column_count && !again; c++) {
            const tacit__hashed_column *column = &hashed->columns[c];
            uint32_t code = tacit_codes_at(column->codes, list[i].row);
            sketch->cells[(size_t)(at - 1) * (size_t)sketch->column_count + (size_t)c] =
                (uint16_t)column->values[code];
        }
    }
}

tacit_status tacit__sketch_of(tacit__sketch *out, const tacit_table *data, const unsigned char *key,
                              const tacit_run *run, tacit_error *err)
{
    tacit__hashed hashed = {0};
    candidate *list = NULL;
    size_t count = 0;
    tacit_status status = tacit__hashed_of(&hashed, data, key, run, err);
    if (status == TACIT_OK)
        status = choose(&list, &count, &out->whole, &hashed, run, err);
    if (status == TACIT_OK) {
        size_t found = distinct(list, count);
        out->column_count = hashed.column_count;
        out->row_count = (uint32_t)(found < MAX_ROWS ? found : MAX_ROWS);
        out->total = hashed.rows;
        status = allocate_sketch(out, err);
    }
    if (status == TACIT_OK)
        fill(out, &hashed, list, count);
    tacit__free(list);
    tacit__hashed_clear(&hashed);
    return status;
}

/* ---- as bytes ---- */

enum {
    HEAD = 4 + 4 + 8 + 1,
    NONCE = crypto_stream_NONCEBYTES,
    NAME = 8,
    COUNT = 4,
    CELL = 2,
};

static unsigned char *put(unsigned char *at, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (unsigned char)(number >> 8 * i);
    return at;
}

static uint64_t get(const unsigned char **at, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint64_t) * (*at)++ << 8 * i;
    return number;
}

static size_t size_of(uint64_t columns, uint64_t rows)
{
    return (size_t)(HEAD + columns * NAME + rows * COUNT + rows * columns * CELL);
}

/* Enciphers, or deciphers, in place. */
static void cipher(unsigned char *bytes, size_t len, const unsigned char nonce[NONCE],
                   const unsigned char *key)
{
    unsigned char own[crypto_stream_KEYBYTES];
    derive(own, sizeof own, key, "tacit ledger sketch cipher 1");
    crypto_stream_xor(bytes, bytes, len, nonce, own);
    sodium_memzero(own, sizeof own);
}

static void make_nonce(unsigned char nonce[NONCE], const unsigned char *bytes, size_t len,
                       const unsigned char *key)
{
    unsigned char own[TACIT__LEDGER_KEY];
    derive(own, sizeof own, key, "tacit ledger sketch nonce 1");
    crypto_generichash(nonce, NONCE, bytes, len, own, sizeof own);
    sodium_memzero(own, sizeof own);
}

tacit_status tacit__sketch_pack(unsigned char **out, size_t *len, const tacit__sketch *sketch,
                                const unsigned char *key, tacit_error *err)
{
    size_t columns = (size_t)sketch->column_count, rows = sketch->row_count;
    size_t size = size_of(columns, rows);
    unsigned char *bytes = tacit__alloc(NONCE + size);
    if (!bytes)
        return tacit__nomem(err);
    unsigned char *at = bytes + NONCE;
    at = put(at, columns, 4);
    at = put(at, rows, 4);
    at = put(at, (uint64_t)sketch->total, 8);
    at = put(at, sketch->whole, 1);
    for (size_t c = 0; c < columns; c++)
        at = put(at, sketch->names[c], NAME);
    for (size_t r = 0; r < rows; r++)
        at = put(at, sketch->counts[r], COUNT);
    for (size_t i = 0; i < rows * columns; i++)
        at = put(at, sketch->cells[i], CELL);
    make_nonce(bytes, bytes + NONCE, size, key);
    cipher(bytes + NONCE, size, bytes, key);
    *out = bytes;
    *len = NONCE + size;
    return TACIT_OK;
}

/* The head, with its numbers within bounds and of the size that the bytes have. */
static bool read_head(tacit__sketch *sketch, const unsigned char **at, size_t size)
{
    if (size < HEAD)
        return false;
    uint64_t columns = get(at, 4), rows = get(at, 4), total = get(at, 8), whole = get(at, 1);
    if (columns > TACIT_MAX_COLUMNS || rows > MAX_ROWS || total > (uint64_t)TACIT_MAX_ROWS ||
        rows > total || whole > 1 || size != size_of(columns, rows))
        return false;
    sketch->column_count = (int32_t)columns;
    sketch->row_count = (uint32_t)rows;
    sketch->total = (int64_t)total;
    sketch->whole = whole;
    return true;
}

static bool read_body(tacit__sketch *sketch, const unsigned char *at)
{
    size_t columns = (size_t)sketch->column_count, rows = sketch->row_count;
    int64_t sum = 0;
    for (size_t c = 0; c < columns; c++)
        sketch->names[c] = get(&at, NAME);
    for (size_t r = 0; r < rows; r++) {
        sketch->counts[r] = (uint32_t)get(&at, COUNT);
        sum += sketch->counts[r];
        if (sketch->counts[r] == 0)
            return false;
    }
    for (size_t i = 0; i < rows * columns; i++)
        sketch->cells[i] = (uint16_t)get(&at, CELL);
    return sum <= sketch->total && (!sketch->whole || sum == sketch->total);
}

tacit_status tacit__sketch_unpack(tacit__sketch *out, const unsigned char *bytes, size_t len,
                                  const unsigned char *key, bool *broken, tacit_error *err)
{
    tacit__sketch sketch = {0};
    *broken = len < NONCE;
    if (*broken)
        return TACIT_OK;
    size_t size = len - NONCE;
    unsigned char *plain = (unsigned char *)tacit__copy_bytes((const char *)bytes + NONCE, size);
    if (!plain)
        return tacit__nomem(err);
    cipher(plain, size, bytes, key);
    const unsigned char *at = plain;
    *broken = !read_head(&sketch, &at, size);
    tacit_status status = *broken ? TACIT_OK : allocate_sketch(&sketch, err);
    if (status == TACIT_OK && !*broken)
        *broken = !read_body(&sketch, at);
    if (status == TACIT_OK && !*broken)
        *out = sketch;
    else
        tacit__sketch_clear(&sketch);
    tacit__free(plain);
    return status;
}
