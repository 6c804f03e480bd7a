/*
 * test_technique_pram.c - post-randomization: matrices and what is refused of them, what stays, and
 * how often values change.
 */
#include "masking.h"

enum { ROWS = 20000 };

static char matrix_path[] = "/tmp/tacit_pram_XXXXXX";

/* A file of its own for the matrix, of which steps say matrix=... */
static const char *with_matrix(const char *step, const char *matrix)
{
    static char line[256];
    FILE *file = fopen(matrix_path, "w");
    fputs(matrix, file);
    fclose(file);
    snprintf(line, sizeof line, "%s matrix=%s", step, matrix_path);
    return line;
}

/* Values x, y, z in the shares 70, 25 and 5 percent, in groups g of ten rows. */
static char *make_values(void)
{
    char *csv = malloc(ROWS * 12 + 16), *at = csv + sprintf(csv, "v,g\n");
    for (int i = 0; i < ROWS; i++) {
        int part = i * 37 % 100;
        at += sprintf(at, "%c,%d\n", part < 70 ? 'x' : part < 95 ? 'y' : 'z', i / 10);
    }
    return csv;
}

static int count_of(const char *text, char value)
{
    int count = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        count += *line == value;
    return count;
}

/* Of the rows with a value, how many have which in the end. */
static int count_moves(const char *before, const char *after, char from, char to)
{
    int count = 0;
    const char *b = strchr(before, '\n') + 1, *a = strchr(after, '\n') + 1;
    for (; *b; b = strchr(b, '\n') + 1, a = strchr(a, '\n') + 1)
        count += *b == from && *a == to;
    return count;
}

static void test_by_hand(void **state)
{
    (void)state;
    const char *csv = "v,w\nx,1\n\"y\",2\n,3\nx,4\n";
    masking_expect(csv, "pram columns=v keep=1", csv);
    masking_expect(csv, "pram columns=v keep=0", "v,w\n\"y\",1\nx,2\n,3\n\"y\",4\n");
    masking_expect(csv, with_matrix("pram columns=v", "from,x,y\nx,0,1\ny,1,0\n"),
                   "v,w\n\"y\",1\nx,2\n,3\n\"y\",4\n");
    masking_expect(
        csv, with_matrix("pram columns=v", "from;\"a,b\";y;x\nx;0;0;1\n\"a,b\";0;0;1\ny;1;0;0\n"),
        "v,w\nx,1\n\"a,b\",2\n,3\nx,4\n");
    masking_expect("v\n1\n2\n",
                   "round columns=v base=1\npram columns=v keep=0\nround columns=v base=2",
                   "v\n2\n2\n");
}

/* A group of one value has no other to give. */
static void test_within(void **state)
{
    (void)state;
    masking_expect("v,g\nx,1\nx,1\ny,2\nz,2\n", "pram columns=v keep=0 within=g",
                   "v,g\nx,1\nx,1\nz,2\ny,2\n");
    masking_expect("v,g\nx,1\ny,2\n", "pram columns=v keep=0 way=invariant within=g",
                   "v,g\nx,1\ny,2\n");
    masking_expect("v,g\nx,1\ny,2\nz,2\n", "pram columns=v keep=1 way=exact within=g",
                   "v,g\nx,1\ny,2\nz,2\n");
}

static void test_degenerate(void **state)
{
    (void)state;
    const char *ways[] = {"plain", "invariant", "exact"};
    for (int way = 0; way < 3; way++) {
        char step[64];
        snprintf(step, sizeof step, "pram columns=v keep=0 way=%s", ways[way]);
        masking_expect("v\n", step, "v\n");
        masking_expect("v\nx\n", step, "v\nx\n");
        masking_expect("v,w\n,1\n,2\n", step, "v,w\n,1\n,2\n");
        masking_expect("v\nx\nx\n", step, "v\nx\nx\n");
        masking_expect(
            "v\n",
            with_matrix(way == 1 ? "pram columns=v way=invariant" : "pram columns=v", "f,x\nx,1\n"),
            "v\n");
    }
}

static void test_plain(void **state)
{
    (void)state;
    char *csv = make_values(), *text = masking_run(csv, "pram columns=v keep=0.6", 4, 2);
    int x = count_of(csv, 'x');
    assert_in_range(count_moves(csv, text, 'x', 'x'), x * 57 / 100, x * 63 / 100);
    assert_in_range(count_moves(csv, text, 'x', 'z'), x * 17 / 100, x * 23 / 100);
    free(text);
    text = masking_run(
        csv, with_matrix("pram columns=v", "f,x,y,z\nx,.5,.3,.2\ny,0,1,0\nz,.1,.1,.8\n"), 4, 2);
    assert_in_range(count_moves(csv, text, 'x', 'y'), x * 27 / 100, x * 33 / 100);
    assert_in_range(count_moves(csv, text, 'x', 'z'), x * 17 / 100, x * 23 / 100);
    assert_int_equal(count_moves(csv, text, 'y', 'y'), count_of(csv, 'y'));
    free(text);
    free(csv);
}

/* Expected to stay: within what is claimed, and the matrix's own bias is gone. */
static void expect_shares(const char *csv, const char *step, bool exactly)
{
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, step, 6, 2, &err);
    if (!masked)
        fail_msg("%s", err.message);
    const tacit_kept *kept = masking_kept(masked, exactly ? TACIT_KEPT_VALUES : TACIT_KEPT_SHARES);
    assert_non_null(kept);
    assert_true(exactly || (kept->amount > 0.02 && kept->amount < 0.03));
    char *text = masking_text(masked, 1);
    for (char value = 'x'; value <= 'z'; value++) {
        int off = abs(count_of(text, value) - count_of(csv, value));
        assert_true(off <= (exactly ? 0 : 400)); /* standard deviations are below 71 */
    }
    assert_true(masking_fact(masked, 0, "cells_changed") > ROWS / 20);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_kept(void **state)
{
    (void)state;
    const char *matrix = "f,x,y,z\nx,.5,.3,.2\ny,.2,.6,.2\nz,.1,.1,.8\n";
    char *csv = make_values();
    expect_shares(csv, "pram columns=v keep=0.5 way=invariant", false);
    expect_shares(csv, "pram columns=v keep=0.5 way=exact", true);
    expect_shares(csv, "pram columns=v keep=0.5 way=invariant within=g", false);
    expect_shares(csv, with_matrix("pram columns=v way=invariant", matrix), false);
    expect_shares(csv, with_matrix("pram columns=v way=invariant within=g", matrix), false);
    expect_shares(csv, with_matrix("pram columns=v way=exact", matrix), true);
    expect_shares(csv, with_matrix("pram columns=v way=exact within=g", matrix), true);
    free(csv);
}

/* R = P Q by hand: from x, with t = (70, 25, 5) percent. */
static void test_two_steps(void **state)
{
    (void)state;
    const double p[3][3] = {{.5, .3, .2}, {.2, .6, .2}, {.1, .1, .8}}, t[3] = {.7, .25, .05};
    char *csv = make_values();
    const char *matrix = "f,x,y,z\nx,.5,.3,.2\ny,.2,.6,.2\nz,.1,.1,.8\n";
    char *ways[] = {"pram columns=v way=invariant", "pram columns=v way=exact"};
    for (int way = 0; way < 2; way++) {
        char *text = masking_run(csv, with_matrix(ways[way], matrix), 8, 2);
        for (int to = 0; to < 3; to++) {
            double share = 0;
            for (int l = 0; l < 3; l++)
                share +=
                    p[0][l] * p[to][l] * t[to] / (p[0][l] * t[0] + p[1][l] * t[1] + p[2][l] * t[2]);
            double moved = count_moves(csv, text, 'x', (char)('x' + to));
            assert_true(moved > (share - 0.02) * 14000 && moved < (share + 0.02) * 14000);
        }
        free(text);
    }
    free(csv);
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = make_values();
    const char *steps[] = {"pram columns=v,g keep=0.7", "pram columns=v,g keep=0.7 way=invariant",
                           "pram columns=v keep=0.7 way=exact within=g"};
    for (int i = 0; i < 3; i++) {
        char *one = masking_run(csv, steps[i], 2, 1);
        for (int threads = 2; threads <= 7; threads += 5) {
            char *other = masking_run(csv, steps[i], 2, threads);
            assert_string_equal(one, other);
            free(other);
        }
        free(one);
    }
    free(csv);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "v,g\nx,1\ny,2\n";
    masking_refused(csv, "pram columns=v keep=1.5", "a number from 0 to 1");
    masking_refused(csv, with_matrix("pram columns=v keep=0.5", "f,x\nx,1\n"),
                    "either keep or matrix");
    masking_refused(csv, with_matrix("pram columns=v within=g", "f,x\nx,1\n"), "leave out within");
    masking_refused(csv, "pram columns=v within=v", "cannot be drawn within itself");
    masking_refused(csv, "pram columns=v matrix=/nowhere/at/all.csv", "cannot open");
    masking_refused(csv, "pram columns=v matrix=a,b", "matrix of pram is to be a file");
}

static void test_matrices(void **state)
{
    (void)state;
    const char *csv = "v\nx\n";
    const struct {
        const char *matrix, *words;
    } cases[] = {
        {"f,x,y\nx,.5,.4\ny,0,1\n", "sum to 1, these to 0.9"},
        {"f,x,y\nx,.5,.5\n", "\"y\" has a column and no row"},
        {"f,x,y\nx,.5,.5\nx,1,0\n", "\"x\" has two rows"},
        {"f,x,y\nx,.5,.5\nz,1,0\n", "\"z\" has a row and no column"},
        {"f,x,y\nx,1.5,-.5\ny,0,1\n", "\"1.5\" is no probability"},
        {"f,x,y\nx,much,.5\ny,0,1\n", "\"much\" is no probability"},
        {"f,x,y\nx,,1\ny,0,1\n", "is no probability"},
        {"f\nx\n", "from 1 to 1000 categories"},
        {"f,y\ny,1\n", "has a value which the matrix does not have"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        masking_refused(csv, with_matrix("pram columns=v", cases[i].matrix), cases[i].words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_within),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_plain),
        cmocka_unit_test(test_kept),       cmocka_unit_test(test_two_steps),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_matrices),
    };
    int fd = mkstemp(matrix_path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(matrix_path);
    return failed;
}
