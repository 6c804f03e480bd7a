/*
 * scrub_json.c - JSON lines: an object a line is a document, with its text in a field.
 *
 * Only the bytes of what is replaced change; other fields, their order, numbers of any length,
 * blanks, line ends and escapes stay as they are written. An object's id is its spans' id; where
 * it has none, the line's number from 1 is. Empty lines and a text that is null are passed on.
 */
#define _GNU_SOURCE
#include <string.h>

#include "json_line.h"
#include "scrub_work.h"

static bool is_blank(tacit_strview line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!memchr(" \t\r\n", line.bytes[i], 4))
            return false;
    return true;
}

/* The text of the field, between its quotes; bytes NULL where it is null. */
static tacit_status text_of(tacit_strview *raw, const cli_json_field *field, tacit_strview line,
                            tacit_error *err)
{
    tacit_strview value = field->value;
    if (!value.bytes)
        return cli_error(err, TACIT_PARSE,
                         "the object has no field \"%.80s\"; --jsonl names the one with the text",
                         field->name);
    bool null = value.bytes[0] == 'n';
    if (value.bytes[0] != '"' && !null) {
        err->column = value.bytes - line.bytes + 1;
        return cli_error(err, TACIT_PARSE, "the field \"%.80s\" is not text in quotes",
                         field->name);
    }
    *raw = null ? (tacit_strview){NULL, 0} : (tacit_strview){value.bytes + 1, value.len - 2};
    return TACIT_OK;
}

static tacit_strview id_of(cli_scrub_hand *hand, const cli_json_field *field, int64_t line)
{
    if (field->value.bytes)
        return field->value;
    hand->id.len = 0;
    cli_text_number(&hand->id, (uint64_t)line);
    return (tacit_strview){hand->id.bytes, hand->id.len};
}

static tacit_status json_object(cli_scrub *scrub, cli_scrub_hand *hand, tacit_strview line,
                                int64_t index, tacit_error *err)
{
    cli_json_field fields[] = {{scrub->field, {0}}, {"id", {0}}};
    tacit_strview raw = {NULL, 0};
    tacit_status status = cli_json_line(fields, 2, line, err);
    if (status == TACIT_OK)
        status = text_of(&raw, &fields[0], line, err);
    if (status != TACIT_OK || !raw.bytes) {
        cli_text_view(&hand->out, line);
        return status;
    }
    cli_text_put(&hand->out, line.bytes, (size_t)(raw.bytes - line.bytes));
    cli_splice splice = {.wrapping = &cli_json_string, .out = &hand->out, .raw = raw};
    tacit_strview text = cli_unwrap(&hand->text, &cli_json_string, raw);
    status = cli_text_check(&hand->text, err);
    if (status != TACIT_OK)
        return status;
    cli_scrub_document_begin(hand, scrub, hand->number + (uint64_t)index,
                             id_of(hand, &fields[1], hand->line + index), (tacit_strview){0});
    status = cli_scrub_text(&splice, scrub, hand, text, err);
    cli_scrub_document_end(hand, scrub);
    const char *after = raw.bytes + raw.len;
    cli_text_put(&hand->out, after, (size_t)(line.bytes + line.len - after));
    return status;
}

tacit_status cli_scrub_rows_json(cli_scrub *scrub, cli_worker *worker, tacit_error *err)
{
    cli_scrub_hand *hand = &scrub->hands[worker->index];
    const char *at = hand->in.bytes + hand->head, *end = hand->in.bytes + hand->in.len;
    tacit_status status = TACIT_OK;
    size_t told = 0;
    for (int64_t index = 0; at < end && status == TACIT_OK; index++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        tacit_strview line = {at, (size_t)((line_end ? line_end + 1 : end) - at)};
        if (is_blank(line))
            cli_text_view(&hand->out, line);
        else
            status = json_object(scrub, hand, line, index, err);
        cli_scrub_place(err, hand, hand->line + index);
        at += line.len;
        if (status == TACIT_OK)
            status = cli_scrub_go_on(worker, (size_t)(at - hand->in.bytes), &told, err);
    }
    return status;
}
