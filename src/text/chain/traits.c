/*
 * traits.c - a first look at every word of a document, before evidence is taken of
 * those that may be part of a name: its role, what parts it from the word before, its line, how
 * it occurs elsewhere, and whether it is plain. Plain are lower-case words in text that has
 * capitals, unless a list, a title or capitals beside them speak for a name, and numbers with no
 * capitals beside them: two words of three, which cost a few steps each and part the chain into
 * short stretches.
 *
 * A role (tacit__chain_role) is what a word is to those beside it: the list that says most of it,
 * by what else it may be and whether it has a capital.
 *
 * Three passes: what follows from the word and its line; what follows from the words beside it;
 * and lower-case words, where capitals were seen to compare them with. About 170 instructions a
 * word of letters. Sets of roles are bits of a number, and beyond the ends are words of no role, so
 * that a question about a neighbour is one test.
 */
#include <string.h>

#include "base/bitset.h"
#include "text/chain/model.h"
#include "text/read/document.h"

/* ---- roles, and what parts two words ---- */

enum {
    IN_MEDICAL = TACIT__LISTED_CARE,
    COMMON_WORD = 6 /* a weight of the list of words */
};

typedef struct listed_role {
    uint32_t lists;
    uint8_t role;
} listed_role;

static tacit__chain_role first_listed(uint32_t lists, const listed_role *roles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (lists & roles[i].lists)
            return (tacit__chain_role)roles[i].role;
    return TACIT__ROLE_NONE;
}

#define FIRST_LISTED(lists, roles) first_listed(lists, roles, sizeof(roles) / sizeof(roles)[0])

/* "of", "van": they go on within a name. By their first letter, parted by spaces. */
static bool is_particle(tacit_strview text)
{
    static const char *const particles[26] = {
        ['a' - 'a'] = " al and ",
        ['b' - 'a'] = " bin ",
        ['d' - 'a'] = " da das de del den der des di dos du ",
        ['e' - 'a'] = " e el ",
        ['f' - 'a'] = " for ",
        ['i' - 'a'] = " ibn ",
        ['l' - 'a'] = " la las le los ",
        ['m' - 'a'] = " m ",
        ['n' - 'a'] = " na nad ",
        ['o' - 'a'] = " of ",
        ['r' - 'a'] = " rue ",
        ['s' - 'a'] = " st ",
        ['t' - 'a'] = " ten ter the ",
        ['u' - 'a'] = " u ul ",
        ['v' - 'a'] = " van vom von ",
        ['y' - 'a'] = " y ",
        ['z' - 'a'] = " zum ",
    };
    if (text.len > 3 || text.bytes[0] < 'a' || text.bytes[0] > 'z')
        return false;
    const char *at = particles[text.bytes[0] - 'a'];
    for (; at; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, text.bytes, text.len) == 0 && at[1 + text.len] == ' ')
            return true;
    return false;
}

static tacit__chain_role lower_role(const tacit__document *document, const tacit__word *word)
{
    static const listed_role roles[] = {
        {TACIT__LISTED(TITLE), TACIT__ROLE_LOW_TITLE},
        {TACIT__LISTED(KIN), TACIT__ROLE_LOW_KIN},
        {TACIT__LISTED(HOSPITAL) | TACIT__LISTED(ORGANIZATION), TACIT__ROLE_LOW_CARE},
        {TACIT__LISTED(STREET), TACIT__ROLE_LOW_STREET},
        {TACIT__LISTED(OCCUPATION), TACIT__ROLE_LOW_OCCUPATION},
        {IN_MEDICAL, TACIT__ROLE_LOW_MEDICAL}};
    const tacit__lexicon_entry *entry = &word->entry;
    if (is_particle(tacit__word_text(document, word)))
        return TACIT__ROLE_LOW_PARTICLE;
    if (entry->lists & (TACIT__LISTED(TITLE) | TACIT__LISTED(KIN) | TACIT__LISTED(HOSPITAL) |
                        TACIT__LISTED(ORGANIZATION) | TACIT__LISTED(STREET) |
                        TACIT__LISTED(OCCUPATION) | IN_MEDICAL))
        return FIRST_LISTED(entry->lists, roles);
    if (entry->word >= COMMON_WORD)
        return TACIT__ROLE_LOW_COMMON;
    if (entry->lists & TACIT__LISTED(VERB))
        return TACIT__ROLE_LOW_VERB;
    if (entry->word > 0 || entry->lists & (TACIT__LISTED(WORD) | TACIT__LISTED(BRAND)))
        return TACIT__ROLE_LOW_WORD;
    return entry->lists != 0 ? TACIT__ROLE_LOW_NAME : TACIT__ROLE_LOW_UNKNOWN;
}

/* The role of a word that some list of names has, or NONE where it is more of a word. */
static tacit__chain_role name_role(const tacit__lexicon_entry *entry)
{
    int first = entry->first, surname = entry->surname;
    int name = first > surname ? first : surname;
    if (entry->lists & TACIT__LISTED(BRAND) && name < TACIT__KNOWN_NAME)
        return TACIT__ROLE_BRAND;
    if (name == 0 || (entry->word > 0 && name < TACIT__KNOWN_NAME))
        return TACIT__ROLE_NONE;
    if (entry->word > 0)
        return TACIT__ROLE_NAME_WORD;
    if (entry->city >= TACIT__KNOWN_NAME ||
        entry->lists & (TACIT__LISTED(STATE) | TACIT__LISTED(COUNTRY)))
        return TACIT__ROLE_CITY_NAME;
    if (first >= surname + 2)
        return TACIT__ROLE_FIRST;
    return surname >= first + 2 ? TACIT__ROLE_SURNAME : TACIT__ROLE_BOTH;
}

static tacit__chain_role word_role(const tacit__word *word)
{
    static const listed_role roles[] = {{TACIT__LISTED(CITY), TACIT__ROLE_CITY},
                                        {TACIT__LISTED(PLACE), TACIT__ROLE_PLACE},
                                        {TACIT__LISTED(EPONYM), TACIT__ROLE_EPONYM},
                                        {IN_MEDICAL, TACIT__ROLE_MEDICAL},
                                        {TACIT__LISTED(OCCUPATION), TACIT__ROLE_OCCUPATION}};
    const tacit__lexicon_entry *entry = &word->entry;
    if (entry->word >= COMMON_WORD)
        return TACIT__ROLE_COMMON;
    tacit__chain_role role = FIRST_LISTED(entry->lists, roles);
    if (role != TACIT__ROLE_NONE)
        return role;
    if (entry->lists & TACIT__LISTED(WORD))
        return TACIT__ROLE_WORD;
    if (entry->lists != 0)
        return TACIT__ROLE_PROPER;
    return word->shape == TACIT__SHAPE_CAPITALS ? TACIT__ROLE_CAPITALS : TACIT__ROLE_UNKNOWN;
}

static bool is_state_code(const tacit__word *word, tacit__casing casing)
{
    return word->entry.lists & TACIT__LISTED(STATE_CODE) &&
           (word->entry.word == 0 ||
            (word->shape == TACIT__SHAPE_CAPITALS && casing == TACIT__CASING_USUAL));
}

/* The role of a word with a capital, or of any in text that has none or nothing else. */
static tacit__chain_role capital_role(const tacit__word *word, tacit__casing casing)
{
    static const listed_role roles[] = {
        {TACIT__LISTED(TITLE), TACIT__ROLE_TITLE},
        {TACIT__LISTED(MONTH) | TACIT__LISTED(WEEKDAY), TACIT__ROLE_MONTH},
        {TACIT__LISTED(STREET), TACIT__ROLE_STREET},
        {TACIT__LISTED(HOSPITAL), TACIT__ROLE_HOSPITAL},
        {TACIT__LISTED(ORGANIZATION), TACIT__ROLE_ORGANIZATION},
        {TACIT__LISTED(UNIVERSITY), TACIT__ROLE_UNIVERSITY},
        {TACIT__LISTED(KIN), TACIT__ROLE_KIN},
        {TACIT__LISTED(NATIONALITY), TACIT__ROLE_NATIONALITY},
    };
    static const listed_role lands[] = {{TACIT__LISTED(STATE), TACIT__ROLE_STATE},
                                        {TACIT__LISTED(COUNTRY), TACIT__ROLE_COUNTRY}};
    const tacit__lexicon_entry *entry = &word->entry;
    if (is_state_code(word, casing))
        return TACIT__ROLE_STATE_CODE;
    tacit__chain_role role = FIRST_LISTED(entry->lists, roles);
    if (role == TACIT__ROLE_NONE)
        role = name_role(entry);
    if (role == TACIT__ROLE_NONE ||
        (role == TACIT__ROLE_CITY_NAME && entry->first < TACIT__KNOWN_NAME)) {
        tacit__chain_role land = FIRST_LISTED(entry->lists, lands);
        role = land != TACIT__ROLE_NONE ? land : role;
    }
    return role != TACIT__ROLE_NONE ? role : word_role(word);
}

/* "I" and "A" are initials only before a stop. */
static tacit__chain_role initial_role(const tacit__document *document, size_t i)
{
    char letter = document->text.bytes[document->words[i].start];
    bool stop = i + 1 < document->count && document->words[i + 1].before & TACIT__GAP_STOP;
    return (letter == 'I' || letter == 'A') && !stop ? TACIT__ROLE_COMMON : TACIT__ROLE_INITIAL;
}

/* "Nguyen, M.D.": two initials, a stop between them, after a comma. */
static bool is_credential(const tacit__document *document, size_t i)
{
    const tacit__word *word = &document->words[i];
    if (i > 0 && word[-1].shape == TACIT__SHAPE_INITIAL && word->before == TACIT__GAP_STOP)
        return word[-1].before & TACIT__GAP_COMMA;
    return word->before & TACIT__GAP_COMMA && i + 1 < document->count &&
           word[1].shape == TACIT__SHAPE_INITIAL && word[1].before == TACIT__GAP_STOP;
}

static tacit__chain_role role_of(const tacit__document *document, size_t i)
{
    const tacit__word *word = &document->words[i];
    switch (word->shape) {
    case TACIT__SHAPE_DIGITS: return TACIT__ROLE_NUMBER;
    case TACIT__SHAPE_BOTH: return TACIT__ROLE_CODE;
    case TACIT__SHAPE_INITIAL:
        return is_credential(document, i) ? TACIT__ROLE_TITLE : initial_role(document, i);
    case TACIT__SHAPE_LOWER:
        if (document->casing == TACIT__CASING_USUAL)
            return lower_role(document, word);
        break;
    default: break;
    }
    return capital_role(word, document->casing);
}

tacit__break tacit__break_of(const tacit__word *word)
{
    unsigned gap = word->before;
    if (gap == TACIT__GAP_SPACE)
        return TACIT__BREAK_NONE;
    if (gap & TACIT__GAP_PARAGRAPH)
        return TACIT__BREAK_PARAGRAPH;
    if (word->flags & TACIT__WORD_SENTENCE || gap & TACIT__GAP_END)
        return TACIT__BREAK_SENTENCE;
    if (gap & TACIT__GAP_LINE)
        return gap & TACIT__GAP_COMMA ? TACIT__BREAK_COMMA_LINE : TACIT__BREAK_LINE;
    if (gap & TACIT__GAP_COLON)
        return TACIT__BREAK_COLON;
    if (gap & TACIT__GAP_COMMA)
        return TACIT__BREAK_COMMA;
    if (gap & (TACIT__GAP_BRACKET | TACIT__GAP_AT | TACIT__GAP_OTHER))
        return TACIT__BREAK_OTHER;
    if (gap & TACIT__GAP_STOP)
        return TACIT__BREAK_STOP;
    if (gap & TACIT__GAP_QUOTE)
        return TACIT__BREAK_QUOTE;
    if (gap & (TACIT__GAP_HYPHEN | TACIT__GAP_SLASH))
        return gap & TACIT__GAP_SPACE ? TACIT__BREAK_OTHER : TACIT__BREAK_TIGHT;
    return TACIT__BREAK_NONE;
}

/* ---- traits ---- */

enum { SHORT_WORD = 3, ZIP_DIGITS = 5 };

#define ROLE(name) (UINT64_C(1) << TACIT__ROLE_##name)

_Static_assert(TACIT__ROLES <= 64, "sets of roles are bits of a number");

#define CAPITAL_ROLES \
    (ROLE(LOW_TITLE) - ROLE(INITIAL)) /* all from the second to before the first */
#define CAPITAL_OR_NUMBER (CAPITAL_ROLES | ROLE(NUMBER))
#define ADDRESS_ROLES     ((CAPITAL_ROLES & ~(ROLE(MONTH) | ROLE(MEDICAL))) | ROLE(LOW_STREET))
#define LINK_ROLES        (ROLE(NUMBER) | ROLE(CODE) | ROLE(LOW_PARTICLE))
#define NAMELIKE_ROLES    (CAPITAL_ROLES & ~(ROLE(COMMON) | ROLE(MEDICAL) | ROLE(TITLE) | ROLE(MONTH)))
#define TITLE_ROLES       (ROLE(TITLE) | ROLE(LOW_TITLE))
#define LOW_ROLES         (~UINT64_C(0) << TACIT__ROLE_LOW_TITLE)
#define NEVER_PLAIN       (CAPITAL_ROLES & ~(ROLE(TITLE) | ROLE(MONTH) | ROLE(MEDICAL) | ROLE(COMMON)))
/* Lower case, and plain unless a title, a name or a sign is before it. */
#define MOSTLY_PLAIN                                                                         \
    (LOW_ROLES & ~(ROLE(LOW_PARTICLE) | ROLE(LOW_STREET) | ROLE(LOW_CARE) | ROLE(LOW_NAME) | \
                   ROLE(LOW_UNKNOWN)))

static bool is(const tacit__trait *trait, uint64_t roles)
{
    return roles >> trait->role & 1;
}

/* A word that is remembered. */
static void set_known(const tacit__chain_view *view, tacit__trait *trait, const tacit__word *word,
                      tacit__habit *habit)
{
    unsigned form = tacit__form_of(word, view->document->casing);
    unsigned way = tacit__habit_way(habit, form);
    if (!(habit->asked & TACIT__ASKED_ROW)) {
        habit->row = tacit__chain_row(view->model, word->key);
        habit->asked |= TACIT__ASKED_ROW;
    }
    if (way == 2) {
        size_t i = (size_t)(word - view->document->words);
        tacit__habit_keep(habit, form, (unsigned)role_of(view->document, i));
        way = 0;
    }
    trait->row = habit->row;
    trait->role = habit->role[way] & TACIT__MEMO_ROLE;
}

/* The role of any word; of those of phrases it is remembered. */
static unsigned find_role(const tacit__chain_view *view, const tacit__word *word)
{
    size_t i = (size_t)(word - view->document->words);
    if (!view->memory || !(word->flags & TACIT__WORD_PHRASE) || word->flags & TACIT__WORD_FOREIGN ||
        word->shape >= TACIT__SHAPE_INITIAL)
        return (unsigned)role_of(view->document, i);
    tacit__memo *memo = tacit__memory_memo(view->memory, word);
    unsigned form = tacit__long_form_of(word, view->document->casing, 0);
    if (!tacit__memo_is(memo, word, form))
        tacit__memo_keep(memo, word, form, (unsigned)role_of(view->document, i));
    return memo->role & TACIT__MEMO_ROLE;
}

static void set_role(const tacit__chain_view *view, tacit__trait *trait, const tacit__word *word)
{
    if (word->shape == TACIT__SHAPE_DIGITS) {
        trait->row = 0;
        trait->role = TACIT__ROLE_NUMBER;
        return;
    }
    tacit__habit *habit = tacit__memory_habit(view->habits, word);
    if (habit) {
        set_known(view, trait, word, habit);
        return;
    }
    trait->row = tacit__chain_row(view->model, word->key);
    trait->role = (uint8_t)find_role(view, word);
}

static unsigned count_bucket(size_t words)
{
    static const uint8_t buckets[] = {0, 0, 1, 2, 3, 4, 4, 5, 5, 5};
    if (words < sizeof buckets)
        return buckets[words];
    return words < 16 ? 6 : 7;
}

/* The words of a line, from first to before end, of which some may be in lower case. */
static void set_line(tacit__trait *first, const tacit__trait *end, bool low)
{
    unsigned capitals = low ? 0 : TACIT__LINE_CAPITALS;
    unsigned line = count_bucket((size_t)(end - first)) | capitals;
    for (; first < end; first++)
        first->line = (uint8_t)line;
}

static bool is_named_before(const tacit__trait *trait)
{
    return is(trait - 1, TITLE_ROLES | ROLE(LOW_NAME));
}

/* Most words are plain by their role and what is before them. */
static bool is_plain_at_once(const tacit__trait *trait)
{
    return is(trait, MOSTLY_PLAIN) & (trait->gap == TACIT__BREAK_NONE) & !is_named_before(trait);
}

/* What follows from the word and its line. How many words have capitals. */
static size_t read_words(tacit__chain_view *view)
{
    enum { PARTS = TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_COLON };
    const tacit__word *word = view->document->words, *end = word + view->document->count;
    const tacit__chain *model = view->model;
    tacit__trait *trait = view->traits, *line = trait;
    bool low = false; /* some of the line's words are in lower case */
    uint32_t key = 0;
    size_t capitals = 0;
    uint64_t open = 0; /* of the last 64 words at most */
    for (; word < end; word++, trait++) {
        if (view->habits)
            tacit__habit_expect(view->habits, word[TACIT__CUT_AHEAD].key);
        if (word->before & PARTS) {
            if (word->before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH)) {
                set_line(line, trait, low);
                line = trait;
                low = false;
                key = 0;
            } else if (trait > line)
                key = trait[-1].row;
        }
        trait->key = key;
        trait->seen = 0;
        trait->gap = tacit__break_at(model, word);
        set_role(view, trait, word);
        trait->flags = 0;
        size_t i = (size_t)(trait - view->traits);
        open = i % 64 == 0 ? 0 : open;
        open |= (uint64_t)!is_plain_at_once(trait) << i % 64;
        view->open[i / 64] = open;
        low |= trait->role >= TACIT__ROLE_LOW_TITLE;
        capitals += is(trait, CAPITAL_ROLES);
    }
    set_line(line, trait, low);
    return capitals;
}

/* A particle goes on between capitals or numbers, perhaps with another particle beside it. */
static bool goes_on(const tacit__trait *trait)
{
    const tacit__trait *after = trait + 1;
    while (is(after, ROLE(LOW_PARTICLE)) && after < trait + 3)
        after++;
    return is(after, CAPITAL_OR_NUMBER) && is(trait - 1, CAPITAL_OR_NUMBER | ROLE(LOW_PARTICLE));
}

static bool may_be_name(const tacit__lexicon_entry *entry)
{
    return entry->first >= TACIT__KNOWN_NAME || entry->surname >= TACIT__KNOWN_NAME;
}

/* A capital or number with no more than a space or a stop between. */
static bool beside_closely(const tacit__trait *trait)
{
    return (trait->gap == TACIT__BREAK_NONE && is(trait - 1, CAPITAL_ROLES)) ||
           ((trait[1].gap == TACIT__BREAK_NONE || trait[1].gap == TACIT__BREAK_STOP) &&
            is(trait + 1, CAPITAL_OR_NUMBER));
}

/* "98.6", "10:15", "10/26": a number after another with one sign between, and nothing else. */
static bool is_joined(const tacit__trait *trait, const tacit__word *word)
{
    return is(trait - 1, ROLE(NUMBER)) && is(trait, ROLE(NUMBER)) &&
           (word->before == TACIT__GAP_STOP || word->before == TACIT__GAP_COLON ||
            word->before == TACIT__GAP_SLASH);
}

/* Numbers of addresses stand beside a capital, or one number or particle further: "26 14 Elm
 * Street", "5 rue Hugo", "MA 02115-3469", "London NW1 6XE". After a colon only a zip code is one.
 */
static bool is_plain_number(const tacit__trait *trait, const tacit__word *word)
{
    bool zip = word->end - word->start == ZIP_DIGITS;
    if (is_joined(trait, word) || is_joined(trait + 1, word + 1))
        return true;
    if (is(trait + 1, ADDRESS_ROLES) && trait[1].gap < TACIT__BREAK_SENTENCE)
        return false;
    if (is(trait + 1, LINK_ROLES) && is(trait + 2, ADDRESS_ROLES))
        return false;
    if (is(trait - 1, ADDRESS_ROLES))
        return trait->gap == TACIT__BREAK_COLON && !zip;
    return !(is(trait - 2, ADDRESS_ROLES) && (zip || is(trait - 1, LINK_ROLES)));
}

/* "Dr." and such; but after another title it may be a name, after a name a drive, and in
 * capitals initials. */
static bool is_plain_title(const tacit__trait *trait, const tacit__word *word)
{
    if (word->shape == TACIT__SHAPE_INITIAL)
        return true;
    return word->shape == TACIT__SHAPE_CAPITAL && !may_be_name(&word->entry) &&
           !(trait->gap <= TACIT__BREAK_STOP && is(trait - 1, CAPITAL_OR_NUMBER));
}

/* No capitals beside it within its sentence, nor anyone's relation or title before it. */
static bool stands_alone(const tacit__trait *trait)
{
    bool named = is(trait - 1, CAPITAL_ROLES | ROLE(LOW_KIN) | ROLE(LOW_TITLE));
    return !(named && trait->gap < TACIT__BREAK_SENTENCE) && is(trait + 1, LOW_ROLES);
}

/* Common words and medical ones with a capital that stand alone, or in a heading in capitals. */
static bool is_plain_common(const tacit__trait *trait, const tacit__word *word,
                            tacit__casing casing)
{
    if (word->entry.city >= TACIT__KNOWN_NAME)
        return false;
    return stands_alone(trait) ||
           (word->shape == TACIT__SHAPE_CAPITALS && word->end - word->start > SHORT_WORD &&
            casing == TACIT__CASING_USUAL && !is(trait - 1, NAMELIKE_ROLES) &&
            !is(trait + 1, NAMELIKE_ROLES));
}

/* Names in lower case: after a title or another name, and after @. */
static bool may_be_low_name(const tacit__trait *trait, const tacit__word *word)
{
    return word->before & TACIT__GAP_AT ||
           ((word->entry.first > 0 || word->entry.surname > 0) && is_named_before(trait));
}

static bool is_plain(const tacit__trait *trait, const tacit__word *word, tacit__casing casing)
{
    if (is(trait, NEVER_PLAIN) || (is(trait, LOW_ROLES) && may_be_low_name(trait, word)))
        return false;
    switch ((tacit__chain_role)trait->role) {
    case TACIT__ROLE_NUMBER:
    case TACIT__ROLE_CODE: return is_plain_number(trait, word);
    case TACIT__ROLE_TITLE: return is_plain_title(trait, word);
    case TACIT__ROLE_MONTH: return !may_be_name(&word->entry);
    case TACIT__ROLE_MEDICAL:
    case TACIT__ROLE_COMMON: return is_plain_common(trait, word, casing);
    case TACIT__ROLE_LOW_PARTICLE: return !goes_on(trait);
    case TACIT__ROLE_LOW_STREET:
    case TACIT__ROLE_LOW_CARE: return !beside_closely(trait);
    case TACIT__ROLE_LOW_UNKNOWN:
        return !is_named_before(trait) &&
               (word->end - word->start <= SHORT_WORD || !beside_closely(trait));
    default: return is(trait, MOSTLY_PLAIN);
    }
}

/* After a title, first name or initial: a name's place. */
static bool in_name(const tacit__trait *trait)
{
    return trait->gap <= TACIT__BREAK_STOP && trait->gap != TACIT__BREAK_COMMA &&
           is(trait - 1, TITLE_ROLES | ROLE(FIRST) | ROLE(INITIAL));
}

static unsigned flags_of(const tacit__trait *trait, const tacit__word *word)
{
    bool within = !(word->flags & TACIT__WORD_SENTENCE) && trait->gap < TACIT__BREAK_LINE;
    return (within ? (unsigned)TACIT__TRAIT_WITHIN : 0) |
           (in_name(trait) ? (unsigned)TACIT__TRAIT_NAMED : 0);
}

/* The number of the place where the word is counted, or of an empty one; mask is that of the
 * places but the first. */
static uint32_t seen_at(const tacit__chain_seen *seen, size_t mask, uint64_t key)
{
    uint32_t tag = (uint32_t)(key >> 32) | 1;
    for (uint64_t at = key;; at++) {
        size_t place = 1 + (at & mask);
        if (seen[place].tag == 0 || seen[place].tag == tag)
            return (uint32_t)place;
    }
}

/* The bit of a key, of seen_count bytes of them: most words that are not seen are told by it, as
 * one in sixteen is set at most. */
static inline size_t seen_bit(size_t seen_count, uint64_t key)
{
    return (size_t)(key >> 24) & (8 * seen_count - 1);
}

static void see_capital(tacit__chain_view *view, tacit__trait *trait, uint64_t key)
{
    trait->seen = seen_at(view->seen, view->seen_count - 1, key);
    tacit__chain_seen *place = &view->seen[trait->seen];
    size_t bit = seen_bit(view->seen_count, key);
    view->seen_bits[bit / 8] |= (uint8_t)(1u << bit % 8);
    place->tag = (uint32_t)(key >> 32) | 1;
    place->twice |= place->once & trait->flags;
    place->once |= trait->flags;
}

/* The pair of letters, from 0, a, or TACIT__INITIALS; that bit is cleared in the end. */
unsigned tacit__chain_initials(unsigned a, unsigned b)
{
    return a < 26 && b < 26 ? a * 26 + b : TACIT__INITIALS;
}

/* The first letters of up to two words with capitals before one, from 0, a; what is beyond z is no
 * letter. */
typedef struct letters_before {
    unsigned count, letters[2]; /* the nearest first */
} letters_before;

/* The letters of a word with a capital and of those before it, if they have one too. */
static void see_initials(tacit__chain_view *view, letters_before *before, const tacit__trait *trait,
                         const tacit__word *word)
{
    unsigned letter = (unsigned)((view->document->text.bytes[word->start] | 0x20) - 'a');
    if (trait->gap > TACIT__BREAK_STOP)
        before->count = 0;
    for (unsigned i = 0; i < before->count; i++) {
        unsigned pair = tacit__chain_initials(before->letters[i], letter);
        view->initials[pair / 64] |= UINT64_C(1) << pair % 64;
    }
    before->letters[1] = before->letters[0];
    before->letters[0] = letter;
    before->count += before->count < 2;
}

/* What follows from the words beside one that is not plain at once; false where it is plain all the
 * same. */
static bool compare_word(tacit__chain_view *view, letters_before *before, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    tacit__trait *trait = &view->traits[i];
    bool capital = is(trait, CAPITAL_ROLES);
    if (capital)
        see_initials(view, before, trait, word);
    else
        before->count = 0;
    if (is_plain(trait, word, view->document->casing))
        return false;
    trait->flags = (uint8_t)flags_of(trait, word);
    if (capital)
        see_capital(view, trait, word->key);
    return true;
}

/* Goes from one word that is not plain to the next by bits, so that nothing need be guessed of
 * those between. */
static void compare_words(tacit__chain_view *view)
{
    letters_before before = {0};
    size_t next = 0, words = tacit__bitset_words((int64_t)view->document->count);
    for (size_t from = 0; from < words; from++)
        for (uint64_t left = view->open[from]; left != 0; left &= left - 1) {
            size_t i = from * 64 + (size_t)__builtin_ctzll(left);
            if (i != next)
                before.count = 0;
            next = i + 1;
            bool open = compare_word(view, &before, i);
            view->open[from] &= ~((uint64_t)!open << i % 64);
        }
    view->initials[TACIT__INITIALS / 64] &= ~(UINT64_C(1) << TACIT__INITIALS % 64);
}

/* Which of at most 64 words are in lower case and may be there with capitals, a bit each. */
static uint64_t maybe_seen(const tacit__chain_view *view, size_t from)
{
    const tacit__word *words = view->document->words + from;
    size_t count = tacit__bitset_share(from, view->document->count);
    uint64_t maybe = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bit = seen_bit(view->seen_count, words[i].key);
        bool seen = view->seen_bits[bit / 8] >> bit % 8 & 1;
        maybe |= (uint64_t)(seen & (words[i].shape == TACIT__SHAPE_LOWER)) << i;
    }
    return maybe;
}

/* How often words with capitals that are not plain are there in lower case. */
static void see_lower(tacit__chain_view *view)
{
    const tacit__word *words = view->document->words;
    tacit__chain_seen *seen = view->seen;
    for (size_t from = 0; from < view->document->count; from += 64)
        for (uint64_t left = maybe_seen(view, from); left != 0; left &= left - 1) {
            size_t i = from + (size_t)__builtin_ctzll(left);
            uint32_t place = seen_at(seen, view->seen_count - 1, words[i].key);
            if (seen[place].tag != 0) {
                seen[place].once |= TACIT__SEEN_LOWER;
                view->traits[i].seen = place;
            }
        }
}

/* An empty table, at most half full with so many words in it. */
static void clear_seen(tacit__chain_view *view, size_t words)
{
    for (view->seen_count = 2; view->seen_count < words * 2; view->seen_count *= 2)
        continue;
    memset(view->seen, 0, (1 + view->seen_count) * sizeof *view->seen);
    memset(view->seen_bits, 0, view->seen_count);
}

static void set_beyond(tacit__trait *traits)
{
    for (size_t i = 0; i < TACIT__BEYOND; i++)
        traits[i] = (tacit__trait){.role = TACIT__ROLE_NONE, .gap = TACIT__BREAK_PARAGRAPH};
}

static size_t traits_size(size_t words)
{
    return (words + 2 * (size_t)TACIT__BEYOND) * sizeof(tacit__trait);
}

static size_t open_size(size_t words)
{
    return tacit__bitset_words((int64_t)words) * sizeof(uint64_t);
}

size_t tacit__chain_view_size(size_t words)
{
    size_t places = 4 * words + 4;
    return traits_size(words) + open_size(words) + places * (sizeof(tacit__chain_seen) + 1);
}

void tacit__chain_view_init(tacit__chain_view *view, const tacit__chain *model,
                            const tacit__document *document, void *room,
                            tacit__chain_memory *memory)
{
    *view = (tacit__chain_view){.model = model, .document = document, .memory = memory};
    if (memory)
        view->habits = document->habits;
    view->traits = (tacit__trait *)room + TACIT__BEYOND;
    view->open = (void *)((char *)room + traits_size(document->count));
    view->seen = (void *)((char *)view->open + open_size(document->count));
    view->seen_bits = (uint8_t *)(view->seen + (4 * document->count + 4));
    set_beyond(room);
    set_beyond(view->traits + document->count);
    size_t capitals = read_words(view);
    clear_seen(view, capitals);
    compare_words(view);
    if (capitals > 0)
        see_lower(view);
}
