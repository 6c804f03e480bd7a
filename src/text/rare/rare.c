/*
 * rare.c - collects the facts of scrubbed text (section 9.5 of Sweeney's Computational
 * Disclosure Control). What was replaced is none of them, and parts what is before from what
 * is after; all else stands in the original as it stands in the scrubbed text, so the words that
 * were read for scrubbing serve here, too. Where they are not at hand the scrubbed text is read.
 * Facts are single words and pairs of neighbours.
 *
 * A fact's key has its words, kind and worth, so that the rank in the store follows from the
 * key alone. Cost: two probes of the store a word that counts, and reading where it is needed.
 */
#include "text/rare/rare.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { SMALL_WORDS = 2, PAIR_BITS = 2, CUT_BACK = 1024 };

tacit_status tacit_rare_new(tacit_rare **out, size_t facts, tacit_error *err)
{
    tacit_rare *rare = tacit__alloc_zeroed(1, sizeof *rare);
    if (!rare)
        return tacit__nomem(err);
    size_t keep = facts > 0 && facts < UINT32_MAX / 4 ? facts : TACIT_RARE_FACTS;
    tacit__rare_store_init(&rare->store, keep);
    tacit__rare_words_init(&rare->words);
    *out = rare;
    return TACIT_OK;
}

void tacit_rare_free(tacit_rare *rare)
{
    if (!rare)
        return;
    tacit__rare_store_clear(&rare->store);
    tacit__document_clear(&rare->own);
    tacit__free(rare);
}

/* ---- a fact ---- */

/* A word, or the two ends of a pair. */
typedef struct rare_candidate {
    const tacit__word *first, *last;
    uint8_t kind, bits;
} rare_candidate;

/* The key has kind and bits, which the rank has too. */
static uint64_t key_of(const rare_candidate *fact)
{
    uint64_t key = fact->first->key;
    if (fact->last != fact->first)
        key = tacit__mix(key) + fact->last->key;
    return tacit__mix(key ^ ((uint64_t)fact->kind << 8 | fact->bits));
}

static uint64_t rank_of(uint64_t key, const rare_candidate *fact)
{
    uint64_t worth = (uint64_t)tacit__rare_factor(fact->kind) * fact->bits;
    return worth << 56 | key >> 8;
}

/* The words as the document has them; false where they are too long for a fact. */
static bool write_words(tacit__rare_entry *entry, const tacit__document *document,
                        const rare_candidate *fact)
{
    tacit__folded folded;
    tacit_strview text = {.bytes = document->text.bytes + fact->first->start,
                          .len = fact->last->end - fact->first->start};
    if (!tacit__text_fold(&folded, text))
        return false;
    memcpy(entry->text, folded.bytes, folded.len);
    entry->text[folded.len] = '\0';
    return true;
}

static tacit_status add_new(tacit_rare *rare, uint64_t key, uint64_t rank,
                            const rare_candidate *fact, tacit_error *err)
{
    tacit__rare_entry entry = {
        .key = key,
        .rank = rank,
        .first = rare->current,
        .holders = 1,
        .last = rare->documents,
        .words = {(uint32_t)(fact->first->key >> 32), (uint32_t)(fact->last->key >> 32)},
        .kind = fact->kind,
        .bits = fact->bits};
    if (!write_words(&entry, rare->document, fact))
        return TACIT_OK;
    return tacit__rare_store_add(&rare->store, &entry, err);
}

static tacit_status add_fact(tacit_rare *rare, const rare_candidate *fact, tacit_error *err)
{
    uint64_t key = key_of(fact), rank = rank_of(key, fact);
    if (rank < rare->store.cut)
        return TACIT_OK;
    tacit__rare_entry *entry = tacit__rare_store_find(&rare->store, key);
    if (!entry)
        return add_new(rare, key, rank, fact, err);
    if (entry->last == rare->documents)
        return TACIT_OK;
    entry->last = rare->documents;
    entry->holders++;
    if (rare->current < entry->first && write_words(entry, rare->document, fact))
        entry->first = rare->current;
    return TACIT_OK;
}

/* ---- the words of a text ---- */

/* The last word that counted, which a pair may begin with. */
typedef struct rare_clause {
    const tacit__word *word; /* NULL: none in this clause */
    tacit__rare_worth worth;
    int small; /* words since then that do not count */
} rare_clause;

static bool makes_pair(tacit__rare_worth first, tacit__rare_worth last)
{
    bool number = last.class == TACIT__RARE_NUMBER || first.class == TACIT__RARE_NUMBER;
    return !number || first.class == TACIT__RARE_AGE;
}

static tacit_rare_kind pair_kind(const tacit__document *document, const rare_clause *clause,
                                 const tacit__word *word, tacit__rare_worth worth)
{
    tacit_rare_kind kind = clause->worth.kind > worth.kind ? clause->worth.kind : worth.kind;
    if (worth.class == TACIT__RARE_NUMBER) /* an age in words: something happened then */
        return TACIT_RARE_EVENT;
    if (clause->small > 0 || !tacit__lexicon_in(&clause->word->entry, TACIT__LIST_OPENS))
        return kind;
    tacit_rare_kind phrase =
        tacit__rare_phrase_kind((tacit_strview){.bytes = document->text.bytes + clause->word->start,
                                                .len = word->end - clause->word->start});
    return phrase > kind ? phrase : kind;
}

static tacit_status add_pair(tacit_rare *rare, const rare_clause *clause, const tacit__word *word,
                             tacit__rare_worth worth, tacit_error *err)
{
    if (!clause->word || !makes_pair(clause->worth, worth))
        return TACIT_OK;
    rare_candidate pair = {
        .first = clause->word,
        .last = word,
        .kind = (uint8_t)pair_kind(rare->document, clause, word, worth),
        .bits = (uint8_t)(clause->worth.bits + worth.bits + PAIR_BITS),
    };
    return add_fact(rare, &pair, err);
}

/* By itself a word is a fact unless it is among the most common ones. */
static bool tells_alone(tacit__rare_worth worth)
{
    return worth.class != TACIT__RARE_NUMBER && worth.class != TACIT__RARE_AGE &&
           (worth.bits > 1 || worth.kind == TACIT_RARE_EVENT);
}

static tacit_status add_word(tacit_rare *rare, rare_clause *clause, const tacit__word *word,
                             tacit_error *err)
{
    tacit__rare_worth worth = tacit__rare_worth_of(&rare->words, rare->document, word);
    if (worth.class == TACIT__RARE_STOP) {
        if (++clause->small > SMALL_WORDS)
            clause->word = NULL;
        return TACIT_OK;
    }
    rare_candidate fact = {.first = word, .last = word, .kind = worth.kind, .bits = worth.bits};
    tacit_status status = tells_alone(worth) ? add_fact(rare, &fact, err) : TACIT_OK;
    if (status == TACIT_OK)
        status = add_pair(rare, clause, word, worth, err);
    *clause = (rare_clause){.word = word, .worth = worth};
    return status;
}

/* Where something was replaced, one after the other: in the original or in what it became. */
typedef struct rare_holes {
    const tacit_scrubbed *piece;
    bool original;
    uint64_t offset; /* of what is read now, in what holes count from */
    size_t at;
} rare_holes;

static struct tacit_text_replaced hole(const rare_holes *holes)
{
    if (!holes->original)
        return holes->piece->replaced[holes->at];
    const tacit_text_span *span = &holes->piece->spans[holes->at];
    return (struct tacit_text_replaced){.start = span->start, .end = span->end};
}

/* Whether a hole is in the word; passes those that end before it. */
static bool in_hole(rare_holes *holes, const tacit__word *word)
{
    uint64_t start = holes->offset + word->start, end = holes->offset + word->end;
    while (holes->at < holes->piece->span_count && hole(holes).end <= start)
        holes->at++;
    return holes->at < holes->piece->span_count && hole(holes).start < end;
}

static tacit_status add_words(tacit_rare *rare, rare_holes *holes, tacit_error *err)
{
    const unsigned within = TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_HYPHEN;
    rare_clause clause = {0};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < rare->document->count && status == TACIT_OK; i++) {
        const tacit__word *word = &rare->document->words[i];
        size_t passed = holes->at;
        bool replaced = in_hole(holes, word);
        if (replaced || holes->at > passed || word->before & ~within ||
            word->shape == TACIT__SHAPE_DIGITS)
            clause.word = NULL;
        if (!replaced)
            status = add_word(rare, &clause, word, err);
    }
    return status;
}

/* No longer than what is read at once, and not ending within a word if it can be helped. */
static size_t chunk_of(tacit_strview text)
{
    size_t len = TACIT_SCRUB_PIECE;
    if (text.len <= len)
        return text.len;
    while (len > TACIT_SCRUB_PIECE - CUT_BACK && text.bytes[len] != ' ' && text.bytes[len] != '\n')
        len--;
    return len > TACIT_SCRUB_PIECE - CUT_BACK ? len : TACIT_SCRUB_PIECE;
}

/* The words that were read for scrubbing. Spans count from the document's start; up to the first
 * of them the piece and what it became are the same. */
static tacit_status add_original(tacit_rare *rare, const tacit_scrubbed *piece, tacit_error *err)
{
    rare_holes holes = {.piece = piece, .original = true};
    if (piece->span_count > 0)
        holes.offset = piece->spans[0].start - piece->replaced[0].start;
    rare->document = piece->words;
    return add_words(rare, &holes, err);
}

static tacit_status add_scrubbed(tacit_rare *rare, const tacit_scrubbed *piece, tacit_error *err)
{
    rare_holes holes = {.piece = piece};
    tacit_status status = TACIT_OK;
    rare->document = &rare->own;
    while (holes.offset < piece->text.len && status == TACIT_OK) {
        tacit_strview rest = {.bytes = piece->text.bytes + holes.offset,
                              .len = piece->text.len - (size_t)holes.offset};
        rest.len = chunk_of(rest);
        status = tacit__document_read(&rare->own, rest, err);
        if (status == TACIT_OK)
            status = add_words(rare, &holes, err);
        holes.offset += rest.len;
    }
    return status;
}

tacit_status tacit_rare_add(tacit_rare *rare, uint64_t document, const tacit_scrubbed *piece,
                            tacit_error *err)
{
    if (!rare->started || document != rare->current)
        rare->documents++;
    rare->started = true;
    rare->current = document;
    return piece->words ? add_original(rare, piece, err) : add_scrubbed(rare, piece, err);
}

/* ---- merging ---- */

static tacit_status merge_entry(tacit_rare *rare, const tacit__rare_entry *from, tacit_error *err)
{
    tacit__rare_entry *entry = tacit__rare_store_find(&rare->store, from->key);
    if (!entry) {
        tacit__rare_entry copy = *from;
        copy.last = 0;
        return tacit__rare_store_add(&rare->store, &copy, err);
    }
    entry->holders += from->holders;
    if (from->first < entry->first) {
        entry->first = from->first;
        memcpy(entry->text, from->text, sizeof entry->text);
    }
    return TACIT_OK;
}

tacit_status tacit_rare_merge(tacit_rare *rare, const tacit_rare *from, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    rare->documents += from->documents;
    tacit__rare_store_cut(&rare->store, from->store.cut);
    for (size_t i = 0; i < from->store.count && status == TACIT_OK; i++)
        if (from->store.entries[i].rank >= rare->store.cut)
            status = merge_entry(rare, &from->store.entries[i], err);
    return status;
}
