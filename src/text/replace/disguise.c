/*
 * disguise.c - the secrets of a document, and the words that are made up for it.
 *
 * The data holder's key becomes one for SipHash with BLAKE2b; the key of the scope is derived
 * from it with SipHash, with the number of the document where the scope is a document. A value's
 * draws start from its SipHash under that key: without the key nobody can tell which values would
 * give them, and whoever has some of a document's values and their replacements learns nothing of
 * others.
 *
 * How far dates move follows from what the document is about: the subject that the caller names, a
 * person for example, under the data holder's key alone; else its own text, the piece with its
 * first date, under the key of the scope. So no two documents share it, whatever else they share,
 * and the same text under the same key is always moved alike.
 *
 * Words are drawn from a pool of 64 thousand, the same for every key (text/lexicon/letters.h). The
 * key decides who gets which. A word is drawn again until it is none of the document's words,
 * nobody else's replacement, and has another initial. Where each document has names of its own, the
 * first draws are from two thousand of a sort, which stay in the processor's cache.
 *
 * Cost: 30 ns for a value that is new, besides its words.
 */
#include "text/replace/disguise.h"

#include <sodium.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/recall.h"

/* ---- ledgers ----
 *
 * Open addressing, at most half full. An empty ledger takes as many lines as are
 * asked for, out of those that are there; lines of documents before are free by their number.
 *
 * Cost: a few nanoseconds a key; 16 bytes a line, at most TACIT__LEDGER_MAX lines. */

void tacit__ledger_clear(tacit__ledger *ledger)
{
    tacit__free(ledger->lines);
    *ledger = (tacit__ledger){0};
}

/* All lines become free. Once in 2^32 times the numbers start over. */
static void forget(tacit__ledger *ledger)
{
    ledger->count = 0;
    if (++ledger->times > 0)
        return;
    memset(ledger->lines, 0, ledger->allocated * sizeof *ledger->lines);
    ledger->times = 1;
}

void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt)
{
    forget(ledger);
    ledger->size = 0;
    ledger->salt = salt;
}

/* So many lines, all of them free. */
static bool start(tacit__ledger *ledger, size_t size)
{
    if (size > ledger->allocated) {
        tacit__ledger_line *lines = tacit__alloc_zeroed(size, sizeof *lines);
        if (!lines)
            return false;
        tacit__free(ledger->lines);
        ledger->lines = lines;
        ledger->allocated = size;
    }
    forget(ledger);
    ledger->size = size;
    ledger->shift = 64 - (unsigned)__builtin_ctzll(size);
    return true;
}

/* More lines, with what is in those there are. */
static bool grow(tacit__ledger *ledger, size_t size)
{
    tacit__ledger larger = {.salt = ledger->salt};
    if (!start(&larger, size > ledger->allocated ? size : ledger->allocated) ||
        !start(&larger, size))
        return false;
    for (size_t i = 0; i < ledger->size; i++)
        if (ledger->lines[i].times == ledger->times)
            tacit__ledger_note(&larger, ledger->lines[i].key, ledger->lines[i].value);
    tacit__free(ledger->lines);
    *ledger = larger;
    return true;
}

bool tacit__ledger_enlarge(tacit__ledger *ledger, size_t more)
{
    size_t size = ledger->size < TACIT__LEDGER_MIN ? TACIT__LEDGER_MIN : ledger->size;
    more = more < TACIT__LEDGER_MAX / 2 ? more : TACIT__LEDGER_MAX / 2;
    if (ledger->count + more > TACIT__LEDGER_MAX / 2)
        return start(ledger, TACIT__LEDGER_MAX);
    while (size < 2 * (ledger->count + more))
        size *= 2;
    if (size < TACIT__LEDGER_MAX && size < 2 * (ledger->count + more) + size / 8)
        size *= 2; /* not to be enlarged again for the next few */
    return ledger->count == 0 ? start(ledger, size) : grow(ledger, size);
}

/* ---- fillers ----
 *
 * The words, by role. A ledger is made of them once a reader, so that a word costs one
 * hash and one look, however many roles there are: 15 ns, where comparing it with each took 100. */

enum { LONGEST = 16 };

static const struct {
    tacit__filler role;
    const char *words;
} words_of[] = {
    {TACIT__FILLER_FUNCTION, "of the and in at on for de la le del los las el du des di da van von "
                             "der den und et y"},
    {TACIT__FILLER_COMMON, "north south east west northern southern eastern western n s e w ne nw "
                           "se sw new old upper lower great little st saint san santa mount mt "
                           "lake port fort ft point"},
    {TACIT__FILLER_CITY, "city town village township county borough heights falls springs beach "
                         "island islands park hills valley river bay harbor"},
    {TACIT__FILLER_UNIT, "apt apartment suite ste unit floor fl room rm box po pob p o bldg "
                         "building no number lot rr route rt hwy highway dpo apo fpo psc cmr"},
    {TACIT__FILLER_CARE, "hospital hospitals hosp clinic clinics medical center centre ctr med "
                         "health healthcare system infirmary hospice nursing home facility rehab "
                         "rehabilitation surgery surgical imaging dialysis cancer institute "
                         "heart eye ear burn trauma urgent care emergency community regional "
                         "general memorial childrens children women womens county city state "
                         "university veterans va affairs psychiatric family practice medicine "
                         "pediatrics pediatric associates group school department unit icu holy "
                         "laboratory pharmacy"},
    {TACIT__FILLER_PARTICLE,
     "van von der den de del della di da do dos das du la le el bin ibn ter "
     "ten zu zur y e af av and und et of the"},
    {TACIT__FILLER_CAPITAL,
     "van von der den de del della dos das du la el bin ibn and und et of the"},
    {TACIT__FILLER_TITLE, "mr mrs ms miss mx dr prof rev hon sr jr ii iii iv md phd esq dds dvm "
                          "dmd facs facp"},
    {TACIT__FILLER_ADDRESS, "mr mrs ms miss mx dr doctor prof professor rev reverend sir madam hon "
                            "lord lady sr jr ii iii iv md m d ph phd do rn np pa esq dds dvm dmd "
                            "facs facp mph mba"},
};

/* As a document has it. */
static uint64_t filler_key(const char *word, size_t len)
{
    char small[LONGEST];
    for (size_t i = 0; i < len; i++)
        small[i] = (char)(word[i] | 0x20); /* letters only are looked for */
    return tacit__folded_key(small, len);
}

bool tacit__roles_init(tacit__ledger *roles)
{
    for (size_t i = 0; i < sizeof words_of / sizeof words_of[0]; i++)
        for (const char *word = words_of[i].words; *word;) {
            size_t len = strcspn(word, " ");
            if (!tacit__ledger_capacity(roles, 1))
                return false;
            tacit__ledger_line_of(roles, filler_key(word, len))->value |=
                (uint32_t)words_of[i].role;
            word += len + (word[len] == ' ');
        }
    return true;
}

unsigned tacit__roles_of(const tacit__ledger *roles, const tacit__read_part *word)
{
    uint32_t found = 0;
    if (word->text.len == 0 || word->text.len > LONGEST)
        return 0;
    uint64_t key = word->word ? word->word->key : filler_key(word->text.bytes, word->text.len);
    return tacit__ledger_find(&found, roles, key) ? found : 0;
}

/* ---- disguises ---- */

enum { ATTEMPTS = 64, NEAR = 1 << 11, NEAR_ATTEMPTS = 4 };
_Static_assert((int)NEAR <= (int)TACIT__POOL_SHORT, "every pool has so many");

/* Days that dates move: so far that the nearest number of months and of years is never 0 and
 * no month becomes itself, and not by whole weeks, so that no weekday does. */
enum { DAYS_MIN = 183, DAYS_MAX = 349 };

tacit_status tacit__disguise_new(tacit__disguise **out, tacit_error *err)
{
    tacit__disguise *disguise = tacit__alloc_zeroed(1, sizeof *disguise);
    if (!disguise || !tacit__roles_init(&disguise->roles)) {
        tacit__disguise_free(disguise);
        return tacit__nomem(err);
    }
    *out = disguise;
    return TACIT_OK;
}

void tacit__disguise_free(tacit__disguise *disguise)
{
    if (!disguise)
        return;
    tacit__ledger_clear(&disguise->words);
    tacit__ledger_clear(&disguise->given);
    tacit__ledger_clear(&disguise->spans);
    tacit__ledger_clear(&disguise->roles);
    tacit__strbuf_clear(&disguise->done);
    sodium_memzero(disguise, sizeof *disguise);
    tacit__free(disguise);
}

/* The data holder's key as one for SipHash, made again only where it is another one. */
static void derive_base(tacit__disguise *disguise, const uint8_t *key)
{
    static const uint8_t purpose[] = "tacit scrub 1";
    if (disguise->has_base && memcmp(disguise->holder, key, TACIT_TEXT_KEY_BYTES) == 0)
        return;
    crypto_generichash(disguise->base, sizeof disguise->base, purpose, sizeof purpose, key,
                       TACIT_TEXT_KEY_BYTES);
    memcpy(disguise->holder, key, TACIT_TEXT_KEY_BYTES);
    disguise->has_base = true;
}

static void derive_key(tacit__disguise *disguise, const tacit_scrub_options *options,
                       uint64_t number)
{
    uint8_t message[9] = {options->scope == TACIT_TEXT_DOCUMENT};
    if (options->scope == TACIT_TEXT_DOCUMENT)
        for (int i = 0; i < 8; i++)
            message[1 + i] = (uint8_t)(number >> (8 * i));
    _Static_assert(TACIT__DISGUISE_KEY == crypto_shorthash_siphashx24_BYTES, "128 bits");
    derive_base(disguise, options->key);
    crypto_shorthash_siphashx24(disguise->key, message, sizeof message, disguise->base);
}

static tacit__draws draws_under(const uint8_t *key, tacit__space space, tacit_strview value)
{
    tacit__draws draws;
    uint8_t hash[crypto_shorthash_BYTES];
    _Static_assert(sizeof hash == sizeof draws.state, "64 bits");
    _Static_assert(TACIT__DISGUISE_KEY == crypto_shorthash_KEYBYTES, "128 bits");
    crypto_shorthash(hash, (const uint8_t *)value.bytes, value.len, key);
    memcpy(&draws.state, hash, sizeof hash);
    draws.state += tacit__mix((uint64_t)space + 1);
    return draws;
}

tacit__draws tacit__disguise_draws(const tacit__disguise *disguise, tacit__space space,
                                   tacit_strview value)
{
    return draws_under(disguise->key, space, value);
}

static int nearest(int days, int tenths)
{
    return (10 * days + (days < 0 ? -tenths : tenths) / 2) / tenths;
}

static void draw_days(tacit__disguise *disguise, tacit__draws draws)
{
    int days;
    do
        days = DAYS_MIN + (int)tacit__draw_below(&draws, DAYS_MAX - DAYS_MIN + 1);
    while (days % 7 == 0);
    disguise->has_days = true;
    disguise->days = tacit__draw_below(&draws, 2) ? days : -days;
    disguise->months = nearest(disguise->days, 304);
    disguise->years = nearest(disguise->days, 3652);
}

void tacit__disguise_choose_days(tacit__disguise *disguise)
{
    tacit_strview text = disguise->document ? disguise->document->text : (tacit_strview){0};
    if (!disguise->has_days)
        draw_days(disguise, tacit__disguise_draws(disguise, TACIT__SPACE_DAYS, text));
}

void tacit__disguise_subject(tacit__disguise *disguise, tacit_strview subject)
{
    static const uint8_t purpose[] = "days of a subject";
    uint8_t key[TACIT__DISGUISE_KEY];
    crypto_shorthash_siphashx24(key, purpose, sizeof purpose, disguise->base);
    draw_days(disguise, draws_under(key, TACIT__SPACE_DAYS, subject));
    sodium_memzero(key, sizeof key);
}

void tacit__disguise_begin_beside(tacit__disguise *disguise, const tacit_scrub_options *options,
                                  uint64_t number)
{
    derive_key(disguise, options, number);
    disguise->alone = options->scope == TACIT_TEXT_DOCUMENT;
    disguise->anchor = 0;
    disguise->leaps = false;
    disguise->language = 0;
    uint64_t salt = tacit__disguise_draws(disguise, TACIT__SPACE_DAYS, (tacit_strview){0}).state;
    tacit__ledger_empty(&disguise->words, salt);
    tacit__ledger_empty(&disguise->given, salt);
    tacit__ledger_empty(&disguise->spans, salt);
    disguise->done.len = 0;
    disguise->failed = false;
}

void tacit__disguise_begin(tacit__disguise *disguise, const tacit_scrub_options *options,
                           uint64_t number)
{
    tacit__disguise_begin_beside(disguise, options, number);
    disguise->has_days = false;
}

/* What is noted of a word: whether nothing made up may equal it, since the document has it or a
 * value has become it; and behind this the place in the pool, + 1, of the word that stands for it,
 * or 0. So a word that is replaced costs one look, and one for its replacement. */
enum { LINE_TAKEN = 1, LINE_PLACE = 1 };

/* False where it was taken before. */
static bool take_line(tacit__ledger_line *line)
{
    bool is_free = !(line->value & LINE_TAKEN);
    line->value |= LINE_TAKEN;
    return is_free;
}

/* Whether the word begins with what stays of a word that is replaced, "Mc" or "O'": then what is
 * made up may be in a list all the same. Of a word of one letter that is its second one. */
static inline bool has_prefix(const tacit__document *document, const tacit__word *word)
{
    bool longer = word->end - word->start > 1;
    char second = document->text.bytes[word->start + longer];
    return ((second | 0x20) == 'c') | (second == '\'') | ((unsigned char)second >= 0x80);
}

/* Words of lists hardly ever can: made-up names are in none, and numbers made up are no words of
 * more than a few letters; states and countries can, and those whose lists are a phrase's. Nor can
 * any in lower case, since other values are written with capitals where the text has any. All is
 * computed and nothing guessed, which would be wrong for a word in four. */
static inline bool can_collide(const tacit__document *document, const tacit__word *word)
{
    enum {
        NAMED = 1u << TACIT__LIST_STATE | 1u << TACIT__LIST_COUNTRY,
        FEW = 4 /* letters */
    };
    uint32_t lists = word->entry.lists;
    bool low = (word->shape == TACIT__SHAPE_LOWER) & (document->casing != TACIT__CASING_LOWER);
    bool apart = ((lists & NAMED) | (word->flags & TACIT__WORD_PHRASE)) != 0;
    bool may = apart | (word->end - word->start <= FEW) | has_prefix(document, word);
    return (lists == 0) | (!low & may);
}

enum { STEP = 64 };

/* Notes those of at most STEP words that can collide. All lines are asked for before the first is
 * needed: those of a long text lie far apart. */
static void avoid_some(tacit__ledger *words, const tacit__document *document, size_t from,
                       size_t to)
{
    uint64_t keys[STEP];
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        keys[count] = document->words[i].key;
        count += can_collide(document, &document->words[i]);
    }
    for (size_t i = 0; i < count; i++)
        tacit__ledger_expect(words, keys[i]);
    for (size_t i = 0; i < count; i++)
        take_line(tacit__ledger_line_of(words, keys[i]));
}

/* A ledger that could become full is emptied before, so that it has all words of the piece. */
tacit_status tacit__disguise_avoid(tacit__disguise *disguise, const tacit__document *document,
                                   tacit_error *err)
{
    enum { USUAL = 96 }; /* words noted and made up of a letter */
    tacit__ledger *words = &disguise->words;
    bool full = words->count + document->count > TACIT__LEDGER_MAX / 2;
    if (!tacit__ledger_capacity(words, full ? document->count : USUAL))
        return tacit__nomem(err);
    for (size_t from = 0; from < document->count; from += STEP) {
        size_t to = document->count - from < STEP ? document->count : from + STEP;
        if (!tacit__ledger_capacity(words, STEP))
            return tacit__nomem(err);
        avoid_some(words, document, from, to);
    }
    return TACIT_OK;
}

bool tacit__disguise_take(tacit__disguise *disguise, uint64_t key)
{
    if (tacit__ledger_capacity(&disguise->words, 1))
        return take_line(tacit__ledger_line_of(&disguise->words, key));
    disguise->failed = true;
    return true;
}

bool tacit__disguise_given(uint32_t *given, const tacit__disguise *disguise, uint64_t key)
{
    return tacit__ledger_find(given, &disguise->given, key);
}

void tacit__disguise_give(tacit__disguise *disguise, uint64_t key, uint32_t given)
{
    if (tacit__ledger_capacity(&disguise->given, 1))
        tacit__ledger_note(&disguise->given, key, given);
    else
        disguise->failed = true;
}

/* The part of the pool that words like this one are drawn from. It follows from the word
 * alone, so that it does not matter where in the batch the word comes first. */
typedef enum name_pool { POOL_SURNAMES, POOL_FIRST, POOL_SHORT } name_pool;

/* By the word's lists; what is in none is asked for its letters. */
static name_pool find_pool(const tacit__read_part *part, tacit_strview folded)
{
    tacit__lexicon_entry entry;
    tacit__letters_score score;
    if (tacit__part_lists(&entry, part)) {
        if (tacit__lexicon_in(&entry, TACIT__LIST_NICK))
            return POOL_SHORT;
        return entry.first > entry.surname ? POOL_FIRST : POOL_SURNAMES;
    }
    tacit__letters_read(&score, folded);
    return tacit__letters_ratio(&score, TACIT__LETTERS_FIRST, TACIT__LETTERS_SURNAME) > 0
               ? POOL_FIRST
               : POOL_SURNAMES;
}

/* The same, remembered with the word where it is one of a document. */
static name_pool pool_of(const tacit__disguise *disguise, const tacit__read_part *part,
                         tacit_strview folded)
{
    tacit__habit *habit = NULL;
    if (part->word && disguise->document)
        habit = tacit__habit_find(disguise->document->habits, part->word->key);
    if (!habit)
        return find_pool(part, folded);
    if (!(habit->asked & TACIT__ASKED_POOL)) {
        habit->pool = (uint8_t)find_pool(part, folded);
        habit->asked |= TACIT__ASKED_POOL;
    }
    return (name_pool)habit->pool;
}

static uint32_t draw_place(tacit__draws *draws, name_pool from, bool near)
{
    static const struct {
        uint32_t first, count;
    } shelves[] = {
        [POOL_SURNAMES] = {0, TACIT__POOL_SURNAMES},
        [POOL_FIRST] = {TACIT__POOL_SURNAMES, TACIT__POOL_FIRST},
        [POOL_SHORT] = {TACIT__POOL_SURNAMES + TACIT__POOL_FIRST, TACIT__POOL_SHORT},
    };
    uint32_t count = near ? NEAR : shelves[from].count;
    return shelves[from].first + tacit__draw_below(draws, count);
}

/* Bytes at the start of a folded word that stay: "mc" and "o'" make no name by themselves. */
static size_t prefix_of(tacit_strview folded)
{
    if (folded.len >= 5 && folded.bytes[0] == 'm' && folded.bytes[1] == 'c')
        return 2;
    if (folded.len >= 4 && (folded.bytes[0] == 'o' || folded.bytes[0] == 'd') &&
        folded.bytes[1] == '\'')
        return 2;
    return 0;
}

/* The key of the name behind the word's prefix, as a document would have it. */
static uint64_t alias_key(const tacit__alias *name, tacit_strview word)
{
    char whole[2 + TACIT__LETTERS_LONGEST + 1];
    size_t prefix = prefix_of(word);
    if (prefix == 0)
        return tacit__folded_key(name->letters, name->len);
    memcpy(whole, word.bytes, prefix);
    memcpy(whole + prefix, name->letters, name->len);
    return tacit__folded_key(whole, prefix + name->len);
}

/* Whether the name has the word in it. */
static bool holds(const tacit__alias *name, tacit_strview word)
{
    for (size_t i = 0; i + word.len <= name->len; i++)
        if (name->letters[i] == word.bytes[0] &&
            memcmp(name->letters + i, word.bytes, word.len) == 0)
            return true;
    return false;
}

/* Another initial, and not the word with more around it. */
static bool suits(const tacit__alias *name, tacit_strview word)
{
    return name->letters[0] != word.bytes[prefix_of(word)] && (word.len < 3 || !holds(name, word));
}

/* Draws a name for the word, which has the line. */
static const tacit__alias *choose_word(tacit__disguise *disguise, const tacit__read_part *part,
                                       tacit__ledger_line *line)
{
    tacit__folded folded;
    tacit_strview word = part->text;
    if (tacit__text_fold(&folded, word))
        word = tacit__folded_view(&folded);
    name_pool from = pool_of(disguise, part, word);
    tacit__draws draws = tacit__disguise_draws(disguise, TACIT__SPACE_WORD, word);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint32_t place = draw_place(&draws, from, disguise->alone && attempt < NEAR_ATTEMPTS);
        const tacit__alias *name = &tacit__pool[place];
        if (!suits(name, word) ||
            !take_line(tacit__ledger_line_of(&disguise->words, alias_key(name, word))))
            continue;
        line->value |= (place + 1) << LINE_PLACE;
        return name;
    }
    return NULL;
}

/* Words that are too long to be folded are taken as they are. */
static uint64_t key_of_part(const tacit__read_part *part)
{
    uint64_t key = tacit__part_key(part);
    return key != 0 ? key : tacit__folded_key(part->text.bytes, part->text.len);
}

const tacit__alias *tacit__disguise_word(tacit__disguise *disguise, const tacit__read_part *part)
{
    if (part->text.len == 0)
        return NULL;
    if (!tacit__ledger_capacity(&disguise->words, 2)) { /* for the word and for its replacement */
        disguise->failed = true;
        return NULL;
    }
    tacit__ledger_line *line = tacit__ledger_line_of(&disguise->words, key_of_part(part));
    uint32_t place = line->value >> LINE_PLACE;
    return place > 0 ? &tacit__pool[place - 1] : choose_word(disguise, part, line);
}

/* The same of a word as it is written, with either apostrophe. */
static size_t written_prefix(tacit_strview word)
{
    char first = word.bytes[0] | 0x20;
    if (word.len >= 5 && first == 'm' && (word.bytes[1] | 0x20) == 'c')
        return 2;
    if (word.len < 4 || (first != 'o' && first != 'd'))
        return 0;
    if (word.bytes[1] == '\'')
        return 2;
    return word.len >= 6 && memcmp(word.bytes + 1, "\xE2\x80\x99", 3) == 0 ? 4 : 0;
}

/* Adds a name in another case. Where there is room all of its bytes are copied, however many count:
 * those behind it are zero. */
static void put_alias(tacit__strbuf *out, const tacit__alias *name, tacit__cased cased)
{
    if (out->failed || out->capacity - out->len <= sizeof name->letters ||
        cased == TACIT__CASED_CAPITALS) {
        tacit__put_small(out, name->letters, name->len, cased);
        return;
    }
    char *to = out->bytes + out->len;
    memcpy(to, name->letters, sizeof name->letters);
    to[0] = (char)(to[0] - (cased == TACIT__CASED_CAPITAL) * 0x20);
    out->len += name->len;
}

bool tacit__put_other_word(tacit__strbuf *out, tacit__disguise *disguise,
                           const tacit__read_part *part)
{
    const tacit__alias *name = tacit__disguise_word(disguise, part);
    if (!name)
        return false;
    tacit__put(out, (tacit_strview){.bytes = part->text.bytes, .len = written_prefix(part->text)});
    put_alias(out, name, part->cased);
    return true;
}

void tacit__put_other_digits(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview digits)
{
    tacit__draws draws = tacit__disguise_draws(disguise, TACIT__SPACE_NUMBER, digits);
    size_t from = out->len;
    tacit__put(out, digits);
    if (out->failed || digits.len == 0)
        return;
    char *put = out->bytes + from;
    for (size_t i = 0; i < digits.len; i++)
        put[i] = (char)(i == 0 && digits.len > 1 && digits.bytes[0] != '0'
                            ? '1' + (int)tacit__draw_below(&draws, 9)
                            : '0' + (int)tacit__draw_below(&draws, 10));
    if (memcmp(put, digits.bytes, digits.len) == 0)
        put[digits.len - 1] = put[digits.len - 1] == '9' ? '1' : (char)(put[digits.len - 1] + 1);
}

void tacit__put_other_letter(tacit__strbuf *out, tacit__disguise *disguise,
                             const tacit__read_part *part)
{
    tacit__folded folded;
    tacit_strview value = part->text;
    if (tacit__text_fold(&folded, value))
        value = tacit__folded_view(&folded);
    tacit__draws draws = tacit__disguise_draws(disguise, TACIT__SPACE_LETTER, value);
    char letter = (char)('a' + (int)tacit__draw_below(&draws, 26));
    if (letter == value.bytes[0])
        letter = letter == 'z' ? 'a' : (char)(letter + 1);
    tacit__put_small(out, &letter, 1, part->cased);
}
