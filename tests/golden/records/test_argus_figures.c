/*
 * test_argus_figures.c - chapter 7 of Sweeney, Computational Disclosure Control:
 * the combinations of Figure 49, the example of Figures 63 to 79 with ZIP as it is
 * and generalized, the tables with complementary suppression (Figures 80 and 81),
 * and the covers of Figures 82 and 83. Tuples count from 1, as in the figures.
 */
#include "cells.h"

#include <tacit/experimental/argus.h>

#include "records/argus/argus.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { RACE = 1, BIRTH = 2, GENDER = 4, ZIP = 8, TUPLES = 12 };

/* Figure 34 as the example rates it. */
static void open_example(fixture *f, int zip_level)
{
    figure_34(f);
    f->attributes[0].rating = TACIT_RATING_IDENTIFYING;
    f->attributes[1].rating = TACIT_RATING_MAX;
    f->attributes[2].rating = TACIT_RATING_MORE;
    f->attributes[3].rating = TACIT_RATING_MORE;
    f->attributes[3].least_level = zip_level;
}

static void solve_variant(outcome *o, tacit_argus_report *report, const fixture *f,
                          tacit_argus_variant variant)
{
    *report = (tacit_argus_report){0};
    const tacit_argus argus = {.variant = variant, .report = report};
    solve_cells(o, f, "mu-argus", &(tacit_records_options){.k = 2, .argus = &argus});
    assert_int_equal(report->suppressed_cells, o->metrics.suppressed_cells);
}

static void figure_49(void **state)
{
    (void)state;
    enum { NO, YES, ONLY }; /* only if there are identifying attributes */
    static const struct {
        int identifying, more, most, tested;
    } rows[] = {{3, 0, 0, NO},   {2, 1, 0, NO},   {2, 0, 1, NO},  {1, 2, 0, NO},
                {1, 1, 1, YES},  {1, 0, 2, YES},  {0, 3, 0, NO},  {0, 2, 1, ONLY},
                {0, 1, 2, ONLY}, {0, 0, 3, YES},  {2, 0, 0, NO},  {1, 1, 0, YES},
                {1, 0, 1, YES},  {0, 2, 0, ONLY}, {0, 1, 1, YES}, {0, 0, 2, YES}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool with = tacit__argus_tests(rows[i].identifying, rows[i].more, rows[i].most, true);
        bool without = tacit__argus_tests(rows[i].identifying, rows[i].more, rows[i].most, false);
        assert_int_equal(with, rows[i].tested != NO);
        if (rows[i].identifying == 0)
            assert_int_equal(without, rows[i].tested == YES);
    }
    assert_false(tacit__argus_tests(0, 0, 1, true));
    assert_false(tacit__argus_tests(1, 1, 2, true));
}

/* A row of a frequency list: the values on their levels, and how often they occur. */
typedef struct frequency {
    const char *values;
    int occurs;
} frequency;

static void values_of(char *text, size_t size, const tacit_frame *frame,
                      const tacit_classes *classes, int64_t index)
{
    text[0] = '\0';
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        tacit_strview label =
            tacit_hierarchy_label(frame->attributes[a].hierarchy, tacit_classes_levels(classes)[a],
                                  tacit_classes_code(classes, index, a));
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%.*s", a ? "," : "", (int)label.len, label.bytes);
    }
}

/* The frequency list over some attributes. */
static void check_frequencies(const fixture *f, uint64_t attributes, const int *levels,
                              const frequency *rows, int64_t count)
{
    tacit_attribute chosen[4];
    int on[4];
    tacit_frame frame = f->frame;
    tacit_classes *classes = NULL;
    tacit_run run;
    tacit_run_init(&run);
    frame.attributes = chosen;
    frame.attribute_count = 0;
    for (int a = 0; a < 4; a++)
        if (attributes >> a & 1) {
            on[frame.attribute_count] = levels[a];
            chosen[frame.attribute_count++] = f->attributes[a];
        }
    assert_int_equal(tacit_classes_new(&classes, &frame, on, &run, NULL), TACIT_OK);
    assert_int_equal(tacit_classes_count(classes), count);
    for (int64_t i = 0; i < count; i++) {
        char text[64];
        bool found = false;
        values_of(text, sizeof text, &frame, classes, i);
        for (int64_t j = 0; j < count; j++)
            if (strcmp(text, rows[j].values) == 0) {
                assert_int_equal(tacit_classes_size(classes, i), rows[j].occurs);
                found = true;
            }
        assert_true(found);
    }
    tacit_classes_free(classes);
}

static void figures_63_to_73(void **state)
{
    (void)state;
    static const int ground[] = {0, 0, 0, 0}, after[] = {0, 2, 0, 0}, with_zip[] = {0, 2, 0, 1};
    static const frequency figure_63[] = {
        {"black,9/20/65,male,02141", 1},    {"black,2/14/65,male,02141", 1},
        {"black,10/23/65,female,02138", 1}, {"black,8/24/65,female,02138", 1},
        {"black,11/7/64,female,02138", 1},  {"black,12/1/64,female,02138", 1},
        {"white,10/23/64,male,02138", 1},   {"white,3/15/65,female,02139", 1},
        {"white,8/13/64,male,02139", 1},    {"white,5/5/64,male,02139", 1},
        {"white,2/13/67,male,02138", 1},    {"white,3/21/67,male,02138", 1}};
    static const frequency figure_64[] = {
        {"black,1965,male,02141", 2},   {"black,1965,female,02138", 2},
        {"black,1964,female,02138", 2}, {"white,1964,male,02138", 1},
        {"white,1965,female,02139", 1}, {"white,1964,male,02139", 2},
        {"white,1967,male,02138", 2}};
    static const frequency figure_65[] = {{"1965,male", 2},
                                          {"1965,female", 3},
                                          {"1964,female", 2},
                                          {"1964,male", 3},
                                          {"1967,male", 2}};
    static const frequency figure_66[] = {{"1965,02141", 2}, {"1965,02138", 2}, {"1964,02138", 3},
                                          {"1965,02139", 1}, {"1964,02139", 2}, {"1967,02138", 2}};
    static const frequency figure_67[] = {{"male,02141", 2},
                                          {"female,02138", 4},
                                          {"male,02138", 3},
                                          {"female,02139", 1},
                                          {"male,02139", 2}};
    static const frequency figure_68[] = {{"1965,male,02141", 2},   {"1965,female,02138", 2},
                                          {"1964,female,02138", 2}, {"1964,male,02138", 1},
                                          {"1965,female,02139", 1}, {"1964,male,02139", 2},
                                          {"1967,male,02138", 2}};
    static const frequency figure_69[] = {{"black,1965,male", 2},   {"black,1965,female", 2},
                                          {"black,1964,female", 2}, {"white,1964,male", 3},
                                          {"white,1965,female", 1}, {"white,1967,male", 2}};
    static const frequency figure_70[] = {{"black,1965,02141", 2}, {"black,1965,02138", 2},
                                          {"black,1964,02138", 2}, {"white,1964,02138", 1},
                                          {"white,1965,02139", 1}, {"white,1964,02139", 2},
                                          {"white,1967,02138", 2}};
    static const frequency figure_71[] = {
        {"black,male", 2}, {"black,female", 4}, {"white,male", 5}, {"white,female", 1}};
    static const frequency figure_72[] = {
        {"black,02141", 2}, {"black,02138", 4}, {"white,02138", 3}, {"white,02139", 3}};
    static const frequency figure_73[] = {{"black,1965", 4},
                                          {"black,1964", 2},
                                          {"white,1964", 3},
                                          {"white,1965", 1},
                                          {"white,1967", 2}};
    static const frequency figure_77[] = {
        {"black,1965,male,0214*", 2},   {"black,1965,female,0213*", 2},
        {"black,1964,female,0213*", 2}, {"white,1965,female,0213*", 1},
        {"white,1964,male,0213*", 3},   {"white,1967,male,0213*", 2}};
    fixture f;
    open_example(&f, 0);
    check_frequencies(&f, 15, ground, figure_63, COUNT(figure_63));
    check_frequencies(&f, 15, after, figure_64, COUNT(figure_64));
    check_frequencies(&f, BIRTH | GENDER, after, figure_65, COUNT(figure_65));
    check_frequencies(&f, BIRTH | ZIP, after, figure_66, COUNT(figure_66));
    check_frequencies(&f, GENDER | ZIP, after, figure_67, COUNT(figure_67));
    check_frequencies(&f, BIRTH | GENDER | ZIP, after, figure_68, COUNT(figure_68));
    check_frequencies(&f, RACE | BIRTH | GENDER, after, figure_69, COUNT(figure_69));
    check_frequencies(&f, RACE | BIRTH | ZIP, after, figure_70, COUNT(figure_70));
    check_frequencies(&f, RACE | GENDER, after, figure_71, COUNT(figure_71));
    check_frequencies(&f, RACE | ZIP, after, figure_72, COUNT(figure_72));
    check_frequencies(&f, RACE | BIRTH, after, figure_73, COUNT(figure_73));
    check_frequencies(&f, 15, with_zip, figure_77, COUNT(figure_77));
    fixture_close(&f);
}

/* Checks that the outliers of a report are these, each of one tuple. */
typedef struct outlier {
    int tuple;
    uint64_t attributes;
} outlier;

static void check_outliers(const tacit_argus_report *report, const outcome *o, const fixture *f,
                           const outlier *expected, int64_t count)
{
    uint32_t class_of[TUPLES];
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_assign(o->solution->classes, &f->frame, class_of, &run, NULL),
                     TACIT_OK);
    assert_int_equal(report->outlier_count, count);
    for (int64_t i = 0; i < count; i++) {
        const tacit_argus_outlier *found = &report->outliers[i];
        bool known = false;
        for (int64_t j = 0; j < count; j++)
            known |= class_of[expected[j].tuple - 1] == found->class_index &&
                     expected[j].attributes == found->attributes;
        assert_true(known);
        assert_int_equal(found->rows, 1);
        assert_int_equal(found->people, 1);
        if (i > 0 && found[-1].class_index == found->class_index)
            assert_true(__builtin_popcountll(found[-1].attributes) <=
                        __builtin_popcountll(found->attributes));
    }
}

static const outlier FIGURE_74[] = {
    {7, BIRTH | GENDER | ZIP}, {7, RACE | BIRTH | ZIP},   {8, BIRTH | ZIP},
    {8, GENDER | ZIP},         {8, BIRTH | GENDER | ZIP}, {8, RACE | BIRTH | GENDER},
    {8, RACE | BIRTH | ZIP},   {8, RACE | GENDER},        {8, RACE | BIRTH}};

/* What a historic variant finds and releases; the caller clears the outcome. */
static void check_variant(outcome *o, const fixture *f, tacit_argus_variant variant,
                          const outlier *outliers, int64_t count, const char *const *rows)
{
    tacit_argus_report report;
    solve_variant(o, &report, f, variant);
    check_outliers(&report, o, f, outliers, count);
    check_released(o, f, rows);
    assert_int_equal(fewest_people(o, f), 1); /* not 2-anonymous, as 7.3.2 says */
    tacit_argus_report_clear(&report);
}

static void figures_74_to_76(void **state)
{
    (void)state;
    static const char *const figure_75[TUPLES] = {
        "black,1965,male,02141",   "black,1965,male,02141",   "black,1965,female,02138",
        "black,1965,female,02138", "black,1964,female,02138", "black,1964,female,02138",
        "white,*,male,02138",      "white,*,*,02139",         "white,1964,male,02139",
        "white,1964,male,02139",   "white,1967,male,02138",   "white,1967,male,02138"};
    const char *figure_76[TUPLES];
    memcpy(figure_76, figure_75, sizeof figure_76);
    figure_76[6] = "white,1964,male,02138";
    figure_76[7] = "white,*,female,02139";
    fixture f;
    outcome o;
    open_example(&f, 0);
    check_variant(&o, &f, TACIT_ARGUS_DESCRIBED, FIGURE_74, COUNT(FIGURE_74), figure_75);
    assert_float_equal(o.metrics.precision, 0.854, 0.0005);
    assert_int_equal(o.metrics.suppressed_cells, 3);
    assert_int_equal(o.solution->step_count, 2); /* BirthDate to months, then years */
    assert_int_equal(o.solution->steps[0].attribute, 1);
    assert_int_equal(o.solution->steps[1].attribute, 1);
    outcome_clear(&o);
    check_variant(&o, &f, TACIT_ARGUS_PUBLISHED, FIGURE_74, COUNT(FIGURE_74), figure_76);
    outcome_clear(&o);
    fixture_close(&f);
}

static void figures_78_and_79(void **state)
{
    (void)state;
    static const outlier figure_78[] = {
        {8, RACE | BIRTH | GENDER}, {8, RACE | BIRTH | ZIP}, {8, RACE | GENDER}, {8, RACE | BIRTH}};
    static const char *const figure_79[TUPLES] = {
        "black,1965,male,0214*",   "black,1965,male,0214*",   "black,1965,female,0213*",
        "black,1965,female,0213*", "black,1964,female,0213*", "black,1964,female,0213*",
        "white,1964,male,0213*",   "*,1965,female,0213*",     "white,1964,male,0213*",
        "white,1964,male,0213*",   "white,1967,male,0213*",   "white,1967,male,0213*"};
    fixture f;
    outcome o;
    open_example(&f, 1);
    check_variant(&o, &f, TACIT_ARGUS_DESCRIBED, figure_78, COUNT(figure_78), figure_79);
    outcome_clear(&o);
    check_variant(&o, &f, TACIT_ARGUS_PUBLISHED, figure_78, COUNT(figure_78), figure_79);
    outcome_clear(&o);
    fixture_close(&f);
}

/* What Figure 79 and Figure 75 become when suppressed values keep k. */
static void figures_80_and_81(void **state)
{
    (void)state;
    static const char *const figures[2][TUPLES] = {
        {"black,1965,male,02141", "black,1965,male,02141", "black,1965,female,02138",
         "black,1965,female,02138", "black,1964,female,02138", "black,1964,female,02138",
         "white,*,*,*", "white,*,*,*", "white,1964,male,02139", "white,1964,male,02139",
         "white,1967,male,02138", "white,1967,male,02138"},
        {"black,1965,male,0214*", "black,1965,male,0214*", "*,1965,female,0213*",
         "*,1965,female,0213*", "black,1964,female,0213*", "black,1964,female,0213*",
         "white,1964,male,0213*", "*,1965,female,0213*", "white,1964,male,0213*",
         "white,1964,male,0213*", "white,1967,male,0213*", "white,1967,male,0213*"}};
    static const double precisions[] = {0.792, 0.754};
    static const int64_t cells[] = {6, 3}, least[] = {3, 1};
    for (int zip = 0; zip < 2; zip++) {
        fixture f;
        outcome o;
        tacit_argus_report report;
        open_example(&f, zip);
        solve_variant(&o, &report, &f, TACIT_ARGUS_REPAIRED);
        check_released(&o, &f, figures[zip]);
        assert_float_equal(o.metrics.precision, precisions[zip], 0.0005);
        assert_int_equal(fewest_people(&o, &f), 2);
        assert_int_equal(report.suppressed_cells, cells[zip]);
        assert_int_equal(report.least_cells, least[zip]);
        tacit_argus_report_clear(&report);
        outcome_clear(&o);
        fixture_close(&f);
    }
}

/* Both covers of t8's outliers are as small as any. */
static void figures_82_and_83(void **state)
{
    (void)state;
    static const uint64_t covers[] = {BIRTH | GENDER, ZIP | RACE};
    for (uint64_t cover = 0; cover < 16; cover++) {
        bool covered = true, shown = false;
        for (size_t i = 0; i < COUNT(FIGURE_74); i++)
            covered &= FIGURE_74[i].tuple != 8 || (FIGURE_74[i].attributes & cover);
        for (size_t i = 0; i < COUNT(covers); i++)
            shown |= cover == covers[i];
        assert_false(shown && !covered);
        assert_false(covered && __builtin_popcountll(cover) < 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_49),         cmocka_unit_test(figures_63_to_73),
        cmocka_unit_test(figures_74_to_76),  cmocka_unit_test(figures_78_and_79),
        cmocka_unit_test(figures_80_and_81), cmocka_unit_test(figures_82_and_83),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
