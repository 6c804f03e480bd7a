/*
 * test_engine_job.c - jobs as bindings use them: what there is to set, data in memory, releases to
 * a descriptor, nothing without a commit, callers who stop, and every allocation failed in turn.
 */
#include "starve.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tacit/job.h>

static const char DATA[] = "zip,sex,ill\n1010,m,flu\n1010,m,cold\n1020,f,flu\n1020,f,cold\n";
static const char POLICY[] = "k: 2\ncolumns:\n  zip: {role: quasi}\n  sex: {role: quasi}\n"
                             "  ill: {role: sensitive}\n";

/* A release of DATA to a descriptor, as far as it may go. */
static tacit_status prepare(tacit_job **job, int to, tacit_error *err)
{
    tacit_status status = tacit_job_new(job, "anonymize", err);
    if (status == TACIT_OK)
        status = tacit_job_set_text(*job, "policy", POLICY, err);
    if (status == TACIT_OK)
        status = tacit_job_set(*job, "seed", "7", err);
    if (status == TACIT_OK)
        status = tacit_job_set(*job, "threads", "1", err);
    if (status == TACIT_OK)
        status = tacit_job_input_bytes(*job, DATA, sizeof DATA - 1, err);
    if (status == TACIT_OK)
        status = tacit_job_output_descriptor(*job, "output", to, err);
    return status;
}

static void settings_are_listed(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    size_t kinds = 0, needed = 0, taken = 0;
    for (const char *kind; (kind = tacit_job_kind(kinds)); kinds++) {
        assert_int_equal(tacit_job_new(&job, kind, NULL), TACIT_OK);
        assert_non_null(tacit_setting_name(tacit_job_setting(job, 0)));
        assert_null(tacit_job_setting(job, 1000));
        tacit_job_free(job);
        assert_non_null(tacit_job_input_name(kind, &needed, &taken));
        assert_true(needed <= taken);
    }
    assert_int_equal(kinds, 9);
    assert_int_equal(tacit_job_new(&job, "juggle", NULL), TACIT_INVALID);
    assert_string_equal(tacit_job_group("anonymize", 2), "Metrics");
    assert_null(tacit_job_group("anonymize", 3));
    assert_null(tacit_job_group("risk", 0));
    assert_null(tacit_job_input_name("juggle", &needed, &taken));
}

static void misuse_is_refused(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_job_new(&job, "juggle", &err), TACIT_INVALID);
    assert_null(job);
    assert_int_equal(tacit_job_new(&job, "anonymize", NULL), TACIT_OK);
    static const char *const WRONG[][2] = {
        {"juggle", "1"}, {"seed", "x"}, {"time", "0"}, {"report", ""}, {"delimiter", "ab"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_int_equal(tacit_job_set(job, WRONG[i][0], WRONG[i][1], NULL), TACIT_INVALID);
    assert_int_equal(tacit_job_set(job, "show", "yes", NULL), TACIT_INVALID);
    assert_int_equal(tacit_job_set_text(job, "report", "{}", NULL), TACIT_INVALID);
    assert_int_equal(tacit_job_commit(job, NULL), TACIT_INVALID);
    char *text = NULL;
    assert_int_equal(tacit_job_report(job, &text, NULL), TACIT_INVALID);
    assert_int_equal(tacit_job_text(job, false, &text, NULL), TACIT_INVALID);
    assert_false(tacit_job_discloses(job));
    err = (tacit_error){0};
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_INVALID);
    assert_string_equal(err.message, "DATA.csv is missing");
    assert_int_equal(tacit_job_set(job, "seed", "1", NULL), TACIT_INVALID);
    tacit_job_free(job);
    tacit_job_free(NULL);
}

static void from_memory_to_a_descriptor(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    char *report = NULL, *page = NULL, *text = NULL, written[256];
    int to = memfd_create("release", 0);
    assert_int_equal(prepare(&job, to, &err), TACIT_OK);
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_OK);
    assert_int_equal(pread(to, written, sizeof written, 0), 0); /* nothing before the commit */
    assert_int_equal(tacit_job_commit(job, &err), TACIT_OK);
    assert_int_equal(pread(to, written, sizeof written, 0), sizeof DATA - 1);
    assert_int_equal(strncmp(written, DATA, 12), 0);
    assert_int_equal(tacit_job_report(job, &report, &err), TACIT_OK);
    assert_non_null(strstr(report, "\"smallest_class\": 2"));
    assert_int_equal(tacit_job_page(job, &page, &err), TACIT_OK);
    assert_non_null(strstr(page, "<html"));
    assert_int_equal(tacit_job_text(job, false, &text, &err), TACIT_OK);
    assert_non_null(strstr(text, "k = 2"));
    assert_null(strchr(text, '\001'));
    assert_int_equal(tacit_job_commit(job, NULL), TACIT_INVALID);
    tacit_text_free(report);
    tacit_text_free(page);
    tacit_text_free(text);
    tacit_job_free(job);
    close(to);
}

static void what_is_not_committed_leaves_nothing(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    int to = memfd_create("release", 0);
    char byte;
    assert_int_equal(prepare(&job, to, &err), TACIT_OK);
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_OK);
    tacit_job_free(job);
    assert_int_equal(pread(to, &byte, 1, 0), 0);
    close(to);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void a_caller_can_stop(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.progress = stop;
    int to = memfd_create("release", 0);
    assert_int_equal(prepare(&job, to, &err), TACIT_OK);
    assert_int_equal(tacit_job_run(job, &run, &err), TACIT_CANCELLED);
    assert_int_equal(tacit_job_commit(job, NULL), TACIT_INVALID);
    tacit_job_free(job);
    close(to);
}

static void what_is_broken_is_refused(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    int to = memfd_create("release", 0);
    assert_int_equal(prepare(&job, to, &err), TACIT_OK);
    assert_int_equal(tacit_job_set(job, "k", "5", &err), TACIT_OK);
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_INFEASIBLE);
    assert_true(err.message[0]);
    tacit_job_free(job);
    close(to);
}

/* A release that was written stands, and the message says so. */
static void is_written(tacit_error *err)
{
    static const char WRITTEN[] = "; the release was written, but not all of its reports";
    char *at = strstr(err->message, WRITTEN);
    if (at && strcmp(at, WRITTEN) == 0)
        *at = '\0';
}

static tacit_status release(void *context, tacit_error *err)
{
    tacit_job *job = NULL;
    char *report = NULL;
    (void)context;
    int to = memfd_create("release", 0);
    tacit_status status = prepare(&job, to, err);
    if (status == TACIT_OK)
        status = tacit_job_run(job, NULL, err);
    if (status == TACIT_OK)
        status = tacit_job_report(job, &report, err);
    if (status == TACIT_OK)
        status = tacit_job_commit(job, err);
    is_written(err);
    tacit_text_free(report);
    tacit_job_free(job);
    close(to);
    return status;
}

static void every_allocation_fails(void **state)
{
    (void)state;
    starve(release, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_listed),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(from_memory_to_a_descriptor),
        cmocka_unit_test(what_is_not_committed_leaves_nothing),
        cmocka_unit_test(a_caller_can_stop),
        cmocka_unit_test(what_is_broken_is_refused),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
