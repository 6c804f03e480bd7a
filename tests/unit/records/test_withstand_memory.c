/*
 * test_withstand_memory.c - every allocation refused in turn while an earlier release is matched,
 * generalized, checked and released anew.
 */
#include "starve.h"

#include "previous.h"

typedef struct hungry {
    fixture f;
    earlier e;
    tacit_frame narrow;
    tacit_run run;
} hungry;

static tacit_status match(tacit_previous **previous, hungry *h, tacit_error *err)
{
    tacit_previous *made = STARVE_UNTOUCHED;
    tacit_status status = tacit_previous_new(&made, &h->f.frame, 3, &h->e.shown, &h->run, err);
    if (status == TACIT_OK)
        *previous = made;
    else
        assert_ptr_equal(made, STARVE_UNTOUCHED);
    return status;
}

static tacit_status check(const tacit_previous *previous, const tacit_rowwise *release, hungry *h,
                          tacit_error *err)
{
    static const int32_t BACK[] = {0, 1, -1};
    tacit_previous_answer answer;
    tacit_rowwise *wide = NULL;
    tacit_status status = tacit_rowwise_with(&wide, release, BACK, 3, err);
    const tacit_previous_question question = {
        .previous = previous, .frame = &h->f.frame, .release = wide, .k = 2};
    if (status == TACIT_OK)
        status = tacit_previous_check(&answer, NULL, &question, &h->run, err);
    if (status == TACIT_OK)
        assert_int_equal(answer.exposed, 0);
    tacit_rowwise_free(wide);
    return status;
}

static tacit_status attempt(void *context, tacit_error *err)
{
    static const int32_t PLACES[] = {0, 1};
    hungry *h = context;
    tacit_previous *previous = NULL;
    tacit_rowwise *release = NULL;
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_application *application = NULL;
    const tacit_apply_options how = {0};
    const tacit_records_options options = {.k = 2};
    tacit_status status = match(&previous, h, err);
    const tacit_previous *list[] = {previous};
    const tacit_previous_task task = {
        list, 1, &h->f.frame, &h->narrow, PLACES, tacit_method_find("datafly"), &options};
    if (status == TACIT_OK)
        status = tacit_previous_generalize(&release, &task, &h->run, err);
    if (status == TACIT_OK)
        status = check(previous, release, h, err);
    if (status == TACIT_OK)
        status =
            tacit_rowwise_release(&solution, &application, release, &h->narrow, &how, &h->run, err);
    if (status == TACIT_OK)
        tacit_solution_free(solution);
    else
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
    tacit_application_free(application);
    tacit_rowwise_free(release);
    tacit_previous_free(previous);
    return status;
}

static void test_every_allocation(void **state)
{
    hungry h = {.run = starve_run(1)};
    (void)state;
    fixture_open(&h.f,
                 "Z,S,P\n138,m,flu\n139,m,cold\n141,f,flu\n142,f,cold\n238,m,flu\n238,m,cold\n");
    fixture_mask(&h.f, "Z");
    fixture_none(&h.f, "S");
    fixture_none(&h.f, "P");
    h.narrow = h.f.frame;
    h.narrow.attribute_count = 2;
    earlier_open(&h.e, &h.f, "Z,S,P\n13*,m,flu\n13*,m,cold\n14*,f,flu\n14*,f,cold\n");
    starve(attempt, &h);
    earlier_close(&h.e);
    fixture_close(&h.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
