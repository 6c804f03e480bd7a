/*
 * runs.c - cuts the words of a document into runs by what the chain says of them. A run has
 * one label, and nothing between its words that parts such things: a street goes over a comma,
 * a name does not, but for "Long, Marjorie". In delimited text a run ends with its field.
 *
 * Cost: a step a word.
 */
#include "text/runs.h"

#include "base/bitset.h"

typedef tacit_status (*propose_fn)(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err);

static const struct {
    propose_fn propose;
    unsigned parts; /* gaps that end a run */
} families[TACIT__LABELS] = {
    [TACIT__LABEL_PERSON] = {tacit__propose_name, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                      TACIT__GAP_END | TACIT__GAP_COLON |
                                                      TACIT__GAP_SLASH | TACIT__GAP_BRACKET |
                                                      TACIT__GAP_AT | TACIT__GAP_OTHER},
    [TACIT__LABEL_PLACE] = {tacit__propose_place,
                            TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                TACIT__GAP_COLON | TACIT__GAP_COMMA | TACIT__GAP_SLASH |
                                TACIT__GAP_BRACKET | TACIT__GAP_QUOTE | TACIT__GAP_OTHER},
    [TACIT__LABEL_STREET] = {tacit__propose_street, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                        TACIT__GAP_END | TACIT__GAP_COLON |
                                                        TACIT__GAP_QUOTE | TACIT__GAP_BRACKET},
    [TACIT__LABEL_ORGANIZATION] = {tacit__propose_organization,
                                   TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                       TACIT__GAP_COLON | TACIT__GAP_BRACKET | TACIT__GAP_QUOTE},
};

tacit__label tacit__run_label(const tacit__opinion *opinion)
{
    int best = TACIT__LABEL_PERSON;
    if (100 - opinion->of[TACIT__LABEL_OTHER] < TACIT__RUN_FLOOR)
        return TACIT__LABEL_OTHER;
    for (int label = best + 1; label < TACIT__LABELS; label++)
        if (opinion->of[label] > opinion->of[best])
            best = label;
    return (tacit__label)best;
}

/* "Long. He": a stop ends a run unless what is before it is an initial or an abbreviation;
 * streets are full of those ("Oak St. Apt. 3"). */
static bool is_parted(const tacit__document *document, size_t word, tacit__label label)
{
    enum { DELIMITERS = TACIT__GAP_COLON | TACIT__GAP_OTHER }; /* a semicolon, a bar */
    const tacit__word *here = &document->words[word];
    if (document->format == TACIT_TEXT_DELIMITED && here->before & DELIMITERS)
        return true;
    return here->flags & TACIT__WORD_COLUMN || here->before & families[label].parts ||
           (here->flags & TACIT__WORD_SENTENCE && label != TACIT__LABEL_STREET);
}

/* Words that only hyphens make a part of it do not count. */
int tacit__run_mean(const tacit__run_of_words *run, size_t first, size_t last)
{
    int sum = 0, count = 0;
    for (size_t i = first; i <= last; i++) {
        bool bridge = i > first && run->document->words[i].before == TACIT__GAP_HYPHEN &&
                      tacit__run_word(run, i) < TACIT__RUN_FLOOR;
        sum += bridge ? 0 : tacit__run_word(run, i);
        count += !bridge;
    }
    return sum / count;
}

size_t tacit__run_end(const tacit__run_of_words *run)
{
    static const tacit__listed_word apart[] = {"based", "born",  "bound", "funded",  "led",
                                               "like",  "owned", "run",   "related", "style",
                                               "type",  "wide",  "and",   "or",      ""};
    const tacit__document *document = run->document;
    const tacit__word *next = &document->words[run->last + 1];
    bool joined = run->last + 1 < document->count && next->before == TACIT__GAP_HYPHEN &&
                  next->shape == TACIT__SHAPE_LOWER && !tacit__word_is_among(document, next, apart);
    return run->last + joined;
}

tacit_status tacit__run_propose_within(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       size_t first, size_t last, tacit_text_kind kind,
                                       tacit_text_kind within, int likelihood, const char *rule,
                                       tacit_error *err)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .within = (uint8_t)within,
                                      .likelihood = (uint8_t)likelihood,
                                      .guess = true,
                                      .detector = "words",
                                      .rule = rule};
    return tacit__propose_words(proposals, run->document, first, last, proposal, err);
}

tacit_status tacit__run_propose(tacit__proposals *proposals, const tacit__run_of_words *run,
                                size_t first, size_t last, tacit_text_kind kind, int likelihood,
                                const char *rule, tacit_error *err)
{
    return tacit__run_propose_within(proposals, run, first, last, kind, kind, likelihood, rule,
                                     err);
}

/* Which of at most 64 words are a part of something, a bit each. */
static uint64_t parts_among(const tacit__opinion *opinions, size_t from, size_t count)
{
    size_t some = tacit__bitset_share(from, count);
    uint64_t parts = 0;
    for (size_t i = 0; i < some; i++) {
        bool is = 100 - opinions[from + i].of[TACIT__LABEL_OTHER] >= TACIT__RUN_FLOOR;
        parts |= (uint64_t)is << i;
    }
    return parts;
}

/* "Hay-on-Wye": hyphens join a word to what is a part of the run on both its sides. */
static bool is_bridge(const tacit__run_of_words *run, size_t word)
{
    const tacit__word *here = &run->document->words[word];
    return word + 1 < run->document->count && here->before == TACIT__GAP_HYPHEN &&
           here[1].before == TACIT__GAP_HYPHEN &&
           tacit__run_label(&run->opinions[word + 1]) == run->label;
}

/* The run that begins with a word, from which *end on none of its words is. */
static tacit_status propose_run(tacit__proposals *proposals, const tacit__document *document,
                                const tacit__opinion *opinions, size_t first, size_t *end,
                                tacit_error *err)
{
    tacit__run_of_words run = {.document = document,
                               .opinions = opinions,
                               .first = first,
                               .label = tacit__run_label(&opinions[first])};
    size_t i = first + 1;
    while (i < document->count && !is_parted(document, i, run.label) &&
           (tacit__run_label(&opinions[i]) == run.label || is_bridge(&run, i)))
        i++;
    run.last = i - 1;
    *end = i;
    return families[run.label].propose(proposals, &run, err);
}

tacit_status tacit__runs_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t end = 0;
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = parts_among(opinions, from, document->count);
        for (; left != 0 && status == TACIT_OK; left &= left - 1) {
            size_t first = from + (size_t)__builtin_ctzll(left);
            if (first >= end)
                status = propose_run(proposals, document, opinions, first, &end, err);
        }
    }
    return status;
}
