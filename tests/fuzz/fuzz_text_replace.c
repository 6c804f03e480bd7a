/*
 * fuzz_text_replace.c - any bytes as the text of a span. The first byte chooses the kind, the
 * second the strategy and the scope. What was made up or shifted is never what was there, and the
 * same each time; a tag stands for what is not understood.
 */
#include "../support/fuzz_require.h"
#include "text/replace/replace.h"

enum { SEVERAL = 3 };

static void replace(tacit__strbuf *out, const tacit_scrub_options *options, tacit_text_kind kind,
                    tacit_strview text)
{
    tacit__disguise *disguise = NULL;
    tacit_error err = {0};
    require(tacit__disguise_new(&disguise, &err) == TACIT_OK, "no disguise");
    tacit__disguise_begin(disguise, options, SEVERAL);
    for (size_t i = 0; i < SEVERAL; i++) {
        size_t from = out->len;
        tacit_status status = tacit__replace(out, disguise, options, kind, text, &err);
        require(status == TACIT_OK, "refused");
        size_t len = out->len - from;
        require(from == i * len, "another length");
        require(memcmp(out->bytes + from, out->bytes, len) == 0, "another value");
    }
    tacit__disguise_free(disguise);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    tacit_scrub_options options = {.scope =
                                       (tacit_text_scope)(data[1] / TACIT_TEXT_STRATEGIES % 3)};
    tacit_text_kind kind = (tacit_text_kind)(data[0] % TACIT_TEXT_KINDS);
    tacit_text_strategy strategy = (tacit_text_strategy)(data[1] % TACIT_TEXT_STRATEGIES);
    tacit_strview text = {.bytes = (const char *)data + 2, .len = size - 2};
    tacit__strbuf out = {0};
    options.strategy[kind] = strategy;
    tacit__strbuf_add(&out, "", 0);
    replace(&out, &options, kind, text);
    bool other = strategy == TACIT_TEXT_MAKE_UP || strategy == TACIT_TEXT_SHIFT;
    bool tag = text.len > 0 && text.bytes[0] == '['; /* what has no other form becomes a tag */
    if (other && kind < TACIT_TEXT_KEPT && kind != TACIT_TEXT_TITLE && text.len > 0 && !tag)
        require(out.len / SEVERAL != text.len || memcmp(out.bytes, text.bytes, text.len) != 0,
                "the same value");
    tacit__strbuf_clear(&out);
    return 0;
}
