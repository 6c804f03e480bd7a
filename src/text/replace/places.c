/*
 * places.c - other places: streets, cities, hospitals, employers word by word, states
 * and countries from a table.
 *
 *   "7465 Steven Drive Apt. 034"  ->  "3108 Jodian Drive Apt. 592"
 *   "St. John's Hospital"         ->  "St. Carnon's Hospital"
 *
 * What says of which sort the place is stays. Where all of a name's words do, nothing is
 * replaced, and the caller makes a tag of it. Cost: linear.
 */
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "text/lexicon/fold.h"
#include "text/replace/disguise.h"

/* Whether a word stays, by its roles and what is around it: the parts after it, and how many
 * words before it do not. */
typedef bool stays(const tacit__read_part *part, unsigned roles, const tacit__read_parts *after,
                   size_t words);

enum { EVERYWHERE = TACIT__FILLER_FUNCTION | TACIT__FILLER_COMMON };

static bool in_list(const tacit__read_part *part, tacit__lexicon_list list)
{
    tacit__lexicon_entry entry;
    return tacit__part_lists(&entry, part) && tacit__lexicon_in(&entry, list);
}

/* The types of streets stay, but where the name begins with one, as in "Park Street"; unless a
 * name follows, as in "Avenue Louise". */
static bool stays_in_street(const tacit__read_part *part, unsigned roles,
                            const tacit__read_parts *after, size_t words)
{
    tacit__read_parts rest = *after;
    tacit__read_part next;
    if (roles & (EVERYWHERE | TACIT__FILLER_UNIT))
        return true;
    if (!in_list(part, TACIT__LIST_STREET))
        return false;
    if (words > 0)
        return true;
    return tacit__parts_next_solid(&next, &rest) && next.kind == TACIT__PART_WORD &&
           !in_list(&next, TACIT__LIST_STREET);
}

static bool stays_in_city(const tacit__read_part *part, unsigned roles,
                          const tacit__read_parts *after, size_t words)
{
    (void)part;
    (void)after;
    return roles & (EVERYWHERE | (words > 0 ? TACIT__FILLER_CITY : 0u));
}

static bool stays_in_hospital(const tacit__read_part *part, unsigned roles,
                              const tacit__read_parts *after, size_t words)
{
    (void)after;
    return roles & (EVERYWHERE | TACIT__FILLER_CARE) ||
           (words > 0 && in_list(part, TACIT__LIST_ORGANIZATION));
}

static const tacit__table saints = TACIT__TABLE("st", "saint", "sts");

/* "St. Bartholomew's", which is nobody's name without what follows. */
static bool is_saint(const tacit__read_part *part, const tacit__read_parts *after)
{
    tacit__read_parts rest = *after;
    tacit__read_part next;
    return tacit__among(&saints, part->text) && tacit__parts_next_solid(&next, &rest) &&
           next.kind == TACIT__PART_WORD;
}

/* An organization may be called after people whose names are such words, "West, Young and
 * Ward": they stay behind a name only. */
static bool stays_in_organization(const tacit__read_part *part, unsigned roles,
                                  const tacit__read_parts *after, size_t words)
{
    return roles & TACIT__FILLER_FUNCTION || (words == 0 && is_saint(part, after)) ||
           (words > 0 && (roles & TACIT__FILLER_CARE || in_list(part, TACIT__LIST_ORGANIZATION)));
}

/* "5th" of "5th Avenue": another number, which was put from here on, with its own end. */
static void put_ordinal(tacit__strbuf *out, size_t from, const tacit__read_part *end)
{
    unsigned number = (unsigned)(out->bytes[out->len - 1] - '0');
    if (out->len - from > 1 && out->bytes[out->len - 2] == '1')
        number += 10;
    tacit__put_cased(out, tacit__ordinal_end(number), 2, end->cased);
}

static bool put_place_words(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text,
                            stays *keeps)
{
    tacit__read_parts parts = tacit__disguise_parts(disguise, text);
    tacit__read_part part;
    tacit__part_kind before = TACIT__PART_GAP;
    size_t words = 0, digits = 0;
    for (; tacit__parts_next(&part, &parts) && !out->failed; before = part.kind) {
        if (part.kind == TACIT__PART_DIGITS) {
            digits = out->len;
            tacit__put_other_digits(out, disguise, part.text);
        } else if (part.kind == TACIT__PART_GAP) {
            tacit__put(out, part.text);
        } else if (before == TACIT__PART_DIGITS && tacit__is_ordinal_end(part.text)) {
            put_ordinal(out, digits, &part);
        } else if (keeps(&part, tacit__roles_of(&disguise->roles, &part), &parts, words)) {
            tacit__put(out, part.text);
        } else if (part.letters == 1) {
            tacit__put_other_letter(out, disguise, &part);
        } else if (tacit__put_other_word(out, disguise, &part)) {
            words++;
        } else {
            return false;
        }
    }
    return true;
}

bool tacit__make_up_street(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return put_place_words(out, disguise, text, stays_in_street);
}

bool tacit__make_up_place(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return put_place_words(out, disguise, text, stays_in_city);
}

bool tacit__make_up_hospital(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return put_place_words(out, disguise, text, stays_in_hospital);
}

bool tacit__make_up_organization(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    return put_place_words(out, disguise, text, stays_in_organization);
}

static const char *const states[][2] = {
    {"AL", "Alabama"},        {"AK", "Alaska"},        {"AZ", "Arizona"},
    {"AR", "Arkansas"},       {"CA", "California"},    {"CO", "Colorado"},
    {"CT", "Connecticut"},    {"DE", "Delaware"},      {"FL", "Florida"},
    {"GA", "Georgia"},        {"HI", "Hawaii"},        {"ID", "Idaho"},
    {"IL", "Illinois"},       {"IN", "Indiana"},       {"IA", "Iowa"},
    {"KS", "Kansas"},         {"KY", "Kentucky"},      {"LA", "Louisiana"},
    {"ME", "Maine"},          {"MD", "Maryland"},      {"MA", "Massachusetts"},
    {"MI", "Michigan"},       {"MN", "Minnesota"},     {"MS", "Mississippi"},
    {"MO", "Missouri"},       {"MT", "Montana"},       {"NE", "Nebraska"},
    {"NV", "Nevada"},         {"NH", "New Hampshire"}, {"NJ", "New Jersey"},
    {"NM", "New Mexico"},     {"NY", "New York"},      {"NC", "North Carolina"},
    {"ND", "North Dakota"},   {"OH", "Ohio"},          {"OK", "Oklahoma"},
    {"OR", "Oregon"},         {"PA", "Pennsylvania"},  {"RI", "Rhode Island"},
    {"SC", "South Carolina"}, {"SD", "South Dakota"},  {"TN", "Tennessee"},
    {"TX", "Texas"},          {"UT", "Utah"},          {"VT", "Vermont"},
    {"VA", "Virginia"},       {"WA", "Washington"},    {"WV", "West Virginia"},
    {"WI", "Wisconsin"},      {"WY", "Wyoming"}};

static const char *const countries[] = {
    "Albania",  "Algeria", "Argentina", "Australia", "Austria", "Belgium", "Bolivia",   "Brazil",
    "Bulgaria", "Canada",  "Chile",     "Colombia",  "Croatia", "Cuba",    "Denmark",   "Ecuador",
    "Egypt",    "Estonia", "Ethiopia",  "Finland",   "France",  "Germany", "Ghana",     "Greece",
    "Hungary",  "Iceland", "India",     "Indonesia", "Ireland", "Italy",   "Japan",     "Kenya",
    "Latvia",   "Lebanon", "Lithuania", "Malaysia",  "Mexico",  "Morocco", "Nepal",     "Norway",
    "Panama",   "Peru",    "Poland",    "Portugal",  "Romania", "Senegal", "Singapore", "Slovakia",
    "Slovenia", "Spain",   "Sweden",    "Thailand",  "Tunisia", "Turkey",  "Uruguay",   "Vietnam"};

enum {
    STATES = sizeof states / sizeof states[0],
    COUNTRIES = sizeof countries / sizeof countries[0]
};

/* Whether two names have a word in common: "North Dakota" and "North Carolina" do. */
static bool share_word(const char *name, tacit_strview text)
{
    tacit__read_parts others = tacit__parts_of(text);
    tacit__read_part other;
    while (tacit__parts_next_solid(&other, &others))
        for (const char *word = name; *word;) {
            size_t len = strcspn(word, " ");
            if (len == other.text.len && strncasecmp(word, other.text.bytes, len) == 0)
                return true;
            word += len + (word[len] == ' ');
        }
    return false;
}

typedef const char *named(size_t number);

static const char *state_named(size_t number)
{
    return states[number][1];
}

static const char *country_named(size_t number)
{
    return countries[number];
}

/* The number of the entry that stands for the value: no word of it and, while there are
 * others, none that the document names or that stands for another. */
static size_t choose(tacit__disguise *disguise, tacit__space space, tacit_strview value,
                     named *name, uint32_t count)
{
    enum { ATTEMPTS = 64 };
    tacit__draws draws = tacit__disguise_draws(disguise, space, value);
    uint64_t key = tacit__given_key(space, value);
    uint32_t number = 0;
    if (tacit__disguise_given(&number, disguise, key))
        return (size_t)number;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        number = tacit__draw_below(&draws, count);
        if (!share_word(name(number), value) &&
            (tacit__disguise_take(disguise, tacit__word_key(tacit_strview_of(name(number)))) ||
             attempt > ATTEMPTS / 2))
            break;
    }
    tacit__disguise_give(disguise, key, number);
    return (size_t)number;
}

static bool same_name(const char *name, tacit_strview text)
{
    return (name[0] | 0x20) == (text.bytes[0] | 0x20) && strlen(name) == text.len &&
           strncasecmp(name, text.bytes, text.len) == 0;
}

/* The number of a state by code or name, STATES where it is none. */
static size_t state_of(tacit_strview text)
{
    size_t i = 0;
    while (i < STATES && !same_name(states[i][text.len > 2], text))
        i++;
    return i;
}

static tacit__cased cased_of(tacit_strview text)
{
    tacit__read_parts parts = tacit__parts_of(text);
    tacit__read_part part = {.cased = TACIT__CASED_CAPITAL};
    tacit__parts_next_solid(&part, &parts);
    return part.cased;
}

/* A name of several words has each of them in the case. */
static void put_words_cased(tacit__strbuf *out, const char *name, tacit__cased cased)
{
    if (cased == TACIT__CASED_CAPITAL)
        tacit__strbuf_text(out, name);
    else
        tacit__put_cased(out, name, strlen(name), cased);
}

/* The value without its final stop ("Mass."), which stays where it is. */
static tacit_strview without_stop(tacit_strview text)
{
    while (text.len > 0 && text.bytes[text.len - 1] == '.')
        text.len--;
    return text;
}

bool tacit__make_up_state(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit_strview bare = without_stop(text);
    if (bare.len < 2 || bare.len > TACIT__FOLDED_MAX)
        return false;
    tacit__folded folded;
    if (!tacit__text_fold(&folded, bare))
        return false;
    size_t number = state_of(bare);
    tacit_strview value = tacit__folded_view(&folded);
    if (number < STATES)
        value = tacit_strview_of(states[number][1]);
    size_t other = choose(disguise, TACIT__SPACE_STATE, value, state_named, STATES);
    if (bare.len == 2 || bare.len < text.len)
        put_words_cased(out, states[other][0],
                        cased_of(bare) == TACIT__CASED_LOWER ? TACIT__CASED_LOWER
                                                             : TACIT__CASED_CAPITALS);
    else
        put_words_cased(out, states[other][1], cased_of(bare));
    tacit__strbuf_add(out, text.bytes + bare.len, text.len - bare.len);
    return true;
}

bool tacit__make_up_country(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__folded folded;
    tacit__cased cased = cased_of(text);
    if (!tacit__text_fold(&folded, text))
        return false;
    tacit_strview value = tacit__folded_view(&folded);
    /* "USA" is no country in capitals. */
    if (cased == TACIT__CASED_CAPITALS && text.len <= 4)
        cased = TACIT__CASED_CAPITAL;
    size_t other = choose(disguise, TACIT__SPACE_COUNTRY, value, country_named, COUNTRIES);
    put_words_cased(out, countries[other], cased);
    return true;
}

static tacit__replacement *replacement_of_place(tacit_strview text)
{
    tacit__lexicon_entry entry;
    if (state_of(text) < STATES && (text.len > 2 || cased_of(text) == TACIT__CASED_CAPITALS))
        return tacit__make_up_state;
    if (tacit__lexicon_find(&entry, text) && tacit__lexicon_in(&entry, TACIT__LIST_COUNTRY))
        return tacit__make_up_country;
    return tacit__make_up_place;
}

/* "Boston, MA": each part between commas by itself, white space around it kept. */
bool tacit__make_up_location(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    for (size_t at = 0; at < text.len;) {
        const char *comma = memchr(text.bytes + at, ',', text.len - at);
        size_t end = comma ? (size_t)(comma - text.bytes) : text.len, from = at;
        while (from < end && (text.bytes[from] == ' ' || text.bytes[from] == '\n'))
            from++;
        tacit_strview part = {.bytes = text.bytes + from, .len = end - from};
        tacit__strbuf_add(out, text.bytes + at, from - at);
        if (part.len > 0 && !replacement_of_place(part)(out, disguise, part))
            return false;
        tacit__strbuf_add(out, ",", comma != NULL);
        at = end + (comma != NULL);
    }
    return true;
}
