/*
 * fuzz_templates.c - any bytes as a file of templates, and the same bytes as the text that they
 * are to be found in. What is refused says why and where; what is accepted finds spans that
 * are within the text, the same ones twice.
 */
#include "../support/fuzz_require.h"

#include "text/template/templates.h"

static void propose(tacit__proposals *proposals, const tacit__templates *templates,
                    tacit_strview text)
{
    tacit__matcher *matcher = NULL;
    require(tacit__matcher_new(&matcher, templates, NULL) == TACIT_OK, "no matcher");
    require(tacit__templates_propose(proposals, matcher, text, NULL) == TACIT_OK, "no proposals");
    tacit__matcher_free(matcher);
}

static void compare(const tacit__proposals *a, const tacit__proposals *b, size_t len)
{
    require(a->count == b->count, "another number of proposals");
    for (size_t i = 0; i < a->count; i++) {
        const tacit__proposal *p = &a->items[i], *q = &b->items[i];
        require(p->start < p->end && p->end <= len, "a span outside the text");
        require(p->start == q->start && p->end == q->end && p->rule == q->rule, "another proposal");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_strview bytes = {(const char *)data, size};
    tacit__templates *templates = NULL;
    tacit_error err = {0};
    tacit_status status = tacit__templates_new(&templates, bytes, &err);
    if (status == TACIT_OK) {
        tacit__proposals first = {0}, second = {0};
        propose(&first, templates, bytes);
        propose(&second, templates, bytes);
        compare(&first, &second, size);
        tacit__proposals_clear(&first);
        tacit__proposals_clear(&second);
    } else {
        require(!templates, "an output after failure");
        require_reason(status, &err);
        require(err.line > 0 && err.column > 0, "refused without a place");
    }
    tacit__templates_free(templates);
    return 0;
}
