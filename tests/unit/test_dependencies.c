/*
 * test_dependencies.c - functional dependencies by hand: how they are written, which hold, which
 * a release proves, and hiding one.
 */
#include "dependencies.h"

#include "ambiguate.h"
#include "records/ambiguate_state.h"

/* ---- as people write them ---- */

typedef struct written {
    const char *text;
    int left_count;
    const char *left[3], *right;
} written;

static void are_read(void **state)
{
    (void)state;
    static const written cases[] = {
        {"zip,birth->diagnosis", 2, {"zip", "birth"}, "diagnosis"},
        {"a->b", 1, {"a"}, "b"},
        {"  a b , c\t->  d e ", 2, {"a b", "c"}, "d e"},
        {"\"a,b\",\"c->d\"->\"say \"\"e\"\"\"", 2, {"a,b", "c->d"}, "say \"e\""},
        {"\" a\" ,b->\"\"\"\"", 2, {" a", "b"}, "\""},
        {"a-b,c>d,e- ->f-", 3, {"a-b", "c>d", "e-"}, "f-"},
        {"größe->maß", 1, {"größe"}, "maß"},
    };
    tacit_dependency_names names = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit_error err = {0};
        if (tacit_dependency_parse(&names, cases[i].text, &err) != TACIT_OK)
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_int_equal(names.left_count, cases[i].left_count);
        for (int j = 0; j < names.left_count; j++)
            assert_string_equal(names.left[j], cases[i].left[j]);
        assert_string_equal(names.right, cases[i].right);
    }
    tacit_dependency_names_clear(&names);
}

static void are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int character;
        const char *says;
    } cases[] = {
        {"", 1, "a column's name is missing"},
        {"a", 2, "-> and the column that the others lead to are missing"},
        {"a,b", 4, "-> and the column"},
        {"->b", 1, "a column's name is missing"},
        {"a,->b", 3, "a column's name is missing"},
        {"a->", 4, "a column's name is missing"},
        {"a->b,c", 5, "one column behind ->"},
        {"a->b->c", 5, "a second ->"},
        {"a,b, a->c", 5, "named twice"},
        {"a,b->a", 6, "stands before -> as well"},
        {"\"a->b", 1, "not closed"},
        {"ä,\"b->c", 3, "not closed"},
        {"\"a\"b->c", 4, "behind a name in quotes"},
        {"a\"b->c", 2, "a quote within a name"},
        {"\"\"->c", 1, "a column's name is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit_dependency_names names = {.left_count = 0};
        tacit_error err = {0};
        assert_int_equal(tacit_dependency_parse(&names, cases[i].text, &err), TACIT_INVALID);
        if (!strstr(err.message, cases[i].says) || err.column != cases[i].character)
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_null(names.left);
    }
}

static void too_many_columns(void **state)
{
    (void)state;
    char text[1024] = "";
    tacit_dependency_names names = {0};
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text), "%sc%d", i ? "," : "", i);
    char *end = text + strlen(text);
    strcpy(end, "->x");
    assert_int_equal(tacit_dependency_parse(&names, text, NULL), TACIT_OK);
    assert_int_equal(names.left_count, 64);
    strcpy(end, ",more->x");
    assert_int_equal(tacit_dependency_parse(&names, text, NULL), TACIT_INVALID);
    assert_int_equal(names.left_count, 64); /* as it was */
    tacit_dependency_names_clear(&names);
}

/* Text by chance of what counts in it. What is read comes out the same when written in quotes. */
static void any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "b", ",", "->", "\"", "\"\"", " ", "-", ">", "ü"};
    uint64_t seed = 7;
    int64_t accepted = 0;
    for (int i = 0; i < 200000; i++) {
        char text[128] = "", again[512] = "";
        tacit_dependency_names names = {0}, twice = {0};
        tacit_error err = {0};
        for (uint32_t j = next_number(&seed, 12); j > 0; j--)
            strcat(text, pieces[next_number(&seed, 10)]);
        tacit_status status = tacit_dependency_parse(&names, text, &err);
        assert_int_equal(status == TACIT_OK, names.right != NULL);
        assert_int_equal(status == TACIT_OK, err.message[0] == '\0');
        for (int32_t k = 0; status == TACIT_OK && k <= names.left_count; k++) {
            strcat(again, k == names.left_count ? "->\"" : k ? ",\"" : "\"");
            for (const char *c = k < names.left_count ? names.left[k] : names.right; *c; c++)
                sprintf(again + strlen(again), *c == '"' ? "\"\"" : "%c", *c);
            strcat(again, "\"");
        }
        if (status == TACIT_OK) {
            accepted++;
            assert_int_equal(tacit_dependency_parse(&twice, again, NULL), TACIT_OK);
            assert_int_equal(twice.left_count, names.left_count);
            assert_string_equal(twice.right, names.right);
            assert_string_equal(twice.left[0], names.left[0]);
        }
        tacit_dependency_names_clear(&names);
        tacit_dependency_names_clear(&twice);
    }
    assert_true(accepted > 1000);
}

/* ---- which hold ---- */

static void found_in(const char *csv, const tacit_dependency *expected, int64_t count)
{
    fixture f;
    int32_t columns[GRID_COLUMNS];
    tacit_dependencies *found = NULL;
    fixture_open(&f, csv);
    int32_t width = first_columns(columns, tacit_table_columns(f.table));
    assert_int_equal(tacit_dependencies_find(&found, f.table, columns, width, 0, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(found->count, count);
    assert_int_equal(found->complete, width);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(found->list[i].left, expected[i].left);
        assert_int_equal(found->list[i].right, expected[i].right);
    }
    tacit_dependencies_free(found);
    fixture_close(&f);
}

static void by_hand(void **state)
{
    (void)state;
    static const tacit_dependency constant[] = {{0, 0}, {0, 1}};
    static const tacit_dependency zip[] = {{1, 1}, {1, 2}, {2, 2}};
    static const tacit_dependency missing[] = {{1, 1}};
    found_in("a,b\n", constant, 2);
    found_in("a,b\n1,2\n", constant, 2);
    found_in("a,b\n1,2\n1,2\n", constant, 2);
    found_in("zip,city,state\n1,x,p\n2,x,p\n3,y,p\n4,z,q\n4,z,q\n", zip, 3);
    found_in("a,b\n1,\n1,\n2,\n3,7\n", missing, 1); /* missing is a value */
    found_in("a,b\n1,\n1,7\n2,7\n", NULL, 0);
}

static void bad_columns(void **state)
{
    (void)state;
    static const int32_t twice[] = {0, 1, 0}, many[65] = {0};
    tacit_dependencies *found = NULL;
    tacit_error err = {0};
    fixture f;
    fixture_open(&f, "a,b\n1,2\n");
    assert_int_equal(tacit_dependencies_find(&found, f.table, twice, 3, 0, NULL, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message, "column a is named twice");
    assert_int_equal(tacit_dependencies_find(&found, f.table, twice, 0, 0, NULL, NULL),
                     TACIT_INVALID);
    assert_int_equal(tacit_dependencies_find(&found, f.table, many, 65, 0, NULL, NULL),
                     TACIT_INVALID);
    assert_null(found);
    fixture_close(&f);
}

/* Rows of 40 columns by chance have more dependencies than are kept: the small ones come, and
 * that there are others. */
static void too_many(void **state)
{
    (void)state;
    enum { COLUMNS = 40, ROWS = 260 };
    char *text = malloc(ROWS * COLUMNS * 4 + 1024), *at = text;
    int32_t columns[COLUMNS];
    tacit_dependencies *found = NULL;
    uint64_t seed = 3;
    for (int r = 0; r <= ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            at += sprintf(at, "%s%d%s", c ? "," : "", r ? (int)next_number(&seed, 3) : c,
                          c == COLUMNS - 1 ? "\n" : "");
    fixture f;
    fixture_open(&f, text);
    first_columns(columns, COLUMNS);
    assert_int_equal(tacit_dependencies_find(&found, f.table, columns, COLUMNS, 4, NULL, NULL),
                     TACIT_OK);
    assert_true(found->end == TACIT_OK || found->end == TACIT_LIMIT);
    assert_true(found->complete <= 4 && found->count <= TACIT_MOST_DEPENDENCIES);
    for (int64_t i = 0; i < found->count; i++)
        assert_true(__builtin_popcountll(found->list[i].left) <= found->complete);
    tacit_dependencies_free(found);
    fixture_close(&f);
    free(text);
}

/* ---- what a release proves ---- */

static void in_a_release(void **state)
{
    (void)state;
    static const tacit_dependency list[] = {{1, 1}, {1, 2}, {3, 2}, {8, 2}};
    static const int32_t columns[] = {0, 1, 2, -1};
    tacit_released_dependencies *found = NULL;
    fixture f;
    fixture_open(&f, "zip,birth,diagnosis\n0213*,64,flu\n0214*,65,cold\n*,66,flu\n");
    assert_int_equal(
        tacit_dependencies_released(&found, list, 4, f.table, columns, 4, 3, NULL, NULL), TACIT_OK);
    assert_int_equal(found->unlike, 0); /* births tell all rows apart */
    assert_false(found->fates[0].provable);
    assert_false(found->fates[1].provable); /* the blank may be 0214* */
    assert_true(found->fates[2].provable);
    assert_false(found->fates[3].provable); /* a column that is not released */
    assert_int_equal(found->provable, 1);
    assert_int_equal(found->family, 0);
    tacit_released_dependencies_free(found);
    assert_int_equal(
        tacit_dependencies_released(&found, list, 4, f.table, columns, 4, 1, NULL, NULL), TACIT_OK);
    assert_int_equal(found->unlike, 6);
    assert_true(found->fates[0].family && found->fates[1].family && !found->fates[2].family);
    tacit_released_dependencies_free(found);
    fixture_close(&f);
}

/* ---- hiding ---- */

typedef struct world {
    fixture f;
    tacit_classes *classes;
    tacit_records_options options;
    tacit_ambiguate how;
    tacit__tableau tableau;
    tacit__state *state;
    tacit_run run;
} world;

/* zip, birth and sex as attributes; the last column is not one. */
static void world_open(world *w, const char *csv, int32_t most_row)
{
    static const int ground[3] = {0};
    *w = (world){.how = {.most_row = most_row}};
    tacit_run_init(&w->run);
    fixture_open(&w->f, csv);
    for (int32_t c = 0; c < 3; c++) {
        char name[32];
        tacit_strview view = tacit_table_name(w->f.table, c);
        snprintf(name, sizeof name, "%.*s", (int)view.len, view.bytes);
        fixture_none(&w->f, name);
    }
    w->options = (tacit_records_options){.k = 2, .ambiguate = &w->how};
    assert_int_equal(tacit_classes_new(&w->classes, &w->f.frame, ground, &w->run, NULL), TACIT_OK);
    assert_int_equal(
        tacit__tableau_init(&w->tableau, &w->f.frame, w->classes, &w->options, &w->run, NULL),
        TACIT_OK);
    assert_int_equal(tacit__state_new(&w->state, &w->tableau, NULL, &w->run, NULL), TACIT_OK);
}

static void world_close(world *w)
{
    tacit__state_free(w->state);
    tacit__tableau_clear(&w->tableau);
    tacit_classes_free(w->classes);
    fixture_close(&w->f);
}

static const char PEOPLE[] = "zip,birth,sex,test\n"
                             "02138,1964,f,neg\n02139,1964,m,neg\n02138,1965,f,pos\n"
                             "02138,1964,f,neg\n02141,1970,m,pos\n";

/* Hides a dependency of the people above twice; -1 where it cannot be done. */
static int64_t hide(const char *csv, uint64_t left, int32_t right, int32_t most_row,
                    tacit_error *err)
{
    world w;
    int64_t added = -1, again = -1;
    tacit_hidden hidden = {left, right};
    world_open(&w, csv, most_row);
    tacit_status status = tacit__ambiguate_hide(&added, w.state, &w.tableau, &w.f.frame, w.classes,
                                                &hidden, &w.run, err);
    if (status != TACIT_OK) {
        assert_int_equal(added, -1);
        assert_true(status == TACIT_INFEASIBLE || status == TACIT_INVALID);
    } else {
        tacit__state_sums sums;
        tacit__state_sum(&sums, w.state);
        assert_int_equal(sums.cells, added);
        assert_int_equal(tacit__ambiguate_hide(&again, w.state, &w.tableau, &w.f.frame, w.classes,
                                               &hidden, &w.run, err),
                         TACIT_OK);
        assert_int_equal(again, 0);
    }
    world_close(&w);
    return added;
}

static void hiding(void **state)
{
    (void)state;
    tacit_error err = {0};
    assert_int_equal(hide(PEOPLE, 7, 3, 0, &err), 1); /* rows 1 and 3 but for birth */
    assert_int_equal(hide(PEOPLE, 6, 3, 0, &err), 1);
    assert_int_equal(hide(PEOPLE, 1, 3, 0, &err), 0); /* it does not hold */
    assert_int_equal(hide(PEOPLE, 0, 3, 0, &err), 0);
    assert_int_equal(hide(PEOPLE, 3, 2, 0, &err), 1); /* sex is an attribute itself */
    assert_int_equal(hide("a,b,c,d\n1,1,1,x\n2,2,2,y\n", 7, 3, 0, &err), 3);
    assert_int_equal(hide("a,b,c,d\n1,1,1,x\n2,2,2,y\n", 7, 3, 2, &err), 3); /* two and one */
    assert_int_equal(hide("a,b,c,d\n1,1,1,x\n1,1,1,y\n", 7, 3, 0, &err), 0); /* in one class */
    assert_int_equal(err.status, TACIT_OK);
}

static void not_to_be_hidden(void **state)
{
    (void)state;
    tacit_error err = {0};
    assert_int_equal(hide("a,b,c,d\n1,1,1,x\n2,2,2,x\n", 3, 3, 0, &err), -1);
    assert_string_equal(err.message, "the dependency a,b->d cannot be hidden: what it leads to is "
                                     "the same in every row");
    err = (tacit_error){0};
    assert_int_equal(hide("a,b,c,d\n1,1,1,x\n2,2,2,y\n", 7, 3, 1, &err), -1);
    assert_non_null(strstr(err.message, "a,b,c->d cannot be hidden: the limits"));
    err = (tacit_error){0};
    assert_int_equal(hide(PEOPLE, 7, 2, 0, &err), -1);
    assert_int_equal(err.status, TACIT_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_read),     cmocka_unit_test(are_refused),
        cmocka_unit_test(any_text),     cmocka_unit_test(too_many_columns),
        cmocka_unit_test(by_hand),      cmocka_unit_test(bad_columns),
        cmocka_unit_test(too_many),     cmocka_unit_test(in_a_release),
        cmocka_unit_test(hiding),       cmocka_unit_test(not_to_be_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
