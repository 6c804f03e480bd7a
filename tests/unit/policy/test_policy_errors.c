/*
 * test_policy_errors.c - what a policy file or flag is refused for: status,
 * file, line, column and message, word for word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/policy.h>

/* YAML and what tacit_error_format makes of the error, without the file's name. */
static const struct file_case {
    const char *yaml;
    const char *message;
} FILES[] = {
    /* keys */
    {"losss: 1", "1:1: unknown key \"losss\" in the policy; did you mean \"loss\"?"},
    {"k: 2\nKey_File: x",
     "2:1: unknown key \"Key_File\" in the policy; did you mean \"key-file\"?"},
    {"collumns: {}", "1:1: unknown key \"collumns\" in the policy; did you mean \"columns\"?"},
    {"weather: sunny",
     "1:1: unknown key \"weather\" in the policy; known are k, anonymity, anonymity-table, method, "
     "metric, prefer, all-minimal, as-published, as-described, minimality, heuristic, blanks, "
     "max-row, "
     "max-column, row-order, measure, blank-costs, redundant, hide, loss, complement, suppressed, "
     "shards, "
     "keep-order, strict, spreadsheet-safe, encoding, missing-codes, suppression, person, "
     "household, sampling-weight, trail, "
     "ledger, "
     "source, "
     "key-file, "
     "population, "
     "presence, "
     "k-map, average-risk, population-uniqueness, sampling-fraction, km, "
     "previous, "
     "previous-way, "
     "quasi-identifiers, techniques, columns"},
    {"missing-codes: [NA, 'a\"b']",
     "1:21: missing-codes: a code cannot have double quotes or line ends"},
    {"columns: {A: {missing-codes: [[NA]]}}",
     "1:31: missing-codes of column \"A\": expected a code such as NA, found a list"},
    {"weight: 2",
     "1:1: unknown key \"weight\" in the policy; it belongs to a column: columns: {NAME: {weight: "
     "...}}"},
    {"quasi: [A]",
     "1:1: unknown key \"quasi\" in the policy; it is a role: columns: {NAME: quasi}"},
    {"columns:\n  ZIP: {role: quasi, weigth: 2}",
     "2:22: unknown key \"weigth\" in column \"ZIP\"; did you mean \"weight\"?"},
    {"columns: {ZIP: {k: 2}}",
     "1:17: unknown key \"k\" in column \"ZIP\"; it belongs to the whole policy, not to a column"},
    {"columns: {ZIP: {colour: red}}",
     "1:17: unknown key \"colour\" in column \"ZIP\"; known are missing-codes, suppression, role, "
     "hierarchy, "
     "weight, link, spread, replace, treat, generalize, items, of, rating, diversity, closeness, "
     "alpha, "
     "likeness, disclosure, range"},
    {"generalize: 1",
     "1:1: unknown key \"generalize\" in the policy; it belongs to a column: columns: {NAME: "
     "{generalize: ...}}"},
    {"columns: {ZIP: {k-map: 2}}",
     "1:17: unknown key \"k-map\" in column \"ZIP\"; it belongs to the "
     "whole policy, not to a column"},
    {"k: 2\nloss: 0.1\nk: 3", "3:1: key \"k\" is given twice, first on line 1"},
    {"columns:\n  A: quasi\n  B: quasi\n  A: sensitive",
     "4:3: key \"A\" is given twice, first on line 2"},
    {"[k]: 2", "1:1: a key must be text, found a list"},
    {"{k: 2}: 2", "1:1: a key must be text, found a mapping"},
    {"columns: {\"\": quasi}", "1:11: columns: a column without a name"},

    /* the document */
    {"", "empty: expected keys such as k and columns"},
    {"# only a comment\n", "empty: expected keys such as k and columns"},
    {"- k\n- 2", "1:1: expected a mapping of keys such as k and columns, found a list"},
    {"just words", "1:1: expected a mapping of keys such as k and columns, found text"},
    {"k: 2\n---\nk: 3", "2:1: a second document: a policy is one document"},
    {"k: &five 5",
     "1:4: anchors and aliases (& and *) are not allowed: write the value out, or put it in "
     "quotes"},
    {"k: *five",
     "1:4: anchors and aliases (& and *) are not allowed: write the value out, or put it in "
     "quotes"},
    {"columns: &all {}",
     "1:10: anchors and aliases (& and *) are not allowed: write the value out, or put it in "
     "quotes"},
    {"quasi-identifiers: &all []",
     "1:20: anchors and aliases (& and *) are not allowed: write the value out, or put it in "
     "quotes"},
    {"k: !!int 5", "1:4: tags (!) are not allowed: write the value alone, or put it in quotes"},
    {"a: [[[[[[[[8]]]]]]]]", "1:11: nested deeper than 8 levels"},
    {"k: 2\nloss: [0.1", "3:1: not valid YAML: did not find expected ',' or ']', while parsing a "
                         "flow sequence that starts on line 2"},
    {"k: 2\n\tloss: 1",
     "2:1: not valid YAML: found a tab character that violates indentation, while scanning a plain "
     "scalar that starts on line 1"},
    {"k: \"a\\0b\"", "1:4: the text holds a NUL character"},
    {"k: 2\nmethod: caf\xE9\n",
     "2:12: not UTF-8 text: incomplete UTF-8 octet sequence; save the policy as UTF-8"},
    {"k: 2\nmethod: \xC3\xA9\x01\n",
     "2:10: not UTF-8 text: control characters are not allowed; save the policy as UTF-8"},

    /* types and ranges */
    {"max-row: 0", "1:10: max-row: 0 is out of range: expected a whole number of 1 or more"},
    {"blanks: nothing", "1:9: blanks: expected anything or blanks, found \"nothing\""},
    {"hide: [A->B, [C]]", "1:14: hide: expected a dependency such as A,B->C, found a list"},
    {"hide: A,B", "1:7: hide: expected a dependency such as A,B->C, found \"A,B\""},
    {"hide: A->", "1:7: hide: columns are missing before or after ->"},
    {"hide: ' ->A'", "1:7: hide: columns are missing before or after ->"},
    {"hide: A->B,C", "1:7: hide: 2 columns after ->; write a dependency for each of them"},
    {"hide: {A: B}", "1:7: hide: expected a dependency such as A,B->C, found a mapping"},
    {"row-order: any",
     "1:12: row-order: expected file, reverse, hardest, easiest or random, found \"any\""},
    {"k: many", "1:4: k: expected a whole number of 1 or more, found \"many\""},
    {"k: 2.5", "1:4: k: expected a whole number of 1 or more, found \"2.5\""},
    {"k: 010", "1:4: k: expected a whole number of 1 or more, found \"010\""},
    {"k: 0", "1:4: k: 0 is out of range: expected a whole number of 1 or more"},
    {"k: -3", "1:4: k: -3 is out of range: expected a whole number of 1 or more"},
    {"k: 99999999999999999999",
     "1:4: k: 99999999999999999999 is out of range: expected a whole number of 1 or more"},
    {"k: \"5\"", "1:4: k: expected a whole number of 1 or more, found the text \"5\""},
    {"k:", "1:3: k: expected a whole number of 1 or more, found nothing"},
    {"k: ~", "1:4: k: expected a whole number of 1 or more, found nothing"},
    {"k: [5]", "1:4: k: expected a whole number of 1 or more, found a list"},
    {"k: {a: 5}", "1:4: k: expected a whole number of 1 or more, found a mapping"},
    {"anonymity: 1.5", "1:12: anonymity: 1.5 is out of range: expected a number from 0 to 1"},
    {"anonymity: high", "1:12: anonymity: expected a number from 0 to 1, found \"high\""},
    {"loss: -0.1", "1:7: loss: -0.1 is out of range: expected a number from 0 to 1"},
    {"loss: 5%", "1:7: loss: expected a number from 0 to 1, found \"5%\""},
    {"loss: .nan", "1:7: loss: expected a number from 0 to 1, found \".nan\""},
    {"loss: 0x1", "1:7: loss: expected a number from 0 to 1, found \"0x1\""},
    {"loss: 0,5", "1:7: loss: expected a number from 0 to 1, found \"0,5\""},
    {"loss: 1e", "1:7: loss: expected a number from 0 to 1, found \"1e\""},
    {"loss: 1e999", "1:7: loss: 1e999 is out of range: expected a number from 0 to 1"},
    {"method: [a]", "1:9: method: expected the name of a method, found a list"},
    {"method: ''", "1:9: method: expected the name of a method, found nothing"},
    {"complement: middle", "1:13: complement: expected smallest or largest, found \"middle\""},
    {"shards: gone", "1:9: shards: expected seen or hidden, found \"gone\""},
    {"suppressed: hide", "1:13: suppressed: expected keep or drop, found \"hide\""},
    {"keep-order: yes", "1:13: keep-order: expected true or false, found \"yes\""},
    {"keep-order: 'true'", "1:13: keep-order: expected true or false, found the text \"true\""},
    {"suppression: all", "1:14: suppression: expected top or none, found \"all\""},
    {"person: {}", "1:9: person: expected the name of a column, found a mapping"},
    {"key-file:", "1:10: key-file: expected a file name, found nothing"},
    {"k: 2\nanonymity: 0.5", "2: anonymity and k (line 1) are both given: keep one of them"},

    /* the anonymity table */
    {"anonymity-table: 5", "1:18: anonymity-table: expected a mapping of levels to k, such as "
                           "{0.5: 5, 0.9: 20}, found \"5\""},
    {"anonymity-table: {}", "1:18: anonymity-table: expected a mapping of levels to k, such as "
                            "{0.5: 5, 0.9: 20}, found a mapping"},
    {"anonymity-table: {0.5: 3, 0.4: 4}", "1:27: anonymity-table: levels must ascend"},
    {"anonymity-table: {0.5: 3, 0.50: 4}", "1:27: anonymity-table: levels must ascend"},
    {"anonymity-table: {0.5: 3, 0.6: 2}",
     "1:27: anonymity-table: a higher level must not have a smaller k"},
    {"anonymity-table: {0: 1}", "1:19: anonymity-table: 0 is out of range: expected a level above "
                                "0 and at most 1"},
    {"anonymity-table: {1.1: 1}", "1:19: anonymity-table: 1.1 is out of range: expected a level "
                                  "above 0 and at most 1"},
    {"anonymity-table: {0.1: x}",
     "1:24: anonymity-table: expected a whole number k of 1 or more, found \"x\""},
    {"anonymity-table: [{level: 0.1}]", "1:19: anonymity-table: an entry needs both level and k"},
    {"anonymity-table: [{level: 0.1, kk: 2}]",
     "1:32: anonymity-table: unknown key \"kk\"; known are level and k"},
    {"anonymity-table: [0.1]",
     "1:19: anonymity-table: expected a mapping {level: L, k: K}, found \"0.1\""},

    /* columns */
    {"columns: [A]", "1:10: columns: expected a mapping of column names to roles, found a list"},
    {"columns:", "1:9: columns: expected a mapping of column names to roles, found nothing"},
    {"columns: all", "1:10: columns: expected a mapping of column names to roles, found text"},
    {"columns:\n  A: quazi", "2:6: role of column \"A\": expected identifier, quasi, sensitive or "
                             "insensitive, found \"quazi\""},
    {"columns:\n  A:", "2:5: role of column \"A\": expected identifier, quasi, sensitive or "
                       "insensitive, found nothing"},
    {"columns: {A: [quasi]}", "1:14: column \"A\": expected a role or a mapping such as {role: "
                              "quasi}, found a list"},
    {"columns: {A: {weight: 0}}", "1:23: weight of column \"A\": 0 is out of range: expected a "
                                  "number above 0 and at most 1000000000"},
    {"columns: {A: {weight: 2000000000}}",
     "1:23: weight of column \"A\": 2000000000 is out of range: expected a number above 0 and at "
     "most 1000000000"},
    {"columns: {A: {link: 2}}",
     "1:21: link of column \"A\": 2 is out of range: expected a number from 0 to 1"},
    {"columns: {A: {replace: hide}}", "1:24: replace of column \"A\": expected drop, pseudonym, "
                                      "keep, scrub or row-pseudonym, found \"hide\""},
    {"columns: {A: {suppression: 1}}",
     "1:28: suppression of column \"A\": expected top or none, found \"1\""},

    /* models */
    {"columns: {A: {diversity: many}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found \"many\""},
    {"columns:\n A:\n  diversity: entropy:/",
     "3:14: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found \"entropy:/\""},
    {"columns: {A: {diversity: '3'}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found the text \"3\""},
    {"columns: {A: {diversity: recursive:3}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found \"recursive:3\""},
    {"columns: {A: {diversity: 2/3}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found \"2/3\""},
    {"columns: {A: {diversity: {entropy: 3}}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found a mapping"},
    {"columns: {A: {diversity: []}}",
     "1:26: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found a list"},
    {"columns: {A: {diversity: [2, [3]]}}",
     "1:30: diversity of column \"A\": expected diversity such as 3, entropy:3 or recursive:2/3, "
     "found a list"},
    {"columns: {A: {diversity: 2.5}}", "1:26: diversity of column \"A\": 2.5 is out of range: "
                                       "expected a whole number of values, 1 or "
                                       "more"},
    {"columns: {A: {diversity: entropy:0.5}}", "1:26: diversity of column \"A\": entropy:0.5 is "
                                               "out of range: expected a number of 1 or more"},
    {"columns: {A: {diversity: recursive:0/3}}",
     "1:26: diversity of column \"A\": recursive:0/3 is out of range: expected a c above 0"},
    {"columns: {A: {diversity: recursive:2/1}}", "1:26: diversity of column \"A\": recursive:2/1 "
                                                 "is out of range: expected a whole number l of 2 "
                                                 "or more"},
    {"columns: {A: {diversity: [entropy:2, 3, entropy:3]}}",
     "1:41: diversity of column \"A\": entropy is given twice"},
    {"columns: {A: {closeness: 1.5}}",
     "1:26: closeness of column \"A\": 1.5 is out of range: expected a distance from 0 to 1"},
    {"columns: {A: {closeness: leaf:0.1}}",
     "1:26: closeness of column \"A\": expected a distance such as 0.2, order:0.2 or tree:0.2, "
     "found \"leaf:0.1\""},
    {"columns: {A: {likeness: 0}}",
     "1:25: likeness of column \"A\": 0 is out of range: expected a number above 0"},
    {"columns: {A: {disclosure: -1}}",
     "1:27: disclosure of column \"A\": -1 is out of range: expected a number above 0"},
    {"columns: {A: {range: wide}}",
     "1:22: range of column \"A\": expected a distance above 0 such as 5000, found \"wide\""},
    {"columns: {A: {alpha: 0}}",
     "1:22: alpha of column \"A\": 0 is out of range: expected a share above 0 and at most 1"},
    {"columns: {A: {alpha: }}",
     "1:22: alpha of column \"A\": expected a share such as 0.5, found nothing"},
    {"presence: 0.5/0.1",
     "1:11: presence: 0.5/0.1 is out of range: expected shares from 0 to 1, the "
     "first not above the second"},
    {"presence: 0.1/", "1:11: presence: expected shares such as 0.5 or 0.1/0.5, found \"0.1/\""},
    {"k-map: 2.5", "1:8: k-map: 2.5 is out of range: expected a whole number of people, 1 or more"},
    {"k-map: 1/2", "1:8: k-map: expected a whole number of 1 or more, found \"1/2\""},

    {"average-risk: 0",
     "1:15: average-risk: 0 is out of range: expected a number above 0 and at most 1"},
    {"sampling-fraction: 1.5",
     "1:20: sampling-fraction: 1.5 is out of range: expected a number above 0 and at most 1"},
    {"population-uniqueness: poisson:0.1",
     "1:24: population-uniqueness: expected a share from 0 to 1 such as 0.001 or pitman:0.001 "
     "(dankar, pitman, zayatz, snb), found \"poisson:0.1\""},
    {"population-uniqueness: 'pitman:'",
     "1:24: population-uniqueness: expected a share from 0 to 1 such as 0.001 or pitman:0.001 "
     "(dankar, pitman, zayatz, snb), found the text \"pitman:\""},

    {"km: 0", "1:5: km: 0 is out of range: expected how many items somebody may know, 1 to 8"},
    {"km: 9", "1:5: km: 9 is out of range: expected how many items somebody may know, 1 to 8"},
    {"columns: {A: {items: ''}}",
     "1:22: items of column \"A\": expected what separates the items of a cell, such as \";\", "
     "found nothing"},
    {"columns: {A: {items: '\"'}}",
     "1:22: items of column \"A\": items are separated by up to 8 characters without double quotes "
     "or line ends"},

    /* what methods are told */
    {"columns: {A: {generalize: -1}}", "1:27: generalize of column \"A\": -1 is out of range: "
                                       "expected a level, a whole number of 0 or "
                                       "more"},
    {"columns: {A: {generalize: 64}}", "1:27: generalize of column \"A\": 64 is out of range: "
                                       "expected a level, a whole number of 0 or "
                                       "more"},
    {"columns: {A: {rating: least}}",
     "1:23: rating of column \"A\": expected most, more or identifying, found \"least\""},
    {"prefer: luck", "1:9: prefer: expected levels, distinct or order, found \"luck\""},
    {"metric: {}", "1:9: metric: expected the name of a metric, found a mapping"},
    {"all-minimal: some", "1:14: all-minimal: expected true or false, found \"some\""},
    {"population:", "1:12: population: expected a file name, found nothing"},
    {"previous: [a.csv, {b: c}]", "1:19: previous: expected a file name, found a mapping"},
    {"previous:", "1:10: previous: expected a file name, found nothing"},
    {"previous-way: both", "1:15: previous-way: expected columns or generalize, found \"both\""},

    /* hierarchies */
    {"columns: {A: {hierarchy: [x]}}", "1:26: hierarchy of column \"A\": expected a file name or a "
                                       "rule such as {mask: right}, found a list"},
    {"columns: {A: {hierarchy: }}", "1:26: hierarchy of column \"A\": expected a file name or a "
                                    "rule such as {mask: right}, found nothing"},
    {"columns: {A: {hierarchy: {mask: up}}}",
     "1:33: hierarchy of column \"A\": expected right or left, found \"up\""},
    {"columns: {A: {hierarchy: {maks: right}}}",
     "1:27: hierarchy of column \"A\": unknown key \"maks\"; did you mean \"mask\"?"},
    {"columns: {A: {hierarchy: {mask: right, date: true}}}",
     "1:26: hierarchy of column \"A\": expected one of file, mask, date, interval and standard, "
     "found "
     "several"},
    {"columns: {A: {hierarchy: {}}}",
     "1:26: hierarchy of column \"A\": expected one of file, mask, date, "
     "interval and standard, found none"},
    {"columns: {A: {hierarchy: {date: false}}}",
     "1:33: hierarchy of column \"A\": date can only be true; leave it out otherwise"},
    {"columns: {A: {hierarchy: {date: soon}}}",
     "1:33: hierarchy of column \"A\": expected true or false, found \"soon\""},
    {"columns: {A: {hierarchy: {date: {}}}}",
     "1:33: hierarchy of column \"A\": expected true, or an order or windows: {order: day-first, "
     "windows: [2, 6, 12, 24]}"},
    {"columns: {A: {hierarchy: {date: {windows: 12}}}}",
     "1:43: hierarchy of column \"A\": expected a list of months, such as [2, 6, 12, 24], found "
     "\"12\""},
    {"columns: {A: {hierarchy: {date: {windows: [4, 6]}}}}",
     "1:33: hierarchy of column \"A\": date: windows must ascend, each a multiple of the one "
     "before, "
     "which 6 after 4 is not"},
    {"columns: {A: {hierarchy: {date: {order: up}}}}",
     "1:41: hierarchy of column \"A\": expected day-first or month-first, found \"up\""},
    {"columns: {A: {hierarchy: {file: [a]}}}",
     "1:33: hierarchy of column \"A\": expected a file name, found a list"},
    {"columns: {A: {hierarchy: {interval: 5}}}",
     "1:37: hierarchy of column \"A\": expected a mapping {origin: 0, widths: [5, 10, 20]}, found "
     "\"5\""},
    {"columns: {A: {hierarchy: {interval: {origin: 0}}}}",
     "1:37: hierarchy of column \"A\": an interval needs widths, such as widths: [5, 10, 20]"},
    {"columns: {A: {hierarchy: {interval: {widths: 5}}}}",
     "1:46: hierarchy of column \"A\": expected a list of widths, such as [5, 10, 20], found "
     "\"5\""},
    {"columns: {A: {hierarchy: {interval: {widths: [5], decimal: dot}}}}",
     "1:60: hierarchy of column \"A\": expected comma or point, found \"dot\""},
    {"columns: {A: {hierarchy: {interval: {widths: [5, wide]}}}}",
     "1:50: hierarchy of column \"A\": expected a width above 0, found \"wide\""},
    {"columns: {A: {hierarchy: {interval: {widths: [0]}}}}",
     "1:47: hierarchy of column \"A\": 0 is out of range: expected a width above 0"},
    {"columns: {A: {hierarchy: {interval: {origin: x, widths: [5]}}}}",
     "1:46: hierarchy of column \"A\": expected a number, found \"x\""},
    {"columns: {A: {hierarchy: {interval: {width: [5]}}}}",
     "1:38: hierarchy of column \"A\": unknown key \"width\"; did you mean \"widths\"?"},

    /* quasi-identifiers */
    {"quasi-identifiers: A", "1:20: quasi-identifiers: expected a list of lists, such as [[ZIP, "
                             "SEX], [ZIP, RACE]], found \"A\""},
    {"quasi-identifiers: []", "1:20: quasi-identifiers: expected a list of lists, such as [[ZIP, "
                              "SEX], [ZIP, RACE]], found a list"},
    {"quasi-identifiers: [A]", "1:21: quasi-identifiers: expected a list of column names, such as "
                               "[ZIP, SEX], found \"A\""},
    {"quasi-identifiers: [[A, [B]]]",
     "1:25: quasi-identifiers: expected the name of a column, found a list"},
    {"quasi-identifiers: [[A, B, A]]",
     "1:28: quasi-identifiers: column \"A\" stands twice in one quasi-identifier"},
};

static void files_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        tacit_policy *policy = NULL;
        tacit_error err = {0};
        tacit_status status =
            tacit_policy_parse(&policy, tacit_strview_of(FILES[i].yaml), "p.yaml", &err);
        assert_null(policy);
        assert_true(status == TACIT_PARSE || status == TACIT_LIMIT);
        assert_int_equal(err.status, status);
        char expected[1024], text[1024];
        bool placed = FILES[i].message[0] >= '0' && FILES[i].message[0] <= '9';
        snprintf(expected, sizeof expected, "p.yaml:%s%s", placed ? "" : " ", FILES[i].message);
        assert_string_equal(tacit_error_format(&err, text, sizeof text), expected);
    }
}

static const struct flag_case {
    const char *key, *value, *message;
} FLAGS[] = {
    {"los", "1", "a policy has no key \"los\"; did you mean \"loss\"?"},
    {"zzzzzzzz", "1", "a policy has no key \"zzzzzzzz\""},
    {"columns", "A", "a policy has no key \"columns\""},
    {"k", "many", "k: expected a whole number of 1 or more, found \"many\""},
    {"k", "", "k: expected a whole number of 1 or more, found nothing"},
    {"k", NULL, "k: expected a whole number of 1 or more, found nothing"},
    {"k", "0", "k: 0 is out of range: expected a whole number of 1 or more"},
    {"loss", "2", "loss: 2 is out of range: expected a number from 0 to 1"},
    {"keep-order", "maybe", "keep-order: expected true or false, found \"maybe\""},
    {"person", "", "person: expected the name of a column, found nothing"},
    {"weight", "2", "weight: expected NAME=W, found \"2\""},
    {"weight", "A=",
     "weight of column \"A\": expected a number above 0 and at most 1000000000, "
     "found nothing"},
    {"weight", "=2", "weight: an empty item in \"=2\""},
    {"weight", "\"A=2", "weight: a double quote is not closed in \"\"A=2\""},
    {"weight", "\"A=\"2", "weight: text follows a closing quote in \"\"A=\"2\""},
    {"weight", "\"A=2\"", "weight: a name without =VALUE in \"\"A=2\"\""},
    {"generalize", "3", "generalize: expected NAME=LEVEL, found \"3\""},
    {"generalize", "A:b",
     "generalize of column \"A\": expected a level, a whole number of 0 or more, "
     "found \"b\""},
    {"diversity", "A=3,3", "diversity of column \"A\": distinct is given twice"},
    {"diversity", "A=none,3",
     "diversity of column \"A\": expected diversity such as 3, entropy:3 or "
     "recursive:2/3, found \"none\""},
    {"role", "A=quazi",
     "role of column \"A\": expected identifier, quasi, sensitive or "
     "insensitive, found \"quazi\""},
    {"replace", "A=hide",
     "replace of column \"A\": expected drop, pseudonym, keep, scrub or row-pseudonym, found "
     "\"hide\""},
    {"link", "A=-1", "link of column \"A\": -1 is out of range: expected a number from 0 to 1"},
    {"suppression", "A=2", "suppression of column \"A\": expected top or none, found \"2\""},
    {"hierarchy", "A=",
     "hierarchy of column \"A\": expected a file name or a rule such as {mask: "
     "right}, found nothing"},
    {"quasi", "", "quasi: an empty item in \"\""},
    {"quasi", "A,,B", "quasi: an empty item in \"A,,B\""},
    {"quasi", "A,", "quasi: an empty item in \"A,\""},
    {"quasi", "\"A\"B", "quasi: text follows a closing quote in \"\"A\"B\""},
    {"quasi-identifiers", "A;", "quasi-identifiers: an empty item in \"A;\""},
    {"quasi-identifiers", "A,A",
     "quasi-identifiers: column \"A\" stands twice in one quasi-identifier"},
    {"anonymity-table", "0.1", "anonymity-table: an item without = in \"0.1\""},
    {"anonymity-table", "0.1=5,0.2", "anonymity-table: an item without = in \"0.1=5,0.2\""},
    {"anonymity-table", "0.1=x",
     "anonymity-table: expected a whole number k of 1 or more, found \"x\""},
    {"anonymity-table", "0.2=5,0.1=6", "anonymity-table: levels must ascend"},
};

static void flags_are_refused(void **state)
{
    (void)state;
    tacit_policy *policy = NULL;
    assert_int_equal(tacit_policy_new(&policy, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        tacit_error err = {0};
        assert_int_equal(tacit_policy_set(policy, FLAGS[i].key, FLAGS[i].value, &err),
                         TACIT_INVALID);
        assert_string_equal(err.message, FLAGS[i].message);
        assert_int_equal(err.line, 0);
        assert_string_equal(err.file, "");
        assert_int_equal(policy->column_count, 0);
    }
    tacit_policy_free(policy);
}

/* The hierarchy room words its own refusals; the place is added here. */
static void rules_are_placed(void **state)
{
    (void)state;
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    const char *yaml = "columns:\n  ZIP:\n    hierarchy: mask:up\n";
    assert_int_equal(tacit_policy_parse(&policy, tacit_strview_of(yaml), "p.yaml", &err),
                     TACIT_PARSE);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 16);
    assert_string_equal(err.file, "p.yaml");
    assert_non_null(strstr(err.message, "hierarchy of column \"ZIP\": "));
}

/* ---- bounds ---- */

static tacit_status parse_long(char *text, size_t len, tacit_error *err)
{
    tacit_policy *policy = NULL;
    tacit_status status = tacit_policy_parse(&policy, (tacit_strview){text, len}, "p.yaml", err);
    tacit_policy_free(policy);
    return status;
}

static void long_files(void **state)
{
    (void)state;
    size_t len = TACIT_MAX_POLICY_BYTES + 1;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, '#', len);
    memcpy(text, "k: 2\n", 5);
    tacit_error err = {0};
    assert_int_equal(parse_long(text, len, &err), TACIT_LIMIT);
    assert_string_equal(err.message, "longer than 16777216 bytes");
    assert_string_equal(err.file, "p.yaml");
    assert_int_equal(parse_long(text, len - 1, NULL), TACIT_OK);
    free(text);
}

static void many_columns(void **state)
{
    (void)state;
    size_t room = 1 << 17, len = 0;
    char *text = malloc(room);
    assert_non_null(text);
    len += (size_t)snprintf(text, room, "columns:\n");
    for (int i = 0; i < TACIT_MAX_COLUMNS; i++)
        len += (size_t)snprintf(text + len, room - len, " c%d: quasi\n", i);
    assert_int_equal(parse_long(text, len, NULL), TACIT_OK);
    tacit_policy *policy = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_policy_parse(&policy, (tacit_strview){text, len}, "p.yaml", NULL), 0);
    assert_int_equal(tacit_policy_set(policy, "quasi", "one-more", &err), TACIT_LIMIT);
    assert_string_equal(err.message, "more than 4096 columns");
    tacit_policy_free(policy);
    len += (size_t)snprintf(text + len, room - len, " last: quasi\n");
    err = (tacit_error){0};
    assert_int_equal(parse_long(text, len, &err), TACIT_LIMIT);
    assert_int_equal(err.line, TACIT_MAX_COLUMNS + 2);
    assert_string_equal(err.message, "more than 4096 entries");
    free(text);
}

static void many_sets(void **state)
{
    (void)state;
    enum { ROOM = 8 * TACIT_MAX_SETS };
    char *text = malloc(ROOM);
    size_t len = (size_t)snprintf(text, ROOM, "quasi-identifiers: [[A]");
    for (int i = 1; i < TACIT_MAX_SETS; i++)
        len += (size_t)snprintf(text + len, ROOM - len, ", [A]");
    snprintf(text + len, ROOM - len, "]");
    assert_int_equal(parse_long(text, len + 1, NULL), TACIT_OK);
    len += (size_t)snprintf(text + len, ROOM - len, ", [A]]");
    tacit_error err = {0};
    assert_int_equal(parse_long(text, len, &err), TACIT_PARSE);
    assert_string_equal(err.message, "quasi-identifiers: more than 65536 quasi-identifiers");

    len = (size_t)snprintf(text, ROOM, "quasi-identifiers: [[A0");
    for (int i = 1; i <= TACIT_MAX_QUASI; i++)
        len += (size_t)snprintf(text + len, ROOM - len, ", A%d", i);
    len += (size_t)snprintf(text + len, ROOM - len, "]]");
    err = (tacit_error){0};
    assert_int_equal(parse_long(text, len, &err), TACIT_PARSE);
    assert_string_equal(err.message,
                        "quasi-identifiers: a quasi-identifier of more than 4096 columns");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_refused), cmocka_unit_test(flags_are_refused),
        cmocka_unit_test(rules_are_placed),  cmocka_unit_test(long_files),
        cmocka_unit_test(many_columns),      cmocka_unit_test(many_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
