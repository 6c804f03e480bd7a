/*
 * fuzz_known.c - any bytes as the file of --known. With a first byte that is odd, the first line is
 * --known-columns. What is accepted are values of kinds that there are, each inside what was read.
 */
#include "../support/fuzz_command.h"

#include "engine/text/known.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    engine_session session = {.limit = 1e9};
    engine_known known = {0};
    char columns[64] = "";
    if (size < 1)
        return 0;
    const uint8_t *bytes = data + 1, *end = memchr(bytes, '\n', size - 1);
    bool named = data[0] & 1 && end;
    if (named) {
        snprintf(columns, sizeof columns, "%.*s", (int)(end - bytes), (const char *)bytes);
        bytes = end + 1;
    }
    const char *path = fuzz_file_set(&file, bytes, (size_t)(data + size - bytes));
    session.run.threads = 1;
    tacit_status status = engine_known_read(&known, path, named ? columns : NULL, &session);
    require_reason(status, &session.error);
    for (size_t i = 0; status == TACIT_OK && i < known.count; i++)
        require(known.kinds[i] > TACIT_TEXT_NONE && known.kinds[i] < TACIT_TEXT_KINDS &&
                    known.values[i].len > 0 && known.values[i].bytes >= known.bytes.bytes &&
                    known.values[i].bytes + known.values[i].len <=
                        known.bytes.bytes + known.bytes.len,
                "a value that is none");
    engine_known_clear(&known);
    return 0;
}
