/*
 * probable.c - linking a release to the register of --population by probability (--probable): what
 * an adversary finds who allows for errors in either file. See audit_probable.h.
 *
 * Columns are those of linking (link.c). What is told are numbers, never people.
 */
#include <stdio.h>

#include <tacit/experimental/audit_probable.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/registers.h"

/* What is said of it later: the register is closed by then. */
typedef struct probably_linked {
    tacit_probable *found;
    const char *names[TACIT_MAX_PROBABLE_COLUMNS]; /* borrowed from the promise */
    double certainty;
} probably_linked;

static bool probable_wanted(const engine_case *c)
{
    return c->policy->population && !c->as_it_is && engine_has(c->session->settings, "probable");
}

static bool has_names(const engine_registers *r, const engine_case *c, int32_t column)
{
    const tacit_promise_attribute *of =
        &c->promise->attributes[tacit_linkage_columns(r->linkage)[column]];
    return of->hierarchy->kind == TACIT_HIERARCHY_MASK ||
           of->hierarchy->kind == TACIT_HIERARCHY_FILE ||
           of->hierarchy->kind == TACIT_HIERARCHY_STANDARD;
}

static tacit_status link_register(probably_linked *made, const engine_registers *r,
                                  const engine_case *c, tacit_error *err)
{
    tacit_probable_options options;
    int32_t released[TACIT_MAX_LINK_COLUMNS], known[TACIT_MAX_LINK_COLUMNS];
    bool names[TACIT_MAX_LINK_COLUMNS];
    tacit_probable_options_init(&options);
    made->certainty = options.certainty;
    for (int32_t i = 0; i < r->c.column_count && i < TACIT_MAX_LINK_COLUMNS; i++) {
        tacit_strview name = tacit_strview_of(r->names[i]);
        released[i] = tacit_table_find(c->release, name);
        known[i] = tacit_table_find(r->tables[0], name);
        names[i] = has_names(r, c, i);
        if (i < TACIT_MAX_PROBABLE_COLUMNS)
            made->names[i] = r->names[i];
    }
    const tacit_probable_case probable = {.link = &r->c,
                                          .release = c->release,
                                          .people = r->tables[0],
                                          .released = released,
                                          .known = known,
                                          .names = names};
    return tacit_probable_new(&made->found, &probable, &options, &c->session->run, err);
}

static void free_probable(void *found)
{
    probably_linked *linked = found;
    tacit_probable_free(linked->found);
    tacit__free(linked);
}

static tacit_status run_probable(void **found, const engine_case *c, tacit_error *err)
{
    engine_registers registers = {0};
    probably_linked *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!made)
        return tacit__nomem(err);
    tacit_status status = engine_registers_read(&registers, c, err);
    if (status == TACIT_OK && registers.count > 1)
        status = tacit__error(err, TACIT_INVALID, "--probable takes one register (--population)");
    if (status == TACIT_OK)
        status = link_register(made, &registers, c, err);
    engine_registers_clear(&registers);
    if (status == TACIT_OK)
        *found = made;
    else
        free_probable(made);
    return status;
}

/* Declared links that are not known to be wrong. */
static int64_t count_believed(const tacit_probable *found)
{
    return found->declared - found->known_declared + found->right_declared;
}

static bool probable_discloses(const void *found, const engine_case *c)
{
    (void)c;
    return count_believed(((const probably_linked *)found)->found) > 0;
}

static int64_t probable_exposed(const void *found, const engine_case *c)
{
    (void)c;
    return count_believed(((const probably_linked *)found)->found);
}

static void probable_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    const probably_linked *linked = found;
    const tacit_probable *p = linked->found;
    (void)c;
    snprintf(
        out, size,
        "%s of %s records are linked to one of %s people with a probability of at least %.0f%%",
        engine_count(p->declared).text, engine_count(p->records).text, engine_count(p->people).text,
        100 * linked->certainty);
    if (p->has_truth)
        engine_append(out, size, ": correctly %s of %s whose person is known",
                      engine_count(p->right_declared).text, engine_count(p->known_declared).text);
    engine_append(out, size, "; linked one to one are %s, of whom %.1f are expected to be right",
                  engine_count(p->assigned).text, p->expected);
    if (p->has_truth)
        engine_append(out, size, " and %s are, of %s", engine_count(p->right_assigned).text,
                      engine_count(p->known_assigned).text);
    if (p->records < p->all)
        engine_append(out, size, "; %s records in all, of which these are spread over the release",
                      engine_count(p->all).text);
}

static void add_columns(tacit_report *report, const probably_linked *linked)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "column", .heading = "column"},
        {.key = "same", .heading = "same", .decimals = 3},
        {.key = "near", .heading = "nearly", .decimals = 3},
        {.key = "apart", .heading = "different", .decimals = 3},
        {.key = "near_by_chance", .heading = "nearly, by chance", .decimals = 3},
    };
    tacit_report_begin(report,
                       TACIT_TABLE("columns", "How a record and its person compare, as estimated",
                                   false, COLUMNS));
    for (int32_t i = 0; i < linked->found->columns; i++) {
        tacit_report_cell(report, "%s", linked->names[i]);
        for (int level = 0; level < TACIT_PROBABLE_LEVELS; level++)
            tacit_report_cell_real(report, linked->found->m[i][level]);
        tacit_report_cell_real(report, linked->found->near[i]);
    }
}

static void probable_facts(tacit_report *report, const void *found, const engine_case *c)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_probable, records, "records", NULL, 0),
        TACIT_FIELD(tacit_probable, all, "records_in_all", NULL, 0),
        TACIT_FIELD(tacit_probable, people, "people", NULL, 0),
        TACIT_FIELD(tacit_probable, pairs, "pairs", NULL, 0),
        TACIT_FIELD(tacit_probable, present, "share_in_register", NULL, 3),
        TACIT_FIELD(tacit_probable, declared, "declared", NULL, 0),
        TACIT_FIELD(tacit_probable, assigned, "one_to_one", NULL, 0),
        TACIT_FIELD(tacit_probable, expected, "expected_right", NULL, 1),
    };
    static const tacit_field TRUTH[] = {
        TACIT_FIELD(tacit_probable, known, "truth.records", NULL, 0),
        TACIT_FIELD(tacit_probable, known_declared, "truth.declared", NULL, 0),
        TACIT_FIELD(tacit_probable, right_declared, "truth.declared_rightly", NULL, 0),
        TACIT_FIELD(tacit_probable, known_assigned, "truth.one_to_one", NULL, 0),
        TACIT_FIELD(tacit_probable, right_assigned, "truth.one_to_one_rightly", NULL, 0),
    };
    const probably_linked *linked = found;
    (void)c;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), linked->found);
    if (linked->found->has_truth)
        tacit_report_fields(report, TRUTH, TACIT_COUNT_OF(TRUTH), linked->found);
    add_columns(report, linked);
}

const engine_attack engine_attack_probable = {
    .name = "probable",
    .title = "Linking by probability",
    .wanted = probable_wanted,
    .run = run_probable,
    .discloses = probable_discloses,
    .sentence = probable_sentence,
    .facts = probable_facts,
    .exposed = probable_exposed,
    .free = free_probable,
};
