/*
 * arrow_write.c - a release as an Arrow stream of one batch.
 *
 * A column is what it was where its cells still are such values, and text otherwise. Where the
 * release was made from something else, it is what its cells look like. Cells that do not fit after
 * all (years that nanoseconds cannot count to) make a column text, too. All threads work on parts
 * of the rows: the lengths of texts, then the cells themselves. What came of it is read by the code
 * that reads streams and compared with the release, cell by cell. An empty text and a missing one
 * differ by quotes; of a table with one column they cannot, and are missing.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vector.h"
#include "formats/arrow.h"
#include "formats/arrow_owned.h"

/* ---- the columns of a release ---- */

typedef struct arrow_column {
    tacit__arrow_type type;
    char format[TACIT__ARROW_FORMAT_SIZE];
    bool categories;
    atomic_bool failed; /* a cell does not fit */
    struct ArrowArray *array;
    void *data;      /* of its array: values, offsets or numbers of categories */
    uint64_t *valid; /* a bit a row */
    char *text;
    int64_t *lengths; /* of its text, a part each; then where the part's begins */
} arrow_column;

typedef struct arrow_writer {
    const tacit_schema *schema; /* of the release */
    const tacit_table *release;
    arrow_column *columns;
    size_t count;
    int64_t rows, parts;
    struct ArrowArray batch;
    bool again; /* a column that failed became text */
    const tacit_run *run;
} arrow_writer;

static void be_format(arrow_column *column, const char *format)
{
    snprintf(column->format, sizeof column->format, "%s", format);
    tacit__arrow_type_of(&column->type, column->format);
}

static bool fits_integers(const tacit__arrow_type *type, int64_t least, int64_t most)
{
    if (type->kind == TACIT__ARROW_UNSIGNED)
        return least >= 0 && (type->bytes == 8 || most < INT64_C(1) << (8 * type->bytes));
    int64_t limit = type->bytes == 8 ? INT64_MAX : (INT64_C(1) << (8 * type->bytes - 1)) - 1;
    return most <= limit && least >= -limit - 1;
}

/* The format of a type that the data did not have. */
static const char *usual_format(char *buffer, size_t size, const tacit__schema_column *column)
{
    switch (column->type) {
    case TACIT__TYPE_INTEGER: return "l";
    case TACIT__TYPE_REAL: return column->bytes == 4 ? "f" : "g";
    case TACIT__TYPE_DECIMAL: snprintf(buffer, size, "d:38,%d", column->scale); return buffer;
    case TACIT__TYPE_BOOLEAN: return "b";
    case TACIT__TYPE_DATE: return "tdD";
    case TACIT__TYPE_TIME: return "ttn";
    case TACIT__TYPE_MOMENT: return "tsu:";
    case TACIT__TYPE_TEXT: break;
    }
    return "u";
}

static void choose_format(arrow_column *out, const tacit__schema_column *column)
{
    char was[TACIT__ARROW_FORMAT_SIZE], usual[TACIT__ARROW_FORMAT_SIZE];
    tacit__arrow_type type;
    snprintf(was, sizeof was, "%.*s", (int)column->format.len, column->format.bytes);
    out->categories = column->categories;
    bool kept = column->format.len && column->format.len < sizeof was &&
                tacit__arrow_type_of(&type, was) && tacit__arrow_type_name(&type) == column->type &&
                type.kind != TACIT__ARROW_TEXT_VIEW && type.kind != TACIT__ARROW_NULL;
    if (kept && column->type == TACIT__TYPE_INTEGER)
        kept = fits_integers(&type, column->least, column->most);
    if (kept && column->type == TACIT__TYPE_REAL)
        kept = type.bytes >= column->bytes;
    /* The entries of a dictionary that is made have offsets of 32 bits, whatever it was. */
    be_format(out, out->categories ? "u" : kept ? was : usual_format(usual, sizeof usual, column));
}

/* ---- cells into arrays ---- */

static void put_whole(arrow_column *column, int64_t row, int64_t value)
{
    switch (column->type.bytes) {
    case 1: ((int8_t *)column->data)[row] = (int8_t)value; break;
    case 2: ((int16_t *)column->data)[row] = (int16_t)value; break;
    case 4: ((int32_t *)column->data)[row] = (int32_t)value; break;
    default: ((int64_t *)column->data)[row] = value; break;
    }
}

static bool put_decimal(arrow_column *column, int64_t row, tacit_strview cell)
{
    int64_t digits = 0;
    if (!tacit__decimal_of(&digits, column->type.scale, cell))
        return false;
    const int64_t halves[2] = {digits, digits < 0 ? -1 : 0}; /* the lower one first */
    memcpy((char *)column->data + row * 16, halves, sizeof halves);
    return true;
}

/* Seconds and nanoseconds, or days, in the units of the column. */
static bool put_clock(arrow_column *column, int64_t row, int64_t whole, int64_t nanos)
{
    const int64_t second = INT64_C(1000000000);
    int64_t unit = column->type.unit, value = 0;
    if (column->type.kind != TACIT__ARROW_DATE && nanos % (second / unit) != 0)
        return false;
    if (__builtin_mul_overflow(whole, unit, &value))
        return false;
    if (column->type.kind != TACIT__ARROW_DATE &&
        __builtin_add_overflow(value, nanos / (second / unit), &value))
        return false;
    put_whole(column, row, value);
    return column->type.bytes == 8 || (value >= INT32_MIN && value <= INT32_MAX);
}

static bool put_value(arrow_column *column, int64_t row, tacit_strview cell)
{
    int64_t whole = 0, nanos = 0;
    double number = 0;
    bool yes = false;
    switch (column->type.kind) {
    case TACIT__ARROW_BOOLEAN:
        if (!tacit__boolean_of(&yes, cell))
            return false;
        if (yes)
            tacit__bit_set(column->data, row);
        return true;
    case TACIT__ARROW_SIGNED:
    case TACIT__ARROW_UNSIGNED:
        if (!tacit__integer_of(&whole, cell))
            return false;
        put_whole(column, row, whole);
        return true;
    case TACIT__ARROW_REAL:
        if (!tacit__real_of(&number, cell))
            return false;
        if (column->type.bytes == 4)
            ((float *)column->data)[row] = (float)number;
        else
            ((double *)column->data)[row] = number;
        return true;
    case TACIT__ARROW_DECIMAL: return put_decimal(column, row, cell);
    case TACIT__ARROW_DATE: return tacit__date_of(&whole, cell) && put_clock(column, row, whole, 0);
    case TACIT__ARROW_TIME: return tacit__time_of(&nanos, cell) && put_clock(column, row, 0, nanos);
    case TACIT__ARROW_MOMENT:
        return tacit__moment_of(&whole, &nanos, &yes, cell) && yes == column->type.utc &&
               put_clock(column, row, whole, nanos);
    default: return false;
    }
}

static bool is_text(const arrow_column *column)
{
    return column->type.kind == TACIT__ARROW_TEXT && !column->categories;
}

static tacit_status measure_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                                 int worker, tacit_error *err)
{
    arrow_writer *w = context;
    tacit_status status = TACIT_OK;
    (void)worker;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        for (size_t i = 0; i < w->count && status == TACIT_OK; i++)
            if (is_text(&w->columns[i]))
                w->columns[i].lengths[from / TACIT__FORMAT_PART] += (int64_t)row->cells[i].len;
    }
    return status;
}

static void put_text(arrow_column *column, int64_t row, int64_t end)
{
    if (column->type.bytes == 8)
        ((int64_t *)column->data)[row + 1] = end;
    else
        ((int32_t *)column->data)[row + 1] = (int32_t)end;
}

/* Parts are of a multiple of 64 rows, so no two of them share a word of bits. */
static tacit_status fill_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                              int worker, tacit_error *err)
{
    arrow_writer *w = context;
    tacit_status status = TACIT_OK;
    (void)worker;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        for (size_t i = 0; i < w->count && status == TACIT_OK; i++) {
            arrow_column *column = &w->columns[i];
            tacit_strview cell = row->cells[i];
            bool text = is_text(column),
                 null = row->null[i] || (cell.len == 0 && (!text || w->count == 1));
            if (column->categories)
                continue;
            if (text) {
                int64_t *end = &column->lengths[from / TACIT__FORMAT_PART];
                if (cell.len)
                    memcpy(column->text + *end, cell.bytes, cell.len);
                *end += (int64_t)cell.len;
                put_text(column, at, *end);
            } else if (!null && !put_value(column, at, cell)) {
                column->failed = true;
            }
            if (!null)
                tacit__bit_set(column->valid, at);
        }
    }
    return status;
}

/* ---- categories ---- */

enum { RECENT = 256 };

typedef struct category_list {
    tacit__map map;
    int32_t recent[RECENT]; /* 1 + the number of a text met last of those that look like it */
    char *text;
    size_t text_capacity, len;
    int32_t *ends;
    size_t capacity, count;
} category_list;

static tacit_strview category(const category_list *list, size_t number)
{
    int32_t from = number ? list->ends[number - 1] : 0;
    return (tacit_strview){list->text + from, (size_t)(list->ends[number] - from)};
}

/* The number of a text, which is new where it was not met before; -1: no memory, or too many. */
static int32_t look_up_category(category_list *list, tacit_strview cell)
{
    uint64_t hash = tacit__hash_bytes(cell.bytes, cell.len);
    size_t probe = 0;
    uint32_t found;
    while ((found = tacit__map_next(&list->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(category(list, found), cell))
            return (int32_t)found;
    if (list->len + cell.len > INT32_MAX || list->count == INT32_MAX ||
        !tacit__reserve((void **)&list->text, &list->text_capacity, list->len + cell.len + 1, 1) ||
        !tacit__map_add(&list->map, hash))
        return -1;
    if (cell.len)
        memcpy(list->text + list->len, cell.bytes, cell.len);
    list->len += cell.len;
    if (!TACIT__PUSH(list->ends, list->capacity, list->count, (int32_t)list->len))
        return -1;
    return (int32_t)list->count - 1;
}

/* Most cells say what one before them said: those are found by a glance instead of a hash. */
static int32_t category_number(category_list *list, tacit_strview cell)
{
    size_t looks = cell.len;
    if (cell.len)
        looks += 7U * (uint8_t)cell.bytes[0] + 31U * (uint8_t)cell.bytes[cell.len - 1];
    int32_t *recent = &list->recent[looks % RECENT];
    if (*recent == 0 || !tacit_strview_equal(category(list, (size_t)*recent - 1), cell))
        *recent = 1 + look_up_category(list, cell);
    return *recent - 1;
}

static void categories_clear(category_list *list)
{
    tacit__map_clear(&list->map);
    tacit__free(list->text);
    tacit__free(list->ends);
}

/* The entries become the array's. */
static bool hand_over(struct ArrowArray *array, category_list *list)
{
    tacit__arrow_owned *around = array->private_data;
    tacit__arrow_owned *owned =
        tacit__arrow_array_new(&around->dictionary, (int64_t)list->count, 0);
    if (!owned)
        return false;
    array->dictionary = &around->dictionary;
    int32_t *offsets = tacit__alloc_zeroed(list->count + 1, sizeof *offsets);
    if (!offsets)
        return false;
    if (list->count)
        memcpy(offsets + 1, list->ends, list->count * sizeof *offsets);
    owned->buffers[1] = offsets;
    owned->buffers[2] = list->text;
    owned->pointers[1] = offsets;
    owned->pointers[2] = list->text;
    around->dictionary.n_buffers = TACIT__ARROW_BUFFERS;
    list->text = NULL;
    return true;
}

static tacit_status number_rows(const arrow_writer *w, category_list *lists, tacit_error *err)
{
    tacit__format_row row = {0};
    tacit_status status = tacit__format_row_new(&row, w->release, err);
    for (int64_t at = 0; at < w->rows && status == TACIT_OK; at++) {
        status = tacit__format_row_at(&row, at, err);
        for (size_t i = 0; i < w->count && status == TACIT_OK; i++) {
            arrow_column *column = &w->columns[i];
            if (!column->categories || row.null[i])
                continue;
            int32_t number = category_number(&lists[i], row.cells[i]);
            if (number < 0)
                status = tacit__nomem(err);
            ((int32_t *)column->data)[at] = number;
            tacit__bit_set(column->valid, at);
        }
    }
    tacit__format_row_clear(&row);
    return status;
}

static tacit_status fill_categories(arrow_writer *w, tacit_error *err)
{
    size_t categories = 0;
    for (size_t i = 0; i < w->count; i++)
        categories += w->columns[i].categories;
    if (categories == 0)
        return TACIT_OK;
    category_list *lists = tacit__alloc_zeroed(w->count, sizeof *lists);
    if (!lists)
        return tacit__nomem(err);
    tacit_status status = number_rows(w, lists, err);
    for (size_t i = 0; i < w->count; i++) {
        if (status == TACIT_OK && w->columns[i].categories &&
            !hand_over(w->columns[i].array, &lists[i]))
            status = tacit__nomem(err);
        categories_clear(&lists[i]);
    }
    tacit__free(lists);
    return status;
}

/* ---- the batch ---- */

static size_t bytes_of(const arrow_column *column, int64_t rows)
{
    size_t count = (size_t)rows;
    if (column->categories)
        return count * sizeof(int32_t);
    switch (column->type.kind) {
    case TACIT__ARROW_BOOLEAN: return tacit__bitset_words(rows) * sizeof(uint64_t);
    case TACIT__ARROW_TEXT: return (count + 1) * (size_t)column->type.bytes;
    default: return count * (size_t)column->type.bytes;
    }
}

/* Where each part's text begins; its offsets are wide enough for all of it. */
static tacit_status lay_out_text(arrow_writer *w, arrow_column *column, tacit_error *err)
{
    int64_t total = 0;
    for (int64_t i = 0; i < w->parts; i++) {
        int64_t length = column->lengths[i];
        column->lengths[i] = total;
        total += length;
    }
    if (total > INT32_MAX)
        be_format(column, "U");
    column->text = tacit__alloc((size_t)total);
    return column->text ? TACIT_OK : tacit__nomem(err);
}

static tacit_status open_column(arrow_writer *w, arrow_column *column, struct ArrowArray *array,
                                tacit_error *err)
{
    tacit_status status = is_text(column) ? lay_out_text(w, column, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    tacit__arrow_owned *owned = tacit__arrow_array_new(array, w->rows, 0);
    if (owned) {
        owned->buffers[0] = tacit__alloc_zeroed(tacit__bitset_words(w->rows) + 1, sizeof(uint64_t));
        owned->buffers[1] = tacit__alloc_zeroed(bytes_of(column, w->rows) + 1, 1);
        owned->buffers[2] = column->text;
        memcpy(owned->pointers, owned->buffers, sizeof owned->pointers);
        column->array = array;
        column->valid = owned->buffers[0];
        column->data = owned->buffers[1];
        array->n_buffers = is_text(column) ? 3 : 2;
        array->null_count = -1;
    } else {
        tacit__free(column->text);
        column->text = NULL;
    }
    return owned && owned->buffers[0] && owned->buffers[1] ? TACIT_OK : tacit__nomem(err);
}

/* Columns with cells that do not fit become text. */
static void give_in(arrow_writer *w)
{
    w->again = false;
    for (size_t i = 0; i < w->count; i++) {
        if (!w->columns[i].failed)
            continue;
        be_format(&w->columns[i], "u");
        w->columns[i].failed = false;
        w->again = true;
    }
    if (w->again)
        w->batch.release(&w->batch);
}

static tacit_status make_batch(arrow_writer *w, tacit_error *err)
{
    if (!tacit__arrow_array_new(&w->batch, w->rows, (int64_t)w->count))
        return tacit__nomem(err);
    w->batch.n_buffers = 1;
    for (size_t i = 0; i < w->count; i++) {
        w->columns[i].text = NULL;
        memset(w->columns[i].lengths, 0, (size_t)w->parts * sizeof(int64_t));
    }
    tacit_status status = tacit__format_parts(w->release, "writing", measure_part, w, w->run, err);
    for (size_t i = 0; i < w->count && status == TACIT_OK; i++)
        status = open_column(w, &w->columns[i], w->batch.children[i], err);
    if (status == TACIT_OK)
        status = tacit__format_parts(w->release, "writing", fill_part, w, w->run, err);
    if (status == TACIT_OK)
        status = fill_categories(w, err);
    if (status == TACIT_OK)
        give_in(w);
    else
        w->batch.release(&w->batch);
    return status;
}

/* ---- comparing ---- */

typedef struct arrow_check {
    tacit__arrow_view *views, *entries;
    size_t count;
    atomic_bool differs;
} arrow_check;

static tacit_status check_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                               int worker, tacit_error *err)
{
    arrow_check *check = context;
    tacit__arrow_cell cell;
    tacit_status status = TACIT_OK;
    (void)worker;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        for (size_t i = 0; i < check->count && status == TACIT_OK; i++) {
            tacit__arrow_cell_at(&cell, &check->views[i], at);
            if (cell.damaged || !tacit_strview_equal(cell.text, row->cells[i]))
                check->differs = true;
        }
    }
    return status;
}

static tacit_status check_batch(const arrow_writer *w, tacit_error *err)
{
    const tacit__arrow_type number = {.kind = TACIT__ARROW_SIGNED, .bytes = 4};
    arrow_check check = {.views = tacit__alloc_zeroed(w->count, sizeof *check.views),
                         .entries = tacit__alloc_zeroed(w->count, sizeof *check.entries),
                         .count = w->count};
    tacit_status status = check.views && check.entries ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < w->count && status == TACIT_OK; i++) {
        const arrow_column *column = &w->columns[i];
        const struct ArrowArray *array = column->array;
        if (!column->categories)
            tacit__arrow_view_of(&check.views[i], &column->type, array, 0, NULL);
        else if (tacit__arrow_view_of(&check.entries[i], &column->type, array->dictionary, 0, NULL))
            tacit__arrow_view_of(&check.views[i], &number, array, 0, &check.entries[i]);
    }
    if (status == TACIT_OK)
        status = tacit__format_parts(w->release, "checking", check_part, &check, w->run, err);
    if (status == TACIT_OK && check.differs)
        status = tacit__error(err, TACIT_IO,
                              "as Arrow columns the release says something else than what was "
                              "judged; ask for it as CSV");
    tacit__free(check.views);
    tacit__free(check.entries);
    return status;
}

/* ---- the stream ---- */

static bool describe_columns(struct ArrowSchema *out, const arrow_writer *w)
{
    if (!tacit__arrow_schema_new(out, "+s", (tacit_strview){"", 0}, (int64_t)w->count))
        return false;
    for (size_t i = 0; i < w->count; i++) {
        const arrow_column *column = &w->columns[i];
        tacit_strview name = w->schema->columns[i].name;
        tacit__arrow_owned_schema *owned = tacit__arrow_schema_new(
            out->children[i], column->categories ? "i" : column->format, name, 0);
        if (owned && column->categories &&
            tacit__arrow_schema_new(&owned->dictionary, column->format, (tacit_strview){"", 0}, 0))
            out->children[i]->dictionary = &owned->dictionary;
        if (!owned || (column->categories && !out->children[i]->dictionary)) {
            out->release(out);
            return false;
        }
    }
    return true;
}

static tacit_status make_stream(struct ArrowArrayStream *out, arrow_writer *w, tacit_error *err)
{
    struct ArrowSchema schema = {0};
    bool made = describe_columns(&schema, w);
    if (made && tacit__arrow_stream_new(out, &schema, &w->batch))
        return TACIT_OK;
    if (made)
        schema.release(&schema);
    w->batch.release(&w->batch);
    return tacit__nomem(err);
}

static tacit_status columns_new(arrow_writer *w, tacit_error *err)
{
    w->columns = tacit__alloc_zeroed(w->count, sizeof *w->columns);
    for (size_t i = 0; w->columns && i < w->count; i++) {
        w->columns[i].lengths = tacit__alloc_array((size_t)w->parts + 1, sizeof(int64_t));
        if (!w->columns[i].lengths)
            return tacit__nomem(err);
        choose_format(&w->columns[i], &w->schema->columns[i]);
        w->columns[i].categories =
            w->columns[i].categories && w->columns[i].type.kind == TACIT__ARROW_TEXT;
    }
    return w->columns ? TACIT_OK : tacit__nomem(err);
}

static void writer_clear(arrow_writer *w)
{
    for (size_t i = 0; w->columns && i < w->count; i++)
        tacit__free(w->columns[i].lengths);
    tacit__free(w->columns);
}

tacit_status tacit__arrow_write(struct ArrowArrayStream *out, const tacit_schema *schema,
                                const tacit_table *release, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(release);
    arrow_writer w = {.schema = schema,
                      .release = release,
                      .count = (size_t)tacit_table_columns(release),
                      .rows = rows,
                      .parts = (rows + TACIT__FORMAT_PART - 1) / TACIT__FORMAT_PART,
                      .run = run};
    tacit_status status = columns_new(&w, err);
    do {
        w.again = false;
        if (status == TACIT_OK)
            status = make_batch(&w, err);
    } while (status == TACIT_OK && w.again);
    if (status == TACIT_OK) {
        status = check_batch(&w, err);
        if (status != TACIT_OK)
            w.batch.release(&w.batch);
        else
            status = make_stream(out, &w, err);
    }
    writer_clear(&w);
    return status;
}

tacit_status tacit_arrow_write(struct ArrowArrayStream *out, const tacit_schema *from,
                               const tacit_table *release, const tacit_run *run, tacit_error *err)
{
    tacit_schema *schema = NULL;
    tacit_status status = tacit__release_schema(&schema, NULL, from, release, run, err);
    if (status == TACIT_OK)
        status = tacit__arrow_write(out, schema, release, run, err);
    tacit_schema_free(schema);
    return status;
}
