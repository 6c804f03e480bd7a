/*
 * argus.h - batch files of tau-Argus (.arb) as jobs of our own: the files that they name (.rda with
 * .asc or .tab, .hrc, .hst) and the commands, translated into settings of `protect` by name.
 *
 *   argus_meta.c   .rda: what is known of the columns of a data file
 *   argus_batch.c  .arb: tables, rules, methods and files; what cannot be done, line by line
 *   argus_data.c   records and cells as the CSV they stand for, hierarchies as lists of parents
 *   argus_files.c  the files, found and opened
 *   argus.c        the jobs, one a table or one for those that are linked
 */
#ifndef TACIT_ENGINE_TABLES_ARGUS_H
#define TACIT_ENGINE_TABLES_ARGUS_H

#include "base/arena.h"
#include "base/map.h"
#include "engine/job/session.h"

enum {
    ENGINE_ARGUS_MAX_VARIABLES = 1024,
    ENGINE_ARGUS_MAX_LEVELS = 32,
    ENGINE_ARGUS_MAX_TABLES = 256,
    ENGINE_ARGUS_MAX_TEXT = 1 << 24, /* bytes of an .rda or .arb */
};

/* ---- words of a line ---- */

/* The rest of a line that is taken apart word by word. */
typedef struct engine_argus_words {
    const char *at, *end;
} engine_argus_words;

/* The next line without its end; false after the last. */
bool engine_argus_line(engine_argus_words *line, engine_argus_words *text);

/* The next word: between quotes, between < and >, or up to a blank or one of the stops, which is
 * left. *quoted, which may be NULL: it was in quotes. Empty: there is none. */
tacit_strview engine_argus_word(engine_argus_words *line, const char *stops, bool *quoted);

/* Takes the next character if it is that one, after blanks. */
bool engine_argus_take(engine_argus_words *line, char wanted);

bool engine_argus_is(tacit_strview word, const char *name); /* whatever its case */

/* ---- .rda ---- */

typedef enum engine_argus_role {
    ENGINE_ARGUS_PLAIN = 0,
    ENGINE_ARGUS_WEIGHT,
    ENGINE_ARGUS_HOLDING,
    ENGINE_ARGUS_REQUEST,
    ENGINE_ARGUS_FREQUENCY,
    ENGINE_ARGUS_LARGEST, /* contributions, the largest first */
    ENGINE_ARGUS_STATUS,
    ENGINE_ARGUS_LOWER,
    ENGINE_ARGUS_UPPER
} engine_argus_role;

typedef struct engine_argus_variable {
    tacit_strview name;
    int64_t from, width; /* of a line of fixed width, from 0; else 0 */
    tacit_strview missing[2];
    tacit_strview total;      /* empty: Total */
    tacit_strview tree, lead; /* a file, empty: none; and what stands for a level of depth */
    int64_t levels[ENGINE_ARGUS_MAX_LEVELS];
    int level_count; /* of codes whose digits say the level */
    tacit_strview asks[2];
    engine_argus_role role;
} engine_argus_variable;

typedef struct engine_argus_meta {
    engine_argus_variable *variables;
    size_t count, capacity;
    char separator;           /* 0: columns of fixed width */
    tacit_strview letters[3]; /* of cells: safe, unsafe, to be published */
    const char *folder;       /* of the file; borrowed */
} engine_argus_meta;

/* Reads what an .rda says, of records or of cells; views are into its bytes. */
tacit_status engine_argus_meta_parse(engine_argus_meta *meta, tacit_strview bytes, const char *name,
                                     bool cells, tacit_error *err);
void engine_argus_meta_clear(engine_argus_meta *meta);

/* The variable of that name, whatever its case; NULL: none. And the first of a role. */
const engine_argus_variable *engine_argus_meta_find(const engine_argus_meta *meta,
                                                    tacit_strview name);
const engine_argus_variable *engine_argus_meta_role(const engine_argus_meta *meta,
                                                    engine_argus_role role);

/* ---- .arb ---- */

/* A data file with its .rda, as the batch file names them. */
typedef struct engine_argus_source {
    int64_t line, meta_line;
    tacit_strview data, meta;
    bool cells;
} engine_argus_source;

enum {
    ENGINE_ARGUS_RELEASE = 0,
    ENGINE_ARGUS_PIVOT,
    ENGINE_ARGUS_FULL,
    ENGINE_ARGUS_SBS,
    ENGINE_ARGUS_SLOTS
};

typedef struct engine_argus_target {
    int64_t line; /* 0: not written */
    tacit_strview file;
} engine_argus_target;

/* A setting of the job to come. value NULL: a switch. */
typedef struct engine_argus_setting {
    const char *name, *value;
} engine_argus_setting;

typedef struct engine_argus_table {
    int64_t line, method_line;
    size_t source;
    tacit_strview dims[TACIT_MAX_DIMENSIONS];
    int dim_count;
    tacit_strview response, shadow, cost; /* empty: none; response: number of contributors */
    engine_argus_setting *settings;       /* without those that name columns and files */
    size_t setting_count, setting_capacity;
    double margin, least; /* percent; absolute; negative: not said */
    tacit_strview rules;  /* as they are written */
    bool weighted, by_holding, by_request, ruled;
    int64_t apriori_line;
    tacit_strview apriori;
    char apriori_separator;
    bool linked; /* with all others that are */
    engine_argus_target targets[ENGINE_ARGUS_SLOTS];
} engine_argus_table;

/* What is to be said of a line. */
typedef struct engine_argus_remark {
    int64_t line;
    bool refuses; /* nothing can be run */
    const char *text;
} engine_argus_remark;

typedef struct engine_argus_batch {
    engine_argus_source *sources;
    size_t source_count, source_capacity;
    engine_argus_table *tables;
    size_t table_count, table_capacity;
    size_t first; /* table of those that <CLEAR> has left, which numbers count from */
    engine_argus_remark *remarks;
    size_t remark_count, remark_capacity;
    size_t refused;
    tacit__arena arena;
} engine_argus_batch;

/* Reads a batch file; opens none of those that it names. What cannot be done is a remark. */
tacit_status engine_argus_batch_parse(engine_argus_batch *batch, tacit_strview bytes,
                                      tacit_error *err);
void engine_argus_batch_clear(engine_argus_batch *batch);

/* Adds a remark about a line; a setting to a table. */
tacit_status engine_argus_remark_add(engine_argus_batch *batch, int64_t line, bool refuses,
                                     tacit_error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
tacit_status engine_argus_set(engine_argus_batch *batch, engine_argus_table *table,
                              tacit_error *err, const char *name, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- data ---- */

/* Distinct codes, in the order in which they are met; views into the file. */
typedef struct engine_argus_codes {
    tacit__map map;
    tacit_strview *list;
    size_t count, capacity;
} engine_argus_codes;

/* What a table needs of its file, as a column of a CSV. */
typedef struct engine_argus_column {
    const engine_argus_variable *variable;
    size_t at;                /* among the variables */
    bool coded;               /* its codes are gathered */
    engine_argus_codes codes; /* that the file has */
    const char *name;         /* in the CSV */
} engine_argus_column;

enum { ENGINE_ARGUS_MAX_COLUMNS = TACIT_MAX_DIMENSIONS + TACIT_MAX_TOP + 8 };

typedef struct engine_argus_columns {
    engine_argus_column list[ENGINE_ARGUS_MAX_COLUMNS];
    size_t count;
} engine_argus_columns;

void engine_argus_columns_clear(engine_argus_columns *columns);

/* The rows of a file as a CSV, with commas. Line n of the file is line n + 1. */
tacit_status engine_argus_data_csv(tacit__strbuf *csv, engine_argus_columns *columns,
                                   const engine_argus_meta *meta, tacit_strview bytes,
                                   const char *name, tacit_error *err);

/* The hierarchy of a column as a list of codes and parents, below the code of its total: of a .hrc,
 * to which codes for missing are added that the file has, or of the digits of the codes. Line n of
 * the .hrc is line n + 1. */
tacit_status engine_argus_tree_list(tacit__strbuf *list, const engine_argus_column *column,
                                    tacit_strview hrc, const char *name, tacit_error *err);
tacit_status engine_argus_levels_list(tacit__strbuf *list, const engine_argus_column *column,
                                      tacit_error *err);

/* Whether a file is a batch file, by its name. */
bool engine_is_batch(const char *path);

#endif
