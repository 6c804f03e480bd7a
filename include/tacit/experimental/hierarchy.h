/*
 * hierarchy.h - what a value generalizes to.
 *
 * A specification says where the generalizations come from (a file or a rule);
 * binding it to a table's column gives a hierarchy: for every value in the
 * column, and for missing, one value on each level from 0 (as it is) to the
 * height, where a single most general value is left. Section 5.2 of Sweeney,
 * Computational Disclosure Control.
 *
 * Missing stays missing on every level below the top, unless a hierarchy file
 * has a row for the empty value; at the top it becomes the top value, which is
 * then "*" even where no suppressed level was wanted: no other is true of it.
 *
 * Files are UTF-8 of at most 64 MiB, quoted as CSV, delimited by semicolons, tabs
 * or commas, and come in three forms that are told apart by their content:
 *   - ancestors: a row a ground value, then its ancestors in order, without a
 *     header: `02138;0213*;021**;*`;
 *   - .hrc: a line a code, depth first, indented by @ (`@@;a101` or `@a101`);
 *     several codes at the first depth get a root `Total`;
 *   - a list of two columns, code and parent. Two columns are a list if the
 *     first row is `code,parent`, or if the second column holds several values
 *     of which one is also in the first column.
 * In the last two forms a leaf of a short branch stays itself on the lowest
 * levels until its parent's.
 *
 * Rules, and how their values read:
 *   - mask: `0213*`, `021**`, ... `*`. Shorter values count as filled up with
 *     blanks on the masked side;
 *   - interval: `20-24` (both ends held; `-5 to -1` where one is negative) where
 *     all numbers are whole, otherwise `[20.5, 21)` (the upper end not held);
 *   - date: `1965-09`, `1965`, `1965-1969`, `1960-1969`, or windows of given numbers of
 *     months, `1965-09 to 1965-10`, `1964-1965`. Below them, where values have a time of
 *     day, `1965-09-20T05:06:07`, `1965-09-20T05:06`, `1965-09-20T05`, `1965-09-20`, from
 *     above the most precise value on; zones are not looked at. Read are 1965-09-20,
 *     19650920, 9/20/1965 and 20/9/65, 20.9.1965 (day first), 20 Sep 1965,
 *     Sep 20, 1965, and less precise 1965-09, 9/1965, Sep 1965 and 1965. Years of
 *     two digits lie between 1930 and 2029. Whether the day or the month comes
 *     first in dates with slashes is declared, or told by the whole column: 9/20/1965
 *     can only be September. A column in which nothing tells is TACIT_INVALID, one in
 *     which some dates say this and others that is TACIT_PARSE. A full date may have a
 *     time: 1965-09-20T05:06:07.5+01:00, 9/20/1965 5:06 PM.
 *   - standard: the levels of a classification that ships with the library, such as ICD-10's
 *     categories, blocks and chapters (docs/hierarchies.md). A code that it does not have is
 *     TACIT_PARSE.
 */
#ifndef TACIT_HIERARCHY_H
#define TACIT_HIERARCHY_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of a hierarchy, ground and top among them. */
enum { TACIT_MAX_LEVELS = 64, TACIT_MAX_WIDTHS = 32 };

typedef enum tacit_hierarchy_kind {
    TACIT_HIERARCHY_NONE = 0, /* no hierarchy: the value, then suppressed */
    TACIT_HIERARCHY_FILE,
    TACIT_HIERARCHY_MASK,
    TACIT_HIERARCHY_INTERVAL,
    TACIT_HIERARCHY_DATE,
    TACIT_HIERARCHY_STANDARD
} tacit_hierarchy_kind;

/* What comes first in dates such as 5/10/1954. */
typedef enum tacit_date_order {
    TACIT_DATES_TELL = 0, /* not declared: the whole column tells */
    TACIT_DAY_FIRST,
    TACIT_MONTH_FIRST
} tacit_date_order;

/* What is written before the decimals of numbers: 12.5 or 12,5. */
typedef enum tacit_decimal_mark {
    TACIT_MARKS_TELL = 0, /* not declared: the whole column tells */
    TACIT_DECIMAL_POINT,
    TACIT_DECIMAL_COMMA
} tacit_decimal_mark;

/* Bytes of the name of a standard hierarchy, terminated. */
enum { TACIT_STANDARD_NAME = 24 };

/* Where generalizations come from. Zero-initialized is "none". */
typedef struct tacit_hierarchy_spec {
    tacit_hierarchy_kind kind;
    bool no_suppression;             /* do not put a suppressed level on top */
    bool compared_only;              /* values are compared and none is released: missing joins the
                                        top value, whatever that is */
    char *path;                      /* FILE: owned by the spec */
    bool mask_left;                  /* MASK: characters go from the left, not from the right */
    double origin;                   /* INTERVAL */
    double widths[TACIT_MAX_WIDTHS]; /* ascending, each a multiple of the one before; DATE: windows
                                        in months, 1, 2, 3, 4, 6 or whole years */
    int width_count;                 /* DATE: 0 is the usual levels */
    tacit_date_order order;          /* DATE */
    tacit_decimal_mark decimal;      /* INTERVAL */
    char standard[TACIT_STANDARD_NAME]; /* STANDARD: its name */
} tacit_hierarchy_spec;

void tacit_hierarchy_spec_clear(tacit_hierarchy_spec *spec);

/* Reads a rule or file name as a flag writes it: "mask:right", "mask:left",
 * "date", "date:day-first", "date:month-first", "date:2,6,12,24", "date:day-first/2,6,12",
 * "interval:0/5,10,20", "interval:0/0.5/comma", "interval:0/0.5/point", "standard:icd10", "none",
 * otherwise a file ("./date" where it is named like a rule). directory (may be NULL) is where a
 * relative file name starts. What spec held is cleared first, but for no_suppression. */
tacit_status tacit_hierarchy_spec_parse(tacit_hierarchy_spec *spec, const char *text,
                                        const char *directory, tacit_error *err);

/* The standard hierarchies that ship with the library, from 0 on: name and title; false: there are
 * no more. */
bool tacit_hierarchy_standard(size_t index, tacit_strview *name, tacit_strview *title);

/* The label of a suppressed value: "*". */
tacit_strview tacit_hierarchy_suppressed(void);

typedef struct tacit_hierarchy tacit_hierarchy;

/* Binds a specification to a coded column of a table, which must outlive the
 * hierarchy. A value that the hierarchy does not know, two parents, a cycle,
 * several roots: an error naming value and place. The height is at least 1. */
tacit_status tacit_hierarchy_new(tacit_hierarchy **out, const tacit_hierarchy_spec *spec,
                                 const tacit_table *table, int32_t column, tacit_error *err);
void tacit_hierarchy_free(tacit_hierarchy *hierarchy);

/* The highest level; level 0 is the ground. */
int tacit_hierarchy_height(const tacit_hierarchy *hierarchy);

/* Number of distinct values that the column's values take on a level, and
 * missing where a hierarchy file gives it a value there; missing itself is not
 * counted. 1 at the height. */
uint32_t tacit_hierarchy_count(const tacit_hierarchy *hierarchy, int level);

/* For every code of the column, and for missing as the last entry, its value's
 * number on a level (distinct + 1 entries). Missing is numbered count(level)
 * where it stays missing. On level 0 a value's number is its code; above it
 * values are numbered in the order of the first code that has them. */
const uint32_t *tacit_hierarchy_map(const tacit_hierarchy *hierarchy, int level);

/* The value itself, borrowed; number < count(level). */
tacit_strview tacit_hierarchy_label(const tacit_hierarchy *hierarchy, int level, uint32_t number);

/* Ground values of the whole hierarchy (whether the column has them or not; a
 * row for missing counts), and how many of them lie under a value of a level.
 * For rules, the column's own values are the ground. */
uint32_t tacit_hierarchy_leaves(const tacit_hierarchy *hierarchy);
uint32_t tacit_hierarchy_leaves_under(const tacit_hierarchy *hierarchy, int level, uint32_t number);

/* ---- hierarchy files ---- */

/* Rows of the table that have each value of a coded column, and that have none as the last entry.
 */
tacit_status tacit_hierarchy_rows(int64_t **out, const tacit_table *table, int32_t column,
                                  tacit_error *err);
void tacit_hierarchy_rows_free(int64_t *rows);

/* A hierarchy whose groups come from the column's own values, for a start:
 *   - "name": values that begin with the same words are one group, named by these words; first
 *     those that share most words, then fewer, then one;
 *   - "frequency:5,20": values that fewer than 5 rows have are one group, "other"; on the next
 *     level those that fewer than 20 have;
 *   - "name+frequency:5,20": by name, and these groups by frequency.
 * Levels that would join nothing, or everything, are left out: the height is then 1. It changes
 * with the data, so it is no rule of a policy: make a file of it, and keep that. */
tacit_status tacit_hierarchy_group(tacit_hierarchy **out, const char *by, const tacit_table *table,
                                   int32_t column, tacit_error *err);

/* A bound hierarchy as a file that says the same of the column's values: a row a value, then its
 * ancestors, in the order of the bytes. One that only suppresses gets a level between, on which
 * every value stays itself: a template. Values that such a file cannot hold are TACIT_PARSE. Free
 * it with tacit_text_free(). */
tacit_status tacit_hierarchy_text(char **csv, const tacit_hierarchy *hierarchy, tacit_error *err);

typedef enum tacit_hierarchy_gap_kind {
    TACIT_GAP_FORM = 0,    /* cannot be read from here on */
    TACIT_GAP_LENGTH,      /* a row of more or fewer fields than the first */
    TACIT_GAP_EMPTY,       /* no value on a level */
    TACIT_GAP_TWO_PARENTS, /* a value of a level lies under two */
    TACIT_GAP_ROOTS,       /* another most general value than the first row's */
    TACIT_GAP_LACKING,     /* a value of the data is not in the file */
    TACIT_GAP_ABOVE,       /* a value of the data stands only above others */
    TACIT_GAP_UNUSED,      /* a value of the file is not in the data: no harm */
    TACIT_GAP_KINDS
} tacit_hierarchy_gap_kind;

typedef struct tacit_hierarchy_gap {
    tacit_hierarchy_gap_kind kind;
    int64_t line; /* of the file; 0: none */
    int64_t rows; /* of the data that have the value */
    tacit_strview value;
    const char *about;
} tacit_hierarchy_gap;

typedef struct tacit_hierarchy_gaps {
    tacit_hierarchy_gap *items; /* in the order of the kinds and lines of each */
    uint32_t count;
    size_t capacity;
    int64_t of_kind[TACIT_GAP_KINDS];
    struct tacit_hierarchy_gaps_texts *texts;
} tacit_hierarchy_gaps;

/* Everything that keeps a file from being the column's hierarchy, all at once; a file that is one
 * has at most unused values. Of .hrc files and lists of code and parent the first fault in the
 * tree is told. */
tacit_status tacit_hierarchy_check(tacit_hierarchy_gaps **out, const char *path,
                                   const tacit_table *table, int32_t column, tacit_error *err);
void tacit_hierarchy_gaps_free(tacit_hierarchy_gaps *gaps);

/* The file, with a row for each value of the column that it lacks, on which the value stays itself
 * up to the most general one. The file must be sound, with a row a value. */
tacit_status tacit_hierarchy_complete(char **csv, const char *path, const tacit_table *table,
                                      int32_t column, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
