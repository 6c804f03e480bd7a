/*
 * fuzz_formats.c - any bytes as a file of any format. What is read can be written in every format
 * that is written, and then reads back the same; the writer checks that, and a format may refuse
 * what it cannot hold, but says so.
 */
#include <tacit/experimental/formats.h>

#include "../support/fuzz_file.h"

static void check_written(const tacit_table *table)
{
    static fuzz_file files[64]; /* kept, as the fuzzer stays */
    const tacit_format *format = NULL;
    for (size_t i = 0; (format = tacit_format_at(i)) && i < 64; i++) {
        tacit_error err = {0};
        if (!tacit_format_is_written(format))
            continue;
        fuzz_file_text(&files[i], "");
        tacit_status status = tacit_format_write(files[i].fd, "written", format,
                                                 tacit_table_schema(table), table, NULL, &err);
        require_reason(status, &err);
        require(status != TACIT_IO, "written and read back, it says something else");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    options.convert = tacit_formats_convert;
    tacit_status status = tacit_table_read_memory(&table, (tacit_strview){(const char *)data, size},
                                                  "fuzz", &options, NULL, &err);
    require_reason(status, &err);
    if (status == TACIT_OK)
        check_written(table);
    tacit_table_free(table);
    return 0;
}
