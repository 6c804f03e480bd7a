/*
 * test_withstand_figures.c - 5.5.2 and 5.5.3 of Sweeney, Computational Disclosure Control: GT1 of
 * Figure 35 is released; then PT once more, or PT with two more tuples.
 */
#include "previous.h"

#include "figure_35.h"

#define HEADER FIGURE_35_HEADER

static const char PT[] = HEADER "black,9/1965,male,02141,short of breath\n"
                                "black,2/1965,male,02141,chest pain\n"
                                "black,10/1965,female,02138,painful eye\n"
                                "black,8/1965,female,02138,wheezing\n"
                                "black,11/1964,female,02138,obesity\n"
                                "black,12/1964,female,02138,chest pain\n"
                                "white,10/1964,male,02138,short of breath\n"
                                "white,3/1965,female,02139,hypertension\n"
                                "white,8/1964,male,02139,obesity\n"
                                "white,5/1964,male,02139,fever\n"
                                "white,2/1967,male,02138,vomiting\n"
                                "white,3/1967,male,02138,back pain\n";

static const char NEW[] = "black,9/7/65,male,02139,headache\nblack,11/4/65,male,02139,rash\n";

static const char GT1[] = FIGURE_35_GT1;

static const char GT1_AND_NEW[] = "black,1965,male,02139,headache\nblack,1965,male,02139,rash\n";

static const char GT3[] = HEADER "black,1965,male,02141,short of breath\n"
                                 "black,1965,male,02141,chest pain\n"
                                 "black,1965,female,02138,painful eye\n"
                                 "black,1965,female,02138,wheezing\n"
                                 "black,1964,female,02138,obesity\n"
                                 "black,1964,female,02138,chest pain\n"
                                 "white,1960-1969,male,02138,short of breath\n"
                                 "white,1960-1969,human,02139,hypertension\n"
                                 "white,1960-1969,human,02139,obesity\n"
                                 "white,1960-1969,human,02139,fever\n"
                                 "white,1960-1969,male,02138,vomiting\n"
                                 "white,1960-1969,male,02138,back pain\n";

static void open_pt(fixture *f, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", PT, more);
    fixture_open(f, text);
    fixture_file(f, "Race", "black;person\nwhite;person\n");
    fixture_add(f, "BirthDate",
                &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_DATE, .order = TACIT_MONTH_FIRST});
    fixture_file(f, "Gender", "male;human\nfemale;human\n");
    fixture_mask(f, "ZIP");
    fixture_none(f, "Problem");
}

static tacit_previous *match(const fixture *f, earlier *e, const char *release)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_previous *previous = NULL;
    tacit_run_init(&run);
    earlier_open(e, f, release);
    if (tacit_previous_new(&previous, &f->frame, 15, &e->shown, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return previous;
}

/* The release as text, its rows as they stand, the last column as it is. */
static void write_out(char *out, const fixture *f, const tacit_rowwise *r)
{
    strcpy(out, HEADER);
    for (int64_t row = 0; row < r->rows; row++)
        for (int32_t a = 0; a < 5; a++) {
            int level = a < r->attributes ? r->levels[row * r->attributes + a] : 0;
            tacit_strview text =
                tacit_hierarchy_label(f->hierarchies[a], level, value_on(f, row, a, level));
            sprintf(out + strlen(out), "%.*s%s", (int)text.len, text.bytes, a < 4 ? "," : "\n");
        }
}

/* Whatever the method: GT1, and the new tuples as the section has them. */
static void check_generalized(const char *more, const char *expected, const char *method)
{
    static const int32_t PLACES[] = {0, 1, 2, 3};
    fixture f;
    earlier e;
    tacit_run run;
    tacit_error err = {0};
    tacit_rowwise *release = NULL;
    char text[2048], wanted[2048];
    tacit_run_init(&run);
    open_pt(&f, more);
    tacit_previous *previous = match(&f, &e, GT1);
    assert_int_equal(previous->matched, 12);
    assert_int_equal(previous->removed, 0);
    tacit_frame narrow = f.frame;
    narrow.attribute_count = 4;
    const tacit_previous *list[] = {previous};
    const tacit_records_options options = {.k = 2};
    const tacit_previous_task task = {
        list, 1, &f.frame, &narrow, PLACES, tacit_method_find(method), &options};
    if (tacit_previous_generalize(&release, &task, &run, &err) != TACIT_OK)
        fail_msg("%s: %s", method, err.message);
    write_out(text, &f, release);
    snprintf(wanted, sizeof wanted, "%s%s", GT1, expected);
    assert_string_equal(text, wanted);
    tacit_rowwise_free(release);
    tacit_previous_free(previous);
    earlier_close(&e);
    fixture_close(&f);
}

static void test_repaired(void **state)
{
    static const char *const METHODS[] = {"mingen", "local", "optimal", "k-similar"};
    (void)state;
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        check_generalized("", "", METHODS[i]);
        check_generalized(NEW, GT1_AND_NEW, METHODS[i]);
    }
}

/* GT3 beside GT1 exposes rows; which of them are unique Figure 36 says. */
static void test_broken(void **state)
{
    fixture f;
    earlier first, second;
    tacit_run run;
    tacit_error err = {0};
    tacit_previous_answer answer;
    uint64_t exposed = 0, suppressed = 0;
    (void)state;
    tacit_run_init(&run);
    open_pt(&f, "");
    tacit_previous *gt1 = match(&f, &first, GT1), *gt3 = match(&f, &second, GT3);
    assert_int_equal(gt3->matched, 12);
    tacit_rowwise release = {
        .rows = 12, .attributes = 5, .levels = gt3->levels, .suppressed = &suppressed};
    const tacit_previous_question question = {
        .previous = gt1, .frame = &f.frame, .release = &release, .k = 2};
    assert_int_equal(tacit_previous_check(&answer, &exposed, &question, &run, &err), TACIT_OK);
    /* [white, 1964, male, 02138, short of breath] and [white, 1965, female, 02139, hypertension] */
    assert_int_equal(exposed, 1 << 6 | 1 << 7);
    assert_int_equal(answer.exposed, 2);
    assert_int_equal(answer.weak, 0);
    tacit_previous_free(gt1);
    tacit_previous_free(gt3);
    earlier_close(&first);
    earlier_close(&second);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
