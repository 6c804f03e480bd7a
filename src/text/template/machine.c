/*
 * machine.c - the templates of a machine: their places numbered through, and the bytes
 * that none of them tells apart made one class.
 *
 * The filter is filled by walking each automaton from its start: along letters for as many as a
 * word's hash has, and three bytes beyond the word. Where a place reads any letter the words are
 * too many; then those pass that have the same first three bytes, and where little can follow them
 * only before that: "Boston - 02115" is found by a template that starts with any word, and would
 * make all words of a text pass.
 */
#include "text/template/machine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"

/* ---- the filter ---- */

enum {
    MANY = 12,          /* letters that one place, but the first two, may read */
    LITTLE = 4,         /* sorts of bytes that may follow a word */
    MAX_WORDS = 1 << 14 /* with all that they begin with, of a template */
};

static const uint32_t LETTERS = 0x07fffffe;

#define FOLDED(what) (UINT32_C(1) << TACIT__FOLD_##what)

static uint8_t fold(unsigned char byte)
{
    if (tacit__is_letter(byte))
        return byte & 31;
    if (tacit__blank_byte(byte))
        return TACIT__FOLD_BLANK;
    if (tacit__is_digit(byte))
        return byte == '1' || byte == '2' ? TACIT__FOLD_YEAR : TACIT__FOLD_DIGIT;
    if (byte >= 0x80)
        return TACIT__FOLD_FOREIGN;
    return strchr(":-=/", byte) && byte ? TACIT__FOLD_SIGN : TACIT__FOLD_OTHER;
}

enum { FIRST_LETTER = 0, FIRST_OTHER = 30, FIRST_FOREIGN };

/* Of a byte that a match may start with. Letters are not told apart, so digits and signs need not
 * share theirs. */
static uint8_t fold_first(unsigned char byte)
{
    static const char apart[] = "0123456789+-(#@,./:'\"$[<*=&_%";
    _Static_assert(sizeof apart - 1 < FIRST_OTHER, "each has one of its own");
    const char *found = byte ? strchr(apart, byte) : NULL;
    if (tacit__is_letter(byte))
        return FIRST_LETTER;
    if (found)
        return (uint8_t)(1 + (found - apart));
    return byte >= 0x80 ? FIRST_FOREIGN : FIRST_OTHER;
}

/* What follows a word: as bytes are folded, but that rare letters count as one and the foreign as
 * any other, which leaves room to tell what is behind a byte and a blank. */
enum {
    RARE = 'x' & 31,
    BEYOND_LETTER = 'q' & 31,
    BEYOND_DIGIT = 'z' & 31,
    BEYOND_OTHER = TACIT__FOLD_FOREIGN,
};
static const uint32_t BEYOND =
    UINT32_C(1) << BEYOND_LETTER | UINT32_C(1) << BEYOND_DIGIT | UINT32_C(1) << BEYOND_OTHER;

/* Of a set of folded bytes. */
static uint32_t next_to(uint32_t folded)
{
    uint32_t rare = (folded >> ('q' & 31) | folded >> ('z' & 31)) & 1;
    uint32_t other = folded >> TACIT__FOLD_FOREIGN & 1;
    return (folded & ~BEYOND) | rare << RARE | other << TACIT__FOLD_OTHER;
}

static uint32_t beyond(uint32_t folded)
{
    const uint32_t digits = FOLDED(YEAR) | FOLDED(DIGIT);
    return (uint32_t)((folded & LETTERS) != 0) << BEYOND_LETTER |
           (uint32_t)((folded & digits) != 0) << BEYOND_DIGIT |
           (uint32_t)((folded & ~(LETTERS | digits)) != 0) << BEYOND_OTHER;
}

static void filter_init(tacit__filter *filter)
{
    memset(filter, 0, sizeof *filter);
    for (int byte = 0; byte < 256; byte++) {
        uint8_t folded = fold((unsigned char)byte);
        filter->folds[byte] = folded;
        filter->firsts[byte] = fold_first((unsigned char)byte);
        filter->next_to[byte] = (uint8_t)__builtin_ctz(next_to(UINT32_C(1) << folded));
        filter->beyond[byte] = (uint8_t)__builtin_ctz(beyond(UINT32_C(1) << folded));
    }
}

static uint32_t folded_set(const tacit__bytes *set, const uint8_t folds[256])
{
    uint32_t folded = 0;
    for (unsigned word = 0; word < 4; word++)
        for (uint64_t bits = set->bits[word]; bits; bits &= bits - 1)
            folded |= UINT32_C(1) << folds[word * 64 + (unsigned)__builtin_ctzll(bits)];
    return folded;
}

/* A template, and of each place what it reads and what comes after it, folded; how many letters it
 * reads; and what can follow a word, if it reads the byte behind it and if it reads its last. */
typedef struct walk {
    tacit__filter *filter;
    const tacit__automaton *automaton;
    const uint32_t *after_place;
    uint32_t folded[TACIT__TEMPLATE_PLACES], behind[TACIT__TEMPLATE_PLACES];
    uint32_t after_byte[TACIT__TEMPLATE_PLACES];
    uint8_t letters[TACIT__TEMPLATE_PLACES];
    size_t steps;
    uint32_t after;       /* what can follow a match's first word, whichever it is */
    uint32_t (*open)[32]; /* for words that are too many: of the filter open, or wide where */
                          /* little can follow them */
} walk;

/* What can come after a place, folded. */
static uint32_t bytes_after(const walk *w, const tacit__template_place *place)
{
    uint32_t next = place->last ? UINT32_MAX : 0;
    for (size_t i = 0; i < place->followers; i++)
        next |= w->folded[w->automaton->edges[place->follow + i]];
    return next;
}

static void note_triples(uint32_t (*open)[32], uint32_t first, uint32_t second, uint32_t third)
{
    for (; first; first &= first - 1)
        for (uint32_t rest = second; rest; rest &= rest - 1)
            open[__builtin_ctz(first)][__builtin_ctz(rest)] |= third;
}

/* The first three bytes of what starts without a letter. */
static void add_triples(const walk *w)
{
    const tacit__automaton *automaton = w->automaton;
    for (size_t i = 0; i < automaton->firsts; i++) {
        const tacit__template_place *first = &automaton->places[automaton->edges[i]];
        uint32_t bits = folded_set(first->set, w->filter->firsts) & ~(UINT32_C(1) << FIRST_LETTER);
        if (first->last)
            note_triples(w->filter->signs, bits, UINT32_MAX, UINT32_MAX);
        for (size_t j = 0; j < first->followers && bits; j++) {
            uint16_t second = automaton->edges[first->follow + j];
            note_triples(w->filter->signs, bits, w->folded[second], w->behind[second]);
        }
    }
}

/* Of a place that reads the byte behind a word, what can follow that word: where it is a blank,
 * what comes next; else the byte itself, or what is behind the blank after it. */
static uint32_t after_byte(const walk *w, uint16_t number)
{
    const tacit__template_place *place = &w->automaton->places[number];
    uint32_t own = w->folded[number] & ~LETTERS, near = next_to(own & ~FOLDED(BLANK));
    uint32_t after = own & FOLDED(BLANK) ? next_to(w->behind[number]) : 0;
    if (near == 0)
        return after;
    if (place->last)
        return after | near | BEYOND;
    for (size_t i = 0; i < place->followers; i++) {
        uint16_t next = w->automaton->edges[place->follow + i];
        after |= w->folded[next] & ~FOLDED(BLANK) ? near : 0;
        after |= w->folded[next] & FOLDED(BLANK) ? beyond(w->behind[next]) : 0;
    }
    return after;
}

/* What can follow a word that ends with a place; nothing where only letters can. */
static uint32_t after_word(const walk *w, const tacit__template_place *place)
{
    uint32_t after = place->last ? UINT32_MAX : 0;
    for (size_t i = 0; i < place->followers; i++)
        after |= w->after_byte[w->automaton->edges[place->follow + i]];
    return after;
}

/* Passes all that starts with these letters, by the first three of them. */
static void open_prefix(const walk *w, uint64_t letters, unsigned count)
{
    uint32_t first = count > 0 ? UINT32_C(1) << (letters & 31) : UINT32_MAX;
    uint32_t second = count > 1 ? UINT32_C(1) << (letters >> 8 & 31) : UINT32_MAX;
    note_triples(w->open, first, second,
                 count > 2 ? UINT32_C(1) << (letters >> 16 & 31) : UINT32_MAX);
    if (w->open == w->filter->wide)
        w->filter->wide_next |= w->after;
}

static void add_word(walk *w, uint16_t place, uint64_t letters, unsigned count)
{
    uint32_t after = count == TACIT__FILTER_LETTERS ? UINT32_MAX : w->after_place[place];
    uint32_t hash = tacit__filter_hash(letters);
    if (!after)
        return;
    w->filter->words[hash >> 6] |= UINT64_C(1) << (hash & 63);
    w->filter->next[hash >> (TACIT__FILTER_WORDS - TACIT__FILTER_NEXT)] |= after;
}

/* Adds the words that go on, from letters that were read, with the given places. As deep as a
 * hash has letters. */
static void add_words(walk *w, const uint16_t *edges, size_t edge_count, uint64_t letters,
                      unsigned count)
{
    for (size_t i = 0; i < edge_count; i++) {
        const tacit__template_place *place = &w->automaton->places[edges[i]];
        uint32_t next = w->folded[edges[i]] & LETTERS;
        w->steps += w->letters[edges[i]];
        if ((count > 1 && w->letters[edges[i]] > MANY) || w->steps > MAX_WORDS) {
            open_prefix(w, letters, count);
            continue;
        }
        for (; next; next &= next - 1) {
            uint64_t longer = letters | (uint64_t)__builtin_ctz(next) << 8 * count;
            add_word(w, edges[i], longer, count + 1);
            if (count + 1 < TACIT__FILTER_LETTERS)
                add_words(w, w->automaton->edges + place->follow, place->followers, longer,
                          count + 1);
        }
    }
}

/* What can follow a match's first word, whichever it is: of all places that are reached by letters
 * alone. */
static uint32_t after_any(const walk *w)
{
    const tacit__automaton *automaton = w->automaton;
    bool seen[TACIT__TEMPLATE_PLACES] = {0};
    uint16_t reached[TACIT__TEMPLATE_PLACES];
    size_t count = 0;
    uint32_t after = 0;
    const uint16_t *edges = automaton->edges;
    size_t edge_count = automaton->firsts;
    for (size_t i = 0;; i++) {
        for (size_t j = 0; j < edge_count; j++)
            if (!seen[edges[j]] && w->folded[edges[j]] & LETTERS) {
                seen[edges[j]] = true;
                reached[count++] = edges[j];
            }
        if (i == count)
            return after;
        const tacit__template_place *place = &automaton->places[reached[i]];
        after |= w->after_place[reached[i]];
        edges = automaton->edges + place->follow;
        edge_count = place->followers;
    }
}

static void fold_places(walk *w)
{
    for (size_t i = 0; i < w->automaton->count; i++) {
        w->folded[i] = folded_set(w->automaton->places[i].set, w->filter->folds);
        w->letters[i] = (uint8_t)tacit__bits_set(w->folded[i] & LETTERS);
    }
}

/* Adds a template. after gets, of each place of its automaton, what can follow a word that ends
 * with it: bits of next_to and beyond. */
static void filter_add(tacit__filter *filter, uint32_t *after, const tacit__automaton *automaton)
{
    walk w; /* large, and not all of it is used: not cleared */
    w.filter = filter;
    w.automaton = automaton;
    w.after_place = after;
    w.steps = 0;
    fold_places(&w);
    for (size_t i = 0; i < automaton->count; i++)
        w.behind[i] = bytes_after(&w, &automaton->places[i]);
    for (size_t i = 0; i < automaton->count; i++)
        w.after_byte[i] = after_byte(&w, (uint16_t)i);
    for (size_t i = 0; i < automaton->count; i++)
        after[i] = after_word(&w, &automaton->places[i]);
    add_triples(&w);
    w.after = after_any(&w);
    w.open = tacit__bits_set(w.after) <= LITTLE ? filter->wide : filter->open;
    add_words(&w, automaton->edges, automaton->firsts, 0, 0);
}

/* ---- the machine ---- */

/* Numbers the classes by how common their bytes are: what words need of a state then lies in
 * one line of the processor's cache, and what numbers need in another. */
static void order_classes(tacit__machine *machine)
{
    static const char common[] = "etaoinshrdlucmfwypvbgkjxqz \n,.-/0123456789:()#@_";
    int renamed[256];
    int count = 0;
    memset(renamed, -1, sizeof renamed);
    for (size_t i = 0; i < sizeof common - 1 + 256; i++) {
        int byte = i < sizeof common - 1 ? common[i] : (int)(i - (sizeof common - 1));
        if (renamed[machine->classes[byte]] < 0)
            renamed[machine->classes[byte]] = count++;
    }
    for (int byte = 0; byte < 256; byte++)
        machine->classes[byte] = (uint8_t)renamed[machine->classes[byte]];
}

/* Bytes that are in the same sets get one class. */
static void classify(tacit__machine *machine, const tacit__trees *trees)
{
    machine->class_count = 1;
    for (size_t i = 0; i < trees->set_count; i++) {
        int renamed[2][256];
        memset(renamed, -1, sizeof renamed);
        size_t count = 0;
        for (int byte = 0; byte < 256; byte++) {
            int in = tacit__bytes_has(&trees->sets[i], (unsigned char)byte);
            int *to = &renamed[in][machine->classes[byte]];
            if (*to < 0)
                *to = (int)count++;
            machine->classes[byte] = (uint8_t)*to;
        }
        machine->class_count = count;
    }
    order_classes(machine);
}

/* Lists the automata that are chosen; returns how many places they have. */
static size_t choose(tacit__machine *machine, size_t all, const tacit__automaton *automata,
                     const bool *chosen)
{
    size_t total = 0;
    for (size_t i = 0; i < all; i++) {
        if (!chosen[i])
            continue;
        machine->numbers[machine->count] = (uint16_t)i;
        machine->automata[machine->count++] = &automata[i];
        total += automata[i].count;
    }
    return total;
}

static void sort_bytes(tacit__machine *machine)
{
    for (int i = 0; i < 256; i++) {
        unsigned char byte = (unsigned char)i;
        machine->sorts[byte] = tacit__sort_of(byte);
        for (size_t j = 0; j < machine->count; j++)
            if (tacit__bytes_has(&machine->automata[j]->start, byte))
                machine->sorts[byte] |= TACIT__SORT_STARTS;
    }
}

/* Numbers the places through, and fills the filter. */
static bool number_places(tacit__machine *machine, size_t total)
{
    machine->owners = tacit__alloc_array(total, sizeof *machine->owners);
    machine->after = tacit__alloc_array(total, sizeof *machine->after);
    if (!machine->owners || !machine->after)
        return false;
    uint32_t place = 0;
    filter_init(&machine->filter);
    for (size_t i = 0; i < machine->count; i++) {
        machine->bases[i] = place;
        filter_add(&machine->filter, machine->after + place, machine->automata[i]);
        for (size_t j = 0; j < machine->automata[i]->count; j++)
            machine->owners[place++] = (uint16_t)i;
    }
    machine->bases[machine->count] = place;
    return true;
}

tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err)
{
    if (trees->count >= UINT16_MAX)
        return tacit__error(err, TACIT_LIMIT, "there are %zu templates; use fewer than 65535",
                            trees->count);
    tacit__machine new = {
        .automata = tacit__alloc_array(trees->count, sizeof *new.automata),
        .numbers = tacit__alloc_array(trees->count, sizeof *new.numbers),
        .bases = tacit__alloc_array(trees->count + 1, sizeof *new.bases),
    };
    tacit_status status = TACIT_OK;
    if (!new.automata || !new.numbers || !new.bases) {
        status = tacit__nomem(err);
    } else {
        size_t total = choose(&new, trees->count, automata, chosen);
        if (total >= TACIT__MACHINE_PLACES)
            status =
                tacit__error(err, TACIT_LIMIT,
                             "the templates are too large together; use fewer or smaller ones");
        else if (!number_places(&new, total))
            status = tacit__nomem(err);
    }
    if (status != TACIT_OK) {
        tacit__machine_clear(&new);
        return status;
    }
    classify(&new, trees);
    sort_bytes(&new);
    *machine = new;
    return TACIT_OK;
}

void tacit__machine_clear(tacit__machine *machine)
{
    tacit__free(machine->automata);
    tacit__free(machine->numbers);
    tacit__free(machine->bases);
    tacit__free(machine->owners);
    tacit__free(machine->after);
    *machine = (tacit__machine){0};
}
