/*
 * ledger.h - the ledger of a command: opened by the policy, its earlier releases recalled into the
 * list that attacks and repair take, and the release of this run written into it.
 */
#ifndef TACIT_ENGINE_LEDGER_LEDGER_H
#define TACIT_ENGINE_LEDGER_LEDGER_H

#include "engine/attacks/attack.h"
#include "engine/records/promise.h"

/* Zero-initialized: there is none. */
typedef struct engine_ledger {
    tacit_ledger *ledger;
    const char *source;
    tacit_ledger_fact *facts;           /* a column of the policy each */
    const tacit_pseudonyms *pseudonyms; /* of this run; NULL: none, or not known */
    int32_t fact_count;
    char own[TACIT_LEDGER_HASH + 1]; /* of the release that is audited: not an earlier one */
    size_t first;                    /* of the list of earlier releases: the first recalled */
    int64_t recalled;                /* releases, their rows, and those not wholly known */
    int64_t rows, unknown_rows;
    tacit_ledger_likeness *likeness; /* of an entry each; NULL before the data is read */
    bool *kin;                       /* and whether its source is this one or has the same data */
    int64_t foreign;                 /* recalled releases from sources of another name */
    int64_t by_name;                 /* entries that are not kin, and are known by name alone */
    int64_t noisy;                   /* kin that are tables with noise, which are not recalled */
    int64_t number;                  /* of the entry of this run; 0: none yet */
} engine_ledger;

/* What has become of the file that a release went to. */
typedef enum engine_ledger_file {
    ENGINE_LEDGER_GONE, /* or it went to no file */
    ENGINE_LEDGER_NO_FILE,
    ENGINE_LEDGER_OTHER,
    ENGINE_LEDGER_SAME
} engine_ledger_file;

engine_ledger_file engine_ledger_file_of(const tacit_ledger_entry *entry, engine_session *session);

/* tacit_ledger_open, which says who has the ledger before it waits. */
tacit_status engine_ledger_wait(tacit_ledger **out, const char *folder, int flags,
                                engine_session *session);

/* Opens the ledger of the policy, if it names one, and says what is left of runs that were killed.
 * data is the file that the source is called after. flags are the library's, without waiting. */
tacit_status engine_ledger_open(engine_ledger *ledger, const tacit_policy *policy, const char *data,
                                int flags, engine_session *session);
void engine_ledger_clear(engine_ledger *ledger);

/* The same for an audit of a release, which is not one of those that were made beside it. Recalling
 * needs the data, --original. */
tacit_status engine_ledger_open_beside(engine_ledger *ledger, const tacit_policy *policy,
                                       const char *release, engine_session *session);

/* Lists the columns of a policy as the ledger takes them. */
tacit_status engine_ledger_columns(engine_ledger *ledger, const tacit_policy *policy,
                                   tacit_error *err);

/* Has every column of the data coded, by which it is recognized and earlier releases are recalled.
 */
void engine_ledger_code(tacit_csv_options *options, const engine_ledger *ledger);

/* Finds out which entries are about the same people: those of the source, those whose data is
 * recognized, and all others of their sources. Every column of the data is coded. */
tacit_status engine_ledger_recognize(engine_ledger *ledger, const tacit_table *data,
                                     engine_session *session);

/* Recalls what was released from the source, and from the same data under other names, into the
 * list, after what is there already; files of --previous that are entries are not recalled again.
 */
tacit_status engine_ledger_recall(engine_earlier *earlier, engine_ledger *ledger,
                                  const tacit_policy *policy, const tacit_table *data,
                                  engine_session *session);

/* Once more, with the values of a later release, for what the data alone did not tell. */
tacit_status engine_ledger_recall_with(engine_earlier *earlier, engine_ledger *ledger,
                                       const tacit_table *data, const tacit_table *release,
                                       engine_session *session);

/* The object "ledger"; nothing where there is none. */
void engine_ledger_facts(tacit_report *report, const engine_ledger *ledger);

/* Says, with what went wrong once the release was announced, what the ledger makes of it. Returns
 * status. */
tacit_status engine_ledger_explain(const engine_ledger *ledger, tacit_status status,
                                   const char *what, tacit_error *err);

/* Once the release is there. */
tacit_status engine_ledger_confirm(const engine_ledger *ledger, tacit_error *err);

#endif
