/*
 * test_itemsets.c - km-anonymity of sets: the running example of its paper, how cells are read and
 * written, whose rows count, what is refused, and every allocation refused in turn. What holds of
 * any table is in tests/property.
 */
#include "starve.h"

#include "records.h"

#include <tacit/experimental/itemsets.h>

static const tacit_hierarchy_spec NONE = {.kind = TACIT_HIERARCHY_NONE};
static const tacit_hierarchy_spec MASK = {.kind = TACIT_HIERARCHY_MASK};

enum { ROWS = 16 };

typedef struct example {
    const char *text;
    const char *tree; /* a hierarchy file's text; NULL: spec */
    tacit_hierarchy_spec spec;
    tacit_itemset_column columns[2];
    tacit_itemsets asked;
    uint32_t class_of[ROWS];
    char path[32];
    fixture f;
} example;

/* A column p, and the sets in s and, if there is one, in r. */
static void open_example(example *e, int k, int m)
{
    fixture_open(&e->f, e->text);
    e->asked.table = e->f.table;
    if (e->tree) {
        strcpy(e->path, "/tmp/tacit-test-XXXXXX");
        int fd = mkstemp(e->path);
        assert_true(fd >= 0 && write(fd, e->tree, strlen(e->tree)) == (ssize_t)strlen(e->tree));
        close(fd);
        e->spec = (tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE, .path = e->path};
    }
    for (int i = 0; i < 2; i++) {
        e->columns[i].column = 1 + i;
        e->columns[i].hierarchy = &e->spec;
        if (!e->columns[i].separator)
            e->columns[i].separator = ";";
    }
    e->asked.columns = e->columns;
    e->asked.column_count = tacit_table_columns(e->f.table) - 1;
    e->asked.k = k;
    e->asked.m = m;
    e->asked.class_of = e->class_of;
    if (!e->asked.class_count)
        e->asked.class_count = 1;
    e->asked.person = -1;
}

static void close_example(example *e)
{
    fixture_close(&e->f);
    if (e->tree)
        unlink(e->path);
}

static tacit_itemset_release *protected(example *e)
{
    tacit_itemset_release *release = NULL;
    tacit_error err = {0};
    tacit_run run = starve_run(1);
    if (tacit_itemsets_protect(&release, &e->asked, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return release;
}

static void refused(example *e, tacit_status status, const char *message)
{
    tacit_itemset_release *release = STARVE_UNTOUCHED;
    tacit_error err = {0};
    tacit_run run = starve_run(1);
    assert_int_equal(tacit_itemsets_protect(&release, &e->asked, &run, &err), status);
    assert_ptr_equal(release, STARVE_UNTOUCHED);
    assert_string_equal(err.message, message);
}

static void says(const tacit_itemset_release *release, int column, int row, const char *cell)
{
    const tacit_itemset_cells *cells = &release->columns[column];
    tacit_strview label = cells->labels[cells->codes[row]];
    assert_non_null(label.bytes);
    assert_int_equal(label.len, strlen(cell));
    assert_memory_equal(label.bytes, cell, label.len);
}

/* k = m = 2: only a1 and b1, of one person, are too few. Generalizing a1 and a2 is the best that
 * leaves nothing out. */
static void test_paper(void **state)
{
    (void)state;
    example e = {.text = "p,s\n1,a1;b1;b2\n2,a2;b1\n3,a2;b1;b2\n4,a1;a2;b2\n",
                 .tree = "a1;A;I\na2;A;I\nb1;B;I\nb2;B;I\n"};
    e.columns[0].keeps_all = true;
    open_example(&e, 2, 2);
    tacit_itemset_release *release = protected(&e);
    says(release, 0, 0, "A;b1;b2");
    says(release, 0, 1, "A;b1");
    says(release, 0, 2, "A;b1;b2");
    says(release, 0, 3, "A;b2");
    const tacit_itemset_loss *loss = &release->columns[0].loss;
    assert_int_equal(loss->items, 11);
    assert_int_equal(loss->distinct, 4);
    assert_int_equal(loss->generalized, 5);
    assert_int_equal(loss->left_out, 0);
    assert_true(loss->loss > 2.5 / 11 - 1e-12 && loss->loss < 2.5 / 11 + 1e-12);
    tacit_itemset_release_free(release);

    e.columns[0].keeps_all = false; /* leaving a1 out loses less */
    release = protected(&e);
    says(release, 0, 0, "b1;b2");
    says(release, 0, 3, "a2;b2");
    assert_int_equal(release->columns[0].loss.left_out, 2);
    tacit_itemset_release_free(release);
    close_example(&e);
}

/* Blanks around items, items twice, none, and what CSV has to quote. */
static void test_cells(void **state)
{
    (void)state;
    example e = {.text = "p,s\n1, b / a /b/ \n2,a / b\n3,\n4, / /\n5,\"x \"\"y\"\", / z / a/b\"\n"
                         "6,\"a/b/z/x \"\"y\"\",\"\n",
                 .spec = NONE};
    e.columns[0].separator = "/";
    open_example(&e, 2, 8);
    tacit_itemset_release *release = protected(&e);
    static const char *const CELLS[] = {"a/b", "a/b", "", "", "a/b/x \"y\",/z", "a/b/x \"y\",/z"};
    for (int row = 0; row < 6; row++)
        says(release, 0, row, CELLS[row]);
    assert_int_equal(release->columns[0].loss.items, 12);
    tacit_itemset_release_free(release);
    close_example(&e);
}

/* Items of two columns are known together; equal names in both are two items. */
static void test_two_columns(void **state)
{
    (void)state;
    example e = {.text = "p,s,r\n1,a,a\n2,a,a\n3,a,b\n4,c,b\n5,c,b\n", .spec = NONE};
    open_example(&e, 2, 1);
    tacit_itemset_release *release = protected(&e);
    says(release, 0, 2, "a");
    says(release, 1, 2, "b");
    tacit_itemset_release_free(release);
    e.asked.m = 2; /* a and b are of one person: b, as frequent as a, comes behind it */
    release = protected(&e);
    says(release, 0, 2, "a");
    says(release, 1, 2, "");
    says(release, 1, 4, "");
    says(release, 1, 0, "a");
    tacit_itemset_release_free(release);
    close_example(&e);
}

/* Each class by itself, and rows of no class not at all; people, and those who are not named. */
static void test_classes(void **state)
{
    (void)state;
    example e = {.text = "p,s\n1,a\n1,a\n2,b\n3,b\n,b\n,a\n,a\n4,c\n5,c\n", .spec = NONE};
    static const uint32_t OF[] = {
        0, 0, 0, 0, 1, 1, 1, TACIT_ITEMSETS_NO_CLASS, TACIT_ITEMSETS_NO_CLASS};
    memcpy(e.class_of, OF, sizeof OF);
    e.asked.class_count = 2;
    open_example(&e, 2, 1);
    tacit_itemset_release *release = protected(&e);
    says(release, 0, 0, "a");
    says(release, 0, 2, "b");
    says(release, 0, 4, "");
    says(release, 0, 5, "a");
    says(release, 0, 7, "");
    assert_int_equal(release->columns[0].loss.items, 7);
    tacit_itemset_release_free(release);
    e.asked.person = 0;
    release = protected(&e);
    says(release, 0, 0, "");
    says(release, 0, 2, "b");
    says(release, 0, 5, "");
    tacit_itemset_release_free(release);
    close_example(&e);
}

/* A value that stays itself on a level is one value, and the suppressed level none. */
static void test_levels(void **state)
{
    (void)state;
    example e = {.text = "p,s\n1,a\n2,b\n3,c\n4,c\n", .tree = "a;a;ab;*\nb;b;ab;*\nc;c;c;*\n"};
    open_example(&e, 2, 2);
    tacit_itemset_release *release = protected(&e);
    says(release, 0, 0, "ab");
    says(release, 0, 1, "ab");
    says(release, 0, 2, "c");
    tacit_itemset_release_free(release);
    e.asked.k = 3;
    release = protected(&e);
    for (int row = 0; row < 4; row++)
        says(release, 0, row, "");
    tacit_itemset_release_free(release);
    close_example(&e);

    example masks = {.text = "p,s\n1,a1\n2,a2\n3,b1\n4,b1\n", .spec = MASK};
    open_example(&masks, 2, 2);
    release = protected(&masks);
    says(release, 0, 0, "a*");
    says(release, 0, 2, "b1");
    tacit_itemset_release_free(release);
    close_example(&masks);
}

static void test_refused(void **state)
{
    (void)state;
    example e = {.text = "p,s\n1,a;b\n2,a\n", .tree = "a;x;t\n"};
    open_example(&e, 2, 1);
    tacit_itemset_release *none = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_itemsets_protect(&none, &e.asked, NULL, &err), TACIT_PARSE);
    close_example(&e);

    example sep = {.text = "p,s\n1,a\n2,a\n", .tree = "a;\"x;y\";t\n"};
    open_example(&sep, 2, 1);
    refused(&sep, TACIT_INVALID,
            "column \"s\": a label of the hierarchy has the separator of items in it: an item "
            "could not be read back; change the label, or items");
    close_example(&sep);

    example kept = {.text = "p,s\n1,a\n2,a\n3,a\n", .spec = NONE};
    kept.columns[0].keeps_all = true;
    open_example(&kept, 4, 1);
    refused(&kept, TACIT_INFEASIBLE,
            "km: the sets of a class of 3 rows cannot keep it, however their items are "
            "generalized: let items be left out (suppression: top), or make classes larger (a "
            "larger k)");
    close_example(&kept);
}

/* A set of 3000 items has 10^23 combinations of up to eight. */
static void test_limit(void **state)
{
    (void)state;
    static char text[1 << 15];
    int at = sprintf(text, "p,s\n1,");
    for (int i = 0; i < 3000; i++)
        at += sprintf(text + at, "%d;", i);
    sprintf(text + at, "\n2,1\n");
    example e = {.text = text, .spec = NONE};
    open_example(&e, 2, 8);
    refused(&e, TACIT_LIMIT,
            "km: the sets have about 1.6e+23 combinations of up to 8 items (the largest has 3000 "
            "items), more than the 1e+10 that are looked at: take a smaller km, or shorten the "
            "longest sets");
    close_example(&e);
}

/* ---- memory ---- */

static tacit_status attempt(void *context, tacit_error *err)
{
    const example *e = context;
    tacit_itemset_release *release = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_itemsets_protect(&release, &e->asked, &run, err);
    if (status == TACIT_OK)
        tacit_itemset_release_free(release);
    else
        assert_ptr_equal(release, STARVE_UNTOUCHED);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    example e = {.text = "p,s,r\n1,a1;b1;b2,a1\n2,a2;b1,\n3,a2;b1;b2,b1;b2\n1,a1;a2;b2,b1\n",
                 .tree = "a1;A;I\na2;A;I\nb1;B;I\nb2;B;I\n"};
    open_example(&e, 2, 3);
    e.asked.person = 0;
    assert_true(starve(attempt, &e) > 40);
    close_example(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),       cmocka_unit_test(test_cells),
        cmocka_unit_test(test_two_columns), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_levels),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limit),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
