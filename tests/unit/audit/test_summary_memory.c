/*
 * test_summary_memory.c - every allocation of the attack with published frequencies failed in turn:
 * files of one column, of several, and of so many that programs are solved.
 */
#include "starve.h"

#include "summary.h"

static const char RELEASE[] = "Race,Gender,BirthDate\n"
                              "black,*,1964\n*,male,1964\n*,*,1965\n*,*,*\nwhite,male,1965\n"
                              "*,female,1960-1969\nwhite,*,1965\n";
/* Of eight subjects: one tuple was left out. */
static const char SINGLE[] = "attribute,value,count\n"
                             "Race,black,3\nRace,white,5\nGender,male,4\nGender,female,4\n"
                             "BirthDate,1964,4\nBirthDate,1965,4\n";
static const char TWO[] = "Race,Gender,count\n"
                          "black,male,1\nblack,female,2\nwhite,male,3\nwhite,female,2\n";
static const char OTHER[] = "Gender,BirthDate,count\n"
                            "male,1964,2\nmale,1965,2\nfemale,1964,2\nfemale,1965,2\n";

static tacit_status attempt(void *context, tacit_error *err)
{
    const char *const *files = context;
    tacit_run run = starve_run(1);
    tacit_summary_audit *audit = STARVE_UNTOUCHED;
    tacit_status status = summary_attack(&audit, RELEASE, files, &run, err);
    if (status == TACIT_OK)
        tacit_summary_audit_free(audit);
    else
        assert_ptr_equal(audit, STARVE_UNTOUCHED);
    return status;
}

static void test_starving(void **state)
{
    (void)state;
    const char *const single[SUMMARY_FILES] = {SINGLE};
    const char *const several[SUMMARY_FILES] = {TWO, OTHER, SINGLE};
    starve(attempt, (void *)single);
    starving.lenient = true; /* searches for whole numbers do without some */
    starve(attempt, (void *)several);
    starving.lenient = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starving)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
