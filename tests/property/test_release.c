/*
 * test_release.c - from a table to its release and before the judge, on
 * thousands of random small tables, hierarchies and promises.
 *
 * Jobs make and judge, as they do for the command: "anonymize" a release,
 * "audit" a verdict. What comes out is judged here by definitions alone, on the
 * text of the two files: the release is taken apart by naive_csv.h,
 * generalizations come from naive_ladder.h, classes are found by comparing every
 * row with every other. Where a release is refused because of what links its
 * rows, it is made once more without that, and must break its promise once the
 * columns are put back. Then the release is tampered with, and the judge must
 * refuse exactly what the definitions refuse. The releases of methods that
 * generalize cell by cell are judged in the same two ways.
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

#include <tacit/experimental/policy.h>
#include <tacit/job.h>

#include "random_cases.h"
#include "release_world.h"

enum { CASES = 450, TAMPERED = 3 };

static char folder[] = "/tmp/tacit-release-XXXXXX";
static int original, people_file; /* files in memory: the table, and a register */

/* What a job said of the release that it made. */
typedef struct account {
    int levels[MAX_ATTRIBUTES];
    double precision, precision_weighted, suppression, suppressed;
} account;

/* ---- the policy ---- */

static void put_format(naive_text *to, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    assert_in_range(vsnprintf(text, sizeof text, format, list), 0, sizeof text - 1);
    va_end(list);
    naive_puts(to, text);
}

/* A name in the double quotes of YAML. */
static void put_name(naive_text *to, const char *name)
{
    naive_put(to, '"');
    for (; *name; name++)
        if (*name == '\n')
            naive_puts(to, "\\n");
        else
            put_format(to, *name == '"' ? "\\%c" : "%c", *name);
    naive_put(to, '"');
}

/* A hierarchy as a flag writes it. */
static void put_hierarchy(naive_text *to, const tacit_hierarchy_spec *spec)
{
    static const char *const ORDERS[] = {[TACIT_DATES_TELL] = "",
                                         [TACIT_DAY_FIRST] = ":day-first",
                                         [TACIT_MONTH_FIRST] = ":month-first"};
    const char *before = spec->order == TACIT_DATES_TELL ? ":" : "/";
    switch (spec->kind) {
    case TACIT_HIERARCHY_FILE: put_format(to, "%s", spec->path); return;
    case TACIT_HIERARCHY_MASK:
        put_format(to, "mask:%s", spec->mask_left ? "left" : "right");
        return;
    case TACIT_HIERARCHY_DATE: put_format(to, "date%s", ORDERS[spec->order]); break;
    default: put_format(to, "interval:%g", spec->origin), before = "/"; break;
    }
    for (int i = 0; i < spec->width_count; i++)
        put_format(to, "%s%g", i ? "," : before, spec->widths[i]);
}

static void put_column(naive_text *to, const world *w, int c)
{
    int a = w->columns[c].attribute, link = a < 0 ? 0 : (int)(w->options.k + a) % 3;
    naive_puts(to, "  ");
    put_name(to, w->columns[c].name);
    if (a >= 0) {
        const tacit_hierarchy_spec *spec = &w->ladders[a].spec;
        put_format(to, ": {role: quasi, suppression: %s", spec->no_suppression ? "none" : "top");
        naive_puts(to, spec->kind == TACIT_HIERARCHY_NONE ? "" : ", hierarchy: \"");
        if (spec->kind != TACIT_HIERARCHY_NONE) {
            put_hierarchy(to, spec);
            naive_put(to, '"');
        }
        if (w->weight[a] > 0)
            put_format(to, ", weight: %g", w->weight[a]);
        if (link)
            put_format(to, ", link: %g", link / 2.0);
        naive_puts(to, "}\n");
    } else if (c == w->sensitive)
        put_format(to, ": {role: sensitive, spread: 0, %s}\n", w->models);
    else if (w->columns[c].fate == CARRIED)
        naive_puts(to, ": insensitive\n");
    else
        put_format(to, ": {role: identifier, replace: %s}\n",
                   w->columns[c].fate == PSEUDONYM ? "pseudonym" : "drop");
}

static void put_sets(naive_text *to, const world *w)
{
    naive_puts(to, "quasi-identifiers:\n");
    for (int s = 0; s < w->set_count; s++) {
        const char *before = "  - [";
        for (int a = 0; a < w->attribute_count; a++) {
            if (!(w->sets[s] >> a & 1))
                continue;
            naive_puts(to, before);
            put_name(to, w->columns[w->place[a]].name);
            before = ", ";
        }
        naive_puts(to, "]\n");
    }
}

/* Whether a method can go by the world's metric; one that goes by none is measured by any. */
static bool takes_metric(const tacit_method *method, const world *w)
{
    return !method->metrics || (method->metrics & 1u << w->options.metric);
}

/* Attributes come first, in their order. */
static void write_policy(naive_text *to, const world *w, const tacit_method *method)
{
    double rows = w->rows > 0 ? w->rows : 1, most = (double)w->options.max_suppressed;
    put_format(to, "k: %lld\nloss: %.9f\nmethod: %s\n", (long long)w->options.k,
               most < rows ? (most + 0.5) / rows : 1, method->name);
    put_format(to, "complement: %s\nsuppressed: %s\nkeep-order: %s\nkey-file: %s/key\n",
               w->options.complement_largest ? "largest" : "smallest",
               w->apply.drop_suppressed ? "drop" : "keep", w->apply.keep_order ? "true" : "false",
               folder);
    if (w->options.most_general)
        naive_puts(to, "anonymity: 1\n");
    put_format(to, "metric: %s\n", tacit_metric_name(w->options.metric));
    if (w->person >= 0 || w->rows_are_people)
        put_format(to, "person: %s\n", w->person >= 0 ? w->columns[w->person].name : "none");
    if (w->models[0] && w->sensitive < 0)
        put_format(to, "population: /dev/fd/%d\n%s\n", people_file, w->models);
    if (w->set_count)
        put_sets(to, w);
    naive_puts(to, "columns:\n");
    for (int a = 0; a < w->attribute_count; a++)
        put_column(to, w, w->place[a]);
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].attribute < 0)
            put_column(to, w, c);
    naive_put(to, '\0');
}

/* ---- jobs ---- */

static tacit_job *job_new(const char *kind, const world *w, const tacit_method *method,
                          const naive_text *input)
{
    naive_text policy = {0};
    tacit_job *job = NULL;
    tacit_error err = {0};
    write_policy(&policy, w, method);
    if (tacit_job_new(&job, kind, &err) != TACIT_OK ||
        tacit_job_set_text(job, "policy", policy.bytes, &err) != TACIT_OK ||
        tacit_job_set(job, "delimiter", (const char[]){w->delimiter, '\0'}, &err) != TACIT_OK ||
        tacit_job_set(job, "seed", "7", &err) != TACIT_OK ||
        tacit_job_input_bytes(job, input->bytes, input->len, &err) != TACIT_OK)
        fail_msg("%s\n%s", err.message, policy.bytes);
    free(policy.bytes);
    return job;
}

static tacit_status job_run(tacit_job *job, const world *w, tacit_error *err)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = w->rows % 16 ? 1 : 2;
    return tacit_job_run(job, &run, err);
}

/* What was said of the release; levels come in the order of the policy's columns. */
static void read_account(account *out, tacit_job *job)
{
    static const char *const NAMES[] = {"precision", "precision_weighted",
                                        "cell_metrics.suppression", "suppressed_rows"};
    double *const places[] = {&out->precision, &out->precision_weighted, &out->suppression,
                              &out->suppressed};
    tacit_report *report = NULL;
    int levels = 0;
    assert_int_equal(tacit_job_facts(job, &report, NULL), TACIT_OK);
    for (size_t i = 0; i < tacit_report_count(report); i++) {
        const char *name = tacit_report_name(report, i);
        double number = 0;
        if (!tacit_report_number(&number, report, i))
            continue;
        if (strcmp(name, "levels") == 0)
            out->levels[levels++] = (int)number;
        for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++)
            if (strcmp(name, NAMES[n]) == 0)
                *places[n] = number;
    }
    tacit_report_free(report);
}

/* The release as text, where there is one. */
static tacit_status anonymize(naive_text *out, account *said, const world *w,
                              const tacit_method *method, tacit_error *err)
{
    int fd = memfd_create("release", MFD_CLOEXEC);
    tacit_job *job = job_new("anonymize", w, method, &w->csv);
    assert_int_equal(tacit_job_output_descriptor(job, "output", fd, err), TACIT_OK);
    tacit_status status = job_run(job, w, err);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0); /* nothing appears before it is committed */
    if (status == TACIT_OK) {
        read_account(said, job);
        status = tacit_job_commit(job, err);
        size_t bytes = (size_t)lseek(fd, 0, SEEK_END);
        *out = (naive_text){malloc(bytes + 1), bytes, bytes + 1};
        assert_int_equal(pread(fd, out->bytes, bytes + 1, 0), bytes);
    }
    tacit_job_free(job);
    close(fd);
    return status;
}

static void put_row(naive_text *to, const world *w, int row, bool numbered)
{
    int columns = w->column_count - !numbered;
    for (int c = 0; c < columns; c++) {
        naive_put_cell(to, row < 0 ? w->columns[c].name : w->cell[row][c], false);
        naive_put(to, c + 1 < columns ? w->delimiter : '\n');
    }
}

static void write_memory(int file, naive_text *csv)
{
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, csv->bytes, csv->len, 0), csv->len);
    free(csv->bytes);
}

/* The original with the rows that a release claims first, and all others behind them. */
static void write_original(const world *w, const release *claimed, bool numbered)
{
    naive_text csv = {0};
    bool there[MAX_ROWS] = {false};
    put_row(&csv, w, -1, numbered);
    for (int i = 0; claimed && i < claimed->rows; i++) {
        put_row(&csv, w, (int)claimed->order[i], numbered);
        there[claimed->order[i]] = true;
    }
    for (int row = 0; row < w->rows; row++)
        if (!there[row])
            put_row(&csv, w, row, numbered);
    write_memory(original, &csv);
}

/* Whether the judge lets a release pass beside the original. */
static bool judge_allows(const world *w, const tacit_method *method, const naive_text *csv,
                         bool same_order)
{
    char path[80], *json = NULL;
    tacit_error err = {0};
    tacit_job *job = job_new("audit", w, method, csv);
    snprintf(path, sizeof path, "/dev/fd/%d", original);
    assert_int_equal(tacit_job_set(job, "original", path, &err), TACIT_OK);
    if (same_order)
        assert_int_equal(tacit_job_set(job, "same-order", NULL, &err), TACIT_OK);
    if (job_run(job, w, &err) != TACIT_OK) {
        assert_int_equal(err.status, TACIT_PARSE); /* a value that no hierarchy can read */
        tacit_job_free(job);
        return false;
    }
    assert_int_equal(tacit_job_report(job, &json, &err), TACIT_OK);
    const char *judge = strstr(json, "\"judge\":"), *holds = strstr(judge, "\"holds\": ");
    bool allows = strncmp(holds, "\"holds\": true", 13) == 0;
    assert_true(allows || tacit_job_discloses(job));
    tacit_text_free(json);
    tacit_job_free(job);
    return allows;
}

static void write_release(naive_text *to, const release *r, const world *w, bool numbered)
{
    int columns = r->text.columns - !numbered;
    to->len = 0;
    for (int i = 0; i <= r->rows; i++)
        for (int c = 0; c < columns; c++) {
            naive_put_cell(to, r->text.cell[i][c], false);
            naive_put(to, c + 1 < columns ? w->delimiter : '\n');
        }
}

/* The same of a release whose rows say which they are. Who claims a row that is not there, or one
 * of another's, is found out by the numbers. */
static bool judge_allows_claimed(const world *w, const tacit_method *method, release *r)
{
    naive_text csv = {0};
    bool there[MAX_ROWS + 1] = {[MAX_ROWS] = false}, possible = true;
    for (int i = 0; i < r->rows; i++) {
        possible &= r->order[i] < (uint32_t)w->rows && !there[r->order[i]];
        there[r->order[i]] = true;
        sprintf(r->text.cell[i + 1][w->columns[w->number].place], "%u", r->order[i]);
    }
    write_original(w, possible ? r : NULL, true);
    write_release(&csv, r, w, true);
    bool allows = judge_allows(w, method, &csv, possible);
    free(csv.bytes);
    return allows;
}

/* ---- an honest release ---- */

static void take_apart(release *r, const naive_text *csv, const world *w)
{
    assert_true(naive_read(&r->text, csv->bytes, csv->len, w->delimiter));
    r->rows = r->text.rows - 1;
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].fate != DROPPED)
            assert_string_equal(r->text.cell[0][w->columns[c].place], w->columns[c].name);
    for (int i = 0; i < r->rows; i++) {
        r->order[i] = (uint32_t)atoi(released(r, w, i, w->number));
        if (w->apply.keep_order && i > 0)
            assert_true(r->order[i - 1] < r->order[i]);
    }
}

/* The same world without anything that links rows or says whose they are, nor, where people are
 * told apart, anything that may do so without being called so. */
static void unlink_rows(world *w)
{
    for (int c = 0; c < w->column_count; c++)
        if (w->columns[c].fate == PSEUDONYM || w->columns[c].person ||
            (w->person >= 0 && w->columns[c].fate == CARRIED && c != w->number &&
             c != w->sensitive))
            w->columns[c].fate = DROPPED;
    w->rows_are_people = w->person < 0;
    place_columns(w);
}

/* A release of the world without its links gets them back; a pseudonym is as good as its value. */
static void put_back(release *to, const release *from, const world *w, const world *unlinked)
{
    *to = (release){.rows = from->rows, .text = {.rows = from->text.rows}};
    memcpy(to->order, from->order, sizeof to->order);
    for (int c = 0; c < w->column_count; c++) {
        bool kept = unlinked->columns[c].fate != DROPPED;
        if (w->columns[c].fate == DROPPED)
            continue;
        to->text.columns++;
        strcpy(to->text.cell[0][w->columns[c].place], w->columns[c].name);
        for (int i = 0; i < from->rows; i++)
            strcpy(to->text.cell[i + 1][w->columns[c].place],
                   kept ? released(from, unlinked, i, c) : w->cell[from->order[i]][c]);
    }
}

static bool judge_refused(tacit_status status, const tacit_error *err)
{
    return status == TACIT_INFEASIBLE && strstr(err->message, "the judge refuses");
}

/* Makes a release and takes it apart. One that the judge refuses is made again in a world without
 * links: then they alone broke the promise. */
static tacit_status release_new(release *r, account *said, world *w, const tacit_method *method,
                                tacit_error *err)
{
    naive_text csv = {0};
    tacit_status status = anonymize(&csv, said, w, method, err);
    bool refused = judge_refused(status, err);
    world *linked = malloc(sizeof *linked);
    *linked = *w;
    if (refused) {
        unlink_rows(w);
        status = anonymize(&csv, said, w, method, err);
    }
    bool sensitive = w->person >= 0 && w->sensitive >= 0; /* it may link rows, and has to stay */
    if (judge_refused(status, err) && strcmp(method->name, "none") != 0 && !sensitive)
        fail_msg("%s: %s", method->name, err->message);
    if (status == TACIT_OK)
        take_apart(r, &csv, w);
    if (status == TACIT_OK && refused) {
        release *whole = malloc(sizeof *whole);
        put_back(whole, r, linked, w);
        assert_false(keeps_people(whole, linked));
        free(whole);
    }
    free(linked);
    free(csv.bytes);
    return status;
}

/* ---- what it is to keep ---- */

/* Each row is either suppressed or on the levels of the release. */
static void check_levels(const release *r, const account *said, const world *w)
{
    for (int a = 0; a < w->attribute_count; a++)
        assert_true(!w->options.most_general || said->levels[a] == w->ladders[a].height);
    for (int i = 0; i < r->rows; i++) {
        bool gone = is_suppressed(r, w, i);
        for (int a = 0; a < w->attribute_count && !gone; a++)
            assert_string_equal(
                value(r, w, i, a),
                ladder_label(&w->ladders[a], w->cell[r->order[i]][w->place[a]], said->levels[a]));
    }
}

/* Cells of a row that are "*" on the levels of the release. A value that was "*" to begin with is
 * not suppressed. */
static int starred_cells(const account *said, const world *w, int row, bool ground)
{
    int count = 0;
    for (int a = 0; a < w->attribute_count; a++) {
        const char *value = w->cell[row][w->place[a]];
        count += (ground || said->levels[a] > 0) &&
                 strcmp(ladder_label(&w->ladders[a], value, said->levels[a]), "*") == 0;
    }
    return count;
}

/* Rows suppressed, and the share of cells: of a row whose values are all "*" on its levels nobody
 * can tell, so there is a least and a most. */
static void check_suppressed(const release *r, const account *said, const world *w)
{
    int all = w->attribute_count, gone = w->rows - r->rows, unsure = 0;
    int least = gone * all, most = least;
    assert_true(gone == 0 || w->apply.drop_suppressed);
    for (int i = 0; i < r->rows; i++) {
        int row = (int)r->order[i], starred = starred_cells(said, w, row, false);
        bool top = starred_cells(said, w, row, true) == all, blank = is_suppressed(r, w, i);
        gone += blank && !top;
        unsure += top;
        least += blank && !top ? all : starred;
        most += blank ? all : starred;
    }
    if (w->apply.drop_suppressed)
        assert_int_equal(w->rows - r->rows, gone);
    assert_true(said->suppressed >= gone && said->suppressed <= gone + unsure);
    assert_true(said->suppressed <= (double)w->options.max_suppressed);
    double cells = w->rows * all;
    assert_true(said->suppression > least / cells - 1e-9 &&
                said->suppression < most / cells + 1e-9);
}

/* Prec by its definition: a cell costs its level over its attribute's height, a suppressed one 1;
 * by weights with a sum as large as the number of attributes, where none are given proportional to
 * the heights (Equation 3). */
static void check_precision(const account *said, const world *w)
{
    double lost = 0, lost_weighted = 0, weights = 0, count = w->attribute_count;
    double gone = said->suppressed / w->rows;
    for (int a = 0; a < w->attribute_count; a++)
        weights += w->weight[a] > 0 ? w->weight[a] : w->ladders[a].height;
    for (int a = 0; a < w->attribute_count; a++) {
        double weight = w->weight[a] > 0 ? w->weight[a] : w->ladders[a].height;
        double cost = gone + (1 - gone) * said->levels[a] / w->ladders[a].height;
        lost += cost / count;
        lost_weighted += cost * weight / weights;
    }
    assert_float_equal(said->precision, 1 - lost, 1e-9);
    assert_float_equal(said->precision_weighted, 1 - lost_weighted, 1e-9);
}

/* A pseudonym stands for somebody. */
static void check_missing(const release *r, const world *w)
{
    for (int c = 0; c < w->column_count; c++)
        for (int i = 0; i < r->rows && w->columns[c].fate == PSEUDONYM; i++)
            assert_int_equal(strlen(released(r, w, i, c)),
                             *w->cell[r->order[i]][c] ? TACIT_PSEUDONYM_LENGTH : 0);
}

/* Whether there is a release, which then keeps its promise. There need not be one for the reasons
 * of a set. */
static bool release_kept(release *r, account *said, world *w, const tacit_method *method,
                         unsigned reasons)
{
    tacit_error err = {0};
    tacit_status status = release_new(r, said, w, method, &err);
    if (status != TACIT_OK && !(reasons >> status & 1))
        fail_msg("%s: %s", method->name, err.message);
    if (status != TACIT_OK)
        return false;
    if (!keeps_promise(r, w) || !keeps_people(r, w))
        fail_msg("%s breaks the promise", method->name);
    check_missing(r, w);
    return true;
}

static void check_kept(world *w, const tacit_method *method, unsigned reasons)
{
    account said;
    release *r = calloc(1, sizeof *r);
    release_kept(r, &said, w, method, reasons);
    free(r);
}

/* Without the numbers the judge has only the rows to go by. */
static void check_unnumbered(const release *r, const world *w, const tacit_method *method)
{
    naive_text csv = {0};
    bool known = w->person >= 0 && w->columns[w->person].fate != DROPPED;
    write_original(w, NULL, false);
    write_release(&csv, r, w, false);
    world *bare = malloc(sizeof *bare);
    *bare = *w;
    bare->column_count--;
    assert_true(judge_allows(bare, method, &csv, false) == keeps_trails(r, w, known));
    free(bare);
    free(csv.bytes);
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
    int any = (int)draw(&w->random, (uint32_t)w->number);
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

static void check_tampering(const release *honest, world *w, const tacit_method *method)
{
    release *r = malloc(sizeof *r);
    for (int i = 0; i < TAMPERED && honest->rows > 0; i++) {
        *r = *honest;
        tamper(r, w);
        bool allows = judge_allows_claimed(w, method, r);
        assert_true(allows == (keeps_promise(r, w) && keeps_people(r, w)));
    }
    free(r);
}

/* ---- level by level ---- */

/* One that generalizes nothing has no release where k is not there by itself; and one that leaves
 * out every row is none: cell by cell a row that is most general is suppressed, too. */
static bool may_refuse(const tacit_method *method, const world *w)
{
    return strcmp(method->name, "none") == 0 ||
           (w->apply.drop_suppressed &&
            (method->features & TACIT_METHOD_CELLS || w->options.max_suppressed >= w->rows));
}

static void check_level_method(world *w, const tacit_method *method)
{
    account said;
    release *r = calloc(1, sizeof *r);
    if (release_kept(r, &said, w, method, (unsigned)may_refuse(method, w) << TACIT_INFEASIBLE)) {
        check_levels(r, &said, w);
        check_suppressed(r, &said, w);
        check_precision(&said, w);
        check_unnumbered(r, w, method);
        check_tampering(r, w, method);
    }
    free(r);
}

/* ---- cell by cell ---- */

/* What it releases keeps the promise, by its definition and before the judge. It may refuse a
 * table: one without suppression, or with several rows a person. */
static void check_cell_method(world *w, const tacit_method *method)
{
    w->ambiguous = method->features & TACIT_METHOD_AMBIGUATES;
    check_kept(w, method,
               1U << TACIT_INVALID | 1U << TACIT_LIMIT |
                   (unsigned)may_refuse(method, w) << TACIT_INFEASIBLE);
}

/* ---- beyond k ---- */

/* A column that is released as it is; -1: there is none. */
static int carried_column(const world *w)
{
    for (int c = 0; c < w->number; c++)
        if (w->columns[c].fate == CARRIED && !w->columns[c].person)
            return c;
    return -1;
}

static tacit_model_kind draw_model(world *w)
{
    static const char *const FORMS[] = {
        [TACIT_MODEL_DISTINCT] = "diversity: %g",
        [TACIT_MODEL_ENTROPY] = "diversity: entropy:%g",
        [TACIT_MODEL_ALPHA] = "alpha: %g",
        [TACIT_MODEL_CLOSENESS] = "closeness: %g",
        [TACIT_MODEL_LIKENESS] = "likeness: %g",
        [TACIT_MODEL_LIKENESS_ENHANCED] = "likeness: enhanced:%g",
        [TACIT_MODEL_DISCLOSURE] = "disclosure: %g",
        [TACIT_MODEL_RANGE] = "range: %g",
        [TACIT_MODEL_PRESENCE] = "presence: %g",
        [TACIT_MODEL_MAP] = "k-map: %g",
    };
    /* All but the last, which needs weights. */
    tacit_model_kind kind = (tacit_model_kind)draw(&w->random, TACIT_MODEL_MAP_ESTIMATED);
    double bound = (1 + draw(&w->random, 20)) / 20.0, second = (1 + draw(&w->random, 12)) / 4.0;
    if (kind < TACIT_MODEL_ALPHA)
        bound = 2 + draw(&w->random, 2);
    if (kind == TACIT_MODEL_CLOSENESS_TREE || kind == TACIT_MODEL_CLOSENESS_ORDER)
        kind = TACIT_MODEL_CLOSENESS;
    if (kind >= TACIT_MODEL_LIKENESS && kind <= TACIT_MODEL_RANGE)
        bound *= 4;
    if (kind == TACIT_MODEL_MAP)
        bound = 1 + draw(&w->random, 20);
    if (kind == TACIT_MODEL_RECURSIVE)
        snprintf(w->models, sizeof w->models, "diversity: recursive:%g/%g", second, bound);
    else
        snprintf(w->models, sizeof w->models, FORMS[kind], bound);
    return kind;
}

/* A register of everybody in the table, some of them several times. */
static void write_register(world *w)
{
    naive_text csv = {0};
    put_row(&csv, w, -1, false);
    for (int row = 0; row < w->rows; row++)
        for (uint32_t times = 1 + draw(&w->random, 3); times > 0; times--)
            put_row(&csv, w, row, false);
    write_memory(people_file, &csv);
}

/* Methods that keep models keep them before the judge, or say that they cannot. */
static void check_model(world *w, const tacit_method *method)
{
    check_kept(w, method, 1U << TACIT_INFEASIBLE);
}

/* ---- a case ---- */

/* On a world of its own, for a release may have to do without some columns. */
static void with_method(world *w, const tacit_method *method,
                        void (*check)(world *w, const tacit_method *method))
{
    world *copy = malloc(sizeof *copy);
    *copy = *w;
    check(copy, method);
    w->random = copy->random;
    free(copy);
}

static void check_refused(world *w, const tacit_method *method)
{
    account said;
    naive_text csv = {0};
    tacit_error err = {0};
    tacit_status why = takes_metric(method, w) ? TACIT_INFEASIBLE : TACIT_INVALID;
    assert_int_equal(anonymize(&csv, &said, w, method, &err), why);
}

static void check_case(uint64_t seed)
{
    world *w = world_new(seed, folder);
    bool everybody[MAX_ROWS];
    memset(everybody, true, sizeof everybody);
    bool possible = people(w, everybody) >= w->options.k;
    bool cells = possible && seed % 3 == 0, models = false;
    for (const tacit_method *const *each = tacit_methods(); *each; each++)
        if (!takes_metric(*each, w))
            with_method(w, *each, check_refused);
        else if (!((*each)->features & TACIT_METHOD_CELLS))
            with_method(w, *each, possible ? check_level_method : check_refused);
        else if (cells)
            with_method(w, *each, check_cell_method);
    if (possible && seed % 3 == 1) {
        w->sensitive = draw_model(w) >= TACIT_MODEL_PRESENCE ? -1 : carried_column(w);
        models = w->sensitive >= 0 || strncmp(w->models, "presence", 8) == 0 ||
                 strncmp(w->models, "k-map", 5) == 0;
        write_register(w);
    }
    for (const tacit_method *const *each = tacit_methods(); models && *each; each++)
        if ((*each)->features & TACIT_METHOD_MODELS && takes_metric(*each, w))
            with_method(w, *each, check_model);
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
    original = memfd_create("original", MFD_CLOEXEC);
    people_file = memfd_create("people", MFD_CLOEXEC);
    return mkdtemp(folder) ? 0 : -1;
}

/* A case that failed has left its hierarchies. */
static int close_folder(void **state)
{
    (void)state;
    char path[80];
    close(original);
    close(people_file);
    snprintf(path, sizeof path, "%s/key", folder);
    unlink(path);
    for (int a = 0; a < 2 * MAX_ATTRIBUTES; a++) {
        snprintf(path, sizeof path, "%s/h%d.%s", folder, a / 2, a % 2 ? "hrc" : "csv");
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_releases, &seed)};
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
