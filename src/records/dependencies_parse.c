/*
 * dependencies_parse.c - dependencies as people write them: zip,birth->diagnosis.
 *
 * A name ends at a comma, at -> or with the text, and blanks around it do not count; in double
 * quotes it holds whatever stands in them, a doubled quote for a quote. One pass, no look back;
 * messages say at which character the text stops making sense.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "records/dependencies.h"

typedef struct reader {
    const char *text, *at;
    tacit_error *err;
} reader;

void tacit_dependency_names_clear(tacit_dependency_names *names)
{
    for (int32_t i = 0; i < names->left_count; i++)
        tacit__free(names->left[i]);
    tacit__free(names->left);
    tacit__free(names->right);
    *names = (tacit_dependency_names){0};
}

/* Says what is wrong with the text from a place on. Characters count from 1; the bytes that
 * continue one do not. */
static tacit_status complain(const reader *r, const char *place, const char *what)
{
    int64_t character = 1;
    for (const char *c = r->text; c < place; c++)
        character += ((unsigned char)*c & 0xC0) != 0x80;
    return tacit__error_at(r->err, TACIT_INVALID, NULL, 0, character,
                           "a dependency is written A,B->C; character %lld: %s",
                           (long long)character, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static bool at_arrow(const char *at)
{
    return at[0] == '-' && at[1] == '>';
}

static void skip_space(reader *r)
{
    while (is_space(*r->at))
        r->at++;
}

static tacit_status read_quoted(tacit__strbuf *name, reader *r)
{
    const char *start = r->at++;
    for (;; r->at++) {
        if (!*r->at)
            return complain(r, start, "this quote is not closed");
        if (*r->at == '"' && *++r->at != '"')
            break;
        tacit__strbuf_add(name, r->at, 1);
    }
    skip_space(r);
    if (*r->at && *r->at != ',' && !at_arrow(r->at))
        return complain(r, r->at, "behind a name in quotes comes a comma, -> or nothing");
    return TACIT_OK;
}

static tacit_status read_bare(tacit__strbuf *name, reader *r)
{
    const char *start = r->at, *end = start;
    for (; *r->at && *r->at != ',' && !at_arrow(r->at); r->at++) {
        if (*r->at == '"')
            return complain(r, r->at, "a quote within a name; quote the whole name and double it");
        if (!is_space(*r->at))
            end = r->at + 1;
    }
    tacit__strbuf_add(name, start, (size_t)(end - start));
    return TACIT_OK;
}

/* A name, which is not empty. */
static tacit_status read_name(char **out, reader *r)
{
    tacit__strbuf name = {0};
    skip_space(r);
    const char *start = r->at;
    tacit_status status = *r->at == '"' ? read_quoted(&name, r) : read_bare(&name, r);
    if (status == TACIT_OK && name.len == 0 && !name.failed)
        status = complain(r, start, "a column's name is missing");
    if (status == TACIT_OK && name.failed)
        status = tacit__nomem(r->err);
    if (status == TACIT_OK)
        *out = name.bytes;
    else
        tacit__strbuf_clear(&name);
    return status;
}

static tacit_status add_left(tacit_dependency_names *names, reader *r)
{
    const char *start = r->at;
    if (names->left_count == TACIT_DEPENDENCY_COLUMNS)
        return complain(r, start, "there are more than 64 columns before ->");
    char *name = NULL;
    tacit_status status = read_name(&name, r);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < names->left_count; i++)
        if (strcmp(names->left[i], name) == 0)
            status = complain(r, start, "this column is named twice");
    if (status == TACIT_OK)
        names->left[names->left_count++] = name;
    else
        tacit__free(name);
    return status;
}

static tacit_status read_left(tacit_dependency_names *names, reader *r)
{
    names->left = tacit__alloc_array(TACIT_DEPENDENCY_COLUMNS, sizeof *names->left);
    tacit_status status = names->left ? TACIT_OK : tacit__nomem(r->err);
    for (bool more = true; status == TACIT_OK && more;) {
        status = add_left(names, r);
        more = *r->at == ',';
        r->at += more;
    }
    if (status == TACIT_OK && !at_arrow(r->at))
        status = complain(r, r->at, "-> and the column that the others lead to are missing");
    return status;
}

static tacit_status read_right(tacit_dependency_names *names, reader *r)
{
    r->at += 2;
    const char *start = r->at;
    tacit_status status = read_name(&names->right, r);
    if (status != TACIT_OK)
        return status;
    if (*r->at == ',')
        return complain(r, r->at, "one column behind ->; write a dependency for each of several");
    if (*r->at)
        return complain(r, r->at, "a second ->");
    for (int32_t i = 0; i < names->left_count; i++)
        if (strcmp(names->left[i], names->right) == 0)
            return complain(r, start, "this column stands before -> as well");
    return TACIT_OK;
}

tacit_status tacit_dependency_parse(tacit_dependency_names *names, const char *text,
                                    tacit_error *err)
{
    tacit_dependency_names found = {0};
    reader r = {.text = text, .at = text, .err = err};
    tacit_status status = read_left(&found, &r);
    if (status == TACIT_OK)
        status = read_right(&found, &r);
    if (status == TACIT_OK) {
        tacit_dependency_names_clear(names);
        *names = found;
    } else
        tacit_dependency_names_clear(&found);
    return status;
}
