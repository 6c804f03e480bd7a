/*
 * measured.c - the data and the release side by side, and which row came from which, given to the
 * measures of loss and to the attack by distance.
 */
#include "engine/masking/measured.h"
#include "base/alloc.h"
#include "base/arena.h"

#include <string.h>
#include <tacit/experimental/uniques.h>

#include "base/error.h"
#include "engine/job/files.h"

/* Columns of the data by what the measures need of them; names borrow. */
typedef struct measured_columns {
    const char **all; /* that are released: all but identifiers and text */
    const char **opaque;
    const char **nominal;
    const char **quasi;
    const char **others;                      /* neither quasi nor opaque */
    const tacit_hierarchy_spec **hierarchies; /* of quasi */
    size_t all_count, opaque_count, nominal_count, quasi_count, other_count;
    bool weight_measured; /* the column of sampling weights is one of all */
    tacit__arena arena;   /* of the lists and of the names */
} measured_columns;

typedef struct pair {
    tacit_table *original, *release;
    uint32_t *origin;
    double *stands_for[2]; /* NULL: no sampling weights */
} pair;

/* ---- columns ---- */

static bool reserve_columns(measured_columns *c, const tacit_table *header)
{
    size_t bytes = (size_t)tacit_table_columns(header) * sizeof *c->all;
    c->all = tacit__arena_alloc(&c->arena, bytes);
    c->opaque = tacit__arena_alloc(&c->arena, bytes);
    c->nominal = tacit__arena_alloc(&c->arena, bytes);
    c->quasi = tacit__arena_alloc(&c->arena, bytes);
    c->others = tacit__arena_alloc(&c->arena, bytes);
    c->hierarchies = tacit__arena_alloc(&c->arena, bytes);
    return c->all && c->opaque && c->nominal && c->quasi && c->others && c->hierarchies;
}

static void add_column(measured_columns *c, const char *name, const tacit_policy_column *column,
                       const engine_release *release)
{
    const char *weight = release->policy->sampling_weight;
    c->all[c->all_count++] = name;
    bool opaque = engine_masking_is_opaque(&release->masking, name);
    c->weight_measured |= weight && strcmp(name, weight) == 0;
    if (opaque)
        c->opaque[c->opaque_count++] = name;
    if (column && column->hierarchy.kind == TACIT_HIERARCHY_MASK)
        c->nominal[c->nominal_count++] = name;
    bool known = column && column->role == TACIT_ROLE_QUASI;
    if (known && c->quasi_count < TACIT_MAX_RELINK_COLUMNS) {
        c->hierarchies[c->quasi_count] = &column->hierarchy;
        c->quasi[c->quasi_count++] = name;
    }
    if (!known && !opaque)
        c->others[c->other_count++] = name;
}

/* Whether a column is measured: it neither names people nor is text that is scrubbed. */
static bool is_measured(const engine_release *release, tacit_strview name)
{
    const tacit_policy_column *column = tacit_policy_find(release->policy, name);
    const char *person = release->policy->person;
    bool names = (column && column->role == TACIT_ROLE_IDENTIFIER) ||
                 (person && tacit_strview_equal(name, tacit_strview_of(person)));
    return !names && engine_fate(column) != TACIT_REPLACE_SCRUB;
}

static tacit_status choose(measured_columns *c, const tacit_table *header,
                           const engine_release *release, tacit_error *err)
{
    if (!reserve_columns(c, header))
        return tacit__nomem(err);
    for (int32_t i = 0; i < tacit_table_columns(header); i++) {
        tacit_strview name = tacit_table_name(header, i);
        if (!is_measured(release, name))
            continue;
        const char *kept = tacit__arena_copy(&c->arena, name).bytes;
        if (!kept)
            return tacit__nomem(err);
        add_column(c, kept, tacit_policy_find(release->policy, name), release);
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
    bool weight_aside = release->policy->sampling_weight && !c->weight_measured;
    if (weight_aside) /* there is room: it is a column that is not among them */
        c->all[c->all_count] = release->policy->sampling_weight;
    options.coded = c->all;
    options.coded_count = c->all_count + weight_aside;
    options.let_go = true;
    tacit_status status =
        tacit_table_read(&p->original, release->data, &options, &session->run, &session->error);
    options.coded_count = c->all_count;
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

/* How many people a released row stands for: as it says itself, or where weights are not released,
 * as the row that it came from; a made-up row then has the mean weight. */
static tacit_status weigh_release(pair *p, const char *name, tacit_error *err)
{
    int32_t column = tacit_table_find(p->release, tacit_strview_of(name));
    int64_t rows = tacit_table_rows(p->release), known = tacit_table_rows(p->original);
    double sum = 0;
    if (column >= 0 && tacit_table_is_coded(p->release, column))
        return tacit_weights_new(&p->stands_for[1], p->release, column, err);
    for (int64_t row = 0; row < known; row++)
        sum += p->stands_for[0][row];
    double *weights = tacit__alloc_array((size_t)rows, sizeof *weights);
    if (!weights)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        weights[row] = p->origin[row] == TACIT_LOSS_MADE_UP ? sum / (double)known
                                                            : p->stands_for[0][p->origin[row]];
    p->stands_for[1] = weights;
    return TACIT_OK;
}

static tacit_status weigh(pair *p, const engine_release *release)
{
    const char *name = release->policy->sampling_weight;
    tacit_error *err = &release->session->error;
    if (!name)
        return TACIT_OK;
    tacit_status status = tacit_weights_new(
        &p->stands_for[0], p->original, tacit_table_find(p->original, tacit_strview_of(name)), err);
    return status == TACIT_OK ? weigh_release(p, name, err) : status;
}

/* ---- measures ---- */

static tacit_status measure_loss(engine_measured *measured, const pair *p,
                                 const measured_columns *c, engine_session *session)
{
    const tacit_loss_case loss = {.original = p->original,
                                  .release = p->release,
                                  .origin = p->origin,
                                  .stands_for = {p->stands_for[0], p->stands_for[1]}};
    tacit_loss_options options;
    tacit_loss_options_init(&options);
    options.columns = c->all;
    options.column_count = c->all_count;
    options.opaque = c->opaque;
    options.opaque_count = c->opaque_count;
    options.nominal = c->nominal;
    options.nominal_count = c->nominal_count;
    options.target = engine_value(session->settings, "target");
    options.seed = engine_number(session->settings, "seed", 0);
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

/* Of rows with values that were drawn nobody can say whose they are. */
static tacit_status measure_copies(engine_measured *measured, const pair *p,
                                   const measured_columns *c, const engine_release *release)
{
    engine_session *session = release->session;
    const tacit_copies_case copies = {.original = p->original,
                                      .release = p->release,
                                      .keys = c->quasi,
                                      .key_count = c->quasi_count,
                                      .others = c->others,
                                      .other_count = c->other_count};
    tacit_copies_options options;
    tacit_copies_options_init(&options);
    if (!release->masking.made_up || c->quasi_count == 0)
        return TACIT_OK;
    return tacit_copies_measure(&measured->copies, &copies, &options, &session->run,
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
        status = weigh(&p, release);
    if (status == TACIT_OK)
        status = measure_loss(&release->measured, &p, &c, release->session);
    if (status == TACIT_OK)
        status = measure_links(&release->measured, &p, &c, release);
    if (status == TACIT_OK)
        status = measure_copies(&release->measured, &p, &c, release);
    tacit_table_free(header);
    tacit_table_free(p.original);
    tacit_table_free(p.release);
    tacit__free(p.origin);
    tacit_weights_free(p.stands_for[0]);
    tacit_weights_free(p.stands_for[1]);
    tacit__arena_clear(&c.arena);
    return status;
}

tacit_status engine_measured_check(const engine_release *release)
{
    const engine_settings *settings = release->session->settings;
    const char *target = engine_value(settings, "target");
    tacit_error *err = &release->session->error;
    if (!target)
        return TACIT_OK;
    if (engine_has(settings, "no-evaluate"))
        return tacit__error(err, TACIT_INVALID,
                            "--target is about what is measured, and --no-evaluate measures "
                            "nothing; leave one of them out");
    if (tacit_table_find(release->table, tacit_strview_of(target)) < 0)
        return tacit__error(err, TACIT_INVALID, "--target: the data has no column \"%s\"",
                            engine_show(target).text);
    if (!is_measured(release, tacit_strview_of(target)))
        return tacit__error(err, TACIT_INVALID,
                            "--target: column \"%s\" names people or is scrubbed text, which is "
                            "not measured",
                            engine_show(target).text);
    return TACIT_OK;
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
    tacit_copies_free(measured->copies);
    memset(measured, 0, sizeof *measured);
}

void engine_measured_facts(tacit_report *report, const engine_measured *measured)
{
    if (measured->loss)
        engine_loss_facts(report, measured->loss);
    if (measured->relinked)
        engine_relink_facts(report, measured->relinked);
    if (measured->copies)
        engine_copies_facts(report, measured->copies);
}
