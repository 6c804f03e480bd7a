/*
 * words.c - the weights of words, continued on a collection. The teacher (text/chain/learn.h)
 * starts with the weights that there are and is drawn towards them, so that a small collection
 * changes what it has evidence for and leaves the rest.
 *
 * Labels that words do not have, such as DATE or ID, say nothing of words: what is marked so
 * keeps the label that the first weights give it. Cost: reading the text twice, then the
 * teacher's rounds, in one thread.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "text/chain/learn.h"
#include "text/learn/learn.h"
#include "text/read/document.h"

typedef struct lesson {
    const tacit__collection *collection;
    const tacit__chain *first;
    tacit__teacher *teacher;
    tacit__document document;
    tacit__opinion *opinions;
    size_t opinion_capacity;
    uint8_t *labels;
    size_t label_capacity;
    tacit__chain_scratch scratch;
} lesson;

static void clear(lesson *l)
{
    tacit__teacher_free(l->teacher);
    tacit__document_clear(&l->document);
    tacit__chain_scratch_clear(&l->scratch);
    tacit__free(l->opinions);
    tacit__free(l->labels);
}

static uint8_t likeliest(const tacit__opinion *opinion)
{
    uint8_t best = TACIT__LABEL_OTHER;
    for (uint8_t label = 1; label < TACIT__LABELS; label++)
        if (opinion->of[label] > opinion->of[best])
            best = label;
    return best;
}

/* A mark's words within the piece that starts at the offset. */
static void label_mark(lesson *l, const tacit_text_mark *mark, size_t offset)
{
    const tacit__document *document = &l->document;
    size_t which = tacit__collection_label(l->collection, mark->label);
    int word = l->collection->labels[which].word;
    if (mark->end <= offset || mark->start >= offset + document->text.len)
        return;
    uint32_t start = mark->start > offset ? (uint32_t)(mark->start - offset) : 0;
    size_t i = tacit__document_at(document, start);
    if (i > 0 && document->words[i - 1].end > start)
        i--;
    for (; i < document->count && document->words[i].start + offset < mark->end; i++)
        l->labels[i] = word < TACIT__LABELS ? (uint8_t)word : likeliest(&l->opinions[i]);
}

static tacit_status add_piece(lesson *l, const tacit_text_marked *document, size_t offset,
                              tacit_error *err)
{
    size_t count = l->document.count;
    if (!TACIT__RESERVE_ONE(l->opinions, l->opinion_capacity, count) ||
        !TACIT__RESERVE_ONE(l->labels, l->label_capacity, count))
        return tacit__nomem(err);
    tacit_status status = tacit__chain_judge(l->opinions, l->first, &l->document, &l->scratch, err);
    if (status != TACIT_OK)
        return status;
    memset(l->labels, TACIT__LABEL_OTHER, count);
    for (size_t i = 0; i < document->mark_count; i++)
        label_mark(l, &document->marks[i], offset);
    return tacit__teacher_add(l->teacher, &l->document, l->labels, err);
}

/* Counts the words of a document, or learns from them. */
static tacit_status read_one(lesson *l, const tacit_text_marked *document, bool count,
                             tacit_error *err)
{
    tacit_strview text = document->text;
    tacit_status status = TACIT_OK;
    for (size_t at = 0; at < text.len && status == TACIT_OK;) {
        tacit_strview piece = {text.bytes + at, text.len - at};
        piece.len = tacit__piece_end(piece, TACIT_SCRUB_PIECE, true);
        status = tacit__document_read(&l->document, piece, err);
        if (status == TACIT_OK)
            status = count ? tacit__teacher_count(l->teacher, &l->document, err)
                           : add_piece(l, document, at, err);
        at += piece.len;
    }
    return status;
}

static tacit_status read_all(lesson *l, unsigned parts, bool count, const tacit_run *run,
                             tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < l->collection->count && status == TACIT_OK; i++) {
        if (l->collection->items[i].part & parts)
            status = read_one(l, l->collection->items[i].document, count, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "words", (int64_t)i, (int64_t)l->collection->count, err);
    }
    return status;
}

tacit_status tacit__words_learn(tacit__strbuf *out, const tacit__collection *collection,
                                unsigned parts, const tacit__chain *first, const tacit_run *run,
                                tacit_error *err)
{
    lesson l = {.collection = collection, .first = first};
    tacit__chain_options options;
    tacit__lessons lessons;
    tacit__chain_options_init(&options);
    tacit_status status = tacit__teacher_new(&l.teacher, first, &options, err);
    if (status == TACIT_OK)
        status = read_all(&l, parts, true, run, err);
    if (status == TACIT_OK)
        status = tacit__teacher_settle(l.teacher, err);
    if (status == TACIT_OK)
        status = read_all(&l, parts, false, run, err);
    if (status == TACIT_OK)
        status = tacit__teacher_learn(&lessons, l.teacher, err);
    if (status == TACIT_OK)
        status = tacit__teacher_write(out, l.teacher, err);
    clear(&l);
    return status;
}
