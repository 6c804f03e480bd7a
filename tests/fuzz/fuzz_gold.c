/*
 * fuzz_gold.c - any bytes as a file of documents that people have marked. The first byte says
 * whether offsets count bytes. Every mark that is accepted lies in its text; every refusal says
 * why.
 */
#include "../support/fuzz_file.h"

#include "engine/text/gold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    engine_gold gold = {0};
    tacit_error err = {0};
    if (size < 1)
        return 0;
    const char *path = fuzz_file_set(&file, data + 1, size - 1);
    tacit_status status = engine_gold_read(&gold, path, "text", data[0] & 1, &err);
    require_reason(status, &err);
    for (size_t i = 0; status == TACIT_OK && i < gold.count; i++) {
        const tacit_text_marked *document = &gold.documents[i];
        for (size_t j = 0; j < document->mark_count; j++)
            require(document->marks[j].start <= document->marks[j].end &&
                        document->marks[j].end <= document->text.len,
                    "a mark outside its text");
    }
    engine_gold_clear(&gold);
    return 0;
}
