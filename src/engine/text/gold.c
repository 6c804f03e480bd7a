/*
 * gold.c - reads documents that people have marked. The file is read as a whole, texts
 * stay where they are in it unless they are written with escapes, and labels are taken as they
 * are written. A mark that is not within its text is an error: whoever counts in other units would
 * learn nonsense.
 */
#include "engine/text/gold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/job/files.h"
#include "engine/text/json_line.h"
#include "engine/text/wrapping.h"

enum { MAX_DIGITS = 15 };

/* The line at hand, and where the characters of its text start. */
typedef struct gold_reader {
    engine_gold *gold;
    const char *field;
    bool bytes;
    uint64_t *starts;
    size_t start_capacity;
    uint64_t length; /* of the text, in the units of the marks */
} gold_reader;

/* Where each character starts, and the end. Bytes that are no UTF-8 count for one each. */
static tacit_status count_characters(gold_reader *reader, tacit_strview text, tacit_error *err)
{
    if (!TACIT__RESERVE(reader->starts, reader->start_capacity, text.len + 1))
        return tacit__nomem(err);
    size_t count = 0;
    for (size_t at = 0; at < text.len;) {
        size_t step = engine_utf8_step(text.bytes + at, text.len - at);
        reader->starts[count++] = at;
        at += step > 0 ? step : 1;
    }
    reader->starts[count] = text.len;
    reader->length = count;
    return TACIT_OK;
}

static tacit_status read_offset(uint64_t *out, const gold_reader *reader,
                                const engine_json_field *field, tacit_error *err)
{
    uint64_t value = 0;
    tacit_strview text = field->value;
    bool good = text.bytes && text.len > 0 && text.len <= MAX_DIGITS;
    for (size_t i = 0; good && i < text.len; i++) {
        good = tacit__is_digit(text.bytes[i]);
        value = value * 10 + (uint64_t)(text.bytes[i] - '0');
    }
    if (!good)
        return tacit__error(err, TACIT_PARSE, "a span's \"%s\" is missing or not a natural number",
                            field->name);
    if (value > reader->length)
        return tacit__error(
            err, TACIT_PARSE,
            "a span's \"%s\" is %llu, but the text ends at %llu; --offsets says whether "
            "spans count characters or bytes",
            field->name, (unsigned long long)value, (unsigned long long)reader->length);
    *out = reader->bytes ? value : reader->starts[value];
    return TACIT_OK;
}

static tacit_status read_mark(tacit_text_mark *mark, const gold_reader *reader,
                              tacit_strview object, tacit_error *err)
{
    engine_json_field fields[] = {{"start", {0}}, {"end", {0}}, {"label", {0}}};
    tacit_status status = engine_json_line(fields, 3, object, err);
    if (status == TACIT_OK)
        status = read_offset(&mark->start, reader, &fields[0], err);
    if (status == TACIT_OK)
        status = read_offset(&mark->end, reader, &fields[1], err);
    if (status != TACIT_OK)
        return status;
    tacit_strview label = fields[2].value;
    if (!label.bytes || label.bytes[0] != '"')
        return tacit__error(err, TACIT_PARSE,
                            "a span's \"label\" is missing or not text in quotes");
    if (mark->start > mark->end)
        return tacit__error(err, TACIT_PARSE, "a span ends before it starts");
    mark->label = (tacit_strview){label.bytes + 1, label.len - 2};
    return TACIT_OK;
}

static const char *skip_between(const char *at, const char *end)
{
    while (at < end && memchr("[, \t\r\n", *at, 6))
        at++;
    return at;
}

/* The next object of a list that is known to be JSON; false at its end or at what is none. */
static bool next_object(tacit_strview *object, const char **at, const char *end)
{
    const char *start = skip_between(*at, end);
    if (start == end || *start != '{')
        return false;
    int depth = 0;
    bool quoted = false;
    for (*at = start; *at < end; ++*at) {
        char byte = **at;
        if (quoted && byte == '\\')
            ++*at;
        else if (byte == '"')
            quoted = !quoted;
        else if (!quoted && (byte == '{' || byte == '}') && (depth += byte == '{' ? 1 : -1) == 0)
            break;
    }
    ++*at;
    *object = (tacit_strview){start, (size_t)(*at - start)};
    return true;
}

static size_t count_objects(tacit_strview list)
{
    const char *at = list.bytes;
    tacit_strview object;
    size_t count = 0;
    while (next_object(&object, &at, list.bytes + list.len))
        count++;
    return count;
}

static tacit_status read_marks(tacit_text_marked *document, gold_reader *reader,
                               const engine_json_field *spans, tacit_error *err)
{
    tacit_strview list = spans->value, object;
    if (!list.bytes || list.bytes[0] != '[')
        return tacit__error(
            err, TACIT_PARSE,
            "the object has no list \"spans\" of {\"start\", \"end\", \"label\"}; it "
            "is [] where nothing is personal");
    size_t count = count_objects(list);
    tacit_text_mark *marks = tacit__alloc_zeroed(count + 1, sizeof *marks);
    if (!marks)
        return tacit__nomem(err);
    document->marks = marks;
    const char *at = list.bytes;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && next_object(&object, &at, list.bytes + list.len))
        status = read_mark(&marks[document->mark_count++], reader, object, err);
    if (status == TACIT_OK && *skip_between(at, list.bytes + list.len) != ']')
        return tacit__error(err, TACIT_PARSE, "\"spans\" holds something that is not an object");
    return status;
}

static tacit_status read_text(tacit_text_marked *document, gold_reader *reader,
                              const engine_json_field *field, tacit_error *err)
{
    tacit_strview value = field->value;
    engine_text *buffer = &reader->gold->texts[reader->gold->count];
    if (!value.bytes || value.bytes[0] != '"')
        return tacit__error(
            err, TACIT_PARSE,
            "the object has no text in quotes in its field \"%.80s\"; --jsonl names "
            "another one",
            field->name);
    document->text =
        engine_unwrap(buffer, &engine_json_string, (tacit_strview){value.bytes + 1, value.len - 2});
    tacit_status status = engine_text_check(buffer, err);
    reader->length = document->text.len;
    return status == TACIT_OK && !reader->bytes ? count_characters(reader, document->text, err)
                                                : status;
}

static tacit_status read_marked(gold_reader *reader, tacit_strview line, tacit_error *err)
{
    engine_gold *gold = reader->gold;
    engine_json_field fields[] = {{reader->field, {0}}, {"spans", {0}}};
    if (!TACIT__RESERVE_ONE(gold->documents, gold->capacity, gold->count) ||
        !TACIT__RESERVE_ONE(gold->texts, gold->text_capacity, gold->count))
        return tacit__nomem(err);
    gold->texts[gold->count] = (engine_text){0};
    tacit_text_marked *document = &gold->documents[gold->count];
    *document = (tacit_text_marked){0};
    tacit_status status = engine_json_line(fields, 2, line, err);
    if (status == TACIT_OK)
        status = read_text(document, reader, &fields[0], err);
    if (status == TACIT_OK)
        status = read_marks(document, reader, &fields[1], err);
    gold->count++;
    return status;
}

static tacit_status read_lines(gold_reader *reader, tacit_strview file, const char *path,
                               tacit_error *err)
{
    tacit_status status = TACIT_OK;
    const char *at = file.bytes, *end = file.bytes + file.len;
    for (int64_t number = 1; at < end && status == TACIT_OK; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        tacit_strview line = {at, (size_t)((stop ? stop : end) - at)};
        if (!engine_is_blank(line))
            status = read_marked(reader, line, err);
        if (status == TACIT_PARSE) {
            snprintf(err->file, sizeof err->file, "%s", path);
            err->line = number;
        }
        at += line.len + 1;
    }
    return status;
}

tacit_status engine_gold_read(engine_gold *gold, const char *path, const char *field, bool bytes,
                              tacit_error *err)
{
    gold_reader reader = {.gold = gold, .field = field, .bytes = bytes};
    size_t len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot open: %s", path, strerror(errno));
    tacit_status status = engine_is_file(path)
                              ? engine_read_all(&gold->file, &len, fd, path, err)
                              : tacit__error(err, TACIT_INVALID, "%s: --learn takes a file", path);
    close(fd);
    if (status == TACIT_OK)
        status = read_lines(&reader, (tacit_strview){gold->file, len}, path, err);
    tacit__free(reader.starts);
    return status;
}

void engine_gold_clear(engine_gold *gold)
{
    for (size_t i = 0; i < gold->count; i++) {
        engine_text_clear(&gold->texts[i]);
        tacit__free((void *)gold->documents[i].marks);
    }
    tacit__free(gold->documents);
    tacit__free(gold->texts);
    tacit__free(gold->file);
    *gold = (engine_gold){0};
}
