/*
 * attack.h - the attacks on a release of records, one file each and one line in the table of
 * attacks.c: what `tacit audit` tries, and what `tacit anonymize` tries on its own release before
 * anybody sees it.
 *
 * An attack is wanted where there is something to attack with: a register, an earlier
 * release, published frequencies, a sensitive column, a method that is known. What it finds is a
 * sentence, and facts below it.
 */
#ifndef TACIT_ENGINE_ATTACKS_ATTACK_H
#define TACIT_ENGINE_ATTACKS_ATTACK_H

#include <tacit/experimental/facts.h>

#include "engine/job/files.h"
#include "engine/ledger/earlier.h"
#include "engine/records/promise.h"

/* ---- the definition (ads.c) ---- */

/* The verdict on the definition of a basic anonymous data system (Sweeney,
 * Computational Disclosure Control, 4.3): its nine parts, and of each what was assumed, what was
 * checked and what nothing at hand can show.
 *
 * The definition speaks of all people and of all that anybody knows. A program has files. So
 * the verdict is never more than "as far as this can show", and says how far that is. */

/* The nine parts in the order of the definition. */
typedef enum engine_ads_part {
    ENGINE_ADS_SUBJECTS = 0, /* S */
    ENGINE_ADS_POPULATION,   /* P */
    ENGINE_ADS_PRIVATE,      /* PT and the collection function */
    ENGINE_ADS_QUASI,        /* QI */
    ENGINE_ADS_UNIVERSE,     /* U */
    ENGINE_ADS_RELEASES,     /* R */
    ENGINE_ADS_EXTERNAL,     /* E */
    ENGINE_ADS_RELATIONS,    /* G */
    ENGINE_ADS_CONTROL,      /* f */
    ENGINE_ADS_PARTS
} engine_ads_part;

typedef enum engine_ads_state {
    ENGINE_ADS_ASSUMED = 0,
    ENGINE_ADS_HOLDS,   /* was checked */
    ENGINE_ADS_BROKEN,  /* was checked */
    ENGINE_ADS_UNKNOWN, /* nothing at hand can show it */
    ENGINE_ADS_NOT_MET  /* was checked: a condition that does not hold, and need not, for another
                         * does
                         */
} engine_ads_state;

/* The conditions of part 9. One of them is enough. */
typedef enum engine_ads_condition {
    ENGINE_ADS_OTHER_PEOPLE = 0, /* a: the row could be somebody else's */
    ENGINE_ADS_OTHER_ROWS,       /* b: the person could be another row */
    ENGINE_ADS_INACCURATE,       /* c: what the row says besides is not accurate */
    ENGINE_ADS_CONDITIONS
} engine_ads_condition;

enum { ENGINE_ADS_MAX = 64, ENGINE_ADS_TEXT = 400 };

typedef struct engine_ads_statement {
    engine_ads_part part;
    engine_ads_state state;
    char text[ENGINE_ADS_TEXT];
} engine_ads_statement;

/* All zero is empty. */
typedef struct engine_ads {
    engine_ads_statement list[ENGINE_ADS_MAX];
    int count;
    engine_ads_statement conditions[ENGINE_ADS_CONDITIONS]; /* until they are settled */
} engine_ads;

/* A statement without a value of the data. What is beyond the maximum is left out. */
void engine_ads_say(engine_ads *ads, engine_ads_part part, engine_ads_state state,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* How a condition of part 9 stands: ENGINE_ADS_NOT_MET where it does not hold. What is said later
 * counts. */
void engine_ads_meet(engine_ads *ads, engine_ads_condition condition, engine_ads_state state,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- attacks ---- */

/* What the adversary has in hand. Borrowed. */
typedef struct engine_case {
    engine_session *session;
    const tacit_policy *policy;
    const engine_promise *promise; /* attributes with their hierarchies, k, sensitive columns */
    /* What the data holder asked for, where a release has more quasi-identifying columns than that
     * so as to withstand earlier ones; NULL: the same as above. */
    const tacit_policy *asked_policy;
    const engine_promise *asked_promise;
    const char *file;             /* of the release, for messages */
    const tacit_table *release;   /* NULL while columns are only asked for */
    tacit_audit_groups *groups;   /* the classes of the release, if somebody has them; NULL */
    const tacit_verdict *verdict; /* the judge's; NULL: none yet, or none of this file */
    const tacit_table *original;  /* NULL: not at hand */
    const uint32_t *order;        /* row of the original behind each row; NULL: not known */
    bool same_order;              /* row i of the release is row i of the original */
    bool as_it_is; /* the "release" is the data itself, for the picture of before and after */
    bool proven;   /* its method proved that no release costs less */
    bool own;      /* the release is being made here: what is disclosed can still be refused */
    const engine_earlier *earlier; /* earlier releases of the same source; NULL or empty: none */
} engine_case;

/* Columns of the release that are to be coded: those of the promise, and what attacks need. */
typedef struct engine_needs {
    bool all;
    const char **names; /* borrowed names, owned array */
    size_t count, capacity;
    bool out_of_memory;
} engine_needs;

void engine_needs_add(engine_needs *needs, const char *name);
void engine_needs_clear(engine_needs *needs);

/* The columns to code of a table: those named, which it must have, and of what the attacks on a
 * case (NULL: none) need those that it has, as far as `header` (may be NULL: all of them) tells. */
tacit_status engine_needs_code(engine_needs *needs, tacit_csv_options *options,
                               const char *const *names, size_t count, const tacit_table *header,
                               const engine_case *c, tacit_error *err);

/* The same of a release under the policy. */
tacit_status engine_needs_release(engine_needs *needs, tacit_csv_options *options,
                                  const tacit_table *header, const engine_case *c);

typedef struct engine_attack {
    const char *name;  /* in the JSON, under "attacks", and on the terminal: "linking" */
    const char *title; /* on the page: "Linking to a register" */
    bool (*wanted)(const engine_case *c);
    void (*needs)(engine_needs *needs,
                  const engine_case *c); /* NULL: the promise's columns will do */
    tacit_status (*run)(void **found, const engine_case *c, tacit_error *err);
    /* Whether somebody is exposed: `audit` then ends with status 5. */
    bool (*discloses)(const void *found, const engine_case *c);
    /* Whether a release that is exposed must not leave: what anonymize was asked to withstand.
     * NULL: it is reported only. */
    bool (*promised)(const engine_case *c);
    /* What the data holder can do about it. anonymize then warns of what it lets pass unless it is
     * strict; NULL: it is reported only. */
    const char *remedy;
    /* What was found in a sentence, without a value of the data. */
    void (*sentence)(char *out, size_t size, const void *found, const engine_case *c);
    /* What else there is to say, under "attacks.NAME" in the JSON. May be NULL. */
    void (*facts)(tacit_report *report, const void *found, const engine_case *c);
    /* What it adds to the verdict on the definition of an anonymous data system. May be NULL. */
    void (*shows)(engine_ads *ads, const void *found, const engine_case *c);
    /* How many rows it exposes, for the picture of before and after. NULL: it is not drawn. */
    int64_t (*exposed)(const void *found, const engine_case *c);
    void (*free)(void *found);
} engine_attack;

/* The attacks, ending in NULL: attacks.c. */
extern const engine_attack *const engine_attacks[];

enum { ENGINE_MAX_ATTACKS = 16 };

/* What came of all of them: one each, NULL where it was not wanted. */
typedef struct engine_found {
    void *of[ENGINE_MAX_ATTACKS];
    bool ran[ENGINE_MAX_ATTACKS];
    bool discloses[ENGINE_MAX_ATTACKS];
    double seconds[ENGINE_MAX_ATTACKS];
} engine_found;

tacit_status engine_attacks_run(engine_found *found, const engine_case *c);
void engine_found_clear(engine_found *found);

/* Whether any attack exposes somebody; the first that does although the release was asked
 * to withstand it, or -1. */
bool engine_found_discloses(const engine_found *found);
int engine_found_broken(const engine_found *found, const engine_case *c);

/* Of each attack that ran a verdict and its facts. */
void engine_found_facts(tacit_report *report, const engine_found *found, const engine_case *c);

/* Draws the rows that are exposed in the data as it is, only without its identifiers, and in the
 * release: those in classes below k, as given, and those of each attack that ran on both. */
void engine_found_exposure(tacit_page *page, const engine_found *before, const engine_found *after,
                           const double below_k[2], const engine_case *c);

/* Everything that the judge and the attacks have to say. */
void engine_ads_fill(engine_ads *ads, const tacit_verdict *verdict, const engine_found *found,
                     const engine_case *c);

/* The nine parts: the object "ads", and a section of the page; on the terminal where they are
 * wanted there. */
void engine_ads_facts(tacit_report *report, const engine_ads *ads, bool printed);

/* method.c: whether what knowing the method gives away was not asked because the release was made,
 * or may have been, with earlier ones, or by trails. */
bool engine_method_unasked(const engine_case *c);

/* summary.c: TACIT_INVALID if a file of --summary is written over: the command's other files are
 * given. */
tacit_status engine_summaries_check(const engine_session *session, const engine_file *files,
                                    size_t count, tacit_error *err);

/* link.c: a protection model of linking, with the verdict on it. */
typedef struct engine_map_model {
    const char *name;
    tacit_link_verdict verdict;
    char why[320];
} engine_map_model;

/* A line and a row for each: the list "protection". */
void engine_map_models_facts(tacit_report *report, const engine_map_model *models, int count);

#endif
