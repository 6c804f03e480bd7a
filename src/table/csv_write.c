/*
 * csv_write.c - a release, row by row, from the table's own bytes.
 *
 * Output columns are planned as segments: neighbouring columns that stay as
 * they are become one copy out of the input, generalized ones a look-up of a
 * label that was quoted once beforehand. Batches of rows are formatted by all
 * cores into buffers and written in order, each at the offset that the batches
 * before it leave: the bytes do not depend on the number of threads.
 *
 * Rows in random order would miss the cache once for every column's code, so a
 * row's start and its labels are first packed side by side, 16 bytes a row; the
 * writer asks for them, and for the text behind them, some rows ahead.
 */
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "table/csv_check.h"
#include "table/csv_row.h"
#include "table/table.h"

enum { BATCH = 4096, AHEAD_RECORD = 32, AHEAD_TEXT = 12, SMALL = 16 };
enum { LONGEST_REWRITE = 2 * TACIT_MAX_REWRITE + 2 }; /* every byte a quote */

typedef enum segment_kind { SEGMENT_RAW, SEGMENT_LABEL, SEGMENT_REWRITE } segment_kind;

/* A label as it is written. bytes NULL leaves the cell; otherwise 16 bytes may
 * be read from it whatever its length. */
typedef struct piece {
    const char *bytes;
    size_t len;
    tacit_strview source; /* the label itself: equal ones share their bytes mostly */
} piece;

typedef struct segment {
    segment_kind kind;
    int32_t first, last; /* columns of the table */
    const tacit_csv_column *column;
    piece *pieces; /* distinct labels; NULL: cells stay, unless blanked */
    size_t piece_capacity;
    uint32_t piece_count;
    uint32_t *number; /* of the label, for each code */
    int shift;        /* of the label's number in a record */
    uint64_t mask;
} segment;

typedef struct record {
    uint64_t start;
    uint64_t labels;
} record;

/* One worker's buffers. */
typedef struct desk {
    char *out;
    size_t len, capacity;
    char *scratch;
    size_t scratch_capacity;
    tacit_strview *cells;
} desk;

typedef struct writer {
    const tacit_table *table;
    const tacit_csv_layout *layout;
    int fd;
    const char *name;
    segment *segments;
    int32_t segment_count;
    piece blank;
    size_t made_bytes; /* the longest a row's labels and rewritten cells can be together */
    tacit__arena arena;
    record *records; /* NULL unless rows are out of order */
    const char *last_safe;
    desk *desks;
    int desk_count;
    pthread_mutex_t lock; /* guards the turn */
    pthread_cond_t turned;
    int64_t turn;
    int64_t offset;
    bool failed;
} writer;

static bool make_piece(piece *made, writer *w, tacit_strview label)
{
    char *text = tacit__arena_alloc(&w->arena, 2 * label.len + 2 + SMALL);
    if (!text)
        return false;
    memset(text, 0, 2 * label.len + 2 + SMALL);
    *made = (piece){text, tacit__csv_quote(label, w->table->delimiter, text), label};
    return true;
}

static bool any_label(const tacit_csv_column *column)
{
    for (uint32_t i = 0; column->relabelled && i < column->label_count; i++)
        if (column->labels[i].bytes)
            return true;
    return false;
}

/* The number of a label among the segment's pieces; UINT32_MAX when memory runs
 * out. Labels that share their bytes with one met before share its piece, found
 * through `slots`: thousands of codes have a handful of labels, and those must
 * stay in the cache. */
static uint32_t number_label(writer *w, segment *s, tacit_strview label, uint32_t *slots,
                             size_t slot_mask)
{
    size_t slot = (size_t)tacit__mix((uint64_t)(uintptr_t)label.bytes) & slot_mask;
    for (; slots[slot] != UINT32_MAX; slot = (slot + 1) & slot_mask) {
        const piece *known = &s->pieces[slots[slot]];
        if (known->source.bytes == label.bytes && known->source.len == label.len)
            return slots[slot];
    }
    if (!tacit__reserve((void **)&s->pieces, &s->piece_capacity, (size_t)s->piece_count + 1,
                        sizeof *s->pieces))
        return UINT32_MAX;
    s->pieces[s->piece_count] = (piece){.source = label};
    if (label.bytes && !make_piece(&s->pieces[s->piece_count], w, label))
        return UINT32_MAX;
    slots[slot] = s->piece_count;
    return s->piece_count++;
}

static bool number_labels(writer *w, segment *s)
{
    const tacit_csv_column *column = s->column;
    size_t size = 16;
    while (size < 2 * (size_t)column->label_count)
        size *= 2;
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    s->number = tacit__alloc_array(column->label_count, sizeof *s->number);
    bool enough = slots && s->number;
    for (size_t i = 0; enough && i < size; i++)
        slots[i] = UINT32_MAX;
    for (uint32_t i = 0; enough && i < column->label_count; i++) {
        s->number[i] = number_label(w, s, column->labels[i], slots, size - 1);
        enough = s->number[i] != UINT32_MAX;
    }
    tacit__free(slots);
    return enough;
}

static bool plan_labels(writer *w, segment *s)
{
    size_t longest = s->column->blanked ? w->blank.len : 0;
    if (any_label(s->column) && !number_labels(w, s))
        return false;
    for (uint32_t i = 0; i < s->piece_count; i++)
        if (s->pieces[i].len > longest)
            longest = s->pieces[i].len;
    w->made_bytes += longest;
    return true;
}

static segment_kind kind_of(const tacit_csv_column *column)
{
    if (column->rewrite)
        return SEGMENT_REWRITE;
    return column->blanked || any_label(column) ? SEGMENT_LABEL : SEGMENT_RAW;
}

static tacit_status plan(writer *w, tacit_error *err)
{
    const tacit_csv_layout *layout = w->layout;
    w->segments = tacit__alloc_zeroed((size_t)layout->column_count, sizeof *w->segments);
    if (!w->segments || !make_piece(&w->blank, w, layout->suppressed_label))
        return tacit__nomem(err);
    for (int32_t i = 0; i < layout->column_count; i++) {
        const tacit_csv_column *column = &layout->columns[i];
        segment_kind kind = kind_of(column);
        segment *before = w->segment_count ? &w->segments[w->segment_count - 1] : NULL;
        if (kind == SEGMENT_RAW && before && before->kind == SEGMENT_RAW &&
            before->last + 1 == column->source) {
            before->last++;
            continue;
        }
        segment *s = &w->segments[w->segment_count++];
        *s = (segment){
            .kind = kind, .first = column->source, .last = column->source, .column = column};
        if (kind == SEGMENT_REWRITE)
            w->made_bytes += LONGEST_REWRITE;
        if (kind == SEGMENT_LABEL && !plan_labels(w, s))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

/* Gives each labelled segment its bits of a record; false where 64 do not do. */
static bool assign_bits(writer *w)
{
    int used = 0;
    for (int32_t i = 0; i < w->segment_count; i++) {
        segment *s = &w->segments[i];
        if (!s->pieces)
            continue;
        int bits = 1;
        while (bits < 32 && (UINT64_C(1) << bits) < s->piece_count)
            bits++;
        if (used + bits > 64)
            return false;
        s->shift = used;
        s->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
    }
    return true;
}

static tacit_status pack_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    (void)err;
    writer *w = context;
    int64_t from = task * BATCH, to = from + BATCH < w->table->rows ? from + BATCH : w->table->rows;
    for (int64_t row = from; row < to; row++)
        w->records[row] = (record){w->table->row_start[row], 0};
    for (int32_t i = 0; i < w->segment_count; i++) {
        const segment *s = &w->segments[i];
        if (!s->pieces)
            continue;
        for (int64_t row = from; row < to; row++)
            w->records[row].labels |= (uint64_t)s->number[tacit_codes_at(s->column->codes, row)]
                                      << s->shift;
    }
    return TACIT_OK;
}

static tacit_status pack(writer *w, const tacit_run *run, tacit_error *err)
{
    if (!w->layout->order || !assign_bits(w))
        return TACIT_OK;
    w->records = tacit__alloc_array((size_t)w->table->rows, sizeof *w->records);
    if (!w->records)
        return tacit__nomem(err);
    return tacit__parallel(run, NULL, (w->table->rows + BATCH - 1) / BATCH, pack_task, w, err);
}

/* Copies to a place with SMALL bytes to spare; short texts without a call. */
static inline char *put(char *to, const char *from, size_t len, bool safe)
{
    if (len <= SMALL && safe)
        memcpy(to, from, SMALL);
    else
        memcpy(to, from, len);
    return to + len;
}

/* The rewritten cell, quoted if need be; at most LONGEST_REWRITE bytes. */
static bool put_rewritten(const writer *w, desk *d, const segment *s, char **at)
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

static inline const piece *label_of(const writer *w, const segment *s, int64_t row, bool suppressed)
{
    if (suppressed && s->column->blanked)
        return &w->blank;
    if (!s->pieces)
        return NULL;
    uint64_t number = w->records ? w->records[row].labels >> s->shift & s->mask
                                 : s->number[tacit_codes_at(s->column->codes, row)];
    return s->pieces[number].bytes ? &s->pieces[number] : NULL;
}

/* Room for a row whose raw cells take `raw` bytes together. */
static inline bool make_room(const writer *w, desk *d, size_t raw)
{
    size_t needed = d->len + raw + w->made_bytes + (size_t)w->layout->column_count + 2 * SMALL;
    return needed <= d->capacity || tacit__reserve((void **)&d->out, &d->capacity, needed, 1);
}

static inline char *put_raw(const writer *w, const desk *d, const segment *s, char *at)
{
    const tacit_strview *first = &d->cells[s->first], *last = &d->cells[s->last];
    size_t len = (size_t)(last->bytes + last->len - first->bytes);
    return put(at, first->bytes, len, first->bytes <= w->last_safe);
}

static inline bool put_row(const writer *w, desk *d, int64_t row)
{
    const tacit_table *t = w->table;
    const tacit_csv_layout *l = w->layout;
    bool suppressed = l->suppressed && tacit__bit_get(l->suppressed, row);
    tacit__row_at(t, w->records ? w->records[row].start : t->row_start[row], d->cells);
    const tacit_strview *end = &d->cells[t->column_count - 1];
    if (!make_room(w, d, (size_t)(end->bytes + end->len - d->cells[0].bytes)))
        return false;
    char *at = d->out + d->len;
    for (int32_t i = 0; i < w->segment_count; i++) {
        const segment *s = &w->segments[i];
        const piece *label = s->kind == SEGMENT_LABEL ? label_of(w, s, row, suppressed) : NULL;
        if (label)
            at = put(at, label->bytes, label->len, true);
        else if (s->kind != SEGMENT_REWRITE)
            at = put_raw(w, d, s, at);
        else if (!put_rewritten(w, d, s, &at))
            return false;
        *at++ = t->delimiter;
    }
    at--; /* the last delimiter gives way to the line end */
    if (t->crlf)
        *at++ = '\r';
    *at++ = '\n';
    d->len = (size_t)(at - d->out);
    return true;
}

/* Inlined by force: gcc takes a function that only prefetches for one without
 * effects and drops the call. */
__attribute__((always_inline)) static inline void look_ahead(const writer *w, const uint32_t *order,
                                                             int64_t i, int64_t to)
{
    if (!w->records)
        return;
    if (i + AHEAD_RECORD < to)
        __builtin_prefetch(&w->records[order[i + AHEAD_RECORD]]);
    if (i + AHEAD_TEXT < to) {
        const char *text = w->table->bytes + w->records[order[i + AHEAD_TEXT]].start;
        __builtin_prefetch(text);
        __builtin_prefetch(text + 64);
    }
}

TACIT__HOT
static bool put_rows(writer *w, desk *d, int64_t from, int64_t to)
{
    const uint32_t *order = w->layout->order;
    for (int64_t i = from; i < to; i++) {
        look_ahead(w, order, i, to);
        if (!put_row(w, d, order ? order[i] : i))
            return false;
    }
    return true;
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
    int64_t from = task * BATCH;
    int64_t to = from + BATCH < w->layout->row_count ? from + BATCH : w->layout->row_count;
    d->len = 0;
    if (!put_rows(w, d, from, to))
        return give_up(w, tacit__nomem(err));
    int64_t offset;
    if (!take_place(w, task, d->len, &offset))
        return TACIT_OK; /* the batch that failed reports it */
    tacit_status status = tacit__write_at(w->fd, w->name, d->out, d->len, offset, err);
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
        tacit__csv_cut(t, t->header_start, cells, t->column_count, &found);
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

static tacit_status open_desks(writer *w, const tacit_run *run, tacit_error *err)
{
    w->desk_count = tacit__threads(run);
    w->desks = tacit__alloc_zeroed((size_t)w->desk_count, sizeof *w->desks);
    for (int i = 0; w->desks && i < w->desk_count; i++) {
        w->desks[i].cells =
            tacit__alloc_array((size_t)w->table->column_count, sizeof(tacit_strview));
        if (!w->desks[i].cells)
            return tacit__nomem(err);
    }
    return w->desks ? TACIT_OK : tacit__nomem(err);
}

static void clear_writer(writer *w)
{
    for (int i = 0; w->desks && i < w->desk_count; i++) {
        tacit__free(w->desks[i].out);
        tacit__free(w->desks[i].scratch);
        tacit__free(w->desks[i].cells);
    }
    for (int32_t i = 0; w->segments && i < w->segment_count; i++) {
        tacit__free(w->segments[i].pieces);
        tacit__free(w->segments[i].number);
    }
    tacit__free(w->desks);
    tacit__free(w->segments);
    tacit__free(w->records);
    tacit__arena_clear(&w->arena);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->turned);
}

tacit_status tacit_table_write(int fd, const char *name, int64_t *bytes, const tacit_table *table,
                               const tacit_csv_layout *layout, const tacit_run *run,
                               tacit_error *err)
{
    if (layout->column_count == 0)
        return tacit__error(err, TACIT_INVALID, "a release needs at least one column");
    writer w = {.table = table, .layout = layout, .fd = fd, .name = name};
    w.last_safe = table->len >= SMALL ? table->bytes + table->len - SMALL : NULL;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.turned, NULL);
    tacit_status status = open_desks(&w, run, err);
    if (status == TACIT_OK)
        status = plan(&w, err);
    if (status == TACIT_OK)
        status = pack(&w, run, err);
    if (status == TACIT_OK)
        status = write_header(&w, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "writing", (layout->row_count + BATCH - 1) / BATCH,
                                 write_task, &w, err);
    if (status == TACIT_OK && bytes)
        *bytes = w.offset;
    clear_writer(&w);
    return status;
}
