/*
 * ads.h - the verdict on the definition of a basic anonymous data system (Sweeney,
 * Computational Disclosure Control, 4.3): its nine parts, and of each what was assumed, what was
 * checked and what nothing at hand can show.
 *
 * The definition speaks of all people and of all that anybody knows. A program has files. So
 * the verdict is never more than "as far as this can show", and says how far that is.
 */
#ifndef TACIT_ENGINE_ATTACKS_ADS_H
#define TACIT_ENGINE_ATTACKS_ADS_H

#include <tacit/experimental.h>
#include <tacit/experimental/facts.h>

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

enum { ENGINE_ADS_MOST = 64, ENGINE_ADS_TEXT = 400 };

typedef struct engine_ads_statement {
    engine_ads_part part;
    engine_ads_state state;
    char text[ENGINE_ADS_TEXT];
} engine_ads_statement;

/* All zero is empty. */
typedef struct engine_ads {
    engine_ads_statement list[ENGINE_ADS_MOST];
    int count;
    engine_ads_statement conditions[ENGINE_ADS_CONDITIONS]; /* until they are settled */
} engine_ads;

/* A statement without a value of the data. What is beyond the room is left out. */
void engine_ads_say(engine_ads *ads, engine_ads_part part, engine_ads_state state,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* How a condition of part 9 stands: ENGINE_ADS_NOT_MET where it does not hold. What is said later
 * counts. */
void engine_ads_meet(engine_ads *ads, engine_ads_condition condition, engine_ads_state state,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

struct engine_case;
struct engine_found;

/* Everything that the judge and the attacks have to say. */
void engine_ads_fill(engine_ads *ads, const tacit_verdict *verdict,
                     const struct engine_found *found, const struct engine_case *c);

/* The nine parts: the object "ads", and a section of the page; on the terminal where they are
 * wanted there. */
void engine_ads_facts(tacit_report *report, const engine_ads *ads, bool printed);

#endif
