/*
 * test_dependencies.c - functional dependencies by hand: which hold, which
 * a release proves, and hiding one.
 */
#include "dependencies.h"

#include "hiding.h"
#include "records/dependencies/dependencies.h"

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

/* Whether a set is a minimal one that hits all of some sets that a column is in. */
static bool is_minimal_hit(uint64_t set, int right, const uint64_t *sets, int count)
{
    uint64_t needed = 0;
    for (int i = 0; i < count; i++) {
        uint64_t met = sets[i] & set;
        if (!(sets[i] >> right & 1))
            continue;
        if (!met)
            return false;
        needed |= met & (met - 1) ? 0 : met;
    }
    return needed == set;
}

/* Where there are more left sides than may be kept, the small ones are kept, all of them. */
static void too_many(void **state)
{
    (void)state;
    enum { COLUMNS = 9, SETS = 12 };
    uint64_t seed = 5, sets[SETS];
    int64_t full = 0;
    for (int round = 0; round < 300; round++) {
        tacit__candidates c;
        int64_t found = 0;
        assert_int_equal(tacit__candidates_init(&c, COLUMNS, COLUMNS, NULL), TACIT_OK);
        c.most = 60 + next_number(&seed, 200);
        for (int i = 0; i < SETS; i++) {
            sets[i] = 1 + next_number(&seed, (1 << COLUMNS) - 1);
            assert_int_equal(tacit__candidates_apply(&c, sets[i], NULL, NULL), TACIT_OK);
        }
        for (int a = 0; a < COLUMNS; a++)
            for (uint64_t set = 0; set < 1 << COLUMNS; set++)
                found += !(set >> a & 1) && __builtin_popcountll(set) <= c.cap &&
                         is_minimal_hit(set, a, sets, SETS);
        assert_int_equal(found, c.total);
        for (int a = 0; a < COLUMNS; a++)
            for (size_t i = 0; i < c.of[a].count; i++)
                assert_true(is_minimal_hit(c.of[a].sets[i], a, sets, SETS));
        assert_int_equal(c.full, c.cap < COLUMNS);
        full += c.full;
        tacit__candidates_clear(&c);
    }
    assert_true(full > 20 && full < 280);
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

/* Hides a dependency of twice; -1 where it cannot be done. */
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
        cmocka_unit_test(by_hand),  cmocka_unit_test(bad_columns),
        cmocka_unit_test(too_many), cmocka_unit_test(in_a_release),
        cmocka_unit_test(hiding),   cmocka_unit_test(not_to_be_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
