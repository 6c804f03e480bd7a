/*
 * collection.c - marked documents, checked and cut into parts by the hashes of their
 * texts: the order in which they are given says nothing, and a text that is there twice is not
 * learned from and measured on. Cost: sorting the documents.
 *
 * How well documents are scrubbed is measured by tokens: runs of letters, digits and underscores.
 * A token that a mark touches is personal, one that a span touches is found;
 * whether the span says the right kind does not matter, for what is replaced is gone.
 *
 * Every thread paints marks and spans into bytes of its own and counts; sums of counts do not
 * depend on who had which document. Cost: that of scrubbing, and a few steps a byte.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "text/learn/learn.h"
#include "text/read/signs.h"

int tacit__word_label_of(tacit_strview name)
{
    static const struct {
        const char *name;
        tacit__label label;
    } names[] = {
        {"PERSON", TACIT__LABEL_PERSON},
        {"PER", TACIT__LABEL_PERSON},
        {"NAME", TACIT__LABEL_PERSON},
        {"NICKNAME", TACIT__LABEL_PERSON},
        {"PATIENT", TACIT__LABEL_PERSON},
        {"DOCTOR", TACIT__LABEL_PERSON},
        {"CITY", TACIT__LABEL_PLACE},
        {"STATE", TACIT__LABEL_PLACE},
        {"ZIP", TACIT__LABEL_PLACE},
        {"COUNTRY", TACIT__LABEL_PLACE},
        {"LOCATION", TACIT__LABEL_PLACE},
        {"LOC", TACIT__LABEL_PLACE},
        {"PLACE", TACIT__LABEL_PLACE},
        {"GPE", TACIT__LABEL_PLACE},
        {"STREET", TACIT__LABEL_STREET},
        {"ADDRESS", TACIT__LABEL_STREET},
        {"ORG", TACIT__LABEL_ORGANIZATION},
        {"ORGANIZATION", TACIT__LABEL_ORGANIZATION},
        {"COMPANY", TACIT__LABEL_ORGANIZATION},
        {"HOSPITAL", TACIT__LABEL_ORGANIZATION},
        {"GROUP", TACIT__LABEL_ORGANIZATION},
        {"CORPORATION", TACIT__LABEL_ORGANIZATION},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == name.len &&
            strncasecmp(names[i].name, name.bytes, name.len) == 0)
            return (int)names[i].label;
    switch (tacit_text_kind_of(name)) {
    case TACIT_TEXT_FULL_NAME:
    case TACIT_TEXT_FIRST_NAME:
    case TACIT_TEXT_MIDDLE_NAME:
    case TACIT_TEXT_LAST_NAME:
    case TACIT_TEXT_NICK_NAME:
    case TACIT_TEXT_INITIALS: return TACIT__LABEL_PERSON;
    default: return TACIT__LABELS;
    }
}

static int compare_names(tacit_strview a, tacit_strview b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.bytes, b.bytes, shorter) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* The first label that does not come before the name. */
size_t tacit__collection_label(const tacit__collection *collection, tacit_strview name)
{
    size_t low = 0, high = collection->label_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_names(collection->labels[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static tacit_status count_label(tacit__collection *out, tacit_strview name, tacit_error *err)
{
    size_t at = tacit__collection_label(out, name);
    if (at == out->label_count || !tacit_strview_equal(out->labels[at].name, name)) {
        if (out->label_count == TACIT_LEARN_LABELS)
            return tacit__error(err, TACIT_LIMIT,
                                "more than %d different labels; a label says what is marked, such "
                                "as NAME, and is not the marked text",
                                TACIT_LEARN_LABELS);
        if (!TACIT__RESERVE_ONE(out->labels, out->label_capacity, out->label_count))
            return tacit__nomem(err);
        memmove(out->labels + at + 1, out->labels + at,
                (out->label_count++ - at) * sizeof *out->labels);
        out->labels[at] =
            (tacit__collected_label){.name = name, .word = tacit__word_label_of(name)};
    }
    out->labels[at].marks++;
    return TACIT_OK;
}

static tacit_status add_marks(tacit__collection *out, const tacit_text_marked *document,
                              size_t number, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < document->mark_count && status == TACIT_OK; i++) {
        const tacit_text_mark *mark = &document->marks[i];
        if (mark->start > mark->end || mark->end > document->text.len)
            return tacit__error(err, TACIT_INVALID,
                                "document %zu, mark %zu: from %llu to %llu is not within the text, "
                                "which has %zu bytes",
                                number + 1, i + 1, (unsigned long long)mark->start,
                                (unsigned long long)mark->end, document->text.len);
        status = count_label(out, mark->label, err);
    }
    return status;
}

static int by_hash(const void *a, const void *b)
{
    const tacit__collected *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->document < other->document ? -1 : one->document > other->document;
}

/* So many documents from the first on, and those with the text of the last one. */
static size_t give(tacit__collection *out, size_t first, size_t wanted, tacit__learn_part part)
{
    size_t end = first + wanted;
    while (end > 0 && end < out->count && out->items[end].hash == out->items[end - 1].hash)
        end++;
    for (size_t i = first; i < end; i++)
        out->items[i].part = (uint8_t)part;
    return end;
}

static tacit_status cut(tacit__collection *out, tacit_error *err)
{
    qsort(out->items, out->count, sizeof *out->items, by_hash);
    size_t held_out = give(out, 0, (out->count + 2) / 4, TACIT__PART_HELD_OUT);
    size_t trial = give(out, held_out, (out->count - held_out + 2) / 4, TACIT__PART_TRIAL);
    if (trial == out->count)
        return tacit__error(err, TACIT_INVALID,
                            "nearly all documents have the same text; there is nothing to learn "
                            "from and to measure on");
    give(out, trial, out->count - trial, TACIT__PART_LESSONS);
    return TACIT_OK;
}

/* Without marks on both sides nothing can be learned, or measured. */
static tacit_status check_parts(const tacit__collection *collection, tacit_error *err)
{
    size_t marks[2] = {0};
    for (size_t i = 0; i < collection->count; i++) {
        const tacit__collected *item = &collection->items[i];
        marks[item->part == TACIT__PART_HELD_OUT] += item->document->mark_count;
    }
    if (marks[0] + marks[1] == 0)
        return tacit__error(err, TACIT_INVALID,
                            "nothing is marked in the documents: there is nothing to learn from");
    if (marks[0] == 0 || marks[1] == 0)
        return tacit__error(err, TACIT_INVALID,
                            "all marks are in the %s part of the documents; mark more of them",
                            marks[0] == 0 ? "held-out" : "learning");
    return TACIT_OK;
}

tacit_status tacit__collection_init(tacit__collection *out, const tacit_text_marked *documents,
                                    size_t count, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *out = (tacit__collection){0};
    if (count < TACIT_LEARN_FEWEST)
        return tacit__error(err, TACIT_INVALID,
                            "%zu documents are too few to learn from some and to measure on "
                            "others: mark at least %d, better 50",
                            count, TACIT_LEARN_FEWEST);
    out->items = tacit__alloc_array(count, sizeof *out->items);
    if (!out->items)
        return tacit__nomem(err);
    for (; out->count < count && status == TACIT_OK; out->count++) {
        const tacit_text_marked *document = &documents[out->count];
        out->items[out->count] =
            (tacit__collected){.hash = tacit__hash_bytes(document->text.bytes, document->text.len),
                               .document = document};
        if (document->text.len > out->longest)
            out->longest = document->text.len;
        status = add_marks(out, document, out->count, err);
    }
    if (status == TACIT_OK)
        status = cut(out, err);
    return status == TACIT_OK ? check_parts(out, err) : status;
}

size_t tacit__collection_count(const tacit__collection *collection, unsigned parts)
{
    size_t count = 0;
    for (size_t i = 0; i < collection->count; i++)
        count += (collection->items[i].part & parts) != 0;
    return count;
}

/* Which letters a name has; one of a single letter says nothing. */
typedef enum letters_seen { SEEN_CAPITALS = 1, SEEN_LOWER = 2 } letters_seen;

static unsigned letters_of(tacit_strview name)
{
    unsigned seen = 0;
    size_t letters = 0;
    for (size_t i = 0; i < name.len; i++) {
        bool capital = tacit__is_upper(name.bytes[i]);
        bool lower = tacit__is_lower(name.bytes[i]);
        seen |= (capital ? (unsigned)SEEN_CAPITALS : 0) | (lower ? (unsigned)SEEN_LOWER : 0);
        letters += capital || lower;
    }
    return letters > 1 ? seen : 0;
}

void tacit__collection_casing(tacit_learn_casing *out, const tacit__collection *collection)
{
    *out = (tacit_learn_casing){0};
    for (size_t i = 0; i < collection->count; i++) {
        const tacit_text_marked *document = collection->items[i].document;
        unsigned seen = 0;
        for (size_t j = 0; j < document->mark_count; j++) {
            const tacit_text_mark *mark = &document->marks[j];
            size_t label = tacit__collection_label(collection, mark->label);
            if (collection->labels[label].word == TACIT__LABEL_PERSON)
                seen |= letters_of(
                    (tacit_strview){document->text.bytes + mark->start, mark->end - mark->start});
        }
        out->documents += seen != 0;
        out->capitals += seen == SEEN_CAPITALS;
        out->lower += seen == SEEN_LOWER;
    }
}

void tacit__collection_clear(tacit__collection *collection)
{
    tacit__free(collection->items);
    tacit__free(collection->labels);
    *collection = (tacit__collection){0};
}

/* ---- measuring ---- */

double tacit_learn_recall(const tacit_learn_score *score)
{
    return score->personal > 0 ? (double)score->both / (double)score->personal : 1;
}

double tacit_learn_precision(const tacit_learn_score *score)
{
    return score->found > 0 ? (double)score->both / (double)score->found : 1;
}

/* Of a share that falls short of what it should be: how far it gets there. */
static double share_of_goal(double reached, double goal)
{
    return reached < goal ? reached / goal : 1;
}

double tacit_learn_value(const tacit_learn_score *score, double precision)
{
    const double alone = 0.9; /* of the documents with nothing personal in them */
    double left = score->clean > 0 ? 1 - (double)score->touched / (double)score->clean : 1;
    return tacit_learn_recall(score) * share_of_goal(tacit_learn_precision(score), precision) *
           share_of_goal(left, alone);
}

bool tacit_learn_better(const tacit_learn_score *a, const tacit_learn_score *b, double precision)
{
    double first = tacit_learn_value(a, precision), second = tacit_learn_value(b, precision);
    return first != second ? first > second : tacit_learn_precision(a) > tacit_learn_precision(b);
}

/* One thread's memory. */
typedef struct measurer {
    tacit_scrub_reader *reader;
    uint16_t *marked; /* of each byte: the label of its first mark, + 1, or 0 */
    bool *found;
    tacit__learn_measured counts;
} measurer;

typedef struct measuring {
    const tacit__collection *collection;
    const tacit_scrubber *scrubber;
    unsigned parts;
    measurer *measurers;
} measuring;

static tacit_status equip(measurer *m, const measuring *all, tacit_error *err)
{
    if (m->reader)
        return TACIT_OK;
    size_t room = all->collection->longest + 1;
    m->marked = tacit__alloc_array(room, sizeof *m->marked);
    m->found = tacit__alloc_array(room, sizeof *m->found);
    if (!m->marked || !m->found)
        return tacit__nomem(err);
    return tacit_scrub_reader_new(&m->reader, all->scrubber, err);
}

static void paint_marks(measurer *m, const tacit__collection *collection,
                        const tacit_text_marked *document)
{
    memset(m->marked, 0, document->text.len * sizeof *m->marked);
    for (size_t i = 0; i < document->mark_count; i++) {
        const tacit_text_mark *mark = &document->marks[i];
        uint16_t label = (uint16_t)(tacit__collection_label(collection, mark->label) + 1);
        for (uint64_t at = mark->start; at < mark->end; at++)
            if (m->marked[at] == 0)
                m->marked[at] = label;
    }
}

/* Scrubs the document piece by piece. */
static tacit_status paint_spans(measurer *m, tacit_strview text, bool *touched, tacit_error *err)
{
    memset(m->found, 0, text.len * sizeof *m->found);
    tacit_scrub_begin(m->reader, 0);
    *touched = false;
    while (text.len > 0) {
        tacit_scrubbed scrubbed;
        size_t consumed;
        tacit_status status = tacit_scrub_piece(&scrubbed, &consumed, m->reader, text, true, err);
        if (status != TACIT_OK)
            return status;
        for (size_t i = 0; i < scrubbed.span_count; i++) {
            const tacit_text_span *span = &scrubbed.spans[i];
            memset(m->found + span->start, true, span->end - span->start);
            *touched = true;
        }
        text = (tacit_strview){text.bytes + consumed, text.len - consumed};
    }
    return TACIT_OK;
}

/* Bytes of the letter, digit or underscore at the place; 0 where there is none. */
static size_t token_character(tacit_strview text, size_t at)
{
    unsigned char byte = (unsigned char)text.bytes[at];
    size_t len = 1;
    unsigned sign =
        byte < 0x80 ? tacit__sign_ascii(byte)
                    : tacit__sign_foreign((tacit_strview){text.bytes + at, text.len - at}, &len);
    return sign & TACIT__SIGN_WORD || byte == '_' ? len : 0;
}

static void count_token(measurer *m, size_t start, size_t end)
{
    uint16_t label = 0;
    bool found = false;
    for (size_t at = start; at < end; at++) {
        label = label != 0 ? label : m->marked[at];
        found |= m->found[at];
    }
    m->counts.score.tokens++;
    m->counts.score.found += found;
    if (label == 0)
        return;
    m->counts.score.personal++;
    m->counts.score.both += found;
    m->counts.personal[label - 1]++;
    m->counts.both[label - 1] += found;
}

static void count_tokens(measurer *m, tacit_strview text)
{
    size_t start = 0;
    for (size_t at = 0; at < text.len;) {
        size_t len = token_character(text, at);
        if (len > 0) {
            at += len;
            continue;
        }
        if (at > start)
            count_token(m, start, at);
        start = ++at;
    }
    if (text.len > start)
        count_token(m, start, text.len);
}

static tacit_status measure_one(void *context, int64_t task, int worker, tacit_error *err)
{
    measuring *all = context;
    measurer *m = &all->measurers[worker];
    const tacit__collected *item = &all->collection->items[task];
    const tacit_text_marked *document = item->document;
    bool touched;
    if (!(item->part & all->parts))
        return TACIT_OK;
    tacit_status status = equip(m, all, err);
    if (status == TACIT_OK)
        status = paint_spans(m, document->text, &touched, err);
    if (status != TACIT_OK)
        return status;
    paint_marks(m, all->collection, document);
    count_tokens(m, document->text);
    m->counts.score.clean += document->mark_count == 0;
    m->counts.score.touched += document->mark_count == 0 && touched;
    return TACIT_OK;
}

static void add_counts(tacit__learn_measured *sum, const tacit__learn_measured *counts)
{
    sum->score.tokens += counts->score.tokens;
    sum->score.personal += counts->score.personal;
    sum->score.found += counts->score.found;
    sum->score.both += counts->score.both;
    sum->score.clean += counts->score.clean;
    sum->score.touched += counts->score.touched;
    for (size_t i = 0; i < TACIT_LEARN_LABELS; i++) {
        sum->personal[i] += counts->personal[i];
        sum->both[i] += counts->both[i];
    }
}

tacit_status tacit__collection_measure(tacit__learn_measured *out,
                                       const tacit__collection *collection, unsigned parts,
                                       const tacit_scrubber *scrubber, const tacit_run *run,
                                       tacit_error *err)
{
    int threads = tacit__threads(run);
    measuring all = {.collection = collection, .scrubber = scrubber, .parts = parts};
    all.measurers = tacit__alloc_zeroed((size_t)threads, sizeof *all.measurers);
    if (!all.measurers)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(run, "measuring", (int64_t)collection->count, measure_one, &all, err);
    *out = status == TACIT_OK ? (tacit__learn_measured){0} : *out;
    for (int i = 0; i < threads; i++) {
        if (status == TACIT_OK)
            add_counts(out, &all.measurers[i].counts);
        tacit_scrub_reader_free(all.measurers[i].reader);
        tacit__free(all.measurers[i].marked);
        tacit__free(all.measurers[i].found);
    }
    tacit__free(all.measurers);
    return status;
}
