/*
 * lexicon.c - looking up the lists that are part of the library.
 *
 * One hash a word. Its ten bits in the Boolean look-up (Sweeney, chapter 9) say whether it
 * is in any list; three cells say in which (text/lexicon/tables.h). So one table answers for all
 * lists at once, where a look-up a list would ask thirty; a word of no list costs one
 * access to memory, another four.
 */
#include "text/lexicon/lexicon.h"

#include <tacit/experimental/text.h>

#include <string.h>

#include "base/ascii.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/lookup.h"
#include "text/lexicon/tables.h"

enum { PHRASE_WORDS = 6 };

static tacit__boolean_view all_words(void)
{
    return (tacit__boolean_view){.bits = tacit__tables_at(tacit__tables.bits_at),
                                 .blocks = tacit__tables.blocks};
}

bool tacit__lexicon_find_hash(tacit__lexicon_entry *entry, tacit__hash128 hash)
{
    *entry = (tacit__lexicon_entry){0};
    if (!tacit__boolean_has(all_words(), hash))
        return false;
    const uint16_t *cells = tacit__tables_at(tacit__tables.cells_at);
    const tacit__lexicon_entry *classes = tacit__tables_at(tacit__tables.classes_at);
    uint64_t cell[TACIT__MAP_PARTS];
    tacit__map_cells(cell, hash, tacit__tables.seed, tacit__tables.part);
    unsigned number = cells[cell[0]] ^ cells[cell[1]] ^ cells[cell[2]] ^ tacit__map_cover(hash);
    if (number >= tacit__tables.classes)
        return false;
    *entry = classes[number];
    return true;
}

bool tacit__lexicon_find(tacit__lexicon_entry *entry, tacit_strview text)
{
    tacit__folded folded;
    *entry = (tacit__lexicon_entry){0};
    return tacit__text_fold(&folded, text) &&
           tacit__lexicon_find_hash(entry, tacit__hash_bytes128(folded.bytes, folded.len));
}

/* A random hash passes the look-up by chance, and its number is a class by another. */
double tacit__lexicon_rate(void)
{
    return tacit__boolean_rate(all_words()) * (double)tacit__tables.classes / (UINT16_MAX + 1);
}

size_t tacit__lexicon_size(void)
{
    return (size_t)tacit__tables.words;
}

size_t tacit_text_lexicon_words(void)
{
    return tacit__lexicon_size();
}

double tacit_text_lexicon_rate(void)
{
    return tacit__lexicon_rate();
}

static size_t skip_spaces(tacit_strview text, size_t at)
{
    while (at < text.len && tacit__is_space(text.bytes[at]))
        at++;
    return at;
}

static size_t skip_word(tacit_strview text, size_t at)
{
    while (at < text.len && !tacit__is_space(text.bytes[at]))
        at++;
    return at;
}

static bool closes(char byte)
{
    return byte == ',' || byte == '.' || byte == ';' || byte == ':';
}

/* Whether the folded bytes are in a list, as a whole or as the start of a phrase. */
static bool find_folded(tacit__lexicon_entry *entry, const tacit__folded *phrase, size_t len)
{
    return tacit__lexicon_find_hash(entry, tacit__hash_bytes128(phrase->bytes, len));
}

static bool opens(const tacit__lexicon_entry *entry)
{
    return tacit__lexicon_in(entry, TACIT__LIST_OPENS);
}

static bool is_listed(const tacit__lexicon_entry *entry)
{
    return entry->lists & ~TACIT__LISTED(OPENS);
}

/* Appends a space and the folded word; false where it is too long for a list. */
static bool append(tacit__folded *phrase, tacit_strview word)
{
    tacit__folded folded;
    if (!tacit__text_fold(&folded, word) ||
        phrase->len + (phrase->len > 0) + folded.len > TACIT__FOLDED_MAX)
        return false;
    if (phrase->len > 0)
        phrase->bytes[phrase->len++] = ' ';
    memcpy(phrase->bytes + phrase->len, folded.bytes, folded.len);
    phrase->len += folded.len;
    return true;
}

/* Whether the phrase is in a list as it stands, or without the byte that closes it (*cut). */
static bool is_phrase(tacit__lexicon_entry *entry, size_t *cut, const tacit__folded *phrase)
{
    *cut = 0;
    if (find_folded(entry, phrase, phrase->len) && is_listed(entry))
        return true;
    *cut = 1;
    return closes(phrase->bytes[phrase->len - 1]) && find_folded(entry, phrase, phrase->len - 1) &&
           is_listed(entry);
}

/* No phrase needs more of the text than this; it does not end within a word. */
static tacit_strview start_of(tacit_strview text)
{
    if (text.len <= TACIT__FOLD_READ)
        return text;
    size_t len = TACIT__FOLD_READ;
    while (len > 0 && !tacit__is_space(text.bytes[len]))
        len--;
    return (tacit_strview){.bytes = text.bytes, .len = len};
}

/* Word by word, as long as what there is begins some phrase. */
size_t tacit__lexicon_phrase(tacit__lexicon_entry *entry, tacit_strview text)
{
    tacit__folded phrase = {0};
    tacit__lexicon_entry found;
    size_t longest = 0, end = 0, cut;
    *entry = (tacit__lexicon_entry){0};
    text = start_of(text);
    for (int words = 1; words <= PHRASE_WORDS; words++) {
        size_t start = skip_spaces(text, end);
        end = skip_word(text, start);
        if (!append(&phrase, (tacit_strview){.bytes = text.bytes + start, .len = end - start}))
            break;
        if (words > 1 && is_phrase(&found, &cut, &phrase)) {
            longest = end - cut;
            *entry = found;
        }
        if (!find_folded(&found, &phrase, phrase.len) || !opens(&found))
            break;
    }
    return longest;
}

/* Line i of the nicknames: the short form and the names, parted by spaces. */
static tacit_strview nickname_line(size_t i)
{
    const uint32_t *offsets = tacit__tables_at(tacit__tables.nicknames_at);
    const char *names = tacit__tables_at(tacit__tables.names_at);
    return (tacit_strview){.bytes = names + offsets[i], .len = offsets[i + 1] - offsets[i]};
}

/* Takes the first word off the line. */
static tacit_strview next_name(tacit_strview *line)
{
    const char *space = memchr(line->bytes, ' ', line->len);
    tacit_strview name = {.bytes = line->bytes,
                          .len = space ? (size_t)(space - line->bytes) : line->len};
    size_t taken = name.len + (space ? 1 : 0);
    *line = (tacit_strview){.bytes = line->bytes + taken, .len = line->len - taken};
    return name;
}

static int compare(tacit_strview a, tacit_strview b)
{
    int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* The names behind a folded short form; empty where it is none. */
static tacit_strview find_formal(tacit_strview folded)
{
    size_t low = 0, high = (size_t)tacit__tables.nicknames;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        tacit_strview line = nickname_line(middle);
        int order = compare(folded, next_name(&line));
        if (order == 0)
            return line;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (tacit_strview){.bytes = "", .len = 0};
}

size_t tacit__lexicon_formal(tacit_strview *names, size_t capacity, tacit_strview nickname)
{
    tacit__folded folded;
    size_t count = 0;
    if (!tacit__text_fold(&folded, nickname))
        return 0;
    tacit_strview line = find_formal(tacit__folded_view(&folded));
    while (line.len > 0 && count < capacity)
        names[count++] = next_name(&line);
    return count;
}

bool tacit__lexicon_zip(char state[3], tacit_strview digits)
{
    const tacit__zip_prefix *prefixes = tacit__tables_at(tacit__tables.zips_at);
    unsigned number = 0;
    if (state)
        state[0] = '\0';
    if (digits.len != 5)
        return false;
    for (size_t i = 0; i < 5; i++) {
        unsigned digit = (unsigned char)digits.bytes[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    const tacit__zip_prefix *prefix = &prefixes[number / 100];
    if (state)
        memcpy(state, prefix->state, 3);
    return prefix->codes[number % 100 / 64] >> (number % 100 % 64) & 1;
}
