/*
 * test_engine_argus.c - batch files of tau-Argus: what each command becomes, what is said of those
 * that cannot be done, files that are not what they should be, and every allocation failed in turn.
 */
#include "starve.h"

#include <stdio.h>
#include <sys/mman.h>
#include <tacit/job.h>
#include <unistd.h>

#include "engine/tables/argus.h"

#define HEAD "<OPENMICRODATA> d\n<OPENMETADATA> m\n<SPECIFYTABLE> \"A\"\"B\"|\"V\"||\n"

/* The settings of the first table, as words with blanks between, and the numbers. */
static const char *settings_of(const char *text, size_t refused)
{
    static char said[1024];
    engine_argus_batch batch = {0};
    assert_int_equal(engine_argus_batch_parse(&batch, tacit_strview_of(text), NULL), TACIT_OK);
    assert_int_equal(batch.refused, refused);
    said[0] = '\0';
    for (size_t i = 0; batch.table_count && i < batch.tables[0].setting_count; i++) {
        const engine_argus_setting *s = &batch.tables[0].settings[i];
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s%s%s", i ? " " : "", s->name,
                 s->value ? "=" : "", s->value ? s->value : "");
    }
    if (batch.table_count && batch.tables[0].margin >= 0)
        snprintf(said + strlen(said), sizeof said - strlen(said), " m%g", batch.tables[0].margin);
    if (batch.table_count && batch.tables[0].by_holding)
        strcat(said, " holding");
    engine_argus_batch_clear(&batch);
    return said;
}

static void commands_become_settings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *settings;
        size_t refused;
    } CASES[] = {
        {"<SAFETYRULE> P(15)\n", "rule=p:15", 0},
        {"<SAFETYRULE> P(15,1)|P(0,1)\n", "rule=p:15", 0},
        {"<SAFETYRULE> P(15,50,1)\n", "rule=pq:15,50", 0},
        {"<SAFETYRULE> P(15,2)\n", "", 1},
        {"<SAFETYRULE> NK(2,75)|NK(0,0)|NK(1,60)\n", "rule=nk:2,75 rule=nk:1,60 holding", 0},
        {"<SAFETYRULE> FREQ(3,20)|MAN(30)\n", "rule=freq:2 m30", 0},
        {"<SAFETYRULE> FREQ(1,20)\n", "", 0},
        {"<SAFETYRULE> FREQ(1,5)|FREQ(4,5)\n", "rule=freq:3 m5 holding", 0},
        {"<SAFETYRULE> REQ(30,0,3,15)\n", "rule=request:30 m15", 0},
        {"<SAFETYRULE> freq(3,20) | p(10,1)\n", "rule=freq:2 rule=p:10 m20", 0},
        {"<SAFETYRULE> ZERO(5)\n", "zero=primary", 0},
        {"<SAFETYRULE> NK(2)\n", "", 1},
        {"<SAFETYRULE> NK(2,x)\n", "", 1},
        {"<SAFETYRULE> NK(2,75\n", "", 1},
        {"<SAFETYRULE> NK(2,75) P(1)\n", "rule=nk:2,75", 1},
        {"<SAFETYRULE> JUGGLE(3)\n", "", 1},
        {"<SUPPRESS> GH(1)\n", "method=hypercube", 0},
        {"<SUPPRESS> GH(1,75,0,1)\n", "method=hypercube bounds=75 singletons", 0},
        {"<SUPPRESS> MOD(1,5)\n", "method=hitas", 0},
        {"<SUPPRESS> MOD(1,5,0,1,0)\n", "method=hitas singletons", 0},
        {"<SUPPRESS> OPT(1,2)\n", "method=optimal time=120", 0},
        {"<SUPPRESS> RND(1,5,0,10,0,2)\n", "method=round-controlled base=5 time=600", 0},
        {"<SUPPRESS> RND(1)\n", "", 1},
        {"<SUPPRESS> CTA(1)\n", "method=adjust", 0},
        {"<SUPPRESS> OPT(1)\n<SUPPRESS> OPT(1)\n", "method=optimal", 1},
        {"<SUPPRESS> OPT(2)\n", "", 1},
        {"<SUPPRESS> OPT\n", "", 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", HEAD, CASES[i].text);
        assert_string_equal(settings_of(text, CASES[i].refused), CASES[i].settings);
    }
}

static void tables_are_named(void **state)
{
    (void)state;
    engine_argus_batch batch = {0};
    const char *text = "\r\n<OPENTABLEDATA> \"my data.tab\"\r\n<OPENMETADATA> m\r\n"
                       "<SPECIFYTABLE> \"A\"\"B b\" | <freq> | | \"Cost\",0.5\r\n<SAFETYRULE>\r\n"
                       "<SUPPRESS> GH(1)\r\n<WRITETABLE> (1, 2, AS+QU-, \"o, p.csv\")\r\n";
    assert_int_equal(engine_argus_batch_parse(&batch, tacit_strview_of(text), NULL), TACIT_OK);
    assert_int_equal(batch.refused, 0);
    assert_int_equal(batch.table_count, 1);
    const engine_argus_table *t = &batch.tables[0];
    assert_int_equal(t->dim_count, 2);
    assert_true(tacit_strview_equal(t->dims[1], tacit_strview_of("B b")));
    assert_int_equal(t->response.len, 0);
    assert_true(tacit_strview_equal(t->cost, tacit_strview_of("Cost")));
    assert_true(batch.sources[0].cells);
    assert_true(tacit_strview_equal(batch.sources[0].data, tacit_strview_of("my data.tab")));
    assert_true(
        tacit_strview_equal(t->targets[ENGINE_ARGUS_RELEASE].file, tacit_strview_of("o, p.csv")));
    assert_int_equal(t->targets[ENGINE_ARGUS_RELEASE].line, 7);
    engine_argus_batch_clear(&batch);
}

static void bad_metadata_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "m: the file declares no variable"},
        {"  <RECODEABLE>\n", "m:1: a variable comes first, then what is said of it"},
        {"A\n", "m:1: a variable is its name, where it starts in a line, counted from 1, how many "
                "characters it has, and its codes for missing"},
        {"A 0 2\n", "m:1: a variable is its name, where it starts in a line, counted from 1, how "
                    "many characters it has, and its codes for missing"},
        {"A 1 2\na 3 4\n", "m:2: a variable of that name was declared before"},
        {"A 1 2\n<JUGGLE>\n", "m:2: <JUGGLE> is not known"},
        {"A 1 2\n<NUMERIC> <JUGGLE>\n", "m:2: what follows <NUMERIC> is not known"},
        {"A 1 2\n<HIERLEVELS> 1 x\n", "m:2: <HIERLEVELS> are up to 32 numbers of digits"},
        {"A 1 2\n<HIERLEADSTRING> \"\"\n", "m:2: <HIERLEADSTRING> is empty"},
        {"<SPSS>\n", "m:1: the data is an SPSS file: give tacit the .sav itself"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        engine_argus_meta meta;
        tacit_error err = {0};
        char text[1024];
        assert_int_equal(
            engine_argus_meta_parse(&meta, tacit_strview_of(CASES[i].text), "m", false, &err),
            TACIT_PARSE);
        assert_string_equal(tacit_error_format(&err, text, sizeof text), CASES[i].message);
        assert_int_equal(meta.count, 0);
    }
}

/* ---- a batch with its files in memory ---- */

typedef struct files {
    int data, meta, tree, out;
    bool commits;
    char path[64];
} files;

static int file_with(const char *text)
{
    int fd = memfd_create("file", 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    return fd;
}

static void make_files(files *f)
{
    char text[1024];
    f->commits = false;
    f->data = file_with("A11 5\nA22 9\nB11 2\nB22 7\nA11 1\nA12 4\nB12 8\nB21 3\n");
    f->tree = file_with("A\n@A1\n@A2\nB\n@B1\n@B2\n");
    snprintf(text, sizeof text,
             "R 1 2\n<RECODEABLE>\n<TOTCODE> All\n<HIERCODELIST> \"/dev/fd/%d\"\nS 3 1\n"
             "<RECODEABLE>\nV 4 2\n<NUMERIC>\n",
             f->tree);
    f->meta = file_with(text);
    f->out = memfd_create("out", 0);
    snprintf(text, sizeof text,
             "<OPENMICRODATA> \"/dev/fd/%d\"\n<OPENMETADATA> \"/dev/fd/%d\"\n"
             "<SPECIFYTABLE> \"R\"\"S\"|\"V\"||\n<SAFETYRULE> NK(1,90)\n<READMICRODATA>\n"
             "<SUPPRESS> GH(1)\n<WRITETABLE> (1,2,,\"/dev/fd/%d\")\n",
             f->data, f->meta, f->out);
    snprintf(f->path, sizeof f->path, "/tmp/tacit-test-%d.arb", (int)getpid());
    FILE *batch = fopen(f->path, "w");
    fputs(text, batch);
    fclose(batch);
}

static void clear_files(files *f)
{
    close(f->data);
    close(f->tree);
    close(f->meta);
    close(f->out);
    unlink(f->path);
}

static tacit_status run_batch_of(void *context, tacit_error *err)
{
    const files *f = context;
    tacit_job *job = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status = tacit_job_new(&job, "protect", err);
    if (status == TACIT_OK)
        status = tacit_job_set(job, "threads", "1", err);
    if (status == TACIT_OK)
        status = tacit_job_input_file(job, f->path, err);
    if (status == TACIT_OK)
        status = tacit_job_run(job, &run, err);
    if (status == TACIT_OK && f->commits)
        status = tacit_job_commit(job, err);
    tacit_job_free(job);
    return status;
}

static void a_batch_is_run(void **state)
{
    (void)state;
    files f;
    char text[512] = "";
    tacit_error err = {0};
    make_files(&f);
    f.commits = true;
    assert_int_equal(run_batch_of(&f, &err), TACIT_OK);
    assert_true(pread(f.out, text, sizeof text - 1, 0) > 0);
    const char *start = "R,S,V,status\nAll,Total,39,s\nAll,1,11,s\nAll,2,28,s\n";
    assert_memory_equal(text, start, strlen(start));
    clear_files(&f);
}

static void memory_runs_out(void **state)
{
    (void)state;
    files f;
    make_files(&f);
    starve(run_batch_of, &f);
    clear_files(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_become_settings), cmocka_unit_test(tables_are_named),
        cmocka_unit_test(bad_metadata_is_refused),  cmocka_unit_test(a_batch_is_run),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
