/*
 * fuzz_csv.c - any bytes as CSV, cut into tiny stretches. The first two bytes
 * choose options; the rest is the file.
 */
#include "../support/csv_yardstick.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    static const char delimiters[] = {0, ',', ';', '\t'};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = delimiters[data[0] & 3];
    options.no_header = data[0] & 4;
    options.code_none = data[0] & 8;
    options.max_field = data[0] & 16 ? 20 : 1 << 20;
    size_t stretch = 1 + data[1];
    yardstick((tacit_strview){(const char *)data + 2, size - 2}, &options, stretch,
              1 + (data[0] >> 6));
    return 0;
}
