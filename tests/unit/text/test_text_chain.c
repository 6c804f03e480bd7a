/*
 * test_text_chain.c - weights as text and back, what is refused and where; forward and
 * backward against all labellings of short chains, and shares against differences of the
 * sum; opinions on a letter by the shipped weights; hostile text in linear time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "text/chain/model.h"

#include <tacit/experimental/text.h>

static const char weights_text[] = "after:none.person person 1.20 place -0.50\n"
                                   "shape:capital.start.usual person 0.35\n"
                                   "name:7.3.0.no person 2.00 organization -0.01\n"
                                   "initials:yes.2.comma-line person 0.75\n"
                                   "ending:ton place 0.71 street 0.07\n"
                                   "word:inc organization 4.25\n"
                                   "word-1:dear person 3.12 place -0.40\n"
                                   "key:name person 2.50\n";

static void comes_back_as_it_was(void **state)
{
    (void)state;
    tacit__chain *model = NULL;
    tacit__strbuf out = {0};
    assert_int_equal(tacit__chain_new(&model, tacit_strview_of(weights_text), NULL), TACIT_OK);
    tacit__chain_write(&out, model);
    assert_string_equal(out.bytes, weights_text);
    tacit__strbuf_clear(&out);
    tacit__chain_free(model);
    tacit__chain_free(NULL);
}

static void every_row_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (tacit__sort sort = 0; sort < TACIT__SORTS; sort++)
        for (uint32_t i = 0; i < tacit__sort_rows(sort); i++) {
            tacit__strbuf name = {0};
            tacit__sort found = TACIT__SORT_AFTER;
            uint32_t number;
            tacit__sort_write(&name, sort, i);
            assert_true(tacit__sort_find(&found, &number, tacit_strview_of(name.bytes)));
            assert_int_equal(found, sort);
            assert_int_equal(number, i);
            tacit__strbuf_clear(&name);
        }
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int line;
        const char *message;
    } cases[] = {
        {"# one\n\nbias person 1\nbios person 1\n", 4, "\"bios\" is no evidence"},
        {"bias:no person 1", 1, "\"bias:no\" is no evidence"},
        {"shape:capital.start person 1", 1, "is no evidence"},
        {"shape:capital.start.usual.more person 1", 1, "is no evidence"},
        {"shape:round.start.usual person 1", 1, "is no evidence"},
        {"ending:to person 1", 1, "is no evidence"},
        {"ending:t1n person 1", 1, "is no evidence"},
        {"word: person 1", 1, "is no evidence"},
        {"bias people 1", 1, "\"people\" is not a label"},
        {"bias other 1", 1, "\"other\" is not a label"},
        {"bias person", 1, "\"\" is not a weight"},
        {"bias person one", 1, "\"one\" is not a weight"},
        {"bias person 1.2.3", 1, "is not a weight"},
        {"bias person -", 1, "is not a weight"},
        {"bias person 1e9", 1, "is not a weight"},
        {"bias person 1001", 1, "is not a weight"},
        {"bias person inf", 1, "is not a weight"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__chain *model = (void *)&cases;
        tacit_error err = {0};
        assert_int_equal(tacit__chain_new(&model, tacit_strview_of(cases[i].source), &err),
                         TACIT_PARSE);
        assert_ptr_equal(model, &cases);
        assert_int_equal(err.line, cases[i].line);
        if (!strstr(err.message, cases[i].message))
            fail_msg("%s: %s", cases[i].source, err.message);
    }
}

static void refuses_long_words(void **state)
{
    (void)state;
    char source[200] = "word:";
    tacit__chain *model = NULL;
    tacit_error err = {0};
    memset(source + 5, 'a', 100);
    strcpy(source + 105, " person 1");
    assert_int_equal(tacit__chain_new(&model, tacit_strview_of(source), &err), TACIT_PARSE);
    assert_int_equal(err.line, 1);
    assert_non_null(strstr(err.message, "longer than any"));
}

static void factors_are_exponentials(void **state)
{
    (void)state;
    for (float x = -60; x < 100; x += 0.037F) {
        tacit__chain_step step;
        float most = tacit__step_weigh(&step, (tacit__weights){x, x / 2, -1e6F, 0});
        for (int label = 0; label < TACIT__LABELS; label++) {
            double of[TACIT__LABELS] = {0, x, x / 2, -1e6, 0};
            double wanted = exp(of[label] - most);
            assert_true(fabs(tacit__share_of(&step.factor, label) - wanted) <=
                        2e-5 * wanted + 1e-30);
        }
    }
}

/* A chain by chance. */
enum { LONGEST = 6 };

typedef struct random_chain {
    tacit__turn turn[TACIT__BREAKS];
    tacit__chain_step steps[LONGEST];
    size_t count;
} random_chain;

static float draw(tacit__random *random)
{
    return (float)tacit__random_below(random, 6001) / 1000 - 3;
}

static void make_chain(random_chain *chain, tacit__random *random)
{
    chain->count = 1 + tacit__random_below(random, LONGEST);
    for (int gap = 0; gap < TACIT__BREAKS; gap++)
        for (int before = 0; before < TACIT__LABELS; before++)
            for (int i = 0; i < TACIT__NAMED; i++) {
                float factor = expf(draw(random));
                chain->turn[gap].to[before][i] = factor;
                if (before > 0)
                    chain->turn[gap].from[i][before - 1] = factor;
            }
    for (size_t i = 0; i < chain->count; i++) {
        tacit__weights sum = {draw(random), draw(random), draw(random), draw(random)};
        tacit__step_weigh(&chain->steps[i], sum);
        chain->steps[i].gap = (uint8_t)tacit__random_below(random, TACIT__BREAKS);
    }
}

static double turn_factor(const tacit__turn *turn, int before, int after)
{
    return after == TACIT__LABEL_OTHER ? 1 : turn->to[before][after - 1];
}

typedef struct truth {
    double sum, share[LONGEST][TACIT__LABELS], pair[LONGEST][TACIT__LABELS][TACIT__LABELS];
} truth;

/* All labellings, one after the other. */
static void find_truth(truth *t, const random_chain *chain)
{
    size_t all = 1;
    *t = (truth){0};
    for (size_t i = 0; i < chain->count; i++)
        all *= TACIT__LABELS;
    for (size_t number = 0; number < all; number++) {
        double product = 1;
        int labels[LONGEST];
        size_t left = number;
        for (size_t i = 0; i < chain->count; i++, left /= TACIT__LABELS) {
            const tacit__chain_step *step = &chain->steps[i];
            labels[i] = (int)(left % TACIT__LABELS);
            product *= tacit__share_of(&step->factor, labels[i]) *
                       turn_factor(&chain->turn[step->gap], i > 0 ? labels[i - 1] : 0, labels[i]);
        }
        t->sum += product;
        for (size_t i = 0; i < chain->count; i++) {
            t->share[i][labels[i]] += product;
            t->pair[i][i > 0 ? labels[i - 1] : 0][labels[i]] += product;
        }
    }
}

static void agrees_with_all_labellings(void **state)
{
    (void)state;
    tacit_run run;
    tacit__random random;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "chn", 0);
    for (int round = 0; round < 60; round++) {
        random_chain chain;
        truth t;
        double sum;
        make_chain(&chain, &random);
        find_truth(&t, &chain);
        tacit__steps_pass(chain.steps, chain.count, chain.turn, &sum);
        assert_true(fabs(sum - log(t.sum)) < 1e-4);
        for (size_t i = 0; i < chain.count; i++) {
            tacit__chain_shares pair[TACIT__LABELS];
            tacit__steps_pair(pair, i > 0 ? &chain.steps[i - 1] : NULL, &chain.steps[i],
                              &chain.turn[chain.steps[i].gap]);
            for (int label = 0; label < TACIT__LABELS; label++) {
                assert_true(fabs(tacit__share_of(&chain.steps[i].share, label) -
                                 t.share[i][label] / t.sum) < 1e-4);
                for (int from = 0; from < TACIT__LABELS; from++)
                    assert_true(fabs(tacit__share_of(&pair[from], label) -
                                     t.pair[i][from][label] / t.sum) < 1e-4);
            }
        }
    }
}

static void scale(tacit__chain_shares *shares, int label, double factor)
{
    if (label == TACIT__LABEL_OTHER)
        shares->other *= (float)factor;
    else
        shares->named[label - 1] *= (float)factor;
}

/* The sum's slope by a factor's logarithm is the factor's share: what learning relies on. */
static void shares_are_slopes(void **state)
{
    (void)state;
    tacit_run run;
    tacit__random random;
    const double step = 1e-2;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "slp", 0);
    for (int round = 0; round < 30; round++) {
        random_chain chain;
        double up, down, sum;
        make_chain(&chain, &random);
        tacit__steps_pass(chain.steps, chain.count, chain.turn, &sum);
        for (size_t i = 0; i < chain.count; i++)
            for (int label = 0; label < TACIT__LABELS; label++) {
                random_chain moved = chain;
                scale(&moved.steps[i].factor, label, exp(step));
                tacit__steps_pass(moved.steps, moved.count, moved.turn, &up);
                scale(&moved.steps[i].factor, label, exp(-2 * step));
                tacit__steps_pass(moved.steps, moved.count, moved.turn, &down);
                assert_true(fabs((up - down) / (2 * step) -
                                 tacit__share_of(&chain.steps[i].share, label)) < 2e-3);
            }
    }
}

typedef struct judged {
    tacit__document document;
    tacit__chain_scratch scratch;
    tacit__opinion *opinions;
} judged;

static void judge(judged *j, const tacit__chain *model, tacit_strview text)
{
    *j = (judged){0};
    assert_int_equal(tacit__document_read(&j->document, text, NULL), TACIT_OK);
    j->opinions = calloc(j->document.count + 1, sizeof *j->opinions);
    assert_int_equal(tacit__chain_judge(j->opinions, model, &j->document, &j->scratch, NULL),
                     TACIT_OK);
    for (size_t i = 0; i < j->document.count; i++) {
        int sum = 0;
        for (int label = 0; label < TACIT__LABELS; label++)
            sum += j->opinions[i].of[label];
        assert_in_range(sum, 97, 103);
    }
}

static void clear_judged(judged *j)
{
    tacit__document_clear(&j->document);
    tacit__chain_scratch_clear(&j->scratch);
    free(j->opinions);
}

/* Each word of the text with its likeliest label: of the letters o, p, l, s and g. */
static void expect(const tacit__chain *model, const char *text, const char *labels)
{
    judged j;
    char got[200] = "";
    judge(&j, model, tacit_strview_of(text));
    assert_true(j.document.count < sizeof got);
    for (size_t i = 0; i < j.document.count; i++) {
        int best = 0;
        for (int label = 1; label < TACIT__LABELS; label++)
            best = j.opinions[i].of[label] > j.opinions[i].of[best] ? label : best;
        got[i] = "oplsg"[best];
    }
    assert_string_equal(got, labels);
    clear_judged(&j);
}

static void weights_decide(void **state)
{
    (void)state;
    tacit__chain *model = NULL;
    static const char source[] =
        "bias person -2 place -2 street -2 organization -2\n"
        "word:dear person -5\nword-1:dear person 5\nword:inc organization 6\n"
        "after:none.person person 4\nword+1:inc organization 4\n"
        "key:attending person 4\nending:ton place 3\n"
        "digits+1:3.street street 5\n";
    assert_int_equal(tacit__chain_new(&model, tacit_strview_of(source), NULL), TACIT_OK);
    expect(model, "", "");
    expect(model, "...", "");
    expect(model, "Dear Xabier Quorl, Norlington is Zorb Inc now.", "opploggo");
    expect(model, "Attending: Quorl\nQuorl", "opo");
    expect(model, "Plain words of no name are left alone.", "oooooooo");
    expect(model, "at 221 Street", "oso");
    tacit__chain_free(model);
}

static void shipped_weights_know_plain_cases(void **state)
{
    (void)state;
    tacit__chain *model = NULL;
    assert_int_equal(tacit__chain_new(&model, (tacit_strview){0}, NULL), TACIT_OK);
    expect(model, "Dear Dr. Hartwell,\n\nThank you for sending Virginia Townsend to our clinic.",
           "oopooooppooo");
    expect(model, "She lives at 12 Elm Street, Boston, MA 02115.", "ooossslll");
    expect(model, "He was seen at Mercy General Hospital in Denver.", "oooogggol");
    expect(model, "The patient took two tablets of aspirin after breakfast.", "ooooooooo");
    tacit__chain_free(model);
}

/* Of all evidence no number is beyond its rows, and judging adds up what learning is told. */
static void rows_are_there(void **state)
{
    (void)state;
    static const char text[] =
        "MRN A574351\n\nDr. Zoë O'Neill-Long's 2 cats, RN/jk: \"Ginny\" (Weston) @home #x\n"
        "221 Baker Street, Apt 5, Boston, MA 02115\nI am A. I. at the Bank of America! 1234567890";
    tacit__chain *model = NULL;
    tacit__document document = {0};
    tacit__chain_view view;
    assert_int_equal(tacit__chain_new(&model, (tacit_strview){0}, NULL), TACIT_OK);
    assert_int_equal(tacit__document_read(&document, tacit_strview_of(text), NULL), TACIT_OK);
    void *memory = malloc(tacit__chain_view_size(document.count));
    tacit__chain_view_init(&view, model, &document, memory, NULL);
    for (size_t i = 0; i < document.count; i++) {
        uint32_t rows[TACIT__EVIDENCE];
        size_t count = tacit__chain_itself(rows, &view, i);
        count += tacit__chain_around(rows + count, &view, i);
        assert_in_range(count, 12, TACIT__EVIDENCE);
        tacit__weights sum = {0}, found = tacit__chain_sum(&view, i);
        for (size_t r = 0; r < count; r++) {
            assert_in_range(rows[r], tacit__sort_rows(TACIT__SORT_AFTER), model->row_count - 1);
            sum += model->rows[rows[r]];
        }
        for (int label = 0; label < TACIT__NAMED; label++)
            assert_true(fabsf(sum[label] - found[label]) < 1e-4F);
    }
    free(memory);
    tacit__document_clear(&document);
    tacit__chain_free(model);
}

/* One thread's memory for all documents, or new memory for each: opinions are the same; and
 * other weights find nothing of what was remembered. */
static void memory_has_no_opinion(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Dear Long,\nthe Long one is a long way from Boston. Anne's aunt ANNE.",
        "LONG DAY IN BOSTON. ANNE SAW LONG.", "anne long lives in boston with long's aunt",
        "Anne Long, M.D.\nZoë Ángel Angél O\xE2\x80\x99Neill O'Neill New York York"};
    static const char other[] = "bias person 9\n";
    tacit__chain *models[2] = {NULL};
    tacit__chain_scratch kept = {0};
    tacit__document read = {0}; /* which remembers its words */
    assert_int_equal(tacit__chain_new(&models[0], (tacit_strview){0}, NULL), TACIT_OK);
    assert_int_equal(tacit__chain_new(&models[1], tacit_strview_of(other), NULL), TACIT_OK);
    for (int turn = 0; turn < 24; turn++) {
        const tacit__chain *model = models[turn / 4 % 2];
        tacit__opinion opinions[32];
        judged j;
        judge(&j, model, tacit_strview_of(texts[turn % 4]));
        assert_int_equal(tacit__chain_judge(opinions, model, &j.document, &kept, NULL), TACIT_OK);
        assert_memory_equal(opinions, j.opinions, j.document.count * sizeof *opinions);
        assert_int_equal(tacit__document_read(&read, j.document.text, NULL), TACIT_OK);
        assert_int_equal(tacit__chain_judge(opinions, model, &read, &kept, NULL), TACIT_OK);
        assert_memory_equal(opinions, j.opinions, j.document.count * sizeof *opinions);
        clear_judged(&j);
    }
    tacit__document_clear(&read);
    tacit__chain_scratch_clear(&kept);
    tacit__chain_free(models[0]);
    tacit__chain_free(models[1]);
}

/* Whatever is repeated to fill a piece: a moment each, where a step for every two bytes of it
 * would be minutes. */
static void hostile_text_comes_to_an_end(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "a",     "A",    "a ",    "A ",        "A b ",      "Smith ",     "of ",
        "of A ", "1 A ", "A: ",   "\n",        "A\n",       "Dr. ",       "A.",
        "'",     "xQ7,", "\xFF ", "\xC3\x89 ", "New York ", "and of the "};
    static char text[TACIT_SCRUB_PIECE];
    tacit__chain *model = NULL;
    assert_int_equal(tacit__chain_new(&model, (tacit_strview){0}, NULL), TACIT_OK);
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        size_t len = strlen(patterns[p]);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = patterns[p][i % len];
        judged j;
        judge(&j, model, (tacit_strview){.bytes = text, .len = sizeof text});
        for (size_t i = 0; i < j.document.count; i++)
            assert_in_range(j.opinions[i].of[TACIT__LABEL_OTHER], 0, 100);
        clear_judged(&j);
    }
    tacit__chain_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_as_it_was),
        cmocka_unit_test(every_row_has_a_name_of_its_own),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_long_words),
        cmocka_unit_test(factors_are_exponentials),
        cmocka_unit_test(agrees_with_all_labellings),
        cmocka_unit_test(shares_are_slopes),
        cmocka_unit_test(weights_decide),
        cmocka_unit_test(shipped_weights_know_plain_cases),
        cmocka_unit_test(rows_are_there),
        cmocka_unit_test(memory_has_no_opinion),
        cmocka_unit_test(hostile_text_comes_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
