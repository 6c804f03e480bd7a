/*
 * fuzz_encoding.c - any bytes as CSV in some encoding, against the same as UTF-8. The first byte
 * chooses options; the rest is the file.
 */
#include <stdint.h>

#include "../support/encoding_case.h"
#include "../support/fuzz_require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    static const char delimiters[] = {0, ',', ';', '\t'};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = delimiters[data[0] & 3];
    options.no_header = data[0] & 4;
    options.encoding = (tacit_encoding)(data[0] >> 3 & 3);
    options.guard = data[0] & 32 ? TACIT_GUARD_CELLS : TACIT_GUARD_NONE;
    require(encoding_case_holds((tacit_strview){(const char *)data + 1, size - 1}, &options),
            "a table of bytes is not the table of their text");
    return 0;
}
