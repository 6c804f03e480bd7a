/*
 * test_summary_figures.c - the summary data of Sweeney's Figure 46 with the releases of Figures 47,
 * 43, 75, 79, 80 and 81 (sections 6.3.3 and 7.3.3).
 *
 * Figure 46 as printed has 6 male and 6 female; the private table of Figure 34 has 7 and 5, and so
 * do Figure 47 and the discussion of Figure 81. As printed it contradicts every release here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "summary.h"

static const char RACE_AND_YEAR[] = "attribute,value,count\n"
                                    "Race,black,6\nRace,white,6\n"
                                    "BirthDate,1964,5\nBirthDate,1965,5\nBirthDate,1967,2\n";
static const char GENDER[] = "attribute,value,count\nGender,male,7\nGender,female,5\n";
static const char GENDER_PRINTED[] = "attribute,value,count\nGender,male,6\nGender,female,6\n";
static const char PROBLEM[] = "attribute,value,count\n"
                              "Problem,back pain,1\nProblem,chest pain,2\nProblem,fever,1\n"
                              "Problem,hypertension,1\nProblem,obesity,2\nProblem,painful eye,1\n"
                              "Problem,short of breath,2\nProblem,vomiting,1\nProblem,wheezing,1\n";

static const char FIGURE47[] = "Race,BirthDate,Gender,ZIP,Problem\n"
                               "black,1965,male,0214*,short of breath\n"
                               "black,1965,male,0214*,chest pain\n"
                               "black,1965,female,0213*,painful eye\n"
                               "black,1965,female,0213*,wheezing\n"
                               "black,1964,female,0213*,obesity\n"
                               "black,1964,female,0213*,chest pain\n"
                               "white,1964,male,0213*,short of breath\n"
                               "white,1964,male,0213*,obesity\n"
                               "white,1964,male,0213*,fever\n"
                               "white,1967,male,0213*,vomiting\n"
                               "white,1967,male,0213*,back pain\n";

static const char FIGURE43[] = "Race,BirthDate,Gender,ZIP,Problem\n"
                               "black,1965,male,02141,short of breath\n"
                               "black,1965,male,02141,chest pain\n"
                               "black,1965,female,02138,painful eye\n"
                               "black,1965,female,02138,wheezing\n"
                               "black,1964,female,02138,obesity\n"
                               "black,1964,female,02138,chest pain\n"
                               "white,1964,male,02139,obesity\n"
                               "white,1964,male,02139,fever\n"
                               "white,1967,male,02138,vomiting\n"
                               "white,1967,male,02138,back pain\n";

static const char FIGURE75[] = "Race,BirthDate,Gender,ZIP\n"
                               "black,1965,male,02141\nblack,1965,male,02141\n"
                               "black,1965,female,02138\nblack,1965,female,02138\n"
                               "black,1964,female,02138\nblack,1964,female,02138\n"
                               "white,*,male,02138\nwhite,*,*,02139\n"
                               "white,1964,male,02139\nwhite,1964,male,02139\n"
                               "white,1967,male,02138\nwhite,1967,male,02138\n";

#define FIRST_79                  \
    "Race,BirthDate,Gender,ZIP\n" \
    "black,1965,male,0214*\nblack,1965,male,0214*\n"
#define LAST_79                                      \
    "white,1964,male,0213*\nwhite,1964,male,0213*\n" \
    "white,1967,male,0213*\nwhite,1967,male,0213*\n"
static const char FIGURE79[] = FIRST_79 "black,1965,female,0213*\nblack,1965,female,0213*\n"
                                        "black,1964,female,0213*\nblack,1964,female,0213*\n"
                                        "white,1964,male,0213*\n*,1965,female,0213*\n" LAST_79;
static const char FIGURE80[] = FIRST_79 "*,1965,female,0213*\n*,1965,female,0213*\n"
                                        "black,1964,female,0213*\nblack,1964,female,0213*\n"
                                        "white,1964,male,0213*\n*,1965,female,0213*\n" LAST_79;

static const char FIGURE81[] = "Race,BirthDate,Gender,ZIP\n"
                               "black,1965,male,02141\nblack,1965,male,02141\n"
                               "black,1965,female,02138\nblack,1965,female,02138\n"
                               "black,1964,female,02138\nblack,1964,female,02138\n"
                               "white,*,*,*\nwhite,*,*,*\n"
                               "white,1964,male,02139\nwhite,1964,male,02139\n"
                               "white,1967,male,02138\nwhite,1967,male,02138\n";

/* Joint frequencies of race and gender, and of gender and year: of Figure 34. */
static const char RACE_GENDER[] = "Race,Gender,count\n"
                                  "black,male,2\nblack,female,4\nwhite,male,5\nwhite,female,1\n";
static const char YEAR_GENDER[] = "BirthDate,Gender,count\n"
                                  "1964,male,3\n1964,female,2\n1965,male,2\n1965,female,3\n"
                                  "1967,male,2\n";

typedef struct figure {
    const char *name, *release;
    const char *files[SUMMARY_FILES];
    int64_t values, rows, tuples, left_out;
    bool left_out_known;
    const char *facts; /* column, first row (0: left out), rows, and value least-most ... */
} figure;

static const figure FIGURES[] = {
    {"Figure 47: the missing tuple",
     FIGURE47,
     {RACE_AND_YEAR, GENDER, PROBLEM},
     0,
     0,
     0,
     1,
     true,
     "value Race 0 1 white 1-1\n"
     "value BirthDate 0 1 1965 1-1\n"
     "value Gender 0 1 female 1-1\n"
     "value Problem 0 1 hypertension 1-1\n"},
    {"Figure 43: of two tuples left out none is known",
     FIGURE43,
     {RACE_AND_YEAR, GENDER, PROBLEM},
     0,
     0,
     0,
     2,
     false,
     "value Race 0 2 white 2-2\n"
     "narrowed BirthDate 0 2 1964 1-1 1965 1-1\n"
     "narrowed Problem 0 2 short of breath 1-1 hypertension 1-1\n"
     "counted Gender 0 2 male 1-1 female 1-1\n"},
    {"Figure 75: gender follows, and of the years how often each occurs",
     FIGURE75,
     {RACE_AND_YEAR, GENDER},
     1,
     1,
     0,
     0,
     false,
     "value Gender 8 1 female 1-1\n"
     "narrowed BirthDate 7 2 1964 1-1 1965 1-1\n"},
    {"Figure 79: race follows",
     FIGURE79,
     {RACE_AND_YEAR, GENDER},
     1,
     1,
     1,
     0,
     false,
     "value Race 8 1 white 1-1\n"},
    {"Figure 80: nothing follows",
     FIGURE80,
     {RACE_AND_YEAR, GENDER},
     0,
     0,
     0,
     0,
     false,
     "counted Race 3 3 black 2-2 white 1-1\n"},
    {"Figure 81: one is male, the other female",
     FIGURE81,
     {RACE_AND_YEAR, GENDER},
     0,
     0,
     0,
     0,
     false,
     "narrowed BirthDate 7 2 1964 1-1 1965 1-1\n"
     "counted Gender 7 2 male 1-1 female 1-1\n"},
    {"Figure 75 with frequencies of two columns: every value follows",
     FIGURE75,
     {RACE_GENDER, YEAR_GENDER},
     3,
     2,
     2,
     0,
     false,
     "value BirthDate 7 1 1964 1-1\n"
     "value Gender 8 1 female 1-1\n"
     "value BirthDate 8 1 1965 1-1\n"},
    {"Figure 80 with frequencies of two columns: of three women one is white",
     FIGURE80,
     {RACE_GENDER},
     0,
     0,
     0,
     0,
     false,
     "counted Race 3 3 black 2-2 white 1-1\n"},
};

static void write_facts(char *out, size_t size, const tacit_summary_audit *audit)
{
    static const char *const KINDS[] = {"nothing", "value", "narrowed", "counted"};
    size_t used = 0;
    *out = 0;
    for (int64_t i = 0; i < audit->fact_count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        used += (size_t)snprintf(out + used, size - used, "%s %s %lld %lld", KINDS[fact->kind],
                                 audit->names[fact->column], (long long)fact->row,
                                 (long long)fact->rows);
        for (int32_t k = 0; k < fact->share_count; k++)
            used +=
                (size_t)snprintf(out + used, size - used, " %s %lld-%lld", fact->shares[k].text,
                                 (long long)fact->shares[k].least, (long long)fact->shares[k].most);
        used += (size_t)snprintf(out + used, size - used, "\n");
    }
}

static void test_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        const figure *f = &FIGURES[i];
        tacit_summary_audit *audit = NULL;
        tacit_error err = {0};
        char facts[2048];
        print_message("%s\n", f->name);
        if (summary_attack(&audit, f->release, f->files, NULL, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        write_facts(facts, sizeof facts, audit);
        assert_string_equal(facts, f->facts);
        assert_true(audit->exact);
        assert_int_equal(audit->subjects, 12);
        assert_int_equal(audit->left_out, f->left_out);
        assert_int_equal(audit->left_out_known, f->left_out_known);
        assert_int_equal(audit->values_known, f->values);
        assert_int_equal(audit->rows_known, f->rows);
        assert_int_equal(audit->tuples_known, f->tuples);
        tacit_summary_audit_free(audit);
    }
}

static void test_printed(void **state)
{
    (void)state;
    const char *const releases[] = {FIGURE47, FIGURE75, FIGURE79, FIGURE80};
    const char *const files[SUMMARY_FILES] = {RACE_AND_YEAR, GENDER_PRINTED};
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        tacit_summary_audit *audit = NULL;
        tacit_error err = {0};
        assert_int_equal(summary_attack(&audit, releases[i], files, NULL, &err), TACIT_PARSE);
        assert_non_null(
            strstr(err.message, "Gender in two.csv contradict the release: 7 of its rows"));
        assert_null(audit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
