/*
 * rare.c - collects the facts of scrubbed text (section 9.5 of Sweeney's Computational
 * Disclosure Control). What was replaced is none of them, and parts what is before from what
 * is after; all else stands in the original as it stands in the scrubbed text, so the words that
 * were read for scrubbing serve here, too. Where they are not at hand the scrubbed text is read.
 * Facts are single words and pairs of neighbours.
 *
 * A fact's key has its words, kind and worth, so that the rank in the store follows from the
 * key alone. Cost: two probes of the store a word that counts, and reading where it is needed.
 *
 * What a word counts for among the facts of a text: nothing (small words), more or less by how
 * common it is in English (the lexicon's weights), and more where it is of a list that tells of
 * people: occupations, kin, diseases, nationalities, and of things that happen to few or that
 * newspapers write about (section 9.5: "she may be in the news").
 *
 * Facts are kept by key with exact counts, in bounded memory (see text/rare/rare.h for why they are
 * exact): a map over an array of entries, which grows up to twice what is to be kept; then the
 * lower half by rank goes. A fact is found in about one step and dropped at most once; a cut takes
 * a selection of the edge and one pass, and comes at most once in `keep` new facts.
 *
 * At the end: which of the collected facts are rare, by how much they tell, and which documents
 * hold many that nobody else has: "an overall sequence of events can provide a preponderance of
 * details that identify an individual" (section 9.5). A fact's score is a factor of its kind times
 * the bits that it has in the batch, log2(documents / holders), and those of its words in English.
 * In a batch of one document all facts have no bits, and English alone decides. What scores less
 * than MIN_SCORE says nothing: two common words that happen to stand together in a small batch.
 */
#include "text/rare/rare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* ---- words ---- */

/* Parted by blanks, in the order of the alphabet. */
static const char stop_words[] =
    "a about above across after again against ago all almost along already also although always "
    "am among an and another any anything are around as at away back be became because been "
    "before being below better between both but by can cannot came come could currently day days "
    "dear did didn't do does doesn't doing don't done dob down dr due during each either else "
    "enough "
    "etc even ever every far few followed following for from further gave get give given go goes "
    "going good got had has have having he her here hers herself him himself his how however i "
    "i'm if in into is isn't it its itself just know known last later least less let like made "
    "make makes many may md me might month months more most mr mrs ms much must my myself near "
    "need never "
    "next no none nor normal not nothing now of off often on once only onto or other others our "
    "ours out over own past per perhaps please quite rather re really recent recently regards "
    "same say says see seeing seem seen several shall she should since sincerely so some "
    "something still such sure take taken than thank thanks that the their them then there "
    "therefore these they this those though through thus time times to today together too took "
    "toward towards under until up upon us use used using usual usually very via was wasn't way "
    "we week weeks well went were what when where whether which while who whom whose why will "
    "with within without would year years yes yesterday yet you your yours";

static const char event_words[] =
    "abandoned abducted abduction abuse abused accident adopted adoption alcoholic amputated "
    "amputation arrest arrested arson arsonist assault assaulted attacked award awarded bankrupt "
    "bankruptcy battered beaten bombing bullied burglary burned celebrity champion championship "
    "cocaine combat convicted conviction court crash crashed crime criminal cult custody deported "
    "deportation detained died disaster divorce divorced drowned drowning earthquake embezzled "
    "escaped evicted eviction executed exile exiled expelled explosion famous felony fire fled "
    "flood foster fraud gang genocide gun gunshot hanged heroin hijacked homeless hostage "
    "hurricane imprisoned incest indicted inheritance inherited inmate jail jailed kidnapped "
    "kidnapping killed killing knife lawsuit lottery massacre miscarriage molested mugged murder "
    "murdered murderer newspaper olympic olympics orphan orphanage orphaned overdose overdosed "
    "pardoned parole poisoned police prison prisoner prize probation prosecuted prostitute "
    "prostitution quadruplets rape raped refugee rehab rescued riot robbed robbery runaway scandal "
    "sentenced shelter shooting smuggled stabbed stabbing stole stolen strangled sued suicidal "
    "suicide surrogate survivor terrorist theft tornado torture tortured trafficked triplets twin "
    "twins veteran victim violence violent war warrant widow widowed widower witness witnessed";

static const char number_words[] = "one two three four five six seven eight nine ten eleven twelve "
                                   "thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
                                   "twenty thirty forty fifty sixty seventy eighty ninety";

static const char age_words[] = "age aged";

static size_t class_slot(const tacit__rare_words *words, uint64_t key)
{
    size_t at = key % TACIT__RARE_SLOTS;
    while (words->keys[at] != 0 && words->keys[at] != key)
        at = (at + 1) % TACIT__RARE_SLOTS;
    return at;
}

static void add_class(tacit__rare_words *words, const char *list, tacit__rare_class class)
{
    for (size_t len; *list; list += len + (list[len] == ' ')) {
        len = strcspn(list, " ");
        uint64_t key = tacit__word_key((tacit_strview){.bytes = list, .len = len});
        size_t at = class_slot(words, key);
        words->keys[at] = key;
        words->classes[at] = (uint8_t) class;
    }
}

static void add_classes(tacit__rare_words *words)
{
    memset(words, 0, sizeof *words);
    add_class(words, stop_words, TACIT__RARE_STOP);
    add_class(words, event_words, TACIT__RARE_EVENT);
    add_class(words, number_words, TACIT__RARE_NUMBER);
    add_class(words, age_words, TACIT__RARE_AGE);
}

static tacit__rare_class class_of(const tacit__rare_words *words, uint64_t key)
{
    size_t at = class_slot(words, key);
    return words->keys[at] ? words->classes[at] : TACIT__RARE_PLAIN;
}

/* Depends on the word alone, not on where it stands. */
static tacit_rare_kind fact_kind(const tacit__lexicon_entry *entry)
{
    static const struct {
        tacit_rare_kind kind;
        uint32_t lists;
    } order[] = {
        {TACIT_RARE_OCCUPATION, TACIT__LISTED(OCCUPATION)},
        {TACIT_RARE_KIN, TACIT__LISTED(KIN)},
        {TACIT_RARE_DISEASE, TACIT__LISTED(DISEASE)},
        {TACIT_RARE_WORD, TACIT__LISTED(DRUG) | TACIT__LISTED(BODY) | TACIT__LISTED(MEDICAL) |
                              TACIT__LISTED(EPONYM)},
        {TACIT_RARE_PLACE, TACIT__LISTED(NATIONALITY) | TACIT__LISTED(COUNTRY)},
        {TACIT_RARE_WORD, TACIT__LISTED(WORD)},
        {TACIT_RARE_NAME, TACIT__LISTED(FIRST) | TACIT__LISTED(NICK) | TACIT__LISTED(SURNAME) |
                              TACIT__LISTED(CITY) | TACIT__LISTED(PROPER)},
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (entry->lists & order[i].lists)
            return order[i].kind;
    return TACIT_RARE_WORD;
}

/* About log2 of how much rarer than the most common words, by the lexicon's weight; a word
 * that is in no list of words may be anything: a term, a slip of the pen, a name. */
static uint8_t bits_of(const tacit__lexicon_entry *entry)
{
    static const uint8_t bits[8] = {9, 12, 12, 10, 8, 6, 4, 1};
    return bits[entry->word & 7];
}

static bool counts(const tacit__word *word)
{
    return word->key != 0 && word->shape != TACIT__SHAPE_DIGITS &&
           word->shape != TACIT__SHAPE_BOTH && word->shape != TACIT__SHAPE_INITIAL &&
           word->end - word->start > 2;
}

static tacit__rare_worth worth_of(const tacit__rare_words *words, const tacit__document *document,
                                  const tacit__word *word)
{
    tacit__rare_class class = class_of(words, word->key);
    if (!counts(word) || class == TACIT__RARE_STOP)
        return (tacit__rare_worth){.class = TACIT__RARE_STOP};
    tacit__lexicon_entry entry = word->entry;
    if (word->flags & TACIT__WORD_PHRASE) /* it has the phrase's lists, too */
        tacit__lexicon_find(&entry, tacit__word_text(document, word));
    tacit_rare_kind kind = class == TACIT__RARE_EVENT ? TACIT_RARE_EVENT : fact_kind(&entry);
    return (tacit__rare_worth){
        .class = (uint8_t) class, .kind = (uint8_t)kind, .bits = bits_of(&entry)};
}

/* The kind of a phrase that is in a list, or TACIT_RARE_WORD. */
static tacit_rare_kind phrase_kind(tacit_strview phrase)
{
    tacit__lexicon_entry entry;
    return tacit__lexicon_find(&entry, phrase) ? fact_kind(&entry) : TACIT_RARE_WORD;
}

/* How much more a fact of this kind says. */
static int factor_of(tacit_rare_kind kind)
{
    return kind == TACIT_RARE_WORD ? 1 : kind == TACIT_RARE_EVENT ? 3 : 2;
}

const char *tacit_rare_kind_name(tacit_rare_kind kind)
{
    static const char *const names[TACIT_RARE_KINDS] = {
        [TACIT_RARE_WORD] = "word",
        [TACIT_RARE_PLACE] = "place",
        [TACIT_RARE_DISEASE] = "disease",
        [TACIT_RARE_KIN] = "kin",
        [TACIT_RARE_OCCUPATION] = "occupation",
        [TACIT_RARE_NAME] = "name",
        [TACIT_RARE_EVENT] = "event",
    };
    return names[kind < TACIT_RARE_KINDS ? kind : TACIT_RARE_WORD];
}

/* ---- the store ---- */

static void store_init(tacit__rare_store *store, size_t keep)
{
    *store = (tacit__rare_store){.keep = keep};
}

static void store_clear(tacit__rare_store *store)
{
    tacit__free(store->entries);
    tacit__map_clear(&store->map);
    *store = (tacit__rare_store){0};
}

/* The entry with the fact's key, or NULL. */
static tacit__rare_entry *store_find(const tacit__rare_store *store, uint64_t key)
{
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(&store->map, key, &probe)) != TACIT__NONE)
        if (store->entries[number].key == key)
            return &store->entries[number];
    return NULL;
}

/* Forgets all that rank below. */
static void store_cut(tacit__rare_store *store, uint64_t cut)
{
    size_t kept = 0;
    if (cut <= store->cut)
        return;
    store->cut = cut;
    for (size_t i = 0; i < store->count; i++)
        if (store->entries[i].rank >= cut)
            store->entries[kept++] = store->entries[i];
    store->count = kept;
    tacit__map_empty(&store->map);
    for (size_t i = 0; i < kept; i++)
        tacit__map_put(&store->map, store->entries[i].key);
}

/* Puts ranks that are not below the pivot in front; returns how many. */
static size_t part_ranks(uint64_t *ranks, size_t count, uint64_t pivot)
{
    size_t front = 0;
    for (size_t i = 0; i < count; i++)
        if (ranks[i] >= pivot) {
            uint64_t rank = ranks[i];
            ranks[i] = ranks[front];
            ranks[front++] = rank;
        }
    return front;
}

/* The highest rank that at least `keep` have: found bit by bit, so that no order of ranks
 * makes it slow. */
static tacit_status store_edge(uint64_t *edge, const tacit__rare_store *store, tacit_error *err)
{
    if (store->count <= store->keep) {
        *edge = store->cut;
        return TACIT_OK;
    }
    uint64_t *ranks = tacit__alloc_array(store->count, sizeof *ranks);
    if (!ranks)
        return tacit__nomem(err);
    for (size_t i = 0; i < store->count; i++)
        ranks[i] = store->entries[i].rank;
    uint64_t found = 0;
    size_t above = 0, left = store->count, start = 0;
    for (int bit = 63; bit >= 0 && left > 0; bit--) {
        size_t front = part_ranks(ranks + start, left, found | UINT64_C(1) << bit);
        if (above + front >= store->keep) {
            found |= UINT64_C(1) << bit;
            left = front;
        } else {
            above += front;
            start += front;
            left -= front;
        }
    }
    tacit__free(ranks);
    *edge = found;
    return TACIT_OK;
}

/* Room for one more: by growing, or by dropping what ranks low. */
static tacit_status reserve_fact(tacit__rare_store *store, tacit_error *err)
{
    uint64_t edge;
    if (store->count < 2 * store->keep)
        return TACIT__RESERVE_ONE(store->entries, store->capacity, store->count) &&
                       tacit__map_reserve(&store->map, store->count + 1)
                   ? TACIT_OK
                   : tacit__nomem(err);
    tacit_status status = store_edge(&edge, store, err);
    if (status == TACIT_OK)
        store_cut(store, edge);
    return status;
}

/* Adds a fact that is not there and ranks above the cut. */
static tacit_status store_add(tacit__rare_store *store, const tacit__rare_entry *fact,
                              tacit_error *err)
{
    tacit_status status = reserve_fact(store, err);
    if (status != TACIT_OK || fact->rank < store->cut)
        return status;
    store->entries[store->count++] = *fact;
    tacit__map_put(&store->map, fact->key);
    return TACIT_OK;
}

/* ---- collecting ---- */

enum { SMALL_WORDS = 2, PAIR_BITS = 2, CUT_BACK = 1024 };

tacit_status tacit_rare_new(tacit_rare **out, size_t facts, tacit_error *err)
{
    tacit_rare *rare = tacit__alloc_zeroed(1, sizeof *rare);
    if (!rare)
        return tacit__nomem(err);
    size_t keep = facts > 0 && facts < UINT32_MAX / 4 ? facts : TACIT_RARE_FACTS;
    store_init(&rare->store, keep);
    add_classes(&rare->words);
    *out = rare;
    return TACIT_OK;
}

void tacit_rare_free(tacit_rare *rare)
{
    if (!rare)
        return;
    store_clear(&rare->store);
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
    uint64_t worth = (uint64_t)factor_of(fact->kind) * fact->bits;
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
    return store_add(&rare->store, &entry, err);
}

static tacit_status add_fact(tacit_rare *rare, const rare_candidate *fact, tacit_error *err)
{
    uint64_t key = key_of(fact), rank = rank_of(key, fact);
    if (rank < rare->store.cut)
        return TACIT_OK;
    tacit__rare_entry *entry = store_find(&rare->store, key);
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
        phrase_kind((tacit_strview){.bytes = document->text.bytes + clause->word->start,
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
    tacit__rare_worth worth = worth_of(&rare->words, rare->document, word);
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
    tacit__rare_entry *entry = store_find(&rare->store, from->key);
    if (!entry) {
        tacit__rare_entry copy = *from;
        copy.last = 0;
        return store_add(&rare->store, &copy, err);
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
    store_cut(&rare->store, from->store.cut);
    for (size_t i = 0; i < from->store.count && status == TACIT_OK; i++)
        if (from->store.entries[i].rank >= rare->store.cut)
            status = merge_entry(rare, &from->store.entries[i], err);
    return status;
}

/* ---- listing ---- */

enum { SEVERAL = 3, MIN_SCORE = 8 };

/* A rare fact in the making. */
typedef struct rare_rated {
    const tacit__rare_entry *entry;
    double bits, score;
} rare_rated;

static rare_rated rate(const tacit__rare_entry *entry, uint64_t documents)
{
    double bits = log2((double)documents / (double)entry->holders);
    return (rare_rated){
        .entry = entry, .bits = bits, .score = factor_of(entry->kind) * (bits + entry->bits)};
}

static int by_score(const void *a, const void *b)
{
    const rare_rated *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    int order = strcmp(one->entry->text, other->entry->text);
    return order ? order
                 : (one->entry->key > other->entry->key) - (one->entry->key < other->entry->key);
}

/* Those of a document together, in one order whatever the order of the store. */
static int by_document(const void *a, const void *b)
{
    const rare_rated *one = a, *other = b;
    if (one->entry->first != other->entry->first)
        return one->entry->first < other->entry->first ? -1 : 1;
    return by_score(a, b);
}

static int by_facts(const void *a, const void *b)
{
    const tacit_rare_document *one = a, *other = b;
    if (one->facts != other->facts)
        return one->facts > other->facts ? -1 : 1;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return (one->document > other->document) - (one->document < other->document);
}

/* What is kept for certain and rare. */
static size_t choose(rare_rated *rated, tacit_rare_report *report, const tacit__rare_store *store,
                     uint64_t edge, uint64_t below)
{
    size_t count = 0;
    for (size_t i = 0; i < store->count; i++) {
        const tacit__rare_entry *entry = &store->entries[i];
        if (entry->rank < edge)
            continue;
        report->distinct++;
        rare_rated one = rate(entry, report->documents);
        if (entry->holders < below && one.score >= MIN_SCORE)
            rated[count++] = one;
    }
    report->rare = count;
    report->complete = edge == 0;
    return count;
}

/* ---- facts ---- */

/* Whether a word was noted for the document already; it is afterwards. *failed: no memory. */
static bool see_word(tacit__numbering *seen, uint64_t document, uint32_t word, bool *failed)
{
    uint32_t before = seen->count;
    uint32_t number = tacit__numbering_add(seen, tacit__mix(document ^ (uint64_t)word << 32) | 1);
    *failed = *failed || number == TACIT__NONE;
    return number != before;
}

static bool says_more(tacit__numbering *seen, const tacit__rare_entry *entry, bool *failed)
{
    bool first = see_word(seen, entry->first, entry->words[0], failed);
    bool last = see_word(seen, entry->first, entry->words[1], failed);
    return !first || (entry->words[0] != entry->words[1] && !last);
}

static bool copy_fact(tacit_rare_fact *fact, const rare_rated *rated)
{
    *fact = (tacit_rare_fact){.words =
                                  tacit__copy_bytes(rated->entry->text, strlen(rated->entry->text)),
                              .kind = rated->entry->kind,
                              .document = rated->entry->first,
                              .holders = rated->entry->holders,
                              .bits = rated->bits,
                              .score = rated->score};
    return fact->words != NULL;
}

static tacit_status list_facts(tacit_rare_report *report, rare_rated *rated, size_t count,
                               size_t most, tacit_error *err)
{
    tacit__numbering seen = {0}; /* words that were listed already, by document */
    most = most < count ? most : count;
    report->facts = tacit__alloc_zeroed(most, sizeof *report->facts);
    bool failed = !report->facts;
    if (!failed)
        qsort(rated, count, sizeof *rated, by_score);
    for (size_t i = 0; i < count && report->fact_count < most && !failed; i++)
        if (says_more(&seen, rated[i].entry, &failed) && !failed)
            failed = !copy_fact(&report->facts[report->fact_count++], &rated[i]);
    tacit__numbering_clear(&seen);
    return failed ? tacit__nomem(err) : TACIT_OK;
}

/* ---- documents ---- */

static size_t count_documents(tacit_rare_document *documents, const rare_rated *rated, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (rated[i].entry->holders > 1)
            continue;
        if (found == 0 || documents[found - 1].document != rated[i].entry->first)
            documents[found++] = (tacit_rare_document){.document = rated[i].entry->first};
        documents[found - 1].facts++;
        documents[found - 1].score += rated[i].score;
    }
    return found;
}

static tacit_status list_documents(tacit_rare_report *report, rare_rated *rated, size_t count,
                                   size_t most, tacit_error *err)
{
    report->most = tacit__alloc_array(count, sizeof *report->most);
    if (!report->most)
        return tacit__nomem(err);
    qsort(rated, count, sizeof *rated, by_document);
    size_t found = count_documents(report->most, rated, count);
    for (size_t i = 0; i < found; i++)
        report->several += report->most[i].facts >= SEVERAL;
    report->alone = found;
    qsort(report->most, found, sizeof *report->most, by_facts);
    report->max_count = found < most ? found : most;
    return TACIT_OK;
}

tacit_status tacit_rare_list(tacit_rare_report **out, const tacit_rare *rare,
                             const tacit_rare_options *options, tacit_error *err)
{
    uint64_t edge = 0;
    rare_rated *rated = NULL;
    tacit_rare_report *report = tacit__alloc_zeroed(1, sizeof *report);
    tacit_status status = report ? store_edge(&edge, &rare->store, err) : tacit__nomem(err);
    if (status != TACIT_OK)
        goto cleanup;
    rated = tacit__alloc_array(rare->store.count, sizeof *rated);
    status = rated ? TACIT_OK : tacit__nomem(err);
    if (status != TACIT_OK)
        goto cleanup;
    report->documents = rare->documents;
    size_t count = choose(rated, report, &rare->store, edge, options->below);
    status = list_facts(report, rated, count, options->facts, err);
    if (status == TACIT_OK)
        status = list_documents(report, rated, count, options->documents, err);
cleanup:
    tacit__free(rated);
    if (status != TACIT_OK)
        tacit_rare_report_free(report);
    else
        *out = report;
    return status;
}

void tacit_rare_report_free(tacit_rare_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; report->facts && i < report->fact_count; i++)
        tacit__free((void *)(uintptr_t)report->facts[i].words);
    tacit__free(report->facts);
    tacit__free(report->most);
    tacit__free(report);
}
