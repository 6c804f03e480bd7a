/*
 * release_read.c - the data of a release, read and checked against the policy, with a
 * warning of what will leave as it is.
 */

#include <tacit/experimental/profile.h>

#include "base/alloc.h"
#include "engine/job/files.h"
#include "engine/masking/measured.h"
#include "engine/records/release.h"

/* A list of columns for a warning. */
typedef struct name_list {
    char text[512];
} name_list;

static void list_name(name_list *list, tacit_strview name)
{
    char shown[64];
    engine_append_name(list->text, sizeof list->text, engine_printable(shown, sizeof shown, name));
}

/* Names the columns without a role that look like quasi-identifiers, or the others. */
static void list_unnamed(name_list *list, const tacit_profile *unnamed, bool quasi)
{
    enum { MAX_NAMED = 16 };
    int32_t count = 0;
    for (int32_t i = 0; i < unnamed->column_count && count <= MAX_NAMED; i++)
        if ((unnamed->columns[i].role == TACIT_ROLE_QUASI) == quasi)
            list_name(list,
                      count++ < MAX_NAMED ? unnamed->columns[i].name : tacit_strview_of("..."));
}

/* What looks as if it names people by itself is refused, and what else nobody spoke of is told. */
tacit_status engine_release_check_unnamed(engine_release *release)
{
    engine_session *session = release->session;
    tacit_profile *unnamed = NULL;
    name_list others = {""}, quasi = {""};
    tacit_status status = tacit_profile_unnamed(&unnamed, release->policy, release->table,
                                                &session->run, &session->error);
    if (status != TACIT_OK || !unnamed)
        return status;
    list_unnamed(&quasi, unnamed, true);
    list_unnamed(&others, unnamed, false);
    if (quasi.text[0])
        engine_warn(session,
                    "released unchanged, because the policy gives them no role: %s; they may be "
                    "quasi-identifiers, and k does not protect against an adversary who knows "
                    "them: give each a role",
                    quasi.text);
    if (others.text[0])
        engine_warn(
            session,
            "released unchanged, because the policy gives them no role: %s; give each a role",
            others.text);
    tacit_profile_free(unnamed);
    return status;
}

static void warn_kept(engine_release *release)
{
    name_list list = {""};
    for (int32_t i = 0; i < release->policy->column_count; i++) {
        const tacit_policy_column *column = &release->policy->columns[i];
        if (column->role == TACIT_ROLE_IDENTIFIER && engine_fate(column) == TACIT_REPLACE_KEEP)
            list_name(&list, tacit_strview_of(column->name));
    }
    if (list.text[0])
        engine_warn(release->session,
                    "identifiers released unchanged, because the policy keeps them: %s", list.text);
}

/* Rows that `minimality: resist` sets aside are drawn. ambiguate draws none for it. */
static void warn_drawn(engine_release *release)
{
    if (release->policy->resist && engine_has(release->session->settings, "seed") &&
        !(release->method->features & TACIT_METHOD_AMBIGUATES))
        engine_warn(release->session, "anyone who knows --seed can find out which rows were held "
                                      "out, and minimality: resist promises nothing against them");
}

/* Columns that are not linked by leave as they are. */
static void warn_unlinked(engine_release *release)
{
    name_list left = {""};
    for (int32_t i = 0; i < release->policy->column_count; i++)
        if (release->policy->columns[i].unlinked)
            list_name(&left, tacit_strview_of(release->policy->columns[i].name));
    if (left.text[0])
        engine_warn(release->session,
                    "left out of the quasi-identifier and released unchanged, because the policy "
                    "says that nobody links by them (link: 0): %s",
                    left.text);
}

/* How likely a column is used for linking decides only where a method asks for it. */
static void warn_links(engine_release *release)
{
    name_list given = {""};
    for (int32_t i = 0; i < release->policy->column_count; i++)
        if (release->policy->columns[i].has_link && release->policy->columns[i].link < 1)
            list_name(&given, tacit_strview_of(release->policy->columns[i].name));
    if (given.text[0] && release->method && !(release->method->features & TACIT_METHOD_LINKS))
        engine_warn(release->session,
                    "the method %s ignores link (of %s), except that 0 leaves a column out; "
                    "datafly uses it",
                    release->method->name, given.text);
}

static void warn_made_up(engine_release *release)
{
    if (release->masking.made_up && release->wanted.k > 1)
        engine_warn(release->session,
                    "k = %lld counts rows with values that %s has drawn: rows alike are not people "
                    "alike; what holds of people is what the step has kept",
                    (long long)release->wanted.k, release->masking.made_up->name);
}

static void warn(engine_release *release)
{
    warn_unlinked(release);
    warn_links(release);
    warn_kept(release);
    if (release->unseen)
        return;
    warn_made_up(release);
    warn_drawn(release);
    if (release->policy->keep_order)
        engine_warn(release->session, "rows keep their order, so the release can be matched row by "
                                      "row with other releases of this data");
    else if (engine_has(release->session->settings, "seed"))
        engine_warn(release->session,
                    "anyone who knows --seed can undo the random order of the released rows");
}

tacit_status engine_release_check_policy(engine_release *release)
{
    tacit_error *err = &release->session->error;
    tacit_status status = tacit_policy_check(release->policy, release->table, err);
    if (status == TACIT_OK && !release->explore)
        status = tacit_policy_check_k(release->policy, err);
    if (status == TACIT_OK)
        status =
            tacit_policy_k(release->policy, &release->wanted.k, &release->wanted.most_general, err);
    if (status == TACIT_OK)
        status = engine_promise_init(&release->promise, release->policy, release->wanted.k, err);
    if (status == TACIT_OK)
        release->promise.promise.masked = release->masking.masking;
    return status == TACIT_OK ? engine_measured_check(release) : status;
}

/* What techniques made of the data is read in its place, under its name. */
static tacit_status read_data(tacit_table **table, const engine_release *release,
                              const tacit_csv_options *options)
{
    engine_session *session = release->session;
    const engine_masking *masking = &release->masking;
    if (masking->masking)
        return engine_masking_read(table, masking, release->data, options, session);
    return tacit_table_read(table, release->data, options, &session->run, &session->error);
}

/* Checks the policy against the header alone, before a long file is read. What
 * can be read only once, as a pipe, is checked afterwards. */
static tacit_status check_header(tacit_table **header, engine_release *release,
                                 const tacit_csv_options *options)
{
    if (!engine_is_file(release->data) && !release->masking.masking)
        return TACIT_OK;
    tacit_csv_options quick = *options;
    quick.header_only = true;
    tacit_status status = read_data(header, release, &quick);
    if (status != TACIT_OK)
        return status;
    release->table = *header;
    status = engine_release_check_policy(release);
    release->table = NULL;
    release->policy_checked = status == TACIT_OK;
    return status;
}

/* The columns to code: what the policy works with and, where the attacks on the data as it is will
 * be told of, what those need. */
static tacit_status choose_coded(engine_needs *needs, tacit_csv_options *options,
                                 const tacit_table *header, engine_release *release)
{
    engine_session *session = release->session;
    const char **names = NULL;
    size_t count = 0;
    release->c = engine_release_case(release);
    tacit_status status = tacit_policy_coded(&names, &count, release->policy, &session->error);
    engine_previous_needs(needs, header, release);
    bool attacked = release->has_sizes && !release->explore;
    if (status == TACIT_OK)
        status = engine_needs_code(needs, options, names, count, header,
                                   attacked ? &release->c : NULL, &session->error);
    tacit_policy_names_free(names);
    engine_dependencies_code(options, &release->dependencies);
    engine_ledger_code(options, release->ledger);
    return status;
}

/* Whatever was released before is recalled, pseudonyms too, by the key of this run. */
static tacit_status recall(engine_release *release)
{
    engine_ledger *ledger = release->ledger;
    bool any = ledger->ledger && tacit_ledger_count(ledger->ledger) > 0;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; any && i < release->policy->column_count && status == TACIT_OK; i++)
        if (engine_fate(&release->policy->columns[i]) == TACIT_REPLACE_PSEUDONYM)
            status = engine_release_pseudonyms(release);
    ledger->pseudonyms = release->pseudonyms;
    if (status == TACIT_OK)
        status = engine_ledger_recall(&release->earlier, ledger, release->policy, release->table,
                                      release->session);
    return status == TACIT_OK ? engine_previous_recalled(release) : status;
}

tacit_status engine_release_read(engine_release *release)
{
    engine_session *session = release->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    const char **changed = NULL;
    engine_needs needs = {0};
    tacit_table *header = NULL;
    tacit_status status = check_header(&header, release, &options);
    if (status == TACIT_OK)
        status = engine_changed_names(&changed, &options.undigested_count, release->policy,
                                      &session->error);
    options.digest = !release->explore; /* the judge compares rows by them */
    options.undigested = changed;
    if (status == TACIT_OK)
        status = choose_coded(&needs, &options, header, release);
    if (status == TACIT_OK)
        status = read_data(&release->table, release, &options);
    if (status == TACIT_OK && !release->masking.masking)
        engine_session_source(session, release->table);
    tacit_table_free(header);
    engine_needs_clear(&needs);
    tacit__free(changed);
    if (status == TACIT_OK && !release->policy_checked)
        status = engine_release_check_policy(release);
    if (status == TACIT_OK && !release->explore)
        status = engine_release_check_unnamed(release);
    if (status == TACIT_OK)
        status = engine_release_check_alike(release);
    if (status == TACIT_OK && !release->explore)
        warn(release);
    if (status == TACIT_OK && !release->explore)
        status = recall(release);
    return status;
}
