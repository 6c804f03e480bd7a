/*
 * audit_case.h - cases for the judge written down as text: the original and the
 * release as CSV, a promise made by a few setters, and the verdict asked for
 * what it found.
 */
#ifndef TACIT_TESTS_AUDIT_CASE_H
#define TACIT_TESTS_AUDIT_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/audit.h>

enum { CASE_MAX = 70 };

static const tacit_hierarchy_spec CASE_NONE = {.kind = TACIT_HIERARCHY_NONE};
static const tacit_hierarchy_spec CASE_MASK = {.kind = TACIT_HIERARCHY_MASK};

typedef struct audit_case {
    tacit_promise promise;
    tacit_promise_attribute attributes[CASE_MAX];
    tacit_promise_identifier identifiers[CASE_MAX];
    tacit_promise_model models[CASE_MAX];
    const char *original;   /* CSV; NULL: none */
    const char *population; /* the same */
    const char *release;
    const uint32_t *order;
    bool same_order;
    int threads;
    bool digested; /* tables with digests of what is carried along, as a release has them */
} audit_case;

static inline void case_attribute(audit_case *c, const char *name, const tacit_hierarchy_spec *spec)
{
    c->attributes[c->promise.attribute_count++] = (tacit_promise_attribute){name, spec};
    c->promise.attributes = c->attributes;
}

static inline void case_identifier(audit_case *c, const char *name, bool pseudonym)
{
    c->identifiers[c->promise.identifier_count++] =
        (tacit_promise_identifier){.name = name, .pseudonym = pseudonym};
    c->promise.identifiers = c->identifiers;
}

/* A model of a column, or of the population where there is none. */
static inline void case_model(audit_case *c, tacit_model_bound bound, const char *column,
                              const tacit_hierarchy_spec *spec)
{
    c->models[c->promise.model_count++] =
        (tacit_promise_model){.bound = bound, .column = column, .hierarchy = spec};
    c->promise.models = c->models;
}

static inline tacit_table *case_table(const audit_case *c, const char *csv)
{
    const char *changed[TACIT_MAX_COLUMNS + CASE_MAX];
    size_t count = 0;
    for (int32_t i = 0; i < c->promise.attribute_count; i++)
        changed[count++] = c->promise.attributes[i].name;
    for (int32_t i = 0; i < c->promise.identifier_count; i++)
        changed[count++] = c->promise.identifiers[i].name;
    for (int32_t i = 0; i < c->promise.items_count; i++)
        changed[count++] = c->promise.items[i].column;
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_run run;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.digest = c->digested;
    options.undigested = changed;
    options.undigested_count = count;
    tacit_error err = {0};
    tacit_status status =
        tacit_table_read_memory(&table, tacit_strview_of(csv), "case.csv", &options, &run, &err);
    if (status != TACIT_OK)
        fail_msg("reading a case: %s", err.message);
    return table;
}

/* The verdict on a case, or the status why there is none. */
static inline tacit_status case_try(tacit_verdict **out, const audit_case *c, tacit_error *err)
{
    tacit_table *original = c->original ? case_table(c, c->original) : NULL;
    tacit_table *release = case_table(c, c->release);
    tacit_run run;
    tacit_run_init(&run);
    run.threads = c->threads ? c->threads : 2;
    tacit_table *population = c->population ? case_table(c, c->population) : NULL;
    tacit_evidence evidence = {.release = release,
                               .original = original,
                               .order = c->order,
                               .same_order = c->same_order,
                               .population = population};
    tacit_status status = tacit_audit_release(out, &c->promise, &evidence, &run, err);
    tacit_table_free(population);
    tacit_table_free(original);
    tacit_table_free(release);
    return status;
}

static inline bool same_number(double a, double b)
{
    return a == b || (a != a && b != b); /* NAN is like itself */
}

static inline void same_model(const tacit_model_verdict *a, const tacit_model_verdict *b)
{
    assert_int_equal(a->checked, b->checked);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->classes_failing, b->classes_failing);
    assert_int_equal(a->rows_failing, b->rows_failing);
    assert_true(same_number(a->worst, b->worst) && same_number(a->least, b->least));
}

static inline void same_verdict(const tacit_verdict *a, const tacit_verdict *b)
{
    assert_int_equal(a->holds, b->holds);
    assert_int_equal(a->rows_matched, b->rows_matched);
    assert_int_equal(a->finding_count, b->finding_count);
    for (int32_t i = 0; i < a->finding_count; i++) {
        assert_int_equal(a->findings[i].kind, b->findings[i].kind);
        assert_int_equal(a->findings[i].row, b->findings[i].row);
        assert_int_equal(a->findings[i].count, b->findings[i].count);
        assert_string_equal(a->findings[i].message, b->findings[i].message);
    }
    assert_int_equal(a->model_count, b->model_count);
    for (int32_t i = 0; i < a->model_count; i++)
        same_model(&a->models[i], &b->models[i]);
}

/* The verdict on a case, which must be the same with digests and without. */
static inline tacit_verdict *case_judge(const audit_case *c)
{
    tacit_verdict *verdict = NULL, *by_digests = NULL;
    tacit_error err = {0};
    audit_case digested = *c;
    digested.digested = true;
    if (case_try(&verdict, c, &err) != TACIT_OK ||
        case_try(&by_digests, &digested, &err) != TACIT_OK)
        fail_msg("judging: %s", err.message);
    same_verdict(verdict, by_digests);
    tacit_verdict_free(by_digests);
    return verdict;
}

static inline const tacit_finding *verdict_finding(const tacit_verdict *v, tacit_finding_kind kind)
{
    for (int32_t i = 0; i < v->finding_count; i++)
        if (v->findings[i].kind == kind)
            return &v->findings[i];
    return NULL;
}

/* The kinds found, a bit each. */
static inline unsigned verdict_kinds(const tacit_verdict *v)
{
    unsigned kinds = 0;
    for (int32_t i = 0; i < v->finding_count; i++)
        kinds |= 1u << v->findings[i].kind;
    return kinds;
}

static inline unsigned case_kinds(const audit_case *c)
{
    tacit_verdict *v = case_judge(c);
    unsigned kinds = verdict_kinds(v);
    assert_int_equal(v->holds, kinds == 0);
    tacit_verdict_free(v);
    return kinds;
}

#endif
