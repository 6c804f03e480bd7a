/*
 * previous.c - a release beside earlier releases of the same source (audit_previous.h): the
 * complementary and the temporal attack.
 *
 * Several earlier releases are joined one after the other, in the order they were given, each with
 * what those before it have made certain of the release's rows. A row is exposed if one of these
 * joins surely exposes it or leaves it traced: that it could be, if the right person were behind
 * it, is told and discloses nothing yet. What two earlier releases would say of each other alone is
 * not asked.
 *
 * Then each earlier release is asked what has become of its own rows: the same join with the sides
 * exchanged. A release can keep k rows alike and leave fewer in the earlier one: of two rows 0213*
 * one becomes 02138 by the join, and whoever knows somebody of 02139 has the other. Rows that the
 * earlier release had in classes below k by itself are not this release's doing, and do not count.
 * That is asked only where somebody is exposed, by joining the earlier release with nothing. Costs
 * what the join costs, and a byte for each row of the earlier release if it lacks a
 * quasi-identifying column.
 *
 * Values of the data are shown only where that is asked for.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "engine/attacks/joint.h"
#include "engine/job/csv.h"

enum { MAX_SHOWN = 10 }; /* exposed rows that are named */

/* The join with one earlier release, in numbers. */
typedef struct joined_step {
    char name[128];
    tacit_joined sums; /* without its arrays */
    int64_t rows;
    /* Of its own rows, those that it had in classes of k by itself and that are surely exposed or
     * traced now; what stands behind the worst of them. */
    int64_t laid_open, fewest;
} joined_step;

typedef struct joined_rows {
    joined_step *steps;
    int32_t count;
    int64_t rows, k;
    bool by_candidates;
    int64_t exposed;   /* rows that are surely exposed, or traced */
    int64_t laid_open; /* the same of rows of earlier releases, all of them together */
    int64_t possible;  /* rows that would be, if the right person were behind them */
    int64_t sure, traced;
    int64_t fewest; /* of exposed rows: rows that share a box, or candidates where these are what is
                       promised */
    int64_t finer;  /* rows with a value finer than released, all joins together */
    int64_t classes, smallest; /* of the table that they form */
    int64_t places[MAX_SHOWN];
    int64_t numbers[MAX_SHOWN]; /* of rows alike, or candidates */
    int shown;
    tacit_strview *cells; /* of these rows, where they are to be shown; NULL: they are not */
    int32_t column_count;
    tacit__arena arena;
} joined_rows;

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
    joined_rows *out;
} joining;

static bool previous_wanted(const engine_case *c)
{
    return c->earlier && c->earlier->count > 0;
}

static void previous_needs(engine_needs *out, const engine_case *c)
{
    (void)c;
    out->all = true; /* any column may be shared */
}

/* The lowest of every join counts. */
static void take_join(joining *j, const tacit_joined *joined, int32_t file)
{
    joined_step *s = &j->out->steps[j->out->count++];
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
    joined_rows *out = j->out;
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
    if (out->shown < MAX_SHOWN) {
        out->places[out->shown] = row + 1;
        out->numbers[out->shown++] = few;
    }
}

static void sum_up(joining *j)
{
    joined_rows *out = j->out;
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
static tacit_status keep_cells(joining *j, tacit_error *err)
{
    joined_rows *out = j->out;
    int32_t quasi = out->column_count = j->joint.quasi;
    out->cells =
        tacit__arena_alloc(&out->arena, (size_t)(out->shown * quasi + 1) * sizeof *out->cells);
    for (int32_t i = 0; out->cells && i < out->shown * quasi; i++) {
        uint32_t node = known_node(j, i % quasi, out->places[i / quasi] - 1);
        out->cells[i] =
            tacit__arena_copy(&out->arena, tacit_lineage_label(j->joint.lineages[i % quasi], node));
        if (!out->cells[i].bytes)
            return tacit__nomem(err);
    }
    return out->cells ? TACIT_OK : tacit__nomem(err);
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
    char *larger = tacit__resize_array(*buffer, raw.len + 1, 1);
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
    tacit_status status =
        back && cells ? engine_csv_new_private(&csv, path, err) : tacit__nomem(err);
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(release); i++)
        engine_csv_text(csv, tacit_table_name(release, i));
    if (status == TACIT_OK)
        engine_csv_header(csv, (const char *const[]){"joined.alike", "joined.sharing",
                                                     "joined.candidates", NULL});
    for (int64_t row = 0; row < j->out->rows && status == TACIT_OK; row++) {
        if (!put_row(csv, j, row, back, cells, &buffer))
            status = tacit__nomem(err);
        if (status == TACIT_OK && row % (1 << 14) == 0)
            status = engine_session_check(j->c->session);
    }
    if (status == TACIT_OK)
        status = engine_csv_end(csv, j->c->session);
    engine_csv_free(csv);
    tacit__free(buffer);
    tacit__free(cells);
    tacit__free(back);
    return status;
}

/* A column that the earlier release lacks is "*" in it, the node 0; outside the quasi-identifier it
 * says nothing, and is left out. The number of columns. */
static int32_t swap_columns(tacit_joint_column *columns, const engine_joint *joint,
                            const tacit_node_column *known, const uint8_t *blank)
{
    int32_t count = 0;
    for (int32_t i = 0; i < joint->count; i++) {
        tacit_joint_column column = columns[i];
        column.now = columns[i].before;
        column.before = known[i];
        if (column.now.codes.width == 0 && i >= joint->quasi)
            continue;
        if (column.now.codes.width == 0)
            column.now = (tacit_node_column){.codes = {blank, 1}};
        columns[count++] = column;
    }
    return count;
}

/* Counts the rows that are exposed and, by themselves, are not. */
static void count_laid_open(joined_step *step, const tacit_joined *joined,
                            const tacit_joined *alone, const tacit_two_releases *two)
{
    step->fewest = two->k;
    for (int64_t row = 0; row < two->now_rows; row++) {
        uint32_t kind = joined->kind_of[row], before = alone->kind_of[row];
        bool exposed = joined->sure[kind] || joined->candidates[kind] < two->k;
        if (!exposed || alone->sure[before] || alone->candidates[before] < two->k)
            continue;
        int64_t few = two->by_candidates ? joined->candidates[kind] : joined->sharing[kind];
        step->laid_open++;
        step->fewest = few < step->fewest ? few : step->fewest;
    }
}

static tacit_status join_both(joined_step *step, tacit_two_releases two, const tacit_run *run,
                              tacit_error *err)
{
    tacit_joined *joined = NULL, *alone = NULL;
    tacit_status status = tacit_join_releases(&joined, &two, run, err);
    two.before_rows = 0;
    if (status == TACIT_OK && joined->exposed_rows > 0)
        status = tacit_join_releases(&alone, &two, run, err);
    if (alone)
        count_laid_open(step, joined, alone, &two);
    tacit_joined_free(joined);
    tacit_joined_free(alone);
    return status;
}

/* The join with an earlier release the other way round: what the release, of whose rows `known` is
 * certain, says of that one's rows. */
static tacit_status join_back(joined_step *step, const engine_joint *joint, int32_t file,
                              tacit_joint_column *columns, const tacit_node_column *known,
                              tacit_error *err)
{
    engine_joint_columns(columns, joint, file);
    tacit_two_releases two = engine_joint_two(columns, joint, file);
    uint8_t *blank = NULL;
    bool lacks = false;
    for (int32_t i = 0; i < joint->quasi; i++)
        lacks |= columns[i].before.codes.width == 0;
    if (lacks && !(blank = tacit__alloc_zeroed((size_t)two.before_rows + 1, 1)))
        return tacit__nomem(err);
    int64_t rows = two.now_rows;
    two.column_count = swap_columns(columns, joint, known, blank);
    two.now_rows = two.before_rows;
    two.before_rows = rows;
    tacit_status status = join_both(step, two, &joint->c->session->run, err);
    tacit__free(blank);
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
    j->columns = engine_joint_columns_new(&j->joint);
    j->known = tacit__alloc_zeroed((size_t)j->joint.count, sizeof *j->known);
    j->sharing = tacit__alloc_zeroed(rows + 1, sizeof *j->sharing);
    j->candidates = tacit__alloc_zeroed(rows + 1, sizeof *j->candidates);
    j->sure = tacit__alloc_zeroed(rows + 1, sizeof *j->sure);
    if (!j->columns || !j->known || !j->sharing || !j->candidates || !j->sure)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = join_file(j, i, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = join_back(&j->out->steps[i], &j->joint, i, j->columns, j->known, err);
    if (status != TACIT_OK)
        return status;
    sum_up(j);
    if (engine_has(c->session->settings, "show"))
        status = keep_cells(j, err);
    const char *path = engine_value(c->session->settings, "joined");
    return status == TACIT_OK && path ? write_joined(j, path, err) : status;
}

static void free_previous(void *found)
{
    joined_rows *out = found;
    if (!out)
        return;
    tacit__arena_clear(&out->arena);
    tacit__free(out->steps);
    tacit__free(out);
}

static tacit_status run_previous(void **found, const engine_case *c, tacit_error *err)
{
    joining j = {.c = c, .out = tacit__alloc_zeroed(1, sizeof *j.out)};
    if (!j.out)
        return tacit__nomem(err);
    j.out->rows = tacit_table_rows(c->release);
    j.out->k = c->promise->promise.k;
    j.out->steps = tacit__alloc_zeroed(c->earlier->count, sizeof *j.out->steps);
    j.files = tacit__alloc_zeroed(c->earlier->count, sizeof *j.files);
    j.joins = tacit__alloc_zeroed(c->earlier->count, sizeof(tacit_joined *));
    bool room = j.out->steps && j.files && j.joins;
    tacit_status status = room ? join_all(&j, err) : tacit__nomem(err);
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
        free_previous(j.out);
    return status;
}

static bool previous_discloses(const void *found, const engine_case *c)
{
    (void)c;
    const joined_rows *in = found;
    return in->exposed > 0 || in->laid_open > 0;
}

static bool previous_promised(const engine_case *c)
{
    return previous_wanted(c);
}

/* ---- in words ---- */

/* Whether all joins were asked for worlds: otherwise more may follow than was found. */
static bool is_by_worlds(const joined_rows *in)
{
    bool all = true;
    for (int32_t i = 0; i < in->count; i++)
        all &= in->steps[i].sums.by_worlds;
    return all;
}

/* What is the matter with rows that are exposed. */
static void few_rows(char *out, size_t size, const joined_rows *in, bool one, int64_t fewest)
{
    const char *verb = in->by_candidates ? (one ? "has" : "have") : one ? "is" : "are";
    engine_append(out, size, "%s %s k = %lld %s, at worst %lld", verb,
                  in->by_candidates ? "fewer than" : "alike with fewer than", (long long)in->k,
                  in->by_candidates ? "candidates" : "rows", (long long)fewest);
}

static const char *kept(const joined_rows *in)
{
    if (in->by_candidates)
        return "every row keeps k candidates";
    return in->possible ? "every row can be taken for k rows" : "every row stays alike with k rows";
}

/* The rows of earlier releases that are exposed, and whose they are. */
static void say_laid_open(char *out, size_t size, const joined_rows *in)
{
    const joined_step *of = NULL;
    int32_t files = 0;
    int64_t fewest = in->k;
    for (int32_t i = 0; i < in->count; i++) {
        const joined_step *s = &in->steps[i];
        if (s->laid_open == 0)
            continue;
        of = s;
        files++;
        fewest = s->fewest < fewest ? s->fewest : fewest;
    }
    if (files == 0)
        return;
    engine_append(out, size, "; %s%s of ", in->exposed ? "" : "but ",
                  engine_many(in->laid_open, "row").text);
    if (files == 1)
        engine_append(out, size, "%s ", of->name);
    else
        engine_append(out, size, "%d earlier releases ", (int)files);
    few_rows(out, size, in, in->laid_open == 1, fewest);
}

static void previous_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const joined_rows *in = found;
    *out = '\0';
    if (in->count > 1)
        engine_append(out, size, "joined with %d earlier releases, ", (int)in->count);
    else
        engine_append(out, size, "joined with an earlier release, ");
    if (in->exposed) {
        engine_append(out, size, "%s of %s rows ", engine_count(in->exposed).text,
                      engine_count(in->rows).text);
        few_rows(out, size, in, false, in->fewest);
    } else {
        engine_append(out, size, "%s", kept(in));
    }
    if (in->possible)
        engine_append(out, size, "; %s%s would be exposed, each if a certain person were behind it",
                      engine_count(in->possible).text, in->exposed ? " more" : " rows");
    say_laid_open(out, size, in);
    if (!is_by_worlds(in))
        engine_append(out, size,
                      "; rows were compared pair by pair, as there are too many pairs to "
                      "ask which of them are possible together");
}

/* ---- facts ---- */

static void add_step(tacit_report *report, const joined_rows *in, const joined_step *s)
{
    if (s->sums.by_worlds)
        tacit_report_line(
            report, "",
            "with %s: %s of %s rows can be the same records as its %s, %s for certain; %s "
            "may be new",
            s->name, engine_count(s->sums.same_rows).text, engine_count(in->rows).text,
            engine_count(s->rows).text, engine_count(s->sums.certain_rows).text,
            engine_count(s->sums.fresh_rows).text);
    else
        tacit_report_line(report, "",
                          "with %s: more than %s pairs of kinds of rows can be the same records",
                          s->name, engine_count(TACIT_MAX_PAIRS).text);
}

/* The places of the first exposed rows. */
static void add_places(tacit_report *report, const joined_rows *in)
{
    char text[512] = "";
    tacit_report_list(report, "first_exposed_rows");
    for (int i = 0; i < in->shown; i++) {
        tacit_report_push_integer(report, "first_exposed_rows", in->places[i]);
        engine_append(text, sizeof text, "%s %lld", i ? "," : "", (long long)in->places[i]);
    }
    if (in->exposed > in->shown)
        engine_append(text, sizeof text, " and %s more",
                      engine_count(in->exposed - in->shown).text);
    if (in->exposed)
        tacit_report_line(report, "", "exposed: row%s%s", in->exposed > 1 ? "s" : "", text);
}

/* A number that is only known by worlds. */
static void add_asked(tacit_report *report, const tacit_joined *sums, int64_t number)
{
    if (sums->by_worlds)
        tacit_report_cell_integer(report, number);
    else
        tacit_report_cell_none(report);
}

static void add_releases(tacit_report *report, const joined_rows *in)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "file", .heading = "earlier release"},
        {.key = "rows", .heading = "rows"},
        {.key = "by_worlds"},
        {.key = "pairs"},
        {.key = "same_rows", .heading = "the same records", .none = "not asked"},
        {.key = "certain_rows", .heading = "for certain", .none = "not asked"},
        {.key = "fresh_rows"},
        {.key = "finer_rows", .heading = "finer values"},
        {.key = "exposed_rows", .heading = "exposed"},
        {.key = "possibly_exposed_rows", .heading = "possibly exposed"},
        {.key = "exposed_rows_of_file", .heading = "exposed of its own rows"},
    };
    tacit_report_begin(report, TACIT_TABLE("releases", "Rows of the release and what they can be",
                                           false, COLUMNS));
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_joined *sums = &in->steps[i].sums;
        tacit_report_cell(report, "%s", in->steps[i].name);
        tacit_report_cell_integer(report, in->steps[i].rows);
        tacit_report_cell_bool(report, sums->by_worlds);
        add_asked(report, sums, sums->pairs);
        add_asked(report, sums, sums->same_rows);
        add_asked(report, sums, sums->certain_rows);
        add_asked(report, sums, sums->fresh_rows);
        tacit_report_cell_integer(report, sums->finer_rows);
        tacit_report_cell_integer(report, sums->exposed_rows);
        tacit_report_cell_integer(report, sums->possible_rows);
        tacit_report_cell_integer(report, in->steps[i].laid_open);
    }
}

/* What the first exposed rows have come to, where values are to be shown. */
static void add_cells(tacit_report *report, const joined_rows *in, const engine_case *c)
{
    tacit_report_column columns[TACIT_MAX_QUASI + 2] = {{.heading = "row", .format = "%.0f"}};
    int32_t quasi = in->column_count;
    if (!in->cells)
        return;
    for (int32_t i = 0; i < quasi; i++)
        columns[i + 1].heading = c->promise->attributes[i].name;
    columns[quasi + 1].heading = in->by_candidates ? "candidates" : "rows alike";
    columns[quasi + 1].format = "%.0f";
    tacit_report_begin(report,
                       &(tacit_report_table){.title = "What the first exposed rows have come to",
                                             .printed = true,
                                             .columns = columns,
                                             .column_count = quasi + 2});
    for (int at = 0; at < in->shown; at++) {
        tacit_report_cell_integer(report, in->places[at]);
        for (int32_t i = 0; i < quasi; i++)
            tacit_report_cell_view(report, in->cells[at * quasi + i]);
        tacit_report_cell_integer(report, in->numbers[at]);
    }
}

static void previous_facts(tacit_report *report, const void *found, const engine_case *c)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(joined_rows, exposed, "exposed_rows", NULL, 0),
        TACIT_FIELD(joined_rows, possible, "possibly_exposed_rows", NULL, 0),
        TACIT_FIELD(joined_rows, laid_open, "exposed_rows_of_files", NULL, 0),
        TACIT_FIELD(joined_rows, sure, "surely_exposed_rows", NULL, 0),
        TACIT_FIELD(joined_rows, traced, "traced_rows", NULL, 0),
        TACIT_FIELD(joined_rows, fewest, "fewest", NULL, 0),
        TACIT_FIELD(joined_rows, finer, "finer_rows", NULL, 0),
        TACIT_FIELD(joined_rows, classes, "joined_classes", NULL, 0),
        TACIT_FIELD(joined_rows, smallest, "smallest_joined_class", NULL, 0),
    };
    const joined_rows *in = found;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), in);
    for (int32_t i = 0; i < in->count; i++)
        add_step(report, in, &in->steps[i]);
    tacit_report_line(
        report, "",
        "%s released; the table they form has %s, the smallest of %s; %s fewer than k rows that "
        "may be them",
        engine_many(in->finer, "row is known finer than it was|rows are known finer than they were")
            .text,
        engine_many(in->classes, "class|classes").text, engine_count(in->smallest).text,
        engine_many(in->traced, "row has|rows have").text);
    add_places(report, in);
    add_releases(report, in);
    add_cells(report, in, c);
}

static void previous_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT];
    previous_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_RELEASES,
                   previous_discloses(found, c) ? ENGINE_ADS_BROKEN
                   : is_by_worlds(found)        ? ENGINE_ADS_HOLDS
                                                : ENGINE_ADS_UNKNOWN,
                   "%s", text);
}

const engine_attack engine_attack_previous = {
    .name = "previous",
    .title = "Joining with earlier releases",
    .wanted = previous_wanted,
    .needs = previous_needs,
    .run = run_previous,
    .discloses = previous_discloses,
    .promised = previous_promised,
    .sentence = previous_sentence,
    .facts = previous_facts,
    .shows = previous_shows,
    .free = free_previous,
};
