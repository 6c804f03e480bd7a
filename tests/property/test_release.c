/*
 * test_release.c - from a table to its release and before the judge, on
 * thousands of random small tables, hierarchies and promises.
 *
 * Every step is the library's, in the order of `tacit anonymize`. What comes
 * out is judged here by definitions alone, on the text of the two files: the
 * release is taken apart by naive_csv.h, generalizations come from
 * naive_ladder.h, classes are found by comparing every row with every other.
 * Then the release is tampered with, and the judge must refuse exactly what the
 * definitions refuse. The releases of methods that generalize cell by cell are
 * judged in the same two ways.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include <tacit/experimental.h>

#include "random_cases.h"
#include "release_world.h"

enum { CASES = 600, TAMPERED = 3 };

/* What the library made. */
typedef struct made {
    tacit_run run;
    tacit_table *table;
    tacit_hierarchy *hierarchies[MAX_ATTRIBUTES];
    tacit_attribute attributes[MAX_ATTRIBUTES];
    tacit_frame frame;
    tacit_solution *solution;
    tacit_application *application;
    tacit_metrics metrics;
    tacit_table *people; /* a register; NULL: none */
    naive_text people_csv;
    tacit_hierarchy *registered[MAX_ATTRIBUTES];
} made;

static char folder[] = "/tmp/tacit-release-XXXXXX";
static tacit_pseudonyms *pseudonyms;

/* ---- the library's part ---- */

static void read_table(tacit_table **out, const world *w, const naive_text *csv, bool released,
                       const tacit_run *run)
{
    const char *coded[NAIVE_COLUMNS];
    size_t count = 0;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].attribute >= 0 || c == w->sensitive ||
            (released && w->columns[c].fate == PSEUDONYM) ||
            (w->columns[c].person && !(released && w->columns[c].fate == DROPPED)))
            coded[count++] = w->columns[c].name;
    options.delimiter = w->delimiter;
    options.coded = coded;
    options.coded_count = count;
    const char *changed[2 * NAIVE_COLUMNS];
    size_t changed_count = 0;
    for (int32_t a = 0; a < w->promise.attribute_count; a++)
        changed[changed_count++] = w->promise.attributes[a].name;
    for (int32_t i = 0; i < w->promise.identifier_count; i++)
        changed[changed_count++] = w->promise.identifiers[i].name;
    options.digest = true; /* as the command reads what it releases */
    options.undigested = changed;
    options.undigested_count = changed_count;
    if (tacit_table_read_memory(out, (tacit_strview){csv->bytes, csv->len}, "table", &options, run,
                                &err) != TACIT_OK)
        fail_msg("%s (line %lld)", err.message, (long long)err.line);
}

static void bind(made *m, const world *w)
{
    tacit_error err = {0};
    for (int a = 0; a < w->attribute_count; a++) {
        const ladder *l = &w->ladders[a];
        if (tacit_hierarchy_new(&m->hierarchies[a], &l->spec, m->table, w->place[a], &err) !=
            TACIT_OK)
            fail_msg("%s (line %lld)", err.message, (long long)err.line);
        assert_int_equal(tacit_hierarchy_height(m->hierarchies[a]), l->height);
        m->attributes[a] = (tacit_attribute){
            .column = w->place[a],
            .hierarchy = m->hierarchies[a],
            .weight = w->weight[a],
            .link = (w->options.k + a) % 3 / 2.0,
        };
    }
    m->frame = (tacit_frame){
        .table = m->table,
        .attributes = m->attributes,
        .attribute_count = w->attribute_count,
        .sets = w->promise.sets,
        .set_count = w->set_count,
        .person = w->person,
    };
}

/* The release into text. */
static void write_release(naive_text *out, const made *m, const world *w)
{
    tacit_csv_column columns[NAIVE_COLUMNS];
    tacit_error err = {0};
    tacit_csv_layout layout = {
        .columns = columns,
        .suppressed = m->application->suppressed,
        .suppressed_label = tacit_hierarchy_suppressed(),
        .order = m->application->order,
        .row_count = m->application->row_count,
    };
    for (int c = 0; c < w->column_count; c++) {
        int a = w->columns[c].attribute;
        if (w->columns[c].fate == DROPPED)
            continue;
        tacit_csv_column *next = &columns[layout.column_count++];
        *next = (tacit_csv_column){.source = c};
        if (a >= 0) {
            next->relabelled = m->solution->boxes || m->solution->levels[a] > 0;
            next->codes = m->application->codes[a];
            next->labels = m->application->labels[a];
            next->label_count = m->application->label_counts[a];
            next->blanked = true;
        } else if (w->columns[c].fate == PSEUDONYM) {
            next->rewrite = tacit_pseudonym;
            next->payload = pseudonyms;
        }
    }
    int fd = memfd_create("release", MFD_CLOEXEC);
    int64_t bytes = 0;
    assert_true(fd >= 0);
    if (tacit_table_write(fd, "release", &bytes, m->table, &layout, &m->run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    *out = (naive_text){malloc((size_t)bytes + 1), (size_t)bytes, (size_t)bytes + 1};
    assert_int_equal(pread(fd, out->bytes, (size_t)bytes + 1, 0), bytes);
    close(fd);
}

/* Whether the judge lets a release pass. ordered: the claimed rows are shown to it. */
static bool judge_allows(const world *w, const made *m, const naive_text *csv,
                         const uint32_t *order, bool same_order)
{
    tacit_table *written = NULL;
    tacit_verdict *verdict = NULL;
    tacit_error err = {0};
    read_table(&written, w, csv, true, &m->run);
    const tacit_evidence evidence = {written, m->table, order, same_order, m->people};
    if (tacit_audit_release(&verdict, &w->promise, &evidence, &m->run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    bool holds = verdict->holds;
    assert_true(holds == (verdict->finding_count == 0));
    tacit_verdict_free(verdict);
    tacit_table_free(written);
    return holds;
}

static void release_clear(made *m)
{
    tacit_application_free(m->application);
    tacit_solution_free(m->solution);
    m->application = NULL;
    m->solution = NULL;
}

static void made_clear(made *m)
{
    release_clear(m);
    tacit_population_free(m->frame.population);
    for (int a = 0; a < MAX_ATTRIBUTES; a++) {
        tacit_hierarchy_free(m->hierarchies[a]);
        tacit_hierarchy_free(m->registered[a]);
    }
    tacit_table_free(m->people);
    free(m->people_csv.bytes);
    tacit_table_free(m->table);
}

/* ---- an honest release ---- */

static void take_apart(release *r, const naive_text *csv, const made *m, const world *w)
{
    assert_true(naive_read(&r->text, csv->bytes, csv->len, w->delimiter));
    r->rows = r->text.rows - 1;
    assert_int_equal(r->rows, m->application->row_count);
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].fate != DROPPED)
            assert_string_equal(r->text.cell[0][w->columns[c].place], w->columns[c].name);
    for (int i = 0; i < r->rows; i++) {
        r->order[i] = m->application->order ? m->application->order[i] : (uint32_t)i;
        if (w->apply.keep_order && i > 0)
            assert_true(r->order[i - 1] < r->order[i]);
    }
}

static bool bit(const uint64_t *bits, uint32_t row)
{
    return bits[row / 64] >> row % 64 & 1;
}

/* Each row is either suppressed or on the solution's levels. */
static void check_levels(const release *r, const made *m, const world *w)
{
    for (int i = 0; i < r->rows; i++) {
        uint32_t row = r->order[i];
        bool gone = bit(m->application->suppressed, row);
        assert_false(gone && w->apply.drop_suppressed);
        for (int a = 0; a < w->attribute_count; a++) {
            int level = m->solution->levels[a];
            assert_true(!w->options.most_general || level == w->ladders[a].height);
            assert_string_equal(
                value(r, w, i, a),
                gone ? "*" : ladder_label(&w->ladders[a], w->cell[row][w->place[a]], level));
        }
    }
}

/* A value that was "*" to begin with is not suppressed. */
static bool is_starred(const made *m, const world *w, int row, int attribute)
{
    int level = m->solution->levels[attribute];
    const char *value = w->cell[row][w->place[attribute]];
    return level > 0 && strcmp(ladder_label(&w->ladders[attribute], value, level), "*") == 0;
}

/* Prec and suppression by their definitions: a cell costs its level over its attribute's height,
 * a suppressed one 1; by weights with a sum as large as the number of attributes,
 * where none are given proportional to the heights (Equation 3). */
static void check_precision(const made *m, const world *w, int suppressed)
{
    double lost = 0, lost_weighted = 0, weights = 0, cells = w->rows * w->attribute_count;
    double starred = 0;
    for (int a = 0; a < w->attribute_count; a++)
        weights += w->weight[a] > 0 ? w->weight[a] : w->ladders[a].height;
    for (int a = 0; a < w->attribute_count; a++) {
        double weight = w->weight[a] > 0 ? w->weight[a] : w->ladders[a].height;
        for (int row = 0; row < w->rows; row++) {
            double cost = bit(m->application->suppressed, (uint32_t)row)
                              ? 1
                              : (double)m->solution->levels[a] / w->ladders[a].height;
            starred += bit(m->application->suppressed, (uint32_t)row) || is_starred(m, w, row, a);
            lost += cost;
            lost_weighted += cost * weight * w->attribute_count / weights;
        }
    }
    assert_float_equal(m->metrics.precision, 1 - lost / cells, 1e-9);
    assert_float_equal(m->metrics.precision_weighted, 1 - lost_weighted / cells, 1e-9);
    assert_float_equal(tacit_metrics_value(&m->metrics, tacit_metric_find("suppression")),
                       starred / cells, 1e-9);
    assert_int_equal(m->metrics.suppressed_rows, suppressed);
}

/* A pseudonym stands for somebody. */
static void check_missing(const release *r, const world *w)
{
    for (int c = 0; c < w->column_count; c++)
        for (int i = 0; i < r->rows && w->columns[c].fate == PSEUDONYM; i++)
            assert_int_equal(strlen(released(r, w, i, c)),
                             *w->cell[r->order[i]][c] ? TACIT_PSEUDONYM_LENGTH : 0);
}

static void check_release(const release *r, const made *m, const world *w)
{
    int suppressed = 0;
    for (int row = 0; row < w->rows; row++)
        suppressed += bit(m->application->suppressed, (uint32_t)row);
    assert_true(suppressed <= w->options.max_suppressed);
    assert_int_equal(r->rows, w->rows - (w->apply.drop_suppressed ? suppressed : 0));
    assert_true(keeps_rows(r, w));
    check_levels(r, m, w);
    assert_true(keeps_k(r, w));
    assert_true(suppresses_enough(r, w));
    assert_true(keeps_values(r, w));
    assert_true(keeps_cells(r, w));
    check_missing(r, w);
    check_precision(m, w, suppressed);
}

/* ---- a tampered one ---- */

static char *cell_at(release *r, const world *w, int row, int source)
{
    return r->text.cell[row + 1][w->columns[source].place];
}

static void drop_row(release *r, int row)
{
    r->rows--;
    memmove(r->text.cell[row + 1], r->text.cell[row + 2],
            (size_t)(r->rows - row) * sizeof *r->text.cell);
    memmove(&r->order[row], &r->order[row + 1], (size_t)(r->rows - row) * sizeof *r->order);
}

/* Puts a row back as it was, down to the ground. */
static void unsuppress(release *r, const world *w, int row)
{
    for (int a = 0; a < w->attribute_count; a++)
        strcpy(cell_at(r, w, row, w->place[a]), w->cell[r->order[row]][w->place[a]]);
}

static void tamper(release *r, world *w)
{
    int row = (int)draw(&w->random, (uint32_t)r->rows);
    int other = (int)draw(&w->random, (uint32_t)r->rows);
    int attribute = w->place[draw(&w->random, (uint32_t)w->attribute_count)];
    int any = (int)draw(&w->random, (uint32_t)w->column_count);
    char kept[NAIVE_TEXT];
    if (w->columns[any].fate == DROPPED)
        any = attribute;
    char *here = cell_at(r, w, row, any), *there = cell_at(r, w, other, any);
    switch (draw(&w->random, 8)) {
    case 0:
        memmove(cell_at(r, w, row, attribute), cell_at(r, w, other, attribute), NAIVE_TEXT);
        break;
    case 1: strcpy(cell_at(r, w, row, attribute), w->cell[r->order[row]][attribute]); break;
    case 2:
        strcpy(cell_at(r, w, row, attribute), draw(&w->random, 2) ? "*" : "no such value");
        break;
    case 3: drop_row(r, row); break;
    case 4: /* doubled, with the place of nobody or of somebody else */
        memcpy(r->text.cell[r->rows + 1], r->text.cell[row + 1], sizeof *r->text.cell);
        r->order[r->rows++] = draw(&w->random, (uint32_t)w->rows + 1);
        break;
    case 5:
        strcpy(kept, here);
        memmove(here, there, NAIVE_TEXT);
        strcpy(there, kept);
        break;
    case 6:
        while (row > 0 && !is_suppressed(r, w, row))
            row--;
        unsuppress(r, w, row);
        break;
    case 7: strcpy(here, w->cell[r->order[other]][any]); break;
    }
}

static void write_tampered(naive_text *to, const release *r, const world *w)
{
    int columns = r->text.columns;
    to->len = 0;
    for (int i = 0; i <= r->rows; i++)
        for (int c = 0; c < columns; c++) {
            naive_put_cell(to, r->text.cell[i][c], false);
            naive_put(to, c + 1 < columns ? w->delimiter : '\n');
        }
}

static void check_tampering(const release *honest, const made *m, world *w)
{
    release r;
    naive_text csv = {0};
    for (int i = 0; i < TAMPERED && honest->rows > 0; i++) {
        r = *honest;
        tamper(&r, w);
        write_tampered(&csv, &r, w);
        bool kept = keeps_promise(&r, w) && keeps_people(&r, w);
        assert_true(judge_allows(w, m, &csv, r.order, false) == kept);
    }
    free(csv.bytes);
}

/* ---- without a look at the rows ---- */

static bool has_parts(const tacit_solution *solution)
{
    bool parts = false;
    for (int64_t c = 0; c < tacit_classes_count(solution->classes); c++)
        parts |= solution->suppressed[c] > 0 &&
                 solution->suppressed[c] < tacit_classes_people(solution->classes, c);
    return parts;
}

/* A solution is worth the same before it is applied, but for what only the rows
 * of the people drawn tell. */
static void check_unapplied(const made *m, const world *w)
{
    tacit_records_options options = w->options;
    tacit_metrics bare;
    options.drop_suppressed = w->apply.drop_suppressed;
    assert_int_equal(tacit_metrics_of(&bare, m->solution, NULL, &m->frame, &options, &m->run, NULL),
                     TACIT_OK);
    if (m->frame.person < 0)
        assert_memory_equal(&bare, &m->metrics, sizeof bare);
    else if (!has_parts(m->solution))
        assert_true(bare.precision == m->metrics.precision && bare.classes == m->metrics.classes &&
                    bare.suppressed_rows == m->metrics.suppressed_rows &&
                    bare.suppressed_people >= m->metrics.suppressed_people);
    else
        assert_true(bare.suppressed_rows >= m->solution->suppressed_rows);
}

/* ---- cell by cell ---- */

/* What a cell-level method releases keeps the promise, by its definition and
 * before the judge. */
static void check_cells(made *m, world *w, const tacit_method *method)
{
    tacit_error err = {0};
    naive_text csv = {0};
    release *r = calloc(1, sizeof *r);
    assert_int_equal(
        tacit_solution_apply(&m->application, m->solution, &m->frame, &w->apply, &m->run, &err),
        TACIT_OK);
    write_release(&csv, m, w);
    take_apart(r, &csv, m, w);
    if (!keeps_promise(r, w))
        fail_msg("%s breaks the promise", method->name);
    check_missing(r, w);
    const uint32_t *order = m->application->order;
    assert_true(judge_allows(w, m, &csv, order, !order) == keeps_people(r, w));
    free(csv.bytes);
    free(r);
}

/* They may refuse a table: one without suppression, or with several rows a person. */
static void check_cell_methods(made *m, world *w)
{
    for (const tacit_method *const *each = tacit_methods(); *each; each++) {
        tacit_error err = {0};
        if (!((*each)->features & TACIT_METHOD_CELLS))
            continue;
        release_clear(m);
        tacit_status status = (*each)->solve(&m->solution, &m->frame, &w->options, &m->run, &err);
        w->promise.ambiguous = (*each)->features & TACIT_METHOD_AMBIGUATES;
        w->promise.both_ways = w->promise.ambiguous;
        if (status == TACIT_OK)
            check_cells(m, w, *each);
        else
            assert_true(status == TACIT_INVALID || status == TACIT_LIMIT);
        w->promise.ambiguous = w->promise.both_ways = false;
    }
}

/* ---- beyond k ---- */

/* A column that is released as it is; -1: there is none. */
static int carried_column(const world *w)
{
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].fate == CARRIED && !w->columns[c].person)
            return c;
    return -1;
}

static tacit_model_bound draw_bound(world *w)
{
    tacit_model_bound bound = {.kind = (tacit_model_kind)draw(&w->random, TACIT_MODELS)};
    bound.bound = (1 + draw(&w->random, 20)) / 20.0;
    bound.second = (1 + draw(&w->random, 12)) / 4.0;
    if (bound.kind < TACIT_MODEL_ALPHA)
        bound.bound = 2 + draw(&w->random, 2);
    if (bound.kind == TACIT_MODEL_CLOSENESS_TREE)
        bound.kind = TACIT_MODEL_CLOSENESS;
    if (bound.kind == TACIT_MODEL_PRESENCE)
        bound.second = 0; /* dates may read alike on two levels: then only the judge sees more
                             people under a class, and a least share breaks */
    if (bound.kind == TACIT_MODEL_MAP)
        bound.bound = 1 + draw(&w->random, 20);
    return bound;
}

/* A register of everybody in the table, some of them several times, and of others like
 * them. */
static void add_register(made *m, world *w)
{
    naive_text *csv = &m->people_csv;
    int32_t columns[MAX_ATTRIBUTES];
    for (int row = -1; row < w->rows; row++)
        for (uint32_t times = row < 0 ? 1 : 1 + draw(&w->random, 3); times > 0; times--)
            for (int c = 0; c < w->column_count; c++) {
                naive_put_cell(csv, row < 0 ? w->columns[c].name : w->cell[row][c], false);
                naive_put(csv, c + 1 < w->column_count ? w->delimiter : '\n');
            }
    read_table(&m->people, w, csv, false, &m->run);
    for (int a = 0; a < w->attribute_count; a++) {
        columns[a] = w->place[a];
        assert_int_equal(tacit_hierarchy_new(&m->registered[a], &w->ladders[a].spec, m->people,
                                             w->place[a], NULL),
                         TACIT_OK);
    }
    assert_int_equal(tacit_population_new(&m->frame.population, &m->frame, m->people, columns,
                                          (const tacit_hierarchy *const *)m->registered, &m->run,
                                          NULL),
                     TACIT_OK);
}

/* The same table with the column coded that the model speaks of, or with a register. */
static void make_again(made *again, world *w, const tacit_run *run, tacit_model *model)
{
    *again = (made){.run = *run};
    w->sensitive = model->column;
    read_table(&again->table, w, &w->csv, false, run);
    bind(again, w);
    again->frame.models = model;
    again->frame.model_count = 1;
    if (model->column < 0)
        add_register(again, w);
}

/* Methods that keep models keep them before the judge, or say that they cannot. */
static void check_models(const made *m, world *w)
{
    made again;
    tacit_promise_model promised = {.bound = draw_bound(w)};
    bool people = promised.bound.kind >= TACIT_MODEL_PRESENCE;
    tacit_model model = {.bound = promised.bound, .column = people ? -1 : carried_column(w)};
    if (model.column < 0 && !people)
        return;
    promised.column = people ? NULL : w->columns[model.column].name;
    w->promise.models = &promised;
    w->promise.model_count = 1;
    make_again(&again, w, &m->run, &model);
    for (const tacit_method *const *each = tacit_methods(); *each; each++) {
        tacit_error err = {0};
        if (!((*each)->features & TACIT_METHOD_MODELS) ||
            !((*each)->metrics & 1u << w->options.metric))
            continue;
        release_clear(&again);
        tacit_status status =
            (*each)->solve(&again.solution, &again.frame, &w->options, &again.run, &err);
        if (status == TACIT_OK)
            check_cells(&again, w, *each);
        else
            assert_int_equal(status, TACIT_INFEASIBLE);
    }
    made_clear(&again);
}

/* ---- level by level ---- */

/* One that generalizes nothing has no release where k is not there by itself. */
static bool may_refuse(const tacit_method *method, const world *w)
{
    return strcmp(method->name, "none") == 0 && w->options.k > 1;
}

static void check_level_method(made *m, world *w, const tacit_method *method)
{
    naive_text csv = {0};
    release *r = calloc(1, sizeof *r);
    tacit_error err = {0};
    release_clear(m);
    tacit_status status = method->solve(&m->solution, &m->frame, &w->options, &m->run, &err);
    if (status == TACIT_INFEASIBLE && may_refuse(method, w)) {
        free(r);
        return;
    }
    assert_int_equal(status, TACIT_OK);
    assert_int_equal(
        tacit_solution_apply(&m->application, m->solution, &m->frame, &w->apply, &m->run, &err),
        TACIT_OK);
    assert_int_equal(tacit_metrics_of(&m->metrics, m->solution, m->application, &m->frame,
                                      &w->options, &m->run, &err),
                     TACIT_OK);
    check_unapplied(m, w);
    write_release(&csv, m, w);
    take_apart(r, &csv, m, w);
    check_release(r, m, w);
    const uint32_t *order = m->application->order;
    bool known = w->person >= 0 && w->columns[w->person].fate != DROPPED;
    assert_true(judge_allows(w, m, &csv, order, !order) == keeps_people(r, w));
    assert_true(judge_allows(w, m, &csv, NULL, false) ==
                keeps_trails(r, w, known)); /* by matching */
    check_tampering(r, m, w);
    free(csv.bytes);
    free(r);
}

/* ---- a case ---- */

static void check_case(uint64_t seed)
{
    world *w = world_new(seed, folder);
    made m = {0};
    tacit_error err = {0};
    bool everybody[MAX_ROWS];
    memset(everybody, true, sizeof everybody);
    tacit_run_init(&m.run);
    tacit_run_seed_number(&m.run, seed);
    m.run.threads = seed % 16 ? 1 : 2;
    read_table(&m.table, w, &w->csv, false, &m.run);
    assert_int_equal(tacit_table_rows(m.table), w->rows);
    bind(&m, w);
    bool possible = people(w, everybody) >= w->options.k;
    for (const tacit_method *const *each = tacit_methods(); *each; each++) {
        if ((*each)->features & TACIT_METHOD_CELLS)
            continue;
        if (possible)
            check_level_method(&m, w, *each);
        else
            assert_int_equal((*each)->solve(&m.solution, &m.frame, &w->options, &m.run, &err),
                             TACIT_INFEASIBLE);
    }
    if (possible && seed % 3 == 0)
        check_cell_methods(&m, w);
    if (possible && seed % 3 == 1)
        check_models(&m, w);
    made_clear(&m);
    world_free(w);
}

static void test_releases(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed)
        check_case(*seed);
    *seed = 0;
}

static int open_folder(void **state)
{
    (void)state;
    char key[80];
    if (!mkdtemp(folder))
        return -1;
    snprintf(key, sizeof key, "%s/key", folder);
    return tacit_pseudonyms_new(&pseudonyms, key, NULL, NULL) == TACIT_OK ? 0 : -1;
}

static void remove_file(const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* A case that failed has left its hierarchies. */
static int close_folder(void **state)
{
    (void)state;
    tacit_pseudonyms_free(pseudonyms);
    remove_file("key");
    for (int a = 0; a < MAX_ATTRIBUTES; a++) {
        char name[16];
        snprintf(name, sizeof name, "h%d.csv", a);
        remove_file(name);
        snprintf(name, sizeof name, "h%d.hrc", a);
        remove_file(name);
    }
    return rmdir(folder);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_releases, &seed)};
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
