/*
 * test_cli_scrub_memory.c - every allocation failed in turn: text that grows, a line of JSON, rows
 * of a file, the people of --known.
 */
#define _GNU_SOURCE
#include "starve.h"

#include <stdio.h>
#include <unistd.h>

#include "feed.h"
#include "json_line.h"
#include "scrub_known.h"
#include "wrapping.h"

static char path[] = "/tmp/tacit-known-XXXXXX";

static tacit_status grow(void *context, tacit_error *err)
{
    (void)context;
    cli_text text = {0};
    for (int i = 0; i < 1000; i++)
        cli_text_print(&text, "%d", i);
    tacit_status status = cli_text_check(&text, err);
    cli_text_clear(&text);
    return status;
}

static tacit_status read_line(void *context, tacit_error *err)
{
    (void)context;
    cli_json_field field = {"text", {0}};
    return cli_json_line(&field, 1, tacit_strview_of("{\"t\\u0065xt\":1,\"\\n\":2}"), err);
}

static tacit_status read_rows(void *context, tacit_error *err)
{
    (void)context;
    cli_session session = {.limit = 1e9};
    cli_feed feed = {0};
    cli_text text = {0};
    tacit_status status = cli_feed_open(&feed, path, err);
    while (status == TACIT_OK && !feed.ended)
        status = cli_feed_rows(&text, &feed, CLI_CUT_CSV, 8, 1 << 20, &session, err);
    cli_feed_close(&feed);
    cli_text_clear(&text);
    return status;
}

static tacit_status read_known(void *context, tacit_error *err)
{
    (void)context;
    cli_session session = {.limit = 1e9};
    cli_known known = {0};
    session.run.threads = 1;
    tacit_status status = cli_known_read(&known, path, NULL, &session);
    *err = session.error;
    cli_known_clear(&known);
    return status;
}

static int write_people(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    static const char PEOPLE[] = "first,last,phone\nMary,Weston,1\nAnn,Long,2\n";
    bool written = write(fd, PEOPLE, sizeof PEOPLE - 1) == sizeof PEOPLE - 1;
    return close(fd) != 0 || !written;
}

static int remove_people(void **state)
{
    (void)state;
    return unlink(path);
}

static void test_all(void **state)
{
    (void)state;
    starve(grow, NULL);
    starve(read_line, NULL);
    starve(read_rows, NULL);
    starve(read_known, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, write_people, remove_people);
}
