/*
 * account.c - the machine-readable account: a tree of facts kept in jansson,
 * which keeps the order in which names were added.
 *
 * A path is walked from the root, or, when it starts in "@.", from the object
 * that was pushed last. Each fact costs its depth; the writer one pass. The
 * first failure is kept, and nothing is added after it: an account is whole or
 * it is refused.
 */
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include <tacit/experimental/page.h>

#include "base/alloc.h"
#include "base/error.h"
#include "report/markup.h"

struct tacit_account {
    json_t *root;
    json_t *current; /* the object pushed last, borrowed from its list */
    bool failed;
};

tacit_status tacit_account_new(tacit_account **out, tacit_error *err)
{
    tacit_account *account = tacit__alloc_zeroed(1, sizeof *account);
    if (!account || !(account->root = json_object())) {
        tacit_account_free(account);
        return tacit__nomem(err);
    }
    *out = account;
    return TACIT_OK;
}

void tacit_account_free(tacit_account *account)
{
    if (!account)
        return;
    json_decref(account->root);
    tacit__free(account);
}

/* A place in the tree: what holds the fact, and the name of the fact in it. */
typedef struct place {
    json_t *holder;
    tacit_strview name;
} place;

/* The member of that name, made by `make` where there is none. */
static json_t *member(json_t *holder, tacit_strview name, json_t *(*make)(void))
{
    json_t *found = json_object_getn(holder, name.bytes, name.len);
    if (found)
        return found;
    json_t *made = make();
    return made && json_object_setn_new(holder, name.bytes, name.len, made) == 0 ? made : NULL;
}

static place walk(const tacit_account *account, const char *path)
{
    place at = {.holder = account->root};
    if (strncmp(path, "@.", 2) == 0) {
        assert(account->current);
        at.holder = account->current;
        path += 2;
    }
    for (const char *dot; at.holder && (dot = strchr(path, '.')); path = dot + 1)
        at.holder = member(at.holder, (tacit_strview){path, (size_t)(dot - path)}, json_object);
    at.name = tacit_strview_of(path);
    assert(!at.holder || json_is_object(at.holder));
    return at;
}

/* Takes the value, which may be NULL for lack of memory. */
static void put(tacit_account *account, const char *path, json_t *value)
{
    place at = account->failed ? (place){0} : walk(account, path);
    if (!at.holder || !value) {
        json_decref(value);
        account->failed = true;
    } else if (json_object_setn_new(at.holder, at.name.bytes, at.name.len, value) != 0) {
        account->failed = true;
    }
}

static json_t *list_at(tacit_account *account, const char *path)
{
    place at = account->failed ? (place){0} : walk(account, path);
    json_t *list = at.holder ? member(at.holder, at.name, json_array) : NULL;
    assert(!list || json_is_array(list));
    if (!list)
        account->failed = true;
    return list;
}

static void push(tacit_account *account, const char *path, json_t *value)
{
    json_t *list = list_at(account, path);
    if (!list || !value || json_array_append(list, value) != 0)
        account->failed = true;
    json_decref(value);
}

static json_t *text_value(tacit_strview text)
{
    tacit__strbuf clean = {0};
    tacit__utf8_add(&clean, text);
    json_t *value = clean.failed ? NULL : json_stringn(clean.len ? clean.bytes : "", clean.len);
    tacit__strbuf_clear(&clean);
    return value;
}

void tacit_account_text(tacit_account *account, const char *path, tacit_strview value)
{
    put(account, path, text_value(value));
}

void tacit_account_integer(tacit_account *account, const char *path, int64_t value)
{
    put(account, path, json_integer(value));
}

void tacit_account_real(tacit_account *account, const char *path, double value)
{
    put(account, path, isfinite(value) ? json_real(value) : json_null());
}

void tacit_account_bool(tacit_account *account, const char *path, bool value)
{
    put(account, path, json_boolean(value));
}

void tacit_account_integer_in(tacit_account *account, const char *path, tacit_strview name,
                              int64_t value)
{
    place at = account->failed ? (place){0} : walk(account, path);
    json_t *object = at.holder ? member(at.holder, at.name, json_object) : NULL;
    assert(!object || json_is_object(object));
    tacit__strbuf clean = {0};
    tacit__utf8_add(&clean, name);
    if (!object || clean.failed ||
        json_object_setn_new(object, clean.len ? clean.bytes : "", clean.len,
                             json_integer(value)) != 0)
        account->failed = true;
    tacit__strbuf_clear(&clean);
}

void tacit_account_push_text(tacit_account *account, const char *path, tacit_strview value)
{
    push(account, path, text_value(value));
}

void tacit_account_push_integer(tacit_account *account, const char *path, int64_t value)
{
    push(account, path, json_integer(value));
}

void tacit_account_push_object(tacit_account *account, const char *path)
{
    json_t *object = json_object();
    push(account, path, object);
    if (!account->failed)
        account->current = object; /* alive: the list holds it */
}

void tacit_account_list(tacit_account *account, const char *path)
{
    list_at(account, path);
}

static int append(const char *bytes, size_t len, void *buffer)
{
    tacit__strbuf *text = buffer;
    tacit__strbuf_add(text, bytes, len);
    return text->failed ? -1 : 0;
}

tacit_status tacit_account_json(char **out, const tacit_account *account, tacit_error *err)
{
    tacit__strbuf text = {0};
    if (account->failed || json_dump_callback(account->root, append, &text,
                                              JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0)
        text.failed = true;
    tacit__strbuf_text(&text, "\n");
    if (text.failed) {
        tacit__strbuf_clear(&text);
        return tacit__nomem(err);
    }
    *out = text.bytes;
    return TACIT_OK;
}
