/*
 * templates.c - from files of templates to proposals. Each template becomes an automaton, and
 * all of them run at once in two machines, wherever a filter says that one may start. At each
 * place of each template the longest match counts, from left to right without overlaps; what a
 * check refuses is no match. Every byte is tried as a start at most once a machine, and an attempt
 * reads at most TACIT__MATCH_MAX bytes: linear. Letters cost about 64 instructions a byte: 33 for
 * the walks, 3 for checks, the rest for finding where to start and for what was found.
 *
 * Of the words of a document it is remembered what may follow them where a template starts with
 * them (text/lexicon/recall.h): most words need not be looked at.
 */
#include "text/template/templates.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/lexicon/recall.h"
#include "text/template/machine.h"

/* The shipped templates: a file as docs/methods/templates.md describes it, terminated (list.c). */
extern const char tacit__template_list[] __attribute__((visibility("hidden")));

struct tacit__templates {
    tacit__trees trees;
    tacit__automaton *automata;
    size_t largest;       /* places of an automaton */
    size_t shipped;       /* the first so many; those behind them are the data holder's */
    tacit__machine words; /* templates that may match plain words */
    tacit__machine signs; /* those that need a digit or sign before the first blank, or may start */
                          /* with one */
    uint8_t sorts[256];   /* of bytes, for both */
    uint64_t mark;        /* other templates have another one, and none has 0 */
};

struct tacit__matcher {
    const tacit__templates *templates;
    tacit__threads threads;
    uint64_t *next;  /* of each template, where its next match may start; counted from the */
    uint64_t origin; /* first text on, so that nothing need be cleared between texts */
    tacit__states *words, *signs;
    /* While it is matching: */
    tacit_strview text;
    tacit__habits *habits; /* what is remembered of words */
    size_t sign;           /* up to here was looked for a sign, see sign_follows() */
    tacit__proposals *proposals;
    tacit_error *err;
};

void tacit__templates_free(tacit__templates *templates)
{
    if (!templates)
        return;
    tacit__machine_clear(&templates->words);
    tacit__machine_clear(&templates->signs);
    for (size_t i = 0; templates->automata && i < templates->trees.count; i++)
        tacit__automaton_clear(&templates->automata[i]);
    tacit__free(templates->automata);
    tacit__trees_clear(&templates->trees);
    tacit__free(templates);
}

static bool may_start_without_letter(const tacit__automaton *automaton)
{
    for (int byte = 0; byte < 256; byte++)
        if (tacit__bytes_has(&automaton->start, (unsigned char)byte) &&
            !tacit__is_letter((unsigned char)byte))
            return true;
    return false;
}

/* Two machines, so that plain words, of which text consists, are given up after a few bytes:
 * those that look for addresses and numbers would read each of them to its end. What starts with a
 * digit or sign is looked for in the second alone, so a few templates are in both; where both find
 * one, it counts once (see on_reach). */
tacit_status tacit__templates_link(tacit__templates *t, int least, tacit_error *err)
{
    size_t count = t->trees.count;
    bool *signs = tacit__alloc_array(2 * count, sizeof *signs);
    if (!signs)
        return tacit__nomem(err);
    bool *words = signs + count;
    for (size_t i = 0; i < count; i++) {
        bool likely = t->trees.templates[i].likelihood >= least;
        bool needs_sign = tacit__automaton_needs_sign(&t->automata[i]);
        words[i] = likely && !needs_sign;
        signs[i] = likely && (needs_sign || may_start_without_letter(&t->automata[i]));
    }
    t->mark = (t->mark ^ tacit__hash_bytes((const char *)signs, 2 * count * sizeof *signs)) | 1;
    tacit_status status = tacit__machine_init(&t->signs, &t->trees, t->automata, signs, err);
    if (status == TACIT_OK)
        status = tacit__machine_init(&t->words, &t->trees, t->automata, words, err);
    tacit__free(signs);
    for (int byte = 0; byte < 256 && status == TACIT_OK; byte++)
        t->sorts[byte] = t->words.sorts[byte] | t->signs.sorts[byte];
    return status;
}

static tacit_status assemble(tacit__templates *t, tacit_strview further, tacit_error *err)
{
    tacit_strview shipped = tacit_strview_of(tacit__template_list);
    t->mark = tacit__mix(tacit__hash_bytes(shipped.bytes, shipped.len)) ^
              tacit__hash_bytes(further.bytes, further.len);
    tacit_status status = tacit__trees_read(&t->trees, shipped, "data/text/templates.lst", err);
    t->shipped = t->trees.count;
    if (status == TACIT_OK)
        status = tacit__trees_read(&t->trees, further, "templates", err);
    if (status != TACIT_OK)
        return status;
    t->automata = tacit__alloc_zeroed(t->trees.count, sizeof *t->automata);
    if (!t->automata)
        return tacit__nomem(err);
    for (size_t i = 0; i < t->trees.count && status == TACIT_OK; i++) {
        status = tacit__automaton_init(&t->automata[i], &t->trees, &t->trees.templates[i], err);
        if (t->automata[i].count > t->largest)
            t->largest = t->automata[i].count;
    }
    return status;
}

tacit_status tacit__templates_read(tacit__templates **out, tacit_strview further, tacit_error *err)
{
    tacit__templates *new = tacit__alloc_zeroed(1, sizeof *new);
    if (!new)
        return tacit__nomem(err);
    tacit_status status = assemble(new, further, err);
    if (status != TACIT_OK) {
        tacit__templates_free(new);
        return status;
    }
    *out = new;
    return TACIT_OK;
}

tacit_status tacit__templates_new(tacit__templates **out, tacit_strview further, tacit_error *err)
{
    tacit__templates *new = NULL;
    tacit_status status = tacit__templates_read(&new, further, err);
    if (status == TACIT_OK)
        status = tacit__templates_link(new, 0, err);
    if (status != TACIT_OK) {
        tacit__templates_free(new);
        return status;
    }
    *out = new;
    return TACIT_OK;
}

void tacit__matcher_free(tacit__matcher *matcher)
{
    if (!matcher)
        return;
    tacit__states_free(matcher->words);
    tacit__states_free(matcher->signs);
    tacit__threads_clear(&matcher->threads);
    tacit__free(matcher->next);
    tacit__free(matcher);
}

static tacit_status equip(tacit__matcher *matcher, tacit_error *err)
{
    const tacit__templates *t = matcher->templates;
    matcher->next = tacit__alloc_zeroed(t->trees.count, sizeof *matcher->next);
    if (!matcher->next)
        return tacit__nomem(err);
    tacit_status status = tacit__threads_init(&matcher->threads, t->largest, err);
    if (status == TACIT_OK)
        status = tacit__states_new(&matcher->words, &t->words, err);
    if (status == TACIT_OK)
        status = tacit__states_new(&matcher->signs, &t->signs, err);
    return status;
}

tacit_status tacit__matcher_new(tacit__matcher **out, const tacit__templates *templates,
                                tacit_error *err)
{
    tacit__matcher *new = tacit__alloc_zeroed(1, sizeof *new);
    if (!new)
        return tacit__nomem(err);
    new->templates = templates;
    tacit_status status = equip(new, err);
    if (status != TACIT_OK) {
        tacit__matcher_free(new);
        return status;
    }
    *out = new;
    return TACIT_OK;
}

/* Forms that as often as not are nothing: in a text where nobody is, they count for nothing. What a
 * data holder adds always counts. */
static bool is_guess(const tacit__templates *t, const tacit__template *template)
{
    size_t number = (size_t)(template - t->trees.templates);
    return number < t->shipped && template->likelihood < TACIT__PROBABLE &&
           template->kind < TACIT_TEXT_KEPT;
}

static tacit_status propose(tacit__matcher *m, const tacit__template *template,
                            const tacit__match *match)
{
    tacit__proposal proposal = {.start = (uint32_t)match->span_start,
                                .end = (uint32_t)match->span_end,
                                .kind = (uint8_t) template->kind,
                                .within = (uint8_t) template->kind,
                                .likelihood = (uint8_t) template->likelihood,
                                .alone = is_guess(m->templates, template) ? TACIT__ALONE_FORM : 0,
                                .detector = "templates",
                                .rule = template->text};
    return tacit__proposals_add(m->proposals, &proposal, m->err);
}

/* Which part of what matched is proposed. */
static tacit__match find_span(tacit__matcher *m, const tacit__states *states, size_t at,
                              const tacit__template_reach *reach)
{
    const tacit__automaton *automaton = &m->templates->automata[reach->number];
    tacit__match match = {at, reach->end, at, reach->end};
    if (automaton->has_span && !tacit__states_span(&match, states, reach))
        tacit__automaton_match(&match, automaton, &m->threads, m->text, at);
    return match;
}

/* A template that matches at a place up to another. */
static tacit_status on_reach(tacit__matcher *m, const tacit__states *states, size_t at,
                             const tacit__template_reach *reach)
{
    const tacit__template *template = &m->templates->trees.templates[reach->number];
    if (m->next[reach->number] > m->origin + at)
        return TACIT_OK;
    tacit__match match = find_span(m, states, at, reach);
    tacit_strview span = {m->text.bytes + match.span_start, match.span_end - match.span_start};
    if (template->check && !template->check(span))
        return TACIT_OK;
    m->next[reach->number] = m->origin + match.end;
    return propose(m, template, &match);
}

static tacit_status on_reached(tacit__matcher *m, const tacit__states *states, size_t at,
                               const tacit__reached *reached)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < reached->count && status == TACIT_OK; i++)
        status = on_reach(m, states, at, &reached->items[i]);
    return status;
}

/* The templates of one machine at one place. */
static inline tacit_status on_place(tacit__matcher *m, tacit__states *states, size_t at)
{
    tacit__reached reached;
    tacit_status status = tacit__states_read(&reached, states, m->text, at, m->err);
    return status != TACIT_OK || reached.count == 0 ? status : on_reached(m, states, at, &reached);
}

/* Whether, before the first blank from a place on, there is a digit, or a sign that something
 * follows. Remembers how far it looked, so that no byte is looked at twice. */
static bool find_sign(tacit__matcher *m, size_t at)
{
    const uint8_t *sorts = m->templates->sorts;
    const unsigned char *bytes = (const unsigned char *)m->text.bytes;
    size_t len = m->text.len;
    for (at = at < m->sign ? m->sign : at; at < len; at++) {
        uint8_t sort = sorts[bytes[at]];
        if (sort & (TACIT__SORT_DIGIT | TACIT__SORT_BLANK))
            break;
        if ((sort & TACIT__SORT_SIGN) && at + 1 < len &&
            !(sorts[bytes[at + 1]] & TACIT__SORT_BLANK))
            break;
    }
    m->sign = at;
    return at < len && !(sorts[bytes[at]] & TACIT__SORT_BLANK);
}

static size_t word_end(const tacit__matcher *m, size_t at)
{
    const uint8_t *sorts = m->templates->sorts;
    const unsigned char *bytes = (const unsigned char *)m->text.bytes;
    while (at < m->text.len && (sorts[bytes[at]] & TACIT__SORT_WORD))
        at++;
    return at;
}

/* Letters up to their end, and what may follow them where a template of words starts with them; *at
 * becomes where the word ends. Most have a blank behind them, and as no template starts with that
 * it is passed too. */
static inline __attribute__((always_inline)) tacit_status on_letters(tacit__matcher *m, size_t *at,
                                                                     size_t end, uint32_t follows)
{
    const tacit__templates *t = m->templates;
    const size_t start = *at;
    uint8_t after = end < m->text.len ? t->sorts[(unsigned char)m->text.bytes[end]] : 0;
    tacit_status status = TACIT_OK;
    if (follows && tacit__filter_goes_on(&t->words.filter, m->text, end, follows))
        status = on_place(m, m->words, start);
    if (after == TACIT__SORT_BLANK) {
        *at = end + 1;
        return status;
    }
    *at = after & TACIT__SORT_WORD ? word_end(m, end) : end;
    return status == TACIT_OK && find_sign(m, end) ? on_place(m, m->signs, start) : status;
}

/* A word that starts with letters. */
static tacit_status on_word(tacit__matcher *m, size_t *at)
{
    tacit__first_word word = tacit__filter_read(m->text, *at);
    return on_letters(m, at, word.end,
                      tacit__filter_after(&m->templates->words.filter, word.letters));
}

/* What may follow a word of letters however it is written, where a template starts with it. Most
 * often the filter says that nothing may. */
static tacit_status after_letters(uint32_t *after, const tacit__matcher *m, tacit_strview word,
                                  uint64_t letters)
{
    char written[TACIT__MATCH_MAX];
    uint32_t all = tacit__filter_after(&m->templates->words.filter, letters), exact = 0;
    bool asks = all != 0 && word.len <= sizeof written;
    tacit_status status = TACIT_OK;
    for (size_t capitals = 0; capitals < 3 && asks && status == TACIT_OK; capitals++) {
        uint32_t way = 0;
        for (size_t i = 0; i < word.len; i++) /* none, the first, all */
            written[i] = (char)(i < capitals || capitals == 2 ? word.bytes[i] & ~0x20
                                                              : word.bytes[i] | 0x20);
        status = tacit__states_after(&way, m->words, (tacit_strview){written, word.len}, m->err);
        exact |= way;
    }
    *after = asks ? all & exact : all;
    return status;
}

/* Asks what follows from a word's letters, if it has no others and was not asked for; for the next
 * time. */
static tacit_status ask(const tacit__matcher *m, const tacit__word *word)
{
    if (word->shape >= TACIT__SHAPE_DIGITS || word->flags & TACIT__WORD_FOREIGN)
        return TACIT_OK;
    tacit__habit *habit = tacit__habit_find(m->habits, word->key);
    if (!habit || habit->asked & TACIT__ASKED_AFTER)
        return TACIT_OK;
    tacit__first_word read = tacit__filter_read(m->text, word->start);
    tacit_strview bytes = {m->text.bytes + word->start, word->end - word->start};
    uint32_t after = TACIT__WORD_UNASKED;
    tacit_status status = TACIT_OK;
    if (read.end == word->end)
        status = after_letters(&after, m, bytes, read.letters);
    if (status != TACIT_OK)
        return status;
    habit->after = after;
    habit->asked |= TACIT__ASKED_AFTER;
    return TACIT_OK;
}

/* A number, or a sign that no word is before. */
static tacit_status on_other(tacit__matcher *m, size_t *at)
{
    const tacit__templates *t = m->templates;
    const size_t start = *at;
    uint8_t sort = t->sorts[(unsigned char)m->text.bytes[start]];
    tacit_status status = TACIT_OK;
    if (tacit__filter_triple(&t->signs.filter, m->text, start))
        status = on_place(m, m->signs, start);
    *at = sort & TACIT__SORT_WORD ? word_end(m, start) : start + 1;
    return status;
}

/* Both machines from the offset up to another, or beyond it, wherever no word goes on. */
static tacit_status on_bytes(tacit__matcher *m, size_t *at, size_t end)
{
    const uint8_t *sorts = m->templates->sorts;
    tacit_status status = TACIT_OK;
    while (*at < end && status == TACIT_OK) {
        uint8_t sort = sorts[(unsigned char)m->text.bytes[*at]];
        if (sort & TACIT__SORT_LETTER)
            status = on_word(m, at);
        else if (sort & (TACIT__SORT_WORD | TACIT__SORT_STARTS))
            status = on_other(m, at);
        else
            ++*at;
    }
    return status;
}

/* Where in a gap a template may start, or something that is of no word. */
static inline size_t pass_gap(const tacit__matcher *m, size_t at, size_t end)
{
    const uint8_t *sorts = m->templates->sorts;
    while (at < end &&
           !(sorts[(unsigned char)m->text.bytes[at]] & (TACIT__SORT_WORD | TACIT__SORT_STARTS)))
        at++;
    return at;
}

/* Words, and what is between them. What is remembered of them counts if they are known. */
static tacit_status on_words(tacit__matcher *m, const tacit__word *word, const tacit__word *last,
                             bool known)
{
    tacit_status status = TACIT_OK;
    size_t at = 0;
    for (; word < last && status == TACIT_OK; word++) {
        at = pass_gap(m, at, word->start);
        if (at < word->start)
            status = on_bytes(m, &at, word->start);
        if (at != word->start || status != TACIT_OK)
            continue;
        if (known && word->after != TACIT__WORD_UNASKED) {
            status = on_letters(m, &at, word->end, word->after);
        } else {
            status = ask(m, word);
            if (status == TACIT_OK)
                status = on_bytes(m, &at, word->end);
        }
    }
    return status == TACIT_OK ? on_bytes(m, &at, m->text.len) : status;
}

static void start(tacit__matcher *matcher, tacit__proposals *proposals, tacit_strview text,
                  tacit_error *err)
{
    matcher->origin += matcher->text.len;
    matcher->text = text;
    matcher->sign = 0;
    matcher->proposals = proposals;
    matcher->err = err;
}

tacit_status tacit__templates_propose(tacit__proposals *proposals, tacit__matcher *matcher,
                                      tacit_strview text, tacit_error *err)
{
    size_t at = 0;
    start(matcher, proposals, text, err);
    return on_bytes(matcher, &at, text.len);
}

tacit_status tacit__templates_propose_in(tacit__proposals *proposals, tacit__matcher *matcher,
                                         const tacit__document *document, tacit_error *err)
{
    matcher->habits = document->habits;
    tacit__habits_of_templates(matcher->habits, matcher->templates->mark);
    start(matcher, proposals, document->text, err);
    return on_words(matcher, document->words, document->words + document->count,
                    document->templates == matcher->templates->mark);
}

size_t tacit__templates_count(const tacit__templates *templates)
{
    return templates->trees.count;
}

const char *tacit__templates_text(const tacit__templates *templates, size_t number)
{
    return templates->trees.templates[number].text;
}

tacit_text_kind tacit__templates_kind(const tacit__templates *templates, size_t number)
{
    return templates->trees.templates[number].kind;
}

int tacit__templates_likelihood(const tacit__templates *templates, size_t number)
{
    return templates->trees.templates[number].likelihood;
}

void tacit__templates_adjust(tacit__templates *templates, size_t number, int likelihood)
{
    templates->trees.templates[number].likelihood = likelihood;
}
