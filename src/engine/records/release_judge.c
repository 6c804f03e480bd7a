/*
 * release_judge.c - the release, read back from the file that nobody sees yet, judged by the
 * promise of the policy, attacked, and made to appear.
 *
 * Its own entry in the ledger is there before it appears. For its summary the release is read back
 * once more, every column coded, when the judge's table is gone. Whatever moment the run is killed
 * at: either nothing has appeared, or the entry is on the disk.
 */
#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "engine/records/release.h"

/* What would help where rows of one person can be followed, or may be counted as several. */
static const char *person_hint(const engine_release *release)
{
    const tacit_verdict *verdict = release->verdict;
    if (verdict->finding_count > 0 && verdict->findings[0].kind == TACIT_FINDING_PERSON)
        return "; say which column tells people apart (person: NAME), or that every row is a "
               "person's (person: none)";
    if (verdict->finding_count == 0 || verdict->findings[0].kind != TACIT_FINDING_TRAIL)
        return "";
    if (release->policy->household)
        return "; leave columns out that link rows (replace: drop), or give every row a pseudonym "
               "of its own (replace: row-pseudonym)";
    return release->policy->trail
               ? "; leave the column out (replace: drop), or give every row a pseudonym of its own "
                 "(replace: row-pseudonym)"
               : "; leave the column out (replace: drop), give every row a pseudonym of its own "
                 "(replace: row-pseudonym), or have rows suppressed until k people share them "
                 "(trail: k)";
}

/* All findings but the first, which becomes the error's message. */
static tacit_status refuse(engine_release *release)
{
    const tacit_verdict *verdict = release->verdict;
    const char *reason = verdict->finding_count ? verdict->findings[0].message : "no reason given";
    for (int32_t i = 1; i < verdict->finding_count; i++)
        engine_warn(release->session, "the judge finds: %s", verdict->findings[i].message);
    if (release->unsafe) {
        engine_warn(release->session, "the judge refuses the release, and --unsafe writes it: %s",
                    reason);
        return TACIT_OK;
    }
    bool historic = (release->policy->as_published || release->policy->as_described) &&
                    !engine_release_ambiguates(release);
    return tacit__error(&release->session->error, TACIT_INFEASIBLE,
                        "the judge refuses the release, and nothing is written: %s%s", reason,
                        historic
                            ? "; mu-argus as it was published does not keep k: leave that out, "
                              "or write it all the same with --unsafe"
                            : person_hint(release));
}

tacit_status engine_release_read_back(tacit_table **out, const engine_release *release,
                                      tacit_csv_options options)
{
    engine_session *session = release->session;
    int32_t count = release->layout.column_count;
    tacit_strview *names = tacit__alloc((size_t)count * sizeof *names);
    if (!names)
        return tacit__nomem(&session->error);
    for (int32_t i = 0; i < count; i++)
        names[i] = tacit_table_name(release->table, release->layout.columns[i].source);
    options.delimiter = tacit_table_delimiter(release->table);
    options.let_go = true; /* the original is in memory already */
    options.missing = NULL;
    options.encoding = TACIT_ENCODING_UTF8;
    options.convert = NULL; /* it is CSV, however it begins */
    options.names = names;
    options.name_count = (size_t)count;
    tacit_status status =
        tacit_table_read_fd(out, tacit_output_fd(release->sink.csv), "the release", &options,
                            &session->run, &session->error);
    tacit__free(names);
    return status;
}

static tacit_status read_for_judge(tacit_table **out, engine_release *release)
{
    engine_session *session = release->session;
    tacit_csv_options options;
    engine_release_csv_options(&options, session);
    const char **changed = NULL;
    engine_needs needs = {0};
    tacit_status status = engine_needs_release(&needs, &options, release->table, &release->c);
    engine_dependencies_code(&options, &release->dependencies);
    if (status == TACIT_OK)
        status = engine_changed_names(&changed, &options.undigested_count, release->policy,
                                      &session->error);
    options.digest = true;
    options.undigested = changed;
    if (status == TACIT_OK)
        status = engine_release_read_back(out, release, options);
    tacit__free(changed);
    engine_needs_clear(&needs);
    return status;
}

engine_case engine_release_case(const engine_release *release)
{
    const tacit_application *application = release->application;
    const engine_release *asked = release->asked;
    return (engine_case){.session = release->session,
                         .policy = release->policy,
                         .promise = &release->promise,
                         .asked_policy = asked ? asked->policy : NULL,
                         .asked_promise = asked ? &asked->promise : NULL,
                         .file = "the release",
                         .original = release->table,
                         .order = application ? application->order : NULL,
                         .same_order = application && !application->order,
                         .earlier = &release->earlier,
                         .proven = release->solution && release->solution->search.proven,
                         .own = true};
}

/* What the same attacks do to the data as it is: the picture of before and after. */
static tacit_status attack_unprotected(engine_release *release)
{
    engine_case c = release->c;
    c.release = release->table;
    c.original = NULL;
    c.order = NULL;
    c.same_order = false;
    c.as_it_is = true;
    c.groups = NULL;
    c.verdict = NULL;
    return engine_attacks_run(&release->unprotected, &c);
}

/* What succeeds and refuses no release. */
static void warn_of_attacks(const engine_release *release)
{
    char sentence[512];
    for (int i = 0; engine_attacks[i]; i++) {
        const engine_attack *attack = engine_attacks[i];
        if (!release->found.discloses[i] || !attack->remedy)
            continue;
        attack->sentence(sentence, sizeof sentence, release->found.of[i], &release->c);
        engine_warn(
            release->session,
            "%s; k does not protect against that: %s, or have --strict refuse such a release",
            sentence, attack->remedy);
    }
}

/* Tries what an adversary would. What the release was asked to withstand refuses it. */
static tacit_status attack(engine_release *release, const tacit_table *written)
{
    char sentence[512];
    release->c.release = written;
    release->c.verdict = release->verdict;
    tacit_status status = engine_ledger_recall_with(&release->earlier, release->ledger,
                                                    release->table, written, release->session);
    if (status == TACIT_OK)
        status = engine_attacks_run(&release->found, &release->c);
    int broken = status == TACIT_OK ? engine_found_broken(&release->found, &release->c) : -1;
    if (broken >= 0) {
        const char *remedy = engine_attacks[broken]->remedy;
        engine_attacks[broken]->sentence(sentence, sizeof sentence, release->found.of[broken],
                                         &release->c);
        status = tacit__error(&release->session->error, TACIT_INFEASIBLE,
                              "an attack on the release succeeds, and nothing is written: %s%s%s",
                              sentence, remedy ? "; " : "", remedy ? remedy : "");
    }
    if (status == TACIT_OK && !release->unseen)
        warn_of_attacks(release);
    if (status == TACIT_OK)
        engine_ads_fill(&release->ads, release->verdict, &release->found, &release->c);
    if (status == TACIT_OK && release->has_sizes)
        status = attack_unprotected(release);
    return status;
}

tacit_status engine_release_judge(engine_release *release)
{
    engine_session *session = release->session;
    tacit_table *written = NULL;
    tacit_audit_groups *groups = NULL;
    release->c = engine_release_case(release);
    tacit_table_let_go(release->table);
    tacit_status status = read_for_judge(&written, release);
    if (status == TACIT_OK)
        status = tacit_audit_groups_new(&groups, &session->error);
    release->c.groups = groups;
    const tacit_evidence evidence = {
        .release = written,
        .original = release->table,
        .order = release->application->order,
        .same_order = !release->application->order,
        .population = release->population.people,
        .groups = groups,
    };
    if (status == TACIT_OK)
        status = tacit_audit_release(&release->verdict, &release->promise.promise, &evidence,
                                     &session->run, &session->error);
    if (status == TACIT_OK && !release->verdict->holds)
        status = refuse(release);
    if (status == TACIT_OK)
        status = attack(release, written);
    if (status == TACIT_OK && release->dependencies.file)
        status = engine_dependencies_find(&release->dependencies, release->policy, release->table,
                                          written, session);
    release->c.release = NULL;
    release->c.groups = NULL;
    tacit_audit_groups_free(groups);
    tacit_table_free(written);
    return status;
}

/* ---- the ledger ---- */

/* The hierarchies that the labels were made by. */
static tacit_status bind_facts(engine_release *release)
{
    engine_ledger *ledger = release->ledger;
    tacit_status status = engine_ledger_columns(ledger, release->policy, &release->session->error);
    for (int32_t i = 0; i < release->promise.promise.attribute_count && status == TACIT_OK; i++)
        ledger->facts[release->promise.columns[i]].hierarchy = release->hierarchies[i];
    return status;
}

static tacit_status announce(engine_release *release)
{
    engine_session *session = release->session;
    engine_ledger *ledger = release->ledger;
    tacit_table *written = NULL;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    tacit_status status = bind_facts(release);
    const tacit_ledger_facts facts = {
        .source = ledger->source,
        .path = release->target,
        .policy_file = engine_value(session->settings, "policy"),
        .k = release->wanted.k,
        .method = release->method->name,
        .metric = release->policy->metric,
        .columns = ledger->facts,
        .column_count = ledger->fact_count,
        .data = release->table,
    };
    if (status == TACIT_OK)
        status = engine_release_read_back(&written, release, options);
    if (status == TACIT_OK)
        status =
            tacit_ledger_announce(&ledger->number, ledger->ledger, &facts, written,
                                  engine_sink_fd(&release->sink), &session->run, &session->error);
    tacit_table_free(written);
    return status;
}

/* Makes what appears instead of CSV, where that is asked for, of what was judged. */
static tacit_status fill_sink(engine_release *release, engine_sink *sink)
{
    engine_session *session = release->session;
    tacit_table *written = NULL;
    tacit_csv_options options;
    if (!engine_sink_converts(sink))
        return TACIT_OK;
    engine_release_csv_options(&options, session);
    options.code_none = !sink->place; /* its types follow from values */
    tacit_status status = engine_release_read_back(&written, release, options);
    if (status == TACIT_OK)
        status = engine_sink_fill(sink, written, session);
    tacit_table_free(written);
    return status;
}

tacit_status engine_release_commit(engine_release *release)
{
    engine_session *session = release->session;
    engine_ledger *ledger = release->ledger;
    bool remembers = ledger && ledger->ledger;
    assert(remembers || !release->policy->ledger); /* nothing leaves unseen */
    tacit_status status =
        tacit_table_check_unchanged(release->table, &session->run, &session->error);
    if (status == TACIT_OK)
        status = fill_sink(release, &release->sink);
    if (status == TACIT_OK && !remembers)
        return engine_sink_commit(&release->sink, &session->error);
    if (status == TACIT_OK)
        status = announce(release);
    if (status == TACIT_OK)
        status = engine_ledger_explain(ledger, engine_sink_commit(&release->sink, &session->error),
                                       "the ledger counts it as released all the same, as entry",
                                       &session->error);
    return status == TACIT_OK ? engine_ledger_confirm(ledger, &session->error) : status;
}

tacit_status engine_release_save(engine_release *release, const char *path)
{
    engine_session *session = release->session;
    engine_sink sink = {0};
    tacit_status status = engine_sink_open(&sink, path, session);
    if (status == TACIT_OK && !engine_sink_converts(&sink))
        status = tacit__output_copy(sink.csv, release->sink.csv, &session->error);
    if (status == TACIT_OK)
        status = fill_sink(release, &sink);
    if (status == TACIT_OK)
        status = engine_sink_commit(&sink, &session->error);
    engine_sink_clear(&sink);
    return status;
}
