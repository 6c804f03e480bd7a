/*
 * check.c - whether a policy makes sense, by itself and for a table, before any work starts; and
 * what follows from one that does: k, the columns to code, the columns nobody spoke of, and those
 * that nobody links by.
 *
 * Messages name the line of the policy where the trouble stands, when it comes from the file and
 * not from a flag. The anonymity level and its table are those of the Datafly II System (Sweeney,
 * Computational Disclosure Control, section 6.1). Costs the policy's columns times the table's.
 *
 * A link of 0 is full trust that a column is not used for linking (ibid.), so it is no part of a
 * quasi-identifier: k is not kept on it, and it is released as it is. What was said of it as a part
 * of one is forgotten.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <tacit/experimental/policy.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/model.h"
#include "base/nearest.h"
#include "policy/keys.h"

static const char *file_at(const tacit_policy *policy, int64_t line)
{
    return line > 0 ? policy->file : NULL;
}

/* An error on a key of the policy. */
static tacit_status key_error(const tacit_policy *policy, const char *key, const char *message,
                              tacit_error *err)
{
    int64_t line = tacit_policy_line(policy, key);
    return tacit__error_at(err, TACIT_INVALID, file_at(policy, line), line, 0, "%s: %s", key,
                           message);
}

/* An error on a column of the policy. */
static tacit_status column_error(const tacit_policy *policy, const tacit_policy_column *column,
                                 const char *message, tacit_error *err)
{
    return tacit__error_at(err, TACIT_INVALID, file_at(policy, column->line), column->line, 0,
                           "column \"%s\" %s", tacit__show(tacit_strview_of(column->name)).text,
                           message);
}

/* ---- the policy by itself ---- */

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

/* What the readers of keys would have refused, for policies filled by a program. */
static tacit_status check_numbers(const tacit_policy *policy, tacit_error *err)
{
    if (policy->k < 0 || policy->k > TACIT_MAX_ROWS)
        return key_error(policy, "k", "expected a whole number of 1 or more", err);
    if (policy->has_anonymity && !is_share(policy->anonymity))
        return key_error(policy, "anonymity", "expected a number from 0 to 1", err);
    if (policy->has_loss && !is_share(policy->loss))
        return key_error(policy, "loss", "expected a number from 0 to 1", err);
    for (int32_t i = 0; i < policy->anonymity_count; i++) {
        const tacit_anonymity_step *step = &policy->anonymity_table[i];
        const char *problem = tacit__anonymity_problem(i > 0 ? step - 1 : NULL, step);
        if (problem)
            return key_error(policy, "anonymity-table", problem, err);
    }
    return TACIT_OK;
}

static bool has_k(const tacit_policy *policy)
{
    return policy->k > 0 || policy->has_anonymity;
}

/* What hides dependencies promises something without one. */
static bool needs_k(const tacit_policy *policy)
{
    return tacit_policy_generalizes(policy) && policy->blanks.hide_count == 0;
}

static tacit_status check_promise(const tacit_policy *policy, tacit_error *err)
{
    int64_t k;
    bool most_general;
    if (has_k(policy) || !needs_k(policy))
        return tacit_policy_k(policy, &k, &most_general, err);
    return tacit__error_at(err, TACIT_INVALID, policy->file, 0, 0,
                           "no k is given: write \"k: 5\" in the policy or give --k 5 (or an "
                           "anonymity level with its anonymity-table)");
}

/* What is said of the column that its role has no use for, or NULL. A hierarchy
 * without a role is refused, lest a forgotten role release the values as they are. */
static const char *contradiction(const tacit_policy_column *column)
{
    bool quasi = column->role == TACIT_ROLE_QUASI;
    bool shaped = column->hierarchy.kind != TACIT_HIERARCHY_NONE;
    if (column->role == TACIT_ROLE_IDENTIFIER && shaped)
        return "is an identifier, which is dropped or replaced and has no use for a hierarchy";
    if (column->role == TACIT_ROLE_NONE && shaped)
        return column->items
                   ? "has items but no role: write role: sensitive, or insensitive"
                   : "has a hierarchy but no role: write role: quasi, or take the hierarchy away";
    if (column->has_weight && !quasi)
        return "has a weight, which only a column of role quasi can have";
    if (column->has_link && !quasi)
        return "has a link, which only a column of role quasi can have";
    if (column->has_spread && column->role != TACIT_ROLE_SENSITIVE)
        return "has a spread, which only a column of role sensitive can have";
    bool scrubbed = column->has_replace && column->replace == TACIT_REPLACE_SCRUB;
    if (scrubbed && quasi)
        return "is of role quasi and generalized; replace: scrub is for text of another role";
    if (scrubbed && column->role == TACIT_ROLE_NONE)
        return "has a replace but no role: write role: insensitive, or what the text is";
    if (scrubbed && column->model_count > 0)
        return "is scrubbed, so that nothing can be promised of its values";
    if (column->has_replace && !scrubbed && column->role != TACIT_ROLE_IDENTIFIER)
        return "has a replace, which only a column of role identifier can have";
    if (column->has_weight && !(column->weight > 0 && column->weight <= TACIT__MAX_WEIGHT))
        return "has a weight out of range: expected a number above 0 and at most 1000000000";
    if (column->has_link && !is_share(column->link))
        return "has a link out of range: expected a number from 0 to 1";
    if (column->least_level && !quasi)
        return "has a generalize, which only a column of role quasi can have";
    if (column->least_level < 0 || column->least_level >= TACIT_MAX_LEVELS)
        return "has a generalize out of range: expected a level of 0 or more";
    if (column->of_household && !quasi)
        return "is said to be of the household (of), which only a column of role quasi can be";
    if (column->rating != TACIT_RATING_IDENTIFYING && !quasi)
        return "has a rating, which only a column of role quasi can have";
    if (column->items && (quasi || column->role == TACIT_ROLE_IDENTIFIER))
        return "has items, which only a column of role sensitive or insensitive can have: km says "
               "how many of them somebody may know";
    if (column->items && column->role == TACIT_ROLE_NONE)
        return "has items but no role: write role: sensitive, or insensitive";
    if (column->items && column->model_count > 0)
        return "has items, and what is promised of values (diversity and the like) is about cells "
               "that are one value: take one of them away";
    if (column->items && scrubbed)
        return "has items, and replace: scrub is for text: take one of them away";
    return NULL;
}

/* What is wrong with a list of models by themselves, or NULL. */
static const char *models_problem(const tacit_model_bound *models, int32_t count, int32_t most,
                                  bool of_population)
{
    unsigned given = 0;
    if (count < 0 || count > most)
        return "too many models";
    for (int32_t i = 0; i < count; i++) {
        const char *problem = tacit__model_problem(&models[i]);
        if (problem)
            return problem;
        if (tacit__model_of_population(models[i].kind) != of_population ||
            given >> models[i].kind & 1)
            return "a kind of model twice, or in the wrong place";
        given |= 1u << models[i].kind;
    }
    return NULL;
}

static tacit_status check_column_models(const tacit_policy *policy,
                                        const tacit_policy_column *column, tacit_error *err)
{
    char message[192];
    const char *problem =
        models_problem(column->models, column->model_count, TACIT_MAX_COLUMN_MODELS, false);
    if (problem) {
        snprintf(message, sizeof message, "has models out of range: %s", problem);
        return column_error(policy, column, message, err);
    }
    for (int32_t i = 0; i < column->model_count; i++) {
        tacit_model_kind kind = column->models[i].kind;
        const char *key = tacit__model_key(kind);
        bool shaped = column->hierarchy.kind != TACIT_HIERARCHY_NONE;
        if (column->role != TACIT_ROLE_SENSITIVE)
            snprintf(message, sizeof message,
                     "has %s, which only a column of role sensitive can have", key);
        else if (kind == TACIT_MODEL_CLOSENESS_TREE && !shaped)
            snprintf(message, sizeof message,
                     "has %s by tree, but no hierarchy to take distances in: give it one, or write "
                     "%s without tree",
                     key, key);
        else
            continue;
        return column_error(policy, column, message, err);
    }
    return TACIT_OK;
}

static tacit_status check_population(const tacit_policy *policy, tacit_error *err)
{
    int32_t count = policy->population_model_count;
    const char *problem = models_problem(policy->population_models, count, 2, true);
    if (problem)
        return key_error(policy, "population", problem, err);
    for (int32_t i = 0; i < count && !policy->population; i++)
        if (tacit_policy_population_model(policy, i).kind != TACIT_MODEL_MAP_ESTIMATED)
            return key_error(policy, tacit__model_key(policy->population_models[i].kind),
                             policy->population_models[i].kind == TACIT_MODEL_MAP
                                 ? "needs to know the people who could be in the data: give "
                                   "population, a CSV file with the quasi-identifying columns, or "
                                   "sampling-weight, by which they are estimated"
                                 : "needs to know the people who could be in the data: give "
                                   "population, a CSV file with the quasi-identifying columns",
                             err);
    return TACIT_OK;
}

static tacit_status check_risks(const tacit_policy *policy, tacit_error *err)
{
    const tacit_risk_bounds *risks = &policy->risks;
    if (risks->model != TACIT_UNIQUENESS_NONE && !(risks->fraction > 0))
        return key_error(policy, "population-uniqueness",
                         "needs to know how much of the population is in the data: give "
                         "sampling-fraction, 1 if all of it is",
                         err);
    if (risks->model == TACIT_UNIQUENESS_NONE && risks->fraction > 0)
        return key_error(
            policy, "sampling-fraction",
            "is for population-uniqueness, which is not given: give it, or take this away", err);
    const char *problem = tacit__risk_problem(risks);
    return problem ? key_error(policy, "population-uniqueness", problem, err) : TACIT_OK;
}

static tacit_status check_models(const tacit_policy *policy, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < policy->column_count && status == TACIT_OK; i++)
        status = check_column_models(policy, &policy->columns[i], err);
    if (status == TACIT_OK)
        status = check_population(policy, err);
    if (status == TACIT_OK)
        status = check_risks(policy, err);
    if (status == TACIT_OK && policy->as_published && policy->as_described)
        status =
            key_error(policy, "as-published", "as-described is given too: keep one of them", err);
    return status;
}

static tacit_status check_trail(const tacit_policy *policy, tacit_error *err)
{
    if (!policy->trail || policy->person || policy->household)
        return TACIT_OK;
    return key_error(
        policy, "trail",
        "needs to know which rows belong to one person: give person, the column that says so", err);
}

static bool is_named(const tacit_policy_column *column, const char *name)
{
    return name && strcmp(column->name, name) == 0;
}

static tacit_status check_household(const tacit_policy *policy, tacit_error *err)
{
    for (int32_t i = 0; i < policy->column_count && !policy->household; i++)
        if (policy->columns[i].of_household)
            return column_error(policy, &policy->columns[i],
                                "is said to be of the household (of), and no column says which "
                                "rows are one: give household",
                                err);
    if (!policy->household)
        return TACIT_OK;
    if (policy->person && strcmp(policy->person, policy->household) == 0)
        return key_error(policy, "household",
                         "is the person column as well: name it as one of the two", err);
    return TACIT_OK;
}

/* Weights that were calibrated are alike within a stratum or a household and differ between them,
 * so what becomes of them is to be decided. */
static tacit_status check_sampling_weight(const tacit_policy *policy, bool is_release,
                                          tacit_error *err)
{
    const char *name = policy->sampling_weight, *problem = NULL;
    if (!name)
        return TACIT_OK;
    const tacit_policy_column *column = tacit_policy_find(policy, tacit_strview_of(name));
    if ((policy->person && strcmp(policy->person, name) == 0) ||
        (policy->household && strcmp(policy->household, name) == 0))
        problem = "says whose rows are, too: name another column as one of the two";
    else if (!is_release && (!column || column->role == TACIT_ROLE_NONE))
        problem = "has no role, and weights can tell strata and households apart: give it the role "
                  "identifier, which leaves it out, or insensitive, which releases it as it is";
    else if (!is_release && column->role == TACIT_ROLE_QUASI)
        problem = "cannot be of role quasi as well: weights that are generalized are none; round "
                  "them before (treat), or leave them out (identifier)";
    else if (column && column->has_replace && column->replace != TACIT_REPLACE_DROP &&
             column->replace != TACIT_REPLACE_KEEP)
        problem = "has weights, which cannot become pseudonyms or be scrubbed";
    else if (tacit_policy_estimates(policy) && policy->person)
        problem = "stands for people row by row, so k-map by it does not go together with person, "
                  "whose rows would count several times";
    return problem ? key_error(policy, "sampling-weight", problem, err) : TACIT_OK;
}

/* ---- sets of items ---- */

/* What tells which rows are one person's. */
static bool links_rows(const tacit_policy *policy, const tacit_policy_column *column)
{
    bool identifier = column->role == TACIT_ROLE_IDENTIFIER;
    tacit_replace fate = identifier ? column->replace : TACIT_REPLACE_KEEP;
    return (identifier || is_named(column, policy->person)) &&
           (fate == TACIT_REPLACE_KEEP || fate == TACIT_REPLACE_PSEUDONYM);
}

/* What km does not go together with, and why; NULL: nothing that is asked for. */
static const char *beside_km(const tacit_policy *policy)
{
    if (policy->method && strcmp(policy->method, "ambiguate") == 0)
        return "is kept in classes, and ambiguate makes none: use another method";
    if (!tacit_policy_generalizes(policy))
        return "is kept in classes of k people, and this method makes none: use one that "
               "generalizes";
    if (tacit_policy_masks(policy))
        return "counts people by what the data says, and techniques change that: leave them out";
    if (policy->household)
        return "is about one person's items, and who knows a household knows those of all members: "
               "leave household out";
    if (policy->trail)
        return "is about rows that nobody links, and trail: k is for rows that are: leave trail "
               "out, and give every row a pseudonym of its own (replace: row-pseudonym)";
    if (policy->resist)
        return "does not withstand an adversary who knows the method: leave minimality: resist out";
    if (policy->previous_count > 0 || policy->ledger)
        return "is not kept when two releases of the same sets are joined: leave previous and "
               "ledger out";
    if (policy->spreadsheet_safe)
        return "sorts the items of a cell, so that another may come first than the one that "
               "spreadsheet-safe saw: leave that out";
    if (policy->set_count > 1)
        return "is kept in the classes of one set of quasi-identifiers: leave the key "
               "quasi-identifiers out";
    if (policy->as_published || policy->as_described)
        return "needs classes of k, which mu-argus as it was published does not keep: leave "
               "as-published and as-described out";
    return NULL;
}

static tacit_status check_items(const tacit_policy *policy, bool is_release, tacit_error *err)
{
    bool any = false;
    if (policy->km && policy->person && !is_release &&
        !tacit_policy_find(policy, tacit_strview_of(policy->person)))
        return key_error(policy, "person",
                         "the column has no role, so that it would link the rows of a person, "
                         "whose items would be known together (km): give it the role identifier",
                         err);
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        any |= column->items != NULL;
        if (column->items && !policy->km)
            return column_error(policy, column,
                                "has items, and nothing says how many of them somebody may know: "
                                "give km, such as km: 2",
                                err);
        if (column->items &&
            (is_named(column, policy->person) || is_named(column, policy->sampling_weight)))
            return column_error(policy, column,
                                "has items, and cannot be the person or sampling-weight column as "
                                "well",
                                err);
        if (policy->km && links_rows(policy, column))
            return column_error(policy, column,
                                "links the rows of a person, whose items would be known together, "
                                "which km does not protect: leave it out (role: identifier), or "
                                "give every row a pseudonym of its own (replace: row-pseudonym)",
                                err);
    }
    if (!policy->km)
        return TACIT_OK;
    if (policy->km < 0 || policy->km > TACIT__MAX_KM)
        return key_error(policy, "km", "expected how many items somebody may know, 1 to 8", err);
    if (!any)
        return key_error(policy, "km",
                         "is about sets of items, and no column has any: say which one and what "
                         "separates them (items: \";\")",
                         err);
    const char *problem = beside_km(policy);
    return problem ? key_error(policy, "km", problem, err) : TACIT_OK;
}

static tacit_status check_roles(const tacit_policy *policy, tacit_error *err)
{
    int32_t quasi = 0;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        const char *problem = contradiction(column);
        if (problem)
            return column_error(policy, column, problem, err);
        bool person = is_named(column, policy->person);
        bool household = is_named(column, policy->household);
        if (person && column->has_replace && column->replace == TACIT_REPLACE_SCRUB)
            return column_error(policy, column, "is the person column and cannot be scrubbed", err);
        if (household && column->has_replace && column->replace == TACIT_REPLACE_SCRUB)
            return column_error(policy, column, "is the household column and cannot be scrubbed",
                                err);
        if (column->role != TACIT_ROLE_QUASI)
            continue;
        if (household)
            return column_error(policy, column,
                                "is the household column and cannot be of role quasi as well", err);
        if (person)
            return column_error(policy, column,
                                "is the person column and cannot be of role quasi as well", err);
        quasi++;
    }
    _Static_assert((int)TACIT_MAX_QUASI >= (int)TACIT_MAX_COLUMNS, "all columns can be quasi");
    if (quasi == 0)
        return tacit__error_at(err, TACIT_INVALID, policy->file, 0, 0,
                               "no quasi-identifier is named: give at least one column the role "
                               "quasi, or give --quasi NAME,...");
    return TACIT_OK;
}

/* ---- against a table ---- */

/* "NAME, NAME, ... and N more". */
static void list_names(char *text, size_t size, const tacit_table *table)
{
    enum { SHOWN = 10 };
    int32_t count = tacit_table_columns(table);
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < count && i < SHOWN && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 tacit__show(tacit_table_name(table, i)).text);
    if (count > SHOWN && used < size)
        snprintf(text + used, size - used, " and %d more", (int)(count - SHOWN));
}

static tacit_status check_exists(const tacit_policy *policy, const char *name, int64_t line,
                                 const tacit_table *table, tacit_error *err)
{
    tacit_strview wanted = tacit_strview_of(name);
    if (tacit_table_find(table, wanted) >= 0)
        return TACIT_OK;
    tacit__nearest nearest;
    tacit__nearest_init(&nearest, wanted);
    for (int32_t i = 0; i < tacit_table_columns(table); i++)
        tacit__nearest_offer(&nearest, tacit_table_name(table, i));
    char names[448];
    list_names(names, sizeof names, table);
    return tacit__error_at(err, TACIT_INVALID, file_at(policy, line), line, 0,
                           "column \"%s\" is not in %s%s Its columns are %s",
                           tacit__show(wanted).text, tacit_table_file(table),
                           nearest.best.bytes ? tacit__nearest_hint(&nearest).text : ".", names);
}

static bool may_be_gone(const tacit_policy_column *column)
{
    return column->role == TACIT_ROLE_IDENTIFIER && column->replace == TACIT_REPLACE_DROP;
}

static tacit_status check_names(const tacit_policy *policy, const tacit_table *table,
                                bool is_release, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < policy->column_count && status == TACIT_OK; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        if (!is_release || !may_be_gone(column))
            status = check_exists(policy, column->name, column->line, table, err);
    }
    if (status == TACIT_OK && policy->person && !is_release)
        status =
            check_exists(policy, policy->person, tacit_policy_line(policy, "person"), table, err);
    if (status == TACIT_OK && policy->household && !is_release)
        status = check_exists(policy, policy->household, tacit_policy_line(policy, "household"),
                              table, err);
    if (status == TACIT_OK && policy->sampling_weight && !is_release)
        status = check_exists(policy, policy->sampling_weight,
                              tacit_policy_line(policy, "sampling-weight"), table, err);
    return status;
}

/* ---- quasi-identifiers ---- */

static tacit_status check_sets(const tacit_policy *policy, tacit_error *err)
{
    int64_t line = tacit_policy_line(policy, "quasi-identifiers");
    bool in_some_set[TACIT_MAX_COLUMNS] = {0};
    for (int32_t i = 0; i < policy->set_count; i++)
        for (int32_t j = 0; j < policy->sets[i].count; j++)
            in_some_set[policy->sets[i].columns[j]] = true;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        bool quasi = column->role == TACIT_ROLE_QUASI, listed = in_some_set[i];
        if (quasi == listed)
            continue;
        return tacit__error_at(err, TACIT_INVALID, file_at(policy, line), line, 0,
                               "quasi-identifiers: column \"%s\" %s",
                               tacit__show(tacit_strview_of(column->name)).text,
                               quasi ? "has the role quasi but stands in none of them"
                                     : "stands in one of them but has not the role quasi");
    }
    return TACIT_OK;
}

/* What leads to something is suppressed, so it must be quasi; what it leads to is read from
 * the release. */
static tacit_status check_hidden(const tacit_policy *policy,
                                 const tacit_policy_dependency *dependency, tacit_error *err)
{
    const tacit_policy_column *right = &policy->columns[dependency->right];
    if (right->role == TACIT_ROLE_IDENTIFIER)
        return column_error(policy, right,
                            "is an identifier, and nothing that leads to it can be hidden or "
                            "proven in a release without it",
                            err);
    for (int32_t i = 0; i < dependency->left.count; i++) {
        const tacit_policy_column *column = &policy->columns[dependency->left.columns[i]];
        if (column == right)
            return column_error(policy, column, "stands on both sides of a dependency to hide",
                                err);
        if (column->role != TACIT_ROLE_QUASI)
            return column_error(policy, column,
                                "stands on the left of a dependency to hide, where only columns of "
                                "role quasi can",
                                err);
    }
    return TACIT_OK;
}

/* All quasi columns together, in the policy's order. */
static tacit_status fill_in_set(tacit_policy *policy, tacit_error *err)
{
    tacit_quasi_set *set = tacit__alloc_zeroed(1, sizeof *set);
    int32_t *columns = tacit__alloc_array((size_t)policy->column_count, sizeof *columns);
    if (!set || !columns) {
        tacit__free(set);
        tacit__free(columns);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            columns[set->count++] = i;
    set->columns = columns;
    policy->sets = set;
    policy->set_count = 1;
    return TACIT_OK;
}

static tacit_status check(tacit_policy *policy, const tacit_table *table, bool is_release,
                          tacit_error *err)
{
    tacit_status status = check_numbers(policy, err);
    if (status == TACIT_OK)
        status = check_promise(policy, err);
    if (status == TACIT_OK)
        status = check_names(policy, table, is_release, err);
    if (status == TACIT_OK)
        status = check_roles(policy, err);
    if (status == TACIT_OK)
        status = check_household(policy, err);
    if (status == TACIT_OK)
        status = check_sampling_weight(policy, is_release, err);
    if (status == TACIT_OK)
        status = check_trail(policy, err);
    if (status == TACIT_OK)
        status = check_models(policy, err);
    if (status == TACIT_OK)
        status = check_items(policy, is_release, err);
    for (int32_t i = 0; i < policy->blanks.hide_count && status == TACIT_OK; i++)
        status = check_hidden(policy, &policy->blanks.hide[i], err);
    if (status != TACIT_OK)
        return status;
    return policy->set_count > 0 ? check_sets(policy, err) : fill_in_set(policy, err);
}

/* ---- the public face ---- */

tacit_status tacit_policy_check(tacit_policy *policy, const tacit_table *table, tacit_error *err)
{
    return check(policy, table, false, err);
}

tacit_status tacit_policy_check_release(tacit_policy *policy, const tacit_table *release,
                                        tacit_error *err)
{
    return check(policy, release, true, err);
}

int32_t tacit_policy_unnamed(int32_t *columns, int32_t room, const tacit_policy *policy,
                             const tacit_table *table)
{
    assert(room == 0 || columns);
    int32_t count = 0;
    for (int32_t i = 0; i < tacit_table_columns(table); i++) {
        const tacit_policy_column *column = tacit_policy_find(policy, tacit_table_name(table, i));
        if (column && column->role != TACIT_ROLE_NONE)
            continue;
        if (count < room)
            columns[count] = i;
        count++;
    }
    return count;
}

/* The lowest entry that is not below the level, or NULL. */
static const tacit_anonymity_step *step_for(const tacit_policy *policy, double level)
{
    for (int32_t i = 0; i < policy->anonymity_count; i++)
        if (policy->anonymity_table[i].level >= level)
            return &policy->anonymity_table[i];
    return NULL;
}

static tacit_status k_of_level(const tacit_policy *policy, int64_t *k, tacit_error *err)
{
    char message[192];
    const tacit_anonymity_step *step = step_for(policy, policy->anonymity);
    if (step) {
        *k = step->k;
        return TACIT_OK;
    }
    if (policy->anonymity_count == 0)
        snprintf(message, sizeof message,
                 "level %g needs an anonymity-table that says which k it stands for; or give k "
                 "instead",
                 policy->anonymity);
    else
        snprintf(message, sizeof message,
                 "level %g is above %g, the highest level of the anonymity-table; add an entry for "
                 "it, or give k instead",
                 policy->anonymity, policy->anonymity_table[policy->anonymity_count - 1].level);
    return key_error(policy, "anonymity", message, err);
}

tacit_status tacit_policy_k(const tacit_policy *policy, int64_t *k, bool *most_general,
                            tacit_error *err)
{
    bool most = policy->has_anonymity && policy->anonymity >= 1;
    int32_t steps = policy->anonymity_count;
    int64_t found = most ? 2 : 1; /* level 1 without a table; level 0, and no k that is needed */
    if (policy->k > 0)
        found = policy->k;
    else if (!policy->has_anonymity && needs_k(policy))
        return tacit__error_at(err, TACIT_INVALID, policy->file, 0, 0,
                               "neither k nor anonymity is given");
    else if (most && steps > 0)
        found = policy->anonymity_table[steps - 1].k;
    else if (policy->has_anonymity && !most && policy->anonymity > 0) {
        tacit_status status = k_of_level(policy, &found, err);
        if (status != TACIT_OK)
            return status;
    }
    *k = found;
    *most_general = most;
    return TACIT_OK;
}

tacit_status tacit_policy_check_k(const tacit_policy *policy, tacit_error *err)
{
    int64_t k = 0;
    bool most_general;
    tacit_status status = tacit_policy_k(policy, &k, &most_general, err);
    bool bounded = policy->k == 1 && policy->risks.model != TACIT_UNIQUENESS_NONE && !policy->km;
    if (status != TACIT_OK || k > 1 || !has_k(policy) || bounded)
        return status;
    char message[160];
    snprintf(message, sizeof message,
             "%s promises nothing, because every row may be unique: give a k of 2 or more%s",
             policy->k > 0 ? "1" : "a level that stands for k = 1",
             needs_k(policy) ? " (5 is usual)" : ", or none at all");
    return key_error(policy, policy->k > 0 ? "k" : "anonymity", message, err);
}

/* Whether a dependency that leads to a column is to be hidden. */
static bool is_hidden(const tacit_policy *policy, int32_t column)
{
    bool found = false;
    for (int32_t i = 0; i < policy->blanks.hide_count; i++)
        found |= policy->blanks.hide[i].right == column;
    return found;
}

bool tacit_policy_estimates(const tacit_policy *policy)
{
    bool asked = false;
    for (int32_t i = 0; i < policy->population_model_count; i++)
        asked |= policy->population_models[i].kind == TACIT_MODEL_MAP;
    return asked && policy->sampling_weight && !policy->population;
}

tacit_model_bound tacit_policy_population_model(const tacit_policy *policy, int32_t index)
{
    tacit_model_bound model = policy->population_models[index];
    if (model.kind == TACIT_MODEL_MAP && tacit_policy_estimates(policy))
        model.kind = TACIT_MODEL_MAP_ESTIMATED;
    return model;
}

tacit_status tacit_policy_coded(const char ***names, size_t *count, const tacit_policy *policy,
                                tacit_error *err)
{
    const char **list = tacit__alloc_array((size_t)policy->column_count + 3, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    size_t used = 0;
    const char *weight = tacit_policy_estimates(policy) ? policy->sampling_weight : NULL;
    bool person_is_there = false, household_is_there = false, weight_is_there = false;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        if (column->role != TACIT_ROLE_QUASI && column->model_count == 0 && !column->items &&
            !is_hidden(policy, i))
            continue;
        list[used++] = column->name;
        person_is_there |= is_named(column, policy->person);
        household_is_there |= is_named(column, policy->household);
        weight_is_there |= is_named(column, weight);
    }
    if (policy->person && !person_is_there)
        list[used++] = policy->person;
    if (policy->household && !household_is_there)
        list[used++] = policy->household;
    if (weight && !weight_is_there)
        list[used++] = weight;
    *names = list;
    *count = used;
    return TACIT_OK;
}

void tacit_policy_names_free(const char **names)
{
    tacit__free((void *)names);
}

/* ---- columns that nobody links by ---- */

static bool is_unlinked(const tacit_policy_column *column)
{
    return column->role == TACIT_ROLE_QUASI && column->has_link && column->link == 0;
}

/* Takes unlinked columns out of a set of columns. */
static void shrink_set(tacit_quasi_set *set, const tacit_policy *policy)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < set->count; i++)
        if (!is_unlinked(&policy->columns[set->columns[i]]))
            set->columns[kept++] = set->columns[i];
    set->count = kept;
}

/* A set of which nothing is left asks for nothing. */
static void shrink_sets(tacit_policy *policy)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < policy->set_count; i++) {
        shrink_set(&policy->sets[i], policy);
        if (policy->sets[i].count > 0)
            policy->sets[kept++] = policy->sets[i];
        else
            tacit__free(policy->sets[i].columns);
    }
    policy->set_count = kept;
}

int32_t tacit_policy_leave_unlinked(tacit_policy *policy)
{
    int32_t left = 0;
    shrink_sets(policy);
    for (int32_t i = 0; i < policy->column_count; i++) {
        tacit_policy_column *column = &policy->columns[i];
        if (!is_unlinked(column))
            continue;
        tacit_hierarchy_spec_clear(&column->hierarchy);
        column->role = TACIT_ROLE_INSENSITIVE;
        column->has_weight = column->has_suppression = false;
        column->least_level = 0;
        column->rating = TACIT_RATING_IDENTIFYING;
        column->has_link = false;
        column->unlinked = true;
        left++;
    }
    return left;
}
