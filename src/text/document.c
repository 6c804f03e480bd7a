/*
 * document.c - cuts a piece of text into words. One table says what each byte of ASCII is;
 * other bytes are decoded, and those that are not UTF-8 are taken for Latin-1, so that a name
 * in the wrong encoding is still a word.
 *
 * Cost: one step a byte, one look-up a word, and a few more where a word opens a phrase of
 * a list.
 */
#include "text/document.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/classify.h"
#include "text/fold.h"

/* What a character is: a part of a word, or a gap (tacit__gap). */
enum {
    SIGN_LOWER = 1 << 13,
    SIGN_UPPER = 1 << 14,
    SIGN_DIGIT = 1 << 15,
    SIGN_LETTER = SIGN_LOWER | SIGN_UPPER,
    SIGN_WORD = SIGN_LETTER | SIGN_DIGIT
};

enum {
    GAPS = SIGN_LOWER - 1,
    BLANK = TACIT__GAP_SPACE | TACIT__GAP_LINE,
    RECENT_BITS = 12,
    RECENT = 1 << RECENT_BITS,
    COLUMN = 3
};

static unsigned ascii_gap(unsigned char byte)
{
    switch (byte) {
    case ' ':
    case '\t':
    case '\f':
    case '\v':
    case '\r': return TACIT__GAP_SPACE;
    case '\n': return TACIT__GAP_LINE;
    case ',': return TACIT__GAP_COMMA;
    case '.': return TACIT__GAP_STOP;
    case '!':
    case '?': return TACIT__GAP_END;
    case ':':
    case ';': return TACIT__GAP_COLON;
    case '\'':
    case '`':
    case '"': return TACIT__GAP_QUOTE;
    case '-': return TACIT__GAP_HYPHEN;
    case '/':
    case '\\': return TACIT__GAP_SLASH;
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '<':
    case '>': return TACIT__GAP_BRACKET;
    case '@':
    case '#': return TACIT__GAP_AT;
    default: return TACIT__GAP_OTHER;
    }
}

static unsigned ascii_sign(unsigned char byte)
{
    if ((unsigned)(byte - 'a') < 26)
        return SIGN_LOWER;
    if ((unsigned)(byte - 'A') < 26)
        return SIGN_UPPER;
    if ((unsigned)(byte - '0') < 10)
        return SIGN_DIGIT;
    return ascii_gap(byte);
}

/* Letters of Latin come in pairs, the capital first, on even or on odd places. */
static bool is_capital(uint32_t point)
{
    if (point < 0x100)
        return point <= 0xDE;
    if ((point >= 0x139 && point <= 0x148) || (point >= 0x178 && point <= 0x17E))
        return point & 1 || point == 0x178;
    if (point < 0x250 || (point >= 0x1E00 && point < 0x1F00))
        return !(point & 1);
    return (point >= 0x386 && point <= 0x3AB) || (point >= 0x400 && point <= 0x42F);
}

static bool is_symbol(uint32_t point)
{
    return point == 0xD7 || point == 0xF7 ||
           (point < 0xC0 && point != 0xAA && point != 0xB5 && point != 0xBA) ||
           (point >= 0x2000 && point < 0x2C00) || (point >= 0x3000 && point < 0x3040) ||
           (point >= 0xFE00 && point < 0xFE10) || (point >= 0xFF00 && point < 0xFF10) ||
           (point >= 0xE000 && point < 0xF900) || point >= 0x1F000 || point == 0xFEFF;
}

static unsigned symbol_gap(uint32_t point)
{
    switch (point) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB: return TACIT__GAP_QUOTE;
    case 0xA0:
    case 0x2009:
    case 0x202F:
    case 0x3000:
    case 0xFEFF: return TACIT__GAP_SPACE;
    case 0x2028:
    case 0x2029:
    case 0x85: return TACIT__GAP_LINE;
    case 0x2026:
    case 0x3002: return TACIT__GAP_END;
    default: break;
    }
    if (point >= 0x2010 && point <= 0x2015)
        return TACIT__GAP_HYPHEN;
    return TACIT__GAP_OTHER;
}

/* A word of at most 16 bytes of ASCII in lower case, filled up with zeros. */
typedef struct plain_word {
    uint64_t low, high;
} plain_word;

/* What was looked up last. */
typedef struct recent_word {
    plain_word word;
    uint64_t key;
    tacit__lexicon_entry entry;
} recent_word;

/* Most words of a text are few, and so are the pairs of words: what is known of them lies in
 * the processor's nearest caches. */
struct tacit__habits {
    uint16_t table[128]; /* ascii_sign */
    recent_word words[RECENT];
    uint64_t pairs[RECENT]; /* two words, as one number, with which no phrase begins */
};

static tacit__habits *habits_new(void)
{
    tacit__habits *habits = tacit__alloc_zeroed(1, sizeof *habits);
    for (unsigned byte = 0; habits && byte < 128; byte++)
        habits->table[byte] = (uint16_t)ascii_sign((unsigned char)byte);
    return habits;
}

/* A cursor over the text. */
typedef struct text_cutter {
    tacit_strview text;
    size_t at;
    const uint16_t *table;
} text_cutter;

/* The sign of a character beyond ASCII, and its length in bytes. */
static unsigned foreign_sign(const text_cutter *cutter, size_t at, size_t *len)
{
    uint32_t point;
    bool valid;
    *len = tacit__utf8_next(
        &point, &valid,
        (tacit_strview){.bytes = cutter->text.bytes + at, .len = cutter->text.len - at});
    if (!valid)
        point = (unsigned char)cutter->text.bytes[at];
    if (is_symbol(point))
        return symbol_gap(point);
    return is_capital(point) ? SIGN_UPPER : SIGN_LOWER;
}

/* The sign at `at` and its length in bytes. */
static inline unsigned sign_at(const text_cutter *cutter, size_t at, size_t *len)
{
    unsigned char byte = (unsigned char)cutter->text.bytes[at];
    *len = 1;
    return byte < 0x80 ? cutter->table[byte] : foreign_sign(cutter, at, len);
}

/* Bytes of an apostrophe at the place, 0 where there is none. */
static size_t apostrophe(const text_cutter *cutter, size_t at)
{
    const char *bytes = cutter->text.bytes + at;
    size_t left = cutter->text.len - at;
    if (left > 0 && *bytes == '\'')
        return 1;
    return left > 2 && memcmp(bytes, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Whether what comes after an apostrophe is an s and no more: a genitive. */
static bool is_genitive(const text_cutter *cutter, size_t at)
{
    size_t len;
    if (at >= cutter->text.len || (cutter->text.bytes[at] | 0x20) != 's')
        return false;
    return at + 1 == cutter->text.len || !(sign_at(cutter, at + 1, &len) & SIGN_WORD);
}

/* Signs of a word, from which its shape follows. */
typedef struct signs_seen {
    unsigned first, later;
} signs_seen;

static tacit__word_shape shape_of(signs_seen seen)
{
    unsigned all = seen.first | seen.later;
    if (!(all & SIGN_LETTER))
        return TACIT__SHAPE_DIGITS;
    if (all & SIGN_DIGIT)
        return TACIT__SHAPE_BOTH;
    if (seen.first == SIGN_LOWER)
        return seen.later & SIGN_UPPER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_LOWER;
    if (seen.later == 0)
        return TACIT__SHAPE_INITIAL;
    if (!(seen.later & SIGN_UPPER))
        return TACIT__SHAPE_CAPITAL;
    return seen.later & SIGN_LOWER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_CAPITALS;
}

/* How many blanks and ends of lines came one after the other. */
typedef struct blanks_seen {
    unsigned lines, spaces;
    bool column;
} blanks_seen;

static void see_blank(blanks_seen *seen, unsigned sign, char byte)
{
    bool line = sign == TACIT__GAP_LINE, space = sign == TACIT__GAP_SPACE;
    seen->lines = line ? seen->lines + 1 : space ? seen->lines : 0;
    seen->spaces = space ? seen->spaces + 1 : 0;
    seen->column = seen->column || byte == '\t' || seen->spaces >= COLUMN;
}

/* One space and then a word of ASCII: what most gaps are. */
static bool is_plain_gap(const text_cutter *cutter)
{
    const unsigned char *bytes = (const unsigned char *)cutter->text.bytes + cutter->at;
    return cutter->text.len - cutter->at > 1 && bytes[0] == ' ' && bytes[1] < 0x80 &&
           cutter->table[bytes[1]] & SIGN_WORD;
}

/* What the bytes up to the next word are, with an empty line told from a line's end, and the
 * flags that follow from them. */
static unsigned read_gap(text_cutter *cutter, uint8_t *flags)
{
    unsigned gap = 0;
    blanks_seen seen = {0};
    *flags = 0;
    if (is_plain_gap(cutter)) {
        cutter->at++;
        return TACIT__GAP_SPACE;
    }
    while (cutter->at < cutter->text.len) {
        size_t len;
        unsigned sign = sign_at(cutter, cutter->at, &len);
        if (sign & SIGN_WORD)
            break;
        gap |= sign;
        see_blank(&seen, sign, cutter->text.bytes[cutter->at]);
        if (seen.lines > 1)
            gap |= TACIT__GAP_PARAGRAPH;
        cutter->at += len;
    }
    *flags = seen.column ? TACIT__WORD_COLUMN : 0;
    return gap;
}

/* The letters and digits of ASCII from `at` on: nearly all of them. Returns where they end. */
static size_t read_ascii(unsigned *signs, const text_cutter *cutter, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)cutter->text.bytes;
    const uint16_t *table = cutter->table;
    size_t len = cutter->text.len;
    unsigned all = 0;
    for (; at < len && bytes[at] < 0x80; at++) {
        unsigned sign = table[bytes[at]];
        if (!(sign & SIGN_WORD))
            break;
        all |= sign;
    }
    *signs |= all;
    return at;
}

/* Letters and digits from the cursor on. */
static void read_signs(tacit__word *word, signs_seen *seen, text_cutter *cutter)
{
    size_t len, at = cutter->at;
    if (seen->first == 0) {
        seen->first = sign_at(cutter, at, &len);
        word->flags |= len > 1 ? TACIT__WORD_FOREIGN : 0;
        at += len;
    }
    for (;;) {
        at = read_ascii(&seen->later, cutter, at);
        if (at == cutter->text.len || (unsigned char)cutter->text.bytes[at] < 0x80)
            break;
        unsigned sign = foreign_sign(cutter, at, &len);
        if (!(sign & SIGN_WORD))
            break;
        seen->later |= sign;
        word->flags |= TACIT__WORD_FOREIGN;
        at += len;
    }
    cutter->at = at;
    word->end = (uint32_t)at;
}

/* Bytes of the apostrophe at the cursor, where letters are on both its sides; or 0. */
static size_t joint(const text_cutter *cutter, signs_seen seen)
{
    size_t len, mark = 0;
    if ((seen.first | seen.later) & SIGN_LETTER)
        mark = apostrophe(cutter, cutter->at);
    if (mark == 0 || cutter->at + mark >= cutter->text.len ||
        !(sign_at(cutter, cutter->at + mark, &len) & SIGN_LETTER))
        return 0;
    return mark;
}

/* The word at the cursor, which moves behind it and its genitive. */
static void read_word(tacit__word *word, text_cutter *cutter)
{
    signs_seen seen = {0};
    word->start = (uint32_t)cutter->at;
    read_signs(word, &seen, cutter);
    for (size_t mark; (mark = joint(cutter, seen)) > 0;) {
        if (is_genitive(cutter, cutter->at + mark)) {
            word->flags |= TACIT__WORD_GENITIVE;
            cutter->at += mark + 1;
            break;
        }
        cutter->at += mark;
        read_signs(word, &seen, cutter);
    }
    word->shape = (uint8_t)shape_of(seen);
}

uint64_t tacit__word_key(tacit_strview word)
{
    tacit__folded folded;
    return tacit__text_fold(&folded, word) ? tacit__hash_bytes128(folded.bytes, folded.len).low : 0;
}

/* By folding and hashing. */
static void look_up(tacit__word *word, tacit_strview text)
{
    tacit__folded folded;
    if (!tacit__text_fold(&folded, text))
        return;
    tacit__hash128 hash = tacit__hash_bytes128(folded.bytes, folded.len);
    word->key = hash.low;
    if (word->shape != TACIT__SHAPE_DIGITS)
        tacit__lexicon_find_hash(&word->entry, hash);
}

/* Eight bytes of ASCII in lower case. */
static uint64_t lower_eight(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t from_a = x + (0x80 - 'A') * ones, beyond_z = x + (0x7F - 'Z') * ones;
    return x | (from_a & ~beyond_z & tops) >> 2;
}

/* The first bytes of eight that belong to a word of this length. */
static uint64_t mask_of(size_t len)
{
    return len >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * len)) - 1;
}

/* False where the word is none, or too near the end of the text to be read by eights. */
static bool read_plain(plain_word *out, tacit_strview text, const tacit__word *word)
{
    const uint64_t tops = UINT64_C(0x8080808080808080);
    size_t len = word->end - word->start;
    if (len > 16 || text.len - word->start < 16)
        return false;
    memcpy(&out->low, text.bytes + word->start, 8);
    memcpy(&out->high, text.bytes + word->start + 8, 8);
    out->low &= mask_of(len);
    out->high &= len > 8 ? mask_of(len - 8) : 0;
    if ((out->low | out->high) & tops)
        return false;
    out->low = lower_eight(out->low);
    out->high = lower_eight(out->high);
    return true;
}

static recent_word *recent_of(tacit__habits *habits, plain_word plain)
{
    uint64_t mixed =
        (plain.low ^ plain.high * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    return &habits->words[mixed >> (64 - RECENT_BITS)];
}

/* Most words were there a moment ago. */
static void recall(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    plain_word plain;
    tacit_strview bytes = {.bytes = text.bytes + word->start, .len = word->end - word->start};
    if (!read_plain(&plain, text, word)) {
        look_up(word, bytes);
        return;
    }
    recent_word *recent = recent_of(habits, plain);
    if (recent->word.low != plain.low || recent->word.high != plain.high) {
        look_up(word, bytes);
        *recent = (recent_word){.word = plain, .key = word->key, .entry = word->entry};
        return;
    }
    word->key = recent->key;
    word->entry = recent->entry;
}

/* "Dr.", "J.", "St.": what a full stop follows without ending the sentence. */
static bool is_abbreviation(const tacit__word *word)
{
    uint32_t len = word->end - word->start;
    return word->shape == TACIT__SHAPE_INITIAL || len == 1 ||
           tacit__lexicon_in(&word->entry, TACIT__LIST_TITLE) ||
           (len <= 4 && tacit__lexicon_in(&word->entry, TACIT__LIST_STREET));
}

static bool starts_sentence(const tacit__word *word, const tacit__word *before)
{
    if (word->before & (TACIT__GAP_PARAGRAPH | TACIT__GAP_END))
        return true;
    return word->before & TACIT__GAP_STOP && word->before & BLANK && !is_abbreviation(before);
}

static tacit_status add_word(tacit__document *document, text_cutter *cutter, unsigned gap,
                             uint8_t flags, tacit_error *err)
{
    if (document->count == document->capacity &&
        !tacit__reserve((void **)&document->words, &document->capacity, document->count + 1,
                        sizeof *document->words))
        return tacit__nomem(err);
    tacit__word *word = &document->words[document->count];
    *word = (tacit__word){.before = (uint16_t)(gap & GAPS), .flags = flags};
    read_word(word, cutter);
    recall(word, document->habits, document->text);
    if (starts_sentence(word, word - (document->count > 0)))
        word->flags |= TACIT__WORD_SENTENCE;
    document->count++;
    return TACIT_OK;
}

/* A phrase's lists count for each of its words. */
static void mark_phrase(tacit__document *document, size_t first, uint32_t end,
                        const tacit__lexicon_entry *entry)
{
    for (size_t i = first; i < document->count && document->words[i].end <= end; i++) {
        tacit__word *word = &document->words[i];
        word->flags |= TACIT__WORD_PHRASE;
        if (i > first)
            word->flags |= TACIT__WORD_GOES_ON;
        word->entry.lists |= entry->lists & ~(UINT32_C(1) << TACIT__LIST_OPENS);
        if (entry->city > word->entry.city)
            word->entry.city = entry->city;
    }
}

static bool may_open(const tacit__word *word)
{
    return tacit__lexicon_in(&word->entry, TACIT__LIST_OPENS) &&
           !(word->flags & TACIT__WORD_GOES_ON) && word[1].before & BLANK;
}

/* Whether a phrase may begin with the word and the next, with blanks between them. What is
 * remembered depends on the two words alone, so it is the same for every document. */
static bool pair_opens(const tacit__document *document, const tacit__word *word)
{
    uint64_t pair = tacit__mix(word->key ^ (word[1].key << 1 | word[1].key >> 63));
    uint64_t *hopeless = &document->habits->pairs[pair & (RECENT - 1)];
    tacit__lexicon_entry entry;
    if (*hopeless == pair)
        return false;
    if (tacit__lexicon_find(&entry, (tacit_strview){.bytes = document->text.bytes + word->start,
                                                    .len = word[1].end - word->start}))
        return true;
    *hopeless = pair;
    return false;
}

static void find_phrases(tacit__document *document)
{
    for (size_t i = 0; i + 1 < document->count; i++) {
        const tacit__word *word = &document->words[i];
        tacit__lexicon_entry entry;
        bool plain = !(word[1].before & ~(unsigned)BLANK);
        if (!may_open(word) || (plain && !pair_opens(document, word)))
            continue;
        size_t len = tacit__lexicon_phrase(
            &entry, (tacit_strview){.bytes = document->text.bytes + word->start,
                                    .len = document->text.len - word->start});
        if (len > 0)
            mark_phrase(document, i, (uint32_t)(word->start + len), &entry);
    }
}

tacit_status tacit__document_read(tacit__document *document, tacit_strview text, tacit_error *err)
{
    unsigned gap = TACIT__GAP_PARAGRAPH;
    if (!document->habits)
        document->habits = habits_new();
    if (!document->habits)
        return tacit__nomem(err);
    text_cutter cutter = {.text = text, .table = document->habits->table};
    document->text = text;
    document->count = 0;
    for (;;) {
        uint8_t flags;
        gap |= read_gap(&cutter, &flags);
        if (cutter.at == text.len)
            break;
        tacit_status status = add_word(document, &cutter, gap, flags, err);
        if (status != TACIT_OK)
            return status;
        gap = 0;
    }
    find_phrases(document);
    document->casing = tacit__casing_of(document);
    document->class = tacit__class_of(document);
    return TACIT_OK;
}

void tacit__document_clear(tacit__document *document)
{
    tacit__free(document->words);
    tacit__free(document->habits);
    *document = (tacit__document){0};
}

bool tacit__word_is_among(const tacit__document *document, const tacit__word *word,
                          const tacit__listed_word *list)
{
    const char *bytes = document->text.bytes + word->start;
    size_t len = word->end - word->start;
    tacit__listed_word lower = {0};
    for (size_t i = 0; i < len && i < sizeof lower; i++)
        lower[i] = (char)(bytes[i] | 0x20);
    for (; (*list)[0]; list++)
        if (memcmp(*list, lower, sizeof lower) == 0)
            return true;
    return false;
}

size_t tacit__document_at(const tacit__document *document, uint32_t offset)
{
    size_t low = 0, high = document->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (document->words[middle].start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
