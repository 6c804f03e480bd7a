/*
 * csv_write.c - a release, row by row, from the table's own bytes.
 *
 * Batches of rows are formatted by all cores into buffers, by the segments of
 * csv_plan.c, and written in order, each at the offset that the batches before
 * it leave: the bytes do not depend on the number of threads.
 *
 * Rows in random order are the expensive case: visited as they come, each would
 * wait for memory several times. So a large batch is first sorted by place in
 * the input, formatted in that order, sweeping once through the file, and then
 * gathered into the order of the release from a buffer that is small enough for
 * the cache.
 */
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "table/csv_check.h"
#include "table/csv_plan.h"
#include "table/csv_row.h"
#include "table/table.h"

enum { BATCH = 4096, SHUFFLED_BATCH = 1 << 15, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
enum { BATCH_BYTES = 32 << 20 }; /* of a batch, about: long rows come in smaller ones */
enum { GROUP = 64, AHEAD_GATHER = 16, LINE = 64 };

/* A row of a batch: where it comes from and where it goes. */
typedef struct move {
    uint32_t row;
    uint32_t place;
} move;

/* Where it lies in the buffer once it is formatted. */
typedef struct span {
    uint32_t start;
    uint32_t len;
} span;

/* One worker's buffers. */
typedef struct desk {
    char *out;
    size_t len, capacity;
    char *gathered;
    size_t gathered_capacity;
    char *scratch;
    size_t scratch_capacity;
    tacit_strview *cells;
    move *moves, *sorted; /* SHUFFLED_BATCH each, where rows are out of order */
    span *spans;
} desk;

typedef struct writer {
    const tacit_table *table;
    const tacit_csv_layout *layout;
    tacit__plan plan;
    int fd;
    const char *name;
    int64_t batch;
    const char *last_safe; /* 64 bytes can be read up to here */
    desk *desks;
    int desk_count;
    pthread_mutex_t lock; /* guards the turn */
    pthread_cond_t turned;
    int64_t turn;
    int64_t offset;
    bool failed;
} writer;

/* Copies a label, of which 16 bytes can be read, to a place with room to spare. */
static inline char *put_piece(char *to, const tacit__piece *piece)
{
    if (piece->len <= TACIT__SMALL)
        memcpy(to, piece->bytes, TACIT__SMALL);
    else
        memcpy(to, piece->bytes, piece->len);
    return to + piece->len;
}

/* Copies a part of the input; short ones without a call, where the input goes on
 * long enough behind them. */
static inline char *put_raw(const writer *w, char *to, const char *from, const char *end)
{
    size_t len = end > from ? (size_t)(end - from) : 0; /* the file may have changed */
    if (len <= LINE && from <= w->last_safe)
        memcpy(to, from, LINE);
    else
        memcpy(to, from, len);
    return to + len;
}

/* The rewritten cell, quoted if need be. */
static bool put_rewritten(const writer *w, desk *d, const tacit__segment *s, char **at)
{
    tacit_strview cell = d->cells[s->first];
    char made[TACIT_MAX_REWRITE];
    if (cell.len && cell.bytes[0] == '"') {
        if (!tacit__reserve((void **)&d->scratch, &d->scratch_capacity, cell.len, 1))
            return false;
        cell = (tacit_strview){d->scratch, tacit_csv_unquote(cell, d->scratch, cell.len)};
    }
    size_t len = s->column->rewrite(cell, made, sizeof made, s->column->payload);
    tacit_strview text = {made, len < sizeof made ? len : sizeof made};
    *at += tacit__csv_quote(text, w->table->delimiter, *at);
    return true;
}

/* A row on its way: where it starts, and its labels if they are packed. */
typedef struct source {
    int64_t row;
    size_t start, next; /* of this row and of the next */
    uint64_t labels;
} source;

static inline source source_of(const writer *w, int64_t row)
{
    const uint64_t *records = w->plan.records;
    if (!records)
        return (source){row, tacit__row_start(w->table, row), tacit__row_start(w->table, row + 1),
                        0};
    const int bits = w->plan.label_bits;
    return (source){row, records[row] >> bits, records[row + 1] >> bits, records[row]};
}

static inline const tacit__piece *label_of(const writer *w, const tacit__segment *s, source from)
{
    const tacit__table_labels *labels = s->labels;
    uint64_t number = w->plan.records ? from.labels >> labels->shift & labels->mask
                                      : labels->number[tacit_codes_at(s->column->codes, from.row)];
    return &labels->pieces[number];
}

static inline bool put_segment(const writer *w, desk *d, const tacit__segment *s, source from,
                               char **at)
{
    const tacit__piece *piece = NULL;
    if (s->kind == TACIT__SEGMENT_REWRITE)
        return put_rewritten(w, d, s, at);
    if (s->kind == TACIT__SEGMENT_BLANK)
        piece = &w->plan.blank;
    else if (s->kind == TACIT__SEGMENT_LABEL)
        piece = label_of(w, s, from);
    if (piece && piece->bytes)
        *at = put_piece(*at, piece);
    else
        *at = put_raw(w, *at, d->cells[s->first].bytes,
                      d->cells[s->last].bytes + d->cells[s->last].len);
    return true;
}

/* Where a row ends, its line end not included. */
static inline const char *row_end(const tacit_table *t, source from)
{
    const char *end = t->bytes + from.next;
    if (end > t->bytes + from.start && end[-1] == '\n')
        end--;
    if (end > t->bytes + from.start && end[-1] == '\r')
        end--;
    return end;
}

/* Room for a row whose raw cells take `raw` bytes together. */
static inline bool make_room(const writer *w, desk *d, size_t raw)
{
    size_t needed = d->len + raw + w->plan.made_bytes + (size_t)w->layout->column_count + 2 * LINE;
    return needed <= d->capacity || tacit__reserve((void **)&d->out, &d->capacity, needed, 1);
}

/* Where the raw segment that runs to the row's end starts. */
static inline const char *tail_start(const tacit_table *t, const desk *d,
                                     const tacit__segments *segments, source from)
{
    int32_t first = segments->list[segments->count - 1].first;
    if (first == 0)
        return t->bytes + from.start;
    return d->cells[first - 1].bytes + d->cells[first - 1].len + 1;
}

static inline bool put_row(const writer *w, desk *d, source from)
{
    const tacit_table *t = w->table;
    const uint64_t *suppressed = w->layout->suppressed;
    const tacit__segments *segments =
        suppressed && tacit__bit_get(suppressed, from.row) ? &w->plan.suppressed : &w->plan.kept;
    if (segments->needed)
        tacit__row_at(t, from.start, from.next, d->cells, segments->needed);
    if (!make_room(w, d, from.next - from.start))
        return false;
    char *at = d->out + d->len;
    bool tail = segments->needed < t->column_count;
    for (int32_t i = 0; i < segments->count - tail; i++) {
        if (!put_segment(w, d, &segments->list[i], from, &at))
            return false;
        *at++ = t->delimiter;
    }
    if (tail)
        at = put_raw(w, at, tail_start(t, d, segments, from), row_end(t, from));
    else
        at--; /* the last delimiter gives way to the line end */
    if (t->crlf)
        *at++ = '\r';
    *at++ = '\n';
    d->len = (size_t)(at - d->out);
    return true;
}

/* Rows one after the other, as they stand in the table. */
TACIT__HOT
static bool put_rows(const writer *w, desk *d, int64_t from, int64_t to)
{
    for (int64_t row = from; row < to; row++)
        if (!put_row(w, d, source_of(w, row)))
            return false;
    return true;
}

/* Sorts a batch by row: radix, three digits of eleven bits. */
static const move *sort_moves(desk *d, int64_t count, uint64_t rows)
{
    for (int shift = 0; shift == 0 || rows >> shift; shift += DIGIT_BITS) {
        uint32_t starts[DIGITS] = {0}, sum = 0;
        for (int64_t i = 0; i < count; i++)
            starts[d->moves[i].row >> shift & (DIGITS - 1)]++;
        for (int digit = 0; digit < DIGITS; digit++) {
            uint32_t here = starts[digit];
            starts[digit] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; i++)
            d->sorted[starts[d->moves[i].row >> shift & (DIGITS - 1)]++] = d->moves[i];
        move *swap = d->moves;
        d->moves = d->sorted;
        d->sorted = swap;
    }
    return d->moves;
}

/* Looks up a group of rows and touches their text, so that putting them together
 * finds it in the cache. Plain loads that nothing waits for overlap, also in
 * finding their pages; prefetches turned out to wait. */
static inline void fetch(const writer *w, source *group, const move *moves, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        group[i] = source_of(w, moves[i].row);
    for (int64_t i = 0; i < count; i++) {
        const char *text = w->table->bytes + group[i].start;
        (void)*(const volatile char *)text;
        if (text < w->last_safe)
            (void)*(const volatile char *)(text + LINE);
    }
}

/* Rows of a batch in the order of the input, each remembering where it lies. */
TACIT__HOT
static bool put_sorted(const writer *w, desk *d, const move *moves, int64_t count)
{
    source group[GROUP];
    for (int64_t i = 0; i < count; i++) {
        if (i % GROUP == 0)
            fetch(w, group, moves + i, count - i < GROUP ? count - i : GROUP);
        size_t start = d->len;
        if (!put_row(w, d, group[i % GROUP]) || d->len > UINT32_MAX)
            return false;
        d->spans[moves[i].place] = (span){(uint32_t)start, (uint32_t)(d->len - start)};
    }
    return true;
}

/* The batch's rows in the order of the release. */
static bool gather(desk *d, int64_t count)
{
    if (!tacit__reserve((void **)&d->gathered, &d->gathered_capacity, d->len + LINE, 1) ||
        !tacit__reserve((void **)&d->out, &d->capacity, d->len + LINE, 1))
        return false;
    char *to = d->gathered;
    for (int64_t i = 0; i < count; i++) {
        if (i + AHEAD_GATHER < count)
            __builtin_prefetch(d->out + d->spans[i + AHEAD_GATHER].start);
        span s = d->spans[i];
        if (s.len <= LINE)
            memcpy(to, d->out + s.start, LINE);
        else
            memcpy(to, d->out + s.start, s.len);
        to += s.len;
    }
    return true;
}

static bool put_shuffled(writer *w, desk *d, int64_t from, int64_t to)
{
    int64_t count = to - from;
    for (int64_t i = 0; i < count; i++)
        d->moves[i] = (move){w->layout->order[from + i], (uint32_t)i};
    const move *moves = sort_moves(d, count, (uint64_t)w->table->rows);
    return put_sorted(w, d, moves, count) && gather(d, count);
}

/* Waits until every batch before this one has its place; false if one failed. */
static bool take_place(writer *w, int64_t batch, size_t len, int64_t *offset)
{
    pthread_mutex_lock(&w->lock);
    while (w->turn != batch && !w->failed)
        pthread_cond_wait(&w->turned, &w->lock);
    bool placed = !w->failed;
    *offset = w->offset;
    w->offset += (int64_t)len;
    w->turn++;
    pthread_cond_broadcast(&w->turned);
    pthread_mutex_unlock(&w->lock);
    return placed;
}

static tacit_status give_up(writer *w, tacit_status status)
{
    pthread_mutex_lock(&w->lock);
    w->failed = true;
    pthread_cond_broadcast(&w->turned);
    pthread_mutex_unlock(&w->lock);
    return status;
}

static tacit_status write_task(void *context, int64_t task, int worker, tacit_error *err)
{
    writer *w = context;
    desk *d = &w->desks[worker];
    int64_t from = task * w->batch;
    int64_t to = from + w->batch < w->layout->row_count ? from + w->batch : w->layout->row_count;
    d->len = 0;
    bool shuffled = w->layout->order != NULL;
    if (!(shuffled ? put_shuffled(w, d, from, to) : put_rows(w, d, from, to)))
        return give_up(w, tacit__nomem(err));
    int64_t offset;
    if (!take_place(w, task, d->len, &offset))
        return TACIT_OK; /* the batch that failed reports it */
    tacit_status status =
        tacit__write_at(w->fd, w->name, shuffled ? d->gathered : d->out, d->len, offset, err);
    return status == TACIT_OK ? status : give_up(w, status);
}

static tacit_status write_header(writer *w, tacit_error *err)
{
    const tacit_table *t = w->table;
    tacit__strbuf text = {0};
    tacit__strbuf_add(&text, t->bytes, t->header_start); /* the byte order mark */
    tacit_strview *cells = w->desks[0].cells;
    int32_t found;
    if (t->has_header)
        tacit__csv_cut(t, t->header_start, t->len, cells, t->column_count, &found);
    for (int32_t i = 0; t->has_header && i < w->layout->column_count; i++) {
        tacit_strview cell = cells[w->layout->columns[i].source];
        if (i > 0)
            tacit__strbuf_add(&text, &t->delimiter, 1);
        tacit__strbuf_add(&text, cell.bytes, cell.len);
    }
    if (t->has_header)
        tacit__strbuf_text(&text, t->crlf ? "\r\n" : "\n");
    tacit_status status = text.failed ? tacit__nomem(err) : TACIT_OK;
    if (status == TACIT_OK)
        status = tacit__write_at(w->fd, w->name, text.bytes, text.len, 0, err);
    w->offset = (int64_t)text.len;
    tacit__strbuf_clear(&text);
    return status;
}

static bool open_desk(desk *d, const writer *w)
{
    d->cells = tacit__alloc_zeroed((size_t)w->table->column_count, sizeof *d->cells);
    if (!w->layout->order)
        return d->cells != NULL;
    size_t batch = (size_t)w->batch;
    d->moves = tacit__alloc_array(batch, sizeof *d->moves);
    d->sorted = tacit__alloc_array(batch, sizeof *d->sorted);
    d->spans = tacit__alloc_array(batch, sizeof *d->spans);
    return d->cells && d->moves && d->sorted && d->spans;
}

static tacit_status open_desks(writer *w, const tacit_run *run, tacit_error *err)
{
    w->desk_count = tacit__threads(run);
    w->desks = tacit__alloc_zeroed((size_t)w->desk_count, sizeof *w->desks);
    for (int i = 0; w->desks && i < w->desk_count; i++)
        if (!open_desk(&w->desks[i], w))
            return tacit__nomem(err);
    return w->desks ? TACIT_OK : tacit__nomem(err);
}

static void clear_desk(desk *d)
{
    tacit__free(d->out);
    tacit__free(d->gathered);
    tacit__free(d->scratch);
    tacit__free(d->cells);
    tacit__free(d->moves);
    tacit__free(d->sorted);
    tacit__free(d->spans);
}

static void clear_writer(writer *w)
{
    for (int i = 0; w->desks && i < w->desk_count; i++)
        clear_desk(&w->desks[i]);
    tacit__free(w->desks);
    tacit__plan_clear(&w->plan);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->turned);
}

static int64_t rows_a_batch(const tacit_table *table, const tacit_csv_layout *layout)
{
    int64_t batch = layout->order ? SHUFFLED_BATCH : BATCH;
    int64_t rows = table->rows > 0 ? table->rows : 1;
    int64_t fitting = BATCH_BYTES / ((int64_t)table->len / rows + 1);
    if (fitting < batch)
        batch = fitting;
    if (layout->row_count < batch)
        batch = layout->row_count;
    return batch > 0 ? batch : 1;
}

tacit_status tacit_table_write(int fd, const char *name, int64_t *bytes, const tacit_table *table,
                               const tacit_csv_layout *layout, const tacit_run *run,
                               tacit_error *err)
{
    if (layout->column_count == 0)
        return tacit__error(err, TACIT_INVALID, "a release needs at least one column");
    writer w = {.table = table, .layout = layout, .fd = fd, .name = name};
    w.batch = rows_a_batch(table, layout);
    w.last_safe = table->len >= LINE ? table->bytes + table->len - LINE : NULL;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.turned, NULL);
    tacit_status status = open_desks(&w, run, err);
    if (status == TACIT_OK)
        status = tacit__plan_init(&w.plan, table, layout, run, err);
    if (status == TACIT_OK)
        status = write_header(&w, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "writing", (layout->row_count + w.batch - 1) / w.batch,
                                 write_task, &w, err);
    if (status == TACIT_OK && bytes)
        *bytes = w.offset;
    clear_writer(&w);
    return status;
}
