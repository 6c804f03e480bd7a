/*
 * organizations.c - employers, insurers, schools, teams (entity 18 of Figure 111), and
 * hospitals, which have a word of care in their name.
 */
#include "text/runs.h"

static bool is_hospital(const tacit__run_of_words *run)
{
    for (size_t i = run->first; i <= run->last; i++)
        if (tacit__lexicon_in(&run->document->words[i].entry, TACIT__LIST_HOSPITAL))
            return true;
    return false;
}

tacit_status tacit__propose_organization(tacit__proposals *proposals,
                                         const tacit__run_of_words *run, tacit_error *err)
{
    bool hospital = is_hospital(run);
    return tacit__run_propose(proposals, run, run->first, run->last,
                              hospital ? TACIT_TEXT_HOSPITAL : TACIT_TEXT_ORGANIZATION,
                              tacit__run_mean(run, run->first, run->last),
                              hospital ? "a name with a word of care" : "an organization", err);
}
