/*
 * test_child.c - work in a process of its own: its answer comes back whole, what goes wrong there
 * is said here, and however it ends, this process goes on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>
#include <stdatomic.h>

#include "duckdb/child.h"

static const char DIED[] = "it ended";

static tacit_status answer_long(void *context, tacit__strbuf *answer, tacit_error *err)
{
    (void)err;
    for (int i = 0; i < *(int *)context; i++)
        tacit__strbuf_format(answer, "%d,", i);
    *(int *)context = -1; /* in that process only */
    return TACIT_OK;
}

static void answers(void **state)
{
    (void)state;
    const int counts[] = {0, 1, 1000000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        tacit__strbuf answer = {0}, same = {0};
        tacit_error err = {0};
        int count = counts[i], again = counts[i];
        assert_int_equal(tacit__child_run(&answer, answer_long, &count, DIED, NULL, &err),
                         TACIT_OK);
        assert_int_equal(count, counts[i]);
        answer_long(&again, &same, NULL);
        assert_int_equal(answer.len, same.len);
        assert_true(same.len == 0 || memcmp(answer.bytes, same.bytes, same.len) == 0);
        tacit__strbuf_clear(&answer);
        tacit__strbuf_clear(&same);
    }
}

static tacit_status fail_there(void *context, tacit__strbuf *answer, tacit_error *err)
{
    (void)context;
    tacit__strbuf_text(answer, "half");
    return tacit__error_at(err, TACIT_LIMIT, "f", 3, 0, "too much of it");
}

static void errors(void **state)
{
    (void)state;
    tacit__strbuf answer = {0};
    tacit_error err = {0};
    assert_int_equal(tacit__child_run(&answer, fail_there, NULL, DIED, NULL, &err), TACIT_LIMIT);
    assert_string_equal(err.message, "too much of it");
    assert_string_equal(err.file, "f");
    assert_int_equal(err.line, 3);
    assert_int_equal(answer.len, 0);
    assert_int_equal(tacit__child_run(&answer, fail_there, NULL, DIED, NULL, NULL), TACIT_LIMIT);
}

/* As a library may end that reads what it should not. */
static tacit_status end_by(void *context, tacit__strbuf *answer, tacit_error *err)
{
    int how = *(const int *)context;
    (void)answer, (void)err;
    if (how == 0)
        _exit(0);
    signal(how, SIG_DFL);
    raise(how);
    return TACIT_OK;
}

static void ends(void **state)
{
    (void)state;
    int ways[] = {0, SIGKILL, SIGSEGV, SIGABRT, SIGTERM};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        tacit__strbuf answer = {0};
        tacit_error err = {0};
        assert_int_equal(tacit__child_run(&answer, end_by, &ways[i], DIED, NULL, &err),
                         TACIT_PARSE);
        assert_string_equal(err.message, DIED);
    }
}

static tacit_status wait_forever(void *context, tacit__strbuf *answer, tacit_error *err)
{
    (void)answer, (void)err;
    while (!context)
        pause();
    return TACIT_OK;
}

static bool stop_soon(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return ++*(int *)payload < 3;
}

static void stopped(void **state)
{
    (void)state;
    int asked = 0;
    tacit_run run;
    tacit__strbuf answer = {0};
    tacit_error err = {0};
    tacit_run_init(&run);
    run.progress = stop_soon;
    run.payload = &asked;
    assert_int_equal(tacit__child_run(&answer, wait_forever, NULL, DIED, &run, &err),
                     TACIT_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(errors),
                                       cmocka_unit_test(ends), cmocka_unit_test(stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
