/*
 * test_risks_judged.c - bounds on the whole release, from a policy to the file and back: releases
 * by every method that keeps them on random tables, counted by comparing every row with every
 * other; the judge's counts on random releases, kept and broken; and its estimates of uniqueness
 * beside those of the methods, which are computed otherwise. ARX's numbers on adult, where the data
 * is at hand.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tacit/experimental/uniques.h>
#include <tacit/job.h>

#include "audit/models/risks.h"
#include "audit_case.h"
#include "naive_csv.h"
#include "random_cases.h"

enum { RELEASES = 150, VERDICTS = 1000, ESTIMATES = 200, MAX_ROWS = 30 };

static uint64_t state_of(uint64_t seed)
{
    return seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

typedef struct world {
    uint64_t random;
    int rows;
    int a[MAX_ROWS], b[MAX_ROWS], person[MAX_ROWS]; /* columns: two digits, a letter, a person */
    bool by_person, dropped;
    int k;
    tacit_risk_bounds bounds;
} world;

static void draw_bounds(world *w)
{
    uint32_t kind = draw(&w->random, 3);
    w->bounds = (tacit_risk_bounds){0};
    if (kind != 1)
        w->bounds.average = (2 + draw(&w->random, 30)) / 40.0;
    if (kind == 0)
        return;
    w->bounds.model = (tacit_uniqueness_model)(1 + draw(&w->random, 4));
    w->bounds.unique = draw(&w->random, 20) / 50.0;
    w->bounds.fraction = (1 + draw(&w->random, 20)) / 20.0;
}

static void draw_world(world *w, uint64_t seed)
{
    *w = (world){.random = state_of(seed)};
    w->rows = 3 + (int)draw(&w->random, MAX_ROWS - 2);
    uint32_t spread = 1 + draw(&w->random, 90);
    for (int i = 0; i < w->rows; i++) {
        w->a[i] = 10 + (int)draw(&w->random, spread);
        w->b[i] = 'a' + (int)draw(&w->random, 3);
        w->person[i] = (int)draw(&w->random, (uint32_t)w->rows);
    }
    w->by_person = draw(&w->random, 3) == 0;
    w->dropped = !w->by_person && draw(&w->random, 3) == 0;
    draw_bounds(w);
    w->k = (w->bounds.model ? 1 : 2) + (int)draw(&w->random, 2);
}

/* ---- what a release keeps, by definition ---- */

/* A row's values, as they were written. */
typedef struct cells {
    char a[16], b[16];
} cells;

static bool is_suppressed(const cells *row)
{
    return strcmp(row->a, "*") == 0 && strcmp(row->b, "*") == 0;
}

static bool is_alike(const cells *x, const cells *y)
{
    return strcmp(x->a, y->a) == 0 && strcmp(x->b, y->b) == 0;
}

/* Whether no earlier row is of the same class and person. */
static bool is_new(const world *w, const cells *rows, int at, bool whoever)
{
    for (int i = 0; i < at; i++)
        if (is_alike(&rows[i], &rows[at]) &&
            (whoever || (w->by_person && w->person[i] == w->person[at])))
            return false;
    return true;
}

/* People of each class, of rows that are not suppressed, or all. */
static int sizes_of(uint32_t *sizes, const world *w, const cells *rows, int count, bool all)
{
    int classes = 0;
    for (int i = 0; i < count; i++) {
        if ((!all && is_suppressed(&rows[i])) || !is_new(w, rows, i, true))
            continue;
        sizes[classes] = 0;
        for (int j = 0; j < count; j++)
            sizes[classes] += is_alike(&rows[i], &rows[j]) && is_new(w, rows, j, false);
        classes++;
    }
    return classes;
}

static double average_of(const world *w, const cells *rows, int count, bool all)
{
    uint32_t sizes[MAX_ROWS];
    double people = 0;
    int classes = sizes_of(sizes, w, rows, count, all);
    for (int i = 0; i < classes; i++)
        people += sizes[i];
    return people > 0 ? classes / people : 0;
}

/* People who were suppressed or, of `rows` rows of the table, left out. */
static int gone_of(const world *w, const cells *rows, int count)
{
    int gone = w->rows - count;
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again |= w->by_person && is_suppressed(&rows[j]) && w->person[i] == w->person[j];
        gone += is_suppressed(&rows[i]) && !again;
    }
    return gone;
}

static double unique_of(const world *w, const cells *rows, int count)
{
    uint32_t sizes[2 * MAX_ROWS];
    double share = 0;
    bool alone = false;
    int classes = sizes_of(sizes, w, rows, count, false);
    for (int i = 0; i < classes; i++)
        alone |= sizes[i] == 1;
    if (!alone)
        return 0;
    for (int i = gone_of(w, rows, count); i > 0; i--)
        sizes[classes++] = 1;
    assert_int_equal(
        tacit_uniqueness_of(&share, sizes, classes, w->bounds.model, w->bounds.fraction, NULL),
        TACIT_OK);
    return share;
}

/* ---- releases ---- */

static void put_policy(naive_text *to, const world *w, const char *method)
{
    char text[512];
    const tacit_risk_bounds *bounds = &w->bounds;
    snprintf(text, sizeof text,
             "k: %d\nmethod: %s\nloss: %g\nsuppressed: %s\nkeep-order: true\nperson: %s\n", w->k,
             method, (w->rows % 5) / 10.0, w->dropped ? "drop" : "keep",
             w->by_person ? "p" : "none");
    naive_puts(to, text);
    if (bounds->average > 0) {
        snprintf(text, sizeof text, "average-risk: %g\n", bounds->average);
        naive_puts(to, text);
    }
    if (bounds->model) {
        snprintf(text, sizeof text, "population-uniqueness: %s:%g\nsampling-fraction: %g\n",
                 tacit_uniqueness_name(bounds->model), bounds->unique, bounds->fraction);
        naive_puts(to, text);
    }
    naive_puts(to, "columns:\n  a: {role: quasi, hierarchy: {mask: right}}\n  b: quasi\n"
                   "  p: identifier\n");
    naive_put(to, '\0');
}

static void put_table(naive_text *to, const world *w)
{
    char line[64];
    naive_puts(to, "a,b,p\n");
    for (int i = 0; i < w->rows; i++) {
        snprintf(line, sizeof line, "%d,%c,%d\n", w->a[i], w->b[i], w->person[i]);
        naive_puts(to, line);
    }
}

static tacit_status run_method(naive_table *out, const world *w, const char *method,
                               tacit_error *err)
{
    naive_text policy = {0}, csv = {0};
    static char text[1 << 16];
    int fd = memfd_create("release", MFD_CLOEXEC);
    tacit_job *job = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    put_policy(&policy, w, method);
    put_table(&csv, w);
    assert_int_equal(tacit_job_new(&job, "anonymize", err), TACIT_OK);
    if (tacit_job_set_text(job, "policy", policy.bytes, err) != TACIT_OK ||
        tacit_job_set(job, "seed", "7", err) != TACIT_OK ||
        tacit_job_input_bytes(job, csv.bytes, csv.len, err) != TACIT_OK ||
        tacit_job_output_descriptor(job, "output", fd, err) != TACIT_OK)
        fail_msg("%s\n%s", err->message, policy.bytes);
    tacit_status status = tacit_job_run(job, &run, err);
    if (status == TACIT_OK)
        status = tacit_job_commit(job, err);
    if (status == TACIT_OK) {
        ssize_t bytes = pread(fd, text, sizeof text, 0);
        assert_true(bytes > 0 && naive_read(out, text, (size_t)bytes, ','));
    }
    tacit_job_free(job);
    free(policy.bytes);
    free(csv.bytes);
    close(fd);
    return status;
}

static void check_release(const world *w, const naive_table *release)
{
    cells rows[MAX_ROWS];
    const tacit_risk_bounds *bounds = &w->bounds;
    int count = release->rows - 1;
    for (int i = 0; i < count; i++) {
        snprintf(rows[i].a, sizeof rows[i].a, "%.15s", release->cell[i + 1][0]);
        snprintf(rows[i].b, sizeof rows[i].b, "%.15s", release->cell[i + 1][1]);
    }
    if (bounds->average > 0) {
        assert_true(average_of(w, rows, count, true) <= bounds->average + 1e-9);
        assert_true(average_of(w, rows, count, false) <= bounds->average + 1e-9);
    }
    if (bounds->model)
        assert_true(unique_of(w, rows, count) <= bounds->unique * (1 + 1e-6) + 1e-9);
}

/* Where nothing is found, one class of everybody would not do either; as all of it is "*", it is
 * left out where suppressed rows are. */
static bool fits_in_one_class(const world *w)
{
    bool seen[MAX_ROWS] = {false};
    int people = 0;
    for (int i = 0; i < w->rows; i++) {
        people += !w->by_person || !seen[w->person[i]];
        seen[w->person[i]] = true;
    }
    double average = w->bounds.average > 0 ? w->bounds.average : 1;
    return !w->dropped && people >= w->k && 1.0 / people <= average && people > 1;
}

static void test_releases(void **state)
{
    static const char *const METHODS[] = {"mingen", "local"};
    uint64_t *seed = *state, cases = many_cases(RELEASES), found = 0;
    for (*seed = 1; *seed <= cases; ++*seed)
        for (int m = 0; m < 2; m++) {
            static naive_table release;
            world w;
            tacit_error err = {0};
            draw_world(&w, *seed);
            tacit_status status = run_method(&release, &w, METHODS[m], &err);
            if (status == TACIT_OK)
                check_release(&w, &release);
            else if (status != TACIT_INFEASIBLE || fits_in_one_class(&w))
                fail_msg("%s: %s", METHODS[m], err.message);
            found += status == TACIT_OK;
        }
    assert_true(found > cases);
    *seed = 0;
}

/* ---- the judge on any release ---- */

static void write_released(char *text, cells *rows, world *w)
{
    int at = sprintf(text, "a,b,p\n");
    for (int i = 0; i < w->rows; i++) {
        bool gone = draw(&w->random, 6) == 0;
        snprintf(rows[i].a, sizeof rows[i].a, gone ? "*" : "%d*", w->a[i] / 10);
        snprintf(rows[i].b, sizeof rows[i].b, gone ? "*" : "%c", w->b[i]);
        at += sprintf(text + at, "%s,%s,%d\n", rows[i].a, rows[i].b, w->person[i]);
    }
}

static bool is_near(double x, double y)
{
    return fabs(x - y) <= 1e-9 + 1e-6 * fabs(y);
}

static void judge_world(uint64_t seed)
{
    static char text[1 << 12];
    world w;
    cells rows[MAX_ROWS];
    draw_world(&w, seed);
    write_released(text, rows, &w);
    audit_case c = {.promise = {.k = 1, .risks = w.bounds}, .release = text, .threads = 1};
    c.promise.person = w.by_person ? "p" : NULL;
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    tacit_verdict *v = case_judge(&c);
    double average = fmax(average_of(&w, rows, w.rows, true), average_of(&w, rows, w.rows, false));
    double unique = w.bounds.model ? unique_of(&w, rows, w.rows) : 0;
    bool holds = (w.bounds.average <= 0 || average <= w.bounds.average + 1e-9) &&
                 (!w.bounds.model || unique <= w.bounds.unique * (1 + 1e-6) + 1e-9);
    assert_true(v->risks.checked && is_near(v->risks.average, average));
    assert_true(isnan(unique) ? isnan(v->risks.unique) : is_near(v->risks.unique, unique));
    if (isnan(unique) || fabs(unique - w.bounds.unique) > 1e-5 || !w.bounds.model)
        assert_int_equal(!(verdict_kinds(v) & 1u << TACIT_FINDING_MODEL), holds);
    tacit_verdict_free(v);
}

static void test_verdicts(void **state)
{
    uint64_t *seed = *state, cases = many_cases(VERDICTS);
    for (*seed = 1; *seed <= cases; ++*seed)
        judge_world(*seed);
    *seed = 0;
}

/* ---- estimates ---- */

/* Sizes as of small classes, of a few large ones, of a geometric tail, or mostly of one. */
static uint32_t draw_size(uint64_t *random, int kind)
{
    double u = draw(random, 1 << 20) / (double)(1 << 20);
    switch (kind) {
    case 0: return 1 + draw(random, 2);
    case 1: return 1 + (uint32_t)(1 / (u + 1e-3));
    case 2: return 1 + (uint32_t)(-log(1 - u) * 5);
    default: return 1 + (draw(random, 10) == 0 ? draw(random, 50) : 0);
    }
}

static void test_estimates(void **state)
{
    uint64_t *seed = *state, cases = many_cases(ESTIMATES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t random = state_of(*seed);
        uint32_t sizes[2000];
        int count = 2 + (int)draw(&random, draw(&random, 5) ? 60 : 1998);
        int kind = (int)draw(&random, 4);
        for (int i = 0; i < count; i++)
            sizes[i] = draw_size(&random, kind);
        double share = 0, judged = 0;
        tacit_uniqueness_model by;
        tacit_risk_bounds bounds = {.model = (tacit_uniqueness_model)(1 + *seed % 4),
                                    .fraction = (1 + draw(&random, 100)) / 100.0};
        bounds.fraction /= draw(&random, 2) ? 100 : 1;
        assert_int_equal(
            tacit_uniqueness_of(&share, sizes, count, bounds.model, bounds.fraction, NULL),
            TACIT_OK);
        assert_int_equal(tacit__risks_unique(&judged, &by, sizes, count, &bounds, NULL), TACIT_OK);
        assert_true(isnan(share) ? isnan(judged) : is_near(judged, share));
    }
    *seed = 0;
}

/* By hand: classes of 3, 1, 1 and 2 of 7 people, half of the population. A class of 1, 2, 3 is met
 * just once with a chance of 1/2, 7/13 and 21/52; so of the classes met once 1 / (101/52) are of
 * one, 2 of 4 expected people. The average is 4/7. */
static void test_by_hand(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {3, 1, 1, 2};
    static const char release[] = "a\nx\ny\nx\nz\nw\nx\nz\n";
    const double zayatz = 2 * (52.0 / 101) * 2 / 14;
    tacit_risk_bounds bounds = {
        .average = 4.0 / 7, .model = TACIT_UNIQUENESS_ZAYATZ, .unique = zayatz, .fraction = 0.5};
    double share = 0;
    assert_int_equal(tacit_uniqueness_of(&share, sizes, 4, TACIT_UNIQUENESS_ZAYATZ, 0.5, NULL),
                     TACIT_OK);
    assert_true(is_near(share, zayatz));
    for (int broken = 0; broken < 3; broken++) {
        audit_case c = {.promise = {.k = 1, .risks = bounds}, .release = release, .threads = 1};
        c.promise.risks.average -= broken == 1 ? 1e-4 : 0;
        c.promise.risks.unique -= broken == 2 ? 1e-4 : 0;
        case_attribute(&c, "a", &CASE_NONE);
        tacit_verdict *v = case_judge(&c);
        assert_int_equal(v->holds, broken == 0);
        assert_true(is_near(v->risks.average, 4.0 / 7) && is_near(v->risks.unique, zayatz));
        tacit_verdict_free(v);
    }
}

/* ARX's average risk and estimates on adult, all nine columns. */
static void test_arx(void **state)
{
    (void)state;
    static const char *const NAMES[] = {
        "sex",       "age",        "race",        "marital-status", "education", "native-country",
        "workclass", "occupation", "salary-class"};
    static const struct {
        tacit_uniqueness_model model;
        double fraction, unique;
    } CASES[] = {{TACIT_UNIQUENESS_PITMAN, 0.1, 0.27684993883653597},
                 {TACIT_UNIQUENESS_DANKAR, 0.1, 0.27684993883653597},
                 {TACIT_UNIQUENESS_DANKAR, 0.01, 0.1446083531167384},
                 {TACIT_UNIQUENESS_ZAYATZ, 0.1, 0.3207402393466189},
                 {TACIT_UNIQUENESS_ZAYATZ, 0.2, 0.3577099234829125},
                 {TACIT_UNIQUENESS_SNB, 1, 0.5142895033485844}};
    FILE *file = fopen(TACIT_SOURCE_DIR "/../shared/data/adult/adult.csv", "r");
    if (!file) {
        print_message("skipped: the data set adult is not here\n");
        skip();
    }
    static char text[4 << 20];
    size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t i = 0; i < len; i++)
        text[i] = text[i] == ';' ? ',' : text[i];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        audit_case c = {.promise = {.k = 1}, .release = text, .threads = 1};
        c.promise.risks =
            (tacit_risk_bounds){0.7, CASES[i].model, CASES[i].unique, CASES[i].fraction};
        for (int a = 0; a < 9; a++)
            case_attribute(&c, NAMES[a], &CASE_NONE);
        tacit_verdict *v = case_judge(&c);
        assert_true(v->holds && fabs(v->risks.average - 0.6465751607983555) < 1e-14);
        assert_true(fabs(v->risks.unique - CASES[i].unique) < 1e-9);
        tacit_verdict_free(v);
    }
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_arx),
                                       random_test(test_estimates, &seed),
                                       random_test(test_verdicts, &seed),
                                       random_test(test_releases, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
