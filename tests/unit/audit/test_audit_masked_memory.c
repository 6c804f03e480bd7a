/*
 * test_audit_masked_memory.c - every allocation of the judge of masked tables failed in turn.
 */
#include "masked_case.h"

#include "starve.h"

typedef struct hunger {
    const masked_case *m;
    int threads;
} hunger;

static tacit_status attempt(void *context, tacit_error *err)
{
    const hunger *h = context;
    tacit_masked_verdict *verdict = STARVE_UNTOUCHED;
    tacit_run run = starve_run(h->threads);
    tacit_status status = tacit_audit_masked(&verdict, &h->m->c, &run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(verdict, STARVE_UNTOUCHED);
    } else {
        assert_int_equal(verdict->claim_count, h->m->c.kept_count);
        tacit_masked_verdict_free(verdict);
    }
    return status;
}

/* Every kind of claim, within a column and without, held and broken; cells with quotes in them,
 * which need room of their own; findings about header, rows and bytes. */
static void test_all(void **state)
{
    (void)state;
    static const char *const BEFORE =
        "a,b,g,c\n1,2.5,p,\"u\"\"v\"\n2,3.5,q,w\n,NA,p,x\n4,1e1,q,y\n";
    static const char *const AFTER =
        "a,b,g,d\n2,2.5,p,\"u\"\"v\"\n1,3.5,q,w\n,NA,r,x\n4,\"1\"\"1\",q,\"y\"\n";
    for (int broken = 0; broken < 2; broken++) {
        masked_case m;
        masked_case_init(&m, BEFORE, broken ? AFTER : BEFORE, "a,c", broken ? "e" : "");
        for (int kind = 0; kind < 10; kind++) {
            char line[64];
            snprintf(line, sizeof line, "%s columns=a,b amount=1 low=0 high=9%s",
                     MASKED_KINDS[kind], kind % 2 ? "" : " within=g");
            masked_claim(&m, line);
        }
        masked_claim(&m, "shares columns=c within=g,b amount=0.5");
        masked_claim(&m, "moments columns=b,a within=g amount=0.5");
        if (broken) {
            m.origin[2] = 9;
            m.origin[1] = UINT32_MAX;
            m.c.filled = true;
        }
        for (int threads = 1; threads <= 2; threads++)
            starve(attempt, &(hunger){&m, threads});
        masked_case_clear(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
