/*
 * ledger.h - what was released from a source before, remembered without a value of the data.
 *
 * A ledger is a folder: `key`, 32 random bytes that are made on first use; `lock`, which one run at
 * a time holds; and a file for each release, `000001.json` and so on. An entry says what was
 * released when and by which policy, and has a summary: for every column of the release its
 * distinct labels as keyed hashes (BLAKE2b of column name and label, 128 bits), and the distinct
 * rows as indices into these lists with their counts. Without the key nobody can test a guess,
 * though frequencies are a hint; with it whoever can guess a label can test whether the release had
 * it, so the key is as secret as the data.
 *
 * An entry also knows the data that it was made from, by 16 bits of a keyed hash for each cell of
 * some of its rows, enciphered: data is recognized by what is in it, whatever its file is called.
 *
 * The data holder has the data and the hierarchies. A label of an earlier release is a value of
 * the data, or one that a hierarchy gives it on some level: recalling an entry hashes these and
 * finds again what the summary stands for, and the release is a table once more.
 *
 * A release is announced (an entry, synced, before the release appears) and confirmed
 * (afterwards). Whatever moment a run is killed at, no release has appeared that the ledger does
 * not have. Nothing is ever taken out of a ledger: what is out is out.
 */
#ifndef TACIT_LEDGER_H
#define TACIT_LEDGER_H

#include <tacit/experimental/hierarchy.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_ledger tacit_ledger;

typedef enum tacit_ledger_state {
    TACIT_LEDGER_PENDING = 0, /* announced: it may have appeared, so it counts */
    TACIT_LEDGER_RELEASED
} tacit_ledger_state;

enum { TACIT_LEDGER_HASH = 64 }; /* digits of a hash in hexadecimal */

/* A column of a release. */
typedef struct tacit_ledger_column {
    char *name;
    char *role;      /* "quasi", "sensitive", ... ; as the caller says */
    char *hierarchy; /* a rule as tacit_hierarchy_spec_parse reads it, or a file's absolute name */
    char file_hash[TACIT_LEDGER_HASH + 1]; /* of that file, keyed; empty for rules */
    int64_t form;    /* of labels: of a mask its places, of intervals whether they are [a, b) */
    uint32_t labels; /* how many distinct ones, missing not among them */
} tacit_ledger_column;

/* An entry without its summary. */
typedef struct tacit_ledger_entry {
    int64_t number; /* from 1 */
    tacit_ledger_state state;
    char *date;   /* of the announcement, "2026-11-16T15:04:05Z" */
    char *source; /* what the release was made from, as the data holder calls it */
    char *path;   /* where the release went, absolute; "-": standard output */
    int64_t size; /* of the release in bytes */
    char hash[TACIT_LEDGER_HASH + 1]; /* BLAKE2b of its bytes */
    int64_t rows;
    int64_t classes; /* distinct rows */
    char *version;   /* of tacit */
    int64_t k;
    char *method;
    char *metric;
    int64_t epsilon; /* what a table with noise spends of its data's budget, in millionths; 0: the
                        release is no such table */
    int64_t budget;  /* that was stated with it */
    char policy_hash[TACIT_LEDGER_HASH + 1]; /* keyed, of the policy file; empty: there was none */
    tacit_ledger_column *columns;
    int32_t column_count;
    unsigned char *sketch; /* of the data, enciphered; NULL where it is known by its name alone */
    size_t sketch_len;
} tacit_ledger_entry;

enum {
    TACIT_LEDGER_READ = 0,  /* look only: folder and key must be there */
    TACIT_LEDGER_WRITE = 1, /* both are made where there are none, and nobody else comes in */
    TACIT_LEDGER_WAIT = 2   /* wait while another run has it; else that is TACIT_LIMIT */
};

/* Opens a ledger, takes its lock and reads every entry. Damage of any sort is TACIT_PARSE, a
 * missing number, key or permission TACIT_IO, each with the file and what to do; nothing is changed
 * then. flags are of those above. Waiting can be cancelled through run. */
tacit_status tacit_ledger_open(tacit_ledger **out, const char *folder, int flags,
                               const tacit_run *run, tacit_error *err);
void tacit_ledger_free(tacit_ledger *ledger);

int64_t tacit_ledger_count(const tacit_ledger *ledger);
const tacit_ledger_entry *tacit_ledger_at(const tacit_ledger *ledger, int64_t index);

/* Reads every summary and makes sure that it can be recalled: what opening, which goes by the
 * checksums, leaves out. */
tacit_status tacit_ledger_check(const tacit_ledger *ledger, const tacit_run *run, tacit_error *err);

/* A column as the caller releases it. Borrowed. */
typedef struct tacit_ledger_fact {
    const char *name;
    const char *role;
    const tacit_hierarchy_spec *spec; /* NULL: released as it is */
    const tacit_hierarchy *hierarchy; /* bound to the data; may be NULL where labels are sought */
    /* What else a value may have become, as a pseudonym; tacit_csv_column has the same. */
    size_t (*rewrite)(tacit_strview value, char *out, size_t size, const void *payload);
    const void *payload;
} tacit_ledger_fact;

/* What to remember of a release. Borrowed. */
typedef struct tacit_ledger_facts {
    const char *source;
    const char *path;        /* of the release, "-": standard output */
    const char *policy_file; /* NULL: none */
    int64_t k;
    const char *method;
    const char *metric;
    int64_t epsilon; /* of a table with noise; else 0. Such an entry is of no use to recall */
    int64_t budget;
    const tacit_ledger_fact *columns; /* those that are not named count as released as they are */
    int32_t column_count;
    const tacit_table *data; /* by which it will be known again: its coded columns; NULL: not */
} tacit_ledger_facts;

/* Writes the entry of a release that is about to appear, as pending, and syncs it. release is the
 * release as it was read back from fd, every column coded; fd's bytes are hashed. */
tacit_status tacit_ledger_announce(int64_t *number, tacit_ledger *ledger,
                                   const tacit_ledger_facts *facts, const tacit_table *release,
                                   int fd, const tacit_run *run, tacit_error *err);

/* The release has appeared. */
tacit_status tacit_ledger_confirm(tacit_ledger *ledger, int64_t number, tacit_error *err);

/* BLAKE2b of a file, in hexadecimal, as entries have it. */
tacit_status tacit_ledger_hash_fd(char hash[TACIT_LEDGER_HASH + 1], int64_t *size, int fd,
                                  const char *name, const tacit_run *run, tacit_error *err);

/* How much of the data behind an entry is in other data. */
typedef struct tacit_ledger_likeness {
    bool sketched;         /* the entry knows its data by content; nothing else is told if not */
    bool recognized;       /* no chance makes them agree so well */
    bool by_numbers;       /* rows are alike, and how many there are of each tells */
    int32_t columns;       /* by which rows were compared */
    int64_t looked, found; /* rows of that data looked for, and those that are there */
    double chance;         /* the share that would be found in independent data; not by numbers */
    int32_t renamed;       /* a column of the data that has another name now, or -1 */
    const char *former;    /* and its name then, of the ledger; NULL where it was not released */
} tacit_ledger_likeness;

/* Compares the coded columns of data with those behind each entry; of has one for each. */
tacit_status tacit_ledger_recognize(tacit_ledger_likeness *of, const tacit_ledger *ledger,
                                    const tacit_table *data, const tacit_run *run,
                                    tacit_error *err);

/* Where labels are looked for. Columns that are not coded are passed over. */
typedef struct tacit_ledger_sight {
    const tacit_table *data;    /* what releases are made from; NULL: not at hand */
    const tacit_table *release; /* a later release, whose values are looked for too; may be NULL */
    const tacit_ledger_fact *columns; /* hierarchy files as they are called now */
    int32_t column_count;
} tacit_ledger_sight;

/* An earlier release, recalled. */
typedef struct tacit_ledger_recalled {
    char *csv; /* with a header, delimited by commas; tacit_text_free */
    size_t len;
    int64_t rows;
    int64_t unknown_rows;    /* with a label that was not found */
    uint32_t unknown_labels; /* of all columns together; missing is always known */
} tacit_ledger_recalled;

/* Recalls a release. Rows come class by class, not in the order they were released in. A label
 * that is not found (of people who have left the data) becomes a value that nobody has. A
 * hierarchy file must be what it was, or have values added while the old one is still under its
 * name: TACIT_INVALID otherwise. */
tacit_status tacit_ledger_recall(tacit_ledger_recalled *out, const tacit_ledger *ledger,
                                 int64_t number, const tacit_ledger_sight *sight,
                                 const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
