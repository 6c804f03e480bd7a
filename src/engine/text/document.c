/*
 * document.c - one document in one hand: its pieces go through the reader, what was found
 * is counted, and the lines that tell of it are added: one of --spans, those of --explain.
 *
 * A line of --spans is {"id":17,"spans":[{"start":0,"end":4,"label":"DATE","likelihood":0.97}]}
 * with offsets in bytes, and "unread" where that was accepted. It is put together without printf:
 * there are as many spans as there are words in some letters, and it would take as long as finding
 * them.
 */
#include <stdio.h>
#include <string.h>

#include "engine/job/files.h"
#include "engine/text/work.h"

static void put_string(engine_text *out, const char *text)
{
    engine_text_put(out, text, strlen(text));
}

static void put_label(engine_text *out, tacit_text_kind kind)
{
    char label[40];
    size_t len = 0;
    for (const char *c = tacit_text_kind_name(kind); *c && len < sizeof label; c++)
        label[len++] = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    engine_text_put(out, label, len);
}

static void put_likelihood(engine_text *out, int percent)
{
    char text[4] = {(char)('0' + percent / 100), '.', (char)('0' + percent / 10 % 10),
                    (char)('0' + percent % 10)};
    engine_text_put(out, text, sizeof text);
}

/* ---- lines of spans ---- */

static void spans_begin(engine_text *out, const engine_scrub *scrub, const engine_scrub_hand *hand)
{
    put_string(out, "{");
    if (scrub->form != ENGINE_FORM_PLAIN && scrub->files.count > 1) {
        put_string(out, "\"file\":");
        engine_text_json(out, tacit_strview_of(hand->file->path));
        put_string(out, ",");
    }
    put_string(out, "\"id\":");
    engine_text_view(out, hand->piece.id);
    if (hand->piece.column.len > 0) {
        put_string(out, ",\"column\":");
        engine_text_json(out, hand->piece.column);
    }
    put_string(out, ",\"spans\":[");
}

static tacit_strview replacement_of(const tacit_scrubbed *scrubbed, size_t i)
{
    const struct tacit_text_replaced *replaced = &scrubbed->replaced[i];
    return (tacit_strview){scrubbed->text.bytes + replaced->start,
                           (size_t)(replaced->end - replaced->start)};
}

static void put_words(engine_text *out, const engine_scrub_piece *piece, size_t i)
{
    const tacit_text_span *span = &piece->scrubbed->spans[i];
    put_string(out, ",\"text\":");
    engine_text_json(out, (tacit_strview){piece->text.bytes + (span->start - piece->offset),
                                          (size_t)(span->end - span->start)});
    put_string(out, ",\"replacement\":");
    engine_text_json(out, replacement_of(piece->scrubbed, i));
}

static void put_spans(engine_text *out, const engine_scrub_piece *piece, bool words, bool follows)
{
    for (size_t i = 0; i < piece->scrubbed->span_count; i++) {
        const tacit_text_span *span = &piece->scrubbed->spans[i];
        put_string(out, i || follows ? ",{\"start\":" : "{\"start\":");
        engine_text_number(out, span->start);
        put_string(out, ",\"end\":");
        engine_text_number(out, span->end);
        put_string(out, ",\"label\":\"");
        put_label(out, span->kind);
        put_string(out, "\",\"likelihood\":");
        put_likelihood(out, span->likelihood);
        if (words)
            put_words(out, piece, i);
        put_string(out, "}");
    }
}

/* ---- what is counted ---- */

static void count_spans(engine_scrub_hand *hand, const engine_scrub *scrub,
                        const tacit_scrubbed *scrubbed)
{
    for (size_t i = 0; i < scrubbed->span_count; i++) {
        tacit_text_kind kind = scrubbed->spans[i].kind;
        hand->totals.by_kind[kind]++;
        hand->touched |= scrub->options.strategy[kind] != TACIT_TEXT_KEEP;
    }
    hand->totals.spans += scrubbed->span_count;
}

/* Why the document is not read as it is meant, beside its spans. */
static void put_unread(engine_text *out, unsigned unread)
{
    put_string(out, unread ? "],\"unread\":[" : "]");
    for (int i = 0, some = 0; i < TACIT_UNREAD_REASONS; i++)
        if (unread >> i & 1) {
            put_string(out, some++ ? ",\"" : "\"");
            put_string(out, tacit_text_unread_name((tacit_text_unread)i));
            put_string(out, "\"");
        }
    put_string(out, unread ? "]}\n" : "}\n");
}

/* ---- documents ---- */

void engine_scrub_document_begin(engine_scrub_hand *hand, const engine_scrub *scrub,
                                 uint64_t number, tacit_strview id, tacit_strview column)
{
    hand->piece = (engine_scrub_piece){.id = id,
                                       .column = column,
                                       .number = number,
                                       .first = true,
                                       .how = scrub->how,
                                       .strategy = scrub->options.strategy};
    hand->touched = false;
    hand->unread = 0;
    hand->span_count = 0;
    (hand->beside ? tacit_scrub_begin_beside : tacit_scrub_begin)(hand->reader, number);
    if (hand->subject.len > 0)
        tacit_scrub_subject(hand->reader, (tacit_strview){hand->subject.bytes, hand->subject.len});
    if (scrub->spans.path)
        spans_begin(&hand->spans, scrub, hand);
}

/* Adds what is told of the piece. */
static tacit_status tell(engine_scrub_hand *hand, const engine_scrub *scrub, tacit_error *err)
{
    const engine_scrub_piece *piece = &hand->piece;
    if (scrub->spans.path)
        put_spans(&hand->spans, piece, scrub->how & ENGINE_SCRUB_WORDS, hand->span_count > 0);
    if (scrub->explain.path)
        engine_scrub_explain(&hand->explained, piece);
    return hand->gathering ? engine_scrub_gather(hand->gathering, piece, err) : TACIT_OK;
}

void engine_scrub_refused(tacit_error *err)
{
    size_t len = strlen(err->message);
    snprintf(err->message + len, sizeof err->message - len,
             "; make it plain text in English, or scrub it all the same with --accept-unread");
}

tacit_status engine_scrub_document_piece(tacit_scrubbed *out, size_t *consumed,
                                         engine_scrub_hand *hand, const engine_scrub *scrub,
                                         tacit_strview text, bool last, tacit_error *err)
{
    engine_scrub_piece *piece = &hand->piece;
    tacit_status status = tacit_scrub_piece(out, consumed, hand->reader, text, last, err);
    if (status == TACIT_PARSE) {
        engine_scrub_refused(err);
        if (scrub->form == ENGINE_FORM_PLAIN) /* others know the line */
            engine_scrub_place(err, hand, 0);
    }
    if (status != TACIT_OK)
        return status;
    piece->text = (tacit_strview){text.bytes, *consumed};
    piece->scrubbed = out;
    piece->last = last && *consumed == text.len;
    hand->unread |= out->unread;
    hand->totals.by_format[out->format] += piece->first;
    count_spans(hand, scrub, out);
    hand->totals.bytes += *consumed;
    hand->totals.bytes_out += out->text.len;
    status = tell(hand, scrub, err);
    hand->span_count += out->span_count;
    piece->offset += *consumed;
    piece->first = false;
    return status;
}

void engine_scrub_document_end(engine_scrub_hand *hand, const engine_scrub *scrub)
{
    if (scrub->spans.path)
        put_unread(&hand->spans, hand->unread);
    hand->totals.documents++;
    hand->totals.touched += hand->touched;
    for (int i = 0; i < TACIT_UNREAD_REASONS; i++)
        hand->totals.unread[i] += hand->unread >> i & 1;
}

tacit_status engine_scrub_text(engine_splice *splice, engine_scrub *scrub, engine_scrub_hand *hand,
                               tacit_strview text, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (text.len > 0 && status == TACIT_OK) {
        tacit_scrubbed scrubbed;
        size_t consumed = 0;
        status = engine_scrub_document_piece(&scrubbed, &consumed, hand, scrub, text, true, err);
        if (status != TACIT_OK)
            break;
        for (size_t i = 0; i < scrubbed.span_count; i++)
            engine_splice_put(splice, scrubbed.spans[i].start, scrubbed.spans[i].end,
                              replacement_of(&scrubbed, i));

        text = (tacit_strview){text.bytes + consumed, text.len - consumed};
    }
    engine_splice_end(splice);
    return status;
}

static tacit_status write_side(const engine_scrub_side *side, engine_text *text, tacit_error *err)
{
    tacit_status status = engine_text_check(text, err);
    if (status == TACIT_OK && side->output)
        status = engine_write_all(tacit_output_fd(side->output), side->path, text->bytes, text->len,
                                  err);
    text->len = 0;
    return status;
}

tacit_status engine_scrub_sides_write(engine_scrub *scrub, engine_scrub_hand *hand,
                                      tacit_error *err)
{
    tacit_status status = engine_text_check(&hand->id, err);
    if (status == TACIT_OK)
        status = write_side(&scrub->spans, &hand->spans, err);
    return status == TACIT_OK ? write_side(&scrub->explain, &hand->explained, err) : status;
}
