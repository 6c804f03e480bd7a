/*
 * columns.c - which columns the release has, and whether they may be there.
 *
 * Every promised attribute is there. A dropped identifier is not; a replaced
 * one is, and so is scrubbed text. With the original at hand, no column comes from nowhere. That no
 * name stands twice, so that none hides behind another, the reader has seen to.
 *
 * Without the original, a dropped identifier is also looked for in other
 * capitals and between blanks, since nothing else would notice it.
 */
#include <string.h>
#include <strings.h>

#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/model.h"

static tacit_strview trimmed(tacit_strview text)
{
    while (text.len && strchr(" \t", text.bytes[0])) {
        text.bytes++;
        text.len--;
    }
    while (text.len && strchr(" \t", text.bytes[text.len - 1]))
        text.len--;
    return text;
}

static bool same_loosely(tacit_strview a, tacit_strview b)
{
    a = trimmed(a);
    b = trimmed(b);
    return a.len == b.len &&
           strncasecmp(a.bytes ? a.bytes : "", b.bytes ? b.bytes : "", a.len) == 0;
}

static const tacit_promise_identifier *identifier_named(const tacit_promise *promise,
                                                        tacit_strview name, bool loosely)
{
    for (int32_t i = 0; i < promise->identifier_count; i++) {
        tacit_strview promised = tacit_strview_of(promise->identifiers[i].name);
        if (loosely ? same_loosely(promised, name) : tacit_strview_equal(promised, name))
            return &promise->identifiers[i];
    }
    return NULL;
}

static void name_columns(tacit__judge *judge)
{
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++) {
        tacit__release_column *column = &judge->columns[i];
        column->name = tacit_table_name(judge->release, i);
        column->source = judge->original ? tacit_table_find(judge->original, column->name) : -1;
    }
}

static int32_t release_column(const tacit__judge *judge, tacit_strview name)
{
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++)
        if (tacit_strview_equal(judge->columns[i].name, name))
            return i;
    return -1;
}

/* A column that a check needs by its codes; the caller has to code it. */
static tacit_status require_coded(const tacit_table *table, int32_t column, const char *name,
                                  tacit_error *err)
{
    if (column < 0 || tacit_table_is_coded(table, column))
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), 0, 0,
                           "column \"%s\" must be coded to be judged",
                           tacit__show(tacit_strview_of(name)).text);
}

static tacit_status find_attributes(tacit__judge *judge, tacit_error *err)
{
    judge->attributes_released = true;
    judge->attributes_known = judge->original != NULL;
    for (int32_t i = 0; i < judge->promise->attribute_count; i++) {
        const char *name = judge->promise->attributes[i].name;
        tacit__shown shown = tacit__show(tacit_strview_of(name));
        int32_t at = judge->attribute[i] = release_column(judge, tacit_strview_of(name));
        if (at < 0) {
            judge->attributes_released = false;
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1, "attribute \"%s\" is not in the release",
                        shown.text);
        } else {
            judge->columns[at].role = TACIT__ATTRIBUTE;
        }
        tacit_status status = require_coded(judge->release, at, name, err);
        if (status != TACIT_OK)
            return status;
        if (!judge->original)
            continue;
        at = judge->ground[i] = tacit_table_find(judge->original, tacit_strview_of(name));
        if (at < 0) {
            judge->attributes_known = false;
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1,
                        "attribute \"%s\" is not in the original", shown.text);
        }
        status = require_coded(judge->original, at, name, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static void find_identifiers(tacit__judge *judge)
{
    for (int32_t i = 0; i < judge->promise->identifier_count; i++) {
        const tacit_promise_identifier *identifier = &judge->promise->identifiers[i];
        tacit_strview name = tacit_strview_of(identifier->name);
        tacit__shown shown = tacit__show(name);
        judge->identifiers[i] = judge->original ? tacit_table_find(judge->original, name) : -1;
        if (judge->original && judge->identifiers[i] < 0)
            tacit__find(
                judge, TACIT_FINDING_COLUMN, 0, 1,
                "identifier \"%s\" is not in the original, so nothing shows that it is gone",
                shown.text);
        int32_t at = release_column(judge, name);
        if (identifier->pseudonym && at < 0)
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1,
                        "identifier \"%s\" was to be replaced, but is not in the release",
                        shown.text);
        else if (identifier->pseudonym) {
            judge->columns[at].role = TACIT__PSEUDONYM;
            judge->columns[at].per_row = identifier->per_row;
        }
    }
}

static void find_scrubbed(tacit__judge *judge)
{
    for (int32_t i = 0; i < judge->promise->scrubbed_count; i++) {
        tacit_strview name = tacit_strview_of(judge->promise->scrubbed[i]);
        int32_t at = release_column(judge, name);
        if (at < 0)
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1,
                        "column \"%s\" was to be scrubbed, but is not in the release",
                        tacit__show(name).text);
        else
            judge->columns[at].role = TACIT__SCRUBBED;
    }
}

/* Sets of items are compared by their items. */
static tacit_status find_items(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->promise->items_count && status == TACIT_OK; i++) {
        const char *name = judge->promise->items[i].column;
        int32_t at = release_column(judge, tacit_strview_of(name));
        if (at < 0)
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1,
                        "column \"%s\" of items is not in the release",
                        tacit__show(tacit_strview_of(name)).text);
        else
            judge->columns[at].role = TACIT__SCRUBBED;
        status = require_coded(judge->release, at, name, err);
        if (status == TACIT_OK && judge->original)
            status =
                require_coded(judge->original,
                              tacit_table_find(judge->original, tacit_strview_of(name)), name, err);
    }
    return status;
}

/* Columns that should not be there. */
static void refuse_columns(tacit__judge *judge)
{
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++) {
        tacit__release_column *column = &judge->columns[i];
        tacit__shown shown = tacit__show(column->name);
        const tacit_promise_identifier *identifier = identifier_named(
            judge->promise, column->name, !judge->original && column->role == TACIT__CARRIED);
        if (identifier && !identifier->pseudonym) {
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, tacit_table_rows(judge->release),
                        "identifier \"%s\" is still in the release (column %d)", shown.text, i + 1);
            column->role = TACIT__REFUSED;
        } else if (judge->original && column->source < 0) {
            tacit__find(judge, TACIT_FINDING_COLUMN, 0, tacit_table_rows(judge->release),
                        "column \"%s\" (column %d) is not in the original", shown.text, i + 1);
            column->role = TACIT__REFUSED;
        }
    }
}

static tacit_status find_person(tacit__judge *judge, tacit_error *err)
{
    judge->person_released = judge->person_known = -1;
    const tacit_promise *promise = judge->promise;
    const char *name = promise->household ? promise->household : promise->person;
    if (!name)
        return TACIT_OK;
    judge->person_released = release_column(judge, tacit_strview_of(name));
    if (judge->person_released >= 0 && judge->columns[judge->person_released].per_row)
        judge->person_released = -1; /* it tells nobody's rows any more */
    tacit_status status = require_coded(judge->release, judge->person_released, name, err);
    if (status != TACIT_OK || !judge->original)
        return status;
    judge->person_known = tacit_table_find(judge->original, tacit_strview_of(name));
    if (judge->person_known < 0)
        tacit__find(judge, TACIT_FINDING_COLUMN, 0, 1, "%s column \"%s\" is not in the original",
                    promise->household ? "household" : "person",
                    tacit__show(tacit_strview_of(name)).text);
    return require_coded(judge->original, judge->person_known, name, err);
}

static bool promised_twice(const tacit_promise *promise, int32_t attribute)
{
    tacit_strview name = tacit_strview_of(promise->attributes[attribute].name);
    for (int32_t i = 0; i < attribute; i++)
        if (tacit_strview_equal(name, tacit_strview_of(promise->attributes[i].name)))
            return true;
    return identifier_named(promise, name, false) != NULL;
}

/* A model is about a sensitive column or about the population, and has what it
 * takes. */
static tacit_status check_model(const tacit_promise_model *model, tacit_error *err)
{
    const char *problem = tacit__model_problem(&model->bound);
    bool needs_column = !tacit__model_of_population(model->bound.kind);
    if (!problem && needs_column != (model->column != NULL))
        problem = needs_column ? "it needs a column" : "it has no use for a column";
    if (!problem && model->bound.kind == TACIT_MODEL_CLOSENESS_TREE && !model->hierarchy)
        problem = "it needs a hierarchy";
    if (!problem)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID, "a promise of %s cannot be judged: %s",
                        tacit_model_name(model->bound.kind), problem);
}

/* A dependency names each column once, so that there is something to hide. */
static tacit_status check_hidden(const tacit_promise_dependency *hidden, tacit_error *err)
{
    tacit_strview right = tacit_strview_of(hidden->right);
    if (hidden->left_count < 0 || hidden->left_count >= TACIT__MAX_AMBIGUOUS)
        return tacit__error(err, TACIT_INVALID,
                            "a dependency of %d columns is to be hidden; up to %d can be judged",
                            hidden->left_count, TACIT__MAX_AMBIGUOUS - 1);
    for (int32_t i = 0; i < hidden->left_count; i++)
        if (tacit_strview_equal(tacit_strview_of(hidden->left[i]), right))
            return tacit__error(err, TACIT_INVALID,
                                "column \"%s\" depends on itself, which nobody can hide",
                                tacit__show(right).text);
    return TACIT_OK;
}

/* Alpha counts rows, over all attributes together. */
static tacit_status check_ambiguity(const tacit_promise *promise, tacit_error *err)
{
    const char *problem = NULL;
    if (promise->max_row_blanks < 0 || promise->most_column_blanks < 0)
        return tacit__error(err, TACIT_INVALID, "a limit on blanks is below 0");
    if (!promise->ambiguous &&
        (promise->mean_alpha || promise->resists_minimality || promise->both_ways))
        return tacit__error(err, TACIT_INVALID,
                            "nothing is promised of alpha unless the release is to be ambiguous");
    if (promise->mean_alpha && promise->both_ways)
        return tacit__error(err, TACIT_INVALID,
                            "k that holds both ways is promised of every row, not of the mean");
    if (promise->ambiguous && (promise->person || promise->household))
        problem = "it is counted over rows, not over people";
    else if (promise->ambiguous && promise->sets && promise->set_count > 1)
        problem = "it is counted over one quasi-identifier, not over several";
    else if (promise->ambiguous && promise->sets &&
             tacit__bitset_count(promise->sets, promise->attribute_count) !=
                 promise->attribute_count)
        problem = "it is counted over all attributes, not over some of them";
    else if (promise->ambiguous && promise->attribute_count > TACIT__MAX_AMBIGUOUS)
        problem = "it is counted over up to 64 attributes";
    if (problem)
        return tacit__error(err, TACIT_INVALID, "a promise of ambiguity cannot be judged: %s",
                            problem);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < promise->hidden_count && status == TACIT_OK; i++)
        status = check_hidden(&promise->hidden[i], err);
    return status;
}

/* Whether a set has attributes, and nothing beyond them. */
static bool names_attributes(const tacit_promise *promise, int32_t index)
{
    int32_t count = promise->attribute_count;
    size_t words = tacit__bitset_words(count);
    const uint64_t *set = promise->sets + (size_t)index * words;
    uint64_t beyond = count % 64 ? ~((UINT64_C(1) << count % 64) - 1) : 0;
    return tacit__bitset_count(set, count) > 0 && !(set[words - 1] & beyond);
}

/* What is wrong with a column of items, or NULL. */
static const char *items_problem(const tacit_promise *promise, const tacit_promise_items *items)
{
    if (!items->column || !items->hierarchy || !items->separator || !*items->separator)
        return "it needs a column, a hierarchy and what separates items";
    tacit_strview name = tacit_strview_of(items->column);
    bool taken = identifier_named(promise, name, false) != NULL;
    for (int32_t i = 0; i < promise->attribute_count; i++)
        taken |= tacit_strview_equal(name, tacit_strview_of(promise->attributes[i].name));
    return taken ? "its column is an attribute or identifier as well" : NULL;
}

static tacit_status check_items(const tacit_promise *promise, tacit_error *err)
{
    const char *problem = NULL;
    if (promise->items_count == 0)
        return TACIT_OK;
    if (promise->km < 1 || promise->km > TACIT__MAX_KNOWN)
        problem = "km is out of range: 1 to 8 items";
    else if (promise->ambiguous || promise->household)
        problem = "it is counted over people in classes";
    for (int32_t i = 0; i < promise->items_count && !problem; i++)
        problem = items_problem(promise, &promise->items[i]);
    return problem ? tacit__error(err, TACIT_INVALID,
                                  "a promise of km-anonymity cannot be judged: %s", problem)
                   : TACIT_OK;
}

tacit_status tacit__judge_promise(const tacit_promise *promise, tacit_error *err)
{
    if (promise->k < 1)
        return tacit__error(err, TACIT_INVALID, "k is %lld; it must be 1 or more",
                            (long long)promise->k);
    int32_t count = promise->attribute_count;
    if (count < 1 || count > TACIT__MAX_PROMISED)
        return tacit__error(err, TACIT_INVALID, "%d attributes are promised; 1 to %d can be judged",
                            count, TACIT__MAX_PROMISED);
    for (int32_t i = 0; i < count; i++)
        if (promised_twice(promise, i))
            return tacit__error(err, TACIT_INVALID, "attribute \"%s\" is promised twice",
                                tacit__show(tacit_strview_of(promise->attributes[i].name)).text);
    for (int32_t i = 0; promise->sets && i < promise->set_count; i++)
        if (!names_attributes(promise, i))
            return tacit__error(err, TACIT_INVALID,
                                "quasi-identifier %d is empty or names no attribute", i + 1);
    if (promise->sets && promise->set_count < 1)
        return tacit__error(err, TACIT_INVALID, "no quasi-identifier is promised");
    tacit_status status = check_ambiguity(promise, err);
    for (int32_t i = 0; i < promise->model_count && status == TACIT_OK; i++)
        status = check_model(&promise->models[i], err);
    if (status == TACIT_OK && promise->ambiguous && tacit_risk_bounds_any(&promise->risks))
        status = tacit__error(err, TACIT_INVALID,
                              "a bound on the whole release is about classes, and ambiguity "
                              "promises none");
    if (status == TACIT_OK)
        status = check_items(promise, err);
    const char *problem = tacit__risk_problem(&promise->risks);
    if (status == TACIT_OK && problem)
        status = tacit__error(err, TACIT_INVALID, "a bound on the whole release: %s", problem);
    return status;
}

tacit_status tacit__judge_columns(tacit__judge *judge, tacit_error *err)
{
    int32_t count = tacit_table_columns(judge->release);
    judge->columns = tacit__alloc_zeroed((size_t)count, sizeof *judge->columns);
    judge->identifiers =
        tacit__alloc_zeroed((size_t)judge->promise->identifier_count, sizeof *judge->identifiers);
    if (!judge->columns || !judge->identifiers)
        return tacit__nomem(err);
    name_columns(judge);
    tacit_status status = find_attributes(judge, err);
    if (status != TACIT_OK)
        return status;
    find_identifiers(judge);
    find_scrubbed(judge);
    status = find_items(judge, err);
    refuse_columns(judge);
    return status == TACIT_OK ? find_person(judge, err) : status;
}
