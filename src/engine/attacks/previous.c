/*
 * previous.c - a release beside earlier releases of the same source (audit_previous.h): the
 * complementary and the temporal attack.
 *
 * Several earlier releases are joined one after the other, in the order they were given, each with
 * what those before it have made certain of the release's rows. A row is exposed if one of these
 * joins surely exposes it or leaves it traced: that it could be, if the right person were behind
 * it, is told and discloses nothing yet. Then each earlier release is asked what has become of its
 * own rows (previous_back.c). What two earlier releases would say of each other alone is not
 * asked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/attacks.h"
#include "engine/attacks/previous.h"
#include "engine/job/csv.h"

/* The work: what is known of each row so far. */
typedef struct joining {
    const engine_case *c;
    engine_joint joint;
    engine_joint_file *files;
    tacit_joint_column *columns;
    tacit_joined *
        *joins; /* an earlier release each; later ones build on the columns of those before */
    const tacit_joined *last;
    tacit_node_column *known;       /* columns as the joins so far leave them */
    uint32_t *sharing, *candidates; /* a row each, up to k */
    bool *sure;
    engine_joined_rows *out;
} joining;

static bool wanted(const engine_case *c)
{
    return c->earlier && c->earlier->count > 0;
}

static void needs(engine_needs *out, const engine_case *c)
{
    (void)c;
    out->all = true; /* any column may be shared */
}

static tacit_status nomem(tacit_error *err)
{
    return tacit__nomem(err);
}

/* The lowest of every join counts. */
static void take_join(joining *j, const tacit_joined *joined, int32_t file)
{
    engine_joined_step *s = &j->out->steps[j->out->count++];
    snprintf(s->name, sizeof s->name, "%s", j->files[file].name);
    s->rows = tacit_table_rows(j->files[file].table);
    s->sums = *joined;
    s->sums.kind_of = s->sums.sharing = s->sums.candidates = s->sums.alike = NULL;
    s->sums.columns = NULL;
    s->sums.sure = NULL;
    for (int64_t row = 0; row < j->out->rows; row++) {
        uint32_t kind = joined->kind_of[row];
        if (file == 0 || joined->sharing[kind] < j->sharing[row])
            j->sharing[row] = joined->sharing[kind];
        if (file == 0 || joined->candidates[kind] < j->candidates[row])
            j->candidates[row] = joined->candidates[kind];
        j->sure[row] |= joined->sure[kind];
    }
}

/* One more earlier release. What it leaves as it was keeps the nodes that it had. */
static tacit_status join_file(joining *j, int32_t file, tacit_error *err)
{
    tacit_joined *joined = NULL;
    engine_joint_columns(j->columns, &j->joint, file);
    for (int32_t i = 0; i < j->joint.count && j->last; i++)
        j->columns[i].now = j->known[i];
    tacit_two_releases two = engine_joint_two(j->columns, &j->joint, file);
    tacit_status status = tacit_join_releases(&joined, &two, &j->c->session->run, err);
    if (status != TACIT_OK)
        return status;
    take_join(j, joined, file);
    for (int32_t i = 0; i < j->joint.count; i++) {
        tacit_node_column column = tacit_joined_column(joined, i);
        j->known[i] = column.codes.width ? column : two.columns[i].now;
    }
    j->last = j->joins[file] = joined;
    return TACIT_OK;
}

/* Of a column with a tree. */
static uint32_t known_node(const joining *j, int32_t column, int64_t row)
{
    const tacit_node_column *known = &j->known[column];
    uint32_t code = tacit_codes_at(known->codes, row);
    return known->nodes ? known->nodes[code] : code;
}

/* The node as the release has it. */
static uint32_t released_node(const joining *j, int32_t column, int64_t row)
{
    tacit_codes_view codes = tacit_table_codes(j->c->release, j->joint.released[column]);
    return tacit_lineage_nodes(j->joint.lineages[column], 0)[tacit_codes_at(codes, row)];
}

static void count_row(joining *j, int64_t row)
{
    engine_joined_rows *out = j->out;
    int64_t few = out->by_candidates ? j->candidates[row] : j->sharing[row];
    bool traced = j->candidates[row] < out->k, finer = false, exposed = traced || j->sure[row];
    for (int32_t i = 0; i < j->joint.quasi; i++)
        finer |= known_node(j, i, row) != released_node(j, i, row);
    out->finer += finer;
    out->sure += j->sure[row];
    out->traced += traced;
    out->possible += few < out->k && !exposed;
    if (!exposed)
        return;
    out->exposed++;
    out->fewest = few < out->fewest ? few : out->fewest;
    if (out->shown < ENGINE_JOINED_SHOWN) {
        out->places[out->shown] = row + 1;
        out->numbers[out->shown++] = few;
    }
}

static void sum_up(joining *j)
{
    engine_joined_rows *out = j->out;
    out->by_candidates = j->c->promise->promise.ambiguous;
    out->fewest = out->rows ? out->k : 0;
    for (int64_t row = 0; row < out->rows; row++)
        count_row(j, row);
    for (int32_t i = 0; i < out->count; i++)
        out->laid_open += out->steps[i].laid_open;
    out->classes = j->last->joined_classes;
    out->smallest = j->last->smallest_class;
}

/* What the rows that are named have come to, for who asked to see it. */
static tacit_status show_cells(joining *j, tacit_error *err)
{
    engine_joined_rows *out = j->out;
    out->header = tacit__alloc_zeroed((size_t)j->joint.quasi + 2, sizeof *out->header);
    if (!out->header)
        return nomem(err);
    out->header[0] = "row";
    for (int32_t i = 0; i < j->joint.quasi; i++)
        out->header[i + 1] = j->c->promise->attributes[i].name;
    out->header[j->joint.quasi + 1] = out->by_candidates ? "candidates" : "rows alike";
    tacit_grid_init(&out->cells, out->header, j->joint.quasi + 2);
    for (int at = 0; at < out->shown; at++) {
        tacit_grid_add(&out->cells, "%lld", (long long)out->places[at]);
        for (int32_t i = 0; i < j->joint.quasi; i++)
            tacit_grid_add_view(
                &out->cells,
                tacit_lineage_label(j->joint.lineages[i], known_node(j, i, out->places[at] - 1)));
        tacit_grid_add(&out->cells, "%lld", (long long)out->numbers[at]);
    }
    return TACIT_OK;
}

/* The column of the join for each column of the release, or -1. */
static int32_t *columns_back(const joining *j)
{
    int32_t count = tacit_table_columns(j->c->release);
    int32_t *back = tacit__alloc_zeroed((size_t)count + 1, sizeof *back);
    for (int32_t i = 0; back && i < count; i++)
        back[i] = -1;
    for (int32_t i = 0; back && i < j->joint.count; i++)
        back[j->joint.released[i]] = i;
    return back;
}

/* A cell of the joined table: as it was, unless it became finer. False: out of memory. */
static bool put_cell(engine_csv *csv, const joining *j, int32_t column, int64_t row,
                     tacit_strview raw, char **buffer)
{
    bool nested = column >= 0 && j->joint.lineages[column];
    uint32_t node = nested ? known_node(j, column, row) : 0;
    if (nested && node != released_node(j, column, row)) {
        engine_csv_text(csv, tacit_lineage_label(j->joint.lineages[column], node));
        return true;
    }
    char *larger = realloc(*buffer, raw.len + 1);
    if (!larger)
        return false;
    *buffer = larger;
    engine_csv_text(csv, (tacit_strview){larger, tacit_csv_unquote(raw, larger, raw.len + 1)});
    return true;
}

static bool put_row(engine_csv *csv, const joining *j, int64_t row, const int32_t *back,
                    tacit_strview *cells, char **buffer)
{
    tacit_table_row(j->c->release, row, cells);
    for (int32_t i = 0; i < tacit_table_columns(j->c->release); i++)
        if (!put_cell(csv, j, back[i], row, cells[i], buffer))
            return false;
    engine_csv_integer(csv, j->last->alike[j->last->kind_of[row]]);
    engine_csv_integer(csv, j->sharing[row]);
    engine_csv_integer(csv, j->candidates[row]);
    engine_csv_row(csv);
    return true;
}

/* The table of --joined: the release with what became finer, the rows alike in it, and, counted up
 * to k, the fewest rows that share a possible box of the row, and its fewest candidates. */
static tacit_status write_joined(joining *j, const char *path, tacit_error *err)
{
    const tacit_table *release = j->c->release;
    engine_csv *csv = NULL;
    char *buffer = NULL;
    int32_t *back = columns_back(j);
    tacit_strview *cells =
        tacit__alloc_zeroed((size_t)tacit_table_columns(release) + 1, sizeof *cells);
    tacit_status status = back && cells ? engine_csv_new_private(&csv, path, err) : nomem(err);
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(release); i++)
        engine_csv_text(csv, tacit_table_name(release, i));
    if (status == TACIT_OK)
        engine_csv_header(csv, (const char *const[]){"joined.alike", "joined.sharing",
                                                     "joined.candidates", NULL});
    for (int64_t row = 0; row < j->out->rows && status == TACIT_OK; row++) {
        if (!put_row(csv, j, row, back, cells, &buffer))
            status = nomem(err);
        if (status == TACIT_OK && row % (1 << 14) == 0)
            status = engine_session_check(j->c->session);
    }
    if (status == TACIT_OK)
        status = engine_csv_commit(csv, err);
    engine_csv_free(csv);
    tacit__free(buffer);
    tacit__free(cells);
    tacit__free(back);
    return status;
}

static tacit_status join_all(joining *j, tacit_error *err)
{
    const engine_case *c = j->c;
    int32_t count = (int32_t)c->earlier->count;
    size_t rows = (size_t)tacit_table_rows(c->release);
    for (int32_t i = 0; i < count; i++)
        j->files[i] =
            (engine_joint_file){c->earlier->releases[i].table, c->earlier->releases[i].name};
    tacit_status status = engine_joint_init(&j->joint, c, j->files, count, UINT32_MAX, err);
    if (status != TACIT_OK)
        return status;
    j->columns = engine_joint_room(&j->joint);
    j->known = tacit__alloc_zeroed((size_t)j->joint.count, sizeof *j->known);
    j->sharing = tacit__alloc_zeroed(rows + 1, sizeof *j->sharing);
    j->candidates = tacit__alloc_zeroed(rows + 1, sizeof *j->candidates);
    j->sure = tacit__alloc_zeroed(rows + 1, sizeof *j->sure);
    if (!j->columns || !j->known || !j->sharing || !j->candidates || !j->sure)
        return nomem(err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = join_file(j, i, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = engine_join_back(&j->out->steps[i], &j->joint, i, j->columns, j->known, err);
    if (status != TACIT_OK)
        return status;
    sum_up(j);
    if (engine_has(c->session->settings, "show"))
        status = show_cells(j, err);
    const char *path = engine_value(c->session->settings, "joined");
    return status == TACIT_OK && path ? write_joined(j, path, err) : status;
}

static void free_found(void *found)
{
    engine_joined_rows *out = found;
    if (!out)
        return;
    tacit_grid_clear(&out->cells);
    tacit__free(out->header);
    tacit__free(out->steps);
    tacit__free(out);
}

static tacit_status run(void **found, const engine_case *c, tacit_error *err)
{
    joining j = {.c = c, .out = tacit__alloc_zeroed(1, sizeof *j.out)};
    if (!j.out)
        return nomem(err);
    j.out->rows = tacit_table_rows(c->release);
    j.out->k = c->promise->promise.k;
    j.out->steps = tacit__alloc_zeroed(c->earlier->count, sizeof *j.out->steps);
    j.files = tacit__alloc_zeroed(c->earlier->count, sizeof *j.files);
    j.joins = tacit__alloc_zeroed(c->earlier->count, sizeof(tacit_joined *));
    bool room = j.out->steps && j.files && j.joins;
    tacit_status status = room ? join_all(&j, err) : nomem(err);
    for (size_t i = 0; j.joins && i < c->earlier->count; i++)
        tacit_joined_free(j.joins[i]);
    engine_joint_clear(&j.joint);
    tacit__free(j.joins);
    tacit__free(j.files);
    tacit__free(j.columns);
    tacit__free(j.known);
    tacit__free(j.sharing);
    tacit__free(j.candidates);
    tacit__free(j.sure);
    if (status == TACIT_OK)
        *found = j.out;
    else
        free_found(j.out);
    return status;
}

static bool discloses(const void *found, const engine_case *c)
{
    (void)c;
    const engine_joined_rows *in = found;
    return in->exposed > 0 || in->laid_open > 0;
}

static bool promised(const engine_case *c)
{
    return wanted(c);
}

static void shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT];
    engine_previous_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_RELEASES,
                   discloses(found, c)              ? ENGINE_ADS_BROKEN
                   : engine_joined_by_worlds(found) ? ENGINE_ADS_HOLDS
                                                    : ENGINE_ADS_UNKNOWN,
                   "%s", text);
}

const engine_attack engine_attack_previous = {
    .name = "previous",
    .title = "Joining with earlier releases",
    .wanted = wanted,
    .needs = needs,
    .run = run,
    .discloses = discloses,
    .promised = promised,
    .sentence = engine_previous_sentence,
    .tell = engine_joined_tell,
    .account = engine_joined_account,
    .page = engine_joined_page,
    .shows = shows,
    .free = free_found,
};
