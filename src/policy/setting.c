/*
 * setting.c - readers of single values, and a flag's text to nodes.
 *
 * Numbers are checked by their letters first and converted in the C locale, so that a decimal point
 * is a point everywhere and `0x10`, `nan`, `1_000` or `010` (eight to some, ten to others) are no
 * numbers. A number in quotes is text, as YAML has it.
 *
 * Of a flag one scanner reads an item up to one of the separators that count at its place; blanks
 * around it are dropped. An item in double quotes may hold separators and blanks, and a doubled
 * quote for a quote, as in CSV. Everything else is lists of items. Linear in the text.
 */
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/nearest.h"
#include "policy/keys.h"

typedef struct scanner {
    const tacit__setting *s;
    tacit__arena *arena;
    const char *text;
    const char *at;
} scanner;

static void skip_blanks(scanner *scan)
{
    while (tacit__is_blank(*scan->at))
        scan->at++;
}

static tacit_status complain(const scanner *scan, const char *what)
{
    return tacit__wrong(scan->s, NULL, "%s in \"%s\"", what,
                        tacit__show(tacit_strview_of(scan->text)).text);
}

/* After an opening quote: the text up to the closing one, doubled ones halved. */
static tacit_status scan_quoted(tacit__policy_node **out, scanner *scan)
{
    const char *start = ++scan->at;
    size_t len = 0;
    while (*scan->at && (*scan->at != '"' || scan->at[1] == '"')) {
        scan->at += *scan->at == '"' ? 2 : 1;
        len++;
    }
    if (!*scan->at)
        return complain(scan, "a double quote is not closed");
    char *text = tacit__arena_alloc(scan->arena, len + 1);
    tacit__policy_node *node = text ? tacit__node_new(scan->arena, TACIT__NODE_FLAG) : NULL;
    if (!node)
        return tacit__nomem(scan->s->err);
    for (size_t i = 0; i < len; i++) {
        text[i] = *start;
        start += *start == '"' ? 2 : 1;
    }
    text[len] = '\0';
    node->text = (tacit_strview){text, len};
    scan->at++;
    skip_blanks(scan);
    *out = node;
    return TACIT_OK;
}

/* One item; stops at a separator or at the end. */
static tacit_status scan_item(tacit__policy_node **out, scanner *scan, const char *separators)
{
    skip_blanks(scan);
    if (*scan->at == '"') {
        tacit_status status = scan_quoted(out, scan);
        if (status != TACIT_OK)
            return status;
        if (*scan->at && !strchr(separators, *scan->at))
            return complain(scan, "text follows a closing quote");
    } else {
        size_t len = strcspn(scan->at, separators);
        tacit_strview text = {scan->at, len};
        scan->at += len;
        while (text.len && tacit__is_blank(text.bytes[text.len - 1]))
            text.len--;
        *out = tacit__node_text(scan->arena, TACIT__NODE_FLAG, text);
        if (!*out)
            return tacit__nomem(scan->s->err);
    }
    return (*out)->text.len ? TACIT_OK : complain(scan, "an empty item");
}

static tacit_status scan_list(tacit__policy_node **out, scanner *scan, const char *separators)
{
    tacit__policy_node *list = tacit__node_new(scan->arena, TACIT__NODE_LIST);
    if (!list)
        return tacit__nomem(scan->s->err);
    for (;; scan->at++) {
        tacit__policy_node *item;
        tacit_status status = scan_item(&item, scan, separators);
        if (status != TACIT_OK)
            return status;
        tacit__node_append(list, item);
        if (*scan->at != ',')
            break;
    }
    *out = list;
    return TACIT_OK;
}

static tacit_status scan_sets(tacit__policy_node **out, scanner *scan)
{
    tacit__policy_node *sets = tacit__node_new(scan->arena, TACIT__NODE_LIST);
    if (!sets)
        return tacit__nomem(scan->s->err);
    for (;; scan->at++) {
        tacit__policy_node *set;
        tacit_status status = scan_list(&set, scan, ",;");
        if (status != TACIT_OK)
            return status;
        tacit__node_append(sets, set);
        if (*scan->at != ';')
            break;
    }
    *out = sets;
    return TACIT_OK;
}

static tacit_status scan_pairs(tacit__policy_node **out, scanner *scan)
{
    tacit__policy_node *map = tacit__node_new(scan->arena, TACIT__NODE_MAP);
    if (!map)
        return tacit__nomem(scan->s->err);
    for (;; scan->at++) {
        tacit__policy_node *key, *value;
        tacit_status status = scan_item(&key, scan, "=,");
        if (status == TACIT_OK && *scan->at != '=')
            status = complain(scan, "an item without =");
        if (status == TACIT_OK) {
            scan->at++;
            status = scan_item(&value, scan, ",");
        }
        if (status != TACIT_OK)
            return status;
        value->key = key;
        tacit__node_append(map, value);
        if (*scan->at != ',')
            break;
    }
    *out = map;
    return TACIT_OK;
}

tacit_status tacit__flag_read(tacit__policy_node **out, tacit__arena *arena,
                              const tacit__setting *s, const char *text, tacit__setting_shape shape)
{
    scanner scan = {s, arena, text, text};
    switch (shape) {
    case TACIT__SHAPE_LIST: return scan_list(out, &scan, ",");
    case TACIT__SHAPE_SETS: return scan_sets(out, &scan);
    case TACIT__SHAPE_PAIRS: return scan_pairs(out, &scan);
    case TACIT__SHAPE_ONE: break;
    }
    *out = tacit__node_text(arena, TACIT__NODE_FLAG, tacit_strview_of(text));
    return *out ? TACIT_OK : tacit__nomem(s->err);
}

tacit_status tacit__flag_split(tacit__policy_node **name, const char **rest, tacit__arena *arena,
                               const tacit__setting *s, const char *text, char separator)
{
    const char separators[] = {separator, '\0'};
    *name = NULL;
    *rest = text;
    if (!strchr(text, separator))
        return TACIT_OK;
    scanner scan = {s, arena, text, text};
    tacit_status status = scan_item(name, &scan, separators);
    if (status != TACIT_OK)
        return status;
    if (*scan.at != separator)
        return complain(&scan, "a name without =VALUE");
    *rest = scan.at + 1;
    return TACIT_OK;
}

/* "a, b or c". */
typedef struct words {
    char text[128];
} words;

static words enumerate(const char *const *names, const char *conjunction)
{
    words w = {""};
    for (int i = 0; names[i]; i++) {
        size_t used = strlen(w.text), room = sizeof w.text - used;
        if (i > 0 && !names[i + 1])
            snprintf(w.text + used, room, " %s %s", conjunction, names[i]);
        else
            snprintf(w.text + used, room, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return w;
}

/* What stands at a node, for a message. */
typedef struct found {
    char text[80];
} found;

static found describe(const tacit__policy_node *node)
{
    found f;
    if (node->kind == TACIT__NODE_LIST)
        snprintf(f.text, sizeof f.text, "a list");
    else if (node->kind == TACIT__NODE_MAP)
        snprintf(f.text, sizeof f.text, "a mapping");
    else if (tacit__is_nothing(node))
        snprintf(f.text, sizeof f.text, "nothing");
    else
        snprintf(f.text, sizeof f.text, "%s\"%s\"",
                 node->kind == TACIT__NODE_QUOTED ? "the text " : "", tacit__show(node->text).text);
    return f;
}

tacit_status tacit__wrong(const tacit__setting *s, const tacit__policy_node *at, const char *format,
                          ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tacit_status status = s->file ? TACIT_PARSE : TACIT_INVALID;
    int64_t line = at ? at->line : 0, column = at ? at->column : 0;
    if (s->column < 0)
        return tacit__error_at(s->err, status, s->file, line, column, "%s: %s", s->key->name,
                               message);
    const char *name = s->policy->columns[s->column].name;
    return tacit__error_at(s->err, status, s->file, line, column, "%s of column \"%s\": %s",
                           s->key->name, tacit__show(tacit_strview_of(name)).text, message);
}

tacit_status tacit__unexpected(const tacit__setting *s, const tacit__policy_node *at,
                               const char *expected)
{
    return tacit__wrong(s, at, "expected %s, found %s", expected, describe(at).text);
}

static bool is_word(const tacit__policy_node *node, const char *word)
{
    return tacit_strview_equal(node->text, tacit_strview_of(word));
}

bool tacit__is_nothing(const tacit__policy_node *node)
{
    if (!tacit__node_is_text(node))
        return false;
    if (node->text.len == 0)
        return true;
    return node->kind == TACIT__NODE_PLAIN && (is_word(node, "~") || is_word(node, "null") ||
                                               is_word(node, "Null") || is_word(node, "NULL"));
}

static bool may_be_number(const tacit__policy_node *node)
{
    return (node->kind == TACIT__NODE_PLAIN || node->kind == TACIT__NODE_FLAG) &&
           node->text.len > 0;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

static bool is_plain_integer(const char *text)
{
    size_t digits = digits_at(text);
    return digits > 0 && text[digits] == '\0' && (text[0] != '0' || digits == 1);
}

/* [+-] digits [. digits] [e [+-] digits], with a digit before the exponent. */
static bool is_plain_number(const char *text)
{
    text += *text == '+' || *text == '-';
    size_t whole = digits_at(text), part = 0;
    text += whole;
    if (*text == '.') {
        part = digits_at(++text);
        text += part;
    }
    if (whole + part == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        size_t power = digits_at(text);
        if (power == 0)
            return false;
        text += power;
    }
    return *text == '\0';
}

static tacit_status out_of_range(const tacit__setting *s, const tacit__policy_node *node,
                                 const char *expected)
{
    return tacit__wrong(s, node, "%s is out of range: expected %s", tacit__show(node->text).text,
                        expected);
}

tacit_status tacit__read_integer(int64_t *out, const tacit__setting *s,
                                 const tacit__policy_node *node, int64_t min, int64_t max,
                                 const char *expected)
{
    enum { MAX_DIGITS = 18 }; /* fit in 64 bits */
    if (!may_be_number(node))
        return tacit__unexpected(s, node, expected);
    bool negative = node->text.bytes[0] == '-';
    const char *digits = node->text.bytes + negative;
    if (!is_plain_integer(digits))
        return tacit__unexpected(s, node, expected);
    if (strlen(digits) > MAX_DIGITS)
        return out_of_range(s, node, expected);
    long long value = strtoll(node->text.bytes, NULL, 10);
    if (value < min || value > max)
        return out_of_range(s, node, expected);
    *out = value;
    return TACIT_OK;
}

tacit_status tacit__read_number(double *out, const tacit__setting *s,
                                const tacit__policy_node *node, double min, double max,
                                const char *expected)
{
    if (!may_be_number(node) || !is_plain_number(node->text.bytes))
        return tacit__unexpected(s, node, expected);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return tacit__nomem(s->err);
    double value = strtod_l(node->text.bytes, NULL, plain);
    freelocale(plain);
    if (!(value >= min && value <= max))
        return out_of_range(s, node, expected);
    *out = value;
    return TACIT_OK;
}

tacit_status tacit__read_bool(bool *out, const tacit__setting *s, const tacit__policy_node *node)
{
    bool yes = tacit__node_is_text(node) && (is_word(node, "true") || is_word(node, "True"));
    bool no = tacit__node_is_text(node) && (is_word(node, "false") || is_word(node, "False"));
    if (node->kind == TACIT__NODE_QUOTED || (!yes && !no))
        return tacit__unexpected(s, node, "true or false");
    *out = yes;
    return TACIT_OK;
}

tacit_status tacit__read_choice(int *out, const tacit__setting *s, const tacit__policy_node *node,
                                const char *const *choices)
{
    for (int i = 0; choices[i] && tacit__node_is_text(node); i++)
        if (is_word(node, choices[i])) {
            *out = i;
            return TACIT_OK;
        }
    return tacit__unexpected(s, node, enumerate(choices, "or").text);
}

tacit_status tacit__read_text(tacit_strview *out, const tacit__setting *s,
                              const tacit__policy_node *node, const char *expected)
{
    if (!tacit__node_is_text(node) || tacit__is_nothing(node))
        return tacit__unexpected(s, node, expected);
    *out = node->text;
    return TACIT_OK;
}

const tacit__policy_node *tacit__entry(const tacit__policy_node *map, const char *name)
{
    for (const tacit__policy_node *entry = map->first; entry; entry = entry->next)
        if (is_word(entry->key, name))
            return entry;
    return NULL;
}

tacit_status tacit__only_entries(const tacit__setting *s, const tacit__policy_node *map,
                                 const char *const *names)
{
    for (const tacit__policy_node *entry = map->first; entry; entry = entry->next) {
        tacit__nearest nearest;
        tacit__nearest_init(&nearest, entry->key->text);
        bool known = false;
        for (int i = 0; names[i]; i++) {
            known = known || is_word(entry->key, names[i]);
            tacit__nearest_offer(&nearest, tacit_strview_of(names[i]));
        }
        if (known)
            continue;
        if (nearest.best.bytes)
            return tacit__wrong(s, entry->key, "unknown key \"%s\"%s",
                                tacit__show(entry->key->text).text,
                                tacit__nearest_hint(&nearest).text);
        return tacit__wrong(s, entry->key, "unknown key \"%s\"; known are %s",
                            tacit__show(entry->key->text).text, enumerate(names, "and").text);
    }
    return TACIT_OK;
}

char *tacit__join_path(const char *directory, tacit_strview name)
{
    if (!directory || name.bytes[0] == '/')
        return tacit__copy_bytes(name.bytes, name.len);
    size_t folder = strlen(directory);
    bool slash = folder > 0 && directory[folder - 1] == '/';
    size_t size = folder + !slash + name.len + 1;
    char *path = tacit__alloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", directory, slash ? "" : "/", name.bytes);
    return path;
}

/* Takes over a copy of text made by the caller. */
static tacit_status replace_text(char **slot, char *copy, const tacit__setting *s)
{
    if (!copy)
        return tacit__nomem(s->err);
    tacit__free(*slot);
    *slot = copy;
    return TACIT_OK;
}

tacit_status tacit__set_text(char **slot, const tacit__setting *s, const tacit__policy_node *value,
                             const char *expected)
{
    tacit_strview text = {0};
    tacit_status status = tacit__read_text(&text, s, value, expected);
    if (status != TACIT_OK)
        return status;
    return replace_text(slot, tacit__copy_bytes(text.bytes, text.len), s);
}

tacit_status tacit__set_one_of(char **slot, const tacit__setting *s,
                               const tacit__policy_node *value, const char *const *choices)
{
    int chosen = 0;
    tacit_status status = tacit__read_choice(&chosen, s, value, choices);
    if (status != TACIT_OK)
        return status;
    return replace_text(slot, tacit__copy_text(choices[chosen]), s);
}

tacit_status tacit__set_either(bool *slot, const tacit__setting *s, const tacit__policy_node *value,
                               const char *no, const char *yes)
{
    const char *const choices[] = {no, yes, NULL};
    int chosen = 0;
    tacit_status status = tacit__read_choice(&chosen, s, value, choices);
    if (status == TACIT_OK)
        *slot = chosen == 1;
    return status;
}

tacit_status tacit__set_file(char **slot, const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_strview name;
    tacit_status status = tacit__read_text(&name, s, value, "a file name");
    if (status != TACIT_OK)
        return status;
    return replace_text(slot, tacit__join_path(s->directory, name), s);
}

tacit_status tacit__set_each(const tacit__setting *s, const tacit__policy_node *value,
                             tacit_status (*add)(const tacit__setting *s,
                                                 const tacit__policy_node *item))
{
    if (value->kind != TACIT__NODE_LIST)
        return add(s, value);
    tacit_status status = TACIT_OK;
    for (const tacit__policy_node *item = value->first; item && status == TACIT_OK;
         item = item->next)
        status = add(s, item);
    return status;
}
