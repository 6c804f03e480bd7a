/*
 * ads.h - the verdict on the definition of a basic anonymous data system (Sweeney,
 * Computational Disclosure Control, 4.3): its nine parts, and of each what was assumed, what was
 * checked and what nothing at hand can show.
 *
 * The definition speaks of all people and of all that anybody knows. A program has files. So
 * the verdict is never more than "as far as this can show", and says how far that is.
 */
#ifndef TACIT_CLI_ADS_H
#define TACIT_CLI_ADS_H

#include <stdio.h>

#include <tacit.h>

/* The nine parts in the order of the definition. */
typedef enum cli_ads_part {
    CLI_ADS_SUBJECTS = 0, /* S */
    CLI_ADS_POPULATION,   /* P */
    CLI_ADS_PRIVATE,      /* PT and the collection function */
    CLI_ADS_QUASI,        /* QI */
    CLI_ADS_UNIVERSE,     /* U */
    CLI_ADS_RELEASES,     /* R */
    CLI_ADS_EXTERNAL,     /* E */
    CLI_ADS_RELATIONS,    /* G */
    CLI_ADS_CONTROL,      /* f */
    CLI_ADS_PARTS
} cli_ads_part;

typedef enum cli_ads_state {
    CLI_ADS_ASSUMED = 0,
    CLI_ADS_HOLDS,   /* was checked */
    CLI_ADS_BROKEN,  /* was checked */
    CLI_ADS_UNKNOWN, /* nothing at hand can show it */
    CLI_ADS_NOT_MET  /* was checked: a condition that does not hold, and need not, for another does
                      */
} cli_ads_state;

/* The conditions of part 9. One of them is enough. */
typedef enum cli_ads_condition {
    CLI_ADS_OTHER_PEOPLE = 0, /* a: the row could be somebody else's */
    CLI_ADS_OTHER_ROWS,       /* b: the person could be another row */
    CLI_ADS_INACCURATE,       /* c: what the row says besides is not accurate */
    CLI_ADS_CONDITIONS
} cli_ads_condition;

enum { CLI_ADS_MOST = 64, CLI_ADS_TEXT = 400 };

typedef struct cli_ads_statement {
    cli_ads_part part;
    cli_ads_state state;
    char text[CLI_ADS_TEXT];
} cli_ads_statement;

/* All zero is empty. */
typedef struct cli_ads {
    cli_ads_statement list[CLI_ADS_MOST];
    int count;
    cli_ads_statement conditions[CLI_ADS_CONDITIONS]; /* until they are settled */
} cli_ads;

/* A statement without a value of the data. What is beyond the room is left out. */
void cli_ads_say(cli_ads *ads, cli_ads_part part, cli_ads_state state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* How a condition of part 9 stands: CLI_ADS_NOT_MET where it does not hold. What is said later
 * counts. */
void cli_ads_meet(cli_ads *ads, cli_ads_condition condition, cli_ads_state state,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

struct cli_case;
struct cli_found;

/* Everything that the judge and the attacks have to say. */
void cli_ads_fill(cli_ads *ads, const tacit_verdict *verdict, const struct cli_found *found,
                  const struct cli_case *c);

/* Whether nothing that was checked is broken, and that in a sentence. */
bool cli_ads_holds(const cli_ads *ads);
void cli_ads_sentence(char *out, size_t size, const cli_ads *ads);

/* The nine parts: on the terminal, in the account's object "ads", as a section of the page. */
void cli_ads_tell(FILE *to, const cli_ads *ads);
void cli_ads_account(tacit_account *account, const cli_ads *ads);
void cli_ads_page(tacit_page *page, const cli_ads *ads);

#endif
