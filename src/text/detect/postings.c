/*
 * postings.c - a document's own names (section 9.3: "its corresponding detection algorithm can
 * post its results"; an entity posts its constituents). The words of likely proposals go into
 * a table; every word that could be a name, number or initials is looked up there, and taken as far
 * as what stands around it allows (text/read/forms.h).
 *
 * The table is bounded. Postings are in sets of eight, chosen by the word's key; where a set is
 * full, the least likely and of these the oldest gives way. So a look-up is at most eight
 * comparisons, and what is forgotten does not depend on chance. They lie one after the other in the
 * order in which they came, so that those of a letter are together; a new document only begins the
 * order again. A bit per posted key, in one small field, spares most words the look-up.
 *
 * Cost: words in lower case that are words of the language, which most are, cost one test,
 * others a bit of a small field; memory does not depend on the document.
 */
#include "text/detect/postings.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/letters.h"
#include "text/lexicon/recall.h"
#include "text/read/forms.h"

/* ---- the table ---- */

enum {
    POSTED_WAYS = 8,
    POSTED_SETS = 512, /* of so many postings: 4096 in all */
    POSTED_FILTER = 1 << 13,
    POSTED_LETTERS = 27,
    POSTED_RECENT = 16 /* surnames by first and by last letter */
};

typedef struct posted_word {
    uint64_t key;
    uint32_t serial; /* when it was posted last */
    uint8_t roles;   /* tacit__use; 0 for numbers and initials */
    uint8_t likelihood;
    uint8_t kind; /* of numbers */
    uint8_t len;
    char text[TACIT__EDIT_LONGEST]; /* of surnames that may be misspelt: folded */
} posted_word;

typedef struct posted_table {
    uint32_t serial;   /* the next posting's */
    uint32_t count;    /* places of the table in use */
    uint32_t surnames; /* that may be misspelt */
    uint64_t filter[POSTED_FILTER / 64];
    uint8_t live[POSTED_SETS]; /* how many a set has, and their places in the table */
    uint16_t places[POSTED_SETS][POSTED_WAYS];
    uint16_t recent[2][POSTED_LETTERS][POSTED_RECENT];
    uint32_t recent_count[2][POSTED_LETTERS];
    posted_word table[POSTED_SETS * POSTED_WAYS];
} posted_table;

static void posted_begin(posted_table *posted)
{
    posted->serial = posted->count = posted->surnames = 0;
    memset(posted->filter, 0, sizeof posted->filter);
    memset(posted->live, 0, sizeof posted->live);
    memset(posted->recent_count, 0, sizeof posted->recent_count);
}

static size_t set_of(uint64_t key)
{
    return (size_t)(key >> 32) % POSTED_SETS;
}

/* NULL where the key was not posted. */
static const posted_word *posted_find(const posted_table *posted, uint64_t key)
{
    uint64_t bit = key % POSTED_FILTER;
    if (!(posted->filter[bit / 64] >> (bit % 64) & 1))
        return NULL;
    size_t set = set_of(key);
    for (size_t i = 0; i < posted->live[set]; i++) {
        const posted_word *posting = &posted->table[posted->places[set][i]];
        if (posting->key == key)
            return posting;
    }
    return NULL;
}

/* Whether a gives way before b: less likely, older. */
static bool gives_way(const posted_word *a, const posted_word *b)
{
    if (a->likelihood != b->likelihood)
        return a->likelihood < b->likelihood;
    return a->serial < b->serial;
}

/* A place for a new posting of the set. */
static posted_word *place_in(posted_table *posted, size_t set)
{
    const uint16_t *places = posted->places[set];
    if (posted->live[set] < POSTED_WAYS) {
        posted->places[set][posted->live[set]++] = (uint16_t)posted->count;
        return &posted->table[posted->count++];
    }
    posted_word *weakest = &posted->table[places[0]];
    for (size_t i = 1; i < POSTED_WAYS; i++)
        if (gives_way(&posted->table[places[i]], weakest))
            weakest = &posted->table[places[i]];
    return weakest;
}

/* The posting of the key, new or with the higher likelihood of the two. */
static posted_word *posted_add(posted_table *posted, uint64_t key, int likelihood)
{
    uint64_t bit = key % POSTED_FILTER;
    posted_word *posting = (posted_word *)posted_find(posted, key);
    if (!posting) {
        posting = place_in(posted, set_of(key));
        *posting = (posted_word){.key = key};
        posted->filter[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    posting->serial = posted->serial++;
    if (likelihood > posting->likelihood)
        posting->likelihood = (uint8_t)likelihood;
    return posting;
}

static void remember(posted_table *posted, int end, char letter, size_t place)
{
    unsigned number = tacit__letter(letter);
    uint32_t at = posted->recent_count[end][number]++ % POSTED_RECENT;
    posted->recent[end][number][at] = (uint16_t)place;
}

/* Lets a posted surname be found when it is misspelt, if it has a fitting length. */
static void post_surname(posted_table *posted, posted_word *posting, tacit_strview folded)
{
    if (posting->len > 0 || folded.len < TACIT__EDIT_SHORTEST || folded.len > TACIT__EDIT_LONGEST)
        return;
    size_t place = (size_t)(posting - posted->table);
    posting->len = (uint8_t)folded.len;
    memcpy(posting->text, folded.bytes, folded.len);
    posted->surnames++;
    remember(posted, 0, folded.bytes[0], place);
    remember(posted, 1, folded.bytes[folded.len - 1], place);
}

/* The likelier of the best so far and of those surnames with the letter at that end. A place
 * may have been given to another word since; then that one is compared. */
static const posted_word *nearest(const posted_table *posted, const posted_word *best, int end,
                                  char letter, tacit_strview folded)
{
    unsigned number = tacit__letter(letter);
    uint32_t count = posted->recent_count[end][number];
    for (uint32_t i = 0; i < count && i < POSTED_RECENT; i++) {
        const posted_word *posting = &posted->table[posted->recent[end][number][i]];
        tacit_strview text = {.bytes = posting->text, .len = posting->len};
        if ((!best || posting->likelihood > best->likelihood) && text.len > 0 &&
            tacit__one_edit(text, folded))
            best = posting;
    }
    return best;
}

/* The likeliest posted surname that is one edit away from the folded word, or NULL. Misspellings
 * are looked for among the newest surnames that begin or end with the same letter, since one edit
 * leaves one of the two as it was: at most 32 comparisons. */
static const posted_word *posted_near(const posted_table *posted, tacit_strview folded)
{
    if (posted->surnames == 0 || folded.len + 1 < TACIT__EDIT_SHORTEST ||
        folded.len > TACIT__EDIT_LONGEST + 1)
        return NULL;
    const posted_word *best = nearest(posted, NULL, 0, folded.bytes[0], folded);
    return nearest(posted, best, 1, folded.bytes[folded.len - 1], folded);
}

/* ---- of a document ---- */

enum {
    TRUSTED = 70,      /* a proposal less likely posts nothing */
    TRUSTED_WORD = 85, /* nor does a common word of the language */
    COMMON = 4,        /* from this weight on */
    PLACE_TRUST = 90,  /* a word of a place needs that it can be nothing else */
    ELSEWHERE = 5      /* letters of a surname that is misspelt without a title before it */
};

static const char detector[] = "postings";

/* What the keys of numbers and initials are mixed with, so that they are no words'. */
static const uint64_t number_space = UINT64_C(0xA0761D6478BD642F);
static const uint64_t initials_space = UINT64_C(0xE7037ED1A0B428DB);

/* No piece has more words. */
enum { PIECE_WORDS = TACIT_SCRUB_PIECE / 2 + 1 };

struct tacit__postings {
    bool names, initials, numbers; /* whether there are any */
    const char *piece;             /* the text that posted last */
    size_t piece_words;
    uint64_t open[PIECE_WORDS / 64 + 2]; /* its words that may be posted ones, a bit each */
    posted_table posted;
    tacit__nicks nicks;
};

tacit_status tacit__postings_new(tacit__postings **out, tacit_error *err)
{
    tacit__postings *postings = tacit__alloc_zeroed(1, sizeof *postings);
    if (!postings)
        return tacit__nomem(err);
    posted_begin(&postings->posted);
    *out = postings;
    return TACIT_OK;
}

void tacit__postings_free(tacit__postings *postings)
{
    tacit__free(postings);
}

void tacit__postings_begin(tacit__postings *postings)
{
    postings->names = postings->initials = postings->numbers = false;
    postings->piece = NULL;
    posted_begin(&postings->posted);
}

/* ---- posting ---- */

static posted_word *post_key(tacit__postings *postings, uint64_t key, tacit__use role,
                             int likelihood)
{
    posted_word *posting = posted_add(&postings->posted, key, likelihood);
    posting->roles |= (uint8_t)role;
    postings->names = true;
    return posting;
}

static void post_word(tacit__postings *postings, const tacit__document *document,
                      const tacit__word *word, tacit__use role, int likelihood)
{
    tacit__folded folded;
    if (word->key == 0)
        return; /* too long to be folded */
    posted_word *posting = post_key(postings, word->key, role, likelihood);
    if (role == TACIT__AS_LAST && posting->len == 0 &&
        tacit__text_fold(&folded, tacit__word_text(document, word)))
        post_surname(&postings->posted, posting, tacit__folded_view(&folded));
}

/* A nickname makes the names that it stands for likely, too. */
static void post_formal(tacit__postings *postings, const tacit__nick *from, int likelihood)
{
    for (size_t i = 0; i < from->count; i++)
        post_key(postings, from->formal[i], TACIT__AS_FIRST, likelihood - 10);
}

static bool may_post(const tacit__document *document, size_t at, int likelihood)
{
    const tacit__word *word = &document->words[at];
    bool shaped = tacit__is_name_shaped(document, at) || word->entry.word == 0 ||
                  tacit__is_addressed(document, at);
    return word->end - word->start >= 2 && shaped && !tacit__has_digits(word) &&
           (word->entry.word < COMMON || likelihood >= TRUSTED_WORD);
}

static void post_part(tacit__postings *postings, const tacit__document *document, size_t at,
                      tacit__use role, int likelihood)
{
    const tacit__word *word = &document->words[at];
    if (!may_post(document, at, likelihood))
        return;
    post_word(postings, document, word, role, likelihood);
    if (role == TACIT__AS_FIRST && tacit__lexicon_in(&word->entry, TACIT__LIST_NICK))
        post_formal(postings, tacit__nick_of(&postings->nicks, document, word), likelihood);
}

static uint64_t initials_key(const char *letters)
{
    uint64_t key = 0;
    for (; *letters; letters++)
        key = key << 8 | (unsigned char)*letters;
    return tacit__mix(key ^ initials_space);
}

static void post_initials(tacit__postings *postings, const char *letters, int likelihood)
{
    posted_add(&postings->posted, initials_key(letters), likelihood);
    postings->initials = true;
}

/* "Virginia P. Weston": vw and vpw. */
static void post_initials_of(tacit__postings *postings, const tacit__document *document,
                             const tacit__name *name, int likelihood)
{
    char first = 0, middle = 0, last = 0;
    for (size_t i = 0; i < name->count; i++) {
        uint32_t start = document->words[name->parts[i].word].start;
        char letter = (char)(document->text.bytes[start] | 0x20);
        if (name->parts[i].role == TACIT__AS_FIRST && !first)
            first = letter;
        if (name->parts[i].role == TACIT__AS_MIDDLE && !middle)
            middle = letter;
        if (name->parts[i].role == TACIT__AS_LAST && !last)
            last = letter;
    }
    if (!first || !last)
        return;
    post_initials(postings, (char[]){first, last, 0}, likelihood);
    if (middle)
        post_initials(postings, (char[]){first, middle, last, 0}, likelihood);
}

static void post_name(tacit__postings *postings, const tacit__document *document, size_t from,
                      size_t to, const tacit__proposal *proposal)
{
    tacit__name name;
    tacit__name_read(&name, document, from, to);
    for (size_t i = 0; i < name.count; i++) {
        tacit__use role = name.parts[i].role;
        if (proposal->kind == TACIT_TEXT_LAST_NAME)
            role = TACIT__AS_LAST;
        else if (proposal->kind != TACIT_TEXT_FULL_NAME)
            role = TACIT__AS_FIRST;
        post_part(postings, document, name.parts[i].word, role, proposal->likelihood);
    }
    if (proposal->kind == TACIT_TEXT_FULL_NAME)
        post_initials_of(postings, document, &name, proposal->likelihood);
}

/* "Brigham" of "Brigham Hospital", but no word that others are made with, or that many share. */
static void post_place(tacit__postings *postings, const tacit__document *document, size_t from,
                       size_t to, const tacit__proposal *proposal)
{
    tacit__use role = proposal->kind == TACIT_TEXT_CITY       ? TACIT__AS_CITY
                      : proposal->kind == TACIT_TEXT_STREET   ? TACIT__AS_STREET
                      : proposal->kind == TACIT_TEXT_HOSPITAL ? TACIT__AS_HOSPITAL
                                                              : TACIT__AS_ORGANIZATION;
    for (size_t i = from; i < to; i++) {
        const tacit__lexicon_entry *entry = &document->words[i].entry;
        bool common = entry->word > (tacit__lexicon_in(entry, TACIT__LIST_PROPER) ? 5 : 0) ||
                      tacit__lexicon_in(entry, TACIT__LIST_HOSPITAL) ||
                      tacit__lexicon_in(entry, TACIT__LIST_STATE) ||
                      tacit__lexicon_in(entry, TACIT__LIST_NATIONALITY) ||
                      (document->words[i].end - document->words[i].start) < 4;
        if (!common && may_post(document, i, proposal->likelihood))
            post_word(postings, document, &document->words[i], role, proposal->likelihood);
    }
}

static void post_number(tacit__postings *postings, const tacit__document *document, size_t from,
                        size_t to, const tacit__proposal *proposal)
{
    tacit__number number = {0};
    if (!tacit__number_trim(&from, &to, document))
        return;
    for (size_t i = from; i < to; i++)
        tacit__number_add(&number, tacit__word_text(document, &document->words[i]));
    if (number.digits <= TACIT__NUMBER_DIGITS)
        return;
    posted_add(&postings->posted, tacit__number_key(&number) ^ number_space, proposal->likelihood)
        ->kind = proposal->kind;
    postings->numbers = true;
}

/* What has been found needs no second proposal: words from one on, at most 64. */
static void cover(tacit__postings *postings, size_t from, size_t count)
{
    uint64_t bits = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    if (from >= PIECE_WORDS)
        return;
    postings->open[from / 64] &= ~(bits << from % 64);
    postings->open[from / 64 + 1] &= ~(bits >> 1 >> (63 - from % 64));
}

/* The word behind the last that ends with the proposal or before, of a few. */
static size_t words_end(const tacit__document *document, const tacit__proposal *proposal,
                        size_t from)
{
    enum { MAX = 2 * TACIT__NAME_WORDS };
    size_t to = tacit__document_at(document, proposal->end);
    if (to > from)
        to -= document->words[to - 1].end > proposal->end;
    return to - from < MAX ? to : from + MAX;
}

/* Which of at most 64 words are not plain (see tacit__is_plain), a bit each. */
static uint64_t not_plain(const tacit__document *document, size_t from)
{
    const tacit__word *word = document->words + from;
    size_t count = tacit__bitset_share(from, document->count);
    bool title = from > 0 && tacit__lexicon_in(&word[-1].entry, TACIT__LIST_TITLE);
    uint64_t plain = 0;
    for (size_t i = 0; i < count; i++, word++) {
        bool is = (word->shape == TACIT__SHAPE_LOWER) & (word->entry.word > 0) & !title;
        plain |= (uint64_t)is << i;
        title = tacit__lexicon_in(&word->entry, TACIT__LIST_TITLE);
    }
    if (document->casing == TACIT__CASING_LOWER)
        plain = 0;
    return ~plain & UINT64_MAX >> (64 - count);
}

/* All words but the plain ones are open. */
static void begin_piece(tacit__postings *postings, const tacit__document *document)
{
    postings->piece = document->text.bytes;
    postings->piece_words = document->count;
    for (size_t from = 0; from < document->count && from < PIECE_WORDS; from += 64)
        postings->open[from / 64] = not_plain(document, from);
}

/* "the Westons" is no name of its own, if there is a Weston; that is asked once all have posted. */
static bool may_be_plural(const tacit__document *document, size_t from, size_t to,
                          const tacit__proposal *proposal)
{
    uint64_t keys[TACIT__PLURALS];
    return to == from + 1 && proposal->kind == TACIT_TEXT_LAST_NAME &&
           tacit__has_article(document, from) && tacit__plural_of(keys, document, from) > 0;
}

static void post_proposal(tacit__postings *postings, const tacit__document *document,
                          const tacit__proposal *proposal)
{
    size_t from = tacit__document_at(document, proposal->start);
    size_t to = words_end(document, proposal, from);
    if (may_be_plural(document, from, to, proposal))
        return;
    cover(postings, from, to - from);
    switch (proposal->kind) {
    case TACIT_TEXT_FULL_NAME:
    case TACIT_TEXT_FIRST_NAME:
    case TACIT_TEXT_MIDDLE_NAME:
    case TACIT_TEXT_LAST_NAME:
    case TACIT_TEXT_NICK_NAME: post_name(postings, document, from, to, proposal); break;
    case TACIT_TEXT_CITY:
    case TACIT_TEXT_STREET:
    case TACIT_TEXT_HOSPITAL:
    case TACIT_TEXT_ORGANIZATION: post_place(postings, document, from, to, proposal); break;
    default:
        if (tacit__is_number_kind(proposal->kind))
            post_number(postings, document, from, to, proposal);
    }
}

void tacit__postings_post(tacit__postings *postings, const tacit__proposals *proposals,
                          const tacit__document *document)
{
    begin_piece(postings, document);
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *proposal = &proposals->items[i];
        if (proposal->likelihood >= TRUSTED && proposal->fate == TACIT_TEXT_WON &&
            proposal->detector != detector && proposal->kind != TACIT_TEXT_TITLE)
            post_proposal(postings, document, proposal);
    }
}

/* ---- proposing ---- */

typedef struct post_reader {
    tacit__proposals *proposals;
    tacit__postings *postings;
    const tacit__document *document;
    size_t named; /* the word after the last one that was a posted name */
} post_reader;

static void propose_relation(post_reader *reader, size_t from, size_t to, tacit_text_kind kind,
                             int likelihood, const char *rule)
{
    bool guess = likelihood < TACIT__PROBABLE && tacit__is_number_kind(kind);
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .likelihood = (uint8_t)likelihood,
                                      .alone = guess ? TACIT__ALONE_FORM : 0,
                                      .detector = detector,
                                      .rule = rule};
    if (likelihood <= 0)
        return;
    tacit__propose_words(reader->proposals, reader->document, from, to - 1, proposal);
}

/* A word between posted names needs no further evidence: "Will Long". */
static int trust_at(const post_reader *reader, size_t at)
{
    int trust = tacit__name_trust(reader->document, at);
    bool beside = reader->named == at && at > 0 && tacit__is_name_shaped(reader->document, at) &&
                  reader->document->words[at].before == TACIT__GAP_SPACE;
    return beside && trust > 0 && trust < PLACE_TRUST ? PLACE_TRUST : trust;
}

static void propose_posted_name(post_reader *reader, size_t at, const posted_word *posting)
{
    bool first = posting->roles & (TACIT__AS_FIRST | TACIT__AS_MIDDLE) &&
                 !tacit__is_addressed(reader->document, at);
    int likelihood = posting->likelihood * trust_at(reader, at) / 100;
    if (likelihood >= TRUSTED)
        reader->named = at + 1;
    if (first || !(posting->roles & TACIT__AS_LAST))
        propose_relation(reader, at, at + 1, TACIT_TEXT_FIRST_NAME, likelihood,
                         "posted first name");
    else
        propose_relation(reader, at, at + 1, TACIT_TEXT_LAST_NAME, likelihood, "posted last name");
}

/* "Huntington Ave", once "18 Huntington Avenue" was found. */
static void propose_posted_street(post_reader *reader, size_t at, const posted_word *posting)
{
    const tacit__document *document = reader->document;
    if (at + 1 >= document->count || document->words[at + 1].before != TACIT__GAP_SPACE ||
        !tacit__lexicon_in(&document->words[at + 1].entry, TACIT__LIST_STREET) ||
        !tacit__is_name_shaped(document, at + 1))
        return;
    propose_relation(reader, at, at + 2, TACIT_TEXT_STREET, posting->likelihood - 5,
                     "posted street");
}

static void propose_posted_place(post_reader *reader, size_t at, const posted_word *posting)
{
    if (posting->roles & TACIT__AS_STREET)
        propose_posted_street(reader, at, posting);
    tacit_text_kind kind = posting->roles & TACIT__AS_HOSPITAL       ? TACIT_TEXT_HOSPITAL
                           : posting->roles & TACIT__AS_ORGANIZATION ? TACIT_TEXT_ORGANIZATION
                           : posting->roles & TACIT__AS_CITY         ? TACIT_TEXT_CITY
                                                                     : TACIT_TEXT_NONE;
    if (kind == TACIT_TEXT_NONE || !tacit__is_name_shaped(reader->document, at) ||
        tacit__name_trust(reader->document, at) < PLACE_TRUST)
        return;
    propose_relation(reader, at, at + 1, kind, posting->likelihood * 85 / 100,
                     "word of a posted place or organization");
}

static void propose_posted(post_reader *reader, size_t at, const posted_word *posting)
{
    if (posting->roles & TACIT__AS_NAME)
        propose_posted_name(reader, at, posting);
    if (posting->roles & ~TACIT__AS_NAME)
        propose_posted_place(reader, at, posting);
}

/* "Ginny", once "Virginia" was found. */
static void propose_nickname(post_reader *reader, size_t at)
{
    const tacit__document *document = reader->document;
    const tacit__nick *from =
        tacit__nick_of(&reader->postings->nicks, document, &document->words[at]);
    int best = 0;
    for (size_t i = 0; i < from->count; i++) {
        const posted_word *posting = posted_find(&reader->postings->posted, from->formal[i]);
        if (posting && posting->roles & TACIT__AS_FIRST && posting->likelihood > best)
            best = posting->likelihood;
    }
    if (best == 0)
        return;
    propose_relation(reader, at, at + 1, TACIT_TEXT_NICK_NAME,
                     (best - 5) * tacit__name_trust(document, at) / 100,
                     "nickname of a posted name");
}

/* "Dear Dr. Lang", once "Marjorie Long" was found. */
static void propose_misspelt(post_reader *reader, size_t at)
{
    tacit__folded folded;
    const tacit__document *document = reader->document;
    const tacit__word *word = &document->words[at];
    bool addressed = tacit__is_addressed(document, at);
    if ((!addressed && (word->entry.lists || document->casing != TACIT__CASING_USUAL)) ||
        !tacit__text_fold(&folded, tacit__word_text(document, word)))
        return;
    const posted_word *posting =
        posted_near(&reader->postings->posted, tacit__folded_view(&folded));
    if (!posting || (!addressed && posting->len < ELSEWHERE))
        return;
    propose_relation(reader, at, at + 1, TACIT_TEXT_LAST_NAME,
                     posting->likelihood * (addressed ? 90 : 75) / 100, "misspelt posted name");
}

/* "the Westons", once "Weston" was found; without an article only what is no word. */
static void propose_plural(post_reader *reader, size_t at)
{
    static const char *const rules[TACIT__PLURALS] = {tacit__plural_s, tacit__plural_es};
    const tacit__document *document = reader->document;
    uint64_t keys[TACIT__PLURALS];
    bool article = tacit__has_article(document, at);
    size_t count =
        article || document->words[at].entry.word == 0 ? tacit__plural_of(keys, document, at) : 0;
    for (size_t i = 0; i < count; i++) {
        const posted_word *posting = posted_find(&reader->postings->posted, keys[i]);
        if (posting && posting->roles & TACIT__AS_LAST) {
            propose_relation(reader, at, at + 1, TACIT_TEXT_LAST_NAME,
                             article ? TACIT__CERTAIN : posting->likelihood * 90 / 100, rules[i]);
            break;
        }
    }
}

static void propose_other_word(post_reader *reader, size_t at)
{
    const tacit__document *document = reader->document;
    const tacit__word *word = &document->words[at];
    const posted_word *posting = posted_find(&reader->postings->posted, word->key);
    if (posting && posting->roles) {
        propose_posted(reader, at, posting);
        return;
    }
    if (!tacit__is_name_shaped(document, at))
        return;
    size_t before = reader->proposals->count;
    propose_plural(reader, at);
    if (reader->proposals->count == before && tacit__lexicon_in(&word->entry, TACIT__LIST_NICK))
        propose_nickname(reader, at);
    if (reader->proposals->count == before && reader->postings->posted.surnames > 0)
        propose_misspelt(reader, at);
}

/* Initials that are also a word or of medicine are left to the sign-off. */
static void propose_posted_initials(post_reader *reader, size_t at)
{
    char letters[4];
    const tacit__document *document = reader->document;
    size_t words = tacit__initials_at(letters, document, at);
    if (words == 0)
        return;
    const posted_word *posting = posted_find(&reader->postings->posted, initials_key(letters));
    if (!posting)
        return;
    int percent = tacit__initials_trust(document, at, words, letters);
    propose_relation(reader, at, at + words, TACIT_TEXT_INITIALS,
                     posting->likelihood * percent / 100, "initials of a posted name");
}

/* The longest posted number that begins at the word; *next is the word after it. */
static void propose_number(post_reader *reader, size_t at, size_t *next)
{
    const tacit__document *document = reader->document;
    const posted_word *longest = NULL;
    tacit__number number = {0};
    unsigned digits = 0;
    size_t end = at;
    while (tacit__number_next(&number, &end, document, at)) {
        if (number.digits <= TACIT__NUMBER_DIGITS || !tacit__has_digits(&document->words[end - 1]))
            continue;
        const posted_word *posting =
            posted_find(&reader->postings->posted, tacit__number_key(&number) ^ number_space);
        if (posting) {
            longest = posting;
            digits = number.digits;
            *next = end;
        }
    }
    if (!longest)
        return;
    propose_relation(reader, at, *next, longest->kind, longest->likelihood - (digits > 6 ? 2 : 15),
                     "posted number");
}

static void propose_at_word(post_reader *reader, size_t at, size_t *next)
{
    const tacit__word *word = &reader->document->words[at];
    const tacit__postings *postings = reader->postings;
    if (tacit__has_digits(word)) {
        if (postings->numbers)
            propose_number(reader, at, next);
        return;
    }
    if (postings->initials &&
        (word->shape == TACIT__SHAPE_INITIAL || word->shape == TACIT__SHAPE_CAPITALS))
        propose_posted_initials(reader, at);
    if (postings->names && word->shape != TACIT__SHAPE_INITIAL)
        propose_other_word(reader, at);
}

tacit_status tacit__postings_propose(tacit__proposals *proposals, tacit__postings *postings,
                                     const tacit__document *document, tacit_error *err)
{
    post_reader reader = {.proposals = proposals, .postings = postings, .document = document};
    if (!postings->names && !postings->initials && !postings->numbers)
        return TACIT_OK;
    if (postings->piece != document->text.bytes || postings->piece_words != document->count) {
        begin_piece(postings, document);
        postings->piece = NULL; /* it has not posted */
    }
    for (size_t from = 0, next = 0; from < document->count; from += 64) {
        uint64_t bits = postings->open[from / 64];
        for (; bits != 0; bits &= bits - 1) {
            size_t at = from + (size_t)__builtin_ctzll(bits);
            if (at < next)
                continue;
            next = at + 1;
            propose_at_word(&reader, at, &next);
        }
    }
    return tacit__proposals_status(proposals, err);
}
