/*
 * entry.c - an entry as its file has it, written and read: JSON that people can read but for the
 * summary, whose hashes and rows are base64. The last line is a checksum under the ledger's key
 * over every byte before it, so that damage, and changes by whoever has no key, are seen.
 *
 * The state stands before anything that a user can name, so that it can be changed in place.
 *
 * Of what is read first comes the frame (JSON, a version and a key that are known, the checksum),
 * then every member by its kind and its bounds: a checksum says that the bytes are those that were
 * written, not that they make sense. Whatever is wrong is named with the file; nothing is repaired.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "ledger/ledger.h"

static const char PENDING[] = "\"state\": \"pending\"", RELEASED[] = "\"state\": \"released\"";

void tacit__key_name(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key)
{
    tacit__ledger_digest(out, key, "tacit ledger key 1", (tacit_strview){NULL, 0});
    out[TACIT_LEDGER_HASH / 4] = '\0';
}

void tacit__entry_checksum(tacit__strbuf *out, const unsigned char *key)
{
    char hash[TACIT_LEDGER_HASH + 1];
    tacit__ledger_digest(hash, key, "tacit ledger entry 1:", (tacit_strview){out->bytes, out->len});
    tacit__strbuf_format(out, "\"checksum\": \"%s\"\n}\n", hash);
}

/* Whether a file ends in its checksum. */
static bool is_whole(tacit_strview file, const unsigned char *key)
{
    static const char start[] = "\"checksum\": \"";
    char hash[TACIT_LEDGER_HASH + 1];
    if (file.len < TACIT__ENTRY_TAIL)
        return false;
    size_t body = file.len - TACIT__ENTRY_TAIL;
    const char *tail = file.bytes + body;
    tacit__ledger_digest(hash, key, "tacit ledger entry 1:", (tacit_strview){file.bytes, body});
    return memcmp(tail, start, sizeof start - 1) == 0 &&
           sodium_memcmp(tail + sizeof start - 1, hash, TACIT_LEDGER_HASH) == 0;
}

/* A string of JSON; text is UTF-8. */
static void add_string(tacit__strbuf *out, const char *text)
{
    tacit__strbuf_text(out, "\"");
    for (const char *at = text; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            tacit__strbuf_format(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            tacit__strbuf_format(out, "\\u%04x", byte);
        else
            tacit__strbuf_add(out, at, 1);
    }
    tacit__strbuf_text(out, "\"");
}

static void add_member(tacit__strbuf *out, const char *name, const char *text)
{
    tacit__strbuf_format(out, "\"%s\": ", name);
    add_string(out, text);
    tacit__strbuf_text(out, ",\n");
}

static void add_integer(tacit__strbuf *out, const char *name, int64_t number)
{
    tacit__strbuf_format(out, "\"%s\": %lld,\n", name, (long long)number);
}

/* In pieces of three bytes' multiples, which need no padding between them. */
static void add_base64(tacit__strbuf *out, const char *name, const unsigned char *bytes, size_t len)
{
    enum { PIECE = 3 * 1024 };
    char text[PIECE / 3 * 4 + 1];
    tacit__strbuf_format(out, "\"%s\": \"", name);
    for (size_t at = 0; at < len; at += PIECE) {
        size_t part = len - at < PIECE ? len - at : PIECE;
        sodium_bin2base64(text, sizeof text, bytes + at, part, sodium_base64_VARIANT_ORIGINAL);
        tacit__strbuf_text(out, text);
    }
    tacit__strbuf_text(out, "\"");
}

static void add_column(tacit__strbuf *out, const tacit_ledger_column *column,
                       const unsigned char *labels)
{
    tacit__strbuf_text(out, "{\n");
    add_member(out, "name", column->name);
    add_member(out, "role", column->role);
    add_member(out, "hierarchy", column->hierarchy);
    add_member(out, "file", column->file_hash);
    add_integer(out, "form", column->form);
    add_base64(out, "labels", labels, (size_t)column->labels * TACIT__LABEL_HASH);
    tacit__strbuf_text(out, "\n}");
}

static void add_facts(tacit__strbuf *out, const tacit_ledger_entry *entry)
{
    add_member(out, "date", entry->date);
    add_member(out, "source", entry->source);
    add_member(out, "path", entry->path);
    add_integer(out, "size", entry->size);
    add_member(out, "hash", entry->hash);
    add_member(out, "tacit", entry->version);
    add_integer(out, "k", entry->k);
    add_member(out, "method", entry->method);
    add_member(out, "metric", entry->metric);
    if (entry->epsilon > 0) {
        add_integer(out, "epsilon", entry->epsilon);
        add_integer(out, "budget", entry->budget);
    }
    add_member(out, "policy", entry->policy_hash);
}

void tacit__entry_write(tacit__strbuf *out, const tacit_ledger_entry *entry,
                        const tacit__summary *summary, const unsigned char *key)
{
    char name[TACIT_LEDGER_HASH + 1];
    tacit__key_name(name, key);
    tacit__strbuf_text(out, "{\n");
    add_integer(out, "tacit ledger",
                entry->epsilon > 0 ? TACIT__LEDGER_FORMAT : TACIT__LEDGER_SECOND);
    add_integer(out, "number", entry->number);
    tacit__strbuf_format(out, "%s,\n", entry->state == TACIT_LEDGER_PENDING ? PENDING : RELEASED);
    add_member(out, "key", name);
    add_facts(out, entry);
    tacit__strbuf_text(out, "\"columns\": [");
    for (int32_t i = 0; i < entry->column_count; i++) {
        tacit__strbuf_text(out, i ? ", " : "");
        add_column(out, &entry->columns[i], summary->labels[i]);
    }
    tacit__strbuf_text(out, "],\n");
    add_integer(out, "rows", summary->rows);
    add_integer(out, "classes", summary->classes);
    add_base64(out, "summary", summary->bytes, summary->len);
    tacit__strbuf_text(out, ",\n");
    add_base64(out, "sketch", entry->sketch, entry->sketch_len);
    tacit__strbuf_text(out, ",\n");
    tacit__entry_checksum(out, key);
}

bool tacit__entry_released(tacit__strbuf *out, const char *hash, const unsigned char *key,
                           tacit_strview file)
{
    char own[TACIT_LEDGER_HASH + 16];
    if (!is_whole(file, key))
        return false;
    size_t len = file.len - TACIT__ENTRY_TAIL;
    int used = snprintf(own, sizeof own, "\"hash\": \"%s\"", hash);
    if (!memmem(file.bytes, len, own, (size_t)used))
        return false;
    const char *at = memmem(file.bytes, len, PENDING, sizeof PENDING - 1);
    if (!at)
        return true;
    const char *rest = at + sizeof PENDING - 1;
    tacit__strbuf_add(out, file.bytes, (size_t)(at - file.bytes));
    tacit__strbuf_text(out, RELEASED);
    tacit__strbuf_add(out, rest, len - (size_t)(rest - file.bytes));
    tacit__entry_checksum(out, key);
    return true;
}

void tacit__entry_clear(tacit_ledger_entry *entry)
{
    for (int32_t i = 0; entry->columns && i < entry->column_count; i++) {
        tacit__free(entry->columns[i].name);
        tacit__free(entry->columns[i].role);
        tacit__free(entry->columns[i].hierarchy);
    }
    tacit__free(entry->columns);
    tacit__free(entry->date);
    tacit__free(entry->source);
    tacit__free(entry->path);
    tacit__free(entry->version);
    tacit__free(entry->method);
    tacit__free(entry->metric);
    tacit__free(entry->sketch);
    *entry = (tacit_ledger_entry){0};
}

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
    return is_whole(bytes, key) ? TACIT_OK : damaged(r, "its checksum is another");
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
    char *copy = tacit__copy_text(text);
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

/* Entries of the other formats spend nothing. */
static tacit_status get_budget(tacit_ledger_entry *entry, const reader *r, const json_t *root)
{
    if (json_integer_value(json_object_get(root, "tacit ledger")) < TACIT__LEDGER_FORMAT)
        return TACIT_OK;
    tacit_status status = get_integer(&entry->epsilon, r, root, "epsilon", 1, INT32_MAX);
    return status == TACIT_OK
               ? get_integer(&entry->budget, r, root, "budget", entry->epsilon, INT32_MAX)
               : status;
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
        status = get_budget(entry, r, root);
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
