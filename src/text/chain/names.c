/*
 * names.c - what the sorts of evidence are called, so that weights can be read by
 * people: a sort's name, a colon, and the values of its fields parted by stops, as in
 * "shape:capital.start.usual". The row of a combination is its number in mixed radix, the
 * last field running fastest.
 */
#include <string.h>

#include "text/chain/model.h"
#include "text/lexicon/letters.h"

enum { MOST_FIELDS = 4 };

typedef struct field {
    uint32_t count;
    const char *const *names;
} field;

#define FIELD(values)                                                  \
    {                                                                  \
        .count = sizeof(values) / sizeof(values)[0], .names = (values) \
    }

static const char *const shapes[] = {"lower",   "capital", "capitals", "mixed",
                                     "initial", "digits",  "both"};
static const char *const looks[] = {"lower", "capital", "capitals", "digits"};
static const char *const starts[] = {"within", "start"};
static const char *const casings[] = {"usual", "lower", "capitals"};
static const char *const answers[] = {"no", "yes"};
static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
static const char *const buckets[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
static const char *const labels[] = {"other", "person", "place", "street", "organization"};
static const char *const lists[] = {
    "first",      "female",      "male",   "nick",    "surname", "city",  "state", "state-code",
    "country",    "nationality", "street", "place",   "disease", "drug",  "body",  "medical",
    "occupation", "word",        "verb",   "proper",  "eponym",  "title", "kin",   "organization",
    "hospital",   "university",  "month",  "weekday", "brand",   "opens"};
static const char *const breaks[] = {"none",       "tight",    "quote",    "comma",
                                     "stop",       "colon",    "other",    "line",
                                     "comma-line", "sentence", "paragraph"};
static const char *const roles[] = {
    "none",         "number",       "code",       "initial",     "title",      "month",
    "state-code",   "state",        "country",    "nationality", "street",     "hospital",
    "organization", "university",   "kin",        "first",       "surname",    "both",
    "name-word",    "city",         "city-name",  "place",       "eponym",     "medical",
    "brand",        "occupation",   "common",     "word",        "proper",     "capitals",
    "unknown",      "low-title",    "low-kin",    "low-care",    "low-street", "low-occupation",
    "low-medical",  "low-particle", "low-common", "low-verb",    "low-word",   "low-name",
    "low-unknown"};
static const char *const seen[] = {"-", "l", "c", "lc", "n", "ln", "cn", "lcn"};
static const char *const marks[] = {"genitive", "foreign", "phrase", "goes-on"};

_Static_assert(sizeof roles / sizeof roles[0] == TACIT__ROLES, "a name for every role");
_Static_assert(sizeof lists / sizeof lists[0] == TACIT__LISTS, "a name for every list");
_Static_assert(sizeof breaks / sizeof breaks[0] == TACIT__BREAKS, "a name for every break");
_Static_assert(sizeof labels / sizeof labels[0] == TACIT__LABELS, "a name for every label");
_Static_assert(sizeof shapes / sizeof shapes[0] == TACIT__SHAPES, "a name for every shape");

static const field SHAPE = FIELD(shapes), LOOK = FIELD(looks), START = FIELD(starts),
                   CASING = FIELD(casings), YES = FIELD(answers), DIGIT = FIELD(digits),
                   BUCKET = FIELD(buckets), LABEL = FIELD(labels), LIST = FIELD(lists),
                   BREAK = FIELD(breaks), ROLE = FIELD(roles), SEEN = FIELD(seen),
                   MARK = FIELD(marks);

/* In the order of tacit__sort. */
static const struct {
    const char *name;
    const field *fields[MOST_FIELDS];
} sorts[TACIT__SORTS] = {
    {"after", {&BREAK, &LABEL}},
    {"bias", {0}},
    {"shape", {&SHAPE, &START, &CASING}},
    {"length", {&SHAPE, &DIGIT}},
    {"list", {&LIST, &LOOK, &YES}},
    {"name", {&DIGIT, &DIGIT, &DIGIT, &YES}},
    {"city", {&DIGIT, &DIGIT, &YES}},
    {"role", {&ROLE, &SHAPE}},
    {"role-1", {&BREAK, &ROLE}},
    {"role+1", {&BREAK, &ROLE}},
    {"role+2", {&LOOK, &ROLE}},
    {"pair-1", {&ROLE, &ROLE}},
    {"pair+1", {&ROLE, &ROLE}},
    {"break-1", {&BREAK, &ROLE}},
    {"break+1", {&BREAK, &ROLE}},
    {"line", {&YES, &DIGIT, &ROLE}},
    {"surname-letters", {&BUCKET, &LOOK}},
    {"first-letters", {&BUCKET, &LOOK}},
    {"medical-letters", {&BUCKET, &LOOK}},
    {"digits-1", {&DIGIT, &ROLE}},
    {"digits+1", {&DIGIT, &ROLE}},
    {"zip", {&YES, &ROLE}},
    {"seen", {&SEEN, &START, &ROLE}},
    {"mark", {&MARK, &ROLE}},
    {"initials", {&YES, &DIGIT, &BREAK}},
    {"titled", {&LOOK, &DIGIT, &DIGIT}},
    {"shapes", {&SHAPE, &SHAPE, &SHAPE}},
};

uint32_t tacit__sort_rows(tacit__sort sort)
{
    uint32_t rows = 1;
    for (int i = 0; i < MOST_FIELDS && sorts[sort].fields[i]; i++)
        rows *= sorts[sort].fields[i]->count;
    return rows;
}

const char *tacit__label_name(tacit__label label)
{
    return labels[label];
}

const char *tacit__place_name(tacit__chain_place place)
{
    static const char *const names[TACIT__PLACES] = {"word",   "word-1", "word-2",
                                                     "word+1", "word+2", "key"};
    return names[place];
}

/* Takes what is before the sign, or all, off the text. */
static tacit_strview take(tacit_strview *text, char sign)
{
    const char *found = memchr(text->bytes, sign, text->len);
    tacit_strview taken = {.bytes = text->bytes,
                           .len = found ? (size_t)(found - text->bytes) : text->len};
    size_t gone = taken.len + (found ? 1 : 0);
    *text = (tacit_strview){.bytes = text->bytes + gone, .len = text->len - gone};
    return taken;
}

static bool is_called(tacit_strview text, const char *name)
{
    return strlen(name) == text.len && memcmp(name, text.bytes, text.len) == 0;
}

static bool find_value(uint32_t *value, const field *of, tacit_strview name)
{
    for (uint32_t i = 0; i < of->count; i++)
        if (is_called(name, of->names[i])) {
            *value = i;
            return true;
        }
    return false;
}

static bool find_sort(tacit__sort *sort, tacit_strview name)
{
    if (is_called(name, sorts[*sort].name))
        return true;
    for (tacit__sort i = 0; i < TACIT__SORTS; i++)
        if (is_called(name, sorts[i].name)) {
            *sort = i;
            return true;
        }
    return false;
}

bool tacit__sort_find(tacit__sort *sort, uint32_t *number, tacit_strview name)
{
    uint32_t row = 0;
    tacit_strview left = name;
    if (!find_sort(sort, take(&left, ':')))
        return false;
    for (int i = 0; i < MOST_FIELDS && sorts[*sort].fields[i]; i++) {
        const field *of = sorts[*sort].fields[i];
        uint32_t value;
        if (!find_value(&value, of, take(&left, '.')))
            return false;
        row = row * of->count + value;
    }
    *number = row;
    return left.len == 0;
}

void tacit__sort_write(tacit__strbuf *out, tacit__sort sort, uint32_t number)
{
    uint32_t left = tacit__sort_rows(sort);
    tacit__strbuf_text(out, sorts[sort].name);
    for (int i = 0; i < MOST_FIELDS && sorts[sort].fields[i]; i++) {
        const field *of = sorts[sort].fields[i];
        left /= of->count;
        tacit__strbuf_text(out, i == 0 ? ":" : ".");
        tacit__strbuf_text(out, of->names[number / left]);
        number %= left;
    }
}

int tacit__ending_of(tacit_strview word)
{
    int number = 0;
    if (word.len < TACIT__ENDING)
        return -1;
    for (size_t i = word.len - TACIT__ENDING; i < word.len; i++) {
        unsigned letter = tacit__letter((char)(word.bytes[i] | 0x20));
        if (letter == 0)
            return -1;
        number = number * TACIT__LETTERS + (int)letter;
    }
    return number;
}
