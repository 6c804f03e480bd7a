/*
 * lessons.c - what templates and words learn from a collection.
 *
 * A template's likelihood is the share of its matches that are personal, or are not where its kind
 * is kept, drawn towards the likelihood that it had before as if that had been seen in some matches
 * already.
 *
 * A match counts only where no stronger template lies over it. "May" alone is a month in "May 3,
 * 1994", but there the longer template decides; how likely it is where it decides itself is what
 * its likelihood must say. Who is stronger changes with what is learned, so it is done again until
 * nothing changes; what counted once counts from then on, lest two templates that are both wrong
 * at the same place acquit each other in turn. Cost: one scan of the text, then a step a byte of
 * every match and round.
 *
 * For words the teacher (text/chain/learn.h) starts with the weights that there are and is drawn
 * towards them, so that a small collection changes what it has evidence for and leaves the rest.
 * Labels that words do not have, such as DATE or ID, say nothing of words: what is marked so
 * keeps the label that the first weights give it. Cost: reading the text twice, then the
 * teacher's rounds, in one thread.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "text/chain/learn.h"
#include "text/learn/learn.h"
#include "text/read/document.h"
#include "text/scrub/arbiter.h"

/* ---- templates ---- */

enum { ROUNDS = 10 };

typedef struct sighting {
    uint32_t start, end; /* bytes of the piece */
    uint32_t template;
    bool personal;
    bool counts; /* it decided in one of the rounds */
} sighting;

typedef struct sighted_piece {
    size_t first; /* of its sightings */
    uint8_t part;
} sighted_piece;

/* A template's text, by which proposals name it. */
typedef struct template_name {
    const char *text;
    uint32_t number;
} template_name;

struct tacit__sightings {
    const tacit__templates *templates;
    size_t template_count;
    template_name *names; /* by address */
    uint64_t *matches;    /* of each template, in all parts */
    sighting *items;
    size_t count, capacity;
    sighted_piece *pieces;
    size_t piece_count, piece_capacity;
    bool *marked;        /* of each byte of a document */
    uint16_t *strongest; /* of each byte of a piece */
};

void tacit__sightings_free(tacit__sightings *sightings)
{
    if (!sightings)
        return;
    tacit__free(sightings->names);
    tacit__free(sightings->matches);
    tacit__free(sightings->items);
    tacit__free(sightings->pieces);
    tacit__free(sightings->marked);
    tacit__free(sightings->strongest);
    tacit__free(sightings);
}

static int by_address(const void *a, const void *b)
{
    uintptr_t one = (uintptr_t)((const template_name *)a)->text;
    uintptr_t other = (uintptr_t)((const template_name *)b)->text;
    return (one > other) - (one < other);
}

static tacit_status make_room(tacit__sightings *s, size_t longest, tacit_error *err)
{
    size_t count = s->template_count;
    s->names = tacit__alloc_array(count + 1, sizeof *s->names);
    s->matches = tacit__alloc_zeroed(count + 1, sizeof *s->matches);
    s->marked = tacit__alloc_array(longest + 1, sizeof *s->marked);
    s->strongest = tacit__alloc_zeroed(TACIT_SCRUB_PIECE, sizeof *s->strongest);
    if (!s->names || !s->matches || !s->marked || !s->strongest)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        s->names[i] = (template_name){tacit__templates_text(s->templates, i), (uint32_t)i};
    qsort(s->names, count, sizeof *s->names, by_address);
    return TACIT_OK;
}

static bool is_alphanumeric(unsigned char byte)
{
    return byte >= 0x80 || tacit__is_alphanumeric(byte);
}

/* At least half of its letters and digits are marked. */
static bool is_personal(const bool *marked, tacit_strview text)
{
    size_t all = 0, of_these = 0;
    for (size_t i = 0; i < text.len; i++)
        if (is_alphanumeric((unsigned char)text.bytes[i])) {
            all++;
            of_these += marked[i];
        }
    return of_these > 0 && 2 * of_these >= all;
}

/* Of a piece that starts at the offset of its document. */
static tacit_status add_sightings(tacit__sightings *s, const tacit__proposals *proposals,
                                  tacit_strview piece, size_t offset, uint8_t part,
                                  tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(s->pieces, s->piece_capacity, s->piece_count) ||
        !TACIT__RESERVE(s->items, s->capacity, s->count + proposals->count + 1))
        return tacit__nomem(err);
    s->pieces[s->piece_count++] = (sighted_piece){.first = s->count, .part = part};
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *proposal = &proposals->items[i];
        template_name key = {.text = proposal->rule};
        const template_name *name =
            bsearch(&key, s->names, s->template_count, sizeof key, by_address);
        tacit_strview text = {piece.bytes + proposal->start, proposal->end - proposal->start};
        s->matches[name->number]++;
        if (part & TACIT__PARTS_LEARNING)
            s->items[s->count++] =
                (sighting){.start = proposal->start,
                           .end = proposal->end,
                           .template = name->number,
                           .personal = is_personal(s->marked + offset + proposal->start, text)};
    }
    return TACIT_OK;
}

static void mark_bytes(bool *marked, const tacit_text_marked *document)
{
    memset(marked, 0, document->text.len);
    for (size_t i = 0; i < document->mark_count; i++) {
        const tacit_text_mark *mark = &document->marks[i];
        memset(marked + mark->start, true, mark->end - mark->start);
    }
}

static tacit_status look_at(tacit__sightings *s, const tacit__collected *item,
                            tacit__matcher *matcher, tacit__proposals *proposals, tacit_error *err)
{
    tacit_strview text = item->document->text;
    tacit_status status = TACIT_OK;
    mark_bytes(s->marked, item->document);
    for (size_t at = 0; at < text.len && status == TACIT_OK;) {
        tacit_strview piece = {text.bytes + at, text.len - at};
        piece.len = tacit__piece_end(piece, TACIT_SCRUB_PIECE, true);
        proposals->count = 0;
        status = tacit__templates_propose(proposals, matcher, piece, err);
        if (status == TACIT_OK)
            status = add_sightings(s, proposals, piece, at, item->part, err);
        at += piece.len;
    }
    return status;
}

static tacit_status look(tacit__sightings *s, const tacit__collection *collection,
                         const tacit_run *run, tacit_error *err)
{
    tacit__proposals proposals = {0};
    tacit__matcher *matcher = NULL;
    tacit_status status = tacit__matcher_new(&matcher, s->templates, err);
    for (size_t i = 0; i < collection->count && status == TACIT_OK; i++) {
        status = look_at(s, &collection->items[i], matcher, &proposals, err);
        if (status == TACIT_OK)
            status =
                tacit__progress(run, "templates", (int64_t)i + 1, (int64_t)collection->count, err);
    }
    tacit__matcher_free(matcher);
    tacit__proposals_clear(&proposals);
    return status;
}

tacit_status tacit__sightings_new(tacit__sightings **out, const tacit__collection *collection,
                                  const tacit__templates *templates, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__sightings *new = tacit__alloc_zeroed(1, sizeof *new);
    if (!new)
        return tacit__nomem(err);
    new->templates = templates;
    new->template_count = tacit__templates_count(templates);
    tacit_status status = make_room(new, collection->longest, err);
    if (status == TACIT_OK)
        status = look(new, collection, run, err);
    if (status != TACIT_OK) {
        tacit__sightings_free(new);
        return status;
    }
    *out = new;
    return TACIT_OK;
}

/* As the arbiter ranks them. */
static uint16_t strength_of(const tacit__sightings *s, const int *likelihoods, const sighting *item)
{
    tacit_text_kind kind = tacit__templates_kind(s->templates, item->template);
    return (uint16_t)(tacit__precedence(kind) << 8 | likelihoods[item->template]);
}

static void count_piece(tacit__sighted *sighted, const tacit__sightings *s, const int *likelihoods,
                        size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        uint16_t strength = strength_of(s, likelihoods, &s->items[i]);
        for (uint32_t at = s->items[i].start; at < s->items[i].end; at++)
            if (s->strongest[at] < strength)
                s->strongest[at] = strength;
    }
    for (size_t i = first; i < end; i++) {
        sighting *item = &s->items[i];
        uint16_t strength = strength_of(s, likelihoods, item);
        bool kept = tacit__templates_kind(s->templates, item->template) >= TACIT_TEXT_KEPT;
        bool decides = true;
        for (uint32_t at = item->start; at < item->end && decides; at++)
            decides = s->strongest[at] <= strength;
        item->counts |= decides;
        sighted[item->template].decided += item->counts;
        sighted[item->template].right += item->counts && item->personal != kept;
    }
    for (size_t i = first; i < end; i++)
        memset(s->strongest + s->items[i].start, 0,
               (s->items[i].end - s->items[i].start) * sizeof *s->strongest);
}

static void count_all(tacit__sighted *sighted, const tacit__sightings *s, const int *likelihoods,
                      unsigned parts)
{
    for (size_t i = 0; i < s->template_count; i++)
        sighted[i] = (tacit__sighted){.matches = s->matches[i]};
    for (size_t i = 0; i < s->piece_count; i++) {
        size_t end = i + 1 < s->piece_count ? s->pieces[i + 1].first : s->count;
        if (s->pieces[i].part & parts)
            count_piece(sighted, s, likelihoods, s->pieces[i].first, end);
    }
}

static int shrunk(int first, const tacit__sighted *sighted, double prior)
{
    double weight = prior + (double)sighted->decided;
    if (weight <= 0)
        return first;
    return (int)((prior * first + 100 * (double)sighted->right) / weight + 0.5);
}

void tacit__sightings_learn(int *likelihoods, tacit__sighted *sighted, const int *first,
                            tacit__sightings *s, unsigned parts, double prior)
{
    bool changed = true;
    memcpy(likelihoods, first, s->template_count * sizeof *likelihoods);
    for (size_t i = 0; i < s->count; i++)
        s->items[i].counts = false;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        count_all(sighted, s, likelihoods, parts);
        for (size_t i = 0; i < s->template_count; i++) {
            int likelihood = shrunk(first[i], &sighted[i], prior);
            changed |= likelihood != likelihoods[i];
            likelihoods[i] = likelihood;
        }
    }
}

/* ---- words ---- */

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

static void clear_lesson(lesson *l)
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
    clear_lesson(&l);
    return status;
}
