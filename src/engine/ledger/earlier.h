/*
 * earlier.h - what was released before from the same source: the files of --previous and what the
 * ledger remembers, as tables. The attack on earlier releases and the repair take this list and
 * do not ask where a release came from.
 */
#ifndef TACIT_ENGINE_LEDGER_EARLIER_H
#define TACIT_ENGINE_LEDGER_EARLIER_H

#include "engine/job/session.h"

typedef struct engine_earlier_release {
    tacit_table *table; /* every column coded */
    char *name;         /* for messages: the file's name, or "release 3 of the ledger (old.csv)" */
    char *bytes;        /* what the table reads from; NULL where it has a file */
    bool ordered;       /* rows stand as they were released; a ledger does not remember how */
} engine_earlier_release;

/* Zero-initialized is empty. In the order of --previous, then by the ledger's numbers. */
typedef struct engine_earlier {
    engine_earlier_release *releases;
    size_t count, capacity;
} engine_earlier;

/* Reads the files that the policy names under `previous`, those of flags among them. */
tacit_status engine_earlier_read(engine_earlier *earlier, const tacit_policy *policy,
                                 engine_session *session);

/* Adds a release from the CSV in bytes (the library's), which the list owns from here on,
 * also where it fails. */
tacit_status engine_earlier_add_bytes(engine_earlier *earlier, const char *name, char *bytes,
                                      size_t len, engine_session *session);

/* Takes the releases from a place on out of the list. */
void engine_earlier_drop(engine_earlier *earlier, size_t from);

void engine_earlier_clear(engine_earlier *earlier);

#endif
