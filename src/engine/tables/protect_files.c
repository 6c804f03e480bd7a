/*
 * protect_files.c - what `tacit protect` reads and writes.
 *
 * A .jj, a CSV of records or of cells, or several tables that share cells become one set of cells.
 * Several files are a table each, over those of the dimensions that they have a column for; --table
 * makes several tables of one file, over the dimensions it names.
 *
 * The release, the table in full for the data holder and a pivoted release for people are written
 * to files that have no name yet and appear together at the end. Before that the release is read
 * back: what stands in it is compared, cell by cell, with what may.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/tables/protect.h"

/* A table over some of the dimensions. */
typedef struct choice {
    tacit_dimension_spec list[TACIT_MAX_DIMENSIONS];
    int32_t count;
} choice;

/* The tables read so far. */
typedef struct parts {
    tacit_cells *list[ENGINE_MAX_PARTS];
    int32_t count;
    bool used[TACIT_MAX_DIMENSIONS]; /* by one of them */
} parts;

static tacit_status read_table(tacit_table **out, engine_protection *p, const char *file)
{
    tacit_csv_options options;
    engine_csv_options(&options, p->session);
    tacit_status status =
        tacit_table_read(out, file, &options, &p->session->run, &p->session->error);
    if (status == TACIT_OK)
        engine_session_source(p->session, *out);
    if (status == TACIT_OK && !p->delimiter)
        p->delimiter = tacit_table_delimiter(*out);
    return status;
}

/* ---- one table ---- */

/* What only records can have. */
static tacit_status check_cells(const engine_protection *p, const char *file)
{
    static const char *const OF_RECORDS[] = {"weight", "holding", "shadow"};
    for (size_t i = 0; i < sizeof OF_RECORDS / sizeof *OF_RECORDS; i++)
        if (engine_has(p->session->settings, OF_RECORDS[i]))
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--%s is about records, and rows of %.200s are cells; if they are "
                                "not, say --rows records",
                                OF_RECORDS[i], file);
    return TACIT_OK;
}

static tacit_status make_part(parts *made, engine_protection *p, const tacit_table *table,
                              const choice *dimensions)
{
    engine_session *session = p->session;
    tacit_error *err = &session->error;
    tacit_cells_spec spec = p->spec;
    bool cells = p->rows == ENGINE_ROWS_CELLS;
    spec.dimensions = dimensions->list;
    spec.dimension_count = dimensions->count;
    tacit_status status = TACIT_OK;
    if (p->rows == ENGINE_ROWS_UNKNOWN)
        status = tacit_cells_is_table(&cells, table, &spec, err);
    if (status == TACIT_OK && cells && engine_is_noise(p))
        status = tacit__error(err, TACIT_INVALID,
                              "the rows of %.200s look like cells, and --method dp counts people; "
                              "if they are records, say --rows records",
                              tacit_table_file(table));
    if (status == TACIT_OK && cells)
        status = check_cells(p, tacit_table_file(table));
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < dimensions->count; i++)
        made->used[engine_dims_find(&p->dims, dimensions->list[i].column,
                                    strlen(dimensions->list[i].column))] = true;
    tacit_cells **out = &made->list[made->count];
    status = cells ? tacit_cells_from_table(out, table, &spec, &session->run, err)
                   : tacit_cells_from_records(out, table, &spec, &session->run, err);
    made->count += status == TACIT_OK;
    return status;
}

/* ---- several tables of one file ---- */

/* One --table: names of dimensions with commas between. */
static tacit_status read_names(choice *out, const engine_protection *p, const char *text)
{
    out->count = 0;
    for (const char *name = text;; name++) {
        size_t len = strcspn(name, ",");
        int32_t at = engine_dims_find(&p->dims, name, len);
        bool twice = false;
        for (int32_t i = 0; at >= 0 && i < out->count; i++)
            twice |= out->list[i].column == p->dims.list[at].column;
        if (at < 0 || twice)
            return tacit__error(
                &p->session->error, TACIT_INVALID,
                "--table %.80s: %s; it takes names of --dim, each once, with commas "
                "between",
                text, twice ? "a name is given twice" : "a name is not a --dim");
        out->list[out->count++] = p->dims.list[at];
        name += len;
        if (!*name)
            return TACIT_OK;
    }
}

static tacit_status read_tables_of(parts *made, engine_protection *p, const tacit_table *table)
{
    const engine_settings *settings = p->session->settings;
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++) {
        choice dimensions;
        if (strcmp(settings->given[i].setting->name, "table") != 0)
            continue;
        if (made->count == ENGINE_MAX_PARTS)
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "at most %d tables can be linked", ENGINE_MAX_PARTS);
        status = read_names(&dimensions, p, settings->given[i].value);
        if (status == TACIT_OK)
            status = make_part(made, p, table, &dimensions);
    }
    return status;
}

/* ---- one file, or several ---- */

/* All dimensions, or of several files those that this one has. */
static void choose(choice *out, const engine_protection *p, const tacit_table *table, bool all)
{
    out->count = 0;
    for (int32_t d = 0; d < p->dims.count; d++)
        if (all || tacit_table_find(table, tacit_strview_of(p->dims.names[d])) >= 0)
            out->list[out->count++] = p->dims.list[d];
}

static tacit_status read_file(parts *made, engine_protection *p, const char *file, bool alone)
{
    tacit_table *table = NULL;
    choice dimensions;
    tacit_status status = read_table(&table, p, file);
    if (status != TACIT_OK)
        return status;
    choose(&dimensions, p, table, alone);
    if (alone && engine_has(p->session->settings, "table"))
        status = read_tables_of(made, p, table);
    else if (dimensions.count == 0)
        status = tacit__error(&p->session->error, TACIT_INVALID,
                              "%.200s has a column for none of the dimensions", file);
    else
        status = make_part(made, p, table, &dimensions);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(table, &p->session->run, &p->session->error);
    if (engine_is_noise(p))
        p->records = table;
    else
        tacit_table_free(table);
    return status;
}

static tacit_status read_files(parts *made, engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    bool alone = settings->input_count == 1;
    tacit_status status = TACIT_OK;
    if (!alone && engine_has(settings, "table"))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--table makes tables of one file; several files are a table each");
    for (size_t i = 0; i < settings->input_count && status == TACIT_OK; i++)
        status = read_file(made, p, settings->inputs[i], alone);
    return status;
}

static tacit_status check_used(const parts *made, const engine_protection *p)
{
    for (int32_t d = 0; d < p->dims.count; d++)
        if (!made->used[d])
            return tacit__error(&p->session->error, TACIT_INVALID, "--dim %.80s is in no table",
                                p->dims.names[d]);
    return TACIT_OK;
}

static tacit_status join_parts(engine_protection *p, parts *made)
{
    if (made->count == 1) {
        p->cells = made->list[0];
        made->list[0] = NULL;
        return TACIT_OK;
    }
    return tacit_cells_link(&p->cells, (const tacit_cells *const *)made->list, made->count,
                            p->spec.tolerance, &p->session->error);
}

tacit_status engine_protect_read(engine_protection *p)
{
    engine_session *session = p->session;
    const char *file = session->settings->inputs[0];
    parts made = {.count = 0};
    if (engine_is_jj(file))
        return tacit_cells_read_jj(&p->cells, file, p->spec.tolerance, &session->run,
                                   &session->error);
    tacit_status status = read_files(&made, p);
    if (status == TACIT_OK)
        status = check_used(&made, p);
    if (status == TACIT_OK)
        status = join_parts(p, &made);
    for (int32_t i = 0; i < made.count; i++)
        tacit_cells_free(made.list[i]);
    return status;
}

/* ---- writing ---- */

static const char *print_target(const char *target)
{
    return strcmp(target, "-") == 0 ? "standard output" : target;
}

static const tacit_intervals *intervals_of(const engine_protection *p)
{
    return p->intervals ? &p->pattern.intervals : NULL;
}

static tacit_cells_csv_options csv_options(const engine_protection *p, bool release)
{
    return (tacit_cells_csv_options){.delimiter = p->delimiter,
                                     .release = release,
                                     .value = p->spec.value,
                                     .intervals = intervals_of(p),
                                     .published =
                                         p->altering.method ? p->altering.altered.value : NULL};
}

static tacit_status write_table(engine_protection *p, int fd, const char *target, bool release)
{
    tacit_error *err = &p->session->error;
    tacit_cells_csv_options options = csv_options(p, release);
    const tacit_cells *cells = release ? p->released : p->cells;
    if (engine_is_jj(target))
        return tacit_cells_write_jj(fd, print_target(target), cells, p->pattern.status, err);
    return tacit_cells_write_csv(fd, print_target(target), cells, p->pattern.status, &options, err);
}

static tacit_status write_pivot(engine_protection *p, int fd, const char *target)
{
    const tacit_pivot_options options = {
        .delimiter = p->delimiter, .across = -1, .intervals = intervals_of(p)};
    return tacit_cells_write_pivot(fd, print_target(target), p->released, p->pattern.status,
                                   &options, &p->session->error);
}

/* The data holder's own, which nobody else may read. */
static bool is_private(int target)
{
    return target == ENGINE_PROTECT_FULL || target == ENGINE_PROTECT_SBS;
}

static tacit_status write_target(engine_protection *p, int i, int fd)
{
    const char *target = p->targets[i];
    if (i == ENGINE_PROTECT_PIVOT)
        return write_pivot(p, fd, target);
    if (i == ENGINE_PROTECT_SBS)
        return tacit_cells_write_sbs(fd, print_target(target), p->cells, p->pattern.status,
                                     p->rules, p->rule_count, &p->session->error);
    return write_table(p, fd, target, i == ENGINE_PROTECT_RELEASE);
}

tacit_status engine_protect_write(engine_protection *p)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < ENGINE_PROTECT_FILES && status == TACIT_OK; i++) {
        const char *target = p->targets[i];
        if (!target)
            continue;
        status = is_private(i)
                     ? tacit_output_new_private(&p->outputs[i], target, &p->session->error)
                     : tacit_output_new(&p->outputs[i], target, &p->session->error);
        if (status == TACIT_OK && i == ENGINE_PROTECT_RELEASE && engine_form_converts(p))
            status = tacit_output_new(&p->form.judged, "-", &p->session->error);
        if (status != TACIT_OK)
            return status;
        int fd = i == ENGINE_PROTECT_RELEASE ? engine_judged_fd(p) : tacit_output_fd(p->outputs[i]);
        status = write_target(p, i, fd);
    }
    return status;
}

/* ---- the second check ---- */

tacit_status engine_protect_read_back(tacit_table **out, engine_protection *p)
{
    const tacit_cells_csv_options written = csv_options(p, true);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = written.delimiter ? written.delimiter : ';';
    return tacit_table_read_fd(out, engine_judged_fd(p), "the release", &options, &p->session->run,
                               &p->session->error);
}

static tacit_status check_written_csv(engine_protection *p)
{
    engine_session *session = p->session;
    const tacit_cells_csv_options written = csv_options(p, true);
    tacit_table *table = NULL;
    tacit_status status = engine_protect_read_back(&table, p);
    if (status == TACIT_OK)
        status = tacit_audit_cells_written(&p->written, p->released, p->pattern.status, table,
                                           &written, &session->run, &session->error);
    tacit_table_free(table);
    return status;
}

static tacit_status check_written_jj(engine_protection *p)
{
    engine_session *session = p->session;
    tacit_error *err = &session->error;
    char *text = NULL;
    size_t len = 0;
    tacit_cells *cells = NULL;
    tacit_status status = engine_read_all(&text, &len, engine_judged_fd(p), "the release", err);
    if (status == TACIT_OK)
        status = tacit_cells_parse_jj(&cells, (tacit_strview){text, len}, "the release",
                                      p->spec.tolerance, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_audit_cells_same(&p->written, p->released, p->pattern.status, cells, err);
    tacit_cells_free(cells);
    tacit__free(text);
    return status;
}

/* Intervals that anybody can work out say no more than the blanks. */
static tacit_status check_intervals(engine_protection *p)
{
    if (!p->intervals || p->chosen)
        return TACIT_OK;
    return tacit_audit_intervals_public(p->written, p->cells, &p->session->run, &p->session->error);
}

static tacit_status refuse_written(engine_protection *p)
{
    const tacit_cells_written *written = p->written;
    for (int32_t i = 1; i < written->listed; i++)
        engine_warn(p->session, "the second check finds: %s", written->problems[i].message);
    return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                        "the second check refuses the release, and nothing is written: %s",
                        written->problems[0].message);
}

tacit_status engine_protect_check(engine_protection *p)
{
    bool jj = engine_is_jj(p->targets[ENGINE_PROTECT_RELEASE]);
    tacit_status status = jj ? check_written_jj(p) : check_written_csv(p);
    if (status == TACIT_OK && p->written->holds)
        status = check_intervals(p);
    if (status == TACIT_OK && !p->written->holds)
        status = refuse_written(p);
    return status == TACIT_OK ? engine_form_fill(p) : status;
}
