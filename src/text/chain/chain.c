/*
 * chain.c - the weights of a chain: from text, and as text. A line has the name of a piece of
 * evidence and what it says for or against each label:
 *
 *   word-1:dear person 3.12 place -0.40
 *   shape:capital.start.usual person 0.35
 *   ending:ton place 0.71
 *   # a comment
 *
 * Sorts of evidence have names, so that weights can be read by people: a sort's name, a colon, and
 * the values of its fields parted by stops, as in "shape:capital.start.usual". The row of a
 * combination is its number in mixed radix, the last field running fastest.
 *
 * The shipped weights are data/text/chain.lst, which the assembler copies into the library's
 * read-only data. Reading costs a few steps a byte and is done once for all threads.
 */
#include "text/chain/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/chain/model.h"
#include "text/lexicon/letters.h"

/* ---- names ---- */

enum { MAX_FIELDS = 4 };

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
    const field *fields[MAX_FIELDS];
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
    for (int i = 0; i < MAX_FIELDS && sorts[sort].fields[i]; i++)
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
static tacit_strview take_until(tacit_strview *text, char sign)
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
    if (!find_sort(sort, take_until(&left, ':')))
        return false;
    for (int i = 0; i < MAX_FIELDS && sorts[*sort].fields[i]; i++) {
        const field *of = sorts[*sort].fields[i];
        uint32_t value;
        if (!find_value(&value, of, take_until(&left, '.')))
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
    for (int i = 0; i < MAX_FIELDS && sorts[sort].fields[i]; i++) {
        const field *of = sorts[sort].fields[i];
        left /= of->count;
        tacit__strbuf_text(out, i == 0 ? ":" : ".");
        tacit__strbuf_text(out, of->names[number / left]);
        number %= left;
    }
}

/* ---- weights ---- */

#ifndef TACIT_CHAIN_FILE
#error "TACIT_CHAIN_FILE names data/text/chain.lst"
#endif

__asm__(".pushsection .rodata, \"a\"\n"
        ".globl tacit__chain_shipped\n"
        ".hidden tacit__chain_shipped\n"
        ".type tacit__chain_shipped, %object\n"
        "tacit__chain_shipped:\n"
        ".incbin \"" TACIT_CHAIN_FILE "\"\n"
        ".byte 0\n"
        ".size tacit__chain_shipped, . - tacit__chain_shipped\n"
        ".popsection\n");
extern const char tacit__chain_shipped[] __attribute__((visibility("hidden")));

enum { FIRST_SLOTS = 1 << 10, MAX_WEIGHT = 1000, MAX_TURN = 20, SHOWN = 100 };

void tacit__chain_free(tacit__chain *model)
{
    if (!model)
        return;
    tacit__free(model->rows);
    tacit__free(model->words);
    tacit__free(model->slots);
    tacit__free(model->left);
    tacit__free(model->right);
    tacit__arena_clear(&model->names);
    tacit__free(model);
}

/* So many new rows of zeros; *row is the first. */
static tacit_status add_rows(uint32_t *row, tacit__chain *model, size_t count, tacit_error *err)
{
    if (model->row_count + count > TACIT__CHAIN_ROWS)
        return tacit__error(err, TACIT_LIMIT, "more than %d rows of weights", TACIT__CHAIN_ROWS);
    if (!TACIT__RESERVE(model->rows, model->row_capacity, model->row_count + count))
        return tacit__nomem(err);
    memset(model->rows + model->row_count, 0, count * sizeof *model->rows);
    *row = (uint32_t)model->row_count;
    model->row_count += count;
    return TACIT_OK;
}

static tacit_status add_sorts(tacit__chain *model, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (tacit__sort sort = 0; sort < TACIT__SORTS && status == TACIT_OK; sort++)
        status = add_rows(&model->base[sort], model, tacit__sort_rows(sort), err);
    return status;
}

void tacit__chain_set_turn(tacit__chain *model, tacit__break gap)
{
    const tacit__weights *rows =
        model->rows + model->base[TACIT__SORT_AFTER] + (unsigned)gap * TACIT__LABELS;
    tacit__turn *turn = &model->turn[gap];
    for (int before = 0; before < TACIT__LABELS; before++)
        for (int i = 0; i < TACIT__NAMED; i++) {
            float weight = rows[before][i];
            weight = weight > MAX_TURN ? MAX_TURN : weight < -MAX_TURN ? -MAX_TURN : weight;
            float factor = (float)exp((double)weight);
            turn->to[before][i] = factor;
            if (before > 0)
                turn->from[i][before - 1] = factor;
        }
}

static void set_turns(tacit__chain *model)
{
    for (tacit__break gap = 0; gap < TACIT__BREAKS; gap++)
        tacit__chain_set_turn(model, gap);
}

static void set_breaks(tacit__chain *model)
{
    tacit__word word = {0};
    for (unsigned start = 0; start < 2; start++)
        for (unsigned gap = 0; gap < TACIT__GAP_ALL; gap++) {
            word.before = (uint16_t)gap;
            word.flags = (uint8_t)(start * TACIT__WORD_SENTENCE);
            model->breaks[start * TACIT__GAP_ALL + gap] = (uint8_t)tacit__break_of(&word);
        }
}

tacit_status tacit__chain_empty(tacit__chain **out, tacit_error *err)
{
    tacit__chain *model = tacit__alloc_zeroed(1, sizeof *model);
    if (!model)
        return tacit__nomem(err);
    tacit_status status = TACIT_NOMEM;
    model->slot_count = FIRST_SLOTS;
    model->slots = tacit__alloc_zeroed(model->slot_count, sizeof *model->slots);
    if (!model->slots)
        tacit__nomem(err);
    else
        status = add_sorts(model, err);
    if (status != TACIT_OK) {
        tacit__chain_free(model);
        return status;
    }
    set_turns(model);
    set_breaks(model);
    *out = model;
    return TACIT_OK;
}

static void fill_slot(tacit__chain_slot *slots, size_t count, const tacit__chain_word *word)
{
    uint64_t at = word->key;
    while (slots[at & (count - 1)].row != 0)
        at++;
    slots[at & (count - 1)] =
        (tacit__chain_slot){.tag = (uint32_t)(word->key >> 32), .row = word->row};
}

/* Slots are at most half full. */
static tacit_status grow_slots(tacit__chain *model, tacit_error *err)
{
    if (model->word_count * 2 < model->slot_count)
        return TACIT_OK;
    size_t count = model->slot_count * 2;
    tacit__chain_slot *slots = tacit__alloc_zeroed(count, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    for (size_t i = 0; i < model->word_count; i++)
        fill_slot(slots, count, &model->words[i]);
    tacit__free(model->slots);
    model->slots = slots;
    model->slot_count = count;
    return TACIT_OK;
}

tacit_status tacit__chain_know_word(uint32_t *row, tacit__chain *model, tacit_strview folded,
                                    tacit_error *err)
{
    tacit__chain_word word = {.key = tacit__word_key(folded)};
    if ((*row = tacit__chain_row(model, word.key)) != 0)
        return TACIT_OK;
    word.name = tacit__arena_copy(&model->names, folded);
    if (!word.name.bytes ||
        !TACIT__RESERVE_ONE(model->words, model->word_capacity, model->word_count))
        return tacit__nomem(err);
    tacit_status status = grow_slots(model, err);
    if (status == TACIT_OK)
        status = add_rows(&word.row, model, TACIT__PLACES, err);
    if (status != TACIT_OK)
        return status;
    model->words[model->word_count++] = word;
    fill_slot(model->slots, model->slot_count, &word);
    *row = word.row;
    return TACIT_OK;
}

tacit_status tacit__chain_know_ending(uint32_t *row, tacit__chain *model, int number,
                                      tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (model->endings[number] == 0)
        status = add_rows(&model->endings[number], model, 1, err);
    *row = model->endings[number];
    return status;
}

/* Reading: what is left of the source, and of the line. */
typedef struct weights_reader {
    tacit__chain *model;
    tacit_strview left;
    int64_t line;
    tacit__sort sort; /* of the last row */
} weights_reader;

static tacit_strview next_word(tacit_strview *line)
{
    size_t start = 0, end;
    while (start < line->len && line->bytes[start] == ' ')
        start++;
    for (end = start; end < line->len && line->bytes[end] != ' ';)
        end++;
    tacit_strview word = {.bytes = line->bytes + start, .len = end - start};
    *line = (tacit_strview){.bytes = line->bytes + end, .len = line->len - end};
    return word;
}

static tacit_status refuse(const weights_reader *reader, tacit_strview what, const char *why,
                           tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, "weights", reader->line, 0, "\"%s\" %s",
                           tacit__show(what).text, why);
}

/* Digits, at most one stop among them, and perhaps a sign. */
static bool read_number(float *out, tacit_strview text)
{
    double value = 0, scale = 0;
    size_t at = text.len > 0 && text.bytes[0] == '-';
    if (at == text.len || text.len > 12)
        return false;
    for (size_t i = at; i < text.len; i++) {
        unsigned digit = (unsigned char)text.bytes[i] - (unsigned)'0';
        if (text.bytes[i] == '.' && scale == 0)
            scale = 1;
        else if (digit > 9)
            return false;
        else {
            value = value * 10 + digit;
            scale *= 10;
        }
    }
    value = scale > 0 ? value / scale : value;
    *out = (float)(at > 0 ? -value : value);
    return value <= MAX_WEIGHT;
}

static bool find_label(int *label, tacit_strview name)
{
    for (*label = 1; *label < TACIT__LABELS; ++*label)
        if (tacit_strview_equal(name, tacit_strview_of(tacit__label_name((tacit__label)*label))))
            return true;
    return false;
}

static bool starts_with(tacit_strview name, const char *prefix, tacit_strview *rest)
{
    size_t len = strlen(prefix);
    if (name.len < len + 2 || memcmp(name.bytes, prefix, len) != 0 || name.bytes[len] != ':')
        return false;
    *rest = (tacit_strview){.bytes = name.bytes + len + 1, .len = name.len - len - 1};
    return true;
}

/* The row of a name, made where it is a word or ending that was not known. */
static tacit_status find_row(uint32_t *row, weights_reader *reader, tacit_strview name,
                             tacit_error *err)
{
    tacit_strview rest;
    for (tacit__chain_place place = 0; place < TACIT__PLACES; place++)
        if (starts_with(name, tacit__place_name(place), &rest)) {
            if (tacit__word_key(rest) == 0)
                return refuse(reader, rest, "is no word, or longer than any", err);
            tacit_status status = tacit__chain_know_word(row, reader->model, rest, err);
            *row += (uint32_t)place;
            return status;
        }
    if (starts_with(name, "ending", &rest) && rest.len == TACIT__ENDING &&
        tacit__ending_of(rest) >= 0)
        return tacit__chain_know_ending(row, reader->model, tacit__ending_of(rest), err);
    if (!tacit__sort_find(&reader->sort, row, name))
        return refuse(reader, name, "is no evidence that is known here", err);
    *row += reader->model->base[reader->sort];
    return TACIT_OK;
}

static tacit_status read_weights(const weights_reader *reader, uint32_t row, tacit_strview line,
                                 tacit_error *err)
{
    for (tacit_strview name = next_word(&line); name.len > 0; name = next_word(&line)) {
        tacit_strview value = next_word(&line);
        int label;
        float weight;
        if (!find_label(&label, name))
            return refuse(reader, name, "is not a label: use person, place, street or organization",
                          err);
        if (!read_number(&weight, value))
            return refuse(reader, value, "is not a weight: use a number such as -1.25", err);
        reader->model->rows[row][label - 1] = weight;
    }
    return TACIT_OK;
}

static tacit_status read_line(weights_reader *reader, tacit_strview line, tacit_error *err)
{
    uint32_t row;
    if (line.len > 0 && line.bytes[line.len - 1] == '\r')
        line.len--;
    tacit_strview name = next_word(&line);
    if (name.len == 0 || name.bytes[0] == '#')
        return TACIT_OK;
    tacit_status status = find_row(&row, reader, name, err);
    return status == TACIT_OK ? read_weights(reader, row, line, err) : status;
}

static tacit_status read_all(weights_reader *reader, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (reader->left.len > 0 && status == TACIT_OK) {
        const char *end = memchr(reader->left.bytes, '\n', reader->left.len);
        size_t len = end ? (size_t)(end - reader->left.bytes) : reader->left.len;
        tacit_strview line = {.bytes = reader->left.bytes, .len = len};
        size_t taken = len + (end ? 1 : 0);
        reader->left.bytes += taken;
        reader->left.len -= taken;
        reader->line++;
        status = read_line(reader, line, err);
    }
    return status;
}

/* Adds up what is said on a word and the one beside it: six rows a word are two then. */
static void add_pair(tacit__chain *model, size_t before, size_t gap, size_t after)
{
    const tacit__weights *rows = model->rows;
    const uint32_t *base = model->base;
    size_t pair = tacit__chain_pair(before, gap, after);
    model->left[pair] = rows[base[TACIT__SORT_ROLE_BEFORE] + gap * TACIT__ROLES + before] +
                        rows[base[TACIT__SORT_PAIR_BEFORE] + before * TACIT__ROLES + after] +
                        rows[base[TACIT__SORT_BREAK_BEFORE] + gap * TACIT__ROLES + after];
    model->right[pair] = rows[base[TACIT__SORT_ROLE_AFTER] + gap * TACIT__ROLES + after] +
                         rows[base[TACIT__SORT_PAIR_AFTER] + before * TACIT__ROLES + after] +
                         rows[base[TACIT__SORT_BREAK_AFTER] + gap * TACIT__ROLES + before];
}

/* What follows from all rows of weights that will not change. */
static tacit_status settle(tacit__chain *model, tacit_error *err)
{
    tacit_status status = add_rows(&model->nothing, model, 1, err);
    if (status != TACIT_OK)
        return status;
    model->left = tacit__alloc_array(TACIT__CHAIN_PAIRS, sizeof *model->left);
    model->right = tacit__alloc_array(TACIT__CHAIN_PAIRS, sizeof *model->right);
    if (!model->left || !model->right)
        return tacit__nomem(err);
    for (size_t before = 0; before < TACIT__ROLES; before++)
        for (size_t gap = 0; gap < TACIT__BREAKS; gap++)
            for (size_t after = 0; after < TACIT__ROLES; after++)
                add_pair(model, before, gap, after);
    set_turns(model);
    model->mark =
        tacit__hash_bytes((const char *)model->rows, model->row_count * sizeof *model->rows);
    return TACIT_OK;
}

tacit_status tacit__chain_new(tacit__chain **out, tacit_strview source, tacit_error *err)
{
    weights_reader reader = {.left =
                                 source.len > 0 ? source : tacit_strview_of(tacit__chain_shipped)};
    tacit_status status = tacit__chain_empty(&reader.model, err);
    if (status != TACIT_OK)
        return status;
    status = read_all(&reader, err);
    if (status == TACIT_OK)
        status = settle(reader.model, err);
    if (status != TACIT_OK) {
        tacit__chain_free(reader.model);
        return status;
    }
    *out = reader.model;
    return TACIT_OK;
}

/* Weights as hundredths, so that what is written is what is not zero when it is read. */
static long shown_weight(float weight)
{
    return lroundf(weight * SHOWN);
}

static bool is_empty(tacit__weights row)
{
    for (int i = 0; i < TACIT__NAMED; i++)
        if (shown_weight(row[i]) != 0)
            return false;
    return true;
}

static void write_weights(tacit__strbuf *out, tacit__weights row)
{
    for (int i = 0; i < TACIT__NAMED; i++) {
        long shown = shown_weight(row[i]);
        if (shown != 0)
            tacit__strbuf_format(out, " %s %s%ld.%02ld", tacit__label_name((tacit__label)(1 + i)),
                                 shown < 0 ? "-" : "", labs(shown) / SHOWN, labs(shown) % SHOWN);
    }
    tacit__strbuf_text(out, "\n");
}

static void write_sorts(tacit__strbuf *out, const tacit__chain *model)
{
    for (tacit__sort sort = 0; sort < TACIT__SORTS; sort++)
        for (uint32_t i = 0; i < tacit__sort_rows(sort); i++) {
            tacit__weights row = model->rows[model->base[sort] + i];
            if (is_empty(row))
                continue;
            tacit__sort_write(out, sort, i);
            write_weights(out, row);
        }
}

static void write_endings(tacit__strbuf *out, const tacit__chain *model)
{
    for (int i = 0; i < TACIT__ENDINGS; i++) {
        tacit__weights row = model->rows[model->endings[i]];
        if (model->endings[i] == 0 || is_empty(row))
            continue;
        char letters[TACIT__ENDING];
        for (int left = i, at = TACIT__ENDING; at-- > 0; left /= 27)
            letters[at] = (char)('a' + left % 27 - 1);
        tacit__strbuf_format(out, "ending:%.*s", TACIT__ENDING, letters);
        write_weights(out, row);
    }
}

static void write_words(tacit__strbuf *out, const tacit__chain *model, tacit__chain_place place)
{
    for (size_t i = 0; i < model->word_count; i++) {
        const tacit__chain_word *word = &model->words[i];
        tacit__weights row = model->rows[word->row + (uint32_t)place];
        if (is_empty(row))
            continue;
        tacit__strbuf_format(out, "%s:", tacit__place_name(place));
        tacit__strbuf_add(out, word->name.bytes, word->name.len);
        write_weights(out, row);
    }
}

void tacit__chain_write(tacit__strbuf *out, const tacit__chain *model)
{
    write_sorts(out, model);
    write_endings(out, model);
    for (tacit__chain_place place = 0; place < TACIT__PLACES; place++)
        write_words(out, model, place);
}
