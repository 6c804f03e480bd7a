/*
 * entry_read.c - an entry from its file.
 *
 * First the frame (JSON, a version and a key that are known, the checksum), then every member by
 * its kind and its bounds: a checksum says that the bytes are those that were written, not that
 * they make sense. Whatever is wrong is named with the file; nothing is repaired.
 */
#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "ledger/ledger.h"
#include "ledger/sketch.h"

typedef struct reader {
    const char *file;
    tacit_error *err;
} reader;

static tacit_status damaged(const reader *r, const char *what)
{
    return tacit__error_at(
        r->err, TACIT_PARSE, r->file, 0, 0,
        "this entry of the ledger is damaged (%s); put a copy of the file in its "
        "place: nothing is released while the ledger does not know what was",
        what);
}

/* ---- the frame ---- */

static tacit_status check_frame(const reader *r, json_t *root, tacit_strview bytes,
                                const unsigned char *key)
{
    json_t *format = json_object_get(root, "tacit ledger");
    const char *made = json_string_value(json_object_get(root, "key"));
    char name[TACIT_LEDGER_HASH + 1];
    if (!json_is_integer(format) || !made)
        return damaged(r, "it is no entry of a ledger");
    if (json_integer_value(format) < TACIT__LEDGER_FIRST ||
        json_integer_value(format) > TACIT__LEDGER_FORMAT)
        return tacit__error_at(r->err, TACIT_PARSE, r->file, 0, 0,
                               "this entry of the ledger has format %lld, and this tacit knows %d; "
                               "use the tacit that wrote it, or a later one",
                               (long long)json_integer_value(format), TACIT__LEDGER_FORMAT);
    tacit__key_name(name, key);
    if (strcmp(name, made) != 0)
        return tacit__error_at(r->err, TACIT_PARSE, r->file, 0, 0,
                               "this entry of the ledger was made with another key; put the file "
                               "\"key\" that belongs to it back into the ledger's folder");
    return tacit__entry_is_whole(bytes, key) ? TACIT_OK : damaged(r, "its checksum is another");
}

/* ---- members ---- */

static tacit_status get_integer(int64_t *out, const reader *r, const json_t *object,
                                const char *name, int64_t least, int64_t most)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < least ||
        json_integer_value(value) > most)
        return damaged(r, name);
    *out = json_integer_value(value);
    return TACIT_OK;
}

static tacit_status get_text(char **out, const reader *r, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value);
    if (!text || strlen(text) != json_string_length(value))
        return damaged(r, name);
    char *copy = tacit__copy_bytes(text, strlen(text));
    if (!copy)
        return tacit__nomem(r->err);
    *out = copy;
    return TACIT_OK;
}

/* A hash, or nothing where that is allowed. */
static tacit_status get_hash(char out[TACIT_LEDGER_HASH + 1], const reader *r, const json_t *object,
                             const char *name, bool needed)
{
    const char *text = json_string_value(json_object_get(object, name));
    size_t len = text ? strlen(text) : 1;
    if ((len != TACIT_LEDGER_HASH && (len || needed)) || !text ||
        strspn(text, "0123456789abcdef") != len)
        return damaged(r, name);
    memcpy(out, text, len + 1);
    return TACIT_OK;
}

static tacit_status get_bytes(unsigned char **out, size_t *len, const reader *r,
                              const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value);
    if (!text)
        return damaged(r, name);
    size_t size = json_string_length(value), got = 0;
    unsigned char *bytes = tacit__alloc(size / 4 * 3 + 3);
    if (!bytes)
        return tacit__nomem(r->err);
    if (sodium_base642bin(bytes, size / 4 * 3 + 3, text, size, NULL, &got, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0) {
        tacit__free(bytes);
        return damaged(r, name);
    }
    *out = bytes;
    *len = got;
    return TACIT_OK;
}

static tacit_status get_state(tacit_ledger_entry *entry, const reader *r, const json_t *root)
{
    const char *state = json_string_value(json_object_get(root, "state"));
    if (state && strcmp(state, "pending") == 0)
        entry->state = TACIT_LEDGER_PENDING;
    else if (state && strcmp(state, "released") == 0)
        entry->state = TACIT_LEDGER_RELEASED;
    else
        return damaged(r, "state");
    return TACIT_OK;
}

static tacit_status get_facts(tacit_ledger_entry *entry, const reader *r, const json_t *root)
{
    const struct {
        char **slot;
        const char *name;
    } texts[] = {{&entry->date, "date"},     {&entry->source, "source"},
                 {&entry->path, "path"},     {&entry->version, "tacit"},
                 {&entry->method, "method"}, {&entry->metric, "metric"}};
    const struct {
        int64_t *slot;
        const char *name;
        int64_t least, most;
    } numbers[] = {{&entry->number, "number", 1, INT32_MAX},
                   {&entry->size, "size", 0, INT64_MAX},
                   {&entry->k, "k", 0, INT64_MAX},
                   {&entry->rows, "rows", 0, TACIT_MAX_ROWS},
                   {&entry->classes, "classes", 0, TACIT_MAX_ROWS}};
    tacit_status status = get_state(entry, r, root);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == TACIT_OK; i++)
        status = get_text(texts[i].slot, r, root, texts[i].name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == TACIT_OK; i++)
        status = get_integer(numbers[i].slot, r, root, numbers[i].name, numbers[i].least,
                             numbers[i].most);
    if (status == TACIT_OK)
        status = get_hash(entry->hash, r, root, "hash", true);
    if (status == TACIT_OK)
        status = get_hash(entry->policy_hash, r, root, "policy", false);
    return status;
}

/* ---- columns and rows ---- */

/* How many bytes a base64 text stands for. */
static size_t bytes_of(const char *text, size_t size)
{
    size_t bytes = size / 4 * 3;
    for (size_t i = 1; i <= 2 && i <= size && text[size - i] == '='; i++)
        bytes--;
    return bytes;
}

/* Hashes that ascend, each once: recalling looks for them by halving. */
static bool ascend(const unsigned char *labels, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (memcmp(labels + (size_t)(i - 1) * TACIT__LABEL_HASH,
                   labels + (size_t)i * TACIT__LABEL_HASH, TACIT__LABEL_HASH) >= 0)
            return false;
    return true;
}

static tacit_status get_labels(tacit_ledger_column *column, tacit__summary *summary, int32_t index,
                               const reader *r, const json_t *object)
{
    const json_t *value = json_object_get(object, "labels");
    if (!json_is_string(value))
        return damaged(r, "labels");
    size_t len = bytes_of(json_string_value(value), json_string_length(value)), got = 0;
    if (len % TACIT__LABEL_HASH || len / TACIT__LABEL_HASH >= UINT32_MAX)
        return damaged(r, "labels");
    column->labels = (uint32_t)(len / TACIT__LABEL_HASH);
    if (!summary)
        return TACIT_OK;
    summary->label_counts[index] = column->labels;
    tacit_status status = get_bytes(&summary->labels[index], &got, r, object, "labels");
    if (status == TACIT_OK && (got != len || !ascend(summary->labels[index], column->labels)))
        status = damaged(r, "labels");
    return status;
}

static tacit_status get_column(tacit_ledger_column *column, tacit__summary *summary, int32_t index,
                               const reader *r, const json_t *object)
{
    tacit_status status = get_text(&column->name, r, object, "name");
    if (status == TACIT_OK)
        status = get_text(&column->role, r, object, "role");
    if (status == TACIT_OK)
        status = get_text(&column->hierarchy, r, object, "hierarchy");
    if (status == TACIT_OK)
        status = get_hash(column->file_hash, r, object, "file", false);
    if (status == TACIT_OK)
        status = get_integer(&column->form, r, object, "form", 0, TACIT_MAX_LEVELS);
    if (status == TACIT_OK)
        status = get_labels(column, summary, index, r, object);
    return status;
}

static tacit_status start_summary(tacit__summary *summary, size_t columns, const reader *r)
{
    summary->labels = tacit__alloc_zeroed(columns, sizeof *summary->labels);
    summary->label_counts = tacit__alloc_zeroed(columns, sizeof *summary->label_counts);
    summary->column_count = (int32_t)columns;
    return summary->labels && summary->label_counts ? TACIT_OK : tacit__nomem(r->err);
}

/* summary may be NULL: then labels are only counted. */
static tacit_status get_columns(tacit_ledger_entry *entry, tacit__summary *summary, const reader *r,
                                const json_t *root)
{
    const json_t *list = json_object_get(root, "columns");
    size_t count = json_array_size(list);
    if (count < 1 || count > TACIT_MAX_COLUMNS)
        return damaged(r, "columns");
    entry->columns = tacit__alloc_zeroed(count, sizeof *entry->columns);
    if (!entry->columns)
        return tacit__nomem(r->err);
    entry->column_count = (int32_t)count;
    tacit_status status = summary ? start_summary(summary, count, r) : TACIT_OK;
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = get_column(&entry->columns[i], summary, (int32_t)i, r, json_array_get(list, i));
    return status;
}

static tacit_status get_rows(tacit__summary *summary, const tacit_ledger_entry *entry,
                             const reader *r, const json_t *root)
{
    tacit_status status = get_bytes(&summary->bytes, &summary->len, r, root, "summary");
    if (status != TACIT_OK)
        return status;
    summary->rows = entry->rows;
    summary->classes = entry->classes;
    uint32_t *indices = tacit__alloc_array((size_t)summary->column_count, sizeof *indices);
    if (!indices)
        return tacit__nomem(r->err);
    bool holds = tacit__summary_holds(summary, indices);
    tacit__free(indices);
    return holds ? TACIT_OK : damaged(r, "summary");
}

/* The rows of the data; entries of the first format, and of data that nobody gave, have none. */
static tacit_status get_sketch(tacit_ledger_entry *entry, const reader *r, const json_t *root,
                               const unsigned char *key)
{
    tacit__sketch sketch = {0};
    bool broken = false;
    if (json_integer_value(json_object_get(root, "tacit ledger")) == TACIT__LEDGER_FIRST)
        return TACIT_OK;
    tacit_status status = get_bytes(&entry->sketch, &entry->sketch_len, r, root, "sketch");
    if (status == TACIT_OK && entry->sketch_len == 0) {
        tacit__free(entry->sketch);
        entry->sketch = NULL;
        return TACIT_OK;
    }
    if (status == TACIT_OK)
        status =
            tacit__sketch_unpack(&sketch, entry->sketch, entry->sketch_len, key, &broken, r->err);
    tacit__sketch_clear(&sketch);
    return broken ? damaged(r, "sketch") : status;
}

static tacit_status load(json_t **root, const reader *r, tacit_strview bytes)
{
    json_error_t problem;
    if (bytes.len < TACIT__ENTRY_TAIL)
        return damaged(r, bytes.len ? "it is cut short" : "it is empty");
    *root = json_loadb(bytes.bytes, bytes.len, JSON_REJECT_DUPLICATES, &problem);
    if (!*root && json_error_code(&problem) == json_error_out_of_memory)
        return tacit__nomem(r->err);
    return json_is_object(*root) ? TACIT_OK : damaged(r, "it is no JSON");
}

tacit_status tacit__entry_parse(tacit_ledger_entry *entry, tacit__summary *summary,
                                tacit_strview bytes, const char *file, const unsigned char *key,
                                tacit_error *err)
{
    const reader r = {file, err};
    tacit_ledger_entry read = {0};
    tacit__summary held = {0};
    json_t *root = NULL;
    tacit_status status = load(&root, &r, bytes);
    if (status == TACIT_OK)
        status = check_frame(&r, root, bytes, key);
    if (status == TACIT_OK)
        status = get_facts(&read, &r, root);
    if (status == TACIT_OK)
        status = get_columns(&read, summary ? &held : NULL, &r, root);
    if (status == TACIT_OK)
        status = get_sketch(&read, &r, root, key);
    if (status == TACIT_OK && summary)
        status = get_rows(&held, &read, &r, root);
    json_decref(root);
    if (status == TACIT_OK)
        *entry = read;
    else
        tacit__entry_clear(&read);
    if (status == TACIT_OK && summary)
        *summary = held;
    else
        tacit__summary_clear(&held);
    return status;
}
