/*
 * places.h - tables in engines that a job works on as rows, and tables that its release goes into.
 * Each stands behind a path under /dev/fd, so that no kind of job needs to know of it: the rows of
 * an input are fetched as CSV before the job begins, and what was written behind the path of a
 * target is loaded, compared and published when it is done.
 *
 * Rows leave an engine only if that was asked for (--fetch-rows). Kinds that work with less ask the
 * engine themselves (takes_places).
 */
#ifndef TACIT_ENGINE_JOB_PLACES_H
#define TACIT_ENGINE_JOB_PLACES_H

#include <tacit/experimental.h>

#include "engine/job/settings.h"

enum { ENGINE_MAX_PLACES = 16 };

typedef struct engine_place {
    int fd;
    bool is_target;
    tacit_engine *engine;         /* its own, in a transaction; NULL: that of an input */
    tacit_engine_columns columns; /* that were read */
    int64_t rows;                 /* that were read, or published */
    const char *counted;          /* the place where combinations are asked for; NULL: rows were */
    int64_t combinations;         /* of so many columns */
    int32_t asked;
    int64_t empty;         /* empty texts among their cells: missing from there on */
    tacit_place_name name; /* of a target */
    tacit_engine *within;  /* the engine that a target is in */
    tacit_place_name made; /* what it is called before it appears */
    bool published;
} engine_place;

/* Zero-initialized is empty. */
typedef struct engine_places {
    engine_place items[ENGINE_MAX_PLACES];
    int count;
} engine_places;

struct engine_session;
struct engine_kind;

/* Fetches the rows of every table that the settings name, and has paths take their places. */
tacit_status engine_places_take(struct engine_session *session, engine_settings *settings);

/* Refuses a kind that needs rows where they stay. */
tacit_status engine_places_check(const engine_settings *settings, const struct engine_kind *kind,
                                 tacit_error *err);

/* Connects to the place of the job's data: its table, or what --query answers. */
tacit_status engine_places_open(tacit_engine **out, const char *place,
                                struct engine_session *session);

/* A table by a path: a file, or a place whose columns that are to be coded are counted there, and
 * whose other columns are empty. Refused where all columns are wanted. */
tacit_status engine_places_read(tacit_table **out, const char *path,
                                const tacit_csv_options *options, struct engine_session *session);

/* The place of combinations at that path, connected to, with its columns. */
tacit_status engine_places_counted(engine_place **out, const char *path,
                                   struct engine_session *session);

/* Whether a path can be read several times: a file or a place. */
bool engine_is_reread(const char *path);

/* The target behind a path; NULL: it is none. */
engine_place *engine_places_target(engine_places *places, const char *path);

/* Loads a release, whose columns are coded, under a name of its own, and compares it with what the
 * engine then says, cell by cell. */
tacit_status engine_place_load(engine_place *place, const tacit_table *release,
                               struct engine_session *session);

/* Has what was loaded take its name. */
tacit_status engine_place_publish(engine_place *place, tacit_error *err);

/* Loads and publishes what no sink has published, from the files behind the paths. */
tacit_status engine_places_fill(struct engine_session *session);

/* What has left engines, and gone into one; nothing where there are none. */
void engine_places_facts(tacit_report *report, const engine_places *places);

void engine_places_clear(engine_places *places);

#endif
