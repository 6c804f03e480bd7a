/*
 * compare.h - several policies for the same data: what each loses and who can be told from it.
 */
#ifndef TACIT_ENGINE_EXPLORE_COMPARE_H
#define TACIT_ENGINE_EXPLORE_COMPARE_H

#include "engine/job/files.h"
#include "engine/job/session.h"

enum { ENGINE_MAX_COMPARED = TACIT_MAX_SCATTER - 1 }; /* the data as it is takes a place */

/* What became of a policy. */
typedef struct engine_compared {
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
} engine_compared;

typedef struct engine_comparison {
    engine_session *session;
    const char *data;
    engine_compared list[ENGINE_MAX_COMPARED];
    int count;
    char *files; /* the names as one text */
} engine_comparison;

/* The table on the terminal, as CSV to -o, and the files of --report and --html. */
tacit_status engine_compare_tell(FILE *out, const engine_comparison *comparison);
extern const engine_reports engine_compare_reports;

#endif
