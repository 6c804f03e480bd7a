/*
 * test_loss.c - losses of small tables, worked out by hand.
 */
#include "loss.h"

/* ---- information ---- */

static void test_identity(void **state)
{
    (void)state;
    static const char TABLE[] = "sex,age,zip\nf,20,02138\nm,30,02139\nf,40,02138\nm,50,\n";
    tacit_loss *loss = loss_of(TABLE, TABLE, NULL);
    assert_int_equal(loss->attribute_count, 3);
    assert_false(loss->attributes[0].numeric);
    assert_true(loss->attributes[1].numeric);
    assert_false(loss->attributes[2].numeric); /* padded: a code */
    for (int i = 0; i < 3; i++) {
        assert_near(loss->attributes[i].lost, 0);
        assert_near(loss->attributes[i].margin_change, 0);
        assert_near(loss->attributes[i].information, loss->attributes[i].entropy_original);
    }
    assert_near(loss->attributes[0].entropy_original, 1);
    assert_near(loss->attributes[2].entropy_original, 1.5); /* missing is a category */
    assert_near(loss->lost, 0);
    assert_near(loss->intact, 1);
    assert_near(loss->joint_original, 2);
    assert_near(loss->joint_release, 2);
    assert_near(loss->il1s, 0);
    assert_near(loss->attributes[1].il1s, 0);
    assert_near(loss->attributes[1].rank_change, 0);
    assert_near(loss->attributes[1].mean_change, 0);
    assert_near(loss->attributes[1].variance_change, 0);
    assert_near(loss->cell.change, 0);
    assert_near(loss->variation.change, 0);
    assert_int_equal(loss->pairs, 3);
    assert_near(loss->pmse, 0);
    assert_near(loss->pmse_share, 0);
    tacit_loss_free(loss);
}

static void test_suppressed(void **state)
{
    (void)state;
    tacit_loss *loss =
        loss_of("sex,age\nf,20\nm,30\nf,40\nm,50\n", "sex,age\n*,*\n*,*\n*,*\n*,*\n", NULL);
    assert_near(loss->lost, 1);
    assert_near(loss->attributes[0].lost, 1);
    assert_near(loss->attributes[1].lost, 1);
    assert_near(loss->attributes[0].entropy_release, 0);
    assert_near(loss->attributes[0].margin_change, 1);
    assert_near(loss->variation.change, 1);
    assert_near(loss->cell.change, 1);
    assert_near(loss->intact, 0);
    assert_int_equal(loss->attributes[1].compared, 0);
    assert_int_equal(loss->attributes[1].no_numbers, 4);
    assert_true(isnan(loss->attributes[1].il1s));
    assert_true(isnan(loss->attributes[1].rank_change));
    assert_true(isnan(loss->il1s));
    assert_true(isnan(loss->eigen_first));
    assert_true(loss->pmse_share > 0.5 && loss->pmse_share <= 1);
    tacit_loss_free(loss);
}

/* Two of four values of a half and half attribute are starred: 1 bit becomes 1/2. */
static void test_half_suppressed(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("sex\nf\nf\nm\nm\n", "sex\nf\n*\nm\n*\n", NULL);
    assert_near(loss->attributes[0].information, 0.5);
    assert_near(loss->attributes[0].lost, 0.5);
    assert_near(loss->attributes[0].entropy_release, 1.5);
    assert_near(loss->intact, 0.5);
    tacit_loss_free(loss);
}

/* Eight places, two bits of three generalized away. What a label stands for is counted. */
static void test_generalized(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("zip\na1\na2\na3\na4\nb1\nb2\nb3\nb4\n",
                               "zip\na*\na*\na*\na*\nb*\nb*\nb*\nb*\n", NULL);
    assert_true(loss->attributes[0].read_as_claims);
    assert_near(loss->attributes[0].entropy_original, 3);
    assert_near(loss->attributes[0].information, 1);
    assert_near(loss->attributes[0].lost, 2.0 / 3);
    tacit_loss_free(loss);
}

/* Every name goes to somebody else: counting would find every bit, reading finds next to none.
 * All claims are false, so the originals are any of the seven others. */
static void test_swapped_names(void **state)
{
    (void)state;
    tacit_loss *loss =
        loss_of("name\na\nb\nc\nd\ne\nf\ng\nh\n", "name\nb\nc\nd\ne\nf\ng\nh\na\n", NULL);
    assert_near(loss->attributes[0].information, 3 - log2(7));
    assert_near(loss->attributes[0].margin_change, 0);
    tacit_loss_free(loss);
}

/* Half of the claims are true. What is left to say is 1 bit for which half, and for the false ones
 * which of three others: they are told from among those that are false. */
static void test_half_swapped_names(void **state)
{
    (void)state;
    tacit_loss *loss =
        loss_of("name\na\nb\nc\nd\ne\nf\ng\nh\n", "name\na\nb\nc\nd\nf\ng\nh\ne\n", NULL);
    assert_near(loss->attributes[0].information, 3 - (1 + 0.5 * log2(3)));
    tacit_loss_free(loss);
}

static void test_opaque_and_dropped(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a", "b", "n"}, *const OPAQUE[] = {"a", "n"};
    tacit_loss_options options;
    tacit_loss_case c = {loss_table("a,b,n\nx,1,5\ny,1,6\nx,2,7\ny,2,8\n"),
                         loss_table("a,n\nq,7\nr,7\nq,7\nr,7\n"),
                         NULL,
                         NULL,
                         {NULL, NULL}};
    tacit_loss_options_init(&options);
    options.columns = NAMES;
    options.column_count = 3;
    options.opaque = OPAQUE;
    options.opaque_count = 2;
    tacit_loss *loss = loss_of_case(&c, &options, 1);
    assert_int_equal(loss->attribute_count, 3);
    assert_true(loss->attributes[0].opaque && loss->attributes[1].dropped);
    for (int i = 0; i < 3; i++) {
        assert_near(loss->attributes[i].entropy_original, 1);
        assert_near(loss->attributes[i].information, 0);
        assert_near(loss->attributes[i].lost, 1);
        assert_int_equal(loss->attributes[i].bar_count, 0);
        assert_true(isnan(loss->attributes[i].il1s));
    }
    assert_near(loss->attributes[0].entropy_release, 1);
    assert_near(loss->attributes[0].margin_change, 1);
    assert_true(isnan(loss->attributes[1].margin_change));
    assert_int_equal(loss->pairs, 0);
    assert_int_equal(loss->cell.first, -1);
    assert_true(isnan(loss->intact));
    tacit_loss_free(loss);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
}

/* Half of the rows are released: half of the bits. Then as many are made up beside the whole. */
static void test_tuples(void **state)
{
    (void)state;
    static const uint32_t SAMPLE[] = {3, 0};
    static const uint32_t ADDED[] = {
        0, 1, 2, 3, TACIT_LOSS_MADE_UP, TACIT_LOSS_MADE_UP, TACIT_LOSS_MADE_UP, TACIT_LOSS_MADE_UP};
    tacit_loss *loss = loss_of("sex\nf\nf\nm\nm\n", "sex\nm\nf\n", SAMPLE);
    assert_int_equal(loss->released, 2);
    assert_near(loss->attributes[0].information, 0.5);
    assert_near(loss->intact, 0.5);
    tacit_loss_free(loss);
    loss = loss_of("sex\nf\nf\nm\nm\n", "sex\nf\nf\nm\nm\nf\nf\nm\nm\n", ADDED);
    assert_int_equal(loss->made_up, 4);
    assert_near(loss->attributes[0].information, 0.5);
    assert_near(loss->attributes[0].margin_change, 0);
    assert_near(loss->intact, 1);
    tacit_loss_free(loss);
}

/* ---- numbers ---- */

/* sd of 1, 2, 3, 4 is sqrt(5/3). Distances 1, 0, 0, 1; ranks of 2, 2, 3, 5 are 1.5, 1.5, 3, 4. */
static void test_numbers(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("x\n1\n2\n3\n4\n", "x\n2\n2.0\n3\n5\n", NULL);
    const tacit_loss_attribute *a = &loss->attributes[0];
    double sd = sqrt(5.0 / 3);
    assert_int_equal(a->compared, 4);
    assert_near(a->il1s, 0.5 / (sqrt(2) * sd));
    assert_near(loss->il1s, a->il1s);
    assert_near(a->mean_change, 0.2);
    assert_near(a->mean_shift, 0.5 / sd);
    assert_near(a->variance_change, 2.0 / (5.0 / 3) - 1);
    assert_near(a->rank_change, (0.5 + 0.5) / 16);
    assert_true(isnan(a->correlation_change)); /* with none other */
    tacit_loss_free(loss);
}

/* Labels among numbers: what is left is compared, and the rest counted. */
static void test_labels_among_numbers(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("x\n1\n2\n\n4\n", "x\n1\n0-9\n3\n\n", NULL);
    const tacit_loss_attribute *a = &loss->attributes[0];
    assert_int_equal(a->compared, 1);
    assert_int_equal(a->no_numbers, 2);
    assert_near(a->il1s, 0);
    assert_near(a->mean_change, 2 / (7.0 / 3) - 1);
    tacit_loss_free(loss);
    loss = loss_of("x\n1\n2\nNaN\n4\n", "x\n1\n2\n3\n4\n", NULL);
    assert_false(loss->attributes[0].numeric);
    tacit_loss_free(loss);
    loss = loss_of("x\n1\n2\ninf\n4\n", "x\n1\n2\n3\n4\n", NULL);
    assert_false(loss->attributes[0].numeric);
    tacit_loss_free(loss);
}

/* y = x becomes y = -x: r from 1 to -1, eigenvalues 2 and 0 both times. */
static void test_correlations(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("x,y\n1,1\n2,2\n3,3\n4,4\n", "x,y\n1,4\n2,3\n3,2\n4,1\n", NULL);
    assert_int_equal(loss->correlated, 2);
    assert_near(loss->correlation_change, 2);
    assert_near(loss->covariance_change, 2);
    assert_near(loss->attributes[0].correlation_change, 2);
    assert_near(loss->eigen_first, 0);
    tacit_loss_free(loss);
    /* Independent in the release: eigenvalues 2, 0 become 1, 1. */
    loss = loss_of("x,y\n1,1\n2,2\n1,1\n2,2\n", "x,y\n1,1\n2,1\n1,2\n2,2\n", NULL);
    assert_near(loss->correlation_change, 1);
    assert_near(loss->eigen_first, 0.5);
    assert_near(loss->eigen_all, 0.5);
    tacit_loss_free(loss);
    /* A constant in the original has no part; one that the release makes correlates with nothing */
    loss =
        loss_of("x,y,c\n1,1,7\n2,2,7\n1,1,7\n2,2,7\n", "x,y,c\n1,3,7\n2,3,7\n1,3,8\n2,3,7\n", NULL);
    assert_int_equal(loss->correlated, 2);
    assert_near(loss->correlation_change, 1);
    assert_near(loss->attributes[1].variance_change, -1);
    assert_true(isnan(loss->attributes[2].il1s));
    assert_true(isnan(loss->attributes[2].variance_change));
    tacit_loss_free(loss);
}

/* A weighted row counts as often as it weighs. */
static void test_weights(void **state)
{
    (void)state;
    static const uint32_t ORIGIN[] = {0, 2};
    static const double WEIGHTS[] = {3, 1};
    tacit_loss_options options;
    tacit_loss_case c = {loss_table("s,x\nf,1\nf,1\nm,5\nf,1\n"),
                         loss_table("s,x\nf,1\nm,5\n"),
                         ORIGIN,
                         WEIGHTS,
                         {NULL, NULL}};
    tacit_loss_options_init(&options);
    tacit_loss *loss = loss_of_case(&c, &options, 1);
    assert_near(loss->attributes[0].margin_change, 0);
    assert_near(loss->attributes[0].entropy_release, loss->attributes[0].entropy_original);
    assert_near(loss->attributes[1].mean_change, 0);
    assert_near(loss->variation.change, 0);
    assert_near(loss->joint_release, loss->joint_original);
    assert_near(loss->pmse, 0);
    tacit_loss_free(loss);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
}

/* ---- margins ---- */

/* Each margin of one attribute is kept, that of the two becomes the opposite: every cell has
 * changed by a half, and no share is where it was. */
static void test_margins(void **state)
{
    (void)state;
    tacit_loss *loss = loss_of("a,b,c\n1x,u,k\n1x,u,k\n2x,v,k\n2x,v,k\n",
                               "a,b,c\n1x,v,k\n1x,v,k\n2x,u,k\n2x,u,k\n", NULL);
    assert_int_equal(loss->pairs, 3);
    assert_int_equal(loss->cell.first, 0);
    assert_int_equal(loss->cell.second, 1);
    assert_near(loss->cell.change, 0.5);
    assert_int_equal(loss->variation.first, 0);
    assert_int_equal(loss->variation.second, 1);
    assert_near(loss->variation.change, 1);
    assert_near(loss->attributes[0].margin_change, 0);
    assert_near(loss->pmse, 0); /* main effects do not show it */
    tacit_loss_free(loss);
}

/* ---- the discriminator ---- */

/* One binary attribute: the fit gives each value's share of released rows, but for the ridge. f: 30
 * before, 10 after; m: 10 before, 30 after. p is 1/4 or 3/4, so pMSE is 1/16. */
static void test_discriminator(void **state)
{
    (void)state;
    char before[512] = "s\n", after[512] = "s\n";
    for (int i = 0; i < 40; i++) {
        strcat(before, i < 30 ? "f\n" : "m\n");
        strcat(after, i < 10 ? "f\n" : "m\n");
    }
    tacit_loss *loss = loss_of(before, after, NULL);
    assert_int_equal(loss->fit_terms, 2);
    assert_int_equal(loss->fit_rows, 80);
    assert_false(loss->fit_sampled);
    assert_true(fabs(loss->pmse - 1 / 16.0) < 0.0005);
    assert_near(loss->pmse_share, loss->pmse * 4);
    assert_near(loss->pmse_expected, 0.125 / 80);
    assert_near(loss->pmse_ratio, loss->pmse / loss->pmse_expected);
    tacit_loss_free(loss);
}

/* ---- edges ---- */

static void test_edges(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"a,x\n", "a,x\n"},
        {"a,x\nf,1\n", "a,x\nf,1\n"},
        {"a,x\nf,1\n", "a,x\n*,*\n"},
        {"a,x\n,\n,\n", "a,x\n,\n,\n"},
        {"a,x\nf,\nf,\n", "a,x\n,1\n,2\n"},
        {"a,x\nf,7\nf,7\n", "a,x\nf,7\nf,7\n"},
        {"a,x\nf,7\nf,7\n", "a,x\nf,8\nf,9\n"},
        {"a,x\nf,1e308\nf,-1e308\n", "a,x\nf,-1e308\nf,1e308\n"},
        {"a,x\nf,1e-310\nf,2e-310\n", "a,x\nf,1e-310\nf,0\n"},
        {"a,x\nf,-0\nf,0\n", "a,x\nf,0\nf,-0\n"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit_loss *loss = loss_of(CASES[i][0], CASES[i][1], NULL);
        assert_int_equal(loss->attribute_count, 2);
        for (int a = 0; a < 2; a++)
            assert_true(loss->attributes[a].lost >= 0 && loss->attributes[a].lost <= 1);
        assert_true(loss->lost >= 0 && loss->lost <= 1);
        tacit_loss_free(loss);
    }
    static const uint32_t NONE[1] = {0};
    tacit_loss *loss = loss_of("a,x\nf,1\nm,2\n", "a,x\n", NONE);
    assert_near(loss->lost, 1);
    assert_near(loss->intact, 0);
    assert_true(isnan(loss->pmse));
    tacit_loss_free(loss);
    static const uint32_t MADE_UP[1] = {TACIT_LOSS_MADE_UP};
    loss = loss_of("a,x\n", "a,x\nf,1\n", MADE_UP);
    assert_near(loss->lost, 0); /* there was nothing to lose */
    tacit_loss_free(loss);
    loss = loss_of("a\nx\n", "b\nx\n", NULL);
    assert_int_equal(loss->attribute_count, 0);
    tacit_loss_free(loss);
    tacit_loss_free(NULL);
}

static void assert_refused(const tacit_loss_case *c, const tacit_loss_options *options,
                           const char *words)
{
    tacit_error err = {0};
    tacit_loss *loss = NULL;
    assert_int_equal(tacit_loss_measure(&loss, c, options, NULL, &err), TACIT_INVALID);
    assert_null(loss);
    assert_non_null(strstr(err.message, words));
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const UNKNOWN[] = {"nix"};
    static const uint32_t BEYOND[] = {0, 3};
    static const double WEIGHTS[] = {1, NAN}, HUGE[] = {1e308, 1e308};
    tacit_loss_case c = {
        loss_table("a\nx\ny\nz\n"), loss_table("a\nx\ny\n"), NULL, NULL, {NULL, NULL}};
    tacit_loss_options options;
    tacit_loss_options_init(&options);
    assert_refused(&c, &options, "2 rows and the original 3");
    c.origin = BEYOND;
    assert_refused(&c, &options, "row 2 of the release");
    static const uint32_t ORIGIN[] = {0, 2};
    c.origin = ORIGIN;
    c.weights = WEIGHTS;
    assert_refused(&c, &options, "no proper weight");
    c.weights = HUGE;
    assert_refused(&c, &options, "too large");
    c.weights = NULL;
    options.columns = UNKNOWN;
    options.column_count = 1;
    assert_refused(&c, &options, "no column 'nix'");
    options.column_count = 0;
    options.bins = 1;
    assert_refused(&c, &options, "2 to 256 bins");
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
}

/* b follows from a, of four values; c halves are its own. Released, a is in two groups. */
static void test_told(void **state)
{
    (void)state;
    char before[512] = "a,b,c\n", after[512] = "a,b,c\n";
    for (int i = 0; i < 32; i++) {
        sprintf(before + strlen(before), "%c,%c,%c\n", 'w' + i % 4, "pq"[i % 2], "uv"[i / 4 % 2]);
        sprintf(after + strlen(after), "%s,%c,%c\n", i % 4 < 2 ? "wx" : "yz", "pq"[i % 2],
                "uv"[i / 4 % 2]);
    }
    tacit_loss *loss = loss_of(before, after, NULL);
    assert_int_equal(loss->pairs, 3);
    assert_near(loss->two_way[0].told_before, 1); /* the bit of b */
    assert_near(loss->two_way[0].told_after, 0);
    assert_near(loss->two_way[1].told_before, 0);
    assert_near(loss->two_way[2].told_before, 0);
    assert_near(loss->two_way[0].variation, 1);
    assert_near(loss->two_way[2].variation, 0);
    tacit_loss_free(loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_suppressed),
        cmocka_unit_test(test_half_suppressed),
        cmocka_unit_test(test_generalized),
        cmocka_unit_test(test_swapped_names),
        cmocka_unit_test(test_half_swapped_names),
        cmocka_unit_test(test_opaque_and_dropped),
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_labels_among_numbers),
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_margins),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_discriminator),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
