/*
 * summary.h - what the files of the attack with published frequencies share; the attack is
 * audit_summary.h's.
 *
 * scene.c makes tables of frequencies from files, and a scene from these and a release: values as
 * nodes of trees. On the scene work nested.c, which takes each column by itself, and joint.c with
 * blocks.c and program.c, which take columns that frequencies tie together. summary.c asks them,
 * counts and reports.
 *
 * States. A table of frequencies cuts a column's tree: each subject is under exactly one of its
 * values. Where several tables speak of a column, a subject is under one value of each, and these
 * lie one within the other; the finest is the subject's state. So a state is a value of
 * some table that a value of every table holds, and no state holds another. Labels of rows that
 * lie within a state say no more than it; any other label stands for the states that it holds.
 */
#ifndef TACIT_AUDIT_SUMMARY_SUMMARY_H
#define TACIT_AUDIT_SUMMARY_SUMMARY_H

#include <tacit/experimental/audit_summary.h>

#include "audit/rows/rows.h"
#include "base/parallel.h"

/* Says how far the attack is. */
static inline tacit_status tacit__summary_progress(const tacit_run *run, int64_t done, int64_t all,
                                                   tacit_error *err)
{
    return tacit__progress(run, "comparing with frequencies", done, all, err);
}

typedef struct tacit__summary_column {
    const char *name;
    const uint32_t *ends; /* a node each: one past the last under it (lineage.h) */
    uint32_t node_count;
    tacit_codes_view codes;  /* a row each */
    const uint32_t *node_of; /* a code each */
    uint32_t code_count;
} tacit__summary_column;

/* Entries are combinations of nodes; tacit__scene_check sorts them by their nodes. */
typedef struct tacit__summary_table {
    const char *name;
    int32_t column_count;
    int32_t *columns; /* of the scene */
    int64_t entry_count;
    uint32_t *nodes; /* entry by entry */
    int64_t *counts;
} tacit__summary_table;

typedef struct tacit__summary_limits {
    int32_t
        variables; /* combinations of all classes that are open: beyond, columns are taken singly */
    int64_t steps; /* of the walks that find them */
    int32_t block; /* variables of a block that is solved at all */
    int32_t integers; /* and in whole numbers */
    int64_t programs; /* for a block */
    int64_t nodes;    /* of all searches for whole numbers in it */
    bool everything;  /* facts of kind NOTHING and more than are listed otherwise: for tests */
} tacit__summary_limits;

/* Frequencies and a release as trees and numbers. Nothing is owned. */
typedef struct tacit__scene {
    int64_t rows;
    int64_t subjects;
    tacit__summary_column *columns;
    int32_t column_count;
    tacit__summary_table *tables;
    int32_t table_count;
    int32_t only; /* the number of the only table, of several; -1: all are here */
    tacit__summary_limits limits;
    const tacit_run *run;
} tacit__scene;

extern const tacit__summary_limits tacit__summary_usual;

static inline bool tacit__node_holds(const uint32_t *ends, uint32_t a, uint32_t b)
{
    return a <= b && b < ends[a];
}

static inline const uint32_t *tacit__table_entry(const tacit__summary_table *table, int64_t entry)
{
    return table->nodes + entry * table->column_count;
}

/* The columns of a table, a bit each. */
uint64_t tacit__table_bits(const tacit__summary_table *table);

/* Where a table has a column of the scene, or -1. */
int32_t tacit__table_place(const tacit__summary_table *table, int32_t column);

/* Sorts entries, finds values within values and combinations that stand twice, adds up totals,
 * which must be the same and no less than the rows, and sets the number of subjects. */
tacit_status tacit__scene_check(tacit__scene *scene, tacit_error *err);

/* The entries, from the first on to before the second, that can agree with a node in the first
 * column. */
void tacit__entries_near(int64_t *from, int64_t *to, const tacit__scene *scene,
                         const tacit__summary_table *table, uint32_t node);

/* The entry whose values hold those given, a node for each column of the scene, or -1. */
int64_t tacit__entry_holding(const tacit__scene *scene, const tacit__summary_table *table,
                             const uint32_t *nodes);

/* ---- facts (nested.c) ---- */

/* What is found out, by kind, until it is told: of each kind as many as are listed. */
typedef struct tacit__summary_facts {
    struct tacit__fact_list {
        tacit_summary_fact *list;
        size_t count, room;
    } of[4];       /* a kind each */
    int64_t total; /* those of kind NOTHING not among them */
    bool everything;
} tacit__summary_facts;

/* The values of one column in one class, as they are found. */
typedef struct tacit__summary_shares {
    tacit_summary_share *list; /* the first of them */
    size_t count, room;
    int64_t possible;
    bool counted; /* least and most are the same of all */
    bool all;     /* keep them all: for tests */
} tacit__summary_shares;

void tacit__summary_shares_start(tacit__summary_shares *shares);
tacit_status tacit__summary_shares_add(tacit__summary_shares *shares, uint32_t node, int64_t least,
                                       int64_t most, tacit_error *err);

/* Fills in kind and shares of a fact, and keeps it if there is anything in it. wide: the label
 * holds states and is none. */
tacit_status tacit__summary_facts_add(tacit__summary_facts *facts, const tacit_summary_fact *fact,
                                      const tacit__summary_shares *shares, bool wide,
                                      tacit_error *err);
void tacit__summary_facts_clear(tacit__summary_facts *facts);
void tacit__fact_clear(tacit_summary_fact *fact);

/* ---- one column (nested.c) ---- */

typedef struct tacit__nested {
    const tacit__scene *scene;
    int32_t column;
    const uint32_t *ends;
    uint32_t node_count;
    int32_t tables;    /* that speak of the column */
    uint8_t *state;    /* a node each: whether it is one */
    uint32_t *place;   /* the state that holds it, or itself */
    int64_t *subjects; /* in states before it: of those under g, subjects[ends[g]] - subjects[g] */
    int64_t *placed;   /* rows and tuples left out with a label before it */
    uint32_t *occurring;              /* states before it that somebody has */
    int64_t *rows;                    /* that have it for their label */
    int64_t *first;                   /* the first of them */
    struct tacit__nested_step *steps; /* from a label down to a state */
} tacit__nested;

/* What frequencies say of one column, those of combinations added up. */
tacit_status tacit__nested_new(tacit__nested **out, const tacit__scene *scene, int32_t column,
                               tacit_error *err);
void tacit__nested_free(tacit__nested *nested);

/* The states that `rows` of the rows placed at a label can have. */
tacit_status tacit__nested_shares(tacit__summary_shares *shares, const tacit__nested *nested,
                                  uint32_t label, int64_t rows, tacit_error *err);

/* Of how many states somebody has that a node holds. */
static inline int64_t tacit__nested_occurring(const tacit__nested *nested, uint32_t node)
{
    uint32_t at = nested->place[node];
    return (int64_t)nested->occurring[nested->ends[at]] - nested->occurring[at];
}

/* Facts of all labels and of the tuples left out. known: bits for each node that is a label, see
 * below; NULL: not wanted. */
enum { TACIT__KNOWN = 1, TACIT__INFERRED = 2, TACIT__FEWER = 4 };
tacit_status tacit__nested_facts(tacit__summary_facts *facts, uint8_t *known, uint8_t *left_out,
                                 const tacit__nested *nested, tacit_error *err);

/* ---- several columns (joint.c, blocks.c, program.c) ----
 */

/* Columns that frequencies tie together, the tables that speak of them, and the rows of the
 * release in classes of the same labels in these columns, as they are placed (tacit__nested). The
 * tuples left out are a class, or in one. */
typedef struct tacit__joint {
    const tacit__scene *scene;
    tacit__nested *const *nested; /* of every column of the scene */
    uint64_t columns;
    int32_t width;
    int32_t column[TACIT_SUMMARY_COLUMNS]; /* of the scene */
    int32_t local[TACIT_SUMMARY_COLUMNS];  /* and back */
    int32_t *tables;                       /* of the scene; what others imply is not among them */
    int32_t table_count;
    int32_t *offsets; /* a table each: where its entries start in what follows; and the end */
    int64_t *left;    /* an entry each: subjects that no class is known to hold */
    tacit__partition partition;
    int32_t classes;
    uint32_t *labels; /* a class and column each, and then its states, once there is one of each */
    int64_t *rows;    /* a class each: of the release */
    int32_t left_out_class; /* -1: nothing was left out */
    int64_t left_out;
    uint8_t *settled; /* a class each: its labels are states */
    bool exact;
    int64_t steps, programs;
} tacit__joint;

static inline int64_t tacit__joint_size(const tacit__joint *joint, int32_t index)
{
    return joint->rows[index] + (index == joint->left_out_class ? joint->left_out : 0);
}

/* The error that the frequencies of a table (of the joint) contradict the release. */
tacit_status tacit__joint_contradiction(const tacit__joint *joint, int32_t table, tacit_error *err);

/* Goes through the combinations that a class can have: an entry of each table, all of which agree
 * with the labels and each other, and have subjects left. */
typedef struct tacit__combo_walk {
    tacit__joint *joint;
    int64_t *at, *end; /* a table each: the entry in hand, and where those to try end */
    uint32_t *nodes;   /* the finest so far: before each table, and after the last */
    int32_t depth;
    int32_t deepest; /* the table that let nothing through, where there is no combination */
} tacit__combo_walk;

tacit_status tacit__combo_walk_init(tacit__combo_walk *walk, tacit__joint *joint, tacit_error *err);
void tacit__combo_walk_clear(tacit__combo_walk *walk);
void tacit__combo_walk_start(tacit__combo_walk *walk, const uint32_t *labels);
/* The next combination; false: there is none, or the scene's limit of steps is reached. */
bool tacit__combo_walk_next(tacit__combo_walk *walk);
bool tacit__combo_walk_ended(const tacit__combo_walk *walk);

static inline const uint32_t *tacit__combo_walk_states(const tacit__combo_walk *walk)
{
    return walk->nodes + (size_t)walk->joint->table_count * (size_t)walk->joint->width;
}

/* The combinations of the classes that are open, as variables of programs: how many of a class have
 * each; and targets, how many of a class have each state. */
typedef struct tacit__combos {
    tacit__joint *joint;
    int32_t open;      /* classes */
    int32_t *classes;  /* of the joint */
    int32_t *starts;   /* an open class each: its first variable; and the end */
    int32_t count;     /* variables */
    int32_t *owner;    /* a variable each: its open class */
    int32_t *entries;  /* a variable and table each: place in joint->left */
    uint32_t *nodes;   /* a variable and column each */
    int32_t *targets;  /* the same: the target it is part of */
    uint8_t *possible; /* a variable each */
    size_t owner_capacity, entries_capacity, nodes_capacity;
    int32_t target_count;
    int32_t *target_starts; /* an open class and column each: its first target; and the end */
    uint32_t *target_node;
    int64_t *least, *most; /* a target each */
    uint8_t *solved;       /* an open class each */
    int32_t block_count;
    int32_t *block_starts; /* a block each: its first place in what follows; and the end */
    int32_t *block_items;  /* variables by block */
    /* For the programs, of which each touches what is its block's. */
    int32_t *place;        /* a variable each: its column */
    int32_t *program_rows; /* an open class and then an entry each: its row; -1: none yet */
    int64_t *seen;         /* a target each: rows in the solution in hand */
} tacit__combos;

/* Finds them. count is -1 where there are too many. */
tacit_status tacit__combos_init(tacit__combos *combos, tacit__joint *joint, tacit_error *err);
void tacit__combos_clear(tacit__combos *combos);

/* Finds what is possible in a block, and the targets' least and most. */
tacit_status tacit__combos_solve(tacit__combos *combos, int32_t block, tacit_error *err);

/* What is known of the rows of a class: a bit a column of the scene. */
typedef struct tacit__summary_known {
    uint64_t known, inferred, fewer;
} tacit__summary_known;

typedef struct tacit__joint_found {
    bool split; /* too large for several tables at once: nothing is told, and each is to be asked
                   by itself */
    bool exact;
    int64_t programs;
    uint32_t *class_of; /* a row each */
    tacit__summary_known *classes;
    tacit__summary_known left_out;
} tacit__joint_found;

/* What frequencies say of columns that they tie together, given as bits. Zeroed before, and cleared
 * in any case. */
tacit_status tacit__joint_find(tacit__joint_found *found, tacit__summary_facts *facts,
                               const tacit__scene *scene, uint64_t columns,
                               tacit__nested *const *nested, tacit_error *err);
void tacit__joint_found_clear(tacit__joint_found *found);

/* ---- files (scene.c) ---- */

/* A table of frequencies as it stands in a file. */
typedef struct tacit__frequency_table {
    const tacit_table *file;
    char *name; /* for messages: "Race in marginals.csv", or the file's */
    int32_t column_count;
    tacit_strview *columns; /* names, of columns of the release */
    int32_t *places; /* of them in the file; that of `value` where a table is one attribute's */
    int64_t entry_count;
    int64_t *rows; /* of the file, an entry each */
    int64_t *counts;
    tacit_strview *labels; /* of one attribute's table: its values; otherwise NULL */
} tacit__frequency_table;

typedef struct tacit__frequency_tables {
    tacit__frequency_table *list;
    size_t count, room;
} tacit__frequency_tables;

/* What a cell of a coded column says; missing is empty. */
tacit_strview tacit__cell_value(const tacit_table *table, int32_t column, int64_t row);

/* Adds the tables of a file. */
tacit_status tacit__frequencies_read(tacit__frequency_tables *tables, const tacit_table *file,
                                     tacit_error *err);
void tacit__frequencies_clear(tacit__frequency_tables *tables);

/* A scene and what it stands on. */
typedef struct tacit__summary_stage {
    tacit__scene scene;
    struct tacit_lineage *lineages[TACIT_SUMMARY_COLUMNS];
    int32_t places[TACIT_SUMMARY_COLUMNS]; /* of the scene's columns in the release */
    char *names[TACIT_SUMMARY_COLUMNS];
} tacit__summary_stage;

/* Puts the values of release and tables in trees. Cleared in any case; tables and the case must
 * outlive it. */
tacit_status tacit__summary_stage_init(tacit__summary_stage *stage,
                                       const tacit__frequency_tables *tables,
                                       const tacit_summary_case *c, const tacit_run *run,
                                       tacit_error *err);
void tacit__summary_stage_clear(tacit__summary_stage *stage);

/* ---- all of it (summary.c) ---- */

/* As in tacit_summary_audit. */
typedef struct tacit__summary_counts {
    bool exact;
    int64_t values, rows, tuples, narrowed;
    bool left_out_known;
    int32_t left_out_values;
    int64_t programs;
} tacit__summary_counts;

/* Everything that follows on a scene that was checked. */
tacit_status tacit__scene_count(tacit__summary_counts *out, tacit__summary_facts *facts,
                                const tacit__scene *scene, tacit_error *err);

#endif
