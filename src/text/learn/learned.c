/*
 * learned.c - reads and writes what a training session leaves behind (text/learn/learned.h). A line
 * that is not understood is an error, never passed over: half of what was learned is worse than
 * nothing. Cost: a few steps a byte, and a search for each template among those that are there.
 */
#include "text/learn/learned.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

static const char VERSION[] = "tacit-learned 1";
static const char FILE_NAME[] = "weights"; /* what errors call it: the option has this name */

enum { MAX_TEMPLATES = 1 << 16 };

typedef struct learned_reader {
    tacit__learned *out;
    tacit_strview left; /* of the source, after the line */
    int64_t line;
} learned_reader;

static tacit_status refuse(const learned_reader *reader, tacit_strview what, const char *why,
                           tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, FILE_NAME, reader->line, 0, "\"%s\" %s",
                           tacit__show(what).text, why);
}

static tacit_strview next_line(learned_reader *reader)
{
    const char *end = memchr(reader->left.bytes, '\n', reader->left.len);
    size_t len = end ? (size_t)(end - reader->left.bytes) : reader->left.len;
    tacit_strview line = {.bytes = reader->left.bytes, .len = len};
    size_t taken = len + (end ? 1 : 0);
    reader->left = (tacit_strview){reader->left.bytes + taken, reader->left.len - taken};
    reader->line++;
    while (line.len > 0 && line.bytes[line.len - 1] == '\r')
        line.len--;
    return line;
}

/* Up to a blank, which is taken too. */
static tacit_strview next_word(tacit_strview *line)
{
    const char *blank = line->len > 0 ? memchr(line->bytes, ' ', line->len) : NULL;
    size_t len = blank ? (size_t)(blank - line->bytes) : line->len;
    size_t taken = len + (blank ? 1 : 0);
    tacit_strview word = {.bytes = line->bytes, .len = len};
    *line = (tacit_strview){line->bytes + taken, line->len - taken};
    return word;
}

static bool is_word(tacit_strview word, const char *text)
{
    return tacit_strview_equal(word, tacit_strview_of(text));
}

/* A number from 0 to 100. */
static bool read_likelihood(int *out, tacit_strview word)
{
    int value = 0;
    if (word.len == 0 || word.len > 3)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        if (word.bytes[i] < '0' || word.bytes[i] > '9')
            return false;
        value = value * 10 + (word.bytes[i] - '0');
    }
    *out = value;
    return value <= 100;
}

tacit_status tacit__learned_add(tacit__learned *learned, const tacit__learned_template *template,
                                tacit_error *err)
{
    if (learned->count == MAX_TEMPLATES)
        return tacit__error_at(err, TACIT_LIMIT, FILE_NAME, template->line, 0,
                               "more than %d templates", MAX_TEMPLATES);
    return TACIT__PUSH(learned->templates, learned->capacity, learned->count, *template)
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status read_threshold(learned_reader *reader, tacit_strview line, tacit_error *err)
{
    if (reader->out->threshold != TACIT_SCRUB_LEARNED)
        return refuse(reader, line, "is a second threshold; leave one of them", err);
    return read_likelihood(&reader->out->threshold, line)
               ? TACIT_OK
               : refuse(reader, line, "is not a threshold: use a number from 0 to 100", err);
}

static tacit_status read_template(learned_reader *reader, tacit_strview line, tacit_error *err)
{
    tacit__learned_template template = {.line = reader->line};
    tacit_strview kind = next_word(&line), likelihood = next_word(&line);
    template.kind = tacit_text_kind_of(kind);
    template.text = line;
    if (template.kind == TACIT_TEXT_NONE)
        return refuse(reader, kind, "is not a kind: write \"template KIND LIKELIHOOD TEMPLATE\"",
                      err);
    if (!read_likelihood(&template.likelihood, likelihood))
        return refuse(reader, likelihood, "is not a likelihood: use a number from 0 to 100", err);
    return tacit__learned_add(reader->out, &template, err);
}

static tacit_status read_line(learned_reader *reader, tacit_strview line, tacit_error *err)
{
    tacit_strview rest = line, word = next_word(&rest);
    if (line.len == 0 || line.bytes[0] == '#')
        return TACIT_OK;
    if (is_word(word, "threshold"))
        return read_threshold(reader, rest, err);
    if (is_word(word, "template"))
        return read_template(reader, rest, err);
    if (!is_word(line, "weights"))
        return refuse(reader, word,
                      "is none of threshold, template and weights, with one of which a line begins",
                      err);
    reader->out->weights = reader->left;
    reader->out->weights_line = reader->line;
    reader->left.len = 0;
    return TACIT_OK;
}

tacit_status tacit__learned_read(tacit__learned *out, tacit_strview source, tacit_error *err)
{
    learned_reader reader = {.out = out, .left = source};
    tacit_status status = TACIT_OK;
    *out = (tacit__learned){.threshold = TACIT_SCRUB_LEARNED};
    if (source.len == 0)
        return TACIT_OK;
    tacit_strview first = next_line(&reader);
    if (!is_word(first, VERSION))
        return tacit__error_at(
            err, TACIT_PARSE, FILE_NAME, reader.line, 0,
            "this is not \"tacit-learned 1\", the first line of what tacit scrub "
            "--learn writes; learn again with this version");
    while (reader.left.len > 0 && status == TACIT_OK)
        status = read_line(&reader, next_line(&reader), err);
    return status;
}

void tacit__learned_clear(tacit__learned *learned)
{
    tacit__free(learned->templates);
    *learned = (tacit__learned){.threshold = TACIT_SCRUB_LEARNED};
}

void tacit__learned_write(tacit__strbuf *out, const tacit__learned *learned)
{
    tacit__strbuf_format(out, "%s\n", VERSION);
    if (learned->threshold != TACIT_SCRUB_LEARNED)
        tacit__strbuf_format(out, "threshold %d\n", learned->threshold);
    if (learned->count > 0)
        tacit__strbuf_text(out, "# kind, likelihood and template, of those whose likelihood is "
                                "not the shipped one\n");
    for (size_t i = 0; i < learned->count; i++) {
        const tacit__learned_template *template = &learned->templates[i];
        tacit__strbuf_format(out, "template %s %d ", tacit_text_kind_name(template->kind),
                             template->likelihood);
        tacit__strbuf_add(out, template->text.bytes, template->text.len);
        tacit__strbuf_text(out, "\n");
    }
    if (learned->weights.len == 0)
        return;
    tacit__strbuf_text(out, "weights\n");
    tacit__strbuf_add(out, learned->weights.bytes, learned->weights.len);
}

tacit_status tacit__learned_apply(tacit__templates *templates, const tacit__learned *learned,
                                  tacit_error *err)
{
    for (size_t i = 0; i < learned->count; i++) {
        const tacit__learned_template *template = &learned->templates[i];
        bool found = false;
        for (size_t number = 0; number < tacit__templates_count(templates); number++) {
            if (tacit__templates_kind(templates, number) != template->kind ||
                !is_word(template->text, tacit__templates_text(templates, number)))
                continue;
            tacit__templates_adjust(templates, number, template->likelihood);
            found = true;
        }
        if (!found)
            return tacit__error_at(err, TACIT_PARSE, FILE_NAME, template->line, 0,
                                   "no %s has the template \"%s\"; give the --templates that were "
                                   "there when it was learned, or learn again",
                                   tacit_text_kind_name(template->kind),
                                   tacit__show(template->text).text);
    }
    return TACIT_OK;
}

tacit_status tacit__learned_chain(tacit__chain **out, const tacit__learned *learned,
                                  tacit_error *err)
{
    tacit_status status = tacit__chain_new(out, learned->weights, err);
    if (status == TACIT_PARSE && err)
        err->line += learned->weights_line;
    return status;
}
