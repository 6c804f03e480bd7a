/*
 * language.c - text in another language than the one that words and lists are of, by its words in
 * small letters. Either of LANGUAGE_WINDOW words hardly one in two is in a list of words (in
 * English nine in ten are); or a sentence has words that everybody uses in another language, and
 * none that everybody uses in English. A short text takes fewer words where some have letters that
 * English does not have.
 *
 * Cost: some tests a word.
 */
#include <string.h>

#include "text/detect/detect.h"
#include "text/read/forms.h"
#include "text/read/unread.h"

/* ---- another language ---- */

enum {
    LANGUAGE_WINDOW = 32, /* words in small letters that are judged together, */
    LEAST = 12,           /* and how many of a short text at least */
    PERCENT = 55,         /* of these that English has */
    LEAST_MARKED = 5,     /* words of a text in which some have other letters than English has: */
    MARKED = 2,           /* so many, */
    PERCENT_MARKED = 40,  /* and of all that English has */
};

typedef struct language_window {
    unsigned words, english;
    unsigned marked; /* with letters that English does not have, in no list of its words */
    uint32_t start;  /* of its first word */
} language_window;

static void judge(tacit__unread *unread, language_window *w)
{
    bool marked = w->words >= LEAST_MARKED && w->marked >= MARKED;
    if ((w->words >= LEAST && w->english * 100 < w->words * PERCENT) ||
        (marked && w->english * 100 < w->words * PERCENT_MARKED))
        tacit__unread_note(unread, TACIT_UNREAD_LANGUAGE, w->start);
    w->words = w->english = w->marked = 0;
}

static bool is_marked(const tacit__document *document, const tacit__word *word)
{
    for (uint32_t at = word->start; at < word->end; at++)
        if ((unsigned char)document->text.bytes[at] >= 0x80)
            return true;
    return false;
}

/* Whether the word says something of the language: in small letters, by itself and no part of an
 * address in the net or the like, and nobody's name. */
static bool is_telling(const tacit__document *document, const tacit__word *word)
{
    enum { PARTED = TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH };
    if (word->shape != TACIT__SHAPE_LOWER || word->end - word->start < 2 ||
        !(word->before & PARTED))
        return false;
    const char *text = document->text.bytes;
    size_t end = word->end, len = document->text.len;
    bool ends = end >= len || (unsigned char)text[end] >= 0x80 ||
                (memchr(" \t\r\n,.;:!?)\"'-", text[end], 14) &&
                 (end + 1 >= len || memchr(" \t\r\n\"'", text[end], 6) ||
                  memchr(" \t\r\n)\"'", text[end + 1], 7)));
    return ends && (word->entry.lists & TACIT__LISTED_WORDS || word->flags & TACIT__WORD_FOREIGN ||
                    !(word->entry.lists & TACIT__LISTED_NAMES));
}

static void see_word(tacit__unread *unread, language_window *w, const tacit__document *document,
                     const tacit__word *word)
{
    if (!is_telling(document, word))
        return;
    if (w->words == 0)
        w->start = word->start;
    w->words++;
    bool english = (word->entry.lists & TACIT__LISTED_WORDS) != 0;
    w->english += english;
    w->marked += !english && is_marked(document, word);
    if (w->words == LANGUAGE_WINDOW)
        judge(unread, w);
}

/* ---- another language, in one sentence ---- */

/* What of a sentence is in another language: words that English does not have, and those that are
 * parts of names and of Latin as well. */
typedef struct tongue {
    size_t first; /* word of the sentence */
    unsigned foreign, shared;
} tongue;

static bool has_english(const tacit__document *document, size_t from, size_t to)
{
    static const tacit__listed_word english[] = {
        "the", "of",  "and",  "is",   "to",   "with", "for",  "by", "he",  "she", "it",   "his",
        "has", "had", "they", "were", "that", "are",  "from", "or", "who", "not", "this", ""};
    for (size_t i = from; i < to; i++)
        if (tacit__word_is_among(document, &document->words[i], english))
            return true;
    return false;
}

/* Judges the sentence that ends before the word: two words that tell, one of them no part of names,
 * and none of English. */
static void end_sentence(tacit__unread *unread, tongue *t, const tacit__document *document,
                         size_t end)
{
    if (t->foreign > 0 && t->foreign + t->shared >= 2 && !has_english(document, t->first, end))
        tacit__unread_note(unread, TACIT_UNREAD_LANGUAGE, document->words[t->first].start);
    *t = (tongue){.first = end};
}

/* A word in small letters, or one that begins a sentence; not one that everybody uses in English,
 * which most of a text are. */
static bool may_tell(const tacit__word *word, bool first)
{
    enum { PARTED = TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH };
    return (first || (word->shape == TACIT__SHAPE_LOWER && word->before & PARTED)) &&
           word->entry.word < TACIT__EVERYBODYS && word->end - word->start >= 2;
}

static void see_tongue(tacit__unread *unread, tongue *t, const tacit__document *document, size_t at)
{
    static const tacit__listed_word foreign[] = {
        "und",      "ist",     "nicht",   "wurde",   "wurden", "mit",      "ein",      "eine",
        "einen",    "einem",   "einer",   "auf",     "sich",   "bei",      "wir",      "auch",
        "nach",     "sind",    "heute",   "gestern", "sie",    "ich",      "haben",    "dans",
        "avec",     "qui",     "une",     "aux",     "elle",   "cette",    "ont",      "vu",
        "hier",     "nous",    "vous",    "sont",    "mais",   "chez",     "por",      "una",
        "fue",      "sus",     "pero",    "muy",     "ayer",   "vive",     "della",    "che",
        "sono",     "nella",   "oggi",    "ieri",    "het",    "een",      "zijn",     "niet",
        "voor",     "werd",    "ontem",   "uma",     "aber",   "oder",     "wird",     "kein",
        "keine",    "zum",     "zur",     "vom",     "noch",   "ses",      "leur",     "contre",
        "lui",      "sans",    "sous",    "entre",   "cet",    "como",     "sobre",    "desde",
        "hasta",    "cuando",  "donde",   "fueron",  "esta",   "este",     "nao",      "foi",
        "ele",      "ela",     "pelo",    "pela",    "seu",    "sua",      "mora",     "veio",
        "estava",   "och",     "inte",    "som",     "efter",  "inkom",    "jag",      "ikke",
        "blev",     "heter",   "hedder",  "ble",     "etter",  "nie",      "jest",     "przez",
        "byl",      "byla",    "zostal",  "zostala", "oraz",   "przy",     "pani",     "jsem",
        "bola",     "nije",    "bila",    "koji",    "koja",   "zbog",     "bir",      "ile",
        "icin",     "olarak",  "geldi",   "daha",    "ja",     "oli",      "ovat",     "kanssa",
        "tuli",     "ning",    "kui",     "nem",     "hogy",   "egy",      "volt",     "miatt",
        "fost",     "pentru",  "dengan",  "yang",    "dari",   "tidak",    "untuk",    "pada",
        "oleh",     "adalah",  "bor",     "feber",   "hoste",  "paciente", "przyjety", "pacjent",
        "pacjenta", "pacient", "potilas", "pasien",  "mga",    "siya",     "kwa",      "katika",
        "alikuwa",  "yra",     "buvo",    "bija",    ""};
    static const tacit__listed_word accented[] = {"n\xC3\xA3o",         "s\xC3\xA3o",
                                                  "tamb\xC3\xA9m",      "ap\xC3\xB3s",
                                                  "\xC3\xA4r",          "f\xC3\xB6r",
                                                  "fr\xC3\xA5n",        "ocks\xC3\xA5",
                                                  "p\xC3\xA5",          "v\xC3\xA6re",
                                                  "ogs\xC3\xA5",        "si\xC4\x99",
                                                  "by\xC5\x82",         "zosta\xC5\x82",
                                                  "\xC5\xBCona",        "nen\xC3\xAD",
                                                  "kter\xC3\xA1",       "kter\xC3\xBD",
                                                  "p\xC5\x99i",         "i\xC3\xA7in",
                                                  "\xC3\xA7ok",         "d\xC3\xBCn",
                                                  "bug\xC3\xBCn",       "de\xC4\x9Fil",
                                                  "h\xC3\xA4n",         "ett\xC3\xA4",
                                                  "h\xC3\xA4nen",       "\xC3\xA9s",
                                                  "\xC8\x99i",          "\xC5\x9Fi",
                                                  "v\xC3\xA0",          "b\xE1\xBB\x8B",
                                                  "kh\xC3\xB4ng",       "ng\xC6\xB0\xE1\xBB\x9Di",
                                                  "vi\xC5\x86\xC5\xA1", ""};
    static const tacit__listed_word shared[] = {
        "le",  "la",  "les", "des", "du",  "de",  "der", "das", "el",  "del", "los",
        "las", "est", "que", "se",  "su",  "en",  "et",  "von", "ne",  "je",  "il",
        "dem", "zu",  "un",  "au",  "og",  "af",  "med", "com", "ao",  "em",  "bu",
        "ei",  "az",  "si",  "cu",  "di",  "ng",  "sa",  "ya",  "ir",  "od",  "av",
        "ett", "til", "var", "din", "att", "har", "hos", "meg", "dan", "ve",  ""};
    const tacit__word *word = &document->words[at];
    if (at > t->first && word->flags & TACIT__WORD_SENTENCE)
        end_sentence(unread, t, document, at);
    bool first = at == t->first && word->shape == TACIT__SHAPE_CAPITAL;
    if (!may_tell(word, first))
        return;
    t->foreign += tacit__word_is_among(document, word, foreign) ||
                  (is_marked(document, word) && tacit__word_is_among(document, word, accented));
    t->shared += !first && tacit__word_is_among(document, word, shared);
}

void tacit__unread_language(tacit__unread *unread, const tacit__document *document)
{
    language_window w = {0};
    tongue t = {0};
    for (size_t i = 0; i < document->count; i++) {
        see_word(unread, &w, document, &document->words[i]);
        see_tongue(unread, &t, document, i);
    }
    end_sentence(unread, &t, document, document->count);
    judge(unread, &w);
}
