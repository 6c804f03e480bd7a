/*
 * compare.h - several policies for the same data: what each loses and who can be told from it.
 */
#ifndef TACIT_CLI_COMPARE_H
#define TACIT_CLI_COMPARE_H

#include "session.h"

enum { CLI_MAX_COMPARED = TACIT_MAX_SCATTER - 1 }; /* the data as it is takes a place */

/* What became of a policy. */
typedef struct cli_compared {
    const char *file;
    char name[64]; /* the file's, without folder and ending */
    char method[32];
    char refused[256]; /* why there is no release; empty: there is one */
    int64_t k;
    int64_t rows;
    double lost;      /* share of the information, 0 to 1 */
    double il1s;      /* NAN: no numbers */
    double pmse;      /* share of the largest that there can be */
    double precision; /* Prec, of what was generalized */
    double relinked;  /* share of the records, by the best attack */
    double low, high; /* its confidence */
    double unprotected;
    const char *attack;
    bool null_map, wrong_map, k_map;
    bool best; /* no other policy loses and exposes less */
    double seconds;
} cli_compared;

typedef struct cli_comparison {
    cli_session *session;
    const char *data;
    cli_compared list[CLI_MAX_COMPARED];
    int count;
    char *files; /* the names as one text */
} cli_comparison;

/* The table on the terminal, as CSV to -o, and the files of --report and --html. */
tacit_status cli_compare_tell(const cli_comparison *comparison);

#endif
