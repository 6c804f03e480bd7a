/*
 * test_text_chain_memory.c - every allocation of reading weights, judging and learning
 * failed in turn.
 */
#include "starve.h"

#include "text/chain/learn.h"

static const char weights_text[] = "bias person -1\nword-1:dear person 3\nending:ton place 1\n";
static const char letter[] = "Dear Mister Norlington,\nsee you at 12 Elm Street in Boston.\n";

static tacit_status read_weights(void *context, tacit_error *err)
{
    (void)context;
    tacit__chain *model = STARVE_UNTOUCHED;
    tacit_status status = tacit__chain_new(&model, tacit_strview_of(weights_text), err);
    if (status != TACIT_OK)
        assert_ptr_equal(model, STARVE_UNTOUCHED);
    else
        tacit__chain_free(model);
    return status;
}

typedef struct work {
    const tacit__chain *model;
    const tacit__document *document;
} work;

static tacit_status judge(void *context, tacit_error *err)
{
    const work *w = context;
    tacit__chain_scratch scratch = {0};
    tacit__opinion opinions[32];
    tacit_status status = tacit__chain_judge(opinions, w->model, w->document, &scratch, err);
    tacit__chain_scratch_clear(&scratch);
    return status;
}

static tacit_status learn(void *context, tacit_error *err)
{
    const work *w = context;
    tacit__teacher *teacher = STARVE_UNTOUCHED;
    tacit__chain_options options;
    tacit__lessons lessons;
    tacit__strbuf text = {0};
    uint8_t labels[32] = {0, 0, 1};
    tacit__chain_options_init(&options);
    options.word_often = 1;
    options.ending_often = 1;
    tacit_status status = tacit__teacher_new(&teacher, w->model, &options, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(teacher, STARVE_UNTOUCHED);
        return status;
    }
    status = tacit__teacher_count(teacher, w->document, err);
    if (status == TACIT_OK)
        status = tacit__teacher_settle(teacher, err);
    if (status == TACIT_OK)
        status = tacit__teacher_add(teacher, w->document, labels, err);
    if (status == TACIT_OK)
        status = tacit__teacher_learn(&lessons, teacher, err);
    if (status == TACIT_OK)
        status = tacit__teacher_write(&text, teacher, err);
    tacit__strbuf_clear(&text);
    tacit__teacher_free(teacher);
    return status;
}

static void starved(void **state)
{
    (void)state;
    tacit__chain *model = NULL;
    tacit__document document = {0};
    assert_int_equal(tacit__chain_new(&model, tacit_strview_of(weights_text), NULL), TACIT_OK);
    assert_int_equal(tacit__document_read(&document, tacit_strview_of(letter), NULL), TACIT_OK);
    work w = {.model = model, .document = &document};
    starve(read_weights, NULL);
    starve(judge, &w);
    starve(learn, &w);
    tacit__document_clear(&document);
    tacit__chain_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
