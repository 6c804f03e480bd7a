/*
 * fuzz_learned.c - any bytes as what a training session left behind. What is accepted gives the
 * same when it is written and read again; what is refused says why; and no scrubber crashes on it.
 */
#include "../support/fuzz_require.h"
#include "text/learn/learned.h"

static void check_again(const tacit__learned *learned)
{
    tacit__strbuf text = {0}, again = {0};
    tacit__learned second;
    tacit__learned_write(&text, learned);
    require(tacit__learned_read(&second, (tacit_strview){text.bytes, text.len}, NULL) == TACIT_OK,
            "refused what it wrote");
    require(second.count == learned->count && second.threshold == learned->threshold,
            "read something else");
    tacit__learned_write(&again, &second);
    require(again.len == text.len && memcmp(again.bytes, text.bytes, text.len) == 0,
            "wrote something else");
    tacit__strbuf_clear(&text);
    tacit__strbuf_clear(&again);
    tacit__learned_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_strview source = {(const char *)data, size};
    tacit__learned learned;
    tacit_error err = {0};
    tacit_status status = tacit__learned_read(&learned, source, &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        tacit_scrub_options options;
        tacit_scrubber *scrubber = NULL;
        check_again(&learned);
        tacit_scrub_options_init(&options);
        options.accept_unread = true;
        options.weights = source;
        status = tacit_scrubber_new(&scrubber, &options, &err);
        require_reason(status, &err);
        tacit_scrubber_free(scrubber);
    }
    tacit__learned_clear(&learned);
    return 0;
}
