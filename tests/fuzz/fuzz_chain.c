/*
 * fuzz_chain.c - any bytes as the weights of a chain. Whatever is accepted comes back the
 * same when it is written twice, and judges a text; whatever is refused says why and on which
 * line.
 */
#include "../support/fuzz_require.h"

#include "text/chain/model.h"

enum { MAX_WORDS = 64 };

static void use(const tacit__chain *model)
{
    static const char text[] = "Dear Dr. Long,\nVirginia (Ginny) of 12 Elm St, Boston, MA 02115 "
                               "works for Acme Inc. RN/jk\nplain words";
    tacit__document document = {0};
    tacit__chain_scratch scratch = {0};
    tacit__opinion opinions[MAX_WORDS];
    require(tacit__document_read(&document, tacit_strview_of(text), NULL) == TACIT_OK, "no words");
    require(document.count <= MAX_WORDS, "many words");
    require(tacit__chain_judge(opinions, model, &document, &scratch, NULL) == TACIT_OK,
            "no opinion");
    for (size_t i = 0; i < document.count; i++) {
        int sum = 0;
        for (int label = 0; label < TACIT__LABELS; label++)
            sum += opinions[i].of[label];
        require(sum >= 97 && sum <= 103, "shares that do not sum to 100");
    }
    tacit__document_clear(&document);
    tacit__chain_scratch_clear(&scratch);
}

static void write_twice(const tacit__chain *model)
{
    tacit__chain *again = NULL;
    tacit__strbuf first = {0}, second = {0};
    tacit__strbuf_text(&first, "#\n");
    tacit__strbuf_text(&second, "#\n");
    tacit__chain_write(&first, model);
    require(tacit__chain_new(&again, tacit_strview_of(first.bytes), NULL) == TACIT_OK,
            "what was written cannot be read");
    tacit__chain_write(&second, again);
    require(first.len == second.len && !memcmp(first.bytes, second.bytes, first.len),
            "written differently");
    tacit__chain_free(again);
    tacit__strbuf_clear(&first);
    tacit__strbuf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit__chain *model = NULL;
    tacit_error err = {0};
    if (size == 0)
        return 0;
    tacit_status status =
        tacit__chain_new(&model, (tacit_strview){.bytes = (const char *)data, .len = size}, &err);
    require_reason(status, &err);
    require(status != TACIT_PARSE || err.line > 0, "refused without a line");
    if (status != TACIT_OK)
        return 0;
    if (!memchr(data, '\0', size)) /* names with a NUL end early when written */
        write_twice(model);
    use(model);
    tacit__chain_free(model);
    return 0;
}
