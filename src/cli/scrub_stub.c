#include "scrub.h"
#include <stdlib.h>
struct cli_scrub_gathering {
    int x;
};
tacit_status cli_scrub_gathering_new(cli_scrub_gathering **out, tacit_error *err)
{
    (void)err;
    *out = calloc(1, sizeof **out);
    return TACIT_OK;
}
void cli_scrub_gathering_free(cli_scrub_gathering *g)
{
    free(g);
}
tacit_status cli_scrub_gather(cli_scrub_gathering *g, const cli_scrub_piece *p, tacit_error *err)
{
    (void)g;
    (void)p;
    (void)err;
    return TACIT_OK;
}
tacit_status cli_scrub_gathering_merge(cli_scrub_gathering *i, cli_scrub_gathering *f,
                                       tacit_error *err)
{
    (void)i;
    (void)f;
    (void)err;
    return TACIT_OK;
}
void cli_scrub_explain(cli_text *out, const cli_scrub_piece *piece)
{
    cli_text_print(out, "explained %zu\n", piece->scrubbed->proposal_count);
}
void cli_scrub_page(tacit_page *page, const void *subject)
{
    (void)page;
    (void)subject;
}
void cli_scrub_account_rare(tacit_account *account, const cli_scrub_story *story)
{
    (void)account;
    (void)story;
}
void cli_scrub_print_rare(const cli_scrub_story *story, FILE *out)
{
    (void)story;
    (void)out;
}
