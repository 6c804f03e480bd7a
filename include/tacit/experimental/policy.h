/*
 * policy.h - what the data holder has decided: roles of columns, k, loss and
 * the rest, from a YAML file, from flags, or both (flags win).
 *
 * Every key of the file has a flag of the same name, and one function a key
 * reads both, so they cannot differ. Unknown keys are errors that name the key
 * and the line. The struct is transparent: a program may fill it.
 *
 * The order of calls: new or read, then set for each flag, then (when the data
 * has been read) check, then k and the rest.
 */
#ifndef TACIT_POLICY_H
#define TACIT_POLICY_H

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/model.h>
#include <tacit/experimental/techniques.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_role {
    TACIT_ROLE_NONE = 0,   /* not named: carried along like insensitive; see profile.h */
    TACIT_ROLE_IDENTIFIER, /* names a person: dropped or replaced */
    TACIT_ROLE_QUASI,      /* identifies in combination: generalized */
    TACIT_ROLE_SENSITIVE,  /* what the release is about */
    TACIT_ROLE_INSENSITIVE
} tacit_role;

typedef enum tacit_replace {
    TACIT_REPLACE_DROP = 0,
    TACIT_REPLACE_PSEUDONYM,
    TACIT_REPLACE_KEEP,
    TACIT_REPLACE_SCRUB, /* text, of any role but quasi: without what is personal in it (text.h) */
    TACIT_REPLACE_ROW_PSEUDONYM /* another pseudonym in every row, so that it links none */
} tacit_replace;

enum { TACIT_MAX_COLUMN_MODELS = 12 };

typedef struct tacit_policy_column {
    char *name;
    tacit_role role;
    tacit_hierarchy_spec hierarchy;
    bool has_suppression; /* given for this column; hierarchy.no_suppression holds what applies:
                             else the policy's, and none on top of a sensitive column's */
    bool has_weight, has_link, has_replace;
    bool unlinked; /* it was quasi with `link: 0` and is left out of the quasi-identifier */
    double weight; /* for weighted Prec; positive */
    double link;   /* Sweeney's profile value: how likely the column is used for linking, 0 to 1 */
    tacit_replace replace;
    int least_level;     /* `generalize`: a quasi column is released no finer than this */
    tacit_rating rating; /* of a quasi column, for mu-argus */
    tacit_model_bound models[TACIT_MAX_COLUMN_MODELS]; /* of a sensitive column, a kind once */
    int32_t model_count;
    bool has_spread;
    tacit_spread spread; /* of a sensitive column: how near its numbers are one value */
    int64_t line;        /* where the policy names it; 0 from flags */
    bool of_household;   /* `of: household`: the same for all members of a household */
    bool has_missing_codes;
    tacit_missing_codes missing_codes; /* in place of the policy's, where it has its own */
    char *items; /* what separates the items of a cell that is a set of them; NULL: it is none */
} tacit_policy_column;

typedef struct tacit_anonymity_step {
    double level; /* above 0, at most 1 */
    int64_t k;
} tacit_anonymity_step;

/* A quasi-identifier: indices into the policy's columns. */
typedef struct tacit_quasi_set {
    int32_t *columns;
    int32_t count;
} tacit_quasi_set;

/* A dependency, A,B->C: indices into the policy's columns. */
typedef struct tacit_policy_dependency {
    tacit_quasi_set left;
    int32_t right;
} tacit_policy_dependency;

/* What ambiguation is asked for; names are those of the methods' room. */
typedef struct tacit_policy_blanks {
    char *heuristic; /* NULL: the default */
    char *row_order; /* NULL: as the rows stand */
    bool strict;     /* `blanks: blanks`: a suppressed cell agrees with suppressed cells only */
    bool mean;       /* `measure: mean`: the mean number of rows that agree is to be k */
    bool redundant;
    int64_t max_row;               /* suppressed cells that a row may have; 0: no limit */
    int64_t max_column;            /* and a column */
    char *costs;                   /* CSV file: column, value, cost of suppressing it */
    tacit_policy_dependency *hide; /* what nobody is to prove */
    int32_t hide_count;
} tacit_policy_blanks;

/* A key of the policy, as the command line offers it: --name argument. */
typedef struct tacit_policy_key {
    const char *name;
    const char *argument; /* how the value is written; NULL: the flag takes none */
    const char *help;     /* one line, without a full stop */
    bool repeats;         /* the flag may be given several times, for several columns */
    const struct tacit__policy_rule *rule; /* how the value is read; private */
} tacit_policy_key;

/* The keys, ending in an entry without a name. */
const tacit_policy_key *tacit_policy_keys(void);

enum {
    TACIT_MAX_POLICY_BYTES = 1 << 24,
    TACIT_MAX_QUASI = 4096,
    TACIT_MAX_SETS = 65536,
    TACIT_MAX_POLICY_KEYS = 80
};

typedef struct tacit_policy {
    char *file;      /* NULL where there is none */
    char *directory; /* where relative names in the policy start; NULL: the working directory */
    int64_t k;       /* 0: not given */
    bool has_anonymity;
    double anonymity;                      /* 0: as it is, 1: the most general */
    tacit_anonymity_step *anonymity_table; /* ascending */
    int32_t anonymity_count;
    char *method;      /* NULL: the default */
    char *metric;      /* NULL: the default; the names are the methods' */
    char *prefer;      /* the same: which of several optima */
    bool all_minimal;  /* list every k-minimal generalization */
    bool as_published; /* mu-argus as the program was (Figure 76); ambiguation as it is in the
                          paper, whose k holds one way only */
    bool resist;       /* `minimality: resist`: nothing is to follow from knowing the method */
    bool as_described; /* mu-argus as its algorithm is written down (Figure 50) */
    tacit_policy_blanks blanks;
    char *population;                       /* CSV file of the people who could be in the data */
    tacit_model_bound population_models[2]; /* about it, a kind once */
    int32_t population_model_count;
    tacit_risk_bounds risks; /* of the release as a whole */
    int64_t km; /* items that somebody may know of each set (itemsets.h); 0: nothing is promised */
    char **previous; /* CSV files: earlier releases of the data, owned */
    int32_t previous_count;
    char *previous_way;                /* NULL: whichever loses less; "columns" or "generalize" */
    struct tacit__policy_steps *steps; /* techniques; see tacit_policy_steps */
    bool has_loss;
    double loss;             /* share of the rows that may be suppressed */
    bool complement_largest; /* complementary suppression takes from the largest class */
    bool drop_suppressed;    /* leave suppressed rows out instead of writing them blanked */
    bool shards_hidden;      /* nobody who may read a release in shards asks the database for it */
    bool keep_order;
    bool spreadsheet_safe; /* no released cell begins as a formula does */
    bool strict;    /* what is otherwise only warned of refuses the release: columns without a role
                       (profile.h), classes that say a sensitive value */
    char *encoding; /* NULL: detected; see tacit_encoding_named */
    tacit_missing_codes missing_codes; /* what stands for a missing value beside an empty cell */
    bool no_suppression;               /* default of the columns' `suppression` */
    char *person;                      /* the column that says which rows are one person's */
    char *household; /* the column that says which rows are of one household, whose members
                        are known together: k counts households */
    char *
        sampling_weight; /* the column that says how many people of a population a row stands for */
    bool rows_are_people; /* `person: none`: every row is a person, whatever an identifier says */
    bool trail;           /* `trail: k`: rows are suppressed until k people share what the rows of
                             each say together */
    char *key_file;
    char *ledger; /* the folder of the ledger (ledger.h), for who makes and attacks releases */
    char *source; /* what the ledger calls the data; NULL: by the data's file */
    tacit_policy_column *columns;
    int32_t column_count;
    int32_t column_capacity; /* entries that columns has room for; 0 where a program filled it */
    tacit_quasi_set *sets;   /* given quasi-identifiers; none: all quasi columns together */
    int32_t set_count;
    int64_t lines[TACIT_MAX_POLICY_KEYS]; /* of the file, by key; see tacit_policy_line */
} tacit_policy;

/* An empty policy, for flags alone. */
tacit_status tacit_policy_new(tacit_policy **out, tacit_error *err);

/* Reads a YAML file. */
tacit_status tacit_policy_read(tacit_policy **out, const char *path, tacit_error *err);

/* The same from memory; name is for messages, and relative file names in the
 * policy start at its folder. */
tacit_status tacit_policy_parse(tacit_policy **out, tacit_strview yaml, const char *name,
                                tacit_error *err);

void tacit_policy_free(tacit_policy *policy);

/* Sets one key as a flag writes it, over what the file says. Keys of single
 * columns take NAME=VALUE (`hierarchy`: "ZIP=mask:right"), list keys take A,B,C
 * (`quasi`, `identifier`, `sensitive`, `insensitive`); names may stand in double
 * quotes. A value that is NULL or empty means true where the key is a switch.
 * On failure the policy is as it was. */
tacit_status tacit_policy_set(tacit_policy *policy, const char *key, const char *value,
                              tacit_error *err);

/* The line on which the file gives a key of the policy, for messages; 0 where
 * it does not, or where a flag has taken its place. */
int64_t tacit_policy_line(const tacit_policy *policy, const char *key);

/* The techniques to apply before anything is generalized, in their order: treatments of columns,
 * column by column, then `techniques`. They borrow from the policy; free the array with the
 * function after it. */
tacit_status tacit_policy_steps(tacit_technique_step **steps, size_t *count,
                                const tacit_policy *policy, tacit_error *err);
void tacit_policy_steps_free(tacit_technique_step *steps);

/* Whether there are any, a method that is one among them. */
bool tacit_policy_masks(const tacit_policy *policy);

/* Leaves columns of `link: 0` out of the quasi-identifier: they become insensitive, and are marked.
 * Once all of the policy has been set, before it is checked. Returns how many there are. */
int32_t tacit_policy_leave_unlinked(tacit_policy *policy);

/* The spread of a sensitive column's numbers: what is given, or a share of its range. */
tacit_spread tacit_policy_spread(const tacit_policy_column *column);

/* The codes of missing values in the column of that name, borrowed, and whether any column may have
 * some. */
tacit_missing_codes tacit_policy_missing_codes(const tacit_policy *policy, tacit_strview name);
bool tacit_policy_has_missing_codes(const tacit_policy *policy);

/* Whether its method generalizes and suppresses; `none` and methods that are techniques do not, and
 * need no k. */
bool tacit_policy_generalizes(const tacit_policy *policy);

/* The column's entry, or NULL. */
const tacit_policy_column *tacit_policy_find(const tacit_policy *policy, tacit_strview name);

/* Checks the policy by itself and against a table's header: every named column
 * exists, k or anonymity is given, numbers are in range, roles and what is said
 * of each column agree, models have what they need, sets name all quasi columns
 * and no others, at least one quasi-identifier. Fills in the set of all quasi
 * columns where none is given; nothing should be set afterwards. */
tacit_status tacit_policy_check(tacit_policy *policy, const tacit_table *table, tacit_error *err);

/* The same against the header of a release, from which dropped identifiers and
 * the person column may be gone. */
tacit_status tacit_policy_check_release(tacit_policy *policy, const tacit_table *release,
                                        tacit_error *err);

/* The columns of the table that the policy gives no role: their number, and the
 * first `room` of them into columns (NULL where room is 0). They are carried
 * along as they are, unless tacit_profile_unnamed (profile.h) refuses them. */
int32_t tacit_policy_unnamed(int32_t *columns, int32_t room, const tacit_policy *policy,
                             const tacit_table *table);

/* The k that holds: the given one, or the anonymity level's by the table, a
 * level between two entries taking the higher one; a level above the highest
 * entry and below 1 is an error. Level 0 is k = 1, and so is a policy that needs
 * no k and gives none; level 1 sets *most_general, and k is the given one, or that
 * of the highest entry, or 2 without a table. */
tacit_status tacit_policy_k(const tacit_policy *policy, int64_t *k, bool *most_general,
                            tacit_error *err);

/* Refuses a k of 1, given as such or as a level: it promises nothing, and a release would
 * still be said to keep its promise. For who makes releases; whoever only looks at data
 * may want it. */
tacit_status tacit_policy_check_k(const tacit_policy *policy, tacit_error *err);

/* What is promised of the population, by index: k-map without a register is by sampling weights
 * (TACIT_MODEL_MAP_ESTIMATED). */
tacit_model_bound tacit_policy_population_model(const tacit_policy *policy, int32_t index);

/* Whether k-map goes by sampling weights. */
bool tacit_policy_estimates(const tacit_policy *policy);

/* Names of the columns that the work needs coded: quasi-identifiers, person, and
 * columns that models or hidden dependencies speak of; identifiers are not among them. The
 * names borrow from the policy; free the array with tacit_policy_names_free. */
tacit_status tacit_policy_coded(const char ***names, size_t *count, const tacit_policy *policy,
                                tacit_error *err);
void tacit_policy_names_free(const char **names);

/* Keyed one-way pseudonyms. The key file holds 32 random bytes in hexadecimal,
 * readable by its owner only; it is made on first use. */
typedef struct tacit_pseudonyms tacit_pseudonyms;

/* key_file NULL (the policy names none) is an error that says what to do.
 * *created, which may be NULL, says whether the key was made just now. */
tacit_status tacit_pseudonyms_new(tacit_pseudonyms **out, const char *key_file, bool *created,
                                  tacit_error *err);

/* Pseudonyms under a key that is drawn from the run's seed and kept nowhere. */
tacit_status tacit_pseudonyms_draw(tacit_pseudonyms **out, const tacit_run *run, tacit_error *err);
void tacit_pseudonyms_free(tacit_pseudonyms *pseudonyms);

enum { TACIT_PSEUDONYM_LENGTH = 20 };

/* The pseudonym of a value: the same for the same value and key, in any table
 * and column. Missing stays missing (length 0). size is at least
 * TACIT_PSEUDONYM_LENGTH. A tacit_csv_column.rewrite; any thread may call it. */
size_t tacit_pseudonym(tacit_strview value, char *out, size_t size, const void *pseudonyms);

#ifdef __cplusplus
}
#endif
#endif
