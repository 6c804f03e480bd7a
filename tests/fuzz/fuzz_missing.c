/*
 * fuzz_missing.c - any bytes as CSV with codes of missing values, against the same without. The
 * first byte chooses options; the rest is the file.
 */
#include <stdint.h>

#include "../support/fuzz_require.h"
#include "../support/missing_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    static const char delimiters[] = {0, ',', ';', '\t'};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = delimiters[data[0] & 3];
    options.no_header = data[0] & 4;
    options.pass_stray_end = data[0] & 8;
    require(missing_case_holds((tacit_strview){(const char *)data + 1, size - 1}, &options),
            "codes of missing values change something else");
    return 0;
}
