/*
 * names.c - other people: names word by word, initials, forms of address.
 *
 *   "Robert A. Nguyen, M.D."  ->  "Jodia K. Carnon, M.D."      and then  "RN"  ->  "JC"
 *
 * What is no name stays: particles between names, degrees, "Jr.", punctuation. Initials
 * follow the names that the document has shown before: those of a surname after it, else those
 * of a person with these two initials, else the key decides. Cost: linear; two looks at each
 * word.
 */
#include <string.h>

#include "text/replace/disguise.h"

/* Those that are not as likely somebody's initials. */
static const char *const degrees[] = {"M.D.", "Ph.D.", "D.D.S.", "D.V.M.", "M.D", "Ph.D"};

/* Bytes of a degree with stops at the start of the text, 0 where there is none. */
static size_t degree_at(tacit_strview text)
{
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) {
        size_t len = strlen(degrees[i]);
        if (text.len >= len && memcmp(text.bytes, degrees[i], len) == 0)
            return len;
    }
    return 0;
}

/* One person's names: "Long, Marjorie" has the surname first. */
typedef struct person {
    tacit_strview first, last;
    uint64_t first_key, last_key;
    char first_initial, last_initial; /* of what they have become */
    size_t words;                     /* those that are replaced and no initials */
    bool turned;
} person;

static void see_gap(person *who, const tacit__read_part *gap)
{
    who->turned |= who->words == 1 && gap->text.bytes[0] == ',';
}

static void see_word(person *who, const tacit__read_part *part, char initial)
{
    uint64_t key = tacit__part_key(part);
    if (who->words == 0 || (who->turned && who->words == 1)) {
        if (who->words == 1) {
            who->last = who->first;
            who->last_key = who->first_key;
            who->last_initial = who->first_initial;
        }
        who->first = part->text;
        who->first_key = key;
        who->first_initial = initial;
    }
    if (!who->turned) {
        who->last = part->text;
        who->last_key = key;
        who->last_initial = initial;
    }
    who->words++;
}

/* Particles stay inside a name; with a capital only those that are hardly anybody's name, and
 * no letter by itself, which is an initial. */
static bool is_particle(const tacit__read_part *part, unsigned roles, tacit_strview text, size_t at)
{
    if (part->cased == TACIT__CASED_LOWER)
        return roles & TACIT__FILLER_PARTICLE;
    return roles & TACIT__FILLER_CAPITAL && at > 0 && at + part->text.len < text.len;
}

/* Whether the word, which begins at `at`, is one to be replaced. */
static bool is_name(const tacit__disguise *disguise, const tacit__read_part *part,
                    tacit_strview text, size_t at)
{
    if (part->kind != TACIT__PART_WORD)
        return false;
    unsigned roles = part->letters > 5 ? 0 : tacit__roles_of(&disguise->roles, part);
    return !(roles & TACIT__FILLER_TITLE) && !is_particle(part, roles, text, at);
}

static size_t start_of(const tacit__read_parts *parts, const tacit__read_part *part)
{
    return parts->at - part->text.len;
}

/* Moves behind a degree that begins at the part. */
static bool skip_degree(tacit__read_parts *parts, tacit__read_part *part)
{
    size_t start = start_of(parts, part);
    if (start == 0 || part->letters > 2 || parts->at == parts->text.len ||
        parts->text.bytes[parts->at] != '.')
        return false;
    size_t len = degree_at(
        (tacit_strview){.bytes = parts->text.bytes + start, .len = parts->text.len - start});
    if (len == 0)
        return false;
    tacit__parts_pass(parts, start + len);
    parts->before = TACIT__PART_GAP;
    part->text.len = len;
    return true;
}

/* Who it is, without replacing anything. */
static person read_person(const tacit__disguise *disguise, tacit_strview text)
{
    person who = {0};
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    while (tacit__parts_next(&part, &parts)) {
        if (part.kind == TACIT__PART_GAP)
            see_gap(&who, &part);
        else if (part.letters > 1 && !skip_degree(&parts, &part) &&
                 is_name(disguise, &part, text, start_of(&parts, &part)))
            see_word(&who, &part, 0);
    }
    return who;
}

/* A key for the initial of somebody with this surname, by its key, or with this last initial, by
 * that letter. */
static uint64_t pair_key(char initial, uint64_t surname)
{
    return tacit__mix(tacit__mix(surname + TACIT__SPACE_PAIR) ^ (uint64_t)(initial | 0x20));
}

static uint64_t letter_key(char initial)
{
    return (uint64_t)(initial | 0x20);
}

/* What the first (0) or last (1) initial of such a person has become; 0 where it is not
 * known. */
static char initial_of(const tacit__disguise *disguise, char initial, uint64_t surname,
                       unsigned which)
{
    uint32_t given;
    if (!tacit__disguise_given(&given, disguise, pair_key(initial, surname)))
        return 0;
    return (char)(given >> (8 * which) & 0x7F);
}

/* So that later initials are those of the names made up. */
static void remember(tacit__disguise *disguise, const person *who)
{
    if (who->words < 2)
        return;
    uint32_t given = (uint32_t)(unsigned char)who->first_initial |
                     (uint32_t)(unsigned char)who->last_initial << 8;
    char initial = who->first.bytes[0];
    tacit__disguise_give(disguise, pair_key(initial, who->last_key), given);
    tacit__disguise_give(disguise, pair_key(initial, letter_key(who->last.bytes[0])), given);
}

static void put_initial(tacit__strbuf *out, tacit__disguise *disguise, const tacit__read_part *part,
                        char initial)
{
    if (initial != 0)
        tacit__put_cased(out, &initial, 1, part->cased);
    else
        tacit__put_other_letter(out, disguise, part);
}

/* The initial that leads a name with a surname only is the first name's, which may be known. */
static void put_initial_in(tacit__strbuf *out, tacit__disguise *disguise,
                           const tacit__read_part *part, tacit_strview text, bool leads)
{
    char known = 0;
    if (leads) {
        person who = read_person(disguise, text);
        if (who.words == 1)
            known = initial_of(disguise, part->text.bytes[0], who.last_key, 0);
    }
    put_initial(out, disguise, part, known);
}

bool tacit__make_up_name(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    person who = {0};
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    size_t initials = 0, digits = 0;
    while (tacit__parts_next(&part, &parts)) {
        size_t start = start_of(&parts, &part), from = out->len;
        if (part.kind == TACIT__PART_GAP) {
            see_gap(&who, &part);
            tacit__put(out, part.text);
        } else if (part.kind == TACIT__PART_DIGITS) {
            tacit__put_other_digits(out, disguise, part.text);
            digits++;
        } else if (skip_degree(&parts, &part) || !is_name(disguise, &part, text, start)) {
            tacit__put(out, part.text);
        } else if (part.letters == 1) {
            put_initial_in(out, disguise, &part, text, initials++ == 0);
        } else {
            if (!tacit__put_other_word(out, disguise, &part) || out->failed)
                return false;
            see_word(&who, &part, (char)(out->bytes[from] | 0x20));
        }
    }
    remember(disguise, &who);
    return who.words + initials + digits > 0;
}

/* The letters one by one; of a person's, the first and the last are known together. */
bool tacit__make_up_initials(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    size_t first = 0, last = text.len;
    for (; first < text.len && !tacit__letter((char)(text.bytes[first] | 0x20)); first++)
        ;
    for (; last > first && !tacit__letter((char)(text.bytes[last - 1] | 0x20)); last--)
        ;
    if (first == last)
        return tacit__make_up_name(out, disguise, text);
    last--;
    uint64_t surname = letter_key(text.bytes[last]);
    for (size_t i = 0; i < text.len; i++) {
        tacit__read_part part = {.kind = TACIT__PART_WORD,
                                 .text = {.bytes = text.bytes + i, .len = 1}};
        char known = 0;
        if ((unsigned char)text.bytes[i] >= 0x80)
            return false;
        if (!tacit__letter((char)(text.bytes[i] | 0x20))) {
            tacit__put(out, part.text);
            continue;
        }
        part.cased = text.bytes[i] & 0x20 ? TACIT__CASED_LOWER : TACIT__CASED_CAPITAL;
        if (first != last && (i == first || i == last))
            known = initial_of(disguise, text.bytes[first], surname, i == last);
        put_initial(out, disguise, &part, known);
    }
    return true;
}

/* Forms of address say nothing of who is meant and stay; occupations become a tag. */
bool tacit__make_up_title(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    while (tacit__parts_next_solid(&part, &parts))
        if (part.kind != TACIT__PART_WORD ||
            !(tacit__roles_of(&disguise->roles, &part) & TACIT__FILLER_ADDRESS))
            return false;
    tacit__put(out, text);
    return true;
}
