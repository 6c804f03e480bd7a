/*
 * measured.c - the data and the release side by side, and which row came from which, given to the
 * measures of loss and to the attack by distance.
 */
#include "engine/masking/measured.h"
#include "base/alloc.h"
#include "base/arena.h"

#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"

/* Columns of the data by what the measures need of them; names borrow. */
typedef struct measured_columns {
    const char **all; /* that are released: all but identifiers and text */
    const char **opaque;
    const char **nominal;
    const char **quasi;
    const tacit_hierarchy_spec **hierarchies; /* of quasi */
    size_t all_count, opaque_count, nominal_count, quasi_count;
    tacit__arena arena; /* of the lists and of the names */
} measured_columns;

typedef struct pair {
    tacit_table *original, *release;
    uint32_t *origin;
} pair;

/* ---- columns ---- */

static bool reserve_columns(measured_columns *c, const tacit_table *header)
{
    size_t bytes = (size_t)tacit_table_columns(header) * sizeof *c->all;
    c->all = tacit__arena_alloc(&c->arena, bytes);
    c->opaque = tacit__arena_alloc(&c->arena, bytes);
    c->nominal = tacit__arena_alloc(&c->arena, bytes);
    c->quasi = tacit__arena_alloc(&c->arena, bytes);
    c->hierarchies = tacit__arena_alloc(&c->arena, bytes);
    return c->all && c->opaque && c->nominal && c->quasi && c->hierarchies;
}

static void add_column(measured_columns *c, const char *name, const tacit_policy_column *column,
                       const engine_release *release)
{
    c->all[c->all_count++] = name;
    if (engine_masking_is_opaque(&release->masking, name))
        c->opaque[c->opaque_count++] = name;
    if (column && column->hierarchy.kind == TACIT_HIERARCHY_MASK)
        c->nominal[c->nominal_count++] = name;
    bool known = column && column->role == TACIT_ROLE_QUASI;
    if (known && c->quasi_count < TACIT_MAX_RELINK_COLUMNS) {
        c->hierarchies[c->quasi_count] = &column->hierarchy;
        c->quasi[c->quasi_count++] = name;
    }
}

static tacit_status choose(measured_columns *c, const tacit_table *header,
                           const engine_release *release, tacit_error *err)
{
    if (!reserve_columns(c, header))
        return tacit__nomem(err);
    for (int32_t i = 0; i < tacit_table_columns(header); i++) {
        tacit_strview name = tacit_table_name(header, i);
        const tacit_policy_column *column = tacit_policy_find(release->policy, name);
        const char *person = release->policy->person;
        bool names = (column && column->role == TACIT_ROLE_IDENTIFIER) ||
                     (person && tacit_strview_equal(name, tacit_strview_of(person)));
        if (names || engine_fate(column) == TACIT_REPLACE_SCRUB)
            continue;
        const char *kept = tacit__arena_copy(&c->arena, name).bytes;
        if (!kept)
            return tacit__nomem(err);
        add_column(c, kept, column, release);
    }
    return TACIT_OK;
}

/* ---- tables ---- */

static tacit_status read_header(tacit_table **header, const engine_release *release)
{
    engine_session *session = release->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.header_only = true;
    return tacit_table_read(header, release->data, &options, &session->run, &session->error);
}

static tacit_status read_both(pair *p, const measured_columns *c, const engine_release *release)
{
    engine_session *session = release->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.coded = c->all;
    options.coded_count = c->all_count;
    options.let_go = true;
    tacit_status status =
        tacit_table_read(&p->original, release->data, &options, &session->run, &session->error);
    return status == TACIT_OK ? engine_release_read_back(&p->release, release, options) : status;
}

/* The data's row behind each released one: through the order of the release, and through what
 * techniques did to the rows. */
static tacit_status trace(pair *p, const engine_release *release)
{
    int64_t rows = tacit_table_rows(p->release);
    const uint32_t *order = release->application->order;
    const uint32_t *masked =
        release->masking.masked ? tacit_masked_origin(release->masking.masked) : NULL;
    p->origin = tacit__alloc(((size_t)rows + 1) * sizeof *p->origin);
    if (!p->origin)
        return tacit__nomem(&release->session->error);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t from = order ? order[row] : (uint32_t)row;
        p->origin[row] = masked ? masked[from] : from;
    }
    return TACIT_OK;
}

/* ---- measures ---- */

static tacit_status measure_loss(engine_measured *measured, const pair *p,
                                 const measured_columns *c, engine_session *session)
{
    const tacit_loss_case loss = {
        .original = p->original, .release = p->release, .origin = p->origin};
    tacit_loss_options options;
    tacit_loss_options_init(&options);
    options.columns = c->all;
    options.column_count = c->all_count;
    options.opaque = c->opaque;
    options.opaque_count = c->opaque_count;
    options.nominal = c->nominal;
    options.nominal_count = c->nominal_count;
    return tacit_loss_measure(&measured->loss, &loss, &options, &session->run, &session->error);
}

static tacit_status measure_links(engine_measured *measured, const pair *p,
                                  const measured_columns *c, const engine_release *release)
{
    engine_session *session = release->session;
    const tacit_relink_case relink = {.original = p->original,
                                      .release = p->release,
                                      .origin = p->origin,
                                      .columns = c->quasi,
                                      .column_count = c->quasi_count,
                                      .hierarchies = c->hierarchies};
    tacit_relink_options options;
    tacit_relink_options_init(&options);
    if (release->wanted.k > 1)
        options.k = release->wanted.k;
    return tacit_relink_measure(&measured->relinked, &relink, &options, &session->run,
                                &session->error);
}

static tacit_status measure(engine_release *release)
{
    measured_columns c = {0};
    pair p = {0};
    tacit_table *header = NULL;
    tacit_status status = read_header(&header, release);
    if (status == TACIT_OK)
        status = choose(&c, header, release, &release->session->error);
    if (status == TACIT_OK)
        status = read_both(&p, &c, release);
    if (status == TACIT_OK)
        status = trace(&p, release);
    if (status == TACIT_OK)
        status = measure_loss(&release->measured, &p, &c, release->session);
    if (status == TACIT_OK)
        status = measure_links(&release->measured, &p, &c, release);
    tacit_table_free(header);
    tacit_table_free(p.original);
    tacit_table_free(p.release);
    tacit__free(p.origin);
    tacit__arena_clear(&c.arena);
    return status;
}

tacit_status engine_measured_run(engine_release *release)
{
    bool refused = engine_has(release->session->settings, "no-evaluate");
    if (refused || (!release->masking.masking && !release->measured.wanted))
        return TACIT_OK;
    if (engine_is_file(release->data))
        return measure(release);
    engine_warn(release->session, "information loss and re-linking are not measured, because the "
                                  "data can be read only once; give a file");
    return TACIT_OK;
}

void engine_measured_clear(engine_measured *measured)
{
    tacit_loss_free(measured->loss);
    tacit_relink_free(measured->relinked);
    memset(measured, 0, sizeof *measured);
}

void engine_measured_facts(tacit_report *report, const engine_measured *measured)
{
    if (measured->loss)
        engine_loss_facts(report, measured->loss);
    if (measured->relinked)
        engine_relink_facts(report, measured->relinked);
}
