/*
 * entry.c - an entry as its file has it: JSON that people can read but for the summary, whose
 * hashes and rows are base64. The last line is a checksum under the ledger's key over every byte
 * before it, so that damage, and changes by whoever has no key, are seen.
 *
 * The state stands before anything that a user can name, so that it can be changed in place.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
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

bool tacit__entry_is_whole(tacit_strview file, const unsigned char *key)
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
    add_member(out, "policy", entry->policy_hash);
}

void tacit__entry_write(tacit__strbuf *out, const tacit_ledger_entry *entry,
                        const tacit__summary *summary, const unsigned char *key)
{
    char name[TACIT_LEDGER_HASH + 1];
    tacit__key_name(name, key);
    tacit__strbuf_text(out, "{\n");
    add_integer(out, "tacit ledger", TACIT__LEDGER_FORMAT);
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
    if (!tacit__entry_is_whole(file, key))
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
