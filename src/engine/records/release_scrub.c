/*
 * release_scrub.c - text in records: every cell of the column is a document, scrubbed with made-up
 * values that a key of this run chooses, on all processors. Dates of a person move by the same
 * number of days; where the policy names no person, those of a row do.
 *
 * What the data's identifier columns say is known to be personal, so it is found in the text in
 * every written form; the judge then looks for each row's own identifiers once more. The new
 * cells are kept in memory, those that did not change are not: about four times the text that
 * was replaced in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/release.h"
#include "engine/text/pipeline.h"
#include "engine/text/scrub.h"

enum { ROWS = 256 /* of a job */, LEAST_KNOWN = 3 /* bytes of a value that is looked for */ };

/* ---- what is known ---- */

/* A column whose name says nothing holds numbers if there are digits in it, else names. */
static tacit_text_kind kind_of(tacit_strview name, tacit_strview value)
{
    tacit_text_kind kind = engine_known_kind(name);
    if (kind != TACIT_TEXT_NONE)
        return kind;
    for (size_t i = 0; i < value.len; i++)
        if (value.bytes[i] >= '0' && value.bytes[i] <= '9')
            return TACIT_TEXT_REFERENCE;
    return TACIT_TEXT_FULL_NAME;
}

static tacit_status add_known(engine_known *known, const tacit_table *table, int32_t column,
                              tacit_error *err)
{
    tacit_strview *cells = tacit__alloc((size_t)tacit_table_columns(table) * sizeof *cells);
    engine_text buffer = {0};
    tacit_status status = cells ? TACIT_OK : tacit__nomem(err);
    for (int64_t row = 0; row < tacit_table_rows(table) && status == TACIT_OK; row++) {
        tacit_table_row(table, row, cells);
        tacit_strview cell = cells[column];
        status = engine_text_reserve(&buffer, cell.len + 1, err);
        if (status != TACIT_OK)
            break;
        tacit_strview value = {buffer.bytes, tacit_csv_unquote(cell, buffer.bytes, cell.len)};
        if (value.len >= LEAST_KNOWN)
            status = engine_known_add(known, value, kind_of(tacit_table_name(table, column), value),
                                      err);
    }
    tacit__free(cells);
    engine_text_clear(&buffer);
    return status;
}

static tacit_status know_identifiers(engine_scrubbed_text *text, const engine_release *release,
                                     tacit_error *err)
{
    const tacit_promise *promise = &release->promise.promise;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < promise->identifier_count && status == TACIT_OK; i++) {
        int32_t column =
            tacit_table_find(release->table, tacit_strview_of(promise->identifiers[i].name));
        if (column >= 0)
            status = add_known(&text->known, release->table, column, err);
    }
    return status == TACIT_OK ? engine_known_end(&text->known, err) : status;
}

static tacit_status open_scrubber(engine_scrubbed_text *text, const engine_release *release,
                                  tacit_error *err)
{
    tacit_scrub_options options;
    tacit_scrub_options_init(&options);
    options.accept_unread = engine_has(release->session->settings, "accept-unread");
    memcpy(options.key, release->session->run.seed, sizeof options.key);
    tacit_status status = know_identifiers(text, release, err);
    options.known = text->known.values;
    options.known_kinds = text->known.kinds;
    options.known_count = text->known.count;
    if (status == TACIT_OK)
        status = tacit_scrubber_new(&text->scrubber, &options, err);
    explicit_bzero(options.key, sizeof options.key);
    return status;
}

/* ---- cells ---- */

/* One thread's memory. */
typedef struct hand {
    tacit_scrub_reader *reader;
    tacit_strview *cells;
    engine_text in, out, subject;
    int64_t from; /* the first row of its job */
    uint64_t texts, changed, unread;
} hand;

typedef struct scrubbing {
    const tacit_scrubber *scrubber;
    const tacit_table *table;
    int32_t source, person; /* columns; person -1: not known */
    tacit_strview *cells;   /* what becomes of them */
    hand *hands;
    int64_t next;
} scrubbing;

static tacit_status take(bool *more, void *context, engine_worker *worker, tacit_error *err)
{
    scrubbing *s = context;
    (void)err;
    *more = s->next < tacit_table_rows(s->table);
    s->hands[worker->index].from = s->next;
    s->next += ROWS;
    return TACIT_OK;
}

static tacit_status unquote(tacit_strview *out, engine_text *buffer, tacit_strview cell,
                            tacit_error *err)
{
    buffer->len = 0;
    tacit_status status = engine_text_reserve(buffer, cell.len + 1, err);
    if (status == TACIT_OK)
        *out = (tacit_strview){buffer->bytes, tacit_csv_unquote(cell, buffer->bytes, cell.len)};
    return status;
}

/* A new document: dates move as the person's do or, where nobody is named, as the row's. */
static tacit_status begin_cell(hand *h, const scrubbing *s, int64_t row, tacit_error *err)
{
    tacit_strview subject = {0};
    tacit_status status = TACIT_OK;
    if (s->person >= 0)
        status = unquote(&subject, &h->subject, h->cells[s->person], err);
    if (subject.len == 0)
        subject = (tacit_strview){(const char *)&row, sizeof row};
    tacit_scrub_begin(h->reader, (uint64_t)row);
    tacit_scrub_subject(h->reader, subject);
    return status;
}

/* The cell's text in the hand's memory; its pieces, scrubbed, in out. */
static tacit_status scrub_cell(hand *h, const scrubbing *s, int64_t row, bool *changed,
                               tacit_error *err)
{
    tacit_strview text = {0};
    unsigned unread = 0;
    h->out.len = 0;
    tacit_status status = unquote(&text, &h->in, h->cells[s->source], err);
    if (status == TACIT_OK)
        status = begin_cell(h, s, row, err);
    while (text.len > 0 && status == TACIT_OK) {
        tacit_scrubbed scrubbed;
        size_t consumed = 0;
        status = tacit_scrub_piece(&scrubbed, &consumed, h->reader, text, true, err);
        if (status != TACIT_OK)
            break;
        engine_text_view(&h->out, scrubbed.text);
        *changed |= scrubbed.span_count > 0;
        unread |= scrubbed.unread;
        text = (tacit_strview){text.bytes + consumed, text.len - consumed};
    }
    h->unread += unread != 0;
    return status == TACIT_OK ? engine_text_check(&h->out, err) : status;
}

/* Says which cell it is that is refused. */
static void place(tacit_error *err, const scrubbing *s, int64_t row)
{
    char said[sizeof err->message];
    tacit_strview name = tacit_table_name(s->table, s->source);
    engine_scrub_refused(err);
    snprintf(said, sizeof said, "%s", err->message);
    snprintf(err->message, sizeof err->message, "row %lld of the column \"%.*s\" has %.600s",
             (long long)row + 1, name.len < 80 ? (int)name.len : 80, name.bytes, said);
}

static tacit_status keep_cell(tacit_strview *out, const engine_text *text, tacit_error *err)
{
    char *bytes = tacit__alloc(text->len + 1);
    if (!bytes)
        return tacit__nomem(err);
    memcpy(bytes, text->bytes, text->len);
    *out = (tacit_strview){bytes, text->len};
    return TACIT_OK;
}

static tacit_status equip(hand *h, const scrubbing *s, tacit_error *err)
{
    if (!h->cells)
        h->cells = tacit__alloc((size_t)tacit_table_columns(s->table) * sizeof *h->cells);
    if (!h->cells)
        return tacit__nomem(err);
    return h->reader ? TACIT_OK : tacit_scrub_reader_new(&h->reader, s->scrubber, err);
}

static tacit_status work(void *context, engine_worker *worker, tacit_error *err)
{
    scrubbing *s = context;
    hand *h = &s->hands[worker->index];
    int64_t rows = tacit_table_rows(s->table), end = h->from + ROWS < rows ? h->from + ROWS : rows;
    tacit_status status = equip(h, s, err);
    for (int64_t row = h->from; row < end && status == TACIT_OK; row++) {
        bool changed = false;
        tacit_table_row(s->table, row, h->cells);
        status = scrub_cell(h, s, row, &changed, err);
        if (status == TACIT_PARSE)
            place(err, s, row);
        h->texts += h->cells[s->source].len > 0;
        h->changed += changed;
        if (changed && status == TACIT_OK)
            status = keep_cell(&s->cells[row], &h->out, err);
    }
    return status == TACIT_OK ? engine_pipeline_progress(worker, end - h->from, err) : status;
}

static void clear_hands(scrubbing *s, int count)
{
    for (int i = 0; s->hands && i < count; i++) {
        tacit_scrub_reader_free(s->hands[i].reader);
        tacit__free(s->hands[i].cells);
        engine_text_clear(&s->hands[i].in);
        engine_text_clear(&s->hands[i].out);
        engine_text_clear(&s->hands[i].subject);
    }
    tacit__free(s->hands);
}

static tacit_status scrub_column(engine_scrubbed_column *column, const engine_scrubbed_text *text,
                                 const engine_release *release, int32_t source)
{
    engine_session *session = release->session;
    int count = engine_pipeline_workers(&session->run);
    const char *person = release->policy->person;
    scrubbing s = {.scrubber = text->scrubber,
                   .table = release->table,
                   .source = source,
                   .person =
                       person ? tacit_table_find(release->table, tacit_strview_of(person)) : -1,
                   .cells = column->cells};
    const engine_stages stages = {take, work, NULL, "scrubbing", text->row_count};
    s.hands = tacit__alloc_zeroed((size_t)count, sizeof *s.hands);
    tacit_status status =
        s.hands ? engine_pipeline_run(&stages, &s, &session->run, count, &session->error)
                : tacit__nomem(&session->error);
    for (int i = 0; s.hands && i < count; i++) {
        column->texts += s.hands[i].texts;
        column->changed += s.hands[i].changed;
        column->unread += s.hands[i].unread;
    }
    clear_hands(&s, count);
    return status;
}

/* ---- columns ---- */

static tacit_status prepare_scrubbing(engine_scrubbed_text *text, const engine_release *release,
                                      tacit_error *err)
{
    int64_t rows = tacit_table_rows(release->table);
    if (text->scrubber)
        return TACIT_OK;
    text->row_count = rows;
    text->rows = tacit__alloc(((size_t)rows + 1) * sizeof *text->rows);
    text->columns =
        tacit__alloc_zeroed((size_t)tacit_table_columns(release->table), sizeof *text->columns);
    if (!text->rows || !text->columns)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        text->rows[row] = (uint32_t)row;
    return open_scrubber(text, release, err);
}

tacit_status engine_release_scrub(tacit_csv_column *column, engine_release *release)
{
    engine_scrubbed_text *text = &release->scrubbed;
    tacit_error *err = &release->session->error;
    tacit_status status = prepare_scrubbing(text, release, err);
    if (status != TACIT_OK)
        return status;
    engine_scrubbed_column *made = &text->columns[text->count++];
    tacit_strview name = tacit_table_name(release->table, column->source);
    made->name = tacit_policy_find(release->policy, name)->name;
    made->cells = tacit__alloc_zeroed((size_t)text->row_count + 1, sizeof *made->cells);
    if (!made->cells)
        return tacit__nomem(err);
    status = scrub_column(made, text, release, column->source);
    column->relabelled = true;
    column->codes = (tacit_codes_view){text->rows, sizeof *text->rows};
    column->labels = made->cells;
    column->label_count = (uint32_t)text->row_count;
    return status;
}

void engine_scrubbed_text_clear(engine_scrubbed_text *text)
{
    for (int32_t i = 0; i < text->count; i++) {
        for (int64_t row = 0; text->columns[i].cells && row < text->row_count; row++)
            tacit__free((void *)(uintptr_t)text->columns[i].cells[row].bytes);
        tacit__free(text->columns[i].cells);
    }
    tacit__free(text->columns);
    tacit__free(text->rows);
    tacit_scrubber_free(text->scrubber);
    engine_known_clear(&text->known);
    memset(text, 0, sizeof *text);
}

/* ---- what is said of it ---- */

static void add_scrubbed_column(tacit_report *report, const engine_scrubbed_column *column)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(engine_scrubbed_column, texts, "texts", NULL, 0),
        TACIT_FIELD(engine_scrubbed_column, changed, "changed", NULL, 0),
        TACIT_FIELD(engine_scrubbed_column, unread, "unread", NULL, 0),
    };
    char unread[128] = "";
    if (column->unread > 0)
        snprintf(unread, sizeof unread,
                 "; not plain text in English, so that names may be left: %s",
                 engine_count((int64_t)column->unread).text);
    tacit_report_line(
        report, "scrubbed",
        "%.60s: something personal in %s of %s texts; the text is de-identified, not anonymous%s",
        column->name, engine_count((int64_t)column->changed).text,
        engine_count((int64_t)column->texts).text, unread);
    tacit_report_item(report, "scrubbed");
    tacit_report_text(report, "column", column->name);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), column);
    tacit_report_leave(report);
}

void engine_scrubbed_text_facts(tacit_report *report, const engine_scrubbed_text *text)
{
    if (text->count > 0)
        tacit_report_section(report, "Scrubbed text");
    for (int32_t i = 0; i < text->count; i++)
        add_scrubbed_column(report, &text->columns[i]);
}
