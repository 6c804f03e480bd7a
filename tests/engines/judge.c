/*
 * judge.c - the judge of releases inside an engine, on releases that are broken one way each. Run
 * by the test of each engine with the place of a table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental.h>

static const char *place;

/* Six rows: quasi a (ground and one level), kept x, dropped id. */
static const char VALUES[] = "a\n1\n2\n3\n4\n";

typedef struct world {
    tacit_engine *engine;
    tacit_table *table;
    tacit_hierarchy *hierarchy;
    tacit_engine_attribute attribute;
    tacit_strview kept[1], gone[1];
    tacit_engine_promise promise;
} world;

static void run_sql(world *w, const char *text)
{
    tacit_sql sql = {0};
    tacit_error err = {.show_values = true};
    tacit_sql_add(&sql, w->engine, "%s", text);
    if (tacit_engine_query(w->engine, &sql, NULL, NULL, NULL, &err) != TACIT_OK)
        fail_msg("%s: %s", text, err.message);
    tacit_sql_clear(&sql);
}

static void open_world(world *w)
{
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL, .widths = {2}, .width_count = 1};
    tacit_error err = {0};
    char stage[200];
    *w = (world){0};
    if (tacit_engine_open(&w->engine, place, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(
        tacit_table_read_memory(&w->table, tacit_strview_of(VALUES), "v", NULL, NULL, NULL),
        TACIT_OK);
    assert_int_equal(tacit_hierarchy_new(&w->hierarchy, &spec, w->table, 0, &err), TACIT_OK);
    run_sql(w,
            "DROP TABLE IF EXISTS released"); /* of tests before; back when the engine is closed */
    run_sql(w, "CREATE TABLE judged (id text, a integer, x text)");
    run_sql(w, "INSERT INTO judged VALUES ('i', 2, 'p'), ('j', 3, ''), ('k', 2, NULL), ('l', 3, "
               "'q'), ('m', NULL, 'r'), ('n', NULL, 's')");
    snprintf(stage, sizeof stage,
             "CREATE TABLE staged AS SELECT %s AS key, CASE WHEN a IS NULL THEN '*' ELSE '2-3' END "
             "AS a, x FROM judged",
             tacit_engine_dialect(w->engine)->row_key);
    run_sql(w, stage);
    w->attribute = (tacit_engine_attribute){tacit_strview_of("a"), w->table, 0, w->hierarchy};
    w->kept[0] = tacit_strview_of("x");
    w->gone[0] = tacit_strview_of("id");
    w->promise = (tacit_engine_promise){
        .source = {{"", 0}, tacit_strview_of("judged")},
        .original = {{"", 0}, tacit_strview_of("judged")},
        .staged = {{"", 0}, tacit_strview_of("staged")},
        .release = {{"", 0}, tacit_strview_of("released")},
        .key = tacit_strview_of("key"),
        .k = 2,
        .attributes = &w->attribute,
        .attribute_count = 1,
        .kept = w->kept,
        .kept_count = 1,
        .gone = w->gone,
        .gone_count = 1,
    };
}

/* Breaks something, copies what was staged, and lets the judge look; problem is what it must say,
 * NULL nothing. */
static void judge(const char *before, const char *after, const char *problem,
                  void (*change)(tacit_engine_promise *promise))
{
    world w;
    tacit_engine_verdict verdict;
    tacit_error err = {0};
    bool said = false;
    open_world(&w);
    run_sql(&w, before);
    run_sql(&w, "CREATE TABLE released AS SELECT a, x FROM staged");
    run_sql(&w, after);
    if (change)
        change(&w.promise);
    if (tacit_audit_engine(&verdict, w.engine, &w.promise, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < verdict.problem_count; i++)
        said |= problem && strstr(verdict.problems[i], problem);
    if (problem && (!said || verdict.holds))
        fail_msg("not found: %s (%s)", problem, verdict.problem_count ? verdict.problems[0] : "");
    if (!problem && !verdict.holds)
        fail_msg("%s", verdict.problems[0]);
    tacit_hierarchy_free(w.hierarchy);
    tacit_table_free(w.table);
    tacit_engine_close(w.engine); /* nothing of it stays */
}

static const char NOTHING[] = "SELECT 1";

static void may_go(tacit_engine_promise *promise)
{
    promise->rows_may_go = true;
    promise->max_gone = 2;
}

static void more_k(tacit_engine_promise *promise)
{
    promise->k = 3;
}

static void of_people(tacit_engine_promise *promise)
{
    promise->person = tacit_strview_of("id");
}

static void sound(void **state)
{
    (void)state;
    judge(NOTHING, NOTHING, NULL, NULL);
    judge("DELETE FROM staged WHERE a = '*'", NOTHING, NULL, may_go);
    judge(NOTHING, NOTHING, NULL, of_people);
}

static void broken(void **state)
{
    (void)state;
    judge("UPDATE staged SET a = '4-5' WHERE a = '2-3'", NOTHING, "not above them", NULL);
    judge("UPDATE staged SET a = '2' WHERE x = 'q'", NOTHING, "not above them", NULL);
    judge("UPDATE staged SET a = NULL WHERE x = 'q'", NOTHING, "not above them", NULL);
    judge("UPDATE staged SET x = 'z' WHERE x = 'q'", NOTHING, "say something else", NULL);
    judge("UPDATE staged SET x = NULL WHERE x = ''", NOTHING, "say something else", NULL);
    judge("DELETE FROM staged WHERE x = 'q'", NOTHING, "are not in the release", NULL);
    judge("DELETE FROM staged WHERE a <> '*'", NOTHING, "are not in the release", may_go);
    judge("INSERT INTO staged SELECT * FROM staged WHERE x = 'q'", NOTHING, "twice", NULL);
    judge("DELETE FROM judged WHERE x = 'q'", NOTHING, "no row of the data", NULL);
    judge(NOTHING, NOTHING, "fewer than k = 3", more_k);
    judge("UPDATE judged SET id = 'm' WHERE id = 'n'", NOTHING, "different values of id", NULL);
    judge(NOTHING, "ALTER TABLE released ADD COLUMN id text", "should not be there", NULL);
    judge(NOTHING, "UPDATE released SET x = 'z' WHERE x = 'q'", "does not say what was made", NULL);
    judge(NOTHING, "DELETE FROM released WHERE x = 'q'", "not as many rows", NULL);
}

/* Two rows of one person are one. */
static void one_person(tacit_engine_promise *promise)
{
    promise->person = tacit_strview_of("x");
}

static void people(void **state)
{
    (void)state;
    judge("UPDATE staged SET x = x", NOTHING, NULL, one_person);
    judge("SELECT 1", NOTHING, NULL, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(broken),
                                       cmocka_unit_test(people)};
    if (argc != 2)
        return 2;
    place = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
