/*
 * audit.h - the judge: what a release promises, checked by code of its own.
 *
 * The judge reads the release as a recipient would. For records it shares the
 * reader and the hierarchies with the methods, and nothing else: it counts,
 * matches and searches by itself. It never repairs; it finds.
 */
#ifndef TACIT_AUDIT_H
#define TACIT_AUDIT_H

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_promise_attribute {
    const char *name;
    const tacit_hierarchy_spec *hierarchy; /* borrowed; bound by the judge itself */
} tacit_promise_attribute;

typedef struct tacit_promise_identifier {
    const char *name;
    bool pseudonym; /* replaced; otherwise it must be gone */
    bool per_row;   /* replaced by another pseudonym in every row, which links none */
} tacit_promise_identifier;

typedef struct tacit_promise_model {
    tacit_model_bound bound;
    const char *column;                    /* the sensitive one; NULL: about the population */
    const tacit_hierarchy_spec *hierarchy; /* of that column, where distances need it */
    tacit_spread spread;                   /* of that column's numbers */
} tacit_promise_model;

/* A column whose cells are sets of items (itemsets.h). */
typedef struct tacit_promise_items {
    const char *column;
    const char *separator;
    const tacit_hierarchy_spec *hierarchy; /* of the items */
} tacit_promise_items;

/* A functional dependency that nobody is to be able to prove, by names of columns: two
 * released rows must differ in `right`, "*" in neither, while they agree, "*" with
 * anything, in all of `left`. */
typedef struct tacit_promise_dependency {
    const char *const *left;
    int32_t left_count; /* 0: nobody is to believe that right has one value */
    const char *right;
} tacit_promise_dependency;

/* What is promised of a release. */
typedef struct tacit_promise {
    int64_t k;
    const tacit_promise_attribute *attributes;
    int32_t attribute_count;
    const tacit_missing_codes *missing; /* NULL, or an attribute each: codes that stand for missing
                                           values, which a release shows in one form only */
    const uint64_t *sets; /* quasi-identifiers: a bit an attribute, each in (attribute_count + 63) /
                             64 words of its own; NULL: one of all */
    int32_t set_count;
    const tacit_promise_identifier *identifiers;
    int32_t identifier_count;
    const char *const *scrubbed; /* text that was rewritten: it need not say what the original says,
                                    but no identifier of its row may be left in it */
    int32_t scrubbed_count;
    const char *person;           /* NULL: every row is a person */
    const char *household;        /* NULL: none. Otherwise k counts its values, not people; the rows
                                     of each are together those of k, whether or not the release
                                     links them */
    const uint64_t *of_household; /* NULL, or attributes, a bit each, that rows of one household
                                     have the same value of, those apart of which every attribute
                                     is suppressed */
    bool rows_are_people;         /* whatever identifiers say that stand in several rows */
    const char *const *linking; /* columns that tell which rows are one person's, beside pseudonyms
                                   and the person column: identifiers that are kept */
    int32_t linking_count;
    bool spreadsheet_safe;             /* no cell and no name of a column begins as a formula does;
                                          the original was read with TACIT_GUARD_CELLS, the
                                          release with TACIT_GUARD_DONE */
    bool suppressed_dropped;           /* suppressed rows are left out of the release */
    bool masked;                       /* the original is what techniques made of the data, and
                                          is judged by itself (audit_masked.h) */
    const tacit_promise_model *models; /* what every class keeps beyond k */
    int32_t model_count;
    tacit_risk_bounds risks;          /* what the release as a whole keeps */
    const tacit_promise_items *items; /* of every class and up to `km` items, over all these columns
                                         together, that a row of it has, k people of it have them */
    int32_t items_count;
    int km; /* 1 to 8 where there are columns of items */

    /* Ambiguity (ambiguate.h): "*" agrees with anything, and alpha of a row is the number of
     * rows that agree with it in every attribute, itself among them. */
    bool ambiguous;          /* alpha of every row, not its class, is to be k */
    bool both_ways;          /* and the values of k people of the original fit every row, "*" with
                                anything, and those of every person fit k rows */
    bool mean_alpha;         /* only the mean of alpha is promised to be k */
    bool resists_minimality; /* and knowing that no blank could be left out reveals none */
    const tacit_promise_dependency *hidden;
    int32_t hidden_count;
    int32_t max_row_blanks;     /* blanks that a row may have; 0: no limit is promised */
    int64_t most_column_blanks; /* and a column; 0: no limit is promised */
} tacit_promise;

typedef enum tacit_finding_kind {
    TACIT_FINDING_K = 0,      /* a class below k */
    TACIT_FINDING_ALPHA,      /* a row that agrees with fewer than k rows, or a mean below k */
    TACIT_FINDING_SUPPRESSED, /* suppressed rows below k */
    TACIT_FINDING_TRAIL,      /* rows that a column links, and that fewer than k share together */
    TACIT_FINDING_PERSON,     /* a class whose rows may be those of fewer than k people */
    TACIT_FINDING_HOUSEHOLD,  /* members of a household that differ in what is the household's */
    TACIT_FINDING_VALUE,      /* a released value that is no generalization of the original */
    TACIT_FINDING_ROWS,       /* rows lost or made up */
    TACIT_FINDING_CHANGED,    /* a cell outside the quasi-identifier that differs */
    TACIT_FINDING_IDENTIFIER, /* an explicit identifier is left */
    TACIT_FINDING_COLUMN,     /* a column that should, or should not, be there */
    TACIT_FINDING_MODEL,      /* a class that breaks a model beyond k, or a
                                 release that breaks a bound on the whole */
    TACIT_FINDING_REVEALED,   /* a blank whose value follows from every blank being needed */
    TACIT_FINDING_DEPENDENCY, /* a dependency that was to be hidden can be proven */
    TACIT_FINDING_LIMIT,      /* more blanks in a row or column than promised */
    TACIT_FINDING_FITS,       /* a row that fewer than k people fit, or a person who fits fewer than
                                 k rows, or that it could not be counted */
    TACIT_FINDING_FORMULA,    /* a cell that a spreadsheet may run as a formula */
    TACIT_FINDING_MISSING,    /* missing values in several forms, which tell people apart */
    TACIT_FINDING_ITEMS       /* a class in which fewer than k people share items that one has, or a
                                 cell with an item twice */
} tacit_finding_kind;

/* Findings carry places and counts; values only where the caller asked. */
typedef struct tacit_finding {
    tacit_finding_kind kind;
    int64_t row;   /* of the release, counting from 1; 0: none in particular */
    int64_t count; /* how many rows or cells are concerned */
    char message[384];
} tacit_finding;

typedef struct tacit_set_verdict {
    int64_t classes;    /* suppressed rows among them, as one class */
    int64_t smallest;   /* people in the smallest class */
    int64_t rows_below; /* rows in classes below k */
} tacit_set_verdict;

/* How a promise beyond k stands over all classes: those of every
 * quasi-identifier, suppressed rows, and rows left out where the original is at
 * hand. Measured in the unit of the bound: a number of values or of people, c, a
 * share, a distance; for entropy the number of equally frequent values that would
 * have as much. NAN where there was no class. */
typedef struct tacit_model_verdict {
    tacit_model_bound bound;
    const char *column; /* as the promise has it, borrowed; NULL: the population */
    bool checked;       /* otherwise a finding says why it could not be */
    int64_t classes;    /* that were measured */
    double worst;       /* of any class: the least diversity or people, the largest c, share or
                           distance */
    double least;       /* of any class; for presence, which also has a least share: 0 where
                           people of the population lie in no class */
    int64_t classes_failing;
    int64_t rows_failing; /* rows in those classes */
} tacit_model_verdict;

/* Bounds on the whole release: the worst of any quasi-identifier. */
typedef struct tacit_risk_verdict {
    bool checked;   /* some are promised */
    double average; /* with suppressed rows as a class, or without them: the larger */
    double unique;  /* NAN where the model does not fit; 0 where no bound is promised */
    tacit_uniqueness_model model; /* that it comes from */
} tacit_risk_verdict;

/* Sets of items. */
typedef struct tacit_items_verdict {
    bool checked;        /* otherwise a finding says why it could not be */
    double combinations; /* of up to km items, as often as rows have them */
    int64_t smallest;    /* people of a class who share one, at least; 0: there are no items. Where
                            a class fails, of what was looked at up to there */
    int64_t classes_failing;
    int64_t rows_failing;
} tacit_items_verdict;

/* How ambiguous the release is. Where rows correspond to the original's, a cell that was
 * "*" in it is no blank. Where there is an original but rows do not correspond, "*" of a
 * column in which the original has some of its own are not counted as blanks, since
 * nobody can tell which are which. */
typedef struct tacit_alpha_verdict {
    bool checked;       /* alpha was counted: ambiguity is promised */
    int64_t least;      /* 0 where the release has no rows */
    double mean;        /* the same */
    int64_t rows_below; /* with alpha below k */
    int64_t blanks;     /* counted too where only limits are promised */
    int64_t rows_blanked;
} tacit_alpha_verdict;

/* Who fits what, where ambiguity is promised. A person, a row of the original, fits a released
 * row that shows none but his values, as the original has them on the level of the column; "*" of
 * the original's own is a value that only "*" fits. It is found only where k is promised both ways,
 * and with the original; what is sure whatever "*" hides is counted without it, too. */
typedef struct tacit_fits_verdict {
    bool checked;            /* both ways are promised */
    bool exact;              /* counted with the people of the original */
    int64_t least_people;    /* exact: the fewest people who fit a row, */
    int64_t least_rows;      /* and the fewest rows that a person fits */
    int64_t rows_below;      /* rows that fewer than k people fit */
    int64_t people_below;    /* people who fit fewer than k rows, */
    int64_t people_with_one; /* and a single one */
    int64_t rows_sure;       /* rows that k people are sure to fit, by the release alone, */
    int64_t people_sure;     /* and whose own people are sure to fit k rows */
} tacit_fits_verdict;

/* Rows that a column of the release tells to be one person's: a trail is the multiset of their
 * combinations of quasi-identifier values, and so their number. Of the column and the
 * quasi-identifier in which the fewest share one. */
typedef struct tacit_trail_verdict {
    bool checked;       /* a column links rows, and has a value in several of them */
    int32_t column;     /* of the release */
    int64_t people;     /* its values; a row without one is a person by itself */
    int64_t trails;     /* different ones */
    int64_t smallest;   /* people who share one, at least */
    int64_t alone;      /* people whose trail nobody shares */
    int64_t below;      /* people whose trail fewer than k share */
    int64_t rows_below; /* their rows */
    int64_t most_rows;  /* of one of the people */
} tacit_trail_verdict;

typedef struct tacit_revealed_cell {
    int64_t row;       /* of the release, counting from 1 */
    int32_t attribute; /* of the promise */
} tacit_revealed_cell;

/* What follows from knowing that no blank could have been left out (Vinterbo and
 * Ohno-Machado, section 4): a value that could have been released in a blank's place,
 * every alpha still k, cannot be the blank's. Where k is promised both ways, one that could have
 * been whatever the other blanks hide. Values are those that the column has in the
 * release, and, where the original is at hand and the column on one level of its
 * hierarchy, all of the original's on that level. */
typedef struct tacit_minimality_verdict {
    bool checked;       /* false: no ambiguity is promised, or it would have taken too long */
    int64_t blanks;     /* as in tacit_alpha_verdict */
    int64_t revealed;   /* blanks with one value left of several */
    int64_t narrowed;   /* with fewer values left than the column has, and more than one */
    int64_t removable;  /* blanks that could have been left out: where rows correspond and the
                           column is on one level, filled with their own value; otherwise
                           with any */
    double bits_hidden; /* log2 of the ways to fill all blanks, */
    double bits_gained; /* what is excluded takes of these, */
    double bits_worst;  /* and the most that it takes of a row */
    tacit_revealed_cell *cells; /* all that are revealed, by row and attribute */
    int64_t cell_count;
} tacit_minimality_verdict;

enum { TACIT_MAX_FINDINGS = 32 };

typedef struct tacit_verdict {
    bool holds;
    int64_t rows;
    int64_t suppressed_rows; /* rows of the release with every attribute suppressed */
    int64_t unreleased_rows; /* rows of the original that the release leaves out */
    bool people_counted; /* k was counted over people or households, not rows; false where a person
                            column is promised but is nowhere at hand */
    bool values_checked; /* against an original */
    bool rows_matched;   /* one to one with the original's rows */
    tacit_set_verdict *sets;
    int32_t set_count;
    tacit_model_verdict *models; /* one for each of the promise */
    int32_t model_count;
    tacit_risk_verdict risks;
    tacit_items_verdict items;
    tacit_trail_verdict trails;
    tacit_trail_verdict households; /* as trails, of households; column is -1 */
    tacit_alpha_verdict alpha;
    tacit_fits_verdict fits;
    tacit_minimality_verdict minimality;
    tacit_finding findings[TACIT_MAX_FINDINGS]; /* the first of each kind, worst first */
    int32_t finding_count;
} tacit_verdict;

/* Rows of a release put together by their quasi-identifier, kept from the judge for the attacks
 * that ask for the same. Free it before the tables. */
typedef struct tacit_audit_groups tacit_audit_groups;

tacit_status tacit_audit_groups_new(tacit_audit_groups **out, tacit_error *err);
void tacit_audit_groups_free(tacit_audit_groups *groups);

/* What the judge is given. */
typedef struct tacit_evidence {
    const tacit_table *release;    /* the attributes coded, and the person column, those that link
                                      rows and those that models speak of if they are there */
    const tacit_table *original;   /* NULL: not at hand; attributes and person coded */
    const uint32_t *order;         /* row of the original behind each row of the release, a claim
                                      that the judge checks; NULL: not known */
    bool same_order;               /* row i of the release claims to be row i of the original */
    const tacit_table *population; /* the register that models speak of, attributes coded; a
                                      model that needs it and has none is a finding */
    tacit_audit_groups *groups;    /* NULL, or what is used after the judge as well */
} tacit_evidence;

/* Judges a release. What does not hold is a finding, not an error.
 *
 * Wherever rows correspond, every check is made row by row, and people are the
 * original's; otherwise rows are compared as multisets. Rows whose person is
 * missing count as one person. Each row's own identifiers must not be left in
 * its other cells, attributes aside, as whole tokens; values of fewer than 4
 * bytes, or without a letter and of fewer than 9 digits, are not looked for, but
 * a column that equals an identifier in every row is found.
 * Columns of a release without a header are taken for those of the original
 * that are not dropped, in their order. Messages name columns, rows and lines,
 * never values.
 *
 * Rows that a column links (a pseudonym, the person column, what the promise calls linking) are
 * also judged together: k must share all that the rows of one of its values say. Where ambiguity
 * is promised, nothing may be linked. Pseudonyms per row differ in every row.
 *
 * Where no person column is promised, nor that every row is a person, an identifier that was
 * dropped must have k different values in every class; that is asked where rows correspond.
 *
 * Models are checked on the classes of each quasi-identifier, suppressed rows
 * among them. Closeness compares with all rows of the release; where suppressed
 * rows are left out and the original is at hand, with the original's. What cannot
 * be checked (a sensitive column that is not there or not coded, no register, a
 * value that a hierarchy does not know) is a finding.
 *
 * Items are checked on the classes of each quasi-identifier, too. With the original, and where rows
 * correspond, every item of a row must be one of the original's, or generalize one; otherwise, one
 * that any row of the original has. Rows must not be linked.
 *
 * Bounds on the whole release are checked on the classes of each quasi-identifier. People who were
 * left out are known of where the original is at hand.
 *
 * Where ambiguity is promised, classes and suppressed rows may be smaller than k
 * (`sets` still says how large they are), and alpha is counted over rows; where it is promised
 * both ways, who fits what is counted with the original, and is a finding only then. A blank
 * that knowing about minimality reveals is a finding only where resists_minimality is
 * promised; so is, then, that it would have taken too long to tell. A hidden
 * dependency whose columns are not in the release, or not coded, is a finding.
 *
 * A promise without attributes, with k below 1, or with a model, bound, limit or hidden
 * dependency that makes no sense, ambiguity of people or of several
 * quasi-identifiers, and an attribute, person or linking column that is not coded, are
 * TACIT_INVALID. */
tacit_status tacit_audit_release(tacit_verdict **out, const tacit_promise *promise,
                                 const tacit_evidence *evidence, const tacit_run *run,
                                 tacit_error *err);
void tacit_verdict_free(tacit_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
