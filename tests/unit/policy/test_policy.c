/*
 * test_policy.c - policies read from YAML and set by flags: every key with good
 * values both ways, the two with the same result, flags over the file, and the
 * messages of everything that is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tacit/experimental/policy.h>

static tacit_policy *parse(const char *yaml)
{
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_policy_parse(&policy, tacit_strview_of(yaml), "dir/p.yaml", &err);
    if (status != TACIT_OK)
        fail_msg("%s: %s", yaml, err.message);
    return policy;
}

static void set(tacit_policy *policy, const char *key, const char *value)
{
    tacit_error err = {0};
    if (tacit_policy_set(policy, key, value, &err) != TACIT_OK)
        fail_msg("--%s %s: %s", key, value ? value : "", err.message);
}

static const tacit_policy_column *column(const tacit_policy *policy, const char *name)
{
    const tacit_policy_column *found = tacit_policy_find(policy, tacit_strview_of(name));
    assert_non_null(found);
    return found;
}

/* ---- the same by file and by flag ---- */

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

static void same_models(const tacit_model_bound *a, const tacit_model_bound *b, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(a[i].kind, b[i].kind);
        assert_true(a[i].bound == b[i].bound && a[i].second == b[i].second);
    }
}

static void assert_codes_equal(const tacit_missing_codes *a, const tacit_missing_codes *b)
{
    assert_int_equal(a->count, b->count);
    for (int32_t i = 0; i < a->count; i++)
        assert_string_equal(a->codes[i], b->codes[i]);
}

static void same_column(const tacit_policy_column *a, const tacit_policy_column *b)
{
    same_text(a->name, b->name);
    assert_int_equal(a->role, b->role);
    assert_int_equal(a->hierarchy.kind, b->hierarchy.kind);
    assert_int_equal(a->hierarchy.no_suppression, b->hierarchy.no_suppression);
    assert_int_equal(a->has_spread, b->has_spread);
    assert_true(a->spread.amount == b->spread.amount && a->spread.share == b->spread.share);
    assert_int_equal(a->hierarchy.mask_left, b->hierarchy.mask_left);
    assert_int_equal(a->hierarchy.order, b->hierarchy.order);
    assert_string_equal(a->hierarchy.standard, b->hierarchy.standard);
    assert_true(a->hierarchy.origin == b->hierarchy.origin);
    assert_int_equal(a->hierarchy.width_count, b->hierarchy.width_count);
    for (int i = 0; i < a->hierarchy.width_count; i++)
        assert_true(a->hierarchy.widths[i] == b->hierarchy.widths[i]);
    assert_int_equal(a->hierarchy.decimal, b->hierarchy.decimal);
    same_text(a->hierarchy.path, b->hierarchy.path);
    assert_int_equal(a->has_suppression, b->has_suppression);
    assert_int_equal(a->has_missing_codes, b->has_missing_codes);
    assert_codes_equal(&a->missing_codes, &b->missing_codes);
    assert_int_equal(a->has_weight, b->has_weight);
    assert_int_equal(a->has_link, b->has_link);
    assert_int_equal(a->has_replace, b->has_replace);
    assert_true(a->weight == b->weight && a->link == b->link);
    assert_int_equal(a->replace, b->replace);
    assert_int_equal(a->least_level, b->least_level);
    assert_int_equal(a->rating, b->rating);
    assert_int_equal(a->of_household, b->of_household);
    assert_int_equal(a->model_count, b->model_count);
    same_models(a->models, b->models, a->model_count);
}

static void same_blanks(const tacit_policy_blanks *a, const tacit_policy_blanks *b)
{
    same_text(a->heuristic, b->heuristic);
    same_text(a->row_order, b->row_order);
    same_text(a->costs, b->costs);
    assert_int_equal(a->strict, b->strict);
    assert_int_equal(a->mean, b->mean);
    assert_int_equal(a->redundant, b->redundant);
    assert_int_equal(a->max_row, b->max_row);
    assert_int_equal(a->max_column, b->max_column);
    assert_int_equal(a->hide_count, b->hide_count);
    for (int i = 0; i < a->hide_count; i++) {
        assert_int_equal(a->hide[i].right, b->hide[i].right);
        assert_int_equal(a->hide[i].left.count, b->hide[i].left.count);
        for (int j = 0; j < a->hide[i].left.count; j++)
            assert_int_equal(a->hide[i].left.columns[j], b->hide[i].left.columns[j]);
    }
}

static void same_steps(const tacit_policy *a, const tacit_policy *b)
{
    tacit_technique_step *steps[2] = {NULL, NULL};
    size_t counts[2];
    assert_int_equal(tacit_policy_steps(&steps[0], &counts[0], a, NULL), TACIT_OK);
    assert_int_equal(tacit_policy_steps(&steps[1], &counts[1], b, NULL), TACIT_OK);
    assert_int_equal(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; i++) {
        same_text(steps[0][i].technique, steps[1][i].technique);
        assert_int_equal(steps[0][i].setting_count, steps[1][i].setting_count);
        for (size_t j = 0; j < steps[0][i].setting_count; j++) {
            const tacit_technique_setting *x = &steps[0][i].settings[j];
            const tacit_technique_setting *y = &steps[1][i].settings[j];
            same_text(x->name, y->name);
            assert_int_equal(x->value_count, y->value_count);
            for (size_t v = 0; v < x->value_count; v++)
                same_text(x->values[v], y->values[v]);
        }
    }
    tacit_policy_steps_free(steps[0]);
    tacit_policy_steps_free(steps[1]);
}

static void same_policy(const tacit_policy *a, const tacit_policy *b)
{
    same_steps(a, b);
    assert_int_equal(a->k, b->k);
    assert_int_equal(a->has_anonymity, b->has_anonymity);
    assert_true(a->anonymity == b->anonymity && a->loss == b->loss);
    assert_int_equal(a->anonymity_count, b->anonymity_count);
    for (int i = 0; i < a->anonymity_count; i++) {
        assert_true(a->anonymity_table[i].level == b->anonymity_table[i].level);
        assert_int_equal(a->anonymity_table[i].k, b->anonymity_table[i].k);
    }
    same_text(a->method, b->method);
    same_text(a->metric, b->metric);
    same_text(a->prefer, b->prefer);
    same_text(a->population, b->population);
    assert_int_equal(a->previous_count, b->previous_count);
    for (int i = 0; i < a->previous_count; i++)
        same_text(a->previous[i], b->previous[i]);
    same_text(a->previous_way, b->previous_way);
    assert_int_equal(a->all_minimal, b->all_minimal);
    assert_int_equal(a->as_published, b->as_published);
    assert_int_equal(a->as_described, b->as_described);
    assert_int_equal(a->resist, b->resist);
    assert_true(a->risks.average == b->risks.average && a->risks.unique == b->risks.unique);
    assert_true(a->risks.model == b->risks.model && a->risks.fraction == b->risks.fraction);
    assert_int_equal(a->population_model_count, b->population_model_count);
    same_models(a->population_models, b->population_models, a->population_model_count);
    assert_int_equal(a->has_loss, b->has_loss);
    assert_int_equal(a->complement_largest, b->complement_largest);
    assert_int_equal(a->drop_suppressed, b->drop_suppressed);
    assert_int_equal(a->shards_hidden, b->shards_hidden);
    assert_int_equal(a->keep_order, b->keep_order);
    assert_int_equal(a->spreadsheet_safe, b->spreadsheet_safe);
    assert_int_equal(a->no_suppression, b->no_suppression);
    assert_codes_equal(&a->missing_codes, &b->missing_codes);
    same_text(a->encoding, b->encoding);
    same_text(a->person, b->person);
    same_text(a->household, b->household);
    same_text(a->sampling_weight, b->sampling_weight);
    assert_int_equal(a->rows_are_people, b->rows_are_people);
    assert_int_equal(a->trail, b->trail);
    same_text(a->key_file, b->key_file);
    same_text(a->ledger, b->ledger);
    same_text(a->source, b->source);
    same_blanks(&a->blanks, &b->blanks);
    assert_int_equal(a->column_count, b->column_count);
    for (int i = 0; i < a->column_count; i++)
        same_column(&a->columns[i], &b->columns[i]);
    assert_int_equal(a->set_count, b->set_count);
    for (int i = 0; i < a->set_count; i++) {
        assert_int_equal(a->sets[i].count, b->sets[i].count);
        for (int j = 0; j < a->sets[i].count; j++)
            assert_int_equal(a->sets[i].columns[j], b->sets[i].columns[j]);
    }
}

/* A line of YAML, and the flags that say the same. */
static const struct pair {
    const char *yaml;
    const char *flags[6]; /* key, value, key, value, ... */
} PAIRS[] = {
    {"k: 5", {"k", "5"}},
    {"k: 4294967294", {"k", "4294967294"}},
    {"anonymity: 0.7", {"anonymity", "0.7"}},
    {"anonymity: 1", {"anonymity", "1"}},
    {"anonymity: 0", {"anonymity", "0"}},
    {"anonymity-table: {0.1: 54, 0.2: 109}", {"anonymity-table", "0.1=54,0.2=109"}},
    {"anonymity-table: [{level: 0.1, k: 54}, {k: 109, level: .2}]",
     {"anonymity-table", "0.1=54, 0.2=109"}},
    {"method: datafly", {"method", "datafly"}},
    {"loss: 0.05", {"loss", "0.05"}},
    {"loss: 5e-2", {"loss", "0.05"}},
    {"complement: largest", {"complement", "largest"}},
    {"complement: smallest", {"complement", "smallest"}},
    {"suppressed: drop", {"suppressed", "drop"}},
    {"suppressed: keep", {"suppressed", "keep"}},
    {"shards: hidden", {"shards", "seen", "shards", "hidden"}},
    {"keep-order: true", {"keep-order", ""}},
    {"strict: true", {"strict", ""}},
    {"strict: false", {"strict", "false"}},
    {"keep-order: true", {"keep-order", "true"}},
    {"keep-order: false", {"keep-order", "false"}},
    {"spreadsheet-safe: true", {"spreadsheet-safe", ""}},
    {"spreadsheet-safe: false", {"spreadsheet-safe", "false"}},
    {"encoding: windows-1252", {"encoding", "windows-1252"}},
    {"missing-codes: [NA, 999, \"-\"]", {"missing-codes", "NA,999,-"}},
    {"missing-codes: NA\ncolumns: {A: {missing-codes: [., \"x=y\"]}}",
     {"missing-codes", "NA", "missing-codes", "A=.,x=y"}},
    {"suppression: none", {"suppression", "none"}},
    {"suppression: top", {"suppression", "top"}},
    {"person: PID", {"person", "PID"}},
    {"person: \"null\"", {"person", "null"}},
    {"person: none", {"person", "PID", "person", "none"}},
    {"household: HID", {"household", "HID"}},
    {"sampling-weight: w", {"sampling-weight", "w"}},
    {"trail: k", {"trail", "k"}},
    {"trail: check", {"trail", "k", "trail", "check"}},
    {"columns: {A: {replace: row-pseudonym}}", {"replace", "A=row-pseudonym"}},
    {"key-file: /keys/k", {"key-file", "/keys/k"}},
    {"ledger: /books/b", {"ledger", "/books/b"}},
    {"source: people", {"source", "people"}},
    {"columns: {A: quasi, B: quasi}", {"quasi", "A,B"}},
    {"columns: {A: identifier}", {"identifier", "A"}},
    {"columns: {A: sensitive}", {"sensitive", "A"}},
    {"columns: {A: insensitive}", {"insensitive", "A"}},
    {"columns: {A: {role: quasi}}", {"role", "A=quasi"}},
    {"columns: {'a,b': quasi, 'c\"d': quasi, e f: quasi}", {"quasi", "\"a,b\", \"c\"\"d\" ,e f"}},
    {"columns: {'a=b': quasi}", {"role", "\"a=b\"=quasi"}},
    {"columns: {A: quasi, B: quasi, C: quasi}\nquasi-identifiers: [[A, B], [B, C]]",
     {"quasi", "A,B,C", "quasi-identifiers", "A,B; B,C"}},
    {"quasi-identifiers: [[B], [A]]\ncolumns: {A: quasi, B: quasi}",
     {"quasi", "A,B", "quasi-identifiers", "B;A"}},
    {"columns: {A: {hierarchy: {mask: right}}}", {"hierarchy", "A=mask:right"}},
    {"columns: {A: {hierarchy: {mask: left}}}", {"hierarchy", "A=mask:left"}},
    {"columns: {A: {hierarchy: mask:left}}", {"hierarchy", "A=mask:left"}},
    {"columns: {A: {hierarchy: {date: true}}}", {"hierarchy", "A=date"}},
    {"columns: {A: {hierarchy: {date: {order: day-first}}}}", {"hierarchy", "A=date:day-first"}},
    {"columns: {A: {hierarchy: {date: {windows: [2, 24]}}}}", {"hierarchy", "A=date:2,24"}},
    {"columns: {A: {hierarchy: {date: {order: month-first, windows: [6, 12]}}}}",
     {"hierarchy", "A=date:month-first/6,12"}},
    {"columns: {A: {hierarchy: {date: {order: month-first}}}}",
     {"hierarchy", "A=date:month-first"}},
    {"columns: {A: {hierarchy: {interval: {origin: -5, widths: [2.5, 5, 20]}}}}",
     {"hierarchy", "A=interval:-5/2.5,5,20"}},
    {"columns: {A: {hierarchy: {interval: {widths: [5]}}}}", {"hierarchy", "A=interval:0/5"}},
    {"columns: {A: {hierarchy: {interval: {widths: [0.5], decimal: comma}}}}",
     {"hierarchy", "A=interval:0/0.5/comma"}},
    {"columns: {A: {hierarchy: /h/zip.csv}}", {"hierarchy", "A=/h/zip.csv"}},
    {"columns: {A: {hierarchy: {file: /h/a=b.csv}}}", {"hierarchy", "A=/h/a=b.csv"}},
    {"columns: {A: {hierarchy: none}}", {"hierarchy", "A=none"}},
    {"columns: {A: {weight: 2.5}}", {"weight", "A=2.5"}},
    {"columns: {A: {link: 0.5}}", {"link", "A=0.5"}},
    {"columns: {A: {replace: drop}}", {"replace", "A=drop"}},
    {"columns: {A: {replace: pseudonym}}", {"replace", "A=pseudonym"}},
    {"columns: {A: {replace: keep}}", {"replace", "A=keep"}},
    {"columns: {A: {replace: scrub}}", {"replace", "A=scrub"}},
    {"columns: {A: {suppression: none}}", {"suppression", "A=none"}},
    {"columns: {A: {spread: 500}}", {"spread", "A=500"}},
    {"columns: {A: {spread: 2.5%}}", {"spread", "A=2.5%"}},
    {"metric: loss", {"metric", "loss"}},
    {"prefer: levels", {"prefer", "levels"}},
    {"prefer: order", {"prefer", "distinct", "prefer", "order"}},
    {"all-minimal: true", {"all-minimal", ""}},
    {"as-published: true", {"as-published", ""}},
    {"as-described: true", {"as-described", "true"}},
    {"heuristic: B", {"heuristic", "B"}},
    {"blanks: blanks", {"blanks", "blanks"}},
    {"blanks: anything", {"blanks", "blanks", "blanks", "anything"}},
    {"max-row: 2\nmax-column: 30", {"max-row", "2", "max-column", "30"}},
    {"row-order: hardest", {"row-order", "file", "row-order", "hardest"}},
    {"measure: mean", {"measure", "mean"}},
    {"measure: least", {"measure", "mean", "measure", "least"}},
    {"blank-costs: /c/costs.csv", {"blank-costs", "/c/costs.csv"}},
    {"redundant: true", {"redundant", ""}},
    {"minimality: resist", {"minimality", "resist"}},
    {"hide: A,B->C", {"hide", "A, B -> C"}},
    {"hide: '\"A->B\"->\"C,D\"'", {"hide", "\"A->B\"->\"C,D\""}},
    {"hide: [\"A,B->C\", A->D]", {"hide", "A,B->C", "hide", "A->D"}},
    {"population: /r/people.csv", {"population", "/r/people.csv"}},
    {"previous: /r/old.csv", {"previous", "/r/old.csv"}},
    {"previous: [/a.csv, /b.csv]", {"previous", "/a.csv", "previous", "/b.csv"}},
    {"previous-way: columns", {"previous-way", "generalize", "previous-way", "columns"}},
    {"presence: 0.5", {"presence", "0.5"}},
    {"presence: 0.1/0.5", {"presence", "0.1/0.5"}},
    {"average-risk: 0.05", {"average-risk", "0.05"}},
    {"km: 2\ncolumns: {A: {role: sensitive, items: \";\"}}",
     {"km", "2", "sensitive", "A", "items", "A=;"}},
    {"km: 8\ncolumns: {A: {role: sensitive, items: ' / '}}",
     {"km", "8", "sensitive", "A", "items", "A= / "}},
    {"sampling-fraction: 0.01\npopulation-uniqueness: 0.001",
     {"population-uniqueness", "dankar:0.001", "sampling-fraction", "0.01"}},
    {"sampling-fraction: 1\npopulation-uniqueness: snb:0",
     {"population-uniqueness", "snb:0", "sampling-fraction", "1"}},
    {"k-map: 10", {"k-map", "10"}},
    {"k-map: 10\npresence: 0/1", {"k-map", "10", "presence", "0/1"}},
    {"k-map: 11", {"presence", "1", "k-map", "11", "presence", "none"}},
    {"techniques: [{noise: {columns: [a, b], size: 0.1}}]",
     {"techniques", "noise:columns=a+b,size=0.1"}},
    {"columns: {A: {treat: {noise: {size: 0.1}}}}", {"treat", "A=noise:size=0.1"}},
    {"columns: {A: {generalize: 1}}", {"generalize", "A=1"}},
    {"columns: {A: {generalize: 1}}", {"generalize", "A:1"}},
    {"columns: {'a:b': {generalize: 63}}", {"generalize", "a:b=63"}},
    {"columns: {'a:b': {generalize: 0}}", {"generalize", "\"a:b\":0"}},
    {"columns: {A: {of: household}}", {"of", "A=household"}},
    {"columns: {A: {of: person}}", {"of", "A=household", "of", "A=person"}},
    {"columns: {A: {rating: most}}", {"rating", "A=most"}},
    {"columns: {A: {rating: more}}", {"rating", "A=more"}},
    {"columns: {A: {rating: identifying}}", {"rating", "A=most", "rating", "A=identifying"}},
    {"columns: {A: {diversity: 3}}", {"diversity", "A=3"}},
    {"columns: {A: {diversity: [3]}}", {"diversity", "A=3"}},
    {"columns: {A: {diversity: [3, entropy:2.5, recursive:2/3]}}",
     {"diversity", "A=3, entropy:2.5,recursive:2/3"}},
    {"columns: {A: {diversity: [4, recursive:0.5/2]}}",
     {"diversity", "A=3", "diversity", "A=recursive:0.5/2", "diversity", "A=4"}},
    {"columns: {A: {diversity: none, alpha: 1}}",
     {"diversity", "A=3,entropy:1", "alpha", "A=1", "diversity", "A=none"}},
    {"columns: {A: {hierarchy: {standard: icd10}}}", {"hierarchy", "A=standard:icd10"}},
    {"columns: {A: {closeness: 0.2}}", {"closeness", "A=0.2"}},
    {"columns: {A: {closeness: tree:0.2}}", {"closeness", "A=tree:.2"}},
    {"columns: {A: {closeness: order:0.2}}", {"closeness", "A=order:.2"}},
    {"columns: {A: {likeness: [2, enhanced:0.5]}}", {"likeness", "A=2,enhanced:.5"}},
    {"columns: {A: {disclosure: 1.5, range: 500}}", {"disclosure", "A=1.5", "range", "A=500"}},
    {"columns: {A: {closeness: [0, tree:1], alpha: 0.5}}",
     {"closeness", "A=0,tree:1", "alpha", "A=0.5"}},
    {"suppression: none\ncolumns: {A: {suppression: top, role: quasi}, B: quasi}",
     {"suppression", "A=top", "quasi", "A,B", "suppression", "none"}},
};

static void file_and_flags_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        tacit_policy *from_file = parse(PAIRS[i].yaml), *from_flags = NULL;
        assert_int_equal(tacit_policy_new(&from_flags, NULL), TACIT_OK);
        for (int f = 0; f < 6 && PAIRS[i].flags[f]; f += 2)
            set(from_flags, PAIRS[i].flags[f], PAIRS[i].flags[f + 1]);
        same_policy(from_file, from_flags);
        tacit_policy_free(from_file);
        tacit_policy_free(from_flags);
    }
}

/* Every key of the table has a pair above, so none goes untested. */
static void every_key_is_paired(void **state)
{
    (void)state;
    for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++) {
        bool found = false;
        for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++)
            for (int f = 0; f < 6 && PAIRS[i].flags[f]; f += 2)
                found = found || strcmp(PAIRS[i].flags[f], key->name) == 0;
        if (!found)
            fail_msg("no test of the key %s", key->name);
        assert_non_null(key->help);
        assert_true(strlen(key->help) > 10 && strlen(key->help) < 100);
    }
}

static void a_whole_policy(void **state)
{
    (void)state;
    tacit_policy *p =
        parse("# how patients.csv is released\n"
              "quasi-identifiers:\n"
              "  - [ZIP, BIRTH]\n"
              "  - [ZIP, SEX]\n"
              "k: 5\n"
              "loss: 0.02\n"
              "method: datafly\n"
              "complement: largest\n"
              "suppressed: drop\n"
              "keep-order: true\n"
              "suppression: none\n"
              "person: PID\n"
              "key-file: secret.key\n"
              "ledger: books\n"
              "population: people.csv\n"
              "k-map: 7\n"
              "columns:\n"
              "  PID: {role: identifier, replace: pseudonym}\n"
              "  NAME: identifier\n"
              "  BIRTH:\n"
              "    role: quasi\n"
              "    hierarchy: {date: true}\n"
              "    link: 0.9\n"
              "  ZIP: {role: quasi, hierarchy: zip.csv, weight: 2, suppression: top}\n"
              "  SEX: quasi\n"
              "  DIAGNOSIS:\n"
              "    role: sensitive\n"
              "    hierarchy: icd.csv\n"
              "    diversity: [2, entropy:1.5]\n"
              "    closeness: tree:0.2\n"
              "  NOTE: insensitive\n");
    assert_string_equal(p->file, "dir/p.yaml");
    assert_string_equal(p->directory, "dir");
    assert_int_equal(p->k, 5);
    assert_true(p->has_loss && p->loss == 0.02);
    assert_string_equal(p->method, "datafly");
    assert_true(p->complement_largest && p->drop_suppressed && p->keep_order && p->no_suppression);
    assert_string_equal(p->person, "PID");
    assert_string_equal(p->key_file, "dir/secret.key");
    assert_string_equal(p->ledger, "dir/books");
    assert_int_equal(p->column_count, 7);
    assert_string_equal(p->columns[0].name, "PID"); /* as `columns` lists them */
    assert_int_equal(p->columns[0].replace, TACIT_REPLACE_PSEUDONYM);
    assert_int_equal(p->columns[0].line, 18);
    assert_int_equal(column(p, "NAME")->role, TACIT_ROLE_IDENTIFIER);
    assert_int_equal(column(p, "NAME")->replace, TACIT_REPLACE_DROP);
    assert_int_equal(column(p, "BIRTH")->hierarchy.kind, TACIT_HIERARCHY_DATE);
    assert_true(column(p, "BIRTH")->hierarchy.no_suppression);
    assert_true(column(p, "BIRTH")->has_link && column(p, "BIRTH")->link == 0.9);
    assert_int_equal(column(p, "ZIP")->hierarchy.kind, TACIT_HIERARCHY_FILE);
    assert_string_equal(column(p, "ZIP")->hierarchy.path, "dir/zip.csv");
    assert_false(column(p, "ZIP")->hierarchy.no_suppression);
    assert_true(column(p, "ZIP")->has_weight && column(p, "ZIP")->weight == 2);
    assert_int_equal(column(p, "DIAGNOSIS")->role, TACIT_ROLE_SENSITIVE);
    assert_int_equal(column(p, "DIAGNOSIS")->model_count, 3);
    assert_int_equal(column(p, "DIAGNOSIS")->models[1].kind, TACIT_MODEL_ENTROPY);
    assert_true(column(p, "DIAGNOSIS")->models[1].bound == 1.5);
    assert_int_equal(column(p, "DIAGNOSIS")->models[2].kind, TACIT_MODEL_CLOSENESS_TREE);
    assert_string_equal(p->population, "dir/people.csv");
    assert_int_equal(p->population_models[0].kind, TACIT_MODEL_MAP);
    assert_true(p->population_models[0].bound == 7);
    assert_int_equal(column(p, "NOTE")->role, TACIT_ROLE_INSENSITIVE);
    assert_int_equal(p->set_count, 2);
    assert_int_equal(p->sets[0].columns[0], 3);
    assert_int_equal(p->sets[0].columns[1], 2);
    assert_int_equal(p->sets[1].columns[1], 4);
    assert_null(tacit_policy_find(p, tacit_strview_of("zip")));
    assert_int_equal(tacit_policy_line(p, "loss"), 6);
    assert_int_equal(tacit_policy_line(p, "quasi-identifiers"), 2);
    assert_int_equal(tacit_policy_line(p, "anonymity"), 0);
    tacit_policy_free(p);
}

/* ---- file names ---- */

static void relative_names(void **state)
{
    (void)state;
    const char *yaml = "key-file: k\ncolumns: {A: {hierarchy: {file: date}}}";
    static const struct {
        const char *name, *key, *hierarchy;
    } cases[] = {
        {"p.yaml", "k", "date"}, {"/p.yaml", "/k", "/date"}, {"a/b/p.yaml", "a/b/k", "a/b/date"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit_policy *p = NULL;
        assert_int_equal(tacit_policy_parse(&p, tacit_strview_of(yaml), cases[i].name, NULL), 0);
        assert_string_equal(p->key_file, cases[i].key);
        assert_int_equal(p->columns[0].hierarchy.kind, TACIT_HIERARCHY_FILE);
        assert_string_equal(p->columns[0].hierarchy.path, cases[i].hierarchy);
        tacit_policy_free(p);
    }
    /* A flag's names start at the working directory, not at the policy's. */
    tacit_policy *p = parse("k: 2");
    set(p, "key-file", "mine.key");
    set(p, "hierarchy", "A=zip.csv");
    assert_string_equal(p->key_file, "mine.key");
    assert_string_equal(p->columns[0].hierarchy.path, "zip.csv");
    tacit_policy_free(p);
}

/* A hierarchy that measures distances has no suppressed level on top, unless it
 * is asked for. */
static void sensitive_hierarchies_end_in_their_root(void **state)
{
    (void)state;
    tacit_policy *p = parse("columns: {A: {role: sensitive, hierarchy: a.csv}, B: quasi}");
    assert_true(column(p, "A")->hierarchy.no_suppression);
    assert_false(column(p, "B")->hierarchy.no_suppression);
    set(p, "quasi", "A");
    assert_false(column(p, "A")->hierarchy.no_suppression);
    set(p, "suppression", "A=top");
    set(p, "sensitive", "A");
    assert_false(column(p, "A")->hierarchy.no_suppression);
    tacit_policy_free(p);
}

/* ---- flags over the file ---- */

static void flags_win(void **state)
{
    (void)state;
    tacit_policy *p = parse("k: 5\nloss: 0.1\nsuppression: none\nanonymity-table: {0.5: 7}\n"
                            "columns:\n  A: {role: sensitive, hierarchy: {mask: right}}\n"
                            "  B: quasi\n");
    set(p, "k", "3");
    assert_int_equal(p->k, 3);
    assert_int_equal(tacit_policy_line(p, "k"), 0);
    assert_int_equal(tacit_policy_line(p, "loss"), 2);
    set(p, "loss", "0");
    assert_true(p->has_loss && p->loss == 0);
    set(p, "quasi", "A");
    assert_int_equal(column(p, "A")->role, TACIT_ROLE_QUASI);
    assert_int_equal(column(p, "B")->role, TACIT_ROLE_QUASI); /* what is not named stays */
    set(p, "hierarchy", "A=date");
    assert_int_equal(column(p, "A")->hierarchy.kind, TACIT_HIERARCHY_DATE);
    assert_true(column(p, "A")->hierarchy.no_suppression);
    set(p, "suppression", "top");
    assert_false(column(p, "A")->hierarchy.no_suppression);
    set(p, "suppression", "A=none");
    assert_true(column(p, "A")->hierarchy.no_suppression);
    assert_false(column(p, "B")->hierarchy.no_suppression);
    set(p, "anonymity-table", "0.5=9,0.6=9");
    assert_int_equal(p->anonymity_count, 2);
    set(p, "quasi-identifiers", "A;A,B");
    set(p, "quasi-identifiers", "B,A");
    assert_int_equal(p->set_count, 1);
    assert_int_equal(p->sets[0].columns[0], 1);
    set(p, "keep-order", NULL);
    assert_true(p->keep_order);
    tacit_policy_free(p);
}

static void k_and_level_displace_each_other(void **state)
{
    (void)state;
    tacit_policy *p = parse("k: 5\nanonymity-table: {0.5: 7}");
    set(p, "anonymity", "0.5");
    assert_int_equal(p->k, 0);
    set(p, "k", "4");
    assert_false(p->has_anonymity);
    set(p, "anonymity", "1"); /* most general, with k beside it */
    assert_int_equal(p->k, 4);
    set(p, "k", "6");
    assert_true(p->has_anonymity && p->k == 6);
    tacit_policy_free(p);
}

/* A flag that fails leaves the policy as it was, columns included. */
static void failing_flags_change_nothing(void **state)
{
    (void)state;
    static const char *const flags[][2] = {{"k", "0"},
                                           {"weight", "NEW=heavy"},
                                           {"quasi", "NEW,,OTHER"},
                                           {"quasi-identifiers", "NEW;OTHER,OTHER"},
                                           {"anonymity-table", "0.5=3,0.4=9"},
                                           {"hierarchy", "A=mask:up"},
                                           {"suppression", "NEW=sometimes"},
                                           {"generalize", "NEW:-1"},
                                           {"rating", "A=least"},
                                           {"diversity", "A=entropy:3,x"},
                                           {"alpha", "NEW=0"},
                                           {"presence", "0.6/0.5"},
                                           {"prefer", "nothing"},
                                           {"loss", "2"}};
    const char *yaml = "k: 5\nloss: 0.1\nanonymity-table: {0.5: 7}\n"
                       "prefer: levels\npresence: 0.2\n"
                       "columns: {A: {role: quasi, hierarchy: {mask: left}, diversity: 2}}\n"
                       "quasi-identifiers: [[A]]";
    tacit_policy *p = parse(yaml), *fresh = parse(yaml);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        assert_int_equal(tacit_policy_set(p, flags[i][0], flags[i][1], NULL), TACIT_INVALID);
        same_policy(p, fresh);
    }
    tacit_policy_free(p);
    tacit_policy_free(fresh);
}

static void read_from_disk(void **state)
{
    (void)state;
    char folder[] = "/tmp/tacit-policy-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("\xEF\xBB\xBFk: 3\r\ncolumns:\r\n  \"Z\xC3\xBC\": quasi\r\n", file);
    fclose(file);
    tacit_policy *p = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_policy_read(&p, path, &err), TACIT_OK);
    assert_int_equal(p->k, 3);
    assert_string_equal(p->directory, folder);
    assert_string_equal(p->columns[0].name, "Z\xC3\xBC");
    tacit_policy_free(p);
    p = NULL;
    unlink(path);
    assert_int_equal(tacit_policy_read(&p, path, &err), TACIT_IO);
    assert_string_equal(err.file, path);
    assert_null(p);
    err = (tacit_error){0};
    assert_int_equal(tacit_policy_read(&p, folder, &err), TACIT_IO);
    rmdir(folder);
}

/* ---- the documentation ---- */

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void documented_policies_are_valid(void **state)
{
    (void)state;
    char *text = read_all(TACIT_SOURCE_DIR "/docs/policy.md");
    int examples = 0;
    for (char *at = text; (at = strstr(at, "```yaml\n")); examples++) {
        at += strlen("```yaml\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        tacit_policy *policy = parse(at);
        assert_true(policy->column_count > 0 && (policy->k > 0 || policy->has_anonymity));
        tacit_policy_free(policy);
        at = end + 1;
    }
    assert_true(examples >= 4);
    free(text);
}

static void every_key_is_documented(void **state)
{
    (void)state;
    char *text = read_all(TACIT_SOURCE_DIR "/docs/policy.md");
    for (const tacit_policy_key *key = tacit_policy_keys(); key->name; key++) {
        char flag[64];
        snprintf(flag, sizeof flag, "`--%s", key->name);
        if (!strstr(text, flag))
            fail_msg("docs/policy.md does not speak of --%s", key->name);
    }
    free(text);
}

static void empty_and_free(void **state)
{
    (void)state;
    tacit_policy *p = NULL;
    assert_int_equal(tacit_policy_new(&p, NULL), TACIT_OK);
    assert_int_equal(p->column_count, 0);
    assert_null(tacit_policy_find(p, tacit_strview_of("A")));
    tacit_policy_free(p);
    tacit_policy_free(NULL);
    p = parse("{}");
    assert_int_equal(p->k, 0);
    tacit_policy_free(p);
    p = parse("columns: {A: {}}");
    assert_int_equal(column(p, "A")->role, TACIT_ROLE_NONE);
    tacit_policy_free(p);
}

static void what_is_not_linked_by_is_left_out(void **state)
{
    (void)state;
    tacit_policy *p = parse("k: 2\nquasi-identifiers: [[A, B], [B]]\n"
                            "columns: {A: {role: quasi, link: 0.5}, C: {role: sensitive},\n"
                            "  B: {role: quasi, link: 0, weight: 2, hierarchy: {mask: right}}}");
    assert_int_equal(tacit_policy_leave_unlinked(p), 1);
    assert_int_equal(column(p, "B")->role, TACIT_ROLE_INSENSITIVE);
    assert_true(column(p, "B")->unlinked && !column(p, "B")->has_weight);
    assert_int_equal(column(p, "B")->hierarchy.kind, TACIT_HIERARCHY_NONE);
    assert_int_equal(column(p, "A")->role, TACIT_ROLE_QUASI);
    assert_int_equal(p->set_count, 1);
    assert_int_equal(p->sets[0].count, 1);
    assert_int_equal(tacit_policy_leave_unlinked(p), 0);
    tacit_policy_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_and_free),
        cmocka_unit_test(file_and_flags_agree),
        cmocka_unit_test(every_key_is_paired),
        cmocka_unit_test(a_whole_policy),
        cmocka_unit_test(relative_names),
        cmocka_unit_test(sensitive_hierarchies_end_in_their_root),
        cmocka_unit_test(flags_win),
        cmocka_unit_test(k_and_level_displace_each_other),
        cmocka_unit_test(failing_flags_change_nothing),
        cmocka_unit_test(read_from_disk),
        cmocka_unit_test(documented_policies_are_valid),
        cmocka_unit_test(every_key_is_documented),
        cmocka_unit_test(what_is_not_linked_by_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
