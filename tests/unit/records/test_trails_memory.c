/*
 * test_trails_memory.c - every allocation refused in turn while trails are kept and judged.
 */
#include "starve.h"

#include "records.h"

#include <tacit/experimental/audit.h>
#include <tacit/experimental/trails.h>

static const char VISITS[] = "p,a,b\n1,11,x\n1,12,x\n2,11,x\n2,12,x\n3,21,y\n3,22,x\n4,21,y\n"
                             "5,11,x\n6,12,y\n,11,x\n,21,y\n";

static tacit_status keep(void *context, tacit_error *err)
{
    const fixture *f = context;
    const int levels[] = {0, 0};
    const tacit_records_options options = {.k = 2, .max_suppressed = 11, .drop_suppressed = true};
    const tacit_apply_options how = {.drop_suppressed = true};
    tacit_solution solution = {.attribute_count = 2, .levels = (int *)levels}, *made = NULL;
    tacit_application *application = NULL;
    tacit_rowwise *rowwise = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    int64_t none[16] = {0};
    solution.suppressed = none;
    tacit_status status = tacit_classes_new(&solution.classes, &f->frame, levels, &run, err);
    if (status == TACIT_OK)
        status = tacit_rowwise_of(&rowwise, &solution, &f->frame, &run, err);
    if (status == TACIT_OK)
        status = tacit_households_check(&f->frame, -1, NULL, err);
    if (status == TACIT_OK)
        status = tacit_households_align(rowwise, &f->frame, &(uint64_t){1}, err);
    if (status == TACIT_OK)
        status = tacit_trails_keep(rowwise, NULL, &f->frame, &options, err);
    if (status == TACIT_OK)
        status = tacit_rowwise_release(&made, &application, rowwise, &f->frame, &how, &run, err);
    tacit_application_free(application);
    tacit_solution_free(made);
    tacit_rowwise_free(rowwise);
    tacit_classes_free(solution.classes);
    return status;
}

static void test_keep(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, VISITS);
    fixture_mask(&f, "a");
    fixture_none(&f, "b");
    f.frame.person = 0;
    assert_true(starve(keep, &f) > 20);
    fixture_close(&f);
}

static tacit_status judge(void *context, tacit_error *err)
{
    const fixture *f = context;
    static const tacit_hierarchy_spec mask = {.kind = TACIT_HIERARCHY_MASK},
                                      none = {.kind = TACIT_HIERARCHY_NONE};
    static const tacit_promise_attribute attributes[] = {{"a", &mask}, {"b", &none}};
    const tacit_promise promise = {
        .k = 1, .attributes = attributes, .attribute_count = 2, .person = "p"};
    const tacit_evidence evidence = {.release = f->table};
    tacit_verdict *v = STARVE_UNTOUCHED;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status = tacit_audit_release(&v, &promise, &evidence, &run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(v, STARVE_UNTOUCHED);
        return status;
    }
    assert_true(v->holds && v->trails.checked);
    assert_int_equal(v->trails.people, 8); /* two rows are nobody's but their own */
    assert_int_equal(v->trails.trails, 5);
    assert_int_equal(v->trails.alone, 2); /* 3 and 6 */
    tacit_verdict_free(v);
    return status;
}

static tacit_status judge_households(void *context, tacit_error *err)
{
    const fixture *f = context;
    static const tacit_hierarchy_spec mask = {.kind = TACIT_HIERARCHY_MASK},
                                      none = {.kind = TACIT_HIERARCHY_NONE};
    static const tacit_promise_attribute attributes[] = {{"a", &mask}, {"b", &none}};
    const tacit_promise promise = {.k = 1,
                                   .attributes = attributes,
                                   .attribute_count = 2,
                                   .household = "p",
                                   .of_household = &(uint64_t){1}};
    const tacit_evidence evidence = {.release = f->table, .original = f->table, .same_order = true};
    tacit_verdict *v = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_audit_release(&v, &promise, &evidence, &run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(v, STARVE_UNTOUCHED);
        return status;
    }
    assert_true(v->households.checked);
    assert_int_equal(v->households.people, 8);
    assert_int_equal(v->households.trails, 5);
    tacit_verdict_free(v);
    return status;
}

static void test_judge(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, VISITS);
    assert_true(starve(judge, &f) > 20);
    assert_true(starve(judge_households, &f) > 20);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
