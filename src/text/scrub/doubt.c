/*
 * doubt.c - a piece is doubted the more the longer it is, as few words are no evidence against
 * people, and the less the surer the surest thing in it is. A guess counts by how far it is above
 * what it would need by itself; what is no guess, from the likelihood on that parts it from
 * guesses. Everything rises and falls gradually: there is no length, and no likelihood, at which a
 * text changes from one without people to one with them.
 *
 * Cost: a few steps a proposal.
 */
#include "text/scrub/doubt.h"

/* Words up to which nothing is doubted, and from which on length makes no difference. */
enum { FEW = 30, MANY = 90 };

/* Where evidence starts and where it is complete, in percent. */
static int share(int likelihood, int from, int to)
{
    if (likelihood <= from)
        return 0;
    return likelihood >= to ? 100 : 100 * (likelihood - from) / (to - from);
}

/* How far a proposal tells that there is somebody. Titles stand beside names and tell no more than
 * these. */
static int evidence_of(const tacit__proposal *proposal)
{
    if (proposal->kind >= TACIT_TEXT_KEPT || proposal->kind == TACIT_TEXT_TITLE)
        return 0;
    if (proposal->alone == 0)
        return share(proposal->likelihood, TACIT__PROBABLE, TACIT__SURE);
    int above = share(proposal->likelihood, proposal->alone, TACIT__CERTAIN);
    return above * above / 100;
}

int tacit__doubt(const tacit__proposals *proposals, size_t words)
{
    int length = words < MANY ? share((int)words, FEW, MANY) : 100, evidence = 0;
    for (size_t i = 0; i < proposals->count && length > 0; i++) {
        int found = evidence_of(&proposals->items[i]);
        evidence = found > evidence ? found : evidence;
    }
    return length * (100 - evidence) / 100;
}

int tacit__bar(const tacit__proposal *proposal, int threshold, int doubt)
{
    int usual = threshold < TACIT_SCRUB_THRESHOLD ? threshold : TACIT_SCRUB_THRESHOLD;
    int bar = usual;
    if (proposal->alone > usual)
        bar += (proposal->alone - usual) * doubt / 100;
    return bar > threshold ? bar : threshold;
}
