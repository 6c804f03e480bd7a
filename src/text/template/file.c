/*
 * file.c - a file of templates, line by line:
 *
 *   # a comment
 *   @month = {jan, january, feb, february}
 *   date 95 d*1-2 @month dddd
 *   card luhn 90 dddd-dddd-dddd-dddd
 *
 * A line is a definition, or a kind, perhaps a check, a likelihood and a pattern. Names last
 * to the end of all files, so that the data holder's templates can use the shipped ones; a
 * later definition of a name replaces the earlier one for the lines below it.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "text/template/parse.h"

enum { NAME_MAX = 32 };

struct tacit__template_name {
    char bytes[NAME_MAX];
    size_t len;
    uint32_t root;
};

bool tacit__pattern_named(uint32_t *out, const tacit__trees *trees, tacit_strview name)
{
    for (size_t i = trees->name_count; i-- > 0;) {
        const struct tacit__template_name *entry = &trees->names[i];
        if (entry->len == name.len && memcmp(entry->bytes, name.bytes, name.len) == 0) {
            *out = entry->root;
            return true;
        }
    }
    return false;
}

static void skip_blanks(tacit__pattern *p)
{
    while (p->at < p->line.len && (p->line.bytes[p->at] == ' ' || p->line.bytes[p->at] == '\t'))
        p->at++;
}

static tacit_strview next_word(tacit__pattern *p)
{
    skip_blanks(p);
    size_t start = p->at;
    while (p->at < p->line.len && p->line.bytes[p->at] != ' ' && p->line.bytes[p->at] != '\t')
        p->at++;
    return (tacit_strview){p->line.bytes + start, p->at - start};
}

static size_t column_of(const tacit__pattern *p, tacit_strview word)
{
    return (size_t)(word.bytes - p->line.bytes);
}

static bool good_name(tacit_strview name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.bytes[i] == '_' || !tacit__word_byte((unsigned char)name.bytes[i]) ||
            (unsigned char)name.bytes[i] >= 0x80)
            return false;
    return name.len > 1 && name.len <= NAME_MAX;
}

static bool define(tacit__pattern *p)
{
    tacit_strview name = next_word(p);
    if (!good_name(name))
        return tacit__pattern_fail(p, column_of(p, name), "not a name", name,
                                   "use letters and digits after the @, at most 31");
    tacit_strview sign = next_word(p);
    if (sign.len != 1 || sign.bytes[0] != '=')
        return tacit__pattern_fail(p, column_of(p, sign), "no definition follows, but", sign,
                                   "write = after the name, with blanks around it");
    struct tacit__template_name entry = {.len = name.len};
    memcpy(entry.bytes, name.bytes, name.len);
    if (!tacit__pattern_read(&entry.root, p))
        return false;
    if (!tacit__reserve((void **)&p->trees->names, &p->trees->name_capacity,
                        p->trees->name_count + 1, sizeof entry)) {
        p->status = tacit__nomem(p->err);
        return false;
    }
    p->trees->names[p->trees->name_count++] = entry;
    return true;
}

static bool read_likelihood(int *out, tacit__pattern *p, tacit_strview word)
{
    int value = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (!tacit__is_digit((unsigned char)word.bytes[i]) || value > 100) {
            value = 101;
            break;
        }
        value = value * 10 + (word.bytes[i] - '0');
    }
    if (word.len == 0 || value > 100)
        return tacit__pattern_fail(p, column_of(p, word), "not a likelihood", word,
                                   "give a number from 0 to 100 between the kind and the pattern");
    *out = value;
    return true;
}

/* The check, where there is one, and the likelihood. */
static bool read_head(tacit__template *out, tacit__pattern *p)
{
    tacit_strview kind = next_word(p);
    out->kind = tacit_text_kind_of(kind);
    if (out->kind == TACIT_TEXT_NONE)
        return tacit__pattern_fail(p, column_of(p, kind), "no kind is called", kind,
                                   "start the line with one such as date, phone, reference or "
                                   "measurement, or with # for a comment");
    tacit_strview word = next_word(p);
    if (word.len > 0 && !tacit__is_digit((unsigned char)word.bytes[0])) {
        out->check = tacit__check_of(word);
        if (!out->check)
            return tacit__pattern_fail(p, column_of(p, word), "no check is called", word,
                                       tacit__check_names);
        word = next_word(p);
    }
    return read_likelihood(&out->likelihood, p, word);
}

static bool skip_tilde(tacit__pattern *p)
{
    bool is = p->at < p->line.len && p->line.bytes[p->at] == '~';
    p->at += is;
    return is;
}

static bool read_template(tacit__pattern *p)
{
    tacit__template new = {0};
    if (!read_head(&new, p))
        return false;
    skip_blanks(p);
    tacit_strview text = {p->line.bytes + p->at, p->line.len - p->at};
    new.loose_start = skip_tilde(p);
    p->may_span = true;
    if (!tacit__pattern_read(&new.root, p))
        return false;
    new.loose_end = skip_tilde(p);
    new.text = tacit__copy_bytes(text.bytes, text.len);
    if (!new.text || !tacit__reserve((void **)&p->trees->templates, &p->trees->capacity,
                                     p->trees->count + 1, sizeof new)) {
        tacit__free(new.text);
        p->status = tacit__nomem(p->err);
        return false;
    }
    p->trees->templates[p->trees->count++] = new;
    return true;
}

/* Without blanks at the end, but for one that a backslash says is meant. */
static void trim(tacit_strview *line)
{
    while (line->len > 0 && tacit__blank_byte((unsigned char)line->bytes[line->len - 1]) &&
           !(line->len > 1 && line->bytes[line->len - 2] == '\\'))
        line->len--;
}

static bool read_line(tacit__pattern *p)
{
    trim(&p->line);
    skip_blanks(p);
    if (p->at == p->line.len || p->line.bytes[p->at] == '#')
        return true;
    if (p->line.len > TACIT__TEMPLATE_LINE)
        return tacit__pattern_fail(p, TACIT__TEMPLATE_LINE, "the line is too long at",
                                   (tacit_strview){p->line.bytes + TACIT__TEMPLATE_LINE, 1},
                                   "make it several templates, or give parts of it names");
    return p->line.bytes[p->at] == '@' ? define(p) : read_template(p);
}

tacit_status tacit__trees_read(tacit__trees *trees, tacit_strview source, const char *file,
                               tacit_error *err)
{
    int64_t number = 0;
    for (size_t start = 0; start < source.len;) {
        const char *end = memchr(source.bytes + start, '\n', source.len - start);
        size_t len = end ? (size_t)(end - source.bytes) - start : source.len - start;
        tacit__pattern pattern = {.trees = trees,
                                  .line = {source.bytes + start, len},
                                  .number = ++number,
                                  .file = file,
                                  .err = err};
        if (!read_line(&pattern))
            return pattern.status;
        start += len + 1;
    }
    return TACIT_OK;
}
