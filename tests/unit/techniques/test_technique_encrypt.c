/*
 * test_technique_encrypt.c - encryption of values and pseudonyms: what stays equal, what a key
 * holder gets back, and that nobody else does.
 */
#include "masking.h"

#include <sys/stat.h>

enum { ROWS = 40000, MAX_CELLS = 16, CELL = 512 };

/* Two files for keys, in a folder of their own. */
typedef struct place {
    char folder[40], key[64], other[64];
} place;

static int enter(void **state)
{
    place *p = calloc(1, sizeof *p);
    strcpy(p->folder, "/tmp/tacit-encrypt-XXXXXX");
    *state = p;
    if (!mkdtemp(p->folder))
        return -1;
    snprintf(p->key, sizeof p->key, "%s/key", p->folder);
    snprintf(p->other, sizeof p->other, "%s/other", p->folder);
    return 0;
}

static int leave(void **state)
{
    place *p = *state;
    unlink(p->key);
    unlink(p->other);
    rmdir(p->folder);
    free(p);
    return 0;
}

/* The cells of a table's first column, as they are written. */
typedef struct cells {
    char text[MAX_CELLS][CELL];
    int count;
} cells;

static cells first_column(char *csv)
{
    cells c = {0};
    for (char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        size_t len = strcspn(line, ",\n");
        memcpy(c.text[c.count], line, len);
        c.text[c.count++][len] = '\0';
    }
    free(csv);
    return c;
}

static cells masked_cells(const char *csv, const char *format, const char *key)
{
    char step[256];
    snprintf(step, sizeof step, format, key);
    return first_column(masking_run(csv, step, 5, 1));
}

static tacit_status decrypt(char *out, const char *text, const char *column, const char *key)
{
    tacit_decryption *decryption = NULL;
    tacit_error err = {0};
    size_t len = 0;
    assert_int_equal(tacit_decryption_new(&decryption, key, &err), TACIT_OK);
    tacit_status status =
        tacit_decrypt_value(out, &len, tacit_strview_of(text), column, decryption, &err);
    if (status == TACIT_OK)
        out[len] = '\0';
    tacit_decryption_free(decryption);
    return status;
}

static const char NAMES[] = "name,b\nAnn,1\n\"Abe \"\"A\"\", jr\",2\n,3\nAnn,4\nÉtienne,5\n";
static const char *const SAID[] = {"Ann", "Abe \"A\", jr", "", "Ann", "Étienne"};

static void test_same(void **state)
{
    const place *p = *state;
    char out[CELL];
    cells c = masked_cells(NAMES, "encrypt columns=name key=%s", p->key);
    assert_int_equal(c.count, 5);
    assert_string_equal(c.text[0], c.text[3]);
    assert_string_not_equal(c.text[0], c.text[1]);
    assert_string_equal(c.text[2], "");
    assert_int_equal(strlen(c.text[0]), strlen(c.text[1])); /* lengths do not show */
    assert_int_equal(strlen(c.text[0]), 96);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(strspn(c.text[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                           "0123456789-_"),
                         strlen(c.text[i]));
        if (i == 2)
            continue;
        assert_int_equal(decrypt(out, c.text[i], "name", p->key), TACIT_OK);
        assert_string_equal(out, SAID[i]);
    }
    cells again = masked_cells(NAMES, "encrypt columns=name key=%s", p->key);
    assert_string_equal(again.text[1], c.text[1]); /* in every table */
}

static void test_each(void **state)
{
    const place *p = *state;
    char out[CELL];
    cells c = masked_cells(NAMES, "encrypt columns=name way=each missing=encrypt key=%s", p->key);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(decrypt(out, c.text[i], "name", p->key), TACIT_OK);
        assert_string_equal(out, SAID[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(c.text[i], c.text[j]);
    }
    /* with the same seed and other values in the same places, no nonce comes twice */
    cells other = masked_cells("name,b\nEve,1\nAda,2\nBob,3\nAnn,4\nTim,5\n",
                               "encrypt columns=name way=each key=%s", p->key);
    for (int i = 0; i < 5; i++)
        assert_true(i == 3 || strncmp(c.text[i], other.text[i], 32) != 0);
}

static void test_refused(void **state)
{
    const place *p = *state;
    char out[CELL], text[CELL];
    cells c = masked_cells(NAMES, "encrypt columns=name key=%s", p->key);
    masked_cells(NAMES, "encrypt columns=name key=%s", p->other);
    assert_int_equal(decrypt(out, c.text[0], "name", p->other), TACIT_INVALID);
    assert_int_equal(decrypt(out, c.text[0], "b", p->key), TACIT_INVALID);
    assert_int_equal(decrypt(out, "", "name", p->key), TACIT_INVALID);
    assert_int_equal(decrypt(out, "Ann", "name", p->key), TACIT_INVALID);
    assert_int_equal(decrypt(out, "not base64!", "name", p->key), TACIT_INVALID);
    for (size_t i = 0; i < strlen(c.text[0]); i += 5) {
        strcpy(text, c.text[0]);
        text[i] = text[i] == 'A' ? 'B' : 'A';
        assert_int_equal(decrypt(out, text, "name", p->key), TACIT_INVALID);
        text[i] = '\0';
        assert_int_equal(decrypt(out, text, "name", p->key), TACIT_INVALID);
    }
}

static void test_keys(void **state)
{
    const place *p = *state;
    tacit_decryption *decryption = NULL;
    tacit_error err = {0};
    struct stat about;
    assert_int_equal(tacit_decryption_new(&decryption, p->key, &err), TACIT_IO);
    assert_int_equal(stat(p->key, &about), -1); /* reading makes none */
    char step[128];
    snprintf(step, sizeof step, "encrypt columns=name key=%s", p->key);
    free(masking_run(NAMES, step, 1, 1));
    assert_int_equal(stat(p->key, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(chmod(p->key, 0644), 0);
    masking_refused(NAMES, step, "others than the owner");
}

/* Without a key file the seed makes the key. */
static void test_forgotten(void **state)
{
    (void)state;
    cells a = first_column(masking_run(NAMES, "encrypt columns=name", 5, 1));
    cells b = first_column(masking_run(NAMES, "encrypt columns=name", 5, 3));
    cells c = first_column(masking_run(NAMES, "encrypt columns=name", 6, 1));
    assert_string_equal(a.text[0], b.text[0]);
    assert_string_not_equal(a.text[0], c.text[0]);
}

static void test_pad(void **state)
{
    (void)state;
    cells a = masked_cells("v\nab\nabcdefgh\n", "encrypt columns=v pad=%s", "1");
    assert_true(strlen(a.text[0]) < strlen(a.text[1]));
    cells b = masked_cells("v\nab\nabcdefgh\n", "encrypt columns=v pad=%s", "9");
    assert_int_equal(strlen(b.text[0]), strlen(b.text[1]));
    masking_refused(NAMES, "encrypt columns=name pad=0", "from 1 to 4096");
}

static const tacit_kept *claim_of(const char *csv, const char *step)
{
    static tacit_kept found;
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, step, 1, 1, &err);
    assert_non_null(masked);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_NULL_MAP);
    if (kept)
        found = *kept;
    tacit_masked_free(masked);
    tacit_table_free(table);
    return kept ? &found : NULL;
}

static void test_claims(void **state)
{
    (void)state;
    assert_null(claim_of(NAMES, "encrypt columns=name"));
    assert_non_null(claim_of(NAMES, "encrypt columns=name missing=encrypt"));
    assert_non_null(claim_of(NAMES, "encrypt columns=name,b"));
    assert_non_null(claim_of(NAMES, "pseudonym columns=b"));
    assert_non_null(claim_of("a\n", "encrypt columns=a"));
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a\n", "encrypt columns=a way=each", "a\n");
    masking_expect("a,b\n,1\n", "encrypt columns=a", "a,b\n,1\n");
    masking_expect("a,b\n,1\n", "pseudonym columns=a", "a,b\n,1\n");
}

static void test_pseudonym(void **state)
{
    const place *p = *state;
    FILE *file = fopen(p->key, "w");
    for (int i = 0; i < 32; i++)
        fprintf(file, "%02x", i);
    fclose(file);
    chmod(p->key, 0600);
    cells c = masked_cells(NAMES, "pseudonym columns=name key=%s", p->key);
    assert_string_equal(c.text[0], c.text[3]);
    assert_string_equal(c.text[2], "");
    assert_int_equal(strlen(c.text[0]), 20);
    assert_string_equal(c.text[0], "3pcrmty676ubu4ue3i3k");
}

/* Numbers that were computed are encrypted as they would be written. */
static void test_numbers(void **state)
{
    const place *p = *state;
    char out[CELL];
    char step[200];
    snprintf(step, sizeof step, "round columns=a base=5\nencrypt columns=a key=%s", p->key);
    cells c = first_column(masking_run("a\n12.25\n7\n", step, 1, 1));
    assert_int_equal(decrypt(out, c.text[0], "a", p->key), TACIT_OK);
    assert_string_equal(out, "10.00");
    masking_refused("a\n12\n", "encrypt columns=a\nround columns=a base=5", "not a number");
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = malloc(ROWS * 10 + 8), *at = csv + sprintf(csv, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "%d,%d\n", i % 1000, i);
    const char *steps[] = {"encrypt columns=a,b", "encrypt columns=a way=each",
                           "pseudonym columns=b"};
    for (int i = 0; i < 3; i++) {
        char *one = masking_run(csv, steps[i], 2, 1);
        for (int threads = 2; threads <= 7; threads += 5) {
            char *other = masking_run(csv, steps[i], 2, threads);
            assert_string_equal(one, other);
            free(other);
        }
        free(one);
    }
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, enter, leave),
        cmocka_unit_test_setup_teardown(test_each, enter, leave),
        cmocka_unit_test_setup_teardown(test_refused, enter, leave),
        cmocka_unit_test_setup_teardown(test_keys, enter, leave),
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_pad),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test_setup_teardown(test_pseudonym, enter, leave),
        cmocka_unit_test_setup_teardown(test_numbers, enter, leave),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
