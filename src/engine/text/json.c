/*
 * json.c - JSON lines: an object a line is a document, with its text in a field.
 *
 * Only the bytes of what is replaced change; other fields, their order, numbers of any length,
 * blanks, line ends and escapes stay as they are written. An object's id is its spans' id; where
 * it has none, the line's number from 1 is. Empty lines and a text that is null are passed on.
 *
 * Lines are read some at a time and scrubbed then, since the library is sooner done with several
 * short documents than with each by itself (tacit_scrub_ahead).
 */
#include <string.h>

#include "base/error.h"
#include "engine/text/json_line.h"
#include "engine/text/work.h"

static bool is_blank(tacit_strview line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!memchr(" \t\r\n", line.bytes[i], 4))
            return false;
    return true;
}

/* The text of the field, between its quotes; bytes NULL where it is null. */
static tacit_status text_of(tacit_strview *raw, const engine_json_field *field, tacit_strview line,
                            tacit_error *err)
{
    tacit_strview value = field->value;
    if (!value.bytes)
        return tacit__error(
            err, TACIT_PARSE,
            "the object has no field \"%.80s\"; --jsonl names the one with the text", field->name);
    bool null = value.bytes[0] == 'n';
    if (value.bytes[0] != '"' && !null)
        return tacit__error_at(err, TACIT_PARSE, NULL, 0, value.bytes - line.bytes + 1,
                               "the field \"%.80s\" is not text in quotes", field->name);
    *raw = null ? (tacit_strview){NULL, 0} : (tacit_strview){value.bytes + 1, value.len - 2};
    return TACIT_OK;
}

/* A line; of one that is passed on as it is, raw is nothing. */
typedef struct json_document {
    tacit_strview line, raw, text;
    engine_json_field id, subject;
} json_document;

static tacit_strview id_of(engine_scrub_hand *hand, const engine_json_field *field, int64_t line)
{
    if (field->value.bytes)
        return field->value;
    hand->id.len = 0;
    engine_text_number(&hand->id, (uint64_t)line);
    return (tacit_strview){hand->id.bytes, hand->id.len};
}

/* A field for --shift-by must be there, so that nobody's dates move otherwise than is meant. */
static tacit_status check_subject(const engine_json_field *field, const engine_scrub *scrub,
                                  tacit_error *err)
{
    if (!scrub->shift_by || field->value.bytes)
        return TACIT_OK;
    return tacit__error(
        err, TACIT_PARSE,
        "the object has no field \"%.80s\"; --shift-by names the one that says whom "
        "it is about",
        field->name);
}

/* Whom the document is about: what a string says, or a number as it is written. */
static void read_subject(engine_scrub_hand *hand, const engine_json_field *field)
{
    tacit_strview value = field->value;
    hand->subject.len = 0;
    if (!value.bytes || value.bytes[0] == 'n')
        return;
    if (value.bytes[0] == '"')
        value = engine_unwrap(&hand->cell, &engine_json_string,
                              (tacit_strview){value.bytes + 1, value.len - 2});
    engine_text_view(&hand->subject, value);
}

/* The buffer is for a text that is not written as it is. */
static tacit_status read_document(json_document *document, tacit_strview line, engine_text *buffer,
                                  const engine_scrub *scrub, tacit_error *err)
{
    engine_json_field fields[] = {{scrub->field, {0}}, {"id", {0}}, {scrub->shift_by, {0}}};
    *document = (json_document){.line = line, .text = tacit_strview_of("")};
    if (is_blank(line))
        return TACIT_OK;
    tacit_status status = engine_json_line(fields, scrub->shift_by ? 3 : 2, line, err);
    if (status == TACIT_OK)
        status = text_of(&document->raw, &fields[0], line, err);
    if (status == TACIT_OK && document->raw.bytes)
        status = check_subject(&fields[2], scrub, err);
    if (status != TACIT_OK || !document->raw.bytes)
        return status;
    document->id = fields[1];
    document->subject = fields[2];
    document->text = engine_unwrap(buffer, &engine_json_string, document->raw);
    return engine_text_check(buffer, err);
}

static tacit_status scrub_document(engine_scrub *scrub, engine_scrub_hand *hand,
                                   const json_document *document, int64_t index, tacit_error *err)
{
    tacit_strview line = document->line, raw = document->raw;
    if (!raw.bytes) {
        engine_text_view(&hand->out, line);
        return TACIT_OK;
    }
    engine_text_put(&hand->out, line.bytes, (size_t)(raw.bytes - line.bytes));
    engine_splice splice = engine_splice_of(&engine_json_string, &hand->out, raw);
    read_subject(hand, &document->subject);
    engine_scrub_document_begin(hand, scrub, hand->number + (uint64_t)index,
                                id_of(hand, &document->id, hand->line + index), (tacit_strview){0});
    tacit_status status = engine_text_check(&hand->subject, err);
    if (status == TACIT_OK)
        status = engine_text_check(&hand->cell, err);
    if (status == TACIT_OK)
        status = engine_scrub_text(&splice, scrub, hand, document->text, err);
    engine_scrub_document_end(hand, scrub);
    const char *after = raw.bytes + raw.len;
    engine_text_put(&hand->out, after, (size_t)(line.bytes + line.len - after));
    return status;
}

/* Documents of the job, from one line on. */
typedef struct json_stretch {
    json_document documents[ENGINE_SCRUB_AHEAD];
    size_t count;
    const char *end; /* of their lines */
} json_stretch;

/* Lines from start on, of a few pages in all but where the first one is longer. index is that of
 * the first line. */
static tacit_status read_stretch(json_stretch *stretch, const char *start, int64_t index,
                                 engine_scrub *scrub, engine_scrub_hand *hand, tacit_error *err)
{
    enum { PAGES = 1 << 17 };
    const char *end = hand->in.bytes + hand->in.len;
    tacit_status status = TACIT_OK;
    stretch->count = 0;
    stretch->end = start;
    while (stretch->end < end && stretch->count < ENGINE_SCRUB_AHEAD && status == TACIT_OK) {
        const char *line_end = memchr(stretch->end, '\n', (size_t)(end - stretch->end));
        line_end = line_end ? line_end + 1 : end;
        if (stretch->count > 0 && line_end - start > PAGES)
            break;
        tacit_strview line = {stretch->end, (size_t)(line_end - stretch->end)};
        status = read_document(&stretch->documents[stretch->count], line,
                               &hand->texts[stretch->count], scrub, err);
        engine_scrub_place(err, hand, hand->line + index + (int64_t)stretch->count);
        stretch->count++;
        stretch->end = line_end;
    }
    return status;
}

static tacit_status scrub_stretch(const json_stretch *stretch, int64_t index, engine_scrub *scrub,
                                  engine_scrub_hand *hand, tacit_error *err)
{
    tacit_strview texts[ENGINE_SCRUB_AHEAD];
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < stretch->count; i++)
        texts[i] = stretch->documents[i].text;
    for (size_t i = 0, ahead = 0; i < stretch->count && status == TACIT_OK; i++) {
        if (i >= ahead) {
            status = tacit_scrub_ahead(&ahead, hand->reader, texts + i, stretch->count - i, err);
            ahead += i;
        }
        if (status == TACIT_OK)
            status = scrub_document(scrub, hand, &stretch->documents[i], index + (int64_t)i, err);
        engine_scrub_place(err, hand, hand->line + index + (int64_t)i);
    }
    return status;
}

tacit_status engine_scrub_rows_json(engine_scrub *scrub, engine_worker *worker, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    const char *at = hand->in.bytes + hand->head, *end = hand->in.bytes + hand->in.len;
    json_stretch stretch;
    tacit_status status = TACIT_OK;
    size_t told = 0;
    for (int64_t index = 0; at < end && status == TACIT_OK; index += (int64_t)stretch.count) {
        status = read_stretch(&stretch, at, index, scrub, hand, err);
        if (status == TACIT_OK)
            status = scrub_stretch(&stretch, index, scrub, hand, err);
        at = stretch.end;
        if (status == TACIT_OK)
            status = engine_scrub_go_on(worker, (size_t)(at - hand->in.bytes), &told, err);
    }
    return status;
}
