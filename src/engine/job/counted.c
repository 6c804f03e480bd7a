/*
 * counted.c - a table in an engine read without its rows: the distinct combinations of the columns
 * that a job looks at, each as often as it stands. A job cannot tell that from a file whose other
 * columns are empty, in the order of their values; so only jobs ask for it that look at no other
 * column and at no order.
 *
 * One GROUP BY; memory as a file of these columns takes it. What leaves the engine are
 * combinations: one that a single row has is that row's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/job/csv.h"
#include "engine/job/files.h"

typedef struct counting {
    engine_place *place;
    const tacit_csv_options *options;
    int fd;
    tacit__strbuf text, line;
} counting;

static bool is_coded(const counting *c, tacit_strview name)
{
    for (size_t i = 0; i < c->options->coded_count; i++)
        if (tacit_strview_equal(tacit_strview_of(c->options->coded[i]), name))
            return true;
    return false;
}

static tacit_status put_text(counting *c, size_t beyond, tacit_error *err)
{
    if (c->text.failed || c->line.failed)
        return tacit__nomem(err);
    if (c->text.len <= beyond)
        return TACIT_OK;
    tacit_status status = engine_write_all(c->fd, "combinations", c->text.bytes, c->text.len, err);
    c->text.len = 0;
    return status;
}

/* A combination and its number: as many rows, with nothing in the columns that were not asked for.
 * Where all were asked for nothing, there is the number alone. */
static tacit_status take_combination(void *context, const tacit_strview *cells, int32_t count,
                                     tacit_error *err)
{
    enum { PIECE = 1 << 20 };
    counting *c = context;
    const tacit_engine_columns *columns = &c->place->columns;
    char number[24] = "";
    if (!cells[count - 1].bytes || cells[count - 1].len >= sizeof number)
        return tacit__error(err, TACIT_IO, "the engine's answer is no number");
    memcpy(number, cells[count - 1].bytes, cells[count - 1].len);
    long long rows = strtoll(number, NULL, 10);
    if (rows < 0 || c->place->rows + rows > TACIT_MAX_ROWS)
        return tacit__error(err, TACIT_LIMIT, "at most %lld rows can be counted",
                            (long long)TACIT_MAX_ROWS);
    c->line.len = 0;
    for (int32_t i = 0, at = 0; i < columns->count; i++) {
        if (i > 0)
            tacit__strbuf_add(&c->line, ",", 1);
        engine_csv_cell(&c->line,
                        is_coded(c, columns->list[i].name) ? cells[at++] : (tacit_strview){"", 0});
    }
    tacit__strbuf_add(&c->line, "\n", 1);
    tacit_status status = TACIT_OK;
    for (long long i = 0; i < rows && status == TACIT_OK && !c->line.failed; i++) {
        tacit__strbuf_add(&c->text, c->line.bytes, c->line.len);
        status = put_text(c, PIECE, err);
    }
    c->place->rows += rows;
    c->place->combinations++;
    return c->line.failed ? tacit__nomem(err) : status;
}

/* Each column that is looked at, missing ones as null; returns how many. Written out each time:
 * not every engine knows columns of an answer by their numbers. */
static int32_t add_coded(const counting *c, tacit_sql *sql, const char *before)
{
    const tacit_engine_columns *columns = &c->place->columns;
    int32_t count = 0;
    for (int32_t i = 0; i < columns->count; i++)
        if (is_coded(c, columns->list[i].name)) {
            tacit_sql_add(sql, c->place->engine, "%s", count++ ? ", " : before);
            tacit_sql_add(sql, c->place->engine, "NULLIF(%x, '')", columns->list[i].name);
        }
    return count;
}

static tacit_status count(counting *c, engine_session *session)
{
    tacit_engine *engine = c->place->engine;
    tacit_sql sql = {0};
    int32_t asked = add_coded(c, &sql, "SELECT ");
    tacit_sql_add(&sql, engine, "%s COUNT(*) FROM %p", asked ? "," : "SELECT",
                  tacit_engine_table(engine));
    add_coded(c, &sql, " GROUP BY ");
    add_coded(c, &sql, " ORDER BY ");
    c->place->rows = c->place->combinations = 0;
    c->place->asked = asked;
    tacit_status status =
        tacit_engine_query(engine, &sql, take_combination, c, &session->run, &session->error);
    tacit_sql_clear(&sql);
    return status;
}

static tacit_status write_text(counting *c, engine_session *session)
{
    const tacit_engine_columns *columns = &c->place->columns;
    for (int32_t i = 0; i < columns->count; i++) {
        if (i > 0)
            tacit__strbuf_add(&c->text, ",", 1);
        engine_csv_cell(&c->text, columns->list[i].name);
    }
    tacit__strbuf_add(&c->text, "\n", 1);
    tacit_status status = c->options->header_only ? TACIT_OK : count(c, session);
    return status == TACIT_OK ? put_text(c, 0, &session->error) : status;
}

static tacit_status check_wanted(const tacit_csv_options *options, tacit_error *err)
{
    if (options->header_only || options->code_none || (options->coded && !options->digest))
        return TACIT_OK;
    return tacit__error(
        err, TACIT_INVALID,
        "that takes all columns together, which are the rows: name the columns that "
        "others may know (--quasi), or let the rows leave with --fetch-rows");
}

tacit_status engine_places_read(tacit_table **out, const char *path,
                                const tacit_csv_options *options, engine_session *session)
{
    tacit_error *err = &session->error;
    counting c = {.options = options, .fd = -1};
    if (!tacit_is_place(path))
        return tacit_table_read(out, path, options, &session->run, err);
    tacit_status status = check_wanted(options, err);
    if (status == TACIT_OK)
        status = engine_places_counted(&c.place, path, session);
    if (status == TACIT_OK && (c.fd = memfd_create("tacit", MFD_CLOEXEC)) < 0)
        status = tacit__io(err, NULL, "cannot keep the combinations", errno);
    if (status == TACIT_OK)
        status = write_text(&c, session);
    tacit_csv_options plain = *options;
    plain.delimiter = ',';
    plain.encoding = TACIT_ENCODING_UTF8;
    if (status == TACIT_OK)
        status = tacit_table_read_fd(out, c.fd, path, &plain, &session->run, err);
    tacit__strbuf_clear(&c.text);
    tacit__strbuf_clear(&c.line);
    if (c.fd >= 0)
        close(c.fd);
    return status;
}
