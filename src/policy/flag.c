/*
 * flag.c - a flag's text to nodes.
 *
 * One scanner reads an item up to one of the separators that count at its
 * place; blanks around it are dropped. An item in double quotes may hold
 * separators and blanks, and a doubled quote for a quote, as in CSV. Everything
 * else is lists of items. Linear in the text.
 */
#include "policy/setting.h"

#include <string.h>

#include "base/ascii.h"
#include "base/error.h"

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
