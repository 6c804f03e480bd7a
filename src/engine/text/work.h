/*
 * work.h - what the files of `tacit scrub` share: the plan, the files, and the hands that
 * do the work, one a thread.
 *
 * Plain files are jobs of the pipeline as a whole, each read, scrubbed and written in pieces by
 * one hand: what is found at the start of a letter helps to find more at its end. Rows of JSON
 * lines and of CSV are documents; a job is about a megabyte of them, cut at the end of a row,
 * and the hands' results are put together in the order of the jobs.
 */
#ifndef TACIT_ENGINE_TEXT_WORK_H
#define TACIT_ENGINE_TEXT_WORK_H

#include "engine/job/files.h"
#include "engine/text/feed.h"
#include "engine/text/known.h"
#include "engine/text/pipeline.h"
#include "engine/text/scrub.h"
#include "engine/text/wrapping.h"

enum {
    ENGINE_SCRUB_JOB = 1 << 20,       /* bytes of a job, about */
    ENGINE_SCRUB_LONGEST = 1 << 26,   /* bytes of a line of JSON or a row of CSV */
    ENGINE_SCRUB_SIDE_ROOM = 1 << 22, /* bytes of spans that may wait for their turn */
    ENGINE_SCRUB_COLUMNS = 64,        /* --column */
    ENGINE_SCRUB_AHEAD = 128          /* short documents that are read before they are scrubbed */
};

typedef enum engine_scrub_form {
    ENGINE_FORM_PLAIN,
    ENGINE_FORM_JSONL,
    ENGINE_FORM_CSV
} engine_scrub_form;

/* A file to be scrubbed, and where it goes. */
typedef struct engine_scrub_file {
    char *path;           /* "-": standard input */
    const char *name;     /* the same for messages */
    char *target;         /* "-": standard output */
    tacit_output *output; /* of JSON lines and CSV, while there are jobs of it */
} engine_scrub_file;

typedef struct engine_scrub_files {
    engine_scrub_file *items;
    size_t count, capacity;
    uint64_t passed_over; /* in folders: what is neither a file nor a folder */
    int64_t bytes;        /* of all of them; 0: not known */
    char *folder;         /* that the targets go to; NULL: there is one target, a file */
} engine_scrub_files;

/* What is written beside the text: its lines in the order of the documents. */
typedef struct engine_scrub_side {
    const char *path; /* NULL: not asked for */
    tacit_output *output;
} engine_scrub_side;

/* The columns of a CSV, as its header has them. */
typedef struct engine_scrub_header {
    char delimiter;
    int32_t columns;
    int32_t wanted[ENGINE_SCRUB_COLUMNS]; /* a column for each --column */
    int32_t subject;                      /* that of --shift-by, or -1 */
} engine_scrub_header;

/* One thread's memory, and the job that it has. */
typedef struct engine_scrub_hand {
    tacit_scrub_reader *reader;
    engine_scrub_gathering *gathering;
    engine_scrub_totals totals;
    /* the job */
    engine_scrub_file *file;
    engine_scrub_header header;
    engine_text in;
    size_t head;       /* bytes of in before the first row: a header */
    uint64_t number;   /* of the first document */
    int64_t line, row; /* of the file, from 1, where the rows of in begin */
    bool ends_file;
    /* what becomes of it */
    engine_text out, spans, explained;
    engine_text text, cell, id; /* scratch */
    engine_text texts[ENGINE_SCRUB_AHEAD];
    /* the document at hand */
    engine_text subject; /* whom it is about, by --shift-by; nothing: not known */
    bool beside;         /* it is a further cell of the row of the one before */
    engine_scrub_piece piece;
    bool touched;
    unsigned unread; /* a bit for each tacit_text_unread */
    uint64_t span_count;
} engine_scrub_hand;

typedef struct engine_scrub {
    engine_session *session;
    /* the plan */
    engine_scrub_form form;
    const char *field;
    const char *columns[ENGINE_SCRUB_COLUMNS];
    size_t column_count;
    const char *shift_by; /* the field or column whose value chooses how far dates move, or NULL */
    unsigned how;         /* engine_scrub_how: with the words themselves, or explained for people */
    tacit_scrub_options options;
    engine_known known;
    char *templates, *weights; /* what these files say */
    engine_scrub_side spans, explain;
    engine_scrub_files files;
    /* the work */
    tacit_scrubber *scrubber;
    engine_scrub_hand *hands;
    int hand_count;
    size_t next_file;
    engine_feed feed; /* of the file that jobs are cut from */
    engine_scrub_header header;
    uint64_t next_number;
    engine_scrub_story story;
} engine_scrub;

/* Reads the command line and the files that it names but those to be scrubbed (plan.c). */
tacit_status engine_scrub_plan(engine_scrub *scrub);
/* The same of --learn, which scrubs no files. */
tacit_status engine_scrub_learn_plan(engine_scrub *scrub);
/* The library calls what --weights and --templates hold by these names: now by the file's. */
void engine_scrub_name_file(engine_session *session);
void engine_scrub_plan_clear(engine_scrub *scrub);

/* --key: 32 bytes, or as many in hexadecimal digits; and --new-key (key.c). */
tacit_status engine_scrub_key_read(uint8_t *key, const char *path, tacit_error *err);
/* What operands and -o mean (files.c). */
tacit_status engine_scrub_files_find(engine_scrub_files *files, engine_session *session);
/* That nothing which is read is written over, and nothing written twice, by what others of the
 * command line name. */
tacit_status engine_scrub_files_apart(const engine_scrub_files *files, const engine_file *others,
                                      size_t count, tacit_error *err);
void engine_scrub_files_clear(engine_scrub_files *files);

/* The folders on the way to a target. */
tacit_status engine_scrub_make_way(const engine_scrub_file *file, const engine_scrub_files *files,
                                   tacit_error *err);

/* The stages of the pipeline (jobs.c, json.c, csv.c). */
extern const engine_stages engine_scrub_stages;
tacit_status engine_scrub_header_read(engine_scrub *scrub, engine_scrub_hand *hand,
                                      tacit_error *err);
tacit_status engine_scrub_rows_csv(engine_scrub *scrub, engine_worker *worker, tacit_error *err);
tacit_status engine_scrub_rows_json(engine_scrub *scrub, engine_worker *worker, tacit_error *err);

/* Says in which line of the job's file something failed, where that is not known yet. */
void engine_scrub_place(tacit_error *err, const engine_scrub_hand *hand, int64_t line);

/* Within a job, of which done bytes are: tells of it now and then, and asks whether to go on. */
tacit_status engine_scrub_go_on(engine_worker *worker, size_t done, size_t *told, tacit_error *err);

/* A document: its start, its pieces, its end; counts it and adds its lines (document.c). */
void engine_scrub_document_begin(engine_scrub_hand *hand, const engine_scrub *scrub,
                                 uint64_t number, tacit_strview id, tacit_strview column);
tacit_status engine_scrub_document_piece(tacit_scrubbed *out, size_t *consumed,
                                         engine_scrub_hand *hand, const engine_scrub *scrub,
                                         tacit_strview text, bool last, tacit_error *err);
/* A text that is there as a whole: all of its pieces, put where they are written. */
tacit_status engine_scrub_text(engine_splice *splice, engine_scrub *scrub, engine_scrub_hand *hand,
                               tacit_strview text, tacit_error *err);
void engine_scrub_document_end(engine_scrub_hand *hand, const engine_scrub *scrub);

/* Writes what waits for --spans and --explain; in the job's turn only. */
tacit_status engine_scrub_sides_write(engine_scrub *scrub, engine_scrub_hand *hand,
                                      tacit_error *err);

/* What a strategy and a scope are called on the command line. */
extern const char *const engine_scrub_strategies[TACIT_TEXT_STRATEGIES];
extern const char *const engine_scrub_scopes[TACIT_TEXT_FOREVER + 1];

#endif
