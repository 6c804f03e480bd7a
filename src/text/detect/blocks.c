/*
 * blocks.c - mailing labels and identification blocks by their lines. A line is cut where a
 * tab or three blanks are, since letters have two such blocks side by side; the parts of
 * one column that follow each other without an empty line are a block's lines.
 *
 *   a mailing label   ends in a line that ends in a state or country and a zip code; up to
 *                     four short lines before it are its streets and names
 *   a name            alone on a line, where there are no capitals to tell it by
 *   an identification block   begins with "RE:", "Patient:", "Name:" and a name
 *
 * Cost: a few steps a word.
 */
#include <string.h>

#include "base/bitset.h"
#include "text/detect/detect.h"

enum {
    LABEL_LINES = 5,
    LINE_WORDS = 8,
    LIKELY_PLACE = 96,
    LIKELY_STREET = 85,
    LIKELY_NAME = 80,
    FAINT = 15,
    MOSTLY = 60,
    COMMON_WORD = 6,
    KNOWN_NAME = 6,
    LIKELY_LONE = 60
};

/* Words of a line's part, both included. */
typedef struct part {
    size_t first, last;
    bool after_gap; /* an empty line is before it */
} part;

typedef struct block_reader {
    tacit__proposals *proposals;
    const tacit__document *document;
    const tacit__opinion *opinions;
    part lines[LABEL_LINES]; /* the last ones of the first column, the newest first */
    size_t lines_held;
} block_reader;

static bool in_list(const tacit__word *word, tacit__lexicon_list list)
{
    return tacit__lexicon_in(&word->entry, list);
}

static void say(block_reader *reader, size_t first, size_t last, tacit_text_kind kind,
                tacit_text_kind within, int likelihood)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .within = (uint8_t)within,
                                      .likelihood = (uint8_t)likelihood,
                                      .detector = "blocks",
                                      .rule = tacit_text_kind_name(within)};
    tacit__propose_words(reader->proposals, reader->document, first, last, proposal);
}

static bool is_state(const tacit__word *word)
{
    return in_list(word, TACIT__LIST_STATE) ||
           (in_list(word, TACIT__LIST_STATE_CODE) && word->end - word->start == 2);
}

/* A zip code, or its first part where four more digits follow. */
static bool is_zip(const tacit__word *word)
{
    return word->shape == TACIT__SHAPE_DIGITS && word->end - word->start == 5;
}

/* The word that is the state or country in front of the zip code that ends the line, or the
 * line's first minus one. */
static bool find_region(const tacit__document *document, const part *line, size_t *region,
                        size_t *zip)
{
    const tacit__word *words = document->words;
    *zip = line->last;
    if (*zip > line->first && words[*zip].shape == TACIT__SHAPE_DIGITS &&
        words[*zip].before & TACIT__GAP_HYPHEN)
        --*zip;
    *region = *zip - 1;
    return *zip > line->first && is_zip(&words[*zip]) &&
           !(words[*zip].before & ~(unsigned)(TACIT__GAP_SPACE | TACIT__GAP_COMMA)) &&
           (is_state(&words[*region]) || in_list(&words[*region], TACIT__LIST_COUNTRY));
}

/* "New Jersey" is one state. */
static size_t region_start(const tacit__document *document, const part *line, size_t region)
{
    while (region > line->first && document->words[region].flags & TACIT__WORD_GOES_ON)
        region--;
    return region;
}

/* City, state, zip. */
static void say_last_line(block_reader *reader, const part *line, size_t region, size_t zip)
{
    size_t start = region_start(reader->document, line, region);
    bool country = !is_state(&reader->document->words[region]);
    say(reader, zip, line->last, TACIT_TEXT_ZIP, TACIT_TEXT_ADDRESS_BLOCK, LIKELY_PLACE);
    say(reader, start, region, country ? TACIT_TEXT_COUNTRY : TACIT_TEXT_STATE,
        TACIT_TEXT_ADDRESS_BLOCK, LIKELY_PLACE);
    if (start > line->first && start - line->first <= 4)
        say(reader, line->first, start - 1, TACIT_TEXT_CITY, TACIT_TEXT_ADDRESS_BLOCK,
            LIKELY_PLACE);
}

static bool has_number(const tacit__document *document, const part *line)
{
    for (size_t i = line->first; i <= line->last; i++)
        if (document->words[i].shape == TACIT__SHAPE_DIGITS)
            return true;
    return false;
}

/* Which of the labels the words of the line look most like, were they personal, and whether
 * most of them do. */
static tacit__label leaning(const block_reader *reader, const part *line, bool *surely)
{
    int sum[TACIT__LABELS] = {0}, best = TACIT__LABEL_PERSON;
    for (size_t i = line->first; i <= line->last; i++)
        for (int label = 1; label < TACIT__LABELS; label++)
            sum[label] += reader->opinions[i].of[label];
    for (int label = best + 1; label < TACIT__LABELS; label++)
        if (sum[label] > sum[best])
            best = label;
    *surely = sum[best] >= MOSTLY * (int)(line->last - line->first + 1);
    return sum[best] >= FAINT ? (tacit__label)best : TACIT__LABEL_OTHER;
}

/* A line above the last: with a number, or in the middle, a street; or what it looks like. */
static void say_upper_line(block_reader *reader, const part *line, bool top)
{
    bool surely, number = has_number(reader->document, line);
    tacit__label label = leaning(reader, line, &surely);
    bool name = label == TACIT__LABEL_PERSON || label == TACIT__LABEL_ORGANIZATION;
    if ((name && (surely || !number)) || (!number && (top || label == TACIT__LABEL_OTHER)))
        return;
    say(reader, line->first, line->last,
        label == TACIT__LABEL_PLACE && !number ? TACIT_TEXT_CITY : TACIT_TEXT_STREET,
        TACIT_TEXT_MAILING_LABEL, LIKELY_STREET);
}

/* The lines before the newest are the label's as long as they look like it. */
static void say_label(block_reader *reader, size_t region, size_t zip)
{
    say_last_line(reader, &reader->lines[0], region, zip);
    for (size_t i = 1; i < reader->lines_held; i++) {
        const part *line = &reader->lines[i];
        if (reader->lines[i - 1].after_gap || line->last - line->first >= LINE_WORDS)
            break;
        bool top = i + 1 == reader->lines_held || line->after_gap;
        say_upper_line(reader, line, top);
    }
}

/* Words that open a line with a name, before a colon. */
static bool is_key(const tacit__document *document, size_t word)
{
    static const tacit__listed_word keys[] = {"re",     "patient",  "name", "pt",
                                              "client", "resident", ""};
    return tacit__word_is_among(document, &document->words[word], keys);
}

static bool may_be_name(const tacit__word *word)
{
    bool name = word->entry.first > 1 || word->entry.surname > 1;
    return word->shape != TACIT__SHAPE_LOWER && word->shape != TACIT__SHAPE_DIGITS &&
           word->shape != TACIT__SHAPE_BOTH && (name || word->entry.word < COMMON_WORD) &&
           !in_list(word, TACIT__LIST_MONTH);
}

/* A colon behind the line's first word or its second. */
static bool has_key(const tacit__word *words, const part *line)
{
    size_t last = line->last < line->first + 2 ? line->last : line->first + 2;
    for (size_t i = line->first + 1; i <= last; i++)
        if (words[i].before & TACIT__GAP_COLON)
            return true;
    return false;
}

/* "RE: Virginia Townsend": the words up to the first that cannot be a name. */
static void say_identification(block_reader *reader, const part *line)
{
    const tacit__word *words = reader->document->words;
    size_t key = line->first;
    if (!has_key(words, line))
        return;
    if (key < line->last && is_key(reader->document, key + 1) &&
        !(words[key + 1].before & TACIT__GAP_COLON))
        key++;
    if (key >= line->last || !is_key(reader->document, key) ||
        !(words[key + 1].before & TACIT__GAP_COLON))
        return;
    size_t end = key + 1;
    bool capitals = words[end].shape == TACIT__SHAPE_CAPITALS;
    while (end < line->last && end < key + 4 && may_be_name(&words[end + 1]) &&
           (capitals || words[end + 1].shape != TACIT__SHAPE_CAPITALS) &&
           !(words[end + 1].before & TACIT__GAP_COLON))
        end++;
    if (!may_be_name(&words[key + 1]) || end == key + 1)
        return;
    say(reader, key + 1, end, TACIT_TEXT_FULL_NAME, TACIT_TEXT_IDENTIFICATION_BLOCK, LIKELY_NAME);
}

/* In a text without capitals, a line that is a first name, a surname and no more. */
static void say_lone_name(block_reader *reader, const part *line)
{
    const tacit__word *words = reader->document->words;
    bool alone = tacit__ends_line(reader->document, line->last);
    size_t count = line->last - line->first + 1;
    if (reader->document->casing != TACIT__CASING_LOWER || !alone || count < 2 || count > 4 ||
        words[line->first].entry.first < KNOWN_NAME || words[line->last].entry.surname < KNOWN_NAME)
        return;
    say(reader, line->first, line->last, TACIT_TEXT_FULL_NAME, TACIT_TEXT_FULL_NAME, LIKELY_LONE);
}

static void hold(block_reader *reader, const part *line)
{
    memmove(reader->lines + 1, reader->lines, sizeof *reader->lines * (LABEL_LINES - 1));
    reader->lines[0] = *line;
    if (reader->lines_held < LABEL_LINES)
        reader->lines_held++;
}

/* The part of a line from one word to before another. */
static void read_part(block_reader *reader, size_t first, size_t end)
{
    const tacit__word *word = &reader->document->words[first];
    const part line = {
        .first = first, .last = end - 1, .after_gap = word->before & TACIT__GAP_PARAGRAPH};
    size_t region, zip;
    say_identification(reader, &line);
    if (!tacit__starts_line(word))
        return;
    hold(reader, &line);
    say_lone_name(reader, &line);
    if (find_region(reader->document, &line, &region, &zip)) {
        say_label(reader, region, zip);
        reader->lines_held = 0;
    }
}

tacit_status tacit__blocks_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err)
{
    block_reader reader = {.proposals = proposals, .document = document, .opinions = opinions};
    size_t first = 0;
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = document->lines[from / 64];
        for (; left != 0; left &= left - 1) {
            size_t next = from + (size_t)__builtin_ctzll(left);
            if (next > first)
                read_part(&reader, first, next);
            first = next;
        }
    }
    if (document->count > 0)
        read_part(&reader, first, document->count);
    return tacit__proposals_status(proposals, err);
}
