/*
 * organizations.c - employers, insurers, schools, teams (entity 18 of Figure 111), and
 * hospitals, which have a word of care in their name.
 */
#include "text/chain/runs.h"

static bool is_hospital(const tacit__run_of_words *run)
{
    for (size_t i = run->first; i <= run->last; i++)
        if (tacit__lexicon_in(&run->document->words[i].entry, TACIT__LIST_HOSPITAL))
            return true;
    return false;
}

/* Behind the last word, or behind its 's where a name ends with it: "St. Luke's", but not "the
 * clinic's". */
static uint32_t end_of(const tacit__run_of_words *run)
{
    const tacit__word *last = &run->document->words[tacit__run_end(run)];
    bool is_said = tacit__lexicon_in(&last->entry, TACIT__LIST_HOSPITAL) ||
                   tacit__lexicon_in(&last->entry, TACIT__LIST_ORGANIZATION);
    if (!(last->flags & TACIT__WORD_GENITIVE) || is_said)
        return last->end;
    return last->end + (run->document->text.bytes[last->end] == '\'' ? 2 : 4);
}

tacit_status tacit__propose_organization(tacit__proposals *proposals,
                                         const tacit__run_of_words *run, tacit_error *err)
{
    bool hospital = is_hospital(run);
    uint8_t kind = hospital ? TACIT_TEXT_HOSPITAL : TACIT_TEXT_ORGANIZATION;
    const tacit__proposal proposal = {
        .start = run->document->words[run->first].start,
        .end = end_of(run),
        .kind = kind,
        .within = kind,
        .likelihood = (uint8_t)tacit__run_mean(run, run->first, run->last),
        .alone = run->alone,
        .detector = "words",
        .rule = hospital ? "a name with a word of care" : "an organization",
    };
    return tacit__proposals_add(proposals, &proposal, err);
}
