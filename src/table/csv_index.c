/*
 * csv_index.c - where the fields of a stretch of CSV end.
 *
 * Sixty-four bytes become masks; delimiters and line ends outside quotes become
 * positions. Blocks without quotes, carriage returns, NULs or bytes beyond
 * ASCII (nearly all) take the short way. In the others quoting is checked by
 * mask arithmetic: an opening quote must follow a field's start or a closing
 * quote, and what follows a closing quote must be a field's end or a quote.
 * That something is wrong is all that is found out here; csv_check.c says what.
 * Costs about 0.3 ns a byte, a fifth of reading and coding six columns.
 */
#include "table/csv.h"

#include <string.h>

#include "base/cpu.h"
#include "base/vector.h"
#include "table/csv_scan.h"

TACIT__HOT
void tacit__stretch_count(tacit__table_stretch *stretch, const tacit_table *table)
{
    char padded[TACIT__BLOCK];
    uint64_t inside = 0; /* all ones inside quotes, if the stretch starts outside */
    bool quotes = false;
    int64_t outer = 0, inner = 0;
    for (size_t at = stretch->begin; at < stretch->end; at += TACIT__BLOCK) {
        uint64_t valid;
        const char *block = tacit__block_at(table->bytes, stretch->end, at, padded, &valid);
        uint64_t quote = tacit__find(block, '"') & valid;
        uint64_t line_end = tacit__find(block, '\n') & valid;
        if (quote | inside) {
            quotes = true;
            uint64_t within = tacit__prefix_parity(quote) ^ inside;
            inner += __builtin_popcountll(line_end & within);
            outer += __builtin_popcountll(line_end & ~within);
            inside = (uint64_t)((int64_t)within >> 63);
        } else {
            outer += __builtin_popcountll(line_end);
        }
    }
    stretch->quotes = quotes;
    stretch->odd = inside != 0;
    stretch->line_ends[0] = outer;
    stretch->line_ends[1] = inner;
}

/* What one block hands on to the next. */
typedef struct carry {
    uint64_t inside;       /* all ones inside quotes */
    uint64_t after_end;    /* 1: the byte before was a field's end */
    uint64_t after_close;  /* 1: it was a closing quote */
    uint64_t after_return; /* 1: it was a carriage return outside quotes */
} carry;

typedef struct masks {
    uint64_t ends;      /* field ends outside quotes */
    uint64_t line_ends; /* those that are line ends */
    uint64_t broken;
} masks;

static masks difficult_block(const char *block, uint64_t valid, char delimiter, carry *c,
                             tacit__csv_index *index)
{
    uint64_t quote = tacit__find(block, '"') & valid;
    uint64_t inside = tacit__prefix_parity(quote) ^ c->inside;
    uint64_t line_end = tacit__find(block, '\n') & valid & ~inside;
    uint64_t ends = line_end | (tacit__find(block, delimiter) & valid & ~inside);
    uint64_t back = tacit__find(block, '\r') & valid & ~inside;
    uint64_t open = quote & inside, close = quote & ~inside;
    uint64_t closed_before = (close << 1) | c->after_close;
    uint64_t broken = open & ~((ends << 1) | c->after_end | closed_before);
    broken |= closed_before & ~(ends | quote | back) & valid;
    broken |= ((back << 1) | c->after_return) & ~line_end & valid;
    broken |= tacit__find(block, '\0') & valid;
    index->high |= tacit__find_high(block) != 0;
    index->returns |= back != 0;
    c->inside = (uint64_t)((int64_t)inside >> 63);
    c->after_end = ends >> 63;
    c->after_close = close >> 63;
    c->after_return = back >> 63;
    return (masks){ends, line_end, broken};
}

/* Whether a block needs the long way, and the masks of the short one. */
#if defined(__SSE2__)
static inline bool easy_block(const char *block, char delimiter, masks *m)
{
    const __m128i d = _mm_set1_epi8(delimiter), n = _mm_set1_epi8('\n');
    const __m128i q = _mm_set1_epi8('"'), r = _mm_set1_epi8('\r'), z = _mm_setzero_si128();
    uint64_t ends = 0, line_ends = 0;
    __m128i rare = z;
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        __m128i line = _mm_cmpeq_epi8(v, n);
        __m128i end = _mm_or_si128(line, _mm_cmpeq_epi8(v, d));
        rare = _mm_or_si128(rare,
                            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, q), v),
                                         _mm_or_si128(_mm_cmpeq_epi8(v, r), _mm_cmpeq_epi8(v, z))));
        ends |= (uint64_t)(uint32_t)_mm_movemask_epi8(end) << (16 * i);
        line_ends |= (uint64_t)(uint32_t)_mm_movemask_epi8(line) << (16 * i);
    }
    *m = (masks){.ends = ends, .line_ends = line_ends};
    return _mm_movemask_epi8(rare) == 0; /* the top bit of v itself marks bytes beyond ASCII */
}
#else
static inline bool easy_block(const char *block, char delimiter, masks *m)
{
    uint64_t line_ends = tacit__find(block, '\n');
    *m = (masks){.ends = line_ends | tacit__find(block, delimiter), .line_ends = line_ends};
    return !(tacit__find(block, '"') | tacit__find(block, '\r') | tacit__find(block, '\0') |
             tacit__find_high(block));
}
#endif

static inline masks block_masks(const char *block, uint64_t valid, char delimiter, carry *c,
                                tacit__csv_index *index)
{
    masks m;
    bool settled = !(c->inside | c->after_close | c->after_return) && valid == ~UINT64_C(0);
    if (settled && easy_block(block, delimiter, &m)) {
        c->after_end = m.ends >> 63;
        return m;
    }
    return difficult_block(block, valid, delimiter, c, index);
}

static carry carry_into(const tacit__table_stretch *stretch, const tacit_table *table)
{
    if (stretch->begin == table->data_start)
        return (carry){.after_end = 1};
    char before = table->bytes[stretch->begin - 1];
    if (stretch->starts_quoted)
        return (carry){.inside = ~UINT64_C(0)};
    return (carry){.after_end = before == table->delimiter || before == '\n',
                   .after_close = before == '"',
                   .after_return = before == '\r'};
}

/* Eight positions are written at a time: a loop that ran as often as bits are
 * set would mispredict its end in every block. */
static inline void push_positions(tacit__csv_index *index, uint64_t bits, uint32_t at)
{
    uint32_t *out = index->ends + index->count;
    int count = __builtin_popcountll(bits);
    index->count += (size_t)count;
    for (int done = 0; done < count; done += 8) {
        for (int i = 0; i < 8; i++) {
            out[done + i] = at + (uint32_t)__builtin_ctzll(bits | UINT64_C(1) << 63);
            bits &= bits - 1;
        }
    }
}

static bool reserve(tacit__csv_index *index)
{
    if (index->capacity - index->count >= TACIT__BLOCK + 8)
        return true;
    return TACIT__RESERVE(index->ends, index->capacity, index->count + index->capacity / 2 + 4096);
}

static uint64_t below(size_t bit)
{
    return bit >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bit) - 1;
}

/* How far the sweep through a stretch has come. */
typedef struct sweep {
    size_t end; /* of the stretch */
    carry carry;
    bool started; /* the first row's start has been found */
    bool done;    /* the last row is closed, or no row starts here */
} sweep;

/* Which bytes of the block at `at` belong to rows of the stretch: those from the
 * line end before its first row to the one that closes its last. */
static inline uint64_t own_bytes(sweep *w, const masks *m, size_t at)
{
    uint64_t own = ~UINT64_C(0);
    if (!w->started) {
        size_t first = m->line_ends ? (size_t)__builtin_ctzll(m->line_ends) : TACIT__BLOCK;
        w->done = at + first >= w->end;
        if (w->done || !m->line_ends)
            return 0;
        own = ~below(first);
        w->started = true;
    }
    if (at + TACIT__BLOCK <= w->end)
        return own;
    uint64_t closing = m->line_ends & own & ~below(w->end > at ? w->end - at : 0);
    if (!closing)
        return own;
    w->done = true;
    return own & below((size_t)__builtin_ctzll(closing) + 1);
}

/* The last row of a file may lack its line end. */
static void close_last_row(tacit__csv_index *index, const tacit_table *table)
{
    char last = table->bytes[table->len - 1];
    if (last == '\n')
        return;
    index->ends[index->count++] = (uint32_t)(table->len - index->base);
    index->line_ends++;
    index->broken |= last == '\r';
}

static bool begin(tacit__csv_index *index, const tacit__table_stretch *stretch, bool first)
{
    index->count = 0;
    index->base = stretch->begin - 1; /* may wrap for offset 0: arithmetic is modular */
    index->high = index->returns = index->broken = false;
    index->line_ends = 0;
    if (!reserve(index))
        return false;
    if (first)
        index->ends[index->count++] = 0;
    return true;
}

TACIT__HOT
bool tacit__csv_index_build(tacit__csv_index *index, const tacit__table_stretch *stretch,
                            const tacit_table *table)
{
    sweep w = {.end = stretch->end, .carry = carry_into(stretch, table)};
    w.started = stretch->begin == table->data_start;
    if (!begin(index, stretch, w.started))
        return false;
    char padded[TACIT__BLOCK];
    for (size_t at = stretch->begin; at < table->len && !w.done; at += TACIT__BLOCK) {
        uint64_t valid;
        const char *block = tacit__block_at(table->bytes, table->len, at, padded, &valid);
        masks m = block_masks(block, valid, table->delimiter, &w.carry, index);
        uint64_t own = own_bytes(&w, &m, at);
        index->broken |= (m.broken & own) != 0 || at - stretch->begin > INT32_MAX;
        index->line_ends += __builtin_popcountll(m.line_ends & own);
        if (!reserve(index))
            return false;
        if (at - stretch->begin > INT32_MAX)
            return true; /* a row longer than any that is read */
        push_positions(index, m.ends & own, (uint32_t)(at - index->base));
    }
    if (w.started && !w.done && !w.carry.inside)
        close_last_row(index, table);
    index->broken |= !w.done && w.carry.inside != 0;
    return true;
}
