/* Stand-ins, until the parts are there. */
#include "base/alloc.h"
#include "text/chain.h"
#include "text/templates.h"

#include <string.h>

#define WEAK __attribute__((weak))

WEAK tacit_status tacit__templates_new(tacit__templates **out, tacit_strview further,
                                       tacit_error *err)
{
    (void)out, (void)further, (void)err;
    return TACIT_OK;
}
WEAK void tacit__templates_free(tacit__templates *templates)
{
    (void)templates;
}
WEAK tacit_status tacit__matcher_new(tacit__matcher **out, const tacit__templates *templates,
                                     tacit_error *err)
{
    (void)out, (void)templates, (void)err;
    return TACIT_OK;
}
WEAK void tacit__matcher_free(tacit__matcher *matcher)
{
    (void)matcher;
}
WEAK tacit_status tacit__templates_propose(tacit__proposals *proposals, tacit__matcher *matcher,
                                           tacit_strview text, tacit_error *err)
{
    (void)matcher;
    for (size_t i = 0; i + 11 <= text.len; i++) {
        bool ssn = text.bytes[i + 3] == '-' && text.bytes[i + 6] == '-';
        for (size_t j = 0; j < 11 && ssn; j++)
            ssn = j == 3 || j == 6 || (text.bytes[i + j] >= '0' && text.bytes[i + j] <= '9');
        if (ssn) {
            tacit__proposal p = {.start = (uint32_t)i,
                                 .end = (uint32_t)i + 11,
                                 .kind = TACIT_TEXT_SOCIAL_SECURITY,
                                 .within = TACIT_TEXT_SOCIAL_SECURITY,
                                 .likelihood = 90,
                                 .detector = "templates"};
            tacit_status s = tacit__proposals_add(proposals, &p, err);
            if (s != TACIT_OK)
                return s;
        }
    }
    return TACIT_OK;
}
WEAK tacit_status tacit__chain_new(tacit__chain **out, tacit_strview source, tacit_error *err)
{
    (void)out, (void)source, (void)err;
    return TACIT_OK;
}
WEAK void tacit__chain_free(tacit__chain *chain)
{
    (void)chain;
}
WEAK void tacit__chain_scratch_clear(tacit__chain_scratch *scratch)
{
    (void)scratch;
}
WEAK tacit_status tacit__chain_judge(tacit__opinion *opinions, const tacit__chain *chain,
                                     const tacit__document *document, tacit__chain_scratch *scratch,
                                     tacit_error *err)
{
    (void)chain, (void)scratch, (void)err;
    for (size_t i = 0; i < document->count; i++) {
        const tacit__lexicon_entry *e = &document->words[i].entry;
        bool name = document->words[i].shape == TACIT__SHAPE_CAPITAL &&
                    (e->first > 2 || e->surname > 2) && e->word == 0;
        opinions[i] = (tacit__opinion){.of = {name ? 10 : 99, name ? 90 : 1}};
    }
    return TACIT_OK;
}
