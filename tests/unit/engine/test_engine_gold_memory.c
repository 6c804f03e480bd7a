/*
 * test_engine_gold_memory.c - marked documents for --learn: offsets in characters and in bytes,
 * escapes, and every allocation failed in turn. What is refused is a case of the command
 * (tests/cli/cases/scrub-learn-misuse).
 */
#include "starve.h"

#include <stdio.h>
#include <unistd.h>

#include "engine/text/gold.h"

static char path[] = "/tmp/tacit_gold_XXXXXX";

/* Two documents of one text; an empty line, fields that say nothing, a list without marks. */
static const char LINES[] =
    "{\"id\": [1, {\"spans\": 2}], \"text\": \"\\u00e9\\n\xC3\xA9 Jo}\", \"spans\": "
    "[{\"start\": 4, \"end\": 6, \"label\": \"A\", \"why\": {\"x\": \"}\"}}, "
    "{\"label\": \"B\", \"end\": 1, \"start\": 0}]}\n"
    "\n"
    "{\"spans\": [ ], \"text\": \"plain\"}\n";

static int write_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    bool written = write(fd, LINES, sizeof LINES - 1) == sizeof LINES - 1;
    return close(fd) == 0 && written ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void read_it(bool bytes, uint64_t start, uint64_t end, uint64_t first_end)
{
    engine_gold gold = {0};
    assert_int_equal(engine_gold_read(&gold, path, "text", bytes, NULL), TACIT_OK);
    assert_int_equal(gold.count, 2);
    const tacit_text_marked *document = &gold.documents[0];
    assert_true(tacit_strview_equal(document->text, tacit_strview_of("\xC3\xA9\n\xC3\xA9 Jo}")));
    assert_int_equal(document->mark_count, 2);
    assert_int_equal(document->marks[0].start, start);
    assert_int_equal(document->marks[0].end, end);
    assert_true(tacit_strview_equal(document->marks[0].label, tacit_strview_of("A")));
    assert_int_equal(document->marks[1].end, first_end);
    assert_int_equal(gold.documents[1].mark_count, 0);
    assert_true(tacit_strview_equal(gold.documents[1].text, tacit_strview_of("plain")));
    engine_gold_clear(&gold);
}

static void offsets(void **state)
{
    (void)state;
    read_it(false, 6, 8, 2);
    read_it(true, 4, 6, 1);
}

static tacit_status attempt(void *context, tacit_error *err)
{
    (void)context;
    engine_gold gold = {0};
    tacit_status status = engine_gold_read(&gold, path, "text", false, err);
    engine_gold_clear(&gold);
    return status;
}

static void starved(void **state)
{
    (void)state;
    assert_true(starve(attempt, NULL) >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets),
        cmocka_unit_test(starved),
    };
    return cmocka_run_group_tests(tests, write_file, remove_file);
}
