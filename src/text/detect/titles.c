/*
 * titles.c - "Dr." before a name and "M.D., Ph.D." behind it (entity 17 of Figure 111). Titles say
 * what somebody is, not who, and are kept unless somebody wants them replaced: "Mrs." may tell too
 * much. They are only looked for where they are replaced, or where all proposals are told: the
 * arbiter gives them no more than what nothing else claims, so that nothing depends on it.
 *
 * A title is a word of the list of titles, or such a phrase, that the chain takes for nothing else:
 * "Reading, PA" is a place. One in lower case must be a form of address, since lists of titles have
 * words such as "general" and "count".
 */
#include "text/chain/runs.h"
#include "text/read/forms.h"

enum {
    MOST_TITLES = 4, /* on either side of a name */
    APART = TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END | TACIT__GAP_COLON |
            TACIT__GAP_BRACKET | TACIT__GAP_QUOTE | TACIT__GAP_SLASH | TACIT__GAP_OTHER
};

static bool is_title(const tacit__run_of_words *run, size_t word)
{
    return tacit__lexicon_in(&run->document->words[word].entry, TACIT__LIST_TITLE) &&
           tacit__run_word(run, word) < TACIT__RUN_FLOOR;
}

static tacit_status propose_title(tacit__proposals *proposals, const tacit__run_of_words *run,
                                  size_t first, size_t last, const char *rule, tacit_error *err)
{
    return tacit__run_propose(proposals, run, first, last, TACIT_TEXT_TITLE,
                              tacit__run_mean(run, run->first, run->last), rule, err);
}

/* "Prof. Dr." of "Prof. Dr. Graves". */
static bool stands_before(const tacit__run_of_words *run, size_t word, size_t next)
{
    const tacit__document *document = run->document;
    return !(document->words[next].before & (APART | TACIT__GAP_COMMA)) && is_title(run, word) &&
           (document->words[word].shape != TACIT__SHAPE_LOWER ||
            tacit__is_addressed(document, next));
}

static tacit_status propose_before(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err)
{
    size_t next = run->first;
    tacit_status status = TACIT_OK;
    for (int left = MOST_TITLES; left > 0 && next > 0 && status == TACIT_OK; left--) {
        if (!stands_before(run, next - 1, next))
            break;
        next--;
        status = propose_title(proposals, run, next, next, "before a name", err);
    }
    return status;
}

/* "M.D.": letters with nothing but stops between them, which lists have as one word with its last
 * stop. */
static bool is_abbreviation(const tacit__run_of_words *run, size_t first, size_t last)
{
    tacit__lexicon_entry entry;
    tacit_strview text = run->document->text;
    uint32_t start = run->document->words[first].start, end = run->document->words[last].end;
    end += end < text.len && text.bytes[end] == '.';
    return tacit__lexicon_find(&entry, (tacit_strview){text.bytes + start, end - start}) &&
           tacit__lexicon_in(&entry, TACIT__LIST_TITLE) &&
           tacit__run_mean(run, first, last) < TACIT__RUN_FLOOR;
}

/* The word behind the title that begins with one, or that word where none does. */
static size_t title_end(const tacit__run_of_words *run, size_t first)
{
    const tacit__word *words = run->document->words;
    size_t count = run->document->count, last = first;
    while (last + 1 < count && last - first < 3 && words[last + 1].before == TACIT__GAP_STOP)
        last++;
    if (last > first && is_abbreviation(run, first, last))
        return last + 1;
    if (!is_title(run, first))
        return first;
    for (last = first; last + 1 < count && words[last + 1].flags & TACIT__WORD_GOES_ON;)
        last++;
    return last + 1;
}

/* Behind a comma, or in capitals. */
static bool may_stand_behind(const tacit__run_of_words *run, size_t word)
{
    if (word >= run->document->count)
        return false;
    const tacit__word *here = &run->document->words[word];
    bool comma = here->before & TACIT__GAP_COMMA;
    return !(here->before & APART) && !(here->flags & TACIT__WORD_SENTENCE) &&
           here->shape != TACIT__SHAPE_LOWER && (comma || here->shape != TACIT__SHAPE_CAPITAL);
}

static tacit_status propose_behind(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err)
{
    size_t word = run->last + 1;
    tacit_status status = TACIT_OK;
    for (int left = MOST_TITLES; left > 0 && status == TACIT_OK; left--) {
        size_t end = may_stand_behind(run, word) ? title_end(run, word) : word;
        if (end == word)
            break;
        status = propose_title(proposals, run, word, end - 1, "behind a name", err);
        word = end;
    }
    return status;
}

tacit_status tacit__propose_titles(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err)
{
    if (!proposals->titles)
        return TACIT_OK;
    tacit_status status = propose_before(proposals, run, err);
    return status == TACIT_OK ? propose_behind(proposals, run, err) : status;
}
