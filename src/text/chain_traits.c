/*
 * chain_traits.c - a first look at every word of a document, before evidence is taken of
 * those that may be part of a name: its role, what parts it from the word before, its line, how
 * it occurs elsewhere, and whether it is plain. Plain are lower-case words in text that has
 * capitals, unless a list, a title or capitals beside them speak for a name, and numbers with no
 * capitals beside them: two words of three, which cost a few steps each and part the chain into
 * short stretches.
 */
#include <string.h>

#include "text/chain_evidence.h"

enum { SHORT_WORD = 3, ZIP_DIGITS = 5 };

static void set_trait(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    tacit__trait *trait = &view->traits[i];
    uint16_t tag;
    tacit__memo *memo = tacit__chain_memo(view, word, &tag);
    *trait =
        (tacit__trait){.gap = (uint8_t)(word->before == TACIT__GAP_SPACE ? TACIT__BREAK_NONE
                                                                         : tacit__break_of(word))};
    if (memo && memo->key == word->key && memo->tag == tag) {
        trait->row = memo->row;
        trait->role = memo->role;
        return;
    }
    trait->role = (uint8_t)tacit__role_of(view->document, i);
    if (word->shape != TACIT__SHAPE_DIGITS)
        trait->row = tacit__chain_row(view->model, word->key);
    if (memo)
        *memo = (tacit__memo){.key = word->key, .row = trait->row, .tag = tag, .role = trait->role};
}

static tacit__role role_at(const tacit__chain_view *view, size_t i)
{
    return i < view->document->count ? (tacit__role)view->traits[i].role : TACIT__ROLE_NONE;
}

static bool is_capital(tacit__role role)
{
    return role > TACIT__ROLE_CODE && role < TACIT__ROLE_LOW_TITLE;
}

/* Word i - 1 or i + 1; beyond the ends there is none. */
static bool beside(const tacit__chain_view *view, size_t i, bool (*is)(tacit__role role))
{
    return (i > 0 && is(role_at(view, i - 1))) || is(role_at(view, i + 1));
}

static bool is_capital_or_number(tacit__role role)
{
    return is_capital(role) || role == TACIT__ROLE_NUMBER;
}

/* A particle goes on between capitals or numbers, perhaps with another particle beside it. */
static bool goes_on(const tacit__chain_view *view, size_t i)
{
    size_t after = i + 1, before = i;
    while (role_at(view, after) == TACIT__ROLE_LOW_PARTICLE && after < i + 3)
        after++;
    while (before > 0 && role_at(view, before - 1) == TACIT__ROLE_LOW_PARTICLE && before + 3 > i)
        before--;
    return is_capital_or_number(role_at(view, after)) &&
           (before < i || (i > 0 && is_capital_or_number(role_at(view, i - 1))));
}

static bool may_be_address(tacit__role role)
{
    return (is_capital(role) && role != TACIT__ROLE_MONTH && role != TACIT__ROLE_MEDICAL) ||
           role == TACIT__ROLE_LOW_STREET;
}

static bool may_be_name(const tacit__lexicon_entry *entry)
{
    return entry->first >= TACIT__KNOWN_NAME || entry->surname >= TACIT__KNOWN_NAME;
}

/* A capital or number with no more than a space or a stop between. */
static bool beside_closely(const tacit__chain_view *view, size_t i)
{
    const tacit__trait *trait = &view->traits[i];
    bool before = i > 0 && trait->gap == TACIT__BREAK_NONE && is_capital(role_at(view, i - 1));
    bool after = i + 1 < view->document->count &&
                 (trait[1].gap == TACIT__BREAK_NONE || trait[1].gap == TACIT__BREAK_STOP) &&
                 is_capital_or_number(role_at(view, i + 1));
    return before || after;
}

static bool may_link(tacit__role role)
{
    return role == TACIT__ROLE_NUMBER || role == TACIT__ROLE_CODE ||
           role == TACIT__ROLE_LOW_PARTICLE;
}

/* "98.6", "10:15", "10/26": with one sign between, and nothing else. */
static bool is_joined(const tacit__word *before, const tacit__word *word)
{
    return before->shape == TACIT__SHAPE_DIGITS && word->shape == TACIT__SHAPE_DIGITS &&
           (word->before == TACIT__GAP_STOP || word->before == TACIT__GAP_COLON ||
            word->before == TACIT__GAP_SLASH);
}

/* Numbers of addresses stand beside a capital, or one number or particle further: "26 14 Elm
 * Street", "5 rue Hugo", "MA 02115-3469", "London NW1 6XE". After a colon only a zip code is one.
 */
static bool is_plain_number(const tacit__chain_view *view, size_t i)
{
    const tacit__trait *trait = &view->traits[i];
    const tacit__word *word = &view->document->words[i];
    bool zip = word->end - word->start == ZIP_DIGITS;
    if ((i > 0 && is_joined(word - 1, word)) ||
        (i + 1 < view->document->count && is_joined(word, word + 1)))
        return true;
    if (may_be_address(role_at(view, i + 1)) && trait[1].gap < TACIT__BREAK_SENTENCE)
        return false;
    if (may_link(role_at(view, i + 1)) && may_be_address(role_at(view, i + 2)))
        return false;
    if (i > 0 && may_be_address(role_at(view, i - 1)))
        return trait->gap == TACIT__BREAK_COLON && !zip;
    return !(i > 1 && may_be_address(role_at(view, i - 2)) &&
             (zip || may_link(role_at(view, i - 1))));
}

/* "Dr." and such; but after another title it may be a name, after a name a drive, and in
 * capitals initials. */
static bool is_plain_title(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    if (word->shape == TACIT__SHAPE_INITIAL)
        return true;
    bool close = view->traits[i].gap <= TACIT__BREAK_STOP && i > 0;
    return word->shape == TACIT__SHAPE_CAPITAL && !may_be_name(&word->entry) &&
           !(close && is_capital_or_number(role_at(view, i - 1)));
}

static bool is_named_before(const tacit__chain_view *view, size_t i)
{
    tacit__role before = i > 0 ? role_at(view, i - 1) : TACIT__ROLE_NONE;
    return before == TACIT__ROLE_TITLE || before == TACIT__ROLE_LOW_TITLE ||
           before == TACIT__ROLE_LOW_NAME;
}

/* No capitals beside it within its sentence, nor anyone's relation or title before it. */
static bool stands_alone(const tacit__chain_view *view, size_t i)
{
    tacit__role before = i > 0 ? role_at(view, i - 1) : TACIT__ROLE_NONE;
    bool named =
        is_capital(before) || before == TACIT__ROLE_LOW_KIN || before == TACIT__ROLE_LOW_TITLE;
    return !(named && view->traits[i].gap < TACIT__BREAK_SENTENCE) &&
           role_at(view, i + 1) >= TACIT__ROLE_LOW_TITLE;
}

static bool is_namelike(tacit__role role)
{
    return is_capital(role) && role != TACIT__ROLE_COMMON && role != TACIT__ROLE_MEDICAL &&
           role != TACIT__ROLE_TITLE && role != TACIT__ROLE_MONTH;
}

/* Common words and medical ones with a capital that stand alone, or in a heading in capitals. */
static bool is_plain_common(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    if (word->entry.city >= TACIT__KNOWN_NAME)
        return false;
    return stands_alone(view, i) ||
           (word->shape == TACIT__SHAPE_CAPITALS && word->end - word->start > SHORT_WORD &&
            view->document->casing == TACIT__CASING_USUAL && !beside(view, i, is_namelike));
}

/* Names in lower case: after a title or another name, and after @. */
static bool may_be_low_name(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    return word->before & TACIT__GAP_AT ||
           ((word->entry.first > 0 || word->entry.surname > 0) && is_named_before(view, i));
}

static bool is_plain(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    tacit__role role = (tacit__role)view->traits[i].role;
    if (role >= TACIT__ROLE_LOW_TITLE && may_be_low_name(view, i))
        return false;
    switch (role) {
    case TACIT__ROLE_NUMBER:
    case TACIT__ROLE_CODE: return is_plain_number(view, i);
    case TACIT__ROLE_TITLE: return is_plain_title(view, i);
    case TACIT__ROLE_MONTH: return !may_be_name(&word->entry);
    case TACIT__ROLE_MEDICAL:
    case TACIT__ROLE_COMMON: return is_plain_common(view, i);
    case TACIT__ROLE_LOW_PARTICLE: return !goes_on(view, i);
    case TACIT__ROLE_LOW_STREET:
    case TACIT__ROLE_LOW_CARE: return !beside_closely(view, i);
    case TACIT__ROLE_LOW_UNKNOWN:
        return !is_named_before(view, i) &&
               (word->end - word->start <= SHORT_WORD || !beside_closely(view, i));
    case TACIT__ROLE_LOW_NAME: return false;
    default: return role >= TACIT__ROLE_LOW_TITLE;
    }
}

static unsigned count_bucket(size_t words)
{
    static const uint8_t buckets[] = {0, 0, 1, 2, 3, 4, 4, 5, 5, 5};
    if (words < sizeof buckets)
        return buckets[words];
    return words < 16 ? 6 : 7;
}

/* The words of a line, from first to before end. */
static void set_line(tacit__chain_view *view, size_t first, size_t end)
{
    unsigned line = count_bucket(end - first) | TACIT__LINE_CAPITALS;
    uint32_t key = 0;
    for (size_t i = first; i < end; i++)
        if (view->traits[i].role >= TACIT__ROLE_LOW_TITLE)
            line &= ~(unsigned)TACIT__LINE_CAPITALS;
    for (size_t i = first; i < end; i++) {
        if (i > first && view->document->words[i].before & TACIT__GAP_COLON)
            key = view->traits[i - 1].row;
        view->traits[i].key = key;
        view->traits[i].line = (uint8_t)line;
    }
}

static void set_lines(tacit__chain_view *view)
{
    const tacit__document *document = view->document;
    size_t first = 0;
    for (size_t i = 1; i <= document->count; i++)
        if (i == document->count ||
            document->words[i].before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH)) {
            set_line(view, first, i);
            first = i;
        }
}

/* Where the word is counted, or an empty place. */
static tacit__seen *seen_at(const tacit__chain_view *view, uint64_t key)
{
    uint32_t tag = (uint32_t)(key >> 32) | 1;
    for (uint64_t at = key;; at++) {
        tacit__seen *place = &view->seen[at & (view->seen_count - 1)];
        if (place->tag == 0 || place->tag == tag)
            return place;
    }
}

static void count_up(uint8_t *count)
{
    *count = (uint8_t)(*count + (*count < 2));
}

/* After a title, first name or initial, or before a surname: a name's place. */
static bool in_name(const tacit__chain_view *view, size_t i)
{
    tacit__role before = i > 0 ? role_at(view, i - 1) : TACIT__ROLE_NONE;
    tacit__break gap = (tacit__break)view->traits[i].gap;
    if (gap > TACIT__BREAK_STOP || gap == TACIT__BREAK_COMMA)
        return false;
    return before == TACIT__ROLE_TITLE || before == TACIT__ROLE_LOW_TITLE ||
           before == TACIT__ROLE_FIRST || before == TACIT__ROLE_INITIAL;
}

/* Counts words with capitals that are not plain, then how often each is there in lower case. */
static void see_words(tacit__chain_view *view)
{
    const tacit__document *document = view->document;
    for (size_t i = 0; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        if (view->traits[i].plain || !is_capital((tacit__role)view->traits[i].role))
            continue;
        tacit__seen *place = seen_at(view, word->key);
        place->tag = (uint32_t)(word->key >> 32) | 1;
        if (!(word->flags & TACIT__WORD_SENTENCE) && view->traits[i].gap < TACIT__BREAK_LINE)
            count_up(&place->capital);
        if (in_name(view, i))
            count_up(&place->named);
    }
    for (size_t i = 0; i < document->count; i++)
        if (document->words[i].shape == TACIT__SHAPE_LOWER) {
            tacit__seen *place = seen_at(view, document->words[i].key);
            if (place->tag != 0)
                count_up(&place->lower);
        }
}

unsigned tacit__chain_seen(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    const tacit__seen *place = seen_at(view, word->key);
    if (place->tag == 0)
        return 0;
    bool within = !(word->flags & TACIT__WORD_SENTENCE) && view->traits[i].gap < TACIT__BREAK_LINE;
    return (place->lower > 0 ? 1u : 0u) | (place->capital > (within ? 1 : 0) ? 2u : 0u) |
           (place->named > (in_name(view, i) ? 1 : 0) ? 4u : 0u);
}

static unsigned first_letter(const tacit__chain_view *view, size_t i)
{
    return (unsigned)((view->document->text.bytes[view->document->words[i].start] | 0x20) - 'a');
}

/* The pair of letters of words i and j, or TACIT__INITIALS. */
unsigned tacit__chain_initials(unsigned a, unsigned b)
{
    return a < 26 && b < 26 ? a * 26 + b : TACIT__INITIALS;
}

static void see_initials(tacit__chain_view *view)
{
    for (size_t i = 1; i < view->document->count; i++) {
        if (!is_capital(role_at(view, i)) || view->traits[i].gap > TACIT__BREAK_STOP)
            continue;
        for (size_t back = 1; back <= 2 && back <= i; back++) {
            if (!is_capital(role_at(view, i - back)))
                break;
            unsigned pair =
                tacit__chain_initials(first_letter(view, i - back), first_letter(view, i));
            if (pair < TACIT__INITIALS)
                view->initials[pair / 64] |= UINT64_C(1) << pair % 64;
            if (view->traits[i - back].gap > TACIT__BREAK_STOP)
                break;
        }
    }
}

/* Says which words are plain; how many of the others have capitals. */
static size_t set_plain(tacit__chain_view *view)
{
    size_t capitals = 0;
    for (size_t i = 0; i < view->document->count; i++) {
        bool plain = is_plain(view, i);
        view->traits[i].plain = plain;
        capitals += !plain && is_capital((tacit__role)view->traits[i].role);
    }
    return capitals;
}

/* An empty table, at most half full with so many words in it. */
static void clear_seen(tacit__chain_view *view, size_t words)
{
    for (view->seen_count = 2; view->seen_count < words * 2; view->seen_count *= 2)
        continue;
    memset(view->seen, 0, view->seen_count * sizeof *view->seen);
}

static size_t traits_size(size_t words)
{
    return (words * sizeof(tacit__trait) + 15) / 16 * 16;
}

size_t tacit__chain_view_size(size_t words)
{
    return traits_size(words) + (4 * words + 4) * sizeof(tacit__seen); /* a multiple of 16 */
}

void tacit__chain_view_init(tacit__chain_view *view, const tacit__chain *model,
                            const tacit__document *document, void *memory, tacit__memo *memos)
{
    *view =
        (tacit__chain_view){.model = model, .document = document, .traits = memory, .memos = memos};
    view->seen = (void *)((char *)memory + traits_size(document->count));
    for (size_t i = 0; i < document->count; i++)
        set_trait(view, i);
    set_lines(view);
    clear_seen(view, set_plain(view));
    see_words(view);
    see_initials(view);
}
