/*
 * csv_read.c - from CSV to codes, on all cores.
 *
 * The file is cut into stretches of fixed size. A first pass counts quotes and line ends in each,
 * after which it is known where quoting stands at every stretch's start and which number its first
 * row has. A second pass indexes the fields of a stretch (csv_index.c), checks that its rows are
 * well formed and codes them (csv_code.c). Results do not depend on who did which stretch.
 *
 * Where it is asked for, cells that say a code of a missing value (NA, 999) become empty, and an
 * apostrophe is put before every cell that a spreadsheet may run as a formula. This is done to the
 * bytes before anything is read from them, so that whatever works on the table, a method, the judge
 * or an attack, has the same cells before it, and what is released is compared with what was read
 * byte for byte as ever. Names of columns stay: a policy goes by them. It takes one pass; a file
 * without such cells stays where it is, of another one a copy is in memory. Bytes of a mapped file
 * can change meanwhile, so nothing follows from them but which bytes are copied, and the file is
 * asked for changes before it is let go. What is not well formed is left to the reader, who says
 * so.
 *
 * A file that is not UTF-8 is converted before that (encoding.c). Whether it is one shows when it
 * is read: a file that is read without a mistake costs nothing more. Where cells are rewritten, or
 * an encoding is declared, it is looked at first.
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
#include "table/encoding.h"
#include "table/table.h"

/* What is done to the cells of a column. */
typedef struct cell_rule {
    bool unguarded; /* formulas stay as they are */
    tacit_missing_codes missing;
} cell_rule;

typedef struct cell_walk {
    const char *at, *end; /* from here on nothing was looked at */
    const char *copied;   /* up to here it was copied */
    char delimiter;
    bool guarding;
    const cell_rule *rules; /* a column each */
    int32_t columns;
    bool changed;
    tacit__strbuf out;
} cell_walk;

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
static tacit_strview next_cell(cell_walk *w)
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

static void copy_up_to(cell_walk *w, const char *to)
{
    tacit__strbuf_add(&w->out, w->copied, (size_t)(to - w->copied));
    w->copied = to;
    w->changed = true;
}

static void guard(cell_walk *w, const char *cell)
{
    static const char mark[] = {TACIT__GUARD};
    copy_up_to(w, cell);
    tacit__strbuf_add(&w->out, mark, sizeof mark);
}

/* Quotes around nothing are one more way to write a missing value. */
static bool says_missing(const tacit_missing_codes *missing, tacit_strview cell, bool quoted)
{
    bool found = quoted && cell.len == 0 && missing->count > 0;
    for (int32_t i = 0; i < missing->count && !found; i++)
        found = tacit_strview_equal(cell, tacit_strview_of(missing->codes[i]));
    return found;
}

/* Leaves a cell out, which begins where its quote does; w is at its end. Where it is alone in its
 * line, quotes stay: an empty last line were none. */
static void blank(cell_walk *w, const char *begin, tacit_strview cell, bool first)
{
    bool quoted = begin != cell.bytes;
    const char *end = cell.bytes + cell.len;
    if (quoted && end == w->end)
        return; /* never closed */
    end += quoted;
    bool returns = end + 1 == w->at && *end == '\r';
    if (end != w->at && !returns)
        return; /* text after a closing quote */
    copy_up_to(w, begin);
    w->copied = end;
    if (first && (w->at == w->end || *w->at == '\n'))
        tacit__strbuf_text(&w->out, "\"\"");
}

static void rewrite_cell(cell_walk *w, const cell_rule *rule, bool first)
{
    const char *begin = w->at;
    tacit_strview cell = next_cell(w);
    if (says_missing(&rule->missing, cell, begin != cell.bytes))
        blank(w, begin, cell, first);
    else if (w->guarding && !rule->unguarded && tacit__is_formula(cell))
        guard(w, cell.bytes);
}

static void rewrite_rows(cell_walk *w)
{
    static const cell_rule none = {0};
    int32_t column = 0;
    while (w->at < w->end && !w->out.failed) {
        rewrite_cell(w, column < w->columns ? &w->rules[column] : &none, column == 0);
        column++;
        if (w->at < w->end && *w->at == '\n')
            column = 0;
        w->at += w->at < w->end;
    }
    if (w->changed)
        copy_up_to(w, w->end);
}

/* The rewritten text takes the place of the file. */
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

static tacit_status rewrite_table(tacit__input *input, const tacit_table *probe,
                                  const tacit_csv_options *options, tacit_error *err)
{
    cell_rule *rules = tacit__alloc_zeroed((size_t)probe->column_count, sizeof *rules);
    if (!rules)
        return tacit__nomem(err);
    for (int32_t i = 0; i < probe->column_count; i++) {
        tacit_strview name = probe->columns[i].name;
        if (options->guard == TACIT_GUARD_CELLS && options->unguarded)
            rules[i].unguarded = options->unguarded(name, options->unguarded_context);
        if (options->missing)
            rules[i].missing = options->missing(name, options->missing_context);
    }
    cell_walk w = {.at = probe->bytes + probe->data_start,
                   .end = input->bytes + input->len,
                   .copied = probe->bytes,
                   .delimiter = probe->delimiter,
                   .guarding = options->guard == TACIT_GUARD_CELLS,
                   .rules = rules,
                   .columns = probe->column_count};
    rewrite_rows(&w);
    tacit_status status = replace(input, probe->file, &w.out, err);
    tacit__strbuf_clear(&w.out);
    tacit__free(rules);
    return status;
}

/* Rewrites the cells below the header as the options say. The input is another one then, in memory.
 * The options become how it was cut before: its own cells could say otherwise. */
static tacit_status rewrite_input(tacit__input *input, const char *name, tacit_csv_options *options,
                                  size_t max_field, tacit_error *err)
{
    tacit_table *probe = tacit__alloc_zeroed(1, sizeof *probe);
    if (!probe)
        return tacit__nomem(err);
    probe->bytes = input->bytes;
    probe->len = input->len;
    probe->file = tacit__copy_text(name);
    tacit_status status =
        probe->file ? tacit__csv_dialect(probe, options, max_field, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = rewrite_table(input, probe, options, err);
    options->delimiter = probe->delimiter;
    options->pass_stray_end = probe->stray_end;
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

static bool rewrites(const tacit_csv_options *options)
{
    return (options->guard == TACIT_GUARD_CELLS || options->missing) && !options->header_only;
}

/* Rewrites cells where that is asked for. The file is cut as it was before. */
static tacit_status rewrite_cells(reader *r, tacit_csv_options *options, tacit_error *err)
{
    tacit_table *t = r->table;
    t->guard = options->guard;
    if (!rewrites(options))
        return TACIT_OK;
    tacit_status status = rewrite_input(&t->input, t->file, options, r->max_field, err);
    t->bytes = t->input.bytes;
    t->len = t->input.len;
    return status;
}

/* Puts the text as UTF-8 in the place of a file that is not. */
static tacit_status convert(tacit__input *input, tacit_encoding from, const char *name,
                            tacit_error *err)
{
    tacit__strbuf out = {0};
    tacit_status status =
        tacit__encoding_decode(&out, (tacit_strview){input->bytes, input->len}, from, name, err);
    if (status == TACIT_OK)
        status = replace(input, name, &out, err);
    tacit__strbuf_clear(&out);
    return status;
}

/* Reads what is in that encoding. The table takes the input over if this succeeds. */
static tacit_status read_encoded(tacit_table **out, tacit__input *input, tacit_encoding encoding,
                                 const char *name, reader r, const tacit_run *run, tacit_error *err)
{
    tacit_csv_options asked = *r.options;
    tacit_status status = TACIT_OK;
    if (encoding != TACIT_ENCODING_UTF8)
        status = convert(input, encoding, name, err);
    if (status != TACIT_OK)
        return status;
    r.options = &asked;
    r.table = tacit__alloc_zeroed(1, sizeof *r.table);
    if (!r.table)
        return tacit__nomem(err);
    *r.table = (tacit_table){.input = *input,
                             .bytes = input->bytes,
                             .len = input->len,
                             .encoding = encoding,
                             .detecting = asked.encoding == TACIT_ENCODING_DETECT};
    if (!(r.table->file = tacit__copy_text(name)))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = rewrite_cells(&r, &asked, err);
    if (status == TACIT_OK)
        status = tacit__csv_dialect(r.table, r.options, r.max_field, err);
    if (status == TACIT_OK && !r.options->header_only)
        status = read_rows(&r, run, err);
    clear_reader(&r);
    if (status == TACIT_OK) {
        *out = r.table;
        *input = (tacit__input){0};
        return TACIT_OK;
    }
    *input = r.table->input;
    r.table->input = (tacit__input){0};
    tacit_table_free(r.table);
    return status;
}

static tacit_status check_options(tacit_csv_options *asked, const tacit_csv_options *options,
                                  tacit_error *err)
{
    tacit_csv_options_init(asked);
    size_t max_field = asked->max_field;
    if (options)
        *asked = *options;
    if (asked->size != sizeof *asked)
        return tacit__error(err, TACIT_INVALID, "options made for another version of tacit");
    asked->max_field = asked->max_field ? asked->max_field : max_field;
    if (asked->delimiter && strchr("\"\r\n", asked->delimiter))
        return tacit__error(err, TACIT_INVALID, "quotes and line ends cannot be delimiters");
    return TACIT_OK;
}

/* Reads the input as CSV, in whatever encoding. It is the table's if this succeeds. */
static tacit_status read_csv(tacit_table **out, tacit__input *input, const char *name,
                             tacit_csv_options asked, size_t stretch, const tacit_run *run,
                             tacit_error *err)
{
    tacit_error before = err ? *err : (tacit_error){0};
    tacit_strview bytes = {input->bytes, input->len};
    tacit_encoding found = TACIT_ENCODING_UTF8;
    reader r = {.options = &asked, .max_field = asked.max_field, .stretch = stretch};
    bool first = rewrites(&asked) || asked.encoding > TACIT_ENCODING_DETECT;
    if (first)
        found = tacit__encoding_of(bytes, asked.encoding);
    tacit_status status = read_encoded(out, input, found, name, r, run, err);
    if (status == TACIT_PARSE && !first)
        found = tacit__encoding_of(bytes, asked.encoding);
    if (status == TACIT_PARSE && !first && found != TACIT_ENCODING_UTF8) {
        if (err)
            *err = before;
        status = read_encoded(out, input, found, name, r, run, err);
    }
    return status;
}

/* Puts the CSV that a file of another format stands for in its place. */
static tacit_status convert_format(tacit__input *input, tacit_conversion *made,
                                   tacit_csv_options *asked, tacit_convert_input from,
                                   tacit_error *err)
{
    from.bytes = (tacit_strview){input->bytes, input->len};
    from.header_only = asked->header_only;
    tacit_status status = asked->convert(made, &from, err);
    if (status != TACIT_OK || !made->text)
        return status;
    status = tacit__input_check(input, from.name, err);
    if (made->written_anew) {
        asked->delimiter = ',';
        asked->no_header = false;
        asked->encoding = TACIT_ENCODING_UTF8;
    }
    tacit__input_close(input);
    *input = (tacit__input){.bytes = made->text, .len = made->len, .owned = made->text};
    return status;
}

/* The table takes the input over, even when this fails. */
static tacit_status read_input(tacit_table **out, tacit__input input,
                               const tacit_convert_input *from, const tacit_csv_options *options,
                               size_t stretch, tacit_error *err)
{
    tacit_csv_options asked;
    tacit_conversion made = {0};
    tacit_status status = check_options(&asked, options, err);
    if (status == TACIT_OK && asked.convert)
        status = convert_format(&input, &made, &asked, *from, err);
    if (status == TACIT_OK)
        status = read_csv(out, &input, from->name, asked, stretch, from->run, err);
    if (status == TACIT_OK) {
        (*out)->origin = made.origin;
        (*out)->free_origin = made.free_origin;
        (*out)->words = made.words;
    } else if (made.free_origin) {
        made.free_origin(made.origin);
    }
    tacit__input_close(&input);
    return status;
}

tacit_status tacit__table_read_stretches(tacit_table **out, tacit_strview bytes, const char *name,
                                         const tacit_csv_options *options, size_t stretch,
                                         const tacit_run *run, tacit_error *err)
{
    const tacit_convert_input from = {.name = name, .run = run};
    return read_input(out, (tacit__input){.bytes = bytes.bytes, .len = bytes.len}, &from, options,
                      stretch, err);
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
    const tacit_convert_input from = {.name = name, .run = run};
    tacit_status status = tacit__input_open_fd(&input, fd, name, 0, run, err);
    return status == TACIT_OK ? read_input(out, input, &from, options, TACIT__STRETCH, err)
                              : status;
}

tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *options,
                              const tacit_run *run, tacit_error *err)
{
    tacit__input input = {0};
    bool named = strcmp(path, "-") != 0, parted = named && options && options->convert;
    size_t len = parted ? tacit__file_name_len(path) : strlen(path);
    char *file = tacit__copy_bytes(path, len);
    const tacit_convert_input from = {.name = named ? path : "standard input",
                                      .path = named ? file : NULL,
                                      .part = path[len] ? path + len + 1 : NULL,
                                      .run = run};
    tacit_status status = file ? tacit__input_open(&input, file, 0, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = read_input(out, input, &from, options, TACIT__STRETCH, err);
    tacit__free(file);
    return status;
}
