/*
 * json.c - JSON lines: an object a line is a document, with its text in a field.
 *
 * A line is gone through without building anything, so that all of it but the text that is scrubbed
 * can be copied byte for byte: other fields, their order, numbers of any length, blanks, line ends
 * and escapes. Linear; nesting is bounded, and kept as a bit a level. A field that is there twice
 * is refused: readers differ in which of the two counts, and the one that was not scrubbed would be
 * released.
 *
 * An object's id is its spans' id; where it has none, the line's number from 1 is. Empty lines and
 * a text that is null are passed on. Lines are read some at a time and scrubbed then, since the
 * library is sooner done with several short documents than with each by itself (tacit_scrub_ahead).
 */
#include "engine/text/json_line.h"

#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "engine/text/work.h"

/* ---- one line ---- */

enum { MAX_DEPTH = 512 };

typedef struct scanner {
    const char *start, *at, *end;
    tacit_error *err;
} scanner;

static tacit_status complain(const scanner *s, const char *at, const char *message)
{
    return tacit__error_at(s->err, TACIT_PARSE, NULL, 0, at - s->start + 1, "%s", message);
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
        s->at++;
}

static bool at_byte(scanner *s, char wanted)
{
    skip_blanks(s);
    return s->at < s->end && *s->at == wanted;
}

static bool is_hex(char c)
{
    return tacit__is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static tacit_status skip_escape(scanner *s)
{
    const char *start = s->at++;
    if (s->at == s->end || !memchr("\"\\/bfnrtu", *s->at, 9))
        return complain(s, start, "an escape that JSON does not have");
    if (*s->at++ != 'u')
        return TACIT_OK;
    for (int i = 0; i < 4; i++, s->at++)
        if (s->at == s->end || !is_hex(*s->at))
            return complain(s, start, "an escape that is not \\u and four hexadecimal digits");
    return TACIT_OK;
}

/* A string with its quotes. */
static tacit_status skip_string(scanner *s)
{
    const char *start = s->at++;
    while ((s->at += engine_json_plain(s->at, (size_t)(s->end - s->at))) < s->end &&
           *s->at != '"') {
        if ((unsigned char)*s->at < 0x20)
            return complain(s, s->at, "a control character within a string; JSON escapes them");
        if (*s->at != '\\') {
            s->at++;
            continue;
        }
        tacit_status status = skip_escape(s);
        if (status != TACIT_OK)
            return status;
    }
    if (s->at == s->end)
        return complain(s, start, "a string that is never closed");
    s->at++;
    return TACIT_OK;
}

static bool skip_digits(scanner *s)
{
    const char *start = s->at;
    while (s->at < s->end && tacit__is_digit(*s->at))
        s->at++;
    return s->at > start;
}

static bool skip_one_of(scanner *s, const char *bytes)
{
    bool there = s->at < s->end && *s->at && strchr(bytes, *s->at);
    s->at += there;
    return there;
}

static bool skip_number(scanner *s)
{
    skip_one_of(s, "-");
    bool zero = s->at < s->end && *s->at == '0';
    s->at += zero;
    if (!zero && !skip_digits(s))
        return false;
    if (skip_one_of(s, ".") && !skip_digits(s))
        return false;
    if (!skip_one_of(s, "eE"))
        return true;
    skip_one_of(s, "+-");
    return skip_digits(s);
}

/* A string, a number, true, false or null. */
static tacit_status skip_scalar(scanner *s)
{
    static const char *const WORDS[] = {"true", "false", "null"};
    const char *start = s->at;
    if (s->at < s->end && *s->at == '"')
        return skip_string(s);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t len = strlen(WORDS[i]);
        if ((size_t)(s->end - s->at) >= len && memcmp(s->at, WORDS[i], len) == 0) {
            s->at += len;
            return TACIT_OK;
        }
    }
    return skip_number(s) ? TACIT_OK : complain(s, start, "this is not JSON");
}

/* The name of a field and its colon; *name is what is between the quotes. */
static tacit_status skip_name(scanner *s, tacit_strview *name)
{
    if (!at_byte(s, '"'))
        return complain(s, s->at, "the name of a field, in quotes, is expected here");
    const char *start = s->at + 1;
    tacit_status status = skip_string(s);
    if (status != TACIT_OK)
        return status;
    *name = (tacit_strview){start, (size_t)(s->at - start) - 1};
    if (!at_byte(s, ':'))
        return complain(s, s->at, "a colon is expected here");
    s->at++;
    skip_blanks(s);
    return TACIT_OK;
}

/* What is open: a bit a level, set for objects. */
typedef struct nest {
    uint64_t objects[MAX_DEPTH / 64];
    int depth;
} nest;

static bool in_object(const nest *n)
{
    int level = n->depth - 1;
    return n->objects[level / 64] >> level % 64 & 1;
}

/* Goes into an object or a list, up to its first value; an empty one is over already. */
static tacit_status open_one(scanner *s, nest *n, bool *over)
{
    bool object = *s->at == '{';
    tacit_strview name;
    if (n->depth == MAX_DEPTH)
        return complain(s, s->at, "nested too deeply; at most 512 levels are read");
    uint64_t bit = UINT64_C(1) << n->depth % 64;
    uint64_t *word = &n->objects[n->depth++ / 64];
    *word = object ? *word | bit : *word & ~bit;
    s->at++;
    *over = at_byte(s, object ? '}' : ']');
    return object && !*over ? skip_name(s, &name) : TACIT_OK;
}

/* After a value: closes what ends here, up to the next value or the end of all. */
static tacit_status skip_rest(scanner *s, nest *n)
{
    tacit_strview name;
    while (n->depth > 0) {
        skip_blanks(s);
        if (at_byte(s, ',')) {
            s->at++;
            skip_blanks(s);
            return in_object(n) ? skip_name(s, &name) : TACIT_OK;
        }
        if (!at_byte(s, in_object(n) ? '}' : ']'))
            return complain(s, s->at, "a comma or a closing bracket is expected here");
        s->at++;
        n->depth--;
    }
    return TACIT_OK;
}

static tacit_status skip_value(scanner *s)
{
    nest n = {.depth = 0};
    tacit_status status = TACIT_OK;
    do {
        bool over = true;
        skip_blanks(s);
        if (s->at < s->end && (*s->at == '{' || *s->at == '['))
            status = open_one(s, &n, &over);
        else
            status = skip_scalar(s);
        if (status == TACIT_OK && over)
            status = skip_rest(s, &n);
    } while (status == TACIT_OK && n.depth > 0);
    return status;
}

/* Whether a name is the one that is written here, escapes and all. */
static tacit_status same_name(bool *same, const scanner *s, tacit_strview written, const char *name)
{
    engine_text buffer = {0};
    tacit_strview says = engine_unwrap(&buffer, &engine_json_string, written);
    tacit_status status = engine_text_check(&buffer, s->err);
    *same = status == TACIT_OK && tacit_strview_equal(says, tacit_strview_of(name));
    engine_text_clear(&buffer);
    return status;
}

/* Keeps the value if its field is asked for. */
static tacit_status note_field(const scanner *s, engine_json_field *fields, size_t count,
                               tacit_strview name, const char *value)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        bool same = false;
        status = same_name(&same, s, name, fields[i].name);
        if (same && fields[i].value.bytes)
            status = complain(s, value, "the object has this field twice; which one counts?");
        else if (same)
            fields[i].value = (tacit_strview){value, (size_t)(s->at - value)};
    }
    return status;
}

static tacit_status read_field(scanner *s, engine_json_field *fields, size_t count)
{
    tacit_strview name;
    tacit_status status = skip_name(s, &name);
    const char *value = s->at;
    if (status == TACIT_OK)
        status = skip_value(s);
    return status == TACIT_OK ? note_field(s, fields, count, name, value) : status;
}

tacit_status engine_json_line(engine_json_field *fields, size_t count, tacit_strview line,
                              tacit_error *err)
{
    scanner s = {line.bytes, line.bytes, line.bytes + line.len, err};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < count; i++)
        fields[i].value = (tacit_strview){NULL, 0};
    if (!at_byte(&s, '{'))
        return complain(&s, s.at, "this is not JSON lines: an object, {...}, is expected here");
    s.at++;
    if (!at_byte(&s, '}')) {
        status = read_field(&s, fields, count);
        while (status == TACIT_OK && at_byte(&s, ',')) {
            s.at++;
            status = read_field(&s, fields, count);
        }
    }
    if (status == TACIT_OK && !at_byte(&s, '}'))
        status = complain(&s, s.at, "a comma or a closing bracket is expected here");
    if (status != TACIT_OK)
        return status;
    s.at++;
    skip_blanks(&s);
    return s.at == s.end ? TACIT_OK
                         : complain(&s, s.at,
                                    "something follows the object; JSON lines have one "
                                    "object a line");
}

bool engine_is_blank(tacit_strview line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!memchr(" \t\r\n", line.bytes[i], 4))
            return false;
    return true;
}

/* ---- documents ---- */

/* The text of the field, between its quotes; bytes NULL where it is null. */
static tacit_status text_of(tacit_strview *raw, const engine_json_field *field, tacit_strview line,
                            tacit_error *err)
{
    tacit_strview value = field->value;
    if (!value.bytes)
        return tacit__error(
            err, TACIT_PARSE,
            "the object has no field \"%.80s\"; --jsonl names the one with the text", field->name);
    bool null = value.bytes[0] == 'n';
    if (value.bytes[0] != '"' && !null)
        return tacit__error_at(err, TACIT_PARSE, NULL, 0, value.bytes - line.bytes + 1,
                               "the field \"%.80s\" is not text in quotes", field->name);
    *raw = null ? (tacit_strview){NULL, 0} : (tacit_strview){value.bytes + 1, value.len - 2};
    return TACIT_OK;
}

/* A line; of one that is passed on as it is, raw is nothing. */
typedef struct json_document {
    tacit_strview line, raw, text;
    engine_json_field id, subject;
} json_document;

static tacit_strview id_of(engine_scrub_hand *hand, const engine_json_field *field, int64_t line)
{
    if (field->value.bytes)
        return field->value;
    hand->id.len = 0;
    engine_text_number(&hand->id, (uint64_t)line);
    return (tacit_strview){hand->id.bytes, hand->id.len};
}

/* A field for --shift-by must be there, so that nobody's dates move otherwise than is meant. */
static tacit_status check_subject(const engine_json_field *field, const engine_scrub *scrub,
                                  tacit_error *err)
{
    if (!scrub->shift_by || field->value.bytes)
        return TACIT_OK;
    return tacit__error(
        err, TACIT_PARSE,
        "the object has no field \"%.80s\"; --shift-by names the one that says whom "
        "it is about",
        field->name);
}

/* Whom the document is about: what a string says, or a number as it is written. */
static void note_subject(engine_scrub_hand *hand, const engine_json_field *field)
{
    tacit_strview value = field->value;
    hand->subject.len = 0;
    if (!value.bytes || value.bytes[0] == 'n')
        return;
    if (value.bytes[0] == '"')
        value = engine_unwrap(&hand->cell, &engine_json_string,
                              (tacit_strview){value.bytes + 1, value.len - 2});
    engine_text_view(&hand->subject, value);
}

/* The buffer is for a text that is not written as it is. */
static tacit_status read_json_document(json_document *document, tacit_strview line,
                                       engine_text *buffer, const engine_scrub *scrub,
                                       tacit_error *err)
{
    engine_json_field fields[] = {{scrub->field, {0}}, {"id", {0}}, {scrub->shift_by, {0}}};
    *document = (json_document){.line = line, .text = tacit_strview_of("")};
    if (engine_is_blank(line))
        return TACIT_OK;
    tacit_status status = engine_json_line(fields, scrub->shift_by ? 3 : 2, line, err);
    if (status == TACIT_OK)
        status = text_of(&document->raw, &fields[0], line, err);
    if (status == TACIT_OK && document->raw.bytes)
        status = check_subject(&fields[2], scrub, err);
    if (status != TACIT_OK || !document->raw.bytes)
        return status;
    document->id = fields[1];
    document->subject = fields[2];
    document->text = engine_unwrap(buffer, &engine_json_string, document->raw);
    return engine_text_check(buffer, err);
}

static tacit_status scrub_document(engine_scrub *scrub, engine_scrub_hand *hand,
                                   const json_document *document, int64_t index, tacit_error *err)
{
    tacit_strview line = document->line, raw = document->raw;
    if (!raw.bytes) {
        engine_text_view(&hand->out, line);
        return TACIT_OK;
    }
    engine_text_put(&hand->out, line.bytes, (size_t)(raw.bytes - line.bytes));
    engine_splice splice = engine_splice_of(&engine_json_string, &hand->out, raw);
    note_subject(hand, &document->subject);
    engine_scrub_document_begin(hand, scrub, hand->number + (uint64_t)index,
                                id_of(hand, &document->id, hand->line + index), (tacit_strview){0});
    tacit_status status = engine_text_check(&hand->subject, err);
    if (status == TACIT_OK)
        status = engine_text_check(&hand->cell, err);
    if (status == TACIT_OK)
        status = engine_scrub_text(&splice, scrub, hand, document->text, err);
    engine_scrub_document_end(hand, scrub);
    const char *after = raw.bytes + raw.len;
    engine_text_put(&hand->out, after, (size_t)(line.bytes + line.len - after));
    return status;
}

/* Documents of the job, from one line on. */
typedef struct json_stretch {
    json_document documents[ENGINE_SCRUB_AHEAD];
    size_t count;
    const char *end; /* of their lines */
} json_stretch;

/* Lines from start on, of a few pages in all but where the first one is longer. index is that of
 * the first line. */
static tacit_status read_stretch(json_stretch *stretch, const char *start, int64_t index,
                                 engine_scrub *scrub, engine_scrub_hand *hand, tacit_error *err)
{
    enum { PAGES = 1 << 17 };
    const char *end = hand->in.bytes + hand->in.len;
    tacit_status status = TACIT_OK;
    stretch->count = 0;
    stretch->end = start;
    while (stretch->end < end && stretch->count < ENGINE_SCRUB_AHEAD && status == TACIT_OK) {
        const char *line_end = memchr(stretch->end, '\n', (size_t)(end - stretch->end));
        line_end = line_end ? line_end + 1 : end;
        if (stretch->count > 0 && line_end - start > PAGES)
            break;
        tacit_strview line = {stretch->end, (size_t)(line_end - stretch->end)};
        status = read_json_document(&stretch->documents[stretch->count], line,
                                    &hand->texts[stretch->count], scrub, err);
        engine_scrub_place(err, hand, hand->line + index + (int64_t)stretch->count);
        stretch->count++;
        stretch->end = line_end;
    }
    return status;
}

static tacit_status scrub_stretch(const json_stretch *stretch, int64_t index, engine_scrub *scrub,
                                  engine_scrub_hand *hand, tacit_error *err)
{
    tacit_strview texts[ENGINE_SCRUB_AHEAD];
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < stretch->count; i++)
        texts[i] = stretch->documents[i].text;
    for (size_t i = 0, ahead = 0; i < stretch->count && status == TACIT_OK; i++) {
        if (i >= ahead) {
            status = tacit_scrub_ahead(&ahead, hand->reader, texts + i, stretch->count - i, err);
            ahead += i;
        }
        if (status == TACIT_OK)
            status = scrub_document(scrub, hand, &stretch->documents[i], index + (int64_t)i, err);
        engine_scrub_place(err, hand, hand->line + index + (int64_t)i);
    }
    return status;
}

tacit_status engine_scrub_rows_json(engine_scrub *scrub, engine_worker *worker, tacit_error *err)
{
    engine_scrub_hand *hand = &scrub->hands[worker->index];
    const char *at = hand->in.bytes + hand->head, *end = hand->in.bytes + hand->in.len;
    json_stretch stretch;
    tacit_status status = TACIT_OK;
    size_t told = 0;
    for (int64_t index = 0; at < end && status == TACIT_OK; index += (int64_t)stretch.count) {
        status = read_stretch(&stretch, at, index, scrub, hand, err);
        if (status == TACIT_OK)
            status = scrub_stretch(&stretch, index, scrub, hand, err);
        at = stretch.end;
        if (status == TACIT_OK)
            status = engine_scrub_go_on(worker, (size_t)(at - hand->in.bytes), &told, err);
    }
    return status;
}
