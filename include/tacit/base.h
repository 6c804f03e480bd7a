/*
 * base.h - what every room of tacit shares with its callers: status codes,
 * the error a caller owns, borrowed text, and how a run is to be done
 * (threads, seed, progress and cancellation).
 *
 * Conventions of the whole library:
 *   - functions that can fail return a tacit_status, put results into their
 *     first parameters and take a `tacit_error *` last, which may be NULL;
 *   - on failure outputs are left as they were;
 *   - `new`/`free` manage heap objects and free accepts NULL, `init`/`clear`
 *     manage a caller's struct, a type ending in `view` borrows;
 *   - the library never prints, never exits and keeps no global state.
 */
#ifndef TACIT_BASE_H
#define TACIT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the shared library shows of the interface that stays. */
#define TACIT_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_status {
    TACIT_OK = 0,
    TACIT_NOMEM,      /* memory ran out */
    TACIT_INVALID,    /* a parameter, policy or combination makes no sense */
    TACIT_PARSE,      /* a file is not what it should be; see file, line, column */
    TACIT_IO,         /* the operating system refused */
    TACIT_INFEASIBLE, /* no release keeps the promise */
    TACIT_LIMIT,      /* a stated bound was reached */
    TACIT_CANCELLED   /* the progress callback asked to stop */
} tacit_status;

/* What went wrong, owned by the caller. Zero-initialized means "nothing yet".
 * Lines, columns and rows count from 1; 0 means "does not apply". */
typedef struct tacit_error {
    tacit_status status;
    bool show_values; /* set by the caller: the message may show values of the data */
    int64_t line;
    int64_t column;
    char file[256];
    char message[768]; /* one line, as tacit_printable() writes it */
} tacit_error;

/* An error on the heap, for languages that declare no structs; tacit_error_format() gives its
 * message. NULL when out of memory. */
TACIT_API tacit_error *tacit_error_new(void);
TACIT_API void tacit_error_free(tacit_error *err);

/* The name of a status, such as "parse"; never NULL. */
TACIT_API const char *tacit_status_name(tacit_status status);

/* Writes "file:line:column: message" (without the parts that do not apply)
 * into buffer, cut to size, and returns buffer. */
TACIT_API const char *tacit_error_format(const tacit_error *err, char *buffer, size_t size);

/* Writes text as a terminal may show it into buffer, cut to size, and returns buffer: control
 * characters (C0 and C1), characters that change the direction of writing or cannot be seen, and
 * bytes that are not UTF-8 become "?". */
TACIT_API const char *tacit_printable(char *buffer, size_t size, const char *text, size_t len);

/* Borrowed bytes, not terminated. bytes may be NULL when len is 0. */
typedef struct tacit_strview {
    const char *bytes;
    size_t len;
} tacit_strview;

TACIT_API tacit_strview tacit_strview_of(const char *text);
TACIT_API bool tacit_strview_equal(tacit_strview a, tacit_strview b);

/* Frees text that a function of the library gave to its caller. */
TACIT_API void tacit_text_free(char *text);

enum { TACIT_SEED_BYTES = 32 };

/* Called now and then from long work, from any thread but never from two at
 * once. total is 0 where it is unknown. Returning false asks the work to stop:
 * it ends soon with TACIT_CANCELLED. */
typedef bool (*tacit_progress_fn)(const char *phase, int64_t done, int64_t total, void *payload);

/* How to run. Results never depend on threads. tacit_run_init() fills it; its size says which
 * version of the library a program was made for. */
typedef struct tacit_run {
    size_t size;
    int threads; /* 0: one for each processor */
    uint8_t seed[TACIT_SEED_BYTES];
    tacit_progress_fn progress; /* may be NULL */
    void *payload;
} tacit_run;

/* All processors, no progress, a seed of zeros: a deterministic default.
 * A release must not be shuffled with it; see the two functions below. */
#define tacit_run_init(run) tacit_run_init_sized((run), sizeof(tacit_run))
TACIT_API void tacit_run_init_sized(tacit_run *run, size_t size);

/* A seed for reproducing a run. */
TACIT_API void tacit_run_seed_number(tacit_run *run, uint64_t number);

/* An unpredictable seed from the operating system. */
TACIT_API tacit_status tacit_run_seed_random(tacit_run *run, tacit_error *err);

/* An output file that appears whole or not at all: written beside its target,
 * synced, then renamed over it. path "-" collects in an unnamed file and copies
 * it to standard output on commit. */
typedef struct tacit_output tacit_output;

TACIT_API tacit_status tacit_output_new(tacit_output **out, const char *path, tacit_error *err);

/* The same for what only its owner is to read: nobody else may read the file, even where it
 * replaces one that others could read. */
TACIT_API tacit_status tacit_output_new_private(tacit_output **out, const char *path,
                                                tacit_error *err);

/* The descriptor to write to, and to read back from. */
TACIT_API int tacit_output_fd(const tacit_output *output);

/* Starts writing the data to disk without waiting for it. */
TACIT_API void tacit_output_flush_early(tacit_output *output);

/* Makes the file appear. After failure, as after free alone, nothing appears. */
TACIT_API tacit_status tacit_output_commit(tacit_output *output, tacit_error *err);
TACIT_API void tacit_output_free(tacit_output *output);

/* The name most like word among names of a stride in bytes, or NULL if none is
 * near enough to be meant. */
TACIT_API const char *tacit_nearest(const char *word, const void *names, size_t count,
                                    size_t stride);

/* The library's version, "0.1.0". */
TACIT_API const char *tacit_version(void);

#ifdef __cplusplus
}
#endif
#endif
