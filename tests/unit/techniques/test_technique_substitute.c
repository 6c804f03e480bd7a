/*
 * test_technique_substitute.c - substitution within classes, by a file and by columns.
 */
#include "masked_grid.h"

#define DATA TACIT_SOURCE_DIR "/tests/data/techniques/"

/* A file of a test, to be named in a step. */
static const char *file_of(const char *text)
{
    static char path[] = "/tmp/test_technique_substitute_XXXXXX";
    strcpy(path + sizeof path - 7, "XXXXXX");
    int fd = mkstemp(path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void test_file(void **state)
{
    (void)state;
    /* of two values, another one is the other one */
    masking_expect("a,b\n1,\"1;2\"\n2,7\n3,\n",
                   "substitute columns=b another=true classes=" DATA "classes.csv",
                   "a,b\n1,7\n2,\"1;2\"\n3,\n");
    /* by frequency only values that are there are drawn, uniformly those of the file too */
    char csv[4096] = "b\n", *at = csv + 2;
    for (int i = 0; i < 300; i++)
        at += sprintf(at, "%s\n", i % 3 ? "x" : "y");
    grid *often = grid_run(csv, "substitute columns=b classes=" DATA "classes.csv", 1, 1);
    grid *any =
        grid_run(csv, "substitute columns=b draw=uniform classes=" DATA "classes.csv", 1, 1);
    int x = 0, counts[3] = {0};
    for (int row = 0; row < 300; row++) {
        assert_true(*often->cells[row][0] != 'z');
        x += *often->cells[row][0] == 'x';
        counts[*any->cells[row][0] - 'x']++;
    }
    assert_in_range(x, 160, 240);
    for (int i = 0; i < 3; i++)
        assert_in_range(counts[i], 60, 140);
    grid_free(often);
    grid_free(any);
}

static void test_others(void **state)
{
    (void)state;
    masking_refused("b\nx\nw\n", "substitute columns=b classes=" DATA "classes.csv",
                    "column b has a value which has no class");
    masking_expect("b\n7\nw\n\"\"\n\"1;2\"\n",
                   "substitute columns=b classes=" DATA "classes.csv others=keep another=true",
                   "b\n\"1;2\"\nw\n\"\"\n7\n");
}

static void test_within(void **state)
{
    (void)state;
    masking_expect("g,b\nm,1\nw,2\nm,3\nw,4\nx,5\nx,\n",
                   "substitute columns=b within=g another=true",
                   "g,b\nm,3\nw,4\nm,1\nw,2\nx,5\nx,\n");
    masking_expect("g,b\nm,1\nm,\nm,\nm,3\n",
                   "substitute columns=b within=g another=true draw=uniform",
                   "g,b\nm,3\nm,\nm,\nm,1\n");
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "substitute columns=b within=a", "a,b\n");
    masking_expect("a,b\n1,2\n", "substitute columns=b within=a", "a,b\n1,2\n");
    masking_expect("a,b\n1,2\n1,2\n", "substitute columns=b within=a another=true",
                   "a,b\n1,2\n1,2\n");
    masking_expect("a,b\n1,\n1,\n", "substitute columns=b within=a draw=uniform", "a,b\n1,\n1,\n");
    masking_expect("a,b\n", "substitute columns=b classes=" DATA "classes.csv", "a,b\n");
}

static void refused_file(const char *text, const char *words)
{
    char steps[160];
    snprintf(steps, sizeof steps, "substitute columns=b classes=%s", file_of(text));
    masking_refused("b\nx\n", steps, words);
    unlink(strstr(steps, "/tmp"));
}

static void test_misuse(void **state)
{
    (void)state;
    masking_refused("b\nx\n", "substitute columns=b", "classes are given by a file");
    masking_refused("b,c\nx,y\n", "substitute columns=b within=c classes=f", "given by a file");
    masking_refused("b,c\nx,y\n", "substitute columns=b within=b",
                    "is in `columns` and in `within`");
    masking_refused("b\nx\n", "substitute columns=b classes=f,g", "is to be a file");
    masking_refused("b\nx\n", "substitute columns=b classes=/nowhere.csv", "No such file");
    refused_file("x;1\nx;2\n", "the value \"x\" is in two classes");
    refused_file("x;1;2\n", "not 3 cells");
    refused_file("x;\n", "classes are a value and its class");
}

/* A name that is no whole path is that of a file beside the policy. */
static void test_beside(void **state)
{
    (void)state;
    const char *const columns[] = {"b"}, *const classes[] = {"classes.csv"};
    const char *const yes[] = {"true"};
    const tacit_technique_setting settings[] = {
        {"columns", columns, 1, 0}, {"classes", classes, 1, 0}, {"another", yes, 1, 0}};
    tacit_technique_step step = {.technique = "substitute",
                                 .settings = settings,
                                 .setting_count = 3,
                                 .directory = TACIT_SOURCE_DIR "/tests/data/techniques"};
    tacit_table *table = masking_table("b\n7\n\"1;2\"\n");
    tacit_masking *masking = NULL;
    tacit_masked *masked = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_masking_new(&masking, &step, 1, &err), TACIT_OK);
    assert_int_equal(tacit_masking_apply(&masked, masking, table, &run, &err), TACIT_OK);
    char *text = masking_text(masked, 1);
    assert_string_equal(text, "b\n\"1;2\"\n7\n");
    free(text);
    tacit_masked_free(masked);
    tacit_masking_free(masking);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),   cmocka_unit_test(test_others),
        cmocka_unit_test(test_within), cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_misuse), cmocka_unit_test(test_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
