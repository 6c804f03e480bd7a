/*
 * rda.c - reads a description of data: a line a variable, with its name, where it starts (not of
 * separated data), its width and codes of missing values, and lines below it that begin with < and
 * say more. Lines of that kind before the first variable are about the file.
 */
#include "formats/rda.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"
#include "formats/values.h"

enum { MAX_PLACE = 1 << 20 };

/* What is read of a line. */
typedef struct rda_line {
    tacit_strview rest;
    const char *file;
    int64_t number;
} rda_line;

/* The next word, or what stands between quotes; empty at the end of the line. */
static tacit_strview next_word(rda_line *line)
{
    const char *at = line->rest.bytes, *end = at + line->rest.len;
    while (at < end && tacit__is_space(*at))
        at++;
    bool quoted = at < end && *at == '"';
    const char *from = at += quoted;
    while (at < end && (quoted ? *at != '"' : !tacit__is_space(*at)))
        at++;
    tacit_strview word = {from, (size_t)(at - from)};
    at += quoted && at < end;
    line->rest = (tacit_strview){at, (size_t)(end - at)};
    return word;
}

static bool says_tag(tacit_strview word, const char *tag)
{
    tacit_strview wanted = tacit_strview_of(tag);
    return word.len == wanted.len && strncasecmp(word.bytes, tag, word.len) == 0;
}

static tacit_status about_file(tacit__rda *rda, tacit_strview tag, rda_line *line, tacit_error *err)
{
    if (says_tag(tag, "<NAMESINFRONT>"))
        rda->names = true;
    if (says_tag(tag, "<SPSS>"))
        return tacit__error_at(err, TACIT_INVALID, line->file, line->number, 0,
                               "describes a file of SPSS, which is read without it");
    if (!says_tag(tag, "<SEPARATOR>"))
        return TACIT_OK;
    tacit_strview separator = next_word(line);
    if (separator.len != 1 || separator.bytes[0] == '"')
        return tacit__error_at(err, TACIT_PARSE, line->file, line->number, 0,
                               "<SEPARATOR> has to be one character in quotes");
    rda->separator = separator.bytes[0];
    return TACIT_OK;
}

static bool place_of(int64_t *place, tacit_strview word)
{
    return tacit__integer_of(place, word) && *place > 0 && *place <= MAX_PLACE;
}

static tacit_status add_variable(tacit__rda *rda, tacit_strview name, rda_line *line,
                                 tacit_error *err)
{
    tacit__rda_variable variable = {.name = name};
    bool fixed = !rda->separator && !rda->names;
    if (fixed && (!place_of(&variable.start, next_word(line)) ||
                  !place_of(&variable.width, next_word(line))))
        return tacit__error_at(err, TACIT_PARSE, line->file, line->number, 0,
                               "variable \"%s\" has to be followed by the place where it starts, "
                               "from 1 on, and its width",
                               tacit__show(name).text);
    variable.start -= fixed;
    if (rda->count >= TACIT_MAX_COLUMNS)
        return tacit__error_at(err, TACIT_LIMIT, line->file, line->number, 0,
                               "more than %d variables", (int)TACIT_MAX_COLUMNS);
    return TACIT__PUSH(rda->variables, rda->capacity, rda->count, variable) ? TACIT_OK
                                                                            : tacit__nomem(err);
}

static tacit_status read_line(tacit__rda *rda, rda_line *line, tacit_error *err)
{
    tacit_strview first = next_word(line);
    if (first.len == 0 || (first.len >= 2 && first.bytes[0] == '/' && first.bytes[1] == '/'))
        return TACIT_OK;
    if (first.bytes[0] != '<')
        return add_variable(rda, first, line, err);
    return rda->count == 0 ? about_file(rda, first, line, err) : TACIT_OK;
}

tacit_status tacit__rda_read(tacit__rda *rda, tacit_strview text, const char *name,
                             tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t at = 0;
    *rda = (tacit__rda){.separator = 0};
    for (int64_t number = 1; at < text.len && status == TACIT_OK; number++) {
        size_t end = at;
        while (end < text.len && text.bytes[end] != '\n')
            end++;
        rda_line line = {{text.bytes + at, end - at}, name, number};
        status = read_line(rda, &line, err);
        at = end + 1;
    }
    if (status == TACIT_OK && rda->names && !rda->separator)
        rda->separator = ';';
    if (status == TACIT_OK && rda->count == 0)
        status = tacit__error_at(err, TACIT_PARSE, name, 0, 0, "describes no variables");
    return status;
}

void tacit__rda_clear(tacit__rda *rda)
{
    tacit__free(rda->variables);
    *rda = (tacit__rda){.separator = 0};
}
