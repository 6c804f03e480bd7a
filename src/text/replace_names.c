/*
 * replace_names.c - other people: names word by word, initials, forms of address.
 *
 *   "Robert A. Nguyen, M.D."  ->  "Jodia K. Carnon, M.D."      and then  "RN"  ->  "JC"
 *
 * What is no name stays: particles between names, degrees, "Jr.", punctuation. Initials
 * follow the names that the document has shown before: those of a surname after it, else those
 * of a person with these two initials, else the key decides. Cost: linear; two looks at each
 * word.
 */
#include "text/disguise.h"

#include <string.h>

#include "text/fold.h"

/* Kept where they are inside a name; a name may begin or end with one that is somebody's. */
static const char particles[] = " van von der den de del della di da do dos das du la le el bin "
                                "ibn ter ten zu zur y e af av and und et of the ";

/* Kept wherever they are. */
static const char titles[] =
    " mr mrs ms miss mx dr prof rev hon sr jr ii iii iv md phd esq dds dvm "
    "dmd facs facp ";

static const char *const degrees[] = {"M.D.", "Ph.D.", "D.O.", "R.N.", "D.D.S.", "D.V.M.",
                                      "N.P.", "P.A.",  "M.D",  "Ph.D", "D.O",    "R.N"};

/* The whole of what TACIT_TEXT_TITLE may keep. */
static const char addresses[] =
    " mr mrs ms miss mx dr doctor prof professor rev reverend sir madam hon lord lady sr jr ii iii "
    "iv md m d ph phd do rn np pa esq dds dvm dmd facs facp mph mba ";

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

/* Initials and words of one person, first and last. */
typedef struct person {
    tacit__part first, last;
    size_t words; /* those that are replaced and no initials */
} person;

/* Whether the word is one to be replaced; `at` is where it begins. */
static bool is_name(const tacit__part *part, tacit_strview text, size_t at)
{
    size_t end = at + part->text.len;
    if (part->kind != TACIT__PART_WORD)
        return false;
    if (part->letters <= 4 && tacit__among(titles, part->text))
        return false;
    if (part->letters > 5 || !tacit__among(particles, part->text))
        return true;
    return part->cased != TACIT__CASED_LOWER && (at == 0 || end == text.len);
}

static size_t start_of(const tacit__parts *parts, const tacit__part *part)
{
    return parts->at - part->text.len;
}

/* Moves behind a degree that begins at the part. */
static bool skip_degree(tacit__parts *parts, tacit__part *part)
{
    size_t start = start_of(parts, part);
    size_t len = start == 0 || part->cased == TACIT__CASED_LOWER
                     ? 0
                     : degree_at((tacit_strview){.bytes = parts->text.bytes + start,
                                                 .len = parts->text.len - start});
    if (len == 0)
        return false;
    parts->at = start + len;
    parts->before = TACIT__PART_GAP;
    part->text.len = len;
    return true;
}

/* Who it is: "Long, Marjorie" has the surname first. */
static person read_person(tacit_strview text)
{
    person who = {0};
    tacit__parts parts = tacit__parts_of(text);
    tacit__part part;
    bool turned = false;
    while (tacit__parts_next(&part, &parts)) {
        if (part.kind == TACIT__PART_GAP && who.words == 1 && part.text.bytes[0] == ',')
            turned = true;
        if (part.kind != TACIT__PART_WORD || part.letters < 2 || skip_degree(&parts, &part) ||
            !is_name(&part, text, start_of(&parts, &part)))
            continue;
        if (turned && who.words == 1) {
            who.last = who.first;
            who.first = part;
        } else if (who.words == 0) {
            who.first = who.last = part;
        } else if (!turned) {
            who.last = part;
        }
        who.words++;
    }
    return who;
}

/* A key for the initial of somebody with this surname, or for two initials. */
static tacit__folded pair_key(char initial, tacit_strview surname)
{
    tacit__folded key;
    if (!tacit__text_fold(&key, surname))
        key.len = 0;
    key.bytes[key.len++] = ' ';
    key.bytes[key.len++] = (char)(initial | 0x20);
    return key;
}

static char initial_of(const tacit__disguise *disguise, char initial, tacit_strview surname,
                       unsigned which)
{
    tacit__folded key = pair_key(initial, surname);
    uint64_t given;
    if (!tacit__disguise_given(&given, disguise, TACIT__SPACE_PAIR,
                               (tacit_strview){.bytes = key.bytes, .len = key.len}))
        return 0;
    return (char)(given >> (8 * which) & 0x7F);
}

static void give_pair(tacit__disguise *disguise, char initial, tacit_strview surname,
                      const tacit__name *first, const tacit__name *last)
{
    tacit__folded key = pair_key(initial, surname);
    uint64_t given =
        (uint64_t)(unsigned char)first->letters[0] | (uint64_t)(unsigned char)last->letters[0] << 8;
    tacit__disguise_give(disguise, TACIT__SPACE_PAIR,
                         (tacit_strview){.bytes = key.bytes, .len = key.len}, given);
}

/* So that later initials are those of the names made up. */
static void remember(tacit__disguise *disguise, const person *who)
{
    tacit_strview surname = who->last.text, letter = {.bytes = surname.bytes, .len = 1};
    if (who->words < 2)
        return;
    const tacit__name *first = tacit__disguise_word(disguise, who->first.text);
    const tacit__name *last = tacit__disguise_word(disguise, surname);
    if (!first || !last)
        return;
    give_pair(disguise, who->first.text.bytes[0], surname, first, last);
    give_pair(disguise, who->first.text.bytes[0], letter, first, last);
}

static void put_initial(tacit__strbuf *out, tacit__disguise *disguise, const tacit__part *part,
                        char initial)
{
    if (initial != 0)
        tacit__put_cased(out, &initial, 1, part->cased);
    else
        tacit__put_other_letter(out, disguise, part);
}

/* An initial of the person, whose names may be known: the first one only, since a middle name
 * would be taken for it otherwise. */
static void put_initial_of(tacit__strbuf *out, tacit__disguise *disguise, const tacit__part *part,
                           const person *who, bool leads)
{
    char known =
        leads && who->words == 1 ? initial_of(disguise, part->text.bytes[0], who->last.text, 0) : 0;
    put_initial(out, disguise, part, known);
}

bool tacit__make_up_name(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    person who = read_person(text);
    tacit__parts parts = tacit__parts_of(text);
    tacit__part part;
    size_t initials = 0, replaced = 0;
    while (tacit__parts_next(&part, &parts)) {
        size_t start = start_of(&parts, &part);
        bool is_word = part.kind == TACIT__PART_WORD;
        if (is_word && part.letters == 1 && !skip_degree(&parts, &part)) {
            put_initial_of(out, disguise, &part, &who, initials++ == 0);
            replaced++;
        } else if (is_word && part.letters > 1 && !skip_degree(&parts, &part) &&
                   is_name(&part, text, start)) {
            if (!tacit__put_other_word(out, disguise, &part))
                return false;
            replaced++;
        } else if (part.kind == TACIT__PART_DIGITS) {
            tacit__put_other_digits(out, disguise, part.text);
            replaced++;
        } else {
            tacit__put(out, part.text);
        }
    }
    remember(disguise, &who);
    return replaced > 0;
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
    tacit_strview surname = {.bytes = text.bytes + last, .len = 1};
    for (size_t i = 0; i < text.len; i++) {
        tacit__part part = {.kind = TACIT__PART_WORD, .text = {.bytes = text.bytes + i, .len = 1}};
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
    tacit__parts parts = tacit__parts_of(text);
    tacit__part part;
    (void)disguise;
    while (tacit__parts_next_solid(&part, &parts))
        if (part.kind != TACIT__PART_WORD || !tacit__among(addresses, part.text))
            return false;
    tacit__put(out, text);
    return true;
}
