/*
 * runs.c - words that the chain takes for parts of the same thing, and what they are proposed as. A
 * run has one label, and nothing between its words that parts such things: a street goes over a
 * comma, a name does not, but for "Long, Marjorie". In delimited text a run ends with its field.
 * Each label is a family:
 *
 *   names           first, middle, last and nick names, initials, and the full name that they make
 *                   up (entities 4 and 11 to 14 of Figure 111). Two words or more are a full name
 *                   and, each, its constituent; so where the whole is doubtful, its surest words
 *                   may still win. Where it is not, it has the higher precedence and its words
 *                   never do.
 *   places          cities, states, countries, zip codes and streets (entities 6 to 9 and 15), and
 *                   locations, entity 5: two places of different sorts in a row, "Springfield,
 *                   Illinois", proposed as constituents that have the precedence of the whole.
 *   organizations   employers, insurers, schools, teams (entity 18), and hospitals, which have a
 *                   word of care in their name.
 *
 * With a name go its titles (entity 17), the age, initials and nickname behind it, "Mr Bevan (81)",
 * "Dwayne Bevan (DB)", "Dwayne Bevan ("Spud")", and first names that are joined to it.
 *
 * Cost: a step a word.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/bitset.h"
#include "text/detect/detect.h"
#include "text/read/forms.h"
#include "text/read/parts.h"

enum { RUN_FLOOR = 15 }; /* less likely words are in no run */

typedef struct run_of_words {
    const tacit__document *document;
    const tacit__opinion *opinions;
    size_t first, last; /* words, both included */
    tacit__label label;
    uint8_t alone; /* see scrub/proposals.h */
} run_of_words;

/* How likely it is that the word is personal, in percent. */
static int run_word(const run_of_words *run, size_t word)
{
    return 100 - run->opinions[word].of[TACIT__LABEL_OTHER];
}

static tacit__label run_label(const tacit__opinion *opinion)
{
    int best = TACIT__LABEL_PERSON;
    if (100 - opinion->of[TACIT__LABEL_OTHER] < RUN_FLOOR)
        return TACIT__LABEL_OTHER;
    for (int label = best + 1; label < TACIT__LABELS; label++)
        if (opinion->of[label] > opinion->of[best])
            best = label;
    return (tacit__label)best;
}

/* Words that only hyphens make a part of it do not count. */
static int run_mean(const run_of_words *run, size_t first, size_t last)
{
    int sum = 0, count = 0;
    for (size_t i = first; i <= last; i++) {
        bool bridge = i > first && run->document->words[i].before == TACIT__GAP_HYPHEN &&
                      run_word(run, i) < RUN_FLOOR;
        sum += bridge ? 0 : run_word(run, i);
        count += !bridge;
    }
    return sum / count;
}

static size_t run_end(const run_of_words *run)
{
    static const tacit__listed_word apart[] = {"based", "born",  "bound", "funded",  "led",
                                               "like",  "owned", "run",   "related", "style",
                                               "type",  "wide",  "and",   "or",      ""};
    const tacit__document *document = run->document;
    const tacit__word *next = &document->words[run->last + 1];
    bool joined = run->last + 1 < document->count && next->before == TACIT__GAP_HYPHEN &&
                  next->shape == TACIT__SHAPE_LOWER && !tacit__word_is_among(document, next, apart);
    return run->last + joined;
}

static void run_propose_within(tacit__proposals *proposals, const run_of_words *run, size_t first,
                               size_t last, tacit_text_kind kind, tacit_text_kind within,
                               int likelihood, const char *rule)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .within = (uint8_t)within,
                                      .likelihood = (uint8_t)likelihood,
                                      .alone = run->alone,
                                      .detector = "words",
                                      .rule = rule};
    tacit__propose_words(proposals, run->document, first, last, proposal);
}

static void run_propose(tacit__proposals *proposals, const run_of_words *run, size_t first,
                        size_t last, tacit_text_kind kind, int likelihood, const char *rule)
{
    run_propose_within(proposals, run, first, last, kind, kind, likelihood, rule);
}

/* ---- places, organizations ---- */

static tacit_text_kind place_kind(const tacit__word *word)
{
    if (word->shape == TACIT__SHAPE_DIGITS || word->shape == TACIT__SHAPE_BOTH)
        return TACIT_TEXT_ZIP;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_STATE) ||
        (tacit__lexicon_in(&word->entry, TACIT__LIST_STATE_CODE) &&
         word->shape != TACIT__SHAPE_LOWER))
        return TACIT_TEXT_STATE;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_COUNTRY))
        return TACIT_TEXT_COUNTRY;
    return TACIT_TEXT_CITY;
}

/* The words from the first on that are one place: "Lake Angela" "New Jersey" "02139". */
static size_t place_end(const run_of_words *run, size_t first, tacit_text_kind kind)
{
    const tacit__word *words = run->document->words;
    while (first < run->last &&
           (words[first + 1].flags & TACIT__WORD_GOES_ON || place_kind(&words[first + 1]) == kind))
        first++;
    return first;
}

/* Whether a word and the next one are of one location. */
static bool is_location(const run_of_words *run, size_t word)
{
    const tacit__word *words = run->document->words;
    if (word + 1 >= run->document->count ||
        words[word + 1].before & ~(unsigned)(TACIT__GAP_SPACE | TACIT__GAP_COMMA) ||
        run_label(&run->opinions[word]) != TACIT__LABEL_PLACE ||
        run_label(&run->opinions[word + 1]) != TACIT__LABEL_PLACE)
        return false;
    tacit_text_kind kind = place_kind(&words[word]), next = place_kind(&words[word + 1]);
    return kind != next && kind != TACIT_TEXT_ZIP && next != TACIT_TEXT_ZIP;
}

/* Of what the words from first to last, one place of the kind, are a constituent. */
static tacit_text_kind whole_of(const run_of_words *run, size_t first, size_t last,
                                tacit_text_kind kind)
{
    bool location = is_location(run, last) || (first > 0 && is_location(run, first - 1));
    return location ? TACIT_TEXT_LOCATION : kind;
}

/* Each place by itself. */
static void propose_place(tacit__proposals *proposals, const run_of_words *run)
{
    for (size_t first = run->first; first <= run->last;) {
        tacit_text_kind kind = place_kind(&run->document->words[first]);
        size_t last = place_end(run, first, kind);
        tacit_text_kind whole = whole_of(run, first, last, kind);
        run_propose_within(proposals, run, first, last, kind, whole, run_mean(run, first, last),
                           whole == kind ? "a place" : "place of a location");
        first = last + 1;
    }
}

static void propose_street(tacit__proposals *proposals, const run_of_words *run)
{
    run_propose(proposals, run, run->first, run->last, TACIT_TEXT_STREET,
                run_mean(run, run->first, run->last), "a street");
}

static bool is_hospital(const run_of_words *run)
{
    for (size_t i = run->first; i <= run->last; i++)
        if (tacit__lexicon_in(&run->document->words[i].entry, TACIT__LIST_HOSPITAL))
            return true;
    return false;
}

/* Behind the last word, or behind its 's where a name ends with it: "St. Luke's", but not "the
 * clinic's". */
static uint32_t organization_end(const run_of_words *run)
{
    const tacit__word *last = &run->document->words[run_end(run)];
    bool is_said = tacit__lexicon_in(&last->entry, TACIT__LIST_HOSPITAL) ||
                   tacit__lexicon_in(&last->entry, TACIT__LIST_ORGANIZATION);
    if (!(last->flags & TACIT__WORD_GENITIVE) || is_said)
        return last->end;
    return last->end + (run->document->text.bytes[last->end] == '\'' ? 2 : 4);
}

static void propose_organization(tacit__proposals *proposals, const run_of_words *run)
{
    bool hospital = is_hospital(run);
    uint8_t kind = hospital ? TACIT_TEXT_HOSPITAL : TACIT_TEXT_ORGANIZATION;
    const tacit__proposal proposal = {
        .start = run->document->words[run->first].start,
        .end = organization_end(run),
        .kind = kind,
        .within = kind,
        .likelihood = (uint8_t)run_mean(run, run->first, run->last),
        .alone = run->alone,
        .detector = "words",
        .rule = hospital ? "a name with a word of care" : "an organization",
    };
    tacit__propose(proposals, &proposal);
}

/* ---- titles ----
 *
 * "Dr." before a name and "M.D., Ph.D." behind it say what somebody is, not who, and are kept
 * unless somebody wants them replaced: "Mrs." may tell too much. They are only looked for where
 * they are replaced, or where all proposals are told: the arbiter gives them no more than what
 * nothing else claims, so that nothing depends on it.
 *
 * A title is a word of the list of titles, or such a phrase, that the chain takes for nothing else:
 * "Reading, PA" is a place. One in lower case must be a form of address, since lists of titles have
 * words such as "general" and "count". */

enum {
    MAX_TITLES = 4, /* on either side of a name */
    APART = TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END | TACIT__GAP_COLON |
            TACIT__GAP_BRACKET | TACIT__GAP_QUOTE | TACIT__GAP_SLASH | TACIT__GAP_OTHER
};

static bool is_title(const run_of_words *run, size_t word)
{
    return tacit__lexicon_in(&run->document->words[word].entry, TACIT__LIST_TITLE) &&
           run_word(run, word) < RUN_FLOOR;
}

static void propose_title(tacit__proposals *proposals, const run_of_words *run, size_t first,
                          size_t last, const char *rule)
{
    run_propose(proposals, run, first, last, TACIT_TEXT_TITLE, run_mean(run, run->first, run->last),
                rule);
}

/* "Prof. Dr." of "Prof. Dr. Graves". */
static bool stands_before(const run_of_words *run, size_t word, size_t next)
{
    const tacit__document *document = run->document;
    return !(document->words[next].before & (APART | TACIT__GAP_COMMA)) && is_title(run, word) &&
           (document->words[word].shape != TACIT__SHAPE_LOWER ||
            tacit__is_addressed(document, next));
}

static void propose_titles_before(tacit__proposals *proposals, const run_of_words *run)
{
    size_t next = run->first;
    for (int left = MAX_TITLES; left > 0 && next > 0; left--) {
        if (!stands_before(run, next - 1, next))
            break;
        next--;
        propose_title(proposals, run, next, next, "before a name");
    }
}

/* "M.D.": letters with nothing but stops between them, which lists have as one word with its last
 * stop. */
static bool is_abbreviation(const run_of_words *run, size_t first, size_t last)
{
    tacit__lexicon_entry entry;
    tacit_strview text = run->document->text;
    uint32_t start = run->document->words[first].start, end = run->document->words[last].end;
    end += end < text.len && text.bytes[end] == '.';
    return tacit__lexicon_find(&entry, (tacit_strview){text.bytes + start, end - start}) &&
           tacit__lexicon_in(&entry, TACIT__LIST_TITLE) && run_mean(run, first, last) < RUN_FLOOR;
}

/* The word behind the title that begins with one, or that word where none does. */
static size_t title_end(const run_of_words *run, size_t first)
{
    const tacit__word *words = run->document->words;
    size_t count = run->document->count, last = first;
    while (last + 1 < count && last - first < 3 && words[last + 1].before == TACIT__GAP_STOP)
        last++;
    if (last > first && is_abbreviation(run, first, last))
        return last + 1;
    if (!is_title(run, first))
        return first;
    for (last = first; last + 1 < count && words[last + 1].flags & TACIT__WORD_GOES_ON;)
        last++;
    return last + 1;
}

/* Behind a comma, or in capitals. */
static bool may_stand_behind(const run_of_words *run, size_t word)
{
    if (word >= run->document->count)
        return false;
    const tacit__word *here = &run->document->words[word];
    bool comma = here->before & TACIT__GAP_COMMA;
    return !(here->before & APART) && !(here->flags & TACIT__WORD_SENTENCE) &&
           here->shape != TACIT__SHAPE_LOWER && (comma || here->shape != TACIT__SHAPE_CAPITAL);
}

static void propose_titles_behind(tacit__proposals *proposals, const run_of_words *run)
{
    size_t word = run->last + 1;
    for (int left = MAX_TITLES; left > 0; left--) {
        size_t end = may_stand_behind(run, word) ? title_end(run, word) : word;
        if (end == word)
            break;
        propose_title(proposals, run, word, end - 1, "behind a name");
        word = end;
    }
}

static void propose_titles(tacit__proposals *proposals, const run_of_words *run)
{
    if (!proposals->titles)
        return;
    propose_titles_before(proposals, run);
    propose_titles_behind(proposals, run);
}

/* ---- what stands behind a name, and is not told by its form alone ---- */

enum {
    OLDEST = 120,
    AGE_BEHIND = 85,     /* likelihood of "(81)" behind a sure name */
    NICK_BEHIND = 85,    /* of "("Spud")", */
    INITIALS_BEHIND = 95 /* and of "(DB)" */
};

/* "Ann (7 months)", "Ann, 34 f, came": the last word of an age, of its number or what is counted.
 */
static const tacit__word *age_ends(const tacit__document *document, size_t number)
{
    static const tacit__listed_word units[] = {
        "months", "mos", "mo", "weeks", "wks", "days", "years", "yrs", "yr", "yo", "m", "f", ""};
    const tacit__word *here = &document->words[number];
    if (number + 1 < document->count && here[1].before == TACIT__GAP_SPACE &&
        tacit__word_is_among(document, &here[1], units))
        here++;
    return here;
}

/* "Bevan, Ann 81 - chest pain": a dash with blanks around it, or two slashes, as lists of people
 * have them. */
static bool has_sign_behind(const tacit__document *document, const tacit__word *last)
{
    static const char *const signs[] = {" - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ", " // "};
    tacit_strview text = document->text;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t len = strlen(signs[i]);
        if (text.len - last->end >= len && memcmp(text.bytes + last->end, signs[i], len) == 0)
            return true;
    }
    return false;
}

/* "| Ann Bevan | 81 |": a cell of a table. */
static bool is_cell(const tacit__document *document, const tacit__word *word)
{
    tacit_strview text = document->text;
    size_t before = word->start, behind = word->end;
    while (before > 0 && text.bytes[before - 1] == ' ')
        before--;
    while (behind < text.len && text.bytes[behind] == ' ')
        behind++;
    return before > 0 && behind < text.len && text.bytes[before - 1] == '|' &&
           text.bytes[behind] == '|';
}

/* "Ann Bevan 81, home", "Ann Bevan   81   chest": two digits before a comma, or in a column. */
static bool is_listed(const tacit__document *document, const tacit__word *word)
{
    bool last = word + 1 == document->words + document->count;
    bool column = word->flags & TACIT__WORD_COLUMN && !last && word[1].flags & TACIT__WORD_COLUMN;
    return word->end - word->start == 2 && (column || tacit__word_behind(document, word) == ',');
}

/* A bracket, a comma or such, or a full stop that is none of a number. */
static bool is_closed(const tacit__document *document, const tacit__word *last)
{
    char end = tacit__word_behind(document, last);
    bool goes_on = last + 1 < document->words + document->count &&
                   last[1].before == TACIT__GAP_STOP && last[1].shape == TACIT__SHAPE_DIGITS;
    return end == ')' || end == ',' || end == ';' || end == '\n' || (end == '.' && !goes_on);
}

/* "(81)", "(81, a widow", "(81 - alone)". */
static bool is_bracketed(const tacit__document *document, const tacit__word *last)
{
    char end = tacit__word_behind(document, last);
    return end == ')' || end == ',' || end == ';' || end == '!' || has_sign_behind(document, last);
}

/* "Mr Bevan (81)", "Mr Bevan, 81, was", "(Ann Bevan, 81)": a number with nothing else between
 * brackets, commas or dashes behind a name is how old somebody is. */
static bool is_enclosed(const tacit__document *document, size_t first, size_t number)
{
    const tacit__word *here = &document->words[first], *last = age_ends(document, number);
    switch (here->before) {
    case TACIT__GAP_SPACE | TACIT__GAP_BRACKET: return is_bracketed(document, last);
    case TACIT__GAP_SPACE | TACIT__GAP_COMMA:
        return is_closed(document, last) || has_sign_behind(document, last);
    case TACIT__GAP_SPACE: return has_sign_behind(document, last) || is_listed(document, here);
    case TACIT__GAP_SPACE | TACIT__GAP_SLASH: return has_sign_behind(document, last);
    default: return is_cell(document, here);
    }
}

/* Behind what is said of somebody: "Thea is". */
static bool is_said_of(const tacit__document *document, size_t word)
{
    static const tacit__listed_word verbs[] = {"is", "was", "turned", "turns", ""};
    const tacit__word *here = &document->words[word];
    return word < document->count && here->before == TACIT__GAP_SPACE &&
           here[-1].before == TACIT__GAP_SPACE && tacit__word_is_among(document, &here[-1], verbs);
}

/* "Thea is 12.", "Marigold was 32 and". */
static bool is_said(const tacit__document *document, size_t number)
{
    static const tacit__listed_word joints[] = {"and", "now", "when", "but", "on", "as", ""};
    const tacit__word *last = &document->words[number];
    return is_closed(document, last) ||
           (number + 1 < document->count && last[1].before == TACIT__GAP_SPACE &&
            tacit__word_is_among(document, &last[1], joints));
}

static int numeral_at(const tacit__document *document, size_t word)
{
    return word < document->count
               ? tacit__numeral_of(tacit__word_text(document, &document->words[word]))
               : -1;
}

/* Which word a number in words ends with that begins with one, "forty-six"; 0 where none does. */
static size_t number_ends(const tacit__document *document, size_t word)
{
    int number = numeral_at(document, word),
        unit = number < 20 ? -1 : numeral_at(document, word + 1);
    bool joined = unit > 0 && unit < 10 && document->words[word + 1].before == TACIT__GAP_HYPHEN;
    return number > 0 ? word + joined : 0;
}

/* Which word a number ends with that somebody may be old, in figures or in words; 0 where the word
 * begins none. */
static size_t age_at(const tacit__document *document, size_t word)
{
    if (word >= document->count)
        return 0;
    const tacit__word *here = &document->words[word];
    if (here->shape == TACIT__SHAPE_LOWER)
        return here->entry.word >= TACIT__EVERYBODYS ? number_ends(document, word) : 0;
    unsigned age = tacit__word_number(document, here, 3);
    return age > 0 && age <= OLDEST && document->text.bytes[here->start] != '0' ? word : 0;
}

static void propose_age_behind(tacit__proposals *proposals, const run_of_words *run)
{
    const tacit__document *document = run->document;
    int likelihood = run_mean(run, run->first, run->last) * AGE_BEHIND / 100;
    size_t next = run->last + 1, number = age_at(document, next);
    if (number > 0 && is_enclosed(document, next, number)) {
        run_propose(proposals, run, next, number, TACIT_TEXT_AGE, likelihood,
                    "a number by itself behind a name");
        return;
    }
    number = is_said_of(document, ++next) ? age_at(document, next) : 0;
    if (number > 0 && is_said(document, number))
        run_propose(proposals, run, next, number, TACIT_TEXT_AGE, likelihood,
                    "what somebody is, a number");
}

/* "Dwayne Bevan ("Spud")": what somebody is called. */
static void propose_nick_behind(tacit__proposals *proposals, const run_of_words *run)
{
    enum { ENCLOSED = TACIT__GAP_SPACE | TACIT__GAP_BRACKET | TACIT__GAP_QUOTE };
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    if (next >= document->count || document->words[next].before != ENCLOSED ||
        document->words[next].shape != TACIT__SHAPE_CAPITAL ||
        tacit__word_behind(document, &document->words[next]) == ' ')
        return;
    int likelihood = run_mean(run, run->first, run->last) * NICK_BEHIND / 100;
    run_propose(proposals, run, next, next, TACIT_TEXT_NICK_NAME, likelihood,
                "in quotes and brackets behind a name");
}

static char letter_of(const tacit__document *document, size_t word)
{
    return (char)(document->text.bytes[document->words[word].start] | 0x20);
}

/* "Dwayne Bevan (DB)": the letters that stand for somebody. */
static void propose_initials_behind(tacit__proposals *proposals, const run_of_words *run)
{
    enum { ENCLOSED = TACIT__GAP_SPACE | TACIT__GAP_BRACKET };
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    char letters[4];
    if (run->first == run->last || next >= document->count ||
        document->words[next].before != ENCLOSED ||
        tacit__initials_at(letters, document, next) != 1 ||
        letters[0] != letter_of(document, run->first) ||
        letters[strlen(letters) - 1] != letter_of(document, run->last) ||
        tacit__word_behind(document, &document->words[next]) != ')')
        return;
    int likelihood = run_mean(run, run->first, run->last) * INITIALS_BEHIND / 100;
    run_propose(proposals, run, next, next, TACIT_TEXT_INITIALS, likelihood,
                "letters of the name before them");
}

static void propose_behind(tacit__proposals *proposals, const run_of_words *run)
{
    propose_age_behind(proposals, run);
    propose_initials_behind(proposals, run);
    propose_nick_behind(proposals, run);
}

/* ---- companions ----
 *
 * "Iris and June", "Tariq or April can cover": a word of the language that is a first name too is
 * one where it is joined to a name. By itself the chain takes June for the month that it mostly
 * is. */

enum {
    SURE_NAME = 85, /* what the other name must be */
    COMPANION = 85  /* likelihood beside a name beyond doubt */
};

/* Whether a word with a capital is a first name that something else may be meant by: no month of
 * "June 5". */
static bool may_be_companion(const run_of_words *run, size_t word)
{
    const tacit__document *document = run->document;
    const tacit__word *here = &document->words[word];
    return here->shape == TACIT__SHAPE_CAPITAL && here->entry.first >= TACIT__KNOWN_FIRST &&
           !(here->flags & TACIT__WORD_PHRASE) &&
           (word + 1 >= document->count || !tacit__has_digits(here + 1));
}

static bool joins(const tacit__document *document, size_t word)
{
    static const tacit__listed_word joints[] = {"and", "or", ""};
    return document->words[word].before == TACIT__GAP_SPACE &&
           document->words[word + 1].before == TACIT__GAP_SPACE &&
           tacit__word_is_among(document, &document->words[word], joints);
}

static void propose_companion(tacit__proposals *proposals, const run_of_words *run, size_t word,
                              int likelihood)
{
    if (!may_be_companion(run, word))
        return;
    run_propose(proposals, run, word, word, TACIT_TEXT_FIRST_NAME, likelihood * COMPANION / 100,
                "joined to a name");
}

static void propose_companions(tacit__proposals *proposals, const run_of_words *run)
{
    const tacit__document *document = run->document;
    int likelihood = run_mean(run, run->first, run->last);
    if (likelihood < SURE_NAME)
        return;
    if (run->last + 2 < document->count && joins(document, run->last + 1))
        propose_companion(proposals, run, run->last + 2, likelihood);
    if (run->first >= 2 && joins(document, run->first - 1))
        propose_companion(proposals, run, run->first - 2, likelihood);
}

/* ---- names ---- */

static bool is_after_title(const run_of_words *run, size_t word)
{
    if (word == 0)
        return false;
    const tacit__word *before = &run->document->words[word - 1];
    unsigned gap = run->document->words[word].before;
    return tacit__lexicon_in(&before->entry, TACIT__LIST_TITLE) &&
           !(gap & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_COMMA));
}

/* "PH/jk" below a letter: the initials of who wrote it. */
static bool is_sign_off(const tacit__document *document, size_t word)
{
    char letters[4];
    return tacit__is_typist(document, word + 1) &&
           document->words[word + 1].shape == TACIT__SHAPE_LOWER &&
           tacit__initials_at(letters, document, word) == 1;
}

/* A word that stands alone: how is it used, and in which lists is it most at home? */
static tacit_text_kind lone_kind(const run_of_words *run, size_t word)
{
    const tacit__word *here = &run->document->words[word];
    if (here->shape == TACIT__SHAPE_INITIAL || is_sign_off(run->document, word))
        return TACIT_TEXT_INITIALS;
    if (is_after_title(run, word))
        return TACIT_TEXT_LAST_NAME;
    if (here->before & TACIT__GAP_QUOTE)
        return TACIT_TEXT_NICK_NAME;
    if (here->entry.first >= here->entry.surname && here->entry.first > 0)
        return TACIT_TEXT_FIRST_NAME;
    return tacit__lexicon_in(&here->entry, TACIT__LIST_NICK) ? TACIT_TEXT_NICK_NAME
                                                             : TACIT_TEXT_LAST_NAME;
}

/* "Long, Marjorie A." has the last name first. */
static tacit_text_kind part_kind(const run_of_words *run, size_t word)
{
    const tacit__document *document = run->document;
    bool last_first =
        run->last > run->first && document->words[run->first + 1].before & TACIT__GAP_COMMA;
    if (document->words[word].before & TACIT__GAP_QUOTE && word > run->first)
        return TACIT_TEXT_NICK_NAME;
    if (word == run->first)
        return last_first ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_FIRST_NAME;
    if (last_first)
        return word == run->first + 1 ? TACIT_TEXT_FIRST_NAME : TACIT_TEXT_MIDDLE_NAME;
    return word == run->last ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_MIDDLE_NAME;
}

/* "Hanneke de Wit": what stands before a surname does not end a name, though the word behind it
 * may be one of the language. */
static size_t whole_name_ends(const run_of_words *run)
{
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    if (next >= document->count || document->words[next].before != TACIT__GAP_SPACE ||
        document->words[next].shape != TACIT__SHAPE_CAPITAL ||
        document->words[run->last].shape != TACIT__SHAPE_LOWER ||
        !tacit__is_particle(document, run->last))
        return run_end(run);
    return next;
}

/* Of a whole that is sure the parts cannot win. */
static void propose_part(tacit__proposals *proposals, const run_of_words *run, size_t word,
                         int whole)
{
    const tacit__word *here = &run->document->words[word];
    uint8_t kind = (uint8_t)part_kind(run, word);
    const tacit__proposal part = {.start = here->start,
                                  .end = here->end,
                                  .kind = kind,
                                  .within = kind,
                                  .likelihood = (uint8_t)run_word(run, word),
                                  .alone = run->alone,
                                  .detector = "words",
                                  .rule = "part of a name"};
    if (proposals->least > 0 && whole >= proposals->least && whole >= TACIT__SURE &&
        whole >= run->alone)
        tacit__propose_overruled(proposals, &part);
    else
        tacit__propose(proposals, &part);
}

static void propose_full_name(tacit__proposals *proposals, const run_of_words *run)
{
    int likelihood = run_mean(run, run->first, run->last);
    run_propose(proposals, run, run->first, whole_name_ends(run), TACIT_TEXT_FULL_NAME, likelihood,
                "words of a name");
    for (size_t i = run->first; i <= run->last; i++)
        propose_part(proposals, run, i, likelihood);
}

static void propose_name(tacit__proposals *proposals, const run_of_words *run)
{
    if (run->first < run->last)
        propose_full_name(proposals, run);
    else
        run_propose(proposals, run, run->first, run_end(run), lone_kind(run, run->first),
                    run_word(run, run->first), "a name alone");
    propose_behind(proposals, run);
    propose_companions(proposals, run);
    propose_titles(proposals, run);
}

/* ---- cutting into runs ---- */

typedef void (*propose_fn)(tacit__proposals *proposals, const run_of_words *run);

static const struct {
    propose_fn propose;
    unsigned parts; /* gaps that end a run */
} families[TACIT__LABELS] = {
    [TACIT__LABEL_PERSON] = {propose_name, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                               TACIT__GAP_COLON | TACIT__GAP_SLASH |
                                               TACIT__GAP_BRACKET | TACIT__GAP_AT |
                                               TACIT__GAP_OTHER},
    [TACIT__LABEL_PLACE] = {propose_place, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                               TACIT__GAP_COLON | TACIT__GAP_COMMA |
                                               TACIT__GAP_SLASH | TACIT__GAP_BRACKET |
                                               TACIT__GAP_QUOTE | TACIT__GAP_OTHER},
    [TACIT__LABEL_STREET] = {propose_street, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                 TACIT__GAP_END | TACIT__GAP_COLON |
                                                 TACIT__GAP_QUOTE | TACIT__GAP_BRACKET},
    [TACIT__LABEL_ORGANIZATION] = {propose_organization, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                             TACIT__GAP_END | TACIT__GAP_COLON |
                                                             TACIT__GAP_BRACKET | TACIT__GAP_QUOTE},
};

/* "Long. He": a stop ends a run unless what is before it is an initial or an abbreviation;
 * streets are full of those ("Oak St. Apt. 3"). */
static bool is_parted(const tacit__document *document, size_t word, tacit__label label)
{
    enum { DELIMITERS = TACIT__GAP_COLON | TACIT__GAP_OTHER }; /* a semicolon, a bar */
    const tacit__word *here = &document->words[word];
    if (document->format == TACIT_TEXT_DELIMITED && here->before & DELIMITERS)
        return true;
    return here->flags & TACIT__WORD_COLUMN || here->before & families[label].parts ||
           (here->flags & TACIT__WORD_SENTENCE && label != TACIT__LABEL_STREET);
}

/* Which of at most 64 words are a part of something, a bit each. */
static uint64_t parts_among(const tacit__opinion *opinions, size_t from, size_t count)
{
    size_t some = tacit__bitset_share(from, count);
    uint64_t parts = 0;
    for (size_t i = 0; i < some; i++) {
        bool is = 100 - opinions[from + i].of[TACIT__LABEL_OTHER] >= RUN_FLOOR;
        parts |= (uint64_t)is << i;
    }
    return parts;
}

/* "Hay-on-Wye": hyphens join a word to what is a part of the run on both its sides. */
static bool is_bridge(const run_of_words *run, size_t word)
{
    const tacit__word *here = &run->document->words[word];
    return word + 1 < run->document->count && here->before == TACIT__GAP_HYPHEN &&
           here[1].before == TACIT__GAP_HYPHEN && run_label(&run->opinions[word + 1]) == run->label;
}

/* "NK", "tRNA", "lacI": letters that are written as no name is, unless all are in capitals. */
static bool is_odd(const tacit__document *document, const tacit__word *word)
{
    const char *letters = document->text.bytes + word->start;
    if (document->casing == TACIT__CASING_CAPITALS)
        return false;
    if (word->shape == TACIT__SHAPE_MIXED) /* "McCarthy", "O'Neill" */
        return !tacit__is_upper(letters[0]) || tacit__is_upper(letters[1]);
    return word->shape != TACIT__SHAPE_CAPITAL && word->shape != TACIT__SHAPE_INITIAL &&
           (word->shape != TACIT__SHAPE_LOWER || document->casing != TACIT__CASING_LOWER);
}

/* How the words of a name are written, at worst. */
static bool has_odd(const run_of_words *run)
{
    for (size_t i = run->first; i <= run->last; i++)
        if (is_odd(run->document, &run->document->words[i]) &&
            !(run->first < run->last && tacit__is_particle(run->document, i)))
            return true;
    return run->first == run->last &&
           run->document->words[run->first].shape == TACIT__SHAPE_INITIAL;
}

/* What a name must reach where nothing else is personal: by what stands before it, how it is
 * written, and whether lists have its words. */
static tacit__alone name_alone(const run_of_words *run)
{
    const tacit__lexicon_entry *first = &run->document->words[run->first].entry;
    const tacit__lexicon_entry *last = &run->document->words[run->last].entry;
    bool known = first->first >= TACIT__KNOWN_FIRST || last->first >= TACIT__KNOWN_FIRST;
    if (is_after_title(run, run->first))
        return TACIT__ALONE_TITLED;
    if (has_odd(run))
        return TACIT__ALONE_ODD;
    if (run->document->casing != TACIT__CASING_USUAL &&
        run->document->words[run->first].shape != TACIT__SHAPE_CAPITAL)
        return TACIT__ALONE_UNSHAPED;
    if (run->first < run->last)
        return known ? TACIT__ALONE_KNOWN_NAME : TACIT__ALONE_NAME;
    return known ? TACIT__ALONE_FIRST : TACIT__ALONE_WORD;
}

static tacit__alone alone_of(const run_of_words *run)
{
    return run->label == TACIT__LABEL_PERSON ? name_alone(run) : TACIT__ALONE_PLACE;
}

/* The run that begins with a word, from which *end on none of its words is. */
static void propose_run(tacit__proposals *proposals, const tacit__document *document,
                        const tacit__opinion *opinions, size_t first, size_t *end)
{
    run_of_words run = {.document = document,
                        .opinions = opinions,
                        .first = first,
                        .label = run_label(&opinions[first])};
    size_t i = first + 1;
    while (i < document->count && !is_parted(document, i, run.label) &&
           (run_label(&opinions[i]) == run.label || is_bridge(&run, i)))
        i++;
    run.last = i - 1;
    run.alone = (uint8_t)alone_of(&run);
    *end = i;
    families[run.label].propose(proposals, &run);
}

tacit_status tacit__runs_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err)
{
    size_t end = 0;
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = parts_among(opinions, from, document->count);
        for (; left != 0; left &= left - 1) {
            size_t first = from + (size_t)__builtin_ctzll(left);
            if (first >= end)
                propose_run(proposals, document, opinions, first, &end);
        }
    }
    return tacit__proposals_status(proposals, err);
}
