/*
 * fuzz_argus.c - any bytes as the files of tau-Argus: a batch file; metadata of records or of cells
 * with rows; a hierarchy. The first byte says which, a line of % divides metadata from rows. What
 * is accepted becomes a CSV with as many lines as rows and one more.
 */
#include "../support/fuzz_require.h"

#include "engine/tables/argus.h"

static void fuzz_batch(tacit_strview bytes)
{
    engine_argus_batch batch = {0};
    tacit_error err = {0};
    tacit_status status = engine_argus_batch_parse(&batch, bytes, &err);
    require(status == TACIT_OK, "a batch file is not refused, its lines are");
    for (size_t i = 0; i < batch.remark_count; i++)
        require(batch.remarks[i].line > 0 && batch.remarks[i].text[0], "a remark without a place");
    require(batch.refused || batch.table_count, "nothing to do, and no remark");
    engine_argus_batch_clear(&batch);
}

static size_t count_lines(tacit_strview bytes)
{
    size_t lines = 0;
    for (size_t i = 0; i < bytes.len; i++)
        lines += bytes.bytes[i] == '\n';
    return lines;
}

static void fuzz_trees(const engine_argus_columns *columns, tacit_strview bytes)
{
    for (size_t i = 0; i < columns->count; i++) {
        tacit__strbuf list = {0};
        tacit_error err = {0};
        tacit_status status = engine_argus_tree_list(&list, &columns->list[i], bytes, "h", &err);
        require_reason(status, &err);
        tacit__strbuf_clear(&list);
        require(engine_argus_levels_list(&list, &columns->list[i], &err) == TACIT_OK, "levels");
        tacit__strbuf_clear(&list);
    }
}

static void fuzz_rows(const engine_argus_meta *meta, tacit_strview rows)
{
    engine_argus_columns *columns = calloc(1, sizeof *columns);
    tacit__strbuf csv = {0};
    tacit_error err = {0};
    for (size_t i = 0; i < meta->count && i < ENGINE_ARGUS_MAX_COLUMNS; i++)
        columns->list[columns->count++] = (engine_argus_column){
            .variable = &meta->variables[i], .at = i, .coded = i < 3, .name = "n"};
    tacit_status status = engine_argus_data_csv(&csv, columns, meta, rows, "d", &err);
    require_reason(status, &err);
    if (status == TACIT_OK) {
        require(count_lines((tacit_strview){csv.bytes, csv.len}) >= 2, "rows are lost");
        fuzz_trees(columns, rows);
    }
    tacit__strbuf_clear(&csv);
    engine_argus_columns_clear(columns);
    free(columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char *text = malloc(size);
    require(text != NULL, "no memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    tacit_strview bytes = {text, size - 1};
    if (data[0] == 'b') {
        fuzz_batch(bytes);
    } else {
        engine_argus_meta meta;
        tacit_error err = {0};
        const char *mark = size > 3 ? memmem(text, size - 1, "\n%\n", 3) : NULL;
        size_t len = mark ? (size_t)(mark - text) + 1 : size - 1;
        tacit_status status =
            engine_argus_meta_parse(&meta, (tacit_strview){text, len}, "m", data[0] == 'c', &err);
        require_reason(status, &err);
        if (status == TACIT_OK && mark)
            fuzz_rows(&meta, (tacit_strview){mark + 3, size - 1 - len - 2});
        engine_argus_meta_clear(&meta);
    }
    free(text);
    return 0;
}
