/*
 * places.c - rows out of engines, and releases into them.
 *
 * Rows are asked for as text, in the order of their keys, and written as CSV into memory. A CSV has
 * no difference between an empty text and none: both are missing from there on, and none when they
 * go back, which the report says. A column of a release keeps its type where each of its values is
 * one of the data's; else it is text. What was loaded is read back and compared with the release,
 * as sums of hashes of rows, before it may appear. Costs the rows as text in memory.
 */
#include "engine/job/places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "engine/job/csv.h"
#include "engine/job/kinds.h"

/* ---- places behind paths ---- */

typedef struct place_path {
    char text[32];
} place_path;

static place_path place_path_of(const engine_place *place)
{
    place_path path;
    snprintf(path.text, sizeof path.text, "/dev/fd/%d", place->fd);
    return path;
}

static tacit_status add_place(engine_place **out, engine_session *session)
{
    engine_places *places = &session->places;
    if (places->count == ENGINE_MAX_PLACES)
        return tacit__error(&session->error, TACIT_LIMIT, "a job takes at most %d tables",
                            (int)ENGINE_MAX_PLACES);
    int fd = memfd_create("tacit", MFD_CLOEXEC);
    if (fd < 0)
        return tacit__io(&session->error, NULL, "cannot keep the rows", errno);
    *out = &places->items[places->count++];
    **out = (engine_place){.fd = fd};
    return TACIT_OK;
}

engine_place *engine_places_target(engine_places *places, const char *path)
{
    for (int i = 0; i < places->count; i++)
        if (places->items[i].is_target && strcmp(path, place_path_of(&places->items[i]).text) == 0)
            return &places->items[i];
    return NULL;
}

void engine_places_clear(engine_places *places)
{
    for (int i = 0; i < places->count; i++) {
        tacit_engine_close(places->items[i].engine);
        tacit_engine_columns_clear(&places->items[i].columns);
        close(places->items[i].fd);
    }
    places->count = 0;
}

/* ---- connecting ---- */

static tacit_status open_query(tacit_engine **out, const char *place, const char *file,
                               engine_session *session)
{
    tacit_error *err = &session->error;
    char *text = NULL;
    size_t len = 0;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__io(err, file, "cannot open", errno);
    tacit_status status = engine_read_all(&text, &len, fd, file, err);
    close(fd);
    if (status == TACIT_OK)
        status =
            tacit_engine_open_query(out, place, (tacit_strview){text, len}, &session->run, err);
    tacit__free(text);
    return status;
}

tacit_status engine_places_open(tacit_engine **out, const char *place, engine_session *session)
{
    const char *query = engine_value(session->settings, "query");
    if (query && strcmp(place, session->settings->inputs[0]) == 0)
        return open_query(out, place, query, session);
    return tacit_engine_open(out, place, &session->run, &session->error);
}

bool engine_is_reread(const char *path)
{
    return tacit_is_place(path) || engine_is_file(path);
}

tacit_status engine_places_counted(engine_place **out, const char *path, engine_session *session)
{
    engine_places *places = &session->places;
    for (int i = 0; i < places->count; i++)
        if (places->items[i].counted && strcmp(places->items[i].counted, path) == 0) {
            *out = &places->items[i];
            return TACIT_OK;
        }
    tacit_status status = add_place(out, session);
    if (status == TACIT_OK)
        status = engine_places_open(&(*out)->engine, path, session);
    if (status == TACIT_OK)
        status = tacit_engine_columns_of(&(*out)->columns, (*out)->engine,
                                         tacit_engine_table((*out)->engine), &session->run,
                                         &session->error);
    if (status == TACIT_OK)
        (*out)->counted = path;
    return status;
}

/* ---- rows out of an engine ---- */

typedef struct fetching {
    engine_place *place;
    tacit__strbuf text;
} fetching;

static tacit_status put_out(fetching *f, tacit_error *err)
{
    if (f->text.failed)
        return tacit__nomem(err);
    tacit_status status =
        engine_write_all(f->place->fd, "the rows", f->text.bytes, f->text.len, err);
    f->text.len = 0;
    return status;
}

static tacit_status fetch_row(void *context, const tacit_strview *cells, int32_t count,
                              tacit_error *err)
{
    enum { PIECE = 1 << 20 };
    fetching *f = context;
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            tacit__strbuf_add(&f->text, ",", 1);
        engine_csv_cell(&f->text, cells[i]);
        f->place->empty += cells[i].bytes && cells[i].len == 0;
    }
    tacit__strbuf_add(&f->text, "\n", 1);
    f->place->rows++;
    return f->text.len >= PIECE || f->text.failed ? put_out(f, err) : TACIT_OK;
}

static void add_header(fetching *f)
{
    const tacit_engine_columns *columns = &f->place->columns;
    for (int32_t i = 0; i < columns->count; i++) {
        if (i > 0)
            tacit__strbuf_add(&f->text, ",", 1);
        engine_csv_cell(&f->text, columns->list[i].name);
    }
    tacit__strbuf_add(&f->text, "\n", 1);
}

static tacit_status fetch_rows(engine_place *place, engine_session *session)
{
    tacit_engine *engine = place->engine;
    tacit_error *err = &session->error;
    tacit_place_name table = tacit_engine_table(engine);
    fetching f = {.place = place};
    tacit_sql sql = {0};
    tacit_status status =
        tacit_engine_columns_of(&place->columns, engine, table, &session->run, err);
    if (status != TACIT_OK)
        return status;
    add_header(&f);
    for (int32_t i = 0; i < place->columns.count; i++)
        tacit_sql_add(&sql, engine, i ? ", %x" : "SELECT %x", place->columns.list[i].name);
    tacit_sql_add(&sql, engine, " FROM %p ORDER BY ", table);
    if (tacit_engine_has_keys(engine))
        tacit_sql_add(&sql, engine, "%s", tacit_engine_dialect(engine)->row_key);
    else
        for (int32_t i = 0; i < place->columns.count; i++)
            tacit_sql_add(&sql, engine, i ? ", %x" : "%x", place->columns.list[i].name);
    status = tacit_engine_query(engine, &sql, fetch_row, &f, &session->run, err);
    if (status == TACIT_OK)
        status = put_out(&f, err);
    tacit_sql_clear(&sql);
    tacit__strbuf_clear(&f.text);
    return status;
}

/* ---- what settings name ---- */

static tacit_status take_value(char **value, const engine_place *place, tacit_error *err)
{
    char *copy = tacit__copy_text(place_path_of(place).text);
    if (!copy)
        return tacit__nomem(err);
    tacit__free(*value);
    *value = copy;
    return TACIT_OK;
}

static tacit_status take_rows(char **value, engine_session *session)
{
    engine_place *place = NULL;
    tacit_status status = add_place(&place, session);
    if (status == TACIT_OK)
        status = engine_places_open(&place->engine, *value, session);
    if (status == TACIT_OK)
        status = fetch_rows(place, session);
    return status == TACIT_OK ? take_value(value, place, &session->error) : status;
}

/* The engine of an input that a target is in, too. */
static tacit_engine *engine_for(const engine_places *places, const char *target)
{
    for (int i = 0; i < places->count; i++)
        if (places->items[i].engine && tacit_engine_serves(places->items[i].engine, target))
            return places->items[i].engine;
    return NULL;
}

/* Whether two databases are one under two addresses cannot be known, so the names of tables have to
 * differ. */
static tacit_status check_other(const engine_places *places, tacit_place_name name,
                                tacit_error *err)
{
    for (int i = 0; i < places->count; i++) {
        const tacit_engine *engine = places->items[i].engine;
        if (engine && tacit_strview_equal(tacit_engine_table(engine).name, name.name))
            return tacit__error(err, TACIT_INVALID,
                                "the release would be called as the data are; name another table");
    }
    return TACIT_OK;
}

static tacit_status take_target(char **value, engine_session *session)
{
    tacit_error *err = &session->error;
    engine_place *place = NULL;
    tacit_engine *within = engine_for(&session->places, *value), *own = NULL;
    tacit_status status = TACIT_OK;
    tacit_place_name name = {0};
    if (within) {
        status = tacit_engine_target(&name, within, *value, &session->run, err);
    } else {
        status = tacit_engine_open_target(&own, &name, *value, &session->run, err);
        if (status == TACIT_OK) {
            within = own;
            status = check_other(&session->places, name, err);
        }
    }
    if (status == TACIT_OK)
        status = add_place(&place, session);
    if (status != TACIT_OK) {
        tacit_engine_close(own);
        return status;
    }
    place->is_target = true;
    place->engine = own;
    place->within = within;
    place->name = name;
    return take_value(value, place, err);
}

static bool is_read(const char *setting)
{
    static const char *const READ[] = {"original", "previous", "population",
                                       "summary",  "truth",    "known"};
    for (size_t i = 0; i < TACIT_COUNT_OF(READ); i++)
        if (strcmp(READ[i], setting) == 0)
            return true;
    return false;
}

/* Once the inputs were taken, so that a target can be among them. */
static tacit_status take_given(engine_session *session, engine_settings *settings, bool targets)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++) {
        engine_given *given = &settings->given[i];
        const char *name = given->setting->name;
        bool target = strcmp(name, "output") == 0;
        if (!given->value || !tacit_is_place(given->value) || target != targets)
            continue;
        if (target)
            status = take_target(&given->value, session);
        else if (is_read(name))
            status = take_rows(&given->value, session);
        else if (given->setting->type == TACIT_SETTING_FILE)
            status = tacit__error(&session->error, TACIT_INVALID,
                                  "--%s names a file, not a table in an engine", name);
    }
    return status;
}

static bool names_places(const engine_settings *settings)
{
    for (size_t i = 0; i < settings->input_count; i++)
        if (tacit_is_place(settings->inputs[i]))
            return true;
    for (size_t i = 0; i < settings->given_count; i++)
        if (settings->given[i].value && is_read(settings->given[i].setting->name) &&
            tacit_is_place(settings->given[i].value))
            return true;
    return false;
}

/* What goes together, and whether rows are to be fetched. */
static tacit_status check_fetch(bool *fetch, const engine_settings *settings, tacit_error *err)
{
    bool places = names_places(settings);
    *fetch = places && engine_has(settings, "fetch-rows");
    if ((engine_has(settings, "query") || engine_has(settings, "fetch-rows")) && !places)
        return tacit__error(
            err, TACIT_INVALID,
            "--query and --fetch-rows are about tables in engines: name one in place of "
            "a file, such as postgresql://host/database?table=NAME");
    if (places && (engine_has(settings, "delimiter") || engine_has(settings, "no-header")))
        return tacit__error(err, TACIT_INVALID,
                            "--delimiter and --no-header say how files are read, and go with no "
                            "table of an engine");
    return TACIT_OK;
}

tacit_status engine_places_check(const engine_settings *settings, const engine_kind *kind,
                                 tacit_error *err)
{
    if (kind->takes_places || !names_places(settings))
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "%s works on rows, so they would leave the database: say --fetch-rows if "
                        "they may",
                        kind->name);
}

tacit_status engine_places_take(engine_session *session, engine_settings *settings)
{
    bool fetch = false;
    tacit_status status = check_fetch(&fetch, settings, &session->error);
    bool stays = names_places(settings) && !fetch;
    for (size_t i = 0; i < settings->input_count && fetch && status == TACIT_OK; i++)
        if (tacit_is_place(settings->inputs[i]))
            status = take_rows(&settings->inputs[i], session);
    if (status == TACIT_OK && fetch)
        status = take_given(session, settings, false);
    return status == TACIT_OK && !stays ? take_given(session, settings, true) : status;
}

/* ---- a release into an engine ---- */

/* Whether each value of a column of the release is one of a column of the data. */
static tacit_status is_within(bool *out, const tacit_table *release, int32_t column,
                              const tacit_table *data, int32_t source, tacit_error *err)
{
    tacit__map map = {0};
    uint32_t count = tacit_table_distinct(data, source);
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0; code < count && status == TACIT_OK; code++) {
        tacit_strview value = tacit_table_value(data, source, code);
        if (!tacit__map_add(&map, tacit__hash_bytes(value.bytes, value.len)))
            status = tacit__nomem(err);
    }
    *out = status == TACIT_OK;
    for (uint32_t code = 0; code < tacit_table_distinct(release, column) && *out; code++) {
        tacit_strview value = tacit_table_value(release, column, code);
        size_t probe = 0;
        uint32_t found;
        do
            found = tacit__map_next(&map, tacit__hash_bytes(value.bytes, value.len), &probe);
        while (found != TACIT__NONE &&
               !tacit_strview_equal(tacit_table_value(data, source, found), value));
        *out = found != TACIT__NONE;
    }
    tacit__map_clear(&map);
    return status;
}

/* The data that were read from the engine of a target; place NULL: there are none. */
static tacit_status read_data(tacit_table **out, const engine_place **data,
                              const engine_place *target, engine_session *session)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.encoding = TACIT_ENCODING_UTF8;
    options.max_field = SIZE_MAX;
    for (int i = 0; i < session->places.count && !*data; i++)
        if (session->places.items[i].engine && target->within == session->places.items[i].engine &&
            !session->places.items[i].is_target)
            *data = &session->places.items[i];
    return *data ? tacit_table_read_fd(out, (*data)->fd, "the data", &options, &session->run,
                                       &session->error)
                 : TACIT_OK;
}

/* The columns of the new table: "a" integer, "b" text. */
static tacit_status add_types(tacit_sql *sql, const engine_place *place, const tacit_table *release,
                              engine_session *session)
{
    const engine_place *data = NULL;
    tacit_table *table = NULL;
    tacit_status status = read_data(&table, &data, place, session);
    for (int32_t i = 0; i < tacit_table_columns(release) && status == TACIT_OK; i++) {
        tacit_strview name = tacit_table_name(release, i);
        int32_t source = table ? tacit_table_find(table, name) : -1;
        bool kept = false;
        if (source >= 0)
            status = is_within(&kept, release, i, table, source, &session->error);
        tacit_sql_add(sql, place->within, i ? ", %n " : "%n ", name);
        if (kept) /* the engine's own name of it, quoted where it has to be */
            for (size_t j = 0; j < data->columns.list[source].type.len; j++)
                tacit_sql_add(sql, place->within, "%s",
                              (char[]){data->columns.list[source].type.bytes[j], '\0'});
        else
            tacit_sql_add(sql, place->within, "%s", tacit_engine_dialect(place->within)->text_type);
    }
    tacit_table_free(table);
    return status;
}

/* A sum of hashes of rows, whatever their order. */
typedef struct row_sum {
    uint64_t sum[2];
    int64_t rows;
} row_sum;

static void add_row(row_sum *sum, const tacit_strview *cells, int32_t count)
{
    tacit__hash128 row = {0, 0};
    for (int32_t i = 0; i < count; i++) {
        tacit__hash128 cell =
            tacit__hash_bytes128(cells[i].len ? cells[i].bytes : "", cells[i].len);
        row.low = tacit__mix(row.low + cell.low);
        row.high = tacit__mix(row.high + cell.high);
    }
    sum->sum[0] += row.low;
    sum->sum[1] += row.high;
    sum->rows++;
}

static tacit_status sum_row(void *context, const tacit_strview *cells, int32_t count,
                            tacit_error *err)
{
    (void)err;
    add_row(context, cells, count);
    return TACIT_OK;
}

/* The rows of a release, in their order. */
static tacit_status load_rows(row_sum *sum, engine_place *place, const tacit_table *release,
                              tacit_error *err)
{
    int32_t count = tacit_table_columns(release);
    tacit_codes_view *codes = tacit__alloc_array((size_t)count, sizeof *codes);
    tacit_strview *cells = tacit__alloc_array((size_t)count, sizeof *cells);
    tacit_status status = codes && cells ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        codes[i] = tacit_table_codes(release, i);
    for (int64_t row = 0; row < tacit_table_rows(release) && status == TACIT_OK; row++) {
        for (int32_t i = 0; i < count; i++) {
            uint32_t code = tacit_codes_at(codes[i], row);
            cells[i] = (tacit_strview){NULL, 0};
            if (code < tacit_table_distinct(release, i))
                cells[i] = tacit_table_value(release, i, code);
        }
        add_row(sum, cells, count);
        status = tacit_engine_load_row(place->within, cells, count, err);
    }
    tacit__free(codes);
    tacit__free(cells);
    return status;
}

static tacit_status compare(const row_sum *loaded, engine_place *place, const tacit_table *release,
                            engine_session *session)
{
    row_sum said = {{0}, 0};
    tacit_sql sql = {0};
    for (int32_t i = 0; i < tacit_table_columns(release); i++)
        tacit_sql_add(&sql, place->within, i ? ", %x" : "SELECT %x", tacit_table_name(release, i));
    tacit_sql_add(&sql, place->within, " FROM %p", place->made);
    tacit_status status =
        tacit_engine_query(place->within, &sql, sum_row, &said, &session->run, &session->error);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK && (said.rows != loaded->rows || said.sum[0] != loaded->sum[0] ||
                               said.sum[1] != loaded->sum[1]))
        status = tacit__error(&session->error, TACIT_IO,
                              "the engine does not say what was loaded, and no table is made");
    return status;
}

tacit_status engine_place_load(engine_place *place, const tacit_table *release,
                               engine_session *session)
{
    tacit_error *err = &session->error;
    tacit_sql sql = {0};
    row_sum loaded = {{0}, 0};
    place->made = tacit_engine_made(place->within);
    tacit_sql_add(&sql, place->within, "CREATE TABLE %p (", place->made);
    tacit_status status = add_types(&sql, place, release, session);
    tacit_sql_add(&sql, place->within, ")%s", tacit_engine_dialect(place->within)->storage);
    if (status == TACIT_OK)
        status = tacit_engine_query(place->within, &sql, NULL, NULL, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(place->within, place->made, &session->run, err);
    if (status == TACIT_OK) {
        status = load_rows(&loaded, place, release, err);
        tacit_status end = tacit_engine_load_end(place->within, &session->run, err);
        status = status == TACIT_OK ? end : status;
    }
    if (status == TACIT_OK)
        status = compare(&loaded, place, release, session);
    place->rows = loaded.rows;
    tacit_sql_clear(&sql);
    return status;
}

tacit_status engine_place_publish(engine_place *place, tacit_error *err)
{
    tacit_status status = tacit_engine_replace(place->within, place->name, place->made, NULL, err);
    if (status == TACIT_OK)
        status = tacit_engine_commit(place->within, NULL, err);
    place->published = status == TACIT_OK;
    return status;
}

static tacit_status fill_place(engine_place *place, engine_session *session)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    engine_csv_options(&options, session);
    options.guard = TACIT_GUARD_NONE;
    options.missing = NULL;
    options.delimiter = 0;
    options.no_header = false;
    tacit_status status = tacit_table_read_fd(&table, place->fd, "the output", &options,
                                              &session->run, &session->error);
    if (status == TACIT_OK)
        status = engine_place_load(place, table, session);
    if (status == TACIT_OK)
        status = engine_place_publish(place, &session->error);
    tacit_table_free(table);
    return status;
}

tacit_status engine_places_fill(engine_session *session)
{
    engine_places *places = &session->places;
    tacit_status status = TACIT_OK;
    for (int i = 0; i < places->count && status == TACIT_OK; i++)
        if (places->items[i].is_target && !places->items[i].published)
            status = fill_place(&places->items[i], session);
    return status;
}

/* ---- what there is to say ---- */

/* Of tables whose rows stayed. */
static void add_counted(tacit_report *report, const engine_place *place)
{
    tacit_report_text(report, "engine.name", tacit_engine_name(place->engine));
    tacit_report_text(report, "engine.classes", "fetched");
    tacit_report_integer(report, "engine.combinations", place->combinations);
    tacit_report_line(
        report, "left it",
        "%s combinations of %d columns, with their numbers of rows, left %s; no other "
        "cell",
        engine_count(place->combinations).text, (int)place->asked,
        tacit_engine_name(place->engine));
}

static void add_fetched(tacit_report *report, const char *engine, int64_t rows, int64_t cells,
                        int64_t empty)
{
    tacit_report_text(report, "engine.name", engine);
    tacit_report_text(report, "engine.rows", "fetched");
    tacit_report_integer(report, "engine.rows_fetched", rows);
    tacit_report_integer(report, "engine.empty_texts", empty);
    tacit_report_line(report, "left it", "%s rows, %s cells, left %s and were worked on in memory",
                      engine_count(rows).text, engine_count(cells).text, engine);
    if (empty)
        tacit_report_line(report, "", "%s empty texts are missing from there on",
                          engine_count(empty).text);
}

void engine_places_facts(tacit_report *report, const engine_places *places)
{
    int64_t rows = 0, cells = 0, empty = 0;
    const char *engine = NULL;
    for (int i = 0; i < places->count; i++) {
        const engine_place *place = &places->items[i];
        if (place->is_target)
            continue;
        if (place->counted) {
            add_counted(report, place);
            continue;
        }
        rows += place->rows;
        cells += place->rows * place->columns.count;
        empty += place->empty;
        engine = tacit_engine_name(place->engine);
    }
    if (engine)
        add_fetched(report, engine, rows, cells, empty);
}
