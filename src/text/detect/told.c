/*
 * told.c - who and what is told by the words beside it, where the chain doubts.
 *
 *   names           "Handed over to Okafor", "contact Maria", "Rao to chase", "Tom was anxious": a
 *                   lone word that lists have as a name and that only people are spoken of like.
 *                   The chain has seen few of these beside so much else, and doubts them; what
 *                   stands beside them does not. A frequent surname that is a word, a trade or an
 *                   eponym as well ("Brown", "Baker", "Wilson") counts where no noun that it could
 *                   go with is behind it: "agreed with Smith today", but not "Smith fracture".
 *   organizations   "Bluebonnet Endocrine Clinic", "The Old Tannery Surgery": words with capitals
 *                   up to one that says what they name, of which at least one is no word that
 *                   everybody uses. The chain knows such names by their words and what is around
 *                   them; this finds them in headings, in tables and where their words are odd.
 *   ages            "Dot is a 7 year old girl": who is so old is somebody, though the first name
 *                   may be a word of the language that the chain takes it for.
 *
 * Cost: a test a word, a few more for names that the chain doubts, for words that say what
 * something is, and for each age.
 */
#include "base/bitset.h"
#include "text/detect/detect.h"
#include "text/read/forms.h"

enum {
    LIKELY_PERSON = 72, /* where only a person can be meant, */
    LIKELY_TOLD = 66,   /* and where a thing is not likely to be */
    SURE_ENOUGH = 80,   /* what the chain says of a name that needs no more, */
    POSSIBLE = 15,      /* and of a word of no list that may be one */
    KNOWN_SURNAME = 2,  /* weights in the lists */
    WELL_KNOWN = 4,
    FREQUENT = 6, /* surnames that are names more often than anything else, with a capital */
    MOST_FREQUENT = 7,
    KNOWN_CITY = 3,
    PRONOUN = 7
};

/* Lists of what is capitalized and neither a person nor called after anything. */
static const uint32_t other_lists = TACIT__LISTED_CARE | TACIT__LISTED(OCCUPATION) |
                                    TACIT__LISTED(TITLE) | TACIT__LISTED(HOSPITAL) |
                                    TACIT__LISTED(ORGANIZATION) | TACIT__LISTED(MONTH) |
                                    TACIT__LISTED(WEEKDAY) | TACIT__LISTED(STATE) |
                                    TACIT__LISTED(COUNTRY) | TACIT__LISTED(NATIONALITY);

/* Lists of what many surnames come from. */
static const uint32_t origin_lists =
    TACIT__LISTED_CARE | TACIT__LISTED(OCCUPATION) | TACIT__LISTED(EPONYM) | TACIT__LISTED(TITLE);

/* Everything that is capitalized and no person. */
static bool is_something_else(const tacit__lexicon_entry *entry)
{
    return entry->lists & (other_lists | TACIT__LISTED(EPONYM) | TACIT__LISTED(KIN) |
                           TACIT__LISTED(BRAND) | TACIT__LISTED(UNIVERSITY));
}

/* "Smith", "Green", "Baker", "Murphy": a frequent surname that is something else, too; "Foley" is a
 * catheter first. */
static bool is_double(const tacit__lexicon_entry *entry)
{
    const uint32_t never = (other_lists & ~origin_lists) | TACIT__LISTED(KIN) |
                           TACIT__LISTED(BRAND) | TACIT__LISTED(UNIVERSITY);
    bool thing = tacit__lexicon_in(entry, TACIT__LIST_EPONYM) && entry->surname < MOST_FREQUENT &&
                 entry->word < TACIT__EVERYBODYS;
    return entry->surname >= FREQUENT && !(entry->lists & never) && !thing &&
           (entry->word >= TACIT__EVERYBODYS || entry->lists & origin_lists);
}

static bool has_capital(const tacit__word *word)
{
    return word->shape == TACIT__SHAPE_CAPITAL || word->shape == TACIT__SHAPE_MIXED;
}

/* No word that everybody uses: "He said", "You told us". */
static bool is_listed_name(const tacit__lexicon_entry *entry)
{
    return (entry->first >= TACIT__KNOWN_FIRST || entry->surname >= KNOWN_SURNAME) &&
           entry->word < TACIT__EVERYBODYS;
}

/* Where only a person can stand: a well-known name though it is a word ("seen by Grant"), a rare
 * one, or a word of no list that may be one ("seen by Achterberg"). */
static bool may_be_person(const tacit__lexicon_entry *entry, int person)
{
    bool known = entry->first >= WELL_KNOWN || entry->surname >= WELL_KNOWN;
    bool rare = entry->first > 0 || entry->surname > 0 || (entry->lists == 0 && person >= POSSIBLE);
    return (known && entry->word < PRONOUN) || (rare && entry->word < TACIT__EVERYBODYS);
}

/* "Kaplan-Meier", "Wakefield Council": a part of something. */
static bool goes_on(const tacit__document *document, size_t word)
{
    const tacit__word *next = &document->words[word + 1];
    return word + 1 < document->count &&
           (next->before & TACIT__GAP_HYPHEN ||
            (next->before == TACIT__GAP_SPACE && next->shape != TACIT__SHAPE_LOWER));
}

/* A first name that is hardly a word, a place or anything else. */
static bool is_only_first_name(const tacit__lexicon_entry *entry)
{
    return entry->first >= WELL_KNOWN && entry->word == 0 && entry->city == 0 &&
           !tacit__lexicon_in(entry, TACIT__LIST_PLACE);
}

static bool is_close(const tacit__word *word)
{
    return word->before == TACIT__GAP_SPACE;
}

/* "Okafor" behind one of "by", "to", "with" and "from"; the word before that, or NULL. */
static const tacit__word *deed_before(const tacit__document *document, size_t word)
{
    static const tacit__listed_word links[] = {"by", "to", "with", "from", ""};
    const tacit__word *here = &document->words[word];
    bool linked = word > 1 && is_close(here) && is_close(&here[-1]) &&
                  tacit__word_is_among(document, &here[-1], links);
    return linked ? &here[-2] : NULL;
}

/* "contact Maria", "seen by Okafor", "handed over to Rao". */
static bool is_met(const tacit__document *document, size_t word)
{
    static const tacit__listed_word asks[] = {
        "contact", "contacte", "call",     "called", "phone",   "phoned",   "rang",  "ring",
        "ask",     "asked",    "tell",     "told",   "inform",  "informed", "email", "emailed",
        "thank",   "notify",   "notified", "paged",  "bleeped", "texted",   ""};
    static const tacit__listed_word met[] = {
        "seen",   "reviewed", "examined", "assessed", "discusse", "over",   "spoke",
        "spoken", "speak",    "met",      "meeting",  "talked",   "signed", "dictated",
        "typed",  "witnesse", "accompan", "escorted", ""};
    const tacit__word *deed = deed_before(document, word);
    return deed ? tacit__word_is_among(document, deed, met)
                : word > 0 && is_close(&document->words[word]) &&
                      tacit__word_is_among(document, &document->words[word - 1], asks);
}

/* "removed by Okafor": by whatever was done. */
static bool has_done(const tacit__document *document, size_t word)
{
    const tacit__word *deed = deed_before(document, word);
    tacit_strview text = deed ? tacit__word_text(document, deed) : (tacit_strview){0};
    return text.len > 4 && text.bytes[text.len - 2] == 'e' && text.bytes[text.len - 1] == 'd';
}

/* "per Okafor". */
static bool is_per(const tacit__document *document, size_t word)
{
    static const tacit__listed_word per[] = {"per", ""};
    return word > 0 && is_close(&document->words[word]) &&
           tacit__word_is_among(document, &document->words[word - 1], per);
}

/* Whether the word ends a clause or goes on with what no noun begins: "Smith at the bedside", "by
 * Brown today", but not "with White patients", "by Wilson disease", "Murphy's sign". */
static bool stands_free(const tacit__document *document, size_t word)
{
    static const tacit__listed_word beside[] = {
        "at",      "on",       "in",       "for",      "about",   "this",  "that",   "the",
        "today",   "tonight",  "tomorrow", "yesterda", "without", "after", "before", "over",
        "during",  "via",      "as",       "regardin", "re",      "who",   "by",     "from",
        "to",      "and",      "or",       "but",      "because", "when",  "while",  "if",
        "we",      "he",       "she",      "they",     "i",       "it",    "will",   "present",
        "until",   "again",    "now",      "then",     "later",   "with",  "since",  "into",
        "earlier", "directly", "afterwar", "was",      "is",      "of",    ""};
    const tacit__word *here = &document->words[word], *next = here + 1;
    char behind = tacit__word_behind(document, here);
    if (here->flags & TACIT__WORD_GENITIVE || behind == '\'' || (unsigned char)behind >= 0x80)
        return false; /* "Harris' stain", too */
    if (word + 1 >= document->count || next->before & ~(unsigned)TACIT__GAP_SPACE)
        return word + 1 >= document->count ||
               !(next->before & (TACIT__GAP_HYPHEN | TACIT__GAP_SLASH));
    return tacit__word_is_among(document, next, beside);
}

/* A name that stands for somebody in any place of a person: no place, and no word but one that is a
 * surname far more often where it has a capital. */
static bool is_mostly_name(const tacit__lexicon_entry *entry)
{
    bool place = entry->city >= KNOWN_CITY || tacit__lexicon_in(entry, TACIT__LIST_PLACE);
    return is_double(entry) || (!is_something_else(entry) &&
                                (entry->surname >= FREQUENT || (is_listed_name(entry) && !place)));
}

/* "summary to Smith before", "follow up with Brown in", "per Okafor,": in a person's place, where
 * nothing else is meant. */
static bool is_in_place(const tacit__document *document, size_t word)
{
    return is_mostly_name(&document->words[word].entry) && stands_free(document, word) &&
           (deed_before(document, word) || is_per(document, word));
}

/* "Rao to chase", "Okafor agreed": only people do. */
static bool does(const tacit__document *document, size_t word)
{
    static const tacit__listed_word duties[] = {
        "review",  "see",   "chase", "call",    "check",  "confirm", "discuss", "follow", "book",
        "arrange", "speak", "ring",  "contact", "update", "attend",  "phone",   "email",  ""};
    static const tacit__listed_word acts[] = {"agreed", "agrees", "said",   "says",     "asked",
                                              "asks",   "told",   "feels",  "wants",    "wanted",
                                              "denies", "denied", "thinks", "replied",  "rang",
                                              "phoned", "came",   "lives",  "attended", ""};
    const tacit__word *next = &document->words[word + 1];
    if (word + 1 >= document->count || !is_close(next))
        return false;
    if (tacit__word_is_among(document, next, acts))
        return true;
    static const tacit__listed_word to[] = {"to", ""};
    return word + 2 < document->count && tacit__word_is_among(document, next, to) &&
           is_close(&next[1]) && tacit__word_is_among(document, &next[1], duties);
}

/* "Tom was anxious": things are, too. */
static bool is_told_of(const tacit__document *document, size_t word)
{
    static const tacit__listed_word verbs[] = {"was", "is", "has", "had", ""};
    const tacit__word *next = &document->words[word + 1];
    return word + 1 < document->count && is_close(next) &&
           is_only_first_name(&document->words[word].entry) &&
           tacit__word_is_among(document, next, verbs);
}

/* How likely the word is a person by what stands beside it; 0 where nothing tells. */
static int likelihood_of(const tacit__document *document, size_t word, int person)
{
    const tacit__lexicon_entry *entry = &document->words[word].entry;
    if (goes_on(document, word))
        return 0;
    bool met = is_met(document, word), other = is_something_else(entry);
    if (met && is_double(entry) && stands_free(document, word))
        return LIKELY_PERSON;
    if (met && !other && may_be_person(entry, person))
        return LIKELY_PERSON;
    if (!other && is_listed_name(entry) && (has_done(document, word) || does(document, word)))
        return LIKELY_PERSON;
    if (is_in_place(document, word))
        return LIKELY_TOLD;
    return !other && is_listed_name(entry) && is_told_of(document, word) ? LIKELY_TOLD : 0;
}

static void propose_told(tacit__proposals *proposals, const tacit__document *document, size_t word,
                         int person)
{
    const tacit__lexicon_entry *entry = &document->words[word].entry;
    int likelihood = likelihood_of(document, word, person);
    bool first = entry->first > 0 && entry->first >= entry->surname;
    const tacit__proposal name = {.kind = first ? TACIT_TEXT_FIRST_NAME : TACIT_TEXT_LAST_NAME,
                                  .likelihood = (uint8_t)likelihood,
                                  .alone = likelihood == LIKELY_PERSON ? TACIT__ALONE_TITLED
                                                                       : TACIT__ALONE_FIRST,
                                  .detector = "words",
                                  .rule = likelihood == LIKELY_PERSON ? "as one speaks of people"
                                                                      : "somebody who is told of"};
    if (likelihood == 0)
        return;
    tacit__propose_words(proposals, document, word, word, name);
}

/* Which of at most 64 words may be names that the chain doubts, a bit each. */
static uint64_t doubted(const tacit__document *document, const tacit__opinion *opinions,
                        size_t from)
{
    size_t count = tacit__bitset_share(from, document->count);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        const tacit__word *word = &document->words[from + i];
        bool is = has_capital(word) & (opinions[from + i].of[TACIT__LABEL_PERSON] < SURE_ENOUGH) &
                  (!is_something_else(&word->entry) || is_double(&word->entry));
        bits |= (uint64_t)is << i;
    }
    return bits;
}

tacit_status tacit__told_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err)
{
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = doubted(document, opinions, from);
        for (; left != 0; left &= left - 1) {
            size_t word = from + (size_t)__builtin_ctzll(left);
            propose_told(proposals, document, word, opinions[word].of[TACIT__LABEL_PERSON]);
        }
    }
    return tacit__proposals_status(proposals, err);
}

/* ---- organizations ---- */

enum {
    CALLED_WORDS = 5, /* before the one that says it */
    LIKELY_CARE = 80,
    LIKELY_ORGANIZATION = 70
};

/* "Surgery" is where British doctors work, and an operation elsewhere. */
static bool is_surgery(const tacit__document *document, const tacit__word *word)
{
    static const tacit__listed_word surgery[] = {"surgery", ""};
    return tacit__word_is_among(document, word, surgery);
}

static tacit_text_kind called_kind(const tacit__document *document, const tacit__word *word)
{
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_HOSPITAL) || is_surgery(document, word))
        return TACIT_TEXT_HOSPITAL;
    return tacit__lexicon_in(&word->entry, TACIT__LIST_ORGANIZATION) ? TACIT_TEXT_ORGANIZATION
                                                                     : TACIT_TEXT_NONE;
}

/* Whether the word by itself may be what something is called. */
static bool is_distinctive(const tacit__word *word)
{
    return word->entry.word < TACIT__EVERYBODYS && !(word->entry.lists & other_lists) &&
           word->end - word->start > 3;
}

/* A word with a capital, or one that goes on between two. */
static bool may_be_called(const tacit__document *document, const tacit__word *word)
{
    static const tacit__listed_word links[] = {"and", ""};
    return has_capital(word) || tacit__word_is_among(document, word, links);
}

/* Whether nothing but a blank, or "&", is before the word. */
static bool is_joined(const tacit__word *word)
{
    return !(word->flags & (TACIT__WORD_COLUMN | TACIT__WORD_SENTENCE)) &&
           (word->before == TACIT__GAP_SPACE ||
            word->before == (TACIT__GAP_SPACE | TACIT__GAP_OTHER));
}

/* The first word of what ends with one, or that word where it is called nothing. */
static size_t called_first(const tacit__document *document, size_t last)
{
    const tacit__word *words = document->words;
    size_t first = last, found = last;
    bool distinctive = false;
    while (first > 0 && last - first < CALLED_WORDS && is_joined(&words[first]) &&
           may_be_called(document, &words[first - 1])) {
        first--;
        distinctive = distinctive || is_distinctive(&words[first]);
        if (distinctive && words[first].shape != TACIT__SHAPE_LOWER)
            found = first;
    }
    return found;
}

static void propose_called(tacit__proposals *proposals, const tacit__document *document,
                           size_t last)
{
    tacit_text_kind kind = called_kind(document, &document->words[last]);
    size_t first = kind == TACIT_TEXT_NONE ? last : called_first(document, last);
    if (first == last)
        return;
    bool care = kind == TACIT_TEXT_HOSPITAL;
    const tacit__proposal proposal = {
        .kind = (uint8_t)kind,
        .likelihood = care ? LIKELY_CARE : LIKELY_ORGANIZATION,
        .alone = TACIT__ALONE_PLACE,
        .detector = "words",
        .rule = care ? "called a place of care" : "called an organization",
    };
    tacit__propose_words(proposals, document, first, last, proposal);
}

/* Whether the word may say what something is that the chain doubts; of medical ones "Surgery" does.
 * Few words do, which is soon guessed. */
static bool may_say(const tacit__word *word, const tacit__opinion *opinion)
{
    const uint32_t lists =
        TACIT__LISTED(HOSPITAL) | TACIT__LISTED(ORGANIZATION) | TACIT__LISTED(MEDICAL);
    return word->entry.lists & lists && word->shape == TACIT__SHAPE_CAPITAL &&
           100 - opinion->of[TACIT__LABEL_OTHER] < LIKELY_CARE;
}

tacit_status tacit__called_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err)
{
    for (size_t i = 0; i < document->count; i++)
        if (may_say(&document->words[i], &opinions[i]))
            propose_called(proposals, document, i);
    return tacit__proposals_status(proposals, err);
}

/* ---- ages ---- */

enum {
    SURE_AGE = 90,   /* likelihood of the age, */
    LIKELY_AGED = 85 /* and of the name */
};

/* "Dot is a", "Hope was a": three words before the one that an age starts with. */
static bool is_so_old(const tacit__document *document, size_t age)
{
    static const tacit__listed_word verbs[] = {"is", "was", ""};
    static const tacit__listed_word articles[] = {"a", "an", ""};
    if (age < 3 || age >= document->count)
        return false;
    const tacit__word *name = &document->words[age - 3];
    for (size_t i = 1; i <= 3; i++)
        if (name[i].before != TACIT__GAP_SPACE)
            return false;
    return name->shape == TACIT__SHAPE_CAPITAL && name->entry.first >= TACIT__KNOWN_FIRST &&
           tacit__word_is_among(document, &name[1], verbs) &&
           tacit__word_is_among(document, &name[2], articles);
}

tacit_status tacit__aged_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err)
{
    size_t count = proposals->count;
    for (size_t i = 0; i < count; i++) {
        const tacit__proposal *age = &proposals->items[i];
        if (age->kind != TACIT_TEXT_AGE || age->likelihood < SURE_AGE)
            continue;
        size_t word = tacit__document_at(document, age->start);
        const tacit__proposal name = {.kind = TACIT_TEXT_FIRST_NAME,
                                      .likelihood = LIKELY_AGED,
                                      .detector = "words",
                                      .rule = "somebody that old"};
        if (is_so_old(document, word))
            tacit__propose_words(proposals, document, word - 3, word - 3, name);
    }
    return tacit__proposals_status(proposals, err);
}
