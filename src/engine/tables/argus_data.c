/*
 * argus_data.c - the files that a batch of tau-Argus names, as what jobs of ours read: records and
 * cells as a CSV with a header, hierarchies as a list of codes and parents.
 *
 * Only the columns that a table needs are taken. Blanks around values are dropped, as they are no
 * part of a code. What is wrong in a file is said with its line. Linear; the CSV is in memory.
 */
#include <string.h>

#include "base/error.h"
#include "base/vector.h"
#include "engine/tables/argus.h"

void engine_argus_columns_clear(engine_argus_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        tacit__map_clear(&columns->list[i].codes.map);
        tacit__free(columns->list[i].codes.list);
    }
    columns->count = 0;
}

/* ---- codes ---- */

/* *added: it is new. False: memory ran out. */
static bool add_code(engine_argus_codes *codes, tacit_strview code, bool *added)
{
    uint64_t hash = tacit__hash_bytes(code.bytes, code.len);
    size_t probe = 0;
    uint32_t at;
    *added = false;
    while ((at = tacit__map_next(&codes->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(codes->list[at], code))
            return true;
    *added = true;
    return tacit__map_add(&codes->map, hash) &&
           TACIT__PUSH(codes->list, codes->capacity, codes->count, code);
}

static bool has_code(const engine_argus_codes *codes, tacit_strview code)
{
    uint64_t hash = tacit__hash_bytes(code.bytes, code.len);
    size_t probe = 0;
    uint32_t at;
    while ((at = tacit__map_next(&codes->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(codes->list[at], code))
            return true;
    return false;
}

/* ---- cells of a CSV ---- */

static void add_quoted(tacit__strbuf *out, tacit_strview text)
{
    bool plain = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        plain &= !strchr("\",;\t|\r\n", text.bytes[i]);
    if (plain) {
        tacit__strbuf_add(out, text.bytes, text.len);
        return;
    }
    tacit__strbuf_add(out, "\"", text.len > 0);
    for (size_t i = 0; i < text.len; i++)
        tacit__strbuf_add(out, text.bytes[i] == '"' ? "\"\"" : text.bytes + i,
                          text.bytes[i] == '"' ? 2 : 1);
    tacit__strbuf_add(out, "\"", text.len > 0);
}

static tacit_strview trim_blanks(tacit_strview text)
{
    while (text.len && (text.bytes[0] == ' ' || text.bytes[0] == '\t'))
        text = (tacit_strview){text.bytes + 1, text.len - 1};
    while (text.len && (text.bytes[text.len - 1] == ' ' || text.bytes[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* ---- rows ---- */

typedef struct data_reading {
    const engine_argus_meta *meta;
    engine_argus_columns *columns;
    tacit__strbuf *csv;
    const char *name;
    int64_t line;
    tacit_strview fields[ENGINE_ARGUS_MAX_VARIABLES];
    tacit_error *err;
} data_reading;

static void cut_fixed(data_reading *r, tacit_strview line)
{
    for (size_t i = 0; i < r->meta->count; i++) {
        const engine_argus_variable *v = &r->meta->variables[i];
        size_t from = (size_t)v->from < line.len ? (size_t)v->from : line.len;
        size_t left = line.len - from;
        r->fields[i] = trim_blanks(
            (tacit_strview){line.bytes + from, (size_t)v->width < left ? (size_t)v->width : left});
    }
}

/* Fields between separators, which may be in quotes. False: there are too few. */
static bool cut_separated(data_reading *r, tacit_strview line)
{
    const char *at = line.bytes, *end = line.bytes + line.len;
    size_t count = 0;
    while (count < r->meta->count) {
        const char *from = at;
        bool quoted = false;
        while (at < end && (quoted || *at != r->meta->separator))
            quoted ^= *at++ == '"';
        tacit_strview field = trim_blanks((tacit_strview){from, (size_t)(at - from)});
        if (field.len >= 2 && field.bytes[0] == '"' && field.bytes[field.len - 1] == '"')
            field = trim_blanks((tacit_strview){field.bytes + 1, field.len - 2});
        r->fields[count++] = field;
        if (at == end)
            break;
        at++;
    }
    return count == r->meta->count;
}

static tacit_status data_wrong(const data_reading *r, const engine_argus_column *column,
                               const char *what)
{
    return tacit__error_at(r->err, TACIT_PARSE, r->name, r->line, 0, "variable %s: %s",
                           tacit__show(column->variable->name).text, what);
}

/* A status letter of ours, or whether a contributor asked for protection. */
static tacit_status translate(tacit_strview *value, const data_reading *r,
                              const engine_argus_column *column)
{
    static const char *const OURS[] = {"s", "u", "z"};
    const engine_argus_variable *v = column->variable;
    if (v->role == ENGINE_ARGUS_REQUEST) {
        bool asks = value->len && (tacit_strview_equal(*value, v->asks[0]) ||
                                   tacit_strview_equal(*value, v->asks[1]));
        *value = tacit_strview_of(asks ? "1" : "0");
        return TACIT_OK;
    }
    for (int i = 0; i < 3; i++)
        if (tacit_strview_equal(*value, r->meta->letters[i])) {
            *value = tacit_strview_of(OURS[i]);
            return TACIT_OK;
        }
    if (!value->len)
        return TACIT_OK;
    return data_wrong(r, column, "the status is none of those of <SAFE>, <UNSAFE> and <PROTECT>");
}

static tacit_status add_row(data_reading *r)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < r->columns->count && status == TACIT_OK; i++) {
        engine_argus_column *column = &r->columns->list[i];
        tacit_strview value = r->fields[column->at];
        engine_argus_role role = column->variable->role;
        bool added;
        if (column->coded && !value.len)
            return data_wrong(r, column, "the code is empty");
        if (column->coded && !add_code(&column->codes, value, &added))
            return tacit__nomem(r->err);
        if (role == ENGINE_ARGUS_REQUEST || role == ENGINE_ARGUS_STATUS)
            status = translate(&value, r, column);
        if (i > 0)
            tacit__strbuf_text(r->csv, ",");
        add_quoted(r->csv, value);
    }
    tacit__strbuf_text(r->csv, "\n");
    return status;
}

static tacit_status read_row(data_reading *r, tacit_strview line)
{
    if (memchr(line.bytes, '\0', line.len))
        return tacit__error_at(r->err, TACIT_PARSE, r->name, r->line, 0, "the file is no text");
    if (!r->meta->separator)
        cut_fixed(r, line);
    else if (!cut_separated(r, line))
        return tacit__error_at(r->err, TACIT_PARSE, r->name, r->line, 0,
                               "the line has fewer values than the metadata has variables");
    return add_row(r);
}

tacit_status engine_argus_data_csv(tacit__strbuf *csv, engine_argus_columns *columns,
                                   const engine_argus_meta *meta, tacit_strview bytes,
                                   const char *name, tacit_error *err)
{
    data_reading *r = tacit__alloc_zeroed(1, sizeof *r);
    const char *at = bytes.bytes, *end = bytes.bytes + bytes.len;
    tacit_status status = TACIT_OK;
    if (!r)
        return tacit__nomem(err);
    *r = (data_reading){.meta = meta, .columns = columns, .csv = csv, .name = name, .err = err};
    while (end > at && strchr(" \t\r\n\x1a", end[-1]))
        end--; /* blank lines at the end */
    for (size_t i = 0; i < columns->count; i++) {
        tacit__strbuf_text(csv, i ? "," : "");
        add_quoted(csv, tacit_strview_of(columns->list[i].name));
    }
    tacit__strbuf_text(csv, "\n");
    while (at < end && status == TACIT_OK) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        while (len && at[len - 1] == '\r')
            len--;
        r->line++;
        status = read_row(r, (tacit_strview){at, len});
        at = stop ? stop + 1 : end;
    }
    if (status == TACIT_OK && r->line == 0)
        status = tacit__error_at(err, TACIT_PARSE, name, 0, 0, "the file has no rows");
    if (status == TACIT_OK && csv->failed)
        status = tacit__nomem(err);
    tacit__free(r);
    return status;
}

/* ---- hierarchies ---- */

static void add_pair(tacit__strbuf *list, tacit_strview code, tacit_strview parent)
{
    add_quoted(list, code);
    tacit__strbuf_text(list, ";");
    add_quoted(list, parent);
    tacit__strbuf_text(list, "\n");
}

static tacit_strview total_of(const engine_argus_column *column)
{
    return column->variable->total.len ? column->variable->total : tacit_strview_of("Total");
}

static size_t lead_depth(tacit_strview *line, tacit_strview lead)
{
    size_t depth = 0;
    while (line->len > lead.len && memcmp(line->bytes, lead.bytes, lead.len) == 0) {
        *line = (tacit_strview){line->bytes + lead.len, line->len - lead.len};
        depth++;
    }
    return depth;
}

/* Codes for missing are categories below the total. */
static void add_missing(tacit__strbuf *list, const engine_argus_column *column,
                        const engine_argus_codes *known)
{
    for (int i = 0; i < 2; i++) {
        tacit_strview code = trim_blanks(column->variable->missing[i]);
        if (code.len && has_code(&column->codes, code) && !has_code(known, code))
            add_pair(list, code, total_of(column));
    }
}

tacit_status engine_argus_tree_list(tacit__strbuf *list, const engine_argus_column *column,
                                    tacit_strview hrc, const char *name, tacit_error *err)
{
    engine_argus_words text = {hrc.bytes, hrc.bytes + hrc.len}, words;
    engine_argus_codes known = {.count = 0};
    tacit_strview open[ENGINE_ARGUS_MAX_LEVELS];
    size_t deepest = 0;
    tacit_status status = TACIT_OK;
    tacit__strbuf_text(list, "code;parent\n");
    for (int64_t line = 1; status == TACIT_OK && engine_argus_line(&words, &text); line++) {
        tacit_strview code = {words.at, (size_t)(words.end - words.at)};
        bool added;
        size_t depth = lead_depth(&code, column->variable->lead);
        code = trim_blanks(code);
        if (!code.len)
            continue;
        if (depth > deepest || depth == ENGINE_ARGUS_MAX_LEVELS)
            status = tacit__error_at(err, TACIT_PARSE, name, line, 0,
                                     "the code is more than one level below that of the line "
                                     "before, or below 32 levels");
        else if (!add_code(&known, code, &added))
            status = tacit__nomem(err);
        else
            add_pair(list, code, depth ? open[depth - 1] : total_of(column));
        if (status == TACIT_OK)
            open[depth] = code;
        deepest = depth + 1;
    }
    if (status == TACIT_OK)
        add_missing(list, column, &known);
    if (status == TACIT_OK && known.count == 0)
        status = tacit__error_at(err, TACIT_PARSE, name, 0, 0, "the file has no codes");
    if (status == TACIT_OK && list->failed)
        status = tacit__nomem(err);
    tacit__map_clear(&known.map);
    tacit__free(known.list);
    return status;
}

/* The code and its beginnings, each below the one that is a level shorter. */
static bool add_beginnings(tacit__strbuf *list, const engine_argus_column *column,
                           engine_argus_codes *known, tacit_strview code)
{
    const engine_argus_variable *v = column->variable;
    tacit_strview parent = total_of(column);
    bool added = false;
    size_t len = 0;
    for (int i = 0; i < v->level_count && len < code.len; i++) {
        len += (size_t)v->levels[i];
        tacit_strview part = {code.bytes, len < code.len ? len : code.len};
        if (!add_code(known, part, &added))
            return false;
        if (added)
            add_pair(list, part, parent);
        parent = part;
    }
    if (len < code.len && !add_code(known, code, &added))
        return false;
    if (len < code.len && added)
        add_pair(list, code, parent);
    return true;
}

tacit_status engine_argus_levels_list(tacit__strbuf *list, const engine_argus_column *column,
                                      tacit_error *err)
{
    engine_argus_codes known = {.count = 0};
    const engine_argus_codes *codes = &column->codes;
    const engine_argus_variable *v = column->variable;
    bool fits = true, added;
    tacit__strbuf_text(list, "code;parent\n");
    for (size_t i = 0; i < codes->count && fits; i++) {
        tacit_strview code = codes->list[i];
        if (tacit_strview_equal(code, total_of(column)))
            continue;
        if (!tacit_strview_equal(code, trim_blanks(v->missing[0])) &&
            !tacit_strview_equal(code, trim_blanks(v->missing[1])))
            fits = add_beginnings(list, column, &known, code);
        else if ((fits = add_code(&known, code, &added)) && added)
            add_pair(list, code, total_of(column));
    }
    tacit__map_clear(&known.map);
    tacit__free(known.list);
    return fits && !list->failed ? TACIT_OK : tacit__nomem(err);
}
