/*
 * fuzz_scrub.c - any bytes as a document. The first byte chooses options; the rest is the text.
 * Whatever it is: every byte outside a span is as it was, and replaying the spans gives the output.
 */
#include "../support/fuzz_require.h"
#include "../support/scrub.h"

enum { CHOICES = 8 * TACIT_TEXT_STRATEGIES };

static void choose(tacit_scrub_options *options, uint8_t choice)
{
    tacit_scrub_options_init(options);
    options->accept_unread = true;
    options->threshold = choice & 1 ? 20 : TACIT_SCRUB_THRESHOLD;
    options->special = choice & 2;
    options->explain = choice & 4;
    options->accept_unread = choice & 1;
    for (int kind = 1; kind < TACIT_TEXT_KEPT; kind++)
        options->strategy[kind] = (tacit_text_strategy)((choice >> 3) % TACIT_TEXT_STRATEGIES);
}

static void scrub_all(tacit_scrub_reader *reader, const char *text, size_t len)
{
    uint64_t base = 0;
    tacit_scrub_begin(reader, 0);
    do {
        tacit_scrubbed scrubbed;
        tacit_error err = {0};
        size_t used = 0;
        tacit_status status = tacit_scrub_piece(
            &scrubbed, &used, reader, (tacit_strview){.bytes = text, .len = len}, true, &err);
        require_reason(status, &err);
        if (status != TACIT_OK)
            return;
        require(used > 0 || len == 0, "no progress");
        require(scrub_replays(&scrubbed, text, used, base), "the spans do not give the output");
        text += used;
        len -= used;
        base += used;
    } while (len > 0);
}

/* Making a scrubber takes as long as thousands of documents: one for each choice, made once. */
static tacit_scrub_reader *reader_for(uint8_t choice)
{
    static tacit_scrub_reader *readers[CHOICES];
    if (!readers[choice]) {
        tacit_scrub_options options;
        tacit_scrubber *scrubber = NULL;
        tacit_error err = {0};
        choose(&options, choice);
        require(tacit_scrubber_new(&scrubber, &options, &err) == TACIT_OK &&
                    tacit_scrub_reader_new(&readers[choice], scrubber, &err) == TACIT_OK,
                err.message);
    }
    return readers[choice];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0)
        scrub_all(reader_for(data[0] % CHOICES), (const char *)data + 1, size - 1);
    return 0;
}
