/*
 * test_pseudonym.c - pseudonyms against values computed with another
 * implementation of BLAKE2b (Python's hashlib: the key, digest_size=32, over
 * b"tacit pseudonym 1:" + value, base64.b32encode, lower case, 20 characters),
 * and key files: made once, private, never shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <tacit/experimental/policy.h>

typedef struct place {
    char folder[40];
    char key[64];
} place;

static int enter(void **state)
{
    place *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    strcpy(p->folder, "/tmp/tacit-pseudonym-XXXXXX");
    *state = p;
    if (!mkdtemp(p->folder))
        return -1;
    snprintf(p->key, sizeof p->key, "%s/key", p->folder);
    return 0;
}

static int leave(void **state)
{
    place *p = *state;
    unlink(p->key);
    rmdir(p->folder);
    free(p);
    return 0;
}

static void write_key(const place *p, const char *text, mode_t mode)
{
    FILE *file = fopen(p->key, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(p->key, mode), 0);
}

static void expect(const tacit_pseudonyms *pseudonyms, const char *value, const char *expected)
{
    char out[TACIT_MAX_REWRITE];
    size_t len = tacit_pseudonym(tacit_strview_of(value), out, sizeof out, pseudonyms);
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(out, expected, len);
}

static const char COUNTING[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";
static const char ONES[] = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

static void known_answers(void **state)
{
    place *p = *state;
    char long_value[301];
    memset(long_value, 'x', 300);
    long_value[300] = '\0';
    tacit_pseudonyms *pseudonyms = NULL;
    bool created = true;
    write_key(p, COUNTING, 0600);
    assert_int_equal(tacit_pseudonyms_new(&pseudonyms, p->key, &created, NULL), TACIT_OK);
    assert_false(created);
    expect(pseudonyms, "Alice", "sohka2fsdgvgivrhmmb3");
    expect(pseudonyms, "1234567", "ocx3m3ztswcc7o46pomk");
    expect(pseudonyms, "Jos\xC3\xA9", "g5i5wuqxhy2ligmu2zi5");
    expect(pseudonyms, long_value, "krok5lf545vvxe34qgf7");
    expect(pseudonyms, "", ""); /* missing stays missing */
    expect(pseudonyms, "Alice", "sohka2fsdgvgivrhmmb3");
    tacit_pseudonyms_free(pseudonyms);

    write_key(p, ONES, 0400); /* upper case, no end of line, and only to be read */
    assert_int_equal(tacit_pseudonyms_new(&pseudonyms, p->key, NULL, NULL), TACIT_OK);
    expect(pseudonyms, "Alice", "2zuurhdespxzwevcb3p3");
    tacit_pseudonyms_free(pseudonyms);
    tacit_pseudonyms_free(NULL);
}

static void made_on_first_use(void **state)
{
    place *p = *state;
    tacit_pseudonyms *first = NULL, *second = NULL, *other = NULL;
    bool created = false;
    assert_int_equal(tacit_pseudonyms_new(&first, p->key, &created, NULL), TACIT_OK);
    assert_true(created);
    struct stat about;
    assert_int_equal(stat(p->key, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_size, 65);

    assert_int_equal(tacit_pseudonyms_new(&second, p->key, &created, NULL), TACIT_OK);
    assert_false(created);
    unlink(p->key);
    assert_int_equal(tacit_pseudonyms_new(&other, p->key, &created, NULL), TACIT_OK);
    assert_true(created);

    char a[TACIT_PSEUDONYM_LENGTH], b[TACIT_PSEUDONYM_LENGTH], c[TACIT_PSEUDONYM_LENGTH];
    tacit_strview value = tacit_strview_of("Alice");
    assert_int_equal(tacit_pseudonym(value, a, sizeof a, first), TACIT_PSEUDONYM_LENGTH);
    assert_int_equal(tacit_pseudonym(value, b, sizeof b, second), TACIT_PSEUDONYM_LENGTH);
    assert_int_equal(tacit_pseudonym(value, c, sizeof c, other), TACIT_PSEUDONYM_LENGTH);
    assert_memory_equal(a, b, sizeof a);     /* the same in every table */
    assert_memory_not_equal(a, c, sizeof a); /* another key, another name */
    tacit_pseudonym(tacit_strview_of("Alicf"), b, sizeof b, first);
    assert_memory_not_equal(a, b, sizeof a);
    tacit_pseudonyms_free(first);
    tacit_pseudonyms_free(second);
    tacit_pseudonyms_free(other);
}

static void open_to_others(void **state)
{
    place *p = *state;
    static const mode_t modes[] = {0640, 0604, 0620, 0602, 0610, 0666};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        tacit_pseudonyms *pseudonyms = NULL;
        tacit_error err = {0};
        char expected[256];
        write_key(p, COUNTING, modes[i]);
        assert_int_equal(tacit_pseudonyms_new(&pseudonyms, p->key, NULL, &err), TACIT_INVALID);
        assert_null(pseudonyms);
        snprintf(expected, sizeof expected,
                 "others than the owner may read or write the key file (mode %03o); if nobody has "
                 "seen it, run: chmod 600 '%s'",
                 (unsigned)modes[i], p->key);
        assert_string_equal(err.message, expected);
        assert_string_equal(err.file, p->key);
        chmod(p->key, 0600);
    }
}

/* Malformed files are refused without a word of what they hold. */
static void malformed(void **state)
{
    place *p = *state;
    char short_key[64], long_key[80], two_lines[80], bad_digit[80];
    snprintf(short_key, sizeof short_key, "%.63s", COUNTING);
    snprintf(long_key, sizeof long_key, "%.64s0\n", COUNTING);
    snprintf(two_lines, sizeof two_lines, "%.64s\n\n", COUNTING);
    snprintf(bad_digit, sizeof bad_digit, "g%.63s\n", COUNTING);
    const char *const texts[] = {"", "secret\n", short_key, long_key, two_lines, bad_digit};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tacit_pseudonyms *pseudonyms = NULL;
        bool created = true;
        tacit_error err = {0};
        write_key(p, texts[i], 0600);
        assert_int_equal(tacit_pseudonyms_new(&pseudonyms, p->key, &created, &err), TACIT_PARSE);
        assert_null(pseudonyms);
        assert_true(created); /* untouched */
        assert_string_equal(err.file, p->key);
        assert_string_equal(err.message,
                            "the key file does not hold a key (64 hexadecimal digits); restore it, "
                            "or name a file that does not exist to start with a new key");
    }
}

static void no_file_no_folder(void **state)
{
    place *p = *state;
    tacit_pseudonyms *pseudonyms = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_pseudonyms_new(&pseudonyms, NULL, NULL, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "key-file: FILE"));
    assert_non_null(strstr(err.message, "--key-file FILE"));
    char path[80];
    snprintf(path, sizeof path, "%s/nowhere/key", p->folder);
    err = (tacit_error){0};
    assert_int_equal(tacit_pseudonyms_new(&pseudonyms, path, NULL, &err), TACIT_IO);
    assert_string_equal(err.file, path);
    err = (tacit_error){0};
    assert_int_equal(tacit_pseudonyms_new(&pseudonyms, p->folder, NULL, &err), TACIT_INVALID);
    assert_string_equal(err.message, "the key file is no regular file");
    assert_null(pseudonyms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_answers, enter, leave),
        cmocka_unit_test_setup_teardown(made_on_first_use, enter, leave),
        cmocka_unit_test_setup_teardown(open_to_others, enter, leave),
        cmocka_unit_test_setup_teardown(malformed, enter, leave),
        cmocka_unit_test_setup_teardown(no_file_no_folder, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
