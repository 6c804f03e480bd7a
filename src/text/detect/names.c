/*
 * names.c - names of people: first, middle, last and nick names, initials, and the full name
 * that they make up (entities 4 and 11 to 14 of Figure 111). Two words or more are a full name
 * and, each, its constituent; so where the whole is doubtful, its surest words may still win. Where
 * it is not, it has the higher precedence and its words never do.
 */
#include "text/chain/runs.h"
#include "text/read/forms.h"

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
        return tacit__run_end(run);
    return next;
}

/* Of a whole that is sure the parts cannot win. */
static tacit_status propose_part(tacit__proposals *proposals, const tacit__run_of_words *run,
                                 size_t word, int whole, tacit_error *err)
{
    const tacit__word *here = &run->document->words[word];
    uint8_t kind = (uint8_t)part_kind(run, word);
    const tacit__proposal part = {.start = here->start,
                                  .end = here->end,
                                  .kind = kind,
                                  .within = kind,
                                  .likelihood = (uint8_t)tacit__run_word(run, word),
                                  .alone = run->alone,
                                  .detector = "words",
                                  .rule = "part of a name"};
    if (proposals->least > 0 && whole >= proposals->least && whole >= TACIT__SURE &&
        whole >= run->alone)
        return tacit__proposals_note(proposals, &part, TACIT_TEXT_OVERRULED, err);
    return tacit__proposals_add(proposals, &part, err);
}

static tacit_status propose_words(tacit__proposals *proposals, const tacit__run_of_words *run,
                                  tacit_error *err)
{
    int likelihood = tacit__run_mean(run, run->first, run->last);
    tacit_status status =
        tacit__run_propose(proposals, run, run->first, whole_name_ends(run), TACIT_TEXT_FULL_NAME,
                           likelihood, "words of a name", err);
    for (size_t i = run->first; i <= run->last && status == TACIT_OK; i++)
        status = propose_part(proposals, run, i, likelihood, err);
    return status;
}

tacit_status tacit__propose_name(tacit__proposals *proposals, const tacit__run_of_words *run,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (run->first < run->last)
        status = propose_words(proposals, run, err);
    else
        status = tacit__run_propose(proposals, run, run->first, tacit__run_end(run),
                                    lone_kind(run, run->first), tacit__run_word(run, run->first),
                                    "a name alone", err);
    if (status == TACIT_OK)
        status = tacit__propose_behind(proposals, run, err);
    if (status == TACIT_OK)
        status = tacit__propose_companions(proposals, run, err);
    return status == TACIT_OK ? tacit__propose_titles(proposals, run, err) : status;
}
