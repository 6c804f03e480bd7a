/*
 * fuzz_rda.c - a description of data and data, with a NUL between: what is read has the variables
 * that were described, and is a CSV that reads back.
 */
#include <string.h>

#include "../support/fuzz_require.h"
#include "formats/rda.h"

static void check_text(const tacit__format_text *text, const tacit_schema *schema)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    tacit_status status = tacit_table_read_memory(
        &table, (tacit_strview){text->csv.bytes, text->csv.len}, "read", &options, NULL, &err);
    require_reason(status, &err);
    if (status == TACIT_OK)
        require((size_t)tacit_table_columns(table) == schema->count, "columns are lost");
    tacit_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data, *mark = size ? memchr(bytes, '\0', size) : NULL;
    size_t len = mark ? (size_t)(mark - bytes) : size, rest = mark ? size - len - 1 : 0;
    const tacit__format_input input = {.bytes = {rest ? mark + 1 : "", rest}, .name = "fuzz"};
    tacit__format_text text = {.columns = 0};
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    if (tacit__schema_new(&schema, NULL, &err) != TACIT_OK)
        return 0;
    tacit_status status = tacit__described_read(
        &text, schema, &input, (tacit_strview){len ? bytes : "", len}, "description", &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        require(text.at == 0 && text.csv.len > 0, "rows are whole");
        check_text(&text, schema);
    }
    tacit__strbuf_clear(&text.csv);
    tacit_schema_free(schema);
    return 0;
}
