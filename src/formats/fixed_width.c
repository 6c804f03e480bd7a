/*
 * fixed_width.c - data whose variables stand at the same places of each line, or between
 * separators, as a description in a file beside it says (rda.h): people.asc by people.rda, or by
 * the file that is named behind #, from the folder of the data.
 *
 * Places count characters; a file that is not UTF-8 is Windows-1252. A cell is what stands there
 * without the blanks around it. A column has the type that all of its cells look like.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/formats.h"
#include "formats/rda.h"
#include "formats/values.h"
#include "table/encoding.h"

enum { MAX_PATH_BYTES = 4096, MAX_DESCRIPTION = 16 << 20, END_OF_FILE = 0x1A };

typedef struct described_data {
    tacit__format_text *text;
    tacit_schema *schema;
    const tacit__format_input *input;
    tacit__rda rda;
    bool *integers, *numbers; /* whether all cells of a column are such */
    tacit_error *err;
} described_data;

/* ---- the description ---- */

static bool has_ending(const char *path, const char *ending)
{
    size_t len = strlen(path), more = strlen(ending);
    return len > more && strcasecmp(path + len - more, ending) == 0;
}

/* The description that is named, or is beside the data; false: there is none. */
static bool description_of(char path[MAX_PATH_BYTES], const tacit__format_input *input)
{
    if (!input->path)
        return false;
    const char *slash = strrchr(input->path, '/'), *dot = strrchr(input->path, '.');
    size_t folder = slash ? (size_t)(slash - input->path) + 1 : 0;
    int len = -1;
    if (input->part && has_ending(input->part, ".rda")) {
        folder = input->part[0] == '/' ? 0 : folder;
        len = snprintf(path, MAX_PATH_BYTES, "%.*s%s", (int)folder, input->path, input->part);
        return len > 0 && len < MAX_PATH_BYTES;
    }
    if (input->part || !dot ||
        !(has_ending(input->path, ".asc") || has_ending(input->path, ".dat")))
        return false;
    static const char *const endings[] = {".rda", ".RDA"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        len = snprintf(path, MAX_PATH_BYTES, "%.*s%s", (int)(dot - input->path), input->path,
                       endings[i]);
        if (len > 0 && len < MAX_PATH_BYTES && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static bool is_described(const tacit__format_input *input)
{
    char path[MAX_PATH_BYTES];
    return description_of(path, input);
}

static tacit_status add_described_columns(described_data *d)
{
    for (size_t i = 0; i < d->rda.count; i++)
        if (!tacit__schema_add(d->schema, d->rda.variables[i].name))
            return tacit__nomem(d->err);
    d->integers = tacit__alloc_array(d->rda.count, sizeof *d->integers);
    d->numbers = tacit__alloc_array(d->rda.count, sizeof *d->numbers);
    if (!d->integers || !d->numbers)
        return tacit__nomem(d->err);
    memset(d->integers, true, d->rda.count);
    memset(d->numbers, true, d->rda.count);
    tacit__format_header(d->text, d->schema);
    return TACIT_OK;
}

/* ---- cells ---- */

static void add_described_cell(described_data *d, size_t at, tacit_strview cell)
{
    int64_t whole = 0;
    double number = 0;
    while (cell.len && cell.bytes[0] == ' ')
        cell.bytes++, cell.len--;
    while (cell.len && cell.bytes[cell.len - 1] == ' ')
        cell.len--;
    if (cell.len == 0) {
        tacit__format_null(d->text);
        return;
    }
    d->integers[at] = d->integers[at] && tacit__integer_of(&whole, cell);
    d->numbers[at] = d->numbers[at] && tacit__real_of(&number, cell);
    tacit__format_cell(d->text, cell);
}

static void settle_types(const described_data *d)
{
    for (size_t i = 0; i < d->schema->count; i++)
        d->schema->columns[i].type = d->integers[i]  ? TACIT__TYPE_INTEGER
                                     : d->numbers[i] ? TACIT__TYPE_REAL
                                                     : TACIT__TYPE_TEXT;
}

/* ---- fixed places ---- */

/* So many characters further; not beyond the end of the line. */
static const char *characters_on(const char *at, const char *end, int64_t count)
{
    for (; count > 0 && at < end; count--)
        for (at++; at < end && ((unsigned char)*at & 0xC0) == 0x80;)
            at++;
    return at;
}

/* Variables may stand at the same places; the text is bounded all the same. */
static tacit_status add_fixed_row(described_data *d, tacit_strview line)
{
    const char *end = line.bytes + line.len, *at = line.bytes;
    int64_t place = 0;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < d->rda.count && status == TACIT_OK; i++) {
        const tacit__rda_variable *variable = &d->rda.variables[i];
        if (variable->start < place) { /* not in the order of their places */
            at = line.bytes;
            place = 0;
        }
        at = characters_on(at, end, variable->start - place);
        const char *to = characters_on(at, end, variable->width);
        add_described_cell(d, i, (tacit_strview){at, (size_t)(to - at)});
        place = variable->start + variable->width;
        at = to;
        status = d->text->csv.failed ? tacit__nomem(d->err) : TACIT_OK;
    }
    return status;
}

static tacit_status read_fixed(described_data *d, tacit_strview text)
{
    tacit_status status = TACIT_OK;
    size_t at = 0;
    if (text.len && text.bytes[text.len - 1] == END_OF_FILE)
        text.len--;
    for (int64_t number = 1; at < text.len && status == TACIT_OK; number++) {
        const char *found = memchr(text.bytes + at, '\n', text.len - at);
        size_t end = found ? (size_t)(found - text.bytes) : text.len;
        tacit_strview line = {text.bytes + at, end - at};
        at = end + 1;
        if (line.len && line.bytes[line.len - 1] == '\r')
            line.len--;
        if (line.len == 0)
            return tacit__error_at(d->err, TACIT_PARSE, d->input->name, number, 0,
                                   "the line is empty");
        status = add_fixed_row(d, line);
        if (status == TACIT_OK && number % 4096 == 0)
            status =
                tacit__progress(d->input->run, "reading", (int64_t)at, (int64_t)text.len, d->err);
    }
    return status;
}

/* ---- between separators ---- */

static tacit_status read_separated(described_data *d, tacit_strview text)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit__format_row row = {0};
    tacit_csv_options_init(&options);
    options.delimiter = d->rda.separator;
    options.no_header = !d->rda.names;
    options.code_none = true;
    tacit_status status =
        tacit_table_read_memory(&table, text, d->input->name, &options, d->input->run, d->err);
    if (status == TACIT_OK && (size_t)tacit_table_columns(table) != d->rda.count)
        status = tacit__error_at(d->err, TACIT_PARSE, d->input->name, 1, 0,
                                 "%d columns, and its description has %zu variables",
                                 (int)tacit_table_columns(table), d->rda.count);
    if (status == TACIT_OK)
        status = tacit__format_row_new(&row, table, d->err);
    for (int64_t at = 0; status == TACIT_OK && at < tacit_table_rows(table); at++) {
        status = tacit__format_row_at(&row, at, d->err);
        for (size_t i = 0; i < d->rda.count && status == TACIT_OK; i++)
            add_described_cell(d, i, row.cells[i]);
    }
    tacit__format_row_clear(&row);
    tacit_table_free(table);
    return status;
}

/* ---- all of it ---- */

/* The text in UTF-8, without a mark, in `decoded` where it is not. */
static tacit_status as_utf8(tacit_strview *text, tacit__strbuf *decoded, const char *name,
                            tacit_error *err)
{
    tacit_encoding encoding = tacit__encoding_of(*text, TACIT_ENCODING_DETECT);
    tacit_status status = TACIT_OK;
    if (encoding != TACIT_ENCODING_UTF8) {
        status = tacit__encoding_decode(decoded, *text, encoding, name, err);
        *text = (tacit_strview){decoded->bytes ? decoded->bytes : "", decoded->len};
    }
    if (text->len >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0)
        *text = (tacit_strview){text->bytes + 3, text->len - 3};
    return status;
}

tacit_status tacit__described_read(tacit__format_text *text, tacit_schema *schema,
                                   const tacit__format_input *input, tacit_strview description,
                                   const char *name, tacit_error *err)
{
    described_data d = {.text = text, .schema = schema, .input = input, .err = err};
    tacit__strbuf decoded = {0}, decoded_data = {0};
    tacit_strview data = input->bytes;
    tacit_status status = as_utf8(&description, &decoded, name, err);
    if (status == TACIT_OK)
        status = tacit__rda_read(&d.rda, description, name, err);
    if (status == TACIT_OK)
        status = add_described_columns(&d);
    if (status == TACIT_OK && !input->header_only)
        status = as_utf8(&data, &decoded_data, input->name, err);
    if (status == TACIT_OK && !input->header_only)
        status = d.rda.separator ? read_separated(&d, data) : read_fixed(&d, data);
    if (status == TACIT_OK)
        settle_types(&d);
    tacit__rda_clear(&d.rda);
    tacit__free(d.integers);
    tacit__free(d.numbers);
    tacit__strbuf_clear(&decoded);
    tacit__strbuf_clear(&decoded_data);
    return status;
}

static tacit_status read_described(tacit__format_text *text, tacit_schema *schema,
                                   const tacit__format_input *input, tacit_error *err)
{
    char path[MAX_PATH_BYTES];
    tacit__input file = {0};
    if (!description_of(path, input))
        return tacit__error_at(err, TACIT_INVALID, input->name, 0, 0,
                               "has no description beside it");
    tacit_status status = tacit__input_open(&file, path, MAX_DESCRIPTION, input->run, err);
    if (status == TACIT_OK)
        status = tacit__described_read(text, schema, input,
                                       (tacit_strview){file.bytes ? file.bytes : "", file.len},
                                       path, err);
    tacit__input_close(&file);
    return status;
}

static bool never_by_bytes(tacit_strview bytes)
{
    (void)bytes;
    return false;
}

const tacit_format tacit__format_fixed_width = {.name = "fixed width by .rda",
                                                .endings = ".asc",
                                                .is = never_by_bytes,
                                                .is_file = is_described,
                                                .read = read_described,
                                                .parts = true};
