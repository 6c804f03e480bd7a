/*
 * keys.c - the keys of a policy: one table with each key's name, its flag's argument, its help and
 * the function that reads it. The file's reader, the flags and the command line's help all go by
 * this table, so a key is added here and nowhere else.
 *
 * The functions that read single values stand here, too, those about earlier releases and about
 * ambiguation among them, whose meaning is the method's (tacit/experimental/ambiguate.h). Values
 * that have parts are read in structured.c and techniques.c.
 */
#include <float.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "policy/keys.h"

/* ---- fields that are a value of their own ---- */

/* The field of the policy that a rule is about. */
static void *field_of(const tacit__setting *s)
{
    return (char *)s->policy + s->key->rule->field;
}

static tacit_status set_field_text(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_text(field_of(s), s, value, s->key->rule->words[0]);
}

static tacit_status set_field_file(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_file(field_of(s), s, value);
}

static tacit_status set_field_switch(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_bool(field_of(s), s, value);
}

static tacit_status set_field_limit(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_integer(field_of(s), s, value, 1, TACIT_MAX_ROWS,
                               "a whole number of 1 or more");
}

static tacit_status set_field_either(const tacit__setting *s, const tacit__policy_node *value)
{
    const char *const *words = s->key->rule->words;
    return tacit__set_either(field_of(s), s, value, words[0], words[1]);
}

static tacit_status set_field_one_of(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_one_of(field_of(s), s, value, s->key->rule->words);
}

/* ---- earlier releases ---- */

/* Files add up, those of flags to those of the policy. */
static tacit_status add_file(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    char *file = NULL, **grown = tacit__resize_array(
                           policy->previous, (size_t)policy->previous_count + 1, sizeof *grown);
    if (!grown)
        return tacit__nomem(s->err);
    policy->previous = grown;
    tacit_status status = tacit__set_file(&file, s, value);
    if (status == TACIT_OK)
        policy->previous[policy->previous_count++] = file;
    return status;
}

static tacit_status set_previous(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    int32_t before = policy->previous_count;
    tacit_status status = tacit__set_each(s, value, add_file);
    while (status != TACIT_OK && policy->previous_count > before)
        tacit__free(policy->previous[--policy->previous_count]);
    return status;
}

void tacit__policy_previous_clear(tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->previous_count; i++)
        tacit__free(policy->previous[i]);
    tacit__free(policy->previous);
    tacit__free(policy->previous_way);
}

/* ---- ambiguation ---- */

static void dependency_clear(tacit_policy_dependency *dependency)
{
    tacit__free(dependency->left.columns);
}

/* Where -> stands outside double quotes, or NULL. */
static const char *find_arrow(const char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (!quoted && text[0] == '-' && text[1] == '>')
            return text;
    }
    return NULL;
}

static bool is_empty(const char *text)
{
    return !text[strspn(text, " \t")];
}

/* The columns of a list such as A,"B,C". */
static tacit_status read_columns(tacit_quasi_set *set, const tacit__setting *s,
                                 const tacit__policy_node *value, const char *text,
                                 tacit__arena *arena)
{
    tacit__policy_node *list = NULL;
    if (is_empty(text))
        return tacit__wrong(s, value, "columns are missing before or after ->");
    tacit_status status = tacit__flag_read(&list, arena, s, text, TACIT__SHAPE_LIST);
    if (status != TACIT_OK)
        return status;
    set->columns = tacit__alloc_array((size_t)list->count, sizeof *set->columns);
    if (!set->columns)
        return tacit__nomem(s->err);
    for (const tacit__policy_node *item = list->first; item && status == TACIT_OK;
         item = item->next)
        status = tacit__policy_column_of(&set->columns[set->count++], s->policy, item->text,
                                         value->line, s->err);
    return status;
}

static tacit_status read_dependency(tacit_policy_dependency *dependency, const tacit__setting *s,
                                    const tacit__policy_node *value, tacit__arena *arena)
{
    tacit_strview text = {0};
    tacit_quasi_set right = {0};
    tacit_status status = tacit__read_text(&text, s, value, "a dependency such as A,B->C");
    if (status != TACIT_OK)
        return status;
    const char *arrow = find_arrow(text.bytes);
    if (!arrow)
        return tacit__unexpected(s, value, "a dependency such as A,B->C");
    tacit__policy_node *before = tacit__node_text(
        arena, TACIT__NODE_FLAG, (tacit_strview){text.bytes, (size_t)(arrow - text.bytes)});
    if (!before)
        return tacit__nomem(s->err);
    status = read_columns(&dependency->left, s, value, before->text.bytes, arena);
    if (status == TACIT_OK)
        status = read_columns(&right, s, value, arrow + 2, arena);
    if (status == TACIT_OK && right.count != 1)
        status = tacit__wrong(s, value, "%d columns after ->; write a dependency for each of them",
                              (int)right.count);
    if (status == TACIT_OK)
        dependency->right = right.columns[0];
    tacit__free(right.columns);
    return status;
}

/* Dependencies add up, those of flags to those of the file. */
static tacit_status add_hidden(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy_blanks *blanks = &s->policy->blanks;
    tacit_policy_dependency dependency = {0},
                            *grown = tacit__resize_array(
                                blanks->hide, (size_t)blanks->hide_count + 1, sizeof *grown);
    tacit__arena arena = {0};
    if (!grown)
        return tacit__nomem(s->err);
    blanks->hide = grown;
    tacit_status status = read_dependency(&dependency, s, value, &arena);
    tacit__arena_clear(&arena);
    if (status == TACIT_OK)
        blanks->hide[blanks->hide_count++] = dependency;
    else
        dependency_clear(&dependency);
    return status;
}

static tacit_status set_hide(const tacit__setting *s, const tacit__policy_node *value)
{
    int32_t before = s->policy->blanks.hide_count;
    tacit_status status = tacit__set_each(s, value, add_hidden);
    while (status != TACIT_OK && s->policy->blanks.hide_count > before)
        dependency_clear(&s->policy->blanks.hide[--s->policy->blanks.hide_count]);
    return status;
}

void tacit__policy_blanks_clear(tacit_policy_blanks *blanks)
{
    for (int32_t i = 0; i < blanks->hide_count; i++)
        dependency_clear(&blanks->hide[i]);
    tacit__free(blanks->hide);
    tacit__free(blanks->heuristic);
    tacit__free(blanks->row_order);
    tacit__free(blanks->costs);
    *blanks = (tacit_policy_blanks){0};
}

/* ---- all else ---- */

static tacit_policy_column *column_of(const tacit__setting *s)
{
    return &s->policy->columns[s->column];
}

static tacit_status set_share(double *slot, bool *has, const tacit__setting *s,
                              const tacit__policy_node *value)
{
    tacit_status status = tacit__read_number(slot, s, value, 0, 1, "a number from 0 to 1");
    *has = *has || status == TACIT_OK;
    return status;
}

/* k and a level below 1 say the same thing twice. As flags, the one given last
 * counts; in a file, giving both is an error of the whole and found there. */
static tacit_status set_k(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_status status = tacit__read_integer(&s->policy->k, s, value, 1, TACIT_MAX_ROWS,
                                              "a whole number of 1 or more");
    if (status == TACIT_OK && !s->file && s->policy->anonymity < 1)
        s->policy->has_anonymity = false;
    return status;
}

static tacit_status set_anonymity(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    tacit_status status = set_share(&policy->anonymity, &policy->has_anonymity, s, value);
    if (status == TACIT_OK && !s->file && policy->anonymity < 1)
        policy->k = 0;
    return status;
}

static tacit_status set_average_risk(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_number(&s->policy->risks.average, s, value, DBL_MIN, 1,
                              "a number above 0 and at most 1");
}

static tacit_status set_fraction(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_number(&s->policy->risks.fraction, s, value, DBL_MIN, 1,
                              "a number above 0 and at most 1");
}

/* A share, with a model and a colon before it or not: `0.01`, `pitman:0.01`. */
static tacit_status set_uniqueness(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char expected[] =
        "a share from 0 to 1 such as 0.001 or pitman:0.001 (dankar, pitman, zayatz, snb)";
    tacit_strview text = {0};
    tacit_status status = tacit__read_text(&text, s, value, expected);
    if (status != TACIT_OK)
        return status;
    tacit_uniqueness_model model = TACIT_UNIQUENESS_DANKAR;
    const char *colon = memchr(text.bytes, ':', text.len);
    if (colon) {
        tacit_strview name = {text.bytes, (size_t)(colon - text.bytes)};
        model = TACIT_UNIQUENESS_NONE;
        for (int i = TACIT_UNIQUENESS_PITMAN; i < TACIT_UNIQUENESS_MODELS; i++)
            if (tacit_strview_equal(
                    name, tacit_strview_of(tacit_uniqueness_name((tacit_uniqueness_model)i))))
                model = (tacit_uniqueness_model)i;
        text = (tacit_strview){colon + 1, text.len - name.len - 1};
    }
    double share = tacit__decimal_read(text);
    if (model == TACIT_UNIQUENESS_NONE || !(share >= 0 && share <= 1))
        return tacit__unexpected(s, value, expected);
    s->policy->risks.model = model;
    s->policy->risks.unique = share;
    return TACIT_OK;
}

static tacit_status set_km(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__read_integer(&s->policy->km, s, value, 1, TACIT__MAX_KM,
                               "how many items somebody may know, 1 to 8");
}

/* What is between items is told from them by nothing else. */
static tacit_status set_items(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char expected[] = "what separates the items of a cell, such as \";\"";
    tacit_strview text = {0};
    tacit_status status = tacit__read_text(&text, s, value, expected);
    if (status != TACIT_OK)
        return status;
    if (strpbrk(text.bytes, "\"\r\n") || text.len > TACIT__MAX_SEPARATOR)
        return tacit__wrong(s, value,
                            "items are separated by up to %d characters without double quotes or "
                            "line ends",
                            TACIT__MAX_SEPARATOR);
    return tacit__set_text(&column_of(s)->items, s, value, expected);
}

static tacit_status set_loss(const tacit__setting *s, const tacit__policy_node *value)
{
    return set_share(&s->policy->loss, &s->policy->has_loss, s, value);
}

static tacit_status set_suppression(const tacit__setting *s, const tacit__policy_node *value)
{
    if (s->column < 0)
        return tacit__set_either(&s->policy->no_suppression, s, value, "top", "none");
    tacit_policy_column *column = column_of(s);
    tacit_status status =
        tacit__set_either(&column->hierarchy.no_suppression, s, value, "top", "none");
    column->has_suppression = column->has_suppression || status == TACIT_OK;
    return status;
}

/* "none" is a decision, too: no column says whose the rows are. */
static tacit_status set_person(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy *policy = s->policy;
    tacit_status status = tacit__set_text(&policy->person, s, value, "the name of a column");
    if (status != TACIT_OK)
        return status;
    policy->rows_are_people = strcmp(policy->person, "none") == 0;
    if (policy->rows_are_people) {
        tacit__free(policy->person);
        policy->person = NULL;
    }
    return TACIT_OK;
}

static const char *const ROLES[] = {"identifier", "quasi", "sensitive", "insensitive", NULL};

static tacit_role role_at(int index)
{
    return (tacit_role)(TACIT_ROLE_IDENTIFIER + index);
}

static tacit_status set_role(const tacit__setting *s, const tacit__policy_node *value)
{
    int chosen = 0;
    tacit_status status = tacit__read_choice(&chosen, s, value, ROLES);
    if (status == TACIT_OK)
        column_of(s)->role = role_at(chosen);
    return status;
}

/* The flags --quasi A,B and their like are named after the role they give. All
 * columns are there before the first gets its role, so a failure gives none. */
static tacit_status set_role_of_list(const tacit__setting *s, const tacit__policy_node *value)
{
    for (const tacit__policy_node *item = value->first; item; item = item->next) {
        int32_t index;
        tacit_status status =
            tacit__policy_column_of(&index, s->policy, item->text, item->line, s->err);
        if (status != TACIT_OK)
            return status;
    }
    int role = 0;
    while (!tacit_strview_equal(tacit_strview_of(ROLES[role]), tacit_strview_of(s->key->name)))
        role++;
    for (const tacit__policy_node *item = value->first; item; item = item->next) {
        int32_t index = tacit__policy_column_find(s->policy, item->text);
        s->policy->columns[index].role = role_at(role);
    }
    return TACIT_OK;
}

static tacit_status set_weight(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy_column *column = column_of(s);
    tacit_status status = tacit__read_number(&column->weight, s, value, DBL_MIN, TACIT__MAX_WEIGHT,
                                             "a number above 0 and at most 1000000000");
    column->has_weight = column->has_weight || status == TACIT_OK;
    return status;
}

static tacit_status set_link(const tacit__setting *s, const tacit__policy_node *value)
{
    return set_share(&column_of(s)->link, &column_of(s)->has_link, s, value);
}

static tacit_status set_spread(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_policy_column *column = column_of(s);
    bool text = value->kind != TACIT__NODE_MAP && value->kind != TACIT__NODE_LIST;
    tacit_strview number = text ? value->text : tacit_strview_of("");
    bool share = number.len > 1 && number.bytes[number.len - 1] == '%';
    number.len -= share;
    double amount = tacit__decimal_read(number);
    if (!(amount >= 0 && (!share || amount <= 100)))
        return tacit__unexpected(s, value, "a distance such as 500, or 5% of the column's range");
    column->spread = (tacit_spread){share ? amount / 100 : amount, share};
    column->has_spread = true;
    return TACIT_OK;
}

static tacit_status set_replace(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char *const choices[] = {"drop",  "pseudonym",     "keep",
                                          "scrub", "row-pseudonym", NULL};
    int chosen = 0;
    tacit_status status = tacit__read_choice(&chosen, s, value, choices);
    if (status != TACIT_OK)
        return status;
    column_of(s)->replace = (tacit_replace)(TACIT_REPLACE_DROP + chosen);
    column_of(s)->has_replace = true;
    return TACIT_OK;
}

enum { MAX_CODES = 64 };

void tacit__missing_codes_clear(tacit_missing_codes *codes)
{
    while (codes->count > 0)
        tacit__free(codes->codes[--codes->count]);
    tacit__free(codes->codes);
    *codes = (tacit_missing_codes){0};
}

static tacit_status add_code(tacit_missing_codes *codes, const tacit__setting *s,
                             const tacit__policy_node *value)
{
    tacit_strview text = {0};
    tacit_status status = tacit__read_text(&text, s, value, "a code such as NA");
    if (status != TACIT_OK)
        return status;
    if (strpbrk(text.bytes, "\"\r\n"))
        return tacit__wrong(s, value, "a code cannot have double quotes or line ends");
    if (codes->count == MAX_CODES)
        return tacit__wrong(s, value, "more than %d codes", MAX_CODES);
    char **grown = tacit__resize_array(codes->codes, (size_t)codes->count + 1, sizeof *grown);
    if (!grown)
        return tacit__nomem(s->err);
    codes->codes = grown;
    grown[codes->count] = tacit__copy_bytes(text.bytes, text.len);
    if (!grown[codes->count])
        return tacit__nomem(s->err);
    codes->count++;
    return TACIT_OK;
}

/* A list takes the place of the one before; a column's may be empty, to have none. */
static tacit_status set_missing_codes(const tacit__setting *s, const tacit__policy_node *value)
{
    tacit_missing_codes codes = {0};
    tacit_missing_codes *slot =
        s->column < 0 ? &s->policy->missing_codes : &column_of(s)->missing_codes;
    tacit_status status = TACIT_OK;
    if (value->kind != TACIT__NODE_LIST)
        status = add_code(&codes, s, value);
    else
        for (const tacit__policy_node *item = value->first; item && status == TACIT_OK;
             item = item->next)
            status = add_code(&codes, s, item);
    if (status != TACIT_OK) {
        tacit__missing_codes_clear(&codes);
        return status;
    }
    tacit__missing_codes_clear(slot);
    *slot = codes;
    if (s->column >= 0)
        column_of(s)->has_missing_codes = true;
    return TACIT_OK;
}

static tacit_status set_generalize(const tacit__setting *s, const tacit__policy_node *value)
{
    int64_t level = 0;
    tacit_status status = tacit__read_integer(&level, s, value, 0, TACIT_MAX_LEVELS - 1,
                                              "a level, a whole number of 0 or more");
    if (status == TACIT_OK)
        column_of(s)->least_level = (int)level;
    return status;
}

static tacit_status set_of(const tacit__setting *s, const tacit__policy_node *value)
{
    return tacit__set_either(&column_of(s)->of_household, s, value, "person", "household");
}

static tacit_status set_rating(const tacit__setting *s, const tacit__policy_node *value)
{
    static const char *const choices[] = {"most", "more", "identifying", NULL};
    static const tacit_rating ratings[] = {TACIT_RATING_MAX, TACIT_RATING_MORE,
                                           TACIT_RATING_IDENTIFYING};
    int chosen = 0;
    tacit_status status = tacit__read_choice(&chosen, s, value, choices);
    if (status == TACIT_OK)
        column_of(s)->rating = ratings[chosen];
    return status;
}

/* clang-format off */
#define RULE(scope, shape, set) &(const tacit__policy_rule){scope, shape, set, 0, {NULL}}
#define FIELD(set, field, ...) \
    false, &(const tacit__policy_rule){TACIT__SCOPE_TOP, TACIT__SHAPE_ONE, set, \
                                       offsetof(tacit_policy, field), {__VA_ARGS__}}
/* clang-format on */
#define TEXT(field, expected)  FIELD(set_field_text, field, expected)
#define PATH(field)            FIELD(set_field_file, field, NULL)
#define SWITCH(field)          FIELD(set_field_switch, field, NULL)
#define LIMIT(field)           FIELD(set_field_limit, field, NULL)
#define EITHER(field, no, yes) FIELD(set_field_either, field, no, yes)
#define ONE_OF(field, ...)     FIELD(set_field_one_of, field, __VA_ARGS__)
#define TOP(shape, set)        false, RULE(TACIT__SCOPE_TOP, shape, set)
#define ONE(set)               TOP(TACIT__SHAPE_ONE, set)
#define COLUMN(set)            true, RULE(TACIT__SCOPE_COLUMN, TACIT__SHAPE_ONE, set)
#define MODELS                 true, RULE(TACIT__SCOPE_COLUMN, TACIT__SHAPE_LIST, tacit__set_models)
#define ROLE                   true, RULE(TACIT__SCOPE_FLAG, TACIT__SHAPE_LIST, set_role_of_list)

static const tacit_policy_key KEYS[] = {
    {"k", "K", "every combination of quasi-identifier values is shared by at least K people",
     ONE(set_k)},
    {"anonymity", "LEVEL", "anonymity from 0 (unchanged) to 1 (most general), in place of k",
     ONE(set_anonymity)},
    {"anonymity-table", "LEVEL=K,...", "the k that each anonymity level stands for",
     TOP(TACIT__SHAPE_PAIRS, tacit__set_anonymity_table)},
    {"method", "NAME", "how to generalize; none, or a technique for the quasi-identifier",
     TEXT(method, "the name of a method")},
    {"metric", "NAME", "measure that the search optimizes, such as prec or loss",
     TEXT(metric, "the name of a metric")},
    {"prefer", "levels|distinct|order",
     "which of several best releases: fewest levels, most distinct rows, or order of columns",
     ONE_OF(prefer, "levels", "distinct", "order")},
    {"all-minimal", NULL, "list every k-minimal generalization in the report", SWITCH(all_minimal)},
    {"as-published", NULL,
     "mu-argus as the program behaved, which may break k; ambiguate as in the paper: k in one "
     "direction",
     SWITCH(as_published)},
    {"as-described", NULL, "mu-argus as its algorithm was published (Figure 50)",
     SWITCH(as_described)},
    {"minimality", "ignore|resist",
     "resist: knowing the method yields nothing (local, optimal, k-similar) or no single cell "
     "(ambiguate)",
     EITHER(resist, "ignore", "resist")},
    {"heuristic", "NAME", "how ambiguate looks for cells: cover, A, B, C, D, short, short-d, exact",
     TEXT(blanks.heuristic, "the name of a heuristic")},
    {"blanks", "anything|blanks",
     "what suppressed cells of ambiguate agree with: anything, or suppressed cells only",
     EITHER(blanks.strict, "anything", "blanks")},
    {"max-row", "N", "cells that ambiguate may suppress in a row", LIMIT(blanks.max_row)},
    {"max-column", "N", "cells that ambiguate may suppress in a column", LIMIT(blanks.max_column)},
    {"row-order", "file|reverse|hardest|easiest|random",
     "order in which the heuristics C, D and short process the rows",
     ONE_OF(blanks.row_order, "file", "reverse", "hardest", "easiest", "random")},
    {"measure", "least|mean",
     "whether k is for every row or (C, D and short) the mean number of rows that agree",
     EITHER(blanks.mean, "least", "mean")},
    {"blank-costs", "FILE", "CSV file of column, value and what suppressing it costs ambiguate",
     PATH(blanks.costs)},
    {"redundant", NULL, "the same as minimality: resist, for ambiguate", SWITCH(blanks.redundant)},
    {"hide", "A,B->C", "a dependency that must not be provable from what ambiguate releases", true,
     RULE(TACIT__SCOPE_TOP, TACIT__SHAPE_ONE, set_hide)},
    {"loss", "SHARE", "share of the rows that may be suppressed, 0 to 1", ONE(set_loss)},
    {"complement", "smallest|largest", "the class that complementary suppression takes from",
     EITHER(complement_largest, "smallest", "largest")},
    {"suppressed", "keep|drop", "write suppressed rows blanked, or leave them out",
     EITHER(drop_suppressed, "keep", "drop")},
    {"shards", "seen|hidden",
     "whether recipients of a release in shards see which shard a row is in, as its table shows",
     EITHER(shards_hidden, "seen", "hidden")},
    {"keep-order", NULL, "release rows in their order instead of a random one (less safe)",
     SWITCH(keep_order)},
    {"strict", NULL,
     "refuse what otherwise causes a warning: classes of one sensitive value, columns without a "
     "role",
     SWITCH(strict)},
    {"spreadsheet-safe", NULL,
     "put an apostrophe before cells that a spreadsheet may run as formulas (= + - @ ...)",
     SWITCH(spreadsheet_safe)},
    {"encoding", "NAME",
     "of data that is not UTF-8: windows-1252, iso-8859-1, iso-8859-15; utf-8 to refuse such data",
     ONE_OF(encoding, "detect", "utf-8", "windows-1252", "iso-8859-1", "iso-8859-15")},
    {"missing-codes", "[NAME=]CODE,...",
     "cells that stand for a missing value, such as NA or 999: they are read and released as empty",
     true, RULE(TACIT__SCOPE_TOP | TACIT__SCOPE_COLUMN, TACIT__SHAPE_LIST, set_missing_codes)},
    {"suppression", "[NAME=]none|top",
     "whether hierarchies get a suppressed level on top; missing values need it in any case", true,
     RULE(TACIT__SCOPE_TOP | TACIT__SCOPE_COLUMN, TACIT__SHAPE_ONE, set_suppression)},
    {"person", "NAME|none",
     "column that says which rows belong to one person; none: each row is a person",
     ONE(set_person)},
    {"household", "NAME",
     "column that says which rows are of one household: k counts households, and k share all rows "
     "of each",
     TEXT(household, "the name of a column")},
    {"sampling-weight", "NAME",
     "column that says how many people of the population a record stands for",
     TEXT(sampling_weight, "the name of a column")},
    {"trail", "check|k",
     "k: suppress rows until k people share all rows that a column such as a pseudonym links",
     EITHER(trail, "check", "k")},
    {"ledger", "FOLDER",
     "records what was released (hashes, never values), so that later releases withstand it",
     PATH(ledger)},
    {"source", "NAME",
     "name of the data in the ledger, which recognizes it by content; its file's name unless given",
     TEXT(source, "a name of what the data is")},
    {"key-file", "FILE", "the key of pseudonyms, made on first use", PATH(key_file)},
    {"population", "FILE",
     "CSV file of the people who could be in the data: a register to link to, and for presence and "
     "k-map",
     PATH(population)},
    {"presence", "[MIN/]MAX",
     "share of the people that a class covers in the population who are in the data",
     ONE(tacit__set_models)},
    {"k-map", "K",
     "least number of people in the population that every class covers, or stands for by weights",
     ONE(tacit__set_models)},
    {"average-risk", "R",
     "mean over people of 1 / people of their class, at most: classes / people of the release",
     ONE(set_average_risk)},
    {"population-uniqueness", "[MODEL:]SHARE",
     "share of the population estimated to be unique, at most; by dankar, pitman, zayatz or snb",
     ONE(set_uniqueness)},
    {"sampling-fraction", "F",
     "share of the population that is in the data, for population-uniqueness", ONE(set_fraction)},
    {"km", "M",
     "with items: k people share every combination of up to M items of a set that occurs",
     ONE(set_km)},
    {"previous", "FILE",
     "an earlier release of the same data, with which the release may be joined", true,
     RULE(TACIT__SCOPE_TOP, TACIT__SHAPE_ONE, set_previous)},
    {"previous-way", "columns|generalize",
     "how to withstand it: all columns it shows join the quasi-identifier, or generalize it",
     ONE_OF(previous_way, "columns", "generalize")},
    {"quasi-identifiers", "A,B;B,C", "sets of columns that each keep k on their own",
     TOP(TACIT__SHAPE_SETS, tacit__set_quasi_identifiers)},
    {"quasi", "NAME,...", "columns that identify in combination: generalized", ROLE},
    {"identifier", "NAME,...", "columns that name a person: dropped or replaced", ROLE},
    {"sensitive", "NAME,...",
     "columns whose values must not be linked to a person: released unchanged", ROLE},
    {"insensitive", "NAME,...", "other columns: released unchanged", ROLE},
    {"role", "NAME=ROLE", "role of one column: identifier, quasi, sensitive or insensitive",
     COLUMN(set_role)},
    {"hierarchy", "NAME=FILE|RULE",
     "what one column generalizes to: a file, mask:right, date, interval:0/5,10,20, standard:icd10",
     COLUMN(tacit__set_hierarchy)},
    {"weight", "NAME=W",
     "weight of one column in weighted precision; for ambiguate the cost of a cell of it",
     COLUMN(set_weight)},
    {"link", "NAME=P",
     "how likely one column is used for linking, 0 (it is left out) to 1; for datafly",
     COLUMN(set_link)},
    {"spread", "NAME=D|P%",
     "how far apart numbers of a sensitive column may be to count as one value; 5% unless given",
     COLUMN(set_spread)},
    {"replace", "NAME=drop|pseudonym|row-pseudonym|keep|scrub",
     "what becomes of one identifier; scrub: for a column of text that names people",
     COLUMN(set_replace)},
    {"techniques", "NAME:SETTING=VALUE,...",
     "a technique to apply first, such as noise:columns=income+rent,size=0.1; can be given several "
     "times",
     true, RULE(TACIT__SCOPE_TOP, TACIT__SHAPE_ONE, tacit__set_techniques)},
    {"treat", "NAME=TECHNIQUE",
     "a technique to apply to one column first, such as income=noise:size=0.1",
     COLUMN(tacit__set_techniques)},
    {"generalize", "NAME=LEVEL", "release one column no finer than this level of its hierarchy",
     true, RULE(TACIT__SCOPE_COLUMN | TACIT__SCOPE_COLON, TACIT__SHAPE_ONE, set_generalize)},
    {"items", "NAME=SEPARATOR", "one column has sets of items, such as milk;bread, for km",
     COLUMN(set_items)},
    {"of", "NAME=person|household",
     "household: one column is the same for all members of a household, also in the release",
     COLUMN(set_of)},
    {"rating", "NAME=most|more|identifying", "how identifying one column is, for mu-argus",
     COLUMN(set_rating)},
    {"diversity", "NAME=L,...",
     "values of one sensitive column in every class: L, entropy:L or recursive:C/L", MODELS},
    {"closeness", "NAME=T,...",
     "distance of one column's values in a class from the table's: T, order:T or tree:T", MODELS},
    {"alpha", "NAME=SHARE",
     "largest share of a class that one value of a sensitive column may have", MODELS},
    {"likeness", "NAME=B,...",
     "gain of a value's share from table to class, in times of it, at most: B or enhanced:B",
     MODELS},
    {"disclosure", "NAME=D",
     "how far, in powers of 2, shares of one column's values in a class may be from the table's",
     MODELS},
    {"range", "NAME=E",
     "distance that the numbers of one sensitive column span in every class, at least", MODELS},
    {NULL, NULL, NULL, false, NULL},
};

_Static_assert(sizeof KEYS / sizeof KEYS[0] <= TACIT_MAX_POLICY_KEYS, "a line for every key");

const tacit_policy_key *tacit_policy_keys(void)
{
    return KEYS;
}

const tacit_policy_key *tacit__policy_key_find(tacit_strview name)
{
    for (const tacit_policy_key *key = KEYS; key->name; key++)
        if (tacit_strview_equal(tacit_strview_of(key->name), name))
            return key;
    return NULL;
}
