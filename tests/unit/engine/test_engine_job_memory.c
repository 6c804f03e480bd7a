/*
 * test_engine_job_memory.c - every allocation failed in turn in every kind of job, from settings to
 * commit and report. A job that fails says that memory ran out, leaves no block behind, and has
 * written nothing unless it says so.
 *
 * A kind that allocates more often than TRIES is refused every n-th time only, at other places in
 * either way; with TACIT_LONG in the environment every time.
 */
#include "starve.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacit/job.h>

#include "random_cases.h"

enum { TRIES = 200, WORDS = 24 };

typedef struct file {
    const char *name, *text;
} file;

/* A kind, its input, then settings with their values; a name that begins with / is in the folder.
 */
typedef struct job_case {
    const char *name;
    const char *kind, *input;
    const char *words[WORDS];
} job_case;

static char folder[] = "/tmp/tacit-jobs-XXXXXX";

static const file FILES[] = {
    {"data.csv", "name,zip,sex,age,ill\nAnn,1010,f,30,flu\nBea,1010,f,31,cold\nCid,1020,m,30,flu\n"
                 "Dan,1020,m,31,cold\nEve,1010,f,32,flu\nFay,1020,m,33,cold\n"},
    {"release.csv", "zip,sex,age,ill\n10**,*,30-39,flu\n10**,*,30-39,cold\n10**,*,30-39,flu\n"
                    "10**,*,30-39,cold\n10**,*,30-39,flu\n10**,*,30-39,cold\n"},
    {"people.csv", "zip,sex,age\n1010,f,30\n1010,f,31\n1020,m,30\n1020,m,31\n1010,f,32\n1020,m,33\n"
                   "1030,m,70\n"},
    {"policy.yaml", "k: 2\nperson: none\ncolumns:\n  name: identifier\n"
                    "  zip: {role: quasi, hierarchy: {mask: right}}\n  sex: quasi\n"
                    "  age: {role: quasi, hierarchy: {interval: {widths: [10]}}}\n"
                    "  ill: {role: sensitive, diversity: 2}\n"},
    {"local.yaml", "k: 2\nmethod: local\nperson: none\ncolumns:\n  name: identifier\n"
                   "  zip: {role: quasi, hierarchy: {mask: right}}\n  sex: quasi\n"
                   "  age: quasi\n  ill: sensitive\n"},
    {"noise.yaml", "method: none\nperson: none\ncolumns:\n  name: {role: identifier}\n"
                   "  zip: quasi\n  sex: quasi\n"
                   "  age: {role: insensitive, treat: {noise: {size: 0.1}}}\n  ill: sensitive\n"},
    {"cells.csv", "a,b,value,freq\np,x,10,9\np,y,20,9\np,z,7,1\nq,x,5,9\nq,y,6,9\nq,z,8,9\n"
                  "r,x,3,9\nr,y,4,9\nr,z,9,9\n"},
    {"table.csv", "a,b,value,status\nTotal,Total,72,\nTotal,x,18,\nTotal,y,30,\nTotal,z,24,\n"
                  "p,Total,37,\np,x,,u\np,y,20,\np,z,,u\nq,Total,19,\nq,x,,u\nq,y,6,\nq,z,,u\n"
                  "r,Total,16,\nr,x,3,\nr,y,4,\nr,z,9,\n"},
    {"sparse.csv", "a,b,status\np,x,u\nq,y,u\nr,z,s\nr,x,s\nq,z,s\n"},
    {"ills.csv", "flu;ill;*\n"},
    {"letter.txt", "Dear Dr. Smith,\nI saw Mary Jones (born 3/14/1952, SSN 123-45-6789) at 12 Elm "
                   "Street, Boston.\n"},
};

static const char *path_of(char path[256], const char *name)
{
    snprintf(path, 256, "%s%s", name[0] == '/' ? folder : "", name);
    return path;
}

static tacit_status prepare(tacit_job **job, const job_case *c, tacit_error *err)
{
    char path[256];
    tacit_status status = tacit_job_new(job, c->kind, err);
    if (status == TACIT_OK)
        status = tacit_job_input_file(*job, path_of(path, c->input), err);
    if (status == TACIT_OK && strcmp(c->kind, "ledger") != 0)
        status = tacit_job_set(*job, "threads", "1", err);
    for (int i = 0; c->words[i] && status == TACIT_OK; i += 2)
        status = tacit_job_set(*job, c->words[i], path_of(path, c->words[i + 1]), err);
    return status;
}

static bool is_there(const char *name)
{
    char path[256];
    return access(path_of(path, name), F_OK) == 0;
}

static void remove_file(const char *name)
{
    char path[256];
    unlink(path_of(path, name));
}

/* A release that was written stands if its reports fail, and the message says so. */
static bool is_written(tacit_error *err)
{
    static const char WRITTEN[] = "; the release was written, but not all of its reports";
    char *at = strstr(err->message, WRITTEN);
    if (!at || strcmp(at, WRITTEN) != 0)
        return false;
    *at = '\0';
    return true;
}

/* Documents that are scrubbed appear one by one; the ledger has no report. */
static tacit_status work(void *context, tacit_error *err)
{
    const job_case *c = context;
    tacit_job *job = NULL;
    char *report = NULL, *page = NULL, *text = NULL;
    bool releases = strncmp(c->name, "anonymize", 9) == 0 || strcmp(c->kind, "protect") == 0 ||
                    strcmp(c->kind, "hierarchy") == 0;
    bool reports = strcmp(c->kind, "ledger") != 0;
    remove_file("/out");
    tacit_status status = prepare(&job, c, err);
    if (status == TACIT_OK)
        status = tacit_job_run(job, NULL, err);
    if (status == TACIT_OK && reports)
        status = tacit_job_report(job, &report, err);
    if (status == TACIT_OK && reports)
        status = tacit_job_page(job, &page, err);
    assert_false(releases && is_there("/out"));
    if (status == TACIT_OK && (status = tacit_job_commit(job, err)) != TACIT_OK) {
        bool written = is_written(err);
        if (releases && is_there("/out") != written)
            fail_msg("the release is %s, but the message is %s%s",
                     is_there("/out") ? "there" : "not there", err->message,
                     written ? "; it was written" : "");
    }
    if (status == TACIT_OK)
        status = tacit_job_text(job, false, &text, err);
    tacit_text_free(report);
    tacit_text_free(page);
    tacit_text_free(text);
    tacit_job_free(job);
    return status;
}

#define OUTPUT  "output", "/out"
#define REPORTS "report", "/report.json", "html", "/page.html"
#define TABLE   "dim", "a", "dim", "b"

static const job_case CASES[] = {
    {"profile", "profile", "/data.csv", {"policy-out", "/out", "force", "", REPORTS}},
    {"hierarchy, rule",
     "hierarchy",
     "/data.csv",
     {"column", "zip", "from", "mask:right", OUTPUT, REPORTS}},
    {"hierarchy, groups",
     "hierarchy",
     "/data.csv",
     {"column", "ill", "group", "frequency:4", "missing-codes", "NA", OUTPUT}},
    {"hierarchy, check",
     "hierarchy",
     "/data.csv",
     {"column", "ill", "check", "/ills.csv", OUTPUT, REPORTS}},
    {"risk", "risk", "/data.csv", {"quasi", "zip,sex,age", "seed", "1", REPORTS}},
    {"anonymize",
     "anonymize",
     "/data.csv",
     {"policy", "/policy.yaml", OUTPUT, "seed", "1", REPORTS}},
    {"anonymize, local",
     "anonymize",
     "/data.csv",
     {"policy", "/local.yaml", OUTPUT, "seed", "1", "evaluate", ""}},
    {"anonymize, techniques",
     "anonymize",
     "/data.csv",
     {"policy", "/noise.yaml", OUTPUT, "seed", "1"}},
    {"explore",
     "anonymize",
     "/data.csv",
     {"policy", "/local.yaml", OUTPUT, "seed", "1", "explore", "", "explore-k", "2,3", REPORTS}},
    {"compare", "compare", "/data.csv", {"policies", "/local.yaml", OUTPUT, "seed", "1", REPORTS}},
    {"protect, suppress",
     "protect",
     "/cells.csv",
     {TABLE, "value", "value", "rule", "freq:3", OUTPUT, "seed", "1", "intervals", "", REPORTS}},
    {"protect, alter",
     "protect",
     "/cells.csv",
     {TABLE, "value", "value", "method", "round", OUTPUT, "seed", "1", REPORTS}},
    {"protect, sparse",
     "protect",
     "/sparse.csv",
     {TABLE, "method", "total", "sparse", "", OUTPUT, "seed", "1", REPORTS}},
    {"audit, records",
     "audit",
     "/release.csv",
     {"policy", "/policy.yaml", "original", "/data.csv", "population", "/people.csv", REPORTS}},
    {"audit, table", "audit", "/table.csv", {TABLE, "value", "value", REPORTS}},
    {"audit, sparse", "audit", "/sparse.csv", {TABLE, "sparse", "", REPORTS}},
    {"scrub", "scrub", "/letter.txt", {OUTPUT, "seed", "1", REPORTS}},
    {"ledger", "ledger", "/ledger", {"check", ""}},
};

static const job_case LEDGERED = {
    "anonymize, ledger",
    "anonymize",
    "/data.csv",
    {"policy", "/policy.yaml", OUTPUT, "seed", "1", "ledger", "/ledger"}};

static void test_case(void **state)
{
    starve_some(work, *state, many_cases(TRIES));
}

/* ---- the folder ---- */

static void write_file(const file *f)
{
    char path[256], name[64];
    snprintf(name, sizeof name, "/%s", f->name);
    FILE *to = fopen(path_of(path, name), "wb");
    assert_non_null(to);
    fputs(f->text, to);
    assert_int_equal(fclose(to), 0);
}

/* A ledger with two releases in it. */
static int open_folder(void **state)
{
    (void)state;
    tacit_error err = {0};
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        write_file(&FILES[i]);
    for (int i = 0; i < 2; i++)
        if (work((void *)&LEDGERED, &err) != TACIT_OK)
            fail_msg("%s", err.message);
    return 0;
}

static int close_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    enum { COUNT = sizeof CASES / sizeof *CASES };
    struct CMUnitTest tests[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){CASES[i].name, test_case, NULL, NULL, (void *)&CASES[i]};
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
