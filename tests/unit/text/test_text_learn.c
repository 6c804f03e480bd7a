/*
 * test_text_learn.c - a training session: what becomes of templates, threshold and words, what
 * it says of a collection, and what it refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/learn.h"
#include "text/learn/learn.h"

static tacit_learned *learn(const learn_toy *toy, int threads)
{
    tacit_learned *learned = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_scrub_learn(&learned, toy->documents, toy->count, &toy->options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return learned;
}

/* A template that is always wrong loses its say, one that is always right gets it. */
static void likelihoods(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    tacit_learned *learned = learn(&toy, 1);
    assert_int_equal(learned->held_out, 10);
    assert_int_equal(learned->learning, 30);
    assert_int_equal(learned->before.personal, 20); /* "zq" and the number */
    assert_int_equal(learned->before.both, 0);
    assert_int_equal(learned->before.found, 20); /* "po" and the number */
    assert_int_equal(learned->after.both, 20);
    assert_int_equal(learned->after.found, 20);
    assert_false(learned->worse);
    const tacit_learn_template *order = learn_template(learned, "po_ddddd");
    assert_int_equal(order->matches, 40);
    assert_int_equal(order->decided, 30);
    assert_int_equal(order->right, 0);
    assert_int_equal(order->before, 80);
    assert_int_equal(order->after, 20); /* (10 * 80 + 0) / (10 + 30) */
    const tacit_learn_template *token = learn_template(learned, "zq-dddd");
    assert_int_equal(token->right, 30);
    assert_int_equal(token->after, 83); /* (10 * 30 + 30 * 100) / 40 = 82.5 */
    const tacit_learn_template *unused = learn_template(learned, "never_was_here");
    assert_int_equal(unused->matches, 0);
    assert_int_equal(unused->after, 70);
    tacit_learned_free(learned);
}

static void labels(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    for (size_t i = 0; i < 20; i++)
        toy.marks[i].label = tacit_strview_of("ANOTHER");
    tacit_learned *learned = learn(&toy, 2);
    assert_int_equal(learned->label_count, 2);
    assert_string_equal(learned->labels[0].label, "ANOTHER");
    assert_int_equal(learned->labels[0].marks, 20);
    uint64_t personal = 0;
    for (size_t i = 0; i < 2; i++) {
        personal += learned->labels[i].personal;
        assert_int_equal(learned->labels[i].before, 0);
        assert_int_equal(learned->labels[i].after, learned->labels[i].personal);
    }
    assert_int_equal(personal, learned->before.personal);
    tacit_learned_free(learned);
}

/* Scrubbing with what was learned finds what the session says it does. */
static void is_used(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    tacit_learned *learned = learn(&toy, 1);
    tacit_scrub_options options = toy.options.scrub;
    options.weights = (tacit_strview){learned->text, learned->len};
    tacit_scrubber *scrubber = NULL;
    tacit_scrub_reader *reader = NULL;
    tacit_scrubbed scrubbed;
    size_t consumed;
    assert_int_equal(tacit_scrubber_new(&scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrubber_threshold(scrubber), learned->threshold);
    assert_int_equal(tacit_scrub_reader_new(&reader, scrubber, NULL), TACIT_OK);
    assert_int_equal(
        tacit_scrub_piece(&scrubbed, &consumed, reader, toy.documents[0].text, true, NULL),
        TACIT_OK);
    assert_int_equal(scrubbed.span_count, 1);
    assert_int_equal(scrubbed.spans[0].start, toy.marks[0].start);
    assert_int_equal(scrubbed.spans[0].end, toy.marks[0].end);
    assert_int_equal(scrubbed.spans[0].likelihood, 83);
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
    tacit_learned_free(learned);
}

/* A second session goes on from what the first one learned. */
static void goes_on(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    tacit_learned *first = learn(&toy, 1);
    toy.options.scrub.weights = (tacit_strview){first->text, first->len};
    tacit_learned *second = learn(&toy, 1);
    assert_int_equal(second->before.both, first->after.both);
    assert_int_equal(second->before.found, first->after.found);
    assert_int_equal(learn_template(second, "po_ddddd")->before, 20);
    assert_int_equal(learn_template(second, "po_ddddd")->after, 5);
    assert_int_equal(second->threshold_before, first->threshold);
    tacit_learned_free(first);
    tacit_learned_free(second);
}

/* The order of the documents and the number of threads change nothing. */
static void same_result(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 48);
    tacit_learned *one = learn(&toy, 1);
    for (size_t i = 0; i < toy.count / 2; i++) {
        tacit_text_marked swap = toy.documents[i];
        toy.documents[i] = toy.documents[toy.count - 1 - i];
        toy.documents[toy.count - 1 - i] = swap;
    }
    tacit_learned *other = learn(&toy, 4);
    assert_int_equal(one->len, other->len);
    assert_memory_equal(one->text, other->text, one->len);
    assert_memory_equal(&one->before, &other->before, sizeof one->before);
    assert_memory_equal(&one->after, &other->after, sizeof one->after);
    tacit_learned_free(one);
    tacit_learned_free(other);
}

/* A threshold that the caller has set stays. */
static void keeps_threshold(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    toy.options.scrub.threshold = 90;
    tacit_learned *learned = learn(&toy, 1);
    assert_int_equal(learned->threshold_before, 90);
    assert_int_equal(learned->threshold, 90);
    assert_int_equal(learned->after.both, 0); /* 83 is not enough */
    tacit_learned_free(learned);
}

/* Where the threshold is what is wrong, another one is chosen: the prior is so strong that
 * likelihoods stay. */
static void chooses_threshold(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    toy.options.prior = 1e9;
    toy.options.precision = 0.4;
    tacit_learned *learned = learn(&toy, 1);
    assert_int_equal(learn_template(learned, "zq-dddd")->after, 30);
    assert_int_equal(learned->threshold, 30);
    assert_int_equal(learned->after.both, 20);
    tacit_learned_free(learned);
}

/* A shorter template within a longer one does not learn from what the longer one decides. */
static void only_where_it_decides(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 40);
    toy.options.scrub.templates =
        tacit_strview_of("reference 90 token_<zq-dddd>\nreference 40 zq\nreference 40 was");
    tacit_learned *learned = learn(&toy, 1);
    const tacit_learn_template *within = learn_template(learned, "zq");
    assert_int_equal(within->matches, 40);
    assert_int_equal(within->decided, 0);
    assert_int_equal(within->after, 40);
    assert_int_equal(learn_template(learned, "was")->decided, 60);
    assert_int_equal(learn_template(learned, "was")->after, 6);
    tacit_learned_free(learned);
}

/* Words that the shipped weights know nothing of are learned where they are marked. */
static void words(void **state)
{
    (void)state;
    static const char *const names[] = {"Quxor", "Blenvik", "Tarmond", "Osquil", "Wexham"};
    static learn_toy toy;
    learn_toy_fill(&toy, 60);
    for (size_t i = 0; i < toy.count; i++) {
        const char *name = names[i % 5];
        int len = snprintf(toy.texts[i], sizeof toy.texts[i],
                           "%s went up the hill %zu times and was glad", name, i);
        toy.documents[i].text.len = (size_t)len;
        toy.marks[i] = (tacit_text_mark){0, strlen(name), tacit_strview_of("NAME")};
    }
    tacit_learned *learned = learn(&toy, 1);
    assert_true(learned->after.both >= learned->before.both);
    assert_true(tacit_learn_recall(&learned->after) > 0.99);
    assert_int_equal(learned->casing.documents, 60);
    assert_int_equal(learned->casing.capitals, 0);
    tacit_learned_free(learned);
}

static void casing(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 20);
    for (size_t i = 0; i < toy.count; i++) {
        static const char *const forms[] = {"SMITH", "smith", "Smith", "S"};
        int len = snprintf(toy.texts[i], sizeof toy.texts[i], "%s, number %zu", forms[i % 4], i);
        toy.documents[i].text.len = (size_t)len;
        toy.marks[i] = (tacit_text_mark){0, strlen(forms[i % 4]), tacit_strview_of("person")};
    }
    tacit_learned *learned = learn(&toy, 1);
    assert_int_equal(learned->casing.documents, 15);
    assert_int_equal(learned->casing.capitals, 5);
    assert_int_equal(learned->casing.lower, 5);
    tacit_learned_free(learned);
}

static void goal(void **state)
{
    (void)state;
    static const struct {
        tacit_learn_score a, b;
        bool better;
    } cases[] = {
        /* both precise enough: more recall */
        {{.personal = 100, .found = 90, .both = 85},
         {.personal = 100, .found = 80, .both = 80},
         true},
        /* the same recall: more precision */
        {{.personal = 100, .found = 80, .both = 80},
         {.personal = 100, .found = 85, .both = 80},
         true},
        /* equal is not better */
        {{.personal = 100, .found = 80, .both = 80},
         {.personal = 100, .found = 80, .both = 80},
         false},
        /* finding nothing is no way to be precise, and finding everything none to find */
        {{.personal = 100, .found = 0, .both = 0},
         {.personal = 100, .found = 400, .both = 100},
         false},
        {{.personal = 100, .found = 90, .both = 82},
         {.personal = 100, .found = 400, .both = 100},
         true},
        /* a little too imprecise and much recall */
        {{.personal = 100, .found = 109, .both = 98},
         {.personal = 100, .found = 70, .both = 70},
         true},
        /* clean documents are touched: one in ten is no matter, half of them are */
        {{.personal = 100, .found = 90, .both = 90, .clean = 20, .touched = 2},
         {.personal = 100, .found = 85, .both = 85, .clean = 20},
         true},
        {{.personal = 100, .found = 90, .both = 90, .clean = 20, .touched = 10},
         {.personal = 100, .found = 85, .both = 85, .clean = 20},
         false},
        /* neither is precise enough */
        {{.personal = 100, .found = 100, .both = 80},
         {.personal = 100, .found = 100, .both = 70},
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tacit_learn_better(&cases[i].a, &cases[i].b, 0.9), cases[i].better);
    tacit_learn_score nothing = {0};
    assert_true(fabs(tacit_learn_recall(&nothing) - 1) < 1e-12);
    tacit_learn_score half = {.personal = 4, .found = 6, .both = 2};
    assert_true(fabs(tacit_learn_value(&half, 0.5) - 0.5 * (1 / 3.0) / 0.5) < 1e-12);
    assert_true(fabs(tacit_learn_value(&half, 0) - 0.5) < 1e-12);
}

/* Marks at random: what is learned from them is sometimes worse, and then it is said. */
static void worse(void **state)
{
    (void)state;
    static learn_toy toy;
    int worse = 0;
    for (size_t seed = 1; seed < 40; seed++) {
        learn_toy_fill(&toy, 16);
        toy.options.scrub.templates = tacit_strview_of("reference 60 zq-dddd");
        toy.options.scrub.threshold = TACIT_SCRUB_THRESHOLD; /* that stays */
        for (size_t i = 0; i < toy.count; i++)
            if ((i * i * seed + 3 * i + seed) % 7 < 4)
                toy.marks[i] = (tacit_text_mark){0, 5, tacit_strview_of("WORD")};
        tacit_learned *learned = NULL;
        if (tacit_scrub_learn(&learned, toy.documents, toy.count, &toy.options, NULL, NULL) !=
            TACIT_OK)
            continue;
        worse += learned->worse;
        assert_int_equal(learned->worse,
                         tacit_learn_better(&learned->before, &learned->after, 0.9));
        tacit_learned_free(learned);
    }
    assert_true(worse > 0);
}

/* Tokens are counted as the scorers of the field count them. */
static void tokens(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 8);
    for (size_t i = 0; i < toy.count; i++) {
        int len = snprintf(toy.texts[i], sizeof toy.texts[i],
                           "caf\xC3\xA9_%zu \xE2\x80\x9Ctwo\xE2\x80\x9D, "
                           "it's 1.5 -- _",
                           i);
        toy.documents[i].text.len = (size_t)len;
        toy.marks[i] = (tacit_text_mark){1, 2, tacit_strview_of("X")};
    }
    tacit_learned *learned = learn(&toy, 1);
    /* café_0 two it s 1 5 _ */
    assert_int_equal(learned->before.tokens, 7 * learned->held_out);
    assert_int_equal(learned->before.personal, learned->held_out);
    tacit_learned_free(learned);
}

/* A title is found where it is replaced, which it is not unless asked for. */
static void titles(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 8);
    for (size_t i = 0; i < toy.count; i++) {
        int len =
            snprintf(toy.texts[i], sizeof toy.texts[i], "Dear Dr. Long,\n%zu went well.\n", i);
        toy.documents[i].text.len = (size_t)len;
        toy.marks[i] = (tacit_text_mark){9, 13, tacit_strview_of("NAME")};
    }
    for (int replaced = 0; replaced < 2; replaced++) {
        toy.options.scrub.strategy[TACIT_TEXT_TITLE] =
            replaced ? TACIT_TEXT_SUPPRESS : TACIT_TEXT_KEEP;
        tacit_learned *learned = learn(&toy, 1);
        assert_int_equal(learned->before.both, learned->held_out);
        assert_int_equal(learned->before.found, (replaced ? 2 : 1) * learned->held_out);
        tacit_learned_free(learned);
    }
}

static void refuse(const learn_toy *toy, tacit_status expected, const char *why)
{
    tacit_learned *learned = NULL;
    tacit_error err = {0};
    assert_int_equal(
        tacit_scrub_learn(&learned, toy->documents, toy->count, &toy->options, NULL, &err),
        expected);
    assert_null(learned);
    if (!strstr(err.message, why))
        fail_msg("\"%s\" does not say \"%s\"", err.message, why);
}

static void refused(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, TACIT_LEARN_FEWEST - 1);
    refuse(&toy, TACIT_INVALID, "7 documents are too few");
    learn_toy_fill(&toy, 20);
    toy.marks[3].end = 1000;
    refuse(&toy, TACIT_INVALID, "document 4, mark 1");
    learn_toy_fill(&toy, 20);
    for (size_t i = 0; i < toy.count; i++)
        toy.documents[i].mark_count = 0;
    refuse(&toy, TACIT_INVALID, "nothing is marked");
    toy.documents[0].mark_count = 1;
    refuse(&toy, TACIT_INVALID, "part of the documents; mark more");
    learn_toy_fill(&toy, 20);
    for (size_t i = 0; i < toy.count; i++)
        toy.documents[i] = toy.documents[0];
    refuse(&toy, TACIT_INVALID, "the same text");
    learn_toy_fill(&toy, 20);
    toy.options.precision = 2;
    refuse(&toy, TACIT_INVALID, "precision");
    learn_toy_fill(&toy, 20);
    toy.options.prior = NAN;
    refuse(&toy, TACIT_INVALID, "prior");
    learn_toy_fill(&toy, 20);
    toy.options.scrub.weights = tacit_strview_of("nonsense");
    refuse(&toy, TACIT_PARSE, "tacit-learned 1");
}

static void too_many_labels(void **state)
{
    (void)state;
    static learn_toy toy;
    static char names[TACIT_LEARN_LABELS + 1][8];
    static tacit_text_mark marks[TACIT_LEARN_LABELS + 1];
    learn_toy_fill(&toy, 20);
    for (size_t i = 0; i <= TACIT_LEARN_LABELS; i++) {
        snprintf(names[i], sizeof names[i], "L%zu", i);
        marks[i] = (tacit_text_mark){0, 5, tacit_strview_of(names[i])};
    }
    toy.documents[5].marks = marks;
    toy.documents[5].mark_count = TACIT_LEARN_LABELS + 1;
    refuse(&toy, TACIT_LIMIT, "different labels");
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return --*(int *)payload > 0;
}

static void cancelled(void **state)
{
    (void)state;
    static learn_toy toy;
    learn_toy_fill(&toy, 20);
    for (int after = 1; after < 200; after += 7) {
        tacit_learned *learned = NULL;
        int left = after;
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        run.progress = stop;
        run.payload = &left;
        assert_int_equal(
            tacit_scrub_learn(&learned, toy.documents, toy.count, &toy.options, &run, NULL),
            TACIT_CANCELLED);
        assert_null(learned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihoods),
        cmocka_unit_test(labels),
        cmocka_unit_test(is_used),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(same_result),
        cmocka_unit_test(keeps_threshold),
        cmocka_unit_test(chooses_threshold),
        cmocka_unit_test(only_where_it_decides),
        cmocka_unit_test(words),
        cmocka_unit_test(casing),
        cmocka_unit_test(goal),
        cmocka_unit_test(worse),
        cmocka_unit_test(tokens),
        cmocka_unit_test(titles),
        cmocka_unit_test(refused),
        cmocka_unit_test(too_many_labels),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
