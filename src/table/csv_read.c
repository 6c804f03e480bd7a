/*
 * csv_read.c - from CSV to codes, on all cores.
 *
 * The file is cut into stretches of fixed size. A first pass counts quotes and line ends in each,
 * after which it is known where quoting stands at every stretch's start and which number its first
 * row has. A second pass indexes the fields of a stretch (csv_index.c), checks that its rows are
 * well formed and codes them (csv_code.c). Results do not depend on who did which stretch.
 *
 * Where it is asked for, an apostrophe is put before every cell that a spreadsheet may run as a
 * formula. This is done to the bytes before anything is read from them, so that whatever works on
 * the table, a method, the judge or an attack, has the same cells before it, and what is released
 * is compared with what was read byte for byte as ever. Names of columns stay: a policy goes by
 * them. It takes one pass; a file without such cells stays where it is, of another one a copy is in
 * memory. Bytes of a mapped file can change meanwhile, so nothing that was found in them is looked
 * at twice, and the file is asked for changes before it is let go. What is not well formed is left
 * to the reader, who says so.
 *
 * Memory at the peak: the mapped file, 4 bytes a row, 8 more for digests, and the codes.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "table/csv.h"
#include "table/table.h"

typedef struct guard_walk {
    const char *at, *end; /* from here on nothing was looked at */
    const char *copied;   /* up to here it was copied */
    char delimiter;
    const bool *skipped; /* a column each: stays as it is */
    int32_t columns;
    tacit__strbuf out;
} guard_walk;

/* The end of what is quoted: its closing quote, or the file's end. */
static const char *quoted_end(const char *at, const char *end)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote || quote + 1 == end || quote[1] != '"')
            return quote ? quote : end;
        at = quote + 2;
    }
    return end;
}

/* What the next cell says, doubled quotes as they are, and moves behind it. */
static tacit_strview next_cell(guard_walk *w)
{
    const char *from = w->at, *to = NULL;
    if (from < w->end && *from == '"') {
        from++;
        to = quoted_end(from, w->end);
        w->at = to;
    }
    while (w->at < w->end && *w->at != w->delimiter && *w->at != '\n')
        w->at++;
    if (!to) {
        bool line = w->at == w->end || *w->at != w->delimiter;
        to = w->at - (line && w->at > from && w->at[-1] == '\r');
    }
    return (tacit_strview){from, (size_t)(to - from)};
}

static void guard(guard_walk *w, const char *cell)
{
    static const char mark[] = {TACIT__GUARD};
    tacit__strbuf_add(&w->out, w->copied, (size_t)(cell - w->copied));
    tacit__strbuf_add(&w->out, mark, sizeof mark);
    w->copied = cell;
}

static void guard_rows(guard_walk *w)
{
    int32_t column = 0;
    while (w->at < w->end && !w->out.failed) {
        tacit_strview cell = next_cell(w);
        bool skipped = column < w->columns && w->skipped[column];
        if (!skipped && tacit__is_formula(cell))
            guard(w, cell.bytes);
        column++;
        if (w->at < w->end && *w->at == '\n')
            column = 0;
        w->at += w->at < w->end;
    }
    if (w->out.len)
        tacit__strbuf_add(&w->out, w->copied, (size_t)(w->end - w->copied));
}

/* The guarded text takes the place of the file. */
static tacit_status replace(tacit__input *input, const char *name, tacit__strbuf *out,
                            tacit_error *err)
{
    if (out->failed)
        return tacit__nomem(err);
    tacit_status status = tacit__input_check(input, name, err);
    if (status != TACIT_OK || !out->len)
        return status;
    tacit__input_close(input);
    *input = (tacit__input){.bytes = out->bytes, .len = out->len, .owned = out->bytes};
    *out = (tacit__strbuf){0};
    return TACIT_OK;
}

static tacit_status guard_table(tacit__input *input, const tacit_table *probe,
                                const tacit_csv_options *options, tacit_error *err)
{
    bool *skipped = tacit__alloc_zeroed((size_t)probe->column_count, sizeof *skipped);
    if (!skipped)
        return tacit__nomem(err);
    for (int32_t i = 0; options->unguarded && i < probe->column_count; i++)
        skipped[i] = options->unguarded(probe->columns[i].name, options->unguarded_context);
    guard_walk w = {.at = probe->bytes + probe->data_start,
                    .end = input->bytes + input->len,
                    .copied = probe->bytes,
                    .delimiter = probe->delimiter,
                    .skipped = skipped,
                    .columns = probe->column_count};
    guard_rows(&w);
    tacit_status status = replace(input, probe->file, &w.out, err);
    tacit__strbuf_clear(&w.out);
    tacit__free(skipped);
    return status;
}

/* Puts an apostrophe before every formula below the header, but in columns that options leave as
 * they are. The input is another one then, in memory. *delimiter is the one that it was cut by. */
static tacit_status guard_input(tacit__input *input, char *delimiter, const char *name,
                                const tacit_csv_options *options, size_t max_field,
                                tacit_error *err)
{
    tacit_table *probe = tacit__alloc_zeroed(1, sizeof *probe);
    if (!probe)
        return tacit__nomem(err);
    probe->bytes = input->bytes;
    probe->len = input->len;
    probe->file = tacit__copy_text(name);
    tacit_status status =
        probe->file ? tacit__csv_dialect(probe, options, max_field, err) : tacit__nomem(err);
    *delimiter = probe->delimiter;
    if (status == TACIT_OK)
        status = guard_table(input, probe, options, err);
    tacit_table_free(probe);
    return status;
}

typedef struct reader {
    tacit_table *table;
    const tacit_csv_options *options;
    size_t max_field;
    size_t stretch; /* bytes */
    tacit__table_stretch *stretches;
    int64_t stretch_count;
    tacit__coding *coding;
    tacit__csv_index *indices; /* a worker each */
    int worker_count;
} reader;

static tacit_status choose_columns(reader *r, tacit_error *err)
{
    const tacit_csv_options *o = r->options;
    tacit_table *t = r->table;
    for (size_t i = 0; i < o->coded_count; i++) {
        int32_t column = tacit_table_find(t, tacit_strview_of(o->coded[i]));
        if (column < 0)
            return tacit__error_at(err, TACIT_INVALID, t->file, 0, 0, "there is no column \"%s\"",
                                   tacit__show(tacit_strview_of(o->coded[i])).text);
        t->columns[column].coded = true;
    }
    for (int32_t i = 0; i < t->column_count; i++)
        t->columns[i].coded |= !o->coded && !o->code_none;
    return TACIT_OK;
}

static void choose_digested(reader *r)
{
    const tacit_csv_options *o = r->options;
    tacit_table *t = r->table;
    for (int32_t i = 0; o->digest && i < t->column_count; i++)
        t->columns[i].digested = true;
    for (size_t i = 0; i < o->undigested_count; i++) {
        int32_t column = tacit_table_find(t, tacit_strview_of(o->undigested[i]));
        if (column >= 0)
            t->columns[column].digested = false;
    }
}

static tacit_status count_task(void *context, int64_t task, int w, tacit_error *err)
{
    (void)w, (void)err;
    reader *r = context;
    tacit__stretch_count(&r->stretches[task], r->table);
    return TACIT_OK;
}

/* Room for the hashes by which a change of a mapped file is found. */
static bool make_sums(reader *r)
{
    tacit_table *t = r->table;
    t->stretch = r->stretch;
    if (t->input.mapped)
        t->sums = tacit__alloc_array((size_t)r->stretch_count, sizeof *t->sums);
    return t->sums || !t->input.mapped;
}

static tacit_status cut_stretches(reader *r, const tacit_run *run, tacit_error *err)
{
    const tacit_table *t = r->table;
    r->stretch_count = (int64_t)((t->len - t->data_start + r->stretch - 1) / r->stretch);
    r->stretches = tacit__alloc_zeroed((size_t)r->stretch_count, sizeof *r->stretches);
    if (!r->stretches || !make_sums(r))
        return tacit__nomem(err);
    for (int64_t i = 0; i < r->stretch_count; i++) {
        tacit__table_stretch *s = &r->stretches[i];
        s->begin = t->data_start + (size_t)i * r->stretch;
        s->end = s->begin + r->stretch < t->len ? s->begin + r->stretch : t->len;
    }
    return tacit__parallel(run, NULL, r->stretch_count, count_task, r, err);
}

/* Numbers the rows and finds out whether quoting comes out even. */
static tacit_status number_rows(reader *r, tacit_error *err)
{
    tacit_table *t = r->table;
    bool quoted = false;
    int64_t row = 0;
    for (int64_t i = 0; i < r->stretch_count; i++) {
        tacit__table_stretch *s = &r->stretches[i];
        s->starts_quoted = quoted;
        s->first_row = row;
        s->rows = s->line_ends[quoted] + (i == 0);
        if (i + 1 == r->stretch_count && t->bytes[t->len - 1] == '\n' && !(quoted ^ s->odd))
            s->rows--; /* the last line end starts no row */
        t->quoted |= s->quotes;
        row += s->rows;
        quoted ^= s->odd;
    }
    if (row > TACIT_MAX_ROWS)
        return tacit__error_at(err, TACIT_LIMIT, t->file, 0, 0, "%lld rows; at most %lld are read",
                               (long long)row, (long long)TACIT_MAX_ROWS);
    t->rows = row;
    return TACIT_OK;
}

static tacit_status allocate(reader *r, const tacit_run *run, tacit_error *err)
{
    tacit_table *t = r->table;
    r->worker_count = tacit__threads(run);
    r->indices = tacit__alloc_zeroed((size_t)r->worker_count, sizeof *r->indices);
    t->starts.low = tacit__alloc_array((size_t)t->rows, sizeof *t->starts.low);
    t->starts.turns = tacit__alloc_array((t->len >> 32) + 1, sizeof *t->starts.turns);
    if (r->options->digest)
        t->digests = tacit__alloc_array((size_t)t->rows, sizeof *t->digests);
    if (!r->indices || !t->starts.low || !t->starts.turns || (r->options->digest && !t->digests))
        return tacit__nomem(err);
    for (size_t i = 0; i <= t->len >> 32; i++)
        t->starts.turns[i] = INT64_MAX;
    t->starts.turn_count = (int)(t->len >> 32);
    return tacit__coding_new(&r->coding, t, r->worker_count, err);
}

/* Whether a row of more than max_field bytes has a field as long as that. */
static bool has_long_field(const reader *r, const tacit__csv_index *index, size_t first)
{
    const char *bytes = r->table->bytes;
    for (size_t i = first; i < first + (size_t)r->table->column_count; i++) {
        size_t len = index->ends[i + 1] - index->ends[i] - 1;
        if (len <= r->max_field)
            continue;
        size_t end = index->base + index->ends[i + 1];
        bool line_end = len == r->max_field + 1 && bytes[end - 1] == '\r';
        if (!line_end)
            return true;
    }
    return false;
}

/* Whether the index is that of well-formed rows. */
static bool well_formed(const reader *r, const tacit__table_stretch *s,
                        const tacit__csv_index *index)
{
    const tacit_table *t = r->table;
    size_t columns = (size_t)t->column_count;
    if (index->broken || index->count != (size_t)s->rows * columns + 1)
        return false;
    if (index->line_ends != s->rows + (s->begin != t->data_start))
        return false;
    for (size_t first = 0; first + 1 < index->count; first += columns) {
        size_t end = index->base + index->ends[first + columns];
        if (end < t->len && t->bytes[end] != '\n')
            return false;
        if (index->ends[first + columns] - index->ends[first] > r->max_field &&
            has_long_field(r, index, first))
            return false;
    }
    if (!index->high || s->rows == 0)
        return true;
    size_t from = index->base + index->ends[0] + 1;
    size_t len = index->base + index->ends[index->count - 1] - from;
    return tacit__utf8_valid(t->bytes + from, len) == len;
}

/* Says what is wrong with a stretch that is not well formed. */
static tacit_status explain(const reader *r, const tacit__table_stretch *s,
                            const tacit__csv_index *index, tacit_error *err)
{
    const tacit_table *t = r->table;
    size_t from = index->count ? index->base + index->ends[0] + 1 : s->begin;
    tacit_status status = tacit__csv_check(t, from, s->end + 1, t->column_count, r->max_field, err);
    if (status != TACIT_OK)
        return status;
    return tacit__error_at(err, TACIT_LIMIT, t->file, 0, 0,
                           "a row of more than 2 GiB near byte %zu", from);
}

/* Remembers where the rows of a stretch start: the lower half of each offset,
 * and the first row of every 4 GiB. */
static void keep_starts(tacit_table *t, const tacit__table_stretch *s,
                        const tacit__csv_index *index)
{
    uint64_t before = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        uint64_t start = index->base + index->ends[row * t->column_count] + 1;
        t->starts.low[s->first_row + row] = (uint32_t)start;
        uint64_t turn = start >> 32;
        if (turn == before)
            continue;
        int64_t *first = &t->starts.turns[turn - 1],
                known = __atomic_load_n(first, __ATOMIC_RELAXED);
        while (s->first_row + row < known &&
               !__atomic_compare_exchange_n(first, &known, s->first_row + row, true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        before = turn;
    }
}

static tacit_status read_task(void *context, int64_t task, int worker, tacit_error *err)
{
    reader *r = context;
    tacit_table *t = r->table;
    tacit__csv_index *index = &r->indices[worker];
    tacit__table_stretch *s = &r->stretches[task];
    if (t->sums) /* before anything is coded: what changes later shows */
        t->sums[task] = tacit__hash_bytes(t->bytes + s->begin, s->end - s->begin);
    if (!tacit__csv_index_build(index, s, t))
        return tacit__nomem(err);
    if (index->count == 0 && s->rows == 0 && !index->broken)
        return TACIT_OK;
    if (!well_formed(r, s, index))
        return explain(r, s, index, err);
    keep_starts(t, s, index);
    tacit_status status = tacit__coding_stretch(r->coding, s, index, worker, err);
    if (r->options->let_go)
        tacit__input_release(&t->input, s->begin, s->end);
    return status;
}

/* Lets the coding see the first stretch before it makes room for all of them. */
static tacit_status learn(reader *r, tacit_error *err)
{
    if (r->stretch_count == 0)
        return TACIT_OK;
    const tacit__table_stretch *first = &r->stretches[0];
    tacit__csv_index *index = &r->indices[0];
    if (!tacit__csv_index_build(index, first, r->table))
        return tacit__nomem(err);
    if (!well_formed(r, first, index))
        return TACIT_OK; /* read_task will say so */
    return tacit__coding_learn(r->coding, first, index, err);
}

static void clear_reader(reader *r)
{
    for (int i = 0; r->indices && i < r->worker_count; i++)
        tacit__free(r->indices[i].ends);
    for (int64_t i = 0; r->coding && i < r->stretch_count; i++)
        tacit__coding_forget(r->coding, &r->stretches[i]);
    tacit__coding_free(r->coding);
    tacit__free(r->indices);
    tacit__free(r->stretches);
}

static tacit_status read_rows(reader *r, const tacit_run *run, tacit_error *err)
{
    tacit_status status = choose_columns(r, err);
    choose_digested(r);
    if (status == TACIT_OK)
        status = cut_stretches(r, run, err);
    if (status == TACIT_OK)
        status = number_rows(r, err);
    if (status == TACIT_OK)
        status = allocate(r, run, err);
    if (status == TACIT_OK)
        status = learn(r, err);
    if (status == TACIT_OK)
        status = tacit__coding_begin(r->coding, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "reading", r->stretch_count, read_task, r, err);
    if (status == TACIT_OK)
        status = tacit__coding_finish(r->coding, r->stretches, r->stretch_count, run, err);
    return status;
}

static tacit_status sum_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    const tacit_table *t = context;
    size_t begin = t->data_start + (size_t)task * t->stretch;
    size_t len = t->len - begin < t->stretch ? t->len - begin : t->stretch;
    return t->sums[task] == tacit__hash_bytes(t->bytes + begin, len)
               ? TACIT_OK
               : tacit__input_changed(t->file, err);
}

tacit_status tacit_table_check_unchanged(const tacit_table *table, const tacit_run *run,
                                         tacit_error *err)
{
    tacit_status status = tacit__input_check(&table->input, table->file, err);
    if (status != TACIT_OK || !table->sums)
        return status;
    int64_t count =
        (int64_t)((table->len - table->data_start + table->stretch - 1) / table->stretch);
    return tacit__parallel(run, NULL, count, sum_task, (void *)(uintptr_t)table, err);
}

/* Guards cells against spreadsheets where that is asked for. The file is cut as it was before. */
static tacit_status guard_cells(reader *r, tacit_csv_options *options, tacit_error *err)
{
    tacit_table *t = r->table;
    t->guard = options->guard;
    if (options->guard != TACIT_GUARD_CELLS || options->header_only)
        return TACIT_OK;
    tacit_status status =
        guard_input(&t->input, &options->delimiter, t->file, options, r->max_field, err);
    t->bytes = t->input.bytes;
    t->len = t->input.len;
    return status;
}

/* The table takes the input over, even when this fails. */
static tacit_status read_input(tacit_table **out, tacit__input input, const char *name,
                               const tacit_csv_options *options, size_t stretch,
                               const tacit_run *run, tacit_error *err)
{
    tacit_csv_options asked;
    tacit_csv_options_init(&asked);
    size_t max_field = asked.max_field;
    if (options)
        asked = *options;
    if (asked.size != sizeof asked) {
        tacit__input_close(&input);
        return tacit__error(err, TACIT_INVALID, "options made for another version of tacit");
    }
    reader r = {.options = &asked, .stretch = stretch};
    r.max_field = asked.max_field ? asked.max_field : max_field;
    tacit_status status = TACIT_OK;
    r.table = tacit__alloc_zeroed(1, sizeof *r.table);
    if (!r.table) {
        tacit__input_close(&input);
        return tacit__nomem(err);
    }
    *r.table = (tacit_table){.input = input, .bytes = input.bytes, .len = input.len};
    if (!(r.table->file = tacit__copy_text(name)))
        status = tacit__nomem(err);
    else if (r.options->delimiter && strchr("\"\r\n", r.options->delimiter))
        status = tacit__error(err, TACIT_INVALID, "quotes and line ends cannot be delimiters");
    if (status == TACIT_OK)
        status = guard_cells(&r, &asked, err);
    if (status == TACIT_OK)
        status = tacit__csv_dialect(r.table, r.options, r.max_field, err);
    if (status == TACIT_OK && !r.options->header_only)
        status = read_rows(&r, run, err);
    clear_reader(&r);
    if (status == TACIT_OK)
        *out = r.table;
    else
        tacit_table_free(r.table);
    return status;
}

tacit_status tacit__table_read_stretches(tacit_table **out, tacit_strview bytes, const char *name,
                                         const tacit_csv_options *options, size_t stretch,
                                         const tacit_run *run, tacit_error *err)
{
    return read_input(out, (tacit__input){.bytes = bytes.bytes, .len = bytes.len}, name, options,
                      stretch, run, err);
}

tacit_status tacit_table_read_memory(tacit_table **out, tacit_strview bytes, const char *name,
                                     const tacit_csv_options *options, const tacit_run *run,
                                     tacit_error *err)
{
    return tacit__table_read_stretches(out, bytes, name, options, TACIT__STRETCH, run, err);
}

tacit_status tacit_table_read_fd(tacit_table **out, int fd, const char *name,
                                 const tacit_csv_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open_fd(&input, fd, name, 0, run, err);
    return status == TACIT_OK ? read_input(out, input, name, options, TACIT__STRETCH, run, err)
                              : status;
}

tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *options,
                              const tacit_run *run, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, 0, run, err);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    return status == TACIT_OK ? read_input(out, input, name, options, TACIT__STRETCH, run, err)
                              : status;
}
