/*
 * test_engine_job_memory.c - every allocation failed in turn in every kind of job, from settings to
 * commit and report. A job that fails says that memory ran out, leaves no block behind, and has
 * written nothing unless it says so.
 *
 * A kind that allocates more often than TRIES is refused every n-th time only, at other places in
 * either way; with TACIT_LONG in the environment every time.
 */
#include "starve.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacit/job.h>

#include "random_cases.h"

enum { TRIES = 60 };

typedef struct file {
    const char *name, *text;
} file;

/* A kind, its input, and settings, each with its value; + is that of a switch. */
typedef struct job_case {
    const char *kind, *input, *settings;
} job_case;

#define LETTER                                                                      \
    "Dear Dr. Smith, I saw Mary Jones (born 3/14/1952, SSN 123-45-6789) at 12 Elm " \
    "Street, Boston."
#define GOLD(number)                                                           \
    "{\"text\": \"token zq-" number " was seen\", \"spans\": [{\"start\": 6, " \
    "\"end\": 13, \"label\": \"X\"}]}\n"

static char folder[] = "/tmp/tacit-jobs-XXXXXX";

static const file FILES[] = {
    {"data.csv", "name,zip,sex,age,ill\nAnn,1010,f,30,flu\nBea,1010,f,31,cold\nCid,1020,m,30,flu\n"
                 "Dan,1020,m,31,cold\nEve,1010,f,32,flu\nFay,1020,m,33,cold\n"},
    {"release.csv", "zip,sex,age,ill\n10**,*,30-39,flu\n10**,*,30-39,cold\n10**,*,30-39,flu\n"
                    "10**,*,30-39,cold\n10**,*,30-39,flu\n10**,*,30-39,cold\n"},
    {"earlier.csv", "zip,sex,age,ill\n1010,*,30-39,flu\n1010,*,30-39,cold\n1020,*,30-39,flu\n"
                    "1020,*,30-39,cold\n1010,*,30-39,flu\n1020,*,30-39,cold\n"},
    {"margins.csv", "attribute,value,count\nsex,f,3\nsex,m,3\n"},
    {"people.csv", "zip,sex,age\n1010,f,30\n1010,f,31\n1020,m,30\n1020,m,31\n1010,f,32\n1020,m,33\n"
                   "1030,m,70\n"},
    {"counts.csv", "area,people,years\nnorth,20,3\nsouth,400,5\n"},
    {"policy.yaml", "k: 2\nperson: none\ncolumns:\n  name: identifier\n"
                    "  zip: {role: quasi, hierarchy: {mask: right}}\n  sex: quasi\n"
                    "  age: {role: quasi, hierarchy: {interval: {widths: [10]}}}\n"
                    "  ill: {role: sensitive, diversity: 2}\n"},
    {"local.yaml", "k: 2\nmethod: local\nperson: none\ncolumns:\n  name: identifier\n"
                   "  zip: {role: quasi, hierarchy: {mask: right}}\n  sex: quasi\n"
                   "  age: quasi\n  ill: sensitive\n"},
    {"items.csv", "sex,goods\nf,milk;bread\nf,milk\nf,milk;bread\nm,bread\nm,bread;beer\n"},
    {"cells.csv", "a,b,value,freq\np,x,10,9\np,y,20,9\np,z,7,1\nq,x,5,9\nq,y,6,9\nq,z,8,9\n"
                  "r,x,3,9\nr,y,4,9\nr,z,9,9\n"},
    {"firms.csv", "a,b,c,turnover,owner\np,x,u,10,A\np,x,v,20,B\np,y,u,7,C\nq,x,u,5,A\nq,y,u,6,D\n"
                  "q,y,v,8,E\nr,x,v,3,F\nr,y,u,4,G\nr,y,v,9,H\n"},
    {"b.csv", "x;Total\ny;Total\n"},
    {"a.hrc", "p\nmore\n@q\n@r\n"},
    {"table.csv", "a,b,value,status\nTotal,Total,72,\nTotal,x,18,\nTotal,y,30,\nTotal,z,24,\n"
                  "p,Total,37,\np,x,,u\np,y,20,\np,z,,u\nq,Total,19,\nq,x,,u\nq,y,6,\nq,z,,u\n"
                  "r,Total,16,\nr,x,3,\nr,y,4,\nr,z,9,\n"},
    {"full.csv", "a,b,value,freq,status\nTotal,Total,42,37,s\nTotal,x,15,18,s\nTotal,y,27,19,s\n"
                 "p,Total,29,18,s\np,x,10,9,x\np,y,19,9,u\nq,Total,13,19,s\nq,x,5,9,x\n"
                 "q,y,8,10,x\n"},
    {"sparse.csv", "a,b,status\np,x,u\nq,y,u\nr,z,s\nr,x,s\nq,z,s\n"},
    {"ills.csv", "flu;ill;*\n"},
    {"letter.txt", LETTER "\n"},
    {"letters.jsonl", "{\"who\": 1, \"text\": \"" LETTER "\"}\n{\"who\": 2, \"text\": \"Ann Long, "
                      "seen on 3/4/2001.\"}\n"},
    {"notes.csv", "sex,note\nf,Mary Jones was here on 3/14/1952.\nf,Call 617-555-0101.\n"},
    {"known.csv", "name,phone\nAnn Long,617-555-0101\n"},
    {"key", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"},
    {"templates", "reference 30 zq-dddd\n"},
    {"gold.jsonl", GOLD("1001") GOLD("1002") GOLD("1003") GOLD("1004") GOLD("1005") GOLD("1006")
                       GOLD("1007") GOLD("1008")},
};

static tacit_status prepare(tacit_job **job, const job_case *c, tacit_error *err)
{
    char settings[512], *left = settings;
    tacit_status status = tacit_job_new(job, c->kind, err);
    if (status == TACIT_OK && c->input)
        status = tacit_job_input_file(*job, c->input, err);
    if (status == TACIT_OK && strcmp(c->kind, "ledger") != 0)
        status = tacit_job_set(*job, "threads", "1", err);
    assert_in_range(snprintf(settings, sizeof settings, "%s", c->settings), 1, sizeof settings - 1);
    for (char *name; status == TACIT_OK && (name = strsep(&left, " "));) {
        const char *value = strsep(&left, " ");
        assert_non_null(value);
        status = tacit_job_set(*job, name, strcmp(value, "+") == 0 ? "" : value, err);
    }
    return status;
}

/* ---- what is written ---- */

static int files;
static uint64_t digest, expected; /* expected: 0 at first */

static void add_to_digest(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        digest = (digest ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
}

/* Reports and ledgers say when they were made; what is drawn differs each time. */
static int look_at(const char *path, const struct stat *about, int type, struct FTW *where)
{
    static char bytes[1 << 16];
    (void)about;
    if (type != FTW_F)
        return 0;
    files++;
    if (strstr(path, "report") || strstr(path, "page") || strstr(path, "ledger") ||
        strstr(path, "random"))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    add_to_digest(path + where->base, strlen(path + where->base));
    for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) > 0;)
        add_to_digest(bytes, (size_t)got);
    return close(fd);
}

static void look(void)
{
    files = 0;
    digest = UINT64_C(0xCBF29CE484222325);
    assert_int_equal(nftw("out", look_at, 16, FTW_PHYS), 0);
}

static int remove_it(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about;
    (void)type;
    return where->level > 0 ? remove(path) : 0;
}

static void empty_folder(void)
{
    assert_int_equal(nftw("out", remove_it, 16, FTW_PHYS | FTW_DEPTH), 0);
}

/* A release that was written stands if its reports fail, and one that was announced counts; the
 * message says so. */
static bool is_written(tacit_error *err)
{
    char *written = strstr(err->message, "; the release was written, ");
    char *counted = strstr(err->message, "; the ledger counts ");
    if (written || counted)
        *(written ? written : counted) = '\0';
    return written;
}

static void nothing_is_there(const tacit_error *err)
{
    look();
    if (files)
        fail_msg("%d files are there: %s", files, err->message);
}

/* ---- a job ---- */

/* From its settings to its text; documents that are scrubbed appear one by one. */
static tacit_status work(void *context, tacit_error *err)
{
    const job_case *c = context;
    tacit_job *job = NULL;
    char *texts[3] = {NULL};
    bool reports = strcmp(c->kind, "ledger") != 0 && !strstr(c->settings, "new-key"),
         committed = false;
    empty_folder();
    tacit_status status = prepare(&job, c, err);
    if (status == TACIT_OK)
        status = tacit_job_run(job, NULL, err);
    if (status == TACIT_OK && reports)
        status = tacit_job_report(job, &texts[0], err);
    if (status == TACIT_OK && reports)
        status = tacit_job_page(job, &texts[1], err);
    if (strcmp(c->kind, "scrub") != 0)
        nothing_is_there(err);
    if (status == TACIT_OK) {
        status = tacit_job_commit(job, err);
        committed = status == TACIT_OK || is_written(err);
    }
    if (!committed && strcmp(c->kind, "scrub") != 0)
        nothing_is_there(err);
    if (status == TACIT_OK)
        status = tacit_job_text(job, false, &texts[2], err);
    for (int i = 0; i < 3; i++)
        tacit_text_free(texts[i]);
    tacit_job_free(job);
    look();
    assert_true(status != TACIT_OK || !expected || digest == expected);
    return status;
}

#define OUT     " seed 1 output out/out.csv"
#define SAID    " report out/report.json html out/page.html"
#define TABLE   "dim a dim b"
#define CELLS   TABLE " value value rule freq:3" OUT
#define ROLES   "person none identifier name quasi zip,sex,age"
#define RECORDS "k 2 " ROLES " hierarchy zip=mask:right"
#define MASKED  ROLES " method none no-evaluate +" OUT " techniques "

/* Of methods, techniques and formats those that have memory of their own in an engine's hands. */
static const job_case CASES[] = {
    {"profile", "data.csv", "policy-out out/out.yaml" SAID},
    {"hierarchy", "data.csv", "column zip from mask:right" OUT SAID},
    {"hierarchy", "data.csv", "column ill group frequency:4 missing-codes NA" OUT},
    {"hierarchy", "data.csv", "column ill check ills.csv" OUT SAID},
    {"risk", "data.csv",
     "quasi zip,sex,age seed 1 records out/records sets out/sets groups out/groups values "
     "out/values uniqueness out/unique" SAID},
    {"risk", "data.csv", "quasi zip,sex model main fraction 0.1"},
    {"risk", "counts.csv", "counts people finer years" SAID},
    {"anonymize", "data.csv", "policy policy.yaml statement out/statement.md" OUT SAID},
    {"anonymize", "data.csv", RECORDS " method local evaluate + target ill" OUT SAID},
    {"anonymize", "data.csv", RECORDS " method mingen" OUT},
    {"anonymize", "data.csv", RECORDS " method optimal" OUT},
    {"anonymize", "data.csv", RECORDS " method datafly" OUT},
    {"anonymize", "data.csv", RECORDS " method mu-argus" OUT},
    {"anonymize", "data.csv", RECORDS " method k-similar" OUT},
    {"anonymize", "data.csv", RECORDS " method ambiguate dependencies out/dependencies" OUT SAID},
    {"anonymize", "data.csv", MASKED "noise:columns=age,size=0.1"},
    {"anonymize", "data.csv", MASKED "swap:columns=age"},
    {"anonymize", "data.csv", MASKED "rank-swap:columns=age,percent=50"},
    {"anonymize", "data.csv", MASKED "pram:columns=ill,keep=0.5"},
    {"anonymize", "data.csv", MASKED "microaggregate:columns=age,k=3"},
    {"anonymize", "data.csv", MASKED "round:columns=age,base=5"},
    {"anonymize", "data.csv", MASKED "synthesize:columns=sex,k=2"},
    {"anonymize", "data.csv", MASKED "sample:share=0.7"},
    {"anonymize", "data.csv", MASKED "encrypt:columns=zip"},
    {"anonymize", "data.csv", MASKED "add:columns=sex,rows=2"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.csv.gz"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.csv.zst"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.xlsx"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.sqlite"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.dta"},
    {"anonymize", "data.csv", RECORDS " seed 1 output out/out.sav"},
    {"anonymize", "data.csv", RECORDS " population people.csv k-map 2 summary margins.csv" OUT},
    {"anonymize", "data.csv", RECORDS " replace name=pseudonym key-file key" OUT},
    {"anonymize", "data.csv", RECORDS " ledger ledger" OUT},
    {"anonymize", "notes.csv", "k 2 person none quasi sex identifier note replace note=scrub" OUT},
    {"anonymize", "items.csv",
     "k 2 person none quasi sex insensitive goods items goods=; km 2" OUT},
    {"anonymize", "data.csv", RECORDS " explore + explore-k 2,3" OUT SAID},
    {"compare", "data.csv", "policies local.yaml target ill" OUT SAID},
    {"protect", "cells.csv", CELLS " intervals + statement out/statement.md html out/page.html"},
    {"protect", "cells.csv", CELLS " method hypercube pivot out/pivot.csv full out/full.jj"},
    {"protect", "cells.csv", CELLS " method hitas as px report out/report.json"},
    {"protect", "cells.csv", CELLS " method optimal as sdmx singletons +"},
    {"protect", "cells.csv", CELLS " method partial as xlsx"},
    {"protect", "cells.csv", CELLS " method total" SAID},
    {"protect", "cells.csv", CELLS " method adjust" SAID},
    {"protect", "cells.csv", CELLS " method round base 20" SAID},
    {"protect", "cells.csv", CELLS " method round-random base 20"},
    {"protect", "cells.csv", CELLS " method round-controlled base 20"},
    {"protect", "firms.csv", TABLE " value turnover holding owner rule p:10 rule nk:2,80" OUT SAID},
    {"protect", "firms.csv",
     "table a,b table a,c dim a=a.hrc dim b dim c rule freq:2 margin 20" OUT},
    {"protect", "firms.csv",
     "dim a=a.hrc dim b=b.csv method dp epsilon 0.001 budget 100 ledger noise output "
     "out/random" SAID},
    {"protect", "sparse.csv", TABLE " method total sparse +" OUT SAID},
    {"audit", "release.csv",
     "policy policy.yaml original data.csv population people.csv probable + linked out/linked "
     "summary margins.csv ads +" SAID},
    {"audit", "release.csv", "policy policy.yaml previous earlier.csv joined out/joined.csv" SAID},
    {"audit", "table.csv", TABLE " value value" SAID},
    {"audit", "full.csv", TABLE " value value singletons + sums + total-protection + lines 2" SAID},
    {"audit", "sparse.csv", TABLE " sparse +" SAID},
    {"scrub", "letter.txt", "spans out/spans explain out/explain" OUT SAID},
    {"scrub", "letters.jsonl", "jsonl text shift-by who known known.csv" OUT SAID},
    {"scrub", "notes.csv", "column note key key consistent key output out/out.csv"},
    {"scrub", NULL, "learn gold.jsonl templates templates" OUT SAID},
    {"scrub", NULL, "new-key out/random"},
    {"ledger", "ledger", "check +"},
};

static const job_case LEDGERED = {"anonymize", "data.csv", RECORDS " ledger ledger" OUT};

static void test_case(void **state)
{
    tacit_error err = {0};
    expected = 0;
    if (work(*state, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    look();
    expected = digest;
    starve_some(work, *state, many_cases(TRIES));
}

/* ---- the folder ---- */

static void write_file(const file *f)
{
    FILE *to = fopen(f->name, "wb");
    assert_non_null(to);
    assert_int_equal(fchmod(fileno(to), 0600), 0);
    fputs(f->text, to);
    assert_int_equal(fclose(to), 0);
}

/* A ledger with two releases in it. */
static int open_folder(void **state)
{
    (void)state;
    tacit_error err = {0};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        write_file(&FILES[i]);
    assert_int_equal(mkdir("out", 0700), 0);
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
        tests[i] = (struct CMUnitTest){CASES[i].settings, test_case, NULL, NULL, (void *)&CASES[i]};
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
