/*
 * evidence.c - the rows that speak on a word. Numbers of rows are put together from
 * fields as chain.c lists them, the last running fastest; nothing is hashed but what
 * traits.c has looked up. About twenty-five rows a word, a few steps each, and for words
 * that are in no list the letter model.
 *
 * Learning needs the numbers of the rows, judging only what they add up to. Both take the same
 * way through the functions here, which are put into their callers so that judging neither
 * writes numbers down nor asks whether it should.
 */
#include "text/chain/model.h"
#include "text/lexicon/letters.h"

#define GATHERS static inline __attribute__((always_inline))

/* Rows of a word as they are found. */
typedef struct gatherer {
    const tacit__chain_view *view;
    const tacit__chain *model;
    const tacit__word *word;
    const tacit__trait *trait; /* those of the words beside it lie beside it */
    tacit__look look;
    uint32_t *rows; /* or NULL, and they are summed */
    size_t count;
    tacit__weights sum[2]; /* two, so that neither waits for the other */
} gatherer;

GATHERS void take(gatherer *g, size_t row, unsigned turn)
{
    if (g->rows)
        g->rows[g->count++] = (uint32_t)row;
    else
        g->sum[turn % 2] += g->model->rows[row];
}

GATHERS void add(gatherer *g, tacit__sort sort, size_t number)
{
    take(g, g->model->base[sort] + number, (unsigned)sort);
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

static tacit__look look_of(const tacit__word *word)
{
    static const uint8_t looks[TACIT__SHAPES] = {
        TACIT__LOOK_LOWER,    TACIT__LOOK_CAPITAL, TACIT__LOOK_CAPITALS, TACIT__LOOK_CAPITAL,
        TACIT__LOOK_CAPITALS, TACIT__LOOK_DIGITS,  TACIT__LOOK_DIGITS};
    return (tacit__look)looks[word->shape];
}

static unsigned length_bucket(const tacit__word *word)
{
    uint32_t length = word->end - word->start;
    return length < 7 ? length : 7;
}

GATHERS void add_nature(gatherer *g)
{
    const tacit__lexicon_entry *entry = &g->word->entry;
    unsigned lower = g->look == TACIT__LOOK_LOWER;
    unsigned start = (g->word->flags & TACIT__WORD_SENTENCE) != 0;
    unsigned casing = (unsigned)g->view->document->casing;
    add(g, TACIT__SORT_BIAS, 0);
    add(g, TACIT__SORT_SHAPE, (g->word->shape * 2u + start) * 3u + casing);
    add(g, TACIT__SORT_LENGTH, g->word->shape * 8u + length_bucket(g->word));
    add(g, TACIT__SORT_NAME,
        ((entry->first * 8u + entry->surname) * 8u + entry->word) * 2u + lower);
    add(g, TACIT__SORT_CITY, (entry->city * 8u + entry->word) * 2u + lower);
    add(g, TACIT__SORT_ROLE, g->trait->role * (unsigned)TACIT__SHAPES + g->word->shape);
}

/* How the word occurs elsewhere in the piece: 1 in lower case, 2 with a capital within a
 * sentence, 4 as part of a name; any of them together. What it is itself must be there twice. */
GATHERS unsigned seen_of(const gatherer *g)
{
    const tacit__chain_seen *place = &g->view->seen[g->trait->seen];
    unsigned own = g->trait->flags & (TACIT__TRAIT_WITHIN | TACIT__TRAIT_NAMED);
    return (place->once & ~own) | (place->twice & own);
}

GATHERS void add_seen(gatherer *g)
{
    unsigned start = (g->word->flags & TACIT__WORD_SENTENCE) != 0;
    add(g, TACIT__SORT_SEEN, ((size_t)seen_of(g) * 2 + start) * TACIT__ROLES + g->trait->role);
}

GATHERS void add_lists(gatherer *g)
{
    unsigned phrase = (g->word->flags & TACIT__WORD_PHRASE) != 0;
    for (uint32_t left = g->word->entry.lists; left != 0; left &= left - 1) {
        unsigned list = (unsigned)__builtin_ctz(left);
        if (list < TACIT__LISTS)
            add(g, TACIT__SORT_LIST, (list * TACIT__LOOKS + g->look) * 2u + phrase);
    }
}

GATHERS void add_marks(gatherer *g)
{
    static const uint8_t flags[] = {TACIT__WORD_GENITIVE, TACIT__WORD_FOREIGN, TACIT__WORD_PHRASE,
                                    TACIT__WORD_GOES_ON};
    for (unsigned i = 0; i < sizeof flags; i++)
        if (g->word->flags & flags[i])
            add(g, TACIT__SORT_MARKS, i * TACIT__ROLES + g->trait->role);
}

/* Roles of the words beside it and breaks between: numbers of rows for learning, for judging their
 * sums. */
GATHERS void add_beside(gatherer *g)
{
    size_t role = g->trait->role, before = g->trait[-1].role, after = g->trait[1].role;
    size_t gap = g->trait->gap, next = g->trait[1].gap, look = g->look;
    add(g, TACIT__SORT_ROLE_TWO_AFTER, look * TACIT__ROLES + g->trait[2].role);
    if (!g->rows) {
        g->sum[0] += g->model->left[tacit__chain_pair(before, gap, role)];
        g->sum[1] += g->model->right[tacit__chain_pair(role, next, after)];
        return;
    }
    add(g, TACIT__SORT_ROLE_BEFORE, gap * TACIT__ROLES + before);
    add(g, TACIT__SORT_ROLE_AFTER, next * TACIT__ROLES + after);
    add(g, TACIT__SORT_PAIR_BEFORE, before * TACIT__ROLES + role);
    add(g, TACIT__SORT_PAIR_AFTER, role * TACIT__ROLES + after);
    add(g, TACIT__SORT_BREAK_BEFORE, gap * TACIT__ROLES + role);
    add(g, TACIT__SORT_BREAK_AFTER, next * TACIT__ROLES + role);
}

/* The bucket of the number of its words, and eight more where they are in capitals. */
GATHERS void add_line(gatherer *g)
{
    add(g, TACIT__SORT_LINE, (size_t)g->trait->line * TACIT__ROLES + g->trait->role);
}

/* Ten buckets of three bits each, from strongly against to strongly for. */
static unsigned ratio_bucket(int ratio)
{
    int bits = ratio / TACIT__LETTERS_UNIT + 15;
    return bits < 0 ? 0 : bits > 29 ? 9 : (unsigned)bits / 3;
}

GATHERS void add_letters(gatherer *g)
{
    static const struct {
        tacit__sort sort;
        tacit__letters_kind kind, other;
    } ratios[] = {{TACIT__SORT_SURNAME_LETTERS, TACIT__LETTERS_SURNAME, TACIT__LETTERS_WORD},
                  {TACIT__SORT_FIRST_LETTERS, TACIT__LETTERS_FIRST, TACIT__LETTERS_WORD},
                  {TACIT__SORT_MEDICAL_LETTERS, TACIT__LETTERS_MEDICAL, TACIT__LETTERS_SURNAME}};
    tacit__letters_score score;
    if (g->word->entry.lists != 0 || g->look == TACIT__LOOK_DIGITS)
        return;
    tacit__letters_read(&score, tacit__word_text(g->view->document, g->word));
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        int ratio = tacit__letters_ratio(&score, ratios[i].kind, ratios[i].other);
        add(g, ratios[i].sort, ratio_bucket(ratio) * TACIT__LOOKS + g->look);
    }
}

GATHERS void add_digits(gatherer *g)
{
    if (g->look != TACIT__LOOK_DIGITS)
        return;
    unsigned before = g->trait[-1].role, after = g->trait[1].role;
    add(g, TACIT__SORT_DIGITS_BEFORE, length_bucket(g->word) * TACIT__ROLES + before);
    add(g, TACIT__SORT_DIGITS_AFTER, length_bucket(g->word) * TACIT__ROLES + after);
    if (g->word->end - g->word->start == 5) {
        bool zip = tacit__lexicon_zip(NULL, tacit__word_text(g->view->document, g->word));
        add(g, TACIT__SORT_ZIP, (zip ? 1u : 0u) * TACIT__ROLES + before);
    }
}

/* "RN" where there is a Robert A. Nguyen. */
GATHERS void add_initials(gatherer *g)
{
    const char *bytes = g->view->document->text.bytes;
    uint32_t length = g->word->end - g->word->start;
    if (g->word->shape != TACIT__SHAPE_CAPITALS || length > 3)
        return;
    unsigned pair = tacit__chain_initials((unsigned)(bytes[g->word->start] - 'A'),
                                          (unsigned)(bytes[g->word->end - 1] - 'A'));
    unsigned match = g->view->initials[pair / 64] >> pair % 64 & 1;
    add(g, TACIT__SORT_INITIALS, (match * 8u + length) * TACIT__BREAKS + g->trait[1].gap);
}

/* After a title nearly any word is a name, however common it is. */
GATHERS void add_titled(gatherer *g)
{
    tacit__chain_role before = (tacit__chain_role)g->trait[-1].role;
    if ((before == TACIT__ROLE_TITLE || before == TACIT__ROLE_LOW_TITLE) &&
        (g->trait->gap == TACIT__BREAK_NONE || g->trait->gap == TACIT__BREAK_STOP))
        add(g, TACIT__SORT_TITLED,
            (g->look * 8u + g->word->entry.surname) * 8u + g->word->entry.word);
}

/* The shape of a word before or after it on the line; beyond, as if it were in lower case. The
 * first word and what is beyond the last one stand after the break of a paragraph. */
GATHERS size_t shape_at(const gatherer *g, int away)
{
    const tacit__trait *later = away > 0 ? g->trait + 1 : g->trait;
    return later->gap >= TACIT__BREAK_LINE ? TACIT__SHAPE_LOWER : g->word[away].shape;
}

GATHERS void add_shapes(gatherer *g)
{
    add(g, TACIT__SORT_SHAPES,
        (shape_at(g, -1) * TACIT__SHAPES + g->word->shape) * TACIT__SHAPES + shape_at(g, 1));
}

GATHERS void add_ending(gatherer *g)
{
    tacit_strview text = tacit__word_text(g->view->document, g->word);
    if (text.len <= TACIT__ENDING || g->look == TACIT__LOOK_DIGITS)
        return;
    int number = tacit__ending_of(text);
    if (number >= 0 && g->model->endings[number] != 0)
        take(g, g->model->endings[number], 0);
}

/* In judging, words that are not known add nothing instead of being asked for: whether a word is
 * known is a coin's toss, and guessing wrong costs more. With bits, as compilers make a guess of a
 * choice. */
GATHERS void add_word(gatherer *g, uint32_t row, tacit__chain_place place)
{
    uint32_t known = 0u - (row != 0);
    if (!g->rows)
        take(g, ((row + (uint32_t)place) & known) | (g->model->nothing & ~known), (unsigned)place);
    else if (row != 0)
        take(g, row + (uint32_t)place, (unsigned)place);
}

GATHERS void add_words(gatherer *g)
{
    add_word(g, g->trait[-1].row, TACIT__PLACE_BEFORE);
    add_word(g, g->trait[-2].row, TACIT__PLACE_TWO_BEFORE);
    add_word(g, g->trait[1].row, TACIT__PLACE_AFTER);
    add_word(g, g->trait[2].row, TACIT__PLACE_TWO_AFTER);
    add_word(g, g->trait->key, TACIT__PLACE_KEY);
}

GATHERS gatherer gatherer_for(uint32_t *rows, const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    return (gatherer){.view = view,
                      .model = view->model,
                      .word = word,
                      .trait = &view->traits[i],
                      .look = look_of(word),
                      .rows = rows};
}

GATHERS void gather_itself(gatherer *g)
{
    add_nature(g);
    add_lists(g);
    add_marks(g);
    add_letters(g);
    add_ending(g);
    add_word(g, g->trait->row, TACIT__PLACE_ITSELF);
}

GATHERS void gather_around(gatherer *g)
{
    add_seen(g);
    add_beside(g);
    add_line(g);
    add_digits(g);
    add_initials(g);
    add_titled(g);
    add_shapes(g);
    add_words(g);
}

size_t tacit__chain_itself(uint32_t *rows, const tacit__chain_view *view, size_t i)
{
    gatherer g = gatherer_for(rows, view, i);
    gather_itself(&g);
    return g.count;
}

size_t tacit__chain_around(uint32_t *rows, const tacit__chain_view *view, size_t i)
{
    gatherer g = gatherer_for(rows, view, i);
    gather_around(&g);
    return g.count;
}

static tacit__weights sum_itself(const tacit__chain_view *view, size_t i)
{
    gatherer g = gatherer_for(NULL, view, i);
    gather_itself(&g);
    return g.sum[0] + g.sum[1];
}

/* Of a number, by its length. */
static tacit__weights sum_of_number(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    unsigned start = (word->flags & TACIT__WORD_SENTENCE) != 0;
    unsigned number = (length_bucket(word) * 2u + start) * 3u + (unsigned)view->document->casing;
    tacit__chain_memory *memory = view->memory;
    if (!memory->number_known[number]) {
        memory->numbers[number] = sum_itself(view, i);
        memory->number_known[number] = true;
    }
    return memory->numbers[number];
}

/* Of a word of a phrase, or an initial. */
static tacit__weights sum_of_memo(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    unsigned role = view->traits[i].role, initial = word->shape == TACIT__SHAPE_INITIAL;
    unsigned form = tacit__long_form_of(word, view->document->casing, initial ? role : 0);
    tacit__memo *memo = tacit__memory_memo(view->memory, word);
    if (!tacit__memo_is(memo, word, form))
        tacit__memo_keep(memo, word, form, role);
    if (!(memo->role & TACIT__MEMO_SUMMED)) {
        memo->sum = sum_itself(view, i);
        memo->role |= TACIT__MEMO_SUMMED;
    }
    return memo->sum;
}

static tacit__weights sum_of_habit(const tacit__chain_view *view, size_t i, tacit__habit *habit)
{
    const tacit__word *word = &view->document->words[i];
    unsigned form = tacit__form_of(word, view->document->casing);
    unsigned way = tacit__habit_way(habit, form);
    tacit__weights sum;
    if (way == 2) {
        tacit__habit_keep(habit, form, view->traits[i].role);
        way = 0;
    }
    if (habit->role[way] & TACIT__MEMO_SUMMED) {
        memcpy(&sum, habit->sum[way], sizeof sum);
        return sum;
    }
    sum = sum_itself(view, i);
    memcpy(habit->sum[way], &sum, sizeof sum);
    habit->role[way] |= TACIT__MEMO_SUMMED;
    return sum;
}

static tacit__weights remembered_sum(const tacit__chain_view *view, size_t i)
{
    const tacit__word *word = &view->document->words[i];
    tacit__habit *habit = tacit__memory_habit(view->habits, word);
    if (habit)
        return sum_of_habit(view, i, habit);
    if (!view->memory || word->flags & TACIT__WORD_FOREIGN || word->shape == TACIT__SHAPE_BOTH)
        return sum_itself(view, i);
    if (word->shape != TACIT__SHAPE_DIGITS)
        return sum_of_memo(view, i);
    return word->flags & (TACIT__WORD_PHRASE | TACIT__WORD_GENITIVE) ? sum_itself(view, i)
                                                                     : sum_of_number(view, i);
}

tacit__weights tacit__chain_sum(const tacit__chain_view *view, size_t i)
{
    gatherer g = gatherer_for(NULL, view, i);
    g.sum[0] = remembered_sum(view, i);
    gather_around(&g);
    return g.sum[0] + g.sum[1];
}
