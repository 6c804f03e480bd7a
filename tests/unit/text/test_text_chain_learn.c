/*
 * test_text_chain_learn.c - weights learned from a toy collection tell names from words
 * they were never shown, stay where they were when there is nothing to learn, and are the same
 * each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/chain/learn.h"
#include "text/chain/model.h"

enum { MAX_WORDS = 32 };

/* In a line's labels: o, p, l, s and g, one a word. */
typedef struct lesson {
    const char *text, *labels;
} lesson;

static const lesson lessons[] = {
    {"Dear Qorvin, the Tambric was cold.", "opooo"
                                           "o"},
    {"Dear Zelbit, a Morvane was seen.", "opooo"
                                         "o"},
    {"Dear Uxby, the Prindle has come.", "opooo"
                                         "o"},
    {"Lives in Varnoth, near the Sorbet.", "oolooo"},
    {"Lives in Quandle, near the Mistral.", "oolooo"},
    {"Works for Drusk Inc, at the Gate.", "ooggooo"},
    {"Works for Blent Inc, at the Door.", "ooggooo"},
    {"Reach me at 12 Glimmer Street today.", "ooossso"},
    {"Reach me at 77 Fandel Street today.", "ooossso"},
};

static uint8_t label_of(char letter)
{
    return (uint8_t)(strchr("oplsg", letter) - "oplsg");
}

static void add(tacit__teacher *teacher, const lesson *l, bool count)
{
    tacit__document document = {0};
    uint8_t labels[MAX_WORDS];
    assert_int_equal(tacit__document_read(&document, tacit_strview_of(l->text), NULL), TACIT_OK);
    if (count)
        assert_int_equal(tacit__teacher_count(teacher, &document, NULL), TACIT_OK);
    else {
        assert_int_equal(document.count, strlen(l->labels));
        for (size_t i = 0; i < document.count; i++)
            labels[i] = label_of(l->labels[i]);
        assert_int_equal(tacit__teacher_add(teacher, &document, labels, NULL), TACIT_OK);
    }
    tacit__document_clear(&document);
}

static tacit__chain_options toy_options(void)
{
    tacit__chain_options options;
    tacit__chain_options_init(&options);
    options.rounds = 60;
    options.word_often = 2;
    options.forget = 0;
    options.toll = 1e-3;
    return options;
}

/* What is learned, as text; to be cleared. */
static tacit__strbuf learn(tacit__lessons *got, const tacit__chain *first,
                           const tacit__chain_options *options, size_t count)
{
    tacit__teacher *teacher = NULL;
    tacit__strbuf text = {0};
    assert_int_equal(tacit__teacher_new(&teacher, first, options, NULL), TACIT_OK);
    for (size_t i = 0; i < count; i++)
        add(teacher, &lessons[i], true);
    assert_int_equal(tacit__teacher_settle(teacher, NULL), TACIT_OK);
    for (size_t i = 0; i < count; i++)
        add(teacher, &lessons[i], false);
    assert_int_equal(tacit__teacher_learn(got, teacher, NULL), TACIT_OK);
    assert_int_equal(tacit__teacher_write(&text, teacher, NULL), TACIT_OK);
    tacit__teacher_free(teacher);
    return text;
}

static tacit__chain *chain_of(const tacit__strbuf *text)
{
    tacit__chain *model = NULL;
    assert_int_equal(
        tacit__chain_new(&model, (tacit_strview){.bytes = text->bytes, .len = text->len}, NULL),
        TACIT_OK);
    return model;
}

static void expect(const tacit__chain *model, const char *text, const char *labels)
{
    tacit__document document = {0};
    tacit__chain_scratch scratch = {0};
    tacit__opinion opinions[MAX_WORDS];
    char got[MAX_WORDS + 1] = "";
    assert_int_equal(tacit__document_read(&document, tacit_strview_of(text), NULL), TACIT_OK);
    assert_int_equal(tacit__chain_judge(opinions, model, &document, &scratch, NULL), TACIT_OK);
    for (size_t i = 0; i < document.count; i++) {
        int best = 0;
        for (int label = 1; label < TACIT__LABELS; label++)
            best = opinions[i].of[label] > opinions[i].of[best] ? label : best;
        got[i] = "oplsg"[best];
    }
    assert_string_equal(got, labels);
    tacit__document_clear(&document);
    tacit__chain_scratch_clear(&scratch);
}

static void tells_apart_what_it_never_saw(void **state)
{
    (void)state;
    tacit__chain_options options = toy_options();
    tacit__lessons got;
    tacit__strbuf text = learn(&got, NULL, &options, sizeof lessons / sizeof lessons[0]);
    tacit__chain *model = chain_of(&text);
    assert_true(got.ended < got.started / 3);
    assert_true(got.words > 20);
    assert_int_equal(got.missed, 0);
    expect(model, "Dear Hexton, the Corvid was cold.", "opoooo");
    expect(model, "Lives in Parmock, near the Forge.", "oolooo");
    expect(model, "Works for Stunk Inc, at the Gate.", "ooggooo");
    expect(model, "Reach me at 15 Wimbrel Street today.", "ooossso");
    tacit__chain_free(model);
    tacit__strbuf_clear(&text);
}

static void is_the_same_each_time(void **state)
{
    (void)state;
    tacit__chain_options options = toy_options();
    tacit__lessons got;
    options.forget = 0.3;
    tacit__strbuf one = learn(&got, NULL, &options, 9), other = learn(&got, NULL, &options, 9);
    assert_string_equal(one.bytes, other.bytes);
    options.seed = 2;
    tacit__strbuf third = learn(&got, NULL, &options, 9);
    assert_string_not_equal(one.bytes, third.bytes);
    tacit__strbuf_clear(&one);
    tacit__strbuf_clear(&other);
    tacit__strbuf_clear(&third);
}

/* A strong pull leaves the first weights as they are; a weak one adds to them. */
static void starts_from_weights(void **state)
{
    (void)state;
    static const char source[] = "bias person -1.50\nword-1:mister person 4.00\n";
    tacit__chain *first = NULL;
    tacit__chain_options options = toy_options();
    tacit__lessons got;
    assert_int_equal(tacit__chain_new(&first, tacit_strview_of(source), NULL), TACIT_OK);
    options.toll = 100;
    tacit__strbuf text = learn(&got, first, &options, 3);
    assert_string_equal(text.bytes, source);
    tacit__strbuf_clear(&text);
    options.toll = 1e-3;
    text = learn(&got, first, &options, 3);
    tacit__chain *model = chain_of(&text);
    expect(model, "Dear Hexton, the Corvid was cold.", "opoooo");
    expect(model, "Was it Mister Hexton there.", "ooopo");
    tacit__chain_free(model);
    tacit__chain_free(first);
    tacit__strbuf_clear(&text);
}

static void nothing_to_learn(void **state)
{
    (void)state;
    tacit__chain_options options = toy_options();
    tacit__lessons got;
    tacit__strbuf text = learn(&got, NULL, &options, 0);
    assert_int_equal(got.words, 0);
    assert_int_equal(text.len, 0);
    tacit__strbuf_clear(&text);
}

/* Lower-case words in usual text are plain: what is named among them is counted. */
static void says_what_cannot_be_found(void **state)
{
    (void)state;
    tacit__chain_options options = toy_options();
    tacit__teacher *teacher = NULL;
    tacit__lessons got;
    lesson l = {"The house is very large and old.", "opooooo"};
    assert_int_equal(tacit__teacher_new(&teacher, NULL, &options, NULL), TACIT_OK);
    add(teacher, &l, false);
    assert_int_equal(tacit__teacher_learn(&got, teacher, NULL), TACIT_OK);
    assert_int_equal(got.missed, 1);
    tacit__teacher_free(teacher);
    tacit__teacher_free(NULL);
}

/* Words are known by the documents that they are in; names of lists never are. */
static void counts_documents(void **state)
{
    (void)state;
    static const char *const texts[] = {"Patient patient seen with Kowalski.",
                                        "The patient and Kowalski."};
    tacit__chain_tally *tally = calloc(1, sizeof *tally);
    tacit__document document = {0};
    tacit__chain *model = NULL;
    assert_int_equal(tacit__chain_empty(&model, NULL), TACIT_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(tacit__document_read(&document, tacit_strview_of(texts[i]), NULL),
                         TACIT_OK);
        assert_int_equal(tacit__chain_tally_add(tally, &document, NULL), TACIT_OK);
    }
    assert_int_equal(tacit__chain_tally_settle(model, tally, 2, 100, NULL), TACIT_OK);
    assert_int_not_equal(tacit__chain_row(model, tacit__word_key(tacit_strview_of("patient"))), 0);
    assert_int_equal(tacit__chain_row(model, tacit__word_key(tacit_strview_of("seen"))), 0);
    assert_int_equal(tacit__chain_row(model, tacit__word_key(tacit_strview_of("kowalski"))), 0);
    tacit__chain_free(model);
    tacit__document_clear(&document);
    tacit__chain_tally_clear(tally);
    free(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_apart_what_it_never_saw), cmocka_unit_test(is_the_same_each_time),
        cmocka_unit_test(starts_from_weights),           cmocka_unit_test(nothing_to_learn),
        cmocka_unit_test(says_what_cannot_be_found),     cmocka_unit_test(counts_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
