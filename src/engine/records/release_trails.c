/*
 * release_trails.c - a release whose rows stay linkable, and k people share those of each
 * (trail: k); or k households, whose members are known together (household).
 *
 * A method finds a release that keeps k by rows' combinations; then rows are suppressed until k
 * people share each trail (tacit/experimental/trails.h). Where that takes more rows than `loss`
 * allows, the method is asked for a more general release, of twice as many people a class, and so
 * on up to the most general one. The method may use half of `loss`, so that something is left for
 * trails. What is the household's is the same for its members before that. The judge counts trails
 * by itself, as always.
 */
#include "base/error.h"
#include "engine/records/release.h"

/* The key that asks for it. */
static const char *key_of(const tacit_policy *policy)
{
    return policy->household ? "household" : "trail: k";
}

tacit_status engine_households_check(const engine_release *release)
{
    const char *person = release->policy->person;
    if (!release->policy->household)
        return TACIT_OK;
    return tacit_households_check(
        &release->frame, person ? tacit_table_find(release->table, tacit_strview_of(person)) : -1,
        release->promise.promise.of_household, &release->session->error);
}

tacit_status engine_trails_check(const engine_release *release)
{
    const tacit_policy *policy = release->policy;
    tacit_error *err = &release->session->error;
    if (!engine_keeps_trails(policy))
        return TACIT_OK;
    if (release->previous)
        return tacit__error(
            err, TACIT_INVALID,
            policy->household
                ? "household and earlier releases (previous, ledger) do not go together"
                : "trail: k and earlier releases (previous, ledger) do not go together; "
                  "leave the column out that links rows (replace: drop), or give every row "
                  "a pseudonym of its own (replace: row-pseudonym)");
    if (release->method->features & TACIT_METHOD_AMBIGUATES || policy->resist)
        return tacit__error(err, TACIT_INVALID,
                            "%s suppresses whole rows, which goes neither with ambiguate nor with "
                            "minimality: resist",
                            key_of(policy));
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI &&
            policy->columns[i].hierarchy.no_suppression)
            return tacit__error(err, TACIT_INVALID,
                                "%s suppresses rows, and column \"%.64s\" is not to be suppressed "
                                "(suppression: none)",
                                key_of(policy), policy->columns[i].name);
    return TACIT_OK;
}

/* Suppresses what the trails of a solution need, and takes the result in its place. */
static tacit_status keep(engine_release *release, const tacit_records_options *asked)
{
    engine_session *session = release->session;
    const tacit_apply_options options = {
        .keep_order = release->policy->keep_order,
        .drop_suppressed = release->policy->drop_suppressed,
    };
    tacit_rowwise *rowwise = NULL;
    tacit_solution *solution = NULL;
    tacit_status status = tacit_rowwise_of(&rowwise, release->solution, &release->frame,
                                           &session->run, &session->error);
    if (status == TACIT_OK && release->promise.promise.of_household)
        status = tacit_households_align(rowwise, &release->frame,
                                        release->promise.promise.of_household, &session->error);
    if (status == TACIT_OK)
        status = tacit_trails_keep(rowwise, NULL, &release->frame, asked, &session->error);
    if (status == TACIT_OK)
        status = tacit_rowwise_release(&solution, &release->application, rowwise, &release->frame,
                                       &options, &session->run, &session->error);
    tacit_rowwise_free(rowwise);
    tacit_solution_free(release->solution);
    release->solution = solution;
    return status;
}

/* Twice as many people a class, everybody at last, and then, with one more than there are, the most
 * general release. */
static int64_t next_k(int64_t k, int64_t people)
{
    if (k >= people)
        return people + 1;
    return 2 * k < people ? 2 * k : people;
}

static int64_t people_of(const engine_release *release)
{
    int64_t people = (int64_t)tacit_table_distinct(release->table, release->frame.person);
    return people < tacit_table_rows(release->table) ? people : tacit_table_rows(release->table);
}

tacit_status engine_trails_search(engine_release *release)
{
    tacit_error *err = &release->session->error;
    engine_release_limits(release);
    const tacit_records_options asked = release->wanted;
    int64_t people = people_of(release);
    bool last = false;
    tacit_status status = TACIT_INFEASIBLE;
    for (int64_t k = asked.k; status == TACIT_INFEASIBLE && !last; k = next_k(k, people)) {
        last = asked.most_general || k > people;
        *err = (tacit_error){0}; /* of the release before, which was too fine */
        release->wanted = asked;
        release->wanted.k = last ? asked.k : k;
        release->wanted.most_general = last;
        release->wanted.max_suppressed = asked.max_suppressed / 2;
        status = engine_release_solve(release);
        if (status == TACIT_OK)
            status = keep(release, &asked);
    }
    release->wanted = asked;
    if (status != TACIT_INFEASIBLE)
        return status;
    char why[sizeof err->message];
    snprintf(why, sizeof why, "%s", err->message);
    *err = (tacit_error){0};
    if (release->policy->household)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "no release was found in which k households share the rows of all "
                            "their members (household): %.400s; raise loss, lower k, leave out "
                            "columns that members differ in, or try another method, such as mingen",
                            why);
    return tacit__error(
        err, TACIT_INFEASIBLE,
        "no release was found in which k people share the rows of each (trail: k): "
        "%.400s; raise loss, leave the column out that links rows (replace: drop), or "
        "give every row a pseudonym of its own (replace: row-pseudonym)",
        why);
}
