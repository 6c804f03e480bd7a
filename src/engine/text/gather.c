/*
 * gather.c - gathers what the page and the report of `tacit scrub` show of documents:
 * the first of them with what was replaced, what documents are called, how likely spans were,
 * and the facts that are left. Bounded: so many documents, so many bytes of each.
 *
 * What is kept depends on a document's number alone, so that it is the same whichever thread
 * had the document and in whatever order the gatherings are merged.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"
#include "engine/text/scrub.h"

tacit_status engine_scrub_gathering_new(engine_scrub_gathering **out, tacit_error *err)
{
    engine_scrub_gathering *gathering = tacit__alloc_zeroed(1, sizeof *gathering);
    if (!gathering)
        return tacit__nomem(err);
    tacit_status status = tacit_rare_new(&gathering->rare, 0, err);
    if (status == TACIT_OK)
        *out = gathering;
    else
        tacit__free(gathering);
    return status;
}

static void shown_clear(engine_shown *shown)
{
    engine_text_clear(&shown->bytes);
    tacit__free(shown->parts);
}

void engine_scrub_gathering_free(engine_scrub_gathering *gathering)
{
    if (!gathering)
        return;
    for (size_t i = 0; i < gathering->shown_count; i++)
        shown_clear(&gathering->shown[i]);
    tacit_rare_free(gathering->rare);
    engine_text_clear(&gathering->names);
    tacit__free(gathering->shown);
    tacit__free(gathering->ids);
    tacit__free(gathering);
}

/* ---- a document that is shown ---- */

/* So much of the text that no character is cut. */
static size_t whole_characters(tacit_strview text, size_t max)
{
    size_t len = text.len < max ? text.len : max;
    for (int back = 0; back < 3 && len < text.len && len > 0; back++, len--)
        if (((unsigned char)text.bytes[len] & 0xC0) != 0x80)
            break;
    return len;
}

static uint32_t put(engine_text *bytes, tacit_strview text)
{
    uint32_t start = (uint32_t)bytes->len;
    engine_text_view(bytes, text);
    return start;
}

static tacit_status add_part(engine_shown *shown, tacit_strview text, tacit_strview before,
                             const tacit_text_span *span, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(shown->parts, shown->capacity, shown->count))
        return tacit__nomem(err);
    shown->parts[shown->count++] = (engine_shown_part){
        .text = put(&shown->bytes, text),
        .text_len = (uint32_t)text.len,
        .before = put(&shown->bytes, before),
        .before_len = (uint32_t)before.len,
        .kind = (uint8_t)(span ? span->kind : TACIT_TEXT_NONE),
        .likelihood = (uint8_t)(span ? span->likelihood : 0),
    };
    return engine_text_check(&shown->bytes, err);
}

/* As much as there is room for; the rest is counted. */
static tacit_status add_stretch(engine_shown *shown, tacit_strview text, tacit_strview before,
                                const tacit_text_span *span, tacit_error *err)
{
    size_t left = ENGINE_SHOWN_BYTES > shown->bytes.len ? ENGINE_SHOWN_BYTES - shown->bytes.len : 0;
    bool full = shown->left_out > 0 || (span && text.len + before.len > left);
    size_t len = full ? 0 : span ? text.len : whole_characters(text, left);
    shown->left_out += text.len - len;
    if (len == 0 && (full || !span))
        return TACIT_OK;
    text.len = len;
    return add_part(shown, text, before, span, err);
}

static tacit_strview between(tacit_strview text, uint64_t start, uint64_t end)
{
    return (tacit_strview){.bytes = text.bytes + start, .len = (size_t)(end - start)};
}

static tacit_status add_stretches(engine_shown *shown, const engine_scrub_piece *piece,
                                  tacit_error *err)
{
    const tacit_scrubbed *scrubbed = piece->scrubbed;
    tacit_status status = TACIT_OK;
    uint64_t at = 0;
    for (size_t i = 0; i < scrubbed->span_count && status == TACIT_OK; i++) {
        const tacit_text_span *span = &scrubbed->spans[i];
        const struct tacit_text_replaced *now = &scrubbed->replaced[i];
        status = add_stretch(shown, between(scrubbed->text, at, now->start), (tacit_strview){0},
                             NULL, err);
        if (status == TACIT_OK)
            status = add_stretch(
                shown, between(scrubbed->text, now->start, now->end),
                between(piece->text, span->start - piece->offset, span->end - piece->offset), span,
                err);
        at = now->end;
    }
    shown->spans += scrubbed->span_count;
    if (status == TACIT_OK)
        status = add_stretch(shown, between(scrubbed->text, at, scrubbed->text.len),
                             (tacit_strview){0}, NULL, err);
    return status;
}

/* The pieces of a document follow each other. */
static tacit_status show_piece(engine_scrub_gathering *gathering, const engine_scrub_piece *piece,
                               tacit_error *err)
{
    if (piece->first &&
        !TACIT__PUSH(gathering->shown, gathering->shown_capacity, gathering->shown_count,
                     (engine_shown){.number = piece->number}))
        return tacit__nomem(err);
    return add_stretches(&gathering->shown[gathering->shown_count - 1], piece, err);
}

/* ---- names ---- */

static tacit_status add_name(engine_scrub_gathering *gathering, uint64_t number, tacit_strview name,
                             tacit_error *err)
{
    engine_shown_name id = {.number = number, .start = gathering->names.len, .len = name.len};
    if (!TACIT__PUSH(gathering->ids, gathering->id_capacity, gathering->id_count, id))
        return tacit__nomem(err);
    engine_text_view(&gathering->names, name);
    return engine_text_check(&gathering->names, err);
}

/* Of the id, which is JSON: the text within its quotes. */
static tacit_strview plain_id(tacit_strview id)
{
    if (id.len < 2 || id.bytes[0] != '"')
        return id;
    return (tacit_strview){.bytes = id.bytes + 1, .len = id.len - 2};
}

static tacit_status name_document(engine_scrub_gathering *gathering,
                                  const engine_scrub_piece *piece, tacit_error *err)
{
    enum { LONGEST = 120 };
    tacit_strview id = plain_id(piece->id);
    id.len = whole_characters(id, LONGEST);
    if (piece->column.len == 0)
        return add_name(gathering, piece->number, id, err);
    engine_text text = {0};
    engine_text_print(&text, "row %.*s, ", (int)id.len, id.bytes);
    engine_text_view(&text, between(piece->column, 0, whole_characters(piece->column, LONGEST)));
    tacit_status status = engine_text_check(&text, err);
    if (status == TACIT_OK)
        status = add_name(gathering, piece->number, (tacit_strview){text.bytes, text.len}, err);
    engine_text_clear(&text);
    return status;
}

const char *engine_shown_name_of(char *buffer, size_t size, const engine_scrub_gathering *gathering,
                                 uint64_t number)
{
    for (size_t i = 0; i < gathering->id_count; i++) {
        const engine_shown_name *id = &gathering->ids[i];
        if (id->number == number && id->len > 0) {
            snprintf(buffer, size, "%.*s", (int)id->len, gathering->names.bytes + id->start);
            return buffer;
        }
    }
    snprintf(buffer, size, "document %llu", (unsigned long long)number + 1);
    return buffer;
}

/* ---- all of it ---- */

tacit_status engine_scrub_gather(engine_scrub_gathering *gathering, const engine_scrub_piece *piece,
                                 tacit_error *err)
{
    tacit_status status = tacit_rare_add(gathering->rare, piece->number, piece->scrubbed, err);
    for (size_t i = 0; i < piece->scrubbed->span_count; i++)
        gathering->likelihoods[piece->scrubbed->spans[i].likelihood / 10]++;
    if (status == TACIT_OK && piece->first && piece->number < ENGINE_SHOWN_NAMES)
        status = name_document(gathering, piece, err);
    if (status == TACIT_OK && piece->number < ENGINE_SHOWN_DOCUMENTS)
        status = show_piece(gathering, piece, err);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const engine_shown *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

static tacit_status merge_shown(engine_scrub_gathering *into, engine_scrub_gathering *from,
                                tacit_error *err)
{
    for (; from->shown_count > 0; from->shown_count--)
        if (!TACIT__PUSH(into->shown, into->shown_capacity, into->shown_count,
                         from->shown[from->shown_count - 1]))
            return tacit__nomem(err);
    if (into->shown_count > 0)
        qsort(into->shown, into->shown_count, sizeof *into->shown, by_number);
    return TACIT_OK;
}

tacit_status engine_scrub_gathering_merge(engine_scrub_gathering *into,
                                          engine_scrub_gathering *from, tacit_error *err)
{
    tacit_status status = tacit_rare_merge(into->rare, from->rare, err);
    for (int i = 0; i < ENGINE_LIKELIHOODS; i++)
        into->likelihoods[i] += from->likelihoods[i];
    for (size_t i = 0; i < from->id_count && status == TACIT_OK; i++)
        status = add_name(into, from->ids[i].number,
                          between((tacit_strview){from->names.bytes, from->names.len},
                                  from->ids[i].start, from->ids[i].start + from->ids[i].len),
                          err);
    return status == TACIT_OK ? merge_shown(into, from, err) : status;
}
