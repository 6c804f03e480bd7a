/*
 * plurals.c - families by their name in the plural: "the Westons", "the Smiths' house", "both
 * Joneses". The word is in no list of names, and the chain has hardly seen one; what it is without
 * its end is a surname, and "the" with a capital behind it, within a sentence, is a group of people
 * or a place.
 *
 *   listed      the rest is a surname of the lists that is no word of the language ("Weston",
 * "Jones"), or one of the most frequent ("King", "Green") in no list  neither the word nor the rest
 * is in one, and the chain thinks of a person: "Okonkwos"
 *
 * What is a surname itself as often as the rest ("the Williams test"), a place, a people ("the
 * Germans") or goes on ("the Kings County jail", "the Wilson's disease") is none. Where "Weston" is
 * found beside it, postings.c makes sure of the plural.
 *
 * Cost: a test a word, two look-ups for those with a capital that end with s behind "the".
 */
#include "text/detect/detect.h"
#include "text/read/forms.h"

enum {
    LIKELY_FAMILY = 92,   /* by a list; the chain may take the plural for a surname, and is surer */
    POSSIBLE_FAMILY = 72, /* by its form */
    FAMILY_PERSON = 12,   /* what the chain must think of one that is in no list */
    FAMILY_LETTERS = 5,   /* that it has at least */
    FAMILY_SURNAME = 2,   /* weights in the lists: of a surname that is no word, */
    FAMILY_FREQUENT = 6,  /* and of one that is */
    FAMILY_CITY = 3
};

/* Lists of what is spoken of with "the" and in the plural, but is nobody's name. */
static const uint32_t peoples =
    TACIT__LISTED(NATIONALITY) | TACIT__LISTED(COUNTRY) | TACIT__LISTED(STATE) |
    TACIT__LISTED(HOSPITAL) | TACIT__LISTED(ORGANIZATION) | TACIT__LISTED(UNIVERSITY) |
    TACIT__LISTED(MONTH) | TACIT__LISTED(WEEKDAY) | TACIT__LISTED(BRAND) | TACIT__LISTED(KIN);

/* Whether "the", "both" or "two" stands right before the word. */
static bool has_group_before(const tacit__document *document, size_t at)
{
    static const tacit__listed_word groups[] = {"both",  "two",   "three", "these",
                                                "those", "other", ""};
    return tacit__has_article(document, at) ||
           (at > 0 && document->words[at].before == TACIT__GAP_SPACE &&
            tacit__word_is_among(document, &document->words[at - 1], groups));
}

/* "the Kings County jail", "the Adams-Stokes syndrome", "the Bells palsy". */
static bool is_part_of_more(const tacit__document *document, size_t at)
{
    const tacit__word *next = &document->words[at + 1];
    if (at + 1 >= document->count)
        return false;
    if (next->before & TACIT__GAP_HYPHEN && !(next->before & TACIT__GAP_SPACE))
        return true;
    return next->before == TACIT__GAP_SPACE &&
           (next->shape != TACIT__SHAPE_LOWER || next->entry.lists & TACIT__LISTED_CARE);
}

static bool is_surname_of(const tacit__lexicon_entry *rest, const tacit__lexicon_entry *word)
{
    bool eponym = tacit__lexicon_in(rest, TACIT__LIST_EPONYM);
    if (rest->lists & peoples || word->surname >= rest->surname)
        return false;
    bool common = word->word > 0 || tacit__lexicon_in(word, TACIT__LIST_PROPER); /* "Allies" */
    if (rest->word < TACIT__EVERYBODYS && !eponym && !common)
        return rest->surname >= FAMILY_SURNAME;
    return rest->surname >= FAMILY_FREQUENT;
}

/* How likely the word without so many letters at its end is the name of a family; 0 where it is
 * none. */
static int family_without(const tacit__document *document, size_t at, size_t end, int person)
{
    const tacit__word *word = &document->words[at];
    tacit__lexicon_entry rest = {0};
    tacit_strview text = tacit__word_text(document, word);
    text.len -= end;
    tacit__lexicon_find(&rest, text);
    if (is_surname_of(&rest, &word->entry))
        return LIKELY_FAMILY;
    bool unknown = rest.lists == 0 && word->entry.lists == 0 && text.len >= FAMILY_LETTERS;
    return end == 1 && unknown && person >= FAMILY_PERSON ? POSSIBLE_FAMILY : 0;
}

static void propose_family(tacit__proposals *proposals, const tacit__document *document, size_t at,
                           int person)
{
    static const char *const rules[TACIT__PLURALS] = {tacit__plural_s, tacit__plural_es};
    uint64_t keys[TACIT__PLURALS];
    size_t count = tacit__plural_of(keys, document, at);
    int best = 0;
    size_t by = 0;
    for (size_t i = 0; i < count; i++) {
        int likelihood = family_without(document, at, i + 1, person);
        by = likelihood > best ? i : by;
        best = likelihood > best ? likelihood : best;
    }
    if (best == 0)
        return;
    const tacit__proposal name = {.kind = TACIT_TEXT_LAST_NAME,
                                  .likelihood = (uint8_t)best,
                                  .alone = best == LIKELY_FAMILY ? TACIT__ALONE_TITLED
                                                                 : TACIT__ALONE_NAME,
                                  .detector = "words",
                                  .rule = rules[by]};
    tacit__propose_words(proposals, document, at, at, name);
}

tacit_status tacit__plurals_propose(tacit__proposals *proposals, const tacit__document *document,
                                    const tacit__opinion *opinions, tacit_error *err)
{
    for (size_t i = 1; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        bool shaped = word->shape == TACIT__SHAPE_CAPITAL || word->shape == TACIT__SHAPE_MIXED;
        if (!shaped || document->text.bytes[word->end - 1] != 's' ||
            word->entry.lists & (peoples | TACIT__LISTED_CARE) || word->entry.city >= FAMILY_CITY ||
            tacit__lexicon_in(&word->entry, TACIT__LIST_PLACE))
            continue;
        if (has_group_before(document, i) && !is_part_of_more(document, i))
            propose_family(proposals, document, i, opinions[i].of[TACIT__LABEL_PERSON]);
    }
    return tacit__proposals_status(proposals, err);
}
