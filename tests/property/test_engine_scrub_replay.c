/*
 * test_engine_scrub_replay.c - replaying the spans on the input gives the output: random documents
 * as JSON lines and as a plain file, through the command, read by jansson. Outside of spans
 * every byte is the input's; objects differ in nothing but their text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_cases.h"

static char folder[] = "/tmp/tacit-replay-XXXXXX";

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*random >> 33) % below;
}

/* Text as it is written in JSON. */
static void write_text(FILE *file, uint64_t *random)
{
    static const char *const PARTS[] = {"SSN 536-22-8726",
                                        "Dr. Marjorie Long",
                                        " ",
                                        "\\n",
                                        "\\\"",
                                        ", ",
                                        "call (617) 555-0133",
                                        "m.long@example.com",
                                        "\\u00e9",
                                        "\xC3\xA9",
                                        "\\\\",
                                        "\\/",
                                        "on March 3, 1994",
                                        "the patient was seen",
                                        "\\ud83d\\ude00",
                                        "Mary Weston",
                                        "\\t",
                                        "; "};
    for (uint64_t i = draw(random, 30); i > 0; i--)
        fprintf(file, "%s", PARTS[draw(random, sizeof PARTS / sizeof *PARTS)]);
}

static void write_lines(uint64_t *random, int lines)
{
    FILE *file = fopen("in.jsonl", "w");
    for (int i = 0; i < lines; i++) {
        fprintf(file, "{%s\"id\": %d, \"text\":\"", draw(random, 2) ? "\"x\":[1.50, {}] ," : "", i);
        write_text(file, random);
        fprintf(file, "\"%s}\n", draw(random, 2) ? "" : ", \"y\" : \"SSN 433-54-3937\"");
    }
    fclose(file);
}

static json_t *next_line(FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len = getline(&line, &room, file);
    json_t *value = len > 0 ? json_loadb(line, (size_t)len, 0, NULL) : NULL;
    free(line);
    assert_non_null(value);
    return value;
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* The text with its spans replaced; the words of the spans are the text's. */
static char *replay(const char *text, const json_t *spans)
{
    char *out = NULL;
    size_t size = 0, i;
    int64_t at = 0;
    json_t *span;
    FILE *stream = open_memstream(&out, &size);
    json_array_foreach(spans, i, span)
    {
        int64_t start = number(span, "start"), end = number(span, "end");
        const char *words = json_string_value(json_object_get(span, "text"));
        assert_true(at <= start && start < end && end <= (int64_t)strlen(text));
        assert_int_equal(strlen(words), end - start);
        assert_memory_equal(text + start, words, (size_t)(end - start));
        fwrite(text + at, 1, (size_t)(start - at), stream);
        fputs(json_string_value(json_object_get(span, "replacement")), stream);
        at = end;
    }
    fputs(text + at, stream);
    fclose(stream);
    return out;
}

static size_t check_line(FILE *in, FILE *out, FILE *spans)
{
    json_t *before = next_line(in), *after = next_line(out), *found = next_line(spans);
    const json_t *list = json_object_get(found, "spans");
    size_t count = json_array_size(list);
    assert_int_equal(number(found, "id"), number(before, "id"));
    char *expected = replay(json_string_value(json_object_get(before, "text")), list);
    assert_string_equal(expected, json_string_value(json_object_get(after, "text")));
    json_object_del(before, "text");
    json_object_del(after, "text");
    assert_true(json_equal(before, after));
    free(expected);
    json_decref(before);
    json_decref(after);
    json_decref(found);
    return count;
}

static void run(const char *options, uint64_t seed)
{
    char command[1024];
    snprintf(command, sizeof command, "%s scrub -q --accept-unread --seed %llu --words %s",
             TACIT_COMMAND, (unsigned long long)seed, options);
    assert_int_equal(system(command), 0);
}

static void test_json(void **state)
{
    uint64_t *seed = *state;
    size_t found = 0;
    for (*seed = 1; *seed <= many_cases(4); ++*seed) {
        uint64_t random = *seed;
        int lines = 200;
        write_lines(&random, lines);
        run("in.jsonl --jsonl text -o out.jsonl --spans spans.jsonl", *seed);
        FILE *in = fopen("in.jsonl", "r"), *out = fopen("out.jsonl", "r"),
             *spans = fopen("spans.jsonl", "r");
        for (int i = 0; i < lines; i++)
            found += check_line(in, out, spans);
        assert_int_equal(fgetc(out), EOF);
        assert_int_equal(fgetc(spans), EOF);
        fclose(in);
        fclose(out);
        fclose(spans);
    }
    assert_true(found > 100);
    *seed = 0;
}

static char *read_whole(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = NULL;
    size_t room = 0;
    ssize_t len = getdelim(&text, &room, '\0', file);
    fclose(file);
    if (len <= 0)
        text[0] = '\0';
    return text;
}

/* A file of several pieces: offsets go on from one to the next. */
static void test_plain(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(2); ++*seed) {
        uint64_t random = *seed;
        write_lines(&random, 5000);
        run("in.jsonl -o out.txt --spans spans.jsonl", *seed);
        FILE *spans = fopen("spans.jsonl", "r");
        json_t *found = next_line(spans);
        char *before = read_whole("in.jsonl"), *after = read_whole("out.txt");
        char *expected = replay(before, json_object_get(found, "spans"));
        assert_true(strlen(before) > 3 << 18);
        assert_string_equal(expected, after);
        free(before);
        free(after);
        free(expected);
        json_decref(found);
        fclose(spans);
    }
    *seed = 0;
}

static int enter(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"in.jsonl", "out.jsonl", "out.txt", "spans.jsonl"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        unlink(NAMES[i]);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_json, &seed),
                                       random_test(test_plain, &seed)};
    return cmocka_run_group_tests(tests, enter, leave);
}
