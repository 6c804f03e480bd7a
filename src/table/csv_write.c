/*
 * csv_write.c - a release, row by row, from the table's own bytes.
 *
 * A plan says how each row is put together: which parts of the input row are copied, and which
 * labels, blanks or rewritten cells stand between them. Labels are quoted once; codes with the same
 * label share one piece, because thousands of codes have a handful of labels and those stay in the
 * cache. Neighbouring columns that stay as they are become one segment, one copy. The plan costs
 * the number of codes, and a pass over the rows where labels are packed.
 *
 * Batches of rows are formatted by all cores into buffers, by these segments, and written in order,
 * each at the offset that the batches before it leave: the bytes do not depend on the number of
 * threads.
 *
 * Rows in random order are the expensive case: visited as they come, each would wait for memory
 * several times. So a large batch is first sorted by place in the input, formatted in that order,
 * sweeping once through the file, and then gathered into the order of the release from a buffer
 * that is small enough for the cache.
 */
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "table/csv.h"
#include "table/csv_row.h"
#include "table/table.h"

enum { SMALL = 16 };

/* A label as it is written. bytes NULL leaves the cell; otherwise 16 bytes may
 * be read from it whatever its length. */
typedef struct label_piece {
    const char *bytes;
    size_t len;
    tacit_strview source; /* the label itself: equal ones share their bytes mostly */
} label_piece;

/* The distinct labels of a column. */
typedef struct label_set {
    label_piece *pieces; /* NULL: the cells stay */
    size_t capacity;
    uint32_t count;
    uint32_t *number; /* of the label, for each code */
    int shift;        /* of the label's number among a row's */
    uint64_t mask;
} label_set;

typedef enum segment_kind {
    SEGMENT_RAW, /* neighbouring columns that stay as they are */
    SEGMENT_LABEL,
    SEGMENT_BLANK,
    SEGMENT_REWRITE
} segment_kind;

typedef struct segment {
    segment_kind kind;
    int32_t first, last; /* columns of the table */
    const tacit_csv_column *column;
    const label_set *labels;
} segment;

typedef struct segment_list {
    segment *list;
    int32_t count;
    int32_t needed; /* columns of the input row that must be found: a raw segment that runs to
                       the row's end needs only those before it */
} segment_list;

typedef struct release_plan {
    segment_list kept;       /* of rows that are released */
    segment_list suppressed; /* of rows that are suppressed */
    label_set *labels;       /* a column of the layout each */
    int32_t label_count;
    label_piece blank;
    size_t made_bytes; /* the longest a row's labels and rewritten cells can be together */
    void *packed;      /* NULL, or for each row the numbers of all its labels */
    int packed_width;  /* bytes */
    tacit__arena arena;
} release_plan;

enum { PACK_ROWS = 1 << 12 };
enum { MAX_QUOTED_REWRITE = 2 * TACIT_MAX_REWRITE + 2 }; /* every byte a quote */

static bool make_piece(label_piece *made, release_plan *plan, tacit_strview label, char delimiter)
{
    size_t size = 2 * label.len + 2 + SMALL;
    char *text = tacit__arena_alloc(&plan->arena, size);
    if (!text)
        return false;
    memset(text, 0, size);
    *made = (label_piece){text, tacit__csv_quote(label, delimiter, text), label};
    return true;
}

static bool any_label(const tacit_csv_column *column)
{
    for (uint32_t i = 0; column->relabelled && i < column->label_count; i++)
        if (column->labels[i].bytes)
            return true;
    return false;
}

/* The label's number among the pieces; TACIT__NONE when memory runs out. */
static uint32_t number_label(release_plan *plan, label_set *labels, tacit_strview label,
                             char delimiter, tacit__map *map)
{
    uint64_t hash = tacit__mix((uint64_t)(uintptr_t)label.bytes + label.len);
    size_t probe = 0;
    for (uint32_t i; (i = tacit__map_next(map, hash, &probe)) != TACIT__NONE;)
        if (labels->pieces[i].source.bytes == label.bytes &&
            labels->pieces[i].source.len == label.len)
            return i;
    if (!TACIT__RESERVE_ONE(labels->pieces, labels->capacity, labels->count))
        return TACIT__NONE;
    label_piece *piece = &labels->pieces[labels->count];
    *piece = (label_piece){.source = label};
    if ((label.bytes && !make_piece(piece, plan, label, delimiter)) || !tacit__map_add(map, hash))
        return TACIT__NONE;
    return labels->count++;
}

static bool number_labels(release_plan *plan, label_set *labels, const tacit_csv_column *column,
                          char delimiter)
{
    tacit__map map = {0};
    labels->number = tacit__alloc_array(column->label_count, sizeof *labels->number);
    bool enough = labels->number;
    for (uint32_t i = 0; enough && i < column->label_count; i++) {
        labels->number[i] = number_label(plan, labels, column->labels[i], delimiter, &map);
        enough = labels->number[i] != TACIT__NONE;
    }
    tacit__map_clear(&map);
    return enough;
}

static size_t longest_made(const release_plan *plan, const tacit_csv_column *column,
                           const label_set *labels)
{
    size_t longest = column->blanked ? plan->blank.len : 0;
    if (column->rewrite && longest < MAX_QUOTED_REWRITE)
        longest = MAX_QUOTED_REWRITE;
    for (uint32_t i = 0; i < labels->count; i++)
        if (labels->pieces[i].len > longest)
            longest = labels->pieces[i].len;
    return longest;
}

static segment_kind kind_of(const tacit_csv_column *column, const label_set *labels,
                            bool suppressed)
{
    if (suppressed && column->blanked)
        return SEGMENT_BLANK;
    if (column->rewrite)
        return SEGMENT_REWRITE;
    return labels->pieces ? SEGMENT_LABEL : SEGMENT_RAW;
}

static bool cut_segments(segment_list *segments, const release_plan *plan,
                         const tacit_csv_layout *layout, bool suppressed)
{
    segments->list = tacit__alloc_zeroed((size_t)layout->column_count, sizeof *segments->list);
    for (int32_t i = 0; segments->list && i < layout->column_count; i++) {
        const tacit_csv_column *column = &layout->columns[i];
        segment_kind kind = kind_of(column, &plan->labels[i], suppressed);
        segment *before = segments->count ? &segments->list[segments->count - 1] : NULL;
        if (kind == SEGMENT_RAW && before && before->kind == SEGMENT_RAW &&
            before->last + 1 == column->source)
            before->last++;
        else
            segments->list[segments->count++] = (segment){.kind = kind,
                                                          .first = column->source,
                                                          .last = column->source,
                                                          .column = column,
                                                          .labels = &plan->labels[i]};
    }
    return segments->list != NULL;
}

static void find_needed(segment_list *segments, const tacit_table *table)
{
    const segment *last = &segments->list[segments->count - 1];
    bool tail = last->kind == SEGMENT_RAW && last->last == table->column_count - 1;
    segments->needed = table->column_count;
    if (!tail || table->quoted)
        return;
    segments->needed = last->first;
    for (int32_t i = 0; i + 1 < segments->count; i++)
        if (segments->list[i].last >= segments->needed)
            segments->needed = segments->list[i].last + 1;
}

static bool plan_columns(release_plan *plan, const tacit_csv_layout *layout,
                         const tacit_table *table)
{
    const char delimiter = table->delimiter;
    plan->labels = tacit__alloc_zeroed((size_t)layout->column_count, sizeof *plan->labels);
    if (!plan->labels || !make_piece(&plan->blank, plan, layout->suppressed_label, delimiter))
        return false;
    plan->label_count = layout->column_count;
    for (int32_t i = 0; i < layout->column_count; i++) {
        const tacit_csv_column *column = &layout->columns[i];
        if (any_label(column) && !number_labels(plan, &plan->labels[i], column, delimiter))
            return false;
        plan->made_bytes += longest_made(plan, column, &plan->labels[i]);
    }
    if (!cut_segments(&plan->kept, plan, layout, false) ||
        !cut_segments(&plan->suppressed, plan, layout, true))
        return false;
    find_needed(&plan->kept, table);
    find_needed(&plan->suppressed, table);
    return true;
}

static int bits_for(uint64_t values)
{
    int bits = 0;
    while (bits < 63 && (UINT64_C(1) << bits) < values)
        bits++;
    return bits;
}

/* Gives each column's labels their bits of a row's; false where 63 bits cannot hold them. */
static bool assign_bits(release_plan *plan)
{
    int used = 0;
    for (int32_t i = 0; i < plan->label_count; i++) {
        label_set *labels = &plan->labels[i];
        int bits = bits_for(labels->count);
        labels->shift = used;
        labels->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
        if (used > 63)
            return false;
    }
    plan->packed_width = used <= 8 ? 1 : used <= 16 ? 2 : used <= 32 ? 4 : 8;
    return true;
}

typedef struct packer {
    release_plan *plan;
    const tacit_table *table;
    const tacit_csv_layout *layout;
} packer;

static inline uint64_t labels_at(const release_plan *plan, int64_t row)
{
    if (plan->packed_width == 8)
        return ((const uint64_t *)plan->packed)[row];
    return tacit_codes_at((tacit_codes_view){plan->packed, plan->packed_width}, row);
}

static void put_labels(const release_plan *plan, int64_t row, uint64_t labels)
{
    if (plan->packed_width == 1)
        ((uint8_t *)plan->packed)[row] = (uint8_t)labels;
    else if (plan->packed_width == 2)
        ((uint16_t *)plan->packed)[row] = (uint16_t)labels;
    else if (plan->packed_width == 4)
        ((uint32_t *)plan->packed)[row] = (uint32_t)labels;
    else
        ((uint64_t *)plan->packed)[row] = labels;
}

static tacit_status pack_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const packer *p = context;
    uint64_t packed[PACK_ROWS];
    int64_t rows = p->table->rows, from = task * PACK_ROWS;
    int64_t count = from + PACK_ROWS < rows ? PACK_ROWS : rows - from;
    memset(packed, 0, sizeof packed);
    for (int32_t i = 0; i < p->plan->label_count; i++) {
        const label_set *labels = &p->plan->labels[i];
        tacit_codes_view codes = p->layout->columns[i].codes;
        for (int64_t j = 0; labels->pieces && j < count; j++)
            packed[j] |= (uint64_t)labels->number[tacit_codes_at(codes, from + j)] << labels->shift;
    }
    for (int64_t j = 0; j < count; j++)
        put_labels(p->plan, from + j, packed[j]);
    return TACIT_OK;
}

static tacit_status pack(release_plan *plan, const tacit_table *table,
                         const tacit_csv_layout *layout, const tacit_run *run, tacit_error *err)
{
    if (!layout->order || !assign_bits(plan))
        return TACIT_OK;
    plan->packed = tacit__alloc_array((size_t)table->rows, (size_t)plan->packed_width);
    if (!plan->packed)
        return tacit__nomem(err);
    packer p = {plan, table, layout};
    return tacit__parallel(run, NULL, (table->rows + PACK_ROWS - 1) / PACK_ROWS, pack_task, &p,
                           err);
}

/* A release whose rows are out of order has their labels packed, so that those of a row are one
 * access to memory. The plan borrows from the layout. */
static tacit_status init_plan(release_plan *plan, const tacit_table *table,
                              const tacit_csv_layout *layout, const tacit_run *run,
                              tacit_error *err)
{
    *plan = (release_plan){0};
    if (!plan_columns(plan, layout, table))
        return tacit__nomem(err);
    return pack(plan, table, layout, run, err);
}

static void clear_plan(release_plan *plan)
{
    for (int32_t i = 0; i < plan->label_count; i++) {
        tacit__free(plan->labels[i].pieces);
        tacit__free(plan->labels[i].number);
    }
    tacit__free(plan->labels);
    tacit__free(plan->kept.list);
    tacit__free(plan->suppressed.list);
    tacit__free(plan->packed);
    tacit__arena_clear(&plan->arena);
    *plan = (release_plan){0};
}

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
    release_plan plan;
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
    bool headed; /* something stands before the rows */
    bool failed;
} writer;

/* Copies a label, of which 16 bytes can be read, to a place with room to spare. */
static inline char *put_piece(char *to, const label_piece *piece)
{
    if (piece->len <= SMALL)
        memcpy(to, piece->bytes, SMALL);
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

/* A row on its way: where it starts, and its labels if they are packed. */
typedef struct source {
    int64_t row;
    size_t start, next; /* of this row and of the next */
    uint64_t labels;
} source;

static inline source source_of(const writer *w, int64_t row)
{
    return (source){row, tacit__row_start(w->table, row), tacit__row_start(w->table, row + 1),
                    w->plan.packed ? labels_at(&w->plan, row) : 0};
}

static inline const label_piece *label_of(const writer *w, const segment *s, source from)
{
    const label_set *labels = s->labels;
    uint64_t number = w->plan.packed ? from.labels >> labels->shift & labels->mask
                                     : labels->number[tacit_codes_at(s->column->codes, from.row)];
    return &labels->pieces[number];
}

static inline bool put_segment(const writer *w, desk *d, const segment *s, source from, char **at)
{
    const label_piece *piece = NULL;
    if (s->kind == SEGMENT_REWRITE)
        return put_rewritten(w, d, s, at);
    if (s->kind == SEGMENT_BLANK)
        piece = &w->plan.blank;
    else if (s->kind == SEGMENT_LABEL)
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
                                     const segment_list *segments, source from)
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
    const segment_list *segments =
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
    const tacit_strview text = {shuffled ? d->gathered : d->out, d->len};
    const tacit_strview mark =
        task == 0 && !w->headed ? tacit__csv_mark_before(text) : (tacit_strview){.len = 0};
    if (!take_place(w, task, mark.len + text.len, &offset))
        return TACIT_OK; /* the batch that failed reports it */
    tacit_status status = tacit__write_at(w->fd, w->name, mark.bytes, mark.len, offset, err);
    if (status == TACIT_OK)
        status =
            tacit__write_at(w->fd, w->name, text.bytes, text.len, offset + (int64_t)mark.len, err);
    return status == TACIT_OK ? status : give_up(w, status);
}

static void put_names(tacit__strbuf *text, const writer *w)
{
    const tacit_table *t = w->table;
    tacit_strview *cells = w->desks[0].cells;
    int32_t found;
    tacit__csv_cut(t, t->header_start, t->len, cells, t->column_count, &found);
    for (int32_t i = 0; i < w->layout->column_count; i++) {
        tacit_strview cell = cells[w->layout->columns[i].source];
        if (i == 0 && t->header_start == 0) {
            tacit_strview mark = tacit__csv_mark_before(cell);
            tacit__strbuf_add(text, mark.bytes, mark.len);
        }
        if (i > 0)
            tacit__strbuf_add(text, &t->delimiter, 1);
        tacit__strbuf_add(text, cell.bytes, cell.len);
    }
    tacit__strbuf_text(text, t->crlf ? "\r\n" : "\n");
}

static tacit_status write_header(writer *w, tacit_error *err)
{
    const tacit_table *t = w->table;
    tacit__strbuf text = {0};
    tacit__strbuf_add(&text, t->bytes, t->header_start); /* the byte order mark */
    if (t->has_header)
        put_names(&text, w);
    tacit_status status = text.failed ? tacit__nomem(err) : TACIT_OK;
    if (status == TACIT_OK)
        status = tacit__write_at(w->fd, w->name, text.bytes, text.len, 0, err);
    w->offset = (int64_t)text.len;
    w->headed = text.len > 0;
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
    clear_plan(&w->plan);
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
        status = init_plan(&w.plan, table, layout, run, err);
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
