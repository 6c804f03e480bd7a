/* Stand-ins, until the parts are there. */
#include "base/alloc.h"
#include "text/chain.h"

#include <string.h>

#define WEAK __attribute__((weak))

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
