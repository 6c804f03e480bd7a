/*
 * judge.c - the judge of releases inside an engine, on releases that are broken one way each. Run
 * by the test of each engine with the places of the data and of the release.
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

static const char *place, *target_place;

/* Six rows: quasi a (ground and one level), kept x, dropped id. */
static const char VALUES[] = "a\n1\n2\n3\n4\n";
static const char *const ROWS[6][3] = {{"i", "2", "p"}, {"j", "3", ""},   {"k", "2", NULL},
                                       {"l", "3", "q"}, {"m", NULL, "r"}, {"n", NULL, "s"}};

typedef struct world {
    tacit_engine *engine;
    tacit_engine_columns columns;
    tacit_table *table;
    tacit_hierarchy *hierarchy;
    tacit_place_name judged;
    tacit_engine_attribute attribute;
    tacit_strview kept[1], gone[1];
    tacit_engine_promise promise;
} world;

static void expect(tacit_status status, const tacit_error *err)
{
    if (status != TACIT_OK)
        fail_msg("%s", err->message);
}

static void run_sql(world *w, tacit_sql *sql)
{
    tacit_error err = {.show_values = true};
    expect(tacit_engine_query(w->engine, sql, NULL, NULL, NULL, &err), &err);
    tacit_sql_clear(sql);
}

static const char *create_own(const world *w)
{
    return tacit_engine_dialect(w->engine)->create_own;
}

/* A table of what a SELECT says of another one. */
static void make(world *w, const char *create, tacit_place_name table, const char *select,
                 tacit_place_name from)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, w->engine, "%s %p%s AS ", create, table,
                  tacit_engine_dialect(w->engine)->storage);
    tacit_sql_add(&sql, w->engine, select, from, from);
    run_sql(w, &sql);
}

static void drop_judged(world *w)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, w->engine, "DROP TABLE IF EXISTS %p", w->judged);
    run_sql(w, &sql);
}

static void load_judged(world *w)
{
    const tacit_dialect *dialect = tacit_engine_dialect(w->engine);
    tacit_error err = {.show_values = true};
    tacit_sql sql = {0};
    tacit_sql_add(&sql, w->engine, "CREATE TABLE %p (id %s, a %s, x %s)%s", w->judged,
                  dialect->text_type, dialect->number_type, dialect->text_type, dialect->storage);
    run_sql(w, &sql);
    expect(tacit_engine_load_begin(w->engine, w->judged, NULL, &err), &err);
    for (size_t i = 0; i < 6; i++) {
        tacit_strview cells[3];
        for (int j = 0; j < 3; j++)
            cells[j] = ROWS[i][j] ? tacit_strview_of(ROWS[i][j]) : (tacit_strview){NULL, 0};
        expect(tacit_engine_load_row(w->engine, cells, 3, &err), &err);
    }
    expect(tacit_engine_load_end(w->engine, NULL, &err), &err);
}

static void open_world(world *w)
{
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL, .widths = {2}, .width_count = 1};
    tacit_error err = {.show_values = true};
    tacit_place_name target;
    *w = (world){0};
    expect(tacit_engine_open(&w->engine, place, NULL, &err), &err);
    expect(tacit_engine_target(&target, w->engine, target_place, NULL, &err), &err);
    expect(tacit_table_read_memory(&w->table, tacit_strview_of(VALUES), "v", NULL, NULL, &err),
           &err);
    expect(tacit_hierarchy_new(&w->hierarchy, &spec, w->table, 0, &err), &err);
    w->judged = tacit_engine_source(w->engine);
    drop_judged(w);
    load_judged(w);
    expect(tacit_engine_columns_of(&w->columns, w->engine, w->judged, NULL, &err), &err);
    expect(tacit_engine_hold(w->engine, &w->columns, NULL, &err), &err);
    w->attribute = (tacit_engine_attribute){tacit_strview_of("a"), w->table, 0, w->hierarchy};
    w->kept[0] = tacit_strview_of("x");
    w->gone[0] = tacit_strview_of("id");
    w->promise = (tacit_engine_promise){
        .source = w->judged,
        .original = tacit_engine_table(w->engine),
        .staged = tacit_engine_own(w->engine, "tacit staged"),
        .release = tacit_engine_made(w->engine),
        .key = tacit_strview_of("mark"),
        .k = 2,
        .attributes = &w->attribute,
        .attribute_count = 1,
        .kept = w->kept,
        .kept_count = 1,
        .gone = w->gone,
        .gone_count = 1,
    };
}

/* What is sound: each row with the key of its own. */
static void make_sound(world *w, tacit_place_name sound)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, w->engine,
                  "%s %p%s AS SELECT t.%s AS %n, CASE WHEN t.a IS NULL THEN '*' ELSE "
                  "'2-3' END AS a, t.x AS x FROM %p t",
                  create_own(w), sound, tacit_engine_dialect(w->engine)->storage,
                  tacit_engine_dialect(w->engine)->row_key, tacit_strview_of("mark"),
                  w->promise.original);
    run_sql(w, &sql);
}

static void close_world(world *w)
{
    tacit_hierarchy_free(w->hierarchy);
    tacit_table_free(w->table);
    tacit_engine_columns_clear(&w->columns);
    drop_judged(w);
    tacit_engine_close(w->engine); /* nothing of it stays */
}

/* Stages what a SELECT makes of what is sound, releases what another one makes of that, and lets
 * the judge look; problem is what it must say, NULL nothing. */
static void judge(const char *staged, const char *released, const char *problem,
                  void (*change)(tacit_engine_promise *promise))
{
    world w;
    tacit_engine_verdict verdict;
    tacit_error err = {.show_values = true};
    bool said = false;
    open_world(&w);
    tacit_place_name sound = tacit_engine_own(w.engine, "tacit sound");
    make_sound(&w, sound);
    make(&w, create_own(&w), w.promise.staged, staged, sound);
    make(&w, "CREATE TABLE", w.promise.release, released, w.promise.staged);
    if (change)
        change(&w.promise);
    expect(tacit_audit_engine(&verdict, w.engine, &w.promise, NULL, &err), &err);
    for (int i = 0; i < verdict.problem_count; i++)
        said |= problem && strstr(verdict.problems[i], problem);
    if (problem && (!said || verdict.holds))
        fail_msg("not found: %s (%s)", problem, verdict.problem_count ? verdict.problems[0] : "");
    if (!problem && !verdict.holds)
        fail_msg("%s", verdict.problems[0]);
    close_world(&w);
}

static const char STAGED[] = "SELECT * FROM %p";
static const char RELEASED[] = "SELECT a, x FROM %p";

static void may_go(tacit_engine_promise *promise)
{
    promise->rows_may_go = true;
    promise->max_gone = 2;
}

static void more_k(tacit_engine_promise *promise)
{
    promise->k = 3;
}

/* All of a class have the same value of what was left out. */
static void hide_values(tacit_engine_promise *promise)
{
    static const tacit_strview GONE[] = {{"a", 1}};
    promise->gone = GONE;
}

/* Four rows, and three values of what was left out: an empty text and null are one. */
static void hide_missing(tacit_engine_promise *promise)
{
    static const tacit_strview GONE[] = {{"x", 1}};
    may_go(promise);
    promise->k = 4;
    promise->gone = GONE;
}

static void of_people(tacit_engine_promise *promise)
{
    promise->person = tacit_strview_of("id");
}

static void sound(void **state)
{
    (void)state;
    judge(STAGED, RELEASED, NULL, NULL);
    judge("SELECT * FROM %p WHERE a <> '*'", RELEASED, NULL, may_go);
    judge(STAGED, RELEASED, NULL, of_people);
}

/* Staged: the column says something else where a condition holds. */
#define INSTEAD_A(value, condition)                                                     \
    "SELECT t.mark AS mark, CASE WHEN " condition " THEN " value " ELSE t.a END AS a, " \
    "t.x AS x FROM %p t"
#define INSTEAD_X(value, condition)                                                     \
    "SELECT t.mark AS mark, t.a AS a, CASE WHEN " condition " THEN " value " ELSE t.x " \
    "END AS x FROM %p t"

static void broken(void **state)
{
    (void)state;
    judge(INSTEAD_A("'4-5'", "t.a = '2-3'"), RELEASED, "not above them", NULL);
    judge(INSTEAD_A("'2'", "t.x = 'q'"), RELEASED, "not above them", NULL);
    judge(INSTEAD_A("NULL", "t.x = 'q'"), RELEASED, "not above them", NULL);
    judge(INSTEAD_X("'z'", "t.x = 'q'"), RELEASED, "say something else", NULL);
    judge(INSTEAD_X("NULL", "t.x = ''"), RELEASED, "say something else", NULL);
    judge("SELECT * FROM %p WHERE COALESCE(x, '') <> 'q'", RELEASED, "are not in the release",
          NULL);
    judge("SELECT * FROM %p WHERE a = '*'", RELEASED, "are not in the release", may_go);
    judge("SELECT * FROM (SELECT * FROM %p UNION ALL SELECT * FROM %p WHERE x = 'q') y", RELEASED,
          "twice", NULL);
    judge(STAGED, RELEASED, "fewer than k = 3", more_k);
    judge(STAGED, RELEASED, "different values of a", hide_values);
    judge("SELECT * FROM %p WHERE a <> '*'", RELEASED, "3 different values of x", hide_missing);
    judge(STAGED, "SELECT a, x, x AS id FROM %p", "should not be there", NULL);
    judge(STAGED, "SELECT t.a AS a, CASE WHEN t.x = 'q' THEN 'z' ELSE t.x END AS x FROM %p t",
          "does not say what was made", NULL);
    judge(STAGED, "SELECT a, x FROM %p WHERE COALESCE(x, '') <> 'q'", "not as many rows", NULL);
}

/* Keys of rows that the data do not have: those of another table. */
static void strangers(void **state)
{
    world w;
    tacit_engine_verdict verdict;
    tacit_error err = {.show_values = true};
    tacit_sql sql = {0};
    (void)state;
    open_world(&w);
    const tacit_dialect *dialect = tacit_engine_dialect(w.engine);
    tacit_place_name more = tacit_engine_own(w.engine, "tacit more");
    tacit_place_name rest = tacit_engine_own(w.engine, "tacit rest");
    tacit_sql_add(&sql, w.engine,
                  "%s %p%s AS SELECT * FROM (SELECT t.%s AS %n, '*' AS a, t.x AS x FROM "
                  "%p t) y",
                  create_own(&w), more, dialect->storage, dialect->row_key,
                  tacit_strview_of("mark"), w.promise.original);
    run_sql(&w, &sql);
    tacit_sql_add(&sql, w.engine, "%s %p%s AS SELECT * FROM %p WHERE x = 'p'", create_own(&w), rest,
                  dialect->storage, w.promise.original);
    run_sql(&w, &sql);
    make(&w, create_own(&w), w.promise.staged, STAGED, more);
    make(&w, "CREATE TABLE", w.promise.release, RELEASED, more);
    w.promise.source = w.promise.original = rest;
    expect(tacit_audit_engine(&verdict, w.engine, &w.promise, NULL, &err), &err);
    assert_false(verdict.holds);
    assert_non_null(strstr(verdict.problems[0], "no row of the data"));
    close_world(&w);
}

/* Where a copy of the data is worked on, a change of the data themselves is found. */
static void changed(void **state)
{
    world w;
    tacit_engine_verdict verdict;
    tacit_error err = {.show_values = true};
    tacit_strview cells[3] = {tacit_strview_of("o"), tacit_strview_of("2"), tacit_strview_of("t")};
    (void)state;
    open_world(&w);
    if (!tacit_strview_equal(w.promise.original.name, w.judged.name)) {
        make_sound(&w, w.promise.staged);
        make(&w, "CREATE TABLE", w.promise.release, RELEASED, w.promise.staged);
        expect(tacit_engine_load_begin(w.engine, w.judged, NULL, &err), &err);
        expect(tacit_engine_load_row(w.engine, cells, 3, &err), &err);
        expect(tacit_engine_load_end(w.engine, NULL, &err), &err);
        expect(tacit_audit_engine(&verdict, w.engine, &w.promise, NULL, &err), &err);
        assert_false(verdict.holds);
        assert_non_null(strstr(verdict.problems[0], "the data changed"));
    }
    close_world(&w);
}

/* Two rows of one person are one. */
static void one_person(tacit_engine_promise *promise)
{
    promise->person = tacit_strview_of("x");
}

static void people(void **state)
{
    (void)state;
    judge(STAGED, RELEASED, NULL, one_person);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(broken),
                                       cmocka_unit_test(strangers), cmocka_unit_test(changed),
                                       cmocka_unit_test(people)};
    if (argc != 3)
        return 2;
    place = argv[1];
    target_place = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
