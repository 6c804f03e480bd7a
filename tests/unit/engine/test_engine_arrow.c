/*
 * test_engine_arrow.c - jobs from and to columns in memory: the release is the one of the CSV,
 * value by value; columns keep their types; streams are released whatever comes of the job.
 */
#include "starve.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tacit/experimental.h>

static const char DATA[] = "zip,sex,ill,cost\n1010,m,flu,10\n1010,m,cold,11\n1020,f,flu,12\n"
                           "1020,f,cold,\n1030,f,\"a,b\",14\n";
static const char POLICY[] =
    "k: 2\nloss: 0.5\ncolumns:\n  zip: {role: quasi}\n  sex: {role: quasi}\n";

/* The data as a stream. */
static struct ArrowArrayStream stream_of(const char *text)
{
    struct ArrowArrayStream stream;
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of(text), "f", &options, NULL, NULL),
        TACIT_OK);
    assert_int_equal(tacit_arrow_write(&stream, NULL, table, NULL, NULL), TACIT_OK);
    tacit_table_free(table);
    return stream;
}

/* The CSV that a stream stands for; the stream is used up. */
static void text_of(char *text, size_t size, struct ArrowArrayStream *stream)
{
    tacit_schema *schema = NULL;
    int fd = memfd_create("text", MFD_CLOEXEC);
    assert_int_equal(tacit_arrow_read(fd, &schema, stream, NULL, NULL), TACIT_OK);
    ssize_t len = pread(fd, text, size - 1, 0);
    assert_true(len >= 0);
    text[len] = '\0';
    tacit_schema_free(schema);
    close(fd);
}

static tacit_job *anonymizing(void)
{
    tacit_job *job = NULL;
    assert_int_equal(tacit_job_new(&job, "anonymize", NULL), TACIT_OK);
    assert_int_equal(tacit_job_set_text(job, "policy", POLICY, NULL), TACIT_OK);
    assert_int_equal(tacit_job_set(job, "seed", "7", NULL), TACIT_OK);
    return job;
}

static void finish(tacit_job *job)
{
    tacit_error err = {0};
    if (tacit_job_run(job, NULL, &err) != TACIT_OK || tacit_job_commit(job, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_job_free(job);
}

static void same_release(void **state)
{
    (void)state;
    char from_csv[512] = "", from_stream[512];
    int to = memfd_create("release", MFD_CLOEXEC);
    tacit_job *job = anonymizing();
    assert_int_equal(tacit_job_input_bytes(job, DATA, sizeof DATA - 1, NULL), TACIT_OK);
    assert_int_equal(tacit_job_output_descriptor(job, "output", to, NULL), TACIT_OK);
    finish(job);
    assert_true(pread(to, from_csv, sizeof from_csv - 1, 0) > 0);
    close(to);

    struct ArrowArrayStream in = stream_of(DATA), out = {.release = NULL};
    job = anonymizing();
    assert_int_equal(tacit_job_input_arrow(job, &in, NULL), TACIT_OK);
    assert_null(in.release);
    assert_int_equal(tacit_job_output_arrow(job, "output", &out, NULL), TACIT_OK);
    finish(job);
    struct ArrowSchema about;
    assert_int_equal(out.get_schema(&out, &about), 0);
    assert_string_equal(about.children[2]->format, "u");
    assert_string_equal(about.children[3]->format, "l");
    about.release(&about);
    text_of(from_stream, sizeof from_stream, &out);
    assert_string_equal(from_stream, from_csv);
}

/* An audit of a release with its original, and a table: settings and other kinds take streams. */
static void other_kinds(void **state)
{
    (void)state;
    tacit_job *job = NULL;
    tacit_error err = {0};
    struct ArrowArrayStream released = stream_of(DATA), original = stream_of(DATA);
    assert_int_equal(tacit_job_new(&job, "audit", NULL), TACIT_OK);
    assert_int_equal(tacit_job_set_text(job, "policy", POLICY, NULL), TACIT_OK);
    assert_int_equal(tacit_job_input_arrow(job, &released, NULL), TACIT_OK);
    assert_int_equal(tacit_job_set_arrow(job, "original", &original, NULL), TACIT_OK);
    if (tacit_job_run(job, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_true(tacit_job_discloses(job)); /* 1030 is alone */
    tacit_job_free(job);
}

static void is_released_all_the_same(void **state)
{
    (void)state;
    struct ArrowArrayStream in = stream_of(DATA), out = {.release = NULL};
    tacit_job *job = anonymizing();
    tacit_error err = {0};
    assert_int_equal(tacit_job_input_arrow(job, &in, NULL), TACIT_OK);
    tacit_job_free(job); /* not run */

    in = stream_of(DATA);
    job = anonymizing();
    assert_int_equal(tacit_job_input_arrow(job, &in, NULL), TACIT_OK);
    struct ArrowArrayStream second = stream_of(DATA);
    assert_int_equal(tacit_job_input_arrow(job, &second, NULL), TACIT_INVALID);
    assert_null(second.release);
    assert_int_equal(tacit_job_output_arrow(job, "output", &out, NULL), TACIT_OK);
    assert_int_equal(tacit_job_set(job, "delimiter", ";", NULL), TACIT_OK);
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "go with no stream"));
    tacit_job_free(job);
    assert_null(out.release);

    job = anonymizing();
    assert_int_equal(tacit_job_input_arrow(job, &in, NULL), TACIT_INVALID); /* used up */
    tacit_job_free(job);
}

static void file_is(const char *path, const char *expected)
{
    char text[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_string_equal(text, expected);
}

/* Columns become a file by its name, whole or not at all. */
static void saved(void **state)
{
    (void)state;
    char folder[] = "/tmp/tacit-XXXXXX", path[64], other[64];
    tacit_error err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.csv", folder);
    struct ArrowArrayStream stream = stream_of(DATA);
    assert_int_equal(tacit_save_arrow(path, &stream, NULL, &err), TACIT_OK);
    assert_null(stream.release);
    file_is(path, DATA);

    snprintf(other, sizeof other, "%s/a.dta", folder);
    stream = stream_of(DATA);
    assert_int_equal(tacit_save_arrow(other, &stream, NULL, &err), TACIT_OK);
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    assert_int_equal(tacit_table_read(&table, other, &options, NULL, &err), TACIT_OK);
    assert_int_equal(tacit_table_rows(table), 5);
    tacit_table_free(table);
    unlink(other);

    const char *const names[] = {"a.sas7bdat", "no/a.csv", "b.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(other, sizeof other, "%s/%s", folder, names[i]);
        stream = stream_of(DATA);
        if (i == 2) /* used up */
            stream.release(&stream);
        assert_int_not_equal(tacit_save_arrow(other, &stream, NULL, &err), TACIT_OK);
        assert_null(stream.release);
        assert_int_not_equal(access(other, F_OK), 0);
    }
    file_is(path, DATA);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

/* What went to a stream is written once more, as the CSV that was judged or in another format. */
static void saved_release(void **state)
{
    (void)state;
    char folder[] = "/tmp/tacit-XXXXXX", path[64], released[512] = "";
    struct ArrowArrayStream out = {.release = NULL};
    tacit_error err = {0};
    int to = memfd_create("release", MFD_CLOEXEC);
    tacit_job *job = anonymizing();
    assert_int_equal(tacit_job_input_bytes(job, DATA, sizeof DATA - 1, NULL), TACIT_OK);
    assert_int_equal(tacit_job_output_descriptor(job, "output", to, NULL), TACIT_OK);
    finish(job);
    assert_true(pread(to, released, sizeof released - 1, 0) > 0);
    close(to);

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.csv", folder);
    job = anonymizing();
    assert_int_equal(tacit_job_input_bytes(job, DATA, sizeof DATA - 1, NULL), TACIT_OK);
    assert_int_equal(tacit_job_output_arrow(job, "output", &out, NULL), TACIT_OK);
    assert_int_equal(tacit_job_save(job, path, &err), TACIT_INVALID);
    assert_int_equal(tacit_job_run(job, NULL, &err), TACIT_OK);
    assert_int_equal(tacit_job_save(job, path, &err), TACIT_INVALID);
    assert_int_equal(tacit_job_commit(job, &err), TACIT_OK);
    assert_int_equal(tacit_job_save(job, "/nowhere/a.csv", &err), TACIT_IO);
    assert_non_null(strstr(err.file, "/nowhere"));
    if (tacit_job_save(job, path, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    file_is(path, released);
    unlink(path);
    snprintf(path, sizeof path, "%s/a.sav", folder);
    assert_int_equal(tacit_job_save(job, path, &err), TACIT_OK);
    unlink(path);
    tacit_job_free(job);
    out.release(&out);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_release),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(is_released_all_the_same),
        cmocka_unit_test(saved),
        cmocka_unit_test(saved_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
