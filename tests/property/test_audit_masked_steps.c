/*
 * test_audit_masked_steps.c - what techniques claim, judged: random tables masked by steps of each
 * kind and several after one another keep every claim that is left in the end; and a cell changed
 * behind the steps' back is found.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "masking.h"

#include <math.h>
#include <tacit/experimental/audit_masked.h>

#include "random_cases.h"

enum { CASES = 30, MAX_ROWS = 120, MAX_NAMES = 64, ROW_BYTES = 96 };

/* On tables with columns id, a (whole numbers), b (decimals), c (a few values), g (two groups). */
static const char *const STEPS[] = {
    "round columns=a,b base=5",
    "round columns=b base=0.3 way=random",
    "round columns=a base=0.7 decimals=0\nround columns=a base=2 way=random",
    "noise columns=a,b size=0.5",
    "noise columns=a,b size=0.5 way=correlated",
    "noise columns=a,b size=0.5 way=kept",
    "noise columns=a,b size=3 range=sign distribution=laplace",
    "noise columns=b size=3 range=keep decimals=1",
    "top-code columns=a,b share=0.1\nbottom-code columns=a share=0.2 by=mean least=1",
    "top-code columns=a at=45.5 by=median least=1\nbottom-code columns=b at=3.125 decimals=0",
    "pram columns=a,c keep=0.5",
    "pram columns=a,c keep=0.3 way=invariant within=g",
    "pram columns=a,c keep=0.3 way=exact within=g\npram columns=c keep=0.5 way=exact within=g",
    "encrypt columns=a,c",
    "round columns=b base=1\nencrypt columns=b way=each missing=encrypt",
    "pseudonym columns=b,c\npram columns=b keep=0.5",
    "swap columns=a,b share=0.9 within=c",
    "swap columns=a,b,c unit=true",
    "swap columns=a,b unit=true within=g\nround columns=b base=0.5",
    "rank-swap columns=a,b percent=50 within=c",
    "record-swap columns=c match=g share=0.5",
    "record-swap columns=a,c keep=g share=1",
    "record-swap columns=g,c levels=true household=id keep=a,b least=0 match=a rate=0.5",
    "microaggregate columns=a,b k=3 few=keep",
    "microaggregate columns=a k=3 within=g few=keep\nswap columns=b share=1",
    "top-code columns=a,b share=0.2\nbottom-code columns=a at=10",
    "top-code columns=b share=0.4 by=median decimals=0",
    "substitute columns=a within=c",
    "pram columns=c keep=0.5 way=invariant",
    "pram columns=c keep=0.2 way=exact within=g",
    "sample share=0.7 by=c write=w\nscramble",
    "swap columns=a\nadd columns=c,a joint=c,g rows=11 blank=id",
    "perturb columns=a,b size=2 within=g",
    "perturb columns=b size=0.5 in=deviations share=0.5 within=c\nscramble",
    "outliers columns=a,b rule=mad within=g",
    "outliers columns=c values=categories least=3",
    "synthesize columns=g,c,a,b k=2 replicates=keep",
    "synthesize columns=g,c,a,b k=3 leaf=6",
    "synthesize columns=a,c given=g,b k=2",
    "scramble\nsynthesize columns=c,g,a k=4\nround columns=b base=5",
    "round columns=a base=5\nround columns=a base=3\nnoise columns=b size=0.1\nswap columns=c "
    "within=g",
};

/* Row by row, into csv. */
static void make_table(char *csv, uint64_t seed, bool gaps)
{
    uint64_t x = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    int rows = 20 + (int)(seed * 37 % (MAX_ROWS - 20));
    char *at = csv + sprintf(csv, "id,a,b,c,g\n");
    for (int i = 0; i < rows; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        unsigned r = (unsigned)(x >> 33);
        at += sprintf(at, "\"i%d\",", i);
        at += gaps && r % 11 == 0 ? sprintf(at, ",") : sprintf(at, "%u,", r / 11 % 90);
        at += gaps && r % 13 == 0 ? sprintf(at, ",") : sprintf(at, "%u.%02u,", r % 50, r / 7 % 100);
        at += sprintf(at, "%c,%c\n", 'u' + (char)(r / 100 % 3), 'p' + (char)(r / 1000 % 2));
    }
}

/* A masking, its table and what the judge is to know of them. */
typedef struct release {
    masking_steps *steps;
    tacit_masking *masking;
    tacit_masked *masked;
    tacit_table *original;
    const char *touched[MAX_NAMES], *written[MAX_NAMES];
    tacit_masked_case c;
} release;

static void add_columns(release *r)
{
    for (size_t step = 0; step < tacit_masking_steps(r->masking); step++) {
        const char *const *names;
        size_t count = tacit_masking_columns(r->masking, step, &names);
        for (size_t i = 0; i < count; i++)
            r->touched[r->c.touched_count++] = names[i];
        if (tacit_masking_technique(r->masking, step)->features & TACIT_TECHNIQUE_OF_TUPLES)
            r->c.rows_changed = true;
    }
    r->c.touched = r->touched;
    r->c.filled = r->c.rows_changed;
    for (size_t i = 0; i < r->steps->count; i++)
        for (size_t j = 0; j < r->steps->steps[i].setting_count; j++)
            if (strcmp(r->steps->settings[i][j].name, "write") == 0)
                r->written[r->c.written_count++] = r->steps->settings[i][j].values[0];
    r->c.written = r->written;
}

static void release_init(release *r, const char *csv, const char *lines, uint64_t seed)
{
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = 1 + (int)(seed % 3);
    *r = (release){.steps = malloc(sizeof *r->steps), .original = masking_table(csv)};
    masking_parse(r->steps, lines);
    if (tacit_masking_new(&r->masking, r->steps->steps, r->steps->count, &err) != TACIT_OK ||
        tacit_masking_apply(&r->masked, r->masking, r->original, &run, &err) != TACIT_OK)
        fail_msg("%s: %s", lines, err.message);
    r->c.original = r->original;
    r->c.origin = tacit_masked_origin(r->masked);
    r->c.kept_count = tacit_masked_kept(r->masked, &r->c.kept);
    add_columns(r);
}

static void release_clear(release *r)
{
    tacit_masked_free(r->masked);
    tacit_masking_free(r->masking);
    tacit_table_free(r->original);
    free(r->steps->text);
    free(r->steps);
}

static tacit_masked_verdict *judge(release *r, const char *text)
{
    tacit_masked_verdict *verdict = NULL;
    tacit_error err = {0};
    tacit_table *masked = masking_table(text);
    r->c.masked = masked;
    if (tacit_audit_masked(&verdict, &r->c, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(masked);
    return verdict;
}

static void judge_honest(release *r, const char *text, const char *lines)
{
    tacit_masked_verdict *verdict = judge(r, text);
    if (!verdict->holds) {
        const tacit_masked_finding *f = &verdict->findings[0];
        fail_msg("%s: column %s: %s (%.17g, %.17g, row %lld)", lines, f->column ? f->column : "-",
                 f->what, f->measured, f->allowed, (long long)f->row);
    }
    tacit_masked_verdict_free(verdict);
}

/* The name in a row is nobody's to change. */
static void judge_tampered(release *r, char *text)
{
    char *last = NULL;
    for (char *at = text; (at = strstr(at, "\"i")); at++)
        last = at;
    last[1] = 'j';
    tacit_masked_verdict *verdict = judge(r, text);
    assert_false(verdict->holds);
    assert_int_equal(verdict->findings[0].kind, TACIT_MASKED_BYTES);
    assert_string_equal(verdict->findings[0].column, "id");
    tacit_masked_verdict_free(verdict);
}

static void test_steps(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    char *csv = malloc((MAX_ROWS + 1) * ROW_BYTES);
    for (*seed = 1; *seed <= cases; ++*seed)
        for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
            release r;
            make_table(csv, *seed, *seed % 2);
            release_init(&r, csv, STEPS[i], *seed);
            char *text = masking_text(r.masked, 1);
            judge_honest(&r, text, STEPS[i]);
            judge_tampered(&r, text);
            free(text);
            release_clear(&r);
        }
    free(csv);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {random_test(test_steps, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
