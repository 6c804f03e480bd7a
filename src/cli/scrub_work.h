/*
 * scrub_work.h - what the files of `tacit scrub` share: the plan, the files, and the hands that
 * do the work, one a thread.
 *
 * Plain files are jobs of the pipeline as a whole, each read, scrubbed and written in pieces by
 * one hand: what is found at the start of a letter helps to find more at its end. Rows of JSON
 * lines and of CSV are documents; a job is about a megabyte of them, cut at the end of a row,
 * and the hands' results are put together in the order of the jobs.
 */
#ifndef TACIT_CLI_SCRUB_WORK_H
#define TACIT_CLI_SCRUB_WORK_H

#include "feed.h"
#include "files.h"
#include "pipeline.h"
#include "scrub.h"
#include "scrub_known.h"
#include "wrapping.h"

enum {
    CLI_SCRUB_JOB = 1 << 20,       /* bytes of a job, about */
    CLI_SCRUB_LONGEST = 1 << 26,   /* bytes of a line of JSON or a row of CSV */
    CLI_SCRUB_SIDE_ROOM = 1 << 22, /* bytes of spans that may wait for their turn */
    CLI_SCRUB_COLUMNS = 64,        /* --column */
    CLI_SCRUB_AHEAD = 128          /* short documents that are read before they are scrubbed */
};

typedef enum cli_scrub_form { CLI_FORM_PLAIN, CLI_FORM_JSONL, CLI_FORM_CSV } cli_scrub_form;

/* A file to be scrubbed, and where it goes. */
typedef struct cli_scrub_file {
    char *path;           /* "-": standard input */
    const char *name;     /* the same for messages */
    char *target;         /* "-": standard output */
    tacit_output *output; /* of JSON lines and CSV, while there are jobs of it */
} cli_scrub_file;

typedef struct cli_scrub_files {
    cli_scrub_file *items;
    size_t count, capacity;
    uint64_t passed_over; /* in folders: what is neither a file nor a folder */
    int64_t bytes;        /* of all of them; 0: not known */
    char *folder;         /* that the targets go to; NULL: there is one target, a file */
} cli_scrub_files;

/* What is written beside the text: its lines in the order of the documents. */
typedef struct cli_scrub_side {
    const char *path; /* NULL: not asked for */
    tacit_output *output;
} cli_scrub_side;

/* The columns of a CSV, as its header has them. */
typedef struct cli_scrub_header {
    char delimiter;
    int32_t columns;
    int32_t wanted[CLI_SCRUB_COLUMNS]; /* a column for each --column */
    int32_t subject;                   /* that of --shift-by, or -1 */
} cli_scrub_header;

/* One thread's memory, and the job that it has. */
typedef struct cli_scrub_hand {
    tacit_scrub_reader *reader;
    cli_scrub_gathering *gathering;
    cli_scrub_totals totals;
    /* the job */
    cli_scrub_file *file;
    cli_scrub_header header;
    cli_text in;
    size_t head;       /* bytes of in before the first row: a header */
    uint64_t number;   /* of the first document */
    int64_t line, row; /* of the file, from 1, where the rows of in begin */
    bool ends_file;
    /* what becomes of it */
    cli_text out, spans, explained;
    cli_text text, cell, id; /* scratch */
    cli_text texts[CLI_SCRUB_AHEAD];
    /* the document at hand */
    cli_text subject; /* whom it is about, by --shift-by; nothing: not known */
    bool beside;      /* it is a further cell of the row of the one before */
    cli_scrub_piece piece;
    bool touched;
    unsigned unread; /* a bit for each tacit_text_unread */
    uint64_t span_count;
} cli_scrub_hand;

typedef struct cli_scrub {
    cli_session *session;
    /* the plan */
    cli_scrub_form form;
    const char *field;
    const char *columns[CLI_SCRUB_COLUMNS];
    size_t column_count;
    const char *shift_by; /* the field or column whose value chooses how far dates move, or NULL */
    unsigned how;         /* cli_scrub_how: with the words themselves, or explained for people */
    tacit_scrub_options options;
    cli_known known;
    char *templates, *weights; /* what these files say */
    cli_scrub_side spans, explain;
    cli_scrub_files files;
    /* the work */
    tacit_scrubber *scrubber;
    cli_scrub_hand *hands;
    int hand_count;
    size_t next_file;
    cli_feed feed; /* of the file that jobs are cut from */
    cli_scrub_header header;
    uint64_t next_number;
    cli_scrub_story story;
} cli_scrub;

/* Reads the command line and the files that it names but those to be scrubbed (scrub_plan.c). */
tacit_status cli_scrub_plan(cli_scrub *scrub);
/* The same of --learn, which scrubs no files. */
tacit_status cli_scrub_learn_plan(cli_scrub *scrub);
/* The library calls what --weights and --templates hold by these names: now by the file's. */
void cli_scrub_name_file(cli_session *session);
void cli_scrub_plan_clear(cli_scrub *scrub);

/* --key: 32 bytes, or as many in hexadecimal digits; and --new-key (scrub_key.c). */
tacit_status cli_scrub_key_read(uint8_t *key, const char *path, tacit_error *err);
tacit_status cli_scrub_key_new(const char *path, cli_session *session);

/* --learn: fits likelihoods, weights and threshold to documents that people have marked
 * (scrub_learn.c). */
tacit_status cli_scrub_learn(cli_scrub *scrub);

/* What operands and -o mean (scrub_files.c). */
tacit_status cli_scrub_files_find(cli_scrub_files *files, cli_session *session);
/* That nothing which is read is written over, and nothing written twice, by what others of the
 * command line name. */
tacit_status cli_scrub_files_apart(const cli_scrub_files *files, const cli_file *others,
                                   size_t count, tacit_error *err);
void cli_scrub_files_clear(cli_scrub_files *files);

/* The folders on the way to a target. */
tacit_status cli_scrub_make_way(const cli_scrub_file *file, const cli_scrub_files *files,
                                tacit_error *err);

/* The stages of the pipeline (scrub_jobs.c, scrub_json.c, scrub_csv.c). */
extern const cli_stages cli_scrub_stages;
tacit_status cli_scrub_header_read(cli_scrub *scrub, cli_scrub_hand *hand, tacit_error *err);
tacit_status cli_scrub_rows_csv(cli_scrub *scrub, cli_worker *worker, tacit_error *err);
tacit_status cli_scrub_rows_json(cli_scrub *scrub, cli_worker *worker, tacit_error *err);

/* Says in which line of the job's file something failed, where that is not known yet. */
void cli_scrub_place(tacit_error *err, const cli_scrub_hand *hand, int64_t line);

/* Within a job, of which done bytes are: tells of it now and then, and asks whether to go on. */
tacit_status cli_scrub_go_on(cli_worker *worker, size_t done, size_t *told, tacit_error *err);

/* A document: its start, its pieces, its end; counts it and adds its lines (scrub_document.c). */
void cli_scrub_document_begin(cli_scrub_hand *hand, const cli_scrub *scrub, uint64_t number,
                              tacit_strview id, tacit_strview column);
tacit_status cli_scrub_document_piece(tacit_scrubbed *out, size_t *consumed, cli_scrub_hand *hand,
                                      const cli_scrub *scrub, tacit_strview text, bool last,
                                      tacit_error *err);
/* A text that is there as a whole: all of its pieces, put where they are written. */
tacit_status cli_scrub_text(cli_splice *splice, cli_scrub *scrub, cli_scrub_hand *hand,
                            tacit_strview text, tacit_error *err);
void cli_scrub_document_end(cli_scrub_hand *hand, const cli_scrub *scrub);

/* Writes what waits for --spans and --explain; in the job's turn only. */
tacit_status cli_scrub_sides_write(cli_scrub *scrub, cli_scrub_hand *hand, tacit_error *err);

/* The account on the terminal and the reports (scrub_account.c). */
void cli_scrub_tell(const cli_scrub *scrub);
tacit_status cli_scrub_report(cli_scrub *scrub);

/* What a strategy and a scope are called on the command line. */
extern const char *const cli_scrub_strategies[TACIT_TEXT_STRATEGIES];
extern const char *const cli_scrub_scopes[TACIT_TEXT_FOREVER + 1];

#endif
