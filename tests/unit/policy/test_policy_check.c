/*
 * test_policy_check.c - policies against a table: what is refused and how it is
 * worded, the k that an anonymity level stands for (Sweeney's Figure 38), the
 * columns to code and those nobody named.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/policy.h>

static tacit_table *table_of(const char *csv)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_run run;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.delimiter = ',';
    assert_int_equal(tacit_table_read_memory(&table, tacit_strview_of(csv), "patients.csv",
                                             &options, &run, NULL),
                     TACIT_OK);
    return table;
}

static tacit_table *patients(void)
{
    return table_of("PID,NAME,BIRTH,ZIP,SEX,DIAGNOSIS\n1,a,2000-01-01,02138,f,x\n");
}

static tacit_policy *parse(const char *yaml)
{
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    if (tacit_policy_parse(&policy, tacit_strview_of(yaml), "p.yaml", &err) != TACIT_OK)
        fail_msg("%s: %s", yaml, err.message);
    return policy;
}

static const struct check_case {
    const char *yaml;
    const char *message; /* as tacit_error_format has it; NULL: the policy is accepted */
} CASES[] = {
    {"k: 2\ncolumns: {ZIP: quasi}", NULL},
    {"anonymity: 0\ncolumns: {ZIP: quasi}", NULL},
    {"anonymity: 1\ncolumns: {ZIP: quasi}", NULL},
    {"k: 3\nanonymity: 1\ncolumns: {ZIP: quasi}", NULL},
    {"anonymity: 0.3\nanonymity-table: {0.5: 4}\ncolumns: {ZIP: quasi}", NULL},
    {"k: 2\nperson: PID\ncolumns: {ZIP: quasi, PID: {role: identifier, replace: keep}}", NULL},
    {"k: 2\ncolumns: {ZIP: quasi, NAME: {role: insensitive, replace: scrub}}", NULL},
    {"k: 2\ncolumns: {ZIP: quasi, NAME: {role: identifier, replace: scrub}}", NULL},
    {"k: 2\ncolumns: {ZIP: quasi, DIAGNOSIS: {role: sensitive, hierarchy: {mask: right}}}", NULL},

    {"k: 2\ncolumns: {ZIP: {role: quasi, generalize: 1, rating: most}}", NULL},
    {"k: 2\ncolumns: {ZIP: quasi, DIAGNOSIS: {role: sensitive, diversity: 3, alpha: 0.5}}", NULL},
    {"k: 2\ncolumns: {ZIP: quasi, DIAGNOSIS: {role: sensitive, closeness: tree:0.2, hierarchy: "
     "d.csv}}",
     NULL},
    {"k: 2\npopulation: people.csv\nk-map: 3\npresence: 0.5\ncolumns: {ZIP: quasi}", NULL},

    {"k: 2\ncolumns:\n  ZIP: {role: quasi, diversity: 3}",
     "p.yaml:3: column \"ZIP\" has diversity, which only a column of role sensitive can have"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  SEX: {alpha: 0.5}",
     "p.yaml:4: column \"SEX\" has alpha, which only a column of role sensitive can have"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, closeness: [0.1, tree:0.2]}",
     "p.yaml:4: column \"SEX\" has closeness by tree, but no hierarchy to take distances in: give "
     "it "
     "one, or write closeness without tree"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, generalize: 1}",
     "p.yaml:4: column \"SEX\" has a generalize, which only a column of role quasi can have"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: insensitive, rating: more}",
     "p.yaml:4: column \"SEX\" has a rating, which only a column of role quasi can have"},
    {"k: 2\nkm: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}", NULL},
    {"k: 2\nkm: 2\nperson: PID\ncolumns: {ZIP: quasi, PID: {role: identifier, replace: "
     "row-pseudonym}, SEX: {role: insensitive, items: ;}}",
     NULL},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:4: column \"SEX\" has items, and nothing says how many of them somebody may know: "
     "give km, such as km: 2"},
    {"k: 2\nkm: 2\ncolumns: {ZIP: quasi}",
     "p.yaml:2: km: is about sets of items, and no column has any: say which one and what "
     "separates them (items: \";\")"},
    {"k: 2\nkm: 2\ncolumns:\n  ZIP: {role: quasi, items: ;}",
     "p.yaml:4: column \"ZIP\" has items, which only a column of role sensitive or insensitive can "
     "have: km says how many of them somebody may know"},
    {"k: 2\nkm: 2\ncolumns:\n  ZIP: quasi\n  SEX: {items: ;}",
     "p.yaml:5: column \"SEX\" has items but no role: write role: sensitive, or insensitive"},
    {"k: 2\nkm: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;, diversity: 2}",
     "p.yaml:5: column \"SEX\" has items, and what is promised of values (diversity and the like) "
     "is about cells that are one value: take one of them away"},
    {"k: 2\nkm: 2\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;, replace: scrub}",
     "p.yaml:5: column \"SEX\" has items, and replace: scrub is for text: take one of them away"},
    {"k: 2\nkm: 2\nperson: PID\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:3: person: the column has no role, so that it would link the rows of a person, whose "
     "items would be known together (km): give it the role identifier"},
    {"k: 2\nkm: 2\nperson: PID\nkey-file: k\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, "
     "items: ;}\n  PID: {role: identifier, replace: keep}",
     "p.yaml:8: column \"PID\" links the rows of a person, whose items would be known together, "
     "which km does not protect: leave it out (role: identifier), or give every row a pseudonym of "
     "its own (replace: row-pseudonym)"},
    {"k: 2\nkm: 2\nperson: PID\nkey-file: k\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, "
     "items: ;}\n  PID: insensitive",
     "p.yaml:8: column \"PID\" links the rows of a person, whose items would be known together, "
     "which km does not protect: leave it out (role: identifier), or give every row a pseudonym of "
     "its own (replace: row-pseudonym)"},
    {"k: 2\nkm: 2\nperson: PID\nkey-file: k\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, "
     "items: ;}\n  PID: {role: identifier, replace: pseudonym}",
     "p.yaml:8: column \"PID\" links the rows of a person, whose items would be known together, "
     "which km does not protect: leave it out (role: identifier), or give every row a pseudonym of "
     "its own (replace: row-pseudonym)"},
    {"k: 2\nkm: 2\nmethod: ambiguate\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: is kept in classes, and ambiguate makes none: use another method"},
    {"k: 2\nkm: 2\nmethod: none\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: is kept in classes of k people, and this method makes none: use one that "
     "generalizes"},
    {"k: 2\nkm: 2\ntechniques: [scramble]\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: "
     ";}",
     "p.yaml:2: km: counts people by what the data says, and techniques change that: leave them "
     "out"},
    {"k: 2\nkm: 2\nhousehold: PID\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: is about one person's items, and who knows a household knows those of all "
     "members: leave household out"},
    {"k: 2\nkm: 2\nminimality: resist\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: does not withstand an adversary who knows the method: leave minimality: resist "
     "out"},
    {"k: 2\nkm: 2\nprevious: o.csv\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: is not kept when two releases of the same sets are joined: leave previous and "
     "ledger out"},
    {"k: 2\nkm: 2\nledger: l\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: is not kept when two releases of the same sets are joined: leave previous and "
     "ledger out"},
    {"k: 2\nkm: 2\nspreadsheet-safe: true\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: "
     ";}",
     "p.yaml:2: km: sorts the items of a cell, so that another may come first than the one that "
     "spreadsheet-safe saw: leave that out"},
    {"k: 2\nkm: 2\nas-published: true\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: ;}",
     "p.yaml:2: km: needs classes of k, which mu-argus as it was published does not keep: leave "
     "as-published and as-described out"},
    {"k: 2\nkm: 2\nquasi-identifiers: [[ZIP], [PID]]\ncolumns:\n  ZIP: quasi\n  SEX: {role: "
     "sensitive, items: ;}\n  PID: quasi",
     "p.yaml:2: km: is kept in the classes of one set of quasi-identifiers: leave the key "
     "quasi-identifiers out"},
    {"k: 2\nkm: 2\nperson: PID\ntrail: k\ncolumns:\n  ZIP: quasi\n  SEX: {role: sensitive, items: "
     ";}\n  PID: identifier",
     "p.yaml:2: km: is about rows that nobody links, and trail: k is for rows that are: leave "
     "trail out, and give every row a pseudonym of its own (replace: row-pseudonym)"},
    {"k: 2\nk-map: 3\ncolumns: {ZIP: quasi}",
     "p.yaml:2: k-map: needs to know the people who could be in the data: give population, a CSV "
     "file with the quasi-identifying columns, or sampling-weight, by which they are estimated"},
    {"k: 2\npresence: 0.5\nsampling-weight: SEX\ncolumns: {ZIP: quasi, SEX: insensitive}",
     "p.yaml:2: presence: needs to know the people who could be in the data: give population, a "
     "CSV file with the quasi-identifying columns"},
    {"k: 2\nsampling-weight: SEX\ncolumns: {ZIP: quasi}",
     "p.yaml:2: sampling-weight: has no role, and weights can tell strata and households apart: "
     "give it the role identifier, which leaves it out, or insensitive, which releases it as it "
     "is"},
    {"k: 2\nsampling-weight: ZIP\ncolumns: {ZIP: quasi}",
     "p.yaml:2: sampling-weight: cannot be of role quasi as well: weights that are generalized are "
     "none; round them before (treat), or leave them out (identifier)"},
    {"k: 2\nsampling-weight: SEX\nperson: SEX\ncolumns: {ZIP: quasi, SEX: insensitive}",
     "p.yaml:2: sampling-weight: says whose rows are, too: name another column as one of the two"},
    {"k: 2\nsampling-weight: SEX\ncolumns: {ZIP: quasi, SEX: {role: identifier, replace: "
     "pseudonym}}\nkey-file: k",
     "p.yaml:2: sampling-weight: has weights, which cannot become pseudonyms or be scrubbed"},
    {"k: 2\nk-map: 9\nsampling-weight: SEX\nperson: PID\ncolumns: {ZIP: quasi, SEX: "
     "insensitive, PID: identifier}",
     "p.yaml:3: sampling-weight: stands for people row by row, so k-map by it does not go together "
     "with person, whose rows would count several times"},
    {"k: 2\ncolumns: {ZIP: quasi}\nhide: ZIP->ZIP",
     "p.yaml:2: column \"ZIP\" stands on both sides of a dependency to hide"},
    {"k: 2\ncolumns: {ZIP: quasi, SEX: sensitive}\nhide: SEX->ZIP",
     "p.yaml:2: column \"SEX\" stands on the left of a dependency to hide, where only columns of "
     "role quasi can"},
    {"k: 2\nas-described: true\nas-published: true\ncolumns: {ZIP: quasi}",
     "p.yaml:3: as-published: as-described is given too: keep one of them"},

    {"columns: {ZIP: quasi}",
     "p.yaml: no k is given: write \"k: 5\" in the policy or give --k 5 (or an anonymity level "
     "with its anonymity-table)"},
    {"columns: {ZIP: quasi}\nanonymity: 0.7",
     "p.yaml:2: anonymity: level 0.7 needs an anonymity-table that says which k it stands for; or "
     "give k instead"},
    {"anonymity: 0.7\nanonymity-table: {0.5: 4}\ncolumns: {ZIP: quasi}",
     "p.yaml:1: anonymity: level 0.7 is above 0.5, the highest level of the anonymity-table; add "
     "an entry for it, or give k instead"},
    {"k: 2\ncolumns:\n  ZPI: quasi",
     "p.yaml:3: column \"ZPI\" is not in patients.csv; did you mean \"ZIP\"? Its columns are PID, "
     "NAME, BIRTH, ZIP, SEX, DIAGNOSIS"},
    {"k: 2\ncolumns:\n  zip: quasi",
     "p.yaml:3: column \"zip\" is not in patients.csv; did you mean \"ZIP\"? Its columns are PID, "
     "NAME, BIRTH, ZIP, SEX, DIAGNOSIS"},
    {"k: 2\ncolumns: {ZIP: quasi, TELEPHONE: identifier}",
     "p.yaml:2: column \"TELEPHONE\" is not in patients.csv. Its columns are PID, NAME, BIRTH, "
     "ZIP, SEX, DIAGNOSIS"},
    {"k: 2\ncolumns: {ZIP: quasi}\nperson: PIDD",
     "p.yaml:3: column \"PIDD\" is not in patients.csv; did you mean \"PID\"? Its columns are PID, "
     "NAME, BIRTH, ZIP, SEX, DIAGNOSIS"},
    {"k: 2\ncolumns: {NAME: identifier}",
     "p.yaml: no quasi-identifier is named: give at least one column the role quasi, or give "
     "--quasi NAME,..."},
    {"k: 2\n", "p.yaml: no quasi-identifier is named: give at least one column the role quasi, or "
               "give --quasi NAME,..."},
    {"k: 2\nperson: PID\ncolumns:\n  PID: quasi",
     "p.yaml:4: column \"PID\" is the person column and cannot be of role quasi as well"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  NAME: {role: identifier, hierarchy: {mask: right}}",
     "p.yaml:4: column \"NAME\" is an identifier, which is dropped or replaced and has no use for "
     "a hierarchy"},
    {"k: 2\ncolumns:\n  SEX: quasi\n  ZIP: {hierarchy: {mask: right}}",
     "p.yaml:4: column \"ZIP\" has a hierarchy but no role: write role: quasi, or take the "
     "hierarchy away"},
    {"k: 2\ncolumns:\n  ZIP: {role: quasi, replace: drop}",
     "p.yaml:3: column \"ZIP\" has a replace, which only a column of role identifier can have"},
    {"k: 2\ncolumns:\n  ZIP: {role: quasi, replace: scrub}",
     "p.yaml:3: column \"ZIP\" is of role quasi and generalized; replace: scrub is for text of "
     "another role"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  NAME: {replace: scrub}",
     "p.yaml:4: column \"NAME\" has a replace but no role: write role: insensitive, or what the "
     "text is"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  NAME: {role: sensitive, replace: scrub, diversity: 2}",
     "p.yaml:4: column \"NAME\" is scrubbed, so that nothing can be promised of its values"},
    {"k: 2\nperson: PID\ncolumns:\n  ZIP: quasi\n  PID: {role: identifier, replace: scrub}",
     "p.yaml:5: column \"PID\" is the person column and cannot be scrubbed"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  NAME: {role: sensitive, weight: 2}",
     "p.yaml:4: column \"NAME\" has a weight, which only a column of role quasi can have"},
    {"k: 2\ncolumns:\n  ZIP: quasi\n  NAME: {link: 0}",
     "p.yaml:4: column \"NAME\" has a link, which only a column of role quasi can have"},
    {"k: 2\nquasi-identifiers: [[ZIP, SEX]]\ncolumns: {ZIP: quasi, SEX: insensitive}",
     "p.yaml:2: quasi-identifiers: column \"SEX\" stands in one of them but has not the role "
     "quasi"},
    {"k: 2\nquasi-identifiers: [[ZIP, SEX]]\ncolumns: {ZIP: quasi}",
     "p.yaml:2: quasi-identifiers: column \"SEX\" stands in one of them but has not the role "
     "quasi"},
    {"k: 2\nquasi-identifiers: [[ZIP], [SEX]]\ncolumns: {ZIP: quasi, SEX: quasi, BIRTH: quasi}",
     "p.yaml:2: quasi-identifiers: column \"BIRTH\" has the role quasi but stands in none of "
     "them"},
    {"k: 2\nquasi-identifiers: [[ZIP, AGE]]\ncolumns: {ZIP: quasi}",
     "p.yaml:2: column \"AGE\" is not in patients.csv. Its columns are PID, NAME, BIRTH, ZIP, SEX, "
     "DIAGNOSIS"},
};

static void policies_are_judged(void **state)
{
    (void)state;
    tacit_table *table = patients();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit_policy *policy = parse(CASES[i].yaml);
        tacit_error err = {0};
        char text[1024];
        tacit_status status = tacit_policy_check(policy, table, &err);
        if (CASES[i].message) {
            assert_int_equal(status, TACIT_INVALID);
            assert_string_equal(tacit_error_format(&err, text, sizeof text), CASES[i].message);
        } else {
            assert_int_equal(status, TACIT_OK);
        }
        tacit_policy_free(policy);
    }
    tacit_table_free(table);
}

/* What comes from a flag has no line, and no file is blamed for it. */
static void flags_are_judged(void **state)
{
    (void)state;
    tacit_table *table = patients();
    tacit_policy *policy = parse("k: 2\ncolumns: {ZIP: quasi}");
    tacit_error err = {0};
    assert_int_equal(tacit_policy_set(policy, "quasi", "SXE", NULL), TACIT_OK);
    assert_int_equal(tacit_policy_check(policy, table, &err), TACIT_INVALID);
    assert_string_equal(err.file, "");
    assert_string_equal(err.message, "column \"SXE\" is not in patients.csv; did you mean \"SEX\"? "
                                     "Its columns are PID, NAME, BIRTH, ZIP, SEX, DIAGNOSIS");
    tacit_policy_free(policy);
    tacit_table_free(table);
}

static void set_is_filled_in(void **state)
{
    (void)state;
    tacit_table *table = patients();
    tacit_policy *policy = parse("k: 2\ncolumns: {SEX: quasi, NAME: identifier, ZIP: quasi}");
    for (int round = 0; round < 2; round++) { /* checking twice changes nothing more */
        assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_OK);
        assert_int_equal(policy->set_count, 1);
        assert_int_equal(policy->sets[0].count, 2);
        assert_int_equal(policy->sets[0].columns[0], 0);
        assert_int_equal(policy->sets[0].columns[1], 2);
    }
    tacit_policy_free(policy);
    tacit_table_free(table);
}

static void names_of_wide_tables_are_cut(void **state)
{
    (void)state;
    tacit_table *table = table_of("a1,a2,a3,a4,a5,a6,a7,a8,a9,b1,b2,b3\n1,2,3,4,5,6,7,8,9,1,2,3\n");
    tacit_policy *policy = parse("k: 2\ncolumns: {zzzz: quasi}");
    tacit_error err = {0};
    assert_int_equal(tacit_policy_check(policy, table, &err), TACIT_INVALID);
    assert_string_equal(err.message,
                        "column \"zzzz\" is not in patients.csv. Its columns are a1, a2, a3, a4, "
                        "a5, a6, a7, a8, a9, b1 and 2 more");
    tacit_policy_free(policy);
    tacit_table_free(table);
}

/* A program may fill the struct with what no file could say. */
static void filled_structs_are_judged(void **state)
{
    (void)state;
    tacit_table *table = patients();
    tacit_policy *policy = parse("k: 2\nloss: 0.1\nanonymity-table: {0.5: 4, 0.6: 5}\n"
                                 "columns: {ZIP: {role: quasi, weight: 1, link: 1}}");
    tacit_policy good = *policy;
    policy->k = -1;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    *policy = good;
    policy->loss = 1.5;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    *policy = good;
    policy->has_anonymity = true;
    policy->anonymity = -0.5;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    *policy = good;
    policy->anonymity_table[1].level = 0.5;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->anonymity_table[1].level = 0.6;
    policy->anonymity_table[0].k = 0;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->anonymity_table[0].k = 4;
    policy->columns[0].weight = 0;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->columns[0].weight = 1;
    policy->columns[0].link = 2;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->columns[0].link = 1;
    policy->columns[0].least_level = TACIT_MAX_LEVELS;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->columns[0].least_level = 0;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_OK);
    tacit_policy_free(policy);
    tacit_table_free(table);
}

static void filled_models_are_judged(void **state)
{
    (void)state;
    static const tacit_model_bound bad[] = {
        {TACIT_MODEL_DISTINCT, 0, 0},
        {TACIT_MODEL_DISTINCT, 1.5, 0},
        {TACIT_MODEL_ENTROPY, NAN, 0},
        {TACIT_MODEL_ENTROPY, INFINITY, 0},
        {TACIT_MODEL_RECURSIVE, 3, 0},
        {TACIT_MODEL_RECURSIVE, 3, NAN},
        {TACIT_MODEL_ALPHA, 1.1, 0},
        {TACIT_MODEL_CLOSENESS, -0.1, 0},
        {TACIT_MODEL_CLOSENESS, NAN, 0},
        {TACIT_MODEL_MAP, 3, 0},
        {(tacit_model_kind)TACIT_MODELS, 1, 1},
    };
    tacit_table *table = patients();
    tacit_policy *policy =
        parse("k: 2\npopulation: p\nk-map: 2\ncolumns: {SEX: {role: sensitive, alpha: 1}, "
              "ZIP: quasi}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        policy->columns[0].models[0] = bad[i];
        assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    }
    policy->columns[0].models[0] = (tacit_model_bound){TACIT_MODEL_ALPHA, 1, 0};
    policy->columns[0].models[1] = policy->columns[0].models[0];
    policy->columns[0].model_count = 2; /* a kind twice */
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->columns[0].model_count = TACIT_MAX_COLUMN_MODELS + 1;
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->columns[0].model_count = 1;
    policy->population_models[0] = (tacit_model_bound){TACIT_MODEL_ALPHA, 1, 0};
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_INVALID);
    policy->population_models[0] = (tacit_model_bound){TACIT_MODEL_MAP, 2, 0};
    assert_int_equal(tacit_policy_check(policy, table, NULL), TACIT_OK);
    tacit_policy_free(policy);
    tacit_table_free(table);
}

static void releases_lack_identifiers(void **state)
{
    (void)state;
    const char *yaml = "k: 2\nperson: PID\ncolumns:\n  ZIP: quasi\n  NAME: identifier\n"
                       "  PID: identifier\n  DIAGNOSIS: sensitive\n";
    tacit_table *release = table_of("ZIP,DIAGNOSIS\n021**,x\n");
    tacit_policy *policy = parse(yaml);
    assert_int_equal(tacit_policy_check(policy, release, NULL), TACIT_INVALID);
    assert_int_equal(tacit_policy_check_release(policy, release, NULL), TACIT_OK);
    tacit_policy_free(policy);
    policy = parse(yaml);
    tacit_error err = {0};
    assert_int_equal(tacit_policy_set(policy, "replace", "NAME=pseudonym", NULL), TACIT_OK);
    assert_int_equal(tacit_policy_check_release(policy, release, &err), TACIT_INVALID);
    assert_int_equal(err.line, 5);
    tacit_policy_free(policy);
    tacit_table_free(release);
}

/* ---- k ---- */

static void expect_k(const char *yaml, int64_t k, bool most_general)
{
    tacit_policy *policy = parse(yaml);
    int64_t got = -1;
    bool most = !most_general;
    assert_int_equal(tacit_policy_k(policy, &got, &most, NULL), TACIT_OK);
    assert_int_equal(got, k);
    assert_int_equal(most, most_general);
    tacit_policy_free(policy);
}

#define FIGURE_38                                                                             \
    "anonymity-table: {0.1: 54, 0.2: 109, 0.3: 164, 0.4: 219, 0.5: 274, 0.6: 328, 0.7: 383, " \
    "0.8: 438, 0.9: 493}\n"

static void levels_stand_for_k(void **state)
{
    (void)state;
    expect_k("k: 5", 5, false);
    expect_k(FIGURE_38 "anonymity: 0.7", 383, false);
    expect_k(FIGURE_38 "anonymity: 0.1", 54, false);
    expect_k(FIGURE_38 "anonymity: 0.9", 493, false);
    expect_k(FIGURE_38 "anonymity: 0.01", 54, false);
    expect_k(FIGURE_38 "anonymity: 0.71", 438, false); /* between entries: the higher */
    expect_k(FIGURE_38 "anonymity: 0", 1, false);
    expect_k(FIGURE_38 "anonymity: 1", 493, true);
    expect_k(FIGURE_38 "anonymity: 1\nk: 7", 7, true);
    expect_k("anonymity: 1", 2, true);
    expect_k("anonymity: 0", 1, false);
    expect_k("anonymity-table: {0.5: 3, 1: 9}\nanonymity: 0.8", 9, false);
    expect_k("anonymity-table: {0.5: 3, 1: 9}\nanonymity: 1", 9, true);
    expect_k("anonymity-table: {0.5: 3, 0.6: 3}\nanonymity: 0.6", 3, false);
}

static void levels_without_k(void **state)
{
    (void)state;
    int64_t k = -1;
    bool most = false;
    tacit_policy *policy = parse(FIGURE_38 "anonymity: 0.95");
    assert_int_equal(tacit_policy_k(policy, &k, &most, NULL), TACIT_INVALID);
    tacit_policy_free(policy);
    policy = parse("anonymity: 0.5");
    assert_int_equal(tacit_policy_k(policy, &k, &most, NULL), TACIT_INVALID);
    tacit_policy_free(policy);
    policy = parse("{}");
    assert_int_equal(tacit_policy_k(policy, &k, &most, NULL), TACIT_INVALID);
    assert_int_equal(k, -1);
    tacit_policy_free(policy);
}

static void expect_check_k(const char *yaml, const char *key)
{
    tacit_policy *policy = parse(yaml);
    tacit_error err = {0};
    assert_int_equal(tacit_policy_check_k(policy, &err), key ? TACIT_INVALID : TACIT_OK);
    if (key) {
        assert_int_equal(strncmp(err.message, key, strlen(key)), 0);
        assert_non_null(strstr(err.message, "promises nothing"));
        assert_int_equal(err.line, 1);
    }
    tacit_policy_free(policy);
}

static void a_k_of_one_promises_nothing(void **state)
{
    (void)state;
    expect_check_k("k: 1", "k: ");
    expect_check_k("k: 1\nmethod: none", "k: ");
    expect_check_k("k: 2", NULL);
    expect_check_k("anonymity: 0", "anonymity: ");
    expect_check_k("anonymity: 0.2\nanonymity-table: {0.5: 1, 0.9: 2}", "anonymity: ");
    expect_check_k("anonymity: 0.6\nanonymity-table: {0.5: 1, 0.9: 2}", NULL);
    expect_check_k("k: 1\nanonymity: 1", "k: ");
    expect_check_k("anonymity: 1", NULL);
    /* without a k, where something else is promised or nothing is generalized */
    expect_check_k("method: none", NULL);
    expect_check_k("method: ambiguate\nhide: A->B\ncolumns: {A: quasi, B: sensitive}", NULL);
}

/* ---- lists of columns ---- */

static void expect_coded(const char *yaml, const char *expected)
{
    tacit_policy *policy = parse(yaml);
    const char **names = NULL;
    size_t count = 99;
    char text[128] = "";
    assert_int_equal(tacit_policy_coded(&names, &count, policy, NULL), TACIT_OK);
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", names[i]);
    assert_string_equal(text, expected);
    tacit_policy_names_free(names);
    tacit_policy_free(policy);
}

static void coded_columns(void **state)
{
    (void)state;
    expect_coded("{}", "");
    expect_coded("person: P", "P ");
    expect_coded("columns: {A: quasi, B: sensitive, C: quasi, D: identifier}", "A C ");
    expect_coded("person: D\ncolumns: {A: quasi, D: {role: identifier, replace: pseudonym}}",
                 "A D ");
    expect_coded("person: A\ncolumns: {A: quasi}", "A "); /* an error, but not twice */
    expect_coded("person: B\ncolumns: {B: {role: sensitive, alpha: 0.5}, C: sensitive, A: quasi}",
                 "B A ");
}

static void unnamed_columns(void **state)
{
    (void)state;
    tacit_table *table = patients();
    tacit_policy *policy = parse("k: 2\nperson: PID\n"
                                 "columns: {ZIP: quasi, NAME: {}, DIAGNOSIS: sensitive}");
    int32_t columns[6] = {-1, -1, -1, -1, -1, -1};
    assert_int_equal(tacit_policy_unnamed(columns, 6, policy, table), 4);
    assert_int_equal(columns[0], 0); /* PID: the person column needs a role like any other */
    assert_int_equal(columns[1], 1); /* NAME: named without a role */
    assert_int_equal(columns[2], 2);
    assert_int_equal(columns[3], 4);
    assert_int_equal(columns[4], -1);
    assert_int_equal(tacit_policy_unnamed(NULL, 0, policy, table), 4);
    tacit_policy_free(policy);
    policy = parse("columns: {PID: identifier, NAME: identifier, BIRTH: quasi, ZIP: quasi, SEX: "
                   "quasi, DIAGNOSIS: insensitive}");
    assert_int_equal(tacit_policy_unnamed(columns, 6, policy, table), 0);
    tacit_policy_free(policy);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_are_judged),
        cmocka_unit_test(flags_are_judged),
        cmocka_unit_test(set_is_filled_in),
        cmocka_unit_test(names_of_wide_tables_are_cut),
        cmocka_unit_test(filled_structs_are_judged),
        cmocka_unit_test(filled_models_are_judged),
        cmocka_unit_test(releases_lack_identifiers),
        cmocka_unit_test(levels_stand_for_k),
        cmocka_unit_test(levels_without_k),
        cmocka_unit_test(a_k_of_one_promises_nothing),
        cmocka_unit_test(coded_columns),
        cmocka_unit_test(unnamed_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
