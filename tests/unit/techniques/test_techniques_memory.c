/*
 * test_techniques_memory.c - techniques with every allocation failed in turn.
 */
#include "starve.h"

#include "masking.h"

typedef struct hunger {
    const tacit_table *table;
    masking_steps *steps;
    int fd;
} hunger;

static tacit_status attempt(void *context, tacit_error *err)
{
    hunger *h = context;
    tacit_masking *masking = STARVE_UNTOUCHED;
    tacit_masked *masked = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_masking_new(&masking, h->steps->steps, h->steps->count, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(masking, STARVE_UNTOUCHED);
        return status;
    }
    status = tacit_masking_apply(&masked, masking, h->table, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(masked, STARVE_UNTOUCHED);
    else
        status = tacit_masked_write(h->fd, "masked", NULL, masked, &run, err);
    if (masked != STARVE_UNTOUCHED)
        tacit_masked_free(masked);
    tacit_masking_free(masking);
    return status;
}

#define MATRIX TACIT_SOURCE_DIR "/tests/fuzz/corpus/pram/square"

/* One line for each technique, on this table. */
static const char CSV[] = "id,a,b,c\n1,10,3.5,x\n2,12,4.5,y\n3,9,,x\n4,30,1.5,y\n5,11,2.5,x\n"
                          "6,14,2.0,y\n7,8,3.0,\n8,9,7.5,x\n9,13,,x\n10,12,4.0,y\n";
static const char *const STEPS[] = {
    "round columns=a,b base=5\nround columns=b base=2 way=random",
    "noise columns=a,b size=0.5",
    "noise columns=a,b size=0.5 way=correlated",
    "noise columns=a size=0.5 way=kept",
    "swap columns=a,b share=0.9 within=c\nswap columns=a,b unit=true",
    "rank-swap columns=a,b percent=50 within=c\nrank-swap columns=c percent=50 order=x,y",
    "top-code columns=a,b share=0.4 by=median\nbottom-code columns=a at=10",
    "record-swap columns=c match=a share=0.5\nrecord-swap columns=c keep=b household=id share=1",
    "record-swap columns=c,b levels=true keep=a least=0 match=a rate=0.9 carry=id",
    "substitute columns=a within=c another=true\nsubstitute columns=c draw=uniform "
    "classes=" TACIT_SOURCE_DIR "/tests/data/techniques/classes.csv",
    "microaggregate columns=a k=2 within=c few=keep\nmicroaggregate columns=a,b k=2 few=keep",
    "microaggregate columns=a,b k=3 way=univariate aggregate=median few=keep",
    "pram columns=a,c keep=0.5 within=b\npram columns=c keep=0.5 way=invariant",
    "pram columns=c keep=0.2 way=exact",
    "pram columns=c way=invariant matrix=" MATRIX "\npram columns=c matrix=" MATRIX,
    "pram columns=c way=exact matrix=" MATRIX,
    "sample share=0.7 by=c write=w\nscramble",
    "add columns=c,a joint=c,b rows=11 blank=id",
    "perturb columns=a,b size=2 within=c\nperturb columns=a size=0.5 in=deviations share=0.5",
    "outliers columns=a,b rule=mad within=c\noutliers columns=c values=categories least=2",
    "encrypt columns=a,c\nencrypt columns=b,c way=each missing=encrypt",
    "pseudonym columns=a,c",
    "synthesize columns=c,a given=b k=2\nsynthesize columns=b,c k=2 leaf=3 replicates=keep",
};

static void test_all(void **state)
{
    (void)state;
    tacit_table *table = masking_table(CSV);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        masking_steps steps;
        masking_parse(&steps, STEPS[i]);
        hunger h = {table, &steps, memfd_create("masked", 0)};
        starve(attempt, &h);
        close(h.fd);
        free(steps.text);
    }
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
