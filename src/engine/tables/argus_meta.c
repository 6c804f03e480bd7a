/*
 * argus_meta.c - what an .rda says of the columns of a data file, and the words of its lines.
 *
 * A variable is a line with its name, its place in a line of fixed width (or its width, where the
 * file has a separator; nothing, where rows are cells) and up to two codes for missing. Lines that
 * follow are words in < and > about it. Linear; views are into the bytes.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/tables/argus.h"

/* ---- words ---- */

bool engine_argus_line(engine_argus_words *line, engine_argus_words *text)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *line = (engine_argus_words){text->at, end ? end : text->end};
    text->at = end ? end + 1 : text->end;
    while (line->end > line->at && (line->end[-1] == '\r' || line->end[-1] == ' '))
        line->end--;
    return true;
}

static void skip_blanks(engine_argus_words *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
}

bool engine_argus_take(engine_argus_words *line, char wanted)
{
    skip_blanks(line);
    bool there = line->at < line->end && *line->at == wanted;
    line->at += there;
    return there;
}

tacit_strview engine_argus_word(engine_argus_words *line, const char *stops, bool *quoted)
{
    skip_blanks(line);
    const char *from = line->at;
    char close = from == line->end ? '\0' : *from == '"' ? '"' : *from == '<' ? '>' : '\0';
    if (quoted)
        *quoted = close == '"';
    if (close) {
        const char *end = memchr(from + 1, close, (size_t)(line->end - from - 1));
        line->at = end ? end + 1 : line->end;
        if (close == '"')
            return (tacit_strview){from + 1, (size_t)((end ? end : line->end) - from - 1)};
        return (tacit_strview){from, (size_t)(line->at - from)};
    }
    while (line->at < line->end && *line->at != ' ' && *line->at != '\t' &&
           !strchr(stops, *line->at))
        line->at++;
    return (tacit_strview){from, (size_t)(line->at - from)};
}

bool engine_argus_is(tacit_strview word, const char *name)
{
    return word.len == strlen(name) &&
           (word.len == 0 || strncasecmp(word.bytes, name, word.len) == 0);
}

/* ---- .rda ---- */

typedef struct meta_reading {
    engine_argus_meta *meta;
    const char *name;
    bool cells;
    int64_t line;
    engine_argus_words words;
} meta_reading;

static tacit_status meta_wrong(const meta_reading *r, const char *what, tacit_error *err)
{
    return tacit__error_at(err, TACIT_PARSE, r->name, r->line, 0, "%s", what);
}

/* A whole number from least on. */
static bool next_number(int64_t *out, meta_reading *r, int64_t least)
{
    double number = tacit__decimal_read(engine_argus_word(&r->words, "", NULL));
    if (!(number >= (double)least && number <= 1e6 && number == floor(number)))
        return false;
    *out = (int64_t)number;
    return true;
}

static tacit_status read_variable(meta_reading *r, tacit_strview name, tacit_error *err)
{
    engine_argus_meta *meta = r->meta;
    engine_argus_variable v = {.name = name, .lead = tacit_strview_of("@")};
    if (meta->count == ENGINE_ARGUS_MAX_VARIABLES)
        return meta_wrong(r, "more than 1024 variables", err);
    if (engine_argus_meta_find(meta, name))
        return meta_wrong(r, "a variable of that name was declared before", err);
    if (!r->cells && !meta->separator) {
        if (!next_number(&v.from, r, 1) || !next_number(&v.width, r, 1))
            return meta_wrong(r,
                              "a variable is its name, where it starts in a line, counted from 1, "
                              "how many characters it has, and its codes for missing",
                              err);
        v.from--;
    } else if (!r->cells) {
        next_number(&v.width, r, 1);
    }
    for (int i = 0; i < 2; i++)
        v.missing[i] = engine_argus_word(&r->words, "", NULL);
    return TACIT__PUSH(meta->variables, meta->capacity, meta->count, v) ? TACIT_OK
                                                                        : tacit__nomem(err);
}

static tacit_status read_levels(meta_reading *r, engine_argus_variable *v, tacit_error *err)
{
    int64_t digits = 0;
    v->level_count = 0;
    while (r->words.at < r->words.end) {
        if (v->level_count == ENGINE_ARGUS_MAX_LEVELS || !next_number(&digits, r, 0))
            return meta_wrong(r, "<HIERLEVELS> are up to 32 numbers of digits", err);
        if (digits > 0)
            v->levels[v->level_count++] = digits;
    }
    return TACIT_OK;
}

/* <NUMERIC>, and of cells what more it may be. */
static tacit_status read_numeric(meta_reading *r, engine_argus_variable *v, tacit_error *err)
{
    tacit_strview word = engine_argus_word(&r->words, "", NULL);
    if (engine_argus_is(word, "<LOWERPL>"))
        v->role = ENGINE_ARGUS_LOWER;
    else if (engine_argus_is(word, "<UPPERPL>"))
        v->role = ENGINE_ARGUS_UPPER;
    else if (word.len && !engine_argus_is(word, "<SHADOW>") && !engine_argus_is(word, "<COST>") &&
             !engine_argus_is(word, "<COSTVAR>"))
        return meta_wrong(r, "what follows <NUMERIC> is not known", err);
    return TACIT_OK;
}

/* What says a role, or nothing that matters here. */
static bool read_mark(engine_argus_variable *v, tacit_strview word)
{
    static const struct {
        const char *word;
        engine_argus_role role;
    } MARKS[] = {{"<WEIGHT>", ENGINE_ARGUS_WEIGHT},       {"<HOLDING>", ENGINE_ARGUS_HOLDING},
                 {"<FREQUENCY>", ENGINE_ARGUS_FREQUENCY}, {"<MAXSCORE>", ENGINE_ARGUS_LARGEST},
                 {"<STATUS>", ENGINE_ARGUS_STATUS},       {"<RECODEABLE>", ENGINE_ARGUS_PLAIN},
                 {"<RECODABLE>", ENGINE_ARGUS_PLAIN},     {"<HIERARCHICAL>", ENGINE_ARGUS_PLAIN},
                 {"<DISTANCE>", ENGINE_ARGUS_PLAIN},      {"<DECIMALS>", ENGINE_ARGUS_PLAIN},
                 {"<TRUNCABLE>", ENGINE_ARGUS_PLAIN},     {"<TRUNCATABLE>", ENGINE_ARGUS_PLAIN},
                 {"<RECORDKEY>", ENGINE_ARGUS_PLAIN},     {"<CKM>", ENGINE_ARGUS_PLAIN},
                 {"<PFILE>", ENGINE_ARGUS_PLAIN},         {"<PFILE_FREQ>", ENGINE_ARGUS_PLAIN},
                 {"<PFILE_CONT>", ENGINE_ARGUS_PLAIN},    {"<PFILE_SEP>", ENGINE_ARGUS_PLAIN},
                 {"<INCLUDEZEROS>", ENGINE_ARGUS_PLAIN},  {"<PARITY>", ENGINE_ARGUS_PLAIN},
                 {"<SEPARATION>", ENGINE_ARGUS_PLAIN},    {"<SCALING>", ENGINE_ARGUS_PLAIN}};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (engine_argus_is(word, MARKS[i].word)) {
            if (MARKS[i].role)
                v->role = MARKS[i].role;
            return true;
        }
    return false;
}

static tacit_status read_property(meta_reading *r, tacit_strview word, tacit_error *err)
{
    if (r->meta->count == 0)
        return meta_wrong(r, "a variable comes first, then what is said of it", err);
    engine_argus_variable *v = &r->meta->variables[r->meta->count - 1];
    if (engine_argus_is(word, "<TOTCODE>"))
        v->total = engine_argus_word(&r->words, "", NULL);
    else if (engine_argus_is(word, "<CODELIST>"))
        engine_argus_word(&r->words, "", NULL); /* what codes are called on a screen */
    else if (engine_argus_is(word, "<HIERCODELIST>"))
        v->tree = engine_argus_word(&r->words, "", NULL);
    else if (engine_argus_is(word, "<HIERLEADSTRING>"))
        v->lead = engine_argus_word(&r->words, "", NULL);
    else if (engine_argus_is(word, "<HIERLEVELS>"))
        return read_levels(r, v, err);
    else if (engine_argus_is(word, "<NUMERIC>"))
        return read_numeric(r, v, err);
    else if (engine_argus_is(word, "<REQUEST>")) {
        v->role = ENGINE_ARGUS_REQUEST;
        for (int i = 0; i < 2; i++)
            v->asks[i] = engine_argus_word(&r->words, "", NULL);
    } else if (!read_mark(v, word)) {
        return tacit__error_at(err, TACIT_PARSE, r->name, r->line, 0, "%s is not known",
                               tacit__show(word).text);
    }
    return v->lead.len ? TACIT_OK : meta_wrong(r, "<HIERLEADSTRING> is empty", err);
}

/* What is about the file; false: it is not. */
static bool read_of_file(meta_reading *r, tacit_strview word)
{
    static const char *const LETTERS[] = {"<SAFE>", "<UNSAFE>", "<PROTECT>"};
    for (int i = 0; i < 3; i++)
        if (engine_argus_is(word, LETTERS[i])) {
            r->meta->letters[i] = engine_argus_word(&r->words, "", NULL);
            return true;
        }
    if (!engine_argus_is(word, "<SEPARATOR>"))
        return false;
    tacit_strview text = engine_argus_word(&r->words, "", NULL);
    r->meta->separator = text.len ? text.bytes[0] : ' ';
    return true;
}

static tacit_status read_meta_line(meta_reading *r, tacit_error *err)
{
    tacit_strview word = engine_argus_word(&r->words, "", NULL);
    if (!word.len)
        return TACIT_OK;
    if (engine_argus_is(word, "<SPSS>"))
        return meta_wrong(r, "the data is an SPSS file: give tacit the .sav itself", err);
    if (word.bytes[0] != '<')
        return read_variable(r, word, err);
    return read_of_file(r, word) ? TACIT_OK : read_property(r, word, err);
}

tacit_status engine_argus_meta_parse(engine_argus_meta *meta, tacit_strview bytes, const char *name,
                                     bool cells, tacit_error *err)
{
    engine_argus_words text = {bytes.bytes, bytes.bytes + bytes.len};
    *meta = (engine_argus_meta){
        .separator = cells ? ';' : '\0',
        .letters = {tacit_strview_of("S"), tacit_strview_of("U"), tacit_strview_of("P")}};
    meta_reading r = {.meta = meta, .name = name, .cells = cells};
    tacit_status status = TACIT_OK;
    if (bytes.len && memchr(bytes.bytes, '\0', bytes.len))
        status = meta_wrong(&r, "the file is no text", err);
    while (status == TACIT_OK && engine_argus_line(&r.words, &text)) {
        r.line++;
        status = read_meta_line(&r, err);
    }
    if (status == TACIT_OK && meta->count == 0)
        status = meta_wrong(&r, "the file declares no variable", err);
    if (status != TACIT_OK)
        engine_argus_meta_clear(meta);
    return status;
}

void engine_argus_meta_clear(engine_argus_meta *meta)
{
    tacit__free(meta->variables);
    *meta = (engine_argus_meta){0};
}

const engine_argus_variable *engine_argus_meta_find(const engine_argus_meta *meta,
                                                    tacit_strview name)
{
    for (size_t i = 0; i < meta->count; i++)
        if (meta->variables[i].name.len == name.len &&
            strncasecmp(meta->variables[i].name.bytes, name.bytes, name.len) == 0)
            return &meta->variables[i];
    return NULL;
}

const engine_argus_variable *engine_argus_meta_role(const engine_argus_meta *meta,
                                                    engine_argus_role role)
{
    for (size_t i = 0; i < meta->count; i++)
        if (meta->variables[i].role == role)
            return &meta->variables[i];
    return NULL;
}
