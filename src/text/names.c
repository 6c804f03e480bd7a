/*
 * names.c - names of people: first, middle, last and nick names, initials, and the full name
 * that they make up (entities 4 and 11 to 14 of Figure 111). Two words or more are a full name
 * and, each, its constituent; so where the whole is doubtful, its surest words may still win. Where
 * it is not, it has the higher precedence and its words never do.
 */
#include "text/forms.h"
#include "text/runs.h"

enum {
    OLDEST = 120,
    AGE_BEHIND = 80, /* likelihood of "(81)" behind a sure name */
    NICK_BEHIND = 85 /* and of "("Spud")" */
};

static bool is_after_title(const tacit__run_of_words *run, size_t word)
{
    if (word == 0)
        return false;
    const tacit__word *before = &run->document->words[word - 1];
    unsigned gap = run->document->words[word].before;
    return tacit__lexicon_in(&before->entry, TACIT__LIST_TITLE) &&
           !(gap & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_COMMA));
}

/* "PH/jk" below a letter: the initials of who wrote it. */
static bool is_sign_off(const tacit__document *document, size_t word)
{
    char letters[4];
    return tacit__is_typist(document, word + 1) &&
           document->words[word + 1].shape == TACIT__SHAPE_LOWER &&
           tacit__initials_at(letters, document, word) == 1;
}

/* A word that stands alone: how is it used, and in which lists is it most at home? */
static tacit_text_kind lone_kind(const tacit__run_of_words *run, size_t word)
{
    const tacit__word *here = &run->document->words[word];
    if (here->shape == TACIT__SHAPE_INITIAL || is_sign_off(run->document, word))
        return TACIT_TEXT_INITIALS;
    if (is_after_title(run, word))
        return TACIT_TEXT_LAST_NAME;
    if (here->before & TACIT__GAP_QUOTE)
        return TACIT_TEXT_NICK_NAME;
    if (here->entry.first >= here->entry.surname && here->entry.first > 0)
        return TACIT_TEXT_FIRST_NAME;
    return tacit__lexicon_in(&here->entry, TACIT__LIST_NICK) ? TACIT_TEXT_NICK_NAME
                                                             : TACIT_TEXT_LAST_NAME;
}

/* "Long, Marjorie A." has the last name first. */
static tacit_text_kind part_kind(const tacit__run_of_words *run, size_t word)
{
    const tacit__document *document = run->document;
    bool last_first =
        run->last > run->first && document->words[run->first + 1].before & TACIT__GAP_COMMA;
    if (document->words[word].before & TACIT__GAP_QUOTE && word > run->first)
        return TACIT_TEXT_NICK_NAME;
    if (word == run->first)
        return last_first ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_FIRST_NAME;
    if (last_first)
        return word == run->first + 1 ? TACIT_TEXT_FIRST_NAME : TACIT_TEXT_MIDDLE_NAME;
    return word == run->last ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_MIDDLE_NAME;
}

/* "Hanneke de Wit": what stands before a surname does not end a name, though the word behind it
 * may be one of the language. */
static size_t whole_name_ends(const tacit__run_of_words *run)
{
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    if (next >= document->count || document->words[next].before != TACIT__GAP_SPACE ||
        document->words[next].shape != TACIT__SHAPE_CAPITAL ||
        document->words[run->last].shape != TACIT__SHAPE_LOWER ||
        !tacit__is_particle(document, run->last))
        return run->last;
    return next;
}

/* "Mr Bevan (81)", "Mr Bevan, 81, was", "(Ann Bevan, 81)", "Ann (7 months)", "Ann, 34 f, came": a
 * number with nothing else between brackets or commas behind a name is how old somebody is. */
static bool is_enclosed(const tacit__document *document, size_t word)
{
    static const tacit__listed_word units[] = {"months", "mos", "mo", "weeks", "wks", "days",
                                               "years",  "yrs", "yr", "yo",    ""};
    static const tacit__listed_word sexes[] = {"m", "f", ""};
    const tacit__word *here = &document->words[word];
    bool bracket = here->before == (TACIT__GAP_SPACE | TACIT__GAP_BRACKET);
    if (!bracket && here->before != (TACIT__GAP_SPACE | TACIT__GAP_COMMA))
        return false;
    if (word + 1 < document->count && here[1].before == TACIT__GAP_SPACE &&
        tacit__word_is_among(document, &here[1], bracket ? units : sexes))
        here++;
    char end = tacit__word_behind(document, here);
    return end == ')' || (!bracket && (end == ',' || end == ';'));
}

static bool is_age_behind(const tacit__document *document, size_t word)
{
    if (word >= document->count)
        return false;
    const tacit__word *here = &document->words[word];
    tacit_strview digits = tacit__word_text(document, here);
    int age = 0;
    if (here->shape != TACIT__SHAPE_DIGITS || digits.len > 3 || !is_enclosed(document, word))
        return false;
    for (size_t i = 0; i < digits.len; i++)
        age = 10 * age + digits.bytes[i] - '0';
    return age > 0 && age <= OLDEST && digits.bytes[0] != '0';
}

static tacit_status propose_age_behind(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       tacit_error *err)
{
    size_t next = run->last + 1;
    if (!is_age_behind(run->document, next))
        return TACIT_OK;
    int likelihood = tacit__run_mean(run, run->first, run->last) * AGE_BEHIND / 100;
    return tacit__run_propose(proposals, run, next, next, TACIT_TEXT_AGE, likelihood,
                              "a number in brackets behind a name", err);
}

/* "Dwayne Bevan ("Spud")": what somebody is called. */
static tacit_status propose_nick_behind(tacit__proposals *proposals, const tacit__run_of_words *run,
                                        tacit_error *err)
{
    enum { ENCLOSED = TACIT__GAP_SPACE | TACIT__GAP_BRACKET | TACIT__GAP_QUOTE };
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    if (next >= document->count || document->words[next].before != ENCLOSED ||
        document->words[next].shape != TACIT__SHAPE_CAPITAL ||
        tacit__word_behind(document, &document->words[next]) == ' ')
        return TACIT_OK;
    int likelihood = tacit__run_mean(run, run->first, run->last) * NICK_BEHIND / 100;
    return tacit__run_propose(proposals, run, next, next, TACIT_TEXT_NICK_NAME, likelihood,
                              "in quotes and brackets behind a name", err);
}

static tacit_status propose_words(tacit__proposals *proposals, const tacit__run_of_words *run,
                                  tacit_error *err)
{
    int likelihood = tacit__run_mean(run, run->first, run->last);
    tacit_status status =
        tacit__run_propose(proposals, run, run->first, whole_name_ends(run), TACIT_TEXT_FULL_NAME,
                           likelihood, "words of a name", err);
    if (proposals->least > 0 && likelihood >= proposals->least && likelihood >= TACIT__SURE)
        return status;
    for (size_t i = run->first; i <= run->last && status == TACIT_OK; i++)
        status = tacit__run_propose(proposals, run, i, i, part_kind(run, i),
                                    tacit__run_word(run, i), "part of a name", err);
    return status;
}

tacit_status tacit__propose_name(tacit__proposals *proposals, const tacit__run_of_words *run,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (run->first < run->last)
        status = propose_words(proposals, run, err);
    else
        status =
            tacit__run_propose(proposals, run, run->first, run->last, lone_kind(run, run->first),
                               tacit__run_word(run, run->first), "a name alone", err);
    if (status == TACIT_OK)
        status = propose_age_behind(proposals, run, err);
    if (status == TACIT_OK)
        status = propose_nick_behind(proposals, run, err);
    if (status == TACIT_OK)
        status = tacit__propose_companions(proposals, run, err);
    return status == TACIT_OK ? tacit__propose_titles(proposals, run, err) : status;
}
