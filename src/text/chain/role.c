/*
 * role.c - what a word is to those beside it (tacit__chain_role): the list that says most of
 * it, by what else it may be and whether it has a capital; and what parts two words.
 */
#include <string.h>

#include "text/chain/evidence.h"

#define LIST(name) (UINT32_C(1) << TACIT__LIST_##name)

enum {
    IN_MEDICAL = LIST(DISEASE) | LIST(DRUG) | LIST(BODY) | LIST(MEDICAL),
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
    static const listed_role roles[] = {{LIST(TITLE), TACIT__ROLE_LOW_TITLE},
                                        {LIST(KIN), TACIT__ROLE_LOW_KIN},
                                        {LIST(HOSPITAL) | LIST(ORGANIZATION), TACIT__ROLE_LOW_CARE},
                                        {LIST(STREET), TACIT__ROLE_LOW_STREET},
                                        {LIST(OCCUPATION), TACIT__ROLE_LOW_OCCUPATION},
                                        {IN_MEDICAL, TACIT__ROLE_LOW_MEDICAL}};
    const tacit__lexicon_entry *entry = &word->entry;
    if (is_particle(tacit__word_text(document, word)))
        return TACIT__ROLE_LOW_PARTICLE;
    if (entry->lists & (LIST(TITLE) | LIST(KIN) | LIST(HOSPITAL) | LIST(ORGANIZATION) |
                        LIST(STREET) | LIST(OCCUPATION) | IN_MEDICAL))
        return FIRST_LISTED(entry->lists, roles);
    if (entry->word >= COMMON_WORD)
        return TACIT__ROLE_LOW_COMMON;
    if (entry->lists & LIST(VERB))
        return TACIT__ROLE_LOW_VERB;
    if (entry->word > 0 || entry->lists & (LIST(WORD) | LIST(BRAND)))
        return TACIT__ROLE_LOW_WORD;
    return entry->lists != 0 ? TACIT__ROLE_LOW_NAME : TACIT__ROLE_LOW_UNKNOWN;
}

/* The role of a word that some list of names has, or NONE where it is more of a word. */
static tacit__chain_role name_role(const tacit__lexicon_entry *entry)
{
    int first = entry->first, surname = entry->surname;
    int name = first > surname ? first : surname;
    if (entry->lists & LIST(BRAND) && name < TACIT__KNOWN_NAME)
        return TACIT__ROLE_BRAND;
    if (name == 0 || (entry->word > 0 && name < TACIT__KNOWN_NAME))
        return TACIT__ROLE_NONE;
    if (entry->word > 0)
        return TACIT__ROLE_NAME_WORD;
    if (entry->city >= TACIT__KNOWN_NAME || entry->lists & (LIST(STATE) | LIST(COUNTRY)))
        return TACIT__ROLE_CITY_NAME;
    if (first >= surname + 2)
        return TACIT__ROLE_FIRST;
    return surname >= first + 2 ? TACIT__ROLE_SURNAME : TACIT__ROLE_BOTH;
}

static tacit__chain_role word_role(const tacit__word *word)
{
    static const listed_role roles[] = {{LIST(CITY), TACIT__ROLE_CITY},
                                        {LIST(PLACE), TACIT__ROLE_PLACE},
                                        {LIST(EPONYM), TACIT__ROLE_EPONYM},
                                        {IN_MEDICAL, TACIT__ROLE_MEDICAL},
                                        {LIST(OCCUPATION), TACIT__ROLE_OCCUPATION}};
    const tacit__lexicon_entry *entry = &word->entry;
    if (entry->word >= COMMON_WORD)
        return TACIT__ROLE_COMMON;
    tacit__chain_role role = FIRST_LISTED(entry->lists, roles);
    if (role != TACIT__ROLE_NONE)
        return role;
    if (entry->lists & LIST(WORD))
        return TACIT__ROLE_WORD;
    if (entry->lists != 0)
        return TACIT__ROLE_PROPER;
    return word->shape == TACIT__SHAPE_CAPITALS ? TACIT__ROLE_CAPITALS : TACIT__ROLE_UNKNOWN;
}

static bool is_state_code(const tacit__word *word, tacit__casing casing)
{
    return word->entry.lists & LIST(STATE_CODE) &&
           (word->entry.word == 0 ||
            (word->shape == TACIT__SHAPE_CAPITALS && casing == TACIT__CASING_USUAL));
}

/* The role of a word with a capital, or of any in text that has none or nothing else. */
static tacit__chain_role capital_role(const tacit__word *word, tacit__casing casing)
{
    static const listed_role roles[] = {
        {LIST(TITLE), TACIT__ROLE_TITLE},
        {LIST(MONTH) | LIST(WEEKDAY), TACIT__ROLE_MONTH},
        {LIST(STREET), TACIT__ROLE_STREET},
        {LIST(HOSPITAL), TACIT__ROLE_HOSPITAL},
        {LIST(ORGANIZATION), TACIT__ROLE_ORGANIZATION},
        {LIST(UNIVERSITY), TACIT__ROLE_UNIVERSITY},
        {LIST(KIN), TACIT__ROLE_KIN},
        {LIST(NATIONALITY), TACIT__ROLE_NATIONALITY},
    };
    static const listed_role lands[] = {{LIST(STATE), TACIT__ROLE_STATE},
                                        {LIST(COUNTRY), TACIT__ROLE_COUNTRY}};
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

tacit__chain_role tacit__role_of(const tacit__document *document, size_t i)
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
