/*
 * collection.c - marked documents, checked and cut into parts by the hashes of their
 * texts: the order in which they are given says nothing, and a text that is there twice is not
 * learned from and measured on. Cost: sorting the documents.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vector.h"
#include "text/learn/learn.h"

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
