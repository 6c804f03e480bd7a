/*
 * machine.h - templates as automata: each by itself, and those that are looked for together.
 *
 * One template becomes an automaton of its bytes (Glushkov's), which finds the longest match at a
 * place and which part of it is the span. A machine is what all threads share of the one that all
 * of them become, with a filter before it; its states are a thread's. At a place of the text they
 * read forward once, whatever the number of templates, and say which of them match there and how
 * far. They find the same as the automata, which are asked where the states forgot how they got
 * there.
 *
 * The filter tells at a glance whether any template can match at a place: where it is a word by
 * that word and up to three bytes behind it, elsewhere by the first three bytes. It says yes too
 * often now and then, never no where there is a match. The words that templates start with are the
 * most common ones of all ("in", "the", "a"), but what may follow them is not: of "the" a digit. So
 * each word has a set of what may follow.
 */
#ifndef TACIT_TEXT_TEMPLATE_MACHINE_H
#define TACIT_TEXT_TEMPLATE_MACHINE_H

#include "text/template/tree.h"

/* Where a place of the template stands to its span. */
typedef enum tacit__part { TACIT__PART_BEFORE, TACIT__PART_WITHIN, TACIT__PART_AFTER } tacit__part;

typedef struct tacit__template_place {
    uint32_t follow;    /* its followers, in the array, */
    uint16_t followers; /* and how many */
    uint8_t part;       /* tacit__part */
    bool last;          /* a match can end with it */
    const tacit__bytes *set;
} tacit__template_place;

typedef struct tacit__automaton {
    tacit__template_place *places;
    size_t count;
    uint16_t *edges; /* the first places, then all followers */
    size_t firsts;
    tacit__bytes start; /* bytes that a match can start with */
    bool loose_start, loose_end;
    bool has_span; /* the span is a part of the match, not all of it */
} tacit__automaton;

/* The trees' sets are borrowed. */
tacit_status tacit__automaton_init(tacit__automaton *automaton, const tacit__trees *trees,
                                   const tacit__template *of, tacit_error *err);
void tacit__automaton_clear(tacit__automaton *automaton);

/* Whether every match has, before the first blank, a digit or a sign (tacit__sign_byte) that
 * something follows. Most words of a text have neither, and such templates need not look at
 * them. */
bool tacit__automaton_needs_sign(const tacit__automaton *automaton);

/* What a thread needs: a state for every place of the largest automaton, twice. */
typedef struct tacit__thread {
    uint16_t place;
    uint16_t start, end; /* of the span, from the start of the match */
} tacit__thread;

typedef struct tacit__threads {
    tacit__thread *now, *next;
    uint32_t *seen; /* the stamp of the last byte that a place read */
    uint32_t stamp;
    size_t places;
} tacit__threads;

tacit_status tacit__threads_init(tacit__threads *threads, size_t places, tacit_error *err);
void tacit__threads_clear(tacit__threads *threads);

typedef struct tacit__match {
    size_t start, end;           /* of all that matched, context included */
    size_t span_start, span_end; /* of what is proposed */
} tacit__match;

/* The longest match that starts at the offset; false where none does. Whether a word or number
 * is cut there is not asked. */
bool tacit__automaton_match(tacit__match *out, const tacit__automaton *automaton,
                            tacit__threads *threads, tacit_strview text, size_t at);

enum { TACIT__FILTER_LETTERS = 8, TACIT__FILTER_WORDS = 16, TACIT__FILTER_NEXT = 14 };

/* What bytes are folded to beside letters, which are 1 to 26. */
enum {
    TACIT__FOLD_OTHER = 0,
    TACIT__FOLD_BLANK = 27,
    TACIT__FOLD_YEAR, /* a digit that years begin with */
    TACIT__FOLD_DIGIT,
    TACIT__FOLD_SIGN,
    TACIT__FOLD_FOREIGN /* of letters beyond ASCII */
};

/* All zero passes nothing. Bytes are folded to 32 sorts, letters of either case to one; first ones
 * that are no letters to 32 others; and what follows a word to 32 again. */
typedef struct tacit__filter {
    uint8_t folds[256], firsts[256];
    uint8_t next_to[256];   /* what is right behind a word, or one blank further, */
    uint8_t beyond[256];    /* and what is behind a byte and a blank: "Dr. L" */
    uint32_t signs[32][32]; /* the first three bytes, where the first is no letter */
    uint32_t open[32][32];  /* those of words that are too many to be told apart by */
    uint32_t wide[32][32];  /* the same of words that only little may follow: */
    uint32_t wide_next;     /* any of this */
    uint64_t words[1 << (TACIT__FILTER_WORDS - 6)]; /* the hashes of words, and */
    uint32_t next[1 << TACIT__FILTER_NEXT];         /* by a shorter hash what may follow them */
} tacit__filter;

/* The word that starts with a letter at the offset: where its letters end, and the first
 * eight of them, five bits in each byte. */
typedef struct tacit__first_word {
    size_t end;
    uint64_t letters;
} tacit__first_word;

/* Eight bytes at once: a byte is a letter, in small, that reaches 128 when what 'a' lacks is added
 * but not when what is beyond 'z' lacks is. */
static inline tacit__first_word tacit__filter_read(tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    size_t left = text.len - at, count = 0;
    uint64_t eight = 0;
    if (left >= 8)
        eight = (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
                (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
                (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56; /* one load */
    else
        for (size_t i = 0; i < left; i++)
            eight |= (uint64_t)bytes[i] << 8 * i;
    uint64_t small = (eight | ones * 32) & ~tops;
    uint64_t others =
        ~((small + ones * (128 - 'a')) & ~(small + ones * (127 - 'z')) & ~eight) & tops;
    if (others) {
        uint64_t below = ((others & (0 - others)) >> 7) - 1;
        count = (size_t)__builtin_ctzll(others) >> 3;
        return (tacit__first_word){at + count, eight & below & ones * 31};
    }
    for (count = 8; count < left && tacit__is_letter(bytes[count]);)
        count++;
    return (tacit__first_word){at + count, eight & ones * 31};
}

static inline uint32_t tacit__filter_hash(uint64_t letters)
{
    return (uint32_t)(letters * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TACIT__FILTER_WORDS));
}

/* Whether a match can start with the three bytes here, of which the first is no letter. */
static inline bool tacit__filter_triple(const tacit__filter *filter, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    const uint8_t *folds = filter->folds;
    return text.len - at < 3 ||
           (filter->signs[filter->firsts[bytes[0]]][folds[bytes[1]]] >> folds[bytes[2]] & 1);
}

/* What may follow a word where a match starts with it: bits of next_to and beyond. */
static inline uint32_t tacit__filter_after(const tacit__filter *filter, uint64_t letters)
{
    uint32_t hash = tacit__filter_hash(letters), after = 0;
    unsigned first = letters & 31, second = letters >> 8 & 31, third = letters >> 16 & 31;
    if (filter->open[first][second] >> third & 1)
        return UINT32_MAX;
    if (filter->wide[first][second] >> third & 1)
        after = filter->wide_next;
    if (filter->words[hash >> 6] >> (hash & 63) & 1)
        after |= filter->next[hash >> (TACIT__FILTER_WORDS - TACIT__FILTER_NEXT)];
    return after;
}

/* Whether a match can start with a word that ends there and may be followed by these. */
static inline bool tacit__filter_goes_on(const tacit__filter *filter, tacit_strview text,
                                         size_t end, uint32_t after)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + end;
    if (end + 2 >= text.len)
        return true;
    bool blank = filter->folds[bytes[0]] == TACIT__FOLD_BLANK;
    bool apart = filter->folds[bytes[1]] == TACIT__FOLD_BLANK;
    unsigned near = filter->next_to[bytes[blank]], far = filter->beyond[bytes[2]];
    return after >> (apart & !blank ? far : near) & 1;
}

/* A machine has fewer places. */
enum { TACIT__MACHINE_PLACES = 1 << 20 };

/* Some of the templates, their places numbered through. */
typedef struct tacit__machine {
    const tacit__automaton **automata; /* borrowed */
    uint16_t *numbers;                 /* of the templates */
    size_t count;
    uint32_t *bases;      /* of each automaton its first place; one more at the end */
    uint16_t *owners;     /* of each place its automaton */
    uint32_t *after;      /* and what can stand behind it where a word ends, see filter */
    uint8_t classes[256]; /* bytes that no template tells apart have one class */
    size_t class_count;
    uint8_t sorts[256]; /* of bytes: TACIT__SORT_WORD and so on */
    tacit__filter filter;
} tacit__machine;

/* Of the templates that are chosen. */
tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err);
void tacit__machine_clear(tacit__machine *machine);

/* What one thread has read so far: the states that texts have led to. Their number is
 * bounded; when there is no more room, all are forgotten. What is found does not depend on it. */
typedef struct tacit__states tacit__states;
tacit_status tacit__states_new(tacit__states **out, const tacit__machine *machine,
                               tacit_error *err);
void tacit__states_free(tacit__states *states);

/* A template that matches, and the end of its longest match. */
typedef struct tacit__template_reach {
    uint16_t number;    /* of the template */
    uint16_t automaton; /* its number in the machine */
    size_t end;
} tacit__template_reach;

/* All that match at the offset, where no word goes on; borrowed until the next call. */
typedef struct tacit__reached {
    const tacit__template_reach *items;
    size_t count;
} tacit__reached;
tacit_status tacit__states_read(tacit__reached *out, tacit__states *states, tacit_strview text,
                                size_t at, tacit_error *err);

/* What can stand behind a word of these letters, or behind the one blank there, where a match
 * starts with the word: bits of folded bytes, see text/template/machine.h. */
tacit_status tacit__states_after(uint32_t *after, tacit__states *states, tacit_strview letters,
                                 tacit_error *err);

/* Which part of one of the matches just read is the span; false where that was forgotten, which is
 * rare, and the template's own automaton must say. */
bool tacit__states_span(tacit__match *out, const tacit__states *states,
                        const tacit__template_reach *reach);

#endif
