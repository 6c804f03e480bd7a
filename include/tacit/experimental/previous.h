/*
 * previous.h - releases that withstand being joined with earlier ones (5.5.2 and 5.5.3 of
 * Sweeney, Computational Disclosure Control).
 *
 * Whoever has two releases of the same people joins their rows on the columns that both show
 * and keeps the finer values; what was k rows may then be one. An earlier release is
 * therefore first matched to the data: each of its rows to a row that it can be. Then a new
 * release can be made that generalizes it, and any new release can be checked.
 *
 * The check: in the join with an earlier release every row has a value for each attribute,
 * the finer of both. A row stands if k people have its values there, people who have left the data
 * among them; or if k of its class, in each of the two releases, show the same in every other
 * column that both releases show, so that they could be exchanged. A release of which every row
 * stands exposes nobody to an adversary who considers all ways in which rows can correspond.
 */
#ifndef TACIT_PREVIOUS_H
#define TACIT_PREVIOUS_H

#include <tacit/experimental/records.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TACIT_NO_ROW UINT32_MAX

/* A column by which rows of both are linked for certain, such as a pseudonym; coded in both. */
typedef struct tacit_previous_link {
    int32_t here, there;
    /* What the earlier release shows instead of a value, as tacit_csv_column has it; NULL: the
     * value. */
    size_t (*rewrite)(tacit_strview value, char *out, size_t size, const void *payload);
    const void *payload;
} tacit_previous_link;

/* What an earlier release shows. The frame's attributes are all columns of the data that rows
 * may be joined on: those of the quasi-identifier, and others that some release carries. */
typedef struct tacit_previous_shown {
    const tacit_table *table; /* the release, read */
    const int32_t *columns;   /* an attribute each: the release's column, coded; -1: none */
    const tacit_previous_link *links;
    int32_t link_count;
    int64_t max_pairs; /* of combinations of values that fit, of both; 0: TACIT_PREVIOUS_PAIRS */
} tacit_previous_shown;

/* 20 bytes each while they are matched. */
#define TACIT_PREVIOUS_PAIRS (INT64_C(1) << 26)

/* An earlier release matched to the data: a row of the release to a row whose values its
 * labels hold, and which is the same in linked columns; as many as possible. */
typedef struct tacit_previous {
    int64_t rows;       /* of the earlier release */
    int64_t matched;    /* rows of both */
    int64_t added;      /* rows of the data that it does not have */
    int64_t removed;    /* its rows that are nobody's in the data */
    int32_t attributes; /* of the frame */
    uint64_t quasi;     /* bit an attribute: the quasi-identifier */
    uint32_t *old_of;   /* a row of the data each: the row that was it, or TACIT_NO_ROW */
    uint8_t *levels;    /* row by row, an attribute each: the level of its label in the earlier
                           release; TACIT_NOT_SHOWN where there is none */
    uint32_t *class_of; /* a row of the release each: its class by what it shows of quasi */
    uint32_t class_count;
    uint32_t
        *linked; /* a row of the data each: rows of the same number are the same in all links */
} tacit_previous;

enum { TACIT_NOT_SHOWN = 255 };

/* TACIT_INVALID where nothing can be matched: no attribute of `quasi` is shown, or no row fits.
 * TACIT_LIMIT where more than most_pairs fit. */
tacit_status tacit_previous_new(tacit_previous **out, const tacit_frame *frame, uint64_t quasi,
                                const tacit_previous_shown *shown, const tacit_run *run,
                                tacit_error *err);
void tacit_previous_free(tacit_previous *previous);

/* A release row by row: the level of each cell. */
typedef struct tacit_rowwise {
    int64_t rows;
    int32_t attributes;
    uint8_t *levels;      /* row by row, an attribute each */
    uint64_t *suppressed; /* bit a row: every cell is suppressed */
    bool stopped;         /* by the run, with the best so far */
} tacit_rowwise;

/* What a solution releases each row as; rows of a class that leaves in parts are drawn as
 * tacit_solution_apply draws them. */
tacit_status tacit_rowwise_of(tacit_rowwise **out, const tacit_solution *solution,
                              const tacit_frame *frame, const tacit_run *run, tacit_error *err);
void tacit_rowwise_free(tacit_rowwise *rowwise);

/* The same release with the attributes of another frame: attribute a of it is attribute
 * places[a] of the release's; where that is -1 its cells are as they are. */
tacit_status tacit_rowwise_with(tacit_rowwise **out, const tacit_rowwise *rowwise,
                                const int32_t *places, int32_t attributes, tacit_error *err);

/* What a release that generalizes earlier ones is made of. */
typedef struct tacit_previous_task {
    const tacit_previous *const *previous;
    int32_t previous_count;
    const tacit_frame *wide;  /* that they were matched on */
    const tacit_frame *frame; /* its quasi-identifier alone, of the same table */
    const int32_t *places;    /* an attribute of frame each: the attribute of wide */
    const tacit_method *method;
    const tacit_records_options *options;
} tacit_previous_task;

/* A release, of `frame`, that generalizes earlier ones: the method starts from their labels
 * where a row is in one (the most general where it is in several), from the values where it is
 * not. Rows that do not stand in the join are solved apart from the others. TACIT_INFEASIBLE where
 * that is not enough. For one quasi-identifier, and models that need no population. */
tacit_status tacit_previous_generalize(tacit_rowwise **out, const tacit_previous_task *task,
                                       const tacit_run *run, tacit_error *err);

/* What the check is about. */
typedef struct tacit_previous_question {
    const tacit_previous *previous;
    const tacit_frame *frame;     /* that it was matched on */
    const tacit_rowwise *release; /* of that frame */
    bool drop_suppressed;         /* suppressed rows are not in the release */
    int64_t k;
} tacit_previous_question;

typedef struct tacit_previous_answer {
    int64_t exposed;      /* rows of the release that do not stand */
    int64_t exposed_gone; /* rows of the earlier release that are nobody's in the data, the same */
    int64_t weak;         /* rows of the earlier release in classes below k by themselves: they
                             are asked for as many people as they had */
} tacit_previous_answer;

/* rows, which may be NULL, gets a bit for each row that does not stand. */
tacit_status tacit_previous_check(tacit_previous_answer *out, uint64_t *rows,
                                  const tacit_previous_question *question, const tacit_run *run,
                                  tacit_error *err);

/* The release as a solution of the frame, with boxes, for metrics and reports, and as what
 * the writer needs. */
tacit_status tacit_rowwise_release(tacit_solution **solution, tacit_application **application,
                                   const tacit_rowwise *rowwise, const tacit_frame *frame,
                                   const tacit_apply_options *options, const tacit_run *run,
                                   tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
