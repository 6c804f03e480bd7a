/* jobs.c - three releases as the command makes them, in the folder out: records with a ledger, a
 * table, a letter. cc jobs.c $(pkg-config --cflags --libs tacit) && mkdir out && ./a.out */
#include <stdio.h>
#include <tacit/job.h>

/* Kind and input, then settings and their values. */
static const char *const JOBS[][20] = {
    {"anonymize", "patients.csv", "policy", "patients.yaml", "ledger", "out/ledger", "seed", "1",
     "output", "out/release.csv"},
    {"protect", "firms.csv", "dim", "district=hierarchies/districts.hrc", "dim",
     "branch=hierarchies/branches.csv", "value", "turnover", "rule", "p:10", "rule", "freq:2",
     "output", "out/table.csv"},
    {"scrub", "letter.txt", "seed", "1", "output", "out/letter.txt"},
};

static tacit_status run(const char *const *words, tacit_error *err)
{
    tacit_job *job = NULL;
    tacit_status status = tacit_job_new(&job, words[0], err);
    if (status == TACIT_OK)
        status = tacit_job_input_file(job, words[1], err);
    for (int i = 2; words[i] && status == TACIT_OK; i += 2)
        status = tacit_job_set(job, words[i], words[i + 1], err);
    if (status == TACIT_OK)
        status = tacit_job_run(job, NULL, err); /* up to the judge's verdict */
    if (status == TACIT_OK)
        status = tacit_job_commit(job, err); /* only now does anything appear */
    tacit_job_free(job);
    return status;
}

int main(void)
{
    tacit_error err = {0};
    for (int i = 0; i < 3; i++)
        if (run(JOBS[i], &err) != TACIT_OK)
            return fprintf(stderr, "%s\n", err.message), 1;
    return 0;
}
